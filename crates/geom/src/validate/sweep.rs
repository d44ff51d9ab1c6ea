//! All places where closed rings cross, overlap or touch, and what lies below each ring.
//!
//! Idea: a line sweeps over the points in lexicographic order and keeps the edges it cuts in order. Edges that cross
//! are neighbours before they do, so testing new neighbours finds the first crossing. One of the two edges is
//! then taken out and the sweep goes on: what is left crosses nowhere, so of every pair that is at odds one edge
//! at least is named, and the order stays true to the end.
//! Source: Shamos and Hoey 1976, "Geometric intersection problems". We differ: touching is allowed and
//!   recorded, the sweep does not stop at the first crossing, and an edge that begins where another ends takes
//!   over its place in the status, so that a search is needed only where a ring begins.
//! Steps, per point: 1. find the edges that end at it or pass through it  2. several passing: they cross
//!   3. take out those that end, put in those that begin  4. test new neighbours  5. note what lies below
//!   rings that begin here  6. where several passes meet, see whether they cross.
//! Thin walls: where it is allowed, two edges between the same two points in opposite directions lie back to back, with
//!   ground on both outer sides. Only the upper one is kept in the status; what hangs together across both is one pass.
//! Needs: finite coordinates, no zero-length edge. All signs are exact.
//! Cost: O(n log n) time, O(n) memory; deterministic, independent of the order of the rings up to numbering.

use super::{
    order::{direction_order, is_before, sweep_order},
    rings::RingSet,
    status::{NONE, Status},
};
use crate::predicates::orient;
use wayfare_core::DVec2;

/// What is wrong between two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictKind {
    /// They cross, or their rings cross at a vertex.
    Crossing,
    /// They have more than a point in common.
    Overlap,
}

/// Two edges, numbered as in [`RingSet`], that may not be as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conflict {
    /// What is wrong.
    pub kind: ConflictKind,
    /// The edges, the smaller number first.
    pub edges: [u32; 2],
    /// A place: an end of one of the edges, or where they meet at a vertex.
    pub at: DVec2,
}

/// Several passes of rings through one point, without a crossing.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// The vertices at the point, by number.
    pub vertices: Vec<u32>,
    /// An edge that has the point inside it.
    pub edge: Option<u32>,
}

/// What a sweep over rings found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepReport {
    /// Edges that cross or overlap. Not every pair: of each pair at odds, one edge at least is named here.
    pub conflicts: Vec<Conflict>,
    /// Points where rings touch each other or themselves, in sweep order.
    pub touches: Vec<Touch>,
    /// Per ring, the edge just below its least point; only meaningful without conflicts.
    pub below: Vec<Option<u32>>,
    /// The rings in the order in which the sweep met them: what lies below a ring comes before it.
    pub order: Vec<u32>,
}

/// Sweeps over all rings.
pub fn sweep_rings(rings: &RingSet) -> SweepReport {
    sweep(rings, false)
}

/// Sweeps over all rings, which may have walls without thickness: pairs of edges between the same two points, in opposite
/// directions, are no conflict.
pub fn sweep_rings_with_thin_walls(rings: &RingSet) -> SweepReport {
    sweep(rings, true)
}

fn sweep(rings: &RingSet, allows_thin_walls: bool) -> SweepReport {
    let mut sweep = Sweep::new(rings, allows_thin_walls);
    // Points in order; the number breaks ties, so that the result does not depend on the sorting.
    let mut events: Vec<(DVec2, u32)> = rings.points().iter().copied().zip(0..).collect();
    events.sort_unstable_by(|a, b| sweep_order(a.0, b.0).then(a.1.cmp(&b.1)));
    for group in events.chunk_by(|a, b| a.0 == b.0) {
        sweep.point(group);
    }
    sweep.report
}

struct Sweep<'a> {
    points: &'a [DVec2],
    next: Vec<u32>,
    previous: Vec<u32>,
    ring: Vec<u32>,
    status: Status,
    /// Taken out because of a conflict, or ended.
    gone: Vec<bool>,
    met: Vec<bool>,
    /// The other side of each edge that is a side of a thin wall; empty where there may be none.
    backs: Vec<u32>,
    /// Scratch of [`Sweep::passes`]: passes that were opened.
    is_open: Vec<bool>,
    starting: Vec<u32>,
    report: SweepReport,
}

impl<'a> Sweep<'a> {
    fn new(rings: &'a RingSet, allows_thin_walls: bool) -> Self {
        let count = rings.points().len();
        let (mut next, mut previous, mut ring) = (vec![0; count], vec![0; count], vec![0; count]);
        for r in 0..rings.len() {
            let range = rings.range(r);
            for k in range.clone() {
                let after = if k + 1 == range.end { range.start } else { k + 1 };
                next[k] = after as u32;
                previous[after] = k as u32;
                ring[k] = r as u32;
            }
        }
        Self {
            points: rings.points(),
            next,
            previous,
            ring,
            status: Status::new(count),
            gone: vec![false; count],
            met: vec![false; rings.len()],
            backs: if allows_thin_walls { vec![NONE; count] } else { Vec::new() },
            is_open: vec![false; count],
            starting: Vec::new(),
            report: SweepReport { below: vec![None; rings.len()], ..SweepReport::default() },
        }
    }

