//! Bodies that may overhang drops: they keep their radius from walls only, their centre stays on the ground, and their
//! paths are no longer than those of a brute-force graph.

use crate::support::{
    baked, floor_plan,
    over_ground::{over_ground, walls_where},
    report, rings,
};
use rayon::prelude::*;
use std::{cmp::Reverse, collections::BinaryHeap, f64::consts::TAU};
use wayfare_bake::{BakeConfig, build_clearance};
use wayfare_core::{Context, DVec2, DVec3, dvec2, dvec3};
use wayfare_floor::GroundConfig;
use wayfare_navmesh::{
    Body, LocateConfig, NavMesh, NoPath, Obstacle, Path, PathFinder, PathScratch, PlanPiece, RawNavMesh,
};
use wayfare_scene::generated::scene_by_name;
use wayfare_testkit::{
    Random, TestPlan,
    baked::{Places, bake_scene},
    disc_curve::Piece,
    free_space::{FreeSpace, Located, Place},
    generators,
    plan::sample_points,
};

fn overhanging(radius: f64) -> Body {
    Body { overhangs: true, ..Body::disc(radius) }
}

/// A mesh some of whose boundary edges are drops, as `is_drop` says of each of them, by its ends.
fn with_drops(mesh: NavMesh, is_drop: impl Fn(usize, [DVec2; 2]) -> bool) -> NavMesh {
    let mut raw: RawNavMesh = mesh.raw().clone();
    raw.drop_depths = vec![0.0; raw.corners.len()];
    for (chain, corners) in mesh.boundary().chains().enumerate() {
        for &corner in corners {
            if is_drop(chain, mesh.edge(corner).map(|vertex| mesh.xy(vertex))) {
                raw.drop_depths[corner.0 as usize] = 2.0;
            }
        }
    }
    let mut mesh = raw.validate().unwrap_or_else(|defects| panic!("{defects:?}"));
    mesh.set_clearance(Some(build_clearance(&mesh, &Context::default()).unwrap_or_else(|e| panic!("{e}"))));
    mesh
}

/// Edges of the boundary that are walls, and those that are drops.
fn edges(mesh: &NavMesh) -> [Vec<[DVec2; 2]>; 2] {
    let mut edges = [Vec::new(), Vec::new()];
    for corner in mesh.cells().flat_map(|cell| mesh.corners(cell)).filter(|&c| mesh.twin(c).is_none()) {
        let is_drop = mesh.drop_depth(corner) > 0.0;
        edges[usize::from(is_drop)].push(mesh.edge(corner).map(|vertex| mesh.xy(vertex)));
    }
    edges
}

/// A platform 8 m long and 1 m wide over which nothing stands, with a wall across at x = 6 but for 0.6 m at y > 0.4.
fn platform() -> NavMesh {
    let outer = [[0., 0.], [6., 0.], [6., 0.4], [6.1, 0.4], [6.1, 0.], [8., 0.], [8., 1.], [0., 1.]];
    let outer: Vec<DVec2> = outer.iter().map(|&[x, y]| dvec2(x, y)).collect();
    let plan = TestPlan { name: "platform".into(), polygons: vec![wayfare_geom::Polygon::new(outer)] };
    let is_wall = |p: DVec2| (5.9..6.2).contains(&p.x) && p.y < 0.5;
    with_drops(baked(&floor_plan(&plan), 0.0), |_, [a, b]| !(is_wall(a) && is_wall(b)))
}

