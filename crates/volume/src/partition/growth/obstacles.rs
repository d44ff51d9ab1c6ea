//! What a growing region must not enter: triangles, and the faces of regions.

use super::planes::Planes;
use crate::{plane::PlaneId, polygon};
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

/// All of them, the triangles first. Faces come one after the other; those that are not in the tree yet are looked at one by one.
pub(super) struct Obstacles {
    all: Vec<Obstacle>,
    triangles: u32,
    tree: Bvh,
    /// How many are in the tree.
    known: usize,
}

impl Obstacles {
    pub(super) fn new(triangles: Vec<Obstacle>) -> Self {
        let (count, known) = (triangles.len() as u32, triangles.len());
        Self { tree: tree_of(&triangles), all: triangles, triangles: count, known }
    }

    pub(super) fn add(&mut self, face: Obstacle) {
        self.all.push(face);
        // The tree is made again when it has grown by a quarter, so that all that costs no more than a few times the last one.
        if self.all.len() - self.known > 64.max(self.known / 4) {
            self.tree = tree_of(&self.all);
            self.known = self.all.len();
        }
    }

    pub(super) fn get(&self, number: u32) -> &Obstacle {
        &self.all[number as usize]
    }

    /// Those that meet a box, by number.
    pub(super) fn near(&self, area: &Aabb3) -> Vec<u32> {
        let mut found = Vec::new();
        self.tree.visit(area, |number| {
            found.push(number);
            false
        });
        found.sort_unstable();
        let new = (self.known..self.all.len()).filter(|&number| self.all[number].area.meets(area));
        found.extend(new.map(|number| number as u32));
        found
    }

    /// The triangles that meet a box.
    pub(super) fn triangles_near(&self, area: &Aabb3) -> Vec<u32> {
        let mut found = self.near(area);
        found.truncate(found.partition_point(|&number| number < self.triangles));
        found
    }

    /// Whether a point lies on one of them, or nearly.
    pub(super) fn touch(&self, p: DVec3, planes: &Planes, near: f64) -> bool {
        self.near(&Aabb3 { min: p - near, max: p + near }).into_iter().any(|number| {
            let obstacle = self.get(number);
            let plane = planes.get(obstacle.plane);
            plane.distance(p).abs() <= near
                && polygon::edge_planes(&obstacle.points, plane.normal).all(|rim| rim.distance(p) <= near)
        })
    }

    /// Those nearer to a point than `to` and not nearer than `from`, measured along the axis where they are farthest.
    pub(super) fn ring(&self, p: DVec3, from: f64, to: f64) -> Vec<(f64, u32)> {
        let near = self.near(&Aabb3 { min: p - to, max: p + to });
        let distance = |number: u32| (self.all[number as usize].distance(p), number);
        near.into_iter().map(distance).filter(|entry| entry.0 >= from && entry.0 < to).collect()
    }
}

fn tree_of(obstacles: &[Obstacle]) -> Bvh {
    let boxes: Vec<Aabb3> = obstacles.iter().map(|obstacle| obstacle.area).collect();
    Bvh::build(&boxes)
}
