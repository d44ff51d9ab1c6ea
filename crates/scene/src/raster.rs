//! What the readers of rasters share.

use crate::error::Fault;
use wayfare_core::{DVec2, MAX_COORDINATE};

/// Fails if a corner of a raster lies out of range; `place` maps lattice points to plan.
pub(crate) fn check_corners(
    width: usize,
    height: usize,
    place: impl Fn(f64, f64) -> DVec2,
) -> Result<(), Fault> {
    let (w, h) = (width as f64, height as f64);
    for (x, y) in [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)] {
        let p = place(x, y);
        // Written so that NaN fails.
        if !(p.x.abs() <= MAX_COORDINATE && p.y.abs() <= MAX_COORDINATE) {
            return Err(Fault::whole(format!(
                "the corner ({x}, {y}) of the raster lies at ({:?}, {:?}), over {MAX_COORDINATE:e} m",
                p.x, p.y
            )));
        }
    }
    Ok(())
}
