//! Bodies of any radius on any plan: clearance, reachability, widest ways and paths agree with each other, with brute force over all
//! walls, and on cells of every kind.
//!
//! Bytes: the kind of plan and how it is turned, three radii, up to eight queries of four bytes each, then the plan: squares between
//! irregular grid lines, one bit each, or a hall with obstacles of three to six corners.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec2, dvec2};
use wayfare_floor::build_plan;
use wayfare_geom::{Polygon, segment::distance_squared_to_segment};
use wayfare_navmesh::{Body, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch, PlanPiece, Preference};
use wayfare_scene::PlanSource;

/// Lengths and distances agree to this much [m].
const SAME: f64 = 1e-6;

fuzz_target!(|bytes: &[u8]| {
    let [kind, a, b, c, count, rest @ ..] = bytes else { return };
    let queries = usize::from(count % 8 + 1) * 4;
    if rest.len() < queries + 4 {
        return;
    }
    let (queries, plan) = rest.split_at(queries);
    let turn = DVec2::from_angle(f64::from(kind >> 4) * 0.37);
    let mut polygons = if kind & 1 == 0 { squares(plan) } else { hall(plan) };
    let points = polygons.iter_mut().flat_map(|p| p.outer.iter_mut().chain(p.holes.iter_mut().flatten()));
    points.for_each(|p| *p = turn.rotate(*p));
    let Ok((plan, _)) = build_plan(&PlanSource::from_polygons(polygons), &Context::default()) else { return };
    let relaxation = [0.2, 1.0][usize::from(kind >> 1 & 1)];
    let mut meshes = Vec::new();
    for convex_distance in [0.0, relaxation] {
        let config = BakeConfig { convex_distance, ..BakeConfig::default() };
        let mut mesh = bake(&plan, &config, &Context::default()).expect("a valid plan can be baked");
        // Features about as small as rounding is are refused.
        let Ok(clearance) = build_clearance(&mesh, &Context::default()) else { return };
        mesh.set_clearance(Some(clearance));
        assert_eq!(mesh.check(), []);
        meshes.push(mesh);
    }
    let finders: Vec<PathFinder<&NavMesh>> = meshes.iter().map(PathFinder::new).collect();
    let walls = walls(&meshes[0]);
    let mut scratch = PathScratch::new();
    for query in queries.chunks_exact(4) {
        let end = |k: usize| turn.rotate(dvec2(f64::from(query[k]), f64::from(query[k + 1])) / 15.0);
        // On which side of a wall a point lies that is on it is for rounding to say, which differs from cell to cell.
        let is_on_wall = |p: DVec2| walls.iter().any(|&wall| to_wall(p, wall) < 1e-12);
        if is_on_wall(end(0)) || is_on_wall(end(2)) {
            continue;
        }
        for radius in [a, b, c].map(|byte| f64::from(*byte) / 80.0) {
            let lengths: Vec<Option<f64>> = finders
                .iter()
                .map(|finder| ask(finder, [end(0), end(2)], radius, &walls, &mut scratch))
                .collect();
            match (lengths[0], lengths[1]) {
                (Some(one), Some(two)) => assert!((one - two).abs() <= SAME * one.max(1.0), "{one} {two}"),
                (one, two) => assert_eq!(one.is_some(), two.is_some(), "{one:?} {two:?}"),
            }
        }
    }
});

/// Asks everything about one way; its length, if there is one.
fn ask(
    finder: &PathFinder<&NavMesh>,
    [from, to]: [DVec2; 2],
    radius: f64,
    walls: &[[DVec2; 2]],
    scratch: &mut PathScratch,
) -> Option<f64> {
    let (mesh, config) = (finder.mesh(), LocateConfig { snap: 0.0, ..LocateConfig::default() });
    let clearances = mesh.clearances().expect("it has been set");
    let ends = [from, to].map(|p| mesh.locate(p.extend(0.0), &config).map(|place| (place.cell, p)));
    let [Some(a), Some(b)] = ends else { return None };
    let rooms = [a, b].map(|(cell, p)| clearances.at(cell, p).map_or(f64::INFINITY, |place| place.distance));
    for (room, (_, p)) in rooms.iter().zip([a, b]) {
        let brute = walls.iter().map(|&wall| to_wall(p, wall)).fold(f64::INFINITY, f64::min);
        assert!((room - brute).abs() <= SAME, "clearance {room}, not {brute} at {p}");
    }
    let is_tight = rooms.iter().any(|&room| room < radius - 1e-9);
    let is_reachable = clearances.is_reachable(a, b, radius);
    let widest = clearances.widest(a, b).map(|narrow| narrow.radius);
    let fits = widest.is_some_and(|widest| widest >= radius - 1e-9);
    assert_eq!(
        is_reachable,
        fits || radius <= 1e-9 && widest.is_some(),
        "widest {widest:?}, radius {radius}"
    );
    let (body, ends) = (Body::disc(radius), [from, to].map(|p| p.extend(0.0)));
    let path = match finder.find_for(&body, ends[0], ends[1], &config, scratch) {
        Ok(path) => path,
        Err(no) => {
            assert!(!is_reachable, "{no}, but it is reachable: {widest:?}, radius {radius}");
            assert!(!is_tight || matches!(no, NoPath::TooTight { .. } | NoPath::Unreachable { .. }), "{no}");
            return None;
        }
    };
    assert!(is_reachable, "a path, but not reachable: {widest:?}, radius {radius}");
    check_curve(&path.pieces, [from, to], radius, walls);
    let sum: f64 = path.pieces.iter().map(PlanPiece::length).sum();
    assert!((sum - path.plan_length).abs() <= SAME, "{sum} {}", path.plan_length);
    let back = finder.find_for(&body, ends[1], ends[0], &config, scratch).expect("there is a way back");
    assert!((back.plan_length - path.plan_length).abs() <= SAME * sum.max(1.0), "{} {sum}", back.plan_length);
    let prefer = Preference::of(radius + 0.7);
    let cheap =
        finder.find_preferring(&body, &prefer, ends[0], ends[1], &config, scratch).expect("there is a path");
    check_curve(&cheap.pieces, [from, to], radius, walls);
    let cost = cheap.cost.expect("it was asked for");
    assert!(cost >= cheap.plan_length - SAME && cheap.plan_length >= path.plan_length - SAME, "{cost}");
    assert!(cost <= path.plan_length * prefer.price(radius) + SAME, "{cost}");
    Some(path.plan_length)
}

