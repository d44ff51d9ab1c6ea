//! Plans with several layers, tags, drops and ground: what `check` accepts and what it reports.

use wayfare_core::{Defect, IdVec, dvec3};
use wayfare_floor::{EdgeKind, FloorPlan, Layer, PlanVertexId, Region, Ring};

fn ring(edges: &[(u32, EdgeKind)]) -> Ring {
    let (vertices, kinds) = edges.iter().map(|&(v, kind)| (PlanVertexId(v), kind)).unzip();
    Ring { vertices, kinds }
}

const WALL: EdgeKind = EdgeKind::Wall;
const DROP: EdgeKind = EdgeKind::Drop { depth: 2.0 };

/// Two squares side by side with different tags in layer 0, and a ramp in layer 1 that goes on from the second.
///
/// ```text
///  3 ─── 2 ─── 5 ─── 7        layer 0: 0 1 2 3 and 1 4 5 2
///  │     ╎     ┆     │        layer 1: 4 6 7 5, with the ground points 8 and 9 in the middle of its long sides
///  0 ─── 1 ─── 4 ─── 6
/// ```
fn plan() -> FloorPlan {
    let seam = EdgeKind::seam;
    let at = [
        (0., 0., 0.),
        (1., 0., 0.),
        (1., 1., 0.),
        (0., 1., 0.),
        (2., 0., 0.),
        (2., 1., 0.),
        (4., 0., 1.),
        (4., 1., 1.),
    ];
    let square = ring(&[(0, WALL), (1, EdgeKind::TagBorder), (2, WALL), (3, WALL)]);
    let grass = ring(&[(1, DROP), (4, seam(1)), (5, WALL), (2, EdgeKind::TagBorder)]);
    let ramp = ring(&[(4, DROP), (6, WALL), (7, WALL), (5, seam(0))]);
    let region = |outer, tag| Region { outer, tag, ..Region::default() };
    let ground = vec![[4, 8, 9], [4, 9, 5], [8, 6, 7], [8, 7, 9]];
    FloorPlan {
        vertices: at.iter().map(|&(x, y, z)| dvec3(x, y, z)).collect::<IdVec<PlanVertexId, _>>(),
        layers: vec![
            Layer { regions: vec![region(square, 0), region(grass, 1)] },
            Layer { regions: vec![Region { ground, ..region(ramp, 1) }] },
        ],
        tag_names: vec!["".into(), "grass".into()],
        ground_points: vec![dvec3(3., 0., 0.9), dvec3(3., 1., 0.9)],
        heights_error: 0.01,
        ..FloorPlan::default()
    }
}

/// What is reported after a change, as the invariants and messages.
fn after(change: impl FnOnce(&mut FloorPlan)) -> Vec<String> {
    let mut plan = plan();
    change(&mut plan);
    plan.check().iter().map(Defect::to_string).collect()
}

#[test]
fn layers_with_a_seam_a_border_and_a_ramp_are_valid_and_come_back_from_a_file() {
    assert_eq!(plan().check(), []);
    assert_eq!(FloorPlan::from_bytes(plan().to_bytes()).expect("a valid file"), plan());
}

