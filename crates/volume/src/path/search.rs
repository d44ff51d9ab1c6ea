//! Which portals a short path goes through.
//!
//! Idea: A* from portal to portal. A portal's point is where the way from the last bend to the goal is shortest through it;
//!   while the straight line from that bend passes all portals in between, the way is counted from there, so that rooms cut into
//!   many regions are crossed straight. What is left is never less than the distance to the goal.
//! Cost: portals taken up times portals of a region; memory is used again.

use super::corridor::Gate;
use crate::mesh::{PortalId, RegionId, VolumeMesh};
use std::{cmp::Reverse, collections::BinaryHeap, sync::Arc};
use wayfare_core::DVec3;

/// How many portals back a straight line is followed.
const STRAIGHT: usize = 64;

/// Regions and the portals between them: one region more than portals.
#[derive(Clone, Debug)]
pub(crate) struct Corridor {
    pub(crate) regions: Vec<RegionId>,
    pub(crate) portals: Vec<PortalId>,
}

/// A portal that is entered.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Which query this belongs to.
    stamp: u32,
    is_done: bool,
    /// The last bend before the portal, and the way there.
    anchor: DVec3,
    way: f64,
    /// The length to `point`, a point of the portal.
    length: f64,
    point: DVec3,
    /// The portal before, with its side; `u32::MAX` at the start.
    before: u32,
}

/// Memory of the search.
#[derive(Debug, Default)]
pub(super) struct Search {
    stamp: u32,
    states: Vec<State>,
    queue: BinaryHeap<Reverse<(Key, u32)>>,
    pub(super) expanded: u32,
}

/// A length that is not NaN, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key(f64);
impl Eq for Key {}
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Key {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Portals from one region to another; `gate` says what a body may use of a portal, if anything.
pub(super) fn find_corridor(
    mesh: &VolumeMesh,
    gates: &[Arc<Gate>],
    [start, goal]: [RegionId; 2],
    [from, to]: [DVec3; 2],
    gate: &mut impl FnMut(PortalId) -> Option<Arc<Gate>>,
    search: &mut Search,
) -> Option<Corridor> {
    search.expanded = 0;
    if start == goal {
        return Some(Corridor { regions: vec![start], portals: Vec::new() });
    }
    let count = 2 * gates.len();
    let empty = State {
        stamp: 0,
        is_done: false,
        anchor: from,
        way: 0.0,
        length: f64::INFINITY,
        point: from,
        before: u32::MAX,
    };
    if search.states.len() != count || search.stamp == u32::MAX {
        search.states.clear();
        search.states.resize(count, empty);
        search.stamp = 0;
    }
    search.stamp += 1;
    let stamp = search.stamp;
    search.queue.clear();
    // States are numbered by portal and side; the start has none.
    let mut at: Option<u32> = None;
    let mut region = start;
    loop {
        for portal in mesh.portals_of(region) {
            if at.is_some_and(|state| state / 2 == portal.0) {
                continue;
            }
            let Some(polygon) = gate(portal) else { continue };
            let into = mesh.across(portal, region);
            // Into the region above the plane, or below it.
            let number = 2 * portal.0 + u32::from(mesh.portal_regions(portal)[1] == into);
            let known = &search.states[number as usize];
            if known.stamp == stamp && known.is_done {
                continue;
            }
            let reached = reach(search, gates, at, &polygon, from, to);
            let state = &mut search.states[number as usize];
            if state.stamp != stamp || reached.length < state.length {
                *state = State { stamp, is_done: false, before: at.unwrap_or(u32::MAX), ..reached };
                let rest = reached.point.distance(to);
                search.queue.push(Reverse((Key(reached.length + rest), number)));
            }
        }
        let number = loop {
            let Reverse((_, number)) = search.queue.pop()?;
            if !search.states[number as usize].is_done {
                break number;
            }
        };
        search.states[number as usize].is_done = true;
        search.expanded += 1;
        at = Some(number);
        region = mesh.portal_regions(PortalId(number / 2))[number as usize % 2];
        if region == goal {
            break;
        }
    }
    let (mut regions, mut portals) = (vec![goal], Vec::new());
    while let Some(number) = at {
        portals.push(PortalId(number / 2));
        regions.push(mesh.portal_regions(PortalId(number / 2))[1 - number as usize % 2]);
        let before = search.states[number as usize].before;
        at = (before != u32::MAX).then_some(before);
    }
    regions.reverse();
    portals.reverse();
    Some(Corridor { regions, portals })
}

/// A portal reached from a state, or from the start.
fn reach(
    search: &Search,
    gates: &[Arc<Gate>],
    at: Option<u32>,
    polygon: &Gate,
    from: DVec3,
    to: DVec3,
) -> State {
    let state = |anchor: DVec3, way: f64, point: DVec3| State {
        stamp: 0,
        is_done: false,
        anchor,
        way,
        length: way + anchor.distance(point),
        point,
        before: u32::MAX,
    };
    let Some(number) = at else {
        return state(from, 0.0, polygon.best(from, to).0);
    };
    let last = search.states[number as usize];
    let point = polygon.best(last.anchor, to).0;
    // Straight from the last bend, if all portals since then are passed.
    let mut back = number;
    let mut is_straight = true;
    for k in 0..STRAIGHT {
        let state = &search.states[back as usize];
        if state.anchor != last.anchor || gates[back as usize / 2].best(last.anchor, point).1 {
            is_straight = state.anchor != last.anchor && k > 0;
            break;
        }
        if state.before == u32::MAX {
            break;
        }
        back = state.before;
    }
    if is_straight {
        return state(last.anchor, last.way, point);
    }
    let bend = gates[number as usize / 2].best(last.anchor, point).0;
    let point = polygon.best(bend, to).0;
    state(bend, last.way + last.anchor.distance(bend), point)
}
