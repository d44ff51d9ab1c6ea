//! Stages of a bake: the floors of a scene as they were found, and the coarse voxels of the thesis's pipeline.
//!
//! Idea: both are upright boxes that the page draws as instances of one. The pixels of a run that lie on one slope are one box without
//!   height; runs of the next rows that go on with the same ends and heights make it deeper. So level rooms are a few boxes, whatever the
//!   resolution.
//! Cost: O(n log n) in slopes and voxels.

use super::Show;
use std::collections::BTreeMap;
use wayfare_core::DVec2;
use wayfare_floor::voxel::{Floors, Lattice, layers::Layers, thesis::ThesisStages};

/// Boxes at most: 28 MB that a browser draws without trouble.
pub(super) const MOST_BOXES: usize = 1_000_000;

/// An upright box, or a level or sloping rectangle.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The corner with the smallest x and y [m].
    corner: DVec2,
    /// Height of that corner [m].
    low: f64,
    /// Along x, y and z [m].
    size: [f64; 3],
    /// How much it is higher at the other end of x [m].
    rise: f64,
}

/// What the page can say about a voxel.
const STEEP: u8 = 0;
const WALKABLE: u8 = 1;
const STANDING: u8 = 2;
const BETWEEN_LAYERS: u8 = 3;

impl Show {
    /// Adds the floors of a scene, and the voxels if the thesis's pipeline found them; what is left out because it is too much is told.
    pub fn add_floors(&mut self, floors: &Floors, layers: &Layers) -> Vec<String> {
        let mut notes = Vec::new();
        let (blocks, layers) = rectangles(floors, layers);
        if self.add_blocks("floors.boxes", "floors", &blocks, &mut notes) {
            self.add_numbers("floors.layer", layers);
        }
        if let Some(stages) = &floors.thesis {
            let (blocks, kinds) = voxels(stages);
            if self.add_blocks("voxels.boxes", "voxels", &blocks, &mut notes) {
                self.add_bytes("voxels.kind", kinds);
            }
        }
        notes
    }

    /// Whether they were added.
    fn add_blocks(&mut self, name: &str, words: &str, blocks: &[Block], notes: &mut Vec<String>) -> bool {
        if blocks.len() > MOST_BOXES {
            notes.push(format!(
                "the stage of {words} is not shown: it has {} pieces, at most {MOST_BOXES} are drawn; a coarser resolution has fewer",
                blocks.len()
            ));
            return false;
        }
        let numbers = |block: &Block| {
            let [x, y, z] = self.place(block.corner.extend(block.low));
            let [dx, dy, dz] = block.size.map(|length| length as f32);
            [x, y, z, dx, dy, dz, block.rise as f32]
        };
        let numbers: Vec<f32> = blocks.iter().flat_map(numbers).collect();
        self.add_floats(name, numbers);
        true
    }
}

/// The floors as rectangles, and the layer of each.
fn rectangles(floors: &Floors, layers: &Layers) -> (Vec<Block>, Vec<u32>) {
    let Floors { lattice, runs, .. } = floors;
    let (mut blocks, mut of): (Vec<Block>, Vec<u32>) = (Vec::new(), Vec::new());
    // The rectangle that a row may make deeper, by columns, heights and layer: its number and the row behind it.
    let mut open: BTreeMap<[u32; 5], (usize, u32)> = BTreeMap::new();
    for (number, (run, &layer)) in runs.runs.iter().zip(&layers.of_run).enumerate() {
        let end = runs.runs.get(number + 1).map_or(runs.slopes.len(), |next| next.slopes as usize);
        let slopes = &runs.slopes[run.slopes as usize..end];
        for (k, slope) in slopes.iter().enumerate() {
            let (start, end) = (slope.column, slopes.get(k + 1).map_or(run.end, |next| next.column));
            let key = [start, end, slope.height.to_bits(), slope.rise.to_bits(), layer];
            if let Some((block, row)) = open.get_mut(&key).filter(|(_, row)| *row == run.row) {
                blocks[*block].size[1] += lattice.resolution();
                *row += 1;
                continue;
            }
            open.insert(key, (blocks.len(), run.row + 1));
            let columns = f64::from(end - start);
            // Heights are those of the middles of pixels.
            let first = f64::from(slope.height) - f64::from(slope.rise) / 2.0;
            let low = lattice.height(first);
            blocks.push(Block {
                corner: lattice.corner(start, run.row),
                low,
                size: [columns * lattice.resolution(), lattice.resolution(), 0.0],
                rise: lattice.height(first + f64::from(slope.rise) * columns) - low,
            });
            of.push(layer);
        }
    }
    (blocks, of)
}

/// The coarse voxels as boxes, those over each other and alike as one, and the kind of each.
fn voxels(stages: &ThesisStages) -> (Vec<Block>, Vec<u8>) {
    let ThesisStages { voxels, accessible, portals, .. } = stages;
    let mut standing: BTreeMap<(u32, i32), u8> = BTreeMap::new();
    for (voxel, &between) in accessible.voxels.iter().zip(portals) {
        standing.insert((voxel.place, voxel.level), if between { BETWEEN_LAYERS } else { STANDING });
    }
    let (mut blocks, mut kinds) = (Vec::new(), Vec::new());
    for (place, at) in (0..).zip(&voxels.places) {
        for span in voxels.spans_of(place) {
            let other = if span.is_positive { WALKABLE } else { STEEP };
            let mut from = span.from;
            let mut put = |from: i32, to: i32, kind: u8| {
                if from < to {
                    blocks.push(voxel(&voxels.lattice, [at.column, at.row], [from, to], voxels.side));
                    kinds.push(kind);
                }
            };
            for (&(_, level), &kind) in standing.range((place, span.from)..(place, span.to)) {
                put(from, level, other);
                put(level, level + 1, kind);
                from = level + 1;
            }
            put(from, span.to, other);
        }
    }
    (blocks, kinds)
}

/// The voxels of a column from one level to below another.
fn voxel(lattice: &Lattice, [column, row]: [u32; 2], levels: [i32; 2], side: i32) -> Block {
    let [low, high] = levels.map(|level| lattice.height(f64::from(level) * f64::from(side)));
    let wide = lattice.resolution();
    Block { corner: lattice.corner(column, row), low, size: [wide, wide, high - low], rise: 0.0 }
}
