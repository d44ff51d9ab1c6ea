//! Scenes from the file to the mesh, as the tests and the bench programs bake them: stages timed, paths drawn by lot.
//!
//! The only part of the testkit that uses what it checks, and only to have it run.

use crate::{
    Random, RayCheck,
    data::scenes::{SceneBody, SharedScene, UpAxis},
    ray_check::{PathDefect, RayBody, Rule},
};
use std::{
    fs,
    sync::{Arc, Mutex},
    time::Instant,
};
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::{CancelFlag, Context, DVec3, Progress};
use wayfare_floor::{FloorPlan, GroundConfig, Method, plan_scene};
use wayfare_geom::segment::nearest_on_segment;
use wayfare_navmesh::{CellId, LocateConfig, NavMesh, NoPath, Path, PathFinder, PathScratch, Stride};
use wayfare_scene::{ReadError, Scene, SceneOptions, Up, read_scene};

/// Reads a shared scene with its units and its up axis.
pub fn read(shared: &SharedScene) -> Result<Scene, ReadError> {
    let up = Some(if shared.up == UpAxis::Z { Up::Z } else { Up::Y });
    read_scene(&shared.path, &SceneOptions { up, scale: shared.scale, ..SceneOptions::default() })
}

/// The ground that a body needs, on pixels of ten centimetres.
pub fn ground_config(body: &SceneBody) -> GroundConfig {
    GroundConfig {
        height: body.height,
        step: body.step,
        max_slope: body.max_slope_deg.to_radians(),
        ..GroundConfig::default()
    }
}

/// The body that walks on such ground.
pub fn ray_body(config: &GroundConfig) -> RayBody {
    let GroundConfig { height, step, max_slope, resolution, .. } = *config;
    RayBody { height, step, max_slope, pixel: resolution }
}

/// Where the path of a body on such ground may begin and end.
pub fn locate_config(config: &GroundConfig) -> LocateConfig {
    LocateConfig { height: config.height, step: config.step, ..LocateConfig::default() }
}

/// A scene that was baked.
pub struct Baked {
    /// The floor plan.
    pub plan: FloorPlan,
    /// What was left out of it.
    pub notes: Vec<String>,
    /// The mesh, without search tables.
    pub mesh: NavMesh,
    /// Stages in the order in which they began, each with its seconds; what lies between stages is not in them.
    pub stages: Vec<(String, f64)>,
    /// All seconds from the scene to the mesh.
    pub seconds: f64,
}

/// Bakes a scene; the error is a sentence.
pub fn bake_scene(scene: &Scene, ground: &GroundConfig, cells: &BakeConfig) -> Result<Baked, String> {
    let clock = Arc::new(StageClock::default());
    let context = Context::new(Some(clock.clone()), CancelFlag::default());
    let began = Instant::now();
    let planned = plan_scene(scene, ground, &context).map_err(|error| error.to_string())?;
    let mesh = bake(&planned.plan, cells, &context).map_err(|error| error.to_string())?;
    let seconds = began.elapsed().as_secs_f64();
    Ok(Baked { plan: planned.plan, notes: planned.notes, mesh, stages: clock.stages(), seconds })
}

/// Progress that only looks at the clock.
#[derive(Default)]
pub struct StageClock(Mutex<Vec<TimedStage>>);

/// A stage that began, and its seconds once it ended.
struct TimedStage {
    name: String,
    began: Instant,
    seconds: Option<f64>,
}

impl StageClock {
    /// The stages that ended, in the order in which they began.
    pub fn stages(&self) -> Vec<(String, f64)> {
        let stages = self.0.lock().expect("nobody panics while timing");
        stages.iter().filter_map(|stage| Some((stage.name.clone(), stage.seconds?))).collect()
    }
}

impl Progress for StageClock {
    fn begin(&self, stage: &str, _: u64) {
        let stage = TimedStage { name: stage.into(), began: Instant::now(), seconds: None };
        self.0.lock().expect("nobody panics while timing").push(stage);
    }
    fn advance(&self, _: u64) {}
    fn end(&self) {
        let mut stages = self.0.lock().expect("nobody panics while timing");
        if let Some(stage) = stages.iter_mut().rev().find(|stage| stage.seconds.is_none()) {
            stage.seconds = Some(stage.began.elapsed().as_secs_f64());
        }
    }
}

