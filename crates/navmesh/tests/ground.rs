//! Ground that is not level: heights, places and paths on it, against looking at all triangles.

mod support;

use support::ground::{hill, scan, squares, with_ground};
use wayfare_core::{DVec2, DVec3, Defect, dvec2, dvec3};
use wayfare_navmesh::{CellId, LocateConfig, NO_CELL, NavMesh, PathFinder, PathScratch, RawNavMesh};

fn mesh(raw: RawNavMesh) -> NavMesh {
    raw.validate().unwrap_or_else(|defects| panic!("{defects:?}"))
}

/// The defects as lines.
fn lines(defects: &[Defect]) -> Vec<String> {
    defects.iter().map(ToString::to_string).collect()
}

/// A single cell.
fn polygon(ring: &[(f64, f64)]) -> RawNavMesh {
    let points: Vec<DVec3> = ring.iter().map(|&(x, y)| dvec3(x, y, 0.0)).collect();
    RawNavMesh::from_polygons(&points, &[(0..ring.len() as u32).collect::<Vec<_>>()]).unwrap()
}

fn hills(n: usize) -> NavMesh {
    mesh(with_ground(squares(3), 3.0, n, 0.4, hill))
}

#[test]
fn heights_are_those_of_the_triangle_that_holds_the_point() {
    for n in [2, 5, 40] {
        let mesh = hills(n);
        for k in 0..=60 {
            for l in 0..=60 {
                let p = dvec2(k as f64, l as f64) / 20.0;
                let expected = scan(mesh.raw(), 0..mesh.raw().ground_triangles.len() as u32, p);
                for cell in mesh.cells().filter(|&cell| mesh.contains(cell, p)) {
                    assert!((mesh.height(cell, p) - expected).abs() < 1e-9, "{n} {p} {cell}");
                }
            }
        }
    }
}

#[test]
fn beside_the_ground_the_nearest_rim_counts() {
    let mesh = hills(40);
    for (p, rim) in [((-1.0, 0.5), (0.0, 0.5)), ((5.0, -2.0), (3.0, 0.0)), ((1.5, 3.5), (1.5, 3.0))] {
        let rim = dvec2(rim.0, rim.1);
        let cell = mesh.cells().find(|&cell| mesh.contains(cell, rim)).unwrap();
        assert!((mesh.height(cell, dvec2(p.0, p.1)) - mesh.height(cell, rim)).abs() < 1e-12);
    }
}

#[test]
fn one_cell_over_many_triangles_is_located_on_and_snapped_to() {
    // Cells need not agree with triangles: a hexagon over 20,000 of them.
    let ring = [(0.5, 0.25), (2.0, 0.5), (2.75, 1.5), (2.0, 2.75), (1.0, 2.5), (0.25, 1.5)];
    let mesh = mesh(with_ground(polygon(&ring), 3.0, 100, 0.4, hill));
    let config = LocateConfig { snap: 2.0, ..LocateConfig::default() };
    for k in 0..200 {
        let p = dvec2(k as f64 * 0.619 % 3.0, k as f64 * 0.377 % 3.0);
        let at = p.extend(hill(p) + 0.3);
        let found = mesh.locate(at, &config).unwrap();
        assert!(mesh.contains(CellId(0), found.point.truncate()));
        if mesh.contains(CellId(0), p) {
            assert!((found.point.z - scan(mesh.raw(), 0..20_000, p)).abs() < 1e-9);
        }
        assert_eq!(mesh.cells_of(&found).collect::<Vec<_>>(), [CellId(0)]);
        // Nothing sampled is nearer than the closest point.
        let closest = mesh.closest_point(CellId(0), at);
        assert!((closest.z - mesh.height(CellId(0), closest.truncate())).abs() < 1e-9);
        for i in 0..=60 {
            for j in 0..=60 {
                let q = dvec2(i as f64, j as f64) / 20.0;
                if mesh.contains(CellId(0), q) {
                    let q = q.extend(mesh.height(CellId(0), q));
                    assert!(q.distance(at) > closest.distance(at) - 1e-9, "{at} {closest} {q}");
                }
            }
        }
    }
}

