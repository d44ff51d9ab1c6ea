#![doc = include_str!("../README.md")]

mod assemble;
mod borders;
mod clearance;
mod config;
mod decompose;
mod exact_mesh;
mod glue;
mod ground_lists;
mod storeys;
mod surface;
mod thin_walls;
mod unsettled;

pub use assemble::bake;
pub use clearance::{ClearanceError, build_clearance};
pub use config::{BakeConfig, BakeError, Decomposition};
pub use exact_mesh::{ExactBake, ExactMesh, bake_exact};
pub use unsettled::{Unsettled, add_clearance};
