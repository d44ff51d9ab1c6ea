//! `cargo xtask bench gaps`: the four kinds of scene of seed 002: what gaps join, how fast, and who gets where.
//!
//! Prints Markdown; progress goes to standard error. One thread. Times are the least of several runs.

use std::{error::Error, hint::black_box, time::Instant};
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_floor::{
    GroundConfig, Method,
    exact::{find_surface, plan_exact},
    gaps::{GapConfig, GapSurface, find_gaps},
    plan_scene,
};
use wayfare_navmesh::{Body, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch, Within};
use wayfare_scene::{
    Scene,
    generated::scenes::{holes, holes_area, platforms, terrace_house, town_house},
};
use wayfare_testkit::random::Random;

const RUNS: usize = 5;
const PAIRS: usize = 100_000;
const RADII: [f64; 4] = [0.0, 0.1, 0.2, 0.3];

/// Where from, where to, and whether there is a way for a point that takes steps of 0.4 m and gaps of 0.3 m; written down from the
/// scene's source before anything was run.
type Named = (&'static str, [f64; 3], [f64; 3], bool);

const TERRACE: [Named; 10] = [
    ("garden to hall, over a step and a threshold", [2.0, -3.0, 0.0], [2.0, 1.0, 0.15], true),
    ("garden to the back room", [2.0, -3.0, 0.0], [2.5, 6.0, 0.15], true),
    ("hall to the room with the stair", [2.0, 2.0, 0.15], [7.0, 1.0, 0.15], true),
    ("that room to the deck", [9.0, 3.0, 0.15], [3.0, 9.55, 0.12], true),
    ("over the deck into the garden behind", [3.0, 8.1, 0.12], [3.0, 12.0, 0.0], true),
    ("garden to the upper storey, by the open stair", [2.0, -3.0, 0.0], [2.0, 2.0, 3.0], true),
    ("from room to room upstairs", [2.0, 2.0, 3.0], [9.0, 7.0, 3.0], true),
    ("garden to the roof", [2.0, -3.0, 0.0], [5.0, 4.0, 5.8], false),
    ("upper storey to the roof", [2.0, 2.0, 3.0], [5.0, 4.0, 5.8], false),
    ("through the gate of the fence", [2.0, -3.0, 0.0], [2.0, -4.95, 0.0], true),
];

const TOWN: [Named; 10] = [
    ("road to pavement, over the kerb", [0.0, -7.0, 0.0], [0.0, -2.0, 0.12], true),
    ("road to hall, up the steps", [0.0, -7.0, 0.0], [2.0, 2.0, 0.6], true),
    ("hall to the back room", [2.0, 2.0, 0.6], [2.0, 7.0, 0.6], true),
    ("back room to the yard", [2.0, 7.0, 0.6], [2.5, 11.0, 0.0], true),
    ("yard out of the gate", [2.5, 11.0, 0.0], [2.5, 12.8, 0.0], true),
    ("road to the upper storey", [0.0, -7.0, 0.0], [2.0, 2.0, 3.2], true),
    ("upstairs from the front to the back", [2.0, 2.0, 3.2], [2.0, 7.0, 3.2], true),
    ("upstairs into the small room", [2.0, 2.0, 3.2], [5.0, 8.0, 3.2], true),
    ("road to the roof", [0.0, -7.0, 0.0], [1.5, 4.5, 6.75], false),
    ("yard to the road, round the house", [2.5, 11.0, 0.0], [0.0, -7.0, 0.0], true),
];

fn main() -> Result<(), Box<dyn Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    println!(
        "# Gaps\n\nThe four kinds of scene of seed 002, generated. One thread; seconds are the least of {RUNS} runs. *gaps* is the \
         search for gaps alone, on ground that is there; the seed took 66, 50, 18 and 946 s.\n"
    );
    println!("## Holes\n\nA plane with thirty holes of many shapes; a body that takes no step.\n");
    println!("| d_max [m] | gaps found | kept | filled share | gaps [s] |\n|--:|--:|--:|--:|--:|");
    let scene = holes().scene;
    for d_max in [0.1, 0.2, 0.3, 0.5, 0.7, 1.0] {
        // Head room for the longest reach.
        let ground = GroundConfig { height: 2.5, step: 0.0, min_area: 0.0, ..exact() };
        let (found, seconds) = search(&scene, &ground, d_max)?;
        let share = found.report.gap_area / holes_area();
        let report = found.report;
        println!("| {d_max} | {} | {} | {share:.4} | {seconds:.4} |", report.gaps_found, report.gaps_kept);
        assert!(d_max < 1.0 || share > 0.9999, "holes are filled at 1 m");
    }
    println!("\n## Platforms and houses\n");
    println!(
        "Steps of 0.4 m, gaps of 0.3 m, head room of 1.8 m. *exact* and *voxel* are whole bakes without clearance, the latter at \
         0.1 m.\n"
    );
    println!(
        "| scene | triangles | components before | after | gaps found | kept | gaps [s] | exact [s] | voxel [s] | cells | risers | gap cells [m²] |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    let named: [(&str, Scene, &[Named]); 3] = [
        ("platforms", platforms().scene, &[]),
        ("terrace-house", terrace_house().scene, &TERRACE),
        ("town-house", town_house().scene, &TOWN),
    ];
    let mut meshes = Vec::new();
    for (name, scene, pairs) in &named {
        let (found, seconds) = search(scene, &GroundConfig { min_area: 0.0, ..exact() }, 0.3)?;
        let by = |config: &GroundConfig| timed(|| whole(scene, config));
        let (mesh, exact_seconds) = by(&exact());
        let (_, voxel_seconds) = by(&GroundConfig::default());
        let mesh = mesh?;
        assert_eq!(mesh.check(), [], "{name}");
        let report = found.report;
        println!(
            "| {name} | {} | {} | {} | {} | {} | {seconds:.4} | {exact_seconds:.3} | {voxel_seconds:.3} | {} | {} | {:.3} |",
            scene.mesh.triangles.len(),
            report.components_before,
            report.components_after,
            report.gaps_found,
            report.gaps_kept,
            mesh.cell_count(),
            mesh.riser_count(),
            mesh.gap_area(),
        );
        meshes.push((*name, mesh, *pairs));
    }
    println!(
        "\n## {PAIRS} random pairs\n\nShare of pairs with a path, by radius; places are drawn where the body fits.\n"
    );
    println!(
        "| scene | {} |\n|---|{}",
        RADII.map(|r| format!("{r} m")).join(" | "),
        "--:|".repeat(RADII.len())
    );
    for (name, mesh, _) in &mut meshes {
        mesh.set_clearance(Some(build_clearance(mesh, &Context::default())?));
        let shares = RADII.map(|radius| success(mesh, radius));
        println!("| {name} | {} |", shares.map(|share| format!("{share:.4}")).join(" | "));
    }
    println!(
        "\n## Named places\n\nListed in the source before the first run; a point with the body above.\n"
    );
    println!("| house | way | expected | found | length [m] | steps | gaps |\n|---|---|---|---|--:|--:|--:|");
    for (name, mesh, pairs) in &meshes {
        for (words, from, to, expected) in *pairs {
            let body = Body { step: 0.4, max_gap: 0.3, ..Body::default() };
            let found = PathFinder::new(mesh).find_for(
                &body,
                DVec3::from_array(*from),
                DVec3::from_array(*to),
                &LocateConfig::default(),
                &mut PathScratch::new(),
            );
            let said = if *expected { "yes" } else { "no" };
            match &found {
                Ok(path) => {
                    let strides = path.strides(mesh);
                    let steps = strides.iter().filter(|stride| stride.width == 0.0).count();
                    assert!(strides.iter().all(|stride| stride.width <= 0.3 + 1e-6));
                    println!(
                        "| {name} | {words} | {said} | yes | {:.2} | {steps} | {} |",
                        path.length,
                        strides.len() - steps
                    );
                }
                Err(why) => println!("| {name} | {words} | {said} | no: {why} | | | |"),
            }
            assert_eq!(found.is_ok(), *expected, "{name}: {words}");
            assert!(found.is_ok() || matches!(found, Err(NoPath::Unreachable { .. })));
        }
    }
    Ok(())
}

