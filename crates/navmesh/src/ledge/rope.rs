//! The shortest path of a body that overhangs drops.
//!
//! Idea: it is a rope that goes round corners of walls at the radius and straight over corners of drops: straight pieces
//! that touch a corner at either end, and arcs round walls. What a corner sees says little here, for a pit may lie
//! between a wall and the body beside it. So every corner is a candidate from every other; which pieces are free
//! is looked at only for those that come first in the order of their lengths and the straight line from there on.
//! Steps: 1. corners of walls (posts of the radius, on either side) and of drops (posts without)  2. the piece with the
//!   least bound: is there a shorter way to its post already, is it free?  3. from there to every post to which a tight
//!   rope could go on  4. the first free piece to the goal ends the path
//! Invariants: bounds never fall, so the first way to a post without radius is the shortest. A second one to the circle
//!   of a wall is dropped if the first can go along the circle to where it arrives and is shorter still.
//! Source: Pocchiola and Vegter 1996, "The visibility complex", for tangents of convex obstacles; lazy checks are ours.
//! Cost: O(posts) for each post that is reached, O(cells and walls beside it) for each piece that is looked at.

use super::walls::Walls;
use crate::{
    PathFinder,
    everyday::{Stand, Walker},
    mesh::{NavMesh, VertexId},
    search::{
        PlanPiece,
        disc::{Near, Trace, turn_angle},
        faces::NONE,
    },
};
use std::{cmp::Reverse, collections::BinaryHeap, ops::Deref};
use wayfare_core::{DVec2, DVec3, Id as _};

/// Directions of candidates may be off by this [rad]: whether they are free is decided by distances.
const ASKEW: f64 = 1e-6;
/// Chords that follow an arc over the ground are within this of it [m].
const SAGITTA: f64 = 1e-4;
/// A wall may stand higher or lower by this than where a piece ends that touches it [m]: the ground is not level on the way.
const MORE_HEIGHT: f64 = 1.0;

/// A corner that a rope may bend at.
#[derive(Clone, Copy, Debug)]
struct Post {
    at: DVec2,
    /// Its height, and its vertex; [`NONE`] of start and goal.
    z: f64,
    vertex: u32,
    /// How far the rope keeps from it: the radius at walls, nothing at drops.
    radius: f64,
    /// Directions of the edges there, of length 1: those of walls, or both of drops; nothing for other edges.
    arms: [DVec2; 2],
}

impl Post {
    /// Whether a rope with a heading may touch it on a side: the corner is nearest of its walls; its drops are beside.
    fn may_touch(&self, heading: DVec2, side: f64) -> bool {
        if self.vertex == NONE {
            return true;
        }
        if self.radius > 0.0 {
            let outward = heading.perp() * -side;
            return self.arms.iter().all(|arm| arm.dot(outward) <= ASKEW);
        }
        let [one, two] = self.arms.map(|arm| heading.perp_dot(arm));
        one.min(two) >= -ASKEW || one.max(two) <= ASKEW
    }
}

/// A post that was reached.
#[derive(Clone, Copy, Debug)]
struct Root {
    post: u32,
    /// 1: on the left of the rope, −1: on its right, 0: on it.
    side: f64,
    /// With which the rope arrived.
    heading: DVec2,
    /// Where.
    stand: Stand,
    length: f64,
    /// The root before, and where the rope left it.
    before: u32,
    left_at: DVec2,
    /// How far the rope can turn here, and how far it cannot, as far as is known [rad].
    turns: [f64; 2],
}

/// A piece that may be free.
#[derive(Clone, Copy, Debug)]
struct Piece {
    root: u32,
    post: u32,
    side: f64,
    heading: DVec2,
    ends: [DVec2; 2],
    /// Length of the rope to its end.
    length: f64,
}

/// A piece in the queue; bits of positive doubles are ordered as they are.
type Waiting = Reverse<(u64, u32)>;

/// A search.
pub(super) struct Rope<'a, M> {
    finder: &'a PathFinder<M>,
    walls: &'a Walls,
    walker: Walker<'a>,
    radius: f64,
    /// The first is the start, the second the goal.
    posts: Vec<Post>,
    goals: &'a [Stand],
    roots: Vec<Root>,
    /// Of each post, the roots there: left and right, or all in the first.
    reached: Vec<[Vec<u32>; 2]>,
    pieces: Vec<Piece>,
    waiting: BinaryHeap<Waiting>,
    near: Near,
}

