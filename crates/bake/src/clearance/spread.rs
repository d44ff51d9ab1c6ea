//! Which of many things in a cell are near: sorted by where they lie along the longer side of the cell.
//!
//! Cells of plans that were drawn on a grid may have thousands of corners in a row, and as many features near them. Looking
//! through all of them for each would be quadratic; what matters to one is near it. Things that are much longer than most are
//! kept apart and always looked at.
//! Promises: no thing that meets the interval asked for is left out, and they come in their own order.
//! Cost: O(n log n) to make, O(log n + found) to ask.

use wayfare_core::DVec2;
use wayfare_navmesh::{CellId, NavMesh};

/// Fewer things than this are looked through one by one.
const FEW: usize = 64;
/// What is so many times longer than the mean is kept apart.
const LONG: f64 = 4.0;

/// Intervals along an axis.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    /// How many things there are; if they are few, nothing else is known.
    count: u32,
    /// Middle and number of each, by middle.
    sorted: Vec<(f64, u32)>,
    /// No interval in `sorted` reaches farther from its middle.
    reach: f64,
    /// Numbers of those that are kept apart.
    long: Vec<u32>,
}

/// The direction in which a cell is longer.
pub(super) fn long_axis(mesh: &NavMesh, cell: CellId) -> DVec2 {
    let mut points = mesh.cell_points(cell);
    let first = points.next().unwrap_or_default();
    let (min, max) = points.fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
    let size = max - min;
    if size.x >= size.y { DVec2::X } else { DVec2::Y }
}

/// The interval of some points along an axis.
pub(super) fn extent<const N: usize>(axis: DVec2, points: [DVec2; N]) -> [f64; 2] {
    let along = points.map(|p| p.dot(axis));
    along.into_iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

impl Spread {
    /// Things by their intervals; one without bounds is always looked at.
    pub fn of(intervals: impl ExactSizeIterator<Item = [f64; 2]> + Clone) -> Self {
        let count = intervals.len();
        let mut spread = Self { count: count as u32, ..Self::default() };
        if count <= FEW {
            return spread;
        }
        let lengths = intervals.clone().map(|[low, high]| high - low).filter(|length| length.is_finite());
        let limit = LONG * lengths.sum::<f64>() / count as f64;
        for (k, [low, high]) in intervals.enumerate() {
            // A NaN is no middle.
            if high - low <= limit {
                spread.sorted.push((0.5 * (low + high), k as u32));
                spread.reach = spread.reach.max(0.5 * (high - low));
            } else {
                spread.long.push(k as u32);
            }
        }
        // Rounding of the middles.
        spread.reach *= 1.0 + 1e-9;
        spread.sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        spread
    }

    /// An interval of this length meets a few of them; infinite if there are not more.
    pub fn step(&self) -> f64 {
        match (self.sorted.first(), self.sorted.last()) {
            (Some(first), Some(last)) => 8.0 * (last.0 - first.0) / self.sorted.len() as f64 + self.reach,
            _ => f64::INFINITY,
        }
    }

    /// The numbers of all things that meet an interval, and some more, ascending.
    pub fn near(&self, [low, high]: [f64; 2], found: &mut Vec<u32>) {
        found.clear();
        if self.count as usize <= FEW {
            found.extend(0..self.count);
            return;
        }
        let from = self.sorted.partition_point(|&(middle, _)| middle < low - self.reach);
        let to = self.sorted.partition_point(|&(middle, _)| middle <= high + self.reach);
        if from < to {
            found.extend(self.sorted[from..to].iter().map(|&(_, k)| k));
        }
        found.extend(&self.long);
        found.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_meets_an_interval_is_found_in_order() {
        for count in [10u32, 500] {
            let interval = |k: u32| {
                let low = f64::from(k * 7919 % count);
                [low, if k % 50 == 3 { f64::INFINITY } else { low + f64::from(k % 13) * 0.3 }]
            };
            let spread = Spread::of((0..count as usize).map(|k| interval(k as u32)));
            let mut found = Vec::new();
            for k in 0..100 {
                let low = f64::from(k) * 4.9 - 3.0;
                spread.near([low, low + 2.5], &mut found);
                assert!(found.is_sorted_by(|a, b| a < b));
                let meets = |k: &u32| interval(*k)[0] <= low + 2.5 && interval(*k)[1] >= low;
                assert!((0..count).filter(meets).all(|k| found.contains(&k)));
                assert!(count < 100 || found.len() < 100, "{}", found.len());
            }
        }
    }
}
