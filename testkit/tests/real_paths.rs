//! Paths on baked scenes are real: rays against the source triangles find nothing in the way.
//!
//! What is known to be wrong is counted: the ground beside a riser or a drop is off by more than one pixel in places, which shows as
//! `Ground` and `Step`: edges that could be laid on a ledge at one end only cross it, and there the ground below falls by more than a
//! step. The numbers may only shrink. `cargo xtask bench scenes` has all scenes.

use rayon::prelude::*;
use wayfare_bake::BakeConfig;
use wayfare_floor::GroundConfig;
use wayfare_scene::{Scene, generated::scene_by_name};
use wayfare_testkit::{baked, data::scenes::scene_named, ray_check::Rule};

const PAIRS: usize = 200;

/// A scene, and at most how many places of its paths are off the ground, too high a step, in a wall, without head room.
type Known = (&'static str, [usize; 4]);

fn check(name: &str, scene: &Scene, ground: &GroundConfig, known: [usize; 4]) -> Vec<String> {
    let mesh = match baked::bake_scene(scene, ground, &BakeConfig::default()) {
        Ok(baked) => baked.mesh,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let tally = baked::check_paths(scene, &mesh, ground, PAIRS);
    let [off, steps, walls, low] =
        [Rule::Ground, Rule::Step, Rule::Wall, Rule::HeadRoom].map(|rule| tally.count(rule));
    println!("{name}: {} paths, {off} off the ground, {steps} steps, {walls} walls, {low} low", tally.found);
    let mut faults: Vec<String> = tally.lost.iter().map(|error| format!("{name}: {error}")).collect();
    if tally.found < PAIRS / 2 {
        faults.push(format!("{name}: only {} paths", tally.found));
    }
    if [off, steps, walls, low].iter().zip(known).any(|(found, known)| *found > known) {
        let first = tally.defects.first().map(ToString::to_string).unwrap_or_default();
        faults
            .push(format!("{name}: {off} off the ground, {steps} steps, {walls} walls, {low} low: {first}"));
    }
    faults
}

#[test]
fn paths_on_generated_scenes_can_be_walked() {
    let scenes: [Known; 4] = [
        ("sample", [76, 12, 0, 0]),
        ("building-2", [0, 0, 0, 0]),
        ("bridge", [6, 29, 0, 0]),
        ("terrain-40", [0, 0, 0, 0]),
    ];
    let look = |&(name, known): &Known| {
        check(name, &scene_by_name(name).expect(name), &GroundConfig::default(), known)
    };
    let faults: Vec<Vec<String>> = scenes.par_iter().map(look).collect();
    assert!(faults.concat().is_empty(), "{:#?}", faults.concat());
}

#[test]
fn paths_on_shared_scenes_can_be_walked() {
    let scenes: [Known; 7] = [
        ("bridge", [15, 0, 0, 0]),
        // Its ramps lie over their own approaches: paths turn at corners with more than 360 degrees of ground.
        ("collision-world", [180, 9, 0, 0]),
        ("cpr_office", [0, 0, 0, 0]),
        ("house", [11, 1, 0, 0]),
        ("nav_test", [19, 7, 0, 0]),
        ("underwater_ground", [0, 0, 0, 0]),
        ("village_inn", [390, 199, 0, 0]),
    ];
    let look = |&(name, known): &Known| {
        let Some(shared) = scene_named(name) else { return Vec::new() };
        let scene = baked::read(&shared).unwrap_or_else(|error| panic!("{error}"));
        check(name, &scene, &baked::ground_config(&shared.body), known)
    };
    let faults: Vec<Vec<String>> = scenes.par_iter().map(look).collect();
    assert!(faults.concat().is_empty(), "{:#?}", faults.concat());
}
