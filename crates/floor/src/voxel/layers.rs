//! Runs to layers that do not overlap seen from above.
//!
//! Idea: runs that can only go on to each other make pieces; pieces are joined along their longest contacts first,
//!   unless something in one lies over something in the other. What cannot be joined meets in seams.
//! Source: thesis (seed 000), section 6.2.2, floods voxels in the order of their height. We differ: joining by the
//!   length of contacts leaves short seams (46 m instead of 203 m in a building of four storeys).
//! Steps: 1. pieces  2. pairs that may not be in one layer  3. joining  4. few layers, from below
//! Promises: no layer has two floors over one pixel; no two seams of a layer lie on each other; pieces in contact are in
//!   one layer or meet in a seam.
//! Cost: O(n log n) in runs, contacts and pairs that overlap.

use super::runs::{Contact, Run, Runs};
use rayon::prelude::*;
use std::{collections::BTreeSet, ops::Range};
use wayfare_core::{Cancelled, Context};

/// The layers of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// Layer of each run.
    pub of_run: Vec<u32>,
    /// Number of layers.
    pub count: u32,
}

/// Puts runs into layers.
pub fn find_layers(runs: &Runs, context: &Context) -> Result<Layers, Cancelled> {
    let pieces = Pieces::new(runs);
    let conflicts = find_conflicts(runs, &pieces.of_run, context)?;
    let mut sets = Sets::new(pieces.count, &conflicts);
    for (_, [a, b]) in contacts_by_length(runs, &pieces.of_run) {
        sets.join(a, b);
    }
    context.check()?;
    Ok(pack(runs, &pieces, &mut sets))
}

/// Runs that hang together without a choice.
struct Pieces {
    of_run: Vec<u32>,
    count: usize,
}

impl Pieces {
    /// Step 1.
    fn new(runs: &Runs) -> Self {
        // The only neighbour on a side, if there is one.
        #[derive(Clone, Copy, PartialEq)]
        enum Neighbour {
            None,
            One(u32),
            Several,
        }
        let add = |seen: &mut Neighbour, run: u32| {
            *seen = match *seen {
                Neighbour::None => Neighbour::One(run),
                Neighbour::One(other) if other == run => *seen,
                _ => Neighbour::Several,
            };
        };
        let mut above = vec![Neighbour::None; runs.runs.len()];
        let mut below = above.clone();
        for contact in &runs.contacts {
            add(&mut above[contact.below as usize], contact.above);
            add(&mut below[contact.above as usize], contact.below);
        }
        let mut pieces = Self { of_run: Vec::with_capacity(runs.runs.len()), count: 0 };
        for run in 0..runs.runs.len() as u32 {
            let piece = match below[run as usize] {
                Neighbour::One(lower) if above[lower as usize] == Neighbour::One(run) => {
                    pieces.of_run[lower as usize]
                }
                _ => {
                    pieces.count += 1;
                    pieces.count as u32 - 1
                }
            };
            pieces.of_run.push(piece);
        }
        pieces
    }
}

/// Pairs of pieces, the smaller first, without repetition.
#[derive(Default)]
struct Pairs {
    pairs: Vec<[u32; 2]>,
    sorted: usize,
    /// Some of the last pairs, each at its own place: rows repeat what the rows before said.
    last: Vec<[u32; 2]>,
}

/// Pairs that are remembered, as a power of two.
const LAST: u32 = 12;

impl Pairs {
    fn add(&mut self, a: u32, b: u32) {
        let pair = [a.min(b), a.max(b)];
        if a == b {
            return;
        }
        if self.last.is_empty() {
            self.last.resize(1 << LAST, [0; 2]);
        }
        let mixed = (pair[0] ^ pair[1].rotate_left(16)).wrapping_mul(0x9e37_79b9);
        let last = &mut self.last[(mixed >> (32 - LAST)) as usize];
        if *last == pair {
            return;
        }
        *last = pair;
        self.pairs.push(pair);
        if self.pairs.len() > 2 * self.sorted + 10_000 {
            self.clean();
        }
    }

    fn clean(&mut self) {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.sorted = self.pairs.len();
    }
}

