//! Orders that a sweep from left to right needs, all exact.

use crate::predicates::orient;
use std::cmp::Ordering;
use wayfare_core::DVec2;

/// Lexicographic: by x, then by y. Both zeros are one number.
#[inline]
pub(crate) fn sweep_order(a: DVec2, b: DVec2) -> Ordering {
    if is_before(a, b) {
        Ordering::Less
    } else if a == b {
        Ordering::Equal
    } else {
        Ordering::Greater
    }
}

/// Whether `a` comes before `b`.
#[inline]
pub(crate) fn is_before(a: DVec2, b: DVec2) -> bool {
    a.x < b.x || a.x == b.x && a.y < b.y
}

/// The order of the directions from `p` to `a` and `b`, counter-clockwise from straight down (which comes
/// last): first those to points after `p`, from below upwards, then those to points before it, from above
/// downwards. Equal for the same direction.
pub(crate) fn direction_order(p: DVec2, a: DVec2, b: DVec2) -> Ordering {
    let (a_before, b_before) = (is_before(a, p), is_before(b, p));
    a_before.cmp(&b_before).then_with(|| {
        let turn = orient(p, a, b);
        if turn > 0.0 {
            Ordering::Less
        } else if turn < 0.0 {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    })
}

/// Which way a ring runs, exactly: `Greater` if counter-clockwise, `Less` if clockwise, `Equal` if it has fewer
/// than two points. One that runs there and back along thin walls goes round nothing, with the ground outside: clockwise.
///
/// Nothing of the ring lies before its least point, so the lowest edge there has the outside below it. A ring
/// that crosses itself has no one way; the answer is then that of the loop at its least point.
pub fn ring_direction(ring: &[DVec2]) -> Ordering {
    let n = ring.len();
    if n < 2 {
        return Ordering::Equal;
    }
    let Some(least) = ring.iter().copied().min_by(|&a, &b| sweep_order(a, b)) else {
        return Ordering::Equal;
    };
    // The lowest edge at the least point, over all passes of the ring; true if the ring leaves by it.
    let mut lowest: Option<(DVec2, bool)> = None;
    for k in (0..n).filter(|&k| ring[k] == least) {
        for (end, leaves) in [(ring[(k + 1) % n], true), (ring[(k + n - 1) % n], false)] {
            // Ground between an edge out and one back at the same place lies all round: outside.
            let is_lower = |(other, _)| {
                let turn = orient(least, other, end);
                turn < 0.0 || turn == 0.0 && !leaves
            };
            if lowest.is_none_or(is_lower) {
                lowest = Some((end, leaves));
            }
        }
    }
    match lowest {
        Some((_, true)) => Ordering::Greater,
        _ => Ordering::Less,
    }
}
