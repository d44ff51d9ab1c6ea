//! Products in forms that others read.

mod gaps;
mod glb;
mod ground;
mod json;
mod obj;
mod surface;
mod triangulate;
mod volume;
mod wkt;

pub use gaps::{gaps_to_glb, gaps_to_obj, gaps_to_ply};
pub use glb::mesh_to_glb;
pub(crate) use ground::cell_triangles;
pub use json::{mesh_to_json, plan_to_json};
pub use obj::mesh_to_obj;
pub use surface::{surface_to_json, surface_to_obj};
pub use triangulate::triangulate_cell;
pub use volume::{volume_to_json, volume_to_obj};
pub use wkt::plan_to_wkt;
