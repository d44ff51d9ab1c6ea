//! The place nearest to a goal that a body can get to.
//!
//! Idea: if the goal itself cannot be reached, the nearest place is on the ground straight below or beside it, or at the
//! rim of the ground that the body can be on: exactly its radius away from a feature of the boundary, on a ray along
//! which the feature stays nearest that far. Of each arc of a feature's reach these rays are one or two intervals,
//! in each of which the nearest place is the one straight ahead of the goal, or an end.
//! Steps: 1. the goal itself  2. the nearest place of each interval of rays, if it is nearer than the best so far
//!   and can be reached  3. the same in front of closed portals, by a few rays of each  4. the nearest place of each cell
//!   that is nearer still
//! Whether a place can be reached the tree of the clearance says. Where something is closed it says no more than that it
//! might be: then a path is looked for.
//! [`PathFinder::nearest_free`] is the same without a start: what counts is that the place can be seen. The nearest place in sight lies on
//!   the rim too, as all before it on its line of sight is too tight; where a corner hides a part of the rim, it may be where sight begins.
//! For a body that overhangs drops the rim is that of what is near walls; whether a place can be reached a search tells.
//! Distances are in space. Exact on level storeys; on slopes the rim is found by its nearest places in plan.
//! Cost: O(features + cells), some tens of nanoseconds each; where something is closed, some searches more.

use super::{Stand, Walker, closed};
use crate::{
    Body, End, LocateConfig, NoPath, PathFinder, PathScratch,
    clearance::{Clearances, Feature, FeatureId},
    mesh::{CellId, NavMesh},
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3, Id as _, MAX_COORDINATE};
use wayfare_geom::segment::nearest_on_segment;

/// Rays of a closed portal that are looked at.
const PORTAL_RAYS: u32 = 16;

/// The place nearest to a goal that a body can get to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reachable {
    /// Where it is, on the ground.
    pub point: DVec3,
    /// Its cell.
    pub cell: CellId,
    /// How far the goal is from there [m].
    pub distance: f64,
    /// Whether it is the goal, as it is located for a path.
    pub is_goal: bool,
    /// Whether the goal is known to be in plain sight of it, for a point; asked by [`PathFinder::nearest_free`] only.
    pub is_in_sight: bool,
}

/// Which places count.
#[derive(Clone, Copy, Debug)]
enum Aim {
    /// Those that the body can get to from its start.
    Reached,
    /// Those that the goal is in plain sight of, for a point.
    InSight(Stand),
    /// All of the piece of ground.
    Anywhere,
}

