//! `cargo xtask bench detour`: paths side by side with Detour, from located ends to corner points.
//!
//! Detour searches a mesh that was baked for the radius; wayfare gets the radius with the query. Both take the same ends on one
//! thread, in turns. Arguments restrict the scenes to names that hold one of them.

mod detour;

use detour::{Detour, Place};
use std::{error::Error, hint::black_box, process::ExitCode, time::Instant};
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec3};
use wayfare_floor::{Faces, GroundConfig, plan_scene};
use wayfare_navmesh::{Accelerator, Body, LocateConfig, NavMesh, PathFinder, PathScratch};
use wayfare_testkit::{
    baked::{self, Places},
    data::scenes::scene_named,
};

/// Scenes with the radius that RecastDemo's body gets there [m].
const SCENES: [(&str, f64); 6] = [
    ("nav_test", 0.6),
    ("collision-world", 0.4),
    ("zdm2", 0.4),
    ("openarena_oa_dm1", 0.4),
    ("openarena_kaos2", 0.4),
    ("house", 0.3),
];

const QUERIES: usize = 1000;
const TURNS: usize = 7;

/// A path is longer than another if it is by more than this share.
const LONGER: f64 = 1e-3;

fn main() -> ExitCode {
    match compare_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare_all() -> Result<(), Box<dyn Error>> {
    println!("# Paths: wayfare and Detour\n");
    println!(
        "Detour is the C++ library, compiled by the crate recastnavigation-rs 0.1, in one run with wayfare on one thread. Its mesh is baked \
         for the radius by Recast with RecastDemo's settings (height 2 m, step 0.9 m, slope 45°, pixels of half the radius, voxels 0.2 m \
         high); wayfare's is baked once, at radius 0, and gets the radius with the query. Both search from located ends to corner points, \
         the same {QUERIES} random pairs where both find a way; mean times in µs, the least of {TURNS} runs in turns. *Locate*: both ends; \
         wayfare's also asks whether there is a way. *On the ground*: wayfare's arcs cut into points, heights and cells. Wayfare's \
         path is the shortest for a disc of the exact radius; Detour's mesh is off by pixels, so a path of Detour's that is shorter goes nearer \
         to walls.\n"
    );
    println!(
        "| scene | radius | pairs | Detour's search | wayfare's search | wayfare / Detour | at most 1 | Detour's locate | wayfare's locate | \
         on the ground | Detour longer by 0.1 % | on the mean | at most | shorter by 0.1 % |"
    );
    println!("|---|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|");
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut failed = Vec::new();
    for (name, radius) in SCENES {
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            match compare(name, radius) {
                Ok(row) => println!("{row}"),
                Err(error) => failed.push(format!("{name} ({error})")),
            }
        }
    }
    if !failed.is_empty() {
        println!("\nNot compared: {}.", failed.join(", "));
    }
    Ok(())
}

/// Ours, with all that is kept in its file.
fn bake_ours(scene: &wayfare_scene::Scene) -> Result<NavMesh, Box<dyn Error>> {
    let ground = GroundConfig {
        height: detour::HEIGHT.into(),
        step: detour::STEP.into(),
        max_slope: f64::from(detour::SLOPE_DEG).to_radians(),
        remove_inside: false,
        faces: Faces::Front,
        ..GroundConfig::default()
    };
    let context = Context::default();
    let mut mesh = bake(&plan_scene(scene, &ground, &context)?.plan, &BakeConfig::default(), &context)?;
    let clearance = build_clearance(&mesh, &context)?;
    mesh.set_clearance(Some(clearance));
    mesh.set_accelerator(Accelerator::build(&mesh));
    Ok(mesh)
}

/// A query of both sides.
struct Query {
    ours: [DVec3; 2],
    theirs: [Place; 2],
}

