//! A first corridor among boxes, soon.
//!
//! Idea: the path through a corridor is pulled taut anyway, so that the search need not know it well: from the last bend the way goes to the
//!   next portal where the straight line to the goal comes nearest to it, and bends at the portal before it at most. Four portals are
//!   weighed at once in single precision, by some hundred instructions without a branch, where `search` holds the line against all portals since the bend.
//! Steps: as there; but portals wait with the way through them, and only the one into a box that promises the shortest.
//! Cost: memory for portals once more, 32 bytes on each side; what waits lies in buckets.

use super::{
    buckets::Buckets,
    portal_tree::{self, PortalTrees},
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

/// A portal.
#[derive(Clone, Copy, Debug)]
struct Door {
    low: Place,
    high: Place,
    /// The axis that it lies across, and where.
    axis: usize,
    at: f32,
}

/// Portals that are weighed at once.
const LANES: usize = 4;

/// Portals of one region side by side, coordinate by coordinate.
#[derive(Clone, Copy, Debug)]
struct Four {
    low: [Vec4; 3],
    high: [Vec4; 3],
    /// The regions beyond them; where there are fewer, one that no way leads into.
    into: [u32; LANES],
    /// The axes that they lie across.
    axes: [u8; LANES],
    /// The number of the first.
    first: u32,
}

impl Four {
    /// Up to four portals, places relative to an origin.
    fn new(doors: &[portal_tree::Door], first: u32, origin: DVec3, nowhere: u32) -> Self {
        let side = |corner: usize, axis: usize| {
            Vec4::from_array(std::array::from_fn(|lane| {
                doors.get(lane).map_or(0.0, |door| (door.corners[corner][axis] - origin[axis]) as f32)
            }))
        };
        Self {
            low: [0, 1, 2].map(|axis| side(0, axis)),
            high: [0, 1, 2].map(|axis| side(1, axis)),
            into: std::array::from_fn(|lane| doors.get(lane).map_or(nowhere, |door| door.into.0)),
            axes: std::array::from_fn(|lane| doors.get(lane).map_or(0, |door| door.axis as u8)),
            first,
        }
    }

    #[inline]
    fn door(&self, lane: usize) -> Door {
        let [low, high] =
            [&self.low, &self.high].map(|sides| [0, 1, 2].map(|axis: usize| sides[axis].to_array()[lane]));
        let axis = self.axes[lane] as usize % 3;
        let place = |[x, y, z]: [f32; 3]| Vec4::new(x, y, z, 0.0);
        Door { low: place(low), high: place(high), axis, at: low[axis] }
    }
}

/// Some of the portals of a region: a node of its tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    low: Place,
    high: Place,
    /// Of `fours`.
    range: [u32; 2],
    second: u32,
}

/// All portals, in the order of [`PortalTrees`]; the number of a portal is that of its four and its place there.
#[derive(Debug)]
pub(super) struct QuickDoors {
    fours: Vec<Four>,
    nodes: Vec<Node>,
    /// Places are relative to it: single precision is finest there.
    origin: DVec3,
    /// What a line misses a portal by at least: less comes from rounding.
    off: f32,
}

impl QuickDoors {
    pub(super) fn new(trees: &PortalTrees, [origin, high]: [DVec3; 2]) -> Self {
        let rounded = |p: DVec3| rounded(p - origin);
        let mut fours = Vec::new();
        let node = |node: &portal_tree::Node| {
            let begin = fours.len() as u32;
            if node.second == 0 {
                let own = &trees.doors[node.range[0] as usize..node.range[1] as usize];
                fours.extend(
                    own.chunks(LANES)
                        .zip((node.range[0]..).step_by(LANES))
                        .map(|(four, first)| Four::new(four, first, origin, trees.roots.len() as u32)),
                );
            }
            Node {
                low: rounded(node.area.min),
                high: rounded(node.area.max),
                range: [begin, fours.len() as u32],
                second: node.second,
            }
        };
        let nodes = trees.nodes.iter().map(node).collect();
        Self { fours, nodes, origin, off: OFF * (high - origin).max_element() as f32 }
    }

    #[inline]
    fn door(&self, number: u32) -> Door {
        self.fours[number as usize / LANES].door(number as usize % LANES)
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
    /// The region behind it.
    into: u32,
    /// The place of the last bend, and the way there as its fourth number: half a line of the processor's cache holds a label.
    bend: Vec4,
    /// The label at whose portal it lies.
    bend_label: u32,
}

impl Label {
    fn new(door: u32, before: u32, into: u32, bend: Bend) -> Self {
        let [x, y, z, _] = bend.point.to_array();
        Self { door, before, into, bend: Vec4::new(x, y, z, bend.way), bend_label: bend.label }
    }

