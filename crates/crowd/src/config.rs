//! What can be chosen of a crowd.

use crate::{
    movement::{
        Movement,
        forces::{Forces, ForcesConfig},
        predictive::{Predictive, PredictiveConfig},
        reciprocal::{Reciprocal, ReciprocalConfig},
    },
    way_point::WayPointRule,
};

/// Which model moves the agents.
#[derive(Clone, Debug, PartialEq)]
pub enum MovementChoice {
    /// The default: predictive directions, head-way, lanes.
    Predictive(PredictiveConfig),
    /// Rule-based steering with the forces of HiDAC, as in the paper.
    Forces(ForcesConfig),
    /// Reciprocal avoidance (ORCA).
    Reciprocal(ReciprocalConfig),
}

impl MovementChoice {
    /// The model.
    pub(crate) fn model(&self) -> Box<dyn Movement> {
        match self {
            Self::Predictive(numbers) => Box::new(Predictive::new(numbers.clone())),
            Self::Forces(numbers) => Box::new(Forces::new(numbers.clone())),
            Self::Reciprocal(numbers) => Box::new(Reciprocal::new(numbers.clone())),
        }
    }
    /// Its number in files, and the numbers of the model.
    pub(crate) fn code(&self) -> (u64, Vec<f64>) {
        match self {
            Self::Predictive(numbers) => (0, numbers.to_array().into()),
            Self::Forces(numbers) => (1, numbers.to_array().into()),
            Self::Reciprocal(numbers) => (2, numbers.to_array().into()),
        }
    }
    /// From a file; nothing where it is none.
    pub(crate) fn of_code(code: u64, numbers: &[f64]) -> Option<Self> {
        match code {
            0 => PredictiveConfig::of_array(numbers).map(Self::Predictive),
            1 => ForcesConfig::of_array(numbers).map(Self::Forces),
            2 => ReciprocalConfig::of_array(numbers).map(Self::Reciprocal),
            _ => None,
        }
    }
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
