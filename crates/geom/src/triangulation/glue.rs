//! Triangulations of several plans become one, of a surface that may overlap itself seen from above.
//!
//! Idea: where two plans share an edge, their two walls become one diagonal. All that is done to a triangulation walks
//!   from triangle to triangle and never asks what lies at a place, so the result is used as if it lay flat.
//! Steps: 1. corners that meet across seams are one vertex  2. the two sides of a seam get one edge; vertices that have
//!   nothing but seams are inside now and are taken out  3. vertices that the ground goes round once or more keep
//!   their seams as portals, or get others that part their angle  4. circles are made empty across seams.
//! Promises: every vertex lies on the boundary and has one fan. Vertices are numbered by their first corners, edges as
//!   they come, so the result depends on the order of the parts alone.
//! Cost: linear, but for the flips.

use super::{EdgeRole, NONE, Triangulation, half_edges::HalfEdges};
use crate::predicates::orient;

/// Triangulations glued together.
#[derive(Clone, Debug)]
pub struct Glued {
    /// The whole.
    pub mesh: Triangulation,
    /// The vertex of each corner; corners are counted over all parts. [`NONE`] for those of vertices inside.
    pub vertex_of: Vec<u32>,
    /// For each vertex, the corner whose wall it keeps.
    pub wall_corners: Vec<u32>,
    /// Vertices that the ground goes round once or more, ascending. They have portals that have to stay: only between those
    /// angles tell which of two places comes first.
    pub wide: Vec<u32>,
}

/// Why parts could not be glued.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GlueError {
    /// The two walls of a seam do not join the same two points, or one is in another seam.
    #[error("the edges from corners {0} and {1} are not the two sides of one seam")]
    Seam(u32, u32),
    /// A vertex with nothing but seams cannot be taken out.
    #[error("the ground at corner {0}, where all edges are seams, does not go round it once")]
    Inner(u32),
}

impl Triangulation {
    /// Joins parts at pairs of walls, which run in opposite directions; a wall is named by the corner it starts from,
    /// counted over all parts.
    pub fn glue(parts: &[Self], seams: &[[u32; 2]]) -> Result<Glued, GlueError> {
        let whole = Self::side_by_side(parts);
        let mut across = vec![NONE; whole.points.len()];
        for &[a, b] in seams {
            whole.check_seam(a, b, &across)?;
            across[a as usize] = b;
            across[b as usize] = a;
        }

        // 1. Each vertex keeps the one wall of its corners that is no seam: clockwise from any of them.
        let mut number = vec![NONE; across.len()];
        let (mut vertex_of, mut wall_corners, mut points) = (Vec::new(), Vec::new(), Vec::new());
        // The first corner of vertices inside, by their numbers.
        let mut inner: Vec<(u32, u32)> = Vec::new();
        for corner in 0..across.len() as u32 {
            let (mut last, mut least) = (corner, corner);
            let mut is_inner = false;
            while across[last as usize] != NONE && !is_inner {
                last = whole.target(whole.wall(across[last as usize]));
                least = least.min(last);
                is_inner = last == corner;
            }
            let vertex = &mut number[if is_inner { least } else { last } as usize];
            if *vertex == NONE {
                *vertex = wall_corners.len() as u32;
                if is_inner {
                    inner.push((*vertex, corner));
                }
                wall_corners.push(if is_inner { NONE } else { last });
                points.push(whole.point(corner));
            }
            vertex_of.push(*vertex);
        }

        // 2. The second side of a seam becomes the twin of the first.
        let mut is_second = vec![false; whole.edge_count()];
        for &[_, b] in seams {
            is_second[(whole.wall(b) >> 1) as usize] = true;
        }
        let mut first_half = Vec::with_capacity(whole.edge_count());
        let mut count = 0;
        for &is_second in &is_second {
            first_half.push(count);
            count += if is_second { 0 } else { 2 };
        }
        for &[a, b] in seams {
            let (kept, gone) = (whole.wall(a), whole.wall(b));
            first_half[(gone >> 1) as usize] = first_half[(kept >> 1) as usize] ^ (kept & 1) ^ 1 ^ (gone & 1);
        }
        let renamed = |h: u32| first_half[(h >> 1) as usize] ^ (h & 1);
        let mut edges = HalfEdges { origins: vec![NONE; count as usize], nexts: vec![NONE; count as usize] };
        let mut roles = vec![EdgeRole::Diagonal; count as usize / 2];
        for h in 0..whole.half_edge_count() as u32 {
            let new = renamed(h);
            edges.origins[new as usize] = vertex_of[whole.origin(h) as usize];
            if whole.is_inside(h) {
                edges.nexts[new as usize] = renamed(whole.next(h));
            }
            roles[(new >> 1) as usize] = whole.role(h);
        }
        let mut seam_edges: Vec<u32> = seams.iter().map(|&[a, _]| renamed(whole.wall(a))).collect();
        for &h in &seam_edges {
            roles[(h >> 1) as usize] = EdgeRole::Diagonal;
        }
        let wall = |&corner: &u32| if corner == NONE { NONE } else { renamed(whole.wall(corner)) };
        let walls = wall_corners.iter().map(wall).collect();
        let mut mesh = Self { points, edges, roles, walls };
        if !inner.is_empty() {
            let moved = mesh.remove_inner().map_err(|vertex| {
                let found = inner.binary_search_by_key(&vertex, |entry| entry.0);
                GlueError::Inner(found.map_or(0, |k| inner[k].1))
            })?;
            seam_edges = seam_edges.iter().map(|&h| moved[h as usize]).filter(|&h| h != NONE).collect();
            let mut new_number = Vec::with_capacity(wall_corners.len());
            let mut count = 0;
            for &corner in &wall_corners {
                new_number.push(if corner == NONE { NONE } else { count });
                count += u32::from(corner != NONE);
            }
            vertex_of.iter_mut().for_each(|vertex| *vertex = new_number[*vertex as usize]);
            wall_corners.retain(|&corner| corner != NONE);
        }

        // 3. Seams themselves may be gone with vertices that were taken out.
        let corners = seams.iter().flatten().flat_map(|&corner| [corner, whole.target(whole.wall(corner))]);
        let mut ends: Vec<u32> = corners.map(|corner| vertex_of[corner as usize]).collect();
        ends.sort_unstable();
        ends.dedup();
        let is_wide = |&v: &u32| v != NONE && mesh.goes_once_round(v);
        let wide: Vec<u32> = ends.into_iter().filter(is_wide).collect();
        let is_wide = |v: u32| wide.binary_search(&v).is_ok();
        for &h in &seam_edges {
            if is_wide(mesh.origin(h)) || is_wide(mesh.target(h)) {
                mesh.roles[(h >> 1) as usize] = EdgeRole::Portal;
            }
        }
        for &v in &wide {
            mesh.part(v);
        }

        // 4.
        let mut pending = seam_edges;
        let roles = &mesh.roles;
        mesh.edges.restore(
            &mesh.points,
            &mut pending,
            |h| roles[(h >> 1) as usize] != EdgeRole::Diagonal,
            |_, _| {},
        );
        Ok(Glued { mesh, vertex_of, wall_corners, wide })
    }

