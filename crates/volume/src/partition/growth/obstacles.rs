//! What a growing region must not enter: triangles, and the faces of regions.

use crate::plane::PlaneId;
use wayfare_core::DVec3;
use wayfare_geom::bvh::{Aabb3, Bvh};

/// A convex polygon in a plane.
pub(super) struct Obstacle {
    pub(super) points: Vec<DVec3>,
    pub(super) plane: PlaneId,
    pub(super) area: Aabb3,
}

impl Obstacle {
    pub(super) fn new(points: Vec<DVec3>, plane: PlaneId) -> Self {
        Self { area: Aabb3::of_points(points.iter().copied()), points, plane }
    }

    /// Distance of its box from a point, along the axis where it is largest.
    fn distance(&self, p: DVec3) -> f64 {
        (p - p.clamp(self.area.min, self.area.max)).abs().max_element()
    }
}

/// All of them. Triangles are there from the beginning, in a tree; faces come one after the other.
pub(super) struct Obstacles {
    all: Vec<Obstacle>,
    first_face: usize,
    tree: Bvh,
}

impl Obstacles {
    pub(super) fn new(triangles: Vec<Obstacle>) -> Self {
        let boxes: Vec<Aabb3> = triangles.iter().map(|triangle| triangle.area).collect();
        Self { first_face: triangles.len(), tree: Bvh::build(&boxes), all: triangles }
    }

    pub(super) fn add(&mut self, face: Obstacle) {
        self.all.push(face);
    }

    pub(super) fn get(&self, number: u32) -> &Obstacle {
        &self.all[number as usize]
    }

    /// Those that meet a box.
    pub(super) fn near(&self, area: &Aabb3) -> Vec<u32> {
        let mut found = self.triangles_near(area);
        let faces = (self.first_face..self.all.len()).filter(|&face| self.all[face].area.meets(area));
        found.extend(faces.map(|face| face as u32));
        found
    }

    /// The triangles that meet a box.
    pub(super) fn triangles_near(&self, area: &Aabb3) -> Vec<u32> {
        let mut found = Vec::new();
        self.tree.visit(area, |triangle| {
            found.push(triangle);
            false
        });
        found.sort_unstable();
        found
    }

    /// Those nearer to a point than `to` and not nearer than `from`, measured along the axis where they are farthest.
    pub(super) fn ring(&self, p: DVec3, from: f64, to: f64) -> Vec<(f64, u32)> {
        let near = self.near(&Aabb3 { min: p - to, max: p + to });
        let distance = |number: u32| (self.all[number as usize].distance(p), number);
        near.into_iter().map(distance).filter(|entry| entry.0 >= from && entry.0 < to).collect()
    }
}
