//! The everyday calls: what a game asks many times in every frame, each for a body of any radius.
//!
//! | file | call |
//! |---|---|
//! | `raycast` | how far a body goes straight, and what stops it |
//! | `slide` | a step that slides along what is in the way |
//! | `nearest_wall` | how far the nearest obstacle is, and in which direction |
//! | `random_point` | a point by lot, evenly by area |
//! | `nearest_reachable` | the place nearest to a goal that a body can get to, or at which it fits |
//!
//! `line` follows a straight line from face to face, `touch` says when a moving disc touches a feature of the boundary,
//! `closed` finds closed portals beside it, `areas` is the ground in triangles.
//!
//! One rule for all, the same as for paths: a body is free where nothing is nearer than its radius less
//! [`crate::FREE_SLACK`]; what is closed or forbidden to it is a wall. Distances are in plan; on several storeys a call
//! stays on the ground that it began on. A body that overhangs drops asks [`crate::Walls`] where others ask the clearance.

mod areas;
pub(crate) mod closed;
mod line;
mod nearest_reachable;
mod nearest_wall;
mod random_point;
mod raycast;
mod slide;
mod touch;

pub(crate) use areas::Areas;
pub use nearest_reachable::Reachable;
pub use nearest_wall::NearWall;
pub use random_point::{RandomPoints, Within};
pub use raycast::Cast;
pub use slide::Moved;

use crate::{
    Body, Closed, End, FREE_SLACK, LocateConfig, NoPath, PathFinder,
    ledge::Walls,
    mesh::{CellId, CornerId, NavMesh},
    search::{faces::NONE, limits::Limits},
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
    /// Something that is closed for now.
    Blocked(Closed),
    /// Ground with a tag that is forbidden to the body, by its number in [`NavMesh::tag_names`].
    TagForbidden(u8),
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

/// A contact in plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    obstacle: Obstacle,
    point: DVec2,
    normal: DVec2,
    edge: CornerId,
}

/// A point of a face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    pub face: u32,
    pub at: DVec2,
}

