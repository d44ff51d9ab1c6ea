//! Opening files: what a file is, its content decides, its name only where the content does not.

use super::{output::ending, scale_hint::scale_hint, settings::Settings};
use anyhow::{Context as _, Result, anyhow, bail};
use std::{io::Read as _, path::Path};
use wayfare::{
    crowd::Crowd,
    floor::{self, FloorPlan},
    navmesh::{self, NavMesh},
    scene::{self, PlanSource, Scene, VoxelMap, generated},
    surface::{self, ChartedSurface},
    volume::{self, VolumeMesh},
};

/// What a file holds.
pub enum Product {
    /// A navigation mesh: `.way`, or an imported `.mesh`.
    Mesh(Box<NavMesh>),
    /// A floor plan: `.wayplan`.
    Plan(FloorPlan),
    /// Polygons of a plan file.
    Source(PlanSource),
    /// Free space: `.wayvol`.
    Volume(Box<VolumeMesh>),
    /// A surface with charts: `.waysurf`.
    Surface(Box<ChartedSurface>),
    /// Voxels of a `.3dmap` file.
    Voxels(VoxelMap),
    /// Triangles of a scene file, or of a generated scene.
    Scene(Box<Scene>),
    /// The state of a crowd with its mesh: `.waycrowd`.
    Crowd(Box<Crowd>),
}

impl Product {
    /// What was noticed when it was read.
    pub fn notes(&self) -> &[String] {
        match self {
            Self::Source(source) => &source.notes,
            Self::Scene(scene) => &scene.notes,
            _ => &[],
        }
    }

    /// The product in words.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Mesh(_) => "a navigation mesh",
            Self::Plan(_) => "a floor plan",
            Self::Source(_) => "a plan file",
            Self::Scene(_) => "a scene",
            Self::Surface(_) => "a surface with charts",
            Self::Volume(_) => "a volume mesh",
            Self::Voxels(_) => "a voxel map",
            Self::Crowd(_) => "a saved crowd",
        }
    }
}

/// What names of generated scenes begin with.
const GENERATED: &str = "generated:";

/// The name of a generated scene, if it is one.
pub fn generated_name(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(GENERATED)
}

/// Reads whatever the file holds, or makes the scene that it names.
pub fn open(path: &Path, settings: &Settings) -> Result<Product> {
    let name = || path.display().to_string();
    if let Some(name) = generated_name(path) {
        return make(name, settings).map(|scene| Product::Scene(Box::new(scene)));
    }
    if path.is_dir() {
        bail!("cannot read {}: it is a folder", path.display());
    }
    let options = &settings.plan_options();
    let bytes = scene::read_bytes(path, options.max_bytes)?;
    if bytes.starts_with(b"WAYFARE\0") {
        return match bytes.get(8..12) {
            Some(b"VOLU") => Ok(Product::Volume(Box::new(VolumeMesh::from_bytes(bytes).with_context(name)?))),
            Some(b"CRWD") => {
                Ok(Product::Crowd(Box::new(Crowd::from_bytes_with_mesh(bytes).with_context(name)?)))
            }
            Some(b"SURF") => {
                Ok(Product::Surface(Box::new(ChartedSurface::from_bytes(bytes).with_context(name)?)))
            }
            Some(b"PLAN") => Ok(Product::Plan(FloorPlan::from_bytes(bytes).with_context(name)?)),
            // Whatever else it is, the mesh reader says that it expected a mesh.
            _ => Ok(Product::Mesh(Box::new(NavMesh::from_bytes(bytes).with_context(name)?))),
        };
    }
    if VoxelMap::is_one(&bytes) {
        return Ok(Product::Voxels(VoxelMap::from_bytes(&bytes, path, options.max_bytes)?));
    }
    if is_polyanya(path, &bytes) {
        return Ok(Product::Mesh(Box::new(NavMesh::import_polyanya(&bytes).with_context(name)?)));
    }
    if bytes.is_empty() && is_product_name(path) {
        bail!("{}: the file is empty; bake it again", path.display());
    }
    // Products hold zeros from their first bytes on, plans in text never.
    if is_product_name(path) && bytes.iter().take(40).any(|&byte| byte == 0) {
        bail!("{}: the beginning of the file is damaged; bake it again", path.display());
    }
    if scene::is_scene(&bytes, path) {
        let mut scene = scene::read_scene_beside(&bytes, path, &settings.scene_options())?;
        scene.notes.extend(scale_hint(&scene, settings));
        return Ok(Product::Scene(Box::new(scene)));
    }
    match scene::read_plan_beside(&bytes, path, options) {
        Ok(source) => Ok(Product::Source(source)),
        Err(error) if error.to_string().contains("unknown format") => Err(anyhow!(
            "{error}; so are OBJ, glTF, GLB, STL, PLY and OFF scenes, MovingAI .3dmap voxels, Polyanya .mesh, and .way, .wayplan, .wayvol, .waysurf and \
             .waycrowd files"
        )),
        Err(error) => Err(error.into()),
    }
}

