//! Generated plans: exact counts, the same bits every time, and what they promise.

use wayfare_core::dvec2;
use wayfare_scene::{
    PlanOptions,
    generated::{THESIS_VERTICES, by_name, city, obstacle_field, office, thesis_series},
    read_plan_bytes, to_wkt,
};

#[test]
fn the_series_has_ten_plans_of_23_to_965_vertices() {
    let counts: Vec<usize> = thesis_series().iter().map(|plan| plan.vertex_count()).collect();
    assert_eq!(counts, THESIS_VERTICES);
    assert_eq!((counts[0], counts[9]), (23, 965));
}

#[test]
fn fields_and_cities_have_exactly_the_vertices_asked_for() {
    for count in [16, 17, 18, 19, 20, 21, 22, 23, 100, 1000, 12345] {
        for seed in 0..5 {
            assert_eq!(obstacle_field(count, seed).vertex_count(), count);
            assert_eq!(city(count, seed).vertex_count(), count);
            let rings = city(count, seed).polygons.remove(0);
            assert!(rings.rings().all(|ring| ring.len() >= 3), "count {count}, seed {seed}");
        }
    }
    assert_ne!(obstacle_field(100, 1), obstacle_field(100, 2));
}

#[test]
fn names_give_plans_and_strange_names_none() {
    assert_eq!(by_name("office"), Some(office()));
    assert_eq!(by_name("thesis-9").unwrap().vertex_count(), 965);
    for name in ["", "thesis-10", "field-3-1", "field-1000", "city-99999999999-1", "field--1-1"] {
        assert_eq!(by_name(name), None, "{name}");
    }
}

#[test]
fn a_plan_written_as_wkt_reads_back_bit_for_bit() {
    for plan in [office(), obstacle_field(500, 3), city(500, 3)] {
        let text = to_wkt(&plan.polygons);
        let read = read_plan_bytes(text.as_bytes(), "x.wkt".as_ref(), &PlanOptions::default()).unwrap();
        assert_eq!(read, plan);
    }
}

#[test]
fn the_office_is_forty_by_sixteen_metres_with_start_and_goal_free() {
    let plan = office();
    let polygon = &plan.polygons[0];
    assert_eq!((polygon.bounds().min, polygon.bounds().max), (dvec2(0., 0.), dvec2(40., 16.)));
    for p in [dvec2(1.0, 1.0), dvec2(30.0, 12.0)] {
        let inside = |ring: &[_]| {
            let edges = ring.iter().zip(ring.iter().cycle().skip(1));
            let crossed = |&(a, b): &(&wayfare_core::DVec2, &wayfare_core::DVec2)| {
                (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)
            };
            edges.filter(crossed).count() % 2 == 1
        };
        assert!(inside(&polygon.outer) && !polygon.holes.iter().any(|hole| inside(hole)), "{p}");
    }
}
