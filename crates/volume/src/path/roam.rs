//! A way for a body where the corridor of a point is of no use to it.
//!
//! Idea: places on portals where the body fits, joined where it gets straight from one to the other within a region. A straight
//!   line is measured against the walls only when it comes up in the search: most never do.
//! Source: lazy evaluation of edges, Bohlin and Kavraki 2000, "Path planning using lazy PRM". We differ: places lie on
//!   portals, not at random.
//! It stays near the way of a point first ([`super::guide`]), and goes everywhere where that leads nowhere or far round.
//! Steps: 1. places on each portal that is met, pushed away from walls that are too near  2. A* over them. [`super::shorten`] follows.
//! What comes back has been measured against all walls. A way between the places may be missed; places are at most four body
//! diameters apart on small portals, and sixteen on large ones.
//! Cost: a search over the places that are met; deterministic.

use super::{guide::Guide, walls::Walls};
use crate::{
    mesh::{PortalId, RegionId, VolumeMesh},
    polygon::{area_vector, edge_planes, middle},
    queue::Queue,
};
use wayfare_core::DVec3;

/// Places along each side of a portal at most.
const SIDE: usize = 4;
/// How often a place is pushed away from the wall that is nearest.
const PUSHES: usize = 4;
/// How much farther than the radius it is pushed.
const FARTHER: f64 = 1.02;
/// How much the search hurries to the goal: shortening makes good for it.
const FORWARD: f64 = 1.1;
/// Ways over places are longer than what they are shortened to by up to about so much.
const LONGER: f64 = 1.1;
/// Straight lines that are measured at most.
const MEASURED: usize = 40_000;
/// What waits at most.
const WAITING: usize = 4_000_000;
/// Of a search that does not begin anywhere.
const NONE: u32 = u32::MAX;

/// What is asked: regions and points of start and goal, and the radius.
#[derive(Clone, Copy)]
pub(super) struct Roaming<'a> {
    pub(super) mesh: &'a VolumeMesh,
    pub(super) walls: &'a Walls,
    pub(super) regions: [RegionId; 2],
    pub(super) ends: [DVec3; 2],
    pub(super) radius: f64,
    /// Where it stays, if it does not go everywhere.
    pub(super) guide: Option<&'a Guide>,
    /// Only ways that may become shorter than this are looked for [m].
    pub(super) limit: f64,
}

/// What waits: a place, and from where it is reached.
struct Waiting {
    node: u32,
    from: u32,
    /// The way so far, or the room so far.
    value: f64,
    is_measured: bool,
}

/// A place on a portal, or an end.
#[derive(Clone, Copy)]
struct Node {
    at: DVec3,
    regions: [RegionId; 2],
    /// Distance to the nearest wall, if that is below the radius; else the radius.
    room: f64,
    before: u32,
    is_settled: bool,
}

/// Places that were met.
pub(super) struct Places<'a> {
    pub(super) task: Roaming<'a>,
    nodes: Vec<Node>,
    /// Those of each portal.
    of: Vec<Option<[u32; 2]>>,
    queue: Queue<Waiting>,
    turn: u32,
}

const START: u32 = 0;
const GOAL: u32 = 1;

impl<'a> Places<'a> {
    pub(super) fn new(task: Roaming<'a>) -> Self {
        let end = |k: usize| Node {
            at: task.ends[k],
            regions: [task.regions[k]; 2],
            room: task.radius,
            before: NONE,
            is_settled: false,
        };
        Self {
            task,
            nodes: vec![end(0), end(1)],
            of: vec![None; task.mesh.portal_count()],
            queue: Queue::default(),
            turn: 0,
        }
    }

