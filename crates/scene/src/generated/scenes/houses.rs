//! Two houses of two storeys with what makes walking in real models hard: thresholds, open stairs, railings, planks, beams.
//!
//! They stand for the Terrace house and the Town house of seed 002, whose files are not free.

use super::builder::{Builder, GeneratedScene};
use wayfare_core::{DVec2, dvec2, dvec3};

/// A door or a window in a wall: from where to where along it, and its sill and head over the floor [m].
type Opening = [f64; 4];

/// Doors and windows reach up to here over the floor [m].
const HEAD: f64 = 2.1;

fn door(from: f64, to: f64) -> Opening {
    [from, to, 0.0, HEAD]
}
fn window(from: f64, to: f64) -> Opening {
    [from, to, 0.9, HEAD]
}

/// Puts houses together from boxes.
struct Mason {
    b: Builder,
}

impl Mason {
    fn block(&mut self, tag: &str, x: [f64; 2], y: [f64; 2], z: [f64; 2]) {
        self.b.tag(tag);
        self.b.block(dvec3(x[0], y[0], z[0]), dvec3(x[1], y[1], z[1]));
    }

    /// A wall along x (or y) with openings, and a threshold in each door.
    fn wall(
        &mut self,
        along_x: bool,
        line: [f64; 2],
        ends: [f64; 2],
        z: [f64; 2],
        openings: &[Opening],
        threshold: f64,
    ) {
        let mut part = |tag: &str, run: [f64; 2], z: [f64; 2]| {
            let (x, y) = if along_x { (run, line) } else { (line, run) };
            self.block(tag, x, y, z);
        };
        let mut from = ends[0];
        for &[start, end, sill, head] in openings {
            part("wall", [from, start], z);
            part("wall", [start, end], [z[0] + head, z[1]]);
            if sill > 0.0 {
                part("wall", [start, end], [z[0], z[0] + sill]);
            } else if threshold > 0.0 {
                part("threshold", [start, end], [z[0], z[0] + threshold]);
            }
            from = end;
        }
        part("wall", [from, ends[1]], z);
    }

    /// A floor with a rectangular hole.
    fn floor_with_well(&mut self, size: DVec2, z: [f64; 2], x: [f64; 2], y: [f64; 2]) {
        self.block("floor", [0.0, x[0]], [0.0, size.y], z);
        self.block("floor", [x[1], size.x], [0.0, size.y], z);
        self.block("floor", x, [0.0, y[0]], z);
        self.block("floor", x, [y[1], size.y], z);
    }

    /// Treads without risers that rise along y, each as high over the last.
    fn stair(&mut self, x: [f64; 2], y: [f64; 2], z: [f64; 2], risers: u32) {
        let treads = risers - 1;
        let at = |k: u32| y[0] + (y[1] - y[0]) * f64::from(k) / f64::from(treads);
        for k in 0..treads {
            let top = z[0] + (z[1] - z[0]) * f64::from(k + 1) / f64::from(risers);
            self.block("stair", x, [at(k), at(k + 1)], [top - 0.05, top]);
        }
    }

    /// A railing from one place to another: posts and a rail on top.
    fn railing(&mut self, from: DVec2, to: DVec2, z: f64, every: f64) {
        const POST: f64 = 0.015;
        let posts = ((to - from).length() / every).round().max(1.0) as u32;
        for k in 0..=posts {
            let p = from.lerp(to, f64::from(k) / f64::from(posts));
            self.block("railing", [p.x - POST, p.x + POST], [p.y - POST, p.y + POST], [z, z + 0.9]);
        }
        let (low, high) = (from.min(to) - 0.02, from.max(to) + 0.02);
        self.block("railing", [low.x, high.x], [low.y, high.y], [z + 0.9, z + 0.95]);
    }
}