/// One change and what is reported because of it.
type Case = (fn(&mut FloorPlan), &'static str);

#[test]
fn every_broken_promise_is_reported() {
    let cases: [Case; 16] = [
        (
            |plan| plan.layers[1].regions[0].outer.kinds[3] = WALL,
            "F2: layer 0, edge from vertex 4 to vertex 5: is shared",
        ),
        (
            |plan| plan.layers[1].regions[0].outer.kinds[3] = EdgeKind::seam(1),
            "is a seam to layer 1, its other side is in layer 0",
        ),
        (
            |plan| plan.layers[1].regions[0].outer.kinds[3] = EdgeKind::TagBorder,
            "but its other side is in layer 0",
        ),
        (|plan| plan.layers[0].regions[1].tag = 0, "is a border between tags, but both sides have the same"),
        (
            |plan| plan.layers[0].regions[0].outer.kinds[0] = EdgeKind::Drop { depth: f32::NAN },
            "F4: layer 0, region 0, ring 0: has a drop NaN m deep",
        ),
        (
            |plan| plan.layers[0].regions[0].outer.kinds[0] = EdgeKind::Drop { depth: 0.0 },
            "has a drop 0 m deep",
        ),
        (|plan| plan.vertices[PlanVertexId(3)].z = 1.0, "F5: layer 0, region 0: is not level"),
        (
            |plan| {
                plan.layers[1].regions[0].ground.pop();
            },
            "F5: layer 1, region 2: its ground does not follow the edge from vertex 7 to vertex 5",
        ),
        (|plan| plan.layers[1].regions[0].ground[0][1] = 99, "names points [4, 99, 9] of 10"),
        (|plan| plan.layers[1].regions[0].ground[0] = [4, 9, 8], "does not run counter-clockwise"),
        (
            |plan| {
                let twice = plan.layers[1].regions[0].ground[0];
                plan.layers[1].regions[0].ground.push(twice);
            },
            "F5: layer 1, region 2: its ground does not follow",
        ),
        (|plan| plan.ground_points[0].y = -0.1, "does not lie on the edge from vertex 4 to vertex 6"),
        (|plan| plan.heights_error = f64::NAN, "F5: heights_error: is NaN m"),
        (|plan| plan.ground_points[1].z = f64::INFINITY, "F5: ground point 1: lies at"),
        (|plan| plan.layers[0].regions[0].outer.vertices[2] = PlanVertexId(7), "F2"),
        (
            |plan| {
                plan.vertices.push(dvec3(9., 9., 0.));
                for t in plan.layers[1].regions[0].ground.iter_mut().flatten().filter(|k| **k > 7) {
                    *t += 1;
                }
            },
            "F1: vertex 8: is the corner of no ring",
        ),
    ];
    for (change, words) in cases {
        let found = after(change);
        assert!(found.iter().any(|line| line.contains(words)), "{words}: {found:?}");
    }
}

#[test]
fn a_vertex_of_two_fans_is_reported() {
    // The second square's lower corner is used by a third one, which touches it there only.
    let found = after(|plan| {
        let first = plan.vertices.push(dvec3(2.5, -1., 0.));
        let second = plan.vertices.push(dvec3(3., -1., 0.));
        // Ground points come after the vertices.
        for k in plan.layers[1].regions[0].ground.iter_mut().flatten().filter(|k| **k > 7) {
            *k += 2;
        }
        let outer = ring(&[(first.0, WALL), (second.0, WALL), (4, WALL)]);
        plan.layers[0].regions.push(Region { outer, ..Region::default() });
    });
    assert_eq!(found, ["F1: vertex 4: has 2 fans of ground that do not hang together there"]);
}

#[test]
fn regions_with_a_common_border_that_overlap_elsewhere_are_reported() {
    // The first square bulges over the second one, beside their border.
    let found = after(|plan| {
        let bulge = [(1.5, 2.), (1.5, 0.9)].map(|(x, y)| plan.vertices.push(dvec3(x, y, 0.)));
        for k in plan.layers[1].regions[0].ground.iter_mut().flatten().filter(|k| **k > 7) {
            *k += 2;
        }
        let outer = &mut plan.layers[0].regions[0].outer;
        outer.vertices.splice(3..3, [bulge[1], bulge[0]]);
        outer.kinds.splice(3..3, [WALL, WALL]);
    });
    assert!(found.iter().any(|line| line.starts_with("F3: layer 0: regions overlap at")), "{found:?}");
}

#[test]
fn a_vertex_may_have_seams_only() {
    // Four quarters of a square in two layers: their common corner lies inside.
    let seam = EdgeKind::seam;
    let at = [(0., 0.), (1., 0.), (1., 1.), (0., 1.), (0.5, 0.5)];
    let quarter = |a, b, other| Region {
        outer: ring(&[(a, WALL), (b, seam(other)), (4, seam(other))]),
        ..Region::default()
    };
    let layer = |regions: [Region; 2]| Layer { regions: regions.into() };
    let plan = FloorPlan {
        vertices: at.iter().map(|&(x, y)| dvec3(x, y, 0.)).collect::<IdVec<PlanVertexId, _>>(),
        layers: vec![
            layer([quarter(0, 1, 1), quarter(2, 3, 1)]),
            layer([quarter(1, 2, 0), quarter(3, 0, 0)]),
        ],
        tag_names: vec!["".into()],
        ..FloorPlan::default()
    };
    assert_eq!(plan.check(), []);
}
