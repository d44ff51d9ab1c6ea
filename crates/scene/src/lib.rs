#![doc = include_str!("../README.md")]

mod collect;
mod contour;
mod cursor;
mod degrees;
mod error;
mod format;
pub mod generated;
mod geojson;
mod grid_map;
mod json;
mod map_yaml;
mod mesh;
mod pgm;
mod raster;
mod read;
mod source;
mod unpack;
mod voxel_map;
mod wkt;
mod write_obj;
mod write_wkt;

pub use error::{Place, ReadError};
pub use mesh::{
    Scene, SceneOptions, Up, is_scene, read_mesh, read_mesh_bytes, read_scene, read_scene_beside,
    read_scene_bytes,
};
pub use read::{read_plan, read_plan_beside, read_plan_bytes};
pub use source::{PlanOptions, PlanSource};
pub use unpack::read_bytes;
pub use voxel_map::VoxelMap;
pub use write_obj::to_obj;
pub use write_wkt::to_wkt;