/// A search for it.
struct Quest<'a, M> {
    finder: &'a PathFinder<M>,
    body: &'a Body,
    walker: Walker<'a>,
    aim: Aim,
    start: DVec3,
    start_cell: CellId,
    to: DVec3,
    config: LocateConfig,
    scratch: &'a mut PathScratch,
    /// Where something is closed: the cells that a body without radius can get to.
    open: Option<Vec<bool>>,
    best: (DVec3, CellId),
    distance: f64,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// The place nearest to `to` that a body can get to from `from`; the goal itself if it can get there.
    ///
    /// Fails if the start is off the mesh or too tight. A goal that is off the mesh is no failure.
    pub fn nearest_reachable(
        &self,
        body: &Body,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Reachable, NoPath> {
        if !(to.is_finite() && to.abs().max_element() <= 2.0 * MAX_COORDINATE) {
            return Err(NoPath::OffMesh { which: End::Goal, at: to });
        }
        let walker = self.walker(body)?;
        let (start, start_cell) = self.on_ground(self.stand(&walker, from, to.truncate(), config)?);
        let open = walker.limits.map(|_| self.open_cells(&walker, start_cell));
        // The start can be reached, always.
        let (best, distance) = ((start, start_cell), start.distance(to));
        let config = *config;
        let mut quest = Quest {
            finder: self,
            body,
            walker,
            aim: Aim::Reached,
            start,
            start_cell,
            to,
            config,
            scratch,
            open,
            best,
            distance,
        };
        // 1.
        if let Some(goal) = self.mesh.locate(to, &config) {
            let cells = self.mesh.cells_of(&goal);
            let mut cells = cells.filter(|&cell| quest.may_be(cell));
            if let Some(cell) = cells.next()
                && quest.is_reached(goal.point, cell)
            {
                return Ok(Reachable {
                    point: goal.point,
                    cell,
                    distance: goal.distance,
                    is_goal: true,
                    is_in_sight: false,
                });
            }
        }
        quest.look_at_rims();
        quest.look_at_cells();
        let Quest { best: (point, cell), distance, .. } = quest;
        Ok(Reachable { point, cell, distance, is_goal: false, is_in_sight: false })
    }

    /// The place nearest to a point of the ground at which a body fits, within what is closed to it: the point itself, else
    /// the nearest place in plain sight of it, else the nearest of the same piece of ground. Nothing if the point is off
    /// the mesh or closed, or if the body fits nowhere.
    pub fn nearest_free(
        &self,
        body: &Body,
        at: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Option<Reachable> {
        let walker = self.walker(body).ok()?;
        let point = Walker { radius: None, ..walker };
        let here = self.stand(&point, at, at.truncate(), config).ok()?;
        let (to, cell) = self.on_ground(here);
        if self.fits(&walker, here) {
            let distance = to.distance(at);
            return Some(Reachable { point: to, cell, distance, is_goal: true, is_in_sight: true });
        }
        let open = walker.limits.map(|_| self.open_cells(&walker, cell));
        let mut quest = Quest {
            finder: self,
            body,
            walker,
            aim: Aim::InSight(here),
            start: to,
            start_cell: cell,
            to,
            config: *config,
            scratch,
            open,
            best: (to, cell),
            distance: f64::INFINITY,
        };
        for aim in [Aim::InSight(here), Aim::Anywhere] {
            quest.aim = aim;
            quest.look_at_rims();
            if quest.distance.is_finite() {
                let ((point, cell), distance) = (quest.best, quest.distance);
                let is_in_sight = matches!(aim, Aim::InSight(_));
                return Some(Reachable { point, cell, distance, is_goal: false, is_in_sight });
            }
        }
        None
    }

    /// The cells that are joined to one by open portals.
    fn open_cells(&self, walker: &Walker<'_>, from: CellId) -> Vec<bool> {
        let mut open = vec![false; self.mesh.cell_count()];
        let mut waiting = vec![from];
        open[from.index()] = true;
        while let Some(cell) = waiting.pop() {
            for corner in self.mesh.corners(cell) {
                if let (Some(portal), Some(next)) = (self.mesh.portal_at(corner), self.mesh.neighbour(corner))
                    && walker.limits.is_none_or(|limits| limits.allows_crossing(portal, next))
                    && !std::mem::replace(&mut open[next.index()], true)
                {
                    waiting.push(next);
                }
            }
        }
        open
    }
}

impl<M: Deref<Target = NavMesh>> Quest<'_, M> {
    /// Whether a cell can be reached at all.
    fn may_be(&self, cell: CellId) -> bool {
        let mesh = &self.finder.mesh;
        mesh.component(cell) == mesh.component(self.start_cell)
            && self.open.as_ref().is_none_or(|open| open[cell.index()])
    }

    /// Whether the body can get to a place of a cell in which it may be.
    fn is_reached(&mut self, point: DVec3, cell: CellId) -> bool {
        let finder = self.finder;
        match self.aim {
            Aim::Reached => {}
            Aim::Anywhere => return true,
            Aim::InSight(from) => {
                let reached = finder.go_straight(&self.walker.as_point(), from, point.truncate(), |_| {});
                let is_there = || (finder.on_ground(reached.stand).0.z - point.z).abs() <= self.config.step;
                return reached.touch.is_none() && is_there();
            }
        }
        if self.walker.walls.is_some() && self.walker.radius.is_some() {
            return finder.find_for(self.body, self.start, point, &self.config, self.scratch).is_ok();
        }
        if let Some((radius, clearances)) = self.walker.radius.zip(finder.mesh.clearances())
            && !clearances.is_reachable(
                (self.start_cell, self.start.truncate()),
                (cell, point.truncate()),
                radius,
            )
        {
            return false;
        }
        // Without a radius the flood has said all.
        self.walker.limits.is_none()
            || self.walker.radius.is_none()
            || finder.find_for(self.body, self.start, point, &self.config, self.scratch).is_ok()
    }

    /// Steps 2 and 3.
    fn look_at_rims(&mut self) {
        let finder = self.finder;
        let to = self.to.truncate();
        if let Some((radius, walls)) = self.walker.radius.zip(self.walker.walls) {
            let mut places = walls.rim(&finder.mesh, to, radius);
            places.sort_by(|a, b| a.distance_squared(to).total_cmp(&b.distance_squared(to)));
            for at in places {
                self.look_at_place(at);
            }
        }
        let Some((radius, clearances)) = self.walker.radius.zip(finder.mesh.clearances()) else { return };
        for id in clearances.features().ids() {
            let feature = clearances.features().get(id);
            if !self.is_near(feature, radius) {
                continue;
            }
            let ahead = feature.parameter(to);
            free_rays(&clearances, id, radius, |low, high| {
                self.look_at(feature, ahead.clamp(low, high), radius);
                // Behind a corner the nearer end is not that with the nearer number.
                if !feature.is_edge() {
                    self.look_at(feature, low, radius);
                    self.look_at(feature, high, radius);
                }
                if matches!(self.aim, Aim::InSight(_)) {
                    self.look_where_sight_ends(feature, [low, high], radius);
                }
            });
        }
        let Some(limits) = self.walker.limits else { return };
        for (portal, sides) in finder.mesh.portals().as_slice().iter().enumerate() {
            for &side in sides {
                let is_closed = finder
                    .mesh
                    .neighbour(side)
                    .is_some_and(|into| !limits.allows_crossing(crate::PortalId(portal as u32), into));
                let [edge, ..] = closed::features(&limits, side);
                if is_closed && self.may_be(finder.mesh.cell_of_corner(side)) && self.is_near(&edge, radius) {
                    self.look_at(&edge, edge.parameter(to).clamp(edge.low, edge.high), radius);
                    for k in 0..=PORTAL_RAYS {
                        self.look_at(&edge, edge.high * f64::from(k) / f64::from(PORTAL_RAYS), radius);
                    }
                }
            }
        }
    }

    /// Whether a place beside a feature may be nearer than the best so far.
    fn is_near(&self, feature: &Feature, radius: f64) -> bool {
        let to = self.to.truncate();
        let foot = match feature.is_edge() {
            true => nearest_on_segment(to, feature.foot(feature.low), feature.foot(feature.high)),
            false => feature.at,
        };
        let mesh = &self.finder.mesh;
        mesh.component(mesh.cell_of_corner(feature.corner)) == mesh.component(self.start_cell)
            && foot.distance(to) - radius < self.distance
    }

    /// Looks at the place from which the body just touches a feature on one of its rays.
    fn look_at(&mut self, feature: &Feature, parameter: f64, radius: f64) {
        let finder = self.finder;
        let at = feature.point(parameter, radius);
        // In plan it is no farther than in space.
        if at.distance(self.to.truncate()) >= self.distance {
            return;
        }
        let face = finder.faces.faces_of(finder.mesh.cell_of_corner(feature.corner)).start;
        let foot = finder.settled(Stand { face, at: feature.foot(parameter) });
        let reached = finder.go_straight(&self.walker.as_point(), foot, at, |_| {});
        if reached.touch.is_none() && finder.fits(&self.walker, reached.stand) {
            let (point, cell) = finder.on_ground(reached.stand);
            self.offer(point, cell);
        }
    }

    /// Looks at the places of an interval of rays next to where sight of the goal begins or ends: straight ahead may be hidden. Of parts in
    /// sight that are narrower than a thirty-second of the interval some are passed over.
    fn look_where_sight_ends(&mut self, feature: &Feature, [low, high]: [f64; 2], radius: f64) {
        const SAMPLES: u32 = 32;
        /// Halvings of a sample's width.
        const HALVINGS: usize = 40;
        let Aim::InSight(from) = self.aim else { return };
        let (finder, to) = (self.finder, self.to.truncate());
        let walker = self.walker.as_point();
        let is_seen =
            |at: f64| finder.go_straight(&walker, from, feature.point(at, radius), |_| {}).touch.is_none();
        let place = |k: u32| low + (high - low) * f64::from(k) / f64::from(SAMPLES);
        let mut before: Option<bool> = None;
        for k in 0..=SAMPLES {
            // Between two samples no place is nearer than the nearer one by more than their distance.
            let at = feature.point(place(k), radius);
            let step = at
                .distance(feature.point(place(k.max(1) - 1), radius))
                .max(at.distance(feature.point(place((k + 1).min(SAMPLES)), radius)));
            if at.distance(to) - step >= self.distance {
                before = None;
                continue;
            }
            let seen = is_seen(place(k));
            if seen {
                self.look_at(feature, place(k), radius);
            }
            if before.is_some_and(|before| before != seen) {
                let (mut shown, mut hidden) =
                    if seen { (place(k), place(k - 1)) } else { (place(k - 1), place(k)) };
                for _ in 0..HALVINGS {
                    let middle = shown + (hidden - shown) / 2.0;
                    if is_seen(middle) { shown = middle } else { hidden = middle }
                }
                self.look_at(feature, shown, radius);
            }
            before = Some(seen);
        }
    }

    /// Looks at a place of the plan, on all storeys.
    fn look_at_place(&mut self, at: DVec2) {
        let finder = self.finder;
        if at.distance(self.to.truncate()) >= self.distance {
            return;
        }
        for cell in finder.mesh.cells_at(at, f64::NEG_INFINITY..=f64::INFINITY) {
            let stand = finder.settled(Stand { face: finder.faces.faces_of(cell).start, at });
            if finder.fits(&self.walker, stand) {
                let (point, cell) = finder.on_ground(stand);
                self.offer(point, cell);
            }
        }
    }

    /// Step 4.
    fn look_at_cells(&mut self) {
        let finder = self.finder;
        for cell in finder.mesh.cells() {
            let limit = self.distance;
            let away = finder.mesh.cell_boxes[cell].distance_squared(self.to.truncate());
            if away < limit * limit && self.may_be(cell) {
                let point = finder.mesh.closest_point_within(cell, self.to, limit);
                self.offer(point, cell);
            }
        }
    }

    fn offer(&mut self, point: DVec3, cell: CellId) {
        let distance = point.distance(self.to);
        if distance < self.distance && self.may_be(cell) && self.is_reached(point, cell) {
            (self.best, self.distance) = ((point, cell), distance);
        }
    }
}

/// Calls `visit` with each interval of a feature's rays on which it stays nearest for at least `height`.
fn free_rays(clearances: &Clearances<'_>, id: FeatureId, height: f64, mut visit: impl FnMut(f64, f64)) {
    let (data, feature) = (clearances.data(), clearances.features().get(id));
    let range = data.arc_range(id);
    for arc in range.start..range.end.saturating_sub(1) {
        let [from, to] = [0, 1].map(|next| data.parts().arcs[arc + next].from);
        let is_free = |at: f64| data.height(feature, arc, at) >= height;
        // Heights fall to the lowest place and rise again.
        let (lowest, least) = data.lowest(feature, arc, [from, to]);
        if least >= height {
            visit(from, to);
            continue;
        }
        for end in [from, to].into_iter().filter(|&end| end != lowest && is_free(end)) {
            let (mut free, mut tight) = (end, lowest);
            // Doubles are as near as they get after about so many halvings.
            for _ in 0..60 {
                let middle = free + (tight - free) / 2.0;
                if is_free(middle) { free = middle } else { tight = middle }
            }
            visit(end.min(free), end.max(free));
        }
    }
}
