//! Whether a path could be walked in the scene itself: rays against the source triangles, and nothing else.
//!
//! Knows nothing of floor plans, cells or portals. It looks at the triangles around every half pixel of the path.
//! Rules, each with its own [`Rule`]:
//! 1. Ground: the path's height is that of ground that can be stood on, within 5 cm; where the ground is not level, heights within one
//!    pixel to all sides count, and what lies between them.
//! 2. Step: from sample to sample the ground straight below rises or falls by no more than the step and the steepest slope allow.
//! 3. Wall: between two samples no triangle is crossed at any of the heights from a step over the ground to the body's height,
//!    looked at every 0.1 m. There is no slack to the side: a wall without thickness counts. Touching is not crossing: a triangle is
//!    crossed if it is by the path shifted by a micrometre to the left and to the right.
//! 4. Head room: the same straight up from each sample.
//! 5. Clearance: no triangle is nearer in plan than the clearance less one pixel, at heights between the step and the body's over
//!    the ground there: from the sample to the triangle the ground is followed up and down.
//!
//! Cost: O(triangles) to build a grid of buckets in plan; a sample looks at the buckets around it.

mod clip;
mod grid;
#[cfg(test)]
mod tests;

use clip::{clip_to_band, distance_in_plan, heights_in_square};
use grid::Grid;
use std::fmt;
use wayfare_core::{DVec2, DVec3};

/// How far a path may be off the ground, whatever the pixel [m].
const GROUND_TOLERANCE: f64 = 0.05;
/// How far the path is shifted to tell touching from crossing [m]; far below a pixel, far above rounding.
const SHIFT: f64 = 1e-6;
/// Rays of the wall rule are no farther apart than this [m].
const RAY_SPACING: f64 = 0.1;

/// The body that walks, and how fine the map is that led it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayBody {
    /// Head room it needs [m].
    pub height: f64,
    /// The highest step it takes [m]; below `height`.
    pub step: f64,
    /// The steepest ground it stands on [rad].
    pub max_slope: f64,
    /// Side of a pixel of the map [m]; samples are half of it apart.
    pub pixel: f64,
}

/// What a defect offends against; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// There is no ground, or the path is not on it.
    Ground,
    /// The ground rises or falls too much at once.
    Step,
    /// A triangle is crossed.
    Wall,
    /// A triangle is above the ground and below the body's height.
    HeadRoom,
    /// A triangle is nearer than the clearance.
    Clearance,
}

/// Something that is wrong with a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathDefect {
    /// What is wrong.
    pub rule: Rule,
    /// Where on the path.
    pub at: DVec3,
    /// The triangle that is in the way, by its number.
    pub triangle: Option<usize>,
    /// Metres: how far from the ground, how high the step, at which height over the ground, how near.
    pub found: f64,
}

impl fmt::Display for PathDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, at, triangle, found } = self;
        match rule {
            Rule::Ground => write!(f, "at {at}: no ground within reach, the nearest is {found} m off")?,
            Rule::Step => write!(f, "at {at}: a step of {found} m")?,
            Rule::Wall => write!(f, "at {at}: crosses a wall {found} m over the ground")?,
            Rule::HeadRoom => write!(f, "at {at}: head room of {found} m")?,
            Rule::Clearance => write!(f, "at {at}: {found} m from an obstacle")?,
        }
        match triangle {
            Some(triangle) => write!(f, " (triangle {triangle})"),
            None => Ok(()),
        }
    }
}

/// The triangles of a scene, ready to be asked.
pub struct RayCheck {
    triangles: Vec<[DVec3; 3]>,
    /// Whether a triangle is flat enough to stand on.
    walkable: Vec<bool>,
    grid: Grid,
    body: RayBody,
}

/// A place on the path.
#[derive(Clone, Copy)]
struct Sample {
    at: DVec3,
    /// Lowest and highest ground within one pixel, as far as a step leads to it.
    ground: [f64; 2],
    /// Heights that must be free.
    band: [f64; 2],
}