#[test]
fn a_body_wider_than_a_platform_walks_it_only_if_it_may_overhang() {
    let mesh = platform();
    let finder = PathFinder::new(&mesh);
    let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
    let (from, to) = (dvec3(0.5, 0.5, 0.0), dvec3(4.0, 0.3, 0.0));
    let no = finder.find_for(&Body::disc(0.8), from, to, &config, &mut scratch).unwrap_err();
    assert!(matches!(no, NoPath::TooTight { .. }), "{no}");
    let path = finder.find_for(&overhanging(0.8), from, to, &config, &mut scratch).unwrap();
    assert!((path.plan_length - from.distance(to)).abs() < 1e-12);
    assert!((path.clearance.unwrap() - 2.0).abs() < 1e-12, "the wall at x = 6");
    // Walls still count: at the end of the wall 0.6 m are left to the drop.
    let beyond = dvec3(7.5, 0.5, 0.0);
    let path = finder.find_for(&overhanging(0.599), from, beyond, &config, &mut scratch).unwrap();
    assert!((path.clearance.unwrap() - 0.599).abs() < 1e-9);
    let no = finder.find_for(&overhanging(0.601), from, beyond, &config, &mut scratch).unwrap_err();
    let NoPath::TooNarrow { at, needed, available } = no else { panic!("{no}") };
    assert_eq!(needed, 0.601);
    assert!((available - 0.6).abs() < 1e-6, "{available}");
    assert!(at.distance(dvec3(6.05, 1.0, 0.0)) < 0.06, "{at}");
    let near = dvec3(5.9, 0.2, 0.0);
    let no = finder.find_for(&overhanging(0.3), from, near, &config, &mut scratch).unwrap_err();
    assert!(matches!(no, NoPath::TooTight { available, .. } if (available - 0.1).abs() < 1e-9), "{no}");
}

#[test]
fn the_everyday_calls_know_of_ledges() {
    let mesh = platform();
    let (finder, config) = (PathFinder::new(&mesh), LocateConfig::default());
    let from = dvec3(0.5, 0.2, 0.0);
    let body = overhanging(0.4);
    assert!(finder.raycast(&Body::disc(0.4), from, dvec3(8.0, 0.2, 0.0), &config).is_err());
    let cast = finder.raycast(&body, from, dvec3(8.0, 0.2, 0.0), &config).unwrap();
    assert!((cast.point.x - 5.6).abs() < 1e-9);
    assert_eq!(cast.contact.unwrap().obstacle, Obstacle::Wall);
    // Its centre stays on the ground.
    let cast = finder.raycast(&body, from, dvec3(0.5, -3.0, 0.0), &config).unwrap();
    assert!(cast.point.y.abs() < 1e-9);
    assert_eq!(cast.contact.unwrap().obstacle, Obstacle::Drop);
    let slid = finder.move_along(&body, from, dvec3(3.0, -1.0, 0.0), &config).unwrap();
    assert!((slid.point.x - 3.0).abs() < 1e-6 && slid.point.y.abs() < 1e-6);
    let wall = finder.nearest_wall(&body, from, &config).unwrap().unwrap();
    assert!((wall.distance - 5.5).abs() < 1e-12);
    let drop = finder.nearest_wall(&Body::default(), from, &config).unwrap().unwrap();
    assert!((drop.distance - 0.2).abs() < 1e-12);
}

/// Shortest ways over points on circles round the ends of walls, a little outside, and corners of drops.
struct Graph<'a> {
    space: &'a FreeSpace,
    walls: &'a [[DVec2; 2]],
    radius: f64,
    nodes: Vec<Located>,
}

/// Points on each circle.
const ROUND: u32 = 48;

impl<'a> Graph<'a> {
    fn new(space: &'a FreeSpace, [walls, drops]: &'a [Vec<[DVec2; 2]>; 2], radius: f64) -> Self {
        let mut graph = Self { space, walls, radius, nodes: Vec::new() };
        let mut ends: Vec<DVec2> = walls.iter().flatten().copied().collect();
        ends.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        ends.dedup();
        let outside = radius / (TAU / f64::from(2 * ROUND)).cos() + 1e-9;
        for &end in &ends {
            for k in 0..ROUND {
                let angle = TAU * f64::from(k) / f64::from(ROUND);
                let at = space.locate(end + DVec2::from_angle(angle) * outside);
                if at.place == Place::Inside && graph.keeps_off(at.point, at.point) {
                    graph.nodes.push(at);
                }
            }
        }
        for (number, fan) in space.fans().iter().enumerate() {
            let at = space.points()[fan.at];
            let is_end = |edges: &[[DVec2; 2]]| edges.iter().flatten().any(|&end| end == at);
            if space.is_notch(number) && is_end(drops) && !is_end(walls) {
                graph.nodes.push(space.in_fan(number));
            }
        }
        graph
    }

