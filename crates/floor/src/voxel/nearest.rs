//! The point of a convex polygon in a square that is nearest to another point, and the line that it lies on.

use wayfare_core::DVec2;
use wayfare_geom::Aabb2;

/// What of a polygon is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Where it is nearest.
    pub point: DVec2,
    /// How far it is.
    pub distance: f64,
    /// Directions in which its first and its last side, counter-clockwise, leave the point; `None` if it lies all round.
    pub sides: Option<[DVec2; 2]>,
}

/// Distances that differ by less are the same, and so are points [m].
const TIE: f64 = 1e-9;

impl Nearest {
    /// The nearer of two; of two in the same point what both have there.
    pub fn with(self, other: Self) -> Self {
        if self.point.distance(other.point) > TIE {
            // Of two points as far away any; an order of values, so that it does not matter which comes first.
            let key = |n: &Self| (n.distance, n.point.x, n.point.y);
            return if key(&self) <= key(&other) { self } else { other };
        }
        let sides = self.sides.zip(other.sides).and_then(|([a, b], [c, d])| {
            // The direction from which all others lie to the left, and the last of them; of all on one line that to the
            // other side, if there is one.
            let all = [a, b, c, d];
            let is_first = |d: &DVec2| all.iter().all(|e| d.perp_dot(*e) >= -TIE);
            let is_last = |d: &DVec2| all.iter().all(|e| d.perp_dot(*e) <= TIE);
            let first = all.into_iter().find(is_first)?;
            let lasts = all.into_iter().filter(is_last);
            Some([first, lasts.min_by(|d, e| d.dot(first).total_cmp(&e.dot(first)))?])
        });
        Self { sides, ..self }
    }

    /// The line through the point beside what is there, in a direction near to another: along one of its sides, or across
    /// the end of one side alone.
    pub fn line(&self, near: DVec2) -> Option<DVec2> {
        let [first, last] = self.sides?;
        let last =
            if first.perp_dot(last).abs() < 0.02 && first.dot(last) > 0.0 { first.perp() } else { last };
        Some(if first.dot(near).abs() >= last.dot(near).abs() { first } else { last })
    }
}

/// A corner of a polygon that is being cut, and the side that starts there.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    at: DVec2,
    /// Whether the polygon has it, and not the cut.
    is_corner: bool,
    is_side: bool,
}

/// Corners of a polygon at most: those of a triangle between two heights and four more.
const MOST: usize = 12;

