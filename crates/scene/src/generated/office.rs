//! The built-in demo plan: one floor of an office.

use super::shapes::regular;
use crate::{PlanSource, contour::trace};
use wayfare_core::dvec2;

/// Squares of the drawing grid per metre: walls are 2 thick, doors 9 wide.
const PER_METRE: usize = 10;

/// Rooms as x ranges [dm]; the first list lies below the corridor, the second above.
const LOWER: [[usize; 2]; 7] =
    [[0, 56], [58, 110], [112, 174], [176, 228], [230, 282], [284, 340], [342, 400]];
const UPPER: [[usize; 2]; 7] =
    [[0, 64], [66, 120], [122, 200], [202, 254], [256, 334], [336, 368], [370, 400]];
/// Doors to the corridor, by their left end [dm].
const LOWER_DOORS: [usize; 7] = [40, 64, 138, 182, 240, 322, 350];
const UPPER_DOORS: [usize; 7] = [46, 86, 130, 238, 262, 348, 380];
/// Doors between neighbouring rooms: x of the wall, lower end [dm].
const INNER_DOORS: [[usize; 2]; 5] = [[110, 20], [228, 14], [64, 140], [200, 104], [334, 146]];
/// Desks, shelves and pillars: x, y of the lower left corner, width, depth [dm].
const FURNITURE: [[usize; 4]; 34] = [
    // Lower rooms.
    [18, 30, 16, 8],
    [18, 40, 16, 8],
    [0, 56, 20, 6],
    [70, 18, 16, 8],
    [92, 40, 8, 16],
    [124, 14, 16, 8],
    [124, 24, 16, 8],
    [148, 14, 16, 8],
    [148, 24, 16, 8],
    [124, 46, 4, 4],
    [158, 46, 4, 4],
    [188, 30, 28, 10],
    [244, 12, 16, 8],
    [262, 34, 8, 16],
    [296, 20, 16, 8],
    [296, 30, 16, 8],
    [330, 0, 10, 26],
    [356, 18, 30, 14],
    [394, 40, 6, 20],
    // The corridor.
    [110, 78, 4, 4],
    [280, 78, 4, 4],
    // Upper rooms.
    [14, 118, 16, 8],
    [36, 118, 16, 8],
    [0, 150, 40, 6],
    [78, 126, 28, 12],
    [136, 146, 50, 6],
    [214, 120, 8, 16],
    [236, 140, 16, 8],
    [264, 120, 16, 8],
    [264, 130, 16, 8],
    [264, 150, 26, 6],
    [308, 122, 16, 8],
    [308, 132, 16, 8],
    [344, 140, 18, 8],
];

/// One floor of an office, 40 m by 16 m: a corridor, 14 rooms with doors of 0.9 m, desks, pillars, a round
/// column. (1, 1) and (30, 12) are free.
pub fn office() -> PlanSource {
    let (width, height) = (40 * PER_METRE, 16 * PER_METRE);
    let mut free = vec![vec![false; width]; height];
    let mut paint = |x: [usize; 2], y: [usize; 2], is_free: bool| {
        for row in &mut free[y[0]..y[1]] {
            row[x[0]..x[1]].fill(is_free);
        }
    };
    paint([0, 400], [70, 90], true);
    for (room, door) in LOWER.into_iter().zip(LOWER_DOORS) {
        paint(room, [0, 68], true);
        paint([door, door + 9], [68, 70], true);
    }
    for (room, door) in UPPER.into_iter().zip(UPPER_DOORS) {
        paint(room, [92, 160], true);
        paint([door, door + 9], [90, 92], true);
    }
    for [x, y] in INNER_DOORS {
        paint([x, x + 2], [y, y + 9], true);
    }
    for [x, y, w, d] in FURNITURE {
        paint([x, x + w], [y, y + d], false);
    }
    let metres = |k: u32| f64::from(k) / PER_METRE as f64;
    let mut polygons =
        trace(width, height, |k, row| row.copy_from_slice(&free[k]), |x, y| dvec2(metres(x), metres(y)));
    debug_assert_eq!(polygons.len(), 1, "the office is connected");
    // A round column in the hall, and the round table of a meeting room.
    polygons[0].holes.push(regular(dvec2(15.2, 11.6), 0.45, 16, 0.0));
    polygons[0].holes.push(regular(dvec2(7.0, 4.6), 0.6, 12, 0.0));
    PlanSource::from_polygons(polygons)
}
