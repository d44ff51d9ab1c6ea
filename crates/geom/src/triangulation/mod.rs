//! A triangulated plan as a planar subdivision with half-edges, and what can be asked of it and done to it.
//!
//! Half-edge `h` runs from its origin to the origin of its twin `h ^ 1`, with its triangle on the left. Edge
//! `h >> 1` is a wall (the plan's boundary), a portal (a cut that somebody chose) or a plain diagonal (there
//! only to make triangles). Walls have a triangle on one side only.
//!
//! Every vertex lies on the boundary and belongs to one fan: the triangles between its outgoing wall and its
//! incoming wall. Where free space touches itself in a point there are several vertices with equal
//! coordinates, one per fan, so that topology never leaks through a pinch point.
//!
//! Triangulations of several layers can be glued together; the surface may then overlap itself seen from above, and
//! everything still works, for nothing here asks what lies at a place: all of it walks from triangle to triangle.

mod build;
mod delaunay;
mod edit;
mod fill;
mod glue;
mod half_edges;
mod inner;
mod order;
mod wedge;

pub use build::TriangulationError;
pub use edit::PortalScratch;
pub use fill::Filling;
pub use glue::{GlueError, Glued};
pub use wedge::{Sight, Sighting, Wedge, WedgeScratch};

use half_edges::HalfEdges;
use wayfare_core::DVec2;

/// "No half-edge": what lies beyond a wall.
pub const NONE: u32 = u32::MAX;

/// What an edge of a [`Triangulation`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum EdgeRole {
    /// Only there to make triangles; may be flipped away.
    Diagonal,
    /// A chosen cut between two cells.
    Portal,
    /// The plan's boundary.
    Wall,
}

/// A triangulated plan with holes; see the module's text.
#[derive(Clone, Debug)]
pub struct Triangulation {
    points: Vec<DVec2>,
    edges: HalfEdges,
    /// Role of each edge.
    roles: Vec<EdgeRole>,
    /// The outgoing wall of each vertex, interior on its left.
    walls: Vec<u32>,
}

impl Triangulation {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.points.len()
    }
    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.roles.len()
    }
    /// Number of half-edges, including those outside the walls.
    pub fn half_edge_count(&self) -> usize {
        self.edges.len()
    }
    /// Position of a vertex.
    #[inline]
    pub fn point(&self, vertex: u32) -> DVec2 {
        self.points[vertex as usize]
    }
    /// All positions in vertex order.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }
    /// The vertex that a half-edge starts from.
    #[inline]
    pub fn origin(&self, h: u32) -> u32 {
        self.edges.origin(h)
    }
    /// The vertex that a half-edge runs to.
    #[inline]
    pub fn target(&self, h: u32) -> u32 {
        self.edges.target(h)
    }
    /// The half-edge that follows in the same triangle; [`NONE`] outside the walls.
    #[inline]
    pub fn next(&self, h: u32) -> u32 {
        self.edges.next(h)
    }
    /// The half-edge before `h` in its triangle.
    #[inline]
    pub fn prev(&self, h: u32) -> u32 {
        self.next(self.next(h))
    }
    /// What the edge of a half-edge is.
    #[inline]
    pub fn role(&self, h: u32) -> EdgeRole {
        self.roles[(h >> 1) as usize]
    }
    /// Whether a half-edge has a triangle on its left.
    #[inline]
    pub fn is_inside(&self, h: u32) -> bool {
        self.edges.next(h) != NONE
    }
    /// The outgoing wall of a vertex.
    #[inline]
    pub fn wall(&self, vertex: u32) -> u32 {
        self.walls[vertex as usize]
    }
    /// The next outgoing half-edge counter-clockwise round the origin of `h`; [`NONE`] past the incoming wall.
    #[inline]
    pub fn rotate(&self, h: u32) -> u32 {
        let before = self.prev(h);
        if self.role(before) == EdgeRole::Wall { NONE } else { before ^ 1 }
    }
    /// The half-edges that leave a vertex, counter-clockwise from its outgoing wall; the incoming wall, whose
    /// twin lies outside, is not among them.
    pub fn leaving(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let mut h = self.wall(vertex);
        std::iter::from_fn(move || {
            if h == NONE {
                return None;
            }
            let now = h;
            h = self.rotate(h);
            Some(now)
        })
    }
    /// The walls and portals round the cell left of a wall or portal, counter-clockwise from it.
    pub fn walk_cell(&self, start: u32, mut visit: impl FnMut(u32)) {
        let mut h = start;
        loop {
            visit(h);
            h = self.next(h);
            while self.role(h) == EdgeRole::Diagonal {
                h = self.next(h ^ 1);
            }
            if h == start {
                return;
            }
        }
    }
    /// The half-edge between two vertices, if they are joined.
    pub fn find_edge(&self, from: u32, to: u32) -> Option<u32> {
        self.leaving(from).find(|&h| self.target(h) == to)
    }
}
