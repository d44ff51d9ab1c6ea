//! Plans with several layers and with tags: stairs, spirals, and surfaces of squares at random, against oracles.

mod pixel_surface;

use pixel_surface::{Square, Surface};
use wayfare_bake::{BakeConfig, Decomposition, bake};
use wayfare_core::{Context, DVec3};
use wayfare_floor::FloorPlan;
use wayfare_navmesh::{LocateConfig, NavMesh, PathFinder, PathScratch};
use wayfare_testkit::independent_check;
use wayfare_view::export::mesh_to_json;

fn baked(plan: &FloorPlan, config: &BakeConfig) -> NavMesh {
    assert_eq!(plan.check(), []);
    let mesh = bake(plan, config, &Context::default()).expect("the plan can be baked");
    let defects = mesh.check();
    assert!(defects.is_empty(), "{config:?}: {defects:?}");
    let (cells, ground) = (mesh.area(), plan.area());
    let found = independent_check(&mesh_to_json(&mesh), Some(ground));
    assert!(found.is_empty(), "{config:?}: {found:?}");
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
                // Edges on several sheets between the same two vertices cannot be told apart (docs/decomposition.md). Such
                // a plan is refused, or baked with the right area; its heights may be those of the other sheet, which is
                // a known defect (N8), so nothing more is asked of it here.
                if let Ok(mesh) = bake(&plan, &config, &Context::default()) {
                    assert_eq!(mesh.area().round() as usize, surface.squares.len());
                }
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

/// The height of a place on a spiral that rises 4 m with each turn; its first layer is `first`.
fn spiral_height(first: usize, (layer, x, y): Square) -> f64 {
    let (turn, is_upper) = ((layer - first) / 2, (layer - first) % 2 == 1);
    let angle = f64::from(y).atan2(f64::from(x)) / std::f64::consts::TAU;
    // From half a turn to a whole one in the lower half, from none to half in the upper one.
    let part = match (is_upper, angle < 0.0 || y == 0 && x > 0) {
        (false, true) => angle + 0.5,
        (false, false) => 0.0,
        (true, _) => angle + 0.5,
    };
    4.0 * (turn as f64 + part)
}

#[test]
fn a_path_up_a_spiral_goes_round_its_pillar_on_every_turn() {
    let mut spiral = Surface::default();
    spiral.add_spiral(0, 5);
    let plan = spiral.plan(|square| spiral_height(0, square));
    for config in configs() {
        let mesh = baked(&plan, &config);
        assert_eq!(mesh.component_count(), 1);
        let finder = PathFinder::new(&mesh);
        // In the middle of the pillar's lower side, one over the other; a turn is the length of all four sides.
        let place = |turn: f64| DVec3::new(0.0, -1.0, 4.0 * turn + 1.0);
        for turns in 0..5 {
            let found = length(&finder, place(0.0), place(f64::from(turns)));
            assert!(
                found.is_some_and(|found| (found - 8.0 * f64::from(turns)).abs() < 1e-9),
                "{turns}: {found:?}"
            );
        }
        let storeys = mesh.raw().storeys.iter().max();
        assert!(storeys.is_some_and(|&storeys| (4..=6).contains(&storeys)), "{storeys:?}");
    }
}

#[test]
fn two_ramps_in_one_stairwell_do_not_meet() {
    let mut ramps = Surface::default();
    ramps.add_spiral(0, 3);
    ramps.add_spiral(6, 3);
    // The second starts half a storey higher.
    let plan = ramps.plan(|square| match square.0 {
        0..6 => spiral_height(0, square),
        _ => 2.0 + spiral_height(6, square),
    });
    let mesh = baked(&plan, &BakeConfig::default());
    assert_eq!((mesh.component_count(), ramps.component_count()), (2, 2));
}

#[test]
fn level_floors_joined_by_a_ramp_get_ground() {
    // A floor, a ramp up in another layer, and a floor over the first.
    let mut stairs = Surface::default();
    for x in 0..6 {
        stairs.squares.insert((0, x, 0), 0);
        stairs.squares.insert((2, x, 0), 0);
        stairs.squares.insert((2, x, 1), 0);
    }
    for y in 1..4 {
        stairs.squares.insert((1, 0, y), 0);
    }
    for x in 1..3 {
        stairs.squares.insert((1, x, 3), 0);
    }
    stairs.squares.insert((2, 2, 2), 0);
    assert!(stairs.try_seam((0, 0, 0), 1) && stairs.try_seam((2, 2, 2), 1));
    let mut plan = stairs.plan(|(layer, x, y)| match (layer, x, y) {
        (0, ..) | (1, 0 | 1, 1) => 0.0,
        (2, ..) | (1, 2 | 3, 3) => 3.0,
        (1, x, y) => 0.5 * f64::from(x + y - 1).min(6.0),
        _ => 0.0,
    });
    let with_ground = baked(&plan, &BakeConfig::default());
    assert_eq!(with_ground.component_count(), 1);
    // Level regions need not bring triangles.
    let level = |plan: &FloorPlan, layer: usize| {
        let ring = &plan.layers[layer].regions[0].outer;
        ring.vertices.iter().all(|&v| plan.vertices[v].z == plan.vertices[ring.vertices[0]].z)
    };
    for layer in [0, 2] {
        assert!(level(&plan, layer));
        plan.layers[layer].regions[0].ground.clear();
    }
    let without = baked(&plan, &BakeConfig::default());
    assert_eq!(without.component_count(), 1);
    assert_eq!(without.cell_count(), with_ground.cell_count());
    assert!(without.cells().all(|cell| !without.ground_list(cell).is_empty()));
    for &(layer, x, y) in stairs.squares.keys() {
        let p = centre(&(layer, x, y)).truncate();
        let heights = |mesh: &NavMesh| {
            let mut heights: Vec<f64> =
                mesh.cells_at(p, -1.0..=9.0).map(|cell| mesh.height(cell, p)).collect();
            heights.sort_by(f64::total_cmp);
            heights
        };
        let [a, b] = [heights(&with_ground), heights(&without)];
        assert!(
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9),
            "{p}: {a:?} {b:?}"
        );
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for seed in [4, 7, 11] {
        let surface = Surface::random(seed, 3, 14, 0.7, 3);
        let plan = surface.plan(|(layer, x, y)| 3.0 * layer as f64 + 0.1 * f64::from(x * y));
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                bake(&plan, &BakeConfig::default(), &Context::default()).expect("a valid plan").to_bytes()
            })
        };
        let one = run(1);
        assert!(one == run(2) && one == run(7), "seed {seed}");
    }
}
