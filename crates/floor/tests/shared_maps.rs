//! Real maps: they read, build, pass the check, and have the area that counting gives.

use wayfare_core::Context;
use wayfare_floor::{FloorPlan, build_plan};
use wayfare_scene::{PlanOptions, read_plan};
use wayfare_testkit::data::{MapKind, SharedMap, maps, read_text};

fn build(map: &SharedMap) -> FloorPlan {
    let source = read_plan(&map.path, &PlanOptions::default()).unwrap();
    let (plan, repair) = build_plan(&source, &Context::default()).unwrap();
    assert_eq!(plan.check(), [], "{}", map.name);
    if map.kind != MapKind::Plan {
        assert!(repair.is_empty(), "{}: {repair}", map.name);
    }
    plan
}

#[test]
fn grid_maps_have_the_area_of_their_passable_squares() {
    for map in
        maps().iter().filter(|map| matches!(map.kind, MapKind::Game | MapKind::City | MapKind::Synthetic))
    {
        let text = read_text(&map.path).unwrap();
        let squares: String = text.lines().skip_while(|line| *line != "map").skip(1).collect();
        let passable = squares.bytes().filter(|square| b".GS".contains(square)).count();
        assert_eq!(build(map).area(), passable as f64, "{}", map.name);
    }
}

#[test]
fn real_plans_keep_all_their_ground() {
    for map in maps().iter().filter(|map| map.kind == MapKind::Plan) {
        if map.name == "buildings_outline" {
            let error = read_plan(&map.path, &PlanOptions::default()).unwrap_err().to_string();
            assert!(error.contains("line 1, column 1: MULTIPOINT has no area"), "{error}");
            continue;
        }
        let source = read_plan(&map.path, &PlanOptions::default()).unwrap();
        let given: f64 = source.polygons.iter().map(|polygon| polygon.area()).sum();
        let plan = build(map);
        assert!((plan.area() - given).abs() <= 1e-12 * given, "{}: {} of {given}", map.name, plan.area());
    }
}

#[test]
fn occupancy_maps_keep_all_their_free_pixels() {
    for map in maps().iter().filter(|map| map.kind == MapKind::Occupancy) {
        let source = read_plan(&map.path, &PlanOptions::default()).unwrap();
        let given: f64 = source.polygons.iter().map(|polygon| polygon.area()).sum();
        let plan = build(map);
        assert!((plan.area() - given).abs() <= 1e-9 * given, "{}: {} of {given}", map.name, plan.area());
    }
}
