//! Rings filled with triangles, into which points can be put one by one.

use super::{NONE, TriangulationError, delaunay::Delaunay, half_edges::HalfEdges, order::insertion_order};
use crate::{
    Aabb2,
    predicates::{is_clearly_in_circle, orient},
};
use wayfare_core::{DVec2, Tolerance};

/// The Delaunay triangles inside rings. Vertices are the rings' corners, numbered over all rings, then the points put in.
pub struct Filling {
    edges: HalfEdges,
    points: Vec<DVec2>,
    is_wall: Vec<bool>,
    /// Corners of the rings.
    corners: u32,
    pending: Vec<u32>,
    /// A half-edge of every triangle there was at first.
    first: Vec<u32>,
}

/// In the half-edges the vertex at infinity comes after the corners; to others the points put in come there.
impl Filling {
    /// Fills rings that hold F1 and touch nowhere, the inside on their left.
    pub fn new(rings: &[Vec<DVec2>]) -> Result<Self, TriangulationError> {
        let points: Vec<DVec2> = rings.iter().flatten().copied().collect();
        if let Some(vertex) = points.iter().position(|p| !p.is_finite()) {
            let DVec2 { x, y } = points[vertex];
            return Err(TriangulationError::Vertex { vertex, x, y });
        }
        let edge_error = |vertex: usize| {
            let p = points.get(vertex).copied().unwrap_or_default();
            TriangulationError::Edge { vertex, x: p.x, y: p.y }
        };
        let mut delaunay = Delaunay::new(&points, &insertion_order(&points)).ok_or_else(|| edge_error(0))?;
        delaunay.index();
        let mut walls = Vec::new();
        let mut start = 0;
        for ring in rings {
            for k in 0..ring.len() {
                let [from, to] = [start + k, start + (k + 1) % ring.len()].map(|k| delaunay.vertex_of[k]);
                walls.push(delaunay.insert_wall(from, to).ok_or_else(|| edge_error(start + k))?);
            }
            start += ring.len();
        }
        let ghost = delaunay.ghost();
        let mut edges = delaunay.edges;
        let mut is_wall = vec![false; edges.len()];
        for &wall in &walls {
            is_wall[wall as usize] = true;
            is_wall[(wall ^ 1) as usize] = true;
        }
        flip_slivers(&mut edges, &points, &is_wall, ghost);
        // Flood from the inner sides of the walls.
        let mut waiting = walls;
        let mut seen = vec![false; edges.len()];
        let mut first = Vec::new();
        while let Some(h) = waiting.pop() {
            if seen[h as usize] {
                continue;
            }
            let sides = [h, edges.next(h), edges.prev(h)];
            let corners = sides.map(|side| edges.origin(side));
            if corners.contains(&ghost) || edges.next(h) == NONE {
                return Err(edge_error(corners[0] as usize)); // the rings do not run the right way round
            }
            first.push(h);
            for side in sides {
                seen[side as usize] = true;
                if !is_wall[side as usize] {
                    waiting.push(side ^ 1);
                }
            }
        }
        let corners = points.len() as u32;
        let mut points = points;
        points.push(DVec2::NAN); // the place of the vertex at infinity
        Ok(Self { edges, points, is_wall, corners, pending: Vec::new(), first })
    }

    /// A half-edge of each triangle, before points are put in.
    pub fn first(&self) -> &[u32] {
        &self.first
    }

    /// The vertices of the triangle left of a half-edge, counter-clockwise from its origin.
    pub fn triangle(&self, h: u32) -> [u32; 3] {
        [h, self.edges.next(h), self.edges.prev(h)].map(|h| self.name(self.edges.origin(h)))
    }

    fn name(&self, vertex: u32) -> u32 {
        vertex - u32::from(vertex > self.corners)
    }

