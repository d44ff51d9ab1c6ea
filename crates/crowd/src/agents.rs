//! Agents in flat arrays: what moves, one cache line each, and what it remembers.

use crate::{
    field::NONE,
    goal::JourneyId,
    grid::Seen,
    movement::Plan,
    walls::{Kept, Stand},
};
use wayfare_core::{DVec2, DVec3, id_type};
use wayfare_navmesh::CellId;

id_type!(
    /// An agent of a crowd; the number is never used again.
    AgentId
);

/// An agent that is to be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewAgent {
    /// Where it stands; near enough to the ground.
    pub at: DVec3,
    /// Its radius [m]; 0.05 to 5.
    pub radius: f64,
    /// How fast it would like to walk [m/s]; 0 to 10.
    pub speed: f64,
    /// Where it goes.
    pub journey: JourneyId,
    /// When it begins to [s], in simulated time.
    pub starts_at: f64,
}

/// An agent as others see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Its number.
    pub id: AgentId,
    /// Where it is, on the ground.
    pub at: DVec3,
    /// How it moves in plan [m/s].
    pub velocity: DVec2,
    /// The direction to its way point, of length 1; 0 if it stays.
    pub heading: DVec2,
    /// Its radius [m].
    pub radius: f64,
    /// How fast it would like to walk [m/s].
    pub speed: f64,
    /// The cell that it is in.
    pub cell: CellId,
    /// Its journey.
    pub journey: JourneyId,
    /// The leg of the journey that it is on.
    pub leg: usize,
    /// Whether it knows a way to its goal, or needs none.
    pub has_way: bool,
}

/// What moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub at: DVec2,
    pub velocity: DVec2,
    pub z: f64,
    pub radius: f64,
    pub speed: f64,
    pub cell: CellId,
    pub id: u32,
}

impl Body {
    pub fn stand(&self) -> Stand {
        Stand { cell: self.cell, at: self.at, z: self.z }
    }
    /// What others know of it, who is in this place of the arrays.
    pub fn seen(&self, k: usize, heading: DVec2) -> Seen {
        let Self { at, velocity, radius, z, .. } = *self;
        Seen { at, velocity, heading, radius, z, agent: k as u32 }
    }
}

/// What an agent remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mind {
    /// To the way point, of length 1; 0 if it stays.
    pub heading: DVec2,
    pub plan: Plan,
    pub kept: Kept,
    pub journey: u32,
    pub leg: u32,
    /// Its field; [`NONE`]: there is none.
    pub field: u32,
    pub gate: Gateway,
    /// The cell for which the gate was chosen.
    pub gate_cell: u32,
    /// It stays where it is until then [s].
    pub waits_until: f64,
    /// The share of its wish speed that its group lets it go.
    pub pace: f64,
}

/// The next gate of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gateway {
    /// It must be chosen.
    Unknown,
    /// The goal is in the same cell.
    Goal,
    /// This gate of the field.
    Gate(u32),
    /// There is no way.
    Lost,
}

impl Gateway {
    /// As a number in files.
    pub fn code(self) -> u32 {
        match self {
            Self::Gate(gate) => gate,
            Self::Unknown => NONE,
            Self::Goal => NONE - 1,
            Self::Lost => NONE - 2,
        }
    }
    pub fn of_code(code: u32) -> Self {
        match code {
            NONE => Self::Unknown,
            _ if code == NONE - 1 => Self::Goal,
            _ if code == NONE - 2 => Self::Lost,
            gate => Self::Gate(gate),
        }
    }
}

/// All agents, by rising number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agents {
    pub bodies: Vec<Body>,
    pub minds: Vec<Mind>,
}

impl Agents {
    pub fn len(&self) -> usize {
        self.bodies.len()
    }
    /// Where an agent is in the arrays.
    pub fn index(&self, id: AgentId) -> Option<usize> {
        self.bodies.binary_search_by_key(&id.0, |body| body.id).ok()
    }
    /// Takes agents out that are not wanted; the others keep their order.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let mut k = 0;
        self.bodies.retain(|_| {
            k += 1;
            keep(k - 1)
        });
        k = 0;
        self.minds.retain(|_| {
            k += 1;
            keep(k - 1)
        });
    }
}
