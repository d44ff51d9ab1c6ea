//! Distances between points, segments and convex polygons in space.

use crate::polygon::{area_vector, edge_planes};
use wayfare_core::DVec3;

/// The point of a segment nearest to a point.
pub(crate) fn nearest_on_segment(a: DVec3, b: DVec3, p: DVec3) -> DVec3 {
    let along = b - a;
    let length = along.length_squared();
    if length == 0.0 {
        return a;
    }
    a + along * ((p - a).dot(along) / length).clamp(0.0, 1.0)
}

/// The point of a convex polygon nearest to a point.
pub(crate) fn nearest_on_polygon(polygon: &[DVec3], p: DVec3) -> DVec3 {
    let normal = area_vector(polygon).normalize_or_zero();
    if let Some(&first) = polygon.first() {
        let foot = p - normal * (p - first).dot(normal);
        if edge_planes(polygon, normal).all(|edge| edge.distance(foot) <= 0.0) {
            return foot;
        }
    }
    let edges = (0..polygon.len()).map(|k| (polygon[k], polygon[(k + 1) % polygon.len()]));
    let near = edges.map(|(a, b)| nearest_on_segment(a, b, p));
    near.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p))).unwrap_or(p)
}

/// The nearest points of two segments.
fn nearest_of_segments(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> [DVec3; 2] {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let between = uu * vv - uv * uv;
    let mut best = [a, nearest_on_segment(c, d, a)];
    let mut try_pair = |pair: [DVec3; 2]| {
        if pair[0].distance_squared(pair[1]) < best[0].distance_squared(best[1]) {
            best = pair;
        }
    };
    if between > 0.0 {
        let s = ((uv * vw - vv * uw) / between).clamp(0.0, 1.0);
        let p = a + u * s;
        let q = nearest_on_segment(c, d, p);
        try_pair([nearest_on_segment(a, b, q), q]);
    }
    try_pair([b, nearest_on_segment(c, d, b)]);
    try_pair([nearest_on_segment(a, b, c), c]);
    try_pair([nearest_on_segment(a, b, d), d]);
    best
}

/// The nearest points of a segment and a convex polygon: on the segment, on the polygon.
pub(crate) fn nearest_of_segment_and_polygon(a: DVec3, b: DVec3, polygon: &[DVec3]) -> [DVec3; 2] {
    let normal = area_vector(polygon).normalize_or_zero();
    let Some(&first) = polygon.first() else { return [a, a] };
    let (da, db) = ((a - first).dot(normal), (b - first).dot(normal));
    if da * db < 0.0 {
        let cut = a + (b - a) * (da / (da - db));
        if edge_planes(polygon, normal).all(|edge| edge.distance(cut) <= 0.0) {
            return [cut, cut];
        }
    }
    let ends = [a, b].map(|end| [end, nearest_on_polygon(polygon, end)]);
    let edges =
        (0..polygon.len()).map(|k| nearest_of_segments(a, b, polygon[k], polygon[(k + 1) % polygon.len()]));
    let length = |pair: &[DVec3; 2]| pair[0].distance_squared(pair[1]);
    ends.into_iter().chain(edges).min_by(|x, y| length(x).total_cmp(&length(y))).unwrap_or([a, a])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec3;

    proptest! {
        #[test]
        fn nearest_points_are_not_farther_than_sampled_ones(
            a in (-3.0..3.0f64, -3.0..3.0f64, -3.0..3.0f64),
            b in (-3.0..3.0f64, -3.0..3.0f64, -3.0..3.0f64),
        ) {
            let [a, b] = [a, b].map(|(x, y, z)| dvec3(x, y, z));
            let square = [dvec3(-1., -1., 0.), dvec3(1., -1., 0.), dvec3(1., 1., 0.), dvec3(-1., 1., 0.)];
            let [p, q] = nearest_of_segment_and_polygon(a, b, &square);
            let found = p.distance(q);
            for k in 0..=50 {
                let on = a + (b - a) * (f64::from(k) / 50.0);
                let clamped = dvec3(on.x.clamp(-1.0, 1.0), on.y.clamp(-1.0, 1.0), 0.0);
                prop_assert!(found <= on.distance(clamped) + 1e-9);
                prop_assert!((nearest_on_polygon(&square, on) - clamped).length() < 1e-9);
            }
        }
    }
}
