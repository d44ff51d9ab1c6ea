#![doc = include_str!("../README.md")]

mod assemble;
mod borders;
mod clearance;
mod config;
mod decompose;
mod glue;
mod ground_lists;
mod storeys;
mod surface;
mod thin_walls;

pub use assemble::bake;
pub use clearance::{ClearanceError, build_clearance};
pub use config::{BakeConfig, BakeError, Decomposition};
