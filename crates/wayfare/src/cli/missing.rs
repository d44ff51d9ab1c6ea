//! Why there is no path: the reason, the place, and what would help.

use serde::Serialize;
use wayfare::{
    core::{DVec3, MAX_COORDINATE},
    navmesh::{Closed, Closest, End, LocateConfig, NavMesh, NoPath},
    view::Marks,
};

/// What to try when two places are not joined.
const SHOWN: &str = "; `wayfare explain` shows it with -o X.svg";

/// The keys of `path --json` and `explain --json` when there is no path.
#[derive(Debug, Serialize)]
pub struct Missing {
    found: bool,
    length: Option<f64>,
    pub reason: &'static str,
    at: [f64; 3],
    /// Radius or metres that would be needed.
    needed: Option<f64>,
    /// Radius or metres that there are.
    available: Option<f64>,
    /// The nearest place that would do in the place of `at`, if one is known.
    nearest: Option<[f64; 3]>,
    /// Where the two pieces of ground are nearest to each other, if they are not connected.
    closest: Option<ClosestPlaces>,
    hint: String,
    #[serde(skip)]
    sentence: String,
}

/// The nearest places of two pieces of ground.
#[derive(Debug, Serialize)]
struct ClosestPlaces {
    from: [f64; 3],
    to: [f64; 3],
    horizontal: f64,
    vertical: f64,
}

impl Missing {
    pub fn of(mesh: &NavMesh, no: &NoPath, to: DVec3, snap: f64) -> Self {
        let none = Self {
            found: false,
            length: None,
            reason: "unknown",
            at: to.to_array(),
            needed: None,
            available: None,
            nearest: None,
            closest: None,
            hint: String::new(),
            sentence: no.to_string(),
        };
        match *no {
            NoPath::OffMesh { which, at } => {
                // How far the ground really is.
                let anywhere = LocateConfig { snap: 4.0 * MAX_COORDINATE, ..LocateConfig::default() };
                let nearest = mesh.locate(at, &anywhere);
                let hint = match nearest {
                    Some(place) => format!(
                        "the {which} is {:.3} m from the nearest ground; move it, or allow more with --snap",
                        place.distance
                    ),
                    None => format!("there is no ground near the {which}"),
                };
                Self {
                    reason: "off-mesh",
                    at: at.to_array(),
                    needed: nearest.map(|place| place.distance),
                    available: Some(snap),
                    nearest: nearest.map(|place| place.point.to_array()),
                    hint,
                    ..none
                }
            }
            NoPath::TooTight { which, at, needed, available } => {
                let reason = match which {
                    End::Start => "start-too-tight",
                    End::Goal => "goal-too-tight",
                };
                let nearest = place_to_stand(mesh, at, needed);
                let hint = match nearest {
                    Some(place) => format!(
                        "move the {which} by {:.3} m to ({:.3}, {:.3}, {:.3}), or let --snap-clear do it",
                        place.distance(at),
                        place.x,
                        place.y,
                        place.z
                    ),
                    None => "this body fits nowhere on this piece of ground".into(),
                };
                Self {
                    reason,
                    at: at.to_array(),
                    needed: Some(needed),
                    available: Some(available),
                    nearest: nearest.map(|place| place.to_array()),
                    hint,
                    ..none
                }
            }
            NoPath::TooNarrow { at, needed, available } => Self {
                reason: "too-narrow",
                at: at.to_array(),
                needed: Some(needed),
                available: Some(available),
                hint: format!(
                    "{:.3} m more width there, or a body of radius {:.3} m, would do{SHOWN}",
                    2.0 * (needed - available),
                    // Rounded down, so that it does, but not for rounding's sake.
                    ((available + 1e-9) * 1e3).floor() / 1e3
                ),
                ..none
            },
            NoPath::Blocked { at, what } => Self {
                reason: "blocked",
                at: at.to_array(),
                hint: match what {
                    Closed::Cell(cell) => format!("cell {cell} is closed; open it{SHOWN}"),
                    Closed::Portal(portal) => {
                        let [one, two] = mesh.portals()[portal].map(|corner| mesh.cell_of_corner(corner));
                        format!("portal {portal} between cells {one} and {two} is closed; open it{SHOWN}")
                    }
                },
                ..none
            },
            NoPath::TagForbidden { at, tag } => {
                let name = mesh.tag_names().get(usize::from(tag)).map_or("", String::as_str);
                Self {
                    reason: "tag-forbidden",
                    at: at.to_array(),
                    hint: format!("allow ground with the tag '{name}'{SHOWN}"),
                    ..none
                }
            }
            NoPath::Unreachable { from, to: component } => {
                let closest = mesh.closest_places(from, component);
                Self {
                    reason: "disconnected",
                    closest: closest.map(ClosestPlaces::of),
                    hint: closest.map_or_else(
                        || "no walkable ground joins the two places".into(),
                        |closest| gap(&closest),
                    ) + SHOWN,
                    ..none
                }
            }
            _ => none,
        }
    }

