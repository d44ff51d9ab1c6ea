//! Products in forms that others read.

mod glb;
mod ground;
mod json;
mod obj;
mod triangulate;
mod wkt;

pub use glb::mesh_to_glb;
pub(crate) use ground::cell_triangles;
pub use json::{mesh_to_json, plan_to_json};
pub use obj::mesh_to_obj;
pub use triangulate::triangulate_cell;
pub use wkt::plan_to_wkt;
