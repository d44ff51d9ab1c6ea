//! The plain search: A* over cones and corners.
//!
//! Idea: cones are expanded in the order of the shortest path that could go through them; a corner in sight is
//! a node of its own, expanded once, at its final length, into what lies round it.
//! Source: Cui, Harabor and Grastien 2017 ("Polyanya"); the bound of a cone is their h-value.
//!   We differ: cones with exact bounds ([`super::cone`]), corners as nodes (one per corner instead of a chain of
//!   non-observable successors), dead ends left out ([`super::dead_ends`]).
//! Steps: 1. look from the start into its faces  2. take the node with the least bound  3. a corner: look on round it
//!   4. a cone: cross faces while there is only one way on, then queue what is in sight
//!   5. stop when the least bound is no better than the best path found
//! Promises the shortest path (to rounding), or none if start and goal are not connected.
//! Cost: output-sensitive; thousands of steps on maps with tens of thousands of cells, hence [`super::corner_graph`].

use super::{
    cone::{Cone, Exit, Ground, START, View, Visit},
    faces::{CORNER, Edge, NONE, SEALED},
    heap::{Heap, Node, key},
    scratch::{PathScratch, VertexState},
};
use wayfare_core::DVec2;

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Length of the path [m]; infinite if there is none.
    pub length: f64,
    /// The corner at which it turns last, or [`START`]; then, where the goal's side was searched by itself, the first
    /// corner on that side, or [`START`].
    pub turns: [u32; 2],
    /// Nodes that were expanded.
    pub expanded: u32,
}

struct Search<'a> {
    ground: Ground<'a>,
    goal: DVec2,
    ceiling: u32,
    stamp: u32,
    heap: &'a mut Heap,
    vertices: &'a mut [VertexState],
    opened: &'a [u32],
    mouths: &'a [u32],
    best: f64,
    last: u32,
    /// Of the node that is being expanded:
    root: u32,
    root_at: DVec2,
    root_length: f64,
    ways: u32,
    only: Way,
}

/// A way on out of a face.
#[derive(Clone, Copy)]
struct Way {
    cone: Cone,
    view: View,
    /// Left and right end of the edge that is crossed, and whether the cone's bounds are these.
    ends: [DVec2; 2],
    at_end: [bool; 2],
}

/// How far a search has come; the rest of it is in the scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    best: f64,
    last: u32,
    expanded: u64,
}

/// Takes up a search, with the faces that hold its start and its goal.
fn take_up<'a>(
    ground: Ground<'a>,
    goal: DVec2,
    ceiling: u32,
    progress: &Progress,
    scratch: &'a mut PathScratch,
) -> (Search<'a>, &'a [u32], &'a [u32]) {
    let PathScratch { stamp, vertices, opened, heap, starts, goals, mouths, .. } = scratch;
    let search = Search {
        ground,
        goal,
        ceiling,
        stamp: *stamp,
        heap,
        vertices,
        opened,
        mouths,
        best: progress.best,
        last: progress.last,
        root: START,
        root_at: ground.start,
        root_length: 0.0,
        ways: 0,
        only: Way {
            cone: Cone { root: START, left: 0, right: 0, edge: NONE },
            view: View { root: ground.start, left: [ground.start; 2], right: [ground.start; 2] },
            ends: [ground.start; 2],
            at_end: [false; 2],
        },
    };
    (search, starts, goals)
}

/// Begins a search from `scratch.starts` to `scratch.goals`, which have no face in common and whose dead ends are open. No
/// path needs to cross `ceiling`.
pub(crate) fn begin(ground: Ground<'_>, goal: DVec2, ceiling: u32, scratch: &mut PathScratch) -> Progress {
    let progress = Progress { best: f64::INFINITY, last: START, expanded: 0 };
    let (mut search, starts, _) = take_up(ground, goal, ceiling, &progress, scratch);
    // 1.
    for &face in starts {
        search.ways = 0;
        ground.look_around(face, &mut search);
        search.queue_only();
    }
    progress
}