#[test]
fn storeys_over_each_other_keep_their_own_ground() {
    let floor = with_ground(squares(2), 2.0, 9, 0.5, hill);
    let mut both = floor.clone();
    let shift = |list: &[u32], by: usize| list.iter().map(|k| k + by as u32).collect::<Vec<_>>();
    let up = dvec3(0.0, 0.0, 3.0);
    both.vertices.extend(floor.vertices.iter().map(|p| p + up));
    both.vertex_flags.extend(&floor.vertex_flags);
    both.corners.extend(shift(&floor.corners, floor.vertices.len()));
    let cells = floor.cell_count() as u32;
    let across = |&cell: &u32| if cell == NO_CELL { cell } else { cell + cells };
    both.neighbours.extend(floor.neighbours.iter().map(across));
    both.cell_starts.extend(shift(&floor.cell_starts[1..], floor.corners.len()));
    both.tags.extend(&floor.tags);
    both.storeys.extend(floor.storeys.iter().map(|_| 1));
    both.ground_points.extend(floor.ground_points.iter().map(|p| p + up));
    both.ground_triangles
        .extend(floor.ground_triangles.iter().map(|t| t.map(|k| k + floor.ground_points.len() as u32)));
    both.ground_lists.extend(shift(&floor.ground_lists, floor.ground_triangles.len()));
    both.ground_starts.extend(shift(&floor.ground_starts[1..], floor.ground_lists.len()));
    let mesh = mesh(both);
    for k in 0..100 {
        let p = dvec2(k as f64 * 0.619 % 2.0, k as f64 * 0.377 % 2.0);
        for (storey, lift) in [(0, 0.0), (1, 3.0)] {
            let z = scan(&floor, 0..floor.ground_triangles.len() as u32, p) + lift;
            let found = mesh.locate(p.extend(z + 1.0), &LocateConfig::default()).unwrap();
            assert_eq!(found.storey, storey);
            assert!((found.point.z - z).abs() < 1e-9);
            assert!(mesh.cells_of(&found).all(|cell| mesh.storey(cell) == storey));
        }
    }
}

#[test]
fn level_ground_stays_level_to_the_last_bit() {
    let mut level = with_ground(squares(2), 2.0, 9, 0.4, |_| 0.1);
    level.vertices.iter_mut().for_each(|p| p.z = 0.1);
    let p = dvec2(0.777, 1.333);
    assert_eq!(mesh(level.clone()).height(CellId(0), p), 0.1);
    level.ground_points.iter_mut().for_each(|p| p.z = 0.2);
    assert_eq!(mesh(level).height(CellId(0), p), 0.2);
}

#[test]
fn every_defect_of_the_ground_is_reported() {
    let good = with_ground(squares(2), 2.0, 2, 0.5, hill);
    let found = |change: &dyn Fn(&mut RawNavMesh)| {
        let mut bad = good.clone();
        change(&mut bad);
        lines(&bad.validate().unwrap_err())
    };
    assert_eq!(
        found(&|raw| {
            raw.drop_depths = vec![0.0; 16];
            raw.drop_depths[0] = f32::NAN;
            raw.drop_depths[1] = 1.0;
            raw.drop_depths[3] = f32::INFINITY;
            raw.heights_error = f64::INFINITY;
            raw.ground_points[3].z = f64::NAN;
            raw.ground_triangles[0].swap(0, 1);
            raw.ground_triangles[1][2] = 99;
            raw.ground_lists[0] = 50;
            raw.ground_starts[1] = 0;
        }),
        [
            "N0: drop_depths, corner 0: is NaN m, expected 0 or more",
            "N0: drop_depths, corner 1: is 1 m, but the edge is a portal",
            "N0: heights_error: is inf m, expected 0 or more",
            "N0: ground point 3: lies at (0.0, 1.0, NaN), beyond 1e7 m or not a number",
            "N0: ground triangle 0: does not run counter-clockwise round an area",
            "N0: ground triangle 1: names points [0, 4, 99] of 9",
            "N0: ground_lists, entry 0: names triangle 50 of 8",
            "N0: ground_starts, cell 1: has a list that does not ascend",
        ]
    );
    assert_eq!(
        found(&|raw| raw.ground_starts.clear()),
        ["N0: ground_lists: has entries, but no cell has a list"]
    );
    assert!(found(&|raw| raw.drop_depths = vec![1.0])[0].contains("has 1 entries, expected none or 16"));
    assert!(found(&|raw| raw.ground_starts = vec![0, 1])[0].contains("has 2 entries, expected none or 5"));
    let backwards = found(&|raw| raw.ground_starts[2] = u32::MAX);
    assert!(backwards.iter().any(|line| line.contains("cell 1: runs from")), "{backwards:?}");
}

