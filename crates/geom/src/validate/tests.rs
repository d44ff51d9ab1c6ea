use super::*;
use wayfare_core::dvec2;

fn ring(points: &[(i32, i32)]) -> Vec<DVec2> {
    points.iter().map(|&(x, y)| dvec2(x.into(), y.into())).collect()
}
fn rectangle(x0: i32, y0: i32, x1: i32, y1: i32) -> Vec<DVec2> {
    ring(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
}
fn hole(x0: i32, y0: i32, x1: i32, y1: i32) -> Vec<DVec2> {
    let mut points = rectangle(x0, y0, x1, y1);
    points.reverse();
    points
}
fn kinds(polygons: &[Polygon]) -> Vec<DefectKind> {
    let mut kinds: Vec<_> = validate_polygons(polygons).iter().map(|defect| defect.kind).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn a_polygon_with_holes_and_an_island_is_clean() {
    let polygons = [
        Polygon { outer: rectangle(0, 0, 10, 10), holes: vec![hole(1, 1, 5, 5), hole(6, 6, 9, 9)] },
        Polygon::new(rectangle(2, 2, 4, 4)),
        Polygon::new(rectangle(20, 0, 30, 10)),
    ];
    assert_eq!(kinds(&polygons), []);
}

#[test]
fn every_kind_of_defect_is_found() {
    use DefectKind as K;
    let one = |outer: Vec<DVec2>| vec![Polygon::new(outer)];
    let with_holes = |holes: Vec<Vec<DVec2>>| vec![Polygon { outer: rectangle(0, 0, 10, 10), holes }];
    let two = |other: Vec<DVec2>| vec![Polygon::new(rectangle(0, 0, 10, 10)), Polygon::new(other)];
    let cases: Vec<(Vec<Polygon>, &[DefectKind])> = vec![
        (one(ring(&[(0, 0), (1, 0)])), &[K::TooFewPoints]),
        (one(ring(&[(0, 0), (0, 0), (1, 0), (0, 1)])), &[K::DuplicateVertex]),
        (one(ring(&[(0, 0), (1, 0), (2, 0), (0, 1)])), &[K::StraightVertex]),
        (one(ring(&[(0, 0), (2, 0), (5, 0), (2, 0), (2, 2)])), &[K::StraightVertex, K::Spike]),
        (one(ring(&[(0, 0), (2, 1), (4, 2), (6, 3)])), &[K::StraightVertex, K::ZeroArea]),
        (one(hole(0, 0, 1, 1)), &[K::WrongWinding]),
        (one(ring(&[(0, 0), (2, 2), (2, 0), (0, 2)])), &[K::SelfCrossing]),
        // Crossing at a vertex, and along an edge.
        (one(ring(&[(0, 0), (4, 0), (2, 2), (0, 5), (4, 5), (2, 2)])), &[K::SelfCrossing]),
        (one(ring(&[(0, 0), (4, 0), (4, 2), (2, 2), (2, 0), (1, 0), (1, 3), (0, 3)])), &[K::SelfCrossing]),
        (with_holes(vec![hole(1, 1, 5, 5), hole(4, 4, 8, 8)]), &[K::CrossingRings]),
        (with_holes(vec![hole(1, 1, 5, 5), hole(5, 2, 8, 4)]), &[K::CrossingRings]),
        (with_holes(vec![hole(1, 1, 5, 5), hole(5, 5, 8, 8)]), &[K::Touching]),
        (with_holes(vec![hole(1, 1, 8, 8), hole(2, 2, 4, 4)]), &[K::NestedHole]),
        (with_holes(vec![hole(11, 1, 12, 2)]), &[K::HoleOutside]),
        (with_holes(vec![hole(-1, -1, 12, 12)]), &[K::HoleOutside]),
        (two(rectangle(5, 5, 15, 15)), &[K::OverlappingPolygons]),
        (two(rectangle(2, 2, 4, 4)), &[K::OverlappingPolygons]),
        (two(rectangle(10, 2, 12, 4)), &[K::SharedEdge]),
        (two(rectangle(10, 10, 12, 12)), &[K::Touching]),
        (two(ring(&[(10, 5), (12, 4), (12, 6)])), &[K::Touching]),
        (two(ring(&[(10, 5), (8, 6), (8, 4)])), &[K::OverlappingPolygons, K::Touching]),
    ];
    for (polygons, expected) in cases {
        assert_eq!(kinds(&polygons), expected, "{polygons:?}");
    }
}

#[test]
fn all_defects_come_at_once_with_their_places() {
    let polygons = [
        Polygon { outer: rectangle(0, 0, 10, 10), holes: vec![hole(1, 1, 3, 3), hole(2, 2, 5, 5)] },
        Polygon::new(ring(&[(20, 0), (24, 4), (24, 0), (20, 4)])),
        Polygon { outer: rectangle(30, 0, 40, 10), holes: vec![hole(50, 0, 51, 1)] },
    ];
    let found = validate_polygons(&polygons);
    let text: Vec<String> = found.iter().map(|defect| format!("{}: {defect}", defect.kind.key())).collect();
    assert_eq!(
        text,
        [
            "crossing-rings: polygon 0, ring 1 at (2, 3) with polygon 0, ring 2",
            "crossing-rings: polygon 0, ring 1 at (3, 2) with polygon 0, ring 2",
            "self-crossing: polygon 1, ring 0 at (22, 2)",
            "hole-outside: polygon 2, ring 1 at (50, 1)",
        ]
    );
}

#[test]
fn a_million_points_on_a_line_end_at_once() {
    let line: Vec<DVec2> = (0..1_000_000u64).map(|k| dvec2((k * 7919 % 1_000_003) as f64, 0.0)).collect();
    assert!(kinds(&[Polygon::new(line)]).contains(&DefectKind::ZeroArea));
}

#[test]
fn a_star_of_many_triangles_round_one_point_is_only_touching() {
    // All share the origin: one touch with every triangle in it, sorted by direction once.
    let count = 20_000;
    let triangles: Vec<Polygon> = (0..count)
        .map(|k| {
            let at = |k: i32| dvec2(f64::from(k - count), f64::from(2 * count - (k - count).abs()));
            Polygon::new(vec![DVec2::ZERO, at(2 * k), at(2 * k + 1)])
        })
        .collect();
    let found = examine(&triangles);
    assert!(found.is_clean());
    assert_eq!(found.sweep.touches.len(), 1);
}

/// What a sweep that allows thin walls says of rings: conflicts, what lies in what, and the points where fans are not as the rings
/// have them.
fn thin(rings: &[Vec<DVec2>]) -> (usize, Vec<Option<u32>>, Option<usize>) {
    let mut set = RingSet::new();
    rings.iter().for_each(|ring| set.push(ring.iter().copied()));
    let sweep = sweep_rings_with_thin_walls(&set);
    let changed = join_touching(&set, &sweep).map(|fans| fans.changed.len());
    (sweep.conflicts.len(), containers(&set, &sweep), changed)
}

#[test]
fn walls_without_thickness_are_sound_where_they_are_allowed() {
    let outer = rectangle(0, 0, 10, 10);
    // From the outline inwards, also with a bend and a branch.
    let spike = ring(&[(0, 0), (5, 0), (5, 5), (5, 0), (10, 0), (10, 10), (0, 10)]);
    assert_eq!(thin(std::slice::from_ref(&spike)), (0, vec![None], Some(0)));
    let branches = ring(&[(2, 2), (4, 4), (4, 8), (4, 4), (6, 4), (4, 4)]);
    assert_eq!(thin(&[outer.clone(), branches]), (0, vec![None, Some(0)], Some(0)));
    let tangled = ring(&[(2, 2), (4, 4), (6, 4), (4, 4), (4, 8), (4, 4)]);
    assert_eq!(thin(&[outer.clone(), tangled]).2, Some(1), "the wrong branch first");
    // One edge that stands free, in any direction, and two that touch.
    for [a, b] in [[(2, 2), (7, 3)], [(2, 2), (2, 7)], [(2, 2), (7, 2)], [(2, 7), (7, 2)]] {
        for wall in [ring(&[a, b]), ring(&[b, a])] {
            assert_eq!(thin(&[outer.clone(), wall]), (0, vec![None, Some(0)], Some(0)));
        }
    }
    let touching = [outer.clone(), ring(&[(2, 2), (4, 4)]), ring(&[(4, 4), (8, 5)])];
    assert_eq!(thin(&touching).2, Some(1), "two rings where there is one fan each");
    // A wall across, and one round: ground on both sides.
    let halves = [rectangle(0, 0, 5, 10), rectangle(5, 0, 10, 10)];
    assert_eq!(thin(&halves), (0, vec![None, None], Some(0)));
    let yard = [outer.clone(), hole(2, 2, 4, 4), rectangle(2, 2, 4, 4)];
    assert_eq!(thin(&yard), (0, vec![None, Some(0), Some(1)], Some(0)));
    // Not without leave.
    let mut set = RingSet::new();
    halves.iter().for_each(|ring| set.push(ring.iter().copied()));
    assert_eq!(sweep_rings(&set).conflicts.len(), 1);
}

#[test]
fn thin_walls_that_cross_or_miss_each_other_are_found() {
    let outer = rectangle(0, 0, 10, 10);
    let conflicts = |others: &[Vec<DVec2>]| thin(&[std::slice::from_ref(&outer), others].concat()).0;
    assert!(conflicts(&[ring(&[(2, 2), (6, 6)]), ring(&[(2, 6), (6, 2)])]) > 0, "two that cross");
    assert!(conflicts(&[ring(&[(5, 5), (15, 5)])]) > 0, "one through the outline");
    assert!(conflicts(&[ring(&[(2, 2), (6, 2)]), ring(&[(4, 2), (8, 2)])]) > 0, "one along another");
    assert!(conflicts(&[ring(&[(2, 2), (6, 2)]), ring(&[(2, 2), (6, 2)])]) > 0, "one twice");
    assert!(conflicts(&[hole(2, 2, 4, 4), hole(4, 2, 6, 3)]) > 0, "a part of an edge");
    // Both with the ground on the same side.
    assert!(thin(&[outer.clone(), outer.clone()]).0 > 0);
    // Passes that cross at a point, one of them with a wall in it.
    let crossed = [ring(&[(2, 2), (4, 4), (6, 6), (4, 4)]), ring(&[(2, 6), (4, 4), (6, 2), (4, 4)])];
    assert_eq!(conflicts(&crossed), 0, "four walls from one point are no crossing");
}
