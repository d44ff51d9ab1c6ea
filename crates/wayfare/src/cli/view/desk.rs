//! What the page may ask, and the answers: the same JSON as the command prints.

use super::{
    super::{
        answer::sentence,
        locate::place_json,
        path::{Asked, find},
        progress::Seconds,
        settings::Settings,
        values::coordinate_triple,
    },
    baking::{Baking, Told},
    world::{Source, World},
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};
use wayfare::{
    core::{Cancelled, Context, DVec3, Id as _},
    navmesh::{NavMesh, PathScratch, PortalId},
    view::{
        DrawConfig, Marks, draw_mesh,
        server::{Desk, Question},
    },
};

/// Answers about one map, which may be baked anew.
pub struct MapDesk {
    source: Source,
    now: RwLock<Arc<Now>>,
    baking: Baking,
    /// Counts the shows, so that each has an address of its own.
    shows: AtomicU64,
    /// Scratch memory of questions that were answered.
    scratches: Mutex<Vec<PathScratch>>,
}

/// The map as it is now.
struct Now {
    world: World,
    settings: Settings,
    show: Arc<[u8]>,
}

impl MapDesk {
    pub fn new(source: Source, settings: Settings, world: World, routes: Value) -> Self {
        let mut show = world.show(&source, &settings, true);
        show.set("routes", routes);
        let now = Now { show: show.to_bytes().into(), world, settings };
        Self {
            source,
            now: RwLock::new(Arc::new(now)),
            baking: Baking::default(),
            shows: AtomicU64::new(1),
            scratches: Mutex::default(),
        }
    }

    fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn scratches(&self) -> MutexGuard<'_, Vec<PathScratch>> {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, body: &Value) -> Result<Value, String> {
        let ends = [place(body, "from")?, place(body, "to")?];
        let asked = Asked { snap: length(body, "snap", 0.5)?, ..Asked::disc(length(body, "radius", 0.0)?) };
        let now = self.now();
        if asked.body.radius > 0.0 && now.world.mesh.clearance().is_none() {
            return Err("this mesh can be walked at radius 0 only: its clearance could not be made".into());
        }
        let mut scratch = self.scratches().pop().unwrap_or_default();
        let found = find(&now.world.finder, &mut scratch, ends, &asked);
        self.scratches().push(scratch);
        Ok(match found {
            Ok(found) => json!(found),
            Err(missing) => json!(missing),
        })
    }

    fn picture(&self, body: &Value) -> Result<Value, String> {
        let now = self.now();
        let mut marks = Marks::default();
        if body.get("from").is_some() && body.get("to").is_some() {
            let radius = length(body, "radius", 0.0)?;
            let ends = [place(body, "from")?, place(body, "to")?];
            marks = Marks { start: Some(ends[0]), goal: Some(ends[1]), ..Marks::default() };
            let mut scratch = self.scratches().pop().unwrap_or_default();
            if let Ok(found) = find(&now.world.finder, &mut scratch, ends, &Asked::disc(radius)) {
                marks = Marks { radius, ..Marks::path(found.points) };
            }
            self.scratches().push(scratch);
        }
        let svg =
            draw_mesh(&now.world.mesh, &marks, &DrawConfig::default()).map_err(|error| error.to_string())?;
        Ok(json!({"svg": svg}))
    }

    fn bake(&self, question: &Question, say: &(dyn Fn(Value) + Sync)) -> Result<Value, String> {
        let before = self.now();
        if !self.source.can_bake(&before.world) {
            return Err("there is nothing to bake: open a scene, or a mesh with its --scene".into());
        }
        let mut wanted = question.body["settings"].clone();
        if let Some(settings) = wanted.as_object_mut() {
            settings.retain(|_, value| !value.is_null());
        }
        let settings: Settings =
            serde_json::from_value(wanted).map_err(|error| format!("settings: {error}"))?;
        // How files are read is not the page's to say.
        let settings = settings.reading_as(&before.settings).without_defaults();
        settings.check().map_err(|error| sentence(&error))?;
        let turn = self.baking.begin(question.socket, question.id).ok_or("another bake is running")?;
        let begin = Instant::now();
        let (send, told) = std::sync::mpsc::channel();
        let context = Context::new(Some(Told::new(move |value| drop(send.send(value)))), turn.cancel.clone());
        let (source, wanted) = (&self.source, &settings);
        // The bake reports from any thread and knows no lifetimes; what it says is passed on from here.
        let baked = std::thread::scope(|scope| {
            let work = scope.spawn(move || {
                let context = context;
                source.bake(wanted, &context)
            });
            while let Ok(progress) = told.recv() {
                say(progress);
            }
            work.join()
        });
        let world = match baked {
            Ok(Ok(world)) => world,
            Ok(Err(error)) if error.is::<Cancelled>() || turn.cancel.is_cancelled() => {
                return Err("the bake was cancelled".into());
            }
            Ok(Err(error)) => return Err(sentence(&error)),
            Err(_) => return Err("the bake failed".into()),
        };
        let show = world.show(&self.source, &settings, true).to_bytes();
        let number = self.shows.fetch_add(1, Ordering::Relaxed) + 1;
        let answer = json!({
            "facts": world.facts,
            "before": before.world.facts,
            "notes": world.notes,
            "seconds": Seconds::total(begin.elapsed().as_secs_f64()),
            "command": self.source.command(&settings),
            "show": format!("show.bin?{number}"),
        });
        *self.now.write().unwrap_or_else(PoisonError::into_inner) =
            Arc::new(Now { world, settings, show: show.into() });
        Ok(answer)
    }
}

