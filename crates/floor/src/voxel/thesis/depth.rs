//! The fine depth map of each layer, under its cutting shape.
//!
//! Idea: seen from above, and only what lies under the cutting planes: the highest face of each pixel.
//! Source: thesis (seed 000), section 6.2.3. Faces too steep to be walked on are dropped; faces near to vertical, which are not
//!   seen from above, are drawn as lines in a second picture, and both are put together. We differ: every steep
//!   face is drawn into the second picture, for a cone that is dropped lets the floor through; lines have the
//!   heights of their faces, so that a riser is as high as its step and blocks nobody; a third
//!   picture, of the lowest things above the planes, makes head room exact; all layers are drawn in one pass over the
//!   triangles; a pixel that a face comes into at all is the face's.
//! Steps: 1. which cuts lie over each coarse column  2. fragments of a row to the pixels under the cuts, by bands of rows
//! Cost: linear in fragments times the cuts of their column.

use super::{
    coarse::{NONE, Voxels},
    cutting::CuttingShape,
};
use crate::voxel::{
    columns::{Floor, Room, Surface},
    lattice::Lattice,
    raster::{Fragment, Raster},
    sweep::bands,
};
use rayon::prelude::*;
use std::ops::Range;
use wayfare_core::{Cancelled, Context};

/// A height of nothing.
const NOTHING: i32 = i32::MIN;

/// What is seen in one pixel [height units].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// The lowest and the highest point of the highest walkable face.
    pub low: i32,
    /// Its height in the middle of the pixel.
    pub middle: i32,
    /// The lowest and the highest point of the highest walkable face.
    pub top: i32,
    /// That face.
    pub triangle: u32,
    /// The highest point of the lines, that is of faces too steep that begin under the cutting plane.
    pub line: i32,
    /// The lowest point of what begins above the cutting plane; `i32::MAX` if nothing does.
    pub ceiling: i32,
}

impl Depth {
    /// A pixel in which nothing is seen.
    pub const NOTHING: Self =
        Self { low: NOTHING, top: NOTHING, middle: NOTHING, triangle: 0, line: NOTHING, ceiling: i32::MAX };

    /// Adds a part of a face under or above a plane.
    fn draw(&mut self, fragment: &Fragment, is_walkable: bool, plane: i32) {
        if fragment.low >= plane {
            self.ceiling = self.ceiling.min(fragment.low);
        } else if is_walkable {
            let own = (self.top, self.low, self.triangle);
            if (fragment.high, fragment.low, fragment.triangle) >= own {
                (self.low, self.top, self.triangle) = (fragment.low, fragment.high, fragment.triangle);
                self.middle = fragment.middle;
            }
        } else {
            self.line = self.line.max(fragment.high);
        }
    }

    /// Whether anything is seen.
    pub fn is_seen(&self) -> bool {
        self.top.max(self.line) != NOTHING
    }

    /// The floor of a pixel, without its tag: a walkable face that is the highest but for lines no more than a step above
    /// it, with head room.
    pub fn floor(&self, column: u32, room: Room) -> Option<Floor> {
        let top = self.top.max(self.line);
        let is_blocked = i64::from(top) - i64::from(self.top) > i64::from(room.step);
        let has_room = i64::from(self.ceiling) - i64::from(top) >= i64::from(room.height);
        (self.top != NOTHING && !is_blocked && has_room).then(|| Floor {
            start: column,
            end: column + 1,
            low: self.low,
            high: self.top,
            top,
            ceiling: self.ceiling,
            foot: i32::MIN,
            height: self.middle,
            tag: 0,
        })
    }
}

/// The depth map of a layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DepthMap {
    /// The pixels of each cut of the layer's shape in turn, by row, then from left to right.
    pub pixels: Vec<Depth>,
}

/// How fine pixels lie in coarse columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Pixels along the side of a coarse column.
    pub side: u32,
    /// How far the first pixel is from the side of the first coarse column.
    pub shift: [u32; 2],
}

