//! Edges that could be told by their ends, if ground on another storey had none between the same two vertices.
//!
//! Steps make vertices of ground at one place one, so ground can have two vertices in common with what lies a hair over it (a gap that is
//! filled beside a slope, say), and has no edge between them itself. Cutting it into cells may put one there, and then two edges join the same two
//! vertices (N2). Idea: such ground must begin at either vertex in the direction of the other.
//! Cost: O(n log n) to make; a few turns per edge whose ends have ground in common.

use super::{
    assemble::Parts,
    surface::{NO_HALF_EDGE, root},
};
use wayfare_geom::predicates::orient;

/// The corners of all triangles by their vertices, and the pieces of ground that are cut into cells as one.
pub(super) struct Chords {
    /// Where the corners of each vertex start; one more entry than vertices.
    starts: Vec<u32>,
    corners: Vec<u32>,
    /// The piece of each triangle.
    piece_of: Vec<u32>,
}

impl Chords {
    pub fn of(parts: &Parts) -> Self {
        let count = parts.corners.len();
        let mut parent: Vec<u32> = (0..count as u32).collect();
        for (h, &other) in parts.layers.across.iter().enumerate() {
            if other != NO_HALF_EDGE && parts.is_one_piece(h as u32, other) {
                let [a, b] = [h as u32 / 3, other / 3].map(|t| root(&mut parent, t));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let piece_of = (0..count as u32).map(|t| root(&mut parent, t)).collect();
        let mut starts = vec![0; parts.points.len() + 1];
        for &vertex in parts.corners.iter().flatten() {
            starts[vertex as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut next = starts.clone();
        let mut corners = vec![0; 3 * count];
        for (corner, &vertex) in (0..).zip(parts.corners.iter().flatten()) {
            corners[next[vertex as usize] as usize] = corner;
            next[vertex as usize] += 1;
        }
        Self { starts, corners, piece_of }
    }

    /// Whether ground that has no part in an edge of a ring could have one between two vertices, which are the edge's ends.
    pub fn is_doubled(&self, parts: &Parts, edge: u32, [a, b]: [u32; 2]) -> bool {
        let other = parts.layers.across[edge as usize];
        let own = [edge, if other == NO_HALF_EDGE { edge } else { other }];
        let own = own.map(|h| self.piece_of[h as usize / 3]);
        self.beginning(parts, a, b)
            .any(|piece| !own.contains(&piece) && self.beginning(parts, b, a).any(|same| same == piece))
    }

    /// The pieces of ground that begin at a vertex in the direction of another, and do not end along it.
    fn beginning<'s>(&'s self, parts: &'s Parts, a: u32, b: u32) -> impl Iterator<Item = u32> + 's {
        let at = |v: u32| parts.points[v as usize].truncate();
        let range = match self.starts.get(a as usize..a as usize + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        };
        let goes_there = move |corner: &&u32| {
            let (t, k) = (**corner as usize / 3, **corner as usize % 3);
            let [right, left] = [1, 2].map(|by| parts.corners[t][(k + by) % 3]);
            let from_right = orient(at(a), at(right), at(b));
            let from_left = orient(at(a), at(left), at(b));
            let is_along = from_right == 0.0 && (at(right) - at(a)).dot(at(b) - at(a)) > 0.0;
            from_right > 0.0 && from_left < 0.0 || is_along && !parts.is_rim(**corner)
        };
        self.corners[range].iter().filter(goes_there).map(|&corner| self.piece_of[corner as usize / 3])
    }
}
