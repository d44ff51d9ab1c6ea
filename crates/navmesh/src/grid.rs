//! A flat grid of rings (cells, edges) for "what is near this point?".
//!
//! Idea: buckets of equal size, about one per ring, each with the list of rings that may reach into it. A ring
//! is entered row by row with the span that it covers there, so that long slanting cells do not fill their whole
//! box. Uneven meshes crowd many rings into few buckets: such a bucket becomes a grid of its own, and so on.
//! Entries are limited to a few per ring, whatever the rings look like; when there would be more, the grid is
//! made coarser or the bucket is left crowded.
//!
//! No point falls between buckets by rounding: positions are turned into bucket numbers by one monotone
//! function, and rings are entered into every bucket that they come near to by [`MARGIN`].
//! Invariants: a ring is listed in the bucket of every point of its area; lists ascend.
//! Cost: O(n) memory; building linear in rings and entries; a look-up is one or two steps.

use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Aabb2;

/// Rings are entered into buckets that they miss by less than this [bucket sizes], 2^-20. Positions count at most
/// 2^26 buckets (see [`FINEST`]) and are wrong by a few units in their last place, 2^-27, far less than the margin.
const MARGIN: f64 = 1.0 / (1 << 20) as f64;
/// Buckets are not smaller than this part of the whole.
const FINEST: f64 = 1.0 / (1 << 26) as f64;
/// Columns and rows of one grid at most.
const MOST_BUCKETS_PER_SIDE: f64 = 8192.0;
/// Entries per ring at most, for the first grid and for all together.
const FIRST_ENTRIES_PER_RING: usize = 6;
const ENTRIES_PER_RING: usize = 12;
/// A bucket with more rings than this is divided.
const CROWDED: usize = 12;
/// Grids within grids at most; each divides by up to 32, so six tell 10⁷ m from 1 cm.
const DEEPEST: u32 = 6;

#[derive(Clone, Copy, Debug)]
struct Node {
    origin: DVec2,
    buckets_per_metre: DVec2,
    columns: u32,
    rows: u32,
    /// The first bucket.
    first: u32,
}

/// A list of rings, or the number of a finer grid.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    start: u32,
    /// Number of entries; [`FINER`] if `start` is the number of a node.
    len: u32,
}
const FINER: u32 = u32::MAX;

/// Rings by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    nodes: Vec<Node>,
    buckets: Vec<Bucket>,
    entries: Vec<u32>,
}

impl Node {
    fn new(bounds: Aabb2, columns: f64, rows: f64) -> Self {
        let size = bounds.size();
        // A side without length has one column, and everything lies in it.
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
    /// Column of a scaled position; a cast saturates, so every number has one.
    #[inline]
    fn column(&self, x: f64) -> u32 {
        (x as u32).min(self.columns - 1)
    }
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
        // Not zero: a side without length has one column and is never divided along it.
        let size = dvec2(1.0 / self.buckets_per_metre.x, 1.0 / self.buckets_per_metre.y)
            .map(|length| if length.is_finite() { length } else { 0.0 });
        Aabb2 { min: self.origin + corner * size, max: self.origin + (corner + 1.0) * size }
    }
}

/// Finds the buckets of one node that a ring reaches, in bucket sizes.
#[derive(Default)]
struct Painter {
    ring: Vec<DVec2>,
    /// Span of x covered in each row from the first.
    spans: Vec<(f64, f64)>,
}

