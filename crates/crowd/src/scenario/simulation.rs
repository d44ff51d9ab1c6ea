//! A scenario that runs on a mesh.

use super::{
    draw::Lots,
    measure::{Density, Line, Passages, Summary},
    read::{Place, Scenario, ScenarioError, Spawn},
};
use crate::{
    agents::{Agent, NewAgent},
    config::{CrowdConfig, CrowdError},
    crowd::Crowd,
    field::is_on_ground,
    goal::{Area, AtEnd, Goal, GoalId, Journey, JourneyId, Leg},
};
use std::{collections::BTreeMap, sync::Arc};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::nearest_on_segment;
use wayfare_navmesh::{NavMesh, PortalId};

/// A place is drawn so often before a lattice is tried.
const TRIES: usize = 200;
/// Ends of a portal that is a door are this near to the door [m].
const DOOR: f64 = 0.3;
/// Who moved less than [`STUCK_WAY`] in this time is stuck [s].
const STUCK_TIME: f64 = 10.0;
const STUCK_WAY: f64 = 0.5;

/// A moment of the trajectories.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Its number.
    pub number: u64,
    /// Everybody.
    pub crowd: &'a Crowd,
}

/// A scenario that runs.
#[derive(Debug)]
pub struct Simulation {
    crowd: Crowd,
    scenario: Scenario,
    lots: Lots,
    sources: Vec<Source>,
    /// What doors do, in order, and how much of it is done.
    turns: Vec<(f64, bool, Vec<PortalId>)>,
    turned: usize,
    lines: Vec<(Line, Passages)>,
    densities: Vec<Density>,
    before: Vec<(u32, DVec2)>,
    /// Where everybody was some time ago.
    long_before: BTreeMap<u32, DVec2>,
    summary: Summary,
    contacts: [u64; 2],
    steps: u64,
    /// Of all agents that ever were, by their numbers [m].
    radii: Vec<f64>,
}

/// A spawn and how many have come of it.
#[derive(Debug)]
struct Source {
    spawn: Spawn,
    journey: JourneyId,
    come: usize,
    /// Who could not be placed yet: radius, speed, pre-movement.
    waiting: Option<[f64; 3]>,
    /// There is no room for more.
    is_full: bool,
}

impl Simulation {
    /// Puts a scenario on a mesh; what does not fit is an error with the line.
    pub fn new(scenario: Scenario, mesh: Arc<NavMesh>) -> Result<Self, ScenarioError> {
        let config =
            CrowdConfig { seed: scenario.seed, way_points: scenario.way_points, ..CrowdConfig::default() };
        let mut crowd = Crowd::new(mesh, config);
        for zone in &scenario.speeds {
            let mesh = crowd.mesh();
            let tag = zone.tag.as_ref().map(|tag| {
                mesh.tag_names().iter().position(|name| name == tag).ok_or_else(|| ScenarioError {
                    line: zone.line,
                    message: format!("the mesh has no tag '{tag}'; it has: {}", mesh.tag_names().join(", ")),
                })
            });
            let tag = tag.transpose()?;
            let is_in = |cell: &wayfare_navmesh::CellId| match (&tag, &zone.zone) {
                (Some(tag), _) => usize::from(mesh.tag(*cell)) == *tag,
                (None, Some(zone)) => {
                    let points = mesh.cell_points(*cell);
                    let middle = points.clone().sum::<DVec2>() / points.len() as f64;
                    zone.contains(middle, mesh.height(*cell, middle))
                }
                (None, None) => false,
            };
            let cells: Vec<_> = mesh.cells().filter(is_in).collect();
            crowd.set_speed_factor(cells, zone.factor).map_err(|error| at_line(zone.line, &error))?;
        }
        let mut turns = Vec::new();
        for door in &scenario.doors {
            let portals = portals_along(crowd.mesh(), door.ends);
            if portals.is_empty() {
                let message = format!("no portal of the mesh lies along the door '{}'", door.name);
                return Err(ScenarioError { line: door.line, message });
            }
            turns.extend(door.turns.iter().map(|&(time, open)| (time, open, portals.clone())));
        }
        turns.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sources = Vec::new();
        for spawn in &scenario.spawns {
            let mut areas = Vec::new();
            let mut cap: Option<f64> = None;
            for &exit in &spawn.to {
                let exit = &scenario.exits[exit];
                areas.extend(
                    areas_of(&crowd, &exit.place)
                        .map_err(|message| ScenarioError { line: exit.line, message })?,
                );
                cap = exit.cap.map(|own| cap.unwrap_or(0.0) + own);
            }
            let mut legs = Vec::new();
            for via in &spawn.via {
                let goal = &scenario.exits[via.goal];
                let areas = areas_of(&crowd, &goal.place)
                    .map_err(|message| ScenarioError { line: goal.line, message })?;
                legs.push(Leg { goal: goal_of(&mut crowd, Goal { areas, cap: None }), wait: via.wait });
            }
            legs.push(Leg { goal: goal_of(&mut crowd, Goal { areas, cap }), wait: 0.0 });
            let journey = crowd
                .add_journey(Journey { legs, at_end: AtEnd::Leave })
                .map_err(|error| at_line(spawn.line, &error))?;
            sources.push(Source { spawn: spawn.clone(), journey, come: 0, waiting: None, is_full: false });
        }
        let lines = scenario.lines.iter().map(|line| (line.clone(), Passages::default())).collect();
        let densities = scenario.areas.iter();
        let densities = densities
            .map(|(name, zone)| Density { name: name.clone(), zone: zone.clone(), sum: 0.0, looks: 0 })
            .collect();
        let mut simulation = Self {
            crowd,
            lots: Lots(scenario.seed),
            scenario,
            sources,
            turns,
            turned: 0,
            lines,
            densities,
            before: Vec::new(),
            long_before: BTreeMap::new(),
            summary: Summary::default(),
            contacts: [0; 2],
            steps: 0,
            radii: Vec::new(),
        };
        simulation.turn_doors()?;
        simulation.spawn()?;
        Ok(simulation)
    }

