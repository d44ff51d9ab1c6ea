//! Convexity relaxation: notches that need not be resolved, and the check that none of them is too deep.
//!
//! Source: thesis (seed 000), section 4.3: Ramer–Douglas–Peucker on strings of consecutive notches; what it
//!   drops is ignored as if it were convex.
//! We add: the depth of every ignored notch below the hull of its cell is measured at the end, and one that
//!   is too deep (several shallow ones add up) is resolved after all.

use super::{singles, workpiece::Workpiece};
use wayfare_core::DVec2;
use wayfare_geom::{
    notch_depths,
    predicates::orient,
    simplify::keep_by_distance,
    triangulation::EdgeRole,
    validate::{RingSet, sweep_rings},
};

/// Ignores the notches that stand no farther than `distance` [m] from the line between those that stay.
pub(crate) fn ignore_shallow(piece: &mut Workpiece, distance: f64) {
    let mut seen = vec![false; piece.plan_vertex_count()];
    let mut ring: Vec<u32> = Vec::new();
    for first in 0..seen.len() as u32 {
        ring.clear();
        let mut v = first;
        while !seen[v as usize] {
            seen[v as usize] = true;
            ring.push(v);
            v = piece.ring_neighbours(v)[1];
        }
        if !ring.is_empty() {
            ignore_on_ring(piece, &ring, distance);
        }
    }
}

fn ignore_on_ring(piece: &mut Workpiece, ring: &[u32], distance: f64) {
    let n = ring.len();
    let points: Vec<DVec2> = ring.iter().map(|&v| piece.mesh.point(v)).collect();
    // What a wide vertex sees is no matter of its walls alone; and the end of a wall without thickness lies inside any cell
    // that goes round it.
    let is_end = |k: usize| folds_back([k + n - 1, k, k + 1].map(|k| points[k % n]));
    let is_notch: Vec<bool> =
        (0..n).map(|k| piece.is_notch[ring[k] as usize] && !piece.is_wide(ring[k]) && !is_end(k)).collect();
    // A string is a run of notches. A ring of notches only is cut into two strings at its extremes.
    let starts: Vec<usize> = match (0..n).find(|&k| !is_notch[k]) {
        Some(gap) => vec![gap],
        None => {
            let key = |k: &usize| (points[*k].x, points[*k].y);
            let order = |a: &usize, b: &usize| key(a).partial_cmp(&key(b)).expect("finite coordinates");
            (0..n).min_by(order).into_iter().chain((0..n).max_by(order)).collect()
        }
    };
    for (s, &start) in starts.iter().enumerate() {
        let end = if s + 1 < starts.len() { starts[s + 1] } else { starts[0] + n };
        let end = if end <= start { end + n } else { end };
        let mut string: Vec<usize> = Vec::new();
        for k in start..=end {
            if is_notch[k % n] {
                string.push(k % n);
            }
            if !is_notch[k % n] || k == end {
                let chain: Vec<DVec2> = string.iter().map(|&k| points[k]).collect();
                for (&k, keep) in string.iter().zip(keep_by_distance(&chain, distance)) {
                    piece.is_notch[ring[k] as usize] &= keep;
                }
                string.clear();
            }
        }
    }
}

/// Resolves every ignored or flat notch that lies deeper than `limit` [m] in its cell.
pub(crate) fn resolve_deep(piece: &mut Workpiece, limit: f64) {
    // Each round makes at least one more notch strict, and strict notches are never deep.
    loop {
        let deep = find_deep(piece, limit);
        if deep.is_empty() {
            return;
        }
        for v in deep {
            piece.is_notch[v as usize] = true;
            piece.is_strict[v as usize] = true;
        }
        singles::resolve(piece, f64::INFINITY);
    }
}

/// The deepest notch of every pocket that is deeper than `limit`, among those not yet strict.
fn find_deep(piece: &Workpiece, limit: f64) -> Vec<u32> {
    let mesh = &piece.mesh;
    let mut seen = vec![false; mesh.half_edge_count()];
    let (mut corners, mut deep) = (Vec::new(), Vec::new());
    for start in 0..mesh.half_edge_count() as u32 {
        if seen[start as usize] || !mesh.is_inside(start) || mesh.role(start) == EdgeRole::Diagonal {
            continue;
        }
        corners.clear();
        mesh.walk_cell(start, |h| {
            seen[h as usize] = true;
            corners.push(mesh.origin(h));
        });
        if is_convex(piece, &corners) {
            continue;
        }
        let is_folded = || meets_itself(piece, &corners) || overlaps_itself(piece, &corners);
        if corners.iter().any(|&v| is_ignored(piece, v)) && is_folded() {
            deep.extend(corners.iter().filter(|&&v| is_ignored(piece, v)));
        } else {
            deep.extend(deepest_notch(piece, &corners, limit));
        }
    }
    deep
}

