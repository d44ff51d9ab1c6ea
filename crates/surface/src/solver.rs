//! All solvers behind one interface.

use crate::{
    ExactSolver, Field, Query, SurfaceError, SurfaceMesh, SurfacePoint,
    approximate::{dijkstra, fast_marching, virtual_sources},
};
use wayfare_core::Context;

/// How distances are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By windows, to rounding ([`ExactSolver`]).
    #[default]
    Exact,
    /// One virtual source per half-edge: errs by a fraction of a percent in the mean, a few percent at worst.
    VirtualSources,
    /// The front as a straight line over each face: errs by a percent or so, less on finer meshes.
    FastMarching,
    /// Along the edges: never too short, up to 30 % too long on real meshes.
    Dijkstra,
}

/// A solver of any method, for many queries.
pub struct Solver<'a> {
    surface: &'a SurfaceMesh,
    method: Method,
    exact: Option<Box<ExactSolver<'a>>>,
}

impl<'a> Solver<'a> {
    /// A solver for a surface.
    pub fn new(surface: &'a SurfaceMesh, method: Method) -> Self {
        let exact = (method == Method::Exact).then(|| Box::new(ExactSolver::new(surface)));
        Self { surface, method, exact }
    }

    /// Distances from the nearest of the sources.
    pub fn solve(
        &mut self,
        sources: &[SurfacePoint],
        query: &Query,
        context: &Context,
    ) -> Result<Field, SurfaceError> {
        let approximate = match self.method {
            Method::Exact => {
                let exact = self.exact.get_or_insert_with(|| Box::new(ExactSolver::new(self.surface)));
                return exact.solve(sources, query, context);
            }
            Method::VirtualSources => virtual_sources,
            Method::FastMarching => fast_marching,
            Method::Dijkstra => dijkstra,
        };
        approximate(self.surface, sources, query, context)
    }
}

/// Distances of all vertices from the nearest of the sources, in one call; copies folded, so that there is one per vertex of
/// the input.
pub fn distances(
    surface: &SurfaceMesh,
    sources: &[SurfacePoint],
    method: Method,
) -> Result<Vec<f64>, SurfaceError> {
    let field = Solver::new(surface, method).solve(sources, &Query::default(), &Context::default())?;
    let mut distances = field.distances;
    surface.fold_copies(&mut distances);
    Ok(distances)
}
