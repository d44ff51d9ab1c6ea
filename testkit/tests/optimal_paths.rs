//! Paths have the lengths of the brute-force visibility graph, whatever the cells are.

use crate::support::{agree, baked, floor_plan, navmesh, path_length, report, rings};
use wayfare_core::DVec2;
use wayfare_navmesh::{Accelerator, AcceleratorConfig, NavMesh, PathFinder, PathScratch};
use wayfare_testkit::{
    Random, TestPlan, VisibilityGraph, generators, hertel_mehlhorn, plan::sample_points, zoo,
};

/// Lengths on strict, relaxed and Hertel–Mehlhorn cells that are not those of the visibility graph.
fn compare(plan: &TestPlan, queries: usize) -> Vec<String> {
    let floor = floor_plan(plan);
    let rings = rings(&floor);
    let graph = VisibilityGraph::new(&rings);
    // Relaxations from a hundredth of the plan to much of it.
    let size = rings.area().sqrt();
    let mut meshes: Vec<(String, NavMesh)> =
        [0.0, 0.01, 0.05, 0.2].map(|part| (format!("relaxed by {part}"), baked(&floor, part * size))).into();
    let cells = hertel_mehlhorn(&rings).unwrap_or_else(|error| panic!("{}: {error}", plan.name));
    meshes.push(("Hertel–Mehlhorn".to_owned(), navmesh(&cells)));

    // The same with the graph of large meshes, however small these are.
    let always = AcceleratorConfig { min_core_cells: 0, max_bytes_per_corner: usize::MAX, threads: 1 };
    for k in [0, 2, 4] {
        let (cells, mut mesh) = meshes[k].clone();
        if let Some(accelerator) = Accelerator::build_with(&mesh, &always) {
            mesh.set_accelerator(Some(accelerator));
            meshes.push((format!("{cells}, with graph"), mesh));
        }
    }

    let mut random = Random::new(plan.len() as u64);
    let points = sample_points(graph.space(), &mut random, 2 * queries);
    assert_eq!(points.len(), 2 * queries, "{}: too few points", plan.name);
    let expected: Vec<([DVec2; 2], Option<f64>)> = points
        .chunks_exact(2)
        .map(|pair| ([pair[0], pair[1]], graph.shortest(pair[0], pair[1]).map(|path| path.length)))
        .collect();
    let mut found = Vec::new();
    for (cells, mesh) in &meshes {
        let finder = PathFinder::new(mesh);
        // A finder uses the graph that it is given; it may have made one where it was given none.
        assert!(finder.accelerator().is_some() || mesh.accelerator().is_none(), "{cells}");
        let mut scratch = PathScratch::default();
        for &(ends, expected) in &expected {
            match path_length(&finder, ends, &mut scratch) {
                Ok(length) if agree(length, expected, 1e-9) => {}
                Ok(length) => {
                    let [from, to] = ends;
                    found.push(format!(
                        "{}, {cells}: {from} to {to}: {length:?}, not {expected:?}",
                        plan.name
                    ));
                }
                Err(what) => found.push(format!("{}, {cells}: {what}", plan.name)),
            }
        }
    }
    found
}

#[test]
fn lengths_equal_those_of_the_visibility_graph_on_every_kind_of_cells() {
    // 100 plans of up to 300 points, 200 queries on each.
    let plans = generators::mixed(1, 100, 300);
    assert_eq!(report(&plans, |plan| compare(plan, 200)), "");
}

#[test]
fn lengths_equal_those_of_the_visibility_graph_in_the_zoo() {
    let plans: Vec<TestPlan> = zoo::all().into_iter().filter(|plan| plan.len() <= 300).collect();
    assert_eq!(report(&plans, |plan| compare(plan, 100)), "");
}

#[test]
fn lengths_equal_those_of_the_visibility_graph_on_a_thousand_plans() {
    let plans = generators::mixed(2, 1000, 300);
    assert_eq!(report(&plans, |plan| compare(plan, 200)), "");
}
