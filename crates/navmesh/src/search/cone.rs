//! Cones of sight: what can be seen from a root through the face edges crossed so far.
//!
//! Idea: Polyanya's search node is an interval on an edge, seen from a root. Here the interval is kept as the
//! two *vertices* whose rays bound it, so that every decision is an orientation test on input points, exact
//! whatever was crossed before. Interval ends are computed only where a length is estimated.
//! Source: Cui, Harabor and Grastien 2017, "Compromise-free pathfinding on a navigation mesh".
//!   We differ: cones instead of intervals, and turning at a vertex is a step of its own (see `turn`)
//!   instead of non-observable successors.
//!
//! Everything is closed: a vertex exactly on a bounding ray is seen, a wall may be touched. Cones without width are
//! never made; sight that squeezes between a vertex on its left and one on its right is found as a
//! path that "turns" by 0° at both, because the taut test is closed as well.
//!
//! Invariant: a cone has positive width, and its root lies strictly behind the edge it has crossed.
//! Cost: one step reads one face, O(its edges).

use super::{
    faces::{CORE_CORNER, CORNER, Edge, Faces, NONE, WIDE, Walls},
    limits::{Limits, Sector},
    orient::Orient,
};
use wayfare_core::DVec2;

/// The vertex number of the point that the search started from.
pub(crate) const START: u32 = 0x7fff_ffff;
/// Marks a bound that lies behind the root: the ray goes away from that vertex, not towards it.
pub(crate) const BEHIND: u32 = 0x8000_0000;

/// What is seen from `root` between the rays through `right` and `left`, past `edge`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cone {
    /// A vertex or [`START`].
    pub root: u32,
    /// A vertex, perhaps [`BEHIND`] the root.
    pub left: u32,
    /// A vertex, perhaps [`BEHIND`] the root.
    pub right: u32,
    /// The edge just crossed, as an edge of the face that is entered: it starts on the left.
    pub edge: u32,
}

/// [`LEFT`], [`RIGHT`], both or none.
pub(crate) type Sides = u32;
/// Seen along a line, the walls of a vertex lie on its left.
pub(crate) const LEFT: Sides = 1;
/// Seen along a line, the walls of a vertex lie on its right.
pub(crate) const RIGHT: Sides = 2;

/// A ray as two points that it passes in order; the side of a point is the sign of `orient(from, to, point)`.
pub(crate) type Ray = [DVec2; 2];

/// The points of a cone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub root: DVec2,
    pub left: Ray,
    pub right: Ray,
}

/// What a walk meets.
pub(crate) trait Visit {
    /// The first vertex of `edge` is in sight. `is_open` says that the face is part of a dead end.
    fn vertex(&mut self, edge: &Edge, is_open: bool);
    /// The start lies on the first vertex of `edge`.
    fn start_vertex(&mut self, edge: &Edge) {
        let _ = edge;
    }
    /// The part of an edge between two bounds is in sight: sight goes on through it if it is no wall.
    fn exit(&mut self, exit: Exit<'_>);
}

/// An edge through which sight leaves a face.
pub(crate) struct Exit<'a> {
    /// The edge, seen from the face that is left: it starts on the right.
    pub edge: &'a Edge,
    /// Where it ends.
    pub end: DVec2,
    /// Left bound of the part in sight.
    pub left: u32,
    /// Right bound of the part in sight.
    pub right: u32,
    /// Whether the left bound is the edge's own end.
    pub left_is_end: bool,
    /// Whether the right bound is the edge's own start.
    pub right_is_start: bool,
    /// The points of the cone that goes on there.
    pub view: View,
}

/// The faces as one search sees them: with the point it starts from.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub faces: &'a Faces,
    pub orient: Orient,
    pub start: DVec2,
    /// What it may not enter, if there is such.
    pub limits: Option<Limits<'a>>,
}

