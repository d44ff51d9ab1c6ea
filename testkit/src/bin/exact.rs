//! `cargo xtask bench exact`: every shared scene by exact geometry and by voxels, side by side; and towns of 100,000 triangles.
//!
//! Prints Markdown; progress goes to standard error. Every scene is measured in a process of its own, on one thread. Arguments restrict
//! the scenes to names that hold one of them; `--no-towns` leaves the towns out.

use serde::{Deserialize, Serialize};
use std::{
    error::Error,
    process::{Command, ExitCode, Stdio},
};
use wayfare_bake::{BakeConfig, build_clearance};
use wayfare_core::{Context, dvec2, dvec3};
use wayfare_floor::{EdgeKind, FloorPlan, GroundConfig, Method, Region};
use wayfare_geom::TriangleMesh;
use wayfare_navmesh::NavMesh;
use wayfare_scene::{Scene, generated::scene_by_name};
use wayfare_testkit::{
    baked::{self, Baked},
    data::scenes::{scene_named, scenes},
    independent_check,
    ray_check::Rule,
};

/// Runs of which the quickest counts.
const RUNS: usize = 3;
const PAIRS: usize = 200;
const RULES: [Rule; 4] = [Rule::Ground, Rule::Step, Rule::Wall, Rule::HeadRoom];
/// Sizes of voxels to compare areas with; times are those of the second [m].
const VOXELS: [f64; 3] = [0.2, 0.1, 0.05];
/// Samples per scene, about.
const SAMPLES: f64 = 400_000.0;
/// Ground at heights that differ by less is the same ground [m].
const SAME: f64 = 0.3;
/// What is asked for of towns.
const MOST_SECONDS: f64 = 6.0;
const MOST_MIB: f64 = 1024.0;

