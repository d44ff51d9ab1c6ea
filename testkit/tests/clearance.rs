//! Clearance at points and along lines, widest ways and reachability, against oracles that share no code with them.

use crate::support::{baked, cut_in_ways, floor_plan, report, rings, with_clearance};
use wayfare_core::{Context, DVec2, Id as _, dvec2};
use wayfare_floor::build_plan;
use wayfare_geom::{Polygon, segment::nearest_on_segment};
use wayfare_navmesh::{CellId, LocateConfig, NavMesh, PortalId};
use wayfare_scene::{PlanOptions, read_plan};
use wayfare_testkit::{
    DistanceGrid, Random, TestPlan,
    data::{self, MapKind},
    generators,
    plan::sample_points,
    transform::Similarity,
    zoo,
};

/// Generated plans and odd ones. Left out: micrometres in a room of a thousand kilometres, which the builder refuses; and
/// cells with thousands of corners, which take long.
fn plans() -> Vec<TestPlan> {
    let mut plans = zoo::all();
    plans
        .retain(|plan| !["tiny beside huge", "holes in line"].iter().any(|name| plan.name.starts_with(name)));
    // Enough for a cell to have more features than are looked through one by one.
    plans.push(zoo::holes_in_line(60));
    plans.extend(generators::mixed(1, 60, 80));
    plans
}

/// A random point of a cell; cells are equally likely, so that small ones count.
fn place(mesh: &NavMesh, random: &mut Random) -> (CellId, DVec2) {
    let cell = CellId::new(random.below(mesh.cell_count()));
    let points: Vec<DVec2> = mesh.cell_points(cell).collect();
    let weights: Vec<f64> = points.iter().map(|_| random.unit()).collect();
    let sum: f64 = weights.iter().sum();
    let p = points.iter().zip(&weights).map(|(&p, w)| p * (w / sum)).sum();
    (cell, if mesh.contains(cell, p) { p } else { points[0] })
}

fn boundary(mesh: &NavMesh) -> Vec<[DVec2; 2]> {
    let boundary = mesh.boundary();
    boundary.chains().flatten().map(|&corner| mesh.edge(corner).map(|v| mesh.xy(v))).collect()
}

fn distance(edges: &[[DVec2; 2]], p: DVec2) -> f64 {
    edges.iter().map(|&[a, b]| nearest_on_segment(p, a, b).distance(p)).fold(f64::INFINITY, f64::min)
}

fn located(mesh: &NavMesh, p: DVec2) -> Option<(CellId, DVec2)> {
    let place = mesh.locate(p.extend(0.0), &LocateConfig { snap: 1e-9, ..LocateConfig::default() })?;
    Some((place.cell, place.point.truncate()))
}

#[test]
fn the_distance_at_a_point_is_that_of_all_boundary_edges() {
    let found = report(&plans(), |plan| {
        let mut lines = Vec::new();
        let mut random = Random::new(5);
        for (name, mesh) in cut_in_ways(plan, &[0.0, 0.02, 0.2]) {
            let (edges, clearances) = (boundary(&mesh), mesh.clearances().expect("it was built"));
            for _ in 0..200 {
                let (cell, p) = place(&mesh, &mut random);
                let (brute, place) =
                    (distance(&edges, p), clearances.at(cell, p).expect("there is a boundary"));
                let error = (place.distance - brute).abs().max((place.nearest.distance(p) - brute).abs());
                if error > 1e-9 {
                    lines.push(format!("{name}: at {p} {place:?}, by brute force {brute}"));
                }
            }
        }
        lines.truncate(4);
        lines
    });
    assert_eq!(found, "");
}

