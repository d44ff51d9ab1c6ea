//! Table 1 of the paper: staircases of k steps behind a ramp, by both methods, and by boxes alone.

use crate::path_nodes::path_nodes;
use std::error::Error;
use wayfare_core::{Context, dvec3};
use wayfare_scene::Scene;
use wayfare_testkit::ramp_and_stairs;
use wayfare_volume::{GrowthConfig, VolumeConfig, VolumeMesh, growth, partition};

pub fn print() -> Result<(), Box<dyn Error>> {
    println!(
        "## Stairs\n\nA ramp and k steps in a room (table 1 of Hale and Youngblood 2009; its 5 regions are k = 4). *regions*, with *links* where the \
         portals do not make them a chain, and the share of the free volume that they cover; boxes are the same growth without \
         faces that are not along the axes; path nodes are boxes on the triangles that one can stand on.\n\n\
         | k | partition | growth | boxes | path nodes |\n|--:|---|---|---|---|"
    );
    let context = Context::default();
    for k in 3..=12 {
        let (mesh, bounds) = ramp_and_stairs(k);
        let (nodes, volume) = path_nodes(&mesh, bounds);
        let scene = Scene::from_mesh(mesh);
        let config = VolumeConfig {
            bounds: Some(bounds),
            reach_from: Some(dvec3(1.0, 1.0, 5.0)),
            prune: 0.0,
            ..VolumeConfig::default()
        };
        let boxes = GrowthConfig { boxes_only: true, ..GrowthConfig::default() };
        let cut = partition(&scene, &config, &context)?.0;
        let grown = growth(&scene, &config, &GrowthConfig::default(), &context)?.0;
        let boxes = growth(&scene, &config, &boxes, &context)?.0;
        let share = 100.0 * volume / cut.raw().free_volume;
        println!("| {k} | {} | {} | {} | {nodes}, {share:.1} % |", words(&cut), words(&grown), words(&boxes));
    }
    println!();
    Ok(())
}

fn words(mesh: &VolumeMesh) -> String {
    let most = mesh.regions().map(|region| mesh.portals_of(region).len()).max().unwrap_or(0);
    let is_chain = mesh.portal_count() + 1 == mesh.region_count() && most <= 2;
    let shape = if is_chain { "a chain".into() } else { format!("{} links", mesh.portal_count()) };
    format!("{}, {shape}, {:.3} %", mesh.region_count(), 100.0 * mesh.coverage())
}
