//! Splits a polygon in space into triangles.
//!
//! Idea: look at it along the axis along which it is largest; a convex polygon is a fan, of any other ears are cut.
//! Source: Meisters 1975, "Polygons have ears"; Eberly, "Triangulation by ear clipping".
//!   We differ: an ear is cut only if it has area and no other corner lies in it or on its rim, so that corners on
//!   straight edges give no flat triangles; a polygon that crosses itself is split somehow, and we say so.
//! Steps: 1. drop repeated corners  2. project  3. fan if convex  4. else cut ears; where the parts of a polygon that
//!   crosses itself cancel out, along the normal of its largest triangle
//! Signs are exact: the projection drops a coordinate and rounds nothing.
//! Cost: O(n) if convex, else O(n²), refused beyond `MAX_CORNERS`.

use wayfare_core::{DVec2, DVec3, dvec2};
use wayfare_geom::{are_collinear, newell_normal, predicates::orient};

/// More corners are split only if the polygon is convex.
pub(crate) const MAX_CORNERS: usize = 4096;

/// The areas of a polygon cancel out if what is left is this part of its largest triangle: far more than rounding leaves,
/// far less than any polygon on purpose has.
const CANCELLED: f64 = 1e-9;

/// How well a polygon could be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// The triangles cover the polygon.
    Whole,
    /// The polygon crosses itself: the triangles have its corners, no more.
    Crossing,
    /// It has no area, or less than three corners: there are no triangles.
    Flat,
    /// It is not convex and has too many corners: there are no triangles.
    TooLarge,
}

/// Working memory, kept from polygon to polygon.
#[derive(Default)]
pub(crate) struct Splitter {
    /// Positions in the polygon that are left after step 1.
    ring: Vec<u32>,
    points: Vec<DVec2>,
    previous: Vec<u32>,
    next: Vec<u32>,
    ears: Vec<bool>,
    /// Triangles as positions in the polygon.
    pub triangles: Vec<[u32; 3]>,
}

impl Splitter {
    /// Splits the polygon with the given corners into `self.triangles`.
    pub fn split(&mut self, corners: &[DVec3]) -> Split {
        self.triangles.clear();
        // 1. Repeated corners.
        self.ring.clear();
        for (k, corner) in corners.iter().enumerate() {
            if self.ring.last().is_none_or(|&last| corners[last as usize] != *corner) {
                self.ring.push(k as u32);
            }
        }
        while let [first, .., last] = self.ring[..]
            && corners[first as usize] == corners[last as usize]
        {
            self.ring.pop();
        }
        if self.ring.len() < 3 {
            return Split::Flat;
        }
        // 2. Projection, so that the polygon runs counter-clockwise.
        let normal = newell_normal(self.ring.iter().map(|&k| corners[k as usize]));
        self.project(corners, normal);
        // 3. and 4.
        if is_convex(&self.points) {
            self.triangles.extend(self.ring[1..].windows(2).map(|pair| [self.ring[0], pair[0], pair[1]]));
            return Split::Whole;
        }
        if self.points.len() > MAX_CORNERS {
            return Split::TooLarge;
        }
        let Some(largest) = self.largest_triangle(corners) else { return Split::Flat };
        if normal.length() > CANCELLED * largest.length() {
            return self.cut_ears();
        }
        self.project(corners, largest);
        self.cut_ears();
        Split::Crossing
    }

    /// The normal of the largest triangle of the fan from the first corner, twice its area long; none if no triangle has
    /// an area.
    fn largest_triangle(&self, corners: &[DVec3]) -> Option<DVec3> {
        let first = corners[self.ring[0] as usize];
        let pairs = self.ring[1..].windows(2).map(|pair| [pair[0], pair[1]].map(|k| corners[k as usize]));
        let normals =
            pairs.filter(|&[p, q]| !are_collinear(first, p, q)).map(|[p, q]| (p - first).cross(q - first));
        normals.max_by(|one, other| one.length_squared().total_cmp(&other.length_squared()))
    }

    /// Looks at the ring along the axis along which `normal` is longest, and against it.
    fn project(&mut self, corners: &[DVec3], normal: DVec3) {
        let size = normal.abs();
        let (axes, sign) = if size.z >= size.x && size.z >= size.y {
            ([0, 1], normal.z)
        } else if size.y >= size.x {
            ([2, 0], normal.y)
        } else {
            ([1, 2], normal.x)
        };
        let [u, v] = if sign > 0.0 { axes } else { [axes[1], axes[0]] };
        self.points.clear();
        self.points.extend(self.ring.iter().map(|&k| {
            let p = corners[k as usize];
            dvec2(p[u], p[v])
        }));
    }

