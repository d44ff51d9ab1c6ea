//! What a wall keeps free of a body's centre: all that is nearer than the radius, a stadium.
//!
//! Stadiums are convex, and so are faces; so what two of them share in a face is convex, and if it is anything it has a
//! place on an edge of the face, or where the two borders cross, or is one of the stadiums.

use wayfare_core::DVec2;
use wayfare_geom::{predicates::orient, segment::distance_squared_to_segment};

/// Places computed on a border may be off by this [m].
const OFF: f64 = 1e-10;

/// All places nearer to a segment than a radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stadium {
    pub ends: [DVec2; 2],
    pub radius: f64,
}

impl Stadium {
    fn contains(&self, p: DVec2) -> bool {
        let reach = self.radius + OFF;
        distance_squared_to_segment(p, self.ends[0], self.ends[1]) <= reach * reach
    }

    /// The part of a segment that lies in it, as shares.
    pub fn on_segment(&self, [a, b]: [DVec2; 2]) -> Option<[f64; 2]> {
        if a == b {
            return self.contains(a).then_some([0.0, 1.0]);
        }
        let (along, [c, d]) = (b - a, self.ends);
        let mut hull = [f64::INFINITY, f64::NEG_INFINITY];
        let mut add = |from: f64, to: f64| {
            if from <= to {
                hull = [hull[0].min(from), hull[1].max(to)];
            }
        };
        // Its two ends are discs,
        for centre in [c, d] {
            let [from, to] = on_circle([a, b], centre, self.radius);
            add(from.max(0.0), to.min(1.0));
        }
        // between them is a rectangle.
        let axis = (d - c).normalize_or_zero();
        let arm = a - c;
        let mut part = [0.0f64, 1.0f64];
        for (start, slope) in [
            (arm.dot(axis), along.dot(axis)),
            ((d - c).dot(axis) - arm.dot(axis), -along.dot(axis)),
            (self.radius + axis.perp_dot(arm), axis.perp_dot(along)),
            (self.radius - axis.perp_dot(arm), -axis.perp_dot(along)),
        ] {
            if slope > 0.0 {
                part[0] = part[0].max(-start / slope);
            } else if slope < 0.0 {
                part[1] = part[1].min(-start / slope);
            } else if start < 0.0 {
                part[1] = f64::NEG_INFINITY;
            }
        }
        if axis != DVec2::ZERO {
            add(part[0], part[1]);
        }
        (hull[0] < hull[1]).then_some(hull)
    }

    /// A place that it shares with another in a convex face, if there is one.
    pub fn meets_in(&self, other: &Self, face: &[DVec2]) -> Option<DVec2> {
        let edges = (0..face.len()).map(|k| [face[k], face[(k + 1) % face.len()]]);
        for edge in edges.clone() {
            if let (Some(one), Some(two)) = (self.on_segment(edge), other.on_segment(edge)) {
                let (from, to) = (one[0].max(two[0]), one[1].min(two[1]));
                if from <= to {
                    return Some(edge[0].lerp(edge[1], (from + to) / 2.0));
                }
            }
        }
        let is_shared = |&p: &DVec2| {
            self.contains(p) && other.contains(p) && edges.clone().all(|[a, b]| orient(a, b, p) >= 0.0)
        };
        let ends = self.ends.into_iter().chain(other.ends);
        let mut places: Vec<DVec2> = ends.collect();
        self.add_crossings(other, &mut places);
        places.into_iter().find(is_shared)
    }

    /// Adds where its border crosses that of another, and more places beside them.
    pub fn add_crossings(&self, other: &Self, places: &mut Vec<DVec2>) {
        for one in self.borders() {
            for two in other.borders() {
                crossings(one, two, self.radius, places);
            }
        }
    }

    fn borders(&self) -> [Border; 4] {
        let [a, b] = self.ends;
        let off = (b - a).normalize_or_zero().perp() * self.radius;
        [
            Border::Line([a + off, b + off]),
            Border::Line([a - off, b - off]),
            Border::Circle(a),
            Border::Circle(b),
        ]
    }
}

