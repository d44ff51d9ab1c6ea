//! What a point is to a cell: inside, how high, how near.

use crate::{
    mesh::{CellId, CornerId, NavMesh, VertexId},
    slabs::Slabs,
};
use wayfare_core::{DVec2, DVec3, Id as _};
use wayfare_geom::predicates::{is_between, orient};

impl NavMesh {
    /// Whether a point lies in the closed area of a cell in plan; exact, also for relaxed cells.
    ///
    /// Cells share their edges, so no point of the ground lies in none of them.
    #[inline]
    pub fn contains(&self, cell: CellId, p: DVec2) -> bool {
        if !self.cell_boxes[cell].contains(p) {
            return false;
        }
        let corners = self.corner_range(cell);
        if Slabs::is_large(corners.len())
            && let Some(edges) = self.slabs.edges(cell, p.y, p.y)
        {
            return is_inside(edges.iter().map(|&corner| self.edge(CornerId(corner)).map(|v| self.xy(v))), p);
        }
        let corners = &self.raw.corners[corners];
        let Some(&last) = corners.last() else { return false };
        let mut a = self.xy(VertexId(last));
        let edges = corners.iter().map(|&v| {
            let b = self.xy(VertexId(v));
            [std::mem::replace(&mut a, b), b]
        });
        is_inside(edges, p)
    }

    /// The edges of a cell that may reach into a span of y, at least.
    pub(crate) fn edges_at(&self, cell: CellId, low: f64, high: f64) -> impl Iterator<Item = CornerId> + '_ {
        let some = self.slabs.edges(cell, low, high);
        let all = if some.is_none() { self.corner_range(cell) } else { 0..0 };
        some.unwrap_or_default().iter().map(|&corner| CornerId(corner)).chain(all.map(CornerId::new))
    }

    /// The fan of triangles from a cell's first corner.
    pub(crate) fn cell_fan(&self, cell: CellId) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let corners = self.cell_vertices(cell).map(|v| self.position(v));
        let first = corners.clone().next().unwrap_or_default();
        let rest = corners.skip(1);
        rest.clone().zip(rest.skip(1)).map(move |(a, b)| [first, a, b])
    }

    /// The point of a cell nearest to `at`, in 3D; it lies in the closed area of the cell to the last bit.
    pub fn closest_point(&self, cell: CellId, at: DVec3) -> DVec3 {
        self.closest_point_within(cell, at, f64::INFINITY)
    }

    /// The same for a caller who has no use for points farther than `limit`: such a one may not be the closest.
    pub(crate) fn closest_point_within(&self, cell: CellId, at: DVec3, limit: f64) -> DVec3 {
        if self.flat.is_none() && !self.ground_list(cell).is_empty() {
            return self.moved_inside(cell, self.closest_on_ground(cell, at, limit));
        }
        let mut nearest = DVec3::splat(f64::INFINITY);
        let mut consider = |p: DVec3| {
            if p.distance_squared(at) < nearest.distance_squared(at) {
                nearest = p;
            }
        };
        let xy = at.truncate();
        let is_flat = {
            let mut heights = self.cell_vertices(cell).map(|v| self.position(v).z);
            let first = heights.next();
            heights.all(|z| Some(z) == first)
        };
        if is_flat {
            // Also right for relaxed cells, whose fan may reach over their notches.
            let z = self.height(cell, xy);
            if self.contains(cell, xy) {
                return xy.extend(z);
            }
            for (a, b) in ring_edges(self.cell_points(cell)) {
                consider(closest_on_segment(a, b, xy).extend(z));
            }
        } else {
            for triangle in self.cell_fan(cell) {
                consider(closest_on_triangle(triangle, at));
            }
        }
        self.moved_inside(cell, nearest)
    }

    /// A point that lies in a cell but for rounding, moved so that it does.
    pub(crate) fn moved_inside(&self, cell: CellId, p: DVec3) -> DVec3 {
        let xy = p.truncate();
        if self.contains(cell, xy) {
            return p;
        }
        // Away from the nearest edge by a few units in the last place; in a pointed corner, where that leads out at
        // the other side, towards the middle by steps that double.
        let distance = |&(a, b): &(DVec2, DVec2)| closest_on_segment(a, b, xy).distance_squared(xy);
        let nearest = ring_edges(self.cell_points(cell)).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let inwards = nearest.map_or(DVec2::ZERO, |(a, b)| (b - a).perp().normalize_or_zero());
        let unit = xy.abs().max_element() * f64::EPSILON;
        let middle = self.cell_points(cell).sum::<DVec2>() / self.corner_range(cell).len() as f64;
        let away = (0..8).map(|bits| xy + inwards * unit * f64::from(1 << bits));
        let to_middle = (1..=52).rev().map(|bits| xy + (middle - xy) * 2f64.powi(-bits));
        if let Some(moved) = away.chain(to_middle).find(|&moved| self.contains(cell, moved)) {
            return moved.extend(self.height(cell, moved));
        }
        // A sliver in which there is no room between doubles: one of its corners.
        let corners = self.cell_vertices(cell).map(|v| self.position(v));
        let nearest = corners.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p)));
        nearest.unwrap_or(p)
    }
}

