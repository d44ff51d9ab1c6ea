//! Surfaces with distances that are known.

use wayfare_core::{DVec3, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_surface::{ExactSolver, Field, Query, SurfaceMesh, SurfacePoint};
use wayfare_testkit::Random;

/// A grid of (n + 1)² vertices, each at the place that `place` gives for its grid coordinates.
pub fn grid(n: u32, place: impl Fn(f64, f64) -> DVec3) -> TriangleMesh {
    let at = |i: u32, k: u32| k * (n + 1) + i;
    let mut mesh = TriangleMesh::default();
    for k in 0..=n {
        mesh.vertices.extend((0..=n).map(|i| place(f64::from(i), f64::from(k))));
    }
    for k in 0..n {
        for i in 0..n {
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            // The diagonals differ, and so do the turns.
            match (i + k) % 3 {
                0 => mesh.triangles.extend([[a, b, c], [a, c, d]]),
                1 => mesh.triangles.extend([[b, a, d], [b, c, d]]),
                _ => mesh.triangles.extend([[a, b, d], [b, c, d]]),
            }
        }
    }
    mesh
}

/// A fan of `n` faces round vertex 0 with a total angle, and rings outside it; a cone, a plane or a saddle, isometric to
/// what polar coordinates (radius, angle) say. Returns the coordinates of each vertex, too. As lengths: it need not fit space.
pub fn polar(n: u32, rings: u32, total: f64) -> (wayfare_surface::RawSurface, Vec<[f64; 2]>) {
    let mut places = vec![[0.0, 0.0]];
    for ring in 1..=rings {
        // Radii at which the inner angles stay in shape; turned a little from ring to ring.
        for k in 0..n {
            places.push([f64::from(ring), total * (f64::from(k) + 0.3 * f64::from(ring)) / f64::from(n)]);
        }
    }
    let at = |ring: u32, k: u32| if ring == 0 { 0 } else { 1 + (ring - 1) * n + k % n };
    let mut faces = Vec::new();
    for k in 0..n {
        faces.push([0, at(1, k), at(1, k + 1)]);
        for ring in 1..rings {
            faces.push([at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)]);
            faces.push([at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)]);
        }
    }
    let side = |a: u32, b: u32| {
        let [[r, s], [u, v]] = [a, b].map(|v| places[v as usize]);
        let angle = (s - v).rem_euclid(total).min((v - s).rem_euclid(total));
        (r * r + u * u - 2.0 * r * u * angle.cos()).max(0.0).sqrt()
    };
    // Both sides of an edge must have the same bits.
    let side = |a: u32, b: u32| side(a.min(b), a.max(b));
    let lengths = faces.iter().map(|&[a, b, c]| [side(a, b), side(b, c), side(c, a)]).collect();
    (wayfare_surface::RawSurface { vertices: places.len(), faces, lengths, joints: None }, places)
}

/// The surface of a box with edges of n unit squares each, closed.
pub fn cube(n: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let mut number = std::collections::BTreeMap::new();
    let mut vertex = |mesh: &mut TriangleMesh, p: [u32; 3]| {
        *number.entry(p).or_insert_with(|| {
            mesh.vertices.push(dvec3(f64::from(p[0]), f64::from(p[1]), f64::from(p[2])));
            mesh.vertices.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        for level in [0, n] {
            for i in 0..n {
                for k in 0..n {
                    let mut at = |i: u32, k: u32| {
                        let mut p = [0; 3];
                        (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (level, i, k);
                        vertex(&mut mesh, p)
                    };
                    let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
                    mesh.triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
    }
    mesh
}

/// A closed surface of random bumps: an icosphere-like grid of latitude and longitude with noise.
pub fn bumpy(n: u32, noise: f64, seed: u64) -> TriangleMesh {
    let mut random = Random::new(seed);
    let mut mesh = TriangleMesh::default();
    let mut rough = |p: DVec3| p * (1.0 + noise * (random.unit() - 0.5));
    mesh.vertices.push(rough(dvec3(0., 0., 1.)));
    for ring in 1..n {
        for k in 0..2 * n {
            let (polar, turn) = (f64::from(ring) / f64::from(n), f64::from(k) / f64::from(2 * n));
            let (polar, turn) = (polar * std::f64::consts::PI, turn * std::f64::consts::TAU);
            mesh.vertices.push(rough(dvec3(polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos())));
        }
    }
    mesh.vertices.push(rough(dvec3(0., 0., -1.)));
    let last = mesh.vertices.len() as u32 - 1;
    let at = |ring: u32, k: u32| match ring {
        0 => 0,
        ring if ring == n => last,
        ring => 1 + (ring - 1) * 2 * n + k % (2 * n),
    };
    for k in 0..2 * n {
        mesh.triangles.push([0, at(1, k), at(1, k + 1)]);
        for ring in 1..n - 1 {
            mesh.triangles.push([at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)]);
            mesh.triangles.push([at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)]);
        }
        mesh.triangles.push([at(n - 1, k), last, at(n - 1, k + 1)]);
    }
    mesh
}

/// The surface of a mesh that has no fault.
pub fn surface(mesh: &TriangleMesh) -> SurfaceMesh {
    let (surface, repair) = SurfaceMesh::build(mesh).expect("finite");
    assert!(repair.is_empty(), "{repair}");
    surface
}

/// The field of one vertex.
pub fn field(surface: &SurfaceMesh, source: usize) -> Field {
    let sources = SurfacePoint::at_input_vertex(surface, source).expect("a vertex with faces");
    ExactSolver::new(surface).solve(&sources, &Query::default(), &Default::default()).expect("sound")
}

/// Fails unless two distances agree to 1e-9.
#[track_caller]
pub fn assert_near(found: f64, expected: f64, what: impl Fn() -> String) {
    assert!(
        (found - expected).abs() <= 1e-9 * expected.abs().max(1e-3),
        "{}: {found} is not {expected}",
        what()
    );
}
