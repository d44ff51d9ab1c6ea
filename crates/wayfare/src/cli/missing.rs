//! Why there is no path: the reason, the place, and what would help.

use serde::Serialize;
use std::ops::Deref;
use wayfare::{
    core::{DVec3, MAX_COORDINATE},
    navmesh::{Body, Closed, Closest, End, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch},
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

/// The reason in one word.
pub fn reason(no: &NoPath) -> &'static str {
    match no {
        NoPath::OffMesh { .. } => "off-mesh",
        NoPath::TooTight { which: End::Start, .. } => "start-too-tight",
        NoPath::TooTight { which: End::Goal, .. } => "goal-too-tight",
        NoPath::TooNarrow { .. } => "too-narrow",
        NoPath::Blocked { .. } => "blocked",
        NoPath::TagForbidden { .. } => "tag-forbidden",
        NoPath::StepTooHigh { .. } => "step-too-high",
        NoPath::GapTooWide { .. } => "gap-too-wide",
        NoPath::NoHeadRoom { .. } => "no-headroom",
        NoPath::Unreachable { .. } => "disconnected",
        _ => "unknown",
    }
}

impl Missing {
    pub fn of<M: Deref<Target = NavMesh>>(
        finder: &PathFinder<M>,
        body: &Body,
        no: &NoPath,
        to: DVec3,
        snap: f64,
    ) -> Self {
        let mesh = finder.mesh();
        // A better body might get there.
        let hurdle = match *no {
            NoPath::Unreachable { from, to } => mesh.find_hurdle(from, to, body),
            _ => None,
        };
        let no = hurdle.as_ref().unwrap_or(no);
        let none = Self {
            found: false,
            length: None,
            reason: reason(no),
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
                    at: at.to_array(),
                    needed: nearest.map(|place| place.distance),
                    available: Some(snap),
                    nearest: nearest.map(|place| place.point.to_array()),
                    hint,
                    ..none
                }
            }
            NoPath::TooTight { which, at, needed, available } => {
                let place = finder.nearest_free(body, at, &LocateConfig::default(), &mut PathScratch::new());
                let nearest = place.map(|place| place.point);
                let hint = match nearest {
                    Some(place) => format!(
                        "move the {which} by {} m to ({:.3}, {:.3}, {:.3}), as `path --snap-clear` does",
                        digits(place.distance(at)),
                        place.x,
                        place.y,
                        place.z
                    ),
                    None => "this body fits nowhere on this piece of ground".into(),
                };
                Self {
                    at: at.to_array(),
                    needed: Some(needed),
                    available: Some(available),
                    nearest: nearest.map(|place| place.to_array()),
                    hint,
                    ..none
                }
            }
            NoPath::TooNarrow { at, needed, available } => Self {
                at: at.to_array(),
                needed: Some(needed),
                available: Some(available),
                hint: format!(
                    "{} m more width there, or a body of radius {:.3} m, would do{SHOWN}",
                    digits(2.0 * (needed - available)),
                    // Rounded down, so that it does, but not for rounding's sake.
                    ((available + 1e-9) * 1e3).floor() / 1e3
                ),
                ..none
            },
            NoPath::Blocked { at, what } => Self {
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
                Self { at: at.to_array(), hint: format!("allow ground with the tag '{name}'{SHOWN}"), ..none }
            }
            NoPath::StepTooHigh { at, needed, available } => Self {
                at: at.to_array(),
                needed: Some(needed),
                available: Some(available),
                hint: format!("a body with --step {} would get there{SHOWN}", rounded_up(needed)),
                ..none
            },
            NoPath::GapTooWide { at, needed, available } => Self {
                at: at.to_array(),
                needed: Some(needed),
                available: Some(available),
                hint: format!("a body with --max-gap {} would get there{SHOWN}", rounded_up(needed)),
                ..none
            },
            NoPath::NoHeadRoom { at, needed, available } => Self {
                at: at.to_array(),
                needed: Some(needed),
                available: Some(available),
                hint: format!(
                    "{} m more room there, or a mesh baked with --height {}, would do{SHOWN}",
                    digits(needed - available),
                    ((available + 1e-6) * 1e3).floor() / 1e3
                ),
                ..none
            },
            NoPath::Unreachable { from, to: component } => {
                let closest = mesh.closest_places(from, component);
                Self {
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
            closed: ["blocked", "tag-forbidden", "step-too-high", "gap-too-wide", "no-headroom"]
                .contains(&self.reason)
                .then(|| DVec3::from_array(self.at)),
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

/// A length in millimetres, rounded up but for rounding's sake, so that it does.
fn rounded_up(length: f64) -> f64 {
    ((length - 1e-6) * 1e3).ceil() / 1e3
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

/// A length with as many digits as it takes to be more than nothing, three at least.
fn digits(length: f64) -> String {
    let places = (3..=9).find(|&places| length * 10f64.powi(places) >= 1.0).unwrap_or(9);
    format!("{length:.*}", places as usize)
}
