//! From a scene by the exact way to a mesh that holds and has clearance, with as little left out as can be.
//!
//! Some files are full of features of less than a micrometre, where cells and clearance have to round the points that they add. What helps
//! is tried in the order of what it costs: 1. a coarser grid, up to 15 µm, which nobody sees  2. gaps are left out near the places that are in
//! the way, one after the other, or else all  3. if no mesh holds with steps, these are taken for even ground.
//! What was done is told in a note. Nothing depends on the number of threads, nor on a clock: work is counted in cells.

use crate::{
    BakeConfig, BakeError, bake,
    unsettled::{Unsettled, add_clearance, place_of},
};
use wayfare_core::{Cancelled, Context, DVec2};
use wayfare_floor::{
    FloorPlan, GroundConfig, PlanError, ScenePlan,
    exact::{ExactGround, LeftOut, NearGaps},
};
use wayfare_navmesh::NavMesh;
use wayfare_scene::Scene;

/// The grids that are tried, as powers of two [m]; before them comes the finest that there is. On any one of them features may come to lie
/// unluckily for the rounding of clearance; each of the shared scenes is settled on one of them. The last is what single floats lose in a
/// town (15 µm): `truck_town` needs it.
const GRIDS: [i32; 6] = [-26, -24, -22, -20, -18, -16];

/// How often gaps near a place are left out on one grid.
const CLOSINGS: usize = 12;

/// How near to a place gaps are looked for first, and at last, in steps over the widest gap.
const NEAREST: f64 = 1.0 / 32.0;
const FARTHEST: f64 = 1024.0;

/// How often the distance within which they are left out is halved, so that no more are than need be.
const HALVINGS: usize = 6;

/// Places that are nearer to each other are one [m].
const SAME_PLACE: f64 = 1e-3;

/// How often it is tried to take gaps in again that were left out.
const RETURNS: usize = 12;

/// How many cells meshes with gaps may have together before gaps are given up: some ten seconds of work, twice.
const MOST_CELLS: usize = 40_000;

/// What a mesh is made from, and how. [`bake_exact`] does it in the usual way.
pub struct ExactBake<'a, C, D> {
    /// The scene.
    pub scene: &'a Scene,
    /// Who walks on it.
    pub ground: &'a GroundConfig,
    /// Progress and cancelling.
    pub context: &'a Context,
    /// Cuts a plan into cells.
    pub cut: C,
    /// Adds its clearance to a mesh, or says why not.
    pub clear: D,
}

/// A mesh that was made the exact way.
pub struct ExactMesh {
    /// The plan that it was made of.
    pub planned: ScenePlan,
    /// The mesh.
    pub mesh: NavMesh,
    /// What was done so that it holds and has clearance, in words, and what was wrong without; nothing if all was well at once.
    pub note: Option<String>,
    /// How many defects its check finds: none, but for ground that no means have helped.
    pub defects: usize,
    /// Why it has no clearance, if it has none.
    pub unsettled: Option<Unsettled>,
}

/// Bakes a scene the exact way, with clearance, and with as little left out as can be.
pub fn bake_exact(
    scene: &Scene,
    ground: &GroundConfig,
    config: &BakeConfig,
    context: &Context,
) -> Result<ExactMesh, PlanError> {
    let cut = |plan: &FloorPlan| bake(plan, config, context);
    let clear = |mesh: &mut NavMesh| add_clearance(mesh, context);
    ExactBake { scene, ground, context, cut, clear }.make()
}

/// A mesh, what it is made of, and why it is not as it should be.
struct Attempt {
    planned: ScenePlan,
    mesh: NavMesh,
    /// What was done, in words.
    means: Vec<String>,
    trouble: Option<Trouble>,
    /// Whether all gaps are left out.
    has_no_gaps: bool,
}

struct Trouble {
    /// What is wrong, and where.
    words: String,
    at: Option<DVec2>,
    /// How many defects the mesh has; only its clearance is missing if there are none.
    defects: usize,
}

/// How good a mesh is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It does not hold.
    Faulty,
    /// It holds, but has no clearance.
    Sound,
    Good,
}

impl Attempt {
    fn rank(&self) -> Rank {
        match &self.trouble {
            None => Rank::Good,
            Some(trouble) if trouble.defects == 0 => Rank::Sound,
            Some(_) => Rank::Faulty,
        }
    }
}

/// What a mesh goes without.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Whole,
    FewerGaps,
    NoSteps,
}

