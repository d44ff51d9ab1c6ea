//! The ground of a region: triangles that follow the heights of its pixels.
//!
//! Idea: triangulate the outline; where the ground is too far from a pixel's height, the worst pixel of a triangle becomes
//!   a corner, and the triangles round it are looked at again. Heights of a row are a few lines, so only the ends of lines
//!   are looked at.
//! Source: greedy insertion, Garland and Heckbert 1995, without their order.
//! Promises: at the middle of every pixel the ground is within the tolerance of its height, or, where a riser is in it, of
//!   the height of the triangles there: a riser stands in the right pixel. Beside drops it may be a pixel aside.
//! Cost: O(n log n) in corners and lines, in practice.

use super::{
    floor_tiles::FloorTiles,
    lattice::{Lattice, ceil, floor},
    riser::Risers,
    samples::Samples,
};
use wayfare_core::DVec2;
use wayfare_geom::triangulation::{Filling, TriangulationError};

/// The ground may be this far from the heights [height units]: 3.5 cm.
pub const GROUND_ERROR: f64 = 143.0;

/// Points of a region at most; enough for one on every pixel of a square of 800 m.
const MOST_POINTS: usize = 1 << 26;

/// A point of the ground in pixels, with its height [height units].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPoint {
    /// Place in pixels.
    pub at: DVec2,
    /// Height [height units].
    pub height: f64,
}

/// Triangles over the corners of rings and further points.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// Points inside the region, numbered after the rings' corners.
    pub points: Vec<GroundPoint>,
    /// The triangles.
    pub triangles: Vec<[u32; 3]>,
    /// The largest error left [height units].
    pub error: f64,
}

/// The ground of a region with the given rings; `floors` are those of the scene. Triangles are made with the points as they lie in the world, since
/// rounding would turn thin ones round.
pub fn find_ground(
    rings: &[Vec<GroundPoint>],
    samples: &Samples,
    lattice: &Lattice,
    floors: &mut FloorTiles,
) -> Result<Ground, TriangulationError> {
    let outline: Vec<Vec<DVec2>> =
        rings.iter().map(|ring| ring.iter().map(|p| lattice.place(p.at)).collect()).collect();
    let mut corners: Vec<GroundPoint> = rings.iter().flatten().copied().collect();
    let count = corners.len();
    let mut following = vec![u32::MAX; count];
    let mut start = 0;
    for ring in rings {
        for k in 0..ring.len() {
            following[start + k] = (start + (k + 1) % ring.len()) as u32;
        }
        start += ring.len();
    }
    let mut risers = Risers::new(samples, |p| floors.nearest(p));
    let mut filling = Filling::new(&outline)?;
    let mut ground = Ground::default();
    // Triangles to look at, with their corners: those that are there no more are passed over.
    let mut waiting: Vec<(u32, [u32; 3])> =
        filling.first().iter().map(|&h| (h, filling.triangle(h))).collect();
    while let Some((h, triangle)) = waiting.pop() {
        if filling.triangle(h) != triangle {
            continue;
        }
        let is_open = |from, to| filling.is_open(h, lattice.place(from), lattice.place(to));
        let known = ground.error;
        let (error, worst) = look(triangle, known, &corners, &following, samples, &mut risers, is_open);
        match worst.filter(|_| corners.len() < MOST_POINTS) {
            Some(point) if filling.insert(h, lattice.place(point.at)).is_some() => {
                corners.push(point);
                waiting.extend(filling.last_star().map(|h| (h, filling.triangle(h))));
            }
            _ => ground.error = ground.error.max(error),
        }
    }
    ground.triangles = filling.triangles();
    ground.points = corners.split_off(count);
    Ok(ground)
}

