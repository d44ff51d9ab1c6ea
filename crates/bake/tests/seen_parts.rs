//! Scenes and plans full of features that are hardly there: walls that go on nearly straight, gaps beside them.

use wayfare_bake::{BakeConfig, bake, bake_exact, build_clearance};
use wayfare_core::{Context, DVec2, dvec2};
use wayfare_floor::{GroundConfig, Method, build_plan};
use wayfare_geom::{Polygon, segment::nearest_on_segment};
use wayfare_navmesh::CellId;
use wayfare_scene::{PlanSource, generated::scene_by_name};

/// In the caves walls go on nearly straight in pieces: where one takes over from the next their distances touch, and rounding moves that
/// place by its root. Parts that ended too early let features be seen that are far behind. In all of them gaps begin and end on walls.
#[test]
fn scenes_with_gaps_beside_walls_hold_on_the_finest_grid() {
    for name in ["cave-1", "spiral-3", "building-open-2"] {
        let scene = scene_by_name(name).expect("a generated scene");
        let ground = GroundConfig { method: Method::Exact, ..GroundConfig::default() };
        let made = bake_exact(&scene, &ground, &BakeConfig::default(), &Context::default()).expect("ground");
        assert_eq!((made.defects, made.note), (0, None), "{name}");
        assert!(made.unsettled.is_none(), "{name}");
        assert!(made.mesh.clearance().is_some(), "{name}");
    }
}

/// A hall with walls in many pieces, and pillars close to them; every corner of a piece is moved by up to `off` across the wall.
fn hall(off: f64, seed: u64) -> Vec<Polygon> {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let corners = [dvec2(0.3, 0.1), dvec2(20.1, 1.4), dvec2(19.2, 12.7), dvec2(-0.8, 11.3)];
    let mut outer = Vec::new();
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        let across = (b - a).perp().normalize();
        outer.push(a);
        let mut share = 0.0;
        while share < 0.9 {
            share += 0.01 + 0.08 * random();
            outer.push(a.lerp(b, share) + across * (off * (2.0 * random() - 1.0)));
        }
    }
    let pillar = |at: DVec2, size: f64| {
        vec![at, at + dvec2(0.1, size), at + dvec2(size, size), at + dvec2(size, -0.05)]
    };
    let holes = vec![
        pillar(dvec2(4.0 + random(), 4.0), 0.7),
        pillar(dvec2(10.0, 8.0 + random()), 1.3),
        pillar(dvec2(15.0, 5.0), 0.4 + random()),
    ];
    vec![Polygon { outer, holes }]
}

#[test]
fn corners_that_hardly_turn_leave_distances_as_they_are_or_are_refused() {
    let context = Context::default();
    let mut made = 0;
    for exponent in [-13, -11, -10, -9, -8, -7, -6] {
        for seed in 1..=12 {
            let source = PlanSource::from_polygons(hall(10f64.powi(exponent), seed));
            let (plan, _) = build_plan(&source, &context).expect("a plan");
            let mut mesh = bake(&plan, &BakeConfig::default(), &context).expect("a mesh");
            // Rather no distances than wrong ones.
            let Ok(clearance) = build_clearance(&mesh, &context) else { continue };
            mesh.set_clearance(Some(clearance));
            made += 1;
            let walls: Vec<[DVec2; 2]> = mesh
                .boundary()
                .chains()
                .flatten()
                .map(|&corner| mesh.edge(corner).map(|vertex| mesh.xy(vertex)))
                .collect();
            let clearances = mesh.clearances().expect("it was set");
            for cell in mesh.cells() {
                let points: Vec<DVec2> = mesh.cell_points(cell).collect();
                let middle = points.iter().sum::<DVec2>() / points.len() as f64;
                for p in points.iter().map(|&p| middle.lerp(p, 0.9)).filter(|&p| mesh.contains(cell, p)) {
                    let brute = walls
                        .iter()
                        .map(|&[a, b]| nearest_on_segment(p, a, b).distance(p))
                        .fold(f64::INFINITY, f64::min);
                    let found = clearances.at(CellId(cell.0), p).expect("there are walls").distance;
                    assert!((found - brute).abs() < 1e-9, "10^{exponent} m, {seed}: {found} {brute} at {p}");
                }
            }
        }
    }
    // Of 84; the others are refused, as their distances seen from two sides differ.
    assert!(made >= 78, "{made}");
}
