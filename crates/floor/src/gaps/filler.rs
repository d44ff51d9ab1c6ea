//! The gap between two edges of the border.
//!
//! Idea: of all lines from one edge to the other that are short enough, take the two that are farthest apart; what lies between
//!   them can be stepped over. Both edges are first cut down to what lies in front of the other.
//! Source: seed 002, sections IV (definitions 2 to 5) and V.B, steps 1 to 3; the bisectors are those of V.C.
//!   We differ: 1. The limits on width and height together are an upright cylinder in the ball of d_max. Connections are sought in the
//!   cylinder: cutting down those of the ball afterwards would lose edges that are parallel at the very limit.
//!   2. Edges are cut down by the planes first, connected afterwards: a connection moved to a plane could become too long.
//!   3. Parallel edges need no case of their own: any pair of closest points gives the connections that the seed asks for.
//! Steps: 1. the connectable section of each edge  2. closest points  3. from there, both ways, equally far along both edges as long as
//!   the reach allows; where one edge ends, as far along the other as possible.
//! Promises: every line between points of the two edges at the same share of the filler is within the limits; seen from above, the
//!   filler is convex and lies in front of both edges.
//! Cost: constant.

use super::GapConfig;
use wayfare_core::{DVec2, DVec3, dvec2};

/// What may be taken for nothing [m]: points not farther behind a plane lie on it, limits may be exceeded by as much, sections
/// shorter than it are none. Far above the rounding of places 10 km away, far below what a body notices.
pub(super) const HAIR: f64 = 1e-6;

/// An edge of the border, with the ground on its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// The half-edge.
    pub half_edge: u32,
    /// The cycle that it is in.
    pub cycle: u32,
    /// Its ends.
    pub ends: [DVec3; 2],
    /// Directions in plan of the edges before and after it in the cycle.
    pub beside: [DVec2; 2],
}

impl Edge {
    /// The point at a share of its length.
    pub fn at(&self, share: f64) -> DVec3 {
        self.ends[0] + (self.ends[1] - self.ends[0]) * share
    }
    pub fn length(&self) -> f64 {
        self.ends[0].distance(self.ends[1])
    }
    /// The direction in plan.
    pub fn direction(&self) -> DVec2 {
        (self.ends[1] - self.ends[0]).truncate().normalize_or_zero()
    }
    /// How far a place lies in front of the associated plane, on the right of the edge [m].
    pub fn before(&self, p: DVec3) -> f64 {
        -self.direction().perp_dot((p - self.ends[0]).truncate())
    }
    /// How far inside of the bisectors at its two ends a place lies [m].
    fn between_bisectors(&self, p: DVec3) -> [f64; 2] {
        let own = self.direction();
        let inside = |k: usize| {
            // Normals to the right; their sum halves the angle in front of the corner, whichever way it turns.
            let bisector = dvec2(own.y + self.beside[k].y, -own.x - self.beside[k].x);
            let side = bisector.normalize_or_zero().perp_dot((p - self.ends[k]).truncate());
            // A cycle that turns back on itself has no bisector: all is inside.
            if k == 0 { side } else { -side }
        };
        [inside(0), inside(1)]
    }
}

/// A gap between two edges: what lies between two connections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Filler {
    /// The edges, by their places in the list of all.
    pub edges: [u32; 2],
    /// On each edge, the shares of its length where the two connections begin; growing on the first edge, falling on the second.
    pub on: [[f64; 2]; 2],
}

impl Filler {
    /// The share of an edge's length (the first or second one) at a share of the filler.
    pub fn share_on(&self, which: usize, share: f64) -> f64 {
        let [from, to] = self.on[which];
        // Both ends are met to the bit.
        if share == 1.0 { to } else { from + (to - from) * share }
    }
    /// The share of the filler at a share of an edge's length.
    pub fn share_of(&self, which: usize, on_edge: f64) -> f64 {
        let [from, to] = self.on[which];
        if on_edge == to { 1.0 } else { ((on_edge - from) / (to - from)).clamp(0.0, 1.0) }
    }
    /// The part of it between two shares.
    pub fn part(&self, from: f64, to: f64) -> Self {
        Self { on: [0, 1].map(|which| [from, to].map(|share| self.share_on(which, share))), ..*self }
    }
    /// Its corners: those of the first connection, then those of the second, each from the first edge to the second.
    pub fn corners(&self, edges: &[Edge]) -> [[DVec3; 2]; 2] {
        [0, 1].map(|c| [0, 1].map(|which| edges[self.edges[which] as usize].at(self.on[which][c])))
    }
}

