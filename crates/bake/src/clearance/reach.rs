//! The reach of a feature: how far it stays the nearest along each of its rays, and who comes next.
//!
//! Idea: in the coordinates of a feature (parameter, height; see `wayfare_navmesh::Feature`) every rival's ties are a curve
//! over the parameter, and so is every portal. For edges all of them are quadratics; for corners their reciprocals are,
//! after the common factor 1 + m² is taken out. So in each cell the reach is a lower envelope of quadratics: where a rival
//! is lowest, the ray ends in an arc; where a portal is lowest, it goes on in the next cell with that cell's list.
//! Steps: 1. begin in the cells beside the feature  2. curves of the cell's list and of the edges that lead out
//!   3. lower envelope  4. arcs are kept in order, portals are followed
//! Why a cell's list is enough: the discs without obstacles that are centred in one cell have one unfolding (two that
//!   overlap share a point of the line between their centres, which therefore lies in the cell), so a feature that
//!   touches one of them is never inside another.
//! Cost: O(near features²) for each cell that a feature's rays meet, the edges of a cell in which a corner's rays are at a
//!   glance; features are independent of each other.

use super::spread::{Spread, extent, long_axis};
use rayon::prelude::*;
use wayfare_core::{DVec2, Id as _};
use wayfare_geom::{
    predicates::is_left,
    quadratic::{Envelope, Piece, Quadratic, UNCOVERED},
};
use wayfare_navmesh::{CellId, CornerId, Feature, FeatureId, Features, NavMesh};

/// An arc of a reach as it is found: from this parameter on this rival is as near; the cells in which it begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FoundArc {
    pub from: f64,
    pub partner: FeatureId,
    pub cell: CellId,
    pub last_cell: CellId,
}

/// The features that count in a cell, each with its part.
pub(super) type Lists = Vec<Vec<(FeatureId, f64, f64)>>;

/// Where rays come from and what they meet.
pub(super) struct Reaches<'a> {
    mesh: &'a NavMesh,
    features: &'a Features,
    lists: &'a Lists,
    hair: f64,
    /// The longer direction of each cell, and by their places along it its corners and the features of its list.
    axes: Vec<DVec2>,
    corners: Vec<Spread>,
    rivals: Vec<Spread>,
}

impl<'a> Reaches<'a> {
    pub fn new(mesh: &'a NavMesh, features: &'a Features, lists: &'a Lists, hair: f64) -> Self {
        let cells: Vec<CellId> = mesh.cells().collect();
        let axes: Vec<DVec2> = cells.par_iter().map(|&cell| long_axis(mesh, cell)).collect();
        let corners = cells.par_iter().map(|&cell| {
            let edge = |corner: usize| mesh.edge(CornerId::new(corner)).map(|v| mesh.xy(v));
            Spread::of(mesh.corner_range(cell).map(|corner| extent(axes[cell.index()], edge(corner))))
        });
        let rivals = cells.par_iter().map(|&cell| {
            Spread::of(lists[cell.index()].iter().map(|&(rival, low, high)| {
                let rival = features.get(rival);
                extent(axes[cell.index()], [low, high].map(|parameter| rival.foot(parameter)))
            }))
        });
        let (corners, rivals) = (corners.collect(), rivals.collect());
        Self { mesh, features, lists, hair, axes, corners, rivals }
    }
}

/// Edges whose directions differ by less than 10⁻⁵ (half its square) do not tie: within the wedge that the nearer of them would have, their
/// distances are equal to 10⁻¹⁰, and rounding would let one of them see the wedge and the other not.
const ALIKE: f64 = 5e-11;

/// Takes out arcs that are thinner than nodes may lie apart, as long as others are left: rounding leaves slivers between the rivals of a
/// feature in which one is lowest that is far behind both.
pub(super) fn without_slivers(
    feature: &Feature,
    features: &Features,
    arcs: Vec<FoundArc>,
    near: f64,
) -> Vec<FoundArc> {
    let end = |k: usize| arcs.get(k + 1).map_or(feature.high, |arc| arc.from);
    let is_wide = |k: usize| {
        let (from, to) = (arcs[k].from, end(k));
        // A ray of a corner is as far aside as it turns and reaches.
        let scale = if feature.is_edge() {
            1.0
        } else {
            let height = feature.tie(features.get(arcs[k].partner), (from + to) / 2.0).abs();
            2.0 * if height.is_finite() { height } else { 1.0 }
        };
        (to - from) * scale > near
    };
    if !(0..arcs.len()).any(is_wide) || (0..arcs.len()).all(is_wide) {
        return arcs;
    }
    let mut left: Vec<FoundArc> = (0..arcs.len()).filter(|&k| is_wide(k)).map(|k| arcs[k]).collect();
    if let Some(first) = left.first_mut() {
        first.from = arcs[0].from;
    }
    left
}

