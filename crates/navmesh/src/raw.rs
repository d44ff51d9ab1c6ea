//! What a decomposer, an importer or a file hands over; nothing is promised yet.

use std::ops::Range;
use wayfare_core::DVec3;

/// In [`RawNavMesh::neighbours`]: the edge is boundary.
pub const NO_CELL: u32 = u32::MAX;

/// In [`RawNavMesh::vertex_flags`]: the vertex splits a straight wall. It was rounded to doubles, so it may
/// lie a hair off the wall, but it is never a notch and no path ever turns at it.
pub const SPLIT_POINT: u8 = 1;

/// A navigation mesh before its invariants are checked; [`RawNavMesh::validate`] makes a
/// [`crate::NavMesh`] of it.
///
/// Lists of lists are offsets and one flat array: the corners of cell `c` are
/// `corners[cell_starts[c]..cell_starts[c + 1]]`, counter-clockwise seen from above.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawNavMesh {
    /// Positions. Where free space touches itself in a point there is one vertex per fan.
    pub vertices: Vec<DVec3>,
    /// [`SPLIT_POINT`] or 0, one per vertex.
    pub vertex_flags: Vec<u8>,
    /// Where each cell's corners start; one more entry than cells.
    pub cell_starts: Vec<u32>,
    /// The vertex of each corner.
    pub corners: Vec<u32>,
    /// For each corner, the cell across the edge from it to the cell's next corner, or [`NO_CELL`].
    pub neighbours: Vec<u32>,
    /// Index into `tag_names`, one per cell.
    pub tags: Vec<u8>,
    /// Area tags; a map without tags has the single name `""`.
    pub tag_names: Vec<String>,
    /// Storey of each cell.
    pub storeys: Vec<u32>,
    /// The relaxation that was asked for [m]: no ignored notch is deeper.
    pub convex_distance: f64,
    /// For each corner, how deep a body falls that goes on across the edge from it to the cell's next corner [m];
    /// infinite where nothing is below, 0 at walls and portals. Empty where there are no drops.
    pub drop_depths: Vec<f32>,
    /// Corners of the ground's triangles.
    pub ground_points: Vec<DVec3>,
    /// The ground as triangles, counter-clockwise, by numbers of `ground_points`; those on one storey do not overlap.
    pub ground_triangles: Vec<[u32; 3]>,
    /// Where each cell's part of `ground_lists` starts; one more entry than cells, or none at all where every cell's
    /// ground is the fan of its corners.
    pub ground_starts: Vec<u32>,
    /// The triangles that each cell's ground lies in, ascending; a cell without any has the fan of its corners.
    pub ground_lists: Vec<u32>,
    /// How far the ground may be from the heights that were sampled [m].
    pub heights_error: f64,
    /// For each cell how high and how far one has to step over the gap that it is a part of [m]; 0 and 0 for ground. Empty where
    /// there are no gaps.
    pub gaps: Vec<[f64; 2]>,
    /// For each corner how high the step across the edge from it to the cell's next corner is [m]; 0 where there is none.
    /// Empty where there are no steps.
    pub rises: Vec<f64>,
    /// For each corner how much room there is beyond the edge from it to the cell's next corner, where the ground goes on but something
    /// hangs too low [m]; 0 elsewhere. Empty where nothing does.
    pub head_rooms: Vec<f32>,
    /// Step, widest gap and height of the body that it was made for [m], if that is known.
    pub reach: Option<[f64; 3]>,
    /// Imported meshes may have inner vertices (N5).
    pub imported: bool,
}

impl RawNavMesh {
    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.cell_starts.len().saturating_sub(1)
    }

    /// The corners of a cell; only for starts that were checked.
    #[inline]
    pub(crate) fn corner_range(&self, cell: usize) -> Range<usize> {
        self.cell_starts[cell] as usize..self.cell_starts[cell + 1] as usize
    }
}
