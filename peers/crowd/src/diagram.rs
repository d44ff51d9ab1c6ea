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
use std::path::PathBuf;
use wayfare_core::dvec2;
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
fn run(k: usize) -> Result<[f64; 2]> {
    let (trajectories, simulation) = walk(RUNS[k], 1, MovementChoice::default())?;
    measure_ours(&trajectories, simulation.crowd().mesh(), &format!("corridor-{k}"), 0.0)
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

/// A corridor of 40 m whose ends are joined, filled: half a minute after another.
fn filled(density: f64) -> Result<[f64; 2]> {
    let walkers =
        Walkers { count: (density * 72.0) as usize, radius: 0.2, speed: [1.55, 0.18], two_ways: false };
    let mut corridor = Corridor::new(dvec2(40.0, 1.8), walkers, 1, CrowdConfig::default());
    let mut trajectories = Trajectories { frame_rate: 15.0, ..Trajectories::default() };
    for step in 0..3600 {
        corridor.step();
        if step >= 1800 && step % 4 == 0 {
            trajectories.add(Frame { number: step / 4, crowd: &corridor.crowd });
        }
    }
    measure_ours(&trajectories, corridor.crowd.mesh(), &format!("filled-{density}"), 16.0)
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
         experiments did. Density and speed by PedPy (Voronoi) from our SQLite files, 2 m before the exit, middle 40 % of the frames; and in a corridor of 40 × 1.8 m whose \
         ends are joined, filled with so many persons, after 30 s.\n"
    );
    println!(
        "| entrance [m] | exit [m] | density [1/m²] | speed [m/s] | flow [1/(m s)] |\n|--:|--:|--:|--:|--:|"
    );
    let runs: Vec<[f64; 2]> = (0..RUNS.len()).into_par_iter().map(run).collect::<Result<_>>()?;
    for ([entrance, exit], [density, speed]) in RUNS.iter().zip(&runs) {
        println!("| {entrance} | {exit} | {density:.2} | {speed:.2} | {:.2} |", density * speed);
    }
    let dense: Vec<[f64; 2]> = FILLED.par_iter().map(|&density| filled(density)).collect::<Result<_>>()?;
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
        let after = ours.partition_point(|run| run[0] < density);
        let found = match (after.checked_sub(1).map(|k| ours[k]), ours.get(after)) {
            (Some(a), Some(b)) => Some(a[1] + (b[1] - a[1]) * (density - a[0]) / (b[0] - a[0])),
            // Thinner than any run: as fast as in the thinnest.
            (None, Some(b)) => Some(b[1]),
            _ => None,
        };
        match found {
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
