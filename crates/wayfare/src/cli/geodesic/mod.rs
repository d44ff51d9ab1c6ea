//! `wayfare geodesic MESH --source V -o d.ply`: distances and paths along a surface.

mod each;
mod output;
mod point;
mod report;
mod solve;

use super::{
    Common,
    answer::Answer,
    bake::peak_memory_mb,
    output::{check_target, ending, print, print_json, remark},
    progress::{self, Clock},
    read_args::Threads,
    segment::ChartArgs,
    summary::{repair_words, repairs},
    values::distance,
};
use anyhow::{Result, bail};
use output::{Output, check_picture};
use point::PointArg;
use report::{Error, Report, TargetReport};
pub use solve::has_charts;
use solve::{Ground, Wanted};
use std::path::{Path, PathBuf};
use wayfare::{
    core::Context,
    surface::{BaseMesh, Method, SurfacePoint},
};

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
    #[arg(long, value_name = "V", required_unless_present = "sources", value_parser = point::parse, allow_negative_numbers = true)]
    source: Vec<PointArg>,
    /// A file with more sources, one per line
    #[arg(long, value_name = "FILE")]
    sources: Option<PathBuf>,
    /// Each source by itself, a row of distances for each (.npy, .csv), on all threads
    #[arg(long, conflicts_with_all = ["target", "histogram", "eye"])]
    each: bool,
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
    /// Draw how the differences to the method of --compare are spread, as a histogram
    #[arg(long, value_name = "X.svg", requires = "compare")]
    histogram: Option<PathBuf>,
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
    #[command(flatten)]
    threads: Threads,
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
    pub fn run(mut self, common: Common) -> Result<Answer> {
        self.threads.set()?;
        let form = match &self.output {
            Some(path) => {
                check_target(path, &self.inputs())?;
                let form = if self.each { each::check_form(path)? } else { Output::of(&ending(path))? };
                Some((form, path.clone()))
            }
            None => None,
        };
        if let Some(path) = &self.histogram {
            check_target(path, &self.inputs())?;
            check_picture(path)?;
            if self.output.as_ref() == Some(path) {
                bail!("{} cannot hold both the distances and the histogram", path.display());
            }
        }
        if self.mesh.is_dir() {
            bail!("cannot read {}: it is a folder", self.mesh.display());
        }
        if let Some(path) = &self.sources {
            self.source.extend(each::read_sources(path)?);
        }
        let (clock, context) = progress::start(common.quiet);
        let mut ground = Ground::read(&self.mesh, &clock)?;
        let method =
            self.method.unwrap_or(if ground.base.is_some() { MethodArg::Base } else { MethodArg::Exact });
        self.make_base(&mut ground, method, &clock, &context)?;
        if self.each {
            return self.run_each(&ground, method, form, &clock, &context, common);
        }
        let (sources, targets) =
            (self.points(&self.source, &ground)?.concat(), self.points(&self.target, &ground)?);
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
            reports.push(TargetReport::of(given, ways, &ground.surface, &ground.mesh));
            first += copies.len();
        }
        if let (Some(path), Some(error), Some(other)) = (&self.histogram, &error, self.compare) {
            output::write_histogram(path, error, [method.name(), other.name()])?;
        }
        if let Some((form, path)) = form {
            let differences = error.as_ref().map(|error| &error.differences[..]);
            form.write(&path, &ground, distances, differences, &reports, self.eye)?;
        }
        let mut report = Report::of(&ground.surface, &found.work, distances, method.name(), clock.seconds());
        report.error = error;
        report.targets = reports;
        self.say(report, &ground, method, common)
    }

    /// `--each`: a row of distances for each source.
    fn run_each(
        &self,
        ground: &Ground,
        method: MethodArg,
        form: Option<(Output, PathBuf)>,
        clock: &Clock,
        context: &Context,
        common: Common,
    ) -> Result<Answer> {
        if self.borders == Some(Borders::Scaled) {
            bail!("--each knows averaged borders alone");
        }
        let sources = self.points(&self.source, ground)?;
        let radius = self.radius.unwrap_or(f64::INFINITY);
        let (rows, work) = clock.time("solve", || ground.solve_each(method, &sources, radius, context))?;
        let error = match self.compare {
            Some(other) => {
                let (expected, _) =
                    clock.time("compare", || ground.solve_each(other, &sources, radius, context))?;
                Some(Error::between(&rows.concat(), &expected.concat()))
            }
            None => None,
        };
        if let Some((form, path)) = form {
            each::write_rows(form, &path, &self.source, &rows)?;
        }
        let mut report = Report::of(&ground.surface, &work, &rows.concat(), method.name(), clock.seconds());
        report.error = error;
        report.each = each::reports(&self.source, &rows);
        self.say(report, ground, method, common)
    }

    /// Makes charts, if a method needs them and the file has none.
    fn make_base(
        &self,
        ground: &mut Ground,
        method: MethodArg,
        clock: &Clock,
        context: &Context,
    ) -> Result<()> {
        let needs_base = self.needs_base(method);
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
            let build = || BaseMesh::build(&ground.mesh, &ground.surface, &config, context);
            ground.base = Some(clock.time("prepare", build)?);
        }
        Ok(())
    }

    /// Files that are read, and so are not to be written.
    fn inputs(&self) -> Vec<&Path> {
        [Some(&self.mesh), self.sources.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    fn needs_base(&self, method: MethodArg) -> bool {
        [Some(method), self.compare].contains(&Some(MethodArg::Base))
    }

    fn points(&self, given: &[PointArg], ground: &Ground) -> Result<Vec<Vec<SurfacePoint>>> {
        given.iter().map(|point| point.on(&ground.surface)).collect()
    }

    /// Prints the report.
    fn say(&self, mut report: Report, ground: &Ground, method: MethodArg, common: Common) -> Result<Answer> {
        report.peak_memory_mb = peak_memory_mb();
        report.repair = repairs(&ground.repair);
        let base = ground.base.as_ref().filter(|_| self.needs_base(method));
        report.base_faces = base.map(|base| base.surface().face_count());
        let all_reached = report.targets.iter().all(|target| target.found);
        if common.json {
            print_json(&report)?;
        } else {
            remark(common.quiet, &repair_words(&report.repair));
            let files = [&self.output, &self.histogram].into_iter().flatten();
            let wrote: String = files.map(|path| format!("wrote {}\n", path.display())).collect();
            print(&format!("{wrote}{}", report.words()))?;
        }
        Ok(all_reached.into())
    }
}