/// The widest gap between two edges; `with_bisectors`: each filler keeps to the side of its own edge at corners of the border.
pub(super) fn connect(
    [first, second]: [(u32, &Edge); 2],
    config: &GapConfig,
    with_bisectors: bool,
) -> Option<Filler> {
    let ((number, e), (other_number, f)) = (first, second);
    // 1. What lies in front of the other.
    let sections = [(e, f), (f, e)].map(|(own, other)| section(own, other, with_bisectors));
    let ([e_section, f_section], [e_length, f_length]) = (sections_of(sections)?, [e.length(), f.length()]);
    // 2.
    let s = [e_section.map(|share| e.at(share)), f_section.map(|share| f.at(share))];
    let limits = Limits { across: config.max_gap + HAIR, up: config.step + HAIR };
    let [u, v] = limits.start(s[0], s[1])?;
    // 3. Lengths along the two edges from the closest points to the ends of the sections.
    let (along, back) = ((s[0][1] - s[0][0]).normalize_or_zero(), (s[1][1] - s[1][0]).normalize_or_zero());
    let way = v - u;
    let towards_start = limits.spread(way, [-along, back], [u.distance(s[0][0]), v.distance(s[1][1])]);
    let towards_end = limits.spread(way, [along, -back], [u.distance(s[0][1]), v.distance(s[1][0])]);
    let share = |section: [f64; 2], from: f64, length: f64, edge_length: f64| {
        (section[0] + (from + length) / edge_length).clamp(section[0], section[1])
    };
    let (u_at, v_at) = (u.distance(s[0][0]), v.distance(s[1][0]));
    let on = [
        [
            share(e_section, u_at, -towards_start[0], e_length),
            share(e_section, u_at, towards_end[0], e_length),
        ],
        [
            share(f_section, v_at, towards_start[1], f_length),
            share(f_section, v_at, -towards_end[1], f_length),
        ],
    ];
    let is_wide = (on[0][1] - on[0][0]) * e_length > HAIR && (on[1][0] - on[1][1]) * f_length > HAIR;
    is_wide.then_some(Filler { edges: [number, other_number], on })
}

fn sections_of(sections: [Option<[f64; 2]>; 2]) -> Option<[[f64; 2]; 2]> {
    let [first, second] = sections;
    Some([first?, second?])
}

/// The connectable section of an edge with respect to another, as shares of its length (definition 3).
fn section(own: &Edge, other: &Edge, with_bisectors: bool) -> Option<[f64; 2]> {
    let mut section = cut([0.0, 1.0], own.ends.map(|p| other.before(p)))?;
    if with_bisectors {
        let sides = own.ends.map(|p| other.between_bisectors(p));
        for k in 0..2 {
            section = cut(section, sides.map(|side| side[k]))?;
        }
    }
    ((section[1] - section[0]) * own.length() > HAIR).then_some(section)
}

/// What is left of a section of an edge where a linear function, given at the edge's ends, is not negative.
fn cut(section: [f64; 2], [start, end]: [f64; 2]) -> Option<[f64; 2]> {
    match (start < -HAIR, end < -HAIR) {
        (false, false) => Some(section),
        (true, true) => None,
        (starts_behind, _) => {
            let at = start / (start - end);
            let left = if starts_behind {
                [section[0].max(at), section[1]]
            } else {
                [section[0], section[1].min(at)]
            };
            (left[0] < left[1]).then_some(left)
        }
    }
}

/// How far one steps.
struct Limits {
    across: f64,
    up: f64,
}

impl Limits {
    fn holds(&self, way: DVec3) -> bool {
        way.truncate().length_squared() <= self.across * self.across && way.z.abs() <= self.up
    }

