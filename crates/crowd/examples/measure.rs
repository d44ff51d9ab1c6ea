//! Measures a crowd: flows at doors, counter-flow, time per agent and step.
//!
//! ```text
//! cargo run --release --example measure -p wayfare-crowd -- door radius=0.2 door=2 agents=1000 seconds=60 seed=1
//! cargo run --release --example measure -p wayfare-crowd -- counter density=1 seconds=300 headway=0.5
//! cargo run --release --example measure -p wayfare-crowd -- hall agents=10000 seconds=5
//! ```
//! `radius=0` draws radii from 0.15 to 0.3 m. Numbers of the default model are set by their names.

#[path = "../tests/crowd/support/mod.rs"]
mod support;

use std::{collections::BTreeMap, env};
use support::{Measured, Random, cpu_seconds, door_room, exit_crowd, mesh, places, run};
use wayfare_core::{DVec2, dvec2, dvec3};
use wayfare_crowd::{
    Area, Crowd, CrowdConfig, Goal, Journey, JourneyId, MovementChoice, NewAgent,
    movement::predictive::PredictiveConfig,
};

/// `name=value` from the command line.
struct Given(BTreeMap<String, f64>);

impl Given {
    fn get(&self, name: &str, usual: f64) -> f64 {
        self.0.get(name).copied().unwrap_or(usual)
    }
    fn config(&self) -> CrowdConfig {
        let usual = PredictiveConfig::default();
        let numbers = PredictiveConfig {
            sight: self.get("sight", usual.sight),
            interval: self.get("interval", usual.interval),
            horizon: self.get("horizon", usual.horizon),
            right: self.get("right", usual.right),
            headway: self.get("headway", usual.headway),
            headway_power: self.get("headway_power", usual.headway_power),
            strip: self.get("strip", usual.strip),
            creep: self.get("creep", usual.creep),
            slide: self.get("slide", usual.slide),
            relaxation: self.get("relaxation", usual.relaxation),
            acceleration: self.get("acceleration", usual.acceleration),
            patience: self.get("patience", usual.patience),
            margin: self.get("margin", usual.margin),
        };
        assert!(numbers.is_sound(), "a number is out of its range");
        CrowdConfig {
            movement: MovementChoice::Predictive(numbers),
            seed: self.get("seed", 1.0) as u64,
            ..CrowdConfig::default()
        }
    }
}

fn main() {
    let mut words = env::args().skip(1);
    let scene = words.next().unwrap_or_default();
    let pairs = words.filter_map(|word| {
        let (name, value) = word.split_once('=')?;
        Some((name.to_owned(), value.parse().ok()?))
    });
    let given = Given(pairs.collect());
    match scene.as_str() {
        "door" => door(&given),
        "counter" => counter(&given),
        "hall" => hall(&given),
        _ => eprintln!("door, counter or hall"),
    }
}

fn tell(name: &str, measured: &Measured, width: f64) {
    println!(
        "{name}: {} passed, {:.3} p/(m s), longest pause {:.1} s, overlap {:.2e} m, walls {:.2e} m, off {}, {:.3} us",
        measured.passed.len(),
        measured.flow(width),
        measured.longest_pause(),
        measured.max_overlap,
        measured.max_wall_overlap,
        measured.off_mesh,
        measured.micros()
    );
}

fn door(given: &Given) {
    let (radius, width) = (given.get("radius", 0.2), given.get("door", 2.0));
    let mut random = Random(3);
    let size = |random: &mut Random| if radius > 0.0 { radius } else { random.between(0.15, 0.3) };
    let people: Vec<f64> = (0..given.get("agents", 1000.0) as usize).map(|_| size(&mut random)).collect();
    let seed = given.get("seed", 1.0) as u64;
    let mut exit = exit_crowd(20.0, width, &people, given.get("speed", 1.34), seed, given.config());
    tell(
        &format!("door {width} radius {radius} seed {seed}"),
        &run(&mut exit.crowd, given.get("seconds", 60.0), 20.0, 600),
        width,
    );
}

