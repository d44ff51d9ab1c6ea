//! `wayfare draw FILE -o X.svg`: a picture.

use super::{
    Common,
    answer::Answer,
    crowd_picture::draw_moment,
    input::{self, Product, bake_command, stem},
    ledge_args::LedgeArgs,
    limit_args::{CloseArgs, LimitArgs},
    link_path,
    make::{make_floors, make_plan},
    output::{self, ending, print, print_json, remark, say_notes},
    path::{Asked, Search, need_clearance},
    prefer_args::PreferArgs,
    progress,
    read_args::BakeArgs,
    settings::Settings,
    stages::{Picture, Stage, draw_cells, draw_contours, draw_floors, files, ground_area},
    summary::{count, rounded},
    values::{coordinate, distance, point},
    volume_path,
};
use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{
    bake::bake,
    core::DVec3,
    navmesh::NavMesh,
    view::{
        DrawConfig, Marks, SurfacePicture, Theme, draw_charts, draw_layout, draw_mesh, draw_plan, draw_volume,
    },
    volume::{FlyFinder, FlyScratch, VolumeMesh},
};

/// Draw a product as an SVG picture
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A scene is baked as by `wayfare bake` with the same options, and its mesh is drawn. With --stage the bake goes only that
far and is drawn layer by layer: X.svg for one layer, X-0.svg, X-1.svg and so on for several.")]
pub struct Draw {
    /// A navigation mesh (.way, .mesh), a floor plan (.wayplan), free space (.wayvol), a saved crowd (.waycrowd), a surface with
    /// charts (.waysurf), a plan file or a scene (a file or generated:NAME)
    file: PathBuf,
    /// Where to write the picture
    #[arg(short, long, value_name = "X.svg")]
    output: PathBuf,
    /// Draw this stage of a bake, one picture per layer
    #[arg(long, value_enum)]
    stage: Option<Stage>,
    /// Draw the charts of a surface (.waysurf) laid flat, side by side in one scale
    #[arg(long, conflicts_with_all = ["stage", "from"])]
    layout: bool,
    /// Draw the shortest path from here …
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "to")]
    from: Option<DVec3>,
    /// … to here
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "from")]
    to: Option<DVec3>,
    /// Radius of the body that walks it [m]
    #[arg(long, value_name = "R", default_value = "0", value_parser = distance, allow_negative_numbers = true, requires = "from")]
    radius: f64,
    #[command(flatten)]
    ledge: LedgeArgs,
    #[command(flatten)]
    prefer: PreferArgs,
    /// Move a start or goal at which the body does not fit to a place near it where it does
    #[arg(long, requires = "from")]
    snap_clear: bool,
    /// Where there is no path to the goal, draw that to the nearest place that can be reached
    #[arg(long, requires = "from")]
    partial: bool,
    /// How far from the ground the ends of the path may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true, requires = "from")]
    snap: f64,
    /// Walk and fly: the free space that the mesh is linked to; what is flown is dashed
    #[arg(long, value_name = "X.wayvol", requires = "from")]
    volume: Option<PathBuf>,
    /// A metre in the air costs as much as this many on the ground, with --volume
    #[arg(long, value_name = "F", default_value = "3", value_parser = distance, allow_negative_numbers = true, requires = "volume")]
    fly_cost: f64,
    /// Height of the slice through free space (.wayvol) [m] [default: the middle]
    #[arg(long, value_name = "Z", value_parser = coordinate, allow_negative_numbers = true)]
    at_height: Option<f64>,
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
    close: CloseArgs,
    #[command(flatten)]
    how: BakeArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Look {
    Auto,
    Light,
    Dark,
}

#[derive(Serialize)]
struct Drawn {
    /// The first picture.
    output: String,
    /// All of them.
    outputs: Vec<String>,
    bytes: usize,
    found: Option<bool>,
    notes: Vec<String>,
}

