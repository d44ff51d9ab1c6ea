//! Which cell an agent is in: from its last cell through the portals that it crossed.
//!
//! Idea: a step is short, so the new place is in the same cell or a few portals away. From the cell, one goes across an edge
//! that has the place on its other side, until there is none. Where rounding leads astray, the cells at that place are
//! asked, and one of them on the same storey is taken.
//! Invariants: an agent always has a cell that holds it; where nothing is found it stays where it was. Agents keep away
//! from walls by their radius, so that this does not happen.

use crate::walls::Walls;
use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;
use wayfare_navmesh::{CellId, NavMesh};

/// So many portals are crossed in one step at most.
const MOST: usize = 64;
/// How much higher or lower the ground may be after a step [m].
const STEP: f64 = 0.7;

/// The cell that holds `p` after a step from a place in `cell` at height `z`; nothing if it is not on the ground.
pub(crate) fn track(mesh: &NavMesh, walls: &Walls, mut cell: CellId, z: f64, p: DVec2) -> Option<CellId> {
    if mesh.contains(cell, p) {
        return Some(cell);
    }
    let mut entry = None;
    for _ in 0..MOST {
        let is_way = |&corner: &wayfare_navmesh::CornerId| {
            let [a, b] = walls.edge(corner.0);
            Some(corner) != entry && !walls.is_closed(corner) && orient(a, b, p) < 0.0
        };
        let Some(corner) = mesh.corners(cell).find(is_way) else { break };
        let Some(twin) = mesh.twin(corner) else { break };
        (cell, entry) = (mesh.cell_of_corner(twin), Some(twin));
        if mesh.contains(cell, p) {
            return Some(cell);
        }
    }
    mesh.cells_at(p, z - STEP..=z + STEP).next()
}
