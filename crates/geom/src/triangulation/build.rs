//! From rings to a constrained Delaunay triangulation.
//!
//! The crate `spade` triangulates; here its faces are copied into flat half-edges, kept only inside the
//! walls, and its vertices (one per coordinate) are taken apart into fans (one per ring corner).
//!
//! Cost: that of `spade`, O(n log n), plus linear time.

use super::{EdgeRole, NONE, Triangulation};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};
use wayfare_core::DVec2;

/// Why rings could not be triangulated; none of it happens to rings that hold F1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TriangulationError {
    /// A coordinate that no triangulation takes.
    #[error("vertex {vertex} at ({x}, {y}) cannot be triangulated: {reason}")]
    Vertex {
        /// Corner number over all rings.
        vertex: usize,
        /// Its coordinates.
        x: f64,
        /// Its coordinates.
        y: f64,
        /// What is wrong.
        reason: String,
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

/// One side of an edge of `spade`, as the index of its directed edge.
fn side(edge: spade::handles::FixedDirectedEdgeHandle) -> usize {
    edge.index()
}

impl Triangulation {
    /// Triangulates the inside of rings that hold F1; the inside lies left of every edge. Vertex `k` is the
    /// `k`-th corner counted over all rings.
    pub fn build(rings: &[Vec<DVec2>]) -> Result<Self, TriangulationError> {
        let points: Vec<DVec2> = rings.iter().flatten().copied().collect();
        let mut following = Vec::with_capacity(points.len());
        for ring in rings {
            let start = following.len();
            following.extend((0..ring.len()).map(|k| start + (k + 1) % ring.len()));
        }
        let vertex_error = |vertex: usize, reason: String| {
            let p = points[vertex];
            TriangulationError::Vertex { vertex, x: p.x, y: p.y, reason }
        };
        let edge_error = |vertex: usize| {
            let p = points[vertex];
            TriangulationError::Edge { vertex, x: p.x, y: p.y }
        };

        // 1. One point per coordinate: `spade` would drop doubles and renumber.
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        let key = |k: u32| points[k as usize];
        order.sort_unstable_by(|&a, &b| {
            let (p, q) = (key(a), key(b));
            p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(a.cmp(&b))
        });
        let mut place_of = vec![0usize; points.len()];
        let mut places: Vec<Point2<f64>> = Vec::with_capacity(points.len());
        let mut last = None;
        for &k in &order {
            let p = key(k);
            if last != Some(p) {
                // Adding zero turns −0 into 0: equal coordinates must be equal bits.
                let place = Point2::new(p.x + 0.0, p.y + 0.0);
                spade::validate_vertex(&place).map_err(|e| vertex_error(k as usize, e.to_string()))?;
                places.push(place);
                last = Some(p);
            }
            place_of[k as usize] = places.len() - 1;
        }

        // 2. Triangulate with the walls as constraints.
        let walls: Vec<[usize; 2]> =
            (0..points.len()).map(|k| [place_of[k], place_of[following[k]]]).collect();
        let mut conflict = false;
        let cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(places, walls, |_| {
            conflict = true;
        })
        .map_err(|e| vertex_error(0, e.to_string()))?;

        // 3. Mark the sides of the walls that face inside.
        let mut wall_of_side = vec![NONE; cdt.num_directed_edges()];
        for k in 0..points.len() {
            let handle = spade::handles::FixedVertexHandle::from_index;
            let found = cdt.get_edge_from_neighbors(handle(place_of[k]), handle(place_of[following[k]]));
            match found {
                Some(edge) if edge.is_constraint_edge() && wall_of_side[side(edge.fix())] == NONE => {
                    wall_of_side[side(edge.fix())] = k as u32;
                }
                _ => return Err(edge_error(k)),
            }
        }
        if conflict {
            return Err(edge_error(0));
        }

        // 4. Flood from the walls: a face is inside if a wall has it on its left. Number the edges met.
        let mut number_of_edge = vec![NONE; cdt.num_undirected_edges()];
        let mut inside = vec![false; cdt.num_all_faces()];
        let mut stack = Vec::new();
        for edge in cdt.directed_edges() {
            if wall_of_side[side(edge.fix())] != NONE {
                stack.push(edge.fix());
            }
        }
        stack.reverse();
        let mut mesh = Self {
            points: points.clone(),
            origins: Vec::new(),
            nexts: Vec::new(),
            roles: Vec::new(),
            walls: vec![NONE; place_of.len()],
        };
        // The half-edge of ours that is the given side of one of spade's edges.
        let half_edge =
            |mesh: &mut Self, number: &mut [u32], edge: spade::handles::FixedDirectedEdgeHandle| {
                let undirected = edge.as_undirected().index();
                if number[undirected] == NONE {
                    number[undirected] = mesh.roles.len() as u32;
                    mesh.roles.push(EdgeRole::Diagonal);
                    mesh.origins.extend([NONE; 2]);
                    mesh.nexts.extend([NONE; 2]);
                }
                let forward = edge.as_undirected().as_directed() == edge;
                number[undirected] * 2 + u32::from(!forward)
            };
        while let Some(edge) = stack.pop() {
            let face = cdt.directed_edge(edge).face();
            let Some(inner) = face.as_inner() else {
                return Err(edge_error(wall_of_side[side(edge)] as usize % mesh.points.len()));
            };
            if std::mem::replace(&mut inside[face.fix().index()], true) {
                continue;
            }
            let sides = inner.adjacent_edges().map(|e| e.fix());
            let ours = sides.map(|e| half_edge(&mut mesh, &mut number_of_edge, e));
            for k in 0..3 {
                mesh.nexts[ours[k] as usize] = ours[(k + 1) % 3];
                let wall = wall_of_side[side(sides[k])];
                if wall != NONE {
                    mesh.roles[(ours[k] >> 1) as usize] = EdgeRole::Wall;
                    mesh.walls[wall as usize] = ours[k];
                } else if wall_of_side[side(sides[k].rev())] != NONE {
                    // The outside of a wall cannot be inside: the rings do not run the right way round.
                    return Err(edge_error(wall_of_side[side(sides[k].rev())] as usize));
                } else {
                    stack.push(sides[k].rev());
                }
            }
        }

        // 5. Take coordinates apart into fans: each corner owns what lies between its two walls.
        for vertex in 0..mesh.points.len() as u32 {
            let mut h = mesh.walls[vertex as usize];
            if h == NONE {
                return Err(edge_error(vertex as usize));
            }
            while h != NONE {
                mesh.origins[h as usize] = vertex;
                h = mesh.rotate(h);
            }
        }
        for (&wall, &end) in mesh.walls.iter().zip(&following) {
            mesh.origins[(wall ^ 1) as usize] = end as u32;
        }
        if let Some(missed) = mesh.origins.iter().position(|&v| v == NONE) {
            return Err(edge_error(missed % mesh.points.len()));
        }
        Ok(mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn crossing_rings_are_refused() {
        let bow_tie = [ring(&[(0., 0.), (2., 2.), (2., 0.), (0., 2.)])];
        assert!(Triangulation::build(&bow_tie).is_err());
        let backwards = [ring(&[(0., 0.), (0., 2.), (2., 2.), (2., 0.)])];
        assert!(Triangulation::build(&backwards).is_err());
    }
}
