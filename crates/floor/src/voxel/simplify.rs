//! Contours with fewer corners, which cross nothing, lose nothing and cut no wall.
//!
//! Idea: from a corner go as far along the boundary as one straight edge stays near all that it leaves out. What lies
//!   between the edge and the boundary must be free of obstacles, looked up among the triangles themselves; edges that
//!   cross or jump over others get corners back.
//! Source: the reach of a cone, Imai and Iri 1988 (their tolerance zone, taken greedily). That a simplification is sound
//!   if nothing lies between a chain and its chord: Saalfeld 1999.
//! Steps: 1. chains between corners that must stay; those that two regions share once  2. farthest reach  3. edges that
//!   touch others, rings without area, rings jumped over: corners back, and look again
//! Promises: corners left out lie within the tolerance; shared corners stay shared; no edge of a layer touches another but
//!   at common corners; every ring keeps three corners and its direction.
//! Cost: near-linear; a handful of rounds.

use super::{
    contour::{Border, Contours, Corner, RegionContour, RingContour},
    lattice::Lattice,
    obstacles::Obstacles,
};
use rayon::prelude::*;
use std::collections::HashMap;
use wayfare_core::{Cancelled, Context, DVec2};
use wayfare_geom::{
    Aabb2, predicates::orient, segment::distance_squared_to_segment, segment_grid::SegmentGrid,
    simplify::winds_round,
};

/// How far edges may leave the ground's pixels, and how far they may cut into them, in parts of the tolerance.
///
/// The ground's pixels are free, so what is true lies outside of them: an edge should rather go out.
const INWARD: f64 = 1.0;

/// Among more new edges than this nobody looks for those near each one by one.
const FEW_NEW: usize = 64;

/// Ends of an edge that are tried before it is halved.
const TRIED: usize = 4;

/// Contours with fewer corners, and what their edges stand for.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The contours; their corners are some of those on the grid.
    pub contours: Contours,
    /// Corners on the grid.
    corners: Vec<Corner>,
    /// For each ring, region by region, and each of its corners: the first and the last of the corners on the grid that
    /// the edge from there on stands for. Both are 0 where the edge is shared.
    spans: Vec<Vec<[usize; 2]>>,
}

impl Simplified {
    /// The corners on the grid that the edges of a ring stand for, edge by edge, both ends included; none for shared edges.
    /// Rings are counted over all regions.
    pub fn stairs(&self, ring: usize) -> impl ExactSizeIterator<Item = &[Corner]> {
        self.spans[ring].iter().map(|&[from, to]| if from == to { &[] } else { &self.corners[from..=to] })
    }
}

/// Simplifies all rings; the tolerance is in metres.
pub fn simplify(
    contours: &Contours,
    lattice: &Lattice,
    tolerance: f64,
    obstacles: &Obstacles,
    context: &Context,
) -> Result<Simplified, Cancelled> {
    let mut work = Work::new(contours, lattice, tolerance, obstacles);
    let kept: Vec<Vec<usize>> = (0..work.chains.len())
        .into_par_iter()
        .map(|chain| if context.check().is_ok() { work.reach_all(chain) } else { Vec::new() })
        .collect();
    context.check()?;
    kept.iter().flatten().for_each(|&corner| work.keep[corner] = true);
    while work.mend() {
        context.check()?;
    }
    Ok(work.result(contours))
}

/// Corners between two that stay, in the direction of the first ring that has them.
struct Chain {
    /// The first corner's place in `Work::corners`; the last is that before the next chain's first.
    start: usize,
    end: usize,
    layer: u32,
}

/// A chain of a ring, and whether the ring runs against it.
#[derive(Clone, Copy)]
struct Link {
    chain: usize,
    is_reversed: bool,
}

struct Work<'a> {
    obstacles: &'a Obstacles<'a>,
    lattice: &'a Lattice,
    /// In pixels.
    tolerance: f64,
    chains: Vec<Chain>,
    corners: Vec<Corner>,
    /// The corners in pixels.
    points: Vec<DVec2>,
    keep: Vec<bool>,
    /// Those kept since the last look for faults; all at first.
    is_new: Vec<bool>,
    /// The chains of each ring, region by region, and its layer.
    rings: Vec<(u32, Vec<Link>)>,
    layers: u32,
}

