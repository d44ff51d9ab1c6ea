//! Paths along the surface, traced back from where they end.
//!
//! Every vertex and target knows its last straight line: the half-edge that it crosses and where it starts, unfolded. So a
//! path is found without any window: the line is walked from face to face until it is at its start, which is a source or a
//! vertex that bends it, whose own last line follows. Cost: one step per edge crossed.

use crate::{
    Field, HalfEdgeId, Place, SurfaceMesh, SurfacePoint, VertexId, exact::window::length, field::Arrival,
    mesh::NONE,
};
use wayfare_core::{DVec3, Id as _};
use wayfare_geom::TriangleMesh;

/// A path of straight pieces, one per face.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfacePath {
    /// From the source on. The piece from one point to the next lies in the face of the first of them.
    pub points: Vec<SurfacePoint>,
    /// Sum of the pieces, measured in their faces [m].
    pub length: f64,
}

impl SurfacePath {
    /// Its points in space, if `mesh` is what the surface was built of.
    pub fn positions(&self, surface: &SurfaceMesh, mesh: &TriangleMesh) -> Vec<DVec3> {
        self.points.iter().map(|point| point.position(surface, mesh)).collect()
    }
}

/// A unit of the walk is over when the rest of the line is this short, relative to the edge.
const ARRIVED: f64 = 1e-6;
/// A line this near to the end of an edge, relatively, leads through the vertex there. Where the line is lost, in faces almost without
/// area, it is walked again with the next.
const ON_VERTEX: [f64; 4] = [1e-10, 1e-8, 1e-6, 1e-4];
/// A piece of a path is lost if it is longer than the distances at its ends say by more than this, relative to the whole.
const LOST: f64 = 1e-10;

impl Field {
    /// The path to a vertex, if it has been reached.
    pub fn path_to_vertex(&self, surface: &SurfaceMesh, vertex: VertexId) -> Option<SurfacePath> {
        let distance = *self.distances.get(vertex.index())?;
        if !distance.is_finite() {
            return None;
        }
        let start = SurfacePoint::at_vertex(surface, vertex)?;
        let Some(&arrival) = self.arrivals.get(vertex.index()) else {
            return Some(self.descend(surface, start, vertex.index()));
        };
        Some(self.trace(surface, start, arrival, distance))
    }

    /// The path to a target of the query, if it has been reached.
    pub fn path_to_target(&self, surface: &SurfaceMesh, target: usize) -> Option<SurfacePath> {
        if !self.targets.get(target)?.is_finite() {
            return None;
        }
        let point = self.target_points[target];
        match point.place(surface) {
            Place::Corner(h) if self.arrivals.is_empty() => self.path_to_vertex(surface, surface.origin(h)),
            _ => {
                let (arrival, distance) = (self.target_arrivals[target], self.targets[target]);
                Some(self.trace(surface, point, arrival, distance))
            }
        }
    }

    /// Of a field without straight lines: along the edges, down the distances.
    fn descend(&self, surface: &SurfaceMesh, end: SurfacePoint, vertex: usize) -> SurfacePath {
        let mut path = SurfacePath { points: vec![end], length: 0.0 };
        let mut vertex = vertex;
        while self.distances[vertex] > 0.0 {
            // To the neighbour over which the way is shortest; or, in the face of a source, straight to it.
            let mut best = (f64::INFINITY, None, 0.0, end);
            if let Some((over, step, corner)) = self.best_edge(surface, vertex) {
                best = (over, Some(corner_vertex(surface, &corner)), step, corner);
            }
            for h in surface.corners(VertexId::new(vertex)) {
                for source in self.sources.iter().flat_map(|source| faces_of(surface, source)) {
                    if source.face == h.face() {
                        let [x, y] = source.in_frame(surface, h);
                        if length(x, y) <= best.0 {
                            best = (length(x, y), None, length(x, y), source);
                        }
                    }
                }
            }
            if best.0.is_infinite() {
                break;
            }
            path.length += best.2;
            path.points.push(best.3);
            // Distances fall, so that this ends.
            let Some(next) = best.1 else { break };
            vertex = next;
        }
        path.points.reverse();
        path
    }

    fn trace(
        &self,
        surface: &SurfaceMesh,
        end: SurfacePoint,
        arrival: Arrival,
        distance: f64,
    ) -> SurfacePath {
        let mut path = SurfacePath { points: vec![end], length: 0.0 };
        let (mut arrival, mut here, mut distance) = (arrival, None, distance);
        // A vertex on a path is nearer than what it leads to, so that none comes twice; the bound is for rounding.
        for _ in 0..=surface.vertex_count() {
            if arrival.root == NONE {
                break;
            }
            let vertex = if arrival.half_edge == NONE {
                self.step_within_face(surface, &mut path, arrival.root as usize);
                arrival.root as usize
            } else {
                self.walk_back(surface, &mut path, arrival, here, distance)
            };
            let Some(next) = self.arrivals.get(vertex) else {
                if vertex < surface.vertex_count()
                    && let Some(&at) = path.points.last()
                {
                    let before = self.descend(surface, at, vertex);
                    path.length += before.length;
                    path.points.extend(before.points.iter().rev().skip(1));
                }
                break;
            };
            (arrival, here, distance) = (*next, Some(vertex), self.distances[vertex]);
        }
        path.points.reverse();
        path
    }

