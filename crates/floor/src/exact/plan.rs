//! A scene to a floor plan by exact geometry, from the first stage to the last.

use super::{
    assemble::{Assembled, Parts, assemble},
    clean::clean,
    layers::find_layers,
    select::{remove_inside, select},
    surface::WalkableSurface,
    walkable::find_walkable_by,
};
use crate::{
    FloorPlan, GroundConfig, PlanError, Reach, Region, ScenePlan,
    gaps::{GapConfig, find_gaps, with_gaps},
    voxel::obstacles::triangle_tree,
};
use wayfare_core::{Context, Id as _};
use wayfare_geom::{
    bvh::Bvh,
    validate::{RingSet, sweep_rings_with_thin_walls},
};
use wayfare_scene::Scene;

/// How often corners on straight lines that are in the way of others are left as they are, before all are.
const TRIES: usize = 6;

/// The walkable surface that a plan is made of: what is kept of it; and what was left out and why.
pub fn find_surface(
    scene: &Scene,
    config: &GroundConfig,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    let (surface, mut notes) = find_whole(scene, &triangle_tree(scene), config, context)?;
    let surface = select(surface, config, &mut notes)?;
    Ok((surface, notes))
}

/// All of the walkable surface but what lies inside of solids.
fn find_whole(
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    let (surface, mut notes) = find_walkable_by(scene, tree, config, context)?;
    let stage = context.stage("selection", 0);
    let surface = clean(surface, config, &mut notes);
    let surface = remove_inside(surface, scene, tree, config, &mut notes);
    drop(stage);
    context.check()?;
    Ok((surface, notes))
}

/// The ground of a scene as a floor plan, by exact geometry; with the gaps that a body steps over, if it does.
pub fn plan_exact(scene: &Scene, config: &GroundConfig, context: &Context) -> Result<ScenePlan, PlanError> {
    let tree = triangle_tree(scene);
    let (surface, mut notes) = find_whole(scene, &tree, config, context)?;
    let gaps = GapConfig::of_ground(config.max_gap, config);
    if config.max_gap > 0.0 && gaps.check().is_err() {
        notes.push("gaps are not looked for: the reach of the body is half of its height or more".into());
    } else if config.max_gap > 0.0 {
        let found = find_gaps(&surface, &scene.mesh, &gaps, context)?;
        let whole = with_gaps(surface.clone(), &found);
        let planned = plan_surface(whole, notes.clone(), scene, &tree, config, context);
        match planned {
            Err(PlanError::Unusable { reason }) => notes.push(format!("gaps are left out: {reason}")),
            planned => return planned,
        }
    }
    plan_surface(surface, notes, scene, &tree, config, context)
}

/// The same without gaps, and with steps as even ground: less is known of the ground, and less can be in each other's way.
pub fn plan_exact_plainly(
    scene: &Scene,
    config: &GroundConfig,
    context: &Context,
) -> Result<ScenePlan, PlanError> {
    let tree = triangle_tree(scene);
    let (mut surface, notes) = find_whole(scene, &tree, config, context)?;
    surface.risers.iter_mut().for_each(|riser| riser.over = 0.0);
    plan_surface(surface, notes, scene, &tree, &GroundConfig { max_gap: 0.0, ..config.clone() }, context)
}

/// The plan of a surface, of what is kept of it.
fn plan_surface(
    surface: WalkableSurface,
    mut notes: Vec<String>,
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
    context: &Context,
) -> Result<ScenePlan, PlanError> {
    let surface = select(surface, config, &mut notes)?;
    let stage = context.stage("layers", 0);
    let layers = find_layers(&surface, context)?;
    drop(stage);
    let _stage = context.stage("plan", 0);
    let mut stays: Vec<bool> = vec![false; 3 * surface.triangles.len()];
    let mut first = None;
    for round in 0..TRIES {
        context.check()?;
        let is_last = round + 1 == TRIES;
        let stays_there = |v: u32| is_last || stays.get(v as usize).copied().unwrap_or(false);
        let made = assemble(Parts::new(&surface, &layers), scene, tree, config, stays_there);
        let Some(defect) = made.plan.check().into_iter().next() else {
            let GroundConfig { step, max_gap, height, .. } = *config;
            let reach = Some(Reach { step, max_gap, height });
            return Ok(ScenePlan { plan: FloorPlan { reach, ..made.plan }, notes });
        };
        first = first.or(Some(defect));
        for vertex in in_the_way(&made) {
            stays.get_mut(vertex as usize).into_iter().for_each(|stays| *stays = true);
        }
    }
    let defect = first.map(|defect| defect.to_string()).unwrap_or_default();
    Err(PlanError::Unusable { reason: format!("the ground of the scene makes no floor plan: {defect}") })
}

/// The parts' vertices on and at edges that meet others where they must not.
fn in_the_way(made: &Assembled) -> Vec<u32> {
    let plan = &made.plan;
    let mut found = Vec::new();
    let mut start = 0;
    for layer in &plan.layers {
        let (mut rings, mut ends) = (RingSet::new(), Vec::new());
        for ring in layer.regions.iter().flat_map(Region::rings) {
            let points = plan.ring_points(ring);
            for (k, &a) in ring.vertices.iter().enumerate() {
                let b = ring.vertices[(k + 1) % points.len()];
                ends.push([a, b].map(|v| made.names[v.index()]));
            }
            rings.push(points);
        }
        for edge in sweep_rings_with_thin_walls(&rings).conflicts.iter().flat_map(|conflict| conflict.edges) {
            found.extend(ends[edge as usize]);
            found.extend(&made.inner[start + edge as usize]);
        }
        start += ends.len();
    }
    found
}
