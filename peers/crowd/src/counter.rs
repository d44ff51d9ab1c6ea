//! Counter-flow in a corridor.

use crate::{
    given::Given,
    support::corridor::{Corridor, Walkers},
};
use anyhow::{Result, ensure};
use rayon::prelude::*;
use wayfare_core::dvec2;
use wayfare_crowd::CrowdConfig;

struct Counted {
    speed: f64,
    /// Every 30 s.
    windows: Vec<f64>,
    order: f64,
    waiting: usize,
}

fn count(mut corridor: Corridor, seconds: f64) -> Result<Counted> {
    let mut windows = vec![(0.0, 0usize); (seconds / 30.0).ceil() as usize];
    let (mut order, mut looks) = (0.0, 0.0);
    let steps = (60.0 * seconds) as usize;
    for step in 0..steps {
        corridor.step();
        ensure!(corridor.crowd.report().max_overlap <= 0.001, "bodies overlap");
        let window = &mut windows[step / 1800];
        *window = (window.0 + corridor.progress(), window.1 + 1);
        if 2 * step > steps && step % 60 == 0 {
            (order, looks) = (order + corridor.order(), looks + 1.0);
        }
    }
    let (sum, all) = windows.iter().fold((0.0, 0), |(sum, all), window| (sum + window.0, all + window.1));
    Ok(Counted {
        speed: sum / all as f64,
        windows: windows.iter().map(|&(sum, all)| sum / all as f64).collect(),
        order: order / looks,
        waiting: corridor.waiting(),
    })
}

impl std::fmt::Display for Counted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let windows: Vec<String> = self.windows.iter().map(|speed| format!("{speed:.2}")).collect();
        write!(f, "{:.2} | {} | {:.2} | {}", self.speed, windows.join(" "), self.order, self.waiting)
    }
}

pub fn one(given: &Given) -> Result<()> {
    let size = dvec2(given.get("length", 40.0), given.get("width", 4.0));
    let two_ways = given.get("one_way", 0.0) == 0.0;
    let walkers = Walkers {
        count: (given.get("density", 1.0) * size.x * size.y) as usize * if two_ways { 2 } else { 1 },
        radius: given.get("radius", 0.2),
        speed: [given.get("speed", 1.34), given.get("spread", 0.0)],
        two_ways,
    };
    let seeds: Vec<u64> = (given.seed()..given.seed() + given.get("seeds", 1.0) as u64).collect();
    let config = given.config()?;
    let counted: Vec<Result<Counted>> = seeds
        .par_iter()
        .map(|&seed| {
            let corridor = Corridor::new(size, walkers, seed, CrowdConfig { seed, ..config.clone() });
            count(corridor, given.get("seconds", 300.0))
        })
        .collect();
    for counted in counted {
        println!("{}", counted?);
    }
    Ok(())
}

pub fn table() -> Result<()> {
    println!("## Counter-flow\n");
    println!(
        "A corridor of 40 × 4 m whose ends are joined, 300 s; who finds no room across the joint stays behind the end until there is some and counts as slow as it is. Lane order: how much strips of 0.4 × 5 m are of one direction, 0 to 1, mean of the second half. Wanted are 0.5 m/s at 1 \
         person per square metre and side, 1.2 m/s at a half.\n"
    );
    println!(
        "| persons per m² and side | seed | mean speed [m/s] | every 30 s | lane order | behind the ends at last |"
    );
    println!("|--:|--:|--:|---|--:|--:|");
    let rows =
        [(1.0, 1), (1.0, 2), (1.0, 3), (1.0, 4), (1.0, 5), (0.5, 1), (0.5, 2), (0.5, 3), (0.5, 4), (0.5, 5)];
    let counted: Vec<Result<Counted>> = rows
        .par_iter()
        .map(|&(density, seed)| {
            let walkers = Walkers {
                count: (density * 320.0) as usize,
                radius: 0.2,
                speed: [1.34, 0.0],
                two_ways: true,
            };
            let config = CrowdConfig { seed, ..CrowdConfig::default() };
            count(Corridor::new(dvec2(40.0, 4.0), walkers, seed, config), 300.0)
        })
        .collect();
    for ((density, seed), counted) in rows.iter().zip(counted) {
        println!("| {density} | {seed} | {} |", counted?);
    }
    println!();
    Ok(())
}
