//! Which gaps are kept where several begin on the same part of an edge (seed 002, V.C).
//!
//! Idea: every part of an edge wants the filler that leads to the nearest edge, seen from above; a filler is kept where both of its
//!   edges want it.
//! Steps: 1. interval maps: each edge is cut where fillers begin and end  2. for each interval the filler with the least
//!   score  3. mutual intervals.
//! Promises: no part of an edge is used twice.
//! Cost: O(k² + k log k) per edge with k fillers.

use super::filler::{Edge, Filler, HAIR};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::distance_squared_to_segment;

/// What the fillers have in common with the wishes of their edges: parts of them that are kept, in order.
pub(super) fn choose(edges: &[Edge], fillers: &[Filler]) -> Vec<Filler> {
    // Fillers by edge.
    let mut by_edge: Vec<(u32, u32, usize)> = Vec::with_capacity(2 * fillers.len());
    for (number, filler) in fillers.iter().enumerate() {
        by_edge.extend([0, 1].map(|which| (filler.edges[which], number as u32, which)));
    }
    by_edge.sort_unstable();
    // Wishes by filler: shares of it.
    let mut wishes: Vec<[Vec<[f64; 2]>; 2]> = vec![Default::default(); fillers.len()];
    let mut shares = Vec::new();
    for group in by_edge.chunk_by(|a, b| a.0 == b.0) {
        let edge = &edges[group[0].0 as usize];
        let least = HAIR / edge.length();
        // 1.
        shares.clear();
        for &(_, number, which) in group {
            shares.extend(fillers[number as usize].on[which]);
        }
        shares.sort_unstable_by(f64::total_cmp);
        shares.dedup_by(|later, kept| *later - *kept <= least);
        // 2.
        for interval in shares.windows(2) {
            let interval = [interval[0], interval[1]];
            let middle = (interval[0] + interval[1]) / 2.0;
            let covering = group.iter().filter(|&&(_, number, which)| {
                let [a, b] = fillers[number as usize].on[which];
                a.min(b) <= middle && middle <= a.max(b)
            });
            let scored = covering.map(|&(_, number, which)| {
                let filler = &fillers[number as usize];
                (score(edges, filler, which, interval), number, which)
            });
            let best = scored
                .min_by(|a, b| a.0[0].total_cmp(&b.0[0]).then(a.0[1].total_cmp(&b.0[1])).then(a.1.cmp(&b.1)));
            if let Some((_, number, which)) = best {
                let filler = &fillers[number as usize];
                let mut wish = interval.map(|share| filler.share_of(which, share));
                wish.sort_unstable_by(f64::total_cmp);
                wishes[number as usize][which].push(wish);
            }
        }
    }
    // 3.
    let mut kept = Vec::new();
    for (filler, mut wishes) in fillers.iter().zip(wishes) {
        wishes.iter_mut().for_each(unite);
        for own in &wishes[0] {
            for other in &wishes[1] {
                let [from, to] = [own[0].max(other[0]), own[1].min(other[1])];
                let lengths = [0, 1].map(|which| {
                    let [a, b] = filler.on[which];
                    (b - a).abs() * (to - from) * edges[filler.edges[which] as usize].length()
                });
                if lengths[0].min(lengths[1]) > HAIR {
                    kept.push(filler.part(from, to));
                }
            }
        }
    }
    kept
}

/// Joins intervals that follow one another.
fn unite(intervals: &mut Vec<[f64; 2]>) {
    intervals.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    // Shares are computed from the same share of the edge on both sides of a cut: equal but for rounding.
    intervals.dedup_by(|later, kept| {
        let is_next = later[0] <= kept[1] + 1e-12;
        if is_next {
            kept[1] = kept[1].max(later[1]);
        }
        is_next
    });
}

/// How far apart the two sides are over an interval of one of them: the sum of the squared distances in plan of the far ends to
/// the interval; where that is equal, by height.
fn score(edges: &[Edge], filler: &Filler, which: usize, interval: [f64; 2]) -> [f64; 2] {
    let (own, other) = (&edges[filler.edges[which] as usize], &edges[filler.edges[1 - which] as usize]);
    let near = interval.map(|share| own.at(share));
    let far = interval.map(|share| other.at(filler.share_on(1 - which, filler.share_of(which, share))));
    let [a, b] = near.map(DVec3::truncate);
    let across = |p: DVec2| distance_squared_to_segment(p, a, b);
    [
        far.iter().map(|p| across(p.truncate())).sum(),
        near.iter().zip(&far).map(|(p, q)| (p.z - q.z).abs()).sum(),
    ]
}
