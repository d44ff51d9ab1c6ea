//! `cargo xtask bench gaps`: the four kinds of scene of seed 002: what gaps join, how fast, and who gets where.
//!
//! Prints Markdown; progress goes to standard error. One thread. Times are the least of several runs. What rerecast makes of the same
//! scenes is added by `peers/rerecast`.

use std::{error::Error, hint::black_box, time::Instant};
use wayfare_bake::{BakeConfig, bake, bake_exact};
use wayfare_core::{Context, DVec3};
use wayfare_floor::{
    GroundConfig, Method,
    exact::{find_surface, plan_exact},
    gaps::{GapConfig, GapSurface, find_gaps},
    plan_scene,
};
use wayfare_navmesh::{LocateConfig, NavMesh, NoPath, PathFinder, PathScratch};
use wayfare_scene::{
    Scene,
    generated::scenes::{holes, holes_area},
};
use wayfare_testkit::gap_scenes::{
    GapScene, Kept, PAIRS, RADII, body, exact_ground, gap_scenes, kept_crossings, random_pairs,
};

const RUNS: usize = 5;
/// What is asked for: the most seconds of the search for gaps.
const MOST_SECONDS: f64 = 0.1;
/// What the seed took for Holes (at 0.1 m), Platforms and the two houses [s].
const SEED_SECONDS: [f64; 4] = [66.0, 50.0, 18.0, 946.0];

fn main() -> Result<(), Box<dyn Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    println!(
        "# Gaps\n\nThe four kinds of scene of seed 002, generated. One thread; seconds are the least of {RUNS} runs. *gaps* is the \
         search for gaps alone, on ground that is there.\n"
    );
    let mut most = print_holes()?;
    println!("\n## Platforms and houses\n");
    println!(
        "Steps of 0.4 m, gaps of 0.3 m, head room of 1.8 m. *exact* and *voxel* are whole bakes without clearance, the latter at \
         0.1 m. The seed's times are those of its own scenes of the same kind.\n"
    );
    println!(
        "| scene | triangles | components before | after | gaps found | kept | gaps [s] | seed [s] | exact [s] | voxel [s] | cells | risers | gap cells [m²] |\n|---|{}",
        "--:|".repeat(12)
    );
    let scenes = gap_scenes();
    let mut meshes = Vec::new();
    let mut slower = Vec::new();
    for (one, seed) in scenes.iter().zip(SEED_SECONDS) {
        eprintln!("{}", one.name);
        let (found, seconds) = search(&one.scene, &GroundConfig { min_area: 0.0, ..exact_ground() }, 0.3)?;
        most = seconds.max(most);
        let by = |config: &GroundConfig| timed(|| whole(&one.scene, config).map(drop)).1;
        let [exact_seconds, voxel_seconds] = [by(&exact_ground()), by(&GroundConfig::default())];
        if !one.named.is_empty() && exact_seconds > voxel_seconds {
            slower.push(one.name);
        }
        let baked = bake_exact(&one.scene, &exact_ground(), &BakeConfig::default(), &Context::default())?;
        assert_eq!(baked.mesh.check(), [], "{}", one.name);
        assert!(baked.unsettled.is_none(), "{} has clearance", one.name);
        baked.note.iter().for_each(|note| eprintln!("{note}"));
        let (report, mesh) = (found.report, baked.mesh);
        println!(
            "| {} | {} | {} | {} | {} | {} | {seconds:.4} | {seed} | {exact_seconds:.3} | {voxel_seconds:.3} | {} | {} | {:.3} |",
            one.name,
            one.scene.mesh.triangles.len(),
            report.components_before,
            report.components_after,
            report.gaps_found,
            report.gaps_kept,
            mesh.cell_count(),
            mesh.riser_count(),
            mesh.gap_area(),
        );
        assert!(one.name != "platforms" || report.components_after == 1, "all platforms are joined");
        meshes.push((one, mesh));
    }
    let said = |is_met: bool| if is_met { "met" } else { "**NOT met**" };
    println!("\n- gaps under {MOST_SECONDS} s each: {} ({most:.4} s at most)", said(most < MOST_SECONDS));
    println!(
        "- houses baked in at most the time of voxels of 0.1 m: {} {}",
        said(slower.is_empty()),
        slower.join(", ")
    );
    print_pairs(&meshes);
    print_crossings(&meshes);
    print_named(&meshes);
    Ok(())
}

