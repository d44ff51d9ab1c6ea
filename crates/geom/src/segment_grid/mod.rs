//! A flat grid over segments: the nearest one, the nearest in a wedge, the first one hit, all that touch.
//!
//! Idea: squares of one size, and in one array the segments that pass through each, square after square. A
//!   segment is walked square by square along its longer side, so that a long one is not put everywhere in
//!   its box.
//! Bounds: squares are large enough that there are at most 3 n + 1 of them and about 12 n entries in all, however
//!   long or crowded the segments are. Crowded input costs time, not memory.
//! Exactness: which square a number falls into is a monotone function of it, and walks are a little wider than
//!   the segment, by more than rounding can move it. So segments that have a point in common have a square in
//!   common, and the exact predicates decide.
//! Needs: finite coordinates. Without them nothing panics, but nothing is promised either.
//! Cost: O(n) time and memory to build; a query looks at the squares it needs, without allocation.

mod nearest;
mod sight;

pub use nearest::Nearest;
pub use sight::{Hit, meets_open_segment};

use crate::{Aabb2, predicates::segments_touch};
use std::ops::RangeInclusive;
use wayfare_core::{DVec2, dvec2};

/// Segments sorted into the squares of a grid; see the module's text.
#[derive(Clone, Debug)]
pub struct SegmentGrid {
    segments: Vec<[DVec2; 2]>,
    bounds: Aabb2,
    /// Side of a square [m].
    side: f64,
    /// More than rounding moves a point on a segment [m].
    slack: f64,
    /// Squares in a row and in a column.
    count: [usize; 2],
    /// Where the entries of each square start; one more than squares.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

/// So many units in the last place of the largest coordinate are more than the rounding of any walk.
const SLACK_ULPS: f64 = 16.0;

/// A slice of a walk: a column (or row) of squares and the rows (or columns) walked in it.
struct Slice {
    major: usize,
    minor: RangeInclusive<usize>,
}

impl SegmentGrid {
    /// Sorts segments into a grid; their order is their number.
    ///
    /// # Panics
    /// When there are 2²⁸ segments or more.
    pub fn build(segments: Vec<[DVec2; 2]>) -> Self {
        assert!(segments.len() < 1 << 28, "fewer than 2^28 segments");
        let bounds = Aabb2::of_points(segments.iter().flatten().copied());
        let n = segments.len().max(1) as f64;
        let size = bounds.size();
        let slack = SLACK_ULPS * f64::EPSILON * if segments.is_empty() { 1.0 } else { bounds.extent() };
        // Large enough for a square per segment in a full box and in a flat one, for four further entries per
        // segment, and for walks that are wider than the segment by the slack.
        let lengths: f64 = segments.iter().map(|[a, b]| (*b - *a).abs().max_element()).sum();
        let side = [(size.x * size.y / n).sqrt(), size.max_element() / n, lengths / (4.0 * n), 8.0 * slack]
            .into_iter()
            .fold(f64::MIN_POSITIVE, f64::max);
        // Where lengths overflow, one square holds all.
        let (side, squares_in) = if side.is_finite() { (side, size) } else { (f64::MAX, DVec2::ZERO) };
        let count = [squares_in.x, squares_in.y].map(|length| (length / side) as usize + 1);
        let mut grid = Self { segments, bounds, side, slack, count, starts: Vec::new(), entries: Vec::new() };
        // Walk once, count, add up, fill: what is kept is exactly as long as it needs to be.
        let mut starts = vec![0u32; count[0] * count[1] + 1];
        let mut walked: Vec<(u32, u32)> = Vec::with_capacity(2 * grid.segments.len());
        for (k, &[a, b]) in grid.segments.iter().enumerate() {
            grid.walk(a, b, |square| {
                starts[square + 1] += 1;
                walked.push((square as u32, k as u32));
            });
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut entries = vec![0u32; walked.len()];
        let mut ends = starts.clone();
        for (square, k) in walked {
            let end = &mut ends[square as usize];
            entries[*end as usize] = k;
            *end += 1;
        }
        (grid.starts, grid.entries) = (starts, entries);
        grid
    }

    /// The edges of closed rings, one after the other: edge `k` starts at point `k`, counted over all rings.
    pub fn of_rings<'a>(rings: impl IntoIterator<Item = &'a [DVec2]>) -> Self {
        let mut segments = Vec::new();
        for ring in rings {
            segments.extend((0..ring.len()).map(|k| [ring[k], ring[(k + 1) % ring.len()]]));
        }
        Self::build(segments)
    }

