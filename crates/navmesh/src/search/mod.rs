//! Exact shortest paths at radius 0.
//!
//! [`PathFinder`] answers queries on a [`crate::NavMesh`] with a [`PathScratch`] per thread.

mod cone;
mod dead_ends;
mod faces;
mod heap;
mod interval;
mod orient;
mod path;
mod query;
mod scratch;
mod split;

pub use path::{End, NoPath, Path, PlanPath};
pub use query::PathFinder;
pub use scratch::PathScratch;
