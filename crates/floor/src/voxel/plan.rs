//! A scene to a floor plan, from the first stage to the last.

use super::{
    assemble::assemble,
    contour::find_contours,
    floors::{Floors, find_floors},
    layers::{Layers, find_layers},
    obstacles::{Obstacles, triangle_tree},
    select::select,
    settle::settle,
    simplify::simplify,
    solids::{Solids, remove_inside},
    strips::Strips,
    thesis::ThesisStages,
};
use crate::{FloorPlan, GroundConfig, Method, PlanError, exact::plan_exact};
use wayfare_core::Context;
use wayfare_geom::bvh::Bvh;
use wayfare_scene::Scene;

/// The plan of a scene, and what was decided on the way.
#[derive(Clone, Debug)]
pub struct ScenePlan {
    /// The plan.
    pub plan: FloorPlan,
    /// What was left out and why, in sentences for people.
    pub notes: Vec<String>,
}

/// The floors of a scene that are kept, in layers: what a plan is made of.
#[derive(Clone, Debug)]
pub struct SceneFloors {
    /// The floors.
    pub floors: Floors,
    /// Which layer each of their runs is in.
    pub layers: Layers,
    /// The scene's triangles by place.
    pub tree: Bvh,
    /// What was left out and why, in sentences for people.
    pub notes: Vec<String>,
}

/// The ground of a scene as a floor plan, by the way that the configuration says.
pub fn plan_scene(scene: &Scene, config: &GroundConfig, context: &Context) -> Result<ScenePlan, PlanError> {
    if config.method == Method::Exact {
        return plan_exact(scene, config, context);
    }
    let mut found = find_scene_floors(scene, config, context)?;
    found.floors.thesis = None;
    let plan = plan_floors(scene, &found, config, context)?;
    Ok(ScenePlan { plan, notes: found.notes })
}

/// The first half of [`plan_scene`]: to floors in layers.
pub fn find_scene_floors(
    scene: &Scene,
    config: &GroundConfig,
    context: &Context,
) -> Result<SceneFloors, PlanError> {
    let by_place = || (Solids::of(scene), triangle_tree(scene));
    let (floors, (solids, tree)) = rayon::join(|| find_floors(scene, config, context), by_place);
    let Floors { lattice, runs, surfaces, thesis } = floors?;
    let mut notes: Vec<String> = thesis.iter().map(ThesisStages::summary).collect();
    let stage = context.stage("selection", 0);
    let runs = remove_inside(runs, &solids, &tree, &lattice, config, &mut notes);
    let runs = select(runs, &lattice, config, &mut notes)?;
    drop(stage);
    context.check()?;
    let stage = context.stage("layers", 0);
    let layers = find_layers(&runs, context)?;
    drop(stage);
    context.check()?;
    Ok(SceneFloors { floors: Floors { lattice, runs, surfaces, thesis }, layers, tree, notes })
}

/// The second half of [`plan_scene`]: from floors in layers to their plan.
pub fn plan_floors(
    scene: &Scene,
    found: &SceneFloors,
    config: &GroundConfig,
    context: &Context,
) -> Result<FloorPlan, PlanError> {
    let Floors { lattice, runs, surfaces, .. } = &found.floors;
    let stage = context.stage("contours", 0);
    let strips = Strips::new(runs, &found.layers);
    let contours = find_contours(runs, &strips);
    let obstacles = Obstacles::new(scene, &found.tree, surfaces, config);
    let simplified = simplify(&contours, lattice, config.simplify, &obstacles, context)?;
    let contours = settle(&simplified, runs, &found.layers, lattice, &obstacles, context)?;
    drop(stage);
    let plan =
        assemble(&contours, runs, &strips, lattice, config.step, &obstacles, &scene.tag_names, context)?;
    let plan = plan.map_err(|error| PlanError::Unusable {
        reason: format!("the ground of the scene cannot be cut into triangles: {error}"),
    })?;
    debug_assert_eq!(plan.check(), []);
    Ok(plan)
}
