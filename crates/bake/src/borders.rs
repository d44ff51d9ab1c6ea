//! Pieces that were cut apart are joined where they share an edge: borders between tags, sides of gaps, steps.
//!
//! Idea: the two sides of a border are split at different points. Each point becomes a corner of the cells on the other
//!   side, too, so that every part of the border is one portal (N2) and nothing hangs (N3).
//! Steps: 1. equal points of both sides get one number (while cells are appended)  2. the parts of every border, along
//!   it  3. both sides are merged: where one side has a corner, the other gets it  4. cells are written again
//! Order along a border is that of the coordinate in which it is longer, which no rounding of points on it can upset;
//!   points that agree in it are one.
//! Cost: O(k log k) for k parts of borders.

use std::collections::BTreeMap;
use wayfare_core::DVec2;
use wayfare_floor::Corners;
use wayfare_geom::triangulation::NONE;
use wayfare_navmesh::RawNavMesh;

/// The points that split borders, by border and place on it.
#[derive(Default)]
pub(crate) struct Borders {
    splits: BTreeMap<(u32, u64), u32>,
}

/// A part of a border that belongs to one cell.
struct Part {
    /// The border, as the lower of its two corners of the plan.
    border: u32,
    /// Whether this is the side of the other one.
    is_back: bool,
    /// The vertices at which it begins and ends, in the direction of the border.
    ends: [u32; 2],
    /// How far along the border they lie.
    places: [f64; 2],
    /// The corner of the cell, and the cell.
    corner: u32,
    cell: u32,
}

impl Borders {
    /// The number of a point that splits an edge: that of an equal one from the other side, or `new`.
    pub fn split(&mut self, corners: &Corners, edge: u32, point: DVec2, new: u32) -> u32 {
        let other = corners.across[edge as usize];
        if other == NONE {
            return new;
        }
        let border = edge.min(other);
        // Adding zero makes −0 and 0 the same place.
        let place = (place_along(corners, border, point) + 0.0).to_bits();
        *self.splits.entry((border, place)).or_insert(new)
    }
}

/// How far along a border a point lies, in its longer coordinate; ascends in the direction of the corner's edge.
pub(crate) fn place_along(corners: &Corners, border: u32, point: DVec2) -> f64 {
    let [a, b] = corners.ends(border).map(|v| corners.ground_point(v).truncate());
    let way = b - a;
    if way.x.abs() >= way.y.abs() { point.x * way.x.signum() } else { point.y * way.y.signum() }
}

/// What becomes of an edge of a cell at a border: a part of it, with one cell across.
struct Portal {
    /// The corner of the cell, and the order of its parts.
    corner: u32,
    order: i64,
    /// The vertex at which the part begins: the corner's own for the first.
    vertex: u32,
    /// The cell across.
    neighbour: u32,
    /// How high the step there is [m].
    rise: f64,
}

/// Joins the cells on both sides of every border; returns the height of the step across the edge of each corner, or nothing where
/// there are no steps.
///
/// `edges` names for each corner of a cell the corner of the plan whose edge it lies on, or [`NONE`].
pub(crate) fn join_borders(corners: &Corners, raw: &mut RawNavMesh, edges: &mut Vec<u32>) -> Vec<f64> {
    let parts = find_parts(corners, raw, edges);
    let portals = find_portals(corners, raw, &parts);
    if portals.is_empty() {
        return Vec::new();
    }
    let rises = write_again(raw, edges, &portals);
    if rises.iter().any(|&rise| rise > 0.0) { rises } else { Vec::new() }
}

/// Step 2: by border, side and place.
fn find_parts(corners: &Corners, raw: &RawNavMesh, edges: &[u32]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (cell, range) in raw.cell_starts.windows(2).enumerate() {
        for corner in range[0]..range[1] {
            let edge = edges[corner as usize];
            let Some(&other) = corners.across.get(edge as usize).filter(|&&other| other != NONE) else {
                continue;
            };
            let after = if corner + 1 == range[1] { range[0] } else { corner + 1 };
            let ends = [corner, after].map(|corner| raw.corners[corner as usize]);
            let border = edge.min(other);
            let is_back = edge != border;
            let ends = if is_back { [ends[1], ends[0]] } else { ends };
            let places = ends.map(|v| place_along(corners, border, raw.vertices[v as usize].truncate()));
            parts.push(Part { border, is_back, ends, places, corner, cell: cell as u32 });
        }
    }
    parts.sort_by(|a, b| {
        let [from, to] = [0, 1].map(|k| a.places[k].total_cmp(&b.places[k]));
        (a.border, a.is_back).cmp(&(b.border, b.is_back)).then(from).then(to).then(a.corner.cmp(&b.corner))
    });
    parts
}

/// Step 3: by corner, in the direction of its cell.
fn find_portals(corners: &Corners, raw: &RawNavMesh, parts: &[Part]) -> Vec<Portal> {
    let mut portals = Vec::new();
    for border in parts.chunk_by(|a, b| a.border == b.border) {
        let (mut here, mut there) = border.split_at(border.partition_point(|part| !part.is_back));
        let mut start = here.first().map_or(NONE, |part| part.ends[0]);
        let rise = corners.kinds[border[0].border as usize].rise();
        while let ([one, after_one @ ..], [two, after_two @ ..]) = (here, there) {
            let end = if one.places[1] < two.places[1] { one.ends[1] } else { two.ends[1] };
            let order = portals.len() as i64;
            portals.push(Portal { corner: one.corner, order, vertex: start, neighbour: two.cell, rise });
            let (vertex, neighbour) = (end, one.cell);
            portals.push(Portal { corner: two.corner, order: -order, vertex, neighbour, rise });
            if one.places[1] <= two.places[1] {
                here = after_one;
            }
            if two.places[1] <= one.places[1] {
                there = after_two;
            }
            start = end;
        }
    }
    debug_assert!(portals.iter().all(|portal| (portal.vertex as usize) < raw.vertices.len()));
    portals.sort_unstable_by_key(|portal| (portal.corner, portal.order));
    portals
}

/// Step 4.
fn write_again(raw: &mut RawNavMesh, edges: &mut Vec<u32>, portals: &[Portal]) -> Vec<f64> {
    let mut rises = Vec::new();
    let (old_corners, old_neighbours) =
        (std::mem::take(&mut raw.corners), std::mem::take(&mut raw.neighbours));
    let old_edges = std::mem::take(edges);
    let old_starts = std::mem::replace(&mut raw.cell_starts, vec![0]);
    let mut portals = portals.iter().peekable();
    for range in old_starts.windows(2) {
        for corner in range[0]..range[1] {
            let k = corner as usize;
            let mut is_border = false;
            while let Some(portal) = portals.next_if(|portal| portal.corner == corner) {
                raw.corners.push(portal.vertex);
                raw.neighbours.push(portal.neighbour);
                edges.push(NONE);
                rises.push(portal.rise);
                is_border = true;
            }
            if !is_border {
                raw.corners.push(old_corners[k]);
                raw.neighbours.push(old_neighbours[k]);
                edges.push(old_edges[k]);
                rises.push(0.0);
            }
        }
        raw.cell_starts.push(raw.corners.len() as u32);
    }
    rises
}