/// A terrace house of 10 m × 8 m: thresholds of 2 cm, a stair of sixteen open treads, a deck of planks 1 cm apart, railings and beams;
/// about 6,000 triangles.
///
/// ```
/// let triangles = wayfare_scene::generated::scenes::terrace_house().scene.mesh.triangles.len();
/// assert!((5500..6500).contains(&triangles), "{triangles}");
/// ```
pub fn terrace_house() -> GeneratedScene {
    let mut m = Mason { b: Builder::new("ground") };
    let size = dvec2(10.0, 8.0);
    const GROUND: f64 = 0.15;
    const UPPER: f64 = 3.0;
    const ROOF: f64 = 5.6;
    m.block("ground", [-4.0, 14.0], [-5.0, 13.0], [-0.3, 0.0]);
    m.block("floor", [0.0, size.x], [0.0, size.y], [0.0, GROUND]);
    // A step before the front door; the garden's fence, open before it.
    m.block("step", [1.2, 2.8], [-0.6, 0.0], [0.0, 0.08]);
    for (from, to) in [
        (dvec2(-3.8, -4.8), dvec2(1.4, -4.8)),
        (dvec2(2.6, -4.8), dvec2(13.8, -4.8)),
        (dvec2(-3.8, -4.6), dvec2(-3.8, 12.8)),
        (dvec2(13.8, -4.6), dvec2(13.8, 12.8)),
    ] {
        m.railing(from, to, 0.0, 0.25);
    }
    let (stair_x, stair_y) = ([6.8, 7.8], [2.0, 6.2]);
    m.floor_with_well(size, [UPPER - 0.25, UPPER], stair_x, stair_y);
    m.stair(stair_x, stair_y, [GROUND, UPPER], 16);
    for (z, is_ground) in [([GROUND, UPPER - 0.25], true), ([UPPER, ROOF], false)] {
        let front = if is_ground { door(1.5, 2.5) } else { window(1.5, 2.5) };
        let back = if is_ground { door(2.0, 4.0) } else { window(2.0, 4.0) };
        m.wall(true, [0.0, 0.2], [0.0, size.x], z, &[front, window(5.5, 7.0), window(8.0, 9.0)], 0.04);
        m.wall(true, [size.y - 0.2, size.y], [0.0, size.x], z, &[back, window(6.0, 8.0)], 0.03);
        m.wall(false, [0.0, 0.2], [0.2, size.y - 0.2], z, &[window(1.5, 2.5), window(5.0, 6.5)], 0.0);
        m.wall(false, [size.x - 0.2, size.x], [0.2, size.y - 0.2], z, &[window(3.0, 5.0)], 0.0);
        // Rooms.
        m.wall(false, [5.0, 5.1], [0.2, size.y - 0.2], z, &[door(1.0, 1.9), door(6.0, 6.9)], 0.02);
        m.wall(true, [4.0, 4.1], [0.2, 5.0], z, &[door(2.0, 2.9)], 0.02);
        // Beams below the ceiling, with head room.
        for k in 0..8 {
            let x = 0.8 + 1.1 * f64::from(k);
            if !(stair_x[0] - 0.2..stair_x[1]).contains(&x) {
                m.block("beam", [x, x + 0.15], [0.2, size.y - 0.2], [z[1] - 0.2, z[1]]);
            }
        }
    }
    // Round the stair's well, open where the stair arrives.
    let [left, right] = stair_x.map(|x| [x, x]);
    m.railing(dvec2(left[0] - 0.05, stair_y[0]), dvec2(left[0] - 0.05, stair_y[1]), UPPER, 0.12);
    m.railing(dvec2(right[0] + 0.05, stair_y[0]), dvec2(right[0] + 0.05, stair_y[1]), UPPER, 0.12);
    m.railing(dvec2(stair_x[0], stair_y[0] - 0.05), dvec2(stair_x[1], stair_y[0] - 0.05), UPPER, 0.12);
    // The terrace: planks a centimetre apart, a railing with a way into the garden.
    for k in 0..20 {
        let y = size.y + 0.01 + 0.15 * f64::from(k);
        m.block("deck", [1.0, 5.0], [y, y + 0.14], [0.06, 0.12]);
    }
    m.railing(dvec2(1.05, 8.1), dvec2(1.05, 10.95), 0.12, 0.12);
    m.railing(dvec2(4.95, 8.1), dvec2(4.95, 10.95), 0.12, 0.12);
    // Their last posts are those of the corners.
    m.railing(dvec2(1.17, 10.95), dvec2(2.4, 10.95), 0.12, 0.12);
    m.railing(dvec2(3.6, 10.95), dvec2(4.83, 10.95), 0.12, 0.12);
    // A flat roof with a parapet.
    m.block("roof", [0.0, size.x], [0.0, size.y], [ROOF, ROOF + 0.2]);
    m.wall(true, [0.0, 0.2], [0.0, size.x], [ROOF + 0.2, ROOF + 0.7], &[], 0.0);
    m.wall(true, [size.y - 0.2, size.y], [0.0, size.x], [ROOF + 0.2, ROOF + 0.7], &[], 0.0);
    m.b.finish()
}

