//! Distances along the edges (Dijkstra 1959): never too short, up to 30 % too long, whatever the resolution.

use super::{heap::Heap, start::Start};
use crate::{Field, Query, SurfaceError, SurfaceMesh, SurfacePoint, VertexId, Work};
use wayfare_core::{Context, Id as _};

/// Distances along edges from the nearest of the sources.
pub(crate) fn dijkstra(
    surface: &SurfaceMesh,
    sources: &[SurfacePoint],
    query: &Query,
    context: &Context,
) -> Result<Field, SurfaceError> {
    let mut start = Start::new(surface, sources, query)?;
    let mut heap = Heap::default();
    for (vertex, &distance) in start.distances.iter().enumerate().filter(|(_, distance)| distance.is_finite())
    {
        heap.push(distance, vertex);
    }
    let (mut steps, mut settled) = (0u64, f64::INFINITY);
    while let Some((distance, vertex)) = heap.pop() {
        if distance > start.distances[vertex] {
            continue;
        }
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
            let back = h.previous();
            for (other, edge) in [(surface.end(h), h), (surface.origin(back), back)] {
                let longer = distance + surface.length(edge);
                if longer < start.distances[other.index()] {
                    start.distances[other.index()] = longer;
                    heap.push(longer, other.index());
                }
            }
        }
    }
    Ok(start.finish(settled, Work { windows: steps, peak_windows: 0, window_bytes: heap.bytes() }))
}