/// Lists longer than this are looked through for those that are near enough first.
const LONG: usize = 24;

/// Intervals of an edge that are thinner than a hair are judged by so many hairs around them.
const AROUND: f64 = 1e2;

/// The same for corners, as parameters: what is thin, and how much is around it.
const THIN_TURN: (f64, f64) = (1e-14, 1e-12);

/// Sine of the largest turn between edges that go straight on.
const STRAIGHT: f64 = 1e-7;

/// Sine of an angle that no rounding of a ray is.
const CLEARLY: f64 = 1e-6;

/// A label of the envelope: the edge of the cell by which the rays leave it.
const EXIT: u32 = 1 << 31;

enum Task {
    Visit { cell: CellId, entry: Option<CornerId>, low: f64, high: f64 },
    Keep(FoundArc),
}

impl Reaches<'_> {
    /// The arcs of a feature in order; nothing if its rays do not end.
    pub fn find(&self, id: FeatureId) -> Option<Vec<FoundArc>> {
        let feature = self.features.get(id);
        let mut tasks = Vec::new();
        let mut begin = |corner: CornerId, low: f64, high: f64| {
            tasks.push(Task::Visit { cell: self.mesh.cell_of_corner(corner), entry: None, low, high });
        };
        // 1.
        if feature.is_edge() {
            begin(feature.corner, feature.low, feature.high);
        } else {
            let sectors = self.features.sectors(self.mesh, id);
            sectors.into_iter().rev().for_each(|(corner, low, high)| begin(corner, low, high));
        }
        let mut arcs: Vec<FoundArc> = Vec::new();
        let mut scratch = Scratch::default();
        // Rays are straight and meet a cell once, but the intervals in which they do may be cut small.
        let mut left = 1000 + 100 * self.mesh.cell_count();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Keep(arc) => match arcs.last_mut().filter(|last| last.partner == arc.partner) {
                    Some(last) => last.last_cell = arc.cell,
                    None => arcs.push(arc),
                },
                Task::Visit { cell, entry, low, high } => {
                    left -= 1;
                    if left == 0 {
                        return None;
                    }
                    let parts = self.parts(feature, cell, [low, high]);
                    if parts > 1 {
                        left += parts;
                        let at = |k: usize| low + (high - low) * (k as f64 / parts as f64);
                        tasks.extend((0..parts).rev().map(|k| {
                            let high = if k + 1 == parts { high } else { at(k + 1) };
                            Task::Visit { cell, entry, low: at(k), high }
                        }));
                        continue;
                    }
                    self.visit(id, cell, entry, [low, high], &mut scratch, &mut tasks);
                }
            }
        }
        (!arcs.is_empty()).then_some(arcs)
    }

    /// Into how many parts the rays of a feature in a cell are cut: a long edge among many others is near few of them at each
    /// of its places. Arcs that go on from part to part become one again.
    fn parts(&self, feature: &Feature, cell: CellId, [low, high]: [f64; 2]) -> usize {
        let step = self.rivals[cell.index()].step();
        let along = (high - low) * feature.axis.dot(self.axes[cell.index()]).abs();
        if feature.is_edge() && along > 4.0 * step { (along / (2.0 * step)).ceil() as usize } else { 1 }
    }

    /// Steps 2 to 4 for the rays in an interval that come into a cell across `entry`.
    fn visit(
        &self,
        id: FeatureId,
        cell: CellId,
        entry: Option<CornerId>,
        [low, high]: [f64; 2],
        scratch: &mut Scratch,
        tasks: &mut Vec<Task>,
    ) {
        let (mesh, feature) = (self.mesh, self.features.get(id));
        // Parameters of an edge are counted from the middle of the interval, so that squares stay small.
        let origin = if feature.is_edge() { 0.5 * (low + high) } else { 0.0 };
        let frame = Frame { feature, origin, hair: self.hair };
        // What is thinner than rounding is told by what lies around it.
        let (thin, around) = if feature.is_edge() { (self.hair, AROUND * self.hair) } else { THIN_TURN };
        let is_thin = high - low <= thin;
        let middle = 0.5 * (low + high);
        let [from, to] = if is_thin { [middle - around, middle + around] } else { [low, high] };
        // Rounding may have put the ends of the interval beyond the cell, where nothing stops the rays.
        let Scratch { envelope, exits, near, done } = scratch;
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        exits.clear();
        let (first, is_convex) = (mesh.corner_range(cell).start, mesh.notches(cell).is_empty());
        self.corners[cell.index()].near(self.shadow(feature, cell, [from, to]), near);
        for exit in
            near.iter().map(|&k| CornerId::new(first + k as usize)).filter(|&exit| Some(exit) != entry)
        {
            let [a, b] = mesh.edge(exit).map(|v| mesh.xy(v));
            if is_convex && frame.misses([from, to], [a, b]) {
                continue;
            }
            frame.exit(a, b, |curve, low, high| {
                if low < high {
                    ends = [ends[0].min(low), ends[1].max(high)];
                    exits.push(Exit { corner: exit, line: [a, b], curve, low, high });
                }
            });
        }
        let ends = [ends[0].max(from - origin), ends[1].min(to - origin)];
        envelope.reset(ends[0], ends[1]);
        // 2. and 3.
        let list = &self.lists[cell.index()];
        let is_long = list.len() > LONG;
        let insert = |envelope: &mut Envelope, (rival, from, to): (FeatureId, f64, f64)| {
            if rival != id {
                // Where a corner takes over from its edge, both curves touch: there the end of the edge decides. Where
                // the edge goes straight on, or its corner is hardly seen from here, a hair more closes the gap.
                let other = self.features.get(rival);
                let is_open = |end: FeatureId| {
                    let end_feature = self.features.get(end);
                    if end_feature.is_edge() {
                        end_feature.axis.dot(other.axis) > 0.0
                            && end_feature.axis.perp_dot(other.axis).abs() < STRAIGHT
                    } else {
                        list.binary_search_by_key(&end, |entry| entry.0).is_err()
                    }
                };
                let ends_of = [self.features.previous(rival), self.features.next(rival)];
                let open = ends_of.map(|end| other.is_edge() && (end == id || is_open(end)));
                frame.tie(other, [from, to], open, ends_of.contains(&id), |mut curve, low, high| {
                    if !other.is_edge() {
                        curve.c += curve.rounding(ends[0], ends[1]);
                    }
                    envelope.insert(curve, rival.0, low, high);
                });
            }
        };
        let mut highest = f64::INFINITY;
        if is_long {
            // The rivals that come next to it along the boundary bound what the others can be.
            let at = list.partition_point(|&(rival, ..)| rival < id);
            let near = at.saturating_sub(4)..(at + 5).min(list.len());
            list[near].iter().for_each(|&rival| insert(envelope, rival));
            highest = frame.highest(envelope);
        }
        let base = [low, high].map(|parameter| feature.foot(parameter));
        // A tie is at least half as high as the features are apart. Near ones come first, so that few others need a look.
        let ([first, last], spread) = (extent(self.axes[cell.index()], base), &self.rivals[cell.index()]);
        let mut around = spread.step();
        done.clear();
        loop {
            spread.near([first - around, last + around], near);
            let new = near.iter().filter(|k| done.binary_search(k).is_err());
            for (k, rival) in new.map(|&k| list[k as usize]).enumerate() {
                if is_long {
                    if k.is_multiple_of(64) {
                        highest = frame.highest(envelope);
                    }
                    let other = self.features.get(rival.0);
                    let ends = [rival.1, rival.2].map(|parameter| other.foot(parameter));
                    if distance_at_least(base, ends) > 2.0 * highest {
                        continue;
                    }
                }
                insert(envelope, rival);
            }
            if near.len() == list.len() {
                break;
            }
            highest = frame.highest(envelope);
            if 2.0 * highest <= around {
                break;
            }
            around = (2.0 * highest).min(4.0 * around);
            std::mem::swap(near, done);
        }
        if is_long {
            highest = frame.highest(envelope);
        }
        let nearest = if is_long { highest } else { f64::INFINITY };
        exits.retain(|exit| !is_long || distance_at_least(base, exit.line) <= nearest);
        self.insert_exits(&frame, id, cell, entry, ends, scratch);
        let envelope = &scratch.envelope;
        // 4. Later pieces first: tasks are taken from the end. What nothing covers is a hair between two curves.
        let pieces = envelope.pieces();
        let task = |label: u32, from: f64, to: f64| {
            let exit = (label & EXIT != 0).then_some(CornerId(label & !EXIT));
            match exit.and_then(|exit| mesh.twin(exit)) {
                Some(twin) => {
                    Task::Visit { cell: mesh.cell_of_corner(twin), entry: Some(twin), low: from, high: to }
                }
                None => Task::Keep(FoundArc { from, partner: FeatureId(label), cell, last_cell: cell }),
            }
        };
        if is_thin {
            let away = |piece: &&Piece| (piece.low - (middle - origin)).max(middle - origin - piece.high);
            let covered = pieces.iter().filter(|piece| piece.label != UNCOVERED);
            let nearest = covered.min_by(|a, b| away(a).total_cmp(&away(b)));
            tasks.extend(nearest.map(|piece| task(piece.label, low, high)));
            return;
        }
        // Nor does a hair of rays go on where all others end, or end elsewhere than those on both its sides.
        let is_hair = |piece: &Piece| piece.high - piece.low <= thin;
        let is_void = |piece: &Piece| piece.label == UNCOVERED || is_hair(piece);
        let all_void = pieces.iter().all(is_void);
        let counts = |piece: &Piece| piece.label != UNCOVERED && (all_void || !is_hair(piece));
        let mut to = high;
        for (k, piece) in pieces.iter().enumerate().rev().filter(|(_, piece)| counts(piece)) {
            let from = if pieces[..k].iter().any(counts) { piece.low + origin } else { low };
            tasks.push(task(piece.label, from, to));
            to = from;
        }
    }
}

