//! `wayfare path M.way --from … --to …`: a shortest path, or why there is none.

use super::{
    Common,
    answer::Answer,
    input,
    output::{self, ending, print},
    queries,
    read_args::Threads,
    summary::{coordinate, count, length},
    values::{distance, point},
};
use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use std::{
    fmt::Write as _,
    path::{Path as FilePath, PathBuf},
    time::Instant,
};
use wayfare::{
    core::{DVec3, MAX_COORDINATE},
    navmesh::{self, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch},
};

/// Find a shortest path on a mesh, or many at once
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A query file has a row fromx,fromy,fromz,tox,toy,toz or fromx,fromy,tox,toy per query; a header is allowed. The
answer is CSV with the header found,length,micros.")]
pub struct Path {
    /// A navigation mesh (.way, .mesh)
    mesh: PathBuf,
    /// Where the path starts [m]; z is 0 where it is left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "to")]
    from: Option<DVec3>,
    /// Where it ends [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "from")]
    to: Option<DVec3>,
    /// Radius of the body [m]
    #[arg(long, value_name = "R", default_value = "0", value_parser = distance, allow_negative_numbers = true)]
    radius: f64,
    /// How far from the ground start and goal may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true)]
    snap: f64,
    /// Answer every row of a CSV file instead
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["from", "to"])]
    queries: Option<PathBuf>,
    /// Write the answer to a file: one path to .json, many to .csv or .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Threads that answer rows; more than one makes each `micros` less sure [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Path {
    pub fn run(self, common: Common) -> Result<Answer> {
        if self.radius > 0.0 {
            bail!("this mesh has no clearance data; radius 0 only");
        }
        if let Some(target) = &self.output {
            let endings: &[&str] = if self.queries.is_some() { &["csv", "json"] } else { &["json"] };
            if !endings.contains(&ending(target).as_str()) {
                bail!(
                    "cannot tell what to write from '{}'; end it in .{}",
                    target.display(),
                    endings.join(" or .")
                );
            }
            let inputs: Vec<&FilePath> = [Some(&self.mesh), self.queries.as_ref()]
                .into_iter()
                .flatten()
                .map(PathBuf::as_path)
                .collect();
            output::check_target(target, &inputs)?;
        }
        if let Some(file) = &self.queries {
            let rows = queries::read(file)?;
            let mesh = input::open_mesh(&self.mesh)?;
            Threads { threads: Some(self.threads.unwrap_or(1)) }.set()?;
            return queries::answer(&mesh, &rows, self.snap, self.output.as_deref(), common);
        }
        let (Some(from), Some(to)) = (self.from, self.to) else {
            bail!("nothing to look for; give --from X,Y,Z --to X,Y,Z or --queries FILE.csv");
        };
        // `requires` of the parser would not see this: --queries excludes --from.
        if self.threads.is_some() {
            bail!("--threads is for the rows of --queries; one path is found by one thread");
        }
        let mesh = input::open_mesh(&self.mesh)?;
        let found = Search::new(&mesh).find(from, to, self.snap);
        let json = match &found {
            Ok(found) => serde_json::to_string(found),
            Err(no) => serde_json::to_string(no),
        };
        let json = json.context("cannot write JSON")? + "\n";
        if let Some(target) = &self.output {
            output::write(target, json.as_bytes())?;
        }
        if common.json {
            print(&json)?;
        } else {
            print(&match &found {
                Ok(found) => found.words(),
                Err(no) => format!("no path: {}\n", no.words()),
            })?;
            if let Some(target) = &self.output {
                print(&format!("wrote {} ({} bytes)\n", target.display(), json.len()))?;
            }
        }
        Ok(found.is_ok().into())
    }
}

/// Searches on one mesh with one scratch memory.
pub struct Search<'a> {
    finder: PathFinder<&'a NavMesh>,
    scratch: PathScratch,
}

impl<'a> Search<'a> {
    pub fn new(mesh: &'a NavMesh) -> Self {
        Self { finder: PathFinder::new(mesh), scratch: PathScratch::new() }
    }

    /// One path, timed on warm memory.
    pub fn find(&mut self, from: DVec3, to: DVec3, snap: f64) -> Result<Found, Box<Missing>> {
        let options = LocateConfig { snap, ..LocateConfig::default() };
        // The first query of a process pays for growing the scratch memory; what is reported is what every
        // further query costs.
        if let Err(no) = self.finder.find(from, to, &options, &mut self.scratch) {
            return Err(Box::new(Missing::of(self.finder.mesh(), &no, to, snap)));
        }
        let begin = Instant::now();
        let path = self.finder.find(from, to, &options, &mut self.scratch);
        let micros = begin.elapsed().as_secs_f64() * 1e6;
        path.map(|path| Found::of(path, micros))
            .map_err(|no| Box::new(Missing::of(self.finder.mesh(), &no, to, snap)))
    }
}

