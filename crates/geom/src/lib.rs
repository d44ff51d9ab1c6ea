#![doc = include_str!("../README.md")]

mod aabb;
pub mod bvh;
mod mesh;
mod notch_depth;
mod polygon;
pub mod predicates;
pub mod quadratic;
pub mod segment;
pub mod segment_grid;
pub mod simplify;
pub mod validate;

pub use aabb::Aabb2;
pub use mesh::{TriangleMesh, are_collinear, newell_normal};
pub use notch_depth::{line_distance, notch_depths};
pub use polygon::{Polygon, ring_area};
pub use wayfare_core::ops;

#[cfg(feature = "cdt")]
pub mod triangulation;

#[cfg(feature = "boolean")]
pub mod boolean;
