//! The shortest path through a sequence of convex polygons.
//!
//! Idea: it is straight but where it bends round the rim of a polygon. So only the bends are kept: each lies where the way
//!   between its two neighbours is shortest through its own polygon, which has a closed form; a polygon that a straight part
//!   misses becomes a bend, and a bend that is no longer needed goes.
//! The length is a convex function of the points: what cannot be improved is the shortest path.
//! Cost: few rounds over the bends, and one look at every polygon a round.

use crate::{plane::Plane, polygon::area_vector};
use wayfare_core::DVec3;

/// Rounds at most; each is linear in the polygons.
const ROUNDS: usize = 400;
/// Distances up to this, relative to the coordinates, come from rounding.
const ROUNDING: f64 = 1e-12;
/// A round that shortens the path by less than this share ends it.
pub(crate) const ENOUGH: f64 = 1e-10;

/// The same among boxes, where most paths are asked for: they get no shorter by a millionth with the above.
pub(crate) const ENOUGH_AMONG_BOXES: f64 = 1e-8;

/// A convex polygon with what is asked of it often.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) points: Vec<DVec3>,
    normal: DVec3,
    edges: Vec<Edge>,
    /// Of a rectangle across an axis, as all portals between boxes are.
    across: Option<Across>,
}

/// A rectangle across an axis: the axis, and its box.
pub(crate) type Across = (usize, [DVec3; 2]);

/// A side of a gate.
#[derive(Clone, Debug)]
struct Edge {
    /// Across the gate's plane, pointing outwards.
    rim: Plane,
    from: DVec3,
    /// Of length 1.
    along: DVec3,
    length: f64,
}

impl Gate {
    pub(crate) fn new(points: Vec<DVec3>) -> Self {
        let normal = area_vector(&points).normalize_or_zero();
        let edge = |(k, &from): (usize, &DVec3)| {
            let to = points[(k + 1) % points.len()];
            let length = from.distance(to);
            let along = (to - from).try_normalize()?;
            let out = along.cross(normal);
            Some(Edge { rim: Plane { normal: out, offset: out.dot(from) }, from, along, length })
        };
        let edges = points.iter().enumerate().filter_map(edge).collect();
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let is_corner = |p: &DVec3| (p.cmpeq(low) | p.cmpeq(high)).all();
        let axis = (0..3).find(|&axis| low[axis] == high[axis]);
        let across = axis.filter(|_| points.len() == 4 && points.iter().all(is_corner));
        Self { normal, edges, points, across: across.map(|axis| (axis, [low, high])) }
    }

    /// The rectangle that it is, if it lies across an axis.
    pub(crate) fn across(&self) -> Option<Across> {
        self.across
    }

    /// The point of the polygon through which the way from `p` to `q` is shortest, and how far the straight way misses it [m]; 0
    /// if it does not.
    #[inline]
    pub(crate) fn best(&self, p: DVec3, q: DVec3) -> (DVec3, f64) {
        match self.across {
            Some((axis, corners)) => best_across(axis, corners, p, q),
            None => self.best_of_all(p, q),
        }
    }

    fn best_of_all(&self, p: DVec3, q: DVec3) -> (DVec3, f64) {
        let first = self.points[0];
        let (dp, dq) = ((p - first).dot(self.normal), (q - first).dot(self.normal));
        // Where both are on one side the way is folded at the plane.
        let other = if dp * dq > 0.0 { q - self.normal * (2.0 * dq) } else { q };
        let (hp, hq) = (dp.abs(), dq.abs());
        let straight = if hp + hq > 0.0 { p + (other - p) * (hp / (hp + hq)) } else { p };
        let slack = ROUNDING * (1.0 + straight.abs().max_element());
        let mut missed = if dp * dq > 0.0 { hp.min(hq) } else { 0.0 };
        if missed <= slack {
            missed = 0.0;
        }
        let mut best = (f64::INFINITY, straight);
        for edge in &self.edges {
            let beyond = edge.rim.distance(straight);
            if beyond <= slack {
                continue;
            }
            missed = missed.max(beyond);
            // The way is a convex function of the place: it is least on an edge beyond which the straight one lies.
            let (tp, tq) = ((p - edge.from).dot(edge.along), (q - edge.from).dot(edge.along));
            let op = (p - edge.from - edge.along * tp).length();
            let oq = (q - edge.from - edge.along * tq).length();
            let t = if op + oq > 0.0 { tp + (tq - tp) * (op / (op + oq)) } else { tp };
            let x = edge.from + edge.along * t.clamp(0.0, edge.length);
            let way = p.distance(x) + x.distance(q);
            if way < best.0 {
                best = (way, x);
            }
        }
        (best.1, missed)
    }
}

