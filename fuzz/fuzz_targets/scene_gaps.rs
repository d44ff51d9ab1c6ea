//! Any triangles become a walkable surface and gaps that hold all that they promise, or there is nothing to walk on.
//!
//! The first bytes choose the body; then every nine bytes are a triangle on a small lattice, so that faces touch, lie on each
//! other and cross as often as can be.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_floor::{
    GroundConfig, PlanError,
    exact::find_surface,
    gaps::{Face, GapConfig, find_gaps},
};
use wayfare_geom::{TriangleMesh, are_collinear};
use wayfare_scene::Scene;

/// Triangles at most.
const MOST: usize = 500;

fuzz_target!(|data: &[u8]| {
    let Some((&[body, reach], data)) = data.split_first_chunk() else { return };
    let height = 1.0 + f64::from(body & 15) / 8.0;
    let ground = GroundConfig { height, step: height * f64::from(body >> 4) / 48.0, min_area: 0.0, ..GroundConfig::default() };
    let config = GapConfig::of_ground(height * f64::from(reach & 15) / 48.0, &ground);
    if config.check().is_err() {
        return;
    }
    let scene = soup(data, if reach & 16 == 0 { 0.25 } else { 0.1 });
    let surface = match find_surface(&scene, &ground, &Context::default()) {
        Ok((surface, _)) => surface,
        Err(PlanError::NothingWalkable { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    let found = find_gaps(&surface, &scene.mesh, &config, &Context::default()).expect("nobody stops it");
    assert_eq!(found.check(config.max_gap, config.step), Vec::<String>::new());
    assert!(found.report.components_after <= found.report.components_before);
    let is_ground = |t: &usize| matches!(found.faces[*t], Face::Ground(_));
    let area = |t: usize| {
        let [a, b, c] = found.points(t).map(|p| p.truncate());
        (b - a).perp_dot(c - a) / 2.0
    };
    let ground: f64 = (0..found.triangles.len()).filter(is_ground).map(area).sum();
    assert!((ground - surface.area()).abs() <= 1e-9 * (1.0 + surface.area()));
});

fn soup(data: &[u8], unit: f64) -> Scene {
    let point = |p: &[u8]| dvec3(f64::from(p[0] & 31), f64::from(p[1] & 31), f64::from(p[2] & 15)) * unit;
    let mut mesh = TriangleMesh::default();
    for bytes in data.chunks_exact(9).take(MOST) {
        let corners: [DVec3; 3] = [0, 3, 6].map(|k| point(&bytes[k..k + 3]));
        if !are_collinear(corners[0], corners[1], corners[2]) {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(corners);
            mesh.triangles.push([first, first + 1, first + 2]);
        }
    }
    Scene::from_mesh(mesh)
}
