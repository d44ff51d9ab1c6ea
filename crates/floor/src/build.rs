//! From polygons as they were read to a valid, canonical floor plan.
//!
//! Idea: look at the input exactly; if its rings already bound its union they are taken as they are, bit
//! for bit, and only re-ordered. Otherwise the union is computed on a grid of doubles, and vertices
//! that were in the input get their own coordinates back.
//! Steps: 1. examine  2. clean: regions of the rings  3. else: unite, restore coordinates, regions
//!   4. canonical order.
//! Promises: F1, F3, F4, F5. Cost: O(n log n) for clean input, O((n + k) log n) with k crossings.

use crate::{
    FloorPlan,
    canonical::flat_plan,
    regions::{Regions, find_regions},
};
use wayfare_core::{Cancelled, Context, DVec3, MAX_COORDINATE, RepairReport, Tolerance};
use wayfare_geom::{
    Aabb2,
    boolean::unite,
    validate::{DefectKind, Examination, RingSet, clean_ring, examine, sweep_rings},
};
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
    /// There is ground, perhaps, but none at a place from which it is to be reached: the answer is no, too.
    #[error("there is no ground at ({x}, {y}, {z}), where to reach it from", x = place.x, y = place.y, z = place.z)]
    NoGroundAt {
        /// The place.
        place: DVec3,
    },
    /// The input cannot be used (exit code 2).
    #[error("{reason}")]
    Unusable {
        /// What is wrong with it, and where.
        reason: String,
    },
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A plan of no area with more vertices than this is no degenerate plan but something else, as a list of
/// lines: the input is refused rather than answered.
const MAX_VERTICES_WITHOUT_AREA: usize = 10_000;

/// Builds the floor plan of polygons: their union, as connected regions in canonical order, and the report of
/// what was repaired by the reader and here.
pub fn build_plan(source: &PlanSource, context: &Context) -> Result<(FloorPlan, RepairReport), PlanError> {
    let _stage = context.stage("plan", 0);
    context.check()?;
    refuse_wild_coordinates(source)?;
    let mut repair = source.repair.clone();
    // 1. Examine.
    let examined = examine(&source.polygons);
    for defect in &examined.defects {
        if defect.kind != DefectKind::Touching {
            repair.note(defect.kind.key(), || defect.to_string());
        }
    }
    if examined.rings.is_empty() {
        return Err(without_area(source));
    }
    context.check()?;
    // 2. Rings that bound the union as they are.
    let clean = if examined.is_clean() { find_regions(&examined.rings, &examined.sweep) } else { None };
    let regions = match clean {
        Some(regions) => {
            for p in &regions.joined {
                repair.note(DefectKind::Touching.key(), || format!("at ({}, {})", p.x, p.y));
            }
            regions.regions
        }
        // 3. Rings that do not.
        None => united_regions(&examined, context)?.regions,
    };
    if regions.is_empty() {
        return Err(PlanError::NothingWalkable { reason: "the holes cut out all of the ground".into() });
    }
    // 4. Canonical order.
    let plan = flat_plan(regions);
    debug_assert_eq!(plan.check(), []);
    // Slivers so thin that their area is a matter of rounding are no ground.
    let bounds = Aabb2::of_points(plan.vertices.as_slice().iter().map(|p| p.truncate()));
    if plan.area() <= Tolerance::of_extent(bounds.extent()).on_line * bounds.size().length() {
        return Err(without_area(source));
    }
    Ok((plan, repair))
}

/// Readers refuse such coordinates; polygons made in memory may still have them.
fn refuse_wild_coordinates(source: &PlanSource) -> Result<(), PlanError> {
    for (k, polygon) in source.polygons.iter().enumerate() {
        for (r, ring) in polygon.rings().enumerate() {
            // Written so that NaN fails.
            let wild = ring.iter().position(|p| !(p.abs().max_element() <= MAX_COORDINATE && p.is_finite()));
            if let Some(v) = wild {
                let p = ring[v];
                return Err(unusable(format!(
                    "polygon {k}, ring {r}, vertex {v}: coordinate ({:?}, {:?}) is not within {MAX_COORDINATE:e} m",
                    p.x, p.y
                )));
            }
        }
    }
    Ok(())
}

/// What is wrong with a plan, said of the plan.
fn unusable(reason: impl std::fmt::Display) -> PlanError {
    PlanError::Unusable { reason: format!("the plan cannot be used: {reason}") }
}

fn without_area(source: &PlanSource) -> PlanError {
    let vertices = source.vertex_count();
    let reason = match source.polygons.len() {
        0 => "the plan holds no polygon".into(),
        1 => format!("its only polygon ({vertices} vertices) has no area"),
        count => format!("none of its {count} polygons ({vertices} vertices) has an area"),
    };
    if vertices > MAX_VERTICES_WITHOUT_AREA {
        unusable(format!("{reason}; it holds lines, not ground"))
    } else {
        PlanError::NothingWalkable { reason }
    }
}

/// Step 3: the union, with the coordinates of the input as long as nothing crosses by them.
fn united_regions(examined: &Examination, context: &Context) -> Result<Regions, PlanError> {
    let first = || examined.defects.iter().find(|defect| !defect.kind.is_harmless());
    let place = || first().map(|defect| format!(", first in {defect}")).unwrap_or_default();
    let union = unite(examined).map_err(|error| unusable(format!("{error}{}", place())))?;
    context.check()?;
    for rings in [union.with_input_coordinates(&examined.rings), union.rings] {
        let mut cleaned = RingSet::new();
        for ring in rings.iter().map(clean_ring).filter(|ring| ring.len() >= 3) {
            cleaned.push(ring);
        }
        if let Some(regions) = find_regions(&cleaned, &sweep_rings(&cleaned)) {
            return Ok(regions);
        }
    }
    // Noding makes this impossible; should it be wrong, the user gets an error and not a bad plan.
    Err(unusable(format!("its polygons could not be united{}", place())))
}
