//! Round a corner (RiMEA 15): a crowd should take no longer than on a straight way as long as the corner's outer side.

use crate::{given::Given, support::rooms};
use anyhow::{Result, ensure};
use rayon::prelude::*;
use wayfare_crowd::{
    MovementChoice,
    scenario::{Scenario, Simulation},
};

/// Seconds until so many persons have left, on ground of rectangles.
fn seconds(
    ground: &[[f64; 4]],
    end: [f64; 4],
    persons: usize,
    seed: u64,
    movement: &MovementChoice,
) -> Result<f64> {
    let text = format!(
        "duration = 900\nseed = {seed}\n[[exit]]\nname = 'end'\nrectangle = {end:?}\n[[spawn]]\nrectangle = [0.2, 0.2, 19.8, 5.8]\n\
         number = {persons}\n"
    );
    let mut simulation =
        Simulation::new(Scenario { movement: movement.clone(), ..Scenario::parse(&text)? }, rooms(ground))?;
    let placed = simulation.crowd().len();
    ensure!(placed == persons, "there is room for {placed} only");
    while simulation.step(|_| ())? {}
    ensure!(simulation.crowd().is_empty(), "somebody is still there");
    Ok(simulation.crowd().time())
}

/// The short way, the corner and the long way.
fn ways(persons: usize, seed: u64, movement: &MovementChoice) -> Result<[f64; 3]> {
    Ok([
        seconds(&[[0.0, 0.0, 48.0, 6.0]], [46.0, 0.0, 48.0, 6.0], persons, seed, movement)?,
        seconds(
            &[[0.0, 0.0, 34.0, 6.0], [28.0, 0.0, 34.0, 25.0]],
            [28.0, 23.0, 34.0, 25.0],
            persons,
            seed,
            movement,
        )?,
        seconds(&[[0.0, 0.0, 57.0, 6.0]], [55.0, 0.0, 57.0, 6.0], persons, seed, movement)?,
    ])
}

pub fn one(given: &Given) -> Result<()> {
    let (persons, movement) = (given.get("agents", 150.0) as usize, given.config()?.movement);
    let seeds: Vec<u64> = (given.seed()..given.seed() + given.get("seeds", 1.0) as u64).collect();
    let found: Vec<[f64; 3]> =
        seeds.par_iter().map(|&seed| ways(persons, seed, &movement)).collect::<Result<_>>()?;
    for (seed, [short, corner, long]) in seeds.iter().zip(found) {
        println!(
            "seed {seed}: short {short:.1} s, corner {corner:.1} s, long {long:.1} s, {:+.1}",
            corner - long
        );
    }
    Ok(())
}

pub fn table() -> Result<()> {
    println!("## Round a corner\n");
    println!(
        "RiMEA 15: a corridor of 6 m, straight and short, round a corner, straight and as long as the corner's outer side. Seconds until all have \
         left; wanted is short ≤ corner ≤ long.\n"
    );
    println!("| persons | seed | short [s] | corner [s] | long [s] |\n|--:|--:|--:|--:|--:|");
    for (persons, seed) in
        [(150, 1), (150, 2), (150, 3), (500, 1), (500, 2), (500, 3), (500, 4), (500, 5), (500, 6)]
    {
        let [short, corner, long] = ways(persons, seed, &MovementChoice::default())?;
        println!("| {persons} | {seed} | {short:.1} | {corner:.1} | {long:.1} |");
    }
    println!();
    Ok(())
}
