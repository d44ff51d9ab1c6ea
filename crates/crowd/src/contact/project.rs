//! Pushes bodies apart and out of walls.
//!
//! Idea: in each pass every body is moved by a mean of what its contacts ask for, all from the positions of the pass before.
//! Of two bodies the one behind gives way, seen along where both want to go: who is ahead in a queue is not pushed.
//! Source: Müller et al. 2007, "Position based dynamics"; the mean is Jacobi's iteration, which unlike Gauss and Seidel's
//!   does not depend on an order. It takes twice the passes.
//! Invariants: a body is never moved farther from where it began than a step allows. Cost: O(passes × contacts).

use super::{CHUNK, near::Near};
use crate::{
    agents::{Body, Mind},
    walls::Walls,
};
use wayfare_core::DVec2;
use wayfare_geom::segment::nearest_on_segment;

/// Share of a correction that the one behind takes. With 0.9 the passes settle less, and arches of bodies of 0.3 m stand before a 1 m door for ten seconds.
const BEHIND: f64 = 0.8;
/// Who is ahead of another by less, as a cosine, is level with it.
const LEVEL: f64 = 0.2;
/// Headings that close in on each other by more, as a cosine, want to the same place.
const CONVERGING: f64 = 0.1;
/// Walls are kept this much farther away than needed at least [m], so that the guard need not act.
const WALL_MARGIN: f64 = 0.001;

/// One pass over a chunk: from the positions of all agents to new positions of the chunk; how much the farthest was moved.
pub(crate) fn project(
    chunk: usize,
    near: &Near,
    (bodies, minds, walls): (&[Body], &[Mind], &Walls),
    margin: f64,
    steps: &[f64],
    from: &[DVec2],
    to: &mut [DVec2],
) -> f64 {
    let mut most: f64 = 0.0;
    for (k, to) in to.iter_mut().enumerate() {
        let me = chunk * CHUNK + k;
        let (body, mut p) = (&bodies[me], from[me]);
        let before = p;
        let (mut sum, mut count) = (DVec2::ZERO, 0.0);
        for &other in near.others(k) {
            let other = other as usize;
            let offset = p - from[other];
            let target = body.radius + bodies[other].radius + margin;
            let squared = offset.length_squared();
            if squared >= target * target {
                continue;
            }
            let distance = squared.sqrt();
            // Two in one place: apart along an axis, the later one to the right.
            let away = if distance > 0.0 {
                offset / distance
            } else {
                DVec2::X * (if me > other { 1.0 } else { -1.0 })
            };
            // Two who are level share alike, but for those who want to the same place, as in a door: if both give way, or neither, they are an arch,
            // so there the one goes first that is ahead by however little, or has the smaller number. Everywhere that breaks up lanes.
            let (mine, theirs) = (minds[me].heading, minds[other].heading);
            let ahead = away.dot(mine + theirs);
            let converge = mine.dot(theirs) > 0.0 && away.dot(theirs - mine) > CONVERGING;
            let share = if ahead.abs() <= LEVEL && !converge {
                0.5
            } else if ahead > 0.0 || (ahead == 0.0 && me < other) {
                1.0 - BEHIND
            } else {
                BEHIND
            };
            sum += away * ((target - distance) * share);
            count += 1.0;
        }
        if count > 0.0 {
            p += sum * (2.0 / (1.0 + count));
        }
        for &wall in near.walls(k) {
            let [a, b] = walls.edge(wall);
            let offset = p - nearest_on_segment(p, a, b);
            let distance = offset.length();
            let target = body.radius + margin.max(WALL_MARGIN);
            if distance < target && distance > 0.0 {
                p += offset * ((target - distance) / distance);
            }
        }
        p = body.at + (p - body.at).clamp_length_max(steps[me]);
        most = most.max(p.distance_squared(before));
        *to = p;
    }
    most.sqrt()
}
