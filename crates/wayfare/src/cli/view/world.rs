//! From the input to a mesh, and to the show that the page draws.

use super::{
    super::{
        crowd_file::Played,
        input::{self, Product},
        make::{add_search_tables, make_mesh},
        settings::Settings,
        summary::MeshSummary,
    },
    stages::Stages,
};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::{path::PathBuf, sync::Arc};
use wayfare::{
    bake::{add_clearance, bake},
    core::{Context, DVec3},
    floor::FloorPlan,
    navmesh::{NavMesh, PathFinder},
    scene::Scene,
    view::Show,
};

/// The files that a view is of.
pub struct Source {
    pub input: PathBuf,
    /// What a finished mesh was baked from.
    pub scene: Option<PathBuf>,
    /// Where its stages were saved.
    pub stages: Option<PathBuf>,
    /// Trajectories, or a saved crowd, on the mesh.
    pub crowd: Option<PathBuf>,
}

/// All that is shown and asked about.
pub struct World {
    pub mesh: Arc<NavMesh>,
    pub finder: PathFinder<Arc<NavMesh>>,
    pub notes: Vec<String>,
    /// What `info --json` prints of the mesh.
    pub facts: Value,
    scene: Option<Scene>,
    stages: Stages,
    crowd: Option<Played>,
    /// Whether the mesh was made here, so that it can be made again.
    is_baked: bool,
}

impl Source {
    /// What can be baked: the scene beside a finished mesh, else the input itself.
    fn bakeable(&self) -> &PathBuf {
        self.scene.as_ref().unwrap_or(&self.input)
    }

    /// The first world: a finished mesh as it is, everything else baked.
    pub fn load(&self, settings: &Settings, context: &Context) -> Result<World> {
        let product = input::open(&self.input, settings)?;
        let (product, saved) = match product {
            Product::Crowd(crowd) => {
                (Product::Mesh(Box::new(crowd.mesh().clone())), Some(Played::of(&crowd)))
            }
            other => (other, None),
        };
        let Product::Mesh(mut mesh) = product else {
            if let Some(folder) = &self.stages {
                bail!(
                    "--stages {} is for a finished mesh; {} is baked now, and its stages are shown with it",
                    folder.display(),
                    self.input.display()
                );
            }
            if let Some(scene) = &self.scene {
                bail!(
                    "--scene {} is for a finished mesh; {} is {}",
                    scene.display(),
                    self.input.display(),
                    product.words()
                );
            }
            return self.bake_product(product, settings, context);
        };
        let scene = match &self.scene {
            Some(path) => match input::open(path, settings)? {
                Product::Scene(scene) => Some(*scene),
                other => bail!("--scene {} is {}, not a scene", path.display(), other.words()),
            },
            None if settings != &Settings::default() => {
                bail!("{} is a finished mesh; settings of a bake need its --scene", self.input.display())
            }
            None => None,
        };
        let mut notes = Vec::new();
        if mesh.clearance().is_none() {
            notes.extend(add_clearance(&mut mesh, context)?.map(|unsettled| unsettled.note()));
        }
        let stages = match &self.stages {
            Some(folder) => Stages::read(folder, settings)?,
            None => Stages::default(),
        };
        let mut world = World::of(*mesh, scene, stages, false, notes);
        world.crowd = saved;
        self.add_crowd(&mut world)?;
        Ok(world)
    }

    /// Whether there is something to bake.
    pub fn can_bake(&self, world: &World) -> bool {
        self.scene.is_some() || world.is_baked
    }

    /// Bakes with other settings.
    pub fn bake(&self, settings: &Settings, context: &Context) -> Result<World> {
        let product = input::open(self.bakeable(), settings)?;
        context.check()?;
        self.bake_product(product, settings, context)
    }

    fn bake_product(&self, product: Product, settings: &Settings, context: &Context) -> Result<World> {
        let path = self.bakeable();
        settings.fit(&product, path)?;
        let scene = match &product {
            Product::Scene(scene) => Some((**scene).clone()),
            _ => None,
        };
        let config = settings.bake_config()?;
        let cut = |plan: &FloorPlan| bake(plan, &config, context);
        let clear = |mesh: &mut NavMesh| add_clearance(mesh, context);
        let (made, mut mesh) = make_mesh(product, path, settings, true, context, cut, clear)?;
        {
            let _stage = context.stage("search tables", 0);
            add_search_tables(&mut mesh, None);
        }
        let mut notes = made.notes;
        context.check()?;
        let (stages, left_out) = Stages::of(made.plan, made.floors.as_ref());
        notes.extend(left_out);
        let mut world = World::of(mesh, scene, stages, true, notes);
        self.add_crowd(&mut world)?;
        Ok(world)
    }

    fn add_crowd(&self, world: &mut World) -> Result<()> {
        if let Some(path) = &self.crowd {
            world.crowd = Some(Played::read(path, &world.mesh)?);
        }
        Ok(())
    }

    /// The command line that bakes the same.
    pub fn command(&self, settings: &Settings) -> String {
        let input = self.bakeable();
        let words = [input.display().to_string(), input::stem(input) + ".way"].map(|word| quoted(&word));
        let options: Vec<String> =
            settings.arguments().iter().map(|word| format!(" {}", quoted(word))).collect();
        format!("wayfare bake {} -o {}{}", words[0], words[1], options.concat())
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

impl World {
    fn of(mesh: NavMesh, scene: Option<Scene>, stages: Stages, is_baked: bool, notes: Vec<String>) -> Self {
        let facts = json!(MeshSummary::of(&mesh));
        let mesh = Arc::new(mesh);
        Self {
            finder: PathFinder::new(Arc::clone(&mesh)),
            mesh,
            notes,
            facts,
            scene,
            stages,
            crowd: None,
            is_baked,
        }
    }

    /// What the page draws.
    pub fn show(&self, source: &Source, settings: &Settings, live: bool) -> Show {
        let name = source.input.file_name().unwrap_or(source.input.as_os_str()).to_string_lossy();
        let mut show = show_of(&name, &self.mesh, self.scene.as_ref(), self.stages.plan.as_ref());
        self.stages.add_to(&mut show);
        if let Some(crowd) = &self.crowd {
            crowd.add_to(&mut show);
        }
        show.set("live", live);
        show.set("facts", self.facts.clone());
        if source.can_bake(self) {
            show.set("command", source.command(settings));
            show.set("settings", settings.in_force(self.scene.is_some()));
        } else {
            show.set("settings", Value::Null);
        }
        show
    }
}

/// A show of a mesh and of what it was made from, where that is at hand.
pub fn show_of(title: &str, mesh: &NavMesh, scene: Option<&Scene>, plan: Option<&FloorPlan>) -> Show {
    let points = mesh.raw().vertices.iter().copied();
    let corners = scene.and_then(|scene| scene.mesh.bounds()).into_iter().flatten();
    let nothing = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    let bounds = points.chain(corners).fold(nothing, |[min, max], p| [min.min(p), max.max(p)]);
    let mut show = Show::new(title, if bounds[0].is_finite() { bounds } else { [DVec3::ZERO; 2] });
    show.add_mesh(mesh);
    if let Some(scene) = scene {
        show.add_scene(scene);
    }
    if let Some(plan) = plan {
        show.add_plan(plan, Some(mesh));
    }
    show
}

/// A path that comes along with a show. How long it took to find is left out: the same input gives the same bytes.
pub fn route_json(from: DVec3, to: DVec3, radius: f64, mut answer: Value) -> Value {
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("micros");
    }
    json!({"from": from.to_array(), "to": to.to_array(), "radius": radius, "answer": answer})
}
