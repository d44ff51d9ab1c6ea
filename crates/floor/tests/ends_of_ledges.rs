//! Where ledges and straight sides of uneven ground end, on scenes whose corners are known in closed form.

use wayfare_core::{Context, DVec2, DVec3, dvec2, dvec3, ops};
use wayfare_floor::{FloorPlan, GroundConfig, plan_scene};
use wayfare_geom::TriangleMesh;
use wayfare_scene::Scene;

const TURNS: [f64; 7] = [0.0, 0.1, 0.35, 0.7, 1.0, 1.3, 2.0];

fn turned(p: DVec3, turn: f64) -> DVec3 {
    let (s, c) = (ops::sin(turn), ops::cos(turn));
    dvec3(c * p.x - s * p.y, s * p.x + c * p.y, p.z)
}

/// The plan of some four-sided faces, all turned by an angle.
fn plan_of(faces: &[[[f64; 3]; 4]], turn: f64) -> FloorPlan {
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for face in faces {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(face.map(|p| turned(DVec3::from_array(p), turn)));
        mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    let plan =
        plan_scene(&Scene::from_mesh(mesh), &GroundConfig::default(), &Context::default()).unwrap().plan;
    assert_eq!(plan.check(), []);
    plan
}

/// A level face over a rectangle of the plan.
fn level([x, y]: [f64; 2], [u, v]: [f64; 2], z: f64) -> [[f64; 3]; 4] {
    [[x, y, z], [u, y, z], [u, v, z], [x, v, z]]
}

/// The corner of a plan that is nearest to a place, turned back.
fn nearest(plan: &FloorPlan, turn: f64, place: DVec2) -> DVec3 {
    let corners = plan.vertices.iter().map(|(_, &p)| turned(p, -turn));
    let distance = |p: &DVec3| p.truncate().distance(place);
    corners.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap()
}

/// Ground that is level, then rises at 39 degrees, beside a slope that is too steep: the long straight side has one line, though the heights
/// between its ends are far from the line between them.
#[test]
fn uneven_ground_ends_at_the_foot_of_a_slope_that_is_too_steep() {
    for turn in TURNS {
        let (start, end, side, top) = (-2.0, 3.0, 1.04, 2.2);
        let heights = [[start, 0.0], [0.0, 0.0], [end, 2.4]];
        let mut faces = Vec::new();
        for pair in heights.windows(2) {
            let [[a, low], [b, high]] = [pair[0], pair[1]];
            faces.push([[a, -1.0, low], [b, -1.0, high], [b, side, high], [a, side, low]]);
            faces.push([[a, side, low], [b, side, high], [b, top, high + 2.0], [a, top, low + 2.0]]);
        }
        let plan = plan_of(&faces, turn);
        for corner in [dvec2(start, side), dvec2(end, side)] {
            let found = nearest(&plan, turn, corner);
            // Half a pixel.
            assert!(found.truncate().distance(corner) < 0.05, "turned by {turn}: {found} for {corner}");
        }
    }
}

/// Ground below two treads: from the first one steps down to it, from the second not. The ledge ends at the riser between them.
#[test]
fn a_ledge_ends_where_a_lower_tread_begins() {
    for turn in TURNS {
        for end in [0.02, 0.05] {
            let faces = [
                level([-3.0, -3.0], [3.0, 0.04], 0.0),
                level([-3.0, 0.04], [end, 2.0], 0.35),
                level([end, 0.04], [3.0, 2.0], 0.7),
                [[-3.0, 0.04, 0.0], [end, 0.04, 0.0], [end, 0.04, 0.35], [-3.0, 0.04, 0.35]],
                [[end, 0.04, 0.0], [3.0, 0.04, 0.0], [3.0, 0.04, 0.7], [end, 0.04, 0.7]],
                [[end, 0.04, 0.35], [end, 2.0, 0.35], [end, 2.0, 0.7], [end, 0.04, 0.7]],
            ];
            let corner = dvec2(end, 0.04);
            let found = nearest(&plan_of(&faces, turn), turn, corner);
            // An eighth of a pixel, and what lines keep off walls.
            assert!(found.truncate().distance(corner) < 0.02, "turned by {turn}: {found} for {corner}");
        }
    }
}

/// Beside a ramp on level ground the ledge begins where it becomes higher than a step, and not a pixel later.
#[test]
fn a_ledge_along_a_ramp_begins_where_it_is_too_high() {
    let (slope, step) = (0.6, GroundConfig::default().step);
    for turn in TURNS {
        let (foot, top) = ([-2.0, 0.04], [4.0, 2.0]);
        let ramp = |x: f64| slope * x;
        let faces = [
            level([-4.0, -3.0], [4.0, 0.04], 0.0),
            level([-4.0, 0.04], [0.0, 2.0], 0.0),
            [
                [0.0, foot[1], 0.0],
                [top[0], foot[1], ramp(top[0])],
                [top[0], top[1], ramp(top[0])],
                [0.0, top[1], 0.0],
            ],
            [
                [0.0, foot[1], 0.0],
                [top[0], foot[1], 0.0],
                [top[0], foot[1], ramp(top[0])],
                [0.0, foot[1], 0.0],
            ],
        ];
        let corner = dvec2(step / slope, 0.04);
        let found = nearest(&plan_of(&faces, turn), turn, corner);
        let height = ramp(found.x);
        assert!((step - 0.06..step + 0.015).contains(&height), "turned by {turn}: {height} m at {found}");
    }
}
