//! Small meshes for the unit tests.

use crate::{NavMesh, RawNavMesh, SPLIT_POINT};
use wayfare_core::{DVec3, dvec3};

/// Vertices at height 0.
pub(crate) fn flat(points: &[(f64, f64)]) -> Vec<DVec3> {
    points.iter().map(|&(x, y)| dvec3(x, y, 0.0)).collect()
}

/// A mesh of polygons at height 0, not imported.
pub(crate) fn raw(points: &[(f64, f64)], polygons: &[&[u32]]) -> RawNavMesh {
    let mut raw = RawNavMesh::from_polygons(&flat(points), polygons).unwrap();
    raw.imported = false;
    raw
}

/// Marks vertices as split points.
pub(crate) fn split(mut raw: RawNavMesh, vertices: &[usize]) -> RawNavMesh {
    for &vertex in vertices {
        raw.vertex_flags[vertex] = SPLIT_POINT;
    }
    raw
}

/// An L of two rectangles: the notch is vertex 3, the portal goes from it to the wall on the left.
///
/// ```text
/// 5 --- 4
/// |  1  |
/// 2 --- 3 --- 6      the wall 5–0 is split at 2
/// |     0     |
/// 0 --------- 1
/// ```
pub(crate) fn ell() -> RawNavMesh {
    let points = [(0., 0.), (2., 0.), (0., 1.), (1., 1.), (1., 2.), (0., 2.), (2., 1.)];
    split(raw(&points, &[&[0, 1, 6, 3, 2], &[2, 3, 4, 5]]), &[2])
}

/// Pillars, and on the upper side three ways that end: one winds, one is a nook, one goes up and turns.
pub(crate) fn pillars_and_dead_ends() -> RawNavMesh {
    squares(13, |x, y| match y {
        0..9 => x % 3 != 1 || y % 3 != 1,
        12 => x <= 4 || (8..=11).contains(&x),
        9 => matches!(x, 0 | 6 | 8),
        _ => matches!(x, 0 | 4 | 8),
    })
}

/// The squares of a grid of `n` × `n` metres that pass a test of column and row; marked as imported.
pub(crate) fn squares(n: u32, is_ground: impl Fn(u32, u32) -> bool) -> RawNavMesh {
    let points: Vec<_> = (0..=n).flat_map(|y| (0..=n).map(move |x| (x as f64, y as f64))).collect();
    let places = (0..n).flat_map(|y| (0..n).map(move |x| (x, y)));
    let corners = places.filter(|&(x, y)| is_ground(x, y)).map(|(x, y)| y * (n + 1) + x);
    let polygons: Vec<[u32; 4]> = corners.map(|v| [v, v + 1, v + n + 2, v + n + 1]).collect();
    let polygons: Vec<&[u32]> = polygons.iter().map(|p| p.as_slice()).collect();
    RawNavMesh { imported: true, ..raw(&points, &polygons) }
}

pub(crate) fn mesh(raw: RawNavMesh) -> NavMesh {
    raw.validate().unwrap()
}

/// The defects as lines.
pub(crate) fn lines(defects: &[wayfare_core::Defect]) -> Vec<String> {
    defects.iter().map(ToString::to_string).collect()
}
