//! Where a body roams first: round the way of a point.
//!
//! Idea: a body seldom goes far from the shortest way of a point that is no wider. The regions of that way and those beside them are
//!   a small part of free space, and the way tells how far it is to the goal from each of them, which the straight line does not
//!   where floors lie between.

use super::windows::Route;
use crate::mesh::{RegionId, VolumeMesh};
use wayfare_core::DVec3;

/// The regions round a way.
#[derive(Debug)]
pub(super) struct Guide {
    /// For each region round the way: where one leaves for the next on it, and how far that is from the goal.
    next: Vec<Option<(DVec3, f64)>>,
}

impl Guide {
    /// The regions round a way with its points in all portals.
    pub(super) fn along(mesh: &VolumeMesh, route: &Route, crossings: &[DVec3], goal: DVec3) -> Self {
        let mut next = vec![None; mesh.region_count()];
        let mut ahead = (goal, 0.0);
        let leaves = std::iter::once(None).chain(crossings.iter().rev().map(Some));
        for (&region, leave) in route.corridor.regions.iter().rev().zip(leaves) {
            if let Some(&at) = leave {
                ahead = (at, ahead.1 + at.distance(ahead.0));
            }
            next[region.0 as usize] = Some(ahead);
        }
        // From beside the way one comes back to it; those farther along come first.
        for &region in route.corridor.regions.iter().rev() {
            let own = next[region.0 as usize];
            for portal in mesh.portals_of(region) {
                let beside = &mut next[mesh.across(portal, region).0 as usize];
                *beside = beside.or(own);
            }
        }
        Self { next }
    }

    /// Whether a region is round the way.
    pub(super) fn holds(&self, region: RegionId) -> bool {
        self.next[region.0 as usize].is_some()
    }

    /// About how far it is to the goal from a place in one of two regions [m].
    pub(super) fn rest(&self, regions: [RegionId; 2], at: DVec3) -> f64 {
        let next = regions.iter().filter_map(|region| self.next[region.0 as usize]);
        next.map(|(leave, rest)| at.distance(leave) + rest).fold(f64::INFINITY, f64::min)
    }
}
