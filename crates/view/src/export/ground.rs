//! The ground of a cell as faces with shared points.

use super::triangulate_cell;
use std::collections::BTreeMap;
use wayfare_core::DVec3;
use wayfare_navmesh::{CellId, NavMesh};

/// The ground of a cell as triangles: points of its own, and three of their numbers for each.
pub(crate) fn cell_triangles(mesh: &NavMesh, cell: CellId) -> (Vec<DVec3>, Vec<u32>) {
    if mesh.ground_list(cell).is_empty() {
        let at: Vec<_> = mesh.cell_vertices(cell).collect();
        // A cell's triangles only name the cell's own vertices.
        let corner = |vertex| at.iter().position(|&other| other == vertex).unwrap_or_default() as u32;
        let indices = triangulate_cell(mesh, cell).into_iter().flatten().map(corner).collect();
        return (at.iter().map(|&vertex| mesh.position(vertex)).collect(), indices);
    }
    let mut ground = Points::default();
    let faces = ground.faces(mesh, cell);
    let fan = |face: &Vec<u32>| -> Vec<u32> {
        face[1..].windows(2).flat_map(|pair| [face[0], pair[0], pair[1]]).collect()
    };
    let indices = faces.iter().flat_map(fan).collect();
    (ground.points, indices)
}

/// Points nearer to each other than this are one [m]: pieces are cut from several sides.
const SAME_POINT: f64 = 1e-6;

/// Numbers points; those at one place have one number.
#[derive(Debug, Default)]
pub(super) struct Points {
    /// The points by number.
    pub points: Vec<DVec3>,
    numbers: BTreeMap<[i64; 3], u32>,
}

impl Points {
    pub(super) fn number(&mut self, p: DVec3) -> u32 {
        let key = (p / SAME_POINT).to_array().map(|x| x.round() as i64);
        *self.numbers.entry(key).or_insert_with(|| {
            self.points.push(p);
            self.points.len() as u32 - 1
        })
    }

    /// The convex faces of a cell's ground, counter-clockwise; pieces too small to have an area are left out.
    pub(super) fn faces(&mut self, mesh: &NavMesh, cell: CellId) -> Vec<Vec<u32>> {
        let mut faces = Vec::new();
        mesh.ground_pieces(cell, |piece| {
            let mut face: Vec<u32> = piece.iter().map(|&p| self.number(p)).collect();
            face.dedup();
            if face.len() > 1 && face.first() == face.last() {
                face.pop();
            }
            if face.len() > 2 {
                faces.push(face);
            }
        });
        faces
    }
}
