//! A flat grid of rings (cells, edges) for "what is near this point?".
//!
//! Idea: buckets of equal size, about one per ring, each with the list of rings that may reach into it. A ring
//! is entered row by row with the span that it covers there, so that long slanting cells do not fill their whole
//! box. Uneven meshes crowd many rings into few buckets: such a bucket becomes a grid of its own, and so on.
//! Entries are limited to a few per ring, whatever the rings look like; when there would be more, the grid is
//! made coarser or the bucket is left crowded.
//!
//! No point falls between buckets by rounding: positions are turned into bucket numbers by one monotone
//! function, and rings are entered into every bucket that they come near to (`build::MARGIN`).
//! Invariants: a ring is listed in the bucket of every point of its area; lists ascend.
//! Cost: O(n) memory; building linear in rings and entries; a look-up is one or two steps.

mod along;
mod build;
mod paint;
#[cfg(test)]
mod tests;

use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Aabb2;

/// Rings by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    nodes: Vec<Node>,
    buckets: Vec<Bucket>,
    entries: Vec<u32>,
}

/// A list of rings, or the number of a finer grid.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    start: u32,
    /// Number of entries; [`FINER`] if `start` is the number of a node.
    len: u32,
}
const FINER: u32 = u32::MAX;

/// Columns and rows of buckets.
#[derive(Clone, Copy, Debug)]
struct Node {
    origin: DVec2,
    buckets_per_metre: DVec2,
    columns: u32,
    rows: u32,
    /// The first bucket.
    first: u32,
}

impl Node {
    fn new(bounds: Aabb2, columns: f64, rows: f64) -> Self {
        let size = bounds.size();
        // Everything lies in the first column of a side without length.
        let per_metre = |count: f64, length: f64| {
            let per_metre = count / length;
            if per_metre.is_finite() { per_metre } else { 0.0 }
        };
        Self {
            origin: bounds.min,
            buckets_per_metre: dvec2(per_metre(columns, size.x), per_metre(rows, size.y)),
            columns: columns as u32,
            rows: rows as u32,
            first: 0,
        }
    }

    /// Position in bucket sizes.
    #[inline]
    fn scaled(&self, p: DVec2) -> DVec2 {
        (p - self.origin) * self.buckets_per_metre
    }
    /// Column of a scaled position. A cast saturates, so every number has one.
    #[inline]
    fn column(&self, x: f64) -> u32 {
        (x as u32).min(self.columns - 1)
    }
    /// Row of a scaled position.
    #[inline]
    fn row(&self, y: f64) -> u32 {
        (y as u32).min(self.rows - 1)
    }
    #[inline]
    fn bucket(&self, p: DVec2) -> usize {
        let p = self.scaled(p);
        (self.first + self.row(p.y) * self.columns + self.column(p.x)) as usize
    }

    fn bucket_bounds(&self, bucket: u32) -> Aabb2 {
        let corner = dvec2((bucket % self.columns) as f64, (bucket / self.columns) as f64);
        let length = |per_metre: f64| if per_metre > 0.0 { 1.0 / per_metre } else { 0.0 };
        let size = self.buckets_per_metre.map(length);
        Aabb2 { min: self.origin + corner * size, max: self.origin + (corner + 1.0) * size }
    }
}

impl Grid {
    /// The rings that may hold `p`, ascending.
    #[inline]
    pub(crate) fn at(&self, p: DVec2) -> &[u32] {
        let Some(mut node) = self.nodes.first() else { return &[] };
        loop {
            let bucket = self.buckets[node.bucket(p)];
            if bucket.len != FINER {
                return self.list(bucket);
            }
            node = &self.nodes[bucket.start as usize];
        }
    }

    /// Calls the rings by other names: ring `k` by `names[k]`, which ascend.
    pub(crate) fn rename(&mut self, names: &[u32]) {
        for entry in &mut self.entries {
            *entry = names[*entry as usize];
        }
    }

    /// Visits all rings that may reach into a box, some of them several times.
    pub(crate) fn within(&self, area: Aabb2, visit: &mut impl FnMut(u32)) {
        if !self.nodes.is_empty() {
            self.within_node(0, area, visit);
        }
    }

    fn within_node(&self, node: usize, area: Aabb2, visit: &mut impl FnMut(u32)) {
        let node = &self.nodes[node];
        let (min, max) = (node.scaled(area.min), node.scaled(area.max));
        for row in node.row(min.y)..=node.row(max.y) {
            for column in node.column(min.x)..=node.column(max.x) {
                let bucket = self.buckets[(node.first + row * node.columns + column) as usize];
                if bucket.len == FINER {
                    self.within_node(bucket.start as usize, area, visit);
                } else {
                    self.list(bucket).iter().copied().for_each(&mut *visit);
                }
            }
        }
    }

    /// The pairs of rings `(lower, higher)`, sorted, that share a bucket and pass a test. The search stops after
    /// some more than `most` pairs.
    pub(crate) fn pairs(&self, most: usize, mut test: impl FnMut(usize, usize) -> bool) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for list in self.lists() {
            for (k, &higher) in list.iter().enumerate() {
                let passing = list[..k].iter().filter(|&&lower| test(lower as usize, higher as usize));
                pairs.extend(passing.map(|&lower| (lower, higher)));
            }
            if pairs.len() > most {
                // Neighbouring buckets list the same pairs.
                pairs.sort_unstable();
                pairs.dedup();
                if pairs.len() > most {
                    return pairs;
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The lists of all buckets.
    fn lists(&self) -> impl Iterator<Item = &[u32]> {
        self.buckets.iter().filter(|bucket| bucket.len != FINER).map(|&bucket| self.list(bucket))
    }

    #[inline]
    fn list(&self, bucket: Bucket) -> &[u32] {
        &self.entries[bucket.start as usize..(bucket.start + bucket.len) as usize]
    }

    /// Size of the first grid's buckets [m].
    pub(crate) fn bucket_size(&self) -> f64 {
        self.nodes.first().map_or(0.0, |node| node.bucket_bounds(0).size().max_element())
    }
}
