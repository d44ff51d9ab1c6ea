//! Polygons with holes as rings of points.

use crate::Aabb2;
use wayfare_core::DVec2;

/// An outline and its holes; rings are not closed (the first point is not repeated).
///
/// Nothing is promised: what a reader delivers. Outlines of a floor plan run counter-clockwise and
/// holes clockwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    /// The outline.
    pub outer: Vec<DVec2>,
    /// What is cut out of it.
    pub holes: Vec<Vec<DVec2>>,
}

impl Polygon {
    /// A polygon without holes.
    pub fn new(outer: Vec<DVec2>) -> Self {
        Self { outer, holes: Vec::new() }
    }
    /// Outline and holes.
    pub fn rings(&self) -> impl Iterator<Item = &[DVec2]> {
        std::iter::once(self.outer.as_slice()).chain(self.holes.iter().map(Vec::as_slice))
    }
    /// Number of points of all rings.
    pub fn len(&self) -> usize {
        self.rings().map(<[DVec2]>::len).sum()
    }
    /// Whether there is no point at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Area of the outline less the holes [m²], whatever way the rings run.
    pub fn area(&self) -> f64 {
        self.holes.iter().fold(ring_area(&self.outer).abs(), |sum, hole| sum - ring_area(hole).abs())
    }
    /// The box round the outline.
    pub fn bounds(&self) -> Aabb2 {
        Aabb2::of_points(self.outer.iter().copied())
    }
}

/// Signed area of a ring [m²], positive if it runs counter-clockwise.
///
/// Measured from the first point, so that places far from the origin lose no digits.
pub fn ring_area(ring: &[DVec2]) -> f64 {
    let Some(&origin) = ring.first() else { return 0.0 };
    let mut twice = 0.0;
    for pair in ring.windows(2) {
        twice += (pair[0] - origin).perp_dot(pair[1] - origin);
    }
    twice / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn area_counts_holes_and_does_not_lose_digits_far_away() {
        let square = |at: DVec2, side: f64| {
            [dvec2(0., 0.), dvec2(1., 0.), dvec2(1., 1.), dvec2(0., 1.)].map(|p| at + p * side).to_vec()
        };
        let far = dvec2(9e6, -9e6);
        let mut hole = square(far + dvec2(0.25, 0.25), 0.5);
        hole.reverse();
        assert_eq!(ring_area(&hole), -0.25);
        assert_eq!(Polygon { outer: square(far, 1.0), holes: vec![hole] }.area(), 0.75);
        assert_eq!(ring_area(&[]), 0.0);
    }
}
