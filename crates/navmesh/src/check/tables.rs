//! The search tables of a mesh: they follow from it, so they are made again and must be the same.

use crate::{
    mesh::NavMesh,
    search::{Accelerator, AcceleratorConfig},
};
use wayfare_core::defects::Defects;

/// Compares the tables of the mesh, if it has some, with those that it should have.
pub(super) fn check(mesh: &NavMesh, defects: &mut Defects) {
    let Some(tables) = &mesh.accelerator else { return };
    if let Some(fault) = fault(tables, mesh) {
        defects.add("tables", "search tables", || fault.into());
    }
}

fn fault(tables: &Accelerator, mesh: &NavMesh) -> Option<&'static str> {
    // Whether they are worth their while was decided by those who made them; what they may be at most is bounded
    // all the same, by a multiple of what they are.
    let size = 8 * tables.bytes().div_ceil(mesh.raw.corners.len().max(1));
    let default = AcceleratorConfig::default();
    let config = AcceleratorConfig {
        min_core_cells: 0,
        max_bytes_per_corner: size.max(default.max_bytes_per_corner),
        ..default
    };
    match Accelerator::build_with(mesh, &config) {
        None => Some("do not fit the mesh"),
        Some(right) if right == *tables => None,
        Some(right) if right.corner_count() != tables.corner_count() => Some("belong to another mesh"),
        Some(right) if right.graph != tables.graph => Some("have other edges than the mesh"),
        Some(right) if right.landmarks != tables.landmarks => Some("have other distances than the mesh"),
        Some(_) => Some("belong to another mesh"),
    }
}
