//! `wayfare crowd M.way SCENARIO.toml -o run.sqlite`: a simulation.

use super::{
    Common,
    answer::Answer,
    crowd_file::storey_file,
    crowd_picture::{Kind, picture},
    input,
    output::{self, check_apart, check_target, ending, print, print_json, remark},
    path::need_clearance,
    progress,
    read_args::Threads,
    summary::count,
};
use anyhow::{Context as _, Result, anyhow, bail};
use serde::{Serialize, Serializer};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use wayfare::{
    crowd::scenario::{Scenario, Simulation, Summary, Trajectories},
    navmesh::NavMesh,
    scene::read_bytes,
};

/// Largest scenario file [bytes].
const MAX_SCENARIO: u64 = 1 << 26;

/// Run a crowd on a mesh: who comes, goes where and is measured is told by a scenario file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Trajectories are written as JuPedSim's SQLite (.sqlite) or as PeTrack text (.txt); both open in PedPy. On a mesh of several
storeys each has a file of its own: run.sqlite for the first, run-1.sqlite and so on. docs/crowd.md documents scenario files.

A run that was saved goes on where it was: `wayfare crowd S.waycrowd -o more.sqlite --until 120`. What is written then is the rest.")]
pub struct Crowd {
    /// A navigation mesh (.way, .mesh), or a saved run (.waycrowd) that goes on
    mesh: PathBuf,
    /// A scenario (.toml); a saved run has its own
    scenario: Option<PathBuf>,
    /// Where to write the trajectories
    #[arg(short, long, value_name = "T.sqlite|T.txt")]
    output: Option<PathBuf>,
    /// Draw the trajectories, coloured by the size of the bodies
    #[arg(long, value_name = "X.svg")]
    trajectories: Option<PathBuf>,
    /// Draw the mean density
    #[arg(long, value_name = "X.svg")]
    density: Option<PathBuf>,
    /// Save the run as it is at the end; it can go on from there
    #[arg(long, value_name = "S.waycrowd")]
    save: Option<PathBuf>,
    /// End at this time [s] instead of the scenario's duration
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    until: Option<f64>,
    #[command(flatten)]
    threads: Threads,
}

/// The keys of `crowd --json`.
#[derive(Serialize)]
struct Ran {
    agents: usize,
    arrived: usize,
    steps: usize,
    simulated_seconds: f64,
    seconds: f64,
    us_per_agent_step: f64,
    /// Persons per metre and second over the middle 80 % of the passages of each line; null where they are too few.
    flow: Named<Option<f64>>,
    /// Passages of each line.
    passages: Named<usize>,
    /// Mean persons per square metre.
    density: Named<f64>,
    /// How many left through each exit.
    exits: Named<usize>,
    agent_contacts_per_tick: f64,
    wall_contacts_per_tick: f64,
    max_overlap: f64,
    off_mesh: usize,
    stuck: usize,
    not_placed: usize,
    outputs: Vec<String>,
}

