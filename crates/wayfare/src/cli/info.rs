//! `wayfare info FILE`: counts and quality of any product.

use super::{
    Common,
    answer::Answer,
    crowd_file::CrowdSummary,
    input::Product,
    output::{print, print_json},
    progress,
    read_args::ReadArgs,
    scene_summary::SceneSummary,
    summary::{MeshSummary, PlanSummary, SourceSummary},
    surface_summary::SurfaceSummary,
    volume_summary::{VolumeSummary, VoxelSummary},
};
use anyhow::Result;
use std::path::PathBuf;
use wayfare::floor::build_plan;

/// Say what a file holds: counts, area, quality
#[derive(Debug, clap::Args)]
pub struct Info {
    /// A navigation mesh (.way, .mesh), a floor plan (.wayplan), free space (.wayvol), a saved crowd (.waycrowd), a surface with
    /// charts (.waysurf), a plan file, a voxel map or a scene (a file or generated:NAME)
    file: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
}

impl Info {
    pub fn run(self, common: Common) -> Result<Answer> {
        match self.read.look_at(&self.file)? {
            Product::Scene(scene) => {
                let summary = SceneSummary::of(&scene);
                if common.json { print_json(&summary)? } else { print(&summary.words())? }
            }
            Product::Volume(mesh) => {
                let summary = VolumeSummary::of(&mesh);
                if common.json { print_json(&summary)? } else { print(&summary.words())? }
            }
            Product::Surface(charted) => {
                let summary = SurfaceSummary::of(&charted);
                if common.json { print_json(&summary)? } else { print(&summary.words())? }
            }
            Product::Voxels(map) => {
                let summary = VoxelSummary::of(&map);
                if common.json { print_json(&summary)? } else { print(&summary.words())? }
            }
            Product::Crowd(crowd) => {
                let summary = CrowdSummary::of(&crowd);
                if common.json { print_json(&summary)? } else { print(&summary.words())? }
            }
            Product::Mesh(mesh) => {
                let summary = MeshSummary::of(&mesh);
                if common.json { print_json(&summary)? } else { print(&summary.words())? }
            }
            Product::Plan(plan) => {
                let summary = PlanSummary::of(&plan);
                if common.json { print_json(&summary)? } else { print(&summary.words())? }
            }
            Product::Source(source) => {
                if common.json {
                    let plan = build_plan(&source, &progress::context(common.quiet)).ok();
                    let plan = plan.map(|(plan, _)| PlanSummary::of(&plan));
                    print_json(&SourceSummary::of(&source, plan.as_ref()))?;
                } else {
                    print(&SourceSummary::of(&source, None).words())?;
                }
            }
        }
        Ok(Answer::Yes)
    }
}
