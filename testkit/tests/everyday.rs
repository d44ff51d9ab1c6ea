//! The everyday calls against brute force: distances to every wall there is.

use crate::support::{baked, floor_plan, navmesh, over_ground, report, rings};
use wayfare_bake::{BakeConfig, build_clearance};
use wayfare_core::{Context, DVec2, DVec3, Id as _, dvec3, ops};
use wayfare_floor::{GroundConfig, build_plan};
use wayfare_geom::{Polygon, predicates::cross_properly};
use wayfare_navmesh::{
    Body, Cast, CellId, LocateConfig, Location, NavMesh, NoPath, Obstacle, PathFinder, PathScratch, Within,
};
use wayfare_scene::generated::{self, scene_by_name};
use wayfare_testkit::{
    Random, TestPlan,
    baked::{self as scenes, Places},
    data,
    disc_curve::{Piece, walls},
    generators, hertel_mehlhorn,
    transform::Similarity,
};

/// The slack of the radius, and rounding [m].
const SLACK: f64 = 1.01e-9;

/// Every third plan turned and far from the origin, where distances have five digits less.
fn moved(plans: Vec<TestPlan>) -> Vec<(usize, TestPlan)> {
    let far = Similarity { shift: DVec2::new(2e4, -7e4), ..Similarity::rotation(0.7) };
    let place = |(k, plan)| (k, if k % 3 == 2 { far.plan(&plan) } else { plan });
    plans.into_iter().enumerate().map(place).collect()
}

/// A plan as strict, relaxed or Hertel–Mehlhorn cells, with clearance; nothing where that is refused.
fn mesh_of(plan: &TestPlan, kind: usize) -> Option<(NavMesh, Vec<[DVec2; 2]>)> {
    let floor = floor_plan(plan);
    let rings = rings(&floor);
    let mut mesh = match kind {
        0 => baked(&floor, 0.0),
        1 => baked(&floor, 0.3),
        _ => navmesh(&hertel_mehlhorn(&rings).ok()?),
    };
    let clearance = build_clearance(&mesh, &Context::default()).ok()?;
    mesh.set_clearance(Some(clearance));
    Some((mesh, walls(&rings)))
}

/// Closes a share of the portals, and adds them to the walls.
fn close_some(finder: &mut PathFinder<&NavMesh>, walls: &mut Vec<[DVec2; 2]>, share: f64) {
    let mut random = Random::new(8);
    let portals: Vec<_> = finder.mesh().portals().ids().filter(|_| random.chance(share)).collect();
    for portal in portals {
        let mesh = finder.mesh();
        walls.push(mesh.edge(mesh.portals()[portal][0]).map(|vertex| mesh.xy(vertex)));
        finder.blocks_mut().block_portal(portal);
    }
}

fn distance(walls: &[[DVec2; 2]], from: DVec2, to: DVec2) -> f64 {
    let line = Piece::Line { from, to };
    walls.iter().map(|&wall| line.distance_to(wall)).fold(f64::INFINITY, f64::min)
}

