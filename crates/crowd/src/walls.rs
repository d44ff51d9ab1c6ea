//! The walls round an agent: edges of the boundary and closed doors, on its own storey.
//!
//! Idea: walls are looked for from the agent's cell through open portals that are near enough, so that what is behind
//! a wall or on another storey is never met. An agent keeps the nearest few of them with the distance up to which
//! these are all; as long as it has not moved too far, nothing is looked for again.
//! Steps: 1. cells through portals within reach  2. their closed edges, the nearest kept  3. later: those that matter now
//! Invariants: what [`Walls::near`] gives holds every wall within the distance asked for, by rising corner.
//! Cost: O(edges of the cells round about) every half metre of way; O(kept walls) in between.

use wayfare_core::{DVec2, Id as _};
use wayfare_geom::segment::{distance_squared_to_segment, nearest_on_segment};
use wayfare_navmesh::{Blocks, CellId, CornerId, NavMesh, PortalId};

/// A segment in plan: its two ends.
pub type Segment = [DVec2; 2];

/// How many walls an agent keeps. More than eight within two metres are rare in buildings.
pub(crate) const KEPT: usize = 12;
/// Walls are looked for anew after so much way at the latest [m].
const AGAIN: f64 = 0.5;
/// How far walls are looked for [m], or this much farther than a large body needs: then all of them are known up to 2.5 m, as far as others are
/// seen, until they are looked for anew.
const REACH: f64 = 2.5 + AGAIN;
const BEYOND_BODY: f64 = 1.1 + AGAIN;
/// Ground this much higher or lower is another storey [m]: less than the head room of any body, more than stairs rise
/// up to where a body touches walls before it looks again.
const STOREY: f64 = 1.75;

/// The walls that an agent keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kept {
    /// Where it was when it looked.
    pub at: DVec2,
    /// All walls nearer than this to `at` are kept [m]; negative: look again.
    pub known: f64,
    pub corners: [u32; KEPT],
    pub count: u32,
}

impl Default for Kept {
    fn default() -> Self {
        Self { at: DVec2::ZERO, known: -1.0, corners: [0; KEPT], count: 0 }
    }
}

/// Where an agent stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    pub cell: CellId,
    pub at: DVec2,
    pub z: f64,
}

/// Memory of a search.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    cells: Vec<CellId>,
    found: Vec<(f64, u32)>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self { cells: Vec::with_capacity(4 * KEPT), found: Vec::with_capacity(4 * KEPT) }
    }
}

/// The edges of a mesh and which of them are closed.
#[derive(Clone, Debug)]
pub(crate) struct Walls {
    /// The edge of each corner.
    edges: Vec<Segment>,
    /// Whether nobody crosses it.
    closed: Vec<bool>,
    /// Whether no way leads across it: it is closed, or about to be.
    barred: Vec<bool>,
}

impl Walls {
    /// Portals that are `closing` are blocked, but for now bodies stand in them.
    pub fn new(mesh: &NavMesh, blocks: &Blocks, closing: &[PortalId]) -> Self {
        let corners = || mesh.cells().flat_map(|cell| mesh.corners(cell));
        let edges = corners().map(|corner| mesh.edge(corner).map(|v| mesh.xy(v))).collect();
        let barred: Vec<bool> = corners().map(|corner| is_closed(mesh, blocks, corner)).collect();
        let is_closing = |corner| mesh.portal_at(corner).is_some_and(|portal| closing.contains(&portal));
        let closed = corners().zip(&barred).map(|(corner, &barred)| barred && !is_closing(corner)).collect();
        Self { edges, closed, barred }
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.edges.len()
    }
    pub fn edge(&self, corner: u32) -> Segment {
        self.edges[corner as usize]
    }
    pub fn is_closed(&self, corner: CornerId) -> bool {
        self.closed[corner.index()]
    }

    pub fn is_barred(&self, corner: CornerId) -> bool {
        self.barred[corner.index()]
    }

