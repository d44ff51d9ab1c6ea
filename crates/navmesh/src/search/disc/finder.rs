//! From two points and a body to a path on the ground, or why there is none.

use super::{
    super::{
        cone::Ground,
        corridor,
        graph_search::landmarks_of_goal,
        ground_path::GroundPath,
        landmarks::GoalDistances,
        limits::{Limits, TagSet},
        path::{End, NoPath, Path},
        query::{PathFinder, PointQuery, write_pieces},
        scratch::PathScratch,
    },
    curve::{self, PlanPiece},
    explore::{self, Explored, Opened, Quest},
    guide::Guide,
    line,
    mouths::Mouths,
    off_limits::{Near, Trace},
};
use crate::{
    clearance::{Clearances, FREE_SLACK},
    ledge::Overhanging,
    locate::LocateConfig,
    mesh::{CellId, NavMesh},
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};

/// Who walks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// How far its centre stays away from obstacles [m].
    pub radius: f64,
    /// How far `points` of a path may be from its arcs [m].
    pub sagitta: f64,
    /// The tags of the ground that it may be on. Other ground is a wall to it.
    pub tags: TagSet,
    /// Whether it may overhang drops: only walls count for its radius then, and its centre stays on the ground. A
    /// mesh without clearance will do; searches take longer.
    pub overhangs: bool,
    /// The highest step that it takes [m]; what is higher is a wall to it. Infinite: every step that the mesh has.
    pub step: f64,
    /// The widest gap that it steps over, seen from above [m]; wider ones are walls to it. Infinite: every gap that the mesh has.
    pub max_gap: f64,
}

impl Default for Body {
    /// A point that steps over all that the mesh has, and arcs to a millimetre.
    fn default() -> Self {
        Self {
            radius: 0.0,
            sagitta: 1e-3,
            tags: TagSet::ALL,
            overhangs: false,
            step: f64::INFINITY,
            max_gap: f64::INFINITY,
        }
    }
}

impl Body {
    /// A disc.
    pub fn disc(radius: f64) -> Self {
        Self { radius, ..Self::default() }
    }
}

/// A query, as far as it has come; the rest of it is in the scratch memory.
pub(crate) enum Query<'a> {
    Point {
        query: PointQuery<'a>,
        asked: [DVec3; 2],
    },
    Disc(DiscQuery<'a>),
    /// Of a body that overhangs drops; it is answered in one go.
    Overhanging(Overhanging<'a>),
}

/// A query for a disc.
pub(crate) struct DiscQuery<'a> {
    body: Body,
    limits: Option<Limits<'a>>,
    asked: [DVec3; 2],
    ends: Ends,
    clearances: Clearances<'a>,
    mouths: &'a Mouths,
    stage: DiscStage,
}

impl DiscQuery<'_> {
    /// Writes the pieces of the path that was found.
    fn write_pieces(&self, scratch: &PathScratch, pieces: &mut Vec<PlanPiece>) {
        let (start, goal) = (self.ends.from.truncate(), self.ends.to.truncate());
        // A straight line has no bends.
        curve::write(start, &scratch.disc.bends, goal, self.body.radius, pieces);
    }

    /// How near the path that was found comes to obstacles [m].
    fn clearance(&self, start_cell: CellId) -> f64 {
        match self.stage {
            DiscStage::Straight => {
                let (start, goal) = (self.ends.from.truncate(), self.ends.to.truncate());
                self.clearances.along(start_cell, start, goal).distance
            }
            _ => self.body.radius,
        }
    }
}

#[derive(Clone, Copy)]
enum DiscStage {
    /// The ends are known.
    Located,
    /// The path is a straight line.
    Straight,
    /// It is being searched; how far landmarks are from the goal.
    Search { to_goal: Option<GoalDistances> },
}

