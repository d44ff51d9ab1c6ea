//! Many sources, each by itself: one thread beside two.

use crate::SURFACES;
use anyhow::{Context as _, Result};
use std::{
    path::Path,
    time::{Duration, Instant},
};
use wayfare_core::Context;
use wayfare_surface::{BaseMesh, Method, SegmentConfig, SurfaceMesh, SurfacePoint, distances_from_each};

/// Sources per run.
const SOURCES: usize = 32;
/// Runs in turns, of which the best counts.
const ROUNDS: usize = 5;

/// Prints the table; `root` is the folder of the shared data.
pub fn print(root: &Path) -> Result<()> {
    println!("\n## Two threads\n");
    println!(
        "{SOURCES} sources spread over the vertices, the distances of all vertices from each; by the clock, milliseconds per source, the best \
         of {ROUNDS} rounds in turns. Answers are the same to the last bit.\n"
    );
    println!("| surface | method | one thread | two threads | ratio |\n|---|---|--:|--:|--:|");
    let pools = [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
    let [one, two] = pools;
    let pools = [one?, two?];
    for (name, _) in SURFACES {
        let (mesh, _) = wayfare_scene::read_mesh(&root.join("surfaces").join(name), 1 << 32)?;
        let (surface, _) = SurfaceMesh::build(&mesh)?;
        let vertices = surface.input_vertex_count();
        let sources: Vec<Vec<SurfacePoint>> = (0..SOURCES)
            .map(|k| SurfacePoint::at_input_vertex(&surface, k * vertices / SOURCES))
            .collect::<Result<_, _>>()?;
        let context = Context::default();
        let base = BaseMesh::build(&mesh, &surface, &SegmentConfig::default(), &context)?;
        for method in ["exact", "base"] {
            let solve = || match method {
                "base" => base.distances_from_each(&surface, &sources, f64::INFINITY, &context),
                _ => distances_from_each(&surface, &sources, Method::Exact, f64::INFINITY, &context),
            };
            let mut least = [Duration::MAX; 2];
            let mut rows = [None, None];
            for _ in 0..ROUNDS {
                for (k, pool) in pools.iter().enumerate() {
                    let begin = Instant::now();
                    let (found, _) = pool.install(solve)?;
                    least[k] = least[k].min(begin.elapsed());
                    rows[k] = Some(found);
                }
            }
            let [one, two] = rows;
            let (one, two) = (one.context("a round")?, two.context("a round")?);
            let bits = |rows: Vec<Vec<f64>>| rows.into_iter().flatten().map(f64::to_bits).collect::<Vec<_>>();
            anyhow::ensure!(bits(one) == bits(two), "{name}: the answers of one and two threads differ");
            let [one, two] = least.map(|time| time.as_secs_f64() * 1e3 / SOURCES as f64);
            println!("| {name} | {method} | {one:.2} | {two:.2} | {:.2} |", one / two);
        }
    }
    Ok(())
}