/// A part of the border of a stadium, and more of its line or circle.
#[derive(Clone, Copy)]
enum Border {
    Line([DVec2; 2]),
    Circle(DVec2),
}

/// Where two borders cross.
fn crossings(one: Border, two: Border, radius: f64, places: &mut Vec<DVec2>) {
    match (one, two) {
        (Border::Line([a, b]), Border::Line([c, d])) => {
            let across = (b - a).perp_dot(d - c);
            if across != 0.0 {
                places.push(a + (b - a) * ((c - a).perp_dot(d - c) / across));
            }
        }
        (Border::Line(line), Border::Circle(centre)) | (Border::Circle(centre), Border::Line(line)) => {
            let [from, to] = on_circle(line, centre, radius);
            if from <= to {
                places.extend([from, to].map(|share| line[0] + (line[1] - line[0]) * share));
            }
        }
        (Border::Circle(a), Border::Circle(b)) => {
            let arm = b - a;
            let squared = arm.length_squared();
            if squared > 0.0 && squared <= 4.0 * radius * radius {
                let up = arm.perp() * ((radius * radius - squared / 4.0) / squared).sqrt();
                places.extend([a.midpoint(b) + up, a.midpoint(b) - up]);
            }
        }
    }
}

/// The part of a line in a circle, as shares of a segment; its ends are the wrong way round if there is none.
fn on_circle([a, b]: [DVec2; 2], centre: DVec2, radius: f64) -> [f64; 2] {
    let (along, arm) = (b - a, centre - a);
    let squared = along.length_squared();
    let (middle, beside) = (arm.dot(along) / squared, along.perp_dot(arm) / squared.sqrt());
    let half = ((radius - beside) * (radius + beside)).sqrt() / squared.sqrt();
    if half.is_finite() { [middle - half, middle + half] } else { [1.0, 0.0] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    proptest! {
        #[test]
        fn shared_places_are_found_where_a_grid_has_one(n in prop::array::uniform8(-4i8..5), radius in 0.3..2.5f64) {
            let p = |k: usize| dvec2(n[k].into(), n[k + 1].into());
            let (one, two) = (Stadium { ends: [p(0), p(2)], radius }, Stadium { ends: [p(4), p(6)], radius });
            prop_assume!(p(0) != p(2) && p(4) != p(6));
            let face = [dvec2(-1.3, -1.1), dvec2(1.9, -0.7), dvec2(2.2, 1.4), dvec2(-0.8, 1.7)];
            let is_in = |q: DVec2| (0..4).all(|k| orient(face[k], face[(k + 1) % 4], q) >= 0.0);
            let room = |q: DVec2, it: &Stadium| distance_squared_to_segment(q, it.ends[0], it.ends[1]).sqrt();
            let mut least = f64::INFINITY;
            for i in -65..=112 {
                for k in -60..=88 {
                    let q = dvec2(f64::from(i) * 0.02, f64::from(k) * 0.02);
                    if is_in(q) {
                        least = least.min(room(q, &one).max(room(q, &two)));
                    }
                }
            }
            let place = one.meets_in(&two, &face);
            // The grid misses places by its diagonal at most.
            prop_assert!(least > radius || place.is_some());
            prop_assert!(least < radius + 0.06 || place.is_none(), "{:?}", place);
        }

        #[test]
        fn parts_of_segments_are_those_of_many_places(n in prop::array::uniform8(-4i8..5), radius in 0.3..2.5f64) {
            let p = |k: usize| dvec2(n[k].into(), n[k + 1].into());
            let stadium = Stadium { ends: [p(0), p(2)], radius };
            let part = stadium.on_segment([p(4), p(6)]);
            for k in 0..=200 {
                let share = f64::from(k) / 200.0;
                let room = distance_squared_to_segment(p(4).lerp(p(6), share), p(0), p(2)).sqrt() - radius;
                let is_in = part.is_some_and(|[from, to]| (from..=to).contains(&share));
                prop_assert!(room.abs() < 1e-9 || (room < 0.0) == is_in || p(4) == p(6));
            }
        }
    }
}
