//! The path of a body.
//!
//! Idea: several searches each miss some ways, and what they find is pulled short against the walls themselves. No path of a body is
//!   shorter than that of a point: as long as it is longer by more than a little, the next search may find a shorter one.
//! Steps: 1. the straight line  2. the way of a point, moved away from walls  3. corridors of portals that the body fits through  4. places
//!   round the way of a point, then everywhere ([`super::roam`])  5. a lattice ([`super::lattice`])  6. parts of the path, searched again
//!   in the same manner, until none gets shorter.
//! What comes back has been measured against all walls.
//! Cost: of searches over portals and places; where that is far longer than a point's way, of a lattice of so many points at most, and of so many
//!   parts.

use super::{
    clear::{Violation, keep_clear},
    finder::{FlyFinder, Lost, short},
    gates::Shrunk,
    guide::Guide,
    lattice::{OverLattice, over_lattice},
    quick::Quick,
    roam::{Roaming, roam},
    search::{Search, Task},
    shorten::{length, shorten},
};
use crate::mesh::RegionId;
use wayfare_core::DVec3;

/// Corridors tried.
const TRIES: usize = 6;
/// Paths longer than a point's by less than this factor are short enough; beyond the next, places are looked for everywhere; beyond the last, on a lattice.
const NEAR: f64 = 1.0005;
const FAR: f64 = 1.005;
const FARTHER: f64 = 1.04;
/// How far apart points of a lattice are, in radii: for a whole path, and for a part of one, or where nothing else is found.
const COARSE: f64 = 1.0;
const FINE: f64 = 0.5;
/// Points of a lattice at most: for a whole path, where nothing else is found, and for a part.
const POINTS: usize = 15_000;
const POINTS_IF_LOST: usize = 120_000;
const POINTS_OF_A_PART: usize = 3_000;
/// Parts of a path that are searched again at most, and for how many points each goes on.
const PARTS: usize = 24;
const SPANS: [usize; 4] = [2, 4, 8, 16];
/// Parts that are not longer than straight by more than this share of the path are left as they are.
const WORTHWHILE: f64 = 5e-3;
/// Nor are paths and parts searched again that are not longer than a point's way by more than this factor.
const WORTH_A_LOOK: f64 = 1.02;
/// A gain below this share of the length is none.
const GAIN: f64 = 1e-4;

/// What is asked of a body, and the memory for it.
pub(super) struct Body<'a, 'b> {
    pub(super) finder: &'a FlyFinder<'a>,
    pub(super) task: Task<'a>,
    pub(super) radius: f64,
    pub(super) search: &'b mut Search,
    pub(super) quick: &'b mut Quick,
    pub(super) shrunk: &'b mut [Shrunk],
    /// Portals that searches took up.
    pub(super) expanded: u32,
}

/// The shortest path so far.
struct Best<'a> {
    roaming: Roaming<'a>,
    points: Option<Vec<DVec3>>,
    /// Its length, or what it must be shorter than [m].
    length: f64,
    /// That of a point's way [m].
    least: f64,
}

impl Best<'_> {
    /// Takes a path if it is the shortest so far, pulled short.
    fn take(&mut self, points: Option<Vec<DVec3>>) {
        let Roaming { walls, radius, .. } = self.roaming;
        let Some(points) = points else { return };
        let points = shorten(points, &|a, b| walls.is_clear(a, b, radius));
        let length = length(&points);
        if length < self.length {
            (self.points, self.length) = (Some(points), length);
        }
    }

    /// Whether it is longer than a point's way by more than a factor.
    fn is_over(&self, factor: f64) -> bool {
        self.length > self.least * factor
    }
}

