//! What is printed: the times, whether they are what is asked for, lengths, memory and preparation.

use crate::{
    case::{Case, Made},
    lengths::{EXACT, Lengths, TO_CRATE},
    searchers::Searcher,
    timing::Times,
};
use std::time::Duration;
use wayfare_navmesh::{AcceleratorConfig, NavMesh, PathFinder};

/// All about one mesh.
pub struct Measured {
    pub case: &'static Case,
    pub query_count: usize,
    /// The crate's row is the first, ours with points on the same cells the second.
    pub rows: Vec<Row>,
    pub lengths: Lengths,
    pub their_load: Duration,
    pub import: Duration,
    pub prepare: Duration,
    pub bake: Duration,
    /// What the graph costs, on the given and on our own cells.
    pub graphs: [String; 2],
}

/// One searcher on one mesh; times in µs.
pub struct Row {
    name: &'static str,
    cells: usize,
    mean: f64,
    p99: f64,
    /// The mean as a part of the crate's.
    part: f64,
    expanded: Option<f64>,
}

/// One row per searcher; the last one searches our own cells.
pub fn rows(searchers: &[Searcher<'_>], times: &[Times], given: &NavMesh, own: &NavMesh) -> Vec<Row> {
    let base = times.first().map_or(f64::NAN, |times| times.mean);
    let row = |(k, (searcher, times)): (usize, (&Searcher<'_>, &Times))| Row {
        name: searcher.name,
        cells: if k + 1 == searchers.len() { own } else { given }.cell_count(),
        mean: times.mean * 1e6,
        p99: times.p99 * 1e6,
        part: times.mean / base,
        expanded: times.expanded,
    };
    searchers.iter().zip(times).enumerate().map(row).collect()
}

pub fn print(measured: &[Measured]) {
    println!("# Shortest paths: wayfare and the crate polyanya 0.18\n");
    println!(
        "Times in µs per query, from two points to a path, location included: for each query the least of all \
         passes. The searchers take turns, with so many passes in each; mean and 99th percentile over the queries. \
         Expanded: nodes per query. The crate's answer has the points and, inside, the polygons passed; it counts in \
         `f32`, wayfare in `f64`.\n"
    );
    println!(
        "| mesh | queries × turns × passes | searcher | cells | mean | p99 | of polyanya's mean | expanded |"
    );
    println!("|---|--:|---|--:|--:|--:|--:|--:|");
    for measured in measured {
        for row in &measured.rows {
            println!(
                "| {} | {} × {} × {} | {} | {} | {:.2} | {:.2} | {} | {} |",
                measured.case.name,
                measured.query_count,
                measured.case.passes[0],
                measured.case.passes[1],
                row.name,
                row.cells,
                row.mean,
                row.p99,
                part_words(row.part),
                row.expanded.map_or(String::new(), |expanded| format!("{expanded:.1}")),
            );
        }
    }
    println!("\n## Asked for\n");
    measured.iter().filter_map(verdict).for_each(|line| println!("- {line}"));
    println!("\n## Lengths\n");
    println!(
        "Largest relative differences of wayfare on the given cells to others: at most {TO_CRATE:e} \
         to the crate and {EXACT:e} to the rest is allowed. testkit's Polyanya is a plain `f64` search that shares no \
         code with wayfare's and takes its time, so that not every mesh asks it all queries.\n"
    );
    println!(
        "| mesh | to polyanya | to testkit's Polyanya | of queries | to its own cells | to the sum of its points | without path | disagreements |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for Measured { case, query_count, lengths, .. } in measured {
        println!(
            "| {} | {:.1e} | {:.1e} | {} of {query_count} | {:.1e} | {:.1e} | {} | {} |",
            case.name,
            lengths.to_crate,
            lengths.to_oracle,
            lengths.asked_oracle,
            lengths.to_own_cells,
            lengths.to_points,
            lengths.unreachable,
            lengths.disagreements
        );
    }
    println!("\n## Memory and preparation\n");
    for measured in measured {
        let [given, own] = &measured.graphs;
        println!(
            "- {}: polyanya loads it in {}; wayfare imports and checks it in {} and makes a finder in {}. Graph on the \
             given cells: {given}. Our own cells are made in {}; graph: {own}.",
            measured.case.name,
            milliseconds(measured.their_load),
            milliseconds(measured.import),
            milliseconds(measured.prepare),
            milliseconds(measured.bake),
        );
    }
}

/// Two digits that count.
fn part_words(part: f64) -> String {
    if part < 0.1 { format!("{part:.3}") } else { format!("{part:.2}") }
}

/// Whether the mean is what is asked for.
fn verdict(measured: &Measured) -> Option<String> {
    let asked = measured.case.asked?;
    let part = measured.rows.get(1)?.part;
    let words = |part: f64| if asked < 0.1 { format!("1/{:.0}", 1.0 / part) } else { part_words(part) };
    let asked_words = if asked < 0.1 { words(asked) } else { asked.to_string() };
    let met = if part <= asked { "met" } else { "NOT met" };
    Some(format!(
        "{}: {} of polyanya's mean, at most {asked_words} asked for: {met}",
        measured.case.name,
        words(part)
    ))
}

/// What the graph of a mesh costs.
pub fn graph_words(made: &Made, finder: &PathFinder<&NavMesh>) -> String {
    let AcceleratorConfig { min_core_cells, max_bytes_per_corner, .. } = AcceleratorConfig::default();
    let Some(accelerator) = made.mesh.accelerator() else {
        let core = finder.core_count();
        return if core < min_core_cells {
            format!("none, as {core} convex pieces outside of dead ends are quickly searched")
        } else {
            format!("none, as it would take {max_bytes_per_corner} bytes per corner or more")
        };
    };
    let corners = made.mesh.facts().notches;
    format!(
        "{} corners and {} edges, {} bytes, {:.1} per corner of the mesh ({corners}), made once in {}",
        accelerator.corner_count(),
        accelerator.edge_count(),
        accelerator.bytes(),
        accelerator.bytes() as f64 / corners as f64,
        milliseconds(made.accelerated)
    )
}

fn milliseconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 10.0 { format!("{ms:.2} ms") } else { format!("{ms:.0} ms") }
}
