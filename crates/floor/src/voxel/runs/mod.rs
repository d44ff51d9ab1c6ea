//! Floors of a row to runs, and what lies between the runs of two rows.
//!
//! Idea: floors connected along x are one run. Runs of neighbouring rows touch in contacts; where a run's side has no
//!   contact it has gaps, each a wall or a drop. After this no pixel is looked at any more.
//! Steps: 1. join the floors of a row to those of the column before  2. and to those of the row below  3. heights as slopes
//! Cost: linear in floors; what is kept grows with the boundary, not with the area.

mod build;
#[cfg(test)]
mod tests;

use build::NONE;
pub use build::RunBuilder;

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

impl Slope {
    /// Height in the middle of a column, one of its own [height units].
    #[inline]
    pub fn height_at(&self, column: i64) -> f32 {
        self.height + self.rise * (column - i64::from(self.column)) as f32
    }
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
