//! How far a body goes straight, and what stops it.
//!
//! Idea: the line is followed from cell to cell. In each, the features of its list are all that can be nearest, so the
//! first of them that the disc touches is the first obstacle at all; each is a closed formula. A body without radius
//! is stopped by edges that it cannot cross, and needs no clearance.
//! Steps: 1. the next stretch of the line  2. the first feature that is hit on it  3. on, or the edge in the way
//! A portal that is closed to the body is an edge and two corners more.
//! Cost: O(corners and lists of the cells passed); nothing is allocated.

use super::{
    Contact, Obstacle, Stand, Touch, Walker, closed,
    line::{Line, StretchEnd},
    touch::{Disc, Hit},
};
use crate::{
    Body, LocateConfig, NoPath, PathFinder,
    clearance::{Clearance, Feature},
    ledge::{Walls, level_parts},
    mesh::{CellId, NavMesh},
    search::faces::NONE,
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::distance_squared_to_segment;

/// How far a body gets that goes straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cast {
    /// Where its centre is in the end, on the ground: at the goal, or where it touches an obstacle.
    pub point: DVec3,
    /// A cell that this is in.
    pub cell: CellId,
    /// The part of the way that it went, 0 .. 1.
    pub fraction: f64,
    /// How far it went in plan [m].
    pub distance: f64,
    /// What stopped it; nothing if it arrived.
    pub contact: Option<Contact>,
}

