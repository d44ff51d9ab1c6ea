//! Live use: agents are added, taken out, put elsewhere and sent elsewhere between steps; doors open and close.

use crate::{
    agents::{Agent, AgentId, Body, Gateway, Mind, NewAgent},
    config::CrowdError,
    contact,
    crowd::Crowd,
    field::NONE,
    goal::{Goal, GoalId, Journey, JourneyId},
    movement::Plan,
    report::StepReport,
    walls::{Kept, Scratch, Stand, Walls},
};
use std::sync::Arc;
use wayfare_core::{DVec2, DVec3, Id as _};
use wayfare_geom::segment::nearest_on_segment;
use wayfare_navmesh::{CellId, LocateConfig, NavMesh, PortalId};

/// What may be nearer than it should [m]: a tenth of what a body may overlap.
const HAIR: f64 = 1e-4;

impl Crowd {
    /// The mesh.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }
    /// The same, to keep.
    pub fn shared_mesh(&self) -> Arc<NavMesh> {
        self.mesh.clone()
    }
    /// Number of agents.
    pub fn len(&self) -> usize {
        self.agents.len()
    }
    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.agents.len() == 0
    }
    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.time
    }
    /// What happened in the last step.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Everybody, by rising number.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = Agent> + '_ {
        (0..self.agents.len()).map(|k| self.agent_at(k))
    }
    /// An agent, if it is there.
    pub fn agent(&self, id: AgentId) -> Option<Agent> {
        self.agents.index(id).map(|k| self.agent_at(k))
    }

    fn agent_at(&self, k: usize) -> Agent {
        let (body, mind) = (&self.agents.bodies[k], &self.agents.minds[k]);
        Agent {
            id: AgentId(body.id),
            at: body.at.extend(body.z),
            velocity: body.velocity,
            heading: mind.heading,
            radius: body.radius,
            speed: body.speed,
            cell: body.cell,
            journey: JourneyId(mind.journey),
            leg: mind.leg as usize,
            has_way: mind.gate != Gateway::Lost,
        }
    }

    /// Adds a goal.
    pub fn add_goal(&mut self, goal: Goal) -> GoalId {
        self.open_from.push(0.0);
        self.goals.push(goal)
    }
    /// Adds a journey; its goals must be there.
    pub fn add_journey(&mut self, journey: Journey) -> Result<JourneyId, CrowdError> {
        if journey.legs.is_empty() {
            return Err(CrowdError::EmptyJourney);
        }
        for leg in &journey.legs {
            self.goals.get(leg.goal).ok_or(CrowdError::Unknown { kind: "goal", number: leg.goal.0 })?;
            in_range("wait", leg.wait, leg.wait >= 0.0 && leg.wait.is_finite(), "0 s or more")?;
        }
        Ok(self.journeys.push(journey))
    }

    /// Adds an agent. It must stand on the ground, not nearer to walls and others than the radii are.
    pub fn add(&mut self, agent: NewAgent) -> Result<AgentId, CrowdError> {
        let NewAgent { at, radius, speed, journey, starts_at } = agent;
        in_range("radius", radius, (0.05..=5.0).contains(&radius), "0.05 .. 5 m")?;
        in_range("speed", speed, (0.0..=10.0).contains(&speed), "0 .. 10 m/s")?;
        in_range("starts_at", starts_at, starts_at.is_finite(), "finite seconds")?;
        self.journeys.get(journey).ok_or(CrowdError::Unknown { kind: "journey", number: journey.0 })?;
        self.standing.renew(&self.agents.bodies);
        let stand = self.free_place(at, radius, None)?;
        let id = self.next_id;
        self.next_id += 1;
        self.agents.bodies.push(Body {
            at: stand.at,
            velocity: DVec2::ZERO,
            z: stand.z,
            radius,
            speed,
            cell: stand.cell,
            id,
        });
        self.agents.minds.push(Mind {
            heading: DVec2::ZERO,
            plan: Plan::default(),
            kept: Kept::default(),
            journey: journey.0,
            leg: 0,
            field: NONE,
            gate: Gateway::Unknown,
            gate_cell: NONE,
            waits_until: starts_at,
            pace: 1.0,
        });
        self.find_field(self.agents.len() - 1);
        Ok(AgentId(id))
    }

    /// Takes an agent out.
    pub fn remove(&mut self, id: AgentId) -> Result<(), CrowdError> {
        let index = self.find(id)?;
        self.standing.forget();
        self.agents.bodies.remove(index);
        self.agents.minds.remove(index);
        Ok(())
    }

    /// Puts an agent elsewhere; it stands there at first.
    pub fn teleport(&mut self, id: AgentId, at: DVec3) -> Result<(), CrowdError> {
        let index = self.put(id, at)?;
        self.agents.bodies[index].velocity = DVec2::ZERO;
        self.agents.minds[index].plan = Plan::default();
        Ok(())
    }

    /// Puts an agent elsewhere as it walks: it goes on as fast, in the same direction, and remembers what it met. For ground that goes on
    /// elsewhere, as in a corridor whose ends are joined.
    pub fn carry(&mut self, id: AgentId, at: DVec3) -> Result<(), CrowdError> {
        self.put(id, at).map(|_| ())
    }

    fn put(&mut self, id: AgentId, at: DVec3) -> Result<usize, CrowdError> {
        let index = self.find(id)?;
        let radius = self.agents.bodies[index].radius;
        let stand = self.free_place(at, radius, Some(id))?;
        self.standing.forget();
        let body = &mut self.agents.bodies[index];
        (body.at, body.z, body.cell) = (stand.at, stand.z, stand.cell);
        let mind = &mut self.agents.minds[index];
        (mind.kept, mind.gate, mind.field) = (Kept::default(), Gateway::Unknown, NONE);
        self.find_field(index);
        Ok(index)
    }

    /// Sends an agent on another journey, from its first leg on.
    pub fn retarget(&mut self, id: AgentId, journey: JourneyId) -> Result<(), CrowdError> {
        self.journeys.get(journey).ok_or(CrowdError::Unknown { kind: "journey", number: journey.0 })?;
        let index = self.find(id)?;
        let mind = &mut self.agents.minds[index];
        (mind.journey, mind.leg, mind.field, mind.gate) = (journey.0, 0, NONE, Gateway::Unknown);
        mind.waits_until = mind.waits_until.min(self.time);
        self.find_field(index);
        Ok(())
    }

    /// How fast agents are in a cell, as a share of their wish speed; 0.05 to 2. Ways are found anew.
    pub fn set_speed_factor(
        &mut self,
        cells: impl IntoIterator<Item = CellId>,
        factor: f64,
    ) -> Result<(), CrowdError> {
        in_range("speed factor", factor, (0.05..=2.0).contains(&factor), "0.05 .. 2")?;
        for cell in cells {
            let count = self.factors.len();
            let slot = self.factors.get_mut(cell.index());
            *slot.ok_or(CrowdError::Unknown { kind: "cell", number: cell.0.min(count as u32) })? = factor;
        }
        self.find_ways_anew();
        Ok(())
    }

    /// Closes or opens portals, as doors do. Agents look for another way at once; a door in which somebody stands is shut when
    /// they have left it.
    pub fn set_closed(
        &mut self,
        portals: impl IntoIterator<Item = PortalId>,
        closed: bool,
    ) -> Result<(), CrowdError> {
        for portal in portals {
            if portal.index() >= self.mesh.portals().len() {
                return Err(CrowdError::Unknown { kind: "portal", number: portal.0 });
            }
            if !closed {
                self.blocks.unblock_portal(portal);
                self.closing.retain(|&other| other != portal);
            } else if !self.blocks.is_portal_blocked(portal) {
                self.blocks.block_portal(portal);
                self.closing.push(portal);
            }
        }
        // At once where nobody is in the way.
        self.shut_doors();
        self.walls = Walls::new(&self.mesh, &self.blocks, &self.closing);
        self.find_ways_anew();
        Ok(())
    }

    /// Closes the doors that wait for it and in which nobody stands any more.
    pub(crate) fn shut_doors(&mut self) {
        let Self { mesh, agents, closing, .. } = self;
        let before = closing.len();
        closing.retain(|&portal| {
            let corner = mesh.portals()[portal][0];
            let [a, b] = mesh.edge(corner).map(|vertex| mesh.position(vertex));
            agents.bodies.iter().any(|body| {
                let foot = nearest_on_segment(body.at, a.truncate(), b.truncate());
                let squared = foot.distance_squared(body.at);
                squared < body.radius * body.radius
                    && contact::is_same_storey(body.z, squared, 0.5 * (a.z + b.z))
            })
        });
        if closing.len() < before {
            self.walls = Walls::new(&self.mesh, &self.blocks, &self.closing);
            for mind in &mut self.agents.minds {
                mind.kept = Kept::default();
            }
        }
    }

    /// Forgets all ways and finds those that are needed.
    fn find_ways_anew(&mut self) {
        self.fields.clear();
        for mind in &mut self.agents.minds {
            (mind.field, mind.gate) = (NONE, Gateway::Unknown);
            mind.kept = Kept::default();
        }
        self.find_fields();
    }

    fn find(&self, id: AgentId) -> Result<usize, CrowdError> {
        self.agents.index(id).ok_or(CrowdError::Unknown { kind: "agent", number: id.0 })
    }

    /// A place on the ground at which a body can stand.
    pub fn fits(&self, at: DVec3, radius: f64) -> Result<(), CrowdError> {
        self.free_place(at, radius, None).map(|_| ())
    }

    fn free_place(&self, at: DVec3, radius: f64, own: Option<AgentId>) -> Result<Stand, CrowdError> {
        let place = self.mesh.locate(at, &LocateConfig::default()).ok_or(CrowdError::OffMesh { at })?;
        let stand = Stand { cell: place.cell, at: place.point.truncate(), z: place.point.z };
        let (mut kept, mut scratch) = (Kept::default(), Scratch::default());
        let mut available = f64::INFINITY;
        self.walls.near(&self.mesh, stand, radius, &mut kept, &mut scratch, |corner| {
            let [a, b] = self.walls.edge(corner);
            available = available.min(nearest_on_segment(stand.at, a, b).distance(stand.at));
        });
        if available < radius - HAIR {
            return Err(CrowdError::TooTight { at, needed: radius, available });
        }
        let is_in_the_way = |body: &Body| {
            let squared = body.at.distance_squared(stand.at);
            let sum = body.radius + radius - HAIR;
            squared < sum * sum
                && contact::is_same_storey(stand.z, squared, body.z)
                && own.is_none_or(|own| own.0 != body.id)
        };
        match self.standing.find(&self.agents.bodies, stand.at, radius, is_in_the_way) {
            Some(other) => Err(CrowdError::Taken { at, other }),
            None => Ok(stand),
        }
    }
}

fn in_range(field: &'static str, value: f64, is_in: bool, range: &'static str) -> Result<(), CrowdError> {
    if is_in { Ok(()) } else { Err(CrowdError::Range { field, value, range }) }
}
