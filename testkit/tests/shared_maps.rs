//! All shared maps and plans bake into sound meshes with fewer cells than Hertel and Mehlhorn's.

use crate::support::{baked, defects, report, rings};
use wayfare_core::Context;
use wayfare_floor::build_plan;
use wayfare_navmesh::NavMesh;
use wayfare_scene::{PlanOptions, read_plan};
use wayfare_testkit::{
    data::{self, MapKind, SharedMap},
    hertel_mehlhorn,
};

/// Area of the passable squares of a grid map.
fn passable(map: &SharedMap) -> f64 {
    let text = data::read_text(&map.path).expect("a text file");
    let rows = text.lines().skip_while(|line| line.trim() != "map").skip(1);
    rows.flat_map(str::bytes).filter(|square| b".GS".contains(square)).count() as f64
}

fn check(map: &SharedMap, relaxations: &[f64]) -> Vec<String> {
    let source = read_plan(&map.path, &PlanOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let (plan, _) = build_plan(&source, &Context::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut found: Vec<String> = plan.check().iter().map(ToString::to_string).collect();
    if matches!(map.kind, MapKind::Game | MapKind::City | MapKind::Synthetic) && plan.area() != passable(map)
    {
        found.push(format!("the plan's area is {}, {} squares are passable", plan.area(), passable(map)));
    }
    let theirs = hertel_mehlhorn(&rings(&plan)).unwrap_or_else(|error| panic!("{}: {error}", map.name));
    for &relaxation in relaxations {
        let mesh = baked(&plan, relaxation);
        found.extend(defects(&mesh, plan.area()));
        if mesh.cell_count() > theirs.polygons.len() {
            let (ours, theirs) = (mesh.cell_count(), theirs.polygons.len());
            found.push(format!("{ours} cells at relaxation {relaxation}, Hertel and Mehlhorn {theirs}"));
        }
        let again = NavMesh::from_bytes(mesh.to_bytes()).unwrap_or_else(|error| panic!("{error}"));
        if again.raw() != mesh.raw() {
            found.push("the file read back differs".to_owned());
        }
    }
    found.into_iter().map(|line| format!("{}: {line}", map.name)).collect()
}

fn maps() -> Vec<SharedMap> {
    data::maps().into_iter().filter(|map| map.kind != MapKind::PolyMesh).collect()
}

#[test]
fn every_shared_map_bakes_into_a_sound_mesh_with_no_more_cells_than_hertel_mehlhorn() {
    assert_eq!(report(&maps(), |map| check(map, &[0.0])), "");
}

#[test]
fn every_shared_map_bakes_into_a_sound_relaxed_mesh() {
    assert_eq!(report(&maps(), |map| check(map, &[0.1, 0.5, 2.0])), "");
}

#[test]
fn every_shared_mesh_is_imported_and_sound() {
    let maps = data::maps_of(MapKind::PolyMesh);
    let found = report(&maps, |map| {
        let mesh = NavMesh::import_polyanya(&data::read_bytes(&map.path).expect("a file")).expect("a mesh");
        let area = mesh.area();
        defects(&mesh, area).into_iter().map(|line| format!("{}: {line}", map.name)).collect()
    });
    assert_eq!(found, "");
}

#[test]
fn a_file_of_points_is_refused_with_the_reason() {
    // Real data is never committed; its absence was said on standard error.
    let Some(root) = data::shared_data() else { return };
    let path = root.join("geometry2d/buildings_outline.wkt.gz");
    let error = read_plan(&path, &PlanOptions::default()).expect_err("no ground").to_string();
    assert!(error.contains("MULTIPOINT"), "{error}");
}
