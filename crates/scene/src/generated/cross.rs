//! A cross with obstacles: narrow and wide ways side by side, for bodies of different sizes.

use super::random::Random;
use crate::PlanSource;
use wayfare_core::{DVec2, dvec2, ops};
use wayfare_geom::Polygon;

/// Width of the two arms and length of the cross [m].
const WIDTH: f64 = 32.0;
const LENGTH: f64 = 100.0;
/// Bodies up to half of this can pass between any two obstacles [m].
const GAP: f64 = 1.2;

/// Two arms of 32 by 100 m that cross, with so many convex obstacles strewn over them; less where there is no room left.
///
/// All gaps are at least 1.2 m wide. With 60 obstacles a mesh has about 130 cells, as the cross of Oliva and Pelechano 2015,
/// figure 17.
pub fn cross(obstacles: usize, seed: u64) -> PlanSource {
    let mut random = Random::new(seed);
    let (low, high) = (0.5 * (LENGTH - WIDTH), 0.5 * (LENGTH + WIDTH));
    let outer = [
        (low, 0.),
        (high, 0.),
        (high, low),
        (LENGTH, low),
        (LENGTH, high),
        (high, high),
        (high, LENGTH),
        (low, LENGTH),
        (low, high),
        (0., high),
        (0., low),
        (low, low),
    ]
    .map(|(x, y)| dvec2(x, y))
    .to_vec();
    // Circles round obstacles, which keep their distance.
    let mut circles: Vec<(DVec2, f64)> = Vec::new();
    let mut holes = Vec::new();
    for _ in 0..200 * obstacles {
        if holes.len() == obstacles {
            break;
        }
        let radius = random.between(1.5, 4.5);
        let edge = radius + GAP;
        let (along, across) = (random.between(edge, LENGTH - edge), random.between(low + edge, high - edge));
        let centre = if random.below(2) == 0 { dvec2(along, across) } else { dvec2(across, along) };
        let is_free = |&(other, size): &(DVec2, f64)| other.distance(centre) >= size + radius + GAP;
        // The corners of the cross are as far from the arms' middles as its walls, so walls are enough.
        if circles.iter().all(is_free) {
            circles.push((centre, radius));
            holes.push(convex(centre, radius, 3 + random.below(4), &mut random));
        }
    }
    PlanSource::from_polygons(vec![Polygon { outer, holes }])
}

/// A polygon on a circle, clockwise.
fn convex(centre: DVec2, radius: f64, count: usize, random: &mut Random) -> Vec<DVec2> {
    let turn = random.between(0.0, std::f64::consts::TAU);
    let mut corner = |k: usize| {
        let angle = turn - std::f64::consts::TAU * (k as f64 + random.between(0.0, 0.4)) / count as f64;
        centre + dvec2(ops::cos(angle), ops::sin(angle)) * radius
    };
    (0..count).map(&mut corner).collect()
}
