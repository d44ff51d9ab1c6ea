//! Thin walls at odd angles, and one wall with a door of any width.

use super::{
    super::random::Random,
    builder::{Builder, GeneratedScene, rectangle},
    truth::{TrueFloor, Walker},
};
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Polygon;

/// Side of the floor, height of the walls [m].
const SIDE: f64 = 20.0;
const HEIGHT: f64 = 2.5;
/// Walls that go from edge to edge.
const WALLS: usize = 5;
/// Half of the thickness of walls that have one [m].
const HALF: f64 = 0.01;

/// Widths of the doors of [`thin_walls`], from left to right [m].
pub const DOOR_WIDTHS: [f64; WALLS] = [0.5, 0.9, 0.7, 1.2, 0.6];

/// A wall from the lower edge of the floor to the upper one, with a door.
struct Wall {
    low: DVec2,
    high: DVec2,
    /// Ends of the door.
    door: [DVec2; 2],
    is_solid: bool,
}

impl Wall {
    /// The piece below or above the door, from the floor's edge to the door.
    fn pieces(&self) -> [[DVec2; 2]; 2] {
        [[self.low, self.door[0]], [self.high, self.door[1]]]
    }
    /// From the middle of the wall to its right side, along x so that ends lie on the floor's edges.
    fn half(&self) -> DVec2 {
        let along = (self.high - self.low).normalize();
        dvec2(HALF / along.y, 0.0)
    }
}

fn walls_of(seed: u64) -> (Vec<Wall>, Vec<[DVec2; 2]>) {
    let mut random = Random::new(seed ^ 0x3A11);
    let pitch = SIDE / (WALLS + 1) as f64;
    let mut walls = Vec::new();
    let mut sheets = Vec::new();
    for (k, width) in DOOR_WIDTHS.into_iter().enumerate() {
        let middle = pitch * (k + 1) as f64;
        // Neighbours come as near as 0.7 m.
        let mut end = |y: f64| dvec2(middle + random.between(-1.3, 1.3), y);
        let (low, high) = (end(0.0), end(SIDE));
        let at = random.between(0.15, 0.8);
        let share = width / low.distance(high);
        let door = [low.lerp(high, at), low.lerp(high, at + share)];
        walls.push(Wall { low, high, door, is_solid: k % 2 == 1 });
    }
    // One sheet that stands alone in each room, away from the walls.
    for k in 0..=WALLS {
        let left = if k == 0 { dvec2(0.0, 0.0) } else { walls[k - 1].low.max(walls[k - 1].high) };
        let right = if k == WALLS { dvec2(SIDE, 0.0) } else { walls[k].low.min(walls[k].high) };
        let (from, to) = (left.x + 0.2, right.x - 0.2);
        let y = random.between(2.0, 18.0);
        let mut end = || dvec2(random.between(from, to), y + random.between(-1.5, 1.5));
        let (a, b) = (end(), end());
        if to > from && a.distance(b) > 0.3 {
            sheets.push([a, b]);
        }
    }
    (walls, sheets)
}

/// A floor of 20 m by 20 m, cut into six rooms by five walls at odd angles, each with a door of known width
/// ([`DOOR_WIDTHS`]): the first, third and fifth wall have no thickness, the others 2 cm. In most rooms a wall without
/// thickness stands alone.
///
/// ```
/// use wayfare_scene::generated::scenes::thin_walls;
/// assert_eq!(thin_walls(3).scene.tag_names, ["floor", "wall"]);
/// ```
pub fn thin_walls(seed: u64) -> GeneratedScene {
    let (walls, sheets) = walls_of(seed);
    let mut b = Builder::new("floor");
    b.face(&rectangle(DVec2::ZERO, DVec2::splat(SIDE), 0.0));
    b.tag("wall");
    for wall in &walls {
        for piece in wall.pieces() {
            if wall.is_solid {
                b.prism(&outline_of(piece, wall.half()), 0.0, HEIGHT);
            } else {
                upright(&mut b, piece);
            }
        }
    }
    for sheet in sheets {
        upright(&mut b, sheet);
    }
    b.finish()
}

fn upright(b: &mut Builder, [p, q]: [DVec2; 2]) {
    b.face(&[p.extend(0.0), q.extend(0.0), q.extend(HEIGHT), p.extend(HEIGHT)]);
}

