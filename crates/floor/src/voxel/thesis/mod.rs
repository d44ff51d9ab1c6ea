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
    depth::{Blocks, Depth, DepthMap, Overlay, depth_maps},
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
use crate::{GroundConfig, PlanError};
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
) -> Result<ThesisStages, PlanError> {
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
) -> Result<ThesisStages, PlanError> {
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
    refuse_large_maps(&shapes, blocks, config)?;
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

/// Pixels of all depth maps at most: the maps keep every pixel of every layer, 3 GiB of them here.
const MOST_MAP_PIXELS: u64 = 1 << 27;

/// Refuses what would take more memory than a machine has, before it does.
fn refuse_large_maps(
    shapes: &[CuttingShape],
    blocks: Blocks,
    config: &GroundConfig,
) -> Result<(), PlanError> {
    let cuts: u64 = shapes.iter().map(|shape| shape.cuts.len() as u64).sum();
    let pixels = cuts * blocks.area() as u64;
    if pixels <= MOST_MAP_PIXELS {
        return Ok(());
    }
    let resolution = config.resolution;
    let wanted = resolution * (pixels as f64 / MOST_MAP_PIXELS as f64).sqrt().ceil();
    let wanted = (wanted * 1e6).round() / 1e6;
    let millions = pixels as f64 / 1e6;
    Err(PlanError::Unusable {
        reason: format!(
            "the depth maps of the thesis's way have {millions:.0} million pixels of {resolution} m here, {:.0} GiB; at most \
             {:.0} million are possible: bake with --resolution {wanted} or more, or with --pipeline columns",
            pixels as f64 * size_of::<Depth>() as f64 / f64::from(1 << 30),
            MOST_MAP_PIXELS as f64 / 1e6,
        ),
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{columns::Floor, raster::Fragment};
    use std::collections::{BTreeMap, BTreeSet};
    use wayfare_geom::Aabb2;
    use wayfare_scene::generated::scene_by_name;

    /// Row and column of a pixel.
    type Pixel = (u32, u32);

    #[test]
    fn maps_that_no_machine_holds_are_refused_with_a_resolution_that_fits() {
        let cut = cutting::Cut { place: 0, level: 0, plane: 0, kind: cutting::CutKind::Expanded };
        let shapes = vec![CuttingShape { cuts: vec![cut; 1 << 16] }; 3];
        let config = GroundConfig::default();
        let blocks = |side| Blocks { side, shift: [0, 0] };
        assert!(refuse_large_maps(&shapes, blocks(4), &config).is_ok());
        let refused = refuse_large_maps(&shapes, blocks(64), &config).unwrap_err().to_string();
        assert!(refused.contains("805 million pixels of 0.1 m"), "{refused}");
        assert!(refused.contains("--resolution 0.3 or more"), "{refused}");
        assert!(refuse_large_maps(&shapes, blocks(64 / 3), &config).is_ok());
    }

    fn check_stages(name: &str, resolution: f64, coarse: f64) {
        let scene = scene_by_name(name).expect("a generated scene");
        let config = GroundConfig { resolution, coarse, ..GroundConfig::default() };
        let [min, max] = scene.mesh.bounds().expect("triangles");
        let bounds = Aabb2 { min: min.truncate(), max: max.truncate() };
        let lattice = Lattice::covering(bounds, [min.z, max.z], resolution).expect("a lattice");
        let surfaces = sweep::surfaces(&scene, config.max_slope, config.faces);
        let raster = sweep::raster_of(&scene, lattice);
        let stages =
            find_stages(&scene, &raster, &surfaces, &config, &Context::default()).expect("not cancelled");
        let mut fragments: BTreeMap<Pixel, Vec<Fragment>> = BTreeMap::new();
        raster.draw(0..lattice.rows(), |row, drawn| {
            for f in drawn {
                (f.start..f.end).for_each(|column| fragments.entry((row, column)).or_default().push(*f));
            }
        });
        let room = config.room();
        for (layer, shape) in stages.shapes.iter().enumerate() {
            // What is seen under the plane of each pixel, and where flooding begins.
            let mut floors: BTreeMap<Pixel, Floor> = BTreeMap::new();
            let mut flooded: BTreeSet<Pixel> = BTreeSet::new();
            let mut found: BTreeSet<Pixel> = BTreeSet::new();
            for (number, cut) in shape.cuts.iter().enumerate() {
                let place = stages.voxels.places[cut.place as usize];
                let span = stages.voxels.spans_of(cut.place).iter().find(|span| span.to == cut.level + 1);
                for row in stages.blocks.pixels(1, place.row, lattice.rows()) {
                    for column in stages.blocks.pixels(0, place.column, lattice.columns()) {
                        let [x, y] = [(0, column), (1, row)].map(|(axis, k)| stages.blocks.split(axis, k).1);
                        let pixel = number * stages.blocks.area() + (y * stages.blocks.side + x) as usize;
                        let here = fragments.get(&(row, column)).map_or(&[][..], Vec::as_slice);
                        let (under, over): (Vec<&Fragment>, Vec<&Fragment>) =
                            here.iter().partition(|f| f.low < cut.plane);
                        let (flat, steep): (Vec<&Fragment>, Vec<&Fragment>) =
                            under.into_iter().partition(|f| surfaces[f.triangle as usize].is_walkable);
                        let seen = flat.iter().max_by_key(|f| (f.high, f.low, f.triangle));
                        let depth = stages.maps[layer].pixels[pixel];
                        assert_eq!(
                            (seen.map(|f| (f.low, f.high)), steep.iter().map(|f| f.high).max()),
                            (
                                (depth.top != i32::MIN).then_some((depth.low, depth.top)),
                                (depth.line != i32::MIN).then_some(depth.line)
                            )
                        );
                        assert_eq!(over.iter().map(|f| f.low).min().unwrap_or(i32::MAX), depth.ceiling);
                        if stages.floors[layer][pixel] {
                            found.insert((row, column));
                        }
                        let Some(floor) = depth.floor(column, room) else { continue };
                        floors.insert((row, column), floor);
                        let is_start = span.is_some_and(|span| {
                            floor.low < (cut.level + 1) * stages.voxels.side
                                && floor.top >= span.from * stages.voxels.side
                        });
                        if is_start && cut.kind != cutting::CutKind::Expanded {
                            flooded.insert((row, column));
                        }
                    }
                }
            }
            // Over and over, until nothing is added.
            loop {
                let is_reached = |&(row, column): &Pixel, floor: &Floor| {
                    let beside = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)];
                    beside.iter().any(|other| flooded.contains(other) && room.connects(floor, &floors[other]))
                };
                let more: Vec<Pixel> = floors
                    .iter()
                    .filter(|(pixel, floor)| !flooded.contains(pixel) && is_reached(pixel, floor))
                    .map(|(pixel, _)| *pixel)
                    .collect();
                if more.is_empty() {
                    break;
                }
                flooded.extend(more);
            }
            assert_eq!(found, flooded, "{name}, layer {layer}");
        }
    }

    #[test]
    fn depth_maps_and_floods_are_those_of_the_definition() {
        check_stages("slabs-1", 0.25, 1.0);
        check_stages("bridge", 0.4, 0.8);
        check_stages("soup-500-1", 0.3, 0.3);
    }
}
