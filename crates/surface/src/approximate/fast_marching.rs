//! Fast marching: the front crosses each face as a straight line.
//!
//! Source: Kimmel and Sethian 1998, "Computing geodesic paths on manifolds". We differ: obtuse corners are not unfolded; where
//! the front does not come through the far side, the way along an edge counts. The error falls with the resolution;
//! near a source it is largest, as the front there is round.
//! Cost: O(n log n).

use super::{heap::Heap, start::Start};
use crate::{Field, HalfEdgeId, Query, SurfaceError, SurfaceMesh, SurfacePoint, VertexId, Work};
use wayfare_core::{Context, Id as _};

/// Distances by fast marching from the nearest of the sources.
pub(crate) fn fast_marching(
    surface: &SurfaceMesh,
    sources: &[SurfacePoint],
    query: &Query,
    context: &Context,
) -> Result<Field, SurfaceError> {
    let mut start = Start::new(surface, sources, query)?;
    let mut is_settled = vec![false; surface.vertex_count()];
    let mut heap = Heap::default();
    for (vertex, &distance) in start.distances.iter().enumerate().filter(|(_, distance)| distance.is_finite())
    {
        heap.push(distance, vertex);
    }
    let (mut steps, mut settled) = (0u64, f64::INFINITY);
    while let Some((distance, vertex)) = heap.pop() {
        if is_settled[vertex] {
            continue;
        }
        is_settled[vertex] = true;
        steps += 1;
        if steps.is_multiple_of(4096) {
            context.check()?;
        }
        if start.is_answered(distance) {
            settled = distance;
            break;
        }
        start.settle(vertex);
        for h in surface.corners(VertexId::new(vertex)) {
            // Both other corners of the face, each with the side opposite to it.
            for side in [h, h.previous()] {
                let corner = surface.origin(side.previous()).index();
                if is_settled[corner] {
                    continue;
                }
                let [near, far] =
                    [surface.origin(side), surface.end(side)].map(|v| start.distances[v.index()]);
                let found = across(surface, side, near, far);
                if found < start.distances[corner] {
                    start.distances[corner] = found;
                    heap.push(found, corner);
                }
            }
        }
    }
    Ok(start.finish(settled, Work { windows: steps, peak_windows: 0, window_bytes: heap.bytes() }))
}

/// Distance of the corner opposite to a side whose ends have their distances.
fn across(surface: &SurfaceMesh, side: HalfEdgeId, near: f64, far: f64) -> f64 {
    let along_edges = (near + surface.length(side.previous())).min(far + surface.length(side.next()));
    if !(near.is_finite() && far.is_finite()) {
        return along_edges;
    }
    let (base, [x, y]) = (surface.length(side), surface.apex(side));
    // The direction in which the distance grows, in the frame of the side.
    let along = (far - near) / base;
    let up = (1.0 - along * along).max(0.0).sqrt();
    if up == 0.0 {
        return along_edges;
    }
    let from = x - along / up * y;
    if (0.0..=base).contains(&from) { (near + along * x + up * y).min(along_edges) } else { along_edges }
}
