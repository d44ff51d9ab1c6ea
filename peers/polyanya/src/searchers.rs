//! What is timed: one function per searcher, from two points to a whole path.

use crate::case::Query;
use std::hint::black_box;
use wayfare_navmesh::{LocateConfig, NavMesh, Path, PathFinder, PathScratch};

/// Answers a query and returns how many nodes were expanded, where that is known.
type Run<'a> = dyn FnMut(&Query) -> Option<u32> + 'a;

/// A way to answer queries.
pub struct Searcher<'a> {
    pub name: &'static str,
    pub run: Box<Run<'a>>,
}

pub fn crate_polyanya(mesh: &polyanya::Mesh) -> Searcher<'_> {
    let run = move |query: &Query| {
        let [from, to] = query.flat;
        black_box(mesh.path(from, to));
        None
    };
    Searcher { name: "polyanya", run: Box::new(run) }
}

/// Start, turns and goal: what the crate lends to its users.
pub fn points<'a>(name: &'static str, finder: &'a PathFinder<&NavMesh>) -> Searcher<'a> {
    let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
    let run = move |query: &Query| {
        let [from, to] = query.ends;
        let path = black_box(finder.plan_path(from, to, &config, &mut scratch));
        Some(path.map_or(0, |path| path.expanded))
    };
    Searcher { name, run: Box::new(run) }
}

/// The same on the ground, with the cells that the path goes through.
pub fn corridor<'a>(name: &'static str, finder: &'a PathFinder<&NavMesh>) -> Searcher<'a> {
    let (config, mut scratch, mut path) = (LocateConfig::default(), PathScratch::new(), Path::default());
    let run = move |query: &Query| {
        let [from, to] = query.ends;
        let found = black_box(finder.find_into(from, to, &config, &mut scratch, &mut path));
        Some(found.map_or(0, |()| black_box(&path).expanded))
    };
    Searcher { name, run: Box::new(run) }
}
