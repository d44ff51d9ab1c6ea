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
//! Promises: stored distances are at most half a unit in the last place of `f32` off; [`Landmarks::slack`] covers it.
//! Cost: one Dijkstra over the core per landmark; 64 bytes per corner of the core.

use super::{
    cone::{Cone, Exit, Ground, Visit},
    corner_graph::Corners,
    faces::{CORE_CORNER, Edge, Faces, NONE, SEALED},
    heap::{Heap, Node, key},
};
use wayfare_core::DVec2;

/// Landmarks per component; a trial found the knee here: 8 expand 60 % more, 32 save no time.
pub(crate) const LANDMARKS: usize = 16;

/// Distances of one corner.
pub(crate) type Distances = [f32; LANDMARKS];

/// Landmarks and the distances of all corners to those of their component.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Landmarks {
    /// For each corner that is one its slot in the distances: (corner, slot), by corner.
    pub slots: Vec<(u32, u32)>,
    /// Per corner. Slots that its component has no landmark for are zero everywhere.
    pub distances: Vec<Distances>,
    /// By how much a difference of two distances may be too large [m].
    pub slack: f32,
}

impl Landmarks {
    /// Chooses landmarks; `component` is that of each corner.
    pub fn build(faces: &Faces, corners: &Corners, component: &[u32]) -> Self {
        let mut landmarks =
            Self { slots: Vec::new(), distances: vec![[0.0; LANDMARKS]; corners.len()], slack: 0.0 };
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
            for slot in 0..LANDMARKS.min(group.len()) {
                let Some(landmark) = next else { break };
                geodesics.run(landmark, group);
                // A distance that is missing would break the inequality; the slot is left out then.
                if group.iter().all(|&corner| geodesics.lengths[corner as usize].is_finite()) {
                    landmarks.slots.push((landmark, slot as u32));
                    for &corner in group {
                        landmarks.distances[corner as usize][slot] =
                            geodesics.lengths[corner as usize] as f32;
                    }
                }
                for &corner in group {
                    let at = &mut nearest[corner as usize];
                    *at = at.min(geodesics.lengths[corner as usize]);
                }
                next = farthest(&nearest);
            }
        }
        landmarks.slots.sort_unstable();
        landmarks.with_slack()
    }

    /// The same with the slack for its largest distance.
    pub fn with_slack(mut self) -> Self {
        let largest = self.distances.iter().flatten().fold(0f32, |most, &d| most.max(d));
        // Four roundings to f32. A goal may be farther from a landmark than every corner is, but not twice as far.
        self.slack = 8.0 * 2f32.powi(-24) * 2.0 * largest;
        self
    }

    /// The slot of a corner that is a landmark.
    #[inline]
    pub fn slot(&self, corner: u32) -> Option<usize> {
        let at = self.slots.binary_search_by_key(&corner, |&(corner, _)| corner).ok()?;
        Some(self.slots[at].1 as usize)
    }

    /// The distance that two places are at least apart [m].
    #[inline]
    pub fn apart(&self, one: &Distances, two: &Distances) -> f64 {
        let mut most = 0f32;
        for (a, b) in one.iter().zip(two) {
            let difference = (a - b).abs();
            most = if difference > most { difference } else { most };
        }
        f64::from(most - self.slack)
    }
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
            ground: Ground { faces, orient: faces.orient, start: DVec2::ZERO },
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
