//! Pictures as SVG, written by hand: small files, crisp at any size, the same bytes every time.

mod canvas;
mod config;
mod crowd;
mod furniture;
mod gaps;
mod histogram;
mod layout;
mod mesh;
mod plan;
mod route;
mod stages;
mod storeys;
mod surface;
mod theme;
mod volume;

pub use config::{DrawConfig, DrawError, Marks};
pub use crowd::{CrowdPicture, DrawnBody, DrawnDensity, DrawnLine, DrawnTrack, draw_crowd};
pub use gaps::draw_gaps;
pub use histogram::{Histogram, HistogramWords, draw_histogram};
pub use layout::draw_layout;
pub use mesh::draw_mesh;
pub use plan::draw_plan;
pub use stages::{draw_depth, draw_layers, draw_voxels};
pub use surface::{SurfacePicture, draw_charts, draw_surface};
pub use theme::Theme;
pub use volume::draw_volume;
