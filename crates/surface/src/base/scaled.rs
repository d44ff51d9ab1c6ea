//! Windows on the base mesh with the scale factor of the thesis: each chart keeps its own lengths, and a window that crosses a border is
//! scaled as the border is.
//!
//! Source: seed 004, section 5.2.4: β is the product of the ratios of the borders crossed; dividing by it gives true lengths. Here a window
//!   has `unit` = 1/β, the true length of one unit of the chart that it is in. The windows are those of Xin and Wang 2009, "Improving
//!   Chen and Han's algorithm": of the windows at one angle only the nearest splits, and vertices are the filter.
//! The window with the luckiest scale wins, so that distances come out too short, and the field jumps where charts meet: it is here to
//! be compared with, averaged lengths are better.
//! Cost: O(n²) windows at worst; with scales there is no proof that it ends, so the work has a limit.

use super::{BaseMesh, build::RawBase};
use crate::{
    HalfEdgeId, Place, SurfaceError, SurfacePoint, VertexId, Work,
    effort::{Effort, most_windows},
    path::faces_of,
};
use std::{cmp::Reverse, collections::BinaryHeap};
use wayfare_core::{DVec2, Id as _, dvec2};

/// How much farther than over a vertex, relatively, a window must be to be dropped: scales differ by a few percent.
const SLACK: f64 = 0.97;
/// A vertex with a larger total angle bends paths.
const FLAT: f64 = std::f64::consts::TAU + 1e-13;
/// Windows narrower than this part of their edge are dropped.
const NARROW: f64 = 1e-9;

/// A window that waits on a half-edge, in the frame of it: x along it, its face above, the source below.
#[derive(Clone, Copy)]
struct Window {
    half_edge: u32,
    lo: f64,
    hi: f64,
    x: f64,
    depth: f64,
    base: f64,
    unit: f64,
}

impl Window {
    fn at(&self, p: DVec2) -> f64 {
        self.base + self.unit * p.distance(dvec2(self.x, -self.depth))
    }
    fn least(&self) -> f64 {
        self.base + self.unit * dvec2((self.lo - self.x).max(self.x - self.hi).max(0.0), self.depth).length()
    }
}

struct Scaled<'a> {
    base: &'a BaseMesh,
    raw: &'a RawBase,
    distances: Vec<f64>,
    /// Per half-edge, the nearest that the opposite corner was reached through it.
    split: Vec<f64>,
    /// Windows and vertices by distance; vertices come after all windows.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    windows: Vec<Window>,
    /// Numbers of windows that are done.
    free: Vec<u32>,
    /// Points to be read, by face, with their places in the plane.
    points: Vec<Vec<(u32, DVec2)>>,
    found: Vec<f64>,
    work: Work,
}

/// Vertices in the queue.
const VERTEX: u32 = 1 << 31;

/// Distances of points of the base mesh from the nearest of the sources.
pub fn scaled_distances(
    base: &BaseMesh,
    sources: &[SurfacePoint],
    points: &[Option<SurfacePoint>],
    radius: f64,
) -> Result<(Vec<f64>, Work), SurfaceError> {
    let raw = &base.raw;
    let mut by_face = vec![Vec::new(); raw.faces.len()];
    for (k, point) in points.iter().enumerate() {
        if let Some(point) = point {
            let face = point.face.index();
            by_face[face].push((k as u32, place(raw, point)));
        }
    }
    let mut scaled = Scaled {
        base,
        raw,
        distances: vec![f64::INFINITY; base.surface.vertex_count()],
        split: vec![f64::INFINITY; 3 * raw.faces.len()],
        queue: BinaryHeap::new(),
        windows: Vec::new(),
        free: Vec::new(),
        points: by_face,
        found: vec![f64::INFINITY; points.len()],
        work: Work::default(),
    };
    sources.iter().for_each(|source| scaled.start(source));
    let mut effort = Effort::new(most_windows(3 * raw.faces.len()));
    while let Some(Reverse((bits, item))) = scaled.queue.pop() {
        effort.spend(1)?;
        if f64::from_bits(bits) > radius {
            break;
        }
        if item >= VERTEX {
            let vertex = (item - VERTEX) as usize;
            if scaled.distances[vertex].to_bits() == bits {
                scaled.send(vertex);
            }
        } else {
            scaled.free.push(item);
            let window = scaled.windows[item as usize];
            scaled.cross(&window);
        }
    }
    Ok(scaled.finish(radius))
}

