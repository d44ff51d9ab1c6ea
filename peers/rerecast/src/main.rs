//! `cargo xtask bench recast`: bakes side by side with the crate `rerecast`, which is Recast in Rust.
//!
//! Both sides get the same triangles and the same body, on one thread, in turns. Arguments restrict the scenes to names that hold one
//! of them: `cargo run --release -- nav_test`. The word `gaps` prints instead what is beside ours in `cargo xtask bench gaps`.

mod case;
mod gaps;
mod ground;
mod recast;
mod roofs;
mod table;

use case::SCENES;
use std::{error::Error, hint::black_box, process::ExitCode, time::Instant};
use table::{Measured, Times};
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::Context;
use wayfare_floor::{Faces, GroundConfig, plan_scene};
use wayfare_navmesh::NavMesh;
use wayfare_scene::Scene;

/// How often each side bakes a scene.
const TURNS: usize = 7;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = if words == ["gaps"] { gaps::print() } else { compare_all(&words) };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare_all(words: &[String]) -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (mut measured, mut failed) = (Vec::new(), Vec::new());
    let is_wanted = |name: &&&str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for name in SCENES.iter().filter(is_wanted) {
        match pool.install(|| compare(name)) {
            Ok(row) => {
                eprintln!("{row:?}");
                measured.push(row);
            }
            Err(Failure::Theirs(error)) => failed.push((*name, error)),
            Err(Failure::Ours(error)) => return Err(format!("{name}: {error}").into()),
        }
    }
    table::print(&measured, &failed);
    roofs::print()
}

/// Ours from triangles to cells with heights.
fn bake_ours(scene: &Scene, config: &GroundConfig) -> Result<NavMesh, Box<dyn Error>> {
    let context = Context::default();
    let planned = plan_scene(scene, config, &context)?;
    Ok(bake(&planned.plan, &BakeConfig::default(), &context)?)
}

/// Who failed, and why.
enum Failure {
    Ours(String),
    Theirs(String),
}

fn compare(name: &'static str) -> Result<Measured, Failure> {
    let ours = |error: Box<dyn Error>| Failure::Ours(error.to_string());
    let scene = case::read(name).map_err(ours)?;
    let triangles = recast::to_trimesh(&scene);
    let (radius, theirs, _) = recast::build_at_smallest_radius(&triangles, case::DEMO, 0)
        .map_err(|error| Failure::Theirs(error.to_string()))?;
    let components = recast::components(&theirs);
    let largest = recast::largest(&components);
    let (whole, part) = (case::ground_config(), case::reached_from(largest.place));
    let all = bake_ours(&scene, &whole).map_err(ours)?;
    let reached = bake_ours(&scene, &part).map_err(ours)?;
    // Nothing is left where the place is inside a solid.
    let without_insides = bake_ours(&scene, &GroundConfig { remove_inside: true, ..part.clone() });
    let by_default = GroundConfig { faces: Faces::Both, ..whole.clone() };
    let [mut our_times, mut our_all_times, mut our_default_times, mut their_times] =
        [const { Vec::new() }; 4];
    for _ in 0..TURNS {
        let copy = triangles.clone();
        their_times.push(seconds(|| black_box(recast::build(copy, case::DEMO, radius)).is_ok()));
        our_times.push(seconds(|| black_box(bake_ours(&scene, &part)).is_ok()));
        our_all_times.push(seconds(|| black_box(bake_ours(&scene, &whole)).is_ok()));
        our_default_times.push(seconds(|| black_box(bake_ours(&scene, &by_default)).is_ok()));
    }
    Ok(Measured {
        name,
        their_radius: radius,
        triangles: scene.mesh.triangles.len(),
        ours: Times::new(our_times),
        ours_all: Times::new(our_all_times),
        ours_by_default: Times::new(our_default_times),
        theirs: Times::new(their_times),
        cells: reached.cell_count(),
        area: reached.area(),
        area_without_insides: without_insides.map_or(0.0, |mesh| mesh.area()),
        cells_all: all.cell_count(),
        area_all: all.area(),
        largest,
        polygons_all: theirs.polygon_count(),
        area_theirs_all: components.iter().map(|component| component.area).sum(),
    })
}

fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let began = Instant::now();
    black_box(work());
    began.elapsed().as_secs_f64()
}
