//! The way to a goal from everywhere: one search that all agents with this goal share.
//!
//! Idea: a portal may be crossed anywhere on the part that the body fits through, so that part is a few points, its ends
//! among them; these are the nodes. The search runs from the goal backwards. A way that could be straight is straight: a
//! point that sees its successor's root through the portals between takes the root for its own, so that lengths are those
//! of pulled strings but for the distance of the points. An agent asks the points of its own cell.
//! Source: Dijkstra 1959; the shared roots are those of Theta* (Nash, Daniel, Koenig, Felner 2007), here along one chain
//!   of portals, whose spans say what is seen. We differ: lengths are times, as stairs are slower.
//! Steps: 1. the goal's areas in the cells  2. gates: points on the shrunk portals  3. gates into the goal's cells
//!   4. the nearest gate is final; those that lead to it are tried
//! Cost: O(g² / cells · log g) time for g gates, O(g) memory; a question O(gates of the cell).

use crate::{
    goal::{Area, Goal, nearest_in_convex},
    walls::Walls,
};
use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};
use wayfare_core::{DVec2, Id as _};
use wayfare_geom::{predicates::orient, ring_area};
use wayfare_navmesh::{
    CellId, CornerId, Crossings, FREE_SLACK, LocateConfig, NavMesh, Passage, Span, simple_shrink,
};

/// No gate.
pub(crate) const NONE: u32 = u32::MAX;
/// Points on a portal are at most so far apart [m], but there are at most [`MOST_POINTS`].
const SPACING: f64 = 1.5;
const MOST_POINTS: usize = 7;
/// How often the place is halved at which a portal is crossed where the speed changes: to a thousandth of its length.
const HALVINGS: usize = 10;
/// Pieces of a goal are wider than about twice this [m].
const HAIR: f64 = 1e-6;

/// A point on a portal through which a body leaves a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub corner: CornerId,
    /// The ends of what the body may use of the portal, right and left of one who leaves.
    pub span: [DVec2; 2],
    /// The ends of that where way points lie: farther from walls, as far as there is room.
    pub aims: [DVec2; 2],
    pub at: DVec2,
    /// Unit vector across the portal, out of the cell.
    pub forward: DVec2,
    /// What bounds the cell at the portal's right and left end.
    pub beside: [Beside; 2],
    /// The cell behind it.
    into: CellId,
    /// Time to the goal at 1 m/s [s]; infinite where there is no way.
    pub cost: f64,
    /// The gate of the next cell; [`NONE`]: the goal is there.
    pub next: u32,
    /// How wide the narrowest place on the way is, from here on [m].
    pub narrowest: f64,
    /// What is seen from here, on the way: a turn or the goal.
    root: DVec2,
    root_cost: f64,
    /// Gates between here and the root.
    between: u32,
    /// Speed on all of the way to the root, as a share of the usual.
    factor: f64,
}

/// What bounds a cell where one of its portals ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Beside {
    /// A wall that leads to the portal, in this direction of length 1.
    Wall(DVec2),
    /// Only a point, the end of the portal itself: another portal begins there.
    Post(DVec2),
}

/// A way from a point: what it costs and what its root is.
struct Way {
    cost: f64,
    root: DVec2,
    root_cost: f64,
    between: u32,
    factor: f64,
}

/// The way to a goal from everywhere for bodies up to a radius.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Where the gates of each corner start; one more than corners.
    corner_starts: Vec<u32>,
    gates: Vec<Gate>,
    /// Where the goal's pieces of each cell start; one more than cells.
    piece_starts: Vec<u32>,
    pieces: Vec<Vec<DVec2>>,
}

/// What a search needs to know of the ground.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub mesh: &'a NavMesh,
    pub walls: &'a Walls,
    /// Speed in each cell as a share of the usual.
    pub factors: &'a [f64],
    /// How much farther from walls than its radius a body would like to be [m].
    pub wall_room: f64,
}