/// The keys of `path --json` when there is a path.
#[derive(Serialize)]
pub struct Found {
    pub found: bool,
    pub length: f64,
    pub plan_length: f64,
    #[serde(serialize_with = "triples")]
    pub points: Vec<DVec3>,
    segments: Vec<Segment>,
    pub cell_ids: Vec<u32>,
    radius: f64,
    /// The mesh holds no clearance yet.
    clearance: Option<f64>,
    pub expanded: u32,
    pub micros: f64,
    snapped: Snapped,
}

fn triples<S: serde::Serializer>(points: &[DVec3], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(points.iter().map(|p| p.to_array()))
}

#[derive(Serialize)]
struct Segment {
    kind: &'static str,
    from: [f64; 3],
    to: [f64; 3],
}

/// How far the two ends were moved onto the mesh [m].
#[derive(Serialize)]
struct Snapped {
    start: f64,
    goal: f64,
}

impl Found {
    fn of(path: navmesh::Path, micros: f64) -> Self {
        let segment =
            |pair: &[DVec3]| Segment { kind: "line", from: pair[0].to_array(), to: pair[1].to_array() };
        Self {
            found: true,
            length: path.length,
            plan_length: path.plan_length,
            segments: path.points.windows(2).map(segment).collect(),
            points: path.points,
            cell_ids: path.cells.iter().map(|cell| cell.0).collect(),
            radius: 0.0,
            clearance: None,
            expanded: path.expanded,
            micros,
            snapped: Snapped { start: path.snapped[0], goal: path.snapped[1] },
        }
    }

    /// The points at which it turns seen from above, and its ends: on stairs there are many more.
    pub fn turns(&self) -> Vec<DVec3> {
        /// Points between two turns were put on the line by rounding, which is far less; nobody sees more [m].
        const STRAIGHT: f64 = 1e-6;
        let mut turns: Vec<DVec3> = self.points.first().copied().into_iter().collect();
        for pair in self.points.windows(2).skip(1) {
            let (last, at, next) = (turns[turns.len() - 1], pair[0], pair[1]);
            let (there, on) = ((at - last).truncate(), (next - last).truncate());
            if there.perp_dot(on).abs() > STRAIGHT * on.length() {
                turns.push(at);
            }
        }
        turns.extend(self.points.last().filter(|_| self.points.len() > 1));
        turns
    }

    fn words(&self) -> String {
        let turns = self.turns();
        let mut out = format!(
            "length {} m, {}, through {}; {:.1} µs\n",
            length(self.length),
            count(turns.len().saturating_sub(2), "turn"),
            count(self.cell_ids.len(), "cell"),
            self.micros
        );
        for (end, moved) in [("start", self.snapped.start), ("goal", self.snapped.goal)] {
            if moved > 0.0 {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "the {end} was moved {} m onto the ground", length(moved));
            }
        }
        for p in turns {
            let _ = writeln!(out, "  {}", p.to_array().map(coordinate).join(", "));
        }
        out
    }
}

/// What to try when two places are not joined.
const SHOWN: &str = "; `wayfare draw` shows what lies between them";

/// The keys of `path --json` when there is none.
#[derive(Serialize)]
pub struct Missing {
    found: bool,
    length: Option<f64>,
    reason: &'static str,
    at: [f64; 3],
    needed: Option<f64>,
    available: Option<f64>,
    hint: String,
    #[serde(skip)]
    sentence: String,
}

impl Missing {
    fn of(mesh: &NavMesh, no: &NoPath, to: DVec3, snap: f64) -> Self {
        let sentence = no.to_string();
        let missing = |reason, at: DVec3, needed, available, hint| Self {
            found: false,
            length: None,
            reason,
            at: at.to_array(),
            needed,
            available,
            hint,
            sentence,
        };
        match *no {
            NoPath::OffMesh { which, at } => {
                // How far the ground really is.
                let anywhere = LocateConfig { snap: 4.0 * MAX_COORDINATE, ..LocateConfig::default() };
                let needed = mesh.locate(at, &anywhere).map(|location| location.distance);
                let hint = match needed {
                    Some(far) => format!(
                        "the {which} is {far:.3} m from the nearest ground; move it, or allow more with --snap"
                    ),
                    None => format!("there is no ground near the {which}"),
                };
                missing("off-mesh", at, needed, Some(snap), hint)
            }
            NoPath::Unreachable { .. } => {
                let hint = format!("no walkable ground joins the two places{SHOWN}");
                missing("unreachable", to, None, None, hint)
            }
            _ => missing("unknown", to, None, None, String::new()),
        }
    }

    /// The reason and what to try.
    pub fn words(&self) -> String {
        format!("{}; {}", self.sentence, self.hint)
    }

    /// The same where a picture is being made already.
    pub fn words_beside_a_picture(&self) -> String {
        format!("{}; {}", self.sentence, self.hint.trim_end_matches(SHOWN))
    }
}
