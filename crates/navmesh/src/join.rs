//! Joins cells: which edges are portals, the fan of cells round each vertex, components.
//!
//! Idea: the two sides of a portal have the same pair of vertices. Corners are put into bins by the smaller
//! vertex of their edge and each bin is sorted by the larger one, so that the sides of an edge lie together
//! however many corners a cell has or cells a vertex has.
//! Promises N2, N5, N7. Cost: linear for meshes, O(n log n) for hostile data.

use crate::{
    mesh::{CellId, ComponentId, CornerId, NONE, PortalId, VertexId},
    raw::{NO_CELL, RawNavMesh},
};
use wayfare_core::{Id as _, IdVec, defects::Defects};

type CornerCells = IdVec<CornerId, CellId>;
type Twins = IdVec<CornerId, u32>;

/// The corner after `corner` in its cell.
fn next(raw: &RawNavMesh, cells: &CornerCells, corner: usize) -> usize {
    let range = raw.corner_range(cells[CornerId::new(corner)].index());
    if corner + 1 == range.end { range.start } else { corner + 1 }
}

/// The corner before `corner` in its cell.
fn previous(raw: &RawNavMesh, cells: &CornerCells, corner: usize) -> usize {
    let range = raw.corner_range(cells[CornerId::new(corner)].index());
    if corner == range.start { range.end - 1 } else { corner - 1 }
}

/// All corners grouped by the pair of vertices of their edge: `visit(smaller, larger, corners)`, pairs and
/// corners ascending.
pub(crate) fn for_each_edge(raw: &RawNavMesh, cells: &CornerCells, mut visit: impl FnMut(u32, u32, &[u32])) {
    let ends = |corner: usize| {
        let (a, b) = (raw.corners[corner], raw.corners[next(raw, cells, corner)]);
        (a.min(b), a.max(b))
    };
    let mut starts = vec![0u32; raw.vertices.len() + 1];
    for corner in 0..raw.corners.len() {
        starts[ends(corner).0 as usize + 1] += 1;
    }
    for k in 1..starts.len() {
        starts[k] += starts[k - 1];
    }
    let mut fill = starts.clone();
    let mut entries = vec![(0u32, 0u32); raw.corners.len()];
    for corner in 0..raw.corners.len() {
        let (smaller, larger) = ends(corner);
        entries[fill[smaller as usize] as usize] = (larger, corner as u32);
        fill[smaller as usize] += 1;
    }
    let mut corners = Vec::new();
    for (smaller, bin) in starts.windows(2).enumerate() {
        let bin = &mut entries[bin[0] as usize..bin[1] as usize];
        bin.sort_unstable();
        for sides in bin.chunk_by(|a, b| a.0 == b.0) {
            corners.clear();
            corners.extend(sides.iter().map(|&(_, corner)| corner));
            visit(smaller as u32, sides[0].0, &corners);
        }
    }
}

