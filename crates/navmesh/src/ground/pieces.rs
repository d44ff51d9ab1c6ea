//! The ground of a cell as convex pieces: its triangles, cut off at the cell's edges.
//!
//! Source: I. E. Sutherland and G. W. Hodgman 1974, "Reentrant polygon clipping". A cell that is not quite convex is cut
//!   into convex parts first.
//! Sides are exact. Where a piece is cut, both cells at the cut compute the point from the same numbers in the same
//! order.
//! Cost: O(triangles × edges of the cell at their height).

use crate::{
    mesh::{CellId, NavMesh},
    search::split::{convex_pieces, is_convex},
};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::{Aabb2, predicates::orient};

impl NavMesh {
    /// Visits the pieces of a cell's ground: convex polygons in space, counter-clockwise seen from above, that fill the
    /// cell. A cell without a list of triangles has the fan of its corners, or of those of its convex parts.
    pub fn ground_pieces(&self, cell: CellId, mut visit: impl FnMut(&[DVec3])) {
        let corners: Vec<DVec3> = self.cell_vertices(cell).map(|v| self.position(v)).collect();
        let ring: Vec<DVec2> = corners.iter().map(|p| p.truncate()).collect();
        let is_whole = is_convex(&ring);
        let parts = if is_whole { vec![(0..ring.len()).collect()] } else { convex_pieces(&ring) };
        let list = self.ground_list(cell);
        if list.is_empty() {
            for part in &parts {
                for k in 2..part.len() {
                    let triangle = [part[0], part[k - 1], part[k]].map(|k| corners[k]);
                    if orient(ring[part[0]], ring[part[k - 1]], ring[part[k]]) > 0.0 {
                        visit(&triangle);
                    }
                }
            }
            return;
        }
        let mut clipper = Clipper::default();
        for part in parts {
            let part: Vec<DVec2> = part.into_iter().map(|k| ring[k]).collect();
            let bounds = Aabb2::of_points(part.iter().copied());
            for &triangle in list {
                let triangle = self.ground_triangle(triangle);
                let reach = Aabb2::of_points(triangle.map(DVec3::truncate));
                if !bounds.touches(reach) {
                    continue;
                }
                clipper.begin(triangle);
                if is_whole {
                    for corner in self.edges_at(cell, reach.min.y, reach.max.y) {
                        clipper.cut(self.edge(corner).map(|v| self.xy(v)));
                    }
                } else {
                    for k in 0..part.len() {
                        clipper.cut([part[k], part[(k + 1) % part.len()]]);
                    }
                }
                if clipper.piece.len() > 2 {
                    visit(&clipper.piece);
                }
            }
        }
    }
}

/// Cuts a polygon by one line after the other.
#[derive(Default)]
struct Clipper {
    piece: Vec<DVec3>,
    before: Vec<DVec3>,
}

impl Clipper {
    fn begin(&mut self, triangle: [DVec3; 3]) {
        self.piece.clear();
        self.piece.extend(triangle);
    }

    /// Keeps what lies left of a line, if that has an area.
    fn cut(&mut self, line: [DVec2; 2]) {
        let side = |p: DVec3| orient(line[0], line[1], p.truncate());
        if self.piece.iter().all(|&p| side(p) >= 0.0) {
            return;
        }
        std::mem::swap(&mut self.piece, &mut self.before);
        self.piece.clear();
        if !self.before.iter().any(|&p| side(p) > 0.0) {
            return;
        }
        for (k, &p) in self.before.iter().enumerate() {
            let q = self.before[(k + 1) % self.before.len()];
            let (of_p, of_q) = (side(p), side(q));
            if of_p >= 0.0 {
                self.piece.push(p);
            }
            if of_p > 0.0 && of_q < 0.0 || of_p < 0.0 && of_q > 0.0 {
                self.piece.push(crossing(line, [p, q]));
            }
        }
    }
}

/// Where an edge of the ground crosses a line; the same bits whichever way round both are given.
fn crossing(line: [DVec2; 2], edge: [DVec3; 2]) -> DVec3 {
    let key = |p: DVec2| (p.x, p.y);
    let [c, d] = if key(line[0]) < key(line[1]) { line } else { [line[1], line[0]] };
    let is_up = key(edge[0].truncate()) < key(edge[1].truncate());
    let [p, q] = if is_up { edge } else { [edge[1], edge[0]] };
    let (of_p, of_q) = (orient(c, d, p.truncate()), orient(c, d, q.truncate()));
    p + (q - p) * (of_p / (of_p - of_q))
}
