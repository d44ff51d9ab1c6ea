#![doc = include_str!("../README.md")]

mod agents;
mod check;
mod chunks;
mod config;
mod contact;
mod crowd;
mod eyes;
mod field;
mod goal;
mod grid;
mod group;
mod in_the_way;
mod lane;
mod live;
pub mod movement;
mod report;
#[cfg(feature = "scenario")]
pub mod scenario;
mod sight;
mod standing;
mod state;
mod track;
mod walls;
mod way_point;

pub use agents::{Agent, AgentId, NewAgent};
pub use config::{CrowdConfig, CrowdError, MovementChoice};
pub use crowd::Crowd;
pub use goal::{Area, AtEnd, Goal, GoalId, Journey, JourneyId, Leg};
pub use report::{Left, StepReport, TOUCHING};
pub use state::StateError;
pub use walls::Segment;
pub use way_point::WayPointRule;
