//! `wayfare bake INPUT -o M.way`: a plan becomes a navigation mesh.

use super::{
    Common,
    answer::Answer,
    input::Product,
    output::{self, ending, print, print_json, say_notes},
    plan_args::PlanArgs,
    progress,
    summary::{MeshSummary, PlanSummary, RepairSummary, repair_words, repairs},
};
use anyhow::{Context as _, Result, anyhow, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};
use wayfare::{
    bake::{BakeConfig, Decomposition, bake},
    core::RepairReport,
    floor::{FloorPlan, build_plan},
    navmesh::{Accelerator, AcceleratorConfig, NavMesh},
    scene,
};

/// Turn a plan into a navigation mesh with few convex cells
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Plan files are WKT, planar GeoJSON, MovingAI .map grids, PGM occupancy maps (or their YAML) and Polyanya .mesh
files, each also gzipped. Crossing, overlapping, nested and doubled polygons are united; what was repaired is
reported. A settings file holds any of: convex_distance, decomposition, shape, scale, planar.")]
pub struct Bake {
    /// A plan file (.wkt, .geojson, .map, .pgm, .yaml, .mesh, each also .gz) or a floor plan (.wayplan)
    input: PathBuf,
    /// Where to write: a navigation mesh (.way), or only the floor plan (.wayplan)
    #[arg(short, long, value_name = "M.way")]
    output: PathBuf,
    #[arg(long, value_name = "M", allow_negative_numbers = true, help = format!(
        "Ignore notches up to this depth [m]: fewer cells, same paths [default: {}]",
        BakeConfig::default().convex_distance
    ))]
    convex_distance: Option<f64>,
    /// How the ground is cut into cells [default: best]
    #[arg(long, value_enum)]
    decomposition: Option<Cut>,
    #[arg(long, value_name = "S", allow_negative_numbers = true, help = format!(
        "How much well-shaped cells are preferred to few cells, 0 to 1 [default: {}]",
        BakeConfig::default().shape
    ))]
    shape: Option<f64>,
    /// Leave out the tables that speed up searches on large meshes: a smaller file
    #[arg(long)]
    no_search_tables: bool,
    /// Settings from a TOML file; options given here win
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    #[command(flatten)]
    plan: PlanArgs,
}

/// The names of the decompositions.
#[derive(Clone, Copy, Debug, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Cut {
    /// Pairs of notches first, then the rest, then improvement
    Best,
    /// The greedy algorithm of the thesis alone, for comparison
    Thesis,
}

/// The fields of a settings file, named as in the structs that they fill.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    convex_distance: Option<f64>,
    decomposition: Option<Cut>,
    shape: Option<f64>,
    scale: Option<f64>,
    planar: Option<bool>,
}

/// How long each stage took [s].
#[derive(Debug, Default, Serialize)]
struct Seconds {
    read: f64,
    plan: f64,
    decompose: f64,
    search_tables: f64,
    write: f64,
    total: f64,
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
        let inputs: Vec<&Path> =
            [Some(&self.input), self.config.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        output::check_target(&self.output, &inputs)?;
        let settings = self.settings()?;
        let config = bake_config(&settings)?;
        let plan_args = PlanArgs {
            scale: settings.scale,
            planar: settings.planar == Some(true),
            threads: self.plan.threads,
        };
        plan_args.prepare()?;
        let context = progress::context(common.quiet);

        let start = Instant::now();
        let mut seconds = Seconds::default();
        let mut repair = RepairReport::default();
        let mut notes = Vec::new();
        let product = plan_args.open(&self.input)?;
        seconds.read = start.elapsed().as_secs_f64();

        let made = match product {
            Product::Mesh(mesh) if mesh.raw().imported && target == "way" => {
                if settings.convex_distance.is_some()
                    || settings.decomposition.is_some()
                    || settings.shape.is_some()
                {
                    bail!(
                        "{} is a finished mesh; it is imported cell by cell, not cut anew",
                        self.input.display()
                    );
                }
                Made::Mesh(mesh)
            }
            Product::Mesh(_) => bail!("{} is already a navigation mesh", self.input.display()),
            Product::Plan(plan) => Made::Plan(plan),
            Product::Source(source) => {
                let begin = Instant::now();
                notes = source.notes.clone();
                let built = build_plan(&source, &context);
                seconds.plan = begin.elapsed().as_secs_f64();
                let (plan, report) = built.with_context(|| self.input.display().to_string())?;
                repair = report;
                Made::Plan(plan)
            }
        };
        let made = match made {
            Made::Plan(plan) if target == "way" => {
                let begin = Instant::now();
                let mesh =
                    bake(&plan, &config, &context).with_context(|| self.input.display().to_string())?;
                seconds.decompose = begin.elapsed().as_secs_f64();
                Made::Mesh(Box::new(mesh))
            }
            other => other,
        };

        let made = match made {
            Made::Mesh(mut mesh) if !self.no_search_tables => {
                let begin = Instant::now();
                let stage = context.stage("search tables", 0);
                add_search_tables(&mut mesh, self.plan.threads);
                drop(stage);
                seconds.search_tables = begin.elapsed().as_secs_f64();
                Made::Mesh(mesh)
            }
            other => other,
        };

        let begin = Instant::now();
        match &made {
            Made::Mesh(mesh) => output::write(&self.output, &mesh.to_bytes())?,
            Made::Plan(plan) => output::write(&self.output, &plan.to_bytes())?,
        }
        seconds.write = begin.elapsed().as_secs_f64();
        seconds.total = start.elapsed().as_secs_f64();

        let repair = repairs(&repair);
        let peak_memory_mb = peak_memory_mb();
        say_notes(&notes, common);
        match made {
            Made::Mesh(mesh) => {
                let summary = MeshSummary::of(&mesh);
                let words = summary.words();
                self.report(Report { summary, seconds, peak_memory_mb, repair, notes }, &words, common)?;
            }
            Made::Plan(plan) => {
                let summary = PlanSummary::of(&plan);
                let words = summary.words();
                self.report(Report { summary, seconds, peak_memory_mb, repair, notes }, &words, common)?;
            }
        }
        Ok(Answer::Yes)
    }

