//! The few places where a distance may be called zero, as named fields of one value.
//!
//! The sign of an orientation never comes from here: exact predicates decide that.

/// Coordinates beyond this [m] are refused at the door: doubles resolve 2 nm there.
pub const MAX_COORDINATE: f64 = 1e7;

/// Distances that count as zero, relative to the scene's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// How far a computed point may lie off the line it was computed on [m]: points that split
    /// an edge are rounded to doubles.
    pub on_line: f64,
    /// A notch up to this depth is flat [m]: lines that were drawn straight come as rounded numbers.
    pub flat: f64,
}

impl Tolerance {
    /// The tolerances of a scene whose coordinates reach `extent` [m] from the origin.
    pub fn of_extent(extent: f64) -> Self {
        // A point computed on a line is off by a few units in the last place of the largest
        // coordinate (2^-53 each); 2^-43 leaves three digits of room and is 0.1 µm at 1000 km.
        // Drawing programs write coordinates with noise in the last of about 11 digits; 2^-36 is 15 nm at 1 km.
        Self { on_line: extent * 2f64.powi(-43), flat: extent * 2f64.powi(-36) }
    }
}
