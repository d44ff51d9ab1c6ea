//! Players of the shared levels appear over cells of the mesh.

use rayon::prelude::*;
use wayfare_bake::BakeConfig;
use wayfare_navmesh::LocateConfig;
use wayfare_testkit::{
    RayCheck, baked,
    data::scenes::{SharedScene, scenes},
    entities::spawn_points,
};

/// Those that stand are within a step of a cell; those that hang in the air fall onto one.
#[test]
fn every_spawn_point_is_over_a_cell() {
    let levels: Vec<SharedScene> = scenes().into_iter().filter(|scene| scene.entities.is_some()).collect();
    let look = |shared: &SharedScene| {
        let scene = baked::read(shared).unwrap_or_else(|error| panic!("{error}"));
        let ground = baked::ground_config(&shared.body);
        let mesh =
            baked::bake_scene(&scene, &ground, &BakeConfig::default()).expect("the level is walkable").mesh;
        let rays = RayCheck::new(scene.mesh.all_points(), baked::ray_body(&ground));
        let mut counts = [0; 2];
        let mut missing = Vec::new();
        for spawn in spawn_points(shared) {
            let fall = rays.ground_below(spawn.origin).map_or(f64::INFINITY, |z| spawn.feet.z - z);
            let hangs = fall > ground.step;
            let reach = if hangs { fall + ground.step } else { ground.step };
            // One stands exactly on the rim of its floor, and boundaries lie a 32nd of a pixel inside.
            let config = LocateConfig { snap: ground.resolution / 16.0, height: reach, step: ground.step };
            if mesh.locate(spawn.feet, &config).is_none() {
                missing.push(format!("{}: {spawn:?}", shared.name));
            }
            counts[usize::from(hangs)] += 1;
        }
        (counts, missing)
    };
    let found: Vec<([usize; 2], Vec<String>)> = levels.par_iter().map(look).collect();
    let missing: Vec<&String> = found.iter().flat_map(|(_, missing)| missing).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let sum = |k: usize| found.iter().map(|(counts, _)| counts[k]).sum::<usize>();
    assert!(levels.is_empty() || [sum(0), sum(1)] == [310, 32], "{} stand, {} hang", sum(0), sum(1));
}
