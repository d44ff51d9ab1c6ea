//! Table 5.1 of the thesis again: distances on the base mesh beside exact ones on the surface, for two limits each, with averaged and
//! with scaled borders; and on two surfaces that are far from developable.

use crate::{decimate::Coarse, worker::processor_time};
use anyhow::{Context as _, Result};
use std::path::Path;
use wayfare_core::{Context, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{
    BaseMesh, BaseSolver, ExactSolver, Query, SegmentConfig, SurfaceMesh, SurfacePoint, Work,
};

/// Rounds, of which the least time counts.
pub const ROUNDS: usize = 3;
/// The system counts in ticks of milliseconds: so many fast solves in a row.
pub const REPEATS: u32 = 25;
const LIMITS: [f64; 2] = [1.01, 1.005];
const SHARED: [&str; 4] =
    ["bunny_70k.ply.gz", "skull_100k.ply.gz", "terrain_mountain_51k.ply.gz", "fertility_16k.ply.gz"];

/// Prints the table; `root` is the folder of the shared data.
pub fn print(root: &Path) -> Result<()> {
    println!("\n## The base mesh: table 5.1 of the thesis again\n");
    println!(
        "Three sources each; milliseconds of processor time for all vertices, one thread, the least of {ROUNDS} rounds in turns, mean of \
         the sources. Errors are |difference| to exact over the farthest distance, mean and largest. *Windows* is the memory of windows, \
         lists and queue at its peak; *base* the size of the base mesh itself. *Prepare* is charts, flattening and base mesh, seconds of \
         processor time. *Decimated* is exact distances on a mesh of as many faces as the base mesh has, made by collapsing edges (quadrics); \
         *ratio* is exact over base. Noise is uniform, up to so much of the mean edge.\n"
    );
    println!(
        "| surface | faces | limit | charts | base faces | L∞ mean, max | L² mean, max | borders differ | error | error, scaled borders | error, \
         decimated | windows KB, exact and base | base KB | prepare s | decimate s | exact ms | base ms | decimated ms | ratio |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    for name in SHARED {
        let (mesh, _) = wayfare_scene::read_mesh(&root.join("surfaces").join(name), 1 << 32)?;
        let (surface, _) = SurfaceMesh::build(&mesh)?;
        LIMITS.iter().try_for_each(|&limit| row(name, &mesh, &surface, limit))?;
        if name.starts_with("terrain") {
            let noisy = shaken(mesh, &surface, 0.3, |_| 1.0);
            let (surface, _) = SurfaceMesh::build(&noisy)?;
            LIMITS.iter().try_for_each(|&limit| row("terrain with noise of 0.3", &noisy, &surface, limit))?;
        }
    }
    let plane = plane(99);
    let (surface, _) = SurfaceMesh::build(&plane)?;
    // As figure 5.9: none at one corner, most at the opposite one.
    let noisy = shaken(plane, &surface, 2.0, |place| 0.5 * (place[0] + place[1]));
    let (surface, _) = SurfaceMesh::build(&noisy)?;
    LIMITS.iter().try_for_each(|&limit| row("plane with noise to 2", &noisy, &surface, limit))
}

/// Three vertices spread over a mesh.
pub fn sources(mesh: &TriangleMesh) -> Vec<usize> {
    [1, 3, 5].iter().map(|k| k * mesh.vertices.len() / 6).collect()
}

/// The least seconds of processor time of a round, and the answer.
pub fn least<T>(repeats: u32, mut solve: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
    let (mut least, mut answer) = (f64::INFINITY, None);
    for _ in 0..ROUNDS {
        let begin = processor_time()?;
        for _ in 0..repeats {
            answer = Some(solve()?);
        }
        least = least.min((processor_time()? - begin).as_secs_f64() / f64::from(repeats));
    }
    Ok((least, answer.context("at least one round")?))
}

/// |difference| over the farthest distance, of several sources.
#[derive(Default)]
pub struct Errors {
    mean: f64,
    largest: f64,
    sources: usize,
}

impl Errors {
    /// One more source.
    pub fn add(&mut self, exact: &[f64], found: &[f64]) {
        let both = || exact.iter().zip(found).filter(|(a, b)| a.is_finite() && b.is_finite());
        let farthest = both().fold(f64::MIN_POSITIVE, |most, (a, b)| most.max(*a).max(*b));
        let each = || both().map(|(a, b)| (a - b).abs() / farthest);
        self.mean += each().sum::<f64>() / both().count().max(1) as f64;
        self.largest = each().fold(self.largest, f64::max);
        self.sources += 1;
    }
    /// Mean and largest, in percent.
    pub fn percent(&self) -> (f64, f64) {
        (100.0 * self.mean / self.sources.max(1) as f64, 100.0 * self.largest)
    }
    fn words(&self) -> String {
        let (mean, largest) = self.percent();
        format!("{mean:.2}, {largest:.1} %")
    }
}

fn row(name: &str, mesh: &TriangleMesh, surface: &SurfaceMesh, limit: f64) -> Result<()> {
    let context = Context::default();
    let config = SegmentConfig { max_distortion: limit, ..SegmentConfig::default() };
    let begin = processor_time()?;
    let base = BaseMesh::build(mesh, surface, &config, &context)?;
    let prepare = processor_time()? - begin;
    let faces = base.surface().face_count();
    let begin = processor_time()?;
    let coarse = Coarse::build(mesh, faces)?;
    let prepare_coarse = processor_time()? - begin;
    let (mut exact, mut solver, mut rival) =
        (ExactSolver::new(surface), BaseSolver::new(&base, surface), coarse.solver());
    solver.prepare_vertices();
    let [mut averaged, mut scaled, mut decimated] = [(); 3].map(|()| Errors::default());
    let mut seconds = [0.0; 3];
    let (mut exact_work, mut base_work) = (Work::default(), Work::default());
    let sources = sources(mesh);
    for &vertex in &sources {
        let source = SurfacePoint::at_input_vertex(surface, vertex)?;
        let (first, field) = least(1, || Ok(exact.solve(&source, &Query::default(), &context)?))?;
        let (second, (found, work)) =
            least(REPEATS, || Ok(solver.distances(&source, f64::INFINITY, &context)?))?;
        averaged.add(&field.distances, &found);
        let (third, (found, _)) = least(REPEATS, || coarse.distances(&mut rival, vertex))?;
        decimated.add(&field.distances, &found);
        scaled.add(&field.distances, &solver.scaled_distances(&source, f64::INFINITY)?.0);
        for (sum, one) in seconds.iter_mut().zip([first, second, third]) {
            *sum += one;
        }
        (exact_work, base_work) = (field.work, work);
    }
    let [exact_ms, base_ms, coarse_ms] = seconds.map(|sum| 1e3 * sum / sources.len() as f64);
    let stretch = base.charts().stretch();
    // Per half-edge vertex, twin and length, per face area and chart, per vertex of the surface its place.
    let size = faces * (3 * 16 + 12) + surface.vertex_count() * 28;
    println!(
        "| {name} | {} | {limit} | {} | {faces} | {:.4}, {:.2} | {:.5}, {:.2} | {:.1} % | {} | {} | {} | {:.0}, {:.0} | {:.0} | {:.1} | \
         {:.1} | {exact_ms:.0} | {base_ms:.2} | {coarse_ms:.2} | {:.0} |",
        surface.face_count(),
        base.charts().count(),
        stretch.linf_mean,
        stretch.linf_max,
        stretch.l2_mean,
        stretch.l2_max,
        100.0 * base.border_mismatch(),
        averaged.words(),
        scaled.words(),
        decimated.words(),
        exact_work.window_bytes as f64 / 1024.0,
        base_work.window_bytes as f64 / 1024.0,
        size as f64 / 1024.0,
        prepare.as_secs_f64(),
        prepare_coarse.as_secs_f64(),
        exact_ms / base_ms,
    );
    Ok(())
}

/// A unit square of n × n squares.
fn plane(n: usize) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for k in 0..=n {
        mesh.vertices.extend((0..=n).map(|i| dvec3(i as f64 / n as f64, k as f64 / n as f64, 0.0)));
    }
    for k in 0..n {
        for i in 0..n {
            let at = |i: usize, k: usize| (k * (n + 1) + i) as u32;
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// Every vertex moved at random by up to `most` mean edges times what its place says.
fn shaken(
    mut mesh: TriangleMesh,
    surface: &SurfaceMesh,
    most: f64,
    share: impl Fn([f64; 3]) -> f64,
) -> TriangleMesh {
    let (sum, count) = surface.edges().fold((0.0, 0usize), |(sum, n), h| (sum + surface.length(h), n + 1));
    let size = most * sum / count.max(1) as f64;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        // Marsaglia 2003, xorshift.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for p in &mut mesh.vertices {
        let by = size * share(p.to_array());
        *p += dvec3(random(), random(), random()) * by;
    }
    mesh
}