fn exact() -> GroundConfig {
    GroundConfig { method: Method::Exact, ..GroundConfig::default() }
}

/// The gaps of a scene, and how long the search for them takes.
fn search(scene: &Scene, ground: &GroundConfig, max_gap: f64) -> Result<(GapSurface, f64), Box<dyn Error>> {
    let (surface, _) = find_surface(scene, ground, &Context::default())?;
    let config = GapConfig::of_ground(max_gap, ground);
    config.check()?;
    let (found, seconds) = timed(|| find_gaps(&surface, &scene.mesh, &config, &Context::default()));
    Ok((found?, seconds))
}

fn whole(scene: &Scene, config: &GroundConfig) -> Result<NavMesh, Box<dyn Error>> {
    let planned = match config.method {
        Method::Exact => plan_exact(scene, config, &Context::default())?,
        Method::Voxel => plan_scene(scene, config, &Context::default())?,
    };
    Ok(bake(&planned.plan, &BakeConfig::default(), &Context::default())?)
}

fn timed<T>(work: impl Fn() -> T) -> (T, f64) {
    let mut least = f64::INFINITY;
    let mut last = None;
    for _ in 0..RUNS {
        let start = Instant::now();
        let done = black_box(work());
        least = least.min(start.elapsed().as_secs_f64());
        last = Some(done);
    }
    (last.expect("it ran"), least)
}

/// The share of random pairs of places that a body of a radius gets between.
fn success(mesh: &NavMesh, radius: f64) -> f64 {
    let finder = PathFinder::new(mesh);
    let body = Body { step: 0.4, max_gap: 0.3, ..Body::disc(radius) };
    let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
    let Ok(mut points) = finder.random_points(&body, &Within::Everywhere, &config) else { return 0.0 };
    let mut random = Random::new(1);
    let mut place = || points.draw(|| random.bits()).map_or(dvec3(0.0, 0.0, 0.0), |place| place.point);
    let pairs: Vec<[DVec3; 2]> = (0..PAIRS).map(|_| [place(), place()]).collect();
    let found =
        pairs.iter().filter(|[from, to]| finder.find_for(&body, *from, *to, &config, &mut scratch).is_ok());
    found.count() as f64 / PAIRS as f64
}
