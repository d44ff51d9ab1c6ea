//! The cheapest journey over the hand-over places.
//!
//! Idea: a graph of start, goal and places, in which walking and flying alternate. Its edges are paths, which cost time to find,
//!   so each first waits with a lower bound, then with a better one, and is looked for only when nothing else may be cheaper.
//! Steps: 1. the way on the ground alone and that through the air alone are the first to be beaten  2. what is left at least from
//!   every place ([`Rest`])  3. A* on the graph; an edge that comes up for the last time is measured.
//! What comes back is what measuring all edges would give: every bound holds for every path. After some flights that lead nowhere
//!   only those are looked for whose ends belong to one island of free space ([`super::coasts`]).
//! Cost: the paths that some bound lets be cheaper than the journey, of which there are few.

use super::{
    bounds::{Rest, Spot},
    coasts::Coasts,
    journey::{Journey, JourneyConfig, JourneyFinder, JourneyScratch, Leg},
};
use crate::queue::Queue;
use wayfare_core::DVec3;

/// A spot reached by walking or flying.
#[derive(Clone, Copy)]
struct State {
    cost: f64,
    /// The state before; itself at the start.
    before: u32,
    is_settled: bool,
}

/// How much is known about an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// A bound from landmarks.
    Landmarks,
    /// A bound from what is between its own ends.
    Ends,
    /// Its path.
    Measured,
}

/// Steps from a spot to all others, or how often they were asked for.
#[derive(Clone)]
enum Steps {
    Asked(u32),
    Known(Vec<u16>),
}

#[derive(Clone, Copy)]
struct Waiting {
    cost: f64,
    /// The state that is reached, twice the spot, plus 1 by flying; and from which.
    state: u32,
    before: u32,
    known: Known,
}

impl Waiting {
    /// Its number among equals.
    fn tie(&self) -> u64 {
        u64::from(self.state) << 32 | u64::from(self.before)
    }
}

/// Lengths are held against each other only up to this share: they were rounded.
const EXACT: f64 = 1.0 - 1e-9;
/// Measuring so many flights of a point takes as long as finding the steps to all spots.
const CHEAP: u32 = 16;
/// So many flights may lead nowhere before islands are looked for: that takes as long as some of them.
const LOST: u32 = 8;
/// So many more may lead nowhere, within islands or where none could be found, before no more are looked for.
const MOST_LOST: u32 = 100;
const START: usize = 0;
const GOAL: usize = 1;

/// One search.
pub(super) struct Search<'f> {
    finder: &'f JourneyFinder<'f>,
    config: &'f JourneyConfig,
    spots: Vec<Spot>,
    states: Vec<State>,
    rest: Rest,
    /// Steps from each spot to all others.
    steps: Vec<Steps>,
    queue: Queue<Waiting>,
    /// The cheapest journey that is known costs so much.
    limit: f64,
    measured: u32,
    /// Flights that were looked for and lead nowhere.
    lost: u32,
    /// Which spots no flight joins, from some lost flights on.
    coasts: Option<Coasts>,
}

impl<'f> Search<'f> {
    /// With the start and the goal as the first of the spots.
    pub(super) fn new(
        finder: &'f JourneyFinder<'f>,
        config: &'f JourneyConfig,
        spots: Vec<Spot>,
        scratch: &mut JourneyScratch,
    ) -> Self {
        let unknown = State { cost: f64::INFINITY, before: u32::MAX, is_settled: false };
        let count = spots.len();
        let mut search = Self {
            finder,
            config,
            spots,
            states: vec![unknown; 2 * count],
            rest: Rest::none(count),
            steps: vec![Steps::Asked(0); count],
            queue: Queue::default(),
            limit: f64::INFINITY,
            measured: 0,
            lost: 0,
            coasts: None,
        };
        // 1. By one leg.
        for by_air in [false, true] {
            if search.at_least(START, GOAL, by_air) < search.limit {
                let state = 2 * GOAL as u32 + u32::from(by_air);
                search.look(Waiting { cost: 0.0, state, before: 0, known: Known::Ends }, scratch);
            }
        }
        // 2. What is left.
        let walk = search.walks_to_goal(scratch);
        search.rest = Rest::new(&search.spots, GOAL, walk, finder.air(), config.fly_cost, search.limit);
        search
    }