/// Step 2: pieces that may not be in one layer.
fn find_conflicts(runs: &Runs, piece_of: &[u32], context: &Context) -> Result<Vec<[u32; 2]>, Cancelled> {
    let component_of = runs.components();
    let finder = ConflictFinder { runs, piece_of, component_of: &component_of };
    let rows: Vec<&[Run]> = runs.runs.chunk_by(|a, b| a.row == b.row).collect();
    let starts: Vec<u32> = rows
        .iter()
        .scan(0, |end, row| {
            let start = *end;
            *end += row.len() as u32;
            Some(start)
        })
        .collect();
    let row = |k: usize| starts[k]..starts[k] + rows[k].len() as u32;
    let row_of = |contact: &Contact| runs.runs[contact.above as usize].row;
    let lines: Vec<&[Contact]> = runs.contacts.chunk_by(|a, b| row_of(a) == row_of(b)).collect();
    let of_rows =
        (0..rows.len()).into_par_iter().with_min_len(ROWS_TOGETHER).fold(Pairs::default, |mut pairs, k| {
            if context.check().is_ok() {
                finder.find_in_row(row(k), &mut pairs);
                if rows.get(k + 1).is_some_and(|above| above[0].row == rows[k][0].row + 1) {
                    finder.find_between(row(k), row(k + 1), &mut pairs);
                }
            }
            pairs
        });
    let of_lines = lines.par_iter().with_min_len(ROWS_TOGETHER).fold(Pairs::default, |mut pairs, line| {
        finder.find_over_each_other(line, &mut pairs);
        pairs
    });
    let mut all = Pairs::default();
    for pairs in of_rows.chain(of_lines).collect::<Vec<_>>() {
        all.pairs.extend(pairs.pairs);
    }
    context.check()?;
    all.clean();
    Ok(all.pairs)
}

/// Rows that are looked at by one thread, at least.
const ROWS_TOGETHER: usize = 32;

/// Finds pieces that may not be in one layer.
struct ConflictFinder<'a> {
    runs: &'a Runs,
    piece_of: &'a [u32],
    component_of: &'a [u32],
}

impl ConflictFinder<'_> {
    fn piece(&self, run: u32) -> u32 {
        self.piece_of[run as usize]
    }

    fn are_strangers(&self, a: u32, b: u32) -> bool {
        self.component_of[a as usize] != self.component_of[b as usize]
    }

    /// Pieces with a floor over the same pixel. Pieces side by side that do not hang together anywhere, as a table and the floor round
    /// it: in one layer their rings would run along each other; in two they do not, and no seam comes of it.
    fn find_in_row(&self, row: Range<u32>, pairs: &mut Pairs) {
        let mut active: Vec<u32> = Vec::new();
        for run in row {
            let start = self.runs.runs[run as usize].start;
            active.retain(|&other| self.runs.runs[other as usize].end >= start);
            for &other in &active {
                if self.runs.runs[other as usize].end > start || self.are_strangers(run, other) {
                    pairs.add(self.piece(run), self.piece(other));
                }
            }
            active.push(run);
        }
    }

    /// Strangers over each other in two rows beside each other.
    fn find_between(&self, row: Range<u32>, above: Range<u32>, pairs: &mut Pairs) {
        let mut both: Vec<u32> = row.chain(above).collect();
        both.sort_by_key(|&run| self.runs.runs[run as usize].start);
        let mut active: Vec<u32> = Vec::new();
        for run in both {
            let start = self.runs.runs[run as usize].start;
            active.retain(|&other| self.runs.runs[other as usize].end > start);
            for &other in &active {
                if self.are_strangers(run, other) {
                    pairs.add(self.piece(run), self.piece(other));
                }
            }
            active.push(run);
        }
    }

    /// Two contacts over each other between the same two rows: where the upper run of one and the lower run of the other are in one
    /// layer, the other two are not, and both contacts are seams, at the same place.
    fn find_over_each_other(&self, line: &[Contact], pairs: &mut Pairs) {
        let mut active: Vec<&Contact> = Vec::new();
        for contact in line {
            active.retain(|other| other.end > contact.start);
            for other in &active {
                pairs.add(self.piece(contact.above), self.piece(other.below));
                pairs.add(self.piece(other.above), self.piece(contact.below));
            }
            active.push(contact);
        }
    }
}

/// Pairs of pieces in contact, the longest contact first.
fn contacts_by_length(runs: &Runs, piece_of: &[u32]) -> Vec<(u32, [u32; 2])> {
    let mut contacts: Vec<([u32; 2], u32)> = Vec::new();
    for contact in &runs.contacts {
        let [a, b] = [contact.below, contact.above].map(|run| piece_of[run as usize]);
        if a != b {
            contacts.push(([a.min(b), a.max(b)], contact.end - contact.start));
        }
    }
    contacts.sort_unstable();
    let sums = contacts.chunk_by(|a, b| a.0 == b.0).map(|same| (same.iter().map(|c| c.1).sum(), same[0].0));
    let mut sums: Vec<(u32, [u32; 2])> = sums.collect();
    sums.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    sums
}