/// The largest error over a triangle among those that are small enough, if it is more than the one known, and the pixel where it is
/// too large. `is_open` says
/// whether no ring lies between a point in the triangle and one near it.
fn look(
    triangle: [u32; 3],
    known: f64,
    corners: &[GroundPoint],
    following: &[u32],
    samples: &Samples,
    risers: &mut Risers<impl FnMut(GroundPoint) -> Option<f64>>,
    is_open: impl Fn(DVec2, DVec2) -> bool,
) -> (f64, Option<GroundPoint>) {
    let [a, b, c] = triangle.map(|k| corners[k as usize]);
    let twice_area = (b.at - a.at).perp_dot(c.at - a.at);
    if twice_area <= 0.0 {
        return (0.0, None);
    }
    if is_even_over([a, b, c], known, samples) {
        return (0.0, None);
    }
    // The plane through the corners, from the first.
    let (u, v) = (b.at - a.at, c.at - a.at);
    let (du, dv) = (b.height - a.height, c.height - a.height);
    let slope = DVec2::new(du * v.y - dv * u.y, dv * u.x - du * v.x) / twice_area;
    let plane = |p: DVec2| a.height + slope.dot(p - a.at);
    let is_wall = |k: usize| {
        let (from, to) = (triangle[k] as usize, triangle[(k + 1) % 3]);
        following.get(from) == Some(&to)
    };
    let sides = [(a.at, b.at, is_wall(0)), (b.at, c.at, is_wall(1)), (c.at, a.at, is_wall(2))];
    // The inside lies left of every side: one that goes up bounds it on the right.
    let bounds = sides.map(|(p, q, is_wall)| {
        let margin = if is_wall { WALL_MARGIN } else { 0.0 };
        let lean = (q.x - p.x) / (q.y - p.y);
        Bound { low: p.y.min(q.y), high: p.y.max(q.y), base: p, lean, is_right: q.y > p.y, margin }
    });
    let low = bounds[0].low.min(bounds[1].low);
    let high = bounds[0].high.max(bounds[1].high);
    let mut error = 0.0f64;
    let mut worst: Option<(f64, GroundPoint)> = None;
    let (first, last) = (ceil(low - 0.5), floor(high - 0.5));
    for row in first..=last {
        let y = row as f64 + 0.5;
        // The triangle along this line; pixels on walls are left out, they cannot become corners.
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        for bound in &bounds {
            // Level sides bound nothing: the other two meet at their ends.
            if bound.low < bound.high && bound.low <= y && y <= bound.high {
                let x = bound.base.x + bound.lean * (y - bound.base.y);
                if bound.is_right {
                    to = to.min(x - bound.margin);
                } else {
                    from = from.max(x + bound.margin);
                }
            }
        }
        let (from, to) = (ceil(from - 0.5 - 1e-9), floor(to - 0.5 + 1e-9).saturating_add(1));
        if from >= to {
            continue;
        }
        samples.visit_row(row, from, to, |column, height| {
            let at = DVec2::new(column as f64 + 0.5, y);
            let off = (plane(at) - height).abs();
            if off <= GROUND_ERROR {
                error = error.max(off);
                return false;
            }
            if worst.is_some_and(|worst| worst.0 >= off) {
                return true;
            }
            let height = risers.true_height([column, row], plane(at), height, |to| is_open(at, to));
            let Some(height) = height else { return true };
            let off = (plane(at) - height).abs();
            if off <= GROUND_ERROR || worst.is_some_and(|worst| worst.0 >= off) {
                return true;
            }
            let is_near_wall = sides.iter().any(|&(p, q, is_wall)| {
                is_wall && (q - p).perp_dot(at - p) <= WALL_MARGIN * (q - p).length()
            });
            let is_corner = [a, b, c].iter().any(|corner| corner.at == at);
            if !is_near_wall && !is_corner {
                worst = Some((off, GroundPoint { at, height }));
            }
            true
        });
    }
    (error, worst.map(|worst| worst.1))
}

/// Whether all pixels over a triangle, and those beside it, are no farther from the heights of its corners than an error.
fn is_even_over(corners: [GroundPoint; 3], error: f64, samples: &Samples) -> bool {
    let heights = corners.map(|corner| corner.height);
    let lowest = heights[0].min(heights[1]).min(heights[2]);
    let highest = heights[0].max(heights[1]).max(heights[2]);
    let limit = if lowest == highest { error } else { error - ROUNDED };
    if highest - lowest > limit {
        return false;
    }
    let [p, q, r] = corners.map(|corner| corner.at);
    let (from, to) = (p.min(q).min(r), p.max(q).max(r));
    (ceil(from.y - 0.5)..=floor(to.y - 0.5)).all(|row| {
        let [low, high] = samples.range_in_row(row, floor(from.x), floor(to.x) + 1);
        high < low || high - lowest <= limit && highest - low <= limit
    })
}

/// A side of a triangle, as seen along rows.
struct Bound {
    low: f64,
    high: f64,
    base: DVec2,
    /// How far it goes along x per row.
    lean: f64,
    is_right: bool,
    margin: f64,
}

