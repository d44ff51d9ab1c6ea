//! The staircases of table 1 of Hale and Youngblood 2009, for any number of steps.

use wayfare_core::{DVec3, dvec3};
use wayfare_geom::TriangleMesh;

/// A ramp up to a staircase of `k` steps, as a profile drawn out to both sides, and the room that it is in.
pub fn ramp_and_stairs(k: usize) -> (TriangleMesh, [DVec3; 2]) {
    let mut outline = vec![(0.0, 0.0), (3.0, 0.5)];
    for step in 0..k {
        let (x, z) = (3.0 + step as f64, 0.5 + 0.25 * (step + 1) as f64);
        outline.extend([(x, z), (x + 1.0, z)]);
    }
    let mut mesh = TriangleMesh::default();
    for pair in outline.windows(2) {
        let [(x0, z0), (x1, z1)] = [pair[0], pair[1]];
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([dvec3(x0, 0., z0), dvec3(x0, 2., z0), dvec3(x1, 0., z1), dvec3(x1, 2., z1)]);
        mesh.triangles.extend([[first, first + 2, first + 1], [first + 1, first + 2, first + 3]]);
    }
    (mesh, [DVec3::ZERO, dvec3(3.0 + k as f64, 2.0, 6.0)])
}
