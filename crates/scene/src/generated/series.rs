//! Ten plans of growing complexity, as in the experiments of the thesis.
//!
//! Source: R. Oliva 2012, "ANavMG", chapter 8: "10 2D scenarios of increasing complexity ranging from 23
//! vertices to 965", of rooms with polygonal and round obstacles. The plans themselves are not published;
//! these have the same span and the same kinds of elements, the counts in between are ours.

use super::{
    random::Random,
    shapes::{RECTANGLE, placed, regular, star},
};
use crate::{PlanSource, contour::trace};
use std::f64::consts::TAU;
use wayfare_core::{DVec2, dvec2};

/// Vertices of the ten plans of [`thesis_series`].
pub const THESIS_VERTICES: [usize; 10] = [23, 60, 112, 180, 266, 368, 490, 630, 790, 965];
/// Rooms across and along.
const ROOMS: [[usize; 2]; 10] =
    [[1, 1], [2, 1], [2, 2], [3, 2], [3, 3], [4, 3], [4, 4], [5, 4], [5, 5], [6, 5]];

/// Squares of the drawing grid per metre.
const PER_METRE: usize = 4;
/// A room, its wall and a door [squares].
const ROOM: usize = 24;
const WALL: usize = 1;
const DOOR: usize = 4;
/// Obstacles stand on 2 × 2 places per room.
const PLACES: usize = 2;

/// Ten plans with 23 to 965 vertices: rooms, doors, polygonal and round obstacles.
pub fn thesis_series() -> Vec<PlanSource> {
    (0..THESIS_VERTICES.len()).map(plan).collect()
}

fn plan(number: usize) -> PlanSource {
    let [across, along] = ROOMS[number];
    let mut random = Random::new(number as u64);
    let pitch = ROOM + WALL;
    let (width, height) = (across * pitch - WALL, along * pitch - WALL);
    // 1. Rooms, with doors to the right always and upwards mostly: all are connected.
    let mut free = vec![vec![false; width]; height];
    let mut paint = |x: usize, y: usize, w: usize, h: usize| {
        for row in &mut free[y..y + h] {
            row[x..x + w].fill(true);
        }
    };
    for k in 0..along {
        for i in 0..across {
            let (x, y) = (i * pitch, k * pitch);
            paint(x, y, ROOM, ROOM);
            let shift = random.below(ROOM - DOOR - 4) + 2;
            if i + 1 < across {
                paint(x + ROOM, y + shift, WALL, DOOR);
            }
            if k + 1 < along && (i == 0 || random.below(3) > 0) {
                paint(x + shift, y + ROOM, DOOR, WALL);
            }
        }
    }
    let metres = |k: u32| f64::from(k) / PER_METRE as f64;
    let mut polygons =
        trace(width, height, |k, row| row.copy_from_slice(&free[k]), |x, y| dvec2(metres(x), metres(y)));
    debug_assert_eq!(polygons.len(), 1, "all rooms are connected");
    // 2. Obstacles, until the number of vertices is reached.
    let mut left = THESIS_VERTICES[number] - polygons[0].len();
    let places = across * along * PLACES * PLACES;
    for place in 0..places {
        let (room, inside) = (place / (PLACES * PLACES), place % (PLACES * PLACES));
        let spot = dvec2((inside % PLACES) as f64, (inside / PLACES) as f64) + 0.5;
        let room = dvec2((room % across) as f64, (room / across) as f64);
        let side = ROOM as f64 / PER_METRE as f64;
        let centre = room * pitch as f64 / PER_METRE as f64 + spot * side / PLACES as f64;
        let mean = left.div_ceil(places - place).max(4);
        let count = if place + 1 == places { left } else { (mean - 2 + random.below(5)).max(3) };
        let count = if left < count + 3 { left } else { count };
        if count == 0 {
            break;
        }
        left -= count;
        polygons[0].holes.push(obstacle(count, centre, &mut random));
    }
    PlanSource::from_polygons(polygons)
}

fn obstacle(count: usize, centre: DVec2, random: &mut Random) -> Vec<DVec2> {
    let radius = random.between(0.4, 1.1);
    match count {
        4 => placed(RECTANGLE, centre, dvec2(radius, 0.6 * radius), random.between(0.0, TAU)),
        5..=7 if random.below(2) == 0 => star(centre, radius, count, random),
        _ => regular(centre, radius, count, random.between(0.0, TAU)),
    }
}
