//! Where corners of contours should go: to where the lines of their edges meet.
//!
//! Corners move in groups, whose moves are made or taken back as a whole: a corner by itself; corners with bevels between
//! them, which become one or two; one corner that becomes two, at the end of a wall; one between edges on the same line, which
//! becomes none; a knot.

use super::{
    super::{
        contour::{Border, Corner, PARTS},
        lattice::HEIGHT_UNITS,
    },
    knots::Knots,
    lines::{Finder, Line},
};
use rayon::prelude::*;
use wayfare_core::DVec2;

/// Corners move this far at most [pixels]: what a bevel of the longest cuts off on each side.
pub const FARTHEST: f64 = 3.5;

/// Longer edges are no bevels [pixels]: pixels leave out up to a diagonal before a corner, simplification another pixel, and an
/// edge across leaves out half its length.
const BEVEL: f64 = 4.8;

/// Shorter edges are bevels, whatever line they have [pixels]: they stand for a pixel or two.
const SHORT: f64 = 1.5;

/// Edges that are taken together as bevels at most.
const MOST_BEVELS: usize = 3;

/// Ground is looked for so far beside corners of knots [parts of a pixel].
const BESIDE: i32 = PARTS / 16;

/// Ways over the end of a ledge begin so far beside the lines of its sides [pixels].
const BESIDE_LEDGE: f64 = 0.1;

/// How far before the point in which two pieces of ground meet what lies between them ends [pixels].
const BEFORE: f64 = 0.4;

/// Lines that are nowhere farther from each other along their edges are the same [pixels].
const SAME: f64 = 0.1;

/// A new place of a corner, and the height of the ground there [height units].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    at: [i32; 2],
    height: i32,
}

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub enum At {
    /// Rings by themselves.
    Rings,
    /// All rings of a layer together.
    Layers,
}

/// Corners with a common fate.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    is_moved: bool,
    /// Whether it is the end of a ledge that had to go on: only taken back where that of others is not enough.
    is_end: bool,
    /// Whether it was moved or taken back since the last look, at rings and at layers.
    is_new: [bool; 2],
}

/// Corners of a ring that follow each other and belong to one group, and where they go.
#[derive(Clone, Debug)]
struct Piece {
    group: usize,
    first: usize,
    count: usize,
    places: Vec<Place>,
}

/// A corner of a ring as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The corner.
    pub corner: Corner,
    /// Which piece of the ring it belongs to.
    piece: usize,
    /// The old corners of the ring up to which, and from which on, the edges before and after it stand for old ones.
    reaches: [usize; 2],
}

impl Spot {
    /// The old corner of the ring that it stands for.
    pub fn old(&self) -> usize {
        self.reaches[0]
    }
}

/// The moves of all corners.
pub struct Moves<'a> {
    rings: &'a [&'a [Corner]],
    /// The layer of each ring.
    pub layers: &'a [u32],
    pieces: Vec<Vec<Piece>>,
    groups: Vec<Group>,
}

/// What one ring wishes: for corners from one on, so many of them, new places.
struct Wish {
    first: usize,
    count: usize,
    places: Vec<Place>,
    /// Whether it is the end of a ledge.
    is_end: bool,
}

