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
    disc::{Body, PlanPiece},
    limits::{Blocks, Limits},
    path::{Crossed, NoPath, Path},
    query::PathFinder,
    scratch::PathScratch,
};
use crate::{
    clearance::FREE_SLACK,
    gap::SLACK,
    locate::LocateConfig,
    mesh::{CellId, CornerId, NavMesh},
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::{distance_squared_to_segment, nearest_on_segment};

/// Searches for one path at most, and gaps that are closed in turn.
const SEARCHES: usize = 300;
const CLOSINGS: usize = 8;

/// How often a way may lead back into a gap that is being crossed. Most ways need one round or two of some 15 searches; one that is led
/// back again and again uses up all searches, hundreds of times as much as another query, and comes to nothing.
const RETURNS: usize = 3;

/// Cells of a gap that are looked at, pairs of its sides that are, and those for which ways are searched.
const CELLS: usize = 64;
const PAIRS: usize = 12;
const TRIED: usize = 3;

/// How often places are chosen again.
const REFINEMENTS: usize = 3;

/// Steps of a search for a least value; each leaves two thirds.
const STEPS: usize = 40;

/// Whoever walks less between two gaps has not set foot on the ground [m]: less than the thinnest bar of a grate.
const FOOTING: f64 = 1e-3;

/// How far places keep off the ends of sides, tried in turn where ground would only be touched otherwise [m]: the sharper the tip of ground,
/// the farther.
const OFF_CORNERS: [f64; 3] = [0.0, 2.0 * FOOTING, 20.0 * FOOTING];

/// A part of a path in gaps.
struct Run {
    /// Where it begins, and where it ends.
    ends: [Crossed; 2],
    length: f64,
    cells: Vec<CellId>,
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
struct Most {
    width: f64,
    rise: f64,
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

/// Where to cross a gap: from a side to another.
#[derive(Clone, Copy)]
struct Crossing {
    /// The corners of gap cells whose edges the sides are.
    sides: [CornerId; 2],
    places: [DVec2; 2],
    value: f64,
}

/// A query whose runs have to be short.
struct Quest<'a> {
    body: &'a Body,
    limits: Option<Limits<'a>>,
    config: &'a LocateConfig,
    most: Most,
    /// How far places keep off the ends of sides [m].
    off_corners: f64,
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
                let Some(way) = self.cross_all(&mut quest, asked, scratch) else { continue };
                let expanded = path.expanded;
                let [from, to] = self.locate_both(asked, quest.limits, quest.config, scratch)?;
                let length = way.pieces.iter().map(PlanPiece::length).sum();
                *path = Path { clearance: None, ..way };
                self.measure(body, length, expanded, [from.distance(asked[0]), to.distance(asked[1])], path);
                if first_long_run(&self.mesh, path, most).is_none() {
                    return Ok(());
                }
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

    /// A path without long runs.
    fn cross_all(&self, quest: &mut Quest<'_>, asked: [DVec3; 2], scratch: &mut PathScratch) -> Option<Path> {
        let path = self.search_once(quest, asked, scratch)?;
        // 1.
        let Some(run) = first_long_run(&self.mesh, &path, quest.most) else { return Some(path) };
        let meets = |cells: &&Vec<CellId>| run.cells.iter().any(|cell| cells.contains(cell));
        if quest.runs.iter().filter(meets).count() > RETURNS {
            return None;
        }
        // 2. and 3.
        let turns = turns_beside(&path, &run);
        let mut best: Option<(f64, Crossing)> = None;
        for crossing in self.crossings(&run, turns, quest).into_iter().take(TRIED) {
            let Some((length, mut ends)) = self.length_over(quest, asked, &crossing, scratch) else {
                continue;
            };
            let mut own = (length, crossing);
            for _ in 0..REFINEMENTS {
                let Some(next) = self.best_places(crossing.sides, ends, quest) else { break };
                let Some((length, turns)) = self.length_over(quest, asked, &next, scratch) else { break };
                if length >= own.0 - SLACK {
                    break;
                }
                own = (length, next);
                ends = turns;
            }
            if best.is_none_or(|best| own.0 < best.0) {
                best = Some(own);
            }
        }
        let (_, crossing) = best?;
        // 4.
        let [near, far] = self.ground_beside(&crossing);
        quest.runs.push(run.cells);
        let mut way = self.cross_all(quest, [asked[0], near], scratch)?;
        let after = self.cross_all(quest, [far, asked[1]], scratch)?;
        quest.runs.pop();
        let mut over = Path::default();
        self.find_within(quest.body, quest.limits, [near, far], quest.config, scratch, &mut over).ok()?;
        self.go_on(&mut way, over);
        self.go_on(&mut way, after);
        Some(way)
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

    /// The length of the way over a crossing, and the places at which it turns before and after.
    fn length_over(
        &self,
        quest: &mut Quest<'_>,
        asked: [DVec3; 2],
        crossing: &Crossing,
        scratch: &mut PathScratch,
    ) -> Option<(f64, [DVec2; 2])> {
        let [near, far] = self.ground_beside(crossing);
        let before = self.search_once(quest, [asked[0], near], scratch)?;
        let after = self.search_once(quest, [far, asked[1]], scratch)?;
        let over = crossing.places[0].distance(crossing.places[1]);
        let turns = [before.pieces.last()?.ends()[0], after.pieces.first()?.ends()[1]];
        Some((before.plan_length + over + after.plan_length, turns))
    }

    /// The two places of a crossing on the ground beside the gap.
    fn ground_beside(&self, crossing: &Crossing) -> [DVec3; 2] {
        [0, 1].map(|k| {
            let p = crossing.places[k];
            let cell = self.mesh.neighbour(crossing.sides[k]);
            p.extend(cell.map_or(0.0, |cell| self.mesh.height(cell, p)))
        })
    }

    /// Step 2: crossings of the gap of a run, best ones first.
    fn crossings(&self, run: &Run, turns: [DVec2; 2], quest: &Quest<'_>) -> Vec<Crossing> {
        let mesh = &*self.mesh;
        // All of the gap, as far as it is near.
        let mut cells = run.cells.clone();
        let mut at = 0;
        while let Some(&cell) = cells.get(at).filter(|_| cells.len() < CELLS) {
            at += 1;
            for other in mesh.corners(cell).filter_map(|corner| mesh.neighbour(corner)) {
                if mesh.gap(other).is_some() && !cells.contains(&other) {
                    cells.push(other);
                }
            }
        }
        let is_open = |corner: &CornerId| {
            let (Some(portal), Some(ground)) = (mesh.portal_at(*corner), mesh.neighbour(*corner)) else {
                return false;
            };
            mesh.gap(ground).is_none()
                && quest.limits.is_none_or(|limits| limits.allows_crossing(portal, ground))
        };
        let sides: Vec<CornerId> =
            cells.iter().flat_map(|&cell| mesh.corners(cell)).filter(is_open).collect();
        let ends = |corner: CornerId| mesh.edge(corner).map(|vertex| mesh.xy(vertex));
        let from = |p: DVec2, corner: CornerId| {
            let [a, b] = ends(corner);
            distance_squared_to_segment(p, a, b).sqrt()
        };
        let mut pairs: Vec<(f64, [CornerId; 2])> = Vec::new();
        for &one in &sides {
            for &two in sides.iter().filter(|&&two| two != one) {
                pairs.push((from(turns[0], one) + from(turns[1], two), [one, two]));
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut found: Vec<Crossing> = Vec::new();
        let reach = quest.most.width + SLACK;
        for (_, sides) in pairs.into_iter().filter(|&(_, [one, two])| is_within(ends(one), ends(two), reach))
        {
            found.extend(self.best_places(sides, turns, quest));
            if found.len() == PAIRS {
                break;
            }
        }
        found.sort_by(|a, b| a.value.total_cmp(&b.value).then(a.sides.cmp(&b.sides)));
        found
    }

    /// The best places on two sides of a gap to cross it on the way from one point to another; nothing if they are too far apart, or one too
    /// high over the other, or what lies between them is not all gap, or too narrow.
    fn best_places(&self, sides: [CornerId; 2], turns: [DVec2; 2], quest: &Quest<'_>) -> Option<Crossing> {
        let mesh = &*self.mesh;
        let side =
            |corner: CornerId| inner(mesh.edge(corner).map(|vertex| mesh.xy(vertex)), quest.off_corners);
        let [near, far] = sides.map(side);
        // What is asked for, to the bit; but a gap may be a hair wider.
        let within = |most: f64| shares_within(near, far, most).map(|shares| (most, shares));
        let (most, [low, high]) = within(quest.most.width).or_else(|| within(quest.most.width + SLACK))?;
        // The least of the whole as it depends on the place on the near side: convex, infinite out of reach.
        let on_far = |a: DVec2| -> Option<(f64, DVec2)> {
            let b = shortest_over(part_within(far, a, most)?, a, turns[1]);
            Some((a.distance(b) + b.distance(turns[1]), b))
        };
        let value = |s: f64| {
            let a = near[0].lerp(near[1], s);
            on_far(a).map_or(f64::INFINITY, |(rest, _)| turns[0].distance(a) + rest)
        };
        let s = least(low, high, value);
        let a = near[0].lerp(near[1], s);
        let (_, b) = on_far(a)?;
        let crossing = Crossing { sides, places: [a, b], value: value(s) };
        let [from, to] = self.ground_beside(&crossing).map(|p| p.z);
        let is_low = (to - from).abs() <= quest.most.rise + SLACK;
        (is_low && self.is_all_gap(&crossing, quest)).then_some(crossing)
    }

    /// Whether the straight way over a crossing is through gaps alone, and wide enough for the body.
    fn is_all_gap(&self, crossing: &Crossing, quest: &Quest<'_>) -> bool {
        let mesh = &*self.mesh;
        let [a, b] = crossing.places;
        let [near, far] = crossing.sides.map(|corner| mesh.cell_of_corner(corner));
        let is_wide = |clearances: crate::Clearances<'_>| {
            clearances.along(near, a, b).distance >= quest.body.radius - FREE_SLACK
        };
        if quest.body.radius > FREE_SLACK && !quest.body.overhangs && !mesh.clearances().is_some_and(is_wide)
        {
            return false;
        }
        // From cell to cell towards the far side.
        let mut cell = near;
        for _ in 0..CELLS {
            if cell == far {
                return true;
            }
            let way_out = mesh.corners(cell).find(|&corner| {
                let [p, q] = mesh.edge(corner).map(|vertex| mesh.xy(vertex));
                let is_between = (b - a).perp_dot(p - a) <= 0.0 && (b - a).perp_dot(q - a) >= 0.0;
                is_between && (q - p).perp_dot(b - p) <= 0.0 && corner != crossing.sides[0]
            });
            match way_out.and_then(|corner| mesh.neighbour(corner)) {
                Some(next) if mesh.gap(next).is_some() => cell = next,
                _ => return false,
            }
        }
        false
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

/// A segment less so much at both ends; of a short one its middle.
fn inner([a, b]: [DVec2; 2], less: f64) -> [DVec2; 2] {
    let share = (less / a.distance(b)).min(0.5);
    if share > 0.0 { [a.lerp(b, share), b.lerp(a, share)] } else { [a, b] }
}

/// Where a path turns before and after a run.
fn turns_beside(path: &Path, run: &Run) -> [DVec2; 2] {
    let on = |piece: &PlanPiece, p: DVec2| {
        let [a, b] = piece.ends();
        distance_squared_to_segment(p, a, b)
    };
    let nearest = |p: DVec2| {
        path.pieces.iter().min_by(|a, b| on(a, p).total_cmp(&on(b, p))).map_or([p; 2], PlanPiece::ends)
    };
    let [into, out] = [0, 1].map(|k| run.ends[k].at.truncate());
    [nearest(into)[0], nearest(out)[1]]
}

/// Whether two segments come within a distance of each other.
fn is_within([a, b]: [DVec2; 2], [c, d]: [DVec2; 2], most: f64) -> bool {
    let to = |p: DVec2, [a, b]: [DVec2; 2]| distance_squared_to_segment(p, a, b);
    let least = [to(a, [c, d]), to(b, [c, d]), to(c, [a, b]), to(d, [a, b])];
    least.into_iter().fold(f64::INFINITY, f64::min) <= most * most
}

/// The part of a segment within a distance of a point.
fn part_within([a, b]: [DVec2; 2], p: DVec2, most: f64) -> Option<[DVec2; 2]> {
    let way = (b - a).normalize_or_zero();
    let foot = (p - a).dot(way);
    let off = (p - a).perp_dot(way);
    let half = most * most - off * off;
    if half < 0.0 {
        return None;
    }
    let (low, high) = ((foot - half.sqrt()).max(0.0), (foot + half.sqrt()).min(a.distance(b)));
    (low <= high).then(|| [a + way * low, a + way * high])
}

/// The point of a segment over which the way from one place to another is shortest: that where light would be reflected, or pass.
fn shortest_over([from, to]: [DVec2; 2], a: DVec2, b: DVec2) -> DVec2 {
    let along = (to - from).normalize_or_zero();
    let [foot_a, foot_b] = [a, b].map(|p| (p - from).dot(along));
    let [off_a, off_b] = [a, b].map(|p| (p - from).perp_dot(along).abs());
    let share = if off_a + off_b > 0.0 { off_a / (off_a + off_b) } else { 0.0 };
    let at = foot_a + (foot_b - foot_a) * share;
    if at <= 0.0 {
        from
    } else if at >= from.distance(to) {
        to
    } else {
        from + along * at
    }
}

/// The shares of a segment from which another is within a distance.
fn shares_within(near: [DVec2; 2], far: [DVec2; 2], most: f64) -> Option<[f64; 2]> {
    let distance = |s: f64| {
        let a = near[0].lerp(near[1], s);
        a.distance(nearest_on_segment(a, far[0], far[1]))
    };
    let middle = least(0.0, 1.0, distance);
    if distance(middle) > most {
        return None;
    }
    // The distance is convex: bisect towards both ends.
    let farthest = |end: f64| {
        if distance(end) <= most {
            return end;
        }
        let (mut good, mut bad) = (middle, end);
        for _ in 0..STEPS {
            let half = (good + bad) / 2.0;
            if distance(half) <= most { good = half } else { bad = half }
        }
        good
    };
    Some([farthest(0.0), farthest(1.0)])
}

/// Where a convex function is least, by thirds.
fn least(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..STEPS {
        let third = (high - low) / 3.0;
        let (one, two) = (low + third, high - third);
        if value(one) <= value(two) { high = two } else { low = one }
    }
    // The ends are often best, and exact.
    let middle = (low + high) / 2.0;
    [low, high].into_iter().fold(middle, |best, end| if value(end) <= value(best) { end } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    proptest! {
        #[test]
        fn no_other_point_of_a_segment_is_on_a_shorter_way(
            [ax, ay, bx, by, px, py, qx, qy] in prop::array::uniform8(-3i32..4)
        ) {
            let point = |x: i32, y: i32| dvec2(f64::from(x), f64::from(y)) / 4.0;
            let (a, b, p, q) = (point(ax, ay), point(bx, by), point(px, py), point(qx, qy));
            let over = |r: DVec2| a.distance(r) + r.distance(b);
            let found = shortest_over([p, q], a, b);
            prop_assert!(distance_squared_to_segment(found, p, q) < 1e-20);
            for k in 0..=200 {
                prop_assert!(over(found) <= over(p.lerp(q, f64::from(k) / 200.0)) + 1e-12);
            }
        }
    }
}
