//! The search for large meshes: both ends join the taut graph, A* with landmarks does the rest.
//!
//! Idea: a shortest path is what its start sees, edges of the taut graph, and what its goal sees. So walk the cones
//! of both ends, then search the graph, whose bound comes from landmarks.
//! Source: visibility-graph planning; the bound is ALT ([`super::landmarks`]). Pruning by tangents keeps only edges
//!   that go on bending the way the path bent.
//! Steps: 1. join the start: walk its cones; a corner in its own dead ends is a root of its own, nearest first
//!   2. join the goal likewise; here the walk also goes down into the start's dead ends, because a line between
//!   corners of two dead ends is in neither's graph  3. distances of the landmarks to the goal  4. A*
//! Promises the same lengths as [`super::interval`].
//! Cost: tens of cones and corners per end, then about a hundred corners on a map with four thousand.

use super::{
    accelerator::Accelerator,
    cone::{Cone, Exit, Ground, LEFT, RIGHT, START, Sides, Visit},
    corner_graph::{CORNER_MASK, Corners, SIDES_SHIFT},
    faces::{CORE_CORNER, Edge, LANDMARK, NONE, SEALED},
    heap::{Node, key},
    interval::Found,
    landmarks::{Distances, GoalDistances, LANDMARKS},
    scratch::{PathScratch, VertexState},
};
use wayfare_core::DVec2;
use wayfare_geom::predicates::is_between;

/// What is searched beside the ground.
#[derive(Clone, Copy)]
pub(crate) struct Graph<'a> {
    pub corners: &'a Corners,
    pub accelerator: &'a Accelerator,
}

/// How far a search has come; the rest of it is in the scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    to_goal: GoalDistances,
    best: f64,
    turns: [u32; 2],
    expanded: u32,
}

/// How far a corner has to go to the goal at least [m].
#[inline]
fn bound(
    ground: &Ground<'_>,
    goal: DVec2,
    graph: &Graph<'_>,
    to_goal: &GoalDistances,
    vertex: u32,
    corner: u32,
) -> f64 {
    let straight = (goal - ground.faces.xy[vertex as usize]).length();
    straight.max(graph.accelerator.landmarks.apart(corner, to_goal))
}

/// Begins a search from `scratch.starts` to `scratch.goals`, which have no face in common. The caller has opened the dead ends and
/// knows that the two are not in the same one.
pub(crate) fn begin(
    ground: Ground<'_>,
    goal: DVec2,
    graph: Graph<'_>,
    scratch: &mut PathScratch,
) -> Progress {
    let stamp = scratch.stamp;
    let start = ground.start;
    // 1.
    let PathScratch { vertices, tails, opened, heap, starts, goals, stack, pocket, seen, .. } = scratch;
    Join {
        ground,
        stamp,
        own: stamp,
        opened,
        states: vertices,
        stack,
        pocket,
        seen,
        root: START,
        root_at: start,
        root_length: 0.0,
        far: None,
        onlooker: &mut (),
    }
    .run(starts);
    let start_seen = seen.len();
    // 2.
    let mut join = Join {
        ground: Ground { start: goal, ..ground },
        stamp,
        own: stamp + 1,
        opened,
        states: tails,
        stack,
        pocket,
        seen,
        root: START,
        root_at: goal,
        root_length: 0.0,
        far: Some(Far {
            graph,
            states: vertices,
            start,
            starts,
            to_goal: [f64::INFINITY; LANDMARKS],
            best: f64::INFINITY,
            turns: [START; 2],
        }),
        onlooker: &mut (),
    };
    join.run(goals);
    let (mut to_goal, best, turns) = match join.far {
        Some(Far { to_goal, best, turns, .. }) => (to_goal, best, turns),
        None => ([f64::INFINITY; LANDMARKS], f64::INFINITY, [START; 2]),
    };
    // 3.
    let landmarks = &graph.accelerator.landmarks;
    // A goal where the ground touches itself is two places in one: a landmark may be near one and far from the
    // other, and says nothing about either.
    let has_landmarks = !landmarks.distances.is_empty() && is_one_place(&ground, goal, goals);
    if has_landmarks {
        for &vertex in &seen[start_seen..] {
            let corner = graph.corners.of_vertex[vertex as usize];
            landmarks.by_way_of(corner, tails[vertex as usize].length, &mut to_goal);
        }
    } else {
        to_goal = [f64::INFINITY; LANDMARKS];
    }
    let to_goal = landmarks.of_goal(&to_goal);
    // 4.
    for &vertex in &seen[..start_seen] {
        let state = &mut vertices[vertex as usize];
        let corner = graph.corners.of_vertex[vertex as usize];
        state.bound = bound(&ground, goal, &graph, &to_goal, vertex, corner);
        let least = state.length + state.bound;
        if least < best {
            heap.push(Node { key: key(least), root: corner, left: 0, right: 0, edge: NONE });
        }
    }
    Progress { to_goal, best, turns, expanded: 0 }
}

