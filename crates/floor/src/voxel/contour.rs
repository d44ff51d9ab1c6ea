//! The boundary of every region, along the lines of the grid.
//!
//! Idea: go round each region with the ground on the left, from side to side of its strips. Walls and drops are moved
//!   a 64th of a pixel into their ground, so that no two rings touch; seams and borders between tags stay where
//!   they are, and both sides name the same vertices.
//! Source: crack following; the trial's rule for the ends of seams (always a 64th of a pixel into the seam, from both
//!   sides).
//! Steps: 1. follow the sides  2. corners where they meet  3. rings of one region together
//! Promises: every ring is simple; rings of a layer meet in shared vertices only; each region has one outline.
//! Cost: linear in pieces of sides.

use super::{
    fan::{Quadrant, fan_at},
    runs::Runs,
    strips::{Across, Strips},
};
use std::collections::HashMap;
use wayfare_core::DVec2;

/// Parts of a pixel that corners are counted in; walls and drops are moved by one of them.
pub const PARTS: i32 = 64;

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

impl Corner {
    /// Its place in pixels.
    pub fn point(&self) -> DVec2 {
        let [x, y] = self.at.map(|c| f64::from(c) / f64::from(PARTS));
        DVec2::new(x, y)
    }
}

impl Border {
    /// Whether two regions share the edge.
    pub fn is_shared(self) -> bool {
        matches!(self, Self::Seam(_) | Self::Tag)
    }
    /// What runs along an edge that is made of two: of drops the deeper one.
    pub fn deeper(self, other: Self) -> Self {
        match (self, other) {
            (Self::Drop(a), Self::Drop(b)) => Self::Drop(a.max(b)),
            _ => other,
        }
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
    /// Place in parts of a pixel.
    pub at: [i32; 2],
    /// Height of the ground beside it [height units].
    pub height: i32,
    /// Number among the shared corners, if other rings have it too.
    pub shared: Option<u32>,
    /// Whether it must stay: more than two borders meet in it.
    pub is_fixed: bool,
    /// Whether its height is that of the triangles at its very place, and not that of a pixel beside it.
    pub is_settled: bool,
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
    /// The region of each strip.
    pub region_of: Vec<u32>,
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
pub fn find_contours(runs: &Runs, strips: &Strips) -> Contours {
    let mut tracer = Tracer { runs, strips, shared: HashMap::new(), sides: Vec::new() };
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
    // A ring goes right along lower sides, or round an upright wall without thickness.
    for piece in 0..strips.below.pieces.len() as u32 {
        start_from(Side::Below(piece), &mut seen);
    }
    for strip in 0..strips.strips.len() as u32 {
        start_from(Side::Left(strip), &mut seen);
    }
    let contours = regions.finish(tracer.shared.len() as u32);
    debug_assert!(seen.is_complete(strips));
    contours
}

/// Which sides are done.
struct Seen {
    below: Vec<bool>,
    left: Vec<bool>,
    count: usize,
}

impl Seen {
    fn new(strips: &Strips) -> Self {
        let (below, left) = (vec![false; strips.below.pieces.len()], vec![false; strips.strips.len()]);
        Self { below, left, count: 0 }
    }
    fn has(&self, side: Side) -> bool {
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
    fn is_complete(&self, strips: &Strips) -> bool {
        let pieces = strips.below.pieces.iter().chain(&strips.above.pieces);
        self.count == 2 * strips.strips.len() + pieces.filter(|piece| piece.across.is_boundary()).count()
    }
}

struct Tracer<'a> {
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
                    let mut add = |shift, border| {
                        // Where a wall becomes a drop the corner stays.
                        corners.push(Corner {
                            at: place(grid, shift),
                            height,
                            shared: None,
                            is_fixed: is_straight,
                            is_settled: false,
                            border,
                        });
                    };
                    if n == [-m[0], -m[1]] {
                        // Round the end of a wall without thickness.
                        add(n, before);
                        add(m, border);
                    } else {
                        add(if is_straight { n } else { [n[0] + m[0], n[1] + m[1]] }, border);
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
        let mut order: Vec<u32> = (0..self.regions.len() as u32).collect();
        order.sort_by_key(|&region| {
            let region = &self.regions[region as usize];
            (region.layer, region.strip)
        });
        let mut rank = vec![0; order.len()];
        for (k, &region) in order.iter().enumerate() {
            rank[region as usize] = k as u32;
        }
        self.regions.sort_by_key(|region| (region.layer, region.strip));
        let region_of = self.region_of.iter().map(|&region| rank[region as usize]).collect();
        Contours { regions: self.regions, region_of, shared }
    }
}

/// Twice the area that a ring encloses, in parts of a pixel.
fn twice_area(corners: &[Corner]) -> i64 {
    let next = corners.iter().cycle().skip(1);
    let cross =
        |a: [i32; 2], b: [i32; 2]| i64::from(a[0]) * i64::from(b[1]) - i64::from(a[1]) * i64::from(b[0]);
    corners.iter().zip(next).map(|(a, b)| cross(a.at, b.at)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{
        columns::{Columns, Room, Row, Surface},
        layers::find_layers,
        raster::Fragment,
        runs::RunBuilder,
    };
    use proptest::prelude::*;

    /// Low steps, and steps so high that ground may wind round a corner.
    const ROOMS: [Room; 2] = [Room { height: 1800, step: 400 }, Room { height: 1800, step: 1500 }];
    const COLUMNS: u32 = 9;

    fn surface(rows: &[Vec<(u32, i32, u32)>], room: Room) -> Runs {
        let surfaces = [1, 2, 3].map(|tag| Surface { is_walkable: true, tag });
        let mut builder = RunBuilder::new(room);
        for (number, row) in rows.iter().chain([&Vec::new()]).enumerate() {
            let fragments: Vec<_> = row
                .iter()
                .map(|&(start, z, triangle)| Fragment {
                    start,
                    end: start + 1,
                    low: z * 300,
                    high: z * 300,
                    middle: z * 300,
                    triangle,
                })
                .collect();
            let mut filled = Row::default();
            Columns::default().fill(&mut filled, &fragments, COLUMNS, &surfaces, room);
            builder.add(number as u32, &mut filled);
        }
        builder.finish()
    }

    fn cross(o: [i32; 2], a: [i32; 2], b: [i32; 2]) -> i64 {
        let d = |p: [i32; 2], k: usize| i64::from(p[k]) - i64::from(o[k]);
        d(a, 0) * d(b, 1) - d(a, 1) * d(b, 0)
    }

    /// Whether two segments have a point in common.
    fn meet([a, b]: [[i32; 2]; 2], [c, d]: [[i32; 2]; 2]) -> bool {
        let sides = [cross(a, b, c), cross(a, b, d), cross(c, d, a), cross(c, d, b)].map(i64::signum);
        let is_in = |p: [i32; 2], a: [i32; 2], b: [i32; 2]| {
            (0..2).all(|k| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]))
        };
        sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0
            || sides[0] == 0 && is_in(c, a, b)
            || sides[1] == 0 && is_in(d, a, b)
            || sides[2] == 0 && is_in(a, c, d)
            || sides[3] == 0 && is_in(b, c, d)
    }

    /// How often a region goes round a point that lies on no edge.
    fn winding(region: &RegionContour, p: [i32; 2]) -> i32 {
        let mut winding = 0;
        for ring in &region.rings {
            for (k, a) in ring.corners.iter().enumerate() {
                let b = ring.corners[(k + 1) % ring.corners.len()].at;
                if (a.at[1] <= p[1]) != (b[1] <= p[1]) && (cross(a.at, b, p) > 0) == (b[1] > a.at[1]) {
                    winding += if b[1] > a.at[1] { 1 } else { -1 };
                }
            }
        }
        winding
    }

    fn check(rows: &[Vec<(u32, i32, u32)>]) {
        for room in ROOMS {
            check_in(rows, room);
        }
    }

    fn check_in(rows: &[Vec<(u32, i32, u32)>], room: Room) {
        let runs = surface(rows, room);
        let layers = find_layers(&runs, &wayfare_core::Context::default()).unwrap();
        let strips = Strips::new(&runs, &layers);
        let contours = find_contours(&runs, &strips);
        // Edges: the region, and both corners.
        let mut edges: Vec<(&RegionContour, Corner, Corner)> = Vec::new();
        for region in &contours.regions {
            for (k, ring) in region.rings.iter().enumerate() {
                assert_eq!(twice_area(&ring.corners) > 0, k == 0, "one outline comes first: {ring:?}");
                let next = ring.corners.iter().cycle().skip(1);
                edges.extend(ring.corners.iter().zip(next).map(|(a, b)| (region, *a, *b)));
            }
        }
        for (k, (region, a, b)) in edges.iter().enumerate() {
            assert_ne!(a.at, b.at, "an edge has no length");
            let twins = edges.iter().filter(|(_, c, d)| {
                a.shared.is_some() && b.shared.is_some() && c.shared == b.shared && d.shared == a.shared
            });
            let twins: Vec<_> = twins.filter(|(_, c, _)| c.border.is_shared()).collect();
            match a.border {
                Border::Seam(layer) => {
                    assert_eq!(twins.len(), 1, "{a:?} {b:?}");
                    assert_eq!((twins[0].0.layer, twins[0].1.border), (layer, Border::Seam(region.layer)));
                    assert_ne!(layer, region.layer);
                }
                Border::Tag => {
                    assert_eq!(twins.len(), 1, "{a:?} {b:?}");
                    assert!(twins[0].0.layer == region.layer && twins[0].0.tag != region.tag);
                }
                _ => assert!(twins.is_empty()),
            }
            for (other, c, d) in &edges[..k] {
                if other.layer != region.layer {
                    continue;
                }
                let is_twin = a.border.is_shared() && twins.iter().any(|twin| twin.1 == *c);
                let same = |a: &Corner, b: &Corner| a.shared.is_some() && a.shared == b.shared || a == b;
                let touching =
                    [(a, c), (a, d), (b, c), (b, d)].into_iter().filter(|(a, b)| same(a, b)).count();
                if is_twin || touching == 0 {
                    assert!(is_twin || !meet([a.at, b.at], [c.at, d.at]), "{a:?} {b:?} meets {c:?} {d:?}");
                } else {
                    // Edges with a common corner do not lie on each other.
                    let (o, p, q) = if same(a, c) {
                        (a, b, d)
                    } else if same(a, d) {
                        (a, b, c)
                    } else if same(b, c) {
                        (b, a, d)
                    } else {
                        (b, a, c)
                    };
                    let dot: i64 =
                        (0..2).map(|k| i64::from(p.at[k] - o.at[k]) * i64::from(q.at[k] - o.at[k])).sum();
                    assert!(cross(o.at, p.at, q.at) != 0 || dot < 0, "{o:?} {p:?} {q:?} fold");
                }
            }
        }
        // Every pixel lies in the region of its floor alone, as far as its layer goes.
        for layer in 0..layers.count {
            for row in 0..rows.len() as u32 {
                for column in 0..COLUMNS {
                    let mut floors = strips.strips.iter().filter(|strip| {
                        strip.layer == layer && strip.row == row && (strip.start..strip.end).contains(&column)
                    });
                    let (floor, second) = (floors.next(), floors.next());
                    assert!(second.is_none(), "two floors in one layer");
                    let middle = [column, row].map(|k| k as i32 * PARTS + PARTS / 2);
                    let regions = contours.regions.iter().filter(|region| region.layer == layer);
                    let around: Vec<_> = regions.filter(|region| winding(region, middle) != 0).collect();
                    assert!(around.iter().all(|region| winding(region, middle) == 1));
                    assert_eq!(
                        around.iter().map(|region| region.tag).collect::<Vec<_>>(),
                        floor.map(|f| f.tag).into_iter().collect::<Vec<_>>()
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn rings_are_simple_shared_where_ground_goes_on_and_hold_their_pixels(
            rows in prop::collection::vec(prop::collection::vec((0..COLUMNS, 0i32..16, 0u32..6), 0..40), 1..7),
        ) {
            // Mostly one tag.
            let rows: Vec<Vec<_>> = rows
                .into_iter()
                .map(|row| row.into_iter().map(|(c, z, tag)| (c, z, tag.saturating_sub(3))).collect())
                .collect();
            check(&rows);
        }

        #[test]
        fn ground_that_winds_over_itself_is_cut_into_layers(
            heights in prop::collection::vec(prop::collection::vec(-1i32..3, COLUMNS as usize), 4..9),
            turns in 1i32..4, tags in prop::collection::vec(0u32..2, 3),
        ) {
            // A field of small steps, several times over itself: neighbouring storeys are joined on one side.
            let mut rows = Vec::new();
            for (y, row) in heights.iter().enumerate() {
                let mut stack = Vec::new();
                for turn in 0..turns {
                    for (x, &h) in row.iter().enumerate() {
                        if h >= 0 {
                            // Rises towards the next storey along the first rows.
                            let ramp = if x < 2 { 7 * y as i32 / heights.len() as i32 } else { 0 };
                            stack.push((x as u32, turn * 7 + h / 2 + ramp, tags[turn as usize]));
                        }
                    }
                }
                rows.push(stack);
            }
            check(&rows);
        }
    }
}