/// A path keeps to the ground: between its points no place is farther above or below than a millimetre, and its length
/// is that of the ground sampled finely.
fn follow(mesh: &NavMesh, from: DVec2, to: DVec2) -> usize {
    let finder = PathFinder::new(mesh);
    let on_ground = |p: DVec2| p.extend(mesh.height(mesh.cells().find(|&c| mesh.contains(c, p)).unwrap(), p));
    let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
    let path = finder.find(on_ground(from), on_ground(to), &config, &mut PathScratch::new()).unwrap();
    let mut sampled = 0.0;
    for pair in path.points.windows(2) {
        let mut before = on_ground(pair[0].truncate());
        assert!((before - pair[0]).length() < 2e-3);
        let steps = 2000;
        for k in 1..=steps {
            let straight = pair[0].lerp(pair[1], k as f64 / steps as f64);
            // Computed points may lie a hair outside.
            let Some(cell) = mesh.cells().find(|&c| mesh.contains(c, straight.truncate())) else { continue };
            let there = straight.with_z(mesh.height(cell, straight.truncate()));
            assert!((there.z - straight.z).abs() < 1.001e-3, "{there} {straight}");
            sampled += before.distance(there);
            before = there;
        }
    }
    let bound = 1e-3 * path.points.len() as f64 + 1e-3 * sampled;
    assert!((path.length - sampled).abs() < bound, "{} {sampled}", path.length);
    assert!(path.length >= path.plan_length - 1e-9);
    assert!(path.points.windows(2).all(|pair| pair[0] != pair[1]));
    path.points.len()
}

#[test]
fn paths_follow_hills_of_many_triangles() {
    for n in [3, 10, 60] {
        let mesh = mesh(with_ground(squares(3), 3.0, n, 0.4, hill));
        follow(&mesh, dvec2(0.1, 0.2), dvec2(2.9, 2.7));
        // Along edges of the lattice's rim and of cells, and within one triangle.
        follow(&mesh, dvec2(0.0, 0.0), dvec2(3.0, 0.0));
        follow(&mesh, dvec2(1.0, 0.0), dvec2(1.0, 3.0));
        follow(&mesh, dvec2(1.51, 1.51), dvec2(1.52, 1.511));
    }
}

#[test]
fn stairs_have_a_point_at_each_edge_and_none_between() {
    // Ten treads of 0.2 m and risers of 0.1 m in plan: the lattice has a line at each of them.
    let stairs =
        |p: DVec2| ((p.x + 1e-9) / 0.3).floor() * 0.18 + ((p.x + 1e-9) % 0.3 - 0.2).max(0.0) / 0.1 * 0.18;
    let mesh = mesh(with_ground(squares(3), 3.0, 30, 0.0, stairs));
    let points = follow(&mesh, dvec2(0.05, 1.2), dvec2(2.95, 1.9));
    assert_eq!(points, 2 + 19);
    assert_eq!(follow(&mesh, dvec2(0.05, 1.0), dvec2(2.95, 1.0)), 2 + 19);
    assert_eq!(follow(&mesh, dvec2(0.1, 0.2), dvec2(0.1, 2.9)), 2);
}

