//! Paths that prefer clearance cost hardly more than the cheapest ways over a fine grid, really cost what they say, keep their radius,
//! and never cost more than the shortest path.

use crate::support::{baked, floor_plan, rings};
use rayon::prelude::*;
use std::time::Instant;
use wayfare_bake::{BakeConfig, build_clearance};
use wayfare_core::{Context, DVec2, Id as _, dvec2};
use wayfare_floor::{GroundConfig, build_plan};
use wayfare_geom::{Aabb2, Polygon};
use wayfare_navmesh::{Body, LocateConfig, NavMesh, Path, PathFinder, PathScratch, PortalId, Preference};
use wayfare_scene::{PlanOptions, generated::scene_by_name, read_plan};
use wayfare_testkit::{
    Random, Rings, TestPlan,
    baked::{self as scenes, Places},
    data,
    disc_curve::{Piece, distance_to_boundary, walls},
    generators,
    price_grid::{Price, PriceGrid, price_of},
    transform::Similarity,
};

/// A path may cost this much more than the best one, as a share.
const NEAR: f64 = 0.02;

fn with_clearance(mut mesh: NavMesh) -> NavMesh {
    let clearance = build_clearance(&mesh, &Context::default()).unwrap_or_else(|error| panic!("{error}"));
    mesh.set_clearance(Some(clearance));
    mesh
}

/// What came of some queries.
#[derive(Default)]
struct Outcome {
    faults: Vec<String>,
    /// Cost over that of the grid.
    ratios: Vec<f64>,
    /// Seconds for shortest paths and for preferred ones.
    seconds: [f64; 2],
}

/// Asks for some paths on a plan and compares each with the grid and with brute force.
fn look(name: &str, mesh: &NavMesh, rings: &Rings, pixels: usize, seed: u64, queries: [usize; 2]) -> Outcome {
    let (grid, fine) = (PriceGrid::new(rings, pixels), PriceGrid::new(rings, 2 * pixels));
    let finder = PathFinder::new(mesh);
    let mut scratch = PathScratch::new();
    let mut random = Random::new(seed);
    let bounds = Aabb2::of_points(rings.points());
    let mut outcome = Outcome::default();
    // On large maps everything is larger.
    let unit = (grid.pixel / 0.1).max(1.0);
    for k in 0..queries[0] {
        let radius = grid.pixel * 3.6 + [0.0, 0.1, 0.25][k % 3] * unit * random.unit();
        let prefer = radius + [0.15, 0.4, 1.0][random.below(3)] * unit;
        let weight = [2.0, 2.0, 0.5, 6.0][random.below(4)] / unit;
        let price = Price { radius, prefer, weight };
        let mut place = || {
            let any = (0..500).map(|_| bounds.min + bounds.size() * dvec2(random.unit(), random.unit()));
            let mut free = any.map(|p| grid.nearest(p)).filter(|place| place.1 > radius);
            free.next().map(|place| place.0)
        };
        let Some(from) = place() else { continue };
        let goals: Vec<DVec2> = (0..queries[1]).filter_map(|_| place()).collect();
        let coarse = grid.cheapest(from, &goals, &price);
        let best = fine.cheapest(from, &goals, &price);
        for (&to, (coarse, best)) in goals.iter().zip(coarse.into_iter().zip(best)) {
            let best = extrapolated(coarse, best);
            let what = format!("{name}: {price:?} from {from:?} to {to:?}");
            let (body, config) = (Body::disc(radius), LocateConfig::default());
            let preference = Preference { clearance: prefer, weight };
            let [start, goal] = [from, to].map(|p| p.extend(0.0));
            let begin = Instant::now();
            let plain = finder.find_for(&body, start, goal, &config, &mut scratch);
            outcome.seconds[0] += begin.elapsed().as_secs_f64();
            let begin = Instant::now();
            let found = finder.find_preferring(&body, &preference, start, goal, &config, &mut scratch);
            outcome.seconds[1] += begin.elapsed().as_secs_f64();
            let (Ok(plain), Ok(path)) = (&plain, &found) else {
                if plain.is_ok() != found.is_ok() {
                    outcome.faults.push(format!("{what}: {found:?}, but {plain:?}"));
                }
                continue;
            };
            let cost = path.cost.unwrap_or(f64::NAN);
            outcome.faults.extend(faults(path, plain, rings, &price).map(|fault| format!("{what}: {fault}")));
            if best.is_finite() && best > 0.0 {
                let mut ratio = cost / best;
                if ratio > 1.0 + NEAR / 2.0 {
                    // A closer look.
                    let finest = PriceGrid::new(rings, 4 * pixels).cheapest(from, &[to], &price)[0];
                    ratio = cost / extrapolated(fine.cheapest(from, &[to], &price)[0], finest);
                }
                outcome.ratios.push(ratio);
                if ratio > 1.0 + NEAR {
                    outcome.faults.push(format!("{what}: costs {cost}, on the grid {best}: {ratio}"));
                }
            }
        }
    }
    outcome
}