impl Reaches<'_> {
    /// Where along the longer side of a cell the rays of a feature between two parameters can leave it.
    fn shadow(&self, feature: &Feature, cell: CellId, ends: [f64; 2]) -> [f64; 2] {
        let axis = self.axes[cell.index()];
        // Rays of an edge along the cell keep their place; all others, and in cells that can be left twice, may go anywhere.
        if feature.is_edge() && feature.normal().dot(axis) == 0.0 && self.mesh.notches(cell).is_empty() {
            let [low, high] = extent(axis, ends.map(|parameter| feature.foot(parameter)));
            return [low - self.hair, high + self.hair];
        }
        [f64::NEG_INFINITY, f64::INFINITY]
    }

    /// Adds the edges by which the rays of a feature leave a cell to the envelope.
    fn insert_exits(
        &self,
        frame: &Frame<'_>,
        id: FeatureId,
        cell: CellId,
        entry: Option<CornerId>,
        ends: [f64; 2],
        scratch: &mut Scratch,
    ) {
        let (mesh, feature, envelope) = (self.mesh, frame.feature, &mut scratch.envelope);
        // Only a relaxed cell can be left and entered again: what lies before the entry, or behind the edge where rays
        // begin, does not count there.
        let base_edge = entry.or(feature.is_edge().then_some(feature.corner));
        let floor = base_edge.filter(|_| !mesh.notches(cell).is_empty()).and_then(|edge| {
            let [a, b] = mesh.edge(edge).map(|v| mesh.xy(v));
            Some((edge, [a, b], frame.line(b, a)?))
        });
        for &Exit { corner, line: [a, b], curve, low, high } in &scratch.exits {
            let label = match self.features.of_edge(corner) {
                // Rays end before they reach a wall, unless they start within a hair of it.
                Some(wall) if wall == id || floor.is_some() => continue,
                Some(wall) => wall.0,
                None => EXIT | corner.0,
            };
            let Some((edge, [from, to], floor)) = &floor else {
                envelope.insert(curve, label, low, high);
                continue;
            };
            // Neighbours of the floor touch it: their other end tells.
            let is_next = mesh.next_corner(*edge) == corner;
            if is_next || mesh.previous_corner(*edge) == corner {
                if is_left(*from, *to, if is_next { b } else { a }) {
                    envelope.insert(curve, label, low, high);
                }
                continue;
            }
            floor.minus(&curve).for_each_sign(low.max(ends[0]), high.min(ends[1]), |low, high, is_above| {
                if is_above {
                    envelope.insert(curve, label, low, high);
                }
            });
        }
    }
}

