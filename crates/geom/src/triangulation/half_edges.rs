//! Triangles as half-edges: what they are made of and how they are flipped.

use super::NONE;
use crate::predicates::{cross_properly, orient};
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

    /// Flips the edges that a segment crosses until one of them is the segment; it is returned. What is about to
    /// be flipped and what crosses no more is told.
    ///
    /// Source: Sloan 1993, "A fast algorithm for generating constrained Delaunay triangulations", section 3.
    pub fn flip_crossed(
        &mut self,
        points: &[DVec2],
        [from, to]: [u32; 2],
        crossed: &mut Vec<u32>,
        mut on_flip: impl FnMut(&Self, u32),
        mut on_clear: impl FnMut(u32),
    ) -> Option<u32> {
        let (p, q) = (points[from as usize], points[to as usize]);
        let mut at = 0;
        while at < crossed.len() {
            let h = crossed[at];
            at += 1;
            let (c, d) = (self.apex(h), self.apex(h ^ 1));
            let [pa, pb, pc, pd] = [self.origin(h), self.target(h), c, d].map(|v| points[v as usize]);
            // Only a strictly convex quadrilateral can be flipped; others wait for their neighbours.
            if orient(pd, pc, pa) <= 0.0 || orient(pc, pd, pb) <= 0.0 {
                crossed.push(h);
                continue;
            }
            on_flip(self, h);
            self.flip(h);
            let touches = |v: u32| v == from || v == to;
            if touches(c) && touches(d) {
                return Some(h);
            }
            if !touches(c) && !touches(d) && cross_properly(p, q, pc, pd) {
                crossed.push(h);
            } else {
                on_clear(h);
            }
        }
        None
    }
}