    /// All parts in one, not yet joined.
    fn side_by_side(parts: &[Self]) -> Self {
        let edges = HalfEdges { origins: Vec::new(), nexts: Vec::new() };
        let mut whole = Self { points: Vec::new(), edges, roles: Vec::new(), walls: Vec::new() };
        for part in parts {
            let (vertex, half_edge) = (whole.points.len() as u32, whole.edges.len() as u32);
            let moved = |h: &u32| if *h == NONE { NONE } else { h + half_edge };
            whole.points.extend(&part.points);
            whole.edges.origins.extend(part.edges.origins.iter().map(|v| v + vertex));
            whole.edges.nexts.extend(part.edges.nexts.iter().map(moved));
            whole.roles.extend(&part.roles);
            whole.walls.extend(part.walls.iter().map(moved));
        }
        whole
    }

    /// Both walls are there, free, and run between the same points in opposite directions.
    fn check_seam(&self, a: u32, b: u32, across: &[u32]) -> Result<(), GlueError> {
        let is_free = |corner: u32| across.get(corner as usize) == Some(&NONE);
        let ends = |corner: u32| [corner, self.target(self.wall(corner))].map(|v| self.point(v));
        if a != b && is_free(a) && is_free(b) {
            let ([from, to], back) = (ends(a), ends(b));
            if back == [to, from] {
                return Ok(());
            }
        }
        Err(GlueError::Seam(a, b))
    }

    /// Makes portals of as few edges of a vertex as leave no angle over 180 degrees between its portals.
    fn part(&mut self, v: u32) {
        let at = self.point(v);
        let fan: Vec<u32> = self.leaving(v).collect();
        let mut from = self.wall(v);
        // An edge and the one before it span a triangle, so the one before it will do where it does not.
        let mut before = from;
        for h in fan.into_iter().skip(1).chain([NONE]) {
            let to = if h == NONE { self.origin(self.prev(before)) } else { self.target(h) };
            if orient(at, self.point(self.target(from)), self.point(to)) < 0.0 && before != from {
                self.roles[(before >> 1) as usize] = EdgeRole::Portal;
                from = before;
            }
            if h != NONE && self.role(h) == EdgeRole::Portal {
                from = h;
            }
            before = h;
        }
    }

