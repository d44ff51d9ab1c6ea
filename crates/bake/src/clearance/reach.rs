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
//! Cost: O(list²) at worst for each cell that a feature's rays meet; features are independent of each other.

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
    pub mesh: &'a NavMesh,
    pub features: &'a Features,
    pub lists: &'a Lists,
    pub hair: f64,
}

/// Lists longer than this are looked through for those that are near enough first.
const LONG: usize = 24;

/// Intervals of an edge that are thinner than a hair are judged by so many hairs around them.
const AROUND: f64 = 1e2;

/// The same for corners, as parameters: what is thin, and how much is around it.
const THIN_TURN: (f64, f64) = (1e-14, 1e-12);

/// Sine of the largest turn between edges that go straight on.
const STRAIGHT: f64 = 1e-7;

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
                    self.visit(id, cell, entry, [low, high], &mut scratch, &mut tasks);
                }
            }
        }
        (!arcs.is_empty()).then_some(arcs)
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
        let Scratch { envelope, exits } = scratch;
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        exits.clear();
        for exit in mesh.corners(cell).filter(|&exit| Some(exit) != entry) {
            let [a, b] = mesh.edge(exit).map(|v| mesh.xy(v));
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
        for (k, &rival) in list.iter().enumerate() {
            // A tie is at least half as high as the features are apart.
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
        // Nor does a hair of rays go on where all others end.
        let is_hair = |piece: &Piece| piece.label & EXIT != 0 && piece.high - piece.low <= thin;
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
                // Edges on one line, back to back or one after the other, never tie.
                if ahead(feature.low).max(ahead(feature.high)) <= hair || spread < 1e-18 {
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
