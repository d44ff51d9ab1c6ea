//! Exact bakes that try what helps, in the order of what it costs: the library's, with cells and clearance that fail on purpose.

use std::cell::Cell;
use wayfare_bake::{
    BakeConfig, BakeError, ExactBake, ExactMesh, Unsettled, add_clearance, bake, bake_exact, build_clearance,
};
use wayfare_core::{Cancelled, Context, DVec2, dvec2, dvec3};
use wayfare_floor::{FloorPlan, GroundConfig, Method, PlanError, exact::plan_exact};
use wayfare_geom::TriangleMesh;
use wayfare_navmesh::NavMesh;
use wayfare_scene::{Scene, generated::scene_by_name};

fn ground() -> GroundConfig {
    GroundConfig { method: Method::Exact, ..GroundConfig::default() }
}

/// Three level squares of 4 m in a row with slots of 0.2 m between them.
fn three_slabs() -> Scene {
    let mut mesh = TriangleMesh::default();
    for k in 0..3 {
        let (x, first) = (4.2 * f64::from(k), mesh.vertices.len() as u32);
        mesh.vertices.extend([
            dvec3(x, 0.0, 0.0),
            dvec3(x + 4.0, 0.0, 0.0),
            dvec3(x + 4.0, 4.0, 0.0),
            dvec3(x, 4.0, 0.0),
        ]);
        mesh.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|v| first + v)));
    }
    Scene::from_mesh(mesh)
}

fn make(
    scene: &Scene,
    cut: impl Fn(&FloorPlan) -> Result<NavMesh, BakeError>,
    clear: impl Fn(&mut NavMesh) -> Result<Option<Unsettled>, Cancelled>,
) -> Result<ExactMesh, PlanError> {
    let (ground, context) = (ground(), Context::default());
    ExactBake { scene, ground: &ground, context: &context, cut, clear }.make()
}

fn cut(plan: &FloorPlan) -> Result<NavMesh, BakeError> {
    bake(plan, &BakeConfig::default(), &Context::default())
}

fn gap_near(mesh: &NavMesh, at: DVec2) -> bool {
    mesh.cells().any(|cell| {
        mesh.gap(cell).is_some() && mesh.cell_points(cell).any(|p| (p - at).abs().max_element() < 2.5)
    })
}

#[test]
fn a_clean_scene_is_baked_once_as_by_hand() {
    for name in ["terrace-house", "town-house", "platforms"] {
        let scene = scene_by_name(name).unwrap();
        let made = bake_exact(&scene, &ground(), &BakeConfig::default(), &Context::default()).unwrap();
        assert_eq!((made.note, made.defects, made.unsettled.is_none()), (None, 0, true), "{name}");
        let plan = plan_exact(&scene, &ground(), &Context::default()).unwrap().plan;
        let mut mesh = cut(&plan).unwrap();
        mesh.set_clearance(Some(build_clearance(&mesh, &Context::default()).unwrap()));
        assert_eq!(made.planned.plan, plan, "{name}");
        assert_eq!(made.mesh.to_bytes(), mesh.to_bytes(), "{name}");
        assert!(mesh.gap_count() + mesh.riser_count() > 0, "{name}");
    }
}

#[test]
fn what_fails_on_one_grid_is_tried_on_the_next_coarser() {
    let tries = Cell::new(0);
    let clear = |mesh: &mut NavMesh| {
        tries.set(tries.get() + 1);
        if tries.get() < 3 {
            return Ok(Some(Unsettled { words: "made up".into(), at: None }));
        }
        add_clearance(mesh, &Context::default())
    };
    let made = make(&three_slabs(), cut, clear).unwrap();
    assert_eq!((made.defects, made.unsettled.is_none(), tries.get()), (0, true, 3));
    // The second of the coarser grids, 2⁻²⁴ m.
    assert_eq!(made.note.as_deref(), Some("places are rounded to 0.060 µm; otherwise made up"));
    assert_eq!(made.mesh.gap_count(), 2);
}

#[test]
fn only_the_gap_that_is_in_the_way_is_left_out() {
    let at = dvec2(4.1, 2.0);
    let clear = |mesh: &mut NavMesh| match gap_near(mesh, at) {
        true => Ok(Some(Unsettled { words: "made up".into(), at: Some(at) })),
        false => add_clearance(mesh, &Context::default()),
    };
    let made = make(&three_slabs(), cut, clear).unwrap();
    assert_eq!(made.note.as_deref(), Some("1 of 2 gaps are left out; otherwise made up"));
    assert!(made.mesh.gap_count() == 1 && !gap_near(&made.mesh, at) && made.unsettled.is_none());
}

#[test]
fn where_nothing_helps_the_mesh_comes_without_clearance_and_says_why() {
    let clear = |_: &mut NavMesh| Ok(Some(Unsettled { words: "made up".into(), at: None }));
    let made = make(&three_slabs(), cut, clear).unwrap();
    assert_eq!((made.note, made.defects), (None, 0));
    assert_eq!(made.unsettled.map(|why| why.words).as_deref(), Some("made up"));
    assert_eq!(made.mesh.gap_count(), 2);
}

#[test]
fn ground_that_cannot_be_cut_into_cells_is_refused_with_the_reason() {
    let plan = plan_exact(&three_slabs(), &ground(), &Context::default()).unwrap().plan;
    let wrong = BakeConfig { convex_distance: -1.0, ..BakeConfig::default() };
    let reason = bake(&plan, &wrong, &Context::default()).unwrap_err().to_string();
    let made = make(
        &three_slabs(),
        |plan| bake(plan, &wrong, &Context::default()),
        |mesh| add_clearance(mesh, &Context::default()),
    );
    assert!(matches!(made, Err(PlanError::Unusable { reason: found }) if found == reason));
}
