//! The convex faces that the search walks on, and the fan of faces round every vertex.
//!
//! A face is a cell, or a piece of a relaxed cell ([`super::split`]) or of a trimmed one ([`super::trim`]); results
//! speak of cells again. Everything that one step of the search reads lies in one 32-byte record per edge: where the
//! edge starts, what is across, whether a path may turn there.
//!
//! Dead ends ([`super::dead_ends`]) stay in the tables. What differs without them is kept beside: an edge that
//! leads down into one is `SEALED`, and every vertex knows the walls of its fan twice, as they are and
//! as they would be if all dead ends were filled.
//!
//! Invariants: edges of a face are contiguous and counter-clockwise; `twin` is mutual; a vertex has one fan
//! (N2), stored counter-clockwise from wall to wall, or once round an inner vertex.
//! Cost: O(n) memory and, but for the splitting, time.

use super::{
    dead_ends,
    orient::{Orient, is_on_grid},
    split, trim,
};
use crate::mesh::{CellId, NavMesh};
use wayfare_core::{DVec2, Id as _};
use wayfare_geom::predicates::orient;

/// No edge, no face, no vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// The edge leads down into a dead end.
pub(crate) const SEALED: u32 = 1;
/// The edge's first vertex is a corner: its fan spans more than 180°.
pub(crate) const CORNER: u32 = 2;
/// The edge's first vertex is a corner even when all dead ends are walls.
pub(crate) const CORE_CORNER: u32 = 4;
/// The fan of the edge's first vertex spans more than 360°, so that sides say nothing about it. Ground that
/// winds round an edge without width can do that.
pub(crate) const WIDE: u32 = 8;
/// The edge's first vertex is a landmark.
pub(crate) const LANDMARK: u32 = 16;
/// The edge's first vertex is an inner one: no wall is there.
pub(crate) const INNER: u32 = 32;

/// An edge of a face, counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Where it starts.
    pub at: DVec2,
    /// The vertex where it starts.
    pub vertex: u32,
    /// The same edge seen from the face across, [`NONE`] for a wall.
    pub twin: u32,
    /// The face it belongs to.
    pub face: u32,
    /// [`SEALED`], [`CORNER`], [`CORE_CORNER`], [`WIDE`], [`LANDMARK`], [`INNER`].
    pub flags: u32,
}

/// The vertices next to a fan: along its first edge, and along its last one counter-clockwise.
pub(crate) type Walls = [DVec2; 2];

/// The faces of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Faces {
    pub edges: Vec<Edge>,
    /// Where each face's edges start; one more entry than faces.
    starts: Vec<u32>,
    /// The cell of each face; empty if face `k` is cell `k`.
    cells: Vec<u32>,
    /// First face of each cell, one more entry than cells; empty if face `k` is cell `k`.
    cell_faces: Vec<u32>,
    /// In a dead end the edge that leads out of it, [`NONE`] in the core.
    pub up: Vec<u32>,
    /// Position of each vertex.
    pub xy: Vec<DVec2>,
    /// Where each vertex's fan starts in `fan_edges`; one more entry than vertices.
    fan_starts: Vec<u32>,
    /// The edges that start at a vertex, counter-clockwise.
    fan_edges: Vec<u32>,
    /// Walls of the whole fan, meaningful at corners.
    pub walls: Vec<Walls>,
    /// Walls when dead ends are filled, meaningful at core corners.
    pub core_walls: Vec<Walls>,
    /// The portal that each edge is, [`NONE`] for walls and edges inside a cell.
    pub portals: Vec<u32>,
    /// Signs on this mesh's vertices.
    pub orient: Orient,
}

