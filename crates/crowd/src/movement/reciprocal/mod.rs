//! Velocities that avoid all collisions for a while, each of two agents doing half of it.
//!
//! Idea: of the velocities that lead two discs into each other within a horizon, the nearest one that does not tells a
//! half-plane of allowed velocities; the wish is projected on what all half-planes allow. Where nothing is allowed, the
//! velocity is taken that breaks the worst of them least.
//! Source: van den Berg, Guy, Lin, Manocha 2011, "Reciprocal n-body collision avoidance" (ORCA). We differ: walls are
//!   half-planes along their nearest point.
//! Steps: 1. a half-plane for each neighbour and wall  2. the nearest allowed velocity (`plane`)
//! Cost: O(neighbours) expected, every second step.

mod plane;

use super::{Around, Me, Movement, Neighbour, Plan, crowding};
use plane::{HalfPlane, nearest_allowed};
use wayfare_core::DVec2;
use wayfare_geom::segment::nearest_on_segment;

/// The numbers of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ReciprocalConfig {
    /// How far others are seen [m]; > 0.
    pub sight: f64,
    /// Collisions within this time are avoided [s]; > 0.
    pub horizon: f64,
    /// The same for walls [s]; > 0.
    pub wall_horizon: f64,
}

impl Default for ReciprocalConfig {
    fn default() -> Self {
        Self { sight: 3.0, horizon: 2.0, wall_horizon: 0.3 }
    }
}

impl ReciprocalConfig {
    /// Its numbers in the order of the fields, for files.
    pub(crate) fn to_array(&self) -> [f64; 3] {
        [self.sight, self.horizon, self.wall_horizon]
    }
    /// Nothing where the numbers are too many, too few or out of their ranges.
    pub(crate) fn of_array(numbers: &[f64]) -> Option<Self> {
        let &[sight, horizon, wall_horizon] = numbers else { return None };
        let config = Self { sight, horizon, wall_horizon };
        config.is_sound().then_some(config)
    }
    /// Whether every number is in its range.
    pub fn is_sound(&self) -> bool {
        (0.1..=10.0).contains(&self.sight)
            && [self.horizon, self.wall_horizon].iter().all(|time| (0.01..=100.0).contains(time))
    }
}

/// Reciprocal avoidance.
#[derive(Clone, Debug, Default)]
pub struct Reciprocal {
    config: ReciprocalConfig,
}

/// Half-planes that are looked at; the nearest neighbours come first where there are more.
const MOST: usize = 24;

impl Reciprocal {
    /// The model with these numbers.
    pub fn new(config: ReciprocalConfig) -> Self {
        Self { config }
    }

    /// Step 1 for a neighbour: the half-plane that keeps both apart for the horizon, if both do their part.
    fn against(&self, me: &Me, other: &Neighbour) -> HalfPlane {
        let relative = me.velocity - other.velocity;
        // Discs that overlap are to be apart within a step's time.
        let horizon = if other.distance > other.reach { self.config.horizon } else { 1.0 / 60.0 };
        let centre = other.offset / horizon;
        let from_centre = relative - centre;
        let radius = other.reach / horizon;
        let along = from_centre.dot(other.offset);
        let is_round = other.distance <= other.reach
            || along < 0.0 && along * along > other.reach * other.reach * from_centre.length_squared();
        let (normal, change) = if is_round {
            // The round end of the cone is nearest.
            let normal = from_centre.normalize_or(-other.offset.normalize_or(DVec2::X));
            (normal, normal * (radius - from_centre.length()))
        } else {
            // One of its legs.
            let leg = (other.distance * other.distance - other.reach * other.reach).max(0.0).sqrt();
            let side = if other.offset.perp_dot(from_centre) > 0.0 { 1.0 } else { -1.0 };
            let axis = other.offset / (other.distance * other.distance);
            let direction = axis * leg + axis.perp() * (side * other.reach);
            let normal = direction.perp() * side;
            (normal, direction * relative.dot(direction) - relative)
        };
        HalfPlane { at: me.velocity + change * 0.5, normal }
    }
}

impl Movement for Reciprocal {
    fn sight(&self) -> f64 {
        self.config.sight
    }
    fn wall_sight(&self) -> f64 {
        1.5
    }
    fn interval(&self) -> f64 {
        2.0 / 60.0
    }
    fn margin(&self) -> f64 {
        0.004
    }
    fn wall_room(&self) -> f64 {
        0.05
    }

    fn decide(&self, me: &Me, around: Around<'_>, plan: &mut Plan) {
        let mut planes = [HalfPlane::default(); MOST];
        let mut count = 0;
        let mut push = |plane: HalfPlane| {
            if let Some(slot) = planes.get_mut(count) {
                *slot = plane;
                count += 1;
            }
        };
        for &[a, b] in around.walls {
            let offset = me.at - nearest_on_segment(me.at, a, b);
            let normal = offset.normalize_or_zero();
            let gap = (offset.length() - me.radius).max(0.0);
            if gap < me.speed * self.config.wall_horizon * 2.0 && normal != DVec2::ZERO {
                push(HalfPlane { at: normal * (-gap / self.config.wall_horizon), normal });
            }
        }
        let hard = count;
        // The nearest first, as only so many are looked at.
        let mut nearest: [(f64, usize); MOST] = [(f64::INFINITY, usize::MAX); MOST];
        for (k, other) in around.neighbours.iter().enumerate() {
            let gap = other.distance - other.reach;
            let place = nearest.partition_point(|&(known, index)| (known, index) < (gap, k));
            if place < MOST {
                nearest[place..].rotate_right(1);
                nearest[place] = (gap, k);
            }
        }
        for &(_, k) in nearest.iter().take(MOST - hard) {
            if let Some(other) = around.neighbours.get(k) {
                let plane = self.against(me, other);
                if let Some(slot) = planes.get_mut(count) {
                    *slot = plane;
                    count += 1;
                }
            }
        }
        plan.crowding = crowding(me, around);
        plan.wanted = nearest_allowed(&planes[..count], hard, me.heading * me.speed, me.speed);
    }

    fn steer(&self, me: &Me, plan: &mut Plan, dt: f64) -> DVec2 {
        let _ = dt;
        // The half-planes hold for the velocity that was found, not for one on the way to it.
        if me.heading == DVec2::ZERO && plan.wanted.length_squared() < 1e-12 {
            DVec2::ZERO
        } else {
            plan.wanted
        }
    }
}