    #[inline]
    fn bend(&self) -> Bend {
        let [x, y, z, way] = self.bend.to_array();
        Bend { point: Vec4::new(x, y, z, 0.0), way, label: self.bend_label }
    }
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

/// A label from which portals are weighed.
struct Ahead {
    /// Its last bend, and the way there.
    point: [Vec4; 3],
    way: Vec4,
    label: u32,
    /// From there to the goal.
    along: [Vec4; 3],
    /// Its portal.
    own: Option<Own>,
}

/// The portal through which all ways from a label go.
struct Own {
    low: [Vec4; 3],
    high: [Vec4; 3],
    axis: usize,
    at: Vec4,
}

/// What four portals promise.
struct Found {
    /// A bit for each that is better than what was known, and for each on the way to which there is another bend.
    better: u32,
    bent: u32,
    /// The way through each to the goal.
    now: [f32; LANES],
    /// The last bend on it, coordinate by coordinate, and the way there.
    point: [[f32; LANES]; 3],
    way: [f32; LANES],
}

impl Ahead {
    #[inline]
    fn new(aim: &Aim, label: &Label) -> Self {
        let bend = label.bend();
        let own = (label.door != NONE).then(|| {
            let door = aim.doors.door(label.door);
            Own { low: splat(door.low), high: splat(door.high), axis: door.axis, at: Vec4::splat(door.at) }
        });
        let along = splat(aim.goal - bend.point);
        Self { point: splat(bend.point), way: Vec4::splat(bend.way), label: bend.label, along, own }
    }

    /// `None` if no portal is better than what is known.
    #[inline]
    fn weigh(&self, aim: &Aim, four: &Four, best: Vec4) -> Option<Found> {
        let Self { point: p, way, along, .. } = self;
        // Where the straight way comes nearest to each.
        let (mut there, mut rest) = (Vec4::ZERO, Vec4::ZERO);
        for axis in 0..3 {
            let is_across = four.low[axis].cmpeq(four.high[axis]);
            there += Vec4::select(is_across, (p[axis] - four.low[axis]).abs(), Vec4::ZERO);
            rest += Vec4::select(is_across, (aim.goals[axis] - four.low[axis]).abs(), Vec4::ZERO);
        }
        let share = there / (there + rest).max(Vec4::splat(f32::MIN_POSITIVE));
        let at = [0, 1, 2]
            .map(|axis: usize| (p[axis] + along[axis] * share).max(four.low[axis]).min(four.high[axis]));
        let rest = distances(&at, &aim.goals) * aim.forward;
        let now = *way + distances(p, &at) + rest;
        let better = now.cmplt(best).bitmask();
        if better == 0 {
            return None;
        }
        let straight = |better| Found {
            better,
            bent: 0,
            now: now.to_array(),
            point: p.map(|side| side.to_array()),
            way: way.to_array(),
        };
        let Some(own) = &self.own else { return Some(straight(better)) };
        // Where that goes through its own portal; where the way lies in the portal's plane there is no one place.
        let (before, after) = (p[own.axis] - own.at, at[own.axis] - own.at);
        let apart = before - after;
        let share = Vec4::select(apart.cmpeq(Vec4::ZERO), Vec4::ZERO, before / apart);
        let mut off = Vec4::ZERO;
        let kept = [0, 1, 2].map(|axis: usize| {
            let through = p[axis] + (at[axis] - p[axis]) * share;
            let kept = through.max(own.low[axis]).min(own.high[axis]);
            off = off.max((kept - through).abs());
            kept
        });
        let misses = off.cmpgt(Vec4::splat(aim.doors.off));
        let bent = misses.bitmask();
        if bent == 0 {
            return Some(straight(better));
        }
        let there = *way + distances(p, &kept);
        let now = Vec4::select(misses, there + distances(&kept, &at) + rest, now);
        let better = now.cmplt(best).bitmask();
        (better != 0).then(|| Found {
            better,
            bent,
            now: now.to_array(),
            point: [0, 1, 2].map(|axis: usize| Vec4::select(misses, kept[axis], p[axis]).to_array()),
            way: Vec4::select(misses, there, *way).to_array(),
        })
    }
}

/// Memory of the search.
#[derive(Debug, Default)]
pub(super) struct Quick {
    /// For each region, the shortest way through it that is known; -inf once it was entered. One more: that none leads into.
    known: Vec<f32>,
    labels: Vec<Label>,
    queue: Buckets<Waiting>,
    pub(super) expanded: u32,
}

/// What a search does not change.
struct Aim<'a> {
    doors: &'a QuickDoors,
    task: &'a Task<'a>,
    goal: Place,
    /// Its coordinates, each four times.
    goals: [Vec4; 3],
    forward: f32,
    limit: Vec4,
}

impl Quick {
    /// A corridor from start to goal.
    pub(super) fn find(&mut self, task: &Task) -> Option<Corridor> {
        let doors = task.quick?;
        let count = task.mesh.region_count();
        if self.known.len() == count + 1 {
            self.labels.iter().for_each(|label| self.known[label.into as usize] = f32::INFINITY);
        } else {
            self.known.clear();
            self.known.resize(count, f32::INFINITY);
            self.known.push(f32::NEG_INFINITY);
        }
        self.labels.clear();
        self.expanded = 0;
        let [from, to] = task.ends;
        let straight = from.distance(to);
        self.queue.begin(straight, (EQUAL * straight).max(task.mesh.raw().tolerance));
        let goal = rounded(to - doors.origin);
        let aim = Aim {
            doors,
            task,
            goal,
            goals: splat(goal),
            forward: task.forward as f32,
            limit: Vec4::splat(task.limit as f32),
        };
        let bend = Bend { point: rounded(from - doors.origin), way: 0.0, label: 0 };
        self.labels.push(Label::new(NONE, NONE, task.regions[0].0, bend));
        self.known[task.regions[0].0 as usize] = f32::NEG_INFINITY;
        self.enter(&aim, 0, task.regions[0]);
        while let Some((bound, what)) = self.queue.pop() {
            if self.expanded >= task.most {
                return None;
            }
            match what {
                Waiting::Boxes { node, from } => self.part(&aim, node, from),
                Waiting::Label(label) => {
                    let region = self.labels[label as usize].into;
                    let known = &mut self.known[region as usize];
                    // Entered, or to be entered on a shorter way.
                    if *known < bound as f32 {
                        continue;
                    }
                    *known = f32::NEG_INFINITY;
                    self.expanded += 1;
                    self.enter(&aim, label, RegionId(region));
                }
                Waiting::Goal(label) => return Some(self.corridor(&aim, label)),
            }
        }
        None
    }

