#![doc = include_str!("../README.md")]

mod colouring;
pub mod export;
mod svg;

pub use colouring::{COLOURS, colour_cells};
pub use svg::{
    DrawConfig, DrawError, Marks, Theme, draw_depth, draw_layers, draw_mesh, draw_plan, draw_voxels,
};
