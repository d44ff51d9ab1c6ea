//! From two points and a body to a path on the ground, or why there is none.

use super::{
    super::{
        cone::Ground,
        corridor,
        graph_search::{Graph, landmarks_of_goal},
        ground_path::GroundPath,
        limits::{Limits, TagSet},
        path::{End, NoPath, Path},
        query::PathFinder,
        scratch::PathScratch,
    },
    curve::{self, PlanPiece},
    explore::{Opened, Quest, explore},
    guide::Guide,
    mouths::Mouths,
    off_limits::{Near, Trace},
};
use crate::{
    clearance::{Clearances, FREE_SLACK},
    locate::LocateConfig,
    mesh::NavMesh,
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
}

impl Default for Body {
    /// A point, and arcs to a millimetre.
    fn default() -> Self {
        Self { radius: 0.0, sagitta: 1e-3, tags: TagSet::ALL }
    }
}

impl Body {
    /// A disc.
    pub fn disc(radius: f64) -> Self {
        Self { radius, ..Self::default() }
    }
}

/// Ends of a query on the ground, with the faces that hold them in the scratch memory.
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
        let limits = self.limits(body.tags);
        let found = self.find_within(body, limits, [from, to], config, scratch, path);
        match (found, limits) {
            (Err(NoPath::Unreachable { .. }), Some(limits)) => {
                Err(self.why_limited(body, &limits, [from, to], config, scratch))
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
        if body.radius <= FREE_SLACK || body.radius.is_nan() {
            return self.find_point_into(limits, [from, to], config, scratch, path);
        }
        let (clearances, mouths) =
            self.mesh.clearances().zip(self.mouths.as_ref()).ok_or(NoPath::NoClearance)?;
        scratch.begin(&self.faces);
        let ends = self.locate_ends(from, to, config, scratch)?;
        if let Some(limits) = &limits {
            self.keep_to_limits(limits, ends.from, &mut scratch.starts)?;
            self.keep_to_limits(limits, ends.to, &mut scratch.goals)?;
        }
        self.check(body, limits, &ends, &clearances, scratch)?;
        let found = self.pieces(body, limits, &ends, (clearances, mouths), scratch, path)?;
        self.put_path_on_ground(body, scratch, path);
        path.plan_length = found.0;
        path.cost = None;
        path.expanded = found.1;
        path.length = match self.mesh.flat {
            Some(_) => found.0,
            None => path.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum(),
        };
        path.radius = body.radius;
        path.snapped = [ends.from.distance(from), ends.to.distance(to)];
        Ok(())
    }

    fn locate_ends(
        &self,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Ends, NoPath> {
        let off_mesh = |which, at| NoPath::OffMesh { which, at };
        Ok(Ends {
            from: self.put_on_ground(from, config, &mut scratch.starts).ok_or(off_mesh(End::Start, from))?,
            to: self.put_on_ground(to, config, &mut scratch.goals).ok_or(off_mesh(End::Goal, to))?,
        })
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
        for (which, cell, at) in [(End::Start, cells[0], ends.from), (End::Goal, cells[1], ends.to)] {
            let here = at.truncate();
            let mut available = clearances.at(cell, here).map_or(f64::INFINITY, |place| place.distance);
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
        let places = [(cells[0], ends.from.truncate()), (cells[1], ends.to.truncate())];
        if clearances.is_reachable(places[0], places[1], body.radius) {
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

    /// Writes the pieces of the path; its length and what was expanded.
    fn pieces(
        &self,
        body: &Body,
        limits: Option<Limits<'_>>,
        ends: &Ends,
        (clearances, mouths): (Clearances<'_>, &Mouths),
        scratch: &mut PathScratch,
        path: &mut Path,
    ) -> Result<(f64, u32), NoPath> {
        let (start, goal) = (ends.from.truncate(), ends.to.truncate());
        let start_cell = self.faces.cell(scratch.starts[0]);
        let least = body.radius - FREE_SLACK;
        let straight = clearances.along_until(start_cell, start, goal, least);
        let is_there = scratch.goals.iter().any(|&face| self.faces.cell(face) == straight.cell);
        let keeps_off = |near: &mut Near| match limits {
            Some(limits) => {
                limits.distance_from(start_cell, Trace::Line([start, goal]), least, near) >= least
            }
            None => true,
        };
        if straight.distance >= least && is_there && keeps_off(&mut scratch.near) {
            path.pieces.clear();
            path.pieces.push(PlanPiece::Line { from: start, to: goal });
            path.clearance = Some(straight.distance);
            return Ok((start.distance(goal), 0));
        }
        let orient = self.faces.orient.with(start).with(goal);
        scratch.open_dead_ends(&self.faces);
        let ground = Ground { faces: &self.faces, orient, start, limits };
        let landmarks = self.accelerator().and_then(|accelerator| {
            let graph = Graph { corners: &self.corners, accelerator };
            Some((graph, landmarks_of_goal(Ground { limits: None, ..ground }, goal, graph, scratch)?))
        });
        let quest = Quest {
            ground,
            mesh: &self.mesh,
            clearances,
            radius: body.radius,
            start_cell,
            goal,
            starts: &scratch.starts,
            goals: &scratch.goals,
            mouths,
            opened: Opened { faces: &scratch.opened, stamps: [scratch.stamp, scratch.stamp + 1] },
            // Limits are not part of what corners see.
            sight: self.sight.as_ref().filter(|_| limits.is_none()),
            guide: Guide { goal, radius: body.radius, landmarks },
        };
        let found = explore(quest, &mut scratch.disc, &mut scratch.near);
        if !found.length.is_finite() && limits.is_some() {
            let component = |face: u32| self.mesh.component(self.faces.cell(face));
            return Err(NoPath::Unreachable {
                from: component(scratch.starts[0]),
                to: component(scratch.goals[0]),
            });
        }
        if !found.length.is_finite() {
            // The tree says that there is a way: the two disagree by rounding, at a place just as wide as the body.
            let cell = self.faces.cell(scratch.goals[0]);
            let narrow = clearances.widest((start_cell, start), (cell, goal));
            let (at, cell, available) =
                narrow.map_or((start, start_cell, 0.0), |narrow| (narrow.at, narrow.cell, narrow.radius));
            let at = at.extend(self.mesh.height(cell, at));
            return Err(NoPath::TooNarrow { at, needed: body.radius, available });
        }
        curve::write(start, &scratch.disc.bends, goal, body.radius, &mut path.pieces);
        path.clearance = Some(body.radius);
        Ok((found.length, found.expanded))
    }

    /// The points of the pieces with their heights, and the cells.
    pub(in crate::search) fn put_path_on_ground(
        &self,
        body: &Body,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) {
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
        let mut writer = GroundPath::new(
            &self.mesh,
            &self.faces,
            &scratch.ground,
            &scratch.is_turn,
            &mut scratch.crossings,
            path,
        );
        corridor::follow_points(&self.faces, scratch.starts[0], &scratch.points, &mut writer);
    }
}
