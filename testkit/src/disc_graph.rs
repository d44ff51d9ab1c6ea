//! Shortest paths of a disc by brute force: all straight lines that touch two corners at the disc's radius.
//!
//! Idea: the centre of a disc that keeps away from walls by its radius moves on straight lines and on arcs round
//! corners, and lines touch the arcs that they join (Chew 1985, "Planning the shortest path for a disc in O(n²
//! log n) time"). So the graph's nodes are the points where a line that touches the circles of two corners touches
//! one of them; its edges are these lines, and the arcs between neighbours on each circle.
//!   We differ: nothing is said of sides and headings. A line may be followed by an arc either way round: every way
//!   through the graph is a curve that the disc can follow, and the shortest of them is smooth by itself.
//! Steps: 1. corners: all points of the boundary but those where it turns to the left or goes straight on
//!   2. lines between all pairs, kept if no wall is too near  3. arcs between neighbours, kept likewise
//!   4. per query: the line itself; lines from start and goal to all circles; Dijkstra.
//! Needs closed chains of points that do not cross, with free space on their left; chains may turn back on
//! themselves (walls without thickness). Promises lengths to 1e-9 of those for a radius that is smaller by
//! at most [`SLACK`].
//! Cost: O(n³) to build, O(n² log n) per query; meant for some hundred points.

use crate::{
    Rings,
    disc_curve::{Piece, direction, foot_on_segment, on_circle, walls},
    free_space::{FreeSpace, Place},
};
use std::{cmp::Ordering, collections::BinaryHeap, f64::consts::TAU};
use wayfare_core::DVec2;
use wayfare_geom::predicates::{is_between, orient};

/// How much nearer to a wall than its radius a disc may come, for rounding [m].
pub const SLACK: f64 = 1e-9;

/// All shortest paths of one disc in one plan.
#[derive(Clone, Debug)]
pub struct DiscGraph {
    space: FreeSpace,
    walls: Vec<[DVec2; 2]>,
    radius: f64,
    corners: Vec<DVec2>,
    /// Where lines touch circles, by corner and angle.
    contacts: Vec<Contact>,
    /// Where each corner's contacts start; one more entry than corners.
    starts: Vec<usize>,
    /// Per contact: the ways from it.
    ways: Vec<Vec<Way>>,
}

/// The shortest path of a disc.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscPath {
    /// Its length [m].
    pub length: f64,
    /// Lines and arcs from start to goal.
    pub pieces: Vec<Piece>,
}

/// A point on the circle round a corner.
#[derive(Clone, Copy, Debug)]
struct Contact {
    corner: usize,
    /// Direction from the corner [rad], from -π to π.
    angle: f64,
    point: DVec2,
}

/// A way to another contact.
#[derive(Clone, Copy, Debug)]
struct Way {
    to: usize,
    piece: Piece,
}

/// A way from an end of the path to a contact of the graph: a line to the corner's circle, and an arc.
#[derive(Clone, Copy, Debug)]
struct Leg {
    to: usize,
    line: Piece,
    arc: Piece,
}

impl Leg {
    fn length(&self) -> f64 {
        self.line.length() + self.arc.length()
    }
}

/// An entry of the queue, shortest first.
struct Reached {
    length: f64,
    contact: usize,
}
impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Reached {}
impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.length.total_cmp(&self.length).then(other.contact.cmp(&self.contact))
    }
}

/// How a contact was reached.
#[derive(Clone, Copy)]
enum Before {
    Nothing,
    Leg(usize),
    Way(usize, Piece),
}

