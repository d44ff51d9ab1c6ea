//! A mesh as Wavefront OBJ, for modelling programs.

use std::fmt::Write as _;
use wayfare_core::Id as _;
use wayfare_navmesh::NavMesh;

/// One polygon per cell, one line per portal; z up, in metres. Cells of one tag share a material.
pub fn mesh_to_obj(mesh: &NavMesh) -> String {
    let mut out =
        String::from("# wayfare navigation mesh: z up, metres, one face per cell, one line per portal\n");
    // Writing to a string cannot fail.
    for p in &mesh.raw().vertices {
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
        out.push('f');
        for vertex in mesh.cell_vertices(cell) {
            let _ = write!(out, " {}", vertex.index() + 1);
        }
        out.push('\n');
    }
    out.push_str("o portals\n");
    for corners in mesh.portals().as_slice() {
        let [a, b] = corners.map(|corner| mesh.corner_vertex(corner).index() + 1);
        let _ = writeln!(out, "l {a} {b}");
    }
    out
}
