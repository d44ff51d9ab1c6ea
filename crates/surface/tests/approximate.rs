//! Fast methods against the exact one.

#[path = "exact/shapes.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod shapes;

use shapes::{bumpy, surface};
use wayfare_core::{Context, Id as _};
use wayfare_surface::{FaceId, Method, Query, Solver, SurfaceMesh, SurfacePoint, VertexId, distances};

/// Mean and largest error relative to the farthest distance, and how far it is too short at most.
fn errors(surface: &SurfaceMesh, sources: &[SurfacePoint], method: Method) -> [f64; 3] {
    let exact = distances(surface, sources, Method::Exact).unwrap();
    let found = distances(surface, sources, method).unwrap();
    let farthest = exact.iter().copied().fold(0.0, f64::max);
    let differences: Vec<f64> =
        found.iter().zip(&exact).map(|(found, exact)| (found - exact) / farthest).collect();
    let mean = differences.iter().map(|d| d.abs()).sum::<f64>() / differences.len() as f64;
    let largest = differences.iter().fold(0.0, |most: f64, d| most.max(d.abs()));
    [mean, largest, differences.iter().fold(0.0, |most: f64, d| most.max(-d))]
}

#[test]
fn each_method_errs_as_much_as_it_says() {
    let surface = surface(&bumpy(30, 0.06, 5));
    let source = SurfacePoint::at_input_vertex(&surface, 400).unwrap();
    let inside = [SurfacePoint::new(&surface, FaceId(700), [0.2, 0.5, 0.3]).unwrap()];
    for sources in [source.as_slice(), &inside] {
        let [mean, largest, _] = errors(&surface, sources, Method::VirtualSources);
        assert!(mean < 0.005 && largest < 0.06, "virtual sources: {mean}, {largest}");
        let [mean, largest, _] = errors(&surface, sources, Method::FastMarching);
        assert!(mean < 0.03 && largest < 0.12, "fast marching: {mean}, {largest}");
        let [mean, largest, short] = errors(&surface, sources, Method::Dijkstra);
        assert!(mean < 0.15 && largest < 0.3 && short < 1e-12, "Dijkstra: {mean}, {largest}, {short}");
    }
}

#[test]
fn every_method_stops_at_a_radius_and_knows_its_targets() {
    let surface = surface(&bumpy(16, 0.2, 8));
    let source = SurfacePoint::at_input_vertex(&surface, 3).unwrap();
    let targets: Vec<SurfacePoint> = [5u32, 200, 400]
        .map(|face| SurfacePoint::new(&surface, FaceId(face), [1.0, f64::from(face % 2), 1.0]).unwrap())
        .into_iter()
        .chain(SurfacePoint::at_input_vertex(&surface, 60).unwrap())
        .collect();
    for method in [Method::Exact, Method::VirtualSources, Method::FastMarching, Method::Dijkstra] {
        let mut solver = Solver::new(&surface, method);
        let query = Query { targets: targets.clone(), ..Query::default() };
        let all = solver.solve(&source, &query, &Context::default()).unwrap();
        assert!(all.distances.iter().chain(&all.targets).all(|distance| distance.is_finite()), "{method:?}");
        let query = Query { radius: 0.5, ..Query::default() };
        let near = solver.solve(&source, &query, &Context::default()).unwrap();
        for (near, all) in near.distances.iter().zip(&all.distances) {
            assert!(*near == f64::INFINITY && *all > 0.5 || near == all, "{method:?}: {near}, not {all}");
        }
        let query = Query { targets: targets.clone(), only_targets: true, ..Query::default() };
        let only = solver.solve(&source, &query, &Context::default()).unwrap();
        assert_eq!(only.targets, all.targets, "{method:?}");
        // Paths lead from the source to the end, and are no shorter than the distance along the surface.
        for k in 0..targets.len() {
            let path = all.path_to_target(&surface, k).unwrap();
            assert!(path.length >= all.targets[k] * 0.9, "{method:?}");
            assert!(path.points.len() >= 2);
        }
        for vertex in [1usize, 100, 300] {
            let path = all.path_to_vertex(&surface, VertexId::new(vertex)).unwrap();
            assert!(path.length >= all.distances[vertex] * 0.95, "{method:?}");
        }
    }
}
