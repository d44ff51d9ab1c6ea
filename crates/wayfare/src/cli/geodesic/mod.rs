//! `wayfare geodesic MESH --source V -o d.ply`: distances and paths along a surface.

mod output;
mod point;
mod report;
mod solve;

use super::{
    Common,
    answer::Answer,
    bake::peak_memory_mb,
    output::{check_target, ending, print, print_json, remark},
    progress,
    segment::ChartArgs,
    summary::{repair_words, repairs},
    values::distance,
};
use anyhow::{Result, bail};
use output::Output;
use point::PointArg;
use report::{Error, Report, TargetReport};
pub use solve::has_charts;
use solve::{Ground, Wanted};
use std::path::PathBuf;
use wayfare::surface::{BaseMesh, Method, SurfacePoint};

/// Measure distances and find shortest paths along a surface
///
/// The surface is used as the file has it, neither turned nor scaled nor welded: vertex 1234 is the file's. Where no source
/// reaches, the distance is infinite (`inf`). Exit code 1 where a target cannot be reached.
#[derive(Debug, clap::Args)]
pub struct Geodesic {
    /// A surface: OBJ, PLY, OFF, STL, glTF or GLB, also gzipped; or one with charts (.waysurf), as `wayfare segment` makes it
    mesh: PathBuf,
    /// Where distances start: a vertex, or a point of a face as FACE:A,B,C with the weights of its corners; may be given
    /// several times: the nearest counts
    #[arg(long, value_name = "V", required = true, value_parser = point::parse, allow_negative_numbers = true)]
    source: Vec<PointArg>,
    /// Where a path leads to: a vertex, or a point of a face; may be given several times. Without --output and --compare
    /// the work ends when all are reached
    #[arg(long, value_name = "V", value_parser = point::parse, allow_negative_numbers = true)]
    target: Vec<PointArg>,
    /// How distances are found [default: exact; base for a .waysurf]
    #[arg(long, value_enum, value_name = "METHOD")]
    method: Option<MethodArg>,
    /// No farther than this, in units of the file; what lies beyond is infinite
    #[arg(long, value_name = "R", value_parser = distance, allow_negative_numbers = true)]
    radius: Option<f64>,
    /// Compare with another method: errors relative to the farthest distance, and to each distance
    #[arg(long, value_enum, value_name = "METHOD")]
    compare: Option<MethodArg>,
    /// Write the distance of every vertex: .ply (vertex property `distance`), .csv (vertex,distance), .npy; or a picture: .svg; or a
    /// page to look at it from all sides: .html
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// From where the picture is seen: a direction towards the eye
    #[arg(long, value_name = "X,Y,Z", value_parser = super::values::triple, allow_hyphen_values = true)]
    eye: Option<[f64; 3]>,
    /// How the two lengths of an edge between charts are made one, for --method base [default: averaged]
    #[arg(long, value_enum, value_name = "HOW")]
    borders: Option<Borders>,
    #[command(flatten)]
    charts: ChartArgs,
}

/// What is done with edges that two charts have in different lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Borders {
    /// Their mean: the base mesh is an ordinary surface, and distances do not jump
    #[default]
    Averaged,
    /// Windows are scaled as they cross, as the thesis has it: errs several times as much
    Scaled,
}

/// How distances are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum MethodArg {
    /// By windows, right to rounding
    Exact,
    /// One virtual source per half-edge: near exact, many times as fast
    Gsp,
    /// The front crosses each face as a straight line: errs by about a percent
    FastMarching,
    /// Along the edges: up to 30 % too long
    Dijkstra,
    /// By windows on the flat base mesh of a .waysurf, or of charts made on the spot: a hundred times as fast, errs by tenths of a
    /// percent
    Base,
}

impl MethodArg {
    fn method(self) -> Method {
        match self {
            Self::Exact | Self::Base => Method::Exact,
            Self::Gsp => Method::VirtualSources,
            Self::FastMarching => Method::FastMarching,
            Self::Dijkstra => Method::Dijkstra,
        }
    }
    fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Gsp => "gsp",
            Self::FastMarching => "fast-marching",
            Self::Dijkstra => "dijkstra",
            Self::Base => "base",
        }
    }
}

impl Geodesic {
    pub fn run(self, common: Common) -> Result<Answer> {
        let output = match &self.output {
            Some(path) => {
                check_target(path, &[&self.mesh])?;
                Some((Output::of(&ending(path))?, path))
            }
            None => None,
        };
        if self.mesh.is_dir() {
            bail!("cannot read {}: it is a folder", self.mesh.display());
        }
        let (clock, context) = progress::start(common.quiet);
        let mut ground = Ground::read(&self.mesh, &clock)?;
        let method =
            self.method.unwrap_or(if ground.base.is_some() { MethodArg::Base } else { MethodArg::Exact });
        let needs_base = [Some(method), self.compare].contains(&Some(MethodArg::Base));
        if ground.base.is_some() && self.charts.are_given() {
            bail!(
                "{} has its charts already; leave out --max-distortion, --charts and --simplify",
                self.mesh.display()
            );
        }
        if !needs_base && (self.charts.are_given() || self.borders.is_some()) {
            bail!("charts and their borders are for --method base");
        }
        if needs_base && ground.base.is_none() {
            let config = self.charts.config();
            config.check()?;
            let build = || BaseMesh::build(&ground.mesh, &ground.surface, &config, &context);
            ground.base = Some(clock.time("prepare", build)?);
        }
        let surface = &ground.surface;
        let points = |given: &[PointArg]| -> Result<Vec<Vec<SurfacePoint>>> {
            given.iter().map(|point| point.on(surface)).collect()
        };
        let (sources, targets) = (points(&self.source)?.concat(), points(&self.target)?);
        let wanted = Wanted {
            sources: &sources,
            targets: targets.concat(),
            radius: self.radius.unwrap_or(f64::INFINITY),
            borders: self.borders.unwrap_or_default(),
            only_targets: !targets.is_empty() && self.output.is_none() && self.compare.is_none(),
        };
        let found = ground.solve(method, &wanted, "solve", &clock, &context)?;
        let distances = &found.distances;
        let error = match self.compare {
            Some(other) => {
                let expected = ground.solve(other, &wanted, "compare", &clock, &context)?;
                Some(Error::between(distances, &expected.distances))
            }
            None => None,
        };
        let mut reports = Vec::new();
        let mut first = 0;
        for (given, copies) in self.target.iter().zip(&targets) {
            let ways = &found.targets[first..first + copies.len()];
            reports.push(TargetReport::of(given, ways, surface, &ground.mesh));
            first += copies.len();
        }
        if let Some((output, path)) = output {
            output.write(path, &ground, distances, &reports, self.eye)?;
        }
        let mut report = Report::of(surface, &found.work, distances, method.name(), clock.seconds());
        report.peak_memory_mb = peak_memory_mb();
        report.repair = repairs(&ground.repair);
        report.base_faces =
            needs_base.then(|| ground.base.as_ref().map(|base| base.surface().face_count())).flatten();
        report.error = error;
        report.targets = reports;
        let all_reached = report.targets.iter().all(|target| target.found);
        if common.json {
            print_json(&report)?;
        } else {
            remark(common.quiet, &repair_words(&report.repair));
            let wrote = self.output.as_ref().map(|path| format!("wrote {}\n", path.display()));
            print(&format!("{}{}", wrote.unwrap_or_default(), report.words()))?;
        }
        Ok(all_reached.into())
    }
}
