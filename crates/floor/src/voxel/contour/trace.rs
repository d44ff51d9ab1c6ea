//! Steps 1 and 2: the sides of a region's strips one after the other, and the corners where they meet.

use super::{Border, Corner, PARTS};
use crate::voxel::{
    fan::{Quadrant, fan_at},
    runs::Runs,
    strips::{Across, Strips},
};
use std::collections::HashMap;

/// A side of a strip in the direction in which its ground is on the left; lower and upper sides by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Below(u32),
    Right(u32),
    Above(u32),
    Left(u32),
}

/// Drops shorter than this [pixels] between walls count as walls.
const SHORTEST_DROP: u32 = 4;

/// Ground on both sides of the end of a ledge differs by more [height units]: 5 cm.
const LEDGE: i32 = 205;

/// Which sides are done.
pub(super) struct Seen {
    below: Vec<bool>,
    left: Vec<bool>,
    count: usize,
}

impl Seen {
    pub fn new(strips: &Strips) -> Self {
        let (below, left) = (vec![false; strips.below.pieces.len()], vec![false; strips.strips.len()]);
        Self { below, left, count: 0 }
    }
    pub fn has(&self, side: Side) -> bool {
        match side {
            Side::Below(piece) => self.below[piece as usize],
            Side::Left(strip) => self.left[strip as usize],
            _ => false,
        }
    }
    fn add(&mut self, side: Side) {
        self.count += 1;
        match side {
            Side::Below(piece) => self.below[piece as usize] = true,
            Side::Left(strip) => self.left[strip as usize] = true,
            _ => {}
        }
    }
    pub fn is_complete(&self, strips: &Strips) -> bool {
        let pieces = strips.below.pieces.iter().chain(&strips.above.pieces);
        self.count == 2 * strips.strips.len() + pieces.filter(|piece| piece.across.is_boundary()).count()
    }
}

pub(super) struct Tracer<'a> {
    runs: &'a Runs,
    strips: &'a Strips,
    /// Numbers of shared corners by corner of the grid, fan and role.
    shared: HashMap<([u32; 2], u32, Role), u32>,
    /// The sides of the ring in work.
    sides: Vec<Side>,
}

/// What a shared corner is in its fan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    /// Where borders meet.
    Middle,
    /// The end of the border in a direction, by the lower of its two strips: stairs that wind round a corner have several.
    Toward([i32; 2], u32),
}

impl<'a> Tracer<'a> {
    pub fn new(runs: &'a Runs, strips: &'a Strips) -> Self {
        Self { runs, strips, shared: HashMap::new(), sides: Vec::new() }
    }

    /// Shared corners so far.
    pub fn shared_count(&self) -> u32 {
        self.shared.len() as u32
    }

    pub fn strip(&self, side: Side) -> u32 {
        match side {
            Side::Below(piece) => self.strips.below.pieces[piece as usize].strip,
            Side::Above(piece) => self.strips.above.pieces[piece as usize].strip,
            Side::Left(strip) | Side::Right(strip) => strip,
        }
    }

    pub fn across(&self, side: Side) -> Across {
        match side {
            Side::Below(piece) => self.strips.below.pieces[piece as usize].across,
            Side::Above(piece) => self.strips.above.pieces[piece as usize].across,
            Side::Left(strip) => self.strips.ends[strip as usize][0],
            Side::Right(strip) => self.strips.ends[strip as usize][1],
        }
    }

    /// Step 1: all sides of a ring.
    pub fn follow(&mut self, start: Side, seen: &mut Seen) {
        self.sides.clear();
        let mut side = start;
        loop {
            seen.add(side);
            self.sides.push(side);
            side = self.next(side);
            if side == start {
                return;
            }
        }
    }

