//! The path queries that come with the shared maps.

use crate::support::{agree, baked, path_length, report};
use wayfare_core::Context;
use wayfare_floor::build_plan;
use wayfare_navmesh::{NavMesh, PathFinder, PathScratch};
use wayfare_scene::{PlanOptions, read_plan};
use wayfare_testkit::{
    PlainMesh, PlainPolyanya,
    data::{self, MapKind, ScenQuery, SharedMap},
};

/// Queries that are not solved, or not between the straight line and the file's octile length.
fn check(map: &SharedMap, mesh: &NavMesh, queries: &[ScenQuery]) -> Vec<String> {
    let finder = PathFinder::new(mesh);
    let mut scratch = PathScratch::default();
    let mut found = Vec::new();
    for query in queries {
        let ends = query.centres();
        let length = match path_length(&finder, ends, &mut scratch) {
            Ok(Some(length)) => length,
            Ok(None) => {
                found.push(format!("{}: no path for {query:?}", map.name));
                continue;
            }
            Err(what) => {
                found.push(format!("{}: {what}", map.name));
                continue;
            }
        };
        if length > query.octile * (1.0 + 1e-6) + query.rounding {
            found.push(format!("{}: {length} is longer than octile for {query:?}", map.name));
        }
        if length < ends[0].distance(ends[1]) * (1.0 - 1e-12) {
            found.push(format!("{}: {length} is shorter than the straight line for {query:?}", map.name));
        }
    }
    found
}

fn check_grid(map: &SharedMap, step: usize) -> Vec<String> {
    let source = read_plan(&map.path, &PlanOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let (plan, _) = build_plan(&source, &Context::default()).unwrap_or_else(|error| panic!("{error}"));
    let mesh = baked(&plan, 0.0);
    // Some queries of the Warcraft maps begin or end in squares that the map itself calls impassable.
    let passable = passable_squares(map);
    let is_free =
        |[i, k]: [u32; 2]| passable.get(k as usize).is_some_and(|row| row.get(i as usize) == Some(&true));
    let (queries, off): (Vec<ScenQuery>, Vec<ScenQuery>) = data::queries(map)
        .into_iter()
        .step_by(step)
        .partition(|query| is_free(query.from) && is_free(query.to));
    let mut found = check(map, &mesh, &queries);
    let finder = PathFinder::new(&mesh);
    let mut scratch = PathScratch::default();
    for query in off {
        let answer = path_length(&finder, query.centres(), &mut scratch);
        if !answer.as_ref().is_err_and(|what| what.contains("not on the mesh")) {
            found.push(format!("{}: {answer:?} for {query:?}, which ends in a wall", map.name));
        }
    }
    found
}

/// Which squares of a grid map are passable, row by row.
fn passable_squares(map: &SharedMap) -> Vec<Vec<bool>> {
    let text = data::read_text(&map.path).expect("a text file");
    let rows = text.lines().skip_while(|line| line.trim() != "map").skip(1);
    rows.map(|row| row.bytes().map(|square| b".GS".contains(&square)).collect()).collect()
}

fn grids() -> Vec<SharedMap> {
    let kinds = [MapKind::Game, MapKind::City, MapKind::Synthetic];
    data::maps().into_iter().filter(|map| kinds.contains(&map.kind)).collect()
}

#[test]
fn queries_of_small_maps_are_solved_within_the_octile_length() {
    // Maps of some hundred to some thousand notches; the others are in the long test.
    let small = ["da2_", "dao_", "bg512_", "cities_Moscow", "mazes_maze512-8"];
    let maps: Vec<SharedMap> =
        grids().into_iter().filter(|map| small.iter().any(|name| map.name.starts_with(name))).collect();
    assert_eq!(report(&maps, |map| check_grid(map, 7)), "");
}

#[test]
fn every_query_of_every_map_is_solved_within_the_octile_length() {
    assert_eq!(report(&grids(), |map| check_grid(map, 1)), "");
}

#[test]
fn queries_of_the_shared_meshes_have_the_lengths_of_the_plain_search() {
    let maps: Vec<SharedMap> = data::maps_of(MapKind::PolyMesh);
    let found = report(&maps, |map| {
        let text = data::read_text(&map.path).expect("a text file");
        let plain = PlainPolyanya::new(&PlainMesh::parse(&text).expect("a mesh"));
        let mesh = NavMesh::import_polyanya(text.as_bytes()).expect("a mesh");
        // The plain search takes some ten milliseconds on the large map.
        let step = if map.name.starts_with("aurora") { 61 } else { 1 };
        let queries: Vec<ScenQuery> = data::queries(map).into_iter().step_by(step).collect();
        let mut found = check(map, &mesh, &queries);
        let finder = PathFinder::new(&mesh);
        let mut scratch = PathScratch::default();
        for query in queries {
            let [from, to] = query.centres();
            let expected = plain.shortest(from, to).map(|path| path.length);
            let length = path_length(&finder, [from, to], &mut scratch);
            if !length.as_ref().is_ok_and(|&length| agree(length, expected, 1e-9)) {
                found.push(format!("{}: {length:?}, not {expected:?} for {query:?}", map.name));
            }
        }
        found
    });
    assert_eq!(found, "");
}
