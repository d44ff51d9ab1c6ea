//! `cargo xtask bench recast`: bakes side by side with the crate `rerecast`, which is Recast in Rust.
//!
//! Both sides get the same triangles and the same body, on one thread, in turns. Arguments restrict the scenes to names that hold one
//! of them: `cargo run --release -- nav_test`.

mod case;
mod recast;
mod roofs;
mod table;

use case::SCENES;
use std::{error::Error, hint::black_box, process::ExitCode, time::Instant};
use table::{Measured, Times};
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::Context;
use wayfare_floor::{Keep, plan_scene};
use wayfare_navmesh::NavMesh;
use wayfare_scene::Scene;

/// How often each side bakes a scene.
const TURNS: usize = 7;

fn main() -> ExitCode {
    match compare_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare_all() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut measured = Vec::new();
    let is_wanted = |name: &&&str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for name in SCENES.iter().filter(is_wanted) {
        let row = pool.install(|| compare(name).map_err(|error| format!("{name}: {error}")))?;
        eprintln!("{row:?}");
        measured.push(row);
    }
    table::print(&measured);
    roofs::print()
}

/// Ours from triangles to cells with heights, what is not connected to the largest piece left out.
fn bake_ours(scene: &Scene, keep: Keep) -> Result<NavMesh, Box<dyn Error>> {
    let context = Context::default();
    let planned = plan_scene(scene, &case::ground_config(keep), &context)?;
    Ok(bake(&planned.plan, &BakeConfig::default(), &context)?)
}

fn compare(name: &'static str) -> Result<Measured, Box<dyn Error + Send + Sync>> {
    let words = |error: Box<dyn Error>| error.to_string();
    let scene = case::read(name).map_err(words)?;
    let triangles = recast::to_trimesh(&scene);
    let ours = bake_ours(&scene, Keep::Largest).map_err(words)?;
    let all = bake_ours(&scene, Keep::All).map_err(words)?;
    let (radius, theirs) = recast::build_at_smallest_radius(&triangles).map_err(words)?;
    let (mut our_times, mut our_all_times, mut their_times) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let copy = triangles.clone();
        their_times.push(seconds(|| black_box(recast::build(copy, radius)).is_ok()));
        our_times.push(seconds(|| black_box(bake_ours(&scene, Keep::Largest)).is_ok()));
        our_all_times.push(seconds(|| black_box(bake_ours(&scene, Keep::All)).is_ok()));
    }
    let components = recast::components(&theirs);
    Ok(Measured {
        name,
        their_radius: radius,
        triangles: scene.mesh.triangles.len(),
        ours: Times::new(our_times),
        ours_all: Times::new(our_all_times),
        theirs: Times::new(their_times),
        cells: ours.cell_count(),
        area: ours.area(),
        cells_all: all.cell_count(),
        area_all: all.area(),
        largest: recast::largest(&components),
        polygons_all: theirs.polygon_count(),
        area_theirs_all: components.iter().map(|component| component.area).sum(),
    })
}

fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let began = Instant::now();
    black_box(work());
    began.elapsed().as_secs_f64()
}
