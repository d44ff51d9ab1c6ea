//! Walls without thickness: what splits one side splits the other.
//!
//! Idea: portals that end at a wall put points on it, on one side only. Where the other side of the wall is ground, too, such a point
//!   would hang on the edge of a cell there (N3). So that cell gets a corner at the same place; the two sides stay two vertices.
//! Steps: 1. pairs of edges back to back in one layer  2. points on either side that the other does not have  3. cells are written again
//! Cost: O(k log k) for k edges and points.

use crate::{borders::place_along, surface::Surface};
use wayfare_core::DVec3;
use wayfare_floor::Corners;
use wayfare_geom::triangulation::NONE;
use wayfare_navmesh::{NO_CELL, RawNavMesh, SPLIT_POINT};

/// A point to be added to an edge.
struct Addition {
    /// The corner of a cell whose edge it splits, and how far along that it lies.
    corner: u32,
    place: f64,
    vertex: u32,
}

/// Gives both sides of every thin wall the same corners.
///
/// `edges` names for each corner of a cell the corner of the plan whose edge it lies on, or [`NONE`], `rises` the height of
/// the step there, if there are steps.
pub(crate) fn match_thin_walls(
    corners: &Corners,
    surface: &Surface,
    raw: &mut RawNavMesh,
    edges: &mut Vec<u32>,
    plan_vertices: &mut Vec<u32>,
) {
    let backs = find_backs(corners);
    if backs.is_empty() {
        return;
    }
    // 2. The parts of each side, with the points that begin them, by wall, side and place.
    let mut parts: Vec<(u32, bool, f64, u32)> = Vec::new();
    for (corner, &edge) in edges.iter().enumerate() {
        let back = backs.get(edge as usize).copied().unwrap_or(NONE);
        if back != NONE {
            let wall = edge.min(back);
            let start = raw.vertices[raw.corners[corner] as usize].truncate();
            parts.push((wall, edge != wall, place_along(corners, wall, start), corner as u32));
        }
    }
    parts.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3)));
    let mut additions: Vec<Addition> = Vec::new();
    for wall in parts.chunk_by(|a, b| a.0 == b.0) {
        let (front, back) = wall.split_at(wall.partition_point(|part| !part.1));
        for (own, other) in [(front, back), (back, front)] {
            for &(.., place, corner) in other {
                let vertex = raw.corners[corner as usize] as usize;
                if raw.vertex_flags[vertex] & SPLIT_POINT == 0 {
                    continue;
                }
                if own.iter().any(|part| part.2 == place) {
                    continue;
                }
                // The front runs along the places, the back against them.
                let part = match own.first().is_some_and(|part| part.1) {
                    false => own.iter().rev().find(|part| part.2 < place),
                    true => own.iter().find(|part| part.2 > place),
                };
                let Some(&(.., split)) = part else { continue };
                let point = raw.vertices[vertex].truncate();
                let z = surface.height_on_edge(corners, edges[split as usize], point);
                let place = if own[0].1 { -place } else { place };
                additions.push(Addition { corner: split, place, vertex: raw.vertices.len() as u32 });
                raw.vertices.push(DVec3::new(point.x, point.y, z));
                raw.vertex_flags.push(SPLIT_POINT);
                plan_vertices.push(NONE);
            }
        }
    }
    additions.sort_by(|a, b| a.corner.cmp(&b.corner).then(a.place.total_cmp(&b.place)));
    write_again(raw, edges, &additions);
}

/// Step 1: the edge of the plan at the back of each one; empty where there are no thin walls.
fn find_backs(corners: &Corners) -> Vec<u32> {
    let bits = |v: u32| {
        // Adding zero makes −0 and 0 the same place.
        let p = corners.ground_point(v).truncate() + 0.0;
        [p.x.to_bits(), p.y.to_bits()]
    };
    let mut sides: Vec<(u32, [[u64; 2]; 2], bool, u32)> = Vec::new();
    for region in 0..corners.regions.len() {
        for corner in corners.starts[region]..corners.starts[region + 1] {
            if !corners.kinds[corner as usize].is_shared() {
                let [a, b] = corners.ends(corner).map(bits);
                sides.push((corners.layers[region], [a.min(b), a.max(b)], a < b, corner));
            }
        }
    }
    sides.sort_unstable();
    let mut backs = Vec::new();
    for pair in sides.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
        if pair[0].2 != pair[1].2 {
            backs.resize(corners.vertices.len(), NONE);
            backs[pair[0].3 as usize] = pair[1].3;
            backs[pair[1].3 as usize] = pair[0].3;
        }
    }
    backs
}

/// Step 3.
fn write_again(raw: &mut RawNavMesh, edges: &mut Vec<u32>, additions: &[Addition]) {
    if additions.is_empty() {
        return;
    }
    let old_starts = std::mem::replace(&mut raw.cell_starts, vec![0]);
    let old_corners = std::mem::take(&mut raw.corners);
    let old_neighbours = std::mem::take(&mut raw.neighbours);
    let (old_edges, old_rises) = (std::mem::take(edges), std::mem::take(&mut raw.rises));
    let mut additions = additions.iter().peekable();
    for range in old_starts.windows(2) {
        for corner in range[0]..range[1] {
            let k = corner as usize;
            let mut push = |vertex: u32, neighbour: u32, rise: Option<&f64>| {
                raw.corners.push(vertex);
                raw.neighbours.push(neighbour);
                edges.push(old_edges[k]);
                raw.rises.extend(rise);
            };
            push(old_corners[k], old_neighbours[k], old_rises.get(k));
            while let Some(addition) = additions.next_if(|addition| addition.corner == corner) {
                push(addition.vertex, NO_CELL, old_rises.get(k));
            }
        }
        raw.cell_starts.push(raw.corners.len() as u32);
    }
}
