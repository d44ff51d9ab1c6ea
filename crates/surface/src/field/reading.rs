//! Many points inside faces that read their distance from the windows that pass.

use crate::{
    FaceId, HalfEdgeId, SurfaceMesh, SurfacePoint,
    exact::window::{Window, length},
};
use wayfare_core::Id as _;

/// Points whose distances every query of [`ExactSolver::solve_reading`](crate::ExactSolver::solve_reading) finds: many of them cost
/// little, as they are kept in the order of their faces. Made once for many queries.
#[derive(Default)]
pub struct Reading {
    /// First point of each face, and one more.
    starts: Vec<u32>,
    /// In the frame of the face's first side.
    x: Vec<f64>,
    y: Vec<f64>,
    /// Which of the points given each one is.
    numbers: Vec<u32>,
    distances: Vec<f64>,
}

impl Reading {
    /// Points of a surface, inside its faces or on their sides; those that are `None` stay infinite. The distance of a corner is that
    /// of its vertex, which the field has.
    pub fn new(surface: &SurfaceMesh, points: &[Option<SurfacePoint>]) -> Self {
        let mut order: Vec<(u32, u32)> = points
            .iter()
            .enumerate()
            .filter_map(|(k, point)| point.map(|point| (point.face.0, k as u32)))
            .collect();
        order.sort_unstable();
        let mut made = Self { starts: vec![0; surface.face_count() + 1], ..Self::default() };
        for &(face, number) in &order {
            made.starts[face as usize + 1] += 1;
            let frame = FaceId(face).half_edges()[0];
            let [x, y] = points[number as usize].map_or([0.0; 2], |point| point.in_frame(surface, frame));
            made.x.push(x);
            made.y.push(y);
            made.numbers.push(number);
        }
        for face in 0..surface.face_count() {
            made.starts[face + 1] += made.starts[face];
        }
        made.distances = vec![f64::INFINITY; made.x.len()];
        made
    }

    /// Forgets all distances.
    pub(crate) fn reset(&mut self) {
        self.distances.fill(f64::INFINITY);
    }

    #[inline]
    fn of_face(&self, face: FaceId) -> std::ops::Range<usize> {
        if self.starts.is_empty() {
            return 0..0;
        }
        self.starts[face.index()] as usize..self.starts[face.index() + 1] as usize
    }

    /// Whether a face has points.
    #[inline]
    pub(crate) fn is_in(&self, face: FaceId) -> bool {
        !self.of_face(face).is_empty()
    }

    /// Windows that wait on a half-edge pass over its face.
    pub(crate) fn reach(&mut self, surface: &SurfaceMesh, h: HalfEdgeId, windows: &[Window], reach: f64) {
        let range = self.of_face(h.face());
        if range.is_empty() {
            return;
        }
        // The frame of the half-edge in that of the first side.
        let first = h.face().half_edges()[0];
        let (base, apex) = (surface.length(first), surface.apex(first));
        let corners = [[0.0, 0.0], [base, 0.0], apex];
        let (origin, end) = (corners[h.side()], corners[h.next().side()]);
        let size = surface.length(h);
        let (ux, uy) = ((end[0] - origin[0]) / size, (end[1] - origin[1]) / size);
        let (xs, ys) = (&self.x[range.clone()], &self.y[range.clone()]);
        let out = &mut self.distances[range];
        for w in windows {
            let (sx, sy) = (origin[0] + ux * w.x + uy * w.depth, origin[1] + uy * w.x - ux * w.depth);
            let at = |t: f64| (origin[0] + ux * t - sx, origin[1] + uy * t - sy);
            let (lx, ly) = at(w.lo - reach);
            let (hx, hy) = at(w.hi + reach);
            for ((x, y), out) in xs.iter().zip(ys).zip(out.iter_mut()) {
                let (dx, dy) = (x - sx, y - sy);
                let distance = w.base + (dx * dx + dy * dy).sqrt();
                // Right of the first ray of the bundle and left of the last.
                let is_lit = (lx * dy - ly * dx <= 0.0) & (hx * dy - hy * dx >= 0.0) & (distance < *out);
                *out = if is_lit { distance } else { *out };
            }
        }
    }

    /// A point of a face, in the frame of its first side, reaches all points of it.
    pub(crate) fn reach_directly(&mut self, face: FaceId, [x, y]: [f64; 2], base: f64) {
        for k in self.of_face(face) {
            let distance = base + length(self.x[k] - x, self.y[k] - y);
            self.distances[k] = self.distances[k].min(distance);
        }
    }

    /// Writes the distances to where the points came from.
    pub fn write(&self, out: &mut [f64]) {
        for (&number, &distance) in self.numbers.iter().zip(&self.distances) {
            out[number as usize] = distance;
        }
    }
}
