//! Exact shortest paths, for points and for discs.
//!
//! [`PathFinder`] answers queries on a [`crate::NavMesh`] with a [`PathScratch`] per thread. The files, from the ground up:
//!
//! | file | idea |
//! |---|---|
//! | `orient` | exact signs, cheap on grids |
//! | `split`, `trim`, `faces`, `dead_ends` | the convex faces that are searched, and which of them lead nowhere |
//! | `cone` | what is seen from a point through faces; what lies round a corner |
//! | `straight`, `interval` | is the goal in plain sight; if not, A* over cones and corners |
//! | `corner_graph`, `landmarks`, `accelerator` | what is prepared for large meshes, and its sections of the file |
//! | `graph_search` | joins both ends to that graph and searches it |
//! | `limits` | what is closed, and tags that are forbidden |
//! | `disc` | the same for discs of any radius |
//! | `prefer` | paths that keep away from obstacles where that costs little |
//! | `cross`, `crossing`, `taut_end` | gaps are crossed, not walked along: where, and how long the way over there is |
//! | `corridor`, `ground_path` | the cells of a path, its points on the ground |
//! | `query`, `slices`, `path`, `scratch`, `shares`, `heap` | the finder, its answers, its memory |

mod accelerator;
mod cone;
mod corner_graph;
pub(crate) mod corridor;
mod cross;
mod crossing;
mod dead_ends;
pub(crate) mod disc;
pub(crate) mod faces;
mod graph_search;
mod ground_path;
mod heap;
mod interval;
mod landmarks;
pub(crate) mod limits;
pub(crate) mod orient;
mod path;
mod prefer;
mod query;
mod scratch;
mod shares;
mod slices;
pub(crate) mod split;
mod straight;
mod stride;
mod taut_end;
mod trim;

pub use accelerator::{Accelerator, AcceleratorConfig};
pub use disc::{Body, PlanPiece};
pub use limits::{Blocks, TagSet};
pub use path::{Closed, Crossed, End, NoPath, Path, PlanPath};
pub use prefer::Preference;
pub use query::PathFinder;
pub use scratch::PathScratch;
pub use slices::PathSearch;
pub use stride::Stride;
