//! `wayfare path X.wayvol --from … --to …`: a path through the air, or why there is none.

use super::{
    Common,
    answer::Answer,
    missing::digits,
    output::{self, print},
    path::HAIR,
    queries::{self, Row},
    summary::{coordinate, count, length},
};
use anyhow::{Context as _, Result};
use rayon::prelude::*;
use serde::Serialize;
use std::{fmt::Write as _, path::Path, time::Instant};
use wayfare::{
    core::DVec3,
    volume::{End, Flight, FlyFinder, FlyScratch, NoFlight, Stand, VolumeMesh},
};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub radius: f64,
    pub snap: f64,
    /// Whether it ends on the floor below the goal.
    pub stand: bool,
}

/// The keys of `path --json` when there is a path.
#[derive(Serialize)]
pub struct Found {
    found: bool,
    pub length: f64,
    plan_length: f64,
    pub points: Vec<[f64; 3]>,
    segments: Vec<Segment>,
    cell_ids: Vec<u32>,
    radius: f64,
    pub clearance: Option<f64>,
    /// Distance from the start along the path and room there: at every point, and where it is least between two.
    profile: Vec<[f64; 2]>,
    expanded: u32,
    micros: f64,
    snapped: Snapped,
    /// The floor that it ends on, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<Standing>,
}

#[derive(Serialize)]
pub struct Standing {
    point: [f64; 3],
    region: u32,
    /// Floor of the region that one can stand on [m²].
    area: f64,
}

#[derive(Serialize)]
pub struct Segment {
    kind: &'static str,
    from: [f64; 3],
    to: [f64; 3],
}

#[derive(Serialize)]
pub struct Snapped {
    start: f64,
    goal: f64,
}

/// The same when there is none.
#[derive(Serialize)]
pub struct Missing {
    found: bool,
    length: Option<f64>,
    reason: &'static str,
    at: [f64; 3],
    needed: Option<f64>,
    available: Option<f64>,
    nearest: Option<[f64; 3]>,
    hint: String,
}

impl Found {
    fn of(finder: &FlyFinder, flight: Flight, micros: f64) -> Self {
        let pairs = || flight.points.windows(2);
        Self {
            found: true,
            length: flight.length,
            plan_length: pairs().map(|pair| pair[0].truncate().distance(pair[1].truncate())).sum(),
            segments: pairs()
                .map(|pair| Segment { kind: "fly", from: pair[0].to_array(), to: pair[1].to_array() })
                .collect(),
            points: flight.points.iter().map(|p| p.to_array()).collect(),
            cell_ids: flight.regions.iter().map(|region| region.0).collect(),
            radius: flight.radius,
            clearance: flight.clearance,
            profile: finder.profile(&flight.points),
            expanded: flight.expanded,
            micros,
            snapped: Snapped { start: flight.snapped[0], goal: flight.snapped[1] },
            standing: None,
        }
    }

    fn words(&self) -> String {
        let mut out = format!(
            "length {} m, {}, through {}{}; {:.1} µs\n",
            length(self.length),
            count(self.points.len().saturating_sub(2), "turn"),
            count(self.cell_ids.len(), "region"),
            self.clearance.map(|room| format!(", {} m clear", length(room))).unwrap_or_default(),
            self.micros
        );
        // Writing to a string cannot fail.
        for (end, moved) in [("start", self.snapped.start), ("goal", self.snapped.goal)] {
            if moved > HAIR {
                let _ = writeln!(out, "the {end} was moved {} m into free space", length(moved));
            }
        }
        for point in &self.points {
            let _ = writeln!(out, "  {}", point.map(coordinate).join(", "));
        }
        out
    }
}

/// The reason in one word.
pub fn reason(no: &NoFlight) -> &'static str {
    match no {
        NoFlight::OffMesh { .. } => "off-mesh",
        NoFlight::TooTight { end: End::Start, .. } => "start-too-tight",
        NoFlight::TooTight { end: End::Goal, .. } => "goal-too-tight",
        NoFlight::Disconnected { .. } => "disconnected",
        NoFlight::NoFloor { .. } => "no-floor",
        _ => "too-narrow",
    }
}

impl Missing {
    /// One line.
    pub fn words(&self) -> String {
        format!("no path: {}: {}\n", self.reason, self.hint)
    }

