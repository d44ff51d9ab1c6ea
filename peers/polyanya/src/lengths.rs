//! Are the paths as short as they should be?
//!
//! Ours on the given cells is compared with three others: the crate (`f32`), the plain `f64` Polyanya of testkit,
//! which shares no code with ours and searches the cells as the file has them, and ours on our own cells. The points
//! of every path must add up to its length.

use crate::case::Query;
use std::{error::Error, thread};
use wayfare_core::DVec2;
use wayfare_navmesh::{LocateConfig, NavMesh, PathFinder, PathScratch};
use wayfare_testkit::{PlainMesh, PlainPolyanya};

/// Largest relative differences that are allowed: to `f32`, and to `f64`.
pub const TO_CRATE: f64 = 1e-4;
pub const EXACT: f64 = 1e-9;

/// How much the lengths of ours on the given cells differ from others'.
pub struct Lengths {
    /// Largest relative differences to the crate, to testkit's search, to ours on our own cells, and to the sum of
    /// each path's own pieces.
    pub to_crate: f64,
    pub to_oracle: f64,
    pub to_own_cells: f64,
    pub to_points: f64,
    /// Queries for which some have a path and others none.
    pub disagreements: usize,
    /// Queries without a path.
    pub unreachable: usize,
    /// Queries that testkit's search was asked too.
    pub asked_oracle: usize,
}

impl Lengths {
    /// Written so that NaN is not good.
    pub fn are_good(&self) -> bool {
        let exact = [self.to_oracle, self.to_own_cells, self.to_points];
        self.to_crate <= TO_CRATE && exact.iter().all(|&worst| worst <= EXACT) && self.disagreements == 0
    }
}

/// Compares the lengths of all queries; testkit's search, which takes its time, is asked one in `oracle_step`.
pub fn check(
    text: &str,
    queries: &[Query],
    oracle_step: usize,
    theirs: &polyanya::Mesh,
    ours: &PathFinder<&NavMesh>,
    own_cells: &PathFinder<&NavMesh>,
) -> Result<Lengths, Box<dyn Error>> {
    let asked: Vec<&Query> = queries.iter().step_by(oracle_step).collect();
    let oracle = oracle_lengths(&PlainPolyanya::new(&PlainMesh::parse(text)?), &asked);
    let mut lengths = Lengths {
        to_crate: 0.0,
        to_oracle: 0.0,
        to_own_cells: 0.0,
        to_points: 0.0,
        disagreements: 0,
        unreachable: 0,
        asked_oracle: asked.len(),
    };
    let mut scratch = PathScratch::new();
    for (k, query) in queries.iter().enumerate() {
        let others = [
            (
                theirs.path(query.flat[0], query.flat[1]).map(|path| f64::from(path.length)),
                &mut lengths.to_crate,
            ),
            (length(own_cells, query, &mut scratch).map(|[length, _]| length), &mut lengths.to_own_cells),
        ];
        let ours = length(ours, query, &mut scratch);
        let oracle = k.is_multiple_of(oracle_step).then(|| (oracle[k / oracle_step], &mut lengths.to_oracle));
        let mut is_agreed = true;
        for (other, worst) in others.into_iter().chain(oracle) {
            match (ours, other) {
                (Some([ours, _]), Some(other)) => *worst = worst.max(difference(ours, other)),
                (None, None) => {}
                _ => is_agreed = false,
            }
        }
        if let Some([ours, points]) = ours {
            lengths.to_points = lengths.to_points.max(difference(ours, points));
        }
        lengths.unreachable += usize::from(ours.is_none());
        if !is_agreed {
            let [from, to] = query.ends;
            eprintln!("only some have a path from {from} to {to}");
            lengths.disagreements += 1;
        }
    }
    Ok(lengths)
}

/// Relative difference; what is not a number differs most.
fn difference(a: f64, b: f64) -> f64 {
    let difference = (a - b).abs() / a.abs().max(b.abs()).max(f64::MIN_POSITIVE);
    if difference.is_nan() { f64::INFINITY } else { difference }
}

/// The length that a path says it has, and that of its points.
fn length(finder: &PathFinder<&NavMesh>, query: &Query, scratch: &mut PathScratch) -> Option<[f64; 2]> {
    // Only as far as the rounding of points that split a wall.
    let config = LocateConfig { snap: 1e-9, ..LocateConfig::default() };
    let [from, to] = query.ends;
    let path = finder.plan_path(from, to, &config, scratch).ok()?;
    let sum = path.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    Some([path.length, sum])
}

/// The lengths by testkit's search, on all cores.
fn oracle_lengths(oracle: &PlainPolyanya, queries: &[&Query]) -> Vec<Option<f64>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = queries.len().div_ceil(threads).max(1);
    let shortest = |query: &&Query| {
        let [from, to]: [DVec2; 2] = query.ends.map(|p| p.truncate());
        oracle.shortest(from, to).map(|found| found.length)
    };
    thread::scope(|scope| {
        let workers: Vec<_> = queries
            .chunks(share)
            .map(|queries| scope.spawn(move || queries.iter().map(shortest).collect::<Vec<_>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the oracle does not panic")).collect()
    })
}