    /// Settings of the file, overruled by options.
    fn settings(&self) -> Result<Settings> {
        let mut settings = match &self.config {
            Some(path) => read_settings(path)?,
            None => Settings::default(),
        };
        settings.convex_distance = self.convex_distance.or(settings.convex_distance);
        settings.decomposition = self.decomposition.or(settings.decomposition);
        settings.shape = self.shape.or(settings.shape);
        settings.scale = self.plan.scale.or(settings.scale);
        settings.planar = self.plan.planar.then_some(true).or(settings.planar);
        Ok(settings)
    }

    fn report<S: Serialize>(&self, report: Report<S>, words: &str, common: Common) -> Result<()> {
        if common.json {
            return print_json(&report);
        }
        let Seconds { read, plan, decompose, search_tables, write, total } = report.seconds;
        let memory = report.peak_memory_mb.map(|mb| format!("; peak memory {mb:.1} MB")).unwrap_or_default();
        print(&format!(
            "wrote {}\n{words}{}{total:.3} s: read {read:.3}, plan {plan:.3}, decompose {decompose:.3}, \
             search tables {search_tables:.3}, write {write:.3}{memory}\n",
            self.output.display(),
            repair_words(&report.repair),
        ))
    }
}

/// Largest settings file [bytes].
const MAX_SETTINGS: u64 = 1 << 20;

/// What a bake ends with.
enum Made {
    Mesh(Box<NavMesh>),
    Plan(FloorPlan),
}

fn read_settings(path: &Path) -> Result<Settings> {
    let bytes = scene::read_bytes(path, MAX_SETTINGS)?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("{}: the file is not text", path.display()))?;
    toml::from_str(&text).map_err(|error| {
        let at = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let line = at.map(|line| format!("line {line}: ")).unwrap_or_default();
        anyhow!("{}: {line}{}", path.display(), error.message())
    })
}

fn bake_config(settings: &Settings) -> Result<BakeConfig> {
    let default = BakeConfig::default();
    let config = BakeConfig {
        convex_distance: settings.convex_distance.unwrap_or(default.convex_distance),
        decomposition: match settings.decomposition {
            Some(Cut::Best) => Decomposition::Best,
            Some(Cut::Thesis) => Decomposition::Thesis,
            None => default.decomposition,
        },
        shape: settings.shape.unwrap_or(default.shape),
    };
    config.check()?;
    Ok(config)
}

/// Stores what speeds up searches with a mesh that is large enough to gain from it.
pub fn add_search_tables(mesh: &mut NavMesh, threads: Option<u16>) {
    let threads = threads.map_or(0, usize::from);
    let config = AcceleratorConfig { threads, ..AcceleratorConfig::default() };
    mesh.set_accelerator(Accelerator::build_with(mesh, &config));
}

/// The most memory that this process ever had, where the system tells.
fn peak_memory_mb() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
