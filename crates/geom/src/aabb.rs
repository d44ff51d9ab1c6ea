//! Axis-aligned boxes in the plane.

use wayfare_core::{DVec2, dvec2};

/// An axis-aligned box; empty while `min > max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb2 {
    /// Lower left corner.
    pub min: DVec2,
    /// Upper right corner.
    pub max: DVec2,
}

impl Aabb2 {
    /// The box of nothing.
    pub const EMPTY: Self =
        Self { min: dvec2(f64::INFINITY, f64::INFINITY), max: dvec2(f64::NEG_INFINITY, f64::NEG_INFINITY) };

    /// The smallest box round the points.
    pub fn of_points(points: impl IntoIterator<Item = DVec2>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }
    /// Grown to hold `p`.
    pub fn with(self, p: DVec2) -> Self {
        Self { min: self.min.min(p), max: self.max.max(p) }
    }
    /// Grown to hold another box.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
    /// Whether the closed boxes have a point in common.
    pub fn touches(self, other: Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }
    /// Whether `p` lies in the closed box.
    pub fn contains(self, p: DVec2) -> bool {
        p.x >= self.min.x && p.x <= self.max.x && p.y >= self.min.y && p.y <= self.max.y
    }
    /// Width and height [m]; zero for the empty box.
    pub fn size(self) -> DVec2 {
        (self.max - self.min).max(DVec2::ZERO)
    }
    /// Square of the distance from `p` to the box, 0 inside.
    pub fn distance_squared(self, p: DVec2) -> f64 {
        (p - p.clamp(self.min, self.max)).length_squared()
    }
    /// The largest absolute coordinate.
    pub fn extent(self) -> f64 {
        self.min.abs().max(self.max.abs()).max_element()
    }
}
