//! The memory of searches, kept from query to query so that a warm one allocates nothing.

use super::{
    cone::START,
    faces::{Faces, NONE},
    heap::Heap,
};
use wayfare_core::DVec2;

/// What a thread needs to search; make one per thread and use it again and again.
///
/// It fits itself to any [`super::PathFinder`] that it is used with.
#[derive(Clone, Debug, Default)]
pub struct PathScratch {
    /// Counts queries in steps of two, so that nothing needs to be wiped.
    pub(crate) stamp: u32,
    pub(crate) vertices: Vec<VertexState>,
    /// Per face: `stamp` on the chain from the start to the core, `stamp + 1` on the goal's.
    pub(crate) opened: Vec<u32>,
    pub(crate) heap: Heap,
    /// Faces that hold the start.
    pub(crate) starts: Vec<u32>,
    /// Faces that hold the goal.
    pub(crate) goals: Vec<u32>,
    /// Vertices of the portals by which the goal's chains leave the core.
    pub(crate) mouths: Vec<u32>,
    /// The points of the last path.
    pub(crate) points: Vec<DVec2>,
    /// The vertex of each of these points, [`START`] for the ends.
    pub(crate) turns: Vec<u32>,
}

/// What is known of a vertex in the current query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexState {
    /// Length of the best path to it so far [m].
    pub length: f64,
    /// Where that path comes from.
    pub parent: u32,
    /// `stamp` once reached, `stamp + 1` once expanded, anything else: not in this query.
    pub stamp: u32,
}

impl PathScratch {
    /// Empty scratch memory; it grows with the first queries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a new query on `faces`.
    pub(crate) fn begin(&mut self, faces: &Faces) {
        if self.stamp >= u32::MAX - 4 {
            // Once in two thousand million queries.
            *self = Self::default();
        }
        self.stamp += 2;
        if self.vertices.len() < faces.vertex_count() {
            let unseen = VertexState { length: 0.0, parent: NONE, stamp: 0 };
            self.vertices.resize(faces.vertex_count(), unseen);
        }
        if self.opened.len() < faces.count() {
            self.opened.resize(faces.count(), 0);
        }
        self.heap.clear();
        self.mouths.clear();
        self.points.clear();
        self.turns.clear();
    }

    /// Opens the dead ends that hold the start or the goal. Returns the edge that no path needs to cross upwards:
    /// the way out of the dead end that holds both.
    pub(crate) fn open_dead_ends(&mut self, faces: &Faces) -> u32 {
        for k in 0..self.goals.len() {
            let mut face = self.goals[k];
            while faces.up[face as usize] != NONE && self.opened[face as usize] != self.stamp + 1 {
                self.opened[face as usize] = self.stamp + 1;
                let up = faces.up[face as usize];
                let out = faces.edges[up as usize];
                face = faces.edges[out.twin as usize].face;
                if faces.up[face as usize] == NONE {
                    self.mouths.extend([out.vertex, faces.edges[faces.next(up) as usize].vertex]);
                }
            }
        }
        for k in 0..self.starts.len() {
            let mut face = self.starts[k];
            while faces.up[face as usize] != NONE && self.opened[face as usize] != self.stamp {
                let up = faces.up[face as usize];
                if self.opened[face as usize] == self.stamp + 1 {
                    if self.starts.len() == 1 && self.goals.len() == 1 {
                        return up;
                    }
                    break;
                }
                self.opened[face as usize] = self.stamp;
                face = faces.edges[faces.edges[up as usize].twin as usize].face;
            }
        }
        NONE
    }

    /// Writes the path that ends at `goal` after turning at `last`, from start to goal.
    pub(crate) fn trace(&mut self, faces: &Faces, start: DVec2, last: u32, goal: DVec2) {
        self.points.push(goal);
        self.turns.push(START);
        let mut vertex = last;
        while vertex != START {
            self.points.push(faces.xy[vertex as usize]);
            self.turns.push(vertex);
            vertex = self.vertices[vertex as usize].parent;
        }
        self.points.push(start);
        self.turns.push(START);
        self.points.reverse();
        self.turns.reverse();
    }
}
