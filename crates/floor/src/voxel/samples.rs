//! The heights of a region's pixels.
//!
//! Runs lie row by row over the whole scene; what a region asks of them again and again lies together here.

use super::{
    runs::{Runs, Slope},
    strips::Strips,
};
use wayfare_core::DVec2;

/// A stretch of pixels of one row.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
    /// Where its slopes start and end.
    slopes: [u32; 2],
}

/// The pixels of one region, row by row.
#[derive(Clone, Debug)]
pub struct Samples {
    first_row: u32,
    /// Where the stretches of each row start; one more than rows.
    starts: Vec<u32>,
    stretches: Vec<Stretch>,
    /// The heights of all stretches: those lines of their runs that reach into them.
    slopes: Vec<Slope>,
    outline: Outline,
    /// The highest step [height units].
    pub step: f64,
    /// How much ground that can be walked on rises from pixel to pixel at most [height units].
    rise: f64,
}

/// Columns of a part of a row whose heights are known in general, at least, as a power of two.
const PART: u32 = 3;

/// No heights at all.
const NO_RANGE: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

/// The lowest and the highest pixel in parts of rows of equal length: where the ground is known to be even need no pixel be
/// looked at.
#[derive(Clone, Debug, Default)]
struct Outline {
    /// The column that parts begin at.
    first: u32,
    /// Columns per part, as a power of two, and parts per row.
    width: u32,
    parts: u32,
    /// Row by row.
    ranges: Vec<[f32; 2]>,
}

impl Outline {
    fn new(samples: &Samples) -> Self {
        let first = samples.stretches.iter().map(|stretch| stretch.start).min().unwrap_or(0);
        let end = samples.stretches.iter().map(|stretch| stretch.end).max().unwrap_or(0);
        let rows = samples.starts.len() - 1;
        // Not more than there are stretches, about.
        let most = 8 * samples.stretches.len() + 64;
        let mut width = PART;
        let parts = |width: u32| ((end - first) >> width) + 1;
        while parts(width) > 1 && rows * parts(width) as usize > most {
            width += 1;
        }
        let parts = parts(width);
        let mut outline = Self { first, width, parts, ranges: vec![NO_RANGE; rows * parts as usize] };
        for (row, ends) in samples.starts.windows(2).enumerate() {
            for stretch in &samples.stretches[ends[0] as usize..ends[1] as usize] {
                let slopes = samples.slopes(stretch);
                for (k, slope) in slopes.iter().enumerate() {
                    let start = slope.column.max(stretch.start);
                    let end = slopes.get(k + 1).map_or(stretch.end, |next| next.column);
                    outline.add(row, start, end, slope);
                }
            }
        }
        outline
    }

    /// Adds the heights of a line from one column to before another.
    fn add(&mut self, row: usize, start: u32, end: u32, slope: &Slope) {
        let mut column = start;
        while column < end {
            let part = (column - self.first) >> self.width;
            let until = (self.first + ((part + 1) << self.width)).min(end);
            let range = &mut self.ranges[row * self.parts as usize + part as usize];
            for height in [column, until - 1].map(|column| slope.height_at(i64::from(column))) {
                *range = [range[0].min(height), range[1].max(height)];
            }
            column = until;
        }
    }

    fn range(&self, row: usize, from: i64, to: i64) -> [f32; 2] {
        let parts = i64::from(self.parts);
        let part = |column: i64| (column - i64::from(self.first)) >> self.width;
        let (first, last) = (part(from).clamp(0, parts), part(to - 1).clamp(-1, parts - 1));
        let base = row * self.parts as usize;
        let Some(ranges) = self.ranges.get(base + first as usize..(base as i64 + last + 1) as usize) else {
            return NO_RANGE;
        };
        ranges.iter().fold(NO_RANGE, |all, one| [all[0].min(one[0]), all[1].max(one[1])])
    }
}

impl Samples {
    /// The pixels of strips that come by row and column.
    pub fn new(runs: &Runs, strips: &Strips, own: &[u32], step: f64, rise: f64) -> Self {
        let row = |strip: &u32| strips.strips[*strip as usize].row;
        let (first_row, last_row) = (own.first().map_or(0, row), own.last().map_or(0, row));
        let mut samples = Self {
            first_row,
            starts: vec![0; (last_row - first_row) as usize + 2],
            stretches: Vec::with_capacity(own.len()),
            slopes: Vec::with_capacity(own.len()),
            outline: Outline::default(),
            step,
            rise,
        };
        for strip in own {
            let number = (row(strip) - first_row) as usize;
            let strip = &strips.strips[*strip as usize];
            let first = samples.slopes.len() as u32;
            let slopes = runs.slopes_in(strip.run, strip.start, strip.end).map(|(slope, _)| slope);
            samples.slopes.extend(slopes);
            let slopes = [first, samples.slopes.len() as u32];
            samples.stretches.push(Stretch { start: strip.start, end: strip.end, slopes });
            samples.starts[number + 1] += 1;
        }
        for k in 1..samples.starts.len() {
            samples.starts[k] += samples.starts[k - 1];
        }
        samples.outline = Outline::new(&samples);
        samples
    }

    /// Heights between which all pixels of a row between two columns lie, and perhaps some beside them; the lower is above
    /// the upper where there are none [height units].
    pub fn range_in_row(&self, row: i64, from: i64, to: i64) -> [f64; 2] {
        let number = usize::try_from(row - i64::from(self.first_row)).ok();
        number.map_or(NO_RANGE, |number| self.outline.range(number, from, to)).map(f64::from)
    }

