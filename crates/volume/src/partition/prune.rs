//! Leaves out small regions, but never one that joins others.
//!
//! Idea: half of all regions hold a few thousandths of the volume, in corners that no body fits into. A region may go if its
//!   neighbours still reach each other without it, by a short way round.
//! Steps: 1. regions by volume, the smallest first  2. while what is left out stays within the budget  3. neighbours are
//!   searched from one of them, round the region; if all are found soon, it goes  4. corners that
//!   are left without a neighbour go too.

use super::{flood::Sets, regions::Regions};

/// Regions looked at on the way round one that may go; a longer way round is as good as none.
const WAY_ROUND: usize = 200;

/// Leaves out regions of together at most `budget` [m³]; the volume that went. Only openings that a body passes join.
pub(super) fn prune(all: &mut Regions, budget: f64) -> f64 {
    // 1.
    let volume = |all: &Regions, k: u32| all.regions[k as usize].as_ref().map_or(0.0, |region| region.volume);
    let mut order: Vec<u32> =
        (0..all.regions.len() as u32).filter(|&k| all.regions[k as usize].is_some()).collect();
    order.sort_by(|&a, &b| volume(all, a).total_cmp(&volume(all, b)).then(a.cmp(&b)));
    let mut gone = 0.0;
    let mut seen = vec![u32::MAX; all.regions.len()];
    for &k in &order {
        // 2.
        let own = volume(all, k);
        if gone + own > budget {
            break;
        }
        // 3.
        if !is_bridge(all, k, &mut seen) {
            all.regions[k as usize] = None;
            gone += own;
        }
    }
    gone + drop_loose_ends(all)
}

/// Corners whose way to the others went: step 4; their volume.
fn drop_loose_ends(all: &mut Regions) -> f64 {
    let mut sets = Sets::new(all.regions.len());
    for opening in &all.openings {
        let [a, b] = opening.cells.map(|cell| cell as usize);
        if all.regions[a].is_some() && all.regions[b].is_some() {
            sets.join(a, b);
        }
    }
    let mut volumes = vec![0.0; all.regions.len()];
    for (k, region) in all.regions.iter().enumerate() {
        volumes[sets.root(k)] += region.as_ref().map_or(0.0, |region| region.volume);
    }
    let largest = (0..volumes.len()).max_by(|&a, &b| volumes[a].total_cmp(&volumes[b]).then(b.cmp(&a)));
    let mut gone = 0.0;
    for k in 0..all.regions.len() {
        if Some(sets.root(k)) != largest {
            gone += all.regions[k].take().map_or(0.0, |region| region.volume);
        }
    }
    gone
}

/// Whether the neighbours of a region may be parted without it.
fn is_bridge(all: &Regions, k: u32, seen: &mut [u32]) -> bool {
    let neighbours = |of: u32| {
        let openings = all.regions[of as usize].iter().flat_map(|region| &region.openings);
        openings
            .filter(|&&opening| all.openings[opening as usize].is_wide)
            .map(move |&opening| all.across(opening, of))
            .filter(|&other| all.regions[other as usize].is_some())
    };
    let mut targets: Vec<u32> = neighbours(k).collect();
    targets.sort_unstable();
    targets.dedup();
    let Some(&first) = targets.first() else {
        // A corner that no body fits into joins nothing; but it may be all that there is.
        return all.regions.iter().flatten().nth(1).is_none();
    };
    let mut left = targets.len() - 1;
    seen[k as usize] = k;
    seen[first as usize] = k;
    let mut queue = std::collections::VecDeque::from([first]);
    let mut looked = 0;
    while let Some(at) = queue.pop_front() {
        if left == 0 {
            return false;
        }
        looked += 1;
        if looked > WAY_ROUND {
            return true;
        }
        for other in neighbours(at) {
            if seen[other as usize] != k {
                seen[other as usize] = k;
                left -= usize::from(targets.binary_search(&other).is_ok());
                queue.push_back(other);
            }
        }
    }
    left > 0
}