    /// Step 1: the places of a portal.
    fn on(&mut self, portal: PortalId) -> [u32; 2] {
        if let Some(known) = self.of[portal.0 as usize] {
            return known;
        }
        let Roaming { mesh, walls, radius, .. } = self.task;
        let outline = mesh.portal_points(portal);
        let normal = area_vector(outline).normalize_or_zero();
        let edges: Vec<_> = edge_planes(outline, normal).collect();
        let longest = (0..outline.len())
            .map(|k| outline[(k + 1) % outline.len()] - outline[k])
            .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let u = longest.unwrap_or(DVec3::X).normalize_or(DVec3::X);
        let v = normal.cross(u);
        let range = |axis: DVec3| {
            let along = outline.iter().map(|p| p.dot(axis));
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let (ru, rv) = (range(u), range(v));
        let count = |(low, high): (f64, f64)| (((high - low) / (4.0 * radius)) as usize + 1).min(SIDE);
        let (nu, nv) = (count(ru), count(rv));
        let centre = middle(outline);
        let mut places = vec![centre];
        for i in 0..nu {
            for j in 0..nv {
                let share = |k: usize, n: usize| (k as f64 + 0.5) / n as f64;
                let x = ru.0 + (ru.1 - ru.0) * share(i, nu) - centre.dot(u);
                let y = rv.0 + (rv.1 - rv.0) * share(j, nv) - centre.dot(v);
                places.push(centre + u * x + v * y);
            }
        }
        let first = self.nodes.len() as u32;
        for place in places {
            let mut best: Option<(f64, DVec3)> = None;
            let mut at = place;
            for _ in 0..=PUSHES {
                // Back into the portal.
                for edge in &edges {
                    at -= edge.normal * edge.distance(at).max(0.0);
                }
                if edges.iter().any(|edge| edge.distance(at) > mesh.raw().tolerance) {
                    break;
                }
                let near = walls.nearest(at, at, radius);
                let room = near.map_or(radius, |[_, wall]| at.distance(wall));
                if best.is_none_or(|(other, _)| room > other) {
                    best = Some((room, at));
                }
                let Some([_, wall]) = near else { break };
                let away = (at - wall) - normal * (at - wall).dot(normal);
                let Some(direction) = away.try_normalize() else { break };
                at += direction * (radius * FARTHER - room).max(0.0);
            }
            if let Some((room, at)) = best.filter(|(room, _)| *room > 0.0) {
                let is_new = self.nodes[first as usize..].iter().all(|node| node.at != at);
                if is_new {
                    let regions = mesh.portal_regions(portal);
                    self.nodes.push(Node { at, regions, room, before: NONE, is_settled: false });
                }
            }
        }
        self.beside_walls(portal, first, normal);
        let range = [first, self.nodes.len() as u32];
        self.of[portal.0 as usize] = Some(range);
        range
    }

    /// Places before and behind those of a portal near walls: from there the body can turn.
    fn beside_walls(&mut self, portal: PortalId, first: u32, normal: DVec3) {
        let Roaming { mesh, walls, radius, .. } = self.task;
        let step = radius * FARTHER;
        for k in first as usize..self.nodes.len() {
            let at = self.nodes[k].at;
            if walls.distance(at, 2.5 * radius).is_none() {
                continue;
            }
            let away = mesh.plane(mesh.portal_plane(portal)).normal;
            let away = if away.dot(normal) < 0.0 { -normal } else { normal };
            // The first region of a portal is below its plane.
            for (region, away) in mesh.portal_regions(portal).into_iter().zip([-away, away]) {
                let at = at + away * step;
                if mesh.outside(region, at) <= 0.0 {
                    let room = walls.distance(at, radius).unwrap_or(radius);
                    let regions = [region; 2];
                    self.nodes.push(Node { at, regions, room, before: NONE, is_settled: false });
                }
            }
        }
    }

    fn push(&mut self, key: f64, node: u32, from: u32, value: f64, is_measured: bool) {
        self.turn = self.turn.wrapping_add(1);
        self.queue.push(-key, u64::from(self.turn), Waiting { node, from, value, is_measured });
    }

    /// All places that are reached within the regions of one.
    fn beside(&mut self, node: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let [one, two] = self.nodes[node as usize].regions;
        for region in [one, two].into_iter().take(if one == two { 1 } else { 2 }) {
            if self.task.guide.is_some_and(|guide| !guide.holds(region)) {
                continue;
            }
            if region == self.task.regions[1] {
                found.push(GOAL);
            }
            let mesh = self.task.mesh;
            for portal in mesh.portals_of(region) {
                let [first, last] = self.on(portal);
                let is_here = |node: &Node| !node.is_settled && node.regions.contains(&region);
                found.extend((first..last).filter(|&k| is_here(&self.nodes[k as usize])));
            }
        }
        found
    }

    /// All places of a region where the body fits.
    pub(super) fn in_region(&mut self, region: RegionId) -> Vec<u32> {
        let mut found = Vec::new();
        let mesh = self.task.mesh;
        for portal in mesh.portals_of(region) {
            let [first, last] = self.on(portal);
            let fits = |node: &Node| node.room >= self.task.radius && node.regions.contains(&region);
            found.extend((first..last).filter(|&k| fits(&self.nodes[k as usize])));
        }
        found
    }

    /// Where a place is, and the regions that hold it.
    pub(super) fn place(&self, number: u32) -> (DVec3, [RegionId; 2]) {
        let Node { at, regions, .. } = self.nodes[number as usize];
        (at, regions)
    }

    /// The points up to the goal.
    fn points(&self) -> Vec<DVec3> {
        let mut points = Vec::new();
        let mut at = GOAL;
        while at != NONE {
            points.push(self.nodes[at as usize].at);
            at = self.nodes[at as usize].before;
        }
        points.reverse();
        points
    }
}

/// A path that keeps its radius from all walls, if one was found.
pub(super) fn roam(task: Roaming) -> Option<Vec<DVec3>> {
    let mut places = Places::new(task);
    let clear = |a: DVec3, b: DVec3| task.walls.is_clear(a, b, task.radius);
    places.push(0.0, START, NONE, 0.0, true);
    let mut measured = 0;
    // 2. A*
    while let Some((_, Waiting { node, from, value, .. })) = places.queue.pop() {
        let here = places.nodes[node as usize];
        if here.is_settled {
            continue;
        }
        if from != NONE {
            measured += 1;
            if measured > MEASURED || places.queue.len() > WAITING {
                return None;
            }
            if !clear(places.nodes[from as usize].at, here.at) {
                continue;
            }
        }
        let settled = &mut places.nodes[node as usize];
        (settled.is_settled, settled.before) = (true, from);
        if node == GOAL {
            return Some(places.points());
        }
        for next in places.beside(node) {
            let Node { at, room, regions, .. } = places.nodes[next as usize];
            if room >= task.radius {
                let way = value + here.at.distance(at);
                if way + at.distance(task.ends[1]) >= task.limit * LONGER {
                    continue;
                }
                let rest = task.guide.map_or(at.distance(task.ends[1]), |guide| guide.rest(regions, at));
                places.push(-(way + rest * FORWARD), next, node, way, false);
            }
        }
    }
    None
}

/// The widest body that gets through, up to the one that was asked for: its radius [m], and where it is stopped.
pub(super) fn widest(task: Roaming) -> (f64, DVec3) {
    let mut places = Places::new(task);
    places.push(task.radius, START, NONE, task.radius, true);
    let mut measured = 0;
    let mut stopped = (task.radius, task.ends[0]);
    while let Some((_, Waiting { node, from, value, is_measured })) = places.queue.pop() {
        let here = places.nodes[node as usize];
        if here.is_settled {
            continue;
        }
        if !is_measured {
            measured += 1;
            if measured > MEASURED || places.queue.len() > WAITING {
                break;
            }
            let near = task.walls.nearest(places.nodes[from as usize].at, here.at, value);
            let room = near.map_or(value, |[at, wall]| at.distance(wall));
            if room < value {
                places.push(room, node, from, room, true);
                continue;
            }
        }
        if value < stopped.0 {
            let near = places.nodes.get(from as usize).map_or(here.at, |before| before.at);
            let near = task.walls.nearest(near, here.at, value + task.radius);
            stopped = (value, near.map_or(here.at, |[at, _]| at));
        }
        let settled = &mut places.nodes[node as usize];
        (settled.is_settled, settled.before) = (true, from);
        if node == GOAL {
            return stopped;
        }
        for next in places.beside(node) {
            let room = value.min(places.nodes[next as usize].room);
            places.push(room, next, node, room, false);
        }
    }
    (0.0, stopped.1)
}
