//! The paper's cross: bodies of four sizes between obstacles, each from goal to goal.

use crate::{rings::RULES, support::Random, table::Mean};
use anyhow::{Context as _, Result, ensure};
use rayon::prelude::*;
use std::{f64::consts::TAU, sync::Arc};
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::{Context, DVec2, dvec2, ops};
use wayfare_crowd::{
    Crowd, CrowdConfig, Goal, Journey, JourneyId, MovementChoice, NewAgent, WayPointRule,
    movement::forces::ForcesConfig,
};
use wayfare_floor::build_plan;
use wayfare_geom::Polygon;
use wayfare_navmesh::NavMesh;
use wayfare_scene::PlanSource;

const OBSTACLES: usize = 70;
const GOALS: usize = 24;
const RADII: [f64; 4] = [2.0, 1.5, 1.0, 0.5];
const SEEDS: u64 = 10;
const SECONDS: f64 = 40.0;

/// Two arms of 20 × 100 m with convex obstacles, as the generator makes its mesh.
fn cross(seed: u64) -> Result<(Arc<NavMesh>, Vec<DVec2>)> {
    let outline = [
        (-10.0, -50.0),
        (10.0, -50.0),
        (10.0, -10.0),
        (50.0, -10.0),
        (50.0, 10.0),
        (10.0, 10.0),
        (10.0, 50.0),
        (-10.0, 50.0),
        (-10.0, 10.0),
        (-50.0, 10.0),
        (-50.0, -10.0),
        (-10.0, -10.0),
    ];
    let mut random = Random(seed);
    let mut place = |edge: f64| {
        let (long, across) =
            (random.between(-50.0 + edge, 50.0 - edge), random.between(-10.0 + edge, 10.0 - edge));
        if random.unit() < 0.5 { dvec2(long, across) } else { dvec2(across, long) }
    };
    let mut obstacles: Vec<(DVec2, f64)> = Vec::new();
    let mut tries = 0;
    while obstacles.len() < OBSTACLES && tries < 100_000 {
        tries += 1;
        let at = place(2.0);
        let size = 0.6 + 0.8 * (at.x * 7.3 + at.y * 3.1).rem_euclid(1.0);
        // So near that large bodies must go round some of them.
        if obstacles.iter().all(|(other, radius)| other.distance(at) > size + radius + 2.2) {
            obstacles.push((at, size));
        }
    }
    let mut goals = Vec::new();
    while goals.len() < GOALS {
        let at = place(2.5);
        if obstacles.iter().all(|(other, radius)| other.distance(at) > radius + 2.1) {
            goals.push(at);
        }
    }
    let mut random = Random(seed ^ 0xc0ffee);
    let holes = obstacles
        .iter()
        .map(|&(at, radius)| {
            let (corners, first) = (3 + (random.unit() * 4.0) as u32, random.unit());
            // Clockwise, on a circle: convex.
            (0..corners)
                .map(|k| {
                    let angle = -TAU * (f64::from(k) + first + 0.3 * random.unit()) / f64::from(corners);
                    at + dvec2(ops::cos(angle), ops::sin(angle)) * radius
                })
                .collect()
        })
        .collect();
    let outer = outline.iter().map(|&(x, y)| dvec2(x, y)).collect();
    let polygon = Polygon { outer, holes };
    let context = Context::default();
    let (plan, _) = build_plan(&PlanSource::from_polygons(vec![polygon]), &context)?;
    let mesh = bake(&plan, &BakeConfig::default(), &context)?;
    Ok((Arc::new(mesh), goals))
}

struct Ran {
    agents: usize,
    /// Metres gained towards the goal, per agent and second.
    speed: f64,
    contacts: f64,
    walls: f64,
}

