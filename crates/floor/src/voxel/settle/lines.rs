//! Where the ground truly ends along an edge: a line, looked up among the triangles.
//!
//! Idea: beside every pixel of the boundary something is the reason that the ground ends there: an obstacle in the pixel
//!   across, or the rim of the floor in the pixel itself. Its point nearest to the pixel's side is a point where the ground
//!   ends. Some of those along an edge give its line: the one on the ground's side of all of them that is nearest to all.
//! Cost: a dozen look-ups per edge, and its square in steps.

use super::super::{
    contour::{Border, Corner},
    lattice::{Lattice, floor, round},
    near::Near,
    nearest::Nearest,
    obstacles::Obstacles,
};
use super::overhangs::LayerHeights;
use wayfare_core::DVec2;
use wayfare_geom::Aabb2;

/// How far from walls and ledges lines lie, on the ground's side, so that rings on both sides of a wall without thickness do
/// not touch [pixels]. More than rounding to parts of a pixel moves a corner.
const MARGIN: f64 = 1.0 / 32.0;

/// Points looked up along an edge at most.
const SAMPLES: usize = 12;

/// The triangles beside edges that are no longer are looked up once [pixels].
const TOGETHER: usize = 24;

/// Ends of walls are looked at from so far [pixels].
const BEYOND: f64 = 8.0;

/// Points that tell all of a straight wall.
const FEW: usize = 3;

/// Points are rounded by less than this before their pixel is known [pixels].
const ROUNDED: f64 = 1.0 / 4096.0;

/// What lies so near to the end of an edge may be what the next edge stands for [pixels].
const END: f64 = 2.0;

/// Points so near to a line lie on it [pixels].
const ON_LINE: f64 = 0.05;

/// Points may be so far behind the line of their edge [pixels].
const BEHIND: f64 = 1.5;

/// A line with the ground on its left [pixels].
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// A point of it.
    pub at: DVec2,
    /// Its direction, of length 1.
    pub along: DVec2,
}

impl Line {
    /// Distance of a point to the left.
    pub fn offset(&self, p: DVec2) -> f64 {
        self.along.perp_dot(p - self.at)
    }
    /// The nearest point of the line.
    pub fn foot(&self, p: DVec2) -> DVec2 {
        self.at + self.along * self.along.dot(p - self.at)
    }
    /// Where two lines meet, if they are not about parallel.
    pub fn meet(&self, other: &Self) -> Option<DVec2> {
        let sine = self.along.perp_dot(other.along);
        // Less than three degrees.
        (sine.abs() > 0.05).then(|| self.at + self.along * (other.along.perp_dot(self.at - other.at) / sine))
    }
}

/// A point where the ground ends, and the direction in which its boundary goes on there, if that is near to the edge's.
#[derive(Clone, Copy)]
struct Sample {
    point: DVec2,
    along: Option<DVec2>,
}

/// The side of a pixel where the ground ends.
struct Rim {
    /// Its middle [pixels].
    middle: DVec2,
    /// The way to the pixel with the ground, of length 1.
    inward: DVec2,
    /// Height of the ground [m].
    ground: f64,
    /// Whether something stands on the other side.
    is_wall: bool,
}

/// Looks up lines.
pub struct Finder<'a> {
    /// The grid.
    pub lattice: &'a Lattice,
    /// The triangles.
    pub obstacles: &'a Obstacles<'a>,
    /// The heights of the ground.
    pub heights: &'a LayerHeights<'a>,
}