    /// The side that follows at the end of a side: the first boundary, turning from the left to the right.
    fn next(&self, side: Side) -> Side {
        let Strips { strips, below, above, .. } = self.strips;
        let piece_below = |strip: u32, column: u32| {
            let piece = below.at(strip, column);
            (piece, below.pieces[piece as usize].across)
        };
        let piece_above = |strip: u32, column: u32| {
            let piece = above.at(strip, column);
            (piece, above.pieces[piece as usize].across)
        };
        match side {
            Side::Below(piece) => {
                let piece = below.pieces[piece as usize];
                if piece.end == strips[piece.strip as usize].end {
                    return Side::Right(piece.strip);
                }
                let Across::Open(lower) = piece_below(piece.strip, piece.end).1 else {
                    return Side::Below(below.at(piece.strip, piece.end));
                };
                if strips[lower as usize].start == piece.end {
                    Side::Left(lower)
                } else {
                    Side::Above(above.at(lower, piece.end - 1))
                }
            }
            Side::Right(strip) => {
                let end = strips[strip as usize].end;
                let (piece, Across::Open(upper)) = piece_above(strip, end - 1) else {
                    return Side::Above(above.at(strip, end - 1));
                };
                debug_assert!(above.pieces[piece as usize].end == end);
                if strips[upper as usize].end == end {
                    return Side::Right(upper);
                }
                match piece_below(upper, end) {
                    (_, Across::Open(lower)) => Side::Left(lower),
                    (piece, _) => Side::Below(piece),
                }
            }
            Side::Above(piece) => {
                let piece = above.pieces[piece as usize];
                if piece.start == strips[piece.strip as usize].start {
                    return Side::Left(piece.strip);
                }
                let Across::Open(upper) = piece_above(piece.strip, piece.start - 1).1 else {
                    return Side::Above(above.at(piece.strip, piece.start - 1));
                };
                if strips[upper as usize].end == piece.start {
                    Side::Right(upper)
                } else {
                    Side::Below(below.at(upper, piece.start))
                }
            }
            Side::Left(strip) => {
                let start = strips[strip as usize].start;
                let (piece, Across::Open(lower)) = piece_below(strip, start) else {
                    return Side::Below(below.at(strip, start));
                };
                debug_assert!(below.pieces[piece as usize].start == start);
                if strips[lower as usize].start == start {
                    return Side::Left(lower);
                }
                match piece_above(lower, start - 1) {
                    (_, Across::Open(upper)) => Side::Right(upper),
                    (piece, _) => Side::Above(piece),
                }
            }
        }
    }

    /// Step 2: the corners of the ring in work.
    pub fn corners(&mut self) -> Vec<Corner> {
        let borders = self.borders();
        let sides = std::mem::take(&mut self.sides);
        let mut corners = Vec::new();
        // A ring turns somewhere; begin there, so that the first side does not go on from the last.
        let n = sides.len();
        let begin = (0..n).find(|&k| direction(sides[k]) != direction(sides[(k + n - 1) % n])).unwrap_or(0);
        for k in 0..n {
            let (this, last) = ((begin + k) % n, (begin + k + n - 1) % n);
            self.meet([sides[last], sides[this]], [borders[last], borders[this]], &mut corners);
        }
        self.sides = sides;
        corners
    }

    /// What runs along each side of the ring in work; short drops count as walls.
    fn borders(&self) -> Vec<Border> {
        let border = |&side: &Side| match self.across(side) {
            Across::End(depth) if Strips::is_drop(depth) => Border::Drop(depth),
            Across::End(_) => Border::Wall,
            Across::Seam(strip) => Border::Seam(self.strips.strips[strip as usize].layer),
            Across::Tag(_) | Across::Open(_) => Border::Tag,
        };
        let mut borders: Vec<Border> = self.sides.iter().map(border).collect();
        let n = borders.len();
        let Some(first) = borders.iter().position(|border| !matches!(border, Border::Drop(_))) else {
            return borders;
        };
        let mut k = 0;
        while k < n {
            let mut end = k;
            let mut length = 0;
            while end < n && matches!(borders[(first + end) % n], Border::Drop(_)) {
                length += self.length(self.sides[(first + end) % n]);
                end += 1;
            }
            let [before, after] = [first + k + n - 1, first + end].map(|at| borders[at % n]);
            if end > k && length < SHORTEST_DROP && before == Border::Wall && after == Border::Wall {
                for at in k..end {
                    borders[(first + at) % n] = Border::Wall;
                }
            }
            k = end + 1;
        }
        borders
    }

