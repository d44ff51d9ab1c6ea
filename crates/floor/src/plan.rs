//! The floor plan: what can be walked on, as layers of polygons with holes.

use wayfare_core::{DVec2, DVec3, IdVec, id_type};
use wayfare_geom::ring_area;

id_type!(
    /// A vertex of a floor plan; one per fan where free space touches itself in a point.
    PlanVertexId
);

/// What bounds the walkable ground along an edge (F4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeKind {
    /// An obstacle stands there.
    Wall,
}

impl EdgeKind {
    /// The number that stands for the kind in files.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Wall => 0,
        }
    }
    /// The kind of a number in a file.
    pub(crate) fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Wall),
            _ => None,
        }
    }
}

/// A closed chain of boundary edges with the walkable ground on its left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ring {
    /// The vertices; the last is joined to the first.
    pub vertices: Vec<PlanVertexId>,
    /// The kind of the edge that starts at each vertex.
    pub kinds: Vec<EdgeKind>,
}

/// A connected piece of walkable ground: one outline (counter-clockwise) and its holes (clockwise).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The outline.
    pub outer: Ring,
    /// The holes.
    pub holes: Vec<Ring>,
    /// Index into [`FloorPlan::tag_names`].
    pub tag: u8,
}

impl Region {
    /// Outline and holes.
    pub fn rings(&self) -> impl Iterator<Item = &Ring> {
        std::iter::once(&self.outer).chain(&self.holes)
    }
}

/// Regions that do not overlap seen from above (F3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// The regions.
    pub regions: Vec<Region>,
}

/// What can be walked on.
///
/// Rings are in canonical order (each starts at its lexicographically smallest vertex; holes and regions
/// are sorted by their rings), so that the same ground gives the same bytes however it was described.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloorPlan {
    /// Positions.
    pub vertices: IdVec<PlanVertexId, DVec3>,
    /// The layers.
    pub layers: Vec<Layer>,
    /// Area tags; a plan without tags has the single name `""`.
    pub tag_names: Vec<String>,
}

impl FloorPlan {
    /// The points of a ring in plan.
    pub fn ring_points(&self, ring: &Ring) -> Vec<DVec2> {
        ring.vertices.iter().map(|&v| self.vertices[v].truncate()).collect()
    }
    /// Walkable area in plan [m²].
    pub fn area(&self) -> f64 {
        let rings = self.layers.iter().flat_map(|layer| &layer.regions).flat_map(Region::rings);
        rings.map(|ring| ring_area(&self.ring_points(ring))).sum()
    }
}
