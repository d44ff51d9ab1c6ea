//! Cells that are being joined and left out, and the openings between them.

use super::cells::{Cell, Opening};
use crate::{
    plane::{HalfSpace, Plane},
    polygon,
    polytope::Polytope,
};
use rayon::prelude::*;

/// Openings that are tried on all threads at once: enough for all, and few enough that most of what is found still holds when
/// its turn comes.
const AT_ONCE: usize = 256;

/// A region in the making.
pub(super) struct Region {
    pub(super) body: Polytope,
    pub(super) half_spaces: Vec<HalfSpace>,
    pub(super) volume: f64,
    /// Openings to other regions, ascending.
    pub(super) openings: Vec<u32>,
}

/// Regions by number; those that were joined to others or left out are `None`.
pub(super) struct Regions {
    pub(super) planes: Vec<Plane>,
    pub(super) regions: Vec<Option<Region>>,
    /// With numbers of regions.
    pub(super) openings: Vec<Opening>,
    /// How many changes there were, and the last one of each region; see [`Refused`].
    clock: u32,
    changed: Vec<u32>,
}

/// Openings whose two regions were tried and left as they are: they are tried again only when one of the two has changed.
#[derive(Default)]
pub(super) struct Refused(Vec<u32>);

impl Refused {
    /// Whether nothing has changed since it was refused.
    fn holds(&self, all: &Regions, opening: u32) -> bool {
        self.0.get(opening as usize).is_some_and(|&refused| refused >= all.last_change(opening))
    }

    fn set(&mut self, all: &Regions, opening: u32) {
        if self.0.len() < all.openings.len() {
            self.0.resize(all.openings.len(), 0);
        }
        self.0[opening as usize] = all.clock;
    }

    /// Tries openings in their order, and takes what can be done at once. Some are tried beforehand on all threads; what was found then is
    /// looked for again only if one of the two regions has changed since. What is taken is the same for any number of threads.
    pub(super) fn in_order<T: Send>(
        &mut self,
        all: &mut Regions,
        order: &[u32],
        attempt: impl Fn(&Regions, u32) -> Option<T> + Sync,
        mut take: impl FnMut(&mut Regions, u32, T),
    ) {
        for some in order.chunks(AT_ONCE) {
            let mut fresh: Vec<u32> =
                some.iter().copied().filter(|&opening| !self.holds(all, opening)).collect();
            // Neighbours in the tree of cuts are neighbours in memory.
            fresh.sort_unstable();
            let tried: Vec<(u32, Option<T>)> =
                fresh.par_iter().map(|&opening| (opening, attempt(all, opening))).collect();
            let mut found: Vec<(u32, Option<T>)> = Vec::new();
            for (opening, result) in tried {
                match result {
                    None => self.set(all, opening),
                    some => found.push((opening, some)),
                }
            }
            let begin = all.clock;
            for &opening in some {
                if self.holds(all, opening) {
                    continue;
                }
                let early = found.binary_search_by_key(&opening, |entry| entry.0).ok();
                let early =
                    early.filter(|_| all.last_change(opening) <= begin).and_then(|k| found[k].1.take());
                match early.or_else(|| attempt(all, opening)) {
                    Some(found) => take(all, opening, found),
                    None => self.set(all, opening),
                }
            }
        }
    }
}

impl Regions {
    /// The cells that are kept, and the openings between them.
    pub(super) fn new(
        planes: Vec<Plane>,
        cells: Vec<Cell>,
        openings: Vec<Opening>,
        is_kept: &[bool],
    ) -> Self {
        let mut numbers = vec![u32::MAX; cells.len()];
        let mut regions = Vec::new();
        for (k, cell) in cells.into_iter().enumerate().filter(|(k, _)| is_kept[*k]) {
            numbers[k] = regions.len() as u32;
            let (body, half_spaces, volume) = (cell.body, cell.half_spaces, cell.volume);
            regions.push(Some(Region { body, half_spaces, volume, openings: Vec::new() }));
        }
        let mut kept = Vec::new();
        for mut opening in openings {
            opening.cells = opening.cells.map(|cell| numbers[cell as usize]);
            if opening.cells.contains(&u32::MAX) {
                continue;
            }
            for cell in opening.cells {
                if let Some(region) = &mut regions[cell as usize] {
                    region.openings.push(kept.len() as u32);
                }
            }
            kept.push(opening);
        }
        Self::of(planes, regions, kept)
    }

    /// Regions that know their openings.
    pub(super) fn of(planes: Vec<Plane>, regions: Vec<Option<Region>>, openings: Vec<Opening>) -> Self {
        let changed = vec![1; regions.len()];
        Self { planes, regions, openings, clock: 1, changed }
    }

    /// When one of the two regions of an opening changed for the last time.
    fn last_change(&self, opening: u32) -> u32 {
        let [a, b] = self.openings[opening as usize].cells.map(|cell| self.changed[cell as usize]);
        a.max(b)
    }

    /// Puts a region in the place of another.
    pub(super) fn replace(&mut self, number: u32, region: Option<Region>) {
        self.clock += 1;
        self.changed[number as usize] = self.clock;
        self.regions[number as usize] = region;
    }

    /// Openings that are whole and lead from one region to another, the largest first.
    pub(super) fn by_area(&self) -> Vec<u32> {
        let mut order: Vec<(f64, u32)> = (0..self.openings.len() as u32)
            .into_par_iter()
            .filter(|&k| {
                let Opening { cells: [a, b], is_whole, .. } = self.openings[k as usize];
                is_whole && a != b
            })
            .map(|k| (polygon::area(&self.openings[k as usize].points), k))
            .collect();
        order.par_sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|entry| entry.1).collect()
    }

    /// The region on the other side of an opening.
    pub(super) fn across(&self, opening: u32, from: u32) -> u32 {
        let [a, b] = self.openings[opening as usize].cells;
        if a == from { b } else { a }
    }

    /// The plane of a half-space, pointing out of it.
    pub(super) fn outward(&self, side: HalfSpace) -> Plane {
        side.outward(&self.planes[side.plane().0 as usize])
    }
}
