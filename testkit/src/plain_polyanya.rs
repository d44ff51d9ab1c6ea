//! The plain interval search for shortest paths on convex polygons, in `f64`.
//!
//! Idea: best-first search over nodes (root, part of an edge seen from it); a node is pushed through the
//! next polygon onto its other edges, and the root moves to an end of the part where a path may bend.
//! Source: Cui, Harabor and Grastien 2017, "Compromise-free pathfinding on a navigation mesh".
//!   We differ: what is seen is kept as the root and the two mesh vertices that bound the view, so every
//!   decision is an exact sign of given points; intersections are computed only to order the search. None
//!   of the paper's pruning is done except the root history (a root that was reached shorter is dropped).
//! Steps: 1. a node for each edge of the polygons that hold the start  2. take the node with the lowest
//! bound  3. push it through its polygon: the edges in view, and the edges beside the view from its ends
//! 4. the goal is a node too: the search ends when it is taken.
//! Needs exactly convex polygons. Cost: exponential in theory, thousands of nodes on real maps.

use crate::{PlainMesh, plain_mesh::edges};
use std::{cmp::Ordering, collections::BinaryHeap};
use wayfare_core::DVec2;
use wayfare_geom::predicates::{is_between, orient};

/// A mesh ready for the search.
#[derive(Clone, Debug)]
pub struct PlainPolyanya {
    mesh: PlainMesh,
    /// Whether free space takes more than half a turn at each vertex: paths bend only there.
    is_notch: Vec<bool>,
}

/// What the search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Length of the shortest path [m].
    pub length: f64,
    /// Start, the vertices it bends at, goal.
    pub points: Vec<DVec2>,
    /// Number of nodes that were taken.
    pub expanded: usize,
}

/// A view from a root through an edge into a polygon, or the goal.
#[derive(Clone, Copy)]
struct Node {
    /// No path through this node is shorter.
    bound: f64,
    /// Length of the path to the root.
    travelled: f64,
    /// Index into the list of roots of this search.
    root: usize,
    /// Polygon that is entered, and the number of its edge; the goal has no polygon.
    entry: Option<(usize, usize)>,
    /// What bounds the view on the left and on the right. A bound that is the root itself bounds nothing.
    left: DVec2,
    right: DVec2,
}

/// A place where the path bends, or its start.
struct Root {
    at: DVec2,
    vertex: Option<usize>,
    parent: usize,
}

struct Search<'a> {
    polyanya: &'a PlainPolyanya,
    goal: DVec2,
    heap: BinaryHeap<Node>,
    roots: Vec<Root>,
    /// The shortest length by which each vertex was made a root.
    reached: Vec<f64>,
}

impl PlainPolyanya {
    /// Gives every fan its own vertices and finds the notches.
    pub fn new(mesh: &PlainMesh) -> Self {
        let mesh = mesh.split_fans();
        // With one vertex per fan, one boundary edge enters and one leaves each vertex of the boundary.
        let (mut before, mut after) = (vec![None; mesh.vertices.len()], vec![None; mesh.vertices.len()]);
        for (polygon, across) in mesh.polygons.iter().zip(&mesh.neighbours) {
            for ([a, b], _) in edges(polygon).zip(across).filter(|(_, across)| across.is_none()) {
                (after[a], before[b]) = (Some(b), Some(a));
            }
        }
        let at = |v: usize| mesh.vertices[v];
        let is_notch = (0..mesh.vertices.len())
            .map(|v| before[v].zip(after[v]).is_some_and(|(a, b)| orient(at(a), at(v), at(b)) < 0.0))
            .collect();
        Self { mesh, is_notch }
    }

    /// The mesh, with one vertex per fan.
    pub fn mesh(&self) -> &PlainMesh {
        &self.mesh
    }

