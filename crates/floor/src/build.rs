//! From polygons as they were read to a valid, canonical floor plan.

use crate::{
    FloorPlan,
    canonical::{RegionPoints, flat_plan},
};
use wayfare_core::{Cancelled, Context, RepairReport};
use wayfare_geom::ring_area;
use wayfare_scene::PlanSource;

/// Why there is no floor plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The input is understood, but no ground is left: the answer is no (exit code 1).
    #[error("nothing is walkable: {reason}")]
    NothingWalkable {
        /// Why nothing is left.
        reason: String,
    },
    /// The input cannot be used (exit code 2).
    #[error("the plan cannot be used: {reason}")]
    Unusable {
        /// What is wrong with it.
        reason: String,
    },
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Builds the floor plan of polygons: their union, as connected regions in canonical order.
pub fn build_plan(source: &PlanSource, context: &Context) -> Result<(FloorPlan, RepairReport), PlanError> {
    context.check()?;
    let mut regions = Vec::new();
    for polygon in &source.polygons {
        let oriented = |ring: &Vec<_>, sign: f64| {
            let mut ring = ring.clone();
            if ring_area(&ring) * sign < 0.0 {
                ring.reverse();
            }
            ring
        };
        regions.push(RegionPoints {
            outer: oriented(&polygon.outer, 1.0),
            holes: polygon.holes.iter().map(|hole| oriented(hole, -1.0)).collect(),
        });
    }
    if regions.is_empty() {
        return Err(PlanError::NothingWalkable { reason: "the plan holds no polygon".into() });
    }
    Ok((flat_plan(regions), source.repair.clone()))
}
