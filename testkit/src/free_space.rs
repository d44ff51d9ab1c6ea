//! Exact point and segment tests in free space, by looking at every edge.
//!
//! Idea: a segment that crosses no boundary edge properly can leave free space only at a boundary point it
//! touches. So it is free if it starts into free space at both ends and if, at every boundary point inside
//! it, the ways back and forth lie in one closed fan.
//! A fan is the wedge of free space at a boundary point between an edge that leaves it and the next edge,
//! counter-clockwise, that enters it. Most points have one; where free space touches itself there are
//! several, and passing from one to another is forbidden.
//! All signs are exact. Needs rings that pass [`Rings::check`]. Cost: O(n) per test.

use crate::Rings;
use std::cmp::Ordering;
use wayfare_core::DVec2;
use wayfare_geom::predicates::{is_between, orient};

/// A wedge of free space at a boundary point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fan {
    /// The point.
    pub at: usize,
    /// Where the edge leads that leaves the point with the fan on its left.
    pub next: usize,
    /// Where the edge comes from that enters the point with the fan on its left.
    pub previous: usize,
}

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Not in closed free space.
    Outside,
    /// In open free space.
    Inside,
    /// Inside a boundary edge.
    OnEdge(usize),
    /// On a boundary point; every fan there may be used.
    AtPoint(usize),
    /// On a boundary point, in this fan only.
    InFan(usize),
}

/// A point and where it lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// The point.
    pub point: DVec2,
    /// Where it lies.
    pub place: Place,
}

/// Free space bounded by rings, for exact tests.
#[derive(Clone, Debug)]
pub struct FreeSpace {
    /// The boundary points, sorted; equal coordinates are one point.
    points: Vec<DVec2>,
    /// Directed edges with free space on their left.
    edges: Vec<[usize; 2]>,
    /// All fans, by point.
    fans: Vec<Fan>,
    /// Where each point's fans start; one more entry than points.
    fan_starts: Vec<usize>,
}

fn by_position(a: &DVec2, b: &DVec2) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

impl FreeSpace {
    /// Joins equal coordinates and finds the fans.
    pub fn new(rings: &Rings) -> Self {
        Self::of_edges(&rings.points(), &rings.edges())
    }

    /// The free space on the left of directed edges between points.
    ///
    /// # Panics
    /// When a point has an edge that leaves it but none that enters it.
    pub fn of_edges(corners: &[DVec2], edges: &[[usize; 2]]) -> Self {
        // Adding zero makes -0 and 0 one number.
        let corners: Vec<DVec2> = corners.iter().map(|&p| p + DVec2::ZERO).collect();
        let mut points = corners.clone();
        points.sort_by(by_position);
        points.dedup();
        let number = |k: usize| {
            points.binary_search_by(|p| by_position(p, &corners[k])).expect("every corner is a point")
        };
        let edges: Vec<[usize; 2]> = edges.iter().map(|edge| edge.map(number)).collect();

        let (mut next, mut previous) = (vec![Vec::new(); points.len()], vec![Vec::new(); points.len()]);
        for &[from, to] in &edges {
            next[from].push(to);
            previous[to].push(from);
        }
        let (mut fans, mut fan_starts) = (Vec::new(), vec![0]);
        for at in 0..points.len() {
            for &out in &next[at] {
                let first = previous[at].iter().copied().min_by(|&a, &b| {
                    ccw_order(points[at], points[out], points[a], points[b]).then(a.cmp(&b))
                });
                fans.push(Fan { at, next: out, previous: first.expect("rings are closed") });
            }
            fan_starts.push(fans.len());
        }
        Self { points, edges, fans, fan_starts }
    }

    /// The boundary points; equal coordinates are one point.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }
    /// All fans.
    pub fn fans(&self) -> &[Fan] {
        &self.fans
    }
    /// The boundary as rings that keep to one fan at every point: a hole that touches its outline in a point
    /// becomes part of it, rooms that touch in a point do not.
    pub fn rings(&self) -> Rings {
        let mut rings = Vec::new();
        let mut used = vec![false; self.fans.len()];
        for start in 0..self.fans.len() {
            let mut ring = Vec::new();
            let mut fan = start;
            while !std::mem::replace(&mut used[fan], true) {
                let Fan { at, next, .. } = self.fans[fan];
                ring.push(self.points[at]);
                let mut fans = self.fan_starts[next]..self.fan_starts[next + 1];
                fan = fans.find(|&f| self.fans[f].previous == at).expect("an edge enters one fan");
            }
            if !ring.is_empty() {
                rings.push(ring);
            }
        }
        Rings { rings }
    }
    /// Whether free space takes more than half a turn in this fan, so that shortest paths may bend there.
    pub fn is_notch(&self, fan: usize) -> bool {
        let Fan { at, next, previous } = self.fans[fan];
        orient(self.points[previous], self.points[at], self.points[next]) < 0.0
    }

