//! `wayfare link A.way B.wayvol -o C.way`: writes into a copy of a navmesh where a body leaves the ground for the air.

use super::{
    Common,
    answer::Answer,
    input,
    output::{self, ending, print, print_json, say_notes},
    summary::{coordinate, count},
};
use anyhow::{Result, anyhow, bail};
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{
    core::DVec3,
    geom::bvh::Aabb3,
    navmesh::{HandOvers, NavMesh},
    volume::{VolumeMesh, hand_overs},
};

/// Join a navigation mesh and free space: where a body may change between walking and flying
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  wayfare bake station.glb -o station.way
  wayfare volume station.glb -o station.wayvol
  wayfare link station.way station.wayvol -o linked.way
  wayfare path linked.way --volume station.wayvol --from 1,2,0 --to 8,3,6")]
pub struct Link {
    /// A navigation mesh (.way, .mesh)
    mesh: PathBuf,
    /// The free space of the same scene
    #[arg(value_name = "X.wayvol")]
    volume: PathBuf,
    /// Where to write
    #[arg(short, long, value_name = "X.way")]
    output: PathBuf,
}

/// What `link --json` prints.
#[derive(Serialize)]
struct Report {
    /// Places where a body may change between walking and flying.
    places: usize,
    /// Cells and regions that have one.
    cells: usize,
    regions: usize,
    notes: Vec<String>,
}

/// A note if the two are not even near each other, as of one scene they would be.
fn apart(mesh: &NavMesh, volume: &VolumeMesh) -> Option<String> {
    let ground = Aabb3::of_points(mesh.raw().vertices.iter().copied());
    let [min, max] = volume.raw().bounds;
    let words = |low: DVec3, high: DVec3| {
        let [low, high] = [low, high].map(|p| p.to_array().map(coordinate).join(", "));
        format!("from ({low}) to ({high})")
    };
    (!ground.meets(&Aabb3 { min, max })).then(|| {
        format!(
            "the mesh lies {}, the free space {}: they are not of one scene, or one was made with another --up or --scale",
            words(ground.min, ground.max),
            words(min, max)
        )
    })
}

/// A note if no place joins the two although they are near each other.
fn unjoined(all: &HandOvers, volume: &VolumeMesh) -> Option<String> {
    let has_floor = volume.regions().any(|region| volume.standing(region) > 0.0);
    let why = if has_floor {
        "no cell of the mesh lies on a floor of the free space: they are not of one scene, or one was made with another --up or --scale"
    } else {
        "the free space has no floor to stand on; give `wayfare volume` other --bounds, or a larger --slope"
    };
    all.places.is_empty().then(|| format!("no place joins the two: {why}"))
}

impl Link {
    pub fn run(self, common: Common) -> Result<Answer> {
        if ending(&self.output) != "way" {
            bail!("cannot tell what to write from '{}'; end it in .way", self.output.display());
        }
        output::check_target(&self.output, &[&self.mesh, &self.volume])?;
        let mut mesh = input::open_mesh(&self.mesh)?;
        let volume = input::open_volume(&self.volume)?.ok_or_else(|| {
            anyhow!("{} is not free space; make it by `wayfare volume`", self.volume.display())
        })?;
        let all = hand_overs(&mesh, &volume);
        let different = |mut numbers: Vec<u32>| {
            numbers.sort_unstable();
            numbers.dedup();
            numbers.len()
        };
        let report = Report {
            places: all.places.len(),
            cells: different(all.places.iter().map(|place| place.cell.0).collect()),
            regions: different(all.places.iter().map(|place| place.region).collect()),
            notes: apart(&mesh, &volume).or_else(|| unjoined(&all, &volume)).into_iter().collect(),
        };
        say_notes(&report.notes, common);
        mesh.set_hand_overs(Some(all)).map_err(|what| anyhow!(what))?;
        output::write(&self.output, &mesh.to_bytes())?;
        if common.json {
            print_json(&report)?;
        } else {
            print(&format!(
                "wrote {}: {} to take off and land, on {}, under {}\n",
                self.output.display(),
                count(report.places, "place"),
                count(report.cells, "cell"),
                count(report.regions, "region"),
            ))?;
        }
        Ok((report.places > 0).into())
    }
}
