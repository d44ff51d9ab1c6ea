//! Floors of a row to runs, and what lies between the runs of two rows.
//!
//! Idea: floors connected along x are one run. Runs of neighbouring rows touch in contacts; where a run's side has no
//!   contact it has gaps, each a wall or a drop. After this no pixel is looked at any more.
//! Steps: 1. join the floors of a row to those of the column before  2. and to those of the row below  3. heights as slopes
//! Cost: linear in floors; what is kept grows with the boundary, not with the area.

use super::columns::{Block, Floor, Room, Row, drop_onto};
use std::ops::Range;

/// In a list of floors or runs: there is none.
const NONE: u32 = u32::MAX;

/// A wall, in the place of a drop's depth.
pub const WALL: i32 = 0;

/// Connected floors of one row, without a gap from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The row of pixels.
    pub row: u32,
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
    /// Where its slopes start; they end where those of the next run start.
    pub slopes: u32,
    /// Where its spans of tags start.
    pub spans: u32,
    /// How deep a body falls at its left and right end [height units], or [`WALL`].
    pub drops: [i32; 2],
}

/// Heights of a run that lie on a line, up to [`SLOPE_ERROR`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// The first column.
    pub column: u32,
    /// Height in the middle of the first column [height units].
    pub height: f32,
    /// Height gained per column.
    pub rise: f32,
}

/// Where a run's tag changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first column with the tag.
    pub column: u32,
    /// The area tag.
    pub tag: u8,
}

/// Columns in which a run is connected with one of the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The run in the lower row.
    pub below: u32,
    /// The run in the next row.
    pub above: u32,
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
}

/// Columns in which a run ends towards the row below or above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The run.
    pub run: u32,
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
    /// How deep a body falls at most [height units], or [`WALL`].
    pub drop: i32,
}

/// Largest distance of a floor's height from its slope [height units]: half a centimetre.
pub const SLOPE_ERROR: f32 = 20.0;

/// From so many columns on ground that could be level is taken to be level.
const LEVEL: f32 = 4.0;

/// The floor of some rows as runs, with all that lies between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// By row, then by first column, then from below.
    pub runs: Vec<Run>,
    /// The heights of all runs.
    pub slopes: Vec<Slope>,
    /// The tags of all runs.
    pub spans: Vec<Span>,
    /// By row of the upper run, then by column.
    pub contacts: Vec<Contact>,
    /// Gaps on the upper side of runs, by row, then by column.
    pub gaps_above: Vec<Gap>,
    /// Gaps on the lower side of runs, by row, then by column.
    pub gaps_below: Vec<Gap>,
}

/// Adds rows to [`Runs`] one by one.
#[derive(Debug)]
pub struct RunBuilder {
    room: Room,
    runs: Runs,
    /// The row before, the run of each of its floors, and its first run.
    before: Row,
    runs_before: Vec<u32>,
    first_before: usize,
    /// The run of each floor of the row in work.
    runs_here: Vec<u32>,
    pen: Pen,
    seams: Between,
}

impl RunBuilder {
    /// For bodies that need some room.
    pub fn new(room: Room) -> Self {
        Self {
            room,
            runs: Runs::default(),
            before: Row::default(),
            runs_before: Vec::new(),
            first_before: 0,
            runs_here: Vec::new(),
            pen: Pen::default(),
            seams: Between::default(),
        }
    }

    /// Begins above row `number`, which belongs to somebody else: its runs are the first here ([`Runs::append`]), without
    /// what is below them.
    pub fn begin_above(&mut self, number: u32, row: &mut Row) {
        self.join_row(number, row);
        self.keep(0, row);
    }

    /// Adds the row `number`; `row` comes back with the memory of an older one. Rows come one after the other; the last of
    /// all must be empty, for the gaps above a row are found with the next.
    pub fn add(&mut self, number: u32, row: &mut Row) {
        let first = self.runs.runs.len();
        self.join_row(number, row);
        self.compare(first, row);
        self.keep(first, row);
    }

    /// All runs.
    pub fn finish(self) -> Runs {
        self.runs
    }

    fn keep(&mut self, first: usize, row: &mut Row) {
        self.first_before = first;
        std::mem::swap(&mut self.before, row);
        std::mem::swap(&mut self.runs_before, &mut self.runs_here);
    }

