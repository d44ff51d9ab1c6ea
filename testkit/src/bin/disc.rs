//! `cargo xtask bench disc`: queries with a radius beside the same queries with radius 0, on the same mesh.
//!
//! Prints Markdown; progress goes to standard error. Arguments restrict the maps to names that hold one of them.

use std::{error::Error, time::Instant};
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec3};
use wayfare_floor::{GroundConfig, build_plan, plan_scene};
use wayfare_navmesh::{Accelerator, Body, LocateConfig, NavMesh, Path, PathFinder, PathScratch, PortalId};
use wayfare_scene::{PlanOptions, generated::scene_by_name, read_plan};
use wayfare_testkit::{
    baked::{self, Places},
    data::{map_named, scenes::scene_named},
};

/// Plans, maps and scenes with radii from small to large.
const CASES: [(&str, [f64; 3]); 7] = [
    ("aknz_evac", [0.1, 0.3, 0.45]),
    ("da2_lt_warehouse", [0.15, 0.4, 0.9]),
    ("dao_hrt201d", [0.15, 0.4, 0.9]),
    ("bg512_AR0702SR", [0.15, 0.4, 0.9]),
    ("building-2", [0.1, 0.25, 0.4]),
    ("nav_test", [0.1, 0.3, 0.6]),
    ("openarena_oa_dm1", [0.1, 0.3, 0.6]),
];

const QUERIES: usize = 500;
const TURNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    println!("# Queries with a radius\n");
    println!(
        "The same {QUERIES} random queries that a body of the radius can answer, for it and for a point, in turns on one thread, to \
         the path on the ground; mean times in µs, the least of {TURNS} runs. *The first time*: with scratch memory that knows nothing of the \
         radius yet, all queries once. *Below*: the share of portals whose critical radius is larger. Asked for: at most twice \
         the time where most portals are below, at most three times elsewhere.\n"
    );
    println!(
        "| map | cells | radius | below | radius 0 | with the radius | ratio | asked for | the first time |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|---|--:|");
    let words: Vec<String> = std::env::args().skip(1).collect();
    for (name, radii) in CASES {
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            match prepare(name) {
                Ok((mesh, config)) => {
                    radii.into_iter().for_each(|radius| compare(name, &mesh, &config, radius))
                }
                Err(error) => eprintln!("{name}: {error}"),
            }
        }
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "\nLoad average at the end, this bench included: {}.",
        load.split(' ').next().unwrap_or("unknown")
    );
    Ok(())
}

/// A mesh with all that is kept in its file.
fn prepare(name: &str) -> Result<(NavMesh, LocateConfig), Box<dyn Error>> {
    let (context, mut ground) = (Context::default(), GroundConfig::default());
    let plan = if let Some(scene) = scene_by_name(name) {
        plan_scene(&scene, &ground, &context)?.plan
    } else if let Some(shared) = scene_named(name) {
        ground = baked::ground_config(&shared.body);
        plan_scene(&baked::read(&shared)?, &ground, &context)?.plan
    } else {
        let map = map_named(name).ok_or("the shared data is not there")?;
        build_plan(&read_plan(&map.path, &PlanOptions::default())?, &context)?.0
    };
    let mut mesh = bake(&plan, &BakeConfig::default(), &context)?;
    let clearance = build_clearance(&mesh, &context)?;
    mesh.set_clearance(Some(clearance));
    mesh.set_accelerator(Accelerator::build(&mesh));
    Ok((mesh, baked::locate_config(&ground)))
}

fn compare(name: &str, mesh: &NavMesh, config: &LocateConfig, radius: f64) {
    let Some(clearances) = mesh.clearances() else { return };
    let finder = PathFinder::new(mesh);
    let mut scratch = PathScratch::new();
    let (point, body, mut path) = (Body::default(), Body::disc(radius), Path::default());
    let mut places = Places::new(mesh, 3);
    let mut queries: Vec<[DVec3; 2]> = Vec::new();
    for _ in 0..50 * QUERIES {
        let pair = places.connected_pair();
        if queries.len() < QUERIES
            && finder.find_for_into(&body, pair[0], pair[1], config, &mut scratch, &mut path).is_ok()
        {
            queries.push(pair);
        }
    }
    let run = |body: &Body, scratch: &mut PathScratch, path: &mut Path| {
        let began = Instant::now();
        for [from, to] in &queries {
            // The lengths are those of other tests; here only the time counts.
            let _ = finder.find_for_into(body, *from, *to, config, scratch, path);
        }
        began.elapsed().as_secs_f64() * 1e6 / queries.len().max(1) as f64
    };
    let first = run(&body, &mut PathScratch::new(), &mut path);
    let [mut of_point, mut of_body] = [f64::INFINITY; 2];
    for _ in 0..TURNS {
        of_point = of_point.min(run(&point, &mut scratch, &mut path));
        of_body = of_body.min(run(&body, &mut scratch, &mut path));
    }
    let portals = mesh.portals().len();
    let radii = (0..portals).map(|k| clearances.data().critical_radius(PortalId(k as u32)));
    let below = radii.filter(|critical| *critical >= radius).count() as f64 / portals.max(1) as f64;
    let (ratio, most) = (of_body / of_point, if below > 0.5 { 2.0 } else { 3.0 });
    let verdict = if ratio <= most { "met" } else { "**NOT met**" };
    println!(
        "| {name} | {} | {radius} m | {:.0} % | {of_point:.1} | {of_body:.1} | {ratio:.2} | {most} {verdict} | {:.2} |",
        mesh.cell_count(),
        100.0 * below,
        first / of_point
    );
    eprintln!("{name}, {radius} m: {} queries", queries.len());
}