/// Goes on with a search for so many expansions; nothing if it has not ended then. An infinite length means that
/// the graph could not tell.
pub(crate) fn resume(
    ground: Ground<'_>,
    goal: DVec2,
    graph: Graph<'_>,
    progress: &mut Progress,
    expansions: u64,
    scratch: &mut PathScratch,
) -> Option<Found> {
    let PathScratch { stamp, vertices, tails, heap, .. } = scratch;
    let stamp = *stamp;
    let Progress { to_goal, mut best, mut turns, mut expanded } = *progress;
    let pause = u64::from(expanded).saturating_add(expansions);
    // Distances that were read from a file could make the search take corners up again and again.
    let most = 1000 + 16 * graph.corners.len() as u32;
    loop {
        if u64::from(expanded) >= pause {
            *progress = Progress { to_goal, best, turns, expanded };
            return None;
        }
        let Some(node) = heap.pop() else { break };
        if node.bound() >= best {
            break;
        }
        if expanded >= most {
            best = f64::INFINITY;
            break;
        }
        let vertex = graph.corners.vertices[node.root as usize];
        let state = vertices[vertex as usize];
        if node.key > key(state.length + state.bound) {
            // A better way to it was found since.
            continue;
        }
        expanded += 1;
        let tail = &tails[vertex as usize];
        if tail.stamp == stamp && state.length + tail.length < best {
            (best, turns) = (state.length + tail.length, [vertex, tail.parent]);
        }
        let at = ground.faces.xy[vertex as usize];
        let from = ground.position(state.parent);
        for &target in graph.accelerator.graph.onward(node.root, state.sides) {
            let corner = target & CORNER_MASK;
            let to = graph.corners.vertices[corner as usize];
            let to_at = ground.faces.xy[to as usize];
            // The path must go on bending the same way, or straight.
            let bend = ground.orient.sign(from, at, to_at);
            let bends = if bend > 0.0 {
                LEFT
            } else if bend < 0.0 {
                RIGHT
            } else {
                LEFT | RIGHT
            };
            if bends & state.sides == 0 {
                continue;
            }
            let length = state.length + (to_at - at).length();
            let next = &mut vertices[to as usize];
            if next.stamp != stamp {
                next.bound = bound(&ground, goal, &graph, &to_goal, to, corner);
            } else if next.length <= length {
                continue;
            }
            let least = length + next.bound;
            *next = VertexState {
                length,
                bound: next.bound,
                parent: vertex,
                stamp,
                sides: target >> SIDES_SHIFT,
                ..VertexState::default()
            };
            if least < best {
                heap.push(Node { key: key(least), root: corner, left: 0, right: 0, edge: NONE });
            }
        }
    }
    Some(Found { length: best, turns, expanded })
}

/// Who looks on while the goal is joined, at what the goal sees itself.
pub(crate) trait Onlooker {
    /// A vertex is in sight.
    fn vertex(&mut self, vertex: u32) {
        let _ = vertex;
    }
    /// A dead end is in sight that is not walked.
    fn dead_end(&mut self, exit: &Exit<'_>) {
        let _ = exit;
    }
}

/// Nobody does.
impl Onlooker for () {}

