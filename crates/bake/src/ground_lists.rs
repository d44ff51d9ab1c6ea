//! The ground under each cell: the triangles that it lies in.
//!
//! Idea: where the ground winds over itself, a place does not tell which triangles are meant. So the cell's corners do:
//!   triangles that have a corner of the cell as theirs and overlap it there belong to it, and from those the cell is
//!   flooded across sides of triangles that run through its inside. No other sheet can be reached that way.
//! Steps for each cell: 1. convex parts: the cell itself, or triangles where the relaxation left it notches
//!   2. triangles at its corners  3. flood; through an edge between parts to the next part
//! Needs cells with a vertex of the plan, which all have: one end of every portal is a notch.
//! Promises N8. All tests are exact. Cost: O(entries × corners of the cell); cells in parallel.

use crate::surface::Surface;
use rayon::prelude::*;
use std::{collections::HashSet, ops::Range};
use wayfare_core::DVec2;
use wayfare_floor::Corners;
use wayfare_geom::{
    predicates::orient,
    segment::distance_squared_to_segment,
    triangulation::{EdgeRole, NONE, Triangulation},
};
use wayfare_navmesh::RawNavMesh;

/// A convex part of a cell.
struct Part {
    /// Exactly convex: of a cell with notches by rounding the convex hull.
    ring: Vec<DVec2>,
    /// Where it is the hull, the cell itself and how far the hull may reach over other ground [m].
    notched: Option<(Vec<DVec2>, f64)>,
    /// The corner of the mesh at each of its corners.
    corners: Vec<u32>,
    /// The part beyond each of its edges; [`NONE`] where the cell ends.
    beyond: Vec<u32>,
}

impl Part {
    /// Whether the ground of the part goes on across a side of one of its triangles, in another.
    fn goes_on(&self, side: [DVec2; 2], next: impl Fn() -> [DVec2; 3]) -> bool {
        runs_through(side, &self.ring) && (self.notched.is_none() || self.overlaps(&next(), 0.0))
    }

    /// Whether it overlaps a triangle by more than a hair [m]. What has notches does so if its hull does by more than they are deep, if the
    /// triangle is beyond none of its own edges, or if both have an edge in common, which needles have that no measure tells.
    fn overlaps(&self, triangle: &[DVec2; 3], hair: f64) -> bool {
        let Some((own, depth)) = &self.notched else { return overlap_by(&self.ring, triangle, hair) };
        let mut sides = (0..3).map(|k| [triangle[k], triangle[(k + 1) % 3]]);
        overlap_by(&self.ring, triangle, hair.max(*depth))
            || overlap_by(own, triangle, hair)
            || sides.any(|side| (0..own.len()).any(|k| side == [own[k], own[(k + 1) % own.len()]]))
    }

    /// A cell that is one part.
    fn whole(ring: Vec<DVec2>, notched: Option<(Vec<DVec2>, f64)>, corners: Vec<u32>) -> Vec<Self> {
        vec![Self { beyond: vec![NONE; ring.len()], ring, notched, corners }]
    }

    /// A cell whose notches are made by rounding: the tests are for convex polygons, of which they would take what is beside for ground, or
    /// miss what is under it.
    fn without_notches(ring: Vec<DVec2>, corners: Vec<u32>) -> Vec<Self> {
        let hull = convex_hull(&ring);
        let depth = |&p: &DVec2| {
            let sides =
                (0..hull.len()).map(|k| distance_squared_to_segment(p, hull[k], hull[(k + 1) % hull.len()]));
            sides.fold(f64::INFINITY, f64::min).sqrt()
        };
        let notch = (2.0 * ring.iter().map(depth).fold(0.0, f64::max)).max(hair(&ring));
        Self::whole(hull, Some((ring, notch)), corners)
    }
}

/// What the lists are made from.
pub(crate) struct GroundLists<'a> {
    pub corners: &'a Corners<'a>,
    pub surface: &'a Surface,
    /// The first cell of each piece; one more entry than pieces.
    pub piece_cells: &'a [u32],
    /// The plan's vertex at each vertex of the mesh; [`NONE`] for points that split walls.
    pub plan_vertices: &'a [u32],
    /// Vertices of the plan that the ground goes round once or more, ascending.
    pub wide: &'a [u32],
}

