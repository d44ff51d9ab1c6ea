//! Who does not get on: agents without a way, and those who stand though nothing that will end keeps them.
//!
//! Idea: who stands in a queue is not stuck as long as the queue's head walks or waits. So everybody who walked, or waits for a reason (before the
//!   start and just after it, at a goal, for its group, at an exit that lets through so many per second), excuses those who stand close behind, and
//!   these those behind them. Who is left, as in an arch before a door or before a wall, is stuck.
//! Steps: 1. who needs no excuse  2. from those backwards to who stands behind. Cost: O(agents), every ten seconds.

use crate::{agents::Gateway, contact::is_same_storey, crowd::Crowd, goal::JourneyId, grid::Grid};
use std::collections::BTreeMap;
use wayfare_core::{DVec2, ops};

/// How often it is looked who stands [s].
pub(super) const EVERY: f64 = 10.0;
/// Who got on by less since the last look stands [m].
const WAY: f64 = 0.5;
/// Body to body, one who queues is as near to somebody ahead [m].
const GAP: f64 = 0.6;
/// Somebody ahead is at most so far off the direction in which one heads [rad].
const AHEAD: f64 = 1.0;

/// How many are stuck. `before` tells where everybody was ten seconds ago.
pub(super) fn stuck(crowd: &Crowd, before: &BTreeMap<u32, DVec2>) -> usize {
    let (bodies, minds) = (&crowd.agents.bodies, &crowd.agents.minds);
    // 1.
    let is_excused = |k: usize| {
        let (body, mind) = (&bodies[k], &minds[k]);
        let stands = before.get(&body.id).is_some_and(|at| at.distance(body.at) < WAY);
        let leg = crowd.journeys[JourneyId(mind.journey)].legs.get(mind.leg as usize);
        let is_there = leg.is_some_and(|leg| crowd.goals[leg.goal].contains(body.at, body.z));
        let began = crowd.time() - mind.waits_until < EVERY;
        !stands || began || mind.heading == DVec2::ZERO || mind.pace < 1.0 || is_there
    };
    let mut excused: Vec<bool> = (0..bodies.len()).map(is_excused).collect();
    // 2.
    let mut grid = Grid::default();
    grid.fill(bodies.len(), |k| bodies[k].seen(k, minds[k].heading));
    let largest = bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
    let least = ops::cos(AHEAD);
    let mut heads: Vec<usize> = (0..bodies.len()).filter(|&k| excused[k]).collect();
    while let Some(k) = heads.pop() {
        let head = &bodies[k];
        grid.for_each_near(head.at, head.radius + largest + GAP, |other| {
            let offset = head.at - other.at;
            let squared = offset.length_squared();
            let reach = head.radius + other.radius + GAP;
            let is_behind = offset.dot(other.heading) > least * squared.sqrt();
            let excused = &mut excused[other.agent as usize];
            if !*excused && squared < reach * reach && is_behind && is_same_storey(head.z, squared, other.z) {
                *excused = true;
                heads.push(other.agent as usize);
            }
        });
    }
    let has_no_way = |k: usize| minds[k].gate == Gateway::Lost;
    (0..bodies.len()).filter(|&k| has_no_way(k) || !excused[k]).count()
}
