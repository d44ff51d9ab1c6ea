//! Islands without their margins that lie over, or under, other ground.
//!
//! Idea: tops of furniture and their like are a few pixels wide, so that few of their edges have lines of their own; the ground
//!   around them, whose edges have, would lie under what they have too much. They are cut along its edges.

use super::{
    super::contour::{Contours, Corner, PARTS},
    lines::Finder,
    overhangs::{LayerHeights, Side, crossing},
};
use crate::voxel::lattice::HEIGHT_UNITS;
use wayfare_core::DVec2;

/// No more than this is cut off [pixels]: pixels and simplification have too much by as much.
pub const DEEPEST: f64 = 2.5;

/// How far from other ground the cut is [parts of a pixel]: more than rounding moves a corner.
const GAP: f64 = 2.0;

/// What one cut leaves may still be crossed by another edge; each is cut this many times at most.
const ROUNDS: usize = 4;

/// For each ring whether it is all that bounds its region, and nobody else has its corners.
pub fn islands(contours: &Contours) -> Vec<bool> {
    let of_region = contours.regions.iter().flat_map(|region| {
        let is_alone = region.rings.len() == 1;
        region
            .rings
            .iter()
            .map(move |ring| is_alone && ring.corners.iter().all(|corner| corner.shared.is_none()))
    });
    of_region.collect()
}

/// How far corners lie on the ground's side of an edge at most [pixels].
pub fn depth(corners: &[Corner], side: &Side) -> f64 {
    let [from, to] = side.ends.map(|corner| corner.point());
    let Some(along) = (to - from).try_normalize() else { return f64::INFINITY };
    corners.iter().map(|corner| along.perp_dot(corner.point() - from)).fold(f64::NEG_INFINITY, f64::max)
}

/// Cuts islands along the edges of other layers that they cross.
pub fn trim(contours: &mut Contours, islands: &[bool], heights: &LayerHeights, finder: &Finder) {
    if !islands.contains(&true) {
        return;
    }
    for _ in 0..ROUNDS {
        let mut sides = Vec::new();
        let mut ring_of = Vec::new();
        let mut places = Vec::new();
        for (number, region) in contours.regions.iter().enumerate() {
            for (k, ring) in region.rings.iter().enumerate() {
                let next = ring.corners.iter().cycle().skip(1);
                let ends = ring.corners.iter().zip(next).map(|(a, b)| [*a, *b]);
                sides.extend(ends.map(|ends| Side { layer: region.layer, ends }));
                ring_of.resize(sides.len(), places.len());
                places.push((number, k));
            }
        }
        let mut is_done = true;
        for pair in crossing(&sides, heights) {
            // The smaller one, if both are islands: the other may be a storey.
            let rings = pair.map(|side| ring_of[side]);
            let size = |&k: &usize| {
                let (region, ring) = places[rings[k]];
                contours.regions[region].rings[ring].corners.len()
            };
            let Some(own) = [0, 1].into_iter().filter(|&k| islands[rings[k]]).min_by_key(size) else {
                continue;
            };
            let (region, ring) = places[rings[own]];
            let corners = &mut contours.regions[region].rings[ring].corners;
            let side = &sides[pair[1 - own]];
            if (0.0..=DEEPEST).contains(&depth(corners, side))
                && let Some(cut) = cut(corners, side, finder)
            {
                *corners = cut;
                is_done = false;
            }
        }
        if is_done {
            return;
        }
    }
}

/// What of a ring lies beyond an edge of other ground, if that is one piece.
fn cut(corners: &[Corner], side: &Side, finder: &Finder) -> Option<Vec<Corner>> {
    let [from, to] = side.ends.map(|corner| corner.point() * f64::from(PARTS));
    let along = (to - from).try_normalize()?;
    let beyond = |at: DVec2| -along.perp_dot(at - from) - GAP;
    let at = |corner: &Corner| DVec2::from(corner.at.map(f64::from));
    let mut kept = Vec::with_capacity(corners.len() + 1);
    let mut crossings = 0;
    for (k, corner) in corners.iter().enumerate() {
        let next = &corners[(k + 1) % corners.len()];
        let ends = [at(corner), at(next)];
        let [own, other] = ends.map(beyond);
        if own >= 0.0 {
            kept.push(*corner);
        }
        if (own >= 0.0) == (other >= 0.0) {
            continue;
        }
        crossings += 1;
        let share = own / (own - other);
        // Rounded to where it is left of its edge, and beyond the other's.
        let exact = ends[0].lerp(ends[1], share);
        let candidates = [0, 1, 2, 3].map(|k| exact.floor() + DVec2::new(f64::from(k % 2), f64::from(k / 2)));
        let is_good = |p: &DVec2| (ends[1] - ends[0]).perp_dot(*p - ends[0]) >= 0.0 && beyond(*p) > 0.5 - GAP;
        let place = candidates
            .into_iter()
            .filter(is_good)
            .min_by(|a, b| a.distance_squared(exact).total_cmp(&b.distance_squared(exact)))?;
        let height = f64::from(corner.height) + share * f64::from(next.height - corner.height);
        let new = Corner { at: [place.x as i32, place.y as i32], is_fixed: false, ..*corner };
        let Finder { lattice, obstacles } = finder;
        let about = lattice.height(height);
        let found = obstacles.floor_height(lattice.place(new.point()), about);
        let height = found.map_or(height, |found| (found - lattice.height(0.0)) * HEIGHT_UNITS);
        kept.push(Corner { height: height.round() as i32, is_settled: found.is_some(), ..new });
    }
    kept.dedup_by(|a, b| a.at == b.at);
    while kept.len() > 1 && kept[0].at == kept[kept.len() - 1].at {
        kept.pop();
    }
    let next = kept.iter().cycle().skip(1);
    let area = |(a, b): (&Corner, &Corner)| {
        let ([ax, ay], [bx, by]) = (a.at.map(i64::from), b.at.map(i64::from));
        ax * by - ay * bx
    };
    let area: i64 = kept.iter().zip(next).map(area).sum();
    (crossings == 2 && kept.len() > 2 && area > 0).then_some(kept)
}
