//! The ground: what lies between the corners of the cells.
//!
//! A cell's ground is the part above it of the triangles in its list; without a list it is the fan of triangles from
//! its first corner, which is all there is to level ground. Triangles do not care for cells: one may reach over many,
//! and a cell on hills may need thousands. A cell with many has a grid of them, so that asking for a height stays
//! a matter of a few triangles.
//! Triangles that stand for steps are lowered to the ground that they hide (`steps.rs`).
//! Cost: O(entries of the lists) memory; building linear in them.

mod arrays;
mod closest;
mod crossings;
mod height;
mod pieces;
mod steps;

pub(crate) use crossings::{Crossing, HAIR};
use steps::Steps;

use crate::{
    grid::Grid,
    mesh::{CellId, NONE, NavMesh, VertexId},
    raw::RawNavMesh,
};
use std::sync::OnceLock;
use wayfare_core::{DVec2, DVec3, Id as _, IdVec};
use wayfare_geom::Aabb2;

/// Cells with more triangles have a grid; below that looking at all of them is as fast.
const MANY: usize = 16;

/// Heights that differ by less are the same [m]: where cells meet, and where a path is straight.
pub(crate) const SAME_HEIGHT: f64 = 1e-3;

/// The grids of the cells with many triangles, and the ground at steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    /// The number of each cell's grid, [`NONE`] without; empty where no cell has one.
    grid_of: Vec<u32>,
    grids: Vec<Grid>,
    steps: Steps,
}

impl Ground {
    /// The grids of cells are made independently of each other; `each` is that of [`RawNavMesh::validate_with`].
    pub(crate) fn build(
        raw: &RawNavMesh,
        cell_boxes: &IdVec<CellId, Aabb2>,
        each: impl Fn(usize, &(dyn Fn(usize) + Sync)),
    ) -> Self {
        let cells = 0..raw.ground_starts.len().saturating_sub(1);
        let crowded: Vec<usize> = cells.filter(|&cell| raw.ground_list(cell).len() > MANY).collect();
        let made: Vec<OnceLock<Grid>> = crowded.iter().map(|_| OnceLock::new()).collect();
        each(crowded.len(), &|k| {
            let list = raw.ground_list(crowded[k]);
            made[k].get_or_init(|| {
                let mut grid = Grid::build(cell_boxes[CellId::new(crowded[k])], list.len(), |k, ring| {
                    ring.extend(raw.ground_triangle(list[k]).map(DVec3::truncate));
                });
                grid.rename(list);
                grid
            });
        });
        let mut grid_of = Vec::new();
        if !crowded.is_empty() {
            grid_of.resize(raw.cell_count(), NONE);
        }
        for (number, &cell) in (0..).zip(&crowded) {
            grid_of[cell] = number;
        }
        let grids = made.into_iter().map(|grid| grid.into_inner().unwrap_or_default()).collect();
        Self { grid_of, grids, steps: Steps::build(raw) }
    }

    /// The grid of a cell's triangles, if there are many.
    #[inline]
    pub(crate) fn grid(&self, cell: CellId) -> Option<&Grid> {
        self.grids.get(*self.grid_of.get(cell.index())? as usize)
    }
}

impl RawNavMesh {
    /// The triangles of a cell's ground; only for data that was checked.
    #[inline]
    fn ground_list(&self, cell: usize) -> &[u32] {
        match self.ground_starts.get(cell..cell + 2) {
            Some(&[start, end]) => &self.ground_lists[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The corners of a triangle of the ground; only for data that was checked.
    #[inline]
    fn ground_triangle(&self, triangle: u32) -> [DVec3; 3] {
        self.ground_triangles[triangle as usize].map(|k| self.ground_points[k as usize])
    }
}

impl NavMesh {
    /// The triangles that a cell's ground lies in, ascending; none where the ground is the fan of the cell's corners.
    #[inline]
    pub fn ground_list(&self, cell: CellId) -> &[u32] {
        self.raw.ground_list(cell.index())
    }

    /// The corners of a triangle of the ground where the ground really lies: not the slope that stands for a step in the mesh.
    #[inline]
    pub(crate) fn own_triangle(&self, triangle: u32) -> [DVec3; 3] {
        self.ground.steps.lowered(triangle, self.ground_triangle(triangle))
    }

    /// Whether a vertex is the end of a step: then the ground of its lower cells lies below it.
    #[inline]
    pub(crate) fn is_end_of_step(&self, vertex: VertexId) -> bool {
        self.ground.steps.is_end(vertex.0)
    }

    /// Whether the ground of some cells lies below their vertices.
    #[inline]
    pub(crate) fn has_lowered_ground(&self) -> bool {
        !self.ground.steps.is_empty()
    }

    /// The corners of a triangle of the ground as the mesh has them, counter-clockwise seen from above.
    #[inline]
    pub fn ground_triangle(&self, triangle: u32) -> [DVec3; 3] {
        self.raw.ground_triangle(triangle)
    }

    /// The triangles of a cell's list that may hold a point.
    #[inline]
    fn ground_near(&self, cell: CellId, p: DVec2) -> &[u32] {
        match self.ground.grid(cell) {
            Some(grid) => grid.at(p),
            None => self.ground_list(cell),
        }
    }
}