impl<C, D> ExactBake<'_, C, D>
where
    C: Fn(&FloorPlan) -> Result<NavMesh, BakeError>,
    D: Fn(&mut NavMesh) -> Result<Option<Unsettled>, Cancelled>,
{
    /// The first mesh that holds and has clearance; or else the first that holds, or else the first.
    pub fn make(&self) -> Result<ExactMesh, PlanError> {
        let finest = ExactGround::find(self.scene, self.ground, 0.0, self.context)?;
        let has_gaps = finest.gap_count() > 0;
        let mut grounds = vec![Some(finest)];
        let mut best: Option<Attempt> = None;
        let mut reason = None;
        for way in [Way::Whole, Way::FewerGaps, Way::NoSteps] {
            let rank = best.as_ref().map(Attempt::rank);
            if rank == Some(Rank::Good)
                || way == Way::FewerGaps && !has_gaps
                || way == Way::NoSteps && rank == Some(Rank::Sound)
            {
                continue;
            }
            let mut cells_left = if has_gaps { MOST_CELLS } else { usize::MAX };
            for number in 0..=GRIDS.len() {
                self.find_ground(&mut grounds, number)?;
                let Some(ground) = &grounds[number] else { continue };
                let attempt = match way {
                    Way::Whole => self.attempt(ground, &LeftOut::default(), &mut cells_left)?,
                    Way::FewerGaps => self.with_fewer_gaps(ground, &mut cells_left)?,
                    Way::NoSteps => {
                        let without = LeftOut { all_gaps: true, steps: true, ..LeftOut::default() };
                        self.attempt(ground, &without, &mut { usize::MAX })?
                    }
                };
                let mut attempt = match attempt {
                    Ok(attempt) => attempt,
                    Err(words) => {
                        reason.get_or_insert(words);
                        continue;
                    }
                };
                if number > 0 {
                    attempt.means.insert(0, format!("places are rounded to {:.3} µm", ground.grid() * 1e6));
                }
                if let Some(trouble) = &attempt.trouble {
                    reason.get_or_insert_with(|| trouble.words.clone());
                }
                let is_done = attempt.rank() == Rank::Good && !(way == Way::FewerGaps && attempt.has_no_gaps);
                best = Some(better(best, attempt));
                if is_done {
                    break;
                }
            }
        }
        match best {
            Some(best) => self.finish(best, reason),
            None => Err(PlanError::Unusable { reason: reason.unwrap_or_default() }),
        }
    }

    /// Looks for the ground on a grid, unless that is known; nothing where there is none, or the finest grid is coarser.
    fn find_ground<'s>(
        &'s self,
        grounds: &mut Vec<Option<ExactGround<'s>>>,
        number: usize,
    ) -> Result<(), Cancelled> {
        if number < grounds.len() {
            return Ok(());
        }
        let spacing = 2f64.powi(GRIDS[number - 1]);
        let ground = match ExactGround::find(self.scene, self.ground, spacing, self.context) {
            Ok(ground) => Some(ground).filter(|ground| ground.grid() == spacing),
            Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
            Err(_) => None,
        };
        grounds.push(ground);
        Ok(())
    }

    /// A mesh of some ground without something, or why there is none. Nothing is tried once no cells are left.
    fn attempt(
        &self,
        ground: &ExactGround<'_>,
        without: &LeftOut,
        cells_left: &mut usize,
    ) -> Result<Result<Attempt, String>, PlanError> {
        if *cells_left == 0 {
            return Ok(Err("there are too many cells between gaps".into()));
        }
        let planned = match ground.plan(without, self.context) {
            Ok(planned) => planned,
            Err(PlanError::Cancelled(cancelled)) => return Err(cancelled.into()),
            // Nothing helps where there is no ground.
            Err(cause @ (PlanError::NothingWalkable { .. } | PlanError::NoGroundAt { .. }))
                if *without == LeftOut::default() =>
            {
                return Err(cause);
            }
            Err(error) => return Ok(Err(error.to_string())),
        };
        let mut mesh = match (self.cut)(&planned.plan) {
            Ok(mesh) => mesh,
            Err(BakeError::Cancelled(cancelled)) => return Err(cancelled.into()),
            Err(error) => return Ok(Err(error.to_string())),
        };
        *cells_left = cells_left.saturating_sub(mesh.cell_count());
        let defects = mesh.check();
        let mut trouble = defects.first().map(|first| Trouble {
            words: first.to_string(),
            at: place_of(&mesh, first),
            defects: defects.len(),
        });
        if trouble.is_none() {
            let unsettled = (self.clear)(&mut mesh)?;
            trouble = unsettled.map(|Unsettled { words, at }| Trouble { words, at, defects: 0 });
        }
        let mut means = Vec::new();
        let (left_out, all) = (ground.gaps_near(&without.near), ground.gap_count());
        if without.all_gaps && all > 0 {
            means.push("gaps are left out".into());
        } else if left_out > 0 {
            means.push(format!("{left_out} of {all} gaps are left out"));
        }
        if without.steps {
            means.push("steps are taken for even ground".into());
        }
        Ok(Ok(Attempt { planned, mesh, means, trouble, has_no_gaps: without.all_gaps }))
    }

    /// The mesh with gaps but for those that are in the way; or, if these are not found soon, without any; or why there is none.
    fn with_fewer_gaps(
        &self,
        ground: &ExactGround<'_>,
        cells_left: &mut usize,
    ) -> Result<Result<Attempt, String>, PlanError> {
        let without = LeftOut { all_gaps: true, ..LeftOut::default() };
        let plain = self.attempt(ground, &without, &mut { usize::MAX })?;
        // If that is no better, gaps are not to blame.
        if !plain.as_ref().is_ok_and(|plain| plain.rank() == Rank::Good) {
            return Ok(plain);
        }
        let reach = self.ground.max_gap;
        let mut without = LeftOut::default();
        let mut attempt = self.attempt(ground, &without, cells_left)?;
        for _ in 0..CLOSINGS {
            let Ok(Attempt { trouble: Some(trouble), .. }) = &attempt else { break };
            let Some(at) = trouble.at.filter(|at| at.is_finite()) else { break };
            let Some(near) = next_near(ground, &without.near, at, reach) else { break };
            without.near = near;
            attempt = self.attempt(ground, &without, cells_left)?;
        }
        match attempt {
            Ok(attempt) if attempt.trouble.is_none() => {
                Ok(Ok(self.with_more_gaps(ground, without, attempt, cells_left)?))
            }
            _ => Ok(plain),
        }
    }

    /// Takes gaps in again that were not in the way: where the trouble was seen is not always where it came from.
    fn with_more_gaps(
        &self,
        ground: &ExactGround<'_>,
        mut without: LeftOut,
        mut best: Attempt,
        cells_left: &mut usize,
    ) -> Result<Attempt, PlanError> {
        let (mut number, mut share) = (0, 0.0);
        for _ in 0..RETURNS {
            if number >= without.near.len() {
                break;
            }
            // All of a place first, then those in the outer half of what is left.
            let mut fewer = without.clone();
            fewer.near[number].within *= share;
            if share == 0.0 {
                fewer.near.remove(number);
            }
            let is_fewer = ground.gaps_near(&fewer.near) < ground.gaps_near(&without.near);
            let attempt = if is_fewer { Some(self.attempt(ground, &fewer, cells_left)?) } else { None };
            match attempt {
                Some(Ok(attempt)) if attempt.trouble.is_none() => (best, without) = (attempt, fewer),
                _ if share == 0.0 => share = 0.5,
                _ => (number, share) = (number + 1, 0.0),
            }
        }
        Ok(best)
    }

    /// The mesh, what was done for it and what is still wrong.
    fn finish(&self, attempt: Attempt, reason: Option<String>) -> Result<ExactMesh, PlanError> {
        let Attempt { planned, mut mesh, means, trouble, .. } = attempt;
        let note = reason
            .filter(|_| !means.is_empty())
            .map(|reason| format!("{}; otherwise {reason}", means.join(", ")));
        let (defects, unsettled) = match trouble {
            // It was not asked for yet.
            Some(trouble) if trouble.defects > 0 => (trouble.defects, (self.clear)(&mut mesh)?),
            Some(Trouble { words, at, .. }) => (0, Some(Unsettled { words, at })),
            None => (0, None),
        };
        Ok(ExactMesh { planned, mesh, note, defects, unsettled })
    }
}

