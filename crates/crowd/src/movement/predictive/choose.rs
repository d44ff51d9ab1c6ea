//! Which direction brings an agent nearest to where it wants to be, before it would touch anything.

use crate::movement::{Around, Me, Neighbour, free_distance};
use std::f64::consts::FRAC_PI_2;
use wayfare_core::{DVec2, ops};

/// Directions on either side of straight ahead.
const SIDE: usize = 8;
/// All of them: up to a right angle on either side.
const COUNT: usize = 2 * SIDE + 1;

/// Who is nearer than this is looked at first [m].
const NEAR: f64 = 1.2;

/// The same with some that are there twice, so that four are worked out at once.
const PADDED: usize = COUNT.next_multiple_of(4);

/// The directions that are looked at, as seen by one who heads along x.
#[derive(Clone, Debug)]
pub(super) struct Directions {
    cos: [f64; COUNT],
    sin: [f64; COUNT],
    /// The same, rounded: others are near, so that single precision tells them apart by micrometres.
    cos_padded: [f32; PADDED],
    sin_padded: [f32; PADDED],
    /// How much each leads ahead, with the bias to the right: usually, and while somebody comes the other way.
    ahead: [[f64; COUNT]; 2],
}

impl Directions {
    pub fn new(right: [f64; 2]) -> Self {
        let angle = |k: usize| (k.min(COUNT - 1) as f64 - SIDE as f64) / SIDE as f64 * FRAC_PI_2;
        Self {
            cos: std::array::from_fn(|k| ops::cos(angle(k))),
            sin: std::array::from_fn(|k| ops::sin(angle(k))),
            cos_padded: std::array::from_fn(|k| ops::cos(angle(k)) as f32),
            sin_padded: std::array::from_fn(|k| ops::sin(angle(k)) as f32),
            ahead: right.map(|right| std::array::from_fn(|k| ops::cos(angle(k) + right))),
        }
    }

    /// Directions up to 45° on either side of straight ahead.
    pub fn ahead_of(&self, me: &Me) -> impl Iterator<Item = DVec2> {
        let (heading, left) = (me.heading, me.heading.perp());
        (SIDE / 2..=SIDE + SIDE / 2).map(move |k| heading * self.cos[k] + left * self.sin[k])
    }

    /// Steps 1 and 2: the direction in which the end of the free way is nearest to a point `horizon` ahead.
    pub fn best(&self, me: &Me, around: Around<'_>, horizon: f64, meets: bool) -> DVec2 {
        let mut beside_others = [horizon as f32; PADDED];
        self.limit_by_bodies(me, around, &mut beside_others);
        let mut free: [f64; COUNT] = std::array::from_fn(|k| f64::from(beside_others[k]));
        let left = me.heading.perp();
        let direction = |k: usize| me.heading * self.cos[k] + left * self.sin[k];
        for &wall in around.walls {
            for (k, free) in free.iter_mut().enumerate() {
                *free = free.min(free_distance(wall, me.at, direction(k), me.radius));
            }
        }
        let ahead = &self.ahead[usize::from(meets)];
        let off = |k: usize| free[k] * free[k] - 2.0 * horizon * free[k] * ahead[k];
        let best = (0..COUNT).min_by(|&k, &l| off(k).total_cmp(&off(l)));
        direction(best.unwrap_or(SIDE))
    }

    /// How far one can go in each direction against others that keep their velocity. Those near come first: most of the
    /// others then cannot be met before.
    fn limit_by_bodies(&self, me: &Me, around: Around<'_>, free: &mut [f32; PADDED]) {
        for other in around.neighbours.iter().filter(|other| other.distance < NEAR) {
            self.limit_by_body(me, other, free);
        }
        let farthest = f64::from(free.iter().copied().fold(0.0, f32::max));
        for other in around.neighbours.iter().filter(|other| other.distance >= NEAR) {
            // Both straight towards each other.
            let soonest = (other.distance - other.reach) * me.speed;
            let speeds = me.speed + other.velocity.length();
            if soonest < farthest * speeds {
                self.limit_by_body(me, other, free);
            }
        }
    }

    fn limit_by_body(&self, me: &Me, other: &Neighbour, free: &mut [f32; PADDED]) {
        let left = me.heading.perp();
        let turned = |v: DVec2| [v.dot(me.heading) as f32, v.dot(left) as f32];
        let ([ox, oy], [vx, vy]) = (turned(other.offset), turned(other.velocity));
        let apart = (other.distance * other.distance - other.reach * other.reach) as f32;
        let speed = me.speed as f32;
        // Without branches, so that several directions are worked out at once.
        for ((free, &cos), &sin) in free.iter_mut().zip(&self.cos_padded).zip(&self.sin_padded) {
            let (x, y) = (cos * speed - vx, sin * speed - vy);
            let (squared, closing) = (x * x + y * y, ox * x + oy * y);
            let root = closing * closing - squared * apart;
            let positive = if root > 0.0 { root } else { 0.0 };
            let way = (closing - positive.sqrt()) / squared * speed;
            let way = if way > 0.0 { way } else { 0.0 };
            let meets = (closing > 0.0) & (root > 0.0) & (way < *free);
            *free = if meets { way } else { *free };
        }
    }
}
