//! Round and round: the paper's donut, and a ring whose portals are ill-conditioned.
//!
//! A ring of cells between two polygons. Everybody walks round it for ever: the goal is always some cells ahead. Flow is how many
//! pass a cross-section in a second. In the ill-conditioned ring portals meet the walls at 37°: an end that is moved by the radius
//! along the portal is still too near to the wall.

use crate::{
    Extent,
    given::Given,
    support::Random,
    table::{Mean, pairs},
};
use anyhow::{Context as _, Result, ensure};
use rayon::prelude::*;
use std::{f64::consts::TAU, fmt::Write as _, fs, path::Path, sync::Arc};
use wayfare_bake::build_clearance;
use wayfare_core::{Context, DVec2, dvec2, dvec3, ops};
use wayfare_crowd::{
    Area, Crowd, CrowdConfig, Goal, Journey, MovementChoice, NewAgent, WayPointRule,
    movement::forces::ForcesConfig,
};
use wayfare_navmesh::{NavMesh, RawNavMesh};

const CELLS: u32 = 12;
const INNER: f64 = 10.0;
const OUTER: f64 = 15.0;
const RADIUS: f64 = 0.5;
/// How many cells ahead the goal is.
const AHEAD: u32 = 4;
const SEEDS: u64 = 10;
/// Seconds before and while it is measured.
const WARM: f64 = 6.0;
const SECONDS: f64 = 24.0;

pub const RULES: [(WayPointRule, &str); 4] = [
    (WayPointRule::Centre, "centre"),
    (WayPointRule::Funnel, "funnel"),
    (WayPointRule::Dynamic, "dynamic"),
    (WayPointRule::Blend, "default"),
];

/// Every outer vertex of a portal is `turn` steps ahead of its inner one. With exact portals the mesh knows its clearance.
fn ring(turn: u32, exact: bool) -> Result<Arc<NavMesh>> {
    let mut points = Vec::new();
    for radius in [INNER, OUTER] {
        for k in 0..CELLS {
            let angle = TAU * f64::from(k) / f64::from(CELLS);
            points.push(dvec3(radius * ops::cos(angle), radius * ops::sin(angle), 0.0));
        }
    }
    let [inner, outer] = [0, CELLS].map(|first| move |k: u32| first + k % CELLS);
    let cells: Vec<Vec<u32>> =
        (0..CELLS).map(|k| vec![inner(k), outer(k + turn), outer(k + turn + 1), inner(k + 1)]).collect();
    let mut mesh = RawNavMesh::from_polygons(&points, &cells)
        .and_then(RawNavMesh::validate)
        .map_err(|defects| anyhow::anyhow!("{defects:?}"))?;
    if exact {
        let clearance = build_clearance(&mesh, &Context::default())?;
        mesh.set_clearance(Some(clearance));
    }
    Ok(Arc::new(mesh))
}

/// The angle of a place as a share of the whole.
fn turn_of(p: DVec2) -> f64 {
    (ops::atan2(p.y, p.x) / TAU).rem_euclid(1.0)
}

/// Places on four circles, by lot.
fn spots(count: usize, seed: u64) -> Vec<DVec2> {
    let mut random = Random(seed);
    let mut all = Vec::new();
    for row in 0..4 {
        let radius = 10.58 + 1.07 * f64::from(row);
        let room = (TAU * radius / 1.06).floor();
        let shift = random.unit();
        all.extend((0..room as u32).map(|k| {
            let angle = TAU * (f64::from(k) + shift) / room;
            dvec2(ops::cos(angle), ops::sin(angle)) * radius
        }));
    }
    for k in (1..all.len()).rev() {
        all.swap(k, (random.unit() * (k + 1) as f64) as usize);
    }
    all.truncate(count);
    all
}

#[derive(Clone, Copy, Debug)]
struct Ran {
    flow: f64,
    contacts: f64,
    walls: f64,
}

struct Case {
    mesh: Arc<NavMesh>,
    config: CrowdConfig,
    count: usize,
}

