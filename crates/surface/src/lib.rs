#![doc = include_str!("../README.md")]

mod approximate;
mod base;
mod charted;
mod effort;
mod error;
mod exact;
mod field;
mod flat;
mod many;
mod mesh;
mod path;
mod point;
mod segment;
mod solver;
mod walk;

pub use base::{BaseMesh, BaseSolver};
pub use charted::{ChartedSurface, ReadError};
pub use error::SurfaceError;
pub use exact::{ExactSolver, exact_distances};
pub use field::{Field, Query, Reading, Work};
pub use flat::{FlatStart, Stretch};
pub use many::distances_from_each;
pub use mesh::{FaceId, HalfEdgeId, RawSurface, SurfaceFacts, SurfaceMesh, VertexId};
pub use path::SurfacePath;
pub use point::{Place, SurfacePoint};
pub use segment::{Charts, SegmentConfig, segment};
pub use solver::{Method, Solver, distances};
pub use walk::walk_straight;
