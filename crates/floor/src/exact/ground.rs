//! The walkable ground of a scene, from which floor plans are made: all of it, or with something left out.
//!
//! Idea: some files have features of less than a micrometre, everywhere: what single floats lose of a coordinate. Later stages have to
//!   round the points that they add, and may find no mesh that holds, or no clearance, where such features lie side by side. So the ground
//!   can be had on a coarser grid, on which they are none; and gaps can be left out where they are in the way.
//! Cost: that of its stages; the gaps are looked for once for any number of plans.

use super::{
    clean::clean,
    plan::plan_surface,
    select::{remove_inside, select},
    surface::WalkableSurface,
    walkable::find_walkable_by,
};
use crate::{
    GroundConfig, PlanError, ScenePlan,
    gaps::{GapConfig, GapSurface, find_gaps, with_gaps},
    voxel::obstacles::triangle_tree,
};
use wayfare_core::{Context, DVec2};
use wayfare_geom::bvh::Bvh;
use wayfare_scene::Scene;

/// A place of which the gaps are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearGaps {
    /// The place in plan.
    pub at: DVec2,
    /// How near a gap comes to it, seen from above [m].
    pub within: f64,
}

/// What a plan goes without, where the ground as it is leads to no mesh that holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOut {
    /// No gaps at all.
    pub all_gaps: bool,
    /// No gaps near these places.
    pub near: Vec<NearGaps>,
    /// Steps are taken for even ground: less is known of it, and less can be in each other's way.
    pub steps: bool,
}

/// The ground of a scene, with the gaps that a body steps over.
pub struct ExactGround<'a> {
    scene: &'a Scene,
    config: GroundConfig,
    tree: Bvh,
    surface: WalkableSurface,
    gaps: Option<GapSurface>,
    notes: Vec<String>,
}

impl<'a> ExactGround<'a> {
    /// Finds the ground of a scene. Places are rounded to a grid whose points are no nearer to each other than `spacing` [m]; with 0 to the
    /// finest that there is.
    pub fn find(
        scene: &'a Scene,
        config: &GroundConfig,
        spacing: f64,
        context: &Context,
    ) -> Result<Self, PlanError> {
        let tree = triangle_tree(scene);
        let (surface, mut notes) = find_whole(scene, &tree, config, spacing, context)?;
        let reach = GapConfig::of_ground(config.max_gap, config);
        let mut gaps = None;
        if config.max_gap > 0.0 && reach.check().is_err() {
            notes.push("gaps are not looked for: the reach of the body is half of its height or more".into());
        } else if config.max_gap > 0.0 {
            gaps = Some(find_gaps(&surface, &scene.mesh, &reach, context)?);
        }
        Ok(Self { scene, config: config.clone(), tree, surface, gaps, notes })
    }

    /// Distance of neighbouring points of the grid [m].
    pub fn grid(&self) -> f64 {
        self.surface.grid
    }

    /// How many gaps a plan can have, without the steps of the ground.
    pub fn gap_count(&self) -> usize {
        self.gaps.as_ref().map_or(0, |gaps| gaps.wanted(&[]).iter().filter(|&&is_wanted| is_wanted).count())
    }

    /// How many of them are left out near some places.
    pub fn gaps_near(&self, near: &[NearGaps]) -> usize {
        self.gaps.as_ref().map_or(0, |gaps| {
            let wanted = gaps.wanted(near).into_iter().filter(|&is_wanted| is_wanted).count();
            self.gap_count() - wanted
        })
    }

    /// The floor plan of the ground.
    pub fn plan(&self, without: &LeftOut, context: &Context) -> Result<ScenePlan, PlanError> {
        let mut surface = self.surface.clone();
        if let Some(gaps) = self.gaps.as_ref().filter(|_| !without.all_gaps) {
            surface = if without.near.is_empty() {
                with_gaps(surface, gaps)
            } else {
                with_gaps(surface, &gaps.without(&without.near))
            };
        }
        if without.steps {
            surface.risers.iter_mut().for_each(|riser| riser.over = 0.0);
        }
        let max_gap = if without.all_gaps { 0.0 } else { self.config.max_gap };
        let config = GroundConfig { max_gap, ..self.config.clone() };
        plan_surface(surface, self.notes.clone(), self.scene, &self.tree, &config, context)
    }
}

/// The walkable surface that a plan is made of: what is kept of it; and what was left out and why.
pub fn find_surface(
    scene: &Scene,
    config: &GroundConfig,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    let (surface, mut notes) = find_whole(scene, &triangle_tree(scene), config, 0.0, context)?;
    let surface = select(surface, config, &mut notes)?;
    Ok((surface, notes))
}

/// All of the walkable surface but what lies inside of solids.
fn find_whole(
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
    spacing: f64,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    let (surface, mut notes) = find_walkable_by(scene, tree, config, spacing, context)?;
    let stage = context.stage("selection", 0);
    let surface = clean(surface, config, &mut notes);
    let surface = remove_inside(surface, scene, tree, config, &mut notes);
    drop(stage);
    context.check()?;
    Ok((surface, notes))
}

/// The ground of a scene as a floor plan, by exact geometry; with the gaps that a body steps over, if it does.
pub fn plan_exact(scene: &Scene, config: &GroundConfig, context: &Context) -> Result<ScenePlan, PlanError> {
    let ground = ExactGround::find(scene, config, 0.0, context)?;
    match ground.plan(&LeftOut::default(), context) {
        Err(PlanError::Unusable { reason }) if ground.gaps.is_some() => {
            let mut planned = ground.plan(&LeftOut { all_gaps: true, ..LeftOut::default() }, context)?;
            planned.notes.push(format!("gaps are left out: {reason}"));
            Ok(planned)
        }
        planned => planned,
    }
}
