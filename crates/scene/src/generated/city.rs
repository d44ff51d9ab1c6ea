//! A city: blocks of buildings between streets, squares with trees.

use super::{
    random::Random,
    shapes::{L_SHAPE, RECTANGLE, T_SHAPE, U_SHAPE, outline, placed, regular},
};
use crate::PlanSource;
use std::f64::consts::TAU;
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Polygon;

/// Block and street together [m].
const PITCH: f64 = 60.0;
/// A street [m].
const STREET: f64 = 14.0;
/// Lots along the side of a block.
const LOTS: usize = 2;
/// Vertices of a block on average: four lots of about seven.
const BLOCK_MEAN: usize = 27;

/// A city with `vertices` in all (at least 16): streets of 14 m, blocks of four lots with buildings of five
/// kinds, each block turned a little, some blocks squares with trees.
///
/// # Panics
/// With fewer than 16 vertices.
pub fn city(vertices: usize, seed: u64) -> PlanSource {
    assert!(vertices >= 16, "a city has at least 16 vertices");
    let mut random = Random::new(seed ^ 0xC17E);
    let mut left = vertices - 4;
    let columns = ((left.div_ceil(BLOCK_MEAN) as f64).sqrt().ceil() as usize).max(1);
    let mut holes = Vec::new();
    let mut block = 0;
    while left > 0 {
        let corner = dvec2((block % columns) as f64, (block / columns) as f64) * PITCH;
        let middle = corner + PITCH / 2.0;
        // The block is turned by up to 6 degrees; the street keeps its corners apart.
        let turn = random.between(-0.1, 0.1);
        let is_square = random.below(8) == 0;
        for lot in 0..LOTS * LOTS {
            if left == 0 {
                break;
            }
            let lot = dvec2((lot % LOTS) as f64, (lot / LOTS) as f64) - 0.5;
            let centre = middle + rotate(lot * (PITCH - STREET) / LOTS as f64, turn);
            // Lots are 23 m; buildings leave at least 1.5 m on either side of a lot.
            let half = dvec2(random.between(5.0, 10.0), random.between(5.0, 10.0));
            let building = match random.below(6) {
                _ if is_square => regular(centre, random.between(0.3, 1.2), 6, turn),
                0 => placed(L_SHAPE, centre, half, turn),
                1 => placed(U_SHAPE, centre, half, turn + TAU / 2.0),
                2 => placed(T_SHAPE, centre, half, turn),
                3 => regular(centre, half.x, 12, turn),
                _ => placed(RECTANGLE, centre, half, turn),
            };
            // The last building takes what is left, so that the number is exact.
            let building =
                if left < building.len() + 3 { regular(centre, 8.0, left, turn) } else { building };
            left -= building.len();
            holes.push(building);
        }
        block += 1;
    }
    let size = dvec2(columns as f64, block.div_ceil(columns) as f64) * PITCH;
    PlanSource::from_polygons(vec![Polygon { outer: outline(DVec2::ZERO, size), holes }])
}

fn rotate(p: DVec2, angle: f64) -> DVec2 {
    let (s, c) = (wayfare_core::ops::sin(angle), wayfare_core::ops::cos(angle));
    dvec2(c * p.x - s * p.y, s * p.x + c * p.y)
}
