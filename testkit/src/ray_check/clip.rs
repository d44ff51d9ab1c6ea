//! Parts of triangles: over a square of the plan, or between two heights.

use wayfare_core::{DVec2, DVec3};

/// The part of a convex polygon where `value` is at least 0.
fn keep(polygon: &[DVec3], value: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, &p) in polygon.iter().enumerate() {
        let q = polygon[(k + 1) % polygon.len()];
        let (at_p, at_q) = (value(p), value(q));
        if at_p >= 0.0 {
            kept.push(p);
        }
        if (at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0) {
            kept.push(p.lerp(q, at_p / (at_p - at_q)));
        }
    }
    kept
}

/// Lowest and highest point of a triangle over a square, given by its middle and half of its side.
pub(super) fn heights_in_square(triangle: &[DVec3; 3], middle: DVec2, half: f64) -> Option<[f64; 2]> {
    let [a, b, c] = triangle;
    let (low, high) = (a.min(*b).min(*c), a.max(*b).max(*c));
    if (low.truncate() - half).cmpgt(middle).any() || (high.truncate() + half).cmplt(middle).any() {
        return None;
    }
    let mut part = triangle.to_vec();
    if half == 0.0 {
        // A point: no area is left of a clipped triangle, so the plane is asked.
        return height_at(triangle, middle).map(|z| [z, z]);
    }
    for sign in [-1.0, 1.0] {
        part = keep(&part, |p| half - sign * (p.x - middle.x));
        part = keep(&part, |p| half - sign * (p.y - middle.y));
    }
    let heights = part.iter().map(|p| p.z);
    let found = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], z| [low.min(z), high.max(z)]);
    (!part.is_empty()).then_some(found)
}

/// The height of a triangle over a point of the plan, its rim included.
fn height_at([a, b, c]: &[DVec3; 3], p: DVec2) -> Option<f64> {
    let sides = [(b, c), (c, a), (a, b)].map(|(a, b)| (b - a).truncate().perp_dot(p - a.truncate()));
    let sum: f64 = sides.iter().sum();
    let is_inside = sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0);
    (is_inside && sum != 0.0).then(|| (sides[0] * a.z + sides[1] * b.z + sides[2] * c.z) / sum)
}

/// The part of a triangle between two heights.
pub(super) fn clip_to_band(triangle: &[DVec3; 3], [low, high]: [f64; 2]) -> Vec<DVec3> {
    if triangle.iter().all(|p| p.z < low) || triangle.iter().all(|p| p.z > high) {
        return Vec::new();
    }
    let part = keep(triangle, |p| p.z - low);
    keep(&part, |p| high - p.z)
}

/// How far a convex polygon is from a point in plan, and where it is nearest; `None` if there is no polygon.
pub(super) fn distance_in_plan(polygon: &[DVec3], p: DVec2) -> Option<(f64, DVec2)> {
    let plan = |k: usize| polygon[k % polygon.len()].truncate();
    let mut best: Option<(f64, DVec2)> = None;
    let (mut is_left, mut is_right) = (true, true);
    for k in 0..polygon.len() {
        let (a, b) = (plan(k), plan(k + 1));
        let along = b - a;
        let share = (p - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
        let nearest = a + along * share.clamp(0.0, 1.0);
        let distance = p.distance(nearest);
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, nearest));
        }
        let side = along.perp_dot(p - a);
        is_left &= side > 0.0;
        is_right &= side < 0.0;
    }
    // Inside; a polygon that stands upright has no inside.
    if !polygon.is_empty() && (is_left || is_right) {
        best = Some((0.0, p));
    }
    best
}