/// The most memory that this process had since it began or since [`forget_peak_memory`] [bytes], where the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// From now on the peak counts anew, if the system lets us; else it stays that of the whole process.
pub fn forget_peak_memory() -> bool {
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// Paths between points drawn by lot, and what rays say of them.
#[derive(Clone, Debug, Default)]
pub struct PathTally {
    /// Pairs of points that were asked for.
    pub pairs: usize,
    /// Pairs with a path; the others lie on ground that is not connected.
    pub found: usize,
    /// Paths with at least one defect.
    pub bad_paths: usize,
    /// Queries that failed though both ends lie on the mesh.
    pub lost: Vec<String>,
    /// Defects, path by path.
    pub defects: Vec<PathDefect>,
    /// The path that each defect is on, by its number among the pairs.
    pub path_of: Vec<usize>,
    /// How often paths go up and down what stands for a step, without taking it.
    pub climbs: usize,
}

impl PathTally {
    /// How many defects there are of a rule.
    pub fn count(&self, rule: Rule) -> usize {
        self.defects.iter().filter(|defect| defect.rule == rule).count()
    }

    /// The places of a rule: defects within a distance of the first that is found there; most paths first, then by number.
    pub fn places(&self, rule: Rule, apart: f64) -> Vec<DefectPlace> {
        let mut places: Vec<(DefectPlace, Vec<usize>)> = Vec::new();
        for (defect, &path) in
            self.defects.iter().zip(&self.path_of).filter(|(defect, _)| defect.rule == rule)
        {
            let known = places.iter_mut().find(|(place, _)| place.worst.at.distance(defect.at) <= apart);
            match known {
                Some((place, paths)) => {
                    if defect.found > place.worst.found {
                        place.worst = PathDefect { at: place.worst.at, ..*defect };
                    }
                    paths.push(path);
                }
                None => places.push((DefectPlace { worst: *defect, paths: 0 }, vec![path])),
            }
        }
        let counted = places.into_iter().map(|(place, mut paths)| {
            paths.dedup();
            DefectPlace { paths: paths.len(), ..place }
        });
        let mut places: Vec<DefectPlace> = counted.collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.paths));
        places
    }
}

/// A place that paths have a defect at.
#[derive(Clone, Copy, Debug)]
pub struct DefectPlace {
    /// Where the first of them is, and how bad the worst.
    pub worst: PathDefect,
    /// How many paths have one there.
    pub paths: usize,
}

/// Finds paths between random points of the mesh and casts rays along them; a pair of two components is drawn again where that
/// helps.
pub fn check_paths(scene: &Scene, mesh: &NavMesh, ground: &GroundConfig, pairs: usize) -> PathTally {
    let mut rays = RayCheck::new(scene.mesh.all_points(), ray_body(ground));
    if ground.method == Method::Exact {
        rays = rays.with_touch(EXACT_TOUCH).with_rounding(ROUNDING);
    }
    let finder = PathFinder::new(mesh);
    let (config, mut scratch) = (locate_config(ground), PathScratch::new());
    let mut places = Places::new(mesh, 1);
    let mut tally = PathTally { pairs, ..PathTally::default() };
    for number in 0..pairs {
        let ends = places.connected_pair();
        match finder.find(ends[0], ends[1], &config, &mut scratch) {
            Ok(path) => {
                tally.found += 1;
                let mut defects = check_path(&rays, mesh, &path, ground);
                tally.climbs += climbs(mesh, &path, ground);
                tally.bad_paths += usize::from(!defects.is_empty());
                tally.path_of.resize(tally.path_of.len() + defects.len(), number);
                tally.defects.append(&mut defects);
            }
            Err(NoPath::Unreachable { .. }) => {}
            Err(error) => tally.lost.push(error.to_string()),
        }
    }
    tally
}