impl Faces {
    /// Splits what is not convex, joins the faces, finds dead ends and corners. The graph wants the core trimmed
    /// ([`super::trim`]); the plain search does not gain by it, and has fewer faces to locate its ends in.
    pub fn build(mesh: &NavMesh, is_trimmed: bool) -> Self {
        let mut pieces = convex_pieces(mesh);
        let mut faces = Self::of_pieces(mesh, &pieces);
        if is_trimmed && faces.trim(&mut pieces) {
            faces = Self::of_pieces(mesh, &pieces);
        }
        faces.gather_fans();
        faces.up = dead_ends::find(&faces);
        for face in 0..faces.count() as u32 {
            let up = faces.up[face as usize];
            if up != NONE {
                let down = faces.edges[up as usize].twin;
                faces.edges[down as usize].flags |= SEALED;
            }
        }
        faces.find_corners();
        faces
    }

    /// Number of faces.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of faces that are not part of a dead end.
    pub fn core_count(&self) -> usize {
        self.up.iter().filter(|&&up| up == NONE).count()
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.xy.len()
    }

    /// Number of vertices at which paths may turn.
    pub fn corner_count(&self) -> usize {
        let is_corner = |&vertex: &u32| {
            self.fan(vertex).first().is_some_and(|&edge| self.edges[edge as usize].flags & CORNER != 0)
        };
        (0..self.vertex_count() as u32).filter(is_corner).count()
    }

    /// The edges of a face.
    #[inline(always)]
    pub fn range(&self, face: u32) -> (u32, u32) {
        (self.starts[face as usize], self.starts[face as usize + 1])
    }

    /// The next edge of the same face.
    #[inline]
    pub fn next(&self, edge: u32) -> u32 {
        let (start, end) = self.range(self.edges[edge as usize].face);
        if edge + 1 == end { start } else { edge + 1 }
    }

    /// The previous edge of the same face.
    #[inline]
    pub fn previous(&self, edge: u32) -> u32 {
        let (start, end) = self.range(self.edges[edge as usize].face);
        if edge == start { end - 1 } else { edge - 1 }
    }

    /// The cell that a face is part of.
    pub fn cell(&self, face: u32) -> CellId {
        CellId(if self.cells.is_empty() { face } else { self.cells[face as usize] })
    }

    /// The faces that a cell is made of.
    pub fn faces_of(&self, cell: CellId) -> std::ops::Range<u32> {
        if self.cell_faces.is_empty() {
            cell.0..cell.0 + 1
        } else {
            self.cell_faces[cell.index()]..self.cell_faces[cell.index() + 1]
        }
    }

    /// The edges that start at a vertex, counter-clockwise.
    #[inline]
    pub fn fan(&self, vertex: u32) -> &[u32] {
        &self.fan_edges
            [self.fan_starts[vertex as usize] as usize..self.fan_starts[vertex as usize + 1] as usize]
    }

    /// The part of a fan that lies in the core. Dead ends are cut off at the ends of a fan only: a face between two
    /// core faces is in the core itself.
    pub fn core_fan(&self, vertex: u32) -> &[u32] {
        let fan = self.fan(vertex);
        let in_core = |edge: &&u32| self.up[self.edges[**edge as usize].face as usize] == NONE;
        let from = fan.iter().take_while(|edge| !in_core(edge)).count();
        let len = fan[from..].iter().take_while(in_core).count();
        &fan[from..from + len]
    }

    /// Whether a point lies in a face or on its border.
    pub fn contains(&self, orient: Orient, face: u32, p: DVec2) -> bool {
        let (start, end) = self.range(face);
        let mut from = self.edges[end as usize - 1].at;
        for edge in &self.edges[start as usize..end as usize] {
            if orient.sign(from, edge.at, p) < 0.0 {
                return false;
            }
            from = edge.at;
        }
        true
    }

    /// Marks a vertex as a landmark.
    pub fn mark_landmark(&mut self, vertex: u32) {
        self.mark(vertex, LANDMARK);
    }