    /// The ends of an edge, the one met first in front.
    #[inline]
    fn ends(&self, e: u32) -> [DVec2; 2] {
        let (a, b) = (self.points[e as usize], self.points[self.next[e as usize] as usize]);
        if is_before(a, b) { [a, b] } else { [b, a] }
    }
    /// Whether an edge runs the way the sweep goes: what is on its left lies above it.
    #[inline]
    fn runs_ahead(&self, e: u32) -> bool {
        is_before(self.points[e as usize], self.points[self.next[e as usize] as usize])
    }
    /// The other side of the thin wall that an edge is a side of.
    fn back(&self, e: u32) -> u32 {
        self.backs.get(e as usize).copied().unwrap_or(NONE)
    }
    /// Makes two edges that begin at one point, in the order of the status, the sides of a thin wall, if they are.
    fn pair_up(&mut self, lower: u32, upper: u32) -> bool {
        let is_pair = !self.backs.is_empty()
            && self.back(lower) == NONE
            && self.ends(lower)[1] == self.ends(upper)[1]
            && !self.runs_ahead(lower)
            && self.runs_ahead(upper);
        if is_pair {
            self.backs[lower as usize] = upper;
            self.backs[upper as usize] = lower;
            // What lies above the wall looks at its upper side; nothing that follows looks from below.
            self.status.replace(lower, upper);
            self.gone[lower as usize] = true;
        }
        is_pair
    }
    /// Positive if `p` lies above `e`.
    #[inline]
    fn side(&self, e: u32, p: DVec2) -> f64 {
        let [a, b] = self.ends(e);
        orient(a, b, p)
    }

    /// All that happens at one point.
    fn point(&mut self, group: &[(DVec2, u32)]) {
        let p = group[0].0;
        // The plain case, nine times in ten: one edge ends, one begins, nothing else is near.
        if let [(_, v)] = *group {
            let (into, out) = (self.previous[v as usize], v);
            let a = self.points[into as usize];
            let b = self.points[self.next[v as usize] as usize];
            let (ending, beginning) = match (is_before(a, p), is_before(b, p)) {
                (true, false) => (into, out),
                (false, true) => (out, into),
                _ => (NONE, NONE),
            };
            if ending != NONE && !self.gone[ending as usize] {
                let (below, above) = (self.status.below(ending), self.status.above(ending));
                let free = |e: u32| e == NONE || self.side(e, p) != 0.0;
                if free(below) && free(above) {
                    self.gone[ending as usize] = true;
                    self.status.replace(ending, beginning);
                    self.test(beginning, above);
                    if !self.gone[beginning as usize] {
                        self.test(self.status.below(beginning), beginning);
                    }
                    return;
                }
            }
        }
        self.crowded_point(p, group);
    }

    fn crowded_point(&mut self, p: DVec2, group: &[(DVec2, u32)]) {
        // 1. Edges that end at the point or pass through it are neighbours in the status.
        let mut starting = std::mem::take(&mut self.starting);
        starting.clear();
        let mut ending = NONE;
        for &(_, v) in group {
            let (into, after) = (self.previous[v as usize], self.next[v as usize]);
            for (edge, end) in [(into, into), (v, after)] {
                if is_before(p, self.points[end as usize]) {
                    starting.push(edge);
                } else if !self.gone[edge as usize] {
                    ending = edge;
                }
            }
        }
        let below = if ending == NONE {
            self.status.last_where(|e| self.side(e, p) > 0.0)
        } else {
            let mut below = self.status.below(ending);
            while below != NONE && self.side(below, p) == 0.0 {
                below = self.status.below(below);
            }
            below
        };
        let mut through = NONE;
        let mut clear = true;
        let mut at = self.status.above(below);
        while at != NONE && self.side(at, p) == 0.0 {
            let above = self.status.above(at);
            if self.ends(at)[1] == p {
                // 3. It ends here.
                self.take_out(at);
            } else if through == NONE {
                through = at;
            } else {
                // 2. Two straight edges that pass through one point cross there.
                self.conflict(ConflictKind::Crossing, through, at, p);
                self.take_out(at);
                clear = false;
            }
            at = above;
        }
        let above = at;
        // 3. Those that begin, from below upwards, round the edge that passes through.
        // Of two at one place that with the ground below it first.
        starting.sort_unstable_by(|&e, &f| {
            let direction = direction_order(p, self.ends(e)[1], self.ends(f)[1]);
            direction.then(self.runs_ahead(e).cmp(&self.runs_ahead(f))).then(e.cmp(&f))
        });
        let mut under = below;
        let mut last = NONE;
        let mut is_over_through = through == NONE;
        for &e in &starting {
            let end = self.ends(e)[1];
            if last != NONE && self.side(last, end) == 0.0 {
                if self.pair_up(last, e) {
                    (under, last) = (e, e);
                    continue;
                }
                self.conflict(ConflictKind::Overlap, last, e, p);
                self.gone[e as usize] = true;
                clear = false;
                continue;
            }
            if !is_over_through {
                let side = self.side(through, end);
                if side == 0.0 {
                    self.conflict(ConflictKind::Overlap, through, e, p);
                    self.gone[e as usize] = true;
                    clear = false;
                    continue;
                }
                if side > 0.0 {
                    under = through;
                    is_over_through = true;
                }
            }
            self.status.insert_above(under, e);
            (under, last) = (e, e);
        }
        // 5. Before the tests of step 4 take anything out: what lies below rings that begin here.
        for &e in &starting {
            let ring = self.ring[e as usize] as usize;
            if !self.met[ring] {
                self.met[ring] = true;
                self.report.order.push(ring as u32);
                let below = match self.back(e) {
                    NONE if self.gone[e as usize] => NONE,
                    NONE => self.status.below(e),
                    // A ring above a wall has its lower side below it; one that begins with that has the wall above.
                    back if self.gone[e as usize] => self.status.below(back),
                    back => back,
                };
                self.report.below[ring] = (below != NONE).then_some(below);
            }
        }
        self.starting = starting;
        // 4. New neighbours, at the lower and at the upper end of what is here now.
        self.test(below, self.status.above(below));
        if above != NONE && !self.gone[above as usize] {
            self.test(self.status.below(above), above);
        }
        // 6. Several passes through the point.
        if clear && (group.len() > 1 || through != NONE) {
            self.passes(p, group, through);
        }
    }

