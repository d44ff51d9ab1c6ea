//! What `info` prints about a volume mesh, and about a voxel map.

use super::summary::{area, coordinate, count, rounded};
use serde::Serialize;
use wayfare::{scene::VoxelMap, volume::VolumeMesh};

/// The keys of `info --json` for a volume mesh.
#[derive(Clone, Debug, Serialize)]
pub struct VolumeSummary {
    pub kind: &'static str,
    pub regions: usize,
    pub portals: usize,
    pub faces: usize,
    /// Of all regions [m³].
    pub volume: f64,
    /// What was to be covered [m³].
    pub free_volume: f64,
    /// The first over the second.
    pub coverage: f64,
    pub components: usize,
    /// Floor that one can stand on [m²].
    pub standing_area: f64,
    /// How many of the largest regions hold this share of the free volume; null if all hold less.
    pub regions_for: RegionsFor,
    pub bounds: [[f64; 3]; 2],
    /// Half of the width of the openings through which free space was joined [m].
    pub radius: f64,
    /// How far corners may lie off their planes [m].
    pub tolerance: f64,
    /// How deep below a region's surface geometry may lie [m].
    pub depth: f64,
}

/// Regions for shares of the free volume.
#[derive(Clone, Debug, Serialize)]
pub struct RegionsFor {
    #[serde(rename = "98%")]
    two: Option<usize>,
    #[serde(rename = "99.5%")]
    half: Option<usize>,
    #[serde(rename = "99.9%")]
    tenth: Option<usize>,
}

impl VolumeSummary {
    pub fn of(mesh: &VolumeMesh) -> Self {
        let raw = mesh.raw();
        let count = |share: f64| mesh.regions_for(share);
        Self {
            kind: "volume",
            regions: mesh.region_count(),
            portals: mesh.portal_count(),
            faces: mesh.face_count(),
            volume: mesh.total_volume(),
            free_volume: raw.free_volume,
            coverage: mesh.coverage(),
            components: mesh.component_count(),
            standing_area: mesh.regions().map(|region| mesh.standing(region)).sum(),
            regions_for: RegionsFor { two: count(0.98), half: count(0.995), tenth: count(0.999) },
            bounds: raw.bounds.map(|corner| corner.to_array()),
            radius: raw.radius,
            tolerance: raw.tolerance,
            depth: raw.depth,
        }
    }

    /// The same for people.
    pub fn words(&self) -> String {
        let [low, high] = self.bounds.map(|corner| corner.map(coordinate).join(", "));
        let component =
            if self.components == 1 { "one piece".into() } else { format!("{} pieces", self.components) };
        format!(
            "volume mesh: {}, {}, {} faces, {component}, from ({low}) to ({high})\n\
             free space: {} m³, {} % of it in regions; {} m² of floor to stand on\n",
            count(self.regions, "region"),
            count(self.portals, "portal"),
            self.faces,
            rounded(self.free_volume, 1),
            rounded(100.0 * self.coverage, 2),
            area(self.standing_area),
        )
    }
}

/// The keys of `info --json` for a voxel map.
#[derive(Clone, Debug, Serialize)]
pub struct VoxelSummary {
    pub kind: &'static str,
    pub size: [u32; 3],
    pub filled: usize,
    pub free: u64,
}

impl VoxelSummary {
    pub fn of(map: &VoxelMap) -> Self {
        Self { kind: "voxels", size: map.size, filled: map.filled.len(), free: map.free_count() }
    }

    /// The same for people.
    pub fn words(&self) -> String {
        let [x, y, z] = self.size;
        format!("voxel map: {x} × {y} × {z}, {} filled, {} free\n", self.filled, self.free)
    }
}
