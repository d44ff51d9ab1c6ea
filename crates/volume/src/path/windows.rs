//! Shorter ways past the bends of a path.
//!
//! Idea: the search enters each region once and hurries to the goal; some ways it misses. Between the bend before a bend and
//!   the one after it there are few regions, and it misses next to none: this part of the path is searched again, and what is
//!   shorter takes its place, until nothing is.
//! Steps: 1. for every bend that is worth it, then for every two of them, and for four where the path winds, the way past them that is shorter than the part,
//!   pulled taut  2. the whole path is pulled taut again.
//! Cost: the search is bounded by the length of the part, and by a number of labels.

use super::{
    corridor::{Bend, Taut},
    gates::Gates,
    quick::Quick,
    rims::{self, past_rims},
    search::{Corridor, Search, Task},
};
use crate::mesh::{PortalId, RegionId, VolumeMesh};
use wayfare_core::DVec3;

/// Changes at most; each makes the path shorter.
const CHANGES: usize = 200;
/// Labels of the search for a part at most: what is not found soon is far away.
const LABELS: u32 = 150;
/// Bends that make the path longer by less than this share are left as they are: they cannot gain more. With a tenth of it paths on
/// voxel maps became shorter by 0.05 %, in half as much time again.
const WORTHWHILE: f64 = 1e-4;
/// The same among boxes, where bends go that have no wall behind them.
const WORTHWHILE_AMONG_BOXES: f64 = 5e-3;
/// Bends that are searched past at once: a way that winds along an obstacle may have to be left over several of them.
const BENDS: [usize; 3] = [1, 2, 4];
/// More bends than these are worth it only where the part is longer than straight by the share below: one path of 90,000 on voxel maps
/// was longer than the grid's without (by 0.7 %), and looking past four bends everywhere takes a quarter more time.
const FEW: usize = 2;
const MANY_DETOUR: f64 = 0.05;
/// Among boxes a way that is longer than moves along axes and diagonals with nothing in between by more than this factor is searched past its
/// bends with care: one path of 90,000 on voxel maps was longer than the grid's without (by 0.09 %).
const FAR: f64 = 1.05;
/// The search measures ways by their first bends and thinks them longer by up to this share than they are.
pub(super) const LONGER: f64 = 1e-3;
/// A gain below this share of the length is none.
const GAIN: f64 = 1e-7;

/// A path through its corridor.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) corridor: Corridor,
    pub(super) taut: Taut,
}

impl Route {
    /// The shortest path through a corridor; among boxes about that, as it is pulled again in the end.
    pub(super) fn through(mut corridor: Corridor, ends: [DVec3; 2], gates: &Gates) -> Self {
        let bends = std::mem::take(&mut corridor.bends);
        let taut = if gates.are_boxes() {
            gates.pull_roughly(ends, &corridor.portals, bends)
        } else {
            gates.pull(ends, &corridor.portals, bends)
        };
        Self { corridor, taut }
    }
}

/// The route after all changes that make it shorter.
pub(super) fn improve(
    mut route: Route,
    task: &Task,
    gates: &mut Gates,
    search: &mut Search,
    quick: &mut Quick,
) -> Route {
    let among_boxes = gates.are_boxes();
    let worthwhile = if among_boxes { WORTHWHILE_AMONG_BOXES } else { WORTHWHILE };
    // Long ways round are where the quick search may have missed something.
    let is_quick = among_boxes && route.taut.length <= FAR * grid_distance(task.ends);
    // Parts that were searched and are the shortest.
    let mut known: Vec<[DVec3; 2]> = Vec::new();
    'changes: for _ in 0..CHANGES {
        let stops = stops(&route, task.ends);
        let parts = BENDS.iter().flat_map(|bends| stops.windows(bends + 2).step_by(bends.div_ceil(2)));
        for part in parts {
            let (first, last) = (part[0], part[part.len() - 1]);
            let ends = [first.point, last.point];
            let length: f64 = part.windows(2).map(|pair| pair[0].point.distance(pair[1].point)).sum();
            let detour = length - ends[0].distance(ends[1]);
            let is_long = part.len() > FEW + 2;
            if detour <= worthwhile * route.taut.length
                || is_long && detour <= MANY_DETOUR * length
                || is_known(&known, ends)
            {
                continue;
            }
            let (begin, end) = (first.after, last.before);
            let regions = [begin, end].map(|k| route.corridor.regions[k]);
            let limit = length * (1.0 + LONGER);
            let part = Task { regions, ends, limit, forward: 1.0 + 1e-9, most: LABELS, ..*task };
            let way = if is_quick {
                quick.find(&part)
            } else {
                search.begin(&part);
                search.next(&part, gates)
            };
            // Most often the way is what is there already.
            let own = &route.corridor.portals;
            let way = way.filter(|way| way.portals != own[begin..end]);
            let way = way.map(|corridor| Route::through(corridor, ends, gates));
            if let Some(way) = way.filter(|way| way.taut.length < length - GAIN * (1.0 + length)) {
                let all = [&own[..begin], &way.corridor.portals, &own[end..]].concat();
                let corridor = without_loops(task.mesh, task.regions[0], &all);
                let bends = if corridor.portals.len() == all.len() {
                    with_part(&route.taut.bends, begin..end, &way)
                } else {
                    Vec::new()
                };
                let taut = gates.pull(task.ends, &corridor.portals, bends);
                let mut other = Route { corridor, taut };
                if among_boxes {
                    other = past_rims(other, task, gates, rims::GAIN);
                }
                if other.taut.length < route.taut.length - GAIN * (1.0 + length) {
                    route = other;
                    continue 'changes;
                }
            }
            known.push(ends);
        }
        break;
    }
    if among_boxes { pulled_again(route, task, gates) } else { route }
}