    /// Steps 1 and 2.
    fn look(&self, mesh: &NavMesh, stand: Stand, reach: f64, kept: &mut Kept, scratch: &mut Scratch) {
        self.find(mesh, stand, reach, scratch);
        let Scratch { found, .. } = scratch;
        *kept = Kept { at: stand.at, known: reach, ..Kept::default() };
        if found.len() > KEPT {
            found.select_nth_unstable_by(KEPT, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            kept.known = found[KEPT].0.sqrt();
            found.truncate(KEPT);
        }
        found.sort_unstable_by_key(|&(_, corner)| corner);
        kept.count = found.len() as u32;
        for (slot, &(_, corner)) in kept.corners.iter_mut().zip(&*found) {
            *slot = corner;
        }
    }

    /// Step 3: every wall within `reach` of an agent, by rising corner. Looks again where that is needed.
    pub fn near(
        &self,
        mesh: &NavMesh,
        stand: Stand,
        reach: f64,
        kept: &mut Kept,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32),
    ) {
        let is_known = |kept: &Kept| stand.at.distance(kept.at) + reach <= kept.known;
        let is_far = stand.at.distance_squared(kept.at) > AGAIN * AGAIN;
        if is_far || !is_known(kept) {
            self.look(mesh, stand, REACH.max(reach + BEYOND_BODY), kept, scratch);
        }
        let is_near = |corner: u32| is_near(self.edges[corner as usize], stand.at, reach);
        if is_known(kept) {
            let corners = &kept.corners[..kept.count as usize];
            corners.iter().copied().filter(|&corner| is_near(corner)).for_each(visit);
            return;
        }
        // So many walls that they cannot be kept.
        self.find(mesh, stand, reach, scratch);
        scratch.found.sort_unstable_by_key(|&(_, corner)| corner);
        scratch.found.iter().for_each(|&(_, corner)| visit(corner));
    }

    /// The walls that an agent keeps: all of those near it unless there are very many.
    pub fn kept<'a>(&'a self, kept: &'a Kept) -> impl Iterator<Item = Segment> + 'a {
        kept.corners[..kept.count as usize].iter().map(|&corner| self.edge(corner))
    }

    fn find(&self, mesh: &NavMesh, stand: Stand, reach: f64, scratch: &mut Scratch) {
        let Scratch { cells, found } = scratch;
        cells.clear();
        found.clear();
        cells.push(stand.cell);
        let mut next = 0;
        while let Some(&cell) = cells.get(next) {
            next += 1;
            for corner in mesh.corners(cell) {
                let [a, b] = self.edges[corner.index()];
                let squared = distance_squared_to_segment(stand.at, a, b);
                if squared >= reach * reach {
                    continue;
                }
                let is_here = || {
                    let [from, to] = mesh.edge(corner).map(|v| mesh.position(v).z);
                    let share = if a == b {
                        0.0
                    } else {
                        nearest_on_segment(stand.at, a, b).distance(a) / a.distance(b)
                    };
                    (from + (to - from) * share - stand.z).abs() <= STOREY
                };
                if !is_here() {
                    continue;
                }
                if self.closed[corner.index()] {
                    found.push((squared, corner.0));
                } else if let Some(cell) = mesh.neighbour(corner)
                    && !cells.contains(&cell)
                {
                    cells.push(cell);
                }
            }
        }
    }
}

fn is_closed(mesh: &NavMesh, blocks: &Blocks, corner: CornerId) -> bool {
    let (Some(portal), Some(into)) = (mesh.portal_at(corner), mesh.neighbour(corner)) else { return true };
    blocks.is_portal_blocked(portal)
        || blocks.is_cell_blocked(into) != blocks.is_cell_blocked(mesh.cell_of_corner(corner))
}

/// Whether a wall is nearer to a point than a distance.
#[inline]
pub(crate) fn is_near([a, b]: Segment, p: DVec2, reach: f64) -> bool {
    distance_squared_to_segment(p, a, b) < reach * reach
}
