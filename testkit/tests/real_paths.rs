//! Paths on baked scenes are real: rays against the source triangles find nothing in the way.
//!
//! What is known to be wrong is counted: the ground beside a riser or a drop is off by more than one pixel in places, which shows as
//! `Ground` and `Step`. Places are counted, not paths through them: pairs are drawn by lot among the cells, and every change of a cell
//! sends other paths through the same places. The numbers may only shrink. `cargo xtask bench scenes` has all scenes.

use rayon::prelude::*;
use wayfare_bake::BakeConfig;
use wayfare_core::{DVec3, dvec3, ops};
use wayfare_floor::GroundConfig;
use wayfare_geom::TriangleMesh;
use wayfare_navmesh::{PathFinder, PathScratch};
use wayfare_scene::{Scene, generated::scene_by_name};
use wayfare_testkit::{
    baked,
    data::scenes::scene_named,
    ray_check::{PathDefect, RayCheck, Rule},
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
        ("sample", [0, 0, 0, 0]),
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
    let scenes: [Known; 13] = [
        ("bridge", [0, 0, 0, 0]),
        ("collision-world", [0, 0, 0, 0]),
        // One path is 6.8 cm off, at the foot of something 0.85 m high.
        ("cpr_office", [1, 0, 0, 0]),
        ("house", [0, 0, 0, 0]),
        ("nav_test", [0, 0, 0, 0]),
        ("openarena_oa_dm1", [0, 0, 0, 0]),
        ("openarena_pul1ctf", [0, 0, 0, 0]),
        ("openarena_islanddm", [1, 0, 0, 0]),
        ("openarena_wrackdm17", [0, 0, 0, 0]),
        ("space_ship_hallway", [0, 0, 0, 0]),
        // One path is 5.1 cm off, beside a step.
        ("tower_big", [1, 0, 0, 0]),
        ("underwater_ground", [0, 0, 0, 0]),
        ("village_inn", [2, 0, 0, 0]),
    ];
    let look = |&(name, known): &Known| {
        let Some(shared) = scene_named(name) else { return Vec::new() };
        let scene = baked::read(&shared).unwrap_or_else(|error| panic!("{error}"));
        check(name, &scene, &baked::ground_config(&shared.body), known)
    };
    let faults: Vec<Vec<String>> = scenes.par_iter().map(look).collect();
    assert!(faults.concat().is_empty(), "{:#?}", faults.concat());
}

/// A floor of 12 m by 4 m that rises along x as its profile says, with a block over it from (2, 0) to (10, 2), all turned by an angle.
fn beside_a_block(profile: &[(f64, f64)], turn: f64) -> (Scene, impl Fn(f64, f64, f64) -> DVec3) {
    let (sin, cos) = (ops::sin(turn), ops::cos(turn));
    let place = move |x: f64, y: f64, z: f64| dvec3(cos * x - sin * y, sin * x + cos * y, z);
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    let mut square = |corners: [DVec3; 4]| {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners);
        mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    for pair in profile.windows(2) {
        let [(x, low), (end, high)] = [pair[0], pair[1]];
        square([place(x, 0.0, low), place(end, 0.0, high), place(end, 4.0, high), place(x, 4.0, low)]);
    }
    for [[x, y], [u, v]] in [[[2.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [10.0, 2.0]], [[10.0, 2.0], [10.0, 0.0]]]
    {
        square([place(x, y, -1.0), place(u, v, -1.0), place(u, v, 5.0), place(x, y, 5.0)]);
    }
    (Scene::from_mesh(mesh), place)
}

/// A path round the block goes along all of its side; it follows the ground there.
#[test]
fn paths_along_walls_follow_the_ground() {
    let ramp = vec![(0.0, 0.0), (4.0, 0.0), (8.0, 1.5), (12.0, 1.5)];
    // A step that begins about where the block ends: pixels at its corner are partly on the step.
    let steps = (0..10).map(|k| {
        let start = 9.85 + 0.03 * f64::from(k);
        vec![(0.0, 0.0), (start, 0.0), (start, 0.35), (12.0, 0.35)]
    });
    let config = GroundConfig::default();
    let mut faults = Vec::new();
    for profile in std::iter::once(ramp).chain(steps) {
        for turn in [0.0, 0.1, 0.35, 0.7, 1.0, 1.3, 2.0] {
            let (scene, place) = beside_a_block(&profile, turn);
            let mesh = baked::bake_scene(&scene, &config, &BakeConfig::default()).unwrap().mesh;
            let rays = RayCheck::new(scene.mesh.all_points(), baked::ray_body(&config));
            let end = profile.last().map_or(0.0, |end| end.1);
            let ends = [place(1.0, 1.0, 0.0), place(11.0, 1.0, end)];
            let path = PathFinder::new(&mesh)
                .find(ends[0], ends[1], &baked::locate_config(&config), &mut PathScratch::new())
                .unwrap();
            let defects = rays.check_path(&path.points, 0.0);
            faults.extend(defects.first().map(|defect| format!("{profile:?} turned by {turn}: {defect}")));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
