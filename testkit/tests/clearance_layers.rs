//! Clearance where ground lies over ground: against lines that are followed from cell to cell to every boundary edge.

use crate::pixel_surface::Surface;
use crate::support::{baked, floor_plan, report};
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec2, Id as _};
use wayfare_floor::GroundConfig;
use wayfare_geom::{predicates::orient, segment::nearest_on_segment};
use wayfare_navmesh::{CellId, NavMesh, RawNavMesh};
use wayfare_scene::generated::scene_by_name;
use wayfare_testkit::{
    Random,
    baked::{Places, bake_scene, ground_config, read},
    data::scene_named,
    generators,
};

/// How far one can go from a point of a cell towards another point, to the first boundary edge in the way or all the
/// way, and the cell there. Not told where the line meets a vertex.
fn way(mesh: &NavMesh, mut cell: CellId, from: DVec2, to: DVec2) -> Option<(f64, CellId)> {
    let mut entry = None;
    for _ in 0..10_000 {
        let mut out = None;
        for corner in mesh.corners(cell).filter(|&corner| Some(corner) != entry) {
            let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
            let (right, left) = (orient(from, to, a), orient(from, to, b));
            if right == 0.0 || left == 0.0 {
                return None;
            }
            if right < 0.0 && left > 0.0 && orient(a, b, from) >= 0.0 {
                let at = a + (b - a) * (right / (right - left));
                let distance = (at - from).dot((to - from).normalize());
                if out.is_none_or(|(_, other)| distance < other) {
                    out = Some((corner, distance));
                }
            }
        }
        let (corner, distance) = out?;
        if distance >= from.distance(to) {
            return Some((from.distance(to), cell));
        }
        let Some(twin) = mesh.twin(corner) else { return Some((distance, cell)) };
        (cell, entry) = (mesh.cell_of_corner(twin), Some(twin));
    }
    None
}

/// The distance to the boundary: the least that one can go towards the nearest point of any boundary edge. The lines are
/// turned by a hair, so that they meet no vertex.
fn brute(mesh: &NavMesh, cell: CellId, p: DVec2, random: &mut Random) -> f64 {
    let mut least = f64::INFINITY;
    for &corner in mesh.boundary().chains().flatten() {
        let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
        let nearest = nearest_on_segment(p, a, b);
        if nearest.distance(p) >= least || nearest == p {
            continue;
        }
        // A little too far, so that the boundary is met; to either side of an end.
        for side in [-1e-9, 1e-9, -3e-9, 3e-9] {
            let turn = DVec2::new(1.0, side * random.between(0.5, 1.0));
            let to = p + turn.rotate(nearest - p) * (1.0 + 1e-9);
            if let Some((distance, _)) =
                way(mesh, cell, p, to).filter(|&(distance, _)| distance < p.distance(to))
            {
                least = least.min(distance);
            }
        }
        // A vertex that the ground winds round stops nobody who passes it, but lies at the boundary.
        for vertex in mesh.edge(corner) {
            let to = p + (mesh.xy(vertex) - p) * (1.0 - 1e-7);
            let reached = way(mesh, cell, p, to).filter(|&(distance, _)| distance >= p.distance(to));
            if reached
                .is_some_and(|(_, cell)| mesh.fan(vertex).any(|corner| mesh.cell_of_corner(corner) == cell))
            {
                least = least.min(p.distance(mesh.xy(vertex)));
            }
        }
    }
    least
}