    /// Lengths of the ways on the ground to the goal [m], or bounds of them where they are too long to matter.
    fn walks_to_goal(&mut self, scratch: &mut JourneyScratch) -> Vec<f64> {
        let (count, cheapest) = (self.spots.len(), self.config.fly_cost.min(1.0));
        let start = |search: &Self, spot: usize| {
            let near = |a: Option<DVec3>, b: Option<DVec3>| Some(a?.distance(b?));
            let [from, to] = [START, spot].map(|spot| {
                let Spot { ground, air } = search.spots[spot];
                [ground.map(|foot| foot.at), air.map(|air| air.at)]
            });
            let pairs = from.iter().flat_map(|&a| to.iter().filter_map(move |&b| near(a, b)));
            pairs.fold(f64::INFINITY, f64::min) * cheapest
        };
        let mut way = |spot: usize| {
            let straight = self.at_least(spot, GOAL, false);
            if start(self, spot) + straight >= self.limit {
                return straight;
            }
            let plan = straight.max(self.plan_between(spot, GOAL, scratch));
            if start(self, spot) + plan >= self.limit {
                return plan;
            }
            self.measured += 1;
            self.leg(spot, GOAL, false, scratch).map_or(f64::INFINITY, |leg| leg.cost(1.0))
        };
        (0..count).map(&mut way).collect()
    }

    /// The cheapest journey, or how many paths were looked for in vain.
    pub(super) fn run(mut self, scratch: &mut JourneyScratch) -> Result<Journey, u32> {
        for by_air in [false, true] {
            self.wait(START, 0, 0.0, by_air);
        }
        while let Some((bound, next)) = self.queue.pop() {
            if self.states[next.state as usize].is_settled {
                continue;
            }
            match next.known {
                Known::Landmarks => self.bound_better(bound, next, scratch),
                Known::Ends => self.look(next, scratch),
                Known::Measured => {
                    self.states[next.state as usize] =
                        State { cost: next.cost, before: next.before, is_settled: true };
                    let spot = next.state as usize / 2;
                    if spot == GOAL {
                        return Ok(self.journey(next.state, scratch));
                    }
                    // Who walked here flies on, and the other way round.
                    self.wait(spot, next.state, next.cost, next.state.is_multiple_of(2));
                }
            }
        }
        Err(self.measured)
    }

    fn push(&mut self, bound: f64, next: Waiting) {
        self.queue.push(bound, next.tie(), next);
    }

    fn cost_of(&self, state: u32) -> f64 {
        if state as usize / 2 == START { 0.0 } else { self.states[state as usize].cost }
    }

    /// Edges from a spot to all others, by their bounds.
    fn wait(&mut self, spot: usize, before: u32, cost: f64, by_air: bool) {
        for other in (0..self.spots.len()).filter(|&other| other != spot && other != START) {
            let state = (2 * other) as u32 + u32::from(by_air);
            if self.states[state as usize].is_settled || spot == START && other == GOAL {
                continue;
            }
            let cost = cost + self.at_least(spot, other, by_air);
            let bound = cost + self.rest.after(other, by_air);
            if bound < self.limit {
                self.push(bound, Waiting { cost, state, before, known: Known::Landmarks });
            }
        }
    }

    /// A bound of what an edge costs.
    fn at_least(&self, from: usize, to: usize, by_air: bool) -> f64 {
        let [from, to] = [&self.spots[from], &self.spots[to]];
        let cost = match by_air {
            true => from
                .air
                .zip(to.air)
                .map(|(from, to)| from.apart(&to, self.finder.air()) * self.config.fly_cost),
            false => from.ground.zip(to.ground).map(|(from, to)| from.apart(&to)),
        };
        cost.unwrap_or(f64::INFINITY)
    }

    /// Bounds an edge by what is between its own ends.
    fn bound_better(&mut self, least: f64, next: Waiting, scratch: &mut JourneyScratch) {
        let [from, to] = [next.before, next.state].map(|state| state as usize / 2);
        let by_air = !next.state.is_multiple_of(2);
        if by_air && self.are_apart(from, to) {
            return;
        }
        let way = if by_air { self.steps_between(from, to) } else { self.plan_between(from, to, scratch) };
        let cost = next.cost.max(self.cost_of(next.before) + way);
        let bound = (cost + self.rest.after(to, by_air)).max(least);
        if bound < self.limit {
            self.push(bound, Waiting { cost, known: Known::Ends, ..next });
        }
    }

