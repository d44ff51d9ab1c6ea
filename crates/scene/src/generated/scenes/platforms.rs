//! Floating platforms with steps between them: what seed 002 calls the Platforms environment.

use super::builder::{Builder, GeneratedScene};
use std::f64::consts::PI;
use wayfare_core::{
    DVec2, dvec2,
    ops::{cos, sin},
};

/// How thick platforms and steps are: more than a rise, so that steps over one another are one solid [m].
const THICK: f64 = 0.25;
const RISE: f64 = 0.2;

/// Three platforms joined by steps of 0.2 m: four that meet exactly, a landing, three with 0.1 m between them, and five in a bend that
/// reach into one another. Sixteen solids, one way over all of them.
///
/// ```
/// let scene = wayfare_scene::generated::scenes::platforms();
/// assert_eq!((scene.closed_parts.len(), scene.scene.mesh.triangles.len()), (16, 192));
/// ```
pub fn platforms() -> GeneratedScene {
    let mut b = Builder::new("platform");
    let mut slab = |outline: &[DVec2], top: f64| b.prism(outline, top - THICK, top);
    let rectangle = |x: [f64; 2], y: [f64; 2]| {
        [dvec2(x[0], y[0]), dvec2(x[1], y[0]), dvec2(x[1], y[1]), dvec2(x[0], y[1])]
    };
    slab(&rectangle([0.0, 3.0], [0.0, 3.0]), 0.0);
    // Exactly aligned, to the right; then a landing.
    let edge = |k: u32| 3.0 + 0.3 * f64::from(k);
    for k in 0..4 {
        slab(&rectangle([edge(k), edge(k + 1)], [1.0, 2.0]), RISE * f64::from(k + 1));
    }
    slab(&rectangle([edge(4), edge(4) + 1.0], [1.0, 2.0]), RISE * 5.0);
    // Separated, to the back; then the highest platform.
    for k in 0..3 {
        let y = 2.1 + 0.4 * f64::from(k);
        slab(&rectangle([edge(4), edge(4) + 1.0], [y, y + 0.3]), RISE * f64::from(k + 6));
    }
    slab(&rectangle([3.7, 6.7], [3.3, 6.3]), RISE * 9.0);
    // In a bend, each reaching 4° into the next; then the last platform.
    let polar = |radius: f64, degrees: f64| {
        let angle = degrees * PI / 180.0;
        dvec2(-0.5, 3.0) + dvec2(cos(angle), sin(angle)) * radius
    };
    for k in 0..5 {
        let [from, to] = [0.0, 18.0].map(|end| 14.0 * f64::from(k) + end);
        slab(&[polar(1.0, from), polar(2.2, from), polar(2.2, to), polar(1.0, to)], RISE * f64::from(k + 1));
    }
    let [near, far] = [polar(0.9, 72.0), polar(2.3, 72.0)];
    let away = (far - near).perp().normalize() * 2.0;
    slab(&[near, far, far + away, near + away], RISE * 6.0);
    b.finish()
}
