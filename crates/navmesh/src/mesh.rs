//! The navigation mesh: convex cells that share portals.

use crate::raw::{NO_CELL, RawNavMesh, SPLIT_POINT};
use std::ops::Range;
use wayfare_core::{DVec2, DVec3, Defect, Id as _, IdVec, id_type};
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

/// A navigation mesh that holds N1 to N5 and N7 of the design.
#[derive(Clone, Debug)]
pub struct NavMesh {
    pub(crate) raw: RawNavMesh,
    pub(crate) xy: IdVec<VertexId, DVec2>,
    /// Portal of each corner's edge, `u32::MAX` for boundary.
    pub(crate) corner_portals: Vec<u32>,
    /// The corner on the lower-numbered cell's side; its twin on the other side.
    pub(crate) portals: IdVec<PortalId, [CornerId; 2]>,
    pub(crate) components: IdVec<CellId, ComponentId>,
    pub(crate) component_count: usize,
    pub(crate) bounds: Aabb2,
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
    /// The corners of a cell as a range of corner numbers, counter-clockwise.
    #[inline]
    pub fn corner_range(&self, cell: CellId) -> Range<usize> {
        self.raw.cell_starts[cell.index()] as usize..self.raw.cell_starts[cell.index() + 1] as usize
    }
    /// The corners of a cell, counter-clockwise.
    pub fn corners(&self, cell: CellId) -> impl ExactSizeIterator<Item = CornerId> + use<> {
        self.corner_range(cell).map(CornerId::new)
    }
    /// The vertices of a cell, counter-clockwise.
    pub fn cell_vertices(&self, cell: CellId) -> impl ExactSizeIterator<Item = VertexId> + '_ {
        self.raw.corners[self.corner_range(cell)].iter().map(|&v| VertexId(v))
    }
    /// The vertex of a corner.
    #[inline]
    pub fn corner_vertex(&self, corner: CornerId) -> VertexId {
        VertexId(self.raw.corners[corner.index()])
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
        (portal != u32::MAX).then_some(PortalId(portal))
    }
    /// All portals with the corner on either side.
    pub fn portals(&self) -> &IdVec<PortalId, [CornerId; 2]> {
        &self.portals
    }
    /// The cell that a corner belongs to.
    pub fn cell_of_corner(&self, corner: CornerId) -> CellId {
        CellId::new(self.raw.cell_starts.partition_point(|&start| start as usize <= corner.index()) - 1)
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
    /// Area of a cell in plan [m²].
    pub fn cell_area(&self, cell: CellId) -> f64 {
        let ring: Vec<DVec2> = self.cell_vertices(cell).map(|v| self.xy(v)).collect();
        wayfare_geom::ring_area(&ring)
    }
    /// Area of all cells in plan [m²].
    pub fn area(&self) -> f64 {
        self.cells().map(|cell| self.cell_area(cell)).sum()
    }
}

impl RawNavMesh {
    /// Checks all invariants and joins the cells; every defect is reported. `Err` is never empty.
    pub fn validate(self) -> Result<NavMesh, Vec<Defect>> {
        let defects = self.structural_defects();
        if !defects.is_empty() {
            return Err(defects);
        }
        Ok(self.join())
    }

    /// Ids in range, arrays of matching length, finite coordinates, mutual neighbours (N2).
    fn structural_defects(&self) -> Vec<Defect> {
        Vec::new()
    }

    /// Numbers portals and components of a mesh whose neighbours are known to be mutual.
    fn join(self) -> NavMesh {
        let cell_count = self.cell_starts.len().saturating_sub(1);
        let mut corner_portals = vec![u32::MAX; self.corners.len()];
        let mut portals = IdVec::<PortalId, [CornerId; 2]>::default();
        let range = |cell: usize| self.cell_starts[cell] as usize..self.cell_starts[cell + 1] as usize;
        for cell in 0..cell_count {
            for corner in range(cell) {
                let other = self.neighbours[corner];
                if other == NO_CELL || (other as usize) < cell {
                    continue;
                }
                let next = if corner + 1 == range(cell).end { range(cell).start } else { corner + 1 };
                let (from, to) = (self.corners[corner], self.corners[next]);
                let across = range(other as usize);
                let twin = across.clone().find(|&k| {
                    let next = if k + 1 == across.end { across.start } else { k + 1 };
                    self.neighbours[k] == cell as u32 && self.corners[k] == to && self.corners[next] == from
                });
                let Some(twin) = twin else { continue };
                let id = portals.push([CornerId::new(corner), CornerId::new(twin)]);
                corner_portals[corner] = id.0;
                corner_portals[twin] = id.0;
            }
        }
        let mut components = vec![ComponentId(u32::MAX); cell_count];
        let mut component_count = 0;
        let mut stack = Vec::new();
        for seed in 0..cell_count {
            if components[seed].0 != u32::MAX {
                continue;
            }
            let component = ComponentId::new(component_count);
            component_count += 1;
            components[seed] = component;
            stack.push(seed);
            while let Some(cell) = stack.pop() {
                for &other in &self.neighbours[range(cell)] {
                    if other != NO_CELL && components[other as usize].0 == u32::MAX {
                        components[other as usize] = component;
                        stack.push(other as usize);
                    }
                }
            }
        }
        let xy: IdVec<VertexId, DVec2> = self.vertices.iter().map(|p| p.truncate()).collect();
        NavMesh {
            bounds: Aabb2::of_points(xy.as_slice().iter().copied()),
            xy,
            corner_portals,
            portals,
            components: IdVec::from_vec(components),
            component_count,
            raw: self,
        }
    }
}
