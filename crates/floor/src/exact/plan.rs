//! The second half of the exact way: from a walkable surface to a floor plan.

use super::{
    assemble::{Assembled, Parts, assemble},
    layers::find_layers,
    select::select,
    surface::WalkableSurface,
};
use crate::{FloorPlan, GroundConfig, PlanError, Reach, Region, ScenePlan};
use wayfare_core::{Context, Id as _};
use wayfare_geom::{
    bvh::Bvh,
    validate::{RingSet, sweep_rings_with_thin_walls},
};
use wayfare_scene::Scene;

/// How often corners on straight lines that are in the way of others are left as they are, before all are.
const TRIES: usize = 6;

/// The plan of a surface, of what is kept of it.
pub(super) fn plan_surface(
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
    // Whether the next round would be as the last one was.
    let mut is_stuck = false;
    // On some ground full of slivers level steps leave a hole in it; then they slope.
    for (level_steps, round) in
        [true, false].into_iter().flat_map(|level| (0..TRIES).map(move |k| (level, k)))
    {
        context.check()?;
        let is_last = round + 1 == TRIES;
        if is_stuck && round > 0 && !is_last {
            continue;
        }
        let stays_there = |v: u32| is_last || stays.get(v as usize).copied().unwrap_or(false);
        let made = assemble(Parts::new(&surface, &layers, level_steps), scene, tree, config, stays_there);
        let Some(defect) = made.plan.check().into_iter().next() else {
            let GroundConfig { step, max_gap, height, .. } = *config;
            let reach = Some(Reach { step, max_gap, height });
            return Ok(ScenePlan { plan: FloorPlan { reach, ..made.plan }, notes });
        };
        first = first.or(Some(defect));
        is_stuck = true;
        for vertex in in_the_way(&made) {
            if let Some(stays) = stays.get_mut(vertex as usize) {
                is_stuck &= std::mem::replace(stays, true);
            }
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
