//! A first corridor among boxes, soon.
//!
//! Idea: the path through a corridor is pulled taut anyway, so that the search need not know it well: from the last bend the way goes to the
//!   next portal where the straight line to the goal comes nearest to it, and bends at the portal before it at most. A label costs
//!   a few dozen instructions in single precision, where `search` holds the line against all portals since the bend.
//! Steps: as there; but portals wait with the way through them, and only the one into a box that promises the shortest.
//! Cost: memory for portals once more, 48 bytes on each side; what waits lies in buckets.

use super::{
    buckets::Buckets,
    portal_tree::PortalTrees,
    search::{Corridor, Task},
};
use crate::mesh::RegionId;
use wayfare_core::{DVec3, Vec4};

/// Ways that differ by less than this share of the straight line are as good as equal.
const EQUAL: f64 = 1e-3;
/// Lines that miss a portal by less than this share of the box's size do so from rounding: single precision has 24 bits.
const OFF: f32 = 1e-6;
const NONE: u32 = u32::MAX;

/// A place, and a zero: four numbers are computed with at once.
type Place = Vec4;

/// A portal as it is seen from one of its regions.
#[derive(Clone, Copy, Debug)]
struct Door {
    low: Place,
    high: Place,
    /// The axis that it lies across, and where.
    axis: u32,
    at: f32,
    into: u32,
}

/// Some of the portals of a region: a node of its tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    low: Place,
    high: Place,
    range: [u32; 2],
    second: u32,
}

/// All portals, in the order of [`PortalTrees`].
#[derive(Debug)]
pub(super) struct QuickDoors {
    doors: Vec<Door>,
    nodes: Vec<Node>,
    /// Places are relative to it: single precision is finest there.
    origin: DVec3,
    /// What a line misses a portal by at least: less comes from rounding.
    off: f32,
}

impl QuickDoors {
    pub(super) fn new(trees: &PortalTrees, [origin, high]: [DVec3; 2]) -> Self {
        let rounded = |p: DVec3| rounded(p - origin);
        let doors = trees.doors.iter().map(|door| Door {
            low: rounded(door.corners[0]),
            high: rounded(door.corners[1]),
            into: door.into.0,
            axis: door.axis % 3,
            at: rounded(door.corners[0]).to_array()[door.axis as usize % 3],
        });
        let nodes = trees.nodes.iter().map(|node| Node {
            low: rounded(node.area.min),
            high: rounded(node.area.max),
            range: node.range,
            second: node.second,
        });
        Self {
            doors: doors.collect(),
            nodes: nodes.collect(),
            origin,
            off: OFF * (high - origin).max_element() as f32,
        }
    }
}

fn rounded(p: DVec3) -> Place {
    Vec4::new(p.x as f32, p.y as f32, p.z as f32, 0.0)
}

#[derive(Clone, Copy, Debug)]
struct Label {
    /// The portal that is entered; `NONE` at the start.
    door: u32,
    before: u32,
    bend: Bend,
}

/// The last place where the way is not straight.
#[derive(Clone, Copy, Debug)]
struct Bend {
    point: Place,
    /// The way there.
    way: f32,
    /// The label at whose portal it lies.
    label: u32,
}

#[derive(Clone, Copy, Debug)]
enum Waiting {
    /// Portals in a box.
    Boxes {
        node: u32,
        from: u32,
    },
    Label(u32),
    Goal(u32),
}

/// Memory of the search.
#[derive(Debug, Default)]
pub(super) struct Quick {
    stamp: u32,
    /// For each region: the last query that looked at it, and the shortest way through it that is known; -inf once it was entered.
    known: Vec<(u32, f32)>,
    labels: Vec<Label>,
    queue: Buckets<Waiting>,
    pub(super) expanded: u32,
}

/// What a search does not change.
struct Aim<'a> {
    doors: &'a QuickDoors,
    task: &'a Task<'a>,
    goal: Place,
    forward: f32,
    limit: f32,
}

impl Quick {
    /// A corridor from start to goal.
    pub(super) fn find(&mut self, task: &Task) -> Option<Corridor> {
        let doors = task.quick?;
        let count = task.mesh.region_count();
        if self.known.len() != count || self.stamp == u32::MAX {
            self.known.clear();
            self.known.resize(count, (0, 0.0));
            self.stamp = 0;
        }
        self.stamp += 1;
        self.labels.clear();
        self.expanded = 0;
        let [from, to] = task.ends;
        let straight = from.distance(to);
        self.queue.begin(straight, (EQUAL * straight).max(task.mesh.raw().tolerance));
        let aim = Aim {
            doors,
            task,
            goal: rounded(to - doors.origin),
            forward: task.forward as f32,
            limit: task.limit as f32,
        };
        let bend = Bend { point: rounded(from - doors.origin), way: 0.0, label: 0 };
        self.labels.push(Label { door: NONE, before: NONE, bend });
        self.known[task.regions[0].0 as usize] = (self.stamp, f32::NEG_INFINITY);
        self.enter(&aim, 0, task.regions[0]);
        while let Some((bound, what)) = self.queue.pop() {
            if self.expanded >= task.most {
                return None;
            }
            match what {
                Waiting::Boxes { node, from } => self.part(&aim, node, from),
                Waiting::Label(label) => {
                    let region = doors.doors[self.labels[label as usize].door as usize].into;
                    let known = &mut self.known[region as usize];
                    // Entered, or to be entered on a shorter way.
                    if known.1 < bound as f32 {
                        continue;
                    }
                    known.1 = f32::NEG_INFINITY;
                    self.expanded += 1;
                    self.enter(&aim, label, RegionId(region));
                }
                Waiting::Goal(label) => return Some(self.corridor(task, label)),
            }
        }
        None
    }

