//! Triangles to fragments: the range of heights of each triangle over each pixel, pixels that are alike in one.
//!
//! Idea: a triangle cut to a row of pixels is a polygon of at most five sides. Seen from the side it is an outline
//!   in x and z, and its lowest and highest point over a pixel lie on that outline: every side is walked over
//!   the pixels once.
//! Promises an exact conservative cover: every pixel that a triangle comes into has its range, rounded outwards; a
//!   triangle seen edge-on has the pixels of its line. A pixel owns its left and lower side.
//! Cost: linear in the fragments; a row needs memory for itself and the triangles that it meets.

use super::lattice::{Lattice, PARTS};
use std::ops::{ControlFlow, Range};
use wayfare_core::DVec3;

/// The part of a triangle over pixels side by side in which it is equally high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
    /// Lowest and highest point [height units].
    pub low: i32,
    /// Lowest and highest point [height units].
    pub high: i32,
    /// Height of the triangle's plane in the middle of the pixel, no lower and no higher than that [height units].
    pub middle: i32,
    /// The triangle.
    pub triangle: u32,
}

/// A triangle in units of the lattice.
#[derive(Clone, Copy, Debug)]
struct Patch {
    /// From the lowest to the highest along y; ties by x, then by height.
    corners: [DVec3; 3],
    /// Height gained along x and y.
    slope: [f64; 2],
    triangle: u32,
    last_row: u32,
}

impl Patch {
    /// Height of its plane in the middle of a pixel of the row above a line; anything where it is upright.
    #[inline]
    fn middle(&self, column: u32, bottom: f64) -> f64 {
        let (a, [along, up]) = (self.corners[0], self.slope);
        a.z + along * ((f64::from(column) + 0.5) * PARTS - a.x) + up * (bottom + 0.5 * PARTS - a.y)
    }

    /// The least and the greatest x and height.
    #[inline]
    fn bounds(&self) -> [[f64; 2]; 2] {
        let [a, b, c] = self.corners;
        let low = [least(a.x, least(b.x, c.x)), least(a.z, least(b.z, c.z))];
        let high = [most(a.x, most(b.x, c.x)), most(a.z, most(b.z, c.z))];
        [low, high]
    }

    /// The fragment of one pixel.
    #[inline]
    fn fragment(&self, start: u32, middle: f64, low: f64, high: f64) -> Fragment {
        // The height of an upright plane may be no number: then it is the other.
        let middle = floor(least(most(middle, low), high) + 0.5);
        let (low, high) = (floor(low), ceil(high));
        Fragment { start, end: start + 1, low, high, middle, triangle: self.triangle }
    }
}

/// Triangles that are ready to be drawn row by row.
#[derive(Clone, Debug)]
pub struct Raster {
    lattice: Lattice,
    /// By first row.
    patches: Vec<Patch>,
    /// Where the patches of each first row start; one more than rows.
    starts: Vec<u32>,
}

/// The largest whole number that is not above a number; the library's is slow where the processor has no word for it.
#[inline]
fn floor(x: f64) -> i32 {
    let whole = x as i32;
    whole - i32::from(f64::from(whole) > x)
}

/// The smallest whole number that is not below a number.
#[inline]
fn ceil(x: f64) -> i32 {
    let whole = x as i32;
    whole + i32::from(f64::from(whole) < x)
}

/// The lesser of two numbers, the second if the first is none; one instruction, where the library's minds both.
#[inline]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers, the second if the first is none.
#[inline]
fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The pixels of an interval, in parts of a pixel; the upper end is not in it unless it is the lower one.
fn pixels(low: f64, high: f64) -> Range<u32> {
    let first = floor(low * (1.0 / PARTS)) as u32;
    first..(ceil(high * (1.0 / PARTS)) as u32).max(first + 1)
}

impl Raster {
    /// Gets triangles ready, which lie in the lattice.
    pub fn new(lattice: Lattice, triangles: impl Iterator<Item = [DVec3; 3]>) -> Self {
        Self::of_units(lattice, triangles.map(|corners| corners.map(|p| lattice.to_units(p))))
    }