    /// Where a point lies.
    pub fn locate(&self, point: DVec2) -> Located {
        let point = point + DVec2::ZERO;
        let found = |place| Located { point, place };
        if let Ok(at) = self.points.binary_search_by(|p| by_position(p, &point)) {
            return found(Place::AtPoint(at));
        }
        // Turns of the boundary round the point, counted where edges pass its height on its right.
        let mut turns = 0;
        for (k, &[u, v]) in self.edges.iter().enumerate() {
            let (u, v) = (self.points[u], self.points[v]);
            let upward = u.y <= point.y && point.y < v.y;
            let downward = v.y <= point.y && point.y < u.y;
            if !upward && !downward && (u.y != v.y || u.y != point.y) {
                continue;
            }
            let side = orient(u, v, point);
            if side == 0.0 && is_between(u, v, point) {
                return found(Place::OnEdge(k));
            }
            turns += i32::from(upward && side > 0.0) - i32::from(downward && side < 0.0);
        }
        found(if turns > 0 { Place::Inside } else { Place::Outside })
    }

    /// Distance of a point from the nearest boundary edge [m], rounded.
    pub fn distance_from_boundary(&self, point: DVec2) -> f64 {
        let distance = |&[u, v]: &[usize; 2]| {
            let (u, v) = (self.points[u], self.points[v]);
            let along = ((point - u).dot(v - u) / (v - u).length_squared()).clamp(0.0, 1.0);
            point.distance(u + (v - u) * along)
        };
        self.edges.iter().map(distance).fold(f64::INFINITY, f64::min)
    }

    /// The boundary point of a fan, for tests that may use that fan only.
    pub fn in_fan(&self, fan: usize) -> Located {
        Located { point: self.points[self.fans[fan].at], place: Place::InFan(fan) }
    }

    /// Whether the closed segment between two points stays in closed free space without passing from one
    /// fan of a boundary point into another.
    pub fn sees(&self, a: Located, b: Located) -> bool {
        if a.place == Place::Outside || b.place == Place::Outside {
            return false;
        }
        if a.point == b.point {
            return !matches!((a.place, b.place), (Place::InFan(f), Place::InFan(g)) if f != g);
        }
        // 1. The segment starts into free space at both ends.
        if !self.leads_inside(a, b.point) || !self.leads_inside(b, a.point) {
            return false;
        }
        let (a, b) = (a.point, b.point);
        // 2. Boundary points inside the segment are passed within one fan.
        let sides: Vec<f64> = self.points.iter().map(|&p| orient(a, b, p)).collect();
        for (p, &point) in self.points.iter().enumerate() {
            if sides[p] == 0.0 && point != a && point != b && is_between(a, b, point) {
                let mut fans = self.fan_starts[p]..self.fan_starts[p + 1];
                if !fans.any(|fan| self.fan_holds(fan, a) && self.fan_holds(fan, b)) {
                    return false;
                }
            }
        }
        // 3. No edge is crossed properly.
        !self.edges.iter().any(|&[u, v]| {
            if !(sides[u] > 0.0 && sides[v] < 0.0 || sides[u] < 0.0 && sides[v] > 0.0) {
                return false;
            }
            let (u, v) = (self.points[u], self.points[v]);
            let (side_a, side_b) = (orient(u, v, a), orient(u, v, b));
            side_a > 0.0 && side_b < 0.0 || side_a < 0.0 && side_b > 0.0
        })
    }

    /// Whether the way from a point towards another begins in closed free space.
    fn leads_inside(&self, from: Located, towards: DVec2) -> bool {
        match from.place {
            Place::Outside => false,
            Place::Inside => true,
            Place::OnEdge(edge) => {
                let [u, v] = self.edges[edge].map(|p| self.points[p]);
                orient(u, v, towards) >= 0.0
            }
            Place::AtPoint(p) => {
                (self.fan_starts[p]..self.fan_starts[p + 1]).any(|fan| self.fan_holds(fan, towards))
            }
            Place::InFan(fan) => self.fan_holds(fan, towards),
        }
    }

    /// Whether the direction from the fan's point towards another point lies in the closed fan.
    fn fan_holds(&self, fan: usize, towards: DVec2) -> bool {
        let Fan { at, next, previous } = self.fans[fan];
        let [at, next, previous] = [at, next, previous].map(|p| self.points[p]);
        let not_right_of_next = orient(at, next, towards) >= 0.0;
        let not_left_of_previous = orient(at, previous, towards) <= 0.0;
        let turn = orient(previous, at, next);
        if turn > 0.0 {
            not_right_of_next && not_left_of_previous
        } else if turn < 0.0 {
            not_right_of_next || not_left_of_previous
        } else {
            // A straight wall; noded rings have no spikes that turn back on themselves.
            not_right_of_next
        }
    }
}

