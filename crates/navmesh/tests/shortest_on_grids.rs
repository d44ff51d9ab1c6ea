//! Paths on meshes of random grid maps against brute force.

mod support;

use support::{Cutting, FINE, Fine, GridMap, Random, mesh_of, to_metres};
use wayfare_navmesh::{Accelerator, AcceleratorConfig, LocateConfig, PathFinder, PathScratch};

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
                (None, Err(_)) => {}
                (expected, found) => {
                    panic!("seed {seed} {p:?} {q:?} {way}: {found:?} expected {expected:?}\n{map:?}")
                }
            }
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