/// What is wrong with a cast, looking at all walls.
fn fault(
    mesh: &NavMesh,
    walls: &[[DVec2; 2]],
    radius: f64,
    [from, to]: [DVec2; 2],
    cast: &Cast,
) -> Option<String> {
    let at = cast.point.truncate();
    if !mesh.contains(cast.cell, at) {
        return Some("ends outside of its cell".into());
    }
    if at.distance(from.lerp(to, cast.fraction)) > 1e-9 || (at.distance(from) - cast.distance).abs() > 1e-9 {
        return Some("ends off the line".into());
    }
    let Some(contact) = cast.contact else {
        if at != to || cast.fraction != 1.0 {
            return Some("is stopped by nothing".into());
        }
        let least = distance(walls, from, to);
        let crosses = walls.iter().any(|&[a, b]| cross_properly(from, to, a, b));
        return (least < radius - SLACK || crosses).then(|| format!("passes at {least}"));
    };
    let touched = contact.point.truncate();
    if (distance(walls, at, at) - radius).abs() > SLACK || (at.distance(touched) - radius).abs() > SLACK {
        return Some(format!("stops at {} from walls", distance(walls, at, at)));
    }
    if distance(walls, touched, touched) > 1e-9 {
        return Some("touches nothing".into());
    }
    if (contact.normal.length() - 1.0).abs() > 1e-12 || contact.normal.dot(to - from) > 1e-9 {
        return Some(format!("normal {} is not against the way", contact.normal));
    }
    let least = distance(walls, from, at);
    if least < radius - SLACK {
        return Some(format!("comes as near as {least}"));
    }
    // Beyond the contact there is less room than half the slack allows, or a wall is crossed.
    let ahead = distance(walls, at, to);
    let crosses = walls.iter().any(|&[a, b]| cross_properly(from, to, a, b));
    let is_stopped = if radius > 0.0 { ahead < radius - 0.4e-9 } else { crosses || ahead <= 1e-12 };
    (!is_stopped).then(|| format!("could go on, {ahead} from walls"))
}

#[test]
fn a_body_goes_straight_until_it_touches_the_first_wall() {
    let plans = moved(generators::mixed(11, 45, 300));
    let found = report(&plans, |(number, plan)| {
        let Some((mesh, mut walls)) = mesh_of(plan, number / 3 % 3) else { return Vec::new() };
        let (mut finder, mut places) = (PathFinder::new(&mesh), Places::new(&mesh, *number as u64));
        // Every second one with a tenth of its portals closed: walls like all others.
        if number % 2 == 1 {
            close_some(&mut finder, &mut walls, 0.1);
        }
        let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
        let (mut lines, mut counts) = (Vec::new(), [0; 3]);
        for k in 0..600 {
            let radius = [0.0, 0.05, 0.2, 0.45][k % 4];
            let [mut from, mut to] = [places.place().0, places.place().0];
            // Also points on the lattice of the plan: lines along walls, through vertices and portals.
            if k % 3 == 0 {
                [from, to] = [from, to].map(|p| (p * 2.0).round() / 2.0);
            }
            let ends = [from, to].map(DVec3::truncate);
            let mut cells = Vec::new();
            let cast = finder.raycast_over(&Body::disc(radius), from, to, &config, |cell| cells.push(cell));
            let wrong = match &cast {
                Ok(cast) => {
                    counts[usize::from(cast.contact.is_some())] += 1;
                    let wrong = fault(&mesh, &walls, radius, ends, cast);
                    let joined = |pair: &[_]| {
                        mesh.cell_vertices(pair[0]).any(|v| mesh.cell_vertices(pair[1]).any(|w| v == w))
                    };
                    wrong.or_else(|| {
                        (!cells.windows(2).all(joined) || cells.last() != Some(&cast.cell))
                            .then(|| format!("cells {cells:?} to {}", cast.cell))
                    })
                }
                Err(NoPath::TooTight { .. }) => {
                    counts[2] += 1;
                    let room = distance(&walls, ends[0], ends[0]);
                    (room >= radius).then(|| format!("has {room}"))
                }
                // Lattice points need not be on the ground.
                Err(NoPath::OffMesh { .. }) if k % 3 == 0 => None,
                Err(error) => Some(error.to_string()),
            };
            if let Some(wrong) = wrong {
                lines.push(format!(
                    "{} ({}), radius {radius}, {from} to {to}: {wrong}; {cast:?}",
                    plan.name,
                    number / 3 % 3
                ));
            }
        }
        println!("{}: {counts:?}", plan.name);
        lines.truncate(3);
        lines
    });
    assert!(found.is_empty(), "{found}");
}

