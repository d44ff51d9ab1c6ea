//! The solver: sources, queue, lists, and distances of vertices.

use super::{
    cross::{Part, Side},
    lists::Lists,
    queue::Buckets,
    window::{Window, length, merge},
};
use crate::{
    FaceId, Field, HalfEdgeId, Place, Query, SurfaceError, SurfaceMesh, SurfacePoint, VertexId, Work,
    effort::{Effort, most_windows},
    field::{Arrival, NOWHERE, Reading, Targets},
    mesh::NONE,
};
use wayfare_core::{Context, Id as _};

/// How far beyond its ends a window still tells a corner its distance, relative to the half-edge: what rounding may leave
/// between two windows. The error it makes is of second order.
const REACH: f64 = 1e-10;
/// A vertex with a larger total angle bends paths.
const FLAT: f64 = std::f64::consts::TAU + 1e-13;
/// Faces less high than this, relative to their longest side, are thin: ways over them that differ are as long to 10⁻¹², so
/// that rounding decides which windows stay, and they may leave a corner out. So corners of thin faces send windows, too, whatever their
/// angle, and no distance is over that along the edges of thin faces.
const THIN: f64 = 1e-6;

/// Finds exact distances; one for many queries, as its memory is used again.
pub struct ExactSolver<'a> {
    surface: &'a SurfaceMesh,
    bends: Vec<bool>,
    distances: Vec<f64>,
    arrivals: Vec<Arrival>,
    /// Distance with which a vertex last sent windows.
    sent: Vec<f64>,
    /// Per half-edge, the nearest that the opposite corner was reached through it, and where on it.
    split: Vec<[f64; 2]>,
    lists: Lists,
    queue: Buckets,
    targets: Targets,
    reading: Reading,
    windows: u64,
    /// The most windows of a query.
    limit: u64,
    work: Vec<Window>,
    left: Vec<Part>,
    right: Vec<Part>,
    out: Vec<Window>,
    merged: Vec<Window>,
}

impl<'a> ExactSolver<'a> {
    /// A solver for a surface.
    pub fn new(surface: &'a SurfaceMesh) -> Self {
        let bends = (0..surface.vertex_count()).map(VertexId::new);
        let bends = bends.map(|v| {
            surface.is_border(v)
                || surface.total_angle(v) > FLAT
                || surface.corners(v).any(|h| is_thin(surface, h.face()))
        });
        let bends = bends.collect();
        Self {
            surface,
            bends,
            distances: Vec::new(),
            arrivals: Vec::new(),
            sent: Vec::new(),
            split: Vec::new(),
            lists: Lists::default(),
            queue: Buckets::default(),
            targets: Targets::default(),
            reading: Reading::default(),
            windows: 0,
            limit: most_windows(surface.half_edge_count()),
            work: Vec::new(),
            left: Vec::new(),
            right: Vec::new(),
            out: Vec::new(),
            merged: Vec::new(),
        }
    }

    /// Queries that carry more windows over faces than this end with [`SurfaceError::TooManyWindows`]. At first it is a million, and
    /// 16,384 per half-edge.
    pub fn limit_windows(&mut self, most: u64) {
        self.limit = most;
    }

