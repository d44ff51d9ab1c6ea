//! Heights of the ground at many places near each other.
//!
//! Idea: along an edge or a riser dozens of places are asked for within a metre or two. The triangles in a small square of the plan
//!   that are near a height are looked up once; all that is asked there after looks at those few.
//! Promises: the same answers as if all triangles were looked at.

use super::{
    ground::GroundPoint,
    lattice::{HEIGHT_UNITS, Lattice, floor},
    obstacles::{Obstacles, height_in, nearest_height},
    riser::PixelHasher,
};
use std::{collections::HashMap, hash::BuildHasherDefault};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::bvh::Aabb3;

/// Side of a square [pixels].
const SIDE: f64 = 8.0;

/// Triangles are looked up so far above and below what is asked for first [m]: next to it something else may be asked for.
const MORE: f64 = 1.0;

/// More than the rim of a triangle is widened by where a height over it is asked for [m].
const WIDENED: f64 = 1e-5;

/// A triangle that can be walked on, and its box, widened.
#[derive(Clone, Copy)]
struct Face {
    bounds: Aabb3,
    corners: [DVec3; 3],
}

/// The triangles that can be walked on in a square, between two heights.
struct Tile {
    low: f64,
    high: f64,
    faces: Box<[Face]>,
}

/// Looks up heights; remembers the triangles of squares.
pub struct FloorTiles<'a> {
    obstacles: &'a Obstacles<'a>,
    lattice: &'a Lattice,
    /// Those of the square that is looked up.
    found: Vec<Face>,
    tiles: HashMap<u64, Tile, BuildHasherDefault<PixelHasher>>,
}

impl<'a> FloorTiles<'a> {
    /// Knows no square yet.
    pub fn new(obstacles: &'a Obstacles<'a>, lattice: &'a Lattice) -> Self {
        Self { obstacles, lattice, found: Vec::new(), tiles: HashMap::default() }
    }

    /// The height nearest to a point's that the triangles there have, covered or not.
    pub fn nearest(&mut self, p: GroundPoint) -> Option<f64> {
        let (place, about) = self.place(p);
        let reach = self.obstacles.floor_reach();
        let faces = self.faces(p.at, [about - reach, about + reach]);
        let faces = faces.filter(|face| is_over(face, place));
        let found = faces.fold(None, |best, face| nearest_height(best, face.corners, place, about, reach));
        self.units(found)
    }

    /// The height of the highest of the triangles near a point to which a step leads from there.
    pub fn highest(&mut self, p: GroundPoint) -> Option<f64> {
        let (place, about) = self.place(p);
        let (reach, step) = (self.obstacles.floor_reach(), self.obstacles.step());
        let faces = self.faces(p.at, [about - reach, about + reach]).filter(|face| is_over(face, place));
        let heights = faces.filter_map(|face| height_in(face.corners, place));
        let found = heights.filter(|&z| z <= about + step).max_by(f64::total_cmp);
        self.units(found)
    }

    fn place(&self, p: GroundPoint) -> (DVec2, f64) {
        (self.lattice.place(p.at), self.lattice.height(p.height))
    }

    fn units(&self, height: Option<f64>) -> Option<f64> {
        height.map(|height| (height - self.lattice.height(0.0)) * HEIGHT_UNITS)
    }

    /// The triangles in the square of a place that come between two heights, in the order in which they lie together.
    fn faces(&mut self, at: DVec2, [low, high]: [f64; 2]) -> impl Iterator<Item = &Face> {
        let [column, row] = (at / SIDE).to_array().map(floor);
        let key = ((column as u64) << 32) | row as u64 & 0xffff_ffff;
        let tile = self.tiles.entry(key).or_insert_with(|| Tile {
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            faces: Box::default(),
        });
        if low < tile.low || tile.high < high {
            (tile.low, tile.high) = (tile.low.min(low - MORE), tile.high.max(high + MORE));
            let square = DVec2::new(column as f64, row as f64);
            let [from, to] = [square, square + 1.0].map(|corner| self.lattice.place(corner * SIDE));
            let area =
                Aabb3 { min: (from - WIDENED).extend(tile.low), max: (to + WIDENED).extend(tile.high) };
            self.found.clear();
            self.obstacles.visit_floors(&area, |corners| {
                let bounds = Aabb3::of_points(corners);
                let bounds = Aabb3 { min: bounds.min - WIDENED, max: bounds.max + WIDENED };
                self.found.push(Face { bounds, corners });
            });
            tile.faces = self.found.as_slice().into();
        }
        let is_near = move |face: &&Face| face.bounds.min.z <= high && low <= face.bounds.max.z;
        tile.faces.iter().filter(is_near)
    }
}

/// Whether a place is in the box of a triangle.
#[inline]
fn is_over(face: &Face, p: DVec2) -> bool {
    let Aabb3 { min, max } = face.bounds;
    min.x <= p.x && p.x <= max.x && min.y <= p.y && p.y <= max.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        GroundConfig,
        voxel::{columns::Surface, obstacles::triangle_tree},
    };
    use proptest::prelude::*;
    use wayfare_core::{dvec2, dvec3};
    use wayfare_geom::{Aabb2, TriangleMesh};
    use wayfare_scene::Scene;

    proptest! {
        #[test]
        fn answers_are_those_of_all_triangles(
            corners in prop::collection::vec((0.0..6.0f64, 0.0..6.0f64, 0.0..4.0f64), 3..60),
            places in prop::collection::vec((0.0..60.0f64, 0.0..60.0f64, 0.0..4.0f64), 1..40),
        ) {
            let vertices: Vec<DVec3> = corners.into_iter().map(|(x, y, z)| dvec3(x, y, z)).collect();
            let triangles = (0..vertices.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
            let scene = Scene::from_mesh(TriangleMesh { vertices, triangles });
            let tree = triangle_tree(&scene);
            let surfaces: Vec<Surface> =
                (0..scene.mesh.triangles.len()).map(|k| Surface { is_walkable: k % 4 != 0, tag: 0 }).collect();
            let obstacles = Obstacles::new(&scene, &tree, &surfaces, &GroundConfig::default());
            let bounds = Aabb2 { min: dvec2(0.0, 0.0), max: dvec2(6.0, 6.0) };
            let lattice = Lattice::covering(bounds, [0.0, 4.0], 0.1).unwrap();
            let mut tiles = FloorTiles::new(&obstacles, &lattice);
            let all = || (0..surfaces.len()).filter(|&k| surfaces[k].is_walkable).map(|k| scene.mesh.points(k));
            for (x, y, z) in places {
                let p = GroundPoint { at: dvec2(x, y), height: z * HEIGHT_UNITS };
                let (place, about) = (lattice.place(p.at), lattice.height(p.height));
                let reach = obstacles.floor_reach();
                let nearest =
                    all().fold(None, |best, corners| nearest_height(best, corners, place, about, reach));
                let units = |height: Option<f64>| height.map(|z| (z - lattice.height(0.0)) * HEIGHT_UNITS);
                prop_assert_eq!(tiles.nearest(p), units(nearest));
                let is_near = |corners: &[DVec3; 3]| {
                    let Aabb3 { min, max } = Aabb3::of_points(*corners);
                    min.z <= about + reach && about - reach <= max.z
                };
                let heights = all().filter(is_near).filter_map(|corners| height_in(corners, place));
                let highest = heights.filter(|&z| z <= about + obstacles.step()).max_by(f64::total_cmp);
                prop_assert_eq!(tiles.highest(p), units(highest));
            }
        }
    }
}
