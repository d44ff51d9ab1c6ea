//! The convex decomposition of one region.
//!
//! Source: thesis (seed 000), chapter 4: portals from notches to the closest element in their area of
//!   interest. We differ: all visibility comes from walking a constrained triangulation, portals that resolve
//!   two notches are chosen first as a large non-crossing set, and what is not needed is removed.
//! Steps: 1. notches  2. pairs  3. one portal for each notch left  4. removal  5. cells
//! Needs F1. Promises N1 to N5.
//! Cost: near-linear: every search is bounded and stays near its notch.

mod cells;
mod independent_set;
mod pairs;
mod prune;
mod singles;
mod workpiece;

pub(crate) use cells::RegionCells;

use crate::config::{BakeConfig, BakeError, Decomposition};
use wayfare_core::{Context, DVec2};
use workpiece::Workpiece;

/// Cuts a region, given as rings with the inside on their left, into convex cells.
pub(crate) fn decompose_region(
    rings: &[Vec<DVec2>],
    config: &BakeConfig,
    context: &Context,
) -> Result<RegionCells, BakeError> {
    let mut piece = Workpiece::new(rings)?;
    context.check()?;
    match config.decomposition {
        Decomposition::Best => {
            pairs::choose(&mut piece, config);
            context.check()?;
            singles::resolve(&mut piece);
        }
        Decomposition::Thesis => singles::resolve(&mut piece),
    }
    context.check()?;
    prune::remove_dispensable(&mut piece);
    Ok(cells::collect(&piece))
}
