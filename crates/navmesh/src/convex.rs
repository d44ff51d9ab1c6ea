//! N1: cells are convex, run once round counter-clockwise, and what they ignore is shallow.
//!
//! Idea: walk each cell and look at the turn of every corner with the exact predicate. A ring that turns only
//! left and whose edges change between running forwards (in the order of x, then y) and backwards exactly twice
//! is convex and simple. Turns to the right are allowed where they are
//!
//! * **rounding**: the corner is a split point, or next to one, and the split point would have to move by no
//!   more than [`wayfare_core::Tolerance::on_line`] to take the turn away;
//! * **ignored notches**: no deeper than the relaxation. The *depth* of a notch is its distance from the edge of
//!   the cell's convex hull that spans the pocket in which it lies.
//!
//! With such corners the winding number alone does not prove that the ring is simple; `check` looks at that.
//! Cost: linear; hulls of relaxed cells O(k log k).

use crate::{
    defects::Defects,
    mesh::{CornerId, VertexId},
    raw::{RawNavMesh, SPLIT_POINT},
};
use wayfare_core::{DVec2, Id as _, IdVec};
use wayfare_geom::predicates::orient;

/// Whether the edge from `a` to `b` runs forwards: in the order of x, then y. Exact.
pub(crate) fn is_forward(a: DVec2, b: DVec2) -> bool {
    a.x < b.x || a.x == b.x && a.y < b.y
}

/// What the corner `b` between `a` and `c` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// To the left, as a convex cell does.
    Left,
    /// Not at all.
    Straight,
    /// To the right.
    Right,
    /// Back on its own line: half a turn, to either side.
    Back,
}

pub(crate) fn turn(a: DVec2, b: DVec2, c: DVec2) -> Turn {
    let side = orient(a, b, c);
    if side > 0.0 {
        Turn::Left
    } else if side < 0.0 {
        Turn::Right
    } else if is_forward(a, b) == is_forward(b, c) {
        Turn::Straight
    } else {
        Turn::Back
    }
}

/// Distance of `p` from the line through `a` and `b` [m].
pub(crate) fn line_distance(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    let length = (b - a).length();
    if length > 0.0 { orient(a, b, p).abs() / length } else { (p - a).length() }
}

/// Whether a right turn at `b` is rounding: moving a split point by `on_line` takes it away.
pub(crate) fn is_rounding(points: [DVec2; 3], split: [bool; 3], on_line: f64) -> bool {
    let [a, b, c] = points;
    split[1] && line_distance(a, c, b) <= on_line
        || split[0] && line_distance(b, c, a) <= on_line
        || split[2] && line_distance(a, b, c) <= on_line
}

/// Whether a simple ring runs clockwise; exact.
pub(crate) fn is_clockwise(ring: &[DVec2]) -> bool {
    // The first corner in the order of x, then y, is on the hull.
    let first = (0..ring.len()).reduce(|a, b| if is_forward(ring[b], ring[a]) { b } else { a });
    first.is_some_and(|k| {
        let [a, b, c] = neighbours(k, ring.len()).map(|k| ring[k]);
        turn(a, b, c) == Turn::Right
    })
}

/// Depth of the deepest notch of a ring [m].
pub(crate) fn deepest_notch(ring: &[DVec2]) -> f64 {
    let is_right = |k: &usize| {
        let [a, b, c] = neighbours(*k, ring.len()).map(|k| ring[k]);
        turn(a, b, c) == Turn::Right
    };
    let mut notches = (0..ring.len()).filter(is_right).peekable();
    if notches.peek().is_none() {
        return 0.0;
    }
    let depths = depths(ring);
    notches.map(|k| depths[k]).fold(0.0, f64::max)
}

