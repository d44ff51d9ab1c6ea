//! The two-way map between a surface and its base mesh.
//!
//! Idea: a point lies in a chart of the surface at a place of the plane, and at the same place of the plane in the base mesh. Where the
//!   simplified border leaves it out, the plane is continued over that border into the neighbouring chart.

use super::{
    BaseMesh,
    border::distance,
    frame::{Similarity, clean, weights},
};
use crate::{FaceId, HalfEdgeId, SurfaceMesh, SurfacePoint, VertexId, mesh::NONE};
use wayfare_core::{DVec2, Id as _};

/// Over how many borders a place is followed.
const BORDERS: usize = 8;

impl BaseMesh {
    /// Chart of a point of the surface, and its place in the plane.
    pub fn flat_place(&self, point: &SurfacePoint) -> (usize, [f64; 2]) {
        let corners = self.charts.flat(point.face).map(DVec2::from_array);
        let p = corners.iter().zip(point.barycentric).fold(DVec2::ZERO, |sum, (p, w)| sum + *p * w);
        (self.charts.chart(point.face), p.to_array())
    }

    /// A point of the surface on the base mesh.
    pub fn to_base(&self, surface: &SurfaceMesh, point: &SurfacePoint) -> SurfacePoint {
        if let crate::Place::Corner(h) = point.place(surface)
            && let Some(known) = self.vertex_point(surface.origin(h))
        {
            return known;
        }
        let (chart, p) = self.flat_place(point);
        self.locate(chart, DVec2::from_array(p)).0
    }

    /// A vertex of the surface on the base mesh; `None` if it has no face.
    pub fn vertex_point(&self, vertex: VertexId) -> Option<SurfacePoint> {
        let (face, barycentric) = *self.vertex_points.get(vertex.index())?;
        (face != NONE).then_some(SurfacePoint { face: FaceId(face), barycentric })
    }

    /// A place of the plane of a chart on the base mesh, and over how many borders it was followed.
    pub(super) fn locate(&self, mut chart: usize, mut p: DVec2) -> (SurfacePoint, usize) {
        let raw = &self.raw;
        let mut came_over = NONE;
        for hops in 0..=BORDERS {
            let mut nearest = (f64::INFINITY, NONE);
            for face in self.chart_faces(chart) {
                let corners = raw.corners[face];
                let [a, b, c] = corners;
                let weights = weights(corners, p);
                if weights.iter().all(|weight| *weight >= -1e-12) {
                    return (SurfacePoint { face: FaceId::new(face), barycentric: clean(weights) }, hops);
                }
                for (k, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
                    let h = (3 * face + k) as u32;
                    let is_border =
                        raw.joints[face][k].is_none_or(|twin| raw.charts[twin as usize / 3] != chart as u32);
                    if is_border && h != came_over && weights[(k + 2) % 3] < 0.0 {
                        let far = distance(p, from, to);
                        if far < nearest.0 {
                            nearest = (far, h);
                        }
                    }
                }
            }
            let h = if nearest.1 == NONE { came_over } else { nearest.1 };
            if h == NONE {
                // Only rounding between two triangles leads here.
                return (self.nearest_within(chart, p), hops);
            }
            let (face, k) = (h as usize / 3, h as usize % 3);
            let side = [raw.corners[face][k], raw.corners[face][(k + 1) % 3]];
            match raw.joints[face][k] {
                Some(twin) if hops < BORDERS && nearest.1 != NONE => {
                    p = self.base_crossing(h, twin).apply(p);
                    chart = raw.charts[twin as usize / 3] as usize;
                    came_over = twin;
                }
                _ => {
                    let along = side[1] - side[0];
                    let t = (p - side[0]).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
                    return (SurfacePoint::on_edge(HalfEdgeId(h), t), hops);
                }
            }
        }
        (self.nearest_within(chart, p), BORDERS)
    }

    /// The face of a chart that a place lies least far outside of.
    fn nearest_within(&self, chart: usize, p: DVec2) -> SurfacePoint {
        let mut best = (f64::NEG_INFINITY, 0, [1.0, 0.0, 0.0]);
        for face in self.chart_faces(chart) {
            let weights = weights(self.raw.corners[face], p);
            let least = weights[0].min(weights[1]).min(weights[2]);
            if least > best.0 {
                best = (least, face, weights);
            }
        }
        SurfacePoint { face: FaceId::new(best.1), barycentric: clean(best.2) }
    }