impl Blocks {
    /// Coarse column or row, and which of its pixels; `axis` is 0 along x, 1 along y.
    pub fn split(&self, axis: usize, pixel: u32) -> (u32, u32) {
        let at = pixel + self.shift[axis];
        (at / self.side, at % self.side)
    }

    /// The pixels of a coarse column or row among `count`.
    pub fn pixels(&self, axis: usize, coarse: u32, count: u32) -> Range<u32> {
        let at = |k: u32| (u64::from(k) * u64::from(self.side)).saturating_sub(self.shift[axis].into());
        at(coarse).min(count.into()) as u32..at(coarse + 1).min(count.into()) as u32
    }

    /// Pixels in a coarse column.
    pub fn area(&self) -> usize {
        self.side as usize * self.side as usize
    }
}

/// Step 1: the cuts over each coarse column, as layer and number in its shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
    starts: Vec<u32>,
    cuts: Vec<(u32, u32)>,
}

impl Overlay {
    /// Of all shapes over `places` columns.
    pub fn new(shapes: &[CuttingShape], places: usize) -> Self {
        let mut starts = vec![0; places + 1];
        for cut in shapes.iter().flat_map(|shape| &shape.cuts) {
            starts[cut.place as usize + 1] += 1;
        }
        for place in 0..places {
            starts[place + 1] += starts[place];
        }
        let mut next = starts.clone();
        let mut cuts = vec![(0, 0); starts[places] as usize];
        for (layer, shape) in shapes.iter().enumerate() {
            for (number, cut) in shape.cuts.iter().enumerate() {
                let at = &mut next[cut.place as usize];
                cuts[*at as usize] = (layer as u32, number as u32);
                *at += 1;
            }
        }
        Self { starts, cuts }
    }

    /// Layer and number of the cuts over a column, by layer.
    pub fn of(&self, place: u32) -> &[(u32, u32)] {
        &self.cuts[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }
}

/// Section 6.2.3: the depth map of each layer; `raster` is the fine one. The same for any number of threads.
pub fn depth_maps(
    raster: &Raster,
    surfaces: &[Surface],
    voxels: &Voxels,
    shapes: &[CuttingShape],
    blocks: Blocks,
    context: &Context,
) -> Result<Vec<DepthMap>, Cancelled> {
    let stage = context.stage("depth maps", u64::from(voxels.lattice.rows()));
    let overlay = Overlay::new(shapes, voxels.places.len());
    let parts: Vec<Result<Vec<DepthMap>, Cancelled>> = bands(voxels.lattice.rows())
        .into_par_iter()
        .map(|rows| {
            context.check()?;
            let part = Part::new(voxels, shapes, rows.clone(), blocks)
                .draw(raster, surfaces, voxels, shapes, &overlay);
            stage.advance(u64::from(rows.end - rows.start));
            Ok(part)
        })
        .collect();
    let mut maps = vec![DepthMap::default(); shapes.len()];
    for part in parts {
        for (map, part) in maps.iter_mut().zip(part?) {
            map.pixels.extend(part.pixels);
        }
    }
    Ok(maps)
}

/// Some coarse rows of all depth maps.
struct Part {
    rows: Range<u32>,
    blocks: Blocks,
    /// Number of each layer's first cut here.
    first: Vec<u32>,
    maps: Vec<DepthMap>,
}

impl Part {
    fn new(voxels: &Voxels, shapes: &[CuttingShape], rows: Range<u32>, blocks: Blocks) -> Self {
        let places = voxels.row(rows.start).start..voxels.row(rows.end - 1).end;
        let mut part = Self { rows, blocks, first: Vec::new(), maps: Vec::new() };
        for shape in shapes {
            let [from, to] =
                [places.start, places.end].map(|end| shape.cuts.partition_point(|cut| cut.place < end));
            part.first.push(from as u32);
            part.maps.push(DepthMap { pixels: vec![Depth::NOTHING; (to - from) * blocks.area()] });
        }
        part
    }