    /// The same, with the triangles in units of the lattice.
    pub fn of_units(lattice: Lattice, triangles: impl Iterator<Item = [DVec3; 3]>) -> Self {
        let mut patches: Vec<Patch> = Vec::with_capacity(triangles.size_hint().0);
        let mut starts = vec![0; lattice.rows() as usize + 2];
        for (number, mut corners) in triangles.enumerate() {
            let is_before = |a: DVec3, b: DVec3| (a.y, a.x, a.z) < (b.y, b.x, b.z);
            for [i, j] in [[0, 1], [1, 2], [0, 1]] {
                if is_before(corners[j], corners[i]) {
                    corners.swap(i, j);
                }
            }
            let rows = pixels(corners[0].y, corners[2].y);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let is_level = corners[0].z == corners[1].z && corners[0].z == corners[2].z;
            let slope = if is_level { [0.0; 2] } else { [-normal.x / normal.z, -normal.y / normal.z] };
            starts[rows.start as usize + 2] += 1;
            patches.push(Patch { corners, slope, triangle: number as u32, last_row: rows.end - 1 });
        }
        for row in 2..starts.len() {
            starts[row] += starts[row - 1];
        }
        // Each start moves to the end of its row, which is the start of the next.
        let mut order = vec![0u32; patches.len()];
        for (number, patch) in patches.iter().enumerate() {
            let at = &mut starts[floor(patch.corners[0].y * (1.0 / PARTS)) as usize + 1];
            order[*at as usize] = number as u32;
            *at += 1;
        }
        starts.pop();
        let patches = order.into_iter().map(|number| patches[number as usize]).collect();
        Self { lattice, patches, starts }
    }

    /// The grid.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Draws a band of rows: `visit(row, fragments)` for each row in order, also for empty ones; fragments come in
    /// the order of their triangles' first rows, those of one triangle from left to right.
    pub fn draw(&self, rows: Range<u32>, mut visit: impl FnMut(u32, &[Fragment])) {
        let _ = self.draw_until(rows, |row, fragments| {
            visit(row, fragments);
            ControlFlow::Continue(())
        });
    }

    /// The same, until a visit breaks off.
    pub fn draw_until(
        &self,
        rows: Range<u32>,
        mut visit: impl FnMut(u32, &[Fragment]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut pen = Pen::default();
        let mut active: Vec<u32> = Vec::new();
        // What starts before the band and reaches into it.
        let before = 0..self.starts[rows.start as usize];
        active.extend(before.filter(|&k| self.patches[k as usize].last_row >= rows.start));
        for row in rows {
            active.retain(|&k| self.patches[k as usize].last_row >= row);
            active.extend(self.starts[row as usize]..self.starts[row as usize + 1]);
            pen.fragments.clear();
            for &k in &active {
                pen.draw(&self.patches[k as usize], row);
            }
            visit(row, &pen.fragments)?;
        }
        ControlFlow::Continue(())
    }
}

/// Memory that is used from row to row.
#[derive(Default)]
struct Pen {
    fragments: Vec<Fragment>,
    /// Lowest and highest point over each pixel of the patch in work.
    ranges: Vec<[f64; 2]>,
}

/// A side of the outline of a patch in a row: x and height of its two ends.
type Side = [[f64; 2]; 2];

impl Pen {
    /// Appends the fragments of a patch in a row that it comes into.
    fn draw(&mut self, patch: &Patch, row: u32) {
        let (bottom, top) = (f64::from(row) * PARTS, f64::from(row + 1) * PARTS);
        // Many triangles are small: nothing of them is cut off.
        let is_whole = patch.corners[0].y >= bottom && patch.corners[2].y <= top;
        let outline = || Outline::new(&patch.corners, bottom, top);
        let [[left, low], [right, high]] = if is_whole { patch.bounds() } else { outline().bounds() };
        let columns = pixels(left, right);
        if patch.slope == [0.0, 0.0] {
            let height = patch.corners[0].z; // level
            let (low, high) = (floor(height), ceil(height));
            self.add(Fragment {
                start: columns.start,
                end: columns.end,
                low,
                high,
                middle: low,
                triangle: patch.triangle,
            });
            return;
        }
        if columns.len() == 1 {
            let start = columns.start;
            self.add(patch.fragment(start, patch.middle(start, bottom), low, high));
            return;
        }
        let (sides, count) = outline().sides();
        let sides = &sides[..count];
        if columns.len() > LONG
            && let Some(full) = self.full(patch, bottom, top)
        {
            self.draw_part(patch, sides, columns.start..full.start, bottom);
            self.draw_full(patch, full.clone(), bottom);
            self.draw_part(patch, sides, full.end..columns.end, bottom);
        } else {
            self.draw_part(patch, sides, columns, bottom);
        }
    }

