use super::*;
use crate::{Place, SurfaceError, SurfacePoint};
use wayfare_core::{RepairReport, dvec3};
use wayfare_geom::TriangleMesh;

/// A surface with vertices at arbitrary, different places.
fn surface(vertices: usize, triangles: &[[u32; 3]]) -> (SurfaceMesh, RepairReport) {
    let place = |v: usize| {
        let v = v as f64;
        dvec3(v, (v * 0.7).sin() * 3.0, (v * 1.3).cos() * 2.0)
    };
    let mesh = TriangleMesh { vertices: (0..vertices).map(place).collect(), triangles: triangles.to_vec() };
    let made = SurfaceMesh::build(&mesh).unwrap();
    assert_eq!(made.0.check(), Vec::new());
    made
}

/// A band of `2 n` triangles round; twisted, it is a Möbius band.
fn band(n: u32, twisted: bool) -> Vec<[u32; 3]> {
    let at = |k: u32, top: bool| 2 * (k % n) + u32::from(top != (twisted && k == n));
    (0..n)
        .flat_map(|k| {
            [[at(k, false), at(k + 1, false), at(k, true)], [at(k, true), at(k + 1, false), at(k + 1, true)]]
        })
        .collect()
}

#[test]
fn a_band_has_two_borders_and_a_twisted_one_cannot_be_oriented() {
    let (plain, repair) = surface(12, &band(6, false));
    assert!(repair.is_empty());
    let facts = plain.facts();
    assert_eq!((facts.euler, facts.border_edges, facts.components, facts.non_orientable), (0, 12, 1, 0));
    let (twisted, repair) = surface(12, &band(6, true));
    assert!(repair.is_empty());
    let facts = twisted.facts();
    assert_eq!((facts.euler, facts.border_edges, facts.components, facts.non_orientable), (0, 12, 1, 1));
    assert!(twisted.edges().any(|h| twisted.is_mirrored(h)));
}

#[test]
fn faces_that_turn_differently_are_neighbours_all_the_same() {
    let (surface, repair) = surface(4, &[[0, 1, 2], [0, 1, 3]]);
    assert!(repair.is_empty());
    assert_eq!(surface.component_count(), 1);
    assert!(surface.is_orientable(0));
    assert!(surface.is_mirrored(HalfEdgeId(0)) && surface.twin(HalfEdgeId(0)) == Some(HalfEdgeId(3)));
}

#[test]
fn an_edge_of_three_faces_is_cut_and_reported() {
    let (surface, repair) = surface(5, &[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
    assert_eq!(repair.count("non-manifold-edge"), 1);
    assert_eq!(repair.count("non-manifold-vertex"), 2);
    let facts = surface.facts();
    assert_eq!((facts.components, facts.border_edges, facts.vertices), (3, 9, 9));
    assert_eq!(surface.copies_of(0).count(), 3);
    assert_eq!(surface.copies_of(2).count(), 1);
    let mut values: Vec<f64> = (0..surface.vertex_count()).map(|v| 20.0 - v as f64).collect();
    surface.fold_copies(&mut values);
    assert_eq!(values, [13.0, 12.0, 18.0, 17.0, 16.0]);
}

#[test]
fn two_fans_at_a_vertex_are_cut_and_reported() {
    let (surface, repair) = surface(5, &[[0, 1, 2], [0, 3, 4]]);
    assert_eq!(repair.to_string(), "1 × non-manifold-vertex (first: vertex 0: its faces make several fans)");
    assert_eq!(surface.component_count(), 2);
    assert_eq!(surface.input_vertex(VertexId(5)), 0);
}

#[test]
fn faces_that_are_none_are_set_aside_and_the_rest_keep_their_numbers() {
    let (surface, repair) = surface(4, &[[0, 0, 1], [0, 1, 2], [2, 0, 1], [1, 0, 2], [0, 1, 9], [0, 2, 3]]);
    assert_eq!(repair.count("degenerate-face"), 1);
    assert_eq!(repair.count("duplicate-face"), 2);
    assert_eq!(repair.count("out-of-range-face"), 1);
    assert_eq!(surface.face_count(), 2);
    assert_eq!([0, 1].map(|f| surface.input_face(FaceId(f))), [1, 5]);
}

#[test]
fn faces_without_area_are_opened_by_a_hair() {
    let vertices = [(0., 0.), (1., 0.), (2., 0.), (1., 1.), (1., 1.)].map(|(x, y)| dvec3(x, y, 0.)).to_vec();
    let mesh = TriangleMesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3], [2, 3, 4]] };
    let (surface, repair) = SurfaceMesh::build(&mesh).unwrap();
    assert_eq!(repair.count("zero-area-face"), 2);
    assert_eq!(surface.check(), Vec::new());
    assert!(surface.faces().all(|face| surface.area(face) > 0.0));
    assert!((surface.length(HalfEdgeId(2)) - 2.0).abs() < 1e-11);
    // Three corners in one place.
    let mesh = TriangleMesh { vertices: vec![dvec3(1., 2., 3.); 3], triangles: vec![[0, 1, 2]] };
    let (surface, _) = SurfaceMesh::build(&mesh).unwrap();
    assert_eq!(surface.check(), Vec::new());
}