impl Case {
    fn run(&self, mut look: impl FnMut(&Crowd)) -> Result<Ran> {
        let mut crowd = Crowd::new(self.mesh.clone(), self.config.clone());
        let mut journeys = Vec::new();
        for cell in self.mesh.cells() {
            let ring: Vec<DVec2> = self.mesh.cell_points(cell).collect();
            let goal = crowd.add_goal(Goal::new(Area::Convex { ring, heights: [-1.0, 1.0] }));
            journeys.push(crowd.add_journey(Journey::exit(goal))?);
        }
        let ahead = |cell: u32| journeys[((cell + AHEAD) % CELLS) as usize];
        for at in spots(self.count, self.config.seed) {
            let agent = NewAgent {
                at: at.extend(0.0),
                radius: RADIUS,
                speed: 1.34,
                journey: journeys[0],
                starts_at: 0.0,
            };
            crowd.add(agent)?;
        }
        let (mut turned, mut contacts, mut walls) = (0.0, 0, 0);
        let steps = |seconds: f64| (60.0 * seconds) as usize;
        for step in 0..steps(WARM + SECONDS) {
            let off: Vec<_> = crowd
                .agents()
                .filter(|agent| agent.journey != ahead(agent.cell.0))
                .map(|agent| (agent.id, ahead(agent.cell.0)))
                .collect();
            for (id, journey) in off {
                crowd.retarget(id, journey)?;
            }
            let before: Vec<f64> = crowd.agents().map(|agent| turn_of(agent.at.truncate())).collect();
            crowd.step(1.0 / 60.0);
            ensure!(
                crowd.len() == self.count && crowd.report().max_overlap <= 0.001,
                "nobody leaves or overlaps"
            );
            look(&crowd);
            if step < steps(WARM) {
                continue;
            }
            for (agent, before) in crowd.agents().zip(before) {
                let by = turn_of(agent.at.truncate()) - before;
                turned += by - by.round();
            }
            contacts += crowd.report().agent_contacts;
            walls += crowd.report().wall_contacts;
        }
        let ticks = steps(SECONDS) as f64;
        Ok(Ran { flow: turned / SECONDS, contacts: contacts as f64 / ticks, walls: walls as f64 / ticks })
    }
}

fn config(rule: WayPointRule, forces: bool, seed: u64) -> CrowdConfig {
    let movement =
        if forces { MovementChoice::Forces(ForcesConfig::default()) } else { MovementChoice::default() };
    CrowdConfig { way_points: rule, movement, seed }
}

/// All seeds of each kind of way point.
fn rules(mesh: &Arc<NavMesh>, forces: bool, count: usize) -> Result<Vec<Vec<Ran>>> {
    RULES
        .iter()
        .map(|&(rule, _)| {
            let seeds: Vec<u64> = (1..=SEEDS).collect();
            let one = |&seed: &u64| {
                Case { mesh: mesh.clone(), config: config(rule, forces, seed), count }.run(|_| ())
            };
            seeds.par_iter().map(one).collect()
        })
        .collect()
}

/// One number of persons, one kind of way points: flow, contacts and geometry contacts.
pub fn one(given: &Given) -> Result<()> {
    let mesh = ring(given.get("turn", 0.0) as u32, given.get("exact", 1.0) != 0.0)?;
    let count = given.get("agents", 150.0) as usize;
    let forces = given.get("forces", 1.0) != 0.0;
    let seeds: Vec<u64> = (given.seed()..given.seed() + given.get("seeds", 3.0) as u64).collect();
    let (rule, name) = RULES[(given.get("rule", 3.0) as usize).min(RULES.len() - 1)];
    let one =
        |&seed: &u64| Case { mesh: mesh.clone(), config: config(rule, forces, seed), count }.run(|_| ());
    let ran: Vec<Ran> = seeds.par_iter().map(one).collect::<Result<_>>()?;
    let mean = |of: fn(&Ran) -> f64| Mean::of(ran.iter().map(of));
    println!("{name} {count}: {} | {} | {}", mean(|r| r.flow), mean(|r| r.contacts), mean(|r| r.walls));
    let flows: Vec<String> = ran.iter().map(|ran| format!("{:.4}", ran.flow)).collect();
    println!("flow by seed: {}", flows.join(" "));
    Ok(())
}

pub fn table(extent: Extent) -> Result<()> {
    println!("## The paper's donut\n");
    println!(
        "A ring of {CELLS} cells, radii {INNER} and {OUTER} m; bodies of {RADIUS} m walk round it for {SECONDS} s after {WARM} s, {SEEDS} \
         seeds. Flow: persons per second through a cross-section. Contacts: pairs whose gap is under 1 mm, per tick. Wanted at 150 and \
         200: with forces contacts at most a quarter of centre's and 5 % more flow, with the default movement 10 % more; the default way \
         points at least as good as funnel at every number: what they let through less what funnel does, and so for contacts, in pairs of one seed.\n"
    );
    for (forces, exact, name) in [
        (true, true, "forces, exact portals"),
        (true, false, "forces, simple portals"),
        (false, true, "default movement, exact portals"),
    ] {
        println!("**{name}**\n");
        let heads: Vec<String> = RULES.iter().map(|(_, name)| format!("{name}: flow | contacts")).collect();
        println!(
            "| persons | {} | default / centre | default / funnel | default − funnel: flow | contacts |",
            heads.join(" | ")
        );
        println!("|--:|{}--:|--:|--:|--:|", "--:|--:|".repeat(RULES.len()));
        let mesh = ring(0, exact)?;
        // Simple portals are the same on a ring whose portals are at right angles to its walls: some numbers will do.
        for count in (25..=250).step_by(if exact || extent == Extent::Full { 25 } else { 75 }) {
            let ran = rules(&mesh, forces, count)?;
            let flows: Vec<Mean> = ran.iter().map(|ran| Mean::of(ran.iter().map(|ran| ran.flow))).collect();
            let contacts: Vec<Mean> =
                ran.iter().map(|ran| Mean::of(ran.iter().map(|ran| ran.contacts))).collect();
            let cells: Vec<String> =
                flows.iter().zip(&contacts).map(|(flow, contacts)| format!("{flow} | {contacts}")).collect();
            let less_funnel =
                |of: fn(&Ran) -> f64, digits| pairs(ran[3].iter().map(of), ran[1].iter().map(of), digits);
            println!(
                "| {count} | {} | {:.3} | {:.3} | {} | {} |",
                cells.join(" | "),
                flows[3].mean / flows[0].mean,
                flows[3].mean / flows[1].mean,
                less_funnel(|r| r.flow, 4),
                less_funnel(|r| r.contacts, 2)
            );
        }
        println!();
    }
    picture()
}