/// The distance of two segments by the distances of their ends, and 0 if they cross.
fn segment_distance([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> f64 {
    if wayfare_geom::predicates::segments_touch(a, b, c, d) {
        return 0.0;
    }
    let ends = [(a, c, d), (b, c, d), (c, a, b), (d, a, b)];
    ends.map(|(p, a, b)| nearest_on_segment(p, a, b).distance(p)).into_iter().fold(f64::INFINITY, f64::min)
}

#[test]
fn the_distance_along_a_line_is_that_of_all_boundary_edges() {
    let found = report(&plans(), |plan| {
        let mut lines = Vec::new();
        let mut random = Random::new(6);
        for (name, mesh) in cut_in_ways(plan, &[0.0, 0.02, 0.2]) {
            let (edges, clearances) = (boundary(&mesh), mesh.clearances().expect("it was built"));
            for _ in 0..200 {
                let ((cell, a), (_, mut b)) = (place(&mesh, &mut random), place(&mesh, &mut random));
                if random.chance(0.7) {
                    // Short lines mostly stay inside.
                    b = a + (b - a) * random.between(0.0, 0.3);
                }
                let brute =
                    edges.iter().map(|&edge| segment_distance(edge, [a, b])).fold(f64::INFINITY, f64::min);
                let line = clearances.along(cell, a, b);
                let is_right = (line.distance - brute).abs() <= 1e-9
                    && (line.distance == 0.0 || (line.nearest.distance(line.at) - brute).abs() <= 1e-9);
                if !is_right {
                    lines.push(format!("{name}: {a} to {b} {line:?}, by brute force {brute}"));
                }
            }
        }
        lines.truncate(4);
        lines
    });
    assert_eq!(found, "");
}

#[test]
fn widest_ways_are_those_of_a_fine_grid_and_the_same_on_any_cells() {
    // Plans that a grid of this size resolves, each with free space in one plane.
    let plans: Vec<TestPlan> = generators::mixed(2, 60, 60);
    let checked = std::sync::atomic::AtomicUsize::new(0);
    let found = report(&plans, |plan| {
        let mut lines = Vec::new();
        let mut random = Random::new(7);
        let floor = floor_plan(plan);
        let rings = rings(&floor);
        let grid = DistanceGrid::new(&rings, 300);
        let error = DistanceGrid::WAY_ERROR * grid.pixel;
        let meshes = cut_in_ways(plan, &[0.0, 0.02, 0.2]);
        let space = wayfare_testkit::free_space::FreeSpace::new(&rings);
        let points = sample_points(&space, &mut random, 120);
        for _ in 0..350 {
            let [a, b] = [(); 2].map(|()| points[random.below(points.len())]);
            let oracle = grid.widest(a, b);
            let mut first: Option<f64> = None;
            for (name, mesh) in &meshes {
                let clearances = mesh.clearances().expect("it was built");
                let (Some(from), Some(to)) = (located(mesh, a), located(mesh, b)) else { continue };
                let widest = clearances.widest(from, to);
                let radius = widest.map_or(0.0, |widest| widest.radius);
                checked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                // Below the size of a pixel the grid does not see free space at all.
                if radius > oracle + error || radius < oracle - error {
                    lines.push(format!("{name}: {a} to {b} {widest:?}, grid {oracle} ± {error}"));
                }
                if (first.unwrap_or(radius) - radius).abs() > 1e-9 {
                    lines.push(format!("{name}: {a} to {b} {radius}, on other cells {first:?}"));
                }
                first = first.or(Some(radius));
                if let Some(widest) = widest.filter(|widest| widest.radius > 1e-6) {
                    let there =
                        clearances.at(widest.cell, widest.at).map_or(f64::NAN, |place| place.distance);
                    if (there - widest.radius).abs() > 1e-6 {
                        lines.push(format!("{name}: {a} to {b} {widest:?} but there {there}"));
                    }
                }
                for part in [0.2, 0.6, 0.99, 1.01, 1.5, 3.0] {
                    let expected =
                        widest.is_some() && part <= 1.0 || radius == 0.0 && widest.is_some() && part == 0.0;
                    if radius > 1e-6 && clearances.is_reachable(from, to, radius * part) != expected {
                        lines.push(format!("{name}: {a} to {b} wide {radius}, asked for {part} of it"));
                    }
                }
            }
        }
        lines.truncate(4);
        lines
    });
    assert_eq!(found, "");
    assert!(checked.into_inner() > 80_000);
}

/// Two rooms of 4 m with a wall of 0.2 m between them and a door.
fn two_rooms(door: f64) -> TestPlan {
    let (w, low, high) = (0.2, 2.0 - door / 2.0, 2.0 + door / 2.0);
    let points = [
        (0., 0.),
        (4., 0.),
        (4., low),
        (4. + w, low),
        (4. + w, 0.),
        (8., 0.),
        (8., 4.),
        (4. + w, 4.),
        (4. + w, high),
        (4., high),
        (4., 4.),
        (0., 4.),
    ];
    let outer = points.iter().map(|&(x, y)| dvec2(x, y)).collect();
    TestPlan { name: "two rooms".into(), polygons: vec![Polygon::new(outer)] }
}

#[test]
fn a_door_of_80_centimetres_lets_399_millimetres_pass_and_not_401_at_any_rotation() {
    for k in 0..64 {
        let turn = Similarity::rotation(f64::from(k) * 0.1);
        for (name, mesh) in cut_in_ways(&turn.plan(&two_rooms(0.8)), &[0.0, 0.02, 0.2]) {
            let clearances = mesh.clearances().expect("it was built");
            let [from, to] =
                [dvec2(2., 2.), dvec2(6., 2.5)].map(|p| located(&mesh, turn.point(p)).expect("in a room"));
            assert!(clearances.is_reachable(from, to, 0.399), "{name}, {k}");
            assert!(clearances.is_reachable(from, to, 0.4), "{name}, {k}: exactly as wide");
            assert!(!clearances.is_reachable(from, to, 0.401), "{name}, {k}");
            let widest = clearances.widest(from, to).expect("one room");
            assert!((widest.radius - 0.4).abs() < 1e-12, "{name}, {k}: {widest:?}");
            let door = turn.point(dvec2(4.1, 2.0));
            assert!(widest.at.distance(door) < 0.1 + 1e-9, "{name}, {k}: {widest:?}");
        }
    }
}

#[test]
fn two_thin_cells_that_each_let_a_body_pass_do_not_let_it_pass_together() {
    // Two posts on either side of a portal that runs along the corridor: through the lower cell alone, or the upper
    // one alone, one could pass beside the post of the other; both posts together leave 0.5 m.
    let corridor = dvec2(8.0, 1.0);
    let outer = vec![
        dvec2(0., 0.),
        dvec2(3.9, 0.),
        dvec2(4., 0.25),
        dvec2(4.1, 0.),
        dvec2(corridor.x, 0.),
        corridor,
        dvec2(4.1, 1.),
        dvec2(4., 0.75),
        dvec2(3.9, 1.),
        dvec2(0., 1.),
    ];
    let ring = outer.clone();
    let plan = TestPlan { name: "posts".into(), polygons: vec![Polygon::new(outer)] };
    for (name, mesh) in cut_in_ways(&plan, &[0.0, 0.02, 0.2]) {
        let clearances = mesh.clearances().expect("it was built");
        let [from, to] = [dvec2(1., 0.5), dvec2(7., 0.5)].map(|p| located(&mesh, p).expect("inside"));
        let widest = clearances.widest(from, to).expect("one corridor");
        assert!((widest.radius - 0.25).abs() < 1e-12, "{name}: {widest:?}");
        assert!(widest.at.distance(dvec2(4.0, 0.5)) < 1e-9, "{name}: {widest:?}");
        assert!(clearances.is_reachable(from, to, 0.25) && !clearances.is_reachable(from, to, 0.2501));
    }
    // The same with cells cut along the corridor: two thin cells that share one long portal.
    let mut vertices: Vec<_> = ring.iter().map(|p| p.extend(0.0)).collect();
    vertices.extend([dvec2(0., 0.5), dvec2(8., 0.5)].map(|p| p.extend(0.0)));
    let cells: Vec<Vec<u32>> = vec![
        vec![0, 1, 10],
        vec![1, 2, 10],
        vec![2, 11, 10],
        vec![2, 3, 11],
        vec![3, 4, 11],
        vec![11, 5, 6],
        vec![11, 6, 7],
        vec![11, 7, 10],
        vec![7, 8, 10],
        vec![8, 9, 10],
    ];
    let raw = wayfare_navmesh::RawNavMesh::from_polygons(&vertices, &cells).expect("edges match");
    let mesh = with_clearance(raw.validate().expect("sound cells"), "cut along");
    let clearances = mesh.clearances().expect("it was built");
    let [from, to] = [dvec2(1., 0.45), dvec2(7., 0.55)].map(|p| located(&mesh, p).expect("inside"));
    assert!((clearances.widest(from, to).expect("one corridor").radius - 0.25).abs() < 1e-12);
}

#[test]
fn a_corner_can_be_turned_round_as_far_as_its_reach() {
    let found = report(&generators::mixed(3, 30, 50), |plan| {
        let mut lines = Vec::new();
        let mut random = Random::new(8);
        for (name, mesh) in cut_in_ways(plan, &[0.0, 0.02, 0.2]) {
            let (edges, clearances) = (boundary(&mesh), mesh.clearances().expect("it was built"));
            let features = clearances.features();
            for id in features.ids().filter(|&id| !features.get(id).is_edge()) {
                let corner = features.get(id);
                let [a, b] = [(); 2].map(|()| random.between(corner.low, corner.high));
                let radius = clearances.turn(id, corner.ray(a) * 3.0, corner.ray(b) * 0.1);
                let samples = (0..=40).map(|k| corner.ray(a + (b - a) * f64::from(k) / 40.0));
                for ray in samples {
                    let centre = corner.at + ray * (radius * (1.0 - 1e-9));
                    if (distance(&edges, centre) - radius).abs() > 1e-7 * radius.max(1e-3) {
                        lines.push(format!(
                            "{name}: {radius} at {}, has {}",
                            corner.at,
                            distance(&edges, centre)
                        ));
                    }
                }
            }
        }
        lines.truncate(4);
        lines
    });
    assert_eq!(found, "");
}

#[test]
fn below_its_critical_radius_only_the_ends_of_a_portal_narrow_it() {
    let found = report(&generators::mixed(4, 30, 50), |plan| {
        let mut lines = Vec::new();
        for (name, mesh) in cut_in_ways(plan, &[0.0, 0.02, 0.2]) {
            let (edges, clearances) = (boundary(&mesh), mesh.clearances().expect("it was built"));
            for (portal, &[corner, _]) in mesh.portals().iter() {
                let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
                let critical = clearances.data().critical_radius(PortalId::new(portal.index()));
                let samples = (0..=200).map(|k| a.lerp(b, f64::from(k) / 200.0));
                let others = samples.map(|p| (distance(&edges, p), p.distance(a).min(p.distance(b))));
                let least = others.filter(|(all, ends)| *all < ends * (1.0 - 1e-7)).map(|(all, _)| all);
                let least = least.fold(f64::INFINITY, f64::min);
                // Samples miss the very lowest place by their distance at most.
                let step = a.distance(b) / 200.0;
                if least < critical * (1.0 - 1e-9)
                    || critical.is_finite() && least > critical + step && step > 1e-9
                {
                    lines.push(format!("{name}: portal {portal} {critical}, by samples {least}"));
                }
            }
        }
        lines.truncate(4);
        lines
    });
    assert_eq!(found, "");
}

#[test]
fn on_the_shared_maps_distances_are_those_of_all_boundary_edges() {
    let mut maps = data::maps();
    // Squares by chance and mazes of a square's width are many of the same.
    maps.retain(|map| {
        !["random", "mazes_maze512-1-", "mazes_maze512-2-"].iter().any(|name| map.name.starts_with(name))
    });
    let found = report(&maps, |map| {
        let mesh = if map.kind == MapKind::PolyMesh {
            NavMesh::import_polyanya(&data::read_bytes(&map.path).expect("a file")).expect("a mesh")
        } else {
            let source = read_plan(&map.path, &PlanOptions::default()).expect("a shared plan");
            baked(&build_plan(&source, &Context::default()).expect("a floor plan").0, 0.0)
        };
        let mesh = with_clearance(mesh, &map.name);
        let (edges, clearances) = (boundary(&mesh), mesh.clearances().expect("it was built"));
        let mut random = Random::new(9);
        let mut lines = Vec::new();
        for _ in 0..60 {
            let (cell, p) = place(&mesh, &mut random);
            let (brute, place) = (distance(&edges, p), clearances.at(cell, p).expect("there is a boundary"));
            // Coordinates of the plans reach 2 km.
            if (place.distance - brute).abs() > 1e-8 {
                lines.push(format!("{}: at {p} {place:?}, by brute force {brute}", map.name));
            }
        }
        lines
    });
    assert_eq!(found, "");
}

#[test]
fn a_room_with_two_thousand_holes_in_a_row_is_known_like_a_small_one() {
    let plan = zoo::holes_in_line(2000);
    let begin = std::time::Instant::now();
    let mesh = with_clearance(baked(&floor_plan(&plan), 0.0), &plan.name);
    println!("baked in {:.1} s", begin.elapsed().as_secs_f64());
    let clearances = mesh.clearances().expect("it was made");
    let edges: Vec<[DVec2; 2]> =
        mesh.boundary().chains().flatten().map(|&corner| mesh.edge(corner).map(|v| mesh.xy(v))).collect();
    let distance = |p: DVec2| {
        edges.iter().map(|&[a, b]| nearest_on_segment(p, a, b).distance(p)).fold(f64::INFINITY, f64::min)
    };
    let mut random = Random::new(9);
    for _ in 0..400 {
        let (cell, p) = place(&mesh, &mut random);
        let room = clearances.at(cell, p).expect("there are walls").distance;
        assert!((room - distance(p)).abs() < 1e-9, "{p}: {room}");
    }
}
