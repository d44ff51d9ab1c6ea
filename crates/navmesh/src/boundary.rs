//! The boundary of the ground: closed chains of edges that have a cell on their left only.
//!
//! Every vertex belongs to one fan (N2), so at most one boundary edge starts there and following the chain is a
//! look-up. The chains are those of the plan, whatever cells it was cut into: only split points come and go.

use crate::{
    check::sectors::goes_round_too_far,
    convex::{Turn, turn},
    mesh::{CornerId, NavMesh, VertexId},
};
use wayfare_core::{DVec2, Id as _, IdVec};

/// The chains of boundary edges, each closed and with the ground on its left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boundary {
    starts: Vec<u32>,
    corners: Vec<CornerId>,
}

impl Boundary {
    /// The chains, in the order of their lowest corners; each as the corners whose edges it is made of.
    pub fn chains(&self) -> impl ExactSizeIterator<Item = &[CornerId]> {
        self.starts.windows(2).map(|pair| &self.corners[pair[0] as usize..pair[1] as usize])
    }
    /// Number of edges of all chains.
    pub fn edge_count(&self) -> usize {
        self.corners.len()
    }
}

impl NavMesh {
    /// The boundary of the ground.
    pub fn boundary(&self) -> Boundary {
        let mut boundary = Boundary { starts: vec![0], corners: Vec::new() };
        let mut seen = vec![false; self.twins.len()];
        for seed in self.twins.ids() {
            if self.twin(seed).is_some() || seen[seed.index()] {
                continue;
            }
            let mut corner = seed;
            while !seen[corner.index()] {
                seen[corner.index()] = true;
                boundary.corners.push(corner);
                // At the end of a boundary edge a fan ends, so one begins there.
                corner = self.fans[self.edge(corner)[1]];
            }
            boundary.starts.push(boundary.corners.len() as u32);
        }
        boundary
    }
}

/// For each vertex, whether the plan has a notch there: looking through split points, whose rounding must not
/// count, the boundary turns right, or back at the end of a wall without thickness.
pub(crate) fn plan_notches(mesh: &NavMesh) -> IdVec<VertexId, bool> {
    let mut notches = IdVec::from_vec(vec![false; mesh.vertex_count()]);
    let mut chain_vertices: Vec<VertexId> = Vec::new();
    // Only ground with several storeys can go round a vertex more than once.
    let may_wind = mesh.raw.storeys.iter().any(|&storey| storey != 0);
    for chain in mesh.boundary().chains() {
        chain_vertices.clear();
        let vertices = chain.iter().map(|&corner| mesh.corner_vertex(corner));
        chain_vertices.extend(vertices.filter(|&vertex| !mesh.is_split_point(vertex)));
        let n = chain_vertices.len();
        for k in 0..n {
            let around = [(k + n - 1) % n, k, (k + 1) % n].map(|k| mesh.xy(chain_vertices[k]));
            let vertex = chain_vertices[k];
            notches[vertex] = is_notch(around) || may_wind && goes_round_too_far(mesh, vertex);
        }
    }
    notches
}

fn is_notch([a, b, c]: [DVec2; 3]) -> bool {
    matches!(turn(a, b, c), Turn::Right | Turn::Back)
}
