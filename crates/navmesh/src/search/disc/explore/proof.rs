//! Proofs of arrivals: whether a path that touches a corner was there before and is shorter, and whether the disc fits along the
//! arc and the straight piece by which it comes. Everything is decided by distances, when an arrival's turn has come.

use super::{
    super::{
        super::{cone::START, corridor::walk},
        known::Fit,
        line,
        off_limits::Trace,
        tangent::{Post, between, turn_between},
    },
    Arrival, NOTHING, Quest, Root, SAME, Search,
};
use crate::{
    clearance::{FREE_SLACK, FeatureId},
    mesh::{CellId, VertexId},
};
use std::f64::consts::PI;
use wayfare_core::{DVec2, ops};

impl Search<'_, '_> {
    /// Whether the disc fits all along an arrival; what is found out about pieces between corners is kept.
    pub(super) fn fits(&mut self, arrival: &Arrival) -> bool {
        let root = self.scratch.roots[arrival.root as usize];
        if arrival.root == 0 && arrival.vertex != START {
            // Many are settled on which nothing follows: it is asked when something does.
            return true;
        }
        if arrival.piece == NOTHING {
            return self.is_arc_free(&root, arrival) && self.is_arrival_free(&root, arrival);
        }
        let fit = self.scratch.known.piece(arrival.piece).fit;
        match fit {
            Fit::Free => self.is_arc_free(&root, arrival),
            Fit::Blocked => false,
            Fit::NotAsked if !self.is_arc_free(&root, arrival) => false,
            Fit::NotAsked => {
                let is_free = self.is_arrival_free(&root, arrival);
                self.scratch.known.set_fit(arrival.piece, is_free);
                is_free
            }
        }
    }

    /// Whether a root is one: whether the disc fits on the piece from the start by which it came. If not, it is none from now on.
    pub(super) fn stands(&mut self, number: u32) -> bool {
        let root = self.scratch.roots[number as usize];
        if root.is_proven {
            return true;
        }
        if root.length == f64::INFINITY {
            return false;
        }
        let start = self.scratch.roots[root.before as usize];
        let is_free = self.is_piece_free(&start, root.vertex, root.post.side, root.heading);
        let root = &mut self.scratch.roots[number as usize];
        root.is_proven = is_free;
        if !is_free {
            root.length = f64::INFINITY;
        }
        is_free
    }

    /// Whether a path was found already that touches this corner, on whichever side, and could go along its circle to
    /// where this one arrives and be shorter then; or, if it only turns on there, no longer.
    pub(super) fn is_dominated(&mut self, arrival: &Arrival) -> bool {
        if arrival.vertex == START {
            return false;
        }
        let radius = self.quest.radius;
        let post = Post { at: self.quest.ground.position(arrival.vertex), side: arrival.side };
        let out = post.outward(arrival.heading);
        let mut number = self.scratch.first(arrival.vertex);
        while number != NOTHING {
            let root = self.scratch.roots[number as usize];
            if root.length > arrival.length * (1.0 + 1e-14) {
                number = root.next;
                continue;
            }
            let other = root.post.outward(root.heading);
            let apart = between(root.angle, arrival.angle).abs();
            let angle = if root.post.side == arrival.side { apart } else { PI - apart };
            // Of two that are equally long, one that would have to turn back is no substitute: where a piece has no
            // length, it may be the one that need not turn.
            let turns_on = root.post.side == arrival.side
                && root.heading.perp_dot(arrival.heading) * arrival.side >= -SAME;
            let margin = if turns_on { 1.0 + 1e-14 } else { 1.0 - 1e-12 };
            let length = root.length + radius * angle;
            if (length < arrival.length * margin || turns_on && length == arrival.length)
                && self.is_turn_free(root.vertex, other, out)
                && self.stands(number)
            {
                return true;
            }
            number = root.next;
        }
        false
    }

    /// Whether the disc fits on the straight piece of an arrival.
    fn is_arrival_free(&mut self, root: &Root, arrival: &Arrival) -> bool {
        self.is_piece_free(root, arrival.vertex, arrival.side, arrival.heading)
    }

    /// Whether the disc fits on the straight piece from a root with a heading that touches a vertex.
    fn is_piece_free(&mut self, root: &Root, vertex: u32, side: f64, heading: DVec2) -> bool {
        let Quest { clearances, radius, .. } = *self.quest;
        let post = match vertex {
            START => Post { at: self.quest.goal, side: 0.0 },
            vertex => Post { at: self.quest.ground.position(vertex), side },
        };
        let from = root.post.centre(heading, radius);
        let to = post.centre(heading, radius);
        let faces = self.quest.ground.faces;
        let face = match root.vertex {
            START => self.quest.starts[0],
            vertex => match self.face_beside(vertex, root.post.outward(heading), from) {
                Some(face) => face,
                None => return false,
            },
        };
        line::keeps_away(faces, &clearances, face, [from, to], radius - FREE_SLACK).is_some()
            && self.keeps_off(faces.cell(face), Trace::Line([from, to]))
    }