    /// Points of two segments that are within reach of each other: the closest ones, or, should only others be within both limits, some
    /// amid those.
    fn start(&self, a: [DVec3; 2], b: [DVec3; 2]) -> Option<[DVec3; 2]> {
        let closest = closest_points(a, b);
        if self.holds(closest[1] - closest[0]) {
            return Some(closest);
        }
        let reach = self.across * self.across + self.up * self.up;
        if closest[0].distance_squared(closest[1]) > reach {
            return None;
        }
        let [s, t] = self.amid_those_in_reach(a, b)?;
        let points = [a[0] + (a[1] - a[0]) * s, b[0] + (b[1] - b[0]) * t];
        self.holds(points[1] - points[0]).then_some(points)
    }

    /// Shares of two segments whose points are within both limits. Those that differ little enough in height are a convex polygon. The least
    /// distance in plan, a convex function, is inside of it or on its sides; from there half of the way towards the middle of the polygon
    /// that is in reach, for from a corner one could not go on along both segments.
    fn amid_those_in_reach(&self, a: [DVec3; 2], b: [DVec3; 2]) -> Option<[f64; 2]> {
        let up = self.up * (1.0 - 1e-12);
        let way = |p: DVec2| (b[0] + (b[1] - b[0]) * p.y) - (a[0] + (a[1] - a[0]) * p.x);
        let mut polygon = vec![dvec2(0., 0.), dvec2(1., 0.), dvec2(1., 1.), dvec2(0., 1.)];
        for sign in [1.0, -1.0] {
            polygon = clip(&polygon, |p| up - sign * way(p).z);
        }
        let (da, db) = ((a[1] - a[0]).truncate(), (b[1] - b[0]).truncate());
        let mut best: Option<(f64, DVec2)> = None;
        let mut offer = |p: DVec2| {
            let distance = way(p).truncate().length_squared();
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, p));
            }
        };
        for (k, &p) in polygon.iter().enumerate() {
            let q = polygon[(k + 1) % polygon.len()];
            let (from, change) = (way(p).truncate(), (way(q) - way(p)).truncate());
            let share = -from.dot(change) / change.length_squared();
            offer(p + (q - p) * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 });
        }
        // Where the two cross in plan.
        let turn = da.perp_dot(db);
        let gap = (b[0] - a[0]).truncate();
        let crossing = dvec2(gap.perp_dot(db), gap.perp_dot(da)) / turn;
        if crossing.is_finite() && contains(&polygon, crossing) {
            offer(crossing);
        }
        let (_, nearest) = best?;
        let middle = polygon.iter().sum::<DVec2>() / polygon.len() as f64;
        let (from, change) = (way(nearest), way(middle) - way(nearest));
        let plan = Self { across: self.across, up: f64::INFINITY };
        let share = plan.reach_along(from, change.truncate().extend(0.0)).min(1.0) / 2.0;
        Some((nearest + (middle - nearest) * share).to_array())
    }

    /// How far two points may go along their edges, `most` at the farthest, when what lies between them is `way` and they go in the
    /// directions `along`: equally far, and then the one that has not come to its end alone.
    fn spread(&self, way: DVec3, along: [DVec3; 2], most: [f64; 2]) -> [f64; 2] {
        let least = most[0].min(most[1]);
        let apart = along[1] - along[0];
        let equal = self.reach_along(way, apart);
        if equal <= least {
            return [equal; 2];
        }
        let way = way + apart * least;
        let mut far = [least; 2];
        if most[0] > least {
            far[0] += self.reach_along(way, -along[0]).min(most[0] - least);
        } else {
            far[1] += self.reach_along(way, along[1]).min(most[1] - least);
        }
        far
    }

    /// How often a change may be added to a way that is within the limits.
    fn reach_along(&self, way: DVec3, change: DVec3) -> f64 {
        let (w, m) = (way.truncate(), change.truncate());
        let (square, half, rest) =
            (m.length_squared(), w.dot(m), (self.across * self.across - w.length_squared()).max(0.0));
        // The larger root, by the sum that does not cancel.
        let root = (half * half + square * rest).sqrt();
        let across = if half > 0.0 { rest / (half + root) } else { (root - half) / square };
        let up = (self.up - way.z * change.z.signum()) / change.z.abs();
        let or_endless = |t: f64| if t.is_nan() { f64::INFINITY } else { t.max(0.0) };
        or_endless(across).min(or_endless(up))
    }
}

