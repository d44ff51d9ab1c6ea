//! Meshes as `.way` files; `docs/format.md` describes every byte for others.
//!
//! The container of [`wayfare_core::container`] refuses what was cut or altered, [`RawNavMesh::validate`] what
//! does not fit together. The same mesh gives the same bytes.

use crate::{
    clearance::Clearance, hand_over::HandOvers, mesh::NavMesh, raw::RawNavMesh, search::Accelerator,
};
use std::path::Path;
use wayfare_core::{
    DVec3, Defect,
    container::{Container, ContainerError, ContainerWriter, Scalar},
    defects::summary,
};

/// Kind of the container.
pub const KIND: [u8; 4] = *b"NAVM";
/// Newest version of the kind.
pub const VERSION: u32 = 3;
/// The version of meshes without gaps and steps.
const WITHOUT_GAPS: u32 = 2;

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
        file.expect_kind(KIND, if file.version() == WITHOUT_GAPS { WITHOUT_GAPS } else { VERSION })?;
        let mut mesh = get(file)?.validate().map_err(ReadError::Invalid)?;
        mesh.accelerator = Accelerator::get(file)?;
        mesh.clearance = Clearance::get(file, &mesh)?;
        mesh.hand_overs = HandOvers::get(file, mesh.cell_count())?;
        Ok(mesh)
    }

    fn to_container(&self) -> ContainerWriter {
        let mut file = ContainerWriter::new(KIND, if self.raw.knows_gaps() { VERSION } else { WITHOUT_GAPS });
        put(&self.raw, &mut file);
        if let Some(accelerator) = &self.accelerator {
            accelerator.put(&mut file);
        }
        if let Some(clearance) = &self.clearance {
            clearance.put(&mut file);
        }
        if let Some(hand_overs) = &self.hand_overs {
            hand_overs.put(&mut file);
        }
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
    file.put("drops", raw.drop_depths.iter().copied());
    file.put("grpoints", raw.ground_points.iter().flat_map(|p| p.to_array()));
    file.put("grtriang", raw.ground_triangles.iter().flatten().copied());
    file.put("grcells", raw.ground_starts.iter().copied());
    file.put("grlists", raw.ground_lists.iter().copied());
    file.put("grerror", [raw.heights_error]);
    if raw.knows_gaps() {
        file.put("reach", raw.reach.into_iter().flatten());
        file.put("gaps", raw.gaps.iter().flatten().copied());
        file.put("rises", raw.rises.iter().copied());
        file.put("heads", raw.head_rooms.iter().copied());
    }
}

/// The points of a section.
fn points(file: &Container, section: &str) -> Result<Vec<DVec3>, ContainerError> {
    triples::<f64>(file, section).map(|points| points.into_iter().map(DVec3::from_array).collect())
}

/// The numbers of a section in threes.
fn triples<T: Scalar>(file: &Container, section: &str) -> Result<Vec<[T; 3]>, ContainerError> {
    let numbers = file.get::<T>(section)?;
    let (triples, []) = numbers.as_chunks::<3>() else {
        return Err(damaged(&format!("section '{section}' is not made of triples")));
    };
    Ok(triples.to_vec())
}

/// The only number of a section.
fn single(file: &Container, section: &str) -> Result<f64, ContainerError> {
    let &[number] = file.get::<f64>(section)?.as_slice() else {
        return Err(damaged(&format!("section '{section}' is not one number")));
    };
    Ok(number)
}

fn damaged(what: &str) -> ContainerError {
    ContainerError::Damaged(what.into())
}

