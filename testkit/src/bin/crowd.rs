//! `cargo xtask bench crowd`: crowds at doors, for bodies of every size, and how the cost grows with their number.
//!
//! Prints Markdown. Every row checks that nobody overlaps by more than a millimetre.

use std::{fs, sync::Arc, time::Instant};
use wayfare_bake::build_clearance;
use wayfare_core::{Context, DVec2, dvec2, dvec3};
use wayfare_crowd::{Area, Crowd, CrowdConfig, Goal, Journey, NewAgent};
use wayfare_navmesh::{NavMesh, RawNavMesh};
use wayfare_testkit::Random;

/// Steps per second.
const RATE: f64 = 60.0;

fn main() {
    println!(
        "1,000 persons in a room of 20 m, wish speed 1.34 m/s, 60 steps a second, one thread, 60 s: persons per metre and"
    );
    println!(
        "second over the middle 80 % of the passages, the largest overlap, processor time per agent and step.\n"
    );
    println!("| radius [m] | door [m] | through | flow | overlap [mm] | µs |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for radius in [0.15, 0.2, 0.25, 0.3, 0.0] {
        for door in [1.0, 2.0] {
            at_door(radius, door);
        }
    }
    println!("\nMore persons in a hall of as many metres and doors of 2 m every 20 m, 5 s:\n");
    println!("| persons | µs | overlap [mm] |");
    println!("| --- | --- | --- |");
    for bays in [1, 3, 7] {
        hall(bays);
    }
}

/// A room with `bays` × `bays` squares of 20 m, and a door in its right wall for each of the rows.
fn room(bays: usize, door: f64) -> Arc<NavMesh> {
    let side = 20.0 * bays as f64;
    let mut points = vec![dvec3(0., 0., 0.), dvec3(side, 0., 0.)];
    let mut room = vec![0, 1];
    let mut cells = Vec::new();
    let mut yard = Vec::new();
    for bay in 0..bays {
        let middle = 20.0 * bay as f64 + 10.0;
        let first = points.len() as u32;
        for x in [side, side + 0.2] {
            points.extend([middle - door / 2.0, middle + door / 2.0].map(|y| dvec3(x, y, 0.)));
        }
        room.extend([first, first + 1]);
        cells.push(vec![first, first + 2, first + 3, first + 1]);
        yard.extend([first + 2, first + 3]);
    }
    let first = points.len() as u32;
    points.extend([dvec3(side, side, 0.), dvec3(0., side, 0.)]);
    room.extend([first, first + 1]);
    let (near, far) = (side + 0.2, side + 12.2);
    points.extend([(near, 0.), (far, 0.), (far, side), (near, side)].map(|(x, y)| dvec3(x, y, 0.)));
    let mut outside: Vec<u32> = (first + 2..first + 6).collect();
    outside.extend(yard.iter().rev());
    cells.extend([room, outside]);
    let raw = RawNavMesh::from_polygons(&points, &cells).expect("edges match");
    let mut mesh = raw.validate().expect("sound cells");
    let clearance = build_clearance(&mesh, &Context::default()).expect("a small mesh");
    mesh.set_clearance(Some(clearance));
    Arc::new(mesh)
}

/// A crowd on a jittered lattice that wants out.
fn crowd(bays: usize, door: f64, radius: f64) -> Crowd {
    let side = 20.0 * bays as f64;
    let mut crowd = Crowd::new(room(bays, door), CrowdConfig::default());
    let goal = Goal::new(Area::rectangle(dvec2(side + 5.0, -1.0), dvec2(side + 20.0, side + 1.0)));
    let goal = crowd.add_goal(goal);
    let journey = crowd.add_journey(Journey::exit(goal)).expect("the goal is there");
    let mut random = Random::new(1);
    // 32 × 32 places of 0.625 m in each square hold bodies of 0.3 m.
    let places = 32 * bays;
    let mut order: Vec<usize> = (0..places * places).collect();
    random.shuffle(&mut order);
    for &place in &order[..1000 * bays * bays] {
        let radius = if radius > 0.0 { radius } else { random.between(0.15, 0.3) };
        let free = 0.3125 - radius - 0.001;
        let jitter = dvec2(random.between(-free, free), random.between(-free, free));
        let at = (dvec2((place % places) as f64, (place / places) as f64) + 0.5) * 0.625 + jitter;
        let agent = NewAgent { at: at.extend(0.0), radius, speed: 1.34, journey, starts_at: 0.0 };
        crowd.add(agent).expect("a free place");
    }
    crowd
}

fn at_door(radius: f64, door: f64) {
    let mut crowd = crowd(1, door, radius);
    let (mut passed, mut overlap) = (Vec::new(), 0.0f64);
    let (mut seconds, mut agent_steps) = (0.0, 0);
    let mut before: Vec<(u32, DVec2)> = Vec::new();
    for _ in 0..(60.0 * RATE) as usize {
        before.clear();
        before.extend(crowd.agents().map(|agent| (agent.id.0, agent.at.truncate())));
        agent_steps += crowd.len();
        let clock = clock();
        crowd.step(1.0 / RATE);
        seconds += clock();
        overlap = overlap.max(crowd.report().max_overlap);
        let mut now = crowd.agents().peekable();
        for &(id, from) in &before {
            if let Some(agent) = now.next_if(|agent| agent.id.0 == id)
                && from.x < 20.0
                && agent.at.x >= 20.0
            {
                passed.push(crowd.time());
            }
        }
    }
    let (from, to) = (passed.len() / 10, passed.len() - 1 - passed.len() / 10);
    let flow = (to - from) as f64 / (passed[to] - passed[from]) / door;
    assert!(overlap <= 0.001, "{overlap}");
    let size = if radius > 0.0 { radius.to_string() } else { "0.15 to 0.3".into() };
    let micros = seconds * 1e6 / agent_steps as f64;
    println!("| {size} | {door} | {} | {flow:.2} | {:.2} | {micros:.2} |", passed.len(), overlap * 1e3);
}

fn hall(bays: usize) {
    let mut crowd = crowd(bays, 2.0, 0.2);
    let (persons, mut overlap, mut agent_steps) = (crowd.len(), 0.0f64, 0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let seconds = pool.install(|| {
        let clock = clock();
        for _ in 0..(5.0 * RATE) as usize {
            agent_steps += crowd.len();
            crowd.step(1.0 / RATE);
            overlap = overlap.max(crowd.report().max_overlap);
        }
        clock()
    });
    assert!(overlap <= 0.001, "{overlap}");
    println!("| {persons} | {:.2} | {:.2} |", seconds * 1e6 / agent_steps as f64, overlap * 1e3);
}

/// Processor seconds of this thread since now, so that others on the machine do not count; of the wall where the system does
/// not tell.
fn clock() -> impl Fn() -> f64 {
    let cpu = || {
        let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    let (start, wall) = (cpu(), Instant::now());
    move || match (start, cpu()) {
        (Some(start), Some(now)) => (now - start) * 1e-9,
        _ => wall.elapsed().as_secs_f64(),
    }
}
