//! Whether paths are what they should be.

use wayfare_core::{DVec2, DVec3};
use wayfare_navmesh::{Accelerator, AcceleratorConfig, LocateConfig, NavMesh, PathFinder, PathScratch};

/// With a graph however small the mesh is.
pub fn accelerate(mesh: &mut NavMesh) {
    let always = AcceleratorConfig { min_core_cells: 0, max_bytes_per_corner: usize::MAX, threads: 1 };
    mesh.set_accelerator(Accelerator::build_with(mesh, &always));
}

/// All ways to search give the length, and whole paths of that length.
pub fn check(
    finders: &[PathFinder<&NavMesh>],
    [from, to]: [DVec2; 2],
    expected: Option<f64>,
    scratch: &mut PathScratch,
    case: &dyn Fn() -> String,
) {
    let (from, to) = (from.extend(0.0), to.extend(0.0));
    let config = LocateConfig { snap: 1e-9, ..LocateConfig::default() };
    for finder in finders {
        let way = if finder.accelerator().is_some() { "graph" } else { "plain" };
        let found = finder.plan_path(from, to, &config, scratch);
        match (expected, found) {
            (Some(expected), Ok(path)) => {
                let sum: f64 = path.points.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum();
                let is_right = |length: f64| (length - expected).abs() <= 1e-9 * expected.max(1e-3);
                assert!(
                    is_right(path.length) && is_right(sum),
                    "{way} {from} {to}: {path:?} ({sum}) expected {expected}\n{}",
                    case()
                );
                check_corridor(finder, from, to, scratch, case);
            }
            (None, Err(_)) => {}
            (expected, found) => {
                panic!("{way} {from} {to}: {found:?} expected {expected:?}\n{}", case())
            }
        }
    }
}

/// The cells of a path join start and goal and hold every piece of it.
fn check_corridor(
    finder: &PathFinder<&NavMesh>,
    from: DVec3,
    to: DVec3,
    scratch: &mut PathScratch,
    case: &dyn Fn() -> String,
) {
    let config = LocateConfig::default();
    let Ok(path) = finder.find(from, to, &config, scratch) else { return };
    let plan = finder.plan_path(from, to, &config, scratch).unwrap();
    assert_eq!(path.points.iter().map(|p| p.truncate()).collect::<Vec<_>>(), plan.points);
    let mesh = finder.mesh();
    let (first, last) = (path.cells[0], path.cells[path.cells.len() - 1]);
    let near = |cell, p: DVec3| {
        let p = p.truncate();
        let off = |corner| {
            let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
            (a + (b - a) * ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0)).distance(p)
        };
        mesh.contains(cell, p) || mesh.corners(cell).any(|corner| off(corner) < 1e-9)
    };
    assert!(near(first, from) && near(last, to), "{from} {to}: {path:?}\n{}", case());
    for pair in path.cells.windows(2) {
        let are_next = mesh.corners(pair[0]).any(|corner| mesh.neighbour(corner) == Some(pair[1]));
        assert!(are_next, "{from} {to}: {path:?}\n{}", case());
    }
    // Tiny steps along the path are in the corridor, in its order, but for rounding.
    let mut at = 0;
    for pair in path.points.windows(2) {
        for step in 0..=32 {
            let p = pair[0].lerp(pair[1], step as f64 / 32.0);
            let next = (at..path.cells.len()).find(|&k| near(path.cells[k], p));
            assert!(next.is_some(), "{p} of {from} {to}: {path:?}\n{}", case());
            at = next.unwrap_or(at);
        }
    }
}
