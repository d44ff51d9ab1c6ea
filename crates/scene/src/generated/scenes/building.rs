//! A building of storeys: rooms, doors, stairs, furniture and a roof.
//!
//! Every side of every thing lies on a line of a lattice of 0.1 m, so that the ground that can be walked on is known exactly.
//! All storeys have the same walls: a corridor in the middle, two stairwells on its upper side, rooms around. Stairs lead up in
//! the left stairwell from even storeys and in the right one from odd storeys, so that no stairs stand over an opening.

use super::{
    builder::{Builder, GeneratedScene},
    raster::{Squares, free_floors, metres},
    stairs::stairs,
    truth::{TrueFloor, Walker},
};
use wayfare_core::{dvec2, dvec3};

/// From floor to floor, the slab between, the doors' height [m].
const STOREY: f64 = RISE * (TREADS + 1) as f64;
const SLAB: f64 = 0.3;
const DOOR_HEIGHT: f64 = 2.1;
/// Stairs: the floor above is one rise over the last tread.
const TREADS: usize = 17;
const RISE: f64 = 0.18;
/// Depth of a tread [dm].
const TREAD: i32 = 3;

/// The building, and the ground around it [dm].
const HOUSE: Squares = Squares { x: [0, 260], y: [0, 160] };
const SITE: Squares = Squares { x: [-60, 320], y: [-60, 220] };
/// Walls [dm]; a wall is longer than thick and may have doors.
const WALLS: [Squares; 15] = [
    // Outside.
    Squares { x: [0, 260], y: [0, 3] },
    Squares { x: [0, 260], y: [157, 160] },
    Squares { x: [0, 3], y: [3, 157] },
    Squares { x: [257, 260], y: [3, 157] },
    // Along the corridor.
    Squares { x: [3, 257], y: [68, 70] },
    Squares { x: [3, 257], y: [90, 92] },
    // Between the lower rooms.
    Squares { x: [64, 66], y: [3, 68] },
    Squares { x: [126, 128], y: [3, 68] },
    Squares { x: [190, 192], y: [3, 68] },
    // The stairwells.
    Squares { x: [3, 84], y: [106, 108] },
    Squares { x: [176, 257], y: [106, 108] },
    Squares { x: [84, 86], y: [92, 157] },
    Squares { x: [174, 176], y: [92, 157] },
    // Between the upper rooms.
    Squares { x: [86, 128], y: [122, 124] },
    Squares { x: [128, 130], y: [92, 157] },
];
/// Openings in the walls, 0.9 m wide and as deep as the wall [dm].
const DOORS: [Squares; 14] = [
    // Lower rooms to the corridor.
    Squares { x: [40, 49], y: [68, 70] },
    Squares { x: [100, 109], y: [68, 70] },
    Squares { x: [140, 149], y: [68, 70] },
    Squares { x: [230, 239], y: [68, 70] },
    // Between two of them.
    Squares { x: [126, 128], y: [20, 29] },
    // Both ends of both stairwells.
    Squares { x: [6, 15], y: [90, 92] },
    Squares { x: [72, 81], y: [90, 92] },
    Squares { x: [179, 188], y: [90, 92] },
    Squares { x: [245, 254], y: [90, 92] },
    // Upper rooms.
    Squares { x: [100, 109], y: [90, 92] },
    Squares { x: [150, 159], y: [90, 92] },
    Squares { x: [110, 119], y: [122, 124] },
    Squares { x: [84, 86], y: [130, 139] },
    Squares { x: [174, 176], y: [118, 127] },
];
/// The way in, on the ground floor only [dm].
const ENTRANCE: Squares = Squares { x: [0, 3], y: [76, 85] };
/// Where stairs are, in the left and the right stairwell [dm].
const WELLS: [Squares; 2] = [
    Squares { x: [18, 18 + TREAD * 17], y: [92, 106] },
    Squares { x: [242 - TREAD * 17, 242], y: [92, 106] },
];

/// Things of one storey, by their left lower corners [dm]. Chairs look up or down (their backs are up or down).
const TABLES: [[i32; 2]; 9] =
    [[16, 20], [16, 44], [84, 30], [150, 24], [206, 40], [226, 12], [100, 134], [146, 130], [20, 126]];
const CHAIRS: [([i32; 2], Side); 12] = [
    ([22, 12], Side::Down),
    ([22, 32], Side::Up),
    ([22, 56], Side::Up),
    ([88, 22], Side::Down),
    ([90, 42], Side::Up),
    ([156, 36], Side::Up),
    ([212, 32], Side::Down),
    ([232, 24], Side::Up),
    ([104, 146], Side::Up),
    ([150, 142], Side::Up),
    ([154, 122], Side::Down),
    ([26, 118], Side::Down),
];
const SHELVES: [Squares; 8] = [
    Squares { x: [3, 7], y: [30, 60] },
    Squares { x: [66, 86], y: [3, 7] },
    Squares { x: [128, 132], y: [40, 60] },
    Squares { x: [194, 224], y: [3, 7] },
    Squares { x: [253, 257], y: [20, 50] },
    Squares { x: [86, 90], y: [96, 116] },
    Squares { x: [130, 134], y: [100, 150] },
    Squares { x: [200, 240], y: [153, 157] },
];

