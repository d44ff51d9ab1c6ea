//! What `info` prints about a scene.

use super::summary::{RepairSummary, area, coordinate, count, repair_words, repairs};
use serde::Serialize;
use std::fmt::Write as _;
use wayfare::{
    floor::{GroundConfig, voxel::solids::closed_parts},
    scene::Scene,
};

/// The keys of `info --json` for a scene.
#[derive(Clone, Debug, Serialize)]
pub struct SceneSummary {
    pub kind: &'static str,
    pub triangles: usize,
    pub vertices: usize,
    /// Lowest and highest corner of the box; null for a scene without triangles.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Of all faces, as they lie in space [m²].
    pub surface_area: f64,
    /// In plan, of the faces that are flat enough to walk on, seen from either side [m²].
    pub walkable_area: f64,
    pub tags: Vec<String>,
    /// Parts whose faces close them: what lies inside is no ground.
    pub closed_parts: usize,
    pub repair: Vec<RepairSummary>,
    pub notes: Vec<String>,
}

impl SceneSummary {
    pub fn of(scene: &Scene) -> Self {
        let steepest = GroundConfig::default().max_slope;
        let least_up = wayfare::core::ops::cos(steepest);
        let (mut surface_area, mut walkable_area) = (0.0, 0.0);
        for [a, b, c] in scene.mesh.all_points() {
            // Twice the area long.
            let normal = (b - a).cross(c - a);
            let (double, double_in_plan) = (normal.length(), normal.z.abs());
            surface_area += double / 2.0;
            if double_in_plan >= least_up * double {
                walkable_area += double_in_plan / 2.0;
            }
        }
        let mut parts: Vec<u32> = closed_parts(scene).into_iter().flatten().collect();
        parts.sort_unstable();
        parts.dedup();
        Self {
            kind: "scene",
            triangles: scene.mesh.triangles.len(),
            vertices: scene.mesh.vertices.len(),
            bounds: scene.mesh.bounds().map(|corners| corners.map(|corner| corner.to_array())),
            surface_area,
            walkable_area,
            tags: if scene.tag_names == [""] { Vec::new() } else { scene.tag_names.clone() },
            closed_parts: parts.len(),
            repair: repairs(&scene.repair),
            notes: scene.notes.clone(),
        }
    }

    /// The same for people.
    pub fn words(&self) -> String {
        let mut out =
            format!("scene: {}, {}", count(self.triangles, "triangle"), count(self.vertices, "vertex"));
        // Writing to a string cannot fail.
        if let Some(corners) = self.bounds {
            let [low, high] = corners.map(|corner| corner.map(coordinate).join(", "));
            let _ = write!(out, ", from ({low}) to ({high})");
        }
        let _ = writeln!(
            out,
            "\nfaces: {} m², of which {} m² in plan are flat enough to walk on; {}",
            area(self.surface_area),
            area(self.walkable_area),
            count(self.closed_parts, "closed part"),
        );
        if !self.tags.is_empty() {
            let _ = writeln!(out, "tags: {}", self.tags.join(", "));
        }
        for note in &self.notes {
            let _ = writeln!(out, "note: {note}");
        }
        out.push_str(&repair_words(&self.repair));
        out
    }
}
