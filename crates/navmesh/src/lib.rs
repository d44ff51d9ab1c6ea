#![doc = include_str!("../README.md")]

mod boundary;
mod cell;
mod check;
mod clearance;
mod convex;
mod crossing;
mod everyday;
mod facts;
#[cfg(test)]
mod fixtures;
mod gap;
mod grid;
mod ground;
mod hand_over;
mod hurdle;
mod import;
mod io;
mod join;
mod ledge;
mod locate;
mod mesh;
mod polygons;
mod portal;
mod raw;
mod search;
mod slabs;
mod validate;
mod way_point;
mod why;

pub use boundary::Boundary;
pub use clearance::{
    Arc, Bottleneck, Clearance, ClearanceParts, Clearances, FREE_SLACK, Feature, FeatureId, FeatureKind,
    Features, LineClearance, ListRange, Node, NodeLink, PlaceClearance,
};
pub use crossing::{CrossingTable, Crossings, Peak};
pub use everyday::{Cast, Contact, Moved, NearWall, Obstacle, RandomPoints, Reachable, Within};
pub use facts::Facts;
pub use gap::Gap;
pub use hand_over::{HandOver, HandOvers};
pub use import::ImportError;
pub use io::{KIND, ReadError};
pub use ledge::Walls;
pub use locate::{LocateConfig, Location};
pub use mesh::{CellId, ComponentId, CornerId, NavMesh, PortalId, VertexId};
pub use portal::{Passage, ShrinkTable, Span, simple_shrink};
pub use raw::{NO_CELL, RawNavMesh, SPLIT_POINT};
pub use search::{
    Accelerator, AcceleratorConfig, Blocks, Body, Closed, Crossed, End, NoPath, Path, PathFinder,
    PathScratch, PathSearch, PlanPath, PlanPiece, Preference, Stride, TagSet,
};
pub use way_point::{Corridor, Gate, LOOK_AHEAD, Walker, WayPoint, WayPointKind, WayPoints};
pub use why::Closest;
