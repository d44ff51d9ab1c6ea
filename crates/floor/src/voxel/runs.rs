//! Floors of a row to runs, and what lies between the runs of two rows.
//!
//! Idea: floors connected along x are one run. Runs of neighbouring rows touch in contacts; where a run's side has no
//!   contact it has gaps, each a wall or a drop. After this no pixel is looked at any more.
//! Steps: 1. join the floors of a row to those of the column before  2. and to those of the row below  3. heights as slopes
//! Cost: linear in floors; what is kept grows with the boundary, not with the area.

use super::columns::{Floor, Room, Row};
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
    columns: u32,
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
    /// For rows of `columns` pixels.
    pub fn new(columns: u32, room: Room) -> Self {
        Self {
            room,
            columns,
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
        for column in 0..self.columns {
            let here = row.floors_of(column);
            if here.is_empty() {
                continue;
            }
            let left = column.checked_sub(1).map_or(0..0, |left| row.floors_of(left));
            let mut neighbours = Matcher::new(&row.floors, left);
            for floor in &row.floors[here] {
                let run = match neighbours.find(floor, self.room) {
                    Some(left) => self.runs_here[left],
                    None => {
                        let left = column
                            .checked_sub(1)
                            .map_or(Some(i32::MAX), |left| row.drop_into(left, floor, self.room));
                        let drops = [left.unwrap_or(WALL), WALL];
                        runs.push(Run {
                            row: number,
                            start: column,
                            end: column,
                            slopes: 0,
                            spans: 0,
                            drops,
                        });
                        runs.len() as u32 - 1
                    }
                };
                runs[run as usize].end = column + 1;
                self.runs_here.push(run);
            }
        }
        let mut floors = match row.has_one_floor_per_column() {
            true => row.floors.as_slice(), // then runs come one after the other
            false => self.pen.sort(&runs[first..], first, row, &self.runs_here),
        };
        for run in &mut self.runs.runs[first..] {
            let (own, rest) = floors.split_at((run.end - run.start) as usize);
            floors = rest;
            run.slopes = self.runs.slopes.len() as u32;
            run.spans = self.runs.spans.len() as u32;
            draw_slopes(own, &mut self.runs.slopes);
            for (k, floor) in own.iter().enumerate() {
                if k == 0 || own[k - 1].tag != floor.tag {
                    self.runs.spans.push(Span { column: floor.column, tag: floor.tag });
                }
            }
            if let Some(last) = own.last() {
                run.drops[1] = row.drop_into(run.end, last, self.room).unwrap_or(WALL);
            }
        }
    }

    /// Step 2: contacts and gaps between the row before and a row whose runs start at `first`.
    fn compare(&mut self, first: usize, row: &Row) {
        let runs = &mut self.runs;
        let between = &mut self.seams;
        between.begin(first - self.first_before, runs.runs.len() - first);
        for column in 0..self.columns {
            let (below, above) = (self.before.floors_of(column), row.floors_of(column));
            if below.is_empty() && above.is_empty() {
                continue;
            }
            // Floors of the row below that nothing in this row joins.
            let mut end_above = |floors: Range<usize>| {
                for k in floors {
                    let drop = row.drop_into(column, &self.before.floors[k], self.room).unwrap_or(WALL);
                    let run = self.runs_before[k];
                    let open = &mut between.above[run as usize - self.first_before];
                    extend(&mut runs.gaps_above, open, run, column, drop);
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
                            Some(contact) if contact.above == run && contact.end == column => {
                                contact.end += 1
                            }
                            _ => {
                                *open = runs.contacts.len() as u32;
                                runs.contacts.push(Contact {
                                    below,
                                    above: run,
                                    start: column,
                                    end: column + 1,
                                });
                            }
                        }
                    }
                    None => {
                        let drop = self.before.drop_into(column, floor, self.room).unwrap_or(WALL);
                        extend(
                            &mut runs.gaps_below,
                            &mut between.below[run as usize - first],
                            run,
                            column,
                            drop,
                        );
                    }
                }
            }
            end_above(next_lower..below.end);
        }
    }
}

