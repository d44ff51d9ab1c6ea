//! The ground in triangles, ready to be drawn from by lot.
//!
//! Idea: faces are convex, so each is a fan of triangles. Sums of their areas turn a number from 0 to 1 into a triangle
//! by bisection; two more turn into a point of it (Osada and others 2002, "Shape distributions", section 4.2).
//! Components come one after the other, so that one of them is a range of sums.
//! Cost: O(n) to make, O(log n) to draw.

use crate::{
    mesh::{ComponentId, NavMesh},
    search::faces::Faces,
};
use std::ops::Range;
use wayfare_core::{DVec2, Id as _};

/// A triangle of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub face: u32,
    pub corners: [DVec2; 3],
}

impl Piece {
    pub fn area(&self) -> f64 {
        let [a, b, c] = self.corners;
        ((b - a).perp_dot(c - a) / 2.0).max(0.0)
    }
    /// A point of the triangle, evenly if both numbers are.
    pub fn point(&self, one: f64, two: f64) -> DVec2 {
        let [a, b, c] = self.corners;
        let out = one.sqrt();
        a + (b - a) * (out * (1.0 - two)) + (c - a) * (out * two)
    }
    /// A point of the triangle, and how far from it the corners are at most.
    pub fn ball(&self) -> (DVec2, f64) {
        let centre = (self.corners[0] + self.corners[1] + self.corners[2]) / 3.0;
        (centre, self.corners.iter().map(|p| p.distance(centre)).fold(0.0, f64::max))
    }
    /// Its four halves in size.
    pub fn quarters(&self) -> [Self; 4] {
        let [a, b, c] = self.corners;
        let [ab, bc, ca] = [(a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0];
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]].map(|corners| Self { corners, ..*self })
    }
}

/// Triangles with the sums of their areas.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    pub pieces: Vec<Piece>,
    /// The area of all triangles up to each, with it [m²].
    sums: Vec<f64>,
}

impl Pieces {
    pub fn push(&mut self, piece: Piece) {
        let area = piece.area();
        if area > 0.0 {
            self.sums.push(self.sums.last().copied().unwrap_or(0.0) + area);
            self.pieces.push(piece);
        }
    }
    /// The fan of a convex polygon.
    pub fn push_fan(&mut self, face: u32, ring: impl Iterator<Item = DVec2> + Clone) {
        let Some(first) = ring.clone().next() else { return };
        let rest = ring.skip(1);
        for (b, c) in rest.clone().zip(rest.skip(1)) {
            self.push(Piece { face, corners: [first, b, c] });
        }
    }
    /// The triangle at a share of the area of a range, 0 .. 1.
    pub fn at(&self, range: Range<usize>, share: f64) -> Option<&Piece> {
        let sums = self.sums.get(range.clone())?;
        let before = if range.start == 0 { 0.0 } else { self.sums[range.start - 1] };
        let sought = before + (sums.last()? - before) * share;
        let k = sums.partition_point(|&sum| sum <= sought).min(sums.len() - 1);
        self.pieces.get(range.start + k)
    }
}

/// All ground of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Areas {
    pub(super) all: Pieces,
    /// First triangle of each component; one more entry.
    components: Vec<usize>,
}

impl Areas {
    pub fn of(mesh: &NavMesh, faces: &Faces) -> Self {
        let mut order: Vec<u32> = (0..faces.count() as u32).collect();
        let component = |face: &u32| mesh.component(faces.cell(*face));
        order.sort_by_key(|face| (component(face), *face));
        let (mut all, mut components) = (Pieces::default(), vec![0]);
        for face in order {
            while components.len() <= component(&face).index() {
                components.push(all.pieces.len());
            }
            // Nobody stands on a gap.
            if mesh.gap(faces.cell(face)).is_some() {
                continue;
            }
            let (first, end) = faces.range(face);
            all.push_fan(face, faces.edges[first as usize..end as usize].iter().map(|edge| edge.at));
        }
        components.resize(mesh.component_count() + 1, all.pieces.len());
        Self { all, components }
    }

    /// The triangles of a component.
    pub(super) fn component(&self, component: ComponentId) -> Range<usize> {
        let at = |k: usize| self.components.get(k).copied().unwrap_or(self.all.pieces.len());
        at(component.index())..at(component.index() + 1)
    }
}