/// Distances that are not those of brute force.
fn compare(name: &str, mut mesh: NavMesh, count: usize) -> Vec<String> {
    let clearance = match build_clearance(&mesh, &Context::default()) {
        Ok(clearance) => clearance,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    mesh.set_clearance(Some(clearance));
    let (clearances, mut random) = (mesh.clearances().expect("just made"), Random::new(3));
    let mut lines: Vec<String> = mesh.check().iter().map(|defect| format!("{name}: {defect}")).collect();
    let mut places = Places::new(&mesh, 4);
    for _ in 0..count {
        let (p, cell) = places.place();
        let p = p.truncate();
        let right = brute(&mesh, cell, p, &mut random);
        let ours = clearances.at(cell, p).map_or(f64::NAN, |place| place.distance);
        // Lines that just miss a corner go on; most do not.
        let is_right = (ours - right).abs() <= 1e-6;
        if !is_right {
            lines.push(format!("{name}: at {p} in cell {cell} {ours}, by brute force {right}"));
        }
    }
    lines.truncate(5);
    lines
}

#[test]
fn on_random_layers_distances_are_those_of_lines_over_the_ground() {
    let seeds: Vec<u64> = (0..60).collect();
    let found = report(&seeds, |&seed| {
        let (layers, size) = (1 + seed as usize % 4, 3 + seed as i32 % 9);
        let surface = Surface::random(seed, layers, size, 0.75, 1 + seed as u8 % 3);
        if surface.winds_between_two_points() {
            // Refused by some bakes, see docs/decomposition.md.
            return Vec::new();
        }
        let plan = surface.plan(|(layer, x, y)| layer as f64 * 3.0 + 0.1 * f64::from(x * y));
        let mesh = |convex_distance| {
            let config = BakeConfig { convex_distance, ..BakeConfig::default() };
            bake(&plan, &config, &Context::default()).expect("the plan can be baked")
        };
        let strict = compare(&format!("seed {seed}"), mesh(0.0), 40);
        let relaxed = compare(&format!("seed {seed} relaxed"), mesh(0.3), 40);
        strict.into_iter().chain(relaxed).collect()
    });
    assert_eq!(found, "");
}

#[test]
fn on_scenes_distances_are_those_of_lines_over_the_ground() {
    let mut scenes = Vec::new();
    for name in ["sample", "building-3", "spiral-3", "bridge"] {
        scenes.push((name, scene_by_name(name).expect("a generated scene"), GroundConfig::default()));
    }
    // The cliffs of the landscape have edges of centimetres that face each other at ten metres.
    for (name, resolution) in [("nav_test", 0.1), ("mountain_landscape", 0.4)] {
        let Some(shared) = scene_named(name) else { continue };
        let ground = GroundConfig { resolution, ..ground_config(&shared.body) };
        scenes.push((name, read(&shared).expect("a scene"), ground));
    }
    let found = report(&scenes, |(name, scene, ground)| {
        let baked = bake_scene(scene, ground, &BakeConfig::default()).expect("a mesh");
        compare(name, baked.mesh, 150)
    });
    assert_eq!(found, "");
}

#[test]
fn storeys_that_are_none_change_no_distance_and_no_way() {
    for plan in generators::mixed(9, 12, 60) {
        let flat = baked(&floor_plan(&plan), 0.0);
        let storeys = (0..flat.cell_count() as u32).map(|cell| cell % 3).collect();
        let raw = RawNavMesh { storeys, ..flat.raw().clone() };
        let meshes = [flat, raw.validate().expect("storeys are free")].map(|mut mesh| {
            let clearance = build_clearance(&mesh, &Context::default());
            mesh.set_clearance(Some(clearance.unwrap_or_else(|error| panic!("{}: {error}", plan.name))));
            mesh
        });
        let mut places = Places::new(&meshes[0], 5);
        for _ in 0..200 {
            let [a, b] =
                [(); 2].map(|()| places.place()).map(|(p, cell)| (CellId::new(cell.index()), p.truncate()));
            let [flat, layered] = [0, 1].map(|k| meshes[k].clearances().expect("just made"));
            let distances =
                [flat, layered].map(|data| data.at(a.0, a.1).map_or(f64::NAN, |place| place.distance));
            assert!((distances[0] - distances[1]).abs() < 1e-12, "{}: {distances:?}", plan.name);
            let ways = [flat, layered].map(|data| data.widest(a, b));
            let radii = ways.map(|way| way.map_or(-1.0, |way| way.radius));
            assert!((radii[0] - radii[1]).abs() < 1e-9, "{}: {ways:?}", plan.name);
        }
    }
}
