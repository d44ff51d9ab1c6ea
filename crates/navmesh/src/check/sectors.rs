//! Cells round a point keep apart: each fan goes at most once round its vertex, and fans of different vertices
//! at the same place (where the ground touches itself) do not overlap; where cells lie on several storeys, those of
//! each storey. Exact.

use crate::{
    convex::{Turn, is_forward, turn},
    mesh::{CornerId, NavMesh, VertexId},
};
use std::cmp::Ordering;
use wayfare_core::{DVec2, defects::Defects};
use wayfare_geom::predicates::orient;

pub(super) fn check(mesh: &NavMesh, defects: &mut Defects) {
    for vertex in mesh.vertices() {
        if !goes_round_too_far(mesh, vertex) {
            continue;
        }
        let storey = |corner: CornerId| mesh.storey(mesh.cell_of_corner(corner));
        let mut storeys = mesh.fan(vertex).map(storey);
        let first = storeys.next();
        if storeys.any(|storey| Some(storey) != first) {
            // Ground that winds upwards may go round as often as it likes.
            check_place(mesh, &[vertex], defects);
        } else {
            let words = || "the cells round it span more than 360°".into();
            defects.add("N1", format_args!("vertex {vertex}"), words);
        }
    }
    let mut order: Vec<VertexId> = mesh.vertices().collect();
    let compare = |a: DVec2, b: DVec2| {
        // Adding zero makes −0 and 0 the same place.
        (a.x + 0.0).total_cmp(&(b.x + 0.0)).then((a.y + 0.0).total_cmp(&(b.y + 0.0)))
    };
    order.sort_by(|&a, &b| compare(mesh.xy(a), mesh.xy(b)).then(a.cmp(&b)));
    let same_place = |a: &VertexId, b: &VertexId| mesh.xy(*a) == mesh.xy(*b);
    for place in order.chunk_by(same_place).filter(|place| place.len() > 1) {
        check_place(mesh, place, defects);
    }
}

/// The sector of a cell at a corner begins at its next corner and ends, counter-clockwise, at its previous one.
fn sector(mesh: &NavMesh, corner: CornerId) -> [DVec2; 2] {
    [mesh.next_corner(corner), mesh.previous_corner(corner)].map(|corner| mesh.xy(mesh.corner_vertex(corner)))
}

/// Whether the cells round a vertex span more than 360 degrees.
///
/// Counts how often the directions round a vertex change between forwards and backwards: twice per turn.
pub(crate) fn goes_round_too_far(mesh: &NavMesh, vertex: VertexId) -> bool {
    let centre = mesh.xy(vertex);
    let mut changes = 0;
    let mut ends: Option<[DVec2; 2]> = None;
    for corner in mesh.fan(vertex) {
        let [from, to] = sector(mesh, corner);
        let same = is_forward(centre, from) == is_forward(centre, to);
        let wide = matches!(turn(to, centre, from), Turn::Right | Turn::Back);
        changes += if !same {
            1
        } else if wide {
            2
        } else {
            0
        };
        ends = Some([ends.map_or(from, |[first, _]| first), to]);
    }
    let Some([first, last]) = ends else { return false };
    match (mesh.boundary_corner(vertex), changes) {
        (_, 0 | 1) => false,
        (None, changes) => changes != 2,
        (Some(_), 2) => orient(centre, first, last) > 0.0,
        (Some(_), _) => true,
    }
}

/// Several vertices at one place: per storey, no two of their cells may overlap there.
fn check_place(mesh: &NavMesh, vertices: &[VertexId], defects: &mut Defects) {
    let Some(&first) = vertices.first() else { return };
    let centre = mesh.xy(first);
    let mut corners: Vec<CornerId> = vertices.iter().flat_map(|&vertex| mesh.fan(vertex)).collect();
    let storey = |corner: CornerId| mesh.storey(mesh.cell_of_corner(corner));
    corners.sort_by_key(|&corner| (storey(corner), corner));
    for corners in corners.chunk_by_mut(|&a, &b| storey(a) == storey(b)) {
        let reference = sector(mesh, corners[0])[0];
        let start = |corner: CornerId| sector(mesh, corner)[0];
        corners.sort_by(|&a, &b| ccw(centre, reference, start(a), start(b)).then(a.cmp(&b)));
        for k in 0..corners.len() {
            let (here, next) = (corners[k], corners[(k + 1) % corners.len()]);
            let [from, to] = sector(mesh, here);
            let after = start(next);
            // Rotating from the start of one, its end comes no later than the start of the next; a sector that
            // is alone may go once round.
            let same_start = here != next && ccw(centre, from, after, from).is_eq();
            if same_start || ccw_end(centre, from, to, after) == Ordering::Greater {
                let cells = [here, next].map(|corner| mesh.cell_of_corner(corner));
                defects.add("N1", format_args!("cell {}", cells[0]), || {
                    format!("and cell {} overlap at ({}, {})", cells[1], centre.x, centre.y)
                });
            }
        }
    }
}

/// Quarter of a direction seen from `reference`: 0 the same, 1 left, 2 opposite, 3 right.
fn quarter(centre: DVec2, reference: DVec2, p: DVec2) -> u8 {
    let side = orient(centre, reference, p);
    if side > 0.0 {
        1
    } else if side < 0.0 {
        3
    } else if is_forward(centre, reference) == is_forward(centre, p) {
        0
    } else {
        2
    }
}

/// Which of two directions comes first, turning counter-clockwise from `reference`, which itself comes first.
fn ccw(centre: DVec2, reference: DVec2, a: DVec2, b: DVec2) -> Ordering {
    compare(centre, a, b, quarter(centre, reference, a), quarter(centre, reference, b))
}

/// The same, but `reference` itself comes last: after a whole turn.
fn ccw_end(centre: DVec2, reference: DVec2, a: DVec2, b: DVec2) -> Ordering {
    let last = |quarter: u8| if quarter == 0 { 4 } else { quarter };
    compare(centre, a, b, last(quarter(centre, reference, a)), last(quarter(centre, reference, b)))
}

fn compare(centre: DVec2, a: DVec2, b: DVec2, quarter_a: u8, quarter_b: u8) -> Ordering {
    quarter_a.cmp(&quarter_b).then_with(|| {
        if quarter_a.is_multiple_of(2) {
            Ordering::Equal
        } else {
            0f64.total_cmp(&(orient(centre, a, b) + 0.0))
        }
    })
}