    /// Walks the last straight line to a point, a vertex if `here` is one, at a distance; where that loses it, with less trust in where
    /// the line passes vertices, or along an edge. Returns where it leads to.
    fn walk_back(
        &self,
        surface: &SurfaceMesh,
        path: &mut SurfacePath,
        arrival: Arrival,
        here: Option<usize>,
        distance: f64,
    ) -> usize {
        let mut best: Option<(f64, SurfacePath, usize)> = None;
        for on_vertex in ON_VERTEX {
            let mut walked =
                SurfacePath { points: path.points.last().copied().into_iter().collect(), length: 0.0 };
            let vertex = self.walk_line(surface, &mut walked, arrival, on_vertex);
            // Of a source the distance is 0.
            let rest = self.distances.get(vertex).copied().unwrap_or(0.0);
            let excess = walked.length + rest - distance;
            if best.as_ref().is_none_or(|best| excess < best.0) {
                best = Some((excess, walked, vertex));
            }
            if excess <= LOST * distance {
                break;
            }
        }
        if let (Some(vertex), Some((least, ..))) = (here, &best)
            && *least > LOST * distance
        {
            let along = self.best_edge(surface, vertex);
            if let Some((over, step, corner)) = along.filter(|along| along.0 - distance < *least) {
                let walked = SurfacePath { points: vec![corner, corner], length: step };
                best = Some((over - distance, walked, corner_vertex(surface, &corner)));
            }
        }
        let Some((_, walked, vertex)) = best else { return arrival.root as usize };
        path.length += walked.length;
        path.points.extend(walked.points.into_iter().skip(1));
        vertex
    }

    /// The neighbour of a vertex, nearer than it, over which the way is shortest: how long that is, the step to it, and its corner.
    fn best_edge(&self, surface: &SurfaceMesh, vertex: usize) -> Option<(f64, f64, SurfacePoint)> {
        let mut best: Option<(f64, f64, SurfacePoint)> = None;
        for h in surface.corners(VertexId::new(vertex)) {
            for (edge, corner) in [(h, h.next()), (h.previous(), h.previous())] {
                let (distance, step) = (self.distances[surface.origin(corner).index()], surface.length(edge));
                let is_nearer = distance < self.distances[vertex];
                if is_nearer && best.is_none_or(|best| distance + step < best.0) {
                    best = Some((distance + step, step, SurfacePoint::at_corner(corner)));
                }
            }
        }
        best
    }

