//! What waits in a search: the least first, of equal ones the one with the smallest number.

use std::{cmp::Ordering, collections::BinaryHeap};

/// Things in the order of values, and of numbers where values are equal.
#[derive(Clone, Debug)]
pub(crate) struct Queue<T> {
    heap: BinaryHeap<Entry<T>>,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    /// The value, as bits in the same order.
    key: u64,
    tie: u64,
    what: T,
}
impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl<T> Eq for Entry<T> {}
impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Entry<T> {
    /// The heap gives the greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key).then(other.tie.cmp(&self.tie))
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new() }
    }
}

impl<T> Queue<T> {
    pub(crate) fn push(&mut self, value: f64, tie: u64, what: T) {
        self.heap.push(Entry { key: in_order(value), tie, what });
    }

    /// The least value and what it belongs to.
    pub(crate) fn pop(&mut self) -> Option<(f64, T)> {
        self.heap.pop().map(|Entry { key, what, .. }| (value(key), what))
    }

    /// The least value.
    pub(crate) fn least(&self) -> Option<f64> {
        self.heap.peek().map(|entry| value(entry.key))
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }
}

const SIGN: u64 = 1 << 63;

/// Bits that are in the order of [`f64::total_cmp`].
fn in_order(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn value(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_comes_first_and_of_equal_ones_the_smallest_number() {
        let values = [3.5, -0.0, 0.0, f64::INFINITY, -2.0, 3.5, 1e-300, f64::NEG_INFINITY, -1e-300];
        let mut queue = Queue::default();
        for (k, &value) in values.iter().enumerate() {
            queue.push(value, 100 - k as u64, k);
        }
        assert_eq!(queue.len(), values.len());
        let mut sorted: Vec<(f64, usize)> = values.iter().copied().zip(0..).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let popped: Vec<(f64, usize)> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(popped, sorted);
    }
}