impl RayCheck {
    /// Takes the triangles of a scene, z up; their fronts and backs count alike.
    ///
    /// # Panics
    /// If a measure of the body is not over 0, or a coordinate is not finite.
    pub fn new(triangles: impl IntoIterator<Item = [DVec3; 3]>, body: RayBody) -> Self {
        assert!(body.height > body.step && body.step > 0.0 && body.pixel > 0.0, "{body:?}");
        let triangles: Vec<[DVec3; 3]> = triangles.into_iter().collect();
        assert!(triangles.iter().flatten().all(|p| p.is_finite()), "coordinates are finite");
        let steepest = body.max_slope.cos();
        // A hair of slack, as a slope of exactly the limit may be stood on.
        let is_walkable = |[a, b, c]: &[DVec3; 3]| {
            let normal = (b - a).cross(c - a);
            normal.z.abs() >= (steepest - 1e-9) * normal.length() && normal.z != 0.0
        };
        let walkable = triangles.iter().map(is_walkable).collect();
        let grid = Grid::new(&triangles);
        Self { triangles, walkable, grid, body }
    }

    /// The ground about a point that a step leads to: the lowest and the highest within one pixel to all sides.
    pub fn ground(&self, p: DVec3) -> Option<[f64; 2]> {
        let Self { body, .. } = self;
        let reach = body.step + GROUND_TOLERANCE;
        let mut ground: Option<[f64; 2]> = None;
        self.grid.visit(p.truncate(), body.pixel, |k| {
            if !self.walkable[k] {
                return;
            }
            if let Some([low, high]) = heights_in_square(&self.triangles[k], p.truncate(), body.pixel)
                && low <= p.z + reach
                && high >= p.z - reach
            {
                let (low, high) = (low.max(p.z - reach), high.min(p.z + reach));
                ground = Some(ground.map_or([low, high], |[l, h]| [l.min(low), h.max(high)]));
            }
        });
        ground
    }

    /// The height of the walkable triangle straight above or below that is nearest.
    pub fn ground_below(&self, p: DVec3) -> Option<f64> {
        let mut best: Option<f64> = None;
        self.grid.visit(p.truncate(), 0.0, |k| {
            if self.walkable[k]
                && let Some([low, high]) = heights_in_square(&self.triangles[k], p.truncate(), 0.0)
            {
                let z = (low + high) / 2.0;
                if best.is_none_or(|best| (z - p.z).abs() < (best - p.z).abs()) {
                    best = Some(z);
                }
            }
        });
        best
    }

    /// What is wrong with a path, given by its points on the ground and the clearance it claims: in the order of the path, rule by
    /// rule.
    pub fn check_path(&self, points: &[DVec3], clearance: f64) -> Vec<PathDefect> {
        let mut defects = Vec::new();
        let places = self.places(points);
        let mut last: Option<Sample> = None;
        let mut last_below: Option<DVec3> = None;
        for (k, &at) in places.iter().enumerate() {
            let sample = self.sample(at, &mut defects);
            // Touching counts from the side; a path of one place has none.
            let ahead =
                places.get(k + 1).or(k.checked_sub(1).and_then(|k| places.get(k))).copied().unwrap_or(at);
            let side = (ahead - at).truncate().perp().try_normalize().unwrap_or(DVec2::X) * SHIFT;
            self.check_step(at, &mut last_below, &mut defects);
            if let Some(last) = last {
                self.check_wall(&last, &sample, &mut defects);
            }
            self.check_head_room(&sample, side, &mut defects);
            self.check_clearance(&sample, clearance - self.body.pixel, &mut defects);
            last = Some(sample);
        }
        defects
    }