/// Memory that visits share.
#[derive(Default)]
struct Scratch {
    envelope: Envelope,
    exits: Vec<Exit>,
    near: Vec<u32>,
    done: Vec<u32>,
}

/// An edge by which rays leave a cell: its curve, and the interval of the rays that do.
struct Exit {
    corner: CornerId,
    line: [DVec2; 2],
    curve: Quadratic,
    low: f64,
    high: f64,
}

/// A distance that two segments are apart at least: that of circles round them.
fn distance_at_least([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> f64 {
    0.5 * ((a + b).distance(c + d) - a.distance(b) - c.distance(d))
}

/// The coordinates of a feature, in which curves are quadratics of which the lower one is nearer.
struct Frame<'a> {
    feature: &'a Feature,
    /// Subtracted from parameters.
    origin: f64,
    hair: f64,
}

impl Frame<'_> {
    /// A height that no part of an envelope exceeds.
    fn highest(&self, envelope: &Envelope) -> f64 {
        let mut highest = 0.0f64;
        for piece in envelope.pieces() {
            if piece.label == UNCOVERED {
                return f64::INFINITY;
            }
            // Over an interval a quadratic is no larger than at its ends or, if it bends down, where it turns.
            let turning = -piece.curve.b / (2.0 * piece.curve.a);
            let turning =
                Some(turning).filter(|x| piece.curve.a < 0.0 && (piece.low..=piece.high).contains(x));
            for x in [Some(piece.low), turning, Some(piece.high)].into_iter().flatten() {
                let value = piece.curve.at(x);
                let height = match (self.feature.is_edge(), value < 0.0) {
                    (true, _) => value,
                    (false, true) => -2.0 / value,
                    (false, false) => f64::INFINITY,
                };
                highest = highest.max(height);
            }
        }
        highest
    }

    /// Calls a function with the curve of a rival's ties and the intervals on which it counts, for its rays from and to
    /// two parameters; where an end is open, rounding must not leave a gap.
    fn tie(
        &self,
        rival: &Feature,
        [from, to]: [f64; 2],
        open: [bool; 2],
        are_neighbours: bool,
        mut add: impl FnMut(Quadratic, f64, f64),
    ) {
        let (feature, hair) = (self.feature, self.hair);
        let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
        match (feature.is_edge(), rival.is_edge()) {
            (true, false) => {
                let arm = rival.at - feature.point(self.origin, 0.0);
                let (x, y) = (arm.dot(feature.axis), arm.dot(feature.normal()));
                if y > hair {
                    let curve = Quadratic { a: 0.5 / y, b: -x / y, c: 0.5 * (x * x / y + y) };
                    add(curve, everywhere.0, everywhere.1);
                }
            }
            (false, false) => {
                let arm = rival.at - feature.at;
                let squared = arm.length_squared();
                if squared > hair * hair {
                    add(self.reciprocal(arm * (2.0 / squared), 0.0), everywhere.0, everywhere.1);
                }
            }
            (true, true) => {
                let ahead = |parameter: f64| (feature.foot(parameter) - rival.at).dot(rival.normal());
                let spread = (feature.normal() - rival.normal()).length_squared() / 2.0;
                // Edges on one line, back to back or one after the other, never tie; nor do those that as good as go on straight.
                if ahead(feature.low).max(ahead(feature.high)) <= hair || spread < ALIKE {
                    return;
                }
                let slope = feature.axis.dot(rival.normal());
                let curve = Quadratic { a: 0.0, b: slope / spread, c: ahead(self.origin) / spread };
                // Where the rival's rays arrive; they run against the feature's.
                let at = |parameter: f64| {
                    let foot = rival.foot(parameter);
                    let height = (foot - feature.at).dot(feature.normal()) / spread;
                    feature.parameter(foot + rival.normal() * height) - self.origin
                };
                // How far rounding may move those.
                let more = hair * (1.0 + slope.abs() / spread);
                let (mut low, mut high) = (at(to), at(from));
                if open[1] {
                    low -= more;
                }
                if open[0] {
                    high += more;
                }
                // Behind the rival there is nothing to tie with; neighbours are in front of each other.
                let end = -curve.c / curve.b;
                if curve.b > 0.0 && !are_neighbours {
                    low = low.max(end);
                } else if curve.b < 0.0 && !are_neighbours {
                    high = high.min(end);
                }
                // Edges that only touch, where the ground touches itself, do not tie.
                let shared = high.min(feature.high - self.origin) - low.max(feature.low - self.origin);
                if are_neighbours || shared > more {
                    add(curve, low, high);
                }
            }
            (false, true) => {
                let ahead = (feature.at - rival.at).dot(rival.normal());
                if ahead <= hair {
                    return;
                }
                let curve = self.reciprocal(rival.normal() * (-1.0 / ahead), 1.0 / ahead);
                let at = |parameter: f64, side: f64, is_open: bool| {
                    let arm = feature.at - rival.foot(parameter);
                    // How far rounding may move it.
                    let more = if is_open { hair * (1.0 + arm.length() / ahead) } else { 0.0 };
                    let arm = arm - rival.axis * (side * more);
                    let height = arm.length_squared() / (2.0 * ahead);
                    feature.parameter(feature.at - arm + rival.normal() * height)
                };
                round(at(to, 1.0, open[1]), at(from, -1.0, open[0]), |low, high| add(curve, low, high));
            }
        }
    }

    /// The curve of the line from `a` to `b`, unless rays run along it.
    fn line(&self, a: DVec2, b: DVec2) -> Option<Quadratic> {
        let feature = self.feature;
        if feature.is_edge() {
            let [a, b] = [a, b].map(|p| p - feature.point(self.origin, 0.0));
            let [x, u] = [a, b].map(|p| p.dot(feature.axis));
            let [y, v] = [a, b].map(|p| p.dot(feature.normal()));
            let slope = (v - y) / (u - x);
            ((u - x).abs() > self.hair).then_some(Quadratic { a: 0.0, b: slope, c: y - slope * x })
        } else {
            let normal = (b - a).perp();
            let distance = normal.dot(a - feature.at);
            let is_clear = distance.abs() > self.hair * normal.length();
            is_clear.then(|| self.reciprocal(normal / distance, 0.0))
        }
    }

    /// Whether no ray between two parameters comes near an edge, as far as can be told at a glance.
    fn misses(&self, [from, to]: [f64; 2], ends: [DVec2; 2]) -> bool {
        let feature = self.feature;
        if feature.is_edge() {
            let along = ends.map(|p| feature.parameter(p));
            return along.iter().all(|&at| at < from - self.hair)
                || along.iter().all(|&at| at > to + self.hair);
        }
        // Counter-clockwise of the first ray or clockwise of the last, by more than rounding.
        let arms = ends.map(|p| p - feature.at);
        let (first, last) = (feature.ray(from), feature.ray(to));
        arms.iter().all(|arm| first.perp_dot(*arm) > CLEARLY * arm.length())
            || arms.iter().all(|arm| arm.perp_dot(last) > CLEARLY * arm.length())
    }

    /// Calls a function with the curve of a cell's edge and the intervals on which rays leave the cell across it.
    fn exit(&self, a: DVec2, b: DVec2, mut add: impl FnMut(Quadratic, f64, f64)) {
        let feature = self.feature;
        let Some(curve) = self.line(a, b) else {
            // A relaxed cell may touch itself: a corner on another edge of its cell is past it at once.
            let is_between = (feature.at - a).dot(b - a) > 0.0 && (feature.at - b).dot(a - b) > 0.0;
            if !feature.is_edge() && is_between {
                let at_once = Quadratic { a: 0.0, b: 0.0, c: -1.0 / self.hair };
                round(feature.parameter(b), feature.parameter(a), |low, high| add(at_once, low, high));
            }
            return;
        };
        let [from, to] = [b, a].map(|p| feature.parameter(p) - self.origin);
        if feature.is_edge() {
            // Against the direction of the cell's edge, or the rays come in there.
            add(curve, from, to);
        } else if (b - a).perp_dot(feature.at - a) > 0.0 {
            round(from, to, |low, high| add(curve, low, high));
        }
    }

    /// Minus 1 + m² times the reciprocal of heights, which is `slope` · ray + `constant`.
    fn reciprocal(&self, slope: DVec2, constant: f64) -> Quadratic {
        let (ahead, right) = (slope.dot(self.feature.axis), -slope.dot(self.feature.normal()));
        Quadratic { a: ahead - constant, b: -2.0 * right, c: -(ahead + constant) }
    }
}

/// An interval of a corner's parameters, clockwise; it may go round behind the corner, where parameters change sign.
fn round(from: f64, to: f64, mut add: impl FnMut(f64, f64)) {
    if from <= to {
        add(from, to);
    } else {
        add(from, f64::INFINITY);
        add(f64::NEG_INFINITY, to);
    }
}