#[test]
fn a_body_that_slides_keeps_its_radius_and_never_goes_farther_than_its_step() {
    let plans = moved(generators::mixed(12, 36, 300));
    let found = report(&plans, |(number, plan)| {
        let Some((mesh, mut walls)) = mesh_of(plan, number / 3 % 3) else { return Vec::new() };
        let (mut finder, mut places) = (PathFinder::new(&mesh), Places::new(&mesh, *number as u64));
        if number % 2 == 1 {
            close_some(&mut finder, &mut walls, 0.1);
        }
        let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
        let (mut lines, mut random) = (Vec::new(), Random::new(5));
        for radius in [0.0, 0.1, 0.3] {
            let body = Body::disc(radius);
            let fits = |p: &DVec3| distance(&walls, p.truncate(), p.truncate()) >= radius;
            let Some(mut at) = (0..50).map(|_| places.place().0).find(fits) else { continue };
            let mut heading = DVec2::X;
            for k in 0..300 {
                // Long in one direction, so that it presses against walls and into corners.
                if k % 12 == 0 {
                    heading = DVec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0));
                }
                let step = heading * [0.05, 0.5, 3.0][k / 12 % 3];
                let moved = match finder.move_along(&body, at, at + step.extend(0.0), &config) {
                    Ok(moved) => moved,
                    Err(error) => {
                        lines.push(format!("{}, radius {radius}, at {at}: {error}", plan.name));
                        break;
                    }
                };
                let (from, to) = (at.truncate(), moved.point.truncate());
                let room = distance(&walls, to, to);
                let is_good = room >= radius - SLACK
                    && mesh.contains(moved.cell, to)
                    && from.distance(to) <= step.length() + 1e-8
                    && (to - from).dot(step) >= -1e-8;
                if !is_good {
                    lines.push(format!(
                        "{}, radius {radius}, {at} by {step}: room {room}, {moved:?}",
                        plan.name
                    ));
                }
                at = moved.point;
            }
        }
        lines.truncate(3);
        lines
    });
    assert!(found.is_empty(), "{found}");
}

/// A room of ten by four metres with a pillar.
fn room_plan() -> TestPlan {
    let corners = |points: &[(f64, f64)]| points.iter().map(|&(x, y)| DVec2::new(x, y)).collect::<Vec<_>>();
    let outer = corners(&[(0., 0.), (10., 0.), (10., 4.), (0., 4.)]);
    let pillar = corners(&[(5., 1.5), (5., 2.5), (6., 2.5), (6., 1.5)]);
    let polygons = vec![Polygon { outer, holes: vec![pillar] }];
    TestPlan { name: "room".into(), polygons }
}

fn room() -> NavMesh {
    mesh_of(&room_plan(), 0).expect("a plain room").0
}

#[test]
fn tiny_steps_along_a_wall_end_where_one_huge_step_ends() {
    let mesh = room();
    let (finder, config) = (PathFinder::new(&mesh), LocateConfig::default());
    for (radius, turn) in [(0.0, 0.3), (0.5, 0.3), (0.5, 1e-3), (0.25, 1.2)] {
        let body = Body::disc(radius);
        let start = dvec3(1.0, 0.7, 0.0);
        let step = DVec2::new(ops::cos(turn), -ops::sin(turn)) * 6.0;
        let huge = finder.move_along(&body, start, start + step.extend(0.0), &config).unwrap();
        for count in [7, 100, 3000] {
            let mut at = start;
            for _ in 0..count {
                let step = step / f64::from(count);
                at = finder.move_along(&body, at, at + step.extend(0.0), &config).unwrap().point;
            }
            assert!(at.distance(huge.point) < 1e-7, "{radius} {turn} {count}: {at} and {}", huge.point);
        }
        // By hand: down to the wall, then along it.
        let x = 1.0 + step.x;
        let y = (0.7 + step.y).max(radius);
        assert!(huge.point.distance(dvec3(x, y, 0.0)) < 2e-9, "{}", huge.point);
    }
}

