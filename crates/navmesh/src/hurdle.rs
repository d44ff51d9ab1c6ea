//! What keeps pieces of ground apart that a better body would get over: a step that is too high, a gap that is too wide, too little
//! head room.
//!
//! Idea: where the ground of one piece ends in a drop, or below something that hangs too low, another may begin within sight. Among all chains of such places from one piece to
//!   the other, the one whose hardest place is easiest tells what is missing.
//! Steps: 1. boundary edges in a tree  2. links: pairs of edges of different pieces that face each other over a step or a gap or below something, the
//!   easiest of each pair of pieces  3. the easiest chain (a widest path, by Dijkstra's algorithm)  4. its links that are too hard.
//! Cost: O(n log n + k) for k pairs of edges that are near; for explanations, not for every query.

use crate::{
    gap::SLACK,
    mesh::{ComponentId, CornerId, NavMesh},
    search::{Body, NoPath},
    why::between,
};
use std::collections::{BTreeMap, BTreeSet};
use wayfare_core::{DVec3, dvec3};
use wayfare_geom::bvh::{Aabb3, Bvh};

/// How wide a gap and how high a step may be to be worth a word [m].
const WIDEST: f64 = 1.5;
const HIGHEST: f64 = 1.5;

/// How far one would have to go where there is too little head room, and what share of the body's height is room worth a word.
const LONGEST: f64 = 3.0;
const LOWEST: f64 = 0.5;

/// Edges as near as this in plan are a step, not a gap [m].
const AT_ONE_PLACE: f64 = 0.02;

/// How much less deep a drop may be said to be than the ground below it lies [m].
const DEPTH_SLACK: f64 = 0.05;

/// An edge of the boundary.
struct Edge {
    component: u32,
    ends: [DVec3; 2],
    /// How deep it goes down there [m]; 0 at a wall.
    depth: f64,
    /// How much room there is beyond it, if too little [m]; 0 elsewhere.
    room: f64,
}

/// Two places of different pieces of ground, and how far apart they are.
#[derive(Clone, Copy)]
struct Link {
    at: DVec3,
    rise: f64,
    width: f64,
    /// The room that there is, if too little [m].
    room: Option<f64>,
}

/// What a body manages.
#[derive(Clone, Copy)]
struct Reach {
    step: f64,
    max_gap: f64,
    height: f64,
}

impl Reach {
    /// How hard a link is; more than 1 is too hard.
    fn hardness(&self, link: &Link) -> f64 {
        // Whoever manages nothing manages some things rather than others.
        let share = |needed: f64, available: f64| (needed - SLACK).max(0.0) / available.max(0.01);
        // Too little room is too little, be it by a hair.
        let room = link.room.map_or(0.0, |room| (self.height / room).max(1.0 + SLACK));
        share(link.rise, self.step).max(share(link.width, self.max_gap)).max(room)
    }
}

impl NavMesh {
    /// The step or gap that keeps a body from getting from one component to another, if it is one.
    pub fn find_hurdle(&self, from: ComponentId, to: ComponentId, body: &Body) -> Option<NoPath> {
        self.find_hurdles(from, to, body).into_iter().next()
    }

    /// All steps, gaps and low places on the easiest way from one component to another that are too much for a body or that the mesh was
    /// not made for, in the order of the way.
    pub fn find_hurdles(&self, from: ComponentId, to: ComponentId, body: &Body) -> Vec<NoPath> {
        // What the mesh was made for is what there is.
        let [step, max_gap, height] = self.raw.reach.unwrap_or([f64::INFINITY; 3]);
        let reach = Reach { step: body.step.min(step), max_gap: body.max_gap.min(max_gap), height };
        if reach.step.is_infinite() || reach.max_gap.is_infinite() {
            return Vec::new();
        }
        let links = self.find_links(&reach);
        let chain = easiest_chain(&links, [from.0, to.0], &reach).unwrap_or_default();
        let Reach { step, max_gap, height } = reach;
        let mut hurdles = Vec::new();
        for link in chain.iter().filter(|link| reach.hardness(link) > 1.0) {
            let at = link.at;
            let low = link.room.map(|available| NoPath::NoHeadRoom { at, needed: height, available });
            let high = NoPath::StepTooHigh { at, needed: link.rise, available: step };
            let wide = NoPath::GapTooWide { at, needed: link.width, available: max_gap };
            hurdles.extend(low);
            hurdles.extend((link.rise > step + SLACK).then_some(high));
            hurdles.extend((link.width > max_gap + SLACK).then_some(wide));
        }
        hurdles
    }

