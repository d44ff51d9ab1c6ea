//! What the faces of a scene are to the thesis's pipeline.

use super::super::columns::Surface;
use wayfare_scene::Scene;

/// The kinds of faces (sections 6.2.1 and 6.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Its slope can be walked on.
    Walkable,
    /// Too steep; the depth map does not show it.
    Steep,
    /// So near to vertical that the thesis draws it as a line.
    Upright,
}

/// Faces whose angle with the vertical is at most ten degrees are upright: the sine of it.
const UPRIGHT: f64 = 0.173_648_177_666_930_33;

/// The kind of each triangle.
pub fn faces(scene: &Scene, surfaces: &[Surface]) -> Vec<Face> {
    let kind = |(triangle, surface): (usize, &Surface)| {
        let normal = scene.mesh.normal(triangle);
        if surface.is_walkable {
            Face::Walkable
        } else if normal.z.abs() <= UPRIGHT * normal.length() {
            Face::Upright
        } else {
            Face::Steep
        }
    };
    surfaces.iter().enumerate().map(kind).collect()
}