#[test]
fn a_body_stops_in_a_corner_and_comes_out_again() {
    let mesh = room();
    let (finder, config) = (PathFinder::new(&mesh), LocateConfig::default());
    for radius in [0.0, 0.5, 1.2] {
        let body = Body::disc(radius);
        let mut at = dvec3(8.0, 2.0, 0.0);
        for step in [dvec3(5.0, -4.0, 0.0), dvec3(0.3, -0.1, 0.0), dvec3(0.001, -5.0, 0.0)] {
            at = finder.move_along(&body, at, at + step, &config).unwrap().point;
        }
        let corner = dvec3(10.0 - radius, radius, 0.0);
        assert!(at.distance(corner) < 2e-9, "{radius}: {at}");
        // Along either wall and away from both.
        for step in [dvec3(-1.0, 0.0, 0.0), dvec3(0.0, 1.0, 0.0), dvec3(-0.5, 0.5, 0.0)] {
            let out = finder.raycast(&body, at, at + step, &config).unwrap();
            assert_eq!(out.contact, None, "{radius} {step}");
        }
    }
}

#[test]
fn what_a_body_touches_is_said_with_place_and_normal() {
    let mesh = room();
    let (finder, config) = (PathFinder::new(&mesh), LocateConfig::default());
    let body = Body::disc(0.5);
    let cast = finder.raycast(&body, dvec3(1.0, 2.0, 0.0), dvec3(9.0, 2.0, 0.0), &config).unwrap();
    let contact = cast.contact.unwrap();
    assert!(cast.point.distance(dvec3(4.5, 2.0, 0.0)) < 1e-12 && (cast.fraction - 3.5 / 8.0).abs() < 1e-12);
    assert!(contact.point.distance(dvec3(5.0, 2.0, 0.0)) < 1e-12 && contact.normal == -DVec2::X);
    assert_eq!(contact.obstacle, Obstacle::Wall);
    // The pillar's corner is touched on the way past it.
    let cast = finder.raycast(&body, dvec3(1.0, 1.2, 0.0), dvec3(9.0, 1.2, 0.0), &config).unwrap();
    assert!(cast.point.distance(dvec3(4.6, 1.2, 0.0)) < 1e-12, "{}", cast.point);
    assert!(cast.contact.unwrap().normal.distance(DVec2::new(-0.8, -0.6)) < 1e-12);
    let wall = finder.nearest_wall(&body, dvec3(3.0, 0.25, 0.0), &config).unwrap().unwrap();
    assert!((wall.distance - 0.25).abs() < 1e-12 && wall.contact.normal == DVec2::Y);
    assert_eq!(wall.contact.point, dvec3(3.0, 0.0, 0.0));
    // At the wall itself there is still a direction away from it.
    let wall = finder.nearest_wall(&body, dvec3(3.0, 0.0, 0.0), &config).unwrap().unwrap();
    assert_eq!((wall.distance, wall.contact.normal), (0.0, DVec2::Y));
    let tight = finder.raycast(&body, dvec3(3.0, 0.25, 0.0), dvec3(3.0, 2.0, 0.0), &config);
    assert!(matches!(tight, Err(NoPath::TooTight { needed: 0.5, .. })), "{tight:?}");
}

/// Scenes with ground over ground: generated ones, and those of the data sets that are there.
fn scenes() -> Vec<(String, wayfare_scene::Scene, GroundConfig)> {
    let generated = ["building-2", "bridge", "spiral-2"].iter();
    let mut all: Vec<_> = generated
        .filter_map(|name| Some((format!("generated {name}"), scene_by_name(name)?, GroundConfig::default())))
        .collect();
    for name in ["nav_test", "house"] {
        match data::scenes::scene_named(name) {
            Some(shared) => {
                let scene = scenes::read(&shared).unwrap_or_else(|error| panic!("{error}"));
                all.push((name.to_owned(), scene, scenes::ground_config(&shared.body)));
            }
            None => eprintln!("{name}: the shared data is not there"),
        }
    }
    all
}

