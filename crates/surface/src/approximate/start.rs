//! What all of them begin and end with.

use crate::{
    Field, Query, SurfaceError, SurfaceMesh, SurfacePoint, VertexId, Work, exact::window::length,
    field::Targets, path::faces_of,
};
use wayfare_core::Id as _;

/// Distances of vertices in the making.
pub struct Start<'a> {
    pub surface: &'a SurfaceMesh,
    pub distances: Vec<f64>,
    pub targets: Targets,
    sources: Vec<SurfacePoint>,
    query: &'a Query,
}

impl<'a> Start<'a> {
    /// The corners of the faces that sources lie in have their distance.
    pub fn new(
        surface: &'a SurfaceMesh,
        sources: &[SurfacePoint],
        query: &'a Query,
    ) -> Result<Self, SurfaceError> {
        query.check()?;
        let mut distances = vec![f64::INFINITY; surface.vertex_count()];
        let mut targets = Targets::new(surface, sources, query)?;
        let mut points = Vec::with_capacity(sources.len());
        for (number, source) in sources.iter().enumerate() {
            let source = SurfacePoint::new(surface, source.face, source.barycentric)?;
            points.push(source);
            for point in faces_of(surface, &source) {
                for h in point.face.half_edges() {
                    let [x, y] = point.in_frame(surface, h);
                    let corner = &mut distances[surface.origin(h).index()];
                    *corner = corner.min(length(x, y));
                }
                let at = point.in_frame(surface, point.face.half_edges()[0]);
                targets.reach_directly(
                    surface,
                    point.face,
                    at,
                    0.0,
                    (surface.vertex_count() + number) as u32,
                );
            }
        }
        Ok(Self { surface, distances, targets, sources: points, query })
    }

    /// The sources, as points of every face they touch.
    pub fn source_faces(&self) -> Vec<SurfacePoint> {
        self.sources.iter().flat_map(|source| faces_of(self.surface, source)).collect()
    }

    /// Tells targets round a vertex that is settled.
    pub fn settle(&mut self, vertex: usize) {
        for h in self.surface.corners(VertexId::new(vertex)) {
            if self.targets.are_in(h.face()) {
                let at = SurfacePoint::at_corner(h).in_frame(self.surface, h.face().half_edges()[0]);
                let base = self.distances[vertex];
                self.targets.reach_directly(self.surface, h.face(), at, base, vertex as u32);
            }
        }
    }

    /// Whether the query is answered when no distance below `bound` changes any more.
    pub fn is_answered(&self, bound: f64) -> bool {
        bound > self.query.radius || self.targets.are_settled(bound, self.query, &self.distances)
    }

    /// The field.
    pub fn finish(self, settled: f64, work: Work) -> Field {
        let query = self.query;
        Field::new(&self.sources, query, self.targets, self.distances, Vec::new(), settled, work)
    }
}
