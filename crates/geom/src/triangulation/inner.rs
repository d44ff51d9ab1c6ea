//! Takes vertices out of a triangulation that have no wall: what seams leave inside.
//!
//! Idea: seen from above, the triangles round such a vertex make a polygon that sees it from everywhere. Without the vertex the
//!   polygon is cut into triangles again, ear by ear; edges that met there are used again for the new diagonals.
//! Needs vertices that the ground goes round once. Cost: O(k²) for k triangles round a vertex.

use super::{EdgeRole, NONE, Triangulation};
use crate::predicates::orient;
use wayfare_core::DVec2;

impl Triangulation {
    /// Takes out the vertices without a wall and gives the others new numbers, in their order; the new number of each
    /// half-edge, or [`NONE`]. Fails with a vertex whose triangles do not go round it once.
    pub(super) fn remove_inner(&mut self) -> Result<Vec<u32>, u32> {
        let inner: Vec<u32> = (0..self.walls.len() as u32).filter(|&v| self.wall(v) == NONE).collect();
        if inner.is_empty() {
            return Ok((0..self.edges.len() as u32).collect());
        }
        let mut spoke = vec![NONE; self.walls.len()];
        for h in 0..self.edges.len() as u32 {
            spoke[self.origin(h) as usize] = h;
        }
        let mut is_gone = vec![false; self.edges.len() / 2];
        for &v in &inner {
            // Edges near another inner vertex may have got other ends.
            let start = spoke[v as usize];
            if start == NONE || self.origin(start) != v || is_gone[(start >> 1) as usize] {
                return Err(v);
            }
            self.remove_vertex(start, &mut spoke, &mut is_gone).ok_or(v)?;
        }
        Ok(self.compact(&is_gone))
    }

    /// Takes out the origin of a half-edge.
    fn remove_vertex(&mut self, start: u32, spoke: &mut [u32], is_gone: &mut [bool]) -> Option<()> {
        let mut spokes = vec![start];
        loop {
            let h = self.prev(spokes[spokes.len() - 1]) ^ 1;
            if h == start {
                break;
            }
            if spokes.len() > self.edges.len() {
                return None;
            }
            spokes.push(h);
        }
        // The polygon, as half-edges with it on their left.
        let mut rim: Vec<u32> = spokes.iter().map(|&h| self.next(h)).collect();
        // All other ends of edges that go or change must know an edge that stays.
        for &h in &rim {
            spoke[self.origin(h) as usize] = h;
        }
        let mut free = spokes;
        while rim.len() > 3 {
            let at = (0..rim.len()).find(|&k| self.is_ear(&rim, k))?;
            let (one, two) = (rim[at], rim[(at + 1) % rim.len()]);
            let back = free.pop()?;
            // From the end of the second to the start of the first, in the ear.
            self.edges.origins[back as usize] = self.target(two);
            self.edges.origins[(back ^ 1) as usize] = self.origin(one);
            self.edges.join([one, two, back]);
            rim[at] = back ^ 1;
            rim.remove((at + 1) % rim.len());
        }
        if !self.is_ear(&rim, 0) {
            return None;
        }
        self.edges.join([rim[0], rim[1], rim[2]]);
        free.iter().for_each(|&h| is_gone[(h >> 1) as usize] = true);
        Some(())
    }

    /// Whether an edge of a polygon and the next one are two sides of a triangle inside of it.
    fn is_ear(&self, rim: &[u32], at: usize) -> bool {
        let next = rim[(at + 1) % rim.len()];
        let corners: [DVec2; 3] =
            [self.origin(rim[at]), self.origin(next), self.target(next)].map(|v| self.point(v));
        let [a, b, c] = corners;
        let holds = |p: DVec2| {
            !corners.contains(&p)
                && orient(a, b, p) >= 0.0
                && orient(b, c, p) >= 0.0
                && orient(c, a, p) >= 0.0
        };
        orient(a, b, c) > 0.0 && !rim.iter().any(|&h| holds(self.point(self.origin(h))))
    }

    /// Gives what is left new numbers.
    fn compact(&mut self, is_gone: &[bool]) -> Vec<u32> {
        let mut number = vec![NONE; self.edges.len()];
        let mut count = 0;
        for (edge, _) in is_gone.iter().enumerate().filter(|entry| !entry.1) {
            number[2 * edge] = count;
            number[2 * edge + 1] = count + 1;
            count += 2;
        }
        let mut vertex_number = vec![NONE; self.walls.len()];
        let kept = (0..self.walls.len()).filter(|&v| self.walls[v] != NONE);
        for (number, v) in kept.enumerate() {
            vertex_number[v] = number as u32;
        }
        let moved = |h: u32| if h == NONE { NONE } else { number[h as usize] };
        let kept = || (0..number.len()).filter(|&h| number[h] != NONE);
        self.edges.nexts = kept().map(|h| moved(self.edges.nexts[h])).collect();
        self.edges.origins = kept().map(|h| vertex_number[self.edges.origins[h] as usize]).collect();
        let roles: Vec<EdgeRole> = kept().step_by(2).map(|h| self.roles[h / 2]).collect();
        self.roles = roles;
        self.points =
            (0..self.walls.len()).filter(|&v| vertex_number[v] != NONE).map(|v| self.points[v]).collect();
        self.walls = self.walls.iter().filter(|&&wall| wall != NONE).map(|&wall| moved(wall)).collect();
        number
    }
}
