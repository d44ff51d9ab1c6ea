//! Why there is no path: the reason, the place, and what would help.

use super::summary::count;
use serde::Serialize;
use std::ops::Deref;
use wayfare::{
    core::{DVec3, MAX_COORDINATE},
    navmesh::{
        Body, Closed, Closest, End, FREE_SLACK, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch,
    },
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
    /// Further places on the widest way that are too narrow, in its order.
    also: Vec<Narrow>,
    hint: String,
    /// What of the question has no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
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

/// A place that is too narrow, and the largest radius that gets through.
#[derive(Debug, Serialize)]
struct Narrow {
    at: [f64; 3],
    available: f64,
}

/// Whether a mesh knows steps and gaps: what was made for a body does, even if there are none.
pub fn knows_steps(mesh: &NavMesh) -> bool {
    mesh.raw().reach.is_some() || mesh.has_gaps()
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
        ends: [DVec3; 2],
        snap: f64,
    ) -> Self {
        let mesh = finder.mesh();
        let [_, to] = ends;
        // A mesh that was made for a better body might have a way. One that knows no steps and no gaps cannot tell: what a body manages has
        // no effect on it, and none on what is said.
        let hurdles = match *no {
            NoPath::Unreachable { from, to } if knows_steps(mesh) => mesh.find_hurdles(from, to, body),
            _ => Vec::new(),
        };
        let no = hurdles.first().unwrap_or(no);
        let with_better_body = |no: &NoPath| match hurdles.is_empty() {
            true => better_body(finder, body, no, ends, snap) + SHOWN,
            false => bake_again(body, &hurdles) + SHOWN,
        };
        let none = Self {
            found: false,
            length: None,
            reason: reason(no),
            at: to.to_array(),
            needed: None,
            available: None,
            nearest: None,
            closest: None,
            also: Vec::new(),
            notes: Vec::new(),
            hint: String::new(),
            sentence: no.to_string(),
        };
        match *no {
            NoPath::OffMesh { which, at } => {
                // How far the ground really is.
                let anywhere = LocateConfig { snap: 4.0 * MAX_COORDINATE, ..LocateConfig::default() };
                let nearest = mesh.locate(at, &anywhere);
                let hint = match nearest {
                    Some(place) if mesh.is_in_gap(at, &anywhere) => format!(
                        "the {which} is in a gap, which is stepped over, {:.3} m from the nearest ground; move it, or allow more with --snap",
                        place.distance
                    ),
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
                let hint = match place {
                    Some(place) => {
                        let (words, written) = written(finder, body, place.point);
                        let unseen = if place.is_in_sight { "" } else { ", which is not in sight" };
                        let far = digits(written.distance(at));
                        format!("move the {which} by {far} m to {words}{unseen}, as `path --snap-clear` does")
                    }
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
            NoPath::TooNarrow { at, needed, available } => {
                let also = other_narrow_places(mesh, body, ends, snap, at);
                Self {
                    at: at.to_array(),
                    needed: Some(needed),
                    available: Some(available),
                    hint: narrower_body(finder, body, available, &also, ends, snap) + SHOWN,
                    also,
                    ..none
                }
            }
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
            NoPath::StepTooHigh { at, needed, available } | NoPath::GapTooWide { at, needed, available } => {
                Self {
                    at: at.to_array(),
                    needed: Some(needed),
                    available: Some(available),
                    hint: with_better_body(no),
                    ..none
                }
            }
            NoPath::NoHeadRoom { at, needed, available } => Self {
                at: at.to_array(),
                needed: Some(needed),
                available: Some(available),
                hint: match hurdles.len() {
                    1 => format!(
                        "{} m more room there, or a mesh baked with --height {}, would do{SHOWN}",
                        enough_digits(needed - available),
                        rounded_down(available)
                    ),
                    _ => with_better_body(no),
                },
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

    /// The same where it is being explained already.
    pub fn explained(mut self) -> Self {
        self.hint.truncate(self.hint.trim_end_matches(SHOWN).len());
        self
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

/// The same rounded down.
fn rounded_down(length: f64) -> f64 {
    ((length + 1e-6) * 1e3).floor() / 1e3
}

/// The places on the widest way that are too narrow, but the one that is known.
fn other_narrow_places(
    mesh: &NavMesh,
    body: &Body,
    ends: [DVec3; 2],
    snap: f64,
    known: DVec3,
) -> Vec<Narrow> {
    let config = LocateConfig { snap, ..LocateConfig::default() };
    let [from, to] =
        ends.map(|end| mesh.locate(end, &config).map(|place| (place.cell, place.point.truncate())));
    // Where drops do not count, other places are narrow than those that the clearance knows.
    let (Some(from), Some(to), Some(clearances), false) = (from, to, mesh.clearances(), body.overhangs)
    else {
        return Vec::new();
    };
    let places = clearances.narrow_places(from, to, body.radius).into_iter();
    let mut places: Vec<(DVec3, f64)> =
        places.map(|place| (place.at.extend(mesh.height(place.cell, place.at)), place.radius)).collect();
    // The narrowest are as narrow; of these it is the nearest.
    let least = places.iter().map(|place| place.1).fold(f64::INFINITY, f64::min);
    let narrowest = places.iter().enumerate().filter(|(_, place)| place.1 <= least + FREE_SLACK);
    let away = |place: &(DVec3, f64)| place.0.distance(known);
    if let Some((k, _)) = narrowest.min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b))) {
        places.remove(k);
    }
    places.into_iter().map(|(at, available)| Narrow { at: at.to_array(), available }).collect()
}

/// What would let a body through that is too wide: for certain, a narrower one, if it gets there; more width, if it is narrow nowhere else.
fn narrower_body<M: Deref<Target = NavMesh>>(
    finder: &PathFinder<M>,
    body: &Body,
    available: f64,
    also: &[Narrow],
    [from, to]: [DVec3; 2],
    snap: f64,
) -> String {
    /// So many places are named.
    const NAMED: usize = 3;
    // Rounded down, so that it does, but not for rounding's sake.
    let radius = ((available + 1e-9) * 1e3).floor() / 1e3;
    let wider = format!("{} m more width there", enough_digits(2.0 * (body.radius - available)));
    let config = LocateConfig { snap, ..LocateConfig::default() };
    let narrower = Body { radius, ..*body };
    if let Err(no) = finder.find_for(&narrower, from, to, &config, &mut PathScratch::new()) {
        return format!("{wider} would not do, and neither would a body of radius {radius:.3} m: {no}");
    }
    if body.overhangs {
        return format!(
            "a body of radius {radius:.3} m would do, or {wider} and wherever else it is as narrow"
        );
    }
    if also.is_empty() {
        return format!("{wider}, or a body of radius {radius:.3} m, would do");
    }
    let named: Vec<String> = also.iter().take(NAMED).map(Narrow::words).collect();
    let rest = also.len().saturating_sub(NAMED);
    format!(
        "a body of radius {radius:.3} m would do; {wider} would not, as {} on the widest way {} too narrow as well: {}{}",
        count(also.len(), "further place"),
        if also.len() == 1 { "is" } else { "are" },
        named.join(", "),
        if rest > 0 { format!(" and {rest} more") } else { String::new() }
    )
}

impl Narrow {
    fn words(&self) -> String {
        let [x, y, z] = self.at;
        format!("({x:.3}, {y:.3}, {z:.3}) with {:.3} m", 2.0 * self.available)
    }
}

/// What a body has to manage to get over the steps and gaps that the mesh has, one after the other.
fn better_body<M: Deref<Target = NavMesh>>(
    finder: &PathFinder<M>,
    body: &Body,
    no: &NoPath,
    [from, to]: [DVec3; 2],
    snap: f64,
) -> String {
    /// Steps and gaps rise with every turn; whoever needs more turns needs words of another kind.
    const TURNS: usize = 16;
    let config = LocateConfig { snap, ..LocateConfig::default() };
    let (mut better, mut no, mut scratch) = (*body, *no, PathScratch::new());
    for _ in 0..TURNS {
        match no {
            NoPath::StepTooHigh { needed, .. } => better.step = rounded_up(needed),
            NoPath::GapTooWide { needed, .. } => better.max_gap = rounded_up(needed),
            _ => break,
        }
        match finder.find_for(&better, from, to, &config, &mut scratch) {
            Ok(_) => return format!("a body with {} would get there", options_of(body, &better)),
            Err(next) => no = next,
        }
    }
    format!("a body with {} would get over it, but not there: {no}", options_of(body, &better))
}

/// The options by which a body differs from another.
fn options_of(body: &Body, better: &Body) -> String {
    let step = (better.step != body.step).then(|| format!("--step {}", better.step));
    let max_gap = (better.max_gap != body.max_gap).then(|| format!("--max-gap {}", better.max_gap));
    step.into_iter().chain(max_gap).collect::<Vec<_>>().join(" ")
}

/// How to bake again so that the mesh has ways over hurdles, and what to ask it then.
fn bake_again(body: &Body, hurdles: &[NoPath]) -> String {
    let (mut step, mut max_gap, mut height) = (0.0f64, 0.0f64, f64::INFINITY);
    for hurdle in hurdles {
        match *hurdle {
            NoPath::StepTooHigh { needed, .. } => step = step.max(rounded_up(needed)),
            NoPath::GapTooWide { needed, .. } => max_gap = max_gap.max(rounded_up(needed)),
            NoPath::NoHeadRoom { available, .. } => height = height.min(rounded_down(available)),
            _ => {}
        }
    }
    let option = |name: &str, value: f64| format!(" --{name} {value}");
    let (mut bake, mut ask) = (String::new(), String::new());
    if step > 0.0 {
        bake += &option("step", step);
        ask += &if body.step < step { option("step", step) } else { String::new() };
    }
    if max_gap > 0.0 {
        bake += &option("max-gap", max_gap);
        ask += &if body.max_gap < max_gap { option("max-gap", max_gap) } else { String::new() };
    }
    if height.is_finite() {
        bake += &option("height", height);
    }
    let ask = if ask.is_empty() { ask } else { format!(", and ask with{ask}") };
    format!("the mesh was not made for that; bake again with{bake}{ask}")
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

/// A place in words, with as few digits as leave the body room there: rounded to where it fits.
fn written<M: Deref<Target = NavMesh>>(finder: &PathFinder<M>, body: &Body, place: DVec3) -> (String, DVec3) {
    /// Digits behind the point; with the last of them rounding is less than what counts as touching.
    const DIGITS: std::ops::RangeInclusive<usize> = 3..=9;
    let config = LocateConfig::default();
    for digits in DIGITS {
        let unit = 10f64.powi(digits as i32);
        // The nearest first, then to either side.
        for [x, y] in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
            let round = |value: f64, other: f64| {
                let nearest = (value * unit).round();
                let away = if value * unit >= nearest { 1.0 } else { -1.0 };
                (nearest + other * away) / unit
            };
            let rounded = DVec3::new(round(place.x, x), round(place.y, y), place.z);
            let free = finder.nearest_free(body, rounded, &config, &mut PathScratch::new());
            if free.is_some_and(|free| free.is_goal) {
                let words = format!("({:.digits$}, {:.digits$}, {:.3})", rounded.x, rounded.y, rounded.z);
                return (words, rounded);
            }
        }
    }
    (format!("({}, {}, {})", place.x, place.y, place.z), place)
}

/// The same as [`digits`], rounded up but for rounding's sake, so that it does.
fn enough_digits(length: f64) -> String {
    let unit = 10f64.powi(places(length) as i32);
    format!("{:.*}", places(length), (length * unit - 1e-6).ceil() / unit)
}

/// A length with as many digits as it takes to be more than nothing, three at least.
pub fn digits(length: f64) -> String {
    format!("{length:.*}", places(length))
}

/// So many digits behind the point it takes.
fn places(length: f64) -> usize {
    (3..=9).find(|&places| length * 10f64.powi(places) >= 1.0).unwrap_or(9) as usize
}