    fn cut_ears(&mut self) -> Split {
        let count = self.points.len() as u32;
        self.previous.clear();
        self.previous.extend((0..count).map(|k| (k + count - 1) % count));
        self.next.clear();
        self.next.extend((0..count).map(|k| (k + 1) % count));
        self.ears.clear();
        for k in 0..count {
            let ear = self.is_ear(k);
            self.ears.push(ear);
        }
        // A corner becomes an ear only when its neighbours change; where repeated points break that rule, all are looked
        // at again, a few times at most. What has no ear crosses itself: any corner that turns left will do, or any.
        let mut looks = 8;
        let mut split = Split::Whole;
        let mut at = 0;
        for left in (4..=count).rev() {
            let mut ear = self.find(at, left, |ring, k| ring.ears[k as usize]);
            if ear.is_none() && looks > 0 {
                looks -= 1;
                ear = self.find(at, left, Self::is_ear);
            }
            let ear = ear.unwrap_or_else(|| {
                split = Split::Crossing;
                self.find(at, left, |ring, k| ring.turn(k) > 0.0).unwrap_or(at)
            });
            let (before, after) = (self.previous[ear as usize], self.next[ear as usize]);
            self.triangles.push([before, ear, after].map(|k| self.ring[k as usize]));
            self.next[before as usize] = after;
            self.previous[after as usize] = before;
            for neighbour in [before, after] {
                self.ears[neighbour as usize] = self.is_ear(neighbour);
            }
            // Going on behind the ear spreads the cuts round the polygon instead of making one long fan.
            at = self.next[after as usize];
        }
        let (before, after) = (self.previous[at as usize], self.next[at as usize]);
        if self.turn(at) < 0.0 {
            split = Split::Crossing;
        }
        self.triangles.push([before, at, after].map(|k| self.ring[k as usize]));
        split
    }

    /// The first corner from `at` on, of the `left` that are left, that `is_it`.
    fn find(&self, at: u32, left: u32, is_it: impl Fn(&Self, u32) -> bool) -> Option<u32> {
        let corners = std::iter::successors(Some(at), |&k| Some(self.next[k as usize]));
        corners.take(left as usize).find(|&k| is_it(self, k))
    }

    /// Positive if the polygon turns left at a corner.
    fn turn(&self, at: u32) -> f64 {
        let point = |k: u32| self.points[k as usize];
        orient(point(self.previous[at as usize]), point(at), point(self.next[at as usize]))
    }

    /// Whether the corner can be cut off: it has area and no other corner of the rest lies in it or on its rim.
    fn is_ear(&self, at: u32) -> bool {
        if self.turn(at) <= 0.0 {
            return false;
        }
        let (before, after) = (self.previous[at as usize], self.next[at as usize]);
        let [a, b, c] = [before, at, after].map(|k| self.points[k as usize]);
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        let mut other = self.next[after as usize];
        while other != before {
            let p = self.points[other as usize];
            let is_near = p.x >= min.x && p.x <= max.x && p.y >= min.y && p.y <= max.y;
            if is_near
                && p != a
                && p != b
                && p != c
                && orient(a, b, p) >= 0.0
                && orient(b, c, p) >= 0.0
                && orient(c, a, p) >= 0.0
            {
                return false;
            }
            other = self.next[other as usize];
        }
        true
    }
}