    /// Whether a piece that starts in a cell, and keeps the radius from walls, keeps it from limits too.
    fn keeps_off(&mut self, cell: CellId, piece: Trace) -> bool {
        let Quest { ground, radius, .. } = *self.quest;
        let least = radius - FREE_SLACK;
        ground.limits.is_none_or(|limits| limits.distance_from(cell, piece, least, self.near) >= least)
    }

    /// Whether the disc can turn at its root to the heading of an arrival.
    fn is_arc_free(&mut self, root: &Root, arrival: &Arrival) -> bool {
        if root.vertex == START || turn_between(root.angle, arrival.angle, root.post.side) == 0.0 {
            return true;
        }
        let [from, to] = [root.heading, arrival.heading].map(|heading| root.post.outward(heading));
        self.is_turn_free(root.vertex, from, to)
    }

    /// Whether the disc can go along the circle round a corner from one direction to another.
    fn is_turn_free(&mut self, vertex: u32, from: DVec2, to: DVec2) -> bool {
        let Quest { ground, clearances, mesh, radius, .. } = *self.quest;
        if self.quest.sight.is_some_and(|sight| sight.is_wide_all_round(vertex, radius)) {
            return true;
        }
        let mut parts = clearances.features().of_vertex(mesh, VertexId(vertex));
        if parts.is_empty() {
            return self.is_turn_free_at_inner(vertex, from, to);
        }
        if !parts.all(|part| clearances.turn(FeatureId(part), from, to) >= radius - FREE_SLACK) {
            return false;
        }
        if ground.limits.is_none() {
            return true;
        }
        let centre = ground.position(vertex);
        let arms = [from, to].map(|out| out.normalize_or_zero() * radius);
        self.cell_beside(vertex, from, centre + arms[0])
            .is_some_and(|cell| self.keeps_off(cell, Trace::Arc { centre, arms }))
    }

    /// The same at a vertex that is a corner by limits alone, so that nothing is known of its surroundings: along
    /// chords outside the circle. What is narrower by less than their sagitta, 0.0003 of the radius, is refused.
    fn is_turn_free_at_inner(&mut self, vertex: u32, from: DVec2, to: DVec2) -> bool {
        const CHORDS: f64 = 64.0;
        let Quest { ground, clearances, radius, .. } = *self.quest;
        let least = radius - FREE_SLACK;
        let centre = ground.position(vertex);
        let from = from.normalize_or_zero();
        let turn = ops::atan2(from.perp_dot(to), from.dot(to));
        let count = (turn.abs() / PI * CHORDS).ceil().max(1.0);
        let arm = |k: f64| DVec2::from_angle(turn * k / count).rotate(from) * radius;
        let wider = 1.0 / ops::cos(turn / count / 2.0);
        let Some(mut cell) = self.cell_beside(vertex, from, centre + arm(0.0)) else { return false };
        if !self.keeps_off(cell, Trace::Arc { centre, arms: [arm(0.0), arm(count)] }) {
            return false;
        }
        let mut at = centre + arm(0.0);
        // Over the corners of the polygon round the arc, and to its end.
        let corners = (0..count as u32).map(|k| centre + arm(f64::from(k) + 0.5) * wider);
        for next in corners.chain([centre + arm(count)]) {
            match clearances.keeps_away(cell, at, next, least) {
                Some(end) => (cell, at) = (end, next),
                None => return false,
            }
        }
        true
    }

    /// The cell at a point that is reached straight from a corner without leaving the ground.
    fn cell_beside(&self, vertex: u32, out: DVec2, to: DVec2) -> Option<CellId> {
        self.face_beside(vertex, out, to).map(|face| self.quest.ground.faces.cell(face))
    }

    /// The same for a face.
    fn face_beside(&self, vertex: u32, out: DVec2, to: DVec2) -> Option<u32> {
        let faces = self.quest.ground.faces;
        let at = faces.xy[vertex as usize];
        // The face whose angle holds the direction, or is nearest to it.
        let miss = |edge: u32| {
            let right = (faces.edges[faces.next(edge) as usize].at - at).normalize_or_zero();
            let left = (faces.edges[faces.previous(edge) as usize].at - at).normalize_or_zero();
            (-right.perp_dot(out)).max(-out.perp_dot(left)).max(0.0)
        };
        let fan = faces.fan(vertex).iter();
        let edge = *fan.min_by(|a, b| miss(**a).total_cmp(&miss(**b)))?;
        Some(walk(faces, faces.edges[edge as usize].face, at, to, |_, _, _| {}))
    }
}
