//! `wayfare path M.way --from … --to …`: a shortest path, or why there is none.

use super::{
    Common,
    answer::Answer,
    input,
    ledge_args::LedgeArgs,
    limit_args::{CloseArgs, LimitArgs},
    link_path,
    missing::{Missing, Partial},
    output::{self, ending, print, say_notes},
    path_pieces::{Segment, segments},
    prefer_args::PreferArgs,
    queries,
    read_args::Threads,
    summary::{coordinate, count, length},
    values::{distance, point},
    volume_path,
};
use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use std::{
    fmt::Write as _,
    ops::Deref,
    path::{Path as FilePath, PathBuf},
    time::Instant,
};
use wayfare::{
    bake::add_clearance,
    core::{Context, DVec3},
    navmesh::{
        self, Blocks, Body, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch, Preference, Walls,
    },
    volume::VolumeMesh,
};

/// Find a shortest path on a mesh, or many at once
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A query file has a row fromx,fromy,fromz,tox,toy,toz or fromx,fromy,tox,toy per query; a header is allowed. The
answer is CSV with the header found,length,micros.")]
pub struct Path {
    /// A navigation mesh (.way, .mesh) or free space (.wayvol)
    mesh: PathBuf,
    /// Where the path starts [m]; z is 0 where it is left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "to")]
    from: Option<DVec3>,
    /// Where it ends [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "from")]
    to: Option<DVec3>,
    /// Radius of the body [m]
    #[arg(long, value_name = "R", default_value = "0", value_parser = distance, allow_negative_numbers = true)]
    radius: f64,
    #[command(flatten)]
    ledge: LedgeArgs,
    #[command(flatten)]
    prefer: PreferArgs,
    /// Move a start or goal at which the body does not fit to a place near it where it does
    #[arg(long)]
    snap_clear: bool,
    /// Where there is no path to the goal, go to the nearest place that can be reached
    #[arg(long)]
    partial: bool,
    /// Walk and fly: the free space that the mesh is linked to
    #[arg(long, value_name = "X.wayvol")]
    volume: Option<PathBuf>,
    /// A metre in the air costs as much as this many on the ground, with --volume
    #[arg(long, value_name = "F", default_value = "3", value_parser = distance, allow_negative_numbers = true, requires = "volume")]
    fly_cost: f64,
    /// End standing on the floor straight below the goal, in free space (.wayvol)
    #[arg(long)]
    stand: bool,
    /// How far `points` may be from the arcs of the path [m]
    #[arg(long, value_name = "M", default_value = "0.001", value_parser = distance, allow_negative_numbers = true)]
    sagitta: f64,
    /// How far from the ground start and goal may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true)]
    snap: f64,
    /// Answer every row of a CSV file instead
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["from", "to"])]
    queries: Option<PathBuf>,
    /// Write the answer to a file: one path to .json, many to .csv or .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Threads that answer rows; more than one makes each `micros` less sure [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Path {
    pub fn run(self, common: Common) -> Result<Answer> {
        if let Some(target) = &self.output {
            let endings: &[&str] = if self.queries.is_some() { &["csv", "json"] } else { &["json"] };
            if !endings.contains(&ending(target).as_str()) {
                bail!(
                    "cannot tell what to write from '{}'; end it in .{}",
                    target.display(),
                    endings.join(" or .")
                );
            }
            let inputs: Vec<&FilePath> = [Some(&self.mesh), self.queries.as_ref(), self.volume.as_ref()]
                .into_iter()
                .flatten()
                .map(PathBuf::as_path)
                .collect();
            output::check_target(target, &inputs)?;
        }
        if let Some(mesh) = input::open_volume(&self.mesh)? {
            return self.fly(&mesh, common);
        }
        if self.stand {
            bail!("--stand is for free space; on {} every path ends standing", self.mesh.display());
        }
        if let Some(file) = &self.queries {
            let rows = queries::read(file)?;
            Threads { threads: Some(self.threads.unwrap_or(1)) }.set()?;
            let mesh = open_for(&self.mesh, self.radius.max(self.prefer.prefer.unwrap_or(0.0)))?;
            let asked = self.asked(&mesh)?;
            if let Some(volume) = &self.volume {
                self.check_flight_options()?;
                let volume = link_path::open(volume)?;
                return link_path::many(
                    &mesh,
                    &volume,
                    &rows,
                    &asked,
                    self.fly_cost,
                    self.output.as_deref(),
                    common,
                );
            }
            let blocks = self.limits.blocks(&mesh, &asked.locate_config())?;
            let notes = self.limits.notes(&mesh);
            say_notes(&notes, common);
            let results = queries::answer(&mesh, &rows, &asked, blocks);
            return queries::report(results, notes, self.output.as_deref(), common);
        }
        let (Some(from), Some(to)) = (self.from, self.to) else {
            bail!("nothing to look for; give --from X,Y,Z --to X,Y,Z or --queries FILE.csv");
        };
        // `requires` of the parser would not see this: --queries excludes --from.
        if self.threads.is_some() {
            bail!("--threads is for the rows of --queries; one path is found by one thread");
        }
        let mesh = open_for(&self.mesh, self.radius.max(self.prefer.prefer.unwrap_or(0.0)))?;
        let asked = self.asked(&mesh)?;
        let blocks = self.limits.blocks(&mesh, &asked.locate_config())?;
        if let Some(volume) = &self.volume {
            return self.walk_and_fly(&mesh, volume, [from, to], &asked, common);
        }
        let notes = self.limits.notes(&mesh);
        say_notes(&notes, common);
        let found = noted(Search::new(&mesh).without(blocks).find(from, to, &asked), notes);
        let json = match &found {
            Ok(found) => serde_json::to_string(found),
            Err(no) => serde_json::to_string(no),
        };
        let json = json.context("cannot write JSON")? + "\n";
        if let Some(target) = &self.output {
            output::write(target, json.as_bytes())?;
        }
        if common.json {
            print(&json)?;
        } else {
            print(&match &found {
                Ok(found) => found.words(),
                Err(no) => format!("no path: {}\n", no.words()),
            })?;
            if let Some(target) = &self.output {
                print(&format!("wrote {} ({} bytes)\n", target.display(), json.len()))?;
            }
        }
        Ok(found.is_ok().into())
    }

    /// The same on the ground and through the air.
    fn walk_and_fly(
        &self,
        mesh: &NavMesh,
        volume: &FilePath,
        ends: [DVec3; 2],
        asked: &Asked,
        common: Common,
    ) -> Result<Answer> {
        self.check_flight_options()?;
        let volume = link_path::open(volume)?;
        link_path::one(mesh, &volume, ends, asked, self.fly_cost, self.output.as_deref(), common)
    }

    fn check_flight_options(&self) -> Result<()> {
        link_path::check_options(self.prefer, self.snap_clear, self.partial, &self.limits, self.fly_cost)
    }

    /// The same through the air.
    fn fly(&self, mesh: &VolumeMesh, common: Common) -> Result<Answer> {
        for (given, option) in [
            (self.prefer.prefer.is_some(), "--prefer"),
            (self.snap_clear, "--snap-clear"),
            (self.partial, "--partial"),
            (self.limits.close != CloseArgs::default(), "closing cells, portals or tags"),
            (self.limits.step.is_some(), "--step"),
            (self.limits.max_gap.is_some(), "--max-gap"),
            (self.volume.is_some(), "--volume"),
        ] {
            if given {
                bail!("{option} is for navigation meshes; {} is a volume mesh", self.mesh.display());
            }
        }
        let asked = volume_path::Asked { radius: self.radius, snap: self.snap, stand: self.stand };
        if let Some(file) = &self.queries {
            let rows = queries::read(file)?;
            Threads { threads: Some(self.threads.unwrap_or(1)) }.set()?;
            return volume_path::many(mesh, &rows, &asked, self.output.as_deref(), common);
        }
        let (Some(from), Some(to)) = (self.from, self.to) else {
            bail!("nothing to look for; give --from X,Y,Z --to X,Y,Z or --queries FILE.csv");
        };
        if self.threads.is_some() {
            bail!("--threads is for the rows of --queries; one path is found by one thread");
        }
        volume_path::one(mesh, [from, to], &asked, self.output.as_deref(), common)
    }

    fn asked(&self, mesh: &NavMesh) -> Result<Asked> {
        let asked = Asked::of(mesh, &self.limits, self.ledge, self.prefer, self.radius)?;
        let body = Body { sagitta: self.sagitta, ..asked.body };
        Ok(Asked { body, snap: self.snap, snap_clear: self.snap_clear, partial: self.partial, ..asked })
    }
}

