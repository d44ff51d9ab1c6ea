//! From rings to a constrained Delaunay triangulation.
//!
//! Steps: 1. triangulate all corners  2. insert the walls  3. keep what lies inside them, with vertices (one per
//!   place) taken apart into fans (one per corner)
//! Cost: that of the triangulation, O(n log n) expected, plus linear time.

use super::{
    EdgeRole, NONE, Triangulation, delaunay::Delaunay, half_edges::HalfEdges, order::insertion_order,
};
use wayfare_core::DVec2;

/// Why rings could not be triangulated; none of it happens to rings that hold F1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TriangulationError {
    /// A coordinate that no triangulation takes.
    #[error("vertex {vertex} at ({x}, {y}) is not a number")]
    Vertex {
        /// Corner number over all rings.
        vertex: usize,
        /// Its coordinates.
        x: f64,
        /// Its coordinates.
        y: f64,
    },
    /// An edge crosses another or runs through a vertex.
    #[error("edge from vertex {vertex} at ({x}, {y}) crosses another edge or touches a vertex")]
    Edge {
        /// Corner at which the edge starts.
        vertex: usize,
        /// Its coordinates.
        x: f64,
        /// Its coordinates.
        y: f64,
    },
}

impl Triangulation {
    /// Triangulates the inside of rings that hold F1; the inside lies left of every edge. Vertex `k` is the
    /// `k`-th corner counted over all rings. Two edges of rings may lie back to back, as the sides of a wall without
    /// thickness: each is a wall of its own.
    pub fn build(rings: &[Vec<DVec2>]) -> Result<Self, TriangulationError> {
        let points: Vec<DVec2> = rings.iter().flatten().copied().collect();
        let mut following = Vec::with_capacity(points.len());
        for ring in rings {
            let start = following.len();
            following.extend((0..ring.len()).map(|k| start + (k + 1) % ring.len()));
        }
        if let Some(vertex) = points.iter().position(|p| !p.is_finite()) {
            let DVec2 { x, y } = points[vertex];
            return Err(TriangulationError::Vertex { vertex, x, y });
        }
        let edge_error = |vertex: usize| {
            let p = points.get(vertex).copied().unwrap_or_default();
            TriangulationError::Edge { vertex, x: p.x, y: p.y }
        };

        // 1. and 2.
        let mut delaunay = Delaunay::new(&points, &insertion_order(&points)).ok_or_else(|| edge_error(0))?;
        delaunay.index();
        // The inner side of each wall, and the corner at which it starts.
        let mut walls = Vec::with_capacity(points.len());
        let mut corner_of = vec![NONE; delaunay.edges.len()];
        for (corner, &end) in following.iter().enumerate() {
            let [from, to] = [corner, end].map(|k| delaunay.vertex_of[k]);
            let wall = delaunay.insert_wall(from, to).ok_or_else(|| edge_error(corner))?;
            if corner_of[wall as usize] != NONE {
                return Err(edge_error(corner));
            }
            corner_of[wall as usize] = corner as u32;
            walls.push(wall);
        }

        // 3. Each corner owns the triangles between its two walls, and every triangle belongs to corners. Edges get
        // new numbers as they are met, so that what lies together is together in memory.
        let all = &delaunay.edges;
        let mut mesh = Self {
            edges: HalfEdges::with_capacity(all.len()),
            roles: Vec::with_capacity(all.len() / 2),
            walls: vec![NONE; points.len()],
            points: Vec::new(),
        };
        let mut number = vec![NONE; all.len()];
        let mut renumber = |mesh: &mut Self, h: u32| {
            if number[h as usize] == NONE {
                let ours = mesh.edges.add(NONE, NONE) | h & 1;
                mesh.roles.push(EdgeRole::Diagonal);
                number[h as usize] = ours;
                // The two sides of a thin wall are two edges.
                let is_thin = [h, h ^ 1].iter().all(|&side| corner_of[side as usize] != NONE);
                if !is_thin {
                    number[(h ^ 1) as usize] = ours ^ 1;
                }
            }
            number[h as usize]
        };
        for (corner, &first) in walls.iter().enumerate() {
            let mut h = first;
            loop {
                let sides = [h, all.next(h), all.prev(h)];
                let ours = sides.map(|side| renumber(&mut mesh, side));
                mesh.edges.join(ours);
                mesh.edges.origins[ours[0] as usize] = corner as u32;
                if h == first {
                    mesh.walls[corner] = ours[0];
                    mesh.roles[(ours[0] >> 1) as usize] = EdgeRole::Wall;
                    mesh.edges.origins[(ours[0] ^ 1) as usize] = following[corner] as u32;
                }
                let incoming = corner_of[sides[2] as usize];
                if incoming != NONE && following[incoming as usize] == corner {
                    break;
                }
                // The outside of a wall cannot be inside: the rings cross or do not run the right way round.
                h = sides[2] ^ 1;
                let is_outside = incoming != NONE || corner_of[h as usize] != NONE;
                if is_outside || all.origin(sides[2]) == delaunay.ghost() {
                    return Err(edge_error(corner));
                }
            }
        }
        // Every corner of a triangle inside has its fan. Where one has none, the triangle lies beyond a wall: a hole outside
        // of its outline, say.
        let is_strange = |h: &u32| mesh.is_inside(*h) && mesh.origin(*h) == NONE;
        if let Some(h) = (0..mesh.half_edge_count() as u32).find(is_strange) {
            let around = [mesh.next(h), mesh.prev(h)].map(|h| mesh.origin(h) as usize);
            return Err(edge_error(around[0].min(around[1])));
        }
        mesh.points = points;
        Ok(mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    fn ring(points: &[(f64, f64)]) -> Vec<DVec2> {
        points.iter().map(|&(x, y)| dvec2(x, y)).collect()
    }
    fn triangle_area_sum(mesh: &Triangulation) -> f64 {
        let mut twice = 0.0;
        for h in 0..mesh.half_edge_count() as u32 {
            if mesh.is_inside(h) {
                let [a, b, c] = [h, mesh.next(h), mesh.prev(h)].map(|h| mesh.point(mesh.origin(h)));
                twice += (b - a).perp_dot(c - a);
            }
        }
        twice / 6.0
    }

    #[test]
    fn triangles_fill_a_square_with_a_hole() {
        let rings = [
            ring(&[(0., 0.), (4., 0.), (4., 4.), (0., 4.)]),
            ring(&[(1., 1.), (1., 2.), (2., 2.), (2., 1.)]),
        ];
        let mesh = Triangulation::build(&rings).unwrap();
        assert_eq!(triangle_area_sum(&mesh), 15.0);
        assert_eq!(mesh.vertex_count(), 8);
        for v in 0..8 {
            assert!(mesh.leaving(v).all(|h| mesh.origin(h) == v));
        }
    }

    #[test]
    fn a_pinch_point_keeps_its_fans_apart() {
        // Two holes that touch in (2, 2): one coordinate, two corners, each with a fan of its own.
        let rings = [
            ring(&[(0., 0.), (4., 0.), (4., 4.), (0., 4.)]),
            ring(&[(1., 1.), (1., 2.), (2., 2.), (2., 3.), (3., 3.), (3., 2.), (2., 2.), (2., 1.)]),
        ];
        let mesh = Triangulation::build(&rings).unwrap();
        assert_eq!(triangle_area_sum(&mesh), 14.0);
        let (a, b) = (6, 10);
        assert_eq!(mesh.point(a), mesh.point(b));
        let fan = |v: u32| mesh.leaving(v).map(|h| mesh.target(h)).collect::<Vec<_>>();
        assert!(fan(a).iter().all(|v| !fan(b).contains(v)), "{:?} {:?}", fan(a), fan(b));
    }

    #[test]
    fn a_wall_without_thickness_has_two_sides() {
        // From the middle of the lower side into a square, and one that stands free.
        let rings = [
            ring(&[(0., 0.), (2., 0.), (2., 2.), (2., 0.), (4., 0.), (4., 4.), (0., 4.)]),
            ring(&[(1., 1.), (1., 3.)]),
        ];
        let mesh = Triangulation::build(&rings).unwrap();
        assert_eq!(triangle_area_sum(&mesh), 16.0);
        let walls = (0..mesh.edge_count() as u32).filter(|&edge| mesh.role(edge << 1) == EdgeRole::Wall);
        assert_eq!(walls.count(), 9);
        for v in 0..9 {
            assert!(mesh.leaving(v).all(|h| mesh.origin(h) == v));
            assert_eq!(mesh.origin(mesh.wall(v)), v);
        }
        // No triangle has corners on both sides of a wall.
        assert!(mesh.leaving(1).all(|h| mesh.point(mesh.target(h)).x <= 2.0));
        assert!(mesh.leaving(3).all(|h| mesh.point(mesh.target(h)).x >= 2.0));
        // Round the ends of walls there is ground on all sides.
        for tip in [2, 7, 8] {
            let last = mesh.leaving(tip).last().unwrap();
            let [first, last] = [mesh.wall(tip), mesh.prev(last) ^ 1].map(|h| mesh.point(mesh.target(h)));
            assert_eq!(first, last);
        }
    }

    #[test]
    fn crossing_rings_are_refused() {
        let bow_tie = [ring(&[(0., 0.), (2., 2.), (2., 0.), (0., 2.)])];
        assert!(Triangulation::build(&bow_tie).is_err());
        let backwards = [ring(&[(0., 0.), (0., 2.), (2., 2.), (2., 0.)])];
        assert!(Triangulation::build(&backwards).is_err());
    }

    proptest! {
        #[test]
        fn any_rings_are_refused_or_filled_once(
            rings in prop::collection::vec(prop::collection::vec((0..7i32, 0..7i32), 2..7), 1..4),
        ) {
            let point = |&(x, y): &(i32, i32)| dvec2(f64::from(x), f64::from(y));
            let rings: Vec<Vec<DVec2>> = rings.iter().map(|ring| ring.iter().map(point).collect()).collect();
            if let Ok(mesh) = Triangulation::build(&rings) {
                for v in 0..mesh.vertex_count() as u32 {
                    prop_assert!(mesh.leaving(v).all(|h| mesh.origin(h) == v));
                }
                // The shoelace formula knows nothing of triangles.
                let area: f64 = rings.iter().map(|ring| crate::ring_area(ring)).sum();
                prop_assert!((triangle_area_sum(&mesh) - area).abs() < 1e-9, "{} {area}", triangle_area_sum(&mesh));
            }
        }
    }

    #[test]
    fn rings_on_the_wrong_side_of_others_are_refused() {
        // A square in which the middle of the right side is drawn in, with a hole in the bay, just outside.
        let bay = ring(&[(0., 0.), (9., 0.), (9., 3.), (5., 4.), (9., 5.), (9., 9.), (0., 9.)]);
        let outside = ring(&[(7., 4.), (8., 4.2), (8., 3.8)]);
        let within = ring(&[(1., 1.), (2., 1.), (2., 2.)]);
        for rings in [vec![bay.clone(), outside], vec![bay, within]] {
            let refused = Triangulation::build(&rings);
            assert!(matches!(refused, Err(TriangulationError::Edge { .. })), "{refused:?}");
        }
    }
}
