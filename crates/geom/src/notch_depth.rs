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
///
/// A ring may touch itself in a point. Where that is a corner of the hull, the pocket between two visits has no edge
/// over it but the point, from which it is measured.
pub fn notch_depths(ring: &[DVec2]) -> Vec<f64> {
    let n = ring.len();
    let mut depths = vec![f64::INFINITY; n];
    let on_hull = on_hull(ring);
    let Some(start) = on_hull.iter().position(|&on| on) else { return depths };
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

/// Whether each corner of a ring is one of its convex hull; all of them, where several lie on one point.
///
/// Source: Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions".
fn on_hull(ring: &[DVec2]) -> Vec<bool> {
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
    let mut on_hull = vec![false; ring.len()];
    for k in hull {
        on_hull[k] = true;
    }
    for same in order.chunk_by(|&a, &b| ring[a] == ring[b]).filter(|same| same.len() > 1) {
        let any = same.iter().any(|&k| on_hull[k]);
        same.iter().for_each(|&k| on_hull[k] = any);
    }
    on_hull
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

    #[test]
    fn depth_does_not_depend_on_the_visit_of_a_hull_corner_that_is_counted() {
        // A square with a hole that hangs at the corner (4, 4), begun at each of its corners.
        let ring =
            [(0., 0.), (4., 0.), (4., 4.), (3., 1.), (1., 3.), (4., 4.), (0., 4.)].map(|(x, y)| dvec2(x, y));
        for turn in 0..ring.len() {
            let mut turned = ring;
            turned.rotate_left(turn);
            let mut depths = notch_depths(&turned);
            depths.rotate_right(turn);
            assert_eq!(&depths[3..5], [10f64.sqrt(); 2]);
            assert_eq!(depths.iter().filter(|depth| depth.is_infinite()).count(), 5);
        }
    }
}
