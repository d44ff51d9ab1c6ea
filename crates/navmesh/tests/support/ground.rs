//! Ground of many triangles under a few cells, and its height by looking at all of them.

use wayfare_core::{DVec2, DVec3, dvec2, dvec3};
use wayfare_geom::predicates::orient;
use wayfare_navmesh::RawNavMesh;

/// The squares of a grid of `n` × `n` metres.
pub fn squares(n: u32) -> RawNavMesh {
    let points: Vec<DVec3> =
        (0..=n).flat_map(|y| (0..=n).map(move |x| dvec3(x.into(), y.into(), 0.0))).collect();
    let corners = (0..n).flat_map(|y| (0..n).map(move |x| y * (n + 1) + x));
    let polygons: Vec<[u32; 4]> = corners.map(|v| [v, v + 1, v + n + 2, v + n + 1]).collect();
    RawNavMesh::from_polygons(&points, &polygons).unwrap()
}

/// The corners of a triangle of the ground.
pub fn triangle(raw: &RawNavMesh, t: u32) -> [DVec3; 3] {
    raw.ground_triangles[t as usize].map(|k| raw.ground_points[k as usize])
}

/// Hills.
pub fn hill(p: DVec2) -> f64 {
    (p.x * 1.3).sin() * 0.7 + (p.y * 0.9 + p.x * 0.4).cos() * 0.5
}

/// Puts a lattice of triangles with `n` × `n` squares over the box from 0 to `size`, moved by `jitter` of a square
/// inside, under a mesh. Lists are found by comparing all with all.
pub fn with_ground(
    mut raw: RawNavMesh,
    size: f64,
    n: usize,
    jitter: f64,
    height: impl Fn(DVec2) -> f64,
) -> RawNavMesh {
    let step = size / n as f64;
    let mut seed = 7u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 40) as f64 / (1u64 << 24) as f64 - 0.5
    };
    for j in 0..=n {
        for i in 0..=n {
            let inside = i % n != 0 && j % n != 0;
            let off = if inside { dvec2(random(), random()) * jitter * step } else { DVec2::ZERO };
            let p = dvec2(i as f64, j as f64) * step + off;
            raw.ground_points.push(p.extend(height(p)));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let v = (j * (n + 1) + i) as u32;
            let up = v + n as u32 + 1;
            let pair = if (i + j) % 2 == 0 {
                [[v, v + 1, up + 1], [v, up + 1, up]]
            } else {
                [[v, v + 1, up], [v + 1, up + 1, up]]
            };
            raw.ground_triangles.extend(pair);
        }
    }
    raw.ground_starts.push(0);
    for cell in 0..raw.cell_count() {
        let ring: Vec<DVec2> = raw.corners
            [raw.cell_starts[cell] as usize..raw.cell_starts[cell + 1] as usize]
            .iter()
            .map(|&v| raw.vertices[v as usize].truncate())
            .collect();
        for t in 0..raw.ground_triangles.len() as u32 {
            if overlap(&ring, &triangle(&raw, t).map(DVec3::truncate)) {
                raw.ground_lists.push(t);
            }
        }
        raw.ground_starts.push(raw.ground_lists.len() as u32);
    }
    for k in 0..raw.vertices.len() {
        raw.vertices[k].z = scan(&raw, 0..raw.ground_triangles.len() as u32, raw.vertices[k].truncate());
    }
    raw
}

/// Whether two convex rings overlap: no edge of one has the other on its outer side.
fn overlap(a: &[DVec2], b: &[DVec2]) -> bool {
    let separates = |a: &[DVec2], b: &[DVec2]| {
        (0..a.len()).any(|k| {
            let (p, q) = (a[k], a[(k + 1) % a.len()]);
            b.iter().all(|&r| orient(p, q, r) <= 0.0)
        })
    };
    !separates(a, b) && !separates(b, a)
}

/// The height by looking at all triangles: the one whose smallest weight is largest.
pub fn scan(raw: &RawNavMesh, triangles: impl Iterator<Item = u32>, p: DVec2) -> f64 {
    let weighed = triangles.map(|t| {
        let corners = triangle(raw, t);
        let [a, b, c] = corners.map(DVec3::truncate);
        let area = (b - a).perp_dot(c - a);
        let w = [(b - p).perp_dot(c - p), (c - p).perp_dot(a - p), (a - p).perp_dot(b - p)].map(|w| w / area);
        (w[0].min(w[1]).min(w[2]), w[0] * corners[0].z + w[1] * corners[1].z + w[2] * corners[2].z)
    });
    weighed.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap().1
}
