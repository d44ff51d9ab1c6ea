//! Distances to a few landmarks, from which a search reads how far two places are apart at least.
//!
//! Idea: by the triangle inequality |d(L, t) − d(L, v)| ≤ d(v, t) for every landmark L. With landmarks at the rim of
//! the map this is far better than the straight line where walls force detours.
//! Source: Goldberg and Harrelson 2005, "Computing the shortest path: A* search meets graph theory" (ALT).
//!   We differ: distances are true geodesics of the plane, not of the taut graph. In the graph a goal that is
//!   seen from a landmark without being tangent there would be a shortcut the graph lacks, and the inequality
//!   would fail.
//! Steps: 1. the corner farthest from the first one is the first landmark  2. the corner farthest from all
//!   landmarks is the next  3. distances by Dijkstra over cones, of corners that are only seen too
//! Promises: stored distances are whole numbers of a unit, 1/65535 of the largest, so at most half a unit off; two units
//!   are taken off every difference.
//! Cost: one Dijkstra over the core per landmark; 32 bytes per corner of the core. (With `f32` twice the memory was
//!   needed and as many corners expanded.)

use super::{
    cone::{Cone, Exit, Ground, Visit},
    corner_graph::Corners,
    faces::{CORE_CORNER, Edge, Faces, NONE, SEALED},
    heap::{Heap, Node, key},
};
use wayfare_core::DVec2;

/// Landmarks per component; a trial found the knee here: 8 expand 60 % more, 32 save no time.
pub(crate) const LANDMARKS: usize = 16;

/// Distances of one corner [units].
pub(crate) type Distances = [u16; LANDMARKS];

/// Landmarks and the distances of all corners to those of their component.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Landmarks {
    /// For each corner that is one its slot in the distances: (corner, slot), by corner.
    pub slots: Vec<(u32, u32)>,
    /// Per corner. Slots that its component has no landmark for are zero everywhere.
    pub distances: Vec<Distances>,
    /// The unit of distances [m].
    pub unit: f64,
}

/// Distances of a goal [units], and all bits set where they are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoalDistances {
    distances: Distances,
    known: Distances,
}

impl Landmarks {
    /// Chooses landmarks; `component` is that of each corner.
    pub fn build(faces: &Faces, corners: &Corners, component: &[u32]) -> Self {
        let mut slots = Vec::new();
        let mut lengths = vec![[0f64; LANDMARKS]; corners.len()];
        let mut by_component: Vec<u32> = (0..corners.len() as u32).collect();
        by_component.sort_by_key(|&corner| (component[corner as usize], corner));
        let mut geodesics = Geodesics::new(faces, corners);
        let mut nearest = vec![f64::INFINITY; corners.len()];
        for group in by_component.chunk_by(|&a, &b| component[a as usize] == component[b as usize]) {
            let farthest = |lengths: &[f64]| {
                let at = |corner: u32| lengths[corner as usize];
                group.iter().copied().max_by(|&a, &b| at(a).total_cmp(&at(b)).then(b.cmp(&a)))
            };
            geodesics.run(group[0], group);
            let mut next = farthest(&geodesics.lengths);
            for slot in (0..LANDMARKS).take(group.len()) {
                let Some(landmark) = next else { break };
                geodesics.run(landmark, group);
                // A distance that is missing would break the inequality; the slot is left out then.
                if group.iter().all(|&corner| geodesics.lengths[corner as usize].is_finite()) {
                    slots.push((landmark, slot as u32));
                    for &corner in group {
                        lengths[corner as usize][slot] = geodesics.lengths[corner as usize];
                    }
                }
                for &corner in group {
                    let at = &mut nearest[corner as usize];
                    *at = at.min(geodesics.lengths[corner as usize]);
                }
                next = farthest(&nearest);
            }
        }
        slots.sort_unstable();
        let largest = lengths.as_flattened().iter().fold(0f64, |most, &d| most.max(d));
        let unit = largest.max(f64::MIN_POSITIVE) / f64::from(u16::MAX);
        let distances = lengths.iter().map(|row| row.map(|length| (length / unit).round() as u16)).collect();
        Self { slots, distances, unit }
    }

