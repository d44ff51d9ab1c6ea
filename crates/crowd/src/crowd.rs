//! A crowd and its step.
//!
//! Idea: everything that an agent does in a step depends on what all agents were at its beginning, so agents can be worked on
//! in any order and by any number of threads, and the result is the same to the last bit.
//! Steps: those of [`Crowd::step`], each in a file of its own.
//! Invariants: C1 no two bodies overlap, but for rounding. C2 no body is nearer to a wall than its radius, but for rounding.
//!   C3 every agent has a cell that holds it. (All three if agents are added that way, which [`Crowd::add`] demands.)
//! Cost: under a microsecond per agent and step; nothing is allocated once the lists have grown.

use crate::{
    agents::{Agents, Body, Gateway},
    chunks::{for_chunks, for_chunks_of, map_chunks},
    config::CrowdConfig,
    contact::{self, CHUNK, HASTE, LEAST_HASTE, Near},
    eyes::Eyes,
    field::{Field, Ground, NONE},
    goal::{AtEnd, Goal, GoalId, Journey, JourneyId},
    grid::Grid,
    group,
    movement::Movement,
    report::{Left, StepReport},
    standing::Standing,
    track::track,
    walls::Walls,
};
use std::sync::Arc;
use wayfare_core::{DVec2, Id as _, IdVec};
use wayfare_navmesh::{Blocks, NavMesh, PortalId};

/// From so many agents on the work is shared between threads.
const PARALLEL: usize = 2 * CHUNK;
/// Passes of the projection at most; most steps need fewer.
const PASSES: usize = 12;
/// A pass that moves nobody farther is the last [m].
const SETTLED: f64 = 2e-4;
/// So many may leave in one step before the list of them grows.
const LEAVING: usize = 16;

/// Agents on a mesh.
#[derive(Debug)]
pub struct Crowd {
    pub(crate) mesh: Arc<NavMesh>,
    pub(crate) config: CrowdConfig,
    pub(crate) movement: Box<dyn Movement>,
    pub(crate) blocks: Blocks,
    pub(crate) walls: Walls,
    /// Speed in each cell as a share of the usual.
    pub(crate) factors: Vec<f64>,
    pub(crate) goals: IdVec<GoalId, Goal>,
    /// From when on the next agent may arrive at each goal [s].
    pub(crate) open_from: Vec<f64>,
    pub(crate) journeys: IdVec<JourneyId, Journey>,
    pub(crate) fields: Vec<SharedField>,
    pub(crate) agents: Agents,
    /// Numbers of agents that keep together.
    pub(crate) groups: Vec<Vec<u32>>,
    /// Doors that nobody may use any more, but in which somebody still stands.
    pub(crate) closing: Vec<PortalId>,
    pub(crate) standing: Standing,
    pub(crate) next_id: u32,
    pub(crate) tick: u64,
    pub(crate) time: f64,
    pub(crate) report: StepReport,
    #[cfg(feature = "rapier")]
    physical: Option<contact::Physical>,
    pub(crate) work: Work,
}

/// A field and whom it is for.
#[derive(Clone, Debug)]
pub(crate) struct SharedField {
    pub goal: GoalId,
    pub radius: f64,
    pub field: Field,
}

/// Memory of a step.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub grid: Grid,
    near: Vec<Near>,
    /// How far each agent may move [m].
    steps: Vec<f64>,
    /// Where each agent is about to be, and what a pass makes of it.
    next: Vec<DVec2>,
    other: Vec<DVec2>,
    /// How much of its step each agent goes.
    parts: Vec<f64>,
    other_parts: Vec<f64>,
    /// The largest radius [m].
    pub largest: f64,
    gone: Vec<bool>,
}

impl Crowd {
    /// An empty crowd on a mesh.
    pub fn new(mesh: Arc<NavMesh>, config: CrowdConfig) -> Self {
        let blocks = Blocks::default();
        let walls = Walls::new(&mesh, &blocks, &[]);
        let factors = vec![1.0; mesh.cell_count()];
        let movement = config.movement.model();
        Self {
            mesh,
            config,
            movement,
            blocks,
            walls,
            factors,
            goals: IdVec::default(),
            open_from: Vec::new(),
            journeys: IdVec::default(),
            fields: Vec::new(),
            agents: Agents::default(),
            groups: Vec::new(),
            closing: Vec::new(),
            standing: Standing::default(),
            next_id: 0,
            tick: 0,
            time: 0.0,
            report: StepReport { left: Vec::with_capacity(LEAVING), ..StepReport::default() },
            #[cfg(feature = "rapier")]
            physical: None,
            work: Work::default(),
        }
    }

