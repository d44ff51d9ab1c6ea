//! The fundamental diagram: the experiments of people in a corridor run again, and both measured by PedPy.
//!
//! The corridor of the experiments (HERMES 2009) is 8 × 1.8 m; a narrow entrance keeps it thin, a narrow exit fills it. For what is denser without
//! a jam a corridor whose ends are joined is filled. The wish speeds of those people were 1.55 ± 0.18 m/s (Zhang, Klingsch, Schadschneider, Seyfried 2011, "Transitions in pedestrian
//! fundamental diagrams of straight corridors and T-junctions").

use crate::{
    given::Given,
    python,
    support::{
        corridor::{Corridor, Walkers},
        rooms,
    },
};
use anyhow::{Context as _, Result};
use rayon::prelude::*;
use std::{collections::BTreeMap, path::PathBuf};
use wayfare_core::{DVec2, dvec2};
use wayfare_crowd::{
    CrowdConfig, MovementChoice,
    scenario::{Frame, Scenario, Simulation, Trajectories},
};
use wayfare_navmesh::NavMesh;

const PERSONS: usize = 160;
/// Entrance and exit [m].
const RUNS: [[f64; 2]; 11] = [
    [0.5, 1.8],
    [0.6, 1.8],
    [0.8, 1.8],
    [1.0, 1.8],
    [1.3, 1.8],
    [1.8, 1.8],
    [1.8, 1.4],
    [1.8, 1.2],
    [1.8, 1.1],
    [1.8, 0.95],
    [1.8, 0.7],
];
/// How many of the runs have no narrow exit.
const OPEN: usize = 6;
/// Runs with a narrow exit are means over so many seeds.
const JAM_SEEDS: u64 = 3;
/// Persons per square metre in the corridor whose ends are joined.
const FILLED: [f64; 5] = [1.6, 2.1, 2.5, 3.0, 3.4];
const FILES: [&str; 4] = ["060-180-180", "100-180-180", "180-180-095", "180-180-070"];

/// One run: who was where, frame by frame.
fn walk(
    [entrance, exit]: [f64; 2],
    seed: u64,
    movement: MovementChoice,
) -> Result<(Trajectories, Simulation)> {
    let gate = |x: [f64; 2], width: f64| [x[0], 0.9 - 0.5 * width, x[1], 0.9 + 0.5 * width];
    let mesh = rooms(&[
        [-9.2, -3.1, -0.2, 4.9],
        gate([-0.2, 0.0], entrance),
        [0.0, 0.0, 8.0, 1.8],
        gate([8.0, 8.2], exit),
        [8.2, -2.1, 14.0, 3.9],
    ]);
    let text = format!(
        "duration = 400\nframe_rate = 15\nseed = {seed}\n[[exit]]\nname = 'end'\nrectangle = [11, -2.1, 14, 3.9]\n[[spawn]]\n\
         rectangle = [-9, -3, -0.4, 4.8]\nnumber = {PERSONS}\nspeed = {{ normal = [1.55, 0.18], min = 1.0, max = 2.1 }}\n"
    );
    let mut simulation = Simulation::new(Scenario { movement, ..Scenario::parse(&text)? }, mesh)?;
    let mut trajectories = Trajectories { frame_rate: simulation.frame_rate(), ..Trajectories::default() };
    while simulation.step(|frame| trajectories.add(frame))? {}
    Ok((trajectories, simulation))
}

/// Density and speed in the middle of the corridor.
fn run(k: usize, seed: u64) -> Result<[f64; 2]> {
    let (trajectories, simulation) = walk(RUNS[k], seed, MovementChoice::default())?;
    measure_ours(&trajectories, simulation.crowd().mesh(), &format!("corridor-{k}-{seed}"), 0.0)
}

/// One entrance and exit, by PedPy.
pub fn one(given: &Given) -> Result<()> {
    let width = |name| given.get(name, 1.8);
    let (trajectories, simulation) =
        walk([width("entrance"), width("exit")], given.seed(), given.config()?.movement)?;
    let name = format!("one-{}-{}", width("exit"), std::process::id());
    let [density, speed] = measure_ours(&trajectories, simulation.crowd().mesh(), &name, 0.0)?;
    println!(
        "exit {}: {density:.2} /m², {speed:.2} m/s, {:.2} /(m s), {:.0} s",
        width("exit"),
        density * speed,
        simulation.crowd().time()
    );
    Ok(())
}

