//! Flows at doors for bodies of every size.

use crate::{
    Extent,
    given::Given,
    support::{Measured, Random, exit_crowd, run},
};
use anyhow::{Result, ensure};
use rayon::prelude::*;
use wayfare_crowd::CrowdConfig;

const SECONDS: f64 = 40.0;

/// Radii of so many persons; 0 is mixed, 0.15 to 0.3 m.
fn people(radius: f64, count: usize) -> Vec<f64> {
    let mut random = Random(3);
    (0..count).map(|_| if radius > 0.0 { radius } else { random.between(0.15, 0.3) }).collect()
}

pub fn one(given: &Given) -> Result<()> {
    let (radius, width) = (given.get("radius", 0.2), given.get("door", 2.0));
    let people = people(radius, given.get("agents", 1000.0) as usize);
    let mut exit = exit_crowd(20.0, width, &people, given.get("speed", 1.34), given.seed(), given.config()?);
    let measured = run(&mut exit.crowd, given.get("seconds", 60.0), 20.0, 600);
    println!(
        "{} passed, {:.3} p/(m s), longest pause {:.1} s, overlap {:.2e} m, walls {:.2e} m, off {}, {:.3} us",
        measured.passed.len(),
        measured.flow(width),
        measured.longest_pause(),
        measured.max_overlap,
        measured.max_wall_overlap,
        measured.off_mesh,
        measured.micros()
    );
    Ok(())
}

pub fn table(extent: Extent) -> Result<()> {
    // All that a narrow door needs for a thousand.
    let (seconds, until) = if extent == Extent::Full {
        (1000.0, "until all have left".into())
    } else {
        (SECONDS, format!("in {SECONDS} s"))
    };
    println!("## Doors\n");
    println!(
        "A room of 20 × 20 m with a door. Persons per metre and second over the middle 80 % of the passages {until}, three seeds; \
         the longest pause between two passages. Wanted are 1.3 to 1.9. Overlaps are looked for in every step among those who can \
         touch, and by brute force every ten seconds.\n"
    );
    println!(
        "| radius [m] | persons | 1 m door | longest pause [s] | 2 m door | longest pause [s] | largest overlap [m] |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (radius, name, count) in [
        (0.15, "0.15", 1000),
        (0.2, "0.2", 1000),
        (0.25, "0.25", 1000),
        (0.3, "0.3", 700),
        (0.0, "0.15 to 0.3", 1000),
    ] {
        let runs: Vec<(f64, u64)> =
            [1.0, 2.0].into_iter().flat_map(|door| (1..=3).map(move |seed| (door, seed))).collect();
        let measured: Vec<Measured> = runs
            .par_iter()
            .map(|&(door, seed)| {
                let config = CrowdConfig { seed, ..CrowdConfig::default() };
                let mut exit = exit_crowd(20.0, door, &people(radius, count), 1.34, seed, config);
                run(&mut exit.crowd, seconds, 20.0, 600)
            })
            .collect();
        let flows = |of: &[Measured], door: f64| {
            let flows: Vec<String> = of.iter().map(|m| format!("{:.2}", m.flow(door))).collect();
            flows.join(", ")
        };
        let pause = |of: &[Measured]| of.iter().map(Measured::longest_pause).fold(0.0, f64::max);
        let overlap = measured.iter().map(|m| m.max_overlap.max(m.max_wall_overlap)).fold(0.0, f64::max);
        ensure!(
            overlap <= 0.001 && measured.iter().all(|m| m.off_mesh == 0),
            "bodies overlap by {overlap} m"
        );
        let (narrow, wide) = measured.split_at(3);
        println!(
            "| {name} | {count} | {} | {:.1} | {} | {:.1} | {overlap:.0e} |",
            flows(narrow, 1.0),
            pause(narrow),
            flows(wide, 2.0),
            pause(wide)
        );
    }
    println!();
    Ok(())
}

/// Doors through which two bodies fit side by side or just not: where arches stand if nobody gives way.
pub fn narrow() -> Result<()> {
    const SEEDS: u64 = 10;
    println!("## Narrow doors\n");
    println!(
        "350 persons in a room of 14 × 14 m, {SEEDS} seeds: the least, mean and largest flow, and the longest pause in any of \
         them.\n"
    );
    println!(
        "| radius [m] | door [m] | least | mean | largest | longest pause [s] |\n|---|--:|--:|--:|--:|--:|"
    );
    for (radius, name) in [(0.25, "0.25"), (0.3, "0.3"), (0.0, "0.15 to 0.3")] {
        for door in [0.8, 1.0, 1.2] {
            let seeds: Vec<u64> = (1..=SEEDS).collect();
            let measured: Vec<Measured> = seeds
                .par_iter()
                .map(|&seed| {
                    let config = CrowdConfig { seed, ..CrowdConfig::default() };
                    let mut exit = exit_crowd(14.0, door, &people(radius, 350), 1.34, seed, config);
                    run(&mut exit.crowd, SECONDS, 14.0, 600)
                })
                .collect();
            let flows: Vec<f64> = measured.iter().map(|measured| measured.flow(door)).collect();
            let least = flows.iter().copied().fold(f64::INFINITY, f64::min);
            let most = flows.iter().copied().fold(0.0, f64::max);
            let pause = measured.iter().map(Measured::longest_pause).fold(0.0, f64::max);
            let mean = flows.iter().sum::<f64>() / SEEDS as f64;
            println!("| {name} | {door} | {least:.2} | {mean:.2} | {most:.2} | {pause:.1} |");
        }
    }
    println!();
    Ok(())
}
