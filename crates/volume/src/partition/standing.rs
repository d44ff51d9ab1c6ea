//! Floor to stand on: only where triangles of the scene lie in the face of a region, not on the bottom of the box.

use crate::{plane::Plane, polygon};
use wayfare_core::DVec3;
use wayfare_geom::{
    TriangleMesh,
    bvh::{Aabb3, Bvh},
};

/// The triangles of a scene that are not too steep.
pub(super) struct Floors {
    triangles: Vec<[DVec3; 3]>,
    tree: Bvh,
    near: f64,
    /// The least z of a floor's normal.
    steepest: f64,
}

impl Floors {
    /// Triangles up to `near` off a face lie in it.
    pub(super) fn new(mesh: &TriangleMesh, max_slope: f64, near: f64) -> Self {
        let steepest = wayfare_core::ops::cos(max_slope);
        let triangles: Vec<[DVec3; 3]> = mesh.all_points().collect();
        let boxes: Vec<Aabb3> = triangles.iter().map(|corners| Aabb3::of_points(*corners)).collect();
        Self { tree: Bvh::build(&boxes), triangles, near, steepest }
    }

    /// How much of a face is floor [m²], if `open` of it are openings.
    pub(super) fn area(&self, face: &[DVec3], outward: &Plane, open: f64) -> f64 {
        if -outward.normal.z < self.steepest {
            return 0.0;
        }
        let rims: Vec<Plane> = polygon::edge_planes(face, outward.normal).collect();
        let Aabb3 { min, max } = Aabb3::of_points(face.iter().copied());
        let mut found = Vec::new();
        self.tree.visit(&Aabb3 { min: min - self.near, max: max + self.near }, |number| {
            found.push(number);
            false
        });
        // In one order, as sums are rounded.
        found.sort_unstable();
        let shared = found.into_iter().filter_map(|number| {
            let corners = self.triangles[number as usize];
            let is_in_it = corners.iter().all(|&p| outward.distance(p).abs() <= self.near);
            let within = |points: Vec<DVec3>, rim: &Plane| polygon::split(&points, rim, 0.0)[0].take();
            is_in_it.then(|| rims.iter().try_fold(corners.to_vec(), within)).flatten()
        });
        // Triangles may lie on each other.
        let covered: f64 = shared.map(|points| polygon::area(&points)).sum();
        let whole = (polygon::area(face) - open).max(0.0);
        // What rounding leaves along the rims is floor as well.
        if covered >= whole * (1.0 - 1e-6) { whole } else { covered }
    }
}