impl Desk for MapDesk {
    fn show(&self) -> Arc<[u8]> {
        Arc::clone(&self.now().show)
    }

    fn answer(&self, question: &Question, say: &(dyn Fn(Value) + Sync)) -> Result<Value, String> {
        let body = &question.body;
        match question.ask.as_str() {
            "path" => self.path(body),
            "locate" => {
                let (at, snap) = (place(body, "at")?, length(body, "snap", 0.5)?);
                place_json(&self.now().world.mesh, at, snap).map_err(|error| sentence(&error))
            }
            "portals" => Ok(json!({"shares": shares(&self.now().world.mesh, length(body, "radius", 0.0)?)})),
            "picture" => self.picture(body),
            "bake" => self.bake(question, say),
            "cancel" => {
                self.baking.cancel(question.socket, body["bake"].as_u64());
                Ok(json!({}))
            }
            other => Err(format!("there is no question '{}'", other.chars().take(40).collect::<String>())),
        }
    }

    fn hung_up(&self, socket: u64) {
        self.baking.cancel(socket, None);
    }
}

/// A place of a question.
fn place(body: &Value, key: &str) -> Result<DVec3, String> {
    let numbers: Option<Vec<f64>> =
        body[key].as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
    match numbers.as_deref() {
        Some(&[x, y, z]) => {
            coordinate_triple([x, y, z]).map_err(|reason| format!("{key}: {reason}"))?;
            Ok(DVec3::new(x, y, z))
        }
        _ => Err(format!("'{key}' must be three numbers")),
    }
}

/// A length ≥ 0 of a question [m].
fn length(body: &Value, key: &str, default: f64) -> Result<f64, String> {
    match &body[key] {
        Value::Null => Ok(default),
        value => value
            .as_f64()
            .filter(|value| (0.0..=1e7).contains(value))
            .ok_or_else(|| format!("'{key}' must be a length in metres, 0 or more")),
    }
}

/// The part of each portal on which a body has room, as shares of its length; −1 twice where it has none.
fn shares(mesh: &NavMesh, radius: f64) -> Vec<f64> {
    let Some(clearances) = mesh.clearances() else { return [0.0, 1.0].repeat(mesh.portals().len()) };
    let mut shares = Vec::with_capacity(2 * mesh.portals().len());
    for (portal, &[corner, _]) in mesh.portals().as_slice().iter().enumerate() {
        let [a, b] = mesh.edge(corner).map(|vertex| mesh.xy(vertex));
        let end = radius / a.distance(b);
        // Up to its critical radius only a portal's ends take room away.
        if radius <= clearances.data().critical_radius(PortalId::new(portal)) {
            shares.extend(if end <= 0.5 { [end, 1.0 - end] } else { [-1.0; 2] });
            continue;
        }
        const STEPS: usize = 64;
        let cell = mesh.cell_of_corner(corner);
        let has_room = |k: usize| {
            let place = clearances.at(cell, a.lerp(b, k as f64 / STEPS as f64));
            place.is_none_or(|place| place.distance >= radius)
        };
        let free: Vec<bool> = (0..=STEPS).map(has_room).collect();
        let runs = free.chunk_by(|a, b| a == b).scan(0, |at, run| {
            let from = std::mem::replace(at, *at + run.len());
            Some((run[0], from, *at - 1))
        });
        let widest = runs.filter(|run| run.0).max_by_key(|run| run.2 - run.1);
        shares.extend(widest.map_or([-1.0; 2], |(_, from, to)| [from, to].map(|k| k as f64 / STEPS as f64)));
    }
    shares
}
