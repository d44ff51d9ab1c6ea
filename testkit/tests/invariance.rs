//! What must not change a bake does not: turning, mirroring, moving, another order of the input, threads.

use crate::support::{agree, baked, defects, floor_plan, path_length, report};
use wayfare_core::{DVec2, dvec2};
use wayfare_navmesh::{PathFinder, PathScratch};
use wayfare_testkit::{
    Random, TestPlan,
    free_space::FreeSpace,
    generators,
    plan::sample_points,
    transform::{Similarity, permuted},
    zoo,
};

/// Plans of some size, so that two per cent of their cells is more than one.
fn plans() -> Vec<TestPlan> {
    vec![
        generators::rooms(1, 6, 6),
        generators::rooms(2, 5, 7),
        generators::triangles(3, 500, 0.8),
        generators::integer_triangles(4, 25, 0.8),
        generators::squares(5, 30, 0.75),
        generators::rectilinear(6, 25, 0.7),
        generators::star(7, 300),
        generators::comb(8, 80),
    ]
}

/// Paths between points well inside free space, which rounding does not push into walls.
fn queries(plan: &TestPlan, count: usize) -> Vec<[DVec2; 2]> {
    let space = FreeSpace::new(&plan.rings());
    let points = sample_points(&space, &mut Random::new(5), 20 * count);
    let distance = |p: DVec2| space.distance_from_boundary(p);
    let inner: Vec<DVec2> = points.into_iter().filter(|&p| distance(p) > 1e-3).collect();
    inner.chunks_exact(2).take(count).map(|pair| [pair[0], pair[1]]).collect()
}

fn compare(plan: &TestPlan, how: &str, moved: Similarity) -> Vec<String> {
    let other = moved.plan(plan);
    let floors = [plan, &other].map(floor_plan);
    let [mesh, turned] = [&floors[0], &floors[1]].map(|floor| baked(floor, 0.0));
    let mut found = defects(&turned, floors[1].area());
    let scale = moved.scale();
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b;
    if !close(turned.area(), mesh.area() * scale * scale) {
        found.push(format!("area {} instead of {}", turned.area(), mesh.area() * scale * scale));
    }
    let (a, b) = (mesh.cell_count(), turned.cell_count());
    if a.abs_diff(b) as f64 > 0.02 * a as f64 + 1.0 {
        found.push(format!("{b} cells instead of {a}"));
    }
    let finders = [PathFinder::new(&mesh), PathFinder::new(&turned)];
    let mut scratch = PathScratch::default();
    for ends in queries(plan, 100) {
        let length = path_length(&finders[0], ends, &mut scratch);
        let same = path_length(&finders[1], ends.map(|p| moved.point(p)), &mut scratch);
        match (length, same) {
            (Ok(length), Ok(same)) if agree(same, length.map(|length| length * scale), 1e-9) => {}
            (length, same) => found.push(format!("{ends:?}: {same:?} instead of {length:?}")),
        }
    }
    found.into_iter().map(|line| format!("{} {how}: {line}", plan.name)).collect()
}

#[test]
fn turned_mirrored_and_moved_plans_keep_area_lengths_and_nearly_the_number_of_cells() {
    let ways = [
        ("turned exactly", Similarity::pythagorean(3, 4)),
        ("turned by a quarter", Similarity::pythagorean(0, 1)),
        ("turned by 0.7", Similarity::rotation(0.7)),
        ("turned by 2.5 and mirrored", Similarity { mirror: true, ..Similarity::rotation(2.5) }),
        ("mirrored", Similarity::mirrored()),
        ("moved by 10 km", Similarity::translation(dvec2(10_000.0, -10_000.0))),
    ];
    let plans = plans();
    let cases: Vec<_> = plans.iter().flat_map(|plan| ways.map(|(how, moved)| (plan, how, moved))).collect();
    assert_eq!(report(&cases, |(plan, how, moved)| compare(plan, how, *moved)), "");
}

#[test]
fn the_bytes_do_not_depend_on_the_order_of_the_input() {
    let mut plans = plans();
    plans.extend(zoo::all().into_iter().filter(|plan| plan.len() < 1000));
    let found = report(&plans, |plan| {
        let bytes = |plan: &TestPlan| baked(&floor_plan(plan), 0.0).to_bytes();
        let expected = bytes(plan);
        let differs = (0..3).filter(|&seed| bytes(&permuted(plan, &mut Random::new(seed))) != expected);
        differs.map(|seed| format!("{} differs when permuted by {seed}", plan.name)).collect()
    });
    assert_eq!(found, "");
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    for plan in plans() {
        let bytes = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| baked(&floor_plan(&plan), 0.0).to_bytes())
        };
        let expected = bytes(1);
        for threads in [2, 7] {
            assert!(bytes(threads) == expected, "{} with {threads} threads", plan.name);
        }
    }
}