    /// All segments.
    pub fn segments(&self) -> &[[DVec2; 2]] {
        &self.segments
    }
    /// Number of segments.
    pub fn len(&self) -> usize {
        self.segments.len()
    }
    /// Whether there is no segment.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }
    /// The box round all segments.
    pub fn bounds(&self) -> Aabb2 {
        self.bounds
    }
    /// Bytes held.
    pub fn memory(&self) -> usize {
        size_of_val(&self.segments[..]) + size_of_val(&self.starts[..]) + size_of_val(&self.entries[..])
    }

    /// All pairs of closed segments that have a point in common, the smaller number first, in order.
    pub fn touching_pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        // The last segment that each was compared with: two may share many squares.
        let mut compared = vec![u32::MAX; self.segments.len()];
        for (k, &[a, b]) in self.segments.iter().enumerate() {
            let first = pairs.len();
            self.walk(a, b, |square| {
                for &other in self.entries(square) {
                    if other as usize > k
                        && std::mem::replace(&mut compared[other as usize], k as u32) != k as u32
                    {
                        let [c, d] = self.segments[other as usize];
                        if segments_touch(a, b, c, d) {
                            pairs.push([k as u32, other]);
                        }
                    }
                }
            });
            pairs[first..].sort_unstable();
        }
        pairs
    }

