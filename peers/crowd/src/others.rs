//! The same door by jupedsim (its collision-free speed model) and dodgy_2d (ORCA), in one run.

use crate::{
    python,
    support::{Measured, Random, cpu_seconds, exit_crowd, places, run},
};
use anyhow::{Context as _, Result};
use dodgy_2d::{Agent, AvoidanceOptions, Obstacle, Vec2};
use std::{borrow::Cow, fmt::Write as _, fs};
use wayfare_core::DVec2;
use wayfare_crowd::CrowdConfig;

const SECONDS: f64 = 20.0;
const ROUNDS: usize = 2;
const COUNT: usize = 1000;

/// dodgy_2d only chooses velocities; who is near is found by a grid here, and everybody goes where it wants.
fn dodgy(spots: &[DVec2], width: f64) -> Measured {
    let (low, high) = (0.5 * (20.0 - width) as f32, 0.5 * (20.0 + width) as f32);
    let ground = [
        (0.0, 0.0),
        (0.0, 20.0),
        (20.0, 20.0),
        (20.0, high),
        (20.2, high),
        (20.2, 20.0),
        (40.0, 20.0),
        (40.0, 0.0),
        (20.2, 0.0),
        (20.2, low),
        (20.0, low),
        (20.0, 0.0),
    ];
    let walls = Obstacle::Closed { vertices: ground.map(|(x, y)| Vec2::new(x, y)).to_vec() };
    let walls = [Cow::Borrowed(&walls)];
    let options = AvoidanceOptions { obstacle_margin: 0.2, time_horizon: 2.0, obstacle_time_horizon: 0.5 };
    let start = |p: &DVec2| Agent {
        position: Vec2::new(p.x as f32, p.y as f32),
        velocity: Vec2::ZERO,
        radius: 0.2,
        avoidance_responsibility: 1.0,
    };
    let mut agents: Vec<Agent> = spots.iter().map(start).collect();
    let mut measured = Measured::default();
    const SIDE: usize = 48;
    let square = |p: Vec2| {
        let [x, y] = [p.x, p.y].map(|c| (c.max(0.0) as usize).min(SIDE - 1));
        (x, y)
    };
    for step in 0..(60.0 * SECONDS) as usize {
        let clock = cpu_seconds();
        measured.agent_steps += agents.len();
        let mut grid = vec![Vec::new(); SIDE * SIDE];
        for (k, agent) in agents.iter().enumerate() {
            let (x, y) = square(agent.position);
            grid[y * SIDE + x].push(k);
        }
        let velocities: Vec<Vec2> = agents
            .iter()
            .enumerate()
            .map(|(k, agent)| {
                let (x, y) = square(agent.position);
                let mut near: Vec<(f32, usize)> = Vec::new();
                for row in y.saturating_sub(2)..(y + 3).min(SIDE) {
                    for column in x.saturating_sub(2)..(x + 3).min(SIDE) {
                        for &other in &grid[row * SIDE + column] {
                            let apart = agents[other].position.distance_squared(agent.position);
                            if other != k && apart < 4.0 {
                                near.push((apart, other));
                            }
                        }
                    }
                }
                // As RVO2 does: the nearest ten.
                near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let near: Vec<Cow<'_, Agent>> =
                    near.iter().take(10).map(|&(_, other)| Cow::Borrowed(&agents[other])).collect();
                let aim = if agent.position.x < 20.2 {
                    Vec2::new(20.3, agent.position.y.clamp(low + 0.25, high - 0.25))
                } else {
                    agent.position + Vec2::X
                };
                let wish = (aim - agent.position).normalize_or_zero() * 1.34;
                agent.compute_avoiding_velocity(&near, &walls, wish, 1.34, 1.0 / 60.0, &options)
            })
            .collect();
        for (agent, velocity) in agents.iter_mut().zip(velocities) {
            let before = agent.position.x;
            agent.velocity = velocity;
            agent.position += velocity / 60.0;
            if before < 20.0 && agent.position.x >= 20.0 {
                measured.passed.push(step as f64 / 60.0);
            }
        }
        agents.retain(|agent| agent.position.x < 25.0);
        measured.seconds += cpu_seconds() - clock;
        if step % 60 == 0 {
            for (k, agent) in agents.iter().enumerate() {
                for other in &agents[k + 1..] {
                    let overlap = 0.4 - agent.position.distance(other.position);
                    measured.max_overlap = measured.max_overlap.max(f64::from(overlap));
                }
            }
        }
    }
    measured
}

pub fn table() -> Result<()> {
    println!("## Beside jupedsim and dodgy_2d\n");
    println!(
        "{COUNT} persons, the same places, a room of 20 m, {SECONDS} s at 60 Hz, one thread; microseconds per agent and step, the least of {ROUNDS} \
         rounds in turns; persons per metre and second; the largest overlap of two bodies. wayfare finds its way on the mesh; dodgy_2d, \
         which only avoids (ORCA, 2 s, the nearest ten within 2 m from a grid), is told the nearest point of the door; jupedsim is its collision-free speed model with the \
         numbers it comes with.\n"
    );
    println!("| door [m] | | µs | flow | largest overlap [mm] |\n|--:|---|--:|--:|--:|");
    let spots = places(&[0.2; COUNT], DVec2::ZERO, DVec2::splat(20.0), &mut Random(1));
    let mut text = String::new();
    for p in &spots {
        writeln!(text, "{},{}", p.x, p.y)?;
    }
    let file = python::exchange()?.join("points.csv");
    fs::write(&file, text)?;
    let file = file.to_str().context("a path in Unicode")?;
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for width in [2.0, 1.0] {
        let mut rows = [[f64::INFINITY; 3]; 3];
        for _ in 0..ROUNDS {
            let ours = alone.install(|| {
                let mut exit = exit_crowd(20.0, width, &[0.2; COUNT], 1.34, 1, CrowdConfig::default());
                run(&mut exit.crowd, SECONDS, 20.0, 60)
            });
            let theirs = dodgy(&spots, width);
            let jupedsim = python::ask(&["door", file, &SECONDS.to_string(), &width.to_string()])?;
            let jupedsim: [f64; 3] = jupedsim.try_into().ok().context("three numbers")?;
            let told = |m: &Measured| [m.micros(), m.flow(width), m.max_overlap];
            for (row, new) in rows.iter_mut().zip([told(&ours), told(&theirs), jupedsim]) {
                *row = [row[0].min(new[0]), new[1], new[2]];
            }
        }
        for (name, [micros, flow, overlap]) in ["wayfare", "dodgy_2d", "jupedsim"].iter().zip(rows) {
            println!("| {width} | {name} | {micros:.2} | {flow:.2} | {:.2} |", 1e3 * overlap.max(0.0));
        }
    }
    println!();
    Ok(())
}
