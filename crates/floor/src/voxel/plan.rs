//! A scene to a floor plan by fine columns, from the first stage to the last.

use super::{
    assemble::assemble, contour::find_contours, lattice::Lattice, layers::find_layers, obstacles::Obstacles,
    select::select, simplify::simplify, solids::remove_inside, strips::Strips, sweep,
};
use crate::{FloorPlan, GroundConfig, PlanError};
use wayfare_core::Context;
use wayfare_geom::Aabb2;
use wayfare_scene::Scene;

/// The plan of a scene, and what was decided on the way.
#[derive(Clone, Debug)]
pub struct ScenePlan {
    /// The plan.
    pub plan: FloorPlan,
    /// What was left out and why, in sentences for people.
    pub notes: Vec<String>,
}

/// The ground of a scene as a floor plan.
pub fn plan_scene(scene: &Scene, config: &GroundConfig, context: &Context) -> Result<ScenePlan, PlanError> {
    config.check().map_err(|error| PlanError::Unusable { reason: error.to_string() })?;
    let nothing = |reason: &str| PlanError::NothingWalkable { reason: reason.into() };
    let Some([min, max]) = scene.mesh.bounds() else { return Err(nothing("the scene holds no triangle")) };
    let bounds = Aabb2 { min: min.truncate(), max: max.truncate() };
    let lattice = Lattice::covering(bounds, [min.z, max.z], config.resolution)
        .map_err(|error| PlanError::Unusable { reason: error.to_string() })?;
    let surfaces = sweep::surfaces(scene, config.max_slope);
    if !surfaces.iter().any(|surface| surface.is_walkable) {
        return Err(nothing("no face is flat enough to walk on"));
    }
    let raster = sweep::raster_of(scene, lattice);
    let runs = sweep::find_runs(&raster, &surfaces, config.room(), context)?;
    drop(raster);
    if runs.runs.is_empty() {
        return Err(nothing("no face has head room enough above it"));
    }
    let mut notes = Vec::new();
    let stage = context.stage("selection", 0);
    let runs = remove_inside(runs, scene, &lattice, config, &mut notes);
    let runs = select(runs, &lattice, config, &mut notes)?;
    drop(stage);
    context.check()?;
    let stage = context.stage("layers", 0);
    let layers = find_layers(&runs);
    drop(stage);
    context.check()?;
    let stage = context.stage("contours", 0);
    let strips = Strips::new(&runs, &layers);
    let contours = find_contours(&runs, &strips);
    let obstacles = Obstacles::new(scene, config.height, config.step);
    let contours = simplify(&contours, &lattice, config.simplify, &obstacles, context)?;
    drop(stage);
    let plan = assemble(&contours, &runs, &strips, &lattice, &scene.tag_names, context)?;
    let plan = plan.map_err(|error| PlanError::Unusable { reason: error.to_string() })?;
    debug_assert_eq!(plan.check(), []);
    Ok(ScenePlan { plan, notes })
}
