//! Work on flat arrays in chunks, by one thread or by all.
//!
//! Promises: the same result for any number of threads.

use crate::contact::CHUNK;
use rayon::prelude::*;

/// Works on the chunks of an array, each with something of its own.
pub(crate) fn for_chunks<A: Send, C: Send>(
    parallel: bool,
    items: &mut [A],
    own: &mut [C],
    work: impl Fn(usize, &mut [A], &mut C) + Sync,
) {
    if parallel {
        let chunks = items.par_chunks_mut(CHUNK).zip(own.par_iter_mut()).enumerate();
        chunks.for_each(|(chunk, (items, own))| work(chunk, items, own));
    } else {
        let chunks = items.chunks_mut(CHUNK).zip(own.iter_mut()).enumerate();
        chunks.for_each(|(chunk, (items, own))| work(chunk, items, own));
    }
}

/// Works on the chunks of two arrays, each with something of its own.
pub(crate) fn for_chunks_of<A: Send, B: Send, C: Send>(
    parallel: bool,
    a: &mut [A],
    b: &mut [B],
    own: &mut [C],
    work: impl Fn(usize, &mut [A], &mut [B], &mut C) + Sync,
) {
    if parallel {
        let chunks = a.par_chunks_mut(CHUNK).zip(b.par_chunks_mut(CHUNK)).zip(own.par_iter_mut());
        chunks.enumerate().for_each(|(chunk, ((a, b), own))| work(chunk, a, b, own));
    } else {
        let chunks = a.chunks_mut(CHUNK).zip(b.chunks_mut(CHUNK)).zip(own.iter_mut());
        chunks.enumerate().for_each(|(chunk, ((a, b), own))| work(chunk, a, b, own));
    }
}

/// What the chunks of an array give, joined by a function that does not care for the order.
pub(crate) fn map_chunks<A: Send, C: Sync>(
    parallel: bool,
    items: &mut [A],
    own: &[C],
    join: impl Fn(f64, f64) -> f64 + Sync + Send,
    work: impl Fn(usize, &mut [A], &C) -> f64 + Sync,
) -> f64 {
    if parallel {
        let chunks = items.par_chunks_mut(CHUNK).zip(own).enumerate();
        chunks.map(|(chunk, (items, own))| work(chunk, items, own)).reduce(|| 0.0, join)
    } else {
        let chunks = items.chunks_mut(CHUNK).zip(own).enumerate();
        chunks.map(|(chunk, (items, own))| work(chunk, items, own)).fold(0.0, join)
    }
}
