//! Scenario files: TOML in which every mistake is told with its line.
//!
//! Reading has two steps: the tables as they stand (unknown names and wrong types are refused by the parser, with the
//! place), then what they mean: names that must exist, numbers in their ranges.

use super::{draw::Distribution, measure::Line, zone::Zone};
use crate::way_point::WayPointRule;
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

/// Where agents come into being.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    /// Its line in the file.
    pub line: usize,
    /// An area, or points.
    pub zone: Option<Zone>,
    /// Points at which agents stand, if there is no area.
    pub points: Vec<DVec3>,
    /// How many agents.
    pub number: usize,
    /// How many come per second; nothing: all at once.
    pub rate: Option<f64>,
    /// When the first come [s].
    pub from: f64,
    /// Their radius [m].
    pub radius: Distribution,
    /// Their wish speed [m/s].
    pub speed: Distribution,
    /// How long they stay before they go [s].
    pub pre_movement: Distribution,
    /// Goals on the way.
    pub via: Vec<Via>,
    /// Numbers of the exits that they may use.
    pub to: Vec<usize>,
}

/// A goal on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// Number of the goal.
    pub goal: usize,
    /// How long agents stay there [s].
    pub wait: f64,
}

/// Where agents leave, or where they go on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    /// Its line in the file.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// The most persons per second; nothing: any number.
    pub cap: Option<f64>,
}

/// A place that can be gone to.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// An area.
    Zone(Zone),
    /// A point and how near is near enough [m].
    Point(DVec3, f64),
}

/// Where agents are slower or faster.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedZone {
    /// Its line in the file.
    pub line: usize,
    /// Cells with this tag, or those whose middle lies in the area.
    pub tag: Option<String>,
    /// The area.
    pub zone: Option<Zone>,
    /// Speed as a share of the wish speed.
    pub factor: f64,
}

/// A door.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// Its line in the file.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// Its two ends.
    pub ends: [DVec3; 2],
    /// When it is opened (true) and closed (false) [s], in order; at time 0 it is open.
    pub turns: Vec<(f64, bool)>,
}

