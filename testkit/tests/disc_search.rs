//! Searches for discs find the same with what corners see of each other, by cones alone, and in slices.

use crate::support::{baked, floor_plan};
use wayfare_bake::{BakeConfig, build_clearance};
use wayfare_core::{Context, DVec3};
use wayfare_floor::{GroundConfig, build_plan};
use wayfare_navmesh::{
    Accelerator, AcceleratorConfig, Body, LocateConfig, NavMesh, NoPath, Path, PathFinder, PathScratch,
};
use wayfare_scene::{PlanOptions, generated::scene_by_name, read_plan};
use wayfare_testkit::{
    baked::{self as scenes, Places},
    data, generators,
};

/// A mesh with all that makes it quick, however small it is.
fn prepared(mut mesh: NavMesh) -> NavMesh {
    let clearance = build_clearance(&mesh, &Context::default()).unwrap_or_else(|error| panic!("{error}"));
    mesh.set_clearance(Some(clearance));
    let always = AcceleratorConfig { min_core_cells: 0, max_bytes_per_corner: usize::MAX, threads: 1 };
    mesh.set_accelerator(Accelerator::build_with(&mesh, &always));
    mesh
}

/// Plans and scenes with radii that fit them.
fn meshes() -> Vec<(String, NavMesh, LocateConfig, [f64; 4])> {
    let mut all = Vec::new();
    for plan in
        [generators::rooms(5, 5, 4), generators::squares(3, 12, 0.75), generators::triangles(2, 60, 0.7)]
    {
        let mesh = prepared(baked(&floor_plan(&plan), 0.0));
        let size = mesh.bounds().max - mesh.bounds().min;
        let unit = size.max_element() / 100.0;
        let radii = [0.2, 0.7, 1.5, 2.4].map(|radius| radius * unit);
        all.push((plan.name, mesh, LocateConfig::default(), radii));
    }
    // Rooms with side rooms and nooks: most corners lie in dead ends.
    for name in ["dao_hrt201d", "bg512_AR0702SR"] {
        let Some(map) = data::map_named(name) else { continue };
        let plan = read_plan(&map.path, &PlanOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let (plan, _) = build_plan(&plan, &Context::default()).unwrap_or_else(|error| panic!("{error}"));
        let mesh = prepared(baked(&plan, BakeConfig::default().convex_distance));
        all.push((name.to_owned(), mesh, LocateConfig::default(), [0.15, 0.4, 0.9, 2.0]));
    }
    let mut others = vec![("building-2", scene_by_name("building-2"), GroundConfig::default())];
    if let Some(shared) = data::scenes::scene_named("nav_test") {
        let scene = scenes::read(&shared).unwrap_or_else(|error| panic!("{error}"));
        others.push(("nav_test", Some(scene), scenes::ground_config(&shared.body)));
    }
    for (name, scene, ground) in others {
        let scene = scene.expect("it has a name");
        let baked = scenes::bake_scene(&scene, &ground, &Default::default());
        let mesh = prepared(baked.unwrap_or_else(|error| panic!("{name}: {error}")).mesh);
        all.push((name.to_owned(), mesh, scenes::locate_config(&ground), [0.1, 0.3, 0.6, 1.0]));
    }
    all
}

/// Ends of queries at which a disc fits.
fn queries(mesh: &NavMesh, radius: f64, count: usize) -> Vec<[DVec3; 2]> {
    let clearances = mesh.clearances().expect("it was made");
    let mut places = Places::new(mesh, 11);
    let mut free = Vec::new();
    for _ in 0..20 * count {
        let (at, cell) = places.place();
        if clearances.at(cell, at.truncate()).is_none_or(|place| place.distance >= radius) {
            free.push(at);
        }
    }
    free.as_chunks::<2>().0.iter().copied().take(count).collect()
}

#[test]
fn what_corners_see_of_each_other_changes_no_length() {
    let mut found = 0;
    for (name, mesh, config, radii) in meshes() {
        let (quick, plain) = (PathFinder::new(&mesh), PathFinder::plain(&mesh));
        let (mut scratch, mut other) = (PathScratch::new(), PathScratch::new());
        // A fifth radius forgets the first, which then comes again.
        for radius in radii.into_iter().chain([radii[0] * 1.1, radii[0]]) {
            let body = Body::disc(radius);
            for [from, to] in queries(&mesh, radius, 60) {
                let one = quick.find_for(&body, from, to, &config, &mut scratch);
                let two = plain.find_for(&body, from, to, &config, &mut other);
                match (one, two) {
                    (Ok(one), Ok(two)) => {
                        found += 1;
                        let apart = (one.plan_length - two.plan_length).abs();
                        assert!(
                            apart <= 1e-9 * (1.0 + two.plan_length),
                            "{name}, radius {radius}: {from} to {to}: {} m, by cones {} m",
                            one.plan_length,
                            two.plan_length
                        );
                    }
                    (one, two) => {
                        assert_eq!(one.is_ok(), two.is_ok(), "{name}, radius {radius}: {from} to {to}")
                    }
                }
            }
        }
    }
    assert!(found > 500, "{found} paths");
}

fn in_slices(
    finder: &PathFinder<&NavMesh>,
    body: &Body,
    [from, to]: [DVec3; 2],
    config: &LocateConfig,
    scratch: &mut PathScratch,
) -> (Result<Path, NoPath>, usize) {
    let mut search = finder.begin(body, from, to, config, scratch);
    for slices in 1.. {
        if let Some(found) = search.step(1) {
            assert!(search.has_ended() && search.step(1).is_none());
            return (found, slices);
        }
        assert!(!search.has_ended());
    }
    unreachable!("every search ends")
}

#[test]
fn slices_of_one_expansion_give_the_same_bits_as_one_go() {
    let mut most = 0;
    for (name, mesh, config, radii) in meshes() {
        for finder in [PathFinder::new(&mesh), PathFinder::plain(&mesh)] {
            let (mut scratch, mut other) = (PathScratch::new(), PathScratch::new());
            for radius in [0.0, radii[0], radii[2]] {
                let body = Body::disc(radius);
                for (k, query) in queries(&mesh, radius, 12).into_iter().enumerate() {
                    // A search that is given up on the way leaves nothing behind.
                    let mut given_up = finder.begin(&body, query[1], query[0], &config, &mut scratch);
                    for _ in 0..k {
                        given_up.step(1);
                    }
                    let (found, slices) = in_slices(&finder, &body, query, &config, &mut scratch);
                    let whole = finder.find_for(&body, query[0], query[1], &config, &mut other);
                    assert_eq!(found, whole, "{name}, radius {radius}: {query:?}");
                    let mut pieces = Vec::new();
                    let mut in_plan = finder.begin(&body, query[0], query[1], &config, &mut scratch);
                    let length = in_plan.step_in_plan(u32::MAX, &mut pieces).expect("it has no end");
                    assert_eq!(length, whole.as_ref().map(|path| path.plan_length).map_err(|why| *why));
                    assert!(whole.is_err() || whole.is_ok_and(|path| path.pieces == pieces));
                    most = most.max(slices);
                }
            }
        }
    }
    assert!(most > 30, "{most} slices at most");
}
