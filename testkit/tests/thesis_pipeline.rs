//! The thesis's pipeline against fine columns: the same floors within a pixel on one layer; on several, how much is lost and
//! gained (`docs/thesis-pipeline.md` says why).

use std::time::Instant;
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::{Context, dvec3};
use wayfare_floor::{
    GroundConfig, Keep, LayerMode, Pipeline,
    voxel::{Floors, find_floors, plan_scene, runs::Runs, select::select, thesis::ThesisStages},
};
use wayfare_scene::{Scene, generated::scene_by_name};
use wayfare_testkit::{baked, data::scene_named};

/// The floors of pieces that are not too small, the seconds that it took to find them, and how many pixels are floor in
/// two coarse layers.
fn floors(scene: &Scene, pipeline: Pipeline, config: &GroundConfig) -> (Floors, f64, u64) {
    let config = GroundConfig { pipeline, ..config.clone() };
    let start = Instant::now();
    let mut floors = find_floors(scene, &config, &Context::default()).expect("ground");
    let seconds = start.elapsed().as_secs_f64();
    let in_layers = |stages: &ThesisStages| stages.floors.iter().flatten().filter(|&&is| is).count() as u64;
    let twice = floors.thesis.as_ref().map_or(0, |stages| in_layers(stages) - floors.runs.pixels());
    floors.runs = select(floors.runs, &floors.lattice, &config, &mut Vec::new()).expect("ground");
    (floors, seconds, twice)
}

/// Floor pixels by row and column, with heights.
struct Mask {
    columns: usize,
    heights: Vec<Vec<f32>>,
}

impl Mask {
    fn new(floors: &Floors) -> Self {
        let (columns, rows) = (floors.lattice.columns() as usize, floors.lattice.rows() as usize);
        let mut heights = vec![Vec::new(); columns * rows];
        let runs: &Runs = &floors.runs;
        for (k, run) in runs.runs.iter().enumerate() {
            for column in run.start..run.end {
                heights[run.row as usize * columns + column as usize].push(runs.height(k as u32, column));
            }
        }
        Self { columns, heights }
    }

    /// Pixels of this one that the other does not have in the same place or one pixel beside, within a step of height.
    fn deeper_than_a_pixel(&self, other: &Mask) -> Vec<(usize, usize, f32)> {
        let is_near = |row: usize, column: usize, height: f32| {
            (row - 1..=row + 1).any(|y| {
                let found = &other.heights[y * self.columns + column - 1..=y * self.columns + column + 1];
                found.iter().flatten().any(|z| (z - height).abs() < 0.5 * 4096.0)
            })
        };
        let mut lost = Vec::new();
        for (k, heights) in self.heights.iter().enumerate() {
            let (row, column) = (k / self.columns, k % self.columns);
            lost.extend(heights.iter().filter(|&&z| !is_near(row, column, z)).map(|&z| (row, column, z)));
        }
        lost
    }
}

/// The floor of the columns, what of it is lost and what is gained [m²]; prints more.
fn compare(name: &str, scene: &Scene, config: &GroundConfig) -> [f64; 3] {
    let (columns, columns_seconds, _) = floors(scene, Pipeline::Columns, config);
    let (thesis, thesis_seconds, twice) = floors(scene, Pipeline::Thesis, config);
    let [a, b] = [&columns, &thesis].map(Mask::new);
    let pixel = config.resolution * config.resolution;
    let (lost, gained) = (a.deeper_than_a_pixel(&b), b.deeper_than_a_pixel(&a));
    let [all, lost_area, gained_area] =
        [columns.runs.pixels() as usize, lost.len(), gained.len()].map(|pixels| pixels as f64 * pixel);
    eprintln!(
        "{name}: {all:.1} m², lost {lost_area:.2}, gained {gained_area:.2}, twice {:.1}, seconds {columns_seconds:.3} {thesis_seconds:.3}; {}",
        twice as f64 * pixel,
        thesis.thesis.as_ref().map(|stages| stages.summary()).unwrap_or_default(),
    );
    for (what, list) in [("lost", &lost), ("gained", &gained)] {
        for &(row, column, z) in list.iter().step_by(list.len() / 5 + 1) {
            let at = columns.lattice.corner(column as u32, row as u32);
            eprintln!("  {what} at {:.2} {:.2} {:.2}", at.x, at.y, columns.lattice.height(z.into()));
        }
    }
    [all, lost_area, gained_area]
}

fn generated(name: &str) -> Scene {
    scene_by_name(name).expect("a generated scene")
}

