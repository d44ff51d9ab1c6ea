//! Joins rings that touch, so that every corner is one fan of the area on their left.
//!
//! Idea: where several rings pass through a point, it does not matter which ring an edge came from, only
//! which edges bound the same piece of the area. Coming into the point along an edge, with the area on the
//! left, the piece ends at the first edge met clockwise from where one came; the ring leaves there.
//! Steps: 1. split edges that a vertex lies on  2. sort the ways at each touching point  3. pair them
//!   4. follow the edges into new rings.
//! Needs: rings without conflicts that bound an area on their left (outlines counter-clockwise, holes
//!   clockwise, properly nested). Promises: one ring per boundary of the open area, so that areas that touch
//!   only in points have rings of their own; touching rings have a vertex each at the point.
//! Cost: O(n + t log t) for t passes through touching points; exact.

use super::{
    RingSet, SweepReport, Touch,
    order::{direction_order, is_before},
};
use wayfare_core::DVec2;

/// Rings that were joined or parted at touching points.
#[derive(Clone, Debug, PartialEq)]
pub struct Fans {
    /// The rings, each starting at its vertex with the smallest number in the input.
    pub rings: RingSet,
    /// Points where the ways were paired otherwise than in the input, or an edge was split.
    pub changed: Vec<DVec2>,
}