    /// From now on contacts are resolved by rapier2d, as a physical reference: for one storey, with the doors as they are now, and
    /// without the promises that nobody overlaps and nobody enters a wall.
    #[cfg(feature = "rapier")]
    pub fn use_rapier(&mut self) {
        self.physical = Some(contact::Physical::new(&self.mesh, &self.walls));
    }

    /// Moves everybody on by some time [s]. A step in which agents would move farther than half of their radius is
    /// made in several.
    pub fn step(&mut self, dt: f64) {
        if !(dt > 0.0 && dt.is_finite()) {
            return;
        }
        let farthest = |body: &Body| haste(body.speed) * dt / body.radius;
        let most = self.agents.bodies.iter().map(farthest).fold(0.0, f64::max);
        let parts = (most / 0.5).ceil().clamp(1.0, 1000.0);
        self.report.begin();
        for _ in 0..parts as usize {
            self.tick(dt / parts);
        }
    }

    /// One short step.
    fn tick(&mut self, dt: f64) {
        self.standing.forget();
        if !self.closing.is_empty() {
            self.shut_doors();
        }
        self.perceive(dt);
        if self.tick.is_multiple_of(group::EVERY) {
            self.keep_together();
        }
        self.choose_velocities(dt);
        self.resolve_contacts(dt);
        self.track_cells(dt);
        self.tick += 1;
        self.time += dt;
        self.arrive(dt);
    }

    fn is_parallel(&self) -> bool {
        self.agents.len() >= PARALLEL && rayon::current_num_threads() > 1
    }

    /// Who is where, and who and what may be touched.
    fn perceive(&mut self, dt: f64) {
        let parallel = self.is_parallel();
        let Self { mesh, walls, agents, work, movement, .. } = self;
        let Agents { bodies, minds } = agents;
        let count = bodies.len();
        work.grid.fill(count, |k| bodies[k].seen(k, minds[k].heading));
        work.largest = bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
        let fastest = bodies.iter().map(|body| haste(body.speed)).fold(0.0, f64::max);
        work.steps.clear();
        work.steps.extend(bodies.iter().map(|body| haste(body.speed) * dt));
        work.near.resize_with(count.div_ceil(CHUNK), Near::default);
        let (grid, numbers) = (&work.grid, [work.largest, movement.margin(), fastest * dt]);
        let place = (&**mesh, &*walls, grid);
        for_chunks(parallel, minds, &mut work.near, |chunk, minds, near| {
            contact::look(chunk, near, minds, bodies, place, numbers);
        });
    }

    /// Way points and velocities; where everybody would be after the step.
    fn choose_velocities(&mut self, dt: f64) {
        let parallel = self.is_parallel();
        let every = (self.movement.interval() / dt).round().max(1.0) as u64;
        let Self { agents, work, mesh, walls, factors, fields, movement, config, tick, time, .. } = self;
        let (goals, journeys) = (&self.goals, &self.journeys);
        let eyes = Eyes {
            mesh,
            walls,
            factors,
            fields,
            grid: &work.grid,
            movement: &**movement,
            config,
            tick: *tick,
            time: *time,
            largest: work.largest,
            goals,
            journeys,
        };
        let bodies = &agents.bodies;
        work.next.resize(bodies.len(), DVec2::ZERO);
        let own = &mut work.near;
        for_chunks_of(parallel, &mut agents.minds, &mut work.next, own, |chunk, minds, next, near| {
            for (k, (mind, next)) in minds.iter_mut().zip(next).enumerate() {
                let index = chunk * CHUNK + k;
                let body = &bodies[index];
                let mut me = eyes.me(body, mind);
                if (eyes.tick + u64::from(body.id)).is_multiple_of(every) {
                    me.turns = eyes.choose_way_point(index, bodies, mind);
                    me.heading = mind.heading;
                    eyes.decide(index as u32, body, &me, mind, &mut near.seen);
                }
                let velocity = eyes.movement.steer(&me, &mut mind.plan, dt);
                *next = body.at + velocity.clamp_length_max(haste(body.speed)) * dt;
            }
        });
    }