    /// Every half pixel of the path, and its corners.
    fn places(&self, points: &[DVec3]) -> Vec<DVec3> {
        let mut places: Vec<DVec3> = points.first().copied().into_iter().collect();
        for pair in points.windows(2) {
            let count = (pair[0].distance(pair[1]) / (self.body.pixel / 2.0)).ceil().max(1.0) as usize;
            places.extend((1..=count).map(|k| pair[0].lerp(pair[1], k as f64 / count as f64)));
        }
        places
    }

    /// Rule 1.
    fn sample(&self, at: DVec3, defects: &mut Vec<PathDefect>) -> Sample {
        let ground = self.ground(at);
        let off = ground.map_or(f64::INFINITY, |[low, high]| (low - at.z).max(at.z - high));
        if off > GROUND_TOLERANCE {
            defects.push(PathDefect { rule: Rule::Ground, at, triangle: None, found: off });
        }
        // Without ground the other rules take the path's word for it.
        self.sample_on(at, ground.unwrap_or([at.z, at.z]))
    }

    fn sample_on(&self, at: DVec3, ground: [f64; 2]) -> Sample {
        let band = [ground[1] + self.body.step, ground[0] + self.body.height];
        // Ground that is steep for the pixel leaves one height at least.
        let middle = (band[0] + band[1]) / 2.0;
        Sample { at, ground, band: [band[0].min(middle), band[1].max(middle)] }
    }

    /// Rule 2.
    fn check_step(&self, at: DVec3, last: &mut Option<DVec3>, defects: &mut Vec<PathDefect>) {
        let Some(z) = self.ground_below(at).filter(|z| (z - at.z).abs() <= self.body.step + GROUND_TOLERANCE)
        else {
            return;
        };
        let here = at.truncate().extend(z);
        if let Some(last) = *last {
            let run = (here - last).truncate().length();
            let rise = (here.z - last.z).abs();
            if rise > self.body.step + run * self.body.max_slope.tan() + 1e-9 {
                defects.push(PathDefect { rule: Rule::Step, at, triangle: None, found: rise });
            }
        }
        *last = Some(here);
    }

    /// Rule 3.
    fn check_wall(&self, from: &Sample, to: &Sample, defects: &mut Vec<PathDefect>) {
        let side = (to.at - from.at).truncate().perp();
        let Some(side) = side.try_normalize() else { return };
        let tall = (from.band[1] - from.band[0]).max(to.band[1] - to.band[0]);
        let count = (tall / RAY_SPACING).ceil().max(1.0) as usize;
        for k in 0..=count {
            let share = k as f64 / count as f64;
            let ray = [from, to].map(|sample| {
                let [low, high] = sample.band;
                sample.at.truncate().extend(low + (high - low) * share)
            });
            if let Some(triangle) = self.crossed(ray, side * SHIFT) {
                let found = ray[0].z - from.ground[0];
                defects.push(PathDefect { rule: Rule::Wall, at: from.at, triangle: Some(triangle), found });
                return;
            }
        }
    }

    /// Rule 4.
    fn check_head_room(&self, sample: &Sample, side: DVec2, defects: &mut Vec<PathDefect>) {
        let ray = sample.band.map(|z| sample.at.truncate().extend(z));
        if let Some(triangle) = self.crossed(ray, side) {
            let ceiling = heights_in_square(&self.triangles[triangle], sample.at.truncate(), SHIFT);
            let found = ceiling.map_or(sample.band[0], |[low, _]| low) - sample.ground[0];
            defects.push(PathDefect { rule: Rule::HeadRoom, at: sample.at, triangle: Some(triangle), found });
        }
    }

    /// A triangle that the ray crosses, shifted to either side.
    fn crossed(&self, ray: [DVec3; 2], side: DVec2) -> Option<usize> {
        let first = self.first_crossed(ray.map(|p| p + side.extend(0.0)))?;
        self.first_crossed(ray.map(|p| p - side.extend(0.0))).map(|_| first)
    }

