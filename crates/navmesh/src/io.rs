//! Meshes as `.way` files; `docs/format.md` describes every byte for others.
//!
//! The container of [`wayfare_core::container`] refuses what was cut or altered, [`RawNavMesh::validate`] what
//! does not fit together. The same mesh gives the same bytes.

use crate::{mesh::NavMesh, raw::RawNavMesh};
use std::path::Path;
use wayfare_core::{
    DVec3, Defect,
    container::{Container, ContainerError, ContainerWriter},
};

/// Kind of the container.
pub const KIND: [u8; 4] = *b"NAVM";
/// Newest version of the kind.
pub const VERSION: u32 = 1;

/// In the section `settings`: the mesh was imported.
const IMPORTED: u32 = 1;

/// Why a `.way` file is not a mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are not a whole container of the right kind.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The numbers do not make a mesh; the list is never empty.
    #[error("not a valid navmesh: {}", summary(.0))]
    Invalid(Vec<Defect>),
}

/// The first defect and how many there are.
pub(crate) fn summary(defects: &[Defect]) -> String {
    match defects {
        [] => "no defects".into(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}

impl NavMesh {
    /// Reads a `.way` file and checks it like any other data.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::from_container(&Container::read(path)?)
    }

    /// Reads the bytes of a `.way` file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::from_container(&Container::from_bytes(bytes)?)
    }

    /// Writes a `.way` file; the target is whole or untouched.
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        self.to_container().write(path)
    }

    /// The bytes of the `.way` file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_container().to_bytes()
    }

    fn from_container(file: &Container) -> Result<Self, ReadError> {
        file.expect_kind(KIND, VERSION)?;
        get(file)?.validate().map_err(ReadError::Invalid)
    }

    fn to_container(&self) -> ContainerWriter {
        let mut file = ContainerWriter::new(KIND, VERSION);
        put(&self.raw, &mut file);
        file
    }
}

fn put(raw: &RawNavMesh, file: &mut ContainerWriter) {
    file.put("vertices", raw.vertices.iter().flat_map(|p| p.to_array()));
    file.put("vflags", raw.vertex_flags.iter().copied());
    file.put("cells", raw.cell_starts.iter().copied());
    file.put("corners", raw.corners.iter().copied());
    file.put("across", raw.neighbours.iter().copied());
    file.put("storeys", raw.storeys.iter().copied());
    file.put("tags", raw.tags.iter().copied());
    file.put("taglens", raw.tag_names.iter().map(|name| name.len() as u32));
    file.put_text("tagnames", &raw.tag_names.concat());
    file.put("relax", [raw.convex_distance]);
    file.put("flags", [if raw.imported { IMPORTED } else { 0 }]);
}

fn get(file: &Container) -> Result<RawNavMesh, ContainerError> {
    let damaged = |what: &str| ContainerError::Damaged(what.into());
    let coordinates = file.get::<f64>("vertices")?;
    let (vertices, rest) = coordinates.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(damaged("section 'vertices' is not made of triples"));
    }
    let &[convex_distance] = file.get::<f64>("relax")?.as_slice() else {
        return Err(damaged("section 'relax' is not one number"));
    };
    let flags = match file.get::<u32>("flags")?.as_slice() {
        &[flags] if flags & !IMPORTED == 0 => flags,
        _ => return Err(damaged("section 'flags' is not one word of known flags")),
    };
    let text = file.get_text("tagnames")?;
    let mut rest = text.as_str();
    let mut tag_names = Vec::new();
    for length in file.get::<u32>("taglens")? {
        let split = rest.split_at_checked(length as usize);
        let (name, after) = split.ok_or_else(|| damaged("section 'taglens' does not fit 'tagnames'"))?;
        tag_names.push(name.to_string());
        rest = after;
    }
    if !rest.is_empty() {
        return Err(damaged("section 'taglens' does not fit 'tagnames'"));
    }
    Ok(RawNavMesh {
        vertices: vertices.iter().copied().map(DVec3::from_array).collect(),
        vertex_flags: file.get("vflags")?,
        cell_starts: file.get("cells")?,
        corners: file.get("corners")?,
        neighbours: file.get("across")?,
        tags: file.get("tags")?,
        tag_names,
        storeys: file.get("storeys")?,
        convex_distance,
        imported: flags & IMPORTED != 0,
    })
}