    /// Cuts off what lies behind the portals of faces in the core; whether there was anything.
    fn trim(&self, pieces: &mut [Vec<Vec<usize>>]) -> bool {
        let up = dead_ends::find(self);
        let mut ring = Vec::new();
        let mut is_passage = Vec::new();
        let mut is_changed = false;
        let mut face = 0;
        for pieces in pieces {
            let count = pieces.len().max(1);
            let mut finer = Vec::new();
            for k in 0..count {
                let (start, end) = self.range(face);
                let edges = &self.edges[start as usize..end as usize];
                let is_core = up[face as usize] == NONE;
                face += 1;
                ring.clear();
                ring.extend(edges.iter().map(|edge| edge.at));
                is_passage.clear();
                is_passage.extend(edges.iter().map(|edge| {
                    is_core && edge.twin != NONE && up[self.edges[edge.twin as usize].face as usize] == NONE
                }));
                // In the numbers of the cell's ring.
                let own = |j: usize| pieces.get(k).map_or(j, |piece| piece[j]);
                match trim::trim(&ring, &is_passage) {
                    Some(parts) => {
                        is_changed = true;
                        finer.extend(parts.into_iter().map(|part| part.into_iter().map(own).collect()));
                    }
                    None => finer.push((0..ring.len()).map(own).collect()),
                }
            }
            if finer.len() > count {
                *pieces = finer;
            }
        }
        is_changed
    }

    /// Faces and edges from the pieces of cells, see [`convex_pieces`].
    fn of_pieces(mesh: &NavMesh, pieces: &[Vec<Vec<usize>>]) -> Self {
        let corner_count = mesh.raw().corners.len();
        let mut edges: Vec<Edge> = Vec::with_capacity(corner_count);
        let mut starts = vec![0];
        let mut cells = Vec::new();
        let mut cell_faces = vec![0];
        // The edge that each corner of the mesh became.
        let mut edge_of = vec![NONE; corner_count];
        let mut ring = Vec::new();
        let mut diagonals = Vec::new();
        for cell in mesh.cells() {
            let first = mesh.corner_range(cell).start;
            ring.clear();
            ring.extend(mesh.cell_vertices(cell).map(|v| mesh.xy(v)));
            let whole = [(0..ring.len()).collect()];
            let pieces = &pieces[cell.index()];
            diagonals.clear();
            for piece in if pieces.is_empty() { &whole[..] } else { pieces } {
                let face = starts.len() as u32 - 1;
                for (k, &corner) in piece.iter().enumerate() {
                    let next = piece[(k + 1) % piece.len()];
                    let id = edges.len() as u32;
                    let mut twin = NONE;
                    if next == (corner + 1) % ring.len() {
                        edge_of[first + corner] = id;
                    } else if let Some(at) = diagonals.iter().position(|&(ends, _)| ends == (next, corner)) {
                        twin = diagonals.swap_remove(at).1;
                        edges[twin as usize].twin = id;
                    } else {
                        diagonals.push(((corner, next), id));
                    }
                    let vertex = mesh.raw().corners[first + corner];
                    edges.push(Edge { at: ring[corner], vertex, twin, face, flags: 0 });
                }
                starts.push(edges.len() as u32);
                cells.push(cell.0);
            }
            cell_faces.push(starts.len() as u32 - 1);
        }
        let mut portals = vec![NONE; edges.len()];
        for (portal, sides) in mesh.portals().as_slice().iter().enumerate() {
            let [one, two] = sides.map(|corner| edge_of[corner.index()]);
            if one != NONE && two != NONE {
                edges[one as usize].twin = two;
                edges[two as usize].twin = one;
                portals[one as usize] = portal as u32;
                portals[two as usize] = portal as u32;
            }
        }
        if cells.len() == mesh.cell_count() {
            cells.clear();
            cell_faces.clear();
        }
        let xy: Vec<DVec2> = mesh.raw().vertices.iter().map(|p| p.truncate()).collect();
        let exact_plain = xy.iter().copied().all(is_on_grid);
        Self {
            edges,
            starts,
            cells,
            cell_faces,
            up: Vec::new(),
            walls: Vec::new(),
            core_walls: Vec::new(),
            fan_starts: Vec::new(),
            fan_edges: Vec::new(),
            portals,
            orient: Orient { exact_plain },
            xy,
        }
    }

