//! A 2D plan as it was read: polygons whose union can be walked on.

use wayfare_core::{MAX_COORDINATE, RepairReport};
use wayfare_geom::Polygon;

/// How plans are read.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanOptions {
    /// Metres per unit of the file; > 0.
    pub scale: f64,
    /// The coordinates are planar whatever they look like: no check for degrees.
    pub planar: bool,
    /// Largest file that is read, after inflating [bytes].
    pub max_bytes: u64,
}

impl Default for PlanOptions {
    /// Metres; degrees are refused; files up to 4 GiB.
    fn default() -> Self {
        Self { scale: 1.0, planar: false, max_bytes: 4 << 30 }
    }
}

impl PlanOptions {
    /// The reason why these options cannot be used, if there is one.
    pub fn check(&self) -> Result<(), String> {
        // Written so that NaN fails.
        if !(self.scale > 0.0 && self.scale <= MAX_COORDINATE) {
            return Err(format!("scale = {:?} is outside 0 .. {MAX_COORDINATE:e} m per unit", self.scale));
        }
        Ok(())
    }
}

/// What a file holds: the walkable ground is the union of the polygons.
///
/// Coordinates are finite, in metres and at most [`MAX_COORDINATE`] from the origin; nothing else is
/// promised. Rings are not closed by a repeated point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanSource {
    /// The polygons, in the order of the file.
    pub polygons: Vec<Polygon>,
    /// What the reader mended.
    pub repair: RepairReport,
    /// What the reader assumed or left out, in sentences for people.
    pub notes: Vec<String>,
}

impl PlanSource {
    /// A source made of polygons in memory.
    pub fn from_polygons(polygons: Vec<Polygon>) -> Self {
        Self { polygons, ..Self::default() }
    }
    /// Number of vertices of all polygons.
    pub fn vertex_count(&self) -> usize {
        self.polygons.iter().map(Polygon::len).sum()
    }
}