impl Field {
    pub fn build(ground: Ground<'_>, goal: &Goal, radius: f64) -> Self {
        let Ground { mesh, walls, factors, wall_room } = ground;
        // 1.
        let (piece_starts, pieces) = pieces(ground, goal, radius);
        // 2.
        let crossings = mesh.crossings();
        let mut field = Self { corner_starts: vec![0], gates: Vec::new(), piece_starts, pieces };
        for corner in mesh.cells().flat_map(|cell| mesh.corners(cell)) {
            if !walls.is_barred(corner)
                && let Some(shares) = span(mesh, crossings.as_ref(), corner, radius)
            {
                let aims = aims(shares, span(mesh, crossings.as_ref(), corner, radius + wall_room));
                let [span, aims] = [shares, aims].map(|span| span.ends(mesh, corner));
                // The largest disc on a portal is as wide as the passage, also where it is one of several side by side.
                let disc = crossings.as_ref().and_then(|crossings| crossings.between(corner, corner));
                let width = disc.unwrap_or(radius + 0.5 * span[0].distance(span[1])) * 2.0;
                field.push_gates(ground, corner, [span, aims], width);
            }
            field.corner_starts.push(field.gates.len() as u32);
        }
        // 3.
        let mut heap = BinaryHeap::new();
        for k in 0..field.gates.len() {
            let Gate { at, into, .. } = field.gates[k];
            let factor = factors[into.index()];
            if let Some((point, distance)) = field.nearest_piece(into, at) {
                let way = Way { cost: distance / factor, root: point, root_cost: 0.0, between: 0, factor };
                field.improve(k, NONE, way, &mut heap);
            }
        }
        // 4. Costs are not negative, so their bits are in the same order.
        while let Some(Reverse((bits, k))) = heap.pop() {
            let gate = field.gates[k as usize];
            if gate.cost.to_bits() != bits {
                continue;
            }
            if let Some(after) = field.gate(gate.next).map(|after| after.narrowest) {
                field.gates[k as usize].narrowest = gate.narrowest.min(after);
            }
            let cell = mesh.cell_of_corner(gate.corner);
            for entry in mesh.corners(cell) {
                let Some(twin) = mesh.twin(entry) else { continue };
                let range = field.gates_at(twin);
                let fits = || {
                    crossings.as_ref().is_none_or(|crossings| {
                        crossings.between(entry, gate.corner).is_none_or(|width| width >= radius - FREE_SLACK)
                    })
                };
                if entry == gate.corner || range.is_empty() || !fits() {
                    continue;
                }
                for other in range {
                    let at = field.gates[other].at;
                    let way = field.way_from(at, factors[cell.index()], k);
                    field.improve(other, k, way, &mut heap);
                }
            }
        }
        field
    }

    fn push_gates(
        &mut self,
        ground: Ground<'_>,
        corner: CornerId,
        [span, aims]: [[DVec2; 2]; 2],
        width: f64,
    ) {
        let Ground { mesh, walls, .. } = ground;
        let Some(into) = mesh.neighbour(corner) else { return };
        let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
        let forward = -(b - a).perp().normalize_or_zero();
        // One who leaves has the beginning of the edge on its right.
        let beside = [(mesh.previous_corner(corner), a), (mesh.next_corner(corner), b)].map(|(edge, end)| {
            let [from, to] = mesh.edge(edge).map(|v| mesh.xy(v));
            let far = if to == end { from } else { to };
            if walls.is_closed(edge) {
                Beside::Wall((end - far).normalize_or_zero())
            } else {
                Beside::Post(end)
            }
        });
        let length = span[0].distance(span[1]);
        let count = (1 + (length / SPACING).ceil() as usize).min(MOST_POINTS);
        for k in 0..count {
            // A span without length is one point.
            let share = if count == 1 { 0.5 } else { k as f64 / (count - 1) as f64 };
            let at = span[0].lerp(span[1], share);
            let cost = f64::INFINITY;
            self.gates.push(Gate {
                corner,
                span,
                aims,
                at,
                forward,
                beside,
                into,
                cost,
                next: NONE,
                narrowest: width,
                root: at,
                root_cost: cost,
                between: 0,
                factor: f64::NAN,
            });
        }
    }

