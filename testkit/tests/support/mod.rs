//! From the testkit's types to the product's and back, for the integration tests.

pub mod over_ground;

use rayon::prelude::*;
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec2};
use wayfare_floor::{FloorPlan, build_plan};
use wayfare_navmesh::{LocateConfig, NavMesh, NoPath, PathFinder, PathScratch, RawNavMesh};
use wayfare_scene::PlanSource;
use wayfare_testkit::{PlainMesh, Rings, TestPlan, hertel_mehlhorn};

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

/// A mesh with its clearance.
pub fn with_clearance(mut mesh: NavMesh, name: &str) -> NavMesh {
    let clearance =
        build_clearance(&mesh, &Context::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    mesh.set_clearance(Some(clearance));
    mesh
}

/// A plan cut into cells in different ways, relaxed by parts of its size and by Hertel and Mehlhorn, each with its clearance.
pub fn cut_in_ways(plan: &TestPlan, relaxed: &[f64]) -> Vec<(String, NavMesh)> {
    let floor = floor_plan(plan);
    let rings = rings(&floor);
    let size = rings.area().sqrt();
    let relaxed = relaxed.iter().map(|&part| (format!("relaxed by {part}"), baked(&floor, part * size)));
    let cells = hertel_mehlhorn(&rings).unwrap_or_else(|error| panic!("{}: {error}", plan.name));
    let ways = relaxed.chain([("Hertel–Mehlhorn".to_owned(), navmesh(&cells))]);
    let build = |(cells, mesh): (String, NavMesh)| {
        let name = format!("{}, {cells}", plan.name);
        let mesh = with_clearance(mesh, &name);
        (name, mesh)
    };
    ways.map(build).collect()
}

/// The defects of a mesh by its own checker and by the independent one.
pub fn defects(mesh: &NavMesh, plan_area: f64) -> Vec<String> {
    let own = mesh.check().into_iter().map(|defect| defect.to_string());
    let json = wayfare_view::export::mesh_to_json(mesh);
    own.chain(wayfare_testkit::independent_check(&json, Some(plan_area))).collect()
}

/// Length of the shortest path, nothing if there is none; an error if its points have another length or do not
/// join the ends. Ends are moved by a hair at most, where a point that splits a wall was rounded inwards.
pub fn path_length(
    finder: &PathFinder<&NavMesh>,
    [from, to]: [DVec2; 2],
    scratch: &mut PathScratch,
) -> Result<Option<f64>, String> {
    let config = LocateConfig { snap: 1e-9, ..LocateConfig::default() };
    let path = match finder.find(from.extend(0.0), to.extend(0.0), &config, scratch) {
        Ok(path) => path,
        Err(NoPath::Unreachable { .. }) => return Ok(None),
        Err(error) => return Err(format!("{from} to {to}: {error}")),
    };
    let points: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
    let sum: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    if (sum - path.plan_length).abs() > 1e-9 * sum {
        return Err(format!("{from} to {to}: length {} but {sum} along {points:?}", path.plan_length));
    }
    let joins = |p: Option<&DVec2>, end: DVec2| p.is_some_and(|p| p.distance(end) <= 1e-9);
    if !joins(points.first(), from) || !joins(points.last(), to) {
        return Err(format!("{from} to {to} are not joined by {points:?}"));
    }
    Ok(Some(path.plan_length))
}

/// Whether two lengths are equal to a relative error, or both missing.
pub fn agree(a: Option<f64>, b: Option<f64>, relative: f64) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= relative * b,
        (a, b) => a == b,
    }
}

/// Calls a function with every item on all cores and collects what it says, in order.
pub fn report<T: Sync>(items: &[T], check: impl Fn(&T) -> Vec<String> + Sync + Send) -> String {
    let lines: Vec<Vec<String>> = items.par_iter().map(check).collect();
    lines.concat().join("\n")
}
