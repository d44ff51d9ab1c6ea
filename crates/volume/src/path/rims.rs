//! Bends that nothing stands behind are let go.
//!
//! Idea: a path through a corridor bends round the rims of its portals; where boxes lie side by side, there is often no wall behind a
//!   rim but the next box. Then the way through that box lies as near, and the path gets shorter by it: the four boxes round an
//!   edge are known from the portals that touch the bend. What is left bends round edges of walls only, so that nothing small makes it shorter.
//! Steps: 1. for every bend, the boxes beyond the rim on both sides of the portal, towards which the path pulls  2. all that
//!   are free take the place of the portal in the corridor at once  3. it is pulled taut, and all is done again while it gets shorter.
//! The path as it was lies in the new corridor too: it never gets longer.
//! Cost: a few looks into trees of portals for a bend, and pulling taut for each round.

use super::{
    corridor::Bend,
    gates::Gates,
    search::Task,
    windows::{Route, without_loops},
};
use crate::mesh::{PortalId, RegionId};
use wayfare_core::DVec3;

/// Rounds at most.
const ROUNDS: usize = 12;
/// A round that shortens the path by less than this share is the last; of a path that was found in a hurry, by less than the other.
pub(super) const GAIN: f64 = 1e-4;
pub(super) const GAIN_IN_A_HURRY: f64 = 1e-3;
/// How far beyond a rim a box is looked for, relative to the coordinates.
const BEYOND: f64 = 1e-7;
/// Pulls below this share of the whole tension are none.
const PULL: f64 = 1e-6;

/// The route without bends that have no wall behind them. Only for a point among boxes: else portals have other rims.
pub(super) fn past_rims(mut route: Route, task: &Task, gates: &Gates, least: f64) -> Route {
    let straight = task.ends[0].distance(task.ends[1]);
    for _ in 0..ROUNDS {
        let Some(next) = flipped(&route, task, gates) else { break };
        let gain = route.taut.length - next.taut.length;
        if gain <= 0.0 {
            break;
        }
        // A path that is nearly straight goes on while anything is gained: who sees the goal should fly straight.
        let is_straight = next.taut.length <= straight * (1.0 + GAIN_IN_A_HURRY);
        let is_last = !is_straight && gain < least * next.taut.length;
        route = next;
        if is_last {
            break;
        }
    }
    route
}

/// Steps 1 to 3, once; `None` if there is a wall behind all bends.
fn flipped(route: &Route, task: &Task, gates: &Gates) -> Option<Route> {
    let Route { corridor, taut } = route;
    let [from, to] = task.ends;
    let mut portals: Vec<PortalId> = Vec::with_capacity(corridor.portals.len() + 8);
    // The bends that stay.
    let mut kept: Vec<Bend> = Vec::with_capacity(taut.bends.len());
    let mut copied = 0;
    let mut is_new = false;
    for (k, &(gate, at)) in taut.bends.iter().enumerate() {
        portals.extend(&corridor.portals[copied..gate]);
        copied = gate + 1;
        let before = if k == 0 { from } else { taut.bends[k - 1].1 };
        let after = taut.bends.get(k + 1).map_or(to, |next| next.1);
        let regions = [corridor.regions[gate], corridor.regions[gate + 1]];
        let pull = (before - at).normalize_or_zero() + (after - at).normalize_or_zero();
        let count = portals.len();
        if past(task, gates, corridor.portals[gate], regions, at, pull, &mut portals) {
            is_new = true;
        } else {
            portals.truncate(count);
            portals.push(corridor.portals[gate]);
            kept.push((portals.len() - 1, at));
        }
    }
    if !is_new {
        return None;
    }
    portals.extend(&corridor.portals[copied..]);
    let corridor = without_loops(task.mesh, task.regions[0], &portals);
    let bends = if corridor.portals.len() == portals.len() {
        kept
    } else {
        // Bends at portals that went away with a loop go, too.
        let place = |&(gate, at): &Bend| {
            corridor.portals.iter().position(|portal| *portal == portals[gate]).map(|gate| (gate, at))
        };
        kept.iter().filter_map(place).collect()
    };
    let taut = gates.pull_roughly(task.ends, &corridor.portals, bends);
    Some(Route { corridor, taut })
}

/// The portals of the way beyond a rim of a portal; `false` if there is a wall.
fn past(
    task: &Task,
    gates: &Gates,
    portal: PortalId,
    [one, two]: [RegionId; 2],
    at: DVec3,
    pull: DVec3,
    out: &mut Vec<PortalId>,
) -> bool {
    let Some((axis, [low, high])) = gates.get(portal).across() else { return false };
    let forth = if task.mesh.portal_regions(portal)[0] == one { 1.0 } else { -1.0 };
    let mut sides = [(axis + 1) % 3, (axis + 2) % 3];
    if pull[sides[1]].abs() > pull[sides[0]].abs() {
        sides.swap(0, 1);
    }
    for [side, other] in [sides, [sides[1], sides[0]]] {
        let is_beyond = if pull[side] > 0.0 { at[side] == high[side] } else { at[side] == low[side] };
        if !is_beyond || pull[side].abs() <= PULL {
            continue;
        }
        let step = BEYOND * (1.0 + at.abs().max_element());
        let mut beyond = at;
        beyond[side] += step.copysign(pull[side]);
        // Along the rim: where the portal goes on.
        beyond[other] += if at[other] < (low[other] + high[other]) / 2.0 { step } else { -step };
        let (mut here, mut there) = (beyond, beyond);
        here[axis] -= forth * step;
        there[axis] += forth * step;
        let Some((first, into_first)) = beside(task, one, at, here) else { continue };
        let Some((second, into_second)) = beside(task, two, at, there) else { continue };
        let across = if first == second {
            None
        } else {
            match door(task, first, at, |into| into == second) {
                Some((_, portal)) => Some(portal),
                None => continue,
            }
        };
        out.extend(into_first);
        out.extend(across);
        out.extend(into_second);
        return true;
    }
    false
}

/// The region that holds `point`, which is the given one or beyond a portal that touches `at`, with that portal.
fn beside(task: &Task, region: RegionId, at: DVec3, point: DVec3) -> Option<(RegionId, Option<PortalId>)> {
    let holds = |region: RegionId| {
        let area = task.mesh.region_box(region);
        point.cmpge(area.min).all() && point.cmple(area.max).all()
    };
    if holds(region) {
        return Some((region, None));
    }
    door(task, region, at, holds).map(|(into, portal)| (into, Some(portal)))
}

/// A portal of a region that touches a point and leads where it should.
fn door(
    task: &Task,
    region: RegionId,
    at: DVec3,
    is_wanted: impl Fn(RegionId) -> bool,
) -> Option<(RegionId, PortalId)> {
    let mut found = None;
    task.trees.touching(region.0, at, |door| {
        if is_wanted(door.into) {
            found = Some((door.into, door.portal()));
        }
        found.is_some()
    });
    found
}
