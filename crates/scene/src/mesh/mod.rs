//! Triangle scenes and surfaces: one file per format, one way from what they hold to a mesh.
//!
//! ```text
//! bytes ──> RawMesh ──> Scene         turned, scaled, welded, bad faces set aside
//!   format    repair └> TriangleMesh  vertices as in the file
//! ```

mod gltf;
mod obj;
mod off;
mod ply;
mod polygon;
mod raw;
mod read;
mod repair;
mod scene;
mod stl;
mod weld;

pub(crate) use gltf::MAGIC as GLB_MAGIC;
pub(crate) use off::is_header as is_off_header;
pub(crate) use polygon::{Split, Splitter};
pub use read::{is_scene, read_mesh, read_mesh_bytes, read_scene, read_scene_beside, read_scene_bytes};
pub use scene::{Scene, SceneOptions, Up};
pub(crate) use stl::is_exactly_binary as is_binary_stl;