/// A path that was found.
pub(super) struct Taut {
    pub pieces: Vec<PlanPiece>,
    pub length: f64,
    pub expanded: u32,
}

impl<'a, M: Deref<Target = NavMesh>> Rope<'a, M> {
    pub fn new(
        finder: &'a PathFinder<M>,
        walker: Walker<'a>,
        walls: &'a Walls,
        radius: f64,
        [starts, goals]: &'a [Vec<Stand>; 2],
    ) -> Self {
        let end = |at: DVec2| Post { at, z: 0.0, vertex: NONE, radius: 0.0, arms: [DVec2::ZERO; 2] };
        let mut posts: Vec<Post> = [&starts[0], &goals[0]].map(|stand| end(stand.at)).to_vec();
        posts.extend(corners(&finder.mesh, finder.faces.cell(starts[0].face), radius));
        posts.extend(closed_corners(&finder.mesh, &walker, radius));
        let root = |start: &Stand| Root {
            post: 0,
            side: 0.0,
            heading: DVec2::ZERO,
            stand: *start,
            length: 0.0,
            before: NONE,
            left_at: start.at,
            turns: [0.0, f64::INFINITY],
        };
        let (reached, pieces, waiting, near) = (Vec::new(), Vec::new(), BinaryHeap::new(), Near::default());
        let roots = starts.iter().map(root).collect();
        Self { finder, walls, walker, radius, posts, goals, roots, reached, pieces, waiting, near }
    }

    /// The shortest path, if there is one that is shorter than a limit.
    pub fn pull(mut self, limit: f64) -> Option<Taut> {
        let [start, goal] = [self.posts[0].at, self.posts[1].at];
        self.posts.retain(|post| {
            // So long is a path at least that touches it: what is longer is not looked at from each of the others.
            start.distance(post.at) + post.at.distance(goal) - 2.0 * post.radius < limit
        });
        self.reached = vec![[Vec::new(), Vec::new()]; self.posts.len()];
        (0..self.roots.len() as u32).for_each(|start| self.look_out(start, limit));
        while let Some(Reverse((_, number))) = self.waiting.pop() {
            // 2.
            let piece = self.pieces[number as usize];
            if self.is_dominated(&piece) {
                continue;
            }
            let Some(stand) = self.arrive(&piece) else { continue };
            let root = Root {
                post: piece.post,
                side: piece.side,
                heading: piece.heading,
                stand,
                length: piece.length,
                before: piece.root,
                left_at: piece.ends[0],
                turns: [0.0, f64::INFINITY],
            };
            let number = self.roots.len() as u32;
            self.roots.push(root);
            // 4.
            if piece.post == 1 {
                return Some(self.written(number));
            }
            self.reached[piece.post as usize][usize::from(piece.side < 0.0)].push(number);
            // 3.
            self.look_out(number, limit);
        }
        None
    }

    /// Step 3: pieces from a root to every post, on ways that may be shorter than a limit.
    fn look_out(&mut self, number: u32, limit: f64) {
        let root = self.roots[number as usize];
        let own = self.posts[root.post as usize];
        let goal = self.posts[1].at;
        for k in 1..self.posts.len() as u32 {
            let post = self.posts[k as usize];
            let sides: &[f64] = if post.radius > 0.0 { &[1.0, -1.0] } else { &[0.0] };
            for &side in sides {
                if k == root.post || post.radius == 0.0 && !self.reached[k as usize][0].is_empty() {
                    continue;
                }
                let Some((heading, length)) =
                    tangent(post.at - own.at, root.side * own.radius - side * post.radius)
                else {
                    continue;
                };
                let is_back = root.side != 0.0 && root.heading.perp_dot(heading) * root.side < -ASKEW;
                if is_back || !own.may_touch(heading, root.side) || !post.may_touch(heading, side) {
                    continue;
                }
                let turn = if root.side == 0.0 { 0.0 } else { turn_angle(root.heading, heading, root.side) };
                let ends = [
                    own.at - heading.perp() * (root.side * own.radius),
                    post.at - heading.perp() * (side * post.radius),
                ];
                let length = root.length + turn * own.radius + length;
                let bound = length + ends[1].distance(goal);
                if bound >= limit {
                    continue;
                }
                let piece = Piece { root: number, post: k, side, heading, ends, length };
                self.waiting.push(Reverse((bound.to_bits(), self.pieces.len() as u32)));
                self.pieces.push(piece);
            }
        }
    }

