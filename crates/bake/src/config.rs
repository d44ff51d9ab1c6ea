//! What a bake is asked for and why it may fail.

use wayfare_core::{Cancelled, Defect};
use wayfare_geom::triangulation::{GlueError, TriangulationError};

/// How the ground is cut into cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decomposition {
    /// Portals that resolve two notches first, then one portal for each notch left, then improvement.
    #[default]
    Best,
    /// The thesis's greedy alone (seed 000, sections 4 to 4.3), for comparison.
    Thesis,
}

/// Settings of a bake.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeConfig {
    /// How the ground is cut into cells.
    pub decomposition: Decomposition,
    /// How deep a notch may be to be ignored [m]; 0: cells are strictly convex.
    pub convex_distance: f64,
    /// How much well-shaped cells are preferred to few cells, 0 .. 1: no portal is much longer than the shortest
    /// that its notch could have, see [`BakeConfig::stretch`].
    pub shape: f64,
}

impl Default for BakeConfig {
    fn default() -> Self {
        Self { decomposition: Decomposition::Best, convex_distance: 0.0, shape: 0.0 }
    }
}

impl BakeConfig {
    /// How many times longer than the shortest possible one a portal may be: any number for shape 0, 8 for 1/2, and
    /// not at all longer for 1.
    pub fn stretch(&self) -> f64 {
        // 0 / 0 does not happen: shape is 0 in the denominator only.
        8.0 * (1.0 - self.shape) / self.shape
    }

    /// Fails on a value outside its range; NaN is outside every range.
    pub fn check(&self) -> Result<(), BakeError> {
        let bad = |field, value, range| Err(BakeError::Config { field, value, range });
        if !(self.convex_distance >= 0.0 && self.convex_distance.is_finite()) {
            return bad("convex_distance", self.convex_distance, ">= 0 m");
        }
        if !(0.0..=1.0).contains(&self.shape) {
            return bad("shape", self.shape, "0 .. 1");
        }
        Ok(())
    }
}

/// Why a floor plan could not be baked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// A setting is outside its range.
    #[error("{field} = {value} is outside {range}")]
    Config {
        /// The setting.
        field: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// The plan breaks its invariants.
    #[error("the floor plan is not valid: {0}")]
    Plan(#[from] TriangulationError),
    /// An edge of the plan has no kind, or is shared but not by exactly two regions, one on either side.
    #[error(
        "the floor plan is not valid: an edge at vertex {vertex} is not one that two regions share, or has no kind"
    )]
    Edge {
        /// The plan's vertex at one of its ends.
        vertex: u32,
    },
    /// The ground of a region names points that are not there.
    #[error("the floor plan is not valid: the ground of region {region} names points that are not there")]
    Ground {
        /// The region, counted over all layers.
        region: u32,
    },
    /// The seams of the plan do not fit.
    #[error("the floor plan is not valid: {0}")]
    Seams(#[from] GlueError),
    /// The mesh would break its invariants: a defect of wayfare, not of the input.
    #[error("the baked mesh is not valid: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Mesh(Vec<Defect>),
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
