//! Closed rings with fewer points, which cross and touch nothing that they did not before.
//!
//! Idea: simplify every ring by distance alone, see what went wrong, give the chords at fault the point back
//!   that they miss most, and look again. This ends, for with all points back nothing is wrong.
//! Source: Ramer 1972 and Douglas and Peucker 1973 for the distance. That a simplification is sound if nothing
//!   lies between a chain and its chord: Saalfeld 1999, "Topologically consistent line simplification with
//!   the Douglas-Peucker algorithm".
//! Steps: 1. points that touch something are kept for good, and two far points of every ring  2. drop points
//!   between them  3. sweep: chords that cross, overlap or touch anew are at fault  4. so are those of a ring
//!   that has lost its area or turned round  5. and chords that jumped over another ring  6. refine those and
//!   repeat from 3.
//! Needs: rings that do not cross (they may touch in points). Of others it only promises to end.
//! Promises: no point dropped farther than the tolerance from its chord; no new crossing or touching; every
//!   ring keeps at least three points, its direction, and the rings inside it.
//! Cost: O(n log n) per round for n points left; rooms and outlines need a handful of rounds. Deterministic.

use super::{farthest, keep_between, winds_round};
use crate::{
    Aabb2,
    segment_grid::SegmentGrid,
    validate::{RingSet, SweepReport, Touch, ring_direction, sweep_order, sweep_rings},
};
use std::cmp::Ordering;
use wayfare_core::DVec2;

/// The rings with only those points that are needed to stay within `tolerance` [m] of every point left out,
/// and to keep apart what was apart; see the module's text. Points keep their order; repeated ones go. Rings of
/// fewer than three different points, and all rings if the tolerance is negative or no number, stay as they are.
pub fn simplify_rings(rings: &[Vec<DVec2>], tolerance: f64) -> Vec<Vec<DVec2>> {
    let mut result = rings.to_vec();
    if tolerance.is_nan() || tolerance < 0.0 {
        return result;
    }
    for ring in &mut result {
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
    }
    let usable: Vec<usize> = (0..rings.len()).filter(|&ring| result[ring].len() >= 3).collect();
    let mut work = Work::new(usable.iter().map(|&ring| result[ring].as_slice()), tolerance);
    work.anchor();
    while work.refine() {}
    for (number, &ring) in usable.iter().enumerate() {
        result[ring] = work.kept(number);
    }
    for (ring, original) in result.iter_mut().zip(rings) {
        if ring.len() < 3 {
            ring.clone_from(original);
        }
    }
    result
}

/// The rings as closed chains, one after the other: each begins and ends with its least point.
struct Work {
    tolerance: f64,
    points: Vec<DVec2>,
    keep: Vec<bool>,
    /// Where each chain starts; one more than rings.
    starts: Vec<usize>,
    /// How far each ring was turned to begin with its least point.
    turned: Vec<usize>,
    directions: Vec<Ordering>,
    /// Touches that were there from the beginning.
    touches: Vec<Vec<usize>>,
    stack: Vec<(usize, usize)>,
}

/// The points kept now, as rings, and where they lie in the chains.
struct Kept {
    rings: RingSet,
    at: Vec<usize>,
}

