//! A corridor: the portals that a path crosses and where it does, and the corners that it turns round.

use crate::{
    mesh::{CellId, CornerId, NavMesh},
    portal::{Line, Passage},
    search::{Path, PlanPiece},
};
use std::ops::Range;
use wayfare_core::DVec2;

/// A portal of a corridor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// Its corner in the cell that is left.
    pub corner: CornerId,
    /// Where the path crosses it: 0 at the start of the corner's edge, 1 at its end.
    pub share: f64,
    /// How far along the path that is [m].
    along: f64,
}

/// A corner that the path turns round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Post {
    pub at: DVec2,
    /// Whether the corner is on the left.
    pub is_left: bool,
    /// Unit vector from the corner to the middle of the turn; none for a point.
    pub away: DVec2,
    /// The part of the path that turns [m].
    along: [f64; 2],
}

/// The portals from a start to a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Corridor {
    gates: Vec<Gate>,
    posts: Vec<Post>,
    start: (CellId, DVec2),
    goal: (CellId, DVec2),
}

/// The line of a path as points, each with its distance from the start along them.
#[derive(Default)]
struct Trace {
    points: Vec<(DVec2, f64)>,
    posts: Vec<Post>,
}

impl Trace {
    /// Arcs as chords that are within a thousandth of their radius.
    const SAGITTA: f64 = 1e-3;

    fn of(path: &Path) -> Self {
        let mut trace = Self::default();
        let mut before: Option<DVec2> = None;
        let mut chords = Vec::new();
        for piece in &path.pieces {
            let from = trace.add(piece.ends()[0]);
            match *piece {
                PlanPiece::Line { from: at, to } => {
                    let turn = before.map_or(0.0, |before| before.perp_dot(to - at));
                    if turn != 0.0 && path.radius == 0.0 {
                        let away = DVec2::ZERO;
                        trace.posts.push(Post { at, is_left: turn > 0.0, away, along: [from; 2] });
                    }
                    trace.add(to);
                    before = Some(to - at);
                }
                PlanPiece::Arc { from: begin, to: end, centre, radius, turn } => {
                    chords.clear();
                    piece.flatten(Self::SAGITTA * radius, &mut chords);
                    let to = chords.drain(..).map(|p| trace.add(p)).last().unwrap_or(from);
                    // Seen from the corner; turns of more than half a circle do not occur on shortest paths.
                    let away = (begin.midpoint(end) - centre).normalize_or_zero();
                    trace.posts.push(Post { at: centre, is_left: turn > 0.0, away, along: [from, to] });
                    before = None;
                }
            }
        }
        trace
    }

    /// Adds a point; how far it is from the start.
    fn add(&mut self, p: DVec2) -> f64 {
        let along = self.points.last().map_or(0.0, |&(last, along)| along + last.distance(p));
        self.points.push((p, along));
        along
    }

    /// How near the line comes to a portal not before a place on it, and where on both that is.
    fn nearest(&self, line: Line, after: f64) -> (f64, Gate) {
        let gate = Gate { corner: CornerId(0), share: 0.5, along: after };
        let mut best = (f64::INFINITY, gate);
        let mut consider = |distance: f64, share: f64, along: f64| {
            if distance < best.0 && along >= after {
                best = (distance, Gate { share, along, ..gate });
            }
        };
        let first = self.points.partition_point(|&(_, along)| along < after).saturating_sub(1);
        for (k, &(p, along)) in self.points.iter().enumerate().skip(first) {
            let foot = ((p - line.a).dot(line.e) / line.e.length_squared()).clamp(0.0, 1.0);
            consider(line.point(foot).distance(p), foot, along);
            if let Some(&(q, next)) = self.points.get(k + 1) {
                let (step, arm) = (q - p, line.a - p);
                let turn = step.perp_dot(line.e);
                let (part, share) = (arm.perp_dot(line.e) / turn, arm.perp_dot(step) / turn);
                if (0.0..=1.0).contains(&part) && (0.0..=1.0).contains(&share) {
                    consider(0.0, share, along + (next - along) * part);
                }
            }
        }
        best
    }
}

impl Corridor {
    /// The corridor of a path; nothing if two of its cells share no portal, as where a point passes from cell to cell
    /// through a vertex.
    pub fn of_path(mesh: &NavMesh, path: &Path) -> Option<Self> {
        let trace = Trace::of(path);
        let start = (*path.cells.first()?, trace.points.first()?.0);
        let goal = (*path.cells.last()?, trace.points.last()?.0);
        let mut after = 0.0;
        let gates = path.cells.windows(2).map(|cells| {
            let portals = mesh.corners(cells[0]).filter(|&corner| mesh.neighbour(corner) == Some(cells[1]));
            let crossed = portals.map(|corner| {
                let (distance, gate) = trace.nearest(Line::of(mesh, corner), after);
                (distance, Gate { corner, ..gate })
            });
            let (_, gate) = crossed.min_by(|a, b| a.0.total_cmp(&b.0))?;
            after = gate.along;
            Some(gate)
        });
        let gates = gates.collect::<Option<_>>()?;
        Some(Self { gates, posts: trace.posts, start, goal })
    }

    /// Its portals in order.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }
    /// Where it starts.
    pub fn start(&self) -> (CellId, DVec2) {
        self.start
    }
    /// Where it ends.
    pub fn goal(&self) -> (CellId, DVec2) {
        self.goal
    }
    /// Through its k-th portal.
    pub fn passage(&self, mesh: &NavMesh, k: usize) -> Option<Passage> {
        let corner = |k: usize| self.gates.get(k).map(|gate| gate.corner);
        let from = k.checked_sub(1).and_then(corner).and_then(|before| mesh.twin(before));
        Some(Passage { from, through: corner(k)?, to: corner(k + 1) })
    }
    /// The corners that the path turns round from the portal before the k-th on, each with the number of the portal ahead.
    pub(super) fn posts_from(&self, k: usize) -> impl Iterator<Item = (usize, &Post)> {
        let from = k.checked_sub(1).and_then(|k| self.gates.get(k)).map_or(0.0, |gate| gate.along);
        let first = self.posts.partition_point(|post| post.along[1] < from);
        self.posts[first..].iter().map(|post| {
            let middle = 0.5 * (post.along[0] + post.along[1]);
            (self.gates.partition_point(|gate| gate.along < middle), post)
        })
    }
    /// The corners that the path turns round between the portal before the k-th and the k-th.
    pub(super) fn posts(&self, k: usize) -> &[Post] {
        let from = k.checked_sub(1).and_then(|k| self.gates.get(k)).map_or(0.0, |gate| gate.along);
        let to = self.gates.get(k).map_or(f64::INFINITY, |gate| gate.along);
        let range: Range<usize> = self.posts.partition_point(|post| post.along[1] < from)
            ..self.posts.partition_point(|post| post.along[0] <= to);
        self.posts.get(range).unwrap_or_default()
    }
}