/// How far the goal is from landmarks, nothing if there are none to tell; then nothing was looked at. Leaves marks in
/// `scratch.tails`.
pub(crate) fn landmarks_of_goal(
    ground: Ground<'_>,
    goal: DVec2,
    graph: Graph<'_>,
    scratch: &mut PathScratch,
    onlooker: &mut impl Onlooker,
) -> Option<GoalDistances> {
    let landmarks = &graph.accelerator.landmarks;
    let PathScratch { stamp, vertices, tails, opened, goals, stack, pocket, seen, .. } = scratch;
    if landmarks.distances.is_empty() || !is_one_place(&ground, goal, goals) {
        return None;
    }
    let mut join = Join {
        ground: Ground { start: goal, ..ground },
        stamp: *stamp,
        own: *stamp + 1,
        opened,
        states: tails,
        stack,
        pocket,
        seen,
        root: START,
        root_at: goal,
        root_length: 0.0,
        far: Some(Far {
            graph,
            states: vertices,
            start: goal,
            starts: &[],
            to_goal: [f64::INFINITY; LANDMARKS],
            best: f64::INFINITY,
            turns: [START; 2],
        }),
        onlooker,
    };
    join.run(goals);
    let mut to_goal = join.far?.to_goal;
    let in_sight = to_goal.map(f64::is_finite);
    // A slot without a landmark is zero everywhere. What is left to go from a corner on the path of a point is no less than from the
    // nearest corner that it could turn at; but discs touch other corners too, so nothing may come of such a slot.
    let mut farthest = Distances::default();
    for &vertex in &*seen {
        let corner = graph.corners.of_vertex[vertex as usize];
        landmarks.by_way_of(corner, tails[vertex as usize].length, &mut to_goal);
        let here = &landmarks.distances[corner as usize];
        farthest.iter_mut().zip(here).for_each(|(most, &here)| *most = here.max(*most));
    }
    for slot in 0..LANDMARKS {
        if farthest[slot] == 0 && !in_sight[slot] {
            to_goal[slot] = f64::INFINITY;
        }
    }
    Some(landmarks.of_goal(&to_goal))
}

/// Whether the faces that hold a point are joined to each other by edges, and so meet round the point.
pub(crate) fn is_one_place(ground: &Ground<'_>, p: DVec2, holding: &[u32]) -> bool {
    let faces = ground.faces;
    // One or two but for a vertex; then some more.
    let Some((&first, rest)) = holding.split_first() else { return true };
    let is_next = |one: u32, two: u32| {
        let (start, end) = faces.range(one);
        (start..end).any(|k| {
            let (edge, to) = (&faces.edges[k as usize], faces.edges[faces.next(k) as usize].at);
            edge.twin != NONE
                && faces.edges[edge.twin as usize].face == two
                && ground.orient.sign(edge.at, to, p) == 0.0
                && is_between(edge.at, to, p)
        })
    };
    // Faces round a point are few; more than a word of them are not worth a landmark.
    if rest.len() >= u64::BITS as usize {
        return false;
    }
    let mut joined = 0u64;
    loop {
        let before = joined;
        for (k, &face) in rest.iter().enumerate() {
            let mut known =
                rest.iter().enumerate().filter(|(j, _)| joined >> j & 1 != 0).map(|(_, &face)| face);
            if joined >> k & 1 == 0 && (is_next(face, first) || known.any(|other| is_next(face, other))) {
                joined |= 1 << k;
            }
        }
        if joined == before {
            return joined.count_ones() as usize == rest.len();
        }
    }
}

/// Finds the corners that one end sees, through its own dead ends if it lies in some.
struct Join<'a, O> {
    ground: Ground<'a>,
    stamp: u32,
    /// The mark of this end's dead ends.
    own: u32,
    opened: &'a [u32],
    states: &'a mut [VertexState],
    stack: &'a mut Vec<Cone>,
    pocket: &'a mut Vec<u32>,
    seen: &'a mut Vec<u32>,
    root: u32,
    root_at: DVec2,
    root_length: f64,
    /// What the goal's walk knows of the start's.
    far: Option<Far<'a>>,
    onlooker: &'a mut O,
}

struct Far<'a> {
    graph: Graph<'a>,
    states: &'a [VertexState],
    start: DVec2,
    starts: &'a [u32],
    /// Distances of the landmarks to the goal [m].
    to_goal: [f64; LANDMARKS],
    best: f64,
    turns: [u32; 2],
}

impl Far<'_> {
    /// A whole path of this length was found.
    fn offer(&mut self, length: f64, turns: [u32; 2]) {
        if length < self.best {
            (self.best, self.turns) = (length, turns);
        }
    }

    /// A landmark is in sight of the goal's side, tangent or not.
    fn see_landmark(&mut self, vertex: u32, length: f64) {
        let corner = self.graph.corners.of_vertex[vertex as usize];
        if let Some(slot) = self.graph.accelerator.landmarks.slot(corner) {
            self.to_goal[slot] = self.to_goal[slot].min(length);
        }
    }
}