impl Work {
    fn new<'a>(rings: impl Iterator<Item = &'a [DVec2]>, tolerance: f64) -> Self {
        let mut work = Self {
            tolerance,
            points: Vec::new(),
            keep: Vec::new(),
            starts: vec![0],
            turned: Vec::new(),
            directions: Vec::new(),
            touches: Vec::new(),
            stack: Vec::new(),
        };
        for ring in rings {
            let least = (0..ring.len()).min_by(|&a, &b| sweep_order(ring[a], ring[b])).unwrap_or(0);
            work.points.extend_from_slice(&ring[least..]);
            work.points.extend_from_slice(&ring[..=least]);
            work.starts.push(work.points.len());
            work.turned.push(least);
            work.directions.push(ring_direction(ring));
        }
        work.keep = vec![true; work.points.len()];
        work
    }

    /// Steps 1 and 2.
    fn anchor(&mut self) {
        let all = self.all_kept();
        let report = sweep_rings(&all.rings);
        let mut keep = vec![false; self.points.len()];
        let mut keep_edge = |edge: u32| {
            let at = all.at[edge as usize];
            (keep[at], keep[at + 1]) = (true, true);
        };
        for conflict in &report.conflicts {
            conflict.edges.into_iter().for_each(&mut keep_edge);
        }
        for touch in &report.touches {
            touch.edge.into_iter().for_each(&mut keep_edge);
        }
        for &vertex in report.touches.iter().flat_map(|touch| &touch.vertices) {
            keep[all.at[vertex as usize]] = true;
        }
        self.touches = report.touches.iter().map(|touch| all.name(touch)).collect();
        self.touches.sort_unstable();
        self.keep = keep;
        for ring in 0..self.turned.len() {
            let (first, last) = (self.starts[ring], self.starts[ring + 1] - 1);
            // The two ends of a chain are one point, so that the farthest from it is kept as well.
            (self.keep[first], self.keep[last]) = (true, true);
            let mut from = first;
            for to in first + 1..=last {
                if self.keep[to] {
                    keep_between(&self.points, from, to, self.tolerance, &mut self.keep, &mut self.stack);
                    from = to;
                }
            }
        }
    }

    /// Steps 3 to 6; false if nothing was at fault.
    fn refine(&mut self) -> bool {
        let kept = self.all_kept();
        let mut faults: Vec<usize> = Vec::new();
        // 3. What the sweep says. The crossing of two passes at a vertex is named by the edges that leave it.
        let report = sweep_rings(&kept.rings);
        let points = kept.rings.points();
        for conflict in &report.conflicts {
            for edge in conflict.edges.map(|edge| edge as usize) {
                faults.push(edge);
                if points[edge] == conflict.at {
                    faults.push(kept.before(edge));
                }
            }
        }
        for touch in &report.touches {
            if self.touches.binary_search(&kept.name(touch)).is_err() {
                for vertex in touch.vertices.iter().map(|&vertex| vertex as usize) {
                    faults.extend([vertex, kept.before(vertex)]);
                }
                faults.extend(touch.edge.map(|edge| edge as usize));
            }
        }
        // 4. Rings by themselves.
        for ring in 0..kept.rings.len() {
            let corners = kept.rings.ring(ring);
            if corners.len() < 3 || ring_direction(corners) != self.directions[ring] {
                faults.extend(kept.rings.range(ring));
            }
        }
        // 5. Only where nothing crosses is it clear what lies on which side; what crosses for good is passed over.
        if self.give_back(&kept, faults) {
            return true;
        }
        let jumps = self.find_jumps(&kept, &report);
        self.give_back(&kept, jumps)
    }

    /// Step 6: each chord gets its farthest point back, and what is then needed on both sides of it; false if
    /// none had one to get.
    fn give_back(&mut self, kept: &Kept, mut chords: Vec<usize>) -> bool {
        chords.sort_unstable();
        chords.dedup();
        let mut is_changed = false;
        for chord in chords {
            let (from, to) = (kept.at[chord], self.end_of(kept.at[chord]));
            if let Some((_, middle)) = farthest(&self.points, from, to) {
                self.keep[middle] = true;
                for (from, to) in [(from, middle), (middle, to)] {
                    keep_between(&self.points, from, to, self.tolerance, &mut self.keep, &mut self.stack);
                }
                is_changed = true;
            }
        }
        is_changed
    }

    /// Chords that have another ring between themselves and what they stand for. The points within the
    /// tolerance of a chord are a convex set that holds its chain, so that such a ring lies near it.
    fn find_jumps(&self, kept: &Kept, report: &SweepReport) -> Vec<usize> {
        let mut jumps = Vec::new();
        if kept.rings.len() < 2 {
            return jumps;
        }
        let mut touches = vec![false; kept.at.len()];
        for &vertex in report.touches.iter().flat_map(|touch| &touch.vertices) {
            touches[vertex as usize] = true;
        }
        let chord = |edge: usize| [kept.at[edge], self.end_of(kept.at[edge])];
        let long: Vec<usize> = (0..kept.at.len()).filter(|&k| chord(k)[1] > chord(k)[0] + 1).collect();
        let grid = SegmentGrid::build(long.iter().map(|&k| chord(k).map(|at| self.points[at])).collect());
        for ring in 0..kept.rings.len() {
            // A point that touches nothing lies on one side of everything.
            let mut range = kept.rings.range(ring);
            let start = range.start;
            let p = kept.rings.points()[range.find(|&k| !touches[k]).unwrap_or(start)];
            grid.visit_box(Aabb2 { min: p - self.tolerance, max: p + self.tolerance }, |k| {
                let edge = long[k as usize];
                let [from, to] = chord(edge);
                let is_own = (self.starts[ring]..self.starts[ring + 1]).contains(&from);
                if !is_own && winds_round(&self.points[from..=to], p) {
                    jumps.push(edge);
                }
            });
        }
        jumps
    }

    /// The next point kept in the chain.
    fn end_of(&self, from: usize) -> usize {
        from + 1 + self.keep[from + 1..].iter().position(|&keep| keep).unwrap_or(0)
    }

    fn all_kept(&self) -> Kept {
        let mut kept = Kept { rings: RingSet::new(), at: Vec::new() };
        for ring in self.starts.windows(2) {
            let first = kept.at.len();
            kept.at.extend((ring[0]..ring[1] - 1).filter(|&k| self.keep[k]));
            kept.rings.push(kept.at[first..].iter().map(|&k| self.points[k]));
        }
        kept
    }

    /// The points kept of a ring, in the order of the input.
    fn kept(&self, ring: usize) -> Vec<DVec2> {
        let chain = self.starts[ring]..self.starts[ring + 1] - 1;
        // Back to the first point of the input.
        let head = chain.end - self.turned[ring];
        (head..chain.end).chain(chain.start..head).filter(|&k| self.keep[k]).map(|k| self.points[k]).collect()
    }
}

