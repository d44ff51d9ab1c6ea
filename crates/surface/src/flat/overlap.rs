//! Whether a closed polygon is simple.
//!
//! A map without flipped faces whose border is simple is one to one; so this decides whether a flat chart overlaps itself.
//! Cost: O(n log n) for the sorting, and what lies side by side; O(n²) at worst.

use wayfare_core::DVec2;
use wayfare_geom::predicates::{is_between, orient, segments_touch};

/// Whether no side of a closed polygon touches another but its neighbours, and those in their common corner only, and it runs
/// counter-clockwise.
pub fn is_simple(polygon: &[DVec2]) -> bool {
    is_polygon(polygon) && crossings(polygon, 1).is_empty()
}

/// Whether a closed polygon has three corners or more and runs counter-clockwise.
pub fn is_polygon(polygon: &[DVec2]) -> bool {
    polygon.len() >= 3 && polygon.iter().all(|p| p.is_finite()) && double_area(polygon) > 0.0
}

/// Pairs of sides of a closed polygon, each by its first corner, that touch where they should not; no more than so many.
pub fn crossings(polygon: &[DVec2], most: usize) -> Vec<[usize; 2]> {
    let n = polygon.len();
    let mut found = Vec::new();
    let ends = |k: usize| (polygon[k], polygon[(k + 1) % n]);
    let mut order: Vec<usize> = (0..n).collect();
    let low = |k: usize| ends(k).0.x.min(ends(k).1.x);
    order.sort_unstable_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
    let mut active: Vec<usize> = Vec::new();
    for k in order {
        let (a, b) = ends(k);
        if a == b {
            found.push([k, k]);
        }
        let from = a.x.min(b.x);
        active.retain(|&other| ends(other).0.x.max(ends(other).1.x) >= from);
        for &other in &active {
            let (c, d) = ends(other);
            let touches = if (other + 1) % n == k {
                folds_back(c, a, b)
            } else if (k + 1) % n == other {
                folds_back(a, b, d)
            } else {
                segments_touch(a, b, c, d)
            };
            if touches {
                found.push([other, k]);
            }
            if found.len() >= most {
                return found;
            }
        }
        active.push(k);
    }
    found
}

/// Whether the side from the corner runs back over the side to it.
fn folds_back(before: DVec2, corner: DVec2, after: DVec2) -> bool {
    orient(before, corner, after) == 0.0
        && (is_between(before, corner, after) || is_between(corner, after, before))
}

/// Whether three points turn left, exactly; not if one is NaN.
pub fn is_upright([a, b, c]: [DVec2; 3]) -> bool {
    orient(a, b, c) > 0.0
}

/// Twice the area of a polygon; negative if it runs clockwise.
pub fn double_area(polygon: &[DVec2]) -> f64 {
    let Some(&origin) = polygon.first() else { return 0.0 };
    polygon.windows(2).map(|pair| (pair[0] - origin).perp_dot(pair[1] - origin)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn simple_polygons_are_told_from_those_that_cross_or_touch_themselves() {
        let square = [dvec2(0., 0.), dvec2(1., 0.), dvec2(1., 1.), dvec2(0., 1.)];
        assert!(is_simple(&square));
        let clockwise: Vec<DVec2> = square.iter().rev().copied().collect();
        assert!(!is_simple(&clockwise));
        assert!(!is_simple(&[square[0], square[2], square[1], square[3]]), "crosses");
        let touches = [dvec2(0., 0.), dvec2(2., 0.), dvec2(2., 2.), dvec2(1., 0.), dvec2(0., 2.)];
        assert!(!is_simple(&touches));
        let spike = [dvec2(0., 0.), dvec2(2., 0.), dvec2(1., 0.), dvec2(1., 1.)];
        assert!(!is_simple(&spike));
        let straight = [dvec2(0., 0.), dvec2(1., 0.), dvec2(2., 0.), dvec2(1., 1.)];
        assert!(is_simple(&straight), "a corner of 180 degrees is one");
    }
}
