//! One thread against two, on the largest scenes.

use std::{error::Error, time::Instant};
use wayfare_core::Context;
use wayfare_testkit::{baked, data::scenes::scenes};
use wayfare_volume::{VolumeConfig, partition};

/// Scenes that take long.
const SCENES: [&str; 6] = [
    "openarena_oa_dm5",
    "openarena_suspended",
    "snow_field",
    "space_ship_hallway",
    "underwater_scene",
    "zdm2",
];
/// The best of so many runs counts.
const RUNS: usize = 9;

pub fn print() -> Result<(), Box<dyn Error>> {
    println!(
        "## Threads\n\nThe best of {RUNS} runs each, by turns; the files are the same to the bit.\n\n| scene | one thread [s] | two [s] | ratio |\n|---|--:|--:|--:|"
    );
    for shared in scenes().into_iter().filter(|scene| SCENES.contains(&scene.name.as_str())) {
        let scene = baked::read(&shared)?;
        let config = VolumeConfig { radius: shared.body.radius, ..VolumeConfig::default() };
        let mut best = [f64::INFINITY; 2];
        let mut files: [Vec<u8>; 2] = Default::default();
        for _ in 0..RUNS {
            for (k, threads) in [1, 2].into_iter().enumerate() {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                let begin = Instant::now();
                let (mesh, _) = pool.install(|| partition(&scene, &config, &Context::default()))?;
                best[k] = best[k].min(begin.elapsed().as_secs_f64());
                files[k] = mesh.to_bytes();
            }
        }
        if files[0] != files[1] {
            return Err(format!("{}: two threads make another file", shared.name).into());
        }
        println!("| {} | {:.2} | {:.2} | {:.2} |", shared.name, best[0], best[1], best[0] / best[1]);
    }
    println!();
    Ok(())
}
