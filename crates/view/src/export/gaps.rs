//! Ground with its gaps as coloured triangles: walkable blue, gaps green, the rest of the scene grey (as in seed 002, section VII).

use super::glb::{Arrays, Builder, middle_of, turn, turn_exact};
use serde_json::json;
use std::fmt::Write as _;
use wayfare_core::DVec3;
use wayfare_floor::gaps::{Face, GapSurface};
use wayfare_geom::TriangleMesh;

/// Triangles of one colour.
struct Part {
    name: &'static str,
    colour: [u8; 3],
    mesh: TriangleMesh,
    /// The gap of each triangle, or none.
    gaps: Vec<i32>,
}

/// The three parts. Of the scene, triangles listed in `walkable` are left out: the ground is drawn instead. Faces of risers that have no
/// area at all are left out, too.
fn parts(scene: &TriangleMesh, walkable: &[u32], found: &GapSurface) -> [Part; 3] {
    let part = |name, colour| Part { name, colour, mesh: TriangleMesh::default(), gaps: Vec::new() };
    let mut parts =
        [part("walkable", [74, 127, 193]), part("gaps", [63, 174, 90]), part("rest", [154, 160, 166])];
    let mut number = vec![[u32::MAX; 2]; found.vertices.len()];
    for (t, face) in found.faces.iter().enumerate() {
        let (which, gap) = match face {
            Face::Ground(_) => (0, -1),
            Face::Gap(gap) => (1, *gap as i32),
        };
        let [a, b, c] = found.points(t);
        if (b - a).cross(c - a) == DVec3::ZERO {
            continue;
        }
        let mesh = &mut parts[which].mesh;
        let corners = found.triangles[t].map(|vertex| {
            let number = &mut number[vertex as usize][which];
            if *number == u32::MAX {
                *number = mesh.vertices.len() as u32;
                mesh.vertices.push(found.vertices[vertex as usize]);
            }
            *number
        });
        mesh.triangles.push(corners);
        parts[which].gaps.push(gap);
    }
    let mut is_walkable = vec![false; scene.triangles.len()];
    for &t in walkable {
        is_walkable[t as usize] = true;
    }
    let rest = &mut parts[2];
    rest.mesh.vertices = scene.vertices.clone();
    rest.mesh.triangles =
        (0..scene.triangles.len()).filter(|&t| !is_walkable[t]).map(|t| scene.triangles[t]).collect();
    rest.gaps = vec![-1; rest.mesh.triangles.len()];
    parts
}

/// Binary PLY, z up, metres: vertices with colours; faces with the number of their gap, −1 where there is none.
pub fn gaps_to_ply(scene: &TriangleMesh, walkable: &[u32], found: &GapSurface) -> Vec<u8> {
    let parts = parts(scene, walkable, found);
    let vertices: usize = parts.iter().map(|part| part.mesh.vertices.len()).sum();
    let faces: usize = parts.iter().map(|part| part.mesh.triangles.len()).sum();
    let mut out = format!(
        "ply\nformat binary_little_endian 1.0\ncomment wayfare: walkable blue, gaps green, rest grey; z up, metres\n\
         element vertex {vertices}\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\n\
         property uchar green\nproperty uchar blue\nelement face {faces}\nproperty list uchar int vertex_indices\n\
         property int gap\nend_header\n"
    )
    .into_bytes();
    for part in &parts {
        for p in &part.mesh.vertices {
            out.extend(p.to_array().into_iter().flat_map(f64::to_le_bytes));
            out.extend(part.colour);
        }
    }
    let mut first = 0;
    for part in &parts {
        for (corners, gap) in part.mesh.triangles.iter().zip(&part.gaps) {
            out.push(3);
            out.extend(corners.iter().flat_map(|corner| (first + corner).to_le_bytes()));
            out.extend(gap.to_le_bytes());
        }
        first += part.mesh.vertices.len() as u32;
    }
    out
}

/// Wavefront OBJ, z up, metres: three objects with a material each.
pub fn gaps_to_obj(scene: &TriangleMesh, walkable: &[u32], found: &GapSurface) -> String {
    let mut out = String::from("# wayfare: walkable ground, gaps and the rest; z up, metres\n");
    let mut first = 1;
    // Writing to a string cannot fail.
    for part in parts(scene, walkable, found) {
        let _ = writeln!(out, "o {0}\nusemtl {0}", part.name);
        for p in &part.mesh.vertices {
            let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
        }
        for [a, b, c] in &part.mesh.triangles {
            let _ = writeln!(out, "f {} {} {}", first + a, first + b, first + c);
        }
        first += part.mesh.vertices.len() as u32;
    }
    out
}

/// Binary glTF, y up, metres: three meshes.
pub fn gaps_to_glb(scene: &TriangleMesh, walkable: &[u32], found: &GapSurface) -> Vec<u8> {
    let middle = middle_of(&found.vertices);
    let mut file = Builder::default();
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    for part in parts(scene, walkable, found) {
        if part.mesh.triangles.is_empty() {
            continue;
        }
        // Colours of glTF are linear: the square is close to what screens make of them.
        let [r, g, b] = part.colour.map(|c| (f32::from(c) / 255.0).powi(2));
        let arrays = Arrays {
            positions: part.mesh.vertices.iter().map(|&p| turn(p - middle)).collect(),
            colours: vec![[r, g, b, 1.0]; part.mesh.vertices.len()],
            indices: part.mesh.triangles.iter().flatten().copied().collect(),
        };
        meshes.push(file.mesh(part.name, 4, &arrays));
        nodes.push(json!({"name": part.name, "mesh": meshes.len() - 1, "translation": turn_exact(middle)}));
    }
    file.finish(&meshes, &nodes)
}
