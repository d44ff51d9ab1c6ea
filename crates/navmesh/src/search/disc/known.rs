//! What searches have found out about straight pieces, by radius: kept for the next ones.
//!
//! Idea: bodies come in a few sizes. Which pieces between corners exist at a radius, where they lie and whether they are free is the
//!   same in every search; so it is found out when it is first asked, and kept with the scratch memory. It only
//!   saves work: an answer is the same with or without.
//! Steps: 1. for a corner that is turned round for the first time, the pieces that leave it  2. for one that is to be
//!   gone along for the first time, whether it is free
//! Cost: 40 bytes per piece in use, of four radii at most; they are forgotten when a fifth comes.

use super::sight::RIGHT;
use std::ops::Range;
use wayfare_core::DVec2;

/// Radii that are kept.
const MOST_RADII: usize = 4;

/// Nothing was found out so far.
const NOT_ASKED: [u32; 2] = [u32::MAX; 2];

/// Whether a disc fits all along a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    NotAsked,
    Free,
    Blocked,
}

/// A straight piece that leaves a corner and touches another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub heading: DVec2,
    /// The direction of the heading [rad].
    pub angle: f64,
    pub length: f64,
    /// The corner at its end, and [`RIGHT`].
    pub end: u32,
    pub fit: Fit,
}

impl Piece {
    /// The vertex at its end, and the side on which it lies.
    #[inline]
    pub fn end(&self) -> (u32, f64) {
        (self.end & !RIGHT, if self.end & RIGHT == 0 { 1.0 } else { -1.0 })
    }
}

/// Pieces of one radius.
#[derive(Clone, Debug)]
struct Table {
    /// The number of the [`super::sight::Sight`] that it is of, and the radius.
    of: (u64, u64),
    /// For each vertex on the left, then on the right: where its pieces start and end.
    ranges: Vec<[u32; 2]>,
    pieces: Vec<Piece>,
}

/// Pieces of the radii that were asked for last.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The one in use first.
    tables: Vec<Table>,
}

impl Known {
    /// Takes up the table of a radius.
    pub fn begin(&mut self, sight: u64, radius: f64, vertices: usize) {
        let of = (sight, radius.to_bits());
        match self.tables.iter().position(|table| table.of == of) {
            Some(k) => self.tables[..=k].rotate_right(1),
            None => {
                // The oldest one lends its memory.
                let mut table = if self.tables.len() < MOST_RADII {
                    Table { of, ranges: Vec::new(), pieces: Vec::new() }
                } else {
                    self.tables.remove(MOST_RADII - 1)
                };
                table.of = of;
                table.ranges.clear();
                table.ranges.resize(2 * vertices, NOT_ASKED);
                table.pieces.clear();
                self.tables.insert(0, table);
            }
        }
    }

    /// The pieces that leave a corner on a side, if that was found out.
    #[inline]
    pub fn of(&self, vertex: u32, side: f64) -> Option<Range<u32>> {
        let [from, to] = self.tables[0].ranges[slot(vertex, side)];
        ([from, to] != NOT_ASKED).then_some(from..to)
    }

    /// Keeps the pieces that leave a corner on a side.
    pub fn keep(&mut self, vertex: u32, side: f64, pieces: impl Iterator<Item = Piece>) -> Range<u32> {
        let table = &mut self.tables[0];
        let from = table.pieces.len() as u32;
        table.pieces.extend(pieces);
        let to = table.pieces.len() as u32;
        table.ranges[slot(vertex, side)] = [from, to];
        from..to
    }

    /// Some pieces, by their numbers.
    #[inline]
    pub fn pieces(&self, numbers: Range<u32>) -> &[Piece] {
        &self.tables[0].pieces[numbers.start as usize..numbers.end as usize]
    }

    #[inline]
    pub fn piece(&self, number: u32) -> &Piece {
        &self.tables[0].pieces[number as usize]
    }

    pub fn set_fit(&mut self, number: u32, is_free: bool) {
        self.tables[0].pieces[number as usize].fit = if is_free { Fit::Free } else { Fit::Blocked };
    }
}

#[inline]
fn slot(vertex: u32, side: f64) -> usize {
    2 * vertex as usize + usize::from(side < 0.0)
}