/// What a grid of infinitely small pixels would say: half as large ones halve what it costs too much. Where the coarse grid goes
/// another way, that says nothing.
fn extrapolated(coarse: f64, fine: f64) -> f64 {
    if coarse < 1.05 * fine { fine - (coarse - fine).max(0.0) } else { fine }
}

/// What is wrong with a path by brute force.
fn faults(path: &Path, plain: &Path, rings: &Rings, price: &Price) -> impl Iterator<Item = String> {
    let mut faults = Vec::new();
    let points = |path: &Path| path.points.iter().map(|p| p.truncate()).collect::<Vec<DVec2>>();
    let line = points(path);
    let pieces: Vec<Piece> = line.windows(2).map(|pair| Piece::Line { from: pair[0], to: pair[1] }).collect();
    let distance = distance_to_boundary(&pieces, rings);
    // Points are within a millimetre of arcs, which a shortest path has.
    let has_arcs = path.pieces.len() + 1 < path.points.len();
    if distance < price.radius - if has_arcs { 1e-3 } else { 1e-6 } {
        faults.push(format!("{distance} m from the boundary"));
    }
    let cost = path.cost.unwrap_or(f64::NAN);
    let real = price_of(&line, rings, price, 2e-3);
    if (cost - real).abs() > 1e-3 * real + 1e-3 {
        faults.push(format!("costs {real}, not {cost}"));
    }
    let most = price_of(&points(plain), rings, price, 2e-3);
    if cost > most * (1.0 + 1e-3) + 1e-3 {
        faults.push(format!("costs {cost}, the shortest path {most}"));
    }
    faults.into_iter()
}

fn report(outcomes: Vec<Outcome>) {
    let mut ratios: Vec<f64> = outcomes.iter().flat_map(|outcome| outcome.ratios.clone()).collect();
    ratios.sort_by(f64::total_cmp);
    let [plain, prefer] =
        [0, 1].map(|k| outcomes.iter().map(|outcome| outcome.seconds[k]).sum::<f64>() / ratios.len() as f64);
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share) as usize];
    println!(
        "{} paths; cost over the grid's: least {:.4}, median {:.4}, 90 % {:.4}, 99 % {:.4}, most {:.4}; {:.0} µs, shortest {:.0} µs",
        ratios.len(),
        at(0.0),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
        prefer * 1e6,
        plain * 1e6
    );
    let faults: Vec<String> = outcomes.into_iter().flat_map(|outcome| outcome.faults).collect();
    assert!(faults.is_empty(), "{} faults: {:#?}", faults.len(), &faults[..faults.len().min(12)]);
}

/// Plans with room for bodies.
fn plans(seed: u64, count: usize) -> Vec<TestPlan> {
    let one = |k: u64| match k % 5 {
        0 => generators::rooms(k, 2, 2),
        1 => generators::squares(k, 8, 0.8),
        2 => generators::triangles(k, 40, 0.85),
        3 => generators::star(k, 40),
        _ => generators::rectilinear(k, 9, 0.8),
    };
    (seed..).take(count).map(one).collect()
}

#[test]
fn preferred_paths_cost_hardly_more_than_on_a_fine_grid() {
    let outcomes = plans(1, 25)
        .par_iter()
        .map(|plan| {
            let floor = floor_plan(plan);
            let mesh = with_clearance(baked(&floor, 0.0));
            look(&plan.name, &mesh, &rings(&floor), 150, 7, [3, 4])
        })
        .collect();
    report(outcomes);
}

#[test]
fn preferred_paths_cost_hardly_more_than_on_a_fine_grid_on_shared_maps() {
    let maps: Vec<_> = ["BUW", "aknz_arrival"].iter().filter_map(|name| data::map_named(name)).collect();
    if maps.is_empty() {
        eprintln!("no shared data: nothing is looked at");
        return;
    }
    let outcomes = maps
        .par_iter()
        .map(|map| {
            let source =
                read_plan(&map.path, &PlanOptions::default()).unwrap_or_else(|error| panic!("{error}"));
            let (floor, _) =
                build_plan(&source, &Context::default()).unwrap_or_else(|error| panic!("{error}"));
            look(&map.name, &with_clearance(baked(&floor, 0.0)), &rings(&floor), 350, 3, [2, 6])
        })
        .collect();
    report(outcomes);
}

