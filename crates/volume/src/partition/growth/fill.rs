//! What growing has left: the parts of the partition's free cells that no region holds.
//!
//! Idea: pockets get no seed where they are narrow, and none at all once growing has cost enough; but a way may lead through them.
//!   The partition's cells hang together, and what a region does not hold of a cell is cut off along the region's own planes: so
//!   regions, and what lies between them, name the same planes on both sides, and no way is lost.
//! Steps: 1. the cells' planes get the regions' numbers where they are the same  2. regions that meet a cell are taken away from it,
//!   one after the other, along the plane that leaves most.
//! Cost: cells times the regions that meet them.

use super::{Grown, planes::Planes};
use crate::{
    partition::Space,
    plane::HalfSpace,
    polytope::{Cut, Polytope},
};
use rayon::prelude::*;
use wayfare_core::{Cancelled, Context};
use wayfare_geom::bvh::{Aabb3, Bvh};

/// Cells that are cut before it is asked whether to go on.
const AT_ONCE: usize = 256;
/// What is thinner than so many times the distance up to which triangles lie in a plane is no region.
const THIN: f64 = 4.0;

/// A convex part of a cell, with the half-spaces that it is the intersection of.
type Part = (Polytope, Vec<HalfSpace>);

/// The parts of the free cells that no region holds.
pub(super) fn fill(
    space: &Space,
    grown: &[Grown],
    planes: &mut Planes,
    context: &Context,
) -> Result<Vec<Grown>, Cancelled> {
    let stage = context.stage("fill", space.cells.len() as u64);
    // 1.
    let below: Vec<HalfSpace> = space.planes.iter().map(|&plane| planes.below(plane)).collect();
    let planes = &*planes;
    // 2.
    let tree = Bvh::build(&grown.iter().map(|own| own.area).collect::<Vec<_>>());
    let mut left = Vec::new();
    for (cells, reached) in space.cells.chunks(AT_ONCE).zip(space.reached.chunks(AT_ONCE)) {
        context.check()?;
        let parts: Vec<Vec<Part>> = cells
            .par_iter()
            .zip(reached)
            .filter(|(_, reached)| **reached)
            .map(|(cell, _)| {
                let of = |side: HalfSpace| {
                    let own = below[side.plane().0 as usize];
                    if side.is_above() { own.opposite() } else { own }
                };
                let mut half_spaces: Vec<HalfSpace> = cell.half_spaces.iter().map(|&side| of(side)).collect();
                // Those of faces first: where another one is almost the same, neighbours have taken the same one.
                let sides = cell.body.faces.iter().map(|face| of(HalfSpace(face.key)));
                let Some(body) = body_of(sides.chain(half_spaces.iter().copied()), space, planes) else {
                    return Vec::new();
                };
                half_spaces.sort_unstable();
                half_spaces.dedup();
                without(body, half_spaces, grown, &tree, space, planes)
            })
            .collect();
        left.extend(parts.into_iter().flatten().map(|(body, half_spaces)| Grown::new(body, half_spaces)));
        stage.advance(cells.len() as u64);
    }
    Ok(left)
}

/// The intersection of half-spaces in the box.
fn body_of(sides: impl Iterator<Item = HalfSpace>, space: &Space, planes: &Planes) -> Option<Polytope> {
    let mut body = Polytope::cuboid(space.bounds[0], space.bounds[1]);
    for face in &mut body.faces {
        // Low sides of the box are left above, high ones below.
        face.key = face.key << 1 | u32::from(face.key.is_multiple_of(2));
    }
    for side in sides.filter(|side| side.plane().0 >= 6) {
        body = body.below(&planes.outward(side), space.limits.cell, side.0)?;
    }
    Some(body)
}

/// Step 2.
fn without(
    body: Polytope,
    half_spaces: Vec<HalfSpace>,
    grown: &[Grown],
    tree: &Bvh,
    space: &Space,
    planes: &Planes,
) -> Vec<Part> {
    let mut near = Vec::new();
    tree.visit(&Aabb3::of_points(body.vertices.iter().copied()), |region| {
        near.push(region);
        false
    });
    // The largest first: they leave the fewest parts.
    near.sort_unstable_by(|&a, &b| {
        let volume = |region: u32| grown[region as usize].volume;
        volume(b).total_cmp(&volume(a)).then(a.cmp(&b))
    });
    let mut parts = vec![(body, half_spaces)];
    for region in near {
        let region = &grown[region as usize];
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts {
            if meet(&part, region, space, planes) {
                take_away(part, region, space, planes, &mut kept);
            } else {
                kept.push(part);
            }
        }
        parts = kept;
    }
    parts
}

/// Whether a part and a region have more than their surface in common.
fn meet((body, half_spaces): &Part, region: &Grown, space: &Space, planes: &Planes) -> bool {
    if region.half_spaces.iter().any(|side| half_spaces.binary_search(&side.opposite()).is_ok()) {
        return false;
    }
    let inner = |side: &HalfSpace| planes.outward(*side).moved(-2.0 * space.limits.cell);
    let mut sides = half_spaces.iter().chain(&region.half_spaces);
    sides.try_fold(body.clone(), |common, side| common.inside(&inner(side), 0.0)).is_some()
}

/// What of a part lies beyond each side of a region, side by side.
fn take_away(part: Part, region: &Grown, space: &Space, planes: &Planes, kept: &mut Vec<Part>) {
    let (mut body, mut half_spaces) = part;
    let mut sides: Vec<HalfSpace> =
        region.half_spaces.iter().copied().filter(|side| half_spaces.binary_search(side).is_err()).collect();
    while !sides.is_empty() {
        let inside = |side: &HalfSpace| body.measure(&planes.outward(*side)).1;
        let next = (0..sides.len())
            .min_by(|&a, &b| inside(&sides[a]).total_cmp(&inside(&sides[b])).then(sides[a].cmp(&sides[b])));
        let Some(next) = next else { return };
        let side = sides.swap_remove(next);
        let keys = [side.0, side.opposite().0];
        let (within, beyond) = match body.cut(&planes.outward(side), space.limits.cell, keys) {
            Cut::Both([within, beyond]) => (within, beyond),
            Cut::Above => {
                kept.push((body, with(&half_spaces, side.opposite())));
                return;
            }
            // Where nothing is beyond, or rounding leaves it open, the side is no border.
            Cut::Below | Cut::Unclear => continue,
        };
        if beyond.width() > THIN * space.limits.piece && beyond.volume() > 0.0 {
            kept.push((beyond, with(&half_spaces, side.opposite())));
        }
        half_spaces = with(&half_spaces, side);
        body = within;
    }
}

/// Half-spaces and one more, ascending.
fn with(half_spaces: &[HalfSpace], one: HalfSpace) -> Vec<HalfSpace> {
    let at = half_spaces.partition_point(|&side| side < one);
    [&half_spaces[..at], &[one], &half_spaces[at..]].concat()
}
