//! N3 and overlaps: no vertex lies inside another cell or inside its edge, no two boundary edges cross.

use crate::{
    cell::closest_on_segment,
    grid::Grid,
    mesh::{CellId, CornerId, NavMesh, VertexId},
};
use wayfare_core::{
    DVec2, Id as _,
    defects::{Defects, MOST},
};
use wayfare_geom::{
    Aabb2, line_distance,
    predicates::{cross_properly, is_between, orient},
};

pub(super) fn check(mesh: &NavMesh, defects: &mut Defects) {
    for vertex in mesh.vertices() {
        check_vertex(mesh, vertex, defects);
        if defects.is_full() {
            return;
        }
    }
    check_edges(mesh, defects);
}

/// What a vertex is to a cell that it is not a corner of.
enum Place {
    Outside,
    Corner,
    OnEdge([VertexId; 2]),
    Inside,
}

fn check_vertex(mesh: &NavMesh, vertex: VertexId, defects: &mut Defects) {
    let p = mesh.xy(vertex);
    let storeys = || mesh.fan(vertex).map(|corner| mesh.storey(mesh.cell_of_corner(corner)));
    for &cell in mesh.grid.at(p) {
        let cell = CellId(cell);
        if is_corner(mesh, vertex, cell) || storeys().all(|storey| storey != mesh.storey(cell)) {
            continue;
        }
        match place(mesh, vertex, cell) {
            // Fans that meet in a point are compared as sectors.
            Place::Outside | Place::Corner => {}
            Place::OnEdge([a, b]) => defects.add("N3", format_args!("vertex {vertex}"), || {
                format!("hangs at ({}, {}) on the edge of cell {cell} between vertices {a} and {b}", p.x, p.y)
            }),
            Place::Inside => defects.add("N1", format_args!("vertex {vertex}"), || {
                format!("lies at ({}, {}) inside cell {cell}: cells overlap", p.x, p.y)
            }),
        }
    }
}

/// Whether a vertex is a corner of a cell: looks at the vertex's cells and at the cell's vertices at once and ends
/// with the shorter list, since a vertex may have as many cells as a cell vertices.
fn is_corner(mesh: &NavMesh, vertex: VertexId, cell: CellId) -> bool {
    let both = mesh.fan(vertex).zip(mesh.cell_vertices(cell));
    both.into_iter().any(|(corner, v)| mesh.cell_of_corner(corner) == cell || v == vertex)
}

fn place(mesh: &NavMesh, vertex: VertexId, cell: CellId) -> Place {
    let p = mesh.xy(vertex);
    let on_line = mesh.tolerance().on_line;
    if mesh.cell_boxes[cell].distance_squared(p) > on_line * on_line {
        return Place::Outside;
    }
    let mut near = None;
    for corner in mesh.edges_at(cell, p.y - on_line, p.y + on_line) {
        let ends = mesh.edge(corner);
        let [a, b] = ends.map(|v| mesh.xy(v));
        if a == p {
            return Place::Corner;
        }
        let is_split = mesh.is_split_point(vertex) && mesh.twin(corner).is_none();
        if !is_split && p != b && orient(a, b, p) == 0.0 && is_between(a, b, p) {
            return Place::OnEdge(ends);
        }
        // A split point is rounded: it hangs on any edge that it was meant to lie on. The other side of a wall without thickness is
        // none of these.
        if is_split
            && p.distance(closest_on_segment(a, b, p)) <= on_line
            && p.distance(a).min(p.distance(b)) > on_line
        {
            let is_across = wall_at(mesh, vertex).is_some_and(|along| along.dot(b - a) < 0.0);
            near = Some(if is_across { Place::Outside } else { Place::OnEdge(ends) });
        }
    }
    match near {
        Some(place) => place,
        None if mesh.contains(cell, p) => Place::Inside,
        None => Place::Outside,
    }
}

/// The direction in which the boundary goes on at a vertex, with the ground on its left.
fn wall_at(mesh: &NavMesh, vertex: VertexId) -> Option<DVec2> {
    let wall = mesh.fan(vertex).find(|&corner| mesh.twin(corner).is_none())?;
    let [a, b] = mesh.edge(wall).map(|v| mesh.xy(v));
    Some(b - a)
}

/// Edges that bound a storey must not cross.
fn check_edges(mesh: &NavMesh, defects: &mut Defects) {
    let storey = |corner: CornerId| mesh.storey(mesh.cell_of_corner(corner));
    let is_boundary =
        |corner: &CornerId| mesh.twin(*corner).is_none_or(|twin| storey(twin) != storey(*corner));
    let edges: Vec<CornerId> = (0..mesh.twins.len()).map(CornerId::new).filter(is_boundary).collect();
    let points = |k: usize| mesh.edge(edges[k]).map(|v| mesh.xy(v));
    let grid = Grid::build(mesh.bounds, edges.len(), |k, ring| ring.extend(points(k)));
    let on_line = mesh.tolerance().on_line;
    // A split point may have been rounded across a wall that runs along its own.
    let is_split = |k: usize| mesh.edge(edges[k]).into_iter().any(|v| mesh.is_split_point(v));
    let crossing = grid.pairs(MOST, |i, j| {
        let ([a, b], [c, d]) = (points(i), points(j));
        Aabb2::of_points([a, b]).touches(Aabb2::of_points([c, d]))
            && storey(edges[i]) == storey(edges[j])
            && cross_properly(a, b, c, d)
            && !((is_split(i) || is_split(j)) && depth([a, b], [c, d]) <= on_line)
    });
    for (i, j) in crossing {
        let (here, there) = (edges[i as usize], edges[j as usize]);
        let ([a, b], other) = (points(i as usize), mesh.cell_of_corner(there));
        defects.add("N1", format_args!("cell {}", mesh.cell_of_corner(here)), || {
            format!(
                "has a boundary edge from ({}, {}) to ({}, {}) that crosses one of cell {other}",
                a.x, a.y, b.x, b.y
            )
        });
    }
}

/// How far an end of one of two crossing segments would have to move so that they do not cross [m].
fn depth([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> f64 {
    let depths =
        [line_distance(a, b, c), line_distance(a, b, d), line_distance(c, d, a), line_distance(c, d, b)];
    depths.into_iter().fold(f64::INFINITY, f64::min)
}
