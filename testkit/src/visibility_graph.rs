//! Shortest paths by brute force: all corners that see each other.
//!
//! Idea: a shortest path is a chain of straight pieces that bends only at notches (Lozano-Pérez and Wesley
//! 1979, "An algorithm for planning collision-free paths among polyhedral obstacles"). So all pairs of
//! notches are tested once, all distances between them are computed once, and a query tries every first
//! and every last notch.
//! Steps: 1. notches: fans of more than half a turn  2. which of them see each other  3. distances by
//! Floyd and Warshall  4. per query: what start and goal see, and the best pair of these.
//! Only tangent pieces are kept: a piece that does not touch both walls of its notch from one side cannot
//! be part of a shortest path, and leaving it out saves most of the work.
//! Visibility is exact ([`FreeSpace`]); lengths are sums of rounded square roots.
//! Cost: O(n³) to build, O(n²) per query; meant for some hundred points.

use crate::{Rings, free_space::FreeSpace, free_space::Located};
use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;

/// All shortest paths in one plan.
#[derive(Clone, Debug)]
pub struct VisibilityGraph {
    space: FreeSpace,
    /// Fans of the notches.
    notches: Vec<usize>,
    /// Row by row: length of the shortest path from notch to notch, infinite if there is none.
    lengths: Vec<f64>,
    /// Row by row: the notch after the first on that path.
    next: Vec<u32>,
}

/// A shortest path.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortest {
    /// Its length [m].
    pub length: f64,
    /// Start, the notches it bends at, goal.
    pub points: Vec<DVec2>,
}

impl VisibilityGraph {
    /// Looks at all pairs of notches. The rings must pass [`Rings::check`].
    pub fn new(rings: &Rings) -> Self {
        let space = FreeSpace::new(rings);
        let notches: Vec<usize> = (0..space.fans().len()).filter(|&fan| space.is_notch(fan)).collect();
        let count = notches.len();
        let mut graph = Self {
            space,
            notches,
            lengths: vec![f64::INFINITY; count * count],
            next: vec![u32::MAX; count * count],
        };
        for i in 0..count {
            let at = graph.space.in_fan(graph.notches[i]);
            graph.lengths[i * count + i] = 0.0;
            for (j, length) in graph.seen_from(at, i) {
                let tangent_at_i = graph.is_tangent(graph.notches[i], graph.point(j));
                if tangent_at_i {
                    graph.lengths[i * count + j] = length;
                    graph.lengths[j * count + i] = length;
                    graph.next[i * count + j] = j as u32;
                    graph.next[j * count + i] = i as u32;
                }
            }
        }
        graph.close();
        graph
    }

    /// The free space that the paths stay in.
    pub fn space(&self) -> &FreeSpace {
        &self.space
    }

    /// The shortest path, or nothing if there is none or an end lies outside of closed free space. An end on
    /// a point where free space touches itself may use every fan there.
    pub fn shortest(&self, from: DVec2, to: DVec2) -> Option<Shortest> {
        let (start, goal) = (self.space.locate(from), self.space.locate(to));
        if self.space.sees(start, goal) {
            return Some(Shortest { length: from.distance(to), points: vec![from, to] });
        }
        let count = self.notches.len();
        let (firsts, lasts) = (self.seen_from(start, count), self.seen_from(goal, count));
        let mut best = (f64::INFINITY, 0, 0);
        for &(first, before) in &firsts {
            for &(last, after) in &lasts {
                let length = before + self.lengths[first * count + last] + after;
                if length < best.0 {
                    best = (length, first, last);
                }
            }
        }
        let (length, first, last) = best;
        if length == f64::INFINITY {
            return None;
        }
        let mut points = vec![from, self.point(first)];
        let mut at = first;
        while at != last {
            at = self.next[at * count + last] as usize;
            points.push(self.point(at));
        }
        points.push(to);
        points.dedup();
        Some(Shortest { length, points })
    }

    fn point(&self, notch: usize) -> DVec2 {
        self.space.points()[self.space.fans()[self.notches[notch]].at]
    }

    /// The notches before number `end` that are seen from `at` on a line tangent to them, with their
    /// distances.
    fn seen_from(&self, at: Located, end: usize) -> Vec<(usize, f64)> {
        let candidates = self.notches[..end].iter().enumerate();
        let seen = candidates.filter(|&(_, &fan)| {
            self.is_tangent(fan, at.point) && self.space.sees(at, self.space.in_fan(fan))
        });
        seen.map(|(k, _)| (k, at.point.distance(self.point(k)))).collect()
    }

