use super::*;
use crate::{
    Random, TestPlan, VisibilityGraph, data, generators, hertel_mehlhorn, hertel_mehlhorn::triangulate,
    plan::sample_points, zoo,
};
use wayfare_core::dvec2;

/// Compares the search on triangles and on merged cells with the visibility graph.
fn compare(plan: &TestPlan, queries: usize) -> usize {
    let rings = plan.rings();
    let graph = VisibilityGraph::new(&rings);
    let searches = [hertel_mehlhorn(&rings), triangulate(&rings)].map(|m| PlainPolyanya::new(&m.unwrap()));
    let mut random = Random::new(11);
    let points = sample_points(graph.space(), &mut random, 2 * queries);
    for pair in points.chunks_exact(2) {
        let expected = graph.shortest(pair[0], pair[1]);
        for search in &searches {
            let found = search.shortest(pair[0], pair[1]);
            let what = || format!("{}: {} to {}: {expected:?} but {found:?}", plan.name, pair[0], pair[1]);
            match (&expected, &found) {
                (None, None) => {}
                (Some(a), Some(b)) => {
                    assert!((a.length - b.length).abs() <= 1e-11 * a.length, "{}", what());
                    let sum: f64 = b.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
                    assert!((sum - b.length).abs() <= 1e-12 * sum, "{}", what());
                }
                _ => panic!("{}", what()),
            }
        }
    }
    points.len() / 2
}

fn compare_all(plans: &[TestPlan]) {
    let queries: usize = plans.iter().map(|plan| compare(plan, 40)).sum();
    assert!(queries >= plans.len() * 40, "{queries} queries");
}

#[test]
fn lengths_equal_those_of_the_visibility_graph_on_random_plans() {
    compare_all(&generators::mixed(3, 60, 150));
}

#[test]
fn lengths_equal_those_of_the_visibility_graph_on_a_thousand_random_plans() {
    compare_all(&generators::mixed(4, 1000, 300));
}

#[test]
fn lengths_equal_those_of_the_visibility_graph_in_the_zoo() {
    for plan in zoo::all().iter().filter(|plan| plan.len() <= 300) {
        compare(plan, 60);
    }
}

#[test]
fn paths_on_the_arena_are_between_the_straight_line_and_the_octile_length() {
    let mut lengths = Vec::new();
    for name in ["arena", "arena-merged"] {
        let Some(map) = data::map_named(name) else { return };
        let mesh = PlainMesh::parse(&data::read_text(&map.path).unwrap()).unwrap();
        let search = PlainPolyanya::new(&mesh);
        lengths.push(Vec::new());
        for query in data::queries(&map) {
            let [from, to] = query.centres();
            let found = search.shortest(from, to).unwrap_or_else(|| panic!("{name}: no path for {query:?}"));
            assert!(
                found.length <= query.octile * (1.0 + 1e-9) + query.rounding,
                "{name}: {query:?}: {found:?}"
            );
            assert!(found.length >= from.distance(to) * (1.0 - 1e-12), "{name}: {query:?}: {found:?}");
            lengths.last_mut().unwrap().push(found.length);
        }
    }
    for (a, b) in lengths[0].iter().zip(&lengths[1]) {
        assert!((a - b).abs() <= 1e-12 * a, "triangles and merged cells: {a} {b}");
    }
}

#[test]
fn the_bound_through_a_segment_is_the_closed_form() {
    let (left, right) = (dvec2(-1.0, 0.0), dvec2(1.0, 0.0));
    let through = |from, to| shortest_through(from, left, right, to);
    assert_eq!(through(dvec2(0., -1.), dvec2(0., 1.)), 2.0, "straight through");
    assert_eq!(through(dvec2(0., -1.), dvec2(0., -1.)), 2.0, "there and back");
    assert_eq!(through(dvec2(3., -1.), dvec2(3., 1.)), 2.0 * 5f64.sqrt(), "round the right end");
    assert_eq!(through(dvec2(-3., 0.), dvec2(3., 0.)), 6.0, "along the line");
    assert_eq!(through(dvec2(-3., 0.), dvec2(-2., 0.)), 3.0, "to the nearer end and back");
    assert_eq!(through(dvec2(0., 0.), dvec2(5., 0.)), 5.0, "from within");
}

#[test]
fn triangles_and_merged_cells_of_aurora_give_the_same_lengths() {
    let maps = ["aurora", "aurora-merged"].map(data::map_named);
    let [Some(triangles), Some(merged)] = maps else { return };
    let [a, b] = [&triangles, &merged]
        .map(|map| PlainPolyanya::new(&PlainMesh::parse(&data::read_text(&map.path).unwrap()).unwrap()));
    for query in data::queries(&merged).iter().step_by(199) {
        let [from, to] = query.centres();
        let [found, same] = [&a, &b].map(|search| search.shortest(from, to).expect("a path").length);
        assert!((found - same).abs() <= 1e-12 * found, "{query:?}: {found} {same}");
        assert!(found <= query.octile * (1.0 + 1e-9) + query.rounding, "{query:?}: {found}");
    }
}
