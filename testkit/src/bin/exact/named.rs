//! Ten pairs of places each in three real scenes, written down before the run; found in pictures of the scenes.

use wayfare_core::DVec3;
use wayfare_floor::GroundConfig;
use wayfare_navmesh::{Body, NavMesh, PathFinder, PathScratch};
use wayfare_testkit::baked::locate_config;

/// Where from, where to, and whether there is a way for a point with the scene's body.
type Named = (&'static str, [f64; 3], [f64; 3], bool);

const SCENES: [(&str, &[Named]); 3] =
    [("aws_small_house", &SMALL_HOUSE), ("cpr_office", &OFFICE), ("house", &HOUSE)];

const SMALL_HOUSE: [Named; 10] = [
    ("bedroom to the hall, through the door", [-6.27, 0.33, 0.0], [-1.66, 0.33, 0.0], true),
    ("bedroom to the room beside it, round the thin wall", [-6.27, 0.33, 0.0], [-5.56, -2.84, 0.0], true),
    ("hall to the bay", [-1.66, 0.33, 0.0], [-0.8, 4.95, 0.0], true),
    ("bay to the kitchen", [3.8, 4.9, 0.0], [5.98, -4.86, 0.0], true),
    ("kitchen to the dining table's far side", [4.54, -1.11, 0.0], [8.58, 1.78, 0.0], true),
    ("sitting room to the corner of the left room", [0.43, -3.85, 0.0], [-9.0, -1.2, 0.0], true),
    ("sitting room to the bay, past the chimney", [0.43, -3.85, 0.0], [-0.8, 4.95, 0.0], true),
    ("hall to the worktop of the kitchen", [-1.66, 0.33, 0.0], [7.87, -5.1, 0.91], false),
    ("hall to the tops of the walls", [-1.66, 0.33, 0.0], [0.57, -5.55, 3.0], false),
    ("hall to the top of a cupboard", [-1.66, 0.33, 0.0], [-0.5, -1.2, 2.5], false),
];

const OFFICE: [Named; 10] = [
    ("lobby to the entrance with the bench", [-0.28, 3.19, 0.0], [-6.93, 1.53, 0.0], true),
    ("lobby to the meeting room", [-0.28, 3.19, 0.0], [5.7, 2.2, 0.0], true),
    ("meeting room over the corridor into the office", [5.7, 2.2, 0.0], [7.03, -2.45, 0.0], true),
    ("office to the room beside it", [7.03, -2.45, 0.0], [12.01, -0.79, 0.0], true),
    ("lobby to the far end of the open office", [-0.28, 3.19, 0.0], [12.84, 11.67, 0.0], true),
    ("lobby to the room behind the last wall", [-0.28, 3.19, 0.0], [25.3, -2.79, 0.0], true),
    ("entrance to the lower room", [-6.93, 1.53, 0.0], [-6.59, -9.1, 0.0], true),
    ("lobby out of doors, through no door", [-0.28, 3.19, 0.0], [-13.24, -9.1, 0.0], false),
    ("last room out of doors", [25.3, -2.79, 0.0], [23.97, 7.51, 0.0], false),
    ("from one yard to the other", [-13.24, -9.1, 0.0], [23.97, 7.51, 0.0], false),
];

const HOUSE: [Named; 10] = [
    ("across the floor, end to end", [-7.75, 6.59, 0.3], [4.72, -5.98, 0.3], true),
    ("from the middle to the left", [0.0, 0.0, 0.3], [-2.76, -0.3, 0.3], true),
    ("from the middle to the corner at the back", [0.0, 0.0, 0.3], [-7.75, 6.59, 0.3], true),
    ("from the middle to the corner in front", [0.0, 0.0, 0.3], [4.72, -5.98, 0.3], true),
    ("from the left to the corner in front", [-2.76, -0.3, 0.3], [4.72, -5.98, 0.3], true),
    ("from the floor to the roof", [0.0, 0.0, 0.3], [-4.12, -4.9, 8.67], false),
    ("from the floor to the ridge", [0.0, 0.0, 0.3], [-1.04, 3.62, 9.61], false),
    ("from the floor to the lower roof", [0.0, 0.0, 0.3], [2.45, 8.02, 6.14], false),
    ("from the floor into a wall", [0.0, 0.0, 0.3], [-8.16, 4.32, 0.29], false),
    ("from the roof to the lower roof", [-4.12, -4.9, 8.67], [2.45, 8.02, 6.14], false),
];

/// What becomes of a scene's named places: the way in words, what was expected, what was found.
pub fn find(name: &str, mesh: &NavMesh, ground: &GroundConfig) -> Vec<(String, bool, String)> {
    let body = Body { step: ground.step, max_gap: ground.max_gap, ..Body::default() };
    let (finder, config, mut scratch) = (PathFinder::new(mesh), locate_config(ground), PathScratch::new());
    let pairs = SCENES.iter().filter(|scene| scene.0 == name).flat_map(|scene| scene.1);
    pairs
        .map(|&(words, from, to, expected)| {
            let [from, to] = [from, to].map(DVec3::from_array);
            let found = match finder.find_for(&body, from, to, &config, &mut scratch) {
                Ok(path) => {
                    let strides = path.strides(mesh);
                    let steps = strides.iter().filter(|stride| stride.width == 0.0).count();
                    let gaps = strides.len() - steps;
                    format!("yes: {:.2} m, {steps} steps, {gaps} gaps", path.length)
                }
                Err(why) => format!("no: {why}"),
            };
            (words.to_owned(), expected, found)
        })
        .collect()
}
