//! Crowds in files: saved states (`.waycrowd`) and trajectories, for `info`, `export` and `view`.

use super::{
    output::ending,
    summary::{count, rounded},
};
use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use wayfare::{
    core::DVec3,
    crowd::{Crowd, scenario::Trajectories},
    navmesh::NavMesh,
    view::{Show, ShownCrowd},
};

/// Most frames that are shown: an hour at 25 frames per second.
const MOST_FRAMES: u64 = 100_000;
/// Of bodies whose radius is not told [m].
const USUAL_RADIUS: f64 = 0.2;

/// What `info --json` prints of a saved crowd.
#[derive(Serialize)]
pub struct CrowdSummary {
    kind: &'static str,
    agents: usize,
    simulated_seconds: f64,
    smallest_radius: Option<f64>,
    largest_radius: Option<f64>,
    mean_speed: Option<f64>,
    groups: usize,
    without_way: usize,
    cells: usize,
    storeys: usize,
}

impl CrowdSummary {
    pub fn of(crowd: &Crowd) -> Self {
        let radii = || crowd.agents().map(|agent| agent.radius);
        let agents = crowd.len();
        let speeds: f64 = crowd.agents().map(|agent| agent.velocity.length()).sum();
        let facts = crowd.mesh().facts();
        Self {
            kind: "crowd",
            agents,
            simulated_seconds: crowd.time(),
            smallest_radius: radii().reduce(f64::min),
            largest_radius: radii().reduce(f64::max),
            mean_speed: (agents > 0).then(|| speeds / agents as f64),
            groups: crowd.groups().len(),
            without_way: crowd.agents().filter(|agent| !agent.has_way).count(),
            cells: facts.cells,
            storeys: facts.storeys,
        }
    }

    pub fn words(&self) -> String {
        let mut words = format!(
            "crowd: {} after {} s on {}\n",
            count(self.agents, "agent"),
            rounded(self.simulated_seconds, 2),
            count(self.cells, "cell")
        );
        if let (Some(low), Some(high), Some(speed)) =
            (self.smallest_radius, self.largest_radius, self.mean_speed)
        {
            words += &format!(
                "radii {} to {} m, mean speed {} m/s, {}, {} without a way\n",
                rounded(low, 3),
                rounded(high, 3),
                rounded(speed, 2),
                count(self.groups, "group"),
                self.without_way
            );
        }
        words
    }
}

/// What `export` writes of an agent.
#[derive(Serialize)]
struct ExportedAgent {
    id: u32,
    position: [f64; 3],
    velocity: [f64; 2],
    radius: f64,
    speed: f64,
    cell: u32,
    journey: u32,
    leg: usize,
    has_way: bool,
}

#[derive(Serialize)]
struct Exported {
    kind: &'static str,
    simulated_seconds: f64,
    agents: Vec<ExportedAgent>,
    groups: Vec<Vec<u32>>,
}

/// A saved crowd as JSON.
pub fn crowd_to_json(crowd: &Crowd) -> Result<String> {
    let agents = crowd.agents().map(|agent| ExportedAgent {
        id: agent.id.0,
        position: agent.at.to_array(),
        velocity: agent.velocity.to_array(),
        radius: agent.radius,
        speed: agent.speed,
        cell: agent.cell.0,
        journey: agent.journey.0,
        leg: agent.leg,
        has_way: agent.has_way,
    });
    let exported = Exported {
        kind: "crowd",
        simulated_seconds: crowd.time(),
        agents: agents.collect(),
        groups: crowd.groups().to_vec(),
    };
    Ok(serde_json::to_string_pretty(&exported)? + "\n")
}

/// A crowd that the viewer plays.
#[derive(Debug)]
pub struct Played {
    frame_rate: f64,
    frames: Vec<Vec<(u32, DVec3)>>,
    radii: Vec<f64>,
}

