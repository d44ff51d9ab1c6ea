//! Straight stairs as one solid.

use super::builder::Builder;
use wayfare_core::{DVec2, DVec3};

/// Stairs that lead from `foot`, the right end of the first riser seen by who goes up, in the direction `up` (a unit
/// vector), as wide as said: `count` treads, each `tread` [m] deep and `rise` [m] over the last, the first one rise over `low`.
pub(super) fn stairs(
    b: &mut Builder,
    foot: DVec2,
    up: DVec2,
    width: f64,
    [tread, rise]: [f64; 2],
    count: usize,
    low: f64,
) {
    // The profile, seen from the right: along the ground to the back, then down step by step.
    let mut profile = vec![[0.0, low], [count as f64 * tread, low]];
    for k in (0..count).rev() {
        let z = low + (k + 1) as f64 * rise;
        profile.extend([[(k + 1) as f64 * tread, z], [k as f64 * tread, z]]);
    }
    let side = |left: f64| -> Vec<DVec3> {
        let at = |&[x, z]: &[f64; 2]| (foot + up * x + up.perp() * left).extend(z);
        profile.iter().map(at).collect()
    };
    // Seen from the right the profile runs counter-clockwise: the right side is the upper ring.
    b.loft(&side(width), &side(0.0));
}
