//! Paths on meshes of random grid maps against brute force.

mod support;

use support::{Cutting, FINE, Fine, GridMap, Random, brute::Brute, mesh_of, to_metres};
use wayfare_core::{DVec2, DVec3};
use wayfare_navmesh::{Accelerator, AcceleratorConfig, LocateConfig, NavMesh, PathFinder, PathScratch};

/// Maps per test; `WAYFARE_SEEDS=20000` for a long run.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let asked = std::env::var("WAYFARE_SEEDS").ok().and_then(|n| n.parse().ok());
    0..asked.unwrap_or(usual)
}

fn random_map(random: &mut Random, most: usize) -> GridMap {
    let (w, h) = (2 + random.below(most - 1), 2 + random.below(most - 1));
    let free = 50 + random.below(45);
    GridMap::random(random, w, h, free)
}

/// Half of the points on lattice points: vertices, edges, pinches.
fn random_point(map: &GridMap, random: &mut Random) -> Fine {
    let step = if random.chance(50) { FINE } else { 1 };
    let mut at = |n: usize| random.below((n as i64 * FINE / step + 1) as usize) as i64 * step;
    (at(map.width), at(map.height))
}

/// With a graph however small the mesh is.
fn accelerate(mesh: &mut NavMesh) {
    let always = AcceleratorConfig { min_core_cells: 0, max_bytes_per_corner: usize::MAX, threads: 1 };
    mesh.set_accelerator(Accelerator::build_with(mesh, &always));
}

/// All ways to search give the length, and whole paths of that length.
fn check(
    finders: &[PathFinder<&NavMesh>],
    [from, to]: [DVec2; 2],
    expected: Option<f64>,
    scratch: &mut PathScratch,
    case: &dyn Fn() -> String,
) {
    let (from, to) = (from.extend(0.0), to.extend(0.0));
    let config = LocateConfig { snap: 1e-9, ..LocateConfig::default() };
    for finder in finders {
        let way = if finder.accelerator().is_some() { "graph" } else { "plain" };
        let found = finder.plan_path(from, to, &config, scratch);
        match (expected, found) {
            (Some(expected), Ok(path)) => {
                let sum: f64 = path.points.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum();
                let is_right = |length: f64| (length - expected).abs() <= 1e-9 * expected.max(1e-3);
                assert!(
                    is_right(path.length) && is_right(sum),
                    "{way} {from} {to}: {path:?} ({sum}) expected {expected}\n{}",
                    case()
                );
                check_corridor(finder, from, to, scratch, case);
            }
            (None, Err(_)) => {}
            (expected, found) => {
                panic!("{way} {from} {to}: {found:?} expected {expected:?}\n{}", case())
            }
        }
    }
}

/// The cells of a path join start and goal and hold every piece of it.
fn check_corridor(
    finder: &PathFinder<&NavMesh>,
    from: DVec3,
    to: DVec3,
    scratch: &mut PathScratch,
    case: &dyn Fn() -> String,
) {
    let config = LocateConfig::default();
    let Ok(path) = finder.find(from, to, &config, scratch) else { return };
    let plan = finder.plan_path(from, to, &config, scratch).unwrap();
    assert_eq!(path.points.iter().map(|p| p.truncate()).collect::<Vec<_>>(), plan.points);
    let mesh = finder.mesh();
    let (first, last) = (path.cells[0], path.cells[path.cells.len() - 1]);
    let near = |cell, p: DVec3| {
        let p = p.truncate();
        let off = |corner| {
            let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
            (a + (b - a) * ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0)).distance(p)
        };
        mesh.contains(cell, p) || mesh.corners(cell).any(|corner| off(corner) < 1e-9)
    };
    assert!(near(first, from) && near(last, to), "{from} {to}: {path:?}\n{}", case());
    for pair in path.cells.windows(2) {
        let are_next = mesh.corners(pair[0]).any(|corner| mesh.neighbour(corner) == Some(pair[1]));
        assert!(are_next, "{from} {to}: {path:?}\n{}", case());
    }
    // Tiny steps along the path are in the corridor, in its order, but for rounding.
    let mut at = 0;
    for pair in path.points.windows(2) {
        for step in 0..=32 {
            let p = pair[0].lerp(pair[1], step as f64 / 32.0);
            let next = (at..path.cells.len()).find(|&k| near(path.cells[k], p));
            assert!(next.is_some(), "{p} of {from} {to}: {path:?}\n{}", case());
            at = next.unwrap_or(at);
        }
    }
}

