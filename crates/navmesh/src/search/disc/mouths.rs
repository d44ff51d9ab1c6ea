//! Up to which radius a dead end is one for a disc.
//!
//! A shortest path between two points outside a dead end has no business in it, if the disc can go straight across its
//! mouth instead: if every point of the mouth that is the radius away from both ends is free. That is so up to the
//! mouth's critical radius. For larger discs the path may bulge into the dead end round a corner, so it is searched.

use super::super::faces::{Faces, SEALED};
use crate::{
    clearance::Clearances,
    mesh::{CornerId, NavMesh},
};

/// Radii up to which dead ends are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mouths {
    /// Of each edge that leads down into a dead end [m]; 0 for all others.
    edges: Vec<f64>,
}

impl Mouths {
    pub fn of(mesh: &NavMesh, faces: &Faces, clearances: &Clearances<'_>) -> Self {
        let mut mouths = Self { edges: vec![0.0; faces.edges.len()] };
        for (k, edge) in faces.edges.iter().enumerate().filter(|(_, edge)| edge.flags & SEALED != 0) {
            let ends = [edge.vertex, faces.edges[faces.next(k as u32) as usize].vertex];
            let is_same = |&corner: &CornerId| mesh.edge(corner).map(|vertex| vertex.0) == ends;
            let corner = mesh.corners(faces.cell(edge.face)).find(is_same);
            // An edge inside a cell is no portal: nothing is known of it.
            let portal = corner.and_then(|corner| mesh.portal_at(corner));
            mouths.edges[k] = portal.map_or(0.0, |portal| clearances.data().critical_radius(portal));
        }
        mouths
    }

    /// Whether a disc may pass by a dead end behind an edge.
    #[inline]
    pub fn is_closed(&self, edge: u32, radius: f64) -> bool {
        self.edges[edge as usize] >= radius
    }
}
