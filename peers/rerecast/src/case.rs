//! The scenes that are compared, and the body that both sides bake for.

use std::error::Error;
use wayfare_core::DVec3;
use wayfare_floor::{Faces, GroundConfig, Keep};
use wayfare_scene::{Scene, generated::scene_by_name};
use wayfare_testkit::{baked, data::scenes::scene_named};

/// Who walks: head room and highest step [m].
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    pub height: f64,
    pub step: f64,
}
/// RecastDemo's body.
pub const DEMO: Walker = Walker { height: 2.0, step: 0.9 };
/// The steepest ground for any body, in degrees.
pub const SLOPE_DEG: f64 = 45.0;
/// Side of a pixel, and height of one of Recast's voxels [m].
pub const RESOLUTION: f64 = 0.1;
pub const CELL_HEIGHT: f64 = 0.1;

/// The scenes that are compared.
pub const SCENES: [&str; 7] =
    ["nav_test", "house", "collision-world", "zdm2", "openarena_oa_dm1", "openarena_kaos2", "terrain-200"];

/// A shared scene with its units and its up axis, or a generated one.
pub fn read(name: &str) -> Result<Scene, Box<dyn Error>> {
    if let Some(scene) = scene_by_name(name) {
        return Ok(scene);
    }
    let shared = scene_named(name).ok_or("the shared data is not there")?;
    Ok(baked::read(&shared)?)
}

/// What ours is asked for: all by default but the body, and that it walks on fronts of faces and leaves floors inside closed
/// solids, as Recast does, which knows nothing of solids.
pub fn ground_config() -> GroundConfig {
    GroundConfig {
        height: DEMO.height,
        step: DEMO.step,
        max_slope: SLOPE_DEG.to_radians(),
        resolution: RESOLUTION,
        remove_inside: false,
        faces: Faces::Front,
        ..GroundConfig::default()
    }
}

/// The same, and only what can be reached from a place.
pub fn reached_from(place: DVec3) -> GroundConfig {
    GroundConfig { keep: Keep::Reachable, reach_from: vec![place], ..ground_config() }
}