impl<'a> Work<'a> {
    /// Step 1.
    fn new(contours: &Contours, lattice: &'a Lattice, tolerance: f64, obstacles: &'a Obstacles<'a>) -> Self {
        let mut work = Self {
            obstacles,
            lattice,
            tolerance: tolerance / lattice.resolution(),
            chains: Vec::new(),
            corners: Vec::new(),
            points: Vec::new(),
            keep: Vec::new(),
            is_new: Vec::new(),
            rings: Vec::new(),
            layers: 0,
        };
        // Shared chains by their first two corners, from either end.
        let mut shared: HashMap<(u32, u32), Link> = HashMap::new();
        for region in &contours.regions {
            work.layers = work.layers.max(region.layer + 1);
            for ring in &region.rings {
                let mut links = Vec::new();
                for chain in chains_of(ring) {
                    let key = |a: Corner, b: Corner| a.shared.zip(b.shared);
                    let (first, last) =
                        (key(chain[0], chain[1]), key(chain[chain.len() - 1], chain[chain.len() - 2]));
                    let is_shared = chain[0].border.is_shared();
                    if let Some(&link) = first.filter(|_| is_shared).and_then(|key| shared.get(&key)) {
                        links.push(link);
                        continue;
                    }
                    let number = work.add(&chain, region.layer);
                    links.push(Link { chain: number, is_reversed: false });
                    // A chain that comes back to its start is met from there as well.
                    for (key, is_reversed) in [(last, true), (first, false)] {
                        if let Some(key) = key.filter(|_| is_shared) {
                            shared.insert(key, Link { chain: number, is_reversed });
                        }
                    }
                }
                work.rings.push((region.layer, links));
            }
        }
        work
    }

    fn add(&mut self, corners: &[Corner], layer: u32) -> usize {
        let start = self.corners.len();
        self.corners.extend_from_slice(corners);
        self.points.extend(corners.iter().map(Corner::point));
        self.keep.resize(self.corners.len(), false);
        self.is_new.resize(self.corners.len(), true);
        let end = self.corners.len() - 1;
        (self.keep[start], self.keep[end]) = (true, true);
        self.chains.push(Chain { start, end, layer });
        self.chains.len() - 1
    }

    /// Step 2 for a whole chain: the corners to keep.
    fn reach_all(&self, chain: usize) -> Vec<usize> {
        let Chain { start, end, .. } = self.chains[chain];
        let mut kept = Vec::new();
        if self.points[start] == self.points[end] {
            // A ring by itself: the corner farthest from the first stays too.
            let far = (start + 1..end).max_by(|&a, &b| {
                let distance = |k: usize| self.points[k].distance_squared(self.points[start]);
                distance(a).total_cmp(&distance(b)).then(b.cmp(&a))
            });
            if let Some(far) = far {
                self.reach(start, far, &mut kept);
                self.reach(far, end, &mut kept);
            }
            return kept;
        }
        self.reach(start, end, &mut kept);
        kept
    }

    /// Adds the corners that are needed after the first of two that are kept, up to the second.
    fn reach(&self, start: usize, end: usize, kept: &mut Vec<usize>) {
        let mut from = start;
        while from < end {
            // A little shorter first: of the corners of a staircase every second is on the side that is free.
            let sound = |to: usize| {
                let mut tried = (to.saturating_sub(TRIED).max(from + 1) + 1..=to).rev();
                tried.find(|&to| self.is_sound(from, to))
            };
            // Where a wide tolerance leads through something, a narrower one ends at its corner, as half of the edge would not.
            let narrower = |last: &f64| (*last > 1.0).then(|| (last / 2.0).max(1.0));
            let mut to = from + 1;
            let mut found = std::iter::successors(Some(self.tolerance), narrower).find_map(|tolerance| {
                to = self.farthest_in_cone(from, end, tolerance);
                sound(to)
            });
            while found.is_none() && to > from + 1 {
                to = from + (to - from).div_ceil(2);
                found = sound(to);
            }
            from = found.unwrap_or(from + 1);
            kept.push(from);
        }
    }

