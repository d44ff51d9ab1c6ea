//! One region, grown from a seed.
//!
//! Idea: a box grows round the seed on all sides at once, and jumps from contact to contact. What it touches parts it from the
//!   obstacle for good: one of its own sides stops, or it gains a face that lies on the obstacle and slides along it.
//! Source: Hale and Youngblood 2009; the order of contacts by best-first search in the largest of the distances along the axes,
//!   and the case of two edges, are our own.
//! Cases: 1. the inside of an obstacle's face meets a corner or an edge of the region: a face on it  2. a face parallel to a
//!   side: the side stops flush  3. an edge of the obstacle meets an edge of the region: a face through both edges  4. a
//!   corner or an edge of the obstacle meets a side: the side stops.
//! Promises: what was touched stays outside; the region is the intersection of half-spaces that all hold the seed.

use super::{
    super::tree::Limits,
    contact::{Contact, SIDES, along, first_contact},
    obstacles::{Obstacle, Obstacles},
    planes::Planes,
};
use crate::{
    plane::{HalfSpace, Plane, PlaneId},
    polygon,
    polytope::Polytope,
    queue::Queue,
};
use wayfare_core::DVec3;

/// Contacts of one region; what needs more is among slivers.
const CONTACTS: usize = 400;

/// A region in the making.
struct Growing<'a> {
    seed: DVec3,
    bounds: [DVec3; 2],
    limits: &'a Limits,
    planes: &'a mut Planes,
    /// Where each side has stopped, from the seed, and the half-space.
    stops: [Option<(f64, HalfSpace)>; SIDES],
    faces: Vec<HalfSpace>,
}

/// The half-spaces and the body of the region that a seed grows into, `None` if there is no room; and how many obstacles were looked at.
pub(super) fn grow(
    seed: DVec3,
    bounds: [DVec3; 2],
    obstacles: &Obstacles,
    planes: &mut Planes,
    limits: &Limits,
    boxes_only: bool,
) -> (Option<(Polytope, Vec<HalfSpace>)>, u64) {
    let mut work = 0;
    let stops = [None; SIDES];
    let mut growing = Growing { seed, bounds, limits, planes, stops, faces: Vec::new() };
    // Obstacles that may be touched next.
    let mut queue: Queue<u32> = Queue::default();
    // Obstacles up to this distance are in the queue.
    let mut known = 0.0;
    let mut step = (bounds[1] - bounds[0]).max_element() / 32.0;
    let mut contacts = 0;
    loop {
        let farthest = growing.farthest();
        if queue.least().is_none_or(|reach| reach >= known) {
            if known >= farthest {
                break;
            }
            let ring = obstacles.ring(seed, known, known + step);
            ring.into_iter().for_each(|(reach, obstacle)| queue.push(reach, obstacle.into(), obstacle));
            known += step;
            step *= 2.0;
            continue;
        }
        let Some((reach, number)) = queue.pop() else { break };
        work += 1;
        if reach >= farthest {
            break;
        }
        let obstacle = obstacles.get(number);
        let Some(left) = growing.left(obstacle) else { continue };
        let moves = growing.stops.map(|stop| stop.is_none());
        let Some(contact) = first_contact(seed, &left, moves) else { continue };
        if contact.reach > reach && queue.least().is_some_and(|other| other < contact.reach)
            || contact.reach >= known
        {
            queue.push(contact.reach, number.into(), number);
            continue;
        }
        contacts += 1;
        if contacts > CONTACTS {
            return (None, work);
        }
        growing.meet(obstacle, &left, contact, boxes_only);
        // It may be touched again elsewhere.
        queue.push(contact.reach, number.into(), number);
    }
    (growing.finish(), work)
}

