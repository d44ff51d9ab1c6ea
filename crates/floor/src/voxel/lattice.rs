//! The integers that everything is counted in: positions in parts of a pixel, heights in parts of a metre.

use wayfare_core::{DVec2, DVec3};
use wayfare_geom::Aabb2;

/// Parts of a pixel. Points are rounded to them once, so that all that share a corner agree on its pixel and
/// walls drawn on a lattice lie on the lines of pixels, not beside them by rounding errors.
pub const PARTS: f64 = 4096.0;

/// Units of height per metre.
pub const HEIGHT_UNITS: f64 = 4096.0;

/// Pixels per side at most: positions then fit into 31 bits, and a row of pixels into memory.
const MOST_PIXELS: f64 = 400_000.0;

/// Height of a scene at most [m]: heights, and their differences, then fit into 31 bits.
const TALLEST: f64 = 200_000.0;

/// Pixels up to this size are never too coarse [m].
const COARSEST: f64 = 1.0;

/// Why a lattice cannot be laid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LatticeError {
    /// The pixel is no length.
    #[error("resolution = {0} m is not a positive number")]
    Resolution(f64),
    /// More pixels than can be counted.
    #[error(
        "the scene is {extent:.1} m wide, {pixels:.0} pixels of {resolution} m; at most {MOST_PIXELS} are possible: \
         choose a coarser resolution"
    )]
    TooManyPixels {
        /// Largest side of the scene [m].
        extent: f64,
        /// Pixels along it.
        pixels: f64,
        /// Size of a pixel [m].
        resolution: f64,
    },
    /// Pixels larger than all that there is.
    #[error(
        "resolution = {resolution} m is coarser than the scene, which is {extent:.3} m wide; choose a finer one"
    )]
    TooCoarse {
        /// Size of a pixel [m].
        resolution: f64,
        /// Largest side of the scene [m].
        extent: f64,
    },
    /// Heights that cannot be counted.
    #[error("the scene is {extent:.0} m high, at most {TALLEST} are possible")]
    TooTall {
        /// From the lowest to the highest point [m].
        extent: f64,
    },
}

/// A grid of square pixels over a scene. Pixel (i, k) is the square [i, i+1) × [k, k+1) in pixels from the origin;
/// lines of the grid lie at whole multiples of the resolution in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    resolution: f64,
    /// The world's pixel that is (0, 0) here.
    first: DVec2,
    /// The height that is 0 here, a whole number of metres.
    base: f64,
    columns: u32,
    rows: u32,
}

impl Lattice {
    /// The pixels of `resolution` [m] that cover a box, whose content lies between two heights.
    pub fn covering(bounds: Aabb2, [low, high]: [f64; 2], resolution: f64) -> Result<Self, LatticeError> {
        // Written so that NaN fails.
        if !(resolution > 0.0 && resolution.is_finite()) {
            return Err(LatticeError::Resolution(resolution));
        }
        let extent = bounds.size().max_element();
        let pixels = extent / resolution;
        if pixels.is_nan() || pixels >= MOST_PIXELS {
            return Err(LatticeError::TooManyPixels { extent, pixels, resolution });
        }
        if resolution > extent.max(COARSEST) {
            return Err(LatticeError::TooCoarse { resolution, extent });
        }
        let extent = high - low;
        if extent.is_nan() || extent > TALLEST {
            return Err(LatticeError::TooTall { extent });
        }
        // One more on every side for what rounding moves over a line.
        let first = (bounds.min / resolution).floor() - 1.0;
        let size = (bounds.max / resolution).floor() + 2.0 - first;
        Ok(Self { resolution, first, base: low.floor(), columns: size.x as u32, rows: size.y as u32 })
    }
    /// The lattice of pixels `factor` times as large over the same place, and how many pixels of this one lie before
    /// the first of this one in the first of that, along x and y.
    pub fn coarser(&self, factor: u32) -> (Self, [u32; 2]) {
        let side = f64::from(factor);
        let first = (self.first / side).floor();
        let shift = self.first - first * side;
        let size = DVec2::new(f64::from(self.columns), f64::from(self.rows));
        let size = ((shift + size) / side).ceil();
        let resolution = self.resolution * side;
        let coarse = Self { resolution, first, columns: size.x as u32, rows: size.y as u32, ..*self };
        (coarse, [shift.x as u32, shift.y as u32])
    }
    /// Side of a pixel [m].
    pub fn resolution(&self) -> f64 {
        self.resolution
    }
    /// Pixels along x.
    pub fn columns(&self) -> u32 {
        self.columns
    }
    /// Pixels along y.
    pub fn rows(&self) -> u32 {
        self.rows
    }
    /// A point in parts of a pixel, rounded to whole ones, and in units of height, not rounded.
    pub fn to_units(&self, p: DVec3) -> DVec3 {
        let parts = (p.truncate() / self.resolution - self.first) * PARTS;
        DVec3::new(round(parts.x), round(parts.y), (p.z - self.base) * HEIGHT_UNITS)
    }
    /// A height in units as one in the world [m].
    pub fn height(&self, units: f64) -> f64 {
        self.base + units / HEIGHT_UNITS
    }
    /// A point in pixels as one in the world [m].
    pub fn place(&self, p: DVec2) -> DVec2 {
        (self.first + p) * self.resolution
    }
    /// A point of the world in pixels.
    pub fn pixel(&self, p: DVec2) -> DVec2 {
        p / self.resolution - self.first
    }
    /// The point at a corner of the grid.
    pub fn corner(&self, column: u32, row: u32) -> DVec2 {
        (self.first + DVec2::new(f64::from(column), f64::from(row))) * self.resolution
    }
}