    /// The farthest corner that a straight line from `from` reaches so that all between stay within a tolerance [pixels].
    fn farthest_in_cone(&self, from: usize, end: usize, tolerance: f64) -> usize {
        let origin = self.points[from];
        // Everything left of `right` and right of `left`, once there are such.
        let (mut right, mut left): (Option<DVec2>, Option<DVec2>) = (None, None);
        let mut best = from + 1;
        for k in from + 1..=end {
            let arm = self.points[k] - origin;
            let is_inside = right.is_none_or(|right| right.perp_dot(arm) >= 0.0)
                && left.is_none_or(|left| arm.perp_dot(left) >= 0.0);
            if is_inside {
                best = k;
            }
            let length = arm.length();
            // The line may pass the corner on its right, over obstacles' pixels, or on its left, over the ground's.
            let turned = |distance: f64| {
                let sine = distance / length;
                (sine < 1.0).then(|| arm * (1.0 - sine * sine).sqrt() + arm.perp() * sine)
            };
            if let Some(bound) = turned(-tolerance)
                && right.is_none_or(|right| right.perp_dot(bound) > 0.0)
            {
                right = Some(bound);
            }
            if let Some(bound) = turned(tolerance * INWARD)
                && left.is_none_or(|left| bound.perp_dot(left) > 0.0)
            {
                left = Some(bound);
            }
            if let (Some(right), Some(left)) = (right, left)
                && right.perp_dot(left) < 0.0
            {
                break;
            }
        }
        best
    }

    /// Whether an edge may stand for the chain between two corners: it goes straight on beside it, and nothing lies
    /// between.
    fn is_sound(&self, from: usize, to: usize) -> bool {
        let (a, b) = (self.points[from], self.points[to]);
        let along = b - a;
        let length = along.length_squared();
        if length == 0.0 {
            return false;
        }
        let limit = self.tolerance * self.tolerance * (1.0 + 1e-9);
        if (from + 1..to).any(|k| distance_squared_to_segment(self.points[k], a, b) > limit) {
            return false;
        }
        let foot = |p: DVec2| a + along * ((p - a).dot(along) / length).clamp(0.0, 1.0);
        let world = |p: DVec2| self.lattice.place(p);
        let height = |k: usize| self.lattice.height(f64::from(self.corners[k].height));
        (from..to).all(|k| {
            let (p, q) = (self.points[k], self.points[k + 1]);
            // The ground side of the edge has been looked at when its pixels were found free.
            if orient(a, b, p) <= 0.0 && orient(a, b, q) <= 0.0 {
                return true;
            }
            let polygon = [p, q, foot(q), foot(p)].map(world);
            self.obstacles.is_free(&polygon, [world(p), world(q)], [height(k), height(k + 1)])
        })
    }

    /// Step 3: false if nothing is wrong.
    fn mend(&mut self) -> bool {
        let look = |layer: u32| {
            let mut faults = Vec::new();
            let mut edges = self.edges(layer);
            if !edges.iter().all(|&edge| self.is_new_edge(edge)) {
                self.retain_near_new(&mut edges);
            }
            let grid = SegmentGrid::build(edges.iter().map(|edge| edge.map(|k| self.points[k])).collect());
            for [e, f] in grid.touching_pairs_of(|k| self.is_new_edge(edges[k as usize])) {
                let pair = [edges[e as usize], edges[f as usize]];
                if !self.is_joint(pair) {
                    faults.extend(pair);
                }
            }
            self.find_jumps(layer, &edges, &grid, &mut faults);
            faults
        };
        let layers: Vec<Vec<[usize; 2]>> = (0..self.layers).into_par_iter().map(look).collect();
        let mut faults = layers.concat();
        self.find_flat(&mut faults);
        faults.sort_unstable();
        faults.dedup();
        let mut kept = Vec::new();
        for [from, to] in faults {
            let (a, b) = (self.points[from], self.points[to]);
            let distance = |k: usize| distance_squared_to_segment(self.points[k], a, b);
            let farthest =
                (from + 1..to).max_by(|&p, &q| distance(p).total_cmp(&distance(q)).then(q.cmp(&p)));
            if let Some(middle) = farthest {
                self.reach(from, middle, &mut kept);
                self.reach(middle, to, &mut kept);
            }
        }
        self.is_new.fill(false);
        for &corner in &kept {
            (self.keep[corner], self.is_new[corner]) = (true, true);
        }
        !kept.is_empty()
    }