    /// The slot of a corner that is a landmark.
    #[inline]
    pub fn slot(&self, corner: u32) -> Option<usize> {
        let at = self.slots.binary_search_by_key(&corner, |&(corner, _)| corner).ok()?;
        Some(self.slots[at].1 as usize)
    }

    /// Lowers distances of a goal [m] to what they are by way of a corner that is `tail` away from it.
    #[inline]
    pub fn by_way_of(&self, corner: u32, tail: f64, to_goal: &mut [f64; LANDMARKS]) {
        let Some(here) = self.distances.get(corner as usize) else { return };
        for (to_goal, &here) in to_goal.iter_mut().zip(here) {
            let length = f64::from(here) * self.unit + tail;
            *to_goal = if length < *to_goal { length } else { *to_goal };
        }
    }

    /// A goal's distances in units; those that are infinite are not known. One beyond the largest number counts
    /// as that: no corner is farther, so a difference is not overstated.
    pub fn of_goal(&self, to_goal: &[f64; LANDMARKS]) -> GoalDistances {
        let distances = to_goal.map(|length| (length / self.unit).round() as u16);
        let known = to_goal.map(|length| if length.is_finite() { u16::MAX } else { 0 });
        GoalDistances { distances, known }
    }

    /// How far a corner and the goal are apart at least [m].
    #[inline]
    pub fn apart(&self, corner: u32, goal: &GoalDistances) -> f64 {
        let Some(here) = self.distances.get(corner as usize) else { return 0.0 };
        let most = largest_difference(here, &goal.distances, goal.known.iter().copied());
        // The corner's distance is half a unit off, the goal's up to one and a half (see `ByCorners`).
        f64::from(most.saturating_sub(3)) * self.unit
    }

    /// How far two places are apart at least [m] whose distances were found as a goal's are.
    #[inline]
    pub fn goals_apart(&self, one: &GoalDistances, two: &GoalDistances) -> f64 {
        let known = one.known.iter().zip(&two.known).map(|(a, b)| a & b);
        let most = largest_difference(&one.distances, &two.distances, known);
        // Each is up to one and a half units off.
        f64::from(most.saturating_sub(4)) * self.unit
    }
}

/// Distances of a goal by way of the corners that it sees, one after the other.
///
/// In whole units: half a unit is lost with the way to the corner, half a unit is what the distances of corners are off, and those that were
/// found as a goal's are another half.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByCorners {
    least: Distances,
    most: Distances,
    known: Distances,
}

impl ByCorners {
    pub fn new() -> Self {
        Self { least: [u16::MAX; LANDMARKS], most: [0; LANDMARKS], known: [u16::MAX; LANDMARKS] }
    }

    /// By way of a corner with these distances that is so far away [units].
    #[inline]
    pub fn add(&mut self, here: &Distances, away: u16) {
        for (slot, &here) in here.iter().enumerate() {
            self.least[slot] = self.least[slot].min(here.saturating_add(away));
            self.most[slot] = self.most[slot].max(here);
        }
    }

    /// The same with distances that were found as a goal's are.
    #[inline]
    pub fn add_goal(&mut self, here: &GoalDistances, away: u16) {
        self.add(&here.distances, away);
        self.known.iter_mut().zip(&here.known).for_each(|(known, &here)| *known &= here);
    }

    /// The distances of the goal. A slot without a landmark is zero everywhere, and tells nothing.
    pub fn distances(&self) -> GoalDistances {
        let mut known = self.known;
        known
            .iter_mut()
            .zip(&self.most)
            .for_each(|(known, &most)| *known &= if most == 0 { 0 } else { u16::MAX });
        GoalDistances { distances: self.least, known }
    }
}

