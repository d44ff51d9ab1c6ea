//! Head-way: how fast one goes is decided by the gap to whoever is ahead alone, and who hardly moves starts later.
//!
//! The gap over a time makes the flow at doors and the speed at a density those of people. That time is about the 0.48 s which people need to
//! react to a change of speed ahead of them; who has stopped needs some time more to start again (0.39 s in single file: Tavana, Thompson, Boyce,
//! Frantzich, Nilsson, McGrath 2024, "A novel approach to the investigation and quantification of the stop/start process for pedestrian
//! traffic using motion capture devices"). Part of that is the time in which velocities change; the rest, 0.2 s for one of usual size, is here. So a jam gets on slower than a
//! stream as dense.
//! Source of the head-way: Tordeux, Chraibi, Seyfried 2016, "Collision-free speed model for pedestrian dynamics".

use super::{Predictive, PredictiveConfig, lanes};
use crate::{
    movement::{Around, Me, Neighbour},
    walls::Segment,
};
use wayfare_core::{DVec2, ops};

/// Who goes at less than this share of its wish speed starts later, the more the slower it is. With 0.5 jams in a wide corridor last: in one run of four
/// 390 persons take longer round RiMEA 15's corner than on the long way.
const SLOW: f64 = 0.35;
/// The head-way of one who stands is longer by this share of it. Beside jams of people (seeds 101 and 102): with 0.3 those of 2.4 persons per square metre
/// are faster by 12 and 16 %, with 0.5 those of 3.0 are slower by 9 and 15 %.
const START: f64 = 0.45;

/// In single file people keep more head-way, by this share of it: on the oval of RiMEA 16 they are slower than in a corridor where as many have as
/// much way ahead. There nine tenths of people go at less than 0.82 m/s where ours went at 0.96, and at 0.49 where they went at 0.58 (1.1 and 1.5 persons
/// per metre). Chosen on seeds 101 to 104: with 0.2 it is 0.86 and 0.50, with 0.3 0.81 and 0.46, with 0.5 0.74 and 0.41.
const FILE: f64 = 0.4;
/// Between walls that are nearer to each other than this many radii there is no room for two: at 0.2 m, 0.9 m.
const FILE_WIDTH: f64 = 4.5;

impl Predictive {
    /// The time of head-way of a body [s].
    pub(super) fn headway(&self, radius: f64) -> f64 {
        let PredictiveConfig { headway, headway_power, .. } = self.config;
        // Smaller bodies stand closer anyway.
        let power = if radius < 0.2 { 2.0 } else { headway_power };
        headway * ops::pow(0.2 / radius, power)
    }

    /// The same for one who may have to start.
    fn headway_now(&self, me: &Me) -> f64 {
        let pace = me.velocity.dot(me.heading) / (SLOW * me.speed).max(1e-9);
        self.headway(me.radius) * (1.0 + START * (1.0 - pace).clamp(0.0, 1.0))
    }

    /// Step 3: the gap to whoever is ahead over the time of head-way. Where somebody comes the other way nobody starts later: with half a person per
    /// square metre and side, lanes would be slower by 0.04 m/s.
    pub(super) fn speed(&self, me: &Me, around: Around<'_>, direction: DVec2, meets: bool) -> f64 {
        let PredictiveConfig { strip, creep, slide, .. } = self.config;
        let headway = if meets { self.headway(me.radius) } else { self.headway_now(me) };
        let mut speed = me.speed;
        let mut follows: Option<&Neighbour> = None;
        for other in around.neighbours {
            let beside = other.offset.perp_dot(direction).abs();
            if other.offset.dot(direction) <= 0.0 || beside >= strip * other.reach {
                continue;
            }
            let is_opposing = lanes::is_opposing(me, other);
            // Of two who want through the same door the one ahead goes first, or each waits for the other.
            if !is_opposing && other.offset.dot(me.heading + other.heading) <= 0.0 {
                continue;
            }
            let least = if is_opposing { slide } else { creep };
            let allowed = ((other.distance - other.reach) / headway).max(least);
            if allowed < speed {
                (speed, follows) = (allowed, Some(other));
            }
        }
        if let Some(other) = follows
            && !meets
            && is_in_file(me, around, other)
        {
            speed = (speed / (1.0 + FILE)).max(creep);
        }
        speed.min(me.speed)
    }
}

