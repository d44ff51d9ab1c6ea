//! Queries that were once answered wrongly.

use wayfare_core::{DVec2, DVec3, dvec2};
use wayfare_navmesh::{LocateConfig, NavMesh, PathFinder, PathScratch, RawNavMesh};

fn mesh(points: &[(f64, f64)], cells: &[&[u32]]) -> NavMesh {
    let points: Vec<DVec3> = points.iter().map(|&(x, y)| DVec3::new(x, y, 0.0)).collect();
    RawNavMesh::from_polygons(&points, cells).unwrap().validate().unwrap()
}

/// A corner whose straight continuation goes into a dead end that is not open: what lies behind it was looked into as
/// well, and the path went through a wall.
#[test]
fn a_path_does_not_turn_back_past_a_closed_dead_end() {
    // Rooms round a ring of unit squares, with a pinch point in (4, 2).
    let points = [
        (0., 0.),
        (1., 0.),
        (1., 1.),
        (2., 1.),
        (2., 0.),
        (5., 0.),
        (5., 1.),
        (4., 1.),
        (4., 2.),
        (2., 2.),
        (2., 4.),
        (3., 4.),
        (3., 3.),
        (4., 3.),
        (4., 2.),
        (5., 2.),
        (5., 4.),
        (4., 4.),
        (4., 6.),
        (2., 6.),
        (2., 5.),
        (1., 5.),
        (1., 2.),
        (0., 2.),
    ];
    let cells: [&[u32]; 7] = [
        &[11, 12, 13, 17],
        &[8, 9, 22, 2, 3, 7],
        &[22, 9, 10, 20, 21],
        &[13, 14, 15, 16, 17],
        &[20, 10, 11, 17, 18, 19],
        &[7, 3, 4, 5, 6],
        &[22, 23, 0, 1, 2],
    ];
    let mesh = mesh(&points, &cells);
    let (from, to) = (dvec2(3.95, 1.0125), dvec2(0.25, 0.5));
    let finder = PathFinder::new(&mesh);
    let length = |from: DVec2, to: DVec2| {
        let [from, to] = [from, to].map(|p| p.extend(0.0));
        finder.length(from, to, &LocateConfig::default(), &mut PathScratch::default()).unwrap()
    };
    let expected = from.distance(dvec2(1.0, 1.0)) + dvec2(1.0, 1.0).distance(to);
    assert!((length(from, to) - expected).abs() < 1e-12, "{} {expected}", length(from, to));
    assert!((length(to, from) - expected).abs() < 1e-12);
}
