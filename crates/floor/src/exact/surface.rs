//! The walkable surface of a scene: what a body can stand on, as triangles that are joined by the numbers of their corners.

use crate::Stride;
use wayfare_core::{DVec2, DVec3, IdVec, id_type};

id_type!(
    /// A vertex of a walkable surface; one per fan of ground: where ground only touches itself in a point or lies on both
    /// sides of a wall without thickness, there are several at the same place.
    SurfaceVertexId
);
id_type!(
    /// A patch: triangles of the scene that lie in one plane and hang together.
    PatchId
);

/// No half-edge: what lies across an edge of the border.
pub const NO_HALF_EDGE: u32 = u32::MAX;

/// A plane that is not upright, as the height over every place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane {
    /// The place that heights are counted from [m]: near the patch, so that no digits are lost far from the origin.
    pub origin: DVec2,
    /// The height there [m].
    pub height: f64,
    /// Metres up per metre along x and along y.
    pub slope: DVec2,
}

impl Plane {
    /// The height over a place [m].
    pub fn height_at(&self, place: DVec2) -> f64 {
        self.height + (place - self.origin).dot(self.slope)
    }
}

/// A patch of the scene's ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Its plane; its triangles are within 0.1 mm of it.
    pub plane: Plane,
    /// Its tag, an index into [`WalkableSurface::tag_names`].
    pub tag: u8,
    /// The scene's triangles that it is made of, ascending.
    pub scene_triangles: Vec<u32>,
    /// Set if this is no ground but a gap that one steps over. Such a patch need not lie in one plane.
    pub gap: Option<Stride>,
}

/// A triangle of the surface, counter-clockwise seen from above, never without area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceTriangle {
    /// Its corners. Half-edge `3 t + k` of triangle `t` runs from corner `k` to the next one.
    pub corners: [SurfaceVertexId; 3],
    /// The patch that it lies in.
    pub patch: PatchId,
}

/// Why the surface ends along an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// The scene's ground ends there.
    Rim,
    /// Something stands there or hangs lower than head room: the ground goes on below it, but nobody can stand there.
    Cut {
        /// The scene's triangle, of several the lowest.
        by: u32,
    },
    /// Head room ends there, in mid-air: what hangs over the ground comes too low.
    HeadRoom {
        /// The scene's triangle that hangs over the ground.
        by: u32,
    },
    /// A wall without thickness stands on ground that goes on behind it: the edge has another side at the same place,
    /// with vertices of its own.
    Slit,
}

/// An edge of the surface's border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderEdge {
    /// The half-edge, with the ground on its left.
    pub half_edge: u32,
    /// Why the surface ends there.
    pub origin: Origin,
    /// What stands on this very edge, in the height of a body over the ground of this side: the heights from where to
    /// where [m]. Walls without thickness that end here, and what cuts the ground off here.
    pub obstacle: Option<[f64; 2]>,
}

/// Two edges of the border at the same place in plan with the ground at different heights, close enough for a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Riser {
    /// The half-edge of the lower ground.
    pub lower: u32,
    /// The half-edge of the higher ground; it runs back along the lower one.
    pub upper: u32,
    /// How far up it goes at the start and at the end of the lower half-edge [m].
    pub rise: [f64; 2],
    /// How far over the lower ground the top of what stands there is [m]: the rise itself, or more where one steps over
    /// something. No more than the step.
    pub over: f64,
}

/// Risers no higher than this are even ground in a plan [m]: nobody stumbles.
const EVEN: f64 = 0.01;

impl Riser {
    /// Whether it is high enough to be a step in a plan.
    pub fn is_step(&self) -> bool {
        self.over > EVEN
    }
}

