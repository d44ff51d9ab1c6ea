//! The floor plan: what can be walked on, as layers of polygons with holes.

use wayfare_core::{DVec2, DVec3, IdVec, id_type};
use wayfare_geom::ring_area;

id_type!(
    /// A vertex of a floor plan; one per fan where free space touches itself in a point.
    PlanVertexId
);

/// What bounds a region along an edge (F4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeKind {
    /// An obstacle stands there.
    Wall,
    /// The ground ends: whoever goes on falls.
    Drop {
        /// How deep at most [m]; infinite where nothing is below.
        depth: f32,
    },
    /// The ground goes on, but what hangs over it leaves too little room. A wall to everybody.
    Low {
        /// The room that there is [m].
        height: f32,
    },
    /// The ground goes on in another layer, across an edge with the same two vertices (F2).
    Seam {
        /// The other layer.
        layer: u32,
        /// How high one steps there [m]; 0 where the ground just goes on.
        rise: f64,
    },
    /// The ground goes on in the same layer with another tag, across an edge with the same two vertices.
    TagBorder,
    /// A side of a gap, or a step: the ground goes on in the same layer, across an edge with the same two vertices, but one steps
    /// over it. The tags of the two sides may differ, too.
    Gap {
        /// How high one steps there [m]; 0 at the sides of a gap.
        rise: f64,
    },
}

impl EdgeKind {
    /// The ground goes on in another layer.
    pub fn seam(layer: u32) -> Self {
        Self::Seam { layer, rise: 0.0 }
    }
    /// Whether the ground goes on across the edge.
    pub fn is_shared(self) -> bool {
        matches!(self, Self::Seam { .. } | Self::TagBorder | Self::Gap { .. })
    }
    /// Whether the ground goes on across the edge in the same layer.
    pub fn is_border(self) -> bool {
        matches!(self, Self::TagBorder | Self::Gap { .. })
    }
    /// How high one steps across the edge [m]; 0 where one does not.
    pub fn rise(self) -> f64 {
        match self {
            Self::Seam { rise, .. } | Self::Gap { rise } => rise,
            _ => 0.0,
        }
    }
    /// The numbers that stand for the kind in files; the second is the depth of a drop or the layer across a seam.
    pub(crate) fn code(self) -> (u8, u32) {
        match self {
            Self::Wall => (0, 0),
            Self::Drop { depth } => (1, depth.to_bits()),
            Self::Seam { layer, rise: 0.0 } => (2, layer),
            Self::TagBorder => (3, 0),
            Self::Gap { .. } => (4, 0),
            Self::Seam { layer, .. } => (5, layer),
            Self::Low { height } => (6, height.to_bits()),
        }
    }
    /// Whether the kind of a code has a rise in a file.
    pub(crate) fn has_rise(code: u8) -> bool {
        code == 4 || code == 5
    }
    /// The kind of the numbers in a file.
    pub(crate) fn from_code(code: u8, value: u32, rise: f64) -> Option<Self> {
        match code {
            0 => Some(Self::Wall),
            1 => Some(Self::Drop { depth: f32::from_bits(value) }).filter(|_| f32::from_bits(value) >= 0.0),
            2 => Some(Self::seam(value)),
            3 => Some(Self::TagBorder),
            4 => Some(Self::Gap { rise }),
            5 => Some(Self::Seam { layer: value, rise }),
            6 => Some(Self::Low { height: f32::from_bits(value) }).filter(|_| f32::from_bits(value) >= 0.0),
            _ => None,
        }
    }
}

/// What a body has to manage to step over a gap: at most that, wherever it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stride {
    /// How high [m].
    pub rise: f64,
    /// How far, seen from above [m].
    pub width: f64,
}

/// The body that a plan was made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The highest step that it takes [m].
    pub step: f64,
    /// The widest gap that it steps over, seen from above [m].
    pub max_gap: f64,
    /// Head room that it needs [m].
    pub height: f64,
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
    /// Set if this is no ground but a gap that one steps over.
    pub gap: Option<Stride>,
    /// The ground as triangles, counter-clockwise, that fill the region; empty for level ground. Corner `k` is vertex
    /// `k` of the plan, or from the number of vertices on one of [`FloorPlan::ground_points`].
    pub ground: Vec<[u32; 3]>,
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
    /// Further corners of the ground's triangles: inside regions and on their edges. Regions that share an edge share
    /// the points on it.
    pub ground_points: Vec<DVec3>,
    /// How far the ground's triangles may be from the heights that were sampled [m].
    pub heights_error: f64,
    /// Whom it was made for, where gaps and steps are told.
    pub reach: Option<Reach>,
}

impl FloorPlan {
    /// The points of a ring in plan.
    pub fn ring_points(&self, ring: &Ring) -> Vec<DVec2> {
        ring.vertices.iter().map(|&v| self.vertices[v].truncate()).collect()
    }
    /// All regions, layer by layer.
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        self.layers.iter().flat_map(|layer| &layer.regions)
    }
    /// Walkable area in plan, without gaps [m²].
    pub fn area(&self) -> f64 {
        self.regions().filter(|region| region.gap.is_none()).map(|region| self.region_area(region)).sum()
    }
    /// Area of all gaps in plan [m²].
    pub fn gap_area(&self) -> f64 {
        let gaps = self.regions().filter(|region| region.gap.is_some());
        // No gaps have no area, not minus none.
        gaps.map(|region| self.region_area(region)).fold(0.0, |sum, area| sum + area)
    }
    fn region_area(&self, region: &Region) -> f64 {
        region.rings().map(|ring| ring_area(&self.ring_points(ring))).sum()
    }
}