/// What a path is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub body: Body,
    /// What the body likes besides its radius.
    pub prefer: Option<Preference>,
    pub snap: f64,
    /// Whether ends may be moved to where the body fits.
    pub snap_clear: bool,
    /// Whether a path may end where the goal is nearest.
    pub partial: bool,
}

impl Asked {
    /// A body of a radius, with everything else as by default.
    pub fn disc(radius: f64) -> Self {
        Self { body: Body::disc(radius), prefer: None, snap: 0.5, snap_clear: false, partial: false }
    }

    /// What the options that verbs share ask for.
    pub fn of(
        mesh: &NavMesh,
        limits: &LimitArgs,
        ledge: LedgeArgs,
        prefer: PreferArgs,
        radius: f64,
    ) -> Result<Self> {
        let (overhangs, prefer) = (ledge.overhangs()?, prefer.preference());
        if prefer.is_some() && overhangs {
            bail!("--prefer keeps away from drops as from walls, which --ledge-clearance 0 does not want");
        }
        let body = Body { overhangs, ..limits.body(mesh, radius)? };
        Ok(Self { body, prefer, ..Self::disc(radius) })
    }

    pub fn locate_config(&self) -> LocateConfig {
        LocateConfig { snap: self.snap, ..LocateConfig::default() }
    }