    /// The crowd.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }
    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }
    /// The radii of all agents that ever were, by their numbers [m].
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }
    /// How many steps it takes at most.
    pub fn most_steps(&self) -> u64 {
        (self.scenario.duration * self.scenario.rate).round() as u64
    }

    /// Goes on by one step, unless it has ended. `frame` gets the moments of the trajectories.
    pub fn step(&mut self, mut frame: impl FnMut(Frame<'_>)) -> Result<bool, ScenarioError> {
        // Everybody has left, and nobody comes.
        let comes = |source: &Source| !source.is_full && source.come < source.spawn.number;
        let is_over =
            self.scenario.stop_when_empty && self.crowd.is_empty() && !self.sources.iter().any(comes);
        if self.steps >= self.most_steps() || is_over {
            return Ok(false);
        }
        let per_frame = (self.scenario.rate / self.scenario.frame_rate).round().max(1.0) as u64;
        if self.steps.is_multiple_of(per_frame) {
            frame(Frame { number: self.steps / per_frame, crowd: &self.crowd });
        }
        self.before.clear();
        self.before.extend(self.crowd.agents().map(|agent| (agent.id.0, agent.at.truncate())));
        self.summary.agent_steps += self.crowd.len() as u64;
        self.crowd.step(1.0 / self.scenario.rate);
        self.steps += 1;
        self.measure();
        self.turn_doors()?;
        self.spawn()?;
        Ok(true)
    }

    fn measure(&mut self) {
        let (report, time) = (self.crowd.report(), self.crowd.time());
        self.summary.arrived += report.arrived;
        self.summary.off_mesh += report.off_mesh;
        self.summary.max_overlap = self.summary.max_overlap.max(report.max_overlap);
        self.contacts[0] += report.agent_contacts as u64;
        self.contacts[1] += report.wall_contacts as u64;
        // Both lists are by rising number; who left is in another.
        let mut now = self.crowd.agents().peekable();
        for &(id, from) in &self.before {
            let is_it = |agent: &Agent| agent.id.0 == id;
            let (to, z) = match now.next_if(is_it) {
                Some(agent) => (agent.at.truncate(), agent.at.z),
                None => match report.left.iter().find(|left| left.id == id) {
                    Some(left) => (left.at.truncate(), left.at.z),
                    None => continue,
                },
            };
            for (line, passages) in &mut self.lines {
                if line.is_crossed(from, to, z) {
                    passages.0.push(time);
                }
            }
        }
        for density in &mut self.densities {
            let is_in = |agent: &Agent| density.zone.contains(agent.at.truncate(), agent.at.z);
            density.sum += self.crowd.agents().filter(is_in).count() as f64;
            density.looks += 1;
        }
        if self.steps.is_multiple_of((STUCK_TIME * self.scenario.rate) as u64) {
            self.summary.stuck = self.stuck();
            self.long_before = self.crowd.agents().map(|agent| (agent.id.0, agent.at.truncate())).collect();
        }
    }

    fn stuck(&self) -> usize {
        let is_stuck = |agent: &Agent| {
            let before = self.long_before.get(&agent.id.0);
            let stays = before.is_some_and(|before| before.distance(agent.at.truncate()) < STUCK_WAY);
            !agent.has_way || stays && agent.heading != DVec2::ZERO
        };
        self.crowd.agents().filter(is_stuck).count()
    }

    fn turn_doors(&mut self) -> Result<(), ScenarioError> {
        while let Some((time, open, portals)) = self.turns.get(self.turned) {
            if *time > self.crowd.time() {
                break;
            }
            let done = self.crowd.set_closed(portals.iter().copied(), !open);
            done.map_err(|error| at_line(0, &error))?;
            self.turned += 1;
        }
        Ok(())
    }

    /// Adds those whose time has come.
    fn spawn(&mut self) -> Result<(), ScenarioError> {
        let Self { crowd, sources, lots, summary, radii, .. } = self;
        for source in sources {
            let spawn = &source.spawn;
            let since = crowd.time() - spawn.from;
            if since < 0.0 || source.is_full {
                continue;
            }
            let due = spawn.rate.map_or(spawn.number, |rate| {
                ((since * rate).floor() as usize).saturating_add(1).min(spawn.number)
            });
            while source.come < due {
                let [radius, speed, pre_movement] = source.waiting.take().unwrap_or_else(|| {
                    [&spawn.radius, &spawn.speed, &spawn.pre_movement].map(|from| from.draw(lots))
                });
                let agent = |at: DVec3, time: f64| NewAgent {
                    at,
                    radius,
                    speed,
                    journey: source.journey,
                    starts_at: time + pre_movement,
                };
                let time = crowd.time();
                let placed = match &spawn.zone {
                    None => {
                        let at = spawn.points[source.come % spawn.points.len()];
                        match crowd.add(agent(at, time)) {
                            Ok(_) => true,
                            // Others may go away, walls do not.
                            Err(CrowdError::Taken { .. }) if spawn.rate.is_some() => false,
                            Err(error) => return Err(at_line(spawn.line, &error)),
                        }
                    }
                    Some(zone) => {
                        let tries = if spawn.rate.is_some() { 10 } else { TRIES };
                        let mut is_placed = false;
                        let height = zone.heights();
                        for _ in 0..tries {
                            let at = zone.draw(lots);
                            if let Some(at) = on_ground(crowd.mesh(), at, height)
                                && crowd.add(agent(at, time)).is_ok()
                            {
                                is_placed = true;
                                break;
                            }
                        }
                        if !is_placed && spawn.rate.is_none() {
                            // Full of holes, perhaps: row by row.
                            let largest = spawn.radius.limits()[1];
                            is_placed = zone.lattice(2.0 * largest + 0.002).any(|at| {
                                on_ground(crowd.mesh(), at, height)
                                    .is_some_and(|at| crowd.add(agent(at, time)).is_ok())
                            });
                        }
                        is_placed
                    }
                };
                if !placed {
                    source.waiting = Some([radius, speed, pre_movement]);
                    // All at once: what does not fit now never will.
                    if spawn.rate.is_none() {
                        source.is_full = true;
                        summary.not_placed += spawn.number - source.come;
                    }
                    break;
                }
                source.come += 1;
                summary.agents += 1;
                radii.push(radius);
            }
        }
        Ok(())
    }

    /// What has come out so far.
    pub fn summary(&self) -> Summary {
        let steps = self.steps.max(1) as f64;
        let flow = self
            .lines
            .iter()
            .map(|(line, passages)| (line.name.clone(), passages.0.len(), passages.flow(line.length())));
        let density = self.densities.iter().map(|density| {
            (density.name.clone(), density.sum / density.looks.max(1) as f64 / density.zone.area())
        });
        let without_way = self.crowd.agents().filter(|agent| !agent.has_way).count();
        Summary {
            steps: self.steps as usize,
            simulated_seconds: self.crowd.time(),
            flow: flow.collect(),
            density: density.collect(),
            agent_contacts_per_tick: self.contacts[0] as f64 / steps,
            wall_contacts_per_tick: self.contacts[1] as f64 / steps,
            stuck: self.summary.stuck.max(without_way).min(self.crowd.len()),
            ..self.summary.clone()
        }
    }
}

