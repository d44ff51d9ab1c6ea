//! The shared 3D scenes with their units, up axes and bodies that fit into them.
//!
//! What the list of the shared data states is taken from there; what it leaves open is chosen here, with the reason.

use super::{files_below, shared_data};
use std::path::PathBuf;
use wayfare_core::{DVec3, dvec3};

/// The axis of a file that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpAxis {
    /// (x, y, z) of the file is (x, −z, y).
    Y,
    /// As it is.
    Z,
}

/// A body that is at home in a scene, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneBody {
    /// Head room it needs [m].
    pub height: f64,
    /// The highest step it takes [m].
    pub step: f64,
    /// The steepest ground it stands on, in degrees.
    pub max_slope_deg: f64,
    /// Half of its width [m].
    pub radius: f64,
}

/// One of the shared scenes.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedScene {
    /// File name without its endings, as `openarena_oa_dm1`.
    pub name: String,
    /// The scene's file.
    pub path: PathBuf,
    /// Metres per unit of the file.
    pub scale: f64,
    /// Which axis points up.
    pub up: UpAxis,
    /// A body that fits.
    pub body: SceneBody,
    /// The things that a game puts into the level; see [`entities`](crate::entities).
    pub entities: Option<PathBuf>,
}

impl SharedScene {
    /// A point of the file in metres, z up.
    pub fn place(&self, p: DVec3) -> DVec3 {
        let turned = match self.up {
            UpAxis::Y => dvec3(p.x, -p.z, p.y),
            UpAxis::Z => p,
        };
        turned * self.scale
    }
}

/// Metres per unit of Quake: an inch.
pub const QUAKE_UNIT: f64 = 0.0254;

/// An adult on foot.
const ADULT: SceneBody = SceneBody { height: 1.8, step: 0.4, max_slope_deg: 45.0, radius: 0.3 };
/// The player of Quake III: 56 units tall, steps of 18, half as wide as 30; stands on faces whose normal has z of 0.7 at least.
const QUAKE_PLAYER: SceneBody = SceneBody {
    height: 56.0 * QUAKE_UNIT,
    step: 18.0 * QUAKE_UNIT,
    // acos(0.7).
    max_slope_deg: 45.572_995_999_194_774,
    radius: 15.0 * QUAKE_UNIT,
};
/// The tower is a doll's house: its own navmesh, drawn by hand, has 0.9 m of head room in many places, and steps of 1/6 m.
const TOWER_DWELLER: SceneBody = SceneBody { height: 0.9, step: 0.25, max_slope_deg: 45.0, radius: 0.15 };

/// The mountain's units are not stated. Its trees are 40 units tall with their trunks; at a quarter of a metre they are firs of 10 m,
/// the ground is 100 m wide and the mountain 46 m high.
const MOUNTAIN_UNIT: f64 = 0.25;

/// All shared scenes by name; empty when the data is not there.
pub fn scenes() -> Vec<SharedScene> {
    let Some(root) = shared_data() else { return Vec::new() };
    let mut scenes = Vec::new();
    for path in files_below(&root, &["scenes"]) {
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let plain = file.strip_suffix(".gz").unwrap_or(file);
        let Some((name, ending @ ("obj" | "glb" | "stl"))) = plain.rsplit_once('.') else { continue };
        let is_quake = name.starts_with("openarena_");
        let is_robot_world = name.starts_with("cpr_") || name.starts_with("aws_");
        let entities = path.with_file_name(format!("{name}.entities.txt"));
        scenes.push(SharedScene {
            name: name.to_owned(),
            scale: match name {
                _ if is_quake => QUAKE_UNIT,
                "mountain_landscape" => MOUNTAIN_UNIT,
                _ => 1.0,
            },
            // Robot worlds and Quake levels are z up; glTF is y up by its specification, and the other OBJ files are by their list.
            up: if is_quake || is_robot_world && ending != "glb" { UpAxis::Z } else { UpAxis::Y },
            body: match name {
                _ if is_quake => QUAKE_PLAYER,
                "tower_big" => TOWER_DWELLER,
                _ => ADULT,
            },
            entities: entities.is_file().then_some(entities),
            path,
        });
    }
    scenes.sort_by(|a, b| a.name.cmp(&b.name));
    scenes
}

/// The shared scene of that name.
pub fn scene_named(name: &str) -> Option<SharedScene> {
    scenes().into_iter().find(|scene| scene.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_scene_is_listed_with_a_body_that_fits_its_units() {
        let all = scenes();
        if all.is_empty() {
            return;
        }
        assert_eq!(all.len(), 34, "32 rows of the list, one of them with three files");
        assert_eq!(all.iter().filter(|scene| scene.entities.is_some()).count(), 14);
        let named = |name: &str| scene_named(name).expect(name);
        assert_eq!((named("cpr_office").up, named("house").up), (UpAxis::Z, UpAxis::Y));
        assert_eq!(named("nav_test").place(dvec3(1., 2., 3.)), dvec3(1., -3., 2.));
        let quake = named("openarena_oa_dm1");
        assert!((quake.body.height - 1.4224).abs() < 1e-12 && quake.up == UpAxis::Z);
        assert!((quake.body.max_slope_deg.to_radians().cos() - 0.7).abs() < 1e-12);
    }
}