fn compare(name: &str, radius: f64) -> Result<String, Box<dyn Error>> {
    let shared = scene_named(name).ok_or("the shared data is not there")?;
    let scene = baked::read(&shared)?;
    let their_mesh = detour::build(&scene, radius as f32).map_err(|error| format!("Recast: {error:?}"))?;
    let mut detour = Detour::new(&their_mesh).map_err(|error| format!("Detour: {error:?}"))?;
    let mesh = bake_ours(&scene)?;
    let finder = PathFinder::new(&mesh);
    let (body, mut scratch) = (Body::disc(radius), PathScratch::new());
    let config =
        LocateConfig { height: detour::HEIGHT.into(), step: detour::STEP.into(), ..LocateConfig::default() };
    let mut queries = Vec::new();
    let mut places = Places::new(&mesh, 5);
    let (mut longer, mut shorter, mut excess, mut most) = (0usize, 0usize, 0.0f64, 0.0f64);
    let mut pieces = Vec::new();
    for _ in 0..200 * QUERIES {
        if queries.len() == QUERIES {
            break;
        }
        let mut place = || detour.locate(detour::turned(places.place().0));
        let (Some(from), Some(to)) = (place(), place()) else { continue };
        let ours = [from, to].map(|(_, at)| detour::turned_back(at));
        let mut search = finder.begin(&body, ours[0], ours[1], &config, &mut scratch);
        let Some(Ok(length)) = search.step_in_plan(u32::MAX, &mut pieces) else { continue };
        let Some(points) = detour.path(from, to) else { continue };
        let points: Vec<DVec3> = points.iter().map(|&p| detour::turned_back(p)).collect();
        let theirs: f64 = points.windows(2).map(|p| p[0].truncate().distance(p[1].truncate())).sum();
        let share = theirs / length.max(1e-9) - 1.0;
        excess += share;
        most = most.max(share);
        longer += usize::from(share > LONGER);
        shorter += usize::from(share < -LONGER);
        queries.push(Query { ours, theirs: [from, to] });
    }
    if queries.is_empty() {
        return Err("no pair of places that both sides reach".into());
    }
    let count = queries.len() as f64;
    let [mut their_search, mut our_search, mut their_locate, mut our_locate, mut on_ground] =
        [f64::INFINITY; 5];
    let mut path = wayfare_navmesh::Path::default();
    for _ in 0..TURNS {
        let began = Instant::now();
        for query in &queries {
            black_box(detour.path(query.theirs[0], query.theirs[1]).map(<[_]>::len));
        }
        their_search = their_search.min(began.elapsed().as_secs_f64());
        let began = Instant::now();
        for query in &queries {
            black_box(query.ours.map(|at| detour.locate(detour::turned(at))));
        }
        their_locate = their_locate.min(began.elapsed().as_secs_f64());
        let (mut locate, mut plan, mut whole) = (0.0, 0.0, 0.0);
        for Query { ours: [from, to], .. } in &queries {
            let began = Instant::now();
            let mut search = finder.begin(&body, *from, *to, &config, &mut scratch);
            let located = began.elapsed().as_secs_f64();
            black_box(search.step_in_plan(u32::MAX, &mut pieces));
            plan += began.elapsed().as_secs_f64() - located;
            locate += located;
        }
        for Query { ours: [from, to], .. } in &queries {
            let began = Instant::now();
            black_box(finder.find_for_into(&body, *from, *to, &config, &mut scratch, &mut path)).ok();
            whole += began.elapsed().as_secs_f64();
        }
        our_search = our_search.min(plan);
        our_locate = our_locate.min(locate);
        on_ground = on_ground.min((whole - plan - locate).max(0.0));
    }
    let micros = |seconds: f64| format!("{:.1}", seconds * 1e6 / count);
    let ratio = our_search / their_search;
    Ok(format!(
        "| {name} | {radius} m | {count} | {} | {} | {ratio:.2} | {} | {} | {} | {} | {:.1} % | {:+.2} % | {:+.1} % | {:.1} % |",
        micros(their_search),
        micros(our_search),
        if ratio <= 1.0 { "met" } else { "**NOT met**" },
        micros(their_locate),
        micros(our_locate),
        micros(on_ground),
        100.0 * longer as f64 / count,
        100.0 * excess / count,
        100.0 * most,
        100.0 * shorter as f64 / count,
    ))
}
