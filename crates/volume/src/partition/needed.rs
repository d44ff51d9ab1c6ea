//! The half-spaces that a region needs: those of its faces, and those that only touch it.
//!
//! Idea: a region is what all planes on its way down the tree leave. Most of them are far from it and can go; but rounding
//!   may have hidden a plane that cuts off a needle thinner than the tolerance. So the body is made again with every plane
//!   moved outwards by more than the tolerance: what that body does not reach, the region does not reach either.
//! Promises: the half-spaces that are kept describe the same set of points as all of them, exactly.

use super::regions::Regions;
use crate::{
    plane::HalfSpace,
    polytope::{Cut, Polytope},
};
use rayon::prelude::*;
use wayfare_core::DVec3;

/// Leaves every region the half-spaces that it needs.
pub(super) fn reduce(all: &mut Regions, bounds: [DVec3; 2], tolerance: f64) {
    let kept: Vec<Vec<HalfSpace>> = all
        .regions
        .par_iter()
        .map(|region| match region {
            Some(region) => needed(all, &region.body, &region.half_spaces, bounds, tolerance),
            None => Vec::new(),
        })
        .collect();
    for (region, kept) in all.regions.iter_mut().zip(kept) {
        if let Some(region) = region {
            region.half_spaces = kept;
        }
    }
}

/// The half-spaces to keep of a region, ascending.
pub(super) fn needed(
    all: &Regions,
    body: &Polytope,
    half_spaces: &[HalfSpace],
    bounds: [DVec3; 2],
    tolerance: f64,
) -> Vec<HalfSpace> {
    let out = 2.0 * tolerance;
    let mut kept: Vec<HalfSpace> = body.faces.iter().map(|face| HalfSpace(face.key)).collect();
    kept.sort_unstable();
    kept.dedup();
    let mut wide = Polytope::cuboid(bounds[0] - out, bounds[1] + out);
    let shrink = |wide: &mut Polytope, side: HalfSpace| {
        // What is unclear leaves the body larger than it could be, which is safe.
        if let Cut::Both([below, _]) = wide.cut_below(&all.outward(side).moved(out), tolerance, 0) {
            *wide = below;
        }
    };
    for &side in &kept {
        shrink(&mut wide, side);
    }
    for &side in half_spaces {
        let plane = all.outward(side);
        let is_clear = wide.vertices.iter().all(|&p| plane.distance(p) < -tolerance / 16.0);
        if is_clear || kept.contains(&side) {
            continue;
        }
        kept.push(side);
        shrink(&mut wide, side);
    }
    kept.sort_unstable();
    kept
}
