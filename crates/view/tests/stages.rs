//! Stages of a bake in a show: what the boxes cover, and files that were saved, whole and broken.

use serde_json::Value;
use wayfare_core::{Context, DVec3};
use wayfare_floor::{
    GroundConfig, Pipeline,
    voxel::{SceneFloors, find_scene_floors, lattice::HEIGHT_UNITS},
};
use wayfare_scene::generated::scene_by_name;
use wayfare_view::Show;

fn floors(pipeline: Pipeline) -> SceneFloors {
    let scene = scene_by_name("bridge").expect("a generated scene");
    let config = GroundConfig { pipeline, resolution: 0.2, coarse: 0.8, ..GroundConfig::default() };
    find_scene_floors(&scene, &config, &Context::default()).expect("ground")
}

fn saved(found: &SceneFloors, at: DVec3) -> Vec<u8> {
    let mut show = Show::new("stages", [at; 2]);
    assert_eq!(show.add_floors(&found.floors, &found.layers), Vec::<String>::new());
    show.to_bytes()
}

/// The floats of an array, and the origin of the show.
fn floats(file: &[u8], name: &str) -> (Vec<f32>, [f64; 3]) {
    let length = u32::from_le_bytes(file[8..12].try_into().expect("four bytes")) as usize;
    let about: Value = serde_json::from_slice(&file[12..12 + length]).expect("JSON");
    let number = |key: &str| about["arrays"][name][key].as_u64().expect("a number") as usize;
    let bytes = &file[12 + length + number("at")..][..4 * number("count")];
    let four = |part: &[u8]| f32::from_le_bytes(part.try_into().expect("four bytes"));
    (bytes.chunks(4).map(four).collect(), [0, 1, 2].map(|k| about["origin"][k].as_f64().expect("a number")))
}

#[test]
fn floors_cover_every_pixel_once_at_its_height() {
    let found = floors(Pipeline::Columns);
    let (boxes, origin) = floats(&saved(&found, DVec3::new(3.0, 1.0, 2.0)), "floors.boxes");
    let (lattice, runs) = (&found.floors.lattice, &found.floors.runs);
    assert!(boxes.len() / 7 < runs.runs.len() / 2, "level ground is a few boxes: {}", boxes.len() / 7);
    let mut left: Vec<(u32, u32, f64)> = Vec::new();
    for (number, run) in runs.runs.iter().enumerate() {
        let height = |column| f64::from(runs.height(number as u32, column)) / HEIGHT_UNITS;
        left.extend(
            (run.start..run.end).map(|column| (run.row, column, height(column) + lattice.height(0.0))),
        );
    }
    for numbers in boxes.chunks(7) {
        let [x, y, z, dx, dy, dz, rise] = [0, 1, 2, 3, 4, 5, 6].map(|k| f64::from(numbers[k]));
        assert_eq!(dz, 0.0);
        let side = lattice.resolution();
        let first = lattice.pixel(wayfare_core::dvec2(x + origin[0], y + origin[1])).round();
        let (columns, rows) = ((dx / side).round() as u32, (dy / side).round() as u32);
        for row in first.y as u32..first.y as u32 + rows {
            for k in 0..columns {
                let height = z + origin[2] + rise * (f64::from(k) + 0.5) / f64::from(columns);
                let own = left
                    .iter()
                    .position(|&(r, c, h)| (r, c) == (row, first.x as u32 + k) && (h - height).abs() < 1e-3);
                left.swap_remove(own.expect("the pixel is a floor, at that height, and in no other box"));
            }
        }
    }
    assert_eq!(left, []);
}

#[test]
fn voxels_fill_their_columns() {
    let found = floors(Pipeline::Thesis);
    let stages = found.floors.thesis.as_ref().expect("the thesis's stages");
    let (boxes, _) = floats(&saved(&found, DVec3::ZERO), "voxels.boxes");
    let volume: f64 = boxes.chunks(7).map(|b| b[3..6].iter().map(|&x| f64::from(x)).product::<f64>()).sum();
    let levels: i32 = (0..stages.voxels.places.len() as u32)
        .flat_map(|place| stages.voxels.spans_of(place))
        .map(|span| span.to - span.from)
        .sum();
    let side = stages.voxels.lattice.resolution();
    let expected = f64::from(levels) * side * side * f64::from(stages.voxels.side) / HEIGHT_UNITS;
    assert!((volume / expected - 1.0).abs() < 1e-4, "{volume} {expected}");
    assert!(boxes.len() / 7 >= stages.accessible.voxels.len());
}

#[test]
fn saved_stages_come_back_at_their_place() {
    let file = saved(&floors(Pipeline::Thesis), DVec3::new(100.0, -50.0, 3.0));
    let mut show = Show::new("a map", [DVec3::new(-7.0, 8.0, 9.0); 2]);
    show.add_saved(&file).expect("what was saved");
    let again = show.to_bytes();
    for name in ["floors.boxes", "voxels.boxes"] {
        let ((one, from), (two, to)) = (floats(&file, name), floats(&again, name));
        assert_eq!(one.len(), two.len());
        for (k, (&a, &b)) in one.iter().zip(&two).enumerate() {
            let shift = if k % 7 < 3 { from[k % 7] - to[k % 7] } else { 0.0 };
            assert!((f64::from(a) + shift - f64::from(b)).abs() < 1e-4);
        }
    }
}

#[test]
fn broken_files_of_stages_are_refused() {
    let file = saved(&floors(Pipeline::Columns), DVec3::ZERO);
    let read = |bytes: &[u8]| Show::new("", [DVec3::ZERO; 2]).add_saved(bytes);
    read(&file).expect("whole");
    for length in (0..file.len() - 8).step_by(1 + file.len() / 200) {
        read(&file[..length]).expect_err("cut off");
    }
    assert!(read(b"nothing of the kind").unwrap_err().to_string().contains("no file of stages"));
    // Words of the description, changed in place so that all lengths stay.
    let change = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let at = file.windows(from.len()).position(|part| part == from.as_bytes()).expect(from);
        let mut other = file.clone();
        other[at..at + to.len()].copy_from_slice(to.as_bytes());
        read(&other)
    };
    change("\"origin\"", "\"nigiro\"").expect_err("no origin");
    change("\"u32\"", "\"u64\"").expect_err("another type");
    change("\"at\":0,", "\"at\":4,").expect_err("an array between the places of others");
    change("\"count\":", "\"cuont\":").expect_err("no count");
    // A number that is none.
    let length = u32::from_le_bytes(file[8..12].try_into().expect("four bytes")) as usize;
    let mut other = file.clone();
    other[12 + length..16 + length].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(read(&other).unwrap_err().to_string().contains("no length"));
    // Without any stage it is a show all the same.
    change("floors.layer", "floors.reyal").expect("nothing to add");
}
