//! What path queries promise beside the length.

mod support;

use support::{Cutting, GridMap, Random, mesh_of, mesh_of_cells};
use wayfare_core::{DVec2, DVec3, dvec2, dvec3};
use wayfare_navmesh::{
    Accelerator, AcceleratorConfig, End, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch, RawNavMesh,
};

const ALWAYS: AcceleratorConfig =
    AcceleratorConfig { min_core_cells: 0, max_bytes_per_corner: usize::MAX, threads: 0 };

/// Two rooms of 4 × 4 m with a door between them, a third that touches the first in a point only.
fn rooms() -> NavMesh {
    let p = dvec2;
    let positions = [
        p(0., 0.),
        p(4., 0.),
        p(4., 1.),
        p(4., 2.),
        p(4., 4.),
        p(0., 4.),
        p(8., 0.),
        p(8., 4.),
        // The third room, from (0, 4) upwards to the left.
        p(0., 4.),
        p(0., 6.),
        p(-2., 6.),
        p(-2., 4.),
    ];
    let cells = [vec![0, 1, 2, 3, 4, 5], vec![1, 6, 7, 4, 3, 2], vec![8, 9, 10, 11]];
    // Only the door from (4, 1) to (4, 2) is open.
    let mut raw = mesh_of_cells(&positions, &cells, 0.0).raw().clone();
    for corner in [1, 3, 9, 11] {
        raw.neighbours[corner] = u32::MAX;
    }
    // Walls have two sides: the second room gets vertices of its own there.
    raw.vertices.extend([dvec3(4., 0., 0.), dvec3(4., 4., 0.)]);
    raw.vertex_flags.extend([0, 0]);
    raw.corners[6] = 12;
    raw.corners[9] = 13;
    raw.validate().unwrap()
}

fn find(mesh: &NavMesh, from: DVec3, to: DVec3) -> Result<wayfare_navmesh::Path, NoPath> {
    PathFinder::new(mesh).find(from, to, &LocateConfig::default(), &mut PathScratch::new())
}

#[test]
fn a_path_goes_round_both_posts_of_a_door() {
    let path = find(&rooms(), dvec3(3., 4., 0.), dvec3(8., 0., 0.)).unwrap();
    let turns = [dvec3(3., 4., 0.), dvec3(4., 2., 0.), dvec3(8., 0., 0.)];
    assert_eq!(path.points, turns);
    assert_eq!(path.plan_length, 5f64.sqrt() + 20f64.sqrt());
    assert_eq!(path.length, path.plan_length);
    assert_eq!(path.cells.iter().map(|cell| cell.0).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(path.snapped, [0.0, 0.0]);
}

#[test]
fn touching_in_a_point_is_no_passage_but_that_point_is_in_both_rooms() {
    let mesh = rooms();
    let (left, pinch, right) = (dvec3(-1., 5., 0.), dvec3(0., 4., 0.), dvec3(1., 3., 0.));
    let unreachable = find(&mesh, left, right).unwrap_err();
    assert!(matches!(unreachable, NoPath::Unreachable { from, to } if from != to), "{unreachable}");
    for end in [left, right] {
        assert_eq!(find(&mesh, end, pinch).unwrap().points, [end, pinch]);
        assert_eq!(find(&mesh, pinch, end).unwrap().points, [pinch, end]);
    }
}

#[test]
fn equal_ends_make_a_path_without_length_anywhere() {
    let mesh = rooms();
    for at in [dvec3(1., 1., 0.), dvec3(4., 1.5, 0.), dvec3(4., 2., 0.), dvec3(4., 0., 0.), dvec3(0., 4., 0.)]
    {
        let path = find(&mesh, at, at).unwrap();
        assert_eq!((path.points.as_slice(), path.plan_length), ([at, at].as_slice(), 0.0));
        assert!(!path.cells.is_empty());
    }
}

#[test]
fn ends_off_the_mesh_are_moved_within_the_snap_and_refused_beyond() {
    let mesh = rooms();
    let path = find(&mesh, dvec3(-0.25, 1., 0.), dvec3(1., 1., 0.5)).unwrap();
    assert_eq!(path.points, [dvec3(0., 1., 0.), dvec3(1., 1., 0.)]);
    assert_eq!(path.snapped, [0.25, 0.5]);
    let (far, on) = (dvec3(-3., -3., 0.), dvec3(1., 1., 0.));
    assert_eq!(find(&mesh, far, on), Err(NoPath::OffMesh { which: End::Start, at: far }));
    assert_eq!(find(&mesh, on, far), Err(NoPath::OffMesh { which: End::Goal, at: far }));
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        assert!(find(&mesh, dvec3(bad, 0., 0.), on).is_err());
    }
}

/// A mesh of a map with holes, with heights over it.
fn hilly(cutting: Cutting, height: impl Fn(DVec2) -> f64) -> NavMesh {
    let mut random = Random(7);
    let map = GridMap::random(&mut random, 12, 12, 80);
    let mesh = mesh_of(&map, cutting, &mut random);
    let mut raw: RawNavMesh = mesh.raw().clone();
    for p in &mut raw.vertices {
        p.z = height(p.truncate());
    }
    raw.validate().unwrap()
}