    /// The path, shortest or cheapest by preference.
    pub fn find(
        &self,
        finder: &PathFinder<impl Deref<Target = NavMesh>>,
        from: DVec3,
        to: DVec3,
        scratch: &mut PathScratch,
    ) -> Result<navmesh::Path, NoPath> {
        let config = self.locate_config();
        match &self.prefer {
            Some(prefer) => finder.find_preferring(&self.body, prefer, from, to, &config, scratch),
            None => finder.find_for(&self.body, from, to, &config, scratch),
        }
    }
}

/// A mesh to walk on with a radius: where the file holds no clearance, it is made now.
pub fn open_for(path: &FilePath, radius: f64) -> Result<Box<NavMesh>> {
    let mut mesh = input::open_mesh(path)?;
    if radius > 0.0 {
        need_clearance(&mut mesh)?;
    }
    Ok(mesh)
}

/// Makes the clearance of a mesh that has none; fails where it cannot be made.
pub fn need_clearance(mesh: &mut NavMesh) -> Result<()> {
    match mesh.clearance() {
        Some(_) => Ok(()),
        None => {
            let Some(unsettled) = add_clearance(mesh, &Context::default())? else { return Ok(()) };
            // Only scenes that were baked exactly tell for whom.
            let advice = match mesh.raw().reach {
                Some(_) => "; bake its scene with --method voxel for bodies with a radius",
                None => "",
            };
            bail!("this mesh can be walked at radius 0 only: {}{advice}", unsettled.note())
        }
    }
}

/// Searches on one mesh with one scratch memory.
pub struct Search<'a> {
    finder: PathFinder<&'a NavMesh>,
    scratch: PathScratch,
}

impl<'a> Search<'a> {
    pub fn new(mesh: &'a NavMesh) -> Self {
        Self { finder: PathFinder::new(mesh), scratch: PathScratch::new() }
    }

    /// The same where some of the mesh is closed.
    pub fn without(mut self, blocks: Blocks) -> Self {
        *self.finder.blocks_mut() = blocks;
        self
    }

    /// One path, timed on warm memory.
    pub fn find(&mut self, from: DVec3, to: DVec3, asked: &Asked) -> Result<Found, Box<Missing>> {
        // The first query of a process pays for growing the scratch memory; what is reported is what every
        // further query costs.
        find(&self.finder, &mut self.scratch, [from, to], asked)?;
        find(&self.finder, &mut self.scratch, [from, to], asked)
    }
}

/// An answer with notes.
pub fn noted(found: Result<Found, Box<Missing>>, notes: Vec<String>) -> Result<Found, Box<Missing>> {
    match found {
        Ok(found) => Ok(Found { notes, ..found }),
        Err(mut missing) => {
            missing.notes = notes;
            Err(missing)
        }
    }
}

