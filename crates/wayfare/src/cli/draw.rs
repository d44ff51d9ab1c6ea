//! `wayfare draw FILE -o X.svg`: a picture.

use super::{
    Common,
    answer::Answer,
    input::{Product, bake_command},
    output::{self, ending, print, print_json, remark, say_notes},
    path::Search,
    plan_args::PlanArgs,
    progress,
    summary::{count, rounded},
    values::{distance, point},
};
use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use serde::Serialize;
use std::path::{Path, PathBuf};
use wayfare::{
    core::DVec3,
    floor::build_plan,
    view::{DrawConfig, Marks, Theme, draw_mesh, draw_plan},
};

/// Draw a product as an SVG picture
#[derive(Debug, clap::Args)]
pub struct Draw {
    /// A navigation mesh (.way, .mesh), a floor plan (.wayplan) or a plan file
    file: PathBuf,
    /// Where to write the picture
    #[arg(short, long, value_name = "X.svg")]
    output: PathBuf,
    /// Draw the shortest path from here …
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "to")]
    from: Option<DVec3>,
    /// … to here
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "from")]
    to: Option<DVec3>,
    /// How far from the ground the ends of the path may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true, requires = "from")]
    snap: f64,
    /// Width of the picture [px]
    #[arg(long, value_name = "PX", default_value = "1200", allow_negative_numbers = true)]
    width: f64,
    /// Colours: light, dark, or what the viewer prefers
    #[arg(long, value_enum, default_value = "auto")]
    theme: Look,
    /// Draw this storey of a mesh, or this layer of a floor plan, alone
    #[arg(long, value_name = "N", visible_alias = "layer")]
    storey: Option<u32>,
    /// Write each cell's number into it
    #[arg(long)]
    labels: bool,
    /// Leave the cells uncoloured
    #[arg(long)]
    no_cells: bool,
    /// Leave out the portals
    #[arg(long)]
    no_portals: bool,
    /// Leave what cannot be walked on unpainted
    #[arg(long)]
    no_obstacles: bool,
    /// Do not mark ignored notches
    #[arg(long)]
    no_notches: bool,
    /// Leave out the scale bar
    #[arg(long)]
    no_scale: bool,
    /// Leave out the line with the counts
    #[arg(long)]
    no_caption: bool,
    #[command(flatten)]
    plan: PlanArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Look {
    Auto,
    Light,
    Dark,
}

#[derive(Serialize)]
struct Drawn {
    output: String,
    bytes: usize,
    found: Option<bool>,
}

/// The name of a file without its folder and its ending, also `.wkt.gz`.
fn stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

impl Draw {
    pub fn run(self, common: Common) -> Result<Answer> {
        if ending(&self.output) != "svg" {
            bail!("pictures are SVG: end '{}' in .svg", self.output.display());
        }
        let mut config = self.config();
        config.check()?;
        output::check_target(&self.output, &[&self.file])?;
        self.plan.prepare()?;
        let only = self.storey.map(|storey| format!(", storey {storey} alone")).unwrap_or_default();
        let name = stem(&self.file) + &only;
        let mut caption =
            |words: String| config.caption = (!self.no_caption).then(|| format!("{name} · {words}"));
        let mut found = None;
        let picture = match self.plan.open(&self.file)? {
            Product::Mesh(mesh) => {
                caption(format!("{} · {} m²", count(mesh.cell_count(), "cell"), rounded(mesh.area(), 1)));
                let mut marks = Marks { start: self.from, goal: self.to, ..Marks::default() };
                if let (Some(from), Some(to)) = (self.from, self.to) {
                    match Search::new(&mesh).find(from, to, self.snap) {
                        Ok(path) => marks = Marks::path(path.points),
                        Err(no) => remark(common.quiet, &format!("no path: {}", no.words_beside_a_picture())),
                    }
                    found = Some(!marks.path.is_empty());
                }
                draw_mesh(&mesh, &marks, &config)?
            }
            _ if self.from.is_some() => {
                bail!("paths need a navigation mesh; `{}` makes one", bake_command(&self.file))
            }
            Product::Plan(plan) => {
                caption(format!("{} · {} m²", count(plan.vertices.len(), "vertex"), rounded(plan.area(), 1)));
                draw_plan(&plan, &Marks::default(), &config)?
            }
            Product::Source(source) => {
                say_notes(&source.notes, common);
                let (plan, _) = build_plan(&source, &progress::context(common.quiet))
                    .with_context(|| self.file.display().to_string())?;
                caption(format!("{} · {} m²", count(plan.vertices.len(), "vertex"), rounded(plan.area(), 1)));
                draw_plan(&plan, &Marks::default(), &config)?
            }
        };
        output::write(&self.output, picture.as_bytes())?;
        let drawn = Drawn { output: self.output.display().to_string(), bytes: picture.len(), found };
        if common.json {
            print_json(&drawn)?;
        } else {
            print(&format!("wrote {} ({} bytes)\n", drawn.output, drawn.bytes))?;
        }
        Ok((found != Some(false)).into())
    }

    fn config(&self) -> DrawConfig {
        DrawConfig {
            width: self.width,
            cells: !self.no_cells,
            portals: !self.no_portals,
            obstacles: !self.no_obstacles,
            notches: !self.no_notches,
            storey: self.storey,
            labels: self.labels,
            scale_bar: !self.no_scale,
            caption: None,
            theme: match self.theme {
                Look::Auto => Theme::Auto,
                Look::Light => Theme::Light,
                Look::Dark => Theme::Dark,
            },
        }
    }
}