    /// The reason and what to try.
    pub fn words(&self) -> String {
        format!("{}; {}", self.sentence, self.hint)
    }

    /// The same where a picture is being made already.
    pub fn words_beside_a_picture(&self) -> String {
        format!("{}; {}", self.sentence, self.hint.trim_end_matches(SHOWN))
    }

    /// What of it can be drawn.
    pub fn marks(&self, from: DVec3, to: DVec3, radius: f64) -> Marks {
        let narrow = self.available.filter(|_| self.reason == "too-narrow");
        Marks {
            start: Some(from),
            goal: Some(to),
            radius,
            closed: ["blocked", "tag-forbidden"].contains(&self.reason).then(|| DVec3::from_array(self.at)),
            narrow: narrow.map(|available| (DVec3::from_array(self.at), available)),
            gap: self.closest.as_ref().map(|gap| [gap.from, gap.to].map(DVec3::from_array)),
            ..Marks::default()
        }
    }
}

/// The keys of `path --partial --json` when there is only a part of a path.
#[derive(Debug, Serialize)]
pub struct Partial {
    /// Where the path ends instead.
    pub reached: [f64; 3],
    /// How far the goal is from there [m].
    pub left: f64,
    reason: &'static str,
    at: [f64; 3],
    needed: Option<f64>,
    available: Option<f64>,
    hint: String,
    #[serde(skip)]
    sentence: String,
}

impl Partial {
    pub fn of(missing: Missing, reached: DVec3, left: f64) -> Self {
        let Missing { reason, at, needed, available, hint, sentence, .. } = missing;
        Self { reached: reached.to_array(), left, reason, at, needed, available, hint, sentence }
    }

    /// Why it does not go on, and what to try.
    pub fn words(&self) -> String {
        format!("{}; {}", self.sentence, self.hint)
    }
}

impl ClosestPlaces {
    fn of(closest: Closest) -> Self {
        let [from, to] = closest.places.map(|place| place.to_array());
        Self { from, to, horizontal: closest.horizontal, vertical: closest.vertical }
    }
}

/// What separates two pieces of ground, in words.
fn gap(closest: &Closest) -> String {
    let [a, b] = closest.places;
    let step = match closest.vertical {
        rise if rise.abs() < 1e-9 => String::new(),
        rise if rise > 0.0 => format!(" and {rise:.3} m up"),
        fall => format!(" and {:.3} m down", -fall),
    };
    format!(
        "the nearest places of the two are {:.3} m apart{step}, from ({:.3}, {:.3}, {:.3}) to ({:.3}, {:.3}, {:.3})",
        closest.horizontal, a.x, a.y, a.z, b.x, b.y, b.z
    )
}

/// Where a body fits near a place on the ground.
fn place_to_stand(mesh: &NavMesh, at: DVec3, radius: f64) -> Option<DVec3> {
    let location = mesh.locate(at, &LocateConfig::default())?;
    mesh.clearances()?.nearest_free(location.cell, location.point.truncate(), radius)
}