/// Joins touching rings by fans; `None` if they do not bound an area on their left at some touching point.
pub fn join_touching(rings: &RingSet, sweep: &SweepReport) -> Option<Fans> {
    let mut points = rings.points().to_vec();
    let mut next: Vec<u32> = Vec::with_capacity(points.len());
    for ring in 0..rings.len() {
        let range = rings.range(ring);
        next.extend(range.clone().skip(1).chain(range.clone().take(1)).map(|k| k as u32));
    }
    // 1. New vertices inside edges, those of one edge in a row. Touches are in sweep order.
    let mut splits: Vec<(u32, usize)> = Vec::new();
    for (k, touch) in sweep.touches.iter().enumerate() {
        splits.extend(touch.edge.map(|edge| (edge, k)));
    }
    splits.sort_unstable();
    let place = |touch: &Touch| rings.points()[touch.vertices[0] as usize];
    let mut passes: Vec<Vec<u32>> = sweep.touches.iter().map(|touch| touch.vertices.clone()).collect();
    for run in splits.chunk_by_mut(|a, b| a.0 == b.0) {
        let mut at = run[0].0;
        if is_before(points[next[at as usize] as usize], points[at as usize]) {
            run.reverse();
        }
        for &mut (_, touch) in run {
            let new = points.len() as u32;
            points.push(place(&sweep.touches[touch]));
            next.push(next[at as usize]);
            next[at as usize] = new;
            passes[touch].push(new);
            at = new;
        }
    }
    let mut previous = vec![0u32; points.len()];
    for (k, &after) in next.iter().enumerate() {
        previous[after as usize] = k as u32;
    }
    // 2. and 3. Ways counter-clockwise; after a way out comes the way in that belongs to the same fan.
    let mut changed = Vec::new();
    // New successors are written at the end: other touching points still look along the old edges.
    let mut links: Vec<(u32, u32)> = Vec::new();
    for (passes, touch) in passes.iter().zip(&sweep.touches) {
        let p = place(touch);
        let mut ways: Vec<(DVec2, u32, bool)> = Vec::with_capacity(2 * passes.len());
        for &v in passes {
            ways.push((points[previous[v as usize] as usize], v, false));
            ways.push((points[next[v as usize] as usize], v, true));
        }
        ways.sort_by(|a, b| direction_order(p, a.0, b.0).then(a.2.cmp(&b.2)));
        let mut is_changed = touch.edge.is_some();
        for k in 0..ways.len() {
            let (out, into) = (ways[k], ways[(k + 1) % ways.len()]);
            if out.2 == into.2 {
                return None;
            }
            if out.2 {
                links.push((into.1, next[out.1 as usize]));
                is_changed |= into.1 != out.1;
            }
        }
        if is_changed {
            changed.push(p);
        }
    }
    for (v, after) in links {
        next[v as usize] = after;
    }
    // 4. New rings.
    let mut rings = RingSet::new();
    let mut is_done = vec![false; points.len()];
    for start in 0..points.len() {
        let mut ring = Vec::new();
        let mut at = start;
        while !is_done[at] {
            is_done[at] = true;
            ring.push(points[at]);
            at = next[at] as usize;
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    Some(Fans { rings, changed })
}

#[cfg(test)]
mod tests {
    use super::super::{examine, sweep_rings};
    use super::*;
    use crate::{Polygon, ring_area};
    use wayfare_core::dvec2;

    fn rectangle(x0: i32, y0: i32, x1: i32, y1: i32) -> Vec<DVec2> {
        [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| dvec2(x.into(), y.into())).to_vec()
    }
    fn areas(polygons: &[Polygon]) -> Vec<f64> {
        let found = examine(polygons);
        assert!(found.is_clean());
        let fans = join_touching(&found.rings, &found.sweep).unwrap();
        assert!(sweep_rings(&fans.rings).conflicts.is_empty());
        let mut areas: Vec<f64> = fans.rings.iter().map(ring_area).collect();
        areas.sort_by(f64::total_cmp);
        areas
    }

    #[test]
    fn two_squares_that_touch_in_a_corner_stay_two() {
        let squares = [rectangle(0, 0, 1, 1), rectangle(1, 1, 2, 2)].map(Polygon::new);
        assert_eq!(areas(&squares), [1.0, 1.0]);
        // Also when one ring goes round both.
        let eight = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (1, 2), (1, 1), (0, 1)];
        let eight = eight.map(|(x, y)| dvec2(x.into(), y.into())).to_vec();
        assert_eq!(areas(&[Polygon::new(eight)]), [1.0, 1.0]);
    }

    #[test]
    fn a_hole_that_touches_the_outline_becomes_part_of_it() {
        let diamond = [(0, 2), (1, 3), (2, 2), (1, 1)].map(|(x, y)| dvec2(x.into(), y.into())).to_vec();
        let polygon = Polygon { outer: rectangle(0, 0, 4, 4), holes: vec![diamond] };
        assert_eq!(areas(std::slice::from_ref(&polygon)), [14.0]);
    }

    #[test]
    fn holes_that_touch_two_sides_part_the_area() {
        let diamond = [(0, 2), (2, 3), (4, 2), (2, 1)].map(|(x, y)| dvec2(x.into(), y.into())).to_vec();
        let polygon = Polygon { outer: rectangle(0, 0, 4, 4), holes: vec![diamond] };
        assert_eq!(areas(std::slice::from_ref(&polygon)), [6.0, 6.0]);
        // Two holes in a chain do the same.
        let chain = [[(0, 2), (1, 3), (2, 2), (1, 1)], [(2, 2), (3, 3), (4, 2), (3, 1)]];
        let holes = chain.map(|hole| hole.map(|(x, y)| dvec2(x.into(), y.into())).to_vec()).to_vec();
        assert_eq!(areas(&[Polygon { outer: rectangle(0, 0, 4, 4), holes }]), [6.0, 6.0]);
    }

    #[test]
    fn holes_that_touch_each_other_become_one() {
        let holes = vec![rectangle(1, 1, 2, 2), rectangle(2, 2, 3, 3)];
        assert_eq!(areas(&[Polygon { outer: rectangle(0, 0, 4, 4), holes }]), [-2.0, 16.0]);
    }

    #[test]
    fn an_island_that_touches_its_hole_stays_apart() {
        let polygons = [
            Polygon { outer: rectangle(0, 0, 9, 9), holes: vec![rectangle(1, 1, 8, 8)] },
            Polygon::new([(1, 4), (3, 3), (3, 5)].map(|(x, y)| dvec2(x.into(), y.into())).to_vec()),
        ];
        assert_eq!(areas(&polygons), [-49.0, 2.0, 81.0]);
    }
}
