//! Meshes from rings of vertices, and from a mesh without what is closed. The testkit's tests use this file, too.

use wayfare_core::{DVec2, Id as _};
use wayfare_navmesh::{Blocks, CellId, CornerId, NO_CELL, NavMesh, PortalId, RawNavMesh};

/// Joins cells that share edges.
pub fn mesh_of_cells(positions: &[DVec2], cells: &[Vec<u32>], convex_distance: f64) -> NavMesh {
    let mut sides = std::collections::BTreeMap::new();
    for (cell, ring) in cells.iter().enumerate() {
        for k in 0..ring.len() {
            sides.insert((ring[k], ring[(k + 1) % ring.len()]), cell as u32);
        }
    }
    let mut raw = RawNavMesh {
        vertices: positions.iter().map(|p| p.extend(0.0)).collect(),
        vertex_flags: vec![0; positions.len()],
        cell_starts: vec![0],
        tags: vec![0; cells.len()],
        tag_names: vec![String::new()],
        storeys: vec![0; cells.len()],
        imported: true,
        convex_distance,
        ..RawNavMesh::default()
    };
    for ring in cells {
        for k in 0..ring.len() {
            raw.corners.push(ring[k]);
            let across = sides.get(&(ring[(k + 1) % ring.len()], ring[k]));
            raw.neighbours.push(across.copied().unwrap_or(NO_CELL));
        }
        raw.cell_starts.push(raw.corners.len() as u32);
    }
    raw.validate().unwrap_or_else(|defects| panic!("{defects:?}"))
}

/// The mesh without what is closed: corners are one vertex only where an open portal joins them.
pub fn cut(mesh: &NavMesh, blocks: &Blocks, is_allowed: impl Fn(CellId) -> bool) -> Option<NavMesh> {
    let mut class: Vec<usize> = (0..mesh.raw().corners.len()).collect();
    fn root(class: &mut [usize], mut k: usize) -> usize {
        while class[k] != k {
            class[k] = class[class[k]];
            k = class[k];
        }
        k
    }
    let is_open = |cell: CellId| !blocks.is_cell_blocked(cell) && is_allowed(cell);
    for (portal, &[one, two]) in mesh.portals().as_slice().iter().enumerate() {
        if blocks.is_portal_blocked(PortalId::new(portal))
            || ![one, two].iter().all(|&corner| is_open(mesh.cell_of_corner(corner)))
        {
            continue;
        }
        for (a, b) in [(one, mesh.next_corner(two)), (mesh.next_corner(one), two)] {
            let (a, b) = (root(&mut class, a.index()), root(&mut class, b.index()));
            class[a] = b;
        }
    }
    let mut number = vec![u32::MAX; class.len()];
    let mut positions: Vec<DVec2> = Vec::new();
    let mut cells = Vec::new();
    for cell in mesh.cells().filter(|&cell| is_open(cell)) {
        let ring = mesh.corner_range(cell).map(|corner| {
            let own = root(&mut class, corner);
            if number[own] == u32::MAX {
                number[own] = positions.len() as u32;
                positions.push(mesh.xy(mesh.corner_vertex(CornerId::new(corner))));
            }
            number[own]
        });
        cells.push(ring.collect());
    }
    (!cells.is_empty()).then(|| mesh_of_cells(&positions, &cells, mesh.raw().convex_distance))
}
