//! Distances from each of many sources by itself, side by side on all threads.
//!
//! A solver is made for every few sources and used for them one after the other, so that its memory is used again; each field is
//! found as if it were the only one, whatever the number of threads.

use crate::{BaseMesh, BaseSolver, Method, Query, Solver, SurfaceError, SurfaceMesh, SurfacePoint, Work};
use rayon::prelude::*;
use wayfare_core::Context;

/// Sources that one solver answers in turn, per thread: enough of these shares that threads end together.
const SHARES: usize = 4;

/// Distances of all vertices of the input from each source, a row each, and the work of all. A source is one point, or the copies of
/// a vertex that was cut.
pub fn distances_from_each(
    surface: &SurfaceMesh,
    sources: &[Vec<SurfacePoint>],
    method: Method,
    radius: f64,
    context: &Context,
) -> Result<(Vec<Vec<f64>>, Work), SurfaceError> {
    let query = Query { radius, ..Query::default() };
    for_each(surface, sources, context, || {
        let mut solver = Solver::new(surface, method);
        let query = &query;
        move |source: &[SurfacePoint]| {
            let field = solver.solve(source, query, context)?;
            Ok((field.distances, field.work))
        }
    })
}

impl BaseMesh {
    /// Distances of all vertices of a surface from each source, found on its base mesh; as [`distances_from_each`].
    pub fn distances_from_each(
        &self,
        surface: &SurfaceMesh,
        sources: &[Vec<SurfacePoint>],
        radius: f64,
        context: &Context,
    ) -> Result<(Vec<Vec<f64>>, Work), SurfaceError> {
        for_each(surface, sources, context, || {
            let mut solver = BaseSolver::new(self, surface);
            move |source: &[SurfacePoint]| solver.distances(source, radius, context)
        })
    }
}

/// Answers all sources, with a new solver for every share of them.
fn for_each<S>(
    surface: &SurfaceMesh,
    sources: &[Vec<SurfacePoint>],
    context: &Context,
    solver: impl Fn() -> S + Sync,
) -> Result<(Vec<Vec<f64>>, Work), SurfaceError>
where
    S: FnMut(&[SurfacePoint]) -> Result<(Vec<f64>, Work), SurfaceError>,
{
    let share = sources.len().div_ceil(SHARES * rayon::current_num_threads()).max(1);
    let stage = context.stage("sources", sources.len() as u64);
    let answer = |sources: &[Vec<SurfacePoint>]| {
        let mut solve = solver();
        let mut rows = Vec::with_capacity(sources.len());
        let mut work = Work::default();
        for source in sources {
            let (mut distances, more) = solve(source)?;
            surface.fold_copies(&mut distances);
            rows.push(distances);
            work = work.with(&more);
            stage.advance(1);
        }
        Ok((rows, work))
    };
    let shares: Result<Vec<_>, SurfaceError> = sources.par_chunks(share).map(answer).collect();
    let mut all = (Vec::with_capacity(sources.len()), Work::default());
    for (rows, work) in shares? {
        all.0.extend(rows);
        all.1 = all.1.with(&work);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SegmentConfig, distances};
    use wayfare_core::dvec3;
    use wayfare_geom::TriangleMesh;

    /// A wavy sheet of n by n squares.
    fn sheet(n: u32) -> TriangleMesh {
        let at = |k: u32| dvec3(f64::from(k % (n + 1)), f64::from(k / (n + 1)), f64::from(k % 7) * 0.1);
        let corner = |k: u32| k / n * (n + 1) + k % n;
        let faces = (0..n * n).map(corner).flat_map(|a| [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
        TriangleMesh { vertices: (0..(n + 1) * (n + 1)).map(at).collect(), triangles: faces.collect() }
    }

    #[test]
    fn each_source_is_answered_as_if_alone_on_any_number_of_threads() {
        let mesh = sheet(12);
        let (surface, _) = SurfaceMesh::build(&mesh).unwrap();
        let sources: Vec<_> =
            (0..23).map(|k| SurfacePoint::at_input_vertex(&surface, 7 * k).unwrap()).collect();
        for method in [Method::Exact, Method::VirtualSources, Method::FastMarching, Method::Dijkstra] {
            let alone: Vec<_> =
                sources.iter().map(|source| distances(&surface, source, method).unwrap()).collect();
            for threads in [1, 2, 7] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let context = Context::default();
                let each =
                    || distances_from_each(&surface, &sources, method, f64::INFINITY, &context).unwrap().0;
                assert_eq!(pool.install(each), alone, "{method:?}, {threads} threads");
            }
        }
        let context = Context::default();
        let base = BaseMesh::build(&mesh, &surface, &SegmentConfig::default(), &context).unwrap();
        let (rows, work) = base.distances_from_each(&surface, &sources, f64::INFINITY, &context).unwrap();
        for (source, row) in sources.iter().zip(rows) {
            let alone =
                BaseSolver::new(&base, &surface).distances(source, f64::INFINITY, &context).unwrap().0;
            assert_eq!(row, alone);
        }
        assert!(work.windows > 0);
        assert_eq!(distances_from_each(&surface, &[], Method::Exact, 1.0, &context).unwrap().0.len(), 0);
    }
}