impl DiscGraph {
    /// Looks at all pairs of corners. The radius must be well above [`SLACK`].
    pub fn new(rings: &Rings, radius: f64) -> Self {
        let mut graph = Self {
            space: FreeSpace::new(rings),
            walls: walls(rings),
            radius,
            corners: corners(rings),
            contacts: Vec::new(),
            starts: Vec::new(),
            ways: Vec::new(),
        };
        // 2. Lines, as pairs of contacts.
        let mut lines: Vec<[Contact; 2]> = Vec::new();
        for i in 0..graph.corners.len() {
            for j in 0..i {
                let touching = graph.lines_between(i, j);
                lines.extend(touching.into_iter().filter(|[a, b]| graph.is_free(&line(a.point, b.point))));
            }
        }
        // Contacts in order; numbers of the two ends of line k are 2k and 2k + 1 until then.
        let ends: Vec<Contact> = lines.iter().flatten().copied().collect();
        let mut order: Vec<usize> = (0..ends.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (&ends[a], &ends[b]);
            a.corner.cmp(&b.corner).then(a.angle.total_cmp(&b.angle))
        });
        let mut rank = vec![0; order.len()];
        for (k, &end) in order.iter().enumerate() {
            rank[end] = k;
        }
        graph.contacts = order.iter().map(|&end| ends[end]).collect();
        graph.ways = vec![Vec::new(); ends.len()];
        for end in 0..ends.len() {
            let other = end ^ 1;
            let piece = line(ends[end].point, ends[other].point);
            graph.ways[rank[end]].push(Way { to: rank[other], piece });
        }
        // 3. Arcs between neighbours.
        graph.starts =
            (0..=graph.corners.len()).map(|c| graph.contacts.partition_point(|p| p.corner < c)).collect();
        for corner in 0..graph.corners.len() {
            let round = graph.starts[corner]..graph.starts[corner + 1];
            for k in round.clone().filter(|_| round.len() > 1) {
                let next = if k + 1 < round.end { k + 1 } else { round.start };
                let arc = graph.arc(graph.contacts[k], graph.contacts[next], true);
                if graph.is_free(&arc) {
                    graph.ways[k].push(Way { to: next, piece: arc });
                    graph.ways[next].push(Way { to: k, piece: reversed(&arc) });
                }
            }
        }
        graph
    }

    /// The plan.
    pub fn space(&self) -> &FreeSpace {
        &self.space
    }
    /// The disc's radius [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }
    /// Number of contacts and of lines and arcs between them.
    pub fn size(&self) -> [usize; 2] {
        [self.contacts.len(), self.ways.iter().map(Vec::len).sum::<usize>() / 2]
    }

    /// Whether the disc can stand at a point.
    pub fn fits(&self, at: DVec2) -> bool {
        self.space.locate(at).place == Place::Inside
            && self.nearest_wall(at).is_none_or(|(distance, _)| distance >= self.radius - SLACK)
    }

    /// The distance to the nearest wall [m] and the place of it that is nearest; nothing without walls.
    pub fn nearest_wall(&self, at: DVec2) -> Option<(f64, DVec2)> {
        let feet = self.walls.iter().map(|&wall| foot_on_segment(at, wall));
        feet.map(|foot| (at.distance(foot), foot)).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The shortest path, or nothing if there is none or the disc does not fit where it starts or ends.
    pub fn shortest(&self, from: DVec2, to: DVec2) -> Option<DiscPath> {
        if !self.fits(from) || !self.fits(to) {
            return None;
        }
        let direct = line(from, to);
        if self.is_free(&direct) {
            return Some(DiscPath { length: direct.length(), pieces: vec![direct] });
        }
        let (first, last) = (self.contacts_of(from), self.contacts_of(to));
        let mut best = self.round_one_corner(from, &first, to, &last);
        let (firsts, lasts) = (self.legs(from, &first), self.legs(to, &last));
        let (lengths, before) = self.spread(&firsts);
        for leg in &lasts {
            let length = lengths[leg.to] + leg.length();
            if length < best.as_ref().map_or(f64::INFINITY, |best| best.length) {
                // From the goal backwards.
                let mut pieces = vec![reversed(&leg.line), reversed(&leg.arc)];
                let mut at = leg.to;
                while let Before::Way(previous, piece) = before[at] {
                    pieces.push(piece);
                    at = previous;
                }
                if let Before::Leg(leg) = before[at] {
                    pieces.extend([firsts[leg].arc, firsts[leg].line]);
                }
                pieces.reverse();
                best = Some(DiscPath { length, pieces });
            }
        }
        best
    }

    /// Paths that go round a single corner, from contact to contact without one of the graph between.
    fn round_one_corner(
        &self,
        from: DVec2,
        firsts: &[Contact],
        to: DVec2,
        lasts: &[Contact],
    ) -> Option<DiscPath> {
        let mut best: Option<DiscPath> = None;
        for &a in firsts {
            for &b in lasts.iter().filter(|b| b.corner == a.corner) {
                for ccw in [true, false] {
                    let arc = self.arc(a, b, ccw);
                    let pieces = vec![line(from, a.point), arc, line(b.point, to)];
                    let length = pieces.iter().map(Piece::length).sum();
                    let is_shorter = best.as_ref().is_none_or(|best| length < best.length);
                    if is_shorter && self.is_free(&arc) {
                        best = Some(DiscPath { length, pieces });
                    }
                }
            }
        }
        best
    }

    /// Dijkstra from some legs: how far each contact is and how it is reached.
    fn spread(&self, legs: &[Leg]) -> (Vec<f64>, Vec<Before>) {
        let mut lengths = vec![f64::INFINITY; self.contacts.len()];
        let mut before = vec![Before::Nothing; self.contacts.len()];
        let mut queue = BinaryHeap::new();
        for (k, leg) in legs.iter().enumerate() {
            if leg.length() < lengths[leg.to] {
                lengths[leg.to] = leg.length();
                before[leg.to] = Before::Leg(k);
                queue.push(Reached { length: leg.length(), contact: leg.to });
            }
        }
        while let Some(Reached { length, contact }) = queue.pop() {
            if length > lengths[contact] {
                continue;
            }
            for way in &self.ways[contact] {
                let length = length + way.piece.length();
                if length < lengths[way.to] {
                    lengths[way.to] = length;
                    before[way.to] = Before::Way(contact, way.piece);
                    queue.push(Reached { length, contact: way.to });
                }
            }
        }
        (lengths, before)
    }

    /// Where free lines from a point touch the circles.
    fn contacts_of(&self, from: DVec2) -> Vec<Contact> {
        let corners = 0..self.corners.len();
        let touching = corners.flat_map(|corner| self.touching(corner, from));
        touching.filter(|contact| self.is_free(&line(from, contact.point))).collect()
    }

    /// From an end's contacts either way round to the next contact of the graph.
    fn legs(&self, from: DVec2, contacts: &[Contact]) -> Vec<Leg> {
        let mut legs = Vec::new();
        for &contact in contacts {
            let first = self.starts[contact.corner];
            let round = &self.contacts[first..self.starts[contact.corner + 1]];
            if round.is_empty() {
                continue;
            }
            let after = round.partition_point(|other| other.angle < contact.angle);
            for (place, ccw) in [(after, true), (after + round.len() - 1, false)] {
                let to = first + place % round.len();
                let arc = self.arc(contact, self.contacts[to], ccw);
                if self.is_free(&arc) {
                    legs.push(Leg { to, line: line(from, contact.point), arc });
                }
            }
        }
        legs
    }

    /// The four lines that touch two circles.
    fn lines_between(&self, i: usize, j: usize) -> Vec<[Contact; 2]> {
        let (a, b) = (self.corners[i], self.corners[j]);
        // On one side: the way between the corners, moved sideways.
        let side = (b - a).normalize().perp() * self.radius;
        let outer = [side, -side].map(|side| [self.contact(i, a + side), self.contact(j, b + side)]);
        // Across: both circles are the same from the middle, which these lines go through.
        let middle = a.midpoint(b);
        let mut lines = outer.to_vec();
        if middle.distance(a) >= self.radius - SLACK {
            lines.extend(self.touching(i, middle).map(|at| [at, self.contact(j, middle * 2.0 - at.point)]));
        }
        lines
    }

    /// The two points of a circle where lines from a point outside touch it: they lie on the circle whose diameter
    /// goes from the centre to the point, at the height of a right triangle's foot (Euclid).
    fn touching(&self, corner: usize, from: DVec2) -> [Contact; 2] {
        let to = from - self.corners[corner];
        let square = to.length_squared();
        let along = (self.radius * self.radius / square).min(self.radius / square.sqrt());
        let across = self.radius * (square - self.radius * self.radius).max(0.0).sqrt() / square;
        [across, -across]
            .map(|across| self.contact(corner, self.corners[corner] + to * along + to.perp() * across))
    }

    fn contact(&self, corner: usize, point: DVec2) -> Contact {
        let angle = direction(point - self.corners[corner]);
        Contact { corner, angle, point: on_circle(self.corners[corner], self.radius, angle) }
    }

    /// The arc between two contacts of one corner.
    fn arc(&self, from: Contact, to: Contact, ccw: bool) -> Piece {
        let turn = (to.angle - from.angle).rem_euclid(TAU);
        let turn = if ccw || turn == 0.0 { turn } else { turn - TAU };
        Piece::Arc { centre: self.corners[from.corner], radius: self.radius, angle: from.angle, turn }
    }

    /// Whether no wall is too near.
    fn is_free(&self, piece: &Piece) -> bool {
        let [low, high] = piece.bounds();
        let [low, high] = [low - DVec2::splat(self.radius), high + DVec2::splat(self.radius)];
        self.walls.iter().all(|&[u, v]| {
            let is_far = u.max(v).cmplt(low).any() || u.min(v).cmpgt(high).any();
            is_far || piece.distance_to([u, v]) >= self.radius - SLACK
        })
    }
}

