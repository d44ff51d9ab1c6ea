//! Islands without their margins that lie over, or under, other ground.
//!
//! Idea: tops of furniture and their like are a few pixels wide, so that few of their edges have lines of their own; the ground
//!   around them, whose edges have, would lie under what they have too much. They are cut along its edges.

use super::{
    super::{
        contour::{Contours, Corner, PARTS},
        lattice::HEIGHT_UNITS,
    },
    lines::Finder,
    overhangs::{LayerHeights, Side, is_over, touching},
};
use wayfare_core::DVec2;

/// No more than this is cut off [pixels]: pixels and simplification have too much by as much.
const DEEPEST: f64 = 2.5;

/// How far from other ground the cut is [parts of a pixel]: more than rounding moves a corner.
const GAP: f64 = 2.0;

/// What one cut leaves may still be crossed by another edge; each is cut this many times at most.
const ROUNDS: usize = 4;

/// For each ring whether it is all that bounds its region, and nobody else has its corners.
fn islands(contours: &Contours) -> Vec<bool> {
    let of_region = contours.regions.iter().flat_map(|region| {
        let is_alone = region.rings.len() == 1;
        region
            .rings
            .iter()
            .map(move |ring| is_alone && ring.corners.iter().all(|corner| corner.shared.is_none()))
    });
    of_region.collect()
}

/// Whether corners lie on the ground's side of an edge, and none of them too deep.
fn is_shallow(corners: &[Corner], side: &Side) -> bool {
    let [from, to] = side.ends.map(|corner| corner.point());
    let Some(along) = (to - from).try_normalize() else { return false };
    let mut is_beside = false;
    for corner in corners {
        let depth = along.perp_dot(corner.point() - from);
        if depth > DEEPEST {
            return false;
        }
        is_beside |= depth >= 0.0;
    }
    is_beside
}

/// Cuts islands along the edges of other layers that they cross.
pub fn trim(contours: &mut Contours, heights: &LayerHeights, finder: &Finder) {
    let islands = islands(contours);
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
        // What is no island stays as it is.
        for pair in touching(&sides, |side| islands[ring_of[side]]) {
            let rings = pair.map(|side| ring_of[side]);
            let mut own = [0, 1];
            // The smaller one first, if both are islands: the other may be a storey.
            own.sort_by_key(|&k| {
                let (region, ring) = places[rings[k]];
                contours.regions[region].rings[ring].corners.len()
            });
            for k in own.into_iter().filter(|&k| islands[rings[k]]) {
                let (region, ring) = places[rings[k]];
                let corners = &mut contours.regions[region].rings[ring].corners;
                let side = &sides[pair[1 - k]];
                // What costs the most is asked last.
                if is_shallow(corners, side)
                    && is_over(&sides[pair[0]], &sides[pair[1]], heights)
                    && let Some(cut) = cut(corners, side, finder)
                {
                    *corners = cut;
                    is_done = false;
                    break;
                }
            }
        }
        if is_done {
            return;
        }
    }
}

/// Takes out corners at which a ring turns back on itself, and all but one of those in one place.
fn drop_spikes(corners: &mut Vec<Corner>) {
    let is_spike = |corners: &[Corner], k: usize| {
        let n = corners.len();
        let [before, at, after] = [k + n - 1, k, k + 1].map(|k| corners[k % n].at.map(i64::from));
        let [a, b] = [before, after].map(|other| [other[0] - at[0], other[1] - at[1]]);
        a[0] * b[1] - a[1] * b[0] == 0 && a[0] * b[0] + a[1] * b[1] >= 0
    };
    while let Some(k) = (0..corners.len()).find(|&k| is_spike(corners, k)) {
        corners.remove(k);
    }
}

/// What of a ring lies beyond an edge of other ground, if that is one piece: what is cut off are ends beside each other.
fn cut(corners: &[Corner], side: &Side, finder: &Finder) -> Option<Vec<Corner>> {
    let [from, to] = side.ends.map(|corner| corner.point() * f64::from(PARTS));
    let along = (to - from).try_normalize()?;
    let beyond = |at: DVec2| -along.perp_dot(at - from) - GAP;
    let at = |corner: &Corner| DVec2::from(corner.at.map(f64::from));
    let mut kept = Vec::with_capacity(corners.len() + 1);
    // Where along the cut the ring leaves what is kept, and where it comes back.
    let mut crossings: Vec<(f64, bool)> = Vec::new();
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
        let Finder { lattice, obstacles, .. } = finder;
        let about = lattice.height(height);
        let found = obstacles.floor_height(lattice.place(new.point()), about);
        let height = found.map_or(height, |found| (found - lattice.height(0.0)) * HEIGHT_UNITS);
        crossings.push((along.dot(place), own >= 0.0));
        kept.push(Corner { height: height.round() as i32, is_settled: found.is_some(), ..new });
    }
    drop_spikes(&mut kept);
    let next = kept.iter().cycle().skip(1);
    let area = |(a, b): (&Corner, &Corner)| {
        let ([ax, ay], [bx, by]) = (a.at.map(i64::from), b.at.map(i64::from));
        ax * by - ay * bx
    };
    let area: i64 = kept.iter().zip(next).map(area).sum();
    // The ground that is kept is on the right of the cut, so that a ring with its ground on the left comes back before it left.
    if crossings.first().is_some_and(|first| !first.1) {
        crossings.rotate_left(1);
    }
    let mut ends: Vec<[f64; 2]> = crossings.chunks_exact(2).map(|pair| [pair[1].0, pair[0].0]).collect();
    ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let is_one = !ends.is_empty()
        && ends.iter().all(|[back, left]| back < left)
        && ends.windows(2).all(|pair| pair[0][1] < pair[1][0]);
    (is_one && kept.len() > 2 && area > 0).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::contour::Border;

    #[test]
    fn a_ring_that_turns_back_on_itself_loses_its_spikes() {
        let corner = |at: [i32; 2]| Corner {
            at,
            height: 0,
            shared: None,
            is_fixed: false,
            is_settled: false,
            border: Border::Wall,
        };
        let without = |ring: &[[i32; 2]]| {
            let mut corners: Vec<Corner> = ring.iter().map(|&at| corner(at)).collect();
            drop_spikes(&mut corners);
            corners.iter().map(|corner| corner.at).collect::<Vec<_>>()
        };
        let square = [[0, 0], [64, 0], [64, 64], [0, 64]];
        assert_eq!(without(&square), square);
        // Out along its own side and back, over a corner in line; and twice the same corner.
        assert_eq!(without(&[[0, 0], [64, 0], [96, 0], [128, 0], [64, 0], [64, 64], [0, 64]]), square);
        assert_eq!(without(&[[0, 0], [64, 0], [64, 0], [64, 64], [0, 64]]), square);
        // Nothing but a spike.
        assert_eq!(without(&[[0, 0], [64, 0], [32, 0]]), Vec::<[i32; 2]>::new());
    }
}
