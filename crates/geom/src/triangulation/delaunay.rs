//! The Delaunay triangulation of points, then with walls in it.
//!
//! Idea: points are inserted one by one into the triangle that holds them, and edges are flipped until every
//!   triangle's circle is empty again. Outside lie ghost triangles between the edges of the hull and a vertex
//!   at infinity, so that a point outside is no special case. Walls that are not edges by then are made edges
//!   in place of what they cross.
//! Source: Lawson 1977, "Software for C1 surface interpolation" (flips); Shewchuk 1996, "Triangle" (ghosts).
//! Promises: the triangles are right for any finite input, for all that decides about them is exact; their circles
//!   are empty up to rounding. Equal points become one vertex, the first of them to be inserted. Needs walls that
//!   cross nothing; others are refused.
//! Cost: expected O(n log n) for points in the order of [`super::order`]; a wall that crosses k edges costs O(k) and
//!   the flips that make circles empty again, few in practice.

use super::{
    NONE,
    half_edges::{CutScratch, HalfEdges},
};
use crate::predicates::{is_clearly_in_circle, orient};
use wayfare_core::DVec2;

/// Triangles that cover the plane; the vertex after the last point is the one at infinity.
pub(super) struct Delaunay<'a> {
    points: &'a [DVec2],
    pub edges: HalfEdges,
    /// For each point the vertex that stands for it: another one where points are equal.
    pub vertex_of: Vec<u32>,
    /// Edges that must not be flipped.
    is_fixed: Vec<bool>,
    /// A half-edge that leaves each vertex; from [`Delaunay::index`] on.
    leaving: Vec<u32>,
    pending: Vec<u32>,
    crossed: Vec<u32>,
    cut: CutScratch,
    toss: u64,
}

/// Where a point lies, as a half-edge without an end at infinity.
#[derive(Clone, Copy)]
enum Place {
    /// In the triangle left of it.
    Triangle(u32),
    /// On it.
    Side(u32),
    /// On its origin.
    Vertex(u32),
}

impl<'a> Delaunay<'a> {
    /// Triangulates points; `None` if all of them lie on one line.
    pub fn new(points: &'a [DVec2], order: &[u32]) -> Option<Self> {
        let &[first, ref rest @ ..] = order else { return None };
        let at = |k: u32| points[k as usize];
        let second = *rest.iter().find(|&&k| at(k) != at(first))?;
        let turn = |k: u32| orient(at(first), at(second), at(k));
        let third = *rest.iter().find(|&&k| turn(k) != 0.0)?;
        let corners = if turn(third) > 0.0 { [first, second, third] } else { [second, first, third] };

        let mut mesh = Self {
            points,
            edges: HalfEdges::with_capacity(6 * (points.len() + 1)),
            vertex_of: (0..points.len() as u32).collect(),
            is_fixed: Vec::new(),
            leaving: Vec::new(),
            pending: Vec::new(),
            crossed: Vec::new(),
            cut: CutScratch::default(),
            toss: 0,
        };
        mesh.begin(corners);
        let mut near = 0;
        for &k in order {
            if !corners.contains(&k) {
                near = mesh.insert(k, near);
            }
        }
        Some(mesh)
    }

    /// The vertex at infinity.
    pub fn ghost(&self) -> u32 {
        self.points.len() as u32
    }
    fn point(&self, vertex: u32) -> DVec2 {
        self.points[vertex as usize]
    }

