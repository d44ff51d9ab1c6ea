//! Rolling hills.

use super::{
    builder::{Builder, GeneratedScene},
    truth::{Ground, TrueFloor, Walker},
};
use wayfare_core::{DVec2, DVec3, dvec2, ops::sin};
use wayfare_geom::Polygon;

/// Waves that are added: how fast they go up and down along x and y [rad/m], where they begin [rad], their height [m].
const WAVES: [[f64; 4]; 4] =
    [[0.11, 0.07, 0.0, 2.4], [-0.05, 0.13, 1.3, 1.9], [0.31, -0.22, 0.4, 0.55], [0.09, 0.43, 2.2, 0.35]];
/// The sum of height × frequency over the waves is 0.98: no slope is steeper, so none reaches 45 degrees.
const STEEPEST: f64 = 0.98;

/// Rolling hills of `count` × `count` quads of 1 m, from the origin on.
///
/// ```
/// use wayfare_scene::generated::scenes::terrain;
/// assert_eq!(terrain(20).scene.mesh.triangles.len(), 800);
/// ```
///
/// # Panics
/// Without quads.
pub fn terrain(count: usize) -> GeneratedScene {
    assert!(count > 0, "a terrain has a quad at least");
    let mut b = Builder::new("grass");
    let row = |k: usize| -> Vec<DVec3> {
        (0..=count).map(|i| dvec2(i as f64, k as f64)).map(|p| p.extend(wave(p))).collect()
    };
    let mut lower = row(0);
    for k in 1..=count {
        let upper = row(k);
        b.band(&lower, &upper, false);
        lower = upper;
    }
    b.finish()
}

/// What can be walked on in [`terrain`]: all of it. `None` if the body's slope is below that of the steepest hill.
pub fn terrain_floors(count: usize, walker: &Walker) -> Option<Vec<TrueFloor>> {
    let polygon = Polygon::new(super::super::shapes::outline(DVec2::ZERO, DVec2::splat(count as f64)));
    let is_flat_enough = wayfare_core::ops::atan2(STEEPEST, 1.0) <= walker.max_slope;
    is_flat_enough.then(|| vec![TrueFloor { polygon, sheets: Vec::new(), ground: Ground::Terrain }])
}

/// The height of the triangles of [`terrain`], wherever it goes on to.
pub fn terrain_height(p: DVec2) -> f64 {
    let low = p.floor();
    let [a, b, c, d] = [(0., 0.), (1., 0.), (1., 1.), (0., 1.)].map(|(x, y)| wave(low + dvec2(x, y)));
    let q = p - low;
    // Quads are split along the diagonal from their first corner.
    if q.x >= q.y { a + (b - a) * q.x + (c - b) * q.y } else { a + (c - d) * q.x + (d - a) * q.y }
}

fn wave(p: DVec2) -> f64 {
    WAVES.iter().map(|[fx, fy, start, height]| height * sin(fx * p.x + fy * p.y + start)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_triangle_is_steeper_than_stated_and_heights_are_those_of_the_triangles() {
        let sum: f64 = WAVES.iter().map(|[fx, fy, _, height]| height * dvec2(*fx, *fy).length()).sum();
        assert!(sum < STEEPEST, "{sum}");
        for [a, b, c] in terrain(60).scene.mesh.all_points() {
            let normal = (b - a).cross(c - a);
            assert!(normal.z > 0.0 && normal.truncate().length() <= STEEPEST * normal.z);
            let middle = (a + b + c) / 3.0;
            assert!((terrain_height(middle.truncate()) - middle.z).abs() < 1e-12);
        }
    }
}