impl Finder<'_> {
    /// The line of an edge of a layer that stands for corners on the grid.
    pub fn line(&self, stairs: &[Corner], layer: u32) -> Option<Line> {
        let (first, last) = (stairs.first()?, stairs.last()?);
        let start = first.point();
        let length = start.distance(last.point());
        let along = (last.point() - start).try_normalize()?;
        // Most are walls, for which a few points tell all.
        let total: usize = stairs.windows(2).map(side_length).sum();
        let mut rims = self.rims(stairs, layer, if total > TOGETHER { FEW } else { SAMPLES });
        put_few_first(&mut rims);
        let things = (total <= TOGETHER).then(|| self.near_rims(&rims));
        let (few, rest) = rims.split_at(FEW.min(rims.len()));
        let mut samples: Vec<Sample> = Vec::with_capacity(SAMPLES);
        self.add_samples(&mut samples, few, along, DVec2::ZERO, things.as_ref());
        let is_on = |line: &Line| samples.iter().all(|sample| line.offset(sample.point).abs() < ON_LINE);
        let line = match through_most(&samples).filter(is_on) {
            Some(line) if samples.len() == FEW => line,
            _ => {
                if total > TOGETHER {
                    samples.clear();
                    let all = self.rims(stairs, layer, SAMPLES);
                    self.add_samples(&mut samples, &all, along, DVec2::ZERO, None);
                } else {
                    self.add_samples(&mut samples, rest, along, DVec2::ZERO, things.as_ref());
                }
                let is_inner =
                    |sample: &Sample| (END..length - END).contains(&along.dot(sample.point - start));
                if samples.iter().filter(|sample| is_inner(sample)).count() > 2 {
                    samples.retain(is_inner);
                    nearest_of_all(&samples, along)?
                } else {
                    through_most(&samples)?
                }
            }
        };
        let line = with_margin(line);
        // The end of a wall may reach beyond the ground.
        let is_end = length < 2.0 * END && first.border == Border::Wall;
        (!is_end || self.has_ground(line.foot(start.midpoint(last.point())), first)).then_some(line)
    }

    /// Whether there is ground at a place near a corner.
    fn has_ground(&self, place: DVec2, corner: &Corner) -> bool {
        let about = self.lattice.height(f64::from(corner.height));
        self.obstacles.floor_height(self.lattice.place(place), about).is_some()
    }

    /// The sides of the pixels in the middle of each of some equal parts of the boundary.
    fn rims(&self, stairs: &[Corner], layer: u32, most: usize) -> Vec<Rim> {
        let total: usize = stairs.windows(2).map(side_length).sum();
        let count = total.min(most);
        let mut wanted = (0..count).map(|k| (2 * k + 1) * total / (2 * count)).peekable();
        let mut rims = Vec::with_capacity(count);
        let mut passed = 0;
        for side in stairs.windows(2) {
            let end = passed + side_length(side);
            while let Some(number) = wanted.next_if(|&number| number < end) {
                rims.push(self.rim(side, layer, number - passed));
            }
            passed = end;
        }
        rims
    }

    /// Adds the points where the ground ends beside pixels, seen from their sides or from some way off, among the triangles near all of
    /// them, if these lie in one place.
    fn add_samples(
        &self,
        to: &mut Vec<Sample>,
        rims: &[Rim],
        near: DVec2,
        off: DVec2,
        things: Option<&Near>,
    ) {
        to.extend(rims.iter().filter_map(|rim| match things {
            Some(things) => self.sample(rim, near, off, things),
            None => self.sample(rim, near, off, &self.near_rims(std::slice::from_ref(rim))),
        }));
    }

    /// The triangles beside pixels.
    fn near_rims(&self, rims: &[Rim]) -> Near<'_> {
        let mut plan = [DVec2::INFINITY, DVec2::NEG_INFINITY];
        let mut heights = [f64::INFINITY, f64::NEG_INFINITY];
        for rim in rims {
            plan = [plan[0].min(rim.middle), plan[1].max(rim.middle)];
            heights = [heights[0].min(rim.ground), heights[1].max(rim.ground)];
        }
        // The pixels on both sides, and what is rounded.
        let plan = Aabb2 { min: self.lattice.place(plan[0] - 1.25), max: self.lattice.place(plan[1] + 1.25) };
        self.obstacles.near(plan, heights)
    }

    /// The line across the end of a wall with two sides, among the last pixels of one edge, those of some, perhaps none, and the
    /// first of another. It leaves as little as it can beyond what is there.
    pub fn end_line(
        &self,
        before: &[Corner],
        between: &[&[Corner]],
        after: &[Corner],
        layer: u32,
        sides: [&Line; 2],
    ) -> Option<Line> {
        let out = sides[0].along;
        // Ground may end between two ledges as a wall does between two pieces of ground.
        let is_wall = sides[0].offset(sides[1].at) < 0.0;
        let near = if is_wall { -out.perp() } else { out.perp() };
        // Seen from beyond the end.
        let beyond = out * BEYOND;
        let mut rims = Vec::with_capacity(2 * SAMPLES);
        let mut left = SAMPLES / 2;
        for side in before.windows(2).rev() {
            let length = side_length(side);
            rims.extend((0..length).rev().take(left).map(|number| self.rim(side, layer, number)));
            left = left.saturating_sub(length);
        }
        for stairs in between.iter().copied().chain([after]) {
            let mut left = SAMPLES / 2;
            for side in stairs.windows(2) {
                let length = side_length(side);
                rims.extend((0..length).take(left).map(|number| self.rim(side, layer, number)));
                left = left.saturating_sub(length);
            }
        }
        let things = self.near_rims(&rims);
        let mut samples = Vec::with_capacity(rims.len());
        self.add_samples(&mut samples, &rims, near, beyond, Some(&things));
        let mut best: Option<(f64, Line)> = None;
        for along in samples.iter().filter_map(|sample| sample.along).chain([near]) {
            let normal = if is_wall { along.perp() } else { -along.perp() };
            let at = |sample: &Sample| normal.dot(sample.point);
            let farthest = samples.iter().max_by(|a, b| at(a).total_cmp(&at(b)))?.point;
            let line = with_margin(Line { at: farthest, along });
            let reach: f64 =
                sides.iter().map(|side| Some(out.dot(side.meet(&line)?))).sum::<Option<f64>>()?;
            if best.is_none_or(|best| reach < best.0 - 1e-6) {
                best = Some((reach, line));
            }
        }
        best.map(|best| best.1)
    }

    /// The side of a pixel of a layer, by its number along a side on the grid.
    fn rim(&self, side: &[Corner], layer: u32, number: usize) -> Rim {
        let (start, end) = (on_grid(&side[0]), on_grid(&side[1]));
        let count = (end - start).abs().element_sum();
        let share = (number as f64 + 0.5) / count;
        let middle = start.lerp(end, share);
        let inward = ((end - start) / count).perp();
        // A side may be long, and its ground uneven; nor is its end always that of its ground.
        let pixel = middle + inward / 2.0;
        let height = self.heights.at(layer, floor(pixel.x), floor(pixel.y));
        Rim {
            middle,
            inward,
            ground: self.lattice.height(height.unwrap_or(f64::from(side[0].height))),
            is_wall: side[0].border == Border::Wall,
        }
    }

    /// Where the ground ends beside a pixel, among the triangles there, seen from its side or from some way off; the direction
    /// is near to another.
    fn sample(&self, rim: &Rim, near: DVec2, off: DVec2, things: &Near) -> Option<Sample> {
        let square = |inside: f64| {
            let centre = rim.middle + rim.inward * inside;
            let half = 0.5 + ROUNDED;
            Aabb2 { min: self.lattice.place(centre - half), max: self.lattice.place(centre + half) }
        };
        let to = self.lattice.place(rim.middle + off);
        let mut wall = if rim.is_wall { things.nearest_wall(square(-0.5), to, rim.ground) } else { None };
        // A slope that comes over the pixel's side begins in the pixel.
        let is_at_side = |wall: Nearest| self.lattice.pixel(wall.point).distance(rim.middle) < 2.0 * ROUNDED;
        if wall.is_some_and(is_at_side) {
            let inner = self.lattice.place(rim.middle + rim.inward);
            wall = things.nearest_foot(square(0.5), inner, rim.ground).or(wall);
        }
        let found: Nearest = wall.or_else(|| things.nearest_floor(square(0.5), to, rim.ground))?;
        let direction = found.line(near).map(|way| if way.dot(near) < 0.0 { -way } else { way });
        let point = self.lattice.pixel(found.point);
        Some(Sample { point, along: direction.filter(|way| way.dot(near) > 0.7) })
    }
}

