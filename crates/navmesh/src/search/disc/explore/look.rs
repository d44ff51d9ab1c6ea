//! What is seen on the way: corners come to be arrivals, and edges lead on, if the disc may turn to what lies behind them.

use super::{
    super::{
        super::{
            cone::{Cone, Exit, Ground, Visit},
            faces::{CORNER, Edge, INNER, NONE, WIDE},
        },
        slit::{MOST_STEPS, Slit, distance_to_line},
    },
    Quest, Root, SLANT, Search, Way,
};
use wayfare_core::DVec2;

impl Visit for Search<'_, '_> {
    #[inline]
    fn vertex(&mut self, edge: &Edge, _is_open: bool) {
        let Edge { vertex, flags, at, .. } = *edge;
        // Also where it is a corner only because of a dead end: nothing may be nearer to it than the radius.
        let is_corner = flags & CORNER != 0 || flags & INNER != 0 && self.quest.ground.limits.is_some();
        if is_corner && vertex != self.here.vertex && self.slit.is_none_or(|slit| slit.is_near(at)) {
            self.offer(vertex, at, flags & WIDE != 0);
        }
    }

    #[inline]
    fn exit(&mut self, exit: Exit<'_>) {
        let twin = exit.edge.twin;
        if twin == NONE {
            return;
        }
        let Quest { ground: Ground { faces, limits, .. }, radius, .. } = *self.quest;
        if limits.is_some_and(|limits| !limits.may_enter_by(faces, twin)) {
            return;
        }
        if self.quest.is_closed(exit.edge) {
            return;
        }
        let way = Way {
            cone: Cone { root: self.here.vertex, left: exit.left, right: exit.right, edge: twin },
            view: exit.view,
            ends: [exit.end, exit.edge.at],
            at_end: [exit.left_is_end, exit.right_is_start],
        };
        if !self.is_ahead(&way) {
            return;
        }
        // Through an edge that is too narrow for the disc, only what lies next to it is of interest; from a corner that
        // lies next to it itself, nothing is said.
        let slit = match self.slit {
            Some(slit) if !slit.may_reach(way.ends) => return,
            Some(slit) => Some(slit.one_edge_on()),
            // An inner vertex is no obstacle.
            None if (exit.edge.flags | faces.edges[twin as usize].flags) & INNER != 0 => None,
            None => Slit::of(way.ends, radius).filter(|slit| !slit.is_near(self.here.post.at)),
        };
        if let Some(slit) = slit.filter(|slit| slit.steps < MOST_STEPS) {
            let before = self.slit.replace(slit);
            let ground = self.quest.ground;
            ground.cross(&way.cone, &way.view, self);
            self.slit = before;
            return;
        }
        self.ways += 1;
        match (self.ways, self.only.take()) {
            (1, _) => self.only = Some(way),
            (_, first) => {
                if let Some(first) = first {
                    self.queue(&first);
                }
                self.queue(&way);
            }
        }
    }
}

impl Search<'_, '_> {
    /// Whether a cone holds a direction to a corner that the disc can turn to.
    fn is_ahead(&self, way: &Way) -> bool {
        let Root { post, heading, last_heading, .. } = self.here;
        if last_heading == DVec2::ZERO {
            return true;
        }
        // Along the heading and towards the side that the disc turns to.
        let seen = |v: DVec2| DVec2::new(heading.dot(v), heading.perp_dot(v) * post.side);
        let [left, right] = [way.view.left, way.view.right].map(|ray| seen(ray[1] - ray[0]));
        let (first, last) = if post.side > 0.0 { (right, left) } else { (left, right) };
        // Other corners lie between the heading, or up to the tangent's angle before it, and the last heading. The
        // cone is of no interest if it begins behind the one and ends before the other.
        let limit = seen(last_heading.normalize_or_zero());
        let begins_behind = first.y < 0.0 || limit.perp_dot(first) > SLANT * first.length();
        if !begins_behind {
            return true;
        }
        let near = distance_to_line(post.at, way.ends);
        let sine = (2.0 * self.quest.radius / near).min(1.0);
        let before = DVec2::new((1.0 - sine * sine).sqrt(), -sine);
        let ends_before = match (first.y < 0.0, last.y < 0.0) {
            (false, false) => true,
            (true, false) => false, // over the heading itself
            (_, true) => last.perp_dot(before) > SLANT * last.length(),
        };
        !ends_before
    }
}
