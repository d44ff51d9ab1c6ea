//! Voxels made by hand, for tests.

use super::coarse::{Voxels, rough_voxels};
use crate::voxel::{Lattice, columns::Surface, raster::Raster};
use wayfare_core::{DVec3, dvec2};
use wayfare_geom::Aabb2;

/// Voxels of one column from one level to the one below another.
#[derive(Clone, Copy, Debug)]
pub struct Tower {
    pub column: u32,
    pub row: u32,
    pub from: i32,
    pub to: i32,
    pub is_positive: bool,
}

/// Voxels of one metre, in columns and rows 0 to 8.
pub fn towers(towers: &[Tower]) -> Voxels {
    let bounds = Aabb2 { min: dvec2(1.0, 1.0), max: dvec2(8.0, 8.0) };
    let lattice = Lattice::covering(bounds, [0.0, 20.0], 1.0).unwrap();
    let triangles = towers.iter().map(|tower| {
        let (x, y) = (f64::from(tower.column) + 0.5, f64::from(tower.row) + 0.5);
        [
            DVec3::new(x, y, f64::from(tower.from) + 0.25),
            DVec3::new(x, y, f64::from(tower.to) - 0.25),
            DVec3::new(x + 0.1, y, f64::from(tower.to) - 0.25),
        ]
    });
    let surfaces: Vec<Surface> =
        towers.iter().map(|tower| Surface { is_walkable: tower.is_positive, tag: 0 }).collect();
    rough_voxels(&Raster::new(lattice, triangles), &surfaces, 4096)
}
