//! A scene to a floor plan, from the first stage to the last.

use super::{
    assemble::assemble,
    contour::find_contours,
    floors::{Floors, find_floors},
    layers::find_layers,
    obstacles::Obstacles,
    select::select,
    simplify::simplify,
    solids::remove_inside,
    strips::Strips,
    thesis::{ThesisStages, single::kept_flood},
};
use crate::{FloorPlan, GroundConfig, PlanError};
use wayfare_core::Context;
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
    let Floors { lattice, runs, thesis } = find_floors(scene, config, context)?;
    let mut notes: Vec<String> = thesis.iter().map(ThesisStages::summary).collect();
    drop(thesis);
    let stage = context.stage("selection", 0);
    let runs = remove_inside(runs, scene, &lattice, config, &mut notes);
    let runs = select(runs, &lattice, &kept_flood(config), &mut notes)?;
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