#[test]
fn storeys_over_each_other_are_not_confused() {
    let found = report(&scenes(), |(name, scene, ground)| {
        let mut mesh = match scenes::bake_scene(scene, ground, &BakeConfig::default()) {
            Ok(baked) => baked.mesh,
            Err(error) => return vec![format!("{name}: {error}")],
        };
        match build_clearance(&mesh, &Context::default()) {
            Ok(clearance) => mesh.set_clearance(Some(clearance)),
            Err(error) => return vec![format!("{name}: {error}")],
        }
        let (mesh, walls) = (&mesh, over_ground::walls(&mesh));
        let (finder, config) = (PathFinder::new(mesh), scenes::locate_config(ground));
        // What is touched may be higher or lower, on a slope; what is at the height of the feet must be far enough.
        let feet = GroundConfig { height: ground.step, ..ground.clone() };
        let room = |way: &[DVec3]| over_ground::over_ground(way, &walls, 0.6, &feet);
        let room_at = |p: DVec3| room(&[p, p]);
        let (mut places, mut random) = (Places::new(mesh, 3), Random::new(9));
        let (mut lines, mut hits, mut slides) = (Vec::new(), 0, 0);
        for k in 0..400 {
            let radius = [0.1, 0.25, 0.5][k % 3];
            let body = Body::disc(radius);
            let from = places.place().0;
            let step = DVec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0)) * 4.0;
            let to = from + step.extend(0.0);
            let Ok(cast) = finder.raycast(&body, from, to, &config) else { continue };
            // The ground on the way, as the calls themselves find it.
            let way: Vec<DVec3> = (0..=16)
                .filter_map(|k| {
                    let to = from.lerp(to, cast.fraction * f64::from(k) / 16.0);
                    finder.raycast(&body, from, to, &config).ok().map(|cast| cast.point)
                })
                .collect();
            let room = room(&way);
            let end = over_ground::over_ground(&[cast.point; 2], &walls, 0.6, ground);
            hits += usize::from(cast.contact.is_some());
            if room < radius - 1e-6 || cast.contact.is_some() && end > radius + 1e-6 {
                lines.push(format!(
                    "{name}, radius {radius}, {from} to {to}: {room}, in the end {end}: {cast:?}"
                ));
            }
            // And on, sliding.
            let mut at = cast.point;
            for _ in 0..8 {
                let Ok(moved) = finder.move_along(&body, at, at + step.extend(0.0) / 8.0, &config) else {
                    lines.push(format!("{name}, radius {radius}: cannot go on at {at}"));
                    break;
                };
                slides += usize::from(moved.contact.is_some());
                let room = room_at(moved.point);
                // One goes up no more than the ground does.
                let rise = (moved.point.z - at.z).abs();
                if room < radius - 1e-6 || rise > 2.0 * step.length() / 8.0 + ground.step {
                    lines.push(format!("{name}, radius {radius}, {at} by {step}: {room}, rise {rise}"));
                }
                at = moved.point;
            }
        }
        println!("{name}: {hits} hits, {slides} slides");
        lines.truncate(3);
        lines
    });
    assert!(found.is_empty(), "{found}");
}

/// χ² per bin of two sets of points on a lattice of bins.
fn unevenness(one: &[DVec2], two: &[DVec2], [min, max]: [DVec2; 2]) -> f64 {
    const BINS: usize = 8;
    let count = |points: &[DVec2]| {
        let mut bins = [0.0; BINS * BINS];
        for p in points {
            let at =
                ((p - min) / (max - min) * BINS as f64).clamp(DVec2::ZERO, DVec2::splat(BINS as f64 - 0.5));
            bins[at.y as usize * BINS + at.x as usize] += 1.0;
        }
        bins
    };
    let share = (two.len() as f64 / one.len() as f64).sqrt();
    let (mut sum, mut bins) = (0.0, 0.0);
    for (one, two) in count(one).into_iter().zip(count(two)) {
        // The rule of thumb: at least five are expected.
        if one + two >= 10.0 {
            sum += (one * share - two / share).powi(2) / (one + two);
            bins += 1.0;
        }
    }
    sum / f64::max(bins - 1.0, 1.0)
}

