//! Cells of a storey that overlap, and vertices inside edges.
//!
//! Idea: put the boxes of cells into a grid; for cells whose boxes touch, an edge of one that has all of the
//! other on its right keeps them apart. Where there is none, the area they have in common is computed by
//! clipping, for cells with notches as a sum over signed triangles.

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
    for (vertex, edge, cell) in hanging(mesh, split, rounding) {
        defects.push(format!("N3: vertex {vertex} lies inside the edge {edge:?} of cell {cell}"));
    }
    for [a, b] in touching(&boxes, &boxes).into_iter().filter(|[a, b]| a < b) {
        let [small, large] = if rings[a].len() <= rings[b].len() { [a, b] } else { [b, a] };
        if mesh.storeys[a] != mesh.storeys[b]
            || is_apart(&rings[small], &rings[large])
            || is_apart(&rings[large], &rings[small])
        {
            continue;
        }
        let common = common_area(&rings[a], &rings[b]);
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

/// Whether some edge of a ring has all of another ring on its right; exact.
fn is_apart(ring: &[DVec2], other: &[DVec2]) -> bool {
    (0..ring.len()).any(|k| {
        let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
        // For a ring with notches, an edge keeps it apart only if the ring itself is all on its left.
        let keeps = |p: &DVec2| orient(a, b, *p) >= 0.0;
        other.iter().all(|&p| orient(a, b, p) <= 0.0) && ring.iter().all(keeps)
    })
}

/// Area that two rings have in common.
fn common_area(a: &[DVec2], b: &[DVec2]) -> f64 {
    let mut sum = 0.0;
    for (s, t) in triangles(a).flat_map(|s| triangles(b).map(move |t| (s, t))) {
        let sign = ring_area(&s).signum() * ring_area(&t).signum();
        sum += sign * ring_area(&clipped(&left_turning(s), left_turning(t))).abs();
    }
    sum
}

/// The fan of triangles from a ring's first corner; their signed areas sum up to the ring's.
fn triangles(ring: &[DVec2]) -> impl Iterator<Item = [DVec2; 3]> + '_ {
    ring[1..].windows(2).map(|pair| [ring[0], pair[0], pair[1]])
}

fn left_turning([a, b, c]: [DVec2; 3]) -> [DVec2; 3] {
    if ring_area(&[a, b, c]) < 0.0 { [a, c, b] } else { [a, b, c] }
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
    fn the_common_area_of_squares_and_of_rings_with_notches_is_right() {
        let square = |x: f64| vec![dvec2(x, 0.), dvec2(x + 2., 0.), dvec2(x + 2., 2.), dvec2(x, 2.)];
        assert_eq!(common_area(&square(0.), &square(1.)), 2.0);
        assert_eq!(common_area(&square(0.), &square(2.)), 0.0);
        // An arrow head whose notch is half the square's height.
        let arrow = [dvec2(2., 1.), dvec2(0., 2.), dvec2(1., 1.), dvec2(0., 0.)];
        assert_eq!(common_area(&square(0.), &arrow), ring_area(&arrow));
        let wedge = [dvec2(-1., 0.5), dvec2(1., 1.), dvec2(-1., 1.5)];
        assert!(common_area(&wedge, &arrow).abs() < 1e-15, "the wedge fills the notch");
    }
}
