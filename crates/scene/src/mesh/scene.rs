//! A scene as it was read: tagged triangles in wayfare's space.

use wayfare_core::{DVec3, MAX_COORDINATE, RepairReport, dvec3};
use wayfare_geom::TriangleMesh;

/// Which axis of a file points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// y, as in glTF and most of OBJ; (x, y, z) becomes (x, −z, y).
    Y,
    /// z, as in wayfare.
    Z,
}

impl Up {
    /// A point of the file in wayfare's space, where z is up.
    pub fn turn(self, p: DVec3) -> DVec3 {
        match self {
            Self::Y => dvec3(p.x, -p.z, p.y),
            Self::Z => p,
        }
    }
}

/// How scenes are read.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneOptions {
    /// The axis that points up; `None` is y. glTF is y up by definition and refuses z.
    pub up: Option<Up>,
    /// Metres per unit of the file; > 0.
    pub scale: f64,
    /// Largest file that is read, after inflating, and largest mesh that the instances of a glTF file may make [bytes].
    pub max_bytes: u64,
}

impl Default for SceneOptions {
    /// y up, metres, files up to 4 GiB.
    fn default() -> Self {
        Self { up: None, scale: 1.0, max_bytes: 4 << 30 }
    }
}

impl SceneOptions {
    /// The reason why these options cannot be used, if there is one.
    pub fn check(&self) -> Result<(), String> {
        // Written so that NaN fails.
        if !(self.scale > 0.0 && self.scale <= MAX_COORDINATE) {
            return Err(format!("scale = {} is outside 0 .. {MAX_COORDINATE:e} m per unit", self.scale));
        }
        Ok(())
    }
}

/// What a file holds: triangles, each with an area tag.
///
/// Coordinates are finite, in metres, z up and at most [`MAX_COORDINATE`] from the origin. Every triangle has three
/// different vertices that do not lie on one line, and no two triangles have the same corners in the same turn; the two
/// sides of a doubled face are two triangles. Vertices at the same place are one vertex, and each is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The triangles, in the order of the file.
    pub mesh: TriangleMesh,
    /// Index into `tag_names`, one per triangle.
    pub tags: Vec<u8>,
    /// Area tags, the names of the materials, sorted; at most [`Scene::MAX_TAGS`]. Triangles without a named material have
    /// the name `""`; so a scene without materials has that single name.
    pub tag_names: Vec<String>,
    /// What was set aside: `degenerate-face` (repeats a vertex or has no area), `duplicate-face`, `non-finite-face`,
    /// `out-of-range-face` (names a vertex that is not there) and `unsplit-polygon` (too many corners); and what is only
    /// worth knowing: `crossing-polygon`. Of polygons that were split, each triangle counts.
    pub repair: RepairReport,
    /// What the reader assumed or left out, in sentences for people.
    pub notes: Vec<String>,
}

impl Scene {
    /// The largest number of tags.
    pub const MAX_TAGS: usize = 64;

    /// A scene without tags, made of triangles in memory; they are taken as they are.
    pub fn from_mesh(mesh: TriangleMesh) -> Self {
        let tags = vec![0; mesh.triangles.len()];
        let repair = RepairReport::default();
        Self { mesh, tags, tag_names: vec![String::new()], repair, notes: Vec::new() }
    }
}
