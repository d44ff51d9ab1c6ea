//! Triangles as half-edges: what they are made of and how they are flipped.

use super::NONE;
use crate::predicates::{is_clearly_in_circle, orient};
use wayfare_core::DVec2;

/// Half-edges with twin `h ^ 1`, each with the vertex it starts from and the one that follows in the triangle on
/// its left, or [`NONE`] where there is no triangle.
#[derive(Clone, Debug, Default)]
pub(super) struct HalfEdges {
    pub origins: Vec<u32>,
    pub nexts: Vec<u32>,
}

impl HalfEdges {
    pub fn with_capacity(count: usize) -> Self {
        Self { origins: Vec::with_capacity(count), nexts: Vec::with_capacity(count) }
    }
    pub fn len(&self) -> usize {
        self.origins.len()
    }
    #[inline]
    pub fn origin(&self, h: u32) -> u32 {
        self.origins[h as usize]
    }
    #[inline]
    pub fn target(&self, h: u32) -> u32 {
        self.origins[(h ^ 1) as usize]
    }
    #[inline]
    pub fn next(&self, h: u32) -> u32 {
        self.nexts[h as usize]
    }
    #[inline]
    pub fn prev(&self, h: u32) -> u32 {
        self.next(self.next(h))
    }
    /// The vertex of the triangle left of `h` that is not an end of `h`.
    #[inline]
    pub fn apex(&self, h: u32) -> u32 {
        self.origin(self.prev(h))
    }

    /// A new edge between two vertices, without triangles; returns the half-edge from the first.
    pub fn add(&mut self, from: u32, to: u32) -> u32 {
        let h = self.origins.len() as u32;
        self.origins.extend([from, to]);
        self.nexts.extend([NONE; 2]);
        h
    }

    /// Makes a triangle of three half-edges.
    #[inline]
    pub fn join(&mut self, [a, b, c]: [u32; 3]) {
        self.nexts[a as usize] = b;
        self.nexts[b as usize] = c;
        self.nexts[c as usize] = a;
    }

    /// Replaces the common side of two triangles by the other diagonal of their quadrilateral.
    #[inline]
    pub fn flip(&mut self, h: u32) {
        let t = h ^ 1;
        let (h1, t1) = (self.next(h), self.next(t));
        let (h2, t2) = (self.next(h1), self.next(t1));
        self.origins[h as usize] = self.origin(t2);
        self.origins[t as usize] = self.origin(h2);
        self.join([t1, h, h2]);
        self.join([h1, t, t2]);
    }

    /// The edges that the open segment between two vertices crosses, in order, seen as half-edges with `from` on
    /// their left, the first of them being `exit`; `None` if one is fixed or the segment meets another vertex.
    pub fn find_crossed(
        &self,
        points: &[DVec2],
        [from, to]: [u32; 2],
        mut exit: u32,
        is_fixed: impl Fn(u32) -> bool,
        crossed: &mut Vec<u32>,
    ) -> Option<()> {
        let (p, q) = (points[from as usize], points[to as usize]);
        loop {
            if is_fixed(exit) {
                return None;
            }
            crossed.push(exit);
            let beyond = exit ^ 1;
            let apex = self.apex(beyond);
            if apex == to {
                return Some(());
            }
            let side = orient(p, q, points[apex as usize]);
            // `beyond` runs from the left end to the right end of the crossed edge.
            exit = if side > 0.0 {
                self.next(beyond)
            } else if side < 0.0 {
                self.prev(beyond)
            } else {
                return None;
            };
        }
    }

    /// Makes the segment between two vertices an edge in place of all that it crosses, which
    /// [`HalfEdges::find_crossed`] has found; returns the half-edge from the first vertex. The edges that were
    /// crossed get other ends.
    ///
    /// The triangles crossed make a polygon, of which the segment leaves two. Each of their corners sees the
    /// segment along an edge that was crossed, so that ears can be cut off as in Graham's scan: Toussaint and Avis
    /// 1982, "On a convex hull algorithm for polygons and its application to triangulation problems".
    pub fn cut(
        &mut self,
        points: &[DVec2],
        [from, to]: [u32; 2],
        crossed: &[u32],
        scratch: &mut CutScratch,
    ) -> u32 {
        let CutScratch { right, left, stack } = scratch;
        right.clear();
        left.clear();
        // The sides of the polygon, each with the inside on its left: the right ones from `from` on, the left ones
        // up to it.
        let (Some(&first), Some(&last)) = (crossed.first(), crossed.last()) else { return NONE };
        right.push(self.prev(first));
        left.push(self.next(first));
        for pair in crossed.windows(2) {
            let beyond = pair[0] ^ 1;
            if pair[1] == self.next(beyond) {
                left.push(self.prev(beyond));
            } else {
                right.push(self.next(beyond));
            }
        }
        right.push(self.next(last ^ 1));
        left.push(self.prev(last ^ 1));
        left.reverse();

        let mut free = crossed.iter().copied();
        let mut edge_between = |edges: &mut Self, from: u32, to: u32| {
            let h = free.next().unwrap_or(NONE);
            (edges.origins[h as usize], edges.origins[(h ^ 1) as usize]) = (from, to);
            h
        };
        let segment = edge_between(self, from, to);
        for (sides, closing) in [(right, segment ^ 1), (left, segment)] {
            stack.clear();
            for (k, &side) in sides.iter().enumerate() {
                let mut side = side;
                while let Some(&before) = stack.last() {
                    let (a, b, c) = (self.origin(before), self.origin(side), self.target(side));
                    if orient(points[a as usize], points[b as usize], points[c as usize]) <= 0.0 {
                        break;
                    }
                    stack.pop();
                    if stack.is_empty() && k + 1 == sides.len() {
                        self.join([before, side, closing]);
                    } else {
                        let diagonal = edge_between(self, c, a);
                        self.join([before, side, diagonal]);
                        side = diagonal ^ 1;
                    }
                }
                stack.push(side);
            }
        }
        segment
    }

    /// Flips what waits, and what that disturbs, until no circle holds a vertex that can be seen from its triangle.
    /// What is about to be flipped is told.
    ///
    /// Source: Lawson 1977, "Software for C1 surface interpolation".
    pub fn restore(
        &mut self,
        points: &[DVec2],
        pending: &mut Vec<u32>,
        is_fixed: impl Fn(u32) -> bool,
        mut on_flip: impl FnMut(&Self, u32),
    ) {
        while let Some(h) = pending.pop() {
            if is_fixed(h) {
                continue;
            }
            let around = [self.next(h), self.prev(h), self.next(h ^ 1), self.prev(h ^ 1)];
            let corners = around.map(|side| self.origin(side));
            // The vertex at infinity has no point.
            let Some([b, c, a, d]) = all(corners.map(|v| points.get(v as usize).copied())) else { continue };
            if is_clearly_in_circle(a, b, c, d) {
                on_flip(self, h);
                self.flip(h);
                pending.extend(around);
            }
        }
    }
}

fn all([a, b, c, d]: [Option<DVec2>; 4]) -> Option<[DVec2; 4]> {
    Some([a?, b?, c?, d?])
}

/// Memory of cuts, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct CutScratch {
    right: Vec<u32>,
    left: Vec<u32>,
    stack: Vec<u32>,
}

impl CutScratch {
    /// The sides of the polygon that was cut last: every one of its corners is the origin of one.
    pub fn sides(&self) -> impl Iterator<Item = &u32> {
        self.right.iter().chain(&self.left)
    }
}
