//! A mesh from a list of polygons: neighbours are found by shared edges.

use crate::{
    join,
    mesh::{CellId, CornerId},
    raw::{NO_CELL, RawNavMesh},
};
use wayfare_core::{DVec3, Defect, Id as _, IdVec, defects::Defects};

impl RawNavMesh {
    /// Joins polygons (counter-clockwise lists of vertex numbers) wherever two of them share an edge.
    ///
    /// Cells have the numbers of the polygons. Vertices without a polygon are dropped and those at which the
    /// ground touches itself are stored once per fan, so vertices may be renumbered. The mesh is marked as
    /// imported: it may have inner vertices. Fails if a polygon names a vertex that is not there or has fewer
    /// than three, or if an edge has more than one polygon on either side; all else is for [`RawNavMesh::validate`] to say.
    pub fn from_polygons<P: AsRef<[u32]>>(vertices: &[DVec3], polygons: &[P]) -> Result<Self, Vec<Defect>> {
        let mut defects = Defects::default();
        let mut raw = Self {
            vertices: vertices.to_vec(),
            vertex_flags: vec![0; vertices.len()],
            cell_starts: vec![0],
            tags: vec![0; polygons.len()],
            tag_names: vec![String::new()],
            storeys: vec![0; polygons.len()],
            imported: true,
            ..Self::default()
        };
        for (cell, polygon) in polygons.iter().enumerate() {
            let corners = polygon.as_ref();
            if corners.len() < 3 {
                let words = || format!("has {} corners, expected 3 or more", corners.len());
                defects.add("N0", format_args!("cell {cell}"), words);
            }
            for vertex in corners.iter().filter(|&&v| v as usize >= vertices.len()) {
                let words = || format!("names vertex {vertex} of {}", vertices.len());
                defects.add("N0", format_args!("cell {cell}"), words);
            }
            raw.corners.extend_from_slice(corners);
            let Ok(end) = u32::try_from(raw.corners.len()) else {
                defects.add("N0", "corners", || "are more than ids can tell apart".into());
                break;
            };
            raw.cell_starts.push(end);
        }
        if defects.count() > 0 {
            return Err(defects.into_vec("N0"));
        }
        let cells = raw.corner_cells();
        let mut neighbours = vec![NO_CELL; raw.corners.len()];
        join::for_each_edge(&raw, &cells, |_, _, sides| {
            if let &[one, two] = sides {
                neighbours[one as usize] = cells[CornerId(two)].0;
                neighbours[two as usize] = cells[CornerId(one)].0;
            }
        });
        raw.neighbours = neighbours;
        let twins = join::match_edges(&raw, &cells, &mut defects);
        if defects.count() > 0 {
            return Err(defects.into_vec("N0"));
        }
        join::split_fans(&mut raw, &cells, &twins);
        Ok(raw)
    }

    /// The cell of each corner.
    pub(crate) fn corner_cells(&self) -> IdVec<CornerId, CellId> {
        let cells = 0..self.cell_count();
        cells.flat_map(|cell| std::iter::repeat_n(CellId::new(cell), self.corner_range(cell).len())).collect()
    }
}
