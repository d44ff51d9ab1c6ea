//! The edges of large cells by height (y), so that a test of a point looks at a few of them.
//!
//! Idea: the span of y of a cell with many corners is divided into slabs; each lists the edges that reach into it.
//! A slab is found by one monotone function of y, for points and for the ends of edges alike, so the slab of a
//! point has every edge at the point's height, whatever the rounding.
//! Cost: O(n) memory: where tall edges would be listed too often there are fewer slabs.

use crate::{mesh::CellId, raw::RawNavMesh};
use wayfare_core::{DVec2, Id as _, IdVec};

/// Cells with more corners have slabs; below that looking at all edges is as fast.
const LARGE: usize = 32;
/// Entries per corner at most.
const ENTRIES_PER_CORNER: usize = 4;

/// The slabs of all large cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slabs {
    /// Ascending by cell.
    cells: Vec<Tower>,
    /// Where the edges of each slab start, one more per cell.
    starts: Vec<u32>,
    /// Edges, by the corner at which they start.
    edges: Vec<u32>,
}

/// The slabs of one cell.
#[derive(Clone, Copy, Debug)]
struct Tower {
    cell: CellId,
    bottom: f64,
    slabs_per_metre: f64,
    count: u32,
    /// The first entry of `starts`.
    first: u32,
}

impl Tower {
    /// A cast saturates, so every number has a slab.
    fn slab(&self, y: f64) -> u32 {
        (((y - self.bottom) * self.slabs_per_metre) as u32).min(self.count - 1)
    }
}

impl Slabs {
    pub(crate) fn build(raw: &RawNavMesh, xy: &IdVec<crate::VertexId, DVec2>) -> Self {
        let mut slabs = Self::default();
        let mut heights: Vec<f64> = Vec::new();
        for cell in (0..raw.cell_count()).filter(|&cell| raw.corner_range(cell).len() > LARGE) {
            heights.clear();
            heights.extend(raw.corners[raw.corner_range(cell)].iter().map(|&v| xy[crate::VertexId(v)].y));
            slabs.add(CellId::new(cell), raw.corner_range(cell).start, &heights);
        }
        slabs
    }

    fn add(&mut self, cell: CellId, first_corner: usize, heights: &[f64]) {
        let n = heights.len();
        let bottom = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (edges, first) = (self.edges.len(), self.starts.len() as u32);
        let mut count = n as u32 / 2;
        loop {
            let per_metre = count as f64 / (top - bottom);
            let slabs_per_metre = if per_metre.is_finite() { per_metre } else { 0.0 };
            let tower = Tower { cell, bottom, slabs_per_metre, count, first };
            let span = |k: usize| {
                let (a, b) = (heights[k], heights[if k + 1 == n { 0 } else { k + 1 }]);
                tower.slab(a.min(b))..=tower.slab(a.max(b))
            };
            let entries: usize = (0..n).map(|k| span(k).count()).sum();
            // One slab lists every edge once.
            if entries > ENTRIES_PER_CORNER * n && count > 1 {
                count = count.div_ceil(2);
                continue;
            }
            let mut starts = vec![0u32; count as usize + 1];
            for slab in (0..n).flat_map(span) {
                starts[slab as usize + 1] += 1;
            }
            for k in 1..starts.len() {
                starts[k] += starts[k - 1];
            }
            self.starts.extend(starts.iter().map(|start| edges as u32 + start));
            self.edges.resize(edges + entries, 0);
            for k in 0..n {
                for slab in span(k) {
                    let at = &mut starts[slab as usize];
                    self.edges[edges + *at as usize] = (first_corner + k) as u32;
                    *at += 1;
                }
            }
            self.cells.push(tower);
            return;
        }
    }

    /// The edges of a cell that may reach into a span of y, some of them several times if it is wider than a point;
    /// none if the cell is not large.
    pub(crate) fn edges(&self, cell: CellId, low: f64, high: f64) -> Option<&[u32]> {
        let tower = &self.cells[self.cells.binary_search_by_key(&cell, |tower| tower.cell).ok()?];
        let (from, to) = (tower.first + tower.slab(low), tower.first + tower.slab(high));
        Some(&self.edges[self.starts[from as usize] as usize..self.starts[to as usize + 1] as usize])
    }

    /// Whether a cell with so many corners has slabs.
    pub(crate) fn is_large(corners: usize) -> bool {
        corners > LARGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RawNavMesh,
        fixtures::{mesh, raw},
    };
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    /// Looks at every edge.
    fn contains_by_hand(ring: &[(f64, f64)], (x, y): (f64, f64)) -> bool {
        let mut inside = false;
        for (k, &(ax, ay)) in ring.iter().enumerate() {
            let (bx, by) = ring[(k + 1) % ring.len()];
            // Small integers: exact.
            let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
            if side == 0.0 && x >= ax.min(bx) && x <= ax.max(bx) && y >= ay.min(by) && y <= ay.max(by) {
                return true;
            }
            if (ay > y) != (by > y) && (side > 0.0) == (by > y) {
                inside = !inside;
            }
        }
        inside
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Combs with teeth of random heights, upright and lying down: many edges, some of them tall.
        #[test]
        fn a_large_cell_contains_what_it_contains_by_hand(
            teeth in prop::collection::vec(0..9i32, 9..60), turned in any::<bool>(),
        ) {
            let mut ring = vec![(0.0, -3.0), (4.0 * teeth.len() as f64, -3.0)];
            for (k, &height) in teeth.iter().enumerate().rev() {
                let (x, y) = (4.0 * k as f64, height as f64);
                ring.extend([(x + 4.0, 0.0), (x + 3.0, y), (x + 1.0, y)]);
            }
            if turned {
                for p in &mut ring {
                    *p = (-p.1, p.0);
                }
            }
            let polygon: Vec<u32> = (0..ring.len() as u32).collect();
            let built = RawNavMesh { convex_distance: 20.0, ..raw(&ring, &[&polygon]) };
            // Teeth of height 0 leave flat corners, which are fine.
            let mesh = mesh(built);
            let box_ = mesh.bounds();
            prop_assert!(mesh.slabs.edges(CellId(0), 0.0, 0.0).is_some() == (ring.len() > LARGE));
            for k in 0..400 {
                let step = dvec2((k * 7 % 101) as f64 / 100.0, (k * 13 % 97) as f64 / 96.0);
                let p = ((box_.min + box_.size() * step) * 2.0).round() / 2.0;
                prop_assert_eq!(mesh.contains(CellId(0), p), contains_by_hand(&ring, (p.x, p.y)), "{}", p);
            }
            prop_assert!(mesh.slabs.edges.len() <= ENTRIES_PER_CORNER * ring.len());
        }
    }
}
