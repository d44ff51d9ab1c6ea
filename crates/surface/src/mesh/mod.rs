//! A surface: triangles joined along edges, known by their lengths alone.

mod build;
mod check;
mod fans;
mod glue;
mod lengths;
mod raw;
#[cfg(test)]
mod tests;

pub use raw::RawSurface;

use wayfare_core::{Id as _, id_type, ops};

id_type!(
    /// A face of a [`SurfaceMesh`].
    FaceId
);
id_type!(
    /// Side `k` of face `f`, from its corner `k` to the next, is half-edge `3 f + k`. It also stands for that corner.
    HalfEdgeId
);
id_type!(
    /// A vertex of a [`SurfaceMesh`]: those below [`SurfaceMesh::input_vertex_count`] have the number of the input,
    /// those above are further copies where the surface was cut ([`SurfaceMesh::input_vertex`]).
    VertexId
);

impl FaceId {
    /// The three sides in their order.
    #[inline]
    pub fn half_edges(self) -> [HalfEdgeId; 3] {
        [0, 1, 2].map(|k| HalfEdgeId(3 * self.0 + k))
    }
}

impl HalfEdgeId {
    /// The face it is a side of.
    #[inline]
    pub fn face(self) -> FaceId {
        FaceId(self.0 / 3)
    }
    /// 0, 1 or 2: which side, and which corner it starts at.
    #[inline]
    pub fn side(self) -> usize {
        (self.0 % 3) as usize
    }
    /// The next side of its face.
    #[inline]
    pub fn next(self) -> Self {
        Self(if self.0 % 3 == 2 { self.0 - 2 } else { self.0 + 1 })
    }
    /// The side of its face before it.
    #[inline]
    pub fn previous(self) -> Self {
        Self(if self.0.is_multiple_of(3) { self.0 + 2 } else { self.0 - 1 })
    }
}

/// No half-edge.
pub(crate) const NONE: u32 = u32::MAX;

/// A surface of triangles: who lies beside whom, and the lengths of the sides. No positions: whatever is measured
/// along the surface needs none, and a flat base mesh has none.
///
/// Half-edge `3 f + k` is side `k` of face `f` (not `h ^ 1` for the twin as elsewhere: faces of three sides make `next`
/// free, and a border side needs no twin). What holds after every constructor:
///
/// - **H1** `twin` is an involution without fixed points; both half-edges have the same two vertices and the same length.
/// - **H2** at every vertex the faces make one fan: open at the border, else closed. So an edge has one or two faces.
/// - **H3** every face has three different vertices, finite positive lengths and a positive area.
///
/// Faces keep the turn they came with. Where two neighbours turn differently (always somewhere on a surface that
/// cannot be oriented) their half-edges start at the same vertex: [`SurfaceMesh::is_mirrored`].
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceMesh {
    /// First vertex of each half-edge.
    origins: Vec<u32>,
    /// The other side of each half-edge, or [`NONE`].
    twins: Vec<u32>,
    /// Per half-edge [m].
    lengths: Vec<f64>,
    /// Per face, twice its area [m²].
    double_areas: Vec<f64>,
    /// Half-edges that start at each vertex: offsets, then the half-edges in order.
    corner_starts: Vec<u32>,
    corners: Vec<u32>,
    /// Sum of the angles at each vertex [rad].
    angles: Vec<f64>,
    /// Whether a vertex lies on the border.
    is_border: Vec<bool>,
    /// Number of vertices of the input.
    input_vertices: usize,
    /// The input's vertex of each vertex after those.
    copies: Vec<u32>,
    /// The input's number of each face.
    input_faces: Vec<u32>,
    /// Component of each face.
    components: Vec<u32>,
    /// Of each component, whether it can be oriented.
    orientable: Vec<bool>,
}

