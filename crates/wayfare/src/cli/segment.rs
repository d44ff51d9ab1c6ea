//! `wayfare segment MESH -o X.waysurf`: a surface in flat charts, and the small base mesh that they make.

use super::{
    Common,
    answer::Answer,
    bake::peak_memory_mb,
    output::{self, check_target, ending, print, print_json, remark},
    progress::{self, Seconds},
    summary::{RepairSummary, repair_words, repairs},
    surface_summary::SurfaceSummary,
};
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{
    scene::{SceneOptions, read_mesh},
    surface::{ChartedSurface, SegmentConfig},
};

/// Divide a surface into nearly flat charts and make the small base mesh that distances are found on fast
///
/// The surface is used as the file has it, neither turned nor scaled nor welded. A lower limit makes more charts, a larger base
/// mesh and smaller errors.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  wayfare segment bunny.ply -o bunny.waysurf
  wayfare geodesic bunny.waysurf --source 1234 -o distances.ply
  wayfare geodesic bunny.waysurf --source 1234 --compare exact --json")]
pub struct Segment {
    /// A surface: OBJ, PLY, OFF, STL, glTF or GLB, also gzipped
    mesh: PathBuf,
    /// Where to write
    #[arg(short, long, value_name = "X.waysurf")]
    output: PathBuf,
    #[command(flatten)]
    charts: ChartArgs,
}

/// How charts are made.
#[derive(Clone, Debug, clap::Args)]
pub struct ChartArgs {
    /// Largest mean stretch (L∞) of a chart, over 1 [default: 1.005]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    max_distortion: Option<f64>,
    /// Number of pieces to begin with, before those over the limit are divided and neighbours under it merged
    /// [default: by the number of faces]
    #[arg(long, value_name = "N")]
    charts: Option<usize>,
    /// How far borders of charts may be moved, as a factor on what fits the limit; 0 keeps all their vertices [default: 1]
    #[arg(long, value_name = "FACTOR", value_parser = super::values::factor, allow_negative_numbers = true)]
    simplify: Option<f64>,
}

impl ChartArgs {
    /// Whether any of them was given.
    pub fn are_given(&self) -> bool {
        self.max_distortion.is_some() || self.charts.is_some() || self.simplify.is_some()
    }
    /// With defaults for the others.
    pub fn config(&self) -> SegmentConfig {
        let default = SegmentConfig::default();
        SegmentConfig {
            max_distortion: self.max_distortion.unwrap_or(default.max_distortion),
            charts: self.charts,
            simplify: self.simplify.unwrap_or(default.simplify),
            ..default
        }
    }
}

/// What `segment --json` prints.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    summary: SurfaceSummary,
    seconds: Seconds,
    peak_memory_mb: Option<f64>,
    repair: Vec<RepairSummary>,
}

impl Segment {
    pub fn run(self, common: Common) -> Result<Answer> {
        if ending(&self.output) != "waysurf" {
            bail!("cannot tell what to write from '{}'; end it in .waysurf", self.output.display());
        }
        check_target(&self.output, &[&self.mesh])?;
        if self.mesh.is_dir() {
            bail!("cannot read {}: it is a folder", self.mesh.display());
        }
        let config = self.charts.config();
        config.check()?;
        let (clock, context) = progress::start(common.quiet);
        let read = clock.time("read", || read_mesh(&self.mesh, SceneOptions::default().max_bytes));
        let (mesh, mut repair) = read?;
        let (charted, more) = ChartedSurface::build(mesh, &config, &context)?;
        // Of faces without area the reader has counted those that are exactly so: the surface knows all.
        repair.repairs.retain(|known| more.count(known.kind) < known.count);
        repair.merge(more);
        if charted.surface().face_count() == 0 {
            bail!("{}: the file has no faces that can be used", self.mesh.display());
        }
        context.check()?;
        clock.time("write", || output::write(&self.output, &charted.to_bytes()))?;
        let report = Report {
            summary: SurfaceSummary::of(&charted),
            seconds: clock.seconds(),
            peak_memory_mb: peak_memory_mb(),
            repair: repairs(&repair),
        };
        if common.json {
            print_json(&report)?;
        } else {
            remark(common.quiet, &repair_words(&report.repair));
            print(&format!(
                "wrote {}\n{}{}\n",
                self.output.display(),
                report.summary.words(),
                report.seconds.words()
            ))?;
        }
        Ok(Answer::Yes)
    }
}
