//! Bodies on real maps and scenes never come nearer to the boundary than their radius, by looking at all of it.

use crate::support::{
    baked,
    over_ground::{over_ground, walls},
};
use rayon::prelude::*;
use wayfare_bake::{BakeConfig, build_clearance};
use wayfare_core::{Context, DVec3};
use wayfare_floor::{GroundConfig, build_plan};
use wayfare_navmesh::{Body, NavMesh, NoPath, PathFinder, PathScratch};
use wayfare_scene::{PlanOptions, generated::scene_by_name, read_plan};
use wayfare_testkit::{
    baked::{self as scenes, Places},
    data::{self, MapKind},
};

/// Queries per map and radius: some by default, a hundred thousand in all in the full run.
const SOME: usize = 12;
const MANY: usize = 600;

/// Vertices of maps that are looked at by default.
const MOST_VERTICES: usize = 4000;

/// How closely points follow arcs, and the most that a path may be nearer than its radius besides [m].
const HAIR: f64 = 1e-5;

/// What is wrong with paths of some bodies on a mesh.
fn look(name: &str, mesh: &mut NavMesh, radii: &[f64], queries: usize, ground: &GroundConfig) -> Vec<String> {
    let clearance = match build_clearance(mesh, &Context::default()) {
        Ok(clearance) => clearance,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    mesh.set_clearance(Some(clearance));
    let mesh = &*mesh;
    let walls = walls(mesh);
    let finder = PathFinder::new(mesh);
    let clearances = mesh.clearances().expect("it has just been set");
    let config = scenes::locate_config(ground);
    let mut scratch = PathScratch::new();
    let mut found = Vec::new();
    let (mut paths, mut narrow) = (0, 0);
    for &radius in radii {
        // Points that follow arcs as closely as the test looks.
        let body = Body { sagitta: HAIR, ..Body::disc(radius) };
        let mut places = Places::new(mesh, 7);
        let mut place = || {
            let fits = |&(at, cell): &(DVec3, _)| {
                clearances.at(cell, at.truncate()).is_none_or(|place| place.distance >= radius)
            };
            (0..200).map(|_| places.place()).find(fits).map(|(at, _)| at)
        };
        for _ in 0..queries {
            let (Some(from), Some(to)) = (place(), place()) else { break };
            let path = match finder.find_for(&body, from, to, &config, &mut scratch) {
                Ok(path) => path,
                Err(NoPath::TooNarrow { available, .. }) if available < radius => {
                    narrow += 1;
                    continue;
                }
                Err(NoPath::Unreachable { .. }) => continue,
                Err(error) => {
                    found.push(format!("{name}, radius {radius}: {from:?} to {to:?}: {error}"));
                    continue;
                }
            };
            paths += 1;
            let distance = over_ground(&path.points, &walls, radius, ground);
            if distance < radius - 2.0 * HAIR {
                found
                    .push(format!("{name}, radius {radius}: {from:?} to {to:?} comes as near as {distance}"));
            }
        }
    }
    println!("{name}: {paths} paths, {narrow} too narrow, {} faults", found.len());
    found
}

/// How far the boundary hangs over other ground that it counts for, where it does: the place and by how much [m].
fn overhangs(mesh: &NavMesh, ground: &GroundConfig) -> Vec<(DVec3, f64)> {
    let clearances = mesh.clearances().expect("it has been set");
    let mut found = Vec::new();
    for cell in mesh.cells() {
        for corner in mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_none()) {
            let [a, b] = mesh.edge(corner).map(|vertex| mesh.position(vertex));
            let count = (a.distance(b) / 0.05).ceil().max(1.0);
            for k in 0..=count as u32 {
                let p = a.lerp(b, f64::from(k) / count).truncate();
                let z = mesh.height(cell, p);
                for below in mesh.cells_at(p, z - ground.height..=z + ground.step) {
                    let depth = clearances.at(below, p).map_or(0.0, |place| place.distance);
                    if depth > 2.0 * HAIR {
                        found.push((p.extend(z), depth));
                    }
                }
            }
        }
    }
    found
}