    fn keeps_off(&self, a: DVec2, b: DVec2) -> bool {
        let piece = Piece::Line { from: a, to: b };
        self.walls.iter().all(|&wall| piece.distance_to(wall) >= self.radius - 1e-9)
    }

    fn shortest(&self, from: DVec2, to: DVec2) -> Option<f64> {
        let mut nodes = vec![self.space.locate(from), self.space.locate(to)];
        nodes.extend(&self.nodes);
        let mut lengths = vec![f64::INFINITY; nodes.len()];
        let mut waiting = BinaryHeap::from([Reverse((0u64, 0usize))]);
        lengths[0] = 0.0;
        while let Some(Reverse((bits, k))) = waiting.pop() {
            let here = f64::from_bits(bits);
            if k == 1 {
                return Some(here);
            }
            if here > lengths[k] {
                continue;
            }
            for j in 1..nodes.len() {
                let length = here + nodes[k].point.distance(nodes[j].point);
                if length < lengths[j]
                    && self.keeps_off(nodes[k].point, nodes[j].point)
                    && self.space.sees(nodes[k], nodes[j])
                {
                    lengths[j] = length;
                    waiting.push(Reverse((length.to_bits(), j)));
                }
            }
        }
        None
    }
}

/// What is wrong with a path.
fn defects(
    path: &Path,
    [from, to]: [DVec2; 2],
    space: &FreeSpace,
    walls: &[[DVec2; 2]],
    radius: f64,
) -> Vec<String> {
    let mut defects = Vec::new();
    let (mut at, mut sum) = (from, 0.0);
    for piece in &path.pieces {
        if piece.ends()[0].distance(at) > 1e-8 {
            defects.push(format!("{at} and {} do not join", piece.ends()[0]));
        }
        at = piece.ends()[1];
        sum += piece.length();
        let (same, off) = match *piece {
            PlanPiece::Line { from, to } => (Piece::Line { from, to }, 1e-9),
            PlanPiece::Arc { from, centre, radius, turn, .. } => {
                (Piece::Arc { centre, radius, angle: (from - centre).to_angle(), turn }, 2e-4)
            }
        };
        for &wall in walls {
            let room = same.distance_to(wall);
            if room < radius - 1e-7 {
                defects.push(format!("{room} m from the wall {wall:?}"));
            }
        }
        let mut points = vec![piece.ends()[0]];
        piece.flatten(1e-4, &mut points);
        for pair in points.windows(2) {
            for k in 0..=20 {
                let p = pair[0].lerp(pair[1], f64::from(k) / 20.0);
                if space.locate(p).place == Place::Outside && space.distance_from_boundary(p) > off {
                    defects.push(format!("off the ground at {p}"));
                }
            }
        }
    }
    if at.distance(to) > 1e-8 || (sum - path.plan_length).abs() > 1e-8 {
        defects.push(format!("ends at {at}, {sum} m long"));
    }
    defects
}

/// Boundary edges in runs of a few: some walls, some drops.
fn in_runs(seed: u64) -> impl Fn(usize, [DVec2; 2]) -> bool {
    move |chain, [a, b]| {
        // Stripes of the plan, so that neighbouring edges are mostly alike, whatever the cells.
        let middle = a.midpoint(b);
        let stripe = (middle.x * 0.45 + middle.y * 0.31 + chain as f64 * 1.7 + seed as f64 * 0.77).sin();
        stripe > 0.0
    }
}

