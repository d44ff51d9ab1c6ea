//! How deep the notches of a nearly convex ring are.

use crate::predicates::orient;
use wayfare_core::DVec2;

/// Distance of `p` from the line through `a` and `b` [m].
pub fn line_distance(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    let length = (b - a).length();
    if length > 0.0 { orient(a, b, p).abs() / length } else { (p - a).length() }
}

/// Depth of each corner of a simple counter-clockwise ring below the edge of the convex hull that spans its
/// pocket [m]; infinite on the hull itself, where a simple ring has no notch. O(k log k).
pub fn notch_depths(ring: &[DVec2]) -> Vec<f64> {
    let n = ring.len();
    let mut depths = vec![f64::INFINITY; n];
    let hull = hull(ring);
    let Some(&start) = hull.first() else { return depths };
    let mut on_hull = vec![false; n];
    for &k in &hull {
        on_hull[k] = true;
    }
    let mut pocket = 0;
    for step in 1..=n {
        let k = (start + step) % n;
        if on_hull[k] {
            for j in (pocket + 1..step).map(|step| (start + step) % n) {
                depths[j] = line_distance(ring[(start + pocket) % n], ring[k], ring[j]);
            }
            pocket = step;
        }
    }
    depths
}

/// The corners of the convex hull of a ring.
///
/// Source: Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions".
fn hull(ring: &[DVec2]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ring.len()).collect();
    order.sort_by(|&a, &b| {
        ring[a].x.total_cmp(&ring[b].x).then(ring[a].y.total_cmp(&ring[b].y)).then(a.cmp(&b))
    });
    let mut hull: Vec<usize> = Vec::new();
    let mut chain = |order: &mut dyn Iterator<Item = usize>| {
        let base = hull.len();
        for k in order {
            while hull.len() >= base + 2 {
                let [.., a, b] = hull[..] else { break };
                if orient(ring[a], ring[b], ring[k]) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(k);
        }
        hull.pop();
    };
    chain(&mut order.iter().copied());
    chain(&mut order.iter().rev().copied());
    hull
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn depth_is_measured_from_the_hull_edge_over_the_pocket() {
        // Upper side with two notches and a corner between them that does not reach the hull.
        let ring = [(0., 0.), (8., 0.), (8., 4.), (6., 3.), (4., 3.5), (2., 2.), (0., 4.)];
        let ring = ring.map(|(x, y)| dvec2(x, y));
        assert_eq!(&notch_depths(&ring)[3..6], [1.0, 0.5, 2.0]);
        assert!(notch_depths(&[]).is_empty());
    }
}
