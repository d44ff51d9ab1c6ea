//! Way points: where a body now heads for to follow a corridor, chosen from where it is.
//!
//! Idea: the corridor says which portals to cross; how each is crossed is decided anew at every step, so that bodies that
//! follow one corridor use all of its width instead of one line. In order of preference: the goal, if the body can go there
//! straight; the point straight ahead on the part of the next portal that it may use; the farther end of that part
//! ([`WayPoints::dynamic`]). Or, for a body that is alone, the first turn of the string pulled tight through the portals
//! ahead ([`WayPoints::taut`]).
//! Source: Oliva and Pelechano 2015, section 5. We differ: on the straight line to a way point nothing is nearer than the
//!   body's radius. Where a corner is in the way, which the paper leaves to collisions with the walls, the way point is beside
//!   it ([`bend`]).
//! Promises: pure functions of position, corridor, radius and what is closed; nothing is allocated unless something is. A body that goes straight to its way
//!   points, as far as it likes each time, keeps its radius.
//! Cost: some clearances along a line, and a shrunk portal (`taut`: up to [`LOOK_AHEAD`] of them).

mod bend;
mod corridor;
mod taut;

pub use corridor::{Corridor, Gate};

use crate::{
    clearance::{Clearances, FREE_SLACK},
    crossing::Crossings,
    mesh::{CellId, NavMesh},
    portal::{Line, Passage, ShrinkTable, Span},
    search::{Blocks, Body, TagSet, limits::Limits},
};
use wayfare_core::DVec2;

/// How many portals [`WayPoints::taut`] looks ahead.
pub const LOOK_AHEAD: usize = 32;

/// Who follows a corridor, and how far it has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// The cell that it is in.
    pub cell: CellId,
    /// Where its centre is in plan.
    pub at: DVec2,
    /// How many portals of the corridor lie behind it.
    pub passed: usize,
    /// How far its centre stays away from obstacles [m].
    pub radius: f64,
}

impl Walker {
    /// At the start of a corridor.
    pub fn new(corridor: &Corridor, radius: f64) -> Self {
        let (cell, at) = corridor.start();
        Self { cell, at, passed: 0, radius }
    }
}

/// What a way point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayPointKind {
    /// The goal itself.
    Goal,
    /// The point of the next portal that is straight ahead.
    Ahead,
    /// An end of the part of a portal that the body may use.
    End,
    /// Beside a corner that is in the way to one of the others.
    Bend,
    /// Where the body is: there is no way on that keeps its radius, as it stands too near to an obstacle.
    Stuck,
}

/// Where to head for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayPoint {
    /// The point in plan; the straight line to it is free for the body.
    pub at: DVec2,
    /// What it is.
    pub kind: WayPointKind,
}

/// Way points on a mesh, with or without a table of shrunk portals that is shared with others.
#[derive(Clone, Copy, Debug)]
pub struct WayPoints<'a> {
    crossings: Crossings<'a>,
    table: Option<&'a ShrinkTable>,
    limits: Option<Limits<'a>>,
}