impl Draw {
    pub fn run(mut self, common: Common) -> Result<Answer> {
        if ending(&self.output) != "svg" {
            bail!("pictures are SVG: end '{}' in .svg", self.output.display());
        }
        let config = self.picture_config();
        config.check()?;
        output::check_target(&self.output, &[&self.file])?;
        let is_about_paths =
            (self.ledge, self.prefer) != Default::default() || self.close != CloseArgs::default();
        if self.from.is_none() && is_about_paths {
            bail!("what a body keeps away from and what is closed to it is for a path; give --from and --to");
        }
        // What a scene is baked for, a body on a finished mesh manages.
        let is_walked = self.from.is_some() && input::is_mesh(&self.file);
        let [step, max_gap] = if is_walked { self.how.take_body() } else { [None; 2] };
        let settings = self.how.settings(&self.output)?;
        let max_gap = max_gap.or(settings.max_gap);
        let limits = LimitArgs { close: std::mem::take(&mut self.close), step, max_gap };
        if self.stage == Some(Stage::Voxels) && !settings.has_coarse_voxels() {
            bail!(
                "--stage voxels needs --pipeline thesis and --layers many; fine columns have no coarse voxels"
            );
        }
        self.how.threads.set()?;
        let product = input::open(&self.file, &settings)?;
        settings.fit(&product, &self.file)?;
        let mut notes = Vec::new();
        let (pictures, found) = self.pictures(product, &settings, &limits, &config, common, &mut notes)?;
        say_notes(&notes, common);

        let files = files(&self.output, &pictures);
        for (file, picture) in files.iter().zip(&pictures) {
            output::write(file, picture.svg.as_bytes())?;
        }
        if common.json {
            let outputs: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            let output = outputs.first().cloned().unwrap_or_default();
            let bytes = pictures.iter().map(|picture| picture.svg.len()).sum();
            print_json(&Drawn { output, outputs, bytes, found, notes })?;
        } else {
            let line = |(file, picture): (&PathBuf, &Picture)| {
                format!("wrote {} ({} bytes)\n", file.display(), picture.svg.len())
            };
            print(&files.iter().zip(&pictures).map(line).collect::<String>())?;
        }
        Ok((found != Some(false)).into())
    }

    /// The pictures that were asked for, and whether there is a path where one was asked for.
    fn pictures(
        &self,
        product: Product,
        settings: &Settings,
        limits: &LimitArgs,
        config: &DrawConfig,
        common: Common,
        notes: &mut Vec<String>,
    ) -> Result<(Vec<Picture>, Option<bool>)> {
        let name = stem(&self.file);
        let title = (!self.no_caption).then_some(name.as_str());
        if self.layout && !matches!(product, Product::Surface(_)) {
            bail!(
                "--layout is for a surface with charts (.waysurf); {} is {}",
                self.file.display(),
                product.words()
            );
        }
        if self.volume.is_some() && !matches!(product, Product::Mesh(_)) {
            bail!(
                "--volume is for a mesh that is linked to it; {} is {}",
                self.file.display(),
                product.words()
            );
        }
        if let Product::Volume(mesh) = &product {
            return self.slice(mesh, config, common);
        }
        if let Product::Crowd(crowd) = &product {
            let svg = draw_moment(crowd, !self.no_caption, config)?;
            return Ok((vec![Picture { layer: 0, svg }], None));
        }
        if let Product::Surface(charted) = &product {
            let surface = charted.surface();
            let mut charts = vec![None; charted.mesh().triangles.len()];
            for face in surface.faces() {
                charts[surface.input_face(face)] = Some(charted.base().charts().chart(face) as u32);
            }
            let picture = SurfacePicture { size: self.width, ..SurfacePicture::default() };
            let svg = match self.layout {
                true => draw_layout(charted, self.width),
                false => draw_charts(charted.mesh(), &charts, &picture),
            };
            return Ok((vec![Picture { layer: 0, svg }], None));
        }
        if self.at_height.is_some() {
            bail!("--at-height is for free space (.wayvol); {} is {}", self.file.display(), product.words());
        }
        let is_scene = matches!(product, Product::Scene(_));
        let is_mesh_wanted = self.stage == Some(Stage::Cells) || self.stage.is_none() && is_scene;
        if !is_mesh_wanted && settings.is_about_cells() {
            bail!("there are no cells in this picture; `--stage cells` draws them");
        }
        let mesh = match product {
            Product::Mesh(_) if self.stage.is_some() => {
                bail!("--stage is for what is baked; {} is a finished mesh", self.file.display())
            }
            Product::Mesh(mesh) => mesh,
            _ if self.from.is_some() && !is_mesh_wanted => {
                bail!("paths need a navigation mesh; `{}` makes one", bake_command(&self.file))
            }
            product => {
                let context = progress::context(common.quiet);
                if let Some(stage @ (Stage::Voxels | Stage::Layers | Stage::Depth)) = self.stage {
                    let (_, found) = make_floors(product, &self.file, settings, &context)?;
                    notes.extend_from_slice(&found.notes);
                    return Ok((draw_floors(stage, &found, title, config)?, None));
                }
                let made = make_plan(product, &self.file, settings, false, &context)?;
                notes.extend(made.notes);
                let plan = made.plan;
                if !is_mesh_wanted {
                    if self.stage.is_some() {
                        return Ok((draw_contours(&plan, title, config)?, None));
                    }
                    let (vertices, area) = (count(plan.vertices.len(), "vertex"), rounded(plan.area(), 1));
                    let caption = self.caption(&format!("{vertices} · {area} m²"));
                    let config = DrawConfig { caption, ..config.clone() };
                    let svg = draw_plan(&plan, &Marks::default(), &config)?;
                    return Ok((vec![Picture { layer: 0, svg }], None));
                }
                let mesh = bake(&plan, &settings.bake_config()?, &context);
                Box::new(mesh.with_context(|| self.file.display().to_string())?)
            }
        };
        let mut mesh = mesh;
        if self.radius > 0.0 || self.prefer.prefer.is_some() {
            need_clearance(&mut mesh)?;
        }
        let (marks, found) = self.marks(&mesh, limits, common)?;
        if self.from.is_some() {
            notes.extend(limits.notes(&mesh));
        }
        if self.stage.is_some() {
            return Ok((draw_cells(&mesh, title, &marks, config)?, found));
        }
        let drawn = mesh.cells().filter(|&cell| self.storey.is_none_or(|storey| mesh.storey(cell) == storey));
        let (cells, area) =
            drawn.fold((0, 0.0), |(cells, area), cell| (cells + 1, area + ground_area(&mesh, cell)));
        let (cells, area) = (count(cells, "cell"), rounded(area, 1));
        let config =
            DrawConfig { caption: self.caption(&format!("{cells} · {area} m²")), ..config.clone() };
        Ok((vec![Picture { layer: 0, svg: draw_mesh(&mesh, &marks, &config)? }], found))
    }

