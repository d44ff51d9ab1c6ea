//! Whether a path could be walked in the scene itself: rays against the source triangles, and nothing else.
//!
//! Knows nothing of floor plans, cells or portals. It looks at the triangles around every half pixel of the path.
//! Rules, each with its own [`Rule`]:
//! 1. Ground: the path's height is that of ground that can be stood on, within 5 cm; where the ground is not level, heights within one
//!    pixel to all sides count, and what lies between them.
//! 2. Step: from sample to sample the ground straight below rises or falls by no more than the step and the steepest slope allow. Where
//!    a ledge grows along a slope, or along stairs, until it is too high, it counts as it is one pixel to any side: maps end it to
//!    a pixel.
//! 3. Wall: what is swept between two samples, from a step over the ground to the body's height, is crossed by no steep triangle. There
//!    is no slack to the side: a wall without thickness counts. Touching is not crossing: a triangle is crossed if it is by the
//!    path shifted by a micrometre to the left and to the right.
//! 4. Head room: the same for flat triangles.
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
    /// How far the path is shifted to tell touching from crossing [m].
    shift: f64,
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
        // A hair of slack, as a slope of exactly the limit may be stood on.
        let walkable = triangles.iter().map(|triangle| is_walkable(triangle, &body, 1e-9)).collect();
        let grid = Grid::new(&triangles);
        Self { triangles, walkable, grid, body, shift: SHIFT }
    }

    /// The same, where the corners of triangles are rounded to so much [m]: one that is steeper than may be walked by no more than that
    /// turns it is ground. Ramps of 45 degrees in single floats are off by micrometres.
    pub fn with_rounding(self, rounding: f64) -> Self {
        let is_walkable = |triangle: &[DVec3; 3]| {
            let [a, b, c] = *triangle;
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let height = (b - a).cross(c - a).length() / longest;
            is_walkable(triangle, &self.body, 1e-9 + (rounding / height).min(1e-4))
        };
        Self { walkable: self.triangles.iter().map(is_walkable).collect(), ..self }
    }

    /// The same, for a map whose walls are where they are only so far [m]: what a path enters by less is touched, not crossed.
    pub fn with_touch(self, shift: f64) -> Self {
        Self { shift, ..self }
    }

    /// The ground about a point that a step leads to: the lowest and the highest within one pixel to all sides.
    pub fn ground(&self, p: DVec3) -> Option<[f64; 2]> {
        self.ground_within(p, self.body.step + GROUND_TOLERANCE)
    }

    /// The lowest and the highest ground within one pixel to all sides that is no farther up or down than a reach.
    fn ground_within(&self, p: DVec3, reach: f64) -> Option<[f64; 2]> {
        let pixel = self.body.pixel;
        let mut ground: Option<[f64; 2]> = None;
        self.grid.visit(p.truncate(), pixel, |k| {
            if !self.walkable[k] {
                return;
            }
            if let Some([low, high]) = heights_in_square(&self.triangles[k], p.truncate(), pixel)
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
    pub fn nearest_ground(&self, p: DVec3) -> Option<f64> {
        self.best_ground(p, |z| Some((z - p.z).abs()))
    }

    /// The same where the point touches triangles only: it may be beside the one that it is on, by rounding.
    fn touched_ground(&self, p: DVec3) -> Option<f64> {
        let sides = [DVec3::ZERO, DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y];
        let heights = sides.into_iter().filter_map(|side| self.nearest_ground(p + side * self.shift));
        heights.min_by(|a, b| (a - p.z).abs().total_cmp(&(b - p.z).abs()))
    }

    /// The height of the highest walkable triangle straight below: where something that is let go at the point comes to stand.
    pub fn ground_below(&self, p: DVec3) -> Option<f64> {
        self.best_ground(p, |z| Some(p.z - z).filter(|fall| *fall >= 0.0))
    }

    /// Of the walkable triangles over and under a point, the height with the least rating.
    fn best_ground(&self, p: DVec3, rate: impl Fn(f64) -> Option<f64>) -> Option<f64> {
        let mut best: Option<(f64, f64)> = None;
        self.grid.visit(p.truncate(), 0.0, |k| {
            if self.walkable[k]
                && let Some([z, _]) = heights_in_square(&self.triangles[k], p.truncate(), 0.0)
                && let Some(rating) = rate(z)
                && best.is_none_or(|(least, _)| rating < least)
            {
                best = Some((rating, z));
            }
        });
        best.map(|(_, z)| z)
    }

    /// What is wrong with a path, given by its points on the ground and the clearance it claims: in the order of the path, rule by
    /// rule.
    pub fn check_path(&self, points: &[DVec3], clearance: f64) -> Vec<PathDefect> {
        let mut defects = Vec::new();
        let places = self.places(points);
        let mut last: Option<Sample> = None;
        let mut last_below: Option<DVec3> = None;
        for at in places {
            let sample = self.sample(at, &mut defects);
            self.check_step(at, &mut last_below, &mut defects);
            // The first place is swept into from one beside it that is as good as the same.
            let from = last.unwrap_or(Sample { at: at - DVec3::X * self.shift, ..sample });
            self.check_sweep(&from, &sample, &mut defects);
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
        // Ground that is lower than a slope leads to within a pixel is a step down, or covered as that under solid stairs is.
        let low = ground[0].max(at.z - GROUND_TOLERANCE - self.body.pixel * self.body.max_slope.tan());
        // What just reaches to the step or the height is not in the way.
        let band = [ground[1] + self.body.step + self.shift, low + self.body.height - self.shift];
        // Ground that is steep for the pixel leaves one height at least.
        let middle = (band[0] + band[1]) / 2.0;
        Sample { at, ground, band: [band[0].min(middle), band[1].max(middle)] }
    }

    /// Rule 2.
    fn check_step(&self, at: DVec3, last: &mut Option<DVec3>, defects: &mut Vec<PathDefect>) {
        let Some(z) =
            self.touched_ground(at).filter(|z| (z - at.z).abs() <= self.body.step + GROUND_TOLERANCE)
        else {
            return;
        };
        let here = at.truncate().extend(z);
        if let Some(last) = *last {
            let run = (here - last).truncate().length();
            let rise = (here.z - last.z).abs();
            let steepest = self.body.max_slope.tan();
            let most = self.body.step + run * steepest + 1e-9;
            let beside = |p: DVec3| self.ground_within(p, self.body.pixel * steepest).unwrap_or([p.z; 2]);
            let least = |[a, b]: [f64; 2], [c, d]: [f64; 2]| (c - b).max(a - d);
            if rise > most
                && least(beside(last), beside(here)) > most
                && !self.is_step_beside([last, here], most)
            {
                defects.push(PathDefect { rule: Rule::Step, at, triangle: None, found: rise });
            }
        }
        *last = Some(here);
    }

    /// Whether the ground rises or falls by no more than a limit one pixel to any side of a movement, where it is no more than a
    /// step from what it is here.
    fn is_step_beside(&self, ends: [DVec3; 2], most: f64) -> bool {
        let sides = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y];
        sides.into_iter().any(|side| {
            let heights = ends.map(|p| {
                let z = self.nearest_ground(p + side * self.body.pixel)?;
                ((z - p.z).abs() <= self.body.step).then_some(z)
            });
            matches!(heights, [Some(a), Some(b)] if (a - b).abs() <= most)
        })
    }

    /// Rules 3 and 4: the first triangle of each that is in the way.
    fn check_sweep(&self, from: &Sample, to: &Sample, defects: &mut Vec<PathDefect>) {
        let (a, b) = (from.at.truncate(), to.at.truncate());
        // Straight up a riser nothing is swept.
        let Some(side) = (b - a).perp().try_normalize() else { return };
        let reach = (b - a).abs().max_element() / 2.0 + self.shift;
        let bands = [from.band, to.band];
        let mut found: [Option<(usize, f64)>; 2] = [None; 2];
        let mut touched = [[false; 2]; 2];
        self.grid.visit((a + b) / 2.0, reach, |k| {
            let rule = usize::from(self.walkable[k]);
            for (shifted, sign) in [-self.shift, self.shift].into_iter().enumerate() {
                let shift = side * sign;
                if let Some(z) = lowest_swept(&self.triangles[k], [a + shift, b + shift], bands) {
                    touched[rule][shifted] = true;
                    // Of those that begin equally low, the one of the least number.
                    if found[rule].is_none_or(|(least, low)| z < low || z == low && k < least) {
                        found[rule] = Some((k, z));
                    }
                }
            }
        });
        for (rule, (found, touched)) in
            [Rule::Wall, Rule::HeadRoom].into_iter().zip(found.into_iter().zip(touched))
        {
            if let (Some((triangle, z)), [true, true]) = (found, touched) {
                let found = z - from.ground[0].min(to.ground[0]);
                defects.push(PathDefect { rule, at: to.at, triangle: Some(triangle), found });
            }
        }
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
        // By how near they could be, so that most are never looked at closely. Ground rises and falls on the way: steep triangles
        // may be in the way there that are not here. Flat ones that are not in the way here are ground.
        let rise = limit * self.body.max_slope.tan() + self.body.step;
        let wide = [sample.band[0] - rise, sample.band[1] + rise];
        let bound = |k: usize| {
            let band = if self.walkable[k] { sample.band } else { wide };
            let (distance, _) =
                distance_in_plan(&clip_to_band(&self.triangles[k], band), sample.at.truncate())?;
            (distance < limit).then_some((distance, k))
        };
        let mut near: Vec<(f64, usize)> = near.into_iter().filter_map(bound).collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut nearest: Option<(f64, usize)> = None;
        for (bound, triangle) in near {
            if nearest.is_some_and(|(least, _)| least <= bound) {
                break;
            }
            if let Some(distance) = self.distance_to(triangle, sample, wide, limit)
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
    fn distance_to(&self, triangle: usize, sample: &Sample, wide: [f64; 2], limit: f64) -> Option<f64> {
        let mut band = if self.walkable[triangle] { sample.band } else { wide };
        // Each round follows the ground to the nearest part; where that part turns out to be below the feet or above the head there,
        // the nearest of the part that is not is tried. Few rounds do: the ground is not steeper than can be walked.
        for _ in 0..4 {
            let part = clip_to_band(&self.triangles[triangle], band);
            let (distance, point) = distance_in_plan(&part, sample.at.truncate())?;
            if distance >= limit {
                return None;
            }
            // The ground there that is nearest in height is asked first: the way to it is gone only where it would be blocked.
            let guess = self.stand(point.extend(sample.at.z), sample.ground, wide[1] - sample.band[1]).band;
            if clip_to_band(&self.triangles[triangle], guess).is_empty() {
                return None;
            }
            let there = self.follow(sample, point).band;
            if there == band {
                return Some(distance);
            }
            band = there;
        }
        let part = clip_to_band(&self.triangles[triangle], band);
        distance_in_plan(&part, sample.at.truncate())
            .map(|found| found.0)
            .filter(|distance| *distance < limit)
    }

    /// The ground at a point near a sample, followed in a straight line; where there is none, that before holds.
    fn follow(&self, sample: &Sample, to: DVec2) -> Sample {
        let from = sample.at.truncate();
        let count = (from.distance(to) / self.body.pixel).ceil() as usize;
        let mut z = sample.at.z;
        for k in 1..=count {
            let at = from.lerp(to, k as f64 / count as f64).extend(z);
            // The highest: what is a step below it may be covered, as the ground under solid stairs is.
            let highest = |ground: f64| ((ground - z).abs() <= self.body.step).then_some(-ground);
            z = self.best_ground(at, highest).unwrap_or(z);
        }
        if count == 0 { *sample } else { self.stand(to.extend(z), [z, z], self.body.step) }
    }

    /// A sample on the ground nearest to a point, if that is within reach; else on the ground given.
    fn stand(&self, at: DVec3, otherwise: [f64; 2], reach: f64) -> Sample {
        let z = self.nearest_ground(at).filter(|z| (z - at.z).abs() <= reach).unwrap_or(at.z);
        let at = at.truncate().extend(z);
        self.sample_on(at, self.ground(at).unwrap_or(otherwise))
    }
}

/// Whether a triangle is flat enough to stand on, or is steeper by so little that it does not count.
fn is_walkable([a, b, c]: &[DVec3; 3], body: &RayBody, slack: f64) -> bool {
    let normal = (b - a).cross(c - a);
    normal.z.abs() >= (body.max_slope.cos() - slack) * normal.length() && normal.z != 0.0
}

/// The lowest height at which a triangle goes through the upright piece of plane over a segment of the plan, between two heights over
/// either end. What only touches the plane from its left is not in it.
fn lowest_swept(triangle: &[DVec3; 3], [a, b]: [DVec2; 2], [band_a, band_b]: [[f64; 2]; 2]) -> Option<f64> {
    let along = b - a;
    let [p, q, r] = triangle.map(|p| along.perp_dot(p.truncate() - a));
    // 1. The line in which the plane cuts the triangle: shares of the segment, and heights.
    let mut ends: [Option<DVec2>; 2] = [None; 2];
    for (k, (from, to)) in [(p, q), (q, r), (r, p)].into_iter().enumerate() {
        if (from < 0.0) != (to < 0.0) {
            let cut = triangle[k].lerp(triangle[(k + 1) % 3], from / (from - to));
            let share = (cut.truncate() - a).dot(along) / along.length_squared();
            ends[usize::from(ends[0].is_some())] = Some(DVec2::new(share, cut.z));
        }
    }
    let [Some(start), Some(end)] = ends else { return None };
    // 2. The part of it in the piece: each side of the piece is where a value that changes evenly becomes negative.
    let sides = |c: DVec2| {
        let band = [0, 1].map(|k| band_a[k] + (band_b[k] - band_a[k]) * c.x);
        [c.x, 1.0 - c.x, c.y - band[0], band[1] - c.y]
    };
    let (mut first, mut last) = (0.0f64, 1.0f64);
    for (at_start, at_end) in sides(start).into_iter().zip(sides(end)) {
        let share = at_start / (at_start - at_end);
        match (at_start < 0.0, at_end < 0.0) {
            (true, true) => return None,
            (true, false) => first = first.max(share),
            (false, true) => last = last.min(share),
            (false, false) => {}
        }
    }
    (first <= last).then(|| start.lerp(end, first).y.min(start.lerp(end, last).y))
}
