//! What every decomposition is measured by, as a row of a table.

use std::{error::Error, time::Instant};
use wayfare_scene::Scene;
use wayfare_testkit::baked::{forget_peak_memory, peak_memory};
use wayfare_volume::{VolumeError, VolumeMesh, VolumeReport};

/// The columns of [`Measured::row`]; a table may add its own.
pub const HEAD: &str = "| | triangles | planes | regions | portals | 98 % | 99.5 % | 99.9 % | coverage | components | seconds | memory [MB] | faults |";
pub const RULE: &str = "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// A decomposition with what it cost.
pub struct Measured {
    pub mesh: VolumeMesh,
    report: VolumeReport,
    pub seconds: f64,
    /// The most that the whole program held while it was made [bytes].
    memory: Option<u64>,
}

pub fn measured(
    make: impl Fn() -> Result<(VolumeMesh, VolumeReport), VolumeError>,
) -> Result<Measured, Box<dyn Error>> {
    let is_fresh = forget_peak_memory();
    let begin = Instant::now();
    let (mesh, report) = make()?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Measured { mesh, report, seconds, memory: peak_memory().filter(|_| is_fresh) })
}

impl Measured {
    /// Its row, without the end of the line.
    pub fn row(&self, name: &str, scene: &Scene) -> String {
        let Self { mesh, report, seconds, memory } = self;
        let faults = mesh.check().len() + mesh.check_scene(&scene.mesh).len();
        let [two, half, tenth] =
            shares(mesh).map(|count| count.map_or("–".into(), |count| count.to_string()));
        format!(
            "| {name} | {} | {} | {} | {} | {two} | {half} | {tenth} | {:.3} % | {} | {seconds:.2} | {} | {faults} |",
            scene.mesh.triangles.len(),
            report.planes,
            mesh.region_count(),
            mesh.portal_count(),
            100.0 * mesh.coverage(),
            mesh.component_count(),
            memory.map_or("–".into(), |bytes| format!("{:.0}", bytes as f64 / 1e6)),
        )
    }
}

/// How many of the largest regions hold 98, 99.5 and 99.9 % of the free volume.
pub fn shares(mesh: &VolumeMesh) -> [Option<usize>; 3] {
    [0.98, 0.995, 0.999].map(|share| mesh.regions_for(share))
}
