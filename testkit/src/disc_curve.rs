//! Curves of straight lines and arcs, and their distance from walls by brute force.
//!
//! Idea: the smallest distance of two curves is taken at an end of one of them, at a common perpendicular, or
//! is zero where they cross. For an arc and a segment the only perpendicular that can be nearest goes through
//! the arc's centre and its foot on the segment.
//! Cost: O(pieces · walls).

use crate::Rings;
use std::f64::consts::TAU;
use wayfare_core::{DVec2, dvec2, ops};
use wayfare_geom::predicates::cross_properly;

/// A piece of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    /// A straight line.
    Line {
        /// Where it starts.
        from: DVec2,
        /// Where it ends.
        to: DVec2,
    },
    /// A part of a circle.
    Arc {
        /// Centre of the circle.
        centre: DVec2,
        /// Radius of the circle [m].
        radius: f64,
        /// Where it starts, as the direction from the centre [rad].
        angle: f64,
        /// How far it goes [rad]: positive counter-clockwise, at most a full turn.
        turn: f64,
    },
}

impl Piece {
    /// Its length [m].
    pub fn length(&self) -> f64 {
        match *self {
            Self::Line { from, to } => from.distance(to),
            Self::Arc { radius, turn, .. } => radius * turn.abs(),
        }
    }
    /// Where it starts and ends.
    pub fn ends(&self) -> [DVec2; 2] {
        match *self {
            Self::Line { from, to } => [from, to],
            Self::Arc { centre, radius, angle, turn } => {
                [angle, angle + turn].map(|angle| on_circle(centre, radius, angle))
            }
        }
    }
    /// Smallest distance from a segment [m].
    pub fn distance_to(&self, wall: [DVec2; 2]) -> f64 {
        match *self {
            Self::Line { from, to } => between_segments([from, to], wall),
            Self::Arc { .. } => self.arc_to_segment(wall),
        }
    }
    /// A box round it: its lower left and upper right corner. That of an arc is the circle's.
    pub fn bounds(&self) -> [DVec2; 2] {
        match *self {
            Self::Line { from, to } => [from.min(to), from.max(to)],
            Self::Arc { centre, radius, .. } => {
                [centre - DVec2::splat(radius), centre + DVec2::splat(radius)]
            }
        }
    }

    /// Whether an arc passes the direction from its centre to a point.
    fn faces(&self, point: DVec2) -> bool {
        let Self::Arc { centre, angle, turn, .. } = *self else { return false };
        let behind = direction(point - centre) - angle;
        if turn >= 0.0 { behind.rem_euclid(TAU) <= turn } else { (-behind).rem_euclid(TAU) <= -turn }
    }

    fn arc_to_segment(&self, [u, v]: [DVec2; 2]) -> f64 {
        let Self::Arc { centre, radius, .. } = *self else { return f64::INFINITY };
        // Ends of the arc.
        let [start, end] = self.ends().map(|p| to_segment(p, [u, v]));
        let mut least = start.min(end);
        // Ends of the segment and the foot of the perpendicular, where they lie before the arc.
        let along = v - u;
        let share = (centre - u).dot(along) / along.length_squared();
        let foot = u + along * share;
        let is_foot_inside = (0.0..=1.0).contains(&share);
        for p in [Some(u), Some(v), is_foot_inside.then_some(foot)].into_iter().flatten() {
            if self.faces(p) {
                least = least.min((p.distance(centre) - radius).abs());
            }
        }
        // Where the line meets the circle.
        let half = (radius * radius - foot.distance_squared(centre)).sqrt() / along.length();
        for share in [share - half, share + half] {
            if (0.0..=1.0).contains(&share) && self.faces(u + along * share) {
                least = 0.0;
            }
        }
        least
    }
}

/// The point of a circle in a direction [rad].
pub(crate) fn on_circle(centre: DVec2, radius: f64, angle: f64) -> DVec2 {
    centre + dvec2(ops::cos(angle), ops::sin(angle)) * radius
}

