//! Lanes in counter-flow: agents drift towards those who go their way and away from those who do not.
//!
//! The drift is a velocity to the side that is added, not a turned direction: agents that turn squeeze their lanes, and
//! narrow doors lock. Slow agents drift, fast ones have no reason to. Everybody prefers the right.

use crate::movement::{Around, Me, Neighbour};
use std::f64::consts::FRAC_PI_4;
use wayfare_core::DVec2;

/// Headings whose product is less go opposite ways.
const OPPOSITE: f64 = -0.3;
/// The largest drift, as an angle [rad].
const MOST: f64 = 0.9;
/// Metres per second of drift for each rad.
const GAIN: f64 = 0.5;
/// A gap at the side that is as good as free [m].
const FREE_SIDE: f64 = 0.4;

pub(super) fn is_opposing(me: &Me, other: &Neighbour) -> bool {
    me.heading.dot(other.heading) < OPPOSITE
}

/// The share of those ahead that come the other way, the near ones more; nothing if nobody does.
pub(super) fn opposing(me: &Me, around: Around<'_>) -> Option<f64> {
    let (mut against, mut all) = (0.0, 0.0);
    for other in around.neighbours {
        let weight = weight(me, other);
        all += weight;
        against += if is_opposing(me, other) { weight } else { 0.0 };
    }
    (against > 0.0).then(|| against / all)
}

fn weight(me: &Me, other: &Neighbour) -> f64 {
    let ahead = other.offset.dot(me.heading).max(0.0) / other.distance.max(1e-9);
    ahead / (other.distance * other.distance + 0.2)
}

/// The velocity to the side [m/s].
pub(super) fn drift(me: &Me, around: Around<'_>, opposing: f64, speed: f64) -> DVec2 {
    let left = me.heading.perp();
    let (mut mean, mut all) = (0.0, 0.0);
    for other in around.neighbours {
        let weight = weight(me, other);
        // The sine stands for the angle; what is far to the side has no weight.
        let side = other.offset.dot(left) / other.distance.max(1e-9);
        mean += if is_opposing(me, other) { -weight * side } else { weight * side };
        all += weight;
    }
    let angle = (2.0 * mean / f64::max(all, 1e-9) - FRAC_PI_4 * opposing).clamp(-MOST, MOST);
    // Who has no room at that side pushes less.
    let sign = angle.signum();
    let mut gap = FREE_SIDE;
    for other in around.neighbours {
        let beside = other.offset.dot(left) * sign;
        if beside > 0.0 && other.offset.dot(me.heading).abs() < other.reach {
            gap = gap.min(beside - other.reach);
        }
    }
    let room = 0.5 + 0.5 * (gap / FREE_SIDE).clamp(0.0, 1.0);
    let slow = (1.0 - speed / (0.8 * me.speed)).max(0.0);
    left * (GAIN * angle * room * slow)
}