impl Played {
    /// A saved crowd: one moment.
    pub fn of(crowd: &Crowd) -> Self {
        let frame = crowd.agents().zip(0..).map(|(agent, k)| (k, agent.at)).collect();
        let radii = crowd.agents().map(|agent| agent.radius).collect();
        Self { frame_rate: 1.0, frames: vec![frame], radii }
    }

    /// Trajectories of a run on a mesh, of all of its storeys, or a saved crowd.
    pub fn read(path: &Path, mesh: &NavMesh) -> Result<Self> {
        let mut trajectories = Trajectories::default();
        let name = || path.display().to_string();
        match ending(path).as_str() {
            "waycrowd" => {
                let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
                return Ok(Self::of(&Crowd::from_bytes_with_mesh(bytes).with_context(name)?));
            }
            "sqlite" => {
                for file in storey_files(path, mesh)? {
                    trajectories.add_sqlite(&file).with_context(|| file.display().to_string())?;
                }
            }
            "txt" => {
                for file in storey_files(path, mesh)? {
                    let text = fs::read_to_string(&file)
                        .with_context(|| format!("cannot read {}", file.display()))?;
                    trajectories.add_text(&text).with_context(|| file.display().to_string())?;
                }
            }
            _ => bail!("{}: a crowd is a .sqlite, .txt or .waycrowd file", path.display()),
        }
        Self::of_run(&trajectories, mesh).with_context(name)
    }

    /// The trajectories of a run.
    pub fn of_run(trajectories: &Trajectories, mesh: &NavMesh) -> Result<Self> {
        let rows = || trajectories.storeys.values().flatten();
        let Some(first) = rows().map(|row| row.frame).min() else { bail!("nobody is in it") };
        let last = rows().map(|row| row.frame).max().unwrap_or(first);
        if last - first >= MOST_FRAMES {
            bail!("it has more than {MOST_FRAMES} frames");
        }
        let mut numbers: BTreeMap<u32, u32> = rows().map(|row| (row.id, 0)).collect();
        for (number, (_, slot)) in (0..).zip(&mut numbers) {
            *slot = number;
        }
        let mut frames = vec![Vec::new(); (last - first) as usize + 1];
        for (&storey, rows) in &trajectories.storeys {
            for row in rows {
                let [x, y, z] = row.at;
                let at = DVec3::new(x, y, z);
                // Planar files do not tell the height: the storey does.
                let here = mesh.cells_at(at.truncate(), f64::NEG_INFINITY..=f64::INFINITY);
                let height = here
                    .filter(|&cell| mesh.storey(cell) == storey)
                    .map(|cell| mesh.height(cell, at.truncate()))
                    .next();
                let at = DVec3 { z: if z.is_nan() { height.unwrap_or(0.0) } else { z }, ..at };
                frames[(row.frame - first) as usize].push((numbers[&row.id], at));
            }
        }
        for frame in &mut frames {
            frame.sort_by_key(|&(body, _)| body);
            frame.dedup_by_key(|(body, _)| *body);
        }
        let radius = |id: &u32| trajectories.radii.get(*id as usize).copied().unwrap_or(USUAL_RADIUS);
        Ok(Self { frame_rate: trajectories.frame_rate, frames, radii: numbers.keys().map(radius).collect() })
    }

    pub fn add_to(&self, show: &mut Show) {
        let Self { frame_rate, frames, radii } = self;
        show.add_crowd(&ShownCrowd { frame_rate: *frame_rate, frames, radii });
    }
}

/// The file of a storey other than the first.
pub fn storey_file(path: &Path, storey: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{storey}.{}", ending(path)))
}

/// A file, and those of the other storeys that lie beside it.
fn storey_files(path: &Path, mesh: &NavMesh) -> Result<Vec<PathBuf>> {
    if !path.is_file() {
        bail!("cannot read {}: there is no such file", path.display());
    }
    let storeys = mesh.cells().map(|cell| mesh.storey(cell)).max().unwrap_or(0);
    let others = (1..=storeys).map(|storey| storey_file(path, storey)).filter(|file| file.is_file());
    Ok([path.to_owned()].into_iter().chain(others).collect())
}
