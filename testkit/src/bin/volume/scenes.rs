//! Shared scenes: regions, coverage, seconds; checked as they are made.

use crate::measure::{HEAD, RULE, measured};
use std::error::Error;
use wayfare_core::Context;
use wayfare_testkit::{baked, data::scenes::scenes};
use wayfare_volume::{GrowthConfig, VolumeConfig, growth, partition};

/// Larger scenes are left out [triangles].
const LARGEST: usize = 60_000;
/// Scenes that grow, too, in seconds: of slanted ground, and where there are more triangles, growth takes minutes.
const GROWN: [&str; 7] = [
    "bridge",
    "collision-world",
    "cpr_obstacle_world",
    "aws_small_house",
    "cpr_office",
    "cpr_office_construction",
    "house",
];
/// Of these the first also by boxes, which take ten times as long as regions with faces.
const BOXES: usize = 3;
/// Boxes grow until they cover this share: where surfaces are aslant they would never end.
const BOXED: f64 = 0.98;

pub fn print(name: &str) -> Result<(), Box<dyn Error>> {
    println!(
        "## Scenes\n\nEvery shared level of up to {LARGEST} triangles, cut along its planes, for its own body. *98 %*, *99.5 %*, *99.9 %*: how many \
         of the largest regions hold this share of the free volume. *memory*: the most that the whole program held. *faults*: of V1, V2 and V4, \
         and of V3 against the triangles. {} scenes also by growth, {BOXES} by growth of boxes, which ends when they hold {} % of the free volume. \
         Scenes that take long are measured on one thread and on two below.\n\n{HEAD}\n{RULE}",
        GROWN.len(),
        100.0 * BOXED
    );
    for shared in scenes().into_iter().filter(|scene| scene.name.contains(name)) {
        let scene = baked::read(&shared)?;
        let triangles = scene.mesh.triangles.len();
        if triangles > LARGEST {
            continue;
        }
        let config = VolumeConfig { radius: shared.body.radius, ..VolumeConfig::default() };
        let context = Context::default();
        match measured(|| partition(&scene, &config, &context)) {
            Ok(cut) => println!("{}", cut.row(&shared.name, &scene)),
            Err(reason) => {
                println!("| {} | {triangles} | | | | | | | {reason} | | | | |", shared.name);
                continue;
            }
        }
        for (name, boxes_only) in [("grown", false), ("boxes", true)] {
            let which = if boxes_only { &GROWN[..BOXES] } else { &GROWN };
            if !which.contains(&shared.name.as_str()) {
                continue;
            }
            let enough = if boxes_only { BOXED } else { 1.0 };
            let growing = GrowthConfig { boxes_only, enough, ..GrowthConfig::default() };
            match measured(|| growth(&scene, &config, &growing, &context)) {
                Ok(grown) => println!("{}", grown.row(&format!("– {name}"), &scene)),
                Err(reason) => println!("| – {name} | {triangles} | | | | | | | {reason} | | | | |"),
            }
        }
    }
    println!();
    Ok(())
}
