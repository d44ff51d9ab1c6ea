//! The part of `wayfare demo` about gaps: platforms as they are modelled, joined by what a body steps over.

use super::{
    super::{
        make::add_search_tables,
        path::{Asked, Search},
        summary::{MeshSummary, count},
    },
    Files, captioned,
};
use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;
use wayfare::{
    bake::{BakeConfig, bake_exact},
    core::{Context, DVec3, dvec3},
    floor::{
        GroundConfig, Method,
        exact::find_surface,
        gaps::{GapConfig, find_gaps},
    },
    scene::{generated, to_obj},
    view::{Marks, draw_gaps, draw_mesh},
};

/// The scene, a name of `generated:NAME`.
const SCENE: &str = "platforms";
/// On the lowest platform and on the highest [m].
const ENDS: [DVec3; 2] = [dvec3(1.5, 1.5, 0.0), dvec3(5.2, 4.8, 1.8)];
/// Radius of the body [m].
const RADIUS: f64 = 0.2;

/// What came of it.
#[derive(Serialize)]
pub struct GapsReport {
    mesh: MeshSummary,
    max_gap: f64,
    components_before: usize,
    components_after: usize,
    gaps_kept: usize,
    length: f64,
    steps: usize,
    gaps_crossed: usize,
}

/// From a scene to its gaps, and a path over them.
pub fn gaps(files: &mut Files, context: &Context) -> Result<GapsReport> {
    let scene = generated::scene_by_name(SCENE).context("the scene of the demo is known")?;
    files.add("platforms.obj", to_obj(&scene).as_bytes())?;
    let ground = GroundConfig { method: Method::Exact, ..GroundConfig::default() };
    let (surface, _) = find_surface(&scene, &ground, context)?;
    let found = find_gaps(&surface, &scene.mesh, &GapConfig::of_ground(ground.max_gap, &ground), context)?;
    let words = format!("{SCENE} · {} of up to {} m", count(found.gaps.len(), "gap"), ground.max_gap);
    files.add("gaps.svg", draw_gaps(&found, &captioned(words))?.as_bytes())?;

    let mut mesh = bake_exact(&scene, &ground, &BakeConfig::default(), context)?.mesh;
    add_search_tables(&mut mesh, None);
    files.add("platforms.way", &mesh.to_bytes())?;
    let [from, to] = ENDS;
    let path = Search::new(&mesh)
        .find(from, to, &Asked::disc(RADIUS))
        .map_err(|no| anyhow!("no path: {}", no.words()))?;
    let [steps, gaps_crossed] = path.stride_counts();
    let length = path.length;
    let words = format!("{length:.2} m over {} and {}", count(steps, "step"), count(gaps_crossed, "gap"));
    let marks = Marks { radius: RADIUS, ..Marks::path(path.points) };
    files.add("platforms.svg", draw_mesh(&mesh, &marks, &captioned(words))?.as_bytes())?;
    Ok(GapsReport {
        mesh: MeshSummary::of(&mesh),
        max_gap: ground.max_gap,
        components_before: found.report.components_before,
        components_after: found.report.components_after,
        gaps_kept: found.report.gaps_kept,
        length,
        steps,
        gaps_crossed,
    })
}

impl GapsReport {
    /// Its part of the story.
    pub fn words(&self) -> String {
        let pieces = count(self.components_after, "piece");
        format!(
            "Three platforms and the steps between them, exactly as modelled: {} of ground, and {pieces} over {} of up to {} m
  (platforms.obj, gaps.svg). On the mesh of {} from the lowest to the highest it is {:.2} m, over {} and {} (platforms.way, platforms.svg).
",
            count(self.components_before, "piece"),
            count(self.gaps_kept, "gap"),
            self.max_gap,
            count(self.mesh.cells, "cell"),
            self.length,
            count(self.steps, "step"),
            count(self.gaps_crossed, "gap"),
        )
    }
}