fn compare(plan: &TestPlan, seed: u64, relaxed: f64) -> (usize, Vec<String>) {
    let floor = floor_plan(plan);
    let mesh = with_drops(baked(&floor, relaxed), in_runs(seed));
    // Without clearance no path beside drops helps.
    let mut mesh = mesh;
    mesh.set_clearance(None);
    let (space, kinds) = (FreeSpace::new(&rings(&floor)), edges(&mesh));
    let finder = PathFinder::new(&mesh);
    let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
    let mut random = Random::new(seed);
    let (mut count, mut wrong) = (0, Vec::new());
    for scale in [0.02, 0.06, 0.15] {
        let radius = scale * plan.area().sqrt() * random.between(0.5, 1.5);
        let graph = Graph::new(&space, &kinds, radius);
        let fits = |p: &DVec2| graph.keeps_off(*p, *p);
        let ends: Vec<DVec2> =
            sample_points(&space, &mut random, 60).into_iter().filter(fits).take(12).collect();
        for pair in ends.chunks_exact(2) {
            let [from, to] = [pair[0], pair[1]];
            let found = finder.find_for(
                &overhanging(radius),
                from.extend(0.0),
                to.extend(0.0),
                &config,
                &mut scratch,
            );
            let expected = graph.shortest(from, to);
            let name = format!("{}, relaxed {relaxed}, radius {radius:?}: {from:?} to {to:?}", plan.name);
            count += 1;
            match (found, expected) {
                (Ok(path), expected) => {
                    let ends = [from, to];
                    wrong.extend(
                        defects(&path, ends, &space, &kinds[0], radius)
                            .iter()
                            .map(|d| format!("{name}: {d}")),
                    );
                    if expected.is_some_and(|expected| path.plan_length > expected + 1e-7) {
                        wrong.push(format!("{name}: {} m, not {expected:?}", path.plan_length));
                    }
                }
                (Err(NoPath::TooNarrow { available, .. }), None) => {
                    let body = overhanging(available * (1.0 - 1e-4) - 1e-6);
                    let [from, to] = [from, to].map(|p| p.extend(0.0));
                    if let Err(no) = finder.find_for(&body, from, to, &config, &mut scratch) {
                        wrong.push(format!(
                            "{name}: a body of {} m does not get through either: {no}",
                            body.radius
                        ));
                    }
                }
                (Err(NoPath::Unreachable { .. }), None) => {}
                (Err(no), expected) => wrong.push(format!("{name}: {no}, but {expected:?} m")),
            }
        }
    }
    (count, wrong)
}

#[test]
fn paths_over_drops_are_free_and_no_longer_than_those_of_a_brute_force_graph() {
    let plans: Vec<(usize, TestPlan)> = generators::mixed(11, 36, 60).into_iter().enumerate().collect();
    let outcomes: Vec<_> = plans
        .par_iter()
        .map(|(k, plan)| compare(plan, *k as u64, if k % 3 == 0 { 0.3 } else { 0.0 }))
        .collect();
    let count: usize = outcomes.iter().map(|outcome| outcome.0).sum();
    let wrong: Vec<_> = outcomes.into_iter().flat_map(|outcome| outcome.1).collect();
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 300, "{count}");
}

#[test]
fn without_drops_nothing_changes_and_without_walls_the_radius_does_not_matter() {
    let plans = generators::mixed(12, 27, 80);
    let wrong = report(&plans, |plan| {
        let floor = floor_plan(plan);
        let space = FreeSpace::new(&rings(&floor));
        let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
        let mut wrong = Vec::new();
        for all_drops in [false, true] {
            let mesh = with_drops(baked(&floor, 0.0), |_, _| all_drops);
            let mut bare = mesh.clone();
            bare.set_clearance(None);
            let (finder, by_itself) = (PathFinder::new(&mesh), PathFinder::new(&bare));
            let mut random = Random::new(3);
            for pair in sample_points(&space, &mut random, 40).chunks_exact(2) {
                let radius = random.between(0.01, 0.1) * plan.area().sqrt();
                let [from, to]: [DVec3; 2] = [pair[0].extend(0.0), pair[1].extend(0.0)];
                let one = by_itself.find_for(&overhanging(radius), from, to, &config, &mut scratch);
                let other = if all_drops { Body::default() } else { Body::disc(radius) };
                let two = finder.find_for(&other, from, to, &config, &mut scratch);
                let is_same = match (&one, &two) {
                    (Ok(one), Ok(two)) => (one.plan_length - two.plan_length).abs() <= 1e-7,
                    (
                        Err(NoPath::TooNarrow { available: one, at, .. }),
                        Err(NoPath::TooNarrow { available: two, at: there, .. }),
                    ) => {
                        // There may be several places of that width.
                        let room = |p: &DVec3| finder.walls().at(*p);
                        (one - two).abs() <= 1e-6 && (room(at) - room(there)).abs() <= 1e-5
                    }
                    // Where pieces of ground touch in a point, an end may be too tight on one and cut off on another.
                    (Err(_), Err(_)) => true,
                    _ => false,
                };
                if !is_same {
                    let [one, two] = [one, two].map(|it| it.map(|path| path.plan_length));
                    wrong
                        .push(format!("{} {all_drops} {radius} {from:?} {to:?}: {one:?} {two:?}", plan.name));
                }
            }
        }
        wrong
    });
    assert!(wrong.is_empty(), "{wrong}");
}

