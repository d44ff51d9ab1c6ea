//! Fewer points for the same line.

mod rings;

pub use rings::simplify_rings;

use crate::{predicates::orient, segment::distance_squared_to_segment};
use wayfare_core::DVec2;

/// Which points of an open chain are kept so that no dropped point is farther than `tolerance` [m] from the
/// chord that replaces it. The two ends are always kept.
pub fn keep_by_distance(chain: &[DVec2], tolerance: f64) -> Vec<bool> {
    let mut keep = vec![false; chain.len()];
    let Some(last) = chain.len().checked_sub(1) else { return keep };
    (keep[0], keep[last]) = (true, true);
    keep_between(chain, 0, last, tolerance, &mut keep, &mut Vec::new());
    keep
}

/// Keeps what is needed between two points that are kept; `stack` is only memory to work in. A chord without
/// length gets a point in any case: it could not be told which way it runs.
///
/// Source: Ramer 1972; Douglas and Peucker 1973. A stack in place of the recursion: chains may be long.
fn keep_between(
    chain: &[DVec2],
    from: usize,
    to: usize,
    tolerance: f64,
    keep: &mut [bool],
    stack: &mut Vec<(usize, usize)>,
) {
    let limit = tolerance * tolerance;
    stack.clear();
    stack.push((from, to));
    while let Some((from, to)) = stack.pop() {
        let Some((distance, middle)) = farthest(chain, from, to) else { continue };
        if distance > limit || distance > 0.0 && chain[from] == chain[to] {
            keep[middle] = true;
            stack.extend([(from, middle), (middle, to)]);
        }
    }
}

/// The point between two others that is farthest from their chord, with its squared distance; the first of
/// equally far ones.
fn farthest(chain: &[DVec2], from: usize, to: usize) -> Option<(f64, usize)> {
    let mut best: Option<(f64, usize)> = None;
    for k in from + 1..to {
        let distance = distance_squared_to_segment(chain[k], chain[from], chain[to]);
        if best.is_none_or(|best| distance > best.0) {
            best = Some((distance, k));
        }
    }
    best
}

/// Whether a chain, closed by its chord, winds round a point that does not lie on it.
pub fn winds_round(chain: &[DVec2], p: DVec2) -> bool {
    let mut turns = 0;
    for (k, &u) in chain.iter().enumerate() {
        let v = chain[(k + 1) % chain.len()];
        turns += i32::from(u.y <= p.y && p.y < v.y && orient(u, v, p) > 0.0);
        turns -= i32::from(v.y <= p.y && p.y < u.y && orient(u, v, p) < 0.0);
    }
    turns != 0
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
