//! Changing a triangulation: cutting along a segment, splitting a wall, taking a cut back.

use super::{EdgeRole, NONE, Triangulation, half_edges::CutScratch};
use crate::predicates::orient;
use wayfare_core::DVec2;

/// Memory of cutting portals, to be used again.
#[derive(Clone, Debug, Default)]
pub struct PortalScratch {
    crossed: Vec<u32>,
    cut: CutScratch,
    pending: Vec<u32>,
}

impl Triangulation {
    /// The plain edges that the open segment between two vertices crosses, in order, seen as half-edges with
    /// `from` on their left; `None` if the segment leaves the fan, meets a wall, a portal or another vertex.
    /// An empty list means that the two are joined by an edge already.
    pub fn find_crossed(&self, from: u32, to: u32, crossed: &mut Vec<u32>) -> Option<()> {
        crossed.clear();
        let (p, q) = (self.point(from), self.point(to));
        // The triangle of the fan that the segment leaves through.
        let mut exit = NONE;
        for h in self.leaving(from) {
            let (right, left) = (self.target(h), self.origin(self.prev(h)));
            if right == to || left == to {
                let joint = if right == to { h } else { self.prev(h) };
                return (self.role(joint) != EdgeRole::Wall).then_some(());
            }
            if orient(p, self.point(right), q) > 0.0 && orient(p, self.point(left), q) < 0.0 {
                exit = self.next(h);
                break;
            }
        }
        if exit == NONE {
            return None;
        }
        let is_fixed = |h: u32| self.role(h) != EdgeRole::Diagonal;
        self.edges.find_crossed(&self.points, [from, to], exit, is_fixed, crossed)
    }

    /// Makes the segment between two vertices a portal; `None`, and nothing changed, if it cannot be one.
    pub fn insert_portal(&mut self, from: u32, to: u32, scratch: &mut PortalScratch) -> Option<u32> {
        let PortalScratch { crossed, cut, pending } = scratch;
        self.find_crossed(from, to, crossed)?;
        if crossed.is_empty() {
            let h = self.find_edge(from, to)?;
            self.roles[(h >> 1) as usize] = EdgeRole::Portal;
            return Some(h >> 1);
        }
        let edge = self.edges.cut(&self.points, [from, to], crossed, cut) >> 1;
        self.roles[edge as usize] = EdgeRole::Portal;
        // Later looks walk over triangles, and slivers are long walks.
        pending.clear();
        pending.extend(crossed.iter().filter(|&&h| h >> 1 != edge));
        let roles = &self.roles;
        let is_fixed = |h: u32| roles[(h >> 1) as usize] != EdgeRole::Diagonal;
        self.edges.restore(&self.points, pending, is_fixed, |_, _| {});
        Some(edge)
    }

    /// Makes the diagonal of `h` a portal.
    pub fn make_portal(&mut self, h: u32) {
        debug_assert_eq!(self.role(h), EdgeRole::Diagonal);
        self.roles[(h >> 1) as usize] = EdgeRole::Portal;
    }

    /// Makes every diagonal a portal: all cells are triangles.
    pub fn make_all_portals(&mut self) {
        for role in self.roles.iter_mut().filter(|role| **role == EdgeRole::Diagonal) {
            *role = EdgeRole::Portal;
        }
    }

    /// Number of portals.
    pub fn portal_count(&self) -> usize {
        self.roles.iter().filter(|&&role| role == EdgeRole::Portal).count()
    }

    /// Turns a portal back into a plain diagonal.
    pub fn remove_portal(&mut self, edge: u32) {
        debug_assert_eq!(self.roles[edge as usize], EdgeRole::Portal);
        self.roles[edge as usize] = EdgeRole::Diagonal;
    }

