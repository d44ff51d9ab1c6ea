//! The first half of the exact way: from a scene to its walkable surface.

use super::{
    cracks::find_fillers, cuts::find_edges, faces::find_faces, joins::join_faces, patches::find_patches,
    surface::WalkableSurface,
};
use crate::{GroundConfig, PlanError, voxel::obstacles::triangle_tree};
use wayfare_core::Context;
use wayfare_geom::bvh::Bvh;
use wayfare_scene::Scene;

/// The walkable surface of a scene, and what was set aside, in sentences for people. All of it: also what lies inside solids or
/// is too small.
pub fn find_walkable(
    scene: &Scene,
    config: &GroundConfig,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    find_walkable_by(scene, &triangle_tree(scene), config, 0.0, context)
}

/// The same, with the tree of the scene's triangles, on a grid whose points are no nearer to each other than `spacing` [m].
pub(super) fn find_walkable_by(
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
    spacing: f64,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    let ground = find_patches(scene, config, spacing);
    let mut notes = Vec::new();
    if ground.patches.is_empty() {
        let reason = "no face is flat enough to walk on".into();
        return Err(PlanError::NothingWalkable { reason });
    }
    context.check()?;
    let fillers = find_fillers(&ground, config);
    let edges = find_edges(&ground, &fillers, tree, config, context)?;
    let faces = find_faces(&ground, &edges, context)?;
    let faces =
        faces.map_err(|error| PlanError::Unusable { reason: format!("the ground of the scene: {error}") })?;
    let lost = faces.iter().filter(|faces| faces.is_lost).count();
    if lost > 0 {
        notes.push(format!("pieces of ground that could not be cut into triangles, left out: {lost}"));
    }
    let stage = context.stage("joins", 0);
    let surface = join_faces(ground, &faces, config.step);
    drop(stage);
    if surface.triangles.is_empty() {
        return Err(PlanError::NothingWalkable { reason: "there is head room nowhere".into() });
    }
    Ok((surface, notes))
}
