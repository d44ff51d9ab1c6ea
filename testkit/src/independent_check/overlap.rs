//! Cells of a storey that overlap, and vertices inside edges.
//!
//! Idea: put the boxes of cells into a grid; for cells whose boxes touch, an edge of one that has all of the
//! other on its right keeps them apart. Where there is none, the area they have in common is computed by
//! clipping the triangles of their heights, which were checked to cover them, with each other.

use super::{Exported, distance_from_line};
use std::collections::BTreeSet;
use wayfare_core::DVec2;
use wayfare_geom::{
    Aabb2,
    predicates::{is_between, orient},
    ring_area,
};

pub(super) fn check(mesh: &Exported, split: &BTreeSet<usize>, rounding: f64, defects: &mut Vec<String>) {
    let rings: Vec<Vec<DVec2>> = (0..mesh.cells.len()).map(|cell| mesh.ring(cell)).collect();
    let boxes: Vec<Aabb2> = rings.iter().map(|ring| Aabb2::of_points(ring.iter().copied())).collect();
    let supports: Vec<_> = rings.iter().map(|ring| supporting_edges(ring)).collect();
    for (vertex, edge, cell) in hanging(mesh, split, rounding) {
        defects.push(format!("N3: vertex {vertex} lies inside the edge {edge:?} of cell {cell}"));
    }
    for [a, b] in touching(&boxes, &boxes).into_iter().filter(|[a, b]| a < b) {
        if mesh.storeys[a] != mesh.storeys[b]
            || keeps_apart(&supports[a], &rings[b])
            || keeps_apart(&supports[b], &rings[a])
        {
            continue;
        }
        let common = common_area(&triangles(mesh, a), &triangles(mesh, b));
        let perimeter = |ring: &[DVec2]| -> f64 {
            (0..ring.len()).map(|k| ring[k].distance(ring[(k + 1) % ring.len()])).sum()
        };
        // Rounded points make slivers as wide as the rounding; the area itself is rounded too.
        let limit = rounding * perimeter(&rings[a]).min(perimeter(&rings[b]))
            + 1e-12 * ring_area(&rings[a]).max(ring_area(&rings[b]));
        if common > limit {
            defects.push(format!("overlap: cells {a} and {b} have {common} m² in common"));
        }
    }
}

/// Pairs of a box of one list and a box of another that have a point in common.
fn touching(these: &[Aabb2], those: &[Aabb2]) -> Vec<[usize; 2]> {
    let bounds = these.iter().chain(those).fold(Aabb2::EMPTY, |all, &one| all.union(one));
    let side = (these.len() as f64).sqrt().ceil().max(1.0);
    let step = (bounds.size() / side).max(DVec2::splat(f64::MIN_POSITIVE));
    let place = |p: DVec2| {
        let at = ((p - bounds.min) / step).floor().clamp(DVec2::ZERO, DVec2::splat(side - 1.0));
        [at.x as usize, at.y as usize]
    };
    let reached = |one: &Aabb2| {
        let ([x0, y0], [x1, y1]) = (place(one.min), place(one.max));
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| [x, y]))
    };
    let number = |[x, y]: [usize; 2]| y * side as usize + x;
    let mut buckets = vec![Vec::new(); (side * side) as usize];
    for (a, one) in these.iter().enumerate() {
        reached(one).for_each(|at| buckets[number(at)].push(a));
    }
    let mut pairs = Vec::new();
    for (b, one) in those.iter().enumerate() {
        for at in reached(one) {
            // A pair is taken in the first bucket that both boxes reach.
            let first = |a: usize| place(these[a].min.max(one.min)) == at;
            let here = buckets[number(at)].iter().filter(|&&a| these[a].touches(*one) && first(a));
            pairs.extend(here.map(|&a| [a, b]));
        }
    }
    pairs
}

/// Vertices inside edges of their storey: vertex, edge, and the edge's cell.
fn hanging(mesh: &Exported, split: &BTreeSet<usize>, rounding: f64) -> BTreeSet<(usize, [usize; 2], usize)> {
    let edges: Vec<(usize, [usize; 2])> =
        (0..mesh.cells.len()).flat_map(|cell| mesh.edges(cell).map(move |edge| (cell, edge))).collect();
    // Every corner is the start of an edge.
    let corners: Vec<Aabb2> = edges.iter().map(|&(_, [a, _])| Aabb2::of_points([mesh.xy(a)])).collect();
    let boxes: Vec<Aabb2> =
        edges.iter().map(|&(_, edge)| Aabb2::of_points(edge.map(|v| mesh.xy(v)))).collect();
    let mut found = BTreeSet::new();
    for [corner, edge] in touching(&corners, &boxes) {
        let ((own, [v, _]), (cell, [a, b])) = (edges[corner], edges[edge]);
        let [p, from, to] = [v, a, b].map(|v| mesh.xy(v));
        if mesh.storeys[own] != mesh.storeys[cell] || p == from || p == to || !is_between(from, to, p) {
            continue;
        }
        let is_rounded_onto = split.contains(&v) && distance_from_line(from, to, p) <= rounding;
        if orient(from, to, p) == 0.0 || is_rounded_onto {
            found.insert((v, [a, b], cell));
        }
    }
    found
}

