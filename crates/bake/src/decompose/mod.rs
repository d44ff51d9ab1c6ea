//! The convex decomposition of one piece of ground: a region, or several that were glued together at seams.
//!
//! Source: thesis (seed 000), chapter 4: portals from notches to the closest element in their area of
//!   interest. We differ: all visibility comes from walking a constrained triangulation, portals that resolve
//!   two notches are chosen first as a large non-crossing set, and what is not needed is removed.
//! Steps: 1. notches  2. pairs  3. one portal for each notch left  4. removal and improvement  5. depth of what
//!   is ignored  6. cells
//! Needs F1. Promises N1 to N5.
//! The ground may overlap itself seen from above (a spiral ramp): every step walks from triangle to triangle. Only a
//!   relaxed cell could overlap itself; such cells are looked for and refused.
//! Cost: near-linear: every search is bounded and stays near its notch.

mod cells;
mod improve;
mod matching;
mod pairs;
mod prune;
mod relax;
mod singles;
mod thesis;
mod workpiece;

pub(crate) use cells::RegionCells;

use crate::config::{BakeConfig, BakeError, Decomposition};
use wayfare_core::Context;
use wayfare_geom::triangulation::Triangulation;
use workpiece::Workpiece;

/// A piece of ground to be cut.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub mesh: Triangulation,
    /// The plan's vertex of each vertex, if it has several fans of this ground; empty: each is one of its own.
    pub names: Vec<u32>,
    /// Vertices that the ground goes round once or more; portals that they have from the start stay.
    pub wide: Vec<u32>,
    /// Whether the ground may overlap itself seen from above, or touch itself at different heights.
    pub may_overlap: bool,
}

/// Regions with at most so many notches are also decomposed by merging triangles (Hertel and Mehlhorn 1983).
const FEW_NOTCHES: usize = 200;

/// Portals are taken away for growing parts of the relaxation.
const RELAXATION_STEPS: [f64; 3] = [0.25, 0.5, 1.0];

/// Cuts a piece of ground into convex cells.
pub(crate) fn decompose_ground(
    ground: Ground,
    config: &BakeConfig,
    context: &Context,
) -> Result<RegionCells, BakeError> {
    let piece = Workpiece::new(ground);
    if config.convex_distance == 0.0 {
        return decompose(piece, config, context);
    }
    // Ignoring strings of shallow notches from the start is best for round things; where obstacles are as
    // small as the relaxation, taking portals away at the end alone can be better.
    let mut ignoring = piece.clone();
    relax::ignore_shallow(&mut ignoring, config.convex_distance);
    let (ignoring, plain) = (decompose(ignoring, config, context)?, decompose(piece, config, context)?);
    Ok(if ignoring.len() <= plain.len() { ignoring } else { plain })
}

/// Chooses portals for the notches of a workpiece, removes those that are not needed, and reads the cells off.
fn decompose(mut piece: Workpiece, config: &BakeConfig, context: &Context) -> Result<RegionCells, BakeError> {
    context.check()?;
    match config.decomposition {
        Decomposition::Thesis => thesis::resolve(&mut piece),
        Decomposition::Best => {
            let is_small = piece.is_notch.iter().filter(|&&is_notch| is_notch).count() <= FEW_NOTCHES;
            let untouched = (is_small && config.shape == 0.0).then(|| piece.clone());
            pairs::choose(&mut piece, config);
            context.check()?;
            singles::resolve(&mut piece, config.stretch());
            context.check()?;
            let has_own = prune::remove_dispensable(&mut piece, 0.0);
            if config.shape == 0.0 {
                improve::improve(&mut piece, &has_own);
                prune::remove_dispensable(&mut piece, 0.0);
            }
            // On a small region chance counts: the plain merging of triangles may happen to be better.
            if let Some(mut merged) = untouched {
                merged.mesh.make_all_portals();
                prune::remove_dispensable(&mut merged, 0.0);
                if merged.mesh.portal_count() < piece.mesh.portal_count() {
                    piece = merged;
                }
            }
        }
    }
    context.check()?;
    if config.convex_distance > 0.0 {
        // By and by: what costs the least depth goes first, which leaves more for the rest.
        for part in RELAXATION_STEPS {
            prune::remove_dispensable(&mut piece, config.convex_distance * part);
        }
    }
    let deepest = config.convex_distance.max(piece.flat);
    relax::resolve_deep(&mut piece, deepest);
    Ok(cells::collect(&piece))
}