/// A scenario that makes sense by itself; whether it fits a mesh is told when it is put on one.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What lots are drawn from.
    pub seed: u64,
    /// When it ends [s].
    pub duration: f64,
    /// Steps per second.
    pub rate: f64,
    /// Whether it ends when everybody has left.
    pub stop_when_empty: bool,
    /// Frames per second of the trajectories.
    pub frame_rate: f64,
    /// How way points are chosen.
    pub way_points: WayPointRule,
    /// Exits, then goals.
    pub exits: Vec<Exit>,
    /// Who comes.
    pub spawns: Vec<Spawn>,
    /// Where agents are slower or faster.
    pub speeds: Vec<SpeedZone>,
    /// Doors.
    pub doors: Vec<Door>,
    /// Lines at which flows are measured.
    pub lines: Vec<Line>,
    /// Areas in which densities are measured, with their names.
    pub areas: Vec<(String, Zone)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    seed: Option<u64>,
    duration: Option<f64>,
    rate: Option<f64>,
    frame_rate: Option<f64>,
    stop_when_empty: Option<bool>,
    way_points: Option<RuleName>,
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceTable {
    name: String,
    rectangle: Option<[f64; 4]>,
    polygon: Option<Vec<[f64; 2]>>,
    point: Option<[f64; 3]>,
    radius: Option<f64>,
    z: Option<f64>,
    cap: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpawnTable {
    rectangle: Option<[f64; 4]>,
    polygon: Option<Vec<[f64; 2]>>,
    points: Option<Vec<[f64; 3]>>,
    z: Option<f64>,
    number: Option<usize>,
    rate: Option<f64>,
    from: Option<f64>,
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
    rectangle: Option<[f64; 4]>,
    polygon: Option<Vec<[f64; 2]>>,
    z: Option<f64>,
    factor: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DoorTable {
    name: String,
    from: [f64; 3],
    to: [f64; 3],
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
    from: [f64; 2],
    to: [f64; 2],
    z: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaTable {
    name: String,
    rectangle: Option<[f64; 4]>,
    polygon: Option<Vec<[f64; 2]>>,
    z: Option<f64>,
}

/// Ground within this of the height that was given is meant [m]: less than a storey.
const STOREY: f64 = 1.25;
/// Most agents of a scenario.
const MOST_AGENTS: usize = 1_000_000;

impl Scenario {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let line_at = |offset: usize| 1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
        let file: File = toml::from_str(text).map_err(|error| ScenarioError {
            line: error.span().map_or(0, |span| line_at(span.start)),
            message: error.message().to_owned(),
        })?;
        let mut scenario = Self {
            seed: file.seed.unwrap_or(0),
            duration: file.duration.unwrap_or(600.0),
            rate: file.rate.unwrap_or(60.0),
            stop_when_empty: file.stop_when_empty.unwrap_or(true),
            frame_rate: file.frame_rate.unwrap_or(10.0),
            way_points: match file.way_points.unwrap_or(RuleName::Blend) {
                RuleName::Centre => WayPointRule::Centre,
                RuleName::Funnel => WayPointRule::Funnel,
                RuleName::Dynamic => WayPointRule::Dynamic,
                RuleName::Blend => WayPointRule::Blend,
            },
            exits: Vec::new(),
            spawns: Vec::new(),
            speeds: Vec::new(),
            doors: Vec::new(),
            lines: Vec::new(),
            areas: Vec::new(),
        };
        let top = |message: String| ScenarioError { line: 0, message };
        number("duration", scenario.duration, 0.0, 1e6).map_err(top)?;
        number("rate", scenario.rate, 1.0, 1000.0).map_err(top)?;
        number("frame_rate", scenario.frame_rate, 0.01, scenario.rate).map_err(top)?;
        let exits = file.exit.len();
        for table in file.exit.into_iter().chain(file.goal) {
            let line = line_at(table.span().start);
            let exit = exit(table.into_inner(), line).map_err(|message| ScenarioError { line, message })?;
            if scenario.exits.iter().any(|other| other.name == exit.name) {
                return Err(ScenarioError {
                    line,
                    message: format!("the name '{}' is used twice", exit.name),
                });
            }
            scenario.exits.push(exit);
        }
        for table in file.spawn {
            let line = line_at(table.span().start);
            let spawn = spawn(table.into_inner(), line, &scenario.exits, exits);
            scenario.spawns.push(spawn.map_err(|message| ScenarioError { line, message })?);
        }
        if scenario.spawns.iter().map(|spawn| spawn.number).fold(0, usize::saturating_add) > MOST_AGENTS {
            return Err(top(format!("more than {MOST_AGENTS} agents")));
        }
        for table in file.speed {
            let line = line_at(table.span().start);
            let zone = speed(table.into_inner(), line).map_err(|message| ScenarioError { line, message })?;
            scenario.speeds.push(zone);
        }
        for table in file.door {
            let line = line_at(table.span().start);
            let door = door(table.into_inner(), line).map_err(|message| ScenarioError { line, message })?;
            scenario.doors.push(door);
        }
        for table in file.line {
            let at = line_at(table.span().start);
            let line = line(table.into_inner()).map_err(|message| ScenarioError { line: at, message })?;
            scenario.lines.push(line);
        }
        for table in file.area {
            let line = line_at(table.span().start);
            let AreaTable { name, rectangle, polygon, z } = table.into_inner();
            let zone = zone(rectangle, polygon, z)
                .and_then(|zone| zone.ok_or_else(|| "give rectangle or polygon".to_owned()));
            let zone = zone.map_err(|message| ScenarioError { line, message })?;
            scenario.areas.push((name, zone));
        }
        Ok(scenario)
    }
}

fn number(name: &str, value: f64, low: f64, high: f64) -> Result<f64, String> {
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        Err(format!("{name} = {value} is outside {low} .. {high}"))
    }
}

fn plan([x, y]: [f64; 2]) -> Result<DVec2, String> {
    number("a coordinate", x.abs().max(y.abs()), 0.0, MAX_COORDINATE)?;
    Ok(DVec2::new(x, y))
}

fn space([x, y, z]: [f64; 3]) -> Result<DVec3, String> {
    number("a coordinate", x.abs().max(y.abs()).max(z.abs()), 0.0, MAX_COORDINATE)?;
    Ok(DVec3::new(x, y, z))
}

fn zone(
    rectangle: Option<[f64; 4]>,
    polygon: Option<Vec<[f64; 2]>>,
    z: Option<f64>,
) -> Result<Option<Zone>, String> {
    let heights = match z {
        Some(z) => {
            number("z", z.abs(), 0.0, MAX_COORDINATE)?;
            [z - STOREY, z + STOREY]
        }
        None => [f64::NEG_INFINITY, f64::INFINITY],
    };
    let ring = match (rectangle, polygon) {
        (Some(_), Some(_)) => return Err("give rectangle or polygon, not both".into()),
        (None, None) => return Ok(None),
        (Some([x0, y0, x1, y1]), None) => vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]],
        (None, Some(ring)) => ring,
    };
    let ring = ring.into_iter().map(plan).collect::<Result<_, _>>()?;
    Zone::new(ring, heights).map(Some)
}

