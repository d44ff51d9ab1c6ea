//! A path of a body without points that it does not need, and with the others where it is shorter.

use super::distance::nearest_on_segment;
use wayfare_core::DVec3;

/// Rounds at most, and the share by which one must shorten to be followed by another.
const ROUNDS: usize = 24;
const ENOUGH: f64 = 1e-4;

/// The length of a path [m].
pub(super) fn length(points: &[DVec3]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// The path, pulled as far as straight lines stay clear.
pub(super) fn shorten(mut points: Vec<DVec3>, clear: &impl Fn(DVec3, DVec3) -> bool) -> Vec<DVec3> {
    // As far as one gets straight, from each point that is left.
    let mut kept = vec![points[0]];
    let mut k = 0;
    while k + 1 < points.len() {
        k = (k + 2..points.len()).rev().find(|&j| clear(points[k], points[j])).unwrap_or(k + 1);
        kept.push(points[k]);
    }
    points = kept;
    for pass in 0..2 {
        if pass == 1 {
            // More points beside the bends: a rope round a corner has many.
            let halves = points.windows(2).flat_map(|pair| [pair[0], pair[0].midpoint(pair[1])]);
            points = halves.chain(points.last().copied()).collect();
        }
        for _ in 0..ROUNDS {
            let before = length(&points);
            let mut k = 1;
            while k + 1 < points.len() {
                let (a, p, b) = (points[k - 1], points[k], points[k + 1]);
                if pass == 0 && clear(a, b) {
                    points.remove(k);
                    k = k.saturating_sub(1).max(1);
                    continue;
                }
                let target = nearest_on_segment(a, b, p);
                let moved = [1.0, 0.5, 0.25, 0.125].map(|share| p + (target - p) * share);
                if let Some(&q) = moved.iter().find(|&&q| clear(a, q) && clear(q, b))
                    && a.distance(q) + q.distance(b) < a.distance(p) + p.distance(b)
                {
                    points[k] = q;
                }
                k += 1;
            }
            if length(&points) > before * (1.0 - ENOUGH) {
                break;
            }
        }
    }
    let mut k = 1;
    while k + 1 < points.len() {
        if clear(points[k - 1], points[k + 1]) {
            points.remove(k);
        } else {
            k += 1;
        }
    }
    points
}
