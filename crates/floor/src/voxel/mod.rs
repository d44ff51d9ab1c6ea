//! From triangles to floors by fine columns.
//!
//! Idea: every pixel of a fine grid has a column; where a face that can be walked on has head room above it, the
//!   column has a floor. The grid is never stored: it is made and used row by row.
//! Source: thesis (seed 000), chapters 5 and 6, which renders coarse voxels and one depth map per layer. We differ:
//!   columns are fine from the start, so that head room is exact and no floor lies in two layers.
//! Steps: 1. [`Lattice`]: metres to integers  2. [`raster`]: heights of each triangle over each pixel
//!   3. [`columns`]: floors with head room. The thesis's own way to floors is in [`thesis`].

pub mod assemble;
pub mod columns;
pub mod contour;
mod fan;
mod floor_tiles;
mod floors;
pub mod ground;
pub mod lattice;
pub mod layers;
mod near;
mod nearest;
pub mod obstacles;
mod plan;
pub mod raster;
mod riser;
pub mod runs;
pub mod samples;
pub mod select;
pub mod settle;
pub mod simplify;
pub mod solids;
pub mod strips;
pub mod sweep;
pub mod thesis;

pub use floors::{Floors, find_floors};
pub use lattice::{Lattice, LatticeError};
pub use plan::{SceneFloors, ScenePlan, find_scene_floors, plan_floors, plan_scene};