impl GroundLists<'_> {
    /// Writes the ground of every cell; nothing where all pieces are level.
    pub fn write(&self, raw: &mut RawNavMesh) {
        if self.surface.triangles.is_empty() {
            return;
        }
        let fans = self.fans();
        let lists: Vec<Vec<u32>> = (0..raw.cell_count() as u32)
            .into_par_iter()
            .map_init(Flood::default, |flood, cell| self.list(raw, cell, &fans, flood))
            .collect();
        raw.ground_starts = vec![0];
        for list in lists {
            raw.ground_lists.extend(list);
            raw.ground_starts.push(raw.ground_lists.len() as u32);
        }
        // Points in the order of their first use.
        let mut number = vec![NONE; self.corners.plan.vertices.len() + self.corners.plan.ground_points.len()];
        for triangle in &self.surface.triangles {
            raw.ground_triangles.push(triangle.map(|k| {
                let number = &mut number[k as usize];
                if *number == NONE {
                    *number = raw.ground_points.len() as u32;
                    raw.ground_points.push(self.corners.ground_point(k));
                }
                *number
            }));
        }
    }

    /// Pairs of a plan's vertex and a triangle at it, sorted.
    fn fans(&self) -> Vec<[u32; 2]> {
        let count = self.corners.plan.vertices.len() as u32;
        let mut fans: Vec<[u32; 2]> = Vec::new();
        for (number, triangle) in self.surface.triangles.iter().enumerate() {
            fans.extend(triangle.iter().filter(|&&k| k < count).map(|&k| [k, number as u32]));
        }
        fans.par_sort_unstable();
        fans
    }

    fn triangle(&self, number: u32) -> [DVec2; 3] {
        self.surface.triangles[number as usize].map(|k| self.corners.ground_point(k).truncate())
    }

    /// The triangles of one cell, ascending.
    fn list(&self, raw: &RawNavMesh, cell: u32, fans: &[[u32; 2]], flood: &mut Flood) -> Vec<u32> {
        let piece = self.piece_cells.partition_point(|&first| first <= cell) - 1;
        let own = self.surface.starts[piece]..self.surface.starts[piece + 1];
        if own.is_empty() {
            return Vec::new();
        }
        // 1.
        let parts = parts(raw, cell);
        flood.begin(parts.len(), own.clone());
        // 2. A vertex that the ground goes round more than once does not tell the sheet; others do, if there are any. A point that splits
        // a wall without thickness may be rounded to its other side, where the ground at the end of the wall has the same vertex.
        let hair = parts.iter().map(|part| hair(&part.ring)).fold(0.0, f64::max);
        for (may_be_wide, hair) in [(false, hair), (true, hair), (false, 0.0), (true, 0.0)] {
            for (number, part) in parts.iter().enumerate() {
                for &corner in &part.corners {
                    let vertex = self.plan_vertices[raw.corners[corner as usize] as usize];
                    if vertex == NONE || self.wide.binary_search(&vertex).is_ok() != may_be_wide {
                        continue;
                    }
                    let first = fans.partition_point(|pair| pair < &[vertex, own.start]);
                    for &[_, triangle] in fans[first..].iter().take_while(|pair| **pair < [vertex, own.end]) {
                        let number = number as u32;
                        if !flood.is_reached(number, triangle)
                            && part.overlaps(&self.triangle(triangle), hair)
                        {
                            flood.reach(number, triangle);
                        }
                    }
                }
            }
            if !flood.pairs.is_empty() {
                break;
            }
        }
        // 3.
        let mut at = 0;
        while let Some(&[number, triangle]) = flood.pairs.get(at) {
            at += 1;
            let part = &parts[number as usize];
            let points = self.triangle(triangle);
            for (side, &next) in self.surface.beyond[triangle as usize].iter().enumerate() {
                // Most are known from another side.
                if next != NONE
                    && !flood.is_reached(number, next)
                    && part.goes_on([points[side], points[(side + 1) % 3]], || self.triangle(next))
                {
                    flood.reach(number, next);
                }
            }
            for (edge, &next) in part.beyond.iter().enumerate() {
                let ends = [part.ring[edge], part.ring[(edge + 1) % part.ring.len()]];
                if next != NONE && runs_through(ends, &points) {
                    flood.reach(next, triangle);
                }
            }
        }
        let mut list: Vec<u32> = flood.pairs.iter().map(|pair| pair[1]).collect();
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// Memory of a flood, to be used again.
#[derive(Default)]
struct Flood {
    /// Part and triangle, in the order in which they were reached.
    pairs: Vec<[u32; 2]>,
    /// What was reached, where there are several parts.
    seen: HashSet<[u32; 2]>,
    /// The last flood in which each triangle of the piece was reached, where there is one part, as most cells have.
    last: Vec<u32>,
    number: u32,
    has_parts: bool,
    first: u32,
}

impl Flood {
    /// Begins anew, over some parts and the triangles of a piece.
    fn begin(&mut self, parts: usize, triangles: Range<u32>) {
        self.pairs.clear();
        self.has_parts = parts > 1;
        self.first = triangles.start;
        if self.has_parts {
            self.seen.clear();
        } else {
            self.last.resize(self.last.len().max(triangles.len()), 0);
            self.number += 1;
        }
    }

    /// Whether a triangle was reached in a part.
    fn is_reached(&self, part: u32, triangle: u32) -> bool {
        if self.has_parts {
            self.seen.contains(&[part, triangle])
        } else {
            self.last[(triangle - self.first) as usize] == self.number
        }
    }

    fn reach(&mut self, part: u32, triangle: u32) {
        let is_new = if self.has_parts {
            self.seen.insert([part, triangle])
        } else {
            let last = &mut self.last[(triangle - self.first) as usize];
            std::mem::replace(last, self.number) != self.number
        };
        if is_new {
            self.pairs.push([part, triangle]);
        }
    }
}

/// What rounding does to points of a ring [m].
fn hair(ring: &[DVec2]) -> f64 {
    ring.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element())) * 2f64.powi(-48)
}

