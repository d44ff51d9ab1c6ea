//! A corridor along x whose ends are joined: who passes one end comes in again at the other, as fast and in the same lane.
//!
//! Behind either end the ground goes on for some metres. There walk doubles of those who are near the other end, so that everybody sees who is
//! ahead across the joint and makes room for those who come over it. Without doubles people walk into those behind the joint at full speed, and a jam
//! stands there for ever.

use super::{Random, mesh, places};
use std::collections::BTreeMap;
use wayfare_core::{DVec2, dvec2, dvec3};
use wayfare_crowd::{Agent, AgentId, Area, AtEnd, Crowd, CrowdConfig, Goal, Journey, JourneyId, NewAgent};

/// Who walks in it.
#[derive(Clone, Copy, Debug)]
pub struct Walkers {
    pub count: usize,
    pub radius: f64,
    /// Wish speed and its deviation [m/s].
    pub speed: [f64; 2],
    /// Whether every other one goes the other way.
    pub two_ways: bool,
}

/// How far from the ends people have doubles [m]: as far as they see and what they need to walk as the one that they double.
const DOUBLED: f64 = 4.0;
/// How far the ground goes on behind the ends [m].
const BEHIND: f64 = DOUBLED + 1.0;

pub struct Corridor {
    pub crowd: Crowd,
    pub size: DVec2,
    /// To the right, to the left.
    pub journeys: [JourneyId; 2],
    /// Everybody, and the double of each.
    walkers: Vec<(AgentId, Option<AgentId>)>,
}

impl Corridor {
    pub fn new(size: DVec2, walkers: Walkers, seed: u64, config: CrowdConfig) -> Self {
        let (low, high) = (-BEHIND, size.x + BEHIND);
        let corners = [(low, 0.0), (high, 0.0), (high, size.y), (low, size.y)];
        let mut crowd =
            Crowd::new(mesh(&corners.map(|(x, y)| dvec3(x, y, 0.0)), &[vec![0, 1, 2, 3]]), config);
        let ends = [[high - 0.3, high + 1.0], [low - 1.0, low + 0.3]];
        let journeys = ends.map(|[from, to]| {
            let end = Area::rectangle(dvec2(from, -1.0), dvec2(to, size.y + 1.0));
            let goal = crowd.add_goal(Goal::new(end));
            crowd.add_journey(Journey { at_end: AtEnd::Repeat, ..Journey::exit(goal) }).unwrap()
        });
        let mut random = Random(seed);
        let spots = places(&vec![walkers.radius; walkers.count], DVec2::ZERO, size, &mut random);
        let mut all = Vec::new();
        for (k, at) in spots.into_iter().enumerate() {
            // Three lots together are nearly normal.
            let lot = 2.0 * (random.unit() + random.unit() + random.unit() - 1.5);
            let agent = NewAgent {
                at: at.extend(0.0),
                radius: walkers.radius,
                speed: walkers.speed[0] + walkers.speed[1] * lot,
                journey: journeys[if walkers.two_ways { k % 2 } else { 0 }],
                starts_at: 0.0,
            };
            all.push((crowd.add(agent).unwrap(), None));
        }
        let mut corridor = Self { crowd, size, journeys, walkers: all };
        corridor.double();
        corridor
    }

    /// One step of a sixtieth of a second.
    pub fn step(&mut self) {
        self.crowd.step(1.0 / 60.0);
        for k in 0..self.walkers.len() {
            let (id, double) = self.walkers[k];
            let at = self.crowd.agent(id).unwrap().at;
            if (0.0..=self.size.x).contains(&at.x) {
                continue;
            }
            if let Some(double) = double {
                self.crowd.remove(double).unwrap();
                self.walkers[k].1 = None;
            }
            let to = at.x.rem_euclid(self.size.x);
            // In the same lane, or beside it; or it goes on behind the end until there is room.
            for side in [0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3] {
                if self.crowd.carry(id, dvec3(to, at.y + side, 0.0)).is_ok() {
                    break;
                }
            }
        }
        self.double();
    }

    /// Puts the doubles where they belong.
    fn double(&mut self) {
        let Self { crowd, size, walkers, .. } = self;
        for (id, double) in walkers {
            let agent = crowd.agent(*id).unwrap();
            let by = match agent.at.x {
                0.0..DOUBLED => size.x,
                x if (size.x - DOUBLED..=size.x).contains(&x) => -size.x,
                _ => 0.0,
            };
            let at = dvec3(agent.at.x + by, agent.at.y, 0.0);
            // Where it cannot be put, it is where its own steps have brought it, which is nearly the same.
            let is_there = |crowd: &mut Crowd, id| {
                crowd.carry(id, at).is_ok() || crowd.agent(id).unwrap().at.distance(at) < agent.radius
            };
            if let Some(id) = *double
                && (by == 0.0 || !is_there(crowd, id))
            {
                crowd.remove(id).unwrap();
                *double = None;
            }
            if by != 0.0 && double.is_none() {
                let Agent { radius, speed, journey, .. } = agent;
                *double = crowd.add(NewAgent { at, radius, speed, journey, starts_at: 0.0 }).ok();
            }
        }
    }

    /// Everybody, without doubles.
    pub fn walkers(&self) -> impl Iterator<Item = Agent> + '_ {
        self.walkers.iter().filter_map(|&(id, _)| self.crowd.agent(id))
    }

    /// How many walk on behind an end until there is room.
    pub fn waiting(&self) -> usize {
        self.walkers().filter(|agent| !(0.0..=self.size.x).contains(&agent.at.x)).count()
    }

    /// How fast everybody gets on in the mean [m/s].
    pub fn progress(&self) -> f64 {
        let forward = |agent: Agent| {
            if agent.journey == self.journeys[0] { agent.velocity.x } else { -agent.velocity.x }
        };
        self.walkers().map(forward).sum::<f64>() / self.walkers.len() as f64
    }

    /// Lanes: how much strips of 0.4 × 5 m are of one direction, 0 to 1.
    pub fn order(&self) -> f64 {
        let mut strips: BTreeMap<(i64, i64), [f64; 2]> = BTreeMap::new();
        for agent in self.walkers() {
            let strip = ((agent.at.y / 0.4) as i64, (agent.at.x / 5.0) as i64);
            strips.entry(strip).or_default()[usize::from(agent.journey == self.journeys[0])] += 1.0;
        }
        let total: f64 = strips.values().map(|[a, b]| a + b).sum();
        strips.values().map(|[a, b]| (a - b) * (a - b) / (a + b)).sum::<f64>() / total
    }
}
