//! Shorter corridors beside a corridor.
//!
//! Idea: a path bends round the rim of a portal. If free space goes on beyond the rim, another sequence of regions round the
//!   same point lets the path through, and it becomes shorter.
//! Steps: 1. the path is pulled taut  2. at each bend, all sequences of regions that touch the point and join the region before
//!   it to the one after it are tried  3. the first that is shorter is taken, until none is.

use super::{
    corridor::{Gate, Taut, pull},
    distance::nearest_on_polygon,
    search::Corridor,
};
use crate::mesh::{PortalId, RegionId, VolumeMesh};
use std::sync::Arc;
use wayfare_core::DVec3;

/// Changes at most; each makes the path shorter.
const CHANGES: usize = 200;
/// Sequences tried at a bend.
const SEQUENCES: usize = 24;
/// Regions of a sequence.
const LONGEST: usize = 7;

/// The corridor after all changes that make it shorter, the portals as gates, and the path.
pub(super) fn improve(
    mesh: &VolumeMesh,
    mut corridor: Corridor,
    [from, to]: [DVec3; 2],
    radius: f64,
    gate: &mut impl FnMut(PortalId) -> Option<Arc<Gate>>,
) -> (Corridor, Vec<Arc<Gate>>, Taut) {
    let mut gates: Vec<Arc<Gate>> = corridor.portals.iter().filter_map(|&portal| gate(portal)).collect();
    let taut_of = |gates: &[Arc<Gate>]| pull(from, gates, to);
    let mut taut = taut_of(&gates);
    let near = mesh.raw().tolerance + 1.5 * radius + 1e-9;
    'changes: for _ in 0..CHANGES {
        let mut tried = usize::MAX;
        for &bend in &taut.bends {
            // Bends at one point are looked at once.
            let at = taut.crossings[bend];
            let same = |k: usize| taut.crossings[k].distance(at) <= near;
            let mut first = bend;
            while first > 0 && same(first - 1) {
                first -= 1;
            }
            let mut last = bend;
            while last + 1 < taut.crossings.len() && same(last + 1) {
                last += 1;
            }
            if first == tried {
                continue;
            }
            tried = first;
            let ends = [corridor.regions[first], corridor.regions[last + 1]];
            for sequence in sequences(mesh, at, near, ends) {
                if sequence == corridor.portals[first..=last] {
                    continue;
                }
                let mut portals = corridor.portals[..first].to_vec();
                portals.extend(&sequence);
                portals.extend(&corridor.portals[last + 1..]);
                let other = without_loops(mesh, corridor.regions[0], &portals);
                let other_gates: Vec<Arc<Gate>> =
                    other.portals.iter().filter_map(|&portal| gate(portal)).collect();
                if other_gates.len() < other.portals.len() {
                    continue;
                }
                let other_taut = taut_of(&other_gates);
                if other_taut.length < taut.length - 1e-9 * (1.0 + taut.length) {
                    (corridor, gates, taut) = (other, other_gates, other_taut);
                    continue 'changes;
                }
            }
        }
        break;
    }
    (corridor, gates, taut)
}

/// Sequences of portals near a point that lead from one region to another, the short ones first.
fn sequences(mesh: &VolumeMesh, at: DVec3, near: f64, [first, last]: [RegionId; 2]) -> Vec<Vec<PortalId>> {
    let mut found = Vec::new();
    let mut ways: Vec<(Vec<RegionId>, Vec<PortalId>)> = vec![(vec![first], Vec::new())];
    for _ in 0..LONGEST {
        let mut longer = Vec::new();
        for (regions, portals) in ways {
            let here = regions[regions.len() - 1];
            for portal in mesh.portals_of(here) {
                let next = mesh.across(portal, here);
                let area = mesh.region_box(next);
                let is_near = (at - at.clamp(area.min, area.max)).abs().max_element() <= near;
                if !is_near
                    || regions.contains(&next)
                    || nearest_on_polygon(mesh.portal_points(portal), at).distance(at) > near
                {
                    continue;
                }
                let mut portals = portals.clone();
                portals.push(portal);
                if next == last {
                    found.push(portals);
                    if found.len() >= SEQUENCES {
                        return found;
                    }
                    continue;
                }
                let mut regions = regions.clone();
                regions.push(next);
                longer.push((regions, portals));
            }
            if longer.len() > 4 * SEQUENCES {
                break;
            }
        }
        ways = longer;
    }
    found
}

/// The corridor of portals from a region on, without the parts that come back to where they began.
fn without_loops(mesh: &VolumeMesh, start: RegionId, portals: &[PortalId]) -> Corridor {
    let mut out = Corridor { regions: vec![start], portals: Vec::new() };
    for &portal in portals {
        let next = mesh.across(portal, out.regions[out.regions.len() - 1]);
        if let Some(k) = out.regions.iter().position(|&region| region == next) {
            out.regions.truncate(k + 1);
            out.portals.truncate(k);
        } else {
            out.regions.push(next);
            out.portals.push(portal);
        }
    }
    out
}