    /// Puts a point into the triangle left of a half-edge, which it lies in; its number, or nothing if it lies on a wall, on
    /// a vertex or outside of the triangle.
    pub fn insert(&mut self, h: u32, p: DVec2) -> Option<u32> {
        let sides = [h, self.edges.next(h), self.edges.prev(h)];
        let at = |v: u32| self.points[v as usize];
        let turns = sides.map(|side| orient(at(self.edges.origin(side)), at(self.edges.target(side)), p));
        let on = (0..3).filter(|&k| turns[k] == 0.0).count();
        let flat = (0..3).find(|&k| turns[k] == 0.0);
        if turns.iter().any(|&turn| turn < 0.0)
            || on > 1
            || flat.is_some_and(|k| self.is_wall[sides[k] as usize])
        {
            return None;
        }
        let vertex = self.points.len() as u32;
        self.points.push(p);
        // Three triangles instead of one; a flat one goes at once.
        let edges = &mut self.edges;
        let spokes = sides.map(|side| edges.add(vertex, edges.origin(side)));
        for k in 0..3 {
            edges.join([sides[k], spokes[(k + 1) % 3] ^ 1, spokes[k]]);
        }
        self.is_wall.resize(edges.len(), false);
        for (k, &side) in sides.iter().enumerate() {
            if flat == Some(k) {
                self.flip_opposite(side);
            } else {
                self.pending.push(side);
            }
        }
        while let Some(e) = self.pending.pop() {
            let (x, y, d) = (self.edges.origin(e), self.edges.target(e), self.edges.apex(e ^ 1));
            let at = |v: u32| self.points[v as usize];
            if !self.is_wall[e as usize] && is_clearly_in_circle(at(x), at(y), p, at(d)) {
                self.flip_opposite(e);
            }
        }
        Some(self.name(vertex))
    }

    fn flip_opposite(&mut self, e: u32) {
        self.pending.extend([self.edges.next(e ^ 1), self.edges.prev(e ^ 1)]);
        self.edges.flip(e);
    }

    /// A half-edge of each triangle round the point that was put in last.
    pub fn last_star(&self) -> impl Iterator<Item = u32> + '_ {
        // Its first spoke is the third edge from the end and never flipped.
        let start = self.edges.len() as u32 - 6;
        let mut next = Some(start);
        std::iter::from_fn(move || {
            let now = next?;
            let following = self.edges.prev(now) ^ 1;
            next = (following != start).then_some(following);
            Some(now)
        })
    }

    /// Whether no wall lies across the straight way from a point in the triangle left of a half-edge to another point near it;
    /// not if it leads over more than a few triangles, or out through a vertex.
    pub fn is_open(&self, h: u32, from: DVec2, to: DVec2) -> bool {
        let at = |v: u32| self.points[v as usize];
        let (mut h, mut entered) = (h, NONE);
        for _ in 0..MOST_WALKED {
            let sides = [h, self.edges.next(h), self.edges.prev(h)];
            let ends = |side: u32| [at(self.edges.origin(side)), at(self.edges.target(side))];
            let is_outside = |side: u32| {
                let [a, b] = ends(side);
                side != entered && orient(a, b, to) < 0.0
            };
            let is_crossed = |side: u32| {
                let [a, b] = ends(side);
                orient(from, to, a) <= 0.0 && orient(from, to, b) >= 0.0
            };
            if !sides.into_iter().any(is_outside) {
                return true;
            }
            match sides.into_iter().find(|&side| is_outside(side) && is_crossed(side)) {
                Some(side) if !self.is_wall[side as usize] => (h, entered) = (side ^ 1, side ^ 1),
                _ => return false,
            }
        }
        false
    }

    /// All triangles, each from its least vertex, in order.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        let mut seen = vec![false; self.edges.len()];
        let mut waiting = self.first.clone();
        while let Some(h) = waiting.pop() {
            if seen[h as usize] {
                continue;
            }
            let mut triangle = self.triangle(h);
            let least = (0..3).min_by_key(|&k| triangle[k]).unwrap_or(0);
            triangle.rotate_left(least);
            triangles.push(triangle);
            for side in [h, self.edges.next(h), self.edges.prev(h)] {
                seen[side as usize] = true;
                if !self.is_wall[side as usize] {
                    waiting.push(side ^ 1);
                }
            }
        }
        triangles.sort_unstable();
        triangles
    }
}