    /// Whether both walls of the fan lie on one side of the line from a point to it.
    fn is_tangent(&self, fan: usize, from: DVec2) -> bool {
        let fan = self.space.fans()[fan];
        let [at, next, previous] = [fan.at, fan.next, fan.previous].map(|p| self.space.points()[p]);
        let (a, b) = (orient(from, at, next), orient(from, at, previous));
        !(a > 0.0 && b < 0.0 || a < 0.0 && b > 0.0)
    }

    /// Step 3: distances between all notches.
    fn close(&mut self) {
        let count = self.notches.len();
        for via in 0..count {
            for from in 0..count {
                let before = self.lengths[from * count + via];
                if before == f64::INFINITY || from == via {
                    continue;
                }
                for to in 0..count {
                    let length = before + self.lengths[via * count + to];
                    if length < self.lengths[from * count + to] {
                        self.lengths[from * count + to] = length;
                        self.next[from * count + to] = self.next[from * count + via];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn graph(rings: &[&[[f64; 2]]]) -> VisibilityGraph {
        let ring = |ring: &&[[f64; 2]]| ring.iter().map(|&[x, y]| dvec2(x, y)).collect();
        VisibilityGraph::new(&Rings { rings: rings.iter().map(ring).collect() })
    }
    fn length(graph: &VisibilityGraph, a: [f64; 2], b: [f64; 2]) -> Option<f64> {
        graph.shortest(a.into(), b.into()).map(|shortest| {
            let sum: f64 = shortest.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            assert!((sum - shortest.length).abs() <= 1e-12 * sum);
            shortest.length
        })
    }
    const ROOM: &[[f64; 2]] = &[[0., 0.], [6., 0.], [6., 6.], [0., 6.]];
    const PILLAR: &[[f64; 2]] = &[[2., 2.], [2., 4.], [4., 4.], [4., 2.]];

    #[test]
    fn the_way_round_a_pillar_is_the_closed_form() {
        let graph = graph(&[ROOM, PILLAR]);
        assert_eq!(length(&graph, [1., 3.], [5., 3.]), Some(2.0 + 2.0 * 2f64.sqrt()));
        assert_eq!(length(&graph, [2., 2.], [4., 4.]), Some(4.0), "corner to corner along two sides");
        assert_eq!(length(&graph, [2., 3.], [4., 3.]), Some(4.0), "wall to wall");
        assert_eq!(length(&graph, [1., 1.], [5., 1.]), Some(4.0));
        assert_eq!(length(&graph, [1., 1.], [3., 3.]), None, "a goal in the pillar");
        let path = graph.shortest(dvec2(1.0, 3.5), dvec2(5.0, 3.5)).unwrap();
        assert_eq!(path.points, [dvec2(1.0, 3.5), dvec2(2., 4.), dvec2(4., 4.), dvec2(5.0, 3.5)]);
    }

    #[test]
    fn a_spiral_takes_every_corner() {
        // A corridor of width 1 that turns round three corners.
        let graph = graph(&[&[
            [0., 0.],
            [5., 0.],
            [5., 5.],
            [1., 5.],
            [1., 2.],
            [3., 2.],
            [3., 3.],
            [2., 3.],
            [2., 4.],
            [4., 4.],
            [4., 1.],
            [0., 1.],
        ]]);
        let expected = 4.0 + 3.0 + 2.0 + 1.0 + 1.0;
        assert!((length(&graph, [0., 1.], [3., 3.]).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn rooms_that_touch_in_a_point_are_not_connected() {
        let graph =
            graph(&[&[[0., 0.], [2., 0.], [2., 2.], [4., 2.], [4., 4.], [2., 4.], [2., 2.], [0., 2.]]]);
        assert_eq!(length(&graph, [1., 1.], [3., 3.]), None);
        assert_eq!(length(&graph, [1., 1.], [2., 2.]), Some(2f64.sqrt()));
        assert_eq!(length(&graph, [2., 2.], [3., 3.]), Some(2f64.sqrt()));
    }

    #[test]
    fn a_path_between_touching_pillars_goes_round_them() {
        let lower = &[[1., 1.], [1., 3.], [3., 3.], [3., 1.]];
        let upper = &[[3., 3.], [3., 5.], [5., 5.], [5., 3.]];
        let graph = graph(&[ROOM, lower, upper]);
        // From the nook above the lower pillar to the nook below the upper one: over (3,5) and (5,5).
        let expected =
            dvec2(2.0, 4.0).distance(dvec2(3., 5.)) + 2.0 + dvec2(4.0, 2.0).distance(dvec2(5., 3.)) + 2.0;
        assert!((length(&graph, [2., 4.], [4., 2.]).unwrap() - expected).abs() < 1e-12);
    }
}