    /// Records a touch, or a crossing if two passes through `p` part each other's ways.
    fn passes(&mut self, p: DVec2, group: &[(DVec2, u32)], through: u32) {
        // The ways out of the point, counter-clockwise, each with its edge and the vertex or edge that names its pass.
        let mut ways: Vec<(DVec2, u32, u32)> = Vec::with_capacity(2 * group.len() + 2);
        for &(_, v) in group {
            let into = self.previous[v as usize];
            ways.push((self.points[into as usize], into, v));
            ways.push((self.points[self.next[v as usize] as usize], v, v));
        }
        if through != NONE {
            ways.extend(self.ends(through).map(|end| (end, through, through)));
        }
        ways.sort_unstable_by(|a, b| direction_order(p, a.0, b.0).then(a.1.cmp(&b.1)));
        // The two sides of a thin wall are no ways: the passes that they belong to are one.
        let mut at = 0;
        while at + 1 < ways.len() {
            let [one, two] = [ways[at], ways[at + 1]];
            if direction_order(p, one.0, two.0).is_ne() {
                at += 1;
                continue;
            }
            if self.back(one.1) != two.1 {
                return; // An overlap; it was reported where it began.
            }
            ways.drain(at..at + 2);
            ways.iter_mut().filter(|way| way.2 == two.2).for_each(|way| way.2 = one.2);
        }
        // As with brackets: a pass that closes must be the one opened last.
        let mut open: Vec<u32> = Vec::new();
        let mut crosses = false;
        for (_, _, pass) in ways {
            match open.last() {
                Some(&last) if last == pass => {
                    open.pop();
                }
                Some(&last) if self.is_open[pass as usize] => {
                    self.conflict(ConflictKind::Crossing, last, pass, p);
                    crosses = true;
                    break;
                }
                _ => {
                    open.push(pass);
                    self.is_open[pass as usize] = true;
                }
            }
        }
        for pass in group.iter().map(|&(_, v)| v).chain((through != NONE).then_some(through)) {
            self.is_open[pass as usize] = false;
        }
        if crosses {
            return;
        }
        let vertices = group.iter().map(|&(_, v)| v).collect();
        self.report.touches.push(Touch { vertices, edge: (through != NONE).then_some(through) });
    }

    /// Takes out edges until `lower` and `upper`, or the neighbours after them, do not cross.
    fn test(&mut self, mut lower: u32, mut upper: u32) {
        while lower != NONE && upper != NONE {
            let ([a, b], [c, d]) = (self.ends(lower), self.ends(upper));
            // The lower edge is below the upper one here; they cross if it is not at the end of the shorter.
            let lower_ends_first = is_before(b, d);
            let crosses =
                if lower_ends_first { orient(c, d, b) > 0.0 } else { b != d && orient(a, b, d) < 0.0 };
            if !crosses {
                return;
            }
            self.conflict(ConflictKind::Crossing, lower, upper, meeting(a, b, c, d));
            if lower_ends_first {
                let below = self.status.below(lower);
                self.take_out(lower);
                lower = below;
            } else {
                let above = self.status.above(upper);
                self.take_out(upper);
                upper = above;
            }
        }
    }

    fn take_out(&mut self, e: u32) {
        self.status.remove(e);
        self.gone[e as usize] = true;
    }

    fn conflict(&mut self, kind: ConflictKind, e: u32, f: u32, at: DVec2) {
        self.report.conflicts.push(Conflict { kind, edges: [e.min(f), e.max(f)], at });
    }
}

/// About where the lines `ab` and `cd` meet; for messages only.
fn meeting(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> DVec2 {
    let along = (c - a).perp_dot(d - c) / (b - a).perp_dot(d - c);
    if along.is_finite() { a + (b - a) * along.clamp(0.0, 1.0) } else { a }
}
