//! How long it takes to load a mesh, to check it and to find points on it.
//!
//! `cargo bench -p wayfare-navmesh --bench load_and_locate -- [FILE.way or FILE.mesh] ...`; without files a
//! generated mesh of 20,000 cells is measured. Prints one line per mesh; answers are checked on the way.

use std::{hint::black_box, path::Path, time::Instant};
use wayfare_core::{DVec3, dvec2, dvec3};
use wayfare_navmesh::{LocateConfig, NavMesh, RawNavMesh};

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if files.is_empty() {
        measure("generated", &generated(100, 200));
    }
    for file in files {
        let mesh = if file.ends_with(".mesh") {
            NavMesh::import_polyanya(&std::fs::read(&file).expect("the file is there")).expect("a sound mesh")
        } else {
            NavMesh::read(Path::new(&file)).expect("a sound mesh")
        };
        measure(&file, &mesh);
    }
}

/// Squares with every seventh missing, moved off the lattice.
fn generated(width: u32, height: u32) -> NavMesh {
    let points: Vec<DVec3> = (0..=height)
        .flat_map(|y| (0..=width).map(move |x| (x, y)))
        .map(|(x, y)| {
            dvec3(x as f64 + ((x * 7 + y * 3) % 5) as f64 * 0.05, y as f64 + ((x + y) % 3) as f64 * 0.1, 0.0)
        })
        .collect();
    let squares = (0..width * height).filter(|k| k % 7 != 3).map(|k| (k / width) * (width + 1) + k % width);
    let polygons: Vec<[u32; 4]> = squares.map(|v| [v, v + 1, v + width + 2, v + width + 1]).collect();
    RawNavMesh::from_polygons(&points, &polygons).expect("squares").validate().expect("a sound mesh")
}

/// Time of the processor that this thread got [s], where the system tells; else that of the clock. Other
/// programs on the machine do not count that way.
fn seconds(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanos.map_or_else(|| start.elapsed().as_secs_f64(), |nanos| nanos * 1e-9)
}

/// The best of several runs [s].
fn best_of<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let clock = Instant::now();
    (0..runs).fold(f64::INFINITY, |best, _| {
        let start = seconds(clock);
        black_box(work());
        best.min(seconds(clock) - start)
    })
}

fn measure(name: &str, mesh: &NavMesh) {
    let bytes = mesh.to_bytes();
    let load = best_of(10, || NavMesh::from_bytes(bytes.clone()).expect("what was written"));
    let validate = best_of(10, || mesh.raw().clone().validate().expect("what was valid"));
    let check = best_of(3, || assert_eq!(mesh.check(), []));
    let config = LocateConfig::default();
    let (min, size) = (mesh.bounds().min, mesh.bounds().size());
    // Spread evenly, in no order, by two irrational steps.
    let points: Vec<DVec3> = (0..200_000)
        .map(|k| {
            (min + size * dvec2((k as f64 * 0.754_877_666) % 1.0, (k as f64 * 0.569_840_291) % 1.0))
                .extend(0.0)
        })
        .collect();
    let on: Vec<DVec3> = points
        .iter()
        .copied()
        .filter(|&p| mesh.cells_at(p.truncate(), -1.0..=1.0).next().is_some())
        .collect();
    let each = |points: &[DVec3]| {
        let found = best_of(5, || points.iter().filter(|&&p| mesh.locate(p, &config).is_some()).count());
        found * 1e9 / points.len().max(1) as f64
    };
    let (all, on_ground) = (each(&points), each(&on));
    println!(
        "{name}: {} cells, {} corners, {} bytes; load {:.2} ms, validate {:.2} ms, check {:.2} ms; \
         locate {on_ground:.0} ns on the ground, {all:.0} ns anywhere ({} % on the ground)",
        mesh.cell_count(),
        mesh.raw().corners.len(),
        bytes.len(),
        load * 1e3,
        validate * 1e3,
        check * 1e3,
        100 * on.len() / points.len()
    );
}
