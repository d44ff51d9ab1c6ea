//! Ground over all of which something lies under head room, so that nothing is left of it.
//!
//! Idea: a house has hundreds of posts and planks, whose undersides and tops are patches of their own; most lie wholly under the other
//!   face of their own thing, or of what rests on it. That is decided on the grid, without cutting anything: triangles that lie over a
//!   triangle cover it if none of their outer sides comes into it and they wind round a place inside of it.
//! Promises: exact. Says yes only of what is covered; not of all that is, where triangles lie over each other.
//! Cost: O(n²) for n triangles near by, of which no more than some are looked at.

use wayfare_geom::boolean::{Node, turn_sign};

/// More outer sides are not looked at: what is left to the overlay is cut as well.
const MOST_SIDES: usize = 64;

/// Whether some triangles together cover another; all are counter-clockwise and have an area.
pub(super) fn cover<'a>(lids: impl Iterator<Item = &'a [Node; 3]>, triangle: &[Node; 3]) -> bool {
    let mut outer: Vec<[Node; 2]> = Vec::new();
    for lid in lids.filter(|lid| !are_boxes_apart(lid, triangle)) {
        for k in 0..3 {
            let [a, b] = [lid[k], lid[(k + 1) % 3]];
            match outer.iter().position(|&side| side == [b, a]) {
                Some(place) => drop(outer.swap_remove(place)),
                None => outer.push([a, b]),
            }
        }
        if outer.len() > MOST_SIDES {
            return false;
        }
    }
    outer.iter().all(|&side| keeps_out(side, triangle)) && wind_round(&outer, triangle)
}

/// Whether the boxes of two triangles at most touch. Then a side of one of them parts them, too, if both have an area.
pub(super) fn are_boxes_apart(one: &[Node; 3], two: &[Node; 3]) -> bool {
    let least = |[a, b, c]: &[Node; 3]| (a.x.min(b.x).min(c.x), a.y.min(b.y).min(c.y));
    let most = |[a, b, c]: &[Node; 3]| (a.x.max(b.x).max(c.x), a.y.max(b.y).max(c.y));
    let (from, to, other_from, other_to) = (least(one), most(one), least(two), most(two));
    to.0 <= other_from.0 || other_to.0 <= from.0 || to.1 <= other_from.1 || other_to.1 <= from.1
}

/// Whether a segment has no point inside of a triangle. Of two convex figures that are apart, the line of some side parts them.
fn keeps_out([p, q]: [Node; 2], triangle: &[Node; 3]) -> bool {
    let turns = triangle.map(|corner| turn_sign(p, q, corner));
    let is_beyond = |k: usize| {
        let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
        turn_sign(a, b, p) <= 0 && turn_sign(a, b, q) <= 0
    };
    turns.iter().all(|&turn| turn >= 0) || turns.iter().all(|&turn| turn <= 0) || (0..3).any(is_beyond)
}

/// Whether sides, none of which comes into a triangle, wind round it.
fn wind_round(sides: &[[Node; 2]], &[a, b, c]: &[Node; 3]) -> bool {
    // The middle, in thirds of a unit; upward sides on its right count, downward ones count back.
    let middle = Node { x: a.x + b.x + c.x, y: a.y + b.y + c.y };
    let thirds = |node: Node| Node { x: 3 * node.x, y: 3 * node.y };
    let times = |side: &[Node; 2]| {
        let [p, q] = side.map(thirds);
        let is_upward = p.y <= middle.y && middle.y < q.y && turn_sign(p, q, middle) > 0;
        let is_downward = q.y <= middle.y && middle.y < p.y && turn_sign(p, q, middle) < 0;
        i32::from(is_upward) - i32::from(is_downward)
    };
    sides.iter().map(times).sum::<i32>() > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn node([x, y]: [i64; 2]) -> Node {
        Node { x, y }
    }

    fn triangle(corners: [[i64; 2]; 3]) -> [Node; 3] {
        corners.map(node)
    }

    #[test]
    fn a_square_cut_along_one_diagonal_covers_one_that_is_cut_along_the_other() {
        let lids = [triangle([[0, 0], [8, 0], [8, 8]]), triangle([[0, 0], [8, 8], [0, 8]])];
        let ground = [triangle([[0, 0], [8, 0], [0, 8]]), triangle([[8, 0], [8, 8], [0, 8]])];
        assert!(ground.iter().all(|own| cover(lids.iter(), own)));
        assert!(ground.iter().all(|own| !cover(lids[..1].iter(), own)));
        assert!(!cover([].iter(), &ground[0]));
        // A hole that the triangle lies in, and one that is as large as it.
        let beside = triangle([[9, 0], [12, 0], [9, 3]]);
        assert!(!cover(lids.iter(), &beside));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// Against places inside of the triangle, each of which has to be in one of the lids.
        #[test]
        fn what_is_said_to_be_covered_is(corners in prop::collection::vec(prop::array::uniform3(prop::array::uniform2(0..7i64)), 2..9)) {
            let mut all: Vec<[Node; 3]> = corners.into_iter().map(triangle).collect();
            all.retain(|[a, b, c]| turn_sign(*a, *b, *c) != 0);
            for [a, b, c] in &mut all {
                if turn_sign(*a, *b, *c) < 0 {
                    std::mem::swap(b, c);
                }
            }
            let Some((own, lids)) = all.split_first() else { return Ok(()) };
            let is_covered = cover(lids.iter(), own);
            // In units of 1/60: off all lines but few.
            let scaled = |t: &[Node; 3]| t.map(|p| Node { x: 60 * p.x, y: 60 * p.y });
            let is_in = |t: &[Node; 3], p: Node, least: i32| {
                let t = scaled(t);
                (0..3).all(|k| turn_sign(t[k], t[(k + 1) % 3], p) >= least)
            };
            let mut are_all_in = true;
            for x in (1..420).step_by(7) {
                for y in (2..420).step_by(7) {
                    let p = Node { x, y };
                    are_all_in &= !is_in(own, p, 1) || lids.iter().any(|lid| is_in(lid, p, 0));
                }
            }
            prop_assert!(!is_covered || are_all_in, "{own:?} {lids:?}");
            // A single lid that covers is always seen.
            let is_in_one = lids.iter().any(|lid| own.iter().all(|&p| is_in(lid, scaled(&[p; 3])[0], 0)));
            prop_assert!(!is_in_one || lids.iter().any(|lid| cover([lid].into_iter(), own)));
        }
    }
}
