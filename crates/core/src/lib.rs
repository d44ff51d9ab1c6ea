#![doc = include_str!("../README.md")]

pub mod container;
mod context;
pub mod defects;
mod ids;
pub mod ops;
mod report;
mod tolerance;

pub use context::{CancelFlag, Cancelled, Context, Progress};
pub use glam::{DVec2, DVec3, Vec4, dvec2, dvec3};
pub use ids::{Id, IdVec};
pub use report::{Defect, Repair, RepairReport};
pub use tolerance::{MAX_COORDINATE, Tolerance};