    fn improve(&mut self, k: usize, next: u32, way: Way, heap: &mut BinaryHeap<Reverse<(u64, u32)>>) {
        let gate = &mut self.gates[k];
        if way.cost < gate.cost {
            let Way { cost, root, root_cost, between, factor } = way;
            *gate = Gate { cost, next, root, root_cost, between, factor, ..*gate };
            heap.push(Reverse((cost.to_bits(), k as u32)));
        }
    }

    fn gates_at(&self, corner: CornerId) -> Range<usize> {
        self.corner_starts[corner.index()] as usize..self.corner_starts[corner.index() + 1] as usize
    }

    /// A gate by its number.
    pub fn gate(&self, gate: u32) -> Option<&Gate> {
        self.gates.get(gate as usize)
    }

    /// The way from a point of a cell, in which one is so fast, through a gate of that cell.
    fn way_from(&self, p: DVec2, factor: f64, gate: u32) -> Way {
        let first = &self.gates[gate as usize];
        if first.factor == factor {
            let mut at = gate;
            let sees = (0..=first.between).all(|_| {
                let Some(gate) = self.gates.get(at as usize) else { return false };
                at = gate.next;
                orient(p, first.root, gate.span[0]) <= 0.0 && orient(p, first.root, gate.span[1]) >= 0.0
            });
            if sees {
                let cost = p.distance(first.root) / factor + first.root_cost;
                let between = first.between + 1;
                return Way { cost, root: first.root, root_cost: first.root_cost, between, factor };
            }
        }
        let cost = p.distance(first.at) / factor + first.cost;
        let way = Way { cost, root: first.at, root_cost: first.cost, between: 0, factor };
        let across = if first.factor == factor { None } else { self.way_across(p, factor, gate) };
        across.filter(|across| across.cost < cost).unwrap_or(way)
    }

    /// The way from a point through a gate behind which one is faster or slower, straight to the gate's root on both sides of the portal:
    /// where it crosses the portal the time is least, as where light is refracted. If only the gate's own point counted, one would
    /// come to the next cell beside it, find back shorter than on, and go to and fro.
    fn way_across(&self, p: DVec2, factor: f64, gate: u32) -> Option<Way> {
        let first = &self.gates[gate as usize];
        let [right, left] = first.span;
        let along = left - right;
        // The time is convex in the share, so it is least where its slope is 0.
        let slope = |share: f64| {
            let s = right + along * share;
            let part = |from: DVec2| (s - from).normalize_or_zero().dot(along);
            part(p) / factor + part(first.root) / first.factor
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if slope(middle) < 0.0 { low = middle } else { high = middle }
        }
        let s = right + along * (0.5 * (low + high));
        let mut at = first.next;
        let sees = (0..first.between).all(|_| {
            let Some(gate) = self.gates.get(at as usize) else { return false };
            at = gate.next;
            orient(s, first.root, gate.span[0]) <= 0.0 && orient(s, first.root, gate.span[1]) >= 0.0
        });
        sees.then(|| {
            let root_cost = s.distance(first.root) / first.factor + first.root_cost;
            Way { cost: p.distance(s) / factor + root_cost, root: s, root_cost, between: 0, factor }
        })
    }