/// Jams before narrow exits, seed by seed: our speeds at densities of the files. Counted, not by Voronoi, so that many seeds take seconds.
pub fn jams(given: &Given) -> Result<()> {
    let movement = given.config()?.movement;
    let seeds: Vec<u64> = (given.seed()..given.seed() + given.get("seeds", 1.0) as u64).collect();
    let cases: Vec<(u64, [f64; 2])> =
        seeds.iter().flat_map(|&seed| RUNS[OPEN..].iter().map(move |&run| (seed, run))).collect();
    let found: Vec<[f64; 3]> = cases
        .par_iter()
        .map(|&(seed, run)| {
            let (trajectories, simulation) = walk(run, seed, movement.clone())?;
            let [density, speed] = counted(&trajectories, 0.0);
            Ok([density, speed, simulation.crowd().time()])
        })
        .collect::<Result<_>>()?;
    for (seed, runs) in seeds.iter().zip(found.chunks(RUNS.len() - OPEN)) {
        let each: Vec<String> =
            runs.iter().map(|[density, speed, time]| format!("{density:.2} {speed:.3} {time:.0}")).collect();
        let mut ours: Vec<[f64; 2]> = runs.iter().map(|&[density, speed, _]| [density, speed]).collect();
        ours.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let at: Vec<String> = [(2.41, 0.44), (3.0, 0.33)]
            .iter()
            .map(|&(density, people)| {
                speed_at(&ours, density)
                    .map_or("none".into(), |v| format!("{:+.1} %", 100.0 * (v / people - 1.0)))
            })
            .collect();
        println!("seed {seed}: {} | {}", each.join(" | "), at.join(" | "));
    }
    Ok(())
}

/// Density and speed 2 m before the exit over the middle 40 % of the frames, by counting; the corridor of 8 m begins at x.
fn counted(trajectories: &Trajectories, x: f64) -> [f64; 2] {
    let rows = trajectories.storeys.values().flatten();
    let inside: Vec<_> =
        rows.filter(|row| (x..x + 8.0).contains(&row.at[0]) && (0.0..1.8).contains(&row.at[1])).collect();
    let (first, last) = (inside[0].frame, inside[inside.len() - 1].frame);
    let places: BTreeMap<(u64, u32), DVec2> =
        inside.iter().map(|row| ((row.frame, row.id), dvec2(row.at[0], row.at[1]))).collect();
    let [from, to] = [0.3, 0.7].map(|share| first + (share * (last - first) as f64) as u64);
    let (mut count, mut speed, mut moved) = (0.0, 0.0, 0.0f64);
    for (&(frame, id), at) in &places {
        if (from..to).contains(&frame) && (x + 4.0..x + 6.0).contains(&at.x) {
            count += 1.0;
            if let (Some(a), Some(b)) = (places.get(&(frame - 5, id)), places.get(&(frame + 5, id))) {
                (moved, speed) = (moved + 1.0, speed + b.distance(*a) * 1.5);
            }
        }
    }
    let speed = speed / moved;
    [count / (to - from) as f64 / 3.6, speed]
}

/// Between the two nearest runs, by rising density.
fn speed_at(ours: &[[f64; 2]], density: f64) -> Option<f64> {
    let after = ours.partition_point(|run| run[0] < density);
    match (after.checked_sub(1).map(|k| ours[k]), ours.get(after)) {
        (Some(a), Some(b)) => Some(a[1] + (b[1] - a[1]) * (density - a[0]) / (b[0] - a[0])),
        // Thinner than any run: as fast as in the thinnest.
        (None, Some(b)) => Some(b[1]),
        _ => None,
    }
}

/// The corridor whose ends are joined, by counting: density and speed.
pub fn joined(given: &Given) -> Result<()> {
    let density = given.get("density", 2.0);
    for seed in given.seed()..given.seed() + given.get("seeds", 1.0) as u64 {
        let config = CrowdConfig { seed, ..given.config()? };
        let (trajectories, _) = filled(density, seed, config);
        let [found, speed] = counted(&trajectories, 16.0);
        println!("{density} /m² seed {seed}: {found:.2} /m², {speed:.3} m/s");
    }
    Ok(())
}

/// A corridor of 40 m whose ends are joined, filled: half a minute after another.
fn filled(density: f64, seed: u64, config: CrowdConfig) -> (Trajectories, Corridor) {
    let walkers =
        Walkers { count: (density * 72.0) as usize, radius: 0.2, speed: [1.55, 0.18], two_ways: false };
    let mut corridor = Corridor::new(dvec2(40.0, 1.8), walkers, seed, config);
    let mut trajectories = Trajectories { frame_rate: 15.0, ..Trajectories::default() };
    for step in 0..3600 {
        corridor.step();
        if step >= 1800 && step % 4 == 0 {
            trajectories.add(Frame { number: step / 4, crowd: &corridor.crowd });
        }
    }
    (trajectories, corridor)
}

