//! Walls without thickness, from a plan to paths round them.

use std::f64::consts::PI;
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec2, DVec3, IdVec, dvec2};
use wayfare_floor::{EdgeKind, FloorPlan, Layer, PlanVertexId, Region, Ring};
use wayfare_navmesh::{Body, LocateConfig, NavMesh, PathFinder, PathScratch};

/// A room of 4 × 4 m turned by an angle, with a wall from the middle of its lower side to its middle and one that stands free.
fn plan(angle: f64) -> FloorPlan {
    let mut vertices = IdVec::<PlanVertexId, DVec3>::default();
    let mut ring = |points: &[(f64, f64)]| Ring {
        vertices: points.iter().map(|&(x, y)| vertices.push(turned(x, y, angle))).collect(),
        kinds: vec![EdgeKind::Wall; points.len()],
    };
    let outer = ring(&[(0., 0.), (2., 0.), (2., 2.), (2., 0.), (4., 0.), (4., 4.), (0., 4.)]);
    let holes = vec![ring(&[(0.5, 3.0), (0.5, 3.5)])];
    let region = Region { outer, holes, ..Region::default() };
    let layers = vec![Layer { regions: vec![region] }];
    FloorPlan { vertices, layers, tag_names: vec![String::new()], ..FloorPlan::default() }
}

fn turned(x: f64, y: f64, angle: f64) -> DVec3 {
    DVec2::from_angle(angle).rotate(dvec2(x, y)).extend(0.0)
}

fn baked(plan: &FloorPlan, config: &BakeConfig) -> NavMesh {
    let mut mesh = bake(plan, config, &Context::default()).expect("a mesh");
    let clearance = build_clearance(&mesh, &Context::default()).expect("a clearance");
    mesh.set_clearance(Some(clearance));
    mesh
}

#[test]
fn bodies_of_any_size_go_round_the_end_of_a_wall_without_thickness() {
    for angle in [0.0, 0.3, 1.0, 2.5] {
        let plan = plan(angle);
        // A turned free wall of one edge is a sound plan whatever rounding makes of it.
        assert_eq!(plan.check(), []);
        for convex_distance in [0.0, 0.2] {
            let mesh = baked(&plan, &BakeConfig { convex_distance, ..BakeConfig::default() });
            assert_eq!(mesh.check(), []);
            let (finder, mut scratch) = (PathFinder::new(&mesh), PathScratch::new());
            let [from, to] = [turned(1.0, 1.0, angle), turned(3.0, 1.0, angle)];
            for radius in [0.0, 0.1, 0.3, 0.6] {
                let path =
                    finder.find_for(&Body::disc(radius), from, to, &LocateConfig::default(), &mut scratch);
                let length = path.expect("a way round").length;
                // Tangents to the circle round the wall's end, √2 away, and the arc between: three quarters less what the tangents take.
                let away = 2f64.sqrt();
                let tangents = 2.0 * (away * away - radius * radius).sqrt();
                let closed_form = tangents + radius * (1.5 * PI - 2.0 * (radius / away).acos());
                assert!((length - closed_form).abs() < 1e-9, "radius {radius}: {length}, {closed_form}");
            }
        }
    }
}

#[test]
fn points_that_split_one_side_split_the_other() {
    // A notch on the left and one on the right, at different heights: cells end at the wall on both sides.
    let mut vertices = IdVec::<PlanVertexId, DVec3>::default();
    let points = [(0., 0.), (2., 0.), (2., 4.), (0., 4.), (0., 2.6), (1., 2.6), (1., 2.4), (0., 2.4)];
    let right = [(2., 0.), (4., 0.), (4., 1.4), (3., 1.4), (3., 1.6), (4., 1.6), (4., 4.), (2., 4.)];
    let mut region = |points: &[(f64, f64)]| {
        let ring = Ring {
            vertices: points.iter().map(|&(x, y)| vertices.push(DVec3::new(x, y, 0.0))).collect(),
            kinds: vec![EdgeKind::Wall; points.len()],
        };
        Region { outer: ring, ..Region::default() }
    };
    let regions = vec![region(&points), region(&right)];
    let plan = FloorPlan {
        vertices,
        layers: vec![Layer { regions }],
        tag_names: vec![String::new()],
        ..FloorPlan::default()
    };
    assert_eq!(plan.check(), []);
    let mesh = baked(&plan, &BakeConfig::default());
    assert_eq!(mesh.check(), []);
    let on_wall = |p: DVec2| p.x == 2.0;
    let mut heights: Vec<u64> =
        mesh.vertices().map(|v| mesh.xy(v)).filter(|&p| on_wall(p)).map(|p| p.y.to_bits()).collect();
    heights.sort_unstable();
    // Each place has a vertex on either side, and there are more than the four corners.
    assert!(heights.len() > 4, "no portal ends at the wall");
    assert!(heights.chunk_by(|a, b| a == b).all(|same| same.len() == 2), "{heights:?}");
}
