//! `wayfare explain M.way --from … --to … --radius R`: why there is no path, in words and as a picture.

use super::{
    Common,
    answer::Answer,
    input,
    ledge_args::LedgeArgs,
    limit_args::LimitArgs,
    output::{self, ending, print, say_notes},
    path::{Asked, Search, noted, open_for},
    prefer_args::PreferArgs,
    values::{distance, point},
    volume_path,
};
use anyhow::{Context as _, Result, bail};
use std::path::PathBuf;
use wayfare::{
    core::DVec3,
    view::{DrawConfig, Marks, draw_mesh},
};

/// Say why there is no path, where, and what would open it; or what the path is
#[derive(Debug, clap::Args)]
pub struct Explain {
    /// A navigation mesh (.way, .mesh) or free space (.wayvol)
    mesh: PathBuf,
    /// Where the path would start [m]; z is 0 where it is left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    from: DVec3,
    /// Where it would end [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    to: DVec3,
    /// Radius of the body [m]
    #[arg(long, value_name = "R", default_value = "0", value_parser = distance, allow_negative_numbers = true)]
    radius: f64,
    #[command(flatten)]
    ledge: LedgeArgs,
    /// How far from the ground start and goal may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true)]
    snap: f64,
    /// End standing on the floor straight below the goal, in free space (.wayvol)
    #[arg(long)]
    stand: bool,
    /// Write a picture of it
    #[arg(short, long, value_name = "X.svg")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Explain {
    pub fn run(self, common: Common) -> Result<Answer> {
        if let Some(target) = &self.output {
            if ending(target) != "svg" {
                bail!("pictures are SVG: end '{}' in .svg", target.display());
            }
            output::check_target(target, &[&self.mesh])?;
        }
        if let Some(mesh) = input::open_volume(&self.mesh)? {
            if self.output.is_some() {
                bail!("pictures of free space are drawn by `wayfare draw X.wayvol --at-height Z`");
            }
            let asked = volume_path::Asked { radius: self.radius, snap: self.snap, stand: self.stand };
            return volume_path::one(&mesh, [self.from, self.to], &asked, None, common);
        }
        if self.stand {
            bail!("--stand is for free space; on {} every path ends standing", self.mesh.display());
        }
        let mesh = open_for(&self.mesh, self.radius)?;
        let asked = Asked::of(&mesh, &self.limits, self.ledge, PreferArgs::default(), self.radius)?;
        let asked = Asked { snap: self.snap, ..asked };
        let blocks = self.limits.blocks(&mesh, &asked.locate_config())?;
        let notes = self.limits.notes(&mesh);
        say_notes(&notes, common);
        let found = noted(Search::new(&mesh).without(blocks).find(self.from, self.to, &asked), notes)
            .map_err(|no| no.explained());
        let (json, words, marks) = match &found {
            Ok(found) => {
                let marks = Marks { radius: self.radius, ..Marks::path(found.points.clone()) };
                (serde_json::to_string(found), format!("there is a path: {}", found.words()), marks)
            }
            Err(no) => {
                let marks = no.marks(self.from, self.to, self.radius);
                (serde_json::to_string(no), format!("no path: {}\n", no.words()), marks)
            }
        };
        if let Some(target) = &self.output {
            // The first clause: a caption is one short line.
            let caption = words.split([';', '\n']).next().map(str::to_owned);
            let svg = draw_mesh(&mesh, &marks, &DrawConfig { caption, ..DrawConfig::default() })?;
            output::write(target, svg.as_bytes())?;
        }
        if common.json {
            print(&(json.context("cannot write JSON")? + "\n"))?;
        } else {
            print(&words)?;
            if let Some(target) = &self.output {
                print(&format!("wrote {}\n", target.display()))?;
            }
        }
        Ok(found.is_ok().into())
    }
}