/// Goes on with a search for about so many expansions; nothing if it has not ended then.
pub(crate) fn resume(
    ground: Ground<'_>,
    goal: DVec2,
    ceiling: u32,
    progress: &mut Progress,
    expansions: u64,
    scratch: &mut PathScratch,
) -> Option<Found> {
    // A face is crossed by a straight line once, so only a mesh that broke its promises could go on longer.
    let most = 1_000_000 + 1000 * ground.faces.edges.len() as u64;
    let mut expanded = progress.expanded;
    let pause = expanded.saturating_add(expansions);
    let (mut search, _, goals) = take_up(ground, goal, ceiling, progress, scratch);
    let (stamp, opened) = (search.stamp, search.opened);
    // 2.
    loop {
        if expanded >= pause {
            *progress = Progress { best: search.best, last: search.last, expanded };
            return None;
        }
        let Some(node) = search.heap.pop() else { break };
        if node.bound() >= search.best || expanded >= most {
            break;
        }
        expanded += 1;
        search.root = node.root;
        search.root_at = ground.position(node.root);
        // 3.
        if node.edge == NONE {
            let state = &mut search.vertices[node.root as usize];
            if state.stamp != stamp {
                continue;
            }
            state.stamp = stamp + 1;
            search.root_length = state.length;
            let (parent, face) = (state.parent, state.face);
            search.ways = 0;
            let open = stamp..=stamp + 1;
            let may_enter =
                |face: u32| ground.faces.up[face as usize] == NONE || open.contains(&opened[face as usize]);
            let is_goal = |edge: u32| goals.contains(&ground.faces.edges[edge as usize].face);
            match ground.limits {
                None => {
                    if ground.faces.fan(node.root).iter().any(|&edge| is_goal(edge)) {
                        search.arrive();
                    }
                    let walls = &ground.faces.walls[node.root as usize];
                    ground.turn(node.root, parent, walls, may_enter, &mut search);
                }
                Some(limits) => {
                    let Some(sector) = limits.sector(ground.faces, node.root, face) else { continue };
                    if sector.edges(ground.faces, node.root).any(is_goal) {
                        search.arrive();
                    }
                    ground.turn_in_sector(&sector, node.root, parent, may_enter, &mut search);
                }
            }
            search.queue_only();
            continue;
        }
        // 4.
        search.root_length =
            if node.root == START { 0.0 } else { search.vertices[node.root as usize].length };
        let mut cone = Cone { root: node.root, left: node.left, right: node.right, edge: node.edge };
        let mut view = ground.view(&cone);
        loop {
            let face = ground.faces.edges[cone.edge as usize].face;
            if goals.contains(&face) && ground.sees(&view, goal) {
                search.arrive();
                break;
            }
            search.ways = 0;
            ground.cross(&cone, &view, &mut search);
            if search.ways != 1 || expanded >= most {
                search.queue_only();
                break;
            }
            expanded += 1;
            (cone, view) = (search.only.cone, search.only.view);
        }
    }
    let expanded = expanded.min(u32::MAX.into()) as u32;
    Some(Found { length: search.best, turns: [search.last, START], expanded })
}

impl Search<'_> {
    /// The goal is in sight of the root.
    fn arrive(&mut self) {
        let length = self.root_length + (self.goal - self.root_at).length();
        if length < self.best {
            (self.best, self.last) = (length, self.root);
        }
    }

    /// Queues a way that turned out not to be the only one, or not to be worth following at once.
    fn queue_only(&mut self) {
        if self.ways == 1 {
            self.queue(&self.only.clone());
        }
    }

    fn queue(&mut self, way: &Way) {
        let bound = self.root_length + distance_through(&way.view, way.ends, way.at_end, self.goal);
        if bound < self.best {
            let Cone { root, left, right, edge } = way.cone;
            self.heap.push(Node { key: key(bound), root, left, right, edge });
        }
    }
}

