use crate::shapes::{assert_near, bumpy, field, grid, surface};
use wayfare_core::{CancelFlag, Context, Id as _, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{ExactSolver, FaceId, Query, SurfaceError, SurfaceMesh, SurfacePoint, exact_distances};

#[test]
fn sources_and_targets_lie_in_faces_on_edges_and_on_vertices() {
    let mesh = grid(6, |x, y| dvec3(x, y + 0.2 * x, 0.0));
    let surface = surface(&mesh);
    let weights = [[1.0, 1.0, 1.0], [0.0, 0.3, 0.7], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0], [0.2, 0.5, 0.3]];
    let points: Vec<SurfacePoint> = (0..72u32)
        .map(|face| SurfacePoint::new(&surface, FaceId(face), weights[face as usize % 5]).unwrap())
        .collect();
    let places: Vec<_> = points.iter().map(|point| point.position(&surface, &mesh)).collect();
    let mut solver = ExactSolver::new(&surface);
    for (source, at) in points.iter().zip(&places) {
        let query = Query { targets: points.clone(), ..Query::default() };
        let found = solver.solve(&[*source], &query, &Context::default()).unwrap();
        for (target, place) in found.targets.iter().zip(&places) {
            assert_near(*target, at.distance(*place), || format!("{at} to {place}"));
        }
        for (vertex, place) in mesh.vertices.iter().enumerate() {
            assert_near(found.distances[vertex], at.distance(*place), || format!("{at} to {vertex}"));
        }
        // Only the targets: the same, with less work.
        let near = Query { targets: vec![points[30]], only_targets: true, ..Query::default() };
        let early = solver.solve(&[*source], &near, &Context::default()).unwrap();
        assert_eq!(early.targets[0].to_bits(), found.targets[30].to_bits());
        assert!(early.work.windows <= found.work.windows);
    }
}

#[test]
fn many_sources_give_the_nearest() {
    let mesh = bumpy(8, 0.4, 7);
    let surface = surface(&mesh);
    let sources = [3usize, 40, 90];
    let points: Vec<SurfacePoint> =
        sources.iter().flat_map(|&v| SurfacePoint::at_input_vertex(&surface, v).unwrap()).collect();
    let together = exact_distances(&surface, &points).unwrap();
    let each = sources.map(|source| field(&surface, source).distances);
    for (vertex, &distance) in together.iter().enumerate() {
        let expected = each.iter().map(|field| field[vertex]).fold(f64::INFINITY, f64::min);
        assert_near(distance, expected, || format!("vertex {vertex}"));
    }
}

#[test]
fn a_radius_ends_the_work_and_what_lies_farther_is_infinite() {
    let mesh = bumpy(12, 0.3, 11);
    let surface = surface(&mesh);
    let all = field(&surface, 0);
    let query = Query { radius: 0.8, ..Query::default() };
    let source = SurfacePoint::at_input_vertex(&surface, 0).unwrap();
    let near = ExactSolver::new(&surface).solve(&source, &query, &Context::default()).unwrap();
    assert!(near.work.windows * 2 < all.work.windows);
    for (found, expected) in near.distances.iter().zip(&all.distances) {
        let expected = if *expected <= 0.8 { *expected } else { f64::INFINITY };
        assert_eq!(*found, expected);
    }
}

#[test]
fn between_components_the_distance_is_infinite() {
    let mut mesh = grid(2, |x, y| dvec3(x, y, 0.0));
    let offset = mesh.vertices.len() as u32;
    let far = grid(2, |x, y| dvec3(x + 9.0, y, 0.0));
    mesh.vertices.extend(&far.vertices);
    mesh.vertices.push(dvec3(50.0, 0.0, 0.0));
    mesh.triangles.extend(far.triangles.iter().map(|face| face.map(|v| v + offset)));
    let surface = surface(&mesh);
    let found = field(&surface, 4);
    assert!(found.distances[..9].iter().all(|distance| distance.is_finite()));
    assert!(found.distances[9..].iter().all(|distance| *distance == f64::INFINITY));
    assert!(found.path_to_vertex(&surface, wayfare_surface::VertexId::new(12)).is_none());
    // A vertex without a face is no source.
    assert!(matches!(SurfacePoint::at_input_vertex(&surface, 18), Err(SurfaceError::Point(_))));
    // A target that cannot be reached is not waited for.
    let target = SurfacePoint::at_input_vertex(&surface, 12).unwrap()[0];
    let query = Query { targets: vec![target], only_targets: true, ..Query::default() };
    let source = SurfacePoint::at_input_vertex(&surface, 4).unwrap();
    let found = ExactSolver::new(&surface).solve(&source, &query, &Context::default()).unwrap();
    assert_eq!(found.targets, [f64::INFINITY]);
}

#[test]
fn faces_without_area_change_no_distance() {
    // A quad of a plane whose diagonal is crossed by a face without area, and a vertex that is there twice.
    let vertices =
        [(0., 0.), (2., 0.), (2., 2.), (0., 2.), (1., 1.), (1., 1.)].map(|(x, y)| dvec3(x, y, 0.)).to_vec();
    let triangles = vec![[0, 1, 2], [0, 2, 4], [0, 4, 5], [4, 2, 5], [0, 5, 3], [5, 2, 3]];
    let mesh = TriangleMesh { vertices, triangles };
    let (surface, repair) = SurfaceMesh::build(&mesh).unwrap();
    assert_eq!(repair.count("zero-area-face"), 3);
    for source in 0..6 {
        let found = field(&surface, source);
        for (vertex, &distance) in found.distances.iter().enumerate() {
            let straight = mesh.vertices[source].distance(mesh.vertices[vertex]);
            assert!((distance - straight).abs() < 1e-9, "{source} to {vertex}: {distance}, not {straight}");
        }
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let mesh = bumpy(4, 0.0, 1);
    let surface = surface(&mesh);
    let source = SurfacePoint::at_input_vertex(&surface, 0).unwrap();
    let mut solver = ExactSolver::new(&surface);
    let query = Query { radius: f64::NAN, ..Query::default() };
    assert!(matches!(solver.solve(&source, &query, &Context::default()), Err(SurfaceError::Config { .. })));
    let nowhere = SurfacePoint { face: FaceId(9999), barycentric: [1.0, 0.0, 0.0] };
    assert!(solver.solve(&[nowhere], &Query::default(), &Context::default()).is_err());
    let flag = CancelFlag::default();
    flag.cancel();
    let big = bumpy(60, 0.3, 1);
    let big = crate::shapes::surface(&big);
    let stopped = ExactSolver::new(&big).solve(&source, &Query::default(), &Context::new(None, flag));
    assert!(matches!(stopped, Err(SurfaceError::Cancelled(_))));
    let none = solver.solve(&[], &Query::default(), &Context::default()).unwrap();
    assert!(none.distances.iter().all(|distance| distance.is_infinite()));
}
