#![doc = include_str!("../README.md")]

pub mod data;
pub mod entities;
pub mod free_space;
pub mod generators;
pub mod hertel_mehlhorn;
pub mod independent_check;
pub mod plain_mesh;
pub mod plain_polyanya;
pub mod plan;
pub mod random;
pub mod ray_check;
pub mod rings;
pub mod transform;
pub mod union_area;
pub mod visibility_graph;
pub mod zoo;

pub use hertel_mehlhorn::hertel_mehlhorn;
pub use independent_check::independent_check;
pub use plain_mesh::PlainMesh;
pub use plain_polyanya::PlainPolyanya;
pub use plan::TestPlan;
pub use random::Random;
pub use ray_check::RayCheck;
pub use rings::Rings;
pub use visibility_graph::VisibilityGraph;