/// The order of `a` and `b` when turning counter-clockwise round `at`, starting from `zero` (which itself
/// comes last).
fn ccw_order(at: DVec2, zero: DVec2, a: DVec2, b: DVec2) -> Ordering {
    let half = |p: DVec2| {
        let side = orient(at, zero, p);
        if side > 0.0 {
            0
        } else if side < 0.0 {
            2
        } else if is_between(zero, p, at) {
            1
        } else {
            3
        }
    };
    half(a).cmp(&half(b)).then_with(|| 0f64.total_cmp(&orient(at, a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn space(rings: &[&[[f64; 2]]]) -> FreeSpace {
        let ring = |ring: &&[[f64; 2]]| ring.iter().map(|&[x, y]| dvec2(x, y)).collect();
        let rings = Rings { rings: rings.iter().map(ring).collect() };
        assert_eq!(rings.check(), Vec::<String>::new());
        FreeSpace::new(&rings)
    }
    fn sees(space: &FreeSpace, a: [f64; 2], b: [f64; 2]) -> bool {
        let locate = |[x, y]: [f64; 2]| space.locate(dvec2(x, y));
        let seen = space.sees(locate(a), locate(b));
        assert_eq!(seen, space.sees(locate(b), locate(a)), "symmetric");
        seen
    }
    const ROOM: &[[f64; 2]] = &[[0., 0.], [6., 0.], [6., 6.], [0., 6.]];
    const PILLAR: &[[f64; 2]] = &[[2., 2.], [2., 4.], [4., 4.], [4., 2.]];

    #[test]
    fn points_are_inside_outside_on_edges_or_on_corners() {
        let space = space(&[ROOM, PILLAR]);
        let place = |x, y| space.locate(dvec2(x, y)).place;
        assert_eq!(place(1.0, 1.0), Place::Inside);
        assert_eq!(place(1.0, 4.0), Place::Inside);
        assert_eq!(place(3.0, 3.0), Place::Outside);
        assert_eq!(place(7.0, 0.0), Place::Outside);
        assert_eq!(place(-1.0, 4.0), Place::Outside);
        assert!(matches!(place(6.0, 3.0), Place::OnEdge(1)));
        assert!(matches!(place(3.0, 4.0), Place::OnEdge(_)));
        assert!(matches!(place(2.0, 4.0), Place::AtPoint(_)));
    }

    #[test]
    fn segments_may_run_along_walls_and_touch_corners_but_not_enter_obstacles() {
        let space = space(&[ROOM, PILLAR]);
        assert!(sees(&space, [1., 1.], [5., 1.]));
        assert!(sees(&space, [1., 2.], [5., 2.]), "along a wall of the pillar");
        assert!(sees(&space, [0., 0.], [6., 0.]), "along the outer wall");
        assert!(sees(&space, [0., 2.], [2., 4.]), "ends at a corner");
        assert!(sees(&space, [1., 3.], [3., 5.]), "touches a corner in passing");
        assert!(!sees(&space, [1., 1.], [5., 5.]), "from corner to corner through the pillar");
        assert!(!sees(&space, [2., 2.], [4., 4.]), "the pillar's diagonal");
        assert!(sees(&space, [2., 2.], [4., 2.]), "the pillar's side");
        assert!(!sees(&space, [1., 1.], [2.5, 2.0f64.next_up()]), "ends in the pillar by a hair");
        assert!(!sees(&space, [2., 3.], [4., 3.]), "from wall to wall through the pillar");
        assert!(sees(&space, [2., 3.], [0., 3.]), "away from a wall");
    }

    #[test]
    fn a_segment_does_not_pass_a_pinch_point_from_fan_to_fan() {
        // Two rooms that touch in (2, 2), written as one ring that comes back to the point.
        let space =
            space(&[&[[0., 0.], [2., 0.], [2., 2.], [4., 2.], [4., 4.], [2., 4.], [2., 2.], [0., 2.]]]);
        assert!(!sees(&space, [1., 1.], [3., 3.]));
        assert!(sees(&space, [1., 1.], [2., 2.]), "touching is allowed");
        assert!(sees(&space, [2., 2.], [3., 3.]));
        assert!(sees(&space, [2., 0.], [2., 2.]));
        assert!(!sees(&space, [2., 0.], [2., 4.]), "wall to wall, but through the point");
        assert!(!sees(&space, [0., 2.], [4., 2.]));
    }

    #[test]
    fn obstacles_that_touch_in_a_point_let_paths_by_but_not_through() {
        // Two pillars that touch in (3, 3).
        let lower = &[[1., 1.], [1., 3.], [3., 3.], [3., 1.]];
        let upper = &[[3., 3.], [3., 5.], [5., 5.], [5., 3.]];
        let space = space(&[ROOM, lower, upper]);
        assert!(!sees(&space, [2., 4.], [4., 2.]));
        assert!(sees(&space, [2., 4.], [3., 3.]));
        assert!(sees(&space, [1., 3.], [3., 3.]));
        assert!(!sees(&space, [0., 3.], [6., 3.]), "a wall on one side, then a wall on the other");
    }
}
