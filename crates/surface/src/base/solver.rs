//! Distances on the base mesh, for the points of the surface.

use super::{BaseMesh, scaled::scaled_distances};
use crate::{
    ExactSolver, Field, Method, Query, Solver, SurfaceError, SurfaceMesh, SurfacePoint, VertexId, Work,
    field::Reading,
};
use wayfare_core::{Context, Id as _};

/// Finds distances on a base mesh; one for many queries.
pub struct BaseSolver<'a> {
    base: &'a BaseMesh,
    surface: &'a SurfaceMesh,
    exact: ExactSolver<'a>,
    reading: Option<Reading>,
}

impl<'a> BaseSolver<'a> {
    /// A solver for a base mesh and the surface that it stands for.
    pub fn new(base: &'a BaseMesh, surface: &'a SurfaceMesh) -> Self {
        Self { base, surface, exact: ExactSolver::new(&base.surface), reading: None }
    }

    /// Points of the surface on the base mesh.
    fn places(&self, points: &[SurfacePoint]) -> Result<Vec<SurfacePoint>, SurfaceError> {
        let place = |point: &SurfacePoint| {
            let point = SurfacePoint::new(self.surface, point.face, point.barycentric)?;
            Ok(self.base.to_base(self.surface, &point))
        };
        points.iter().map(place).collect()
    }

    /// Makes ready what the first query for all vertices would.
    pub fn prepare_vertices(&mut self) {
        if self.reading.is_none() {
            let points: Vec<Option<SurfacePoint>> =
                (0..self.surface.vertex_count()).map(|v| self.base.vertex_point(VertexId::new(v))).collect();
            self.reading = Some(Reading::new(&self.base.surface, &points));
        }
    }

    /// Distances of all vertices of the surface, copies included, from the nearest of the sources, which are points of the surface.
    pub fn distances(
        &mut self,
        sources: &[SurfacePoint],
        radius: f64,
        context: &Context,
    ) -> Result<(Vec<f64>, Work), SurfaceError> {
        let sources = self.places(sources)?;
        let query = Query { radius, ..Query::default() };
        self.prepare_vertices();
        let mut reading = self.reading.take().unwrap_or_default();
        let field = self.exact.solve_reading(&sources, &query, &mut reading, context);
        let mut distances = vec![f64::INFINITY; self.surface.vertex_count()];
        reading.write(&mut distances);
        self.reading = Some(reading);
        let field = field?;
        for (&vertex, distance) in self.base.raw.vertices.iter().zip(&field.distances) {
            distances[vertex as usize] = *distance;
        }
        distances.iter_mut().filter(|d| **d > radius).for_each(|d| *d = f64::INFINITY);
        Ok((distances, field.work))
    }

    /// The same with the scale factor β of the thesis in place of averaged lengths: each chart keeps its own lengths, and what crosses a
    /// border is scaled as the border is. Worse; to be compared with.
    pub fn scaled_distances(
        &self,
        sources: &[SurfacePoint],
        radius: f64,
    ) -> Result<(Vec<f64>, Work), SurfaceError> {
        let sources = self.places(sources)?;
        let points: Vec<Option<SurfacePoint>> =
            (0..self.surface.vertex_count()).map(|v| self.base.vertex_point(VertexId::new(v))).collect();
        scaled_distances(self.base, &sources, &points, radius)
    }

    /// The same with any method; the exact one is fastest, as it reads all vertices while windows pass.
    pub fn distances_by(
        &mut self,
        method: Method,
        sources: &[SurfacePoint],
        radius: f64,
        context: &Context,
    ) -> Result<(Vec<f64>, Work), SurfaceError> {
        if method == Method::Exact {
            return self.distances(sources, radius, context);
        }
        let places = self.places(sources)?;
        let (vertices, targets): (Vec<usize>, Vec<SurfacePoint>) = (0..self.surface.vertex_count())
            .filter_map(|v| Some((v, self.base.vertex_point(VertexId::new(v))?)))
            .unzip();
        let query = Query { radius, targets, only_targets: false };
        let field = Solver::new(&self.base.surface, method).solve(&places, &query, context)?;
        let mut distances = vec![f64::INFINITY; self.surface.vertex_count()];
        for (&vertex, &distance) in vertices.iter().zip(&field.targets) {
            distances[vertex] = distance;
        }
        Ok((distances, field.work))
    }

    /// Distances of some points of the surface alone, found no farther than they need; paths to them are traced with
    /// [`BaseMesh::path_to_target`].
    pub fn targets(
        &mut self,
        sources: &[SurfacePoint],
        targets: &[SurfacePoint],
        radius: f64,
        context: &Context,
    ) -> Result<Field, SurfaceError> {
        let query = Query { radius, targets: self.places(targets)?, only_targets: true };
        self.exact.solve(&self.places(sources)?, &query, context)
    }
}