    /// From where everybody would be to where everybody can be.
    #[cfg_attr(not(feature = "rapier"), expect(unused_variables, reason = "only an engine needs the time"))]
    fn resolve_contacts(&mut self, dt: f64) {
        #[cfg(feature = "rapier")]
        if let Some(physical) = &mut self.physical {
            physical.resolve(&self.agents.bodies, &mut self.work.next, dt);
            self.work.parts.clear();
            self.work.parts.resize(self.agents.len(), 1.0);
            return;
        }
        let parallel = self.is_parallel();
        let margin = self.movement.margin();
        let Self { agents, work, walls, .. } = self;
        let Work { near, steps, next, other, parts, other_parts, .. } = work;
        let Agents { bodies, minds } = agents;
        other.resize(bodies.len(), DVec2::ZERO);
        for _ in 0..PASSES {
            let from = &*next;
            let most = map_chunks(parallel, other, near, f64::max, |chunk, to, near| {
                contact::project(chunk, near, (bodies, minds, walls), margin, steps, from, to)
            });
            std::mem::swap(next, other);
            if most < SETTLED {
                break;
            }
        }
        parts.clear();
        parts.resize(bodies.len(), 1.0);
        other_parts.resize(bodies.len(), 1.0);
        // Parts only shrink: after some rounds to 0, so that this ends.
        for round in 0.. {
            let from = &*parts;
            let changed = map_chunks(parallel, other_parts, near, f64::max, |chunk, to, near| {
                let changed = contact::guard(chunk, near, (bodies, walls), (next, round), from, to);
                f64::from(u8::from(changed))
            });
            std::mem::swap(parts, other_parts);
            if changed == 0.0 {
                break;
            }
        }
    }

    /// Everybody goes, and is found again in a cell.
    fn track_cells(&mut self, dt: f64) {
        let parallel = self.is_parallel();
        let Self { agents, work, mesh, walls, report, .. } = self;
        let Work { near, next, parts, .. } = work;
        let (next, parts) = (&*next, &*parts);
        // Whole numbers add up to the same in any order.
        let add = |a: f64, b: f64| a + b;
        let lost = map_chunks(parallel, &mut agents.bodies, near, add, |chunk, bodies, _| {
            let mut lost = 0.0;
            for (k, body) in bodies.iter_mut().enumerate() {
                let index = chunk * CHUNK + k;
                let to = body.at + (next[index] - body.at) * parts[index];
                match track(mesh, walls, body.cell, body.z, to) {
                    Some(cell) => {
                        body.velocity = (to - body.at) / dt;
                        body.z = mesh.height(cell, to);
                        (body.at, body.cell) = (to, cell);
                    }
                    None => {
                        body.velocity = DVec2::ZERO;
                        lost += 1.0;
                    }
                }
            }
            lost
        });
        report.off_mesh += lost as usize;
        report.measure(&agents.bodies, near, walls);
    }

    /// Who has arrived goes on to the next goal, or leaves.
    fn arrive(&mut self, dt: f64) {
        let Self { agents, goals, open_from, journeys, report, time, work, .. } = self;
        work.gone.clear();
        work.gone.resize(agents.len(), false);
        let mut moves_on = false;
        for (k, (body, mind)) in agents.bodies.iter().zip(&mut agents.minds).enumerate() {
            let journey = &journeys[JourneyId(mind.journey)];
            let Some(leg) = journey.legs.get(mind.leg as usize) else { continue };
            // Whoever waits at a goal goes on when the time has come.
            if mind.waits_until.is_infinite()
                || *time < mind.waits_until
                || !goals[leg.goal].contains(body.at, body.z)
            {
                continue;
            }
            if let Some(cap) = goals[leg.goal].cap {
                let open_from = &mut open_from[leg.goal.index()];
                if *time < *open_from {
                    continue;
                }
                // What a step comes too late is made up for.
                *open_from = open_from.max(*time - dt) + 1.0 / cap;
            }
            let is_last = mind.leg as usize + 1 == journey.legs.len();
            if is_last {
                report.arrived += 1;
            }
            match (is_last, journey.at_end) {
                (true, AtEnd::Leave) => {
                    work.gone[k] = true;
                    report.left.push(Left {
                        id: body.id,
                        at: body.at.extend(body.z),
                        journey: JourneyId(mind.journey),
                    });
                    continue;
                }
                (true, AtEnd::Stay) => mind.waits_until = f64::INFINITY,
                (true, AtEnd::Repeat) => mind.leg = 0,
                (false, _) => mind.leg += 1,
            }
            if mind.waits_until.is_finite() {
                mind.waits_until = *time + leg.wait;
            }
            mind.field = NONE;
            mind.gate = Gateway::Unknown;
            moves_on = true;
        }
        if work.gone.contains(&true) {
            let gone = &work.gone;
            agents.retain(|k| !gone[k]);
        }
        if moves_on {
            self.find_fields();
        }
    }

