//! Corners of the plan on straight lines: where ground of one patch ends and that of another begins along a wall, and where files
//! have lines in pieces.
//!
//! They are no corners of anything that can be seen, but every one of them would be a feature for clearance and, with a
//! rounding error to the wrong side, a notch that a cell has to end at. So they become points of the ground on an edge.
//! Steps: 1. places all of whose corners go straight on, to the same two neighbours  2. chains of them are simplified as their ends lie
//!   (Douglas and Peucker 1973), which does not depend on the direction: both sides of a wall lose the same places
//!   3. points are put on the new edges; where that turns a triangle over, they stay corners.
//! Promises F5 where it held. Cost: O(n log n).

use super::{
    assemble::{Parts, RingStep},
    chords::Chords,
    surface::NO_HALF_EDGE,
};
use crate::EdgeKind;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::{predicates::is_left, ring_area};

/// Sine of the largest turn that counts as none; a circle would need 60,000 corners.
const TURN: f64 = 1e-4;

/// How far a corner may be from the new edge [m]: as much as ground may be narrow.
const ASIDE: f64 = 1e-5;

/// How often points that turn triangles over are put back before all are.
const TRIES: usize = 8;

/// A corner of a ring.
struct Corner {
    vertex: u32,
    /// The half-edge that it starts or lies on.
    half_edge: u32,
    place: u32,
    /// The places before and after.
    beside: [u32; 2],
    is_straight: bool,
}

/// The vertices that are no corners of rings any more; `kind` tells what lies beyond half-edges of rings, `stays` of a vertex that it
/// has to remain a corner.
pub(super) fn straighten(
    parts: &mut Parts,
    rings: &[Vec<RingStep>],
    chords: &Chords,
    kind: impl Fn(u32) -> EdgeKind,
    stays: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let (place_of, places) = number_places(&parts.points);
    let mut is_kept = vec![false; places.len()];
    // 1.
    let mut beside: Vec<Option<[u32; 2]>> = vec![None; places.len()];
    let mut lines: Vec<Vec<Corner>> = Vec::with_capacity(rings.len());
    for ring in rings {
        let at = |k: usize| ring[k % ring.len()].vertex;
        let mut line = Vec::with_capacity(ring.len());
        for k in 0..ring.len() {
            let before = &ring[(k + ring.len() - 1) % ring.len()];
            let (vertex, ways) = (at(k), [before, &ring[k]].map(|step| step.half_edge));
            let [from, place, to] =
                [at(k + ring.len() - 1), vertex, at(k + 1)].map(|v| place_of.get(v as usize).copied());
            let (Some(from), Some(place), Some(to)) = (from, place, to) else { continue };
            let is_end = ways.iter().all(|&h| parts.layers.across[h as usize] == NO_HALF_EDGE);
            let is_straight = is_end
                && is_alike(kind(ways[0]), kind(ways[1]))
                && goes_on([from, place, to].map(|place| places[place as usize]))
                && !stays(vertex);
            let beside = [from.min(to), from.max(to)];
            line.push(Corner { vertex, half_edge: ways[1], place, beside, is_straight });
        }
        for corner in &line {
            let known = beside[corner.place as usize].get_or_insert(corner.beside);
            is_kept[corner.place as usize] |= !corner.is_straight || *known != corner.beside;
        }
        lines.push(line);
    }
    // 2. and 3.
    let before = parts.points.clone();
    for round in 0..=TRIES {
        let mut is_gone = vec![false; parts.points.len()];
        if round == TRIES {
            return is_gone;
        }
        for line in &lines {
            simplify_ring(parts, line, &places, &is_kept, &mut is_gone);
        }
        let mut is_good = true;
        let mut keep = |is_kept: &mut Vec<bool>, place: u32| {
            is_good = false;
            is_kept[place as usize] = true;
        };
        for corners in parts.corners.iter().filter(|corners| corners.iter().any(|&v| is_gone[v as usize])) {
            let [a, b, c] = corners.map(|v| parts.points[v as usize].truncate());
            let [p, q, r] = corners.map(|v| before[v as usize].truncate());
            if !is_left(a, b, c) && is_left(p, q, r) {
                for &v in corners.iter().filter(|&&v| is_gone[v as usize]) {
                    keep(&mut is_kept, place_of[v as usize]);
                }
            }
        }
        for line in lines.iter().filter(|line| is_turned(parts, &before, line, &is_gone)) {
            line.iter().for_each(|corner| keep(&mut is_kept, corner.place));
        }
        for place in middles_of_doubled(parts, &lines, chords, &is_gone) {
            keep(&mut is_kept, place);
        }
        if is_good {
            return is_gone;
        }
        parts.points.clone_from(&before);
    }
    unreachable!("the last round returns")
}

/// The number of the place of each vertex, and the places.
fn number_places(points: &[DVec3]) -> (Vec<u32>, Vec<DVec2>) {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    let at = |v: &u32| points[*v as usize].truncate();
    order.sort_by(|a, b| at(a).x.total_cmp(&at(b).x).then(at(a).y.total_cmp(&at(b).y)));
    let (mut places, mut place_of) = (Vec::new(), vec![0; points.len()]);
    for v in &order {
        if places.last() != Some(&at(v)) {
            places.push(at(v));
        }
        place_of[*v as usize] = places.len() as u32 - 1;
    }
    (place_of, places)
}

