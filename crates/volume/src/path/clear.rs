//! Moves a path away from walls, and proves that it is.
//!
//! Idea: where a straight part comes nearer to a wall than the radius, a point is put beside the nearest place, a little
//!   farther away than the radius, and both halves are looked at again. What comes back has been measured against every
//!   wall near it; nothing else does.

use super::walls::Walls;
use crate::mesh::VolumeMesh;
use wayfare_core::DVec3;

/// Points put in at most.
const POINTS: usize = 120;
/// How much farther than the radius points are put, so that straight lines round an edge stay clear of it.
const FARTHER: f64 = 1.03;

/// Where a path comes too near to a wall and cannot be moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Violation {
    pub(super) at: DVec3,
}

/// The path with points put in until it keeps the radius from all walls.
pub(super) fn keep_clear(
    mesh: &VolumeMesh,
    walls: &Walls,
    points: &[DVec3],
    radius: f64,
) -> Result<Vec<DVec3>, Violation> {
    let mut done = vec![points[0]];
    // What is still to be looked at, the next point last.
    let mut ahead: Vec<DVec3> = points[1..].iter().rev().copied().collect();
    let mut budget = POINTS;
    while let Some(&next) = ahead.last() {
        let from = done[done.len() - 1];
        let Some([near, wall]) = walls.nearest(from, next, radius) else {
            done.push(next);
            ahead.pop();
            continue;
        };
        let violation = Violation { at: near };
        let away = (near - wall).try_normalize().ok_or(violation)?;
        let put = wall + away * (radius * FARTHER);
        budget = budget.checked_sub(1).ok_or(violation)?;
        let is_end = near.distance(from).min(near.distance(next)) < 1e-3 * radius;
        if mesh.region_at(put).is_none() || walls.distance(put, radius).is_some() {
            return Err(violation);
        }
        if is_end && near.distance(next) <= near.distance(from) && ahead.len() > 1 {
            // A bend itself is too near: it moves.
            ahead.pop();
        } else if is_end && near.distance(from) < near.distance(next) && done.len() > 1 {
            // It lay well before, with what comes after it does not.
            done.pop();
            ahead.push(put);
            continue;
        } else if is_end {
            return Err(violation);
        }
        ahead.push(put);
    }
    // Points that are not needed go.
    let mut k = 1;
    while k + 1 < done.len() {
        if walls.is_clear(done[k - 1], done[k + 1], radius) {
            done.remove(k);
            k = k.saturating_sub(1).max(1);
        } else {
            k += 1;
        }
    }
    Ok(done)
}
