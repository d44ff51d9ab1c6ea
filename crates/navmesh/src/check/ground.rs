//! N8: heights are known at every point of every cell, and cells that meet agree about them.
//!
//! Steps: 1. what the triangles of a cell have over it sums up to its area  2. they do not overlap: with 1, they leave
//!   no gap  3. vertices lie on the ground of their cells  4. at a portal both cells have the same profile; it can
//!   differ most where one of the two is bent
//! Cost: O(n log n) in the entries of the lists.

use crate::{
    ground::{Crossing, SAME_HEIGHT},
    mesh::{CellId, NavMesh},
};
use wayfare_core::{
    DVec2, DVec3,
    defects::{Defects, MOST},
};

/// A gap or an overlap that is narrower than this is rounding [m]: the ground's points on edges of cells are rounded to
/// doubles, which are 2 nm apart at most, and edges are longer than their points are off.
const HAIR: f64 = 1e-6;

pub(super) fn check(mesh: &NavMesh, defects: &mut Defects) {
    for cell in mesh.cells().filter(|&cell| !mesh.ground_list(cell).is_empty()) {
        check_cover(mesh, cell, defects);
        check_overlap(mesh, cell, defects);
        check_corners(mesh, cell, defects);
        if defects.is_full() {
            return;
        }
    }
    check_portals(mesh, defects);
}

/// 1.
fn check_cover(mesh: &NavMesh, cell: CellId, defects: &mut Defects) {
    let mut covered = 0.0;
    mesh.ground_pieces(cell, |piece| {
        let arm = |k: usize| (piece[k] - piece[0]).truncate();
        covered += (2..piece.len()).map(|k| arm(k - 1).perp_dot(arm(k))).sum::<f64>() / 2.0;
    });
    let next = mesh.cell_points(cell).cycle().skip(1);
    let perimeter: f64 = mesh.cell_points(cell).zip(next).map(|(a, b)| a.distance(b)).sum();
    let area = mesh.cell_area(cell);
    // 2⁻⁴⁰ of the area is what adding up a million pieces may lose.
    if (covered - area).abs() > HAIR * perimeter + area * 2f64.powi(-40) {
        defects.add("N8", format_args!("cell {cell}"), || {
            format!("has {area} m², its ground {covered} m² of triangles")
        });
    }
}

/// 2.
fn check_overlap(mesh: &NavMesh, cell: CellId, defects: &mut Defects) {
    let overlap = |i: usize, j: usize| {
        let [a, b] = [i, j].map(|k| mesh.ground_triangle(k as u32).map(DVec3::truncate));
        !is_separated(a, b) && !is_separated(b, a)
    };
    let list = mesh.ground_list(cell);
    let pairs = match mesh.ground.grid(cell) {
        Some(grid) => grid.pairs(MOST, overlap),
        None => {
            let pairs = list.iter().enumerate().flat_map(|(k, &j)| list[..k].iter().map(move |&i| (i, j)));
            pairs.filter(|&(i, j)| overlap(i as usize, j as usize)).collect()
        }
    };
    for (i, j) in pairs {
        defects.add("N8", format_args!("cell {cell}"), || {
            format!("has ground triangles {i} and {j} that overlap")
        });
    }
}

/// Whether an edge of triangle `a` has all of `b` on its right, but for a hair.
fn is_separated(a: [DVec2; 3], b: [DVec2; 3]) -> bool {
    (0..3).any(|k| {
        let (from, along) = (a[k], a[(k + 1) % 3] - a[k]);
        let limit = HAIR * along.length();
        b.iter().all(|&p| along.perp_dot(p - from) <= limit)
    })
}

/// 3.
fn check_corners(mesh: &NavMesh, cell: CellId, defects: &mut Defects) {
    for vertex in mesh.cell_vertices(cell) {
        let (z, ground) = (mesh.position(vertex).z, mesh.height_with_slopes(cell, mesh.xy(vertex)));
        if (z - ground).abs() > SAME_HEIGHT {
            defects.add("N8", format_args!("vertex {vertex}"), || {
                format!("is at {z} m, the ground of cell {cell} there at {ground} m")
            });
        }
    }
}

/// 4.
fn check_portals(mesh: &NavMesh, defects: &mut Defects) {
    let mut crossings: Vec<Crossing> = Vec::new();
    for (portal, sides) in mesh.portals.iter() {
        let cells = sides.map(|corner| mesh.cell_of_corner(corner));
        let ends = mesh.edge(sides[0]).map(|v| mesh.xy(v));
        let mut worst = (SAME_HEIGHT, DVec2::ZERO, [0.0; 2]);
        for cell in cells {
            // Exactly, as the heights there are looked up again: at a riser those beside it are others.
            mesh.ground_crossings(cell, ends, 0.0, &mut crossings);
            for p in crossings.iter().map(|crossing| crossing.point.truncate()) {
                let heights = cells.map(|cell| mesh.height_with_slopes(cell, p));
                let off = (heights[0] - heights[1]).abs();
                if off > worst.0 {
                    worst = (off, p, heights);
                }
            }
        }
        let (off, p, [here, there]) = worst;
        if off > SAME_HEIGHT {
            defects.add("N8", format_args!("portal {portal}"), || {
                let [a, b] = cells;
                format!("is at ({}, {}) {here} m high in cell {a} and {there} m in cell {b}", p.x, p.y)
            });
        }
        if defects.is_full() {
            return;
        }
    }
}
