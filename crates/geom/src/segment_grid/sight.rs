//! What a line of sight meets.
//!
//! The rule: a segment is in the way if it has a point in common with the *open* line of sight. So walls that
//! only end or pass at an eye do not block, walls touched at a corner on the way do, and so do walls that the
//! line runs along. Decided exactly.
//! Steps: 1. walk the squares from one end to the other  2. test the segments in them  3. stop when the next
//! squares lie behind the first hit.
//! Cost: proportional to the squares walked and their entries; no allocation.

use super::SegmentGrid;
use crate::{
    Aabb2,
    predicates::{is_between, orient},
    validate::sweep_order,
};
use std::ops::ControlFlow;
use wayfare_core::DVec2;

/// A segment in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Number of the segment.
    pub segment: u32,
    /// Where on the line of sight, from 0 to 1; rounded.
    pub along: f64,
    /// The point; rounded.
    pub point: DVec2,
}

/// Whether the closed segment `cd` has a point in common with the open segment `ab`; exact. An `ab` without
/// length has no inside.
pub fn meets_open_segment(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let opposite = |s: f64, t: f64| s > 0.0 && t < 0.0 || s < 0.0 && t > 0.0;
    let is_inside = |p: DVec2| p != a && p != b && is_between(a, b, p);
    if a == b {
        return false;
    }
    match (orient(a, b, c), orient(a, b, d)) {
        (0.0, 0.0) => {
            // On one line, along which the lexicographic order runs.
            let sorted = |p: DVec2, q: DVec2| if sweep_order(p, q).is_le() { (p, q) } else { (q, p) };
            let ((a, b), (c, d)) = (sorted(a, b), sorted(c, d));
            sweep_order(c, b).is_lt() && sweep_order(a, d).is_lt()
        }
        (0.0, _) => is_inside(c),
        (_, 0.0) => is_inside(d),
        (abc, abd) => opposite(abc, abd) && opposite(orient(c, d, a), orient(c, d, b)),
    }
}

/// Where on `ab` the segment `cd`, which meets it, is met first; rounded.
fn first_meeting(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    let along = |p: DVec2| ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    match (orient(a, b, c), orient(a, b, d)) {
        (0.0, 0.0) => along(c).min(along(d)),
        (0.0, _) => along(c),
        (_, 0.0) => along(d),
        _ => {
            let (side_a, side_b) = (orient(c, d, a), orient(c, d, b));
            // No farther than the segment's ends, however badly the sides are rounded.
            let (c, d) = (along(c), along(d));
            (side_a / (side_a - side_b)).clamp(c.min(d), c.max(d))
        }
    }
}

impl SegmentGrid {
    /// Whether no segment has a point in common with the open segment `ab`.
    pub fn is_visible(&self, a: DVec2, b: DVec2) -> bool {
        let mut is_free = true;
        self.walk_sight(a, b, |_| {
            is_free = false;
            ControlFlow::Break(())
        });
        is_free
    }

    /// The segment that has a point in common with the open segment `ab` nearest to `a`; of equally near ones
    /// that with the smallest number.
    pub fn first_hit(&self, a: DVec2, b: DVec2) -> Option<Hit> {
        let mut best: Option<(f64, u32)> = None;
        self.walk_sight(a, b, |segment| {
            let [c, d] = self.segments[segment as usize];
            let found = (first_meeting(a, b, c, d), segment);
            let nearest = best.map_or(found, |best| if found < best { found } else { best });
            best = Some(nearest);
            ControlFlow::Continue(nearest.0)
        });
        best.map(|(along, segment)| Hit { segment, along, point: a + (b - a) * along })
    }

    /// Visits segments that meet the open segment `ab`, some several times, from `a` on, until `visit` breaks or the
    /// squares lie behind the place on `ab` that it answered last.
    fn walk_sight(&self, a: DVec2, b: DVec2, mut visit: impl FnMut(u32) -> ControlFlow<(), f64>) {
        if self.is_empty() || !self.bounds.touches(Aabb2::of_points([a, b])) {
            return;
        }
        let slack = self.slack_of(a, b);
        let (axis, slices) = self.slices(a, b);
        let is_forward = b[axis] >= a[axis];
        // As a coordinate on the axis; nothing is hit yet.
        let mut limit = b[axis];
        for (step, slice) in slices.enumerate() {
            let is_behind = if is_forward {
                self.edge(0, axis, slice.major) - slack > limit
            } else {
                self.edge(1, axis, slice.major) + slack < limit
            };
            if step > 0 && is_behind {
                return;
            }
            for minor in slice.minor {
                for &segment in self.entries(self.square(axis, slice.major, minor)) {
                    let [c, d] = self.segments[segment as usize];
                    if !meets_open_segment(a, b, c, d) {
                        continue;
                    }
                    match visit(segment) {
                        ControlFlow::Break(()) => return,
                        ControlFlow::Continue(along) => limit = a[axis] + (b[axis] - a[axis]) * along,
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn walls_block_unless_they_only_touch_an_eye() {
        let p = dvec2;
        let wall = |c: DVec2, d: DVec2| !SegmentGrid::build(vec![[c, d]]).is_visible(p(0., 0.), p(4., 0.));
        assert!(wall(p(2., -1.), p(2., 1.)), "crossed");
        assert!(wall(p(2., 0.), p(2., 1.)), "touched at a corner on the way");
        assert!(wall(p(1., 0.), p(9., 0.)), "along a part of the way");
        assert!(wall(p(-1., 0.), p(9., 0.)), "along the whole way");
        assert!(wall(p(3., 0.), p(3., 0.)), "a point on the way");
        assert!(!wall(p(0., 0.), p(1., 1.)), "starts at an eye");
        assert!(!wall(p(4., -1.), p(4., 1.)), "passes through an eye");
        assert!(!wall(p(4., 0.), p(9., 0.)), "goes on behind an eye");
        assert!(!wall(p(4., 0.), p(4., 0.)), "a point in an eye");
        assert!(!wall(p(0., f64::MIN_POSITIVE), p(4., 1.)), "passes beside by a hair");
    }

    #[test]
    fn the_first_of_many_walls_is_hit_from_either_end() {
        let walls: Vec<_> = (1..100).map(|k| [dvec2(k.into(), -1.0), dvec2(k.into(), 1.0)]).collect();
        let grid = SegmentGrid::build(walls);
        let hit = grid.first_hit(dvec2(10.5, 0.5), dvec2(1000.5, 0.5)).unwrap();
        assert_eq!((hit.segment, hit.point), (10, dvec2(11.0, 0.5)));
        let hit = grid.first_hit(dvec2(10.5, 0.5), dvec2(-1000.0, 0.5)).unwrap();
        assert_eq!(hit.segment, 9);
        assert_eq!(grid.first_hit(dvec2(10.25, 1.0), dvec2(10.75, -1.0)), None);
    }
}
