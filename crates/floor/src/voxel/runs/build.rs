//! Rows of floors become runs, one row after the other.

use super::{Contact, Gap, Run, Runs, SLOPE_ERROR, Slope, Span, WALL};
use crate::voxel::columns::{Block, Floor, Room, Row, drop_onto};
use std::ops::Range;

/// In a list of floors or runs: there is none.
pub(super) const NONE: u32 = u32::MAX;

/// From so many columns on ground that could be level is taken to be level.
const LEVEL: f32 = 4.0;

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
        while let Some((columns, [lower_block, upper_block])) = pieces.next() {
            let below = lower_block.map_or(0..0, |block| self.before.floors_of(block));
            let above = upper_block.map_or(0..0, |block| row.floors_of(block));
            if below.is_empty() && above.is_empty() {
                continue;
            }
            // Floors of the row below that nothing in this row joins.
            let mut end_above = |floors: Range<usize>| {
                let solids = upper_block.map_or(&[][..], |block| row.solids_of(block));
                for k in floors {
                    let floor = &self.before.floors[k];
                    let drop = drop_onto(solids, floor, self.room).unwrap_or(WALL);
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
                match found {
                    Some(matched) => {
                        if next_lower < matched {
                            end_above(next_lower..matched);
                        }
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
                        let solids = lower_block.map_or(&[][..], |block| self.before.solids_of(block));
                        let drop = drop_onto(solids, floor, self.room).unwrap_or(WALL);
                        let open = &mut between.below[run as usize - first];
                        extend(&mut runs.gaps_below, open, run, &columns, drop);
                    }
                }
            }
            if next_lower < below.end {
                end_above(next_lower..below.end);
            }
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
    #[inline]
    fn next(&mut self) -> Option<(Range<u32>, [Option<usize>; 2])> {
        // A row that has ended has a block far behind.
        let extent = |block: Option<&Block>| block.map_or([u32::MAX; 2], |block| [block.start, block.end]);
        let [lower, upper] = [extent(self.lower.get(self.next[0])), extent(self.upper.get(self.next[1]))];
        let first = lower[0].min(upper[0]);
        if first == u32::MAX {
            return None;
        }
        let start = self.column.max(first);
        // Up to the end of a block that has begun, or the start of one that has not.
        let (is_lower, is_upper) = (lower[0] <= start, upper[0] <= start);
        let end = lower[usize::from(is_lower)].min(upper[usize::from(is_upper)]);
        let found = [is_lower.then_some(self.next[0]), is_upper.then_some(self.next[1])];
        self.next[0] += usize::from(is_lower && lower[1] == end);
        self.next[1] += usize::from(is_upper && upper[1] == end);
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
pub(super) fn draw_slopes(floors: &[Floor], slopes: &mut Vec<Slope>) {
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
