//! Reading the cells off a finished workpiece.

use super::workpiece::{Split, Workpiece};
use wayfare_geom::triangulation::EdgeRole;
use wayfare_navmesh::NO_CELL;

/// The cells of one region. Vertices are the region's corners in ring order, then the splits.
#[derive(Debug, Default)]
pub(crate) struct RegionCells {
    pub splits: Vec<Split>,
    /// Where each cell's corners start; one more entry than cells.
    pub starts: Vec<u32>,
    pub corners: Vec<u32>,
    /// The cell across the edge that starts at each corner.
    pub neighbours: Vec<u32>,
}

impl RegionCells {
    /// Number of cells.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Walks round every cell; splits whose portals are gone again are left out.
pub(crate) fn collect(piece: &Workpiece) -> RegionCells {
    let mesh = &piece.mesh;
    let plan = piece.plan_vertex_count();

    // 1. Number the splits that are still used.
    let mut result = RegionCells { starts: vec![0], ..RegionCells::default() };
    let mut number: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
    for (split, v) in piece.splits.iter().zip(plan as u32..) {
        let used = mesh.leaving(v).any(|h| mesh.role(h) == EdgeRole::Portal);
        number[v as usize] = if used { (plan + result.splits.len()) as u32 } else { u32::MAX };
        if used {
            result.splits.push(*split);
        }
    }

    // 2. Walk round the cells, in the order of their lowest wall or portal.
    let mut cell_of = vec![NO_CELL; mesh.half_edge_count()];
    let mut sides = Vec::new();
    for start in 0..mesh.half_edge_count() as u32 {
        if !mesh.is_inside(start)
            || mesh.role(start) == EdgeRole::Diagonal
            || cell_of[start as usize] != NO_CELL
        {
            continue;
        }
        let cell = (result.starts.len() - 1) as u32;
        mesh.walk_cell(start, |h| {
            cell_of[h as usize] = cell;
            let vertex = number[mesh.origin(h) as usize];
            if vertex != u32::MAX {
                result.corners.push(vertex);
                sides.push(h);
            }
        });
        result.starts.push(result.corners.len() as u32);
    }

    // 3. Join them.
    let across =
        |&h: &u32| if mesh.role(h) == EdgeRole::Portal { cell_of[(h ^ 1) as usize] } else { NO_CELL };
    result.neighbours = sides.iter().map(across).collect();
    result
}
