//! Shared corners, and all that lies within parts of a pixel of them: they move together or not at all.
//!
//! Where borders meet a wall, the ends of borders and walls lie a 64th of a pixel from each other, each where its two sides
//! agree. A knot is all of them; it is shifted as it is, so that what is beside what does not change.

use super::{
    super::{
        contour::{Border, PARTS},
        lattice::HEIGHT_UNITS,
    },
    lines::{Finder, Line},
    moves::{FARTHEST, Ring},
    overhangs::LayerHeights,
};
use rayon::prelude::*;
use wayfare_core::DVec2;

/// Edges within a knot are shorter than this [pixels].
const TINY: f64 = 0.05;

/// A shifted knot may miss the lines of walls at it by so much [pixels]: the two sides of a wall without thickness, and the
/// parts of a pixel within the knot.
const MISS: f64 = 0.15;

/// Borders must keep this much of their length [pixels].
const SHORTEST: f64 = 0.25;

/// The ground beside a border is looked at so far on both sides of it [pixels]: a riser is less than a pixel away.
const ACROSS: f64 = 1.25;

/// Ground on both sides of a ledge is at one height, at the foot of a ramp, if it differs by less [height units].
const LEVEL: f64 = 0.1 * HEIGHT_UNITS;

/// The knots of all rings.
pub struct Knots {
    /// For each ring and corner the number of its knot: the least shared corner in it.
    pub of_rings: Vec<Vec<Option<u32>>>,
    /// How far each knot should go, by number [parts of a pixel].
    pub shifts: Vec<Option<[i32; 2]>>,
    /// Which of them are ends of ledges that have to go on.
    pub is_end: Vec<bool>,
}

/// What meets in a knot.
#[derive(Clone, Default)]
struct Meeting {
    /// Lines of walls, then of ledges, and the corners where they end.
    lines: Vec<(Line, DVec2)>,
    /// How many of the lines are of walls.
    walls: usize,
    /// How many ledges end in it, with lines or without.
    ledges: usize,
    /// The layers of its rings.
    layers: Vec<u32>,
    /// The way to the other end of borders.
    borders: Vec<DVec2>,
    /// Where a border ends.
    end: Option<DVec2>,
}

impl Knots {
    /// The knots of rings in layers, with so many shared corners.
    pub fn new(rings: &[Ring], layers: &[u32], finder: &Finder, shared: usize) -> Self {
        let mut of_rings: Vec<Vec<Option<u32>>> = Vec::with_capacity(rings.len());
        let mut least: Vec<u32> = (0..shared as u32).collect();
        for ring in rings {
            let n = ring.corners.len();
            let mut own: Vec<Option<u32>> = ring.corners.iter().map(|corner| corner.shared).collect();
            // Twice round, so that it does not matter where the ring begins; forward, then backward.
            for k in (0..2 * n).map(|k| k % n).chain((0..2 * n).rev().map(|k| k % n)) {
                let next = ring.next(k);
                if ring.length(k) < TINY {
                    match (own[k], own[next]) {
                        (Some(a), Some(b)) => join(&mut least, a, b),
                        (a, b) => (own[k], own[next]) = (a.or(b), b.or(a)),
                    }
                }
            }
            of_rings.push(own);
        }
        for knot in of_rings.iter_mut().flatten().flatten() {
            *knot = root(&mut least, *knot);
        }
        let mut meetings = vec![Meeting::default(); shared];
        for ((ring, knots), &layer) in rings.iter().zip(&of_rings).zip(layers) {
            for (k, knot) in knots.iter().enumerate() {
                let Some(knot) = knot else { continue };
                let meeting = &mut meetings[*knot as usize];
                meeting.layers.push(layer);
                for (edge, other) in [(ring.last(k), ring.last(k)), (k, ring.next(k))] {
                    if knots[other] == Some(*knot) && ring.length(edge) < TINY {
                        continue;
                    }
                    if ring.corners[edge].border.is_shared() {
                        meeting.borders.push(ring.point(other) - ring.point(k));
                        meeting.end = Some(ring.point(k));
                    } else {
                        let is_wall = ring.corners[edge].border == Border::Wall;
                        meeting.ledges += usize::from(!is_wall);
                        let Some(line) = ring.lines[edge] else { continue };
                        // Walls first: behind a wall is no ground, beyond a ledge there may be some.
                        let place = if is_wall { meeting.walls } else { meeting.lines.len() };
                        meeting.lines.insert(place, (line, ring.point(k)));
                        meeting.walls += usize::from(is_wall);
                    }
                }
            }
        }
        let ends: Vec<_> = meetings.par_iter().map(|meeting| meeting.along_border(finder)).collect();
        let is_end = ends.iter().map(Option::is_some).collect();
        let shifts =
            meetings.iter().zip(ends).map(|(meeting, end)| end.or_else(|| meeting.shift(finder.heights)));
        Self { of_rings, shifts: shifts.collect(), is_end }
    }
}

