//! Towns: many copies of one scene, as many as make 100,000 triangles.

use std::error::Error;
use wayfare_core::{dvec2, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_scene::{Scene, generated::scene_by_name};
use wayfare_testkit::{baked, data::scenes::scene_named};

/// Copies of a house, turned, on one square: as many as make 100,000 triangles.
pub fn town(kind: &str) -> Result<Scene, Box<dyn Error>> {
    let house = match scene_named(kind) {
        Some(shared) => baked::read(&shared)?,
        None => scene_by_name(kind).ok_or_else(|| format!("there is no scene '{kind}'"))?,
    };
    let [min, max] = house.mesh.bounds().ok_or("an empty house")?;
    let (middle, size) = ((min + max) / 2.0, (max - min).truncate().length() + 2.0);
    let copies = 100_000usize.div_ceil(house.mesh.triangles.len().max(1));
    let columns = copies.isqrt().max(1);
    let rows = copies.div_ceil(columns);
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for copy in 0..copies {
        let (sin, cos) = (0.7 * copy as f64).sin_cos();
        let to = dvec3((copy % columns) as f64 * size, (copy / columns) as f64 * size, 0.0);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(house.mesh.vertices.iter().map(|p| {
            let q = *p - dvec3(middle.x, middle.y, min.z);
            to + dvec3(q.x * cos - q.y * sin, q.x * sin + q.y * cos, q.z)
        }));
        mesh.triangles.extend(house.mesh.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
    }
    let first = mesh.vertices.len() as u32;
    let (low, high) = (dvec2(-size, -size), dvec2(columns as f64, rows as f64) * size);
    mesh.vertices.extend([low, dvec2(high.x, low.y), high, dvec2(low.x, high.y)].map(|p| p.extend(-0.05)));
    mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    Ok(Scene::from_mesh(mesh))
}
