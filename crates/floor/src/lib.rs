#![doc = include_str!("../README.md")]

mod plan;

pub use plan::{EdgeKind, FloorPlan, Layer, PlanVertexId, Region, Ring};