/// The same on faces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub stand: Stand,
    pub distance: f64,
    pub length: f64,
    pub touch: Option<Touch>,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// How far a body gets that goes straight from one point towards another, and what stops it.
    ///
    /// Only the plan of `to` counts: going straight leads to one place of the ground at most. A body that touches an
    /// obstacle may go away from it and along it. Fails if the start is off the mesh or too tight.
    pub fn raycast(
        &self,
        body: &Body,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
    ) -> Result<Cast, NoPath> {
        self.raycast_over(body, from, to, config, |_| {})
    }

    /// The same; `visit` gets each cell that the centre passes, in order.
    pub fn raycast_over(
        &self,
        body: &Body,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        mut visit: impl FnMut(CellId),
    ) -> Result<Cast, NoPath> {
        let to = to.truncate();
        if !to.is_finite() {
            return Err(NoPath::OffMesh { which: crate::End::Goal, at: to.extend(0.0) });
        }
        let walker = self.walker(body)?;
        let stand = self.stand(&walker, from, to, config)?;
        let mut last = None;
        let reached = self.go_straight(&walker, stand, to, |cell| {
            if last.replace(cell) != Some(cell) {
                visit(cell);
            }
        });
        let (point, cell) = self.on_ground(reached.stand);
        let fraction = if reached.touch.is_none() { 1.0 } else { reached.distance / reached.length };
        let contact = reached.touch.map(|touch| self.contact(touch));
        Ok(Cast { point, cell, fraction, distance: reached.distance, contact })
    }

    /// Goes straight until something is hit; the place reached lies in its face to the last bit.
    pub(crate) fn go_straight(
        &self,
        walker: &Walker<'_>,
        stand: Stand,
        to: DVec2,
        mut visit: impl FnMut(CellId),
    ) -> Reached {
        let mut line = Line::new(&self.faces, stand, to);
        let (direction, length) = (line.direction, line.length);
        let disc =
            walker.radius.map(|radius| Disc { radius, slack: walker.slack, from: stand.at, direction });
        let mut face = stand.face;
        // A straight line meets a face once, and turns round each vertex once.
        for _ in 0..2 * self.faces.count() + 2 {
            // 1.
            let stretch = line.stretch();
            face = stretch.face;
            let cell = self.faces.cell(face);
            // 2.
            if let Some(disc) = &disc
                && let Some((hit, feature)) = self.first_hit(walker, disc, cell, &line, stretch.span)
            {
                let distance = hit.touches.min(length);
                let at = line.point(distance);
                let touch = self.touch_feature(walker, &feature, at);
                if distance >= stretch.span[0] {
                    visit(cell);
                } else {
                    face = self.face_at(stand, to, distance);
                }
                return Reached {
                    stand: self.settled(Stand { face, at }),
                    distance,
                    length,
                    touch: Some(touch),
                };
            }
            visit(cell);
            // 3.
            if stretch.end == StretchEnd::There {
                let stand = self.settled(Stand { face, at: to });
                return Reached { stand, distance: length, length, touch: None };
            }
            if let Err(edge) = line.go_on(&stretch, |edge| self.is_open(walker, edge)) {
                let distance = stretch.span[1];
                let at = line.point(distance);
                let touch = self.touch_edge(walker, edge, at, direction);
                let stand = self.settled(Stand { face, at });
                return Reached { stand, distance, length, touch: Some(touch) };
            }
        }
        // Only on a mesh whose neighbours make no plan.
        Reached { stand: self.settled(Stand { face, at: stand.at }), distance: 0.0, length, touch: None }
    }

    /// The face at a distance on a line that is known to be free.
    fn face_at(&self, stand: Stand, to: DVec2, distance: f64) -> u32 {
        let mut line = Line::new(&self.faces, stand, to);
        let is_inner = |edge: u32| self.faces.edges[edge as usize].twin != NONE;
        for _ in 0..2 * self.faces.count() + 2 {
            let stretch = line.stretch();
            if stretch.span[1] >= distance || line.go_on(&stretch, is_inner).is_err() {
                return stretch.face;
            }
        }
        stand.face
    }

    /// The first feature near a cell that a disc hits on a part of its way.
    fn first_hit(
        &self,
        walker: &Walker<'_>,
        disc: &Disc,
        cell: CellId,
        line: &Line<'_>,
        span: [f64; 2],
    ) -> Option<(Hit, Feature)> {
        let walls = walker.walls;
        let mut first = walls.and_then(|walls| self.first_wall_hit(walls, disc, cell, line, span));
        let mut look = |feature: &Feature, rays: [f64; 2], hair: f64| {
            if let Some(hit) = disc.hit(feature, rays, hair, span)
                && first.is_none_or(|(other, _)| hit.stops < other.stops)
            {
                first = Some((hit, *feature));
            }
        };
        let hair = Clearance::hair_of(&self.mesh);
        if walls.is_none() {
            let clearance = self.mesh.clearance()?;
            for (id, low, high) in clearance.list_with_ranges(cell) {
                look(clearance.features().get(id), [low, high], hair);
            }
        }
        if let Some(limits) = &walker.limits {
            let piece = span.map(|distance| line.point(distance));
            closed::for_each_near(limits, cell, piece, disc.radius, |corner, _| {
                for feature in closed::features(limits, corner) {
                    look(&feature, [feature.low, feature.high], hair);
                }
            });
        }
        first
    }

    /// The first wall that a disc hits on a part of its way in a cell, by walls alone.
    fn first_wall_hit(
        &self,
        walls: &Walls,
        disc: &Disc,
        cell: CellId,
        line: &Line<'_>,
        [from, to]: [f64; 2],
    ) -> Option<(Hit, Feature)> {
        let hair = Clearance::hair_of(&self.mesh);
        let on_ground = |distance: f64| {
            let p = line.point(distance);
            p.extend(self.mesh.height(cell, p))
        };
        let whole = [from, to].map(on_ground);
        // Where it is not level, more and fewer walls are in the way from part to part.
        let parts = level_parts(whole).count();
        let at = |k: usize| from + (to - from) * (k as f64 / parts as f64);
        for k in 0..parts {
            let span = [at(k), if k + 1 == parts { to } else { at(k + 1) }];
            let part = if parts == 1 { whole } else { span.map(on_ground) };
            let mut first: Option<(Hit, Feature)> = None;
            walls.for_each_beside(part, disc.radius, |wall| {
                // A wall that comes into its way from above or below may be too near at once.
                let [a, b] = wall.plan();
                let least = disc.radius - disc.slack;
                let is_at_once =
                    span[0] > 0.0 && distance_squared_to_segment(part[0].truncate(), a, b) < least * least;
                for feature in wall.features() {
                    let hit = match is_at_once {
                        true => Some(Hit { touches: span[0], stops: span[0] }),
                        false => disc.hit(&feature, [feature.low, feature.high], hair, span),
                    };
                    if let Some(hit) = hit
                        && first.is_none_or(|(other, _)| hit.stops < other.stops)
                    {
                        first = Some((hit, feature));
                    }
                }
            });
            if first.is_some() {
                return first;
            }
        }
        None
    }

    /// How a body at a point touches a feature.
    pub(super) fn touch_feature(&self, walker: &Walker<'_>, feature: &Feature, at: DVec2) -> Touch {
        let parameter = feature.parameter(at).clamp(feature.low, feature.high);
        let point = feature.foot(parameter);
        let normal = (at - point).try_normalize().unwrap_or_else(|| feature.ray(parameter));
        let edge = feature.corner;
        let mut obstacle = self.obstacle(walker, edge);
        // Two edges meet at a corner of the boundary; one wall is enough.
        if !feature.is_edge() && obstacle == Obstacle::Drop {
            let last = self.mesh.fan(self.mesh.corner_vertex(edge)).last();
            obstacle = last.map_or(obstacle, |last| self.obstacle(walker, self.mesh.previous_corner(last)));
        }
        Touch { obstacle, point, normal, edge }
    }

    /// How a body without radius touches an edge that it cannot cross.
    fn touch_edge(&self, walker: &Walker<'_>, edge: u32, at: DVec2, direction: DVec2) -> Touch {
        let [a, b] = [edge, self.faces.next(edge)].map(|edge| self.faces.edges[edge as usize].at);
        let normal = (b - a).perp().try_normalize().unwrap_or(-direction);
        let edge = self.corner_of(edge);
        Touch { obstacle: self.obstacle(walker, edge), point: at, normal, edge }
    }
}
