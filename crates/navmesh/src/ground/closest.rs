//! The nearest point of a cell's ground in space.
//!
//! Idea: the nearest point of a triangle is the answer if it lies over the cell. If not, the nearest point of the part
//! over the cell lies over the cell's boundary: from a point inside one could go nearer. So the cell's edges are
//! lifted onto the triangle.
//! Steps: 1. some point of the ground limits the distance  2. triangles within it, the nearer boxes only
//!   3. nearest point of each, or of the cell's edges lifted onto it
//! Cost: O(triangles within the distance × edges of the cell at their height).

use crate::{
    cell::{closest_on_segment, closest_on_triangle, ring_edges},
    mesh::{CellId, NavMesh},
};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::Aabb2;

impl NavMesh {
    /// The nearest point of the ground that a cell's list gives, off the cell by rounding only; where that is farther than
    /// `limit`, some point that is farther, too.
    pub(crate) fn closest_on_ground(&self, cell: CellId, at: DVec3, limit: f64) -> DVec3 {
        // 1.
        let xy = at.truncate();
        let below = if self.contains(cell, xy) { xy } else { self.closest_on_rim(cell, xy) };
        let mut nearest = below.extend(self.height(cell, below));
        let reach = nearest.distance(at).min(limit);
        // Points at the limit count.
        let limit_squared = (limit * limit).next_up();
        // 2.
        let mut consider = |triangle: u32| {
            let corners = self.own_triangle(triangle);
            let least = nearest.distance_squared(at).min(limit_squared);
            if box_distance_squared(corners, at) < least
                && let Some(p) = self.closest_over_cell(cell, corners, at)
                && p.distance_squared(at) < least
            {
                nearest = p;
            }
        };
        match self.ground.grid(cell) {
            Some(grid) => grid.within(Aabb2 { min: xy - reach, max: xy + reach }, &mut consider),
            None => self.ground_list(cell).iter().copied().for_each(consider),
        }
        nearest
    }

    /// The point of a cell's rim nearest to `p` in plan.
    pub(crate) fn closest_on_rim(&self, cell: CellId, p: DVec2) -> DVec2 {
        let on_edges = ring_edges(self.cell_points(cell)).map(|(a, b)| closest_on_segment(a, b, p));
        let nearest = on_edges.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p)));
        nearest.unwrap_or(p)
    }

    /// 3. The nearest point of that part of a triangle that lies over a cell.
    fn closest_over_cell(&self, cell: CellId, corners: [DVec3; 3], at: DVec3) -> Option<DVec3> {
        let nearest = closest_on_triangle(corners, at);
        if self.contains(cell, nearest.truncate()) {
            return Some(nearest);
        }
        let heights = corners.map(|p| p.y);
        let low = heights.into_iter().fold(f64::INFINITY, f64::min);
        let high = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let edges = self.edges_at(cell, low, high).map(|corner| self.edge(corner).map(|v| self.xy(v)));
        let lifted = edges.filter_map(|edge| lift(edge, corners)).map(|[a, b]| {
            let share = (at - a).dot(b - a) / (b - a).length_squared();
            // A piece without length has no share.
            if share > 0.0 { a + (b - a) * share.min(1.0) } else { a }
        });
        lifted.min_by(|p, q| p.distance_squared(at).total_cmp(&q.distance_squared(at)))
    }
}

/// Squared distance from a point to the box round a triangle.
fn box_distance_squared([a, b, c]: [DVec3; 3], p: DVec3) -> f64 {
    let (min, max) = (a.min(b).min(c), a.max(b).max(c));
    p.clamp(min, max).distance_squared(p)
}

/// The part of a segment in plan that lies in a triangle, on the triangle.
fn lift([from, to]: [DVec2; 2], corners: [DVec3; 3]) -> Option<[DVec3; 2]> {
    let [a, b, c] = corners.map(DVec3::truncate);
    let (mut start, mut end) = (0.0f64, 1.0f64);
    for (a, b) in [(a, b), (b, c), (c, a)] {
        let (of_from, of_to) = ((b - a).perp_dot(from - a), (b - a).perp_dot(to - a));
        let share = of_from / (of_from - of_to);
        match (of_from >= 0.0, of_to >= 0.0) {
            (true, true) => {}
            (true, false) => end = end.min(share),
            (false, true) => start = start.max(share),
            (false, false) => return None,
        }
    }
    let area = (b - a).perp_dot(c - a);
    let place = |share: f64| {
        let p = from + (to - from) * share;
        let (of_b, of_c) = ((c - p).perp_dot(a - p) / area, (a - p).perp_dot(b - p) / area);
        let rise = |z: f64| z - corners[0].z;
        p.extend(corners[0].z + rise(corners[1].z) * of_b + rise(corners[2].z) * of_c)
    };
    let ends = [place(start), place(end)];
    (start <= end && ends.iter().all(|p| p.is_finite())).then_some(ends)
}
