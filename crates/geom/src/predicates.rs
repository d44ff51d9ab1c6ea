//! Signs that are right: every geometric decision of wayfare goes through here.
//!
//! Source: Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric
//! predicates", as implemented by the crate `robust`. Valid while no product overflows or
//! underflows, which the limit on coordinates guarantees for the upper side.

use robust::Coord;
use wayfare_core::DVec2;

fn coord(p: DVec2) -> Coord<f64> {
    Coord { x: p.x, y: p.y }
}

/// Positive if `a`, `b`, `c` turn left, negative if they turn right, zero if they lie on one line.
/// The sign is exact; the value is about twice the triangle's area.
#[inline]
pub fn orient(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    /// Shewchuk's first error bound, (3 + 16 ε) ε with ε = 2^-53: beyond it the plain result has the right sign.
    const BOUND: f64 = 3.330_669_073_875_471_6e-16;
    let left = (a.x - c.x) * (b.y - c.y);
    let right = (a.y - c.y) * (b.x - c.x);
    let turn = left - right;
    if turn.abs() > BOUND * (left.abs() + right.abs()) { turn } else { orient_exactly(a, b, c) }
}

/// The rare case that plain arithmetic cannot decide; kept apart so that the common one is inlined.
#[cold]
#[inline(never)]
fn orient_exactly(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// Whether `a`, `b`, `c` turn left.
#[inline]
pub fn is_left(a: DVec2, b: DVec2, c: DVec2) -> bool {
    orient(a, b, c) > 0.0
}

/// Whether `d` lies inside the circle through the left-turning `a`, `b`, `c` by more than rounding could be the
/// cause of. Circles only choose among triangulations that are all right, so that no more is needed, and the many
/// points of regular shapes that lie on one circle cost no exact arithmetic.
#[inline]
pub fn is_clearly_in_circle(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    /// Shewchuk's first error bound, (10 + 96 ε) ε with ε = 2^-53.
    const BOUND: f64 = 1.110_223_024_625_156_5e-15;
    let (a, b, c) = (a - d, b - d, c - d);
    let products = [[b.x * c.y, c.x * b.y], [c.x * a.y, a.x * c.y], [a.x * b.y, b.x * a.y]];
    let lifts = [a.length_squared(), b.length_squared(), c.length_squared()];
    let (mut sum, mut magnitude) = (0.0, 0.0);
    for ([plus, minus], lift) in products.into_iter().zip(lifts) {
        sum += lift * (plus - minus);
        magnitude += lift * (plus.abs() + minus.abs());
    }
    sum > BOUND * magnitude
}

/// Whether `p`, which lies on the line through `a` and `b`, lies between them or on one of them.
#[inline]
pub fn is_between(a: DVec2, b: DVec2, p: DVec2) -> bool {
    p.x >= a.x.min(b.x) && p.x <= a.x.max(b.x) && p.y >= a.y.min(b.y) && p.y <= a.y.max(b.y)
}

/// Whether the open segments `ab` and `cd` cross in one inner point of both.
pub fn cross_properly(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let (abc, abd) = (orient(a, b, c), orient(a, b, d));
    if !(abc > 0.0 && abd < 0.0 || abc < 0.0 && abd > 0.0) {
        return false;
    }
    let (cda, cdb) = (orient(c, d, a), orient(c, d, b));
    cda > 0.0 && cdb < 0.0 || cda < 0.0 && cdb > 0.0
}

/// Whether the closed segments `ab` and `cd` have a point in common.
pub fn segments_touch(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    // Most that are asked for are told apart by their boxes, or by one line.
    if a.max(b).cmplt(c.min(d)).any() || c.max(d).cmplt(a.min(b)).any() {
        return false;
    }
    let (abc, abd) = (orient(a, b, c), orient(a, b, d));
    if abc > 0.0 && abd > 0.0 || abc < 0.0 && abd < 0.0 {
        return false;
    }
    let (cda, cdb) = (orient(c, d, a), orient(c, d, b));
    let opposite = |s: f64, t: f64| s > 0.0 && t < 0.0 || s < 0.0 && t > 0.0;
    opposite(abc, abd) && opposite(cda, cdb)
        || abc == 0.0 && is_between(a, b, c)
        || abd == 0.0 && is_between(a, b, d)
        || cda == 0.0 && is_between(c, d, a)
        || cdb == 0.0 && is_between(c, d, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn orientation_is_exact_where_plain_arithmetic_fails() {
        // A point one unit in the last place beside the diagonal.
        let (a, b) = (dvec2(0.5, 0.5), dvec2(12.0, 12.0));
        let on = dvec2(24.0, 24.0);
        let left = dvec2(24.0, 24.0f64.next_up());
        assert_eq!(orient(a, b, on), 0.0);
        assert!(orient(a, b, left) > 0.0);
        assert!(orient(b, a, left) < 0.0);
    }

    #[test]
    fn the_shortcut_agrees_with_the_exact_predicate_around_every_line() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / 64.0 - 1e5
        };
        for _ in 0..20_000 {
            let (a, b) = (dvec2(random(), random()), dvec2(random(), random()));
            // On the line but for rounding, and a few units in the last place beside it.
            let mut c = a + (b - a) * (random() / 3e4);
            for _ in 0..3 {
                let exact = robust::orient2d(coord(a), coord(b), coord(c));
                let ours = orient(a, b, c);
                assert_eq!(ours > 0.0, exact > 0.0);
                assert_eq!(ours < 0.0, exact < 0.0);
                c.y = c.y.next_up();
            }
        }
    }

    #[test]
    fn what_is_clearly_in_a_circle_is_in_it_and_little_is_missed() {
        // Points of one circle exactly: 65² = 16² + 63² = 25² + 60² = 33² + 56² = 39² + 52², moved and shaken.
        let circle = [(65., 0.), (16., 63.), (-25., 60.), (-39., -52.), (0., -65.), (33., -56.)];
        for shift in [0.0, 0.1, 1e3, 123_456.7] {
            let p = circle.map(|(x, y): (f64, f64)| dvec2(x + shift, y - shift));
            for (i, j, k, l) in (0..1296).map(|n| (n % 6, n / 6 % 6, n / 36 % 6, n / 216)) {
                if !(i < j && j < k) {
                    continue;
                }
                let step = (p[l] - DVec2::new(shift, -shift)) / 65.0;
                for d in [p[l], p[l] + step * 1e-15, p[l] - step * 1e-15, p[l] - step * 1e-9] {
                    let exact = robust::incircle(coord(p[i]), coord(p[j]), coord(p[k]), coord(d)) > 0.0;
                    let ours = is_clearly_in_circle(p[i], p[j], p[k], d);
                    assert!(exact || !ours);
                    assert!(ours || d != p[l] - step * 1e-9);
                }
            }
        }
    }

    #[test]
    fn crossing_is_proper_only_inside_both_segments() {
        let p = |x: f64, y: f64| dvec2(x, y);
        assert!(cross_properly(p(0., 0.), p(2., 2.), p(0., 2.), p(2., 0.)));
        assert!(!cross_properly(p(0., 0.), p(2., 2.), p(1., 1.), p(2., 0.)));
        assert!(segments_touch(p(0., 0.), p(2., 2.), p(1., 1.), p(2., 0.)));
        assert!(!segments_touch(p(0., 0.), p(1., 1.), p(2., 2.), p(3., 3.)));
        assert!(segments_touch(p(0., 0.), p(2., 0.), p(1., 0.), p(3., 0.)));
    }
}
