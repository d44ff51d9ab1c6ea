//! The time of a step: by the number of agents, and by the kind of way points.

use crate::{
    Extent,
    given::Given,
    rings::RULES,
    support::{Measured, Random, cpu_seconds, door_room, mesh, places},
};
use anyhow::{Result, ensure};
use wayfare_core::{DVec2, Id as _, dvec2, dvec3};
use wayfare_crowd::{Area, Crowd, CrowdConfig, Goal, Journey, NewAgent};

/// How long doors of a hall are looked at [s].
const FLOW_SECONDS: f64 = 30.0;

/// Rooms of 20 m with a door of 2 m and 1,000 persons each, on one mesh.
fn hall(agents: usize, config: CrowdConfig) -> Result<Crowd> {
    let rooms = agents.div_ceil(1000).max(1);
    let one = door_room(20.0, 2.0);
    let (mut points, mut cells) = (Vec::new(), Vec::new());
    for room in 0..rooms {
        let first = points.len() as u32;
        let shift = dvec3(33.0 * (room % 8) as f64, 21.0 * (room / 8) as f64, 0.0);
        points.extend(one.raw().vertices.iter().map(|&p| p + shift));
        cells.extend(
            one.cells().map(|cell| one.cell_vertices(cell).map(|v| v.0 + first).collect::<Vec<u32>>()),
        );
    }
    let mut crowd = Crowd::new(mesh(&points, &cells), config);
    let spots = places(&[0.2; 1000], DVec2::ZERO, DVec2::splat(20.0), &mut Random(1));
    for room in 0..rooms {
        let shift = dvec2(33.0 * (room % 8) as f64, 21.0 * (room / 8) as f64);
        let area = Area::rectangle(dvec2(25.0, 0.0) + shift, dvec2(32.0, 20.0) + shift);
        let goal = crowd.add_goal(Goal::new(area));
        let journey = crowd.add_journey(Journey::exit(goal))?;
        for &at in spots.iter().take(agents - 1000 * room) {
            crowd.add(NewAgent {
                at: (at + shift).extend(0.0),
                radius: 0.2,
                speed: 1.34,
                journey,
                starts_at: 0.0,
            })?;
        }
    }
    Ok(crowd)
}

/// Microseconds per agent and step over some steps.
fn micros(crowd: &mut Crowd, steps: usize) -> f64 {
    let (mut spent, mut count) = (0.0, 0);
    for _ in 0..steps {
        count += crowd.len();
        let clock = cpu_seconds();
        crowd.step(1.0 / 60.0);
        spent += cpu_seconds() - clock;
        assert!(is_sound(crowd), "bodies overlap or are off the mesh");
    }
    spent * 1e6 / count as f64
}

fn is_sound(crowd: &Crowd) -> bool {
    crowd.report().max_overlap <= 0.001 && crowd.report().off_mesh == 0
}

/// Persons per metre and second at each door of a hall, over the middle 80 % of the passages.
fn flows(agents: usize, seconds: f64) -> Result<Vec<f64>> {
    let mut crowd = hall(agents, CrowdConfig::default())?;
    let mut doors: Vec<Measured> = (0..agents.div_ceil(1000)).map(|_| Measured::default()).collect();
    // Who has not passed yet, by number: a thousand to a room.
    let mut is_inside = vec![true; agents];
    for _ in 0..(60.0 * seconds) as usize {
        crowd.step(1.0 / 60.0);
        ensure!(is_sound(&crowd), "bodies overlap or are off the mesh");
        for agent in crowd.agents() {
            let (k, room) = (agent.id.index(), agent.id.index() / 1000);
            if is_inside[k] && agent.at.x >= 20.0 + 33.0 * (room % 8) as f64 {
                is_inside[k] = false;
                doors[room].passed.push(crowd.time());
            }
        }
    }
    Ok(doors.iter().map(|door| door.flow(2.0)).collect())
}

/// On this thread alone.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(work))
}

pub fn one(given: &Given) -> Result<()> {
    let config = given.config()?;
    let agents = given.get("agents", 1000.0) as usize;
    let steps = (60.0 * given.get("seconds", 5.0)) as usize;
    let micros = alone(|| hall(agents, config).map(|mut crowd| micros(&mut crowd, steps)))??;
    println!("{agents}: {micros:.3} us on one thread");
    Ok(())
}

pub fn table(extent: Extent) -> Result<()> {
    println!("## Time of a step\n");
    println!(
        "Rooms of 20 m with a 2 m door and 1,000 persons each, one thread, microseconds per agent and step; 10 s, 2 s and 1 s, the least of \
         three rounds in turns.\n"
    );
    let sizes = [(1_000, 600), (10_000, 120), (50_000, 60)];
    let mut least = [f64::INFINITY; 3];
    for _ in 0..3 {
        for (least, (agents, steps)) in least.iter_mut().zip(sizes) {
            let found =
                alone(|| hall(agents, CrowdConfig::default()).map(|mut crowd| micros(&mut crowd, steps)))??;
            *least = least.min(found);
        }
    }
    println!("| agents | µs | of that at 1,000 |\n|--:|--:|--:|");
    for ((agents, _), micros) in sizes.iter().zip(least) {
        println!("| {agents} | {micros:.2} | {:.2} |", micros / least[0]);
    }
    println!();
    let sizes: &[usize] = if extent == Extent::Full { &[10_000, 50_000] } else { &[10_000] };
    for &agents in sizes {
        let flows = flows(agents, FLOW_SECONDS)?;
        let [least, most] =
            [f64::min, f64::max].map(|pick| flows.iter().copied().reduce(pick).unwrap_or_default());
        let mean = flows.iter().sum::<f64>() / flows.len() as f64;
        println!(
            "{agents} persons, {} doors, {FLOW_SECONDS} s: {mean:.2} persons per metre and second in the mean, {least:.2} at the slowest door, {most:.2} at the \
             fastest; no overlap over 1 mm, nobody off the mesh.",
            flows.len()
        );
    }
    println!(
        "\nBy way points, 1,000 persons at one door, 10 s; the least of seven rounds in turns. Wanted is at most 5 % above centre.\n"
    );
    let mut least = [f64::INFINITY; RULES.len()];
    for _ in 0..7 {
        for (least, (rule, _)) in least.iter_mut().zip(RULES) {
            let config = CrowdConfig { way_points: rule, ..CrowdConfig::default() };
            let found = alone(|| hall(1000, config).map(|mut crowd| micros(&mut crowd, 600)))??;
            *least = least.min(found);
        }
    }
    println!("| way points | µs | of centre's |\n|---|--:|--:|");
    for ((_, name), micros) in RULES.iter().zip(least) {
        println!("| {name} | {micros:.2} | {:.2} |", micros / least[0]);
    }
    println!();
    Ok(())
}
