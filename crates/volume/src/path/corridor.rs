//! The shortest path through a sequence of convex polygons.
//!
//! Idea: it is straight but where it bends round the rim of a polygon. So only the bends are kept: each lies where the way
//!   between its two neighbours is shortest through its own polygon, which has a closed form; a polygon that a straight part
//!   misses becomes a bend, and a bend that is no longer needed goes.
//! The length is a convex function of the points: what cannot be improved is the shortest path.
//! Cost: few rounds over the bends, and one look at every polygon a round.

use crate::{
    plane::Plane,
    polygon::{area_vector, edge_planes},
};
use wayfare_core::DVec3;

/// Rounds at most; each is linear in the polygons.
const ROUNDS: usize = 400;
/// A round that shortens the path by less than this share ends it.
const ENOUGH: f64 = 1e-10;

/// A convex polygon with what is asked of it often.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) points: Vec<DVec3>,
    normal: DVec3,
    /// Planes through the edges, pointing outwards; the edges as starts, directions and lengths.
    rim: Vec<Plane>,
    edges: Vec<(DVec3, DVec3, f64)>,
}

impl Gate {
    pub(crate) fn new(points: Vec<DVec3>) -> Self {
        let normal = area_vector(&points).normalize_or_zero();
        let rim = edge_planes(&points, normal).collect();
        let edge = |(k, &a): (usize, &DVec3)| {
            let along = points[(k + 1) % points.len()] - a;
            let length = along.length();
            (length > 0.0).then(|| (a, along / length, length))
        };
        let edges = points.iter().enumerate().filter_map(edge).collect();
        Self { normal, rim, edges, points }
    }

    /// The point of the polygon through which the way from `p` to `q` is shortest, and whether the rim makes it bend.
    pub(crate) fn best(&self, p: DVec3, q: DVec3) -> (DVec3, bool) {
        let first = self.points[0];
        let (dp, dq) = ((p - first).dot(self.normal), (q - first).dot(self.normal));
        // Where both are on one side the way is folded at the plane.
        let other = if dp * dq > 0.0 { q - self.normal * (2.0 * dq) } else { q };
        let (hp, hq) = (dp.abs(), dq.abs());
        let straight = if hp + hq > 0.0 { p + (other - p) * (hp / (hp + hq)) } else { p };
        let slack = 1e-12 * (1.0 + straight.abs().max_element());
        if self.rim.iter().all(|edge| edge.distance(straight) <= slack) {
            return (straight, dp * dq > 0.0);
        }
        let mut best = (f64::INFINITY, first);
        for &(a, along, length) in &self.edges {
            let (tp, tq) = ((p - a).dot(along), (q - a).dot(along));
            let (op, oq) = ((p - a - along * tp).length(), (q - a - along * tq).length());
            let t = if op + oq > 0.0 { tp + (tq - tp) * (op / (op + oq)) } else { tp };
            let x = a + along * t.clamp(0.0, length);
            let way = p.distance(x) + x.distance(q);
            if way < best.0 {
                best = (way, x);
            }
        }
        (best.1, true)
    }
}

/// A path through gates: a point in each.
#[derive(Clone, Debug)]
pub(crate) struct Taut {
    pub(crate) length: f64,
    /// A point in each gate.
    pub(crate) crossings: Vec<DVec3>,
    /// Gates at which the path bends, ascending.
    pub(crate) bends: Vec<usize>,
}

/// The shortest path from `from` through all gates to `to`.
pub(crate) fn pull<G: std::borrow::Borrow<Gate>>(from: DVec3, gates: &[G], to: DVec3) -> Taut {
    let at = |k: usize| -> &Gate { gates[k].borrow() };
    let mut bends: Vec<(usize, DVec3)> = Vec::new();
    let mut length = f64::INFINITY;
    for _ in 0..ROUNDS {
        // Polygons that straight parts miss become bends: the one that is missed most, of each part.
        let mut added = Vec::new();
        for k in 0..=bends.len() {
            let (first, p) = if k == 0 { (0, from) } else { (bends[k - 1].0 + 1, bends[k - 1].1) };
            let (last, q) = bends.get(k).map_or((gates.len(), to), |&(gate, x)| (gate, x));
            let worst = (first..last)
                .map(|gate| {
                    let (x, bent) = at(gate).best(p, q);
                    (if bent { p.distance(x) + x.distance(q) - p.distance(q) } else { 0.0 }, gate, x)
                })
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            if let Some((extra, gate, x)) = worst
                && extra > 1e-12 * (1.0 + p.distance(q))
            {
                added.push((gate, x));
            }
        }
        let is_new = !added.is_empty();
        bends.extend(added);
        bends.sort_by_key(|bend| bend.0);
        // Each bend where it is best between its neighbours, forth and back; those that are straight go.
        let count = bends.len();
        for k in (0..count).chain((0..count).rev()) {
            let p = if k == 0 { from } else { bends[k - 1].1 };
            let q = bends.get(k + 1).map_or(to, |bend| bend.1);
            bends[k].1 = at(bends[k].0).best(p, q).0;
        }
        let mut k = 0;
        while k < bends.len() {
            let p = if k == 0 { from } else { bends[k - 1].1 };
            let q = bends.get(k + 1).map_or(to, |bend| bend.1);
            let (x, bent) = at(bends[k].0).best(p, q);
            if bent && p.distance(x) + x.distance(q) - p.distance(q) > 1e-13 * (1.0 + p.distance(q)) {
                bends[k].1 = x;
                k += 1;
            } else {
                bends.remove(k);
            }
        }
        let now = measure(from, &bends, to);
        let gain = length - now;
        length = now;
        if !is_new && gain <= ENOUGH * (1.0 + now) {
            break;
        }
    }
    let mut crossings = Vec::with_capacity(gates.len());
    let mut next = 0;
    let mut p = from;
    for gate in 0..gates.len() {
        if bends.get(next).is_some_and(|bend| bend.0 == gate) {
            p = bends[next].1;
            crossings.push(p);
            next += 1;
        } else {
            let q = bends.get(next).map_or(to, |bend| bend.1);
            crossings.push(at(gate).best(p, q).0);
        }
    }
    Taut { length, crossings, bends: bends.into_iter().map(|bend| bend.0).collect() }
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
        assert_eq!(taut.bends, [0]);
        let through = pull(dvec3(-1., 1.5, 0.5), std::slice::from_ref(&window), dvec3(1., 1.5, 0.5));
        assert!(through.bends.is_empty() && (through.length - 2.0).abs() < 1e-12);
    }

    proptest! {
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
            let points: Vec<DVec3> = std::iter::once(from).chain(taut.crossings).chain([to]).collect();
            let sum: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            prop_assert!((sum - taut.length).abs() < 1e-6);
        }
    }
}
