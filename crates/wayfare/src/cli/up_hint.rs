//! Whether a scene looks as if another axis of its file points up.

use super::{
    input::{ending_without_gz, generated_name},
    settings::{Axis, Settings},
};
use std::path::Path;
use wayfare::{core::ops, scene::Scene};

/// A largest piece of ground that is less than this part of what lies flat the other way is suspiciously little.
const LITTLE: f64 = 0.1;
/// So many times more lies flat the other way, if that is the right one. Of 22 public scenes read the right way none has
/// more than 1.1 times, read the wrong way half have more than twice.
const MORE: f64 = 2.0;

/// What to try if hardly anything of the scene can be walked on, and the other axis has more that is flat.
///
/// y and z of a file change places in [`Up`](wayfare::scene::Up), so the other axis is y of the scene in either case.
pub fn up_hint(
    scene: &Scene,
    path: &Path,
    settings: &Settings,
    largest_piece: impl FnOnce() -> f64,
) -> Option<String> {
    let has_one_way =
        generated_name(path).is_some() || ["gltf", "glb"].contains(&ending_without_gz(path).as_str());
    if has_one_way {
        return None;
    }
    let steepest = settings.slope.unwrap_or(45.0).to_radians();
    let least = ops::cos(steepest);
    let (mut flat, mut flat_otherwise) = (0.0, 0.0);
    for [a, b, c] in scene.mesh.all_points() {
        let normal = (b - a).cross(c - a);
        let (length, up, other) = (normal.length(), normal.z.abs(), normal.y.abs());
        flat += if up >= least * length { up / 2.0 } else { 0.0 };
        flat_otherwise += if other >= least * length { other / 2.0 } else { 0.0 };
    }
    if flat_otherwise <= MORE * flat || largest_piece() > LITTLE * flat_otherwise {
        return None;
    }
    let (now, then) = if settings.up == Some(Axis::Z) { ("z", "y") } else { ("y", "z") };
    Some(format!(
        "with {now} up {flat:.1} m² of the faces are flat enough to walk on, with {then} up {flat_otherwise:.1} m²; \
         is it --up {then}?"
    ))
}
