//! The navigation mesh: convex cells that share portals.

use crate::{
    Accelerator, Clearance, Gap,
    grid::Grid,
    ground::Ground,
    hand_over::HandOvers,
    raw::{NO_CELL, RawNavMesh, SPLIT_POINT},
    slabs::Slabs,
};
use std::ops::Range;
use wayfare_core::{DVec2, DVec3, Id as _, IdVec, Tolerance, id_type};
use wayfare_geom::Aabb2;

id_type!(
    /// A vertex of the mesh; one per fan where free space touches itself.
    VertexId
);
id_type!(
    /// A convex cell.
    CellId
);
id_type!(
    /// The segment shared by two cells.
    PortalId
);
id_type!(
    /// A corner of a cell, and the edge from it to the cell's next corner.
    CornerId
);
id_type!(
    /// A set of cells that can be reached from each other at radius 0.
    ComponentId
);

/// In tables of corners and portals: there is none.
pub(crate) const NONE: u32 = u32::MAX;

/// Distances that count as zero on a mesh with these bounds.
pub(crate) fn tolerance(bounds: Aabb2) -> Tolerance {
    // The box of nothing is infinitely far away.
    Tolerance::of_extent(Some(bounds.extent()).filter(|extent| extent.is_finite()).unwrap_or(0.0))
}

/// A navigation mesh, made by [`RawNavMesh::validate`].
///
/// What always holds (numbers as in the design):
///
/// * **N0** all ids are in range, coordinates are finite and at most 10⁷ m, every vertex belongs to a cell; triangles of
///   the ground have area in plan, and drops are at the boundary;
/// * **N1** cells run once round counter-clockwise and are convex by exact test, except for notches that the
///   relaxation ignores ([`NavMesh::notches`]) and rounding at split points;
/// * **N2** a portal is shared by exactly two cells with the same two vertices, and the cells at a vertex form
///   one fan;
/// * **N5** no inner vertex unless imported, or where different tags, gaps or steps meet; **N7** components;
/// * **N9** gaps have a width, and steps are at portals, as high from both sides.
///
/// [`NavMesh::check`] also compares cells that are not neighbours (N3, overlaps), and the ground with the cells (N8).
#[derive(Clone, Debug)]
pub struct NavMesh {
    pub(crate) raw: RawNavMesh,
    pub(crate) xy: IdVec<VertexId, DVec2>,
    pub(crate) corner_cells: IdVec<CornerId, CellId>,
    /// Corner across each corner's edge, [`NONE`] for boundary.
    pub(crate) twins: IdVec<CornerId, u32>,
    /// Portal of each corner's edge, [`NONE`] for boundary.
    pub(crate) corner_portals: Vec<u32>,
    /// The corner on the lower-numbered cell's side; its twin on the other side.
    pub(crate) portals: IdVec<PortalId, [CornerId; 2]>,
    /// First corner of each vertex's fan, counter-clockwise.
    pub(crate) fans: IdVec<VertexId, CornerId>,
    /// Whether the plan turns by more than 180° at a vertex.
    pub(crate) plan_notches: IdVec<VertexId, bool>,
    /// Corners at which a cell turns right: the notches that the relaxation ignored. Ascending.
    pub(crate) notches: Vec<CornerId>,
    pub(crate) components: IdVec<CellId, ComponentId>,
    pub(crate) component_count: usize,
    /// The highest step and the widest gap.
    pub(crate) hardest: Gap,
    pub(crate) bounds: Aabb2,
    /// The common height of all ground, if it has one.
    pub(crate) flat: Option<f64>,
    pub(crate) cell_boxes: IdVec<CellId, Aabb2>,
    pub(crate) grid: Grid,
    pub(crate) slabs: Slabs,
    pub(crate) ground: Ground,
    pub(crate) accelerator: Option<Accelerator>,
    pub(crate) clearance: Option<Clearance>,
    pub(crate) hand_overs: Option<HandOvers>,
}