    /// The shortest path, or nothing if there is none or an end lies in no polygon.
    pub fn shortest(&self, from: DVec2, to: DVec2) -> Option<Found> {
        let (starts, goals) = (self.mesh.locate(from), self.mesh.locate(to));
        if starts.is_empty() || goals.is_empty() {
            return None;
        }
        if starts.iter().any(|polygon| goals.contains(polygon)) {
            return Some(Found { length: from.distance(to), points: vec![from, to], expanded: 0 });
        }
        let mut search = Search {
            polyanya: self,
            goal: to,
            heap: BinaryHeap::new(),
            roots: vec![Root { at: from, vertex: None, parent: 0 }],
            reached: vec![f64::INFINITY; self.mesh.vertices.len()],
        };
        // 1. Edges that hold the start lead into polygons that hold it too.
        for polygon in starts {
            for (k, [a, b]) in edges(&self.mesh.polygons[polygon]).enumerate() {
                let [p, q] = [a, b].map(|v| self.mesh.vertices[v]);
                if orient(p, q, from) != 0.0 || !is_between(p, q, from) {
                    search.push(0.0, 0, polygon, k, q, p);
                }
            }
        }
        // 2. to 4.
        let mut expanded = 0;
        while let Some(node) = search.heap.pop() {
            expanded += 1;
            let Some((polygon, entry)) = node.entry else {
                return Some(Found { length: node.travelled, points: search.path(node.root, to), expanded });
            };
            if search.roots[node.root].vertex.is_some_and(|v| is_longer(node.travelled, search.reached[v])) {
                continue;
            }
            search.expand(&node, polygon, entry, goals.contains(&polygon));
        }
        None
    }
}

/// Whether a path is longer than another by more than rounding: both may be one path, summed otherwise.
fn is_longer(length: f64, other: f64) -> bool {
    length > other + 1e-12 * other
}

impl Search<'_> {
    fn vertex(&self, v: usize) -> DVec2 {
        self.polyanya.mesh.vertices[v]
    }

    /// 3. Pushes a view through the polygon it enters.
    fn expand(&mut self, node: &Node, polygon: usize, entry: usize, holds_goal: bool) {
        let polygons = &self.polyanya.mesh.polygons;
        let ring: &[usize] = &polygons[polygon];
        let n = ring.len();
        let root = self.roots[node.root].at;
        let (left_end, right_end) = (ring[entry], ring[(entry + 1) % n]);
        let not_left_of_view = |p: DVec2| node.left == root || orient(root, node.left, p) <= 0.0;
        let not_right_of_view = |p: DVec2| node.right == root || orient(root, node.right, p) >= 0.0;
        let travelled = node.travelled;
        if holds_goal && not_left_of_view(self.goal) && not_right_of_view(self.goal) {
            self.push_goal(travelled + root.distance(self.goal), node.root);
        }

        // The other edges, from right to left; `p` is the right end and `q` the left end.
        for k in (1..n).map(|k| (entry + k) % n) {
            let [p, q] = [ring[k], ring[(k + 1) % n]].map(|v| self.vertex(v));
            // An edge that is only touched by the view is left to the bends; one that ends at the root is
            // how the view turns round it.
            let is_right_of_view = node.right != root && q != root && orient(root, node.right, q) <= 0.0;
            let is_left_of_view = node.left != root && p != root && orient(root, node.left, p) >= 0.0;
            if is_right_of_view || is_left_of_view {
                continue;
            }
            let narrower_left = node.left == root || orient(root, node.left, q) < 0.0;
            let narrower_right = node.right == root || orient(root, node.right, p) > 0.0;
            let left = if narrower_left { q } else { node.left };
            let right = if narrower_right { p } else { node.right };
            self.push(travelled, node.root, polygon, k, left, right);
        }

        // Beside the view: bend at an end of the edge if it is in view.
        for (end, side) in [(left_end, 1.0), (right_end, -1.0)] {
            let at = self.vertex(end);
            let in_view = not_left_of_view(at) && not_right_of_view(at);
            let length = travelled + root.distance(at);
            if !in_view || at == root || is_longer(length, self.reached[end]) {
                continue;
            }
            self.reached[end] = self.reached[end].min(length);
            self.roots.push(Root { at, vertex: Some(end), parent: node.root });
            let bend = self.roots.len() - 1;
            let may_bend = self.polyanya.is_notch[end];
            if holds_goal && may_bend {
                self.push_goal(length + at.distance(self.goal), bend);
            }
            // The edges that reach beyond the line of sight, and those on the line itself, which no view of
            // any width goes through.
            for k in (1..n).map(|k| (entry + k) % n) {
                let [p, q] = [ring[k], ring[(k + 1) % n]].map(|v| self.vertex(v));
                let (far, near) = if side > 0.0 { (q, p) } else { (p, q) };
                let [far_beyond, near_beyond] = [far, near].map(|p| side * orient(root, at, p));
                let on_line = far_beyond == 0.0 && near_beyond == 0.0;
                let is_beyond = far_beyond > 0.0 || far == at && near_beyond > 0.0;
                if on_line || is_beyond && may_bend {
                    self.push(length, bend, polygon, k, q, p);
                }
            }
        }
    }

    fn push_goal(&mut self, length: f64, root: usize) {
        let (left, right) = (self.goal, self.goal);
        self.heap.push(Node { bound: length, travelled: length, root, entry: None, left, right });
    }

    /// Adds a view through edge `k` of a polygon, if there is a polygon across.
    fn push(&mut self, travelled: f64, root: usize, polygon: usize, k: usize, left: DVec2, right: DVec2) {
        let mesh = &self.polyanya.mesh;
        let Some(across) = mesh.neighbours[polygon][k] else { return };
        let ring = &mesh.polygons[polygon];
        let edge = [ring[(k + 1) % ring.len()], ring[k]];
        let entry = edges(&mesh.polygons[across]).position(|other| other == edge).expect("shared edge");
        let at = self.roots[root].at;
        let [left_end, right_end] = edge.map(|v| self.vertex(v));
        let seen_left = clip(at, left, left_end, right_end);
        let seen_right = clip(at, right, right_end, left_end);
        let bound = travelled + shortest_through(at, seen_left, seen_right, self.goal);
        self.heap.push(Node { bound, travelled, root, entry: Some((across, entry)), left, right });
    }

    fn path(&self, mut root: usize, goal: DVec2) -> Vec<DVec2> {
        let mut points = vec![goal];
        while root != 0 {
            points.push(self.roots[root].at);
            root = self.roots[root].parent;
        }
        points.push(self.roots[0].at);
        points.dedup();
        points.reverse();
        points
    }
}

