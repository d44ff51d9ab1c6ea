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
    /// What is known of each run of the row in work.
    open: Vec<Open>,
    /// The slopes and the spans of the row in work, each with its run.
    slopes: Vec<(u32, Slope)>,
    spans: Vec<(u32, Span)>,
    starts: Vec<u32>,
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
            open: Vec::new(),
            slopes: Vec::new(),
            spans: Vec::new(),
            starts: Vec::new(),
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
        let first = self.runs.runs.len();
        self.runs_here.clear();
        self.open.clear();
        self.slopes.clear();
        self.spans.clear();
        let mut before = 0..0;
        for (block_number, block) in row.blocks.iter().enumerate() {
            let here = row.floors_of(block_number);
            let left = block_number.checked_sub(1).filter(|&left| row.blocks[left].end == block.start);
            let mut neighbours = Matcher::new(&row.floors, if left.is_some() { before } else { 0..0 });
            for floor in &row.floors[here.clone()] {
                let run = match neighbours.find(floor, self.room) {
                    Some(left) => {
                        let run = self.runs_here[left];
                        let open = &mut self.open[run as usize - first];
                        self.slopes.extend(open.line.add(floor).map(|slope| (run, slope)));
                        if open.tag != floor.tag {
                            open.tag = floor.tag;
                            self.spans.push((run, Span { column: floor.start, tag: floor.tag }));
                        }
                        open.block = block_number as u32;
                        run
                    }
                    None => {
                        let solids = left.map_or(&[][..], |left| row.solids_of(left));
                        let drops = [drop_onto(solids, floor, self.room).unwrap_or(WALL), WALL];
                        let (start, end) = (block.start, block.end);
                        let run = self.runs.runs.len() as u32;
                        self.runs.runs.push(Run { row: number, start, end, slopes: 0, spans: 0, drops });
                        let (line, tag, block) = (Line::new(floor), floor.tag, block_number as u32);
                        self.open.push(Open { line, tag, block, last: 0 });
                        self.spans.push((run, Span { column: floor.start, tag }));
                        run
                    }
                };
                self.open[run as usize - first].last = self.runs_here.len() as u32;
                self.runs_here.push(run);
            }
            before = here;
        }
        for (open, (run, number)) in
            self.open.iter().zip(self.runs.runs[first..].iter_mut().zip(first as u32..))
        {
            self.slopes.push((number, open.line.slope));
            let block = open.block as usize;
            run.end = row.blocks[block].end;
            let is_beside = row.blocks.get(block + 1).is_some_and(|next| next.start == run.end);
            let solids = if is_beside { row.solids_of(block + 1) } else { &[] };
            run.drops[1] = drop_onto(solids, &row.floors[open.last as usize], self.room).unwrap_or(WALL);
        }
        let Runs { runs, slopes, spans, .. } = &mut self.runs;
        let runs = &mut runs[first..];
        sort_by_run(&self.slopes, slopes, &mut self.starts, first as u32, runs, |run| &mut run.slopes);
        sort_by_run(&self.spans, spans, &mut self.starts, first as u32, runs, |run| &mut run.spans);
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
        match self.floors.get(self.left.start) {
            Some(first) if self.left.start < self.left.end && room.connects(first, floor) => {
                self.left.start += 1;
                Some(self.left.start - 1)
            }
            _ => self.search(floor, room),
        }
    }

    #[inline(never)]
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

/// A run of the row in work.
#[derive(Debug)]
struct Open {
    /// Its last heights.
    line: Line,
    /// Its last tag.
    tag: u8,
    /// Its last floor, and the block of that.
    last: u32,
    block: u32,
}

/// Appends what belongs to runs to a list, by run, and tells each run where its own starts.
fn sort_by_run<T: Copy>(
    found: &[(u32, T)],
    list: &mut Vec<T>,
    starts: &mut Vec<u32>,
    first: u32,
    runs: &mut [Run],
    start_of: impl Fn(&mut Run) -> &mut u32,
) {
    let Some(&(_, some)) = found.first() else { return };
    let number = |run: u32| (run - first) as usize;
    starts.clear();
    starts.resize(runs.len() + 1, 0);
    for &(run, _) in found {
        starts[number(run) + 1] += 1;
    }
    let base = list.len();
    list.resize(base + found.len(), some);
    for (k, run) in runs.iter_mut().enumerate() {
        starts[k + 1] += starts[k];
        *start_of(run) = base as u32 + starts[k];
    }
    for &(run, one) in found {
        let at = &mut starts[number(run)];
        list[base + *at as usize] = one;
        *at += 1;
    }
}

/// Heights on a line through the first of them, with a cone for the rest.
#[derive(Debug)]
pub(super) struct Line {
    /// The line.
    pub slope: Slope,
    /// The least and the greatest rise.
    cone: (f32, f32),
}

impl Line {
    /// The line of one floor.
    pub fn new(floor: &Floor) -> Self {
        let slope = Slope { column: floor.start, height: floor.height as f32, rise: 0.0 };
        let mut cone = (f32::NEG_INFINITY, f32::INFINITY);
        if floor.end > floor.start + 1 {
            let width = (floor.end - 1 - floor.start) as f32;
            cone = (-SLOPE_ERROR / width, SLOPE_ERROR / width);
        }
        Self { slope, cone }
    }

    /// Step 3: adds a height; what came before it, if that does not lie on the same line.
    #[inline]
    pub fn add(&mut self, floor: &Floor) -> Option<Slope> {
        let Self { slope, cone } = self;
        // A floor is level: what its two ends allow, all of it does.
        let rise = floor.height as f32 - slope.height;
        let run = |column: u32| (column - slope.column) as f32;
        if slope.rise == 0.0 && run(floor.start) > LEVEL && rise.abs() <= SLOPE_ERROR {
            return None; // level, and will stay so
        }
        let narrowed = |(least, most): (f32, f32), column: u32| {
            (((rise - SLOPE_ERROR) / run(column)).max(least), ((rise + SLOPE_ERROR) / run(column)).min(most))
        };
        let mut bounds = narrowed(*cone, floor.start);
        if floor.end > floor.start + 1 {
            bounds = narrowed(bounds, floor.end - 1);
        }
        let can_be_level = bounds.0 <= 0.0 && 0.0 <= bounds.1;
        // Level ground stays level: what begins to rise is another slope.
        let is_new_slope = slope.rise == 0.0 && run(floor.start) > LEVEL && !can_be_level;
        if bounds.0 <= bounds.1 && !is_new_slope {
            *cone = bounds;
            slope.rise = if can_be_level { 0.0 } else { (bounds.0 + bounds.1) / 2.0 };
            return None;
        }
        let old = *slope;
        *self = Self::new(floor);
        Some(old)
    }
}
