//! Free space on the viewer's page: regions, portals, flights.

use super::{
    output::remark,
    view::{length, place, route_json},
    volume_path::{Asked, answer},
    volume_summary::VolumeSummary,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use wayfare::{
    core::DVec3,
    scene::Scene,
    view::{
        DrawConfig, Marks, Show, draw_volume,
        server::{Desk, Question},
    },
    volume::{FlyFinder, FlyScratch, RegionId, VolumeMesh},
};

/// How far ends may lie beside free space [m].
const SNAP: f64 = 0.5;

/// A show of free space, and of the scene round it.
pub fn show_volume(title: &str, mesh: &VolumeMesh, scene: Option<&Scene>) -> Show {
    let corners = scene.and_then(|scene| scene.mesh.bounds()).into_iter().flatten();
    let bounds = corners.fold(mesh.raw().bounds, |[min, max], p| [min.min(p), max.max(p)]);
    let mut show = Show::new(title, bounds);
    show.add_volume(mesh);
    if let Some(scene) = scene {
        show.add_scene(scene);
    }
    show.set("facts", json!(VolumeSummary::of(mesh)));
    show
}

/// A flight that comes along with a show, or why there is none.
pub fn first_flight(mesh: &VolumeMesh, [from, to]: [DVec3; 2], radius: f64, quiet: bool) -> Value {
    let asked = Asked { radius, snap: SNAP, stand: false };
    let found = match answer(&FlyFinder::new(mesh), [from, to], &asked, &mut FlyScratch::new()) {
        Ok(found) => json!(found),
        Err(missing) => {
            remark(quiet, missing.words().trim_end());
            json!(missing)
        }
    };
    route_json(from, to, radius, found)
}

/// The middles of two regions far from each other that one gets between.
pub fn far_apart(mesh: &VolumeMesh) -> Option<[DVec3; 2]> {
    let middle = |region: RegionId| {
        let corners = mesh.vertices(region);
        corners.iter().sum::<DVec3>() / corners.len().max(1) as f64
    };
    let largest = mesh.regions().max_by(|&a, &b| mesh.volume(a).total_cmp(&mesh.volume(b)))?;
    let farthest = |from: DVec3| {
        let reached = mesh.regions().filter(|&region| mesh.component(region) == mesh.component(largest));
        let places = reached.map(middle);
        places.max_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)))
    };
    let from = farthest(middle(largest))?;
    Some([from, farthest(from)?])
}

/// Answers about free space.
pub struct VolumeDesk {
    show: Arc<[u8]>,
    finder: FlyFinder<'static>,
    /// Scratch memory of questions that were answered.
    scratches: Mutex<Vec<FlyScratch>>,
}

impl VolumeDesk {
    /// A desk for the rest of the program: that is how long the viewer runs, and the mesh is kept.
    pub fn new(mesh: VolumeMesh, show: &Show) -> Self {
        let finder = FlyFinder::new(Box::leak(Box::new(mesh)));
        Self { show: show.to_bytes().into(), finder, scratches: Mutex::default() }
    }

    fn path(&self, body: &Value) -> Result<Value, String> {
        let ends = [place(body, "from")?, place(body, "to")?];
        let asked =
            Asked { radius: length(body, "radius", 0.0)?, snap: length(body, "snap", SNAP)?, stand: false };
        let scratches = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = scratches().pop().unwrap_or_default();
        let found = answer(&self.finder, ends, &asked, &mut scratch);
        scratches().push(scratch);
        Ok(found.map_or_else(|missing| json!(missing), |found| json!(found)))
    }

    /// A slice at the height of the start, or in the middle.
    fn picture(&self, body: &Value) -> Result<Value, String> {
        let mesh = self.finder.mesh();
        let [low, high] = mesh.raw().bounds;
        let mut height = low.midpoint(high).z;
        let mut marks = Marks::default();
        if body.get("from").is_some() && body.get("to").is_some() {
            let ends = [place(body, "from")?, place(body, "to")?];
            let radius = length(body, "radius", 0.0)?;
            height = ends[0].z.clamp(low.z, high.z);
            let asked = Asked { radius, snap: SNAP, stand: false };
            marks = match answer(&self.finder, ends, &asked, &mut FlyScratch::new()) {
                Ok(path) => {
                    let points = path.points.into_iter().map(DVec3::from).collect();
                    Marks { radius, ..Marks::path(points) }
                }
                Err(_) => Marks { start: Some(ends[0]), goal: Some(ends[1]), ..Marks::default() },
            };
        }
        let svg = draw_volume(mesh, height, &marks, &DrawConfig::default());
        svg.map(|svg| json!({"svg": svg})).map_err(|error| error.to_string())
    }
}

impl Desk for VolumeDesk {
    fn show(&self) -> Arc<[u8]> {
        Arc::clone(&self.show)
    }

    fn answer(&self, question: &Question, _: &(dyn Fn(Value) + Sync)) -> Result<Value, String> {
        match question.ask.as_str() {
            "path" => self.path(&question.body),
            "picture" => self.picture(&question.body),
            _ => Err("of free space paths and pictures can be asked for".into()),
        }
    }
}
