//! Draws a path tight under its cost, as a rope that shuns obstacles.
//!
//! Idea: the path is a polyline; knots are moved, cut off, added and dropped, one at a time, whenever the exact cost of the pieces
//!   beside them falls. Steps begin large and are halved, so that the path first finds its place and then its shape.
//! Steps, for each size of step: 1. drop knots that are of no use  2. move each across, and along, to the lowest point of a parabola
//!   through three tries  3. cut corners off  4. bulge straight pieces  5. again while it helps
//! Invariants: ends stay; every piece is free for the body; the cost never rises.
//! Cost: a dozen weighings per knot and round; [`ROUNDS`] rounds for each of [`LEVELS`] sizes at most.

use super::{search::is_same_place, weight::Scales};
use crate::mesh::CellId;
use wayfare_core::DVec2;

/// Sizes of steps, each half of the one before.
pub(crate) const LEVELS: u32 = 7;

/// Rounds with one size of step.
const ROUNDS: u32 = 6;

/// What a round must gain for another one, as a share of the cost.
const WORTH: f64 = 2e-4;

/// What moving a knot must gain, as a share of the cost of the pieces beside it.
const LEAST: f64 = 3e-5;

/// What another knot must gain to be worth its place.
const ANOTHER: f64 = 3e-4;

/// Most knots.
const MOST: usize = 20_000;

/// A point of the path with what the piece after it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot {
    pub at: DVec2,
    pub cell: CellId,
    pub cost: f64,
    /// The smallest steps with which nothing was gained here since something beside it changed: by moving, cutting, bulging.
    tried: [f64; 3],
}

/// What is done to knots.
#[derive(Clone, Copy)]
enum Act {
    Move,
    Cut,
    Bulge,
}

impl Knot {
    fn new(at: DVec2, cell: CellId, cost: f64) -> Self {
        Self { at, cell, cost, tried: [f64::INFINITY; 3] }
    }
}

/// A path that is free for the body.
#[derive(Clone, Debug)]
pub(crate) struct Rope {
    pub knots: Vec<Knot>,
    pub cost: f64,
}

impl Rope {
    /// The path over some points, the first of which lies in `cell`; nothing if it is not free all along.
    pub fn over(scales: &mut Scales<'_>, mut cell: CellId, points: &[DVec2]) -> Option<Self> {
        let mut knots = Vec::with_capacity(points.len());
        for pair in points.windows(2) {
            let (cost, next) = scales.weigh(cell, pair[0], pair[1], f64::INFINITY)?;
            knots.push(Knot::new(pair[0], cell, cost));
            cell = next;
        }
        knots.push(Knot::new(*points.last()?, cell, 0.0));
        let cost = knots.iter().map(|knot| knot.cost).sum();
        Some(Self { knots, cost })
    }

    /// The path through some places, of which the cells are known.
    pub fn through(scales: &mut Scales<'_>, places: &[(CellId, DVec2)]) -> Option<Self> {
        let mut knots = Vec::with_capacity(places.len());
        for pair in places.windows(2) {
            let (cost, _) = scales.weigh(pair[0].0, pair[0].1, pair[1].1, f64::INFINITY)?;
            knots.push(Knot::new(pair[0].1, pair[0].0, cost));
        }
        let &(cell, at) = places.last()?;
        knots.push(Knot::new(at, cell, 0.0));
        let cost = knots.iter().map(|knot| knot.cost).sum();
        Some(Self { knots, cost })
    }

    /// Makes it cheap; steps begin with a size of `step` [m].
    pub fn tighten(&mut self, scales: &mut Scales<'_>, mut step: f64, levels: u32) {
        let mut tools = Tools { scales, fresh: Vec::new(), best: Vec::new() };
        tools.drop_knots(self);
        for level in 0..levels {
            let before = self.cost;
            for _ in 0..ROUNDS {
                let start = self.cost;
                tools.move_knots(self, step);
                tools.cut_corners(self, step);
                tools.drop_knots(self);
                tools.bulge(self, step);
                self.cost = self.knots.iter().map(|knot| knot.cost).sum();
                if start - self.cost < WORTH * self.cost {
                    break;
                }
            }
            if level > 2 && before - self.cost < WORTH * self.cost {
                break;
            }
            step /= 2.0;
        }
    }
}

struct Tools<'s, 'a> {
    scales: &'s mut Scales<'a>,
    /// What was weighed last, and the best of some tries.
    fresh: Vec<Knot>,
    best: Vec<Knot>,
}

impl Tools<'_, '_> {
    /// What it costs to go from knot `from` over some points to knot `to`, if that is less than `most`; the pieces are left in `fresh`.
    fn over(&mut self, rope: &Rope, from: usize, points: &[DVec2], to: usize, most: f64) -> Option<f64> {
        let (begin, end) = (rope.knots[from], rope.knots[to]);
        self.fresh.clear();
        let (mut at, mut cell, mut sum) = (begin.at, begin.cell, 0.0);
        for &next in points.iter().chain([&end.at]) {
            let (cost, there) = self.scales.weigh(cell, at, next, most - sum)?;
            self.fresh.push(Knot::new(at, cell, cost));
            (at, cell, sum) = (next, there, sum + cost);
        }
        (sum <= most && is_same_place(self.scales, cell, end.cell, end.at)).then_some(sum)
    }

    /// The same as one of several tries, of which the best is kept; `most` becomes its cost.
    fn tries_over(&mut self, rope: &Rope, from: usize, points: &[DVec2], to: usize, most: &mut f64) -> bool {
        let Some(cost) = self.over(rope, from, points, to, *most) else { return false };
        *most = cost;
        std::mem::swap(&mut self.fresh, &mut self.best);
        true
    }