impl<O: Onlooker> Join<'_, O> {
    fn run(&mut self, faces: &[u32]) {
        let ground = self.ground;
        for &face in faces {
            ground.look_around(face, self);
        }
        self.walk();
        // Corners in dead ends, nearest first. There are few, so the nearest is found by looking at all.
        while let Some(k) = {
            let length = |k: &usize| self.states[self.pocket[*k] as usize].length;
            (0..self.pocket.len()).min_by(|a, b| length(a).total_cmp(&length(b)))
        } {
            let vertex = self.pocket.swap_remove(k);
            let VertexState { length, parent, .. } = self.states[vertex as usize];
            (self.root, self.root_at, self.root_length) = (vertex, ground.faces.xy[vertex as usize], length);
            let (opened, own) = (self.opened, self.own);
            if let Some(far) = &mut self.far {
                let mut around =
                    ground.faces.fan(vertex).iter().map(|&edge| ground.faces.edges[edge as usize].face);
                if around.any(|face| far.starts.contains(&face)) {
                    far.offer(length + (far.start - self.root_at).length(), [START, vertex]);
                }
            }
            let may_enter =
                |face: u32| ground.faces.up[face as usize] == NONE || opened[face as usize] == own;
            ground.turn(vertex, parent, &ground.faces.walls[vertex as usize], may_enter, self);
            self.walk();
        }
    }

    fn walk(&mut self) {
        let ground = self.ground;
        while let Some(cone) = self.stack.pop() {
            let view = ground.view(&cone);
            if let Some(far) = &mut self.far {
                let face = ground.faces.edges[cone.edge as usize].face;
                if far.starts.contains(&face) && ground.sees(&view, far.start) {
                    let length = self.root_length + (far.start - self.root_at).length();
                    far.offer(length, [START, self.root]);
                }
            }
            ground.cross(&cone, &view, self);
        }
    }

    /// Notes a way to a corner of the core, or with no sides to one in a dead end. Where a corner is both, it is
    /// expanded as the latter, which sees more.
    fn reach(&mut self, vertex: u32, length: f64, sides: Sides) {
        let state = &mut self.states[vertex as usize];
        let is_new = state.stamp != self.stamp;
        let becomes_pocket = !is_new && sides == 0 && state.sides != 0 && length <= state.length;
        if is_new || becomes_pocket || length < state.length {
            let sides = if !is_new && state.sides == 0 { 0 } else { sides };
            *state = VertexState {
                length,
                bound: 0.0,
                parent: self.root,
                stamp: self.stamp,
                sides,
                ..VertexState::default()
            };
        }
        if is_new || becomes_pocket {
            if sides == 0 { &mut *self.pocket } else { &mut *self.seen }.push(vertex);
        }
    }
}

impl<O: Onlooker> Visit for Join<'_, O> {
    fn vertex(&mut self, edge: &Edge, is_open: bool) {
        if self.root == START {
            self.onlooker.vertex(edge.vertex);
        }
        let faces = self.ground.faces;
        let length = || self.root_length + (edge.at - self.root_at).length();
        if let Some(far) = &mut self.far {
            let state = &far.states[edge.vertex as usize];
            if state.stamp == self.stamp && state.length < far.best {
                far.offer(state.length + length(), [edge.vertex, self.root]);
            }
            if edge.flags & LANDMARK != 0 {
                far.see_landmark(edge.vertex, length());
            }
        }
        if is_open {
            if self.opened[edge.face as usize] == self.own && self.ground.may_turn(self.root_at, edge, true) {
                let length = length();
                self.reach(edge.vertex, length, 0);
            }
        } else if edge.flags & CORE_CORNER != 0 {
            let walls = &faces.core_walls[edge.vertex as usize];
            let sides = self.ground.sides(self.root_at, edge.at, walls);
            if sides != 0 {
                let length = length();
                self.reach(edge.vertex, length, sides);
            }
        }
    }

    fn start_vertex(&mut self, edge: &Edge) {
        self.onlooker.vertex(edge.vertex);
        if let Some(far) = &mut self.far
            && edge.flags & LANDMARK != 0
        {
            far.see_landmark(edge.vertex, 0.0);
        }
    }

    fn exit(&mut self, exit: Exit<'_>) {
        let Edge { twin, flags, .. } = *exit.edge;
        if twin == NONE {
            return;
        }
        if flags & SEALED != 0 {
            // Only the goal's walk goes down, into the start's dead ends.
            let face = self.ground.faces.edges[twin as usize].face;
            if self.far.is_none() || self.opened[face as usize] != self.stamp {
                if self.root == START {
                    self.onlooker.dead_end(&exit);
                }
                return;
            }
        }
        self.stack.push(Cone { root: self.root, left: exit.left, right: exit.right, edge: twin });
    }
}