    /// The crossed triangle of the lowest number.
    fn first_crossed(&self, ray: [DVec3; 2]) -> Option<usize> {
        let middle = ((ray[0] + ray[1]) / 2.0).truncate();
        let reach = (ray[1] - ray[0]).truncate().abs().max_element() / 2.0;
        let mut found = None;
        self.grid.visit(middle, reach, |k| {
            if found.is_none_or(|found| k < found) && is_crossed(&self.triangles[k], ray) {
                found = Some(k);
            }
        });
        found
    }

    /// Rule 5.
    fn check_clearance(&self, sample: &Sample, limit: f64, defects: &mut Vec<PathDefect>) {
        if limit <= 0.0 {
            return;
        }
        let mut near: Vec<usize> = Vec::new();
        self.grid.visit(sample.at.truncate(), limit, |k| near.push(k));
        near.sort_unstable();
        near.dedup();
        let mut nearest: Option<(f64, usize)> = None;
        for triangle in near {
            if let Some(distance) = self.distance_to(triangle, sample, limit)
                && nearest.is_none_or(|(least, _)| distance < least)
            {
                nearest = Some((distance, triangle));
            }
        }
        if let Some((found, triangle)) = nearest {
            defects.push(PathDefect {
                rule: Rule::Clearance,
                at: sample.at,
                triangle: Some(triangle),
                found,
            });
        }
    }

    /// How near in plan the part of a triangle is that is in the way over the ground there; `None` if not within `limit`.
    fn distance_to(&self, triangle: usize, sample: &Sample, limit: f64) -> Option<f64> {
        let mut local = *sample;
        // Each round follows the ground to the nearest part; where that part turns out to be below the feet or above the head there,
        // the nearest of the part that is not is tried. Few rounds do: the ground is not steeper than can be walked.
        for _ in 0..4 {
            let part = clip_to_band(&self.triangles[triangle], local.band);
            let (distance, point) = distance_in_plan(&part, sample.at.truncate())?;
            if distance >= limit {
                return None;
            }
            let there = self.follow(sample, point);
            let is_settled = there.band == local.band;
            local = there;
            if is_settled {
                return Some(distance);
            }
        }
        let part = clip_to_band(&self.triangles[triangle], local.band);
        distance_in_plan(&part, sample.at.truncate())
            .map(|found| found.0)
            .filter(|distance| *distance < limit)
    }

    /// The ground at a point near a sample, followed in a straight line; where there is none, that before holds.
    fn follow(&self, sample: &Sample, to: DVec2) -> Sample {
        let from = sample.at.truncate();
        let count = (from.distance(to) / (self.body.pixel / 2.0)).ceil() as usize;
        let mut here = *sample;
        for k in 1..=count {
            let at = from.lerp(to, k as f64 / count as f64);
            let z = (here.ground[0] + here.ground[1]) / 2.0;
            let below = self.ground_below(at.extend(z)).filter(|below| (below - z).abs() <= self.body.step);
            let at = at.extend(below.unwrap_or(z));
            here = self.sample_on(at, self.ground(at).unwrap_or(here.ground));
        }
        here
    }
}

/// Whether the open ray goes through the plane of the triangle, inside of it or on its rim. A point on the plane is on its front.
fn is_crossed([a, b, c]: &[DVec3; 3], [p, q]: [DVec3; 2]) -> bool {
    let low = a.min(*b).min(*c);
    let high = a.max(*b).max(*c);
    if p.min(q).cmpgt(high).any() || p.max(q).cmplt(low).any() {
        return false;
    }
    let normal = (b - a).cross(c - a);
    let (behind_p, behind_q) = (normal.dot(p - a) < 0.0, normal.dot(q - a) < 0.0);
    if behind_p == behind_q {
        return false;
    }
    // The line p q passes the three edges on the same side.
    let ray = q - p;
    let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| ray.dot((*a - p).cross(*b - p)));
    sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
}