/// N2: the corner across each corner's edge, [`NONE`] for boundary.
pub(crate) fn match_edges(raw: &RawNavMesh, cells: &CornerCells, defects: &mut Defects) -> Twins {
    let mut twins = vec![NONE; raw.corners.len()];
    let cell = |corner: u32| cells[CornerId(corner)].0;
    for_each_edge(raw, cells, |a, b, sides| match *sides {
        [side] => {
            let other = raw.neighbours[side as usize];
            if other != NO_CELL {
                defects.add("N2", format_args!("cell {}", cell(side)), || {
                    format!("names cell {other} across its edge between vertices {a} and {b}, which has no such edge")
                });
            }
        }
        [one, two] if raw.corners[one as usize] == raw.corners[two as usize] => {
            defects.add("N2", format_args!("cell {}", cell(one)), || {
                format!(
                    "and cell {} lie on the same side of the edge between vertices {a} and {b}",
                    cell(two)
                )
            });
        }
        [one, two] => {
            let named = [raw.neighbours[one as usize], raw.neighbours[two as usize]];
            if named == [cell(two), cell(one)] {
                twins[one as usize] = two;
                twins[two as usize] = one;
            } else if named != [NO_CELL; 2] {
                // Two boundary sides are a wall without thickness.
                defects.add("N2", format_args!("cell {}", cell(one)), || {
                    let words = named.map(|cell| match cell {
                        NO_CELL => "boundary".to_string(),
                        cell => format!("cell {cell}"),
                    });
                    format!(
                        "and cell {} share the edge between vertices {a} and {b} but name {} and {} across it",
                        cell(two),
                        words[0],
                        words[1]
                    )
                });
            }
        }
        // Several sheets of ground meet at the edge: each cell says who is across. A wall without thickness may stand there, too.
        _ => {
            let named = |side: u32| raw.neighbours[side as usize];
            let are_sides = |one: u32, two: u32| {
                [named(one), named(two)] == [cell(two), cell(one)]
                    && raw.corners[one as usize] != raw.corners[two as usize]
            };
            let mut is_sound = match *sides.iter().filter(|&&side| named(side) == NO_CELL).collect::<Vec<_>>()
            {
                [] | [_] => true,
                [&one, &two] => raw.corners[one as usize] != raw.corners[two as usize],
                _ => false,
            };
            for &side in sides.iter().filter(|&&side| named(side) != NO_CELL) {
                let mut others = sides.iter().filter(|&&other| are_sides(side, other));
                match (others.next(), others.next()) {
                    (Some(&other), None) => twins[side as usize] = other,
                    _ => is_sound = false,
                }
            }
            if !is_sound {
                defects.add("N2", format_args!("cell {}", cell(sides[0])), || {
                    format!(
                        "shares the edge between vertices {a} and {b} with {} other cells",
                        sides.len() - 1
                    )
                });
            }
        }
    });
    IdVec::from_vec(twins)
}

/// The first corner of each vertex's fan: the one whose edge is boundary, or the lowest of an inner vertex.
///
/// N2: all corners of a vertex form one fan. N5: no inner vertex unless imported, or where cells with different tags, gaps or
/// steps meet.
pub(crate) fn fans(
    raw: &RawNavMesh,
    cells: &CornerCells,
    twins: &Twins,
    defects: &mut Defects,
) -> IdVec<VertexId, CornerId> {
    let mut first = vec![NONE; raw.vertices.len()];
    let mut counts = vec![0u32; raw.vertices.len()];
    for (corner, &vertex) in raw.corners.iter().enumerate() {
        let vertex = vertex as usize;
        counts[vertex] += 1;
        if first[vertex] == NONE || twins[CornerId::new(corner)] == NONE {
            first[vertex] = corner as u32;
        }
    }
    for (vertex, (&start, &count)) in first.iter().zip(&counts).enumerate() {
        let mut reached = 1;
        let mut at = start;
        // One corner has at most one before and one after it, so this ends at a wall or where it began.
        loop {
            at = twins[CornerId::new(previous(raw, cells, at as usize))];
            if at == NONE || at == start {
                break;
            }
            reached += 1;
        }
        if reached != count {
            defects.add("N2", format_args!("vertex {vertex}"), || {
                format!(
                    "has {count} cells, of which only {reached} hang together: it must be stored once per fan"
                )
            });
        } else if at == start && !raw.imported && is_alike_round(raw, cells, twins, start) {
            defects.add("N5", format_args!("vertex {vertex}"), || {
                "is an inner vertex: all its edges are portals between cells with one tag".into()
            });
        }
    }
    first.into_iter().map(CornerId).collect()
}

/// Whether all cells round an inner vertex are ground with the same tag, with no step between them.
fn is_alike_round(raw: &RawNavMesh, cells: &CornerCells, twins: &Twins, start: u32) -> bool {
    let tag = |corner: u32| raw.tags[cells[CornerId(corner)].index()];
    let is_gap = |corner: u32| {
        raw.gaps.get(cells[CornerId(corner)].index()).is_some_and(|&[rise, width]| rise > 0.0 || width > 0.0)
    };
    let is_step = |corner: u32| raw.rises.get(corner as usize).is_some_and(|&rise| rise > 0.0);
    let mut at = start;
    loop {
        at = twins[CornerId::new(previous(raw, cells, at as usize))];
        if at == NONE || is_step(at) || is_gap(at) || at == start || tag(at) != tag(start) {
            return at == NONE || at == start && !is_step(at) && !is_gap(at);
        }
    }
}

