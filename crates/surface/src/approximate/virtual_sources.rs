//! Near-exact distances by one virtual source per half-edge.
//!
//! Idea: like the exact solver, but each half-edge keeps a single window, as wide as itself: the one that is nearest at its
//! middle. Where the source is not seen through the half-edge, the path bends at the end that is in the way.
//! Source: the class of Trettner, Bommes and Kobbelt 2021, "Geodesic distance computation via virtual source propagation".
//!   We differ: sources belong to half-edges, not to vertices, and buckets order them.
//! The error is largest behind ridges, where several windows would share an edge: a fraction of a percent in the mean,
//! a few percent at worst. Cost: O(n). It ends, as what waits on a half-edge only ever comes nearer, and the work has a limit, too.
//! Lines meet no face twice: in faces without width each turn would come nearer by rounding, down to nothing.

use super::start::Start;
use crate::{
    Field, HalfEdgeId, Query, SurfaceError, SurfaceMesh, SurfacePoint, Work,
    effort::{Effort, most_windows},
    exact::{queue::Buckets, trail::Trail, window::length},
    mesh::NONE,
};
use wayfare_core::{Context, Id as _};

/// What waits on a half-edge.
#[derive(Clone, Copy)]
struct Source {
    /// Distance at the middle of the half-edge.
    middle: f64,
    x: f64,
    depth: f64,
    base: f64,
    trail: Trail,
}

const NOTHING: Source = Source { middle: f64::INFINITY, x: 0.0, depth: 0.0, base: 0.0, trail: Trail::START };

/// Near-exact distances from the nearest of the sources.
pub(crate) fn virtual_sources(
    surface: &SurfaceMesh,
    sources: &[SurfacePoint],
    query: &Query,
    context: &Context,
) -> Result<Field, SurfaceError> {
    let mut start = Start::new(surface, sources, query)?;
    let half_edges = surface.half_edge_count();
    let sum: f64 = surface.lengths().iter().sum();
    let width = (0.25 / half_edges.max(1) as f64).max(1.0 / f64::from(1 << 20)) * sum;
    let mut queue = Buckets::default();
    queue.reset(half_edges, width.max(f64::MIN_POSITIVE));
    let mut waiting = vec![NOTHING; half_edges];
    for point in start.source_faces() {
        for h in point.face.half_edges() {
            let [x, y] = point.in_frame(surface, h);
            if y > 0.0 {
                offer(surface, h, [x, -y], 0.0, Trail::START, &mut waiting, &mut queue);
            }
        }
    }
    let longest = surface.lengths().iter().copied().fold(0.0, f64::max);
    let (mut steps, mut settled, mut bound) = (0u64, f64::INFINITY, 0.0);
    let mut effort = Effort::new(most_windows(half_edges));
    while let Some(item) = queue.pop() {
        steps += 1;
        effort.spend(1)?;
        if steps.is_multiple_of(4096) {
            context.check()?;
        }
        if queue.bound() > bound {
            bound = queue.bound();
            // The middle of a half-edge may be half its length farther than its nearest end.
            if start.is_answered(bound - longest) {
                settled = bound - longest;
                break;
            }
        }
        cross(&mut start, HalfEdgeId::new(item), &mut waiting, &mut queue);
    }
    for vertex in 0..surface.vertex_count() {
        if start.distances[vertex].is_finite() {
            start.settle(vertex);
        }
    }
    for (h, source) in waiting.iter().enumerate().filter(|(_, source)| source.middle.is_finite()) {
        start.targets.shorten(surface, HalfEdgeId::new(h), [source.x, source.depth], source.base);
    }
    let window_bytes = queue.bytes() + waiting.capacity() * size_of::<Source>();
    Ok(start.finish(settled, Work { windows: steps, peak_windows: 0, window_bytes }))
}

/// The source of a half-edge over its face: the third corner and the two other sides.
fn cross(start: &mut Start, h: HalfEdgeId, waiting: &mut [Source], queue: &mut Buckets) {
    let surface = start.surface;
    let Source { x, depth, base, trail, .. } = waiting[h.index()];
    let trail = trail.across(h.face().0);
    let length_h = surface.length(h);
    let apex = surface.apex(h);
    let [a, b, c] = [h, h.next(), h.previous()].map(|h| surface.origin(h).index());
    let ends = [(0.0, start.distances[a]), (length_h, start.distances[b])];
    // From the source, or from the end of the half-edge that is in the way, to a point of the face.
    let seen = |[px, py]: [f64; 2]| {
        let below = py + depth;
        let at = if below > 0.0 { x + (px - x) * depth / below } else { px };
        let [left, right] = ends;
        if at < 0.0 {
            (left.1 + length(px - left.0, py), [left.0, 0.0], left.1, Trail::START)
        } else if at > length_h {
            (right.1 + length(px - right.0, py), [right.0, 0.0], right.1, Trail::START)
        } else {
            (base + length(px - x, below), [x, -depth], base, trail)
        }
    };
    let corner = seen(apex).0;
    if corner < start.distances[c] {
        start.distances[c] = corner;
    }
    let middles = [
        (h.previous(), [0.5 * apex[0], 0.5 * apex[1]]),
        (h.next(), [0.5 * (apex[0] + length_h), 0.5 * apex[1]]),
    ];
    for (side, middle) in middles {
        let (_, from, base, trail) = seen(middle);
        // Into the frame of the side: from its origin, along it.
        let (origin, direction) = if side == h.previous() {
            (apex, [-apex[0], -apex[1]])
        } else {
            ([length_h, 0.0], [apex[0] - length_h, apex[1]])
        };
        let l = surface.length(side);
        let (ux, uy) = (direction[0] / l, direction[1] / l);
        let (dx, dy) = (from[0] - origin[0], from[1] - origin[1]);
        // The face lies above the side, so that its source does, too: seen from the neighbour, below.
        let place = [ux * dx + uy * dy, -(ux * dy - uy * dx)];
        offer(surface, side, place, base, trail, waiting, queue);
    }
}

/// A source in, or beyond, the face of `side` for the other side of it; its place has the face below.
fn offer(
    surface: &SurfaceMesh,
    side: HalfEdgeId,
    [x, y]: [f64; 2],
    base: f64,
    trail: Trail,
    waiting: &mut [Source],
    queue: &mut Buckets,
) {
    let twin = surface.twins()[side.index()];
    if twin == NONE || trail.returns_to(twin / 3, surface.face_count() as u32) {
        return;
    }
    let l = surface.length(side);
    let x = if surface.is_mirrored(side) { x } else { l - x };
    let depth = (-y).max(0.0);
    let middle = base + length(0.5 * l - x, depth);
    let known = &mut waiting[twin as usize];
    if middle < known.middle {
        *known = Source { middle, x, depth, base, trail };
        queue.push(twin as usize, middle);
    }
}
