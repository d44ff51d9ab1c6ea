//! What waits in a search, about the least first.
//!
//! Idea: a search that is content with a way a little longer than the shortest needs no exact order. Values of one narrow range go into one
//!   bucket, the last in is the first out, and the buckets are emptied one after the other: putting something in and taking it
//!   out cost a few instructions, where a heap compares and moves.
//! What comes up is at most the width of a bucket above the least that waits.

/// Buckets; a bit for each.
const WORDS: usize = 32;
const COUNT: usize = WORDS * 64;
/// The end of a list.
const NONE: u32 = u32::MAX;

/// Things by their values.
#[derive(Clone, Debug)]
pub(super) struct Buckets<T> {
    /// The first thing in each bucket; the last bucket holds all that is beyond it, too.
    heads: Vec<u32>,
    /// Which buckets hold something.
    filled: [u64; WORDS],
    /// All things, those that were taken out too, with the next in their buckets.
    things: Vec<(f64, u32, T)>,
    /// The bucket from which the last thing was taken.
    now: usize,
    /// Where the first bucket begins, and how many there are for a difference of 1.
    least: f64,
    per_unit: f64,
}

impl<T> Default for Buckets<T> {
    fn default() -> Self {
        Self {
            heads: vec![NONE; COUNT],
            filled: [0; WORDS],
            things: Vec::new(),
            now: 0,
            least: 0.0,
            per_unit: 0.0,
        }
    }
}

impl<T: Copy> Buckets<T> {
    /// Empties all; values from `least` on will be put in, and those nearer to each other than `width` are as good as equal.
    pub(super) fn begin(&mut self, least: f64, width: f64) {
        self.things.clear();
        self.part(least, width);
    }

    fn part(&mut self, least: f64, width: f64) {
        self.filled = [0; WORDS];
        (self.now, self.least) = (0, least);
        self.per_unit = if width > 0.0 { 1.0 / width } else { 0.0 };
    }

    #[inline]
    fn bucket(&self, value: f64) -> usize {
        // What is below the first is cut off to 0.
        (((value - self.least) * self.per_unit) as usize).min(COUNT - 1)
    }

    /// Whether a value would come up before all others that wait.
    #[inline]
    pub(super) fn is_due(&self, value: f64) -> bool {
        self.bucket(value) <= self.now
    }

    #[inline]
    pub(super) fn push(&mut self, value: f64, thing: T) {
        let bucket = self.bucket(value);
        self.now = self.now.min(bucket);
        let (word, bit) = (&mut self.filled[bucket / 64], 1 << (bucket % 64));
        let next = if *word & bit != 0 { self.heads[bucket] } else { NONE };
        *word |= bit;
        self.heads[bucket] = self.things.len() as u32;
        self.things.push((value, next, thing));
    }

    /// One of the least.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(f64, T)> {
        loop {
            let word = (self.now / 64..WORDS).find(|&word| self.filled[word] != 0)?;
            self.now = word * 64 + self.filled[word].trailing_zeros() as usize;
            if self.now == COUNT - 1 {
                self.spread();
                continue;
            }
            let (value, next, thing) = self.things[self.heads[self.now] as usize];
            self.heads[self.now] = next;
            if next == NONE {
                self.filled[word] &= !(1 << (self.now % 64));
            }
            return Some((value, thing));
        }
    }

    /// Deals what is in the last bucket out to all, which are at least twice as wide from now on.
    fn spread(&mut self) {
        let mut waiting = Vec::new();
        let mut at = self.heads[COUNT - 1];
        while let Some(&(value, next, thing)) = self.things.get(at as usize) {
            waiting.push((value, thing));
            at = next;
        }
        self.things.clear();
        let least = waiting.iter().map(|entry| entry.0).fold(f64::INFINITY, f64::min);
        let mut width = 2.0 / self.per_unit;
        while least - self.least >= width * (COUNT - 1) as f64 {
            width *= 2.0;
        }
        self.part(self.least, width);
        // In the order in which they came.
        waiting.into_iter().rev().for_each(|(value, thing)| self.push(value, thing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_come_up_and_none_long_before_a_smaller_one(
            values in prop::collection::vec(0.0..50.0f64, 1..200),
            later in prop::collection::vec(0.0..9.0f64, 200),
            width in 1e-3..0.1f64,
        ) {
            let mut buckets = Buckets::default();
            buckets.begin(0.0, width);
            let mut waiting: Vec<(f64, usize)> = Vec::new();
            let add = |buckets: &mut Buckets<usize>, waiting: &mut Vec<(f64, usize)>, value: f64, thing: usize| {
                buckets.push(value, thing);
                waiting.push((value, thing));
            };
            for (thing, &value) in values.iter().enumerate() {
                add(&mut buckets, &mut waiting, value, thing);
            }
            let (mut taken, mut next) = (0, values.len());
            while let Some((value, thing)) = buckets.pop() {
                let at = waiting.iter().position(|entry| *entry == (value, thing));
                prop_assert!(at.is_some(), "{value} came up twice");
                waiting.swap_remove(at.unwrap_or_default());
                // Buckets are as wide as needed for all values, and not much wider.
                let widest = width.max(4.0 * 60.0 / COUNT as f64);
                let least = waiting.iter().map(|entry| entry.0).fold(f64::INFINITY, f64::min);
                prop_assert!(value <= least + widest, "{value} before {least}");
                // What is found is never below what it comes from.
                if taken % 3 == 0 && taken < 200 {
                    add(&mut buckets, &mut waiting, value + later[taken], next);
                    next += 1;
                }
                taken += 1;
            }
            prop_assert!(waiting.is_empty());
        }
    }
}