/// Gives each portal a number, in the order of its lower corner.
pub(crate) fn number_portals(twins: &Twins) -> (Vec<u32>, IdVec<PortalId, [CornerId; 2]>) {
    let mut corner_portals = vec![NONE; twins.len()];
    let mut portals = IdVec::<PortalId, [CornerId; 2]>::default();
    for (corner, &twin) in twins.iter() {
        if twin != NONE && corner.0 < twin {
            let portal = portals.push([corner, CornerId(twin)]);
            corner_portals[corner.index()] = portal.0;
            corner_portals[twin as usize] = portal.0;
        }
    }
    (corner_portals, portals)
}

/// N7: component of each cell, numbered in the order of their lowest cells, and their number.
pub(crate) fn components(raw: &RawNavMesh) -> (IdVec<CellId, ComponentId>, usize) {
    let mut components = vec![ComponentId(NONE); raw.cell_count()];
    let mut count = 0;
    let mut stack = Vec::new();
    for seed in 0..raw.cell_count() {
        if components[seed].0 != NONE {
            continue;
        }
        let component = ComponentId::new(count);
        count += 1;
        components[seed] = component;
        stack.push(seed);
        while let Some(cell) = stack.pop() {
            for &other in &raw.neighbours[raw.corner_range(cell)] {
                if other != NO_CELL && components[other as usize].0 == NONE {
                    components[other as usize] = component;
                    stack.push(other as usize);
                }
            }
        }
    }
    (IdVec::from_vec(components), count)
}

/// Stores each vertex once per fan (the first fan keeps its number, the others get copies at the end) and
/// drops vertices without a cell. Importers need it; N2 demands it.
pub(crate) fn split_fans(raw: &mut RawNavMesh, cells: &CornerCells, twins: &Twins) {
    const UNSEEN: u32 = NONE;
    let mut fan_of_corner = vec![UNSEEN; raw.corners.len()];
    let mut renamed = vec![NONE; raw.vertices.len()];
    let mut vertices = Vec::with_capacity(raw.vertices.len());
    let mut flags = Vec::with_capacity(raw.vertices.len());
    // Old vertices that are used keep their order; `renamed` is their new number.
    let mut used = vec![false; raw.vertices.len()];
    for &vertex in &raw.corners {
        used[vertex as usize] = true;
    }
    for vertex in 0..raw.vertices.len() {
        if used[vertex] {
            renamed[vertex] = vertices.len() as u32;
            vertices.push(raw.vertices[vertex]);
            flags.push(raw.vertex_flags[vertex]);
        }
    }
    let mut taken = vec![false; raw.vertices.len()];
    for corner in 0..raw.corners.len() {
        if fan_of_corner[corner] != UNSEEN {
            continue;
        }
        let vertex = raw.corners[corner] as usize;
        let id = if taken[vertex] {
            vertices.push(raw.vertices[vertex]);
            flags.push(raw.vertex_flags[vertex]);
            vertices.len() as u32 - 1
        } else {
            taken[vertex] = true;
            renamed[vertex]
        };
        // Counter-clockwise to the wall or once round, then clockwise from the start.
        let mut at = corner as u32;
        while at != NONE && fan_of_corner[at as usize] == UNSEEN {
            fan_of_corner[at as usize] = id;
            at = twins[CornerId::new(previous(raw, cells, at as usize))];
        }
        at = twins[CornerId::new(corner)];
        while at != NONE {
            let here = next(raw, cells, at as usize);
            if fan_of_corner[here] != UNSEEN {
                break;
            }
            fan_of_corner[here] = id;
            at = twins[CornerId::new(here)];
        }
    }
    raw.corners = fan_of_corner;
    raw.vertices = vertices;
    raw.vertex_flags = flags;
}