    /// Leaves out the edges that are not near any new one.
    fn retain_near_new(&self, edges: &mut Vec<[usize; 2]>) {
        let bounds = |edge: &[usize; 2]| Aabb2::of_points(edge.map(|k| self.points[k]));
        let new: Vec<Aabb2> = edges.iter().filter(|&&edge| self.is_new_edge(edge)).map(bounds).collect();
        if new.len() <= FEW_NEW {
            edges.retain(|edge| {
                let own = bounds(edge);
                new.iter().any(|new| new.touches(own))
            });
        }
    }

    /// Whether an edge was not there at the last look: others had no faults then, or none that could be mended.
    fn is_new_edge(&self, [from, to]: [usize; 2]) -> bool {
        self.is_new[from] || self.is_new[to]
    }

    /// The edges of the chains of a layer; seams count in both.
    fn edges(&self, layer: u32) -> Vec<[usize; 2]> {
        let mut edges = Vec::new();
        for chain in &self.chains {
            let is_seam_here = self.corners[chain.start].border == Border::Seam(layer);
            if chain.layer == layer || is_seam_here {
                let mut from = chain.start;
                for to in chain.start + 1..=chain.end {
                    if self.keep[to] {
                        edges.push([from, to]);
                        from = to;
                    }
                }
            }
        }
        edges
    }

    /// Whether two edges that touch do so as they should: in one common corner, without lying on each other.
    fn is_joint(&self, [[a, b], [c, d]]: [[usize; 2]; 2]) -> bool {
        let is_same = |p: usize, q: usize| {
            p == q
                || self.corners[p].shared.is_some() && self.corners[p].shared == self.corners[q].shared
                || {
                    // Chains of one ring meet in corners that no other ring has.
                    self.corners[p].shared.is_none()
                        && self.corners[p].at == self.corners[q].at
                        && self.is_end(p)
                        && self.is_end(q)
                }
        };
        let common = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
        let mut joints = common.into_iter().filter(|&(o, _, p, _)| is_same(o, p));
        let (Some((o, p, _, q)), None) = (joints.next(), joints.next()) else { return false };
        let (o, p, q) = (self.points[o], self.points[p], self.points[q]);
        orient(o, p, q) != 0.0 || (p - o).dot(q - o) < 0.0
    }

    fn is_end(&self, corner: usize) -> bool {
        let chain = self.chains.partition_point(|chain| chain.end < corner);
        self.chains.get(chain).is_some_and(|chain| chain.start == corner || chain.end == corner)
    }

    /// Edges that have a ring between themselves and what they stand for.
    fn find_jumps(&self, layer: u32, edges: &[[usize; 2]], grid: &SegmentGrid, faults: &mut Vec<[usize; 2]>) {
        for (_, links) in self.rings.iter().filter(|ring| ring.0 == layer) {
            // A corner that no other ring has lies on one side of everything.
            let corners = links.iter().map(|link| self.chains[link.chain].start);
            let own = corners.clone().find(|&k| self.corners[k].shared.is_none());
            let Some(first) = own.or(corners.clone().next()) else { continue };
            let p = self.points[first];
            let reach = self.tolerance;
            grid.visit_box(Aabb2 { min: p - reach, max: p + reach }, |edge| {
                let [from, to] = edges[edge as usize];
                let is_own = links.iter().any(|link| {
                    (self.chains[link.chain].start..=self.chains[link.chain].end).contains(&from)
                });
                if self.is_new_edge([from, to])
                    && !is_own
                    && to > from + 1
                    && winds_round(&self.points[from..=to], p)
                {
                    faults.push([from, to]);
                }
            });
        }
    }

    /// Rings without three corners or turned round.
    fn find_flat(&self, faults: &mut Vec<[usize; 2]>) {
        let is_new = |link: &Link| {
            let Chain { start, end, .. } = self.chains[link.chain];
            self.is_new[start..=end].contains(&true)
        };
        for (_, links) in self.rings.iter().filter(|ring| ring.1.iter().any(is_new)) {
            let area = |all: bool| {
                let mut points = Vec::new();
                for link in links {
                    points.extend(self.along(*link).filter(|&k| all || self.keep[k]).map(|k| self.points[k]));
                }
                let twice: f64 = (1..points.len().saturating_sub(1))
                    .map(|k| (points[k] - points[0]).perp_dot(points[k + 1] - points[0]))
                    .sum();
                (points.len(), twice)
            };
            let (count, kept) = area(false);
            if count < 3 || kept == 0.0 || (kept > 0.0) != (area(true).1 > 0.0) {
                for link in links {
                    let Chain { start, end, .. } = self.chains[link.chain];
                    let mut from = start;
                    for to in start + 1..=end {
                        if self.keep[to] {
                            faults.push([from, to]);
                            from = to;
                        }
                    }
                }
            }
        }
    }