/// One path, timed.
pub fn find<M: Deref<Target = NavMesh>>(
    finder: &PathFinder<M>,
    scratch: &mut PathScratch,
    [from, to]: [DVec3; 2],
    asked: &Asked,
) -> Result<Found, Box<Missing>> {
    let config = asked.locate_config();
    let missing = |no: &NoPath| Box::new(Missing::of(finder, &asked.body, no, [from, to], asked.snap));
    let mut out_of_sight = Vec::new();
    let [start, mut goal] = [(from, "start"), (to, "goal")].map(|(end, name)| {
        let free =
            asked.snap_clear.then(|| finder.nearest_free(&asked.body, end, &config, scratch)).flatten();
        out_of_sight.extend(free.filter(|place| !place.is_in_sight).map(|_| name));
        free.map_or(end, |place| place.point)
    });
    let mut begin = Instant::now();
    let mut path = asked.find(finder, start, goal, scratch);
    let mut partial = None;
    if let Err(no) = path
        && asked.partial
    {
        match finder.nearest_reachable(&asked.body, start, goal, &config, scratch) {
            Ok(reached) => {
                partial = Some(Partial::of(*missing(&no), reached.point, reached.point.distance(to)));
                goal = reached.point;
                begin = Instant::now();
                path = asked.find(finder, start, goal, scratch);
            }
            // What keeps it from going anywhere at all.
            Err(why) => path = Err(why),
        }
    }
    let micros = begin.elapsed().as_secs_f64() * 1e6;
    let mut path = path.map_err(|no| missing(&no))?;
    if asked.snap_clear {
        let moved = [from.distance(start), to.distance(goal)];
        path.snapped = [0, 1].map(|k| path.snapped[k] + moved[k]);
    }
    let cleared = [start != from, goal != to && partial.is_none()];
    let is_partial = asked.partial.then_some(partial.is_some());
    let mut found = Found::of(finder, &asked.body, path, micros);
    found.snapped.out_of_sight = out_of_sight;
    Ok(Found { partial: is_partial, part: partial, cleared, ..found })
}

/// The keys of `path --json` when there is a path.
#[derive(Serialize)]
pub struct Found {
    pub found: bool,
    pub length: f64,
    pub plan_length: f64,
    /// What is least where a clearance is preferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    #[serde(serialize_with = "triples")]
    pub points: Vec<DVec3>,
    segments: Vec<Segment>,
    pub cell_ids: Vec<u32>,
    pub radius: f64,
    /// Smallest distance to obstacles along the path; null if the mesh does not know it.
    clearance: Option<f64>,
    /// Distance from the start in plan and clearance there: at every point, and where it is least between two.
    profile: Vec<[f64; 2]>,
    pub expanded: u32,
    pub micros: f64,
    snapped: Snapped,
    /// What of the question has no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether it ends before the goal, if it may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<bool>,
    #[serde(flatten)]
    part: Option<Partial>,
    /// Whether start and goal were moved to where the body fits.
    #[serde(skip)]
    cleared: [bool; 2],
}

fn triples<S: serde::Serializer>(points: &[DVec3], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(points.iter().map(|p| p.to_array()))
}

/// By how much ends may be moved without a word: nobody sees less [m].
pub const HAIR: f64 = 1e-6;

/// Clearance along a path, by its length in plan; empty if the mesh does not know it.
///
/// Chords of arcs are shorter than these and nearer to their corners: lengths are stretched to the true one, and what
/// the path keeps by its making is not said to be less.
pub fn profile<M: Deref<Target = NavMesh>>(
    finder: &PathFinder<M>,
    body: &Body,
    path: &navmesh::Path,
) -> Vec<[f64; 2]> {
    let mut profile = match body.overhangs {
        true => wall_profile(finder.walls(), &path.points),
        false => chord_profile(finder.mesh(), &path.points),
    };
    let whole = profile.last().map_or(0.0, |place| place[0]);
    let stretch = if whole > 0.0 { path.plan_length / whole } else { 1.0 };
    for place in &mut profile {
        *place = [place[0] * stretch, place[1].max(path.radius)];
    }
    profile
}