    fn length(&self, side: Side) -> u32 {
        match side {
            Side::Below(piece) => {
                self.strips.below.pieces[piece as usize].end - self.strips.below.pieces[piece as usize].start
            }
            Side::Above(piece) => {
                self.strips.above.pieces[piece as usize].end - self.strips.above.pieces[piece as usize].start
            }
            Side::Left(_) | Side::Right(_) => 1,
        }
    }

    /// Height of the ground where a side starts [height units].
    fn height(&self, side: Side) -> i32 {
        let (strip, column) = match side {
            Side::Below(piece) => (self.strip(side), self.strips.below.pieces[piece as usize].start),
            Side::Above(piece) => (self.strip(side), self.strips.above.pieces[piece as usize].end - 1),
            Side::Right(strip) => (strip, self.strips.strips[strip as usize].end - 1),
            Side::Left(strip) => (strip, self.strips.strips[strip as usize].start),
        };
        self.runs.height(self.strips.strips[strip as usize].run, column).round() as i32
    }

    /// Height of the ground where a side ends [height units].
    fn end_height(&self, side: Side) -> i32 {
        let strip = self.strip(side);
        let column = match side {
            Side::Below(piece) => self.strips.below.pieces[piece as usize].end - 1,
            Side::Above(piece) => self.strips.above.pieces[piece as usize].start,
            Side::Right(_) => self.strips.strips[strip as usize].end - 1,
            Side::Left(_) => self.strips.strips[strip as usize].start,
        };
        self.runs.height(self.strips.strips[strip as usize].run, column).round() as i32
    }

    /// The corner of the grid where a side starts, and the quadrant in which its ground lies there.
    fn start(&self, side: Side) -> ([u32; 2], Quadrant) {
        match side {
            Side::Below(piece) => {
                let piece = self.strips.below.pieces[piece as usize];
                ([piece.start, self.strips.strips[piece.strip as usize].row], Quadrant::UpperRight)
            }
            Side::Above(piece) => {
                let piece = self.strips.above.pieces[piece as usize];
                ([piece.end, self.strips.strips[piece.strip as usize].row + 1], Quadrant::LowerLeft)
            }
            Side::Right(strip) => {
                let strip = self.strips.strips[strip as usize];
                ([strip.end, strip.row], Quadrant::UpperLeft)
            }
            Side::Left(strip) => {
                let strip = self.strips.strips[strip as usize];
                ([strip.start, strip.row + 1], Quadrant::LowerRight)
            }
        }
    }