/// An object with the names of the scenario in their order.
struct Named<T>(Vec<(String, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Crowd {
    pub fn run(self, common: Common) -> Result<Answer> {
        let format = self.check_targets()?;
        self.threads.set()?;
        let (mut simulation, text) = self.begin()?;
        let mesh = simulation.crowd().shared_mesh();
        let name = self.scenario.as_ref().unwrap_or(&self.mesh).display();
        if let Some(until) = self.until {
            // Steps do not add up rounding, as the time of the crowd does.
            let from = simulation.summary().steps as f64 / simulation.scenario().rate;
            if !(from..=1e6).contains(&until) {
                bail!("--until {until} is outside {from} .. 1000000 s");
            }
            simulation.set_duration(until);
        }
        let scenario = simulation.scenario();
        for spawn in scenario.spawns.iter().filter(|spawn| spawn.from >= scenario.duration) {
            let words = format!(
                "note: nobody of the spawn in line {} comes: it begins at {} s, and the run ends at {} s",
                spawn.line, spawn.from, scenario.duration
            );
            remark(common.quiet || common.json, &words);
        }
        let (asked, got) = (simulation.scenario().frame_rate, simulation.frame_rate());
        if (asked - got).abs() > 1e-9 {
            let words =
                format!("note: a frame is a whole number of steps: {got:.4} frames per second, not {asked}");
            remark(common.quiet || common.json, &words);
        }
        let mut trajectories =
            Trajectories { frame_rate: simulation.frame_rate(), ..Trajectories::default() };
        let keeps = self.output.is_some() || self.trajectories.is_some() || self.density.is_some();
        let context = progress::context(common.quiet || common.json);
        let began = Instant::now();
        {
            let stage = context.stage("simulate", simulation.most_steps());
            while simulation
                .step(|frame| {
                    if keeps {
                        trajectories.add(frame);
                    }
                })
                .map_err(|error| anyhow!("{name}: {error}"))?
            {
                context.check()?;
                stage.advance(1);
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        let mut outputs = Vec::new();
        if let (Some(path), Some(format)) = (&self.output, format) {
            outputs.extend(format.write(path, &trajectories, &mesh)?);
        }
        for (path, kind) in [(&self.trajectories, Kind::Trajectories), (&self.density, Kind::Density)] {
            if let Some(path) = path {
                let svg = picture(&mesh, &simulation, &trajectories, kind)?;
                output::write(path, svg.as_bytes())?;
                outputs.push(path.display().to_string());
            }
        }
        if let Some(path) = &self.save {
            simulation.write(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
            outputs.push(path.display().to_string());
        }
        answer(simulation.summary(), seconds, outputs, common)
    }

    /// The run at its beginning, or where it was saved, and the text of its scenario.
    fn begin(&self) -> Result<(Simulation, String)> {
        if ending(&self.mesh) == "waycrowd" {
            let name = self.mesh.display();
            if self.scenario.is_some() {
                bail!("{name} is a saved run, which has its scenario: leave the other out");
            }
            let bytes = fs::read(&self.mesh).with_context(|| format!("cannot read {name}"))?;
            return Simulation::from_bytes(bytes).map_err(|error| anyhow!("{name}: {error}"));
        }
        let Some(path) = &self.scenario else {
            bail!("a scenario is missing: `wayfare crowd {} SCENARIO.toml`", self.mesh.display())
        };
        let mut mesh = input::open_mesh(&self.mesh)?;
        let name = path.display();
        let bytes = read_bytes(path, MAX_SCENARIO)?;
        let text = String::from_utf8(bytes).map_err(|_| anyhow!("{name}: the file is not text"))?;
        let scenario = Scenario::parse(&text).map_err(|error| anyhow!("{name}: {error}"))?;
        if let Some(cut) = scenario.cut(&mesh).map_err(|error| anyhow!("{name}: {error}"))? {
            *mesh = cut;
        }
        need_clearance(&mut mesh)?;
        let simulation = Simulation::new(scenario, Arc::from(mesh));
        Ok((simulation.map_err(|error| anyhow!("{name}: {error}"))?, text))
    }

    /// Fails before the long work where something cannot be written.
    fn check_targets(&self) -> Result<Option<Format>> {
        let inputs: Vec<&Path> =
            [Some(&self.mesh), self.scenario.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        let targets = [&self.output, &self.trajectories, &self.density, &self.save].into_iter().flatten();
        let targets: Vec<&Path> = targets.map(PathBuf::as_path).collect();
        for path in &targets {
            check_target(path, &inputs)?;
        }
        check_apart(&targets)?;
        for path in [&self.trajectories, &self.density].into_iter().flatten() {
            if ending(path) != "svg" {
                bail!("{}: pictures are SVG, end the name in .svg", path.display());
            }
        }
        if let Some(path) = self.save.as_ref().filter(|path| ending(path) != "waycrowd") {
            bail!("{}: states are saved as .waycrowd", path.display());
        }
        let Some(path) = &self.output else { return Ok(None) };
        match ending(path).as_str() {
            "sqlite" => Ok(Some(Format::Sqlite)),
            "txt" => Ok(Some(Format::Text)),
            _ => bail!("{}: trajectories are written as .sqlite or .txt", path.display()),
        }
    }
}

/// How trajectories are written.
#[derive(Clone, Copy)]
enum Format {
    Sqlite,
    Text,
}

impl Format {
    /// Writes the storeys; the names of the files.
    fn write(self, path: &Path, trajectories: &Trajectories, mesh: &NavMesh) -> Result<Vec<String>> {
        let mut storeys: Vec<u32> = trajectories.storeys.keys().copied().collect();
        if storeys.is_empty() {
            storeys.push(0);
        }
        let mut names = Vec::new();
        for (k, &storey) in storeys.iter().enumerate() {
            let own = if k == 0 { path.to_owned() } else { storey_file(path, storey) };
            match self {
                Self::Text => output::write(&own, trajectories.to_text(storey).as_bytes())?,
                Self::Sqlite => write_sqlite(&own, trajectories, mesh, storey)?,
            }
            names.push(own.display().to_string());
        }
        Ok(names)
    }
}

/// Writes beside the target and renames, as all files are written.
fn write_sqlite(path: &Path, trajectories: &Trajectories, mesh: &NavMesh, storey: u32) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = folder.join(format!("{name}.{}.part", std::process::id()));
    let written = trajectories
        .write_sqlite(&part, mesh, storey)
        .map_err(anyhow::Error::from)
        .and_then(|()| Ok(fs::rename(&part, path)?));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&part);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn answer(summary: Summary, seconds: f64, outputs: Vec<String>, common: Common) -> Result<Answer> {
    let all_arrived = summary.stuck == 0 && summary.not_placed == 0;
    let us_per_agent_step = seconds * 1e6 / summary.agent_steps.max(1) as f64;
    if summary.not_placed > 0 {
        remark(
            common.quiet || common.json,
            &format!("note: no room for {}", count(summary.not_placed, "agent")),
        );
    }
    if common.json {
        print_json(&Ran {
            agents: summary.agents,
            arrived: summary.arrived,
            steps: summary.steps,
            simulated_seconds: summary.simulated_seconds,
            seconds,
            us_per_agent_step,
            flow: Named(summary.flow.iter().map(|(name, _, flow)| (name.clone(), *flow)).collect()),
            passages: Named(
                summary.flow.iter().map(|(name, passages, _)| (name.clone(), *passages)).collect(),
            ),
            density: Named(summary.density),
            exits: Named(summary.exits),
            agent_contacts_per_tick: summary.agent_contacts_per_tick,
            wall_contacts_per_tick: summary.wall_contacts_per_tick,
            max_overlap: summary.max_overlap,
            off_mesh: summary.off_mesh,
            stuck: summary.stuck,
            not_placed: summary.not_placed,
            outputs,
        })?;
    } else {
        let mut text = format!(
            "{}, {} arrived, {} stuck; {:.1} s in {} ({seconds:.2} s, {us_per_agent_step:.2} µs per agent and step)\n",
            count(summary.agents, "agent"),
            summary.arrived,
            summary.stuck,
            summary.simulated_seconds,
            count(summary.steps, "step"),
        );
        for (name, passages, flow) in &summary.flow {
            let flow = flow.map_or("too few for a flow".to_owned(), |flow| {
                format!("{flow:.2} persons per metre and second")
            });
            text += &format!("line {name}: {}, {flow}\n", count(*passages, "passage"));
        }
        for (name, density) in &summary.density {
            text += &format!("area {name}: {density:.2} persons per square metre\n");
        }
        text += &format!(
            "largest overlap {:.3} mm, off the mesh {}\n",
            summary.max_overlap * 1e3,
            summary.off_mesh
        );
        for name in &outputs {
            text += &format!("wrote {name}\n");
        }
        print(&text)?;
    }
    Ok(all_arrived.into())
}
