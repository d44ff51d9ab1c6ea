//! A scenario that runs on a mesh.

use super::{
    choice::{WayOut, WaysOut},
    content::{Exit, ExitChoice, Place, Scenario, SpeedZone},
    cut::portals_along,
    draw::Lots,
    measure::{Density, Line, Passages, Summary},
    read::ScenarioError,
    spawn::Source,
    stuck::{self, stuck},
};
use crate::{
    agents::Agent,
    config::{CrowdConfig, CrowdError},
    crowd::Crowd,
    field::is_on_ground,
    goal::{Area, AtEnd, Goal, GoalId, Journey, Leg},
};
use std::{collections::BTreeMap, sync::Arc};
use wayfare_core::DVec2;
use wayfare_navmesh::{CellId, NavMesh, PortalId};

/// How often agents ask themselves whether another exit is better [s].
const CHOICE: f64 = 1.0;

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
    pub(super) crowd: Crowd,
    scenario: Scenario,
    pub(super) lots: Lots,
    pub(super) sources: Vec<Source>,
    ways: WaysOut,
    /// What doors do, in order, and how much of it is done.
    pub(super) turns: Vec<(f64, bool, Vec<PortalId>)>,
    pub(super) turned: usize,
    pub(super) lines: Vec<(Line, Passages)>,
    pub(super) densities: Vec<Density>,
    before: Vec<(u32, DVec2)>,
    /// Where everybody was some time ago.
    pub(super) long_before: BTreeMap<u32, DVec2>,
    /// How many left through each exit.
    pub(super) exits: Vec<usize>,
    pub(super) summary: Summary,
    pub(super) contacts: [u64; 2],
    pub(super) steps: u64,
    /// Of all agents that ever were, by their numbers [m].
    pub(super) radii: Vec<f64>,
}

impl Simulation {
    /// Puts a scenario on a mesh, which must be cut along its doors ([`Scenario::cut`]); what does not fit is an error with
    /// the line.
    pub fn new(scenario: Scenario, mesh: Arc<NavMesh>) -> Result<Self, ScenarioError> {
        let mut simulation = Self::prepare(scenario, mesh)?;
        simulation.turn_doors()?;
        simulation.spawn()?;
        simulation.choose_exits();
        Ok(simulation)
    }

    /// The same before anything has happened.
    pub(super) fn prepare(scenario: Scenario, mesh: Arc<NavMesh>) -> Result<Self, ScenarioError> {
        let config = CrowdConfig {
            seed: scenario.seed,
            way_points: scenario.way_points,
            movement: scenario.movement.clone(),
        };
        let mut crowd = Crowd::new(mesh, config);
        for zone in &scenario.speeds {
            set_speed(&mut crowd, zone)?;
        }
        let mut turns = Vec::new();
        for door in &scenario.doors {
            let portals = portals_along(crowd.mesh(), door.ends);
            if portals.is_empty() {
                let message = format!("the mesh is not cut along the door '{}'", door.name);
                return Err(ScenarioError { line: door.line, message });
            }
            turns.extend(door.turns.iter().map(|&(time, open)| (time, open, portals.clone())));
        }
        turns.sort_by(|a, b| a.0.total_cmp(&b.0));
        let goals = scenario.exits.iter().map(|exit| add_goal(&mut crowd, exit));
        let goals: Vec<GoalId> = goals.collect::<Result<_, _>>()?;
        let (mut sources, mut ways) = (Vec::new(), WaysOut::default());
        for (number, spawn) in scenario.spawns.iter().enumerate() {
            if let Some(zone) = &spawn.zone
                && !is_on_ground(crowd.ground(), &Goal { areas: zone.areas().collect(), cap: None })
            {
                return Err(ScenarioError {
                    line: spawn.line,
                    message: "the area is not on the mesh".into(),
                });
            }
            let via: Vec<Leg> =
                spawn.via.iter().map(|via| Leg { goal: goals[via.goal], wait: via.wait }).collect();
            let mut own = Vec::new();
            for &exit in &spawn.to {
                let legs = [&via[..], &[Leg { goal: goals[exit], wait: 0.0 }]].concat();
                let journey = crowd.add_journey(Journey { legs, at_end: AtEnd::Leave });
                let journey = journey.map_err(|error| at_line(spawn.line, &error))?;
                own.push(WayOut { goal: goals[exit], journey, exit });
            }
            ways.push(own);
            sources.push(Source::new(spawn.clone(), number, crowd.mesh()));
        }
        for line in &scenario.lines {
            if line.storeys(crowd.mesh()).is_empty() {
                let message = format!("the line '{}' is not on the mesh", line.name);
                return Err(ScenarioError { line: line.line, message });
            }
        }
        for area in &scenario.areas {
            if !is_on_ground(crowd.ground(), &Goal { areas: area.zone.areas().collect(), cap: None }) {
                return Err(ScenarioError { line: area.line, message: "the area is not on the mesh".into() });
            }
        }
        let lines = scenario.lines.iter().map(|line| (line.clone(), Passages::default())).collect();
        let densities = scenario.areas.iter();
        let densities = densities
            .map(|area| Density { name: area.name.clone(), zone: area.zone.clone(), sum: 0.0, looks: 0 })
            .collect();
        Ok(Self {
            crowd,
            lots: Lots(scenario.seed),
            sources,
            ways,
            turns,
            turned: 0,
            lines,
            densities,
            before: Vec::new(),
            long_before: BTreeMap::new(),
            exits: vec![0; scenario.exits.len()],
            summary: Summary::default(),
            contacts: [0; 2],
            steps: 0,
            radii: Vec::new(),
            scenario,
        })
    }

