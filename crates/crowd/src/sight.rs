//! Who is hidden behind a wall.
//!
//! Idea: somebody is seen as long as the line to its centre or to one of its flanks is free. Walls are those that an agent keeps, a few metres round
//! about: who is farther behind a wall does not slow it down.
//! Cost: one product for each wall and each of those near, where all are on the same side of it, as they nearly always are.

use crate::{movement::Neighbour, walls::Segment};
use wayfare_core::DVec2;

/// Takes out whom walls hide from an agent.
pub(crate) fn hide(at: DVec2, radius: f64, walls: &[Segment], neighbours: &mut Vec<Neighbour>) {
    let is_past = |&[a, b]: &Segment| {
        let along = b - a;
        let here = (a - at).perp_dot(along);
        neighbours.iter().any(|other| here * (here - other.offset.perp_dot(along)) < 0.0)
    };
    if walls.iter().any(is_past) {
        neighbours.retain(|other| !is_hidden(at, radius, other, walls));
    }
}

/// Whether walls hide somebody from an agent.
fn is_hidden(at: DVec2, radius: f64, other: &Neighbour, walls: &[Segment]) -> bool {
    let is_blocked = |offset: DVec2| walls.iter().any(|&wall| is_between(wall, at, offset));
    if !is_blocked(other.offset) {
        return false;
    }
    let flank = other.offset.perp() * ((other.reach - radius) / other.distance.max(1e-9));
    is_blocked(other.offset + flank) && is_blocked(other.offset - flank)
}

/// Whether a wall crosses the line from a point to another one, seen from there.
fn is_between([a, b]: Segment, at: DVec2, offset: DVec2) -> bool {
    let (along, to_a) = (b - a, a - at);
    let here = to_a.perp_dot(along);
    // On one side of it, or on it, are both.
    if here * (here - offset.perp_dot(along)) >= 0.0 {
        return false;
    }
    // A line through the corner between two walls does not pass.
    offset.perp_dot(to_a) * offset.perp_dot(b - at) <= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn other(x: f64, y: f64) -> Neighbour {
        let offset = dvec2(x, y);
        Neighbour { offset, distance: offset.length(), reach: 0.4, ..Neighbour::default() }
    }

    #[test]
    fn who_is_wholly_behind_a_wall_is_hidden() {
        // From (0, 0) past a wall that ends at (1, 0.5).
        let wall = [dvec2(1.0, -3.0), dvec2(1.0, 0.5)];
        let is_hidden = |x, y| is_hidden(DVec2::ZERO, 0.2, &other(x, y), &[wall]);
        assert!(is_hidden(2.0, 0.0) && is_hidden(1.3, -1.0));
        assert!(is_hidden(2.0, 0.75));
        // One flank is seen past the end of the wall, or all of it.
        assert!(!is_hidden(2.0, 0.9) && !is_hidden(2.0, 1.3));
        // Before the wall, and on the other side.
        assert!(!is_hidden(0.7, 0.0) && !is_hidden(-2.0, 0.0));
    }

    #[test]
    fn a_line_through_a_corner_of_two_walls_is_blocked() {
        let walls = [[dvec2(1.0, -1.0), dvec2(1.0, 0.0)], [dvec2(1.0, 0.0), dvec2(1.0, 1.0)]];
        assert!(is_hidden(DVec2::ZERO, 0.2, &other(2.0, 0.0), &walls));
        assert!(!is_hidden(DVec2::ZERO, 0.2, &other(2.0, 0.0), &walls[..1]));
    }
}
