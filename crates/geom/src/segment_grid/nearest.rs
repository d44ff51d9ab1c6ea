//! The nearest segment, everywhere or inside a wedge.
//!
//! Idea: look at the squares round the point ring by ring, until what is left of the grid is farther than the
//! best segment found. Ties go to the smaller number, so that the answer does not depend on the walk.
//! Cost: proportional to the squares nearer than the answer and their entries; no allocation.

use super::SegmentGrid;
use crate::{Aabb2, predicates::orient, segment::nearest_on_segment};
use wayfare_core::DVec2;

/// The nearest segment and its nearest point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Number of the segment.
    pub segment: u32,
    /// Square of its distance, rounded [m²].
    pub distance_squared: f64,
    /// Its nearest point, rounded.
    pub point: DVec2,
}

impl SegmentGrid {
    /// The segment nearest to a point; of equally near ones that with the smallest number.
    pub fn nearest(&self, p: DVec2) -> Option<Nearest> {
        self.search(p, |_| true, |[a, b]| Some(nearest_on_segment(p, a, b)))
    }

    /// The segment of which a part inside a wedge is nearest to the wedge's apex. The closed wedge lies
    /// between the rays from the apex through `right` and through `left`, counter-clockwise; nothing is in a
    /// wedge that does not turn left. Segments that end at the apex are left out: it is a corner of theirs.
    ///
    /// Nothing lies between the apex and the point found, so that it is in sight.
    pub fn nearest_in_wedge(&self, apex: DVec2, right: DVec2, left: DVec2) -> Option<Nearest> {
        if orient(apex, right, left) <= 0.0 {
            return None;
        }
        let (to_right, to_left) = (right - apex, left - apex);
        // Squares wholly on the wrong side of one line are passed over; what rounding may hide is looked at.
        let slack = self.slack_of(apex, apex);
        let beyond = |square: Aabb2, inward: DVec2| {
            let corner = DVec2::select(inward.cmpge(DVec2::ZERO), square.max, square.min);
            (corner - apex).dot(inward) < -slack * (inward.x.abs() + inward.y.abs())
        };
        self.search(
            apex,
            |square| !beyond(square, to_right.perp()) && !beyond(square, -to_left.perp()),
            |[a, b]| {
                if a == apex || b == apex {
                    return None;
                }
                let [a, b] = clip_to_wedge(apex, right, left, a, b)?;
                Some(nearest_on_segment(apex, a, b))
            },
        )
    }

    /// The nearest segment by what `nearest` says of it, among those in squares that `admit` lets pass.
    fn search(
        &self,
        p: DVec2,
        admit: impl Fn(Aabb2) -> bool,
        nearest: impl Fn([DVec2; 2]) -> Option<DVec2>,
    ) -> Option<Nearest> {
        if self.is_empty() {
            return None;
        }
        let slack = self.slack_of(p, p);
        let [x, y] = [self.place(0, p.x), self.place(1, p.y)];
        let last = self.count.map(|count| count - 1);
        let mut best: Option<Nearest> = None;
        let look = |column: usize, row: usize, best: &mut Option<Nearest>| {
            let square = row * self.count[0] + column;
            let entries = self.entries(square);
            if entries.is_empty() || !admit(self.box_of([column; 2], [row; 2])) {
                return;
            }
            for &segment in entries {
                let Some(point) = nearest(self.segments[segment as usize]) else { continue };
                let distance_squared = (point - p).length_squared();
                let is_better = best.is_none_or(|best| {
                    distance_squared < best.distance_squared
                        || distance_squared == best.distance_squared && segment < best.segment
                });
                if is_better {
                    *best = Some(Nearest { segment, distance_squared, point });
                }
            }
        };
        for ring in 0.. {
            let columns = [x.saturating_sub(ring), (x + ring).min(last[0])];
            let rows = [y.saturating_sub(ring), (y + ring).min(last[1])];
            // The lower and the upper row, then what the two columns have between them.
            for row in rows[0]..=rows[1] {
                if row.abs_diff(y) == ring {
                    (columns[0]..=columns[1]).for_each(|column| look(column, row, &mut best));
                } else {
                    if x >= ring {
                        look(x - ring, row, &mut best);
                    }
                    if ring > 0 && x + ring <= last[0] {
                        look(x + ring, row, &mut best);
                    }
                }
            }
            // What is left lies in four boxes beside the squares seen.
            let is_left = [columns[0] > 0, columns[1] < last[0], rows[0] > 0, rows[1] < last[1]];
            if !is_left.contains(&true) {
                break;
            }
            if let Some(best) = best {
                let rest = [
                    ([0, columns[0].saturating_sub(1)], [0, last[1]]),
                    ([columns[1] + 1, last[0]], [0, last[1]]),
                    (columns, [0, rows[0].saturating_sub(1)]),
                    (columns, [rows[1] + 1, last[1]]),
                ];
                let may_be_nearer = |(columns, rows): ([usize; 2], [usize; 2])| {
                    let distance = self.box_of(columns, rows).distance_squared(p).sqrt() - 2.0 * slack;
                    distance <= 0.0 || distance * distance <= best.distance_squared
                };
                if !(0..4).any(|k| is_left[k] && may_be_nearer(rest[k])) {
                    break;
                }
            }
        }
        best
    }
}

