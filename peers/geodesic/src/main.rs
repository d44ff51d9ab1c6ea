//! Distances along surfaces: wayfare's methods beside pygeodesic (exact, MMP) and potpourri3d (heat), one source each.
//!
//! Times are of the processor, not of the clock, in turns within one run: the machine may be busy. The Python packages
//! come from PyPI into `target/venv`.

mod chart;
mod decimate;
mod everywhere;
mod table;
mod threads;
mod worker;

use anyhow::{Context as _, Result};
use std::{path::Path, time::Duration};
use wayfare_core::Context;
use wayfare_surface::{Method, Query, Solver, SurfaceMesh, SurfacePoint};
use wayfare_testkit::data::shared_data;
use worker::{Worker, processor_time};

/// Surface, and the ratio to pygeodesic that is to be reached.
const SURFACES: [(&str, f64); 4] = [
    ("bunny_70k.ply.gz", 8.0),
    ("skull_100k.ply.gz", 8.0),
    ("terrain_mountain_51k.ply.gz", 8.0),
    ("fertility_16k.ply.gz", 5.0),
];
const ROUNDS: usize = 3;
const REPEATS: u32 = 25;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, path] = &arguments[..]
        && first == worker::MEMORY
    {
        return worker::tell_memory(path.as_ref());
    }
    let Some(root) = shared_data() else { return Ok(()) };
    // All sections, or those that are named.
    let wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == name);
    if wanted("exact") {
        print_exact(&root)?;
    }
    if wanted("table") {
        table::print(&root)?;
    }
    if wanted("chart") {
        chart::print(&root)?;
    }
    if wanted("threads") {
        threads::print(&root)?;
    }
    if wanted("surfaces") {
        everywhere::print(&root)?;
    }
    Ok(())
}

/// Exact distances beside pygeodesic's, other methods beside them, and memory.
fn print_exact(root: &Path) -> Result<()> {
    println!("# Geodesic distances: wayfare, pygeodesic and potpourri3d\n");
    println!(
        "One source (vertex 0), distances of all vertices; milliseconds of processor time, one thread, the least of {ROUNDS} \
         rounds in turns. Errors are mean and largest |difference| to wayfare's exact distances over the farthest distance. \
         *Memory* is what the process has at its peak for one such surface, the mesh and for pygeodesic Python included; \
         *without* is what that process has before it loads a surface.\n"
    );
    println!("## Exact\n");
    println!(
        "| surface | faces | pygeodesic | wayfare | ratio | goal | windows | at a time | largest relative difference |"
    );
    println!("|---|--:|--:|--:|--:|---|--:|--:|--:|");
    let mut fast = String::new();
    for (name, goal) in SURFACES {
        let (mesh, _) = wayfare_scene::read_mesh(&root.join("surfaces").join(name), 1 << 32)?;
        let (surface, _) = SurfaceMesh::build(&mesh)?;
        let sources = SurfacePoint::at_input_vertex(&surface, 0)?;
        let mut worker = Worker::start()?;
        worker.mesh(&mesh)?;
        let mut solver = Solver::new(&surface, Method::Exact);
        let (mut theirs, mut ours) = (f64::INFINITY, Duration::MAX);
        let mut answer = None;
        for _ in 0..ROUNDS {
            let begin = processor_time()?;
            let field = solver.solve(&sources, &Query::default(), &Context::default())?;
            ours = ours.min(processor_time()? - begin);
            let (seconds, distances) = worker.exact(0)?;
            theirs = theirs.min(seconds);
            answer = Some((field, distances));
        }
        let (field, distances) = answer.context("at least one round")?;
        let difference = field.distances.iter().zip(&distances).filter(|(_, theirs)| **theirs > 0.0);
        let difference = difference.map(|(a, b)| (a - b).abs() / b).fold(0.0, f64::max);
        let ratio = theirs / ours.as_secs_f64();
        println!(
            "| {name} | {} | {:.0} | {:.1} | {ratio:.1} | {goal} {} | {} | {} | {difference:.1e} |",
            surface.face_count(),
            theirs * 1e3,
            ours.as_secs_f64() * 1e3,
            if ratio >= goal { "met" } else { "**NOT met**" },
            field.work.windows,
            field.work.peak_windows,
        );
        let farthest = field.distances.iter().copied().filter(|d| d.is_finite()).fold(0.0, f64::max);
        let error = |found: &[f64]| {
            let all = || found.iter().zip(&field.distances).filter(|(_, exact)| exact.is_finite());
            let each = || all().map(|(a, b)| (a - b).abs() / farthest);
            (100.0 * each().sum::<f64>() / all().count().max(1) as f64, 100.0 * each().fold(0.0, f64::max))
        };
        let mut row = |method: &str, prepare: Option<f64>, solve: f64, (mean, largest): (f64, f64)| {
            let prepare = prepare.map_or("–".to_owned(), |seconds| format!("{:.0}", seconds * 1e3));
            fast += &format!(
                "| {name} | {method} | {prepare} | {:.1} | {mean:.3} % | {largest:.2} % |\n",
                solve * 1e3
            );
        };
        row("exact", None, ours.as_secs_f64(), (0.0, 0.0));
        for (method, words) in [
            (Method::VirtualSources, "virtual sources (gsp)"),
            (Method::FastMarching, "fast marching"),
            (Method::Dijkstra, "Dijkstra"),
        ] {
            let mut solver = Solver::new(&surface, method);
            let mut least = Duration::MAX;
            let mut found = Vec::new();
            for _ in 0..ROUNDS {
                // The system counts in ticks of milliseconds: many solves in a row.
                let begin = processor_time()?;
                for _ in 0..REPEATS {
                    found = solver.solve(&sources, &Query::default(), &Context::default())?.distances;
                }
                least = least.min((processor_time()? - begin) / REPEATS);
            }
            row(words, None, least.as_secs_f64(), error(&found));
        }
        let (prepare, solve, found) = worker.heat(0)?;
        row("potpourri3d, heat", Some(prepare), solve, error(&found));
    }
    println!("\n## All methods\n");
    println!(
        "| surface | method | prepare | solve | mean error | largest error |\n|---|---|--:|--:|--:|--:|\n{fast}"
    );
    println!("## Memory of exact\n");
    println!(
        "| surface | pygeodesic MB | without | wayfare MB | without | share | goal a third |\n|---|--:|--:|--:|--:|--:|---|"
    );
    for (name, _) in &SURFACES[..3] {
        let path = root.join("surfaces").join(name);
        let [theirs, before] = Worker::memory(&path)?;
        let [ours, empty] = worker::own_memory(&path)?;
        let share = (ours - empty) / (theirs - before);
        let met = if share <= 1.0 / 3.0 { "met" } else { "**NOT met**" };
        println!("| {name} | {theirs:.0} | {before:.0} | {ours:.0} | {empty:.0} | {share:.2} | {met} |");
    }
    Ok(())
}