/// Points of the ground by lot, from a box round it, that pass a test.
fn points_of_box(mesh: &NavMesh, count: usize, is_good: impl Fn(&Location) -> bool) -> Vec<DVec2> {
    let (bounds, mut random) = (mesh.bounds(), Random::new(77));
    let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
    let draw = |_| {
        let p = bounds.min + bounds.size() * DVec2::new(random.unit(), random.unit());
        mesh.locate(p.extend(0.0), &config).filter(&is_good).map(|place| place.point.truncate())
    };
    (0..count).filter_map(draw).collect()
}

#[test]
fn random_points_are_even_by_area_wherever_a_body_fits() {
    let mut plans: Vec<(usize, TestPlan)> = generators::mixed(21, 9, 150).into_iter().enumerate().collect();
    plans.push((0, room_plan()));
    let found = report(&plans, |(number, plan)| {
        let Some((mesh, walls)) = mesh_of(plan, number / 3 % 3) else { return Vec::new() };
        let (finder, config) = (PathFinder::new(&mesh), LocateConfig::default());
        let bounds = mesh.bounds();
        let is_room = plan.name == "room";
        let component = Within::Component(mesh.component(CellId::new(0)));
        let circle = |x: f64, y: f64, radius: f64| Within::Circle { centre: dvec3(x, y, 0.0), radius };
        let withins = match is_room {
            true => vec![circle(5.0, 0.5, 1.4), circle(0.1, 3.9, 2.0), circle(9.0, 2.0, 3.0)],
            false => vec![Within::Everywhere, component],
        };
        let mut lines = Vec::new();
        for (radius, within) in [0.0, 0.15].iter().flat_map(|r| withins.iter().map(move |w| (*r, *w))) {
            let is_good = |place: &Location| {
                let p = place.point.truncate();
                let is_within = match within {
                    Within::Circle { centre, radius } => p.distance(centre.truncate()) <= radius,
                    Within::Component(component) => place.component == component,
                    Within::Everywhere => true,
                };
                is_within && mesh.contains(place.cell, p) && distance(&walls, p, p) >= radius - SLACK
            };
            let mut random = Random::new(*number as u64);
            let mut points = finder.random_points(&Body::disc(radius), &within, &config).unwrap();
            let drawn: Vec<Location> = (0..3000).filter_map(|_| points.draw(|| random.bits())).collect();
            let others = points_of_box(&mesh, 12_000, is_good);
            if others.len() < 100 && drawn.is_empty() {
                continue;
            }
            if drawn.len() != 3000 || !drawn.iter().all(is_good) {
                lines.push(format!("{}, {within:?}: {} points, some bad", plan.name, drawn.len()));
            }
            let drawn: Vec<DVec2> = drawn.iter().map(|place| place.point.truncate()).collect();
            let chi = unevenness(&drawn, &others, [bounds.min, bounds.max]);
            println!("{}, radius {radius}, {within:?}: {chi}", plan.name);
            // Four standard deviations of χ² per bin with 40 bins are 0.9; a component may have few.
            if chi > if matches!(within, Within::Component(_)) { 4.0 } else { 1.9 } {
                lines.push(format!("{}, radius {radius}, {within:?}: χ² per bin {chi}", plan.name));
            }
        }
        lines
    });
    assert!(found.is_empty(), "{found}");
}

