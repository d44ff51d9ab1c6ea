//! What a scenario holds: who comes, where they go, doors, and what is measured.

use super::{draw::Distribution, measure::Line, zone::Zone};
use crate::{config::MovementChoice, way_point::WayPointRule};
use serde::Deserialize;
use wayfare_core::DVec3;

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
    /// When the last come, where they come at a rate [s].
    pub until: f64,
    /// How many keep together.
    pub group: Distribution,
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

/// Which of several exits agents take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExitChoice {
    /// The one that they expect to have left through first, with those who queue there.
    #[default]
    Congestion,
    /// The one that they reach first.
    Distance,
}

/// An area in which a density is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredArea {
    /// Its line in the file.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub zone: Zone,
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
    /// It ends when so many have arrived.
    pub stop_after_arrived: Option<usize>,
    /// Frames per second of the trajectories.
    pub frame_rate: f64,
    /// How way points are chosen.
    pub way_points: WayPointRule,
    /// How agents move.
    pub movement: MovementChoice,
    /// Which exit agents take.
    pub exit_choice: ExitChoice,
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
    /// Areas in which densities are measured.
    pub areas: Vec<MeasuredArea>,
}