impl<'a> WayPoints<'a> {
    /// Way points without a table.
    pub fn new(crossings: Crossings<'a>) -> Self {
        Self { crossings, table: None, limits: None }
    }
    /// The same with a table.
    pub fn with_table(crossings: Crossings<'a>, table: &'a ShrinkTable) -> Self {
        Self { crossings, table: Some(table), limits: None }
    }
    /// The same where some of the mesh is closed, as it was when the corridor was found: nobody goes straight to the goal
    /// through what is closed. Allocates where something is.
    pub fn within(self, blocks: &'a Blocks, tags: TagSet) -> Self {
        let body = Body { tags, ..Body::default() };
        Self { limits: Limits::of(self.mesh(), blocks, &body), ..self }
    }
    fn clearances(&self) -> Clearances<'a> {
        self.crossings.clearances
    }
    fn mesh(&self) -> &'a NavMesh {
        self.crossings.clearances.mesh
    }

    /// The goal if the body can go there straight, else the point straight ahead on the next portal, else the farther end
    /// of what it may use of the portal.
    pub fn dynamic(&self, walker: &Walker, corridor: &Corridor) -> WayPoint {
        let goal = WayPoint { at: corridor.goal().1, kind: WayPointKind::Goal };
        if self.is_free(walker, goal.at) {
            return goal;
        }
        let target = match self.span(corridor, walker.passed, walker.radius) {
            None => goal,
            Some((line, span)) => {
                let share = (walker.at - line.a).dot(line.e) / line.e.length_squared();
                if (span.low..=span.high).contains(&share) {
                    WayPoint { at: line.point(share), kind: WayPointKind::Ahead }
                } else {
                    let [a, b] = [span.low, span.high].map(|share| line.point(share));
                    let is_a = a.distance_squared(walker.at) >= b.distance_squared(walker.at);
                    WayPoint { at: if is_a { a } else { b }, kind: WayPointKind::End }
                }
            }
        };
        self.towards(walker, corridor, target)
    }

    /// The part of a portal of a corridor that a body may use; nothing if it cannot, or behind the last one.
    fn span(&self, corridor: &Corridor, k: usize, radius: f64) -> Option<(Line, Span)> {
        let gate = corridor.gates().get(k)?;
        let (mesh, least) = (self.mesh(), radius - FREE_SLACK);
        let table = self.crossings.table();
        let mut peaks = table.peaks_of(gate.corner);
        let line = Line::of(mesh, gate.corner);
        let fits = |&peak: &usize| table.all_peaks()[peak].clearance >= least;
        if peaks.clone().filter(fits).nth(1).is_none() {
            let passage = corridor.passage(mesh, k)?;
            let span = match self.table {
                Some(table) => table.exact_shrink(&self.crossings, passage, radius),
                None => self.crossings.exact_shrink(passage, radius),
            };
            // Where the corridor is too narrow for the body, as wide as it is will do.
            let span = span.or_else(|| self.crossings.exact_shrink(Passage::through(gate.corner), radius));
            return span.map(|span| (line, span));
        }
        // Of several free parts the one that the path uses.
        let off = |span: &Span| (span.low - gate.share).max(gate.share - span.high).max(0.0);
        let mut best: Option<Span> = None;
        for peak in peaks.by_ref().filter(fits) {
            if let Some(span) = self.crossings.run(gate.corner, peak, least)
                && best.is_none_or(|best| off(&span) < off(&best))
            {
                best = Some(span);
            }
        }
        best.map(|span| (line, span))
    }

    /// Moves a body straight to a point, and counts the portals of the corridor that it passes. The line must be free, as it
    /// is to every point on the way to a way point.
    pub fn walk(&self, walker: &mut Walker, corridor: &Corridor, to: DVec2) {
        /// A body may pass portals beside its corridor; it is looked for so many portals ahead.
        const AHEAD: usize = 8;
        let mesh = self.mesh();
        walker.cell = self.clearances().cell_ahead(walker.cell, walker.at, to);
        walker.at = to;
        let near = self.clearances().data().rounding();
        let ahead = &corridor.gates()[walker.passed.min(corridor.gates().len())..];
        // A relaxed cell may come twice: as long as the body is before the next portal, it has not passed any.
        let is_before = ahead.first().is_some_and(|gate| mesh.cell_of_corner(gate.corner) == walker.cell);
        for (k, gate) in ahead.iter().enumerate().take(if is_before { 1 } else { AHEAD }) {
            let Some(twin) = mesh.twin(gate.corner) else { continue };
            let beyond = mesh.cell_of_corner(twin);
            // On the portal, but for rounding, is beyond it; or a body that arrives there would stay there.
            let line = Line::of(mesh, gate.corner);
            let share = ((to - line.a).dot(line.e) / line.e.length_squared()).clamp(0.0, 1.0);
            if beyond == walker.cell || line.point(share).distance(to) <= near {
                walker.passed += k + 1;
                if mesh.contains(beyond, to) {
                    walker.cell = beyond;
                }
                return;
            }
        }
    }
}
