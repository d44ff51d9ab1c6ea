//! The meshes that are compared, and how each side loads them.

use std::{
    error::Error,
    time::{Duration, Instant},
};
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::{Context, DVec3};
use wayfare_floor::build_plan;
use wayfare_navmesh::{Accelerator, NavMesh};
use wayfare_scene::PlanSource;
use wayfare_testkit::{PlainMesh, TestPlan, data};

/// A mesh with its queries.
pub struct Case {
    pub name: &'static str,
    /// Files in the folder of meshes.
    pub mesh: &'static str,
    pub queries: &'static str,
    /// How many turns everybody has, and how many times all queries are timed in each.
    pub passes: [usize; 2],
    /// One query in so many is checked by testkit's search: all on the meshes that are judged.
    pub oracle_step: usize,
    /// The part of the crate's mean time that ours may take, where one is asked for.
    pub asked: Option<f64>,
}

pub const CASES: [Case; 4] = [
    Case {
        name: "arena-merged",
        mesh: "arena/arena-merged.mesh",
        queries: "arena/arena.scen",
        passes: [20, 5],
        oracle_step: 1,
        asked: Some(1.0 / 2.0),
    },
    Case {
        name: "aurora-merged",
        mesh: "aurora/aurora-merged.mesh.gz",
        queries: "aurora/aurora.scen.gz",
        passes: [3, 1],
        oracle_step: 1,
        asked: Some(1.0 / 20.0),
    },
    Case {
        name: "arena",
        mesh: "arena/arena.mesh",
        queries: "arena/arena.scen",
        passes: [20, 5],
        oracle_step: 1,
        asked: None,
    },
    Case {
        name: "aurora",
        mesh: "aurora/aurora.mesh.gz",
        queries: "aurora/aurora.scen.gz",
        passes: [2, 1],
        oracle_step: 10,
        asked: None,
    },
];

/// Start and goal, as each side wants them.
pub struct Query {
    pub ends: [DVec3; 2],
    pub flat: [glam::Vec2; 2],
}

/// A mesh of ours, with its graph if it is large enough for one.
pub struct Made {
    pub mesh: NavMesh,
    /// Time to import it or to cut it into cells, without the graph.
    pub made: Duration,
    pub accelerated: Duration,
}

/// The queries of a `.scen` file: corners of squares, which `f32` holds exactly.
pub fn queries(text: &str) -> Result<Vec<Query>, String> {
    let query = |corners: [wayfare_core::DVec2; 2]| Query {
        ends: corners.map(|p| p.extend(0.0)),
        flat: corners.map(|p| glam::Vec2::new(p.x as f32, p.y as f32)),
    };
    Ok(data::parse_scen(text)?.iter().map(|line| query(line.corners())).collect())
}

/// The crate's mesh, with all that it can prepare.
pub fn load_theirs(text: &str) -> Result<(polyanya::Mesh, Duration), Box<dyn Error>> {
    let (loaded, time) = timed(|| {
        let mut mesh: polyanya::Mesh = polyanya::PolyanyaFile::from_bytes(text.as_bytes()).try_into()?;
        mesh.bake();
        Ok::<_, polyanya::MeshError>(mesh)
    });
    Ok((loaded.map_err(|error| format!("the crate cannot read it: {error:?}"))?, time))
}

/// The same cells as a mesh of ours.
pub fn import(text: &str) -> Result<Made, Box<dyn Error>> {
    let (mesh, made) = timed(|| NavMesh::import_polyanya(text.as_bytes()));
    Ok(accelerate(mesh?, made))
}

/// The outlines of the same ground, cut into cells by us. Points at which an outline goes straight on are the
/// given cells', not the ground's.
pub fn bake_outlines(text: &str) -> Result<Made, Box<dyn Error>> {
    let outlines = PlainMesh::parse(text)?.boundary().without_straight_points();
    let source = PlanSource::from_polygons(TestPlan::of_rings("outlines", &outlines).polygons);
    let context = Context::default();
    let (plan, _) = build_plan(&source, &context)?;
    let (mesh, made) = timed(|| bake(&plan, &BakeConfig::default(), &context));
    Ok(accelerate(mesh?, made))
}

fn accelerate(mut mesh: NavMesh, made: Duration) -> Made {
    let (accelerator, accelerated) = timed(|| Accelerator::build(&mesh));
    mesh.set_accelerator(accelerator);
    Made { mesh, made, accelerated }
}

/// What a function returns, and how long it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let result = work();
    (result, began.elapsed())
}
