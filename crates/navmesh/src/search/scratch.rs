//! The memory of searches, kept from query to query so that a warm one allocates nothing.

use super::{
    cone::{Cone, START, Sides},
    disc::{DiscScratch, Near},
    faces::{Faces, NONE},
    heap::Heap,
    orient::Orient,
};
use crate::{
    ground::Crossing,
    mesh::{NavMesh, VertexId},
};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::distance_squared_to_segment;

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
    /// What is known of vertices on the goal's side, as `vertices` on the start's; `length` is to the goal.
    pub(crate) tails: Vec<VertexState>,
    /// Cones still to be walked.
    pub(crate) stack: Vec<Cone>,
    /// Corners in dead ends of the end that is being joined to the graph.
    pub(crate) pocket: Vec<u32>,
    /// Corners of the core that an end sees.
    pub(crate) seen: Vec<u32>,
    /// The points of the last path.
    pub(crate) points: Vec<DVec2>,
    /// The vertex of each of these points, [`START`] for the ends.
    pub(crate) turns: Vec<u32>,
    /// Whether the path turns there.
    pub(crate) is_turn: Vec<bool>,
    /// The same points on the ground.
    pub(crate) ground: Vec<DVec3>,
    /// Where a piece of the path crosses edges of the ground.
    pub(crate) crossings: Vec<Crossing>,
    /// What searches for discs need.
    pub(crate) disc: DiscScratch,
    /// What looking for limits needs.
    pub(crate) near: Near,
}

/// What is known of a vertex in the current query.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VertexState {
    /// Length of the best path to it so far [m].
    pub length: f64,
    /// How far it is to the goal at least [m]; only in the graph.
    pub bound: f64,
    /// Where that path comes from.
    pub parent: u32,
    /// `stamp` once reached, `stamp + 1` once expanded, anything else: not in this query.
    pub stamp: u32,
    /// On which sides of the way in its walls lie; only in the graph, none for corners in dead ends.
    pub sides: Sides,
    /// The face that it was seen through; only where there are limits.
    pub face: u32,
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
            self.vertices.resize(faces.vertex_count(), VertexState::default());
            self.tails.resize(faces.vertex_count(), VertexState::default());
        }
        if self.opened.len() < faces.count() {
            self.opened.resize(faces.count(), 0);
        }
        self.heap.clear();
        self.stack.clear();
        self.pocket.clear();
        self.seen.clear();
        self.mouths.clear();
        self.points.clear();
        self.turns.clear();
    }

    /// Opens the dead ends that hold the start or the goal.
    pub(crate) fn open_dead_ends(&mut self, faces: &Faces) -> DeadEnds {
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
        let mut found = DeadEnds::Apart;
        for k in 0..self.starts.len() {
            let mut face = self.starts[k];
            while faces.up[face as usize] != NONE && self.opened[face as usize] != self.stamp {
                let up = faces.up[face as usize];
                if self.opened[face as usize] == self.stamp + 1 {
                    let is_one = self.starts.len() == 1 && self.goals.len() == 1;
                    found = DeadEnds::Shared { ceiling: if is_one { up } else { NONE } };
                    break;
                }
                self.opened[face as usize] = self.stamp;
                face = faces.edges[faces.edges[up as usize].twin as usize].face;
            }
        }
        found
    }

    /// Writes the path that turns at `last` and, if `next` is no [`START`], on the goal's side at `next` and so on.
    pub(crate) fn trace(&mut self, faces: &Faces, start: DVec2, [last, next]: [u32; 2], goal: DVec2) {
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
        let mut vertex = next;
        while vertex != START {
            self.points.push(faces.xy[vertex as usize]);
            self.turns.push(vertex);
            vertex = self.tails[vertex as usize].parent;
        }
        self.points.push(goal);
        self.turns.push(START);
    }

    /// Tells the points of the path at which it really turns: not those on a straight piece, nor vertices that are
    /// corners by rounding only. The ends count as turns.
    pub(crate) fn find_turns(&mut self, mesh: &NavMesh, orient: Orient) {
        let flat = mesh.tolerance().flat;
        self.is_turn.clear();
        let mut before = self.points[0];
        let n = self.points.len();
        for k in 0..n {
            let is_turn = k == 0 || k + 1 == n || {
                let (p, after) = (self.points[k], self.points[k + 1]);
                let is_corner = || {
                    mesh.is_plan_notch(VertexId(self.turns[k]))
                        || distance_squared_to_segment(p, before, after) > flat * flat
                };
                // Back along the other side of a wall without thickness is a turn, too.
                let goes_back = || (p - before).dot(after - p) < 0.0;
                if orient.sign(before, p, after) == 0.0 { goes_back() } else { is_corner() }
            };
            if is_turn {
                before = self.points[k];
            }
            self.is_turn.push(is_turn);
        }
    }

    /// Leaves only the turns.
    pub(crate) fn drop_straight_points(&mut self) {
        let mut is_turn = self.is_turn.iter();
        self.points.retain(|_| is_turn.next().copied().unwrap_or(true));
    }
}

/// How the dead ends of the two ends of a query lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeadEnds {
    /// They have no face in common, or at least one end lies in the core.
    Apart,
    /// They meet before the core. No path needs to cross `ceiling`, the way out of where they meet, if it is known.
    Shared { ceiling: u32 },
}
