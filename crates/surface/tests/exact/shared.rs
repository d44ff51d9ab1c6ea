use crate::shapes::assert_near;
use wayfare_core::{Context, Id as _};
use wayfare_surface::{ExactSolver, Query, SurfaceMesh, SurfacePoint, VertexId};
use wayfare_testkit::data::shared_data;

/// Small shared surfaces, dirty ones among them: distances are symmetric, paths as long as distances.
#[test]
fn shared_surfaces_have_symmetric_distances_and_true_paths() {
    let Some(root) = shared_data() else { return };
    let names = [
        "fox.ply",
        "moebius.obj",
        "hourglass_ico.obj",
        "high_genus.off.gz",
        "triceratops.off.gz",
        "three_peaks.off.gz",
        "boeing.off.gz",
        "degenerated-sd.off.gz",
        "cheese.off.gz",
    ];
    for name in names {
        let path = root.join("surfaces").join(name);
        let (mesh, _) = wayfare_scene::read_mesh(&path, 1 << 30).expect("a surface");
        let (surface, _) = SurfaceMesh::build(&mesh).expect("a surface");
        assert_eq!(surface.check(), [], "{name}");
        let mut solver = ExactSolver::new(&surface);
        let mut solve = |vertex: VertexId| {
            let source = SurfacePoint::at_vertex(&surface, vertex).expect("has faces");
            solver.solve(&[source], &Query::default(), &Context::default()).expect("sound")
        };
        let source = surface.origin(wayfare_surface::HalfEdgeId::new(surface.half_edge_count() / 2));
        let there = solve(source);
        let vertices = surface.vertex_count();
        let mut asked = 0;
        for k in 1..9 {
            let vertex = VertexId::new(k * vertices / 9);
            let distance = there.distances[vertex.index()];
            if !distance.is_finite() {
                continue;
            }
            asked += 1;
            let route = there.path_to_vertex(&surface, vertex).expect("reached");
            assert_near(route.length, distance, || format!("{name}: path to {vertex}"));
            if k % 4 == 1 {
                let back = solve(vertex).distances[source.index()];
                assert_near(back, distance, || format!("{name}: {vertex} and back"));
            }
        }
        assert!(asked > 0 || name == "boeing.off.gz", "{name}");
    }
}