fn compare_with_grid(map: &GridMap, cutting: Cutting, seed: u64, queries: usize) {
    let mut random = Random(seed);
    let mut mesh = mesh_of(map, cutting, &mut random);
    accelerate(&mut mesh);
    let finders = [PathFinder::plain(&mesh), PathFinder::new(&mesh)];
    let mut scratch = PathScratch::new();
    for _ in 0..queries {
        let (p, q) = (random_point(map, &mut random), random_point(map, &mut random));
        if !map.holds(p) || !map.holds(q) {
            continue;
        }
        let ends = [p, q].map(|p| cutting.place(to_metres(p).truncate()));
        let case = || format!("seed {seed} {p:?} {q:?} {cutting:?} {map:?}");
        check(&finders, ends, map.shortest(p, q), &mut scratch, &case);
    }
}

#[test]
fn lengths_equal_brute_force_on_convex_cells_of_random_grids() {
    for seed in seeds(150) {
        let map = random_map(&mut Random(seed), 10);
        let cuttings = [
            Cutting { merge: false, keep: 100, ..Cutting::default() },
            Cutting::default(),
            Cutting { cut: 50, keep: 30, ..Cutting::default() },
            Cutting { cut: 100, keep: 100, ..Cutting::default() },
        ];
        for (k, cutting) in cuttings.into_iter().enumerate() {
            compare_with_grid(&map, cutting, seed * 4 + k as u64, 40);
        }
    }
}

#[test]
fn lengths_stay_the_same_on_cells_with_notches() {
    for seed in seeds(150) {
        let map = random_map(&mut Random(seed), 10);
        for (k, join) in [30, 80].into_iter().enumerate() {
            let cutting = Cutting { cut: 30, keep: 30, join, ..Cutting::default() };
            compare_with_grid(&map, cutting, seed * 4 + k as u64, 40);
        }
    }
}

#[test]
fn lengths_stay_the_same_on_turned_grids_where_rounding_bends_every_line() {
    for seed in seeds(150) {
        let map = random_map(&mut Random(seed), 10);
        for (k, turn) in [0.7, 2.0].into_iter().enumerate() {
            let cutting = Cutting { cut: 30, keep: 50, join: 20 * k, turn, ..Cutting::default() };
            compare_with_grid(&map, cutting, seed * 4 + k as u64, 40);
        }
    }
}

#[test]
fn lengths_equal_brute_force_where_no_line_is_straight() {
    for seed in seeds(60) {
        let mut random = Random(seed);
        let map = random_map(&mut random, 7);
        let join = 50 * random.below(2);
        let cutting = Cutting { merge: false, keep: 100, jitter: 0.24, join, ..Cutting::default() };
        let mut mesh = mesh_of(&map, cutting, &mut random);
        accelerate(&mut mesh);
        let finders = [PathFinder::plain(&mesh), PathFinder::new(&mesh)];
        let mut scratch = PathScratch::new();
        let brute = Brute::new(&mesh);
        for _ in 0..40 {
            let mut point =
                || DVec2::new(random.unit() * map.width as f64, random.unit() * map.height as f64);
            let ends = [point(), point()];
            if ends.iter().all(|&p| mesh.cells().any(|cell| mesh.contains(cell, p))) {
                let case = || format!("seed {seed} {cutting:?} {map:?}");
                check(&finders, ends, brute.shortest(ends[0], ends[1]), &mut scratch, &case);
            }
        }
    }
}
