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
        "A corridor of 40 × 4 m, 300 s; who passes an end comes in again at the other in the same lane, or stays behind the end until there is \
         room and counts as slow as it is. Lane order: how much strips of 0.4 × 5 m are of one direction, 0 to 1, mean of the second half. Wanted are 0.5 m/s at 1 \
         person per square metre and side, 1.2 m/s at a half.\n"
    );
    println!(
        "| persons per m² and side | seed | mean speed [m/s] | every 30 s | lane order | behind the ends at last |"
    );
    println!("|--:|--:|--:|---|--:|--:|");
    let rows = [(1.0, 1), (1.0, 2), (1.0, 3), (1.0, 4), (1.0, 5), (0.5, 1), (0.5, 2)];
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

/// TEMPORARY: where the loss comes from.
pub fn look(given: &Given) -> Result<()> {
    let size = dvec2(40.0, 4.0);
    let walkers = Walkers { count: (given.get("density", 0.5) * 320.0) as usize, radius: 0.2, speed: [1.34, 0.0], two_ways: true };
    let first = given.seed();
    for seed in first..first + given.get("seeds", 1.0) as u64 {
        let config = CrowdConfig { seed, ..given.config()? };
        let mut corridor = Corridor::new(size, walkers, seed, config);
        let names = ["behind ends", "near ends", "same ahead", "opposing ahead", "sideways", "other"];
        let mut loss = [0.0; 6];
        let mut number = [0usize; 6];
        let mut n = 0usize;
        let mut hist = [0usize; 8];
        let mut early = (0.0, 0usize);
        let mut bins: std::collections::BTreeMap<i64, [f64; 7]> = Default::default();
        let mut rows: std::collections::BTreeMap<i64, (f64, f64, f64)> = Default::default();
        for step in 0..18000 {
            corridor.step();
            if step < 1800 { early = (early.0 + corridor.progress(), early.1 + 1); }
            if step < 3600 || step % 30 != 0 { continue; }
            let agents: Vec<_> = corridor.walkers().collect();
            for a in &agents {
                let sign = if a.journey == corridor.journeys[0] { 1.0 } else { -1.0 };
                let v = a.velocity.x * sign;
                let lost = 1.34 - v;
                n += 1;
                hist[((v / 0.2).max(0.0) as usize).min(7)] += 1;
                let dir = a.velocity.normalize_or_zero();
                let heading = dvec2(sign, 0.0);
                let _ = heading;
                let mut limit = (1.34, 0);
                for b in &agents {
                    if b.id == a.id { continue; }
                    let off = b.at.truncate() - a.at.truncate();
                    if off.length() > 2.5 || off.dot(dir) <= 0.0 || off.perp_dot(dir).abs() >= 0.44 { continue; }
                    let opp = b.journey != a.journey;
                    let s = ((off.length() - 0.4) / 0.5).max(if opp { 0.8 } else { 0.1 });
                    if s < limit.0 { limit = (s, if opp { 2 } else { 1 }); }
                }
                let along = if sign > 0.0 { a.at.x } else { 40.0 - a.at.x };
                let kind = if !(0.0..=40.0).contains(&a.at.x) { 0 }
                    else if along < 2.0 { 1 }
                    else if limit.1 == 1 { 2 } else if limit.1 == 2 { 3 }
                    else if a.velocity.y.abs() > 0.2 { 4 } else { 5 };
                let bin = bins.entry(if along < 3.0 { (along * 4.0).floor() as i64 } else if along > 38.0 { 1000 + (along * 4.0).floor() as i64 } else { 100 + (along / 4.0).floor() as i64 }).or_default();
                bin[0] += 1.0; bin[1] += v; bin[2 + limit.1] += 1.0; bin[5] += limit.0; bin[6] += a.velocity.y.abs();
                loss[kind] += lost;
                number[kind] += 1;
                let row = rows.entry((a.at.y / 0.25) as i64).or_default();
                if sign > 0.0 { row.0 += 1.0; } else { row.1 += 1.0; }
                row.2 += v;
            }
        }
        println!("seed {seed}: first 30 s {:.3}, after a minute {:.3}", early.0 / early.1 as f64, 1.34 - loss.iter().sum::<f64>() / n as f64);
        for k in 0..6 {
            println!("   {:15} {:5.1} % of persons, lost {:.4} m/s", names[k], 100.0 * number[k] as f64 / n as f64, loss[k] / n as f64);
        }
        println!("   speeds by 0.2: {:?}", hist.map(|h| (1000.0 * h as f64 / n as f64).round() / 10.0));
        for (k, b) in bins { println!("   along {k}: n {} v {:.3} free {:.2} same {:.2} opp {:.2} law {:.3} side {:.2}", b[0], b[1] / b[0], b[2] / b[0], b[3] / b[0], b[4] / b[0], b[5] / b[0], b[6] / b[0]); }
        if false { for (y, (r, l, v)) in rows { println!("   y {:.2}: right {:.2} left {:.2} per m2, {:.3} m/s", y as f64 * 0.25, r / 480.0 / 10.0, l / 480.0 / 10.0, v / (r + l)); } }
    }
    Ok(())
}