    /// Distances from the nearest of the sources.
    pub fn solve(
        &mut self,
        sources: &[SurfacePoint],
        query: &Query,
        context: &Context,
    ) -> Result<Field, SurfaceError> {
        query.check()?;
        self.reset();
        self.targets = Targets::new(self.surface, sources, query)?;
        for (k, source) in sources.iter().enumerate() {
            self.start(k, source)?;
        }
        let half_edges = self.surface.half_edge_count();
        let (mut steps, mut bound) = (0u32, 0.0);
        let mut effort = Effort::new(self.limit);
        let mut settled = f64::INFINITY;
        while let Some(item) = self.queue.pop() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(4096) {
                context.check()?;
            }
            // What crosses a face has gone farther, so nothing below the bound of the queue changes any more.
            if self.queue.bound() > bound {
                bound = self.queue.bound();
                if bound > query.radius || self.targets.are_settled(bound, query, &self.distances) {
                    settled = bound;
                    break;
                }
            }
            if item < half_edges {
                self.cross(item);
                effort.spend(self.work.len() as u64)?;
            } else {
                self.send(item - half_edges);
                effort.spend(1)?;
            }
        }
        let work = Work {
            windows: self.windows,
            peak_windows: self.lists.peak(),
            window_bytes: self.lists.bytes() + self.queue.bytes(),
        };
        let targets = std::mem::take(&mut self.targets);
        Ok(Field::new(sources, query, targets, self.distances.clone(), self.arrivals.clone(), settled, work))
    }

    /// The same, and points that read their distances while windows pass.
    pub fn solve_reading(
        &mut self,
        sources: &[SurfacePoint],
        query: &Query,
        reading: &mut Reading,
        context: &Context,
    ) -> Result<Field, SurfaceError> {
        reading.reset();
        self.reading = std::mem::take(reading);
        let field = self.solve(sources, query, context);
        *reading = std::mem::take(&mut self.reading);
        field
    }

    fn reset(&mut self) {
        let (vertices, half_edges) = (self.surface.vertex_count(), self.surface.half_edge_count());
        refill(&mut self.distances, vertices, f64::INFINITY);
        refill(&mut self.arrivals, vertices, NOWHERE);
        refill(&mut self.sent, vertices, f64::INFINITY);
        refill(&mut self.split, half_edges, [f64::INFINITY, 0.0]);
        self.lists.reset(half_edges);
        let sum: f64 = self.surface.lengths().iter().sum();
        // Half a mean edge; and no more than a million buckets, should distances be as long as all edges together.
        let width = (0.5 / half_edges.max(1) as f64).max(1.0 / f64::from(1 << 20)) * sum;
        self.queue.reset(half_edges + vertices, width.max(f64::MIN_POSITIVE));
        self.windows = 0;
    }

    /// Step 1.
    fn start(&mut self, number: usize, source: &SurfacePoint) -> Result<(), SurfaceError> {
        let source = SurfacePoint::new(self.surface, source.face, source.barycentric)?;
        let root = (self.surface.vertex_count() + number) as u32;
        match source.place(self.surface) {
            Place::Corner(h) => {
                let v = self.surface.origin(h).index();
                self.distances[v] = 0.0;
                self.arrivals[v] = NOWHERE;
                self.send(v);
            }
            Place::Edge(h, t) => {
                self.start_in_face(&source, root);
                if let Some(twin) = self.surface.twin(h) {
                    let along = t / self.surface.length(h);
                    let along = if self.surface.is_mirrored(h) { along } else { 1.0 - along };
                    self.start_in_face(&SurfacePoint::on_edge(twin, along), root);
                }
            }
            Place::Face(_) => self.start_in_face(&source, root),
        }
        Ok(())
    }

    fn start_in_face(&mut self, source: &SurfacePoint, root: u32) {
        for h in source.face.half_edges() {
            let [x, y] = source.in_frame(self.surface, h);
            let corner = self.surface.origin(h).index();
            self.reach(corner, length(x, y), Arrival { root, ..NOWHERE });
            if y > 0.0 {
                self.open(h, [x, y], 0.0, root);
            }
        }
        let [at, _, _] = source.face.half_edges();
        let at = source.in_frame(self.surface, at);
        self.targets.reach_directly(self.surface, source.face, at, 0.0, root);
        self.reading.reach_directly(source.face, at, 0.0);
    }

    /// A corner can be reached so.
    #[inline]
    fn reach(&mut self, vertex: usize, distance: f64, arrival: Arrival) {
        if distance < self.distances[vertex] {
            self.distances[vertex] = distance;
            self.arrivals[vertex] = arrival;
            if self.bends[vertex] {
                self.queue.push(self.surface.half_edge_count() + vertex, distance);
            }
        }
    }

    /// A window over all of the edge of `h`, from a source inside its face.
    fn open(&mut self, h: HalfEdgeId, [x, y]: [f64; 2], base: f64, root: u32) {
        let Some(twin) = self.surface.twin(h) else { return };
        let length = self.surface.length(h);
        let x = if self.surface.is_mirrored(h) { x } else { length - x };
        let window = Window::open(length, [x, y], base, root);
        let [near, far] =
            [self.surface.origin(twin), self.surface.end(twin)].map(|v| self.distances[v.index()]);
        let third = f64::INFINITY;
        let side = Side { length, ux: 0.0, uy: 0.0, third_x: 0.0, third_depth: 0.0, near, far, third };
        self.out.clear();
        let key = side.add(window, &mut self.out);
        self.deliver(twin.index(), key);
    }

    /// A vertex that bends paths sends windows over all faces round it.
    fn send(&mut self, vertex: usize) {
        let distance = self.distances[vertex];
        if distance >= self.sent[vertex] {
            return;
        }
        self.sent[vertex] = distance;
        let surface = self.surface;
        let arrival = Arrival { root: vertex as u32, ..NOWHERE };
        for h in surface.corners(VertexId::new(vertex)) {
            let (end, last) = (surface.end(h).index(), surface.origin(h.previous()).index());
            self.reach(end, distance + surface.length(h), arrival);
            self.reach(last, distance + surface.length(h.previous()), arrival);
        }
        for h in surface.corners(VertexId::new(vertex)) {
            let opposite = h.next();
            self.open(opposite, surface.apex(opposite), distance, vertex as u32);
            if self.targets.are_in(h.face()) || self.reading.is_in(h.face()) {
                let corner = SurfacePoint::at_corner(h).in_frame(surface, h.face().half_edges()[0]);
                self.reading.reach_directly(h.face(), corner, distance);
                self.targets.reach_directly(surface, h.face(), corner, distance, vertex as u32);
            }
        }
    }

    /// Steps 3 and 4.
    fn cross(&mut self, h: usize) {
        let surface = self.surface;
        self.lists.take(h, &mut self.work);
        self.windows += self.work.len() as u64;
        let id = HalfEdgeId::new(h);
        let (next, previous) = (id.next().index(), id.previous().index());
        let origins = surface.origins();
        let [a, b, c] = [h, next, previous].map(|h| origins[h] as usize);
        let [base, right_length, left_length] = [h, next, previous].map(|h| surface.lengths()[h]);
        let (x, y) = {
            let x = base * base + (left_length - right_length) * (left_length + right_length);
            (x / (2.0 * base), surface.double_areas()[h / 3] / base)
        };
        let reach = REACH * base;
        if self.targets.are_in(id.face()) {
            self.targets.reach(surface, id, &self.work, reach);
        }
        self.reading.reach(surface, id, &self.work, reach);
        self.left.clear();
        self.right.clear();
        let faces = surface.face_count() as u32;
        let (left_twin, right_twin) = (surface.twins()[previous], surface.twins()[next]);
        for k in 0..self.work.len() {
            let w = self.work[k];
            let w = Window { trail: w.trail.across(id.face().0), ..w };
            // Where the ray to the third corner crosses.
            let at = w.x + (x - w.x) * w.depth / (y + w.depth);
            // What enters right of the nearest way to the corner and leaves left of it would cross that way.
            let (mut left_to, mut right_from) = (at, at);
            if w.lo - reach <= at && at <= w.hi + reach {
                let distance = w.base + length(x - w.x, y + w.depth);
                self.reach(
                    c,
                    distance,
                    Arrival { half_edge: h as u32, root: w.root, x: w.x, depth: w.depth },
                );
                let [nearest, nearest_at] = &mut self.split[h];
                if distance < *nearest {
                    (*nearest, *nearest_at) = (distance, at);
                } else {
                    (left_to, right_from) = (at.min(*nearest_at), at.max(*nearest_at));
                }
            }
            if w.lo < left_to && !w.trail.returns_to(left_twin / 3, faces) {
                let hi = if w.hi >= at && left_to == at { f64::INFINITY } else { w.hi.min(left_to) };
                self.left.push(Window { hi, ..w });
            }
            if w.hi > right_from && !w.trail.returns_to(right_twin / 3, faces) {
                let lo = w.lo.max(right_from);
                let hi = if w.lo <= at && right_from == at { f64::INFINITY } else { base - lo };
                self.right.push(Window { lo: base - w.hi, hi, x: base - w.x, ..w });
            }
        }
        let [near, other, far] = [a, b, c].map(|v| self.distances[v]);
        if left_twin != NONE && !self.left.is_empty() {
            let side = Side::new(x, y, left_length, base, [near, far, other]);
            self.out.clear();
            let mut key = f64::INFINITY;
            for part in &self.left {
                key = key.min(side.carry(part, &mut self.out));
            }
            if origins[left_twin as usize] as usize != a {
                flip(&mut self.out, left_length);
            }
            self.deliver(left_twin as usize, key);
        }
        if right_twin != NONE && !self.right.is_empty() {
            let side = Side::new(base - x, y, right_length, base, [other, far, near]);
            self.out.clear();
            let mut key = f64::INFINITY;
            for part in self.right.iter().rev() {
                key = key.min(side.carry(part, &mut self.out));
            }
            if origins[right_twin as usize] as usize != b {
                flip(&mut self.out, right_length);
            }
            self.deliver(right_twin as usize, key);
        }
    }

    /// What has just crossed waits on a half-edge, with what waits there already.
    fn deliver(&mut self, h: usize, key: f64) {
        if self.out.is_empty() {
            return;
        }
        if self.lists.is_empty(h) {
            self.lists.set(h, &self.out);
        } else {
            merge(self.lists.get(h), &self.out, &mut self.merged);
            self.lists.set(h, &self.merged);
        }
        self.queue.push(h, key);
    }
}

fn is_thin(surface: &SurfaceMesh, face: FaceId) -> bool {
    let longest = face.half_edges().map(|h| surface.length(h)).into_iter().fold(0.0, f64::max);
    surface.double_areas()[face.index()] < THIN * longest * longest
}

fn flip(windows: &mut [Window], length: f64) {
    windows.reverse();
    windows.iter_mut().for_each(|window| *window = window.flipped(length));
}

fn refill<T: Clone>(values: &mut Vec<T>, count: usize, value: T) {
    values.clear();
    values.resize(count, value);
}

/// Exact distances from the nearest of the sources, in one call.
pub fn exact_distances(surface: &SurfaceMesh, sources: &[SurfacePoint]) -> Result<Vec<f64>, SurfaceError> {
    let field = ExactSolver::new(surface).solve(sources, &Query::default(), &Context::default())?;
    Ok(field.distances)
}
