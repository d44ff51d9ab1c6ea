//! Doubles to integers and back.

use crate::{Aabb2, validate::RingSet};
use std::cmp::Ordering;
use wayfare_core::{DVec2, dvec2};

/// A point of a [`Grid`], in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Units along x.
    pub x: i64,
    /// Units along y.
    pub y: i64,
}

impl Node {
    /// A number that orders points as they are ordered themselves, for sorts that compare many.
    #[inline(always)]
    pub fn rank(self) -> u128 {
        // Turning the sign bit round puts negative numbers first.
        let bits = |value: i64| u128::from(value as u64 ^ 1 << 63);
        bits(self.x) << 64 | bits(self.y)
    }
}

/// The order of pairs of points, as that of the arrays, but without a loop.
#[inline(always)]
pub fn compare_ends(a: &[Node; 2], b: &[Node; 2]) -> Ordering {
    a[0].rank().cmp(&b[0].rank()).then_with(|| a[1].rank().cmp(&b[1].rank()))
}

/// Coordinates on the grid have at most this many bits beside the sign: products of three of them, which the
/// point where two edges cross needs, then fit 128 bits, and edges that miss a vertex by rounding errors of
/// doubles are caught on it.
const LOCAL_BITS: i32 = 40;

/// A square grid whose points are doubles in both coordinates, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    spacing: f64,
    /// The grid point that counts as zero, in units.
    origin: Node,
}

impl Grid {
    /// The grid of some rings: as fine as `LOCAL_BITS` bits allow for their size and doubles for their distance
    /// from the origin.
    pub fn of_rings(rings: &RingSet) -> Self {
        Self::of_bounds(Aabb2::of_points(rings.points().iter().copied()))
    }
    /// The grid of whatever lies in a box: as fine as `LOCAL_BITS` bits allow for its size and doubles for its distance
    /// from the origin.
    pub fn of_bounds(bounds: Aabb2) -> Self {
        let (size, extent) = (bounds.size().max_element(), bounds.extent());
        let exponent =
            (exponent_above(size) - LOCAL_BITS).max(exponent_above(extent) - f64::MANTISSA_DIGITS as i32);
        let mut grid = Self { spacing: 2f64.powi(exponent), origin: Node { x: 0, y: 0 } };
        if extent.is_finite() {
            grid.origin = grid.round((bounds.min + bounds.max) / 2.0);
        }
        grid
    }
    /// Distance of neighbouring grid points [m]; a power of two.
    pub fn spacing(self) -> f64 {
        self.spacing
    }
    /// The nearest grid point.
    pub fn round(self, p: DVec2) -> Node {
        // Dividing by a power of two is exact; ties go to the even number, the same on every machine.
        let unit = |x: f64| (x / self.spacing).round_ties_even() as i64;
        Node { x: unit(p.x) - self.origin.x, y: unit(p.y) - self.origin.y }
    }
    /// A grid point as doubles, exactly.
    pub fn place(self, p: Node) -> DVec2 {
        let value = |units: i64| units as f64 * self.spacing;
        dvec2(value(p.x + self.origin.x), value(p.y + self.origin.y))
    }
}

/// The least power of two above a length; 2⁰ for none.
fn exponent_above(length: f64) -> i32 {
    if !(length > 0.0 && length.is_finite()) {
        return 0;
    }
    // The bits of a double hold its exponent; numbers too small to be normal count as the smallest normal one.
    let biased = (length.to_bits() >> 52) as i32;
    biased.max(1) - 1022
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_exponent_is_that_of_the_next_power_of_two() {
        assert_eq!([1.0, 1.5, 2.0, 0.75, 1e7].map(exponent_above), [1, 1, 2, 0, 24]);
        assert_eq!([0.0, f64::NAN, f64::INFINITY].map(exponent_above), [0, 0, 0]);
    }

    proptest! {
        #[test]
        fn ranks_order_points_as_points_are_ordered(
            a in any::<[i64; 2]>(), b in any::<[i64; 2]>(), c in -2i64..2, d in -2i64..2
        ) {
            let node = |[x, y]: [i64; 2]| Node { x, y };
            let all = [node(a), node(b), node([a[0], b[1]]), node([c, d]), node([d, c]), node([c, a[1]])];
            for p in all {
                for q in all {
                    prop_assert_eq!(p.rank().cmp(&q.rank()), p.cmp(&q));
                    prop_assert_eq!(compare_ends(&[p, q], &[q, p]), [p, q].cmp(&[q, p]));
                }
            }
        }

        #[test]
        fn rounding_moves_by_half_a_unit_and_grid_points_come_back(
            x in -1e7..1e7f64, y in -1e7..1e7f64, size in 1e-3..1e7f64, a in 0.0..1.0f64, b in 0.0..1.0f64
        ) {
            let far = dvec2((x + size).min(1e7), (y + size).min(1e7));
            let mut rings = RingSet::new();
            rings.push([dvec2(x, y), far]);
            let grid = Grid::of_rings(&rings);
            let p = dvec2(x, y) + dvec2(a, b) * (far - dvec2(x, y));
            let node = grid.round(p);
            prop_assert!(node.x.abs() <= 1 << LOCAL_BITS && node.y.abs() <= 1 << LOCAL_BITS);
            prop_assert!((grid.place(node) - p).abs().max_element() <= grid.spacing() / 2.0);
            prop_assert_eq!(grid.round(grid.place(node)), node);
        }
    }
}
