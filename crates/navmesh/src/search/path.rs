//! What a path query answers.

use super::disc::PlanPiece;
use crate::mesh::{CellId, ComponentId, PortalId};
use wayfare_core::{DVec2, DVec3};

/// A shortest path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// From start to goal along the ground: every turn, and on ground that is not level also where cells join.
    pub points: Vec<DVec3>,
    /// The path in plan: lines, and arcs round corners where the body has a radius.
    pub pieces: Vec<PlanPiece>,
    /// Radius of the body that it is for [m].
    pub radius: f64,
    /// Smallest distance to the boundary along the path [m], if it was asked for or the body has a radius.
    pub clearance: Option<f64>,
    /// Length in plan [m]; what is minimal.
    pub plan_length: f64,
    /// What it costs by a [`super::Preference`], if one was asked for: that is minimal then.
    pub cost: Option<f64>,
    /// Length of `points` [m].
    pub length: f64,
    /// The corridor: the cells that the path goes through, in order.
    pub cells: Vec<CellId>,
    /// Where it crosses steps and sides of gaps, in order.
    pub crossed: Vec<Crossed>,
    /// Nodes that the search expanded.
    pub expanded: u32,
    /// How far start and goal were moved onto the mesh [m].
    pub snapped: [f64; 2],
}

/// Where a path crosses a step or a side of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossed {
    /// The portal.
    pub portal: PortalId,
    /// The cell that it enters.
    pub into: CellId,
    /// Where; at a step on the higher ground.
    pub at: DVec3,
}

/// A shortest path in plan, lent from the scratch memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanPath<'a> {
    /// Start, every turn, goal.
    pub points: &'a [DVec2],
    /// Length [m].
    pub length: f64,
    /// Nodes that the search expanded.
    pub expanded: u32,
}

/// One of the two ends of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where the path starts.
    Start,
    /// Where it ends.
    Goal,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Goal => "goal",
        })
    }
}

/// What is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// A cell.
    Cell(CellId),
    /// A portal.
    Portal(PortalId),
}

/// Why there is no path.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPath {
    /// An end is not on the mesh, nor near enough to be moved to it.
    #[error("the {which} ({}, {}, {}) is not on the mesh", at.x, at.y, at.z)]
    OffMesh {
        /// Which end.
        which: End,
        /// Where it was asked for.
        at: DVec3,
    },
    /// An end is nearer to the boundary than the body's radius.
    #[error("the {which} is {available:.3} m from the nearest obstacle, this body needs {needed:.3} m")]
    TooTight {
        /// Which end.
        which: End,
        /// Where it is.
        at: DVec3,
        /// The body's radius [m].
        needed: f64,
        /// Distance to the boundary [m].
        available: f64,
    },
    /// Every way between the ends is too narrow for the body.
    #[error("too narrow at ({:.3}, {:.3}, {:.3}): {:.3} m wide, this body needs {:.3} m", at.x, at.y, at.z, 2.0 * available, 2.0 * needed)]
    TooNarrow {
        /// The narrowest place of the widest way.
        at: DVec3,
        /// The body's radius [m].
        needed: f64,
        /// The largest radius that gets through [m].
        available: f64,
    },
    /// The mesh does not know its clearance, so that only points can be sent over it.
    #[error("the mesh holds no clearance: bake it with clearance to ask for a radius")]
    NoClearance,
    /// Every way between the ends goes through something that is closed ([`crate::Blocks`]).
    #[error("blocked at ({:.3}, {:.3}, {:.3}): it is closed there", at.x, at.y, at.z)]
    Blocked {
        /// Where the shortest way meets it; an end that lies in a closed cell.
        at: DVec3,
        /// What is closed.
        what: Closed,
    },
    /// Every way between the ends goes over ground with a tag that is forbidden to the body.
    #[error("the only way goes over forbidden ground at ({:.3}, {:.3}, {:.3})", at.x, at.y, at.z)]
    TagForbidden {
        /// Where the shortest way enters such ground; an end that lies on it.
        at: DVec3,
        /// Number of the tag in [`crate::NavMesh::tag_names`].
        tag: u8,
    },
    /// Every way between the ends goes over a step that is too high for the body ([`super::Body::step`]).
    #[error("the step at ({:.3}, {:.3}, {:.3}) is {needed:.3} m high, this body takes {available:.3} m", at.x, at.y, at.z)]
    StepTooHigh {
        /// Where the shortest way meets it.
        at: DVec3,
        /// How high it is [m].
        needed: f64,
        /// The body's step [m].
        available: f64,
    },
    /// Every way between the ends goes over a gap that is too wide for the body ([`super::Body::max_gap`]).
    #[error("the gap at ({:.3}, {:.3}, {:.3}) is {needed:.3} m wide, this body steps over {available:.3} m", at.x, at.y, at.z)]
    GapTooWide {
        /// Where the shortest way meets it.
        at: DVec3,
        /// How wide it is [m].
        needed: f64,
        /// The widest gap that the body steps over [m].
        available: f64,
    },
    /// Between the ends the ground goes on, but something hangs too low.
    #[error("there are {available:.3} m of head room at ({:.3}, {:.3}, {:.3}), this body needs {needed:.3} m", at.x, at.y, at.z)]
    NoHeadRoom {
        /// Where the ground ends for want of room.
        at: DVec3,
        /// The height of the body that the mesh was made for [m].
        needed: f64,
        /// The room that there is [m].
        available: f64,
    },
    /// The ends are on ground that is not connected.
    #[error("start and goal lie in components {from} and {to}, which are not connected")]
    Unreachable {
        /// Component of the start.
        from: ComponentId,
        /// Component of the goal.
        to: ComponentId,
    },
}
