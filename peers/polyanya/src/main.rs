//! `cargo xtask bench polyanya`: shortest paths side by side with the crate `polyanya`.
//!
//! On the shared meshes and their queries, in one run: the crate, ours on the same cells (points alone, and with
//! corridor), ours on our own cells of the same outlines. All lengths are checked; the program fails if one is wrong.
//! Arguments restrict the meshes to names that hold them all: `cargo run --release -- arena merged`.

mod case;
mod lengths;
mod searchers;
mod table;
mod timing;

use case::{CASES, Case};
use std::{error::Error, path::Path, process::ExitCode};
use table::Measured;
use wayfare_navmesh::PathFinder;
use wayfare_testkit::data;

fn main() -> ExitCode {
    match compare_all() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the table; whether all lengths are right.
fn compare_all() -> Result<bool, Box<dyn Error>> {
    let folder = data::shared_data().ok_or("the shared data is not there")?.join("polymesh2d");
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut measured = Vec::new();
    for case in CASES.iter().filter(|case| words.iter().all(|word| case.name.contains(word))) {
        eprintln!("{}", case.name);
        measured.push(compare(case, &folder).map_err(|error| format!("{}: {error}", case.name))?);
    }
    table::print(&measured);
    Ok(measured.iter().all(|measured| measured.lengths.are_good()))
}

fn compare(case: &'static Case, folder: &Path) -> Result<Measured, Box<dyn Error>> {
    let text = data::read_text(&folder.join(case.mesh))?;
    let queries = case::queries(&data::read_text(&folder.join(case.queries))?)?;
    let (theirs, their_load) = case::load_theirs(&text)?;
    let imported = case::import(&text)?;
    let own = case::bake_outlines(&text)?;
    let (finder, prepare) = case::timed(|| PathFinder::new(&imported.mesh));
    let own_finder = PathFinder::new(&own.mesh);

    let lengths = lengths::check(&text, &queries, case.oracle_step, &theirs, &finder, &own_finder)?;
    let mut searchers = [
        searchers::crate_polyanya(&theirs),
        searchers::points("wayfare, points", &finder),
        searchers::corridor("wayfare, points and corridor", &finder),
        searchers::points("wayfare on its own cells, points", &own_finder),
    ];
    let times = timing::measure(&mut searchers, &queries, case.passes);
    Ok(Measured {
        case,
        query_count: queries.len(),
        rows: table::rows(&searchers, &times, &imported.mesh, &own.mesh),
        lengths,
        their_load,
        import: imported.made,
        prepare,
        graphs: [table::graph_words(&imported, &finder), table::graph_words(&own, &own_finder)],
        bake: own.made,
    })
}