/// Points nearer than this to a wall do not become corners [pixels].
const WALL_MARGIN: f64 = 0.05;

/// Where the pixels beside an edge are looked for, from the nearest on [pixels].
const BESIDE: [f64; 3] = [0.75, 1.25, 1.75];

/// No pixel farther from an edge than this is asked for its height [pixels]: the pixels beside it, and two beside those.
const AROUND: f64 = 5.0;

/// Heights on a line are rounded by less than this [height units].
const ROUNDED: f64 = 1e-3;

/// Pieces of an edge that are looked at together [pixels].
const STRETCH: f64 = 16.0;

/// Edges that are shorter have more points [pixels].
const FEW: f64 = 4.0;

/// How far from its ends an edge has heights of its own [pixels].
const AT_END: f64 = 0.05;

/// Where the triangles under a point on a ring are looked for, from the nearest on, in pixels.
pub const ASIDE: [f64; 3] = [0.0, 0.5, 1.0];

/// The heights along an edge of a ring that are not on the line between its ends: points on the edge. Where the pixels beside it
/// are uneven, points there have the height of the triangles among `floors`, if they have one.
pub fn edge_points(
    a: GroundPoint,
    b: GroundPoint,
    samples: &Samples,
    floors: &mut FloorTiles,
) -> Vec<GroundPoint> {
    let along = b.at - a.at;
    let length = along.length();
    if length < 4.0 * AT_END || is_even_along(a, b, samples) {
        return Vec::new();
    }
    // About every pixel, on short edges every half, and next to the ends: these may have the height of other ground that ends there.
    let pieces = if length < FEW { (2.0 * length).ceil() } else { length.floor() };
    let count = pieces as usize + 2;
    let share = |k: usize| match k {
        1 => AT_END / length,
        k if k + 1 == count => 1.0 - AT_END / length,
        k => (k - 1) as f64 / pieces,
    };
    // Pixels beside the edge, on the ground's side. An edge at a wall may be more than a pixel from its own ground's, and the
    // pixels at the wall may be ground on top of it.
    let inward = along.perp() / length;
    let limit = samples.step.max(4.0 * GROUND_ERROR);
    let place = |k: usize| a.at + along * share(k);
    let height = |k: usize, away: f64| {
        let beside = place(k) + inward * away;
        samples.height_at(floor(beside.x), floor(beside.y), place(k))
    };
    // From both sides the same pixels are asked for: those known so far, from the nearest on.
    let mut known = vec![([None; BESIDE.len()], 0); count];
    let mut find = |k: usize, is_right: &dyn Fn(f64) -> bool| {
        let (heights, asked) = &mut known[k];
        BESIDE.iter().enumerate().find_map(|(number, &away)| {
            if number == *asked {
                heights[number] = height(k, away);
                *asked += 1;
            }
            heights[number].filter(|&height| is_right(height))
        })
    };
    // From either end on, what goes on without a step; an end may have the height of other ground beside it.
    let mut found: Vec<Option<f64>> = vec![None; count];
    let mut go_on = |last: &mut f64, k: usize| {
        if let Some(mut height) = find(k, &|height| (height - *last).abs() <= limit) {
            // Of a ledge both sides may be that near; the triangles at the very place know which of them is meant.
            if (height - *last).abs() > limit / 2.0
                && let Some(there) = floors.highest(GroundPoint { at: place(k), height: *last })
                && find(k, &|other| (other - there).abs() <= GROUND_ERROR).is_some()
            {
                height = there;
            }
            *last = height;
            found[k].get_or_insert(height);
        }
    };
    let (mut from_a, mut from_b) = (a.height, b.height);
    (1..count).for_each(|k| go_on(&mut from_a, k));
    (1..count).rev().for_each(|k| go_on(&mut from_b, k));
    if found.iter().all(Option::is_none) {
        (1..count).for_each(|k| found[k] = find(k, &|_| true));
    }
    let mut profile = vec![a];
    let inner = (1..count).filter_map(|k| Some(GroundPoint { at: place(k), height: found[k]? }));
    profile.extend(inner);
    profile.push(b);
    if uneven(&profile).is_empty() {
        return Vec::new();
    }
    // The ends stay as they are: other edges end there, too.
    let last = profile.len() - 1;
    let mut waiting: Vec<usize> = (1..last).collect();
    // An edge may lie beside its ground, by up to a pixel.
    for away in ASIDE {
        waiting.retain(|&k| {
            let known = profile[k].height;
            let beside = GroundPoint { at: profile[k].at + inward * away, ..profile[k] };
            let height = floors.nearest(beside).filter(|height| (height - known).abs() <= limit);
            profile[k].height = height.unwrap_or(known);
            height.is_none()
        });
    }
    // What has no triangle near is the height of pixels that the edge passes by.
    if waiting.len() + 1 < last {
        let mut k = 0;
        profile.retain(|_| {
            k += 1;
            waiting.binary_search(&(k - 1)).is_err()
        });
    }
    uneven(&profile)
}

