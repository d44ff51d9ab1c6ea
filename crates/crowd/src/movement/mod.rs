//! Local movement: how fast and in which direction an agent wants to go now, given who and what is near.
//!
//! | folder | model |
//! |---|---|
//! | `predictive` | the default: looks where it gets far, keeps a head-way, drifts into lanes |
//! | `forces` | the rule-based steering of the paper with the forces of HiDAC |
//! | `reciprocal` | velocities that avoid all collisions for a while, each agent taking half of it (ORCA) |
//!
//! A model only wishes. What becomes of the wish is decided for all models by the same contacts (module `contact`): nobody
//! overlaps and nobody enters a wall.

pub mod forces;
pub mod predictive;
pub mod reciprocal;

use crate::walls::Segment;
use std::fmt::Debug;
use wayfare_core::DVec2;

/// The agent that decides.
#[derive(Clone, Copy, Debug)]
pub struct Me {
    /// Its number.
    pub id: u32,
    /// Where its centre is.
    pub at: DVec2,
    /// How it moved in the last step [m/s].
    pub velocity: DVec2,
    /// Its radius [m].
    pub radius: f64,
    /// How fast it would like to walk here [m/s].
    pub speed: f64,
    /// The direction to its way point, of length 1; 0 if it wants to stay.
    pub heading: DVec2,
    /// Whether that leads round a corner in a crowd, now or soon.
    pub turns: bool,
    /// Simulated time [s].
    pub time: f64,
    /// Random bits of this agent and this moment.
    pub lot: u64,
}

/// Somebody near.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbour {
    /// From the agent that decides to this one [m].
    pub offset: DVec2,
    /// Its length [m].
    pub distance: f64,
    /// How it moves [m/s].
    pub velocity: DVec2,
    /// The sum of both radii [m].
    pub reach: f64,
    /// Where it wants to go, of length 1; 0 if it stays.
    pub heading: DVec2,
}

/// What an agent sees.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Everybody within sight, in no order that matters.
    pub neighbours: &'a [Neighbour],
    /// Walls within sight, as segments.
    pub walls: &'a [Segment],
}

/// What an agent remembers from decision to decision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plan {
    /// How it wants to move [m/s].
    pub wanted: DVec2,
    /// How crowded the way ahead is, 0 to 1.
    pub crowding: f64,
    /// How long it has hardly moved [s].
    pub stalled: f64,
    /// How it moves out of a jam instead [m/s].
    pub push: DVec2,
    /// Until when [s].
    pub push_until: f64,
}