/// Two ways in a corridor: who arrives comes in again at the other end.
fn counter(given: &Given) {
    let (length, width) = (given.get("length", 40.0), given.get("width", 4.0));
    let points = [(0., 0.), (length, 0.), (length, width), (0., width)].map(|(x, y)| dvec3(x, y, 0.0));
    let mut crowd = Crowd::new(mesh(&points, &[vec![0, 1, 2, 3]]), given.config());
    let right = crowd
        .add_goal(Goal::new(Area::rectangle(dvec2(length - 0.5, -1.0), dvec2(length + 1.0, width + 1.0))));
    let left = crowd.add_goal(Goal::new(Area::rectangle(dvec2(-1.0, -1.0), dvec2(0.5, width + 1.0))));
    let journeys =
        [right, left].map(|goal| crowd.add_journey(Journey::exit(goal)).expect("the goal is there"));
    let mut random = Random(given.get("seed", 1.0) as u64);
    let (radius, speed, spread) =
        (given.get("radius", 0.2), given.get("speed", 1.34), given.get("spread", 0.0));
    let ways = if given.get("one_way", 0.0) > 0.0 { 1 } else { 2 };
    let count = (given.get("density", 1.0) * length * width) as usize * ways;
    let newcomer = |at: DVec2, journey: JourneyId, speed: f64| NewAgent {
        at: at.extend(0.0),
        radius,
        speed,
        journey,
        starts_at: 0.0,
    };
    let spots = places(&vec![radius; count], DVec2::ZERO, dvec2(length, width), &mut random);
    for (k, at) in spots.into_iter().enumerate() {
        let speed = speed + spread * (random.unit() + random.unit() + random.unit() - 1.5) * 2.0;
        crowd.add(newcomer(at, journeys[k % ways], speed)).expect("a free place");
    }
    let mut waiting: Vec<(JourneyId, f64)> = Vec::new();
    let seconds = given.get("seconds", 300.0);
    let (mut sum, mut looks, mut spent, mut steps, mut overlap) = (0.0, 0usize, 0.0, 0usize, 0.0f64);
    let mut windows: Vec<(f64, usize)> = vec![(0.0, 0); (seconds / 30.0).ceil() as usize];
    let mut order = 0.0;
    for step in 0..(seconds * 60.0) as usize {
        let clock = cpu_seconds();
        steps += crowd.len();
        crowd.step(1.0 / 60.0);
        spent += cpu_seconds() - clock;
        overlap = overlap.max(crowd.report().max_overlap);
        waiting.extend(crowd.report().left.iter().map(|left| (left.journey, left.at.y)));
        // In the same lane, or beside it.
        waiting.retain(|&(journey, y)| {
            !(0..8).any(|k| {
                let x = random.between(radius, 1.2);
                let y = (y + 0.1 * f64::from(k) * (random.unit() - 0.5)).clamp(radius, width - radius);
                let at = dvec2(if journey == journeys[0] { x } else { length - x }, y);
                crowd.add(newcomer(at, journey, speed)).is_ok()
            })
        });
        let forward = |agent: &wayfare_crowd::Agent| {
            if agent.journey == journeys[0] { agent.velocity.x } else { -agent.velocity.x }
        };
        let all: f64 = crowd.agents().map(|agent| forward(&agent)).sum();
        (sum, looks) = (sum + all, looks + crowd.len());
        let window = &mut windows[(step as f64 / 1800.0) as usize];
        *window = (window.0 + all, window.1 + crowd.len());
        // Lanes: how much each strip of 0.4 m is of one direction, in pieces of 5 m.
        if step % 600 == 599 {
            let mut strips: BTreeMap<(i64, i64), [f64; 2]> = BTreeMap::new();
            for agent in crowd.agents() {
                let strip = ((agent.at.y / 0.4) as i64, (agent.at.x / 5.0) as i64);
                strips.entry(strip).or_default()[usize::from(agent.journey == journeys[0])] += 1.0;
            }
            let total: f64 = strips.values().map(|[a, b]| a + b).sum();
            order = strips.values().map(|[a, b]| (a - b) * (a - b) / (a + b)).sum::<f64>() / total;
        }
    }
    let windows: Vec<String> =
        windows.iter().map(|(sum, looks)| format!("{:.2}", sum / *looks as f64)).collect();
    println!(
        "counter {} + {}: {:.3} m/s, every 30 s {}, lanes {order:.2}, waiting {}, overlap {overlap:.1e} m, {:.3} us",
        count / ways,
        count - count / ways,
        sum / looks as f64,
        windows.join(" "),
        waiting.len(),
        spent * 1e6 / steps as f64
    );
}

/// Rooms of 20 m with a door of 2 m each, side by side: only the time is of interest.
fn hall(given: &Given) {
    let agents = given.get("agents", 10_000.0) as usize;
    let rooms = agents.div_ceil(1000).max(1);
    // One mesh of many copies of the room with its door.
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
    let mut crowd = Crowd::new(mesh(&points, &cells), given.config());
    let mut random = Random(1);
    let spots = places(&[0.2; 1000], DVec2::ZERO, DVec2::splat(20.0), &mut random);
    for room in 0..rooms {
        let shift = dvec2(33.0 * (room % 8) as f64, 21.0 * (room / 8) as f64);
        let area = Area::rectangle(dvec2(25.0, 0.0) + shift, dvec2(32.0, 20.0) + shift);
        let goal = crowd.add_goal(Goal::new(area));
        let journey = crowd.add_journey(Journey::exit(goal)).expect("the goal is there");
        for &at in spots.iter().take(agents - 1000 * room) {
            let agent =
                NewAgent { at: (at + shift).extend(0.0), radius: 0.2, speed: 1.34, journey, starts_at: 0.0 };
            crowd.add(agent).expect("a free place");
        }
    }
    let (mut spent, mut steps) = (0.0, 0usize);
    for _ in 0..(given.get("seconds", 5.0) * 60.0) as usize {
        let clock = cpu_seconds();
        steps += crowd.len();
        crowd.step(1.0 / 60.0);
        spent += cpu_seconds() - clock;
    }
    println!("hall {agents}: {:.3} us on one thread", spent * 1e6 / steps as f64);
}
