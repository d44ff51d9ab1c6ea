//! The Polyanya meshes of the shared data: all import, pass every check and survive a round trip.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};
use wayfare_core::dvec2;
use wayfare_navmesh::{LocateConfig, NavMesh};

/// The folder of the shared data, or none with a word about it.
fn shared_data() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = here.ancestors().map(|folder| folder.join("shared/data")).find(|folder| folder.is_dir());
    if found.is_none() {
        eprintln!("shared/data is not beside this checkout: nothing tested");
    }
    found
}

fn import(data: &Path, name: &str) -> NavMesh {
    let bytes = std::fs::read(data.join("polymesh2d").join(name)).unwrap();
    let mut text = Vec::new();
    if name.ends_with(".gz") {
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut text).unwrap();
    } else {
        text = bytes;
    }
    NavMesh::import_polyanya(&text).unwrap()
}

#[test]
fn all_meshes_import_and_hold_their_invariants() {
    // Real data is never committed; its absence was said on standard error.
    let Some(data) = shared_data() else { return };
    for (name, cells) in [
        ("arena/arena.mesh", 120),
        ("arena/arena-merged.mesh", 55),
        ("aurora/aurora.mesh.gz", 34_816),
        ("aurora/aurora-merged.mesh.gz", 19_244),
    ] {
        let mesh = import(&data, name);
        assert_eq!(mesh.cell_count(), cells, "{name}");
        assert_eq!(mesh.check(), [], "{name}");
        let facts = mesh.facts();
        eprintln!("{name}: {facts:?}");
        let bytes = mesh.to_bytes();
        let again = NavMesh::from_bytes(bytes.clone()).unwrap();
        assert_eq!(again.raw(), mesh.raw());
        assert_eq!(again.to_bytes(), bytes);
    }
}

#[test]
fn triangles_and_merged_cells_of_one_plan_have_the_same_notches_and_holes() {
    // Real data is never committed; its absence was said on standard error.
    let Some(data) = shared_data() else { return };
    for (triangles, merged) in [
        ("arena/arena.mesh", "arena/arena-merged.mesh"),
        ("aurora/aurora.mesh.gz", "aurora/aurora-merged.mesh.gz"),
    ] {
        let (a, b) = (import(&data, triangles).facts(), import(&data, merged).facts());
        assert_eq!((a.notches, a.holes, a.components), (b.notches, b.holes, b.components), "{merged}");
        assert!((a.area - b.area).abs() <= 1e-9 * a.area, "{merged}");
        assert!(b.cells >= b.lower_bound);
    }
}

#[test]
fn points_of_a_large_mesh_are_located_as_by_trying_every_cell() {
    // Real data is never committed; its absence was said on standard error.
    let Some(data) = shared_data() else { return };
    let mesh = import(&data, "aurora/aurora-merged.mesh.gz");
    let (min, size) = (mesh.bounds().min, mesh.bounds().size());
    let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
    // Points spread by the golden ratio, every 500th vertex, and middles of every 500th portal.
    let spread =
        (1..150).map(|k| min + size * dvec2((k as f64 * 0.618_034) % 1.0, (k as f64 * 0.754_878) % 1.0));
    let vertices = mesh.vertices().step_by(500).map(|vertex| mesh.xy(vertex));
    let portals = mesh.portals().iter().step_by(500).map(|(_, sides)| {
        let [a, b] = mesh.edge(sides[0]).map(|vertex| mesh.xy(vertex));
        (a + b) / 2.0
    });
    for p in spread.chain(vertices).chain(portals) {
        let expected: Vec<_> = mesh.cells().filter(|&cell| mesh.contains(cell, p)).collect();
        assert_eq!(mesh.cells_at(p, 0.0..=0.0).collect::<Vec<_>>(), expected, "{p}");
        assert_eq!(
            mesh.locate(p.extend(0.0), &config).map(|location| location.cell),
            expected.first().copied()
        );
    }
}
