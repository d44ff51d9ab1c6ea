//! How high is the ground?
//!
//! Steps: 1. the triangles near the point, all or those of its bucket  2. the first that holds it
//!   3. where rounding left it between two of them, or it lies beside the ground: the nearest rim
//! Cost: under 100 ns where the ground covers the cell, however many triangles it has; beside it, linear in them.

use crate::mesh::{CellId, NavMesh, VertexId};
use wayfare_core::{DVec2, DVec3};

impl NavMesh {
    /// Height of the ground of a cell at a point in plan [m]; outside the cell's ground that of its nearest rim. At the foot of a step it
    /// is that of the lower ground, or of the higher one, as the cell is.
    pub fn height(&self, cell: CellId, p: DVec2) -> f64 {
        self.height_by(cell, p, |triangle| self.own_triangle(triangle))
    }

    /// The same with the slopes that stand for steps in the mesh, by which cells that meet are as high: what [`NavMesh::check`] looks at.
    pub(crate) fn height_with_slopes(&self, cell: CellId, p: DVec2) -> f64 {
        self.height_by(cell, p, |triangle| self.ground_triangle(triangle))
    }

    #[inline]
    fn height_by(&self, cell: CellId, p: DVec2, corners: impl Fn(u32) -> [DVec3; 3]) -> f64 {
        if let Some(z) = self.flat {
            return z;
        }
        if self.ground_list(cell).is_empty() {
            return self.fan_height(cell, p);
        }
        // 1. and 2.
        let near = self.ground_near(cell, p);
        if let Some(z) = near.iter().find_map(|&triangle| height_inside(corners(triangle), p)) {
            return z;
        }
        // 3.
        let on_line = self.tolerance().on_line;
        match nearest_rim(near, p, &corners) {
            Some((distance, z)) if distance <= on_line => z,
            _ => nearest_rim(self.ground_list(cell), p, &corners).map_or(0.0, |(_, z)| z),
        }
    }

    /// The triangle of a cell's ground that holds a point, and the height there; nothing in a cell without a list.
    pub(crate) fn ground_at(&self, cell: CellId, p: DVec2) -> Option<(u32, f64)> {
        let holds = |&triangle: &u32| Some((triangle, self.height_in(triangle, p)?));
        self.ground_near(cell, p).iter().find_map(holds)
    }

    /// The height of a triangle of the ground at a point, if it holds it.
    #[inline]
    pub(crate) fn height_in(&self, triangle: u32, p: DVec2) -> Option<f64> {
        height_inside(self.own_triangle(triangle), p)
    }

    /// The height of all corners of a cell, if it is the same [m].
    #[inline]
    pub(crate) fn level(&self, cell: CellId) -> Option<f64> {
        let mut heights = self.raw.corners[self.corner_range(cell)].iter();
        let mut height = || heights.next().map(|&vertex| self.position(VertexId(vertex)).z);
        let first = height()?;
        while let Some(z) = height() {
            if z != first {
                return None;
            }
        }
        Some(first)
    }

    /// Height on the fan of triangles from the cell's first corner: exact for flat cells and triangles.
    fn fan_height(&self, cell: CellId, p: DVec2) -> f64 {
        if let Some(z) = self.level(cell) {
            return z;
        }
        // The triangle in which the smallest weight is largest holds the point, or is next to it.
        let (mut height, mut inside) = (f64::NAN, f64::NEG_INFINITY);
        for [a, b, c] in self.cell_fan(cell) {
            let Some(weights) = weights([a, b, c].map(DVec3::truncate), p) else { continue };
            let smallest = weights[0].min(weights[1]).min(weights[2]);
            if smallest > inside {
                inside = smallest;
                let weights = weights.map(|w| w.clamp(0.0, 1.0));
                let sum = weights[0] + weights[1] + weights[2];
                // From the first corner, so that a flat triangle gives its height to the last bit.
                height = a.z + ((b.z - a.z) * weights[1] + (c.z - a.z) * weights[2]) / sum;
            }
            if smallest >= 0.0 {
                break;
            }
        }
        if height.is_nan() {
            self.cell_fan(cell).map(|[a, ..]| a.z).next().unwrap_or_default()
        } else {
            height
        }
    }
}

/// The nearest point on the edges of some triangles, as distance in plan and height.
fn nearest_rim(triangles: &[u32], p: DVec2, corners: &impl Fn(u32) -> [DVec3; 3]) -> Option<(f64, f64)> {
    let mut best = None;
    let mut limit = f64::INFINITY;
    for &triangle in triangles {
        let [a, b, c] = corners(triangle);
        for (a, b) in [(a, b), (b, c), (c, a)] {
            let edge = (b - a).truncate();
            let share = ((p - a.truncate()).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            let at = a + (b - a) * share;
            let distance = at.truncate().distance_squared(p);
            if distance < limit {
                limit = distance;
                best = Some((distance.sqrt(), at.z));
            }
        }
    }
    best
}

/// Height of a counter-clockwise triangle at a point, if it holds it.
#[inline]
fn height_inside([a, b, c]: [DVec3; 3], p: DVec2) -> Option<f64> {
    let [pa, pb, pc] = [a, b, c].map(|corner| corner.truncate() - p);
    let (of_a, of_b, of_c) = (pb.perp_dot(pc), pc.perp_dot(pa), pa.perp_dot(pb));
    let sum = of_a + of_b + of_c;
    // A triangle slimmer than rounding holds nothing; its neighbours, or its rim, have the height.
    (of_a >= 0.0 && of_b >= 0.0 && of_c >= 0.0 && sum > 0.0)
        .then(|| a.z + ((b.z - a.z) * of_b + (c.z - a.z) * of_c) / sum)
}

/// Weights of a triangle's corners at a point in plan; none for a triangle without area.
fn weights([a, b, c]: [DVec2; 3], p: DVec2) -> Option<[f64; 3]> {
    let area = (b - a).perp_dot(c - a);
    let weights =
        [(b - p).perp_dot(c - p), (c - p).perp_dot(a - p), (a - p).perp_dot(b - p)].map(|w| w / area);
    weights.iter().all(|w| w.is_finite()).then_some(weights)
}
