//! Notches, holes and components are those of the plan, whatever cells it is cut into.

use crate::support::{baked, defects, floor_plan, navmesh, report, rings};
use wayfare_bake::{BakeConfig, Decomposition, bake};
use wayfare_core::Context;
use wayfare_testkit::{
    TestPlan, free_space::FreeSpace, generators, hertel_mehlhorn, hertel_mehlhorn::triangulate,
};

/// What is wrong with the facts of strict, relaxed, thesis, Hertel–Mehlhorn cells and triangles of a plan.
fn compare(plan: &TestPlan) -> Vec<String> {
    let floor = floor_plan(plan);
    let rings = rings(&floor);
    let space = FreeSpace::new(&rings);
    let notches = (0..space.fans().len()).filter(|&fan| space.is_notch(fan)).count();
    let chains = space.rings().rings.len();
    let size = rings.area().sqrt();
    let thesis = BakeConfig { decomposition: Decomposition::Thesis, ..BakeConfig::default() };
    let meshes = [
        ("strict", baked(&floor, 0.0)),
        ("relaxed", baked(&floor, 0.02 * size)),
        ("very relaxed", baked(&floor, 0.2 * size)),
        ("thesis", bake(&floor, &thesis, &Context::default()).expect("a sound plan")),
        ("Hertel–Mehlhorn", navmesh(&hertel_mehlhorn(&rings).expect("a sound plan"))),
        ("triangles", navmesh(&triangulate(&rings).expect("a sound plan"))),
    ];
    let mut found = Vec::new();
    for (cells, mesh) in &meshes {
        let facts = mesh.facts();
        let (seen, expected) = ((facts.notches, facts.holes + facts.components), (notches, chains));
        if seen != expected {
            found.push(format!("{}, {cells}: notches and chains {seen:?}, not {expected:?}", plan.name));
        }
        // Relaxed cells may be fewer than any convex ones.
        if facts.ignored_notches == 0 && facts.cells < facts.lower_bound {
            let (count, bound) = (facts.cells, facts.lower_bound);
            found.push(format!("{}, {cells}: {count} cells, below the bound {bound}", plan.name));
        }
        found.extend(
            defects(mesh, rings.area()).into_iter().map(|defect| format!("{}, {cells}: {defect}", plan.name)),
        );
    }
    found
}

#[test]
fn facts_and_checks_are_the_same_for_every_decomposition() {
    let plans = generators::mixed(5, 60, 400);
    assert_eq!(report(&plans, compare), "");
}
