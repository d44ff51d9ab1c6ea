//! Lengths of sides: whether they can be, room for faces without area, areas.

use super::NONE;
use crate::SurfaceError;
use wayfare_core::RepairReport;

/// By how much two sides together exceed the third at least, relative to the third. Smaller, and the height of such a face
/// would drown in rounding (it is the root of this: a millionth of the side); larger, and distances would notice.
const ROOM: f64 = 1e-12;
/// What lengths handed over may break the triangle inequality by, relative to the side: rounding, no more.
const BROKEN: f64 = 1e-9;

/// Refuses lengths that are none, differ between both sides of an edge or break the triangle inequality.
pub fn check(lengths: &[f64], twins: &[u32], faces: &[u32]) -> Result<(), SurfaceError> {
    for (h, &length) in lengths.iter().enumerate() {
        let (face, side) = (faces[h / 3] as usize, h % 3);
        // Squares of lengths must not overflow. Written so that NaN fails.
        if !(0.0..=1e100).contains(&length) {
            return Err(SurfaceError::Length { face, side, length });
        }
        let twin = twins[h] as usize;
        if twins[h] != NONE && lengths[twin] != length {
            let reason = "they have different lengths";
            return Err(SurfaceError::Joint { face, side, twin, reason });
        }
        let others = [1, 2].map(|k| lengths[h - side + (side + k) % 3]);
        let excess = length - (others[0] + others[1]);
        if excess > BROKEN * length {
            return Err(SurfaceError::Inequality { face, side, excess });
        }
    }
    Ok(())
}

/// Lets all lengths grow by the same least amount that gives every face an area.
pub fn open_flat_faces(lengths: &mut [f64], faces: &[u32], repair: &mut RepairReport) {
    let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
    let mean = if mean > 0.0 { mean } else { 1.0 };
    let mut growth = 0f64;
    for (sides, face) in lengths.chunks_exact(3).zip(faces) {
        let longest = sides[0].max(sides[1]).max(sides[2]);
        let shortest = sides[0].min(sides[1]).min(sides[2]);
        let room = (sides[0] - longest) + (sides[1] - longest) + (sides[2] - longest) + longest;
        // Written so that a face with a side of length 0 is flat, whatever the others are.
        if shortest > 0.0 && room >= ROOM * longest {
            continue;
        }
        repair.note("zero-area-face", || format!("face {face}: has sides of {sides:?}"));
        growth = growth.max(ROOM * longest.max(mean) - room.min(0.0));
    }
    if growth > 0.0 {
        lengths.iter_mut().for_each(|length| *length += growth);
    }
}

/// Twice the area of a triangle by its sides, without cancellation (Kahan 2014, "Miscalculating area and angles of a
/// needle-like triangle").
pub fn double_area(sides: &[f64]) -> f64 {
    let (mut a, mut b, mut c) = (sides[0], sides[1], sides[2]);
    if a < b {
        (a, b) = (b, a);
    }
    if b < c {
        (b, c) = (c, b);
    }
    if a < b {
        (a, b) = (b, a);
    }
    let product = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
    product.max(0.0).sqrt() * 0.5
}