impl SurfaceMesh {
    pub(crate) fn origins(&self) -> &[u32] {
        &self.origins
    }
    pub(crate) fn twins(&self) -> &[u32] {
        &self.twins
    }
    pub(crate) fn lengths(&self) -> &[f64] {
        &self.lengths
    }
    pub(crate) fn double_areas(&self) -> &[f64] {
        &self.double_areas
    }
    /// Number of faces.
    pub fn face_count(&self) -> usize {
        self.double_areas.len()
    }
    /// Number of half-edges, three per face.
    pub fn half_edge_count(&self) -> usize {
        self.origins.len()
    }
    /// Number of vertices, copies included.
    pub fn vertex_count(&self) -> usize {
        self.angles.len()
    }
    /// Number of vertices of the input, those without a face included.
    pub fn input_vertex_count(&self) -> usize {
        self.input_vertices
    }
    /// The input's number of a vertex.
    pub fn input_vertex(&self, vertex: VertexId) -> usize {
        let v = vertex.index();
        if v < self.input_vertices { v } else { self.copies[v - self.input_vertices] as usize }
    }
    /// The input's number of a face: those that were set aside leave gaps.
    pub fn input_face(&self, face: FaceId) -> usize {
        self.input_faces[face.index()] as usize
    }
    /// The vertices that a vertex of the input became: itself, and further copies where the surface was cut.
    pub fn copies_of(&self, input_vertex: usize) -> impl Iterator<Item = VertexId> + '_ {
        let own = (input_vertex < self.input_vertices).then_some(input_vertex);
        let more = self.copies.iter().enumerate();
        let more = more.filter(move |&(_, &of)| of as usize == input_vertex);
        own.into_iter().chain(more.map(|(k, _)| self.input_vertices + k)).map(VertexId::new)
    }
    /// From values per vertex to values per vertex of the input: the smallest of all copies.
    pub fn fold_copies(&self, values: &mut Vec<f64>) {
        for (k, &of) in self.copies.iter().enumerate() {
            let copy = values[self.input_vertices + k];
            let own = &mut values[of as usize];
            *own = own.min(copy);
        }
        values.truncate(self.input_vertices);
    }
    /// Where a half-edge starts.
    #[inline]
    pub fn origin(&self, h: HalfEdgeId) -> VertexId {
        VertexId(self.origins[h.index()])
    }
    /// Where a half-edge ends.
    #[inline]
    pub fn end(&self, h: HalfEdgeId) -> VertexId {
        self.origin(h.next())
    }
    /// The half-edge of the neighbouring face, unless there is none.
    #[inline]
    pub fn twin(&self, h: HalfEdgeId) -> Option<HalfEdgeId> {
        let twin = self.twins[h.index()];
        (twin != NONE).then_some(HalfEdgeId(twin))
    }
    /// Whether the neighbouring face turns the other way: then the twin starts where the half-edge starts.
    #[inline]
    pub fn is_mirrored(&self, h: HalfEdgeId) -> bool {
        let twin = self.twins[h.index()];
        twin != NONE && self.origins[twin as usize] == self.origins[h.index()]
    }
    /// Length of a side [m].
    #[inline]
    pub fn length(&self, h: HalfEdgeId) -> f64 {
        self.lengths[h.index()]
    }
    /// Area of a face [m²].
    pub fn area(&self, face: FaceId) -> f64 {
        self.double_areas[face.index()] * 0.5
    }
    /// The third corner of the face of `h`, in the frame whose x axis runs along `h` from its origin, the face above it.
    #[inline]
    pub fn apex(&self, h: HalfEdgeId) -> [f64; 2] {
        let (base, to_end, to_origin) = (self.length(h), self.length(h.next()), self.length(h.previous()));
        let x = (base * base + (to_origin - to_end) * (to_origin + to_end)) / (2.0 * base);
        [x, self.double_areas[h.face().index()] / base]
    }
    /// Angle of the corner where `h` starts [rad].
    pub fn corner_angle(&self, h: HalfEdgeId) -> f64 {
        let [x, y] = self.apex(h);
        ops::atan2(y, x)
    }
    /// The half-edges that start at a vertex, one per face there, by number; none for a vertex without a face.
    pub fn corners(&self, vertex: VertexId) -> impl ExactSizeIterator<Item = HalfEdgeId> + '_ {
        let v = vertex.index();
        let range = self.corner_starts[v] as usize..self.corner_starts[v + 1] as usize;
        self.corners[range].iter().map(|&h| HalfEdgeId(h))
    }
    /// Sum of the angles of the faces round a vertex [rad].
    pub fn total_angle(&self, vertex: VertexId) -> f64 {
        self.angles[vertex.index()]
    }
    /// Whether a vertex lies on the border of the surface.
    pub fn is_border(&self, vertex: VertexId) -> bool {
        self.is_border[vertex.index()]
    }
    /// The component of a face; there is no way from one to another.
    pub fn component(&self, face: FaceId) -> usize {
        self.components[face.index()] as usize
    }
    /// Number of components.
    pub fn component_count(&self) -> usize {
        self.orientable.len()
    }
    /// Whether the faces of a component can all be turned the same way.
    pub fn is_orientable(&self, component: usize) -> bool {
        self.orientable.get(component).copied().unwrap_or(true)
    }
    /// All faces.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = FaceId> + use<> {
        (0..self.face_count()).map(FaceId::new)
    }
    /// Every edge once, by the lower of its half-edges.
    pub fn edges(&self) -> impl Iterator<Item = HalfEdgeId> + '_ {
        self.twins.iter().enumerate().filter(|&(h, &twin)| h < twin as usize).map(|(h, _)| HalfEdgeId::new(h))
    }
    /// Counts of what there is.
    pub fn facts(&self) -> SurfaceFacts {
        let edges = self.edges().count();
        let border_edges = self.twins.iter().filter(|&&twin| twin == NONE).count();
        let vertices = self.corner_starts.windows(2).filter(|range| range[0] < range[1]).count();
        SurfaceFacts {
            vertices,
            edges,
            faces: self.face_count(),
            components: self.component_count(),
            border_edges,
            euler: vertices as i64 - edges as i64 + self.face_count() as i64,
            non_orientable: self.orientable.iter().filter(|orientable| !**orientable).count(),
            area: self.double_areas.iter().sum::<f64>() * 0.5,
        }
    }
}

/// Counts of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceFacts {
    /// Vertices that a face uses, copies included.
    pub vertices: usize,
    /// Edges, each once.
    pub edges: usize,
    /// Faces.
    pub faces: usize,
    /// Components.
    pub components: usize,
    /// Edges with one face.
    pub border_edges: usize,
    /// Vertices − edges + faces.
    pub euler: i64,
    /// Components that cannot be oriented.
    pub non_orientable: usize,
    /// Area [m²].
    pub area: f64,
}