    /// From the last point to a root that lies in, or at, a common face.
    fn step_within_face(&self, surface: &SurfaceMesh, path: &mut SurfacePath, root: usize) {
        let Some(&last) = path.points.last() else { return };
        let mut best: Option<(f64, SurfacePoint)> = None;
        for here in faces_of(surface, &last) {
            for there in self.root_points(surface, root) {
                if there.face != here.face {
                    continue;
                }
                let distance = distance_within(surface, &here, &there);
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, there));
                }
            }
        }
        if let Some((distance, point)) = best {
            path.points.push(point);
            path.length += distance;
        }
    }

    /// A root as a point of each face that it touches.
    fn root_points(&self, surface: &SurfaceMesh, root: usize) -> Vec<SurfacePoint> {
        match root.checked_sub(surface.vertex_count()) {
            None => surface.corners(VertexId::new(root)).map(SurfacePoint::at_corner).collect(),
            Some(source) => self.sources.get(source).map_or(Vec::new(), |source| faces_of(surface, source)),
        }
    }

    /// Along the last straight line, back to its root, or to a vertex that it leads through: to pass that on the wrong
    /// side would be to unfold the wrong faces. Returns which.
    fn walk_line(
        &self,
        surface: &SurfaceMesh,
        path: &mut SurfacePath,
        arrival: Arrival,
        on_vertex: f64,
    ) -> usize {
        let base_distance =
            self.arrivals.get(arrival.root as usize).map_or(0.0, |_| self.distances[arrival.root as usize]);
        let vertex_at = |h: HalfEdgeId, at: f64, rest: f64| {
            let along = at / surface.length(h);
            let corner = if along < on_vertex {
                h
            } else if along > 1.0 - on_vertex {
                h.next()
            } else {
                return None;
            };
            let vertex = surface.origin(corner).index();
            let expected = base_distance + rest;
            ((self.distances[vertex] - expected).abs() <= on_vertex * expected).then_some((corner, vertex))
        };
        let roots = self.root_points(surface, arrival.root as usize);
        let mut h = HalfEdgeId(arrival.half_edge);
        let Some(last) = path.points.last() else { return arrival.root as usize };
        // The end of the line as a point of the face that it is reached through.
        let here = faces_of(surface, last).into_iter().find(|point| point.face == h.face()).unwrap_or(*last);
        let [x, y] = here.in_frame(surface, h);
        let (mut to_x, mut to_y) = (arrival.x, arrival.depth);
        let below = y + to_y;
        let mut at = if below > 0.0 { x + (to_x - x) * y / below } else { x };
        at = at.clamp(0.0, surface.length(h));
        path.points.push(SurfacePoint::on_edge(h, at / surface.length(h)));
        path.length += length(at - x, y);
        if let Some((corner, vertex)) = vertex_at(h, at, length(to_x - at, to_y)) {
            path.points.pop();
            path.points.push(SurfacePoint::at_corner(corner));
            return vertex;
        }
        // Ends after the faces that the line can cross, were each crossed several times.
        for _ in 0..4 * surface.face_count() + 16 {
            let Some(twin) = surface.twin(h) else { break };
            let base = surface.length(h);
            if !surface.is_mirrored(h) {
                (at, to_x) = (base - at, base - to_x);
            }
            // Now the root lies above, at (to_x, to_y), in the frame of the twin.
            let here = roots.iter().find(|root| root.face == twin.face()).filter(|root| {
                let [u, v] = root.in_frame(surface, twin);
                length(u - to_x, v - to_y) <= ARRIVED * (base + v)
            });
            if let Some(&root) = here {
                let [u, v] = root.in_frame(surface, twin);
                path.points.push(root);
                path.length += length(u - at, v);
                return arrival.root as usize;
            }
            let [mut apex_x, apex_y] = surface.apex(twin);
            let goes_left = (apex_x - at) * to_y >= (to_x - at) * apex_y;
            // Mirrored, a line to the right goes left.
            if !goes_left {
                (at, to_x, apex_x) = (base - at, base - to_x, base - apex_x);
            }
            let exit = if goes_left { twin.previous() } else { twin.next() };
            let side = surface.length(exit);
            let (ux, uy) = (apex_x / side, apex_y / side);
            let (dx, dy) = (to_x - at, to_y);
            let t = (at * dy / (ux * dy - uy * dx)).clamp(0.0, side);
            let t = if t.is_nan() { side } else { t };
            path.length += length(t * ux - at, t * uy);
            (to_x, to_y) = (ux * to_x + uy * to_y, ux * to_y - uy * to_x);
            // From the corner of the twin; the previous side runs towards it, the next one away from it.
            (at, to_x) = if goes_left { (side - t, side - to_x) } else { (t, to_x) };
            path.points.push(SurfacePoint::on_edge(exit, at / side));
            h = exit;
            if let Some((corner, vertex)) = vertex_at(h, at, length(to_x - at, to_y)) {
                path.points.pop();
                path.points.push(SurfacePoint::at_corner(corner));
                return vertex;
            }
            if to_y < 0.0 {
                break;
            }
        }
        // Only rounding leads here: the root lies in a face nearby.
        if let Some(&root) = roots.first() {
            path.points.push(root);
            path.length += length(to_x - at, to_y);
        }
        arrival.root as usize
    }
}

/// Distance of two points of a face. Between corners it is the side as the surface has it, and else measured in the frame of the longest
/// side: those of short sides mean little in a face without area.
fn distance_within(surface: &SurfaceMesh, a: &SurfacePoint, b: &SurfacePoint) -> f64 {
    let sides = a.face.half_edges();
    if let (Place::Corner(h), Place::Corner(g)) = (a.place(surface), b.place(surface)) {
        return match g {
            _ if g == h => 0.0,
            _ if g == h.next() => surface.length(h),
            _ => surface.length(g),
        };
    }
    let frame = sides
        .into_iter()
        .fold(sides[0], |longest, h| if surface.length(h) > surface.length(longest) { h } else { longest });
    let ([x, y], [u, v]) = (a.in_frame(surface, frame), b.in_frame(surface, frame));
    length(x - u, y - v)
}

/// The vertex that a point is, which must be one: the corner of its largest weight.
fn corner_vertex(surface: &SurfaceMesh, point: &SurfacePoint) -> usize {
    let sides = point.face.half_edges();
    let corner = sides.into_iter().find(|h| point.barycentric[h.side()] == 1.0).unwrap_or(sides[0]);
    surface.origin(corner).index()
}

/// A point as one of each face that it touches.
pub(crate) fn faces_of(surface: &SurfaceMesh, point: &SurfacePoint) -> Vec<SurfacePoint> {
    match point.place(surface) {
        Place::Corner(h) => surface.corners(surface.origin(h)).map(SurfacePoint::at_corner).collect(),
        Place::Edge(h, t) => {
            let along = t / surface.length(h);
            let other =
                |twin| SurfacePoint::on_edge(twin, if surface.is_mirrored(h) { along } else { 1.0 - along });
            std::iter::once(*point).chain(surface.twin(h).map(other)).collect()
        }
        Place::Face(_) => vec![*point],
    }
}
