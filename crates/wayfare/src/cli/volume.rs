//! `wayfare volume SCENE -o X.wayvol`: the open space of a scene becomes few convex regions.

use super::{
    Common,
    answer::Answer,
    bake::peak_memory_mb,
    input::{self, Product},
    output::{self, ending, print, print_json, say_notes},
    progress::{self, Seconds},
    read_args::{ReadArgs, Threads},
    settings::check_slope,
    summary::{RepairSummary, coordinate, repair_words, repairs},
    values::{cuboid, distance, point},
    volume_summary::VolumeSummary,
};
use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{
    core::{DVec3, RepairReport},
    geom::{TriangleMesh, bvh::Aabb3},
    volume::{GrowthConfig, VolumeConfig, VolumeReport, decompose_voxels, growth, partition},
};

/// Cut the open space of a scene into few convex regions, for bodies that fly
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  wayfare volume station.glb -o station.wayvol
  wayfare volume quake.obj -o quake.wayvol --up z --scale 0.0254 --reach-from 3,1,2
  wayfare volume Complex.3dmap.gz -o complex.wayvol

Free is what a body of the given radius reaches from --reach-from, or the largest part of the box. A MovingAI voxel map
becomes boxes, one voxel a metre wide unless --scale says otherwise; without --reach-from all that is free in it is kept.")]
pub struct Volume {
    /// A scene (.obj, .gltf, .glb, .stl, .ply, .off, generated:NAME) or a voxel map (.3dmap), each also .gz
    input: PathBuf,
    /// Where to write
    #[arg(short, long, value_name = "X.wayvol")]
    output: PathBuf,
    /// The box to be decomposed: lower and upper corner [m] [default: the scene's own]
    #[arg(long, value_name = "X,Y,Z,X,Y,Z", value_parser = cuboid, allow_hyphen_values = true)]
    bounds: Option<[DVec3; 2]>,
    /// A point of the free space [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    reach_from: Option<DVec3>,
    /// How regions are made
    #[arg(long, value_enum, default_value = "partition")]
    method: Method,
    /// Distance between the first seeds of --method growth [m]; at most 48 along a side [default: the body's diameter]
    #[arg(long, value_name = "M", value_parser = distance, allow_negative_numbers = true)]
    seed_size: Option<f64>,
    /// Seeds of --method growth do not fall to the floor: for water and space
    #[arg(long)]
    no_gravity: bool,
    /// Regions of --method growth are boxes along the axes
    #[arg(long)]
    boxes: bool,
    /// Radius of the smallest body [m]: free space is joined through openings as wide as the body
    #[arg(long, value_name = "R", default_value = "0.2", value_parser = distance, allow_negative_numbers = true)]
    radius: f64,
    /// The steepest floor that a body stands on [degrees]
    #[arg(long, value_name = "DEG", default_value = "45", allow_negative_numbers = true)]
    slope: f64,
    /// Share of the free volume that small regions may take with them when they are left out
    #[arg(long, value_name = "SHARE", default_value = "0.001", allow_negative_numbers = true)]
    prune: f64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    read: ReadArgs,
}

/// The names of the methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Method {
    /// Cut along the planes of the scene's own faces
    Partition,
    /// Grow regions from seeds until they touch something, as in the paper
    Growth,
}

/// What `volume --json` prints.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    summary: VolumeSummary,
    method: Method,
    /// Planes of the scene's faces.
    planes: usize,
    /// Cells of the partition, free or not.
    cells: usize,
    /// Parts of free cells that a body does not get between.
    parts: usize,
    /// Winding number of the free space, null where the scene is not closed enough to say.
    winding: Option<i32>,
    merged: usize,
    undecided_volume: f64,
    pruned_volume: f64,
    seconds: Seconds,
    peak_memory_mb: Option<f64>,
    repair: Vec<RepairSummary>,
    notes: Vec<String>,
}