/// Where the line from the root through a bound of the view meets an edge: its own end where that is
/// nearer to the middle of the view.
fn clip(root: DVec2, bound: DVec2, end: DVec2, other: DVec2) -> DVec2 {
    let along = other - end;
    let across = bound - root;
    let slope = along.perp_dot(across);
    if bound == end || slope == 0.0 {
        return end;
    }
    let t = (root - end).perp_dot(across) / slope;
    end + along * t.clamp(0.0, 1.0)
}

/// Length of the shortest way from a point to the goal through a segment, were there no walls: a lower
/// bound for every path through the view.
fn shortest_through(from: DVec2, left: DVec2, right: DVec2, goal: DVec2) -> f64 {
    let along = right - left;
    let side = |p: DVec2| along.perp_dot(p - left);
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return from.distance(left) + left.distance(goal);
    }
    // A goal on the root's side is mirrored: the way touches the segment and comes back.
    let goal = if side(from) * side(goal) > 0.0 {
        goal - along.perp() * (2.0 * side(goal) / length_squared)
    } else {
        goal
    };
    let (a, b) = (side(from).abs(), side(goal).abs());
    if a + b == 0.0 {
        // All on one line: the nearest point of the segment is passed.
        let at = |p: DVec2| ((p - left).dot(along) / length_squared).clamp(0.0, 1.0);
        let via = left + along * at(from).clamp(at(from).min(at(goal)), at(from).max(at(goal)));
        return from.distance(via) + via.distance(goal);
    }
    let crossing = from + (goal - from) * (a / (a + b));
    let t = ((crossing - left).dot(along) / length_squared).clamp(0.0, 1.0);
    let via = left + along * t;
    from.distance(via) + via.distance(goal)
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Node {}
impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Node {
    /// The heap's largest node is the one with the lowest bound.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then(self.travelled.total_cmp(&other.travelled))
    }
}

#[cfg(test)]
mod tests;
