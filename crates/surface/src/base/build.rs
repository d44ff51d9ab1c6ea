//! The base mesh: flat charts without their inner vertices, joined along simplified borders.
//!
//! Steps: 1. which vertices of the borders stay (`border.rs`)  2. each outline is triangulated, constrained Delaunay
//!   3. triangles are joined, over borders by the sides of the surface between two kept vertices  4. lengths: inside a chart those
//!   of the plane, on a border the mean of both charts' (or each its own)  5. triangles whose sides do not close are mended
//! Source: seed 004, section 5.2.3; averaged lengths and simplified borders are ours, from a trial.
//! Cost: O(n log n).

use super::border::kept_vertices;
use crate::{RawSurface, SurfaceError, SurfaceMesh, mesh::NONE, segment::Charts};
use wayfare_core::DVec2;
use wayfare_geom::triangulation::Triangulation;

/// A base mesh before it is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawBase {
    /// Per vertex of the base mesh the vertex of the surface.
    pub vertices: Vec<u32>,
    /// Three vertices of the base mesh each, as their chart turns.
    pub faces: Vec<[u32; 3]>,
    /// Per face its chart.
    pub charts: Vec<u32>,
    /// Per face the half-edges of its neighbours.
    pub joints: Vec<[Option<u32>; 3]>,
    /// Per face the lengths of its sides.
    pub lengths: Vec<[f64; 3]>,
    /// Per face its corners in the plane of its chart.
    pub corners: Vec<[DVec2; 3]>,
    /// Mean of |difference| over mean of the two lengths of a border.
    pub border_mismatch: f64,
}

impl RawBase {
    /// The base mesh of some charts.
    pub fn build(surface: &SurfaceMesh, charts: &Charts, tolerance: f64) -> Result<Self, SurfaceError> {
        // 1.
        let kept = kept_vertices(surface, charts, tolerance);
        let mut base = Self::default();
        let mut number = vec![NONE; surface.vertex_count()];
        for (vertex, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
            number[vertex] = base.vertices.len() as u32;
            base.vertices.push(vertex as u32);
        }
        // Sides of the outlines by the lowest edge of the surface on them.
        let mut borders: Vec<(u32, u32)> = Vec::new();
        for (chart_number, chart) in charts.charts.iter().enumerate() {
            let border = &chart.mesh.border;
            let vertex = |k: usize| chart.mesh.vertices[border[k].0 as usize];
            let corners: Vec<usize> = (0..border.len()).filter(|&k| kept[vertex(k) as usize]).collect();
            let ring: Vec<DVec2> = corners.iter().map(|&k| chart.positions[border[k].0 as usize]).collect();
            let edge_of = |corner: usize| {
                let (from, to) = (corners[corner], corners[(corner + 1) % corners.len()]);
                let to = if to <= from { to + border.len() } else { to };
                let edge = |k: usize| {
                    let side = border[k % border.len()].1;
                    side.min(surface.twins()[side as usize])
                };
                (from..to).map(edge).min().unwrap_or(NONE)
            };
            // 2.
            let plan = Triangulation::build(std::slice::from_ref(&ring)).map_err(|error| {
                SurfaceError::Point(format!(
                    "the outline of chart {chart_number} cannot be triangulated: {error}"
                ))
            })?;
            let mut face_of = vec![NONE; plan.half_edge_count()];
            let first_face = base.faces.len();
            for h in 0..plan.half_edge_count() as u32 {
                if !plan.is_inside(h) || face_of[h as usize] != NONE {
                    continue;
                }
                let sides = [h, plan.next(h), plan.prev(h)];
                for (k, side) in sides.into_iter().enumerate() {
                    face_of[side as usize] = (3 * base.faces.len() + k) as u32;
                }
                let corner = sides.map(|side| plan.origin(side) as usize);
                base.faces.push(corner.map(|k| number[vertex(corners[k]) as usize]));
                base.corners.push(corner.map(|k| ring[k]));
                base.charts.push(chart_number as u32);
                base.joints.push([None; 3]);
                let ends = |k: usize| ring[corner[k]].distance(ring[corner[(k + 1) % 3]]);
                base.lengths.push([0, 1, 2].map(ends));
            }
            // 3.
            for h in 0..plan.half_edge_count() as u32 {
                let own = face_of[h as usize];
                if own == NONE {
                    continue;
                }
                let twin = face_of[(h ^ 1) as usize];
                if twin == NONE {
                    borders.push((edge_of(plan.origin(h) as usize), own));
                } else {
                    base.joints[own as usize / 3][own as usize % 3] = Some(twin);
                }
            }
            debug_assert!(base.faces.len() > first_face);
        }
        borders.sort_unstable();
        for pair in borders.chunk_by(|a, b| a.0 == b.0) {
            let &[(_, a), (_, b)] = pair else { continue };
            let [(fa, ka), (fb, kb)] = [a, b].map(|h| (h as usize / 3, h as usize % 3));
            base.joints[fa][ka] = Some(b);
            base.joints[fb][kb] = Some(a);
        }
        base.border_mismatch = base.mismatch();
        Ok(base)
    }