    /// The pixels that a patch covers wholly in a row: those between its left and its right sides on both lines.
    fn full(&self, patch: &Patch, bottom: f64, top: f64) -> Option<Range<u32>> {
        let [a, b, c] = patch.corners;
        if a.y > bottom || c.y < top || !(patch.slope[0].is_finite() && patch.slope[1].is_finite()) {
            return None;
        }
        // A triangle is convex: what lies between its sides on both lines lies in it. The bend of the shorter side may
        // only make it wider.
        let at = |from: DVec3, to: DVec3, y: f64| from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y));
        let (mut left, mut right) = (f64::NEG_INFINITY, f64::INFINITY);
        for y in [bottom, top] {
            let short = if y < b.y || b.y == c.y { at(a, b, y) } else { at(b, c, y) };
            let long = at(a, c, y);
            if short.is_nan() || long.is_nan() {
                return None;
            }
            left = most(least(short, long), left);
            right = least(most(short, long), right);
        }
        let (from, to) = (ceil(left / PARTS) + 1, floor(right / PARTS) - 1);
        (from < to && from >= 0).then_some(from as u32..to as u32)
    }

    /// Fragments of pixels that a patch covers wholly: the heights of a plane over a square.
    fn draw_full(&mut self, patch: &Patch, columns: Range<u32>, bottom: f64) {
        let (a, [along, up]) = (patch.corners[0], patch.slope);
        // Rounding of the slope is far below a unit of height; the corners of the triangle are its limits anyway.
        let [p, q, r] = patch.corners.map(|p| p.z);
        let (low, high) = (least(p, least(q, r)), most(p, most(q, r)));
        let first = a.z + along * (f64::from(columns.start) * PARTS - a.x) + up * (bottom - a.y);
        let lowest = least(along * PARTS, 0.0) + least(up * PARTS, 0.0);
        let highest = most(along * PARTS, 0.0) + most(up * PARTS, 0.0);
        let half = (along + up) * (PARTS / 2.0);
        let step = along * PARTS;
        let fragment = |start, base: f64| {
            patch.fragment(start, base + half, most(base + lowest, low), least(base + highest, high))
        };
        if step == 0.0 {
            self.add(Fragment { end: columns.end, ..fragment(columns.start, first) });
            return;
        }
        self.fragments.extend(
            columns.clone().map(|start| fragment(start, first + step * f64::from(start - columns.start))),
        );
    }

    /// Appends a fragment, or lengthens the one before it.
    #[inline]
    fn add(&mut self, new: Fragment) {
        let key = |f: &Fragment| (f.triangle, f.low, f.high, f.middle);
        match self.fragments.last_mut() {
            Some(last) if last.end == new.start && key(last) == key(&new) => last.end = new.end,
            _ => self.fragments.push(new),
        }
    }

    /// Fragments of some of the pixels of a patch, by its outline.
    fn draw_part(&mut self, patch: &Patch, sides: &[Side], columns: Range<u32>, bottom: f64) {
        if columns.is_empty() {
            return;
        }
        self.ranges.clear();
        self.ranges.resize(columns.len(), [f64::INFINITY, f64::NEG_INFINITY]);
        for side in sides {
            walk(side, &columns, &mut self.ranges);
        }
        let (first, step) = (patch.middle(columns.start, bottom), patch.slope[0] * PARTS);
        for column in columns.clone() {
            let k = column - columns.start;
            let [low, high] = self.ranges[k as usize];
            self.add(patch.fragment(column, first + step * f64::from(k), low, high));
        }
    }
}

/// Rows of more pixels than this may have pixels that are covered wholly.
const LONG: usize = 8;

