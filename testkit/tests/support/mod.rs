//! From the testkit's types to the product's and back, for the integration tests.
#![expect(dead_code, reason = "every test file is a crate of its own and uses a part of this")]

use rayon::prelude::*;
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::Context;
use wayfare_floor::{FloorPlan, build_plan};
use wayfare_navmesh::{LocateConfig, NavMesh, NoPath, PathFinder, PathScratch, RawNavMesh};
use wayfare_scene::PlanSource;
use wayfare_testkit::{PlainMesh, Rings, TestPlan};

/// The floor plan of a test plan.
pub fn floor_plan(plan: &TestPlan) -> FloorPlan {
    let source = PlanSource::from_polygons(plan.polygons.clone());
    let built = build_plan(&source, &Context::default());
    built.unwrap_or_else(|error| panic!("{}: {error}", plan.name)).0
}

/// The boundary of a floor plan.
pub fn rings(plan: &FloorPlan) -> Rings {
    let regions = plan.layers.iter().flat_map(|layer| &layer.regions);
    let rings = regions.flat_map(|region| region.rings().map(|ring| plan.ring_points(ring)));
    Rings { rings: rings.collect() }
}

/// A bake with the given relaxation and all else by default.
pub fn baked(plan: &FloorPlan, convex_distance: f64) -> NavMesh {
    let config = BakeConfig { convex_distance, ..BakeConfig::default() };
    bake(plan, &config, &Context::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A navmesh of ready cells.
pub fn navmesh(mesh: &PlainMesh) -> NavMesh {
    let flat = mesh.flat();
    let count = mesh.polygons.len();
    let raw = RawNavMesh {
        vertices: flat.vertices.iter().map(|p| p.extend(0.0)).collect(),
        vertex_flags: vec![0; flat.vertices.len()],
        cell_starts: flat.cell_starts,
        corners: flat.corners,
        neighbours: flat.neighbours,
        tags: vec![0; count],
        tag_names: vec![String::new()],
        storeys: vec![0; count],
        ..RawNavMesh::default()
    };
    raw.validate().unwrap_or_else(|defects| panic!("{defects:?}"))
}

/// The defects of a mesh by its own checker and by the independent one.
pub fn defects(mesh: &NavMesh, plan_area: f64) -> Vec<String> {
    let own = mesh.check().into_iter().map(|defect| defect.to_string());
    let json = wayfare_view::export::mesh_to_json(mesh);
    own.chain(wayfare_testkit::independent_check(&json, Some(plan_area))).collect()
}

/// Length of the shortest path, nothing if there is none; ends are moved by a hair at most, where a point that
/// splits a wall was rounded to the inside of it.
pub fn path_length(
    finder: &PathFinder<&NavMesh>,
    [from, to]: [wayfare_core::DVec2; 2],
    scratch: &mut PathScratch,
) -> Option<f64> {
    let config = LocateConfig { snap: 1e-9, ..LocateConfig::default() };
    match finder.find(from.extend(0.0), to.extend(0.0), &config, scratch) {
        Ok(path) => {
            let sum: f64 = path.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            assert!((sum - path.plan_length).abs() <= 1e-9 * sum, "points of {from} to {to}: {path:?}");
            let ends = [(path.points.first(), from), (path.points.last(), to)];
            assert!(
                ends.iter().all(|(p, q)| p.is_some_and(|p| p.truncate().distance(*q) <= 1e-9)),
                "{path:?}"
            );
            Some(path.plan_length)
        }
        Err(NoPath::Unreachable { .. }) => None,
        Err(error) => panic!("{from} to {to}: {error}"),
    }
}

/// Calls a function with every item on all cores and collects what it says, in order.
pub fn report<T: Sync>(items: &[T], check: impl Fn(&T) -> Vec<String> + Sync + Send) -> String {
    let lines: Vec<Vec<String>> = items.par_iter().map(check).collect();
    lines.concat().join("\n")
}