/// A model of local movement.
pub trait Movement: Debug + Send + Sync {
    /// How far agents see others [m].
    fn sight(&self) -> f64;
    /// How far from their centre agents see walls [m], at most 2 m; always to 1 m beyond their body.
    fn wall_sight(&self) -> f64;
    /// The time between two decisions of an agent [s]; 0: in every step.
    fn interval(&self) -> f64;
    /// How far apart contacts hold bodies [m].
    fn margin(&self) -> f64;
    /// How much farther from walls than their radius agents would like to pass [m]: there their way points lie, where there is room.
    fn wall_room(&self) -> f64;
    /// Looks round and decides.
    fn decide(&self, me: &Me, around: Around<'_>, plan: &mut Plan);
    /// The velocity of the next step [m/s].
    fn steer(&self, me: &Me, plan: &mut Plan, dt: f64) -> DVec2;
}

/// A velocity on the way to a wanted one: it closes the gap within `relaxation` [s] and changes by at most `most` [m/s²].
pub(crate) fn relaxed(velocity: DVec2, wanted: DVec2, relaxation: f64, most: f64, dt: f64) -> DVec2 {
    let change = (wanted - velocity) * (dt / relaxation).min(1.0);
    velocity + change.clamp_length_max(most * dt)
}

/// How far ahead a crowd is looked for, body to body, and from centre to centre at most [m].
const CROWD_GAP: f64 = 2.0;
const CROWD_SIGHT: f64 = 3.0;
/// So many ahead are no crowd yet, and so many more are one.
const FREE: f64 = 3.0;
const CROWD: f64 = 2.0;

/// How crowded the way ahead is, for models without a head-way: three ahead are free, five whose gap is under 2 m are a crowd. In a crowd way
/// points no longer lead along the inner side of a turn, where all would meet.
///
/// Fewer or nearer ones are not enough: where three whose gap was under 1.6 m were a crowd, three who started side by side were one. It needs
/// many over a stretch, not a few side by side: on the donut 200 bodies now touch 0.8 instead of 2.0 times in a step.
pub(crate) fn crowding(me: &Me, around: Around<'_>) -> f64 {
    let is_ahead = |other: &&Neighbour| {
        other.distance - other.reach < CROWD_GAP && other.offset.dot(me.heading) > 0.5 * other.distance
    };
    let ahead = around.neighbours.iter().filter(is_ahead).count();
    ((ahead as f64 - FREE) / CROWD).clamp(0.0, 1.0)
}

/// How far a disc can go in a direction of length 1 until it touches a wall [m]; infinite if it does not. One that moves
/// along a wall or away from it does not touch it.
pub(crate) fn free_distance([a, b]: Segment, from: DVec2, direction: DVec2, radius: f64) -> f64 {
    let mut free = f64::INFINITY;
    // The side that faces the disc, moved out by the radius.
    let along = b - a;
    let length = along.length();
    if length > 0.0 {
        let axis = along / length;
        let mut normal = axis.perp();
        let mut height = (from - a).dot(normal);
        if height < 0.0 {
            (normal, height) = (-normal, -height);
        }
        let closing = -direction.dot(normal);
        if closing > 1e-9 {
            let way = ((height - radius) / closing).max(0.0);
            let foot = (from + direction * way - a).dot(axis);
            if (0.0..=length).contains(&foot) {
                free = way;
            }
        }
    }
    // The circles round its ends.
    for end in [a, b] {
        let arm = end - from;
        let ahead = arm.dot(direction);
        let root = ahead * ahead - (arm.length_squared() - radius * radius);
        if ahead > 0.0 && root > 0.0 {
            free = free.min((ahead - root.sqrt()).max(0.0));
        }
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn a_disc_goes_until_it_touches_the_side_or_an_end_of_a_wall() {
        let wall = [dvec2(0.0, 0.0), dvec2(0.0, 1.0)];
        let free = |from, direction| free_distance(wall, from, direction, 0.25);
        assert_eq!(free(dvec2(-2.0, 0.5), DVec2::X), 1.75);
        assert_eq!(free(dvec2(2.0, 0.5), -DVec2::X), 1.75);
        assert_eq!(free(dvec2(0.0, -2.0), DVec2::Y), 1.75);
        assert_eq!(free(dvec2(-0.25, 0.5), DVec2::Y), f64::INFINITY);
        assert_eq!(free(dvec2(-2.0, 0.5), -DVec2::X), f64::INFINITY);
        assert_eq!(free(dvec2(-2.0, -0.26), DVec2::X), f64::INFINITY);
        assert!((free(dvec2(-2.0, -0.15), DVec2::X) - 1.8).abs() < 1e-12);
    }

    #[test]
    fn three_side_by_side_are_no_crowd_but_many_over_a_stretch_are() {
        let me = Me {
            id: 0,
            at: DVec2::ZERO,
            velocity: DVec2::ZERO,
            radius: 0.5,
            speed: 1.34,
            heading: DVec2::X,
            turns: false,
            time: 0.0,
            lot: 0,
        };
        let crowded = |places: &[(f64, f64)]| {
            let neighbours: Vec<Neighbour> = places
                .iter()
                .map(|&(x, y)| {
                    let offset = dvec2(x, y);
                    Neighbour { offset, distance: offset.length(), reach: 1.0, ..Neighbour::default() }
                })
                .collect();
            crowding(&me, Around { neighbours: &neighbours, walls: &[] })
        };
        let three = [(1.1, 0.0), (1.2, 1.05), (1.2, -1.05)];
        assert_eq!(crowded(&three), 0.0);
        assert_eq!(crowded(&[&three[..], &[(2.2, 0.0)]].concat()), 0.5);
        assert_eq!(crowded(&[&three[..], &[(2.2, 0.0), (2.4, 1.1)]].concat()), 1.0);
        // Behind, beside, and too far.
        assert_eq!(crowded(&[&three[..], &[(-1.1, 0.0), (0.3, 1.5), (3.1, 0.0)]].concat()), 0.0);
    }

    #[test]
    fn velocities_change_by_no_more_than_they_may() {
        let v = relaxed(DVec2::ZERO, dvec2(1.2, 0.0), 0.3, 6.0, 0.1);
        assert!((v.x - 0.4).abs() < 1e-12);
        assert!((relaxed(DVec2::ZERO, dvec2(9.0, 0.0), 0.3, 6.0, 0.1).x - 0.6).abs() < 1e-12);
        assert_eq!(relaxed(DVec2::ZERO, dvec2(1.0, 0.0), 0.3, 60.0, 1.0).x, 1.0);
    }
}