/// The part of a triangle between two lines across y, seen from the side: x and height of its corners.
struct Outline {
    /// The ends of its longest edge.
    long: [[f64; 2]; 2],
    /// The ends of what the other two are, and the corner between them, if it lies between the lines.
    short: [[f64; 2]; 2],
    middle: Option<[f64; 2]>,
    /// Whether it is cut at the lower and at the upper line.
    is_cut: [bool; 2],
}

impl Outline {
    /// Of a triangle that comes between the lines.
    #[inline]
    fn new(&[a, b, c]: &[DVec3; 3], bottom: f64, top: f64) -> Self {
        // Where an edge, taken upwards so that both of its triangles find the same point, is at height `y` along y.
        let at = |from: DVec3, to: DVec3, y: f64| {
            let t = (y - from.y) / (to.y - from.y);
            [from.x + (to.x - from.x) * t, from.z + (to.z - from.z) * t]
        };
        let is_cut = [a.y < bottom, c.y > top];
        let (mut long, mut short) = ([[a.x, a.z], [c.x, c.z]], [[a.x, a.z], [c.x, c.z]]);
        if is_cut[0] {
            long[0] = at(a, c, bottom);
            short[0] = if b.y > bottom { at(a, b, bottom) } else { at(b, c, bottom) };
        }
        if is_cut[1] {
            long[1] = at(a, c, top);
            short[1] = if b.y < top { at(b, c, top) } else { at(a, b, top) };
        }
        let middle = (bottom <= b.y && b.y <= top).then_some([b.x, b.z]);
        Self { long, short, middle, is_cut }
    }

    /// The least and the greatest x and height.
    #[inline]
    fn bounds(&self) -> [[f64; 2]; 2] {
        let first = self.middle.unwrap_or(self.long[0]);
        let (mut low, mut high) = (first, first);
        for p in [self.long[0], self.long[1], self.short[0], self.short[1]] {
            for axis in 0..2 {
                low[axis] = least(p[axis], low[axis]);
                high[axis] = most(p[axis], high[axis]);
            }
        }
        [low, high]
    }

    /// Its sides, at most five.
    fn sides(&self) -> ([Side; 5], usize) {
        let Self { long, short, middle, is_cut } = *self;
        let mut sides = [long; 5];
        let mut count = 1;
        let mut add = |side: Side| {
            sides[count] = side;
            count += 1;
        };
        match middle {
            Some(middle) => {
                add([short[0], middle]);
                add([middle, short[1]]);
            }
            None => add(short),
        }
        for k in 0..2 {
            if is_cut[k] {
                add([short[k], long[k]]);
            }
        }
        (sides, count)
    }
}