    /// The point of the goal in a cell that is nearest, and how far it is.
    pub fn nearest_piece(&self, cell: CellId, p: DVec2) -> Option<(DVec2, f64)> {
        let range = self.piece_starts[cell.index()] as usize..self.piece_starts[cell.index() + 1] as usize;
        let points = self.pieces[range].iter().map(|ring| nearest_in_convex(ring, p));
        points.map(|q| (q, q.distance(p))).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The point of the goal behind the last gate of a way that is nearest.
    pub fn goal_beyond(&self, gate: &Gate, p: DVec2) -> Option<DVec2> {
        self.nearest_piece(gate.into, p).map(|(point, _)| point)
    }

    /// The best way on from a point of a cell: a gate, or nothing where the goal is in the cell; and its time at 1 m/s.
    pub fn best(&self, mesh: &NavMesh, factor: f64, cell: CellId, p: DVec2) -> Option<(Option<u32>, f64)> {
        let mut best = self.nearest_piece(cell, p).map(|(_, distance)| (None, distance / factor));
        let corners = mesh.corner_range(cell);
        for k in self.corner_starts[corners.start]..self.corner_starts[corners.end] {
            // The straight distance is less than any way.
            let gate = &self.gates[k as usize];
            if gate.cost.is_infinite() {
                continue;
            }
            let cost = self.way_from(p, factor, k).cost;
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((Some(k), cost));
            }
        }
        best
    }

    /// The gates from one on, up to the goal's cell.
    pub fn chain(&self, gate: Option<u32>) -> impl Iterator<Item = &Gate> {
        std::iter::successors(gate.and_then(|gate| self.gate(gate)), |gate| self.gate(gate.next))
    }
}

/// Whether some of a goal is on the ground: a point, or an area that does more than touch it.
#[cfg(feature = "scenario")]
pub(crate) fn is_on_ground(ground: Ground<'_>, goal: &Goal) -> bool {
    !pieces(ground, goal, 0.0).1.is_empty()
}

/// What a body may use of a portal, right and left of one who leaves the corner's cell.
fn span(mesh: &NavMesh, crossings: Option<&Crossings<'_>>, corner: CornerId, radius: f64) -> Option<Span> {
    match crossings {
        Some(crossings) => crossings.exact_shrink(Passage::through(corner), radius),
        None => simple_shrink(mesh, corner, radius),
    }
}

/// Where way points lie on what a body may use, given what it would use if it were larger: that, or the middle where it would not fit.
fn aims(span: Span, larger: Option<Span>) -> Span {
    let both = larger.map(|larger| Span { low: larger.low.max(span.low), high: larger.high.min(span.high) });
    let middle = 0.5 * (span.low + span.high);
    both.filter(|both| both.low <= both.high).unwrap_or(Span { low: middle, high: middle })
}

/// Step 1: the parts of cells that are the goal, as far as a body's centre can be there.
fn pieces(ground: Ground<'_>, goal: &Goal, radius: f64) -> (Vec<u32>, Vec<Vec<DVec2>>) {
    let mesh = ground.mesh;
    let mut found: Vec<(CellId, Vec<DVec2>)> = Vec::new();
    for area in &goal.areas {
        match area {
            Area::Disc { centre, .. } => {
                if let Some(place) = mesh.locate(*centre, &LocateConfig::default()) {
                    let point = place.point.truncate();
                    found.extend(mesh.cells_of(&place).map(|cell| (cell, vec![point])));
                }
            }
            Area::Convex { ring, heights } => {
                for cell in mesh.cells() {
                    let piece = piece(ground, cell, ring, radius);
                    let middle = piece.iter().sum::<DVec2>() / piece.len().max(1) as f64;
                    if !is_hair(&piece) && (heights[0]..=heights[1]).contains(&mesh.height(cell, middle)) {
                        found.push((cell, piece));
                    }
                }
            }
        }
    }
    found.sort_by_key(|&(cell, _)| cell);
    let starts = (0..=mesh.cell_count())
        .map(|cell| found.partition_point(|(other, _)| other.index() < cell) as u32)
        .collect();
    (starts, found.into_iter().map(|(_, piece)| piece).collect())
}

