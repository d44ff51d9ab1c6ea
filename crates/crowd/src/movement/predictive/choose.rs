//! Which direction brings an agent nearest to where it wants to be, before it would touch anything.

use crate::movement::{Around, Me, free_distance};
use std::f64::consts::FRAC_PI_2;
use wayfare_core::{DVec2, dvec2, ops};

/// Directions on either side of straight ahead.
const SIDE: usize = 8;
/// All of them: up to a right angle on either side.
const COUNT: usize = 2 * SIDE + 1;

/// The directions that are looked at, as seen by one who heads along x.
#[derive(Clone, Debug)]
pub(super) struct Directions {
    cos: [f64; COUNT],
    sin: [f64; COUNT],
    /// How much each leads ahead, with the bias to the right.
    ahead: [f64; COUNT],
}

impl Directions {
    pub fn new(right: f64) -> Self {
        let angle = |k: usize| (k as f64 - SIDE as f64) / SIDE as f64 * FRAC_PI_2;
        Self {
            cos: std::array::from_fn(|k| ops::cos(angle(k))),
            sin: std::array::from_fn(|k| ops::sin(angle(k))),
            ahead: std::array::from_fn(|k| ops::cos(angle(k) + right)),
        }
    }

    /// Steps 1 and 2: the direction in which the end of the free way is nearest to a point `horizon` ahead.
    pub fn best(&self, me: &Me, around: Around<'_>, horizon: f64) -> DVec2 {
        let mut free = [horizon; COUNT];
        self.limit_by_bodies(me, around, &mut free);
        let left = me.heading.perp();
        let direction = |k: usize| me.heading * self.cos[k] + left * self.sin[k];
        for &wall in around.walls {
            for (k, free) in free.iter_mut().enumerate() {
                *free = free.min(free_distance(wall, me.at, direction(k), me.radius));
            }
        }
        let off = |k: usize| free[k] * free[k] - 2.0 * horizon * free[k] * self.ahead[k];
        let best = (0..COUNT).min_by(|&k, &l| off(k).total_cmp(&off(l)));
        direction(best.unwrap_or(SIDE))
    }

    /// How far one can go in each direction against others that keep their velocity.
    fn limit_by_bodies(&self, me: &Me, around: Around<'_>, free: &mut [f64; COUNT]) {
        let left = me.heading.perp();
        let turned = |v: DVec2| dvec2(v.dot(me.heading), v.dot(left));
        for other in around.neighbours {
            let (offset, velocity) = (turned(other.offset), turned(other.velocity));
            let apart = offset.length_squared() - other.reach * other.reach;
            // Without branches, so that several directions are worked out at once.
            for (k, free) in free.iter_mut().enumerate() {
                let (x, y) = (self.cos[k] * me.speed - velocity.x, self.sin[k] * me.speed - velocity.y);
                let (squared, closing) = (x * x + y * y, offset.x * x + offset.y * y);
                let root = closing * closing - squared * apart;
                let time = (closing - root.max(0.0).sqrt()) / squared;
                let way = (time * me.speed).max(0.0);
                let meets = closing > 0.0 && root > 0.0 && way < *free;
                *free = if meets { way } else { *free };
            }
        }
    }
}