    /// Step 2.
    fn draw(
        mut self,
        raster: &Raster,
        surfaces: &[Surface],
        voxels: &Voxels,
        shapes: &[CuttingShape],
        overlay: &Overlay,
    ) -> Vec<DepthMap> {
        let lattice: &Lattice = raster.lattice();
        let [first, last] =
            [self.rows.start, self.rows.end - 1].map(|row| self.blocks.pixels(1, row, lattice.rows()));
        let mut place_of: Vec<u32> = vec![NONE; voxels.lattice.columns() as usize];
        let mut coarse_row = NONE;
        raster.draw(first.start..last.end, |row, fragments| {
            let (coarse, y) = self.blocks.split(1, row);
            if coarse != coarse_row {
                coarse_row = coarse;
                place_of.fill(NONE);
                for place in voxels.row(coarse) {
                    place_of[voxels.places[place as usize].column as usize] = place;
                }
            }
            for fragment in fragments {
                let is_walkable = surfaces[fragment.triangle as usize].is_walkable;
                for (column, x) in (fragment.start..fragment.end).map(|pixel| self.blocks.split(0, pixel)) {
                    let place = place_of[column as usize];
                    if place == NONE {
                        continue;
                    }
                    for &(layer, number) in overlay.of(place) {
                        let plane = shapes[layer as usize].cuts[number as usize].plane;
                        let block = (number - self.first[layer as usize]) as usize * self.blocks.area();
                        let pixel = block + (y * self.blocks.side + x) as usize;
                        self.maps[layer as usize].pixels[pixel].draw(fragment, is_walkable, plane);
                    }
                }
            }
        });
        self.maps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Room = Room { height: 180, step: 40 };

    #[test]
    fn the_highest_walkable_face_under_the_plane_is_seen_if_it_has_room() {
        let mut depth = Depth::NOTHING;
        let fragment = |low, high, triangle| Fragment { start: 0, end: 1, low, high, middle: low, triangle };
        let found = |depth: &Depth| depth.floor(3, ROOM).map(|f| (f.start, f.low, f.top, f.ceiling));
        depth.draw(&fragment(0, 1, 7), true, 150);
        depth.draw(&fragment(-90, -80, 8), true, 150);
        depth.draw(&fragment(-90, -80, 8), false, 150);
        assert_eq!(depth, Depth { low: 0, top: 1, middle: 0, triangle: 7, line: -80, ceiling: i32::MAX });
        assert_eq!(found(&depth), Some((3, 0, 1, i32::MAX)));
        // A kerb is stepped on, a wall is not.
        let mut kerb = depth;
        kerb.draw(&fragment(0, 41, 1), false, 150);
        assert_eq!(found(&kerb), Some((3, 0, 41, i32::MAX)));
        kerb.draw(&fragment(0, 300, 1), false, 150);
        assert_eq!((kerb.line, found(&kerb)), (300, None));
        // What begins above the plane leaves room or does not.
        depth.draw(&fragment(181, 205, 9), true, 150);
        assert_eq!(found(&depth), Some((3, 0, 1, 181)));
        depth.draw(&fragment(180, 205, 9), false, 150);
        assert_eq!(found(&depth), None);
    }

    #[test]
    fn pixels_and_coarse_columns_fit_together() {
        let blocks = Blocks { side: 4, shift: [3, 0] };
        assert_eq!([0, 1, 4, 5].map(|x| blocks.split(0, x)), [(0, 3), (1, 0), (1, 3), (2, 0)]);
        assert_eq!(
            (blocks.pixels(0, 0, 99), blocks.pixels(0, 1, 99), blocks.pixels(0, 2, 7)),
            (0..1, 1..5, 5..7)
        );
    }
}