/// The closest points of two segments in space. Of parallel ones, some pair of them.
fn closest_points(a: [DVec3; 2], b: [DVec3; 2]) -> [DVec3; 2] {
    let (d, e, r) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (dd, ee, de, dr, er) = (d.length_squared(), e.length_squared(), d.dot(e), d.dot(r), e.dot(r));
    let or_zero = |share: f64| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    // The stationary point on the lines, then the best of the other segment, then again.
    let area = d.cross(e).length_squared();
    let s = if area > 1e-24 * dd * ee { or_zero((de * er - dr * ee) / area) } else { 0.0 };
    let t = or_zero((de * s + er) / ee);
    let s = or_zero((de * t - dr) / dd);
    let t = or_zero((de * s + er) / ee);
    [a[0] + d * s, b[0] + e * t]
}

/// A convex polygon without what lies where a linear function is negative.
fn clip(polygon: &[DVec2], inside: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut left = Vec::with_capacity(polygon.len() + 1);
    for (k, &p) in polygon.iter().enumerate() {
        let q = polygon[(k + 1) % polygon.len()];
        let (at_p, at_q) = (inside(p), inside(q));
        if at_p >= 0.0 {
            left.push(p);
        }
        if (at_p >= 0.0) != (at_q >= 0.0) {
            left.push(p + (q - p) * (at_p / (at_p - at_q)));
        }
    }
    left
}

