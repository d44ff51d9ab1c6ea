//! What the examination of polygons says, against all pairs of edges and against areas cut into slabs.

use proptest::prelude::*;
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::{
    Polygon,
    predicates::{cross_properly, is_between, orient, segments_touch},
    ring_area,
    validate::examine,
};
use wayfare_testkit::union_area::union_area;

fn ring(points: &[(i32, i32)]) -> Vec<DVec2> {
    points.iter().map(|&(x, y)| dvec2(x.into(), y.into())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// On a small grid nearly every degeneracy happens.
    #[test]
    fn clean_polygons_have_the_area_of_their_union(
        polygons in prop::collection::vec(prop::collection::vec((0i32..7, 0i32..7), 3..7), 1..4),
        holes in prop::collection::vec(prop::collection::vec((0i32..7, 0i32..7), 3..5), 0..2),
    ) {
        let mut polygons: Vec<Polygon> = polygons.iter().map(|points| Polygon::new(ring(points))).collect();
        polygons[0].holes = holes.iter().map(|points| ring(points)).collect();
        let found = examine(&polygons);
        if found.is_clean() {
            let area: f64 = found.rings.iter().map(ring_area).sum();
            prop_assert!((area - union_area(&polygons)).abs() < 1e-9, "{} {}", area, union_area(&polygons));
        }
        // Pairs of edges, one by one.
        let rings = &found.rings;
        let edge = |k: usize| {
            let range = rings.range(rings.ring_of(k));
            [rings.points()[k], rings.points()[if k + 1 == range.end { range.start } else { k + 1 }]]
        };
        let mut crosses = false;
        let mut touches = false;
        for e in 0..rings.points().len() {
            for f in 0..e {
                let ([a, b], [c, d]) = (edge(e), edge(f));
                crosses |= cross_properly(a, b, c, d);
                let on_line = orient(a, b, c) == 0.0 && orient(a, b, d) == 0.0;
                let inside = |p: DVec2, u: DVec2, v: DVec2| is_between(u, v, p) && p != u && p != v;
                crosses |= on_line
                    && (inside(c, a, b) || inside(d, a, b) || inside(a, c, d) || [a, b] == [c, d] || [a, b] == [d, c]);
                touches |= [c, d].iter().any(|&p| orient(a, b, p) == 0.0 && inside(p, a, b));
                touches |= [a, b].iter().any(|&p| orient(c, d, p) == 0.0 && inside(p, c, d));
                touches |= a == c;
            }
        }
        let conflicts = &found.sweep.conflicts;
        if crosses {
            prop_assert!(!conflicts.is_empty());
        } else if !touches {
            prop_assert!(conflicts.is_empty() && found.sweep.touches.is_empty());
        }
        for conflict in conflicts {
            let [[a, b], [c, d]] = conflict.edges.map(|e| edge(e as usize));
            prop_assert!(segments_touch(a, b, c, d));
        }
    }

    #[test]
    fn what_is_found_does_not_depend_on_the_order_of_rings_or_their_first_points(
        polygons in prop::collection::vec(prop::collection::vec((0i32..9, 0i32..9), 3..7), 1..5), turn in 0usize..7
    ) {
        let polygons: Vec<Polygon> = polygons.iter().map(|points| Polygon::new(ring(points))).collect();
        let mut shuffled = polygons.clone();
        shuffled.reverse();
        for polygon in &mut shuffled {
            let by = turn % polygon.outer.len();
            polygon.outer.rotate_left(by);
        }
        prop_assert_eq!(examine(&polygons).is_clean(), examine(&shuffled).is_clean());
    }
}
