//! A path with its start and its goal.

use super::{
    Marks,
    canvas::{Canvas, number},
};
use wayfare_core::DVec3;

/// Draws the marks over the map. What lies elsewhere, by the middles of the path's segments, is only hinted at.
pub(super) fn draw(out: &mut String, canvas: &Canvas, marks: &Marks, is_here: impl Fn(DVec3) -> bool) {
    let segments: Vec<(bool, usize)> =
        marks.path.windows(2).enumerate().map(|(k, ends)| (is_here(ends[0].midpoint(ends[1])), k)).collect();
    let [mut here, mut elsewhere] = [String::new(), String::new()];
    for part in segments.chunk_by(|a, b| a.0 == b.0) {
        let points = &marks.path[part[0].1..part[part.len() - 1].1 + 2];
        let data = if part[0].0 { &mut here } else { &mut elsewhere };
        canvas.trace(data, points.iter().map(|p| p.truncate()), false);
    }
    if !elsewhere.is_empty() {
        out.push_str(&format!(
            "<path class=\"path\" stroke-width=\"2\" stroke-opacity=\".4\" stroke-dasharray=\"2 5\" d=\"{elsewhere}\"/>\n"
        ));
    }
    if !here.is_empty() {
        out.push_str(&format!(
            "<path class=\"casing\" stroke-width=\"6.5\" stroke-opacity=\".85\" d=\"{here}\"/>\n\
             <path class=\"path\" stroke-width=\"3\" d=\"{here}\"/>\n"
        ));
    }
    for (place, class) in [(marks.start, "start"), (marks.goal, "goal")] {
        if let Some(place) = place {
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
