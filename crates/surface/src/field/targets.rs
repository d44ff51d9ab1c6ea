//! Targets: points whose distance is wanted, at vertices, on edges and inside faces.

use super::{Arrival, NOWHERE, Query};
use crate::{
    FaceId, HalfEdgeId, Place, SurfaceError, SurfaceMesh, SurfacePoint,
    exact::window::{Window, length},
};
use wayfare_core::Id as _;

#[derive(Clone, Copy)]
struct Target {
    point: SurfacePoint,
    /// The vertex, if it is one.
    vertex: Option<usize>,
    /// Whether a source lies on its component.
    can_be_reached: bool,
    distance: f64,
    arrival: Arrival,
}

/// The targets of a query, and what is known of them.
#[derive(Default)]
pub struct Targets {
    targets: Vec<Target>,
    /// Faces and their targets that are no vertices, sorted.
    by_face: Vec<(FaceId, usize)>,
    /// Per face, whether it has one; empty if none has.
    is_face: Vec<bool>,
}

impl Targets {
    /// Nothing is known yet.
    pub fn new(surface: &SurfaceMesh, sources: &[SurfacePoint], query: &Query) -> Result<Self, SurfaceError> {
        let components: Vec<usize> = sources
            .iter()
            .filter(|source| source.face.index() < surface.face_count())
            .map(|source| surface.component(source.face))
            .collect();
        let mut made = Self::default();
        for (k, target) in query.targets.iter().enumerate() {
            let point = SurfacePoint::new(surface, target.face, target.barycentric)?;
            let vertex = match point.place(surface) {
                Place::Corner(h) => Some(surface.origin(h).index()),
                Place::Edge(..) | Place::Face(_) => None,
            };
            if vertex.is_none() {
                made.by_face.push((point.face, k));
                made.is_face.resize(surface.face_count(), false);
                made.is_face[point.face.index()] = true;
            }
            let can_be_reached = components.contains(&surface.component(point.face));
            made.targets.push(Target {
                point,
                vertex,
                can_be_reached,
                distance: f64::INFINITY,
                arrival: NOWHERE,
            });
        }
        made.by_face.sort_unstable();
        Ok(made)
    }

    /// Whether a face has targets inside it or on its sides.
    #[inline]
    pub fn are_in(&self, face: FaceId) -> bool {
        !self.is_face.is_empty() && self.is_face[face.index()]
    }

    fn of_face(&self, face: FaceId) -> std::ops::Range<usize> {
        let start = self.by_face.partition_point(|entry| entry.0 < face);
        let end = self.by_face.partition_point(|entry| entry.0 <= face);
        start..end
    }

    /// Windows that wait on a half-edge reach targets in its face.
    pub fn reach(&mut self, surface: &SurfaceMesh, h: HalfEdgeId, windows: &[Window], reach: f64) {
        for entry in self.of_face(h.face()) {
            let target = &mut self.targets[self.by_face[entry].1];
            let [x, y] = target.point.in_frame(surface, h);
            for w in windows {
                let below = y + w.depth;
                let at = if below > 0.0 { w.x + (x - w.x) * w.depth / below } else { x };
                let distance = w.base + length(x - w.x, below);
                if w.lo - reach <= at && at <= w.hi + reach && distance < target.distance {
                    target.distance = distance;
                    target.arrival = Arrival { half_edge: h.0, root: w.root, x: w.x, depth: w.depth };
                }
            }
        }
    }

    /// A virtual source seen through all of a half-edge is nearer to targets in its face; how they are reached stays.
    pub fn shorten(&mut self, surface: &SurfaceMesh, h: HalfEdgeId, [x, depth]: [f64; 2], base: f64) {
        if !self.are_in(h.face()) {
            return;
        }
        let width = surface.length(h);
        for entry in self.of_face(h.face()) {
            let target = &mut self.targets[self.by_face[entry].1];
            let [tx, ty] = target.point.in_frame(surface, h);
            let below = ty + depth;
            let at = if below > 0.0 { x + (tx - x) * depth / below } else { tx };
            if (0.0..=width).contains(&at) {
                target.distance = target.distance.min(base + length(tx - x, below));
            }
        }
    }

    /// A point of a face, in the frame of its first side, reaches targets in it.
    pub fn reach_directly(
        &mut self,
        surface: &SurfaceMesh,
        face: FaceId,
        [x, y]: [f64; 2],
        base: f64,
        root: u32,
    ) {
        if !self.are_in(face) {
            return;
        }
        for entry in self.of_face(face) {
            let target = &mut self.targets[self.by_face[entry].1];
            let [tx, ty] = target.point.in_frame(surface, face.half_edges()[0]);
            let distance = base + length(tx - x, ty - y);
            if distance < target.distance {
                target.distance = distance;
                target.arrival = Arrival { root, ..NOWHERE };
            }
        }
    }

    /// Whether the query is answered when no distance below `bound` changes any more.
    pub fn are_settled(&self, bound: f64, query: &Query, distances: &[f64]) -> bool {
        let distance = |target: &Target| target.vertex.map_or(target.distance, |v| distances[v]);
        query.only_targets
            && self.targets.iter().all(|target| !target.can_be_reached || distance(target) < bound)
    }

    /// Distances and ways to all targets.
    pub fn finish(self, distances: &[f64], arrivals: &[Arrival]) -> (Vec<f64>, Vec<Arrival>) {
        let answer = |target: &Target| match target.vertex {
            Some(v) => (distances[v], arrivals.get(v).copied().unwrap_or(NOWHERE)),
            None => (target.distance, target.arrival),
        };
        self.targets.iter().map(answer).unzip()
    }
}
