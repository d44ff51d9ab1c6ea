//! Features and their coordinates.

use super::{Feature, FeatureId, Features};
use crate::{
    NavMesh,
    fixtures::{ell, mesh, squares},
    mesh::VertexId,
    raw::NO_CELL,
};
use wayfare_core::{DVec2, dvec2};

fn corners(features: &Features) -> Vec<&Feature> {
    features.ids().map(|id| features.get(id)).filter(|feature| !feature.is_edge()).collect()
}

/// Nine squares with a wall of no thickness between the lower and the middle one.
fn slit() -> NavMesh {
    let mut raw = squares(3, |_, _| true);
    for (cell, other) in [(1, 4), (4, 1)] {
        let corner = raw.corner_range(cell).find(|&corner| raw.neighbours[corner] == other);
        raw.neighbours[corner.unwrap()] = NO_CELL;
    }
    mesh(raw)
}

#[test]
fn an_l_has_seven_edges_and_one_corner_with_a_quarter_turn() {
    let mesh = mesh(ell());
    let features = Features::of(&mesh);
    let corners = corners(&features);
    assert_eq!((features.len(), corners.len()), (8, 1));
    let corner = corners[0];
    assert_eq!(corner.at, dvec2(1.0, 1.0));
    // From the ray of the wall before it to that of the wall after it, clockwise.
    assert!(corner.ray(corner.low).distance(dvec2(0.0, -1.0)) < 1e-15);
    assert!(corner.ray(corner.high).distance(dvec2(-1.0, 0.0)) < 1e-15);
    assert!((corner.ray(corner.low).dot(corner.ray(corner.high))).abs() < 1e-15);
    assert!(corner.ray(0.0).distance(dvec2(-1.0, -1.0).normalize()) < 1e-15);
    assert_eq!(features.of_vertex(&mesh, VertexId(3)).len(), 1);
    assert_eq!(features.of_vertex(&mesh, VertexId(2)).len(), 0);
}

#[test]
fn the_ends_of_a_wall_without_thickness_turn_by_half_a_turn() {
    let mesh = slit();
    let features = Features::of(&mesh);
    let corners = corners(&features);
    assert_eq!(corners.len(), 2);
    for corner in corners {
        assert!((corner.high - 1.0).abs() < 1e-15 && (corner.low + 1.0).abs() < 1e-15);
        let turned = corner.ray(corner.low).dot(corner.ray(corner.high));
        assert!((turned + 1.0).abs() < 1e-15);
    }
    // Both sides of the wall are features, and next to each other by way of its ends.
    let chain = features.chains().find(|chain| chain.len() == 4).unwrap();
    for id in chain.clone().map(FeatureId) {
        assert_eq!(features.previous(features.next(id)), id);
        assert!(chain.contains(&features.next(id).0));
    }
}

#[test]
fn parameters_and_heights_are_coordinates() {
    let mesh = slit();
    let features = Features::of(&mesh);
    for id in features.ids() {
        let feature = features.get(id);
        for k in 0..=10 {
            let parameter = feature.low + (feature.high - feature.low) * f64::from(k) / 10.0;
            for height in [1e-3, 0.5, 7.0] {
                let p = feature.point(parameter, height);
                assert!((feature.parameter(p) - parameter).abs() < 1e-12);
                assert!((feature.distance(p) - height).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn ties_are_as_far_from_both_and_lowest_where_it_is_said() {
    let mesh = mesh(squares(5, |x, y| (x, y) != (2, 2) && (x, y) != (0, 4)));
    let features = Features::of(&mesh);
    let distance = |feature: &Feature, p: DVec2| feature.distance(p);
    for a in features.ids().map(|id| features.get(id)) {
        for b in features.ids().map(|id| features.get(id)).filter(|&b| b != a) {
            let at = |k: u32| a.low + (a.high - a.low) * (f64::from(k) + 0.5) / 50.0;
            let ties: Vec<(f64, f64)> = (0..50).map(|k| (at(k), a.tie(b, at(k)))).collect();
            for &(parameter, height) in ties.iter().filter(|tie| tie.1.is_finite() && tie.1 > 1e-9) {
                let p = a.point(parameter, height);
                assert!((distance(a, p) - distance(b, p)).abs() < 1e-9 * height.max(1.0), "{a:?} {b:?} {p}");
            }
            if let Some(lowest) = a.lowest_tie(b).filter(|at| (a.low..=a.high).contains(at)) {
                let least = a.tie(b, lowest);
                assert!(ties.iter().all(|tie| tie.1 >= least - 1e-12 || tie.1 == 0.0), "{a:?} {b:?}");
            }
        }
    }
}
