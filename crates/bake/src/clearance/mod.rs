//! The clearance of a mesh: who is nearest where, and the widest way between any two points.
//!
//! What it is and how it is asked: `wayfare_navmesh::Clearances`. How it is made:
//!
//! 1. `flood`: per cell the features that are nearest to some point of it; critical radii of portals
//! 2. `reach`: per feature how far it stays nearest, as lower envelopes of quadratics, cell by cell
//! 3. `joints`: the reaches become one graph
//! 4. `tree`: bottlenecks
//! 5. every number is looked at again ([`Clearance::check`]); a diagram with a fault is refused, not handed out
//! 6. `crossings`: the widest ways inside each cell between its portals
//!
//! No step knows of storeys, holes or relaxation: they walk from cell to cell. Steps 2, 3 and 6 run in parallel; the result
//! does not depend on the number of threads.
//! Source: own; `docs/decisions/0007-reach-of-features.md`.

mod crossings;
mod flood;
mod joints;
mod reach;
mod spread;
mod tree;

use flood::Flood;
use rayon::prelude::*;
use reach::{Lists, Reaches, without_slivers};
use wayfare_core::{Cancelled, Context, DVec2, Defect};
use wayfare_navmesh::{CellId, Clearance, ClearanceParts, FeatureId, Features, NavMesh};

/// Why a mesh has no clearance.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClearanceError {
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A feature's rays do not end: a defect of wayfare, not of the mesh.
    #[error("the reach of boundary feature {0} does not end")]
    Endless(FeatureId),
    /// Beams multiply in a cell, between walls that are nearer to each other than distances are told apart: a defect of wayfare,
    /// not of the mesh.
    #[error("walls are too near to each other round cell {0}")]
    TooMany(CellId),
    /// Two sides of the diagram do not agree: a defect of wayfare, not of the mesh.
    #[error("the distances at ({}, {}) are {} and {} m, seen from two sides", .at.x, .at.y, .distances[0], .distances[1])]
    Disagreement {
        /// Where.
        at: DVec2,
        /// The two distances to the boundary [m].
        distances: [f64; 2],
    },
    /// The check afterwards found something: a defect of wayfare, not of the mesh.
    #[error("the clearance is not that of the mesh: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Wrong(Vec<Defect>),
}

/// Finds the clearance of a mesh: to every edge of its boundary, walls and drops alike.
///
/// The result depends on the mesh alone, not on the number of threads.
pub fn build_clearance(mesh: &NavMesh, context: &Context) -> Result<Clearance, ClearanceError> {
    let features = Features::of(mesh);
    let hair = Clearance::hair_of(mesh);
    // 1.
    let flood = Flood::run(mesh, &features, hair, context)?;
    let has_storeys = mesh.raw().storeys.iter().any(|&storey| storey != 0);
    let lists = lists(&flood, has_storeys);
    // 2.
    let reaches = Reaches::new(mesh, &features, &lists, hair);
    let found: Vec<_> = features.ids().collect::<Vec<_>>().par_iter().map(|&id| reaches.find(id)).collect();
    let endless = found.iter().position(Option::is_none);
    if let Some(feature) = endless {
        return Err(ClearanceError::Endless(FeatureId(feature as u32)));
    }
    let found: Vec<_> = features
        .ids()
        .zip(found.into_iter().flatten())
        .map(|(id, arcs)| without_slivers(features.get(id), &features, arcs, joints::NEAR * hair))
        .collect();
    context.check()?;
    // 3. and 4.
    let graph = joints::join(&features, &found, hair)
        .map_err(|place| ClearanceError::Disagreement { at: place.at, distances: place.heights })?;
    let nodes = tree::hang(&features, &graph);
    let portals: Vec<_> = mesh.portals().ids().collect();
    let mut parts = ClearanceParts {
        list_starts: vec![0],
        arc_starts: graph.arc_starts,
        arcs: graph.arcs,
        nodes,
        critical_radii: portals.par_iter().map(|&portal| flood.critical_radius(portal)).collect(),
        ..ClearanceParts::default()
    };
    for list in &lists {
        parts.lists.extend(list.iter().map(|&(feature, ..)| feature));
        if has_storeys {
            parts.ranges.extend(list.iter().map(|&(_, low, high)| outwards(low, high)));
        }
        parts.list_starts.push(parts.lists.len() as u32);
    }
    context.check()?;
    // 5.
    let mut clearance = Clearance::new(mesh, parts).map_err(ClearanceError::Wrong)?;
    let defects = clearance.check(mesh);
    if !defects.is_empty() {
        return Err(ClearanceError::Wrong(defects));
    }
    context.check()?;
    // 6.
    let crossings = crossings::build(mesh, &clearance).map_err(ClearanceError::Wrong)?;
    clearance.set_crossings(Some(crossings));
    Ok(clearance)
}

/// Where two curves touch, rounding moves the place at which one takes over by its root: so many hairs, 10⁻⁸ of the map's size.
const TANGENT: f64 = 1e5;

/// The features of each cell; on one storey whole ones, on several the parts that its points see.
fn lists(flood: &Flood<'_>, has_storeys: bool) -> Lists {
    let list = |beams: &Vec<flood::Beam>| {
        let mut list: Vec<(FeatureId, f64, f64)> = Vec::with_capacity(beams.len());
        for beam in beams {
            let feature = flood.features.get(beam.feature);
            // A part that ends too early would let features be seen that are far behind it, one that ends too late costs nothing.
            let (low, high) = if has_storeys && feature.is_edge() {
                let more = TANGENT * flood.hair;
                ((beam.low - more).max(feature.low), (beam.high + more).min(feature.high))
            } else {
                (feature.low, feature.high)
            };
            // Beams that come through neighbouring portals may miss each other by rounding; no other feature is nearer there.
            let is_next =
                |last: &(FeatureId, f64, f64)| last.0 == beam.feature && low <= last.2 + 2.0 * flood.hair;
            match list.last_mut().filter(|last| is_next(last)) {
                Some(last) => last.2 = last.2.max(high),
                None => list.push((beam.feature, low, high)),
            }
        }
        list
    };
    flood.beams.par_iter().map(list).collect()
}

/// Singles round an interval of doubles.
fn outwards(low: f64, high: f64) -> [f32; 2] {
    let (single_low, single_high) = (low as f32, high as f32);
    [
        if f64::from(single_low) > low { single_low.next_down() } else { single_low },
        if f64::from(single_high) < high { single_high.next_up() } else { single_high },
    ]
}
