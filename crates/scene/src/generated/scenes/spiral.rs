//! A ramp that winds round a column.

use super::builder::{Builder, GeneratedScene};
use std::f64::consts::TAU;
use wayfare_core::{
    DVec3, dvec3,
    ops::{cos, sin},
};

/// Inner and outer radius of the ramp, its rise per turn, its thickness [m].
const INNER: f64 = 2.0;
const OUTER: f64 = 5.0;
const RISE: f64 = 3.2;
const THICKNESS: f64 = 0.3;
/// Pieces per turn.
const PIECES: usize = 32;

/// A spiral ramp of so many turns round a column, from a square of ground up to a platform. Over each point of the ramp it
/// passes again 3.2 m higher, with 2.9 m of head room; its lower end is sunk into the ground.
///
/// ```
/// use wayfare_scene::generated::scenes::spiral;
/// let height = |turns| spiral(turns).scene.mesh.bounds().unwrap()[1].z;
/// // The column ends 1 m over the platform.
/// assert!((height(3) - 10.6).abs() < 1e-9);
/// ```
///
/// # Panics
/// Without turns.
pub fn spiral(turns: usize) -> GeneratedScene {
    assert!(turns > 0, "a ramp has a turn at least");
    let mut b = Builder::new("ground");
    b.block(dvec3(-8., -8., -0.5), dvec3(8., 8., 0.));
    b.tag("ramp");
    let count = turns * PIECES;
    let row = |radius: f64, drop: f64| -> Vec<DVec3> {
        let at = |k: usize| {
            // One turn's directions, so that all turns lie over each other exactly.
            let angle = TAU * (k % PIECES) as f64 / PIECES as f64;
            dvec3(radius * cos(angle), radius * sin(angle), RISE * k as f64 / PIECES as f64 - drop)
        };
        (0..=count).map(at).collect()
    };
    let (inner, outer) = (row(INNER, 0.0), row(OUTER, 0.0));
    let (inner_low, outer_low) = (row(INNER, THICKNESS), row(OUTER, THICKNESS));
    b.solid(|b| {
        b.band(&outer, &inner, false);
        b.band(&inner_low, &outer_low, false);
        b.band(&outer_low, &outer, false);
        b.band(&inner, &inner_low, false);
        b.face(&[inner[0], inner_low[0], outer_low[0], outer[0]]);
        b.face(&[outer[count], outer_low[count], inner_low[count], inner[count]]);
    });
    // The ramp ends on the positive x axis and comes from below it.
    b.tag("ground");
    let top = RISE * turns as f64;
    b.block(dvec3(INNER, 0., top - THICKNESS), dvec3(OUTER, 3., top));
    b.tag("column");
    // Inside of the inner rim, whose pieces come nearest in their middles.
    let column = super::super::shapes::regular(wayfare_core::DVec2::ZERO, 0.98 * INNER, PIECES, 0.0);
    let column: Vec<_> = column.into_iter().rev().collect();
    b.prism(&column, 0.0, top + 1.0);
    b.finish()
}
