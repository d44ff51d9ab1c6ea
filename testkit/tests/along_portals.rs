//! Clearance along lines that run exactly along portals and through vertices, where one sign decides which way they go.

use crate::support::report;
use wayfare_bake::build_clearance;
use wayfare_core::{Context, DVec2, dvec2};
use wayfare_navmesh::{LocateConfig, NO_CELL, NavMesh, RawNavMesh};
use wayfare_testkit::{Random, disc_curve::Piece};

/// Squares and blocks of squares as cells of an imported mesh, so that lines of the grid are portals and vertices lie
/// inside the ground. Some squares are walls.
fn squares(seed: u64, size: usize) -> NavMesh {
    let mut random = Random::new(seed);
    let mut free = vec![vec![true; size]; size];
    for _ in 0..size * size / 8 {
        let (x, y) = (random.below(size), random.below(size));
        free[y][x] = false;
    }
    // Squares that touch in a corner only would need two vertices there.
    let mut is_done = false;
    while !is_done {
        is_done = true;
        for y in 1..size {
            for x in 1..size {
                let [a, b, c, d] = [free[y - 1][x - 1], free[y - 1][x], free[y][x - 1], free[y][x]];
                if a && d && !b && !c || b && c && !a && !d {
                    (free[y - 1][x], free[y][x - 1], free[y][x], free[y - 1][x - 1]) =
                        (true, true, true, true);
                    is_done = false;
                }
            }
        }
    }
    let width = size + 1;
    let cells: Vec<(usize, usize)> =
        (0..size * size).map(|k| (k % size, k / size)).filter(|&(x, y)| free[y][x]).collect();
    let number = |x: i64, y: i64| {
        let is_at = |cell: &(usize, usize)| (cell.0 as i64, cell.1 as i64) == (x, y);
        cells.iter().position(is_at).map_or(NO_CELL, |cell| cell as u32)
    };
    let mut used: Vec<usize> = Vec::new();
    let corners: Vec<usize> = cells
        .iter()
        .flat_map(|&(x, y)| [y * width + x, y * width + x + 1, (y + 1) * width + x + 1, (y + 1) * width + x])
        .collect();
    used.extend(&corners);
    used.sort_unstable();
    used.dedup();
    let place = |vertex: &usize| dvec2((vertex % width) as f64, (vertex / width) as f64);
    let raw = RawNavMesh {
        vertices: used.iter().map(|vertex| place(vertex).extend(0.0)).collect(),
        vertex_flags: vec![0; used.len()],
        cell_starts: (0..=cells.len() as u32).map(|k| 4 * k).collect(),
        corners: corners.iter().map(|vertex| used.partition_point(|other| other < vertex) as u32).collect(),
        neighbours: cells
            .iter()
            .map(|&(x, y)| (x as i64, y as i64))
            .flat_map(|(x, y)| [number(x, y - 1), number(x + 1, y), number(x, y + 1), number(x - 1, y)])
            .collect(),
        tags: vec![0; cells.len()],
        tag_names: vec![String::new()],
        storeys: vec![0; cells.len()],
        imported: true,
        ..RawNavMesh::default()
    };
    let mut mesh = raw.validate().unwrap_or_else(|defects| panic!("{defects:?}"));
    mesh.set_clearance(Some(build_clearance(&mesh, &Context::default()).unwrap_or_else(|e| panic!("{e}"))));
    mesh
}

#[test]
fn lines_along_portals_and_through_vertices_have_the_distance_of_all_boundary_edges() {
    let seeds: Vec<u64> = (0..40).collect();
    let wrong = report(&seeds, |&seed| {
        let mesh = squares(seed, 9);
        let clearances = mesh.clearances().expect("it was made");
        let edges: Vec<[DVec2; 2]> = mesh
            .cells()
            .flat_map(|cell| mesh.corners(cell))
            .filter(|&corner| mesh.twin(corner).is_none())
            .map(|corner| mesh.edge(corner).map(|vertex| mesh.xy(vertex)))
            .collect();
        let mut random = Random::new(seed);
        let mut wrong = Vec::new();
        let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
        for _ in 0..400 {
            // On lines of the grid, and in the middle between them.
            let mut place = || dvec2(random.below(19) as f64 / 2.0, random.below(19) as f64 / 2.0);
            let (from, to) = (place(), place());
            let Some(start) = mesh.locate(from.extend(0.0), &config) else { continue };
            let piece = Piece::Line { from, to };
            let expected = edges.iter().map(|&edge| piece.distance_to(edge)).fold(f64::INFINITY, f64::min);
            for cell in mesh.cells_of(&start) {
                let along = clearances.along(cell, from, to);
                let is_same = (along.distance - expected).abs() <= 1e-9;
                let is_there = expected == 0.0 || mesh.contains(along.cell, to);
                if !is_same || !is_there {
                    wrong.push(format!(
                        "squares {seed}: {from} to {to} from cell {cell}: {along:?}, not {expected}"
                    ));
                }
                // The short question has the same answer on both sides of the distance.
                for distance in [0.01, 0.3, 0.5, 0.9, 1.5, expected - 1e-9, expected + 1e-9] {
                    let keeps = clearances.keeps_away(cell, from, to, distance);
                    let is_right = keeps.is_some() == (expected >= distance)
                        && keeps.is_none_or(|end| mesh.contains(end, to));
                    if distance > 0.0 && (distance - expected).abs() > 1e-10 && !is_right {
                        wrong.push(format!(
                            "squares {seed}: {from} to {to} from {cell}: {distance} of {expected}"
                        ));
                    }
                }
            }
        }
        wrong
    });
    assert!(wrong.is_empty(), "{wrong}");
}
