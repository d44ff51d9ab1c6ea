//! Points on a surface.

use crate::{FaceId, HalfEdgeId, SurfaceError, SurfaceMesh, VertexId};
use wayfare_core::{DVec3, Id as _};
use wayfare_geom::TriangleMesh;

/// A point of a face by the weights of its three corners; they are not negative and their sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// One of the faces it lies on.
    pub face: FaceId,
    /// Weights of the face's corners in their order. On an edge one is 0, at a corner two are.
    pub barycentric: [f64; 3],
}

/// What a point lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// At the corner where this half-edge starts.
    Corner(HalfEdgeId),
    /// Inside an edge, so far from the origin of the half-edge [m].
    Edge(HalfEdgeId, f64),
    /// Inside the face.
    Face(FaceId),
}

impl SurfacePoint {
    /// A point of a face; weights are scaled to a sum of 1.
    pub fn new(surface: &SurfaceMesh, face: FaceId, barycentric: [f64; 3]) -> Result<Self, SurfaceError> {
        if face.index() >= surface.face_count() {
            let count = surface.face_count();
            return Err(SurfaceError::Point(format!("there is no face {face}: the surface has {count}")));
        }
        let sum: f64 = barycentric.iter().sum();
        // Written so that NaN fails.
        let is_inside = barycentric.iter().all(|weight| *weight >= 0.0) && sum > 0.0 && sum.is_finite();
        if !is_inside {
            return Err(SurfaceError::Point(format!(
                "the weights {barycentric:?} in face {face} are not those of a point inside it"
            )));
        }
        Ok(Self { face, barycentric: barycentric.map(|weight| weight / sum) })
    }
    /// A vertex of the surface; `None` if it has no face.
    pub fn at_vertex(surface: &SurfaceMesh, vertex: VertexId) -> Option<Self> {
        if vertex.index() >= surface.vertex_count() {
            return None;
        }
        surface.corners(vertex).next().map(Self::at_corner)
    }
    /// A vertex of the input: one point for each copy; an error if it has no face.
    pub fn at_input_vertex(surface: &SurfaceMesh, vertex: usize) -> Result<Vec<Self>, SurfaceError> {
        let count = surface.input_vertex_count();
        if vertex >= count {
            return Err(SurfaceError::Point(format!("there is no vertex {vertex}: the surface has {count}")));
        }
        let points: Vec<Self> =
            surface.copies_of(vertex).filter_map(|copy| Self::at_vertex(surface, copy)).collect();
        if points.is_empty() {
            return Err(SurfaceError::Point(format!("vertex {vertex} belongs to no face")));
        }
        Ok(points)
    }
    /// The corner where a half-edge starts.
    pub fn at_corner(h: HalfEdgeId) -> Self {
        let mut barycentric = [0.0; 3];
        barycentric[h.side()] = 1.0;
        Self { face: h.face(), barycentric }
    }
    /// A point on a half-edge, `fraction` of its length from its origin.
    pub fn on_edge(h: HalfEdgeId, fraction: f64) -> Self {
        let fraction = fraction.clamp(0.0, 1.0);
        let mut barycentric = [0.0; 3];
        barycentric[h.side()] = 1.0 - fraction;
        barycentric[h.next().side()] = fraction;
        Self { face: h.face(), barycentric }
    }
    /// What the point lies on: weights of 0 decide.
    pub fn place(&self, surface: &SurfaceMesh) -> Place {
        let sides = self.face.half_edges();
        if let Some(h) = sides.into_iter().find(|h| {
            self.barycentric[h.next().side()] == 0.0 && self.barycentric[h.previous().side()] == 0.0
        }) {
            return Place::Corner(h);
        }
        match sides.into_iter().find(|h| self.barycentric[h.previous().side()] == 0.0) {
            Some(h) => Place::Edge(h, self.barycentric[h.next().side()] * surface.length(h)),
            None => Place::Face(self.face),
        }
    }
    /// Where it lies in the frame whose x axis runs along a side of its face, the face above it.
    pub fn in_frame(&self, surface: &SurfaceMesh, h: HalfEdgeId) -> [f64; 2] {
        let [x, y] = surface.apex(h);
        let (to_end, to_apex) = (self.barycentric[h.next().side()], self.barycentric[h.previous().side()]);
        [to_end * surface.length(h) + to_apex * x, to_apex * y]
    }
    /// Where it lies in space, if `mesh` is what the surface was built of.
    ///
    /// # Panics
    /// If it is another.
    pub fn position(&self, surface: &SurfaceMesh, mesh: &TriangleMesh) -> DVec3 {
        let corners = mesh.points(surface.input_face(self.face));
        let [a, b, c] = self.barycentric;
        corners[0] * a + corners[1] * b + corners[2] * c
    }
}