    /// Ends at another time [s] than the scenario says.
    pub fn set_duration(&mut self, seconds: f64) {
        self.scenario.duration = seconds;
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

    fn steps_per_frame(&self) -> u64 {
        (self.scenario.rate / self.scenario.frame_rate).round().max(1.0) as u64
    }
    /// Frames per second of the trajectories: what was asked for, but a frame is a whole number of steps.
    pub fn frame_rate(&self) -> f64 {
        self.scenario.rate / self.steps_per_frame() as f64
    }

    /// Goes on by one step, unless it has ended. `frame` gets the moments of the trajectories.
    pub fn step(&mut self, mut frame: impl FnMut(Frame<'_>)) -> Result<bool, ScenarioError> {
        // Everybody has left, and nobody comes.
        let is_empty = self.crowd.is_empty() && !self.sources.iter().any(Source::is_open);
        let is_enough = self.scenario.stop_after_arrived.is_some_and(|most| self.summary.arrived >= most);
        if self.steps >= self.most_steps() || is_enough || (self.scenario.stop_when_empty && is_empty) {
            return Ok(false);
        }
        let per_frame = self.steps_per_frame();
        if self.steps.is_multiple_of(per_frame) {
            frame(Frame { number: self.steps / per_frame, crowd: &self.crowd });
        }
        self.before.clear();
        self.before.extend(self.crowd.agents().map(|agent| (agent.id.0, agent.at.truncate())));
        self.summary.agent_steps += self.crowd.len() as u64;
        self.crowd.step(1.0 / self.scenario.rate);
        self.steps += 1;
        self.measure();
        let is_turned = self.turn_doors()?;
        self.spawn()?;
        if is_turned || self.steps.is_multiple_of((CHOICE * self.scenario.rate).round().max(1.0) as u64) {
            self.choose_exits();
        }
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
        for left in &report.left {
            if let Some(exit) = self.ways.exit_of(left.journey) {
                self.exits[exit] += 1;
            }
        }
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
        if self.steps.is_multiple_of((stuck::EVERY * self.scenario.rate) as u64) {
            self.summary.stuck = stuck(&self.crowd, &self.long_before);
            self.long_before = self.crowd.agents().map(|agent| (agent.id.0, agent.at.truncate())).collect();
        }
    }

    /// Opens and closes doors whose time has come; whether there were any.
    fn turn_doors(&mut self) -> Result<bool, ScenarioError> {
        let before = self.turned;
        while let Some((time, open, portals)) = self.turns.get(self.turned) {
            if *time > self.crowd.time() {
                break;
            }
            let done = self.crowd.set_closed(portals.iter().copied(), !open);
            done.map_err(|error| at_line(0, &error))?;
            self.turned += 1;
        }
        Ok(self.turned > before)
    }

    /// Adds those whose time has come.
    fn spawn(&mut self) -> Result<(), ScenarioError> {
        for source in &mut self.sources {
            let came = source.come(&mut self.crowd, &mut self.lots, &self.ways)?;
            self.summary.agents += came.radii.len();
            self.summary.not_placed += came.not_placed;
            self.radii.extend(came.radii);
        }
        Ok(())
    }

    fn choose_exits(&mut self) {
        if self.ways.is_choice() {
            self.ways.choose(&mut self.crowd, self.scenario.exit_choice == ExitChoice::Congestion);
        }
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
            // The sum of its steps, without what their rounding adds up to.
            simulated_seconds: (self.crowd.time() * 1e9).round() / 1e9,
            flow: flow.collect(),
            density: density.collect(),
            exits: self
                .scenario
                .exits
                .iter()
                .zip(&self.exits)
                .map(|(exit, &n)| (exit.name.clone(), n))
                .collect(),
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

/// Sets how fast agents are on some ground.
fn set_speed(crowd: &mut Crowd, zone: &SpeedZone) -> Result<(), ScenarioError> {
    let mesh = crowd.mesh();
    let cells: Vec<CellId> = match (&zone.tag, &zone.zone) {
        (Some(tag), _) => {
            let found = mesh.tag_names().iter().position(|name| name == tag);
            let number = found.ok_or_else(|| ScenarioError {
                line: zone.line,
                message: {
                    // What has no tag has an empty one.
                    let names: Vec<&str> =
                        mesh.tag_names().iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
                    let has = if names.is_empty() { "no tags".to_owned() } else { names.join(", ") };
                    format!("the mesh has no tag '{tag}'; it has: {has}")
                },
            })?;
            mesh.cells().filter(|&cell| usize::from(mesh.tag(cell)) == number).collect()
        }
        (None, Some(area)) => {
            let is_in = |cell: &CellId| {
                let points = mesh.cell_points(*cell);
                let middle = points.clone().sum::<DVec2>() / points.len() as f64;
                area.contains(middle, mesh.height(*cell, middle))
            };
            let cells: Vec<CellId> = mesh.cells().filter(is_in).collect();
            if cells.is_empty() {
                return Err(ScenarioError { line: zone.line, message: "the area is not on the mesh".into() });
            }
            cells
        }
        (None, None) => Vec::new(),
    };
    crowd.set_speed_factor(cells, zone.factor).map_err(|error| at_line(zone.line, &error))
}

fn add_goal(crowd: &mut Crowd, exit: &Exit) -> Result<GoalId, ScenarioError> {
    let (areas, what) = match &exit.place {
        Place::Zone(zone) => (zone.areas().collect(), "area"),
        Place::Point(centre, radius) => (vec![Area::Disc { centre: *centre, radius: *radius }], "point"),
    };
    let goal = Goal { areas, cap: exit.cap };
    if is_on_ground(crowd.ground(), &goal) {
        Ok(crowd.add_goal(goal))
    } else {
        Err(ScenarioError { line: exit.line, message: format!("the {what} is not on the mesh") })
    }
}
