//! Distances to segments, rounded; decisions go through the exact predicates.

use wayfare_core::DVec2;

/// Square of the distance from `p` to the segment `ab`; rounded.
pub fn distance_squared_to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    (p - nearest_on_segment(p, a, b)).length_squared()
}

/// The point of the segment `ab` nearest to `p`; rounded.
pub fn nearest_on_segment(p: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return a;
    }
    a + along * ((p - a).dot(along) / length_squared).clamp(0.0, 1.0)
}