#[test]
fn creases_of_less_than_a_millimetre_make_no_points_but_a_long_bow_does() {
    let rough = |p: DVec2| (p.x * 97.0 + p.y * 61.0).sin() * 4e-4;
    let rough = mesh(with_ground(squares(3), 3.0, 60, 0.4, rough));
    assert_eq!(follow(&rough, dvec2(0.1, 0.2), dvec2(2.9, 2.7)), 2);
    // Each bend is far less than a millimetre, all together are 0.225 m.
    let bowl = mesh(with_ground(squares(3), 3.0, 300, 0.0, |p| p.x * p.x * 0.1));
    let points = follow(&bowl, dvec2(0.1, 0.2), dvec2(2.9, 2.7));
    assert!((5..30).contains(&points), "{points}");
}

#[test]
#[ignore = "measures; run in release mode"]
fn how_long_heights_and_paths_take() {
    let ring = [(0.5, 0.25), (2.0, 0.5), (2.75, 1.5), (2.0, 2.75), (1.0, 2.5), (0.25, 1.5)];
    for n in [3, 20, 100] {
        let mesh = mesh(with_ground(polygon(&ring), 3.0, n, 0.4, hill));
        let points: Vec<DVec2> =
            (0..100_000).map(|k| dvec2(0.9 + k as f64 * 0.619 % 1.0, 1.0 + k as f64 * 0.377 % 1.0)).collect();
        let start = std::time::Instant::now();
        let sum: f64 = points.iter().map(|&p| mesh.height(CellId(0), p)).sum();
        let height = start.elapsed().as_secs_f64() * 1e9 / points.len() as f64;
        let finder = PathFinder::new(&mesh);
        let (mut scratch, config) =
            (PathScratch::new(), LocateConfig { snap: 3.0, ..LocateConfig::default() });
        let start = std::time::Instant::now();
        let mut count = 0;
        let on_ground = |p: DVec2| p.extend(hill(p));
        for pair in points.windows(2).take(1000) {
            let path = finder.find(on_ground(pair[0]), on_ground(pair[1]), &config, &mut scratch);
            count += path.unwrap().points.len();
        }
        let path = start.elapsed().as_secs_f64() * 1e6 / 1000.0;
        let list = mesh.ground_list(CellId(0)).len();
        println!(
            "{list} triangles: height {height:.0} ns, path {path:.1} µs with {} points ({sum:.3})",
            count / 1000
        );
    }
}

#[test]
fn pieces_fill_their_cell_also_a_relaxed_one() {
    let sagging = [(0.25, 0.25), (2.5, 0.5), (2.75, 2.75), (1.5, 2.25), (0.5, 2.75)];
    let relaxed = RawNavMesh { convex_distance: 1.0, ..polygon(&sagging) };
    // Lists of the hull: a triangle too many does no harm.
    let mut hilly = with_ground(relaxed, 3.0, 20, 0.4, hill);
    let hull = with_ground(polygon(&[sagging[0], sagging[1], sagging[2], sagging[4]]), 3.0, 20, 0.4, hill);
    (hilly.ground_lists, hilly.ground_starts) = (hull.ground_lists, hull.ground_starts);
    let mesh = mesh(hilly);
    assert_eq!(mesh.check(), []);
    let (mut area, mut count) = (0.0, 0);
    mesh.ground_pieces(CellId(0), |piece| {
        count += 1;
        for k in 2..piece.len() {
            let [a, b, c] = [piece[0], piece[k - 1], piece[k]].map(DVec3::truncate);
            area += (b - a).perp_dot(c - a) / 2.0;
            let middle = (piece[0] + piece[k - 1] + piece[k]) / 3.0;
            assert!((middle.z - mesh.height(CellId(0), middle.truncate())).abs() < 1e-9);
        }
    });
    assert!((area - mesh.cell_area(CellId(0))).abs() < 1e-9 && count > 300, "{area} {count}");
}