/// Whether one follows another between walls that leave no room beside: both are there, so a door is no file.
fn is_in_file(me: &Me, around: Around<'_>, ahead: &Neighbour) -> bool {
    around.walls.len() > 1
        && [DVec2::ZERO, ahead.offset]
            .iter()
            .all(|&offset| width(me.at + offset, me.heading, around.walls) < FILE_WIDTH * me.radius)
}

/// How far apart the walls on both sides of a place are, across a direction [m]; infinite where there are none near.
fn width(at: DVec2, ahead: DVec2, walls: &[Segment]) -> f64 {
    let mut sides = [f64::INFINITY; 2];
    for &[a, b] in walls {
        let (a, b) = (a - at, b - at);
        let (from, to) = (a.dot(ahead), b.dot(ahead));
        // Those that lie along the way from behind to ahead, or back.
        if (from <= 0.0) != (to <= 0.0) {
            let beside = (a + (b - a) * (from / (from - to))).perp_dot(ahead);
            let side = &mut sides[usize::from(beside > 0.0)];
            *side = side.min(beside.abs());
        }
    }
    sides[0] + sides[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stands_starts_later_than_who_walks_follows() {
        let model = Predictive::default();
        let ahead = Neighbour {
            offset: DVec2::X,
            distance: 1.0,
            reach: 0.6,
            heading: DVec2::X,
            ..Neighbour::default()
        };
        let around = Around { neighbours: &[ahead], walls: &[] };
        let speed = |pace: f64, meets| {
            let me = Me {
                id: 0,
                at: DVec2::ZERO,
                velocity: DVec2::X * pace,
                radius: 0.2,
                speed: 1.34,
                heading: DVec2::X,
                turns: false,
                time: 0.0,
                lot: 0,
            };
            model.speed(&me, around, DVec2::X, meets)
        };
        // 0.4 m over half a second; over 0.45 times as much more for one who stands.
        assert!((speed(1.0, false) - 0.8).abs() < 1e-12);
        assert!((speed(SLOW * 1.34, false) - 0.8).abs() < 1e-12);
        assert!((speed(0.0, false) - 0.4 / 0.725).abs() < 1e-12);
        assert!((speed(0.5 * SLOW * 1.34, false) - 0.4 / 0.6125).abs() < 1e-12);
        // Who is pushed back starts no later than who stands; in counter-flow nobody does.
        assert_eq!(speed(-1.0, false), speed(0.0, false));
        assert!((speed(0.0, true) - 0.8).abs() < 1e-12);
    }

    #[test]
    fn in_single_file_one_keeps_more_head_way_but_not_in_a_door() {
        let model = Predictive::default();
        let ahead = Neighbour {
            offset: DVec2::X,
            distance: 1.0,
            reach: 0.4,
            heading: DVec2::X,
            ..Neighbour::default()
        };
        // Walls on both sides, so far apart and so long.
        let speed = |apart: f64, length: f64| {
            let wall = |y: f64| [DVec2::new(-0.3, y), DVec2::new(length - 0.3, y)];
            let walls = [wall(0.5 * apart), wall(-0.5 * apart)];
            let me = Me {
                id: 0,
                at: DVec2::ZERO,
                velocity: DVec2::X,
                radius: 0.2,
                speed: 1.34,
                heading: DVec2::X,
                turns: false,
                time: 0.0,
                lot: 0,
            };
            model.speed(&me, Around { neighbours: &[ahead], walls: &walls }, DVec2::X, false)
        };
        assert!((speed(0.8, 3.0) - 1.2 / 1.4).abs() < 1e-12);
        assert!((speed(1.0, 3.0) - 1.2).abs() < 1e-12);
        assert!((speed(0.8, 0.6) - 1.2).abs() < 1e-12);
    }
}