/// Whether it is seen at once that the straight line from `p` to `q` passes a rectangle.
#[inline]
pub(crate) fn is_passed((axis, corners): &Across, p: DVec3, q: DVec3) -> bool {
    match axis {
        0 => is_passed_across::<0, 1, 2>(corners, p, q),
        1 => is_passed_across::<1, 2, 0>(corners, p, q),
        _ => is_passed_across::<2, 0, 1>(corners, p, q),
    }
}

#[inline(always)]
fn is_passed_across<const AXIS: usize, const ONE: usize, const TWO: usize>(
    [low, high]: &[DVec3; 2],
    p: DVec3,
    q: DVec3,
) -> bool {
    let (from, to) = (p[AXIS] - low[AXIS], q[AXIS] - low[AXIS]);
    if from * to >= 0.0 {
        return false;
    }
    let share = from / (from - to);
    let one = p[ONE] + (q[ONE] - p[ONE]) * share;
    let two = p[TWO] + (q[TWO] - p[TWO]) * share;
    (low[ONE] <= one) & (one <= high[ONE]) & (low[TWO] <= two) & (two <= high[TWO])
}

/// [`Gate::best`] of a rectangle across an axis, coordinate by coordinate.
#[inline]
pub(crate) fn best_across(axis: usize, corners: [DVec3; 2], p: DVec3, q: DVec3) -> (DVec3, f64) {
    // What most searches do most often: the compiler knows the coordinates.
    match axis {
        0 => best_across_axis::<0, 1, 2>(corners, p, q),
        1 => best_across_axis::<1, 2, 0>(corners, p, q),
        _ => best_across_axis::<2, 0, 1>(corners, p, q),
    }
}

#[inline]
fn best_across_axis<const AXIS: usize, const ONE: usize, const TWO: usize>(
    corners: [DVec3; 2],
    p: DVec3,
    q: DVec3,
) -> (DVec3, f64) {
    let (low, high) = (corners[0].to_array(), corners[1].to_array());
    let (p, q) = (p.to_array(), q.to_array());
    let (dp, dq) = (p[AXIS] - low[AXIS], q[AXIS] - low[AXIS]);
    let (hp, hq) = (dp.abs(), dq.abs());
    let share = if hp + hq > 0.0 { hp / (hp + hq) } else { 0.0 };
    let mut x = low;
    x[ONE] = p[ONE] + (q[ONE] - p[ONE]) * share;
    x[TWO] = p[TWO] + (q[TWO] - p[TWO]) * share;
    let slack = ROUNDING * (1.0 + larger(larger(x[0].abs(), x[1].abs()), x[2].abs()));
    let mut missed = if dp * dq > 0.0 { smaller(hp, hq) } else { 0.0 };
    if missed <= slack {
        missed = 0.0;
    }
    let rims = [between(x[ONE], low[ONE], high[ONE]), between(x[TWO], low[TWO], high[TWO])];
    let beyond = [(x[ONE] - rims[0]).abs(), (x[TWO] - rims[1]).abs()];
    // Where the way passes an edge at `rim` of one side, and its distances from the edge's line.
    let along = |side: usize, other: usize, rim: f64| {
        let (op, oq) = ((dp * dp + square(p[side] - rim)).sqrt(), (dq * dq + square(q[side] - rim)).sqrt());
        let t = if op + oq > 0.0 { p[other] + (q[other] - p[other]) * (op / (op + oq)) } else { p[other] };
        (t, op, oq)
    };
    let kept = |other: usize, t: f64| between(t, low[other], high[other]);
    let way = |other: usize, (t, op, oq): (f64, f64, f64)| {
        (op * op + square(p[other] - t)).sqrt() + (oq * oq + square(q[other] - t)).sqrt()
    };
    match [beyond[0] > slack, beyond[1] > slack] {
        [false, false] => {}
        [true, false] => (x[ONE], x[TWO]) = (rims[0], kept(TWO, along(ONE, TWO, rims[0]).0)),
        [false, true] => (x[ONE], x[TWO]) = (kept(ONE, along(TWO, ONE, rims[1]).0), rims[1]),
        [true, true] => {
            // What is best on the line of an edge and lies on the edge is best of all.
            let one = along(ONE, TWO, rims[0]);
            let t = kept(TWO, one.0);
            (x[ONE], x[TWO]) = (rims[0], t);
            if t != one.0 {
                let two = along(TWO, ONE, rims[1]);
                let s = kept(ONE, two.0);
                if s == two.0 || way(ONE, (s, two.1, two.2)) < way(TWO, (t, one.1, one.2)) {
                    (x[ONE], x[TWO]) = (s, rims[1]);
                }
            }
        }
    }
    let beyond = larger(beyond[0], beyond[1]);
    if beyond > slack {
        missed = larger(missed, beyond);
    }
    (DVec3::from_array(x), missed)
}