fn get(file: &Container) -> Result<RawNavMesh, ContainerError> {
    let vertices = points(file, "vertices")?;
    let convex_distance = single(file, "relax")?;
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
    let (mut gaps, mut rises, mut head_rooms, mut reach) = (Vec::new(), Vec::new(), Vec::new(), None);
    if file.version() > WITHOUT_GAPS {
        let numbers = file.get::<f64>("gaps")?;
        let (pairs, []) = numbers.as_chunks::<2>() else {
            return Err(damaged("section 'gaps' is not made of pairs"));
        };
        gaps = pairs.to_vec();
        rises = file.get("rises")?;
        head_rooms = file.get("heads")?;
        reach = match file.get::<f64>("reach")?[..] {
            [] => None,
            [step, max_gap, height] => Some([step, max_gap, height]),
            _ => return Err(damaged("section 'reach' is not three numbers")),
        };
    }
    Ok(RawNavMesh {
        vertices,
        vertex_flags: file.get("vflags")?,
        cell_starts: file.get("cells")?,
        corners: file.get("corners")?,
        neighbours: file.get("across")?,
        tags: file.get("tags")?,
        tag_names,
        storeys: file.get("storeys")?,
        convex_distance,
        drop_depths: file.get("drops")?,
        ground_points: points(file, "grpoints")?,
        ground_triangles: triples(file, "grtriang")?,
        ground_starts: file.get("grcells")?,
        ground_lists: file.get("grlists")?,
        heights_error: single(file, "grerror")?,
        gaps,
        rises,
        head_rooms,
        reach,
        imported: flags & IMPORTED != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ell, mesh};
    use wayfare_core::dvec3;

    fn sample() -> RawNavMesh {
        RawNavMesh {
            tags: vec![1, 0],
            tag_names: vec!["".into(), "Rasen\n✓".into()],
            storeys: vec![0, 7],
            convex_distance: 0.25,
            imported: true,
            drop_depths: vec![0.0, 2.5, 0.0, 0.0, 0.0, 0.0, f32::INFINITY, 0.0, 0.0],
            ground_points: [
                (0., 0., 0.),
                (4., 0., 1.),
                (0., 4., 0.),
                (0., 1., 0.),
                (1., 1., 0.5),
                (0., 2., 0.),
            ]
            .map(|(x, y, z)| dvec3(x, y, z))
            .to_vec(),
            ground_triangles: vec![[0, 1, 2], [3, 4, 5]],
            ground_starts: vec![0, 1, 1],
            ground_lists: vec![0],
            heights_error: 0.05,
            reach: Some([0.4, 0.3, 1.8]),
            ..ell()
        }
    }

    #[test]
    fn a_mesh_survives_its_file_with_everything() {
        let bytes = mesh(sample()).to_bytes();
        let read = NavMesh::from_bytes(bytes.clone()).unwrap();
        assert_eq!(read.raw(), &sample());
        assert_eq!(read.to_bytes(), bytes);
    }

    #[test]
    fn files_are_written_and_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.way");
        mesh(sample()).write(&path).unwrap();
        assert_eq!(NavMesh::read(&path).unwrap().raw(), &sample());
        assert!(matches!(
            NavMesh::read(folder.path()),
            Err(ReadError::Container(ContainerError::Read { .. }))
        ));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_refused() {
        let good = mesh(sample()).to_bytes();
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(NavMesh::from_bytes(bad).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            assert!(NavMesh::from_bytes(good[..length].to_vec()).is_err(), "length {length}");
        }
    }

    /// Writes the sample with one section replaced, as another writer might.
    fn forged<T: Scalar>(name: &str, values: &[T]) -> Result<NavMesh, ReadError> {
        let mut whole = ContainerWriter::new(KIND, VERSION);
        put(&sample(), &mut whole);
        let whole = Container::from_bytes(whole.to_bytes()).unwrap();
        let mut file = ContainerWriter::new(KIND, VERSION);
        let sections = [
            "vertices", "vflags", "cells", "corners", "across", "storeys", "tags", "taglens", "tagnames",
            "relax", "flags", "drops", "grpoints", "grtriang", "grcells", "grlists", "grerror", "gaps",
            "rises", "heads", "reach",
        ];
        for section in sections {
            if section == name {
                file.put(section, values.iter().copied());
            } else {
                file.put(section, whole.get::<u8>(section).unwrap());
            }
        }
        NavMesh::from_bytes(file.to_bytes())
    }

    #[test]
    fn a_well_formed_file_with_a_bad_mesh_is_refused_with_the_element() {
        assert!(forged::<u8>("none", &[]).is_ok());
        let message = |result: Result<NavMesh, ReadError>| result.unwrap_err().to_string();
        assert!(message(forged("vertices", &[0.0, 0.0])).contains("not made of triples"));
        assert!(message(forged("relax", &[0.0, 0.0])).contains("'relax' is not one number"));
        assert!(message(forged("flags", &[2u32])).contains("known flags"));
        assert!(message(forged("taglens", &[0u32, 3])).contains("does not fit"));
        // Five bytes end inside a character.
        assert!(message(forged("taglens", &[0u32, 8, 1])).contains("does not fit"));
        assert!(message(forged("taglens", &[0u32, u32::MAX])).contains("does not fit"));
        assert!(message(forged("tagnames", &[0xffu8; 9])).contains("not UTF-8"));
        assert!(message(forged("storeys", &[0u8; 3])).contains("not a multiple of 4"));
        assert!(
            message(forged("corners", &[9u32; 9])).starts_with("not a valid navmesh: N0: cell 0, corner 0")
        );
        let other = ContainerWriter::new(*b"PLAN", 1).to_bytes();
        assert!(message(NavMesh::from_bytes(other)).contains("kind 'PLAN', expected 'NAVM'"));
        assert!(message(forged("gaps", &[0.0; 3])).contains("'gaps' is not made of pairs"));
        assert!(message(forged("rises", &[0.0; 3])).contains("N9: rises: has 3 entries"));
        assert!(message(forged("reach", &[0.0; 2])).contains("'reach' is not three numbers"));
        assert!(message(forged("grtriang", &[0u32; 4])).contains("'grtriang' is not made of triples"));
        assert!(
            message(forged("grlists", &[2u32])).contains("N0: ground_lists, entry 0: names triangle 2 of 2")
        );
        let newer = ContainerWriter::new(KIND, VERSION + 1).to_bytes();
        assert!(message(NavMesh::from_bytes(newer)).contains("newer"));
        let older = ContainerWriter::new(KIND, WITHOUT_GAPS - 1).to_bytes();
        assert!(message(NavMesh::from_bytes(older)).contains("older than this program reads (3): make"));
        let empty = ContainerWriter::new(KIND, VERSION).to_bytes();
        assert!(message(NavMesh::from_bytes(empty)).contains("'vertices' is missing"));
    }
}