    /// What a flight costs at least, by the steps between its ends; 0 where measuring it is as quick.
    fn steps_between(&mut self, from: usize, to: usize) -> f64 {
        let asked = match &mut self.steps[from] {
            Steps::Asked(times) => {
                *times += 1;
                *times
            }
            Steps::Known(_) => 0,
        };
        let air = self.finder.air();
        let fly_cost = self.config.fly_cost;
        let node = |spot: &Spot| spot.air.and_then(|air| air.node);
        if asked > 0 {
            if self.config.body.radius <= 0.0 && asked <= CHEAP {
                return 0.0;
            }
            // What is farther costs too much anyway.
            let most = air.steps.most((self.limit - self.cost_of(2 * from as u32)) / fly_cost);
            let far = node(&self.spots[from]).map(|source| air.steps.from(source, most));
            let to = |spot: &Spot| far.as_ref().zip(node(spot)).map_or(0, |(far, node)| far[node as usize]);
            self.steps[from] = Steps::Known(self.spots.iter().map(to).collect());
        }
        let Steps::Known(known) = &self.steps[from] else { return 0.0 };
        let lift = |spot: usize| self.spots[spot].air.map_or(0.0, |air| air.lift);
        (air.steps.length(known[to]) + lift(from) + lift(to)) * fly_cost
    }

    /// What a walk costs at least, by that of a point seen from above.
    fn plan_between(&self, from: usize, to: usize, scratch: &mut JourneyScratch) -> f64 {
        let (Some(from), Some(to)) = (self.spots[from].ground, self.spots[to].ground) else {
            return f64::INFINITY;
        };
        let length = self.finder.walk.length(from.at, to.at, &self.config.locate, &mut scratch.walk);
        length.map_or(f64::INFINITY, |length| length.hypot(from.at.z - to.at.z) * EXACT)
    }

    /// Whether it is known that no flight leads from one spot to another.
    fn are_apart(&self, from: usize, to: usize) -> bool {
        let ends = self.spots[from].air.zip(self.spots[to].air);
        self.lost >= LOST + MOST_LOST
            || self.coasts.as_ref().zip(ends).is_some_and(|(coasts, (one, two))| {
                let see = || self.finder.fly.is_clear(one.at, two.at, self.config.body.radius);
                coasts.differ(from, to) && !(one.region == two.region && see())
            })
    }

    /// Measures an edge.
    fn look(&mut self, next: Waiting, scratch: &mut JourneyScratch) {
        let by_air = !next.state.is_multiple_of(2);
        let (from, spot) = (next.before as usize / 2, next.state as usize / 2);
        if by_air && self.are_apart(from, spot) {
            return;
        }
        self.measured += 1;
        let Some(leg) = self.leg(from, spot, by_air, scratch) else {
            // A point that gets nowhere is not looked for long.
            self.lost += u32::from(by_air && self.config.body.radius > 0.0);
            if self.lost >= LOST && self.coasts.is_none() {
                self.coasts = Some(Coasts::new(&self.finder.fly, &self.spots, self.config.body.radius));
            }
            return;
        };
        let cost = self.cost_of(next.before) + leg.cost(self.config.fly_cost);
        let bound = if spot == GOAL { cost } else { cost + self.rest.after(spot, by_air) };
        if bound < self.limit {
            if spot == GOAL {
                self.limit = cost;
            }
            self.push(bound, Waiting { cost, known: Known::Measured, ..next });
        }
    }

    fn leg(&self, from: usize, to: usize, by_air: bool, scratch: &mut JourneyScratch) -> Option<Leg> {
        let JourneyConfig { body, locate, .. } = self.config;
        let [from, to] = [&self.spots[from], &self.spots[to]];
        if !by_air {
            let path = self
                .finder
                .walk
                .find_for(body, from.ground?.at, to.ground?.at, locate, &mut scratch.walk)
                .ok()?;
            return Some(Leg::Walk(path));
        }
        let (p, q) = (from.air?, to.air?);
        let mut flight = self.finder.fly.find_quickly(p.at, q.at, body.radius, &mut scratch.fly)?;
        // Up from the ground, and down to it.
        if let Some(ground) = from.ground.filter(|_| p.lift > 0.0) {
            flight.points.insert(0, ground.at);
            flight.length += p.lift;
        }
        if let Some(ground) = to.ground.filter(|_| q.lift > 0.0) {
            flight.points.push(ground.at);
            flight.length += q.lift;
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
        let total = legs.iter().map(|leg| leg.cost(1.0)).sum();
        Journey { legs, length: total, cost: self.states[last as usize].cost, measured: self.measured }
    }
}
