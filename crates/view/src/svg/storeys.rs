//! The storeys of a mesh, and what bounds them.

use super::canvas::Canvas;
use wayfare_core::Id as _;
use wayfare_navmesh::{CellId, CornerId, NavMesh};

/// The cells of a storey.
pub(super) struct Storey {
    pub number: u32,
    pub cells: Vec<CellId>,
}

/// All storeys, the lowest first by the mean height of their cells' corners: what lies above is painted over what lies
/// below.
pub(super) fn storeys(mesh: &NavMesh) -> Vec<Storey> {
    let mut cells: Vec<CellId> = mesh.cells().collect();
    cells.sort_by_key(|&cell| mesh.storey(cell));
    let groups = cells.chunk_by(|&a, &b| mesh.storey(a) == mesh.storey(b));
    let mut storeys: Vec<(f64, Storey)> = groups
        .map(|cells| {
            let vertices = || cells.iter().flat_map(|&cell| mesh.cell_vertices(cell));
            let sum: f64 = vertices().map(|v| mesh.position(v).z).sum();
            let storey = Storey { number: mesh.storey(cells[0]), cells: cells.to_vec() };
            (sum / vertices().count() as f64, storey)
        })
        .collect();
    storeys.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.number.cmp(&other.number)));
    storeys.into_iter().map(|(_, storey)| storey).collect()
}

/// What bounds a storey along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rim {
    Wall,
    Drop,
    Seam,
}

impl Rim {
    pub(super) const ALL: [Self; 3] = [Self::Wall, Self::Drop, Self::Seam];

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Drop => "drop",
            Self::Seam => "seam",
        }
    }

    /// None for an edge inside the storey.
    fn of(mesh: &NavMesh, corner: CornerId) -> Option<Self> {
        match mesh.twin(corner) {
            None if mesh.drop_depth(corner) > 0.0 => Some(Self::Drop),
            None => Some(Self::Wall),
            Some(_) => mesh.is_seam(corner).then_some(Self::Seam),
        }
    }
}

impl Storey {
    /// The closed chains of edges that bound the storey, with the ground on their left.
    pub(super) fn rims(&self, mesh: &NavMesh) -> Vec<Vec<(CornerId, Rim)>> {
        let mut chains = Vec::new();
        let mut is_done = vec![false; mesh.raw().corners.len()];
        for start in self.cells.iter().flat_map(|&cell| mesh.corners(cell)) {
            let mut chain = Vec::new();
            let mut corner = start;
            while let Some(rim) = Rim::of(mesh, corner).filter(|_| !is_done[corner.index()]) {
                is_done[corner.index()] = true;
                chain.push((corner, rim));
                // On to the next bounding edge round the vertex at which this one ends.
                corner = mesh.next_corner(corner);
                while let Some(twin) = mesh.twin(corner).filter(|_| Rim::of(mesh, corner).is_none()) {
                    corner = mesh.next_corner(twin);
                }
            }
            if !chain.is_empty() {
                chains.push(chain);
            }
        }
        chains
    }
}

/// Appends those parts of a chain that are of one kind.
pub(super) fn trace_rim(
    data: &mut String,
    canvas: &Canvas,
    mesh: &NavMesh,
    chain: &[(CornerId, Rim)],
    kind: Rim,
) {
    let at = |corner: CornerId| mesh.xy(mesh.corner_vertex(corner));
    if chain.iter().all(|&(_, rim)| rim == kind) {
        canvas.trace(data, chain.iter().map(|&(corner, _)| at(corner)), true);
        return;
    }
    // From a change of kinds on, so that no part is cut in two.
    let n = chain.len();
    let first = (0..n).find(|&k| chain[(k + n - 1) % n].1 != chain[k].1).unwrap_or(0);
    let mut turned = chain.to_vec();
    turned.rotate_left(first);
    for part in turned.chunk_by(|a, b| a.1 == b.1).filter(|part| part[0].1 == kind) {
        let end = part.last().map(|&(corner, _)| at(mesh.next_corner(corner)));
        canvas.trace(data, part.iter().map(|&(corner, _)| at(corner)).chain(end), false);
    }
}