/// A cell as convex polygons: itself, or triangles.
fn parts(raw: &RawNavMesh, cell: u32) -> Vec<Part> {
    let range = raw.cell_starts[cell as usize]..raw.cell_starts[cell as usize + 1];
    let corners: Vec<u32> = range.collect();
    let ring: Vec<DVec2> =
        corners.iter().map(|&k| raw.vertices[raw.corners[k as usize] as usize].truncate()).collect();
    let n = ring.len();
    let is_convex = (0..n).all(|k| orient(ring[k], ring[(k + 1) % n], ring[(k + 2) % n]) >= 0.0);
    if is_convex {
        return Part::whole(ring, None, corners);
    }
    if raw.convex_distance == 0.0 {
        return Part::without_notches(ring, corners);
    }
    // A ring may touch itself; where it cannot be cut, it stands for the cell.
    let Ok(mesh) = Triangulation::build(std::slice::from_ref(&ring)) else {
        return Part::whole(ring, None, corners);
    };
    let is_first = |h: u32| mesh.is_inside(h) && h < mesh.next(h) && h < mesh.prev(h);
    let mut number = vec![NONE; mesh.half_edge_count()];
    let firsts: Vec<u32> = (0..mesh.half_edge_count() as u32).filter(|&h| is_first(h)).collect();
    for (part, &h) in firsts.iter().enumerate() {
        for side in [h, mesh.next(h), mesh.prev(h)] {
            number[side as usize] = part as u32;
        }
    }
    let part = |&h: &u32| {
        let sides = [h, mesh.next(h), mesh.prev(h)];
        let across = |h: u32| match mesh.role(h) {
            EdgeRole::Wall => NONE,
            _ => number[(h ^ 1) as usize],
        };
        Part {
            ring: sides.map(|h| mesh.point(mesh.origin(h))).to_vec(),
            notched: None,
            corners: sides.map(|h| corners[mesh.origin(h) as usize]).to_vec(),
            beyond: sides.map(across).to_vec(),
        }
    };
    firsts.iter().map(part).collect()
}

/// The convex hull, counter-clockwise, without points on its sides.
fn convex_hull(points: &[DVec2]) -> Vec<DVec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    sorted.dedup();
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && orient(a, b, p) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let lower = half(&mut sorted.iter().copied());
    let upper = half(&mut sorted.iter().rev().copied());
    [lower, upper].concat()
}

/// Whether the insides of two convex polygons meet: no edge of one has all of the other beyond it.
pub(crate) fn overlap(a: &[DVec2], b: &[DVec2]) -> bool {
    overlap_by(a, b, 0.0)
}

/// Whether two convex polygons overlap by more than a hair [m].
fn overlap_by(a: &[DVec2], b: &[DVec2], hair: f64) -> bool {
    let is_beside = |a: &[DVec2], b: &[DVec2]| {
        (0..a.len()).any(|k| {
            let (from, to) = (a[k], a[(k + 1) % a.len()]);
            let limit = hair * from.distance(to);
            b.iter().all(|&p| orient(from, to, p) <= limit)
        })
    };
    !is_beside(a, b) && !is_beside(b, a)
}

