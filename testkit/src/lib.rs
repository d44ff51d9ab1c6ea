#![doc = include_str!("../README.md")]

pub mod data;
pub mod free_space;
pub mod hertel_mehlhorn;
pub mod plain_mesh;
pub mod rings;
pub mod union_area;
pub mod visibility_graph;

pub use hertel_mehlhorn::hertel_mehlhorn;
pub use plain_mesh::PlainMesh;
pub use rings::Rings;
pub use visibility_graph::VisibilityGraph;
