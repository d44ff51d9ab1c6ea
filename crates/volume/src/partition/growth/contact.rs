//! When a growing box first touches a convex polygon, and where.
//!
//! Idea: a box grows round a seed on all sides at once; some sides have stopped. It touches a polygon when the largest of the
//!   distances from the seed along the sides that still move is least over the polygon. That is the least value of the
//!   largest of six linear functions: it lies at a corner, on an edge where two of them are equal, or inside where three are.

use wayfare_core::DVec3;

/// The six sides: low x, high x, low y, high y, low z, high z.
pub(super) const SIDES: usize = 6;

/// How far a point is beyond the seed, towards a side.
#[inline]
pub(super) fn along(seed: DVec3, side: usize, p: DVec3) -> f64 {
    let apart = p[side / 2] - seed[side / 2];
    if side.is_multiple_of(2) { -apart } else { apart }
}

/// The first contact: how far the box has grown, and the point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    pub(super) reach: f64,
    pub(super) point: DVec3,
}

/// The first contact with a polygon that lies within the sides that have stopped; `None` if nothing moves.
pub(super) fn first_contact(seed: DVec3, polygon: &[DVec3], moves: [bool; SIDES]) -> Option<Contact> {
    let sides: Vec<usize> = (0..SIDES).filter(|&side| moves[side]).collect();
    if sides.is_empty() || polygon.is_empty() {
        return None;
    }
    let reach = |p: DVec3| sides.iter().map(|&side| along(seed, side, p)).fold(f64::NEG_INFINITY, f64::max);
    let mut best = Contact { reach: f64::INFINITY, point: polygon[0] };
    let mut consider = |point: DVec3| {
        let reach = reach(point);
        if reach < best.reach {
            best = Contact { reach, point };
        }
    };
    let n = polygon.len();
    for k in 0..n {
        let (p, q) = (polygon[k], polygon[(k + 1) % n]);
        consider(p);
        for (j, &a) in sides.iter().enumerate() {
            for &b in &sides[j + 1..] {
                let at = |r: DVec3| along(seed, a, r) - along(seed, b, r);
                let (dp, dq) = (at(p), at(q));
                if dp * dq < 0.0 {
                    consider(p + (q - p) * (dp / (dp - dq)));
                }
            }
        }
    }
    // Inside, three are equal; two of them may be opposite sides, between which the polygon passes the seed.
    let triangles = (1..n.saturating_sub(1)).map(|k| [polygon[0], polygon[k], polygon[k + 1]]);
    let rate = |side: usize, d: DVec3| along(DVec3::ZERO, side, d);
    for [p, q, r] in triangles {
        let (u, v) = (q - p, r - p);
        for (j, &x) in sides.iter().enumerate() {
            for (k, &y) in sides.iter().enumerate().skip(j + 1) {
                for &z in &sides[k + 1..] {
                    let (a, b) = (rate(x, u) - rate(y, u), rate(x, v) - rate(y, v));
                    let (c, d) = (rate(x, u) - rate(z, u), rate(x, v) - rate(z, v));
                    let (e, f) =
                        (along(seed, y, p) - along(seed, x, p), along(seed, z, p) - along(seed, x, p));
                    let det = a * d - b * c;
                    if det == 0.0 {
                        continue;
                    }
                    let (s, t) = ((e * d - b * f) / det, (a * f - e * c) / det);
                    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
                        consider(p + u * s + v * t);
                    }
                }
            }
        }
    }
    Some(best).filter(|best| best.reach.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec3;

    proptest! {
        #[test]
        fn no_point_of_a_polygon_is_touched_earlier(
            corners in prop::array::uniform3((-3.0..3.0f64, -3.0..3.0f64, -3.0..3.0f64)),
            moves in prop::array::uniform6(any::<bool>()),
        ) {
            let triangle = corners.map(|(x, y, z)| dvec3(x, y, z));
            let Some(contact) = first_contact(DVec3::ZERO, &triangle, moves) else {
                prop_assert!(moves.iter().all(|moves| !moves));
                return Ok(());
            };
            let reach = |p: DVec3| {
                (0..SIDES).filter(|&side| moves[side]).map(|side| along(DVec3::ZERO, side, p)).fold(f64::MIN, f64::max)
            };
            prop_assert!((reach(contact.point) - contact.reach).abs() < 1e-9);
            for s in 0..=20 {
                for t in 0..=20 - s {
                    let (s, t) = (f64::from(s) / 20.0, f64::from(t) / 20.0);
                    let p = triangle[0] + (triangle[1] - triangle[0]) * s + (triangle[2] - triangle[0]) * t;
                    prop_assert!(reach(p) >= contact.reach - 1e-9);
                }
            }
        }
    }
}
