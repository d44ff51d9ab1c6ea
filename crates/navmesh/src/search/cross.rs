//! A path crosses a gap, it does not walk along it: no run through gaps is longer than the widest gap that the body steps over, nor does it
//! lead higher or lower than the highest step. Ground that is only touched between two gaps, in a corner, is none to stand on.
//!
//! Idea: the search takes gaps for ground. Where the shortest path runs too long through a gap, slanting or along it, it is told
//!   where to cross: from a place on one side to a place on another that is near enough, so that the way over both is shortest as
//!   far as the path goes straight before and after. That is a convex problem in the two places. What comes before and what comes
//!   after are paths of their own, and the places are chosen again from where those turn.
//! Source: seed 002, end of section IV, leaves this to the planner.
//! Steps: 1. the first run that is too long  2. pairs of sides of its gap within reach, the best places on each  3. the ways to and
//!   from there; the shortest of the whole  4. the same for both ways. A gap that nobody gets over so is closed, and all is done
//!   again. Where gaps crossed one after the other meet in a corner, places keep off the corners.
//! Promises: no run is longer or higher than asked for. The path is shortest if it crosses one such gap on a corridor as it had before; nearly
//!   so otherwise.
//! Cost: some searches per run.

use super::{
    crossing::Crossing,
    disc::{Body, PlanPiece},
    limits::{Blocks, Limits},
    path::{Crossed, NoPath, Path},
    query::PathFinder,
    scratch::PathScratch,
    taut_end::TautEnd,
};
use crate::{
    gap::SLACK,
    locate::LocateConfig,
    mesh::{CellId, CornerId, NavMesh},
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::distance_squared_to_segment;

/// Searches for one path at most, and gaps that are closed in turn.
const SEARCHES: usize = 300;
const CLOSINGS: usize = 8;

/// How often a way may lead back into a gap that is being crossed. Most ways need one round or two of some 15 searches; one that is led
/// back again and again uses up all searches, hundreds of times as much as another query, and comes to nothing.
const RETURNS: usize = 3;

/// How often places are chosen again.
const REFINEMENTS: usize = 3;

/// Whoever walks less between two gaps has not set foot on the ground [m]: less than the thinnest bar of a grate.
const FOOTING: f64 = 1e-3;

/// How far places keep off the ends of sides, tried in turn where ground would only be touched otherwise [m]: the sharper the tip of ground,
/// the farther.
const OFF_CORNERS: [f64; 3] = [0.0, 2.0 * FOOTING, 20.0 * FOOTING];

/// A part of a path in gaps.
pub(super) struct Run {
    /// Where it begins, and where it ends.
    ends: [Crossed; 2],
    length: f64,
    pub cells: Vec<CellId>,
    /// Whether it is still in a gap where it ends.
    is_open: bool,
}

impl Run {
    fn begin(crossed: &Crossed) -> Self {
        Self { ends: [*crossed; 2], length: 0.0, cells: vec![crossed.into], is_open: true }
    }

    fn go_on(&mut self, crossed: &Crossed, is_gap: bool) {
        self.length += self.ends[1].at.truncate().distance(crossed.at.truncate());
        self.ends[1] = *crossed;
        self.cells.extend(is_gap.then_some(crossed.into));
        self.is_open = is_gap;
    }

    fn rise(&self) -> f64 {
        (self.ends[1].at.z - self.ends[0].at.z).abs()
    }
}

/// What a body steps over at once.
#[derive(Clone, Copy)]
pub(super) struct Most {
    pub width: f64,
    pub rise: f64,
}

impl Most {
    /// Of a body that manages all that there is the most of the mesh.
    fn of(body: &Body, mesh: &NavMesh) -> Self {
        let or = |asked: f64, known: f64| if asked.is_finite() { asked } else { known };
        Self { width: or(body.max_gap, mesh.hardest.width), rise: or(body.step, mesh.hardest.rise) }
    }

    fn allows(&self, run: &Run) -> bool {
        run.length <= self.width + SLACK && run.rise() <= self.rise + SLACK
    }

    /// Why not.
    fn refuse(&self, run: &Run) -> NoPath {
        let at = run.ends[0].at;
        if run.length > self.width + SLACK {
            NoPath::GapTooWide { at, needed: run.length, available: self.width }
        } else {
            NoPath::StepTooHigh { at, needed: run.rise(), available: self.rise }
        }
    }
}

/// A crossing that may be chosen.
struct Choice {
    crossing: Crossing,
    /// How long the way over it is [m].
    length: f64,
    /// The ways to and from there, where they were searched; else the length is reckoned.
    ways: Option<[Path; 2]>,
}

impl Choice {
    /// Where the ways turn last before and first after.
    fn turns(&self) -> Option<[DVec2; 2]> {
        let [before, after] = self.ways.as_ref()?;
        Some([before.pieces.last()?.ends()[0], after.pieces.first()?.ends()[1]])
    }
}

/// A query whose runs have to be short.
pub(super) struct Quest<'a> {
    pub body: &'a Body,
    pub limits: Option<Limits<'a>>,
    config: &'a LocateConfig,
    pub most: Most,
    /// How far places keep off the ends of sides [m].
    pub off_corners: f64,
    searches: usize,
    /// The cells of the runs in hand, each in place of a part of the one before.
    runs: Vec<Vec<CellId>>,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// Changes a path so that it runs nowhere too long through gaps.
    pub(super) fn cross_gaps(
        &self,
        body: &Body,
        asked: [DVec3; 2],
        config: &LocateConfig,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) -> Result<(), NoPath> {
        if self.mesh.hardest.width == 0.0 {
            return Ok(());
        }
        let most = Most::of(body, &self.mesh);
        let mut blocks: Option<Blocks> = None;
        for _ in 0..CLOSINGS {
            let Some(run) = first_long_run(&self.mesh, path, most) else { return Ok(()) };
            let open = blocks.get_or_insert_with(|| self.blocks().clone());
            // Runs may meet where one was told to cross.
            for off_corners in OFF_CORNERS {
                let limits = Limits::of(&self.mesh, open, body);
                let (searches, runs) = (SEARCHES, Vec::new());
                let mut quest = Quest { body, limits, config, most, off_corners, searches, runs };
                let Some(way) = self.cross_all(&mut quest, asked, None, scratch) else { continue };
                let expanded = path.expanded;
                let [from, to] = self.locate_both(asked, quest.limits, quest.config, scratch)?;
                let length = way.pieces.iter().map(PlanPiece::length).sum();
                *path = Path { clearance: None, ..way };
                self.measure(body, length, expanded, [from.distance(asked[0]), to.distance(asked[1])], path);
                return Ok(());
            }
            for &cell in &run.cells {
                open.block_cell(cell);
            }
            let limits = Limits::of(&self.mesh, open, body);
            self.find_within(body, limits, asked, config, scratch, path).map_err(|why| match why {
                NoPath::Unreachable { .. } | NoPath::Blocked { .. } => most.refuse(&run),
                why => why,
            })?;
        }
        first_long_run(&self.mesh, path, most).map_or(Ok(()), |run| Err(most.refuse(&run)))
    }

    /// A path without long runs; `known` is the shortest one, if that was searched already.
    fn cross_all(
        &self,
        quest: &mut Quest<'_>,
        asked: [DVec3; 2],
        known: Option<Path>,
        scratch: &mut PathScratch,
    ) -> Option<Path> {
        let path = match known {
            Some(path) => path,
            None => self.search_once(quest, asked, scratch)?,
        };
        // 1.
        let Some(run) = first_long_run(&self.mesh, &path, quest.most) else { return Some(path) };
        let meets = |cells: &&Vec<CellId>| run.cells.iter().any(|cell| cells.contains(cell));
        if quest.runs.iter().filter(meets).count() > RETURNS {
            return None;
        }
        // 2. and 3.
        let (crossing, [before, after]) = self.best_ways_over(&path, &run, asked, quest, scratch)?;
        // 4.
        let [near, far] = self.ground_beside(&crossing);
        quest.runs.push(run.cells);
        let mut way = self.cross_all(quest, [asked[0], near], Some(before), scratch)?;
        let mut over = Path::default();
        self.find_within(quest.body, quest.limits, [near, far], quest.config, scratch, &mut over).ok()?;
        self.go_on(&mut way, over);
        // What is too long already does not become shorter.
        if first_long_run(&self.mesh, &way, quest.most).is_some() {
            return None;
        }
        let after = self.cross_all(quest, [far, asked[1]], Some(after), scratch)?;
        quest.runs.pop();
        self.go_on(&mut way, after);
        first_long_run(&self.mesh, &way, quest.most).is_none().then_some(way)
    }

    /// Steps 2 and 3: the best crossing of the gap of a run, and the ways to and from there. How long those are is reckoned from the path
    /// that is known; only of what is best by that the ways are searched, and if they are longer, of the next.
    fn best_ways_over(
        &self,
        path: &Path,
        run: &Run,
        asked: [DVec3; 2],
        quest: &mut Quest<'_>,
        scratch: &mut PathScratch,
    ) -> Option<(Crossing, [Path; 2])> {
        let beside = pieces_beside(path, run);
        let turns = beside.map_or_else(
            || run.ends.map(|crossed| crossed.at.truncate()),
            |[into, out]| [path.pieces[into].ends()[0], path.pieces[out].ends()[1]],
        );
        let ways = beside.and_then(|[into, out]| {
            let before = TautEnd::of(path.pieces[..=into].iter().copied())?;
            Some([before, TautEnd::of(path.pieces[out..].iter().rev().map(PlanPiece::reversed))?])
        });
        let reckoned = |crossing: Crossing| -> Choice {
            let length = |crossing: &Crossing| {
                let [before, after] = ways.as_ref()?;
                let [a, b] = crossing.places;
                let ((before, start), (after, goal)) = (before.to(a)?, after.to(b)?);
                Some((before + a.distance(b) + after, [start, goal]))
            };
            // What cannot be reckoned is searched first.
            let Some((mut least, mut ends)) = length(&crossing) else {
                return Choice { crossing, length: f64::NEG_INFINITY, ways: None };
            };
            let (mut best, mut chosen_for) = (crossing, turns);
            for _ in 0..REFINEMENTS {
                if ends == chosen_for {
                    break;
                }
                chosen_for = ends;
                let Some(next) = self.best_places(crossing.sides, ends, quest) else { break };
                let Some((length, turns)) = length(&next) else { break };
                if length >= least - SLACK {
                    break;
                }
                (least, best, ends) = (length, next, turns);
            }
            Choice { crossing: best, length: least, ways: None }
        };
        let mut choices: Vec<Choice> = self.crossings(run, turns, quest).into_iter().map(reckoned).collect();
        loop {
            let best = (0..choices.len()).min_by(|&a, &b| choices[a].length.total_cmp(&choices[b].length))?;
            let Choice { crossing, length, ways } = choices.swap_remove(best);
            if let Some(ways) = ways {
                return Some((crossing, ways));
            }
            let Some(searched) = self.search_over(quest, asked, crossing, scratch) else { continue };
            let is_as_reckoned = (searched.length - length).abs() <= SLACK;
            let chosen = if is_as_reckoned { searched } else { self.refine(quest, asked, searched, scratch) };
            match chosen {
                Choice { crossing, ways: Some(ways), .. } if is_as_reckoned => return Some((crossing, ways)),
                chosen => choices.push(chosen),
            }
        }
    }

    /// Places on the same sides chosen again from where the ways over them turn, as long as that makes them shorter.
    fn refine(
        &self,
        quest: &mut Quest<'_>,
        asked: [DVec3; 2],
        mut choice: Choice,
        scratch: &mut PathScratch,
    ) -> Choice {
        for _ in 0..REFINEMENTS {
            let Some(turns) = choice.turns() else { break };
            let Some(next) = self.best_places(choice.crossing.sides, turns, quest) else { break };
            let Some(next) = self.search_over(quest, asked, next, scratch) else { break };
            if next.length >= choice.length - SLACK {
                break;
            }
            choice = next;
        }
        choice
    }

    /// Adds a path to one that ends where it begins. Both lie on the ground already: on which storey, their points alone could not tell.
    fn go_on(&self, way: &mut Path, next: Path) {
        let mesh = &*self.mesh;
        if let (Some(&here), Some(&into), Some(&at)) =
            (way.cells.last(), next.cells.first(), next.points.first())
            && here != into
        {
            let is_gap = |cell: CellId| mesh.gap(cell).is_some();
            let is_here = |&corner: &CornerId| {
                let [a, b] = mesh.edge(corner).map(|vertex| mesh.xy(vertex));
                distance_squared_to_segment(at.truncate(), a, b) <= SLACK * SLACK
            };
            let across = |corner: CornerId| Some((mesh.portal_at(corner)?, mesh.neighbour(corner)?));
            let ways_out = || mesh.corners(here).filter(is_here).filter_map(across);
            let direct = ways_out().find(|&(_, cell)| cell == into);
            // In a corner a gap is left into one cell of the ground, and the way goes on in another.
            let found = direct
                .or_else(|| ways_out().find(|&(_, cell)| is_gap(here) && !is_gap(into) && !is_gap(cell)));
            let stride = found.filter(|&(portal, _)| mesh.is_stride(portal));
            way.crossed.extend(stride.map(|(portal, into)| Crossed { portal, into, at }));
        }
        let is_known = |p: &DVec3| way.points.last() == Some(p);
        let points = next.points.iter().skip(usize::from(next.points.first().is_some_and(is_known)));
        let cells = next.cells.iter().skip(usize::from(way.cells.last() == next.cells.first()));
        let pieces = next.pieces.iter().filter(|piece| piece.ends()[0] != piece.ends()[1]);
        way.points.extend(points);
        way.cells.extend(cells);
        way.pieces.extend(pieces.cloned());
        way.crossed.extend(next.crossed);
    }

    fn search_once(
        &self,
        quest: &mut Quest<'_>,
        asked: [DVec3; 2],
        scratch: &mut PathScratch,
    ) -> Option<Path> {
        quest.searches = quest.searches.checked_sub(1)?;
        let mut path = Path::default();
        self.find_within(quest.body, quest.limits, asked, quest.config, scratch, &mut path).ok()?;
        Some(path)
    }

    /// The ways to and from a crossing.
    fn search_over(
        &self,
        quest: &mut Quest<'_>,
        asked: [DVec3; 2],
        crossing: Crossing,
        scratch: &mut PathScratch,
    ) -> Option<Choice> {
        let [near, far] = self.ground_beside(&crossing);
        let before = self.search_once(quest, [asked[0], near], scratch)?;
        let after = self.search_once(quest, [far, asked[1]], scratch)?;
        let over = crossing.places[0].distance(crossing.places[1]);
        let length = before.plan_length + over + after.plan_length;
        Some(Choice { crossing, length, ways: Some([before, after]) })
    }
}

