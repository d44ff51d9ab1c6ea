//! Triangles near a place, for many looks there: where exactly does the ground end?
//!
//! Idea: of a triangle the part between two heights over the ground matters. Most that are in the way are upright, and no more than a
//!   segment in plan.

use super::{
    nearest::{Nearest, nearest, nearest_on_segment},
    obstacles::{LEVEL, Obstacles, TOUCH, cut, height_in, nearest_height},
};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::{Aabb2, bvh::Aabb3};

/// A triangle and what is asked of it often.
pub struct Thing {
    corners: [DVec3; 3],
    bounds: Aabb3,
    /// Whether it can be walked on.
    pub is_walkable: bool,
}

impl Thing {
    /// A triangle that can be walked on or not.
    pub fn new(corners: [DVec3; 3], is_walkable: bool) -> Self {
        Self { corners, bounds: Aabb3::of_points(corners), is_walkable }
    }

    /// Its highest point [m].
    pub fn top(&self) -> f64 {
        self.bounds.max.z
    }

    /// Where its part between two heights over the ground, in a square of the plan, is nearest to a point.
    fn nearest(&self, ground: f64, band: [f64; 2], square: Aabb2, to: DVec2) -> Option<Nearest> {
        let (points, count) = cut(&self.corners.map(|p| p - DVec3::Z * ground), band);
        let points = &points[..count];
        match (upright(&self.corners), points) {
            (Some(along), &[first, .., last]) => {
                let at = |p: &DVec2| p.dot(along);
                let farther = |[low, high]: [DVec2; 2], p: &DVec2| {
                    [if at(p) < at(&low) { *p } else { low }, if at(p) > at(&high) { *p } else { high }]
                };
                nearest_on_segment(points.iter().fold([first, last], farther), square, to)
            }
            _ => nearest(points, square, to),
        }
    }
}

/// Triangles near a place.
pub struct Near<'a> {
    obstacles: &'a Obstacles<'a>,
    things: Vec<Thing>,
}

impl<'a> Near<'a> {
    /// Looks for a body at some of the triangles.
    pub fn new(obstacles: &'a Obstacles<'a>, things: Vec<Thing>) -> Self {
        Self { obstacles, things }
    }

    /// Where an obstacle in a square of the plan is nearest to a point beside it, for a body on ground of a height.
    pub fn nearest_wall(&self, square: Aabb2, to: DVec2, ground: f64) -> Option<Nearest> {
        let (step, height, rise) = self.obstacles.body();
        self.nearest(square, to, ground, [TOUCH, height], |thing| {
            if thing.top() - ground <= step {
                // A riser is no obstacle.
                None
            } else if thing.is_walkable {
                // A ledge; and not the ground itself as it rises.
                Some([step + rise, height])
            } else {
                // A slope too steep to be walked on begins at its foot.
                Some([TOUCH, height])
            }
        })
    }

    /// Where the foot of a slope that is too steep is nearest to a point beside a square of the plan, for a body on ground of a height.
    pub fn nearest_foot(&self, square: Aabb2, to: DVec2, ground: f64) -> Option<Nearest> {
        let (step, height, rise) = self.obstacles.body();
        // The ground may fall towards the foot.
        let band = [-rise / 2.0, height];
        self.nearest(square, to, ground, band, |thing| {
            // Too steep to be walked on, and yet not upright.
            let is_slope = !thing.is_walkable && thing.top() - ground > step && is_slanted(thing.corners);
            is_slope.then_some(band)
        })
    }

    /// Where the ground of a height in a square of the plan is nearest to a point beside it.
    pub fn nearest_floor(&self, square: Aabb2, to: DVec2, ground: f64) -> Option<Nearest> {
        let (step, _, rise) = self.obstacles.body();
        // What is a step away is not the same floor.
        let reach = rise.min(step.max(LEVEL));
        self.nearest(square, to, ground, [-reach, reach], |thing| {
            thing.is_walkable.then_some([-reach, reach])
        })
    }

    /// The height of the ground over a point of the plan, next to a height that it about has.
    pub fn floor_height(&self, p: DVec2, about: f64) -> Option<f64> {
        let reach = self.obstacles.floor_reach();
        let area = Aabb3 { min: p.extend(about - reach), max: p.extend(about + reach) };
        let floors = self.things.iter().filter(|thing| thing.is_walkable && thing.bounds.meets(&area));
        floors.fold(None, |best, thing| nearest_height(best, thing.corners, p, about, reach))
    }

    /// The height of the highest ground over a point of the plan that is no higher than a height.
    pub fn highest_below(&self, p: DVec2, height: f64) -> Option<f64> {
        let floors = self.things.iter().filter(|thing| {
            let bounds = Aabb2 { min: thing.bounds.min.truncate(), max: thing.bounds.max.truncate() };
            thing.is_walkable && bounds.contains(p)
        });
        let heights = floors.filter_map(|thing| height_in(thing.corners, p));
        heights.filter(|&z| z <= height).max_by(f64::total_cmp)
    }

    /// The nearest point of the parts of triangles that lie between heights over the ground, which `part` says for each;
    /// all of them lie in `band`.
    fn nearest(
        &self,
        square: Aabb2,
        to: DVec2,
        ground: f64,
        band: [f64; 2],
        part: impl Fn(&Thing) -> Option<[f64; 2]>,
    ) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let area =
            Aabb3 { min: square.min.extend(ground + band[0]), max: square.max.extend(ground + band[1]) };
        for thing in self.things.iter().filter(|thing| thing.bounds.meets(&area)) {
            let low = thing.bounds.min.truncate().max(square.min);
            let nearest_of_box = to.clamp(low, thing.bounds.max.truncate().min(square.max));
            if best.is_some_and(|best| nearest_of_box.distance(to) > best.distance + TOUCH) {
                continue;
            }
            let Some(band) = part(thing) else { continue };
            if let Some(found) = thing.nearest(ground, band, square, to) {
                best = Some(best.map_or(found, |best| best.with(found)));
            }
        }
        best
    }
}

/// The direction in plan of an upright triangle.
fn upright(corners: &[DVec3; 3]) -> Option<DVec2> {
    let [a, b, c] = corners.map(DVec3::truncate);
    let sides = [b - a, c - b, a - c];
    let twice_area = sides[0].perp_dot(sides[1]);
    let longest = sides.into_iter().fold(sides[0], |longest, side| {
        if side.length_squared() > longest.length_squared() { side } else { longest }
    });
    // Its height over the longest side is what counts as touching.
    (twice_area * twice_area <= TOUCH * TOUCH * longest.length_squared()).then_some(longest)
}

/// Whether a triangle is not upright, to a degree.
fn is_slanted([a, b, c]: [DVec3; 3]) -> bool {
    let normal = (b - a).cross(c - a);
    normal.z.abs() > 0.02 * normal.length()
}