    /// The corners between two sides that follow each other.
    fn meet(&mut self, [from, to]: [Side; 2], [before, border]: [Border; 2], corners: &mut Vec<Corner>) {
        let (grid, quadrant) = self.start(to);
        let height = self.height(to);
        let [n, m] = [inward(from), inward(to)];
        if !before.is_shared() && !border.is_shared() {
            let is_straight = n == m;
            match corners.last_mut() {
                Some(last) if is_straight && last.border.is_alike(border) => {
                    last.border = last.border.deeper(border)
                }
                _ => {
                    let mut add = |shift, height, is_fixed, border| {
                        corners.push(Corner {
                            at: place(grid, shift),
                            height,
                            shared: None,
                            is_fixed,
                            is_settled: false,
                            border,
                        });
                    };
                    if n == [-m[0], -m[1]] {
                        // Round the end of a wall without thickness, or of a ledge, each of whose sides has its own height.
                        let height_before = self.end_height(from);
                        add(n, height_before, (height - height_before).abs() > LEDGE, before);
                        add(m, height, false, border);
                    } else {
                        // Where a wall becomes a drop the corner stays.
                        let shift = if is_straight { n } else { [n[0] + m[0], n[1] + m[1]] };
                        add(shift, height, is_straight, border);
                    }
                }
            }
            return;
        }
        let fan = fan_at(self.strips, grid, self.strip(to), quadrant);
        let [is_from_seam, is_to_seam] = [before, border].map(|border| matches!(border, Border::Seam(_)));
        let is_same_across = self.across(from) == self.across(to);
        let strips_at = |side: Side| self.across(side).strip().map(|across| [self.strip(side), across]);
        let from_strips = strips_at(from).filter(|_| before.is_shared());
        let to_strips = strips_at(to).filter(|_| border.is_shared());
        let mut share = |role: Role, shift, is_fixed, border| {
            let count = self.shared.len() as u32;
            let number = *self.shared.entry((grid, fan.name, role)).or_insert(count);
            Corner {
                at: place(grid, shift),
                height,
                shared: Some(number),
                is_fixed,
                is_settled: false,
                border,
            }
        };
        let Some(middle) = fan.shift else {
            // Ground all round: only borders meet here. A seam goes straight on, a border of tags may turn.
            let is_end =
                if is_from_seam && is_to_seam { !is_same_across } else { n != m || fan.borders != 2 };
            if is_end {
                let is_fixed = is_from_seam || is_to_seam || fan.borders != 2;
                corners.push(share(Role::Middle, [0, 0], is_fixed, border));
            }
            return;
        };
        // Seams end a 64th of a pixel from the corner, always; so do borders of tags round the end of a wall without
        // thickness, and where the ground winds round the corner. Elsewhere they end where the lines of the walls meet.
        let end_of = |is_seam: bool, toward: [i32; 2], strips: [u32; 2]| {
            if is_seam || middle == [0, 0] || fan.is_wide {
                (Role::Toward(toward, strips[0].min(strips[1])), toward)
            } else {
                (Role::Middle, middle)
            }
        };
        let back = direction(from).map(|d| -d);
        let end_from = from_strips.map(|strips| end_of(is_from_seam, back, strips));
        let end_to = to_strips.map(|strips| end_of(is_to_seam, direction(to), strips));
        // Where the line of a wall is reached from the end of a border.
        let beside = |end: Option<(Role, [i32; 2])>, wall: [i32; 2]| match end {
            Some((Role::Toward(t, _), _)) if t == [-wall[0], -wall[1]] => Some(wall),
            Some((Role::Toward(t, _), _)) if t != wall => Some([t[0] + wall[0], t[1] + wall[1]]),
            _ => None,
        };
        let plain = |shift| Corner {
            at: place(grid, shift),
            height,
            shared: None,
            is_fixed: false,
            is_settled: false,
            border,
        };
        let first = match end_from {
            Some((role, shift)) => Some(share(role, shift, true, border)),
            None => beside(end_to, n).map(plain),
        };
        let second = match end_to {
            Some((role, _)) if end_from.is_some_and(|end| end.0 == role) => None,
            Some((role, shift)) => Some(share(role, shift, true, border)),
            None => beside(end_from, m).map(plain),
        };
        // What lies between the two is wall.
        let wall = [border, before].into_iter().find(|border| !border.is_shared()).unwrap_or(Border::Wall);
        if let Some(first) = first {
            corners.push(if second.is_some() { Corner { border: wall, ..first } } else { first });
        }
        corners.extend(second);
    }
}

/// A corner of the grid moved by some parts of a pixel.
fn place(grid: [u32; 2], shift: [i32; 2]) -> [i32; 2] {
    [grid[0] as i32 * PARTS + shift[0], grid[1] as i32 * PARTS + shift[1]]
}

/// The direction in which a side runs.
fn direction(side: Side) -> [i32; 2] {
    match side {
        Side::Below(_) => [1, 0],
        Side::Right(_) => [0, 1],
        Side::Above(_) => [-1, 0],
        Side::Left(_) => [0, -1],
    }
}

/// The direction from a side into its ground.
fn inward(side: Side) -> [i32; 2] {
    let [dx, dy] = direction(side);
    [-dy, dx]
}
