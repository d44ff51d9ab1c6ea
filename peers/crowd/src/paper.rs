//! The paper's cross: bodies of four sizes between obstacles, each from goal to goal.

use crate::{
    given::Given,
    rings::RULES,
    support::Random,
    table::{Mean, pairs},
};
use anyhow::{Context as _, Result, ensure};
use rayon::prelude::*;
use std::{f64::consts::TAU, sync::Arc};
use wayfare_bake::{BakeConfig, bake, build_clearance};
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
const SECONDS: f64 = 18.0;
const COUNTS: [usize; 5] = [25, 75, 125, 175, 250];

/// Two arms of 20 × 100 m with convex obstacles, as the generator makes its mesh, with its clearance; and goals.
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
    let mut mesh = bake(&plan, &BakeConfig::default(), &context)?;
    let clearance = build_clearance(&mesh, &context)?;
    mesh.set_clearance(Some(clearance));
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

/// One number of persons, one kind of way points: progress, contacts and geometry contacts.
pub fn one(given: &Given) -> Result<()> {
    let (mesh, goals) = cross(1)?;
    let (rule, name) = RULES[(given.get("rule", 3.0) as usize).min(RULES.len() - 1)];
    let kind =
        Kind { rule, forces: given.get("forces", 1.0) != 0.0, count: given.get("agents", 125.0) as usize };
    println!("{name} | {}", row(&kind.run(&mesh, &goals, given.get("seeds", 3.0) as u64)?));
    Ok(())
}

pub fn table() -> Result<()> {
    let (exact, goals) = cross(1)?;
    let mut simple = (*exact).clone();
    simple.set_clearance(None);
    let simple = Arc::new(simple);
    println!("## The paper's cross\n");
    println!(
        "Two arms of 20 × 100 m, {OBSTACLES} convex obstacles, {} cells and {} portals; radii 0.5, 1, 1.5 and 2 m, a quarter each, as far as \
         there is room, from one of {GOALS} goals to the next, {SECONDS} s, {SEEDS} seeds. Progress: how fast one comes nearer to its way point \
         [m/s]. Contacts of bodies, and of bodies and geometry, per tick. Default − funnel: in pairs of one seed.\n",
        exact.cell_count(),
        exact.portals().len()
    );
    for (forces, mesh, name) in [
        (true, &exact, "forces, exact portals"),
        (true, &simple, "forces, simple portals"),
        (false, &exact, "default movement, exact portals"),
        (false, &simple, "default movement, simple portals"),
    ] {
        println!("**{name}**\n");
        println!("| persons | way points | progress | contacts | geometry contacts |\n|--:|---|--:|--:|--:|");
        for count in COUNTS {
            let mut of_rules = Vec::new();
            for (rule, name) in RULES {
                let ran = Kind { rule, forces, count }.run(mesh, &goals, SEEDS)?;
                println!("| {count} | {name} | {} |", row(&ran));
                of_rules.push(ran);
            }
            let less_funnel = |of: fn(&Ran) -> f64, digits| {
                pairs(of_rules[3].iter().map(of), of_rules[1].iter().map(of), digits)
            };
            println!(
                "| {count} | default − funnel | {} | {} | {} |",
                less_funnel(|r| r.speed, 3),
                less_funnel(|r| r.contacts, 2),
                less_funnel(|r| r.walls, 3)
            );
        }
        println!();
    }
    Ok(())
}

/// A kind of run, of which there is one per seed.
struct Kind {
    rule: WayPointRule,
    forces: bool,
    count: usize,
}

impl Kind {
    fn run(&self, mesh: &Arc<NavMesh>, goals: &[DVec2], seeds: u64) -> Result<Vec<Ran>> {
        let movement = || {
            if self.forces {
                MovementChoice::Forces(ForcesConfig::default())
            } else {
                MovementChoice::default()
            }
        };
        let ran: Vec<Ran> = (1..=seeds)
            .collect::<Vec<u64>>()
            .par_iter()
            .map(|&seed| {
                let config = CrowdConfig { way_points: self.rule, movement: movement(), seed };
                walk(mesh, goals, self.count, config)
            })
            .collect::<Result<_>>()?;
        let least = ran.iter().map(|ran| ran.agents).min().context("a seed")?;
        ensure!(10 * least >= 9 * self.count, "there is room for {least} only");
        Ok(ran)
    }
}

fn row(ran: &[Ran]) -> String {
    let mean = |of: fn(&Ran) -> f64| Mean::of(ran.iter().map(of));
    format!("{} | {} | {}", mean(|r| r.speed), mean(|r| r.contacts), mean(|r| r.walls))
}