impl<'a> Moves<'a> {
    /// The moves that the lines of the edges of all rings ask for; `shared` is the number of shared corners.
    pub fn new(
        rings: &'a [&'a [Corner]],
        layers: &'a [u32],
        stairs: &[Vec<&[Corner]>],
        lines: &[Vec<Option<Line>>],
        finder: &Finder,
        shared: u32,
    ) -> Self {
        let rings_with_lines: Vec<Ring> = rings
            .iter()
            .zip(stairs)
            .zip(lines)
            .zip(layers)
            .map(|(((corners, stairs), lines), &layer)| Ring { corners, layer, stairs, lines, finder })
            .collect();
        let knots = Knots::new(&rings_with_lines, layers, finder, shared as usize);
        // Those of knots come first.
        let mut groups: Vec<Group> = vec![Group::default(); shared as usize];
        let places_of = |(ring, knots_of): (&Ring, &Vec<Option<u32>>)| -> Vec<Option<Place>> {
            let place = |(k, knot): (usize, &Option<u32>)| {
                let knot = (*knot)? as usize;
                // At the end of a ledge the border alone becomes shorter: the ledge goes on to where it was.
                let stays = knots.is_end[knot] && ring.corners[k].shared.is_none();
                ring.shifted(k, if stays { [0, 0] } else { knots.shifts[knot]? })
            };
            knots_of.iter().enumerate().map(place).collect()
        };
        let places: Vec<Vec<Option<Place>>> =
            rings_with_lines.par_iter().zip(&knots.of_rings).map(places_of).collect();
        for (knots_of, places) in knots.of_rings.iter().zip(&places) {
            for (&knot, place) in knots_of.iter().zip(places) {
                if let Some(knot) = knot {
                    // A knot moves as a whole.
                    let is_first = groups[knot as usize].is_new == [false; 2];
                    let is_moved = place.is_some() && (is_first || groups[knot as usize].is_moved);
                    let is_end = knots.is_end[knot as usize];
                    groups[knot as usize] = Group { is_moved, is_end, is_new: [true; 2] };
                }
            }
        }
        groups.iter_mut().for_each(|group| group.is_new = [group.is_moved; 2]);
        let wishes: Vec<Vec<Wish>> = rings_with_lines
            .par_iter()
            .zip(&knots.of_rings)
            .map(|(ring, knots_of)| ring.wishes(knots_of))
            .collect();
        let mut pieces = Vec::with_capacity(rings.len());
        for (ring, wishes) in wishes.into_iter().enumerate() {
            let n = rings[ring].len();
            let mut own = Vec::new();
            let mut wishes = wishes.into_iter().peekable();
            // A ring may begin within a group, which then is its last.
            let begin = wishes.peek().map_or(0, |wish| wish.first);
            let mut at = begin;
            while at < begin + n {
                let first = at % n;
                let piece = match (knots.of_rings[ring][first], wishes.next_if(|wish| wish.first == first)) {
                    (Some(knot), _) => {
                        let places = places[ring][first].into_iter().collect();
                        Piece { group: knot as usize, first, count: 1, places }
                    }
                    (None, Some(Wish { count, places, is_end, .. })) => {
                        groups.push(Group { is_moved: true, is_end, is_new: [true; 2] });
                        Piece { group: groups.len() - 1, first, count, places }
                    }
                    (None, None) => Piece { group: NO_GROUP, first, count: 1, places: Vec::new() },
                };
                at += piece.count;
                own.push(piece);
            }
            pieces.push(own);
        }
        Self { rings, layers, pieces, groups }
    }

    /// The corners of a ring as they are now.
    pub fn spots(&self, ring: usize) -> Vec<Spot> {
        let corners = self.rings[ring];
        let n = corners.len();
        let mut spots: Vec<Spot> = Vec::with_capacity(n);
        // What runs along edges to corners that are gone, before the first that is there.
        let mut pending: Vec<Border> = Vec::new();
        for (piece, &Piece { group, first, count, ref places }) in self.pieces[ring].iter().enumerate() {
            if !self.groups.get(group).is_some_and(|group| group.is_moved) {
                spots.extend((first..first + count).map(|k| {
                    let k = k % n;
                    Spot { corner: corners[k], piece, reaches: [k, k] }
                }));
                continue;
            }
            let last = (first + count - 1) % n;
            let moved = |place: &Place, from: usize, border: Border| Corner {
                at: place.at,
                height: place.height,
                is_settled: true,
                border,
                ..corners[from]
            };
            match &places[..] {
                [] => match spots.last_mut() {
                    Some(spot) => spot.corner.border = spot.corner.border.deeper(corners[last].border),
                    None => pending.push(corners[last].border),
                },
                [place] => {
                    let corner = moved(place, first, corners[last].border);
                    spots.push(Spot { corner, piece, reaches: [first, first] });
                }
                [before, .., after] => {
                    // Between them is what was between the old ones, or before the only one.
                    let border = corners[if count > 1 { first } else { (first + n - 1) % n }].border;
                    let corner = moved(before, first, border);
                    spots.push(Spot { corner, piece, reaches: [first, first] });
                    let corner = moved(after, last, corners[last].border);
                    spots.push(Spot { corner, piece, reaches: [last, last] });
                }
            }
        }
        if let Some(spot) = spots.last_mut() {
            for border in pending {
                spot.corner.border = spot.corner.border.deeper(border);
            }
        }
        spots
    }

    /// Number of rings.
    pub fn ring_count(&self) -> usize {
        self.rings.len()
    }

    /// The old corners of a ring.
    pub fn old(&self, ring: usize) -> &'a [Corner] {
        self.rings[ring]
    }

    /// The old corners that an edge between two neighbouring spots stands for, both ends included: one where it is new.
    pub fn chain(
        &self,
        ring: usize,
        from: &Spot,
        to: &Spot,
    ) -> impl ExactSizeIterator<Item = Corner> + Clone + use<'a> {
        let corners = self.rings[ring];
        let n = corners.len();
        let (start, end) = (from.reaches[1], to.reaches[0]);
        let count = (end + n - start) % n;
        (0..count + 1).map(move |k| corners[if start + k < n { start + k } else { start + k - n }])
    }

    /// The groups that an edge depends on, by number.
    fn groups_of(&self, ring: usize, from: &Spot, to: &Spot) -> impl Iterator<Item = usize> {
        let pieces = &self.pieces[ring];
        let n = pieces.len();
        let count = (to.piece + n - from.piece) % n;
        (from.piece..=from.piece + count).map(move |k| pieces[if k < n { k } else { k - n }].group)
    }

    /// Whether a corner that an edge depends on was moved or taken back since the last look.
    pub fn is_new(&self, look: At, ring: usize, from: &Spot, to: &Spot) -> bool {
        let is_new = |group: usize| self.groups.get(group).is_some_and(|group| group.is_new[look as usize]);
        self.groups_of(ring, from, to).any(is_new)
    }

    /// Whether anything of a ring was moved or taken back since the last look.
    pub fn is_new_ring(&self, look: At, ring: usize) -> bool {
        let is_new = |group: usize| self.groups.get(group).is_some_and(|group| group.is_new[look as usize]);
        self.pieces[ring].iter().any(|piece| is_new(piece.group))
    }

    /// The moves that an edge depends on, to be taken back: if one of its ends is nearer to where it does harm, those there first.
    pub fn moved(&self, ring: usize, [from, to]: [&Spot; 2], nearer: Option<usize>) -> Vec<usize> {
        let is_moved = |group: &usize| self.groups.get(*group).is_some_and(|group| group.is_moved);
        let mut moved: Vec<usize> = self.groups_of(ring, from, to).collect();
        if let Some(end) = nearer {
            let own = if end == 0 { 0 } else { moved.len() - 1 };
            if is_moved(&moved[own]) && !self.groups[moved[own]].is_end {
                moved = vec![moved[own]];
            }
        }
        moved.retain(is_moved);
        moved
    }

    /// The moves of a whole ring.
    pub fn moved_in(&self, ring: usize) -> Vec<usize> {
        let is_moved = |group: &usize| self.groups.get(*group).is_some_and(|group| group.is_moved);
        self.pieces[ring].iter().map(|piece| piece.group).filter(is_moved).collect()
    }

    /// Of moves that do harm together those that are taken back first: ends of ledges are last.
    pub fn first_of(&self, mut moves: Vec<usize>) -> Vec<usize> {
        if moves.iter().any(|&number| !self.groups[number].is_end) {
            moves.retain(|&number| !self.groups[number].is_end);
        }
        moves
    }

    /// Takes moves back; whether there were any. All others count as looked at.
    pub fn take_back(&mut self, look: At, moves: &[usize]) -> bool {
        self.groups.iter_mut().for_each(|group| group.is_new[look as usize] = false);
        for &number in moves {
            let group = &mut self.groups[number];
            (group.is_moved, group.is_new) = (false, [true; 2]);
        }
        !moves.is_empty()
    }
}

