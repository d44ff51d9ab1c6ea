//! Makes one ring as short as it can be without changing the area it goes round: exact, no rounding.
//!
//! Idea: walk along the ring with a stack; of three points on one line the middle one goes. If it lies
//! between the others it is only straight, if not it is the tip of a spike of no area. Taking it away may
//! line up the points before it, so look back, as long as something goes; at the end look round the join.
//! Cost: O(n): every point is pushed once and goes at most once.

use super::DefectKind;
use crate::predicates::{is_between, orient};
use wayfare_core::DVec2;

/// The points of a ring that are needed, by number; those that are not are told to `note`.
/// Fewer than three are left of a ring that goes round nothing but lines.
pub(super) fn needed_points(ring: &[DVec2], mut note: impl FnMut(DefectKind, usize)) -> Vec<usize> {
    // A repeated first point closes the ring; that is not a defect.
    let is_closed = ring.len() > 1 && ring.first() == ring.last();
    let count = ring.len() - usize::from(is_closed);
    let mut kept: Vec<usize> = Vec::with_capacity(count);
    for k in 0..count {
        loop {
            match kept.as_slice() {
                [.., b] if ring[*b] == ring[k] => {
                    note(DefectKind::DuplicateVertex, k);
                    break;
                }
                &[.., a, b] => match needless(ring[a], ring[b], ring[k]) {
                    Some(kind) => {
                        note(kind, b);
                        kept.pop();
                    }
                    None => {
                        kept.push(k);
                        break;
                    }
                },
                _ => {
                    kept.push(k);
                    break;
                }
            }
        }
    }
    // Round the join of the end and the start.
    let mut start = 0;
    while kept.len() - start >= 3 {
        let n = kept.len();
        let [y, z, a, b] = [kept[n - 2], kept[n - 1], kept[start], kept[start + 1]];
        if ring[z] == ring[a] {
            note(DefectKind::DuplicateVertex, z);
            kept.pop();
        } else if let Some(kind) = needless(ring[y], ring[z], ring[a]) {
            note(kind, z);
            kept.pop();
        } else if let Some(kind) = needless(ring[z], ring[a], ring[b]) {
            note(kind, a);
            start += 1;
        } else {
            break;
        }
    }
    kept.drain(..start);
    kept
}

/// Why `b` is not needed between its neighbours `a` and `c`, if it is not.
fn needless(a: DVec2, b: DVec2, c: DVec2) -> Option<DefectKind> {
    if orient(a, b, c) != 0.0 {
        None
    } else if a != c && is_between(a, c, b) {
        Some(DefectKind::StraightVertex)
    } else {
        Some(DefectKind::Spike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    type Notes = Vec<(DefectKind, usize)>;

    fn clean(ring: &[(f64, f64)]) -> (Vec<(f64, f64)>, Notes) {
        let points: Vec<DVec2> = ring.iter().map(|&(x, y)| dvec2(x, y)).collect();
        let mut notes = Vec::new();
        let kept = needed_points(&points, |kind, k| notes.push((kind, k)));
        (kept.into_iter().map(|k| ring[k]).collect(), notes)
    }

    #[test]
    fn a_closed_square_loses_its_closing_point_only() {
        let square = [(0., 0.), (1., 0.), (1., 1.), (0., 1.)];
        assert_eq!(clean(&[&square[..], &square[..1]].concat()), (square.to_vec(), vec![]));
    }

    #[test]
    fn straight_and_repeated_points_go_also_at_the_join() {
        let (kept, notes) = clean(&[(1., 0.), (2., 0.), (2., 0.), (2., 2.), (0., 2.), (0., 0.), (0.5, 0.)]);
        assert_eq!(kept, [(2., 0.), (2., 2.), (0., 2.), (0., 0.)]);
        let mut kinds: Vec<_> = notes.iter().map(|note| note.0).collect();
        kinds.sort();
        assert_eq!(
            kinds,
            [DefectKind::DuplicateVertex, DefectKind::StraightVertex, DefectKind::StraightVertex]
        );
    }

    #[test]
    fn spikes_go_however_bent_they_are() {
        // Out along a bent line and back again.
        let (kept, notes) =
            clean(&[(0., 0.), (4., 0.), (4., 4.), (6., 5.), (7., 9.), (6., 5.), (4., 4.), (0., 4.)]);
        assert_eq!(kept, [(0., 0.), (4., 0.), (4., 4.), (0., 4.)]);
        assert!(notes.iter().any(|note| note.0 == DefectKind::Spike));
    }

    #[test]
    fn lines_leave_fewer_than_three_points() {
        for line in [
            &[(0., 0.), (1., 1.), (2., 2.)][..],
            &[(0., 0.), (3., 3.), (1., 1.), (2., 2.)],
            &[(0., 0.), (1., 0.), (1., 1.), (1., 0.)],
            &[(0., 0.), (0., 0.)],
            &[(0., 0.)],
            &[],
        ] {
            assert!(clean(line).0.len() < 3, "{line:?}");
        }
    }
}