/// The larger one, of numbers that are numbers: one instruction, where [`f64::max`] looks for others first.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline]
fn between(x: f64, low: f64, high: f64) -> f64 {
    smaller(larger(x, low), high)
}

#[inline]
fn square(x: f64) -> f64 {
    x * x
}

/// A path through gates.
#[derive(Clone, Debug)]
pub(crate) struct Taut {
    pub(crate) length: f64,
    /// Where it bends, in the order of the gates.
    pub(crate) bends: Vec<Bend>,
}

impl Taut {
    /// A point of the path in each gate.
    pub(crate) fn crossings<G: std::borrow::Borrow<Gate>>(
        &self,
        from: DVec3,
        gates: &[G],
        to: DVec3,
    ) -> Vec<DVec3> {
        let mut ahead = self.bends.iter().peekable();
        let mut p = from;
        let crossing = |(number, gate): (usize, &G)| {
            if let Some(&(_, at)) = ahead.next_if(|bend| bend.0 == number) {
                p = at;
                return at;
            }
            gate.borrow().best(p, ahead.peek().map_or(to, |bend| bend.1)).0
        };
        gates.iter().enumerate().map(crossing).collect()
    }

    /// The whole path.
    pub(crate) fn points(&self, from: DVec3, to: DVec3) -> Vec<DVec3> {
        let bends = self.bends.iter().map(|bend| bend.1);
        std::iter::once(from).chain(bends).chain([to]).collect()
    }
}

/// A gate at which a path bends, and where.
pub(crate) type Bend = (usize, DVec3);

/// What a path is pulled through.
pub(crate) trait Opening {
    /// As [`Gate::best`].
    fn best(&self, p: DVec3, q: DVec3) -> (DVec3, f64);
    /// Whether it is seen at once that a straight line passes; what most gates are asked most often.
    fn is_passed(&self, p: DVec3, q: DVec3) -> bool;
}

impl<G: std::borrow::Borrow<Gate>> Opening for G {
    #[inline]
    fn best(&self, p: DVec3, q: DVec3) -> (DVec3, f64) {
        self.borrow().best(p, q)
    }
    #[inline]
    fn is_passed(&self, p: DVec3, q: DVec3) -> bool {
        self.borrow().across.as_ref().is_some_and(|across| is_passed(across, p, q))
    }
}

impl Opening for Across {
    #[inline]
    fn best(&self, p: DVec3, q: DVec3) -> (DVec3, f64) {
        best_across(self.0, self.1, p, q)
    }
    #[inline]
    fn is_passed(&self, p: DVec3, q: DVec3) -> bool {
        is_passed(self, p, q)
    }
}

/// The shortest path from `from` through all gates to `to`.
#[cfg(test)]
pub(crate) fn pull<G: Opening>(from: DVec3, gates: &[G], to: DVec3) -> Taut {
    pull_on(from, gates, to, Vec::new())
}

/// The same, from a path that bends about there; the more it is like the shortest, the quicker.
#[cfg(test)]
pub(crate) fn pull_on<G: Opening>(from: DVec3, gates: &[G], to: DVec3, bends: Vec<Bend>) -> Taut {
    pull_to(ENOUGH, from, gates, to, bends)
}

