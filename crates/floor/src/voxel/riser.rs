//! Pixels with risers in them, whose heights are not those of the ground in their middle.
//!
//! Triangles that become smaller ask for the same pixels again and again, so what was found is kept.

use super::{
    ground::{GROUND_ERROR, GroundPoint},
    samples::{Samples, range},
};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};
use wayfare_core::DVec2;

/// What is known of a pixel.
#[derive(Clone, Copy)]
struct Pixel {
    /// The lowest and the highest of it and those round it [height units].
    range: [f64; 2],
    /// Whether a step that is taken is in it.
    is_step: bool,
    /// The height of the triangles in the middle, if it was asked for and there is one [height units].
    floor: Option<Option<f64>>,
    /// Beside a drop a pixel next to it that is on its level and has no drop beside it.
    level: Option<[i64; 2]>,
}

/// The pixels at risers of one region.
pub struct Risers<'a, F> {
    samples: &'a Samples,
    floor: F,
    known: HashMap<u64, Pixel, BuildHasherDefault<PixelHasher>>,
}

impl<'a, F: FnMut(GroundPoint) -> Option<f64>> Risers<'a, F> {
    /// Those of a region; `floor` tells the height of the triangles at a point that about has the height given, if there is one.
    pub fn new(samples: &'a Samples, floor: F) -> Self {
        Self { samples, floor, known: HashMap::default() }
    }

    /// The height of the ground in the middle of a pixel that has a height of its own, where it is thought to be at another; `None`
    /// where nobody can say. A pixel with a riser in it has the height of the step: what is true in its middle is asked of the
    /// triangles. The ground of a region may lie below a drop of its own, whose simplified rim passes over the pixel: then the
    /// height may be any beside it, but where the way is open from its middle to that of a pixel which is surely on its side.
    pub fn true_height(
        &mut self,
        [column, row]: [i64; 2],
        thought: f64,
        own: f64,
        is_open_to: impl Fn(DVec2) -> bool,
    ) -> Option<f64> {
        let key = ((row as u64) << 32) | column as u64 & 0xffff_ffff;
        let samples = self.samples;
        let pixel = self.known.entry(key).or_insert_with(|| {
            let heights = samples.heights_round::<3>(column, row);
            let range = range(heights.iter().flatten());
            let is_uneven = |beside: [Option<f64>; 2]| {
                let beside = beside.map(|height| height.unwrap_or(own));
                (beside[0] + beside[1] - 2.0 * own).abs() > GROUND_ERROR
            };
            let is_at_drop = range[1] - range[0] > samples.step;
            // Across, up and down, and both diagonals: in the inner corner of a riser only one of those shows it.
            let [below, here, above] = heights;
            let opposite =
                [[here[0], here[2]], [below[1], above[1]], [below[0], above[2]], [below[2], above[0]]];
            let is_step = !is_at_drop && opposite.into_iter().any(is_uneven);
            let level = if is_at_drop { level_beside(samples, [column, row], own) } else { None };
            Pixel { range, is_step, floor: None, level }
        });
        let [low, high] = pixel.range;
        if high - low > samples.step {
            let is_beside = (low - GROUND_ERROR..=high + GROUND_ERROR).contains(&thought);
            match pixel.level.map(|level| is_open_to(middle(level))) {
                Some(is_own_side) if is_own_side || !is_beside => {}
                None if !is_beside => return Some(own),
                _ => return None,
            }
        } else if !pixel.is_step {
            return Some(own);
        }
        let at = middle([column, row]);
        *pixel.floor.get_or_insert_with(|| (self.floor)(GroundPoint { at, height: own }))
    }
}

/// The middle of a pixel.
fn middle([column, row]: [i64; 2]) -> DVec2 {
    DVec2::new(column as f64 + 0.5, row as f64 + 0.5)
}

/// A pixel next to one that about has its height and no drop beside it, those that share a side first.
fn level_beside(samples: &Samples, [column, row]: [i64; 2], own: f64) -> Option<[i64; 2]> {
    const SIDES: [[i64; 2]; 8] = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];
    let heights = samples.heights_round::<5>(column, row);
    let side = SIDES.into_iter().find(|&[x, y]| {
        let [x, y] = [x, y].map(|c| (c + 2) as usize);
        let is_level = heights[y][x].is_some_and(|height| (height - own).abs() <= samples.step);
        let [low, high] = range((y - 1..y + 2).flat_map(|y| &heights[y][x - 1..x + 2]));
        is_level && high - low <= samples.step
    });
    side.map(|[x, y]| [column + x, row + y])
}

/// A quick hash for numbers that nobody chooses to do harm.
#[derive(Default)]
pub struct PixelHasher(u64);

impl Hasher for PixelHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        GroundConfig,
        voxel::{find_scene_floors, lattice::HEIGHT_UNITS, strips::Strips},
    };
    use wayfare_core::{Context, dvec2, dvec3};
    use wayfare_geom::TriangleMesh;
    use wayfare_scene::Scene;

    #[test]
    fn the_ground_in_the_inner_corner_of_a_riser_is_asked_for() {
        // Ground, and round two sides of it a step of 20 cm, both of which come into the pixel at (1.05, 1.05).
        let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
        for ([x0, x1], [y0, y1], z) in [
            ([-1.0, 1.006], [-1.0, 4.0], 0.2),
            ([1.006, 4.0], [-1.0, 1.024], 0.2),
            ([1.006, 4.0], [1.024, 4.0], 0.0),
        ] {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend([dvec3(x0, y0, z), dvec3(x1, y0, z), dvec3(x1, y1, z), dvec3(x0, y1, z)]);
            mesh.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|triangle| triangle.map(|k| first + k)));
        }
        let (config, context) = (GroundConfig::default(), Context::default());
        let found = find_scene_floors(&Scene::from_mesh(mesh), &config, &context).unwrap();
        let (runs, lattice) = (&found.floors.runs, &found.floors.lattice);
        let strips = Strips::new(runs, &found.layers);
        let own: Vec<u32> = (0..strips.strips.len() as u32).collect();
        let samples = Samples::new(runs, &strips, &own, config.step * HEIGHT_UNITS, 0.0);
        let mut risers = Risers::new(&samples, |p: GroundPoint| Some(p.height - 0.2 * HEIGHT_UNITS));
        let [column, row] = lattice.pixel(dvec2(1.05, 1.05)).floor().to_array().map(|c| c as i64);
        let height = samples.height(column, row).unwrap();
        // All four pixels beside it are as high as the step.
        for [x, y] in [[-1, 0], [1, 0], [0, -1], [0, 1]] {
            assert_eq!(samples.height(column + x, row + y), Some(height));
        }
        let found = risers.true_height([column, row], height, height, |_| true);
        assert_eq!(found, Some(height - 0.2 * HEIGHT_UNITS));
    }
}