impl Painter {
    /// Calls `enter` with the number of every bucket that the ring comes near to.
    fn paint(&mut self, node: &Node, mut enter: impl FnMut(u32)) {
        for p in &mut self.ring {
            *p = node.scaled(*p);
        }
        let bounds = Aabb2::of_points(self.ring.iter().copied());
        let (columns, rows) = (node.columns as f64, node.rows as f64);
        if !(bounds.max.y >= -MARGIN && bounds.min.y <= rows + MARGIN) {
            return;
        }
        let (bottom, top) = (node.row(bounds.min.y - MARGIN), node.row(bounds.max.y + MARGIN));
        self.spans.clear();
        self.spans.resize((top - bottom + 1) as usize, (f64::INFINITY, f64::NEG_INFINITY));
        for k in 0..self.ring.len() {
            let (a, b) = (self.ring[k], self.ring[if k + 1 == self.ring.len() { 0 } else { k + 1 }]);
            let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
            for row in node.row(low.y - MARGIN)..=node.row(high.y + MARGIN) {
                let (floor, ceiling) = (row as f64 - MARGIN, row as f64 + 1.0 + MARGIN);
                if high.y < floor || low.y > ceiling {
                    continue;
                }
                let (from, to) = (x_at(low, high, floor), x_at(low, high, ceiling));
                let span = &mut self.spans[(row - bottom) as usize];
                *span = (span.0.min(from.min(to)), span.1.max(from.max(to)));
            }
        }
        for (row, &(left, right)) in (bottom..).zip(&self.spans) {
            if right >= -MARGIN && left <= columns + MARGIN {
                for column in node.column(left - MARGIN)..=node.column(right + MARGIN) {
                    enter(row * node.columns + column);
                }
            }
        }
    }
}

/// Where the edge from `low` to `high` is at height `y`, or at its end if it does not get there.
fn x_at(low: DVec2, high: DVec2, y: f64) -> f64 {
    if y <= low.y {
        low.x
    } else if y >= high.y {
        high.x
    } else {
        low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y))
    }
}

impl Grid {
    /// The grid of `count` rings; `ring(k, points)` appends the points of ring `k`.
    pub(crate) fn build(bounds: Aabb2, count: usize, ring: impl Fn(usize, &mut Vec<DVec2>)) -> Self {
        let mut grid = Self::default();
        if count == 0 {
            return grid;
        }
        let mut painter = Painter::default();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        // Half as many buckets per side until the entries fit.
        let mut wanted = count as f64;
        loop {
            let node = first_node(bounds, wanted);
            let most =
                if node.columns * node.rows == 1 { count } else { FIRST_ENTRIES_PER_RING * count + 64 };
            if paint_all(&mut painter, &node, 0..count as u32, &ring, most, &mut pairs) {
                grid.append(node, &pairs);
                break;
            }
            wanted /= 4.0;
        }
        let most = ENTRIES_PER_RING * count + 64;
        // New buckets are appended, so this goes from coarse to fine.
        let mut level_end = grid.buckets.len();
        let (mut bucket, mut depth, mut node) = (0, 1, 0);
        while bucket < grid.buckets.len() && depth < DEEPEST {
            if bucket == level_end {
                depth += 1;
                level_end = grid.buckets.len();
                continue;
            }
            while grid.nodes.get(node + 1).is_some_and(|next| next.first as usize <= bucket) {
                node += 1;
            }
            let Bucket { start, len } = grid.buckets[bucket];
            let inside = grid.nodes[node].bucket_bounds(bucket as u32 - grid.nodes[node].first);
            let side = (len as f64 / 2.0).sqrt().ceil().clamp(2.0, 32.0);
            let large_enough = inside.size().cmpge(bounds.size() * (FINEST * side)).all();
            if len != FINER && len as usize > CROWDED && large_enough {
                let finer = Node::new(inside, side, side);
                let rings = grid.entries[start as usize..(start + len) as usize].to_vec();
                let most = (3 * rings.len()).min(most.saturating_sub(grid.entries.len()));
                if paint_all(&mut painter, &finer, rings.into_iter(), &ring, most, &mut pairs) {
                    grid.buckets[bucket] = Bucket { start: grid.nodes.len() as u32, len: FINER };
                    grid.append(finer, &pairs);
                }
            }
            bucket += 1;
        }
        grid
    }

