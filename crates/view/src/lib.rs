#![doc = include_str!("../README.md")]

mod chart_layout;
mod colouring;
pub mod export;
#[cfg(feature = "server")]
pub mod server;
mod show;
mod svg;

pub use chart_layout::{ChartLayout, lay_out_charts};
pub use colouring::{COLOURS, colour_cells, colour_neighbours};
pub use show::{
    NO_PAGE, Page, SavedError, Show, ShownCrowd, ShownField, ShownRegions, ShownSurface, page, page_with_show,
};
pub use svg::{
    CrowdPicture, DrawConfig, DrawError, DrawnBody, DrawnDensity, DrawnLine, DrawnTrack, Histogram,
    HistogramWords, Marks, SurfacePicture, Theme, draw_charts, draw_crowd, draw_depth, draw_gaps,
    draw_histogram, draw_layers, draw_layout, draw_mesh, draw_plan, draw_surface, draw_volume, draw_voxels,
};
