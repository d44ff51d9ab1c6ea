//! Any triangles: a sound surface, and an answer of every solver.

use wayfare_core::{Context, DVec3, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{
    ChartedSurface, Method, Query, SegmentConfig, Solver, SurfaceMesh, SurfacePoint, VertexId,
};
use wayfare_testkit::Random;

/// Vertices on a lattice, so that many coincide and many faces are flat, or anywhere; faces of any three of them.
fn soup(random: &mut Random) -> TriangleMesh {
    let (count, cells) = (4 + random.below(24), [2, 3, 5, 1 << 20][random.below(4)]);
    let mut place = || f64::from(random.below(cells) as u32) / (cells as f64) * 3.0;
    let vertices: Vec<DVec3> = (0..count).map(|_| dvec3(place(), place(), place())).collect();
    let faces = 2 + random.below(60);
    let triangles = (0..faces).map(|_| [0; 3].map(|_: u32| random.below(count) as u32)).collect();
    TriangleMesh { vertices, triangles }
}

#[test]
fn every_solver_answers_on_any_triangles() {
    let mut random = Random::new(20);
    let (mut paths, mut lost) = (0, 0);
    for case in 0..4000 {
        let mesh = soup(&mut random);
        let (surface, _) = SurfaceMesh::build(&mesh).unwrap();
        assert_eq!(surface.check(), [], "case {case}");
        let source = VertexId(random.below(surface.vertex_count()) as u32);
        let Some(source) = SurfacePoint::at_vertex(&surface, source) else { continue };
        let solve = |method| {
            Solver::new(&surface, method).solve(&[source], &Query::default(), &Context::default()).unwrap()
        };
        let exact = solve(Method::Exact);
        for method in [Method::VirtualSources, Method::FastMarching, Method::Dijkstra] {
            let found = solve(method);
            for (vertex, (found, exact)) in found.distances.iter().zip(&exact.distances).enumerate() {
                assert!(
                    *found >= 0.0 && found.is_finite() == exact.is_finite(),
                    "case {case}, {method:?}, {vertex}"
                );
                let along_edges = method == Method::Dijkstra && exact.is_finite();
                assert!(
                    !along_edges || *exact <= found + 1e-9,
                    "case {case}, {vertex}: {exact} over {found}"
                );
            }
        }
        for vertex in 0..surface.vertex_count() as u32 {
            let Some(path) = exact.path_to_vertex(&surface, VertexId(vertex)) else { continue };
            let distance = exact.distances[vertex as usize];
            assert!(
                path.length.is_finite() && path.length >= distance - 1e-9,
                "case {case}, path to {vertex}"
            );
            paths += 1;
            lost += usize::from(path.length > distance * (1.0 + 1e-9));
        }
    }
    assert_eq!(lost, 0, "of {paths} paths are longer than their distances");
}

#[test]
fn charts_of_any_triangles_are_flat_and_none_is_turned_over() {
    // Faces without width, whose sides are of one length or none.
    let far = 255.0 / 7.0 * DVec3::ONE;
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::ZERO, 48.0 / 7.0 * DVec3::Z, far, far, far - DVec3::X];
    let needles = TriangleMesh { vertices, triangles: vec![[2, 0, 5], [4, 5, 2], [5, 4, 0]] };
    let mut random = Random::new(21);
    let soups: Vec<TriangleMesh> = (0..600).map(|_| soup(&mut random)).collect();
    for (case, mesh) in [needles].into_iter().chain(soups).enumerate() {
        for max_distortion in [1.001, 1.02, 1.2] {
            let config = SegmentConfig { max_distortion, ..SegmentConfig::default() };
            let Ok((charted, _)) = ChartedSurface::build(mesh.clone(), &config, &Context::default()) else {
                continue;
            };
            assert_eq!(charted.check(), [], "case {case}, limit {max_distortion}");
        }
    }
}