/// Counter-clockwise, whichever end is the lower one.
fn outline_of([p, q]: [DVec2; 2], half: DVec2) -> [DVec2; 4] {
    let [p, q] = if p.y < q.y { [p, q] } else { [q, p] };
    [p - half, p + half, q + half, q - half]
}

/// What can be walked on in [`thin_walls`], for any body: the floor with its walls as spikes and sheets, and the tops of the
/// walls that have thickness.
pub fn thin_walls_floors(seed: u64, _walker: &Walker) -> Vec<TrueFloor> {
    let (walls, mut sheets) = walls_of(seed);
    let mut tops = Vec::new();
    let (mut lower, mut upper) = (vec![dvec2(0.0, 0.0)], vec![dvec2(SIDE, SIDE)]);
    for wall in &walls {
        if !wall.is_solid {
            sheets.extend(wall.pieces());
            continue;
        }
        for piece in wall.pieces() {
            tops.push(TrueFloor::level(Polygon::new(outline_of(piece, wall.half()).to_vec()), HEIGHT));
        }
        // Round the lower piece from left to right, along the lower edge of the floor.
        let [a, b, c, d] = outline_of(wall.pieces()[0], wall.half());
        lower.extend([a, d, c, b]);
    }
    lower.push(dvec2(SIDE, 0.0));
    // Along the upper edge from right to left.
    for wall in walls.iter().rev().filter(|wall| wall.is_solid) {
        let [a, b, c, d] = outline_of(wall.pieces()[1], wall.half());
        upper.extend([c, b, a, d]);
    }
    upper.push(dvec2(0.0, SIDE));
    lower.extend(upper);
    let mut floor = TrueFloor::level(Polygon::new(lower), 0.0);
    floor.sheets = sheets;
    tops.insert(0, floor);
    tops
}

/// Half of the floor's side, half of the wall's thickness in [`door`] [m].
const YARD: f64 = 4.0;
const THICK: f64 = 0.05;

/// A floor of 8 m by 8 m about the origin, and across it a wall along the x axis, 0.1 m thick and 2.5 m high, with a door of the
/// given width [m] in the middle, open to the top. To be turned and shifted by [`GeneratedScene::moved`].
///
/// ```
/// use wayfare_scene::generated::scenes::{Walker, door, door_floors};
/// use wayfare_core::dvec3;
/// let turned = door(0.8).moved(0.3, dvec3(100.0, 0.0, 0.0));
/// assert_eq!(turned.closed_parts.len(), 2);
/// assert_eq!(door_floors(0.8, &Walker::default()).len(), 3);
/// ```
///
/// # Panics
/// Unless the width is over 0 and below 8.
pub fn door(width: f64) -> GeneratedScene {
    assert!(width > 0.0 && width < 2.0 * YARD, "the door is {width} m wide");
    let mut b = Builder::new("floor");
    b.face(&rectangle(DVec2::splat(-YARD), DVec2::splat(YARD), 0.0));
    b.tag("wall");
    for [min, max] in door_walls(width) {
        b.block(min.extend(0.0), max.extend(HEIGHT));
    }
    b.finish()
}

fn door_walls(width: f64) -> [[DVec2; 2]; 2] {
    let half = width / 2.0;
    [[dvec2(-YARD, -THICK), dvec2(-half, THICK)], [dvec2(half, -THICK), dvec2(YARD, THICK)]]
}

/// What can be walked on in [`door`], for any body: the floor and the tops of the two walls.
pub fn door_floors(width: f64, _walker: &Walker) -> Vec<TrueFloor> {
    let (half, side, thick) = (width / 2.0, YARD, THICK);
    let outline = [
        (-side, -side),
        (side, -side),
        (side, -thick),
        (half, -thick),
        (half, thick),
        (side, thick),
        (side, side),
        (-side, side),
        (-side, thick),
        (-half, thick),
        (-half, -thick),
        (-side, -thick),
    ];
    let floor = Polygon::new(outline.map(|(x, y)| dvec2(x, y)).to_vec());
    let [left, right] = door_walls(width).map(|[min, max]| TrueFloor::rectangle(min, max, HEIGHT));
    vec![TrueFloor::level(floor, 0.0), left, right]
}
