//! `wayfare path linked.way --volume X.wayvol`: a way that walks and flies.

use super::{
    Common,
    answer::Answer,
    input,
    limit_args::{CloseArgs, LimitArgs},
    output::{self, print},
    path::{Asked, HAIR, Snapped, profile, way_words},
    path_pieces::{Segment, segments},
    prefer_args::PreferArgs,
    queries::{self, Row},
    summary::{coordinate, count, length},
    volume_path::{self, Missing},
};
use anyhow::{Context as _, Result, anyhow, bail};
use rayon::prelude::*;
use serde::Serialize;
use std::{fmt::Write as _, path::Path, time::Instant};
use wayfare::{
    core::DVec3,
    navmesh::{Body, NavMesh},
    view::Marks,
    volume::{Journey, JourneyConfig, JourneyFinder, JourneyScratch, Leg, NoFlight, NoJourney, VolumeMesh},
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
    /// Distance from the start along the way and clearance there; 0 where one takes off or lands.
    profile: Vec<[f64; 2]>,
    walked: f64,
    flown: f64,
    expanded: u32,
    micros: f64,
    snapped: Snapped,
}

impl Found {
    fn of(finder: &JourneyFinder, journey: &Journey, body: &Body, micros: f64) -> Self {
        let mut found = Self {
            found: true,
            length: journey.length,
            plan_length: 0.0,
            cost: journey.cost,
            points: Vec::new(),
            segments: Vec::new(),
            cell_ids: Vec::new(),
            region_ids: Vec::new(),
            radius: body.radius,
            clearance: None,
            profile: Vec::new(),
            walked: 0.0,
            flown: 0.0,
            expanded: 0,
            micros,
            snapped: Snapped { start: 0.0, goal: 0.0, out_of_sight: Vec::new() },
        };
        let mut room: Option<f64> = None;
        for (k, leg) in journey.legs.iter().enumerate() {
            let before = found.walked + found.flown;
            found
                .profile
                .extend(room_along(finder, leg, body).into_iter().map(|[at, room]| [before + at, room]));
            let (points, snapped) = match leg {
                Leg::Walk(path) => {
                    found.walked += path.length;
                    found.plan_length += path.plan_length;
                    found.segments.extend(segments(finder.path_finder().mesh(), path));
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

    fn words(&self, finder: &JourneyFinder, journey: &Journey) -> String {
        let mut out = format!(
            "length {} m: {} m on the ground through {}, {} m in the air through {}; {:.1} µs\n",
            length(self.length),
            length(self.walked),
            count(self.cell_ids.len(), "cell"),
            length(self.flown),
            count(self.region_ids.len(), "region"),
            self.micros
        );
        // Writing to a string cannot fail.
        for (end, moved) in [("start", self.snapped.start), ("goal", self.snapped.goal)] {
            if moved > HAIR {
                let _ = writeln!(out, "the {end} was moved {} m onto the ground", length(moved));
            }
        }
        for leg in &journey.legs {
            match leg {
                Leg::Walk(path) => {
                    let pieces = segments(finder.path_finder().mesh(), path);
                    out += "  walk\n";
                    out += &way_words(&path.points, &pieces, self.radius > 0.0, "    ");
                }
                Leg::Fly(flight) => {
                    out += "  fly\n";
                    for point in &flight.points {
                        let _ = writeln!(out, "    {}", point.to_array().map(coordinate).join(", "));
                    }
                }
            }
        }
        out
    }
}

/// Clearance along a leg, by its length.
fn room_along(finder: &JourneyFinder, leg: &Leg, body: &Body) -> Vec<[f64; 2]> {
    match leg {
        Leg::Walk(path) => {
            let stretch = if path.plan_length > 0.0 { path.length / path.plan_length } else { 1.0 };
            let room = profile(finder.path_finder(), body, path);
            room.into_iter().map(|[at, room]| [at * stretch, room]).collect()
        }
        Leg::Fly(flight) => finder.fly_finder().profile(&flight.points),
    }
}

/// What finds ways on a mesh and through the free space that it is linked to.
fn finder<'a>(mesh: &'a NavMesh, volume: &'a VolumeMesh) -> Result<JourneyFinder<'a>> {
    JourneyFinder::new(mesh, volume).ok_or_else(|| {
        anyhow!("the mesh is not linked to this free space; try `wayfare link M.way X.wayvol -o linked.way`")
    })
}

/// Why there is no way, in words.
fn missing(NoJourney { walk, fly, .. }: NoJourney, from: DVec3, asked: &Asked) -> (Missing, String) {
    let asked = volume_path::Asked { radius: asked.body.radius, snap: asked.snap, stand: false };
    let missing = Missing::of(&fly.unwrap_or(NoFlight::Disconnected { at: from }), &asked);
    let ground = walk.map(|no| format!("on the ground: {no}\n")).unwrap_or_default();
    let words = format!("{}{ground}", missing.words());
    (missing, words)
}

/// Refuses options that a way that also flies does not know.
pub fn check_options(
    prefer: PreferArgs,
    snap_clear: bool,
    partial: bool,
    limits: &LimitArgs,
    fly_cost: f64,
) -> Result<()> {
    for (given, option) in [
        (prefer.prefer.is_some(), "--prefer"),
        (snap_clear, "--snap-clear"),
        (partial, "--partial"),
        (limits.close != CloseArgs::default(), "closing cells, portals or tags"),
        (limits.step.is_some(), "--step"),
        (limits.max_gap.is_some(), "--max-gap"),
    ] {
        if given {
            bail!("{option} does not go together with --volume");
        }
    }
    if fly_cost <= 0.0 {
        bail!("--fly-cost is above 0: if flying costs nothing, every flight is as good as any other");
    }
    Ok(())
}

/// The free space that is flown through.
pub fn open(volume: &Path) -> Result<Box<VolumeMesh>> {
    input::open_volume(volume)?
        .with_context(|| format!("{} is not free space; make it by `wayfare volume`", volume.display()))
}

/// A way as marks on a picture: what is walked, and what is flown; or its ends, and why there is none.
pub fn marks(
    mesh: &NavMesh,
    volume: &VolumeMesh,
    [from, to]: [DVec3; 2],
    asked: &Asked,
    fly_cost: f64,
) -> Result<(Marks, Option<String>)> {
    let config = JourneyConfig { body: asked.body, fly_cost, locate: asked.locate_config() };
    let ends = Marks { start: Some(from), goal: Some(to), radius: asked.body.radius, ..Marks::default() };
    Ok(match finder(mesh, volume)?.find(from, to, &config, &mut JourneyScratch::default()) {
        Ok(journey) => {
            let mut marks = ends;
            for leg in journey.legs {
                match leg {
                    Leg::Walk(path) => marks.others.push((path.points, asked.body.radius)),
                    Leg::Fly(flight) => marks.flights.push(flight.points),
                }
            }
            (marks, None)
        }
        Err(no) => (ends, Some(missing(*no, from, asked).1)),
    })
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
    let finder = finder(mesh, volume)?;
    let config = JourneyConfig { body: asked.body, fly_cost, locate: asked.locate_config() };
    let mut scratch = JourneyScratch::default();
    // What is reported is what every further query costs.
    let _ = finder.find(from, to, &config, &mut scratch);
    let begin = Instant::now();
    let found = finder.find(from, to, &config, &mut scratch);
    let micros = begin.elapsed().as_secs_f64() * 1e6;
    let (json, words, is_found) = match found {
        Ok(journey) => {
            let found = Found::of(&finder, &journey, &asked.body, micros);
            (serde_json::to_string(&found), found.words(&finder, &journey), true)
        }
        Err(no) => {
            let (missing, words) = missing(*no, from, asked);
            (serde_json::to_string(&missing), words, false)
        }
    };
    let json = json.context("cannot write JSON")? + "\n";
    if let Some(target) = target {
        output::write(target, json.as_bytes())?;
    }
    print(if common.json { &json } else { &words })?;
    Ok(is_found.into())
}

/// Answers every row, in order, whatever the number of threads.
pub fn many(
    mesh: &NavMesh,
    volume: &VolumeMesh,
    rows: &[[DVec3; 2]],
    asked: &Asked,
    fly_cost: f64,
    target: Option<&Path>,
    common: Common,
) -> Result<Answer> {
    let finder = finder(mesh, volume)?;
    let config = JourneyConfig { body: asked.body, fly_cost, locate: asked.locate_config() };
    let block = rows.len().div_ceil(rayon::current_num_threads()).max(1);
    let results: Vec<Row> = rows
        .par_chunks(block)
        .flat_map_iter(|rows| {
            let mut scratch = JourneyScratch::default();
            let (finder, config) = (&finder, &config);
            // What is reported is what every further query costs.
            if let Some(&[from, to]) = rows.first() {
                let _ = finder.find(from, to, config, &mut scratch);
            }
            rows.iter().map(move |&[from, to]| {
                let begin = Instant::now();
                let found = finder.find(from, to, config, &mut scratch);
                let micros = begin.elapsed().as_secs_f64() * 1e6;
                let reason = found.as_ref().err().map(|no| {
                    volume_path::reason(no.fly.as_ref().unwrap_or(&NoFlight::Disconnected { at: from }))
                });
                Row {
                    found: found.is_ok(),
                    length: found.ok().map(|journey| journey.length),
                    micros,
                    reason,
                    partial: None,
                }
            })
        })
        .collect();
    queries::report(results, Vec::new(), target, common)
}