    /// Step 1 and 3: joins the floors of a row into runs, which know their heights and tags.
    fn join_row(&mut self, number: u32, row: &Row) {
        let runs = &mut self.runs.runs;
        let first = runs.len();
        self.runs_here.clear();
        for (number_of, block) in row.blocks.iter().enumerate() {
            let here = row.floors_of(number_of);
            if here.is_empty() {
                continue;
            }
            let left = number_of.checked_sub(1).filter(|&left| row.blocks[left].end == block.start);
            let mut neighbours = Matcher::new(&row.floors, left.map_or(0..0, |left| row.floors_of(left)));
            for floor in &row.floors[here] {
                let run = match neighbours.find(floor, self.room) {
                    Some(left) => self.runs_here[left],
                    None => {
                        let solids = left.map_or(&[][..], |left| row.solids_of(left));
                        let drops = [drop_onto(solids, floor, self.room).unwrap_or(WALL), WALL];
                        let (start, end) = (block.start, block.end);
                        runs.push(Run { row: number, start, end, slopes: 0, spans: 0, drops });
                        runs.len() as u32 - 1
                    }
                };
                runs[run as usize].end = block.end;
                self.runs_here.push(run);
            }
        }
        let sorted = match row.has_one_floor_per_block() {
            true => row.floors.as_slice(), // then runs come one after the other
            false => self.pen.sort(first..runs.len(), row, &self.runs_here),
        };
        let mut rest = sorted;
        for run in &mut self.runs.runs[first..] {
            // A run's floors follow each other; those of the next begin elsewhere, or again farther left.
            let mut end = run.start;
            let own = rest.iter().take_while(|floor| {
                let is_next = floor.start == end && end < run.end;
                end = floor.end;
                is_next
            });
            let (own, others) = rest.split_at(own.count());
            rest = others;
            run.slopes = self.runs.slopes.len() as u32;
            run.spans = self.runs.spans.len() as u32;
            draw_slopes(own, &mut self.runs.slopes);
            for (k, floor) in own.iter().enumerate() {
                if k == 0 || own[k - 1].tag != floor.tag {
                    self.runs.spans.push(Span { column: floor.start, tag: floor.tag });
                }
            }
            if let Some(last) = own.last() {
                let right = row.blocks.partition_point(|block| block.end <= run.end);
                let is_beside = row.blocks.get(right).is_some_and(|block| block.start == run.end);
                let solids = if is_beside { row.solids_of(right) } else { &[] };
                run.drops[1] = drop_onto(solids, last, self.room).unwrap_or(WALL);
            }
        }
    }

    /// Step 2: contacts and gaps between the row before and a row whose runs start at `first`.
    fn compare(&mut self, first: usize, row: &Row) {
        let runs = &mut self.runs;
        let between = &mut self.seams;
        between.begin(first - self.first_before, runs.runs.len() - first);
        let mut pieces = Pieces { lower: &self.before.blocks, upper: &row.blocks, next: [0, 0], column: 0 };
        while let Some((columns, blocks)) = pieces.next() {
            let [below, above] = [(&self.before, blocks[0]), (row, blocks[1])]
                .map(|(row, block)| block.map_or(0..0, |block| row.floors_of(block)));
            if below.is_empty() && above.is_empty() {
                continue;
            }
            let [solids_below, solids_above] = [(&self.before, blocks[0]), (row, blocks[1])]
                .map(|(row, block)| block.map_or(&[][..], |block| row.solids_of(block)));
            // Floors of the row below that nothing in this row joins.
            let mut end_above = |floors: Range<usize>| {
                for k in floors {
                    let floor = &self.before.floors[k];
                    let drop = drop_onto(solids_above, floor, self.room).unwrap_or(WALL);
                    let run = self.runs_before[k];
                    let open = &mut between.above[run as usize - self.first_before];
                    extend(&mut runs.gaps_above, open, run, &columns, drop);
                }
            };
            let mut lower = Matcher::new(&self.before.floors, below.clone());
            let mut next_lower = below.start;
            for k in above {
                let floor = &row.floors[k];
                let run = self.runs_here[k];
                let found = lower.find(floor, self.room);
                end_above(next_lower..found.unwrap_or(next_lower));
                match found {
                    Some(matched) => {
                        next_lower = matched + 1;
                        let below = self.runs_before[matched];
                        let open = &mut between.contacts[below as usize - self.first_before];
                        match runs.contacts.get_mut(*open as usize) {
                            Some(contact) if contact.above == run && contact.end == columns.start => {
                                contact.end = columns.end
                            }
                            _ => {
                                *open = runs.contacts.len() as u32;
                                let Range { start, end } = columns;
                                runs.contacts.push(Contact { below, above: run, start, end });
                            }
                        }
                    }
                    None => {
                        let drop = drop_onto(solids_below, floor, self.room).unwrap_or(WALL);
                        let open = &mut between.below[run as usize - first];
                        extend(&mut runs.gaps_below, open, run, &columns, drop);
                    }
                }
            }
            end_above(next_lower..below.end);
        }
    }
}

