//! The zoo and random plans bake into sound meshes.

use crate::support::{baked, defects, floor_plan, report, rings};
use wayfare_testkit::{TestPlan, generators, hertel_mehlhorn, zoo};

fn check(plan: &TestPlan) -> Vec<String> {
    let floor = floor_plan(plan);
    let mut found: Vec<String> = floor.check().iter().map(ToString::to_string).collect();
    if (floor.area() - plan.area()).abs() > 1e-9 * plan.area() {
        found.push(format!("the floor plan's area is {}, the input's {}", floor.area(), plan.area()));
    }
    let theirs = hertel_mehlhorn(&rings(&floor)).map(|mesh| mesh.polygons.len()).unwrap_or(usize::MAX);
    let size = plan.area().sqrt();
    for relaxation in [0.0, 0.01 * size, 0.1 * size] {
        let mesh = baked(&floor, relaxation);
        found.extend(defects(&mesh, floor.area()));
        if mesh.cell_count() > theirs {
            let ours = mesh.cell_count();
            found.push(format!("{ours} cells at relaxation {relaxation}, Hertel and Mehlhorn {theirs}"));
        }
    }
    found.into_iter().map(|line| format!("{}: {line}", plan.name)).collect()
}

#[test]
fn the_zoo_bakes_into_sound_meshes() {
    assert_eq!(report(&zoo::all(), check), "");
}

#[test]
fn what_lies_in_line_behind_a_notch_is_not_ahead_of_it() {
    let plans: Vec<TestPlan> = (0..300).map(|k| zoo::in_line(0.37 * f64::from(k))).collect();
    assert_eq!(report(&plans, check), "");
}

#[test]
fn random_plans_bake_into_sound_meshes() {
    assert_eq!(report(&generators::mixed(9, 200, 400), check), "");
}

#[test]
fn thousands_of_random_plans_bake_into_sound_meshes() {
    assert_eq!(report(&generators::mixed(10, 5000, 400), check), "");
}
