//! The thesis's way from triangles to floors: coarse voxels, layers, cutting shapes, depth maps.
//!
//! Idea: layers are found in a coarse picture first; each is then looked at finely, from above, with all that is over it cut off.
//! Source: thesis (seed 000), chapters 5 and 6. It is the reference for other builds of the same stages; the
//!   default pipeline ([`columns`](super::columns)) is faster and more exact (`docs/thesis-pipeline.md`).
//! Steps: 1. [`coarse`]: 6.2.1, rough voxels  2. [`layers`] and [`portals`]: 6.2.2, accessible voxels, ordered flooding
//!   3. [`cutting`]: 6.2.3, contour expansion, cutting shapes  4. [`depth`]: fine depth maps  5. [`flood`]: floors of each layer
//!   6. [`floors`]: floors of all layers as columns; from there on as by default. [`single`] is chapter 5.

pub mod coarse;
pub mod cutting;
pub mod depth;
pub mod flood;
pub mod floors;
pub mod layers;
pub mod portals;
pub mod single;
#[cfg(test)]
mod testing;

use self::{
    coarse::{Voxels, rough_voxels},
    cutting::{CuttingShape, RINGS, Reach, cutting_shapes},
    depth::{Blocks, DepthMap, Overlay, depth_maps},
    floors::Flooded,
    layers::{Accessible, CoarseLayers, accessible_voxels, ordered_flooding},
    portals::portal_voxels,
};
use super::{
    columns::{Room, Surface},
    lattice::{HEIGHT_UNITS, Lattice},
    raster::Raster,
    runs::Runs,
    sweep,
};
use crate::GroundConfig;
use rayon::prelude::*;
use wayfare_core::{Cancelled, Context, ops};
use wayfare_scene::Scene;

/// All that is found on the way.
#[derive(Clone, Debug)]
pub struct ThesisStages {
    /// The pixels.
    pub lattice: Lattice,
    /// How they lie in coarse columns.
    pub blocks: Blocks,
    /// The rough voxels.
    pub voxels: Voxels,
    /// Those that a body can stand on.
    pub accessible: Accessible,
    /// Their layers.
    pub layers: CoarseLayers,
    /// Which of them are portal-layer voxels.
    pub portals: Vec<bool>,
    /// The cutting shape of each layer.
    pub shapes: Vec<CuttingShape>,
    /// The depth map of each layer.
    pub maps: Vec<DepthMap>,
    /// Which of its pixels are floor.
    pub floors: Vec<Vec<bool>>,
}

/// Settings of the coarse stages.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Coarse {
    /// Pixels along the side of a voxel.
    factor: u32,
    /// Height of a voxel [height units].
    side: i32,
    reach: Reach,
}

/// Pixels along the side of a voxel at most.
const MOST_PIXELS: f64 = 1024.0;
/// Levels that are looked at above and below a voxel at most, and height of a voxel in units: sums stay in 31 bits.
const MOST_LEVELS: f64 = (1 << 28) as f64;

impl Coarse {
    fn new(config: &GroundConfig, rings: u32) -> Self {
        let factor = (config.coarse / config.resolution).round().clamp(1.0, MOST_PIXELS);
        let side = (factor * config.resolution * HEIGHT_UNITS).floor().clamp(1.0, MOST_LEVELS);
        let levels = |units: f64| (units / side).ceil().clamp(1.0, MOST_LEVELS) as i32;
        let room = config.room();
        // Voxels side by side on the steepest slope; 45 degrees are one level.
        let slope = side * (ops::sin(config.max_slope) / ops::cos(config.max_slope) - 1e-9);
        let rise = levels(f64::from(room.step).max(slope));
        // Voxels that a body fills wherever in its voxel it stands; the depth maps know the rest.
        let head = (f64::from(room.height) / side).floor() - 1.0;
        let reach = Reach { rise, head: head.clamp(1.0, MOST_LEVELS) as i32, rings };
        Self { factor: factor as u32, side: side as i32, reach }
    }
}

/// Runs all stages over a scene, whose pixels are those of the raster.
pub fn find_stages(
    scene: &Scene,
    raster: &Raster,
    surfaces: &[Surface],
    config: &GroundConfig,
    context: &Context,
) -> Result<ThesisStages, Cancelled> {
    find_stages_in_rings(scene, raster, surfaces, config, RINGS, context)
}

/// The same with so many rings of contour expansion; the thesis has one.
pub fn find_stages_in_rings(
    scene: &Scene,
    raster: &Raster,
    surfaces: &[Surface],
    config: &GroundConfig,
    rings: u32,
    context: &Context,
) -> Result<ThesisStages, Cancelled> {
    let Coarse { factor, side, reach } = Coarse::new(config, rings);
    let (coarse, shift) = raster.lattice().coarser(factor);
    let blocks = Blocks { side: factor, shift };
    let stage = context.stage("coarse voxels", 0);
    let voxels = rough_voxels(&sweep::raster_of(scene, coarse), surfaces, side);
    context.check()?;
    let accessible = accessible_voxels(&voxels, reach.head);
    let layers = ordered_flooding(&voxels, &accessible, reach.rise);
    let portals = portal_voxels(&voxels, &accessible, &layers, reach.rise);
    context.check()?;
    let shapes = cutting_shapes(&voxels, &accessible, &layers, &portals, reach);
    drop(stage);
    let maps = depth_maps(raster, surfaces, &voxels, &shapes, blocks, context)?;
    let stage = context.stage("flooding", shapes.len() as u64);
    let room = config.room();
    let floors = shapes.par_iter().zip(&maps).map(|(shape, map)| {
        let floors = flood::flood(&voxels, shape, map, blocks, room);
        stage.advance(1);
        floors
    });
    let floors = floors.collect();
    drop(stage);
    let lattice = *raster.lattice();
    Ok(ThesisStages { lattice, blocks, voxels, accessible, layers, portals, shapes, maps, floors })
}

impl ThesisStages {
    /// The floors of all layers as runs; `raster` and `surfaces` are those of the stages.
    pub fn find_runs(
        &self,
        raster: &Raster,
        surfaces: &[Surface],
        room: Room,
        context: &Context,
    ) -> Result<Runs, Cancelled> {
        let overlay = Overlay::new(&self.shapes, self.voxels.places.len());
        let flooded = Flooded {
            voxels: &self.voxels,
            overlay: &overlay,
            blocks: self.blocks,
            maps: &self.maps,
            floors: &self.floors,
            columns: raster.lattice().columns(),
            room,
        };
        sweep::find_runs_with(raster, surfaces, room, context, |number, row| {
            flooded.fill(number, row, surfaces)
        })
    }

    /// What was found, in a sentence for people.
    pub fn summary(&self) -> String {
        let [positive, negative] = self.voxels.count();
        let portals = self.portals.iter().filter(|&&is_portal| is_portal).count();
        format!(
            "coarse voxels: {positive} positive, {negative} negative, {} accessible in {} layers, {portals} at the border of two",
            self.accessible.voxels.len(),
            self.layers.count,
        )
    }
}
