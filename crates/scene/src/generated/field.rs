//! A field of star-shaped obstacles: homogeneous, of any size.

use super::{
    random::Random,
    shapes::{outline, star},
};
use crate::PlanSource;
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Polygon;

/// Side of the square that each obstacle has for itself [m].
const PITCH: f64 = 4.0;
/// Obstacles have 5 to 11 vertices, 8 on average.
const MEAN: usize = 8;

/// A square field with one star-shaped obstacle on every 16 m², `vertices` in all (at least 16).
///
/// # Panics
/// With fewer than 16 vertices.
pub fn obstacle_field(vertices: usize, seed: u64) -> PlanSource {
    assert!(vertices >= 16, "a field has at least 16 vertices");
    let mut random = Random::new(seed);
    let mut left = vertices - 4;
    let columns = ((left.div_ceil(MEAN) as f64).sqrt().ceil() as usize).max(1);
    let mut holes = Vec::with_capacity(left / MEAN);
    while left > 0 {
        let count = 5 + random.below(7);
        // Nothing under three vertices may be left over.
        let count = if left < count + 3 { left } else { count };
        left -= count;
        let cell = dvec2((holes.len() % columns) as f64, (holes.len() / columns) as f64);
        // 1.75 m and 0.2 m of wandering leave a gap of 0.1 m at least.
        let wander = dvec2(random.between(-0.2, 0.2), random.between(-0.2, 0.2));
        let centre = (cell + 0.5) * PITCH + wander;
        let radius = random.between(0.7, 1.75);
        holes.push(star(centre, radius, count, &mut random));
    }
    let size = dvec2(columns as f64, holes.len().div_ceil(columns) as f64) * PITCH;
    PlanSource::from_polygons(vec![Polygon { outer: outline(DVec2::ZERO, size), holes }])
}