fn place(raw: &RawBase, point: &SurfacePoint) -> DVec2 {
    let corners = raw.corners[point.face.index()];
    corners.iter().zip(point.barycentric).fold(DVec2::ZERO, |sum, (p, w)| sum + *p * w)
}

impl Scaled<'_> {
    /// A place of the plane in the frame of a half-edge.
    fn frame(&self, h: u32, p: DVec2) -> DVec2 {
        let corners = self.raw.corners[h as usize / 3];
        let (from, to) = (corners[h as usize % 3], corners[(h as usize + 1) % 3]);
        let along = (to - from) / from.distance(to);
        dvec2((p - from).dot(along), along.perp_dot(p - from))
    }
    fn length(&self, h: u32) -> f64 {
        self.raw.lengths[h as usize / 3][h as usize % 3]
    }
    fn vertex(&self, h: u32) -> usize {
        self.base.surface.origin(HalfEdgeId(h)).index()
    }

    fn start(&mut self, source: &SurfacePoint) {
        if let Place::Corner(h) = source.place(&self.base.surface) {
            let vertex = self.base.surface.origin(h).index();
            self.distances[vertex] = 0.0;
            self.send(vertex);
            return;
        }
        for point in faces_of(&self.base.surface, source) {
            let p = place(self.raw, &point);
            self.light_face(point.face.index(), p, 0.0);
            for h in point.face.half_edges().map(|h| h.0) {
                let corner = self.raw.corners[h as usize / 3][h as usize % 3];
                self.reach(self.vertex(h), corner.distance(p));
                self.open(h, p, 0.0);
            }
        }
    }

    /// A vertex that bends paths, or a source at one, sends windows over all faces round it.
    fn send(&mut self, vertex: usize) {
        let distance = self.distances[vertex];
        let surface = &self.base.surface;
        let corners: Vec<HalfEdgeId> = surface.corners(VertexId::new(vertex)).collect();
        for h in corners {
            let face = h.face().index();
            let p = self.raw.corners[face][h.side()];
            self.light_face(face, p, distance);
            for side in [h.next(), h.previous()] {
                let end = self.raw.corners[face][side.side()];
                self.reach(self.vertex(side.0), distance + end.distance(p));
            }
            self.open(h.next().0, p, distance);
        }
    }

    /// A place of a face reaches all points of it.
    fn light_face(&mut self, face: usize, from: DVec2, base: f64) {
        for &(k, p) in &self.points[face] {
            let known = &mut self.found[k as usize];
            *known = known.min(base + p.distance(from));
        }
    }

    fn reach(&mut self, vertex: usize, distance: f64) {
        if distance < self.distances[vertex] {
            self.distances[vertex] = distance;
            let id = VertexId::new(vertex);
            if self.base.surface.is_border(id) || self.base.surface.total_angle(id) > FLAT {
                self.queue.push(Reverse((distance.to_bits(), VERTEX | vertex as u32)));
            }
        }
    }

    /// A window over all of a side, from a place inside its face.
    fn open(&mut self, h: u32, from: DVec2, base: f64) {
        let source = self.frame(h, from);
        if source.y > 0.0 {
            self.carry_over(h, 0.0, self.length(h), source, base, 1.0);
        }
    }

    /// Part of a side, lit from a place of its face, waits on the other side, scaled as the side is.
    fn carry_over(&mut self, h: u32, lo: f64, hi: f64, source: DVec2, base: f64, unit: f64) {
        let Some(twin) = self.raw.joints[h as usize / 3][h as usize % 3] else { return };
        let length = self.length(h);
        if hi - lo <= NARROW * length {
            return;
        }
        // Beyond a way over an end of the side.
        let at = |t: f64| SLACK * (base + unit * (source - dvec2(t, 0.0)).length());
        let [near, far] =
            [self.vertex(h), self.base.surface.end(HalfEdgeId(h)).index()].map(|v| self.distances[v]);
        if at(hi) > near + unit * hi || at(lo) > far + unit * (length - lo) {
            return;
        }
        let ratio = self.length(twin) / length;
        let alike = self.base.surface.is_mirrored(HalfEdgeId(h));
        let turn = |t: f64| if alike { t } else { length - t };
        let (lo, hi) = if alike { (lo, hi) } else { (length - hi, length - lo) };
        let window = Window {
            half_edge: twin,
            lo: lo * ratio,
            hi: hi * ratio,
            x: turn(source.x) * ratio,
            depth: source.y * ratio,
            base,
            unit: unit / ratio,
        };
        let key = window.least().to_bits();
        let number = match self.free.pop() {
            Some(free) => {
                self.windows[free as usize] = window;
                free
            }
            None => {
                self.windows.push(window);
                self.windows.len() as u32 - 1
            }
        };
        self.queue.push(Reverse((key, number)));
    }

    fn cross(&mut self, w: &Window) {
        self.work.windows += 1;
        let h = w.half_edge;
        let (face, k) = (h as usize / 3, h as usize % 3);
        let source = dvec2(w.x, -w.depth);
        // Where the ray from the source to a place above the half-edge crosses it.
        let entry = |p: DVec2| source.x + (p.x - source.x) * w.depth / (p.y + w.depth).max(f64::MIN_POSITIVE);
        for i in 0..self.points[face].len() {
            let (number, p) = self.points[face][i];
            let p = self.frame(h, p);
            let at = entry(p);
            if w.lo <= at && at <= w.hi {
                let known = &mut self.found[number as usize];
                *known = known.min(w.at(p));
            }
        }
        let apex = self.frame(h, self.raw.corners[face][(k + 2) % 3]);
        let at = entry(apex);
        let (mut goes_left, mut goes_right) = (w.lo < at, w.hi > at);
        if w.lo <= at && at <= w.hi {
            let distance = w.at(apex);
            if distance < self.split[h as usize] {
                self.split[h as usize] = distance;
            } else if distance * SLACK > self.split[h as usize] {
                // Another window reaches the corner much nearer: of no use on either side of it.
                (goes_left, goes_right) = (false, false);
            }
            let corner = HalfEdgeId(h).previous().0;
            self.reach(self.vertex(corner), distance);
        }
        let length = self.length(h);
        // A side from one place to another, where rays through both ends of the window cross it.
        let exit = |p: DVec2, q: DVec2, t: f64| {
            let (ray, side) = (dvec2(t, 0.0) - source, q - p);
            let cross = ray.perp_dot(side);
            let s = (p - source).perp_dot(ray) / cross;
            // Written so that NaN, too, ends at the far end.
            if s > 0.0 && s < 1.0 {
                s
            } else if s <= 0.0 {
                0.0
            } else {
                1.0
            }
        };
        // Right: from the end of the half-edge to the apex.
        if goes_right {
            let side = HalfEdgeId(h).next().0;
            let (p, q) = (dvec2(length, 0.0), apex);
            let lo = if w.hi >= length { 0.0 } else { exit(p, q, w.hi) };
            let hi = if w.lo <= at { 1.0 } else { exit(p, q, w.lo) };
            self.leave(side, p, q, lo, hi, w);
        }
        // Left: from the apex to the origin.
        if goes_left {
            let side = HalfEdgeId(h).previous().0;
            let (p, q) = (apex, DVec2::ZERO);
            let lo = if w.hi >= at { 0.0 } else { exit(p, q, w.hi) };
            let hi = if w.lo <= 0.0 { 1.0 } else { exit(p, q, w.lo) };
            self.leave(side, p, q, lo, hi, w);
        }
    }

    /// Leaves by a side from p to q, between two parts of it.
    fn leave(&mut self, side: u32, p: DVec2, q: DVec2, lo: f64, hi: f64, w: &Window) {
        let length = self.length(side);
        let along = (q - p) / p.distance(q);
        let source = dvec2(w.x, -w.depth) - p;
        let in_side = dvec2(source.dot(along), along.perp_dot(source).max(0.0));
        self.carry_over(side, lo * length, hi * length, in_side, w.base, w.unit);
    }

    /// What no window reached has the way over the corners of its face.
    fn finish(mut self, radius: f64) -> (Vec<f64>, Work) {
        for (face, points) in self.points.iter().enumerate() {
            let corners = self.raw.corners[face];
            let known = [0, 1, 2].map(|k| self.distances[self.vertex((3 * face + k) as u32)]);
            for &(number, p) in points {
                let over = corners.iter().zip(known).map(|(corner, known)| known + corner.distance(p));
                let found = self.found[number as usize].min(over.fold(f64::INFINITY, f64::min));
                self.found[number as usize] = if found > radius { f64::INFINITY } else { found };
            }
        }
        self.work.peak_windows = self.windows.len();
        self.work.window_bytes = self.windows.capacity() * size_of::<Window>()
            + self.queue.capacity() * size_of::<Reverse<(u64, u32)>>();
        (self.found, self.work)
    }
}
