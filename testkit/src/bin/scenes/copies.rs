//! A million triangles: copies of a level side by side.

use crate::child::{self, mebibytes};
use serde::{Deserialize, Serialize};
use std::error::Error;
use wayfare_bake::BakeConfig;
use wayfare_core::dvec3;
use wayfare_floor::GroundConfig;
use wayfare_geom::TriangleMesh;
use wayfare_scene::Scene;
use wayfare_testkit::{baked, data::scenes::scene_named};

/// The shared level whose number of triangles is nearest to 10,000 among those that are as wide as deep and have many rooms: 12,014.
const LEVEL: &str = "openarena_oa_dm6";
/// Numbers of copies; with the third it is a million triangles, which is what is judged.
const COPIES: [usize; 4] = [25, 50, 84, 100];
const JUDGED: usize = 84;
const RESOLUTION: f64 = 0.3;
/// Seconds, bytes, growth of time per triangle and speed-up that are asked for.
const MOST_SECONDS: f64 = 1.2;
const MOST_MIB: f64 = 1024.0;
/// Time per triangle of the largest over that of the smallest; a tenth is what a quiet machine differs by.
const MOST_GROWTH: f64 = 1.1;
const LEAST_SPEED_UP: f64 = 1.6;

#[derive(Serialize, Deserialize)]
struct Measured {
    triangles: usize,
    cells: usize,
    seconds: Vec<f64>,
    peak_mb: Option<f64>,
}

impl Measured {
    fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
    fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// What the child does: number of copies, threads, runs.
pub fn print(words: [&&str; 3]) -> Result<(), Box<dyn Error>> {
    let [copies, threads, runs] = words.map(|word| word.parse::<usize>());
    let shared = scene_named(LEVEL).ok_or("the shared data is not there")?;
    let scene = side_by_side(&baked::read(&shared)?.mesh, copies?);
    let ground = GroundConfig {
        resolution: RESOLUTION,
        simplify: RESOLUTION,
        coarse: 4.0 * RESOLUTION,
        ..baked::ground_config(&shared.body)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads?).build()?;
    baked::forget_peak_memory();
    let mut measured =
        Measured { triangles: scene.mesh.triangles.len(), cells: 0, seconds: Vec::new(), peak_mb: None };
    for _ in 0..runs? {
        let run = pool.install(|| baked::bake_scene(&scene, &ground, &BakeConfig::default()))?;
        measured.cells = run.mesh.cell_count();
        measured.seconds.push(run.seconds);
        let peak = mebibytes(baked::peak_memory());
        measured.peak_mb = measured.peak_mb.or(peak);
    }
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}

/// Copies in rows and columns, two metres apart.
fn side_by_side(level: &TriangleMesh, copies: usize) -> Scene {
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    let Some([min, max]) = level.bounds() else { return Scene::from_mesh(mesh) };
    let size = max - min + 2.0;
    let columns = copies.isqrt().max(1);
    for copy in 0..copies {
        let shift = dvec3((copy % columns) as f64 * size.x, (copy / columns) as f64 * size.y, 0.0);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(level.vertices.iter().map(|p| *p + shift));
        mesh.triangles.extend(level.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
    }
    Scene::from_mesh(mesh)
}

/// Measures and prints.
pub fn print_table() -> Result<(), Box<dyn Error>> {
    let measure = |copies: usize, threads: usize, runs: usize| -> Result<Measured, Box<dyn Error>> {
        let words = [copies, threads, runs].map(|number| number.to_string());
        let answer = child::run(&["--copies", &words[0], &words[1], &words[2]])?;
        eprintln!("{copies} copies, {threads} threads: {answer}");
        Ok(serde_json::from_value(answer)?)
    };
    println!("## A million triangles\n");
    println!(
        "Copies of `{LEVEL}` side by side, resolution {RESOLUTION} m, for its own body. Seconds from triangles in memory to a validated \
         mesh on one thread, the least and the median of five runs; *memory* is the peak of the process in the first run, triangles \
         included.\n"
    );
    println!(
        "| copies | triangles | cells | least [s] | median [s] | µs per triangle | memory [MiB] |\n|--:|--:|--:|--:|--:|--:|--:|"
    );
    let mut rows = Vec::new();
    for copies in COPIES {
        let m = measure(copies, 1, 5)?;
        let per_triangle = m.best() * 1e6 / m.triangles as f64;
        let peak = m.peak_mb.map_or("?".into(), |peak| format!("{peak:.0}"));
        println!(
            "| {copies} | {} | {} | {:.3} | {:.3} | {per_triangle:.3} | {peak} |",
            m.triangles,
            m.cells,
            m.best(),
            m.median()
        );
        rows.push((copies, m, per_triangle));
    }
    let met = |is_met: bool| if is_met { "met" } else { "NOT met" };
    println!();
    if let (Some((_, judged, _)), Some(first), Some(last)) =
        (rows.iter().find(|row| row.0 == JUDGED), rows.first(), rows.last())
    {
        let (seconds, peak) = (judged.best(), judged.peak_mb.unwrap_or(f64::INFINITY));
        println!(
            "- {} triangles: {seconds:.2} s on one thread, at most {MOST_SECONDS} s asked for: {}",
            judged.triangles,
            met(seconds <= MOST_SECONDS)
        );
        println!("- memory: {peak:.0} MiB, at most {MOST_MIB:.0} MiB asked for: {}", met(peak <= MOST_MIB));
        let growth = last.2 / first.2;
        println!(
            "- time per triangle: {growth:.2} times from {} to {} copies; no growth asked for, {MOST_GROWTH} taken as none: {}",
            first.0,
            last.0,
            met(growth <= MOST_GROWTH)
        );
    }
    let [one, two] = [measure(JUDGED, 1, 9)?, measure(JUDGED, 2, 9)?];
    let speed_up = one.best() / two.best();
    println!(
        "- two threads: {:.2} s, {speed_up:.2} times as fast as one ({:.2} s), best of nine each; {LEAST_SPEED_UP} asked for: {}\n",
        two.best(),
        one.best(),
        met(speed_up >= LEAST_SPEED_UP)
    );
    Ok(())
}