/// Lengthens the gap in work of a run by a column, or begins another.
fn extend(gaps: &mut Vec<Gap>, open: &mut u32, run: u32, column: u32, drop: i32) {
    if let Some(gap) = gaps.get_mut(*open as usize)
        && gap.end == column
        && (gap.drop == WALL) == (drop == WALL)
    {
        gap.end += 1;
        gap.drop = gap.drop.max(drop);
        return;
    }
    *open = gaps.len() as u32;
    gaps.push(Gap { run, start: column, end: column + 1, drop });
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
    fn sort(&mut self, runs: &[Run], first: usize, row: &Row, run_of: &[u32]) -> &[Floor] {
        self.starts.clear();
        let mut at = 0;
        for run in runs {
            self.starts.push(at);
            at += run.end - run.start;
        }
        self.floors.clear();
        self.floors.extend_from_slice(&row.floors);
        for (floor, &run) in row.floors.iter().zip(run_of) {
            let at = &mut self.starts[run as usize - first];
            self.floors[*at as usize] = *floor;
            *at += 1;
        }
        &self.floors
    }
}

/// Step 3: heights as lines, each through its first height, with a cone for the rest.
fn draw_slopes(floors: &[Floor], slopes: &mut Vec<Slope>) {
    let Some(first) = floors.first() else { return };
    let mut slope = Slope { column: first.column, height: first.height as f32, rise: 0.0 };
    let (mut least, mut most) = (f32::NEG_INFINITY, f32::INFINITY);
    for floor in &floors[1..] {
        let run = (floor.column - slope.column) as f32;
        let rise = floor.height as f32 - slope.height;
        if slope.rise == 0.0 && run > LEVEL && rise.abs() <= SLOPE_ERROR {
            continue; // level, and will stay so
        }
        let (low, high) = (((rise - SLOPE_ERROR) / run).max(least), ((rise + SLOPE_ERROR) / run).min(most));
        let can_be_level = low <= 0.0 && 0.0 <= high;
        // Level ground stays level: what begins to rise is another slope.
        let is_new_slope = slope.rise == 0.0 && run > LEVEL && !can_be_level;
        if low <= high && !is_new_slope {
            (least, most) = (low, high);
            slope.rise = if can_be_level { 0.0 } else { (low + high) / 2.0 };
        } else {
            slopes.push(slope);
            slope = Slope { column: floor.column, height: floor.height as f32, rise: 0.0 };
            (least, most) = (f32::NEG_INFINITY, f32::INFINITY);
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

    /// Column, height and kind of what lies in a row.
    type Stack = Vec<(u32, i32, u32)>;

    fn rows(stacks: &[Stack]) -> Vec<Row> {
        let mut rows = Vec::new();
        for stack in stacks {
            let fragments = stack.iter().map(|&(column, z, triangle)| {
                let (low, high) = (z * 200, z * 200 + 40);
                Fragment { column, low, high, triangle }
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
        let mut builder = RunBuilder::new(COLUMNS, ROOM);
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
            stacks in prop::collection::vec(prop::collection::vec((0..COLUMNS, 0i32..30, 0u32..3), 0..30), 1..5),
            cut in 0usize..5,
        ) {
            let rows = rows(&stacks);
            let runs = build(&rows, 0, rows.len());
            // Every floor by its place, with its tag.
            let mut floors = BTreeSet::new();
            for (number, row) in rows.iter().enumerate() {
                floors.extend(row.floors.iter().map(|floor| (number as u32, floor.column, floor.height / 200, floor.tag)));
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
                for floor in &row.floors {
                    let at = |row: usize, floor: &Floor| (row as u32, floor.column, floor.height / 200);
                    let here = at(number, floor);
                    let beside = [(1i32, 0i32), (-1, 0), (0, 1), (0, -1)];
                    for (dx, dy) in beside {
                        let (x, y) = (floor.column as i32 + dx, number as i32 + dy);
                        let Some(other) = usize::try_from(y).ok().and_then(|y| rows.get(y)) else {
                            ends.insert((here, dx, dy, true));
                            continue;
                        };
                        let column = other.floors_of(x as u32);
                        match other.floors[column].iter().find(|other| ROOM.connects(floor, other)) {
                            Some(neighbour) if dx + dy > 0 => {
                                across.insert((here, at(y as usize, neighbour)));
                            }
                            Some(_) => {}
                            None => {
                                ends.insert((here, dx, dy, other.drop_into(x as u32, floor, ROOM).is_some()));
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
        let floor = |column: u32, height: i32| Floor {
            column,
            low: height,
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
        let floors: Vec<_> = (0..120).map(|k| floor(k, heights(k))).collect();
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
