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
    core::{Cancelled, Context, DVec3},
    navmesh::{CornerId, Corridor, NavMesh, Passage, PathScratch, Span, Walker, WayPoints, simple_shrink},
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
        let answer = match found {
            Ok(found) => {
                let mut answer = json!(found);
                answer["way_point"] = way_point(&now, ends, &asked, &mut scratch).into();
                answer
            }
            Err(missing) => json!(missing),
        };
        self.scratches().push(scratch);
        Ok(answer)
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
pub fn place(body: &Value, key: &str) -> Result<DVec3, String> {
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
pub fn length(body: &Value, key: &str, default: f64) -> Result<f64, String> {
    match &body[key] {
        Value::Null => Ok(default),
        value => value
            .as_f64()
            .filter(|value| (0.0..=1e7).contains(value))
            .ok_or_else(|| format!("'{key}' must be a length in metres, 0 or more")),
    }
}

/// The part of each portal that a body may use, as shares of its length; −1 twice where there is none.
fn shares(mesh: &NavMesh, radius: f64) -> Vec<f64> {
    let crossings = mesh.crossings();
    let part = |&[corner, _]: &[CornerId; 2]| match &crossings {
        Some(crossings) => crossings.exact_shrink(Passage::through(corner), radius),
        None => simple_shrink(mesh, corner, radius),
    };
    let shares = |span: Option<Span>| span.map_or([-1.0; 2], |span| [span.low, span.high]);
    mesh.portals().as_slice().iter().flat_map(|sides| shares(part(sides))).collect()
}

/// Where a body at the start of a path heads for first.
fn way_point(now: &Now, ends: [DVec3; 2], asked: &Asked, scratch: &mut PathScratch) -> Option<Value> {
    let (mesh, finder) = (&*now.world.mesh, &now.world.finder);
    let path = finder.find_for(&asked.body, ends[0], ends[1], &asked.locate_config(), scratch).ok()?;
    let corridor = Corridor::of_path(mesh, &path)?;
    let walker = Walker::new(&corridor, asked.body.radius);
    let at = WayPoints::new(mesh.crossings()?).dynamic(&walker, &corridor).at;
    // Its height is that of the path's cell there; where it lies in none of them, that of the start.
    let cell = path.cells.iter().find(|&&cell| mesh.contains(cell, at));
    let height = cell.map_or(ends[0].z, |&cell| mesh.height(cell, at));
    Some(json!([at.x, at.y, height]))
}
