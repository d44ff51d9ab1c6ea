//! Our union against areas cut into slabs and against another engine.

use i_overlay::{
    core::{fill_rule::FillRule, overlay_rule::OverlayRule},
    float::single::SingleFloatOverlay as _,
};
use proptest::prelude::*;
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::{
    Polygon,
    boolean::unite,
    ring_area,
    validate::{RingSet, examine, sweep_rings},
};
use wayfare_testkit::union_area::union_area;

fn united(polygons: &[Polygon]) -> RingSet {
    unite(&examine(polygons)).unwrap().rings
}
fn area(rings: &RingSet) -> f64 {
    rings.iter().map(ring_area).sum()
}
fn square(x: f64, y: f64, side: f64) -> Polygon {
    Polygon::new(vec![dvec2(x, y), dvec2(x + side, y), dvec2(x + side, y + side), dvec2(x, y + side)])
}

#[test]
fn overlapping_squares_become_an_octagon() {
    let rings = united(&[square(0., 0., 2.), square(1., 1., 2.)]);
    assert_eq!((rings.len(), rings.points().len(), area(&rings)), (1, 8, 7.0));
}

#[test]
fn rooms_along_a_turned_wall_join_although_their_corners_miss_it() {
    // Corners on one line up to rounding errors: some leave a slit of nothing, some overlap by nothing.
    let turn = |x: f64, y: f64| dvec2(0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y) * 1.1 + dvec2(123.4, 56.7);
    let room = |x0: f64, x1: f64, y0: f64, y1: f64| {
        Polygon::new(vec![turn(x0, y0), turn(x1, y0), turn(x1, y1), turn(x0, y1)])
    };
    let mut rooms = vec![room(0.0, 30.0, 0.0, 5.0)];
    rooms.extend((0..100).map(|k| room(0.3 * f64::from(k), 0.3 * f64::from(k + 1), 5.0, 9.0)));
    let rings = united(&rooms);
    assert_eq!(rings.len(), 1, "one outline and no slits");
    assert!((area(&rings) - 30.0 * 9.0 * 1.21).abs() < 1e-8);
}

#[test]
fn bundles_of_almost_parallel_edges_end() {
    // A hundred slivers on one turned line; another engine did not end on them.
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for thickness in [1e-3, 1e-9, 1e-12, 1e-13, 1e-14, 1e-15] {
        let slivers: Vec<Polygon> = (0..100)
            .map(|_| {
                let from = random() * 100.0;
                let to = from + random() * 30.0;
                let mut corner = |x: f64| {
                    let y = random() * thickness;
                    dvec2(0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y)
                };
                Polygon::new(vec![corner(from), corner(to), corner(to), corner(from)])
            })
            .collect();
        let rings = united(&slivers);
        assert_eq!(sweep_rings(&rings).conflicts, []);
    }
}

fn soup(reach: f64) -> impl Strategy<Value = Vec<Polygon>> {
    let point = (-1.0..1.0f64, -1.0..1.0f64).prop_map(move |(x, y)| dvec2(x, y) * reach);
    let polygon = prop::collection::vec(point, 3..9).prop_map(Polygon::new);
    prop::collection::vec(polygon, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_union_has_the_area_that_others_find(polygons in soup(50.0)) {
        let rings = united(&polygons);
        prop_assert_eq!(sweep_rings(&rings).conflicts, []);
        let ours = area(&rings);
        let slabs = union_area(&polygons);
        prop_assert!((ours - slabs).abs() <= 1e-9 * (1.0 + slabs), "{} by slabs {}", ours, slabs);
        // One by one: the other engine has no rule that unites rings whichever way they run.
        let mut theirs: Vec<Vec<Vec<[f64; 2]>>> = Vec::new();
        for polygon in &polygons {
            let ring: Vec<[f64; 2]> = polygon.outer.iter().map(|p| p.to_array()).collect();
            theirs = theirs.overlay(&ring, OverlayRule::Union, FillRule::NonZero);
        }
        let points = |ring: &Vec<[f64; 2]>| ring.iter().map(|&p| DVec2::from(p)).collect::<Vec<_>>();
        let theirs: f64 = theirs.iter().flatten().map(|ring| ring_area(&points(ring))).sum();
        // It works in 32 bits by default.
        prop_assert!((ours - theirs).abs() <= 1e-4 * (1.0 + slabs), "{} by i_overlay {}", ours, theirs);
    }

    #[test]
    fn points_of_the_input_come_back_bit_for_bit(polygons in soup(1e6)) {
        let examined = examine(&polygons);
        let union = unite(&examined).unwrap();
        let restored = union.with_input_coordinates(&examined.rings);
        for (&on_grid, p) in union.rings.points().iter().zip(restored.points()) {
            prop_assert!((on_grid - p).abs().max_element() <= union.grid.spacing() / 2.0);
        }
        // A point of the hull is a corner of the union.
        let least = |points: &[DVec2]| points.iter().copied().min_by(|a, b| a.x.total_cmp(&b.x));
        prop_assert_eq!(least(examined.rings.points()), least(restored.points()));
    }
}