    pub fn of(no: &NoFlight, asked: &Asked) -> Self {
        let base = |at: DVec3, hint: String| Self {
            found: false,
            length: None,
            reason: reason(no),
            at: at.to_array(),
            needed: None,
            available: None,
            nearest: None,
            hint,
        };
        match *no {
            NoFlight::OffMesh { end, at, nearest } => {
                let end = if end == End::Start { "start" } else { "goal" };
                let hint = match nearest {
                    Some((_, distance)) => format!(
                        "the {end} is in no region; the nearest is {distance:.3} m away: try a larger --snap"
                    ),
                    None => format!("the {end} is in no region"),
                };
                Self {
                    needed: nearest.map(|(_, distance)| distance),
                    available: Some(asked.snap),
                    nearest: nearest.map(|(point, _)| point.to_array()),
                    ..base(at, hint)
                }
            }
            NoFlight::TooTight { end, at, available } => {
                let end = if end == End::Start { "start" } else { "goal" };
                let hint =
                    format!("the {end} is {available:.3} m from a wall; the body needs {} m", asked.radius);
                Self { needed: Some(asked.radius), available: Some(available), ..base(at, hint) }
            }
            NoFlight::TooNarrow { at, available } => {
                let hint = narrow(at, available, asked.radius);
                Self { needed: Some(asked.radius), available: Some(available), ..base(at, hint) }
            }
            NoFlight::NoFloor { at } => {
                base(at, "there is no floor to stand on straight below the goal; leave out --stand".into())
            }
            NoFlight::Disconnected { at } => base(at, "no portals lead from the start to the goal".into()),
            _ => base(DVec3::ZERO, "no way was found".into()),
        }
    }
}

/// What to do where a body does not get through.
fn narrow(at: DVec3, available: f64, radius: f64) -> String {
    // Rounded down: what is said does get through.
    let fits = (available * 1e3).floor() / 1e3;
    if available >= radius {
        // Ways for wide bodies are looked for over places, and may be missed.
        return format!(
            "no way was found for a radius of {radius} m, though none of the narrow places is too narrow"
        );
    }
    if fits <= 0.0 {
        return format!("no way was found for a radius of {radius} m, nor for any other");
    }
    let at = at.to_array().map(coordinate).join(", ");
    format!(
        "the widest way that was found is {} m too narrow for a radius of {radius} m at {at}; a body of radius {fits:.3} m should get through",
        digits(radius - available)
    )
}

/// The path, and where it ends if it is to end standing.
fn find(
    finder: &FlyFinder,
    [from, to]: [DVec3; 2],
    asked: &Asked,
    scratch: &mut FlyScratch,
) -> Result<(Flight, Option<Stand>), NoFlight> {
    let stand = match asked.stand {
        true => Some(finder.stand(to, asked.radius).ok_or(NoFlight::NoFloor { at: to })?),
        false => None,
    };
    let to = stand.map_or(to, |stand| stand.centre);
    finder.find(from, to, asked.radius, asked.snap, scratch).map(|flight| (flight, stand))
}

/// The path as it is printed, or why there is none.
pub fn answer(
    finder: &FlyFinder,
    ends: [DVec3; 2],
    asked: &Asked,
    scratch: &mut FlyScratch,
) -> Result<Found, Box<Missing>> {
    let begin = Instant::now();
    let found = find(finder, ends, asked, scratch);
    let micros = begin.elapsed().as_secs_f64() * 1e6;
    let (flight, stand) = found.map_err(|no| Box::new(Missing::of(&no, asked)))?;
    let mut found = Found::of(finder, flight, micros);
    found.standing = stand.map(|stand| Standing {
        point: stand.floor.to_array(),
        region: stand.region.0,
        area: finder.mesh().standing(stand.region),
    });
    Ok(found)
}

/// One path.
pub fn one(
    mesh: &VolumeMesh,
    ends: [DVec3; 2],
    asked: &Asked,
    target: Option<&Path>,
    common: Common,
) -> Result<Answer> {
    let (finder, mut scratch) = (FlyFinder::new(mesh), FlyScratch::new());
    // What is reported is what every further query costs.
    let _ = find(&finder, ends, asked, &mut scratch);
    let (json, words, is_found) = match answer(&finder, ends, asked, &mut scratch) {
        Ok(found) => (serde_json::to_string(&found), found.words(), true),
        Err(missing) => (serde_json::to_string(&missing), missing.words(), false),
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
    mesh: &VolumeMesh,
    rows: &[[DVec3; 2]],
    asked: &Asked,
    target: Option<&Path>,
    common: Common,
) -> Result<Answer> {
    let finder = FlyFinder::new(mesh);
    let block = rows.len().div_ceil(rayon::current_num_threads()).max(1);
    let results: Vec<Row> = rows
        .par_chunks(block)
        .flat_map_iter(|rows| {
            let mut scratch = FlyScratch::new();
            let finder = &finder;
            if let Some(&row) = rows.first() {
                let _ = find(finder, row, asked, &mut scratch);
            }
            rows.iter().map(move |&row| {
                let begin = Instant::now();
                let found = find(finder, row, asked, &mut scratch);
                let micros = begin.elapsed().as_secs_f64() * 1e6;
                let reason = found.as_ref().err().map(reason);
                Row {
                    found: found.is_ok(),
                    length: found.ok().map(|(flight, _)| flight.length),
                    micros,
                    reason,
                    partial: None,
                }
            })
        })
        .collect();
    queries::report(results, Vec::new(), target, common)
}
