//! Ground and gaps as one surface in the making: triangles with the half-edges across their sides.
//!
//! Half-edge `3 t + k` of triangle `t` runs from its corner `k` to the next one. Ground triangles come first to last from a
//! [`WalkableSurface`]; they are only ever split at points of their border. Gap faces are joined to the border and to each other.

use super::{Gap, filler::Edge};
use crate::exact::{NO_HALF_EDGE, WalkableSurface};
use std::collections::BTreeMap;
use wayfare_core::{DVec2, DVec3};

/// Where a triangle comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// A triangle of the walkable surface, or a part of it.
    Ground(u32),
    /// A gap.
    Gap(u32),
}

/// The surface in the making.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sheet {
    pub points: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub faces: Vec<Face>,
    pub twins: Vec<u32>,
    /// Border edges that something stands on which is higher than a step.
    pub is_closed: Vec<bool>,
    /// Gap half-edges that are not joined yet, by their ends.
    loose: BTreeMap<[u32; 2], Vec<u32>>,
    /// Half-edges change their numbers when a triangle is split: the number that each had when the border was last walked, and where
    /// each of those is now.
    names: Vec<u32>,
    now: Vec<u32>,
    /// Edges of the ground that were split, in turn, and where.
    pub splits: Vec<Split>,
}

/// An edge of the ground that was split: the vertices at its ends, and those between.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Split {
    pub ends: [u32; 2],
    pub at: Vec<u32>,
}

impl Sheet {
    /// The ground alone.
    pub fn of_ground(surface: &WalkableSurface, step: f64) -> Self {
        let mut sheet = Self {
            points: surface.vertices.as_slice().to_vec(),
            triangles: surface.triangles.iter().map(|t| t.corners.map(|corner| corner.0)).collect(),
            faces: (0..surface.triangles.len() as u32).map(Face::Ground).collect(),
            twins: surface.twins.clone(),
            is_closed: vec![false; surface.twins.len()],
            ..Self::default()
        };
        sheet.name_half_edges();
        for edge in &surface.border {
            sheet.is_closed[edge.half_edge as usize] = edge.obstacle.is_some_and(|[_, top]| top > step);
        }
        sheet
    }

    pub fn from(&self, half_edge: u32) -> u32 {
        self.triangles[half_edge as usize / 3][half_edge as usize % 3]
    }
    pub fn to(&self, half_edge: u32) -> u32 {
        self.from(WalkableSurface::next(half_edge))
    }
    pub fn ends(&self, half_edge: u32) -> [DVec3; 2] {
        [self.from(half_edge), self.to(half_edge)].map(|vertex| self.points[vertex as usize])
    }
    pub fn is_border(&self, half_edge: u32) -> bool {
        self.twins[half_edge as usize] == NO_HALF_EDGE
    }
    /// The gap that a half-edge is a side of.
    pub fn gap(&self, half_edge: u32) -> Option<u32> {
        match self.faces[half_edge as usize / 3] {
            Face::Ground(_) => None,
            Face::Gap(gap) => Some(gap),
        }
    }
    pub fn add_point(&mut self, p: DVec3) -> u32 {
        self.points.push(p);
        self.points.len() as u32 - 1
    }

    fn join(&mut self, a: u32, b: u32) {
        self.twins[a as usize] = b;
        self.twins[b as usize] = a;
    }

    fn add_triangle(&mut self, corners: [u32; 3], face: Face) -> u32 {
        self.triangles.push(corners);
        self.faces.push(face);
        self.twins.extend([NO_HALF_EDGE; 3]);
        self.is_closed.extend([false; 3]);
        self.names.extend([NO_HALF_EDGE; 3]);
        self.triangles.len() as u32 - 1
    }

