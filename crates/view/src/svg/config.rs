//! What a picture shows.

use super::Theme;
use wayfare_core::DVec3;

/// What to draw and how large.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawConfig {
    /// Width of the picture [px]; 100 .. 20000.
    pub width: f64,
    /// Fill the cells with colours, neighbours in different ones.
    pub cells: bool,
    /// Draw the portals between cells.
    pub portals: bool,
    /// Paint what cannot be walked on, in and round the map.
    pub obstacles: bool,
    /// Mark the notches that relaxed cells ignore.
    pub notches: bool,
    /// Draw this storey of a mesh, or this layer of a floor plan, alone.
    pub storey: Option<u32>,
    /// Write each cell's number into it where it fits.
    pub labels: bool,
    /// Draw a scale bar below the map.
    pub scale_bar: bool,
    /// A line of text below the map, at the right.
    pub caption: Option<String>,
    /// Light, dark, or what the viewer prefers.
    pub theme: Theme,
}

impl Default for DrawConfig {
    fn default() -> Self {
        Self {
            width: 1200.0,
            cells: true,
            portals: true,
            obstacles: true,
            notches: true,
            storey: None,
            labels: false,
            scale_bar: true,
            caption: None,
            theme: Theme::Auto,
        }
    }
}

/// A picture cannot be drawn like that.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The width is no size of a picture.
    #[error("a picture {0} px wide cannot be drawn; take 100 to 20000")]
    Width(f64),
    /// The layer is not there.
    #[error("there is no layer {asked}; there are: {}", words(.known))]
    NoLayer {
        /// The one that was asked for.
        asked: u32,
        /// Those that are there.
        known: Vec<u32>,
    },
    /// The storey is not there.
    #[error("there is no storey {asked}; there are: {}", words(.known))]
    NoStorey {
        /// The one that was asked for.
        asked: u32,
        /// Those that are there.
        known: Vec<u32>,
    },
}

/// Numbers, not too many.
fn words(known: &[u32]) -> String {
    let words: Vec<String> = known.iter().take(20).map(u32::to_string).collect();
    let more = if known.len() > words.len() { ", …" } else { "" };
    if words.is_empty() { "none".into() } else { format!("{}{more}", words.join(", ")) }
}

impl DrawConfig {
    /// Fails when a field is out of its range.
    pub fn check(&self) -> Result<(), DrawError> {
        if (100.0..=20000.0).contains(&self.width) { Ok(()) } else { Err(DrawError::Width(self.width)) }
    }
}

/// What is laid over the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// The points of a path, from start to goal.
    pub path: Vec<DVec3>,
    /// Where the path begins, also when there is none.
    pub start: Option<DVec3>,
    /// Where the path leads, also when there is none.
    pub goal: Option<DVec3>,
    /// Radius of the body that walks: what it sweeps is painted [m].
    pub radius: f64,
    /// Paths of other bodies, with their radii [m].
    pub others: Vec<(Vec<DVec3>, f64)>,
    /// Ways through the air, drawn dashed.
    pub flights: Vec<Vec<DVec3>>,
    /// A path to compare with, drawn dashed.
    pub compared: Vec<DVec3>,
    /// A place where the body does not fit, and the radius of the largest disc that does [m].
    pub narrow: Option<(DVec3, f64)>,
    /// A place where the way is closed.
    pub closed: Option<DVec3>,
    /// Two places that a path would have to join.
    pub gap: Option<[DVec3; 2]>,
}

impl Marks {
    /// A path with its ends.
    pub fn path(points: Vec<DVec3>) -> Self {
        Self { start: points.first().copied(), goal: points.last().copied(), path: points, ..Self::default() }
    }
}
