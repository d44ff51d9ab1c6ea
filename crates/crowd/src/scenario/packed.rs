//! Places for so many that by lot not all would find one.
//!
//! Idea: discs that are dropped by lot get stuck where they cover four tenths of an area. So those who need more stand on a lattice of
//!   triangles, as wide as there is room for, and each of them by lot as far from its place as its neighbours allow.
//! Steps: 1. the widest lattice with enough places  2. everybody a little aside  3. in an order by lot
//! Cost: O(places) for each of some twenty lattices.

use super::{
    draw::Lots,
    spawn::{beside, grounds},
    zone::Zone,
};
use crate::crowd::Crowd;
use std::f64::consts::{PI, TAU};
use wayfare_core::{DVec2, DVec3, ops};

/// Bodies that would cover more of an area do not all find room by lot: 390 of 0.2 m on 20 × 6 m, which is 0.41, just do.
const BY_LOT: f64 = 0.41;
/// Lattices get narrower by this factor.
const NARROWER: f64 = 0.98;
/// How far apart bodies are at least [m].
pub(super) const APART: f64 = 0.002;

/// So many places for bodies of a radius, or nothing: by lot there is room enough, or on no lattice there is.
pub(super) fn packed(
    crowd: &mut Crowd,
    lots: &mut Lots,
    zone: &Zone,
    number: usize,
    radius: f64,
) -> Option<Vec<DVec3>> {
    let ring = zone.ring();
    let outline: f64 = (0..ring.len()).map(|k| ring[k].distance(ring[(k + 1) % ring.len()])).sum();
    // Bodies stand out of the area by their radius.
    let covered = number as f64 * PI * radius * radius / (zone.area() + outline * radius);
    if covered <= BY_LOT {
        return None;
    }
    crowd.standing.renew(&crowd.agents.bodies);
    let fits = |at: &DVec3| crowd.fits(*at, radius).is_ok();
    // 1.
    let least = 2.0 * radius + APART;
    let mut spacing = (zone.area() / number as f64 / 0.75f64.sqrt()).sqrt().max(least);
    let mut places: Vec<DVec3>;
    loop {
        places = zone.lattice(spacing).flat_map(|at| grounds(crowd.mesh(), zone, at)).filter(fits).collect();
        if places.len() >= number {
            break;
        }
        if spacing <= least {
            return None;
        }
        spacing = (spacing * NARROWER).max(least);
    }
    // 2.
    let aside = 0.5 * (spacing - least);
    for place in &mut places {
        let (far, angle) = (aside * lots.unit(), TAU * lots.unit());
        let aside = DVec2::new(ops::cos(angle), ops::sin(angle)) * far;
        if let Some(at) = beside(crowd.mesh(), zone, *place, aside).filter(fits) {
            *place = at;
        }
    }
    // 3.
    for k in (1..places.len()).rev() {
        places.swap(k, (lots.unit() * (k + 1) as f64) as usize);
    }
    places.truncate(number);
    Some(places)
}
