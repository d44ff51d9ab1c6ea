//! Which portals a short path goes through.
//!
//! Idea: A* over labels. A label is a portal that is entered, with the last bend before it and the way there; from a bend the
//!   way goes straight, through all portals since then, so that rooms cut into many regions are crossed as if they were whole.
//!   What is left is never less than the shortest way from the bend through the portal to the goal.
//! A region is entered once, by the label that came up first. (To let only the portal into a region wait that promises the shortest way
//!   saves a quarter of the queue, and made one of 10,000 paths on a voxel map longer than the grid's.)
//! Steps: 1. a region's portals wait as boxes, with a bound of the way through them  2. a box that comes up is parted, down to
//!   portals  3. a portal that comes up is reached from its label, with new bends where the straight line misses what
//!   lies between  4. if that is still the shortest it becomes a label, and its region's portals wait  5. the goal comes up.
//! Cost: what is shorter than the path, times a logarithm of the portals of a region; memory is used again.

use super::{
    buckets::Buckets,
    corridor,
    gates::Gates,
    portal_tree::{Below, PortalTrees},
    quick::QuickDoors,
};
use crate::mesh::{PortalId, RegionId, VolumeMesh};
use wayfare_core::DVec3;

/// Portals since the last bend that a straight line is held against; beyond, the way bends at the last one.
const STRAIGHT: usize = 64;
/// Ways that differ by less than this share of the straight line, or of what a limit leaves above it, are as good as equal.
const EQUAL: f64 = 5e-4;
const EQUAL_OF_ROOM: f64 = 1.0 / 256.0;
/// No label.
const NONE: u32 = u32::MAX;
/// The label of the start.
const START: u32 = 0;

/// Regions and the portals between them: one region more than portals.
#[derive(Clone, Debug)]
pub(crate) struct Corridor {
    pub(crate) regions: Vec<RegionId>,
    pub(crate) portals: Vec<PortalId>,
    /// Where the way through it bends, as far as the search knows.
    pub(crate) bends: Vec<corridor::Bend>,
}

/// A portal that is entered.
#[derive(Clone, Copy, Debug)]
struct Label {
    /// The portal, as the region before it sees it; `NONE` at the start.
    door: u32,
    /// The label before; `NONE` at the start.
    before: u32,
    bend: Bend,
}

/// The last place before a label where the way is not straight.
#[derive(Clone, Copy, Debug)]
struct Bend {
    point: DVec3,
    /// The way there [m].
    way: f64,
    /// The label at whose portal it lies.
    label: u32,
}

/// What waits, and the label from which it is reached.
#[derive(Clone, Copy, Debug)]
enum Waiting {
    /// Portals in a box.
    Boxes { node: u32, from: u32 },
    /// A portal, as a region sees it, with a bound of the way through its box.
    Door { door: u32, from: u32 },
    /// A portal with the shortest way through it.
    Portal { door: u32, from: u32 },
    /// A portal that was reached.
    Label(u32),
    /// The goal.
    Goal { from: u32 },
    /// The goal, which was reached, as the label of no portal.
    Reached(u32),
}

/// Memory of the search.
#[derive(Debug, Default)]
pub(super) struct Search {
    stamp: u32,
    /// The last query that entered each region.
    entered: Vec<u32>,
    labels: Vec<Label>,
    queue: Buckets<Waiting>,
    /// Labels between a bend and what is reached, the last first.
    chain: Vec<u32>,
    pub(super) expanded: u32,
}

/// What is asked of a search.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) mesh: &'a VolumeMesh,
    pub(super) trees: &'a PortalTrees,
    pub(super) regions: [RegionId; 2],
    pub(super) ends: [DVec3; 2],
    /// Only ways shorter than this are looked for [m].
    pub(super) limit: f64,
    /// The rest of the way counts so much more than what lies behind. A little more than 1: of equal ways, the one that is
    /// farther goes on. Much more: the search hurries to the goal, and the way may be longer by as much.
    pub(super) forward: f64,
    /// Labels at most; then nothing is found.
    pub(super) most: u32,
    /// The portals of boxes, for [`super::quick`].
    pub(super) quick: Option<&'a QuickDoors>,
}