/// Whether a point lies in a convex polygon that runs counter-clockwise.
fn contains(polygon: &[DVec2], p: DVec2) -> bool {
    let sides = polygon.iter().zip(polygon.iter().cycle().skip(1));
    !polygon.is_empty() && sides.into_iter().all(|(&a, &b)| (b - a).perp_dot(p - a) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering;
    use wayfare_core::dvec3;

    /// Points of a lattice of this spacing [m]: all signs and squared distances are ratios of small whole numbers.
    const UNIT: f64 = 0.125;
    type Point = [i128; 3];

    fn minus(a: Point, b: Point) -> Point {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }
    fn dot(a: Point, b: Point) -> i128 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }
    fn cross(a: Point, b: Point) -> Point {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    /// The squared distance of two segments as a ratio, exactly.
    fn squared_distance(a: [Point; 2], b: [Point; 2]) -> [i128; 2] {
        let less = |p: &[i128; 2], q: &[i128; 2]| (p[0] * q[1]).cmp(&(q[0] * p[1]));
        let to_segment = |p: Point, s: [Point; 2]| {
            let (d, w) = (minus(s[1], s[0]), minus(p, s[0]));
            let (along, length) = (dot(w, d), dot(d, d));
            match along.clamp(0, length) {
                0 => [dot(w, w), 1],
                inside if inside == along && along < length => [dot(w, w) * length - along * along, length],
                _ => [dot(minus(p, s[1]), minus(p, s[1])), 1],
            }
        };
        let mut all: Vec<[i128; 2]> = a.iter().map(|&p| to_segment(p, b)).collect();
        all.extend(b.iter().map(|&p| to_segment(p, a)));
        let (d, e, w) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(a[0], b[0]));
        let normal = cross(d, e);
        let area = dot(normal, normal);
        let s = dot(d, e) * dot(e, w) - dot(d, w) * dot(e, e);
        let t = dot(d, d) * dot(e, w) - dot(d, w) * dot(d, e);
        if area > 0 && (0..=area).contains(&s) && (0..=area).contains(&t) {
            all.push([dot(w, normal) * dot(w, normal), area]);
        }
        all.into_iter().min_by(less).unwrap()
    }

    fn edge([a, b]: [Point; 2]) -> Edge {
        let ends = [a, b].map(|p| dvec3(p[0] as f64, p[1] as f64, p[2] as f64) * UNIT);
        let direction = (ends[1] - ends[0]).truncate().normalize_or_zero();
        Edge { half_edge: 0, cycle: 0, ends, beside: [direction; 2] }
    }

    fn segments() -> impl Strategy<Value = [[Point; 2]; 2]> {
        let point = || (0..12i128, 0..12i128, 0..5i128).prop_map(|(x, y, z)| [x, y, z]);
        let segment = move || (point(), point()).prop_map(|(a, b)| [a, b]);
        let is_edge = |s: &[[Point; 2]; 2]| s.iter().all(|[a, b]| a[..2] != b[..2]);
        (segment(), segment()).prop_map(|(a, b)| [a, b]).prop_filter("an edge has a length in plan", is_edge)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn closest_points_are_as_far_apart_as_exact_arithmetic_says([a, b] in segments()) {
            let [over, under] = squared_distance(a, b);
            let exact = over as f64 / under as f64 * UNIT * UNIT;
            let [p, q] = closest_points(edge(a).ends, edge(b).ends);
            prop_assert!((p.distance_squared(q) - exact).abs() <= 1e-12, "{} {exact}", p.distance_squared(q));
        }

        #[test]
        fn sections_are_those_of_exact_arithmetic([a, b] in segments()) {
            // Twice the area on the right of an edge: positive in front of it.
            let front = |[from, to]: [Point; 2], p: Point| {
                (to[1] - from[1]) * (p[0] - from[0]) - (to[0] - from[0]) * (p[1] - from[1])
            };
            let [start, end] = a.map(|p| front(b, p));
            let found = section(&edge(a), &edge(b), false);
            match (start.cmp(&0), end.cmp(&0)) {
                (Ordering::Less, Ordering::Less | Ordering::Equal) | (Ordering::Equal, Ordering::Less) => {
                    prop_assert_eq!(found, None);
                }
                (Ordering::Less, _) => {
                    let [from, to] = found.unwrap();
                    let exact = start as f64 / (start - end) as f64;
                    prop_assert!((from - exact).abs() < 1e-12 && to == 1.0);
                }
                (_, Ordering::Less) => {
                    let [from, to] = found.unwrap();
                    let exact = start as f64 / (start - end) as f64;
                    prop_assert!((to - exact).abs() < 1e-12 && from == 0.0);
                }
                _ => prop_assert_eq!(found, Some([0.0, 1.0])),
            }
        }

        #[test]
        fn fillers_keep_the_limits_and_are_there_whenever_edges_face_each_other_within_reach(
            [a, b] in segments(), max_gap in 0.05..0.9f64, step in 0.0..0.5f64
        ) {
            let config = GapConfig { max_gap, step, height: 10.0 };
            let (e, f) = (edge(a), edge(b));
            let found = connect([(0, &e), (1, &f)], &config, false);
            let back = connect([(0, &f), (1, &e)], &config, false);
            prop_assert_eq!(found.is_some(), back.is_some(), "either way round");
            // Points of the sections within the limits by more than a hair.
            let within = |way: DVec3| {
                way.truncate().length() < max_gap - 1e-3 && way.z.abs() <= step
            };
            let shares = || (1..20).map(|k| f64::from(k) / 20.0);
            let is_near = shares().any(|s| shares().any(|t| {
                let (p, q) = (e.at(s), f.at(t));
                within(q - p) && e.before(q) > 1e-3 && f.before(p) > 1e-3
            }));
            prop_assert!(!is_near || found.is_some() || step == 0.0);
            let Some(filler) = found else { return Ok(()) };
            let corners = filler.corners(&[e, f]);
            for [p, q] in corners {
                let way = q - p;
                prop_assert!(way.truncate().length() <= max_gap + 2.0 * HAIR && way.z.abs() <= step + 2.0 * HAIR);
                prop_assert!(e.before(q) > -2.0 * HAIR && f.before(p) > -2.0 * HAIR);
            }
            // Convex and counter-clockwise in plan.
            let [[a0, b0], [a1, b1]] = corners.map(|c| c.map(|p| p.truncate()));
            let ring = [a1, a0, b0, b1];
            for k in 0..4 {
                let [p, q, r] = [0, 1, 2].map(|j| ring[(k + j) % 4]);
                prop_assert!((q - p).perp_dot(r - q) > -1e-5, "{ring:?}");
            }
        }
    }
}