/// The places with one more, of which the nearest gap is left out that is not yet; where it is one again, all up to twice as far.
fn next_near(ground: &ExactGround<'_>, near: &[NearGaps], at: DVec2, reach: f64) -> Option<Vec<NearGaps>> {
    let left_out = ground.gaps_near(near);
    let with = |within: f64| [near, &[NearGaps { at, within }]].concat();
    let is_more = |within: f64| ground.gaps_near(&with(within)) > left_out;
    let again = near.iter().filter(|place| place.at.distance(at) < SAME_PLACE);
    let again = again.map(|place| 2.0 * place.within).fold(0.0, f64::max);
    let (mut less, mut within) = (again, again.max(NEAREST * reach));
    while !is_more(within) {
        (less, within) = (within, 2.0 * within);
        if within > FARTHEST * reach {
            return None;
        }
    }
    for _ in 0..HALVINGS {
        let middle = (less + within) / 2.0;
        if is_more(middle) {
            within = middle;
        } else {
            less = middle;
        }
    }
    let near = with(within);
    (ground.gaps_near(&near) < ground.gap_count()).then_some(near)
}

/// The better one: of equally good ones that with gaps, or the earlier.
fn better(best: Option<Attempt>, new: Attempt) -> Attempt {
    let order = |attempt: &Attempt| (attempt.rank(), attempt.rank() == Rank::Good && !attempt.has_no_gaps);
    match best {
        Some(best) if order(&best) >= order(&new) => best,
        _ => new,
    }
}