impl Kept {
    /// The edge before an edge.
    fn before(&self, edge: usize) -> usize {
        let range = self.rings.range(self.rings.ring_of(edge));
        if edge == range.start { range.end - 1 } else { edge - 1 }
    }
    /// A touch by the places in the chains of its vertices and of the edge, if there is one.
    fn name(&self, touch: &Touch) -> Vec<usize> {
        let edge = touch.edge.map_or(usize::MAX, |edge| self.at[edge as usize]);
        touch.vertices.iter().map(|&vertex| self.at[vertex as usize]).chain([edge]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn ring(points: &[(f64, f64)]) -> Vec<DVec2> {
        points.iter().map(|&(x, y)| dvec2(x, y)).collect()
    }

    #[test]
    fn a_wall_does_not_jump_over_a_pillar_or_onto_it() {
        // A bay in the upper wall with a pillar in it: straightened, the wall would leave the pillar outside.
        let bay = [(0., 0.), (9., 0.), (9., 4.), (6., 4.), (5.5, 5.), (3.5, 5.), (3., 4.), (0., 4.)];
        let pillar = [(4., 4.4), (4., 4.6), (5., 4.6), (5., 4.4)];
        let alone = simplify_rings(&[ring(&bay)], 1.0);
        assert_eq!(alone, [ring(&[(0., 0.), (9., 0.), (9., 4.), (0., 4.)])]);
        let both = simplify_rings(&[ring(&bay), ring(&pillar)], 1.0);
        assert!(both[0].len() > 4 && both[1].len() >= 3, "{both:?}");
        assert!(both[0].contains(&dvec2(3.5, 5.)) || both[0].contains(&dvec2(5.5, 5.)));
    }

    #[test]
    fn nor_where_the_wall_crosses_itself_elsewhere() {
        // The same with a loop at the lower left, through (1, 0) twice and across; no point given back mends it.
        let bay =
            [(9., 4.), (6., 4.), (5.5, 5.), (3.5, 5.), (3., 4.), (0., 4.), (0., 1.), (1., 0.), (2., -1.)];
        let mut wall = ring(&bay);
        wall.extend(ring(&[(0., -1.), (1., 0.), (9., 0.)]));
        let pillar = [(4., 4.4), (4., 4.6), (5., 4.6), (5., 4.4)];
        let both = simplify_rings(&[wall, ring(&pillar)], 1.0);
        assert!(both[0].contains(&dvec2(3.5, 5.)) || both[0].contains(&dvec2(5.5, 5.)), "{both:?}");
    }

    #[test]
    fn a_thin_ring_keeps_three_points_and_its_direction() {
        // A crescent, both arcs within the tolerance of the line between its tips.
        let crescent = [(0., 0.), (5., 0.8), (10., 0.), (6., 0.5), (5., 0.6), (4., 0.5)];
        for turn in 0..6 {
            let mut crescent = ring(&crescent);
            crescent.rotate_left(turn);
            let kept = &simplify_rings(&[crescent.clone()], 2.0)[0];
            assert!(kept.len() >= 3);
            assert_eq!(ring_direction(kept), ring_direction(&crescent));
            let first = crescent.iter().position(|p| *p == kept[0]).unwrap();
            assert!(crescent[..first].iter().all(|p| !kept.contains(p)), "the order is that of the input");
        }
    }

    #[test]
    fn rings_that_touch_stay_as_they_touch() {
        let (a, b) =
            ([(0., 0.), (2., 0.1), (4., 0.), (4., 4.), (2., 4.), (0., 4.)], [(2., 4.), (3., 5.), (1., 5.)]);
        let kept = simplify_rings(&[ring(&a), ring(&b)], 0.2);
        assert_eq!(kept, [ring(&[(0., 0.), (4., 0.), (4., 4.), (2., 4.), (0., 4.)]), ring(&b)]);
    }

    #[test]
    fn what_cannot_be_simplified_stays_and_nothing_panics() {
        let odd = vec![vec![], ring(&[(1., 1.)]), ring(&[(1., 1.), (2., 2.)]), vec![DVec2::ONE; 5]];
        assert_eq!(simplify_rings(&odd, 1.0), odd);
        let square = vec![ring(&[(0., 0.), (1., 0.), (1., 1.), (0., 1.), (0., 0.)])];
        assert!((3..=4).contains(&simplify_rings(&square, 9.0)[0].len()));
        assert_eq!(simplify_rings(&square, f64::NAN), square);
        let crossing =
            ring(&[(0., 0.), (2., 2.), (4., 0.), (4., 4.), (2., 2.), (0., 4.), (1., 0.), (1., 0.), (0., 4.)]);
        assert!(simplify_rings(&[crossing], 9.0)[0].len() >= 3);
        assert!(simplify_rings(&[ring(&[(0., 0.), (3., 3.), (1., 1.), (2., 2.)])], 9.0)[0].len() >= 3);
    }
}