    /// The same of those pairs that have a new segment, where the others are known.
    pub fn touching_pairs_of(&self, is_new: impl Fn(u32) -> bool) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        let mut compared = vec![u32::MAX; self.segments.len()];
        for (k, &[a, b]) in (0..).zip(&self.segments).filter(|(k, _)| is_new(*k)) {
            self.walk(a, b, |square| {
                for &other in self.entries(square) {
                    let is_first_look =
                        other != k && std::mem::replace(&mut compared[other as usize], k) != k;
                    // Of two that are new the first finds the second.
                    if is_first_look && (other > k || !is_new(other)) {
                        let [c, d] = self.segments[other as usize];
                        if segments_touch(a, b, c, d) {
                            pairs.push([k.min(other), k.max(other)]);
                        }
                    }
                }
            });
        }
        pairs.sort_unstable();
        pairs
    }

    /// Visits the segments that have a point in common with another and are of interest, which is asked first; some several times.
    pub fn visit_touching(
        &self,
        [a, b]: [DVec2; 2],
        is_of_interest: impl Fn(u32) -> bool,
        mut visit: impl FnMut(u32),
    ) {
        if self.is_empty() || !self.bounds.touches(Aabb2::of_points([a, b])) {
            return;
        }
        self.walk(a, b, |square| {
            for &k in self.entries(square) {
                let [c, d] = self.segments[k as usize];
                if is_of_interest(k) && segments_touch(a, b, c, d) {
                    visit(k);
                }
            }
        });
    }

    /// Visits the segments that may pass through a box: all that do, perhaps others near it, some several times.
    pub fn visit_box(&self, area: Aabb2, mut visit: impl FnMut(u32)) {
        if self.is_empty() || !self.bounds.touches(area) {
            return;
        }
        let (columns, rows) = (self.range(0, area.min.x, area.max.x), self.range(1, area.min.y, area.max.y));
        for row in rows {
            for column in columns.clone() {
                self.entries(row * self.count[0] + column).iter().for_each(|&k| visit(k));
            }
        }
    }

    /// The segments of a square, by number.
    #[inline]
    fn entries(&self, square: usize) -> &[u32] {
        &self.entries[self.starts[square] as usize..self.starts[square + 1] as usize]
    }

    /// The column (axis 0) or row (axis 1) of a coordinate; what lies outside belongs to the nearest.
    #[inline]
    fn place(&self, axis: usize, value: f64) -> usize {
        // Casts send what is negative or no number to 0.
        (((value - self.bounds.min[axis]) / self.side) as usize).min(self.count[axis] - 1)
    }

    /// Columns or rows of an interval.
    #[inline]
    fn range(&self, axis: usize, low: f64, high: f64) -> RangeInclusive<usize> {
        self.place(axis, low)..=self.place(axis, high)
    }

    /// Where a column or row begins (0) or ends (1), but for rounding.
    #[inline]
    fn edge(&self, end: usize, axis: usize, place: usize) -> f64 {
        self.bounds.min[axis] + (place + end) as f64 * self.side
    }

    /// More than rounding moves a point on a segment.
    fn slack_of(&self, a: DVec2, b: DVec2) -> f64 {
        self.slack + SLACK_ULPS * f64::EPSILON * a.abs().max(b.abs()).max_element()
    }

    /// The slices of the squares along a segment, from `a` to `b`, and the axis they are slices of. The segment may
    /// leave the grid: squares at the border then stand for what lies beyond them, so that only its part near
    /// the grid's box matters.
    fn slices(&self, a: DVec2, b: DVec2) -> (usize, impl Iterator<Item = Slice>) {
        let along = b - a;
        let slack = self.slack_of(a, b);
        let axis = usize::from(along.y.abs() > along.x.abs());
        let (first, last) = (self.place(axis, a[axis]), self.place(axis, b[axis]));
        let is_forward = first <= last;
        let steps = if is_forward { last - first } else { first - last };
        // At most 1: rounding along the axis is not made larger across it.
        let slope = if along[axis] == 0.0 { 0.0 } else { along[1 - axis] / along[axis] };
        let (low, high) = (a[1 - axis].min(b[1 - axis]), a[1 - axis].max(b[1 - axis]));
        let slices = (0..=steps).map(move |step| {
            let major = if is_forward { first + step } else { first - step };
            // The ends take in what lies beyond the grid.
            let at = |edge: f64, end: bool, beyond: f64| {
                let edge = if end { beyond } else { edge };
                (a[1 - axis] + (edge - a[axis]) * slope).max(low).min(high)
            };
            let (from, to) = if is_forward { (a, b) } else { (b, a) };
            let lower = at(self.edge(0, axis, major) - slack, major == first.min(last), from[axis]);
            let upper = at(self.edge(1, axis, major) + slack, major == first.max(last), to[axis]);
            Slice { major, minor: self.range(1 - axis, lower.min(upper) - slack, lower.max(upper) + slack) }
        });
        (axis, slices)
    }

    /// The number of the square in a slice.
    #[inline]
    fn square(&self, axis: usize, major: usize, minor: usize) -> usize {
        if axis == 0 { minor * self.count[0] + major } else { major * self.count[0] + minor }
    }

    /// Visits the squares that a segment passes through, and perhaps some beside it.
    fn walk(&self, a: DVec2, b: DVec2, mut visit: impl FnMut(usize)) {
        let (axis, slices) = self.slices(a, b);
        for slice in slices {
            for minor in slice.minor {
                visit(self.square(axis, slice.major, minor));
            }
        }
    }

    /// The box of squares, made wider by the slack.
    fn box_of(&self, columns: [usize; 2], rows: [usize; 2]) -> Aabb2 {
        let min = dvec2(self.edge(0, 0, columns[0]), self.edge(0, 1, rows[0])) - self.slack;
        let max = dvec2(self.edge(1, 0, columns[1]), self.edge(1, 1, rows[1])) + self.slack;
        Aabb2 { min, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_linear_however_long_and_uneven_the_segments_are() {
        let n = 4000;
        let at = |k: i32| f64::from(k);
        let cases: [(&str, Vec<[DVec2; 2]>); 5] = [
            ("long diagonals", (0..n).map(|k| [dvec2(at(k), 0.0), dvec2(at(n - k), at(n))]).collect()),
            ("one line", (0..n).map(|k| [dvec2(at(k), 0.0), dvec2(at(k + 1), 0.0)]).collect()),
            ("a crowd and one far away", {
                let mut crowd: Vec<_> = (0..n).map(|k| [dvec2(at(k), 1.0) * 1e-6, DVec2::ZERO]).collect();
                crowd.push([dvec2(1e7, 1e7), dvec2(-1e7, 1e7)]);
                crowd
            }),
            ("points in one place", (0..n).map(|_| [dvec2(1e7, -1e7); 2]).collect()),
            ("within rounding", (0..n).map(|k| [dvec2(1e7, 1e7), dvec2(1e7 + at(k) * 2e-9, 1e7)]).collect()),
        ];
        for (name, segments) in cases {
            let count = segments.len();
            let grid = SegmentGrid::build(segments);
            assert!(grid.starts.len() <= 3 * count + 2, "{name}: {} squares", grid.starts.len());
            assert!(grid.entries.len() <= 12 * count, "{name}: {} entries", grid.entries.len());
        }
    }

    #[test]
    fn nothing_and_what_is_no_number_do_not_panic() {
        for bad in [
            vec![],
            vec![[DVec2::NAN; 2]],
            vec![[DVec2::INFINITY, DVec2::ZERO]; 3],
            vec![[DVec2::MAX, -DVec2::MAX]],
        ] {
            let grid = SegmentGrid::build(bad);
            let _ = (grid.nearest(DVec2::ONE), grid.is_visible(DVec2::ZERO, DVec2::ONE));
            let _ = (grid.nearest_in_wedge(DVec2::ZERO, DVec2::X, DVec2::Y), grid.touching_pairs());
        }
    }
}
