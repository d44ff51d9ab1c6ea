//! Orientation signs for the search, exact like [`wayfare_geom::predicates`] but cheaper on grids.
//!
//! Idea: on grid maps a third of all tests meets three points on one line, the one case in which the
//! adaptive predicate must go its long way. If every coordinate is a multiple of 2⁻¹⁰ m (1 mm) and at most
//! 2¹⁴ m, then differences need 25 bits, products 50 and their difference 51: the plain determinant has no
//! rounding at all. Whether that holds is known once for the mesh and once per query for its two ends.

use wayfare_core::DVec2;
use wayfare_geom::predicates;

const STEPS_PER_METRE: f64 = 1024.0;
const LARGEST: f64 = 16384.0;

/// Signs of orientations; `exact_plain` when all points that will ever be asked about lie on the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orient {
    pub exact_plain: bool,
}

impl Orient {
    /// Positive if `a`, `b`, `c` turn left, negative if they turn right, zero if they lie on one line.
    #[inline(always)]
    pub fn sign(self, a: DVec2, b: DVec2, c: DVec2) -> f64 {
        if self.exact_plain { (b - a).perp_dot(c - a) } else { predicates::orient(a, b, c) }
    }

    /// The same signs for a query that adds the point `p`.
    pub fn with(self, p: DVec2) -> Self {
        Self { exact_plain: self.exact_plain && is_on_grid(p) }
    }
}

/// Whether a plain determinant of such points is exact.
pub(crate) fn is_on_grid(p: DVec2) -> bool {
    // A cast truncates, and is one instruction where `fract` may be a call.
    let fits = |x: f64| x.abs() <= LARGEST && (x * STEPS_PER_METRE) as i64 as f64 == x * STEPS_PER_METRE;
    fits(p.x) && fits(p.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    #[test]
    fn only_short_dyadic_numbers_are_on_the_grid() {
        assert!(is_on_grid(dvec2(-16384.0, 0.125)));
        assert!(!is_on_grid(dvec2(16384.5, 0.0)));
        assert!(!is_on_grid(dvec2(0.1, 0.0)));
        assert!(!is_on_grid(dvec2(f64::NAN, 0.0)));
    }

    proptest! {
        #[test]
        fn the_plain_sign_is_the_exact_sign_on_the_grid(k in prop::array::uniform6(-(1i64 << 24)..(1i64 << 24) + 1)) {
            let p = |a: i64, b: i64| dvec2(a as f64, b as f64) / STEPS_PER_METRE;
            let (a, b, c) = (p(k[0], k[1]), p(k[2], k[3]), p(k[4], k[5]));
            let plain = Orient { exact_plain: true };
            let exact = Orient { exact_plain: false };
            for (a, b, c) in [(a, b, c), (a, b, (a + b) / 2.0), (a, a, b)] {
                if is_on_grid(a) && is_on_grid(b) && is_on_grid(c) {
                    prop_assert_eq!(plain.sign(a, b, c).partial_cmp(&0.0), exact.sign(a, b, c).partial_cmp(&0.0));
                }
            }
        }
    }
}
