//! One thread against two, on the largest scenes: by the clock, and by what the busiest thread computed, which other programs on the
//! machine do not change.

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

pub fn print(name: &str) -> Result<(), Box<dyn Error>> {
    println!(
        "## Threads\n\nThe best of {RUNS} runs each, by turns; the files are the same to the bit. *busiest*: the processor time of the thread that computed most, without \
         what other programs took.\n\n| scene | triangles | one thread [s] | two [s] | ratio | busiest of one [s] | of two [s] | ratio |\n|---|--:|--:|--:|--:|--:|--:|--:|"
    );
    for shared in scenes()
        .into_iter()
        .filter(|scene| SCENES.contains(&scene.name.as_str()) && scene.name.contains(name))
    {
        let scene = baked::read(&shared)?;
        let config = VolumeConfig { radius: shared.body.radius, ..VolumeConfig::default() };
        let (mut best, mut busiest) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
        let mut files: [Vec<u8>; 2] = Default::default();
        for _ in 0..RUNS {
            for (k, threads) in [1, 2].into_iter().enumerate() {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                let begin = Instant::now();
                let (mesh, _) = pool.install(|| partition(&scene, &config, &Context::default()))?;
                best[k] = best[k].min(begin.elapsed().as_secs_f64());
                // The pool's threads are as old as the run.
                busiest[k] =
                    busiest[k].min(pool.broadcast(|_| thread_seconds()).into_iter().fold(0.0, f64::max));
                files[k] = mesh.to_bytes();
            }
        }
        if files[0] != files[1] {
            return Err(format!("{}: two threads make another file", shared.name).into());
        }
        println!(
            "| {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            shared.name,
            scene.mesh.triangles.len(),
            best[0],
            best[1],
            best[0] / best[1],
            busiest[0],
            busiest[1],
            busiest[0] / busiest[1]
        );
    }
    println!();
    Ok(())
}

/// What this thread has computed since it began [s]; NaN where the system does not tell.
fn thread_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds =
        told.and_then(|text| text.split_whitespace().next().and_then(|first| first.parse::<f64>().ok()));
    nanoseconds.map_or(f64::NAN, |nanoseconds| nanoseconds * 1e-9)
}