#[test]
fn both_pipelines_agree_within_a_pixel_on_one_layer() {
    for name in ["door-0.9", "walls-1", "terrain-40"] {
        let [all, lost, gained] = compare(name, &generated(name), &GroundConfig::default());
        assert!(all > 10.0, "{name}");
        assert_eq!([lost, gained], [0.0; 2], "{name}");
    }
}

#[test]
fn what_the_thesis_loses_and_gains_on_several_layers_is_little() {
    for name in ["sample", "building-2", "spiral-2", "bridge", "slabs-1"] {
        let [all, lost, gained] = compare(name, &generated(name), &GroundConfig::default());
        assert!(lost < 0.1 * all && gained < 0.1 * all, "{name}: lost {lost}, gained {gained} of {all}");
    }
}

#[test]
fn plans_of_the_thesis_are_valid_and_can_be_baked() {
    for name in
        ["sample", "building-2", "spiral-2", "bridge", "slabs-1", "cave-1", "soup-500-1", "terrain-40"]
    {
        // Ground that does not hang together may be in two layers though it is seen from above.
        for (layer_mode, keep) in
            [(LayerMode::Many, Keep::All), (LayerMode::Single, Keep::All), (LayerMode::Single, Keep::Largest)]
        {
            let config =
                GroundConfig { pipeline: Pipeline::Thesis, layer_mode, keep, ..GroundConfig::default() };
            let plan = plan_scene(&generated(name), &config, &Context::default()).expect("ground").plan;
            assert_eq!(plan.check(), [], "{name}");
            assert!(keep == Keep::All || plan.layers.len() == 1, "{name}");
            let mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
            assert_eq!(mesh.check(), [], "{name}");
        }
    }
}

/// A shared scene with the body that fits into it; `None` if the data is not there, which is said.
fn shared(name: &str) -> Option<(Scene, GroundConfig)> {
    let shared = scene_named(name)?;
    let scene = baked::read(&shared).expect("a shared scene");
    Some((scene, baked::ground_config(&shared.body)))
}

#[test]
fn real_scenes_lose_little_and_give_valid_plans() {
    for name in ["house", "nav_test", "openarena_oa_dm1"] {
        let Some((scene, config)) = shared(name) else { continue };
        let [all, lost, gained] = compare(name, &scene, &config);
        assert!(lost < 0.1 * all && gained < 0.1 * all, "{name}: lost {lost}, gained {gained} of {all}");
        let config = GroundConfig { pipeline: Pipeline::Thesis, ..config };
        let plan = plan_scene(&scene, &config, &Context::default()).expect("ground").plan;
        assert_eq!(plan.check(), [], "{name}");
        let mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
        assert_eq!(mesh.check(), [], "{name}");
    }
}

#[test]
fn threads_do_not_change_the_plan() {
    for name in ["building-2", "slabs-1"] {
        let scene = generated(name);
        let config = GroundConfig { pipeline: Pipeline::Thesis, ..GroundConfig::default() };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| plan_scene(&scene, &config, &Context::default()).expect("ground").plan.to_bytes())
        };
        let one = run(1);
        assert!([2, 7].into_iter().all(|threads| run(threads) == one), "{name}");
    }
}

#[test]
fn one_layer_is_what_is_seen_from_above() {
    let plan = |name: &str, config: &GroundConfig| {
        plan_scene(&generated(name), config, &Context::default()).expect("ground").plan
    };
    let many = GroundConfig::default();
    let single = GroundConfig { layer_mode: LayerMode::Single, ..many.clone() };
    // Nothing lies over a terrain; both ways see the same.
    assert_eq!(plan("terrain-40", &single).to_bytes(), plan("terrain-40", &many).to_bytes());
    // The tunnel under the bridge is not seen: a point under it is on the bridge.
    let area = |config: &GroundConfig| plan("bridge", config).area();
    assert!(area(&single) < area(&many) - 10.0);
    // Of a building the ground round it or the roof is flooded, whichever the start is on.
    let from = |place| GroundConfig { keep: Keep::Reachable, reach_from: vec![place], ..single.clone() };
    let [ground, roof] =
        [dvec3(-3.0, -3.0, 0.0), dvec3(13.0, 8.0, 6.48)].map(|p| plan("building-2", &from(p)).area());
    assert!((ground - (38.0 * 28.0 - 26.0 * 16.0)).abs() < 10.0, "{ground}");
    assert!((roof - 26.0 * 16.0).abs() < 10.0, "{roof}");
    let largest = GroundConfig { keep: Keep::Largest, ..single.clone() };
    assert_eq!(plan("building-2", &largest).area(), ground);
    assert_eq!(plan("building-2", &single).area(), ground + roof);
}
