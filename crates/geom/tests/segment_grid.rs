//! Every answer of the grid over segments, against looking at all segments one by one.

use proptest::prelude::*;
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::{
    predicates::{is_left, orient, segments_touch},
    segment::{distance_squared_to_segment, nearest_on_segment},
    segment_grid::{SegmentGrid, meets_open_segment},
};

/// Points of a small lattice (so that nearly every degeneracy happens), at some scale and place.
fn segments() -> impl Strategy<Value = (Vec<[DVec2; 2]>, Vec<DVec2>)> {
    let point = || prop_oneof![8 => (-6i32..7, -6i32..7), 1 => (-2000i32..2000, -6i32..7), 1 => (-300i32..300, -300i32..300)];
    let frame = (0usize..4, -3i32..4, -3i32..4);
    (prop::collection::vec((point(), point()), 1..60), prop::collection::vec(point(), 4..12), frame).prop_map(
        |(segments, points, (scale, x, y))| {
            // The last but one puts all within the rounding of far coordinates.
            let scale = [1.0, 0.1, 1e-9, 1e4][scale];
            let centre = dvec2(f64::from(x), f64::from(y)) * 3.1e6;
            let at = |(x, y): (i32, i32)| centre + dvec2(f64::from(x), f64::from(y)) * scale;
            (segments.iter().map(|&(a, b)| [at(a), at(b)]).collect(), points.iter().map(|&p| at(p)).collect())
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_nearest_segment_is_that_of_all((segments, points) in segments()) {
        let grid = SegmentGrid::build(segments.clone());
        let far = [dvec2(1e7, -1e7), dvec2(-1e7, 3.0), DVec2::ZERO];
        for &p in points.iter().chain(&far) {
            let mut best = (f64::INFINITY, 0);
            for (k, &[a, b]) in segments.iter().enumerate() {
                let distance = distance_squared_to_segment(p, a, b);
                if distance < best.0 {
                    best = (distance, k as u32);
                }
            }
            let found = grid.nearest(p).unwrap();
            prop_assert_eq!((found.distance_squared, found.segment), best);
            prop_assert_eq!(found.point, { let [a, b] = segments[best.1 as usize]; nearest_on_segment(p, a, b) });
        }
    }

    #[test]
    fn lines_of_sight_are_blocked_by_what_they_meet((segments, points) in segments()) {
        let grid = SegmentGrid::build(segments.clone());
        let far = dvec2(-1e7, 1e7);
        for pair in points.windows(2).chain([[points[0], far].as_slice(), &[far, points[1]]]) {
            let (a, b) = (pair[0], pair[1]);
            let blocking: Vec<u32> = (0..segments.len() as u32)
                .filter(|&k| meets_open_segment(a, b, segments[k as usize][0], segments[k as usize][1]))
                .collect();
            prop_assert_eq!(grid.is_visible(a, b), blocking.is_empty());
            prop_assert_eq!(grid.is_visible(b, a), blocking.is_empty());
            let Some(hit) = grid.first_hit(a, b) else {
                prop_assert!(blocking.is_empty());
                continue;
            };
            prop_assert!(blocking.contains(&hit.segment));
            // Nothing is in the way well before the hit.
            let before = a + (b - a) * (hit.along - 1e-6).max(0.0);
            let rounding = 1e-8;
            for &k in &blocking {
                let [c, d] = segments[k as usize];
                let nearer = meets_open_segment(a, before, c, d)
                    && (hit.point - nearest_on_segment(hit.point, c, d)).length() > rounding
                    && distance_squared_to_segment(c, a, before).min(distance_squared_to_segment(d, a, before)) > rounding;
                prop_assert!(!nearer, "{} is met before {:?}", k, hit);
            }
        }
    }

    #[test]
    fn the_rule_of_sight_is_symmetric_and_part_of_touching((segments, points) in segments()) {
        for &[c, d] in &segments {
            let (a, b) = (points[0], points[1]);
            let meets = meets_open_segment(a, b, c, d);
            prop_assert_eq!(meets, meets_open_segment(b, a, c, d));
            prop_assert_eq!(meets, meets_open_segment(a, b, d, c));
            // What touches without an eye on the segment meets the inside.
            let has_eye = |p: DVec2| orient(c, d, p) == 0.0 && segments_touch(p, p, c, d);
            if !has_eye(a) && !has_eye(b) {
                prop_assert_eq!(meets, segments_touch(a, b, c, d));
            }
        }
    }

    #[test]
    fn what_touches_another_segment_is_visited((segments, points) in segments()) {
        let grid = SegmentGrid::build(segments.clone());
        let far = dvec2(-1e7, 1e7);
        for ends in points.windows(2).map(|pair| [pair[0], pair[1]]).chain([[points[0], far]]) {
            let mut visited = Vec::new();
            grid.visit_touching(ends, |k| k % 3 > 0, |k| visited.push(k));
            visited.sort_unstable();
            visited.dedup();
            let touches = |&k: &u32| {
                let [a, b] = segments[k as usize];
                segments_touch(a, b, ends[0], ends[1])
            };
            let expected: Vec<u32> = (0..segments.len() as u32).filter(|k| k % 3 > 0).filter(touches).collect();
            prop_assert_eq!(visited, expected);
        }
    }

    #[test]
    fn touching_pairs_are_all_pairs_that_touch((segments, _) in segments()) {
        let mut pairs = Vec::new();
        for (e, &[a, b]) in segments.iter().enumerate() {
            for (f, &[c, d]) in segments.iter().enumerate().skip(e + 1) {
                if segments_touch(a, b, c, d) {
                    pairs.push([e as u32, f as u32]);
                }
            }
        }
        let grid = SegmentGrid::build(segments);
        prop_assert_eq!(&grid.touching_pairs(), &pairs);
        let is_new = |k: u32| k % 3 == 1;
        let of_new: Vec<[u32; 2]> = pairs.into_iter().filter(|&[e, f]| is_new(e) || is_new(f)).collect();
        prop_assert_eq!(grid.touching_pairs_of(is_new), of_new);
    }

    #[test]
    fn the_nearest_part_in_a_wedge_is_that_of_all((segments, points) in segments()) {
        let grid = SegmentGrid::build(segments.clone());
        for triple in points.windows(3) {
            let [apex, mut right, mut left] = [triple[0], triple[1], triple[2]];
            if !is_left(apex, right, left) {
                (right, left) = (left, right);
            }
            let found = grid.nearest_in_wedge(apex, right, left);
            if !is_left(apex, right, left) {
                prop_assert_eq!(found, None);
                continue;
            }
            let inside = |p: DVec2| orient(apex, right, p) >= 0.0 && orient(apex, left, p) <= 0.0;
            // By samples: all points of all segments that lie in the wedge are at least as far.
            let distance = found.map_or(f64::INFINITY, |found| found.distance_squared.sqrt());
            for &[a, b] in segments.iter().filter(|[a, b]| *a != apex && *b != apex) {
                // Where apex and segment are as near as rounding, samples between the ends say nothing.
                let is_close = distance_squared_to_segment(apex, a, b) < 1e-12;
                for k in (0..=32).step_by(if is_close { 32 } else { 1 }) {
                    let p = if k == 32 { b } else { a + (b - a) * (f64::from(k) / 32.0) };
                    // A sample between the ends is rounded and may only seem to be inside.
                    let rounding = if k % 32 == 0 { 0.0 } else { 1e-7 };
                    if inside(p) && (k % 32 == 0 || inside(p + (p - apex).perp() * 1e-6) && inside(p - (p - apex).perp() * 1e-6)) {
                        prop_assert!((p - apex).length() >= distance * (1.0 - 1e-12) - 1e-8 - rounding);
                    }
                }
            }
            if let Some(found) = found {
                let [a, b] = segments[found.segment as usize];
                prop_assert!(distance_squared_to_segment(found.point, a, b) <= 1e-16);
                prop_assert!(apex != a && apex != b);
            }
        }
    }
}

#[test]
fn long_walls_far_apart_are_found_over_empty_squares() {
    let mut segments: Vec<[DVec2; 2]> =
        (0..500).map(|k| [dvec2(f64::from(k), 0.0), dvec2(f64::from(k) + 0.5, 0.0)]).collect();
    segments.push([dvec2(-1e6, 1e6), dvec2(1e6, 1e6)]);
    let grid = SegmentGrid::build(segments);
    assert_eq!(grid.nearest(dvec2(123.0, 9e5)).unwrap().segment, 500);
    assert_eq!(grid.nearest(dvec2(123.25, 4e5)).unwrap().segment, 123);
    assert_eq!(grid.first_hit(dvec2(0.75, 1.0), dvec2(0.75, 2e6)).unwrap().segment, 500);
    assert!(grid.is_visible(dvec2(0.75, 9e5), dvec2(0.75, -9e5)));
}