/// The shortest path from one that bends about there, until a round shortens it by less than a share of its length.
pub(crate) fn pull_to<G: Opening>(
    enough: f64,
    from: DVec3,
    gates: &[G],
    to: DVec3,
    mut bends: Vec<Bend>,
) -> Taut {
    let mut length = f64::INFINITY;
    let mut added = Vec::new();
    for _ in 0..ROUNDS {
        let is_new = bend_at_missed(from, &mut bends, gates, to, &mut added);
        relax(from, &mut bends, gates, to);
        let now = measure(from, &bends, to);
        let gain = length - now;
        length = now;
        if !is_new && gain <= enough * (1.0 + now) {
            break;
        }
    }
    // The last moves were small, but straight parts must not miss anything.
    while bend_at_missed(from, &mut bends, gates, to, &mut added) {}
    let length = measure(from, &bends, to);
    Taut { length, bends }
}

/// About the shortest path, which will be changed yet: straight parts may miss gates by a little.
pub(crate) fn pull_roughly<G: Opening>(from: DVec3, gates: &[G], to: DVec3, mut bends: Vec<Bend>) -> Taut {
    let mut added = Vec::new();
    for _ in 0..ROUNDS {
        let is_new = bend_at_missed(from, &mut bends, gates, to, &mut added);
        relax(from, &mut bends, gates, to);
        if !is_new {
            break;
        }
    }
    let length = measure(from, &bends, to);
    Taut { length, bends }
}

/// Each bend where it is best between its neighbours, forth, where those that are straight go, and back.
fn relax<G: Opening>(from: DVec3, bends: &mut Vec<Bend>, gates: &[G], to: DVec3) {
    let mut kept = 0;
    for k in 0..bends.len() {
        let p = if kept == 0 { from } else { bends[kept - 1].1 };
        let q = bends.get(k + 1).map_or(to, |bend| bend.1);
        let (x, missed) = gates[bends[k].0].best(p, q);
        if missed > 0.0 {
            bends[kept] = (bends[k].0, x);
            kept += 1;
        }
    }
    bends.truncate(kept);
    for k in (0..bends.len().saturating_sub(1)).rev() {
        let p = if k == 0 { from } else { bends[k - 1].1 };
        bends[k].1 = gates[bends[k].0].best(p, bends[k + 1].1).0;
    }
}

/// Gates that straight parts miss become bends: the one with the longest way, of each part. Whether there were any.
fn bend_at_missed<G: Opening>(
    from: DVec3,
    bends: &mut Vec<Bend>,
    gates: &[G],
    to: DVec3,
    added: &mut Vec<Bend>,
) -> bool {
    added.clear();
    for k in 0..=bends.len() {
        let (first, p) = if k == 0 { (0, from) } else { (bends[k - 1].0 + 1, bends[k - 1].1) };
        let (last, q) = bends.get(k).map_or((gates.len(), to), |&(gate, x)| (gate, x));
        let mut worst: Option<(f64, f64, Bend)> = None;
        for (gate, own) in gates.iter().enumerate().take(last).skip(first) {
            if own.is_passed(p, q) {
                continue;
            }
            let (x, missed) = own.best(p, q);
            if missed > 0.0 {
                let way = p.distance(x) + x.distance(q);
                if worst.is_none_or(|(other, off, _)| way > other || way == other && missed > off) {
                    worst = Some((way, missed, (gate, x)));
                }
            }
        }
        added.extend(worst.map(|worst| worst.2));
    }
    let is_new = !added.is_empty();
    if is_new {
        bends.extend_from_slice(added);
        bends.sort_unstable_by_key(|bend| bend.0);
    }
    is_new
}

