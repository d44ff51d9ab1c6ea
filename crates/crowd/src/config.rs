//! What can be chosen of a crowd.

use crate::{movement::predictive::PredictiveConfig, way_point::WayPointRule};

/// Which model moves the agents.
#[derive(Clone, Debug, PartialEq)]
pub enum MovementChoice {
    /// The default: predictive directions, head-way, lanes.
    Predictive(PredictiveConfig),
}

impl Default for MovementChoice {
    fn default() -> Self {
        Self::Predictive(PredictiveConfig::default())
    }
}

/// What can be chosen of a crowd.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrowdConfig {
    /// How way points are chosen.
    pub way_points: WayPointRule,
    /// How agents move.
    pub movement: MovementChoice,
    /// What lots are drawn from.
    pub seed: u64,
}

/// Why something cannot be done to a crowd.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A number is out of its range.
    #[error("{field} = {value} is outside {range}")]
    Range {
        /// What it is.
        field: &'static str,
        /// The number.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// There is no ground there.
    #[error("no ground near ({}, {}, {})", .at.x, .at.y, .at.z)]
    OffMesh {
        /// Where.
        at: wayfare_core::DVec3,
    },
    /// A wall is too near.
    #[error("at ({}, {}, {}) a wall is {available:.3} m away, the body needs {needed:.3}", .at.x, .at.y, .at.z)]
    TooTight {
        /// Where.
        at: wayfare_core::DVec3,
        /// The radius [m].
        needed: f64,
        /// The room [m].
        available: f64,
    },
    /// Somebody stands there.
    #[error("at ({}, {}, {}) stands agent {other}", .at.x, .at.y, .at.z)]
    Taken {
        /// Where.
        at: wayfare_core::DVec3,
        /// Who.
        other: u32,
    },
    /// An agent, a goal or a journey that there is not.
    #[error("there is no {kind} {number}")]
    Unknown {
        /// What it is.
        kind: &'static str,
        /// Its number.
        number: u32,
    },
    /// A journey without goals.
    #[error("a journey needs a goal")]
    EmptyJourney,
}