/// Ends of a query on the ground, with the faces that hold them in the scratch memory.
#[derive(Clone, Copy)]
struct Ends {
    from: DVec3,
    to: DVec3,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// The shortest path for a body, none of whose points is nearer to the boundary than its radius.
    pub fn find_for(
        &self,
        body: &Body,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Path, NoPath> {
        let mut path = Path::default();
        self.find_for_into(body, from, to, config, scratch, &mut path)?;
        Ok(path)
    }

    /// The same into a path that is used again: allocates nothing once both are warm. The path is changed only if
    /// there is one.
    pub fn find_for_into(
        &self,
        body: &Body,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) -> Result<(), NoPath> {
        let limits = self.limits(body);
        let found = self.find_within(body, limits, [from, to], config, scratch, path);
        self.or_why_limited(found, limits, body, [from, to], config, scratch)?;
        self.cross_gaps(body, [from, to], config, scratch, path)
    }

    /// What was found, or what closes the way where limits do.
    pub(in crate::search) fn or_why_limited(
        &self,
        found: Result<(), NoPath>,
        limits: Option<Limits<'_>>,
        body: &Body,
        asked: [DVec3; 2],
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<(), NoPath> {
        match (found, limits) {
            (Err(NoPath::Unreachable { .. }), Some(limits)) => {
                Err(self.why_limited(body, &limits, asked, config, scratch))
            }
            (found, _) => found,
        }
    }

    /// The same within limits; a way that they close is [`NoPath::Unreachable`].
    pub(in crate::search) fn find_within(
        &self,
        body: &Body,
        limits: Option<Limits<'_>>,
        [from, to]: [DVec3; 2],
        config: &LocateConfig,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) -> Result<(), NoPath> {
        let mut query = self.begin_query(body, limits, [from, to], config, scratch)?;
        loop {
            if let Some(found) = self.resume_query(&mut query, u64::MAX, scratch, path) {
                return found;
            }
        }
    }

    /// Begins a query: locates its ends, and finds out without a search whether there is a way.
    pub(crate) fn begin_query<'a>(
        &'a self,
        body: &Body,
        limits: Option<Limits<'a>>,
        asked: [DVec3; 2],
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Query<'a>, NoPath> {
        if body.radius <= FREE_SLACK || body.radius.is_nan() {
            return Ok(Query::Point { query: self.begin_point(limits, asked, config, scratch)?, asked });
        }
        if body.overhangs {
            return Ok(Query::Overhanging(self.begin_overhanging(body, limits, asked, config, scratch)?));
        }
        let (clearances, mouths) =
            self.mesh.clearances().zip(self.mouths.as_ref()).ok_or(NoPath::NoClearance)?;
        let [from, to] = self.locate_both(asked, limits, config, scratch)?;
        let ends = Ends { from, to };
        self.check(body, limits, &ends, &clearances, scratch)?;
        let stage = DiscStage::Located;
        Ok(Query::Disc(DiscQuery { body: *body, limits, asked, ends, clearances, mouths, stage }))
    }

    /// Goes on with a query for about so many expansions; nothing if it has not ended then.
    pub(in crate::search) fn resume_query(
        &self,
        query: &mut Query<'_>,
        expansions: u64,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) -> Option<Result<(), NoPath>> {
        match query {
            Query::Point { query, asked } => match self.resume_point(query, expansions, scratch)? {
                Ok(found) => {
                    self.write_path(&found, asked[0], asked[1], scratch, path);
                    Some(Ok(()))
                }
                Err(why) => Some(Err(why)),
            },
            Query::Disc(query) => match self.resume_disc(query, expansions, scratch)? {
                Ok(found) => {
                    self.write_disc_path(query, &found, scratch, path);
                    Some(Ok(()))
                }
                Err(why) => Some(Err(why)),
            },
            Query::Overhanging(query) => Some(self.write_over_drops(query, scratch, path)),
        }
    }

    /// The same without points on the ground: writes the pieces of the path; its length.
    pub(crate) fn resume_query_in_plan(
        &self,
        query: &mut Query<'_>,
        expansions: u64,
        scratch: &mut PathScratch,
        pieces: &mut Vec<PlanPiece>,
    ) -> Option<Result<f64, NoPath>> {
        let found = match query {
            Query::Point { query, .. } => self.resume_point(query, expansions, scratch)?.map(|found| {
                self.trace(&found, scratch);
                write_pieces(scratch, pieces);
                found.length()
            }),
            Query::Disc(query) => self.resume_disc(query, expansions, scratch)?.map(|found| {
                query.write_pieces(scratch, pieces);
                found.length
            }),
            Query::Overhanging(query) => {
                self.find_over_drops(query, scratch, pieces).map(|found| found.length)
            }
        };
        Some(found)
    }

    /// Both ends on the ground; the faces that hold them, within limits, are left in the scratch memory.
    pub(crate) fn locate_both(
        &self,
        [from, to]: [DVec3; 2],
        limits: Option<Limits<'_>>,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<[DVec3; 2], NoPath> {
        scratch.begin(&self.faces);
        let off_mesh = |which, at| NoPath::OffMesh { which, at };
        let from = self.put_on_ground(from, config, &mut scratch.starts).ok_or(off_mesh(End::Start, from))?;
        let to = self.put_on_ground(to, config, &mut scratch.goals).ok_or(off_mesh(End::Goal, to))?;
        if let Some(limits) = &limits {
            self.keep_to_limits(limits, from, &mut scratch.starts)?;
            self.keep_to_limits(limits, to, &mut scratch.goals)?;
        }
        Ok([from, to])
    }

    /// Whether there is a way at all, without a search.
    fn check(
        &self,
        body: &Body,
        limits: Option<Limits<'_>>,
        ends: &Ends,
        clearances: &Clearances<'_>,
        scratch: &mut PathScratch,
    ) -> Result<(), NoPath> {
        let cells = [scratch.starts[0], scratch.goals[0]].map(|face| self.faces.cell(face));
        let [from, to] = cells.map(|cell| self.mesh.component(cell));
        if from != to {
            return Err(NoPath::Unreachable { from, to });
        }
        let places = [(cells[0], ends.from.truncate()), (cells[1], ends.to.truncate())];
        let climbed = places.map(|place| clearances.climb(place));
        for (k, (which, at)) in [(End::Start, ends.from), (End::Goal, ends.to)].into_iter().enumerate() {
            let (cell, here) = places[k];
            let mut available = climbed[k].map_or(f64::INFINITY, |(clearance, _)| clearance);
            if let Some(limits) = limits {
                available = available.min(limits.distance_from(
                    cell,
                    Trace::Line([here; 2]),
                    body.radius,
                    &mut scratch.near,
                ));
            }
            if available < body.radius - FREE_SLACK {
                return Err(NoPath::TooTight { which, at, needed: body.radius, available });
            }
        }
        // As `Clearances::is_reachable` says, whose first half this was.
        if let [Some((_, a)), Some((_, b))] = climbed
            && clearances.is_joined(a, b, body.radius - FREE_SLACK)
        {
            return Ok(());
        }
        match clearances.widest(places[0], places[1]) {
            Some(narrow) => {
                let at = narrow.at.extend(self.mesh.height(narrow.cell, narrow.at));
                Err(NoPath::TooNarrow { at, needed: body.radius, available: narrow.radius })
            }
            None => Err(NoPath::Unreachable { from, to }),
        }
    }

    /// Goes on with a query for about so many expansions; nothing if it has not ended then. The bends of the path are left
    /// in the scratch memory.
    fn resume_disc(
        &self,
        query: &mut DiscQuery<'_>,
        expansions: u64,
        scratch: &mut PathScratch,
    ) -> Option<Result<Explored, NoPath>> {
        let DiscQuery { body, limits, ends, clearances, mouths, .. } = *query;
        let (start, goal) = (ends.from.truncate(), ends.to.truncate());
        let start_cell = self.faces.cell(scratch.starts[0]);
        let orient = self.faces.orient.with(start).with(goal);
        let ground = Ground { faces: &self.faces, orient, start, limits };
        let graph = self.graph();
        // Limits are not part of what corners see.
        let sight = self.sight.as_ref().filter(|_| limits.is_none());
        let mut views = None;
        let is_new = matches!(query.stage, DiscStage::Located);
        if is_new {
            let least = body.radius - FREE_SLACK;
            let end = line::keeps_away(&self.faces, &clearances, scratch.starts[0], [start, goal], least);
            let is_there = |end| scratch.goals.iter().any(|&face| self.faces.cell(face) == end);
            let keeps_off = |near: &mut Near| match limits {
                Some(limits) => {
                    limits.distance_from(start_cell, Trace::Line([start, goal]), least, near) >= least
                }
                None => true,
            };
            if end.is_some_and(is_there) && keeps_off(&mut scratch.near) {
                scratch.disc.bends.clear();
                query.stage = DiscStage::Straight;
                return Some(Ok(Explored { length: start.distance(goal), expanded: 0 }));
            }
            scratch.open_dead_ends(&self.faces);
            // A straight line that is free and yet does not lead to the goal is a matter of rounding, for cones to decide.
            views = sight.and_then(|sight| sight.views.as_ref()).filter(|_| end.is_none());
            let from_goal = Ground { limits: None, start: goal, ..ground };
            let mut disc = std::mem::take(&mut scratch.disc);
            let mut seen = disc.begin(self.faces.vertex_count());
            let to_goal = match (views, graph) {
                (Some(views), _) => {
                    let known = graph.zip(self.pockets.as_ref());
                    seen.look_by_views(views, &from_goal, &scratch.goals, known)
                }
                (None, Some(graph)) => landmarks_of_goal(from_goal, goal, graph, scratch, &mut seen),
                (None, None) => None,
            };
            scratch.disc = disc;
            query.stage = DiscStage::Search { to_goal };
        }
        let DiscStage::Search { to_goal } = query.stage else { return None };
        let PathScratch { starts, goals, opened, stamp, disc, near, .. } = scratch;
        let quest = Quest {
            ground,
            mesh: &self.mesh,
            clearances,
            radius: body.radius,
            goal,
            starts,
            goals,
            mouths,
            opened: Opened { faces: opened, stamps: [*stamp, *stamp + 1] },
            sight,
            guide: Guide {
                goal,
                radius: body.radius,
                landmarks: graph.zip(to_goal),
                pockets: self.pockets.as_ref(),
            },
        };
        if is_new {
            explore::begin(&quest, views, disc, near);
        }
        let found = explore::resume(&quest, expansions, disc, near)?;
        let cells = [starts[0], goals[0]].map(|face| self.faces.cell(face));
        if found.length.is_finite() {
            return Some(Ok(found));
        }
        if limits.is_some() {
            let [from, to] = cells.map(|cell| self.mesh.component(cell));
            return Some(Err(NoPath::Unreachable { from, to }));
        }
        // The tree says that there is a way: the two disagree by rounding, at a place just as wide as the body.
        let narrow = clearances.widest((start_cell, start), (cells[1], goal));
        let (at, cell, available) =
            narrow.map_or((start, start_cell, 0.0), |narrow| (narrow.at, narrow.cell, narrow.radius));
        let at = at.extend(self.mesh.height(cell, at));
        Some(Err(NoPath::TooNarrow { at, needed: body.radius, available }))
    }

    fn write_disc_path(
        &self,
        query: &DiscQuery<'_>,
        found: &Explored,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) {
        let DiscQuery { body, asked, ends, .. } = query;
        query.write_pieces(scratch, &mut path.pieces);
        path.clearance = Some(query.clearance(self.faces.cell(scratch.starts[0])));
        self.put_path_on_ground(body, scratch, path);
        let moved = [ends.from.distance(asked[0]), ends.to.distance(asked[1])];
        self.measure(body, found.length, found.expanded, moved, path);
    }

    /// Writes what is known of a path that lies on the ground.
    pub(crate) fn measure(
        &self,
        body: &Body,
        plan_length: f64,
        expanded: u32,
        snapped: [f64; 2],
        path: &mut Path,
    ) {
        path.plan_length = plan_length;
        path.cost = None;
        path.expanded = expanded;
        path.length = match self.mesh.flat {
            Some(_) => plan_length,
            None => {
                let chords = |length: fn(DVec3) -> f64| -> f64 {
                    path.points.windows(2).map(|pair| length(pair[1] - pair[0])).sum()
                };
                // Chords of arcs are a little shorter than these.
                let on_plan = chords(|step| step.truncate().length());
                chords(|step| step.length()) + (plan_length - on_plan).max(0.0)
            }
        };
        path.radius = body.radius;
        path.snapped = snapped;
    }

    /// The points of the pieces with their heights, and the cells.
    pub(crate) fn put_path_on_ground(&self, body: &Body, scratch: &mut PathScratch, path: &mut Path) {
        let sagitta = if body.sagitta > 0.0 { body.sagitta } else { Body::default().sagitta };
        scratch.points.clear();
        scratch.points.extend(path.pieces.first().map(|piece| piece.ends()[0]));
        for piece in &path.pieces {
            piece.flatten(sagitta, &mut scratch.points);
        }
        scratch.ground.clear();
        let height = self.mesh.flat.unwrap_or(f64::NAN);
        scratch.ground.extend(scratch.points.iter().map(|p: &DVec2| p.extend(height)));
        scratch.is_turn.clear();
        scratch.is_turn.resize(scratch.points.len(), true);
        path.points.clear();
        path.cells.clear();
        path.crossed.clear();
        let mut writer = GroundPath::new(
            &self.mesh,
            &self.faces,
            &scratch.ground,
            &scratch.is_turn,
            &mut scratch.crossings,
            path,
        );
        let has_corners = body.radius == 0.0;
        corridor::follow_points(&self.faces, scratch.starts[0], &scratch.points, has_corners, &mut writer);
    }
}