/// A town house of 6 m × 9 m on a road: a kerb, steps to the door, a stair of fifteen open treads, railings, a low roof; about 2,700
/// triangles.
///
/// ```
/// let triangles = wayfare_scene::generated::scenes::town_house().scene.mesh.triangles.len();
/// assert!((2400..3000).contains(&triangles), "{triangles}");
/// ```
pub fn town_house() -> GeneratedScene {
    let mut m = Mason { b: Builder::new("ground") };
    let size = dvec2(6.0, 9.0);
    const GROUND: f64 = 0.6;
    const UPPER: f64 = 3.2;
    const ROOF: f64 = 5.7;
    m.block("ground", [-8.0, 14.0], [-10.0, 13.0], [-0.5, 0.0]);
    // The pavement before the house, and steps to the door with a railing on either side.
    m.block("pavement", [-8.0, 14.0], [-4.0, 0.0], [0.0, 0.12]);
    for k in 0..3 {
        let y = -0.9 + 0.3 * f64::from(k);
        m.block("step", [1.0, 2.4], [y, y + 0.3], [0.12, 0.12 + 0.16 * f64::from(k + 1)]);
    }
    m.railing(dvec2(0.95, -0.85), dvec2(0.95, -0.05), 0.12, 0.12);
    m.railing(dvec2(2.45, -0.85), dvec2(2.45, -0.05), 0.12, 0.12);
    m.block("floor", [0.0, size.x], [0.0, size.y], [0.0, GROUND]);
    let (stair_x, stair_y) = ([4.6, 5.6], [3.0, 6.78]);
    m.floor_with_well(size, [UPPER - 0.25, UPPER], stair_x, stair_y);
    m.stair(stair_x, stair_y, [GROUND, UPPER], 15);
    for (z, is_ground) in [([GROUND, UPPER - 0.25], true), ([UPPER, ROOF], false)] {
        let front = if is_ground { door(1.2, 2.2) } else { window(1.2, 2.2) };
        let back = if is_ground { door(2.0, 3.0) } else { window(2.0, 3.0) };
        m.wall(true, [0.0, 0.25], [0.0, size.x], z, &[front, window(3.5, 5.0)], 0.03);
        m.wall(true, [size.y - 0.25, size.y], [0.0, size.x], z, &[back, window(4.0, 5.2)], 0.03);
        m.wall(false, [0.0, 0.25], [0.25, size.y - 0.25], z, &[window(2.0, 3.5), window(6.0, 7.5)], 0.0);
        m.wall(false, [size.x - 0.25, size.x], [0.25, size.y - 0.25], z, &[], 0.0);
        m.wall(true, [4.4, 4.5], [0.25, 4.2], z, &[door(3.0, 3.9)], 0.02);
        m.wall(false, [4.2, 4.3], [4.4, size.y - 0.25], z, &[door(7.2, 8.1)], 0.02);
    }
    m.railing(dvec2(stair_x[0] - 0.05, stair_y[0]), dvec2(stair_x[0] - 0.05, stair_y[1]), UPPER, 0.14);
    m.railing(dvec2(stair_x[0], stair_y[0] - 0.05), dvec2(stair_x[1], stair_y[0] - 0.05), UPPER, 0.14);
    // Steps down into the yard, whose fence has a gate.
    for k in 0..3 {
        let y = size.y + 0.3 * f64::from(k);
        m.block("step", [1.8, 3.2], [y, y + 0.3], [0.0, GROUND - 0.15 * f64::from(k + 1)]);
    }
    m.railing(dvec2(0.0, 12.5), dvec2(2.0, 12.5), 0.0, 0.2);
    m.railing(dvec2(3.0, 12.5), dvec2(6.0, 12.5), 0.0, 0.2);
    m.railing(dvec2(0.0, 9.3), dvec2(0.0, 12.3), 0.0, 0.2);
    m.railing(dvec2(6.0, 9.3), dvec2(6.0, 12.3), 0.0, 0.2);
    // A roof of two slopes of 30 degrees or so, over a flat ceiling.
    m.block("roof", [0.0, size.x], [0.0, size.y], [ROOF, ROOF + 0.2]);
    m.b.tag("roof");
    let gable = |y: f64| {
        [dvec3(0.0, y, ROOF + 0.2), dvec3(size.x, y, ROOF + 0.2), dvec3(size.x / 2.0, y, ROOF + 1.9)]
    };
    m.b.loft(&gable(size.y), &gable(0.0));
    m.b.finish()
}