#[test]
fn random_points_are_found_where_a_body_hardly_fits_and_none_where_it_does_not() {
    // A corridor of width 1, a little wider at its bends.
    let (mesh, walls) = mesh_of(&generators::spiral(12), 0).expect("a corridor");
    let (finder, config, mut random) = (PathFinder::new(&mesh), LocateConfig::default(), Random::new(1));
    for radius in [0.45, 0.4999, 0.585] {
        let mut points = finder.random_points(&Body::disc(radius), &Within::Everywhere, &config).unwrap();
        for _ in 0..20 {
            let place = points.draw(|| random.bits()).unwrap_or_else(|| panic!("{radius} fits"));
            let p = place.point.truncate();
            assert!(distance(&walls, p, p) >= radius - SLACK);
        }
    }
    let place = finder.random_point(&Body::disc(0.6), &Within::Everywhere, &config, || random.bits());
    assert_eq!(place, Ok(None));
}

#[test]
fn the_nearest_reachable_place_is_as_near_as_any_of_a_fine_grid() {
    let plans = moved(generators::mixed(31, 18, 150));
    let found = report(&plans, |(number, plan)| {
        let Some((mesh, mut walls)) = mesh_of(plan, number / 3 % 3) else { return Vec::new() };
        let (mut finder, mut places) = (PathFinder::new(&mesh), Places::new(&mesh, *number as u64));
        let has_limits = number % 2 == 1;
        if has_limits {
            close_some(&mut finder, &mut walls, 0.15);
        }
        let (config, mut scratch, mut random) = (LocateConfig::default(), PathScratch::new(), Random::new(2));
        let bounds = mesh.bounds();
        let (mut lines, mut others) = (Vec::new(), 0);
        for k in 0..24 {
            let radius = [0.0, 0.1, 0.3][k % 3];
            let body = Body::disc(radius);
            let from = places.place().0;
            let share = DVec2::new(random.between(-0.1, 1.1), random.between(-0.1, 1.1));
            let to = (bounds.min + bounds.size() * share).extend(0.0);
            let Ok(reached) = finder.nearest_reachable(&body, from, to, &config, &mut scratch) else {
                continue;
            };
            let at = reached.point.truncate();
            let room = distance(&walls, at, at);
            if room < radius - SLACK || !mesh.contains(reached.cell, at) {
                lines.push(format!(
                    "{}, radius {radius}, {from} to {to}: room {room}, {reached:?}",
                    plan.name
                ));
            }
            if let Err(error) = finder.find_for(&body, from, reached.point, &config, &mut scratch) {
                lines.push(format!("{}, radius {radius}, {from} to {to}: {error}, {reached:?}", plan.name));
            }
            if reached.is_goal {
                continue;
            }
            others += 1;
            // Nothing of a fine grid round the goal that is nearer can be reached.
            for j in 0..900 {
                let inner = DVec2::new(f64::from(j % 30), f64::from(j / 30)) / 15.0 - 1.0;
                let p = to.truncate() + inner * reached.distance;
                if p.distance(to.truncate()) < reached.distance - 1e-6
                    && distance(&walls, p, p) >= radius
                    && mesh.cells().any(|cell| mesh.contains(cell, p))
                    && finder.find_for(&body, from, p.extend(0.0), &config, &mut scratch).is_ok()
                {
                    // In front of what is closed a few places only are looked at.
                    let nearer = reached.distance - p.distance(to.truncate());
                    if !has_limits || nearer > 0.3 {
                        lines.push(format!(
                            "{}, radius {radius}, {from} to {to}: {p} is nearer by {nearer}, {reached:?}",
                            plan.name
                        ));
                    }
                    break;
                }
            }
        }
        println!("{}: {others} goals that cannot be reached", plan.name);
        lines.truncate(3);
        lines
    });
    assert!(found.is_empty(), "{found}");
}

/// Nearer places that are seen only through slots narrower than the samples of a rim.
const THROUGH_SLOTS: f64 = 0.05;

