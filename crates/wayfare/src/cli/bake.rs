//! `wayfare bake INPUT -o M.way`: a scene or a plan becomes a navigation mesh.

use super::{
    Common,
    answer::Answer,
    input::{self, Product, stem},
    make::{MadePlan, add_search_tables, make_mesh, make_plan},
    output::{self, ending, print, print_json, say_notes},
    progress::{self, Clock, Seconds},
    read_args::BakeArgs,
    stages::{Stage, draw_cells, draw_contours, draw_floors, files},
    summary::{MeshSummary, PlanSummary, RepairSummary, repair_words, repairs},
    view::{PLAN, SAVED, saved},
};
use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use std::{
    fs,
    path::{Path, PathBuf},
};
use wayfare::{
    bake::{Unsettled, add_clearance, bake},
    core::Cancelled,
    floor::{FloorPlan, voxel::SceneFloors},
    navmesh::NavMesh,
    scene::generated::scenes::SCENE_NAMES,
    view::{DrawConfig, Marks},
};

/// Turn a 3D scene or a plan into a navigation mesh with few convex cells
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub struct Bake {
    /// A scene (.obj, .gltf, .glb, .stl, .ply, .off, generated:NAME), a 2D plan (.wkt, planar .geojson, MovingAI .map,
    /// occupancy map .pgm or its .yaml, Polyanya .mesh), each also .gz, or a floor plan (.wayplan)
    input: PathBuf,
    /// Where to write: a navigation mesh (.way), or only the floor plan (.wayplan)
    #[arg(short, long, value_name = "M.way")]
    output: PathBuf,
    /// Write the floor plan, pictures of the stages and what `view --stages` shows of them into this folder, too
    #[arg(long, value_name = "FOLDER")]
    save_stages: Option<PathBuf>,
    /// Leave out the tables that speed up searches on large meshes: a smaller file
    #[arg(long)]
    no_search_tables: bool,
    /// Leave out the distances to walls and drops that bodies with a radius need: a smaller file
    #[arg(long)]
    no_clearance: bool,
    #[command(flatten)]
    how: BakeArgs,
}

/// What stands below the options.
fn after_help() -> String {
    format!(
        "\
Examples:
  wayfare bake level.glb -o level.way --reach-from 3,1,0
  wayfare bake quake.obj -o quake.way --up z --scale 0.0254 --height 1.4224 --step 0.4572
  wayfare bake office.wkt -o office.way --convex-distance 0.25

There is no radius to set: the mesh has the true boundary of the ground. Points are in metres, z up, as the scene lies
after --up and --scale; `wayfare info SCENE` tells its box. Faces that cannot be used are set aside and reported.

generated:NAME is a scene that wayfare makes itself:
  {}

The keys of a settings file (--config) are the names of the options above from --up on, without the dashes before them:
  up = \"z\"
  reach-from = [[3, 1, 0]]
  keep-inside = true",
        SCENE_NAMES.join("\n  ")
    )
}

/// What `bake --json` prints.
#[derive(Serialize)]
struct Report<S> {
    #[serde(flatten)]
    summary: S,
    seconds: Seconds,
    peak_memory_mb: Option<f64>,
    repair: Vec<RepairSummary>,
    notes: Vec<String>,
}