/// Whether a plan vertex is a notch that is not resolved by intent.
fn is_ignored(piece: &Workpiece, v: u32) -> bool {
    piece.is_notch.get(v as usize) == Some(&false) && piece.whole_sector(v).is_reflex()
}

/// Whether a cell has a vertex twice: a portal then ties a hole to the rest and has the cell on both sides.
fn meets_itself(piece: &Workpiece, corners: &[u32]) -> bool {
    let mut sorted: Vec<u32> = corners.iter().map(|&v| piece.name(v)).collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a cell with notches lies over itself: only ground that was glued together can. It goes once round and is
/// flat, so it does if and only if its boundary crosses itself. A mere touch counts: its heights may differ.
fn overlaps_itself(piece: &Workpiece, corners: &[u32]) -> bool {
    piece.may_overlap && {
        let mut ring = RingSet::new();
        ring.push(corners.iter().map(|&v| piece.mesh.point(v)));
        let sweep = sweep_rings(&ring);
        !sweep.conflicts.is_empty() || !sweep.touches.is_empty()
    }
}

/// Whether a line turns back on itself: at the end of a wall without thickness.
fn folds_back([before, at, after]: [DVec2; 3]) -> bool {
    orient(before, at, after) == 0.0 && (before - at).dot(after - at) > 0.0
}

/// Whether a line turns to the right at a corner, or back.
fn is_notch([before, at, after]: [DVec2; 3]) -> bool {
    orient(before, at, after) < 0.0 || folds_back([before, at, after])
}

/// Whether a cell has no notch at all; most have none.
fn is_convex(piece: &Workpiece, corners: &[u32]) -> bool {
    let [.., mut before, mut at] = *corners else { return true };
    corners.iter().all(|&after| {
        let around = [before, at, after].map(|v| piece.mesh.point(v));
        (before, at) = (at, after);
        !is_notch(around)
    })
}

/// The deepest notch of a cell, if it is deeper than `limit` and not strict.
fn deepest_notch(piece: &Workpiece, corners: &[u32], limit: f64) -> Option<u32> {
    let ring: Vec<DVec2> = corners.iter().map(|&v| piece.mesh.point(v)).collect();
    let n = ring.len();
    let depths = notch_depths(&ring);
    let candidates = (0..n).filter(|&k| {
        is_notch([k + n - 1, k, k + 1].map(|k| ring[k % n]))
            && piece.is_strict.get(corners[k] as usize) == Some(&false)
    });
    let deepest = candidates.max_by(|&a, &b| depths[a].total_cmp(&depths[b]).then(b.cmp(&a)))?;
    (depths[deepest] > limit).then_some(corners[deepest])
}

/// Whether the cell that appears when the portal of `h` is taken away has no notch deeper than `limit` [m].
pub(crate) fn is_shallow_without(piece: &Workpiece, h: u32, limit: f64) -> bool {
    /// Cells this large are not made larger: the test would cost more than it saves.
    const LARGEST: usize = 256;
    let mesh = &piece.mesh;
    let mut corners: Vec<u32> = Vec::new();
    for side in [h, h ^ 1] {
        mesh.walk_cell(side, |edge| {
            if edge != side {
                corners.push(mesh.origin(edge));
            }
        });
    }
    if corners.len() > LARGEST || meets_itself(piece, &corners) || overlaps_itself(piece, &corners) {
        return false;
    }
    let ring: Vec<DVec2> = corners.iter().map(|&v| mesh.point(v)).collect();
    let n = ring.len();
    let depths = notch_depths(&ring);
    (0..n).all(|k| {
        let around = [k + n - 1, k, k + 1].map(|k| ring[k % n]);
        !folds_back(around) && (!is_notch(around) || depths[k] <= limit)
    })
}
