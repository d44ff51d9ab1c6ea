//! Free space as closed chains of points, with the free space on the left of every directed edge.

use wayfare_core::DVec2;
use wayfare_geom::{Polygon, predicates as exact, ring_area};

/// Rings that bound free space on their left: outlines counter-clockwise, holes clockwise.
///
/// Every corner of every ring has its own number, counted through all rings; several may have the same
/// coordinates where free space touches itself. Nothing is promised until [`Rings::check`] says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rings {
    /// The points of each ring; the last is joined to the first.
    pub rings: Vec<Vec<DVec2>>,
}

impl Rings {
    /// The rings of polygons, each turned so that the free space is on its left.
    pub fn of_polygons<'a>(polygons: impl IntoIterator<Item = &'a Polygon>) -> Self {
        let turned = |ring: &[DVec2], ccw: bool| {
            let mut ring = ring.to_vec();
            if (ring_area(&ring) > 0.0) != ccw {
                ring.reverse();
            }
            ring
        };
        let mut rings = Vec::new();
        for polygon in polygons {
            rings.push(turned(&polygon.outer, true));
            rings.extend(polygon.holes.iter().map(|hole| turned(hole, false)));
        }
        Self { rings }
    }
    /// All points in the order of their numbers.
    pub fn points(&self) -> Vec<DVec2> {
        self.rings.iter().flatten().copied().collect()
    }
    /// All directed edges as pairs of point numbers; edge `k` starts at point `k`.
    pub fn edges(&self) -> Vec<[usize; 2]> {
        let mut edges = Vec::new();
        for ring in &self.rings {
            let first = edges.len();
            edges.extend((0..ring.len()).map(|k| [first + k, first + (k + 1) % ring.len()]));
        }
        edges
    }
    /// Number of points.
    pub fn len(&self) -> usize {
        self.rings.iter().map(Vec::len).sum()
    }
    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Area of the free space [m²].
    pub fn area(&self) -> f64 {
        self.rings.iter().map(|ring| ring_area(ring)).sum()
    }

    /// The rings without points at which the boundary goes straight on.
    pub fn without_straight_points(&self) -> Self {
        let turns = |ring: &[DVec2], k: usize| {
            let [a, b, c] = [k + ring.len() - 1, k, k + 1].map(|k| ring[k % ring.len()]);
            exact::orient(a, b, c) != 0.0
        };
        let cleaned =
            |ring: &Vec<DVec2>| (0..ring.len()).filter(|&k| turns(ring, k)).map(|k| ring[k]).collect();
        Self { rings: self.rings.iter().map(cleaned).collect() }
    }

    /// What keeps the rings from bounding free space properly: edges that cross, passes that cross at a common
    /// point, a point inside an edge (rings must be noded), edges used twice, rings of fewer than three points.
    /// All pairs are looked at.
    pub fn check(&self) -> Vec<String> {
        let mut defects = Vec::new();
        for (k, ring) in self.rings.iter().enumerate() {
            if ring.len() < 3 {
                defects.push(format!("ring {k} has {} points", ring.len()));
            }
        }
        let (points, edges) = (self.points(), self.edges());
        let mut before = vec![0; edges.len()];
        for &[a, b] in &edges {
            before[b] = a;
        }
        // The points before and after a point.
        let beside = |k: usize| [points[before[k]], points[edges[k][1]]];
        for (i, &[a, b]) in edges.iter().enumerate() {
            let (a, b) = (points[a], points[b]);
            for j in (0..i).filter(|&j| points[j] == a) {
                let [from, to] = beside(i);
                let [enters, leaves] = beside(j).map(|q| is_left_of_pass(from, a, to, q));
                if enters != leaves {
                    defects.push(format!("passes {j} and {i} cross at {a}"));
                }
            }
            if a == b {
                defects.push(format!("edge {i} at {a} has no length"));
            }
            for (j, &[c, d]) in edges.iter().enumerate() {
                let (c, d) = (points[c], points[d]);
                if j < i && exact::cross_properly(a, b, c, d) {
                    defects.push(format!("edges {j} and {i} cross: {c} {d}, {a} {b}"));
                }
                if j < i && ((a, b) == (c, d) || (a, b) == (d, c)) {
                    defects.push(format!("edges {j} and {i} are the same: {a} {b}"));
                }
                if c != a && c != b && exact::orient(a, b, c) == 0.0 && exact::is_between(a, b, c) {
                    defects.push(format!("point {j} at {c} lies inside edge {i}: {a} {b}"));
                }
            }
        }
        defects
    }
}

/// Whether a point lies in the sector left of the way from `from` over `p` to `to`.
fn is_left_of_pass(from: DVec2, p: DVec2, to: DVec2, q: DVec2) -> bool {
    let (after, before) = (exact::orient(p, to, q) > 0.0, exact::orient(p, from, q) < 0.0);
    if exact::orient(from, p, to) > 0.0 { after && before } else { after || before }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn rings_are_turned_and_numbered_through() {
        let square = |s: f64| vec![dvec2(-s, -s), dvec2(s, -s), dvec2(s, s), dvec2(-s, s)];
        let rings = Rings::of_polygons(&[Polygon { outer: square(2.0), holes: vec![square(1.0)] }]);
        assert_eq!(rings.area(), 12.0);
        assert_eq!(rings.edges()[3..5], [[3, 0], [4, 5]]);
        assert!(rings.check().is_empty());
    }

    #[test]
    fn crossing_touching_and_doubled_edges_are_reported() {
        let check = |points: &[[f64; 2]]| {
            Rings { rings: vec![points.iter().map(|&[x, y]| dvec2(x, y)).collect()] }.check().join("; ")
        };
        assert!(check(&[[0., 0.], [2., 2.], [2., 0.], [0., 2.]]).contains("cross"));
        assert!(check(&[[0., 0.], [2., 0.], [1., 0.], [1., 1.]]).contains("inside edge"));
        assert!(check(&[[0., 0.], [2., 0.]]).contains("2 points"));
        // Twice through (2, 2): once side by side, once across.
        let [apart, across] = [[[4., 4.], [0., 4.]], [[0., 4.], [4., 4.]]]
            .map(|[u, v]| check(&[[0., 0.], [4., 0.], [2., 2.], u, v, [2., 2.]]));
        assert!(apart.is_empty() && across.contains("passes"), "{apart} {across}");
    }
}
