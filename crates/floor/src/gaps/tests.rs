//! Gaps of small surfaces whose fillings are known.

use super::*;
use wayfare_core::{DVec2, DVec3, dvec2, dvec3};
use wayfare_geom::triangulation::{EdgeRole, Triangulation};

/// Adds level ground with an outline (counter-clockwise) and holes (clockwise) to a mesh.
fn add_ground(mesh: &mut TriangleMesh, rings: &[Vec<DVec2>], z: f64) {
    let made = Triangulation::build(rings).unwrap();
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(made.points().iter().map(|p| p.extend(z)));
    for h in 0..made.half_edge_count() as u32 {
        let around = [
            h,
            if made.is_inside(h) { made.next(h) } else { h },
            if made.is_inside(h) { made.prev(h) } else { h },
        ];
        if made.is_inside(h) && h == *around.iter().min().unwrap() {
            mesh.triangles.push(around.map(|side| first + made.origin(side)));
        }
    }
    assert!(made.edge_count() > 0 && made.role(0) != EdgeRole::Portal);
}

fn rectangle(x: [f64; 2], y: [f64; 2]) -> Vec<DVec2> {
    vec![dvec2(x[0], y[0]), dvec2(x[1], y[0]), dvec2(x[1], y[1]), dvec2(x[0], y[1])]
}

fn hole(x: [f64; 2], y: [f64; 2]) -> Vec<DVec2> {
    rectangle(x, y).into_iter().rev().collect()
}

/// The gaps of ground that nothing stands on.
fn gaps_of(mesh: &TriangleMesh, config: &GapConfig) -> GapSurface {
    gaps_with(mesh, &TriangleMesh::default(), config)
}

fn gaps_with(mesh: &TriangleMesh, scene: &TriangleMesh, config: &GapConfig) -> GapSurface {
    config.check().unwrap();
    let surface = surface_of_triangles(mesh);
    let found = find_gaps(&surface, scene, config, &Context::default()).unwrap();
    assert_eq!(found.check(config.max_gap, config.step), Vec::<String>::new());
    let ground: f64 = (0..found.triangles.len())
        .filter(|&t| matches!(found.faces[t], Face::Ground(_)))
        .map(|t| area(found.points(t)))
        .sum();
    assert!((ground - surface.area()).abs() < 1e-9, "G1");
    assert_eq!(found.report.holes_left, 0);
    found
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    (b - a).truncate().perp_dot((c - a).truncate()) / 2.0
}

