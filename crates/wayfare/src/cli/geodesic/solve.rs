//! Distances and paths by any method, on a surface or on its base mesh.

use super::{super::progress::Clock, Borders, MethodArg};
use anyhow::{Context as _, Result, bail};
use std::{io::Read as _, path::Path};
use wayfare::{
    core::{Context, Id as _, RepairReport},
    geom::TriangleMesh,
    scene::{SceneOptions, read_bytes, read_mesh},
    surface::{
        BaseMesh, BaseSolver, ChartedSurface, Place, Query, Solver, SurfaceMesh, SurfacePath, SurfacePoint,
        Work,
    },
};

/// What is walked on.
pub struct Ground {
    pub mesh: TriangleMesh,
    pub surface: SurfaceMesh,
    pub base: Option<BaseMesh>,
    pub repair: RepairReport,
}

/// What is asked.
pub struct Wanted<'a> {
    pub sources: &'a [SurfacePoint],
    pub targets: Vec<SurfacePoint>,
    pub radius: f64,
    pub borders: Borders,
    pub only_targets: bool,
}

/// What was found.
pub struct Found {
    /// Per vertex of the file.
    pub distances: Vec<f64>,
    /// Per target its distance and the way to it.
    pub targets: Vec<(f64, Option<SurfacePath>)>,
    pub work: Work,
}

/// Whether a file is a surface with charts, by its first bytes.
pub fn has_charts(path: &Path) -> bool {
    let mut first = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(12).read_to_end(&mut first));
    read.is_ok() && first.starts_with(b"WAYFARE\0") && first.get(8..12) == Some(b"SURF")
}

impl Ground {
    /// Reads a surface, with its charts if the file has them.
    pub fn read(path: &Path, clock: &Clock) -> Result<Self> {
        if has_charts(path) {
            let charted = clock.time("read", || -> Result<ChartedSurface> {
                let bytes = read_bytes(path, SceneOptions::default().max_bytes)?;
                ChartedSurface::from_bytes(bytes).with_context(|| path.display().to_string())
            })?;
            let (mesh, surface, base) = charted.into_parts();
            return Ok(Self { mesh, surface, base: Some(base), repair: RepairReport::default() });
        }
        let read = clock.time("read", || read_mesh(path, SceneOptions::default().max_bytes));
        let (mesh, mut repair) = read?;
        let (surface, more) = clock.time("prepare", || SurfaceMesh::build(&mesh))?;
        // Of faces without area the reader has counted those that are exactly so: the surface knows all.
        repair.repairs.retain(|known| more.count(known.kind) < known.count);
        repair.merge(more);
        if surface.face_count() == 0 {
            bail!("{}: the file has no faces that can be used", path.display());
        }
        Ok(Self { mesh, surface, base: None, repair })
    }

    /// Answers by a method.
    pub fn solve(
        &self,
        method: MethodArg,
        wanted: &Wanted<'_>,
        stage: &str,
        clock: &Clock,
        context: &Context,
    ) -> Result<Found> {
        let mut found = match &self.base {
            Some(base) if method == MethodArg::Base => {
                self.solve_on_base(base, wanted, stage, clock, context)?
            }
            _ => {
                let query = Query {
                    radius: wanted.radius,
                    targets: wanted.targets.clone(),
                    only_targets: wanted.only_targets,
                };
                let mut solver = Solver::new(&self.surface, method.method());
                let field = clock.time(stage, || solver.solve(wanted.sources, &query, context))?;
                let way = |k: usize| (field.targets[k], field.path_to_target(&self.surface, k));
                let targets = (0..field.targets.len()).map(way).collect();
                Found { distances: field.distances, targets, work: field.work }
            }
        };
        self.surface.fold_copies(&mut found.distances);
        Ok(found)
    }

    fn solve_on_base(
        &self,
        base: &BaseMesh,
        wanted: &Wanted<'_>,
        stage: &str,
        clock: &Clock,
        context: &Context,
    ) -> Result<Found> {
        let mut solver = clock.time("prepare", || BaseSolver::new(base, &self.surface));
        let mut found = Found {
            distances: vec![f64::INFINITY; self.surface.vertex_count()],
            targets: Vec::new(),
            work: Work::default(),
        };
        let is_scaled = wanted.borders == Borders::Scaled;
        if is_scaled {
            // Targets are among all vertices.
            (found.distances, found.work) =
                clock.time(stage, || solver.scaled_distances(wanted.sources, wanted.radius))?;
        } else if !wanted.only_targets {
            clock.time("prepare", || solver.prepare_vertices());
            (found.distances, found.work) =
                clock.time(stage, || solver.distances(wanted.sources, wanted.radius, context))?;
        }
        if !wanted.targets.is_empty() {
            let targets = &wanted.targets;
            let field =
                clock.time(stage, || solver.targets(wanted.sources, targets, wanted.radius, context))?;
            for (k, target) in targets.iter().enumerate() {
                let path = base.path_to_target(&self.surface, &field, k, wanted.sources, target)?;
                let scaled = match target.place(&self.surface) {
                    Place::Corner(h) if is_scaled => Some(found.distances[self.surface.origin(h).index()]),
                    _ => None,
                };
                found.targets.push((scaled.unwrap_or(field.targets[k]), path));
            }
            if wanted.only_targets && !is_scaled {
                found.work = field.work;
                for (target, &distance) in targets.iter().zip(&field.targets) {
                    if let Place::Corner(h) = target.place(&self.surface) {
                        found.distances[self.surface.origin(h).index()] = distance;
                    }
                }
            }
        }
        Ok(found)
    }
}