    /// Sorts the edges at each vertex counter-clockwise.
    fn gather_fans(&mut self) {
        // The edge to begin with: the one along a wall; at an inner vertex the lowest-numbered.
        let mut first = vec![NONE; self.xy.len()];
        for (id, edge) in self.edges.iter().enumerate() {
            let slot = &mut first[edge.vertex as usize];
            if edge.twin == NONE || *slot == NONE {
                *slot = id as u32;
            }
        }
        self.fan_starts = Vec::with_capacity(self.xy.len() + 1);
        self.fan_edges = Vec::with_capacity(self.edges.len());
        self.fan_starts.push(0);
        for first in first {
            let mut edge = first;
            while edge != NONE {
                self.fan_edges.push(edge);
                edge = self.edges[self.previous(edge) as usize].twin;
                if edge == first {
                    break;
                }
            }
            self.fan_starts.push(self.fan_edges.len() as u32);
        }
    }

    /// Walls and flags of every vertex.
    fn find_corners(&mut self) {
        self.walls = self.xy.iter().map(|&p| [p, p]).collect();
        self.core_walls = self.walls.clone();
        for vertex in 0..self.xy.len() as u32 {
            let fan = self.fan(vertex);
            let is_inner = fan.first().is_none_or(|&edge| self.edges[edge as usize].twin != NONE);
            if is_inner {
                self.mark(vertex, INNER);
                continue;
            }
            let whole = self.span(fan.iter().copied());
            let core = self.core_fan(vertex);
            let core = self.span(core.iter().copied());
            let mut flags = 0;
            if whole.is_reflex {
                flags |= CORNER;
                self.walls[vertex as usize] = whole.walls;
            }
            if core.is_reflex {
                flags |= CORE_CORNER;
                self.core_walls[vertex as usize] = core.walls;
            }
            if whole.is_wide {
                flags |= WIDE;
            }
            self.mark(vertex, flags);
        }
    }

    /// Adds flags to all edges of a vertex.
    fn mark(&mut self, vertex: u32, flags: u32) {
        for k in self.fan_starts[vertex as usize]..self.fan_starts[vertex as usize + 1] {
            self.edges[self.fan_edges[k as usize] as usize].flags |= flags;
        }
    }

    /// The angle that a part of a fan spans, by exact signs.
    pub fn span(&self, fan: impl Iterator<Item = u32>) -> Span {
        let mut span = Span::default();
        let mut ends = None;
        for edge in fan {
            let (centre, first) =
                *ends.get_or_insert((self.edges[edge as usize].at, self.edges[self.next(edge) as usize].at));
            let last = self.edges[self.previous(edge) as usize].at;
            let side = orient(centre, first, last);
            let is_ahead = side == 0.0 && (first - centre).dot(last - centre) > 0.0;
            // No face spans more than 180°, so no step can jump over a half turn.
            span.is_wide |= span.is_reflex && (side > 0.0 || side == 0.0 && !is_ahead);
            span.is_reflex |= side < 0.0 || is_ahead;
            span.walls = [first, last];
        }
        span
    }
}

/// For each cell its convex pieces as indices into its ring, none if it is convex itself.
fn convex_pieces(mesh: &NavMesh) -> Vec<Vec<Vec<usize>>> {
    let mut ring = Vec::new();
    let pieces = mesh.cells().map(|cell| {
        ring.clear();
        ring.extend(mesh.cell_points(cell));
        if split::is_convex(&ring) { Vec::new() } else { split::convex_pieces(&ring) }
    });
    pieces.collect()
}

/// What a part of a fan spans.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub walls: Walls,
    /// More than 180°.
    pub is_reflex: bool,
    /// More than 360°.
    pub is_wide: bool,
}
