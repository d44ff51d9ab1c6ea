//! From what a file holds to a floor plan and a mesh: what `bake`, `draw`, `export` and `info` share.

use super::{
    input::Product,
    no_ground::{Asked, with_what_was_read},
    reach_hint::reach_hints,
    settings::Settings,
    summary::{component_areas, count},
    up_hint::up_hint,
};
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use wayfare::{
    bake::{BakeError, ExactBake, ExactMesh, Unsettled, bake_exact},
    core::{Cancelled, Context, RepairReport},
    floor::{
        FloorPlan, Method, PlanError, ScenePlan, build_plan,
        voxel::{SceneFloors, find_scene_floors, plan_floors},
    },
    navmesh::{Accelerator, AcceleratorConfig, NavMesh},
    scene::Scene,
};

/// A floor plan, and what was done to make it.
pub struct MadePlan {
    pub plan: FloorPlan,
    pub repair: RepairReport,
    pub notes: Vec<String>,
    /// The floors of a scene that the plan was made of, if they are wanted.
    pub floors: Option<SceneFloors>,
}

/// The floors of a scene in layers; the product is given back with them.
pub fn make_floors(
    product: Product,
    path: &Path,
    settings: &Settings,
    context: &Context,
) -> Result<(Box<Scene>, SceneFloors)> {
    let Product::Scene(scene) = product else {
        bail!("only scenes have this stage; {} is {}", path.display(), product.words());
    };
    let config = settings.ground_config()?;
    if config.method == Method::Exact {
        bail!("--method exact has no such stage; it is one of --method voxel");
    }
    let found = find_scene_floors(&scene, &config, context);
    let mut found = found.map_err(|cause| no_floors(cause, &scene, path, settings, context))?;
    found.notes.splice(0..0, scene.notes.iter().cloned());
    Ok((scene, found))
}

/// Why a scene has no floors, with what was read of it.
pub fn no_floors(
    cause: PlanError,
    scene: &Scene,
    path: &Path,
    settings: &Settings,
    context: &Context,
) -> anyhow::Error {
    let mut notes = scene.notes.clone();
    if let PlanError::NoGroundAt { .. } = cause {
        notes.extend(reach_hints(scene, settings, context));
    }
    notes.extend(up_hint(scene, path, settings, || 0.0));
    with_what_was_read(Asked::Mesh, cause, &scene.repair, &notes).context(path.display().to_string())
}

/// The floor plan of whatever has one; with the floors of a scene if they are to be drawn.
pub fn make_plan(
    product: Product,
    path: &Path,
    settings: &Settings,
    keep_floors: bool,
    context: &Context,
) -> Result<MadePlan> {
    let name = || path.display().to_string();
    Ok(match product {
        Product::Plan(plan) => {
            MadePlan { plan, repair: RepairReport::default(), notes: Vec::new(), floors: None }
        }
        Product::Source(source) => {
            let (plan, repair) = build_plan(&source, context).map_err(|cause| {
                with_what_was_read(Asked::Mesh, cause, &source.repair, &source.notes).context(name())
            })?;
            MadePlan { plan, repair, notes: source.notes, floors: None }
        }
        Product::Scene(scene) if settings.ground_config()?.method == Method::Exact => {
            // The plan of which a mesh can be made that holds: it is the one that `bake` makes its mesh of.
            let made = bake_exact(&scene, &settings.ground_config()?, &settings.bake_config()?, context);
            let (planned, note) = made
                .map(|made| (made.planned, made.note))
                .map_or_else(|cause| (Err(cause), None), |(planned, note)| (Ok(planned), note));
            let mut made = exact_plan(&scene, planned, path, settings, context)?;
            made.notes.extend(note);
            made
        }
        Product::Scene(_) => {
            let (scene, mut found) = make_floors(product, path, settings, context)?;
            if !keep_floors {
                // They are large, and from here on only drawn.
                found.floors.thesis = None;
            }
            let plan = plan_floors(&scene, &found, &settings.ground_config()?, context).with_context(name)?;
            let mut notes = std::mem::take(&mut found.notes);
            notes.extend(up_hint(&scene, path, settings, || {
                component_areas(&plan).into_iter().fold(0.0, f64::max)
            }));
            MadePlan { plan, repair: scene.repair, notes, floors: keep_floors.then_some(found) }
        }
        product @ Product::Crowd(_) => {
            bail!("{} is {}; bake the scene of its mesh", path.display(), product.words())
        }
        product @ (Product::Volume(_) | Product::Voxels(_) | Product::Surface(_)) => {
            bail!("{} is {}, which has no ground to walk on; bake its scene", path.display(), product.words())
        }
        Product::Mesh(_) => bail!("{} is already a navigation mesh", path.display()),
    })
}

/// A floor plan and the mesh that `cut` makes of it and to which `clear` adds its clearance, or a note why not.
pub fn make_mesh(
    product: Product,
    path: &Path,
    settings: &Settings,
    keep_floors: bool,
    context: &Context,
    cut: impl Fn(&FloorPlan) -> Result<NavMesh, BakeError>,
    clear: impl Fn(&mut NavMesh) -> Result<Option<Unsettled>, Cancelled>,
) -> Result<(MadePlan, NavMesh)> {
    if let Product::Scene(scene) = &product
        && settings.ground_config()?.method == Method::Exact
    {
        let ground = settings.ground_config()?;
        let made = ExactBake { scene, ground: &ground, context, cut, clear }.make();
        let ExactMesh { planned, mesh, note, defects, unsettled } =
            made.map_err(|cause| no_floors(cause, scene, path, settings, context))?;
        let mut made = exact_plan(scene, Ok(planned), path, settings, context)?;
        made.notes.extend(note);
        if defects > 0 {
            made.notes.push(format!(
                "the mesh does not pass `wayfare check` ({}), so paths on it may be wrong; try --method voxel",
                count(defects, "defect")
            ));
        }
        made.notes.extend(unsettled.map(|unsettled| unsettled.note()));
        return Ok((made, mesh));
    }
    let mut made = make_plan(product, path, settings, keep_floors, context)?;
    let mut mesh = cut(&made.plan).with_context(|| path.display().to_string())?;
    made.notes.extend(clear(&mut mesh)?.map(|unsettled| unsettled.note()));
    Ok((made, mesh))
}

/// An exact plan with what was read of its scene.
pub fn exact_plan(
    scene: &Scene,
    planned: Result<ScenePlan, PlanError>,
    path: &Path,
    settings: &Settings,
    context: &Context,
) -> Result<MadePlan> {
    let planned = planned.map_err(|cause| no_floors(cause, scene, path, settings, context))?;
    let mut notes: Vec<String> = scene.notes.iter().cloned().chain(planned.notes).collect();
    notes.extend(up_hint(scene, path, settings, || {
        component_areas(&planned.plan).into_iter().fold(0.0, f64::max)
    }));
    Ok(MadePlan { plan: planned.plan, repair: scene.repair.clone(), notes, floors: None })
}

/// Stores what speeds up searches with a mesh that is large enough to gain from it.
pub fn add_search_tables(mesh: &mut NavMesh, threads: Option<u16>) {
    let threads = threads.map_or(0, usize::from);
    let config = AcceleratorConfig { threads, ..AcceleratorConfig::default() };
    mesh.set_accelerator(Accelerator::build_with(mesh, &config));
}