/// Whether two edges in a row may become one.
fn is_alike(a: EdgeKind, b: EdgeKind) -> bool {
    match (a, b) {
        (EdgeKind::Wall, EdgeKind::Wall) | (EdgeKind::Drop { .. }, EdgeKind::Drop { .. }) => true,
        (EdgeKind::Low { height: a }, EdgeKind::Low { height: b }) => a == b,
        _ => false,
    }
}

fn goes_on([a, b, c]: [DVec2; 3]) -> bool {
    let (into, out) = (b - a, c - b);
    into.dot(out) > 0.0 && into.perp_dot(out).abs() <= TURN * into.length() * out.length()
}

/// Step 2 for one ring: its corners that go, put on the edges that are left.
fn simplify_ring(
    parts: &mut Parts,
    line: &[Corner],
    places: &[DVec2],
    is_kept: &[bool],
    is_gone: &mut [bool],
) {
    let count = line.len();
    let Some(start) = (0..count).find(|&k| is_kept[line[k].place as usize]) else { return };
    let at = |k: usize| &line[(start + k) % count];
    let mut from = 0;
    for to in 1..=count {
        if !is_kept[at(to).place as usize] {
            continue;
        }
        // The ends and all between them, from the lesser end.
        let mut chain: Vec<usize> = (from..=to).collect();
        if at(from).place > at(to).place {
            chain.reverse();
        }
        let points: Vec<DVec2> = chain.iter().map(|&k| places[at(k).place as usize]).collect();
        let mut stays = vec![false; chain.len()];
        keep_far(&points, 0, chain.len() - 1, &mut stays);
        let mut corners: Vec<usize> = (0..chain.len()).filter(|&k| stays[k]).collect();
        corners.extend([0, chain.len() - 1]);
        corners.sort_unstable();
        corners.dedup();
        for pair in corners.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|k| parts.points[at(chain[k]).vertex as usize].truncate());
            let way = b - a;
            for &k in &chain[pair[0] + 1..pair[1]] {
                let vertex = at(k).vertex as usize;
                let p = parts.points[vertex];
                let share = ((p.truncate() - a).dot(way) / way.length_squared()).clamp(0.0, 1.0);
                parts.points[vertex] = (a + way * share).extend(p.z);
                is_gone[vertex] = true;
            }
        }
        from = to;
    }
}

/// Marks the corners of a chain that are too far from the edge between others.
fn keep_far(points: &[DVec2], from: usize, to: usize, stays: &mut [bool]) {
    let (a, way) = (points[from], points[to] - points[from]);
    let aside = |k: usize| {
        let arm = points[k] - a;
        let along = arm.dot(way) / way.length_squared();
        if (0.0..=1.0).contains(&along) { (way.perp_dot(arm) / way.length()).abs() } else { f64::INFINITY }
    };
    let farthest = (from + 1..to).map(|k| (aside(k), k)).reduce(|a, b| if b.0 > a.0 { b } else { a });
    if let Some((_, k)) = farthest.filter(|&(aside, _)| aside > ASIDE || aside.is_nan()) {
        stays[k] = true;
        keep_far(points, from, k, stays);
        keep_far(points, k, to, stays);
    }
}

/// Whether a ring has another direction, or an outline hardly a corner left; walls without thickness have none.
fn is_turned(parts: &Parts, before: &[DVec3], line: &[Corner], is_gone: &[bool]) -> bool {
    let area = |points: &mut dyn Iterator<Item = DVec2>| ring_area(&points.collect::<Vec<_>>());
    let old = area(&mut line.iter().map(|corner| before[corner.vertex as usize].truncate()));
    let left = || line.iter().filter(|corner| !is_gone[corner.vertex as usize]);
    let new = area(&mut left().map(|corner| parts.points[corner.vertex as usize].truncate()));
    old * new < 0.0 || old > 0.0 && new == 0.0
}

/// The middles of chains that became one edge each, there and back between the same two vertices: as a portal has, not a wall; or where
/// other ground could have an edge between them.
fn middles_of_doubled(parts: &Parts, lines: &[Vec<Corner>], chords: &Chords, is_gone: &[bool]) -> Vec<u32> {
    let mut edges: Vec<([u32; 2], bool, Option<u32>)> = Vec::new();
    let mut middles = Vec::new();
    for line in lines {
        let count = line.len();
        let corners: Vec<usize> = (0..count).filter(|&k| !is_gone[line[k].vertex as usize]).collect();
        for (n, &k) in corners.iter().enumerate() {
            let next = corners.get(n + 1).copied().unwrap_or(corners[0] + count);
            let [a, b] = [k, next].map(|k| line[k % count].vertex);
            let middle = (next > k + 1).then(|| line[(k + next) / 2 % count].place);
            middles.extend(middle.filter(|_| chords.is_doubled(parts, line[k].half_edge, [a, b])));
            edges.push(([a.min(b), a.max(b)], a < b, middle));
        }
    }
    edges.sort_unstable();
    let doubled = edges.chunk_by(|a, b| a.0 == b.0).filter(|same| same[0].1 != same[same.len() - 1].1);
    middles.extend(doubled.flatten().filter_map(|edge| edge.2));
    middles
}