/// The columns of two rows in pieces, in each of which a row has one block or none.
struct Pieces<'a> {
    lower: &'a [Block],
    upper: &'a [Block],
    /// The block of each row that has not ended.
    next: [usize; 2],
    column: u32,
}

impl Pieces<'_> {
    fn next(&mut self) -> Option<(Range<u32>, [Option<usize>; 2])> {
        let blocks = [self.lower.get(self.next[0]), self.upper.get(self.next[1])];
        let first = blocks.iter().flatten().map(|block| block.start).min()?;
        let start = self.column.max(first);
        let end =
            blocks.iter().flatten().map(|block| if block.start <= start { block.end } else { block.start });
        let end = end.min()?;
        let mut found = [None; 2];
        for k in 0..2 {
            if blocks[k].is_some_and(|block| block.start <= start) {
                found[k] = Some(self.next[k]);
                self.next[k] += usize::from(blocks[k].is_some_and(|block| block.end == end));
            }
        }
        self.column = end;
        Some((start..end, found))
    }
}

/// Lengthens the gap in work of a run by some columns, or begins another.
fn extend(gaps: &mut Vec<Gap>, open: &mut u32, run: u32, columns: &Range<u32>, drop: i32) {
    if let Some(gap) = gaps.get_mut(*open as usize)
        && gap.end == columns.start
        && (gap.drop == WALL) == (drop == WALL)
    {
        gap.end = columns.end;
        gap.drop = gap.drop.max(drop);
        return;
    }
    *open = gaps.len() as u32;
    gaps.push(Gap { run, start: columns.start, end: columns.end, drop });
}

/// Finds the neighbours of the floors of one column, taken from below, among those of another.
struct Matcher<'a> {
    floors: &'a [Floor],
    left: Range<usize>,
}

impl<'a> Matcher<'a> {
    fn new(floors: &'a [Floor], left: Range<usize>) -> Self {
        Self { floors, left }
    }

    #[inline]
    fn find(&mut self, floor: &Floor, room: Room) -> Option<usize> {
        // The most common case by far.
        if self.left.len() == 1 && room.connects(&self.floors[self.left.start], floor) {
            self.left.start += 1;
            return Some(self.left.start - 1);
        }
        self.search(floor, room)
    }

    fn search(&mut self, floor: &Floor, room: Room) -> Option<usize> {
        while let Some(candidate) = self.left.clone().next() {
            let other = &self.floors[candidate];
            if i64::from(other.low) - i64::from(floor.top) > i64::from(room.step) {
                return None; // too high, also for what is below this floor
            }
            self.left.start += 1;
            if room.connects(other, floor) {
                return Some(candidate);
            }
            // Not connected for want of head room, though in reach: it may still be the next floor's neighbour.
            if i64::from(other.top) + i64::from(room.step) >= i64::from(floor.ceiling) {
                self.left.start -= 1;
                return None;
            }
        }
        None
    }
}

/// Contacts and gaps in work between two rows, by run; [`NONE`] or any number of one that has ended.
#[derive(Debug, Default)]
struct Between {
    contacts: Vec<u32>,
    above: Vec<u32>,
    below: Vec<u32>,
}

