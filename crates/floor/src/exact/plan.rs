//! A scene to a floor plan by exact geometry, from the first stage to the last.

use super::{
    assemble::{Parts, assemble},
    layers::find_layers,
    select::select,
    surface::WalkableSurface,
    walkable::find_walkable_by,
};
use crate::{FloorPlan, GroundConfig, PlanError, ScenePlan, voxel::obstacles::triangle_tree};
use wayfare_core::Context;
use wayfare_scene::Scene;

/// How far each side of a wall without thickness moves in a plan [units of the grid]; tried one after the other. After noding
/// hardly anything is closer together than half a unit; far from the origin parts of a unit may be nothing.
const WIDTHS: [f64; 6] = [0.5, 0.25, 0.125, 2.0, 8.0, 64.0];

/// The walkable surface that a plan is made of: what is kept of it; and what was left out and why.
pub fn find_surface(
    scene: &Scene,
    config: &GroundConfig,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    let tree = triangle_tree(scene);
    let (surface, mut notes) = find_walkable_by(scene, &tree, config, context)?;
    let stage = context.stage("selection", 0);
    let surface = select(surface, scene, &tree, config, &mut notes)?;
    drop(stage);
    context.check()?;
    Ok((surface, notes))
}

/// The ground of a scene as a floor plan, by exact geometry.
pub fn plan_exact(scene: &Scene, config: &GroundConfig, context: &Context) -> Result<ScenePlan, PlanError> {
    let (surface, mut notes) = find_surface(scene, config, context)?;
    let stage = context.stage("layers", 0);
    let layers = find_layers(&surface, context)?;
    drop(stage);
    if layers.lost_joins > 0 {
        notes.push(format!("joins of ground that would lie on other edges, given up: {}", layers.lost_joins));
    }
    let _stage = context.stage("plan", 0);
    let tree = triangle_tree(scene);
    let mut first = None;
    for width in WIDTHS {
        context.check()?;
        let plan: FloorPlan =
            assemble(Parts::new(&surface, &layers), scene, &tree, config, width * surface.grid);
        match plan.check().into_iter().next() {
            None => return Ok(ScenePlan { plan, notes }),
            Some(defect) => first = first.or(Some(defect)),
        }
    }
    let defect = first.map(|defect| defect.to_string()).unwrap_or_default();
    Err(PlanError::Unusable { reason: format!("the ground of the scene makes no floor plan: {defect}") })
}