/// The scene of holes by reach; the most seconds that any took.
fn print_holes() -> Result<f64, Box<dyn Error>> {
    println!(
        "## Holes\n\nA plane with thirty holes of many shapes; a body that takes no step. The seed took 66 s at 0.1 m.\n"
    );
    println!("| d_max [m] | gaps found | kept | filled share | gaps [s] |\n|--:|--:|--:|--:|--:|");
    let scene = holes().scene;
    let (mut most, mut last) = (0.0f64, 0.0);
    for d_max in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
        // Head room for the longest reach.
        let ground = GroundConfig { height: 2.5, step: 0.0, min_area: 0.0, ..exact_ground() };
        let (found, seconds) = search(&scene, &ground, d_max)?;
        let share = found.report.gap_area / holes_area();
        let report = found.report;
        println!("| {d_max} | {} | {} | {share:.4} | {seconds:.4} |", report.gaps_found, report.gaps_kept);
        assert!(share > last, "the filled share grows");
        assert!(d_max < 1.0 || share > 0.9999, "holes are filled at 1 m");
        (most, last) = (most.max(seconds), share);
    }
    Ok(most)
}

fn print_pairs(meshes: &[(&GapScene, NavMesh)]) {
    println!(
        "\n## {PAIRS} random pairs\n\nShare of pairs with a path, by radius, and microseconds per pair; places are drawn where the body \
         fits.\n"
    );
    println!(
        "| scene | {} |\n|---|{}",
        RADII.map(|r| format!("{r} m | [µs]")).join(" | "),
        "--:|".repeat(2 * RADII.len())
    );
    for (one, mesh) in meshes {
        eprintln!("pairs of {}", one.name);
        let words = RADII.map(|radius| {
            let Success { pairs, found, seconds } = success(mesh, radius);
            let (share, each) = (found as f64 / pairs.max(1) as f64, seconds * 1e6 / pairs.max(1) as f64);
            format!("{share:.4} | {each:.1}")
        });
        println!("| {} | {} |", one.name, words.join(" | "));
    }
}

fn print_crossings(meshes: &[(&GapScene, NavMesh)]) {
    println!(
        "\n## Steps, thresholds and slots\n\nEach as the scene's source has it, with a place 5 cm before and one 5 cm after it. *crossed*: the \
         way from one to the other goes straight over it. *heights*: on both sides the ground is where it is modelled, to a \
         centimetre.\n"
    );
    println!("| scene | steps, thresholds, slots | crossed | heights |\n|---|--:|--:|--:|");
    for (one, mesh) in meshes.iter().filter(|(one, _)| !one.crossings.is_empty()) {
        let Kept { crossed, heights } = kept_crossings(mesh, &one.crossings);
        println!("| {} | {} | {crossed} | {heights} |", one.name, one.crossings.len());
    }
}

fn print_named(meshes: &[(&GapScene, NavMesh)]) {
    println!(
        "\n## Named places\n\nListed in the source before the first run; a point with the body above.\n"
    );
    println!("| house | way | expected | found | length [m] | steps | gaps |\n|---|---|---|---|--:|--:|--:|");
    for (one, mesh) in meshes {
        let name = one.name;
        for (words, from, to, expected) in one.named {
            let found = PathFinder::new(mesh).find_for(
                &body(0.0),
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

/// What random pairs of places say.
struct Success {
    pairs: usize,
    found: usize,
    seconds: f64,
}

/// How many random pairs of places a body of a radius gets between.
fn success(mesh: &NavMesh, radius: f64) -> Success {
    let (finder, body) = (PathFinder::new(mesh), body(radius));
    let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
    let pairs = random_pairs(mesh, radius);
    let began = Instant::now();
    let is_found =
        |[from, to]: &&[DVec3; 2]| finder.find_for(&body, *from, *to, &config, &mut scratch).is_ok();
    let found = pairs.iter().filter(is_found).count();
    Success { pairs: pairs.len(), found, seconds: began.elapsed().as_secs_f64() }
}