    fn enter(&mut self, aim: &Aim, from: u32, region: RegionId) {
        if region == aim.task.regions[1] {
            let Label { door, bend, .. } = self.labels[from as usize];
            let door = (door != NONE).then(|| &aim.doors.doors[door as usize]);
            let (bend, rest) =
                bent(door, from, bend, aim.goal, distance(bend.point, aim.goal), aim.doors.off);
            let label = self.labels.len() as u32;
            self.labels.push(Label { door: NONE, before: from, bend });
            self.push(bend.way + rest, Waiting::Goal(label));
        } else if let Some(root) = aim.task.trees.root(region.0) {
            self.part(aim, root, from);
        }
    }

    #[inline]
    fn push(&mut self, bound: f32, what: Waiting) {
        self.queue.push(f64::from(bound), what);
    }

    fn wait(&mut self, aim: &Aim, node: u32, from: u32) {
        let Node { low, high, .. } = aim.doors.nodes[node as usize];
        let bend = &self.labels[from as usize].bend;
        let there = distance(bend.point, within(bend.point, low, high));
        let rest = distance(aim.goal, within(aim.goal, low, high));
        let bound = bend.way + (there + rest * aim.forward);
        if self.queue.is_due(f64::from(bound)) {
            self.part(aim, node, from);
        } else {
            self.push(bound, Waiting::Boxes { node, from });
        }
    }

    fn part(&mut self, aim: &Aim, node: u32, from: u32) {
        let Node { range, second, .. } = aim.doors.nodes[node as usize];
        if second != 0 {
            self.wait(aim, node + 1, from);
            self.wait(aim, second, from);
            return;
        }
        let Label { door: own, bend, .. } = self.labels[from as usize];
        let own = (own != NONE).then(|| aim.doors.doors[own as usize]);
        let (p, q) = (bend.point.to_array(), aim.goal.to_array());
        let along = aim.goal - bend.point;
        let doors = &aim.doors.doors[range[0] as usize..range[1] as usize];
        for (door, number) in doors.iter().zip(range[0]..) {
            let known = &mut self.known[door.into as usize];
            // Entered regions promise nothing; others that were not looked at, all.
            let best = if known.0 == self.stamp { known.1 } else { f32::INFINITY };
            if best == f32::NEG_INFINITY {
                continue;
            }
            // Where the straight way comes nearest to it.
            let axis = door.axis as usize & 3;
            let (there, rest) = ((p[axis] - door.at).abs(), (q[axis] - door.at).abs());
            let share = there / (there + rest).max(f32::MIN_POSITIVE);
            let at = within(bend.point + along * share, door.low, door.high);
            let rest = distance(at, aim.goal) * aim.forward;
            let there = distance(bend.point, at);
            if best <= bend.way + there + rest {
                continue;
            }
            let (bend, there) = bent(own.as_ref(), from, bend, at, there, aim.doors.off);
            let now = bend.way + there + rest;
            if best <= now || now >= aim.limit {
                continue;
            }
            *known = (self.stamp, now);
            let label = self.labels.len() as u32;
            self.labels.push(Label { door: number, before: from, bend });
            self.queue.push(f64::from(now), Waiting::Label(label));
        }
    }

    fn corridor(&self, task: &Task, goal: u32) -> Corridor {
        let (mut regions, mut portals, mut bends) = (Vec::new(), Vec::new(), Vec::new());
        let mut bend = self.labels[goal as usize].bend;
        let mut at = self.labels[goal as usize].before;
        while at != NONE {
            let own = &self.labels[at as usize];
            if own.door == NONE {
                regions.push(task.regions[0]);
            } else {
                if at == bend.label {
                    let point = task.quick.map_or(DVec3::ZERO, |doors| doors.origin)
                        + bend.point.truncate().as_dvec3();
                    bends.push((portals.len(), point));
                    bend = own.bend;
                }
                let door = task.trees.door(own.door);
                regions.push(door.into);
                portals.push(door.portal());
            }
            at = own.before;
        }
        regions.reverse();
        portals.reverse();
        bends.reverse();
        for (gate, _) in &mut bends {
            *gate = portals.len() - 1 - *gate;
        }
        Corridor { regions, portals, bends }
    }
}

/// The last bend on the way through the portal of a label to a place, and the rest of the way there; without another bend that is `there`.
#[inline]
fn bent(door: Option<&Door>, label: u32, bend: Bend, at: Place, there: f32, off: f32) -> (Bend, f32) {
    if let Some(door) = door {
        let axis = door.axis as usize & 3;
        let (p, q) = (bend.point.to_array()[axis] - door.at, at.to_array()[axis] - door.at);
        let share = if p == q { 0.0 } else { p / (p - q) };
        let through = bend.point + (at - bend.point) * share;
        let kept = within(through, door.low, door.high);
        if (kept - through).abs().cmpgt(Vec4::splat(off)).any() {
            let way = bend.way + distance(bend.point, kept);
            return (Bend { point: kept, way, label }, distance(kept, at));
        }
    }
    (bend, there)
}

#[inline]
fn within(p: Place, low: Place, high: Place) -> Place {
    p.max(low).min(high)
}

#[inline]
fn distance(p: Place, q: Place) -> f32 {
    (p - q).length()
}
