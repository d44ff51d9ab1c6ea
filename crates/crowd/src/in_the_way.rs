//! Who keeps others from going on by standing where they want to pass.
//!
//! Somebody who waits, for its group or at a goal, does so only as long as it holds nobody up: otherwise a leader who waits in a
//! door keeps its own group behind it, and the first at a goal keep all others out.

use crate::{
    contact::is_same_storey,
    grid::{Grid, Seen},
};
use wayfare_core::DVec2;

/// Body to body, one who is held up is as near as that [m]: half a second of head-way at half of the usual speed.
const GAP: f64 = 0.4;
/// Who goes slower than this share of its wish towards its way point is held up.
const SLOW: f64 = 0.5;

/// Where those who are held up by a body want to go: the sum of their directions, 0 if there is nobody. `wish` tells how fast somebody would
/// like to go now [m/s].
pub(crate) fn held_up(grid: &Grid, me: &Seen, largest: f64, wish: impl Fn(&Seen) -> f64) -> DVec2 {
    let mut sum = DVec2::ZERO;
    grid.for_each_near(me.at, me.radius + largest + GAP, |other| {
        let offset = me.at - other.at;
        let squared = offset.length_squared();
        let reach = me.radius + other.radius;
        let is_near = squared < (reach + GAP) * (reach + GAP);
        // It would walk into this body.
        let is_behind = offset.dot(other.heading) > 0.0 && offset.perp_dot(other.heading).abs() < reach;
        if other.agent != me.agent
            && is_near
            && is_behind
            && is_same_storey(me.z, squared, other.z)
            && other.velocity.dot(other.heading) < SLOW * wish(other)
        {
            sum += other.heading;
        }
    });
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn only_who_is_slow_near_and_right_behind_is_held_up() {
        let me = Seen { at: dvec2(5.0, 5.0), radius: 0.2, ..Seen::default() };
        let held = |x: f64, y: f64, heading: DVec2, pace: f64, z: f64| {
            let other =
                Seen { at: me.at + dvec2(x, y), velocity: heading * pace, heading, radius: 0.2, z, agent: 1 };
            let mut grid = Grid::default();
            grid.fill(2, |k| [me, other][k]);
            held_up(&grid, &me, 0.2, |_| 1.34)
        };
        assert_eq!(held(-0.7, 0.1, DVec2::X, 0.1, 0.0), DVec2::X);
        // Fast enough, too far, passing by, ahead, going nowhere, on another storey.
        assert_eq!(held(-0.7, 0.1, DVec2::X, 0.9, 0.0), DVec2::ZERO);
        assert_eq!(held(-0.9, 0.1, DVec2::X, 0.1, 0.0), DVec2::ZERO);
        assert_eq!(held(-0.5, 0.5, DVec2::X, 0.1, 0.0), DVec2::ZERO);
        assert_eq!(held(0.7, 0.1, DVec2::X, 0.1, 0.0), DVec2::ZERO);
        assert_eq!(held(-0.7, 0.1, DVec2::ZERO, 0.0, 0.0), DVec2::ZERO);
        assert_eq!(held(-0.7, 0.1, DVec2::X, 0.1, 3.0), DVec2::ZERO);
    }
}