    /// Mean of |difference| of the two lengths of the edges between charts, over their mean length.
    pub fn mismatch(&self) -> f64 {
        let (mut difference, mut total) = (0.0, 0.0);
        for (face, joints) in self.joints.iter().enumerate() {
            for (side, joint) in joints.iter().enumerate() {
                let Some(twin) = joint.map(|twin| twin as usize) else { continue };
                if self.charts[twin / 3] != self.charts[face] {
                    let (own, other) = (self.lengths[face][side], self.lengths[twin / 3][twin % 3]);
                    difference += (own - other).abs();
                    total += 0.5 * (own + other);
                }
            }
        }
        if total > 0.0 { difference / total } else { 0.0 }
    }

    /// Step 4 and 5: an ordinary surface with one length per edge.
    pub fn averaged(&self) -> Result<SurfaceMesh, SurfaceError> {
        let mut lengths = self.lengths.clone();
        for (face, joints) in self.joints.iter().enumerate() {
            for (side, joint) in joints.iter().enumerate() {
                if let Some(twin) = *joint {
                    let twin = twin as usize;
                    let mean = 0.5 * (self.lengths[face][side] + self.lengths[twin / 3][twin % 3]);
                    lengths[face][side] = mean;
                }
            }
        }
        self.close(&mut lengths);
        let raw = RawSurface {
            vertices: self.vertices.len(),
            faces: self.faces.clone(),
            lengths,
            joints: Some(self.joints.clone()),
        };
        Ok(raw.validate()?.0)
    }

    /// Lets the longest side of a triangle that does not close shrink and the others grow, until all close; what is left after that
    /// is added to every side, which closes all.
    fn close(&self, lengths: &mut [[f64; 3]]) {
        let missing = |sides: &[f64; 3]| {
            let longest = sides[0].max(sides[1]).max(sides[2]);
            // Twice the longest less the way round; rounding, which a flat triangle may have, is none of it.
            2.0 * longest - (sides[0] + sides[1] + sides[2]) - 5e-10 * longest
        };
        for _ in 0..200 {
            let mut all_close = true;
            for face in 0..lengths.len() {
                let lack = missing(&lengths[face]);
                if lack <= 0.0 {
                    continue;
                }
                all_close = false;
                let sides = lengths[face];
                let longest = (0..3).fold(0, |best, k| if sides[k] > sides[best] { k } else { best });
                for k in 0..3 {
                    let change = if k == longest { -lack } else { lack } * 0.4;
                    let length = (sides[k] + change).max(0.0);
                    lengths[face][k] = length;
                    if let Some(twin) = self.joints[face][k] {
                        lengths[twin as usize / 3][twin as usize % 3] = length;
                    }
                }
            }
            if all_close {
                return;
            }
        }
        let most = lengths.iter().map(missing).fold(0.0, f64::max);
        lengths.iter_mut().flatten().for_each(|side| *side += most);
    }
}
