//! Bakes that are stopped end soon, however much there is to do.

use wayfare_core::{CancelFlag, Context, DVec3};
use wayfare_floor::{GroundConfig, PlanError, plan_scene};
use wayfare_geom::TriangleMesh;
use wayfare_scene::Scene;

#[test]
fn a_bake_that_is_stopped_draws_no_more_rows() {
    // A slope of 16 km by 16 km: each of its 25 thousand million pixels is a fragment, and to draw them takes minutes.
    let mut mesh = TriangleMesh::default();
    let corners = [[0., 0., 0.], [16e3, 0., 0.], [16e3, 16e3, 4e3], [0., 16e3, 4e3]];
    mesh.vertices.extend(corners.map(DVec3::from));
    mesh.triangles.extend([[0, 1, 2], [0, 2, 3]]);
    let flag = CancelFlag::default();
    flag.cancel();
    let stopped = plan_scene(&Scene::from_mesh(mesh), &GroundConfig::default(), &Context::new(None, flag));
    assert!(matches!(stopped, Err(PlanError::Cancelled(_))));
}
