//! The tests of the whole: all in one program, as linking one for each file takes minutes.

#[expect(dead_code, reason = "the tests of the bake use more of it")]
#[path = "../../crates/bake/tests/pixel_surface/mod.rs"]
mod pixel_surface;
mod support;

mod accuracy;
mod along_portals;
mod clearance;
mod clearance_layers;
mod crossings;
mod disc_paths;
mod disc_search;
mod everyday;
mod facts;
mod invariance;
mod layers;
mod ledges;
mod limits;
mod never_too_near;
mod optimal_paths;
mod prefer;
mod ray_check;
mod real_exact;
mod real_paths;
mod scenarios;
mod shared_maps;
mod shrunk_portals;
mod spawns;
mod thesis_pipeline;
mod volume;
mod way_points;
mod zoo;

#[test]
fn every_file_beside_this_one_is_a_part_of_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let files = std::fs::read_dir(folder).expect("the folder of this file");
    for file in files.map(|file| file.expect("a file").path()) {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
        let is_listed = include_str!("all.rs").lines().any(|line| line == format!("mod {name};"));
        assert!(is_listed || name == "all", "add `mod {name};`, or its tests are not run");
    }
}
