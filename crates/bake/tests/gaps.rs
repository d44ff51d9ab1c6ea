//! Steps and gaps from a scene to a path: stairs, slots, kerbs, the platforms of seed 002.

use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec2, DVec3, dvec2, dvec3};
use wayfare_floor::{FloorPlan, GroundConfig, Method, exact::plan_exact};
use wayfare_geom::TriangleMesh;
use wayfare_navmesh::{Body, End, LocateConfig, NavMesh, NoPath, Path, PathFinder, PathScratch, Stride};
use wayfare_scene::{Scene, generated::scenes};

/// Boxes by their lower and upper corners.
fn boxes(all: &[[DVec3; 2]]) -> Scene {
    let mut mesh = TriangleMesh::default();
    for [low, high] in all {
        let first = mesh.vertices.len() as u32;
        let at = |k: u32| {
            let pick = |bit: u32, low: f64, high: f64| if k >> bit & 1 == 0 { low } else { high };
            dvec3(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z))
        };
        mesh.vertices.extend((0..8).map(at));
        for [a, b, c, d] in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            mesh.triangles.extend([[a, b, c], [a, c, d]].map(|t| t.map(|k| first + k)));
        }
    }
    Scene::from_mesh(mesh)
}

/// Twelve treads round a point, each 20 degrees wide and 0.2 m higher than the one before.
fn winding_stair() -> Scene {
    let mut mesh = TriangleMesh::default();
    for k in 0..12 {
        let first = mesh.vertices.len() as u32;
        let z = 0.2 * f64::from(k);
        let out = |k: i32| DVec2::from_angle(f64::from(20 * k).to_radians()).extend(0.0) * 1.5 + DVec3::Z * z;
        mesh.vertices.extend([DVec3::Z * z, out(k), out(k + 1)]);
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    Scene::from_mesh(mesh)
}

#[test]
fn treads_are_as_high_at_their_tips_as_anywhere() {
    let mesh = baked(&winding_stair(), &config());
    assert_eq!(mesh.component_count(), 1);
    let at =
        |k: i32| (DVec2::from_angle(f64::from(20 * k + 10).to_radians()) * 0.8).extend(0.2 * f64::from(k));
    for [from, to] in [[at(0), at(11)], [at(11), at(0)]] {
        let path = find(&mesh, &Body { step: 0.4, ..Body::default() }, from, to).unwrap();
        // Round the point, which is a corner of all treads.
        assert!((path.plan_length - 1.6).abs() < 1e-6, "{}", path.plan_length);
        let strides = path.strides(&mesh);
        assert_eq!(strides.len(), 11);
        for stride in strides {
            assert!((stride.rise - 0.2).abs() < 1e-5, "{stride:?}");
            assert!(((stride.to.z - stride.from.z).abs() - 0.2).abs() < 1e-5, "{stride:?}");
        }
    }
}

/// A floor, ten treads with risers of 0.18 m, and a floor on top.
fn stair() -> Scene {
    let tread = |k: u32| {
        let x = 0.3 * f64::from(k);
        [dvec3(x, 0.0, -0.5), dvec3(x + 0.3, 2.0, 0.18 * f64::from(k + 1))]
    };
    let mut all = vec![[dvec3(-3.0, 0.0, -0.5), dvec3(0.0, 2.0, 0.0)]];
    all.extend((0..10).map(tread));
    all.push([dvec3(3.0, 0.0, -0.5), dvec3(6.0, 2.0, 1.98)]);
    boxes(&all)
}

/// Two slabs with 0.25 m between them, the second 0.1 m higher.
fn slot() -> Scene {
    boxes(&[[dvec3(0.0, 0.0, -0.5), dvec3(4.0, 3.0, 0.0)], [dvec3(0.0, 3.25, -0.5), dvec3(4.0, 6.0, 0.1)]])
}

fn config() -> GroundConfig {
    GroundConfig { method: Method::Exact, ..GroundConfig::default() }
}

fn plan(scene: &Scene, config: &GroundConfig) -> FloorPlan {
    let planned = plan_exact(scene, config, &Context::default()).unwrap();
    assert!(planned.notes.iter().all(|note| !note.contains("gaps are left out")), "{:?}", planned.notes);
    let again = FloorPlan::from_bytes(planned.plan.to_bytes()).unwrap();
    assert_eq!(again, planned.plan);
    planned.plan
}

fn baked(scene: &Scene, config: &GroundConfig) -> NavMesh {
    let plan = plan(scene, config);
    let mut mesh = bake(&plan, &BakeConfig::default(), &Context::default()).unwrap();
    assert!((mesh.area() - plan.area()).abs() < 1e-9 && (mesh.gap_area() - plan.gap_area()).abs() < 1e-9);
    mesh.set_clearance(Some(build_clearance(&mesh, &Context::default()).unwrap()));
    let defects = mesh.check();
    assert!(defects.is_empty(), "{defects:?}");
    assert_eq!(NavMesh::from_bytes(mesh.to_bytes()).unwrap().raw(), mesh.raw());
    mesh
}

fn find(mesh: &NavMesh, body: &Body, from: DVec3, to: DVec3) -> Result<Path, NoPath> {
    let found =
        PathFinder::new(mesh).find_for(body, from, to, &LocateConfig::default(), &mut PathScratch::default());
    if let Ok(path) = &found {
        check_strides(&path.strides(mesh), body);
    }
    found
}

/// No stride is too much, nor are gaps that are crossed one after the other with no ground to stand on between.
fn check_strides(strides: &[Stride], body: &Body) {
    let mut first = 0;
    for (k, stride) in strides.iter().enumerate() {
        assert!(stride.width <= body.max_gap + 1e-5 && stride.rise <= body.step + 1e-5, "{stride:?}");
        let is_at_once = |one: &Stride, two: &Stride| {
            one.width > 0.0 && two.width > 0.0 && one.to.truncate().distance(two.from.truncate()) < 1e-3
        };
        if k > 0 && !is_at_once(&strides[k - 1], stride) {
            first = k;
        }
        let width: f64 = strides[first..=k].iter().map(|stride| stride.width).sum();
        let rise = (stride.to.z - strides[first].from.z).abs();
        let is_one = first == k;
        assert!(
            is_one || width <= body.max_gap + 1e-5 && rise <= body.step + 1e-5,
            "{:?}",
            &strides[first..=k]
        );
    }
}

const FOOT: DVec3 = dvec3(-2.0, 1.0, 0.0);
const TOP: DVec3 = dvec3(5.0, 1.3, 1.98);

#[test]
fn stairs_are_judged_by_their_risers_at_the_query() {
    let mesh = baked(&stair(), &config());
    assert_eq!((mesh.component_count(), mesh.riser_count(), mesh.gap_count()), (1, 11, 0));
    for radius in [0.0, 0.3] {
        let body = Body { step: 0.2, max_gap: 0.3, ..Body::disc(radius) };
        let path = find(&mesh, &body, FOOT, TOP).unwrap();
        let strides = path.strides(&mesh);
        assert_eq!(strides.len(), 11);
        for (k, stride) in (0..).zip(&strides) {
            assert!((stride.rise - 0.18).abs() < 1e-6 && stride.width == 0.0, "{stride:?}");
            assert!((stride.from.z - 0.18 * f64::from(k)).abs() < 1e-6, "{stride:?}");
            assert!((stride.from.x - 0.3 * f64::from(k)).abs() < 1e-9, "{stride:?}");
        }
        let back = find(&mesh, &body, TOP, FOOT).unwrap();
        assert!((back.length - path.length).abs() < 1e-6);
        assert!(back.strides(&mesh).iter().all(|stride| stride.from.z > stride.to.z));
    }
    match find(&mesh, &Body { step: 0.15, ..Body::default() }, FOOT, TOP) {
        Err(NoPath::StepTooHigh { at, needed, available }) => {
            assert!((needed - 0.18).abs() < 1e-6 && available == 0.15 && at.x.abs() < 1e-9, "{at} {needed}");
        }
        other => panic!("{other:?}"),
    }
}

/// A flight of 0.18 m risers between two walls of 0.36 m that one can step onto: at the ends of the first riser ground of three heights
/// meets.
fn sunken_stair() -> Scene {
    let wall = |y: [f64; 2]| [dvec3(-1.0, y[0], -0.5), dvec3(1.0, y[1], 0.36)];
    boxes(&[
        [dvec3(-3.0, 0.0, -0.5), dvec3(0.0, 2.0, 0.0)],
        [dvec3(0.0, 0.0, -0.5), dvec3(0.6, 2.0, 0.18)],
        [dvec3(0.6, 0.0, -0.5), dvec3(3.0, 2.0, 0.36)],
        wall([-1.0, 0.0]),
        wall([2.0, 3.0]),
    ])
}

#[test]
fn a_step_is_level_where_higher_ground_begins_at_its_ends() {
    let mesh = baked(&sunken_stair(), &config());
    let body = Body { step: 0.4, max_gap: 0.3, ..Body::default() };
    for y in [0.01, 0.5, 1.0, 1.99] {
        let path = find(&mesh, &body, dvec3(-1.0, y, 0.0), dvec3(0.3, y, 0.18)).unwrap();
        assert!(path.points.iter().all(|p| p.z < 0.18 + 1e-6), "{:?}", path.points);
        let rises: Vec<f64> = path.strides(&mesh).iter().map(|stride| stride.rise).collect();
        assert!(rises.len() == 1 && (rises[0] - 0.18).abs() < 1e-6, "{rises:?}");
    }
}

#[test]
fn a_step_is_as_high_at_its_end_as_anywhere() {
    // The way goes round the end of the higher ground, along the end of the step.
    let scene = boxes(&[
        [dvec3(-3.0, 0.0, -0.5), dvec3(0.0, 2.0, 0.0)],
        [dvec3(0.0, 0.0, -0.5), dvec3(0.6, 2.0, 0.18)],
        [dvec3(0.6, 0.0, -0.5), dvec3(3.0, 2.0, 0.36)],
        [dvec3(-1.0, 1.0, -0.5), dvec3(0.0, 2.0, 1.5)],
    ]);
    let mesh = baked(&scene, &config());
    let body = Body { step: 0.4, max_gap: 0.3, ..Body::default() };
    let path = find(&mesh, &body, dvec3(-1.5, 1.9, 0.0), dvec3(0.5, 1.9, 0.18)).unwrap();
    assert!(path.points.iter().any(|p| p.x.abs() < 1e-9 && (p.y - 1.0).abs() < 1e-9), "{:?}", path.points);
    let strides = path.strides(&mesh);
    assert!(strides.len() == 1 && (strides[0].rise - 0.18).abs() < 1e-6, "{strides:?}");
}

#[test]
fn stairs_that_the_bake_does_not_climb_say_so() {
    let mesh = baked(&stair(), &GroundConfig { step: 0.15, ..config() });
    assert_eq!(mesh.component_count(), 12);
    let body = Body { max_gap: 0.3, ..Body::default() };
    let Err(NoPath::Unreachable { from, to }) = find(&mesh, &body, FOOT, TOP) else {
        panic!("there is a way")
    };
    match mesh.find_hurdle(from, to, &body) {
        Some(NoPath::StepTooHigh { at, needed, available }) => {
            assert!((needed - 0.18).abs() < 1e-6 && available == 0.15 && at.x.abs() < 0.02, "{at} {needed}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_gap_is_crossed_and_not_walked_along() {
    let mesh = baked(&slot(), &config());
    assert_eq!((mesh.component_count(), mesh.gap_count()), (1, 1));
    assert!((mesh.area() - 23.0).abs() < 1e-9 && (mesh.gap_area() - 1.0).abs() < 1e-9);
    let (from, to) = (dvec3(0.5, 2.5, 0.0), dvec3(3.5, 3.75, 0.1));
    for radius in [0.0, 0.2] {
        let body = Body { step: 0.4, max_gap: 0.3, ..Body::disc(radius) };
        let path = find(&mesh, &body, from, to).unwrap();
        let strides = path.strides(&mesh);
        assert_eq!(strides.len(), 1);
        assert!((strides[0].rise - 0.1).abs() < 1e-6, "{strides:?}");
        // Straight, it would be 3.25 m, 0.65 m of it in the gap. Over the gap under the angle at which it is 0.3 m wide, the rest
        // straight: from the start to the gap and on it goes 0.5 m up on either side, 3 − √(0.3² − 0.25²) along.
        let along = 3.0 - (0.3f64 * 0.3 - 0.25 * 0.25).sqrt();
        let shortest = 0.3 + (along * along + 1.0).sqrt();
        assert!((path.plan_length - shortest).abs() < 1e-4, "{} {shortest}", path.plan_length);
        let back = find(&mesh, &body, to, from).unwrap();
        assert!((back.plan_length - path.plan_length).abs() < 1e-4);
    }
    // Straight across nothing changes.
    let across = dvec3(0.5, 3.75, 0.1);
    let path = find(&mesh, &Body { max_gap: 0.25, ..Body::default() }, from, across).unwrap();
    assert!((path.plan_length - 1.25).abs() < 1e-9);
    match find(&mesh, &Body { max_gap: 0.2, ..Body::default() }, from, to) {
        Err(NoPath::GapTooWide { needed, available, .. }) => {
            assert!((needed - 0.25).abs() < 1e-6 && available == 0.2);
        }
        other => panic!("{other:?}"),
    }
    match find(&mesh, &Body { step: 0.05, ..Body::default() }, from, to) {
        Err(NoPath::StepTooHigh { needed, available, .. }) => {
            assert!((needed - 0.1).abs() < 1e-6 && available == 0.05);
        }
        other => panic!("{other:?}"),
    }
    // Baked for less.
    let mesh = baked(&slot(), &GroundConfig { max_gap: 0.1, ..config() });
    assert_eq!((mesh.component_count(), mesh.gap_count()), (2, 0));
    let body = Body { max_gap: 0.3, ..Body::default() };
    let Err(NoPath::Unreachable { from, to }) = find(&mesh, &body, from, to) else {
        panic!("there is a way")
    };
    match mesh.find_hurdle(from, to, &body) {
        Some(NoPath::GapTooWide { needed, available, .. }) => {
            assert!((needed - 0.25).abs() < 1e-6 && available == 0.1);
        }
        other => panic!("{other:?}"),
    }
}

/// Two slabs 0.2 m or 0.4 m apart, the second higher, and between them the tip of a third.
fn tip(apart: f64, rise: f64) -> Scene {
    let mut scene = boxes(&[
        [dvec3(-3.0, -1.0, -0.5), dvec3(0.0, 3.0, 0.0)],
        [dvec3(apart, -1.0, -0.5), dvec3(3.0, 3.0, rise)],
    ])
    .mesh
    .clone();
    let first = scene.vertices.len() as u32;
    let middle = apart / 2.0;
    scene.vertices.extend([middle - 0.05, middle + 0.05].map(|x| dvec3(x, -1.0, rise / 2.0)));
    scene.vertices.push(dvec3(middle, 0.0, rise / 2.0));
    scene.triangles.push([first, first + 1, first + 2]);
    Scene::from_mesh(scene)
}

#[test]
fn a_corner_of_ground_between_two_gaps_is_not_enough_to_stand_on() {
    for (apart, rise) in [(0.4, 0.0), (0.2, 0.5)] {
        let mesh = baked(&tip(apart, rise), &config());
        assert_eq!(mesh.component_count(), 1);
        let (from, to) = (dvec3(-1.0, 1.0, 0.0), dvec3(apart + 1.0, 1.0, rise));
        let body = Body { step: 0.4, max_gap: 0.3, ..Body::default() };
        for [from, to] in [[from, to], [to, from]] {
            let path = find(&mesh, &body, from, to).unwrap();
            // Past the tip, and back up to the goal: by a hair longer than over the tip itself.
            let over = 2.0 * (dvec2(1.0 + apart / 2.0, 1.0)).length();
            assert!(path.plan_length > over && path.plan_length < over + 0.03, "{} {over}", path.plan_length);
            assert_eq!(path.strides(&mesh).len(), 2);
        }
        // Who manages both at once needs no ground between.
        let body = Body { step: 0.6, max_gap: 0.5, ..Body::default() };
        let path = find(&mesh, &body, from, to).unwrap();
        assert!(path.plan_length < 2.0 * (dvec2(1.0 + apart / 2.0, 1.0)).length() + 1e-6);
    }
}

#[test]
fn between_holes_nobody_steps_farther_than_he_can() {
    let mesh = baked(&scenes::holes().scene, &config());
    let body = Body { step: 0.4, max_gap: 0.3, ..Body::default() };
    let places: Vec<DVec3> = mesh
        .cells()
        .filter(|&cell| mesh.gap(cell).is_none())
        .map(|cell| {
            let points: Vec<_> = mesh.cell_points(cell).collect();
            let middle = points.iter().sum::<DVec2>() / points.len() as f64;
            middle.extend(mesh.height(cell, middle))
        })
        .collect();
    let mut count = 0;
    for k in 0..400 {
        let [from, to] = [k * 7919, k * 104_729 + 13].map(|n| places[n % places.len()]);
        match find(&mesh, &body, from, to) {
            Ok(_) => count += 1,
            // Not into every corner between holes.
            Err(NoPath::GapTooWide { .. }) => {}
            Err(why) => panic!("{why}"),
        }
    }
    assert!(count >= 380, "{count}");
}

#[test]
fn who_asks_for_a_place_in_a_gap_is_sent_to_the_ground_beside_it() {
    let mesh = baked(&slot(), &config());
    let path = find(&mesh, &Body::default(), dvec3(2.0, 1.0, 0.0), dvec3(2.0, 3.1, 0.05)).unwrap();
    assert_eq!(path.strides(&mesh), []);
    assert!((path.plan_length - 2.0).abs() < 1e-9 && (path.snapped[1] - 0.1f64.hypot(0.05)).abs() < 1e-9);
    // The other side is nearer.
    let path = find(&mesh, &Body::default(), dvec3(2.0, 1.0, 0.0), dvec3(2.0, 3.2, 0.1)).unwrap();
    assert!((path.plan_length - 2.25).abs() < 1e-9 && (path.snapped[1] - 0.05).abs() < 1e-9);
    let still = LocateConfig { snap: 0.0, ..LocateConfig::default() };
    let (from, to) = (dvec3(2.0, 3.1, 0.05), dvec3(2.0, 1.0, 0.0));
    let found =
        PathFinder::new(&mesh).find_for(&Body::default(), from, to, &still, &mut PathScratch::default());
    assert!(matches!(found, Err(NoPath::OffMesh { which: End::Start, .. })), "{found:?}");
}

#[test]
fn whoever_a_mesh_is_baked_for_steps_over_each_of_its_gaps() {
    let config = config();
    for scene in [scenes::holes(), scenes::platforms()] {
        let mesh = baked(&scene.scene, &config);
        let body = Body { step: config.step, max_gap: config.max_gap, ..Body::default() };
        let gaps: Vec<_> = mesh.cells().filter(|&cell| mesh.gap(cell).is_some()).collect();
        // The widest are as wide as can be, and rounding makes them wider.
        assert!(gaps.iter().any(|&cell| mesh.gap(cell).is_some_and(|gap| gap.width > config.max_gap)));
        for cell in gaps {
            // From the middle of a side that is at the ground straight across into the gap.
            let beside = mesh.corners(cell).find_map(|corner| Some((corner, mesh.neighbour(corner)?)));
            let Some((corner, ground)) = beside.filter(|beside| mesh.gap(beside.1).is_none()) else {
                continue;
            };
            let [a, b] = mesh.edge(corner).map(|vertex| mesh.xy(vertex));
            let side = (a + b) / 2.0;
            let points: Vec<_> = mesh.cell_points(cell).collect();
            let middle = points.iter().sum::<DVec2>() / points.len() as f64;
            let from = side.extend(mesh.height(ground, side));
            let ray =
                PathFinder::new(&mesh).raycast(&body, from, middle.extend(0.0), &LocateConfig::default());
            assert!(ray.is_ok_and(|cast| cast.contact.is_none()), "{:?}", mesh.gap(cell));
        }
    }
}

#[test]
fn who_takes_no_kerb_goes_by_the_ramp() {
    // A road, a pavement 0.15 m higher, and beside it a ramp from the pavement down to the road.
    let mut scene = boxes(&[
        [dvec3(0.0, 0.0, -0.5), dvec3(10.0, 3.0, 0.0)],
        [dvec3(0.0, 3.0, -0.5), dvec3(6.0, 5.0, 0.15)],
    ])
    .mesh
    .clone();
    let first = scene.vertices.len() as u32;
    let points = [(6., 3., 0.15), (8., 3., 0.), (8., 5., 0.), (6., 5., 0.15), (10., 3., 0.), (10., 5., 0.)];
    scene.vertices.extend(points.map(|(x, y, z)| dvec3(x, y, z)));
    scene.triangles.extend([[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]].map(|t| t.map(|k| first + k)));
    let mesh = baked(&Scene::from_mesh(scene), &config());
    assert_eq!(mesh.component_count(), 1);
    let (from, to) = (dvec3(1.0, 2.0, 0.0), dvec3(1.0, 4.0, 0.15));
    let up = find(&mesh, &Body { step: 0.2, ..Body::default() }, from, to).unwrap();
    assert!((up.plan_length - 2.0).abs() < 1e-9);
    assert_eq!(up.strides(&mesh).len(), 1);
    let round = find(&mesh, &Body { step: 0.05, ..Body::default() }, from, to).unwrap();
    assert!(round.plan_length > 10.0, "{}", round.plan_length);
    assert_eq!(round.strides(&mesh), []);
}

#[test]
fn the_platforms_are_one_piece_of_ground() {
    let mesh = baked(&scenes::platforms().scene, &config());
    assert_eq!(mesh.component_count(), 1);
    let (low, high, last) = (dvec3(1.0, 1.0, 0.0), dvec3(5.5, 5.0, 1.8), dvec3(-1.0, 5.3, 1.2));
    let body = Body { step: 0.25, max_gap: 0.15, ..Body::default() };
    for (from, to) in [(low, high), (low, last), (high, last), (last, high)] {
        let path = find(&mesh, &body, from, to).unwrap();
        assert!(!path.strides(&mesh).is_empty());
    }
    assert!(matches!(find(&mesh, &Body { step: 0.15, ..body }, low, high), Err(NoPath::StepTooHigh { .. })));
    assert!(matches!(
        find(&mesh, &Body { step: 0.5, max_gap: 0.05, ..body }, low, high),
        Err(NoPath::GapTooWide { .. })
    ));
}

#[test]
fn a_beam_that_hangs_too_low_is_the_reason() {
    // A corridor between walls; across it hangs a beam 0.3 m wide, 1.5 m over the floor.
    let scene = boxes(&[
        [dvec3(0.0, 0.0, -0.5), dvec3(8.0, 2.0, 0.0)],
        [dvec3(0.0, -0.2, 0.0), dvec3(8.0, 0.0, 2.5)],
        [dvec3(0.0, 2.0, 0.0), dvec3(8.0, 2.2, 2.5)],
        [dvec3(4.0, 0.0, 1.5), dvec3(4.3, 2.0, 2.5)],
    ]);
    let (from, to) = (dvec3(1.0, 1.0, 0.0), dvec3(7.0, 1.0, 0.0));
    let mesh = baked(&scene, &config());
    let body = Body { max_gap: 0.3, ..Body::default() };
    let Err(NoPath::Unreachable { from: one, to: two }) = find(&mesh, &body, from, to) else {
        panic!("there is a way")
    };
    match mesh.find_hurdle(one, two, &body) {
        Some(NoPath::NoHeadRoom { at, needed, available }) => {
            assert!((needed - 1.8).abs() < 1e-6 && (available - 1.5).abs() < 1e-6, "{needed} {available}");
            assert!((at.x - 4.0).abs() < 0.31, "{at}");
        }
        other => panic!("{other:?}"),
    }
    let mesh = baked(&scene, &GroundConfig { height: 1.4, step: 0.3, ..config() });
    assert!(find(&mesh, &body, from, to).is_ok());
}