fn add_wall(mesh: &mut TriangleMesh, a: DVec2, b: DVec2, z: [f64; 2]) {
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend([a.extend(z[0]), b.extend(z[0]), b.extend(z[1]), a.extend(z[1])]);
    mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

#[test]
fn cycles_that_touch_in_a_point_stay_apart() {
    // Two squares with one vertex in common, and a hole that touches the outline of one.
    let mut mesh = TriangleMesh::default();
    let vertices = [[0., 0.], [1., 0.], [1., 1.], [0., 1.], [2., 1.], [2., 2.], [1., 2.]];
    mesh.vertices = vertices.iter().map(|&[x, y]| dvec3(x, y, 0.)).collect();
    mesh.triangles = vec![[0, 1, 2], [0, 2, 3], [2, 4, 5], [2, 5, 6]];
    let surface = surface_of_triangles(&mesh);
    assert_eq!(surface.cycles().map(<[_]>::len).collect::<Vec<_>>(), [4, 4]);
    assert_eq!(surface.vertices.len(), 8);
    for cycle in surface.cycles() {
        for (edge, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            assert_eq!(surface.ends(edge.half_edge)[1], surface.ends(next.half_edge)[0]);
        }
    }
    assert_eq!(surface.components(false).iter().max(), Some(&1));
}

#[test]
fn two_platforms_are_bridged_along_their_whole_facing_sides() {
    let mut mesh = TriangleMesh::default();
    add_ground(&mut mesh, &[rectangle([0., 2.], [0., 1.])], 0.0);
    add_ground(&mut mesh, &[rectangle([2.2, 4.], [0., 1.])], 0.1);
    let found = gaps_of(&mesh, &GapConfig::default());
    assert_eq!((found.report.components_before, found.report.components_after), (2, 1));
    assert!((found.report.gap_area - 0.2).abs() < 1e-9, "{:?}", found.report);
    let gap = found.gaps[0];
    assert!((gap.width - 0.2).abs() < 1e-9 && (gap.rise - 0.1).abs() < 1e-9 && gap.kind == GapKind::Bridge);
    // Too wide, too high.
    let narrow = gaps_of(&mesh, &GapConfig { max_gap: 0.19, ..GapConfig::default() });
    let low = gaps_of(&mesh, &GapConfig { step: 0.09, ..GapConfig::default() });
    assert_eq!([narrow, low].map(|found| found.report.components_after), [2, 2]);
    // At the very limits.
    let limit = gaps_of(&mesh, &GapConfig { max_gap: 0.2, step: 0.1, ..GapConfig::default() });
    assert!((limit.report.gap_area - 0.2).abs() < 1e-6, "{:?}", limit.report);
}

#[test]
fn treads_at_one_place_in_plan_are_joined_by_risers() {
    let mut mesh = TriangleMesh::default();
    for k in 0..5 {
        let x = f64::from(k) * 0.3;
        add_ground(&mut mesh, &[rectangle([x, x + 0.3], [0., 1.])], f64::from(k) * 0.18);
    }
    let found = gaps_of(&mesh, &GapConfig { step: 0.2, ..GapConfig::default() });
    assert_eq!((found.report.components_before, found.report.components_after), (5, 1));
    assert_eq!(found.gaps.iter().filter(|gap| gap.kind == GapKind::Riser).count(), 4);
    assert!(found.report.gap_area.abs() < 1e-9, "{:?}", found.gaps);
    let refused = gaps_of(&mesh, &GapConfig { step: 0.15, ..GapConfig::default() });
    assert_eq!(refused.report.components_after, 5);
}

#[test]
fn a_hole_is_filled_when_no_place_in_it_is_out_of_reach() {
    let mut mesh = TriangleMesh::default();
    add_ground(
        &mut mesh,
        &[rectangle([0., 4.], [0., 4.]), hole([1., 1.2], [1., 3.]), hole([2., 3.], [1., 2.])],
        0.0,
    );
    let config = |max_gap| GapConfig { max_gap, step: 0.0, height: 4.0 };
    // The narrow hole is full; in the corners of the square one, triangles with a long side of 0.3 m.
    let found = gaps_of(&mesh, &config(0.3));
    let corner = 0.3 * 0.3 / 4.0;
    assert!((found.report.gap_area - 0.4 - 4.0 * corner).abs() < 1e-6, "{:?}", found.report);
    let full = gaps_of(&mesh, &config(1.0));
    assert!((full.report.gap_area - 1.4).abs() < 1e-6, "{:?}", full.report);
    assert_eq!(full.twins.iter().filter(|&&twin| twin == crate::exact::NO_HALF_EDGE).count(), 4);
}

#[test]
fn a_wall_on_the_edge_closes_a_gap_and_a_post_in_it_only_a_part() {
    let mut mesh = TriangleMesh::default();
    add_ground(&mut mesh, &[rectangle([0., 2.], [0., 1.])], 0.0);
    add_ground(&mut mesh, &[rectangle([2.2, 4.], [0., 1.])], 0.0);
    let config = GapConfig::default();
    for x in [2.0, 2.1, 2.2] {
        let mut scene = mesh.clone();
        add_wall(&mut scene, dvec2(x, -1.), dvec2(x, 2.), [0., 2.5]);
        assert_eq!(gaps_with(&mesh, &scene, &config).report.components_after, 2, "{x}");
        // A wall no higher than the step is stepped over.
        let mut scene = mesh.clone();
        add_wall(&mut scene, dvec2(x, -1.), dvec2(x, 2.), [-1., 0.4]);
        assert_eq!(gaps_with(&mesh, &scene, &config).report.components_after, 1, "{x}");
        // One that hangs under head room is not.
        let mut scene = mesh.clone();
        add_wall(&mut scene, dvec2(x, -1.), dvec2(x, 2.), [1.7, 3.]);
        assert_eq!(gaps_with(&mesh, &scene, &config).report.components_after, 2, "{x}");
    }
    let mut scene = mesh.clone();
    add_wall(&mut scene, dvec2(2.1, 0.4), dvec2(2.1, 0.6), [0., 2.5]);
    let found = gaps_with(&mesh, &scene, &config);
    assert_eq!(found.report.components_after, 1);
    assert!((found.report.gap_area - 0.16).abs() < 1e-3, "{:?}", found.report);
    // Walls beside the gap do not matter.
    let mut scene = mesh.clone();
    add_wall(&mut scene, dvec2(0., 0.), dvec2(4., 0.), [0., 2.5]);
    add_wall(&mut scene, dvec2(0., 1.), dvec2(4., 1.), [0., 2.5]);
    let found = gaps_with(&mesh, &scene, &config);
    assert!((found.report.gap_area - 0.2).abs() < 1e-9, "{:?}", found.report);
}

#[test]
fn what_hangs_over_a_gap_is_met_however_narrow_the_gap_is() {
    // A step up over a slot. Above it ends something that leaves head room over the lower side, but not over the higher one.
    for width in [0.1, 4e-3, 1.8e-3, 2e-4] {
        let mut mesh = TriangleMesh::default();
        add_ground(&mut mesh, &[rectangle([0., 2.], [0., 1.])], 0.0);
        add_ground(&mut mesh, &[rectangle([2. + width, 4.], [0., 1.])], 0.2);
        let config = GapConfig::default();
        for (z, parts) in [(config.height + 0.1, 2), (config.height + 0.3, 1)] {
            let mut scene = mesh.clone();
            add_ground(&mut scene, &[rectangle([1., 2. + width], [-1., 2.])], z);
            assert_eq!(gaps_with(&mesh, &scene, &config).report.components_after, parts, "{width} {z}");
        }
        // What ends at one side of the gap does not hang over it.
        for (x, z) in [([1., 2.], config.height + 0.1), ([2. + width, 3.], config.height + 0.3)] {
            let mut scene = mesh.clone();
            add_ground(&mut scene, &[rectangle(x, [-1., 2.])], z);
            assert_eq!(gaps_with(&mesh, &scene, &config).report.components_after, 1, "{width} {x:?}");
        }
    }
    // Round the spindle of a stair: the gap between two treads is a needle with its tip there, and the tread a turn above ends in its middle.
    let mut mesh = TriangleMesh::default();
    let spoke = |angle: f64| DVec2::from_angle(angle);
    let tread = |mesh: &mut TriangleMesh, from: f64, to: f64, z: f64| {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([DVec2::ZERO, spoke(from), spoke(to)].map(|p| p.extend(z)));
        mesh.triangles.push([first, first + 1, first + 2]);
    };
    tread(&mut mesh, 0.0, 0.5, 0.0);
    tread(&mut mesh, 0.502, 1.0, 0.2);
    let mut scene = mesh.clone();
    tread(&mut scene, 0.3, 0.501, 1.9);
    assert_eq!(gaps_with(&mesh, &mesh, &GapConfig::default()).report.components_after, 1);
    assert_eq!(gaps_with(&mesh, &scene, &GapConfig::default()).report.components_after, 2);
}

#[test]
fn turning_and_shifting_changes_nothing_but_rounding() {
    let mut mesh = TriangleMesh::default();
    add_ground(&mut mesh, &[rectangle([0., 2.], [0., 1.]), hole([0.5, 0.7], [0.3, 0.8])], 0.0);
    add_ground(&mut mesh, &[rectangle([2.2, 4.], [-0.3, 1.2])], 0.1);
    for k in 0..5 {
        let x = 4.0 + f64::from(k) * 0.3;
        add_ground(&mut mesh, &[rectangle([x, x + 0.3], [0., 1.])], 0.28 + f64::from(k) * 0.18);
    }
    let config = GapConfig { step: 0.2, ..GapConfig::default() };
    let plain = gaps_of(&mesh, &config).report;
    assert_eq!(plain.components_after, 1);
    for k in 0..12 {
        let turn = 0.37 * f64::from(k);
        let (sin, cos) = (wayfare_core::ops::sin(turn), wayfare_core::ops::cos(turn));
        let shift = if k % 2 == 0 { dvec3(0., 0., 0.) } else { dvec3(10_000.0, -7_000.0, 300.0) };
        let mut turned = mesh.clone();
        for p in &mut turned.vertices {
            *p = dvec3(p.x * cos - p.y * sin, p.x * sin + p.y * cos, p.z) + shift;
        }
        let report = gaps_of(&turned, &config).report;
        assert!((report.gap_area - plain.gap_area).abs() < 1e-6, "{k}: {report:?} {plain:?}");
        assert_eq!(report.components_after, 1, "{k}");
    }
}

#[test]
fn edges_back_to_back_have_the_same_points_whichever_of_them_a_gap_splits() {
    // Ground that ends where other ground begins a metre higher. Beyond the edge of either, a gap away, lie pieces at its own height: one
    // each that is far from the others, and two over the same part.
    let mut plain = TriangleMesh::default();
    add_ground(&mut plain, &[rectangle([0., 2.], [0., 9.])], 0.0);
    add_ground(&mut plain, &[rectangle([2., 4.], [0., 9.])], 1.0);
    for (x, y, z) in [
        ([2.2, 2.6], [1., 2.], 0.0),
        ([2.2, 2.6], [7.2, 7.6], 0.0),
        ([1.4, 1.8], [4.5, 5.7], 1.0),
        ([1.4, 1.8], [7.2, 7.6], 1.0),
    ] {
        add_ground(&mut plain, &[rectangle(x, y)], z);
    }
    for k in 0..12 {
        let (sin, cos) =
            (wayfare_core::ops::sin(0.37 * f64::from(k)), wayfare_core::ops::cos(0.37 * f64::from(k)));
        let place = |p: DVec3| dvec3(p.x * cos - p.y * sin, p.x * sin + p.y * cos, p.z);
        let mut mesh = plain.clone();
        mesh.vertices.iter_mut().for_each(|p| *p = place(*p));
        let found = gaps_of(&mesh, &GapConfig::default());
        let [a, b] = [0.0, 9.0].map(|y| place(dvec3(2.0, y, 0.0)).truncate());
        let points_on_edge = |z: f64| {
            let ground = (0..found.triangles.len()).filter(|&t| matches!(found.faces[t], Face::Ground(_)));
            let points = ground.flat_map(|t| found.points(t)).filter(|p| (p.z - z).abs() < 0.1);
            let on = points.map(DVec3::truncate).filter(|p| (*p - a).perp_dot(b - a).abs() < 1e-9);
            on.map(|p| [p.x.to_bits(), p.y.to_bits()]).collect::<std::collections::BTreeSet<_>>()
        };
        let [low, high] = [0.0, 1.0].map(points_on_edge);
        // Two ends and the six at which pieces begin and end, at least.
        assert!(low.len() >= 8, "{k}: {}", low.len());
        assert_eq!(low, high, "{k}");
    }
}
