//! Whether a disc fits all along a straight line.
//!
//! Idea: as [`Clearances::keeps_away`], but over faces, which are exactly convex and have all that a step reads in one place: the line
//!   leaves a face by the edge that runs from its right to its left, and what it has in a cell is compared with the features in
//!   the list of that cell. That waits until the line has ended or some cells are passed: many a line runs into a wall, which is
//!   quicker to see. Where a line only touches the face that it begins in, [`Clearances::keeps_away`] is asked.
//! Signs are exact; a vertex on the line counts as left of it.
//! Cost: O(edges and lists of the cells passed), at most until the first obstacle.

use super::super::faces::{Faces, NONE};
use crate::{clearance::Clearances, mesh::CellId};
use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;

/// Cells that are passed before features are looked at.
const AT_ONCE: usize = 16;

/// The cell in which a line ends that begins in a face and is nowhere nearer to the boundary than a distance; nothing if it is.
pub(super) fn keeps_away(
    faces: &Faces,
    clearances: &Clearances<'_>,
    face: u32,
    [from, to]: [DVec2; 2],
    distance: f64,
) -> Option<CellId> {
    let edges = &faces.edges[..];
    let side = |edge: u32| orient(from, to, edges[edge as usize].at);
    let mut cell = faces.cell(face);
    let (first, end) = faces.range(face);
    // The edge that leads out, and on which sides its ends lie.
    let (mut out, mut right) = (end - 1, side(end - 1));
    let mut left = right;
    for k in first..end {
        left = side(k);
        if right < 0.0 && left >= 0.0 {
            break;
        }
        (out, right) = (k, left);
    }
    let next = |edge: u32, (first, end): (u32, u32)| if edge + 1 == end { first } else { edge + 1 };
    let ends = |out: u32, range| [out, next(out, range)].map(|edge| edges[edge as usize].at);
    let mut range = (first, end);
    let [mut a, mut b] = ends(out, range);
    if !(right < 0.0 && left >= 0.0) || orient(a, b, from) < 0.0 {
        return clearances.keeps_away(cell, from, to, distance);
    }
    let mut begins = from;
    let mut parts = [(cell, [from; 2]); AT_ONCE];
    let mut count = 0;
    let is_free = |parts: &[(CellId, [DVec2; 2])]| {
        parts.iter().all(|&(cell, part)| clearances.keeps_away_in(cell, part, distance))
    };
    // A straight line meets a face once; the count is for meshes that broke their promises.
    for _ in 0..=faces.count() {
        if orient(a, b, to) >= 0.0 {
            let is_free = is_free(&parts[..count]) && clearances.keeps_away_in(cell, [begins, to], distance);
            return is_free.then_some(cell);
        }
        let twin = edges[out as usize].twin;
        if twin == NONE {
            return None;
        }
        let face = edges[twin as usize].face;
        let entered = faces.cell(face);
        if entered != cell {
            let at = a + (b - a) * (right / (right - left));
            parts[count] = (cell, [begins, at]);
            count += 1;
            if count == AT_ONCE {
                if !is_free(&parts) {
                    return None;
                }
                count = 0;
            }
            (begins, cell) = (at, entered);
        }
        // The edge that was crossed ends on the right; on to the first vertex on the left.
        range = faces.range(face);
        out = next(twin, range);
        loop {
            let after = next(out, range);
            left = side(after);
            if left >= 0.0 || after == twin {
                break;
            }
            (out, right) = (after, left);
        }
        [a, b] = ends(out, range);
    }
    None
}
