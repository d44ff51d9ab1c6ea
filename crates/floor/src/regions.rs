//! Rings that bound the ground on their left become connected regions.
//!
//! Steps: 1. join rings that touch, so that each corner is one fan of free ground  2. counter-clockwise
//! rings are outlines, the others holes  3. each hole belongs to the outline it lies in directly.
//! Needs rings without needless points. Promises: the interior of each region is connected, rings of one
//! region touch nothing but in points (F1), regions do not overlap (F3).
//! Cost: O(n log n), all of it in the sweep; exact.

use crate::canonical::RegionPoints;
use wayfare_core::DVec2;
use wayfare_geom::validate::{RingSet, SweepReport, containers, join_touching, ring_direction, sweep_rings};

/// Regions and the points where touching rings were joined or parted to get them.
pub(crate) struct Regions {
    pub regions: Vec<RegionPoints>,
    pub joined: Vec<DVec2>,
}

/// The regions of swept rings; `None` if the rings do not bound an area on their left.
pub(crate) fn find_regions(rings: &RingSet, sweep: &SweepReport) -> Option<Regions> {
    if !sweep.conflicts.is_empty() {
        return None;
    }
    if sweep.touches.is_empty() {
        return Some(Regions { regions: group(rings, sweep)?, joined: Vec::new() });
    }
    let fans = join_touching(rings, sweep)?;
    let sweep = sweep_rings(&fans.rings);
    if !sweep.conflicts.is_empty() {
        return None;
    }
    Some(Regions { regions: group(&fans.rings, &sweep)?, joined: fans.changed })
}

/// Steps 2 and 3.
fn group(rings: &RingSet, sweep: &SweepReport) -> Option<Vec<RegionPoints>> {
    let containers = containers(rings, sweep);
    let mut regions = Vec::new();
    // The region of each outline, by ring number.
    let mut region_of = vec![None; rings.len()];
    for (ring, points) in rings.iter().enumerate() {
        if ring_direction(points).is_gt() {
            region_of[ring] = Some(regions.len());
            regions.push(RegionPoints { outer: points.to_vec(), holes: Vec::new() });
        }
    }
    for (ring, points) in rings.iter().enumerate() {
        let parent = containers[ring].map(|container| region_of[container as usize]);
        match (region_of[ring], parent) {
            // An outline in the open, or as an island in a hole.
            (Some(_), None | Some(None)) => {}
            (None, Some(Some(region))) => regions[region].holes.push(points.to_vec()),
            _ => return None,
        }
    }
    Some(regions)
}
