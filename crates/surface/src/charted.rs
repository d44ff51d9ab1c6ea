//! A surface with its charts and base mesh: what a `.waysurf` file holds; `docs/format.md` describes every byte for others.
//!
//! The container refuses what was cut or altered; what does not fit together is refused with every defect. The same surface gives the
//! same bytes.

use crate::{BaseMesh, SegmentConfig, SurfaceError, SurfaceMesh, mesh::NONE};
use std::path::Path;
use wayfare_core::{
    Context, DVec3, Defect, RepairReport,
    container::{Container, ContainerError, ContainerWriter},
    defects::summary,
};
use wayfare_geom::TriangleMesh;

/// Kind of the container.
pub const KIND: [u8; 4] = *b"SURF";
/// Newest version of the kind.
pub const VERSION: u32 = 1;

/// Triangles, the surface that they make, its charts and its base mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartedSurface {
    mesh: TriangleMesh,
    surface: SurfaceMesh,
    base: BaseMesh,
}

/// Why a `.waysurf` file is not a surface with charts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are not a whole container of the right kind.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The triangles make no surface.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// The numbers do not fit together; the list is never empty.
    #[error("not a valid surface: {}", summary(.0))]
    Invalid(Vec<Defect>),
}

/// What a file says, before it is looked at.
pub(crate) struct RawCharts {
    /// Chart of each face of the surface.
    pub of_face: Vec<u32>,
    /// First vertex of each chart, and one more.
    pub starts: Vec<u32>,
    /// Vertices of the surface.
    pub vertices: Vec<u32>,
    /// Their places in the planes.
    pub places: Vec<[f64; 2]>,
    pub base_vertices: Vec<u32>,
    pub base_faces: Vec<[u32; 3]>,
    pub base_charts: Vec<u32>,
    pub base_joints: Vec<[u32; 3]>,
    /// Per vertex of the surface a face of the base mesh and the weights there.
    pub map_faces: Vec<u32>,
    pub map_weights: Vec<[f64; 3]>,
    pub max_distortion: f64,
}

impl ChartedSurface {
    /// Makes the surface, its charts and its base mesh; and says what was repaired. The triangles are kept as they are, so that each
    /// must name vertices that are there.
    pub fn build(
        mesh: TriangleMesh,
        config: &SegmentConfig,
        context: &Context,
    ) -> Result<(Self, RepairReport), SurfaceError> {
        let vertices = mesh.vertices.len();
        for (face, corners) in mesh.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(SurfaceError::Corner { face, vertex: vertex as usize, vertices });
            }
        }
        let (surface, repair) = SurfaceMesh::build(&mesh)?;
        let base = BaseMesh::build(&mesh, &surface, config, context)?;
        Ok((Self { mesh, surface, base }, repair))
    }
    /// The triangles as they were read.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }
    /// The surface that they make.
    pub fn surface(&self) -> &SurfaceMesh {
        &self.surface
    }
    /// The charts and the base mesh.
    pub fn base(&self) -> &BaseMesh {
        &self.base
    }
    /// All three.
    pub fn into_parts(self) -> (TriangleMesh, SurfaceMesh, BaseMesh) {
        (self.mesh, self.surface, self.base)
    }
    /// Everything that breaks H1 to H3 of the surface and of the base mesh, or S1 to S3.
    pub fn check(&self) -> Vec<Defect> {
        let mut defects = self.surface.check();
        defects.extend(
            self.base
                .surface()
                .check()
                .into_iter()
                .map(|defect| Defect { element: format!("base mesh, {}", defect.element), ..defect }),
        );
        defects.extend(self.base.check(&self.surface));
        defects
    }

    /// Reads a `.waysurf` file and checks it like any other data.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::from_container(&Container::read(path)?)
    }
    /// Reads the bytes of a `.waysurf` file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::from_container(&Container::from_bytes(bytes)?)
    }
    /// Writes a `.waysurf` file; the target is whole or untouched.
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        self.to_container().write(path)
    }
    /// The bytes of the `.waysurf` file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_container().to_bytes()
    }

    fn to_container(&self) -> ContainerWriter {
        let mut file = ContainerWriter::new(KIND, VERSION);
        let raw = self.base.to_raw(&self.surface);
        file.put("vertices", self.mesh.vertices.iter().flat_map(|p| p.to_array()).collect::<Vec<f64>>());
        file.put("faces", self.mesh.triangles.iter().flatten().copied());
        file.put("cfaces", raw.of_face);
        file.put("cstarts", raw.starts);
        file.put("cverts", raw.vertices);
        file.put("cplaces", raw.places.into_iter().flatten());
        file.put("bverts", raw.base_vertices);
        file.put("bfaces", raw.base_faces.into_iter().flatten());
        file.put("bcharts", raw.base_charts);
        file.put("bjoints", raw.base_joints.into_iter().flatten());
        file.put("mfaces", raw.map_faces);
        file.put("mweights", raw.map_weights.into_iter().flatten());
        file.put("numbers", [raw.max_distortion]);
        file
    }

    fn from_container(file: &Container) -> Result<Self, ReadError> {
        file.expect_kind(KIND, VERSION)?;
        let mesh = TriangleMesh {
            vertices: chunks::<f64, 3>(file, "vertices")?.into_iter().map(DVec3::from_array).collect(),
            triangles: chunks::<u32, 3>(file, "faces")?,
        };
        let &[max_distortion] = file.get::<f64>("numbers")?.as_slice() else {
            return Err(ContainerError::Damaged("section 'numbers' is not one number".into()).into());
        };
        let raw = RawCharts {
            of_face: file.get("cfaces")?,
            starts: file.get("cstarts")?,
            vertices: file.get("cverts")?,
            places: chunks(file, "cplaces")?,
            base_vertices: file.get("bverts")?,
            base_faces: chunks(file, "bfaces")?,
            base_charts: file.get("bcharts")?,
            base_joints: chunks(file, "bjoints")?,
            map_faces: file.get("mfaces")?,
            map_weights: chunks(file, "mweights")?,
            max_distortion,
        };
        let count = mesh.vertices.len();
        if let Some(face) = mesh.triangles.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
            let message = format!("it names a vertex that is not there; there are {count}");
            let element = format!("face {face}");
            return Err(ReadError::Invalid(vec![Defect { invariant: "H3", element, message }]));
        }
        let (surface, _) = SurfaceMesh::build(&mesh)?;
        let base = BaseMesh::from_file(&surface, raw).map_err(ReadError::Invalid)?;
        let defects = base.check(&surface);
        if !defects.is_empty() {
            return Err(ReadError::Invalid(defects));
        }
        Ok(Self { mesh, surface, base })
    }
}

fn chunks<T: wayfare_core::container::Scalar, const N: usize>(
    file: &Container,
    section: &str,
) -> Result<Vec<[T; N]>, ContainerError> {
    let numbers = file.get::<T>(section)?;
    let (chunks, []) = numbers.as_chunks::<N>() else {
        return Err(ContainerError::Damaged(format!("section '{section}' is not made of {N}s")));
    };
    Ok(chunks.to_vec())
}

/// Joints as a file has them.
pub(crate) fn joints_to_file(joints: &[Option<u32>; 3]) -> [u32; 3] {
    joints.map(|joint| joint.unwrap_or(NONE))
}

/// Joints as the base mesh has them.
pub(crate) fn joints_of_file(joints: &[u32; 3]) -> [Option<u32>; 3] {
    joints.map(|joint| (joint != NONE).then_some(joint))
}
