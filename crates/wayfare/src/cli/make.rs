//! From what a file holds to a floor plan and a mesh: what `bake`, `draw`, `export` and `info` share.

use super::{input::Product, settings::Settings};
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use wayfare::{
    core::{Context, RepairReport},
    floor::{FloorPlan, ScenePlan, build_plan, plan_scene},
    navmesh::{Accelerator, AcceleratorConfig, NavMesh},
};

/// A floor plan, and what was done to make it.
pub struct MadePlan {
    pub plan: FloorPlan,
    pub repair: RepairReport,
    pub notes: Vec<String>,
}

/// The floor plan of whatever has one.
pub fn make_plan(product: Product, path: &Path, settings: &Settings, context: &Context) -> Result<MadePlan> {
    let name = || path.display().to_string();
    Ok(match product {
        Product::Plan(plan) => MadePlan { plan, repair: RepairReport::default(), notes: Vec::new() },
        Product::Source(source) => {
            let (plan, repair) = build_plan(&source, context).with_context(name)?;
            MadePlan { plan, repair, notes: source.notes }
        }
        Product::Scene(scene) => {
            let made = plan_scene(&scene, &settings.ground_config()?, context);
            let ScenePlan { plan, notes } = made.with_context(name)?;
            let notes = scene.notes.into_iter().chain(notes).collect();
            MadePlan { plan, repair: scene.repair, notes }
        }
        Product::Mesh(_) => bail!("{} is already a navigation mesh", path.display()),
    })
}

/// Stores what speeds up searches with a mesh that is large enough to gain from it.
pub fn add_search_tables(mesh: &mut NavMesh, threads: Option<u16>) {
    let threads = threads.map_or(0, usize::from);
    let config = AcceleratorConfig { threads, ..AcceleratorConfig::default() };
    mesh.set_accelerator(Accelerator::build_with(mesh, &config));
}