impl NavMesh {
    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.components.len()
    }
    /// All cells.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = CellId> + use<> {
        (0..self.cell_count()).map(CellId::new)
    }
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.xy.len()
    }
    /// All vertices.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = VertexId> + use<> {
        (0..self.vertex_count()).map(VertexId::new)
    }
    /// Number of components.
    pub fn component_count(&self) -> usize {
        self.component_count
    }
    /// The data as it is stored.
    pub fn raw(&self) -> &RawNavMesh {
        &self.raw
    }
    /// The box round all vertices in plan.
    pub fn bounds(&self) -> Aabb2 {
        self.bounds
    }
    /// Distances that count as zero on this mesh.
    pub fn tolerance(&self) -> Tolerance {
        tolerance(self.bounds)
    }
    /// Position of a vertex.
    pub fn position(&self, vertex: VertexId) -> DVec3 {
        self.raw.vertices[vertex.index()]
    }
    /// Position of a vertex in plan.
    #[inline]
    pub fn xy(&self, vertex: VertexId) -> DVec2 {
        self.xy[vertex]
    }
    /// Whether the vertex only splits a straight wall.
    pub fn is_split_point(&self, vertex: VertexId) -> bool {
        self.raw.vertex_flags[vertex.index()] & SPLIT_POINT != 0
    }
    /// Whether the vertex is a notch of the plan: the ground around it spans more than 180°, so a shortest path
    /// may turn there. Whatever the cells are, the answer is that of the plan's boundary; split points are
    /// looked through.
    #[inline]
    pub fn is_plan_notch(&self, vertex: VertexId) -> bool {
        self.plan_notches[vertex]
    }
    /// The corners of a cell as a range of corner numbers, counter-clockwise.
    #[inline]
    pub fn corner_range(&self, cell: CellId) -> Range<usize> {
        self.raw.corner_range(cell.index())
    }
    /// The corners of a cell, counter-clockwise.
    pub fn corners(&self, cell: CellId) -> impl ExactSizeIterator<Item = CornerId> + use<> {
        self.corner_range(cell).map(CornerId::new)
    }
    /// The vertices of a cell, counter-clockwise.
    pub fn cell_vertices(&self, cell: CellId) -> impl ExactSizeIterator<Item = VertexId> + Clone + '_ {
        self.raw.corners[self.corner_range(cell)].iter().map(|&v| VertexId(v))
    }
    /// The corner points of a cell in plan, counter-clockwise.
    pub fn cell_points(&self, cell: CellId) -> impl ExactSizeIterator<Item = DVec2> + Clone + '_ {
        self.cell_vertices(cell).map(|v| self.xy(v))
    }
    /// The vertex of a corner.
    #[inline]
    pub fn corner_vertex(&self, corner: CornerId) -> VertexId {
        VertexId(self.raw.corners[corner.index()])
    }
    /// The cell that a corner belongs to.
    #[inline]
    pub fn cell_of_corner(&self, corner: CornerId) -> CellId {
        self.corner_cells[corner]
    }
    /// The next corner of the same cell, counter-clockwise.
    #[inline]
    pub fn next_corner(&self, corner: CornerId) -> CornerId {
        let range = self.corner_range(self.corner_cells[corner]);
        CornerId(if corner.index() + 1 == range.end { range.start as u32 } else { corner.0 + 1 })
    }
    /// The previous corner of the same cell, counter-clockwise.
    #[inline]
    pub fn previous_corner(&self, corner: CornerId) -> CornerId {
        let range = self.corner_range(self.corner_cells[corner]);
        CornerId(if corner.index() == range.start { range.end as u32 - 1 } else { corner.0 - 1 })
    }
    /// The two vertices of a corner's edge, in the direction of its cell.
    #[inline]
    pub fn edge(&self, corner: CornerId) -> [VertexId; 2] {
        [self.corner_vertex(corner), self.corner_vertex(self.next_corner(corner))]
    }
    /// The corner whose edge is the same portal seen from the other cell.
    #[inline]
    pub fn twin(&self, corner: CornerId) -> Option<CornerId> {
        let twin = self.twins[corner];
        (twin != NONE).then_some(CornerId(twin))
    }
    /// The cell across a corner's edge.
    #[inline]
    pub fn neighbour(&self, corner: CornerId) -> Option<CellId> {
        let cell = self.raw.neighbours[corner.index()];
        (cell != NO_CELL).then_some(CellId(cell))
    }
    /// The portal at a corner's edge.
    pub fn portal_at(&self, corner: CornerId) -> Option<PortalId> {
        let portal = self.corner_portals[corner.index()];
        (portal != NONE).then_some(PortalId(portal))
    }
    /// All portals with the corner on either side.
    pub fn portals(&self) -> &IdVec<PortalId, [CornerId; 2]> {
        &self.portals
    }
    /// The corners at a vertex, counter-clockwise: from wall to wall, or once round an inner vertex.
    pub fn fan(&self, vertex: VertexId) -> impl Iterator<Item = CornerId> + '_ {
        let first = self.fans[vertex];
        std::iter::successors(Some(first), move |&corner| {
            self.twin(self.previous_corner(corner)).filter(|&next| next != first)
        })
    }
    /// The corner whose edge is the boundary edge that starts at a vertex; none at an inner vertex.
    #[inline]
    pub fn boundary_corner(&self, vertex: VertexId) -> Option<CornerId> {
        let first = self.fans[vertex];
        (self.twins[first] == NONE).then_some(first)
    }
    /// The notches of a cell that the relaxation ignored: corners at which it turns right. A path through the
    /// cell must not cut them off. Split points are none, nor is the rounding beside them.
    #[inline]
    pub fn notches(&self, cell: CellId) -> &[CornerId] {
        if self.notches.is_empty() {
            return &[];
        }
        let range = self.corner_range(cell);
        let from = self.notches.partition_point(|corner| corner.index() < range.start);
        let len = self.notches[from..].partition_point(|corner| corner.index() < range.end);
        &self.notches[from..from + len]
    }
    /// How deep a body falls that goes on across a corner's edge [m]; infinite where nothing is below, 0 at walls and
    /// portals.
    pub fn drop_depth(&self, corner: CornerId) -> f32 {
        self.raw.drop_depths.get(corner.index()).copied().unwrap_or(0.0)
    }
    /// The component of a cell.
    #[inline]
    pub fn component(&self, cell: CellId) -> ComponentId {
        self.components[cell]
    }
    /// The storey of a cell.
    pub fn storey(&self, cell: CellId) -> u32 {
        self.raw.storeys[cell.index()]
    }
    /// The tag of a cell as an index into [`NavMesh::tag_names`].
    pub fn tag(&self, cell: CellId) -> u8 {
        self.raw.tags[cell.index()]
    }
    /// The area tags of the map.
    pub fn tag_names(&self) -> &[String] {
        &self.raw.tag_names
    }
    /// What makes path queries on a large mesh fast, if it was made.
    pub fn accelerator(&self) -> Option<&Accelerator> {
        self.accelerator.as_ref()
    }
    /// Keeps an accelerator with the mesh, also in its file; it must have been made for this mesh.
    pub fn set_accelerator(&mut self, accelerator: Option<Accelerator>) {
        self.accelerator = accelerator;
    }
    /// Area of a cell in plan [m²].
    pub fn cell_area(&self, cell: CellId) -> f64 {
        // Measured from the first corner, so that places far from the origin lose no digits.
        let mut points = self.cell_points(cell);
        let Some(origin) = points.next() else { return 0.0 };
        let arms = points.map(|p| p - origin);
        arms.clone().zip(arms.skip(1)).map(|(a, b)| a.perp_dot(b)).sum::<f64>() / 2.0
    }
    /// Area of the ground in plan, without gaps [m²].
    pub fn area(&self) -> f64 {
        self.cells().filter(|&cell| self.gap(cell).is_none()).map(|cell| self.cell_area(cell)).sum()
    }
}