fn exit(table: PlaceTable, line: usize) -> Result<Exit, String> {
    let PlaceTable { name, rectangle, polygon, point, radius, z, cap } = table;
    if let Some(cap) = cap {
        number("cap", cap, 1e-3, 1e6)?;
    }
    let place = match (zone(rectangle, polygon, z)?, point) {
        (Some(zone), None) => Place::Zone(zone),
        (None, Some(point)) => {
            Place::Point(space(point)?, number("radius", radius.unwrap_or(0.5), 0.01, 1000.0)?)
        }
        _ => return Err(format!("'{name}' needs one of rectangle, polygon and point")),
    };
    Ok(Exit { line, name, place, cap })
}

fn spawn(table: SpawnTable, line: usize, exits: &[Exit], exit_count: usize) -> Result<Spawn, String> {
    let SpawnTable {
        rectangle,
        polygon,
        points,
        z,
        number: count,
        rate,
        from,
        radius,
        speed,
        pre_movement,
        via,
        to,
    } = table;
    let named = |name: &str| {
        let found = exits.iter().position(|exit| exit.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = exits.iter().map(|exit| exit.name.as_str()).collect();
            format!("there is no exit or goal '{name}'; there are: {}", names.join(", "))
        })
    };
    let zone = zone(rectangle, polygon, z)?;
    let points: Vec<DVec3> = points.unwrap_or_default().into_iter().map(space).collect::<Result<_, _>>()?;
    let number_of = match (&zone, points.len(), count) {
        (Some(_), 0, Some(count)) => count,
        (None, 1.., None) => points.len(),
        (None, 1.., Some(count)) if rate.is_some() => count,
        (Some(_), 0, None) => return Err("number is missing".into()),
        _ => return Err("give rectangle or polygon with number, or points".into()),
    };
    let to = match to.as_slice() {
        [] if exit_count > 0 => (0..exit_count).collect(),
        [] => return Err("there is no exit to go to".into()),
        names => names.iter().map(|name| named(name)).collect::<Result<_, _>>()?,
    };
    let via = via.into_iter().map(|via| {
        Ok(Via { goal: named(&via.goal)?, wait: number("wait", via.wait.unwrap_or(0.0), 0.0, 1e6)? })
    });
    let within = |name: &str, given: Option<Distribution>, usual: f64, low: f64, high: f64| {
        let distribution = given.unwrap_or(Distribution::Constant(usual));
        for limit in distribution.limits() {
            number(name, limit, low, high)?;
        }
        Ok::<_, String>(distribution)
    };
    Ok(Spawn {
        line,
        zone,
        points,
        number: number_of,
        rate: rate.map(|rate| number("rate", rate, 1e-6, 1e6)).transpose()?,
        from: number("from", from.unwrap_or(0.0), 0.0, 1e6)?,
        radius: within("radius", radius, 0.2, 0.05, 5.0)?,
        speed: within("speed", speed, 1.34, 0.0, 10.0)?,
        pre_movement: within("pre_movement", pre_movement, 0.0, 0.0, 1e6)?,
        via: via.collect::<Result<_, String>>()?,
        to,
    })
}

fn speed(table: SpeedTable, line: usize) -> Result<SpeedZone, String> {
    let SpeedTable { tag, rectangle, polygon, z, factor } = table;
    let zone = zone(rectangle, polygon, z)?;
    if tag.is_some() == zone.is_some() {
        return Err("give one of tag, rectangle and polygon".into());
    }
    Ok(SpeedZone { line, tag, zone, factor: number("factor", factor, 0.05, 2.0)? })
}

fn door(table: DoorTable, line: usize) -> Result<Door, String> {
    let DoorTable { name, from, to, closed, open_at, close_at } = table;
    let mut turns = if closed { vec![(0.0, false)] } else { Vec::new() };
    turns.extend(open_at.into_iter().map(|time| (time, true)));
    turns.extend(close_at.into_iter().map(|time| (time, false)));
    for (time, _) in &turns {
        number("a time", *time, 0.0, 1e6)?;
    }
    turns.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(Door { line, name, ends: [space(from)?, space(to)?], turns })
}

fn line(table: LineTable) -> Result<Line, String> {
    let LineTable { name, from, to, z } = table;
    let ends = [plan(from)?, plan(to)?];
    if ends[0] == ends[1] {
        return Err(format!("the line '{name}' has no length"));
    }
    let heights = z.map_or([f64::NEG_INFINITY, f64::INFINITY], |z| [z - STOREY, z + STOREY]);
    Ok(Line { name, ends, heights })
}
