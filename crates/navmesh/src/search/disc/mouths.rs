//! Up to which radius a dead end is one for a disc.
//!
//! A shortest path between two points outside a dead end has no business in it, if the disc can go straight across its
//! mouth instead: if every point of the mouth that is the radius away from both ends is free. That is so up to the
//! mouth's critical radius. For larger discs the path may bulge into the dead end round a corner, so it is searched, unless it has
//! no corner.

use super::super::faces::{CORNER, Edge, Faces, INNER, NONE, SEALED};
use crate::{
    clearance::{Clearances, FREE_SLACK},
    mesh::{CellId, CornerId, NavMesh},
};

/// For each face of a dead end, whether a corner lies in it or deeper in the dead end, but for the ends of the edge that leads out. If
/// not, there is nothing to be seen there: a nook between two portals, mostly.
fn find_corners(faces: &Faces) -> Vec<bool> {
    let mut holds = vec![false; faces.count()];
    let way_out = |face: usize| Some(faces.up[face]).filter(|&up| up != NONE);
    let outside = |up: u32| faces.edges[faces.edges[up as usize].twin as usize].face as usize;
    // Faces that lead into each; who has none left is looked at, so that each comes after all that is deeper.
    let mut deeper = vec![0u32; faces.count()];
    (0..faces.count()).filter_map(way_out).for_each(|up| deeper[outside(up)] += 1);
    let mut ready: Vec<usize> = (0..faces.count()).filter(|&face| deeper[face] == 0).collect();
    while let Some(face) = ready.pop() {
        let Some(up) = way_out(face) else { continue };
        let mouth = [up, faces.next(up)].map(|edge| faces.edges[edge as usize].vertex);
        let (start, end) = faces.range(face as u32);
        // An inner vertex is a corner where limits make it one.
        let is_corner = |edge: &Edge| edge.flags & (CORNER | INNER) != 0 && !mouth.contains(&edge.vertex);
        holds[face] |= faces.edges[start as usize..end as usize].iter().any(is_corner);
        let before = outside(up);
        holds[before] |= holds[face];
        deeper[before] -= 1;
        if deeper[before] == 0 {
            ready.push(before);
        }
    }
    holds
}

/// Steps of [`critical_inside`]; nearly always two or three are enough.
const MOST_STEPS: usize = 16;

/// The critical radius of an edge inside a cell, between two vertices of the boundary; 0 if it is not found.
///
/// It is the largest r such that the clearance is at least r on all of the edge that is r away from both ends. The least clearance there
/// does not fall as r grows; so from half of the length on down, r becomes that clearance until it stays.
fn critical_inside(faces: &Faces, cell: CellId, ends: [u32; 2], clearances: &Clearances<'_>) -> f64 {
    let [a, b] = ends.map(|vertex| faces.xy[vertex as usize]);
    let (half, along) = (a.distance(b) / 2.0, (b - a).normalize_or_zero());
    let mut radius = half;
    for _ in 0..MOST_STEPS {
        let least = clearances.along_in_cell(cell, a + along * radius, b - along * radius);
        // Walls at right angles to the edge are as far as its end but for rounding.
        if least >= radius - FREE_SLACK / 2.0 {
            // Nowhere is anything nearer than the ends: however large a disc is, nothing else narrows the edge.
            return if radius == half { f64::INFINITY } else { radius };
        }
        radius = least;
    }
    0.0
}

fn is_inner(faces: &Faces, vertex: u32) -> bool {
    faces.fan(vertex).first().is_some_and(|&edge| faces.edges[edge as usize].flags & INNER != 0)
}

/// Radii up to which dead ends are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mouths {
    /// Of each edge that leads down into a dead end [m]; 0 for all others.
    edges: Vec<f64>,
}

impl Mouths {
    pub fn of(mesh: &NavMesh, faces: &Faces, clearances: &Clearances<'_>) -> Self {
        let mut mouths = Self { edges: vec![0.0; faces.edges.len()] };
        let holds_corners = find_corners(faces);
        for (k, edge) in faces.edges.iter().enumerate().filter(|(_, edge)| edge.flags & SEALED != 0) {
            let ends = [edge.vertex, faces.edges[faces.next(k as u32) as usize].vertex];
            let is_same = |&corner: &CornerId| mesh.edge(corner).map(|vertex| vertex.0) == ends;
            let corner = mesh.corners(faces.cell(edge.face)).find(is_same);
            if !holds_corners[faces.edges[edge.twin as usize].face as usize] {
                mouths.edges[k] = f64::INFINITY;
                continue;
            }
            mouths.edges[k] = match corner.and_then(|corner| mesh.portal_at(corner)) {
                Some(portal) => clearances.data().critical_radius(portal),
                // No obstacle is at an inner vertex, so that a disc may cross the edge next to it.
                None if ends.iter().any(|&vertex| is_inner(faces, vertex)) => 0.0,
                None => critical_inside(faces, faces.cell(edge.face), ends, clearances),
            };
        }
        mouths
    }

    /// Mouths that close nothing.
    #[cfg(test)]
    pub fn open(faces: &Faces) -> Self {
        Self { edges: vec![0.0; faces.edges.len()] }
    }

    /// Up to which radius a disc may pass by a dead end behind an edge [m].
    pub fn radius(&self, edge: u32) -> f64 {
        self.edges[edge as usize]
    }

    /// Whether a disc may pass by a dead end behind an edge.
    #[inline]
    pub fn is_closed(&self, edge: u32, radius: f64) -> bool {
        self.edges[edge as usize] >= radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::squares;
    use wayfare_core::dvec2;

    #[test]
    fn only_dead_ends_with_a_corner_beyond_their_mouth_hold_corners() {
        // Round a block, with a nook on the left, a way that turns on the right and one that is straight on top.
        let is_way = |x: u32, y: u32| match (x, y) {
            (2..=4, 2..=4) => (x, y) != (3, 3),
            (1, 3) | (5, 3) | (6, 3) | (6, 4) | (3, 5) | (3, 6) => true,
            _ => false,
        };
        let mesh = squares(8, is_way).validate().unwrap();
        let faces = Faces::build(&mesh, false);
        let holds = find_corners(&faces);
        let at = |x: f64, y: f64| {
            let face =
                (0..faces.count() as u32).find(|&face| faces.contains(faces.orient, face, dvec2(x, y)));
            holds[face.unwrap() as usize]
        };
        assert!(!at(1.5, 3.5) && !at(3.5, 5.5) && !at(3.5, 6.5));
        // The way turns at a vertex of its first and its second square, but not of the last one's inside.
        assert!(at(5.5, 3.5));
        assert!(!at(6.5, 4.5));
    }
}
