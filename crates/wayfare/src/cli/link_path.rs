//! `wayfare path linked.way --volume X.wayvol`: a way that walks and flies.

use super::{
    Common,
    answer::Answer,
    output::{self, print},
    path::{Asked, Segment, Snapped, segments},
    summary::{coordinate, count, length},
    volume_path::{self, Missing},
};
use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;
use std::{fmt::Write as _, path::Path, time::Instant};
use wayfare::{
    core::DVec3,
    navmesh::NavMesh,
    volume::{Journey, JourneyConfig, JourneyFinder, JourneyScratch, Leg, NoFlight, VolumeMesh},
};

/// The keys of `path --json` for a way that walks and flies.
#[derive(Serialize)]
struct Found {
    found: bool,
    length: f64,
    plan_length: f64,
    /// With flying counted by its cost.
    cost: f64,
    points: Vec<[f64; 3]>,
    segments: Vec<Segment>,
    /// The cells that it walks through.
    cell_ids: Vec<u32>,
    /// The regions that it flies through.
    region_ids: Vec<u32>,
    radius: f64,
    clearance: Option<f64>,
    walked: f64,
    flown: f64,
    expanded: u32,
    micros: f64,
    snapped: Snapped,
}

impl Found {
    fn of(mesh: &NavMesh, journey: &Journey, radius: f64, micros: f64) -> Self {
        let mut found = Self {
            found: true,
            length: journey.length,
            plan_length: 0.0,
            cost: journey.cost,
            points: Vec::new(),
            segments: Vec::new(),
            cell_ids: Vec::new(),
            region_ids: Vec::new(),
            radius,
            clearance: None,
            walked: 0.0,
            flown: 0.0,
            expanded: 0,
            micros,
            snapped: Snapped { start: 0.0, goal: 0.0 },
        };
        let mut room: Option<f64> = None;
        for (k, leg) in journey.legs.iter().enumerate() {
            let (points, snapped) = match leg {
                Leg::Walk(path) => {
                    found.walked += path.length;
                    found.plan_length += path.plan_length;
                    found.segments.extend(segments(mesh, path));
                    found.cell_ids.extend(path.cells.iter().map(|cell| cell.0));
                    found.expanded += path.expanded;
                    room = path.clearance.into_iter().chain(room).min_by(f64::total_cmp);
                    (&path.points, path.snapped)
                }
                Leg::Fly(flight) => {
                    found.flown += flight.length;
                    let pairs = || flight.points.windows(2).map(|pair| [pair[0], pair[1]]);
                    found.plan_length +=
                        pairs().map(|[p, q]| p.truncate().distance(q.truncate())).sum::<f64>();
                    found.segments.extend(pairs().map(|[p, q]| Segment::fly(p, q)));
                    found.region_ids.extend(flight.regions.iter().map(|region| region.0));
                    found.expanded += flight.expanded;
                    room = flight.clearance.into_iter().chain(room).min_by(f64::total_cmp);
                    (&flight.points, flight.snapped)
                }
            };
            found.points.extend(points.iter().map(|p| p.to_array()));
            found.points.dedup();
            if k == 0 {
                found.snapped.start = snapped[0];
            }
            if k + 1 == journey.legs.len() {
                found.snapped.goal = snapped[1];
            }
        }
        found.clearance = room;
        found
    }

    fn words(&self, journey: &Journey) -> String {
        let mut out = format!(
            "length {} m: {} m on the ground through {}, {} m in the air through {}; {:.1} µs\n",
            length(self.length),
            length(self.walked),
            count(self.cell_ids.len(), "cell"),
            length(self.flown),
            count(self.region_ids.len(), "region"),
            self.micros
        );
        for leg in &journey.legs {
            let (kind, points) = match leg {
                Leg::Walk(path) => ("walk", &path.points),
                Leg::Fly(flight) => ("fly", &flight.points),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  {kind}");
            for point in points {
                let _ = writeln!(out, "    {}", point.to_array().map(coordinate).join(", "));
            }
        }
        out
    }
}

/// One way.
pub fn one(
    mesh: &NavMesh,
    volume: &VolumeMesh,
    [from, to]: [DVec3; 2],
    asked: &Asked,
    fly_cost: f64,
    target: Option<&Path>,
    common: Common,
) -> Result<Answer> {
    let finder = JourneyFinder::new(mesh, volume).ok_or_else(|| {
        anyhow!("the mesh is not linked to this free space; try `wayfare link M.way X.wayvol -o linked.way`")
    })?;
    let config = JourneyConfig { body: asked.body, fly_cost, locate: asked.locate_config() };
    let mut scratch = JourneyScratch::default();
    // What is reported is what every further query costs.
    let _ = finder.find(from, to, &config, &mut scratch);
    let begin = Instant::now();
    let found = finder.find(from, to, &config, &mut scratch);
    let micros = begin.elapsed().as_secs_f64() * 1e6;
    let (json, words, is_found) = match found {
        Ok(journey) => {
            let found = Found::of(mesh, &journey, asked.body.radius, micros);
            (serde_json::to_string(&found), found.words(&journey), true)
        }
        Err(no) => {
            let asked = volume_path::Asked { radius: asked.body.radius, snap: asked.snap, stand: false };
            let why = no.fly.unwrap_or(NoFlight::Disconnected { at: from });
            let missing = Missing::of(&why, &asked);
            let ground = no.walk.map(|no| format!("on the ground: {no}\n")).unwrap_or_default();
            (serde_json::to_string(&missing), format!("{}{ground}", missing.words()), false)
        }
    };
    let json = json.context("cannot write JSON")? + "\n";
    if let Some(target) = target {
        output::write(target, json.as_bytes())?;
    }
    print(if common.json { &json } else { &words })?;
    Ok(is_found.into())
}
