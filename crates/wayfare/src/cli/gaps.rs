//! `wayfare gaps SCENE`: the gaps in the ground of a scene that a body steps over.

use super::{
    Common,
    answer::Answer,
    input::{self, Product, stem},
    no_ground::{Asked, with_what_was_read},
    output::{self, ending, print, print_json, say_notes},
    progress::{self, Seconds},
    read_args::Threads,
    settings::{Axis, READING, Settings, Sides},
    summary::{count, rounded},
    up_hint::up_hint,
    values::distance,
};
use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{
    floor::{
        exact::find_surface,
        gaps::{GapConfig, GapReport, GapSurface, find_gaps},
    },
    scene::Scene,
    view::{DrawConfig, draw_gaps, export},
};

/// Find the gaps in the ground of a scene that a body steps over, and fill them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Gaps lie between edges of the ground: over thresholds and slots, between treads and platforms. One steps over what is no higher than
the step, and needs head room. Walkable ground is blue, gaps are green, the rest is grey; .ply and .obj are z up, .glb is y up, .svg is
a picture from above.")]
pub struct Gaps {
    /// A scene (.obj, .gltf, .glb, .stl, .ply, .off, each also .gz, or generated:NAME)
    scene: PathBuf,
    /// Where to write ground and gaps; the ending decides the form
    #[arg(short, long, value_name = "X.ply|obj|glb|svg")]
    output: Option<PathBuf>,
    /// The widest gap that a body steps over, seen from above [m]
    #[arg(long, value_name = "M", default_value = "0.3", value_parser = distance, allow_negative_numbers = true)]
    max_gap: f64,
    /// The highest step that a body takes [m] [default: 0.4]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    step: Option<f64>,
    /// Head room that a body needs [m] [default: 1.8]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    height: Option<f64>,
    /// The steepest slope that a body walks on [degrees] [default: 45]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    slope: Option<f64>,
    /// Which sides of faces are walked on [default: both]
    #[arg(long, value_enum, value_name = "WHICH")]
    faces: Option<Sides>,
    /// Keep ground inside closed solids
    #[arg(long)]
    keep_inside: bool,
    /// The axis of an OBJ, STL, PLY or OFF file that points up [default: y]
    #[arg(long, value_enum, value_name = "AXIS", help_heading = READING)]
    up: Option<Axis>,
    /// Metres per unit of the file [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, help_heading = READING)]
    scale: Option<f64>,
    #[command(flatten)]
    threads: Threads,
}

/// What `gaps --json` prints.
#[derive(Serialize)]
struct Summary {
    output: Option<String>,
    components_before: usize,
    components_after: usize,
    boundary_edges: usize,
    cycles: usize,
    gaps_found: usize,
    gaps_kept: usize,
    gap_area: f64,
    area: f64,
    seconds: Seconds,
    notes: Vec<String>,
}

impl Gaps {
    pub fn run(self, common: Common) -> Result<Answer> {
        if let Some(target) = &self.output {
            if !["ply", "obj", "glb", "svg"].contains(&ending(target).as_str()) {
                bail!("cannot tell the form from '{}'; end it in .ply, .obj, .glb or .svg", target.display());
            }
            output::check_target(target, &[&self.scene])?;
        }
        let settings = self.settings();
        settings.check()?;
        let mut ground = settings.ground_config()?;
        // Small pieces are what gaps join.
        ground.min_area = 0.0;
        let config = GapConfig::of_ground(self.max_gap, &ground);
        config.check().context("gaps cannot be found like that")?;
        self.threads.set()?;
        let (clock, context) = progress::start(common.quiet);
        let product = clock.time("read", || input::open(&self.scene, &settings))?;
        settings.fit(&product, &self.scene)?;
        let Product::Scene(scene) = product else {
            bail!("gaps are found in scenes; {} is {}", self.scene.display(), product.words());
        };
        let surface = clock.time("ground", || find_surface(&scene, &ground, &context));
        let up_hint = |ground: f64| up_hint(&scene, &self.scene, &settings, || ground);
        let (surface, found_notes) = surface.map_err(|cause| {
            let notes: Vec<String> = scene.notes.iter().cloned().chain(up_hint(0.0)).collect();
            with_what_was_read(Asked::Gaps, cause, &scene.repair, &notes)
                .context(self.scene.display().to_string())
        })?;
        let found = clock.time("gaps", || find_gaps(&surface, &scene.mesh, &config, &context))?;
        context.check()?;
        if self.output.is_some() {
            let walkable: Vec<u32> = surface
                .patches
                .as_slice()
                .iter()
                .flat_map(|patch| patch.scene_triangles.iter().copied())
                .collect();
            clock.time("write", || self.write(&scene, &walkable, &found))?;
        }
        let mut notes: Vec<String> = scene.notes.iter().cloned().chain(found_notes).collect();
        notes.extend(up_hint(surface.area()));
        let left = found.report.holes_left;
        if left > 0 {
            notes.push(format!("holes too tangled to be filled: {left}"));
        }
        say_notes(&notes, common);
        let GapReport {
            components_before,
            components_after,
            boundary_edges,
            cycles,
            gaps_found,
            gaps_kept,
            gap_area,
            ..
        } = found.report;
        let summary = Summary {
            output: self.output.as_ref().map(|target| target.display().to_string()),
            components_before,
            components_after,
            boundary_edges,
            cycles,
            gaps_found,
            gaps_kept,
            gap_area,
            area: surface.area(),
            seconds: clock.seconds(),
            notes,
        };
        if common.json {
            print_json(&summary)?;
        } else {
            print(&summary.words())?;
        }
        Ok(Answer::Yes)
    }

    fn settings(&self) -> Settings {
        Settings {
            up: self.up,
            scale: self.scale,
            height: self.height,
            step: self.step,
            slope: self.slope,
            faces: self.faces,
            keep_inside: self.keep_inside.then_some(true),
            ..Settings::default()
        }
    }

    fn write(&self, scene: &Scene, walkable: &[u32], found: &GapSurface) -> Result<()> {
        let Some(target) = &self.output else { return Ok(()) };
        let bytes = match ending(target).as_str() {
            "obj" => export::gaps_to_obj(&scene.mesh, walkable, found).into_bytes(),
            "glb" => export::gaps_to_glb(&scene.mesh, walkable, found),
            "svg" => {
                let caption = format!("{}: {}", stem(&self.scene), count(found.gaps.len(), "gap"));
                draw_gaps(found, &DrawConfig { caption: Some(caption), ..DrawConfig::default() })?
                    .into_bytes()
            }
            _ => export::gaps_to_ply(&scene.mesh, walkable, found),
        };
        output::write(target, &bytes)
    }
}

impl Summary {
    fn words(&self) -> String {
        let wrote = self.output.as_ref().map(|target| format!("wrote {target}\n")).unwrap_or_default();
        format!(
            "{wrote}{} of ground before, {} with gaps; {} m² of ground\n{} of the border in {}\n{} found, {} kept: {} m²\n{}\n",
            count(self.components_before, "piece"),
            self.components_after,
            rounded(self.area, 2),
            count(self.boundary_edges, "edge"),
            count(self.cycles, "cycle"),
            count(self.gaps_found, "gap"),
            self.gaps_kept,
            rounded(self.gap_area, 3),
            self.seconds.words(),
        )
    }
}
