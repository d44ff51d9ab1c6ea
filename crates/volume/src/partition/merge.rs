//! Joins regions whose union is convex.
//!
//! Idea: of two regions on both sides of a plane, what satisfies all other half-spaces of both lies in one of them, whatever
//!   rounding did: below the plane it satisfies all of the first, above it all of the second. So the joined region, given
//!   by these half-spaces, never reaches into a third one; that it loses nothing is what has to be tested.
//! Steps: 1. openings by area  2. what the two share is their whole face, and open  3. the corners of each keep to the
//!   half-spaces of the other  4. the joined body is made again of its half-spaces, and its volume compared  5. until no pair is left.
//! Cost: each round is linear in the openings; few rounds.

use super::regions::{Refused, Region, Regions};
use crate::{plane::HalfSpace, polygon, polytope::Polytope};
use wayfare_core::{Cancelled, Context, DVec3};

/// Rounds over all openings; a chain of pairs may need several.
const ROUNDS: usize = 12;

/// Joins what can be; how many regions that saved.
pub(super) fn merge(
    all: &mut Regions,
    refused: &mut Refused,
    bounds: [DVec3; 2],
    tolerance: f64,
    context: &Context,
) -> Result<usize, Cancelled> {
    let mut saved = 0;
    // 1.
    let mut order = all.by_area();
    for _ in 0..ROUNDS {
        context.check()?;
        let before = saved;
        let attempt = |all: &Regions, opening: u32| join(all, opening, bounds, tolerance);
        refused.in_order(all, &order, attempt, |all, opening, joined| {
            unite(all, opening, joined);
            saved += 1;
        });
        // 5.
        if saved == before {
            break;
        }
        order.retain(|&k| {
            let [a, b] = all.openings[k as usize].cells;
            a != b
        });
    }
    Ok(saved)
}

/// Puts the union in the place of the two regions on both sides of an opening.
fn unite(all: &mut Regions, opening: u32, mut joined: Region) {
    let [a, b] = all.openings[opening as usize].cells;
    let (kept, gone) = (a.min(b), a.max(b));
    for &k in &joined.openings {
        for cell in &mut all.openings[k as usize].cells {
            if *cell == gone {
                *cell = kept;
            }
        }
    }
    joined.openings.retain(|&k| {
        let [a, b] = all.openings[k as usize].cells;
        a != b
    });
    all.replace(gone, None);
    all.replace(kept, Some(joined));
}

/// Steps 2 to 4: the union of the regions on both sides of an opening, if it is convex.
fn join(all: &Regions, opening: u32, bounds: [DVec3; 2], tolerance: f64) -> Option<Region> {
    let plane = all.openings[opening as usize].plane;
    let cells = all.openings[opening as usize].cells;
    if cells[0] == cells[1] {
        return None;
    }
    let [a, b] = cells.map(|cell| all.regions[cell as usize].as_ref());
    let (a, b) = (a?, b?);
    let sides = [HalfSpace::new(plane, false), HalfSpace::new(plane, true)];
    // 3. First, since most pairs fail here.
    if !fits(all, a, sides[0], b, tolerance) || !fits(all, b, sides[1], a, tolerance) {
        return None;
    }
    // 2.
    if !is_all_open(all, a, sides[0], cells, tolerance) || !is_all_open(all, b, sides[1], cells, tolerance) {
        return None;
    }
    // 4.
    let mut half_spaces: Vec<HalfSpace> = a.half_spaces.iter().chain(&b.half_spaces).copied().collect();
    half_spaces.retain(|side| !sides.contains(side));
    half_spaces.sort_unstable();
    half_spaces.dedup();
    let mut keys: Vec<u32> = a.body.faces.iter().chain(&b.body.faces).map(|face| face.key).collect();
    keys.retain(|&key| key >> 1 != plane.0);
    keys.sort_unstable();
    keys.dedup();
    let body = body_of(all, &keys, bounds, tolerance)?;
    let volume = body.volume();
    if !has_volume(&body, a.volume + b.volume, tolerance) || !keeps_to(all, &body, &half_spaces, tolerance) {
        return None;
    }
    let mut openings: Vec<u32> = a.openings.iter().chain(&b.openings).copied().collect();
    openings.sort_unstable();
    openings.dedup();
    Some(Region { body, half_spaces, volume, openings })
}

/// Step 3: whether a region keeps to the half-spaces of another but for one side.
pub(super) fn fits(all: &Regions, of: &Region, but: HalfSpace, region: &Region, tolerance: f64) -> bool {
    of.half_spaces.iter().all(|&bound| {
        let outward = all.outward(bound);
        bound == but || region.body.vertices.iter().all(|&p| outward.distance(p) <= tolerance)
    })
}

/// Step 2: whether a region's whole face at a side is open to the other one of two regions.
pub(super) fn is_all_open(
    all: &Regions,
    region: &Region,
    side: HalfSpace,
    cells: [u32; 2],
    tolerance: f64,
) -> bool {
    let mut shared = 0.0;
    for &k in &region.openings {
        let between = &all.openings[k as usize];
        if between.cells == cells && between.plane == side.plane() {
            if !between.is_whole {
                return false;
            }
            shared += polygon::area(&between.points);
        }
    }
    let Some(face) = region.body.faces.iter().find(|face| face.key == side.0) else { return false };
    let points = region.body.points(face);
    let around: f64 = (0..points.len()).map(|k| points[k].distance(points[(k + 1) % points.len()])).sum();
    (polygon::area(&points) - shared).abs() <= 4.0 * tolerance * around
}

/// Step 4: whether a body has a volume, up to what the tolerance may have taken from its surface.
pub(super) fn has_volume(body: &Polytope, volume: f64, tolerance: f64) -> bool {
    let surface: f64 = body.faces.iter().map(|face| polygon::area(&body.points(face))).sum();
    (body.volume() - volume).abs() <= 4.0 * tolerance * surface
}

/// Whether the corners of a body keep to half-spaces, with room to spare up to the tolerance of the file: where planes meet at a small
/// angle, corners that were made anew may lie elsewhere than those that were tested.
pub(super) fn keeps_to(all: &Regions, body: &Polytope, half_spaces: &[HalfSpace], tolerance: f64) -> bool {
    half_spaces.iter().all(|&bound| {
        let outward = all.outward(bound);
        body.vertices.iter().all(|&p| outward.distance(p) <= 2.0 * tolerance)
    })
}

/// The body of half-spaces, given as keys of faces, inside the box.
pub(super) fn body_of(all: &Regions, keys: &[u32], bounds: [DVec3; 2], tolerance: f64) -> Option<Polytope> {
    let mut body = Polytope::cuboid(bounds[0], bounds[1]);
    for face in &mut body.faces {
        // The sides of the box are the first six planes: low ones are left above, high ones below.
        face.key = HalfSpace::new(crate::plane::PlaneId(face.key), face.key.is_multiple_of(2)).0;
    }
    for &key in keys {
        if key >> 1 >= 6 {
            body = body.below(&all.outward(HalfSpace(key)), tolerance, key)?;
        }
    }
    Some(body)
}