#[derive(Default, Serialize, Deserialize)]
struct Measured {
    triangles: usize,
    nothing: Option<String>,
    seconds: f64,
    stages: Vec<(String, f64)>,
    peak_mb: f64,
    layers: usize,
    seams: f64,
    components: usize,
    cells: usize,
    area: f64,
    /// Of the plan's checker, the mesh's and the independent one: how many, and the first.
    defects: Vec<(usize, String)>,
    clearance: Option<String>,
    clearance_seconds: f64,
    paths: usize,
    by_rule: [usize; 4],
    worst: Vec<String>,
    voxel_seconds: f64,
    voxel_cells: usize,
    /// By size of voxels: the area, and the area that only one of the two has [m²].
    voxels: Vec<Option<[f64; 2]>>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["--scene", name] => print_one(name, true),
        ["--quick", name] => print_one(name, false),
        words => print_all(words),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A shared scene, a generated one, or a town.
fn scene_of(name: &str) -> Result<(Scene, GroundConfig), Box<dyn Error>> {
    if let Some(shared) = scene_named(name) {
        return Ok((baked::read(&shared)?, baked::ground_config(&shared.body)));
    }
    let scene = match name.strip_prefix("town-of-") {
        Some(kind) => town(kind)?,
        None => scene_by_name(name).ok_or_else(|| format!("there is no scene '{name}'"))?,
    };
    Ok((scene, GroundConfig::default()))
}

/// Copies of a house, turned, on one square: as many as make 100,000 triangles.
fn town(kind: &str) -> Result<Scene, Box<dyn Error>> {
    let house = match scene_named(kind) {
        Some(shared) => baked::read(&shared)?,
        None => scene_by_name(kind).ok_or_else(|| format!("there is no scene '{kind}'"))?,
    };
    let [min, max] = house.mesh.bounds().ok_or("an empty house")?;
    let (middle, size) = ((min + max) / 2.0, (max - min).truncate().length() + 2.0);
    let copies = 100_000usize.div_ceil(house.mesh.triangles.len().max(1));
    let columns = copies.isqrt().max(1);
    let rows = copies.div_ceil(columns);
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for copy in 0..copies {
        let (sin, cos) = (0.7 * copy as f64).sin_cos();
        let to = dvec3((copy % columns) as f64 * size, (copy / columns) as f64 * size, 0.0);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(house.mesh.vertices.iter().map(|p| {
            let q = *p - dvec3(middle.x, middle.y, min.z);
            to + dvec3(q.x * cos - q.y * sin, q.x * sin + q.y * cos, q.z)
        }));
        mesh.triangles.extend(house.mesh.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
    }
    let first = mesh.vertices.len() as u32;
    let (low, high) = (dvec2(-size, -size), dvec2(columns as f64, rows as f64) * size);
    mesh.vertices.extend([low, dvec2(high.x, low.y), high, dvec2(low.x, high.y)].map(|p| p.extend(-0.05)));
    mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    Ok(Scene::from_mesh(mesh))
}

fn print_one(name: &str, with_voxels: bool) -> Result<(), Box<dyn Error>> {
    let (scene, ground) = scene_of(name)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let measured = pool.install(|| look(&scene, &ground, with_voxels));
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}

fn look(scene: &Scene, ground: &GroundConfig, with_voxels: bool) -> Measured {
    let mut measured = Measured { triangles: scene.mesh.triangles.len(), ..Measured::default() };
    let exact = GroundConfig { method: Method::Exact, ..ground.clone() };
    baked::forget_peak_memory();
    let runs = if with_voxels { RUNS } else { 1 };
    let Baked { plan, mesh, stages, seconds, notes } =
        match quickest(scene, &exact, runs, &mut measured.peak_mb) {
            Ok(baked) => baked,
            Err(error) => {
                measured.nothing = Some(error);
                return measured;
            }
        };
    if !with_voxels {
        notes.iter().for_each(|note| eprintln!("{note}"));
    }
    let facts = mesh.facts();
    (measured.seconds, measured.stages) = (seconds, stages);
    (measured.layers, measured.seams) = (plan.layers.len(), seam_length(&plan));
    (measured.components, measured.cells, measured.area) = (facts.components, facts.cells, facts.area);
    let words = |defects: Vec<String>| (defects.len(), defects.into_iter().next().unwrap_or_default());
    measured.defects = vec![
        words(plan.check().iter().map(ToString::to_string).collect()),
        words(mesh.check().iter().map(ToString::to_string).collect()),
        words(independent_check(&wayfare_view::export::mesh_to_json(&mesh), Some(plan.area()))),
    ];
    let began = std::time::Instant::now();
    measured.clearance = build_clearance(&mesh, &Context::default()).err().map(|error| error.to_string());
    measured.clearance_seconds = began.elapsed().as_secs_f64();
    let tally = baked::check_paths(scene, &mesh, &exact, PAIRS);
    measured.paths = tally.found;
    measured.by_rule = RULES.map(|rule| tally.count(rule));
    for rule in RULES {
        let worst = tally.defects.iter().filter(|defect| defect.rule == rule);
        let worst = worst.max_by(|a, b| a.found.min(1e9).total_cmp(&b.found.min(1e9)));
        measured.worst.extend(worst.map(|defect| format!("{rule:?} {defect}")));
    }
    measured.worst.extend(tally.lost.first().cloned());
    for size in VOXELS.into_iter().filter(|_| with_voxels) {
        let voxel = GroundConfig { resolution: size, simplify: size, coarse: 4.0 * size, ..ground.clone() };
        let runs = if size == VOXELS[1] { RUNS } else { 1 };
        let Ok(other) = quickest(scene, &voxel, runs, &mut 0.0) else {
            measured.voxels.push(None);
            continue;
        };
        if size == VOXELS[1] {
            measured.voxel_seconds = other.seconds;
            measured.voxel_cells = other.mesh.cell_count();
        }
        let [area, differs] = [other.mesh.facts().area, difference(&mesh, &other.mesh)];
        measured.voxels.push(Some([area, differs]));
    }
    measured
}

fn quickest(scene: &Scene, ground: &GroundConfig, runs: usize, peak: &mut f64) -> Result<Baked, String> {
    let mut best: Option<Baked> = None;
    for _ in 0..runs {
        let run = baked::bake_scene(scene, ground, &BakeConfig::default())?;
        if *peak == 0.0 {
            *peak = baked::peak_memory().map_or(0.0, |bytes| bytes as f64 / f64::from(1 << 20));
        }
        if best.as_ref().is_none_or(|best| run.seconds < best.seconds) {
            best = Some(run);
        }
    }
    best.ok_or_else(|| "nothing was run".into())
}

/// The length of all seams [m].
fn seam_length(plan: &FloorPlan) -> f64 {
    let rings = plan.layers.iter().flat_map(|layer| &layer.regions).flat_map(Region::rings);
    let lengths = rings.flat_map(|ring| {
        let points = plan.ring_points(ring);
        let count = points.len();
        let is_seam = |k: &usize| matches!(ring.kinds[*k], EdgeKind::Seam { .. });
        (0..count).filter(is_seam).map(|k| points[k].distance(points[(k + 1) % count])).collect::<Vec<_>>()
    });
    // Both sides of a seam have it.
    lengths.sum::<f64>() / 2.0
}

/// How much ground only one of two meshes has, by samples [m²].
fn difference(one: &NavMesh, two: &NavMesh) -> f64 {
    let spacing = (one.facts().area / SAMPLES).sqrt().max(0.005);
    let [one, two] = [one, two].map(|mesh| samples(mesh, spacing));
    let (mut i, mut k, mut unmatched) = (0, 0, 0u64);
    while i < one.len() || k < two.len() {
        match (one.get(i), two.get(k)) {
            (Some(a), Some(b)) if a.0 == b.0 && (a.1 - b.1).abs() <= SAME => (i, k) = (i + 1, k + 1),
            (Some(a), Some(b)) if (a.0, a.1) < (b.0, b.1) => (i, unmatched) = (i + 1, unmatched + 1),
            (Some(_), None) => (i, unmatched) = (i + 1, unmatched + 1),
            _ => (k, unmatched) = (k + 1, unmatched + 1),
        }
    }
    unmatched as f64 * spacing * spacing
}

/// Points of a grid on the ground: column and row, height; sorted, each once.
fn samples(mesh: &NavMesh, spacing: f64) -> Vec<([i64; 2], f64)> {
    let mut samples: Vec<([i64; 2], f64)> = Vec::new();
    // Off the lines that scenes are drawn on.
    let at = |k: i64| (k as f64 + 0.387_121) * spacing;
    for cell in mesh.cells() {
        let points: Vec<_> = mesh.cell_points(cell).collect();
        let (min, max) =
            points.iter().fold((points[0], points[0]), |(min, max), p| (min.min(*p), max.max(*p)));
        let range = |low: f64, high: f64| (low / spacing).floor() as i64 - 1..=(high / spacing).ceil() as i64;
        for i in range(min.x, max.x) {
            for k in range(min.y, max.y) {
                let p = dvec2(at(i), at(k));
                if mesh.contains(cell, p) {
                    samples.push(([i, k], mesh.height(cell, p)));
                }
            }
        }
    }
    samples.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    samples.dedup_by(|a, b| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6);
    samples
}

/// This program once more, in a process of its own.
fn child(name: &str) -> Result<Measured, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output =
        Command::new(program).args(["--scene", name]).stdin(Stdio::null()).stderr(Stdio::piped()).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, errors.lines().next().unwrap_or_default()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn print_all(words: &[&str]) -> Result<(), Box<dyn Error>> {
    let (options, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with("--"));
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part));
    let mut rows: Vec<(String, Result<Measured, String>)> = Vec::new();
    let shared = scenes();
    if shared.is_empty() {
        return Err("the shared data is not there".into());
    }
    let generated = ["terrace-house", "town-house"].map(str::to_owned);
    for name in shared.into_iter().map(|scene| scene.name).chain(generated).filter(|name| is_wanted(name)) {
        eprintln!("{name}");
        rows.push((name.clone(), child(&name)));
    }
    print_scenes(&rows);
    if !options.contains(&"--no-towns") {
        println!("## Towns\n");
        println!(
            "Copies of a house, turned, on one square. One thread; *seconds* without clearance. Asked for: {MOST_SECONDS} s and \
             {MOST_MIB} MiB.\n"
        );
        println!(
            "| town of | triangles | seconds | of these plan | memory [MiB] | layers | cells | area [m²] | checks |"
        );
        println!("|---|--:|--:|--:|--:|--:|--:|--:|---|");
        for name in ["town-of-town-house", "town-of-terrace-house", "soup-100000-1"] {
            eprintln!("{name}");
            match child(name) {
                Err(error) => println!("| {name} | | | | | | | | **failed**: {error} |"),
                Ok(m) => println!(
                    "| {name} | {} | {:.2} | {:.2} | {:.0} | {} | {} | {:.1} | {} |",
                    m.triangles,
                    m.seconds,
                    m.seconds - stage(&m, "cells"),
                    m.peak_mb,
                    m.layers,
                    m.cells,
                    m.area,
                    checks(&m)
                ),
            }
        }
    }
    Ok(())
}

