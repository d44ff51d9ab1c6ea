//! The sample scene of the thesis: two layers, stairs, a cube, a cone and a torus.
//!
//! Source: R. Oliva 2012, "ANavMG", chapters 5 and 6: figures 15 and 22 to 28 show such a scene. Its sizes are not given; these are
//! ours: a ground of 20 m by 14 m, an upper floor over a third of it, as high as a storey.

use super::{
    builder::{Builder, GeneratedScene},
    stairs::stairs,
};
use std::f64::consts::TAU;
use wayfare_core::{
    DVec3, dvec2, dvec3,
    ops::{cos, sin},
};

/// Height of the upper floor, and its thickness [m].
const UPPER: f64 = 3.0;
const SLAB: f64 = 0.3;
/// Corners of the cone's rim; of the torus, round and across the ring.
const CONE: usize = 24;
const TORUS: [usize; 2] = [32, 12];

/// The thesis's sample scene: a ground with a cube, a cone and a torus, and an upper floor on pillars with stairs that
/// lead to it.
///
/// ```
/// use wayfare_scene::generated::scenes::sample;
/// assert_eq!(sample().scene.tag_names, ["floor", "obstacle", "stairs"]);
/// ```
pub fn sample() -> GeneratedScene {
    let mut b = Builder::new("floor");
    b.block(dvec3(0., 0., -0.3), dvec3(20., 14., 0.));
    b.block(dvec3(13., 0., UPPER - SLAB), dvec3(20., 14., UPPER));
    b.tag("stairs");
    // 15 rises of 0.2 m; the upper floor itself is the last step.
    stairs(&mut b, dvec2(8.8, 9.), dvec2(1.0, 0.0), 2.0, [0.3, 0.2], 14, 0.0);
    b.tag("obstacle");
    for (x, y) in [(13.2, 0.2), (19.4, 0.2), (13.2, 13.4), (19.4, 13.4)] {
        b.block(dvec3(x, y, 0.), dvec3(x + 0.4, y + 0.4, UPPER - SLAB));
    }
    b.block(dvec3(3., 2., 0.), dvec3(5., 4., 2.));
    b.block(dvec3(16., 6., UPPER), dvec3(17., 7., UPPER + 1.));
    cone(&mut b, dvec3(9., 4., 0.), 1.5, 2.5);
    torus(&mut b, dvec3(4., 9.5, 0.4), 1.6, 0.4);
    b.finish()
}

fn cone(b: &mut Builder, centre: DVec3, radius: f64, height: f64) {
    let rim: Vec<DVec3> = circle(CONE).map(|d| centre + d * radius).collect();
    let top = centre + DVec3::Z * height;
    b.solid(|b| {
        let bottom: Vec<DVec3> = rim.iter().rev().copied().collect();
        b.face(&bottom);
        for k in 0..CONE {
            b.triangle([rim[k], rim[(k + 1) % CONE], top]);
        }
    });
}

/// Lying flat.
fn torus(b: &mut Builder, centre: DVec3, ring: f64, tube: f64) {
    let across: Vec<DVec3> = circle(TORUS[1]).collect();
    let row = |turn: &DVec3| -> Vec<DVec3> {
        circle(TORUS[0]).map(|d| centre + d * (ring + tube * turn.x) + DVec3::Z * (tube * turn.y)).collect()
    };
    b.solid(|b| {
        for (k, turn) in across.iter().enumerate() {
            b.band(&row(turn), &row(&across[(k + 1) % across.len()]), true);
        }
    });
}

/// Directions in the plane, counter-clockwise.
fn circle(count: usize) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |k| {
        let angle = TAU * k as f64 / count as f64;
        dvec3(cos(angle), sin(angle), 0.0)
    })
}
