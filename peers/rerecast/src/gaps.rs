//! The scenes of `cargo xtask bench gaps` by Recast: the same pairs of places, the same steps and thresholds.

use crate::{
    case::{CELL_HEIGHT, RESOLUTION, Walker},
    ground::TheirGround,
    recast, seconds,
};
use std::error::Error;
use wayfare_bake::{BakeConfig, bake_exact};
use wayfare_core::{Context, DVec3};
use wayfare_testkit::gap_scenes::{
    Crossing, GapScene, Kept, PAIRS, RADII, SAME_HEIGHT, exact_ground, gap_scenes, random_pairs,
};

/// How far a place may be from their ground in plan [m]: two cells, since contours are simplified by more than one.
const REACH: f64 = 2.0 * RESOLUTION;
const RUNS: usize = 5;

pub fn print() -> Result<(), Box<dyn Error>> {
    let ground = exact_ground();
    let walker = Walker { height: ground.height, step: ground.step };
    println!("## Recast beside it\n");
    println!(
        "The crate rerecast 0.5 on voxels of {RESOLUTION} m, {CELL_HEIGHT} m high, for the same body; its other settings as in \
         [recast.md](recast.md). *seconds*: the least of {RUNS} runs. *pairs*: share of the same {PAIRS} pairs of places per radius whose ends lie on \
         its ground (or up to {REACH} m beside it) and in one component. Its radius is rounded up to cells, and to the smallest with which it does not \
         fail. *crossed*: the straight line over a step, threshold or slot stays on its ground (or {RESOLUTION} m beside it) and in one \
         component; *heights*: as above.\n"
    );
    println!(
        "| scene | seconds | components | {} | steps, thresholds, slots | crossed | heights |\n|---|{}",
        RADII.map(|radius| format!("pairs at {radius} m")).join(" | "),
        "--:|".repeat(5 + RADII.len())
    );
    for one in gap_scenes() {
        print_scene(&one, walker)?;
    }
    Ok(())
}

fn print_scene(one: &GapScene, walker: Walker) -> Result<(), Box<dyn Error>> {
    eprintln!("{} by Recast", one.name);
    let ours = bake_exact(&one.scene, &exact_ground(), &BakeConfig::default(), &Context::default())?.mesh;
    let triangles = recast::to_trimesh(&one.scene);
    let theirs = |radius: f64| {
        let cells = (radius / RESOLUTION - 1e-9).ceil().max(0.0) as u16;
        recast::build_at_smallest_radius(&triangles, walker, cells)
            .map(|(cells, polygons, detail)| (cells, TheirGround::new(&polygons, &detail)))
    };
    let (cells, ground) = match theirs(0.0) {
        Ok(built) => built,
        Err(error) => {
            println!("| {} | fails: {error} |{}", one.name, " |".repeat(4 + RADII.len()));
            return Ok(());
        }
    };
    let runs = (0..RUNS).map(|_| {
        let copy = triangles.clone();
        seconds(|| recast::build(copy, walker, cells).is_ok())
    });
    let least = runs.fold(f64::INFINITY, f64::min);
    let shares = RADII.map(|radius| match theirs(radius) {
        Ok((used, ground)) => {
            let pairs = random_pairs(&ours, radius);
            let is_joined = |[from, to]: &&[DVec3; 2]| {
                let ends = [from, to].map(|p| ground.locate(*p, REACH));
                matches!(ends, [Some(a), Some(b)] if a.component == b.component)
            };
            let share = pairs.iter().filter(is_joined).count() as f64 / PAIRS as f64;
            let is_as_asked = f64::from(used) * RESOLUTION < radius + RESOLUTION - 1e-9;
            if is_as_asked { format!("{share:.4}") } else { format!("{share:.4} ({used} cells)") }
        }
        Err(_) => "fails".into(),
    });
    let Kept { crossed, heights } = kept(&ground, &one.crossings);
    println!(
        "| {} | {least:.4} | {} | {} | {} | {crossed} | {heights} |",
        one.name,
        ground.components,
        shares.join(" | "),
        one.crossings.len(),
    );
    Ok(())
}

/// How many crossings their ground keeps.
fn kept(ground: &TheirGround, crossings: &[Crossing]) -> Kept {
    const SAMPLES: u32 = 20;
    let mut kept = Kept::default();
    for &Crossing { from, to } in crossings {
        let place = |k: u32| from.lerp(to, f64::from(k) / f64::from(SAMPLES));
        let first = ground.locate(from, RESOLUTION).map(|found| found.component);
        let is_straight = first.is_some()
            && (0..=SAMPLES)
                .all(|k| ground.locate(place(k), RESOLUTION).map(|found| found.component) == first);
        kept.crossed += usize::from(is_straight);
        let is_same = |p: DVec3| {
            ground.locate(p, RESOLUTION).is_some_and(|found| (found.height - p.z).abs() <= SAME_HEIGHT)
        };
        kept.heights += usize::from(is_same(from) && is_same(to));
    }
    kept
}