/// The largest difference of two lists where all bits of `known` are set; written so that it becomes a few vector operations.
#[inline(always)]
fn largest_difference(one: &Distances, two: &Distances, known: impl Iterator<Item = u16>) -> u16 {
    let mut most = 0;
    for ((&a, &b), known) in one.iter().zip(two).zip(known) {
        let difference = (a.saturating_sub(b) | b.saturating_sub(a)) & known;
        most = if difference > most { difference } else { most };
    }
    most
}

/// Dijkstra over cones from one corner of the core to all others.
struct Geodesics<'a> {
    ground: Ground<'a>,
    corners: &'a Corners,
    /// True distance of each corner, tangent or not.
    lengths: Vec<f64>,
    /// Length and parent of the best way that may go on, per corner.
    onward: Vec<(f64, u32)>,
    done: Vec<bool>,
    heap: Heap,
    stack: Vec<Cone>,
    root: u32,
    root_at: DVec2,
    root_length: f64,
}

impl<'a> Geodesics<'a> {
    fn new(faces: &'a Faces, corners: &'a Corners) -> Self {
        Self {
            ground: Ground { faces, orient: faces.orient, start: DVec2::ZERO, limits: None },
            corners,
            lengths: vec![f64::INFINITY; corners.len()],
            onward: vec![(f64::INFINITY, NONE); corners.len()],
            done: vec![false; corners.len()],
            heap: Heap::default(),
            stack: Vec::new(),
            root: 0,
            root_at: DVec2::ZERO,
            root_length: 0.0,
        }
    }

    /// From one corner to the others of its component, `group`.
    fn run(&mut self, from: u32, group: &[u32]) {
        let ground = self.ground;
        let faces = ground.faces;
        let in_core = |face: u32| faces.up[face as usize] == NONE;
        for &corner in group {
            self.lengths[corner as usize] = f64::INFINITY;
            self.onward[corner as usize] = (f64::INFINITY, NONE);
            self.done[corner as usize] = false;
        }
        self.lengths[from as usize] = 0.0;
        self.done[from as usize] = true;
        self.look_from(self.corners.vertices[from as usize], 0.0);
        ground.look_round(self.root, in_core, self);
        self.walk();
        while let Some(node) = self.heap.pop() {
            let corner = self.corners.of_vertex[node.root as usize] as usize;
            if std::mem::replace(&mut self.done[corner], true) {
                continue;
            }
            let (length, parent) = self.onward[corner];
            self.look_from(node.root, length);
            ground.turn(node.root, parent, &faces.core_walls[node.root as usize], in_core, self);
            self.walk();
        }
    }

    fn look_from(&mut self, vertex: u32, length: f64) {
        (self.root, self.root_at, self.root_length) = (vertex, self.ground.faces.xy[vertex as usize], length);
    }

    fn walk(&mut self) {
        let ground = self.ground;
        while let Some(cone) = self.stack.pop() {
            let view = ground.view(&cone);
            ground.cross(&cone, &view, self);
        }
    }
}

impl Visit for Geodesics<'_> {
    fn vertex(&mut self, edge: &Edge, _: bool) {
        if edge.flags & CORE_CORNER == 0 {
            return;
        }
        let corner = self.corners.of_vertex[edge.vertex as usize] as usize;
        let length = self.root_length + (edge.at - self.root_at).length();
        self.lengths[corner] = self.lengths[corner].min(length);
        let onward = &mut self.onward[corner];
        if length < onward.0 && !self.done[corner] && self.ground.may_turn(self.root_at, edge, false) {
            *onward = (length, self.root);
            self.heap.push(Node { key: key(length), root: edge.vertex, left: 0, right: 0, edge: NONE });
        }
    }

    fn exit(&mut self, exit: Exit<'_>) {
        let Edge { twin, flags, .. } = *exit.edge;
        if twin != NONE && flags & SEALED == 0 {
            self.stack.push(Cone { root: self.root, left: exit.left, right: exit.right, edge: twin });
        }
    }
}
