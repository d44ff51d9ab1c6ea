//! Flooding of a layer's depth map: from the pixels of accessible voxels over all steps that a body takes.
//!
//! Source: thesis (seed 000), section 6.2.3: only the depths of neighbouring pixels count. We differ: the step is measured
//!   between the true heights of the faces over both pixels, as everywhere ([`Room::connects`]).
//! Steps: 1. pixels in accessible columns whose face comes into the accessible voxel or the positive ones right below it
//!   2. on to their neighbours
//! Promises: what is flooded does not depend on the order of flooding.
//! Cost: linear in the pixels of the layer.

use super::{
    coarse::{NONE, Voxels},
    cutting::{CutKind, CuttingShape},
    depth::{Blocks, DepthMap},
};
use crate::voxel::columns::{Floor, Room};

/// Section 6.2.3: whether each pixel of a depth map is floor.
pub fn flood(voxels: &Voxels, shape: &CuttingShape, map: &DepthMap, blocks: Blocks, room: Room) -> Vec<bool> {
    let area = blocks.area();
    let floor = |pixel: usize| map.pixels[pixel].floor(0, room);
    let mut is_floor = vec![false; map.pixels.len()];
    let mut waiting: Vec<usize> = Vec::new();
    // Step 1.
    for (number, cut) in shape.cuts.iter().enumerate().filter(|(_, cut)| cut.kind != CutKind::Expanded) {
        // The positive voxels right below belong to the same ground, or to ground that has no voxel of its own.
        let span = voxels.spans_of(cut.place).iter().find(|span| span.to == cut.level + 1);
        let levels = [span.map_or(cut.level, |span| span.from), cut.level + 1];
        let [low, high] = levels.map(|level| i64::from(level) * i64::from(voxels.side));
        let is_start = |floor: Floor| i64::from(floor.low) < high && i64::from(floor.top) >= low;
        let own = number * area..(number + 1) * area;
        waiting.extend(own.filter(|&pixel| floor(pixel).is_some_and(is_start)));
    }
    waiting.iter().for_each(|&pixel| is_floor[pixel] = true);
    // Step 2.
    let neighbours = Neighbours::new(voxels, shape, blocks);
    while let Some(pixel) = waiting.pop() {
        let Some(here) = floor(pixel) else { continue };
        for other in neighbours.of(pixel).into_iter().flatten() {
            if !is_floor[other] && floor(other).is_some_and(|there| room.connects(&here, &there)) {
                is_floor[other] = true;
                waiting.push(other);
            }
        }
    }
    is_floor
}

/// Which pixels of a depth map lie side by side.
struct Neighbours {
    side: usize,
    /// The cuts at the right, left, upper and lower side of each cut.
    beside: Vec<[u32; 4]>,
}

impl Neighbours {
    fn new(voxels: &Voxels, shape: &CuttingShape, blocks: Blocks) -> Self {
        let find = |place: u32| match shape.cuts.binary_search_by_key(&place, |cut| cut.place) {
            Ok(number) if place != NONE => number as u32,
            _ => NONE,
        };
        let beside =
            shape.cuts.iter().map(|cut| voxels.places[cut.place as usize].beside.map(find)).collect();
        Self { side: blocks.side as usize, beside }
    }

    fn of(&self, pixel: usize) -> [Option<usize>; 4] {
        let side = self.side;
        let (number, within) = (pixel / (side * side), pixel % (side * side));
        let (x, y) = (within % side, within / side);
        let in_block = |direction: usize, within: usize| {
            let block = self.beside[number][direction];
            (block != NONE).then(|| block as usize * side * side + within)
        };
        [
            if x + 1 < side { Some(pixel + 1) } else { in_block(0, within + 1 - side) },
            if x > 0 { Some(pixel - 1) } else { in_block(1, within + side - 1) },
            if y + 1 < side { Some(pixel + side) } else { in_block(2, x) },
            if y > 0 { Some(pixel - side) } else { in_block(3, x + side * (side - 1)) },
        ]
    }
}
