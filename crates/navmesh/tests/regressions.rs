//! Queries that were once answered wrongly.

use wayfare_core::{DVec2, DVec3, dvec2, dvec3};
use wayfare_navmesh::{CellId, LocateConfig, NavMesh, PathFinder, PathScratch, RawNavMesh};

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

#[test]
fn a_path_that_turns_back_along_a_ramp_goes_on_over_the_landing_beside_it() {
    // A ramp from the ground up to a landing that leads back beside the ramp, to a floor over the ground. From above the ramp and the
    // landing share a side without thickness; the path goes along both sides of it.
    for mirrored in [false, true] {
        let turn = |y: f64| if mirrored { -y } else { y };
        let place = |x: f64, y: f64, z: f64| dvec3(x, turn(y), z);
        let square = |x: f64, y: f64| {
            [place(x, y, 3.0), place(x + 2.0, y, 3.0), place(x + 2.0, y + 2.0, 3.0), place(x, y + 2.0, 3.0)]
        };
        let ground = [place(6., 0., 0.), place(8., 0., 0.), place(8., 2., 0.), place(6., 2., 0.)];
        let ramp = [place(8., 0., 0.), place(12., 0., 3.), place(12., 2., 3.), place(8., 2., 0.)];
        let landings =
            [(12., 0.), (12., 2.), (10., 2.), (8., 2.), (6., 2.), (6., 0.)].map(|(x, y)| square(x, y));
        let mut points: Vec<DVec3> = Vec::new();
        let cells: Vec<Vec<u32>> = [ground, ramp]
            .into_iter()
            .chain(landings)
            .map(|quad| {
                let number = |p: DVec3| match points.iter().position(|q| *q == p) {
                    Some(k) => k as u32,
                    None => {
                        points.push(p);
                        points.len() as u32 - 1
                    }
                };
                let mut cell: Vec<u32> = quad.into_iter().map(number).collect();
                if mirrored {
                    cell.reverse();
                }
                cell
            })
            .collect();
        let mut raw = RawNavMesh::from_polygons(&points, &cells).unwrap();
        raw.storeys = vec![0, 0, 1, 1, 1, 1, 1, 1];
        let mesh = raw.validate().unwrap();
        let pieces = [[1.0, 0.2, 0.0], [4.0, 0.8, 3.0], [4.0, 0.0, 0.0], [1.7, 0.5, 0.0]];
        let length: f64 = pieces.iter().map(|piece| DVec3::from_array(*piece).length()).sum();
        for finder in [PathFinder::new(&mesh), PathFinder::plain(&mesh)] {
            let (from, to) = (place(7.0, 1.0, 0.0), place(6.3, 1.5, 3.0));
            let path = finder.find(from, to, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
            assert_eq!(path.cells, [0, 1, 2, 3, 4, 5, 6, 7].map(CellId), "{:?}", path.points);
            assert!((path.length - length).abs() < 1e-9, "{} {length}", path.length);
            let back = finder.find(to, from, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
            assert_eq!(back.cells, [7, 6, 5, 4, 3, 2, 1, 0].map(CellId), "{:?}", back.points);
            assert!((back.length - length).abs() < 1e-9, "{} {length}", back.length);
            // To the end of the wall along its one side, and back along the other: by 360 degrees.
            let (from, to) = (place(7.0, 2.0, 0.0), place(6.5, 2.0, 3.0));
            let path = finder.find(from, to, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
            let along = [[1.0, 0.0, 0.0], [4.0, 0.0, 3.0], [5.5, 0.0, 0.0]];
            let along: f64 = along.iter().map(|piece| DVec3::from_array(*piece).length()).sum();
            assert!((path.length - along).abs() < 1e-9, "{} {along} {:?}", path.length, path.points);
            let pieces: f64 = path.pieces.iter().map(|piece| piece.length()).sum();
            assert!((pieces - path.plan_length).abs() < 1e-9, "{pieces} {}", path.plan_length);
            let back = finder.find(to, from, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
            assert!((back.length - along).abs() < 1e-9, "{} {along} {:?}", back.length, back.points);
        }
    }
}

#[test]
fn a_path_along_a_line_on_which_a_wall_begins_takes_the_side_that_leads_on() {
    // Two squares side by side, from which one ramp leads up and another one down, beside each other. Over the lower ramp there is a floor
    // that is reached from the upper one. The path goes along the line between the squares, then along the wall between the ramps, and
    // back over the lower ramp along the other side.
    for (mirrored, raised) in [(false, 3.0), (true, 3.0), (false, -3.0), (true, -3.0)] {
        let place = |x: f64, y: f64, z: f64| dvec3(x, if mirrored { -y } else { y }, z * raised / 3.0);
        let quad = |[x0, x1]: [f64; 2], y: f64, [z0, z1]: [f64; 2]| {
            [place(x0, y, z0), place(x1, y, z1), place(x1, y + 2.0, z1), place(x0, y + 2.0, z0)]
        };
        let quads = [
            quad([0.0, 2.0], 0.0, [0.0; 2]),
            quad([0.0, 2.0], 2.0, [0.0; 2]),
            quad([2.0, 6.0], 0.0, [0.0, 3.0]),
            quad([2.0, 6.0], 2.0, [0.0, -3.0]),
            quad([6.0, 8.0], 0.0, [3.0; 2]),
            quad([6.0, 8.0], 2.0, [3.0; 2]),
            quad([4.0, 6.0], 2.0, [3.0; 2]),
        ];
        let mut points: Vec<DVec3> = Vec::new();
        let mut number = |p: DVec3| {
            let known = points.iter().position(|q| *q == p);
            known.unwrap_or_else(|| {
                points.push(p);
                points.len() - 1
            }) as u32
        };
        let mut cells: Vec<Vec<u32>> = quads.iter().map(|quad| quad.map(&mut number).to_vec()).collect();
        if mirrored {
            cells.iter_mut().for_each(|cell| cell.reverse());
        }
        let mut raw = RawNavMesh::from_polygons(&points, &cells).unwrap();
        raw.storeys = vec![0, 0, 0, 0, 1, 1, 1];
        let mesh = raw.validate().unwrap();
        let (from, to) = (place(0.5, 2.0, 0.0), place(4.5, 2.0, 3.0));
        for finder in [PathFinder::new(&mesh), PathFinder::plain(&mesh)] {
            for (from, to) in [(from, to), (to, from)] {
                let path = finder.find(from, to, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
                assert!((path.plan_length - 7.0).abs() < 1e-9, "{}", path.plan_length);
                assert!((path.length - 8.0).abs() < 1e-9, "{} {:?}", path.length, path.points);
                assert!(path.cells.len() <= 6, "{:?}", path.cells);
            }
        }
    }
}
