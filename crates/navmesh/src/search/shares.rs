//! Work on a list in equal shares, one per thread.

use std::ops::Range;

/// The results of `work` on consecutive ranges of `0..count`, one after the other, so that the number of threads (0 for
/// all cores) makes no difference.
pub(crate) fn in_shares<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Vec<T> {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let share = count.div_ceil(threads).max(1);
    if share >= count {
        return work(0..count);
    }
    std::thread::scope(|scope| {
        let work = &work;
        let ranges = (0..count).step_by(share).map(|from| from..(from + share).min(count));
        let running: Vec<_> = ranges.map(|range| scope.spawn(move || work(range))).collect();
        let mut all = Vec::with_capacity(count);
        for thread in running {
            match thread.join() {
                Ok(part) => all.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_gives_the_same_list() {
        for count in [0, 1, 2, 10, 11] {
            let expected: Vec<usize> = (0..count).collect();
            for threads in [0, 1, 2, 3, 100] {
                assert_eq!(in_shares(count, threads, |range| range.collect()), expected);
            }
        }
    }
}
