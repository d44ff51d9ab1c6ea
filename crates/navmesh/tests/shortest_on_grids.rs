//! Paths on meshes of random grid maps against brute force.

mod support;

use support::{
    Cutting, FINE, Fine, GridMap, Random,
    brute::Brute,
    check::{accelerate, check},
    mesh_of, to_metres,
};
use wayfare_core::DVec2;
use wayfare_navmesh::{PathFinder, PathScratch};

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