/// Sets of pieces that are joined unless they conflict.
struct Sets {
    parents: Vec<u32>,
    /// Roots of the sets that each root's set conflicts with.
    conflicts: Vec<BTreeSet<u32>>,
}

impl Sets {
    fn new(count: usize, pairs: &[[u32; 2]]) -> Self {
        let mut conflicts = vec![BTreeSet::new(); count];
        for &[a, b] in pairs {
            conflicts[a as usize].insert(b);
            conflicts[b as usize].insert(a);
        }
        Self { parents: (0..count as u32).collect(), conflicts }
    }

    fn root(&mut self, piece: u32) -> u32 {
        let mut at = piece;
        while self.parents[at as usize] != at {
            let parent = self.parents[at as usize];
            self.parents[at as usize] = self.parents[parent as usize];
            at = parent;
        }
        at
    }

    /// Step 3: joins the sets of two pieces if nothing speaks against it.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b || self.conflicts[a as usize].contains(&b) {
            return;
        }
        let (large, small) = if self.conflicts[a as usize].len() >= self.conflicts[b as usize].len() {
            (a, b)
        } else {
            (b, a)
        };
        self.parents[small as usize] = large;
        for other in std::mem::take(&mut self.conflicts[small as usize]) {
            self.conflicts[other as usize].remove(&small);
            self.conflicts[other as usize].insert(large);
            self.conflicts[large as usize].insert(other);
        }
    }
}

/// Step 4: the largest sets first, each into the layer of the most similar height that has room for it.
fn pack(runs: &Runs, pieces: &Pieces, sets: &mut Sets) -> Layers {
    /// Size and height of a set or layer.
    #[derive(Clone, Copy, Default)]
    struct Ground {
        pixels: f64,
        volume: f64,
    }
    impl Ground {
        fn height(&self) -> f64 {
            self.volume / self.pixels.max(1.0)
        }
        fn add(&mut self, other: Ground) {
            self.pixels += other.pixels;
            self.volume += other.volume;
        }
    }
    let mut grounds = vec![Ground::default(); pieces.count];
    for (k, run) in runs.runs.iter().enumerate() {
        let pixels = f64::from(run.end - run.start);
        let middle = f64::from(runs.height(k as u32, run.start + (run.end - run.start) / 2));
        let root = sets.root(pieces.of_run[k]);
        grounds[root as usize].add(Ground { pixels, volume: pixels * middle });
    }
    let roots = (0..pieces.count as u32).filter(|&piece| sets.root(piece) == piece);
    let mut order: Vec<u32> = roots.collect();
    order.sort_by(|&a, &b| grounds[b as usize].pixels.total_cmp(&grounds[a as usize].pixels).then(a.cmp(&b)));
    let mut layer_of = vec![u32::MAX; pieces.count];
    let mut layers: Vec<Ground> = Vec::new();
    let mut is_taken: Vec<bool> = Vec::new();
    for &root in &order {
        is_taken.clear();
        is_taken.resize(layers.len(), false);
        for &other in &sets.conflicts[root as usize] {
            if let Some(taken) = is_taken.get_mut(layer_of[other as usize] as usize) {
                *taken = true;
            }
        }
        let height = grounds[root as usize].height();
        let apart = |layer: &usize| (layers[*layer].height() - height).abs();
        let best =
            (0..layers.len()).filter(|&layer| !is_taken[layer]).min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let layer = best.unwrap_or_else(|| {
            layers.push(Ground::default());
            layers.len() - 1
        });
        layers[layer].add(grounds[root as usize]);
        layer_of[root as usize] = layer as u32;
    }
    // From below.
    let mut by_height: Vec<usize> = (0..layers.len()).collect();
    by_height.sort_by(|&a, &b| layers[a].height().total_cmp(&layers[b].height()));
    let mut rank = vec![0; layers.len()];
    for (k, &layer) in by_height.iter().enumerate() {
        rank[layer] = k as u32;
    }
    let of_run =
        pieces.of_run.iter().map(|&piece| rank[layer_of[sets.root(piece) as usize] as usize]).collect();
    Layers { of_run, count: layers.len() as u32 }
}
