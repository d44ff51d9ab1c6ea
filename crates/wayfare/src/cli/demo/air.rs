//! The part of `wayfare demo` about free space: the building's air in convex regions, and a flight up to its top storey.

use super::{
    super::{
        view::route_json,
        volume_path::{Asked, answer},
        volume_show::show_volume,
        volume_summary::VolumeSummary,
    },
    Files,
};
use anyhow::{Result, anyhow};
use serde::Serialize;
use std::time::Instant;
use wayfare::{
    core::{Context, DVec3},
    scene::Scene,
    view::{DrawConfig, Marks, draw_volume, page_with_show},
    volume::{FlyFinder, FlyScratch, VolumeConfig, partition},
};

/// How high over the ground it flies off and arrives [m].
const HEAD_HEIGHT: f64 = 1.2;
/// Radius of what flies [m].
const RADIUS: f64 = 0.25;

/// What came of it.
#[derive(Serialize)]
pub struct AirReport {
    #[serde(flatten)]
    summary: VolumeSummary,
    length: f64,
    clearance: Option<f64>,
    #[serde(skip)]
    seconds: f64,
    #[serde(skip)]
    has_page: bool,
}

/// From a scene to its air, and a flight through it from one place on the ground to another.
pub fn air(files: &mut Files, scene: &Scene, ends: [DVec3; 2], context: &Context) -> Result<AirReport> {
    let [from, to] = ends.map(|end| end + DVec3::Z * HEAD_HEIGHT);
    let begin = Instant::now();
    let config = VolumeConfig { reach_from: Some(from), ..VolumeConfig::default() };
    let (mesh, _) = partition(scene, &config, context)?;
    let seconds = begin.elapsed().as_secs_f64();
    files.add("building.wayvol", &mesh.to_bytes())?;
    let asked = Asked { radius: RADIUS, snap: 0.0, stand: false };
    let flown = answer(&FlyFinder::new(&mesh), [from, to], &asked, &mut FlyScratch::new());
    let flown = flown.map_err(|no| anyhow!(no.words()))?;
    let points = flown.points.iter().map(|&p| DVec3::from(p)).collect();
    let words = format!(
        "slice at {HEAD_HEIGHT} m · {} regions · flight of {:.2} m",
        mesh.region_count(),
        flown.length
    );
    let config = DrawConfig { caption: Some(words), ..DrawConfig::default() };
    let marks = Marks { radius: RADIUS, ..Marks::path(points) };
    files.add("air.svg", draw_volume(&mesh, HEAD_HEIGHT, &marks, &config)?.as_bytes())?;
    let mut show = show_volume("building.wayvol", &mesh, Some(scene));
    show.set("routes", vec![route_json(from, to, RADIUS, serde_json::to_value(&flown)?)]);
    let has_page = match page_with_show(&show) {
        Some(html) => files.add("air.html", html.as_bytes()).map(|()| true)?,
        None => false,
    };
    Ok(AirReport {
        summary: VolumeSummary::of(&mesh),
        length: flown.length,
        clearance: flown.clearance,
        seconds,
        has_page,
    })
}

impl AirReport {
    /// Its part of the story.
    pub fn words(&self) -> String {
        let VolumeSummary { regions, free_volume, coverage, .. } = &self.summary;
        format!(
            "Its air: {regions} convex regions, cut in {:.0} ms, hold {:.1} % of {free_volume:.0} m³ (building.wayvol);\n  \
             a ball of {RADIUS} m flies from the entrance to the top storey in {:.2} m (air.svg{}).\n",
            1e3 * self.seconds,
            100.0 * coverage,
            self.length,
            if self.has_page { ", air.html" } else { "" },
        )
    }
}
