//! A path with its start and its goal, or what stands in its way.

use super::{
    Marks,
    canvas::{Canvas, number},
};
use wayfare_core::DVec3;

/// Draws what of the marks lies here over the map: parts of the path, and its ends.
pub(super) fn draw(out: &mut String, canvas: &Canvas, marks: &Marks, is_here: impl Fn(DVec3) -> bool) {
    let own = (marks.path.as_slice(), marks.radius);
    let others = marks.others.iter().map(|(path, radius)| (path.as_slice(), *radius));
    // The widest below.
    let mut paths: Vec<(&[DVec3], f64)> = others.chain([own]).collect();
    paths.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (path, radius) in paths {
        let mut data = String::new();
        for part in parts(path, &is_here) {
            canvas.trace(&mut data, part.iter().map(|p| p.truncate()), false);
        }
        if !data.is_empty() && radius > 0.0 {
            let width = number(2.0 * radius * canvas.scale);
            out.push_str(&format!(
                "<path class=\"path\" stroke-width=\"{width}\" stroke-opacity=\".25\" stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"{data}\"/>\n"
            ));
        }
        if !data.is_empty() {
            out.push_str(&format!(
                "<path class=\"casing\" stroke-width=\"6.5\" stroke-opacity=\".85\" d=\"{data}\"/>\n\
                 <path class=\"path\" stroke-width=\"3\" d=\"{data}\"/>\n"
            ));
        }
    }
    let mut flown = String::new();
    for part in marks.flights.iter().flat_map(|flight| parts(flight, &is_here)) {
        canvas.trace(&mut flown, part.iter().map(|p| p.truncate()), false);
    }
    if !flown.is_empty() {
        out.push_str(&format!(
            "<path class=\"casing\" stroke-width=\"6.5\" stroke-opacity=\".85\" d=\"{flown}\"/>\n\
             <path class=\"path\" stroke-width=\"3\" stroke-dasharray=\"9 5\" d=\"{flown}\"><title>flown</title></path>\n"
        ));
    }
    let mut compared = String::new();
    for part in parts(&marks.compared, &is_here) {
        canvas.trace(&mut compared, part.iter().map(|p| p.truncate()), false);
    }
    if !compared.is_empty() {
        out.push_str(&format!(
            "<path class=\"path\" stroke-width=\"1.5\" stroke-dasharray=\"6 5\" d=\"{compared}\"/>\n"
        ));
    }
    if let Some((place, radius)) = marks.narrow.filter(|(place, _)| is_here(*place)) {
        let p = canvas.place(place.truncate());
        for (radius, dash) in [(marks.radius, " stroke-dasharray=\"5 4\""), (radius, "")] {
            out.push_str(&format!(
                "<circle class=\"path\" fill=\"none\" cx=\"{}\" cy=\"{}\" r=\"{}\" stroke-width=\"2\"{dash}/>\n",
                number(p.x),
                number(p.y),
                number(radius * canvas.scale)
            ));
        }
    }
    if let Some(place) = marks.closed.filter(|place| is_here(*place)) {
        let p = canvas.place(place.truncate());
        out.push_str(&format!(
            "<path class=\"path\" stroke-width=\"3\" d=\"M{},{}l14,14m0,-14l-14,14\"><title>closed</title></path>\n",
            number(p.x - 7.0),
            number(p.y - 7.0)
        ));
    }
    if let Some(ends) = marks.gap {
        let mut data = String::new();
        canvas.trace(&mut data, ends.iter().map(|p| p.truncate()), false);
        out.push_str(&format!(
            "<path class=\"path\" stroke-width=\"3\" stroke-dasharray=\"2 6\" stroke-linecap=\"round\" d=\"{data}\"/>\n"
        ));
    }
    for (place, class) in [(marks.start, "start"), (marks.goal, "goal")] {
        if let Some(place) = place.filter(|&place| is_here(place)) {
            let p = canvas.place(place.truncate());
            out.push_str(&format!(
                "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"6\" stroke-width=\"3\"><title>{class} {}, {}, {}</title></circle>\n",
                number(p.x),
                number(p.y),
                place.x,
                place.y,
                place.z
            ));
        }
    }
}

/// The parts of a path that lie here. A segment is looked at close to its ends, for the ends themselves may lie on two
/// storeys at once; where these differ, the change is found by halving.
fn parts(path: &[DVec3], is_here: impl Fn(DVec3) -> bool) -> Vec<Vec<DVec3>> {
    /// How close to an end, as a part of the segment.
    const CLOSE: f64 = 1.0 / 1024.0;
    let mut parts: Vec<Vec<DVec3>> = Vec::new();
    // Whether the last part goes on.
    let mut is_open = false;
    for ends in path.windows(2) {
        let at = |t: f64| ends[0].lerp(ends[1], t);
        let (begins, stays) = (is_here(at(CLOSE)), is_here(at(1.0 - CLOSE)));
        let (mut from, mut to) = (0.0, 1.0);
        if begins != stays {
            for _ in 0..16 {
                let middle = (from + to) / 2.0;
                *if is_here(at(middle)) == begins { &mut from } else { &mut to } = middle;
            }
        }
        let [first, last] = match (begins, stays) {
            (true, true) => [0.0, 1.0],
            (true, false) => [0.0, to],
            (false, true) => [from, 1.0],
            (false, false) => {
                is_open = false;
                continue;
            }
        };
        match parts.last_mut().filter(|_| is_open && begins) {
            Some(part) => part.push(at(last)),
            None => parts.push(vec![at(first), at(last)]),
        }
        is_open = stays;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec3;

    #[test]
    fn a_path_is_cut_where_it_changes_storeys() {
        let path = [0.0, 4.0, 10.0, 12.0, 20.0].map(|x| dvec3(x, 0.0, 0.0));
        let cut = |is_here: fn(DVec3) -> bool| {
            parts(&path, is_here)
                .iter()
                .map(|part| part.iter().map(|p| p.x).collect())
                .collect::<Vec<Vec<f64>>>()
        };
        assert_eq!(cut(|_| true), [[0.0, 4.0, 10.0, 12.0, 20.0]]);
        assert!(cut(|_| false).is_empty());
        let near = |part: &[f64], expected: &[f64]| {
            part.len() == expected.len() && part.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3)
        };
        let [first, second] = &cut(|p| p.x < 5.0 || p.x > 12.5)[..] else { panic!("two parts") };
        assert!(near(first, &[0.0, 4.0, 5.0]) && near(second, &[12.5, 20.0]), "{first:?} {second:?}");
    }
}
