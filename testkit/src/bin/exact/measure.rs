//! What is measured of one scene, in a process of its own.

use crate::{difference::difference, named, town::town};
use serde::{Deserialize, Serialize};
use std::{error::Error, time::Instant};
use wayfare_bake::{BakeConfig, ExactMesh, bake_exact};
use wayfare_core::Context;
use wayfare_floor::{EdgeKind, FloorPlan, GroundConfig, Method, Region};
use wayfare_scene::{Scene, generated::scene_by_name};
use wayfare_testkit::{
    baked::{self, Baked},
    data::scenes::scene_named,
    independent_check,
    ray_check::Rule,
};

/// Runs of which the quickest counts, where they are short.
pub const RUNS: usize = 3;
const SHORT: f64 = 1.0;
pub const PAIRS: usize = 200;
const RULES: [Rule; 4] = [Rule::Ground, Rule::Step, Rule::Wall, Rule::HeadRoom];
/// Sizes of voxels to compare areas with; times are those of the second [m].
pub const VOXELS: [f64; 3] = [0.2, 0.1, 0.05];

/// What is known of a scene.
#[derive(Default, Serialize, Deserialize)]
pub struct Measured {
    pub triangles: usize,
    pub nothing: Option<String>,
    /// From triangles to cells on the finest grid, without clearance [s].
    pub seconds: f64,
    pub stages: Vec<(String, f64)>,
    pub peak_mb: f64,
    /// All that the command does: coarser grids if need be, and clearance [s].
    pub whole_seconds: f64,
    pub note: Option<String>,
    pub layers: usize,
    pub seams: f64,
    pub components: usize,
    pub cells: usize,
    pub area: f64,
    pub gap_area: f64,
    /// Of the plan's checker, the mesh's and the independent one: how many, and the first.
    pub defects: Vec<(usize, String)>,
    pub unsettled: Option<String>,
    pub paths: usize,
    pub by_rule: [usize; 4],
    pub worst: Vec<String>,
    pub voxel_seconds: f64,
    pub voxel_cells: usize,
    /// By size of voxels: the area, and the area that only one of the two has [m²].
    pub voxels: Vec<Option<[f64; 2]>>,
    /// Named places: the way in words, what was expected, what was found.
    pub named: Vec<(String, bool, String)>,
}

/// A shared scene, a generated one, or a town.
pub fn scene_of(name: &str) -> Result<(Scene, GroundConfig), Box<dyn Error>> {
    if let Some(shared) = scene_named(name) {
        return Ok((baked::read(&shared)?, baked::ground_config(&shared.body)));
    }
    let scene = match name.strip_prefix("town-of-") {
        Some(kind) => town(kind)?,
        None => scene_by_name(name).ok_or_else(|| format!("there is no scene '{name}'"))?,
    };
    Ok((scene, GroundConfig::default()))
}

/// How much is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// One run, nothing else; all defects to standard error.
    Quick,
    /// Time and checks on the finest grid.
    Town,
    /// Beside voxels.
    All,
}

