//! Rule-based steering with forces, as the paper moves its crowds.
//!
//! Idea: an agent heads for its way point; whoever is in a strip ahead turns it aside, what is very near pushes it away, and
//! whoever cannot go on stops instead of pushing.
//! Source: Oliva and Pelechano 2015, section 6, which takes Pelechano, Allbeck, Badler 2007, "Controlling individual agents
//!   in high-density crowd simulation" (HiDAC). We differ: HiDAC lets bodies overlap and pushes them apart by forces; here
//!   the contacts of all models do that, so that only the forces that steer are left. Its numbers for different
//!   characters are one set.
//! Steps: 1. attraction  2. avoidance of others, sideways  3. walls  4. personal space  5. stopping
//! Cost: O(neighbours) every second step.

use super::{Around, CROWD_SIGHT, Me, Movement, Plan, crowding, relaxed};
use wayfare_core::DVec2;
use wayfare_geom::segment::nearest_on_segment;

/// How hard a wall pushes one who touches it, where 1 is the wish to get on. With 1 whoever heads for a wall is held off it by nothing as soon as
/// somebody pushes: bodies on the ill-conditioned ring touched walls in every seventh tick.
const WALL: f64 = 2.0;
/// Who gets on at less of its wish speed is slowed down.
const SLOWED: f64 = 0.9;

/// The numbers of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcesConfig {
    /// How far ahead others are avoided [m]; > 0. The paper's rectangle of influence.
    pub sight: f64,
    /// How strong avoidance is; 0 or more.
    pub avoidance: f64,
    /// Others are kept at this distance, body to body [m]; 0: not at all.
    pub personal_space: f64,
    /// Walls are kept at this distance [m]; 0: not at all.
    pub wall_space: f64,
    /// Agents stop behind somebody nearer than this [m]; 0: never.
    pub stop: f64,
}

impl Default for ForcesConfig {
    fn default() -> Self {
        Self { sight: 2.0, avoidance: 0.8, personal_space: 0.1, wall_space: 0.15, stop: 0.03 }
    }
}

impl ForcesConfig {
    /// Its numbers in the order of the fields, for files.
    pub(crate) fn to_array(&self) -> [f64; 5] {
        let Self { sight, avoidance, personal_space, wall_space, stop } = *self;
        [sight, avoidance, personal_space, wall_space, stop]
    }
    /// Nothing where the numbers are too many, too few or out of their ranges.
    pub(crate) fn of_array(numbers: &[f64]) -> Option<Self> {
        let &[sight, avoidance, personal_space, wall_space, stop] = numbers else { return None };
        let config = Self { sight, avoidance, personal_space, wall_space, stop };
        config.is_sound().then_some(config)
    }
    /// Whether every number is in its range.
    pub fn is_sound(&self) -> bool {
        (0.1..=10.0).contains(&self.sight)
            && self.to_array().iter().all(|number| number.is_finite() && *number >= 0.0)
    }
}

/// Rule-based steering with forces.
#[derive(Clone, Debug, Default)]
pub struct Forces {
    config: ForcesConfig,
}

impl Forces {
    /// The model with these numbers.
    pub fn new(config: ForcesConfig) -> Self {
        Self { config }
    }
}

impl Movement for Forces {
    fn sight(&self) -> f64 {
        self.config.sight.max(CROWD_SIGHT)
    }
    fn wall_sight(&self) -> f64 {
        (self.config.wall_space + 1.0).min(2.0)
    }
    fn interval(&self) -> f64 {
        2.0 / 60.0
    }
    fn margin(&self) -> f64 {
        0.0
    }
    fn wall_room(&self) -> f64 {
        // Way points nearer to a wall would pull where the wall pushes.
        self.config.wall_space
    }

    fn decide(&self, me: &Me, around: Around<'_>, plan: &mut Plan) {
        let ForcesConfig { sight, avoidance, personal_space, wall_space, stop } = self.config;
        if me.heading == DVec2::ZERO {
            plan.wanted = DVec2::ZERO;
            return;
        }
        // 1.
        let mut force = me.heading;
        let mut is_blocked = false;
        for other in around.neighbours {
            let gap = other.distance - other.reach;
            let away = -other.offset / other.distance.max(1e-9);
            let along = other.offset.dot(me.heading);
            let beside = other.offset.perp_dot(me.heading);
            // 2. Towards the side on which the other one is not; who is straight ahead is passed on the right.
            if along > 0.0 && beside.abs() < other.reach {
                let side = if beside < 0.0 { -1.0 } else { 1.0 };
                let near = ((sight - other.distance) / sight).max(0.0);
                // Those who come the other way are met sooner.
                let meets = if me.heading.dot(other.heading) < 0.0 { 2.0 } else { 1.0 };
                force += me.heading.perp() * (side * avoidance * near * near * meets);
                is_blocked |= stop > 0.0 && gap < stop && along > 0.7 * other.distance;
            }
            // 4.
            if personal_space > 0.0 && gap < personal_space {
                force += away * ((personal_space - gap) / personal_space.max(1e-9));
            }
        }
        // 3.
        for &[a, b] in around.walls {
            let offset = me.at - nearest_on_segment(me.at, a, b);
            let gap = offset.length() - me.radius;
            if wall_space > 0.0 && gap < wall_space {
                force += offset.normalize_or_zero() * ((wall_space - gap) / wall_space.max(1e-9) * WALL);
            }
        }
        // 5. Who would push stops; a little goes on, or arches at doors stand for ever.
        let speed = if is_blocked { 0.1 * me.speed } else { me.speed };
        // Some who walk behind each other as fast as they like are no crowd yet.
        let is_slowed = me.velocity.dot(me.heading) < SLOWED * me.speed;
        plan.crowding = if is_slowed || plan.crowding > 0.0 { crowding(me, around) } else { 0.0 };
        plan.wanted = force.normalize_or_zero() * speed;
    }

    fn steer(&self, me: &Me, plan: &mut Plan, dt: f64) -> DVec2 {
        relaxed(me.velocity, plan.wanted, 0.2, 10.0, dt)
    }
}
