//! The everyday calls: what a game asks many times in every frame, each for a body of any radius.
//!
//! | file | call |
//! |---|---|
//! | `raycast` | how far a body goes straight, and what stops it |
//! | `slide` | a step that slides along what is in the way |
//! | `nearest_wall` | how far the nearest obstacle is, and in which direction |
//!
//! `line` follows a straight line from face to face, `touch` says when a moving disc touches a feature of the boundary. One
//! rule for all, the same as for paths: a body is free where nothing is nearer than its radius less
//! [`crate::FREE_SLACK`]. Distances are in plan; on several storeys a call stays on the ground that it began on.

mod line;
mod nearest_wall;
mod raycast;
mod slide;
mod touch;

pub use nearest_wall::NearWall;
pub use raycast::Cast;
pub use slide::Moved;

use crate::{
    Body, End, FREE_SLACK, LocateConfig, NoPath, PathFinder,
    mesh::{CellId, CornerId, NavMesh, PortalId},
    search::faces::NONE,
};
use line::Line;
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};

/// What stops a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// An edge or a corner of the ground beside which there is none.
    Wall,
    /// An edge of the ground at which whoever goes on falls.
    Drop,
    /// A portal that is blocked, or one to a cell that is.
    Blocked(PortalId),
    /// A portal to ground with a tag that this body may not walk on.
    Forbidden(PortalId),
}

/// Where a body touches what stops it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// What stops it.
    pub obstacle: Obstacle,
    /// The place of the obstacle that is touched.
    pub point: DVec3,
    /// From there towards the body, in plan, of length 1.
    pub normal: DVec2,
    /// The edge of the mesh that is touched, or that starts at the corner that is.
    pub edge: CornerId,
}

/// A point of a face.
#[derive(Clone, Copy, Debug)]
struct Stand {
    face: u32,
    at: DVec2,
}

/// Which edge of the faces, in plan.
#[derive(Clone, Copy, Debug)]
struct Touch {
    obstacle: Obstacle,
    point: DVec2,
    normal: DVec2,
    edge: CornerId,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// Where a body stands that is about to go straight to `to`.
    fn stand(&self, body: &Body, from: DVec3, to: DVec2, config: &LocateConfig) -> Result<Stand, NoPath> {
        let off_mesh = NoPath::OffMesh { which: End::Start, at: from };
        let location = self.mesh.locate(from, config).ok_or(off_mesh)?;
        let at = location.point.truncate();
        if let Some(radius) = self.radius(body) {
            let clearances = self.mesh.clearances().ok_or(NoPath::NoClearance)?;
            let available = clearances.at(location.cell, at).map_or(f64::INFINITY, |place| place.distance);
            if available < radius - self.slack() {
                let at = location.point;
                return Err(NoPath::TooTight { which: End::Start, at, needed: radius, available });
            }
        }
        // On an edge or a vertex several faces hold the point: one that leads on, if there is one.
        let orient = self.faces.orient.with(at);
        let cells = self.mesh.cells_of(&location);
        let faces = cells.flat_map(|cell| self.faces.faces_of(cell));
        let mut faces = faces.filter(|&face| self.faces.contains(orient, face, at));
        let first = faces.next().unwrap_or(self.faces.faces_of(location.cell).start);
        let leads_on = |&face: &u32| {
            Line::new(&self.faces, Stand { face, at }, to).leads_on(|edge| self.stops(body, edge).is_none())
        };
        let face = Some(first).filter(leads_on).or_else(|| faces.find(leads_on)).unwrap_or(first);
        Ok(Stand { face, at })
    }

    /// The radius of a body, if it has one to speak of.
    fn radius(&self, body: &Body) -> Option<f64> {
        (body.radius > self.slack()).then_some(body.radius)
    }

    /// How much nearer than its radius a body may be [m]: rounding, which far from the origin is more than usual.
    fn slack(&self) -> f64 {
        FREE_SLACK.max(self.mesh.tolerance().on_line / 64.0)
    }

    /// What stops a body from crossing an edge of a face, nothing if it may.
    fn stops(&self, _body: &Body, edge: u32) -> Option<Obstacle> {
        let corner = &self.faces.edges[edge as usize];
        (corner.twin == NONE).then(|| self.kind(self.corner_of(edge)))
    }

    /// The edge of the mesh that an edge of a face at a wall or a portal is.
    fn corner_of(&self, edge: u32) -> CornerId {
        let faces = &self.faces;
        let (here, next) = (&faces.edges[edge as usize], &faces.edges[faces.next(edge) as usize]);
        let corners = self.mesh.corners(faces.cell(here.face));
        let is_it = |corner: &CornerId| self.mesh.edge(*corner).map(|v| v.0) == [here.vertex, next.vertex];
        let mut corners = corners.filter(is_it);
        // Edges between the pieces of a cell are no edges of the mesh; nothing stops there.
        corners.next().unwrap_or(CornerId(NONE))
    }

    /// Whether an edge of the boundary is a wall or a drop.
    fn kind(&self, edge: CornerId) -> Obstacle {
        if self.mesh.drop_depth(edge) > 0.0 { Obstacle::Drop } else { Obstacle::Wall }
    }

    /// A point that lies in a face but for rounding, in a face of the same cell.
    fn settled(&self, stand: Stand) -> Stand {
        let Stand { face, at } = stand;
        let is_in = |face: u32, at: DVec2| self.faces.contains(self.faces.orient.with(at), face, at);
        if is_in(face, at) {
            return stand;
        }
        let cell = self.faces.cell(face);
        let at = self.mesh.moved_inside(cell, at.extend(0.0)).truncate();
        let face = self.faces.faces_of(cell).find(|&face| is_in(face, at)).unwrap_or(face);
        Stand { face, at }
    }

    /// A place with its height, and its cell.
    fn on_ground(&self, stand: Stand) -> (DVec3, CellId) {
        let cell = self.faces.cell(stand.face);
        (stand.at.extend(self.mesh.height(cell, stand.at)), cell)
    }

    fn contact(&self, touch: Touch) -> Contact {
        let Touch { obstacle, point, normal, edge } = touch;
        let z = self.mesh.height(self.mesh.cell_of_corner(edge), point);
        Contact { obstacle, point: point.extend(z), normal, edge }
    }
}