fn stage(m: &Measured, name: &str) -> f64 {
    m.stages.iter().filter(|stage| stage.0 == name).map(|stage| stage.1).sum()
}

fn checks(m: &Measured) -> String {
    if let Some(reason) = &m.nothing {
        return reason.clone();
    }
    let mut words = Vec::new();
    for ((count, first), who) in m.defects.iter().zip(["plan", "mesh", "independent"]) {
        if *count > 0 {
            words.push(format!("**{who}: {count} defects**, {first}"));
        }
    }
    words.extend(m.clearance.clone());
    if words.is_empty() { "pass".into() } else { words.join("; ") }
}

fn print_scenes(rows: &[(String, Result<Measured, String>)]) {
    println!("## Exact and voxels side by side\n");
    println!(
        "Each scene for the body that is at home in it; one thread, triangles in memory to a validated mesh, the quickest of {RUNS} \
         runs. *voxel*: at 0.1 m. *memory*: peak of the process in the first exact run. *checks*: the plan's checker, the mesh's, \
         testkit's independent one, and whether clearance could be stored. *rays*: places at which {PAIRS} paths between random \
         points are off the ground, too high a step, in a wall, without head room.\n"
    );
    println!(
        "| scene | triangles | exact [s] | voxel [s] | memory [MiB] | layers | seams [m] | components | cells | voxel cells | checks | rays |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|");
    for (name, measured) in rows {
        match measured {
            Err(error) => println!("| {name} | | | | | | | | | | **failed**: {error} | |"),
            Ok(m) => println!(
                "| {name} | {} | {:.3} | {:.3} | {:.0} | {} | {:.1} | {} | {} | {} | {} | {} |",
                m.triangles,
                m.seconds,
                m.voxel_seconds,
                m.peak_mb,
                m.layers,
                m.seams,
                m.components,
                m.cells,
                m.voxel_cells,
                checks(m),
                m.by_rule.map(|count| count.to_string()).join(", ")
            ),
        }
    }
    println!("\n## Areas\n");
    println!(
        "Square metres in plan; *differs* is what only one of the two has, by samples on a grid, matched where heights are within \
         {SAME} m.\n"
    );
    println!("| scene | exact | voxel 0.2 | differs | voxel 0.1 | differs | voxel 0.05 | differs |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for (name, measured) in rows {
        let Ok(m) = measured else { continue };
        if m.nothing.is_some() {
            continue;
        }
        print!("| {name} | {:.3} |", m.area);
        for one in &m.voxels {
            match one {
                Some([area, differs]) => print!(" {area:.2} | {differs:.2} |"),
                None => print!(" none | |"),
            }
        }
        println!();
    }
    println!();
    for (name, measured) in rows {
        let Ok(m) = measured else { continue };
        m.worst.iter().for_each(|worst| println!("- {name}: {worst}"));
    }
    println!();
}