    /// Whether a shorter way to where a piece ends is known.
    fn is_dominated(&mut self, piece: &Piece) -> bool {
        let roots = std::mem::take(&mut self.reached[piece.post as usize][usize::from(piece.side < 0.0)]);
        let is_dominated = if piece.side == 0.0 {
            !roots.is_empty()
        } else {
            roots.iter().any(|&number| {
                let root = self.roots[number as usize];
                let is_before = root.heading.perp_dot(piece.heading) * piece.side >= 0.0;
                let turn = turn_angle(root.heading, piece.heading, piece.side);
                is_before
                    && root.length + turn * self.radius <= piece.length
                    && self.turned(number, piece.heading, piece.ends[1]).is_some()
            })
        };
        self.reached[piece.post as usize][usize::from(piece.side < 0.0)] = roots;
        is_dominated
    }

    /// Where a piece ends on the ground, if the arc before it and the piece itself are free.
    fn arrive(&mut self, piece: &Piece) -> Option<Stand> {
        let from = self.turned(piece.root, piece.heading, piece.ends[0])?;
        let reached = self.finder.go_straight(&self.walker, from, piece.ends[1], |_| {});
        if reached.touch.is_some() {
            return None;
        }
        let (post, stand) = (self.posts[piece.post as usize], reached.stand);
        let is_there = if piece.post == 1 {
            let cell = self.finder.faces.cell(stand.face);
            self.goals.iter().any(|goal| self.finder.faces.cell(goal.face) == cell)
        } else if post.radius == 0.0 {
            let faces = &self.finder.faces;
            faces.fan(post.vertex).iter().any(|&edge| faces.edges[edge as usize].face == stand.face)
        } else {
            let [low, high] = self.walls.heights_beside(self.finder.on_ground(stand).0.z);
            (low - MORE_HEIGHT..=high + MORE_HEIGHT).contains(&post.z)
        };
        is_there.then_some(stand)
    }

    /// Where the rope is on the ground after it has turned at a root, if that is free.
    fn turned(&mut self, number: u32, heading: DVec2, to: DVec2) -> Option<Stand> {
        let root = self.roots[number as usize];
        if root.side == 0.0 {
            return Some(root.stand);
        }
        let turn = turn_angle(root.heading, heading, root.side);
        if turn >= root.turns[1] {
            return None;
        }
        let centre = self.posts[root.post as usize].at;
        let arc =
            PlanPiece::Arc { from: root.stand.at, to, centre, radius: self.radius, turn: turn * root.side };
        let mut points = Vec::new();
        arc.flatten(SAGITTA, &mut points);
        let point = self.walker.as_point();
        let mut stand = root.stand;
        let mut is_free = true;
        for to in points {
            let reached = self.finder.go_straight(&point, stand, to, |_| {});
            stand = reached.stand;
            if reached.touch.is_some() {
                is_free = false;
                break;
            }
        }
        if is_free && turn > root.turns[0] {
            is_free = self.keeps_off(root.stand, stand, centre);
        }
        let turns = &mut self.roots[number as usize].turns;
        match is_free {
            true => turns[0] = turns[0].max(turn),
            false => turns[1] = turns[1].min(turn),
        }
        is_free.then_some(stand)
    }

    /// Whether an arc keeps the radius from all walls.
    fn keeps_off(&mut self, from: Stand, to: Stand, centre: DVec2) -> bool {
        let least = self.radius - self.walker.slack;
        let heights = [from, to].map(|stand| self.finder.on_ground(stand).0.z);
        let arc = Trace::Arc { centre, arms: [from.at - centre, to.at - centre] };
        let around = [centre - self.radius, centre + self.radius];
        let heights = [heights[0].min(heights[1]), heights[0].max(heights[1])];
        let mut is_free = true;
        self.walls.for_each_near(around, heights, self.radius, |wall| {
            is_free = is_free && arc.distance_to(wall.plan()) >= least;
        });
        let cell = self.finder.faces.cell(from.face);
        let limits = self.walker.limits;
        is_free && limits.is_none_or(|it| it.distance_from(cell, arc, least, &mut self.near) >= least)
    }