impl Search {
    /// Begins a search; [`Search::next`] gives what it finds.
    pub(super) fn begin(&mut self, task: &Task) {
        let count = task.mesh.region_count();
        if self.entered.len() != count || self.stamp == u32::MAX {
            self.entered.clear();
            self.entered.resize(count, 0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.labels.clear();
        self.expanded = 0;
        let straight = task.ends[0].distance(task.ends[1]);
        let room = (task.limit - straight).max(0.0);
        let equal = (EQUAL * straight).max(task.mesh.raw().tolerance);
        self.queue.begin(straight, equal.min(EQUAL_OF_ROOM * room));
        let bend = Bend { point: task.ends[0], way: 0.0, label: START };
        self.labels.push(Label { door: NONE, before: NONE, bend });
        self.entered[task.regions[0].0 as usize] = self.stamp;
        self.enter(task, START, task.regions[0]);
    }

    /// The next corridor in the order of lengths.
    pub(super) fn next(&mut self, task: &Task, gates: &mut Gates) -> Option<Corridor> {
        let [_, to] = task.ends;
        while let Some((bound, what)) = self.queue.pop() {
            if bound >= task.limit || self.expanded >= task.most {
                return None;
            }
            match what {
                Waiting::Boxes { node, from } => self.part(task, node, from),
                Waiting::Door { door: number, from } => {
                    let door = task.trees.door(number);
                    if self.entered[door.into.0 as usize] != self.stamp && gates.open(door.portal()) {
                        let bend = self.labels[from as usize].bend;
                        let at = door.best(gates, bend.point, to).0;
                        let bound = bend.through(at, task);
                        if self.queue.is_due(bound) {
                            self.go_through(task, number, from, at, gates);
                        } else {
                            self.push(bound, Waiting::Portal { door: number, from }, task);
                        }
                    }
                }
                Waiting::Portal { door, from } => {
                    let next = task.trees.door(door);
                    if self.entered[next.into.0 as usize] != self.stamp {
                        let at = next.best(gates, self.labels[from as usize].bend.point, to).0;
                        self.go_through(task, door, from, at, gates);
                    }
                }
                Waiting::Label(label) => self.settle(task, label),
                Waiting::Goal { from } => {
                    let (bend, _) = self.reach(task, from, gates, to, |_| to);
                    let now = bend.way + bend.point.distance(to);
                    if self.queue.is_due(now) {
                        return Some(self.corridor(task, from, bend));
                    }
                    self.labels.push(Label { door: NONE, before: from, bend });
                    self.push(now, Waiting::Reached(self.labels.len() as u32 - 1), task);
                }
                Waiting::Reached(label) => {
                    let Label { before, bend, .. } = self.labels[label as usize];
                    return Some(self.corridor(task, before, bend));
                }
            }
        }
        None
    }

    #[inline]
    fn push(&mut self, bound: f64, what: Waiting, task: &Task) {
        if bound < task.limit {
            self.queue.push(bound, what);
        }
    }

    /// Step 3, and 4 if it comes up at once; `at` is the best point of the portal from the bend of the label before it.
    fn go_through(&mut self, task: &Task, number: u32, from: u32, at: DVec3, gates: &Gates) {
        let door = task.trees.door(number);
        let to = task.ends[1];
        let (bend, at) = self.reach(task, from, gates, at, |bend| door.best(gates, bend, to).0);
        let now = bend.through(at, task);
        self.labels.push(Label { door: number, before: from, bend });
        let label = self.labels.len() as u32 - 1;
        if self.queue.is_due(now) {
            self.settle(task, label);
        } else {
            self.push(now, Waiting::Label(label), task);
        }
    }

    /// Step 1.
    fn enter(&mut self, task: &Task, from: u32, region: RegionId) {
        if region == task.regions[1] {
            let bend = self.labels[from as usize].bend;
            self.push(bend.way + bend.point.distance(task.ends[1]), Waiting::Goal { from }, task);
        } else if let Some(root) = task.trees.root(region.0) {
            self.wait(task, root, from);
        }
    }

    fn wait(&mut self, task: &Task, node: u32, from: u32) {
        let Bend { point, way, .. } = self.labels[from as usize].bend;
        let (there, rest) = task.trees.way(node, point, task.ends[1]);
        let straight = point.distance(task.ends[1]);
        let bound = (there + rest * task.forward).max(straight);
        let bound = way + bound;
        if self.queue.is_due(bound) && bound < task.limit {
            self.part(task, node, from);
        } else {
            self.push(bound, Waiting::Boxes { node, from }, task);
        }
    }

    /// Step 2.
    fn part(&mut self, task: &Task, node: u32, from: u32) {
        let doors = match task.trees.below(node) {
            Below::Parts(parts) => {
                parts.into_iter().for_each(|part| self.wait(task, part, from));
                return;
            }
            Below::Doors(doors) => doors,
        };
        let Label { bend, door: came, .. } = self.labels[from as usize];
        let came = (came != NONE).then(|| task.trees.door(came).portal());
        for (number, door) in doors {
            if came != Some(door.portal()) && self.entered[door.into.0 as usize] != self.stamp {
                // Cheaper than the best point, and enough to see that most portals are elsewhere.
                let bound = bend.around(door.area(), task);
                self.push(bound, Waiting::Door { door: number, from }, task);
            }
        }
    }

    /// The region that a label enters.
    fn region(&self, task: &Task, label: u32) -> RegionId {
        match self.labels[label as usize].door {
            NONE => task.regions[0],
            door => task.trees.door(door).into,
        }
    }

    /// The last bend on the way from a label to what `aim` says when it is asked with a bend, and what it says there; `first` is
    /// what it says with the bend of the label.
    fn reach(
        &mut self,
        task: &Task,
        from: u32,
        gates: &Gates,
        first: DVec3,
        aim: impl Fn(DVec3) -> DVec3,
    ) -> (Bend, DVec3) {
        let Self { labels, chain, .. } = self;
        let mut bend = labels[from as usize].bend;
        chain.clear();
        let mut at = from;
        while at != bend.label {
            if chain.len() == STRAIGHT {
                // From here on the line to the last bend is taken as it is.
                break;
            }
            chain.push(at);
            at = labels[at as usize].before;
        }
        let mut goal = first;
        loop {
            // The first bend on the way to the aim: where the straight line misses most, then on the way there.
            let (mut target, mut end) = (goal, 0);
            loop {
                let mut worst = (f64::NEG_INFINITY, None);
                for (k, &label) in chain.iter().enumerate().skip(end) {
                    let door = task.trees.door(labels[label as usize].door);
                    if door.is_passed(gates, bend.point, target) {
                        continue;
                    }
                    let (x, missed) = door.best(gates, bend.point, target);
                    if missed > 0.0 {
                        let way = bend.point.distance(x) + x.distance(target);
                        if way > worst.0 {
                            worst = (way, Some((k, x)));
                        }
                    }
                }
                let Some((k, x)) = worst.1 else { break };
                (target, end) = (x, k + 1);
            }
            if end == 0 {
                return (bend, target);
            }
            let label = chain[end - 1];
            bend = Bend { point: target, way: bend.way + bend.point.distance(target), label };
            chain.truncate(end - 1);
            goal = aim(bend.point);
        }
    }

    /// Step 4.
    fn settle(&mut self, task: &Task, label: u32) {
        let region = self.region(task, label);
        let entered = &mut self.entered[region.0 as usize];
        if *entered == self.stamp {
            return;
        }
        *entered = self.stamp;
        self.expanded += 1;
        self.enter(task, label, region);
    }

    /// The portals up to a label, and the bends up to the last.
    fn corridor(&self, task: &Task, label: u32, mut bend: Bend) -> Corridor {
        let (mut regions, mut portals, mut bends) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = label;
        while at != NONE {
            let own = self.labels[at as usize];
            regions.push(self.region(task, at));
            if own.door != NONE {
                if at == bend.label {
                    bends.push((portals.len(), bend.point));
                    bend = own.bend;
                }
                portals.push(task.trees.door(own.door).portal());
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

impl Bend {
    /// Less than the way from the start to the goal with a bend here, through any point of a box.
    #[inline]
    fn around(&self, [low, high]: [DVec3; 2], task: &Task) -> f64 {
        let to = task.ends[1];
        let (there, rest) = (self.point.clamp(low, high), to.clamp(low, high));
        self.way + self.point.distance(there) + to.distance(rest) * task.forward
    }

    /// The way from the start to the goal with a bend here, through a point.
    #[inline]
    fn through(&self, point: DVec3, task: &Task) -> f64 {
        self.way + self.point.distance(point) + point.distance(task.ends[1]) * task.forward
    }
}