    /// Steps 1 and 2: the easiest link of each pair of components, lower number first.
    fn find_links(&self, reach: &Reach) -> BTreeMap<[u32; 2], Link> {
        let corners = self.twins.ids().filter(|&corner| self.twin(corner).is_none());
        let edges: Vec<Edge> = corners.map(|corner| self.boundary_edge(corner)).collect();
        let boxes: Vec<Aabb3> = edges.iter().map(|edge| Aabb3::of_points(edge.ends)).collect();
        let tree = Bvh::build(&boxes);
        let mut links: BTreeMap<[u32; 2], Link> = BTreeMap::new();
        for (number, edge) in (0..).zip(&edges) {
            let near = &boxes[number as usize];
            // One goes down from here, or on below something.
            let beside = match (edge.depth > 0.0, edge.room > reach.height * LOWEST) {
                (_, true) => dvec3(LONGEST, LONGEST, reach.step),
                (true, _) => dvec3(WIDEST, WIDEST, HIGHEST),
                _ => continue,
            };
            tree.visit(&Aabb3 { min: near.min - beside, max: near.max + beside.with_z(0.01) }, |other| {
                let two = &edges[other as usize];
                let found = if edge.room > 0.0 { low_link(edge, two) } else { link(edge, two) };
                if two.component != edge.component
                    && let Some(link) = found
                {
                    let pair = [edge.component.min(two.component), edge.component.max(two.component)];
                    let best = links.entry(pair).or_insert(link);
                    if reach.hardness(&link) < reach.hardness(best) {
                        *best = link;
                    }
                }
                false
            });
        }
        links
    }

    fn boundary_edge(&self, corner: CornerId) -> Edge {
        Edge {
            component: self.component(self.cell_of_corner(corner)).0,
            ends: self.edge(corner).map(|vertex| self.position(vertex)),
            depth: self.drop_depth(corner).into(),
            room: self.head_room(corner).into(),
        }
    }
}

/// The link from an edge down to another, which may be as high, if one could step there.
fn link(high: &Edge, low: &Edge) -> Option<Link> {
    let [a, b] = between(high.ends, low.ends);
    let (width, rise) = (a.truncate().distance(b.truncate()), a.z - b.z);
    let is_step = width <= AT_ONE_PLACE;
    let is_facing = is_step || high.is_outward(b - a) && low.is_outward(a - b);
    let is_there = (-0.01..=HIGHEST).contains(&rise)
        && width <= WIDEST
        && high.depth >= rise - DEPTH_SLACK
        && (is_step || low.depth > 0.0);
    (is_facing && is_there).then_some(Link {
        at: b,
        rise: rise.abs(),
        width: if is_step { 0.0 } else { width },
        room: None,
    })
}

/// The link from an edge below something that hangs too low to one on the other side of it.
fn low_link(one: &Edge, two: &Edge) -> Option<Link> {
    let [a, b] = between(one.ends, two.ends);
    let way = b - a;
    let is_there = two.room > 0.0 && way.truncate().length() <= LONGEST;
    let is_facing = one.is_outward(way) && two.is_outward(-way);
    (is_there && is_facing).then_some(Link {
        at: a,
        rise: 0.0,
        width: 0.0,
        room: Some(one.room.min(two.room)),
    })
}

impl Edge {
    /// Whether a way from the edge leads off its ground, which is on its left.
    fn is_outward(&self, way: DVec3) -> bool {
        let along = (self.ends[1] - self.ends[0]).truncate();
        along.perp_dot(way.truncate()) <= 1e-9
    }
}

/// Step 3: the links of the chain between two components whose hardest link is easiest.
fn easiest_chain(links: &BTreeMap<[u32; 2], Link>, [from, to]: [u32; 2], reach: &Reach) -> Option<Vec<Link>> {
    let mut around: BTreeMap<u32, Vec<(u32, Link)>> = BTreeMap::new();
    for (&[a, b], &link) in links {
        around.entry(a).or_default().push((b, link));
        around.entry(b).or_default().push((a, link));
    }
    // By hardness, then number; bits of numbers that are not negative have their order.
    let mut waiting = BTreeSet::from([(0u64, from)]);
    let mut best: BTreeMap<u32, (u64, Option<(u32, Link)>)> = BTreeMap::from([(from, (0, None))]);
    while let Some((hardness, component)) = waiting.pop_first() {
        if component == to {
            break;
        }
        for &(other, link) in around.get(&component).into_iter().flatten() {
            let there = hardness.max(reach.hardness(&link).to_bits());
            if best.get(&other).is_none_or(|known| there < known.0) {
                if let Some(known) = best.insert(other, (there, Some((component, link)))) {
                    waiting.remove(&(known.0, other));
                }
                waiting.insert((there, other));
            }
        }
    }
    let mut chain = Vec::new();
    let mut at = to;
    while let (_, Some((before, link))) = best.get(&at)? {
        chain.push(*link);
        at = *before;
    }
    chain.reverse();
    debug_assert_eq!(at, from);
    Some(chain)
}