    /// Splits a wall (seen from inside) at a point; returns the new vertex, which starts the second half.
    pub fn split_wall(&mut self, wall: u32, at: DVec2) -> u32 {
        debug_assert!(self.role(wall) == EdgeRole::Wall && self.is_inside(wall));
        let (to_apex, from_apex) = (self.next(wall), self.prev(wall));
        let (end, apex) = (self.target(wall), self.origin(from_apex));
        let vertex = self.points.len() as u32;
        self.points.push(at);
        let rest = self.edges.add(vertex, end);
        let spoke = self.edges.add(vertex, apex);
        self.edges.origins[(wall ^ 1) as usize] = vertex;
        self.edges.join([wall, spoke, from_apex]);
        self.edges.join([rest, to_apex, spoke ^ 1]);
        self.roles.extend([EdgeRole::Wall, EdgeRole::Diagonal]);
        self.walls.push(rest);
        vertex
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn check_links(mesh: &Triangulation) {
        for h in 0..mesh.half_edge_count() as u32 {
            if mesh.is_inside(h) {
                assert_eq!(mesh.next(mesh.prev(h)), h);
                assert_eq!(mesh.target(h), mesh.origin(mesh.next(h)));
                let [a, b, c] = [h, mesh.next(h), mesh.prev(h)].map(|h| mesh.point(mesh.origin(h)));
                assert!(orient(a, b, c) > 0.0);
            } else {
                assert_eq!(mesh.role(h), EdgeRole::Wall);
            }
        }
    }

    /// A comb: a square whose top edge has deep teeth.
    fn comb(teeth: usize) -> Triangulation {
        let mut ring = vec![dvec2(0.0, 0.0), dvec2(4.0 * teeth as f64, 0.0)];
        for k in (0..teeth).rev() {
            let x = 4.0 * k as f64;
            ring.extend([dvec2(x + 4.0, 9.0), dvec2(x + 3.0, 1.0 + 0.01 * k as f64), dvec2(x + 1.0, 9.5)]);
        }
        ring.push(dvec2(0.0, 9.0));
        Triangulation::build(&[ring]).unwrap()
    }

    #[test]
    fn a_portal_is_cut_through_many_diagonals_and_taken_back() {
        let mut mesh = comb(30);
        check_links(&mesh);
        let mut crossed = PortalScratch::default();
        let first = 0;
        let last_tooth = 3;
        let edge = mesh.insert_portal(first, last_tooth, &mut crossed).expect("the row of teeth is in sight");
        check_links(&mesh);
        assert_eq!(mesh.role(edge << 1), EdgeRole::Portal);
        assert!(mesh.find_edge(first, last_tooth).is_some());
        let walls = mesh.roles.iter().filter(|&&role| role == EdgeRole::Wall).count();
        assert_eq!(walls, mesh.vertex_count());
        mesh.remove_portal(edge);
        assert_eq!(mesh.role(edge << 1), EdgeRole::Diagonal);
    }

    #[test]
    fn a_segment_through_a_wall_or_a_portal_or_a_vertex_is_no_portal() {
        let mut mesh = comb(3);
        let mut crossed = PortalScratch::default();
        let (spike_a, spike_b) = (4, 7);
        let before = mesh.clone().roles;
        assert_eq!(mesh.insert_portal(spike_a, spike_b, &mut crossed), None);
        assert_eq!(mesh.roles, before);
        assert!(mesh.insert_portal(0, 3, &mut crossed).is_some());
        assert_eq!(mesh.insert_portal(1, 6, &mut crossed), None, "crosses the first portal");
    }

    #[test]
    fn a_wall_is_split_into_two() {
        let mut mesh = comb(2);
        let wall = mesh.wall(0);
        let vertex = mesh.split_wall(wall, dvec2(2.5, 0.0));
        check_links(&mesh);
        assert_eq!(mesh.target(mesh.wall(0)), vertex);
        assert_eq!(mesh.target(mesh.wall(vertex)), 1);
        assert!(mesh.leaving(vertex).all(|h| mesh.origin(h) == vertex));
        assert!(mesh.leaving(1).all(|h| mesh.origin(h) == 1));
    }
}