/// The generated scene of a name.
fn make(name: &str, settings: &Settings) -> Result<Scene> {
    if settings.up.is_some() || settings.scale.is_some() {
        bail!("generated scenes are in metres with z up; leave out --up and --scale");
    }
    generated::scene_by_name(name).ok_or_else(|| {
        let known = generated::scenes::SCENE_NAMES.join(", ");
        anyhow!("there is no generated scene '{name}'; there are: {known}")
    })
}

/// The kind of a product, by its first bytes; nothing if the file is none or cannot be read.
fn kind(path: &Path) -> Option<[u8; 4]> {
    let mut first = Vec::new();
    std::fs::File::open(path).ok()?.take(12).read_to_end(&mut first).ok()?;
    first.strip_prefix(b"WAYFARE\0")?.try_into().ok()
}

/// Whether a file holds a navigation mesh, by its first bytes or its name; it may still be damaged.
pub fn is_mesh(path: &Path) -> bool {
    kind(path).map_or_else(|| ending_without_gz(path) == "mesh", |kind| kind == navmesh::KIND)
}

/// Reads free space, if that is what the file holds.
pub fn open_volume(path: &Path) -> Result<Option<Box<VolumeMesh>>> {
    if kind(path).as_ref() != Some(b"VOLU") {
        return Ok(None);
    }
    match open(path, &Settings::default())? {
        Product::Volume(mesh) => Ok(Some(mesh)),
        _ => Ok(None),
    }
}

/// Reads a navigation mesh; other products are refused with what to do with them.
pub fn open_mesh(path: &Path) -> Result<Box<NavMesh>> {
    match open(path, &Settings { planar: Some(true), ..Settings::default() })? {
        Product::Mesh(mesh) => Ok(mesh),
        other => {
            bail!("{} is {}, not a navigation mesh; {}", path.display(), other.words(), advice(&other, path))
        }
    }
}

/// What to do with a product that is no navigation mesh.
fn advice(product: &Product, path: &Path) -> String {
    let file = path.display();
    let name = |ending: &str| path.with_file_name(format!("{}.{ending}", stem(path))).display().to_string();
    match product {
        Product::Surface(_) => {
            format!("`wayfare geodesic {file} --source 0 --target 1` finds paths along it")
        }
        Product::Volume(_) => {
            format!("`wayfare path {file} --from X,Y,Z --to X,Y,Z` and `wayfare locate` know free space")
        }
        Product::Voxels(_) => format!("`wayfare volume {file} -o {}` makes free space of it", name("wayvol")),
        Product::Crowd(_) => "use the mesh that it was made with".into(),
        _ => format!("try `{}`", bake_command(path)),
    }
}

/// The command that makes a navigation mesh of a plan or a scene.
pub fn bake_command(path: &Path) -> String {
    format!("wayfare bake {} -o {}", path.display(), path.with_file_name(stem(path) + ".way").display())
}

/// The name of a file without its folder and its ending, also `.wkt.gz`; the name of a generated scene.
pub fn stem(path: &Path) -> String {
    if let Some(name) = generated_name(path) {
        return name.to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// The ending of a file's name in small letters, that before `.gz`.
pub fn ending_without_gz(path: &Path) -> String {
    let is_zipped = ending(path) == "gz";
    path.file_stem().filter(|_| is_zipped).map_or_else(|| ending(path), |stem| ending(Path::new(stem)))
}

/// Polyanya meshes begin with the word `mesh`, like nothing else that is read.
fn is_polyanya(path: &Path, bytes: &[u8]) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let first = bytes.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
    first == Some(b"mesh") || name.ends_with(".mesh") || name.ends_with(".mesh.gz")
}

fn is_product_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| {
        ["way", "wayplan", "wayvol", "waycrowd", "waysurf"].iter().any(|own| ending == *own)
    })
}

/// What a reader found wrong, where it is about invariants and not about bytes.
pub fn defects_of(error: &anyhow::Error) -> Option<&[wayfare::core::Defect]> {
    if let Some(navmesh::ReadError::Invalid(defects)) = error.downcast_ref() {
        return Some(defects);
    }
    if let Some(navmesh::ImportError::Invalid(defects)) = error.downcast_ref() {
        return Some(defects);
    }
    if let Some(volume::ReadError::Invalid(defects)) = error.downcast_ref() {
        return Some(defects);
    }
    if let Some(surface::ReadError::Invalid(defects)) = error.downcast_ref() {
        return Some(defects);
    }
    match error.downcast_ref() {
        Some(floor::ReadError::Invalid(defects)) => Some(defects),
        _ => None,
    }
}