/// Checks N1 for every cell and returns the ignored notches, ascending.
pub(crate) fn inspect_cells(
    raw: &RawNavMesh,
    xy: &IdVec<VertexId, DVec2>,
    on_line: f64,
    defects: &mut Defects,
) -> Vec<CornerId> {
    let mut notches = Vec::new();
    let mut ring: Vec<DVec2> = Vec::new();
    let mut right: Vec<usize> = Vec::new();
    for cell in 0..raw.cell_count() {
        let range = raw.corner_range(cell);
        let vertices = &raw.corners[range.clone()];
        ring.clear();
        ring.extend(vertices.iter().map(|&v| xy[VertexId(v)]));
        right.clear();
        let is_split = |k: usize| raw.vertex_flags[vertices[k] as usize] & SPLIT_POINT != 0;
        if !inspect_turns(cell, &ring, &mut right, defects) || right.is_empty() {
            continue;
        }
        right.retain(|&k| {
            let around = neighbours(k, ring.len());
            !is_rounding(around.map(|k| ring[k]), around.map(is_split), on_line)
        });
        if right.is_empty() {
            continue;
        }
        // A depth is a computed number: leave room for its rounding, but none for a strict mesh.
        let limit = if raw.convex_distance > 0.0 { raw.convex_distance + on_line } else { 0.0 };
        let depths = depths(&ring);
        for &k in &right {
            let depth = depths[k];
            if depth <= limit && raw.convex_distance > 0.0 {
                notches.push(CornerId::new(range.start + k));
            } else {
                defects.add("N1", format_args!("cell {cell}, corner {k}"), || {
                    let allowed = raw.convex_distance;
                    format!("is a notch {depth:e} m deep at vertex {}, {allowed} m are allowed", vertices[k])
                });
            }
        }
    }
    notches
}

/// The numbers of a corner and those before and after it in a ring of `n`.
fn neighbours(k: usize, n: usize) -> [usize; 3] {
    [if k == 0 { n - 1 } else { k - 1 }, k, if k + 1 == n { 0 } else { k + 1 }]
}

/// Collects the right turns of a ring; false, with a defect, if it does not run once round counter-clockwise.
fn inspect_turns(cell: usize, ring: &[DVec2], right: &mut Vec<usize>, defects: &mut Defects) -> bool {
    let before = defects.count();
    // Each change of direction between forwards and backwards is half a turn, to the side of the corner.
    let mut half_turns = 0i64;
    let (mut a, mut b) = (ring[ring.len() - 1], ring[0]);
    let mut forward = is_forward(a, b);
    for k in 0..ring.len() {
        let c = ring[if k + 1 == ring.len() { 0 } else { k + 1 }];
        if b == c {
            defects.add("N1", format_args!("cell {cell}, corner {k}"), || {
                "starts an edge without length".into()
            });
        }
        let side = orient(a, b, c);
        let forward_then = is_forward(b, c);
        if side < 0.0 {
            right.push(k);
        }
        if forward != forward_then {
            if side == 0.0 {
                defects
                    .add("N1", format_args!("cell {cell}, corner {k}"), || "folds back onto its edge".into());
            }
            half_turns += if side > 0.0 { 1 } else { -1 };
        }
        (a, b, forward) = (b, c, forward_then);
    }
    if defects.count() == before && half_turns != 2 {
        defects.add("N1", format_args!("cell {cell}"), || match half_turns {
            -2 => "runs clockwise".into(),
            _ => format!("winds {} times counter-clockwise, expected once", half_turns as f64 / 2.0),
        });
    }
    defects.count() == before
}

/// Depth of each corner below the hull edge that spans its pocket [m]; infinite on the hull itself, where a
/// simple ring has no notch.
fn depths(ring: &[DVec2]) -> Vec<f64> {
    let n = ring.len();
    let hull = hull(ring);
    let mut on_hull = vec![false; n];
    for &k in &hull {
        on_hull[k] = true;
    }
    let mut depths = vec![f64::INFINITY; n];
    let start = hull[0];
    let mut pocket = 0;
    for step in 1..=n {
        let k = (start + step) % n;
        if on_hull[k] {
            for j in (pocket + 1..step).map(|step| (start + step) % n) {
                depths[j] = line_distance(ring[(start + pocket) % n], ring[k], ring[j]);
            }
            pocket = step;
        }
    }
    depths
}

/// The corners of the convex hull of a ring.
///
/// Source: Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions".
fn hull(ring: &[DVec2]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ring.len()).collect();
    order.sort_by(|&a, &b| {
        ring[a].x.total_cmp(&ring[b].x).then(ring[a].y.total_cmp(&ring[b].y)).then(a.cmp(&b))
    });
    let mut hull: Vec<usize> = Vec::new();
    let mut chain = |order: &mut dyn Iterator<Item = usize>| {
        let base = hull.len();
        for k in order {
            while hull.len() >= base + 2 {
                let [.., a, b] = hull[..] else { break };
                if orient(ring[a], ring[b], ring[k]) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(k);
        }
        hull.pop();
    };
    chain(&mut order.iter().copied());
    chain(&mut order.iter().rev().copied());
    hull
}