/// Whether all heights that may be looked up beside an edge are near those of both ends, so that none is needed.
fn is_even_along(a: GroundPoint, b: GroundPoint, samples: &Samples) -> bool {
    let (lowest, highest) = (a.height.min(b.height), a.height.max(b.height));
    let count = (a.at.distance(b.at) / STRETCH).ceil().max(1.0) as usize;
    (0..count).all(|k| {
        let [p, q] = [k, k + 1].map(|k| a.at.lerp(b.at, k as f64 / count as f64));
        let (from, to) = (p.min(q) - AROUND, p.max(q) + AROUND);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        (floor(from.y)..=floor(to.y)).all(|row| {
            let [row_low, row_high] = samples.range_in_row(row, floor(from.x), floor(to.x) + 1);
            (low, high) = (low.min(row_low), high.max(row_high));
            // The ground may go on as it rises there.
            let more = (AROUND + 1.0) * (high - low);
            high < low
                || high + more - lowest < GROUND_ERROR - ROUNDED
                    && highest - (low - more) < GROUND_ERROR - ROUNDED
        })
    })
}

/// Points that must be kept so that all others are near the lines between them.
fn uneven(profile: &[GroundPoint]) -> Vec<GroundPoint> {
    let mut keep = vec![false; profile.len()];
    let mut waiting = vec![(0, profile.len() - 1)];
    while let Some((from, to)) = waiting.pop() {
        let (p, q) = (profile[from], profile[to]);
        let off = |k: usize| {
            let share = (profile[k].at - p.at).length() / (q.at - p.at).length();
            (profile[k].height - (p.height + (q.height - p.height) * share)).abs()
        };
        let worst = (from + 1..to).max_by(|&k, &l| off(k).total_cmp(&off(l)).then(l.cmp(&k)));
        if let Some(worst) = worst.filter(|&worst| off(worst) > GROUND_ERROR) {
            keep[worst] = true;
            waiting.extend([(from, worst), (worst, to)]);
        }
    }
    profile.iter().zip(keep).filter(|(_, keep)| *keep).map(|(point, _)| *point).collect()
}

#[cfg(test)]
mod tests {
    use crate::{FloorPlan, GroundConfig, plan_scene};
    use wayfare_core::{Context, DVec2, DVec3, dvec3};
    use wayfare_geom::TriangleMesh;
    use wayfare_scene::Scene;