#[test]
fn a_place_that_is_too_tight_is_left_for_the_nearest_in_sight_where_a_body_fits() {
    let plans = moved(generators::mixed(32, 18, 150));
    let found = report(&plans, |(number, plan)| {
        let Some((mesh, walls)) = mesh_of(plan, number / 3 % 3) else { return Vec::new() };
        let (finder, mut places) = (PathFinder::new(&mesh), Places::new(&mesh, *number as u64));
        let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
        let is_ground = |p: DVec2| mesh.cells().any(|cell| mesh.contains(cell, p));
        let (mut lines, mut asked, mut hidden) = (Vec::new(), 0, 0);
        for k in 0..60 {
            let body = Body::disc([0.2, 0.4, 0.8][k % 3]);
            let from = places.place().0;
            let at = from.truncate();
            if distance(&walls, at, at) >= body.radius {
                continue;
            }
            let Some(place) = finder.nearest_free(&body, from, &config, &mut scratch) else { continue };
            asked += 1;
            let to = place.point.truncate();
            let is_seen = distance(&walls, at, to) > 1e-9;
            hidden += usize::from(!place.is_in_sight);
            let is_true = place.is_in_sight == is_seen || distance(&walls, at, to) < 1e-6;
            if !is_true
                || distance(&walls, to, to) < body.radius - SLACK
                || (to - at).length() != place.distance
            {
                lines.push(format!("{}, {body:?} at {from}: {place:?}, seen: {is_seen}", plan.name));
            }
            // Nothing of a fine grid that is nearer, or anywhere near if nothing was seen, can be seen.
            let reach = if place.is_in_sight { place.distance } else { 4.0 * body.radius };
            let nearer = (0..3600)
                .map(|j| at + (DVec2::new(f64::from(j % 60), f64::from(j / 60)) / 30.0 - 1.0) * reach);
            let mut nearer = nearer.filter(|&p| {
                p.distance(at) < reach - THROUGH_SLOTS
                    && distance(&walls, p, p) >= body.radius
                    && distance(&walls, at, p) > 1e-9
                    && is_ground(p)
            });
            if let Some(p) = nearer.next() {
                lines.push(format!("{}, {body:?} at {from}: {p} is nearer than {place:?}", plan.name));
            }
        }
        println!("{}: {asked} places, {hidden} of them out of sight", plan.name);
        lines.truncate(3);
        lines
    });
    assert!(found.is_empty(), "{found}");
}

/// Found by hand: the corner of a desk hides what is straight ahead on a rim.
#[test]
fn what_a_corner_hides_is_left_for_where_sight_begins() {
    let (floor, _) = build_plan(&generated::office(), &Context::default()).unwrap();
    let mut mesh = baked(&floor, 0.0);
    let clearance = build_clearance(&mesh, &Context::default()).unwrap();
    mesh.set_clearance(Some(clearance));
    let finder = PathFinder::new(&mesh);
    let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
    let cases = [
        (1.5, dvec3(26.4845, 8.4133, 0.0), dvec3(18.52, 10.96, 0.0)),
        (1.5, dvec3(5.2103, 15.9409, 0.0), dvec3(8.72, 11.08, 0.0)),
        (1.2, dvec3(16.33882, 8.04601, 0.0), dvec3(20.73882, 5.59601, 0.0)),
    ];
    for (radius, from, seen) in cases {
        let body = Body::disc(radius);
        assert!(finder.find_for(&body, seen, seen, &config, &mut scratch).is_ok(), "{seen}");
        let cast = finder.raycast(&Body::disc(0.0), from, seen, &config).unwrap();
        assert!(cast.contact.is_none(), "{cast:?}");
        let place = finder.nearest_free(&body, from, &config, &mut scratch).unwrap();
        assert!(place.is_in_sight && place.distance <= from.distance(seen), "{from}: {place:?}");
    }
}