    /// Whether the angle of a vertex, from its outgoing to its incoming wall, is 360 degrees or more.
    fn goes_once_round(&self, v: u32) -> bool {
        let at = self.point(v);
        let first = self.point(self.target(self.wall(v)));
        // Directions on the right of the first come after half a turn, and those on its left again after a whole one.
        let mut is_past_half = false;
        self.leaving(v).any(|h| {
            let side = orient(at, first, self.point(self.origin(self.prev(h))));
            let is_round = is_past_half && side >= 0.0;
            is_past_half |= side < 0.0;
            is_round
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::{DVec2, dvec2};

    fn part(points: &[(f64, f64)]) -> Triangulation {
        Triangulation::build(&[points.iter().map(|&(x, y)| dvec2(x, y)).collect::<Vec<DVec2>>()]).unwrap()
    }

    fn check_links(mesh: &Triangulation) {
        for h in 0..mesh.half_edge_count() as u32 {
            if mesh.is_inside(h) {
                assert_eq!(mesh.next(mesh.next(mesh.next(h))), h);
                assert_eq!(mesh.target(h), mesh.origin(mesh.next(h)));
                let [a, b, c] = [h, mesh.next(h), mesh.prev(h)].map(|h| mesh.point(mesh.origin(h)));
                assert!(orient(a, b, c) > 0.0);
            } else {
                assert_eq!(mesh.role(h), EdgeRole::Wall);
            }
        }
        for v in 0..mesh.vertex_count() as u32 {
            assert!(mesh.leaving(v).all(|h| mesh.origin(h) == v));
            assert_eq!(mesh.role(mesh.wall(v)), EdgeRole::Wall);
        }
    }

    #[test]
    fn two_squares_become_one_rectangle() {
        let left = part(&[(0., 0.), (1., 0.), (1., 1.), (0., 1.)]);
        let right = part(&[(1., 0.), (2., 0.), (2., 1.), (1., 1.)]);
        let glued = Triangulation::glue(&[left, right], &[[1, 7]]).unwrap();
        check_links(&glued.mesh);
        assert_eq!(glued.vertex_of, [0, 1, 2, 3, 1, 4, 5, 2]);
        assert_eq!((glued.mesh.vertex_count(), glued.mesh.edge_count()), (6, 9));
        assert!(glued.wide.is_empty());
        let walls = (0..9).filter(|&edge| glued.mesh.role(edge << 1) == EdgeRole::Wall).count();
        assert_eq!(walls, 6);
    }

    #[test]
    fn a_ramp_round_a_pole_that_is_a_point_keeps_its_seams_there() {
        // Five quarters round the origin, one over the other at the end.
        let quarters = [
            [(0., 0.), (2., 0.), (0., 2.)],
            [(0., 0.), (0., 2.), (-2., 0.)],
            [(0., 0.), (-2., 0.), (0., -2.)],
            [(0., 0.), (0., -2.), (2., 0.)],
            [(0., 0.), (2., 0.), (0., 2.)],
        ];
        let parts: Vec<Triangulation> = quarters.iter().map(|quarter| part(quarter)).collect();
        let seams: Vec<[u32; 2]> = (0..4).map(|k| [3 * k + 2, 3 * k + 3]).collect();
        let glue = |n: usize| Triangulation::glue(&parts[..n], &seams[..n - 1]).unwrap();
        for n in 1..=5 {
            check_links(&glue(n).mesh);
            assert_eq!(glue(n).mesh.vertex_count(), n + 2);
        }
        assert_eq!((glue(3).wide.len(), glue(3).mesh.portal_count()), (0, 0));
        assert_eq!((glue(4).wide, glue(4).mesh.portal_count()), (vec![0], 3), "walls over each other");
        assert_eq!((glue(5).wide, glue(5).mesh.portal_count()), (vec![0], 4));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let left = part(&[(0., 0.), (1., 0.), (1., 1.), (0., 1.)]);
        let right = part(&[(1., 0.), (2., 0.), (2., 1.), (1., 1.)]);
        let glue =
            |seams: &[[u32; 2]]| Triangulation::glue(&[left.clone(), right.clone()], seams).unwrap_err();
        assert_eq!(glue(&[[0, 7]]), GlueError::Seam(0, 7));
        assert_eq!(glue(&[[1, 9]]), GlueError::Seam(1, 9));
        assert_eq!(glue(&[[1, 7], [1, 7]]), GlueError::Seam(1, 7));
        let quarters = [(2., 0.), (0., 2.), (-2., 0.), (0., -2.)];
        let parts: Vec<Triangulation> =
            (0..4).map(|k| part(&[(0., 0.), quarters[k], quarters[(k + 1) % 4]])).collect();
        let seams: Vec<[u32; 2]> = (0..4).map(|k| [3 * k + 2, (3 * k + 3) % 12]).collect();
        // Nothing but seams at the middle: it goes.
        let glued = Triangulation::glue(&parts, &seams).unwrap();
        check_links(&glued.mesh);
        assert_eq!((glued.mesh.vertex_count(), glued.mesh.edge_count()), (4, 5));
        assert_eq!(glued.vertex_of[..3], [NONE, 0, 1]);
    }
}