/// The group of corners that do not move.
const NO_GROUP: usize = usize::MAX;

/// One ring with the lines of its edges.
pub struct Ring<'a> {
    /// Its corners.
    pub corners: &'a [Corner],
    /// Its layer.
    layer: u32,
    stairs: &'a [&'a [Corner]],
    /// The lines of its edges.
    pub lines: &'a [Option<Line>],
    finder: &'a Finder<'a>,
}

impl Ring<'_> {
    /// The corner after another.
    pub fn next(&self, k: usize) -> usize {
        (k + 1) % self.corners.len()
    }
    /// The corner before another.
    pub fn last(&self, k: usize) -> usize {
        (k + self.corners.len() - 1) % self.corners.len()
    }
    /// Where a corner is [pixels].
    pub fn point(&self, k: usize) -> DVec2 {
        self.corners[k].point()
    }
    /// Length of the edge from a corner on [pixels].
    pub fn length(&self, edge: usize) -> f64 {
        self.point(edge).distance(self.point(self.next(edge)))
    }

    /// The moves of the corners that belong to no knot, in order.
    fn wishes(&self, knots: &[Option<u32>]) -> Vec<Wish> {
        let n = self.corners.len();
        let is_free = |k: usize| knots[k].is_none();
        let mut is_done = vec![false; n];
        let mut wishes = Vec::new();
        for edges in (1..=MOST_BEVELS).rev().filter(|edges| n > edges + 1) {
            for first in 0..n {
                let run = (first..=first + edges).map(|k| k % n);
                if run.clone().all(|k| is_free(k) && !is_done[k])
                    && let Some(places) = self.without_bevels(first, edges)
                {
                    run.for_each(|k| is_done[k] = true);
                    let is_end = places.len() == 2 && self.is_ledge(first, (first + edges) % n);
                    wishes.push(Wish { first, count: edges + 1, places, is_end });
                }
            }
        }
        for k in (0..n).filter(|&k| is_free(k)) {
            if !is_done[k]
                && let Some(places) = self.moved(k)
            {
                let is_end = places.len() == 2 && self.is_ledge(k, k);
                wishes.push(Wish { first: k, count: 1, places, is_end });
            }
        }
        wishes.sort_unstable_by_key(|wish| wish.first);
        wishes
    }

    /// The ends of short edges without lines of their own: the corner that they cut off, or the two at the end of a wall.
    fn without_bevels(&self, first: usize, edges: usize) -> Option<Vec<Place>> {
        let n = self.corners.len();
        let (before, last) = (self.last(first), (first + edges) % n);
        let (a, b) = (self.lines[before]?, self.lines[last]?);
        let is_end = a.along.dot(b.along) < -0.9;
        let run = (first..first + edges).map(|k| k % n);
        let is_bevel = |k: usize| {
            let ends = [self.point(k), self.point(self.next(k))];
            let is_known = |line: &Line| {
                let is_across = is_end && line.along.dot(a.along).abs() < 0.5;
                is_across && edges > 1 || [a, b].iter().any(|other| is_same(line, other, ends))
            };
            let length = self.length(k);
            length < SHORT || length < BEVEL && self.lines[k].as_ref().is_none_or(is_known)
        };
        let ends = [self.point(first), self.point(last)];
        // What goes there and back has an end of its own.
        let mut ways = run.clone().filter_map(|k| self.lines[k]);
        let is_back = ways.next().is_some_and(|first| ways.any(|other| first.along.dot(other.along) < -0.9));
        if !run.clone().all(is_bevel) || is_same(&a, &b, ends) || is_back {
            return None;
        }
        if is_end {
            return self.round_end(&a, &b, [first, last]);
        }
        let place = a.meet(&b)?;
        let is_near = run.chain([last]).all(|k| self.point(k).distance(place) < FARTHEST);
        is_near.then(|| self.place(place, first).map(|place| vec![place]))?
    }

    /// Two corners at the end of a wall, whose sides are two lines, for one corner or two.
    fn round_end(&self, a: &Line, b: &Line, [first, last]: [usize; 2]) -> Option<Vec<Place>> {
        if a.along.dot(b.along) > -0.9 {
            return None;
        }
        let n = self.corners.len();
        let count = (last + n - first) % n;
        let between: Vec<&[Corner]> = (first..first + count).map(|k| self.stairs[k % n]).collect();
        let across = self.finder.end_line(
            self.stairs[self.last(first)],
            &between,
            self.stairs[last],
            self.layer,
            [a, b],
        )?;
        let [mut p, mut q] = [a.meet(&across)?, across.meet(b)?];
        let is_near = [(p, first), (q, last)].iter().all(|&(p, k)| p.distance(self.point(k)) < FARTHEST);
        let mut about = [first, last].map(|k| self.finder.lattice.height(f64::from(self.corners[k].height)));
        // Nobody steps over the end of a ledge where it is too high.
        if self.is_ledge(first, last) {
            let sides = [p + a.along.perp() * BESIDE_LEDGE, q + b.along.perp() * BESIDE_LEDGE];
            let sides = [(sides[0], about[0]), (sides[1], about[1])];
            if let Some((far, heights)) = self.finder.end_of_ledge(sides, a.along) {
                (p, q) = (p + a.along * far, q - b.along * far);
                about = heights;
            }
        }
        let is_right = (q - p).dot(across.along) > 0.0;
        let places = [self.place_about(p, about[0])?, self.place_about(q, about[1])?];
        (is_near && is_right && places[0].at != places[1].at).then(|| places.to_vec())
    }

    /// Whether ground on two levels lies on both sides of what some corners go round.
    fn is_ledge(&self, first: usize, last: usize) -> bool {
        let borders = [self.last(first), last].map(|edge| self.corners[edge].border);
        matches!(borders, [Border::Drop(_), Border::Wall] | [Border::Wall, Border::Drop(_)])
    }

    /// Where a corner goes; no place if it is not needed any more.
    fn moved(&self, k: usize) -> Option<Vec<Place>> {
        let p = self.point(k);
        let (before, after) = (self.last(k), self.next(k));
        let near = |place: DVec2| (place.distance(p) < FARTHEST).then_some(place);
        let place = match (self.lines[before], self.lines[k]) {
            (Some(a), Some(b)) => {
                let ends = [self.point(before), self.point(after)];
                if is_same(&a, &b, ends) {
                    // Where a wall becomes a drop the corner stays.
                    if !self.corners[k].is_fixed {
                        return Some(Vec::new());
                    }
                    a.foot(p)
                } else if let Some(place) = a.meet(&b).and_then(near) {
                    place
                } else if a.along.dot(b.along) < -0.9 {
                    return self.round_end(&a, &b, [k, k]);
                } else {
                    // On the ground's side of both.
                    [(a, b), (b, a)]
                        .into_iter()
                        .map(|(a, b)| (a.foot(p), b))
                        .find(|(p, b)| b.offset(*p) >= 0.0)?
                        .0
                }
            }
            (Some(line), None) | (None, Some(line)) => line.foot(p),
            (None, None) => return None,
        };
        let place = near(place)?;
        let place = self.place(place, k).or_else(|| self.is_ledge(k, k).then(|| self.before(place, k))?)?;
        (place.at != self.corners[k].at).then(|| vec![place])
    }

    /// A place that a corner goes to, if there is ground.
    fn place(&self, p: DVec2, k: usize) -> Option<Place> {
        let at = [p.x, p.y].map(|c| (c * f64::from(PARTS)).round() as i32);
        Some(Place { at, height: self.height(at, k)? })
    }

    /// A place that a corner goes to, if there is ground near a height [m].
    fn place_about(&self, p: DVec2, about: f64) -> Option<Place> {
        let at = [p.x, p.y].map(|c| (c * f64::from(PARTS)).round() as i32);
        let place = DVec2::new(f64::from(at[0]), f64::from(at[1])) / f64::from(PARTS);
        let Finder { lattice, obstacles, .. } = self.finder;
        let height = obstacles.floor_height(lattice.place(place), about)?;
        Some(Place { at, height: ((height - lattice.height(0.0)) * HEIGHT_UNITS).round() as i32 })
    }

    /// A place a little before one that has no ground: two pieces of ground meet there in a point, and what lies between them ends.
    fn before(&self, p: DVec2, k: usize) -> Option<Place> {
        let way = (self.point(k) - p).try_normalize()?;
        let p = p + way * BEFORE;
        let at = [p.x, p.y].map(|c| (c * f64::from(PARTS)).round() as i32);
        Some(Place { at, height: self.height_beside(at, k, PARTS / 2)? })
    }

    /// Height of the ground at a place that a corner goes to [height units].
    fn height(&self, at: [i32; 2], k: usize) -> Option<i32> {
        let corner = Corner { at, ..self.corners[k] };
        let Finder { lattice, obstacles, .. } = self.finder;
        let about = lattice.height(f64::from(corner.height));
        let height = obstacles.floor_height(lattice.place(corner.point()), about)?;
        Some(((height - lattice.height(0.0)) * HEIGHT_UNITS).round() as i32)
    }

    /// Where a corner of a knot goes. It may lie parts of a pixel beyond the ground's rim.
    fn shifted(&self, k: usize, shift: [i32; 2]) -> Option<Place> {
        let [x, y] = self.corners[k].at;
        let at = [x + shift[0], y + shift[1]];
        Some(Place { at, height: self.height_beside(at, k, BESIDE)? })
    }

    /// The height nearest to that of a corner that the ground has at a place or so many parts of a pixel beside it [height units].
    fn height_beside(&self, at: [i32; 2], k: usize, away: i32) -> Option<i32> {
        let beside = [[0, 0], [1, 1], [-1, 1], [-1, -1], [1, -1]];
        let own = self.corners[k].height;
        let mut best: Option<i32> = None;
        for [x, y] in beside {
            let height = self.height([at[0] + away * x, at[1] + away * y], k);
            best = height
                .filter(|height| best.is_none_or(|best| (height - own).abs() < (best - own).abs()))
                .or(best);
            // Nothing is nearer.
            if best == Some(own) {
                break;
            }
        }
        best
    }
}

/// Whether two lines are the same between two points.
fn is_same(a: &Line, b: &Line, ends: [DVec2; 2]) -> bool {
    let is_near = |(a, b): (&Line, &Line)| ends.iter().all(|&p| b.offset(a.foot(p)).abs() < SAME);
    a.along.dot(b.along) > 0.9 && is_near((a, b)) && is_near((b, a))
}
