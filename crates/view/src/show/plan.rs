//! The edges of a floor plan by their kind, and the cells that they became part of.

use super::Show;
use std::collections::BTreeMap;
use wayfare_core::{DVec2, DVec3};
use wayfare_floor::{EdgeKind, FloorPlan, Region};
use wayfare_navmesh::{CornerId, LocateConfig, NavMesh};

/// Where the cell of an edge is not known.
const NO_CELL: u32 = u32::MAX;

impl Show {
    /// Adds the outlines of a floor plan; with the mesh that was made of it, each edge knows its cell, and so its storey.
    pub fn add_plan(&mut self, plan: &FloorPlan, mesh: Option<&NavMesh>) {
        let edges = mesh.map(Edges::of);
        let (mut positions, mut kinds) = (Vec::new(), Vec::new());
        let (mut layers, mut cells) = (Vec::new(), Vec::new());
        for (number, layer) in plan.layers.iter().enumerate() {
            for ring in layer.regions.iter().flat_map(Region::rings) {
                for (k, &kind) in ring.kinds.iter().enumerate() {
                    let ends = [ring.vertices[k], ring.vertices[(k + 1) % ring.vertices.len()]];
                    let ends = ends.map(|vertex| plan.vertices[vertex]);
                    positions.extend(ends.iter().flat_map(|&p| self.place(p)));
                    kinds.push(self::number(kind));
                    layers.push(number as u32);
                    cells.push(edges.as_ref().and_then(|edges| edges.cell(ends)).unwrap_or(NO_CELL));
                }
            }
        }
        self.add_floats("plan.positions", positions);
        self.add_bytes("plan.kind", kinds);
        self.add_numbers("plan.layer", layers);
        self.add_numbers("plan.cell", cells);
    }
}

/// The edges of a mesh by the place at which they start.
struct Edges<'a> {
    mesh: &'a NavMesh,
    at: BTreeMap<[u64; 3], Vec<CornerId>>,
}

impl<'a> Edges<'a> {
    fn of(mesh: &'a NavMesh) -> Self {
        let mut at: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for corner in mesh.cells().flat_map(|cell| mesh.corners(cell)) {
            let [start, _] = mesh.edge(corner);
            at.entry(key(mesh.position(start))).or_default().push(corner);
        }
        Self { mesh, at }
    }

    /// The cell that has an edge of the plan, or the first part of it where it was split; a seam may have gone into a cell, which
    /// is the one under its middle then.
    fn cell(&self, [from, to]: [DVec3; 2]) -> Option<u32> {
        // What was straight may be bent by rounding where it was split; two edges of one fan are farther apart than that.
        const SAME: f64 = 0.9999;
        let wanted = (to - from).truncate().normalize_or_zero();
        let along = |&corner: &CornerId| -> f64 {
            let [start, end] = self.mesh.edge(corner).map(|vertex| self.mesh.position(vertex));
            let own: DVec2 = (end - start).truncate().normalize_or_zero();
            own.dot(wanted)
        };
        let here = self.at.get(&key(from)).map_or(&[][..], Vec::as_slice);
        let best = here.iter().max_by(|a, b| along(a).total_cmp(&along(b)));
        let own = best.filter(|best| along(best) > SAME).map(|&best| self.mesh.cell_of_corner(best));
        let under = || Some(self.mesh.locate(from.midpoint(to), &LocateConfig::default())?.cell);
        own.or_else(under).map(|cell| cell.0)
    }
}

/// A place as it is written, to look it up.
fn key(p: DVec3) -> [u64; 3] {
    // Both zeros are one place.
    p.to_array().map(|x| (x + 0.0).to_bits())
}

/// The number of a kind.
fn number(kind: EdgeKind) -> u8 {
    match kind {
        EdgeKind::Wall | EdgeKind::Low { .. } => 0,
        EdgeKind::Drop { .. } => 1,
        EdgeKind::Seam { .. } => 2,
        EdgeKind::TagBorder => 4,
        EdgeKind::Gap { .. } => 3,
    }
}