#[test]
fn a_surface_of_lengths_may_have_two_edges_between_the_same_vertices() {
    // Two triangles joined along all three sides: a pillow, which no list of vertices could tell from one face.
    let raw = RawSurface {
        vertices: 3,
        faces: vec![[0, 1, 2], [0, 1, 2]],
        lengths: vec![[3.0, 4.0, 5.0]; 2],
        joints: Some(vec![[Some(3), Some(4), Some(5)], [Some(0), Some(1), Some(2)]]),
    };
    let (pillow, repair) = raw.clone().validate().unwrap();
    assert!(repair.is_empty());
    assert_eq!(pillow.check(), Vec::new());
    let facts = pillow.facts();
    assert_eq!((facts.euler, facts.border_edges, facts.non_orientable, facts.area), (2, 0, 0, 12.0));
    let mut bad = raw.clone();
    bad.lengths[1][0] = 3.5;
    assert!(matches!(bad.validate(), Err(SurfaceError::Joint { reason: "they have different lengths", .. })));
    let mut bad = raw.clone();
    bad.lengths[0][2] = 9.0;
    bad.lengths[1][2] = 9.0;
    assert!(matches!(bad.validate(), Err(SurfaceError::Inequality { face: 0, side: 2, .. })));
    let mut bad = raw;
    bad.joints.as_mut().unwrap()[1][0] = None;
    assert!(matches!(bad.validate(), Err(SurfaceError::Joint { reason: "it is joined to another", .. })));
}

#[test]
fn positions_that_are_none_are_refused_with_their_vertex() {
    let mesh = TriangleMesh { vertices: vec![dvec3(0., f64::NAN, 0.)], triangles: vec![] };
    assert!(matches!(SurfaceMesh::build(&mesh), Err(SurfaceError::Position { vertex: 0, .. })));
}

#[test]
fn points_know_what_they_lie_on() {
    let (surface, _) = surface(4, &[[0, 1, 2], [0, 2, 3]]);
    let point = |weights| SurfacePoint::new(&surface, FaceId(1), weights).unwrap();
    assert_eq!(point([0.0, 0.0, 7.0]).place(&surface), Place::Corner(HalfEdgeId(5)));
    let half = surface.length(HalfEdgeId(4)) * 0.5;
    assert_eq!(point([0.0, 2.0, 2.0]).place(&surface), Place::Edge(HalfEdgeId(4), half));
    assert_eq!(point([1.0, 1.0, 2.0]).place(&surface), Place::Face(FaceId(1)));
    assert!(SurfacePoint::new(&surface, FaceId(1), [-1.0, 1.0, 1.0]).is_err());
    assert!(SurfacePoint::new(&surface, FaceId(2), [1.0, 1.0, 1.0]).is_err());
    assert!(SurfacePoint::at_input_vertex(&surface, 4).is_err());
}