/// The pieces join the ends and are never nearer to a wall than the radius.
fn check_curve(pieces: &[PlanPiece], [from, to]: [DVec2; 2], radius: f64, walls: &[[DVec2; 2]]) {
    let mut at = from;
    for piece in pieces {
        let mut points = vec![at];
        assert!(at.distance(piece.ends()[0]) <= SAME, "{at} and {piece:?} do not join");
        if let PlanPiece::Arc { from, centre, turn, .. } = *piece {
            // Chords of so small angles are within 2e-8 of the radius of their arc.
            let steps = (turn.abs() / 4e-4).ceil().max(1.0);
            points.extend(
                (1..steps as u32)
                    .map(|k| centre + DVec2::from_angle(turn * f64::from(k) / steps).rotate(from - centre)),
            );
        }
        at = piece.ends()[1];
        points.push(at);
        for pair in points.windows(2) {
            for wall in walls {
                let crosses = crosses(*wall, [pair[0], pair[1]]);
                let least = pair.iter().map(|&p| to_wall(p, *wall)).fold(f64::INFINITY, f64::min);
                let least = wall.iter().map(|&p| to_wall(p, [pair[0], pair[1]])).fold(least, f64::min);
                assert!(
                    !crosses && least >= radius - SAME,
                    "{least} m from {wall:?}, radius {radius}: {piece:?}"
                );
            }
        }
    }
    assert!(at.distance(to) <= SAME, "the path ends at {at}");
}

fn to_wall(p: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    distance_squared_to_segment(p, a, b).sqrt()
}

/// Whether two segments cross by more than touching.
fn crosses([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let side = |a: DVec2, b: DVec2, p: DVec2| (b - a).perp_dot(p - a);
    let apart = |one: f64, two: f64| one.min(two) >= -SAME || one.max(two) <= SAME;
    !apart(side(a, b, c), side(a, b, d)) && !apart(side(c, d, a), side(c, d, b))
}

fn walls(mesh: &NavMesh) -> Vec<[DVec2; 2]> {
    let corners = mesh.cells().flat_map(|cell| mesh.corners(cell));
    corners
        .filter(|&corner| mesh.twin(corner).is_none())
        .map(|corner| mesh.edge(corner).map(|v| mesh.xy(v)))
        .collect()
}

/// Squares between grid lines, whose distances are given, too.
fn squares(bytes: &[u8]) -> Vec<Polygon> {
    let (lines, bits) = bytes.split_at(bytes.len().min(8));
    let mut at = vec![0.0];
    for (k, byte) in lines.iter().enumerate() {
        at.push(at[k] + f64::from(byte % 16 + 1) / 5.0);
    }
    let n = at.len() - 1;
    let is_free = |k: usize| bits.get(k / 8).is_some_and(|byte| byte >> (k % 8) & 1 == 0);
    let square = |k: usize| {
        let ([x, u], [y, v]) = ([at[k % n], at[k % n + 1]], [at[k / n], at[k / n + 1]]);
        Polygon::new(vec![dvec2(x, y), dvec2(u, y), dvec2(u, v), dvec2(x, v)])
    };
    (0..n * n).filter(|&k| is_free(k)).map(square).collect()
}

/// A hall with obstacles.
fn hall(mut bytes: &[u8]) -> Vec<Polygon> {
    let outer = [(0., 0.), (17., 0.), (17., 17.), (0., 17.)].map(|(x, y)| dvec2(x, y)).to_vec();
    let mut holes = Vec::new();
    while let Some((&head, rest)) = bytes.split_first() {
        let count = usize::from(head % 4 + 3);
        let (ring, rest) = rest.split_at(rest.len().min(2 * count));
        let fine = if head & 128 == 0 { 1.0 } else { 7.0 };
        let corner = dvec2(f64::from(head >> 2 & 3), f64::from(head >> 4 & 3)) * 3.0;
        let point = |b: &[u8]| corner + (dvec2(f64::from(b[0]), f64::from(b[1])) % (7.0 * fine) + 0.5) / fine;
        holes.push(ring.chunks_exact(2).map(point).collect());
        bytes = rest;
    }
    vec![Polygon { outer, holes }]
}