    /// A slice through free space.
    fn slice(
        &self,
        mesh: &VolumeMesh,
        config: &DrawConfig,
        common: Common,
    ) -> Result<(Vec<Picture>, Option<bool>)> {
        let [low, high] = mesh.raw().bounds;
        let height = self.at_height.unwrap_or((low.z + high.z) / 2.0);
        if self.storey.is_some() {
            bail!("free space has no storeys; take --at-height instead of --storey");
        }
        if !(low.z..=high.z).contains(&height) {
            let [low, high] = [low.z, high.z].map(|z| rounded(z, 2));
            bail!(
                "there is nothing at --at-height {}: the free space reaches from {low} to {high}",
                rounded(height, 2)
            );
        }
        let words = format!("{} · slice at {} m", count(mesh.region_count(), "region"), rounded(height, 2));
        let config = DrawConfig { caption: self.caption(&words), ..config.clone() };
        let (marks, found) = match (self.from, self.to) {
            (Some(from), Some(to)) => {
                let asked = volume_path::Asked { radius: self.radius, snap: self.snap, stand: false };
                let flown =
                    volume_path::answer(&FlyFinder::new(mesh), [from, to], &asked, &mut FlyScratch::new());
                match flown {
                    Ok(path) => {
                        let points = path.points.into_iter().map(DVec3::from).collect();
                        (Marks { radius: self.radius, ..Marks::path(points) }, Some(true))
                    }
                    Err(missing) => {
                        remark(common.quiet, missing.words().trim_end());
                        (Marks { start: Some(from), goal: Some(to), ..Marks::default() }, Some(false))
                    }
                }
            }
            _ => (Marks::default(), None),
        };
        let svg = draw_volume(mesh, height, &marks, &config)?;
        Ok((vec![Picture { layer: 0, svg }], found))
    }

    /// The line below the picture.
    fn caption(&self, words: &str) -> Option<String> {
        let only = self.storey.map(|storey| format!(", storey {storey} alone")).unwrap_or_default();
        (!self.no_caption).then(|| format!("{}{only} · {words}", stem(&self.file)))
    }

    /// The path that was asked for, or its ends.
    fn marks(&self, mesh: &NavMesh, limits: &LimitArgs, common: Common) -> Result<(Marks, Option<bool>)> {
        let (Some(from), Some(to)) = (self.from, self.to) else { return Ok((Marks::default(), None)) };
        let asked = Asked::of(mesh, limits, self.ledge, self.prefer, self.radius)?;
        let (snap_clear, partial) = (self.snap_clear, self.partial);
        let asked = Asked { snap: self.snap, snap_clear, partial, ..asked };
        if let Some(volume) = &self.volume {
            link_path::check_options(self.prefer, self.snap_clear, self.partial, limits, self.fly_cost)?;
            let volume = link_path::open(volume)?;
            let (marks, why) = link_path::marks(mesh, &volume, [from, to], &asked, self.fly_cost)?;
            if let Some(why) = &why {
                remark(common.quiet, why.trim_end());
            }
            return Ok((marks, Some(why.is_none())));
        }
        let mut search = Search::new(mesh).without(limits.blocks(mesh, &asked.locate_config())?);
        Ok(match search.find(from, to, &asked) {
            Ok(path) => {
                if let Some(part) = path.part_words() {
                    remark(common.quiet, &part);
                }
                let shortest = Asked { prefer: None, ..asked };
                let compared = asked.prefer.and_then(|_| search.find(from, to, &shortest).ok());
                let compared = compared.map_or_else(Vec::new, |path| path.points);
                (Marks { radius: self.radius, compared, ..Marks::path(path.points) }, Some(true))
            }
            Err(no) => {
                let no = no.explained();
                remark(common.quiet, &format!("no path: {}", no.words()));
                (no.marks(from, to, self.radius), Some(false))
            }
        })
    }

    fn picture_config(&self) -> DrawConfig {
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
