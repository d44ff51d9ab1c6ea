#![doc = include_str!("../README.md")]

mod build;
mod canonical;
mod check;
mod corners;
pub mod exact;
pub mod gaps;
mod ground_config;
mod plan;
mod regions;
pub mod voxel;
mod wayplan;

pub use build::{PlanError, build_plan};
pub use corners::{Corners, NO_CORNER, match_sides};
pub use ground_config::{Faces, GroundConfig, GroundConfigError, Keep, LayerMode, Method, Pipeline};
pub use plan::{EdgeKind, FloorPlan, Layer, PlanVertexId, Reach, Region, Ring, Stride};
pub use voxel::{ScenePlan, plan_scene};
pub use wayplan::ReadError;