    /// Adds a face of a gap. Each side is joined to the edge of the border named for it, which runs back along it, or, where none is
    /// named, to a side of another gap face that does, now or later.
    pub fn add_gap_face(&mut self, corners: [u32; 3], borders: [u32; 3], gap: u32) {
        let triangle = self.add_triangle(corners, Face::Gap(gap));
        for (side, border) in (3 * triangle..).zip(borders) {
            let ends = [self.from(side), self.to(side)];
            if border != NO_HALF_EDGE && self.is_border(border) {
                debug_assert_eq!([self.to(border), self.from(border)], ends);
                self.forget_loose(border);
                self.join(side, border);
            } else if let Some(other) = self.loose.get_mut(&[ends[1], ends[0]]).and_then(Vec::pop) {
                self.join(side, other);
            } else {
                self.loose.entry(ends).or_default().push(side);
            }
        }
    }

    fn forget_loose(&mut self, side: u32) {
        let ends = [self.from(side), self.to(side)];
        if let Some(waiting) = self.loose.get_mut(&ends) {
            waiting.retain(|&other| other != side);
        }
    }

    /// From here on half-edges are known by the numbers that they have now.
    fn name_half_edges(&mut self) {
        self.names = (0..self.twins.len() as u32).collect();
        self.now = self.names.clone();
    }

    /// The number that a half-edge has now which had this one when the border was last walked.
    pub fn now(&self, half_edge: u32) -> u32 {
        self.now[half_edge as usize]
    }

    /// The cycles of the border: lists of half-edges. Round a vertex one goes within its fan, so that cycles that only touch
    /// stay apart (seed 002, V.A).
    pub fn cycles(&mut self) -> Vec<Vec<u32>> {
        self.name_half_edges();
        let mut cycles = Vec::new();
        let mut is_done = vec![false; self.twins.len()];
        for start in 0..self.twins.len() as u32 {
            if !self.is_border(start) || is_done[start as usize] {
                continue;
            }
            let mut cycle = Vec::new();
            let mut at = start;
            while !is_done[at as usize] {
                is_done[at as usize] = true;
                cycle.push(at);
                at = self.next_on_border(at);
            }
            cycles.push(cycle);
        }
        cycles
    }

    /// The edge of the border that follows.
    pub fn next_on_border(&self, half_edge: u32) -> u32 {
        let mut next = WalkableSurface::next(half_edge);
        while !self.is_border(next) {
            next = WalkableSurface::next(self.twins[next as usize]);
        }
        next
    }