#[test]
fn cells_do_not_matter() {
    for plan in plans(40, 5) {
        let floor = floor_plan(&plan);
        let meshes = [0.0, 0.3].map(|relaxation| with_clearance(baked(&floor, relaxation)));
        let finders = meshes.each_ref().map(PathFinder::new);
        let mut places = Places::new(&meshes[0], 5);
        let mut scratch = PathScratch::new();
        for _ in 0..10 {
            let [from, to] = places.connected_pair();
            let costs = finders.each_ref().map(|finder| {
                let (body, prefer) = (Body::disc(0.1), Preference::of(0.5));
                let path =
                    finder.find_preferring(&body, &prefer, from, to, &LocateConfig::default(), &mut scratch);
                path.map_or(f64::INFINITY, |path| path.cost.unwrap_or(f64::NAN))
            });
            let is_same = costs[0] == costs[1] || (costs[0] / costs[1] - 1.0).abs() < NEAR / 2.0;
            assert!(is_same, "{}: {from} to {to}: {costs:?}", plan.name);
        }
    }
}

#[test]
fn on_storeys_paths_keep_their_radius_and_cost_no_more_than_the_shortest() {
    for name in ["building-2", "bridge"] {
        let Some(scene) = scene_by_name(name) else { panic!("no scene {name}") };
        let ground = GroundConfig::default();
        let baked = scenes::bake_scene(&scene, &ground, &BakeConfig::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let mesh = with_clearance(baked.mesh);
        let clearances = mesh.clearances().expect("it has just been set");
        let finder = PathFinder::new(&mesh);
        let (mut scratch, mut places) = (PathScratch::new(), Places::new(&mesh, 9));
        let (body, prefer, config) = (Body::disc(0.2), Preference::of(0.6), scenes::locate_config(&ground));
        let (mut found, mut wider) = (0, 0);
        for _ in 0..60 {
            let [from, to] = places.connected_pair();
            let Ok(plain) = finder.find_for(&body, from, to, &config, &mut scratch) else { continue };
            let path = finder
                .find_preferring(&body, &prefer, from, to, &config, &mut scratch)
                .expect("there is a path");
            found += 1;
            let cost = path.cost.unwrap_or(f64::NAN);
            let most = plain.plan_length * prefer.price(body.radius);
            assert!(cost >= path.plan_length - 1e-9 && cost <= most + 1e-9, "{name}: {cost}, at most {most}");
            assert!(
                path.clearance.is_none_or(|clearance| clearance >= body.radius - 1e-6),
                "{name}: {path:?}"
            );
            for &p in &path.points {
                let place = mesh.locate(p, &config).expect("a path is on the ground");
                let room =
                    clearances.at(place.cell, p.truncate()).map_or(f64::INFINITY, |place| place.distance);
                assert!(
                    place.point.distance(p) < 1e-3 && room >= body.radius - 1e-3,
                    "{name}: {room} at {p}"
                );
            }
            wider += usize::from(path.plan_length > plain.plan_length + 0.01);
        }
        println!("{name}: {found} paths, {wider} keep away from walls");
        assert!(found > 20 && wider > 5);
    }
}

#[test]
fn what_is_closed_is_kept_off() {
    let mut closed = 0;
    for plan in plans(60, 5) {
        let mesh = with_clearance(baked(&floor_plan(&plan), 0.0));
        let mut finder = PathFinder::new(&mesh);
        let mut places = Places::new(&mesh, 5);
        let (mut scratch, config) = (PathScratch::new(), LocateConfig::default());
        for (k, portal) in (0..mesh.portals().len()).map(PortalId::new).enumerate() {
            if k % 5 == 0 {
                finder.blocks_mut().block_portal(portal);
            }
        }
        for radius in [0.0, 0.1] {
            for _ in 0..20 {
                let [from, to] = places.connected_pair();
                let (body, prefer) = (Body::disc(radius), Preference::of(0.5));
                let plain = finder.find_for(&body, from, to, &config, &mut scratch);
                let path = finder.find_preferring(&body, &prefer, from, to, &config, &mut scratch);
                assert_eq!(plain.is_ok(), path.is_ok(), "{}: {from} to {to}", plan.name);
                let Ok(path) = path else { continue };
                closed += 1;
                let ends = |portal: PortalId| mesh.edge(mesh.portals()[portal][0]).map(|v| mesh.xy(v));
                for portal in (0..mesh.portals().len()).map(PortalId::new) {
                    if !finder.blocks().is_portal_blocked(portal) {
                        continue;
                    }
                    for pair in path.points.windows(2) {
                        let line = Piece::Line { from: pair[0].truncate(), to: pair[1].truncate() };
                        let room = line.distance_to(ends(portal));
                        // A point may touch the ends of a closed door as it turns there.
                        let touches =
                            radius == 0.0 && !crosses([pair[0], pair[1]].map(|p| p.truncate()), ends(portal));
                        assert!(touches || room >= radius - 1e-3, "{}: {from} to {to}: {room}", plan.name);
                    }
                }
            }
        }
    }
    assert!(closed > 50, "{closed}");
}

/// Whether two segments cross, not only touch.
fn crosses([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let side = |a: DVec2, b: DVec2, p: DVec2| (b - a).perp_dot(p - a);
    let hair = 1e-9;
    (side(a, b, c) > hair) != (side(a, b, d) > hair)
        && (side(a, b, c) < -hair) != (side(a, b, d) < -hair)
        && (side(c, d, a) > hair) != (side(c, d, b) > hair)
        && (side(c, d, a) < -hair) != (side(c, d, b) < -hair)
}

/// A hall with obstacles of three to six corners, which may overlap.
fn hall(mut bytes: &[u8]) -> TestPlan {
    let outer = [(0., 0.), (17., 0.), (17., 17.), (0., 17.)].map(|(x, y)| dvec2(x, y)).to_vec();
    let mut holes = Vec::new();
    while let Some((&head, rest)) = bytes.split_first() {
        let (ring, rest) = rest.split_at(rest.len().min(2 * usize::from(head % 4 + 3)));
        let fine = if head & 128 == 0 { 1.0 } else { 7.0 };
        let corner = dvec2(f64::from(head >> 2 & 3), f64::from(head >> 4 & 3)) * 3.0;
        let point = |b: &[u8]| corner + (dvec2(f64::from(b[0]), f64::from(b[1])) % (7.0 * fine) + 0.5) / fine;
        holes.push(ring.chunks_exact(2).map(point).collect());
        bytes = rest;
    }
    TestPlan { name: "hall".into(), polygons: vec![Polygon { outer, holes }] }
}

#[test]
fn a_place_that_is_not_in_its_cell_by_rounding_does_not_lead_through_walls() {
    // Found by fuzzing: places on the Voronoi diagram with the cell next to their own.
    let mut paths = 0;
    for bytes in [
        "cf1818084d8c68c9ca9cb2b0905c8454f1bb9abae45d8213db64b70f7113caf32119157cbfd24023ec94aad5ad04f384bdb90bf54d55a2128551",
        "6d1802667bf5fa32b16668bb6370dae6eb68bda0b379d2dfd40cf78ba12b6faac24d988446c4fbf369006407deef78f266cf2d323b1b241d057253b0d20ee5145b5a336ac6d8552739e17373019d3a72b3238cd8",
        "6118180075aeb8605df6404dfadec5d89a37a92afe9643974e6590ee7dbeb0aeee4ccf1348ad08a5d794df720cfd210efd3f78bc07b04936798d5b87f748889efbc1846335b63419f7daacec05826e83740e994c90c542d1f6e73d8d835f",
    ] {
        let bytes: Vec<u8> = (0..bytes.len() / 2)
            .map(|k| u8::from_str_radix(&bytes[2 * k..2 * k + 2], 16).expect("two digits"))
            .collect();
        let (queries, plan) = bytes[5..].split_at(4 * usize::from(bytes[4] % 8 + 1));
        let turn = Similarity::rotation(f64::from(bytes[0] >> 4) * 0.37);
        let floor = floor_plan(&turn.plan(&hall(plan)));
        let rings = rings(&floor);
        for relaxation in [0.0, 0.2, 1.0] {
            let mesh = with_clearance(baked(&floor, relaxation));
            let (finder, mut scratch) = (PathFinder::new(&mesh), PathScratch::new());
            for query in queries.chunks_exact(4) {
                let end = |k: usize| dvec2(f64::from(query[k]), f64::from(query[k + 1])) / 15.0;
                let [from, to] = [end(0), end(2)].map(|p| turn.point(p).extend(0.0));
                for radius in [1, 2, 3].map(|k| f64::from(bytes[k]) / 80.0) {
                    let (body, prefer) = (Body::disc(radius), Preference::of(radius + 0.7));
                    let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
                    let Ok(path) = finder.find_preferring(&body, &prefer, from, to, &config, &mut scratch)
                    else {
                        continue;
                    };
                    paths += 1;
                    let pairs = path.points.windows(2).map(|pair| [pair[0].truncate(), pair[1].truncate()]);
                    let through =
                        pairs.flat_map(|line| walls(&rings).into_iter().map(move |wall| (line, wall)));
                    for (line, wall) in through {
                        let room = Piece::Line { from: line[0], to: line[1] }.distance_to(wall);
                        assert!(
                            !crosses(line, wall) && room >= radius - 1e-3,
                            "{room} m, radius {radius}: {wall:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(paths > 20, "{paths}");
}
