//! Building of the grid: a first node over all, then crowded buckets become nodes of their own.

use super::{Bucket, FINER, Grid, Node, paint::Painter};
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Aabb2;

/// Rings are entered into buckets that they miss by less than this [bucket sizes], 2^-20. Positions count at most
/// 2^26 buckets (see [`FINEST`]) and are wrong by a few units in their last place, 2^-27, far less than the margin.
pub(super) const MARGIN: f64 = 1.0 / (1 << 20) as f64;
/// Buckets are not smaller than this part of the whole.
const FINEST: f64 = 1.0 / (1 << 26) as f64;
/// How far before the ground the buckets begin [bucket sizes]. Walls often lie on a lattice; buckets that end on
/// its lines would have every ring on both sides of them entered.
const OFFSET: f64 = 0.31;
/// Columns and rows of one node at most.
const MOST_BUCKETS_PER_SIDE: f64 = 8192.0;
/// Entries per ring at most, in the first node and in all together.
const FIRST_ENTRIES_PER_RING: usize = 8;
pub(super) const ENTRIES_PER_RING: usize = 12;
/// A bucket with more rings than this is divided.
const CROWDED: u32 = 12;
/// A ring with more corners than this is entered into all parts of a bucket that is divided: finding out which it
/// reaches costs the more, the more buckets it crosses.
const LONG: u32 = 64;
/// Nodes within nodes at most; each divides by up to 32, so six tell 10⁷ m from 1 cm.
const DEEPEST: u32 = 6;

/// Work in progress.
struct Builder<F> {
    grid: Grid,
    /// Box round all rings.
    bounds: Aabb2,
    count: usize,
    /// Appends the points of a ring.
    ring: F,
    painter: Painter,
    /// Number of points of each ring.
    lengths: Vec<u32>,
    /// (bucket, ring) of the node in work.
    pairs: Vec<(u32, u32)>,
}

impl Grid {
    /// The grid of `count` rings; `ring(k, points)` appends the points of ring `k`.
    pub(crate) fn build(bounds: Aabb2, count: usize, ring: impl Fn(usize, &mut Vec<DVec2>)) -> Self {
        if count == 0 {
            return Self::default();
        }
        let mut points = Vec::new();
        let lengths = (0..count).map(|k| {
            points.clear();
            ring(k, &mut points);
            points.len() as u32
        });
        let lengths = lengths.collect();
        let (grid, painter, pairs) = (Self::default(), Painter::default(), Vec::new());
        let mut builder = Builder { grid, bounds, count, ring, painter, lengths, pairs };
        builder.add_first();
        builder.divide_crowded();
        builder.grid
    }
}

impl<F: Fn(usize, &mut Vec<DVec2>)> Builder<F> {
    /// A node over all, with half as many buckets per side until the entries fit.
    fn add_first(&mut self) {
        let mut wanted = self.count as f64;
        loop {
            let node = first_node(self.bounds, wanted);
            // In a single bucket they fit, each once.
            let most = if node.columns * node.rows == 1 {
                self.count
            } else {
                FIRST_ENTRIES_PER_RING * self.count + 64
            };
            if self.paint(&node, 0..self.count as u32, most, u32::MAX) {
                return self.append(node);
            }
            wanted /= 4.0;
        }
    }

    /// Divides buckets with many rings; new buckets are appended, so this goes from coarse to fine.
    fn divide_crowded(&mut self) {
        let mut level_end = self.grid.buckets.len();
        let (mut bucket, mut depth, mut node) = (0, 1, 0);
        while bucket < self.grid.buckets.len() && depth < DEEPEST {
            if bucket == level_end {
                depth += 1;
                level_end = self.grid.buckets.len();
            }
            while self.grid.nodes.get(node + 1).is_some_and(|next| next.first as usize <= bucket) {
                node += 1;
            }
            let len = self.grid.buckets[bucket].len;
            if len != FINER && len > CROWDED {
                self.divide(bucket, node);
            }
            bucket += 1;
        }
    }

    /// Makes a bucket of a node a node of its own, if that pays.
    fn divide(&mut self, bucket: usize, node: usize) {
        let node = self.grid.nodes[node];
        let rings = self.grid.list(self.grid.buckets[bucket]).to_vec();
        let inside = node.bucket_bounds(bucket as u32 - node.first);
        let side = (rings.len() as f64 / 2.0).sqrt().ceil().clamp(2.0, 32.0);
        if inside.size().cmplt(self.bounds.size() * (FINEST * side)).any() {
            return;
        }
        let room = (ENTRIES_PER_RING * self.count + 64).saturating_sub(self.grid.entries.len());
        let most = (3 * rings.len()).min(room);
        let finer = Node::new(inside, side, side);
        if self.paint(&finer, rings.into_iter(), most, LONG) {
            self.grid.buckets[bucket] = Bucket { start: self.grid.nodes.len() as u32, len: FINER };
            self.append(finer);
        }
    }

    /// Finds the buckets of rings, all for those with more than `long` corners; false if there would be more than
    /// `most` pairs.
    fn paint(&mut self, node: &Node, rings: impl Iterator<Item = u32>, most: usize, long: u32) -> bool {
        self.pairs.clear();
        for ring in rings {
            let pairs = &mut self.pairs;
            if self.lengths[ring as usize] > long {
                pairs.extend((0..node.columns * node.rows).map(|bucket| (bucket, ring)));
            } else {
                self.painter.ring.clear();
                (self.ring)(ring as usize, &mut self.painter.ring);
                self.painter.paint(node, |bucket| {
                    if pairs.len() <= most {
                        pairs.push((bucket, ring));
                    }
                });
            }
            if self.pairs.len() > most {
                return false;
            }
        }
        true
    }

    /// Adds a node whose buckets hold the pairs; rings ascend in the pairs, so they do in the buckets.
    fn append(&mut self, mut node: Node) {
        let grid = &mut self.grid;
        node.first = grid.buckets.len() as u32;
        let mut starts = vec![0u32; (node.columns * node.rows) as usize + 1];
        for &(bucket, _) in &self.pairs {
            starts[bucket as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let base = grid.entries.len() as u32;
        let buckets = starts.windows(2).map(|pair| Bucket { start: base + pair[0], len: pair[1] - pair[0] });
        grid.buckets.extend(buckets);
        grid.entries.resize(grid.entries.len() + self.pairs.len(), 0);
        for &(bucket, ring) in &self.pairs {
            let at = &mut starts[bucket as usize];
            grid.entries[(base + *at) as usize] = ring;
            *at += 1;
        }
        grid.nodes.push(node);
    }
}

/// A node over all with about `wanted` buckets that are about square.
fn first_node(bounds: Aabb2, wanted: f64) -> Node {
    let size = bounds.size();
    let side = (size.x * size.y / wanted).sqrt();
    // Ground without an area to speak of is divided along its length.
    let side = if side > 0.0 { side } else { (size.x + size.y) / wanted };
    let count = |length: f64| {
        let count = (length / side + 2.0 * OFFSET).ceil();
        // Also where nothing is left to divide and the quotient is not a number.
        if count >= 1.0 { count.min(MOST_BUCKETS_PER_SIDE) } else { 1.0 }
    };
    let counts = dvec2(count(size.x), count(size.y));
    let min = bounds.min - OFFSET * side;
    // At least over the whole ground, where the number of buckets is limited.
    let max = (min + counts * side).max(bounds.max);
    Node::new(Aabb2 { min, max }, counts.x, counts.y)
}
