//! Patience: who has stood in a jam with others coming the other way for too long does something else for a while; and who
//! stands though nobody is ahead, as in an arch before a narrow door, makes room.

use crate::movement::{Me, Plan};

/// Slower than this towards the way point is standing [m/s].
const STANDING: f64 = 0.15;
/// How long something else is tried [s], and how fast [m/s].
const TRY: f64 = 1.5;
const SPEED: f64 = 0.5;
/// How long one makes room [s].
const ROOM: f64 = 0.6;
/// How fast those behind yield [m/s].
const YIELD: f64 = 0.15;

/// Counts how long an agent has stood.
pub(super) fn count(me: &Me, plan: &mut Plan, dt: f64) {
    let is_standing = me.velocity.dot(me.heading) < STANDING && me.time >= plan.push_until;
    plan.stalled = if is_standing { plan.stalled + dt } else { (plan.stalled - 2.0 * dt).max(0.0) };
}

/// Draws what to do instead: push on, step back, go right or left.
pub(super) fn lose(me: &Me, plan: &mut Plan, patience: f64) {
    // Not all at once.
    let spread = (me.lot >> 32) as f64 / 2f64.powi(32);
    if plan.stalled < patience + spread {
        return;
    }
    let (ahead, left) = (me.heading, me.heading.perp());
    let way = match me.lot % 100 {
        0..40 => ahead,
        40..60 => -ahead,
        60..85 => -left,
        _ => left,
    };
    plan.push = way * SPEED;
    plan.push_until = me.time + TRY;
    plan.stalled = 0.0;
}

/// Out of an arch before a narrow door: who is in it though nobody is ahead goes back or aside, and those who press from behind
/// yield for a moment, or there is no room to go to.
pub(super) fn make_room(me: &Me, plan: &mut Plan, patience: f64, is_free: bool) {
    let spread = (me.lot >> 32) as f64 / 2f64.powi(32);
    let wait = if is_free { 0.5 * patience } else { patience };
    if plan.stalled < wait + spread {
        return;
    }
    let left = me.heading.perp();
    let (way, speed) = match me.lot % 4 {
        _ if !is_free => (-me.heading, YIELD),
        0 | 1 => (-me.heading, SPEED),
        2 => (left, SPEED),
        _ => (-left, SPEED),
    };
    plan.push = way * speed;
    plan.push_until = me.time + ROOM;
    plan.stalled = 0.0;
}
