//! The boundary of every region, along the lines of the grid.
//!
//! Idea: go round each region with the ground on the left, from side to side of its strips. Walls and drops are moved
//!   an eighth of a pixel into their ground, so that no two rings touch; seams and borders between tags stay where
//!   they are, and both sides name the same vertices.
//! Source: crack following; the trial's rule for the ends of seams (always an eighth of a pixel into the seam, from both
//!   sides).
//! Steps: 1. follow the sides  2. corners where they meet  3. rings of one region together
//! Promises: every ring is simple; rings of a layer meet in shared vertices only; each region has one outline.
//! Cost: linear in pieces of sides.

use super::{
    fan::{Quadrant, fan_at},
    strips::{Across, Strips},
};
use std::collections::HashMap;

/// Parts of a pixel that corners are counted in.
pub const EIGHTHS: i32 = 8;

/// What runs along an edge of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// An obstacle.
    Wall,
    /// A drop of a depth [height units].
    Drop(i32),
    /// The ground of another layer.
    Seam(u32),
    /// Ground with another tag.
    Tag,
}

impl Border {
    /// Whether two regions share the edge.
    pub fn is_shared(self) -> bool {
        matches!(self, Self::Seam(_) | Self::Tag)
    }
    /// Whether two edges can be parts of one.
    pub fn is_alike(self, other: Self) -> bool {
        match (self, other) {
            (Self::Drop(_), Self::Drop(_)) => true,
            _ => self == other,
        }
    }
}

/// A corner of a ring and the edge that starts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// Place in eighths of a pixel.
    pub at: [i32; 2],
    /// Number among the shared corners, if other rings have it too.
    pub shared: Option<u32>,
    /// Whether it must stay: more than two borders meet in it.
    pub is_fixed: bool,
    /// What runs along the edge to the next corner.
    pub border: Border,
}

/// A closed boundary with the ground on its left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingContour {
    /// The corners in order.
    pub corners: Vec<Corner>,
}

/// The boundary of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionContour {
    /// Its layer.
    pub layer: u32,
    /// Its area tag.
    pub tag: u8,
    /// A strip of it.
    pub strip: u32,
    /// The outline first, then the holes.
    pub rings: Vec<RingContour>,
}

/// The regions of all layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contours {
    /// By layer, then by the first strip.
    pub regions: Vec<RegionContour>,
    /// Number of shared corners.
    pub shared: u32,
}

/// A side of a strip in the direction in which its ground is on the left; lower and upper sides by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Below(u32),
    Right(u32),
    Above(u32),
    Left(u32),
}

/// Drops shorter than this [pixels] between walls count as walls.
const SHORTEST_DROP: u32 = 4;

/// Finds the boundary of every region.
pub fn find_contours(strips: &Strips) -> Contours {
    let mut tracer = Tracer { strips, shared: HashMap::new(), sides: Vec::new() };
    let mut seen = Seen::new(strips);
    let mut regions = Regions::new(strips);
    let mut start_from = |start: Side, seen: &mut Seen| {
        if !tracer.across(start).is_boundary() || seen.has(start) {
            return;
        }
        tracer.follow(start, seen);
        let strip = tracer.strip(start);
        let corners = tracer.corners();
        regions.add(strip, corners);
    };
    for piece in 0..strips.below.pieces.len() as u32 {
        start_from(Side::Below(piece), &mut seen);
    }
    // A ring goes right somewhere, along a lower side: there are no others.
    let contours = regions.finish(tracer.shared.len() as u32);
    debug_assert!(seen.is_complete(strips));
    contours
}

/// Which sides are done.
struct Seen {
    below: Vec<bool>,
    count: usize,
}