/// Points on a straight wall are rounded; those that lie outside by a hair are cut off by slivers, and what is on the
/// inner side would not touch them. Such slivers are flipped away; the number of flips.
fn flip_slivers(edges: &mut HalfEdges, points: &[DVec2], is_wall: &[bool], ghost: u32) -> usize {
    let mut flips = 0;
    let hair = Tolerance::of_extent(Aabb2::of_points(points.iter().copied()).extent()).on_line;
    let at = |vertex: u32| points[vertex as usize];
    // Slivers may lie on slivers: those beside good triangles go first.
    for _ in 0..MOST_SLIVERS {
        let mut is_changed = false;
        for h in 0..edges.len() as u32 {
            let (from, to, apex, across) =
                (edges.origin(h), edges.target(h), edges.apex(h), edges.apex(h ^ 1));
            if is_wall[h as usize] || [from, to, apex, across].contains(&ghost) {
                continue;
            }
            let length = at(from).distance(at(to));
            let [height, depth] = [apex, across].map(|v| orient(at(from), at(to), at(v)).abs() / length);
            if height > hair || depth <= hair {
                continue;
            }
            let turns = [from, to].map(|end| orient(at(apex), at(across), at(end)));
            let is_convex = turns[0] > 0.0 && turns[1] < 0.0 || turns[0] < 0.0 && turns[1] > 0.0;
            // Only if the thinner triangle gets wider: where all four lie on one line, edges would flip to and fro.
            let before = width(at(from), at(to), at(apex)).min(width(at(from), at(to), at(across)));
            let after = width(at(apex), at(across), at(from)).min(width(at(apex), at(across), at(to)));
            if is_convex && after > before {
                edges.flip(h);
                flips += 1;
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    flips
}

/// The least height of a triangle.
fn width(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let longest = [a.distance(b), b.distance(c), c.distance(a)].into_iter().fold(0.0, f64::max);
    if longest > 0.0 { orient(a, b, c).abs() / longest } else { 0.0 }
}

/// Triangles that a way is followed over.
const MOST_WALKED: usize = 32;

/// Slivers on each other at most.
const MOST_SLIVERS: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    proptest! {
        #[test]
        fn triangles_fill_the_ring_and_use_every_point(
            points in prop::collection::vec((0.1..3.9f64, 0.1..3.9f64), 0..40),
        ) {
            let rings = [
                vec![dvec2(0., 0.), dvec2(4., 0.), dvec2(4., 4.), dvec2(0., 4.)],
                vec![dvec2(1., 1.), dvec2(1., 2.), dvec2(2., 2.), dvec2(2., 1.)],
            ];
            let inside = |p: &DVec2| !((1.0..=2.0).contains(&p.x) && (1.0..=2.0).contains(&p.y));
            let points: Vec<DVec2> = points.into_iter().map(|(x, y)| dvec2(x, y)).filter(inside).collect();
            // Each point into the triangle that holds it, found by looking at all.
            let mut filling = Filling::new(&rings).unwrap();
            let mut all: Vec<DVec2> = rings.iter().flatten().copied().collect();
            let mut here = filling.first().to_vec();
            for &p in &points {
                let holds = |&h: &u32| {
                    let [a, b, c] = filling.triangle(h).map(|k| all[k as usize]);
                    [(a, b), (b, c), (c, a)].iter().all(|&(u, v)| orient(u, v, p) >= 0.0)
                };
                let h = here.iter().copied().find(holds).unwrap();
                if let Some(number) = filling.insert(h, p) {
                    prop_assert_eq!(number as usize, all.len());
                    all.push(p);
                    here.extend(filling.last_star());
                }
            }
            let triangles = filling.triangles();
            let mut area = 0.0;
            let mut is_used = vec![false; all.len()];
            for triangle in &triangles {
                let [a, b, c] = triangle.map(|k| all[k as usize]);
                prop_assert!((b - a).perp_dot(c - a) > 0.0);
                area += (b - a).perp_dot(c - a) / 2.0;
                triangle.iter().for_each(|&k| is_used[k as usize] = true);
            }
            prop_assert!((area - 15.0).abs() < 1e-9);
            prop_assert!(is_used.iter().all(|&is_used| is_used));
        }
    }

    #[test]
    fn ways_are_open_that_cross_no_wall() {
        // A hall with a slit that comes in from the right, and points on both sides of it.
        let ring = [(0., 0.), (4., 0.), (4., 1.9), (1., 2.), (4., 2.1), (4., 4.), (0., 4.)];
        let ring: Vec<DVec2> = ring.iter().map(|&(x, y)| dvec2(x, y)).collect();
        let mut filling = Filling::new(std::slice::from_ref(&ring)).unwrap();
        let mut all = ring.clone();
        let mut here = filling.first().to_vec();
        let inside = |p: DVec2, corners: [DVec2; 3]| {
            let [a, b, c] = corners;
            [(a, b), (b, c), (c, a)].iter().all(|&(u, v)| orient(u, v, p) >= 0.0)
        };
        for k in 0..40 {
            let p = dvec2(0.13 + 0.37 * f64::from(k % 10), 0.23 + 1.13 * f64::from(k / 10));
            let h = here.iter().copied().find(|&h| inside(p, filling.triangle(h).map(|k| all[k as usize])));
            if filling.insert(h.unwrap(), p).is_some() {
                all.push(p);
                here.extend(filling.last_star());
            }
        }
        let (mut open, mut shut) = (0, 0);
        for k in 0..400 {
            let [from, to] = [k, 7 * k + 3]
                .map(|k: u32| dvec2(0.05 + 0.19 * f64::from(k % 20), 0.07 + 0.2 * f64::from(k / 20 % 20)));
            let is_in_slit = |p: DVec2| p.x >= 1.0 && (p.y - 2.0).abs() <= 0.1 * (p.x - 1.0) / 3.0;
            if from == to || is_in_slit(from) || is_in_slit(to) {
                continue;
            }
            let h =
                here.iter().copied().find(|&h| inside(from, filling.triangle(h).map(|k| all[k as usize])));
            let crosses = |a: DVec2, b: DVec2| {
                orient(a, b, from) * orient(a, b, to) < 0.0 && orient(from, to, a) * orient(from, to, b) < 0.0
            };
            let is_free = !(0..ring.len()).any(|k| crosses(ring[k], ring[(k + 1) % ring.len()]));
            assert_eq!(filling.is_open(h.unwrap(), from, to), is_free, "{from} to {to}");
            *(if is_free { &mut open } else { &mut shut }) += 1;
        }
        assert!(open > 100 && shut > 50, "{open} {shut}");
    }

    #[test]
    fn points_on_a_wall_are_corners_of_what_lies_beside_it() {
        // Thirds of a slanted wall are rounded to either side of it.
        for (dx, dy) in [(1.1, 2.5), (0.7, 0.3), (3.1, 0.9), (2.3, 4.7)] {
            let (a, b) = (dvec2(5.0015625, -19.3015625), dvec2(5.0015625 + dx, -19.3015625 + dy));
            let on_wall = |k: u32| a + (b - a) * (f64::from(k) / 27.0);
            let mut ring: Vec<DVec2> = (0..=27).map(on_wall).collect();
            ring.push(a + (b - a).perp());
            for triangle in Filling::new(std::slice::from_ref(&ring)).unwrap().triangles() {
                let [p, q, r] = triangle.map(|k| ring[k as usize]);
                assert!((q - p).perp_dot(r - p) > 1e-6, "{triangle:?} is a sliver");
            }
        }
    }

    #[test]
    fn slivers_do_not_flip_to_and_fro() {
        // As thin as a hair, whichever diagonal is taken.
        let ring = [(0.0, 0.0), (9.0, -1.1), (10.0, 0.0), (1.0, 0.6)];
        let hair = Tolerance::of_extent(10.0).on_line;
        let ring: Vec<DVec2> = ring.iter().map(|&(x, y)| dvec2(x, y * hair)).collect();
        let Filling { mut edges, points, is_wall, corners, .. } = Filling::new(&[ring]).unwrap();
        assert_eq!(flip_slivers(&mut edges, &points[..4], &is_wall, corners), 0);
    }

    #[test]
    fn rings_the_wrong_way_round_are_refused() {
        assert!(Filling::new(&[vec![dvec2(0., 0.), dvec2(0., 1.), dvec2(1., 0.)]]).is_err());
    }
}
