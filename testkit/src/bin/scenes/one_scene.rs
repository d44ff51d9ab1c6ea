//! One shared scene: baked on one thread, checked three ways, and walked on by rays.

use crate::child::{self, mebibytes};
use serde::{Deserialize, Serialize};
use std::{error::Error, time::Instant};
use wayfare_bake::BakeConfig;
use wayfare_testkit::{
    baked::{self, Baked},
    data::scenes::{SharedScene, UpAxis, scene_named},
    independent_check,
    ray_check::Rule,
};

/// Pairs of points between which paths are looked at.
pub const PAIRS: usize = 200;
/// How often a scene is baked; the run with the least time is told of.
const RUNS: usize = 5;
/// The rules of paths, in the order of the table; a path at radius 0 claims no clearance.
pub const RULES: [Rule; 4] = [Rule::Ground, Rule::Step, Rule::Wall, Rule::HeadRoom];
/// Stages that get a column; what is in none is `rest`.
const STAGES: [&str; 6] = ["columns", "selection", "layers", "contours", "ground", "cells"];

/// What a child says of a scene.
#[derive(Default, Serialize, Deserialize)]
struct Measured {
    triangles: usize,
    read_seconds: f64,
    /// Why there is no mesh.
    nothing: Option<String>,
    layers: usize,
    components: usize,
    storeys: usize,
    cells: usize,
    area: f64,
    heights_error: f64,
    seconds: f64,
    stages: Vec<(String, f64)>,
    peak_mb: Option<f64>,
    /// Defects of the plan, of the mesh, and by the independent check: how many, and the first.
    defects: [(usize, String); 3],
    found: usize,
    bad_paths: usize,
    lost: usize,
    by_rule: [usize; RULES.len()],
    examples: Vec<String>,
}

/// A row of the table.
pub struct Row<'a> {
    scene: &'a SharedScene,
    measured: Result<Measured, String>,
}

/// Measures a scene in a child.
pub fn measure(scene: &SharedScene) -> Row<'_> {
    let began = Instant::now();
    let answer = child::run(&["--scene", &scene.name]);
    let measured = answer.and_then(|value| serde_json::from_value(value).map_err(|error| error.to_string()));
    eprintln!("{}: {:.1} s", scene.name, began.elapsed().as_secs_f64());
    Row { scene, measured }
}

/// What the child does.
pub fn print(name: &str) -> Result<(), Box<dyn Error>> {
    let shared = scene_named(name).ok_or_else(|| format!("there is no scene '{name}'"))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let measured = pool.install(|| look(&shared))?;
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}

fn look(shared: &SharedScene) -> Result<Measured, String> {
    let began = Instant::now();
    let scene = baked::read(shared).map_err(|error| error.to_string())?;
    let mut measured = Measured {
        triangles: scene.mesh.triangles.len(),
        read_seconds: began.elapsed().as_secs_f64(),
        ..Measured::default()
    };
    let ground = baked::ground_config(&shared.body);
    baked::forget_peak_memory();
    let mut best: Option<Baked> = None;
    for _ in 0..RUNS {
        match baked::bake_scene(&scene, &ground, &BakeConfig::default()) {
            Ok(run) if best.as_ref().is_none_or(|best| run.seconds < best.seconds) => best = Some(run),
            Ok(_) => {}
            Err(error) => {
                measured.nothing = Some(error);
                return Ok(measured);
            }
        }
        if measured.peak_mb.is_none() {
            measured.peak_mb = mebibytes(baked::peak_memory());
        }
    }
    let Some(Baked { plan, mesh, stages, seconds, .. }) = best else { return Ok(measured) };
    let facts = mesh.facts();
    measured.layers = plan.layers.len();
    measured.components = facts.components;
    measured.storeys = facts.storeys;
    measured.cells = facts.cells;
    measured.area = facts.area;
    measured.heights_error = facts.heights_error;
    measured.seconds = seconds;
    measured.stages = stages;
    let words = |defects: Vec<String>| (defects.len(), defects.into_iter().next().unwrap_or_default());
    let json = wayfare_view::export::mesh_to_json(&mesh);
    measured.defects = [
        words(plan.check().iter().map(ToString::to_string).collect()),
        words(mesh.check().iter().map(ToString::to_string).collect()),
        words(independent_check(&json, Some(plan.area()))),
    ];
    let tally = baked::check_paths(&scene, &mesh, &ground, PAIRS);
    measured.found = tally.found;
    measured.bad_paths = tally.bad_paths;
    measured.lost = tally.lost.len();
    measured.by_rule = RULES.map(|rule| tally.count(rule));
    for rule in RULES {
        let worst = tally.defects.iter().filter(|defect| defect.rule == rule);
        let worst = worst.max_by(|a, b| a.found.min(1e9).total_cmp(&b.found.min(1e9)));
        measured.examples.extend(worst.map(|defect| format!("{rule:?} {defect}")));
    }
    measured.examples.extend(tally.lost.first().cloned());
    Ok(measured)
}

