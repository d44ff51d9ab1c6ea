//! Takes what is thinner than 10 µm out of the surface: short edges, slivers of ground, passages that nothing fits through.
//!
//! Idea: what comes after is exact, too, but rounds the points that it adds; it needs ground whose features are far larger than
//!   that. So the triangles themselves are tidied, as they are joined now: an edge that is too short becomes a point, a
//!   triangle whose corner is too near to the border is taken away, others change their diagonal. Whatever lies at one place
//!   moves together, so that both sides of a wall and of a step stay at the same place to the bit. Places only move
//!   onto others: all stay on the grid.
//! Source: edge collapse as in mesh simplification (Hoppe and others 1993), with exact tests in place of a measure of quality.
//! Steps, until nothing changes: 1. places that hang together by short edges become the one of them that changes least
//!   2. caps on the border go  3. diagonals  4. if nothing else changes, needles along the border that cannot become an edge, for
//!   others as thin are in their way, go.
//!   Last, what is left of ground that is thin all along.
//! A change is made only if every triangle stays counter-clockwise and, at the border, none comes to lie over other ground.
//! Promises W1 to W6, and that ground is nowhere narrower than 10 µm, but for what no change was possible at.
//! Cost: O(n) per round; few rounds, for changes in one round keep apart only from each other. What could not be changed is tried again only
//!   after something beside it has changed: of a scene with thousands of such places each would be tried in each round.

use super::{
    joins::{FLAT, STEP_TOLERANCE, number_vertices},
    layers::overlap,
    surface::{
        BorderEdge, NO_HALF_EDGE, Origin, PatchId, Plane, Riser, SurfaceTriangle, WalkableSurface, root,
    },
};
use crate::GroundConfig;
use std::{cell::OnceCell, collections::BTreeMap};
use wayfare_core::{DVec2, DVec3, IdVec};
use wayfare_geom::{
    Aabb2,
    bvh::{Aabb3, Bvh},
    predicates::is_left,
};

/// Ground narrower than this is none [m]: what files lose of a coordinate in a building, and a crack that is filled.
const THIN: f64 = 1e-5;

/// In tiny scenes it is less, in huge ones more [units of the finest grid].
const LEAST_UNITS: f64 = 1024.0;
const MOST_UNITS: f64 = 4_194_304.0;

/// On a coarser grid rounding leaves nothing that is narrower than a few of its units.
const LEAST_COARSE_UNITS: f64 = 8.0;

/// More rounds than were ever needed.
const ROUNDS: usize = 60;

/// How narrow ground may be [m], for the finest grid and the one that it is on.
pub(crate) fn thin(finest: f64, grid: f64) -> f64 {
    THIN.min(MOST_UNITS * finest).max(LEAST_UNITS * finest).max(LEAST_COARSE_UNITS * grid)
}

/// Places that are moved onto one at once, at most.
const CROWD: usize = 48;

/// The surface without what is too thin; adds to the notes what was done.
pub(super) fn clean(
    surface: WalkableSurface,
    config: &GroundConfig,
    notes: &mut Vec<String>,
) -> WalkableSurface {
    let mut sheets = Sheets::of(&surface, config);
    for _ in 0..ROUNDS {
        let changes = sheets.shorten() + sheets.flip();
        if changes == 0 && sheets.remove_needles() == 0 {
            break;
        }
    }
    let area = sheets.remove_thin();
    if area > 0.0 {
        notes.push(format!("ground narrower than {:.0} µm left out: {:.2e} m²", sheets.thin * 1e6, area));
    }
    if sheets.is_changed { sheets.surface(surface) } else { surface }
}

/// Triangles by the places of their corners, joined across sides, flat or by steps.
struct Sheets {
    planes: IdVec<PatchId, Plane>,
    places: Vec<DVec2>,
    corners: Vec<[u32; 3]>,
    patch: Vec<PatchId>,
    is_gone: Vec<bool>,
    across: Vec<u32>,
    /// How high over the lower side something stands on a joined half-edge [m].
    over: Vec<f64>,
    /// Why the ground ends at a half-edge that is not joined, and what stands there.
    ends: Vec<(Origin, Option<[f64; 2]>)>,
    thin: f64,
    step: f64,
    /// Ground whose heights differ by less is never over other ground [m].
    room: f64,
    is_changed: bool,
    /// When each triangle changed last, on a clock of changes.
    changed: Vec<u32>,
    clock: u32,
    refused: BTreeMap<Vec<u32>, Refusal>,
}

