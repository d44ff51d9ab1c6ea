//! Exact shortest paths at radius 0.
//!
//! [`PathFinder`] answers queries on a [`crate::NavMesh`] with a [`PathScratch`] per thread.

mod accelerator;
mod cone;
mod corner_graph;
mod corridor;
mod dead_ends;
mod faces;
mod graph_search;
mod ground_path;
mod heap;
mod interval;
mod landmarks;
mod orient;
mod path;
mod query;
mod scratch;
mod shares;
mod split;
mod straight;
mod trim;

pub use accelerator::{Accelerator, AcceleratorConfig};
pub use path::{End, NoPath, Path, PlanPath};
pub use query::PathFinder;
pub use scratch::PathScratch;