fn at_line(line: usize, error: &CrowdError) -> ScenarioError {
    ScenarioError { line, message: error.to_string() }
}

/// The same goal once, so that agents share their search.
fn goal_of(crowd: &mut Crowd, goal: Goal) -> GoalId {
    let found = crowd.goals.iter().find(|(_, other)| **other == goal).map(|(id, _)| id);
    found.unwrap_or_else(|| crowd.add_goal(goal))
}

fn areas_of(crowd: &Crowd, place: &Place) -> Result<Vec<Area>, String> {
    let (areas, what) = match place {
        Place::Zone(zone) => (zone.areas().collect(), "area"),
        Place::Point(centre, radius) => (vec![Area::Disc { centre: *centre, radius: *radius }], "point"),
    };
    let goal = Goal { areas, cap: None };
    if is_on_ground(crowd.ground(), &goal) {
        Ok(goal.areas)
    } else {
        Err(format!("the {what} is not on the mesh"))
    }
}

/// The ground at a point whose height is in a range; the highest of several.
fn on_ground(mesh: &NavMesh, at: DVec2, heights: [f64; 2]) -> Option<DVec3> {
    let [low, high] = heights;
    let cells = mesh.cells_at(at, low..=high);
    cells.map(|cell| at.extend(mesh.height(cell, at))).max_by(|a, b| a.z.total_cmp(&b.z))
}

/// The portals whose ends are near a segment.
fn portals_along(mesh: &NavMesh, ends: [DVec3; 2]) -> Vec<PortalId> {
    let [a, b] = ends.map(DVec3::truncate);
    let [low, high] = [ends[0].z.min(ends[1].z) - 1.25, ends[0].z.max(ends[1].z) + 1.25];
    let portals = mesh.portals().iter().filter(|(_, corners)| {
        mesh.edge(corners[0]).iter().all(|&vertex| {
            let at = mesh.position(vertex);
            let p = at.truncate();
            (low..=high).contains(&at.z) && nearest_on_segment(p, a, b).distance(p) <= DOOR
        })
    });
    portals.map(|(portal, _)| portal).collect()
}