/// Through a file, as others have it; the corridor of 8 m begins at x.
fn measure_ours(trajectories: &Trajectories, mesh: &NavMesh, name: &str, x: f64) -> Result<[f64; 2]> {
    let file = python::exchange()?.join(format!("{name}.sqlite"));
    if file.exists() {
        std::fs::remove_file(&file)?;
    }
    trajectories.write_sqlite(&file, mesh, 0)?;
    measure(&["ours", file.to_str().context("a path in Unicode")?, &x.to_string()])
}

fn measure(words: &[&str]) -> Result<[f64; 2]> {
    python::ask(words)?.try_into().ok().context("density and speed")
}

fn shared_data() -> Option<PathBuf> {
    python::here()
        .ancestors()
        .map(|folder| folder.join("shared/data/trajectories"))
        .find(|folder| folder.exists())
}

pub fn table() -> Result<()> {
    println!("## Fundamental diagram\n");
    println!(
        "{PERSONS} persons with wish speeds of 1.55 ± 0.18 m/s walk through a corridor of 8 × 1.8 m with a narrower entrance or exit, as those of the \
         experiments did. Density and speed by PedPy (Voronoi) from our SQLite files, 2 m before the exit, middle 40 % of the frames; with a narrow exit means of {JAM_SEEDS} seeds; and in a corridor of 40 × 1.8 m whose \
         ends are joined, filled with so many persons, after 30 s.\n"
    );
    println!(
        "| entrance [m] | exit [m] | density [1/m²] | speed [m/s] | flow [1/(m s)] |\n|--:|--:|--:|--:|--:|"
    );
    // Jams differ by the seed.
    let cases: Vec<(usize, u64)> = (0..RUNS.len())
        .flat_map(|k| (1..=if k < OPEN { 1 } else { JAM_SEEDS }).map(move |seed| (k, seed)))
        .collect();
    let measured: Vec<[f64; 2]> = cases.par_iter().map(|&(k, seed)| run(k, seed)).collect::<Result<_>>()?;
    let mean = |k: usize| {
        let of_this: Vec<[f64; 2]> =
            cases.iter().zip(&measured).filter(|(case, _)| case.0 == k).map(|(_, &found)| found).collect();
        [0, 1].map(|part| of_this.iter().map(|found| found[part]).sum::<f64>() / of_this.len() as f64)
    };
    let runs: Vec<[f64; 2]> = (0..RUNS.len()).map(mean).collect();
    for ([entrance, exit], [density, speed]) in RUNS.iter().zip(&runs) {
        println!("| {entrance} | {exit} | {density:.2} | {speed:.2} | {:.2} |", density * speed);
    }
    let dense: Vec<[f64; 2]> = FILLED
        .par_iter()
        .map(|&density| {
            let (trajectories, corridor) = filled(density, 1, CrowdConfig::default());
            measure_ours(&trajectories, corridor.crowd.mesh(), &format!("filled-{density}"), 16.0)
        })
        .collect::<Result<_>>()?;
    for (filled, [density, speed]) in FILLED.iter().zip(&dense) {
        println!("| joined, {filled} /m² | | {density:.2} | {speed:.2} | {:.2} |", density * speed);
    }
    println!();
    let Some(folder) = shared_data() else {
        println!("The files of the experiments are not there.\n");
        return Ok(());
    };
    // A jam before an exit and a stream are two states at one density (the experiments have both): each beside its own.
    let by_density = |mut runs: Vec<[f64; 2]>| {
        runs.sort_by(|a, b| a[0].total_cmp(&b[0]));
        runs
    };
    let streams = by_density(runs[..OPEN].iter().copied().chain(dense).collect());
    let jams = by_density(runs[OPEN..].to_vec());
    println!(
        "Against the experiments: our speed at the density of the file, between our two nearest runs; files with a narrow exit are compared with runs with a narrow exit, \
         the others with the others and the joined corridor. Wanted is 15 %.\n"
    );
    println!("| file | density [1/m²] | people [m/s] | wayfare [m/s] | difference |\n|---|--:|--:|--:|--:|");
    let files: Vec<[f64; 2]> = FILES
        .par_iter()
        .map(|name| {
            let file = folder.join(format!("uo-{name}.txt.gz"));
            measure(&["real", file.to_str().context("a path in Unicode")?])
        })
        .collect::<Result<_>>()?;
    for (name, [density, speed]) in FILES.iter().zip(files) {
        let ours = if name.ends_with("180-180") { &streams } else { &jams };
        match speed_at(ours, density) {
            Some(found) => println!(
                "| uo-{name} | {density:.2} | {speed:.2} | {found:.2} | {:+.0} % |",
                100.0 * (found / speed - 1.0)
            ),
            None => println!("| uo-{name} | {density:.2} | {speed:.2} | not so dense in any run | |"),
        }
    }
    println!();
    Ok(())
}