    /// From the plane on one side of a side of the base mesh to that on the other.
    pub(super) fn base_crossing(&self, h: u32, twin: u32) -> Similarity {
        let ends = |h: u32| {
            let (face, k) = (h as usize / 3, h as usize % 3);
            let corners = self.raw.corners[face];
            ([corners[k], corners[(k + 1) % 3]], self.raw.faces[face][k])
        };
        let ((from, origin), (to, other)) = (ends(h), ends(twin));
        Similarity::over(from, to, origin == other)
    }

    /// From the plane on one side of an edge of the surface to that on the other; `None` at the border of the surface.
    pub(super) fn surface_crossing(
        &self,
        surface: &SurfaceMesh,
        h: HalfEdgeId,
    ) -> Option<(HalfEdgeId, Similarity)> {
        let twin = surface.twin(h)?;
        let ends = |h: HalfEdgeId| {
            let [chart, place] = self.charts.places[h.face().index()].map(|k| k as usize);
            let chart = &self.charts.charts[chart];
            let k = chart.mesh.sides[place].iter().position(|&side| side == h.0).unwrap_or(0);
            let triangle = chart.mesh.triangles[place];
            let vertex = chart.mesh.vertices[triangle[k] as usize];
            ([k, (k + 1) % 3].map(|k| chart.positions[triangle[k] as usize]), vertex)
        };
        let ((from, origin), (to, other)) = (ends(h), ends(twin));
        Some((twin, Similarity::over(from, to, origin == other)))
    }

    /// A point of the base mesh on the surface.
    pub fn to_surface(&self, surface: &SurfaceMesh, point: &SurfacePoint) -> SurfacePoint {
        let corners = self.raw.corners[point.face.index()];
        let p = corners.iter().zip(point.barycentric).fold(DVec2::ZERO, |sum, (p, w)| sum + *p * w);
        self.locate_on_surface(surface, self.raw.charts[point.face.index()] as usize, p)
    }

    /// A place of the plane of a chart on the surface.
    pub(super) fn locate_on_surface(
        &self,
        surface: &SurfaceMesh,
        mut chart: usize,
        mut p: DVec2,
    ) -> SurfacePoint {
        let mut came_over = NONE;
        for hops in 0.. {
            let flat = &self.charts.charts[chart];
            if let Some((place, weights)) = self.grids[chart].face_at(flat, p) {
                return self.point_of(chart, place, clean(weights));
            }
            let border = &flat.mesh.border;
            let mut nearest = (f64::INFINITY, NONE, 0.0);
            for (k, &(v, side)) in border.iter().enumerate() {
                let [a, b] = [v, border[(k + 1) % border.len()].0].map(|v| flat.positions[v as usize]);
                if side == came_over {
                    continue;
                }
                let far = distance(p, a, b);
                if far < nearest.0 {
                    let along = b - a;
                    let t = (p - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
                    nearest = (far, side, t.clamp(0.0, 1.0));
                }
            }
            let side = HalfEdgeId(nearest.1);
            match self.surface_crossing(surface, side) {
                Some((twin, over)) if hops < BORDERS => {
                    p = over.apply(p);
                    chart = self.charts.chart(twin.face());
                    came_over = twin.0;
                }
                _ => {
                    // The side may run the other way on the surface than in its chart.
                    let [_, place] = self.charts.places[side.face().index()].map(|k| k as usize);
                    let k = flat.mesh.sides[place].iter().position(|&other| other == side.0).unwrap_or(0);
                    let mut weights = [0.0; 3];
                    weights[k] = 1.0 - nearest.2;
                    weights[(k + 1) % 3] = nearest.2;
                    return self.point_of(chart, place, weights);
                }
            }
        }
        unreachable!("the walk ends after a number of borders")
    }

    /// A point of a face of a chart, with weights as the chart turns, as one of the surface.
    pub(super) fn point_of(&self, chart: usize, place: usize, [a, b, c]: [f64; 3]) -> SurfacePoint {
        let mesh = &self.charts.charts[chart].mesh;
        let is_turned = !mesh.sides[place][0].is_multiple_of(3);
        let barycentric = if is_turned { [a, c, b] } else { [a, b, c] };
        SurfacePoint { face: FaceId(mesh.faces[place]), barycentric }
    }
}