fn line(from: DVec2, to: DVec2) -> Piece {
    Piece::Line { from, to }
}

fn reversed(piece: &Piece) -> Piece {
    match *piece {
        Piece::Line { from, to } => Piece::Line { from: to, to: from },
        Piece::Arc { centre, radius, angle, turn } => {
            Piece::Arc { centre, radius, angle: angle + turn, turn: -turn }
        }
    }
}

/// Step 1: boundary points with more than half a turn of free space, each once.
fn corners(rings: &Rings) -> Vec<DVec2> {
    let mut corners = Vec::new();
    for ring in &rings.rings {
        for (k, &at) in ring.iter().enumerate() {
            let [previous, next] = [k + ring.len() - 1, k + 1].map(|k| ring[k % ring.len()]);
            let turn = orient(previous, at, next);
            let turns_back = turn == 0.0 && !is_between(previous, next, at);
            if turn < 0.0 || turns_back {
                corners.push(at);
            }
        }
    }
    corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    corners.dedup();
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{VisibilityGraph, disc_curve::distance_to_boundary, generators, random::Random};
    use std::f64::consts::PI;
    use wayfare_core::dvec2;

    fn rings(rings: &[&[[f64; 2]]]) -> Rings {
        let ring = |ring: &&[[f64; 2]]| ring.iter().map(|&[x, y]| dvec2(x, y)).collect();
        Rings { rings: rings.iter().map(ring).collect() }
    }
    /// The length, after looking at the curve.
    fn length(rings: &Rings, radius: f64, a: [f64; 2], b: [f64; 2]) -> Option<f64> {
        let path = DiscGraph::new(rings, radius).shortest(a.into(), b.into())?;
        assert_eq!(defects(&path, rings, radius, a.into(), b.into()), "");
        Some(path.length)
    }
    fn defects(path: &DiscPath, rings: &Rings, radius: f64, a: DVec2, b: DVec2) -> String {
        let mut defects = String::new();
        let mut at = a;
        for piece in &path.pieces {
            let [from, to] = piece.ends();
            if at.distance(from) > 1e-9 {
                defects += &format!("{at} and {from} do not join; ");
            }
            at = to;
        }
        if at.distance(b) > 1e-9 {
            defects += &format!("ends at {at}; ");
        }
        let sum: f64 = path.pieces.iter().map(Piece::length).sum();
        if (sum - path.length).abs() > 1e-9 {
            defects += &format!("{sum} m in pieces; ");
        }
        let distance = distance_to_boundary(&path.pieces, rings);
        if distance < radius - SLACK {
            defects += &format!("{distance} m from the boundary");
        }
        defects
    }
    fn is(length: Option<f64>, expected: f64) -> bool {
        length.is_some_and(|length| (length - expected).abs() < 1e-9)
    }

    const ROOM: &[[f64; 2]] = &[[0., 0.], [6., 0.], [6., 6.], [0., 6.]];
    const PILLAR: &[[f64; 2]] = &[[2., 2.], [2., 4.], [4., 4.], [4., 2.]];

    #[test]
    fn the_way_round_the_end_of_a_wall_without_thickness_is_two_tangents_and_an_arc() {
        // The ring goes up the wall and down again.
        let rings = rings(&[&[[0., 0.], [5., 0.], [5., 5.], [5., 0.], [10., 0.], [10., 10.], [0., 10.]]]);
        let expected = 6.0 + 2.0 * PI - 4.0 * 3f64.atan();
        assert!(is(length(&rings, 1.0, [2., 4.], [8., 4.]), expected));
        assert!(is(length(&rings, 1.0, [2., 6.], [8., 6.]), 6.0), "touching in passing");
        assert_eq!(length(&rings, 1.0, [2., 4.], [5.9, 4.]), None, "too near the wall");
        assert_eq!(length(&rings, 2.6, [2.6, 2.7], [7.4, 2.7]), None, "too narrow above the wall");
        // A wall that stands free: round the nearer end.
        let rings = self::rings(&[&[[0., 0.], [10., 0.], [10., 10.], [0., 10.]], &[[5., 3.], [5., 5.]]]);
        assert!(is(length(&rings, 1.0, [2., 4.], [8., 4.]), expected), "one of two equal ways");
        assert!(length(&rings, 1.0, [2., 4.1], [8., 4.]).unwrap() < expected);
    }

    #[test]
    fn the_way_round_a_pillar_is_the_closed_form() {
        let rings = rings(&[ROOM, PILLAR]);
        let tangent = 1.75f64.sqrt();
        let turn = 0.75 * PI - (0.5 / 2f64.sqrt()).acos();
        assert!(is(length(&rings, 0.5, [1., 3.], [5., 3.]), 2.0 * tangent + turn + 2.0));
        assert!(is(length(&rings, 1.0, [1., 3.], [5., 3.]), 4.0 + PI), "as wide as the way");
        assert_eq!(length(&rings, 1.0 + 1e-6, [1., 3.], [5., 3.]), None);
        assert!(is(length(&rings, 0.5, [1., 1.], [5., 1.]), 4.0));
        assert_eq!(length(&rings, 0.5, [1., 1.], [3., 3.]), None, "a goal in the pillar");
    }

    #[test]
    fn a_door_lets_discs_through_up_to_its_width() {
        let rings = rings(&[&[
            [0., 0.],
            [5., 0.],
            [5., 4.6],
            [5., 0.],
            [10., 0.],
            [10., 10.],
            [5., 10.],
            [5., 5.4],
            [5., 10.],
            [0., 10.],
        ]]);
        assert!(is(length(&rings, 0.4, [2., 5.], [8., 5.]), 6.0));
        // Over the lower jamb, then under the upper one.
        let reach = dvec2(3.0, 1.6).length();
        let half =
            (reach * reach - 0.16).sqrt() + 0.4 * (PI / 2.0 + (1.6 / 3f64).atan() - (0.4 / reach).acos());
        assert!(is(length(&rings, 0.4, [2., 3.], [8., 7.]), 2.0 * half));
        assert_eq!(length(&rings, 0.4 + 2e-9, [2., 3.], [8., 7.]), None);
        assert!(length(&rings, 0.399, [2., 3.], [8., 7.]).unwrap() < 2.0 * half);
    }

    #[test]
    fn small_discs_take_the_ways_of_points_and_larger_ones_longer_ways() {
        for plan in generators::mixed(5, 27, 120) {
            let rings = plan.rings();
            let points = VisibilityGraph::new(&rings);
            let radii = [1e-6, 0.05, 0.2];
            let graphs = radii.map(|radius| DiscGraph::new(&rings, radius));
            let mut random = Random::new(1);
            let ends = crate::plan::sample_points(points.space(), &mut random, 40);
            for pair in ends.chunks_exact(2) {
                let (from, to) = (pair[0], pair[1]);
                let mut least = points.shortest(from, to).map(|path| path.length - 1e-9);
                for graph in graphs.iter().filter(|graph| graph.fits(from) && graph.fits(to)) {
                    let path = graph.shortest(from, to);
                    if let Some(path) = &path {
                        assert_eq!(defects(path, &rings, graph.radius(), from, to), "", "{}", plan.name);
                        assert!(least.is_some_and(|least| path.length >= least), "{}", plan.name);
                    }
                    let length = path.map(|path| path.length - 1e-9);
                    if graph.radius() == radii[0] {
                        let (a, b) = (length.unwrap_or(0.0), least.unwrap_or(0.0));
                        assert!((a - b).abs() < 1e-3, "{}: {from} to {to}: {a} {b}", plan.name);
                    }
                    least = length;
                }
            }
        }
    }
}