/// The edges of a ring that have all of it on their left; exact. All of them if the ring is convex.
fn supporting_edges(ring: &[DVec2]) -> Vec<[DVec2; 2]> {
    let edges = (0..ring.len()).map(|k| [ring[k], ring[(k + 1) % ring.len()]]);
    edges.filter(|&[a, b]| ring.iter().all(|&p| orient(a, b, p) >= 0.0)).collect()
}

/// Whether one of the edges has all of a ring on its right; exact.
fn keeps_apart(edges: &[[DVec2; 2]], ring: &[DVec2]) -> bool {
    edges.iter().any(|&[a, b]| ring.iter().all(|&p| orient(a, b, p) <= 0.0))
}

/// The triangles of a cell with the boxes round them.
fn triangles(mesh: &Exported, cell: usize) -> Vec<([DVec2; 3], Aabb2)> {
    let points = mesh.heights[cell].iter().map(|triangle| triangle.map(|v| mesh.xy(v)));
    points.map(|triangle| (triangle, Aabb2::of_points(triangle))).collect()
}

/// Area that two sets of triangles have in common.
fn common_area(a: &[([DVec2; 3], Aabb2)], b: &[([DVec2; 3], Aabb2)]) -> f64 {
    let pairs = a.iter().flat_map(|s| b.iter().map(move |t| (s, t)));
    let sides = |[a, b, c]: [DVec2; 3]| [[a, b], [b, c], [c, a]];
    let apart = |s: [DVec2; 3], t: [DVec2; 3]| keeps_apart(&sides(s), &t) || keeps_apart(&sides(t), &s);
    let overlapping = pairs.filter(|(s, t)| s.1.touches(t.1) && !apart(s.0, t.0));
    overlapping.map(|(s, t)| ring_area(&clipped(&s.0, t.0)).max(0.0)).sum()
}

/// The part of a ring inside a left-turning triangle (Sutherland and Hodgman 1974).
fn clipped(ring: &[DVec2], triangle: [DVec2; 3]) -> Vec<DVec2> {
    let mut rest = ring.to_vec();
    for k in 0..3 {
        let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
        let side = |p: DVec2| (b - a).perp_dot(p - a);
        let mut kept = Vec::new();
        for (i, &p) in rest.iter().enumerate() {
            let q = rest[(i + 1) % rest.len()];
            let (sp, sq) = (side(p), side(q));
            if sp >= 0.0 {
                kept.push(p);
            }
            if sp > 0.0 && sq < 0.0 || sp < 0.0 && sq > 0.0 {
                kept.push(p + (q - p) * (sp / (sp - sq)));
            }
        }
        rest = kept;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn the_common_area_of_triangles_is_right() {
        let triangle = |x: f64, y: f64, size: f64| {
            let corners = [dvec2(x, y), dvec2(x + size, y), dvec2(x, y + size)];
            (corners, Aabb2::of_points(corners))
        };
        let common = |a, b| common_area(&[a], &[b]);
        assert_eq!(common(triangle(0., 0., 2.), triangle(0., 0., 1.)), 0.5, "one in the other");
        assert_eq!(common(triangle(0., 0., 2.), triangle(1., 0., 2.)), 0.5, "a corner cut off");
        assert_eq!(common(triangle(0., 0., 2.), triangle(2., 0., 2.)), 0.0, "a corner in common");
        assert_eq!(common(triangle(0., 0., 2.), triangle(1., 1., 2.)), 0.0, "touching along the long side");
    }

    #[test]
    fn boxes_that_touch_are_found_once() {
        let unit = |x: f64, y: f64| Aabb2::of_points([dvec2(x, y), dvec2(x + 1., y + 1.)]);
        let boxes =
            [unit(0., 0.), unit(1., 0.5), unit(9., 9.), unit(0., 1.), Aabb2::of_points([dvec2(5., 5.)])];
        let pairs = touching(&boxes, &boxes).into_iter().filter(|[a, b]| a < b).collect::<BTreeSet<_>>();
        assert_eq!(pairs, BTreeSet::from([[0, 1], [0, 3], [1, 3]]));
        assert_eq!(touching(&boxes, &boxes).len(), 3 * 2 + 5);
    }
}
