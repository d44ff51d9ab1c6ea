//! Where does a straight line cross the edges of the ground?
//!
//! Every edge is crossed from its lower-numbered point on, so that both of its triangles give the same bits and the
//! second can be dropped. On which side of the line a point lies is exact, but for points that lie on it to rounding: those between
//! the ends of an edge of the boundary, along which paths go, are rounded and may be on either side.
//! Cost: O(k log k) for k triangles near the line.

use crate::mesh::{CellId, NavMesh};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::predicates::orient;

/// Points that are nearer to the line of a path lie on it: so many times the rounding of coordinates.
pub(crate) const HAIR: f64 = 16.0 * f64::EPSILON;

/// A point of the ground on a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    /// Part of the line before it, 0 .. 1.
    pub share: f64,
    pub point: DVec3,
}

impl NavMesh {
    /// Finds where the open segment crosses edges of the triangles in a cell's list, in order; nothing for a cell
    /// without one. Points within `hair` times the largest coordinate are on the line.
    pub(crate) fn ground_crossings(
        &self,
        cell: CellId,
        [from, to]: [DVec2; 2],
        hair: f64,
        found: &mut Vec<Crossing>,
    ) {
        found.clear();
        let length_squared = from.distance_squared(to);
        // Twice the area of a triangle on the line that is a hair high.
        let far = from.abs().max(to.abs()).max_element();
        let hair = hair * far * length_squared.sqrt();
        let mut add = |point: DVec3| {
            let share = (point.truncate() - from).dot(to - from) / length_squared;
            if share > 0.0 && share < 1.0 {
                found.push(Crossing { share, point });
            }
        };
        let side = |p: DVec3| {
            let side = orient(from, to, p.truncate());
            if side.abs() <= hair { 0.0 } else { side }
        };
        let mut visit = |triangle: u32| {
            let corners = self.raw.ground_triangles[triangle as usize];
            let points = self.own_triangle(triangle);
            // Written out, so that it is inlined.
            let [a, b, c] = points;
            let sides = [side(a), side(b), side(c)];
            for k in 0..3 {
                if sides[k] == 0.0 {
                    add(points[k]);
                }
                let next = (k + 1) % 3;
                let (a, b) = if corners[k] < corners[next] { (k, next) } else { (next, k) };
                if sides[a] > 0.0 && sides[b] < 0.0 || sides[a] < 0.0 && sides[b] > 0.0 {
                    add(points[a] + (points[b] - points[a]) * (sides[a] / (sides[a] - sides[b])));
                }
            }
        };
        match self.ground.grid(cell) {
            Some(grid) => grid.along([from, to], &mut visit),
            None => self.ground_list(cell).iter().copied().for_each(visit),
        }
        found.sort_unstable_by(|a, b| a.share.total_cmp(&b.share).then(a.point.z.total_cmp(&b.point.z)));
        found.dedup();
    }
}