/// The same along the points of a path.
fn chord_profile(mesh: &NavMesh, points: &[DVec3]) -> Vec<[f64; 2]> {
    let Some(clearances) = mesh.clearances() else { return Vec::new() };
    let mut profile = Vec::new();
    let mut walked = 0.0;
    // Gaps count here: one steps over them.
    let cell = |p: DVec3| {
        let step = LocateConfig::default().step;
        let off = |cell: navmesh::CellId| (mesh.height(cell, p.truncate()) - p.z).abs();
        let near = mesh.cells_at(p.truncate(), p.z - step..=p.z + step);
        near.min_by(|&a, &b| off(a).total_cmp(&off(b)))
    };
    let room = |p: DVec3| {
        let place = clearances.at(cell(p)?, p.truncate());
        Some(place.map_or(f64::MAX, |place| place.distance))
    };
    for (k, &point) in points.iter().enumerate() {
        if let Some(&before) = k.checked_sub(1).and_then(|before| points.get(before)) {
            let (from, to) = (before.truncate(), point.truncate());
            if let Some(cell) = cell(before) {
                let least = clearances.along(cell, from, to);
                let is_between = least.at != from && least.at != to && least.distance.is_finite();
                profile.extend(is_between.then(|| [walked + from.distance(least.at), least.distance]));
            }
            walked += from.distance(to);
        }
        profile.extend(room(point).map(|room| [walked, room]));
    }
    profile
}

/// The same where only walls count.
fn wall_profile(walls: &Walls, points: &[DVec3]) -> Vec<[f64; 2]> {
    let mut profile = Vec::new();
    let mut walked = 0.0;
    for (k, &point) in points.iter().enumerate() {
        if let Some(&before) = k.checked_sub(1).and_then(|before| points.get(before)) {
            let (least, at) = walls.along([before, point]);
            let is_between = least.is_finite() && at != before && at != point;
            let [from, at, to] = [before, at, point].map(DVec3::truncate);
            profile.extend(is_between.then(|| [walked + from.distance(at), least]));
            walked += from.distance(to);
        }
        profile.push([walked, walls.at(point).min(f64::MAX)]);
    }
    profile
}

/// How far the two ends were moved onto the mesh [m].
#[derive(Serialize)]
pub struct Snapped {
    pub start: f64,
    pub goal: f64,
    /// Ends that were moved to where they are not in sight of the place that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub out_of_sight: Vec<&'static str>,
}

impl Found {
    fn of<M: Deref<Target = NavMesh>>(
        finder: &PathFinder<M>,
        body: &Body,
        path: navmesh::Path,
        micros: f64,
    ) -> Self {
        let profile = profile(finder, body, &path);
        let least = profile.iter().map(|place| place[1]).min_by(f64::total_cmp);
        Self {
            found: true,
            length: path.length,
            plan_length: path.plan_length,
            cost: path.cost,
            cleared: [false; 2],
            segments: segments(finder.mesh(), &path),
            points: path.points,
            cell_ids: path.cells.iter().map(|cell| cell.0).collect(),
            radius: path.radius,
            clearance: path.clearance.or(least),
            profile,
            expanded: path.expanded,
            micros,
            snapped: Snapped { start: path.snapped[0], goal: path.snapped[1], out_of_sight: Vec::new() },
            notes: Vec::new(),
            partial: None,
            part: None,
        }
    }

    /// The points at which it turns seen from above, and its ends: on stairs there are many more.
    pub fn turns(&self) -> Vec<DVec3> {
        turns(&self.points)
    }

    /// Why it ends before the goal, if it does.
    pub fn part_words(&self) -> Option<String> {
        let part = self.part.as_ref()?;
        Some(format!("ends {} m before the goal: {}", length(part.left), part.words()))
    }

