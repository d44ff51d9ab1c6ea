//! Shortens steps until nobody overlaps and nobody enters a wall.
//!
//! Idea: the distance between two bodies that move straight is convex in time, and so is that of a body to a wall. So it is
//! never less than what its rate at the beginning promises: where distance − closing stays above the sum of the radii, the
//! bodies do not touch on the whole way. Where it does not, whoever closes in goes a smaller part of its step.
//! Parts only shrink, and standing still is always allowed, so that it ends; after some rounds those who still are in the
//! way of each other stand.
//! Invariants: bodies that do not overlap do not overlap afterwards, but for rounding; overlaps do not grow.
//! Cost: one look at each contact where the projection has done its work, as it nearly always has.

use super::{CHUNK, near::Near};
use crate::{agents::Body, walls::Walls};
use wayfare_core::DVec2;
use wayfare_geom::segment::nearest_on_segment;

/// After so many rounds parts are not shortened but set to 0.
const ROUNDS: usize = 24;
/// Parts that are this much too large do not matter [m]: a thousandth of what may overlap.
const HAIR: f64 = 1e-9;

/// One round over a chunk: from the parts of all agents to smaller parts of the chunk; whether any changed.
pub(crate) fn guard(
    chunk: usize,
    near: &Near,
    (bodies, walls): (&[Body], &Walls),
    (to, round): (&[DVec2], usize),
    from: &[f64],
    parts: &mut [f64],
) -> bool {
    let mut changed = false;
    for (k, part) in parts.iter_mut().enumerate() {
        let me = chunk * CHUNK + k;
        let (body, before) = (&bodies[me], from[me]);
        let mut left = before;
        if before > 0.0 {
            let step = to[me] - body.at;
            for &other in near.others(k) {
                let other = other as usize;
                let offset = body.at - bodies[other].at;
                let distance = offset.length();
                let apart = distance - (body.radius + bodies[other].radius);
                // How much nearer each comes.
                let mine = -before * step.dot(offset);
                if mine <= 0.0 {
                    continue;
                }
                let theirs = from[other] * (to[other] - bodies[other].at).dot(offset);
                if mine + theirs <= (apart + HAIR) * distance {
                    continue;
                }
                // Who goes away makes room; who comes shares it.
                let room = apart.max(0.0) * distance;
                let share = if theirs > 0.0 { room / (mine + theirs) } else { (room - theirs) / mine };
                left = left.min(before * share);
            }
            if round == 0 {
                for &wall in near.walls(k) {
                    let [a, b] = walls.edge(wall);
                    let offset = body.at - nearest_on_segment(body.at, a, b);
                    let distance = offset.length();
                    let closing = -step.dot(offset);
                    let room = (distance - body.radius).max(0.0) * distance;
                    if before * closing > room + HAIR * distance {
                        left = left.min(room / closing);
                    }
                }
            }
            if left < before && round >= ROUNDS {
                left = 0.0;
            }
        }
        changed |= left < before;
        *part = left;
    }
    changed
}