/// The nearest point to `to` of the part of a segment in a square; `to` lies on the square's rim or outside.
///
/// Source: Liang and Barsky 1984, "A new concept and method for line clipping".
pub fn nearest_on_segment([a, b]: [DVec2; 2], square: Aabb2, to: DVec2) -> Option<Nearest> {
    let way = b - a;
    let (mut from, mut until) = (0.0, 1.0);
    for axis in 0..2 {
        let (low, high) = (square.min[axis] - a[axis], square.max[axis] - a[axis]);
        if way[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (enter, leave) = if way[axis] > 0.0 { (low, high) } else { (high, low) };
        let (enter, leave) = (enter / way[axis], leave / way[axis]);
        from = if enter > from { enter } else { from };
        until = if leave < until { leave } else { until };
    }
    if from > until {
        return None;
    }
    let length = way.length_squared();
    if length == 0.0 {
        return Some(Nearest { point: a, distance: a.distance(to), sides: Some([DVec2::X; 2]) });
    }
    let share = ((to - a).dot(way) / length).clamp(from, until);
    let along = way / length.sqrt();
    // At an end the other one alone is beside it.
    let (point, sides) = match share {
        0.0 => (a, [along; 2]),
        1.0 => (b, [-along; 2]),
        _ => (a + way * share, [along, -along]),
    };
    Some(Nearest { point, distance: point.distance(to), sides: Some(sides) })
}

/// The nearest point to `to` of the part of a polygon, perhaps without area, in a square; `to` lies on the square's rim or
/// outside.
pub fn nearest(polygon: &[DVec2], square: Aabb2, to: DVec2) -> Option<Nearest> {
    // Many are in no square at all.
    let bounds = Aabb2::of_points(polygon.iter().copied());
    if !bounds.touches(square) {
        return None;
    }
    let (mut points, mut other) = (&mut [Point::default(); MOST], &mut [Point::default(); MOST]);
    for (point, &at) in points.iter_mut().zip(polygon) {
        *point = Point { at, is_corner: true, is_side: true };
    }
    let mut count = polygon.len();
    for axis in 0..2 {
        if bounds.min[axis] < square.min[axis] {
            count = cut(&points[..count], other, |p| p[axis] - square.min[axis]);
            std::mem::swap(&mut points, &mut other);
        }
        if bounds.max[axis] > square.max[axis] {
            count = cut(&points[..count], other, |p| square.max[axis] - p[axis]);
            std::mem::swap(&mut points, &mut other);
        }
    }
    let points = &points[..count];
    // The point, its distance, where on which side it lies.
    let mut best: Option<(DVec2, f64, f64, usize)> = None;
    for k in 0..count {
        let (a, b) = (points[k], points[if k + 1 == count { 0 } else { k + 1 }]);
        let side = b.at - a.at;
        let length = side.length_squared();
        let share = if length > 0.0 { ((to - a.at).dot(side) / length).clamp(0.0, 1.0) } else { 0.0 };
        let point = a.at + side * share;
        let distance = point.distance(to);
        // Where the cut meets a side, the side counts.
        let is_better = |&(_, least, _, k): &(DVec2, f64, f64, usize)| {
            distance < least - TIE || a.is_side && !points[k].is_side && distance < least + TIE
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some((point, distance, share, k));
        }
    }
    let (point, distance, share, k) = best?;
    let (a, b) = (points[k], points[(k + 1) % count]);
    let side = b.at - a.at;
    let is_corner =
        share == 0.0 && a.is_corner || share == 1.0 && b.is_corner || side.length_squared() == 0.0;
    let sides = if is_corner {
        corner_sides(points, if share == 1.0 { (k + 1) % count } else { k })
    } else {
        let along = side.normalize();
        [along, -along]
    };
    Some(Nearest { point, distance, sides: Some(sides) })
}

/// The directions from a corner of a polygon to those beside it, in counter-clockwise order.
fn corner_sides(points: &[Point], corner: usize) -> [DVec2; 2] {
    let count = points.len();
    let way = |step: usize| {
        let others = (1..count).map(|i| points[(corner + i * step) % count].at - points[corner].at);
        others.map(|way| way.normalize_or_zero()).find(|way| *way != DVec2::ZERO).unwrap_or(DVec2::X)
    };
    let [next, last] = [way(1), way(count - 1)];
    if next.perp_dot(last) >= 0.0 { [next, last] } else { [last, next] }
}

/// Cuts a polygon: what has a positive `depth` stays; the number of its corners.
fn cut(points: &[Point], into: &mut [Point; MOST], depth: impl Fn(DVec2) -> f64) -> usize {
    let mut kept = 0;
    let mut keep = |point: Point| {
        if kept < MOST {
            into[kept] = point;
            kept += 1;
        }
    };
    let Some(first) = points.first() else { return 0 };
    let first_depth = depth(first.at);
    let mut da = first_depth;
    for (k, &a) in points.iter().enumerate() {
        let (b, db) = match points.get(k + 1) {
            Some(&b) => (b, depth(b.at)),
            None => (*first, first_depth),
        };
        if da >= 0.0 {
            keep(a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            let at = a.at + (b.at - a.at) * (da / (da - db));
            keep(Point { at, is_corner: false, is_side: a.is_side && db >= 0.0 });
        }
        da = db;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    const SQUARE: Aabb2 = Aabb2 { min: dvec2(0.0, 0.0), max: dvec2(1.0, 1.0) };

    #[test]
    fn two_triangles_of_a_square_have_its_sides_at_their_common_corner() {
        let corners = [dvec2(0.5, 0.5), dvec2(0.9, 0.5), dvec2(0.9, 0.9), dvec2(0.5, 0.9)];
        let [a, b] =
            [[0, 1, 2], [0, 2, 3]].map(|t| nearest(&t.map(|k| corners[k]), SQUARE, dvec2(0.0, 0.4)).unwrap());
        let [a_wall, half] = [dvec2(2.0, 0.5), dvec2(0.4, 0.5)]
            .map(|end| nearest(&[dvec2(-1.0, 0.5), end], SQUARE, dvec2(0.3, 0.0)).unwrap());
        assert_eq!(a_wall.with(half).sides.unwrap()[0], -half.with(a_wall).sides.unwrap()[1]);
        for both in [a.with(b), b.with(a)] {
            assert_eq!(both.sides, Some([dvec2(1.0, 0.0), dvec2(0.0, 1.0)]));
            assert_eq!(both.line(dvec2(0.8, 0.6)), Some(dvec2(1.0, 0.0)));
        }
    }

    #[test]
    fn the_nearest_point_lies_on_a_side_or_is_a_corner() {
        // A wall without thickness across the square.
        let wall = [dvec2(-1.0, 0.5), dvec2(2.0, 0.5)];
        let found = nearest(&wall, SQUARE, dvec2(0.5, 0.0)).unwrap();
        assert_eq!((found.point, found.distance), (dvec2(0.5, 0.5), 0.5));
        assert_eq!(found.line(dvec2(1.0, 0.0)).unwrap().abs(), dvec2(1.0, 0.0));
        // Steep: the square ends before the foot, but the side is known.
        let wall = [dvec2(0.5, -1.0), dvec2(1.5, 3.0)];
        let found = nearest(&wall, SQUARE, dvec2(1.0, 0.5)).unwrap();
        assert!((found.line(dvec2(0.0, 1.0)).unwrap().abs() - dvec2(1.0, 4.0).normalize()).length() < 1e-12);
        // A wall that ends in the square, and one that is not in it.
        let post = [dvec2(0.5, 0.25), dvec2(0.5, 9.0)];
        let found = nearest(&post, SQUARE, dvec2(0.5, 0.0)).unwrap();
        assert_eq!(found.line(dvec2(1.0, 0.0)).unwrap().abs(), dvec2(1.0, 0.0));
        assert_eq!(nearest(&[dvec2(2.0, 0.0), dvec2(3.0, 1.0)], SQUARE, dvec2(1.0, 0.5)), None);
        // A triangle over the whole square.
        let over = [dvec2(-9.0, -9.0), dvec2(9.0, -9.0), dvec2(0.0, 9.0)];
        assert_eq!(nearest(&over, SQUARE, dvec2(0.5, 0.0)).unwrap().distance, 0.0);
    }

    #[test]
    fn a_segment_is_a_polygon_of_two_corners() {
        let at = |k: u32| f64::from(k % 7) * 0.4 - 0.7;
        let is_on_rim = |c: f64| c.abs() < 1e-9 || (c - 1.0).abs() < 1e-9;
        for k in 0..7u32.pow(4) {
            let [a, b] = [dvec2(at(k), at(k / 7)), dvec2(at(k / 49), at(k / 343))];
            for to in [dvec2(0.5, 0.0), dvec2(0.0, 0.3), dvec2(1.0, 0.9), dvec2(0.5, -8.0)] {
                match (nearest(&[a, b], SQUARE, to), nearest_on_segment([a, b], SQUARE, to)) {
                    (Some(known), Some(found)) => {
                        assert!((known.distance - found.distance).abs() < 1e-12, "{a} {b} {to}");
                        assert!(known.point.distance(found.point) < 1e-9, "{a} {b} {to}");
                        // What touches a corner of the square has no direction there, and rounding says whether the foot is an end.
                        let is_end = [a, b].iter().any(|end| (to - *end).dot(b - a).abs() < 1e-9);
                        if !is_end && (!is_on_rim(found.point.x) || !is_on_rim(found.point.y)) {
                            let lines = [known, found].map(|n| n.line(dvec2(0.8, 0.6)).unwrap());
                            assert!(lines[0].perp_dot(lines[1]).abs() < 1e-9, "{a} {b} {to}: {lines:?}");
                        }
                    }
                    (None, None) => {}
                    // Rounding says whether one that touches a corner of the square does.
                    (Some(one), None) | (None, Some(one)) => {
                        assert!(
                            is_on_rim(one.point.x) && is_on_rim(one.point.y),
                            "{a} {b} {to}: {}",
                            one.point
                        );
                    }
                }
            }
        }
    }
}