/// Whether the ring turns left at each corner and goes round once.
fn is_convex(points: &[DVec2]) -> bool {
    let count = points.len();
    let (first, second) = (points[0], points[1]);
    // Seen from the first corner all others follow each other to the left, inside one half-plane.
    (0..count).all(|k| {
        let (p, q, r) = (points[k], points[(k + 1) % count], points[(k + 2) % count]);
        orient(p, q, r) > 0.0
    }) && points.windows(2).skip(1).all(|pair| orient(first, pair[0], pair[1]) > 0.0)
        && points[2..].iter().all(|&p| orient(first, second, p) > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec3;

    fn area(corners: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
        let of = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|k| corners[k as usize]);
            (b - a).cross(c - a).length() / 2.0
        };
        triangles.iter().copied().map(of).sum()
    }

    fn split(corners: &[DVec3]) -> (Split, Vec<[u32; 3]>) {
        let mut splitter = Splitter::default();
        let split = splitter.split(corners);
        (split, splitter.triangles)
    }

    #[test]
    fn an_arrow_head_is_split_at_its_notch_from_each_start() {
        let arrow = [dvec3(0., 0., 0.), dvec3(4., 0., 1.), dvec3(1., 0., 1.), dvec3(0., 0., 4.)];
        for start in 0..4 {
            for flip in [false, true] {
                let mut corners = arrow;
                corners.rotate_left(start);
                if flip {
                    corners.reverse();
                }
                let (how, triangles) = split(&corners);
                assert_eq!((how, triangles.len()), (Split::Whole, 2));
                assert_eq!(area(&corners, &triangles), 3.5);
                // Each triangle turns as the polygon does.
                let normal = newell_normal(corners);
                for [a, b, c] in triangles {
                    let [a, b, c] = [a, b, c].map(|k| corners[k as usize]);
                    assert!((b - a).cross(c - a).dot(normal) > 0.0);
                }
            }
        }
    }

    #[test]
    fn corners_on_straight_edges_make_no_flat_triangles() {
        let grid = [(0., 0.), (1., 0.), (2., 0.), (2., 1.), (2., 2.), (1., 2.), (0., 2.), (0., 1.)];
        let corners = grid.map(|(x, y)| dvec3(x, y, x));
        let (how, triangles) = split(&corners);
        assert_eq!((how, triangles.len()), (Split::Whole, 6));
        assert!(triangles.iter().all(|&triangle| area(&corners, &[triangle]) > 0.1));
    }

    #[test]
    fn a_hole_behind_a_bridge_stays_a_hole() {
        let ring = [
            (0., 0.),
            (9., 0.),
            (9., 9.),
            (0., 9.),
            (0., 0.),
            (3., 3.),
            (3., 6.),
            (6., 6.),
            (6., 3.),
            (3., 3.),
        ];
        let corners = ring.map(|(x, y)| dvec3(x, y, 0.0));
        let (how, triangles) = split(&corners);
        assert_eq!((how, area(&corners, &triangles)), (Split::Whole, 72.0));
    }

    #[test]
    fn what_cannot_be_split_well_is_told() {
        let bow = [(0., 0.), (2., 2.), (2., 0.), (0., 3.)].map(|(x, y)| dvec3(x, y, 0.0));
        assert_eq!(split(&bow).0, Split::Crossing);
        // Its halves are equally large: it has no area in sum, but it is not flat.
        for tilt in [0.0, 0.3] {
            let even = [(0., 0.), (2., 2.), (2., 0.), (0., 2.)];
            let even = even.map(|(x, y)| dvec3(x + tilt * y, y - tilt * x, 0.7 * tilt * x + 0.1));
            let (how, triangles) = split(&even);
            assert_eq!((how, triangles.len()), (Split::Crossing, 2));
            assert!(area(&even, &triangles) >= 2.0, "{triangles:?}");
        }
        let line = [0., 1., 2., 5.].map(|x| dvec3(x, x, x));
        assert_eq!(split(&line), (Split::Flat, vec![]));
        let twice = [dvec3(0., 0., 0.), dvec3(1., 1., 1.), dvec3(1., 1., 1.), dvec3(0., 0., 0.)];
        assert_eq!(split(&twice), (Split::Flat, vec![]));
    }

    #[test]
    fn a_large_convex_polygon_is_a_fan_and_a_large_star_is_refused() {
        let circle = |k: usize, n: usize, r: f64| {
            let angle = k as f64 / n as f64 * std::f64::consts::TAU;
            dvec3(r * wayfare_core::ops::cos(angle), r * wayfare_core::ops::sin(angle), 1.0)
        };
        let round: Vec<_> = (0..10_000).map(|k| circle(k, 10_000, 1.0)).collect();
        let (how, triangles) = split(&round);
        assert_eq!((how, triangles.len()), (Split::Whole, 9998));
        let star: Vec<_> =
            (0..10_000).map(|k| circle(k, 10_000, if k % 2 == 0 { 1.0 } else { 2.0 })).collect();
        assert_eq!(split(&star).0, Split::TooLarge);
        // Twice round is not convex, though it always turns left.
        let twice: Vec<_> = (0..10).map(|k| circle(2 * k, 9, 1.0)).take(9).collect();
        assert_eq!(split(&twice).0, Split::Crossing);
    }

    proptest! {
        #[test]
        fn star_shaped_polygons_keep_their_area(radii in prop::collection::vec(1u8..9, 3..40), tilt in -3i8..4) {
            let count = radii.len() as f64;
            let corners: Vec<_> = radii.iter().enumerate().map(|(k, &radius)| {
                let angle = k as f64 / count * std::f64::consts::TAU;
                let (x, y) = (wayfare_core::ops::cos(angle), wayfare_core::ops::sin(angle));
                let (x, y) = (f64::from(radius) * x, f64::from(radius) * y);
                dvec3(x, y, x * f64::from(tilt))
            }).collect();
            let (how, triangles) = split(&corners);
            prop_assert_eq!((how, triangles.len()), (Split::Whole, corners.len() - 2));
            let expected = newell_normal(corners.iter().copied()).length() / 2.0;
            prop_assert!((area(&corners, &triangles) - expected).abs() < 1e-9 * expected);
        }
    }
}
