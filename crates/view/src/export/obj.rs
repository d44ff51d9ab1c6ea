//! A mesh as Wavefront OBJ, for modelling programs.

use super::ground::Points;
use std::fmt::Write as _;
use wayfare_core::Id as _;
use wayfare_navmesh::{CellId, NavMesh};

/// One polygon per cell, or the pieces of its ground where that is bent; one line per portal; z up, in metres. Cells of
/// one tag share a material. The first points are the mesh's vertices.
pub fn mesh_to_obj(mesh: &NavMesh) -> String {
    let mut out = String::from(
        "# wayfare navigation mesh: z up, metres, one face per cell or piece of ground, one line per portal\n",
    );
    let vertices = &mesh.raw().vertices;
    let mut ground = Points::default();
    let is_bent = |&cell: &CellId| !mesh.ground_list(cell).is_empty();
    let faces: Vec<Vec<Vec<u32>>> =
        mesh.cells().map(|cell| if is_bent(&cell) { ground.faces(mesh, cell) } else { Vec::new() }).collect();
    // Writing to a string cannot fail.
    for p in vertices.iter().chain(&ground.points) {
        let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
    }
    out.push_str("o cells\n");
    let mut material = None;
    for cell in mesh.cells() {
        let tag = mesh.tag(cell);
        let name = mesh.tag_names().get(usize::from(tag)).map_or("", String::as_str);
        if material != Some(tag) && (material.is_some() || !name.is_empty()) {
            let name: String =
                name.chars().map(|c| if c.is_control() || c.is_whitespace() { '_' } else { c }).collect();
            let _ = writeln!(out, "usemtl {}", if name.is_empty() { "none" } else { &name });
        }
        material = Some(tag);
        if is_bent(&cell) {
            for face in &faces[cell.index()] {
                polygon(&mut out, face.iter().map(|&k| vertices.len() + k as usize));
            }
        } else {
            polygon(&mut out, mesh.cell_vertices(cell).map(|vertex| vertex.index()));
        }
    }
    out.push_str("o portals\n");
    for corners in mesh.portals().as_slice() {
        let [a, b] = corners.map(|corner| mesh.corner_vertex(corner).index() + 1);
        let _ = writeln!(out, "l {a} {b}");
    }
    out
}

/// A face; OBJ counts from 1.
fn polygon(out: &mut String, corners: impl Iterator<Item = usize>) {
    out.push('f');
    for corner in corners {
        let _ = write!(out, " {}", corner + 1);
    }
    out.push('\n');
}