/// The nearest whole number, of two the one farther from 0, as the library's, which is slow where the processor has no word for
/// it; for numbers that are far from the limits of 64 bits.
#[inline]
pub fn round(x: f64) -> f64 {
    let whole = x as i64 as f64;
    let rest = x - whole;
    whole + f64::from(i8::from(rest >= 0.5) - i8::from(rest <= -0.5))
}

/// The largest whole number that is not above a number; the library's is slow where the processor has no word for it.
#[inline]
pub fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole - i64::from(whole as f64 > x)
}

/// The smallest whole number that is not below a number.
#[inline]
pub fn ceil(x: f64) -> i64 {
    let whole = x as i64;
    whole + i64::from((whole as f64) < x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn rounding_is_that_of_the_library() {
        for x in (-400..=400).map(|k| f64::from(k) / 8.0).flat_map(|x| [x.next_down(), x, x.next_up()]) {
            assert_eq!(round(x), x.round(), "{x}");
            assert_eq!([floor(x) as f64, ceil(x) as f64], [x.floor(), x.ceil()], "{x}");
        }
    }

    #[test]
    fn lines_of_the_world_are_lines_of_the_grid() {
        let bounds = Aabb2 { min: dvec2(0.3, -0.7), max: dvec2(12.9, 4.0) };
        let lattice = Lattice::covering(bounds, [0.0, 2.0], 0.1).unwrap();
        // 0.3 / 0.1 is a little less than 3.
        let corner = lattice.to_units(DVec3::new(0.3, -0.7, 1.5));
        assert_eq!(corner, DVec3::new(2.0 * PARTS, PARTS, 1.5 * HEIGHT_UNITS));
        assert!((lattice.corner(2, 1) - bounds.min).length() < 1e-12);
        let far = lattice.to_units(bounds.max.extend(0.0)) / PARTS;
        assert!(far.x < f64::from(lattice.columns()) && far.y < f64::from(lattice.rows()));
    }

    #[test]
    fn coarser_pixels_are_made_of_whole_ones() {
        let bounds = Aabb2 { min: dvec2(-0.35, 0.7), max: dvec2(12.9, 4.0) };
        let fine = Lattice::covering(bounds, [0.0, 2.0], 0.1).unwrap();
        let (coarse, shift) = fine.coarser(4);
        for (k, start) in
            [fine.corner(0, 0) - coarse.corner(0, 0)].iter().flat_map(|d| d.to_array()).zip(shift)
        {
            assert!((k / 0.1 - f64::from(start)).abs() < 1e-9 && start < 4);
        }
        assert!(
            coarse.resolution() == 0.4 && (coarse.corner(1, 1) / 0.4).round() * 0.4 == coarse.corner(1, 1)
        );
        let ends = [fine.corner(fine.columns(), fine.rows()), coarse.corner(coarse.columns(), coarse.rows())];
        assert!((ends[1] - ends[0]).min_element() > -1e-9 && (ends[1] - ends[0]).max_element() < 0.4);
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let bounds = Aabb2 { min: dvec2(0.0, 0.0), max: dvec2(1e6, 1.0) };
        for resolution in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(
                Lattice::covering(bounds, [0.0, 2.0], resolution),
                Err(LatticeError::Resolution(_))
            ));
        }
        let far = Aabb2 { min: dvec2(4e6, -4e6), max: dvec2(4e6 + 9.0, -4e6 + 9.0) };
        assert_eq!(Lattice::covering(far, [0.0, 2.0], 0.5).unwrap().columns(), 21);
        let refused = Lattice::covering(bounds, [0.0, 2.0], 0.1).unwrap_err().to_string();
        assert!(refused.contains("10000000 pixels of 0.1 m"), "{refused}");
        assert!(matches!(Lattice::covering(far, [0.0, 2.0], 10.0), Err(LatticeError::TooCoarse { .. })));
        for heights in [[-1e6, 1e6], [0.0, f64::NAN]] {
            assert!(matches!(Lattice::covering(far, heights, 0.5), Err(LatticeError::TooTall { .. })));
        }
    }
}