impl Seen {
    fn new(strips: &Strips) -> Self {
        Self { below: vec![false; strips.below.pieces.len()], count: 0 }
    }
    fn has(&self, side: Side) -> bool {
        matches!(side, Side::Below(piece) if self.below[piece as usize])
    }
    fn add(&mut self, side: Side) {
        self.count += 1;
        if let Side::Below(piece) = side {
            self.below[piece as usize] = true;
        }
    }
    fn is_complete(&self, strips: &Strips) -> bool {
        let pieces = strips.below.pieces.iter().chain(&strips.above.pieces);
        self.count == 2 * strips.strips.len() + pieces.filter(|piece| piece.across.is_boundary()).count()
    }
}

struct Tracer<'a> {
    strips: &'a Strips,
    /// Numbers of shared corners by corner of the grid, fan and role.
    shared: HashMap<([u32; 2], u32, Role), u32>,
    /// The sides of the ring in work.
    sides: Vec<Side>,
}

/// What a shared corner is in its fan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    /// Where borders of tags end.
    Middle,
    /// The end of the seam to the left.
    LeftSeam,
    /// The end of the seam to the right.
    RightSeam,
}

impl Tracer<'_> {
    fn strip(&self, side: Side) -> u32 {
        match side {
            Side::Below(piece) => self.strips.below.pieces[piece as usize].strip,
            Side::Above(piece) => self.strips.above.pieces[piece as usize].strip,
            Side::Left(strip) | Side::Right(strip) => strip,
        }
    }

    fn across(&self, side: Side) -> Across {
        match side {
            Side::Below(piece) => self.strips.below.pieces[piece as usize].across,
            Side::Above(piece) => self.strips.above.pieces[piece as usize].across,
            Side::Left(strip) => self.strips.ends[strip as usize][0],
            Side::Right(strip) => self.strips.ends[strip as usize][1],
        }
    }

    /// Step 1: all sides of a ring.
    fn follow(&mut self, start: Side, seen: &mut Seen) {
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
    fn corners(&mut self) -> Vec<Corner> {
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
        let [n, m] = [inward(from), inward(to)];
        if !before.is_shared() && !border.is_shared() {
            let is_straight = n == m;
            match corners.last_mut() {
                Some(last) if is_straight && last.border.is_alike(border) => {
                    last.border = deeper(last.border, border)
                }
                _ => {
                    let shift = if is_straight { n } else { [n[0] + m[0], n[1] + m[1]] };
                    // Where a wall becomes a drop the corner stays.
                    corners.push(Corner {
                        at: place(grid, shift),
                        shared: None,
                        is_fixed: is_straight,
                        border,
                    });
                }
            }
            return;
        }
        let fan = fan_at(self.strips, grid, self.strip(to), quadrant);
        let [is_from_seam, is_to_seam] = [before, border].map(|border| matches!(border, Border::Seam(_)));
        let is_same_across = self.across(from) == self.across(to);
        let mut meeting = Meeting { grid, fan: fan.name, shared: &mut self.shared, corners };
        let Some(middle) = fan.shift else {
            // Ground all round: only borders meet here. A seam goes straight on, a border of tags may turn.
            let is_end =
                if is_from_seam && is_to_seam { !is_same_across } else { n != m || fan.borders != 2 };
            if is_end {
                meeting.share(Role::Middle, [0, 0], is_from_seam || is_to_seam || fan.borders != 2, border);
            }
            return;
        };
        // Between a seam's end and a wall's line, or another seam's end, there is a piece of wall.
        let wall = [border, before].into_iter().find(|border| !border.is_shared()).unwrap_or(Border::Wall);
        let beside = |d: i32, wall: [i32; 2]| if wall[1] != 0 { [d, wall[1]] } else { wall };
        match before {
            Border::Seam(_) => {
                let d = -direction(from)[0];
                let is_at_wall = !border.is_shared() && m == [d, 0];
                meeting.share_seam(d, if is_at_wall { border } else { wall });
                if !border.is_shared() && !is_at_wall {
                    meeting.add(beside(d, m), border);
                }
            }
            Border::Tag => meeting.share(Role::Middle, middle, true, if is_to_seam { wall } else { border }),
            _ => {}
        }
        match border {
            Border::Seam(_) => {
                let d = direction(to)[0];
                if !before.is_shared() && n != [d, 0] {
                    meeting.add(beside(d, n), wall);
                }
                meeting.share_seam(d, border);
            }
            Border::Tag if before != Border::Tag => meeting.share(Role::Middle, middle, true, border),
            _ => {}
        }
    }
}

