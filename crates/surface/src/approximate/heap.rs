//! A heap of ids by distance; ties go to the smaller id.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Smallest distance first. Entries may be stale: whoever takes one compares it with what is known by then.
#[derive(Default)]
pub struct Heap(BinaryHeap<Reverse<(u64, u32)>>);

impl Heap {
    /// Adds an id; the distance is not negative.
    #[inline]
    pub fn push(&mut self, distance: f64, id: usize) {
        // The bits of numbers that are not negative have the order of the numbers.
        self.0.push(Reverse((distance.to_bits(), id as u32)));
    }
    /// Takes the nearest.
    #[inline]
    pub fn pop(&mut self) -> Option<(f64, usize)> {
        self.0.pop().map(|Reverse((bits, id))| (f64::from_bits(bits), id as usize))
    }
    /// Memory [bytes].
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Reverse<(u64, u32)>>()
    }
}
