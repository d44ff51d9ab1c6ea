//! N1: cells are convex, run once round counter-clockwise, and what they ignore is shallow.
//!
//! Idea: walk each cell and look at the turn of every corner with the exact predicate. A ring that turns only
//! left and whose edges change between running forwards (in the order of x, then y) and backwards exactly twice
//! is convex and simple. Turns to the right are allowed where they are
//!
//! * **rounding**: the corner is a split point, or next to one, and the split point would have to move by no
//!   more than [`wayfare_core::Tolerance::on_line`] to take the turn away;
//! * **ignored notches**: no deeper than the relaxation and [`wayfare_core::Tolerance::flat`]. The *depth* of a notch
//!   is its distance from the edge of the cell's convex hull that spans the pocket in which it lies.
//!
//! With such corners the winding number alone does not prove that the ring is simple; `check` looks at that.
//! Cost: linear; hulls of relaxed cells O(k log k).

use crate::{
    mesh::{CornerId, VertexId},
    raw::{RawNavMesh, SPLIT_POINT},
};
use wayfare_core::{DVec2, Id as _, IdVec, Tolerance, defects::Defects};
use wayfare_geom::{line_distance, notch_depths, predicates::orient};

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
    let depths = notch_depths(ring);
    notches.map(|k| depths[k]).fold(0.0, f64::max)
}

/// Checks N1 for every cell and returns the ignored notches, ascending.
pub(crate) fn inspect_cells(
    raw: &RawNavMesh,
    xy: &IdVec<VertexId, DVec2>,
    tolerance: Tolerance,
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
            !is_rounding(around.map(|k| ring[k]), around.map(is_split), tolerance.on_line)
        });
        if right.is_empty() {
            continue;
        }
        // Lines that were drawn straight come as rounded numbers: strict cells may have flat notches.
        let limit = raw.convex_distance + tolerance.flat;
        let depths = notch_depths(&ring);
        for &k in &right {
            let depth = depths[k];
            if depth <= limit {
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
            if side == 0.0 && a != b && b != c {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{lines, mesh, raw, split};

    fn defects(points: &[(f64, f64)]) -> Vec<String> {
        let polygon: Vec<u32> = (0..points.len() as u32).collect();
        raw(points, &[&polygon]).validate().map_or_else(|defects| lines(&defects), |_| Vec::new())
    }

    #[test]
    fn convexity_is_exact_up_to_flat_notches() {
        // Deeper than what counts as flat, and far shallower than any drawing.
        let nearly = 0.5 - 1e-9;
        assert_eq!(defects(&[(0., 0.), (1., 1.), (0., 1.), (0., 0.5)]), [""; 0]);
        assert_eq!(defects(&[(0., 0.), (0.5, 0.5), (1., 1.), (0., 1.)]), [""; 0]);
        assert_eq!(defects(&[(0., 0.), (0.5, nearly), (1., 1.), (0., 1.)]), [""; 0]);
        let found = defects(&[(0., 0.), (nearly, 0.5), (1., 1.), (0., 1.)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("N1: cell 0, corner 1: is a notch 7.07"), "{found:?}");
    }

    #[test]
    fn rings_that_do_not_go_once_round_are_told_apart() {
        assert_eq!(defects(&[(0., 0.), (0., 1.), (1., 0.)]), ["N1: cell 0: runs clockwise"]);
        assert_eq!(
            defects(&[(0., 0.), (1., 0.), (2., 0.)]),
            [
                "N1: cell 0, corner 0: folds back onto its edge",
                "N1: cell 0, corner 2: folds back onto its edge"
            ]
        );
        assert_eq!(
            defects(&[(0., 0.), (1., 0.), (1., 0.), (0., 1.)]),
            ["N1: cell 0, corner 1: starts an edge without length"]
        );
        // A bow-tie and a pentagram.
        assert_eq!(
            defects(&[(0., 0.), (2., 2.), (2., 0.), (0., 2.)]),
            ["N1: cell 0: winds 0 times counter-clockwise, expected once"]
        );
        assert_eq!(
            defects(&[(0., 3.), (-2., -3.), (3., 1.), (-3., 1.), (2., -3.)]),
            ["N1: cell 0: winds 2 times counter-clockwise, expected once"]
        );
    }

    /// A square whose upper side sags, with the given middle.
    fn sagging(middle: (f64, f64)) -> RawNavMesh {
        raw(&[(0., 0.), (4., 0.), (4., 4.), middle, (0., 4.)], &[&[0, 1, 2, 3, 4]])
    }

    #[test]
    fn a_notch_is_kept_up_to_the_relaxation_and_refused_beyond() {
        let relaxed = |distance| RawNavMesh { convex_distance: distance, ..sagging((2., 3.5)) };
        assert_eq!(
            lines(&relaxed(0.4).validate().unwrap_err()),
            ["N1: cell 0, corner 3: is a notch 5e-1 m deep at vertex 3, 0.4 m are allowed"]
        );
        let kept = mesh(relaxed(0.5));
        assert_eq!(kept.notches(crate::CellId(0)), [CornerId(3)]);
        assert_eq!(kept.check(), []);
        assert_eq!(kept.facts().ignored_notches, 1);
    }

    #[test]
    fn a_split_point_may_be_rounded_and_is_no_notch() {
        let hair = 4f64.next_down();
        for middle in [(2., hair), (2., 4.), (2., 4f64.next_up())] {
            let mesh = mesh(split(sagging(middle), &[3]));
            assert_eq!((mesh.notches(crate::CellId(0)).len(), mesh.facts().notches), (0, 0));
            assert_eq!(mesh.check(), []);
        }
        // Without the mark it is an ignored notch, flat; too far off, it is refused.
        assert_eq!(mesh(sagging((2., hair))).facts().ignored_notches, 1);
        assert!(split(sagging((2., 3.999)), &[3]).validate().is_err());
        // A straight vertex beside a split point that was rounded is none either.
        let points = [(0., 0.), (4., 0.), (4., 4.), (3., 4.), (2., 4f64.next_up()), (0., 4.)];
        let beside = split(raw(&points, &[&[0, 1, 2, 3, 4, 5]]), &[4]);
        assert_eq!(mesh(beside).facts().notches, 0);
        assert_eq!(mesh(raw(&points, &[&[0, 1, 2, 3, 4, 5]])).facts().ignored_notches, 1);
    }

    #[test]
    fn the_deepest_notch_of_a_ring_is_found() {
        // Upper side with two notches and a corner between them that does not reach the hull.
        let ring = [(0., 0.), (8., 0.), (8., 4.), (6., 3.), (4., 3.5), (2., 2.), (0., 4.)];
        let ring = ring.map(|(x, y)| wayfare_core::dvec2(x, y));
        assert_eq!(deepest_notch(&ring), 2.0);
        assert!(!is_clockwise(&ring));
        assert!(is_clockwise(&[ring[2], ring[1], ring[0]]));
    }
}
