#![doc = include_str!("../README.md")]

mod error;
mod mesh;
mod point;

pub use error::SurfaceError;
pub use mesh::{FaceId, HalfEdgeId, RawSurface, SurfaceFacts, SurfaceMesh, VertexId};
pub use point::{Place, SurfacePoint};