/// The part of a segment in a closed wedge of less than 180 degrees, rounded; whether there is one is exact.
fn clip_to_wedge(apex: DVec2, right: DVec2, left: DVec2, a: DVec2, b: DVec2) -> Option<[DVec2; 2]> {
    // Not negative inside.
    let (right_a, right_b) = (orient(apex, right, a), orient(apex, right, b));
    let (left_a, left_b) = (-orient(apex, left, a), -orient(apex, left, b));
    if right_a < 0.0 && right_b < 0.0 || left_a < 0.0 && left_b < 0.0 {
        return None;
    }
    let (mut clipped_a, mut clipped_b) = (a, b);
    let between = |side_a: f64, side_b: f64| a + (b - a) * (side_a / (side_a - side_b)).clamp(0.0, 1.0);
    // From one side of the wedge to the other: in front of the apex or behind it?
    let turn = orient(a, b, apex);
    let passes_behind = |a_right: f64, b_left: f64, turn: f64| a_right < 0.0 && b_left < 0.0 && turn < 0.0;
    if passes_behind(right_a, left_b, turn) || passes_behind(right_b, left_a, -turn) {
        return None;
    }
    if turn == 0.0 && (right_a < 0.0 || left_a < 0.0) && (right_b < 0.0 || left_b < 0.0) {
        return Some([apex; 2]); // straight through the apex, from outside to outside
    }
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (side_a, side_b) in [(right_a, right_b), (left_a, left_b)] {
        let t = side_a / (side_a - side_b);
        if side_a < 0.0 && t > from {
            (from, clipped_a) = (t, between(side_a, side_b));
        }
        if side_b < 0.0 && t < to {
            (to, clipped_b) = (t, between(side_a, side_b));
        }
    }
    Some([clipped_a, clipped_b])
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn a_wedge_sees_what_reaches_into_it_and_not_its_own_walls() {
        let segments = vec![
            [dvec2(0., 0.), dvec2(1., 0.)],    // ends at the apex
            [dvec2(-1., -9.), dvec2(-1., 9.)], // behind
            [dvec2(4., -9.), dvec2(4., 9.)],   // in front, passing through
            [dvec2(2., 1.), dvec2(2., 1.)],    // a point inside
            [dvec2(1., 2.), dvec2(1., 3.)],    // outside
        ];
        let grid = SegmentGrid::build(segments);
        let found = grid.nearest_in_wedge(DVec2::ZERO, dvec2(1., -1.), dvec2(1., 1.)).unwrap();
        assert_eq!((found.segment, found.distance_squared), (3, 5.0));
        let found = grid.nearest_in_wedge(DVec2::ZERO, dvec2(1., -3.), dvec2(1., -1.)).unwrap();
        assert_eq!((found.segment, found.point), (2, dvec2(4., -4.)));
        assert_eq!(grid.nearest_in_wedge(DVec2::ZERO, DVec2::X, DVec2::X), None, "no wedge");
        assert_eq!(
            grid.nearest_in_wedge(dvec2(9., 0.), DVec2::X * 10., dvec2(10., 1.)),
            None,
            "an empty one"
        );
    }
}