impl Ground<'_> {
    /// Position of a vertex or of the start.
    #[inline(always)]
    pub fn position(&self, vertex: u32) -> DVec2 {
        if vertex == START { self.start } else { self.faces.xy[vertex as usize] }
    }

    #[inline(always)]
    fn ray(&self, root: DVec2, bound: u32) -> Ray {
        let at = self.position(bound & !BEHIND);
        if bound & BEHIND == 0 { [root, at] } else { [at, root] }
    }

    /// The points of a cone.
    #[inline(always)]
    pub fn view(&self, cone: &Cone) -> View {
        let root = self.position(cone.root);
        View { root, left: self.ray(root, cone.left), right: self.ray(root, cone.right) }
    }

    #[inline(always)]
    fn side(&self, ray: Ray, p: DVec2) -> f64 {
        self.orient.sign(ray[0], ray[1], p)
    }

    /// Whether a point of the face that a cone enters is in sight.
    #[inline]
    pub fn sees(&self, view: &View, p: DVec2) -> bool {
        self.side(view.right, p) >= 0.0 && self.side(view.left, p) <= 0.0
    }

    /// Walks through the face that a cone enters, from its right to its left.
    #[inline]
    pub fn cross(&self, cone: &Cone, view: &View, visit: &mut impl Visit) {
        let edges = &self.faces.edges[..];
        let face = edges[cone.edge as usize].face;
        let is_open = self.faces.up[face as usize] != NONE;
        let (first, end) = self.faces.range(face);
        let next = |k: u32| if k + 1 == end { first } else { k + 1 };
        // 1. Up to the first edge that ends left of the right ray.
        let mut k = next(cone.edge);
        let mut from = &edges[k as usize];
        let mut from_side = if from.vertex == cone.right { 0.0 } else { self.side(view.right, from.at) };
        let mut to;
        loop {
            if k == cone.edge {
                return;
            }
            let after = next(k);
            to = &edges[after as usize];
            let to_side = self.side(view.right, to.at);
            if to_side > 0.0 {
                break;
            }
            if to_side == 0.0 && after != cone.edge {
                visit.vertex(to, is_open);
            }
            (k, from, from_side) = (after, to, to_side);
        }
        // 2. Edges in sight, up to the left ray.
        let mut right_is_start = from_side >= 0.0;
        let mut right = if right_is_start { from.vertex } else { cone.right };
        loop {
            let to_side = if to.vertex == cone.left { 0.0 } else { self.side(view.left, to.at) };
            let left_is_end = to_side <= 0.0;
            let left = if left_is_end { to.vertex } else { cone.left };
            let on = View {
                root: view.root,
                left: if left_is_end { [view.root, to.at] } else { view.left },
                right: if right_is_start { [view.root, from.at] } else { view.right },
            };
            visit.exit(Exit { edge: from, end: to.at, left, right, left_is_end, right_is_start, view: on });
            if !left_is_end {
                return;
            }
            k = next(k);
            if k == cone.edge {
                return;
            }
            visit.vertex(to, is_open);
            from = to;
            to = &edges[next(k) as usize];
            if to_side == 0.0 {
                break;
            }
            (right, right_is_start) = (from.vertex, true);
        }
        // 3. Nearer vertices on the left ray: one may be the mouth of a pocket.
        loop {
            k = next(k);
            if k == cone.edge || self.side(view.left, to.at) > 0.0 {
                return;
            }
            visit.vertex(to, is_open);
            to = &edges[next(k) as usize];
        }
    }

    /// Looks from the start into a face that holds it.
    pub fn look_around(&self, face: u32, visit: &mut impl Visit) {
        let edges = &self.faces.edges[..];
        let is_open = self.faces.up[face as usize] != NONE;
        let (first, end) = self.faces.range(face);
        let mut from = &edges[end as usize - 1];
        for to in &edges[first as usize..end as usize] {
            if from.at != self.start {
                visit.vertex(from, is_open);
            } else {
                visit.start_vertex(from);
            }
            if self.orient.sign(self.start, from.at, to.at) > 0.0 {
                visit.exit(Exit {
                    edge: from,
                    end: to.at,
                    left: to.vertex,
                    right: from.vertex,
                    left_is_end: true,
                    right_is_start: true,
                    view: View { root: self.start, left: [self.start, to.at], right: [self.start, from.at] },
                });
            }
            from = to;
        }
    }

    /// Whether a path from `from` may turn at an edge's first vertex. In dead ends, and at the vertices of the
    /// portal that leads into one that is open, the walls are as they are; elsewhere dead ends are filled.
    #[inline]
    pub fn may_turn(&self, from: DVec2, edge: &Edge, is_open: bool) -> bool {
        if edge.flags & CORNER == 0 {
            return false;
        }
        if edge.flags & WIDE != 0 {
            return true;
        }
        if is_open {
            self.sides(from, edge.at, &self.faces.walls[edge.vertex as usize]) != 0
        } else {
            edge.flags & CORE_CORNER != 0
                && self.sides(from, edge.at, &self.faces.core_walls[edge.vertex as usize]) != 0
        }
    }

    /// The same where limits are walls: whether a path from `from` may turn at an edge's first vertex, and in which part
    /// of the fan. Dead ends are not filled.
    pub fn sector_to_turn_in(&self, limits: &Limits<'_>, from: DVec2, edge: &Edge) -> Option<Sector> {
        let sector = limits.sector(self.faces, edge.vertex, edge.face)?;
        (sector.span.is_wide || self.sides(from, edge.at, &sector.span.walls) != 0).then_some(sector)
    }

    /// The sides on which the walls of a vertex may lie, seen along the line from `from` to it: both must lie on one
    /// for a path to be pulled tight round it. A wall without width may lie on both.
    #[inline]
    pub fn sides(&self, from: DVec2, at: DVec2, walls: &Walls) -> Sides {
        let one = self.orient.sign(from, at, walls[0]);
        let two = self.orient.sign(from, at, walls[1]);
        let left = if one >= 0.0 && two >= 0.0 { LEFT } else { 0 };
        let right = if one <= 0.0 && two <= 0.0 { RIGHT } else { 0 };
        left | right
    }

    /// Looks on from a corner with these walls that was reached straight from `parent`: into the faces between
    /// the straight continuation and the wall that the path bends round. `may_enter` tells which faces are of
    /// interest.
    pub fn turn(
        &self,
        corner: u32,
        parent: u32,
        walls: &Walls,
        may_enter: impl Fn(u32) -> bool,
        visit: &mut impl Visit,
    ) {
        let fan = self.faces.fan(corner);
        let Some(&any) = fan.first() else { return };
        if self.faces.edges[any as usize].flags & WIDE != 0 {
            return self.look_round(corner, may_enter, visit);
        }
        self.turn_in(fan.iter().copied(), corner, parent, walls, may_enter, visit);
    }

    /// The same in a part of the fan that limits leave open.
    pub fn turn_in_sector(
        &self,
        sector: &Sector,
        corner: u32,
        parent: u32,
        may_enter: impl Fn(u32) -> bool,
        visit: &mut impl Visit,
    ) {
        let fan = sector.edges(self.faces, corner);
        if !sector.span.is_wide {
            return self.turn_in(fan, corner, parent, &sector.span.walls, may_enter, visit);
        }
        for edge in fan.filter(|&edge| may_enter(self.faces.edges[edge as usize].face)) {
            self.look_into(edge, corner, 0.0, visit);
        }
    }

    fn turn_in(
        &self,
        fan: impl DoubleEndedIterator<Item = u32> + Clone,
        corner: u32,
        parent: u32,
        walls: &Walls,
        may_enter: impl Fn(u32) -> bool,
        visit: &mut impl Visit,
    ) {
        let edges = &self.faces.edges[..];
        let (from, at) = (self.position(parent), self.faces.xy[corner as usize]);
        let sides = self.sides(from, at, walls);
        // Walls on the left: the path bends left, and the last face of the fan lies at the wall. Faces are looked
        // into from the wall on, up to the one that the straight continuation goes through, whether that one is of
        // interest or not: what comes after it lies behind.
        if sides & LEFT != 0 {
            for edge in fan.clone().rev() {
                if may_enter(edges[edge as usize].face) {
                    self.look_into(edge, parent, 1.0, visit);
                }
                if self.orient.sign(from, at, edges[self.faces.next(edge) as usize].at) <= 0.0 {
                    break;
                }
            }
        }
        if sides & RIGHT != 0 {
            for edge in fan {
                if may_enter(edges[edge as usize].face) {
                    self.look_into(edge, parent, -1.0, visit);
                }
                if self.orient.sign(from, at, edges[self.faces.previous(edge) as usize].at) >= 0.0 {
                    break;
                }
            }
        }
    }

    /// Looks from a corner into all faces of interest round it.
    pub fn look_round(&self, corner: u32, may_enter: impl Fn(u32) -> bool, visit: &mut impl Visit) {
        for &edge in self.faces.fan(corner) {
            if may_enter(self.faces.edges[edge as usize].face) {
                self.look_into(edge, corner, 0.0, visit);
            }
        }
    }

    /// Looks from the first vertex of `edge` into its face, as far as it lies to the left (`turn` = 1) or right
    /// (−1) of the straight continuation from `parent`, or all of it (0).
    fn look_into(&self, edge: u32, parent: u32, turn: f64, visit: &mut impl Visit) {
        let edges = &self.faces.edges[..];
        let at = edges[edge as usize].at;
        let from = self.position(parent);
        let is_open = self.faces.up[edges[edge as usize].face as usize] != NONE;
        let depth = |p: DVec2| if turn == 0.0 { 1.0 } else { turn * self.orient.sign(from, at, p) };
        let last = self.faces.previous(edge);
        let mut k = self.faces.next(edge);
        let mut right = &edges[k as usize];
        let mut right_depth = depth(right.at);
        if right_depth >= 0.0 {
            visit.vertex(right, is_open);
        }
        while k != last {
            k = self.faces.next(k);
            let left = &edges[k as usize];
            let left_depth = depth(left.at);
            // A depth of zero is straight ahead or straight back; an edge with width cannot join the two.
            if (right_depth > 0.0 || left_depth > 0.0) && self.orient.sign(at, right.at, left.at) > 0.0 {
                let (left_is_end, right_is_start) = (left_depth >= 0.0, right_depth >= 0.0);
                visit.exit(Exit {
                    edge: right,
                    end: left.at,
                    left: if left_is_end { left.vertex } else { BEHIND | parent },
                    right: if right_is_start { right.vertex } else { BEHIND | parent },
                    left_is_end,
                    right_is_start,
                    view: View {
                        root: at,
                        left: if left_is_end { [at, left.at] } else { [from, at] },
                        right: if right_is_start { [at, right.at] } else { [from, at] },
                    },
                });
            }
            if left_depth >= 0.0 {
                visit.vertex(left, is_open);
            }
            (right, right_depth) = (left, left_depth);
        }
    }
}