    /// The corners of a link without its last, in the direction of its ring.
    fn along(&self, link: Link) -> Box<dyn Iterator<Item = usize>> {
        let Chain { start, end, .. } = self.chains[link.chain];
        if link.is_reversed { Box::new((start + 1..=end).rev()) } else { Box::new(start..end) }
    }

    fn result(self, contours: &Contours) -> Simplified {
        let mut rings = self.rings.iter();
        let mut regions = Vec::new();
        let mut spans = Vec::new();
        for region in &contours.regions {
            let mut kept = Vec::new();
            for _ in &region.rings {
                let mut corners = Vec::new();
                let mut ring_spans = Vec::new();
                for &link in rings.next().into_iter().flat_map(|ring| &ring.1) {
                    // Both sides of a border have their own name for it.
                    let chain = &self.chains[link.chain];
                    let border = match (link.is_reversed, self.corners[chain.start].border) {
                        (true, Border::Seam(_)) => Border::Seam(chain.layer),
                        (_, border) => border,
                    };
                    let mut worst = border;
                    for k in self.along(link) {
                        if self.keep[k] {
                            corners.push(Corner { border, ..self.corners[k] });
                            // Those that are not shared run with their ring.
                            let end = (k + 1..=chain.end).find(|&end| self.keep[end]).unwrap_or(k);
                            ring_spans.push(if border.is_shared() { [0, 0] } else { [k, end] });
                            worst = border;
                        }
                        if let (Border::Drop(a), Border::Drop(b)) = (worst, self.corners[k].border)
                            && let Some(last) = corners.last_mut()
                        {
                            worst = Border::Drop(a.max(b));
                            last.border = worst;
                        }
                    }
                }
                kept.push(RingContour { corners });
                spans.push(ring_spans);
            }
            regions.push(RegionContour { rings: kept, ..*region });
        }
        let contours = Contours { regions, region_of: contours.region_of.clone(), shared: contours.shared };
        Simplified { contours, corners: self.corners, spans }
    }
}

/// The chains of a ring, each with its last corner, which is the first of the next.
fn chains_of(ring: &RingContour) -> Vec<Vec<Corner>> {
    let n = ring.corners.len();
    let is_fixed = |k: usize| {
        let (before, here) = (ring.corners[(k + n - 1) % n], ring.corners[k]);
        here.is_fixed || !before.border.is_alike(here.border)
    };
    let mut fixed: Vec<usize> = (0..n).filter(|&k| is_fixed(k)).collect();
    if fixed.is_empty() {
        // The same corner for both rings of a border, whichever way they run.
        fixed.extend((0..n).min_by_key(|&k| ring.corners[k].at));
    }
    let mut chains = Vec::new();
    for (number, &start) in fixed.iter().enumerate() {
        let next = fixed[(number + 1) % fixed.len()];
        let length = (next + n - start - 1) % n + 1;
        chains.push((start..=start + length).map(|k| ring.corners[k % n]).collect());
    }
    chains
}

#[cfg(test)]
mod tests {
    use crate::{GroundConfig, plan_scene};
    use wayfare_core::Context;
    use wayfare_scene::generated::scene_by_name;

    #[test]
    fn a_wider_tolerance_does_not_need_more_corners() {
        for name in ["cave-1", "spiral-2", "sample", "building-2"] {
            let scene = scene_by_name(name).unwrap();
            let count = |simplify: f64| {
                let config = GroundConfig { simplify, ..GroundConfig::default() };
                plan_scene(&scene, &config, &Context::default()).unwrap().plan.vertices.len()
            };
            let default = count(GroundConfig::default().simplify);
            for simplify in [0.2, 0.5, 1.0] {
                let wider = count(simplify);
                // Greedy steps may end unhappily.
                assert!(
                    wider * 10 <= default * 11,
                    "{name}: {wider} corners at {simplify} m, {default} at 0.1 m"
                );
            }
        }
    }
}