    fn enter(&mut self, aim: &Aim, from: u32, region: RegionId) {
        if region == aim.task.regions[1] {
            let own = self.labels[from as usize];
            let (into, bend) = (own.into, own.bend());
            let door = (own.door != NONE).then(|| aim.doors.door(own.door));
            let (bend, rest) =
                bent(door.as_ref(), from, bend, aim.goal, distance(bend.point, aim.goal), aim.doors.off);
            let label = self.labels.len() as u32;
            self.labels.push(Label::new(NONE, from, into, bend));
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
        let bend = self.labels[from as usize].bend();
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
        let ahead = Ahead::new(aim, &self.labels[from as usize]);
        let fours = &aim.doors.fours[range[0] as usize..range[1] as usize];
        for (four, number) in fours.iter().zip(range[0]..) {
            // Entered regions promise nothing; others that were not looked at, all.
            let best = Vec4::from_array(four.into.map(|into| self.known[into as usize]));
            let Some(found) = ahead.weigh(aim, four, best.min(aim.limit)) else { continue };
            let mut better = found.better;
            while better != 0 {
                let lane = better.trailing_zeros() as usize % LANES;
                better &= better - 1;
                let (into, now) = (four.into[lane], found.now[lane]);
                self.known[into as usize] = now;
                let [x, y, z] = found.point.map(|side| side[lane]);
                let own = Label {
                    door: number * LANES as u32 + lane as u32,
                    before: from,
                    into,
                    bend: Vec4::new(x, y, z, found.way[lane]),
                    bend_label: if found.bent >> lane & 1 != 0 { from } else { ahead.label },
                };
                let label = self.labels.len() as u32;
                self.labels.push(own);
                self.queue.push(f64::from(now), Waiting::Label(label));
            }
        }
    }

    fn corridor(&self, aim: &Aim, goal: u32) -> Corridor {
        let task = aim.task;
        let mut bend = self.labels[goal as usize].bend();
        let first = self.labels[goal as usize].before;
        let before = |&at: &u32| Some(self.labels[at as usize].before).filter(|&at| at != NONE);
        let count = std::iter::successors(Some(first), before).count();
        let (mut regions, mut portals) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut bends = Vec::with_capacity(16);
        let mut at = first;
        while at != NONE {
            let own = &self.labels[at as usize];
            if own.door == NONE {
                regions.push(task.regions[0]);
            } else {
                if at == bend.label {
                    let point = aim.doors.origin + bend.point.truncate().as_dvec3();
                    bends.push((portals.len(), point));
                    bend = own.bend();
                }
                let door = task
                    .trees
                    .door(aim.doors.fours[own.door as usize / LANES].first + own.door % LANES as u32);
                regions.push(RegionId(own.into));
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
        let axis = door.axis;
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

/// The coordinates of a place, each in all lanes.
#[inline]
fn splat(p: Place) -> [Vec4; 3] {
    let [x, y, z, _] = p.to_array();
    [x, y, z].map(Vec4::splat)
}

#[inline]
fn distances(p: &[Vec4; 3], q: &[Vec4; 3]) -> Vec4 {
    let [x, y, z] = [0, 1, 2].map(|axis| (p[axis] - q[axis]) * (p[axis] - q[axis]));
    (x + y + z).sqrt()
}

#[inline]
fn within(p: Place, low: Place, high: Place) -> Place {
    p.max(low).min(high)
}

#[inline]
fn distance(p: Place, q: Place) -> f32 {
    (p - q).length()
}