impl<'a> Body<'a, '_> {
    /// A short path that keeps the radius from all walls.
    pub(super) fn path(&mut self) -> Result<Vec<DVec3>, Lost<'a>> {
        let Task { regions, ends, .. } = self.task;
        let roaming = self.roaming(regions, ends);
        // 1.
        if roaming.walls.is_clear(ends[0], ends[1], roaming.radius) {
            return Ok(ends.to_vec());
        }
        let best = self.best(roaming, true);
        let is_short = !best.is_over(WORTH_A_LOOK);
        let points = best.points.ok_or(Lost::Narrow(roaming))?;
        Ok(if is_short { points } else { self.parts_again(points) })
    }

    fn roaming(&self, regions: [RegionId; 2], ends: [DVec3; 2]) -> Roaming<'a> {
        let Self { finder, task, radius, .. } = self;
        let (mesh, walls) = (task.mesh, finder.walls());
        Roaming { mesh, walls, regions, ends, radius: *radius, guide: None, limit: f64::INFINITY }
    }

    /// Steps 2 to 5, for the whole path or for a part that is to become shorter than a limit.
    fn best(&mut self, roaming: Roaming<'a>, is_whole: bool) -> Best<'a> {
        let Roaming { mesh, walls, regions, ends, radius, limit, .. } = roaming;
        let [from, to] = ends;
        let finder = self.finder;
        let task = Task { regions, ends, ..self.task };
        let mut best = Best { roaming, points: None, length: limit, least: from.distance(to) };
        let mut guide = None;
        let mut gates = finder.gates_of_a_point();
        // 2.
        if let Some(route) = short(&task, &mut gates, self.search, self.quick, &mut self.expanded) {
            best.least = route.taut.length;
            if !best.is_over(WORTH_A_LOOK) {
                return best;
            }
            let crossings = route.taut.crossings(from, &gates.all(&route.corridor.portals), to);
            guide = Some(Guide::along(mesh, &route, &crossings, to));
            best.take(keep_clear(mesh, walls, &route.taut.points(from, to), radius).ok());
        }
        if !best.is_over(NEAR) {
            return best;
        }
        // 3.
        best.take(self.through_corridors(&task));
        // 4.
        if best.is_over(NEAR)
            && let Some(guide) = &guide
        {
            best.take(roam(Roaming { guide: Some(guide), limit: best.length, ..roaming }));
        }
        if best.is_over(FAR) && is_whole {
            best.take(roam(Roaming { limit: best.length, ..roaming }));
        }
        // 5.
        if best.is_over(FARTHER) {
            let (step, most) = if is_whole { (COARSE, POINTS) } else { (FINE, POINTS_OF_A_PART) };
            best.take(over_lattice(roaming, step * radius, best.length, most).way());
        }
        if best.points.is_none() && is_whole {
            // A goal that is closed in is seen soon from there; a start is seen anyway.
            let turned = Roaming { regions: [regions[1], regions[0]], ends: [to, from], ..roaming };
            let back = over_lattice(turned, FINE * radius, best.length, POINTS_OF_A_PART);
            if !matches!(back, OverLattice::Closed) {
                best.take(over_lattice(roaming, FINE * radius, best.length, POINTS_IF_LOST).way());
            }
        }
        best
    }

    /// The first corridor that the body gets through.
    fn through_corridors(&mut self, task: &Task) -> Option<Vec<DVec3>> {
        let Self { finder, radius, .. } = *self;
        let [from, to] = task.ends;
        let shrink = |portal| finder.shrink(portal, radius);
        let mut gates = finder.gates_of_a_body(self.shrunk, &shrink);
        for _ in 0..TRIES {
            let route = short(task, &mut gates, self.search, self.quick, &mut self.expanded)?;
            match keep_clear(task.mesh, finder.walls(), &route.taut.points(from, to), radius) {
                Ok(points) => return Some(points),
                Err(Violation { at }) => {
                    // The portal of the corridor that is nearest to the place is not tried again.
                    let portals = &route.corridor.portals;
                    let crossings = route.taut.crossings(from, &gates.all(portals), to);
                    let near = |k: &usize| crossings[*k].distance_squared(at);
                    let worst =
                        (0..crossings.len()).min_by(|a, b| near(a).total_cmp(&near(b)).then(a.cmp(b)));
                    // In one region with a straight line nothing else can be tried.
                    gates.closed.push(portals[worst?]);
                }
            }
        }
        None
    }

    /// Step 6.
    fn parts_again(&mut self, mut points: Vec<DVec3>) -> Vec<DVec3> {
        let (walls, radius) = (self.finder.walls(), self.radius);
        let mut known: Vec<[DVec3; 2]> = Vec::new();
        'changes: loop {
            let whole = length(&points);
            for span in SPANS {
                for first in (0..points.len()).step_by(span.div_ceil(2)) {
                    let last = (first + span).min(points.len() - 1);
                    let (ends, own) = ([points[first], points[last]], length(&points[first..=last]));
                    let is_all = last - first + 1 == points.len();
                    let detour = own - ends[0].distance(ends[1]);
                    if is_all || detour <= WORTHWHILE * whole || known.contains(&ends) {
                        continue;
                    }
                    let [Some(a), Some(b)] = ends.map(|end| self.task.mesh.region_at(end)) else { continue };
                    if known.len() == PARTS {
                        return points;
                    }
                    known.push(ends);
                    let limit = own - GAIN * whole;
                    let part = Roaming { limit, ..self.roaming([a, b], ends) };
                    if let Some(way) = self.best(part, false).points {
                        points.splice(first..=last, way);
                        points = shorten(points, &|a, b| walls.is_clear(a, b, radius));
                        continue 'changes;
                    }
                }
            }
            return points;
        }
    }
}
