//! Surfaces without width: lines wind round them, and end.

use crate::shapes::grid;
use std::{
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};
use wayfare_core::{CancelFlag, Context, DVec3, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{
    ExactSolver, Field, Method, Query, Solver, SurfaceError, SurfaceMesh, SurfacePoint, VertexId, Work,
};

/// Distances from a vertex, or that they were not there in ten seconds.
fn solve(surface: &SurfaceMesh, source: u32) -> Result<Field, SurfaceError> {
    let source = SurfacePoint::at_vertex(surface, VertexId(source)).expect("has faces");
    let flag = CancelFlag::default();
    let context = Context::new(None, flag.clone());
    let (done, wait) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(Duration::from_secs(10)) == Err(RecvTimeoutError::Timeout) {
                flag.cancel();
            }
        });
        let field = ExactSolver::new(surface).solve(&[source], &Query::default(), &context);
        drop(done);
        field
    })
}

#[test]
fn faces_in_line_round_one_vertex_are_answered() {
    let vertices = [0.0, 3.0, 3.0, 2.0].map(|t| dvec3(t, t, 3.0)).to_vec();
    // Each vertex as the middle of the three faces, and all four faces.
    let all = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    for left_out in 0..=4 {
        let mut triangles = all.to_vec();
        if left_out < 4 {
            triangles.remove(left_out);
        }
        let mesh = TriangleMesh { vertices: vertices.clone(), triangles };
        let (surface, _) = SurfaceMesh::build(&mesh).expect("a surface");
        for source in 0..4 {
            let field = solve(&surface, source).unwrap_or_else(|e| panic!("{left_out}, {source}: {e}"));
            for (vertex, distance) in field.distances.iter().enumerate() {
                let straight = vertices[source as usize].distance(vertices[vertex]);
                assert!(
                    (distance - straight).abs() < 1e-9,
                    "{left_out}: {source} to {vertex}: {distance}, not {straight}"
                );
            }
        }
    }
}

/// A tube of `n` sides and a radius, a unit from ring to ring, with a tip at both ends if it is closed.
fn tube(n: u32, rings: u32, radius: f64, is_closed: bool) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for ring in 0..=rings {
        for k in 0..n {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(n);
            // The rings are askew, so that no two ways are as long.
            let z = f64::from(ring) + 0.07 * f64::from(k * k % 5);
            mesh.vertices.push(dvec3(radius * angle.cos(), radius * angle.sin(), z));
        }
    }
    for ring in 0..rings {
        for k in 0..n {
            let [a, b] = [k, (k + 1) % n].map(|k| ring * n + k);
            mesh.triangles.extend([[a, b, b + n], [a, b + n, a + n]]);
        }
    }
    if is_closed {
        let tip = mesh.vertices.len() as u32;
        mesh.vertices.extend([dvec3(0.0, 0.0, -1.0), dvec3(0.0, 0.0, f64::from(rings) + 1.5)]);
        for k in 0..n {
            mesh.triangles.push([tip, (k + 1) % n, k]);
            mesh.triangles.push([tip + 1, rings * n + k, rings * n + (k + 1) % n]);
        }
    }
    mesh
}

#[test]
fn along_tubes_without_width_the_way_is_as_long_as_their_piece() {
    for (n, is_closed) in [(3, false), (3, true), (4, true), (5, false)] {
        for radius in [0.0, 1e-13, 1e-11, 1e-10] {
            let mesh = tube(n, 3, radius, is_closed);
            let (surface, _) = SurfaceMesh::build(&mesh).expect("a surface");
            for source in 0..surface.vertex_count() as u32 {
                let field = solve(&surface, source).unwrap_or_else(|e| panic!("{n}, {radius}: {e}"));
                let at = SurfacePoint::at_vertex(&surface, VertexId(source)).expect("has faces");
                let virtual_sources = Solver::new(&surface, Method::VirtualSources)
                    .solve(&[at], &Query::default(), &Context::default())
                    .unwrap_or_else(|e| panic!("{n}, {radius}: {e}"));
                for Work { windows, .. } in [field.work, virtual_sources.work] {
                    let most = 200 * surface.half_edge_count() as u64;
                    assert!(windows < most, "{n}, {radius}: {windows} windows");
                }
                for (vertex, distance) in field.distances.iter().enumerate() {
                    let straight = (mesh.vertices[source as usize].z - mesh.vertices[vertex].z).abs();
                    assert!(
                        (distance - straight).abs() < 1e-9,
                        "{n}, {is_closed}, {radius}: {source} to {vertex}: {distance}, not {straight}"
                    );
                }
            }
        }
    }
}

#[test]
fn more_windows_than_the_limit_end_the_work() {
    let (surface, _) = SurfaceMesh::build(&tube(5, 3, 1.0, true)).expect("a surface");
    let source = SurfacePoint::at_vertex(&surface, VertexId(0)).expect("has faces");
    let mut solver = ExactSolver::new(&surface);
    let mut solve = |limit: Option<u64>| {
        limit.into_iter().for_each(|limit| solver.limit_windows(limit));
        solver.solve(&[source], &Query::default(), &Context::default())
    };
    let whole = solve(None).expect("within the limit");
    assert_eq!(solve(Some(5)), Err(SurfaceError::TooManyWindows { limit: 5 }));
    // Afterwards it is as good as new.
    assert_eq!(solve(Some(100_000)).expect("within the limit").distances, whole.distances);
}

#[test]
fn lines_do_not_wind_round_high_spikes() {
    // Every tenth face of a plane is a spike, up to a million times as high as wide: on its tip a line could wind 10⁶ times.
    let mut work = Vec::new();
    for height in [1e3, 1e6] {
        let mut mesh = grid(20, |x, y| dvec3(x, y, 0.0));
        for face in (0..mesh.triangles.len()).step_by(10) {
            let [a, b, c] = mesh.triangles[face];
            let tip = mesh.vertices.len() as u32;
            let foot = [a, b, c].map(|v| mesh.vertices[v as usize]).into_iter().sum::<DVec3>() / 3.0;
            mesh.vertices.push(foot + dvec3(0.0, 0.0, height));
            mesh.triangles[face] = [a, b, tip];
            mesh.triangles.extend([[b, c, tip], [c, a, tip]]);
        }
        let (surface, _) = SurfaceMesh::build(&mesh).expect("a surface");
        let field = solve(&surface, 0).unwrap_or_else(|e| panic!("{height}: {e}"));
        let back = solve(&surface, 440).unwrap_or_else(|e| panic!("{height}: {e}"));
        assert!((field.distances[440] - back.distances[0]).abs() < 1e-9);
        work.push(field.work.windows);
    }
    assert!(work[1] < 2 * work[0], "{work:?} windows");
}