/// Widens the ranges of some pixels by the part of a side of an outline that runs over them.
#[inline]
fn walk(side: &Side, columns: &Range<u32>, ranges: &mut [[f64; 2]]) {
    let [l, r] = if side[0][0] <= side[1][0] { *side } else { [side[1], side[0]] };
    // The right end of an outline may lie on the left side of the pixel behind the last.
    let (begin, last) = (floor(l[0] * (1.0 / PARTS)) as u32, floor(r[0] * (1.0 / PARTS)) as u32);
    if last < columns.start || begin >= columns.end {
        // Only a last pixel that is touched from the left is widened from behind.
        if begin == columns.end && l[0] == f64::from(columns.end) * PARTS {
            let range = &mut ranges[columns.len() - 1];
            *range = [least(l[1], range[0]), most(l[1], range[1])];
        }
        return;
    }
    let slope = (r[1] - l[1]) / (r[0] - l[0]);
    let (lowest, highest) = (least(l[1], r[1]), most(l[1], r[1]));
    let at = |border: u32| least(most(l[1] + (f64::from(border) * PARTS - l[0]) * slope, lowest), highest);
    let mut height = if begin < columns.start { at(columns.start) } else { l[1] };
    for column in begin.max(columns.start)..=last.min(columns.end - 1) {
        let next = if column == last { r[1] } else { at(column + 1) };
        let range = &mut ranges[(column - columns.start) as usize];
        *range = [least(least(height, next), range[0]), most(most(height, next), range[1])];
        height = next;
    }
    // What ends on the left side of the pixel behind the last belongs to the last.
    if last == columns.end && r[0] == f64::from(columns.end) * PARTS {
        let range = &mut ranges[columns.len() - 1];
        *range = [least(r[1], range[0]), most(r[1], range[1])];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::lattice::HEIGHT_UNITS;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use wayfare_core::dvec2;
    use wayfare_geom::Aabb2;

    /// The part of a polygon on the side of an axis-parallel plane where `sign * (p[axis] - at) >= 0`.
    fn clip(polygon: &[DVec3], axis: usize, at: f64, sign: f64) -> Vec<DVec3> {
        let mut clipped = Vec::new();
        for (k, &p) in polygon.iter().enumerate() {
            let q = polygon[(k + 1) % polygon.len()];
            let (dp, dq) = (sign * (p[axis] - at), sign * (q[axis] - at));
            if dp >= 0.0 {
                clipped.push(p);
            }
            if dp * dq < 0.0 {
                clipped.push(p + (q - p) * (dp / (dp - dq)));
            }
        }
        clipped
    }

    /// All fragments by cutting the triangle to every pixel.
    fn oracle(lattice: &Lattice, triangle: [DVec3; 3]) -> BTreeMap<(u32, u32), [f64; 2]> {
        let triangle = triangle.map(|p| lattice.to_units(p));
        let mut fragments = BTreeMap::new();
        for row in 0..lattice.rows() {
            for column in 0..lattice.columns() {
                let mut part = triangle.to_vec();
                for (axis, k) in [(0, column), (1, row)] {
                    part = clip(&part, axis, f64::from(k) * PARTS, 1.0);
                    part = clip(&part, axis, f64::from(k + 1) * PARTS, -1.0);
                }
                let heights = part.iter().map(|p| p.z);
                if !part.is_empty() {
                    let range = [
                        heights.clone().fold(f64::INFINITY, f64::min),
                        heights.fold(f64::NEG_INFINITY, f64::max),
                    ];
                    fragments.insert((row, column), range);
                }
            }
        }
        fragments
    }

    /// Height of a triangle in the middle of a pixel that it covers well, unless it is nearly upright.
    fn height_in_middle([a, b, c]: [DVec3; 3], (row, column): (u32, u32)) -> Option<f64> {
        let p = dvec2(f64::from(column) + 0.5, f64::from(row) + 0.5) * PARTS;
        let weight = |u: DVec3, v: DVec3| (v.truncate() - u.truncate()).perp_dot(p - u.truncate());
        let weights = [weight(b, c), weight(c, a), weight(a, b)];
        let sum: f64 = weights.iter().sum();
        let is_inside = sum.abs() > 1.0 && weights.iter().all(|w| w / sum >= 0.0);
        is_inside.then(|| (a.z * weights[0] + b.z * weights[1] + c.z * weights[2]) / sum)
    }

    /// Compares what is drawn with the oracle. Pixels that are only touched from outside need not be drawn.
    fn check(triangle: [DVec3; 3], resolution: f64) {
        let bounds = Aabb2 { min: dvec2(0.0, 0.0), max: dvec2(2.0, 2.0) };
        let lattice = Lattice::covering(bounds, [0.0, 3.0], resolution).unwrap();
        let raster = Raster::new(lattice, [triangle].into_iter());
        let expected = oracle(&lattice, triangle);
        let units = triangle.map(|p| lattice.to_units(p));
        let mut drawn = BTreeMap::new();
        raster.draw(0..lattice.rows(), |row, fragments| {
            for fragment in fragments {
                for column in fragment.start..fragment.end {
                    assert!(drawn.insert((row, column), *fragment).is_none(), "{triangle:?}");
                }
            }
        });
        for (pixel, fragment) in &drawn {
            let [low, high] =
                expected.get(pixel).unwrap_or_else(|| panic!("{triangle:?}: {pixel:?} is not met"));
            // Rounded outwards, and a pixel's own border may be reached from the next one.
            assert!(
                (f64::from(fragment.low) - low.floor()).abs() <= 1.0,
                "{triangle:?} {pixel:?} {fragment:?} {low}"
            );
            assert!(
                (f64::from(fragment.high) - high.ceil()).abs() <= 1.0,
                "{triangle:?} {pixel:?} {fragment:?} {high}"
            );
            assert!(f64::from(fragment.low) <= low + 1e-6 && f64::from(fragment.high) >= high - 1e-6);
            assert!((fragment.low..=fragment.high).contains(&fragment.middle), "{fragment:?}");
            if let Some(middle) = height_in_middle(units, *pixel) {
                assert!(
                    (f64::from(fragment.middle) - middle).abs() <= 1.0,
                    "{triangle:?} {fragment:?} {middle}"
                );
            }
        }
        // What is missing is touched only: nothing of it lies inside the pixel.
        for (row, column) in expected.keys().filter(|pixel| !drawn.contains_key(pixel)) {
            let mut part = units.to_vec();
            for (axis, k) in [(0, *column), (1, *row)] {
                part = clip(&part, axis, f64::from(k) * PARTS + 1e-3, 1.0);
                part = clip(&part, axis, f64::from(k + 1) * PARTS - 1e-3, -1.0);
            }
            assert!(part.is_empty(), "{triangle:?}: pixel {row}, {column} is missing");
        }
    }

    proptest! {
        #[test]
        fn fragments_are_what_is_left_of_a_triangle_cut_to_the_pixel(
            numbers in prop::collection::vec(0.0..2.0f64, 9), on_lines in 0u8..8, flat in 0u8..4,
        ) {
            let mut points = [0, 3, 6].map(|k| DVec3::new(numbers[k], numbers[k + 1], numbers[k + 2] * 3.0 - 2.0));
            for (k, p) in points.iter_mut().enumerate() {
                if on_lines >> k & 1 == 1 {
                    // On the lines of the grid.
                    (p.x, p.y) = ((p.x * 4.0).round() / 4.0, (p.y * 4.0).round() / 4.0);
                }
            }
            match flat {
                1 => points[2] = points[0] + (points[1] - points[0]) * 0.4 + DVec3::Z, // upright
                2 => points[2].x = points[0].x,
                3 => (points[1].x, points[2].x) = (points[0].x, points[0].x),
                _ => {}
            }
            check(points, 0.25);
            // With rows that have pixels covered wholly.
            check(points, 0.07);
        }
    }

    #[test]
    fn a_wall_on_a_line_of_the_grid_has_the_pixels_on_one_side_of_it() {
        let wall = [DVec3::new(0.5, 0.25, 0.0), DVec3::new(0.5, 1.25, 0.0), DVec3::new(0.5, 0.25, 3.0)];
        let lattice =
            Lattice::covering(Aabb2 { min: dvec2(0.0, 0.0), max: dvec2(2.0, 2.0) }, [0.0, 3.0], 0.25)
                .unwrap();
        let mut pixels = Vec::new();
        Raster::new(lattice, [wall].into_iter()).draw(0..lattice.rows(), |row, fragments| {
            pixels.extend(fragments.iter().map(|f| (row, f.start..f.end, f.low, f.high)));
        });
        let unit = HEIGHT_UNITS as i32;
        let expected: Vec<_> = (0..4).map(|k| (2 + k, 3..4, 0, 3 * unit - k as i32 * 3 * unit / 4)).collect();
        assert_eq!(pixels, expected);
        check(wall, 0.25);
    }

    #[test]
    fn bands_draw_what_the_whole_draws() {
        let triangle = [DVec3::new(0.1, 0.2, 0.0), DVec3::new(1.9, 0.7, 1.0), DVec3::new(0.6, 1.8, 2.0)];
        let lattice =
            Lattice::covering(Aabb2 { min: dvec2(0.0, 0.0), max: dvec2(2.0, 2.0) }, [0.0, 3.0], 0.25)
                .unwrap();
        let raster = Raster::new(lattice, [triangle, triangle.map(|p| p * 0.5)].into_iter());
        let draw = |bands: &[Range<u32>]| {
            let mut all = Vec::new();
            for band in bands {
                raster.draw(band.clone(), |row, fragments| all.push((row, fragments.to_vec())));
            }
            all
        };
        let rows = lattice.rows();
        let whole = 0..rows;
        assert_eq!(draw(std::slice::from_ref(&whole)), draw(&[0..1, 1..4, 4..5, 5..rows]));
    }
}
