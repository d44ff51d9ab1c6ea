//! Lengths of sides: whether they can be, room for faces without area, areas.

use super::NONE;
use crate::SurfaceError;
use wayfare_core::RepairReport;

/// A face is at least this high, relative to its longest side, and a side at least this long, relative to the mean side. Far
/// above rounding, and far below what a distance of nine digits notices.
const FLATTEST: f64 = 1e-11;
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

/// Gives sides without length a hair of it, and returns twice the area of each face, where faces without area are a hair high.
///
/// That the height no longer fits the lengths is an error of second order, 10⁻²². To let the lengths grow until the faces have an
/// area (intrinsic mollification, Sharp and Crane 2020) makes heights of 10⁻⁶ from lengths of 10⁻¹², and distances as wrong.
pub fn open_flat_faces(lengths: &mut [f64], faces: &[u32], repair: &mut RepairReport) -> Vec<f64> {
    let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
    let least = if mean > 0.0 { FLATTEST * mean } else { 1.0 };
    let mut areas = Vec::with_capacity(faces.len());
    for (sides, face) in lengths.chunks_exact_mut(3).zip(faces) {
        let before = [sides[0], sides[1], sides[2]];
        sides.iter_mut().for_each(|side| *side = side.max(least));
        let longest = sides[0].max(sides[1]).max(sides[2]);
        let (area, flat) = (double_area(sides), FLATTEST * longest * longest);
        if area <= flat || before != [sides[0], sides[1], sides[2]] {
            repair.note("zero-area-face", || format!("face {face}: has sides of {before:?}"));
        }
        areas.push(area.max(flat));
    }
    areas
}

/// Twice the area of a triangle by its sides, without cancellation (Kahan 2014, "Miscalculating area and angles of a
/// needle-like triangle").
fn double_area(sides: &[f64]) -> f64 {
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