impl Visit for Search<'_> {
    #[inline]
    fn vertex(&mut self, edge: &Edge, is_open: bool) {
        if let Some(limits) = &self.ground.limits {
            if self.ground.sector_to_turn_in(limits, self.root_at, edge).is_none() {
                return;
            }
        } else {
            if edge.flags & CORNER == 0 {
                return;
            }
            let is_open = is_open || self.mouths.contains(&edge.vertex);
            if !self.ground.may_turn(self.root_at, edge, is_open) {
                return;
            }
        }
        let length = self.root_length + (edge.at - self.root_at).length();
        let state = &mut self.vertices[edge.vertex as usize];
        let is_new = state.stamp != self.stamp && state.stamp != self.stamp + 1;
        if !is_new && state.length <= length {
            return;
        }
        let bound = length + (self.goal - edge.at).length();
        if bound >= self.best {
            return;
        }
        *state = VertexState {
            length,
            parent: self.root,
            stamp: self.stamp,
            face: edge.face,
            ..VertexState::default()
        };
        self.heap.push(Node { key: key(bound), root: edge.vertex, left: 0, right: 0, edge: NONE });
        // Whatever else is in sight now competes with this corner.
        self.queue_only();
        self.ways = self.ways.max(2);
    }

    #[inline]
    fn exit(&mut self, exit: Exit<'_>) {
        let Edge { twin, flags, .. } = *exit.edge;
        if twin == NONE {
            return;
        }
        if flags & SEALED != 0 {
            let face = self.ground.faces.edges[twin as usize].face;
            if self.opened[face as usize] != self.stamp + 1 {
                return;
            }
        } else if self.ceiling != NONE && self.ground.faces.edges[self.ceiling as usize].twin == twin {
            return;
        }
        if self.ground.limits.is_some_and(|limits| !limits.may_enter_by(self.ground.faces, twin)) {
            return;
        }
        let way = Way {
            cone: Cone { root: self.root, left: exit.left, right: exit.right, edge: twin },
            view: exit.view,
            ends: [exit.end, exit.edge.at],
            at_end: [exit.left_is_end, exit.right_is_start],
        };
        self.ways += 1;
        if self.ways == 1 {
            self.only = way;
            return;
        }
        if self.ways == 2 {
            self.queue(&self.only.clone());
        }
        self.queue(&way);
    }
}

/// The length of the shortest way from a cone's root through the part of an edge in its sight to `goal`, walls
/// aside. `ends` are the edge's left and right end; `at_end` says where the cone's bound is that end.
pub(crate) fn distance_through(view: &View, ends: [DVec2; 2], at_end: [bool; 2], goal: DVec2) -> f64 {
    let [left, right] = ends;
    let along = right - left;
    // The root lies right of `left → right`. A goal on its side is mirrored to the other.
    let goal = {
        let depth = along.perp_dot(goal - left);
        if depth >= 0.0 { goal } else { goal - 2.0 * (depth / along.length_squared()) * along.perp() }
    };
    let towards = goal - view.root;
    // Where a ray meets the edge, as a share of the edge: stays on it however thin the cone.
    let meets = |ray: [DVec2; 2]| {
        let direction = ray[1] - ray[0];
        let before = direction.perp_dot(left - view.root).max(0.0);
        let after = direction.perp_dot(view.root - right).max(0.0);
        if before + after > 0.0 { left + before / (before + after) * along } else { left }
    };
    let past = if (view.left[1] - view.left[0]).perp_dot(towards) > 0.0 {
        if at_end[0] { left } else { meets(view.left) }
    } else if (view.right[1] - view.right[0]).perp_dot(towards) < 0.0 {
        if at_end[1] { right } else { meets(view.right) }
    } else {
        return towards.length();
    };
    (past - view.root).length() + (goal - past).length()
}
