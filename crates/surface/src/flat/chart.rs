//! A set of faces as a mesh of its own, if it is a disc.

use crate::{FaceId, HalfEdgeId, SurfaceMesh, mesh::NONE};
use wayfare_core::Id as _;

/// Faces of a surface that make a disc: connected, with one border, touching themselves nowhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartMesh {
    /// Faces of the surface, sorted.
    pub faces: Vec<u32>,
    /// Per face its three corners as vertices of the chart, counter-clockwise seen from the chart's one side.
    pub triangles: Vec<[u32; 3]>,
    /// Per face the side of the surface that runs from corner `k` to the next, as the chart turns.
    pub sides: Vec<[u32; 3]>,
    /// Per vertex the vertex of the surface, sorted.
    pub vertices: Vec<u32>,
    /// The border, counter-clockwise: a vertex, and the side of the surface from it to the next.
    pub border: Vec<(u32, u32)>,
}

/// Where each face of a surface stands in the set that is looked at; made once for many sets.
pub struct Scratch {
    place: Vec<u32>,
}

impl Scratch {
    /// For the faces of a surface.
    pub fn new(surface: &SurfaceMesh) -> Self {
        Self { place: vec![NONE; surface.face_count()] }
    }
}

impl ChartMesh {
    /// The chart of some faces; `None` if they are no disc.
    pub fn build(surface: &SurfaceMesh, mut faces: Vec<u32>, scratch: &mut Scratch) -> Option<Self> {
        faces.sort_unstable();
        for (k, &face) in faces.iter().enumerate() {
            scratch.place[face as usize] = k as u32;
        }
        let chart = Self::within(surface, &faces, &scratch.place);
        for &face in &faces {
            scratch.place[face as usize] = NONE;
        }
        let mut chart = chart?;
        chart.faces = faces;
        Some(chart)
    }

    fn within(surface: &SurfaceMesh, faces: &[u32], place: &[u32]) -> Option<Self> {
        let origins = surface.origins();
        let corners = |face: u32| FaceId::new(face as usize).half_edges();
        let mut vertices: Vec<u32> =
            faces.iter().flat_map(|&face| corners(face).map(|h| origins[h.index()])).collect();
        vertices.sort_unstable();
        vertices.dedup();
        // A disc has one vertex more than inner edges and faces say: whatever touches or crosses itself has fewer.
        let neighbour = |h: HalfEdgeId| surface.twin(h).filter(|twin| place[twin.face().index()] != NONE);
        let sides = || faces.iter().flat_map(|&face| corners(face));
        let border_sides = sides().filter(|&h| neighbour(h).is_none()).count();
        let edges = (3 * faces.len() + border_sides) / 2;
        if border_sides == 0 || vertices.len() + faces.len() != edges + 1 {
            return None;
        }
        // All faces turn like the first.
        let mut turned: Vec<Option<bool>> = vec![None; faces.len()];
        turned[0] = Some(false);
        let (mut stack, mut seen) = (vec![0usize], 1);
        while let Some(k) = stack.pop() {
            for h in corners(faces[k]) {
                let Some(twin) = neighbour(h) else { continue };
                let other = place[twin.face().index()] as usize;
                if turned[other].is_none() {
                    turned[other] = turned[k].map(|turned| turned != surface.is_mirrored(h));
                    seen += 1;
                    stack.push(other);
                }
            }
        }
        if seen != faces.len() {
            return None;
        }
        let local = |h: HalfEdgeId| {
            let vertex = origins[h.index()];
            vertices.binary_search(&vertex).map_or(NONE, |k| k as u32)
        };
        let mut chart = Self { vertices: Vec::new(), ..Self::default() };
        let mut following = vec![(NONE, NONE); vertices.len()];
        for (k, &face) in faces.iter().enumerate() {
            let [a, b, c] = corners(face);
            // Turned, the corners run a, c, b, and the sides are those before them.
            let (order, sides) =
                if turned[k] == Some(true) { ([a, c, b], [c, b, a]) } else { ([a, b, c], [a, b, c]) };
            let triangle = order.map(local);
            for side in 0..3 {
                if neighbour(sides[side]).is_none() {
                    following[triangle[side] as usize] =
                        (triangle[(side + 1) % 3], sides[side].index() as u32);
                }
            }
            chart.triangles.push(triangle);
            chart.sides.push(sides.map(|h| h.index() as u32));
        }
        let first = following.iter().position(|next| next.0 != NONE)? as u32;
        let mut at = first;
        for _ in 0..border_sides {
            let (next, side) = following[at as usize];
            if next == NONE {
                return None;
            }
            chart.border.push((at, side));
            at = next;
        }
        chart.vertices = vertices;
        (at == first).then_some(chart)
    }

    /// Lengths of the three sides of a face, as the chart turns.
    pub fn lengths(&self, surface: &SurfaceMesh, face: usize) -> [f64; 3] {
        self.sides[face].map(|h| surface.lengths()[h as usize])
    }

    /// Twice the area of a face on the surface.
    pub fn double_area(&self, surface: &SurfaceMesh, face: usize) -> f64 {
        surface.double_areas()[self.faces[face] as usize]
    }
}
