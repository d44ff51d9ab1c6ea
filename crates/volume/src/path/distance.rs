//! Distances between points, segments and convex polygons in space.

use crate::{
    plane::Plane,
    polygon::{area_vector, edge_planes},
};
use wayfare_core::DVec3;
use wayfare_geom::bvh::Aabb3;

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
    nearest_on_outline(polygon, normal, edge_planes(polygon, normal), p)
}

fn nearest_on_outline(
    polygon: &[DVec3],
    normal: DVec3,
    mut edges: impl Iterator<Item = Plane>,
    p: DVec3,
) -> DVec3 {
    if let Some(&first) = polygon.first() {
        let foot = p - normal * (p - first).dot(normal);
        if edges.all(|edge| edge.distance(foot) <= 0.0) {
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

/// A convex polygon with what is asked of it often.
#[derive(Debug)]
pub(crate) struct Panel {
    points: Vec<DVec3>,
    plane: Plane,
    edges: Vec<Plane>,
    area: Aabb3,
}

impl Panel {
    /// Of a polygon with three corners or more.
    pub(crate) fn new(points: Vec<DVec3>) -> Self {
        let normal = area_vector(&points).normalize_or_zero();
        let plane = Plane { normal, offset: points.first().map_or(0.0, |first| normal.dot(*first)) };
        let edges = edge_planes(&points, normal).collect();
        Self { plane, edges, area: Aabb3::of_points(points.iter().copied()), points }
    }

    /// Its box.
    pub(crate) fn area(&self) -> Aabb3 {
        self.area
    }

    /// Whether a segment is farther away than this for sure [m]: beyond the plane, or beside the box.
    pub(crate) fn is_beyond(&self, a: DVec3, b: DVec3, reach: f64) -> bool {
        let (da, db) = (self.plane.distance(a), self.plane.distance(b));
        if da.min(db) > reach || da.max(db) < -reach {
            return true;
        }
        // The part of the segment in the box, by its shares along every axis.
        let (mut begin, mut end) = (0.0f64, 1.0f64);
        let (low, high, along) = (self.area.min - reach, self.area.max + reach, b - a);
        for axis in 0..3 {
            if along[axis] == 0.0 {
                if a[axis] < low[axis] || a[axis] > high[axis] {
                    return true;
                }
                continue;
            }
            let (one, two) = ((low[axis] - a[axis]) / along[axis], (high[axis] - a[axis]) / along[axis]);
            begin = begin.max(one.min(two));
            end = end.min(one.max(two));
        }
        // A hair more, for what the divisions rounded.
        begin > end + 1e-9
    }

    /// The point nearest to a point.
    pub(crate) fn nearest(&self, p: DVec3) -> DVec3 {
        nearest_on_outline(&self.points, self.plane.normal, self.edges.iter().copied(), p)
    }

    /// The nearest points of a segment and the polygon: on the segment, on the polygon.
    pub(crate) fn nearest_to_segment(&self, a: DVec3, b: DVec3) -> [DVec3; 2] {
        let Self { points, plane, edges, .. } = self;
        let Some(&first) = points.first() else { return [a, a] };
        let (da, db) = ((a - first).dot(plane.normal), (b - first).dot(plane.normal));
        if da * db < 0.0 {
            let cut = a + (b - a) * (da / (da - db));
            if edges.iter().all(|edge| edge.distance(cut) <= 0.0) {
                return [cut, cut];
            }
        }
        let ends = [a, b].map(|end| [end, self.nearest(end)]);
        let rim =
            (0..points.len()).map(|k| nearest_of_segments(a, b, points[k], points[(k + 1) % points.len()]));
        let length = |pair: &[DVec3; 2]| pair[0].distance_squared(pair[1]);
        ends.into_iter().chain(rim).min_by(|x, y| length(x).total_cmp(&length(y))).unwrap_or([a, a])
    }
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
            let panel = Panel::new(square.to_vec());
            let [p, q] = panel.nearest_to_segment(a, b);
            let found = p.distance(q);
            prop_assert!(!panel.is_beyond(a, b, found * (1.0 + 1e-9)), "{found}");
            for k in 0..=50 {
                let on = a + (b - a) * (f64::from(k) / 50.0);
                let clamped = dvec3(on.x.clamp(-1.0, 1.0), on.y.clamp(-1.0, 1.0), 0.0);
                prop_assert!(found <= on.distance(clamped) + 1e-9);
                prop_assert!((nearest_on_polygon(&square, on) - clamped).length() < 1e-9);
                prop_assert!((panel.nearest(on) - clamped).length() < 1e-9);
            }
        }
    }
}
