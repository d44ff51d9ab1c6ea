//! Plans with several layers and with tags: stairs, spirals, and surfaces of squares at random, against oracles.

mod pixel_surface;

use pixel_surface::{Square, Surface};
use wayfare_bake::{BakeConfig, Decomposition, bake};
use wayfare_core::{Context, DVec3};
use wayfare_floor::FloorPlan;
use wayfare_navmesh::{LocateConfig, NavMesh, PathFinder, PathScratch};

fn baked(plan: &FloorPlan, config: &BakeConfig) -> NavMesh {
    assert_eq!(plan.check(), []);
    let mesh = bake(plan, config, &Context::default()).expect("the plan can be baked");
    let defects = mesh.check();
    assert!(defects.is_empty(), "{config:?}: {defects:?}");
    let (cells, ground) = (mesh.area(), plan.area());
    assert!(
        (cells - ground).abs() <= 1e-9 * ground,
        "{config:?}: {cells} m² of cells, {ground} m² of ground"
    );
    mesh
}

fn centre(&(_, x, y): &Square) -> DVec3 {
    DVec3::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0)
}

fn length(finder: &PathFinder<&NavMesh>, from: DVec3, to: DVec3) -> Option<f64> {
    finder.length(from, to, &LocateConfig::default(), &mut PathScratch::default()).ok()
}

fn configs() -> [BakeConfig; 5] {
    let best = BakeConfig::default();
    [
        best.clone(),
        BakeConfig { decomposition: Decomposition::Thesis, ..best.clone() },
        BakeConfig { convex_distance: 0.3, ..best.clone() },
        BakeConfig { convex_distance: 100.0, ..best.clone() },
        BakeConfig { shape: 0.7, ..best },
    ]
}

#[test]
fn random_surfaces_keep_their_area_and_their_components() {
    for seed in 0..150 {
        let (layers, size) = (1 + seed as usize % 4, 3 + seed as i32 % 9);
        let surface =
            Surface::random(seed, layers, size, 0.45 + 0.05 * (seed % 9) as f64, 1 + seed as u8 % 3);
        let plan = surface.plan(|(layer, x, y)| layer as f64 * 3.0 + 0.1 * f64::from(x * y));
        for config in configs() {
            println!("seed {seed}, {config:?}");
            if surface.winds_between_two_points() {
                continue;
            }
            let mesh = baked(&plan, &config);
            assert_eq!(mesh.area().round() as usize, surface.squares.len());
            assert_eq!(mesh.component_count(), surface.component_count(), "seed {seed}, {config:?}");
        }
    }
}

#[test]
fn cutting_a_plan_into_layers_changes_no_path() {
    for seed in 0..12 {
        let whole = Surface::random(seed, 1, 12, 0.72, 1);
        let rows = whole.in_rows(|y| (y / 2 % 3) as usize);
        let (whole_plan, rows_plan) = (whole.plan(|_| 0.0), rows.plan(|_| 0.0));
        let (whole_mesh, rows_mesh) =
            (baked(&whole_plan, &BakeConfig::default()), baked(&rows_plan, &BakeConfig::default()));
        assert_eq!(rows_mesh.component_count(), whole_mesh.component_count());
        assert!(rows_mesh.raw().storeys.iter().all(|&storey| storey == 0), "nothing lies over anything");
        let (few, many) = (whole_mesh.cell_count(), rows_mesh.cell_count());
        assert!(many.abs_diff(few) * 10 <= few, "{few} cells in one layer, {many} in three");
        let (one, three) = (PathFinder::new(&whole_mesh), PathFinder::new(&rows_mesh));
        let places: Vec<DVec3> = whole.squares.keys().step_by(5).map(centre).collect();
        for (from, to) in places.iter().flat_map(|from| places.iter().map(move |to| (*from, *to))) {
            let [expected, found] = [length(&one, from, to), length(&three, from, to)];
            match (expected, found) {
                (Some(expected), Some(found)) => {
                    assert!((expected - found).abs() < 1e-9, "{expected} {found}")
                }
                _ => assert_eq!(expected, found),
            }
        }
    }
}