/// On scenes: nobody comes nearer to a wall than his radius, and what drops do not stop is no longer than before.
fn look_at_scene(name: &str) -> Vec<String> {
    /// How closely points follow arcs [m].
    const HAIR: f64 = 1e-5;
    let ground = GroundConfig::default();
    let scene = scene_by_name(name).unwrap_or_else(|| panic!("{name}"));
    let mut mesh = bake_scene(&scene, &ground, &BakeConfig::default()).unwrap_or_else(|e| panic!("{e}")).mesh;
    mesh.set_clearance(Some(build_clearance(&mesh, &Context::default()).unwrap_or_else(|e| panic!("{e}"))));
    let walls = walls_where(&mesh, |corner| mesh.drop_depth(corner) <= 0.0);
    let finder = PathFinder::new(&mesh);
    let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
    let (mut wrong, mut paths, mut longer) = (Vec::new(), 0, 0);
    for radius in [0.2, 0.5, 0.9] {
        let mut places = Places::new(&mesh, 5);
        let mut place = || (0..100).map(|_| places.place().0).find(|&at| finder.walls().at(at) >= radius);
        for _ in 0..16 {
            let (Some(from), Some(to)) = (place(), place()) else { break };
            let mut find = |body: Body| {
                finder.find_for(&Body { sagitta: HAIR, ..body }, from, to, &config, &mut scratch)
            };
            let (over, along) = (find(overhanging(radius)), find(Body::disc(radius)));
            let query = format!("{name}, radius {radius}: {from:?} to {to:?}");
            match (&over, &along) {
                (Ok(path), along) => {
                    paths += 1;
                    let room = over_ground(&path.points, &walls, radius, &ground);
                    if room < radius - 2.0 * HAIR {
                        wrong.push(format!("{query} comes as near as {room}"));
                    }
                    match along {
                        Ok(along) if path.plan_length > along.plan_length + 1e-6 => {
                            wrong.push(format!("{query}: {} m, but {}", path.plan_length, along.plan_length));
                        }
                        _ => longer += 1,
                    }
                }
                (Err(no), Ok(_)) => wrong.push(format!("{query}: {no}")),
                (Err(NoPath::TooNarrow { available, .. }), _) if *available < radius => {}
                (Err(NoPath::Unreachable { .. }), _) => {}
                (Err(no), _) => wrong.push(format!("{query}: {no}")),
            }
        }
    }
    println!("{name}: {paths} paths, {longer} no longer than with drops");
    wrong
}

#[test]
fn on_scenes_nobody_comes_too_near_to_walls_and_drops_only_shorten_the_way() {
    let wrong = report(&["sample", "building-2", "bridge"], |name| look_at_scene(name));
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_place_on_a_ledge_is_found_where_a_body_fits_or_can_get_to() {
    let mesh = platform();
    let (finder, config, mut scratch) = (PathFinder::new(&mesh), LocateConfig::default(), PathScratch::new());
    let near = dvec3(5.9, 0.2, 0.0);
    let place = finder.nearest_free(&overhanging(0.3), near, &config, &mut scratch).unwrap();
    assert!(place.point.distance(dvec3(5.7, 0.2, 0.0)) < 1e-6, "{:?}", place.point);
    // Past the end of the wall it does not get.
    let (from, to) = (dvec3(0.5, 0.5, 0.0), dvec3(7.5, 0.5, 0.0));
    let place = finder.nearest_reachable(&overhanging(0.7), from, to, &config, &mut scratch).unwrap();
    let room = (place.point.truncate() - dvec2(6.0, 0.4)).length();
    assert!((room - 0.7).abs() < 1e-6 && place.point.y > 0.99, "{:?}", place.point);
}