    pub fn words(&self) -> String {
        let arcs = self.segments.iter().filter(|segment| segment.kind == "arc").count();
        let turns = self.turns();
        // A path that prefers clearance bends all along, without arcs.
        let has_arcs = self.radius > 0.0 && (arcs > 0 || self.cost.is_none());
        let bends = if has_arcs { arcs } else { turns.len().saturating_sub(2) };
        let room = self.clearance.filter(|_| self.radius > 0.0 || self.cost.is_some());
        let mut out = format!(
            "length {} m{}, {}, through {}{}; {:.1} µs\n",
            length(self.length),
            self.cost.map(|cost| format!(", cost {}", length(cost))).unwrap_or_default(),
            count(bends, "turn"),
            count(self.cell_ids.len(), "cell"),
            room.map(|room| format!(", {} m clear", length(room))).unwrap_or_default(),
            self.micros
        );
        if let Some(part) = self.part_words() {
            out += &(part + "\n");
        }
        let moved = [self.snapped.start, self.snapped.goal];
        for (end, moved, is_cleared) in
            [("start", moved[0], self.cleared[0]), ("goal", moved[1], self.cleared[1])]
        {
            if moved > HAIR {
                let to = if is_cleared { "to where the body fits" } else { "onto the ground" };
                // Writing to a string cannot fail.
                let is_unseen = self.snapped.out_of_sight.contains(&end);
                let unseen = if is_unseen { ", out of its sight" } else { "" };
                let _ = writeln!(out, "the {end} was moved {} m {to}{unseen}", length(moved));
            }
        }
        out + &way_words(&self.points, &self.segments, has_arcs, "  ") + &self.stride_words()
    }

    /// The pieces that are stepped over.
    fn strides(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(|segment| segment.kind == "gap")
    }

    /// How many steps it takes, and over how many gaps it goes.
    pub fn stride_counts(&self) -> [usize; 2] {
        let gaps = self.strides().filter(|stride| stride.width.is_some_and(|width| width > 0.0)).count();
        [self.strides().count() - gaps, gaps]
    }

    /// Where it steps, how high and how far.
    fn stride_words(&self) -> String {
        let [steps, gaps] = self.stride_counts();
        let counts: Vec<String> = [(steps, "step"), (gaps, "gap")]
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| count(number, what))
            .collect();
        if counts.is_empty() {
            return String::new();
        }
        let mut out = format!("over {}:\n", counts.join(" and "));
        for stride in self.strides() {
            let rise = stride.to[2] - stride.from[2];
            let high = match length(rise.abs()) {
                _ if rise.abs() < HAIR => None,
                high if rise > 0.0 => Some(format!("{high} m up")),
                high => Some(format!("{high} m down")),
            };
            let far =
                stride.width.filter(|&width| width > 0.0).map(|width| format!("{} m across", length(width)));
            let how: Vec<String> = far.into_iter().chain(high).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  {}: {}", stride.from.map(coordinate).join(", "), how.join(", "));
        }
        out
    }
}

/// Where points turn, seen from above, with the first and the last.
fn turns(points: &[DVec3]) -> Vec<DVec3> {
    /// Points between two turns were put on the line by rounding, which is far less; nobody sees more [m].
    const STRAIGHT: f64 = 1e-6;
    let mut turns: Vec<DVec3> = points.first().copied().into_iter().collect();
    for pair in points.windows(2).skip(1) {
        let (last, at, next) = (turns[turns.len() - 1], pair[0], pair[1]);
        let (there, on) = ((at - last).truncate(), (next - last).truncate());
        if there.perp_dot(on).abs() > STRAIGHT * on.length() {
            turns.push(at);
        }
    }
    turns.extend(points.last().filter(|_| points.len() > 1));
    turns
}

/// A way on the ground, a line for each turn; the ground in between is in the JSON.
pub fn way_words(points: &[DVec3], segments: &[Segment], has_arcs: bool, indent: &str) -> String {
    let written = |p: &[f64; 3]| p.map(coordinate).join(", ");
    if !has_arcs {
        return turns(points).iter().map(|p| format!("{indent}{}\n", written(&p.to_array()))).collect();
    }
    let mut out = String::new();
    // Ends of straight pieces. Writing to a string cannot fail.
    for (k, segment) in segments.iter().enumerate() {
        let goes_on = segments.get(k + 1).is_some_and(|next| next.kind == "line");
        if k == 0 {
            let _ = writeln!(out, "{indent}{}", written(&segment.from));
        }
        match segment.centre {
            Some(centre) => {
                let _ = writeln!(out, "{indent}{}, round {}", written(&segment.to), written(&centre));
            }
            None if goes_on => {}
            None => {
                let _ = writeln!(out, "{indent}{}", written(&segment.to));
            }
        }
    }
    out
}
