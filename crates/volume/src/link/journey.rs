//! Ways that walk on a navmesh and fly through the regions that it is linked to.
//!
//! Idea: a graph of start, goal and hand-over places, in which walking and flying alternate. Its edges are paths, which cost
//!   time to find, so each first waits with its straight length, and is looked for only when nothing else may be shorter.
//! Steps: A* on this graph; an edge that comes up for the first time is measured and waits again.
//! The way is the cheapest over the hand-over places that there are, not over all places where one could take off.
//! Cost: the paths whose straight lengths are below that of the way.

use crate::{
    mesh::VolumeMesh,
    path::{Flight, FlyFinder, FlyScratch, NoFlight},
};
use std::{cmp::Ordering, collections::BinaryHeap};
use wayfare_core::DVec3;
use wayfare_navmesh::{Body, HandOvers, LocateConfig, NavMesh, NoPath, Path, PathFinder, PathScratch};

/// Who travels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JourneyConfig {
    /// The body; as a ball in the air.
    pub body: Body,
    /// A metre in the air costs as much as this many on the ground; above 0.
    pub fly_cost: f64,
    /// How far from ground and regions start and goal may be.
    pub locate: LocateConfig,
}

impl Default for JourneyConfig {
    /// A point that walks where that is at most three times as long.
    fn default() -> Self {
        Self { body: Body::default(), fly_cost: 3.0, locate: LocateConfig::default() }
    }
}

/// A part of a journey.
#[derive(Clone, Debug, PartialEq)]
pub enum Leg {
    /// On the ground.
    Walk(Path),
    /// Through the air; begins and ends on the ground where a leg on the ground comes before or after it.
    Fly(Flight),
}

/// A way from start to goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Journey {
    /// On the ground and through the air, alternating.
    pub legs: Vec<Leg>,
    /// Length of all legs [m].
    pub length: f64,
    /// The same with flying counted by its cost.
    pub cost: f64,
    /// Paths that were looked for.
    pub measured: u32,
}

/// Why there is no journey: why one cannot walk, and why one cannot fly.
#[derive(Clone, Debug, PartialEq)]
pub struct NoJourney {
    /// On the ground alone.
    pub walk: Option<NoPath>,
    /// Through the air alone.
    pub fly: Option<NoFlight>,
}

/// Memory of searches, to be used again; one per thread.
#[derive(Default)]
pub struct JourneyScratch {
    walk: PathScratch,
    fly: FlyScratch,
}

/// Finds journeys on a navmesh and the volume mesh that it is linked to.
pub struct JourneyFinder<'a> {
    walk: PathFinder<&'a NavMesh>,
    fly: FlyFinder<'a>,
    places: &'a HandOvers,
}

/// Where a journey may change from walking to flying, begin or end.
#[derive(Clone, Copy)]
struct Node {
    /// On the ground.
    ground: Option<DVec3>,
    /// In the air.
    air: Option<DVec3>,
}

/// A node reached by walking or flying.
#[derive(Clone, Copy)]
struct State {
    cost: f64,
    /// The state before; itself at the start.
    before: u32,
    is_settled: bool,
}

struct Waiting {
    /// The journey costs at least this; never NaN.
    bound: f64,
    cost: f64,
    /// The state that is reached, twice the node, plus 1 by flying; and from which.
    state: u32,
    before: u32,
    is_measured: bool,
}
impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        let tie = || (other.state, other.before).cmp(&(self.state, self.before));
        other.bound.total_cmp(&self.bound).then_with(tie)
    }
}

const START: usize = 0;
const GOAL: usize = 1;

impl<'a> JourneyFinder<'a> {
    /// A finder for a linked navmesh; `None` if it was linked to another volume mesh, or to none.
    pub fn new(ground: &'a NavMesh, air: &'a VolumeMesh) -> Option<Self> {
        let places = ground.hand_overs().filter(|all| all.regions as usize == air.region_count())?;
        Some(Self { walk: PathFinder::new(ground), fly: FlyFinder::new(air), places })
    }

    /// The cheapest journey over the hand-over places.
    pub fn find(
        &self,
        from: DVec3,
        to: DVec3,
        config: &JourneyConfig,
        scratch: &mut JourneyScratch,
    ) -> Result<Journey, NoJourney> {
        let mut nodes = vec![self.end(from, config), self.end(to, config)];
        nodes.extend(
            self.places
                .places
                .iter()
                .map(|place| Node { ground: Some(place.point), air: self.above(place.point, config) }),
        );
        let mut search = Search {
            finder: self,
            config,
            nodes: &nodes,
            states: vec![State { cost: f64::INFINITY, before: u32::MAX, is_settled: false }; 2 * nodes.len()],
            queue: BinaryHeap::new(),
            measured: 0,
        };
        let Some(last) = search.run(scratch) else {
            let Body { radius, .. } = config.body;
            let walk = self.walk.find_for(&config.body, from, to, &config.locate, &mut scratch.walk);
            let fly = self.fly.find(from, to, radius, config.locate.snap, &mut scratch.fly);
            return Err(NoJourney { walk: walk.err(), fly: fly.err() });
        };
        Ok(search.journey(last, scratch))
    }

    /// The start or the goal.
    fn end(&self, at: DVec3, config: &JourneyConfig) -> Node {
        let ground = self.walk.mesh().locate(at, &config.locate).map(|place| place.point);
        let radius = config.body.radius;
        let is_free = self.fly.mesh().region_at(at).is_some()
            && (radius <= 0.0 || self.fly.wall_distance(at, radius).is_none());
        let air = is_free.then_some(at).or_else(|| ground.and_then(|point| self.above(point, config)));
        Node { ground, air }
    }

