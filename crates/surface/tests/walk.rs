//! Straightest geodesics.

#[path = "exact/shapes.rs"]
mod shapes;

use shapes::{assert_near, bumpy, cube, field, grid, polar, surface};
use std::f64::consts::TAU;
use wayfare_core::dvec3;
use wayfare_surface::{FaceId, HalfEdgeId, Method, Query, Solver, SurfacePoint, VertexId, walk_straight};

#[test]
fn on_a_plane_the_walk_is_a_straight_line_through_vertices_too() {
    let mesh = grid(8, |x, y| dvec3(x, y, 0.0));
    let surface = surface(&mesh);
    for face in 0..surface.face_count() as u32 {
        for (angle, far) in
            [(0.0, 3.0), (0.4, 2.0), (0.25 * std::f64::consts::PI, 1.5), (2.2, 9.0), (4.0, 0.7)]
        {
            let direction = [f64::cos(angle), f64::sin(angle)];
            for weights in [[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]] {
                let start = SurfacePoint::new(&surface, FaceId(face), weights).unwrap();
                let path = walk_straight(&surface, &start, direction, far).unwrap();
                let places = path.positions(&surface, &mesh);
                let (first, last) = (places[0], places[places.len() - 1]);
                assert_near(first.distance(last), path.length, || format!("face {face}, {angle}"));
                assert!(path.length <= far);
                // It ends early at the border only.
                let at_border = last.x < 1e-9 || last.y < 1e-9 || last.x > 8.0 - 1e-9 || last.y > 8.0 - 1e-9;
                assert!(path.length > far - 1e-9 || at_border, "face {face}: ends at {last}");
            }
        }
    }
}

#[test]
fn round_a_box_the_walk_closes() {
    let mesh = cube(3);
    let surface = surface(&mesh);
    // Square to the edges, all the way round: 12 units, through the middles of faces.
    let start = SurfacePoint::new(&surface, FaceId(8), [0.5, 0.3, 0.2]).unwrap();
    let path = walk_straight(&surface, &start, [1.0, 0.0], 12.0).unwrap();
    let places = path.positions(&surface, &mesh);
    assert_near(path.length, 12.0, || "length".into());
    assert!(places[0].distance(places[places.len() - 1]) < 1e-9);
}

#[test]
fn through_a_tip_the_walk_leaves_equal_angles() {
    for total in [3.0, 5.0, TAU, 8.0] {
        let (raw, places) = polar(20, 6, total);
        let (surface, _) = raw.validate().unwrap();
        // From a vertex of ring 3 to the tip and 2 units on: half of the total angle further round.
        let source = 1 + 2 * 20;
        let found = field(&surface, 0);
        let route = found.path_to_vertex(&surface, VertexId(source)).unwrap();
        // The path runs along one ray; its direction at the vertex, backwards, in the frame of its last face.
        let before = route.points[route.points.len() - 2];
        let frame = before.face.half_edges()[0];
        let corner =
            before.face.half_edges().into_iter().find(|&h| surface.origin(h) == VertexId(source)).unwrap();
        let ([x, y], [u, v]) =
            (before.in_frame(&surface, frame), SurfacePoint::at_corner(corner).in_frame(&surface, frame));
        let path = walk_straight(&surface, &SurfacePoint::at_corner(corner), [x - u, y - v], 5.0).unwrap();
        assert_near(path.length, 5.0, || format!("angle {total}"));
        let end = *path.points.last().unwrap();
        let query = Query { targets: vec![end], ..Query::default() };
        let tip = SurfacePoint::at_vertex(&surface, VertexId(0)).unwrap();
        let from_tip =
            Solver::new(&surface, Method::Exact).solve(&[tip], &query, &Default::default()).unwrap();
        assert_near(from_tip.targets[0], 2.0, || format!("angle {total}: from the tip"));
        let start = SurfacePoint::at_vertex(&surface, VertexId(source)).unwrap();
        let straight =
            Solver::new(&surface, Method::Exact).solve(&[start], &query, &Default::default()).unwrap();
        let (r, s): (f64, f64) = (places[source as usize][0], 2.0);
        let turn = 0.5 * total;
        let expected =
            if turn < 0.5 * TAU { (r * r + s * s - 2.0 * r * s * turn.cos()).sqrt() } else { r + s };
        assert!(
            (straight.targets[0] - expected).abs() < 1e-7,
            "angle {total}: {} {expected}",
            straight.targets[0]
        );
    }
}

#[test]
fn walks_on_bumps_go_as_far_as_asked_and_never_shorter_than_the_distance() {
    let mesh = bumpy(12, 0.4, 3);
    let surface = surface(&mesh);
    for face in (0..surface.face_count() as u32).step_by(17) {
        let start = SurfacePoint::new(&surface, FaceId(face), [1.0, 2.0, 3.0]).unwrap();
        let path = walk_straight(&surface, &start, [0.3, f64::from(face % 7) - 3.0], 4.0).unwrap();
        assert_near(path.length, 4.0, || format!("face {face}"));
        let places = path.positions(&surface, &mesh);
        let in_space: f64 = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        assert_near(in_space, 4.0, || format!("face {face} in space"));
        let query =
            Query { targets: vec![*path.points.last().unwrap()], only_targets: true, ..Query::default() };
        let found =
            Solver::new(&surface, Method::Exact).solve(&[start], &query, &Default::default()).unwrap();
        assert!(found.targets[0] <= 4.0 + 1e-9);
    }
    let start = SurfacePoint::at_corner(HalfEdgeId(0));
    assert!(walk_straight(&surface, &start, [0.0, 0.0], 1.0).is_err());
    assert!(walk_straight(&surface, &start, [1.0, 0.0], f64::NAN).is_err());
}