/// Shared scenes, and at how many points, of those 5 cm apart, their boundary may hang over other ground, as far as [m]. What is
/// left is less than a pixel and a half wide, beside ground that is no island.
const HANGING: [(&str, usize, f64); 7] = [
    ("nav_test", 0, 0.0),
    ("house", 0, 0.0),
    ("openarena_oa_dm1", 1, 0.032),
    ("bridges", 0, 0.0),
    ("zdm2", 188, 0.106),
    ("village_inn", 2, 0.011),
    ("aws_small_house", 39, 0.081),
];

#[test]
fn boundaries_do_not_hang_over_other_ground() {
    let generated = ["sample", "building-2", "bridge", "slabs-1"].map(|name| (name, 0, 0.0));
    let generated = generated.into_iter().map(|(name, most, deepest)| {
        let scene = scene_by_name(name).expect(name);
        (name, most, deepest, scene, GroundConfig::default())
    });
    let shared = HANGING.into_iter().filter_map(|(name, most, deepest)| {
        let shared = data::scenes::scene_named(name)?;
        let scene = scenes::read(&shared).unwrap_or_else(|error| panic!("{error}"));
        Some((name, most, deepest, scene, scenes::ground_config(&shared.body)))
    });
    for (name, most, deepest, scene, ground) in generated.chain(shared) {
        let mut mesh = scenes::bake_scene(&scene, &ground, &BakeConfig::default()).expect(name).mesh;
        let clearance = build_clearance(&mesh, &Context::default()).expect(name);
        mesh.set_clearance(Some(clearance));
        let found = overhangs(&mesh, &ground);
        let worst = found.iter().map(|hanging| hanging.1).fold(0.0, f64::max);
        println!("{name}: {} points, at most {worst} m", found.len());
        assert!(found.len() <= most && worst <= deepest, "{name}: {found:?}");
    }
}

fn on_maps(queries: usize) {
    let maps: Vec<_> = data::maps().into_iter().filter(|map| map.kind != MapKind::PolyMesh).collect();
    let faults: Vec<Vec<String>> = maps
        .par_iter()
        .map(|map| {
            let source =
                read_plan(&map.path, &PlanOptions::default()).unwrap_or_else(|error| panic!("{error}"));
            let (plan, _) =
                build_plan(&source, &Context::default()).unwrap_or_else(|error| panic!("{error}"));
            // Long paths beside many walls take long to look at; the full run has them.
            if queries < MANY && plan.vertices.len() > MOST_VERTICES {
                return Vec::new();
            }
            let mut mesh = baked(&plan, 0.0);
            // Squares of grid maps are a metre wide, doors of plans less.
            look(&map.name, &mut mesh, &[0.15, 0.4, 0.9], queries, &GroundConfig::default())
        })
        .collect();
    assert!(faults.concat().is_empty(), "{:#?}", faults.concat());
}

fn on_scenes(queries: usize) {
    let mut all: Vec<(String, wayfare_scene::Scene, GroundConfig)> =
        ["sample", "building-2", "bridge", "terrain-40"]
            .iter()
            .filter_map(|name| {
                Some((format!("generated {name}"), scene_by_name(name)?, GroundConfig::default()))
            })
            .collect();
    for name in ["nav_test", "house", "openarena_oa_dm1"] {
        if let Some(shared) = data::scenes::scene_named(name) {
            let scene = scenes::read(&shared).unwrap_or_else(|error| panic!("{error}"));
            all.push((name.to_owned(), scene, scenes::ground_config(&shared.body)));
        }
    }
    let look = |(name, scene, ground): &(String, wayfare_scene::Scene, GroundConfig)| match scenes::bake_scene(
        scene,
        ground,
        &BakeConfig::default(),
    ) {
        Ok(mut baked) => look(name, &mut baked.mesh, &[0.1, 0.25, 0.5], queries, ground),
        Err(error) => vec![format!("{name}: {error}")],
    };
    let faults: Vec<Vec<String>> = all.par_iter().map(look).collect();
    assert!(faults.concat().is_empty(), "{:#?}", faults.concat());
}

#[test]
fn bodies_keep_their_radius_on_shared_maps() {
    on_maps(SOME);
}

#[test]
fn bodies_keep_their_radius_on_scenes() {
    on_scenes(SOME * 4);
}

#[test]
#[ignore = "takes minutes; part of the full run"]
fn bodies_keep_their_radius_in_a_hundred_thousand_queries() {
    on_maps(MANY);
    on_scenes(MANY * 4);
}
