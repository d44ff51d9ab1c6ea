//! Single file (RiMEA 16): the oval of the standard, beside the speeds of people.

use crate::{
    given::Given,
    support::oval::{LENGTH, Oval, people},
};
use anyhow::{Result, ensure};
use rayon::prelude::*;
use wayfare_crowd::CrowdConfig;

/// Wish speeds of RiMEA [m/s].
const SPEED: [f64; 2] = [1.34, 0.26];
/// Seconds before and while it is measured.
const SECONDS: [f64; 2] = [60.0, 60.0];
const COUNTS: [usize; 6] = [10, 20, 30, 40, 50, 60];
const SEEDS: u64 = 5;

/// The mean speed along the middle line [m/s].
fn walk(count: usize, radius: f64, speed: [f64; 2], config: CrowdConfig) -> Result<f64> {
    let mut oval = Oval::new(count, radius, speed, config);
    let mut sum = 0.0;
    for step in 0..(60.0 * (SECONDS[0] + SECONDS[1])) as usize {
        let gained = oval.step();
        ensure!(
            oval.crowd.len() == count && oval.crowd.report().max_overlap <= 0.001,
            "nobody leaves or overlaps"
        );
        if step as f64 >= 60.0 * SECONDS[0] {
            sum += gained;
        }
    }
    Ok(sum / count as f64 / SECONDS[1])
}

pub fn one(given: &Given) -> Result<()> {
    let (radius, speed) =
        (given.get("radius", 0.2), [given.get("speed", SPEED[0]), given.get("spread", SPEED[1])]);
    let seeds: Vec<u64> = (given.seed()..given.seed() + given.get("seeds", 1.0) as u64).collect();
    for count in (10..=60).step_by(given.get("by", 10.0) as usize) {
        let config = given.config()?;
        let walk = |&seed: &u64| walk(count, radius, speed, CrowdConfig { seed, ..config.clone() });
        let found: Vec<f64> = seeds.par_iter().map(walk).collect::<Result<_>>()?;
        let [slow, middle, fast] = people(count as f64 / LENGTH);
        let words: Vec<String> = found.iter().map(|v| format!("{v:.2}")).collect();
        println!(
            "{count}: {:.2} /m, people {slow:.2} {middle:.2} {fast:.2}, ours {}",
            count as f64 / LENGTH,
            words.join(" ")
        );
    }
    Ok(())
}

pub fn table() -> Result<()> {
    println!("## Single file\n");
    println!(
        "RiMEA 16: an oval with a middle line of {LENGTH:.2} m, 0.8 m wide, wish speeds of {} ± {} m/s; mean speed along the middle line over {} s after \
         {} s, seeds 1 to {SEEDS}, beside those that a tenth, a half and nine tenths of people go below at that density.\n",
        SPEED[0], SPEED[1], SECONDS[1], SECONDS[0]
    );
    println!("| persons | per m | people: 10 % | 50 % | 90 % | wayfare [m/s] |\n|--:|--:|--:|--:|--:|---|");
    for count in COUNTS {
        let seeds: Vec<u64> = (1..=SEEDS).collect();
        let walk = |&seed: &u64| walk(count, 0.2, SPEED, CrowdConfig { seed, ..CrowdConfig::default() });
        let found: Vec<f64> = seeds.par_iter().map(walk).collect::<Result<_>>()?;
        let density = count as f64 / LENGTH;
        let [slow, middle, fast] = people(density);
        let words: Vec<String> = found.iter().map(|speed| format!("{speed:.2}")).collect();
        println!("| {count} | {density:.2} | {slow:.2} | {middle:.2} | {fast:.2} | {} |", words.join(", "));
    }
    println!();
    Ok(())
}
