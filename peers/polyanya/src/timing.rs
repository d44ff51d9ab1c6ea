//! Times of queries.
//!
//! The searchers take turns, so that a busy machine slows all alike. In its turn each goes through all queries, on small
//! meshes several times: in the first pass after somebody else's the processor has to learn the branches again. With that
//! pass alone `arena-merged` took polyanya 1.75 and wayfare 0.79 µs instead of 1.43 and 0.56. A query's time is the
//! least of all passes, as many for everybody; it includes the call of the clock.

use crate::{case::Query, searchers::Searcher};
use std::time::Instant;

/// What one searcher needed.
pub struct Times {
    /// Mean and 99th percentile over the queries [s].
    pub mean: f64,
    pub p99: f64,
    /// Nodes expanded per query, where the searcher says.
    pub expanded: Option<f64>,
}

pub fn measure(searchers: &mut [Searcher<'_>], queries: &[Query], [turns, passes]: [usize; 2]) -> Vec<Times> {
    let mut least = vec![vec![f64::INFINITY; queries.len()]; searchers.len()];
    let mut expanded = vec![None; searchers.len()];
    for _ in 0..turns {
        for ((searcher, least), expanded) in searchers.iter_mut().zip(&mut least).zip(&mut expanded) {
            for _ in 0..passes {
                let mut sum = Some(0);
                for (query, least) in queries.iter().zip(&mut *least) {
                    let began = Instant::now();
                    let nodes = (searcher.run)(query);
                    *least = least.min(began.elapsed().as_secs_f64());
                    sum = sum.zip(nodes).map(|(sum, nodes)| sum + u64::from(nodes));
                }
                *expanded = sum;
            }
        }
    }
    let per_query = |sum: u64| sum as f64 / queries.len() as f64;
    let times = |(mut least, expanded): (Vec<f64>, Option<u64>)| {
        least.sort_by(f64::total_cmp);
        Times {
            mean: least.iter().sum::<f64>() / least.len() as f64,
            p99: least.get(least.len() * 99 / 100).copied().unwrap_or(f64::NAN),
            expanded: expanded.map(per_query),
        }
    };
    least.into_iter().zip(expanded).map(times).collect()
}