/// A corner of the grid moved by some eighths of a pixel.
fn place(grid: [u32; 2], shift: [i32; 2]) -> [i32; 2] {
    [grid[0] as i32 * EIGHTHS + shift[0], grid[1] as i32 * EIGHTHS + shift[1]]
}

/// Adds the corners at one corner of the grid.
struct Meeting<'a> {
    grid: [u32; 2],
    fan: u32,
    shared: &'a mut HashMap<([u32; 2], u32, Role), u32>,
    corners: &'a mut Vec<Corner>,
}

impl Meeting<'_> {
    fn add(&mut self, shift: [i32; 2], border: Border) {
        self.corners.push(Corner { at: place(self.grid, shift), shared: None, is_fixed: false, border });
    }

    fn share(&mut self, role: Role, shift: [i32; 2], is_fixed: bool, border: Border) {
        let count = self.shared.len() as u32;
        let number = *self.shared.entry((self.grid, self.fan, role)).or_insert(count);
        self.corners.push(Corner { at: place(self.grid, shift), shared: Some(number), is_fixed, border });
    }

    fn share_seam(&mut self, d: i32, border: Border) {
        self.share(if d > 0 { Role::RightSeam } else { Role::LeftSeam }, [d, 0], true, border);
    }
}

fn deeper(a: Border, b: Border) -> Border {
    match (a, b) {
        (Border::Drop(a), Border::Drop(b)) => Border::Drop(a.max(b)),
        _ => b,
    }
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

/// Step 3: rings of one region together.
struct Regions<'a> {
    strips: &'a Strips,
    region_of: Vec<u32>,
    regions: Vec<RegionContour>,
}

impl<'a> Regions<'a> {
    fn new(strips: &'a Strips) -> Self {
        // Flood through what is open.
        let mut region_of = vec![u32::MAX; strips.strips.len()];
        let mut regions = Vec::new();
        let mut waiting = Vec::new();
        for start in 0..strips.strips.len() as u32 {
            if region_of[start as usize] != u32::MAX {
                continue;
            }
            let region = regions.len() as u32;
            let strip = strips.strips[start as usize];
            regions.push(RegionContour {
                layer: strip.layer,
                tag: strip.tag,
                strip: start,
                rings: Vec::new(),
            });
            region_of[start as usize] = region;
            waiting.push(start);
            while let Some(strip) = waiting.pop() {
                for pieces in [&strips.below, &strips.above] {
                    for piece in pieces.of(strip) {
                        if let Across::Open(other) = piece.across
                            && region_of[other as usize] == u32::MAX
                        {
                            region_of[other as usize] = region;
                            waiting.push(other);
                        }
                    }
                }
            }
        }
        Self { strips, region_of, regions }
    }

    fn add(&mut self, strip: u32, corners: Vec<Corner>) {
        let rings = &mut self.regions[self.region_of[strip as usize] as usize].rings;
        let is_outline = twice_area(&corners) > 0;
        rings.push(RingContour { corners });
        if is_outline {
            let last = rings.len() - 1;
            rings.swap(0, last);
        }
    }

    fn finish(mut self, shared: u32) -> Contours {
        debug_assert_eq!(self.strips.strips.len(), self.region_of.len());
        self.regions.sort_by_key(|region| (region.layer, region.strip));
        Contours { regions: self.regions, shared }
    }
}

/// Twice the area that a ring encloses, in eighths of a pixel.
fn twice_area(corners: &[Corner]) -> i64 {
    let next = corners.iter().cycle().skip(1);
    let cross =
        |a: [i32; 2], b: [i32; 2]| i64::from(a[0]) * i64::from(b[1]) - i64::from(a[1]) * i64::from(b[0]);
    corners.iter().zip(next).map(|(a, b)| cross(a.at, b.at)).sum()
}
