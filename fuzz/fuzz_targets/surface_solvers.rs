//! Any triangles become a sound surface with charts (none of them if one names a vertex that is not there), and every solver answers on it: distances are not negative, exact ones the
//! smallest; files come back as they were written.
//!
//! The first byte chooses the numbers: a few places on a lattice (flat faces, coincident vertices), a fine lattice, or doubles
//! of any kind. Then come the vertices, then the faces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{
    BaseSolver, ChartedSurface, Method, Query, SegmentConfig, Solver, SurfaceMesh, SurfacePoint, VertexId,
};

fuzz_target!(|data: &[u8]| {
    let Some((&[choice, count, from, to], data)) = data.split_first_chunk::<4>() else { return };
    let size = if choice % 3 == 2 { 24 } else { 3 };
    let (places, faces) = data.split_at(data.len().min(usize::from(count % 48) * size));
    let vertices: Vec<DVec3> = places.chunks_exact(size).map(|bytes| place(choice % 3, bytes)).collect();
    let triangles =
        faces.chunks_exact(3).take(200).map(|face| [0, 1, 2].map(|k| u32::from(face[k] % 50))).collect();
    let mesh = TriangleMesh { vertices, triangles };
    let Ok((surface, _)) = SurfaceMesh::build(&mesh) else { return };
    assert_eq!(surface.check(), []);
    if surface.face_count() == 0 {
        return;
    }
    let vertex = |byte: u8| VertexId(u32::from(byte) % surface.vertex_count() as u32);
    let Some(source) = SurfacePoint::at_vertex(&surface, vertex(from)) else { return };
    let query = Query { targets: vec![source], ..Query::default() };
    let solve = |method| {
        let field = Solver::new(&surface, method).solve(&[source], &query, &Context::default());
        field.expect("a point of the surface")
    };
    let exact = solve(Method::Exact);
    for method in [Method::VirtualSources, Method::FastMarching, Method::Dijkstra] {
        let found = solve(method);
        for (found, exact) in found.distances.iter().zip(&exact.distances) {
            assert!(
                *found >= 0.0 && found.is_finite() == exact.is_finite(),
                "{method:?}: {found}, exact {exact}"
            );
            if method == Method::Dijkstra && exact.is_finite() {
                assert!(
                    *exact <= found * (1.0 + 1e-6) + 1e-9,
                    "{exact} is longer than along the edges, {found}"
                );
            }
        }
        let _ = found.path_to_vertex(&surface, vertex(to));
    }
    let config =
        SegmentConfig { max_distortion: 1.0 + f64::from(to) / 1000.0 + 1e-3, ..SegmentConfig::default() };
    if let Ok((charted, _)) = ChartedSurface::build(mesh.clone(), &config, &Context::default()) {
        assert_eq!(charted.check(), []);
        let mut solver = BaseSolver::new(charted.base(), charted.surface());
        let found = solver.distances(&[source], f64::INFINITY, &Context::default());
        let (found, _) = found.expect("a point of the surface");
        for (found, exact) in found.iter().zip(&exact.distances) {
            assert!(*found >= 0.0 && found.is_finite() == exact.is_finite(), "base: {found}, exact {exact}");
        }
        let again = ChartedSurface::from_bytes(charted.to_bytes()).expect("what was written can be read");
        assert_eq!(again, charted);
    }
    if let Some(path) = exact.path_to_vertex(&surface, vertex(to)) {
        assert!(path.length.is_finite() && !path.points.is_empty());
    }
});

fn place(numbers: u8, bytes: &[u8]) -> DVec3 {
    match numbers {
        0 => dvec3(f64::from(bytes[0] & 3), f64::from(bytes[1] & 3), f64::from(bytes[2] & 3)),
        1 => dvec3(f64::from(bytes[0]) / 7.0, f64::from(bytes[1]) / 7.0, f64::from(bytes[2]) / 7.0),
        _ => {
            let number =
                |k: usize| f64::from_le_bytes(bytes[8 * k..8 * k + 8].try_into().expect("eight bytes"));
            dvec3(number(0), number(1), number(2))
        }
    }
}
