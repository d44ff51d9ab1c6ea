//! Paths on small meshes of grid maps: the plain search, the graph and brute force agree, and the corridor holds the path.
//!
//! Bytes: width and height, how the map is cut into cells, a seed for that, one bit per square, then queries of four
//! bytes each.

#![no_main]

use libfuzzer_sys::fuzz_target;
use support::{Cutting, FINE, Fine, GridMap, Random, brute::Brute, check, mesh_of, to_metres};
use wayfare_core::DVec2;
use wayfare_navmesh::{PathFinder, PathScratch};

#[path = "../../crates/navmesh/tests/support/mod.rs"]
mod support;

fuzz_target!(|bytes: &[u8]| {
    let [size, style, seed, rest @ ..] = bytes else { return };
    let (width, height) = (1 + usize::from(size % 8), 1 + usize::from(size / 8 % 8));
    let squares = (width * height).div_ceil(8);
    if rest.len() < squares {
        return;
    }
    let (bits, queries) = rest.split_at(squares);
    let free = (0..width * height).map(|k| bits[k / 8] >> (k % 8) & 1 == 0).collect();
    let map = GridMap { width, height, free };
    if !map.free.contains(&true) {
        return;
    }
    let share = |shift: u8| [0, 30, 70, 100][usize::from(style >> shift & 3)];
    let is_crooked = size / 64 == 3;
    let cutting = if is_crooked {
        Cutting { merge: false, keep: 100, jitter: 0.24, join: share(4).min(70), ..Cutting::default() }
    } else {
        let turn = f64::from(style >> 6) * 0.7;
        Cutting { cut: share(0), keep: share(2), join: share(4).min(70), turn, ..Cutting::default() }
    };
    let mut mesh = mesh_of(&map, cutting, &mut Random(u64::from(*seed)));
    check::accelerate(&mut mesh);
    let finders = [PathFinder::plain(&mesh), PathFinder::new(&mesh)];
    let mut scratch = PathScratch::new();
    let brute = is_crooked.then(|| Brute::new(&mesh));
    for query in queries.chunks_exact(4).take(16) {
        let at = |k: usize, n: usize| i64::from(query[k]) % (n as i64 * FINE + 1);
        let (p, q): (Fine, Fine) = ((at(0, width), at(1, height)), (at(2, width), at(3, height)));
        let case = || format!("{p:?} {q:?} {cutting:?} {map:?}");
        match &brute {
            // Not on the lattice: brute force wants no three points on one line.
            Some(brute) => {
                let ends = [p, q].map(|p| to_metres(p).truncate() + DVec2::new(0.0137, 0.0071));
                if ends.iter().all(|&p| mesh.cells().any(|cell| mesh.contains(cell, p))) {
                    check::check(&finders, ends, brute.shortest(ends[0], ends[1]), &mut scratch, &case);
                }
            }
            None if map.holds(p) && map.holds(q) => {
                let ends = [p, q].map(|p| cutting.place(to_metres(p).truncate()));
                check::check(&finders, ends, map.shortest(p, q), &mut scratch, &case);
            }
            None => {}
        }
    }
});
