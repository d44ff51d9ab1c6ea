//! The thesis's tables on generated scenes: cells by relaxation (figures 39 to 42) and time (figure 43).

use std::error::Error;
use wayfare_bake::BakeConfig;
use wayfare_floor::GroundConfig;
use wayfare_scene::generated::scene_by_name;
use wayfare_testkit::baked;

const SCENES: [&str; 4] = ["sample", "building-3", "spiral-3", "slabs-1"];
const RELAXATIONS: [f64; 5] = [0.0, 0.05, 0.1, 0.2, 0.4];
const RUNS: usize = 5;

/// Measures and prints.
pub fn print_tables() -> Result<(), Box<dyn Error>> {
    println!("## Cells by relaxation\n");
    println!(
        "The thesis's figures 39 to 42: cells of generated scenes of several layers with `--convex-distance` 0 to 0.4 m; a notch that \
         is no deeper is ignored. *ms*: triangles to mesh on one thread at distance 0, the least of {RUNS} runs (figure 43).\n"
    );
    print!("| scene | triangles | layers | storeys | area [m²] |");
    RELAXATIONS.iter().for_each(|distance| print!(" {distance} m |"));
    println!(" ms |\n|---|{}", "--:|".repeat(5 + RELAXATIONS.len()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for name in SCENES {
        let scene = scene_by_name(name).ok_or("a generated scene is not there")?;
        let bake = |convex_distance: f64| {
            let cells = BakeConfig { convex_distance, ..BakeConfig::default() };
            pool.install(|| baked::bake_scene(&scene, &GroundConfig::default(), &cells))
        };
        let strict = bake(0.0)?;
        let facts = strict.mesh.facts();
        print!("| {name} | {} | {} |", scene.mesh.triangles.len(), strict.plan.layers.len());
        print!(" {} | {:.1} |", facts.storeys, facts.area);
        for distance in RELAXATIONS {
            print!(" {} |", bake(distance)?.mesh.cell_count());
        }
        let mut least = strict.seconds;
        for _ in 1..RUNS {
            least = least.min(bake(0.0)?.seconds);
        }
        println!(" {:.1} |", least * 1e3);
    }
    Ok(())
}
