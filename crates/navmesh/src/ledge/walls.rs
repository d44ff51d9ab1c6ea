//! The walls of a mesh, by place.
//!
//! A wall is an edge of the boundary at which nobody falls. It stands in the way of a body if it is near in plan, and not
//! higher than the body's head nor lower than a step below its feet.
//! Walls and ways over the ground that are not level are looked at in parts of about one height.
//! Cost: O(log n + walls near) a question; nothing is allocated.

use super::stadium::Stadium;
use crate::{
    clearance::{Feature, FeatureKind},
    locate::LocateConfig,
    mesh::{CornerId, NavMesh},
};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::{
    bvh::{Aabb3, Bvh},
    segment::{distance_squared_to_segment, nearest_on_segment},
};

/// Parts of walls and of ways rise by no more than this [m]: half of a step.
const RISE: f64 = 0.2;

/// The walls of a mesh: what a body that overhangs drops keeps its radius from.
#[derive(Clone, Debug)]
pub struct Walls {
    walls: Vec<Wall>,
    tree: Bvh,
    /// No wall is farther than this from a place of the mesh [m].
    farthest: f64,
    step: f64,
    height: f64,
}

/// An edge of the boundary beside which there is a wall, or a part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    /// Its number among all.
    pub number: u32,
    pub corner: CornerId,
    pub ends: [DVec3; 2],
}

impl Wall {
    pub fn plan(&self) -> [DVec2; 2] {
        self.ends.map(DVec3::truncate)
    }

    fn aabb(&self) -> Aabb3 {
        Aabb3::of_points(self.ends)
    }

    /// Both sides and both ends: behind a pit a wall may be seen from either.
    pub fn features(&self) -> [Feature; 4] {
        let [a, b] = self.plan();
        let axis = (b - a).normalize_or_zero();
        let (corner, high) = (self.corner, (b - a).dot(axis));
        let edge =
            |at: DVec2, axis: DVec2| Feature { kind: FeatureKind::Edge, corner, at, axis, low: 0.0, high };
        let end = |at: DVec2| Feature {
            kind: FeatureKind::Corner,
            corner,
            at,
            axis: axis.perp(),
            low: -1.0,
            high: 1.0,
        };
        [edge(a, axis), edge(b, -axis), end(a), end(b)]
    }
}

/// The nearest place of a wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestWall {
    pub distance: f64,
    pub wall: Wall,
}

impl Walls {
    /// The walls of a mesh.
    pub fn of(mesh: &NavMesh) -> Self {
        let corners = mesh.cells().flat_map(|cell| mesh.corners(cell));
        let is_wall = |&corner: &CornerId| mesh.twin(corner).is_none() && mesh.drop_depth(corner) <= 0.0;
        let mut walls: Vec<Wall> = Vec::new();
        for corner in corners.filter(is_wall) {
            for ends in level_parts(mesh.edge(corner).map(|vertex| mesh.position(vertex))) {
                walls.push(Wall { number: walls.len() as u32, corner, ends });
            }
        }
        let tree = Bvh::build(&walls.iter().map(Wall::aabb).collect::<Vec<_>>());
        let LocateConfig { step, height, .. } = LocateConfig::default();
        let bounds = mesh.bounds();
        Self { walls, tree, farthest: bounds.min.distance(bounds.max), step, height }
    }

    /// Between which heights walls stand in the way of a body on the ground at a height.
    pub(crate) fn heights_beside(&self, z: f64) -> [f64; 2] {
        [z - self.step, z + self.height]
    }

    /// Calls `visit` with the walls that may be as near as `reach` in plan to places of a box, for a body on the ground
    /// between two heights.
    pub(crate) fn for_each_near(
        &self,
        [low, high]: [DVec2; 2],
        [lowest, highest]: [f64; 2],
        reach: f64,
        mut visit: impl FnMut(&Wall),
    ) {
        let area = Aabb3 {
            min: (low - reach).extend(lowest - self.step),
            max: (high + reach).extend(highest + self.height),
        };
        self.tree.visit(&area, |number| {
            let wall = &self.walls[number as usize];
            if wall.aabb().meets(&area) {
                visit(wall);
            }
            false
        });
    }

    /// The same for a straight line over the ground.
    pub(crate) fn for_each_beside(&self, line: [DVec3; 2], reach: f64, visit: impl FnMut(&Wall)) {
        let [a, b] = line;
        let (low, high) = (a.min(b), a.max(b));
        self.for_each_near([low.truncate(), high.truncate()], [low.z, high.z], reach, visit);
    }