/// What a body can stand on: triangles under the slope limit without the parts that lack head room (seed 002, III.B).
///
/// W1 triangles are counter-clockwise in plan and have an area; they lie in the planes of their patches. W2 a half-edge and its
/// twin join the same two vertices in opposite directions; both sides are at the same height, to 2 mm. W3 triangles
/// of one patch do not overlap in plan. W4 the triangles round a vertex are one fan. W5 every half-edge without twin is an edge
/// of the border and in one cycle; a cycle goes round its ground and keeps apart from others that it only touches.
/// W6 the two sides of a riser are at the same place in plan, to the bit, and the step goes up from the lower to the upper, between
/// their vertices by no more than the highest step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WalkableSurface {
    /// Positions [m].
    pub vertices: IdVec<SurfaceVertexId, DVec3>,
    /// The patches.
    pub patches: IdVec<PatchId, Patch>,
    /// The triangles, by patch.
    pub triangles: Vec<SurfaceTriangle>,
    /// The half-edge across each half-edge, or [`NO_HALF_EDGE`]: flat joins.
    pub twins: Vec<u32>,
    /// The edges of the border, cycle by cycle, each in the direction of its half-edge.
    pub border: Vec<BorderEdge>,
    /// Where each cycle starts in `border`; one more entry than cycles.
    pub cycle_starts: Vec<u32>,
    /// The joins by a step up or down.
    pub risers: Vec<Riser>,
    /// Area tags, as of the scene.
    pub tag_names: Vec<String>,
    /// Distance of neighbouring points of the grid that places are rounded to [m].
    pub grid: f64,
    /// The same of the finest grid that there is for the scene [m].
    pub finest: f64,
}

impl WalkableSurface {
    /// The two vertices of a half-edge, in its direction.
    pub fn ends(&self, half_edge: u32) -> [SurfaceVertexId; 2] {
        let (corners, k) = (self.triangles[half_edge as usize / 3].corners, half_edge as usize % 3);
        [corners[k], corners[(k + 1) % 3]]
    }
    /// The two ends of a half-edge in space.
    pub fn segment(&self, half_edge: u32) -> [DVec3; 2] {
        self.ends(half_edge).map(|vertex| self.vertices[vertex])
    }
    /// The corners of a triangle in space.
    pub fn points(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].corners.map(|vertex| self.vertices[vertex])
    }
    /// The half-edge that follows in the same triangle.
    pub fn next(half_edge: u32) -> u32 {
        if half_edge % 3 == 2 { half_edge - 2 } else { half_edge + 1 }
    }
    /// The edges of each cycle of the border.
    pub fn cycles(&self) -> impl Iterator<Item = &[BorderEdge]> {
        self.cycle_starts.windows(2).map(|range| &self.border[range[0] as usize..range[1] as usize])
    }
    /// The gap that a triangle is a part of, named by its patch.
    pub fn gap_of(&self, triangle: u32) -> Option<PatchId> {
        let patch = self.triangles[triangle as usize].patch;
        self.patches[patch].gap.map(|_| patch)
    }
    /// The area in plan, with gaps [m²].
    pub fn area(&self) -> f64 {
        let twice = |t: usize| {
            let [a, b, c] = self.points(t).map(DVec3::truncate);
            (b - a).perp_dot(c - a)
        };
        (0..self.triangles.len()).map(twice).sum::<f64>() / 2.0
    }
    /// The component of each triangle, joined flat and, if asked for, by risers; numbered by their first triangles.
    pub fn components(&self, with_risers: bool) -> Vec<u32> {
        let mut parent: Vec<u32> = (0..self.triangles.len() as u32).collect();
        let flat = (0..self.twins.len() as u32).map(|h| [h, self.twins[h as usize]]);
        let flat = flat.filter(|pair| pair[1] != NO_HALF_EDGE);
        let risers = self.risers.iter().filter(|_| with_risers).map(|riser| [riser.lower, riser.upper]);
        for [a, b] in flat.chain(risers) {
            let [a, b] = [a, b].map(|h| root(&mut parent, h / 3));
            parent[a.max(b) as usize] = a.min(b);
        }
        let mut number = vec![u32::MAX; parent.len()];
        let mut count = 0;
        (0..parent.len() as u32)
            .map(|t| {
                let number = &mut number[root(&mut parent, t) as usize];
                if *number == u32::MAX {
                    *number = count;
                    count += 1;
                }
                *number
            })
            .collect()
    }
}

/// The representative of an element; paths are halved on the way.
pub(crate) fn root(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        parent[at as usize] = parent[parent[at as usize] as usize];
        at = parent[at as usize];
    }
    at
}
