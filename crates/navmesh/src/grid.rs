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
/// How far before the ground the buckets begin [bucket sizes].
const OFFSET: f64 = 0.31;
/// Columns and rows of one grid at most.
const MOST_BUCKETS_PER_SIDE: f64 = 8192.0;
/// Entries per ring at most, for the first grid and for all together.
const FIRST_ENTRIES_PER_RING: usize = 8;
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
    // Walls often lie on a lattice. Buckets that begin a third before the ground do not end on its lines, which
    // would enter every ring into the buckets on both sides of them.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid_of(rings: &[Vec<DVec2>]) -> Grid {
        let bounds = Aabb2::of_points(rings.iter().flatten().copied());
        Grid::build(bounds, rings.len(), |k, points| points.extend(&rings[k]))
    }

    /// Entries, longest list.
    fn load(grid: &Grid) -> (usize, u32) {
        let lists = grid.buckets.iter().filter(|bucket| bucket.len != FINER);
        (grid.entries.len(), lists.map(|bucket| bucket.len).max().unwrap_or(0))
    }

    fn square(x: f64, y: f64, side: f64) -> Vec<DVec2> {
        vec![dvec2(x, y), dvec2(x + side, y), dvec2(x + side, y + side), dvec2(x, y + side)]
    }

    #[test]
    fn even_rings_fill_even_buckets() {
        let rings: Vec<_> = (0..10_000).map(|k| square((k % 100) as f64, (k / 100) as f64, 1.0)).collect();
        let (entries, longest) = load(&grid_of(&rings));
        assert!(entries < 5 * rings.len() && longest <= 4, "{entries} {longest}");
    }

    #[test]
    fn a_village_in_a_desert_is_found_as_fast_as_a_town() {
        // Ten thousand squares of 1 m in a corner of 1000 km, and one that covers all the rest.
        let mut rings: Vec<_> =
            (0..10_000).map(|k| square((k % 100) as f64, (k / 100) as f64, 1.0)).collect();
        rings.push(square(100.0, 0.0, 1e6));
        let grid = grid_of(&rings);
        let (entries, longest) = load(&grid);
        assert!(entries < ENTRIES_PER_RING * rings.len() && longest <= 50, "{entries} {longest}");
        for (k, ring) in rings.iter().enumerate() {
            assert!(ring.iter().all(|&p| grid.at(p).contains(&(k as u32))));
        }
    }

    #[test]
    fn a_fan_of_needles_does_not_fill_the_memory() {
        let spoke = |k: usize| {
            let angle = k as f64 / 5000.0;
            dvec2(wayfare_core::ops::cos(angle), wayfare_core::ops::sin(angle)) * 1000.0
        };
        let rings: Vec<_> = (0..5000).map(|k| vec![DVec2::ZERO, spoke(k), spoke(k + 1)]).collect();
        let grid = grid_of(&rings);
        assert!(load(&grid).0 <= ENTRIES_PER_RING * rings.len() + 64);
        for (k, ring) in rings.iter().enumerate() {
            let middle = (ring[0] + ring[1] + ring[2]) / 3.0;
            assert!(grid.at(middle).contains(&(k as u32)));
            assert!(grid.at(DVec2::ZERO).contains(&(k as u32)));
        }
    }

    #[test]
    fn rings_on_one_line_or_in_one_point_are_found() {
        let line: Vec<_> = (0..100).map(|k| vec![dvec2(k as f64, 5.0), dvec2(k as f64 + 1.0, 5.0)]).collect();
        let grid = grid_of(&line);
        assert!(grid.at(dvec2(33.5, 5.0)).contains(&33) && load(&grid).1 < 10);
        let point = vec![vec![dvec2(3.0, 5.0); 3]; 40];
        assert_eq!(grid_of(&point).at(dvec2(3.0, 5.0)).len(), 40);
        assert!(grid_of(&[]).at(DVec2::ZERO).is_empty());
    }

    proptest! {
        /// Convex and other rings of very different sizes, far from the origin: each is listed at random points of
        /// its area, at its corners, and in every box that touches it.
        #[test]
        fn a_ring_is_listed_at_every_point_of_it(
            offset in prop::sample::select(vec![0.0, 1e3, -9.9e6]),
            corners in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64, 0..6i32), 3..120),
            weights in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 20),
        ) {
            let points: Vec<DVec2> =
                corners.iter().map(|&(x, y, e)| dvec2(x, y) * 10f64.powi(e - 2) + offset).collect();
            let rings: Vec<Vec<DVec2>> = points.windows(3).map(<[_]>::to_vec).collect();
            let grid = grid_of(&rings);
            for (k, ring) in rings.iter().enumerate() {
                prop_assert!(ring.iter().all(|&p| grid.at(p).contains(&(k as u32))));
                for &(s, t) in &weights {
                    let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                    let p = ring[0] + (ring[1] - ring[0]) * s + (ring[2] - ring[0]) * t;
                    prop_assert!(grid.at(p).contains(&(k as u32)));
                    let mut listed = false;
                    grid.within(Aabb2 { min: p - s, max: p + t }, &mut |ring| listed |= ring == k as u32);
                    prop_assert!(listed);
                }
            }
            for list in grid.buckets.iter().filter(|bucket| bucket.len != FINER) {
                let list = &grid.entries[list.start as usize..(list.start + list.len) as usize];
                prop_assert!(list.is_sorted());
            }
        }
    }
}
