#![doc = include_str!("../README.md")]

mod mesh;
mod raw;

pub use mesh::{CellId, ComponentId, CornerId, NavMesh, PortalId, VertexId};
pub use raw::{NO_CELL, RawNavMesh, SPLIT_POINT};
