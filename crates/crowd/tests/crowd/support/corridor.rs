//! A corridor along x whose ends are joined: who passes one end comes in again at the other, as fast and in the same lane.
//!
//! Behind either end the ground goes on for some metres, where one walks on until there is room to come in.

use super::{Random, mesh, places};
use std::collections::BTreeMap;
use wayfare_core::{DVec2, dvec2, dvec3};
use wayfare_crowd::{Agent, Area, AtEnd, Crowd, CrowdConfig, Goal, Journey, JourneyId, NewAgent};

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

/// How far the ground goes on behind the ends [m].
const BEHIND: f64 = 3.0;

pub struct Corridor {
    pub crowd: Crowd,
    pub size: DVec2,
    /// To the right, to the left.
    pub journeys: [JourneyId; 2],
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
            // Who gets so far waits there for its turn.
            crowd.add_journey(Journey { at_end: AtEnd::Repeat, ..Journey::exit(goal) }).unwrap()
        });
        let mut random = Random(seed);
        let spots = places(&vec![walkers.radius; walkers.count], DVec2::ZERO, size, &mut random);
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
            crowd.add(agent).unwrap();
        }
        Self { crowd, size, journeys }
    }

    /// One step of a sixtieth of a second.
    pub fn step(&mut self) {
        self.crowd.step(1.0 / 60.0);
        let is_past = |agent: &Agent| {
            if agent.journey == self.journeys[0] { agent.at.x > self.size.x } else { agent.at.x < 0.0 }
        };
        let past: Vec<Agent> = self.crowd.agents().filter(is_past).collect();
        for agent in past {
            let by = if agent.journey == self.journeys[0] { -self.size.x } else { self.size.x };
            // In the same lane, or beside it.
            for side in [0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3] {
                let at = dvec3(agent.at.x + by, agent.at.y + side, 0.0);
                if self.crowd.teleport(agent.id, at).is_ok() {
                    break;
                }
            }
        }
    }

    /// How many walk on behind an end until there is room.
    pub fn waiting(&self) -> usize {
        self.crowd.agents().filter(|agent| !(0.0..=self.size.x).contains(&agent.at.x)).count()
    }

    /// How fast everybody gets on, summed up [m/s].
    pub fn progress(&self) -> f64 {
        let forward = |agent: Agent| {
            if agent.journey == self.journeys[0] { agent.velocity.x } else { -agent.velocity.x }
        };
        self.crowd.agents().map(forward).sum()
    }

    /// Lanes: how much strips of 0.4 × 5 m are of one direction, 0 to 1.
    pub fn order(&self) -> f64 {
        let mut strips: BTreeMap<(i64, i64), [f64; 2]> = BTreeMap::new();
        for agent in self.crowd.agents() {
            let strip = ((agent.at.y / 0.4) as i64, (agent.at.x / 5.0) as i64);
            strips.entry(strip).or_default()[usize::from(agent.journey == self.journeys[0])] += 1.0;
        }
        let total: f64 = strips.values().map(|[a, b]| a + b).sum();
        strips.values().map(|[a, b]| (a - b) * (a - b) / (a + b)).sum::<f64>() / total
    }
}
