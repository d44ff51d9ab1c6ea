//! From a file to a [`Scene`], or to a mesh with the vertices of the file.

use super::{
    Scene, SceneOptions, Up,
    gltf::{self, Beside},
    obj, off, ply,
    raw::RawMesh,
    stl,
};
use crate::{
    ReadError,
    error::Fault,
    format::{Format, detect_scene},
    unpack,
};
use std::path::Path;
use wayfare_core::RepairReport;
use wayfare_geom::TriangleMesh;

/// Reads a 3D scene: OBJ, glTF, GLB, STL, PLY or OFF, gzipped or not; the format is found by content, then by name.
///
/// A `.gltf` file may name others in its own folder or below it.
pub fn read_scene(path: &Path, options: &SceneOptions) -> Result<Scene, ReadError> {
    check(path, options)?;
    let bytes = unpack::read_bytes(path, options.max_bytes)?;
    scene_of(&bytes, path, &beside(path), options)
}

/// Reads a 3D scene whose bytes are at hand; what belongs to it lies beside `path`, as for [`read_scene`].
pub fn read_scene_beside(bytes: &[u8], path: &Path, options: &SceneOptions) -> Result<Scene, ReadError> {
    check(path, options)?;
    let bytes = unpack::inflate(bytes, options.max_bytes).map_err(|fault| fault.into_error(path, &[]))?;
    scene_of(&bytes, path, &beside(path), options)
}

/// Whether a file is of a format that [`read_scene`] reads, by its inflated content, then by its name; whether it can be
/// read is another question.
pub fn is_scene(bytes: &[u8], name: &Path) -> bool {
    detect_scene(bytes, name).is_ok()
}

/// Reads a 3D scene from memory; `name` is used in messages and, where the content does not tell, for the format. No
/// other file is opened.
pub fn read_scene_bytes(bytes: &[u8], name: &Path, options: &SceneOptions) -> Result<Scene, ReadError> {
    check(name, options)?;
    let bytes = unpack::inflate(bytes, options.max_bytes).map_err(|fault| fault.into_error(name, &[]))?;
    scene_of(&bytes, name, &Beside::Nothing, options)
}

/// Reads a surface of the formats of [`read_scene`]: vertices are those of the file, with their numbers and coordinates,
/// neither turned nor scaled nor welded nor left out. STL has three vertices per triangle; glTF those of its primitives,
/// node by node, where the nodes put them.
///
/// Faces that name missing or non-finite vertices, repeat a vertex, or repeat another face are set aside; faces of more
/// than three corners are split. Faces without area stay, as the surface would have a hole without them; the
/// report counts them as `zero-area-face`. A vertex that is not finite is put to the origin and belongs to no face.
pub fn read_mesh(path: &Path, max_bytes: u64) -> Result<(TriangleMesh, RepairReport), ReadError> {
    let bytes = unpack::read_bytes(path, max_bytes)?;
    mesh_of(&bytes, path, &beside(path), max_bytes)
}

/// Reads a surface from memory, as [`read_mesh`] does; no other file is opened.
pub fn read_mesh_bytes(
    bytes: &[u8],
    name: &Path,
    max_bytes: u64,
) -> Result<(TriangleMesh, RepairReport), ReadError> {
    let bytes = unpack::inflate(bytes, max_bytes).map_err(|fault| fault.into_error(name, &[]))?;
    mesh_of(&bytes, name, &Beside::Nothing, max_bytes)
}

fn check(path: &Path, options: &SceneOptions) -> Result<(), ReadError> {
    options.check().map_err(|message| Fault::whole(message).into_error(path, &[]))
}

/// A name without a folder lies in the current one.
fn beside(path: &Path) -> Beside<'_> {
    Beside::Folder(path.parent().unwrap_or(Path::new("")))
}

fn scene_of(bytes: &[u8], path: &Path, beside: &Beside, options: &SceneOptions) -> Result<Scene, ReadError> {
    let scene = || {
        let (raw, format) = raw_of(bytes, path, beside, options.max_bytes)?;
        if format == Format::Gltf && options.up == Some(Up::Z) {
            return Err(Fault::whole("glTF is y up by its specification: z cannot be up"));
        }
        raw.into_scene(options)
    };
    scene().map_err(|fault| fault.into_error(path, bytes))
}

fn mesh_of(
    bytes: &[u8],
    path: &Path,
    beside: &Beside,
    max_bytes: u64,
) -> Result<(TriangleMesh, RepairReport), ReadError> {
    let mesh = || raw_of(bytes, path, beside, max_bytes)?.0.into_mesh();
    mesh().map_err(|fault| fault.into_error(path, bytes))
}

fn raw_of(bytes: &[u8], path: &Path, beside: &Beside, max_bytes: u64) -> Result<(RawMesh, Format), Fault> {
    let format = detect_scene(bytes, path).map_err(Fault::whole)?;
    let raw = match format {
        Format::Obj => obj::read(bytes)?,
        Format::Stl => stl::read(bytes)?,
        Format::Ply => ply::read(bytes)?,
        Format::Off => off::read(bytes)?,
        Format::Gltf => gltf::read(bytes, beside, max_bytes)?,
        _ => return Err(Fault::whole("this is a 2D plan, not a scene")),
    };
    Ok((raw, format))
}