    /// The edges of cycles that can be a side of a gap: those that have a length in plan and that nothing high stands on.
    pub fn edges<'a>(&self, cycles: impl IntoIterator<Item = (u32, &'a [u32])>) -> Vec<Edge> {
        let mut edges = Vec::new();
        let mut upright: Vec<(u32, DVec2)> = Vec::new();
        for (number, cycle) in cycles {
            upright.clear();
            for &half_edge in cycle {
                let [a, b] = self.ends(half_edge).map(DVec3::truncate);
                if let Some(direction) = (b - a).try_normalize() {
                    upright.push((half_edge, direction));
                }
            }
            let count = upright.len();
            for (k, &(half_edge, _)) in upright.iter().enumerate() {
                if !self.is_closed[half_edge as usize] && self.is_border(half_edge) {
                    let beside = [upright[(k + count - 1) % count].1, upright[(k + 1) % count].1];
                    edges.push(Edge { half_edge, cycle: number, ends: self.ends(half_edge), beside });
                }
            }
        }
        edges
    }

    /// Splits edges of the border at new vertices, given in their order along each; returns the parts of each edge in order.
    /// An edge that is named without vertices is its own part, under the number that it has afterwards.
    pub fn split_border(&mut self, splits: &BTreeMap<u32, Vec<u32>>) -> BTreeMap<u32, Vec<u32>> {
        let mut parts = BTreeMap::new();
        let mut entries = splits.iter().peekable();
        while let Some(&(&first, _)) = entries.peek() {
            let triangle = first / 3;
            let mut on_side: [&[u32]; 3] = [&[]; 3];
            let mut named = [false; 3];
            while let Some((&half_edge, vertices)) = entries.next_if(|entry| *entry.0 / 3 == triangle) {
                on_side[half_edge as usize % 3] = vertices;
                named[half_edge as usize % 3] = true;
            }
            let sides = self.split_triangle(triangle, on_side);
            for (k, side) in sides.into_iter().enumerate() {
                if named[k] {
                    parts.insert(3 * triangle + k as u32, side);
                }
            }
        }
        parts
    }

    /// Splits a triangle at vertices on its sides; returns the parts of each side in order.
    fn split_triangle(&mut self, triangle: u32, on_side: [&[u32]; 3]) -> [Vec<u32>; 3] {
        let half_edges = [0, 1, 2].map(|k| 3 * triangle + k);
        if on_side.iter().all(|vertices| vertices.is_empty()) {
            return half_edges.map(|h| vec![h]);
        }
        let corners = self.triangles[triangle as usize];
        let twins = half_edges.map(|h| self.twins[h as usize]);
        let closed = half_edges.map(|h| self.is_closed[h as usize]);
        let names = half_edges.map(|h| self.names[h as usize]);
        // From a side with vertices on: a fan from the corner across, whose first and last triangle have the other sides.
        let first = (0..3).find(|&k| !on_side[k].is_empty()).unwrap_or(0);
        let [k, l, m] = [first, (first + 1) % 3, (first + 2) % 3];
        let [a, b, c] = [corners[k], corners[l], corners[m]];
        let chain = |from: u32, inner: &[u32], to: u32| -> Vec<u32> {
            std::iter::once(from).chain(inner.iter().copied()).chain([to]).collect()
        };
        let (ab, bc, ca) = (chain(a, on_side[k], b), chain(b, on_side[l], c), chain(c, on_side[m], a));
        let mut made: Vec<[u32; 3]> = Vec::new();
        let (start, end) = (ab[1], ab[ab.len() - 2]);
        made.extend(ca.windows(2).map(|side| [side[0], side[1], start]));
        made.extend(ab[1..ab.len() - 1].windows(2).map(|side| [side[0], side[1], c]));
        made.extend(bc.windows(2).map(|side| [side[0], side[1], end]));
        // The first takes the old one's place.
        let face = self.faces[triangle as usize];
        let mut numbers = vec![triangle];
        self.triangles[triangle as usize] = made[0];
        for h in half_edges {
            self.twins[h as usize] = NO_HALF_EDGE;
            self.is_closed[h as usize] = false;
            self.names[h as usize] = NO_HALF_EDGE;
        }
        for &corners in &made[1..] {
            let number = self.add_triangle(corners, face);
            numbers.push(number);
        }
        // Vertices of one triangle are all different: sides are known by their ends.
        let sides: BTreeMap<[u32; 2], u32> =
            numbers.iter().flat_map(|&t| 3 * t..3 * t + 3).map(|h| ([self.from(h), self.to(h)], h)).collect();
        for (&[from, to], &h) in &sides {
            if let Some(&twin) = sides.get(&[to, from]) {
                self.twins[h as usize] = twin;
            }
        }
        let mut parts = [const { Vec::new() }; 3];
        for (k, chain) in [(k, ab), (l, bc), (m, ca)] {
            parts[k] = chain.windows(2).filter_map(|ends| sides.get(&[ends[0], ends[1]]).copied()).collect();
            for &part in &parts[k] {
                self.is_closed[part as usize] = closed[k];
            }
            if matches!(face, Face::Ground(_)) && chain.len() > 2 {
                let inner = 1..chain.len() - 1;
                let ends = [chain[0], chain[inner.end]];
                self.splits.push(Split { ends, at: chain[inner].to_vec() });
            }
            if let [part] = parts[k][..] {
                if twins[k] != NO_HALF_EDGE {
                    self.join(part, twins[k]);
                }
                self.names[part as usize] = names[k];
                if let Some(now) = self.now.get_mut(names[k] as usize) {
                    *now = part;
                }
            }
            // A loose side of a gap face waits under its new number.
            if matches!(face, Face::Gap(_)) && twins[k] == NO_HALF_EDGE {
                let old = half_edges[k];
                let ends = [chain[0], chain[chain.len() - 1]];
                if let Some(waiting) = self.loose.get_mut(&ends) {
                    waiting.retain(|&h| h != old);
                }
                for &part in &parts[k] {
                    let ends = [self.from(part), self.to(part)];
                    self.loose.entry(ends).or_default().push(part);
                }
            }
        }
        parts
    }

    /// How many pieces of triangles hang together.
    pub fn component_count(&self) -> usize {
        self.components().1
    }

    /// The piece that each triangle is part of, and how many there are.
    fn components(&self) -> (Vec<u32>, usize) {
        let mut piece = vec![NO_HALF_EDGE; self.triangles.len()];
        let mut waiting = Vec::new();
        let mut count = 0;
        for start in 0..self.triangles.len() as u32 {
            if piece[start as usize] != NO_HALF_EDGE {
                continue;
            }
            piece[start as usize] = count;
            waiting.push(start);
            while let Some(t) = waiting.pop() {
                for &twin in &self.twins[3 * t as usize..3 * t as usize + 3] {
                    if twin != NO_HALF_EDGE && piece[twin as usize / 3] == NO_HALF_EDGE {
                        piece[twin as usize / 3] = count;
                        waiting.push(twin / 3);
                    }
                }
            }
            count += 1;
        }
        (piece, count as usize)
    }

    /// Leaves out faces of gaps that hang on no ground: what rounding cuts off from a filling, of a picometre's width. The
    /// half-edges get other numbers, and gaps without a face go.
    pub fn leave_out_loose_gaps(&mut self, gaps: &mut Vec<Gap>) {
        let (piece, count) = self.components();
        let mut has_ground = vec![false; count];
        for (&piece, face) in piece.iter().zip(&self.faces) {
            has_ground[piece as usize] |= matches!(face, Face::Ground(_));
        }
        if has_ground.iter().all(|&has| has) {
            return;
        }
        // No other face is joined to one that goes.
        let kept: Vec<usize> = (0..self.faces.len()).filter(|&t| has_ground[piece[t] as usize]).collect();
        let mut triangle = vec![NO_HALF_EDGE; self.faces.len()];
        let mut number = vec![NO_HALF_EDGE; gaps.len()];
        for (new, &old) in (0..).zip(&kept) {
            triangle[old] = new;
            if let Face::Gap(gap) = self.faces[old] {
                number[gap as usize] = 0;
            }
        }
        for (new, number) in (0..).zip(number.iter_mut().filter(|number| **number == 0)) {
            *number = new;
        }
        let mut numbers = number.iter();
        gaps.retain(|_| numbers.next() != Some(&NO_HALF_EDGE));
        let moved = |h: u32| if h == NO_HALF_EDGE { h } else { 3 * triangle[h as usize / 3] + h % 3 };
        self.twins = kept.iter().flat_map(|&t| 3 * t..3 * t + 3).map(|h| moved(self.twins[h])).collect();
        self.triangles = kept.iter().map(|&t| self.triangles[t]).collect();
        self.faces = kept
            .iter()
            .map(|&t| match self.faces[t] {
                Face::Gap(gap) => Face::Gap(number[gap as usize]),
                ground => ground,
            })
            .collect();
    }

    /// The area of a triangle in plan [m²].
    pub fn area(&self, triangle: usize) -> f64 {
        let [a, b, c] = self.triangles[triangle].map(|vertex| self.points[vertex as usize].truncate());
        (b - a).perp_dot(c - a) / 2.0
    }
}