    /// The path to a root.
    fn written(&self, last: u32) -> Taut {
        let mut chain = vec![last];
        while let Some(&number) = chain.last()
            && self.roots[number as usize].before != NONE
        {
            chain.push(self.roots[number as usize].before);
        }
        chain.reverse();
        let mut pieces = Vec::new();
        for pair in chain.windows(2) {
            let [root, next] = [pair[0], pair[1]].map(|number| self.roots[number as usize]);
            let (from, to) = (self.arrived_at(&root), next.left_at);
            if root.side != 0.0 && from != to {
                let turn = turn_angle(root.heading, next.heading, root.side) * root.side;
                let centre = self.posts[root.post as usize].at;
                pieces.push(PlanPiece::Arc { from, to, centre, radius: self.radius, turn });
            }
            let to = self.arrived_at(&next);
            if next.left_at != to || chain.len() == 2 {
                pieces.push(PlanPiece::Line { from: next.left_at, to });
            }
        }
        let length = self.roots[last as usize].length;
        Taut { pieces, length, expanded: self.roots.len() as u32 }
    }

    /// Where the rope first touches the post of a root.
    fn arrived_at(&self, root: &Root) -> DVec2 {
        let post = self.posts[root.post as usize];
        post.at - root.heading.perp() * (root.side * post.radius)
    }
}

/// Step 1: corners of walls, and of drops on the piece of ground of a cell.
fn corners(mesh: &NavMesh, cell: crate::CellId, radius: f64) -> Vec<Post> {
    let mut posts = Vec::new();
    for chain in mesh.boundary().chains() {
        for (k, &corner) in chain.iter().enumerate() {
            let before = chain[(k + chain.len() - 1) % chain.len()];
            let vertex = mesh.corner_vertex(corner);
            let at = mesh.position(vertex);
            let arm = |vertex: VertexId| (mesh.xy(vertex) - at.truncate()).normalize_or_zero();
            let arms = [arm(mesh.edge(corner)[1]), arm(mesh.corner_vertex(before))];
            let is_wall = [corner, before].map(|edge| mesh.drop_depth(edge) <= 0.0);
            let of_walls = [0, 1].map(|k| if is_wall[k] { arms[k] } else { DVec2::ZERO });
            let post = |radius, arms| Post {
                at: at.truncate(),
                z: at.z,
                vertex: vertex.index() as u32,
                radius,
                arms,
            };
            match is_wall {
                // Walls that go straight on have no corner.
                [true, true] if mesh.is_split_point(vertex) => {}
                [false, false] => {
                    let is_on_ground = mesh.component(mesh.cell_of_corner(corner)) == mesh.component(cell);
                    if mesh.is_plan_notch(vertex) && is_on_ground {
                        posts.push(post(0.0, arms));
                    }
                }
                _ => posts.push(post(radius, of_walls)),
            }
        }
    }
    posts
}

/// The ends of portals that are closed to a body: walls for as long.
fn closed_corners(mesh: &NavMesh, walker: &Walker<'_>, radius: f64) -> Vec<Post> {
    let Some(limits) = walker.limits else { return Vec::new() };
    let mut posts = Vec::new();
    for portal in mesh.portals().ids() {
        let sides = mesh.portals()[portal];
        let [one, two] = sides.map(|corner| limits.allows_crossing(portal, mesh.cell_of_corner(corner)));
        if one && two {
            continue;
        }
        let ends = mesh.edge(sides[0]);
        for k in 0..2 {
            let at: DVec3 = mesh.position(ends[k]);
            let arm = (mesh.xy(ends[1 - k]) - at.truncate()).normalize_or_zero();
            let vertex = ends[k].index() as u32;
            posts.push(Post { at: at.truncate(), z: at.z, vertex, radius, arms: [arm, DVec2::ZERO] });
        }
    }
    posts
}

/// The heading and the length of a straight piece along an arm, at whose start the post is `off` farther left than at its end.
fn tangent(arm: DVec2, off: f64) -> Option<(DVec2, f64)> {
    let squared = arm.length_squared();
    if squared == 0.0 || squared.sqrt() + 1e-9 < off.abs() {
        return None;
    }
    let length = (squared - off * off).max(0.0).sqrt();
    Some(((arm * length + arm.perp() * off).normalize_or_zero(), length))
}