    /// The stretches of a row from left to right.
    fn row(&self, row: i64) -> &[Stretch] {
        let number = row - i64::from(self.first_row);
        let ends = usize::try_from(number).ok().and_then(|k| self.starts.get(k..k + 2));
        ends.map_or(&[], |ends| &self.stretches[ends[0] as usize..ends[1] as usize])
    }

    /// Height in the middle of a pixel, if the region has it [height units].
    pub fn height(&self, column: i64, row: i64) -> Option<f64> {
        let stretches = self.row(row);
        let column = u32::try_from(column).ok()?;
        let stretch = stretches.get(stretches.partition_point(|stretch| stretch.end <= column))?;
        if stretch.start > column {
            return None;
        }
        let slopes = self.slopes(stretch);
        // Most have one.
        let number = match slopes.len() {
            1 => 0,
            _ => slopes.partition_point(|slope| slope.column <= column).max(1) - 1,
        };
        Some(f64::from(slopes.get(number)?.height_at(i64::from(column))))
    }

    fn slopes(&self, stretch: &Stretch) -> &[Slope] {
        &self.slopes[stretch.slopes[0] as usize..stretch.slopes[1] as usize]
    }

    /// Height of the ground of a pixel at a point on its border: on as the pixels beside it rise, where they rise evenly;
    /// stairs do not [height units].
    pub fn height_at(&self, column: i64, row: i64, at: DVec2) -> Option<f64> {
        let middle = self.height(column, row)?;
        let away = at - DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
        let rise = |away: f64, [x, y]: [i64; 2]| {
            let sign = if away < 0.0 { -1 } else { 1 };
            let beside = |k: i64| self.height(column + sign * k * x, row + sign * k * y);
            let Some(before) = beside(-1) else { return 0.0 };
            let own = middle - before;
            // Most ground is level.
            if own == 0.0 {
                return 0.0;
            }
            // The other rise is that of the pixel beyond, or, on the rim, that of the two before.
            let other =
                beside(1).map(|after| after - middle).or_else(|| beside(-2).map(|first| before - first));
            let other = other.unwrap_or(0.0);
            let least = if own.abs() < other.abs() { own } else { other };
            if own * other > 0.0 && least.abs() <= self.rise { least * away.abs() } else { 0.0 }
        };
        Some(middle + rise(away.x, [1, 0]) + rise(away.y, [0, 1]))
    }

    /// The heights of a square of `N` by `N` pixels round one, row by row, as far as the region has them [height units].
    pub fn heights_round<const N: usize>(&self, column: i64, row: i64) -> [[Option<f64>; N]; N] {
        let first_column = column - N as i64 / 2;
        let behind = first_column + N as i64;
        let mut all = [[None; N]; N];
        for (heights, row) in all.iter_mut().zip(row - N as i64 / 2..) {
            let stretches = self.row(row);
            let first = stretches.partition_point(|stretch| i64::from(stretch.end) <= first_column);
            for stretch in &stretches[first..] {
                let start = i64::from(stretch.start).max(first_column);
                if start >= behind {
                    break;
                }
                let slopes = self.slopes(stretch);
                let mut number = match slopes.len() {
                    1 => 0,
                    _ => slopes.partition_point(|slope| i64::from(slope.column) <= start).max(1) - 1,
                };
                for at in start..i64::from(stretch.end).min(behind) {
                    while slopes.get(number + 1).is_some_and(|next| i64::from(next.column) <= at) {
                        number += 1;
                    }
                    heights[(at - first_column) as usize] = Some(f64::from(slopes[number].height_at(at)));
                }
            }
        }
        all
    }

    /// Visits the ends of all lines that the heights of a row are made of, between two columns, `visit(column, height)`; if
    /// that says that one of them is of interest, also the pixels next to them, which have no riser beside them.
    pub fn visit_row(&self, row: i64, from: i64, to: i64, mut visit: impl FnMut(i64, f64) -> bool) {
        let stretches = self.row(row);
        let first = stretches.partition_point(|stretch| i64::from(stretch.end) <= from);
        for stretch in stretches[first..].iter().take_while(|stretch| i64::from(stretch.start) < to) {
            let (start, end) = (i64::from(stretch.start).max(from), i64::from(stretch.end).min(to));
            let slopes = self.slopes(stretch);
            let first = match slopes.len() {
                1 => 0,
                _ => slopes.partition_point(|slope| i64::from(slope.column) <= start).max(1) - 1,
            };
            for (k, slope) in slopes.iter().enumerate().skip(first) {
                if i64::from(slope.column) >= end {
                    break;
                }
                let slope_end = slopes.get(k + 1).map_or(end, |next| i64::from(next.column).min(end));
                let (a, b) = (i64::from(slope.column).max(start), slope_end - 1);
                let height = |column: i64| f64::from(slope.height_at(column));
                let is_of_interest = visit(a, height(a)) | (b > a && visit(b, height(b)));
                if is_of_interest && b > a + 1 {
                    visit(a + 1, height(a + 1));
                }
                if is_of_interest && b > a + 2 {
                    visit(b - 1, height(b - 1));
                }
            }
        }
    }
}

/// The lowest and the highest of some heights; the lower is above the upper where there are none.
pub fn range<'a>(heights: impl Iterator<Item = &'a Option<f64>>) -> [f64; 2] {
    heights.flatten().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &height| {
        [if height < low { height } else { low }, if height > high { height } else { high }]
    })
}