    /// Adds a node whose buckets hold the given (bucket, ring) pairs, rings ascending.
    fn append(&mut self, mut node: Node, pairs: &[(u32, u32)]) {
        node.first = self.buckets.len() as u32;
        let mut starts = vec![0u32; (node.columns * node.rows) as usize + 1];
        for &(bucket, _) in pairs {
            starts[bucket as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let base = self.entries.len() as u32;
        let lists = starts.windows(2).map(|pair| Bucket { start: base + pair[0], len: pair[1] - pair[0] });
        self.buckets.extend(lists);
        self.entries.resize(self.entries.len() + pairs.len(), 0);
        for &(bucket, ring) in pairs {
            let at = &mut starts[bucket as usize];
            self.entries[(base + *at) as usize] = ring;
            *at += 1;
        }
        self.nodes.push(node);
    }

    /// The rings that may hold `p`, ascending.
    #[inline]
    pub(crate) fn at(&self, p: DVec2) -> &[u32] {
        let Some(mut node) = self.nodes.first() else { return &[] };
        loop {
            let Bucket { start, len } = self.buckets[node.bucket(p)];
            if len != FINER {
                return &self.entries[start as usize..(start + len) as usize];
            }
            node = &self.nodes[start as usize];
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
                let Bucket { start, len } = self.buckets[(node.first + row * node.columns + column) as usize];
                if len == FINER {
                    self.within_node(start as usize, area, visit);
                } else {
                    self.entries[start as usize..(start + len) as usize]
                        .iter()
                        .copied()
                        .for_each(&mut *visit);
                }
            }
        }
    }

    /// The pairs of rings `(lower, higher)`, sorted, that share a bucket and pass a test. The search stops after
    /// some more than `most` pairs.
    pub(crate) fn pairs(&self, most: usize, mut test: impl FnMut(usize, usize) -> bool) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for &Bucket { start, len } in self.buckets.iter().filter(|bucket| bucket.len != FINER) {
            let list = &self.entries[start as usize..(start + len) as usize];
            for (k, &higher) in list.iter().enumerate() {
                pairs.extend(
                    list[..k]
                        .iter()
                        .filter(|&&lower| test(lower as usize, higher as usize))
                        .map(|&lower| (lower, higher)),
                );
            }
            if pairs.len() > most {
                pairs.sort_unstable();
                pairs.dedup();
                if pairs.len() > most {
                    return pairs;
                }
            }
        }
        // Neighbouring buckets list the same pairs.
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Size of the first grid's buckets [m].
    pub(crate) fn bucket_size(&self) -> f64 {
        let Some(node) = self.nodes.first() else { return 0.0 };
        let size = 1.0 / node.buckets_per_metre;
        [size.x, size.y].into_iter().filter(|size| size.is_finite()).fold(0.0, f64::max)
    }
}

/// A grid over all with about `wanted` buckets that are about square.
fn first_node(bounds: Aabb2, wanted: f64) -> Node {
    let size = bounds.size();
    let side = (size.x * size.y / wanted).sqrt();
    // Ground without an area to speak of is divided along its length.
    let side = if side > 0.0 { side } else { (size.x + size.y) / wanted };
    let count = |length: f64| {
        let count = (length / side).ceil();
        // Also where nothing is left to divide and the quotient is not a number.
        if count >= 1.0 { count.min(MOST_BUCKETS_PER_SIDE) } else { 1.0 }
    };
    Node::new(bounds, count(size.x), count(size.y))
}

/// Enters rings into buckets; false if there would be more than `most` entries.
fn paint_all(
    painter: &mut Painter,
    node: &Node,
    rings: impl Iterator<Item = u32>,
    points: &impl Fn(usize, &mut Vec<DVec2>),
    most: usize,
    pairs: &mut Vec<(u32, u32)>,
) -> bool {
    pairs.clear();
    for ring in rings {
        painter.ring.clear();
        points(ring as usize, &mut painter.ring);
        painter.paint(node, |bucket| {
            if pairs.len() <= most {
                pairs.push((bucket, ring));
            }
        });
        if pairs.len() > most {
            return false;
        }
    }
    true
}
