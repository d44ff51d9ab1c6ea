//! The crossings of all cells, cell by cell; what they are: `wayfare_navmesh::Crossings`.
//!
//! Cells are independent of each other, so they run in parallel; the result does not depend on the number of threads.

use rayon::prelude::*;
use wayfare_core::Defect;
use wayfare_navmesh::{CellId, Clearance, Clearances, CrossingTable, NavMesh, Peak};

/// The table of a mesh with its clearance.
pub(super) fn build(mesh: &NavMesh, clearance: &Clearance) -> Result<CrossingTable, Vec<Defect>> {
    let clearances = Clearances::of(mesh, clearance);
    let cells: Vec<CellId> = mesh.cells().collect();
    let peaks: Vec<Vec<Peak>> =
        cells.par_iter().map(|&cell| CrossingTable::peaks_in_cell(clearances, cell)).collect();
    CrossingTable::from_cells(mesh, &peaks)
}
