use crate::{
    CellId, LocateConfig, NavMesh, RawNavMesh,
    fixtures::{lines, mesh, raw, squares},
};
use wayfare_core::{DVec2, DVec3, dvec2, dvec3};
use wayfare_geom::predicates::orient;

/// Hills, with risers where they are asked for.
fn hill(p: DVec2) -> f64 {
    (p.x * 1.3).sin() * 0.7 + (p.y * 0.9 + p.x * 0.4).cos() * 0.5
}

/// Puts a lattice of triangles with `n` × `n` squares over the box from 0 to `size`, moved by `jitter` of a square
/// inside, under a mesh. Lists are found by comparing all with all.
fn with_ground(
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
        let ring: Vec<DVec2> = raw.corners[raw.corner_range(cell)]
            .iter()
            .map(|&v| raw.vertices[v as usize].truncate())
            .collect();
        for t in 0..raw.ground_triangles.len() as u32 {
            if overlap(&ring, &raw.ground_triangle(t).map(DVec3::truncate)) {
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
fn scan(raw: &RawNavMesh, triangles: impl Iterator<Item = u32>, p: DVec2) -> f64 {
    let weighed = triangles.map(|t| {
        let corners = raw.ground_triangle(t);
        let [a, b, c] = corners.map(DVec3::truncate);
        let area = (b - a).perp_dot(c - a);
        let w = [(b - p).perp_dot(c - p), (c - p).perp_dot(a - p), (a - p).perp_dot(b - p)].map(|w| w / area);
        (w[0].min(w[1]).min(w[2]), w[0] * corners[0].z + w[1] * corners[1].z + w[2] * corners[2].z)
    });
    weighed.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap().1
}

fn hills(n: usize) -> NavMesh {
    mesh(with_ground(squares(3, |_, _| true), 3.0, n, 0.4, hill))
}

#[test]
fn heights_are_those_of_the_triangle_that_holds_the_point() {
    for n in [2, 5, 40] {
        let mesh = hills(n);
        for k in 0..=60 {
            for l in 0..=60 {
                let p = dvec2(k as f64, l as f64) / 20.0;
                let expected = scan(&mesh.raw, 0..mesh.raw.ground_triangles.len() as u32, p);
                for cell in mesh.cells().filter(|&cell| mesh.contains(cell, p)) {
                    assert!((mesh.height(cell, p) - expected).abs() < 1e-9, "{n} {p} {cell}");
                }
            }
        }
    }
}

#[test]
fn beside_the_ground_the_nearest_rim_counts() {
    let mesh = hills(40);
    for (p, rim) in [((-1.0, 0.5), (0.0, 0.5)), ((5.0, -2.0), (3.0, 0.0)), ((1.5, 3.5), (1.5, 3.0))] {
        let rim = dvec2(rim.0, rim.1);
        let cell = mesh.cells().find(|&cell| mesh.contains(cell, rim)).unwrap();
        assert!((mesh.height(cell, dvec2(p.0, p.1)) - mesh.height(cell, rim)).abs() < 1e-12);
    }
}

#[test]
fn one_cell_over_many_triangles_is_located_on_and_snapped_to() {
    // Cells need not agree with triangles: a hexagon over 20,000 of them.
    let ring = [(0.5, 0.25), (2.0, 0.5), (2.75, 1.5), (2.0, 2.75), (1.0, 2.5), (0.25, 1.5)];
    let mesh = mesh(with_ground(raw(&ring, &[&[0, 1, 2, 3, 4, 5]]), 3.0, 100, 0.4, hill));
    let config = LocateConfig { snap: 2.0, ..LocateConfig::default() };
    for k in 0..200 {
        let p = dvec2(k as f64 * 0.619 % 3.0, k as f64 * 0.377 % 3.0);
        let at = p.extend(hill(p) + 0.3);
        let found = mesh.locate(at, &config).unwrap();
        assert!(mesh.contains(CellId(0), found.point.truncate()));
        if mesh.contains(CellId(0), p) {
            assert!((found.point.z - scan(&mesh.raw, 0..20_000, p)).abs() < 1e-9);
        }
        assert_eq!(mesh.cells_of(&found).collect::<Vec<_>>(), [CellId(0)]);
        // Nothing sampled is nearer than the closest point.
        let closest = mesh.closest_point(CellId(0), at);
        assert!((closest.z - mesh.height(CellId(0), closest.truncate())).abs() < 1e-9);
        for i in 0..=60 {
            for j in 0..=60 {
                let q = dvec2(i as f64, j as f64) / 20.0;
                if mesh.contains(CellId(0), q) {
                    let q = q.extend(mesh.height(CellId(0), q));
                    assert!(q.distance(at) > closest.distance(at) - 1e-9, "{at} {closest} {q}");
                }
            }
        }
    }
}

#[test]
fn storeys_over_each_other_keep_their_own_ground() {
    let floor = with_ground(squares(2, |_, _| true), 2.0, 9, 0.5, hill);
    let mut both = floor.clone();
    let shift = |list: &[u32], by: usize| list.iter().map(|k| k + by as u32).collect::<Vec<_>>();
    let up = dvec3(0.0, 0.0, 3.0);
    both.vertices.extend(floor.vertices.iter().map(|p| p + up));
    both.vertex_flags.extend(&floor.vertex_flags);
    both.corners.extend(shift(&floor.corners, floor.vertices.len()));
    let cells = floor.cell_count() as u32;
    let across = |&cell: &u32| if cell == crate::NO_CELL { cell } else { cell + cells };
    both.neighbours.extend(floor.neighbours.iter().map(across));
    both.cell_starts.extend(shift(&floor.cell_starts[1..], floor.corners.len()));
    both.tags.extend(&floor.tags);
    both.storeys.extend(floor.storeys.iter().map(|_| 1));
    both.ground_points.extend(floor.ground_points.iter().map(|p| p + up));
    both.ground_triangles
        .extend(floor.ground_triangles.iter().map(|t| t.map(|k| k + floor.ground_points.len() as u32)));
    both.ground_lists.extend(shift(&floor.ground_lists, floor.ground_triangles.len()));
    both.ground_starts.extend(shift(&floor.ground_starts[1..], floor.ground_lists.len()));
    let mesh = mesh(both);
    for k in 0..100 {
        let p = dvec2(k as f64 * 0.619 % 2.0, k as f64 * 0.377 % 2.0);
        for (storey, lift) in [(0, 0.0), (1, 3.0)] {
            let z = scan(&floor, 0..floor.ground_triangles.len() as u32, p) + lift;
            let found = mesh.locate(p.extend(z + 1.0), &LocateConfig::default()).unwrap();
            assert_eq!(found.storey, storey);
            assert!((found.point.z - z).abs() < 1e-9);
            assert!(mesh.cells_of(&found).all(|cell| mesh.storey(cell) == storey));
        }
    }
}

#[test]
fn level_ground_stays_level_to_the_last_bit() {
    let mut level = with_ground(squares(2, |_, _| true), 2.0, 9, 0.4, |_| 0.1);
    level.vertices.iter_mut().for_each(|p| p.z = 0.1);
    assert_eq!(mesh(level.clone()).flat, Some(0.1));
    level.ground_points[37].z = 0.2;
    assert_eq!(mesh(level).flat, None);
}

#[test]
fn every_defect_of_the_ground_is_reported() {
    let good = with_ground(squares(2, |_, _| true), 2.0, 2, 0.5, hill);
    let found = |change: &dyn Fn(&mut RawNavMesh)| {
        let mut bad = good.clone();
        change(&mut bad);
        lines(&bad.validate().unwrap_err())
    };
    assert_eq!(
        found(&|raw| {
            raw.drop_depths = vec![0.0; 16];
            raw.drop_depths[0] = f32::NAN;
            raw.drop_depths[1] = 1.0;
            raw.drop_depths[3] = f32::INFINITY;
            raw.heights_error = f64::INFINITY;
            raw.ground_points[3].z = f64::NAN;
            raw.ground_triangles[0].swap(0, 1);
            raw.ground_triangles[1][2] = 99;
            raw.ground_lists[0] = 50;
            raw.ground_starts[1] = 0;
        }),
        [
            "N0: drop_depths, corner 0: is NaN m, expected 0 or more",
            "N0: drop_depths, corner 1: is 1 m, but the edge is a portal",
            "N0: heights_error: is inf m, expected 0 or more",
            "N0: ground point 3: lies at (0, 1, NaN), beyond 1e7 m or not a number",
            "N0: ground triangle 0: does not run counter-clockwise round an area",
            "N0: ground triangle 1: names points [0, 4, 99] of 9",
            "N0: ground_lists, entry 0: names triangle 50 of 8",
            "N0: ground_starts, cell 1: has a list that does not ascend",
        ]
    );
    assert_eq!(
        found(&|raw| raw.ground_starts.clear()),
        ["N0: ground_lists: has entries, but no cell has a list"]
    );
    assert!(found(&|raw| raw.drop_depths = vec![1.0])[0].contains("has 1 entries, expected none or 16"));
    assert!(found(&|raw| raw.ground_starts = vec![0, 1])[0].contains("has 2 entries, expected none or 5"));
    let backwards = found(&|raw| raw.ground_starts[2] = u32::MAX);
    assert!(backwards.iter().any(|line| line.contains("cell 1: runs from")), "{backwards:?}");
}