/// The tables of all scenes.
pub fn print_table(rows: &[Row<'_>]) {
    println!("## What was baked\n");
    println!(
        "Each scene with its units and up axis, for the body that is at home in it, on pixels of 0.1 m. *heights*: how far the ground \
         may be from the heights sampled. *checks*: the plan's checker, the mesh's, and testkit's independent one on the exported \
         file.\n"
    );
    println!(
        "| scene | m per unit, up | height, step [m], slope | triangles | layers | components | storeys | cells | area [m²] | heights [cm] | checks |"
    );
    println!("|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|");
    for Row { scene, measured } in rows {
        let up = if scene.up == UpAxis::Y { "y" } else { "z" };
        let body = &scene.body;
        print!(
            "| {} | {}, {up} | {:.2}, {:.2}, {:.1}° |",
            scene.name, scene.scale, body.height, body.step, body.max_slope_deg
        );
        match measured {
            Err(error) => println!(" | | | | | | | **failed**: {error} |"),
            Ok(Measured { triangles, nothing: Some(reason), .. }) => {
                println!(" {triangles} | | | | | | | {reason} |");
            }
            Ok(m) => println!(
                " {} | {} | {} | {} | {} | {:.1} | {:.1} | {} |",
                m.triangles,
                m.layers,
                m.components,
                m.storeys,
                m.cells,
                m.area,
                m.heights_error * 100.0,
                check_words(m)
            ),
        }
    }
    println!("\n## Time and memory\n");
    println!(
        "One thread, milliseconds, the quickest of {RUNS} runs; *all* is from triangles in memory to a validated mesh, without search \
         tables. *memory*: the peak of the whole process during the first run, the triangles included. *read*: file to triangles, not \
         part of *all*.\n"
    );
    print!("| scene | triangles | read |");
    STAGES.iter().for_each(|stage| print!(" {stage} |"));
    println!(" rest | **all** | memory [MiB] |\n|---|{}", "--:|".repeat(STAGES.len() + 5));
    for Row { scene, measured } in rows {
        let Ok(m @ Measured { nothing: None, .. }) = measured else { continue };
        print!("| {} | {} | {:.1} |", scene.name, m.triangles, m.read_seconds * 1e3);
        let seconds =
            |stage: &str| m.stages.iter().filter(|(name, _)| name == stage).map(|(_, s)| s).sum::<f64>();
        STAGES.iter().for_each(|stage| print!(" {:.1} |", seconds(stage) * 1e3));
        let rest = m.seconds - STAGES.iter().map(|stage| seconds(stage)).sum::<f64>();
        let peak = m.peak_mb.map_or("?".into(), |peak| format!("{peak:.0}"));
        println!(" {:.1} | **{:.1}** | {peak} |", rest * 1e3, m.seconds * 1e3);
    }
    println!("\n## Paths\n");
    println!(
        "Paths at radius 0 between {PAIRS} pairs of random points, each pair on ground that is connected, looked at by rays against \
         the source triangles at every half pixel: on the ground within 5 cm plus one pixel, no step too high, no wall crossed, head \
         room. Counted are places; *bad* is the number of paths that have one.\n"
    );
    println!(
        "| scene | paths | bad | ground | step | wall | head room | lost queries |\n|---|{}",
        "--:|".repeat(7)
    );
    for Row { scene, measured } in rows {
        let Ok(m @ Measured { nothing: None, .. }) = measured else { continue };
        print!("| {} | {} | {} |", scene.name, m.found, m.bad_paths);
        m.by_rule.iter().for_each(|count| print!(" {count} |"));
        println!(" {} |", m.lost);
    }
    let mut examples =
        rows.iter().filter_map(|row| Some((&row.scene.name, row.measured.as_ref().ok()?))).peekable();
    if examples.peek().is_some() {
        println!("\nThe worst of each rule:\n");
        for (name, m) in examples {
            m.examples.iter().for_each(|example| println!("- {name}: {example}"));
        }
    }
    println!();
}

fn check_words(m: &Measured) -> String {
    let mut words = Vec::new();
    for ((count, first), who) in m.defects.iter().zip(["plan", "mesh", "independent"]) {
        if *count > 0 {
            words.push(format!("**{who}: {count} defects**, {first}"));
        }
    }
    if words.is_empty() { "pass".into() } else { words.join("; ") }
}