fn with_margin(line: Line) -> Line {
    let at = line.at + line.along.perp() * MARGIN;
    Line { at, ..line }
}

/// The corner of the grid that a corner lies at [pixels].
fn on_grid(corner: &Corner) -> DVec2 {
    let DVec2 { x, y } = corner.point();
    DVec2::new(round(x), round(y))
}

/// Pixels along a side on the grid; none if it is only a part of a pixel long, or leads across a corner.
fn side_length(side: &[Corner]) -> usize {
    let way = on_grid(&side[1]) - on_grid(&side[0]);
    if way.x == 0.0 || way.y == 0.0 { (way.x.abs() + way.y.abs()) as usize } else { 0 }
}

/// Puts those in the middle of each of [`FEW`] equal parts first.
fn put_few_first(rims: &mut [Rim]) {
    let count = rims.len();
    if count > FEW {
        for k in 0..FEW {
            rims.swap(k, (2 * k + 1) * count / (2 * FEW));
        }
    }
}

/// The line that has no point on its left and most points on it, if they are half of all; else the one with none farther on its
/// right than needed; about in a direction.
fn nearest_of_all(samples: &[Sample], along: DVec2) -> Option<Line> {
    let own = samples.iter().filter_map(|sample| sample.along);
    let pairs = (0..samples.len()).flat_map(|k| {
        let ways = samples[..k].iter().map(move |other| samples[k].point - other.point);
        ways.filter_map(|way| way.try_normalize())
    });
    let mut best: Option<(usize, f64, Line)> = None;
    for direction in own.chain(pairs) {
        let direction = if direction.dot(along) < 0.0 { -direction } else { direction };
        if direction.dot(along) < 0.7 {
            continue;
        }
        let normal = direction.perp();
        let at = |sample: &Sample| normal.dot(sample.point);
        let highest = samples.iter().max_by(|a, b| at(a).total_cmp(&at(b)))?;
        let lowest = samples.iter().map(at).fold(f64::INFINITY, f64::min);
        let spread = at(highest) - lowest;
        let on_line = samples.iter().filter(|sample| at(sample) > at(highest) - ON_LINE).count();
        let on_line = if 2 * on_line >= samples.len() { on_line } else { 0 };
        // Of directions that are as good as each other those of the triangles come first.
        let is_better = best
            .is_none_or(|(count, least, _)| on_line > count || on_line == count && spread < least - ROUNDED);
        if spread < BEHIND && is_better {
            best = Some((on_line, spread, Line { at: highest.point, along: direction }));
        }
    }
    best.map(|best| best.2)
}

/// The line of one point that most other points lie on: at least half of them.
fn through_most(samples: &[Sample]) -> Option<Line> {
    let mut best: Option<(usize, Line)> = None;
    for sample in samples {
        let Some(along) = sample.along else { continue };
        let line = Line { at: sample.point, along };
        let count = samples.iter().filter(|other| line.offset(other.point).abs() < ON_LINE).count();
        if 2 * count >= samples.len() && best.is_none_or(|best| count > best.0) {
            best = Some((count, line));
        }
    }
    best.map(|best| best.1)
}
