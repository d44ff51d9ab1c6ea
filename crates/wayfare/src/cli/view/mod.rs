//! `wayfare view INPUT`: the interactive viewer in the browser, or one page that shows by itself.
//!
//! | file | idea |
//! |---|---|
//! | `world` | from the input to a mesh, and to the show that the page draws |
//! | `desk` | what the page may ask, and the answers |
//! | `baking` | one bake at a time, with progress, that can be cancelled |
//! | `stages` | stages of a bake that were saved |
//! | `settings_json` | settings of a bake as the page sees them |
//! | `browser` | opens a browser |

mod baking;
mod browser;
mod desk;
mod settings_json;
mod stages;
mod world;

use super::{
    Common,
    answer::Answer,
    geodesic::has_charts,
    input,
    output::{self, ending, print, print_json, remark, say_notes},
    path::{Asked, find},
    progress,
    read_args::BakeArgs,
    settings::Settings,
    surface_show::{StillDesk, show_charts},
    values::{distance, point},
    volume_show::{VolumeDesk, far_apart, first_flight, show_volume},
};
use anyhow::{Context as _, Result, bail};
use desk::MapDesk;
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use wayfare::{
    core::DVec3,
    navmesh::PathScratch,
    view::{NO_PAGE, page, page_with_show, server},
    volume::VolumeMesh,
};
use world::{Source, World};

pub use desk::{length, place};
pub use stages::{PLAN, SAVED, saved};
pub use world::{route_json, show_of};

/// Look at a scene, a plan or a mesh in the browser, drag a path over it, bake it anew; or write a page that shows it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The viewer runs on this machine only: it listens on 127.0.0.1, answers its own page and nobody else, and reads no other
files than those given here. Ctrl-C ends it.

A page written by --export needs neither server nor network. It shows, and plays the path of --from and --to; it does not
plan.")]
pub struct View {
    /// A navigation mesh (.way, .mesh), free space (.wayvol) or a saved crowd (.waycrowd), or a scene or plan to bake, as for `wayfare bake`
    input: PathBuf,
    /// The scene that a mesh was baked from, to be seen with it and baked again
    #[arg(long, value_name = "SCENE")]
    scene: Option<PathBuf>,
    /// The stages of its bake, a folder that `bake --save-stages` wrote
    #[arg(long, value_name = "FOLDER")]
    stages: Option<PathBuf>,
    /// A crowd to be played on a mesh: trajectories (.sqlite, .txt) or a saved crowd (.waycrowd)
    #[arg(long, value_name = "RUN")]
    crowd: Option<PathBuf>,
    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Only print the address, open no browser
    #[arg(long)]
    no_open: bool,
    /// Write one page that shows all of it by itself, and end
    #[arg(long, value_name = "X.html", conflicts_with_all = ["port", "no_open"])]
    export: Option<PathBuf>,
    /// Where a first path starts [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "to")]
    from: Option<DVec3>,
    /// Where it ends [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "from")]
    to: Option<DVec3>,
    /// Radius of its body [m] [default: 0]
    #[arg(long, value_name = "R", value_parser = distance, allow_negative_numbers = true, requires = "from")]
    radius: Option<f64>,
    #[command(flatten)]
    how: BakeArgs,
}

impl View {
    pub fn run(self, common: Common) -> Result<Answer> {
        if page().is_none() {
            bail!("{NO_PAGE}");
        }
        let mut inputs = vec![self.input.as_path()];
        inputs.extend(self.scene.as_deref());
        inputs.extend(self.crowd.as_deref());
        if let Some(target) = &self.export {
            if ending(target) != "html" {
                bail!("the page is HTML: end '{}' in .html", target.display());
            }
            output::check_target(target, &inputs)?;
        }
        if let Some(mesh) = input::open_volume(&self.input)? {
            return self.volume(*mesh, common);
        }
        if has_charts(&self.input) {
            return self.surface(common);
        }
        let settings = self.how.settings(self.export.as_deref().unwrap_or("page.html".as_ref()))?;
        self.how.threads.set()?;
        let source = Source {
            input: self.input.clone(),
            scene: self.scene.clone(),
            stages: self.stages.clone(),
            crowd: self.crowd.clone(),
        };
        let (_clock, context) = progress::start(common.quiet);
        let world = source.load(&settings, &context)?;
        say_notes(&world.notes, common);
        let routes = self.routes(&world, common.quiet);
        match &self.export {
            Some(target) => {
                let mut show = world.show(&source, &settings, false);
                show.set("routes", routes);
                let html = page_with_show(&show).context(NO_PAGE)?;
                written(target, &html, common)?;
            }
            None => self.serve(source, settings, world, routes, common)?,
        }
        Ok(Answer::Yes)
    }