/// The least number of those that are joined with another.
fn root(least: &mut [u32], mut number: u32) -> u32 {
    while least[number as usize] != number {
        least[number as usize] = least[least[number as usize] as usize];
        number = least[number as usize];
    }
    number
}

fn join(least: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(least, a), root(least, b));
    least[a.max(b) as usize] = a.min(b);
}

impl Meeting {
    /// To where the walls meet, or along the border to the wall, or straight to the wall.
    fn shift(&self, heights: &LayerHeights) -> Option<[i32; 2]> {
        let &(mut line, p) = self.lines.first()?;
        if self.ledges > 0 {
            // Parts of a pixel beyond a ledge there is no ground; ground on both sides of a ledge cannot be on its own side.
            let of_layers = self.layers.iter().filter_map(|&layer| heights.near(layer, p));
            let (low, high) = of_layers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| {
                (low.min(height), high.max(height))
            });
            let is_level = high - low <= LEVEL;
            if self.walls == 0 || self.walls + self.ledges > self.lines.len() || !is_level {
                return None;
            }
            // Between the ground's side of the wall and the ledge, so that edges part on their own sides.
            line.at -= line.along.perp() / f64::from(PARTS);
        }
        let other = self.lines.iter().find(|(other, _)| line.along.perp_dot(other.along).abs() > 0.3);
        let shift = if let Some((other, _)) = other {
            line.meet(other)? - p
        } else {
            // Borders on one line, from both sides or from one.
            let border = self.borders.first().copied().unwrap_or(DVec2::ZERO).normalize_or_zero();
            let is_one =
                self.borders.iter().all(|other| border.perp_dot(*other).abs() < 0.01 * other.length());
            let sine = line.along.perp_dot(border);
            if is_one && sine.abs() > 0.3 { border * (-line.offset(p) / sine) } else { line.foot(p) - p }
        };
        let is_kept = |border: &DVec2| is_kept(*border, shift);
        let is_met = |&(line, p): &(Line, DVec2)| line.offset(p + shift).abs() < MISS;
        let is_good =
            shift.length() < FARTHEST && self.borders.iter().all(is_kept) && self.lines.iter().all(is_met);
        let parts = [shift.x, shift.y].map(|c| (c * f64::from(PARTS)).round() as i32);
        (is_good && parts != [0, 0]).then_some(parts)
    }

    /// Along the border to where the ledge beside it is no higher than a step, if it is higher at its end.
    fn along_border(&self, finder: &Finder) -> Option<[i32; 2]> {
        let (end, border) = (self.end?, *self.borders.first()?);
        let along = border.try_normalize()?;
        let is_one =
            |other: &DVec2| other.dot(along) > 0.0 && along.perp_dot(*other).abs() < 0.01 * other.length();
        if self.ledges == 0 || !self.borders.iter().all(is_one) {
            return None;
        }
        let side = |away: f64| {
            let place = end + along * (1.0 / 16.0) + along.perp() * away;
            let [column, row] = place.floor().to_array().map(|c| c as i64);
            let height = self.layers.iter().find_map(|&layer| finder.heights.at(layer, column, row))?;
            Some((place, finder.lattice.height(height)))
        };
        let (far, _) = finder.end_of_ledge([side(ACROSS)?, side(-ACROSS)?], along)?;
        if !(0.01..FARTHEST).contains(&far) {
            return None;
        }
        let shift = along * far;
        let is_kept = self.borders.iter().all(|border| is_kept(*border, shift));
        is_kept.then(|| [shift.x, shift.y].map(|c| (c * f64::from(PARTS)).round() as i32))
    }
}

/// Whether a border keeps enough of its length when one of its ends is shifted, and perhaps the other as far.
fn is_kept(border: DVec2, shift: DVec2) -> bool {
    border.dot(shift) < border.length_squared() / 2.0 - SHORTEST * border.length()
}