impl Between {
    fn begin(&mut self, lower: usize, upper: usize) {
        for (list, count) in [(&mut self.contacts, lower), (&mut self.above, lower), (&mut self.below, upper)]
        {
            list.clear();
            list.resize(count, NONE);
        }
    }
}

/// Sorts the floors of a row by run.
#[derive(Debug, Default)]
struct Pen {
    starts: Vec<u32>,
    floors: Vec<Floor>,
}

impl Pen {
    /// The floors of the given runs, one run after the other.
    fn sort(&mut self, runs: Range<usize>, row: &Row, run_of: &[u32]) -> &[Floor] {
        self.starts.clear();
        self.starts.resize(runs.len() + 1, 0);
        for &run in run_of {
            self.starts[run as usize - runs.start + 1] += 1;
        }
        for k in 1..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        self.floors.clear();
        self.floors.extend_from_slice(&row.floors);
        for (floor, &run) in row.floors.iter().zip(run_of) {
            let at = &mut self.starts[run as usize - runs.start];
            self.floors[*at as usize] = *floor;
            *at += 1;
        }
        &self.floors
    }
}

/// Step 3: heights as lines, each through its first height, with a cone for the rest.
fn draw_slopes(floors: &[Floor], slopes: &mut Vec<Slope>) {
    let Some(first) = floors.first() else { return };
    let begin = |floor: &Floor| Slope { column: floor.start, height: floor.height as f32, rise: 0.0 };
    let open = (f32::NEG_INFINITY, f32::INFINITY);
    let mut slope = begin(first);
    let mut cone = open;
    for (k, floor) in floors.iter().enumerate() {
        // A floor is level: what its two ends allow, all of it does.
        let rise = floor.height as f32 - slope.height;
        let run = |column: u32| (column - slope.column) as f32;
        if slope.rise == 0.0 && run(floor.start) > LEVEL && rise.abs() <= SLOPE_ERROR {
            continue; // level, and will stay so
        }
        let narrowed = |(least, most): (f32, f32), column: u32| {
            (((rise - SLOPE_ERROR) / run(column)).max(least), ((rise + SLOPE_ERROR) / run(column)).min(most))
        };
        let mut bounds = cone;
        if k > 0 {
            bounds = narrowed(bounds, floor.start);
        }
        if floor.end > floor.start + 1 {
            bounds = narrowed(bounds, floor.end - 1);
        }
        let can_be_level = bounds.0 <= 0.0 && 0.0 <= bounds.1;
        // Level ground stays level: what begins to rise is another slope.
        let is_new_slope = slope.rise == 0.0 && run(floor.start) > LEVEL && !can_be_level;
        if bounds.0 <= bounds.1 && !is_new_slope {
            cone = bounds;
            slope.rise = match can_be_level {
                true => 0.0,
                false => (bounds.0 + bounds.1) / 2.0,
            };
        } else {
            slopes.push(slope);
            slope = begin(floor);
            cone = open;
            if floor.end > floor.start + 1 {
                let width = (floor.end - 1 - floor.start) as f32;
                cone = (-SLOPE_ERROR / width, SLOPE_ERROR / width);
            }
        }
    }
    slopes.push(slope);
}

