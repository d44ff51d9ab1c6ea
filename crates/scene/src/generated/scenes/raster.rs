//! Truth on a lattice: where all sides of things lie on lines 0.1 m apart, free ground is a set of squares, and the outlines of
//! squares are exact.

use super::truth::TrueFloor;
use crate::contour::trace;
use wayfare_core::{DVec2, dvec2};

/// Lines of the lattice per metre.
const PER_METRE: f64 = 10.0;

/// A lattice line in metres: the same bits wherever the line is used.
pub(super) fn metres(line: i32) -> f64 {
    f64::from(line) / PER_METRE
}

/// A rectangle of squares: from and to, the latter not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squares {
    pub x: [i32; 2],
    pub y: [i32; 2],
}

impl Squares {
    /// By its left lower corner and its size.
    pub const fn new([x, y]: [i32; 2], [width, depth]: [i32; 2]) -> Self {
        Self { x: [x, x + width], y: [y, y + depth] }
    }
    pub fn contains(&self, x: i32, y: i32) -> bool {
        self.x[0] <= x && x < self.x[1] && self.y[0] <= y && y < self.y[1]
    }
    pub fn min(&self) -> DVec2 {
        dvec2(metres(self.x[0]), metres(self.y[0]))
    }
    pub fn max(&self) -> DVec2 {
        dvec2(metres(self.x[1]), metres(self.y[1]))
    }
}

/// The free squares inside of `all`, as flat ground.
pub(super) fn free_floors(all: Squares, z: f64, is_free: impl Fn(i32, i32) -> bool) -> Vec<TrueFloor> {
    let size = |range: [i32; 2]| usize::try_from(range[1] - range[0]).unwrap_or(0);
    let fill = |k: usize, row: &mut [bool]| {
        for (i, square) in row.iter_mut().enumerate() {
            *square = is_free(all.x[0] + i as i32, all.y[0] + k as i32);
        }
    };
    let place = |x: u32, y: u32| dvec2(metres(all.x[0] + x as i32), metres(all.y[0] + y as i32));
    let polygons = trace(size(all.x), size(all.y), fill, place);
    polygons.into_iter().map(|polygon| TrueFloor::level(polygon, z)).collect()
}