/// A body as the calls need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker<'a> {
    /// Its radius, if it has one to speak of.
    pub radius: Option<f64>,
    /// How much nearer it may be [m].
    pub slack: f64,
    pub limits: Option<Limits<'a>>,
    /// What it keeps its radius from, if it may overhang drops; else that is all of the boundary.
    pub walls: Option<&'a Walls>,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// What is asked for a body; fails if the mesh does not know enough.
    pub(crate) fn walker(&self, body: &Body) -> Result<Walker<'_>, NoPath> {
        // Rounding, which far from the origin is more than usual.
        let slack = FREE_SLACK.max(self.mesh.tolerance().on_line / 64.0);
        let radius = (body.radius > slack).then_some(body.radius);
        let walls = body.overhangs.then(|| self.walls());
        if radius.is_some() && walls.is_none() && self.mesh.clearance().is_none() {
            return Err(NoPath::NoClearance);
        }
        Ok(Walker { radius, slack, limits: self.limits(body), walls })
    }

    /// Where a body stands that is about to go straight to `to`.
    fn stand(
        &self,
        walker: &Walker<'_>,
        from: DVec3,
        to: DVec2,
        config: &LocateConfig,
    ) -> Result<Stand, NoPath> {
        let off_mesh = NoPath::OffMesh { which: End::Start, at: from };
        let location = self.mesh.locate(from, config).ok_or(off_mesh)?;
        let (point, at) = (location.point, location.point.truncate());
        // On an edge or a vertex several faces hold the point: one that leads on, if there is one.
        let orient = self.faces.orient.with(at);
        let cells = self.mesh.cells_of(&location).filter(|&cell| walker.may_be_in(cell));
        let faces = cells.flat_map(|cell| self.faces.faces_of(cell));
        let mut faces = faces.filter(|&face| self.faces.contains(orient, face, at));
        let first = match (faces.next(), walker.limits) {
            (Some(face), _) => face,
            (None, Some(limits)) if !limits.allows_cell(location.cell) => {
                return Err(limits.why_not_in(location.cell, point));
            }
            (None, _) => self.faces.faces_of(location.cell).start,
        };
        let leads_on = |&face: &u32| {
            let line = Line::new(&self.faces, Stand { face, at }, to);
            line.leads_on(|edge| self.is_open(walker, edge))
        };
        let face = Some(first).filter(leads_on).or_else(|| faces.find(leads_on)).unwrap_or(first);
        let stand = Stand { face, at };
        match walker.radius.map(|needed| (needed, self.room(walker, stand, needed))) {
            Some((needed, available)) if available < needed - walker.slack => {
                Err(NoPath::TooTight { which: End::Start, at: point, needed, available })
            }
            _ => Ok(stand),
        }
    }

    /// How far the nearest obstacle is from a place, as far as a radius matters [m].
    pub(crate) fn room(&self, walker: &Walker<'_>, stand: Stand, radius: f64) -> f64 {
        let cell = self.faces.cell(stand.face);
        let mut room = match walker.walls {
            Some(walls) => walls.at(self.on_ground(stand).0),
            None => {
                let place = self.mesh.clearances().and_then(|clearances| clearances.at(cell, stand.at));
                place.map_or(f64::INFINITY, |place| place.distance)
            }
        };
        if let Some(limits) = &walker.limits {
            closed::for_each_near(limits, cell, [stand.at; 2], radius, |_, distance| {
                room = room.min(distance)
            });
        }
        room
    }

    /// Whether a body has room at a place.
    fn fits(&self, walker: &Walker<'_>, stand: Stand) -> bool {
        walker.radius.is_none_or(|radius| self.room(walker, stand, radius) >= radius - walker.slack)
    }

    /// Whether a body may cross an edge of a face with its centre.
    pub(crate) fn is_open(&self, walker: &Walker<'_>, edge: u32) -> bool {
        let twin = self.faces.edges[edge as usize].twin;
        twin != NONE && walker.limits.is_none_or(|limits| limits.may_enter_by(&self.faces, twin))
    }

    /// The edge of the mesh that an edge of a face at a wall or a portal is.
    fn corner_of(&self, edge: u32) -> CornerId {
        let (faces, here) = (&self.faces, &self.faces.edges[edge as usize]);
        let ends = [here.vertex, faces.edges[faces.next(edge) as usize].vertex];
        let cell = faces.cell(here.face);
        let mut corners = self.mesh.corners(cell);
        let found = corners.find(|&corner| self.mesh.edge(corner).map(|vertex| vertex.0) == ends);
        // Nothing stops at an edge between the pieces of a cell.
        found.unwrap_or(CornerId(self.mesh.corner_range(cell).start as u32))
    }

    /// What an edge of the mesh is to a body that cannot cross it.
    fn obstacle(&self, walker: &Walker<'_>, edge: CornerId) -> Obstacle {
        let across = self.mesh.portal_at(edge).zip(self.mesh.neighbour(edge)).zip(walker.limits);
        match across {
            Some(((portal, into), limits)) => match limits.why_not_across(portal, into, DVec3::ZERO) {
                NoPath::TagForbidden { tag, .. } => Obstacle::TagForbidden(tag),
                NoPath::Blocked { what, .. } => Obstacle::Blocked(what),
                _ => Obstacle::Blocked(Closed::Portal(portal)),
            },
            None if self.mesh.drop_depth(edge) > 0.0 => Obstacle::Drop,
            None => Obstacle::Wall,
        }
    }

    /// A point that lies in a face but for rounding, in a face of the same cell.
    pub(crate) fn settled(&self, stand: Stand) -> Stand {
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
    pub(crate) fn on_ground(&self, stand: Stand) -> (DVec3, CellId) {
        let cell = self.faces.cell(stand.face);
        (stand.at.extend(self.mesh.height(cell, stand.at)), cell)
    }

    fn contact(&self, touch: Touch) -> Contact {
        let Touch { obstacle, point, normal, edge } = touch;
        let z = self.mesh.height(self.mesh.cell_of_corner(edge), point);
        Contact { obstacle, point: point.extend(z), normal, edge }
    }
}

impl Walker<'_> {
    fn may_be_in(&self, cell: CellId) -> bool {
        self.limits.is_none_or(|limits| limits.allows_cell(cell))
    }
    /// The same without a radius.
    pub(crate) fn as_point(&self) -> Self {
        Self { radius: None, ..*self }
    }
}
