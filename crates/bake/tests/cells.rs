//! What a decomposition must give, whatever the plan: counts known by hand, and invariants on plans made to break
//! it.

use wayfare_bake::{BakeConfig, BakeError, Decomposition, bake};
use wayfare_core::{CancelFlag, Context, DVec2, dvec2};
use wayfare_floor::{FloorPlan, build_plan};
use wayfare_geom::Polygon;
use wayfare_navmesh::NavMesh;
use wayfare_scene::{PlanSource, generated};
use wayfare_testkit::{TestPlan, generators, zoo};

fn ring(points: &[(f64, f64)]) -> Vec<DVec2> {
    points.iter().map(|&(x, y)| dvec2(x, y)).collect()
}

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Vec<DVec2> {
    ring(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
}

fn plan_of(polygons: Vec<Polygon>) -> FloorPlan {
    build_plan(&PlanSource::from_polygons(polygons), &Context::default()).expect("the plan can be used").0
}

fn baked(plan: &FloorPlan, config: &BakeConfig) -> NavMesh {
    let mesh = bake(plan, config, &Context::default()).expect("the plan can be baked");
    assert_eq!(mesh.check(), [], "{config:?}");
    let (cells, ground) = (mesh.area(), plan.area());
    assert!(
        (cells - ground).abs() <= 1e-9 * ground,
        "{config:?}: {cells} m² of cells, {ground} m² of ground"
    );
    mesh
}

fn count(outer: Vec<DVec2>, holes: Vec<Vec<DVec2>>, config: &BakeConfig) -> usize {
    baked(&plan_of(vec![Polygon { outer, holes }]), config).cell_count()
}

const THESIS: BakeConfig =
    BakeConfig { decomposition: Decomposition::Thesis, convex_distance: 0.0, shape: 0.0 };

#[test]
fn a_convex_room_is_one_cell_and_a_notch_makes_two() {
    let best = BakeConfig::default();
    assert_eq!(count(rectangle(0., 0., 4., 3.), vec![], &best), 1);
    let corner = ring(&[(0., 0.), (4., 0.), (4., 2.), (2., 2.), (2., 5.), (0., 5.)]);
    assert_eq!(count(corner.clone(), vec![], &best), 2);
    assert_eq!(count(corner, vec![], &THESIS), 2);
}

#[test]
fn two_notches_that_face_each_other_share_a_portal() {
    let plus =
        [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)];
    let plus = plus.map(|(x, y)| dvec2(f64::from(x), f64::from(y))).to_vec();
    // The lower bound: ⌈4 / 2⌉ + 1 − 0.
    assert_eq!(count(plus, vec![], &BakeConfig::default()), 3);
}

#[test]
fn a_square_pillar_in_a_square_room_needs_four_cells() {
    // The bound ⌈4 / 2⌉ + 1 − 1 = 2 is not reached: no two of its notches see each other.
    for config in [BakeConfig::default(), THESIS] {
        let mut pillar = rectangle(4., 4., 1., 1.);
        pillar.reverse();
        assert_eq!(count(rectangle(0., 0., 9., 9.), vec![pillar], &config), 4);
    }
}

#[test]
fn a_portal_to_a_wall_splits_it_at_the_nearest_point() {
    let corner = ring(&[(0., 0.), (20., 0.), (20., 1.), (9., 1.), (9., 30.), (0., 30.)]);
    let mesh = baked(&plan_of(vec![Polygon::new(corner)]), &BakeConfig::default());
    let split: Vec<DVec2> = mesh.vertices().filter(|&v| mesh.is_split_point(v)).map(|v| mesh.xy(v)).collect();
    assert_eq!((mesh.cell_count(), split), (2, vec![dvec2(9., 0.)]));
}

#[test]
fn shallow_notches_of_a_round_pillar_are_ignored_up_to_the_distance() {
    let plan = plan_of(zoo::round_pillar(64).polygons);
    let strict = baked(&plan, &BakeConfig::default());
    let mut last = strict.cell_count();
    for distance in [0.01, 0.1, 0.5] {
        let mesh = baked(&plan, &BakeConfig { convex_distance: distance, ..BakeConfig::default() });
        assert!(mesh.cell_count() <= last, "{} cells at {distance} m, {last} before", mesh.cell_count());
        last = mesh.cell_count();
        assert_eq!(mesh.facts().notches, strict.facts().notches, "the plan is the same");
    }
    assert!(last * 3 < strict.cell_count(), "{last} of {}", strict.cell_count());
}

/// The plans that every way of cutting must survive.
fn plans() -> Vec<TestPlan> {
    let mut plans = zoo::all();
    plans.extend(generators::mixed(7, 40, 200));
    plans
}

#[test]
fn every_way_of_cutting_gives_a_valid_mesh_of_the_same_ground() {
    let relaxed = |convex_distance| BakeConfig { convex_distance, ..BakeConfig::default() };
    let shaped = |shape| BakeConfig { shape, ..BakeConfig::default() };
    let configs = [
        BakeConfig::default(),
        THESIS,
        relaxed(0.01),
        relaxed(0.3),
        relaxed(100.0),
        shaped(0.3),
        shaped(1.0),
    ];
    let mut totals = [0; 7];
    for plan in plans() {
        println!("{}", plan.name);
        let floor = plan_of(plan.polygons);
        for (total, config) in totals.iter_mut().zip(&configs) {
            let mesh = baked(&floor, config);
            assert!(mesh.cell_count() >= floor.layers.iter().map(|layer| layer.regions.len()).sum());
            *total += mesh.cell_count();
        }
    }
    let [best, thesis, slightly, more, most, shaped, _] = totals;
    assert!(best < thesis && slightly <= best && more < slightly && most < more, "{totals:?}");
    assert!(best <= shaped, "{totals:?}");
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for plan in [generators::rooms(3, 6, 5), generators::squares(5, 40, 0.3)] {
        let floor = plan_of(plan.polygons);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| baked(&floor, &BakeConfig::default()).raw().clone())
        };
        let one = run(1);
        assert!(one == run(2) && one == run(7), "{}", plan.name);
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let plan = plan_of(vec![Polygon::new(rectangle(0., 0., 1., 1.))]);
    for config in [
        BakeConfig { convex_distance: -1.0, ..BakeConfig::default() },
        BakeConfig { convex_distance: f64::NAN, ..BakeConfig::default() },
        BakeConfig { shape: 1.5, ..BakeConfig::default() },
    ] {
        assert!(bake(&plan, &config, &Context::default()).is_err(), "{config:?}");
    }
}

#[test]
fn a_cancelled_bake_stops() {
    let flag = CancelFlag::default();
    flag.cancel();
    let plan = plan_of(vec![Polygon::new(rectangle(0., 0., 1., 1.))]);
    let stopped = bake(&plan, &BakeConfig::default(), &Context::new(None, flag));
    assert!(matches!(stopped, Err(BakeError::Cancelled(_))));
}

#[test]
fn fine_walls_across_open_ground_end_soon() {
    // Work that grew with the square of these numbers took minutes.
    for source in [generated::sawtooth(20_000), generated::fine_column(20_000)] {
        let plan = build_plan(&source, &Context::default()).expect("a clean plan").0;
        for convex_distance in [0.0, 0.05] {
            baked(&plan, &BakeConfig { convex_distance, ..BakeConfig::default() });
        }
    }
}
