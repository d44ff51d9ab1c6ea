//! Runs cut by tag, and what lies on every side of each piece.
//!
//! A strip is the part of a run with one tag. Left and right of it are a wall, a drop or a strip of another tag; below
//! and above it are pieces of all kinds. Strips of one layer and tag that are open to each other make a region.

use super::{
    layers::Layers,
    runs::{Runs, WALL},
};

/// Part of a run with one tag.
#[derive(Clone, Copy, Debug)]
pub struct Strip {
    /// The run.
    pub run: u32,
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
    /// The area tag.
    pub tag: u8,
    /// The layer.
    pub layer: u32,
    /// The row of pixels.
    pub row: u32,
}

/// What lies across a side of a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Across {
    /// A wall, or a drop with its depth [height units].
    End(i32),
    /// A strip of another layer.
    Seam(u32),
    /// A strip of the same layer with another tag.
    Tag(u32),
    /// A strip of the same region.
    Open(u32),
}

impl Across {
    /// The strip across, if the ground goes on.
    pub fn strip(self) -> Option<u32> {
        match self {
            Self::End(_) => None,
            Self::Seam(strip) | Self::Tag(strip) | Self::Open(strip) => Some(strip),
        }
    }
    /// Whether a region ends here.
    pub fn is_boundary(self) -> bool {
        !matches!(self, Self::Open(_))
    }
}

/// A part of the lower or upper side of a strip.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The strip.
    pub strip: u32,
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
    /// What lies across.
    pub across: Across,
}

/// All pieces on one side of all strips, by strip and column.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// By strip, then by column.
    pub pieces: Vec<Piece>,
    starts: Vec<u32>,
}

impl Pieces {
    /// Sorts pieces: into bins by strip, which have few each, then by column.
    fn new(unsorted: &[Piece], strips: usize) -> Self {
        let mut starts = vec![0; strips + 2];
        for piece in unsorted {
            starts[piece.strip as usize + 2] += 1;
        }
        for k in 2..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut pieces = unsorted.to_vec();
        // Each start moves to the end of its strip, which is the start of the next.
        for piece in unsorted {
            let at = &mut starts[piece.strip as usize + 1];
            pieces[*at as usize] = *piece;
            *at += 1;
        }
        starts.pop();
        for ends in starts.windows(2) {
            pieces[ends[0] as usize..ends[1] as usize].sort_unstable_by_key(|piece| piece.start);
        }
        Self { pieces, starts }
    }

    /// The pieces of a strip.
    pub fn of(&self, strip: u32) -> &[Piece] {
        &self.pieces[self.starts[strip as usize] as usize..self.starts[strip as usize + 1] as usize]
    }

    /// The piece of a strip at a column that it has.
    pub fn at(&self, strip: u32, column: u32) -> u32 {
        let (from, to) = (self.starts[strip as usize] as usize, self.starts[strip as usize + 1] as usize);
        let pieces = &self.pieces[from..to];
        (from + pieces.partition_point(|piece| piece.end <= column)) as u32
    }
}

/// The strips of runs, with all their sides.
#[derive(Clone, Debug, Default)]
pub struct Strips {
    /// By run, then by column.
    pub strips: Vec<Strip>,
    /// Left and right ends.
    pub ends: Vec<[Across; 2]>,
    /// Lower sides.
    pub below: Pieces,
    /// Upper sides.
    pub above: Pieces,
}

impl Strips {
    /// Cuts runs into strips.
    pub fn new(runs: &Runs, layers: &Layers) -> Self {
        let mut strips = Vec::with_capacity(runs.spans.len());
        let mut ends = Vec::with_capacity(runs.spans.len());
        for (number, run) in runs.runs.iter().enumerate() {
            for (span, end) in runs.spans_of(number as u32) {
                let here = strips.len() as u32;
                let left =
                    if span.column == run.start { Across::End(run.drops[0]) } else { Across::Tag(here - 1) };
                let right = if end == run.end { Across::End(run.drops[1]) } else { Across::Tag(here + 1) };
                ends.push([left, right]);
                let (layer, row) = (layers.of_run[number], run.row);
                strips.push(Strip { run: number as u32, start: span.column, end, tag: span.tag, layer, row });
            }
        }
        let mut both = Self { strips, ends, ..Self::default() };
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for (pieces, gaps) in [(&mut below, &runs.gaps_below), (&mut above, &runs.gaps_above)] {
            for gap in gaps {
                for (strip, start, end) in both.strips_in(runs, gap.run, gap.start, gap.end) {
                    pieces.push(Piece { strip, start, end, across: Across::End(gap.drop) });
                }
            }
        }
        for contact in &runs.contacts {
            for (lower, start, end) in both.strips_in(runs, contact.below, contact.start, contact.end) {
                for (upper, start, end) in both.strips_in(runs, contact.above, start, end) {
                    let [a, b] = [lower, upper].map(|strip| both.strips[strip as usize]);
                    let across = |strip| match (a.layer == b.layer, a.tag == b.tag) {
                        (true, true) => Across::Open(strip),
                        (true, false) => Across::Tag(strip),
                        (false, _) => Across::Seam(strip),
                    };
                    below.push(Piece { strip: upper, start, end, across: across(lower) });
                    above.push(Piece { strip: lower, start, end, across: across(upper) });
                }
            }
        }
        let count = both.strips.len();
        (both.below, both.above) = rayon::join(|| Pieces::new(&below, count), || Pieces::new(&above, count));
        both
    }

    /// The strips of a run over some of its columns, with the columns of each.
    fn strips_in<'a>(
        &'a self,
        runs: &Runs,
        run: u32,
        start: u32,
        end: u32,
    ) -> impl Iterator<Item = (u32, u32, u32)> + use<'a> {
        let first = runs.runs[run as usize].spans as usize;
        let after = runs.runs.get(run as usize + 1).map_or(self.strips.len(), |next| next.spans as usize);
        let skipped = self.strips[first..after].partition_point(|strip| strip.end <= start);
        (first + skipped..after)
            .map(|strip| (strip as u32, self.strips[strip]))
            .take_while(move |(_, strip)| strip.start < end)
            .map(move |(number, strip)| (number, strip.start.max(start), strip.end.min(end)))
    }

    /// Whether an end is a drop and not a wall.
    pub fn is_drop(depth: i32) -> bool {
        depth != WALL
    }
}
