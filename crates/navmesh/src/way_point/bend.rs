//! Round a corner that is in the way.
//!
//! Idea: a straight line that comes too near to a corner is turned until it touches the circle of the body's radius round the
//! corner, on the side on which the line passes. The way point lies on that tangent, some way past where it touches: a body
//! that turns there by as much as is needed touches the circle again. The larger the turn, the farther past it, which
//! takes room on the other side; so half of it is tried again and again.
//! Steps: 1. the line to the target  2. the corner that it comes nearest to; if it leaves the ground, as it may in a relaxed
//!   cell, the last corner on the path that can be reached  3. the tangent  4. past it as far as there is room;
//!   if not even the tangent is free, the same for its end.

use super::{Corridor, Walker, WayPoint, WayPointKind, WayPoints};
use crate::{
    clearance::{FREE_SLACK, FeatureId, LineClearance},
    everyday::closed::for_each_near,
};
use wayfare_core::DVec2;

/// So many corners are looked at one behind the other.
const MOST_CORNERS: usize = 8;
/// Turns at a way point beside a corner, as tangents of half the angle: the largest, how often half of it is tried, and what
/// is added to see past.
const LARGEST_TURN: f64 = 0.5;
const HALVES: usize = 12;
const MORE_TURN: f64 = 0.025;

impl WayPoints<'_> {
    /// How near to obstacles a line may come on which a body goes on: it may already stand a hair too near.
    fn limit(&self, walker: &Walker) -> f64 {
        let room = self.clearances().at(walker.cell, walker.at).map_or(f64::INFINITY, |place| place.distance);
        (walker.radius - 2.0 * FREE_SLACK).min(room - 1e-3 * FREE_SLACK)
    }
    fn line(&self, walker: &Walker, to: DVec2, limit: f64) -> LineClearance {
        self.clearances().along_until(walker.cell, walker.at, to, limit)
    }
    /// Whether a body can go straight to a point.
    pub(super) fn is_free(&self, walker: &Walker, to: DVec2) -> bool {
        let limit = self.limit(walker);
        (limit <= 0.0 || self.clearances().keeps_away(walker.cell, walker.at, to, limit).is_some())
            && self.is_open(walker, to)
    }
    /// Whether a body meets nothing that is closed on a straight line.
    fn is_open(&self, walker: &Walker, to: DVec2) -> bool {
        let mut is_open = true;
        if let Some(limits) = &self.limits {
            // A point crosses portals, too.
            let radius = (walker.radius - 2.0 * FREE_SLACK).max(FREE_SLACK);
            for_each_near(limits, walker.cell, [walker.at, to], radius, |_, _| is_open = false);
        }
        is_open
    }

    /// The target, or a way point beside the corner that is in the way.
    pub(super) fn towards(&self, walker: &Walker, corridor: &Corridor, target: WayPoint) -> WayPoint {
        let limit = self.limit(walker);
        if let Some(found) = self.around(walker, target, limit, false) {
            return found;
        }
        // Across a notch of a relaxed cell: the last of the path's corners in the cell that can be reached.
        let mut then = target.at;
        for post in corridor.posts(walker.passed).iter().rev() {
            let found = match self.beside(walker, post.at, post.is_left, then, limit) {
                Ok(found) => Some(found),
                Err(touch) => {
                    self.around(walker, WayPoint { at: touch, kind: WayPointKind::Bend }, limit, false)
                }
            };
            if let Some(found) = found {
                return found;
            }
            then = post.at;
        }
        let stuck = WayPoint { at: walker.at, kind: WayPointKind::Stuck };
        self.around(walker, target, limit, true).unwrap_or(stuck)
    }

    /// A point, or a way point beside the corner that is in the way to it; nothing if there is no room, or if the line to it
    /// leaves the ground and is not to be led back to it.
    fn around(
        &self,
        walker: &Walker,
        mut aim: WayPoint,
        limit: f64,
        may_leave_ground: bool,
    ) -> Option<WayPoint> {
        for _ in 0..MOST_CORNERS {
            // 1.
            let line = self.line(walker, aim.at, limit);
            if line.distance >= limit {
                return Some(aim);
            }
            // 2.
            let leaves_ground = || self.clearances().along(walker.cell, walker.at, aim.at).distance <= 0.0;
            if !may_leave_ground && leaves_ground() {
                return None;
            }
            let (corner, is_left) = self.corner_in_the_way(walker, &line, aim.at)?;
            // 3. and 4.
            let touch = match self.beside(walker, corner, is_left, aim.at, limit) {
                Ok(bend) => return Some(bend),
                Err(touch) => touch,
            };
            if touch == aim.at {
                return None;
            }
            aim = WayPoint { at: touch, kind: WayPointKind::Bend };
        }
        None
    }

    /// A way point on the tangent to the circle round a corner, past where it touches; or where that is, if there is no room.
    fn beside(
        &self,
        walker: &Walker,
        corner: DVec2,
        is_left: bool,
        then: DVec2,
        limit: f64,
    ) -> Result<WayPoint, DVec2> {
        let (heading, length) = tangent(walker.at, corner, walker.radius, is_left);
        let touch = walker.at + heading * length;
        let on = then - touch;
        let across = if is_left { heading.perp_dot(on) } else { -heading.perp_dot(on) };
        let turn = across / (on.length() + heading.dot(on)).max(f64::MIN_POSITIVE);
        let mut turn = (turn + MORE_TURN).clamp(MORE_TURN, LARGEST_TURN);
        for _ in 0..HALVES {
            let at = touch + heading * (walker.radius * turn);
            if self.line(walker, at, limit).distance >= limit {
                return Ok(WayPoint { at, kind: WayPointKind::Bend });
            }
            turn *= 0.5;
        }
        Err(touch)
    }

    /// The corner that a line comes too near to, and whether it is to be passed on the left of the body.
    fn corner_in_the_way(&self, walker: &Walker, line: &LineClearance, to: DVec2) -> Option<(DVec2, bool)> {
        let features = self.clearances().features();
        let ahead = to - walker.at;
        let id = line.feature?;
        let leaves_ground = line.distance <= 0.0;
        // A line comes too near to an edge beside one of its ends, or crosses it, where an end is a notch.
        let detour = |id: FeatureId| {
            let corner = features.get(id).at;
            if leaves_ground {
                corner.distance(walker.at) + corner.distance(to)
            } else {
                corner.distance(line.at)
            }
        };
        let ends = [id, features.previous(id), features.next(id)]
            .into_iter()
            .filter(|&end| !features.get(end).is_edge());
        let corners = ends.take(if features.get(id).is_edge() { 2 } else { 1 });
        let id = corners.min_by(|&a, &b| detour(a).total_cmp(&detour(b)))?;
        let corner = features.get(id);
        let side = ahead.perp_dot(corner.at - walker.at);
        // Across a notch the side is that of the wall behind it.
        let by_ground = || corner.axis.dot(ahead.perp()) < 0.0;
        Some((corner.at, if leaves_ground || side == 0.0 { by_ground() } else { side > 0.0 }))
    }
}

/// The heading from a point along the tangent to the circle round a corner, and how far it is to where it touches.
fn tangent(from: DVec2, corner: DVec2, radius: f64, is_left: bool) -> (DVec2, f64) {
    let arm = corner - from;
    let distance = arm.length();
    let side = if is_left { -1.0 } else { 1.0 };
    let sine = (radius / distance).min(1.0);
    let cosine = (1.0 - sine * sine).sqrt();
    let heading = DVec2::new(cosine, side * sine).rotate(arm / distance);
    (heading, distance * cosine)
}