/// Why places could not become one.
struct Refusal {
    clock: u32,
    /// How many corners were there.
    corners: usize,
    /// Triangles of other places that were in the way.
    blockers: Vec<u32>,
}

/// The corners at each place.
struct Stars {
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl Stars {
    fn at(&self, place: u32) -> &[u32] {
        &self.corners[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }
}

/// Whether a place is one of a sorted list; most are pairs.
fn is_in(crowd: &[u32], place: u32) -> bool {
    if let &[a, b] = crowd { a == place || b == place } else { crowd.binary_search(&place).is_ok() }
}

fn side(h: u32) -> [usize; 3] {
    let (t, k) = (h as usize / 3, h as usize % 3);
    [t, k, (k + 1) % 3]
}

impl Sheets {
    fn of(surface: &WalkableSurface, config: &GroundConfig) -> Self {
        let at = |h: u32| (surface.segment(h)[0].truncate(), h);
        let mut order: Vec<(DVec2, u32)> = (0..surface.twins.len() as u32).map(at).collect();
        order.sort_unstable_by(|(p, g), (q, h)| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(g.cmp(h)));
        let mut places: Vec<DVec2> = Vec::new();
        let mut corners = vec![[0; 3]; surface.triangles.len()];
        for (place, h) in order {
            if places.last() != Some(&place) {
                places.push(place);
            }
            corners[h as usize / 3][h as usize % 3] = places.len() as u32 - 1;
        }
        let mut across = surface.twins.clone();
        let mut over = vec![0.0; across.len()];
        for riser in &surface.risers {
            for (h, other) in [(riser.lower, riser.upper), (riser.upper, riser.lower)] {
                across[h as usize] = other;
                over[h as usize] = riser.over;
            }
        }
        let mut ends = vec![(Origin::Rim, None); across.len()];
        for edge in &surface.border {
            ends[edge.half_edge as usize] = (edge.origin, edge.obstacle);
        }
        Self {
            planes: surface.patches.as_slice().iter().map(|patch| patch.plane).collect(),
            places,
            corners,
            patch: surface.triangles.iter().map(|triangle| triangle.patch).collect(),
            is_gone: vec![false; surface.triangles.len()],
            across,
            over,
            ends,
            thin: thin(surface.finest, surface.grid),
            step: config.step,
            room: config.height / 2.0,
            is_changed: false,
            changed: vec![0; surface.triangles.len()],
            clock: 0,
            refused: BTreeMap::new(),
        }
    }

    /// Notes that a triangle, or what lies across its sides, changes.
    fn touch(&mut self, t: usize) {
        self.clock += 1;
        self.changed[t] = self.clock;
    }

    /// Whether nothing has changed since some places could not become one.
    fn is_refused(&self, crowd: &[u32], stars: &Stars) -> bool {
        let Some(refusal) = self.refused.get(crowd) else { return false };
        let is_same = |t: u32| self.changed[t as usize] <= refusal.clock;
        let corners = crowd.iter().map(|&place| stars.at(place).len()).sum::<usize>();
        corners == refusal.corners
            && refusal.blockers.iter().all(|&t| is_same(t))
            && crowd.iter().flat_map(|&place| stars.at(place)).all(|&corner| is_same(corner / 3))
    }

    fn place(&self, place: u32) -> DVec2 {
        self.places[place as usize]
    }
    fn points(&self, t: usize) -> [DVec2; 3] {
        self.corners[t].map(|place| self.place(place))
    }
    fn height(&self, t: usize, p: DVec2) -> f64 {
        self.planes[self.patch[t]].height_at(p)
    }
    fn alive(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.corners.len()).filter(|&t| !self.is_gone[t])
    }
    fn length(&self, h: u32) -> f64 {
        let [t, k, next] = side(h);
        self.place(self.corners[t][k]).distance(self.place(self.corners[t][next]))
    }
    /// The longest side of a triangle, and how far its third corner is from it.
    fn longest(&self, t: usize) -> (u32, f64) {
        let sides = [0, 1, 2].map(|k| 3 * t as u32 + k);
        let h = sides.into_iter().max_by(|&a, &b| self.length(a).total_cmp(&self.length(b))).unwrap_or(0);
        let [a, b, c] = self.points(t);
        (h, (b - a).perp_dot(c - a) / self.length(h))
    }

    fn stars(&self) -> Stars {
        let mut starts = vec![0; self.places.len() + 1];
        for place in self.alive().flat_map(|t| self.corners[t]) {
            starts[place as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut next = starts.clone();
        let mut corners = vec![0; starts.last().map_or(0, |&count| count as usize)];
        for t in self.alive() {
            for (k, place) in self.corners[t].into_iter().enumerate() {
                corners[next[place as usize] as usize] = (3 * t + k) as u32;
                next[place as usize] += 1;
            }
        }
        Stars { starts, corners }
    }

    /// Whether the fan of each corner ends at the border.
    fn border_corners(&self) -> Vec<bool> {
        let mut parent: Vec<u32> = (0..self.across.len() as u32).collect();
        for t in self.alive() {
            for h in (3 * t as u32)..(3 * t as u32 + 3) {
                let other = self.across[h as usize];
                if other != NO_HALF_EDGE {
                    let [a, b] = [h, WalkableSurface::next(other)].map(|corner| root(&mut parent, corner));
                    parent[a.max(b) as usize] = a.min(b);
                }
            }
        }
        let mut is_border = vec![false; parent.len()];
        for t in self.alive() {
            for h in (3 * t as u32)..(3 * t as u32 + 3) {
                if self.across[h as usize] == NO_HALF_EDGE {
                    for corner in [h, WalkableSurface::next(h)] {
                        let fan = root(&mut parent, corner);
                        is_border[fan as usize] = true;
                    }
                }
            }
        }
        (0..parent.len() as u32).map(|corner| is_border[root(&mut parent, corner) as usize]).collect()
    }

    /// Steps 1 and 2: how many changes.
    fn shorten(&mut self) -> usize {
        let (stars, is_border) = (self.stars(), self.border_corners());
        let tree = OnceCell::new();
        let mut is_busy = vec![false; self.places.len()];
        let mut changes = 0;
        // 1. All together, where that can be; else in pairs.
        for crowd in self.crowds() {
            changes += usize::from(self.shrink(&crowd, &stars, &is_border, &tree, &mut is_busy));
        }
        for t in 0..self.corners.len() {
            if self.is_gone[t] || self.corners[t].iter().any(|&place| is_busy[place as usize]) {
                continue;
            }
            let sides = [0, 1, 2].map(|k| 3 * t as u32 + k);
            let shortest = sides.into_iter().min_by(|&a, &b| self.length(a).total_cmp(&self.length(b)));
            if let Some(h) = shortest.filter(|&h| self.length(h) < self.thin) {
                let [t, k, next] = side(h);
                let mut pair = [self.corners[t][k], self.corners[t][next]];
                pair.sort_unstable();
                changes += usize::from(self.shrink(&pair, &stars, &is_border, &tree, &mut is_busy));
                continue;
            }
            // 2.
            let (h, height) = self.longest(t);
            if self.across[h as usize] == NO_HALF_EDGE && height < self.thin {
                self.corners[t].iter().for_each(|&place| is_busy[place as usize] = true);
                self.remove(t, self.ends[h as usize]);
                changes += 1;
            }
        }
        self.is_changed |= changes > 0;
        changes
    }

    /// For each place the least of those that it hangs together with by short edges.
    fn least_of_crowds(&self) -> Vec<u32> {
        let mut parent: Vec<u32> = (0..self.places.len() as u32).collect();
        for h in self.alive().flat_map(|t| 3 * t as u32..3 * t as u32 + 3) {
            if self.length(h) < self.thin {
                let [t, k, next] = side(h);
                let [a, b] =
                    [self.corners[t][k], self.corners[t][next]].map(|place| root(&mut parent, place));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        (0..parent.len() as u32).map(|place| root(&mut parent, place)).collect()
    }

    /// Places that hang together by short edges, each list sorted.
    fn crowds(&self) -> Vec<Vec<u32>> {
        let mut members: Vec<(u32, u32)> = self.least_of_crowds().into_iter().zip(0..).collect();
        members.sort_unstable();
        let crowds = members.chunk_by(|a, b| a.0 == b.0).filter(|crowd| (3..=CROWD).contains(&crowd.len()));
        crowds.map(|crowd| crowd.iter().map(|member| member.1).collect()).collect()
    }

    /// Step 4: how many. Each lies along the border and ends at a short edge. Behind it there may be others, as in a slit between two cuts that
    /// miss each other; what goes of such a row is as wide as the crowd of places at its short edges.
    fn remove_needles(&mut self) -> usize {
        let crowd_of = self.least_of_crowds();
        let mut bounds = vec![Aabb2::EMPTY; crowd_of.len()];
        for (&crowd, &place) in crowd_of.iter().zip(&self.places) {
            bounds[crowd as usize] = bounds[crowd as usize].with(place);
        }
        let mut count = 0;
        for t in 0..self.corners.len() {
            let sides = [0, 1, 2].map(|k| 3 * t as u32 + k);
            let is_narrow = |&h: &u32| {
                let [t, k, _] = side(h);
                let crowd = bounds[crowd_of[self.corners[t][k] as usize] as usize];
                self.length(h) < self.thin && crowd.size().max_element() <= 2.0 * self.thin
            };
            if self.is_gone[t] || !sides.iter().any(is_narrow) {
                continue;
            }
            let [a, b, c] = self.points(t);
            let height = |&h: &u32| (b - a).perp_dot(c - a) / self.length(h);
            let border = sides.into_iter().filter(|&h| self.across[h as usize] == NO_HALF_EDGE);
            if let Some(h) = border.min_by(|p, q| height(p).total_cmp(&height(q)))
                && height(&h) < self.thin
            {
                self.remove(t, self.ends[h as usize]);
                count += 1;
            }
        }
        count
    }

    /// Makes some places one, if that can be done.
    fn shrink(
        &mut self,
        crowd: &[u32],
        stars: &Stars,
        is_border: &[bool],
        tree: &OnceCell<Bvh>,
        is_busy: &mut [bool],
    ) -> bool {
        let middle = crowd.iter().map(|&place| self.place(place)).sum::<DVec2>() / crowd.len() as f64;
        let is_wide = |&place: &u32| self.place(place).distance(middle) > 2.0 * self.thin;
        if crowd.iter().any(|&place| is_busy[place as usize]) || crowd.iter().any(is_wide) {
            return false;
        }
        if self.is_refused(crowd, stars) {
            return false;
        }
        let cost = |v: u32| crowd.iter().filter(|&&u| u != v).map(|&u| self.cost(u, v, stars)).sum::<f64>();
        let mut ways: Vec<(f64, u32)> = crowd.iter().map(|&v| (cost(v), v)).collect();
        ways.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut blockers = Vec::new();
        let mut can_move =
            |&&(_, v): &&(f64, u32)| self.can_move(crowd, v, stars, is_border, tree, &mut blockers);
        let Some(&(_, v)) = ways.iter().find(&mut can_move) else {
            let corners = crowd.iter().map(|&place| stars.at(place).len()).sum();
            self.refused.insert(crowd.to_vec(), Refusal { clock: self.clock, corners, blockers });
            return false;
        };
        for &corner in crowd.iter().flat_map(|&place| stars.at(place)) {
            self.corners[corner as usize / 3].iter().for_each(|&place| is_busy[place as usize] = true);
        }
        self.move_places(crowd, v, stars);
        true
    }

    /// How much of what can be seen changes when all that lies at a place moves to another [m²].
    fn cost(&self, u: u32, v: u32, stars: &Stars) -> f64 {
        let (p, way) = (self.place(u), self.place(v) - self.place(u));
        let mut cost = 0.0;
        for &corner in stars.at(u) {
            let [t, k, next] = side(corner);
            let before = (k + 2) % 3;
            for (h, other) in [(corner, next), (3 * t as u32 + before as u32, before)] {
                debug_assert_eq!(self.corners[t][k], u);
                let beyond = self.across[h as usize];
                let is_line = beyond == NO_HALF_EDGE || self.patch[beyond as usize / 3] != self.patch[t];
                if is_line && self.corners[t][other] != v {
                    cost += way.perp_dot(self.place(self.corners[t][other]) - p).abs();
                }
            }
        }
        cost
    }

    fn tree(&self) -> Bvh {
        let boxed = |t: usize| {
            let points = self.points(t);
            // Within a round nothing moves farther than the shortest edges are long.
            let grown = DVec3::new(self.thin, self.thin, self.room);
            let all = Aabb3::of_points(points.map(|p| p.extend(self.height(t, p))));
            Aabb3 { min: all.min - grown, max: all.max + grown }
        };
        let boxes: Vec<Aabb3> = (0..self.corners.len()).map(boxed).collect();
        Bvh::build(&boxes)
    }

    /// How many corners of a triangle are at some places.
    fn count_at(&self, t: usize, crowd: &[u32]) -> usize {
        self.corners[t].iter().filter(|&&place| is_in(crowd, place)).count()
    }

    /// Whether all that lies at some places may move to one of them; what of other places is in the way is noted.
    fn can_move(
        &self,
        crowd: &[u32],
        v: u32,
        stars: &Stars,
        is_border: &[bool],
        tree: &OnceCell<Bvh>,
        blockers: &mut Vec<u32>,
    ) -> bool {
        let mut moved: Vec<(usize, [DVec2; 3])> = Vec::new();
        let leaving = || crowd.iter().filter(|&&u| u != v).flat_map(|&u| stars.at(u));
        for &corner in leaving() {
            let t = corner as usize / 3;
            // Triangles with two corners there vanish.
            if self.count_at(t, crowd) == 1 {
                let points =
                    self.corners[t].map(|place| self.place(if is_in(crowd, place) { v } else { place }));
                if !is_left(points[0], points[1], points[2]) {
                    return false;
                }
                moved.push((t, points));
            }
        }
        if !leaving().any(|&corner| is_border[corner as usize]) {
            return true;
        }
        // Ground that ends here may come to lie over other ground.
        let p = self.place(v);
        let heights: Vec<f64> = moved.iter().map(|&(t, _)| self.height(t, p)).collect();
        for (k, &(t, points)) in moved.iter().enumerate() {
            let is_near = |height: f64| (heights[k] - height).abs() < self.room;
            let meets = |(&(_, other), &height): (&(usize, [DVec2; 3]), &f64)| {
                is_near(height) && overlap(points, other)
            };
            if moved[..k].iter().zip(&heights).any(meets) {
                return false;
            }
            let tree = tree.get_or_init(|| self.tree());
            let area = Aabb3::of_points(points.map(|p| p.extend(self.height(t, p))));
            let is_met = tree.visit(&area, |o| {
                let o = o as usize;
                // What of it is at these places moves, too.
                let is_other = || match self.count_at(o, crowd) {
                    0 => true,
                    1 => self.corners[o].contains(&v),
                    _ => false,
                };
                let is_met = !self.is_gone[o]
                    && is_near(self.height(o, p))
                    && is_other()
                    && overlap(points, self.points(o));
                blockers.extend(is_met.then_some(o as u32));
                is_met
            });
            if is_met {
                return false;
            }
        }
        true
    }

    fn move_places(&mut self, crowd: &[u32], v: u32, stars: &Stars) {
        for &corner in crowd.iter().filter(|&&u| u != v).flat_map(|&u| stars.at(u)) {
            let t = corner as usize / 3;
            if self.is_gone[t] {
                continue;
            }
            self.touch(t);
            let is_there = |place: &u32| is_in(crowd, *place);
            if self.count_at(t, crowd) == 1 {
                self.corners[t] = self.corners[t].map(|place| if is_there(&place) { v } else { place });
                continue;
            }
            // The side between two of the places vanishes, the two others become one.
            self.is_gone[t] = true;
            let is_kept = |h: &u32| {
                let [t, k, next] = side(*h);
                !(is_there(&self.corners[t][k]) && is_there(&self.corners[t][next]))
            };
            let sides: Vec<u32> = (3 * t as u32..3 * t as u32 + 3).filter(is_kept).collect();
            if let [h, g] = sides[..] {
                self.glue(h, g);
            }
        }
    }

    /// Joins what lies across two sides of a triangle that vanishes.
    fn glue(&mut self, h: u32, g: u32) {
        let [p, q] = [h, g].map(|h| self.across[h as usize]);
        match [p, q].map(|p| p != NO_HALF_EDGE) {
            [true, true] => {
                let over = self.over[h as usize].max(self.over[g as usize]);
                let [t, k, next] = side(p);
                let ends = [self.corners[t][k], self.corners[t][next]].map(|place| self.place(place));
                let rise = ends.map(|end| (self.height(t, end) - self.height(q as usize / 3, end)).abs());
                let is_low = rise[0].max(rise[1]).max(over) <= self.step + STEP_TOLERANCE;
                for (p, q) in [(p, q), (q, p)] {
                    self.touch(p as usize / 3);
                    self.across[p as usize] = if is_low { q } else { NO_HALF_EDGE };
                    self.over[p as usize] = over;
                    self.ends[p as usize] = (Origin::Rim, None);
                }
            }
            [true, false] => self.end(p, self.ends[g as usize]),
            [false, true] => self.end(q, self.ends[h as usize]),
            [false, false] => {}
        }
    }

    fn end(&mut self, h: u32, why: (Origin, Option<[f64; 2]>)) {
        self.touch(h as usize / 3);
        self.across[h as usize] = NO_HALF_EDGE;
        self.ends[h as usize] = why;
    }

    fn remove(&mut self, t: usize, why: (Origin, Option<[f64; 2]>)) {
        self.touch(t);
        self.is_gone[t] = true;
        self.is_changed = true;
        for h in (3 * t as u32)..(3 * t as u32 + 3) {
            let other = self.across[h as usize];
            if other != NO_HALF_EDGE {
                self.end(other, why);
            }
        }
    }

    /// Step 3: how many changes.
    fn flip(&mut self) -> usize {
        let mut is_busy = vec![false; self.places.len()];
        let mut changes = 0;
        for t in 0..self.corners.len() {
            if self.is_gone[t] {
                continue;
            }
            let (h, height) = self.longest(t);
            let g = self.across[h as usize];
            if height >= self.thin || g == NO_HALF_EDGE {
                continue;
            }
            let o = g as usize / 3;
            let [_, k, next] = side(h);
            let [a, b, p] = [k, next, (k + 2) % 3].map(|k| self.corners[t][k]);
            let d = self.corners[o][(g as usize + 2) % 3];
            if [a, b, p, d].iter().any(|&place| is_busy[place as usize]) {
                continue;
            }
            let new = [[a, d, p], [d, b, p]];
            let points = new.map(|corners| corners.map(|place| self.place(place)));
            let least = |[a, b, c]: [DVec2; 3]| {
                let longest = [a.distance(b), b.distance(c), c.distance(a)].into_iter().fold(0.0, f64::max);
                (b - a).perp_dot(c - a) / longest
            };
            let worst = least(points[0]).min(least(points[1]));
            if !points.iter().all(|&[a, b, c]| is_left(a, b, c)) || worst <= height.min(self.longest(o).1) {
                continue;
            }
            [a, b, p, d].iter().for_each(|&place| is_busy[place as usize] = true);
            // Sides of t: a-b, b-p, p-a; of o: b-a, a-d, d-b. New: a-d, d-p, p-a and d-b, b-p, p-d.
            let old = |h: u32, by: u32| h / 3 * 3 + (h % 3 + by) % 3;
            let [bp, pa, ad, db] = [old(h, 1), old(h, 2), old(g, 1), old(g, 2)];
            let kept = [ad, pa, db, bp]
                .map(|h| (self.across[h as usize], self.over[h as usize], self.ends[h as usize]));
            // What is thin goes over to the other patch; if a step was between them, it is at the two other sides now.
            let step = self.over[h as usize];
            let (one, two) = (3 * t as u32, 3 * o as u32);
            self.corners[t] = new[0];
            self.corners[o] = new[1];
            self.patch[t] = self.patch[o];
            let slots = [one, one + 2, two, two + 1];
            for (slot, (across, over, ends)) in slots.into_iter().zip(kept) {
                // A side may lie across another of the same two triangles.
                let across = match [ad, pa, db, bp].iter().position(|&h| h == across) {
                    Some(k) => slots[k],
                    None => across,
                };
                let over = if slot == one + 2 || slot == two + 1 { over.max(step) } else { over };
                self.across[slot as usize] = across;
                self.over[slot as usize] = over;
                self.ends[slot as usize] = ends;
                self.touch(slot as usize / 3);
                if across != NO_HALF_EDGE {
                    self.touch(across as usize / 3);
                    self.across[across as usize] = slot;
                    self.over[across as usize] = over;
                }
            }
            for (slot, other) in [(one + 1, two + 2), (two + 2, one + 1)] {
                self.across[slot as usize] = other;
                self.over[slot as usize] = 0.0;
            }
            changes += 1;
        }
        self.is_changed |= changes > 0;
        changes
    }

    /// Takes away what hangs together and is thin all along; its area [m²].
    fn remove_thin(&mut self) -> f64 {
        let mut parent: Vec<u32> = (0..self.corners.len() as u32).collect();
        for t in self.alive() {
            for h in 3 * t..3 * t + 3 {
                if self.across[h] != NO_HALF_EDGE {
                    let [a, b] = [t as u32, self.across[h] / 3].map(|t| root(&mut parent, t));
                    parent[a.max(b) as usize] = a.min(b);
                }
            }
        }
        let mut sums = vec![[0.0; 2]; parent.len()];
        for t in self.alive() {
            let [a, b, c] = self.points(t);
            let sum = &mut sums[root(&mut parent, t as u32) as usize];
            sum[0] += (b - a).perp_dot(c - a) / 2.0;
            let border =
                (3 * t as u32..3 * t as u32 + 3).filter(|&h| self.across[h as usize] == NO_HALF_EDGE);
            sum[1] += border.map(|h| self.length(h)).sum::<f64>();
        }
        let mut area = 0.0;
        for t in 0..self.corners.len() {
            let [own, border] = sums[root(&mut parent, t as u32) as usize];
            if !self.is_gone[t] && own <= self.thin * border / 2.0 {
                let [a, b, c] = self.points(t);
                area += (b - a).perp_dot(c - a) / 2.0;
                self.is_gone[t] = true;
                self.is_changed = true;
            }
        }
        area
    }

    /// The surface that is left.
    fn surface(self, before: WalkableSurface) -> WalkableSurface {
        let mut order: Vec<usize> = self.alive().collect();
        order.sort_by_key(|&t| self.patch[t]);
        let mut number = vec![NO_HALF_EDGE; self.corners.len()];
        for (k, &t) in order.iter().enumerate() {
            number[t] = k as u32;
        }
        let moved = |h: u32| 3 * number[h as usize / 3] + h % 3;
        let mut twins = vec![NO_HALF_EDGE; 3 * order.len()];
        let mut risers = Vec::new();
        for h in order.iter().flat_map(|&t| 3 * t as u32..3 * t as u32 + 3) {
            let g = self.across[h as usize];
            if g == NO_HALF_EDGE || g < h {
                continue;
            }
            let [t, k, next] = side(h);
            let ends = [self.corners[t][k], self.corners[t][next]].map(|place| self.place(place));
            let up = ends.map(|end| self.height(g as usize / 3, end) - self.height(t, end));
            let rise = up[0].abs().max(up[1].abs());
            if rise <= FLAT && self.over[h as usize] == 0.0 {
                twins[moved(h) as usize] = moved(g);
                twins[moved(g) as usize] = moved(h);
            } else if up[0] + up[1] >= 0.0 {
                let over = self.over[h as usize].max(rise);
                risers.push(Riser { lower: moved(h), upper: moved(g), rise: up, over });
            } else {
                let over = self.over[h as usize].max(rise);
                risers.push(Riser { lower: moved(g), upper: moved(h), rise: [-up[1], -up[0]], over });
            }
        }
        risers.sort_by_key(|riser| (riser.lower, riser.upper));
        let (vertices, corners) = number_vertices(&twins, |corner| {
            let t = order[corner / 3];
            let place = self.place(self.corners[t][corner % 3]);
            place.extend(self.height(t, place))
        });
        let triangles = order.iter().zip(corners);
        let triangles =
            triangles.map(|(&t, corners)| SurfaceTriangle { corners, patch: self.patch[t] }).collect();
        let mut surface = WalkableSurface { vertices, triangles, twins, risers, ..before };
        surface.trace_border(|half_edge| {
            let (origin, obstacle) = self.ends[3 * order[half_edge as usize / 3] + half_edge as usize % 3];
            BorderEdge { half_edge, origin, obstacle }
        });
        surface.drop_high_risers(self.step);
        surface
    }
}
