//! Cuts off what lies behind the portals of a face, so that the core is as narrow as it can be.
//!
//! Idea: a path that only passes through a convex face stays between the portals it may use. What lies beyond the chord
//! from the end of one such portal to the start of the next is left only over that chord: a dead end, whatever
//! else hangs on it. Large cells reach into every nook of a wall; trimmed, they reach no further than needed, and
//! most corners in the nooks are none any more.
//! Needs a convex ring. Promises convex pieces with area that cover it; the first is what lies between the portals.
//! Cost: O(edges). On `aurora-merged` it leaves 2,806 of 3,871 corners in the core and 10,589 of 25,554 edges in the
//!   graph, on `ost000t` in our own cells 2,073 of 2,927 and 21,130 of 50,483.

use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;

/// The pieces of a face as indices into its ring; none if nothing can be cut off. `is_passage` tells for each edge
/// (from its vertex to the next) whether paths may pass through it; dead ends are no passage.
pub(crate) fn trim(ring: &[DVec2], is_passage: &[bool]) -> Option<Vec<Vec<usize>>> {
    let n = ring.len();
    let first = (0..n).find(|&k| is_passage[k] && !is_passage[(k + n - 1) % n])?;
    if is_passage.iter().filter(|&&is| is).count() < 2 {
        return None;
    }
    let is_flat =
        |piece: &[usize]| piece[2..].iter().all(|&k| orient(ring[piece[0]], ring[piece[1]], ring[k]) == 0.0);
    let mut middle = Vec::new();
    let mut off = Vec::new();
    // Runs of edges without a passage, each from the end of a passage to the start of the next.
    let mut k = first;
    while k < first + n {
        middle.push(k % n);
        if is_passage[k % n] {
            k += 1;
            continue;
        }
        let end = (k..=first + n).find(|&j| is_passage[j % n]).unwrap_or(first + n);
        let piece: Vec<usize> = (k..=end).map(|j| j % n).collect();
        if piece.len() > 2 && !is_flat(&piece) {
            off.push(piece);
        } else {
            middle.extend((k + 1..end).map(|j| j % n));
        }
        k = end;
    }
    // Portals on one line leave nothing between them.
    if off.is_empty() || middle.len() < 3 || is_flat(&middle) {
        return None;
    }
    off.insert(0, middle);
    Some(off)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn octagon() -> Vec<DVec2> {
        [(1, 0), (2, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 2), (0, 1)]
            .map(|(x, y)| dvec2(x.into(), y.into()))
            .to_vec()
    }

    #[test]
    fn only_what_lies_between_the_passages_is_left() {
        let passages = |list: &[usize]| (0..8).map(|k| list.contains(&k)).collect::<Vec<_>>();
        let pieces = trim(&octagon(), &passages(&[0, 4])).unwrap();
        assert_eq!(pieces, [vec![0, 1, 4, 5], vec![1, 2, 3, 4], vec![5, 6, 7, 0]]);
        // Neighbouring passages, and a run of one edge that stays.
        let pieces = trim(&octagon(), &passages(&[0, 1, 3])).unwrap();
        assert_eq!(pieces, [vec![0, 1, 2, 3, 4], vec![4, 5, 6, 7, 0]]);
        assert_eq!(trim(&octagon(), &passages(&[0, 2, 4, 6])), None);
        assert_eq!(trim(&octagon(), &passages(&[5])), None);
        assert_eq!(trim(&octagon(), &[true; 8]), None);
        assert_eq!(trim(&octagon(), &[false; 8]), None);
    }

    #[test]
    fn nothing_flat_is_cut_off_or_left() {
        // A rectangle with vertices along its sides.
        let ring = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (0, 1)].map(|(x, y)| dvec2(x.into(), y.into()));
        // Passages on both short sides: the long side's vertices lie on the chord.
        assert_eq!(trim(&ring, &[false, false, false, true, false, true]), None);
        // Both passages on the long side: there is nothing between them.
        assert_eq!(trim(&ring, &[true, false, true, false, false, false]), None);
    }
}
