#![doc = include_str!("../README.md")]

mod boundary;
mod colouring;
pub mod export;
mod svg;

pub use boundary::boundary_rings;
pub use colouring::{COLOURS, colour_cells};
pub use svg::{DrawConfig, DrawError, Marks, Theme, draw_mesh, draw_plan};
