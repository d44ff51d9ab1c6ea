//! Cuts a cell that is not quite convex into convex pieces.
//!
//! Idea: relaxed cells keep notches that the bake ignored, and rounding beside a split point may leave a
//! hair-thin one. The search needs exactly convex faces, so such a cell is triangulated and the
//! triangles are merged again wherever both ends of a diagonal stay convex.
//! Source: ear clipping after Meisters 1975; merging after Hertel and Mehlhorn 1983.
//! Steps: 1. clip ears, the roundest first among neighbours  2. drop every diagonal that no notch needs
//! Needs a simple ring that runs counter-clockwise. Promises pieces that use only the ring's own vertices,
//! cover it without overlap, and are convex by exact test. A ring that rounding has made
//! cross itself still ends, in pieces that may be degenerate.
//! Cost: O(n · notches) for the ears in the common case; cells have a few dozen vertices.

use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;

/// Whether no corner of the ring turns right.
pub(crate) fn is_convex(ring: &[DVec2]) -> bool {
    let n = ring.len();
    (0..n).all(|k| orient(ring[k], ring[(k + 1) % n], ring[(k + 2) % n]) >= 0.0)
}

/// The convex pieces as indices into the ring, each counter-clockwise.
pub(crate) fn convex_pieces(ring: &[DVec2]) -> Vec<Vec<usize>> {
    merge(ring, clip_ears(ring))
}

fn clip_ears(ring: &[DVec2]) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..ring.len()).collect();
    let mut triangles = Vec::with_capacity(ring.len().saturating_sub(2));
    let mut at = 0;
    while left.len() > 3 {
        let n = left.len();
        // The next ear from where the last one was: long runs are cut as a fan, which merges back well.
        let ear = (0..n).map(|k| (at + k) % n).find(|&k| is_ear(ring, &left, k));
        // Only a ring that crosses itself has no ear; its sharpest left turn goes first.
        let k = ear.unwrap_or_else(|| {
            let turn = |k: usize| orient(ring[left[(k + n - 1) % n]], ring[left[k]], ring[left[(k + 1) % n]]);
            (0..n).max_by(|&a, &b| turn(a).total_cmp(&turn(b)).then(b.cmp(&a))).unwrap_or(0)
        });
        triangles.push(vec![left[(k + n - 1) % n], left[k], left[(k + 1) % n]]);
        left.remove(k);
        at = k % left.len();
    }
    triangles.push(left);
    triangles
}

fn is_ear(ring: &[DVec2], left: &[usize], k: usize) -> bool {
    let n = left.len();
    let (before, after) = ((k + n - 1) % n, (k + 1) % n);
    let [a, b, c] = [before, k, after].map(|k| ring[left[k]]);
    if orient(a, b, c) <= 0.0 {
        return false;
    }
    // No other vertex in the closed triangle: not even on the diagonal, which would leave a flat rest.
    (0..n).filter(|&j| j != before && j != k && j != after).all(|j| {
        let p = ring[left[j]];
        if p == a || p == b || p == c {
            // The ring touches itself there. That is no hindrance unless it goes on into the triangle, or along
            // the diagonal.
            let ends = [(j + n - 1) % n, (j + 1) % n].map(|j| ring[left[j]]);
            return ends.iter().all(|&end| {
                if p == a {
                    orient(a, b, end) <= 0.0 || orient(a, c, end) > 0.0
                } else if p == b {
                    orient(b, c, end) <= 0.0 || orient(b, a, end) >= 0.0
                } else {
                    orient(c, a, end) < 0.0 || orient(c, b, end) >= 0.0
                }
            });
        }
        orient(a, b, p) < 0.0 || orient(b, c, p) < 0.0 || orient(c, a, p) < 0.0
    })
}

fn merge(ring: &[DVec2], mut pieces: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut k = 0;
    while k < pieces.len() {
        match (k + 1..pieces.len()).find_map(|j| union(ring, &pieces[k], &pieces[j]).map(|both| (j, both))) {
            Some((j, both)) => {
                pieces[k] = both;
                pieces.remove(j);
            }
            None => k += 1,
        }
    }
    pieces
}

/// The union of two pieces that share a diagonal, if it is convex.
fn union(ring: &[DVec2], one: &[usize], two: &[usize]) -> Option<Vec<usize>> {
    let (n, m) = (one.len(), two.len());
    let (i, j) = (0..n).find_map(|i| {
        let j = (0..m).find(|&j| two[j] == one[(i + 1) % n] && two[(j + 1) % m] == one[i])?;
        Some((i, j))
    })?;
    let mut both: Vec<usize> = (0..n).map(|k| one[(i + 1 + k) % n]).collect();
    both.extend((0..m - 2).map(|k| two[(j + 2 + k) % m]));
    let points: Vec<DVec2> = both.iter().map(|&k| ring[k]).collect();
    is_convex(&points).then_some(both)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;
    use wayfare_geom::ring_area;

    fn check(ring: &[DVec2], most: usize) {
        let pieces = convex_pieces(ring);
        assert!(pieces.len() <= most, "{pieces:?}");
        let mut area = 0.0;
        for piece in &pieces {
            let points: Vec<DVec2> = piece.iter().map(|&k| ring[k]).collect();
            assert!(is_convex(&points), "{points:?}");
            assert!(ring_area(&points) > 0.0);
            area += ring_area(&points);
        }
        assert!((area - ring_area(ring)).abs() <= 1e-12 * area);
    }

    #[test]
    fn a_notch_splits_a_cell_in_two() {
        let ring = [(0., 0.), (4., 0.), (4., 4.), (2., 3.9), (0., 4.)].map(|(x, y)| dvec2(x, y));
        check(&ring, 2);
    }

    #[test]
    fn flat_vertices_survive_and_leave_no_flat_piece() {
        let ring = [
            (0., 0.),
            (1., 0.),
            (2., 0.),
            (4., 0.),
            (4., 2.),
            (4., 4.),
            (3., 4.),
            (2., 3.9),
            (1., 4.),
            (0., 4.),
        ]
        .map(|(x, y)| dvec2(x, y));
        check(&ring, 3);
        let flat = [(0., 0.), (1., 0.), (2., 0.), (3., 0.), (1., 1.)].map(|(x, y)| dvec2(x, y));
        check(&flat, 1);
    }

    #[test]
    fn a_notch_of_one_unit_in_the_last_place_is_cut() {
        let ring = [dvec2(0., 0.), dvec2(4., 0.), dvec2(4., 1.), dvec2(2., 1f64.next_down()), dvec2(0., 1.)];
        assert!(!is_convex(&ring));
        check(&ring, 2);
    }

    #[test]
    fn a_ring_that_crosses_itself_still_ends() {
        let ring = [(0., 0.), (4., 4.), (4., 0.), (0., 4.), (-1., 2.)].map(|(x, y)| dvec2(x, y));
        assert!(!convex_pieces(&ring).is_empty());
    }
}
