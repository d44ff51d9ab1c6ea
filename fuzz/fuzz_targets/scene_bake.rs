//! Any triangles become a floor plan and a mesh that hold all that they promise, or there is nothing to walk on.
//!
//! The first bytes choose the body, the pixels and the pipeline; then every nine bytes are a triangle on a small lattice,
//! so that faces touch, lie on each other and cross as often as can be.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_floor::{Faces, GroundConfig, LayerMode, Pipeline, PlanError, plan_scene};
use wayfare_geom::{TriangleMesh, are_collinear};
use wayfare_scene::Scene;

/// Triangles at most.
const MOST: usize = 2000;

fuzz_target!(|data: &[u8]| {
    let Some((&[body, pixel, kind], data)) = data.split_first_chunk() else { return };
    let height = 0.5 + f64::from(body & 15) / 4.0;
    let config = GroundConfig {
        height,
        step: height * f64::from(body >> 4) / 17.0,
        resolution: 0.1 + f64::from(pixel & 15) / 20.0,
        simplify: f64::from(pixel >> 4) / 20.0,
        min_area: if kind & 1 == 0 { 0.0 } else { 0.3 },
        pipeline: if kind & 2 == 0 { Pipeline::Columns } else { Pipeline::Thesis },
        faces: if body & 9 == 9 { Faces::Front } else { Faces::Both },
        layer_mode: if kind & 12 == 12 { LayerMode::Single } else { LayerMode::Many },
        ..GroundConfig::default()
    };
    let coarse = if kind & 16 == 0 { 0.25 } else { 0.1 };
    let scene = soup(data, coarse, (kind >> 5) + 1);
    let plan = match plan_scene(&scene, &config, &Context::default()) {
        Ok(planned) => planned.plan,
        Err(PlanError::NothingWalkable { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(plan.check(), []);
    match bake(&plan, &BakeConfig::default(), &Context::default()) {
        Ok(mesh) => {
            assert_eq!(mesh.check(), []);
            assert!((mesh.area() - plan.area()).abs() <= 1e-6 * plan.area());
        }
        Err(error) => panic!("{error}"),
    }
});

fn soup(data: &[u8], unit: f64, tags: u8) -> Scene {
    let point = |p: &[u8]| dvec3(f64::from(p[0] & 63), f64::from(p[1] & 63), f64::from(p[2] & 31)) * unit;
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    let mut kinds = Vec::new();
    for bytes in data.chunks_exact(9).take(MOST) {
        let corners: [DVec3; 3] = [0, 3, 6].map(|k| point(&bytes[k..k + 3]));
        if are_collinear(corners[0], corners[1], corners[2]) {
            continue;
        }
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners);
        mesh.triangles.push([first, first + 1, first + 2]);
        kinds.push((bytes[0] >> 6) % tags);
    }
    let mut scene = Scene::from_mesh(mesh);
    scene.tags = kinds;
    scene.tag_names = (0..tags).map(|tag| format!("tag {tag}")).collect();
    scene
}