    /// The nearest wall of a place on the ground, if it has one.
    pub(crate) fn nearest(&self, at: DVec3) -> Option<NearestWall> {
        let p = at.truncate();
        let mut reach = 1.0;
        loop {
            let mut best: Option<NearestWall> = None;
            self.for_each_beside([at; 2], reach, |wall| {
                let [a, b] = wall.plan();
                let distance = p.distance(nearest_on_segment(p, a, b));
                let is_better = |best: &NearestWall| {
                    distance < best.distance || distance == best.distance && wall.number < best.wall.number
                };
                if best.as_ref().is_none_or(is_better) {
                    best = Some(NearestWall { distance, wall: *wall });
                }
            });
            if best.is_some_and(|best| best.distance <= reach) || reach > self.farthest {
                return best;
            }
            reach *= 4.0;
        }
    }

    /// Places in plan at a radius from walls among which is the one nearest to a point that is as far from all of them: the
    /// nearest of each wall, and where two walls, or a wall and an edge of the ground, leave none nearer.
    pub(crate) fn rim(&self, mesh: &NavMesh, to: DVec2, radius: f64) -> Vec<DVec2> {
        let stadium = |wall: &Wall| Stadium { ends: wall.plan(), radius };
        let mut places = Vec::new();
        for wall in &self.walls {
            let [a, b] = wall.plan();
            let nearest = nearest_on_segment(to, a, b);
            let away = (to - nearest).try_normalize().unwrap_or((b - a).normalize_or_zero().perp());
            places.extend([nearest + away * radius, nearest - away * radius]);
            self.for_each_beside(wall.ends, 2.0 * radius, |other| {
                if other.number < wall.number {
                    stadium(wall).add_crossings(&stadium(other), &mut places);
                }
            });
        }
        for edge in mesh.cells().flat_map(|cell| mesh.corners(cell)).filter(|&edge| mesh.twin(edge).is_none())
        {
            let ends = mesh.edge(edge).map(|vertex| mesh.position(vertex));
            let [a, b] = ends.map(DVec3::truncate);
            self.for_each_beside(ends, radius, |wall| {
                let shares = stadium(wall).on_segment([a, b]).into_iter().flatten();
                places.extend(shares.map(|share| a.lerp(b, share)));
            });
        }
        places
    }

    /// How far the nearest wall is from a place on the ground [m], in plan; infinite if none is in the way.
    pub fn at(&self, at: DVec3) -> f64 {
        self.nearest(at).map_or(f64::INFINITY, |nearest| nearest.distance)
    }

    /// How near a straight line over the ground comes to walls [m], in plan, and where: the first such place of the line.
    pub fn along(&self, line: [DVec3; 2]) -> (f64, DVec3) {
        let parts = level_parts(line).map(|part| self.along_level(part));
        parts
            .reduce(|least, next| if next.0 < least.0 { next } else { least })
            .unwrap_or((f64::INFINITY, line[0]))
    }

    fn along_level(&self, [a, b]: [DVec3; 2]) -> (f64, DVec3) {
        let [p, q] = [a, b].map(DVec3::truncate);
        let mut least = (self.at(a), a);
        let there = self.at(b);
        if there < least.0 {
            least = (there, b);
        }
        if !least.0.is_finite() {
            // Walls may be in the way of what is between.
            least.0 = self.farthest;
        }
        let mut found = least.0;
        self.for_each_beside([a, b], least.0, |wall| {
            let ends = wall.plan();
            // Where both are apart, an end of one of them is nearest.
            for end in ends {
                let distance = distance_squared_to_segment(end, p, q).sqrt();
                if distance < found {
                    let share =
                        nearest_on_segment(end, p, q).distance(p) / p.distance(q).max(f64::MIN_POSITIVE);
                    (found, least) = (distance, (distance, a.lerp(b, share)));
                }
            }
        });
        if least.0 == self.farthest { (f64::INFINITY, a) } else { least }
    }
}

/// A line in parts that rise by no more than [`RISE`].
pub(crate) fn level_parts([a, b]: [DVec3; 2]) -> impl Iterator<Item = [DVec3; 2]> {
    // Coordinates are bounded, and so is the number.
    let count = ((b.z - a.z).abs() / RISE).ceil().clamp(1.0, 1e6) as u32;
    let point = move |k: u32| match k {
        0 => a,
        k if k == count => b,
        k => a.lerp(b, f64::from(k) / f64::from(count)),
    };
    (0..count).map(move |k| [point(k), point(k + 1)])
}
