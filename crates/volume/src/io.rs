//! Volume meshes as `.wayvol` files; `docs/format.md` describes every byte for others.
//!
//! The container refuses what was cut or altered, [`RawVolumeMesh::validate`] what does not fit together. The same mesh gives
//! the same bytes.

use crate::{mesh::VolumeMesh, plane::Plane, raw::RawVolumeMesh};
use std::path::Path;
use wayfare_core::{
    DVec3, Defect,
    container::{Container, ContainerError, ContainerWriter},
    defects::summary,
    dvec3,
};

/// Kind of the container.
pub const KIND: [u8; 4] = *b"VOLU";
/// Newest version of the kind.
pub const VERSION: u32 = 1;

/// Why a `.wayvol` file is not a volume mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are not a whole container of the right kind.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The numbers do not make a mesh; the list is never empty.
    #[error("not a valid volume mesh: {}", summary(.0))]
    Invalid(Vec<Defect>),
}

impl VolumeMesh {
    /// Reads a `.wayvol` file and checks it like any other data.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::from_container(&Container::read(path)?)
    }

    /// Reads the bytes of a `.wayvol` file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::from_container(&Container::from_bytes(bytes)?)
    }

    /// Writes a `.wayvol` file; the target is whole or untouched.
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        self.to_container().write(path)
    }

    /// The bytes of the `.wayvol` file.
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

fn put(raw: &RawVolumeMesh, file: &mut ContainerWriter) {
    let flat = |points: &[DVec3]| points.iter().flat_map(|p| p.to_array()).collect::<Vec<f64>>();
    let planes = raw.planes.iter().flat_map(|plane| {
        let normal = plane.normal;
        [normal.x, normal.y, normal.z, plane.offset]
    });
    file.put("planes", planes);
    file.put("rsides", raw.side_starts.iter().copied());
    file.put("sides", raw.sides.iter().copied());
    file.put("rverts", raw.vertex_starts.iter().copied());
    file.put("verts", flat(&raw.vertices));
    file.put("rfaces", raw.face_starts.iter().copied());
    file.put("faces", raw.face_sides.iter().copied());
    file.put("fcorners", raw.corner_starts.iter().copied());
    file.put("corners", raw.corners.iter().copied());
    file.put("pregions", raw.portal_regions.iter().flatten().copied());
    file.put("pplanes", raw.portal_planes.iter().copied());
    file.put("ppoints", raw.portal_starts.iter().copied());
    file.put("points", flat(&raw.portal_points));
    file.put("standing", raw.standing.iter().copied());
    file.put("bounds", flat(&raw.bounds));
    file.put("numbers", [raw.tolerance, raw.depth, raw.free_volume, raw.radius, raw.max_slope]);
}

fn damaged(what: String) -> ContainerError {
    ContainerError::Damaged(what)
}

fn points(file: &Container, section: &str) -> Result<Vec<DVec3>, ContainerError> {
    let numbers = file.get::<f64>(section)?;
    let (triples, []) = numbers.as_chunks::<3>() else {
        return Err(damaged(format!("section '{section}' is not made of triples")));
    };
    Ok(triples.iter().map(|&p| DVec3::from_array(p)).collect())
}

fn get(file: &Container) -> Result<RawVolumeMesh, ContainerError> {
    let planes = file.get::<f64>("planes")?;
    let (planes, []) = planes.as_chunks::<4>() else {
        return Err(damaged("section 'planes' is not made of fours".into()));
    };
    let planes = planes.iter().map(|&[x, y, z, offset]| Plane { normal: dvec3(x, y, z), offset }).collect();
    let regions = file.get::<u32>("pregions")?;
    let (portal_regions, []) = regions.as_chunks::<2>() else {
        return Err(damaged("section 'pregions' is not made of pairs".into()));
    };
    let &[low, high] = points(file, "bounds")?.as_slice() else {
        return Err(damaged("section 'bounds' is not two points".into()));
    };
    let &[tolerance, depth, free_volume, radius, max_slope] = file.get::<f64>("numbers")?.as_slice() else {
        return Err(damaged("section 'numbers' is not five numbers".into()));
    };
    Ok(RawVolumeMesh {
        planes,
        side_starts: file.get("rsides")?,
        sides: file.get("sides")?,
        vertex_starts: file.get("rverts")?,
        vertices: points(file, "verts")?,
        face_starts: file.get("rfaces")?,
        face_sides: file.get("faces")?,
        corner_starts: file.get("fcorners")?,
        corners: file.get("corners")?,
        portal_regions: portal_regions.to_vec(),
        portal_planes: file.get("pplanes")?,
        portal_starts: file.get("ppoints")?,
        portal_points: points(file, "points")?,
        standing: file.get("standing")?,
        bounds: [low, high],
        tolerance,
        depth,
        free_volume,
        radius,
        max_slope,
    })
}
