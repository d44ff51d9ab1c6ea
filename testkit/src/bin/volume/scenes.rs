//! Shared scenes: regions, coverage, seconds; checked as they are made.

use crate::measure::{HEAD, RULE, measured};
use std::error::Error;
use wayfare_core::Context;
use wayfare_testkit::{baked, data::scenes::scenes};
use wayfare_volume::{GrowthConfig, VolumeConfig, growth, partition};

/// Larger scenes are left out [triangles].
const LARGEST: usize = 60_000;
/// Larger scenes do not grow: regions times what is near them is too much.
const LARGEST_GROWN: usize = 2_000;
/// Seeds of boxes along the longest side of a scene; pockets narrower than a twentieth of their distance are left.
const BOX_SEEDS: f64 = 8.0;

pub fn print(name: &str) -> Result<(), Box<dyn Error>> {
    println!(
        "## Scenes\n\nEvery shared level of up to {LARGEST} triangles, cut along its planes, for its own body. *98 %*, *99.5 %*, *99.9 %*: how many \
         of the largest regions hold this share of the free volume. *memory*: the most that the whole program held. *faults*: of V1, V2 and V4, \
         and of V3 against the triangles. Scenes of up to {LARGEST_GROWN} triangles also by growth, and by growth of boxes from {BOX_SEEDS} seeds along the \
         longest side, which leaves pockets narrower than a twentieth of their distance.\n\n{HEAD}\n{RULE}"
    );
    for shared in scenes().into_iter().filter(|scene| scene.name.contains(name)) {
        let scene = baked::read(&shared)?;
        let triangles = scene.mesh.triangles.len();
        if triangles > LARGEST {
            continue;
        }
        let config = VolumeConfig { radius: shared.body.radius, ..VolumeConfig::default() };
        let context = Context::default();
        let failed = |error: Box<dyn Error>| format!("{}: {error}", shared.name);
        println!(
            "{}",
            measured(|| partition(&scene, &config, &context)).map_err(failed)?.row(&shared.name, &scene)
        );
        if triangles > LARGEST_GROWN {
            continue;
        }
        for (name, boxes_only) in [("grown", false), ("boxes", true)] {
            let size = scene.mesh.bounds().map_or(1.0, |[low, high]| (high - low).max_element());
            let seed_size = boxes_only.then_some(size / BOX_SEEDS);
            let growing = GrowthConfig { boxes_only, seed_size, ..GrowthConfig::default() };
            let grown = measured(|| growth(&scene, &config, &growing, &context)).map_err(failed)?;
            println!("{}", grown.row(&format!("– {name}"), &scene));
        }
    }
    println!();
    Ok(())
}