/// The edges of a ring.
pub(crate) fn ring_edges(ring: impl Iterator<Item = DVec2> + Clone) -> impl Iterator<Item = (DVec2, DVec2)> {
    let next = ring.clone().skip(1).chain(ring.clone().take(1));
    ring.zip(next)
}

/// Whether a point lies in a simple ring or on it; exact. The edges may be those at the point's height alone.
///
/// Counts the edges to the right of the point (half-open in y, so that a corner counts once); only edges at the
/// point's height are looked at with the predicate.
#[inline]
fn is_inside(edges: impl Iterator<Item = [DVec2; 2]>, p: DVec2) -> bool {
    let mut inside = false;
    for [a, b] in edges {
        let (above_a, above_b) = (a.y > p.y, b.y > p.y);
        if above_a != above_b || a.y == p.y || b.y == p.y {
            let side = orient(a, b, p);
            if side == 0.0 && is_between(a, b, p) {
                return true;
            }
            inside ^= above_a != above_b && (side > 0.0) == above_b;
        }
    }
    inside
}

/// The point of a segment nearest to `p`; its ends exactly, where they are nearest.
pub(crate) fn closest_on_segment(a: DVec2, b: DVec2, p: DVec2) -> DVec2 {
    let along = (p - a).dot(b - a) / (b - a).length_squared();
    if along >= 1.0 {
        b
    } else if along > 0.0 {
        a + (b - a) * along
    } else {
        a
    }
}

/// The point of a triangle in space nearest to `p`.
///
/// The best of the foot on the plane, if it lies inside, and the nearest points of the three edges. Telling by signs
/// which of them it is would be cheaper, but fails on slivers.
pub(crate) fn closest_on_triangle([a, b, c]: [DVec3; 3], p: DVec3) -> DVec3 {
    let on_edge = |a: DVec3, b: DVec3| {
        let along = (p - a).dot(b - a) / (b - a).length_squared();
        if along >= 1.0 { b } else { a + (b - a) * along.max(0.0) }
    };
    let normal = (b - a).cross(c - a);
    let weight = |a: DVec3, b: DVec3| (a - p).cross(b - p).dot(normal) / normal.length_squared();
    let (second, third) = (weight(c, a), weight(a, b));
    let inside = second >= 0.0 && third >= 0.0 && second + third <= 1.0;
    let foot = if inside { a + (b - a) * second + (c - a) * third } else { a };
    let best = |q: DVec3, r: DVec3| if r.distance_squared(p) < q.distance_squared(p) { r } else { q };
    [on_edge(a, b), on_edge(b, c), on_edge(c, a)].into_iter().fold(foot, best)
}

#[cfg(test)]
mod tests {
    use crate::{CellId, fixtures::raw};
    use proptest::prelude::*;
    use wayfare_core::dvec3;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Also for slivers, far from the origin and on slopes.
        #[test]
        fn the_closest_point_of_a_cell_lies_in_it_to_the_last_bit(
            corners in prop::array::uniform3((0.0..1.0f64, 0.0..1.0f64)),
            slope in prop::sample::select(vec![(0.0, 0.0), (0.5, 0.25), (-0.7, 0.7)]),
            at in (-2.0..3.0f64, -2.0..3.0f64, -2.0..2.0f64),
            squeeze in prop::sample::select(vec![1.0, 1e-3, 1e-9, 1e-15]),
            offset in prop::sample::select(vec![0.0, 0.1, 1e3, -9.9e6]),
        ) {
            let place = |x: f64, y: f64| (offset + x, offset + x * 0.3 + y * squeeze);
            let points = corners.map(|(x, y)| place(x, y));
            let mut triangle = raw(&points, &[&[0, 1, 2]]);
            for p in &mut triangle.vertices {
                p.z = slope.0 * (p.x - offset) + slope.1 * (p.y - offset);
            }
            let Ok(mesh) = triangle.clone().validate().or_else(|_| {
                triangle.corners.swap(0, 1);
                triangle.validate()
            }) else { return Ok(()) };
            let (x, y) = place(at.0, at.1);
            let at = dvec3(x, y, at.2);
            let closest = mesh.closest_point(CellId(0), at);
            prop_assert!(mesh.contains(CellId(0), closest.truncate()));
            // No point of the triangle is nearer but for rounding, which grows with the triangle's slimness.
            let longest =
                points.iter().flat_map(|&a| points.map(|b| (a.0 - b.0).hypot(a.1 - b.1))).fold(0.0, f64::max);
            let slimness = longest * longest / mesh.cell_area(CellId(0));
            // Between the sides of a triangle that is slimmer than doubles there are no points to choose from.
            if !(slimness > 0.0 && slimness < 1e9 / (1.0 + offset.abs())) {
                return Ok(());
            }
            let rounding = 100.0 * (1.0 + offset.abs()) * f64::EPSILON * (1.0 + slimness);
            let distance = closest.distance(at);
            for k in 0..=10 {
                for l in 0..=10 - k {
                    let weights = [k, l, 10 - k - l].map(|w| w as f64 / 10.0);
                    let p = (0..3).map(|k| mesh.raw().vertices[k] * weights[k]).sum::<wayfare_core::DVec3>();
                    prop_assert!(p.distance(at) > distance - rounding, "{p} {closest} {at}");
                }
            }
        }
    }
}