/// All about a scene.
pub fn look(name: &str, scene: &Scene, ground: &GroundConfig, extent: Extent) -> Measured {
    let mut measured = Measured { triangles: scene.mesh.triangles.len(), ..Measured::default() };
    let exact = GroundConfig { method: Method::Exact, ..ground.clone() };
    // 1. One try on the finest grid, timed; its plan or mesh may be refused.
    baked::forget_peak_memory();
    let first = quickest(scene, &exact, &mut measured.peak_mb);
    if let Ok(first) = &first {
        (measured.seconds, measured.stages) = (first.seconds, first.stages.clone());
    }
    // 2. What the command makes of it; of towns that would take minutes.
    let made = match extent {
        Extent::Town => first.map(|first| (first.plan, first.mesh)),
        Extent::Quick | Extent::All => {
            let began = Instant::now();
            let baked = bake_exact(scene, &exact, &BakeConfig::default(), &Context::default());
            measured.whole_seconds = began.elapsed().as_secs_f64();
            let baked = baked.map_err(|error| error.to_string());
            baked.map(|ExactMesh { planned, mesh, note, unsettled, .. }| {
                (measured.note, measured.unsettled) = (note, unsettled.map(|why| why.words));
                (planned.plan, mesh)
            })
        }
    };
    let (plan, mesh) = match made {
        Ok(made) => made,
        Err(error) => {
            measured.nothing = Some(error);
            return measured;
        }
    };
    let facts = mesh.facts();
    (measured.layers, measured.seams) = (plan.layers.len(), seam_length(&plan));
    (measured.components, measured.cells, measured.area) = (facts.components, facts.cells, facts.area);
    measured.gap_area = mesh.gap_area();
    // 3. The checkers.
    let words = |defects: Vec<String>| {
        if extent == Extent::Quick {
            defects.iter().for_each(|defect| eprintln!("{defect}"));
        }
        (defects.len(), defects.into_iter().next().unwrap_or_default())
    };
    let json = wayfare_view::export::mesh_to_json(&mesh);
    measured.defects = vec![
        words(plan.check().iter().map(ToString::to_string).collect()),
        words(mesh.check().iter().map(ToString::to_string).collect()),
        words(independent_check(&json, Some(plan.area() + plan.gap_area()))),
    ];
    // 4. Rays along paths.
    let tally = baked::check_paths(scene, &mesh, &exact, PAIRS);
    measured.paths = tally.found;
    measured.by_rule = RULES.map(|rule| tally.count(rule));
    for rule in RULES {
        let worst = tally.defects.iter().filter(|defect| defect.rule == rule);
        let worst = worst.max_by(|a, b| a.found.min(1e9).total_cmp(&b.found.min(1e9)));
        measured.worst.extend(worst.map(|defect| format!("{rule:?} {defect}")));
    }
    measured.worst.extend(tally.lost.first().cloned());
    measured.named = named::find(name, &mesh, &exact);
    // 5. Voxels beside it.
    for size in VOXELS.into_iter().filter(|_| extent == Extent::All) {
        let voxel = GroundConfig { resolution: size, simplify: size, coarse: 4.0 * size, ..ground.clone() };
        let is_timed = size == VOXELS[1];
        let other = match is_timed {
            true => quickest(scene, &voxel, &mut 0.0),
            false => baked::bake_scene(scene, &voxel, &BakeConfig::default()),
        };
        let Ok(other) = other else {
            measured.voxels.push(None);
            continue;
        };
        if is_timed {
            measured.voxel_seconds = other.seconds;
            measured.voxel_cells = other.mesh.cell_count();
        }
        let [area, differs] = [other.mesh.facts().area, difference(&mesh, &other.mesh)];
        measured.voxels.push(Some([area, differs]));
    }
    measured
}

/// The quickest of several bakes; of one, if that is long.
fn quickest(scene: &Scene, ground: &GroundConfig, peak: &mut f64) -> Result<Baked, String> {
    let mut best: Option<Baked> = None;
    for _ in 0..RUNS {
        let run = baked::bake_scene(scene, ground, &BakeConfig::default())?;
        if *peak == 0.0 {
            *peak = baked::peak_memory().map_or(0.0, |bytes| bytes as f64 / f64::from(1 << 20));
        }
        let is_long = run.seconds > SHORT;
        if best.as_ref().is_none_or(|best| run.seconds < best.seconds) {
            best = Some(run);
        }
        if is_long {
            break;
        }
    }
    best.ok_or_else(|| "nothing was run".into())
}

/// The length of all seams [m].
fn seam_length(plan: &FloorPlan) -> f64 {
    let rings = plan.layers.iter().flat_map(|layer| &layer.regions).flat_map(Region::rings);
    let lengths = rings.flat_map(|ring| {
        let points = plan.ring_points(ring);
        let count = points.len();
        let is_seam = |k: &usize| matches!(ring.kinds[*k], EdgeKind::Seam { .. });
        (0..count).filter(is_seam).map(|k| points[k].distance(points[(k + 1) % count])).collect::<Vec<_>>()
    });
    // Both sides of a seam have it. No seams have no length, not minus none.
    lengths.fold(0.0, |sum, length| sum + length) / 2.0
}