    /// Puts the best try between two knots.
    fn replace(&mut self, rope: &mut Rope, from: usize, to: usize) {
        for k in [from.saturating_sub(1), to] {
            rope.knots[k].tried = [f64::INFINITY; 3];
        }
        rope.knots.splice(from..to, self.best.drain(..));
    }

    /// Whether to try something at a knot, which is not tried again with such steps until something changes.
    fn is_new(rope: &mut Rope, k: usize, act: Act, step: f64) -> bool {
        let tried = &mut rope.knots[k].tried[act as usize];
        let is_new = *tried > step;
        *tried = tried.min(step);
        is_new
    }

    /// 1.
    fn drop_knots(&mut self, rope: &mut Rope) {
        let mut k = 1;
        while k + 1 < rope.knots.len() {
            let now = rope.knots[k - 1].cost + rope.knots[k].cost;
            if self.tries_over(rope, k - 1, &[], k + 1, &mut (now + LEAST * now)) {
                self.replace(rope, k - 1, k + 1);
                k = (k - 1).max(1);
            } else {
                k += 1;
            }
        }
    }

    /// 2.
    fn move_knots(&mut self, rope: &mut Rope, step: f64) {
        for k in 1..rope.knots.len().saturating_sub(1) {
            if !Self::is_new(rope, k, Act::Move, step) {
                continue;
            }
            let chord = rope.knots[k + 1].at - rope.knots[k - 1].at;
            let across = chord.perp().normalize_or_zero() * step;
            self.move_knot(rope, k, across);
            self.move_knot(rope, k, across.perp());
        }
    }

    /// Moves a knot along a line, at most two steps to either side.
    fn move_knot(&mut self, rope: &mut Rope, k: usize, step: DVec2) {
        let at = rope.knots[k].at;
        let now = rope.knots[k - 1].cost + rope.knots[k].cost;
        let mut most = now - LEAST * now;
        let mut is_better = false;
        let [ahead, back] = [1.0, -1.0].map(|share| {
            let cost = self.over(rope, k - 1, &[at + step * share], k + 1, f64::INFINITY);
            if let Some(cost) = cost.filter(|&cost| cost < most) {
                (most, is_better) = (cost, true);
                std::mem::swap(&mut self.fresh, &mut self.best);
            }
            cost
        });
        let lowest = match (ahead, back) {
            (Some(ahead), Some(back)) => {
                let bend = ahead + back - 2.0 * now;
                if bend > 0.0 { ((back - ahead) / (2.0 * bend)).clamp(-2.0, 2.0) } else { 0.0 }
            }
            // Something is in the way on one side: half a step to it, or two on the other.
            (Some(ahead), None) => {
                if ahead < now {
                    2.0
                } else {
                    -0.5
                }
            }
            (None, Some(back)) => {
                if back < now {
                    -2.0
                } else {
                    0.5
                }
            }
            (None, None) => 0.0,
        };
        if lowest != 0.0 {
            is_better |= self.tries_over(rope, k - 1, &[at + step * lowest], k + 1, &mut most);
        }
        if is_better {
            self.replace(rope, k - 1, k + 1);
        }
    }

    /// 3.
    fn cut_corners(&mut self, rope: &mut Rope, step: f64) {
        let mut k = 1;
        while k + 1 < rope.knots.len() && rope.knots.len() < MOST {
            let [before, at, after] = [k - 1, k, k + 1].map(|k| rope.knots[k].at);
            let (back, on) = (before - at, after - at);
            let short = back.length().min(on.length());
            let (back, on) = (back.normalize_or_zero(), on.normalize_or_zero());
            // Who hardly turns gains nothing.
            if back.dot(on) > -0.9999 && Self::is_new(rope, k, Act::Cut, step) {
                let now = rope.knots[k - 1].cost + rope.knots[k].cost;
                let mut most = now - ANOTHER * now;
                let mut is_better = false;
                for cut in [0.9, 0.6, 0.4, 0.25, 0.15].map(|share| share * short) {
                    let points = [at + back * cut, at + on * cut];
                    is_better |= self.tries_over(rope, k - 1, &points, k + 1, &mut most);
                }
                if is_better {
                    self.replace(rope, k - 1, k + 1);
                    k += 1;
                }
            }
            k += 1;
        }
    }

    /// 4.
    fn bulge(&mut self, rope: &mut Rope, step: f64) {
        let mut k = 0;
        while k + 1 < rope.knots.len() && rope.knots.len() < MOST {
            let (from, to) = (rope.knots[k].at, rope.knots[k + 1].at);
            let now = rope.knots[k].cost;
            let length = from.distance(to);
            // Where all of a piece is as far away as it likes, nothing is gained.
            if now > length * (1.0 + 1e-6) && length > step && Self::is_new(rope, k, Act::Bulge, step) {
                let across = (to - from).perp() * (step / length);
                let mut most = now - ANOTHER * now;
                let mut is_better = false;
                let _ = self.scales.weigh(rope.knots[k].cell, from, to, f64::INFINITY);
                let span = self.scales.span.map(|s| (s / length).clamp(0.0, 1.0));
                for side in [1.0, -1.0] {
                    // Where it is too near only here and there, the rest of it stays.
                    let ends = span.map(|share| from.lerp(to, share));
                    let points = [ends[0], ends[0].midpoint(ends[1]) + across * side, ends[1]];
                    is_better |= self.tries_over(rope, k, &points, k + 1, &mut most);
                    for share in [0.5, 0.2, 0.8] {
                        let point = from.lerp(to, share) + across * side;
                        is_better |= self.tries_over(rope, k, &[point], k + 1, &mut most);
                    }
                }
                if is_better {
                    self.replace(rope, k, k + 1);
                    k += 1;
                }
            }
            k += 1;
        }
    }
}
