//! Shapes that obstacles are made of; clockwise, as holes are.

use super::random::Random;
use std::f64::consts::TAU;
use wayfare_core::{
    DVec2, dvec2,
    ops::{cos, sin},
};

/// A rectangle by two corners, counter-clockwise.
pub(super) fn outline(min: DVec2, max: DVec2) -> Vec<DVec2> {
    vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)]
}

/// A regular polygon; its first vertex lies at `turn` [rad].
pub(super) fn regular(centre: DVec2, radius: f64, count: usize, turn: f64) -> Vec<DVec2> {
    (0..count).map(|k| at(centre, radius, turn - TAU * k as f64 / count as f64)).collect()
}

/// A star-shaped polygon with random radii up to `radius`.
pub(super) fn star(centre: DVec2, radius: f64, count: usize, random: &mut Random) -> Vec<DVec2> {
    let turn = random.between(0.0, TAU);
    let mut corner = |k: usize| {
        // Angles stay in order and no gap reaches half a turn, so the ring is simple.
        let angle = turn - TAU * (k as f64 + random.between(0.0, 0.3)) / count as f64;
        at(centre, radius * random.between(0.45, 1.0), angle)
    };
    (0..count).map(&mut corner).collect()
}

/// Points given in a unit frame (−1 .. 1), clockwise, scaled, turned and moved.
pub(super) fn placed(shape: &[(f64, f64)], centre: DVec2, half: DVec2, turn: f64) -> Vec<DVec2> {
    let (s, c) = (sin(turn), cos(turn));
    let place = |&(x, y): &(f64, f64)| {
        let p = dvec2(x, y) * half;
        centre + dvec2(c * p.x - s * p.y, s * p.x + c * p.y)
    };
    shape.iter().map(place).collect()
}

/// Footprints in the unit frame, clockwise.
pub(super) const RECTANGLE: &[(f64, f64)] = &[(-1., -1.), (-1., 1.), (1., 1.), (1., -1.)];
pub(super) const L_SHAPE: &[(f64, f64)] = &[(-1., -1.), (-1., 1.), (0.1, 1.), (0.1, 0.), (1., 0.), (1., -1.)];
pub(super) const U_SHAPE: &[(f64, f64)] =
    &[(-1., -1.), (-1., 1.), (-0.4, 1.), (-0.4, -0.2), (0.4, -0.2), (0.4, 1.), (1., 1.), (1., -1.)];
pub(super) const T_SHAPE: &[(f64, f64)] =
    &[(-0.3, -1.), (-0.3, 0.2), (-1., 0.2), (-1., 1.), (1., 1.), (1., 0.2), (0.3, 0.2), (0.3, -1.)];

fn at(centre: DVec2, radius: f64, angle: f64) -> DVec2 {
    centre + radius * dvec2(cos(angle), sin(angle))
}
