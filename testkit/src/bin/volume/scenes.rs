//! Shared scenes: regions, coverage, seconds; checked as they are made.

use std::{error::Error, time::Instant};
use wayfare_core::Context;
use wayfare_testkit::{baked, data::scenes::scenes};
use wayfare_volume::{GrowthConfig, VolumeConfig, VolumeMesh, growth, partition};

/// Larger scenes are left out [triangles].
const LARGEST: usize = 60_000;
/// Larger scenes do not grow: regions times what is near them is too much.
const LARGEST_GROWN: usize = 5_000;

pub fn print(name: &str) -> Result<(), Box<dyn Error>> {
    println!(
        "## Scenes\n\nEvery shared level of up to {LARGEST} triangles, cut along its planes, for its own body. *98 %*, *99.5 %*, *99.9 %*: how many \
         of the largest regions hold this share of the free volume. *faults*: of V1, V2 and V4, and of V3 against the triangles. Scenes of up to {LARGEST_GROWN} triangles also by growth, and by growth of boxes.\n\n\
         | scene | triangles | planes | regions | portals | 98 % | 99.5 % | 99.9 % | coverage | components | seconds | faults |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    for shared in scenes().into_iter().filter(|scene| scene.name.contains(name)) {
        let scene = baked::read(&shared)?;
        let triangles = scene.mesh.triangles.len();
        if triangles > LARGEST {
            continue;
        }
        let config = VolumeConfig { radius: shared.body.radius, ..VolumeConfig::default() };
        let begin = Instant::now();
        let (mesh, report) = partition(&scene, &config, &Context::default())
            .map_err(|error| format!("{}: {error}", shared.name))?;
        let seconds = begin.elapsed().as_secs_f64();
        let faults = mesh.check().len() + mesh.check_scene(&scene.mesh).len();
        let count = |share: f64| count(&mesh, share);
        println!(
            "| {} | {triangles} | {} | {} | {} | {} | {} | {} | {:.3} % | {} | {seconds:.2} | {faults} |",
            shared.name,
            report.planes,
            mesh.region_count(),
            mesh.portal_count(),
            count(0.98),
            count(0.995),
            count(0.999),
            100.0 * mesh.coverage(),
            mesh.component_count(),
        );
        if triangles > LARGEST_GROWN {
            continue;
        }
        for (name, boxes_only) in [("grown", false), ("boxes", true)] {
            let growing = GrowthConfig { boxes_only, ..GrowthConfig::default() };
            let begin = Instant::now();
            let (mesh, _) = growth(&scene, &config, &growing, &Context::default())
                .map_err(|error| format!("{}: {error}", shared.name))?;
            let seconds = begin.elapsed().as_secs_f64();
            let faults = mesh.check().len() + mesh.check_scene(&scene.mesh).len();
            println!(
                "| – {name} | | | {} | {} | {} | {} | {} | {:.3} % | {} | {seconds:.2} | {faults} |",
                mesh.region_count(),
                mesh.portal_count(),
                self::count(&mesh, 0.98),
                self::count(&mesh, 0.995),
                self::count(&mesh, 0.999),
                100.0 * mesh.coverage(),
                mesh.component_count(),
            );
        }
    }
    println!();
    Ok(())
}

/// How many of the largest regions hold a share of the free volume.
fn count(mesh: &VolumeMesh, share: f64) -> String {
    mesh.regions_for(share).map_or("–".into(), |count| count.to_string())
}