fn walk(mesh: &Arc<NavMesh>, goals: &[DVec2], count: usize, config: CrowdConfig) -> Result<Ran> {
    let mut random = Random(config.seed);
    let mut crowd = Crowd::new(mesh.clone(), config);
    let journeys: Vec<JourneyId> = goals
        .iter()
        .map(|at| {
            let goal = crowd.add_goal(Goal::point(at.extend(0.0), 1.5));
            crowd.add_journey(Journey { at_end: wayfare_crowd::AtEnd::Stay, ..Journey::exit(goal) })
        })
        .collect::<Result<_, _>>()?;
    let mut to = Vec::new();
    for k in 0..count {
        let radius = RADII[4 * k / count];
        for _ in 0..2000 {
            let (long, across) = (random.between(-50.0, 50.0), random.between(-10.0, 10.0));
            let at = if random.unit() < 0.5 { dvec2(long, across) } else { dvec2(across, long) };
            let goal = (random.unit() * GOALS as f64) as usize;
            let agent =
                NewAgent { at: at.extend(0.0), radius, speed: 1.34, journey: journeys[goal], starts_at: 0.0 };
            if crowd.add(agent).is_ok() {
                to.push(goal);
                break;
            }
        }
    }
    let (mut gained, mut contacts, mut walls) = (0.0, 0, 0);
    let steps = (60.0 * SECONDS) as usize;
    for _ in 0..steps {
        let before: Vec<DVec2> = crowd.agents().map(|agent| agent.at.truncate()).collect();
        crowd.step(1.0 / 60.0);
        ensure!(crowd.report().max_overlap <= 0.001 && crowd.len() == to.len(), "nobody leaves or overlaps");
        contacts += crowd.report().agent_contacts;
        walls += crowd.report().wall_contacts;
        let mut arrived = Vec::new();
        for (k, agent) in crowd.agents().enumerate() {
            let at = agent.at.truncate();
            gained += agent.heading.dot(at - before[k]);
            if at.distance(goals[to[k]]) < 1.5 {
                arrived.push((k, agent.id));
            }
        }
        for (k, id) in arrived {
            to[k] = (to[k] + 1 + (random.unit() * (GOALS - 1) as f64) as usize) % GOALS;
            crowd.retarget(id, journeys[to[k]])?;
        }
    }
    let ticks = steps as f64;
    Ok(Ran {
        agents: to.len(),
        speed: gained / SECONDS / to.len().max(1) as f64,
        contacts: contacts as f64 / ticks,
        walls: walls as f64 / ticks,
    })
}

pub fn table() -> Result<()> {
    let (exact, goals) = cross(1)?;
    let mut simple = (*exact).clone();
    simple.set_clearance(None);
    let simple = Arc::new(simple);
    println!("## The paper's cross\n");
    println!(
        "Two arms of 20 × 100 m, {OBSTACLES} convex obstacles, {} cells and {} portals; radii 0.5, 1, 1.5 and 2 m, a quarter each, from one \
         of {GOALS} goals to the next, forces, {SECONDS} s, {SEEDS} seeds. Progress: how fast one comes nearer to its way point [m/s]. Contacts \
         of bodies, and of bodies and geometry, per tick.\n",
        exact.cell_count(),
        exact.portals().len()
    );
    println!(
        "| persons | portals | way points | progress | contacts | geometry contacts |\n|--:|---|---|--:|--:|--:|"
    );
    for count in [25, 75, 125, 175, 250] {
        for (mesh, portals) in [(&simple, "simple"), (&exact, "exact")] {
            for (rule, name) in RULES {
                let ran = seeds(mesh, &goals, count, rule)?;
                let mean = |of: fn(&Ran) -> f64| Mean::of(ran.iter().map(of));
                let agents = ran.iter().map(|ran| ran.agents).min().context("a seed")?;
                println!(
                    "| {agents} | {portals} | {name} | {} | {} | {} |",
                    mean(|ran| ran.speed),
                    mean(|ran| ran.contacts),
                    mean(|ran| ran.walls)
                );
            }
        }
    }
    println!();
    Ok(())
}

fn seeds(mesh: &Arc<NavMesh>, goals: &[DVec2], count: usize, rule: WayPointRule) -> Result<Vec<Ran>> {
    let seeds: Vec<u64> = (1..=SEEDS).collect();
    let forces = || MovementChoice::Forces(ForcesConfig::default());
    seeds
        .par_iter()
        .map(|&seed| walk(mesh, goals, count, CrowdConfig { way_points: rule, movement: forces(), seed }))
        .collect()
}