#[test]
fn on_a_slope_the_plan_is_the_same_and_the_length_is_longer() {
    let cutting = Cutting { cut: 50, ..Cutting::default() };
    let (flat, slope) = (hilly(cutting, |_| 3.0), hilly(cutting, |p| 0.5 * p.x));
    let mut random = Random(3);
    let mut found = 0;
    for _ in 0..200 {
        let mut point = || dvec2(random.unit() * 12.0, random.unit() * 12.0);
        let (p, q) = (point(), point());
        if flat.cells_at(p, 3.0..=3.0).next().is_none() || flat.cells_at(q, 3.0..=3.0).next().is_none() {
            continue;
        }
        let level = find(&flat, p.extend(3.0), q.extend(3.0));
        let path = find(&slope, p.extend(0.5 * p.x), q.extend(0.5 * q.x));
        let (Ok(level), Ok(path)) = (level, path) else { continue };
        found += 1;
        assert!((level.plan_length - path.plan_length).abs() <= 1e-12 * level.plan_length);
        // An even slope needs no points beside the turns.
        assert_eq!(level.points.len(), path.points.len());
        let along: f64 = path.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        assert_eq!(path.length, along);
        assert!(path.length >= path.plan_length);
    }
    assert!(found > 50);
}

#[test]
fn on_uneven_ground_the_points_follow_it() {
    // Squares with a crease each.
    let squares = Cutting { merge: false, keep: 100, ..Cutting::default() };
    let mesh = hilly(squares, |p| 0.3 * (p.x * 1.7).sin() + 0.2 * (p.y * 2.3).cos());
    let finder = PathFinder::new(&mesh);
    let mut scratch = PathScratch::new();
    let config = LocateConfig { height: 10.0, step: 10.0, ..LocateConfig::default() };
    let mut random = Random(5);
    let mut found = 0;
    for _ in 0..200 {
        let mut point = || dvec3(random.unit() * 12.0, random.unit() * 12.0, 0.0);
        let Ok(path) = finder.find(point(), point(), &config, &mut scratch) else { continue };
        found += 1;
        let plan: f64 = path.points.windows(2).map(|p| p[0].truncate().distance(p[1].truncate())).sum();
        assert!((plan - path.plan_length).abs() < 1e-9 * plan.max(1e-3));
        for pair in path.points.windows(2) {
            for step in 0..=16 {
                let p = pair[0].lerp(pair[1], step as f64 / 16.0);
                let off = |&cell: &_| (mesh.height(cell, p.truncate()) - p.z).abs();
                let over = path.cells.iter().filter(|&&cell| mesh.contains(cell, p.truncate())).map(off);
                // A point on an edge may be a hair outside of all cells; up to a millimetre counts as straight.
                let least = over.fold(f64::INFINITY, f64::min);
                assert!(least < 1.001e-3 || least == f64::INFINITY, "{p}: {least} in {path:?}");
            }
        }
    }
    assert!(found > 50);
}

fn large_mesh() -> NavMesh {
    let mut random = Random(11);
    let map = GridMap::random(&mut random, 60, 60, 80);
    mesh_of(&map, Cutting { cut: 20, ..Cutting::default() }, &mut random)
}

#[test]
fn the_accelerator_is_the_same_for_any_number_of_threads_and_survives_a_file() {
    let mut mesh = large_mesh();
    let build = |threads| Accelerator::build_with(&mesh, &AcceleratorConfig { threads, ..ALWAYS }).unwrap();
    let one = build(1);
    assert!(one.corner_count() > 500 && one.edge_count() > one.corner_count());
    assert_eq!([build(2), build(7), build(0)], [one.clone(), one.clone(), one.clone()]);
    mesh.set_accelerator(Some(one.clone()));
    let again = NavMesh::from_bytes(mesh.to_bytes()).unwrap();
    assert_eq!(again.accelerator(), Some(&one));
    assert_eq!(again.to_bytes(), mesh.to_bytes());
    assert!(PathFinder::new(&again).accelerator() == Some(&one));
}

#[test]
fn an_accelerator_of_another_mesh_is_not_used() {
    let mut mesh = large_mesh();
    let mut random = Random(12);
    let other = GridMap::random(&mut random, 60, 60, 80);
    let other = mesh_of(&other, Cutting::default(), &mut random);
    let foreign = Accelerator::build_with(&other, &ALWAYS);
    mesh.set_accelerator(foreign.clone());
    let finder = PathFinder::new(&mesh);
    assert!(foreign.is_some() && finder.accelerator() != foreign.as_ref());
}

#[test]
fn threads_share_one_finder() {
    let mut mesh = large_mesh();
    mesh.set_accelerator(Accelerator::build_with(&mesh, &ALWAYS));
    let finder = PathFinder::new(std::sync::Arc::new(mesh));
    let mut random = Random(13);
    let queries: Vec<[DVec3; 2]> = (0..400)
        .map(|_| {
            let mut point = || dvec3(random.unit() * 60.0, random.unit() * 60.0, 0.0);
            [point(), point()]
        })
        .collect();
    let run = || {
        let mut scratch = PathScratch::new();
        let find = |&[from, to]: &[DVec3; 2]| finder.find(from, to, &LocateConfig::default(), &mut scratch);
        queries.iter().map(find).collect::<Vec<_>>()
    };
    let alone = run();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
    // Many at once, in the order of the queries.
    for threads in [1, 3] {
        assert_eq!(finder.find_many(&queries, &LocateConfig::default(), threads), alone);
    }
}