impl Volume {
    pub fn run(self, common: Common) -> Result<Answer> {
        if ending(&self.output) != "wayvol" {
            bail!("cannot tell what to write from '{}'; end it in .wayvol", self.output.display());
        }
        let is_growth = self.method == Method::Growth;
        if !is_growth && (self.seed_size.is_some() || self.no_gravity || self.boxes) {
            bail!("--seed-size, --no-gravity and --boxes are for --method growth");
        }
        output::check_target(&self.output, &[&self.input])?;
        check_slope(self.slope)?;
        let settings = self.read.settings(false);
        settings.check()?;
        let config = VolumeConfig {
            radius: self.radius,
            bounds: self.bounds,
            reach_from: self.reach_from,
            prune: self.prune,
            max_slope: self.slope.to_radians(),
        };
        config.check()?;
        self.threads.set()?;
        let (clock, context) = progress::start(common.quiet);
        let product = clock.time("read", || input::open(&self.input, &settings))?;
        let name = || self.input.display().to_string();
        let ((mesh, report), repair, notes) = match product {
            Product::Scene(scene) => {
                let made = if is_growth {
                    let growing = GrowthConfig {
                        seed_size: self.seed_size,
                        gravity: !self.no_gravity,
                        boxes_only: self.boxes,
                        ..GrowthConfig::default()
                    };
                    growth(&scene, &config, &growing, &context)
                } else {
                    partition(&scene, &config, &context)
                };
                let made = made.with_context(name)?;
                let notes =
                    scene.notes.iter().cloned().chain(empty(&scene.mesh, made.0.raw().bounds)).collect();
                (made, scene.repair, notes)
            }
            Product::Voxels(map) => {
                if is_growth {
                    bail!("--method growth is for scenes; a voxel map is cut into boxes");
                }
                if self.bounds.is_some() {
                    bail!("--bounds is for scenes; a voxel map has its own box");
                }
                let scale = settings.scene_options().scale;
                let made = decompose_voxels(&map, scale, &config, &context).with_context(name)?;
                (made, RepairReport::default(), Vec::new())
            }
            other => bail!("{} is {}; free space is made of scenes and voxel maps", name(), other.words()),
        };
        context.check()?;
        clock.time("write", || output::write(&self.output, &mesh.to_bytes()))?;
        let summary = VolumeSummary::of(&mesh);
        let words = summary.words();
        let VolumeReport { planes, cells, parts, winding, merged, undecided_volume, pruned_volume } = report;
        let report = Report {
            summary,
            method: self.method,
            planes,
            cells,
            parts,
            winding,
            merged,
            undecided_volume,
            pruned_volume,
            seconds: clock.seconds(),
            peak_memory_mb: peak_memory_mb(),
            repair: repairs(&repair),
            notes,
        };
        say_notes(&report.notes, common);
        if common.json {
            print_json(&report)?;
            return Ok(Answer::Yes);
        }
        let side = match report.winding {
            Some(number) => format!("winding number {number}"),
            None => "the scene is too open for winding numbers".into(),
        };
        let memory = report.peak_memory_mb.map(|mb| format!("; peak memory {mb:.1} MB")).unwrap_or_default();
        print(&format!(
            "wrote {}\n{words}{} parts before flooding; {side}\n{}{}{memory}\n",
            self.output.display(),
            report.parts,
            repair_words(&report.repair),
            report.seconds.words(),
        ))?;
        Ok(Answer::Yes)
    }
}

/// A note if there is nothing of the scene in the box.
fn empty(mesh: &TriangleMesh, [min, max]: [DVec3; 2]) -> Option<String> {
    let area = Aabb3 { min, max };
    let is_empty = !mesh.all_points().any(|corners| Aabb3::of_points(corners).meets(&area));
    is_empty.then(|| {
        let [min, max] = [min, max].map(|p| p.to_array().map(coordinate).join(", "));
        format!("nothing of the scene lies in the box from ({min}) to ({max}): all of it is free space")
    })
}
