//! The default model: agents look where they get far, keep a head-way to whoever is ahead, and drift into lanes.
//!
//! Idea: of some directions the one is taken that brings an agent nearest to its way point before it would touch somebody
//! or something; how fast it goes is decided by the gap to the next one ahead alone. That head-way law makes the flow at
//! doors and the speed at a density those of people; who walks where it can go does not need forces.
//! Source: Moussaïd, Helbing, Theraulaz 2011, "How simple rules determine pedestrian behavior and crowd disasters" for
//!   the directions; Tordeux, Chraibi, Seyfried 2016, "Collision-free speed model for pedestrian dynamics" for the head-way.
//!   We differ: speed never falls to 0, or arches at narrow doors stand for ever; in counter-flow a side velocity is added
//!   (`lanes`); those who still are stuck try something else for a while (`patience`).
//! Steps: 1. free distance in each direction  2. the best direction  3. speed from the head-way (`headway`); at corners in a crowd the
//!   direction in which that is the most (`gaps`)  4. side drift  5. patience
//! Numbers: `docs/crowd.md` says where each comes from. Cost: O(directions × neighbours) every fourth step.

mod choose;
mod crowding;
mod gaps;
mod headway;
mod lanes;
mod patience;

use super::{Around, Me, Movement, Plan, relaxed};
use choose::Directions;
use wayfare_core::DVec2;

/// How much farther from walls than their radius agents would like to pass [m]: others push. 0 to 5 cm give the same flow at doors, 15 cm a
/// sixth less at 1 m.
const WALL_ROOM: f64 = 0.05;

/// The numbers of the default model.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictiveConfig {
    /// How far others are seen [m]; > 0. 4 m is no better.
    pub sight: f64,
    /// Time between two decisions [s]; 0 or more.
    pub interval: f64,
    /// The distance at which an agent would like to be free [m]; > 0.
    pub horizon: f64,
    /// How much agents like to pass on the right [rad].
    pub right: f64,
    /// How much they like it while somebody comes the other way [rad]: lanes last, and no two queues face each other.
    pub keep_right: f64,
    /// Seconds of head-way of a body with a radius of 0.2 m [s]; > 0. It sets the flow.
    pub headway: f64,
    /// How the head-way falls with the radius of larger bodies: the power of 0.2 m / radius. So that doors let through as many
    /// persons of any size, within what people of one size differ.
    pub headway_power: f64,
    /// Who is in a strip this many times as wide as both bodies counts as ahead; >= 1.
    pub strip: f64,
    /// The least speed of an agent that wants to go on [m/s]; 0 or more.
    pub creep: f64,
    /// The least speed towards somebody who comes the other way [m/s]; 0 or more.
    pub slide: f64,
    /// Within this time a velocity becomes what is wanted [s]; > 0.
    pub relaxation: f64,
    /// The largest change of a velocity [m/s²]; > 0.
    pub acceleration: f64,
    /// How long agents wait in a jam before they try something else [s].
    pub patience: f64,
    /// How far apart contacts hold bodies [m]; 0 or more. Without it the guard brakes a fifth of the agents, and narrow doors jam.
    pub margin: f64,
}

impl Default for PredictiveConfig {
    fn default() -> Self {
        Self {
            sight: 2.5,
            interval: 4.0 / 60.0,
            horizon: 6.0,
            right: 0.03,
            keep_right: 0.3,
            headway: 0.5,
            headway_power: 5.0,
            strip: 1.1,
            creep: 0.1,
            slide: 0.8,
            relaxation: 0.3,
            acceleration: 6.0,
            patience: 3.0,
            margin: 0.004,
        }
    }
}

impl PredictiveConfig {
    /// Its numbers in the order of the fields, for files.
    pub(crate) fn to_array(&self) -> [f64; 14] {
        let Self { sight, interval, horizon, right, headway, strip, creep, slide, relaxation, .. } = *self;
        let Self { keep_right, headway_power, acceleration, patience, margin, .. } = *self;
        [
            sight,
            interval,
            horizon,
            right,
            keep_right,
            headway,
            headway_power,
            strip,
            creep,
            slide,
            relaxation,
            acceleration,
            patience,
            margin,
        ]
    }
    /// Nothing where the numbers are too many, too few or out of their ranges.
    pub(crate) fn of_array(numbers: &[f64]) -> Option<Self> {
        let &[
            sight,
            interval,
            horizon,
            right,
            keep_right,
            headway,
            headway_power,
            strip,
            creep,
            slide,
            relaxation,
            acceleration,
            patience,
            margin,
        ] = numbers
        else {
            return None;
        };
        let config = Self {
            sight,
            interval,
            horizon,
            right,
            keep_right,
            headway,
            headway_power,
            strip,
            creep,
            slide,
            relaxation,
            acceleration,
            patience,
            margin,
        };
        config.is_sound().then_some(config)
    }
    /// Whether every number is in its range.
    pub fn is_sound(&self) -> bool {
        let positive = [self.horizon, self.headway, self.relaxation, self.acceleration];
        (0.1..=10.0).contains(&self.sight)
            && positive.iter().all(|number| *number > 0.0)
            && [self.interval, self.creep, self.slide, self.patience].iter().all(|number| *number >= 0.0)
            && (1.0..=3.0).contains(&self.strip)
            && (0.0..=0.05).contains(&self.margin)
            && self.to_array().iter().all(|number| number.is_finite())
    }
}

/// The default model.
#[derive(Clone, Debug)]
pub struct Predictive {
    config: PredictiveConfig,
    directions: Directions,
}

impl Default for Predictive {
    fn default() -> Self {
        Self::new(PredictiveConfig::default())
    }
}

impl Predictive {
    /// The model with these numbers.
    pub fn new(config: PredictiveConfig) -> Self {
        let directions = Directions::new([config.right, config.keep_right]);
        Self { config, directions }
    }
}

impl Movement for Predictive {
    fn sight(&self) -> f64 {
        self.config.sight
    }
    fn wall_sight(&self) -> f64 {
        1.5
    }
    fn interval(&self) -> f64 {
        self.config.interval
    }
    fn margin(&self) -> f64 {
        self.config.margin
    }
    fn wall_room(&self) -> f64 {
        WALL_ROOM
    }

    fn decide(&self, me: &Me, around: Around<'_>, plan: &mut Plan) {
        if me.heading == DVec2::ZERO {
            plan.wanted = DVec2::ZERO;
            return;
        }
        let opposing = lanes::opposing(me, around);
        // 1. and 2.
        let mut direction = self.directions.best(me, around, self.config.horizon, opposing.is_some());
        // 3.
        let mut speed = self.speed(me, around, direction, opposing.is_some());
        if me.turns && opposing.is_none() {
            (direction, speed) = self.gap(me, around, (direction, speed));
        }
        plan.crowding = self.crowding(me, speed, plan.crowding);
        plan.wanted = direction * speed;
        // 4. and 5.
        if let Some(opposing) = opposing {
            plan.wanted += lanes::drift(me, around, opposing, speed);
            patience::lose(me, plan, self.config.patience);
        } else {
            patience::make_room(me, plan, self.config.patience, speed > 0.5 * me.speed);
        }
    }

    fn steer(&self, me: &Me, plan: &mut Plan, dt: f64) -> DVec2 {
        patience::count(me, plan, dt);
        let wanted = if me.time < plan.push_until { plan.push } else { plan.wanted };
        relaxed(me.velocity, wanted, self.config.relaxation, self.config.acceleration, dt)
    }
}
