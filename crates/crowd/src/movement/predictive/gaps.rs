//! Round a corner in a crowd people look for gaps: the direction in which head-way lets one get on fastest.
//!
//! Inner lanes overtake outer ones there, so that whoever keeps its direction is slowed down again and again. Everywhere it would be too much: doors would
//! let through 1.9 to 2.0 persons per metre and second, and a corridor with 2 persons per square metre would be 0.3 m/s too fast.

use super::Predictive;
use crate::movement::{Around, Me, free_distance};
use wayfare_core::DVec2;

/// Another direction must be so much faster [m/s].
const GAIN: f64 = 0.02;
/// It must not lead into a wall that is nearer than this [m].
const ROOM: f64 = 0.5;

impl Predictive {
    /// The best direction and its speed, given those chosen otherwise.
    pub(super) fn gap(&self, me: &Me, around: Around<'_>, chosen: (DVec2, f64)) -> (DVec2, f64) {
        let gains = |(direction, speed): (DVec2, f64)| speed * direction.dot(me.heading);
        let mut best = chosen;
        if gains(best) + GAIN >= me.speed {
            return best;
        }
        for direction in self.directions.ahead_of(me) {
            let found = (direction, self.speed(me, around, direction, false));
            let is_free = |&wall| free_distance(wall, me.at, direction, me.radius) > ROOM;
            if gains(found) > gains(best) + GAIN && around.walls.iter().all(is_free) {
                best = found;
            }
        }
        best
    }
}
