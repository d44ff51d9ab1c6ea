//! A path in plan becomes one on the ground: heights, and the cells it goes through.
//!
//! On level ground the turns are all there is. Elsewhere points are added where the path crosses an edge between
//! cells or a crease of a cell's ground, and taken out again where the ground goes on straight.

use super::{corridor::Follow, faces::Faces, path::Path};
use crate::mesh::{CellId, NavMesh, VertexId};
use wayfare_core::{DVec2, DVec3};

/// Writes a path's points and cells while it is followed.
pub(crate) struct GroundPath<'a> {
    pub mesh: &'a NavMesh,
    pub faces: &'a Faces,
    /// Points of the path in plan, with their heights.
    pub points: &'a [DVec3],
    /// Which of them are turns.
    pub is_turn: &'a [bool],
    pub path: &'a mut Path,
    /// How many points at the end of the path may still go if the ground turns out to be straight.
    pub loose: usize,
}

impl GroundPath<'_> {
    /// The ground between the last point and `to`, both in `cell`, then `to` itself.
    fn go(&mut self, cell: CellId, to: DVec3, is_turn: bool) {
        if let Some(&from) = self.path.points.last() {
            self.cross_creases(cell, from, to);
        }
        self.add(to, is_turn);
    }

    fn add(&mut self, point: DVec3, is_turn: bool) {
        let points = &mut self.path.points;
        if points.last().is_some_and(|last| last.truncate() == point.truncate()) {
            if !is_turn {
                return;
            }
            if self.loose > 0 {
                points.pop();
                self.loose -= 1;
            }
        }
        points.push(point);
        self.loose += 1;
        // Take out the point before if it lies on the way from the one before that.
        let straight = self.mesh.tolerance().on_line;
        while self.loose > 1 {
            let n = points.len();
            let (a, b, c) = (points[n - 3], points[n - 2], points[n - 1]);
            let along = c - a;
            let share = (b - a).dot(along) / along.length_squared();
            if share.is_finite() && (a + share * along).distance(b) > straight {
                break;
            }
            points.swap_remove(n - 2);
            self.loose -= 1;
        }
        if is_turn {
            self.loose = 0;
        }
    }

    /// The ground of a cell is the fan of triangles from its first corner ([`NavMesh::height`]).
    fn cross_creases(&mut self, cell: CellId, from: DVec3, to: DVec3) {
        let mesh = self.mesh;
        let corners = &mesh.raw().corners[mesh.corner_range(cell)];
        let corner = |k: usize| mesh.position(VertexId(corners[k]));
        let n = corners.len();
        if n < 4 {
            return;
        }
        let (a, b, first) = (from.truncate(), to.truncate(), corner(0));
        let c = first.truncate();
        // Seen from the first corner the path goes one way round, and meets the creases in that order.
        let is_forward = (a - c).perp_dot(b - c) > 0.0;
        for k in 2..n - 1 {
            let end = corner(if is_forward { k } else { n - k });
            let crease = end.truncate() - c;
            let [over, under] = [(a - c).perp_dot(crease), (b - c).perp_dot(crease)];
            let share = over / (over - under);
            let point = a + share * (b - a);
            let along = (point - c).dot(crease) / crease.length_squared();
            if share > 0.0 && share < 1.0 && (0.0..=1.0).contains(&along) {
                self.add(point.extend(first.z + along * (end.z - first.z)), false);
            }
        }
    }
}

impl Follow for GroundPath<'_> {
    fn enter(&mut self, face: u32, edge: u32, is_round: bool, line: [DVec2; 2]) {
        let cell = self.faces.cell(face);
        let Some(&before) = self.path.cells.last() else {
            self.path.cells.push(cell);
            return;
        };
        if cell != before {
            self.path.cells.push(cell);
        }
        if self.mesh.flat.is_some() || cell == before {
            return;
        }
        let end = self.faces.next(edge);
        let [a, b] = [edge, end].map(|k| self.mesh.position(VertexId(self.faces.edges[k as usize].vertex)));
        let point = if is_round {
            // Round the vertex that `line` starts from.
            if a.truncate() == line[0] { a } else { b }
        } else {
            let [over, under] = [a, b].map(|p| (line[1] - line[0]).perp_dot(p.truncate() - line[0]));
            let share = over / (over - under);
            if share.is_finite() { a + share.clamp(0.0, 1.0) * (b - a) } else { a }
        };
        self.go(before, point, false);
    }

    fn point(&mut self, index: usize) {
        let (point, is_turn) = (self.points[index], self.is_turn[index]);
        if self.mesh.flat.is_some() {
            if is_turn {
                self.path.points.push(point);
            }
        } else if let Some(&cell) = self.path.cells.last() {
            self.go(cell, point, is_turn);
        }
    }
}
