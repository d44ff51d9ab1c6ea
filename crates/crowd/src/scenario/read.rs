//! Scenario files: TOML in which every mistake is told with its line.
//!
//! Reading has two steps: the tables as they stand (unknown names and wrong types are refused by the parser, with the
//! place), then what they mean: names that must exist, numbers in their ranges. The second step knows the key that is
//! wrong; its line is found in the text of the table.

use super::{
    content::{Door, Exit, ExitChoice, MeasuredArea, Place, Scenario, Spawn, SpeedZone, Via},
    draw::Distribution,
    measure::Line,
    numbers::{Numbers, Whole},
    zone::Zone,
};
use crate::{
    config::MovementChoice,
    movement::{forces::ForcesConfig, reciprocal::ReciprocalConfig},
    way_point::WayPointRule,
};
use serde::Deserialize;
use std::fmt;
use toml::Spanned;
use wayfare_core::{DVec2, DVec3, MAX_COORDINATE};

/// What is wrong with a scenario, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// The line, from 1 on; 0 where it has no line.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}
impl std::error::Error for ScenarioError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    seed: Option<Whole>,
    duration: Option<f64>,
    rate: Option<f64>,
    frame_rate: Option<f64>,
    stop_when_empty: Option<bool>,
    stop_after_arrived: Option<Whole>,
    way_points: Option<RuleName>,
    movement: Option<MovementName>,
    exit_choice: Option<ExitChoice>,
    #[serde(default)]
    exit: Vec<Spanned<PlaceTable>>,
    #[serde(default)]
    goal: Vec<Spanned<PlaceTable>>,
    #[serde(default)]
    spawn: Vec<Spanned<SpawnTable>>,
    #[serde(default)]
    speed: Vec<Spanned<SpeedTable>>,
    #[serde(default)]
    door: Vec<Spanned<DoorTable>>,
    #[serde(default)]
    line: Vec<Spanned<LineTable>>,
    #[serde(default)]
    area: Vec<Spanned<AreaTable>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RuleName {
    Centre,
    Funnel,
    Dynamic,
    Blend,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MovementName {
    Predictive,
    Forces,
    Reciprocal,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceTable {
    name: String,
    rectangle: Option<Numbers<4>>,
    polygon: Option<Vec<Numbers<2>>>,
    point: Option<Numbers<3>>,
    radius: Option<f64>,
    z: Option<f64>,
    cap: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpawnTable {
    rectangle: Option<Numbers<4>>,
    polygon: Option<Vec<Numbers<2>>>,
    points: Option<Vec<Numbers<3>>>,
    z: Option<f64>,
    number: Option<Whole>,
    rate: Option<f64>,
    from: Option<f64>,
    until: Option<f64>,
    group: Option<Distribution>,
    radius: Option<Distribution>,
    speed: Option<Distribution>,
    pre_movement: Option<Distribution>,
    #[serde(default)]
    via: Vec<ViaTable>,
    #[serde(default)]
    to: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ViaTable {
    goal: String,
    wait: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpeedTable {
    tag: Option<String>,
    rectangle: Option<Numbers<4>>,
    polygon: Option<Vec<Numbers<2>>>,
    z: Option<f64>,
    factor: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DoorTable {
    name: String,
    from: Numbers<3>,
    to: Numbers<3>,
    #[serde(default)]
    closed: bool,
    #[serde(default)]
    open_at: Vec<f64>,
    #[serde(default)]
    close_at: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineTable {
    name: String,
    from: Numbers<2>,
    to: Numbers<2>,
    z: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaTable {
    name: String,
    rectangle: Option<Numbers<4>>,
    polygon: Option<Vec<Numbers<2>>>,
    z: Option<f64>,
}

/// Ground within this of the height that was given is meant [m]: less than a storey.
const STOREY: f64 = 1.25;
/// Most agents of a scenario.
const MOST_AGENTS: usize = 1_000_000;

/// A whole number that is 0 or more.
fn whole(key: &'static str, given: Option<Whole>) -> Result<Option<u64>, Wrong> {
    let Some(Whole(n)) = given else { return Ok(None) };
    u64::try_from(n).map(Some).or_else(|_| wrong(key, format!("{key} = {n} is less than 0")))
}

/// What is wrong, and at which key of its table; "" where it is the table.
struct Wrong {
    key: &'static str,
    message: String,
}

fn wrong<T>(key: &'static str, message: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { key, message: message.into() })
}

/// The line of a key of a table whose header is in a line, 0 for the top of the file; that of the header if it is not there.
fn line_of(text: &str, header: usize, key: &str) -> usize {
    let is_header = |line: &str| {
        let line = line.trim_start();
        line.starts_with('[') && line.trim_start_matches(['[', ' ']).starts_with(|c: char| c.is_alphabetic())
    };
    let is_key = |line: &str| {
        let rest = line.trim_start().strip_prefix(key).filter(|_| !key.is_empty());
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let mut lines = text.lines().enumerate().skip(header).take_while(|(_, line)| !is_header(line));
    lines.find(|(_, line)| is_key(line)).map_or(header, |(k, _)| k + 1)
}

/// Reads each of some tables; what is wrong is told with its line.
fn read_each<T, U>(
    text: &str,
    tables: Vec<Spanned<T>>,
    mut read: impl FnMut(T, usize) -> Result<U, Wrong>,
) -> Result<Vec<U>, ScenarioError> {
    let read = tables.into_iter().map(|table| {
        let line = line_at(text, table.span().start);
        read(table.into_inner(), line)
            .map_err(|Wrong { key, message }| ScenarioError { line: line_of(text, line, key), message })
    });
    read.collect()
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// A name must be used once.
fn once<'a>(mut names: impl Iterator<Item = &'a str>, name: &str) -> Result<(), Wrong> {
    if names.any(|other| other == name) {
        wrong("name", format!("the name '{name}' is used twice"))
    } else {
        Ok(())
    }
}

impl Scenario {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let file: File = toml::from_str(text).map_err(|error| ScenarioError {
            line: error.span().map_or(0, |span| line_at(text, span.start)),
            message: match error.message() {
                // `[exit]` instead of `[[exit]]`.
                "invalid type: map, expected a sequence" => {
                    "this is one of several: its header has two brackets on each side, as in [[exit]]".into()
                }
                message => message.to_owned(),
            },
        })?;
        let top = |Wrong { key, message }| ScenarioError { line: line_of(text, 0, key), message };
        let seed = whole("seed", file.seed).map_err(top)?;
        let enough = whole("stop_after_arrived", file.stop_after_arrived).map_err(top)?;
        let rate = file.rate.unwrap_or(60.0);
        let mut scenario = Self {
            seed: seed.unwrap_or(0),
            duration: file.duration.unwrap_or(600.0),
            rate,
            stop_when_empty: file.stop_when_empty.unwrap_or(true),
            stop_after_arrived: enough.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
            frame_rate: file.frame_rate.unwrap_or(rate.min(10.0)),
            way_points: match file.way_points.unwrap_or(RuleName::Blend) {
                RuleName::Centre => WayPointRule::Centre,
                RuleName::Funnel => WayPointRule::Funnel,
                RuleName::Dynamic => WayPointRule::Dynamic,
                RuleName::Blend => WayPointRule::Blend,
            },
            movement: match file.movement.unwrap_or(MovementName::Predictive) {
                MovementName::Predictive => MovementChoice::default(),
                MovementName::Forces => MovementChoice::Forces(ForcesConfig::default()),
                MovementName::Reciprocal => MovementChoice::Reciprocal(ReciprocalConfig::default()),
            },
            exit_choice: file.exit_choice.unwrap_or_default(),
            exits: Vec::new(),
            spawns: Vec::new(),
            speeds: Vec::new(),
            doors: Vec::new(),
            lines: Vec::new(),
            areas: Vec::new(),
        };
        number("duration", scenario.duration, 0.0, 1e6).map_err(top)?;
        number("rate", scenario.rate, 1.0, 1000.0).map_err(top)?;
        number("frame_rate", scenario.frame_rate, 0.01, scenario.rate).map_err(top)?;
        let exits = file.exit.len();
        let places = file.exit.into_iter().chain(file.goal).collect();
        let mut names: Vec<String> = Vec::new();
        scenario.exits = read_each(text, places, |table: PlaceTable, line| {
            once(names.iter().map(String::as_str), &table.name)?;
            names.push(table.name.clone());
            exit(table, line)
        })?;
        let mut agents = 0usize;
        scenario.spawns = read_each(text, file.spawn, |table, line| {
            let spawn = spawn(table, line, &scenario.exits, exits)?;
            agents = agents.saturating_add(spawn.number);
            if agents > MOST_AGENTS {
                return wrong("number", format!("more than {MOST_AGENTS} agents in all"));
            }
            Ok(spawn)
        })?;
        scenario.speeds = read_each(text, file.speed, speed)?;
        let mut names: Vec<String> = Vec::new();
        scenario.doors = read_each(text, file.door, |table: DoorTable, line| {
            once(names.iter().map(String::as_str), &table.name)?;
            names.push(table.name.clone());
            door(table, line)
        })?;
        let mut names: Vec<String> = Vec::new();
        scenario.lines = read_each(text, file.line, |table: LineTable, at| {
            once(names.iter().map(String::as_str), &table.name)?;
            names.push(table.name.clone());
            line(table, at)
        })?;
        let mut names: Vec<String> = Vec::new();
        scenario.areas = read_each(text, file.area, |AreaTable { name, rectangle, polygon, z }, line| {
            once(names.iter().map(String::as_str), &name)?;
            names.push(name.clone());
            let Some(zone) = zone(rectangle, polygon, z)? else {
                return wrong("", "give rectangle or polygon");
            };
            Ok(MeasuredArea { line, name, zone })
        })?;
        if scenario.spawns.is_empty() {
            return Err(ScenarioError { line: 1, message: "nobody comes: there is no [[spawn]]".into() });
        }
        Ok(scenario)
    }
}

fn number(key: &'static str, value: f64, low: f64, high: f64) -> Result<f64, Wrong> {
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        wrong(key, format!("{key} = {} is outside {low} .. {high}", shown(value)))
    }
}

/// A number as one would write it: neither hundreds of digits nor what rounding leaves behind.
pub(super) fn shown(value: f64) -> String {
    let size = value.abs();
    let usual = size == 0.0 || (1e-4..1e12).contains(&size) || !size.is_finite();
    let rounded = (value * 1e9).round() / 1e9;
    if usual {
        format!("{}", if rounded.is_finite() { rounded } else { value })
    } else {
        format!("{value:e}")
    }
}

fn plan(key: &'static str, Numbers([x, y]): Numbers<2>) -> Result<DVec2, Wrong> {
    space(key, Numbers([x, y, 0.0])).map(DVec3::truncate)
}

fn space(key: &'static str, Numbers(at): Numbers<3>) -> Result<DVec3, Wrong> {
    // NaN is in no range.
    if at.iter().all(|x| (-MAX_COORDINATE..=MAX_COORDINATE).contains(x)) {
        Ok(DVec3::from(at))
    } else {
        wrong(key, format!("{key} has a coordinate beyond {MAX_COORDINATE:e} m or not a number"))
    }
}

/// The ground that is meant by a height.
fn heights(z: Option<f64>) -> Result<[f64; 2], Wrong> {
    let Some(z) = z else { return Ok([f64::NEG_INFINITY, f64::INFINITY]) };
    number("z", z, -MAX_COORDINATE, MAX_COORDINATE).map(|z| [z - STOREY, z + STOREY])
}

fn zone(
    rectangle: Option<Numbers<4>>,
    polygon: Option<Vec<Numbers<2>>>,
    z: Option<f64>,
) -> Result<Option<Zone>, Wrong> {
    let heights = heights(z)?;
    let (key, ring) = match (rectangle, polygon) {
        (Some(_), Some(_)) => return wrong("polygon", "give rectangle or polygon, not both"),
        (None, None) => return Ok(None),
        (Some(Numbers([x0, y0, x1, y1])), None) => {
            ("rectangle", [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(Numbers).to_vec())
        }
        (None, Some(ring)) => ("polygon", ring),
    };
    let ring = ring.into_iter().map(|p| plan(key, p)).collect::<Result<_, _>>()?;
    Zone::new(ring, heights).map(Some).map_err(|message| Wrong { key, message })
}

fn exit(table: PlaceTable, line: usize) -> Result<Exit, Wrong> {
    let PlaceTable { name, rectangle, polygon, point, radius, z, cap } = table;
    if let Some(cap) = cap {
        number("cap", cap, 1e-3, 1e6)?;
    }
    let place = match (zone(rectangle, polygon, z)?, point) {
        (Some(_), None) if radius.is_some() => return wrong("radius", "a radius is for a point"),
        (Some(zone), None) => Place::Zone(zone),
        (None, Some(point)) => {
            Place::Point(space("point", point)?, number("radius", radius.unwrap_or(0.5), 0.01, 1000.0)?)
        }
        _ => return wrong("name", format!("'{name}' needs one of rectangle, polygon and point")),
    };
    Ok(Exit { line, name, place, cap })
}

fn spawn(table: SpawnTable, line: usize, exits: &[Exit], exit_count: usize) -> Result<Spawn, Wrong> {
    let named = |key: &'static str, name: &str, among: &[Exit]| {
        let found = among.iter().position(|exit| exit.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = among.iter().map(|exit| exit.name.as_str()).collect();
            Wrong {
                key,
                message: format!("there is no exit or goal '{name}'; there are: {}", names.join(", ")),
            }
        })
    };
    let zone = zone(table.rectangle, table.polygon, table.z)?;
    let points = table.points.unwrap_or_default().into_iter().map(|at| space("points", at));
    let points: Vec<DVec3> = points.collect::<Result<_, _>>()?;
    let rate = table.rate.map(|rate| number("rate", rate, 1e-6, 1e6)).transpose()?;
    let from = number("from", table.from.unwrap_or(0.0), 0.0, 1e6)?;
    let until = match (table.until, rate) {
        (Some(until), Some(_)) => number("until", until, from, 1e6)?,
        (Some(_), None) => return wrong("until", "until needs a rate"),
        (None, _) => f64::INFINITY,
    };
    // The first comes at once.
    let in_time = rate.filter(|_| until.is_finite()).map(|rate| (rate * (until - from)).floor() as usize + 1);
    let given = whole("number", table.number)?.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let number_of = match (&zone, points.len(), given.or(in_time)) {
        (Some(_), 0, Some(count)) => count,
        (None, 1.., Some(count)) if rate.is_some() => count,
        (None, 1.., None) if rate.is_none() => points.len(),
        (None, 1.., Some(_)) => {
            return wrong("number", "each point is for one: number is for areas and rates");
        }
        (Some(_), 0, None) | (None, 1.., None) => return wrong("", "number is missing"),
        _ => return wrong("", "give one of rectangle, polygon and points"),
    };
    let to = match table.to.as_slice() {
        [] if exit_count > 0 => (0..exit_count).collect(),
        [] => return wrong("", "there is no exit to go to"),
        names => names.iter().map(|name| named("to", name, exits)).collect::<Result<_, _>>()?,
    };
    let via = table.via.into_iter().map(|via| {
        let goal = named("via", &via.goal, exits)?;
        let wait = number("wait", via.wait.unwrap_or(0.0), 0.0, 1e6);
        Ok(Via { goal, wait: wait.map_err(|error| Wrong { key: "via", ..error })? })
    });
    let within = |key: &'static str, given: Option<Distribution>, usual: f64, low: f64, high: f64| {
        let distribution = given.unwrap_or(Distribution::Constant(usual));
        if let Distribution::Constant(value) = distribution {
            number(key, value, low, high)?;
        }
        for (limit, (word, bound)) in
            distribution.limits().into_iter().zip([("small", "min"), ("large", "max")])
        {
            if !(low..=high).contains(&limit) {
                let hint = match distribution {
                    Distribution::Normal { .. } | Distribution::LogNormal { .. } => {
                        format!("; give a {bound}")
                    }
                    _ => String::new(),
                };
                let limit = shown(limit);
                return wrong(
                    key,
                    format!("{key} may be as {word} as {limit}, which is outside {low} .. {high}{hint}"),
                );
            }
        }
        Ok::<_, Wrong>(distribution)
    };
    Ok(Spawn {
        line,
        zone,
        points,
        number: number_of,
        rate,
        from,
        until,
        group: match within("group", table.group, 1.0, 1.0, 100.0)? {
            // What is drawn is rounded; what is written is meant.
            Distribution::Constant(size) if size.fract() != 0.0 => {
                return wrong("group", format!("group = {size} is not a whole number"));
            }
            sizes => sizes,
        },
        radius: within("radius", table.radius, 0.2, 0.05, 5.0)?,
        speed: within("speed", table.speed, 1.34, 0.0, 10.0)?,
        pre_movement: within("pre_movement", table.pre_movement, 0.0, 0.0, 1e6)?,
        via: via.collect::<Result<_, Wrong>>()?,
        to,
    })
}

fn speed(table: SpeedTable, line: usize) -> Result<SpeedZone, Wrong> {
    let SpeedTable { tag, rectangle, polygon, z, factor } = table;
    let zone = zone(rectangle, polygon, z)?;
    if tag.is_some() == zone.is_some() {
        return wrong("tag", "give one of tag, rectangle and polygon");
    }
    Ok(SpeedZone { line, tag, zone, factor: number("factor", factor, 0.05, 2.0)? })
}

fn door(table: DoorTable, line: usize) -> Result<Door, Wrong> {
    let DoorTable { name, from, to, closed, open_at, close_at } = table;
    let ends = [space("from", from)?, space("to", to)?];
    if ends[0].truncate().distance(ends[1].truncate()) < 0.05 {
        return wrong("to", format!("the door '{name}' is less than 5 cm wide"));
    }
    let mut turns = if closed { vec![(0.0, false)] } else { Vec::new() };
    for (key, times, opens) in [("open_at", open_at, true), ("close_at", close_at, false)] {
        for time in times {
            turns.push((number(key, time, 0.0, 1e6)?, opens));
        }
    }
    turns.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(Door { line, name, ends, turns })
}

fn line(table: LineTable, line: usize) -> Result<Line, Wrong> {
    let LineTable { name, from, to, z } = table;
    let ends = [plan("from", from)?, plan("to", to)?];
    if ends[0] == ends[1] {
        return wrong("to", format!("the line '{name}' has no length"));
    }
    Ok(Line { line, name, ends, heights: heights(z)? })
}
