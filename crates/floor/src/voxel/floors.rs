//! Triangles to the floors of fine columns, by the pipeline that is asked for.

use super::{
    columns::Surface,
    lattice::Lattice,
    runs::Runs,
    sweep,
    thesis::{ThesisStages, find_stages, single},
};
use crate::{GroundConfig, LayerMode, Pipeline, PlanError};
use wayfare_core::Context;
use wayfare_geom::Aabb2;
use wayfare_scene::Scene;

/// All floors of a scene.
#[derive(Clone, Debug)]
pub struct Floors {
    /// The pixels.
    pub lattice: Lattice,
    /// The floors as runs of pixels.
    pub runs: Runs,
    /// What each triangle of the scene is to a walker.
    pub surfaces: Vec<Surface>,
    /// How they were found, if by the thesis's pipeline.
    pub thesis: Option<ThesisStages>,
}

/// The floors of a scene, before any is left out.
pub fn find_floors(scene: &Scene, config: &GroundConfig, context: &Context) -> Result<Floors, PlanError> {
    config.check().map_err(|error| PlanError::Unusable { reason: error.to_string() })?;
    let nothing = |reason: &str| PlanError::NothingWalkable { reason: reason.into() };
    let Some([min, max]) = scene.mesh.bounds() else { return Err(nothing("the scene holds no triangle")) };
    let bounds = Aabb2 { min: min.truncate(), max: max.truncate() };
    let lattice = Lattice::covering(bounds, [min.z, max.z], config.resolution)
        .map_err(|error| PlanError::Unusable { reason: error.to_string() })?;
    let surfaces = sweep::surfaces(scene, config.max_slope, config.faces);
    if !surfaces.iter().any(|surface| surface.is_walkable) {
        return Err(nothing("no face is flat enough to walk on"));
    }
    let raster = sweep::raster_of(scene, lattice);
    let room = config.room();
    let mut thesis = None;
    let runs = match (config.layer_mode, config.pipeline) {
        (LayerMode::Many, Pipeline::Columns) => sweep::find_runs(&raster, &surfaces, room, context)?,
        (LayerMode::Many, Pipeline::Thesis) => {
            let stages = thesis.insert(find_stages(scene, &raster, &surfaces, config, context)?);
            stages.find_runs(&raster, &surfaces, room, context)?
        }
        (LayerMode::Single, _) => {
            let keep_top = |_, row: &mut _| single::keep_top(row);
            sweep::find_runs_with(&raster, &surfaces, room, context, keep_top)?
        }
    };
    if runs.runs.is_empty() {
        return Err(nothing("no face has head room enough above it"));
    }
    Ok(Floors { lattice, runs, surfaces, thesis })
}
