//! What somebody hands over as a surface known by its lengths.

use super::SurfaceMesh;
use crate::SurfaceError;
use wayfare_core::RepairReport;

/// Triangles with lengths instead of positions; nothing is promised yet.
///
/// Without `joints`, sides with the same two vertices are one edge. With them, two edges may run between the same
/// two vertices, as on a base mesh whose charts meet twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawSurface {
    /// Number of vertices.
    pub vertices: usize,
    /// Three vertices each.
    pub faces: Vec<[u32; 3]>,
    /// Per face the lengths of its sides, from corner `k` to the next [m]; both sides of an edge say the same.
    pub lengths: Vec<[f64; 3]>,
    /// Per face and side the half-edge `3 f + k` that it is joined to.
    pub joints: Option<Vec<[Option<u32>; 3]>>,
}

impl RawSurface {
    /// The surface, and what was set aside, cut and opened on the way (as in [`SurfaceMesh::build`]).
    pub fn validate(self) -> Result<(SurfaceMesh, RepairReport), SurfaceError> {
        super::build::from_raw(&self)
    }
}
