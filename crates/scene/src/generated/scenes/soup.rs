//! Triangles without any order.

use super::super::random::Random;
use super::builder::{Builder, GeneratedScene};
use wayfare_core::{DVec3, dvec3};

/// Exactly so many random triangles of 0.1 m to 4 m, as many to a cubic metre whatever their number; in one of four tags
/// each. Every third lies nearly flat, so that there is something to walk on.
///
/// ```
/// use wayfare_scene::generated::scenes::soup;
/// assert_eq!(soup(500, 7).scene.mesh.triangles.len(), 500);
/// ```
pub fn soup(triangles: usize, seed: u64) -> GeneratedScene {
    let mut random = Random::new(seed ^ 0x50_0B);
    let mut b = Builder::new("a");
    // Half a triangle to a square metre of plan, in 6 m of height.
    let side = (2.0 * triangles as f64).sqrt();
    for k in 0..triangles {
        b.tag(["a", "b", "c", "d"][random.below(4)]);
        let before = b.triangle_count();
        // Three points on one line, or twice the same triangle, are as good as impossible; should they come up, they are
        // thrown again.
        while b.triangle_count() == before {
            let size = random.between(0.1, 4.0);
            let tall = if k % 3 == 0 { 0.1 } else { 1.0 };
            let centre =
                dvec3(random.between(0.0, side), random.between(0.0, side), random.between(0.0, 6.0));
            let mut corner = || {
                let mut part = || random.between(-0.5, 0.5) * size;
                centre + DVec3::new(part(), part(), part() * tall)
            };
            b.triangle([corner(), corner(), corner()]);
        }
    }
    b.finish()
}
