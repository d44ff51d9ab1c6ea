//! How far the obstacles are: at a point, along a line, on the widest way between two points; for a body of any radius.
//!
//! Idea: every point of the ground has a nearest feature of the boundary ([`feature`]) and lies on one of its rays. Along
//! the ray the distance grows until another feature is as near; how far that is, as a function of the parameter, is the
//! *reach* of the feature. It is made of arcs, one for each partner that ties, and where arcs meet lie nodes: all
//! reaches together are the Voronoi diagram of the boundary, seen from the boundary. `wayfare-bake` makes it.
//!
//! * **Clearance** at a point: the nearest of the features in the list of its cell, which holds all that are nearest
//!   to some point of the cell ([`Clearances::at`], [`Clearances::along`]).
//! * **Widest way**: climb the ray to the reach, then along the arc to the end at which it rises; the distance to the
//!   boundary never falls on the way, so two points are as good as the nodes where they arrive. Nodes hang in a
//!   tree by falling width, the bottlenecks of all pairs ([`Clearances::widest`], [`Clearances::is_reachable`],
//!   [`Clearances::narrow_places`]).
//! * **Turning** round a corner: as wide as its reach between two directions ([`Clearances::turn`]).
//!
//! Sources: Lee and Drysdale 1981, "Generalization of Voronoi diagrams in the plane" (sites as edges and corners);
//!   Kruskal 1956 for the tree. `docs/decisions/0007-reach-of-features.md` says why it is made this way.
//! All distances are in plan. Two places are apart if the ground is, even where one lies over the other.
//! Cost: a point O(list), 3 to 5 features on the mean; a widest way O(list + log n); nothing is allocated.

mod by_place;
mod data;
pub mod feature;
mod half_planes;
mod io;
mod line;
mod narrow;
mod place;
#[cfg(test)]
mod tests;
mod tree;
mod turn;
mod verify;

pub use data::{Arc, Clearance, ClearanceParts, ListRange, Node, NodeLink};
pub use feature::{Feature, FeatureId, FeatureKind, Features};
pub use line::LineClearance;
pub use place::PlaceClearance;
pub use tree::{Bottleneck, FREE_SLACK};

use crate::mesh::NavMesh;

/// Questions about distances to the boundary of a mesh that has its [`Clearance`].
#[derive(Clone, Copy, Debug)]
pub struct Clearances<'a> {
    pub(crate) mesh: &'a NavMesh,
    pub(crate) data: &'a Clearance,
}

impl NavMesh {
    /// Distances to the boundary, if they were made for this mesh.
    pub fn clearances(&self) -> Option<Clearances<'_>> {
        self.clearance.as_ref().map(|data| Clearances { mesh: self, data })
    }
    /// What is stored for [`NavMesh::clearances`].
    pub fn clearance(&self) -> Option<&Clearance> {
        self.clearance.as_ref()
    }
    /// Keeps clearance with the mesh, also in its file; it must have been made for this mesh.
    pub fn set_clearance(&mut self, clearance: Option<Clearance>) {
        self.clearance = clearance;
    }
}

impl<'a> Clearances<'a> {
    /// Asks clearance that is not kept with the mesh, but was made for it.
    pub fn of(mesh: &'a NavMesh, data: &'a Clearance) -> Self {
        Self { mesh, data }
    }
    /// What is stored.
    pub fn data(&self) -> &'a Clearance {
        self.data
    }
    /// The features of the boundary.
    pub fn features(&self) -> &'a Features {
        self.data.features()
    }
}
