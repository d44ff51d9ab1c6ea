//! From two points to the path of a body that overhangs drops, or why there is none.

use super::{flood::Flood, rope::Rope};
use crate::{
    Body, End, LocateConfig, NoPath, Path, PathFinder, PathScratch, PlanPiece,
    everyday::{Stand, Walker},
    mesh::NavMesh,
    search::limits::Limits,
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::nearest_on_segment;

/// A query, its ends on the ground.
pub(crate) struct Overhanging<'a> {
    body: Body,
    walker: Walker<'a>,
    asked: [DVec3; 2],
    ends: [DVec3; 2],
    config: LocateConfig,
}

/// What was found: the pieces are those of the path.
pub(crate) struct OverDrops {
    pub length: f64,
    pub expanded: u32,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// Locates the ends of a query, in the faces of the scratch memory, and looks whether the body fits there.
    pub(crate) fn begin_overhanging<'a>(
        &'a self,
        body: &Body,
        limits: Option<Limits<'a>>,
        asked: [DVec3; 2],
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Overhanging<'a>, NoPath> {
        let walker = Walker { limits, ..self.walker(body)? };
        let ends = self.locate_both(asked, limits, config, scratch)?;
        // Where pieces of ground touch in a point, an end may be on several of them.
        let component = |face: u32| self.mesh.component(self.faces.cell(face));
        let (starts, goals) = (&mut scratch.starts, &mut scratch.goals);
        let of_goal = |start: &u32| goals.iter().position(|&goal| component(goal) == component(*start));
        let Some((start, goal)) = (0..starts.len()).find_map(|k| Some((k, of_goal(&starts[k])?))) else {
            return Err(NoPath::Unreachable { from: component(starts[0]), to: component(goals[0]) });
        };
        let faces = [starts[start], goals[goal]];
        starts.retain(|&face| component(face) == component(faces[0]));
        goals.retain(|&face| component(face) == component(faces[0]));
        for (which, face, at) in [(End::Start, faces[0], ends[0]), (End::Goal, faces[1], ends[1])] {
            let available = self.room(&walker, Stand { face, at: at.truncate() }, body.radius);
            if available < body.radius - walker.slack {
                return Err(NoPath::TooTight { which, at, needed: body.radius, available });
            }
        }
        Ok(Overhanging { body: *body, walker, asked, ends, config: *config })
    }

    /// Finds the path in one go, as pieces in plan.
    pub(crate) fn find_over_drops(
        &self,
        query: &Overhanging<'_>,
        scratch: &mut PathScratch,
        pieces: &mut Vec<PlanPiece>,
    ) -> Result<OverDrops, NoPath> {
        let Overhanging { body: Body { radius, .. }, walker, ends, .. } = *query;
        // Whoever keeps off drops as well goes a way of this body, too: no wall is nearer than what hides it.
        let (starts, goals) = (&scratch.starts.clone(), &scratch.goals.clone());
        let beside = self.find_beside_drops(query, scratch, pieces).unwrap_or(f64::INFINITY);
        (scratch.starts, scratch.goals) = (starts.clone(), goals.clone());
        let [from, to] = ends.map(DVec3::truncate);
        let stands = [(starts, from), (goals, to)].map(|(faces, at)| -> Vec<Stand> {
            faces.iter().map(|&face| self.settled(Stand { face, at })).collect()
        });
        let is_straight = |start: &Stand| {
            let reached = self.go_straight(&walker, *start, to, |_| {});
            let cell = self.faces.cell(reached.stand.face);
            reached.touch.is_none() && goals.iter().any(|&face| self.faces.cell(face) == cell)
        };
        if stands[0].iter().any(is_straight) {
            pieces.clear();
            pieces.push(PlanPiece::Line { from, to });
            return Ok(OverDrops { length: from.distance(to), expanded: 0 });
        }
        let walls = self.walls();
        let rope = |radius: f64, limit: f64| {
            let walker = Walker { radius: Some(radius), ..walker };
            Rope::new(self, walker, walls, radius, &stands).pull(limit)
        };
        if beside.is_finite() {
            return Ok(match rope(radius, beside) {
                Some(found) => {
                    *pieces = found.pieces;
                    OverDrops { length: found.length, expanded: found.expanded }
                }
                None => OverDrops { length: beside, expanded: 0 },
            });
        }
        let flood = Flood::new(self, &walker, walls, &stands);
        // A door that is just as wide as the body lets it through.
        let may_join = flood.joins(radius - 2.0 * walker.slack);
        let found = if may_join { rope(radius, f64::INFINITY) } else { None };
        if let Some(found) = found {
            *pieces = found.pieces;
            return Ok(OverDrops { length: found.length, expanded: found.expanded });
        }
        if walker.limits.is_some() {
            let [from, to] = [starts[0], goals[0]].map(|face| self.mesh.component(self.faces.cell(face)));
            return Err(NoPath::Unreachable { from, to });
        }
        let widths = flood.widest(radius);
        let mut places = flood.pinches(widths);
        if places.len() > 1 {
            // Of all places of that width, the one on the way of a body that gets through.
            let way = rope(widths[0], f64::INFINITY).map_or_else(Vec::new, |found| found.pieces);
            let mut points = vec![from];
            way.iter().for_each(|piece| piece.flatten(body_sagitta(&query.body), &mut points));
            let away = |place: &DVec2| {
                let away = |pair: &[DVec2]| place.distance(nearest_on_segment(*place, pair[0], pair[1]));
                points.windows(2).map(away).fold(f64::INFINITY, f64::min)
            };
            places.sort_by(|a, b| away(a).total_cmp(&away(b)));
        }
        let at = places.first().copied().unwrap_or(from);
        let middle = (ends[0].z + ends[1].z) / 2.0;
        let cells = self.mesh.cells_at(at, f64::NEG_INFINITY..=f64::INFINITY);
        let heights = cells.map(|cell| self.mesh.height(cell, at));
        let z = heights.min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs())).unwrap_or(middle);
        Err(NoPath::TooNarrow { at: at.extend(z), needed: radius, available: widths[0] })
    }

    /// The length of the path of a body that keeps off drops, if the mesh knows its clearance and there is one.
    fn find_beside_drops(
        &self,
        query: &Overhanging<'_>,
        scratch: &mut PathScratch,
        pieces: &mut Vec<PlanPiece>,
    ) -> Option<f64> {
        let body = Body { overhangs: false, ..query.body };
        let limits = query.walker.limits;
        let mut beside = self.begin_query(&body, limits, query.asked, &query.config, scratch).ok()?;
        loop {
            if let Some(found) = self.resume_query_in_plan(&mut beside, u64::MAX, scratch, pieces) {
                return found.ok();
            }
        }
    }

    /// The same as a path on the ground.
    pub(crate) fn write_over_drops(
        &self,
        query: &Overhanging<'_>,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) -> Result<(), NoPath> {
        let mut pieces = Vec::new();
        let found = self.find_over_drops(query, scratch, &mut pieces)?;
        path.pieces = pieces;
        self.put_path_on_ground(&query.body, scratch, path);
        let moved = [0, 1].map(|k| query.ends[k].distance(query.asked[k]));
        self.measure(&query.body, found.length, found.expanded, moved, path);
        let walls = self.walls();
        let room = path.points.windows(2).map(|pair| walls.along([pair[0], pair[1]]).0);
        // Chords of arcs are nearer than these.
        path.clearance = Some(room.fold(f64::INFINITY, f64::min).max(query.body.radius));
        Ok(())
    }
}

fn body_sagitta(body: &Body) -> f64 {
    if body.sagitta > 0.0 { body.sagitta } else { Body::default().sagitta }
}