    /// A surface with charts: to be looked at.
    fn surface(&self, common: Common) -> Result<Answer> {
        if self.scene.is_some() || self.stages.is_some() || self.crowd.is_some() || self.from.is_some() {
            bail!(
                "{} is a surface with charts: it has no scene, stages, crowd or paths",
                self.input.display()
            );
        }
        let input::Product::Surface(charted) = input::open(&self.input, &Settings::default())? else {
            bail!("{} is no surface with charts", self.input.display());
        };
        let mut show = show_charts(&input::stem(&self.input), &charted);
        match &self.export {
            Some(target) => {
                let html = page_with_show(&show).context(NO_PAGE)?;
                written(target, &html, common)?;
            }
            None => {
                show.set("live", true);
                self.listen(Arc::new(StillDesk(show.to_bytes().into())), common)?;
            }
        }
        Ok(Answer::Yes)
    }

    /// Free space, with the scene round it if that is named.
    fn volume(&self, mesh: VolumeMesh, common: Common) -> Result<Answer> {
        if self.stages.is_some() || self.crowd.is_some() {
            bail!("{} is free space: it has no stages and no crowd", self.input.display());
        }
        let settings = self.how.settings(self.export.as_deref().unwrap_or("page.html".as_ref()))?;
        let scene = match &self.scene {
            Some(path) => match input::open(path, &settings)? {
                input::Product::Scene(scene) => Some(*scene),
                other => bail!("--scene {} is {}, not a scene", path.display(), other.words()),
            },
            None if settings != Settings::default() => {
                bail!("{} is free space; how a scene is read needs its --scene", self.input.display())
            }
            None => None,
        };
        let name = self.input.file_name().unwrap_or(self.input.as_os_str()).to_string_lossy();
        let mut show = show_volume(&name, &mesh, scene.as_ref());
        let ends = self.from.zip(self.to).map(|(from, to)| [from, to]);
        let radius = self.radius.unwrap_or(0.0);
        match &self.export {
            Some(target) => {
                let routes: Vec<Value> =
                    ends.iter().map(|&ends| first_flight(&mesh, ends, radius, common.quiet)).collect();
                show.set("routes", routes);
                let html = page_with_show(&show).context(NO_PAGE)?;
                written(target, &html, common)?;
            }
            None => {
                let ends = ends.or_else(|| far_apart(&mesh));
                let routes: Vec<Value> =
                    ends.iter().map(|&ends| first_flight(&mesh, ends, radius, common.quiet)).collect();
                show.set("routes", routes);
                show.set("live", true);
                self.listen(Arc::new(VolumeDesk::new(mesh, &show)), common)?;
            }
        }
        Ok(Answer::Yes)
    }

    /// The path that was asked for at once.
    fn routes(&self, world: &World, quiet: bool) -> Value {
        let (Some(from), Some(to)) = (self.from, self.to) else { return json!([]) };
        let radius = self.radius.unwrap_or(0.0);
        let found = find(&world.finder, &mut PathScratch::new(), [from, to], &Asked::disc(radius));
        let answer = match found {
            Ok(found) => json!(found),
            Err(missing) => {
                remark(quiet, &format!("no path: {}", missing.words()));
                json!(missing)
            }
        };
        json!([route_json(from, to, radius, answer)])
    }

    fn serve(
        &self,
        source: Source,
        settings: Settings,
        world: World,
        routes: Value,
        common: Common,
    ) -> Result<()> {
        self.listen(Arc::new(MapDesk::new(source, settings, world, routes)), common)
    }

    fn listen(&self, desk: Arc<impl server::Desk>, common: Common) -> Result<()> {
        let listening = server::listen(self.port.unwrap_or(0)).with_context(|| match self.port {
            None => "cannot listen on 127.0.0.1".to_owned(),
            Some(port) => format!("cannot listen on port {port} of 127.0.0.1"),
        })?;
        let url = listening.url();
        if common.json {
            print_json(&json!({"url": url, "port": listening.address().port()}))?;
        } else {
            print(&format!("{url}\n"))?;
            remark(common.quiet, "Ctrl-C ends the viewer");
        }
        if !self.no_open && !browser::open(&url) {
            remark(common.quiet, "no browser could be opened; open the address yourself");
        }
        listening.serve(desk, &progress::cancel_flag());
        Ok(())
    }
}

/// Writes the page and says so.
fn written(target: &Path, html: &str, common: Common) -> Result<()> {
    output::write(target, html.as_bytes())?;
    if common.json {
        return print_json(&json!({"file": target.display().to_string(), "bytes": html.len()}));
    }
    print(&format!("wrote {} ({} bytes)\n", target.display(), html.len()))
}
