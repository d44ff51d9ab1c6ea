//! A walkable surface of triangles that somebody else found: joined where they share two vertices.
//!
//! Source: seed 002, V.A. Steps: 1. twins: sides with the same two vertices in opposite directions, if there are only two  2. fans:
//!   where triangles only touch in a vertex, each fan gets one of its own  3. cycles of the border, walked within fans.
//! Cost: O(n log n).

use crate::exact::{
    BorderEdge, NO_HALF_EDGE, Origin, Patch, PatchId, Plane, SurfaceTriangle, SurfaceVertexId,
    WalkableSurface,
};
use wayfare_core::{IdVec, dvec2};
use wayfare_geom::{TriangleMesh, predicates::orient};

/// The surface of triangles that can all be walked on. Those that are not counter-clockwise seen from above are left out. All of
/// the border is a rim: what stands on it is not known.
pub fn surface_of_triangles(mesh: &TriangleMesh) -> WalkableSurface {
    let is_up = |t: &usize| {
        let [a, b, c] = mesh.points(*t).map(|p| p.truncate());
        orient(a, b, c) > 0.0
    };
    let kept: Vec<usize> = (0..mesh.triangles.len()).filter(is_up).collect();
    let corners: Vec<[u32; 3]> = kept.iter().map(|&t| mesh.triangles[t]).collect();
    let from = |h: u32| corners[h as usize / 3][h as usize % 3];
    let to = |h: u32| from(WalkableSurface::next(h));
    // 1. Sides by their ends, lesser one first.
    let count = 3 * corners.len() as u32;
    let mut sides: Vec<([u32; 2], u32)> =
        (0..count).map(|h| ([from(h).min(to(h)), from(h).max(to(h))], h)).collect();
    sides.sort_unstable();
    let mut twins = vec![NO_HALF_EDGE; count as usize];
    for pair in sides.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, a), (_, b)] = *pair
            && from(a) == to(b)
        {
            twins[a as usize] = b;
            twins[b as usize] = a;
        }
    }
    // 2. Round each corner to the first triangle of its fan, then back.
    let mut vertices = Vec::new();
    let mut vertex_of = vec![u32::MAX; count as usize];
    for start in 0..count {
        if vertex_of[start as usize] != u32::MAX {
            continue;
        }
        let place = mesh.vertices[from(start) as usize];
        let vertex = vertices.len() as u32;
        vertices.push(place);
        // Half-edges that leave the vertex, clockwise until the border or round, then counter-clockwise.
        let mut first = start;
        while twins[first as usize] != NO_HALF_EDGE {
            let clockwise = WalkableSurface::next(twins[first as usize]);
            if clockwise == start {
                break;
            }
            first = clockwise;
        }
        let mut at = first;
        loop {
            vertex_of[at as usize] = vertex;
            at = twins[WalkableSurface::next(WalkableSurface::next(at)) as usize];
            if at == NO_HALF_EDGE || at == first {
                break;
            }
        }
    }
    let triangles = corners.iter().enumerate().map(|(t, _)| SurfaceTriangle {
        corners: [0, 1, 2].map(|k| SurfaceVertexId(vertex_of[3 * t + k])),
        patch: PatchId(t as u32),
    });
    let patches = kept.iter().map(|&t| Patch {
        plane: plane_of(mesh, t),
        tag: 0,
        scene_triangles: vec![t as u32],
        gap: None,
    });
    let mut surface = WalkableSurface {
        vertices: IdVec::from_vec(vertices),
        patches: IdVec::from_vec(patches.collect()),
        triangles: triangles.collect(),
        twins,
        cycle_starts: vec![0],
        tag_names: vec![String::new()],
        ..WalkableSurface::default()
    };
    // 3.
    let mut is_done = vec![false; count as usize];
    for start in 0..count {
        let mut at = start;
        while surface.twins[at as usize] == NO_HALF_EDGE && !is_done[at as usize] {
            is_done[at as usize] = true;
            surface.border.push(BorderEdge { half_edge: at, origin: Origin::Rim, obstacle: None });
            at = WalkableSurface::next(at);
            while surface.twins[at as usize] != NO_HALF_EDGE {
                at = WalkableSurface::next(surface.twins[at as usize]);
            }
        }
        if surface.cycle_starts.last() != Some(&(surface.border.len() as u32)) {
            surface.cycle_starts.push(surface.border.len() as u32);
        }
    }
    surface
}

fn plane_of(mesh: &TriangleMesh, triangle: usize) -> Plane {
    let normal = mesh.normal(triangle);
    let origin = mesh.points(triangle)[0];
    Plane { origin: origin.truncate(), height: origin.z, slope: -dvec2(normal.x, normal.y) / normal.z }
}
