//! The area of a union by cutting it into slabs: slow and obvious.

use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Polygon;

/// Area of the points that lie in an outline (non-zero winding) and in none of its holes.
pub fn union_area(polygons: &[Polygon]) -> f64 {
    // 1. Cut at every vertex and every crossing: between two cuts no edges cross.
    let rings: Vec<&[DVec2]> = polygons.iter().flat_map(Polygon::rings).collect();
    let edges: Vec<[DVec2; 2]> = rings
        .iter()
        .flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| [a, b]))
        .collect();
    let mut cuts: Vec<f64> = edges.iter().map(|edge| edge[0].x).collect();
    for (k, &[a, b]) in edges.iter().enumerate() {
        for &[c, d] in &edges[..k] {
            let along = (c - a).perp_dot(d - c) / (b - a).perp_dot(d - c);
            if (0.0..=1.0).contains(&along) {
                cuts.push(a.x + along * (b.x - a.x));
            }
        }
    }
    cuts.sort_by(f64::total_cmp);
    // 2. In a slab, the length in the middle times the width.
    let mut area = 0.0;
    for slab in cuts.windows(2) {
        let x = (slab[0] + slab[1]) / 2.0;
        let mut heights: Vec<f64> =
            edges.iter().filter(|e| (e[0].x < x) != (e[1].x < x)).map(|&[a, b]| height(a, b, x)).collect();
        heights.sort_by(f64::total_cmp);
        for pair in heights.windows(2) {
            if is_inside(polygons, dvec2(x, (pair[0] + pair[1]) / 2.0)) {
                area += (slab[1] - slab[0]) * (pair[1] - pair[0]);
            }
        }
    }
    area
}

fn height(a: DVec2, b: DVec2, x: f64) -> f64 {
    a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
}

/// Whether `p` lies in the union.
pub fn is_inside(polygons: &[Polygon], p: DVec2) -> bool {
    polygons.iter().any(|polygon| {
        winding(&polygon.outer, p) != 0 && polygon.holes.iter().all(|hole| winding(hole, p) == 0)
    })
}

fn winding(ring: &[DVec2], p: DVec2) -> i32 {
    ring.iter()
        .zip(ring.iter().cycle().skip(1))
        .map(|(&a, &b)| match (a.x < p.x, b.x < p.x) {
            (true, false) if height(a, b, p.x) < p.y => 1,
            (false, true) if height(a, b, p.x) < p.y => -1,
            _ => 0,
        })
        .sum()
}