/// The direction of a vector [rad].
pub(crate) fn direction(v: DVec2) -> f64 {
    ops::atan2(v.y, v.x)
}

/// The point of a segment that is nearest to a point.
pub(crate) fn foot_on_segment(p: DVec2, [u, v]: [DVec2; 2]) -> DVec2 {
    let share = ((p - u).dot(v - u) / (v - u).length_squared()).clamp(0.0, 1.0);
    // A segment of no length has no share.
    if share.is_nan() { u } else { u + (v - u) * share }
}

/// Distance of a point from a segment [m].
fn to_segment(p: DVec2, segment: [DVec2; 2]) -> f64 {
    p.distance(foot_on_segment(p, segment))
}

/// Distance between two segments [m].
fn between_segments([a, b]: [DVec2; 2], [u, v]: [DVec2; 2]) -> f64 {
    if cross_properly(a, b, u, v) {
        return 0.0;
    }
    let ends = [to_segment(a, [u, v]), to_segment(b, [u, v]), to_segment(u, [a, b]), to_segment(v, [a, b])];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

/// All edges of rings as pairs of points.
pub fn walls(rings: &Rings) -> Vec<[DVec2; 2]> {
    let points = rings.points();
    rings.edges().into_iter().map(|edge| edge.map(|k| points[k])).collect()
}

/// Smallest distance of a curve from the edges of rings [m], by looking at all of them; infinite without any.
pub fn distance_to_boundary(pieces: &[Piece], rings: &Rings) -> f64 {
    let walls = walls(rings);
    let to_walls =
        |piece: &Piece| walls.iter().map(|&wall| piece.distance_to(wall)).fold(f64::INFINITY, f64::min);
    pieces.iter().map(to_walls).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn distances_are_those_of_many_points_on_the_curve() {
        let mut random = Random::new(4);
        let mut crossing = 0;
        for _ in 0..2000 {
            let mut point = || dvec2(random.between(-3.0, 3.0), random.between(-3.0, 3.0));
            let [centre, u, v, from, to] = [point(), point(), point(), point(), point()];
            let radius = random.between(0.1, 2.0);
            let (angle, turn) = (random.between(-4.0, 4.0), random.between(-6.2, 6.2));
            let arc = Piece::Arc { centre, radius, angle, turn };
            let line = Piece::Line { from, to };
            let steps = 500;
            let shares = || (0..=steps).map(|k| f64::from(k) / f64::from(steps));
            let sampled = |at: &dyn Fn(f64) -> DVec2| {
                shares().map(|share| to_segment(at(share), [u, v])).fold(f64::INFINITY, f64::min)
            };
            let near_arc = sampled(&|share| on_circle(centre, radius, angle + turn * share));
            let near_line = sampled(&|share| from.lerp(to, share));
            for (piece, sampled) in [(arc, near_arc), (line, near_line)] {
                let exact = piece.distance_to([u, v]);
                let step = piece.length() / f64::from(steps);
                assert!(
                    exact <= sampled + 1e-9 && sampled <= exact + step,
                    "{piece:?} {u} {v}: {exact} {sampled}"
                );
                crossing += usize::from(exact == 0.0);
            }
        }
        assert!(crossing > 100);
    }

    #[test]
    fn an_arc_is_nearest_at_its_middle_to_a_wall_before_it() {
        let arc = Piece::Arc { centre: DVec2::ZERO, radius: 1.0, angle: 3.0, turn: -2.5 };
        assert!((arc.distance_to([dvec2(-5.0, 1.25), dvec2(5.0, 1.25)]) - 0.25).abs() < 1e-15);
        assert!((arc.distance_to([dvec2(-5.0, 0.5), dvec2(-0.3, 0.5)])) == 0.0, "they cross");
        assert!((arc.distance_to([dvec2(0.0, 0.0), dvec2(0.0, -1.0)]) - 1.0).abs() < 1e-12, "round its end");
        assert!((arc.distance_to([dvec2(0.0, -1.0), dvec2(1.0, -1.0)]) - 1.0) > 0.0, "behind it");
    }
}
