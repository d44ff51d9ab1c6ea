//! The walls of a mesh as closed rings.
//!
//! Idea: from a boundary edge, turn round its end vertex through the portals until the next boundary
//! edge: that keeps the ground on the left, also where several fans share one vertex.
//! Needs N2 (portals are mutual). Every boundary edge is in exactly one ring.
//! Cost: O(corners), deterministic.

use wayfare_core::{Id as _, IdVec};
use wayfare_navmesh::{CornerId, NavMesh, VertexId};

/// The boundary of the walkable ground as rings of vertices with the ground on the left: outlines run
/// counter-clockwise, holes clockwise.
pub fn boundary_rings(mesh: &NavMesh) -> Vec<Vec<VertexId>> {
    let mut next_in_cell: IdVec<CornerId, CornerId> = IdVec::default();
    for cell in mesh.cells() {
        let range = mesh.corner_range(cell);
        for corner in range.clone() {
            next_in_cell.push(CornerId::new(if corner + 1 == range.end { range.start } else { corner + 1 }));
        }
    }
    let mut seen = vec![false; next_in_cell.len()];
    let mut rings = Vec::new();
    for seed in next_in_cell.ids() {
        if seen[seed.index()] || mesh.portal_at(seed).is_some() {
            continue;
        }
        let mut ring = Vec::new();
        let mut corner = seed;
        while !seen[corner.index()] {
            seen[corner.index()] = true;
            ring.push(mesh.corner_vertex(corner));
            corner = next_in_cell[corner];
            while let Some(portal) = mesh.portal_at(corner) {
                let [one, other] = mesh.portals()[portal];
                corner = next_in_cell[if one == corner { other } else { one }];
            }
        }
        rings.push(ring);
    }
    rings
}