    /// Where the centre of a body that stands at a place is, if it fits.
    fn above(&self, point: DVec3, config: &JourneyConfig) -> Option<DVec3> {
        let mesh = self.fly.mesh();
        let radius = config.body.radius;
        // On the steepest floor a ball that touches it has its centre so far above the place.
        let lift = radius / wayfare_core::ops::cos(mesh.raw().max_slope) * (1.0 + 1e-6);
        let centre = point + DVec3::Z * lift;
        let fits = mesh.region_at(centre).is_some()
            && (radius <= 0.0 || self.fly.wall_distance(centre, radius).is_none());
        fits.then_some(centre)
    }
}

/// One search.
struct Search<'f> {
    finder: &'f JourneyFinder<'f>,
    config: &'f JourneyConfig,
    nodes: &'f [Node],
    states: Vec<State>,
    queue: BinaryHeap<Waiting>,
    measured: u32,
}

impl Search<'_> {
    /// The state of the goal that is cheapest.
    fn run(&mut self, scratch: &mut JourneyScratch) -> Option<u32> {
        for by_air in [false, true] {
            self.wait(START, 0, 0.0, by_air);
        }
        while let Some(next) = self.queue.pop() {
            if self.states[next.state as usize].is_settled {
                continue;
            }
            if !next.is_measured {
                if let Some(way) = self.measure(next.before, next.state, scratch) {
                    let cost = self.cost_of(next.before) + way;
                    let bound = cost + self.rest(next.state as usize / 2);
                    self.queue.push(Waiting { bound, cost, is_measured: true, ..next });
                }
                continue;
            }
            self.states[next.state as usize] =
                State { cost: next.cost, before: next.before, is_settled: true };
            let node = next.state as usize / 2;
            if node == GOAL {
                return Some(next.state);
            }
            // Who walked here flies on, and the other way round.
            self.wait(node, next.state, next.cost, next.state.is_multiple_of(2));
        }
        None
    }

    fn cost_of(&self, state: u32) -> f64 {
        if state as usize / 2 == START { 0.0 } else { self.states[state as usize].cost }
    }

    /// Edges from a node to all others, by their straight lengths.
    fn wait(&mut self, node: usize, before: u32, cost: f64, by_air: bool) {
        let Some(from) = self.at(node, by_air) else { return };
        for other in (0..self.nodes.len()).filter(|&other| other != node && other != START) {
            let state = (2 * other) as u32 + u32::from(by_air);
            let Some(to) = self.at(other, by_air) else { continue };
            if self.states[state as usize].is_settled {
                continue;
            }
            let way = from.distance(to) * self.price(by_air);
            let bound = cost + way + self.rest(other);
            self.queue.push(Waiting { bound, cost: cost + way, state, before, is_measured: false });
        }
    }

    fn at(&self, node: usize, by_air: bool) -> Option<DVec3> {
        if by_air { self.nodes[node].air } else { self.nodes[node].ground }
    }

    fn price(&self, by_air: bool) -> f64 {
        if by_air { self.config.fly_cost } else { 1.0 }
    }

    /// What is left from a node at least.
    fn rest(&self, node: usize) -> f64 {
        let points = |node: usize| [self.nodes[node].ground, self.nodes[node].air].into_iter().flatten();
        let pairs = points(node).flat_map(|p| points(GOAL).map(move |q| p.distance(q)));
        pairs.fold(f64::INFINITY, f64::min) * self.config.fly_cost.min(1.0)
    }

    /// The cost of an edge, if there is a path.
    fn measure(&mut self, before: u32, state: u32, scratch: &mut JourneyScratch) -> Option<f64> {
        self.measured += 1;
        let by_air = !state.is_multiple_of(2);
        match self.leg(before as usize / 2, state as usize / 2, by_air, scratch)? {
            Leg::Walk(path) => Some(path.length),
            Leg::Fly(flight) => Some(flight.length * self.config.fly_cost),
        }
    }

    fn leg(&self, from: usize, to: usize, by_air: bool, scratch: &mut JourneyScratch) -> Option<Leg> {
        let (p, q) = (self.at(from, by_air)?, self.at(to, by_air)?);
        let JourneyConfig { body, locate, .. } = self.config;
        if !by_air {
            let path = self.finder.walk.find_for(body, p, q, locate, &mut scratch.walk).ok()?;
            return Some(Leg::Walk(path));
        }
        let mut flight = self.finder.fly.find(p, q, body.radius, 0.0, &mut scratch.fly).ok()?;
        // Up from the ground, and down to it.
        let ground = |node: usize| self.nodes[node].ground.filter(|_| node > GOAL);
        if let Some(ground) = ground(from).filter(|&ground| ground != p) {
            flight.points.insert(0, ground);
            flight.length += ground.distance(p);
        }
        if let Some(ground) = ground(to).filter(|&ground| ground != q) {
            flight.points.push(ground);
            flight.length += ground.distance(q);
        }
        Some(Leg::Fly(flight))
    }

    fn journey(&self, last: u32, scratch: &mut JourneyScratch) -> Journey {
        let mut legs = Vec::new();
        let mut at = last;
        while at as usize / 2 != START {
            let before = self.states[at as usize].before;
            let by_air = !at.is_multiple_of(2);
            // It was found before, so it is found again.
            legs.extend(self.leg(before as usize / 2, at as usize / 2, by_air, scratch));
            at = before;
        }
        legs.reverse();
        let length = |leg: &Leg| match leg {
            Leg::Walk(path) => path.length,
            Leg::Fly(flight) => flight.length,
        };
        let total = legs.iter().map(length).sum();
        Journey { legs, length: total, cost: self.states[last as usize].cost, measured: self.measured }
    }
}
