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

/// A triangle that can be walked on, and its box in single numbers, widened: many are kept, and most are told apart by the box.
#[derive(Clone, Copy)]
struct Face {
    min: [f32; 3],
    max: [f32; 3],
    triangle: u32,
}

impl Face {
    fn new(triangle: u32, corners: [DVec3; 3]) -> Self {
        let Aabb3 { min, max } = Aabb3::of_points(corners);
        // Both what is rounded here and what is compared with it.
        let margin = |x: f64| WIDENED + x.abs() * f64::from(f32::EPSILON);
        Self {
            min: min.to_array().map(|x| (x - margin(x)) as f32),
            max: max.to_array().map(|x| (x + margin(x)) as f32),
            triangle,
        }
    }

    /// Whether it may come to a place between two heights.
    #[inline]
    fn is_near(&self, [x, y]: [f32; 2], [low, high]: [f32; 2]) -> bool {
        let Self { min, max, .. } = self;
        min[0] <= x && x <= max[0] && min[1] <= y && y <= max[1] && min[2] <= high && low <= max[2]
    }
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
        let mut best = None;
        self.visit(p.at, place, [about - reach, about + reach], |corners| {
            best = nearest_height(best, corners, place, about, reach);
        });
        self.units(best)
    }

    /// The height of the highest of the triangles near a point to which a step leads from there.
    pub fn highest(&mut self, p: GroundPoint) -> Option<f64> {
        let (place, about) = self.place(p);
        let (reach, step) = (self.obstacles.floor_reach(), self.obstacles.step());
        let mut best: Option<f64> = None;
        self.visit(p.at, place, [about - reach, about + reach], |corners| {
            let height = height_in(corners, place).filter(|&z| z <= about + step);
            best = height.filter(|&z| best.is_none_or(|best| z > best)).or(best);
        });
        self.units(best)
    }

    fn place(&self, p: GroundPoint) -> (DVec2, f64) {
        (self.lattice.place(p.at), self.lattice.height(p.height))
    }

    fn units(&self, height: Option<f64>) -> Option<f64> {
        height.map(|height| (height - self.lattice.height(0.0)) * HEIGHT_UNITS)
    }

    /// Visits the triangles in the square of a place whose boxes come over it between two heights.
    fn visit(&mut self, at: DVec2, place: DVec2, [low, high]: [f64; 2], mut visit: impl FnMut([DVec3; 3])) {
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
            self.obstacles
                .visit_floors(&area, |triangle, corners| self.found.push(Face::new(triangle, corners)));
            tile.faces = self.found.as_slice().into();
        }
        let (place, heights) = (place.to_array().map(|x| x as f32), [low as f32, high as f32]);
        for face in tile.faces.iter().filter(|face| face.is_near(place, heights)) {
            visit(self.obstacles.corners(face.triangle));
        }
    }
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