    /// One triangle and the three ghosts round it.
    fn begin(&mut self, [a, b, c]: [u32; 3]) {
        let ghost = self.ghost();
        let edges = &mut self.edges;
        let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| edges.add(from, to));
        let rays = [a, b, c].map(|corner| edges.add(corner, ghost));
        edges.join(sides);
        for k in 0..3 {
            // Backwards along the side, to infinity and back to its end.
            edges.join([sides[k] ^ 1, rays[k], rays[(k + 1) % 3] ^ 1]);
        }
    }

    /// Inserts a point, looked for from the edge of `near` on, which has no end at infinity; returns such an
    /// edge at the point.
    fn insert(&mut self, vertex: u32, near: u32) -> u32 {
        let p = self.point(vertex);
        let place = self.locate(p, near);
        let h = match place {
            Place::Triangle(h) | Place::Side(h) => h,
            Place::Vertex(h) => {
                self.vertex_of[vertex as usize] = self.edges.origin(h);
                return h;
            }
        };
        // Three triangles instead of one.
        let edges = &mut self.edges;
        let sides = [h, edges.next(h), edges.prev(h)];
        let spokes = sides.map(|side| edges.add(vertex, edges.origin(side)));
        for k in 0..3 {
            edges.join([sides[k], spokes[(k + 1) % 3] ^ 1, spokes[k]]);
        }
        self.pending.extend(&sides[1..]);
        if let Place::Side(_) = place {
            self.flip_opposite(h); // One of the three is flat.
        } else {
            self.pending.push(h);
        }
        while let Some(e) = self.pending.pop() {
            if self.must_flip(e, p) {
                self.flip_opposite(e);
            }
        }
        // Spokes are never flipped, and `h` has no end at infinity.
        spokes[0]
    }

    /// Flips an edge opposite to a new vertex; the two that are opposite to it now have to be looked at.
    fn flip_opposite(&mut self, e: u32) {
        self.pending.extend([self.edges.next(e ^ 1), self.edges.prev(e ^ 1)]);
        self.edges.flip(e);
    }

    /// Where a point lies.
    ///
    /// Walks from triangle to triangle through sides that have the point beyond them. Where both other sides
    /// have, a toss decides, so that no walk goes round for ever (Devillers, Pion and Teillaud 2002, "Walking in
    /// a triangulation").
    fn locate(&mut self, p: DVec2, near: u32) -> Place {
        let ghost = self.ghost();
        let Self { points, edges, toss, .. } = self;
        let point = |vertex: u32| points[vertex as usize];
        let turn = |h: u32| orient(point(edges.origin(h)), point(edges.target(h)), p);
        let mut h = if edges.apex(near) == ghost { near ^ 1 } else { near };
        let mut side = turn(h);
        if side < 0.0 {
            (h, side) = (h ^ 1, -side);
        }
        loop {
            if edges.apex(h) == ghost {
                return Place::Triangle(h);
            }
            *toss = toss.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (mut a, mut b) = (edges.next(h), edges.prev(h));
            if *toss >> 63 == 1 {
                (a, b) = (b, a);
            }
            let beyond_a = turn(a);
            if beyond_a < 0.0 {
                (h, side) = (a ^ 1, -beyond_a);
                continue;
            }
            let beyond_b = turn(b);
            if beyond_b < 0.0 {
                (h, side) = (b ^ 1, -beyond_b);
                continue;
            }
            let mut on =
                [(h, side), (a, beyond_a), (b, beyond_b)].into_iter().filter(|&(_, turn)| turn == 0.0);
            return match (on.next(), on.next()) {
                (None, _) => Place::Triangle(h),
                (Some((h, _)), None) => Place::Side(h),
                // On two sides at once: on the vertex between them.
                (Some((a, _)), Some((b, _))) => Place::Vertex(if edges.next(a) == b { b } else { a }),
            };
        }
    }

    /// Whether the circle of the triangle left of `e`, whose apex `p` is new, holds the vertex beyond `e`. The
    /// circle of a ghost is the open half-plane beyond its side of the hull.
    fn must_flip(&self, e: u32, p: DVec2) -> bool {
        let (x, y, d) = (self.edges.origin(e), self.edges.target(e), self.edges.apex(e ^ 1));
        let ghost = self.ghost();
        if x == ghost {
            orient(self.point(d), self.point(y), p) > 0.0
        } else if y == ghost {
            orient(p, self.point(x), self.point(d)) > 0.0
        } else {
            d != ghost && is_clearly_in_circle(self.point(x), self.point(y), p, self.point(d))
        }
    }

    /// Gets ready for walls.
    pub fn index(&mut self) {
        self.is_fixed = vec![false; self.edges.len() / 2];
        self.leaving = vec![NONE; self.points.len() + 1];
        for (h, &origin) in self.edges.origins.iter().enumerate() {
            self.leaving[origin as usize] = h as u32;
        }
    }

    /// Makes the segment between two vertices a fixed edge and returns its half-edge; `None` if it crosses
    /// another one or runs through a vertex.
    pub fn insert_wall(&mut self, from: u32, to: u32) -> Option<u32> {
        let around = |h: u32| self.edges.prev(h) ^ 1;
        let start = self.leaving[from as usize];
        let mut wall = start;
        while self.edges.target(wall) != to {
            wall = around(wall);
            if wall == start {
                wall = self.cut(from, to)?;
                break;
            }
        }
        self.is_fixed[(wall >> 1) as usize] = true;
        let Self { points, edges, is_fixed, leaving, pending, .. } = self;
        edges.restore(
            points,
            pending,
            |h| is_fixed[(h >> 1) as usize],
            |edges, h| {
                // Others that leave the ends of the edge.
                leaving[edges.origin(h) as usize] = edges.next(h ^ 1);
                leaving[edges.target(h) as usize] = edges.next(h);
            },
        );
        Some(wall)
    }

    /// Makes an edge between two vertices that have none; the edges changed for it wait to be looked at again.
    fn cut(&mut self, from: u32, to: u32) -> Option<u32> {
        let (p, q) = (self.point(from), self.point(to));
        let ghost = self.ghost();
        let start = self.leaving[from as usize];
        let mut h = start;
        let exit = loop {
            let (right, left) = (self.edges.target(h), self.edges.apex(h));
            let is_between = right != ghost
                && left != ghost
                && orient(p, self.point(right), q) > 0.0
                && orient(p, self.point(left), q) < 0.0;
            if is_between {
                break self.edges.next(h);
            }
            h = self.edges.prev(h) ^ 1;
            if h == start {
                return None;
            }
        };
        let Self { points, edges, is_fixed, leaving, pending, crossed, cut, .. } = self;
        crossed.clear();
        edges.find_crossed(points, [from, to], exit, |h| is_fixed[(h >> 1) as usize], crossed)?;
        let segment = edges.cut(points, [from, to], crossed, cut);
        for &side in cut.sides() {
            leaving[edges.origin(side) as usize] = side;
        }
        pending.extend(crossed.iter().filter(|&&h| h >> 1 != segment >> 1));
        Some(segment)
    }
}
