//! Table 5.1 of the thesis again: distances on the base mesh beside exact ones on the surface, for two limits each, with averaged and
//! with scaled borders; and on two surfaces that are far from developable.

use crate::worker::processor_time;
use anyhow::{Context as _, Result};
use std::{path::Path, time::Duration};
use wayfare_core::{Context, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{
    BaseMesh, BaseSolver, ExactSolver, Query, SegmentConfig, SurfaceMesh, SurfacePoint, Work,
};

const ROUNDS: usize = 3;
const REPEATS: u32 = 25;
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
         processor time. Noise is uniform, up to so much of the mean edge.\n"
    );
    println!(
        "| surface | faces | limit | charts | base faces | L∞ mean, max | L² mean, max | borders differ | error | error, scaled borders | windows \
         KB, exact and base | base KB | prepare s | exact ms | base ms | ratio |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
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

fn row(name: &str, mesh: &TriangleMesh, surface: &SurfaceMesh, limit: f64) -> Result<()> {
    let context = Context::default();
    let config = SegmentConfig { max_distortion: limit, ..SegmentConfig::default() };
    let begin = processor_time()?;
    let base = BaseMesh::build(mesh, surface, &config, &context)?;
    let prepare = processor_time()? - begin;
    let mut exact = ExactSolver::new(surface);
    let mut solver = BaseSolver::new(&base, surface);
    solver.prepare_vertices();
    let (mut mean, mut largest) = ([0.0; 2], [0.0f64; 2]);
    let mut times = [Duration::ZERO; 2];
    let (mut exact_work, mut base_work) = (Work::default(), Work::default());
    let sources: Vec<usize> = [1, 3, 5].iter().map(|k| k * mesh.vertices.len() / 6).collect();
    for &vertex in &sources {
        let source = SurfacePoint::at_input_vertex(surface, vertex)?;
        let mut least = [Duration::MAX; 2];
        let mut answer = None;
        for _ in 0..ROUNDS {
            let begin = processor_time()?;
            let field = exact.solve(&source, &Query::default(), &context)?;
            least[0] = least[0].min(processor_time()? - begin);
            // The system counts in ticks of milliseconds: many solves in a row.
            let begin = processor_time()?;
            let mut found = solver.distances(&source, f64::INFINITY, &context)?;
            for _ in 1..REPEATS {
                found = solver.distances(&source, f64::INFINITY, &context)?;
            }
            least[1] = least[1].min((processor_time()? - begin) / REPEATS);
            answer = Some((field, found));
        }
        let (field, (averaged, work)) = answer.context("at least one round")?;
        let (scaled, _) = solver.scaled_distances(&source, f64::INFINITY)?;
        (exact_work, base_work) = (field.work, work);
        for (k, found) in [averaged, scaled].iter().enumerate() {
            let both = || field.distances.iter().zip(found).filter(|(a, b)| a.is_finite() && b.is_finite());
            let farthest = both().fold(0.0, |most: f64, (a, b)| most.max(*a).max(*b));
            let count = both().count().max(1) as f64;
            mean[k] += both().map(|(a, b)| (a - b).abs() / farthest).sum::<f64>() / count;
            largest[k] = both().map(|(a, b)| (a - b).abs() / farthest).fold(largest[k], f64::max);
        }
        times = [times[0] + least[0], times[1] + least[1]];
    }
    let count = sources.len() as f64;
    let [exact_ms, base_ms] = times.map(|time| 1e3 * time.as_secs_f64() / count);
    let stretch = base.charts().stretch();
    let percent = |k: usize| format!("{:.2}, {:.1} %", 100.0 * mean[k] / count, 100.0 * largest[k]);
    let faces = base.surface().face_count();
    // Per half-edge vertex, twin and length, per face area and chart, per vertex of the surface its place.
    let size = faces * (3 * 16 + 12) + surface.vertex_count() * 28;
    println!(
        "| {name} | {} | {limit} | {} | {faces} | {:.4}, {:.2} | {:.5}, {:.2} | {:.1} % | {} | {} | {:.0}, {:.0} | {:.0} | {:.1} | \
         {exact_ms:.0} | {base_ms:.2} | {:.0} |",
        surface.face_count(),
        base.charts().count(),
        stretch.linf_mean,
        stretch.linf_max,
        stretch.l2_mean,
        stretch.l2_max,
        100.0 * base.border_mismatch(),
        percent(0),
        percent(1),
        exact_work.window_bytes as f64 / 1024.0,
        base_work.window_bytes as f64 / 1024.0,
        size as f64 / 1024.0,
        prepare.as_secs_f64(),
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
