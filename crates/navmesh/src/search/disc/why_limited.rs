//! What closes the way: the first limit that the shortest way without limits meets.

use super::{
    super::{
        corridor::{self, Follow},
        faces::{Faces, NONE},
        limits::Limits,
        path::{NoPath, Path},
        query::PathFinder,
        scratch::PathScratch,
    },
    curve::PlanPiece,
    finder::Body,
    off_limits::Trace,
};
use crate::{
    clearance::FREE_SLACK,
    locate::LocateConfig,
    mesh::{NavMesh, PortalId},
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// Why there is no way within limits.
    pub(super) fn why_limited(
        &self,
        body: &Body,
        limits: &Limits<'_>,
        [from, to]: [DVec3; 2],
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> NoPath {
        let mut path = Path::default();
        if let Err(why) = self.find_within(body, None, [from, to], config, scratch, &mut path) {
            return why;
        }
        let mut points: Vec<DVec2> = path.pieces.first().map(|piece| piece.ends()[0]).into_iter().collect();
        for piece in &path.pieces {
            piece.flatten(body.sagitta.max(1e-6), &mut points);
        }
        let is_allowed = |face: &&u32| limits.allows_cell(self.faces.cell(**face));
        let Some(&start) = scratch.starts.iter().find(is_allowed).or(scratch.starts.first()) else {
            return NoPath::OffMesh { which: super::super::path::End::Start, at: from };
        };
        let mut first = FirstLimit { faces: &self.faces, limits, found: None };
        corridor::follow_points(&self.faces, start, &points, false, &mut first);
        let mut found = first.found;
        // The centre crosses nothing, but the body is too wide.
        let mut face = start;
        for piece in path.pieces.iter().filter(|_| body.radius > 0.0) {
            if found.is_some() {
                break;
            }
            let trace = match *piece {
                PlanPiece::Line { from, to } => Trace::Line([from, to]),
                PlanPiece::Arc { from, to, centre, .. } => {
                    Trace::Arc { centre, arms: [from - centre, to - centre] }
                }
            };
            let cell = self.faces.cell(face);
            found = limits.nearest_to(cell, trace, body.radius - 2.0 * FREE_SLACK, &mut scratch.near);
            points.clear();
            points.push(piece.ends()[0]);
            piece.flatten(body.sagitta.max(1e-6), &mut points);
            for pair in points.windows(2) {
                face = corridor::walk(&self.faces, face, pair[0], pair[1], |_, _, _| {});
            }
        }
        match found {
            Some((portal, at)) => {
                let sides = self.mesh.portals()[portal].map(|corner| self.mesh.cell_of_corner(corner));
                let into = sides.into_iter().find(|&cell| !limits.allows_cell(cell)).unwrap_or(sides[0]);
                limits.why_not_across(portal, into, at.extend(self.mesh.height(into, at)))
            }
            None => {
                let component = |face: u32| self.mesh.component(self.faces.cell(face));
                NoPath::Unreachable { from: component(start), to: component(scratch.goals[0]) }
            }
        }
    }
}

/// Notes where a path first meets a limit.
struct FirstLimit<'a> {
    faces: &'a Faces,
    limits: &'a Limits<'a>,
    found: Option<(PortalId, DVec2)>,
}

impl Follow for FirstLimit<'_> {
    fn enter(&mut self, _face: u32, edge: u32, is_round: bool, [from, to]: [DVec2; 2]) {
        if self.found.is_some() || edge == NONE || self.limits.may_enter_by(self.faces, edge) {
            return;
        }
        let portal = self.faces.portals[edge as usize];
        if portal == NONE {
            return;
        }
        let [a, b] = [edge, self.faces.next(edge)].map(|edge| self.faces.edges[edge as usize].at);
        let (right, left) = ((to - from).perp_dot(a - from), (to - from).perp_dot(b - from));
        let share = if right == left { 0.0 } else { (right / (right - left)).clamp(0.0, 1.0) };
        let at =
            if is_round { wayfare_geom::segment::nearest_on_segment(from, a, b) } else { a.lerp(b, share) };
        self.found = Some((PortalId(portal), at));
    }

    fn point(&mut self, _index: usize) {}
}