/// Where the back of a chair is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Up,
    Down,
}

/// Tops and undersides [m].
const TABLE_TOP: [f64; 2] = [0.71, 0.75];
const SEAT: [f64; 2] = [0.41, 0.45];
const CHAIR_BACK: f64 = 0.9;
const SHELF_TOP: f64 = 2.0;

fn table(corner: [i32; 2]) -> Squares {
    Squares::new(corner, [16, 8])
}
fn chair(corner: [i32; 2]) -> Squares {
    Squares::new(corner, [4, 4])
}
/// The seat before the back, and the back.
fn seat_and_back(corner @ [x, y]: [i32; 2], side: Side) -> [Squares; 2] {
    match side {
        Side::Up => [Squares::new(corner, [4, 3]), Squares::new([x, y + 3], [4, 1])],
        Side::Down => [Squares::new([x, y + 1], [4, 3]), Squares::new(corner, [4, 1])],
    }
}
/// The stairwell with the stairs that lead up from a storey.
fn well(storey: usize) -> Squares {
    WELLS[storey % 2]
}

/// Whether walls have thickness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallKind {
    /// Walls are closed boxes, 0.2 m or 0.3 m thick.
    Solid,
    /// Walls are single sheets without thickness, seen from one side, in the middle of where the solid ones are.
    Sheet,
}

/// A building of so many storeys on a piece of ground: 26 m by 16 m, rooms with doors of 0.9 m by 2.1 m, tables, chairs and
/// shelves, stairs with 18 rises of 0.18 m between storeys 3.24 m apart, and a flat roof that nothing leads to.
///
/// ```
/// use wayfare_scene::generated::scenes::{WallKind, building};
/// let house = building(2, WallKind::Solid).scene;
/// assert_eq!(house.tag_names, ["floor", "furniture", "ground", "roof", "stairs", "wall"]);
/// let [_, top] = house.mesh.bounds().unwrap();
/// assert!((top.z - 6.48).abs() < 1e-12);
/// ```
///
/// # Panics
/// Without storeys.
pub fn building(storeys: usize, walls: WallKind) -> GeneratedScene {
    assert!(storeys > 0, "a building has a storey at least");
    let mut b = Builder::new("ground");
    block(&mut b, SITE, -0.5, 0.0);
    for storey in 0..storeys {
        let low = floor_height(storey);
        let ceiling = floor_height(storey + 1) - SLAB;
        b.tag("wall");
        for wall in WALLS {
            build_wall(&mut b, wall, storey, [low, ceiling], walls);
        }
        b.tag("furniture");
        furnish(&mut b, low);
        // The slab over the storey, around the opening for the stairs.
        if storey + 1 < storeys {
            b.tag("floor");
            let hole = well(storey);
            let Squares { x, y } = HOUSE;
            let pieces = [
                Squares { x, y: [y[0], hole.y[0]] },
                Squares { x, y: [hole.y[1], y[1]] },
                Squares { x: [x[0], hole.x[0]], y: hole.y },
                Squares { x: [hole.x[1], x[1]], y: hole.y },
            ];
            for piece in pieces {
                block(&mut b, piece, ceiling, ceiling + SLAB);
            }
            b.tag("stairs");
            let width = metres(hole.y[1]) - metres(hole.y[0]);
            // Up to the right on the left side of the building, up to the left on the right side.
            let (foot, up) =
                if storey % 2 == 0 { (hole.min(), dvec2(1.0, 0.0)) } else { (hole.max(), dvec2(-1.0, 0.0)) };
            stairs(&mut b, foot, up, width, [metres(TREAD), RISE], TREADS, low);
        }
    }
    b.tag("roof");
    let top = floor_height(storeys);
    block(&mut b, HOUSE, top - SLAB, top);
    b.finish()
}

fn floor_height(storey: usize) -> f64 {
    storey as f64 * STOREY
}

fn block(b: &mut Builder, squares: Squares, low: f64, high: f64) {
    b.block(squares.min().extend(low), squares.max().extend(high));
}