impl Bake {
    pub fn run(self, common: Common) -> Result<Answer> {
        let target = ending(&self.output);
        if !["way", "wayplan"].contains(&target.as_str()) {
            bail!("cannot tell what to write from '{}'; end it in .way or .wayplan", self.output.display());
        }
        output::check_target(&self.output, &[&self.input])?;
        let settings = self.how.settings(&self.output)?;
        if target == "wayplan" {
            let of_meshes = [
                (settings.is_about_cells(), "--convex-distance, --decomposition and --shape are"),
                (self.no_clearance, "--no-clearance is"),
                (self.no_search_tables, "--no-search-tables is"),
            ];
            if let Some((_, option)) = of_meshes.into_iter().find(|(is_given, _)| *is_given) {
                bail!("{option} for navigation meshes (.way); a floor plan has no cells");
            }
        }
        self.how.threads.set()?;
        let (clock, context) = progress::start(common.quiet);

        let product = clock.time("read", || input::open(&self.input, &settings))?;
        settings.fit(&product, &self.input)?;
        // Said before the work, which may take long for the very reason that is told.
        say_notes(product.notes(), common);
        context.check()?;
        let (mut mesh, plan, repair, mut notes) = match product {
            Product::Mesh(mesh) if mesh.raw().imported && target == "way" => {
                if settings.is_about_cells() {
                    bail!(
                        "{} is a finished mesh; it is imported cell by cell, not cut anew",
                        self.input.display()
                    );
                }
                if self.save_stages.is_some() {
                    bail!("{} is a finished mesh: there are no stages to save", self.input.display());
                }
                (Some(mesh), None, Default::default(), Vec::new())
            }
            product => {
                let keep_floors = self.save_stages.is_some();
                let (made, mesh) = if target == "way" {
                    let config = settings.bake_config()?;
                    let cut = |plan: &FloorPlan| clock.time("decompose", || bake(plan, &config, &context));
                    let clear = |mesh: &mut NavMesh| self.add_tables(mesh, &clock, &context);
                    let (made, mesh) =
                        make_mesh(product, &self.input, &settings, keep_floors, &context, cut, clear)?;
                    (made, Some(Box::new(mesh)))
                } else {
                    (make_plan(product, &self.input, &settings, keep_floors, &context)?, None)
                };
                let MadePlan { plan, repair, notes, floors } = made;
                (mesh, Some((plan, floors)), repair, notes)
            }
        };
        // A mesh that was made here has its tables.
        if let Some(mesh) = mesh.as_mut().filter(|_| plan.is_none()) {
            notes.extend(self.add_tables(mesh, &clock, &context)?.map(|unsettled| unsettled.note()));
        }
        // The last moment at which nothing is written yet.
        context.check()?;
        notes.extend(clock.time("write", || -> Result<Vec<String>> {
            let left_out = match (&self.save_stages, &plan) {
                (Some(folder), Some((plan, floors))) => {
                    self.save_stages(folder, plan, floors.as_ref(), mesh.as_deref())?
                }
                _ => Vec::new(),
            };
            let bytes = match (&mesh, &plan) {
                (Some(mesh), _) => mesh.to_bytes(),
                (None, Some((plan, _))) => plan.to_bytes(),
                (None, None) => bail!("nothing was made"),
            };
            output::write(&self.output, &bytes)?;
            Ok(left_out)
        })?);

        let repair = repairs(&repair);
        let (seconds, peak_memory_mb) = (clock.seconds(), peak_memory_mb());
        say_notes(&notes, common);
        match (mesh, plan) {
            (Some(mesh), _) => {
                let summary = MeshSummary::of(&mesh);
                let words = summary.words();
                self.report(Report { summary, seconds, peak_memory_mb, repair, notes }, &words, common)?;
            }
            (None, Some((plan, _))) => {
                let summary = PlanSummary::of(&plan);
                let words = summary.words();
                self.report(Report { summary, seconds, peak_memory_mb, repair, notes }, &words, common)?;
            }
            (None, None) => {}
        }
        Ok(Answer::Yes)
    }

    /// Adds what speeds up searches and what bodies with a radius need; why not where the latter cannot be made.
    fn add_tables(
        &self,
        mesh: &mut NavMesh,
        clock: &Clock,
        context: &wayfare::core::Context,
    ) -> Result<Option<Unsettled>, Cancelled> {
        if !self.no_search_tables {
            let _stage = context.stage("search tables", 0);
            add_search_tables(mesh, self.how.threads.threads);
        }
        if self.no_clearance {
            return Ok(None);
        }
        clock.time("clearance", || add_clearance(mesh, context))
    }

    /// Writes the floor plan, the stages before it, and a picture per layer of each; notes about what is left out.
    fn save_stages(
        &self,
        folder: &Path,
        plan: &FloorPlan,
        floors: Option<&SceneFloors>,
        mesh: Option<&NavMesh>,
    ) -> Result<Vec<String>> {
        let mut notes = Vec::new();
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        output::write(&folder.join(PLAN), &plan.to_bytes())?;
        let (name, config) = (stem(&self.input), DrawConfig::default());
        let mut stages = vec![(Stage::Contours.file(), draw_contours(plan, Some(&name), &config)?)];
        if let Some(found) = floors {
            let (bytes, left_out) = saved(found);
            output::write(&folder.join(SAVED), &bytes)?;
            notes = left_out;
            let has_voxels = found.floors.thesis.is_some();
            for stage in [Stage::Voxels, Stage::Layers, Stage::Depth] {
                if stage != Stage::Voxels || has_voxels {
                    stages.push((stage.file(), draw_floors(stage, found, Some(&name), &config)?));
                }
            }
        }
        if let Some(mesh) = mesh {
            stages.push((Stage::Cells.file(), draw_cells(mesh, Some(&name), &Marks::default(), &config)?));
        }
        for (file, pictures) in &stages {
            for (file, picture) in files(&folder.join(file), pictures).iter().zip(pictures) {
                output::write(file, picture.svg.as_bytes())?;
            }
        }
        Ok(notes)
    }

    fn report<S: Serialize>(&self, report: Report<S>, words: &str, common: Common) -> Result<()> {
        if common.json {
            return print_json(&report);
        }
        let memory = report.peak_memory_mb.map(|mb| format!("; peak memory {mb:.1} MB")).unwrap_or_default();
        print(&format!(
            "wrote {}\n{words}{}{}{memory}\n",
            self.output.display(),
            repair_words(&report.repair),
            report.seconds.words(),
        ))
    }
}

/// The most memory that this process ever had, where the system tells.
pub fn peak_memory_mb() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
