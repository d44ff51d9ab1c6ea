//! Paths on baked scenes are real: rays against the source triangles find nothing in the way.
//!
//! What is known to be wrong is counted: the ground beside a riser or a drop is off by more than one pixel in places, which shows as
//! `Ground` and `Step`. Places are counted, not paths through them: pairs are drawn by lot among the cells, and every change of a cell
//! sends other paths through the same places. The numbers may only shrink. `cargo xtask bench scenes` has all scenes.

use rayon::prelude::*;
use wayfare_bake::BakeConfig;
use wayfare_core::DVec3;
use wayfare_floor::GroundConfig;
use wayfare_scene::{Scene, generated::scene_by_name};
use wayfare_testkit::{
    baked,
    data::scenes::scene_named,
    ray_check::{PathDefect, Rule},
};

const PAIRS: usize = 200;

/// Defects that are nearer to each other are at one place [m].
const APART: f64 = 1.0;

/// A scene, and at most at how many places its paths are off the ground, too high a step, in a wall, without head room.
type Known = (&'static str, [usize; 4]);

/// Places where a rule is offended against.
fn places(defects: &[PathDefect], rule: Rule) -> usize {
    let mut places: Vec<DVec3> = Vec::new();
    for defect in defects.iter().filter(|defect| defect.rule == rule) {
        if places.iter().all(|place| place.distance(defect.at) > APART) {
            places.push(defect.at);
        }
    }
    places.len()
}

fn check(name: &str, scene: &Scene, ground: &GroundConfig, known: [usize; 4]) -> Vec<String> {
    let mesh = match baked::bake_scene(scene, ground, &BakeConfig::default()) {
        Ok(baked) => baked.mesh,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let tally = baked::check_paths(scene, &mesh, ground, PAIRS);
    let [off, steps, walls, low] =
        [Rule::Ground, Rule::Step, Rule::Wall, Rule::HeadRoom].map(|rule| places(&tally.defects, rule));
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
        ("sample", [2, 1, 0, 0]),
        ("building-2", [0, 0, 0, 0]),
        ("bridge", [0, 0, 0, 0]),
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
        ("bridge", [2, 0, 0, 0]),
        // Its ramps lie over their own approaches: paths turn at corners with more than 360 degrees of ground.
        ("collision-world", [14, 1, 0, 0]),
        ("cpr_office", [0, 0, 0, 0]),
        ("house", [2, 0, 0, 0]),
        ("nav_test", [2, 0, 0, 0]),
        ("underwater_ground", [0, 0, 0, 0]),
        ("village_inn", [4, 0, 0, 0]),
    ];
    let look = |&(name, known): &Known| {
        let Some(shared) = scene_named(name) else { return Vec::new() };
        let scene = baked::read(&shared).unwrap_or_else(|error| panic!("{error}"));
        check(name, &scene, &baked::ground_config(&shared.body), known)
    };
    let faults: Vec<Vec<String>> = scenes.par_iter().map(look).collect();
    assert!(faults.concat().is_empty(), "{:#?}", faults.concat());
}