    /// Level squares at heights, side by side: `height(column, row)` of 20 by 20 squares of a third of a metre.
    fn squares(height: impl Fn(usize, usize) -> f64) -> Scene {
        let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
        for row in 0..20 {
            for column in 0..20 {
                let corner = |x: usize, y: usize| dvec3(x as f64 / 3.0, y as f64 / 3.0, height(column, row));
                let corners: [DVec3; 4] = [
                    corner(column, row),
                    corner(column + 1, row),
                    corner(column + 1, row + 1),
                    corner(column, row + 1),
                ];
                let first = mesh.vertices.len() as u32;
                mesh.vertices.extend(corners);
                mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
        Scene::from_mesh(mesh)
    }

    /// The largest distance of the ground from the true height at the middles of the squares.
    fn error(height: impl Fn(usize, usize) -> f64) -> f64 {
        let plan = plan_scene(&squares(&height), &GroundConfig::default(), &Context::default()).unwrap().plan;
        let place = |k: u32| match (k as usize).checked_sub(plan.vertices.len()) {
            Some(point) => plan.ground_points[point],
            None => plan.vertices.as_slice()[k as usize],
        };
        let mut worst = 0.0f64;
        for row in 1..19 {
            for column in 1..19 {
                let p = dvec3((column as f64 + 0.5) / 3.0, (row as f64 + 0.5) / 3.0, 0.0).truncate();
                let regions = plan.layers.iter().flat_map(|layer| &layer.regions);
                let found = regions.flat_map(|region| &region.ground).find_map(|triangle| {
                    let [a, b, c] = triangle.map(place);
                    let weights = [(b, c), (c, a), (a, b)]
                        .map(|(u, v)| (v.truncate() - u.truncate()).perp_dot(p - u.truncate()));
                    let sum: f64 = weights.iter().sum();
                    weights
                        .iter()
                        .all(|&w| w >= 0.0)
                        .then(|| (a.z * weights[0] + b.z * weights[1] + c.z * weights[2]) / sum)
                });
                let level = plan.vertices.as_slice()[0].z;
                worst = worst.max((found.unwrap_or(level) - height(column, row)).abs());
            }
        }
        worst
    }

    #[test]
    fn pits_stairs_and_humps_keep_their_heights() {
        assert!(error(|_, _| 0.7) < 0.001);
        // A shallow pit, whose rim may be a pixel aside but not its middle.
        // It lies beside the diagonals of the square.
        assert!(error(|x, y| if (7..11).contains(&x) && (14..17).contains(&y) { 0.05 } else { 0.15 }) < 0.05);
        assert!(error(|x, _| x as f64 * 0.18) < 0.05);
        assert!(error(|x, y| (x / 3 * (y / 3) % 7) as f64 * 0.06) < 0.05);
    }

    /// Boxes from corner to corner, without their undersides.
    fn boxes(corners: &[[DVec3; 2]]) -> Scene {
        let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
        for [a, b] in corners {
            let first = mesh.vertices.len() as u32;
            let ring = [(a.x, a.y), (b.x, a.y), (b.x, b.y), (a.x, b.y)];
            mesh.vertices.extend([a.z, b.z].iter().flat_map(|&z| ring.map(|(x, y)| dvec3(x, y, z))));
            let mut quad = |[p, q, r, s]: [u32; 4]| mesh.triangles.extend([[p, q, r], [p, r, s]]);
            quad([4, 5, 6, 7].map(|k| first + k));
            (0..4).for_each(|k| quad([k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4].map(|k| first + k)));
        }
        Scene::from_mesh(mesh)
    }

    /// The heights that the ground of a plan has over a place.
    fn heights(plan: &FloorPlan, p: DVec2) -> Vec<f64> {
        let place = |k: u32| match (k as usize).checked_sub(plan.vertices.len()) {
            Some(point) => plan.ground_points[point],
            None => plan.vertices.as_slice()[k as usize],
        };
        let triangles = plan.layers.iter().flat_map(|layer| &layer.regions).flat_map(|region| &region.ground);
        let over = triangles.filter_map(|triangle| {
            let [a, b, c] = triangle.map(place);
            let weights = [(b, c), (c, a), (a, b)]
                .map(|(u, v)| (v.truncate() - u.truncate()).perp_dot(p - u.truncate()));
            let sum: f64 = weights.iter().sum();
            let height = (a.z * weights[0] + b.z * weights[1] + c.z * weights[2]) / sum;
            weights.iter().all(|&w| w >= 0.0).then_some(height)
        });
        over.collect()
    }

    #[test]
    fn a_step_of_just_the_height_that_is_taken_stands_where_it_is_along_a_rim() {
        // A bridge of 40 m whose middle is higher by a step: 1639 units of height, as both are rounded down, where a step has 1638.4.
        let scene = boxes(&[
            [dvec3(0.0, 0.0, -2.0), dvec3(3.021, 40.0, 0.05)],
            [dvec3(0.0, 6.04, -1.0), dvec3(3.021, 32.87, 0.45)],
        ]);
        let plan = plan_scene(&scene, &GroundConfig::default(), &Context::default()).unwrap().plan;
        let mut count = 0;
        for k in 2..398 {
            let place = DVec2::new(2.995, f64::from(k) * 0.1 + 0.013);
            let is_far = [6.04, 32.87].iter().all(|y| (place.y - y).abs() > 0.25);
            let truth = if (6.04..32.87).contains(&place.y) { 0.45 } else { 0.05 };
            for z in heights(&plan, place).into_iter().filter(|_| is_far) {
                count += 1;
                assert!((z - truth).abs() < 0.05, "{z} m at {place}");
            }
        }
        assert!(count > 300);
    }
}
