//! Paths on meshes of random grid maps against brute force.

mod support;

use support::{Cutting, FINE, Fine, GridMap, Random, mesh_of, to_metres};
use wayfare_core::DVec3;
use wayfare_navmesh::{Accelerator, AcceleratorConfig, LocateConfig, NavMesh, PathFinder, PathScratch};

fn compare(map: &GridMap, cutting: Cutting, seed: u64, queries: usize) {
    let mut random = Random(seed);
    let mut mesh = mesh_of(map, cutting, &mut random);
    let always = AcceleratorConfig { min_core_cells: 0, max_bytes_per_corner: usize::MAX, threads: 1 };
    mesh.set_accelerator(Accelerator::build_with(&mesh, &always));
    let finders = [PathFinder::plain(&mesh), PathFinder::new(&mesh)];
    let mut scratch = PathScratch::new();
    let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
    for _ in 0..queries {
        let mut point = || -> Fine {
            // Half of the ends on lattice points: vertices, edges, pinches.
            let step = if random.chance(50) { FINE } else { 1 };
            let mut at = |n: usize| random.below((n as i64 * FINE / step + 1) as usize) as i64 * step;
            (at(map.width), at(map.height))
        };
        let (p, q) = (point(), point());
        if !map.holds(p) || !map.holds(q) {
            continue;
        }
        let expected = map.shortest(p, q);
        for finder in &finders {
            check_corridor(finder, to_metres(p), to_metres(q), &mut scratch);
            let way = if finder.accelerator().is_some() { "graph" } else { "plain" };
            let found = finder.plan_path(to_metres(p), to_metres(q), &config, &mut scratch);
            match (expected, found) {
                (Some(expected), Ok(path)) => {
                    let sum: f64 = path.points.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum();
                    assert!(
                        (path.length - expected).abs() <= 1e-9 * expected
                            && (sum - expected).abs() <= 1e-9 * expected,
                        "seed {seed} {p:?} {q:?} {way}: {path:?} ({sum}) expected {expected}\n{map:?}",
                    );
                }
                (None, Err(_)) => continue,
                (expected, found) => {
                    panic!("seed {seed} {p:?} {q:?} {way}: {found:?} expected {expected:?}\n{map:?}")
                }
            }
        }
    }
}

/// The cells of a path join start and goal and hold every piece of it.
fn check_corridor(finder: &PathFinder<&NavMesh>, from: DVec3, to: DVec3, scratch: &mut PathScratch) {
    let config = LocateConfig::default();
    let Ok(path) = finder.find(from, to, &config, scratch) else { return };
    let plan = finder.plan_path(from, to, &config, scratch).unwrap();
    assert_eq!(path.points.iter().map(|p| p.truncate()).collect::<Vec<_>>(), plan.points);
    let mesh = finder.mesh();
    let (first, last) = (path.cells[0], path.cells[path.cells.len() - 1]);
    assert!(mesh.contains(first, from.truncate()) && mesh.contains(last, to.truncate()));
    for pair in path.cells.windows(2) {
        let are_next = mesh.corners(pair[0]).any(|corner| mesh.neighbour(corner) == Some(pair[1]));
        assert!(are_next, "{from} {to}: {path:?}");
    }
    // Tiny steps along the path are in the corridor, in its order, but for rounding.
    let mut at = 0;
    for pair in path.points.windows(2) {
        for step in 0..=32 {
            let p = pair[0].lerp(pair[1], step as f64 / 32.0);
            let near = |k: &usize| mesh.closest_point(path.cells[*k], p).distance(p) < 1e-9;
            let next = (at..path.cells.len()).find(near);
            assert!(next.is_some(), "{p} of {from} {to}: {path:?}");
            at = next.unwrap_or(at);
        }
    }
}

#[test]
fn lengths_equal_brute_force_on_random_grids() {
    let seeds: u64 = std::env::var("WAYFARE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for seed in 0..seeds {
        let mut random = Random(seed);
        let (w, h) = (2 + random.below(9), 2 + random.below(9));
        let free = 50 + random.below(45);
        let map = GridMap::random(&mut random, w, h, free);
        let cuttings = [
            Cutting { merge: false, cut: 0, keep: 100, jitter: 0.0 },
            Cutting { merge: true, cut: 0, keep: 0, jitter: 0.0 },
            Cutting { merge: true, cut: 50, keep: 30, jitter: 0.0 },
            Cutting { merge: true, cut: 100, keep: 100, jitter: 0.0 },
        ];
        for (k, cutting) in cuttings.into_iter().enumerate() {
            compare(&map, cutting, seed * 4 + k as u64, 40);
        }
    }
}
