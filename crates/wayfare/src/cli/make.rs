//! From what a file holds to a floor plan and a mesh: what `bake`, `draw`, `export` and `info` share.

use super::{
    input::Product,
    no_ground::with_what_was_read,
    reach_hint::reach_hints,
    settings::Settings,
    summary::{component_areas, count},
    up_hint::up_hint,
};
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use wayfare::{
    bake::{BakeError, ClearanceError, build_clearance},
    core::{Context, DVec2, MAX_COORDINATE, RepairReport},
    floor::{
        FloorPlan, GroundConfig, Method, PlanError, ScenePlan, build_plan,
        exact::{plan_exact, plan_exact_plainly},
        voxel::{SceneFloors, find_scene_floors, plan_floors},
    },
    navmesh::{Accelerator, AcceleratorConfig, Features, LocateConfig, NavMesh},
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
fn no_floors(
    cause: PlanError,
    scene: &Scene,
    path: &Path,
    settings: &Settings,
    context: &Context,
) -> anyhow::Error {
    let mut notes = scene.notes.clone();
    if let PlanError::NothingWalkable { .. } = cause {
        notes.extend(reach_hints(scene, settings, context));
    }
    notes.extend(up_hint(scene, path, settings, || 0.0));
    with_what_was_read(cause, &scene.repair, &notes).context(path.display().to_string())
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
            let (plan, repair) = build_plan(&source, context)
                .map_err(|cause| with_what_was_read(cause, &source.repair, &source.notes).context(name()))?;
            MadePlan { plan, repair, notes: source.notes, floors: None }
        }
        Product::Scene(scene) if settings.ground_config()?.method == Method::Exact => {
            let planned = plan_exact(&scene, &settings.ground_config()?, context);
            exact_plan(scene, planned, path, settings, context)?
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
///
/// Where gaps spoil the mesh of an exact plan or its clearance, both are made without them, and where steps spoil the mesh, with these as
/// even ground; a note says why.
pub fn make_mesh(
    product: Product,
    path: &Path,
    settings: &Settings,
    keep_floors: bool,
    context: &Context,
    cut: impl Fn(&FloorPlan) -> Result<NavMesh, BakeError>,
    clear: impl Fn(&mut NavMesh) -> Result<Option<String>>,
) -> Result<(MadePlan, NavMesh)> {
    let name = || path.display().to_string();
    let config = settings.ground_config()?;
    let scene = match &product {
        Product::Scene(scene) if config.method == Method::Exact => Some(scene.clone()),
        _ => None,
    };
    let mut made = make_plan(product, path, settings, keep_floors, context)?;
    let mut mesh = cut(&made.plan);
    let without_gaps =
        |scene: &Scene| plan_exact(scene, &GroundConfig { max_gap: 0.0, ..config.clone() }, context);
    let mut has_gaps = config.max_gap > 0.0;
    if let Some(scene) = &scene {
        let mut has_steps = true;
        while let Some(trouble) = trouble_of(&mesh).filter(|_| has_gaps || has_steps) {
            let (planned, what) = if has_gaps {
                (without_gaps(scene), "gaps are left out")
            } else {
                has_steps = false;
                (plan_exact_plainly(scene, &config, context), "steps are taken for even ground")
            };
            has_gaps = false;
            made = exact_plan(scene.clone(), planned, path, settings, context)?;
            made.notes.push(format!("{what}: {trouble}"));
            mesh = cut(&made.plan);
        }
    }
    let mut mesh = mesh.with_context(name)?;
    // Looked at already, so that is cheap; what is wrong in detail, `check` tells.
    let defects = if scene.is_some() { mesh.check().len() } else { 0 };
    if defects > 0 {
        made.notes.push(format!(
            "the mesh does not pass `wayfare check` ({}), so paths on it may be wrong; try --method voxel",
            count(defects, "defect")
        ));
    }
    let Some(trouble) = clear(&mut mesh)? else { return Ok((made, mesh)) };
    // Bodies have a radius: to know their way counts for more than gaps.
    if let Some(scene) = scene.filter(|_| has_gaps) {
        let planned = without_gaps(&scene);
        let mut plain = exact_plan(scene, planned, path, settings, context)?;
        let plain_mesh = cut(&plain.plan);
        if let (None, Ok(mut mesh)) = (trouble_of(&plain_mesh), plain_mesh)
            && clear(&mut mesh)?.is_none()
        {
            plain.notes.push(format!("gaps are left out; with them, {trouble}"));
            return Ok((plain, mesh));
        }
    }
    made.notes.push(trouble);
    Ok((made, mesh))
}

/// What is wrong with a mesh, if its plan is to blame.
fn trouble_of(mesh: &Result<NavMesh, BakeError>) -> Option<String> {
    match mesh {
        Err(BakeError::Cancelled(_)) => None,
        Err(error) => Some(error.to_string()),
        Ok(mesh) => mesh.check().first().map(ToString::to_string),
    }
}

/// An exact plan with what was read of its scene.
fn exact_plan(
    scene: Box<Scene>,
    planned: Result<ScenePlan, PlanError>,
    path: &Path,
    settings: &Settings,
    context: &Context,
) -> Result<MadePlan> {
    let planned = planned.map_err(|cause| no_floors(cause, &scene, path, settings, context))?;
    let mut notes: Vec<String> = scene.notes.iter().cloned().chain(planned.notes).collect();
    notes.extend(up_hint(&scene, path, settings, || {
        component_areas(&planned.plan).into_iter().fold(0.0, f64::max)
    }));
    Ok(MadePlan { plan: planned.plan, repair: scene.repair, notes, floors: None })
}

/// Stores the distances to the boundary with a mesh, for bodies of any radius; if they cannot be made, the mesh is good
/// without, and the note says why.
pub fn add_clearance(mesh: &mut NavMesh, context: &Context) -> Result<Option<String>> {
    match build_clearance(mesh, context) {
        Ok(clearance) => {
            mesh.set_clearance(Some(clearance));
            Ok(None)
        }
        Err(ClearanceError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(error) => Ok(Some(format!("clearance is left out: {}", unsettled(mesh, &error)))),
    }
}

/// Why the distances to the boundary could not be made, as far as it helps: where.
fn unsettled(mesh: &NavMesh, error: &ClearanceError) -> String {
    let at = match error {
        ClearanceError::Disagreement { at, .. } => Some(*at),
        ClearanceError::Endless(feature) => Some(Features::of(mesh).get(*feature).at),
        ClearanceError::TooMany(cell) => {
            let corners: Vec<DVec2> =
                mesh.corners(*cell).map(|corner| mesh.xy(mesh.edge(corner)[0])).collect();
            Some(corners.iter().sum::<DVec2>() / corners.len().max(1) as f64)
        }
        _ => None,
    };
    let place = at.map_or_else(String::new, |at| {
        // A place on the boundary lies beside its cells by rounding.
        let anywhere = LocateConfig { snap: 4.0 * MAX_COORDINATE, ..LocateConfig::default() };
        let height = mesh.locate(at.extend(0.0), &anywhere).map_or(0.0, |place| place.point.z);
        format!(" near ({:.3}, {:.3}, {height:.3})", at.x, at.y)
    });
    format!("the distances to walls{place} could not be settled")
}

/// Stores what speeds up searches with a mesh that is large enough to gain from it.
pub fn add_search_tables(mesh: &mut NavMesh, threads: Option<u16>) {
    let threads = threads.map_or(0, usize::from);
    let config = AcceleratorConfig { threads, ..AcceleratorConfig::default() };
    mesh.set_accelerator(Accelerator::build_with(mesh, &config));
}
