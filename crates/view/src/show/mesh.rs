//! A navigation mesh: the ground of its cells, what is known of each, portals and boundary.

use super::Show;
use crate::{colour_cells, export::cell_triangles};
use wayfare_core::{DVec2, Id as _};
use wayfare_navmesh::{CellId, CornerId, NavMesh, PortalId};

/// Where a number is not known.
const UNKNOWN: f32 = -1.0;

impl Show {
    /// Adds the mesh.
    pub fn add_mesh(&mut self, mesh: &NavMesh) {
        let (mut positions, mut triangles, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        for cell in mesh.cells() {
            let first = owners.len() as u32;
            let (points, indices) = cell_triangles(mesh, cell);
            positions.extend(points.iter().flat_map(|&p| self.place(p)));
            triangles.extend(indices.iter().map(|k| first + k));
            owners.resize(owners.len() + points.len(), cell.0);
        }
        self.add_floats("cells.positions", positions);
        self.add_numbers("cells.triangles", triangles);
        self.add_numbers("cells.cell", owners);

        let clearances = mesh.clearances();
        let room = |cell: CellId| {
            let place = clearances.as_ref().and_then(|clearances| clearances.at(cell, middle(mesh, cell)));
            place.map_or(UNKNOWN, |place| place.distance as f32)
        };
        self.add_numbers("cell.component", mesh.cells().map(|cell| mesh.component(cell).0));
        self.add_numbers("cell.storey", mesh.cells().map(|cell| mesh.storey(cell)));
        self.add_bytes("cell.tag", mesh.cells().map(|cell| mesh.tag(cell)));
        self.add_bytes("cell.colour", colour_cells(mesh));
        self.add_floats("cell.clearance", mesh.cells().map(room));

        if mesh.has_gaps() {
            self.add_bytes("cell.gap", mesh.cells().map(|cell| u8::from(mesh.gap(cell).is_some())));
            let steps = mesh.portals().as_slice().iter().map(|sides| sides[0]);
            let steps: Vec<CornerId> = steps.filter(|&corner| mesh.rise(corner) > 0.0).collect();
            let ends = steps.iter().flat_map(|&corner| mesh.edge(corner));
            let positions: Vec<f32> = ends.flat_map(|vertex| self.place(mesh.position(vertex))).collect();
            self.add_floats("steps.positions", positions);
            self.add_floats("steps.rise", steps.iter().map(|&corner| mesh.rise(corner) as f32));
            self.add_numbers("steps.cell", steps.iter().map(|&corner| mesh.cell_of_corner(corner).0));
        }

        let mut positions = Vec::new();
        let mut beside = Vec::new();
        for &[one, two] in mesh.portals().as_slice() {
            positions.extend(mesh.edge(one).iter().flat_map(|&vertex| self.place(mesh.position(vertex))));
            beside.extend([one, two].map(|corner| mesh.cell_of_corner(corner).0));
        }
        let critical = |portal: usize| match &clearances {
            Some(clearances) => clearances.data().critical_radius(PortalId::new(portal)) as f32,
            None => UNKNOWN,
        };
        self.add_floats("portals.positions", positions);
        self.add_numbers("portals.cells", beside);
        self.add_floats("portals.critical", (0..mesh.portals().len()).map(critical));

        let (mut positions, mut kinds, mut drops, mut owners) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for corner in
            mesh.cells().flat_map(|cell| mesh.corners(cell)).filter(|&edge| mesh.twin(edge).is_none())
        {
            owners.push(mesh.cell_of_corner(corner).0);
            positions.extend(mesh.edge(corner).iter().flat_map(|&vertex| self.place(mesh.position(vertex))));
            let depth = mesh.drop_depth(corner);
            kinds.push(u8::from(depth > 0.0));
            drops.push(depth);
        }
        self.add_floats("boundary.positions", positions);
        self.add_bytes("boundary.kind", kinds);
        self.add_floats("boundary.drop", drops);
        self.add_numbers("boundary.cell", owners);
        self.set("tags", mesh.tag_names().to_vec());
    }
}

/// The middle of a cell's corners, which lies in it if it is convex.
fn middle(mesh: &NavMesh, cell: CellId) -> DVec2 {
    let points = mesh.cell_points(cell);
    let count = points.len().max(1) as f64;
    points.fold(DVec2::ZERO, |sum, p| sum + p) / count
}