/// Whether a piece is so narrow that nobody gets into it, as where a goal and a cell only have an edge in common.
fn is_hair(piece: &[DVec2]) -> bool {
    let outline: f64 = piece.iter().zip(piece.iter().cycle().skip(1)).map(|(a, b)| a.distance(*b)).sum();
    piece.len() < 3 || ring_area(piece) <= HAIR * outline
}

/// The part of a cell that lies in a convex ring and is not nearer to the cell's walls than a radius.
fn piece(ground: Ground<'_>, cell: CellId, ring: &[DVec2], radius: f64) -> Vec<DVec2> {
    let Ground { mesh, walls, .. } = ground;
    let mut left: Vec<DVec2> = mesh.cell_points(cell).collect();
    for (&a, &b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        left = clipped(&left, |p| (b - a).perp_dot(p - a));
    }
    for corner in mesh.corners(cell).filter(|&corner| walls.is_closed(corner)) {
        if left.is_empty() {
            break;
        }
        let [a, b] = walls.edge(corner.0);
        let inwards = (b - a).perp().normalize_or_zero();
        left = clipped(&left, |p| (p - a).dot(inwards) - radius);
    }
    left
}

/// The part of a convex ring where a linear function is not negative (Sutherland and Hodgman 1974).
pub(crate) fn clipped(ring: &[DVec2], inside: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut left = Vec::with_capacity(ring.len() + 1);
    for (k, &b) in ring.iter().enumerate() {
        let a = ring[if k == 0 { ring.len() - 1 } else { k - 1 }];
        let (from, to) = (inside(a), inside(b));
        if (from < 0.0) != (to < 0.0) {
            left.push(a + (b - a) * (from / (from - to)));
        }
        if to >= 0.0 {
            left.push(b);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::{dvec2, dvec3};
    use wayfare_navmesh::{Blocks, RawNavMesh};

    #[test]
    fn way_points_keep_off_walls_where_there_is_room_and_else_in_the_middle() {
        let span = |low, high| Span { low, high };
        assert_eq!(aims(span(0.2, 0.8), Some(span(0.3, 0.7))), span(0.3, 0.7));
        assert_eq!(aims(span(0.2, 0.8), None), span(0.5, 0.5));
        // A larger body may use another part of the portal.
        assert_eq!(aims(span(0.1, 0.3), Some(span(0.6, 0.9))), span(0.2, 0.2));
    }

    #[test]
    fn where_the_speed_changes_ways_take_as_long_as_refracted_light() {
        // Two halves of a square of 10 m, the left one twice as slow; the goal is a point of the right one.
        let corners = [(0., 0.), (5., 0.), (10., 0.), (0., 10.), (5., 10.), (10., 10.)];
        let corners: Vec<_> = corners.map(|(x, y)| dvec3(x, y, 0.0)).into();
        let mesh = RawNavMesh::from_polygons(&corners, &[vec![0, 1, 4, 3], vec![1, 2, 5, 4]]).unwrap();
        let mesh = mesh.validate().unwrap();
        let walls = Walls::new(&mesh, &Blocks::default(), &[]);
        let ground = Ground { mesh: &mesh, walls: &walls, factors: &[0.5, 1.0], wall_room: 0.0 };
        let goal = dvec3(9.0, 4.0, 0.0);
        let field = Field::build(ground, &Goal::point(goal, 0.1), 0.1);
        for at in [dvec2(1.0, 1.0), dvec2(4.9, 8.6), dvec2(4.0, 4.3), dvec2(0.5, 9.5), dvec2(4.99, 1.7)] {
            let (_, seconds) = field.best(&mesh, 0.5, CellId(0), at).unwrap();
            let through = |y: f64| at.distance(dvec2(5.0, y)) / 0.5 + goal.truncate().distance(dvec2(5.0, y));
            let least = (0..=9800).map(|k| through(0.1 + 1e-3 * f64::from(k))).fold(f64::INFINITY, f64::min);
            assert!((seconds - least).abs() < 1e-3, "{at}: {seconds} and {least} s");
        }
    }
}
