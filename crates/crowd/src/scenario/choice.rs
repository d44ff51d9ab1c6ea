//! Which exit agents take: the one that they expect to have left through first.
//!
//! Idea: it takes as long as to walk there, or as those who are nearer to it and go there too need to get through the
//!   narrowest place on the way, whichever is longer. People pass a door at [`FLOW`], and an exit at its cap. All are asked
//!   one after the other, and whoever changes its mind is at once in the other queue, so that not all run to the
//!   exit that was empty. Who already goes somewhere changes its mind only if it gains something.
//! Source: the queue is that of the least-time choices in evacuation models (Lo et al. 2006; Ehtamo et al. 2010, a game
//!   whose players answer each other in turn).
//! Steps: 1. who goes where, and how far it is  2. one after the other, the least time  3. groups follow their first
//! Cost: O(agents × exits) questions to the fields, once a second.

use crate::{
    crowd::Crowd,
    goal::{GoalId, JourneyId},
};
use wayfare_core::Id as _;

/// Persons per metre and second that pass a narrow place.
const FLOW: f64 = 1.4;
/// What must be gained to change one's mind: this share of the time, and some seconds [s].
const GAIN: f64 = 0.1;
const GAIN_SECONDS: f64 = 1.0;

/// An exit that agents of a spawn may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayOut {
    pub goal: GoalId,
    /// Through all goals on the way to that exit.
    pub journey: JourneyId,
    /// Number of the exit in the scenario.
    pub exit: usize,
}

/// All ways out, by spawns, and which of them a journey is.
#[derive(Debug, Default)]
pub(super) struct WaysOut {
    by_spawn: Vec<Vec<WayOut>>,
    of_journey: Vec<(usize, usize)>,
}

/// What an agent expects of an exit.
#[derive(Clone, Copy, Debug)]
struct Expected {
    /// Seconds to walk there.
    walk: f64,
    /// Persons per second that get out there.
    flow: f64,
}

impl WaysOut {
    /// Adds the ways out of the next spawn, whose journeys must be the next ones of the crowd.
    pub fn push(&mut self, ways: Vec<WayOut>) {
        let spawn = self.by_spawn.len();
        self.of_journey.extend((0..ways.len()).map(|k| (spawn, k)));
        self.by_spawn.push(ways);
    }

    /// The ways out of a spawn.
    pub fn of_spawn(&self, spawn: usize) -> &[WayOut] {
        &self.by_spawn[spawn]
    }

    /// The number of the exit that a journey leads to.
    pub fn exit_of(&self, journey: JourneyId) -> Option<usize> {
        let &(spawn, k) = self.of_journey.get(journey.index())?;
        Some(self.by_spawn[spawn][k].exit)
    }

    /// Whether anybody has a choice.
    pub fn is_choice(&self) -> bool {
        self.by_spawn.iter().any(|ways| ways.len() > 1)
    }

    /// Sends a newcomer to the exit that it reaches first, after the goals on its way.
    pub fn send(&self, crowd: &mut Crowd, k: usize, spawn: usize) {
        let ways = &self.by_spawn[spawn];
        if ways.len() > 1 {
            let times = ways.iter().filter_map(|way| Some((expect(crowd, k, way.goal)?.walk, way.journey)));
            if let Some((_, journey)) = times.min_by(|a, b| a.0.total_cmp(&b.0)) {
                crowd.redirect(k, journey);
            }
        }
    }

    /// Lets everybody choose who is on its last way.
    pub fn choose(&self, crowd: &mut Crowd, minds_queues: bool) {
        // 1. For each agent its way out and what it expects of all of them; for each goal the times of those who go there.
        let mut asked = Vec::new();
        let mut queues: Vec<Vec<f64>> = vec![Vec::new(); crowd.goals.len()];
        for k in 0..crowd.agents.len() {
            let mind = &crowd.agents.minds[k];
            let Some(&(spawn, way)) = self.of_journey.get(mind.journey as usize) else { continue };
            if mind.leg as usize + 1 < crowd.journeys[JourneyId(mind.journey)].legs.len() {
                continue;
            }
            let ways = &self.by_spawn[spawn];
            let expected: Vec<Option<Expected>> = ways.iter().map(|way| expect(crowd, k, way.goal)).collect();
            if let Some(expected) = expected[way] {
                queues[ways[way].goal.index()].push(expected.walk);
            }
            asked.push((k, spawn, way, expected));
        }
        for queue in &mut queues {
            queue.sort_by(f64::total_cmp);
        }
        // 2.
        for (k, spawn, way, expected) in asked {
            let ways = &self.by_spawn[spawn];
            let seconds = |option: usize| {
                let Expected { walk, flow } = expected[option]?;
                if !minds_queues {
                    return Some(walk);
                }
                let ahead = queues[ways[option].goal.index()].partition_point(|&other| other < walk);
                Some(walk.max((ahead + 1) as f64 / flow))
            };
            let times = (0..ways.len()).filter_map(|option| Some((seconds(option)?, option)));
            let Some((least, best)) = times.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let is_better = seconds(way).is_none_or(|now| {
                least < now * (1.0 - GAIN) - GAIN_SECONDS || (!minds_queues && least < now)
            });
            if best == way || !is_better {
                continue;
            }
            if let Some(Expected { walk, .. }) = expected[way] {
                let queue = &mut queues[ways[way].goal.index()];
                let at = queue.partition_point(|&other| other < walk);
                if at < queue.len() {
                    queue.remove(at);
                }
            }
            if let Some(Expected { walk, .. }) = expected[best] {
                let queue = &mut queues[ways[best].goal.index()];
                queue.insert(queue.partition_point(|&other| other < walk), walk);
            }
            crowd.redirect(k, ways[best].journey);
        }
        // 3.
        for group in 0..crowd.groups.len() {
            let members: Vec<usize> =
                crowd.groups[group].iter().filter_map(|&id| crowd.agents.index(crate::AgentId(id))).collect();
            let Some(&first) = members.first() else { continue };
            let journey = crowd.agents.minds[first].journey;
            for &k in &members {
                if crowd.agents.minds[k].journey != journey {
                    crowd.redirect(k, JourneyId(journey));
                }
            }
        }
    }
}

fn expect(crowd: &mut Crowd, k: usize, goal: GoalId) -> Option<Expected> {
    let (way, width) = crowd.way_to(k, goal)?;
    // One who stands still wants to go nowhere.
    let walk = way / crowd.agents.bodies[k].speed.max(0.05);
    let flow = crowd.goals[goal].cap.unwrap_or(f64::INFINITY).min(FLOW * width);
    Some(Expected { walk, flow })
}