/// What rays say of a path: of what is walked, and of what is stepped between.
fn check_path(rays: &RayCheck, mesh: &NavMesh, path: &Path, ground: &GroundConfig) -> Vec<PathDefect> {
    let strides = path.strides(mesh);
    let mut defects = Vec::new();
    let pieces = walked_pieces(&path.points, &strides).into_iter().enumerate();
    // Between strides side by side nothing is walked.
    for (number, piece) in pieces.filter(|(_, piece)| piece.len() > 1 || strides.is_empty()) {
        // A path at radius 0 claims no clearance. After a stride it begins on an edge, where one sees both sides of what ends there.
        let found = rays.check_path(&piece, 0.0).into_iter();
        defects.extend(found.filter(|defect| {
            number == 0 || defect.at != piece[0] || !matches!(defect.rule, Rule::Wall | Rule::HeadRoom)
        }));
    }
    for stride in &strides {
        // Nothing in the way over a gap; the ground ends there.
        let found = rays.check_path(&[stride.from, stride.to], 0.0).into_iter();
        defects.extend(
            found.filter(|defect| stride.width > 0.0 && matches!(defect.rule, Rule::Wall | Rule::HeadRoom)),
        );
        // Hairs of rounding.
        if stride.rise > ground.step + EXACT_TOUCH || stride.width > ground.max_gap + EXACT_TOUCH {
            let found = stride.rise.max(stride.width);
            defects.push(PathDefect { rule: Rule::Step, at: stride.from, triangle: None, found });
        }
    }
    defects
}

/// How often the points of a path rise or fall more than ground does that is walked on, at no stride: on what stands for a step beside the path.
fn climbs(mesh: &NavMesh, path: &Path, ground: &GroundConfig) -> usize {
    let strides = path.strides(mesh);
    let slope = ground.max_slope.tan();
    let is_stride = |[a, b]: [DVec3; 2]| {
        let middle = (a + b) / 2.0;
        let at = |end: DVec3| end.truncate().distance(middle.truncate()) < 1e-6;
        let heights = a.z.min(b.z) - ground.step..=a.z.max(b.z) + ground.step;
        let in_gap = mesh.cells_at(middle.truncate(), heights).any(|cell| mesh.gap(cell).is_some());
        let same = |p: DVec3, q: DVec3| p.truncate() == q.truncate();
        in_gap || strides.iter().any(|s| at(s.from) || at(s.to) || same(s.from, a) && same(s.to, b))
    };
    let climbs = path.points.windows(2).map(|pair| [pair[0], pair[1]]);
    let is_climb = |&[a, b]: &[DVec3; 2]| {
        (b.z - a.z).abs() > slope * a.truncate().distance(b.truncate()) + EVEN && !is_stride([a, b])
    };
    climbs.filter(is_climb).count()
}

/// Steps so low are even ground [m], and two of its planes may be so far apart.
const EVEN: f64 = 0.012;

/// How far from where they are things may be in an exact bake [m]: on its coarsest grid what is narrower than 122 µm is none.
const EXACT_TOUCH: f64 = 1.3e-4;

/// What files lose of a coordinate in a building [m].
const ROUNDING: f64 = 1e-5;

/// How near to the end of a stride points of the path are not looked at [m]: a step is a slope of a millimetre in a mesh.
const AT_STRIDE: f64 = 3e-3;

/// The pieces of a path between strides, without the slopes that stand for steps: a piece ends at the path's first point that is
/// beside the next stride, and begins at the last one beside the stride before. All are points of the path, with its heights.
fn walked_pieces(points: &[DVec3], strides: &[Stride]) -> Vec<Vec<DVec3>> {
    let is_beside = |p: DVec3, end: DVec3| p.truncate().distance(end.truncate()) < AT_STRIDE;
    // Points and ends of strides in the order of the path.
    let mut pieces: Vec<Vec<DVec3>> = Vec::new();
    let mut piece: Vec<DVec3> = points.first().copied().into_iter().collect();
    let (mut from, mut last_ends) = (0, 0);
    for stride in strides {
        // The first segment from here on that the stride begins on, and ends on.
        let on = |p: DVec3, from: usize| {
            let is_on = |k: &usize| {
                let [a, b, p] = [points[*k], points[k + 1], p].map(DVec3::truncate);
                nearest_on_segment(p, a, b).distance(p) < 1e-6
            };
            (from..points.len().saturating_sub(1)).find(is_on).unwrap_or(from)
        };
        let begins = on(stride.from, last_ends);
        piece.extend(points.get(from + 1..=begins).unwrap_or_default());
        piece.push(stride.from);
        let kept = piece.len() - piece.iter().rev().take_while(|p| is_beside(**p, stride.from)).count();
        piece.truncate(kept + 1);
        pieces.push(std::mem::take(&mut piece));
        let ends = on(stride.to, begins);
        // What is beside the end goes on to the last point that is.
        let beside = points.get(ends + 1..).unwrap_or_default().iter();
        let beside = beside.take_while(|p| is_beside(**p, stride.to)).count();
        (from, last_ends) = (ends + beside, ends);
        piece.push(if beside > 0 { points[from] } else { stride.to });
    }
    piece.extend(points.get(from + 1..).unwrap_or_default());
    pieces.push(piece);
    pieces
}

