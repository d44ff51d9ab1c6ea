//! From any polygons to a floor plan: the right ground, valid, and the same bytes for the same ground.

use proptest::prelude::*;
use wayfare_core::{Context, DVec2, RepairReport, dvec2};
use wayfare_floor::{FloorPlan, PlanError, Region, build_plan};
use wayfare_geom::Polygon;
use wayfare_scene::{PlanSource, generated};
use wayfare_testkit::union_area::union_area;

fn ring(points: &[(i32, i32)]) -> Vec<DVec2> {
    points.iter().map(|&(x, y)| dvec2(x.into(), y.into())).collect()
}
fn rectangle(x0: i32, y0: i32, x1: i32, y1: i32) -> Vec<DVec2> {
    ring(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
}
fn try_build(polygons: Vec<Polygon>) -> Result<(FloorPlan, RepairReport), PlanError> {
    let built = build_plan(&PlanSource::from_polygons(polygons), &Context::default());
    if let Ok((plan, _)) = &built {
        assert_eq!(plan.check(), []);
    }
    built
}
fn build(polygons: Vec<Polygon>) -> (FloorPlan, RepairReport) {
    try_build(polygons).unwrap()
}
/// Area, vertices, holes of each region.
fn shape(plan: &FloorPlan) -> Vec<(f64, usize, usize)> {
    let of = |region: &Region| {
        let polygon = Polygon {
            outer: plan.ring_points(&region.outer),
            holes: region.holes.iter().map(|hole| plan.ring_points(hole)).collect(),
        };
        (polygon.area(), polygon.len(), polygon.holes.len())
    };
    plan.layers[0].regions.iter().map(of).collect()
}

#[test]
fn clean_input_keeps_its_coordinates_bit_for_bit() {
    for source in [generated::office(), generated::obstacle_field(2000, 5), generated::city(2000, 5)] {
        let (plan, repair) = build_plan(&source, &Context::default()).unwrap();
        assert!(repair.is_empty(), "{repair}");
        let mut before: Vec<_> = source.polygons.iter().flat_map(Polygon::rings).flatten().collect();
        let mut after: Vec<_> = plan.vertices.as_slice().iter().map(|p| p.truncate()).collect();
        before.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        after.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        assert!(before.into_iter().eq(&after));
    }
}

#[test]
fn two_squares_that_touch_in_a_corner_are_two_regions() {
    let squares = vec![Polygon::new(rectangle(0, 0, 1, 1)), Polygon::new(rectangle(1, 1, 2, 2))];
    let (plan, repair) = build(squares);
    assert_eq!(shape(&plan), [(1.0, 4, 0), (1.0, 4, 0)]);
    assert!(repair.is_empty(), "nothing had to change: {repair}");
}

#[test]
fn a_hole_that_touches_the_outline_becomes_a_pinch_of_it() {
    let polygon =
        Polygon { outer: rectangle(0, 0, 4, 4), holes: vec![ring(&[(0, 2), (1, 3), (2, 2), (1, 1)])] };
    let (plan, repair) = build(vec![polygon]);
    // Four corners, three of the hole, and the pinch twice.
    assert_eq!(shape(&plan), [(14.0, 9, 0)]);
    assert_eq!(repair.count("touching"), 1);
    let pinch = plan.vertices.as_slice().iter().filter(|p| p.truncate() == dvec2(0., 2.));
    assert_eq!(pinch.count(), 2);
}

#[test]
fn rooms_that_share_walls_become_one_region() {
    let rooms = vec![
        Polygon::new(rectangle(0, 0, 2, 2)),
        Polygon::new(rectangle(2, 0, 4, 2)),
        Polygon::new(rectangle(0, 2, 4, 3)),
    ];
    let (plan, repair) = build(rooms);
    assert_eq!(shape(&plan), [(12.0, 4, 0)]);
    assert!(repair.count("shared-edge") > 0);
}

#[test]
fn a_figure_of_eight_is_both_its_loops() {
    let (plan, repair) = build(vec![Polygon::new(ring(&[(0, 0), (2, 2), (2, 0), (0, 2)]))]);
    assert_eq!(shape(&plan), [(1.0, 3, 0), (1.0, 3, 0)]);
    assert_eq!(repair.count("self-crossing"), 1);
    // As a hole, too, beside another hole that runs the other way.
    let eight = ring(&[(2, 2), (8, 8), (8, 2), (2, 8)]);
    let square = rectangle(6, 4, 9, 6);
    let (plan, _) =
        build(vec![Polygon { outer: rectangle(0, 0, 10, 10), holes: vec![eight.clone(), square.clone()] }]);
    let area = union_area(&[Polygon { outer: rectangle(0, 0, 10, 10), holes: vec![eight, square] }]);
    assert_eq!(plan.area(), area);
}

#[test]
fn a_hole_counts_only_in_its_own_polygon() {
    // The second polygon covers the first one's hole.
    let polygons = vec![
        Polygon { outer: rectangle(0, 0, 10, 10), holes: vec![rectangle(2, 2, 4, 4)] },
        Polygon::new(rectangle(1, 1, 5, 5)),
    ];
    assert_eq!(shape(&build(polygons).0), [(100.0, 4, 0)]);
    // A hole outside its outline cuts nothing, also not out of others.
    let polygons = vec![
        Polygon { outer: rectangle(0, 0, 10, 10), holes: vec![rectangle(22, 2, 24, 4)] },
        Polygon::new(rectangle(20, 0, 30, 10)),
    ];
    assert_eq!(shape(&build(polygons).0), [(100.0, 4, 0), (100.0, 4, 0)]);
}

#[test]
fn nested_and_repeated_polygons_are_their_union() {
    let polygons = vec![Polygon::new(rectangle(0, 0, 9, 9)); 5];
    assert_eq!(shape(&build(polygons).0), [(81.0, 4, 0)]);
    let polygons = vec![Polygon::new(rectangle(0, 0, 9, 9)), Polygon::new(rectangle(2, 2, 4, 4))];
    let (plan, repair) = build(polygons);
    assert_eq!((shape(&plan), repair.count("overlapping-polygons")), (vec![(81.0, 4, 0)], 1));
}

#[test]
fn thousands_of_copies_are_one() {
    let with_hole = Polygon { outer: rectangle(0, 0, 9, 9), holes: vec![rectangle(3, 3, 6, 6)] };
    let (plan, repair) = build(vec![with_hole.clone(); 20_000]);
    assert_eq!(shape(&plan), [(72.0, 8, 1)]);
    assert_eq!(repair.count("repeated-polygon"), 19_999);
    // The same outline without the hole is another polygon, and fills it.
    let (plan, _) = build(vec![with_hole, Polygon::new(rectangle(0, 0, 9, 9))]);
    assert_eq!(shape(&plan), [(81.0, 4, 0)]);
}

#[test]
fn islands_in_holes_are_regions_of_their_own() {
    let polygons = vec![
        Polygon { outer: rectangle(0, 0, 9, 9), holes: vec![rectangle(1, 1, 8, 8)] },
        Polygon { outer: rectangle(2, 2, 7, 7), holes: vec![rectangle(3, 3, 6, 6)] },
        Polygon::new(rectangle(4, 4, 5, 5)),
    ];
    let (plan, repair) = build(polygons);
    assert_eq!(shape(&plan), [(32.0, 8, 1), (16.0, 8, 1), (1.0, 4, 0)]);
    assert_eq!(repair.repairs.len(), 1, "{repair}");
}

#[test]
fn empty_and_degenerate_plans_say_that_nothing_is_walkable() {
    let nothing = |polygons: Vec<Polygon>| match try_build(polygons) {
        Err(PlanError::NothingWalkable { reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(nothing(vec![]), "the plan holds no polygon");
    assert_eq!(nothing(vec![Polygon::default()]), "its only polygon (0 vertices) has no area");
    let line = Polygon::new(ring(&[(0, 0), (1, 1), (2, 2)]));
    assert_eq!(nothing(vec![line.clone(); 2]), "none of its 2 polygons (6 vertices) has an area");
    let all_cut = Polygon { outer: rectangle(0, 0, 1, 1), holes: vec![rectangle(-1, -1, 2, 2)] };
    assert_eq!(nothing(vec![all_cut]), "the holes cut out all of the ground");
    let same = Polygon { outer: rectangle(0, 0, 1, 1), holes: vec![rectangle(0, 0, 1, 1)] };
    assert_eq!(nothing(vec![same]), "the holes cut out all of the ground");
}

#[test]
fn a_sliver_that_only_rounding_gives_an_area_is_no_ground() {
    // Its area comes out as -7e-15 m².
    let sliver = vec![
        dvec2(11.884000000000002, 14.137999999999996),
        dvec2(3.3, 7.699999999999994),
        dvec2(12.475999999999999, 14.581999999999994),
    ];
    let built = try_build(vec![Polygon { outer: sliver, holes: vec![] }]);
    assert!(matches!(built, Err(PlanError::NothingWalkable { .. })), "{built:?}");
}

#[test]
fn a_million_vertex_spike_is_refused_fast() {
    let out = (0..500_000).map(|k| dvec2(f64::from(k), f64::from(k % 1009)));
    let spike: Vec<DVec2> = out.clone().chain(out.rev()).collect();
    let error = try_build(vec![Polygon::new(spike)]).unwrap_err();
    assert!(matches!(&error, PlanError::Unusable { .. }), "{error}");
    assert!(error.to_string().contains("has no area"), "{error}");
}

#[test]
fn wild_coordinates_are_refused_with_the_element() {
    for (bad, count) in [(f64::NAN, 1), (f64::INFINITY, 1), (2e7, 1)] {
        let mut holes = vec![rectangle(1, 1, 2, 2); count];
        holes[0][2].y = bad;
        let error = try_build(vec![Polygon { outer: rectangle(0, 0, 9, 9), holes }]).unwrap_err();
        assert!(error.to_string().contains("polygon 0, ring 1, vertex 2"), "{error}");
    }
}

#[test]
fn a_tangle_of_billions_of_crossings_is_refused() {
    let point = |k: u64| {
        let z = k.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_mul(k | 1);
        dvec2((z >> 44) as f64, (z >> 20 & 0xFFFFF) as f64)
    };
    let tangle: Vec<DVec2> = (1..100_000).map(point).collect();
    let error = try_build(vec![Polygon::new(tangle)]).unwrap_err();
    assert!(
        matches!(&error, PlanError::Unusable { reason } if reason.contains("too many edges cross")),
        "{error}"
    );
}

/// More with `WAYFARE_CASES=20000`, for a long look.
fn cases() -> u32 {
    std::env::var("WAYFARE_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(500)
}

/// Coordinates on a small integer grid: every degeneracy happens.
fn soup() -> impl Strategy<Value = Vec<Polygon>> {
    let points = |count| prop::collection::vec((0i32..9, 0i32..9), 3..count);
    let polygon = (points(7), prop::collection::vec(points(5), 0..3));
    let polygon = polygon.prop_map(|(outer, holes)| Polygon {
        outer: ring(&outer),
        holes: holes.iter().map(|hole| ring(hole)).collect(),
    });
    prop::collection::vec(polygon, 1..5)
}

/// Coordinates anywhere.
fn wild_soup() -> impl Strategy<Value = Vec<Polygon>> {
    let point = (-5.0..5.0f64, -5.0..5.0f64).prop_map(|(x, y)| dvec2(x, y));
    let polygon = prop::collection::vec(point, 3..8).prop_map(Polygon::new);
    prop::collection::vec(polygon, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn the_ground_is_the_union_of_the_polygons(polygons in prop_oneof![soup(), wild_soup()]) {
        let area = match try_build(polygons.clone()) {
            Ok((plan, _)) => plan.area(),
            Err(PlanError::NothingWalkable { .. }) => 0.0,
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let expected = union_area(&polygons);
        prop_assert!((area - expected).abs() <= 1e-9 * (1.0 + expected), "{} instead of {}", area, expected);
    }

    #[test]
    fn permuted_input_gives_the_same_bytes(polygons in prop_oneof![soup(), wild_soup()], turn in 0usize..8) {
        let mut permuted = polygons.clone();
        permuted.reverse();
        for polygon in &mut permuted {
            polygon.holes.reverse();
            for ring in std::iter::once(&mut polygon.outer).chain(&mut polygon.holes) {
                let by = turn % ring.len();
                ring.rotate_left(by);
                if turn % 2 == 0 {
                    ring.reverse();
                }
            }
        }
        let bytes = |polygons: Vec<Polygon>| try_build(polygons).map(|(plan, _)| plan.to_bytes()).ok();
        prop_assert_eq!(bytes(polygons), bytes(permuted));
    }

    #[test]
    fn turned_and_mirrored_input_has_the_same_area(polygons in soup()) {
        // Not so the number of regions: where three edges nearly meet in a point, rounding decides whether a passage
        // without width is open.
        let measure = |polygons: Vec<Polygon>| {
            try_build(polygons).map(|(plan, _)| plan.area()).unwrap_or_default()
        };
        let moved = |by: fn(DVec2) -> DVec2| {
            let mut polygons = polygons.clone();
            for polygon in &mut polygons {
                for p in polygon.outer.iter_mut().chain(polygon.holes.iter_mut().flatten()) {
                    *p = by(*p);
                }
            }
            polygons
        };
        let area = measure(polygons.clone());
        for by in [|p: DVec2| dvec2(-p.y, p.x), |p: DVec2| dvec2(p.y, p.x)] {
            let other_area = measure(moved(by));
            prop_assert!((area - other_area).abs() <= 1e-9 * (1.0 + area), "{} {}", area, other_area);
        }
        // Far away the grid is coarser, and so are the points where edges cross.
        let far_area = measure(moved(|p| p + dvec2(1e6, -2e6)));
        prop_assert!((area - far_area).abs() < 1e-6, "{} {}", area, far_area);
    }

    #[test]
    fn a_written_plan_reads_back_the_same(polygons in soup()) {
        if let Ok((plan, _)) = try_build(polygons) {
            prop_assert_eq!(FloorPlan::from_bytes(plan.to_bytes()).unwrap(), plan);
        }
    }

    #[test]
    fn building_a_plan_from_its_own_rings_changes_nothing(polygons in prop_oneof![soup(), wild_soup()]) {
        if let Ok((plan, _)) = try_build(polygons) {
            let regions = plan.layers[0].regions.iter();
            let again = regions.map(|region| Polygon {
                outer: plan.ring_points(&region.outer),
                holes: region.holes.iter().map(|hole| plan.ring_points(hole)).collect(),
            });
            let (same, repair) = build(again.collect());
            prop_assert!(repair.repairs.iter().all(|repair| ["straight-vertex", "touching"].contains(&repair.kind)), "{}", repair);
            prop_assert_eq!(same, plan);
        }
    }
}
