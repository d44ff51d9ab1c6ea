//! The flooded depth maps of all layers as floors of fine columns.
//!
//! Idea: a floor that two layers show is one floor; from here on the thesis's layers do not count, and floors go the way of
//!   all others: runs, layers by longest contact, contours.
//! Source: thesis (seed 000), section 6.2.4, makes a navmesh of each layer and merges vertices that are near. We differ, so
//!   that layers are joined by identity (decision 0006).
//! Promises: the floors of a column are a body's height apart at least, from below.

use super::{
    coarse::Voxels,
    depth::{Blocks, DepthMap, Overlay},
};
use crate::voxel::columns::{Floor, Room, Row, Surface};

/// Where floors were found.
#[derive(Clone, Copy, Debug)]
pub struct Flooded<'a> {
    /// The coarse columns.
    pub voxels: &'a Voxels,
    /// The cuts over each of them.
    pub overlay: &'a Overlay,
    /// How pixels lie in them.
    pub blocks: Blocks,
    /// The depth map of each layer.
    pub maps: &'a [DepthMap],
    /// Which of its pixels are floor.
    pub floors: &'a [Vec<bool>],
    /// The fine columns.
    pub columns: u32,
    /// What bodies ask for.
    pub room: Room,
}

impl Flooded<'_> {
    /// Puts these floors into a row, in the place of its own.
    pub fn fill(&self, number: u32, row: &mut Row, surfaces: &[Surface]) {
        let (coarse, y) = self.blocks.split(1, number);
        let mut floors: Vec<Floor> = Vec::new();
        let mut stack: Vec<Floor> = Vec::new();
        for place in self.voxels.row(coarse) {
            let over = self.overlay.of(place);
            if over.is_empty() {
                continue;
            }
            for column in self.blocks.pixels(0, self.voxels.places[place as usize].column, self.columns) {
                let x = self.blocks.split(0, column).1;
                stack.clear();
                for &(layer, cut) in over {
                    let pixel = cut as usize * self.blocks.area() + (y * self.blocks.side + x) as usize;
                    let depth = &self.maps[layer as usize].pixels[pixel];
                    if self.floors[layer as usize][pixel]
                        && let Some(floor) = depth.floor(column, self.room)
                    {
                        stack.push(Floor { tag: surfaces[depth.triangle as usize].tag, ..floor });
                    }
                }
                self.join(&mut stack);
                floors.append(&mut stack);
            }
        }
        row.replace_floors(&floors);
    }

    /// Makes the floors of a column one each, from below, each with what is above it.
    fn join(&self, stack: &mut Vec<Floor>) {
        stack.sort_unstable_by_key(|floor| (floor.low, floor.top, floor.tag));
        // From above: what has no head room under the one above it goes, as does what is there twice.
        let mut ceiling = i32::MAX;
        for floor in stack.iter_mut().rev() {
            floor.ceiling = floor.ceiling.min(ceiling);
            if i64::from(floor.ceiling) - i64::from(floor.top) >= i64::from(self.room.height) {
                ceiling = floor.low;
            } else {
                floor.ceiling = i32::MIN;
            }
        }
        stack.retain(|floor| floor.ceiling != i32::MIN);
    }
}