/// The route without the slack that rough rounds left.
pub(super) fn pulled_again(mut route: Route, task: &Task, gates: &Gates) -> Route {
    let bends = std::mem::take(&mut route.taut.bends);
    route.taut = gates.pull(task.ends, &route.corridor.portals, bends);
    route
}

/// The bends of a path with those of another in place of a part of its gates.
fn with_part(whole: &[Bend], part: std::ops::Range<usize>, other: &Route) -> Vec<Bend> {
    let mut bends: Vec<Bend> = whole.iter().copied().filter(|bend| bend.0 < part.start).collect();
    bends.extend(other.taut.bends.iter().map(|&(gate, at)| (part.start + gate, at)));
    let later = whole.iter().filter(|bend| bend.0 >= part.end);
    let count = other.corridor.portals.len();
    bends.extend(later.map(|&(gate, at)| (gate - part.end + part.start + count, at)));
    bends
}

/// The start, a bend, or the goal.
#[derive(Clone, Copy)]
struct Stop {
    point: DVec3,
    /// The number of the region before it in the corridor.
    before: usize,
    /// That of the region after it.
    after: usize,
}

fn stops(route: &Route, [from, to]: [DVec3; 2]) -> Vec<Stop> {
    let last = route.corridor.portals.len();
    let bend = |&(gate, point): &Bend| Stop { point, before: gate, after: gate + 1 };
    let mut stops = vec![Stop { point: from, before: 0, after: 0 }];
    stops.extend(route.taut.bends.iter().map(bend));
    stops.push(Stop { point: to, before: last, after: last });
    stops
}

/// Whether a part was searched before; bends that did not change are pulled to the same place up to rounding.
fn is_known(known: &[[DVec3; 2]], ends: [DVec3; 2]) -> bool {
    let near = |a: DVec3, b: DVec3| a.distance(b) <= 1e-6 * (1.0 + a.abs().max_element());
    known.iter().any(|other| near(other[0], ends[0]) && near(other[1], ends[1]))
}

/// The corridor of portals from a region on, without the parts that come back to where they began.
pub(super) fn without_loops(mesh: &VolumeMesh, start: RegionId, portals: &[PortalId]) -> Corridor {
    let mut out = Corridor {
        regions: Vec::with_capacity(portals.len() + 1),
        portals: Vec::with_capacity(portals.len()),
        bends: Vec::new(),
    };
    out.regions.push(start);
    for &portal in portals {
        let next = mesh.across(portal, out.regions[out.regions.len() - 1]);
        // Seldom there, and then found quickly enough a second time.
        if out.regions.contains(&next)
            && let Some(k) = out.regions.iter().position(|&region| region == next)
        {
            out.regions.truncate(k + 1);
            out.portals.truncate(k);
        } else {
            out.regions.push(next);
            out.portals.push(portal);
        }
    }
    out
}

/// The length of the shortest way in moves along axes and diagonals.
pub(super) fn grid_distance([from, to]: [DVec3; 2]) -> f64 {
    let mut apart = (to - from).abs().to_array();
    apart.sort_unstable_by(f64::total_cmp);
    let [low, middle, high] = apart;
    low * 3f64.sqrt() + (middle - low) * std::f64::consts::SQRT_2 + (high - middle)
}