pub fn ill_conditioned() -> Result<()> {
    println!("## Ill-conditioned portals\n");
    println!(
        "The same ring with portals that meet the walls at 37°, forces, {SEEDS} seeds. Geometry contacts: bodies within 1 mm of a wall, in a thousand \
         ticks. Wanted are fewer with exact portals than with simple ones and with centre.\n"
    );
    println!("| persons | way points | portals | flow [1/s] | geometry contacts |\n|--:|---|---|--:|--:|");
    let kinds = [(0, true), (0, false), (1, true), (2, false), (2, true), (3, false), (3, true)];
    for count in [100, 150, 200, 250] {
        // Of centre and default with simple and exact portals, to be compared seed by seed.
        let mut of_kind = Vec::new();
        for (rule, exact) in kinds {
            let mesh = ring(1, exact)?;
            let (rule, name) = RULES[rule];
            let seeds: Vec<u64> = (1..=SEEDS).collect();
            let ran: Vec<Ran> = seeds
                .par_iter()
                .map(|&seed| Case { mesh: mesh.clone(), config: config(rule, true, seed), count }.run(|_| ()))
                .collect::<Result<_>>()?;
            let flow = Mean::of(ran.iter().map(|ran| ran.flow));
            let walls: Vec<f64> = ran.iter().map(|ran| 1000.0 * ran.walls).collect();
            let portals = if exact { "exact" } else { "simple" };
            println!("| {count} | {name} | {portals} | {flow} | {} |", Mean::of(walls.iter().copied()));
            of_kind.push(walls);
        }
        let [centre, simple, exact] = [0, 5, 6].map(|kind: usize| of_kind[kind].iter().copied());
        println!(
            "| {count} | default, exact − simple; exact − centre | | | {}; {} |",
            pairs(exact.clone(), simple, 1),
            pairs(exact, centre, 1)
        );
    }
    println!();
    Ok(())
}

/// Ways of 12 s of 150 persons for each kind of way point, side by side.
fn picture() -> Result<()> {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-17 -19 136 36\" font-family=\"sans-serif\" font-size=\"1.6\">\n\
         <rect x=\"-17\" y=\"-19\" width=\"136\" height=\"36\" fill=\"white\"/>\n",
    );
    for (k, &(rule, name)) in RULES.iter().enumerate() {
        let mesh = ring(0, true)?;
        let shift = 34.0 * k as f64;
        writeln!(svg, "<text x=\"{shift}\" y=\"-16.6\" text-anchor=\"middle\">{name}</text>")?;
        for cell in mesh.cells() {
            let points: Vec<String> =
                mesh.cell_points(cell).map(|p| format!("{:.2},{:.2}", p.x + shift, -p.y)).collect();
            writeln!(
                svg,
                "<polygon points=\"{}\" fill=\"#eef2f5\" stroke=\"#9ab\" stroke-width=\"0.08\"/>",
                points.join(" ")
            )?;
        }
        let mut ways = vec![String::new(); 150];
        let mut step = 0;
        Case { mesh, config: config(rule, false, 1), count: 150 }.run(|crowd| {
            if (1080..1800).contains(&step) && step % 24 == 0 {
                for (agent, way) in crowd.agents().zip(&mut ways) {
                    way.push_str(&format!("{:.2},{:.2} ", agent.at.x + shift, -agent.at.y));
                }
            }
            step += 1;
        })?;
        for way in ways {
            writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"#c2410c\" stroke-width=\"0.06\" opacity=\"0.5\"/>",
                way.trim()
            )?;
        }
    }
    svg.push_str("</svg>\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/crowd-donut.svg");
    fs::write(&file, svg).with_context(|| format!("cannot write {}", file.display()))?;
    println!("![Ways of 150 persons on the donut, by way points](crowd-donut.svg)\n");
    Ok(())
}
