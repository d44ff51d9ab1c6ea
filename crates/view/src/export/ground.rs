//! The ground of a cell as faces with shared points.

use std::collections::BTreeMap;
use wayfare_core::DVec3;
use wayfare_navmesh::{CellId, NavMesh};

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