#[test]
fn ground_that_does_not_fit_its_cells_is_reported() {
    let good = with_ground(squares(2), 2.0, 20, 0.4, hill);
    assert_eq!(mesh(good.clone()).check(), []);
    let found = |change: &dyn Fn(&mut RawNavMesh)| {
        let mut bad = good.clone();
        change(&mut bad);
        lines(&mesh(bad).check())
    };
    let gap = found(&|raw| {
        raw.ground_lists.remove(30);
        raw.ground_starts[1..].iter_mut().for_each(|start| *start -= 1);
    });
    assert_eq!(gap.len(), 1);
    assert!(gap[0].starts_with("N8: cell 0: has 1 m², its ground 0.99"), "{gap:?}");
    let double = found(&|raw| {
        let copy = raw.ground_triangles[raw.ground_lists[30] as usize];
        raw.ground_triangles.push(copy);
        let list = raw.ground_starts[1] as usize;
        raw.ground_lists.insert(list, raw.ground_triangles.len() as u32 - 1);
        raw.ground_starts[1..].iter_mut().for_each(|start| *start += 1);
    });
    assert!(double[0].starts_with("N8: cell 0: has 1 m², its ground 1.0"), "{double:?}");
    assert!(double[1].contains("and 800 that overlap"), "{double:?}");
    let high = found(&|raw| raw.vertices[4].z += 0.002);
    assert!(high.len() == 4 && high[0].starts_with("N8: vertex 4: is at "), "{high:?}");
    // A step at the portal between two cells: the second has ground of its own.
    let step = found(&|raw| {
        let points = raw.ground_points.len() as u32;
        raw.ground_points.extend_from_within(..);
        raw.ground_points[points as usize..].iter_mut().for_each(|p| p.z += 0.01 * p.y);
        let triangles = raw.ground_triangles.len() as u32;
        raw.ground_triangles.extend_from_within(..);
        raw.ground_triangles[triangles as usize..].iter_mut().flatten().for_each(|k| *k += points);
        let second = raw.ground_starts[1] as usize..raw.ground_starts[2] as usize;
        raw.ground_lists[second].iter_mut().for_each(|t| *t += triangles);
    });
    assert!(step.iter().any(|line| line.starts_with("N8: portal 0: is at (1, ")), "{step:?}");
    // Lists that agree nowhere with the cells are no reason to panic.
    let nonsense = found(&|raw| {
        raw.ground_starts = vec![0, 0, 1, 1, 2];
        raw.ground_lists = vec![0, 0];
    });
    assert!(nonsense.iter().any(|line| line.starts_with("N8: cell 1")));
}

#[test]
#[ignore = "measures; run in release mode"]
fn how_long_checks_and_snapping_take() {
    let ring = [(0.5, 0.25), (2.0, 0.5), (2.75, 1.5), (2.0, 2.75), (1.0, 2.5), (0.25, 1.5)];
    for n in [20, 100, 300] {
        let raw = with_ground(polygon(&ring), 3.0, n, 0.4, hill);
        let start = std::time::Instant::now();
        let mesh = mesh(raw);
        let validated = start.elapsed().as_secs_f64() * 1e3;
        let start = std::time::Instant::now();
        assert_eq!(mesh.check(), []);
        let checked = start.elapsed().as_secs_f64() * 1e3;
        let config = LocateConfig { height: 0.0, step: 0.0, ..LocateConfig::default() };
        let snap = |up: f64| {
            let start = std::time::Instant::now();
            for k in 0..200 {
                let p = dvec2(k as f64 * 0.619 % 3.0, k as f64 * 0.377 % 3.0);
                mesh.locate(p.extend(hill(p) + up), &config);
            }
            start.elapsed().as_secs_f64() * 1e6 / 200.0
        };
        let (list, near, far) = (mesh.ground_list(CellId(0)).len(), snap(0.1), snap(2.0));
        println!("{list} triangles: validate {validated:.1} ms, check {checked:.1} ms");
        println!("{list} triangles: snap {near:.1} µs, in vain {far:.1} µs");
    }
}