/// Whether a segment runs through the inside of a convex polygon.
fn runs_through([p, q]: [DVec2; 2], ring: &[DVec2]) -> bool {
    // Most sides of triangles under a large cell have an end inside it, which is soon found out.
    if is_inside(p, ring) || is_inside(q, ring) {
        return true;
    }
    let n = ring.len();
    let is_beyond = |k: usize| [p, q].iter().all(|&p| orient(ring[k], ring[(k + 1) % n], p) <= 0.0);
    let sides = || ring.iter().map(|&r| orient(p, q, r));
    sides().any(|side| side > 0.0) && sides().any(|side| side < 0.0) && !(0..n).any(is_beyond)
}

/// Whether a point lies inside a convex polygon, not on its boundary: in which of the triangles from the first corner, by
/// halving. O(log n).
fn is_inside(p: DVec2, ring: &[DVec2]) -> bool {
    let [first, second, .., last] = *ring else { return false };
    if orient(first, second, p) <= 0.0 || orient(first, last, p) >= 0.0 {
        return false;
    }
    let (mut low, mut high) = (1, ring.len() - 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if orient(first, ring[middle], p) >= 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    orient(ring[low], ring[high], p) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    /// A square with corners in the middle of its sides.
    fn square() -> Vec<DVec2> {
        [(0., 0.), (1., 0.), (2., 0.), (2., 1.), (2., 2.), (1., 2.), (0., 2.), (0., 1.)]
            .map(|(x, y)| dvec2(x, y))
            .into()
    }

    #[test]
    fn a_point_is_inside_or_not_wherever_the_ring_begins() {
        let mut ring = square();
        for _ in 0..ring.len() {
            ring.rotate_left(1);
            for (x, y) in
                (-2..=10).flat_map(|x| (-2..=10).map(move |y| (f64::from(x) / 4.0, f64::from(y) / 4.0)))
            {
                let expected = x > 0.0 && x < 2.0 && y > 0.0 && y < 2.0;
                assert_eq!(is_inside(dvec2(x, y), &ring), expected, "({x}, {y})");
            }
        }
    }

    #[test]
    fn what_lies_beside_notches_by_rounding_is_no_ground_of_the_cell() {
        // A line of corners that are as good as on it, with needles beyond it and the cell's triangles on this side.
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..2000 {
            let turn = random() * std::f64::consts::TAU;
            let (along, aside) = (dvec2(turn.cos(), turn.sin()), dvec2(-turn.sin(), turn.cos()));
            let at = |x: f64, y: f64| dvec2(1.3, -0.7) + along * x + aside * y;
            let mut places: Vec<f64> = (0..5).map(|_| random()).collect();
            places.sort_by(f64::total_cmp);
            let line: Vec<DVec2> = places.iter().map(|&x| at(x, 1e-13 * random())).collect();
            let far = [at(0.9, 0.4), at(0.1, 0.4)];
            let ring = [&line[..], &far[..]].concat();
            let n = ring.len();
            if (0..n).all(|k| orient(ring[k], ring[(k + 1) % n], ring[(k + 2) % n]) >= 0.0) {
                continue;
            }
            let parts = Part::without_notches(ring.clone(), (0..7).collect());
            for side in line.windows(2) {
                let needle = [side[1], side[0], at(-0.1, -1e-6)];
                let own = [side[0], side[1], at(0.5, 0.3)];
                assert!(!parts[0].goes_on([side[0], side[1]], || needle), "{ring:?}");
                let across = [side[0], own[2]];
                assert!(parts[0].goes_on(across, || own), "{ring:?}");
            }
        }
    }

    #[test]
    fn a_segment_along_a_side_or_through_a_corner_does_not_run_through() {
        let through =
            |a: (f64, f64), b: (f64, f64)| runs_through([dvec2(a.0, a.1), dvec2(b.0, b.1)], &square());
        assert!(through((-1., 1.), (3., 1.)) && through((0., 0.), (2., 2.)) && through((1., 1.), (5., 1.)));
        assert!(
            !through((0., 0.), (2., 0.)) && !through((-1., 0.), (0., -1.)) && !through((-1., 1.), (1., -1.))
        );
        assert!(!through((3., 1.), (5., 1.)));
    }
}
