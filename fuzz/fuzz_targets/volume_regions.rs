//! Any triangles and boxes leave free space in regions that hold all that they promise, by both methods, or nothing is free; files come
//! back as they were written, and bodies keep their radius from every triangle.
//!
//! The first bytes choose the method, the body and the numbers: a small lattice, on which faces touch, lie on each other and cross as
//! often as can be, or thirds of it, which are rounded. Then every nine bytes are a triangle, or six of them a box.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_geom::{TriangleMesh, are_collinear};
use wayfare_scene::Scene;
use wayfare_volume::{
    FlyFinder, FlyScratch, GrowthConfig, VolumeConfig, VolumeError, VolumeMesh, growth, partition,
};

/// Pieces of input at most.
const MOST: usize = 40;

fuzz_target!(|data: &[u8]| {
    let Some((&[choice, body], data)) = data.split_first_chunk() else { return };
    let scene = pieces(data, choice);
    let config = VolumeConfig {
        radius: f64::from(body & 7) / 16.0,
        bounds: Some([DVec3::splat(-0.5), DVec3::splat(8.5)]),
        prune: if body & 8 == 0 { 0.0 } else { 0.001 },
        ..VolumeConfig::default()
    };
    let context = Context::default();
    let made = if choice & 1 == 0 {
        partition(&scene, &config, &context)
    } else {
        // Growth takes its time, boxes beside slanted faces above all: a few pieces show as much.
        let growing =
            GrowthConfig { seed_size: Some(3.0), gravity: choice & 2 == 0, ..GrowthConfig::default() };
        growth(&pieces(&data[..data.len().min(27)], choice), &config, &growing, &context)
    };
    let mesh = match made {
        Ok((mesh, _)) => mesh,
        Err(VolumeError::Nothing | VolumeError::Start(..) | VolumeError::TooWide { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(mesh.check(), []);
    if choice & 1 == 0 {
        assert_eq!(mesh.check_scene(&scene.mesh), []);
    }
    assert!(mesh.coverage() <= 1.0 + 1e-6, "{}", mesh.coverage());
    let bytes = mesh.to_bytes();
    let again = VolumeMesh::from_bytes(bytes.clone()).expect("what was written can be read");
    assert_eq!(again.to_bytes(), bytes);
    fly(&mesh, f64::from(body >> 4) / 32.0);
});

/// From the first region to the last.
fn fly(mesh: &VolumeMesh, radius: f64) {
    let middle = |points: &[DVec3]| points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let (Some(first), Some(last)) = (mesh.regions().next(), mesh.regions().last()) else { return };
    let [from, to] = [first, last].map(|region| middle(mesh.vertices(region)));
    let finder = FlyFinder::new(mesh);
    let Ok(flight) = finder.find(from, to, radius, 1e-3, &mut FlyScratch::new()) else { return };
    assert!(flight.length >= from.distance(to) - 2e-3 - 1e-9);
    for pair in flight.points.windows(2) {
        for k in 0..=8 {
            let p = pair[0] + (pair[1] - pair[0]) * (f64::from(k) / 8.0);
            assert!(mesh.region_at(p).is_some(), "{p} is in no region");
            assert!(radius == 0.0 || finder.wall_distance(p, radius * (1.0 - 1e-9)).is_none());
        }
    }
}

fn pieces(data: &[u8], choice: u8) -> Scene {
    let unit = if choice & 8 == 0 { 1.0 } else { 1.0 / 3.0 };
    let point = |p: &[u8]| dvec3(f64::from(p[0] % 24), f64::from(p[1] % 24), f64::from(p[2] % 24)) * unit;
    let mut mesh = TriangleMesh::default();
    for bytes in data.chunks_exact(9).take(MOST) {
        let first = mesh.vertices.len() as u32;
        let corners: [DVec3; 3] = [0, 3, 6].map(|k| point(&bytes[k..k + 3]));
        if choice & 16 != 0 && bytes[0] & 32 != 0 {
            let (low, high) = (corners[0].min(corners[1]), corners[0].max(corners[1]));
            let pick = |k: u32, axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
            if (high - low).min_element() > 0.0 {
                mesh.vertices.extend((0..8).map(|k| dvec3(pick(k, 0), pick(k, 1), pick(k, 2))));
                let quads: [[u32; 4]; 6] =
                    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
                for [a, b, c, d] in quads.map(|quad| quad.map(|k| k + first)) {
                    mesh.triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        } else if !are_collinear(corners[0], corners[1], corners[2]) {
            mesh.vertices.extend(corners);
            mesh.triangles.push([first, first + 1, first + 2]);
        }
    }
    Scene::from_mesh(mesh)
}
