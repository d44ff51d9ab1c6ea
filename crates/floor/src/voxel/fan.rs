//! The ground round a corner of the grid, seen from one of its pixels.
//!
//! Up to four pixels meet in a corner. Those that the ground joins make a fan: all four round, or from one wall to
//! another. Ground on other layers has fans of its own at the same corner.

use super::strips::Strips;

/// The pixels round a corner, counter-clockwise; `+x +y` is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Quadrant {
    UpperRight,
    UpperLeft,
    LowerLeft,
    LowerRight,
}

const AROUND: [Quadrant; 4] =
    [Quadrant::UpperRight, Quadrant::UpperLeft, Quadrant::LowerLeft, Quadrant::LowerRight];

/// The ground round a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fan {
    /// The smallest number of a strip in it: names the fan among those of its corner.
    pub name: u32,
    /// Sum of the directions in which its two walls are moved into the ground; `None` if it has no walls.
    pub shift: Option<[i32; 2]>,
    /// How many borders between tags or layers end in the corner.
    pub borders: u32,
    /// Whether it goes round more than once, as stairs round a pole that is thinner than a pixel.
    pub is_wide: bool,
}

/// Stairs may wind round a corner; they end some time.
const MOST_QUADRANTS: usize = 1 << 16;

/// The fan at a corner that a strip, which lies in the given quadrant, belongs to.
pub fn fan_at(strips: &Strips, [x, _]: [u32; 2], strip: u32, quadrant: Quadrant) -> Fan {
    let mut fan = Fan { name: strip, shift: None, borders: 0, is_wide: false };
    // Counter-clockwise until a wall or back to the start, then clockwise from the start.
    let (mut at, mut here) = (strip, quadrant);
    for left in 0..MOST_QUADRANTS {
        let Some((next, is_border)) = turn_left(strips, x, at, here) else {
            let end = WALL_AFTER[here as usize];
            let (mut at, mut here) = (strip, quadrant);
            let mut right = 0;
            while let Some((next, is_border)) = turn_right(strips, x, at, here) {
                fan.borders += u32::from(is_border);
                (at, here) = (next, AROUND[(here as usize + 3) % 4]);
                right += 1;
                fan.name = fan.name.min(at);
            }
            fan.is_wide = left + 1 + right > 4;
            let start = WALL_BEFORE[here as usize];
            let sum = |a: i32, b: i32| if a == b { a } else { a + b };
            fan.shift = Some([sum(start[0], end[0]), sum(start[1], end[1])]);
            return fan;
        };
        fan.borders += u32::from(is_border);
        (at, here) = (next, AROUND[(here as usize + 1) % 4]);
        if (at, here) == (strip, quadrant) {
            break;
        }
        fan.name = fan.name.min(at);
    }
    fan
}

/// Where the wall behind a quadrant, counter-clockwise, is moved to.
const WALL_AFTER: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];
/// Where the wall before a quadrant is moved to.
const WALL_BEFORE: [[i32; 2]; 4] = [[0, 1], [-1, 0], [0, -1], [1, 0]];

/// The strip in the next quadrant counter-clockwise that the ground goes on to, and whether across a border.
fn turn_left(strips: &Strips, x: u32, strip: u32, quadrant: Quadrant) -> Option<(u32, bool)> {
    match quadrant {
        Quadrant::UpperRight => over_left_side(strips, x, strip),
        Quadrant::UpperLeft => down(strips, x - 1, strip),
        Quadrant::LowerLeft => over_right_side(strips, x, strip),
        Quadrant::LowerRight => up(strips, x, strip),
    }
}

/// The strip in the next quadrant clockwise that the ground goes on to, and whether across a border.
fn turn_right(strips: &Strips, x: u32, strip: u32, quadrant: Quadrant) -> Option<(u32, bool)> {
    match quadrant {
        Quadrant::UpperRight => down(strips, x, strip),
        Quadrant::UpperLeft => over_right_side(strips, x, strip),
        Quadrant::LowerLeft => up(strips, x - 1, strip),
        Quadrant::LowerRight => over_left_side(strips, x, strip),
    }
}

/// From the pixel right of `x` to the one left of it.
fn over_left_side(strips: &Strips, x: u32, strip: u32) -> Option<(u32, bool)> {
    if strips.strips[strip as usize].start < x {
        Some((strip, false))
    } else {
        strips.ends[strip as usize][0].strip().map(|next| (next, true))
    }
}

/// From the pixel left of `x` to the one right of it.
fn over_right_side(strips: &Strips, x: u32, strip: u32) -> Option<(u32, bool)> {
    if strips.strips[strip as usize].end > x {
        Some((strip, false))
    } else {
        strips.ends[strip as usize][1].strip().map(|next| (next, true))
    }
}

fn down(strips: &Strips, column: u32, strip: u32) -> Option<(u32, bool)> {
    let across = strips.below.pieces[strips.below.at(strip, column) as usize].across;
    across.strip().map(|next| (next, across.is_boundary()))
}

fn up(strips: &Strips, column: u32, strip: u32) -> Option<(u32, bool)> {
    let across = strips.above.pieces[strips.above.at(strip, column) as usize].across;
    across.strip().map(|next| (next, across.is_boundary()))
}