    /// Gives every agent that goes somewhere the field of its goal.
    pub(crate) fn find_fields(&mut self) {
        for k in 0..self.agents.len() {
            self.find_field(k);
        }
    }

    /// Gives an agent the field of its goal, if it has none.
    pub(crate) fn find_field(&mut self, k: usize) {
        let mind = &self.agents.minds[k];
        let journey = &self.journeys[JourneyId(mind.journey)];
        let leg = journey.legs.get(mind.leg as usize).copied();
        let Some(leg) = leg.filter(|_| mind.field == NONE) else { return };
        self.agents.minds[k].field = self.field_for(k, leg.goal);
    }

    /// The number of the field that leads an agent to a goal.
    fn field_for(&mut self, k: usize, goal: GoalId) -> u32 {
        let body = self.agents.bodies[k];
        let class = radius_class(body.radius);
        let field = self.field_of(goal, class);
        // A body that just fits through a door.
        if class != body.radius && self.ask(field, k).is_none() {
            return self.field_of(goal, body.radius);
        }
        field
    }

    fn ask(&self, field: u32, k: usize) -> Option<(Option<u32>, f64)> {
        let body = &self.agents.bodies[k];
        let factor = self.factors[body.cell.index()];
        self.fields[field as usize].field.best(&self.mesh, factor, body.cell, body.at)
    }

    /// How far an agent has to a goal [s at 1 m/s], and how wide the narrowest place on the way is [m]; nothing where there
    /// is no way.
    #[cfg(feature = "scenario")]
    pub(crate) fn way_to(&mut self, k: usize, goal: GoalId) -> Option<(f64, f64)> {
        let field = self.field_for(k, goal);
        let (gate, cost) = self.ask(field, k)?;
        let gate = gate.and_then(|gate| self.fields[field as usize].field.gate(gate));
        Some((cost, gate.map_or(f64::INFINITY, |gate| gate.narrowest)))
    }

    /// Sends an agent on another journey, on the leg that it is on.
    #[cfg(feature = "scenario")]
    pub(crate) fn redirect(&mut self, k: usize, journey: JourneyId) {
        let mind = &mut self.agents.minds[k];
        (mind.journey, mind.field, mind.gate) = (journey.0, NONE, Gateway::Unknown);
        self.find_field(k);
    }

    /// The number of the field of a goal and a radius, which is made if it is not there.
    pub(crate) fn field_of(&mut self, goal: GoalId, radius: f64) -> u32 {
        let is_it = |shared: &SharedField| shared.goal == goal && shared.radius == radius;
        let found = self.fields.iter().position(is_it);
        found.unwrap_or_else(|| {
            let field = Field::build(self.ground(), &self.goals[goal], radius);
            self.fields.push(SharedField { goal, radius, field });
            self.fields.len() - 1
        }) as u32
    }

    pub(crate) fn ground(&self) -> Ground<'_> {
        Ground {
            mesh: &self.mesh,
            walls: &self.walls,
            factors: &self.factors,
            wall_room: self.movement.wall_room(),
        }
    }
}

/// Radii are rounded up to a multiple of 2 cm, so that agents share their search.
fn radius_class(radius: f64) -> f64 {
    // 0.2 × 50 is a hair more than 10.
    (radius * 50.0 - 1e-9).ceil() / 50.0
}

/// How fast an agent may be moved at most [m/s].
fn haste(speed: f64) -> f64 {
    (HASTE * speed).max(LEAST_HASTE)
}
