#![doc = include_str!("../README.md")]

mod approximate;
mod error;
mod exact;
mod field;
mod mesh;
mod path;
mod point;
mod solver;
mod walk;

pub use error::SurfaceError;
pub use exact::{ExactSolver, exact_distances};
pub use field::{Field, Query, Work};
pub use mesh::{FaceId, HalfEdgeId, RawSurface, SurfaceFacts, SurfaceMesh, VertexId};
pub use path::SurfacePath;
pub use point::{Place, SurfacePoint};
pub use solver::{Method, Solver, distances};
pub use walk::walk_straight;
