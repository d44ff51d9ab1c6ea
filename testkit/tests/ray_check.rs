//! Rays against the triangles of generated and shared scenes: what they say of paths and places known to be good or bad.

use wayfare_core::DVec3;
use wayfare_scene::{
    Scene, SceneOptions, Up,
    generated::scenes::{GeneratedScene, Walker, floors_by_name, generated_scene},
    read_scene,
};
use wayfare_testkit::{
    RayCheck,
    data::{self, SharedScene, UpAxis},
    entities::spawn_points,
    ray_check::{RayBody, Rule},
};

fn adult() -> RayBody {
    let Walker { height, step, max_slope } = Walker::default();
    RayBody { height, step, max_slope, pixel: 0.1 }
}

fn rules(name: &str, path: &[[f64; 3]], clearance: f64) -> Vec<Rule> {
    let GeneratedScene { scene, .. } = generated_scene(name).expect(name);
    let check = RayCheck::new(scene.mesh.all_points(), adult());
    let path: Vec<DVec3> = path.iter().map(|p| DVec3::from_array(*p)).collect();
    let mut rules = Vec::new();
    for defect in check.check_path(&path, clearance) {
        if !rules.contains(&defect.rule) {
            println!("{name}: {defect}");
        }
        rules.push(defect.rule);
    }
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// From outside through the entrance and the corridor into the left stairwell and up its stairs to the next storey.
fn way_up() -> Vec<[f64; 3]> {
    let mut path = vec![[-4., 8., 0.], [1.1, 8., 0.], [1.1, 9.9, 0.]];
    for k in 0..18 {
        let (x, z) = (1.8 + 0.3 * f64::from(k), 0.18 * f64::from(k));
        path.extend([[x, 9.9, z], [x, 9.9, z + 0.18]]);
    }
    path.extend([[7.6, 9.9, 3.24], [7.6, 8., 3.24], [20., 8., 3.24]]);
    path
}

#[test]
fn the_way_up_the_building_can_be_walked() {
    // Doors are 0.9 m wide, so half of that is clear.
    assert_eq!(rules("building-2", &way_up(), 0.45), []);
    assert_eq!(rules("building-2", &way_up(), 0.45 + 0.11 + 0.1), [Rule::Clearance]);
    // The same in a building without stairs.
    assert!(rules("building-1", &way_up(), 0.0).contains(&Rule::Ground));
}

#[test]
fn ways_through_walls_and_under_tables_cannot() {
    for name in ["building-1", "building-open-1"] {
        assert_eq!(rules(name, &[[5., 8., 0.], [5., 6., 0.]], 0.0), [Rule::Wall], "{name}");
    }
    // Under a table of 1.6 m by 0.8 m.
    let under_table = rules("building-1", &[[1.2, 2.35, 0.], [3.8, 2.35, 0.]], 0.0);
    assert_eq!(under_table, [Rule::Wall, Rule::HeadRoom]);
    assert_eq!(rules("bridge", &[[0., -10., 0.], [0., 10., 0.]], 2.9), []);
    assert_eq!(rules("bridge", &[[-14., 0., 0.], [-3., 0., 3.], [3., 0., 3.], [14., 0., 0.]], 2.0), []);
}

#[test]
fn the_ground_of_true_floors_is_found() {
    for name in ["building-2", "bridge", "slabs-3", "terrain-20"] {
        let GeneratedScene { scene, .. } = generated_scene(name).expect(name);
        let check = RayCheck::new(scene.mesh.all_points(), adult());
        for floor in floors_by_name(name, &Walker::default()).expect(name) {
            for &p in &floor.polygon.outer {
                let p = p.extend(floor.ground.height(p));
                assert!(
                    check.ground(p).is_some_and(|[low, high]| low <= p.z + 1e-9 && p.z - 1e-9 <= high),
                    "{name} {p}"
                );
            }
        }
    }
}

fn read(shared: &SharedScene) -> Scene {
    let up = Some(if shared.up == UpAxis::Z { Up::Z } else { Up::Y });
    let options = SceneOptions { up, scale: shared.scale, ..SceneOptions::default() };
    read_scene(&shared.path, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Players appear on the ground or fall onto it. Most places are within a step of it; those that are not hang in the air: all 19 of
/// double domination in czest2ctf at 1.42 m, 13 others in four levels at 0.6 m to 9.6 m.
#[test]
fn players_appear_over_ground() {
    let (mut standing, mut falling) = (0, 0);
    let levels = data::scenes::scenes();
    for shared in levels.iter().filter(|shared| shared.entities.is_some()) {
        let scene = read(shared);
        let body = RayBody {
            height: shared.body.height,
            step: shared.body.step,
            max_slope: shared.body.max_slope_deg.to_radians(),
            pixel: 0.1,
        };
        let check = RayCheck::new(scene.mesh.all_points(), body);
        let mut falls = Vec::new();
        for spawn in spawn_points(shared) {
            // From where the player's origin is: feet may be put a little below the ground.
            let ground = check.ground_below(spawn.origin);
            let fall = ground.map_or(f64::INFINITY, |z| spawn.feet.z - z);
            assert!((-body.step..10.0).contains(&fall), "{}: {spawn:?} over {ground:?}", shared.name);
            if fall <= body.step {
                standing += 1;
            } else {
                falls.push(format!("{} {:.1} {:.2} m", spawn.class, spawn.feet, fall));
            }
        }
        println!("{}: {falls:?}", shared.name);
        falling += falls.len();
    }
    assert!(levels.is_empty() || (standing, falling) == (310, 32), "{standing} stand, {falling} fall");
}
