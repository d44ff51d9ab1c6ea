use crate::shapes::{assert_near, bumpy, field, grid, surface};
use wayfare_core::{Context, Id as _, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{ExactSolver, FaceId, Field, Query, SurfaceMesh, SurfacePoint, VertexId};

/// Every path is as long as its distance, in its faces and in space, and each piece lies in the face of its first point.
fn check_paths(mesh: &TriangleMesh, surface: &SurfaceMesh, found: &Field) {
    for vertex in (0..surface.vertex_count()).map(VertexId::new) {
        let path = found.path_to_vertex(surface, vertex).expect("one component");
        let places = path.positions(surface, mesh);
        let in_space: f64 = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let distance = found.distances[vertex.index()];
        assert_near(path.length, distance, || format!("to {vertex} in faces"));
        assert_near(in_space, distance, || format!("to {vertex} in space"));
        for pair in path.points.windows(2) {
            let face = surface.input_face(pair[0].face);
            let next = pair[1].position(surface, mesh);
            let [a, b, c] = mesh.points(face);
            let normal = (b - a).cross(c - a).normalize();
            assert!((next - a).dot(normal).abs() < 1e-9, "to {vertex}: a piece leaves its face");
        }
    }
}

#[test]
fn paths_on_bumps_are_as_long_as_their_distances() {
    for (noise, seed) in [(0.0, 1), (0.3, 2), (0.9, 3), (1.5, 4)] {
        let mesh = bumpy(8, noise, seed);
        let surface = surface(&mesh);
        for source in [0, 17, 60] {
            check_paths(&mesh, &surface, &field(&surface, source));
        }
    }
}

#[test]
fn paths_lead_round_holes_and_along_borders() {
    let mut mesh = grid(9, |x, y| dvec3(x, y, 0.3 * (x * 1.3).sin() * (y * 0.9).cos()));
    // Two windows and a notch.
    mesh.triangles = mesh
        .triangles
        .iter()
        .copied()
        .filter(|face| {
            let middle =
                face.map(|v| mesh.vertices[v as usize]).iter().copied().sum::<wayfare_core::DVec3>() / 3.0;
            let in_hole =
                |x: f64, y: f64| middle.x > x && middle.x < x + 2.0 && middle.y > y && middle.y < y + 3.0;
            !(in_hole(2.0, 2.0) || in_hole(5.0, 4.0) || in_hole(6.0, -1.0))
        })
        .collect();
    let (surface, repair) = SurfaceMesh::build(&mesh).unwrap();
    assert!(repair.is_empty(), "{repair}");
    let sources = SurfacePoint::at_input_vertex(&surface, 0).unwrap();
    let found = ExactSolver::new(&surface).solve(&sources, &Query::default(), &Context::default()).unwrap();
    let used: Vec<usize> = (0..surface.vertex_count()).filter(|&v| found.distances[v].is_finite()).collect();
    for &vertex in &used {
        let path = found.path_to_vertex(&surface, VertexId::new(vertex)).expect("reached");
        assert_near(path.length, found.distances[vertex], || format!("to {vertex}"));
    }
}

#[test]
fn paths_to_targets_begin_at_sources_inside_faces() {
    let mesh = bumpy(7, 0.5, 9);
    let surface = surface(&mesh);
    let point = |face: u32, weights| SurfacePoint::new(&surface, FaceId(face), weights).unwrap();
    let sources = [point(3, [1.0, 2.0, 3.0]), point(90, [0.0, 1.0, 1.0])];
    let targets: Vec<SurfacePoint> =
        (0..surface.face_count() as u32).map(|face| point(face, [1.0, f64::from(face % 3), 2.0])).collect();
    let query = Query { targets: targets.clone(), ..Query::default() };
    let found = ExactSolver::new(&surface).solve(&sources, &query, &Context::default()).unwrap();
    for (k, target) in targets.iter().enumerate() {
        let path = found.path_to_target(&surface, k).expect("one component");
        assert_near(path.length, found.targets[k], || format!("target {k}"));
        let (first, last) = (path.points[0], path.points[path.points.len() - 1]);
        let starts = sources.map(|source| source.position(&surface, &mesh));
        let begin = first.position(&surface, &mesh);
        assert!(starts.iter().any(|start| start.distance(begin) < 1e-12));
        assert!(last.position(&surface, &mesh).distance(target.position(&surface, &mesh)) < 1e-12);
    }
}
