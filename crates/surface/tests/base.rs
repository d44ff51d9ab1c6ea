//! Charts, flattening and the base mesh, on surfaces whose answer is known and on any triangles.

use proptest::prelude::*;
use std::f64::consts::{PI, TAU};
use wayfare_core::{Context, DVec3, Id as _, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{
    BaseMesh, BaseSolver, ChartedSurface, ExactSolver, FaceId, FlatStart, Method, Query, SegmentConfig,
    SurfaceMesh, SurfacePoint, VertexId,
};

/// A grid of so many squares; `around` joins its last column to the first.
fn grid(columns: usize, rows: usize, around: bool, place: impl Fn(f64, f64) -> DVec3) -> TriangleMesh {
    let across = if around { columns } else { columns + 1 };
    let mut mesh = TriangleMesh::default();
    for row in 0..=rows {
        for column in 0..across {
            mesh.vertices.push(place(column as f64 / columns as f64, row as f64 / rows as f64));
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let at = |c: usize, r: usize| (r * across + c % across) as u32;
            let (a, b) = (at(column, row), at(column + 1, row));
            let (c, d) = (at(column, row + 1), at(column + 1, row + 1));
            mesh.triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    mesh
}

fn cylinder() -> TriangleMesh {
    grid(36, 12, true, |u, v| dvec3((TAU * u).cos(), (TAU * u).sin(), 2.0 * v))
}

fn bumpy() -> TriangleMesh {
    grid(40, 40, false, |u, v| dvec3(4.0 * u, 4.0 * v, 0.5 * (PI * 2.0 * u).sin() * (PI * 2.0 * v).cos()))
}

fn torus() -> TriangleMesh {
    let mut mesh = grid(36, 18, true, |u, v| {
        let r = 2.0 + 0.7 * (TAU * v).cos();
        dvec3(r * (TAU * u).cos(), r * (TAU * u).sin(), 0.7 * (TAU * v).sin())
    });
    // Its last row is its first.
    mesh.triangles.iter_mut().flatten().for_each(|v| *v %= 36 * 18);
    mesh.vertices.truncate(36 * 18);
    mesh
}

fn sphere() -> TriangleMesh {
    let mut mesh = grid(24, 12, true, |u, v| {
        let (lat, lon) = (PI * (v - 0.5), TAU * u);
        dvec3(lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin())
    });
    // Each pole is one vertex.
    for v in mesh.triangles.iter_mut().flatten() {
        *v = if *v < 24 {
            0
        } else if *v >= 12 * 24 {
            12 * 24
        } else {
            *v
        };
    }
    mesh.triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    mesh
}

fn moebius() -> TriangleMesh {
    // Twice round, the second half mirrored: the last column is the first, turned over.
    let (columns, rows) = (40, 4);
    let mut mesh = grid(columns, rows, false, |u, v| {
        let (half, w) = (PI * u, v - 0.5);
        let r = 2.0 + w * half.cos();
        dvec3(r * (TAU * u).cos(), r * (TAU * u).sin(), w * half.sin())
    });
    let across = columns as u32 + 1;
    for v in mesh.triangles.iter_mut().flatten() {
        if *v % across == columns as u32 {
            *v = (rows as u32 - *v / across) * across;
        }
    }
    mesh
}

fn charted(mesh: &TriangleMesh, config: &SegmentConfig) -> ChartedSurface {
    let (made, _) = ChartedSurface::build(mesh.clone(), config, &Context::default()).unwrap();
    let defects = made.check();
    assert!(defects.is_empty(), "{defects:?}");
    made
}

/// Mean and largest |difference| to exact distances from a vertex, over the farthest.
fn errors(made: &ChartedSurface, source: usize) -> [f64; 2] {
    let surface = made.surface();
    let source = SurfacePoint::at_input_vertex(surface, source).unwrap();
    let exact = ExactSolver::new(surface).solve(&source, &Query::default(), &Context::default()).unwrap();
    let mut solver = BaseSolver::new(made.base(), surface);
    let (found, work) = solver.distances(&source, f64::INFINITY, &Context::default()).unwrap();
    assert!(work.windows > 0);
    let farthest = exact.distances.iter().copied().filter(|d| d.is_finite()).fold(0.0, f64::max);
    let (mut sum, mut most) = (0.0, 0.0f64);
    for (vertex, (a, b)) in found.iter().zip(&exact.distances).enumerate() {
        assert_eq!(a.is_finite(), b.is_finite(), "vertex {vertex}: {a} {b}");
        let error = if b.is_finite() { (a - b).abs() / farthest } else { 0.0 };
        sum += error;
        most = most.max(error);
    }
    [sum / found.len() as f64, most]
}

#[test]
fn what_can_be_unfolded_is_measured_to_rounding() {
    let cone = grid(36, 8, true, |u, v| {
        let r = 0.2 + v;
        dvec3(r * (TAU * u).cos(), r * (TAU * u).sin(), 1.5 * v)
    });
    // Three sides of a box: an open chain of squares, folded twice.
    let folded = grid(30, 10, false, |u, v| match u {
        u if u < 1.0 / 3.0 => dvec3(0.0, 3.0 * v, 1.0 - 3.0 * u),
        u if u < 2.0 / 3.0 => dvec3(3.0 * u - 1.0, 3.0 * v, 0.0),
        u => dvec3(1.0, 3.0 * v, 3.0 * u - 2.0),
    });
    for (name, mesh) in [("cylinder", cylinder()), ("cone", cone), ("folded box", folded)] {
        let all = charted(&mesh, &SegmentConfig { simplify: 0.0, ..SegmentConfig::default() });
        let few = charted(&mesh, &SegmentConfig::default());
        let angles = charted(&mesh, &SegmentConfig { start: FlatStart::Angles, ..SegmentConfig::default() });
        for made in [&all, &few, &angles] {
            let stretch = made.base().charts().stretch();
            assert!(stretch.linf_max < 1.0 + 1e-9 && stretch.shrink_max < 1.0 + 1e-9, "{name}: {stretch:?}");
            assert!(made.base().border_mismatch() < 1e-9, "{name}");
        }
        let [_, most] = errors(&all, 17);
        assert!(most < 1e-8, "{name}: {most}");
        // The border of a cone is an arc, which is cut short.
        let [_, most] = errors(&few, 17);
        assert!(most < if name == "cone" { 0.02 } else { 1e-8 }, "{name}: {most}");
        assert!(few.base().surface().face_count() < mesh.triangles.len() / 4, "{name}");
    }
}

#[test]
fn the_error_falls_with_the_limit() {
    for (name, mesh) in [("bumpy", bumpy()), ("torus", torus()), ("sphere", sphere()), ("moebius", moebius())]
    {
        let means: Vec<f64> = [1.03, 1.004]
            .into_iter()
            .map(|max_distortion| {
                let config = SegmentConfig { max_distortion, ..SegmentConfig::default() };
                let made = charted(&mesh, &config);
                let base = made.base();
                assert!(base.charts().stretch().linf_mean <= max_distortion, "{name}");
                let faces = base.surface().face_count();
                assert!(faces < mesh.triangles.len(), "{name}: {faces} of {}", mesh.triangles.len());
                let means: f64 = [30, 100, 150].iter().map(|&source| errors(&made, source)[0]).sum();
                means / 3.0
            })
            .collect();
        assert!(means[1] < means[0] && means[1] < 0.01, "{name}: {means:?}");
    }
}

#[test]
fn every_point_maps_there_and_back() {
    let made = charted(&torus(), &SegmentConfig { max_distortion: 1.01, ..SegmentConfig::default() });
    let (surface, base, mesh) = (made.surface(), made.base(), made.mesh());
    let size = surface.facts().area.sqrt();
    for face in surface.faces().step_by(7) {
        let point = SurfacePoint { face, barycentric: [0.5, 0.3, 0.2] };
        let there = base.to_base(surface, &point);
        let back = base.to_surface(surface, &there);
        let far = point.position(surface, mesh).distance(back.position(surface, mesh));
        assert!(far < 0.03 * size, "face {face}: {far}");
    }
    for vertex in (0..surface.vertex_count()).step_by(5) {
        let there = base.vertex_point(VertexId::new(vertex)).unwrap();
        let back = base.to_surface(surface, &there).position(surface, mesh);
        let far = back.distance(mesh.vertices[vertex]);
        assert!(far < 0.05 * size, "vertex {vertex}: {far}");
    }
}

#[test]
fn paths_over_charts_are_in_one_piece_and_little_longer_than_the_shortest() {
    for mesh in [torus(), bumpy(), cylinder()] {
        let made = charted(&mesh, &SegmentConfig { max_distortion: 1.01, ..SegmentConfig::default() });
        let (surface, base) = (made.surface(), made.base());
        let mut solver = BaseSolver::new(base, surface);
        let source = SurfacePoint::at_input_vertex(surface, 3).unwrap();
        let exact = ExactSolver::new(surface).solve(&source, &Query::default(), &Context::default()).unwrap();
        for vertex in (5..surface.vertex_count()).step_by(97) {
            let target = SurfacePoint::at_vertex(surface, VertexId::new(vertex)).unwrap();
            let field = solver.targets(&source, &[target], f64::INFINITY, &Context::default()).unwrap();
            let path = base.path_to_target(surface, &field, 0, &source, &target).unwrap().unwrap();
            let shortest = exact.distances[vertex];
            assert!(path.length >= shortest * (1.0 - 1e-9), "{} {shortest}", path.length);
            // A few hundredths of the surface's size: charts of a coarse mesh are coarse.
            let most = 1.05 * shortest + 0.03 * surface.facts().area.sqrt();
            assert!(path.length <= most, "to {vertex}: {} {shortest}", path.length);
            // Each point lies in the face of the one before it: the pieces in space are as long as the path.
            let positions = path.positions(surface, made.mesh());
            let length: f64 = positions.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            assert!((length - path.length).abs() < 1e-9 * length, "to {vertex}: {length} {}", path.length);
            assert!(positions[0].distance(mesh.vertices[3]) < 1e-9);
            assert!(positions.last().unwrap().distance(mesh.vertices[vertex]) < 1e-9);
        }
    }
}

#[test]
fn scaled_borders_are_exact_where_nothing_is_stretched_and_near_elsewhere() {
    for (mesh, most) in [(cylinder(), 1e-8), (bumpy(), 0.1), (torus(), 0.1)] {
        let made = charted(&mesh, &SegmentConfig { max_distortion: 1.01, ..SegmentConfig::default() });
        let surface = made.surface();
        let source = SurfacePoint::at_input_vertex(surface, 100).unwrap();
        let mut solver = BaseSolver::new(made.base(), surface);
        let (averaged, _) = solver.distances(&source, f64::INFINITY, &Context::default()).unwrap();
        let (scaled, work) = solver.scaled_distances(&source, f64::INFINITY).unwrap();
        assert!(work.windows > 0);
        let farthest = averaged.iter().copied().fold(0.0, f64::max);
        for (vertex, (a, b)) in scaled.iter().zip(&averaged).enumerate() {
            assert!((a - b).abs() <= most * farthest, "vertex {vertex}: {a} {b}");
        }
    }
}

#[test]
fn every_method_runs_on_the_base_mesh() {
    let made = charted(&bumpy(), &SegmentConfig { max_distortion: 1.01, ..SegmentConfig::default() });
    let surface = made.surface();
    let source = SurfacePoint::at_input_vertex(surface, 840).unwrap();
    let mut solver = BaseSolver::new(made.base(), surface);
    let (expected, _) = solver.distances(&source, f64::INFINITY, &Context::default()).unwrap();
    for method in [Method::VirtualSources, Method::FastMarching, Method::Dijkstra] {
        let (found, _) = solver.distances_by(method, &source, f64::INFINITY, &Context::default()).unwrap();
        for (vertex, (a, b)) in found.iter().zip(&expected).enumerate() {
            // From corner to corner of large faces: never much too short, but far too long.
            assert!(*a > 0.95 * b - 1e-9 && *a < b + 2.5, "{method:?}, vertex {vertex}: {a} {b}");
        }
    }
    // Single targets have the distances that all vertices have together.
    let target = SurfacePoint::at_vertex(surface, VertexId(77)).unwrap();
    let field = solver.targets(&source, &[target], f64::INFINITY, &Context::default()).unwrap();
    assert!((field.targets[0] - expected[77]).abs() < 1e-9 * expected[77]);
}

#[test]
fn files_come_back_as_they_were_written_and_altered_ones_are_refused() {
    let made = charted(&torus(), &SegmentConfig { max_distortion: 1.02, ..SegmentConfig::default() });
    let bytes = made.to_bytes();
    let read = ChartedSurface::from_bytes(bytes.clone()).unwrap();
    assert_eq!(read, made);
    assert_eq!(read.to_bytes(), bytes);
    let again = charted(&torus(), &SegmentConfig { max_distortion: 1.02, ..SegmentConfig::default() });
    assert_eq!(again.to_bytes(), bytes, "same input, same bytes");
    for at in (0..bytes.len()).step_by(997) {
        let mut bad = bytes.clone();
        bad[at] ^= 4;
        assert!(ChartedSurface::from_bytes(bad).is_err(), "byte {at}");
    }
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for bad in [
        SegmentConfig { max_distortion: 1.0, ..SegmentConfig::default() },
        SegmentConfig { max_distortion: f64::NAN, ..SegmentConfig::default() },
        SegmentConfig { charts: Some(0), ..SegmentConfig::default() },
        SegmentConfig { simplify: -1.0, ..SegmentConfig::default() },
    ] {
        assert!(ChartedSurface::build(cylinder(), &bad, &Context::default()).is_err(), "{bad:?}");
    }
}

#[test]
fn angles_lay_curved_charts_flat() {
    for (name, mesh) in
        [("bumps", bumpy()), ("torus", torus()), ("sphere", sphere()), ("Möbius band", moebius())]
    {
        let config =
            SegmentConfig { max_distortion: 1.02, start: FlatStart::Angles, ..SegmentConfig::default() };
        let made = charted(&mesh, &config);
        let [mean, most] = errors(&made, 100);
        assert!(mean < 0.02 && most < 0.08, "{name}: {mean} {most}");
    }
}

#[test]
fn a_surface_without_faces_has_no_charts() {
    let made = charted(&TriangleMesh::default(), &SegmentConfig::default());
    assert_eq!(made.base().charts().count(), 0);
    let one = TriangleMesh {
        vertices: vec![dvec3(0., 0., 0.), dvec3(1., 0., 0.), dvec3(0., 1., 0.)],
        triangles: vec![[0, 1, 2]],
    };
    let made = charted(&one, &SegmentConfig::default());
    assert_eq!((made.base().charts().count(), made.base().surface().face_count()), (1, 1));
    let flat = made.base().charts().flat(FaceId(0));
    assert!((flat[0][0] - flat[1][0]).hypot(flat[0][1] - flat[1][1]) > 0.99);
}

/// Found by fuzzing: the file was written and could not be read.
#[test]
fn a_face_that_names_no_vertex_is_refused() {
    let mesh = TriangleMesh { vertices: vec![dvec3(0., 0., 0.); 3], triangles: vec![[0, 1, 2], [0, 1, 3]] };
    let made = ChartedSurface::build(mesh, &SegmentConfig::default(), &Context::default());
    assert_eq!(made.unwrap_err().to_string(), "face 1 names vertex 3; there are 3");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn any_triangles_become_charts(
        points in prop::collection::vec((0i8..5, 0i8..5, 0i8..3), 4..14),
        corners in prop::collection::vec((0u32..14, 0u32..14, 0u32..14), 1..40),
        noise in prop::bool::ANY,
    ) {
        let n = points.len() as u32;
        let place = |(k, &(x, y, z)): (usize, &(i8, i8, i8))| {
            let shake = if noise { 0.1 * (k as f64 * 12.9898).sin() } else { 0.0 };
            dvec3(f64::from(x) + shake, f64::from(y), f64::from(z) - shake)
        };
        let mesh = TriangleMesh {
            vertices: points.iter().enumerate().map(place).collect(),
            triangles: corners.iter().map(|&(a, b, c)| [a % n, b % n, c % n]).collect(),
        };
        let (surface, _) = SurfaceMesh::build(&mesh).unwrap();
        let config = SegmentConfig { max_distortion: 1.05, ..SegmentConfig::default() };
        let base = BaseMesh::build(&mesh, &surface, &config, &Context::default()).unwrap();
        let made = ChartedSurface::build(mesh, &config, &Context::default()).unwrap().0;
        let defects = made.check();
        prop_assert!(defects.is_empty(), "{defects:?}");
        let mut solver = BaseSolver::new(&base, &surface);
        for vertex in 0..n as usize {
            let Ok(source) = SurfacePoint::at_input_vertex(&surface, vertex) else { continue };
            let (found, _) = solver.distances(&source, f64::INFINITY, &Context::default()).unwrap();
            prop_assert!(found.iter().all(|d| *d >= 0.0));
        }
        prop_assert_eq!(ChartedSurface::from_bytes(made.to_bytes()).unwrap(), made);
    }
}
