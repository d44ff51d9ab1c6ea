//! A path with its start and its goal.

use super::{
    Marks,
    canvas::{Canvas, number},
};

/// Draws the marks over the map.
pub(super) fn draw(out: &mut String, canvas: &Canvas, marks: &Marks) {
    if marks.path.len() > 1 {
        let mut data = String::new();
        canvas.trace(&mut data, marks.path.iter().map(|p| p.truncate()), false);
        out.push_str(&format!(
            "<path class=\"casing\" stroke-width=\"6.5\" stroke-opacity=\".85\" d=\"{data}\"/>\n\
             <path class=\"path\" stroke-width=\"3\" d=\"{data}\"/>\n"
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
