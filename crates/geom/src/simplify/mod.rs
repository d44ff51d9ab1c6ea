//! Fewer points for the same line.

use crate::segment::distance_squared_to_segment;
use wayfare_core::DVec2;

/// Which points of an open chain are kept so that no dropped point is farther than `tolerance` [m] from the
/// chord that replaces it. The two ends are always kept.
///
/// Source: Ramer 1972; Douglas and Peucker 1973. A stack in place of the recursion: chains may be long.
pub fn keep_by_distance(chain: &[DVec2], tolerance: f64) -> Vec<bool> {
    let mut keep = vec![false; chain.len()];
    let Some(last) = chain.len().checked_sub(1) else { return keep };
    (keep[0], keep[last]) = (true, true);
    let limit = tolerance * tolerance;
    let mut stack = vec![(0, last)];
    while let Some((from, to)) = stack.pop() {
        let mut farthest = (limit, from);
        for k in from + 1..to {
            let distance = distance_squared_to_segment(chain[k], chain[from], chain[to]);
            if distance > farthest.0 {
                farthest = (distance, k);
            }
        }
        let (_, middle) = farthest;
        if middle != from {
            keep[middle] = true;
            stack.extend([(from, middle), (middle, to)]);
        }
    }
    keep
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn dropped_points_lie_near_the_chord_and_ends_stay() {
        let arc: Vec<DVec2> =
            (0..=40).map(|k| f64::from(k) / 40.0).map(|t| dvec2(t * 10.0, 4.0 * t * (1.0 - t))).collect();
        let keep = keep_by_distance(&arc, 0.05);
        assert!(keep[0] && keep[40] && keep.iter().filter(|k| **k).count() < 12);
        let kept: Vec<usize> = (0..arc.len()).filter(|&k| keep[k]).collect();
        for chord in kept.windows(2) {
            for p in &arc[chord[0]..chord[1]] {
                assert!(distance_squared_to_segment(*p, arc[chord[0]], arc[chord[1]]) <= 0.05 * 0.05);
            }
        }
        assert_eq!(keep_by_distance(&arc, 0.0).iter().filter(|k| !**k).count(), 0);
        assert_eq!(keep_by_distance(&arc[..1], 1.0), [true]);
        assert!(keep_by_distance(&[], 1.0).is_empty());
    }
}