impl Growing<'_> {
    /// How far a side may go.
    fn room(&self, side: usize) -> f64 {
        along(self.seed, side, self.bounds[side % 2])
    }

    /// How far any side that moves may go.
    fn farthest(&self) -> f64 {
        let moving = (0..SIDES).filter(|&side| self.stops[side].is_none());
        moving.map(|side| self.room(side)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// What is left of an obstacle that the region may still touch.
    fn left(&self, obstacle: &Obstacle) -> Option<Vec<DVec3>> {
        let mut points = obstacle.points.clone();
        let stops = self.stops.iter().flatten().map(|stop| stop.1);
        for side in stops.chain(self.faces.iter().copied()) {
            let plane = self.planes.outward(side);
            // Most often nothing is cut off, and nothing has to be copied.
            if points.iter().all(|&p| plane.distance(p) <= self.limits.piece)
                && points.iter().any(|&p| plane.distance(p) < -self.limits.piece)
            {
                continue;
            }
            let [inside, _] = polygon::split(&points, &plane, self.limits.piece);
            points = inside?;
        }
        Some(points)
    }

    /// The region when its sides have come so far.
    fn body(&self, reach: f64) -> Option<Polytope> {
        let mut corners = self.bounds;
        for side in 0..SIDES {
            let stop = self.stops[side].map_or(reach.min(self.room(side)), |stop| stop.0);
            let sign = if side.is_multiple_of(2) { -1.0 } else { 1.0 };
            corners[side % 2][side / 2] = self.seed[side / 2] + sign * stop;
        }
        if (corners[1] - corners[0]).min_element() <= 0.0 {
            return None;
        }
        let mut body = Polytope::cuboid(corners[0], corners[1]);
        for &face in &self.faces {
            body = body.below(&self.planes.outward(face), self.limits.cell, face.0)?;
        }
        Some(body)
    }

    /// Whether a plane parts the region, as far as it has come, from what lies above.
    fn parts(&self, plane: &Plane, reach: f64) -> bool {
        self.body(reach)
            .is_some_and(|body| body.vertices.iter().all(|&p| plane.distance(p) <= self.limits.piece))
    }

    fn stop(&mut self, side: usize, half_space: HalfSpace) {
        let plane = self.planes.outward(half_space);
        // The normal is that of an axis.
        let at = plane.offset * plane.normal[side / 2];
        self.stops[side] = Some(((at - self.seed[side / 2]).abs(), half_space));
    }

    /// Parts the region from an obstacle at a point where they touch.
    fn meet(&mut self, obstacle: &Obstacle, left: &[DVec3], contact: Contact, boxes_only: bool) {
        let Contact { reach, point } = contact;
        let near = 4.0 * self.limits.piece;
        let tight: Vec<usize> = (0..SIDES)
            .filter(|&side| self.stops[side].is_none() && along(self.seed, side, point) >= reach - near)
            .collect();
        if let Some(half_space) = self.planes.side_of(obstacle.plane, self.seed) {
            let plane = self.planes.outward(half_space);
            // 2.
            let side = (0..SIDES).find(|&side| {
                plane.normal == DVec3::AXES[side / 2] * if side.is_multiple_of(2) { -1.0 } else { 1.0 }
            });
            if let Some(side) = side.filter(|side| tight.contains(side)) {
                self.stop(side, half_space);
                return;
            }
            // 1.
            let rims: Vec<Plane> = polygon::edge_planes(&obstacle.points, plane.normal).collect();
            let is_inside = rims.iter().all(|rim| rim.distance(point) < -near);
            if !boxes_only && is_inside && self.parts(&plane, reach) {
                self.faces.push(half_space);
                return;
            }
            // 3.
            if let (false, &[a, b]) = (boxes_only, tight.as_slice())
                // Two opposite sides have no edge: what is between them lies at the seed.
                && a / 2 != b / 2
                && let Some(rim) = rims.iter().find(|rim| rim.distance(point).abs() <= near)
            {
                let edge = rim.normal.cross(plane.normal);
                let own = DVec3::AXES[3 - a / 2 - b / 2];
                if let Some(normal) = edge.cross(own).try_normalize() {
                    let through = Plane { normal, offset: normal.dot(point) };
                    let through = if through.distance(self.seed) > 0.0 { through.flipped() } else { through };
                    let is_beyond = left.iter().all(|&p| through.distance(p) >= -self.limits.piece);
                    if through.distance(self.seed) < -near && is_beyond && self.parts(&through, reach) {
                        let half_space = self.planes.below(through);
                        self.faces.push(half_space);
                        return;
                    }
                }
            }
            // A corner that meets an edge: the obstacle's own plane, if it parts them.
            if !boxes_only && tight.len() > 1 && self.parts(&plane, reach) {
                self.faces.push(half_space);
                return;
            }
        }
        // 4. The side that had the least way to go.
        let side =
            tight.iter().copied().min_by(|&a, &b| self.room(a).total_cmp(&self.room(b)).then(a.cmp(&b)));
        if let Some(side) = side {
            let half_space = self.planes.across(side / 2, point[side / 2], side.is_multiple_of(2));
            self.stop(side, half_space);
        }
    }

    fn finish(self) -> Option<(Polytope, Vec<HalfSpace>)> {
        let mut half_spaces = self.faces.clone();
        let mut body = Polytope::cuboid(self.bounds[0], self.bounds[1]);
        for side in 0..SIDES {
            // The sides of the box are the first six planes: low ones are left above, high ones below.
            let own = HalfSpace::new(PlaneId(side as u32), side.is_multiple_of(2));
            body.faces[side].key = own.0;
            half_spaces.push(self.stops[side].map_or(own, |stop| stop.1));
        }
        half_spaces.sort_unstable();
        half_spaces.dedup();
        for &side in half_spaces.iter().filter(|side| side.plane().0 >= SIDES as u32) {
            body = body.below(&self.planes.outward(side), self.limits.cell, side.0)?;
        }
        (body.volume() > 0.0).then_some((body, half_spaces))
    }
}