fn measure(from: DVec3, bends: &[(usize, DVec3)], to: DVec3) -> f64 {
    let mut at = from;
    let mut sum = 0.0;
    for &(_, x) in bends {
        sum += at.distance(x);
        at = x;
    }
    sum + at.distance(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec3;

    #[test]
    fn a_path_round_the_edge_of_a_window_bends_there() {
        let window =
            Gate::new(vec![dvec3(0., 1., 0.), dvec3(0., 2., 0.), dvec3(0., 2., 1.), dvec3(0., 1., 1.)]);
        let taut = pull(dvec3(-1., 0., 0.5), std::slice::from_ref(&window), dvec3(1., 0., 0.5));
        assert!((taut.length - 2.0 * 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(taut.bends.iter().map(|bend| bend.0).collect::<Vec<_>>(), [0]);
        let through = pull(dvec3(-1., 1.5, 0.5), std::slice::from_ref(&window), dvec3(1., 1.5, 0.5));
        assert!(through.bends.is_empty() && (through.length - 2.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn a_rectangle_across_an_axis_is_passed_as_any_polygon_is(
            p in (-2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64),
            q in (-2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64),
            axis in 0usize..3,
        ) {
            let turn = |x: f64, y: f64, z: f64| match axis {
                0 => dvec3(x, y, z),
                1 => dvec3(z, x, y),
                _ => dvec3(y, z, x),
            };
            let gate = Gate::new(vec![turn(0., -1., -0.5), turn(0., 1., -0.5), turn(0., 1., 0.5), turn(0., -1., 0.5)]);
            let (p, q) = (dvec3(p.0, p.1, p.2), dvec3(q.0, q.1, q.2));
            prop_assert!(gate.across.is_some());
            let ((x, missed), (y, other)) = (gate.best(p, q), gate.best_of_all(p, q));
            prop_assert!((missed - other).abs() < 1e-9, "{missed} and {other}");
            let way = |x: DVec3| p.distance(x) + x.distance(q);
            prop_assert!((way(x) - way(y)).abs() < 1e-9, "{x} and {y}");
        }

        #[test]
        fn a_path_is_as_long_wherever_pulling_begins(
            offsets in prop::collection::vec((-3.0..3.0f64, -3.0..3.0f64, 0.2..2.0f64, any::<bool>()), 1..12)
        ) {
            let square = |(k, &(y, z, size, _)): (usize, &(f64, f64, f64, bool))| {
                let x = k as f64 + 1.0;
                Gate::new(vec![dvec3(x, y, z), dvec3(x, y + size, z), dvec3(x, y + size, z + size), dvec3(x, y, z + size)])
            };
            let gates: Vec<Gate> = offsets.iter().enumerate().map(square).collect();
            let (from, to) = (DVec3::ZERO, dvec3(gates.len() as f64 + 1.0, 0.0, 0.0));
            let bends = offsets.iter().enumerate().filter(|(_, gate)| gate.3);
            let bends = bends.map(|(k, _)| (k, gates[k].points[0])).collect();
            let (afresh, on) = (pull(from, &gates, to).length, pull_on(from, &gates, to, bends).length);
            prop_assert!((afresh - on).abs() < 1e-6 * afresh, "{afresh} and {on}");
        }

        #[test]
        fn no_crossing_can_be_moved_to_shorten_the_path(offsets in prop::collection::vec((-3.0..3.0f64, -3.0..3.0f64, 0.2..2.0f64), 1..12)) {
            let gates: Vec<Gate> = offsets.iter().enumerate().map(|(k, &(y, z, size))| {
                let x = k as f64 + 1.0;
                Gate::new(vec![dvec3(x, y, z), dvec3(x + 0.3, y + size, z), dvec3(x + 0.3, y + size, z + size), dvec3(x, y, z + size)])
            }).collect();
            let (from, to) = (dvec3(0., 0., 0.), dvec3(gates.len() as f64 + 1.5, 0., 0.));
            let taut = pull(from, &gates, to);
            // Plain descent, many rounds, from the middles.
            let mut x: Vec<DVec3> = gates.iter().map(|gate| crate::polygon::middle(&gate.points)).collect();
            for _ in 0..3000 {
                for k in 0..x.len() {
                    let p = if k == 0 { from } else { x[k - 1] };
                    let q = if k + 1 == x.len() { to } else { x[k + 1] };
                    x[k] = gates[k].best(p, q).0;
                }
            }
            let points: Vec<DVec3> = std::iter::once(from).chain(x).chain([to]).collect();
            let plain: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            prop_assert!(taut.length <= plain + 1e-6, "{} against {}", taut.length, plain);
            let crossings = taut.crossings(from, &gates, to);
            let points: Vec<DVec3> = std::iter::once(from).chain(crossings).chain([to]).collect();
            let sum: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            prop_assert!((sum - taut.length).abs() < 1e-6);
        }
    }
}
