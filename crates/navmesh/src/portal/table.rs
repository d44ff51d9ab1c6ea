//! A table of shrunk portals that threads share: bounded, without locks.
//!
//! Idea: an answer depends on the passage and the radius alone. Slots of a fixed number hold the latest answers; a question may
//! be in either of two. A slot is a *sequence lock*: a writer makes its version odd, writes, and makes it even
//! again; a reader that sees an odd version, or another one afterwards, has not found anything. Nobody waits: who cannot have
//! an answer from the table works it out.
//! Source: Oliva and Pelechano 2015, section 4, has a table by portal and radius; but its case 2 looks at the portals that
//!   follow, so that one portal may have different answers: here the key is the whole passage.
//! Promises: what it answers is to the last bit what [`Crossings::exact_shrink`] answers.
//! Cost: 48 bytes a slot, allocated once; a hit is five loads.

use super::shrink::{Passage, Span};
use crate::{crossing::Crossings, mesh::CornerId, mesh::NONE};
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

/// Words of a slot: two for the passage, radius, low and high.
const WORDS: usize = 5;

#[derive(Debug, Default)]
struct Slot {
    /// Even: whole; odd: being written; 0: empty.
    version: AtomicU64,
    words: [AtomicU64; WORDS],
}

/// Remembers shrunk portals.
#[derive(Debug)]
pub struct ShrinkTable {
    slots: Box<[Slot]>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl ShrinkTable {
    /// A table with room for about so many answers: the next power of two, two at least.
    pub fn new(answers: usize) -> Self {
        let slots = (0..answers.clamp(2, 1 << 30).next_power_of_two()).map(|_| Slot::default()).collect();
        Self { slots, hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }
    /// Memory [bytes]; it never changes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }
    /// Questions that were answered from the table, and those that were not; about, where threads ask at the same time.
    pub fn hits_and_misses(&self) -> [u64; 2] {
        [&self.hits, &self.misses].map(|count| count.load(Relaxed))
    }

    /// The same as [`Crossings::exact_shrink`], from the table if it is there.
    pub fn exact_shrink(&self, crossings: &Crossings<'_>, passage: Passage, radius: f64) -> Option<Span> {
        self.get_or(passage, radius, || crossings.exact_shrink(passage, radius))
    }

    /// What is stored for a passage and a radius, or else what a function answers, which is stored.
    pub fn get_or(
        &self,
        passage: Passage,
        radius: f64,
        answer: impl FnOnce() -> Option<Span>,
    ) -> Option<Span> {
        let id = |corner: Option<CornerId>| u64::from(corner.map_or(NONE, |corner| corner.0));
        let key = [id(passage.from) << 32 | u64::from(passage.through.0), id(passage.to), radius.to_bits()];
        let first = (mixed(key) >> 32) as usize & (self.slots.len() - 1);
        let pair = [first, first ^ 1];
        for slot in pair.map(|k| &self.slots[k]) {
            if let Some(span) = slot.get(key) {
                increase(&self.hits);
                return (!span.low.is_nan()).then_some(span);
            }
        }
        increase(&self.misses);
        let span = answer();
        let empty = pair.into_iter().find(|&k| self.slots[k].version.load(Relaxed) == 0);
        self.slots[empty.unwrap_or(first)].set(key, span.unwrap_or(Span { low: f64::NAN, high: f64::NAN }));
        span
    }
}

impl Slot {
    fn get(&self, key: [u64; 3]) -> Option<Span> {
        let version = self.version.load(Acquire);
        if version == 0 || version & 1 == 1 {
            return None;
        }
        let words: [u64; WORDS] = std::array::from_fn(|k| self.words[k].load(Relaxed));
        fence(Acquire);
        let is_whole = self.version.load(Relaxed) == version;
        let [a, b, c, low, high] = words;
        (is_whole && [a, b, c] == key)
            .then_some(Span { low: f64::from_bits(low), high: f64::from_bits(high) })
    }

    fn set(&self, key: [u64; 3], span: Span) {
        let version = self.version.load(Relaxed);
        // Whoever comes while another one writes leaves it at that.
        if version & 1 == 1 || self.version.compare_exchange(version, version + 1, Acquire, Relaxed).is_err()
        {
            return;
        }
        fence(Release);
        let [a, b, c] = key;
        for (word, value) in self.words.iter().zip([a, b, c, span.low.to_bits(), span.high.to_bits()]) {
            word.store(value, Relaxed);
        }
        self.version.store(version + 2, Release);
    }
}

/// Counts without making others wait: threads that count at the same time may count one for two.
fn increase(count: &AtomicU64) {
    count.store(count.load(Relaxed).wrapping_add(1), Relaxed);
}

/// Spreads keys over the high bits: multiplications by odd numbers.
fn mixed([a, b, c]: [u64; 3]) -> u64 {
    const ODD: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];
    let sum = a.wrapping_mul(ODD[0]) ^ b.wrapping_mul(ODD[1]).rotate_left(21) ^ c.wrapping_mul(ODD[2]);
    (sum ^ sum >> 32).wrapping_mul(ODD[0])
}