/// A wall with its doors: pieces beside the doors, and above them.
fn build_wall(b: &mut Builder, wall: Squares, storey: usize, [low, high]: [f64; 2], kind: WallKind) {
    let is_across = wall.x[1] - wall.x[0] > wall.y[1] - wall.y[0];
    let along = |squares: &Squares| if is_across { squares.x } else { squares.y };
    let entrance = (storey == 0).then_some(ENTRANCE);
    let mut doors: Vec<[i32; 2]> = DOORS
        .into_iter()
        .chain(entrance)
        .filter(|door| wall.contains(door.x[0], door.y[0]))
        .map(|door| along(&door))
        .collect();
    doors.sort_unstable();
    let mut piece = |[from, to]: [i32; 2], low: f64| {
        let range = [from, to];
        let squares = if is_across { Squares { x: range, ..wall } } else { Squares { y: range, ..wall } };
        let (min, max) = (squares.min(), squares.max());
        match kind {
            WallKind::Solid => b.block(min.extend(low), max.extend(high)),
            WallKind::Sheet => {
                let (a, c) = if is_across {
                    let y = (min.y + max.y) / 2.0;
                    (dvec2(min.x, y), dvec2(max.x, y))
                } else {
                    let x = (min.x + max.x) / 2.0;
                    (dvec2(x, min.y), dvec2(x, max.y))
                };
                b.face(&[a.extend(low), c.extend(low), c.extend(high), a.extend(high)]);
            }
        }
    };
    let [mut at, end] = along(&wall);
    for [from, to] in doors {
        piece([at, from], low);
        piece([from, to], low + DOOR_HEIGHT);
        at = to;
    }
    piece([at, end], low);
}

fn furnish(b: &mut Builder, low: f64) {
    for corner in TABLES {
        let top = table(corner);
        block(b, top, low + TABLE_TOP[0], low + TABLE_TOP[1]);
        legs(b, top, low, low + TABLE_TOP[0]);
    }
    for (corner, side) in CHAIRS {
        let [_, back] = seat_and_back(corner, side);
        block(b, chair(corner), low + SEAT[0], low + SEAT[1]);
        block(b, back, low + SEAT[1], low + CHAIR_BACK);
        legs(b, chair(corner), low, low + SEAT[0]);
    }
    for shelf in SHELVES {
        block(b, shelf, low, low + SHELF_TOP);
    }
}

/// Four legs of 4 cm.
fn legs(b: &mut Builder, top: Squares, low: f64, high: f64) {
    let (min, max) = (top.min(), top.max() - 0.04);
    for (x, y) in [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)] {
        b.block(dvec3(x, y, low), dvec3(x + 0.04, y + 0.04, high));
    }
}

/// What can be walked on in [`building`] with solid walls: the ground and the storeys, each tread, table tops, seats and backs of
/// chairs, and the roof. Known for heights of 1 m to 2.1 m, steps of 0.18 m to 0.44 m and any slope; `None` else.
pub fn building_floors(storeys: usize, walker: &Walker) -> Option<Vec<TrueFloor>> {
    // Taller bodies do not fit through doors, smaller ones onto shelves; longer steps lead onto chairs.
    if !((1.0..=2.1).contains(&walker.height) && (RISE..=0.44).contains(&walker.step)) {
        return None;
    }
    let mut floors = Vec::new();
    for storey in 0..storeys {
        let low = floor_height(storey);
        let has_stairs = storey + 1 < storeys;
        let is_taken = |x: i32, y: i32| {
            let at = |squares: &Squares| squares.contains(x, y);
            let is_door = DOORS.iter().any(at) || storey == 0 && at(&ENTRANCE);
            WALLS.iter().any(at) && !is_door
                || TABLES.iter().any(|&corner| at(&table(corner)))
                || CHAIRS.iter().any(|&(corner, _)| at(&chair(corner)))
                || SHELVES.iter().any(at)
                || has_stairs && at(&well(storey))
                || storey > 0 && at(&well(storey - 1))
        };
        let all = if storey == 0 { SITE } else { HOUSE };
        floors.extend(free_floors(all, low, |x, y| !is_taken(x, y)));
        let top = |squares: Squares, z: f64| TrueFloor::rectangle(squares.min(), squares.max(), z);
        floors.extend(TABLES.map(|corner| top(table(corner), low + TABLE_TOP[1])));
        for (corner, side) in CHAIRS {
            let [seat, back] = seat_and_back(corner, side);
            floors.extend([top(seat, low + SEAT[1]), top(back, low + CHAIR_BACK)]);
        }
        if has_stairs {
            let Squares { x, y } = well(storey);
            for k in 0..TREADS as i32 {
                let x = if storey % 2 == 0 {
                    [x[0] + k * TREAD, x[0] + (k + 1) * TREAD]
                } else {
                    [x[1] - (k + 1) * TREAD, x[1] - k * TREAD]
                };
                floors.push(top(Squares { x, y }, low + f64::from(k + 1) * RISE));
            }
        }
    }
    floors.push(TrueFloor::rectangle(HOUSE.min(), HOUSE.max(), floor_height(storeys)));
    Some(floors)
}
