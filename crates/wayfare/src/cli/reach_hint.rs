//! How far the places of `--reach-from` are from the ground, where one of them is not on it.

use super::{settings::Settings, summary::coordinate};
use wayfare::{
    bake::bake,
    core::{Context, DVec3, MAX_COORDINATE},
    floor::{
        GroundConfig, Keep, Method,
        exact::plan_exact,
        voxel::{find_scene_floors, plan_floors},
    },
    navmesh::{LocateConfig, NavMesh},
    scene::Scene,
};

/// A note per place that is not on the ground: how far it is, and where the nearest ground lies. None where there is no ground at all.
///
/// The ground is found once more, all of it this time: nobody waits for it but who was mistaken.
pub fn reach_hints(scene: &Scene, settings: &Settings, context: &Context) -> Vec<String> {
    if settings.reach_from.is_empty() {
        return Vec::new();
    }
    let Some(mesh) = all_ground(scene, settings, context) else { return Vec::new() };
    let places = settings.reach_from.iter().map(|&place| DVec3::from_array(place));
    places.filter_map(|place| hint(&mesh, place)).collect()
}

fn hint(mesh: &NavMesh, place: DVec3) -> Option<String> {
    if mesh.locate(place, &LocateConfig::default()).is_some() {
        return None;
    }
    let anywhere = LocateConfig { snap: 4.0 * MAX_COORDINATE, ..LocateConfig::default() };
    let nearest = mesh.locate(place, &anywhere)?;
    let [place, ground] = [place, nearest.point].map(|p| p.to_array().map(coordinate).join(", "));
    Some(format!(
        "--reach-from ({place}) is {:.3} m from the nearest ground, which is at ({ground})",
        nearest.distance
    ))
}

/// The ground with every piece of it, if there is any.
fn all_ground(scene: &Scene, settings: &Settings, context: &Context) -> Option<NavMesh> {
    let asked = settings.ground_config().ok()?;
    let config = GroundConfig { keep: Keep::All, reach_from: Vec::new(), max_gap: 0.0, ..asked };
    let plan = match config.method {
        Method::Exact => plan_exact(scene, &config, context).ok()?.plan,
        Method::Voxel => {
            let found = find_scene_floors(scene, &config, context).ok()?;
            plan_floors(scene, &found, &config, context).ok()?
        }
    };
    bake(&plan, &settings.bake_config().ok()?, context).ok()
}