/// Points on a mesh drawn by lot, evenly by area.
pub struct Places<'a> {
    mesh: &'a NavMesh,
    /// Area of all cells up to each.
    sums: Vec<(f64, CellId)>,
    random: Random,
}

impl<'a> Places<'a> {
    /// The points of a seed.
    pub fn new(mesh: &'a NavMesh, seed: u64) -> Self {
        let mut sum = 0.0;
        // Gaps are stepped over; nobody stands in them.
        let sums = mesh.cells().filter(|&cell| mesh.gap(cell).is_none()).map(|cell| {
            sum += mesh.cell_area(cell);
            (sum, cell)
        });
        Self { mesh, sums: sums.collect(), random: Random::new(seed) }
    }

    /// A point on the ground, and its cell.
    ///
    /// # Panics
    /// When the mesh is empty.
    pub fn place(&mut self) -> (DVec3, CellId) {
        let total = self.sums.last().expect("the mesh has a cell").0;
        let share = self.random.unit() * total;
        let index = self.sums.partition_point(|(sum, _)| *sum <= share).min(self.sums.len() - 1);
        let cell = self.sums[index].1;
        let points: Vec<_> = self.mesh.cell_points(cell).collect();
        let (min, max) =
            points.iter().fold((points[0], points[0]), |(min, max), p| (min.min(*p), max.max(*p)));
        // Thin slanting cells are hit seldom; their first corner is in them, too.
        let drawn = (0..1000).find_map(|_| {
            let p = min + (max - min) * wayfare_core::dvec2(self.random.unit(), self.random.unit());
            self.mesh.contains(cell, p).then_some(p)
        });
        let p = drawn.unwrap_or(points[0]);
        (p.extend(self.mesh.height(cell, p)), cell)
    }

    /// Two points, of one component unless a hundred draws give none.
    pub fn connected_pair(&mut self) -> [DVec3; 2] {
        let (from, cell) = self.place();
        let component = self.mesh.component(cell);
        let mut to = self.place();
        for _ in 0..100 {
            if self.mesh.component(to.1) == component {
                break;
            }
            to = self.place();
        }
        [from, to.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec3;

    /// Steps up by 0.4 m after 10 m on level ground: the last millimetre before the step is its slope.
    fn points() -> Vec<DVec3> {
        vec![dvec3(0., 0., 0.), dvec3(9.999, 0., 0.), dvec3(10., 0., 0.4), dvec3(12., 0., 0.4)]
    }

    fn stride(low: f64) -> Stride {
        let [from, to] = [low, 0.4].map(|z| dvec3(10., 0., z));
        Stride { from, to, rise: 0.4 - low, width: 0. }
    }

    #[test]
    fn what_is_walked_is_as_high_as_the_path_says() {
        let walked = [points()[..2].to_vec(), points()[2..].to_vec()];
        assert_eq!(walked_pieces(&points(), &[stride(0.)]), walked);
        // Where a path turns at the end of a step, all that is said of its foot may be the height of the top.
        assert_eq!(walked_pieces(&points(), &[stride(0.4)]), walked);
    }

    #[test]
    fn strides_side_by_side_leave_nothing_to_walk_between() {
        let pieces = walked_pieces(&points(), &[stride(0.), stride(0.4)]);
        assert_eq!(pieces.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 2]);
    }
}