/// Step 1.
fn first_long_run(mesh: &NavMesh, path: &Path, most: Most) -> Option<Run> {
    let mut run: Option<Run> = None;
    for crossed in &path.crossed {
        let is_gap = mesh.gap(crossed.into).is_some();
        match &mut run {
            Some(run) if run.is_open || is_gap && is_at_once(run, crossed) => run.go_on(crossed, is_gap),
            _ if is_gap => {
                let before = run.replace(Run::begin(crossed));
                if before.as_ref().is_some_and(|run| !most.allows(run)) {
                    return before;
                }
            }
            _ => {}
        }
    }
    run.filter(|run| !most.allows(run))
}

/// Whether a path goes into a gap right after a run through others, with no ground between to stand on.
fn is_at_once(run: &Run, crossed: &Crossed) -> bool {
    run.ends[1].at.truncate().distance(crossed.at.truncate()) < FOOTING
}

/// The pieces of a path on which a run begins and ends.
fn pieces_beside(path: &Path, run: &Run) -> Option<[usize; 2]> {
    let nearest = |p: DVec2| {
        let off = path.pieces.iter().map(|piece| {
            let [a, b] = piece.ends();
            distance_squared_to_segment(p, a, b)
        });
        Some(off.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))?.0)
    };
    let [into, out] = [0, 1].map(|k| nearest(run.ends[k].at.truncate()));
    Some([into?, out?])
}