impl Runs {
    /// The slopes of a run, each with the column behind its last.
    pub fn slopes_of(&self, run: u32) -> impl DoubleEndedIterator<Item = (Slope, u32)> + '_ {
        let (from, end) = (self.runs[run as usize], self.runs[run as usize].end);
        let to = self.runs.get(run as usize + 1).map_or(self.slopes.len(), |next| next.slopes as usize);
        let slopes = &self.slopes[from.slopes as usize..to];
        (0..slopes.len()).map(move |k| (slopes[k], slopes.get(k + 1).map_or(end, |next| next.column)))
    }

    /// The slopes of a run that reach into some of its columns, each with the column behind its last.
    pub fn slopes_in(&self, run: u32, start: u32, end: u32) -> impl Iterator<Item = (Slope, u32)> + '_ {
        let first = self.runs[run as usize].slopes as usize;
        let to = self.runs.get(run as usize + 1).map_or(self.slopes.len(), |next| next.slopes as usize);
        let slopes = &self.slopes[first..to];
        let run_end = self.runs[run as usize].end;
        let from = slopes.partition_point(|slope| slope.column <= start).max(1) - 1;
        (from..slopes.len())
            .map(move |k| (slopes[k], slopes.get(k + 1).map_or(run_end, |next| next.column)))
            .take_while(move |(slope, _)| slope.column < end)
    }

    /// The spans of a run, each with the column behind its last.
    pub fn spans_of(&self, run: u32) -> impl DoubleEndedIterator<Item = (Span, u32)> + '_ {
        let (from, end) = (self.runs[run as usize], self.runs[run as usize].end);
        let to = self.runs.get(run as usize + 1).map_or(self.spans.len(), |next| next.spans as usize);
        let spans = &self.spans[from.spans as usize..to];
        (0..spans.len()).map(move |k| (spans[k], spans.get(k + 1).map_or(end, |next| next.column)))
    }

    /// Height of a run in the middle of one of its columns [height units].
    pub fn height(&self, run: u32, column: u32) -> f32 {
        let from = self.runs[run as usize].slopes as usize;
        let to = self.runs.get(run as usize + 1).map_or(self.slopes.len(), |next| next.slopes as usize);
        let slopes = &self.slopes[from..to];
        let slope = slopes[slopes.partition_point(|slope| slope.column <= column).max(1) - 1];
        slope.height + slope.rise * (column as f32 - slope.column as f32)
    }

    /// The component of each run: runs in contact have the same. Numbered by their first run.
    pub fn components(&self) -> Vec<u32> {
        let mut parents: Vec<u32> = (0..self.runs.len() as u32).collect();
        fn root(parents: &mut [u32], run: u32) -> u32 {
            let mut at = run;
            while parents[at as usize] != at {
                let parent = parents[at as usize];
                parents[at as usize] = parents[parent as usize];
                at = parent;
            }
            at
        }
        for contact in &self.contacts {
            let [a, b] = [contact.below, contact.above].map(|run| root(&mut parents, run));
            parents[a.max(b) as usize] = a.min(b);
        }
        // The first run of a component is its root.
        let mut count = 0;
        let mut components = vec![0; self.runs.len()];
        for run in 0..self.runs.len() as u32 {
            let root = root(&mut parents, run);
            if root == run {
                components[run as usize] = count;
                count += 1;
            } else {
                components[run as usize] = components[root as usize];
            }
        }
        components
    }

    /// Number of floor pixels.
    pub fn pixels(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.end - run.start)).sum()
    }

    /// The runs that are wanted, with what lies between them; contacts are between runs that are both wanted or both not.
    pub fn filtered(&self, wanted: &[bool]) -> Runs {
        let mut number = vec![NONE; self.runs.len()];
        let mut kept = Runs::default();
        for (k, run) in self.runs.iter().enumerate().filter(|(k, _)| wanted[*k]) {
            number[k] = kept.runs.len() as u32;
            let (slopes, spans) = (kept.slopes.len() as u32, kept.spans.len() as u32);
            kept.runs.push(Run { slopes, spans, ..*run });
            kept.slopes.extend(self.slopes_of(k as u32).map(|(slope, _)| slope));
            kept.spans.extend(self.spans_of(k as u32).map(|(span, _)| span));
        }
        for contact in self.contacts.iter().filter(|contact| wanted[contact.below as usize]) {
            let [below, above] = [contact.below, contact.above].map(|run| number[run as usize]);
            kept.contacts.push(Contact { below, above, ..*contact });
        }
        let gaps = |gaps: &[Gap]| {
            let own = gaps.iter().filter(|gap| wanted[gap.run as usize]);
            own.map(|gap| Gap { run: number[gap.run as usize], ..*gap }).collect()
        };
        kept.gaps_above = gaps(&self.gaps_above);
        kept.gaps_below = gaps(&self.gaps_below);
        kept
    }

    /// Adds the rows above: the first runs of `above` are the last row here once more.
    pub fn append(&mut self, above: Runs) {
        let repeated = match above.runs.first() {
            Some(first) if self.runs.last().is_some_and(|last| last.row == first.row) => {
                above.runs.iter().take_while(|run| run.row == first.row).count()
            }
            _ => 0,
        };
        let base = (self.runs.len() - repeated) as u32;
        let [slopes, spans] = match above.runs.get(repeated) {
            Some(run) => [run.slopes, run.spans],
            None => [above.slopes.len() as u32, above.spans.len() as u32],
        };
        let (slope_base, span_base) = (self.slopes.len() as u32, self.spans.len() as u32);
        self.runs.extend(above.runs[repeated..].iter().map(|run| Run {
            slopes: run.slopes - slopes + slope_base,
            spans: run.spans - spans + span_base,
            ..*run
        }));
        self.slopes.extend_from_slice(&above.slopes[slopes as usize..]);
        self.spans.extend_from_slice(&above.spans[spans as usize..]);
        let contact = |c: &Contact| Contact { below: c.below + base, above: c.above + base, ..*c };
        self.contacts.extend(above.contacts.iter().map(contact));
        let gap = |gap: &Gap| Gap { run: gap.run + base, ..*gap };
        self.gaps_above.extend(above.gaps_above.iter().map(gap));
        self.gaps_below.extend(above.gaps_below.iter().map(gap));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{
        columns::{Columns, Surface},
        raster::Fragment,
    };
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const ROOM: Room = Room { height: 1800, step: 400 };
    const COLUMNS: u32 = 7;
    const SURFACES: [Surface; 3] = [
        Surface { is_walkable: true, tag: 1 },
        Surface { is_walkable: false, tag: 0 },
        Surface { is_walkable: true, tag: 2 },
    ];

    /// Column, width, height and kind of what lies in a row.
    type Stack = Vec<(u32, u32, i32, u32)>;

    fn rows(stacks: &[Stack]) -> Vec<Row> {
        let mut rows = Vec::new();
        for stack in stacks {
            let fragments = stack.iter().map(|&(start, width, z, triangle)| {
                let (low, high) = (z * 200, z * 200 + 40);
                Fragment { start, end: (start + width).min(COLUMNS), low, high, middle: low, triangle }
            });
            let mut row = Row::default();
            let fragments: Vec<_> = fragments.collect();
            Columns::default().fill(&mut row, &fragments, COLUMNS, &SURFACES, ROOM);
            rows.push(row);
        }
        rows.push(Row::default());
        rows
    }

    fn build(rows: &[Row], from: usize, to: usize) -> Runs {
        let mut builder = RunBuilder::new(ROOM);
        if from > 0 {
            builder.begin_above(from as u32 - 1, &mut rows[from - 1].clone());
        }
        for (number, row) in rows.iter().enumerate().take(to).skip(from) {
            builder.add(number as u32, &mut row.clone());
        }
        builder.finish()
    }

    /// A floor pixel: row, column, height.
    type Place = (u32, u32, i32);

    fn place(runs: &Runs, run: u32, column: u32) -> Place {
        (runs.runs[run as usize].row, column, (runs.height(run, column) / 200.0).floor() as i32)
    }

    proptest! {
        #[test]
        fn runs_contacts_and_gaps_say_what_pairs_of_floors_say(
            stacks in prop::collection::vec(prop::collection::vec((0..COLUMNS, 1u32..4, 0i32..30, 0u32..3), 0..20), 1..5),
            cut in 0usize..5,
        ) {
            let rows = rows(&stacks);
            let runs = build(&rows, 0, rows.len());
            // Every floor by its place, with its tag.
            let mut floors = BTreeSet::new();
            for (number, row) in rows.iter().enumerate() {
                for floor in &row.floors {
                    floors.extend(
                        (floor.start..floor.end).map(|column| (number as u32, column, floor.height / 200, floor.tag)),
                    );
                }
            }
            let mut found = BTreeSet::new();
            for run in 0..runs.runs.len() as u32 {
                for (span, end) in runs.spans_of(run) {
                    for column in span.column..end {
                        let (row, column, z) = place(&runs, run, column);
                        prop_assert!(found.insert((row, column, z, span.tag)), "twice");
                    }
                }
            }
            prop_assert_eq!(&found, &floors);
            // Every pair of floors side by side that are connected; and what is beside the others.
            let mut across = BTreeSet::new();
            let mut ends = BTreeSet::new();
            for (number, row) in rows.iter().enumerate() {
                for (floor, column) in row.floors.iter().flat_map(|floor| (floor.start..floor.end).map(move |column| (floor, column))) {
                    let at = |row: usize, column: u32, floor: &Floor| (row as u32, column, floor.height / 200);
                    let here = at(number, column, floor);
                    let beside = [(1i32, 0i32), (-1, 0), (0, 1), (0, -1)];
                    for (dx, dy) in beside {
                        let (x, y) = (column as i32 + dx, number as i32 + dy);
                        let Some(other) = usize::try_from(y).ok().and_then(|y| rows.get(y)) else {
                            ends.insert((here, dx, dy, true));
                            continue;
                        };
                        let block = other.blocks.iter().position(|block| (block.start..block.end).contains(&(x as u32)));
                        let beside = block.map_or(&[][..], |block| &other.floors[other.floors_of(block)]);
                        match beside.iter().find(|other| ROOM.connects(floor, other)) {
                            Some(neighbour) if dx + dy > 0 => {
                                across.insert((here, at(y as usize, x as u32, neighbour)));
                            }
                            Some(_) => {}
                            None => {
                                let solids = block.map_or(&[][..], |block| other.solids_of(block));
                                ends.insert((here, dx, dy, drop_onto(solids, floor, ROOM).is_some()));
                            }
                        }
                    }
                }
            }
            let (mut joined, mut open) = (BTreeSet::new(), BTreeSet::new());
            for (k, run) in runs.runs.iter().enumerate() {
                for column in run.start + 1..run.end {
                    joined.insert((place(&runs, k as u32, column - 1), place(&runs, k as u32, column)));
                }
                open.insert((place(&runs, k as u32, run.start), -1, 0, run.drops[0] != WALL));
                open.insert((place(&runs, k as u32, run.end - 1), 1, 0, run.drops[1] != WALL));
            }
            for contact in &runs.contacts {
                for column in contact.start..contact.end {
                    joined.insert((place(&runs, contact.below, column), place(&runs, contact.above, column)));
                }
            }
            for (gaps, dy) in [(&runs.gaps_above, 1), (&runs.gaps_below, -1)] {
                for gap in gaps {
                    for column in gap.start..gap.end {
                        prop_assert!(open.insert((place(&runs, gap.run, column), 0, dy, gap.drop != WALL)));
                    }
                }
            }
            prop_assert_eq!(joined, across);
            prop_assert_eq!(open, ends);
            // Bands give the same.
            let cut = cut.min(rows.len());
            let mut banded = build(&rows, 0, cut);
            banded.append(build(&rows, cut, rows.len()));
            prop_assert_eq!(banded, runs);
        }
    }

    #[test]
    fn slopes_stay_near_the_heights_and_level_ground_is_one() {
        let floor = |start: u32, end: u32, height: i32| Floor {
            start,
            end,
            low: height,
            high: height,
            top: height,
            ceiling: i32::MAX,
            height,
            tag: 0,
        };
        let heights = |k: u32| {
            if k < 50 {
                700
            } else if k < 90 {
                700 + 13 * (k as i32 - 50)
            } else {
                3000 + (k as i32 % 7) * 37
            }
        };
        // Once pixel by pixel, once with level pixels in one.
        let single: Vec<_> = (0..120).map(|k| floor(k, k + 1, heights(k))).collect();
        let mut joined = single.clone();
        joined.dedup_by(|next, floor| {
            let is_same = next.height == floor.height;
            floor.end = if is_same { next.end } else { floor.end };
            is_same
        });
        assert!(joined.len() < 80);
        for floors in [single, joined] {
            let mut slopes = Vec::new();
            draw_slopes(&floors, &mut slopes);
            assert!(slopes.len() < 45, "{}", slopes.len());
            assert_eq!((slopes[0].rise, slopes[0].height), (0.0, 700.0));
            let runs = Runs {
                runs: vec![Run { row: 0, start: 0, end: 120, slopes: 0, spans: 0, drops: [0, 0] }],
                slopes,
                ..Runs::default()
            };
            for k in 0..120 {
                assert!((runs.height(0, k) - heights(k) as f32).abs() <= SLOPE_ERROR + 0.1);
            }
        }
    }
}
