//! Exact geodesic distances by the plainest window propagation there is: the oracle of the fast solver.
//!
//! A bundle of straight lines is kept as points of one unfolded plane: its source, the two ends of an edge and the part of
//! the edge it crosses. Bundles leave a heap one by one. Every vertex, whatever its angle, sends bundles when it is
//! reached; a bundle is dropped only where both ends of its edge are known to lead there sooner. Nothing is compared
//! with anything else, so that it is slow, for meshes of a few hundred faces, and there is little to get wrong.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashMap},
};
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::TriangleMesh;

/// Triangles with lengths.
pub struct PlainGeodesic {
    vertices: usize,
    faces: Vec<[usize; 3]>,
    /// Faces at the edge between two vertices, the lower one first.
    edges: HashMap<(usize, usize), Vec<usize>>,
    lengths: HashMap<(usize, usize), f64>,
}

/// Lines from `source` through the part `from .. to` (0 to 1) of the edge from `p` to `q` into `face`.
#[derive(Clone)]
struct Bundle {
    key: f64,
    base: f64,
    source: DVec2,
    vertices: [usize; 2],
    p: DVec2,
    q: DVec2,
    from: f64,
    to: f64,
    face: usize,
}

impl PartialEq for Bundle {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Bundle {}
impl PartialOrd for Bundle {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Bundle {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.total_cmp(&self.key)
    }
}

fn key(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

impl PlainGeodesic {
    /// Of a mesh whose edges have at most two faces each and whose vertices have one fan.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let faces: Vec<[usize; 3]> = mesh.triangles.iter().map(|t| t.map(|v| v as usize)).collect();
        let (mut edges, mut lengths) = (HashMap::<_, Vec<usize>>::new(), HashMap::new());
        for (number, &[a, b, c]) in faces.iter().enumerate() {
            for (v, w) in [(a, b), (b, c), (c, a)] {
                edges.entry(key(v, w)).or_default().push(number);
                lengths.insert(key(v, w), mesh.vertices[v].distance(mesh.vertices[w]));
            }
        }
        Self { vertices: mesh.vertices.len(), faces, edges, lengths }
    }

    /// Distances of all vertices from one.
    pub fn distances(&self, source: usize) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.vertices];
        let mut heap = BinaryHeap::new();
        self.reach(source, 0.0, &mut distances, &mut heap);
        while let Some(bundle) = heap.pop() {
            self.cross(&bundle, &mut distances, &mut heap);
        }
        distances
    }

    fn length(&self, a: usize, b: usize) -> f64 {
        self.lengths[&key(a, b)]
    }

    /// A vertex is nearer than was known: it sends bundles over the faces round it, and so do those along its edges.
    fn reach(&self, vertex: usize, distance: f64, distances: &mut [f64], heap: &mut BinaryHeap<Bundle>) {
        if distance >= distances[vertex] * (1.0 - 1e-15) {
            return;
        }
        distances[vertex] = distance;
        for face in (0..self.faces.len()).filter(|&face| self.faces[face].contains(&vertex)) {
            let at = self.faces[face].iter().position(|&v| v == vertex).unwrap_or(0);
            let [v, w] = [1, 2].map(|k| self.faces[face][(at + k) % 3]);
            self.reach(v, distance + self.length(vertex, v), distances, heap);
            self.reach(w, distance + self.length(vertex, w), distances, heap);
            let (p, q) = (dvec2(0.0, 0.0), dvec2(self.length(v, w), 0.0));
            let source = third(p, q, self.length(v, vertex), self.length(w, vertex), -1.0);
            let bundle =
                Bundle { key: 0.0, base: distance, source, vertices: [v, w], p, q, from: 0.0, to: 1.0, face };
            self.add(bundle, distances, heap);
        }
    }

    /// Into the face on the other side of the edge, if the bundle may be of use.
    fn add(&self, mut bundle: Bundle, distances: &[f64], heap: &mut BinaryHeap<Bundle>) {
        let [v, w] = bundle.vertices;
        let Some(&face) = self.edges[&key(v, w)].iter().find(|&&face| face != bundle.face) else { return };
        bundle.face = face;
        let [a, b] = [bundle.from, bundle.to].map(|t| bundle.p.lerp(bundle.q, t));
        let [at_a, at_b] = [a, b].map(|point| bundle.base + bundle.source.distance(point));
        let slack = 1e-12 * (at_a + at_b);
        if at_b > distances[v] + b.distance(bundle.p) + slack
            || at_a > distances[w] + a.distance(bundle.q) + slack
        {
            return;
        }
        bundle.key = at_a.min(at_b);
        heap.push(bundle);
    }

    fn cross(&self, bundle: &Bundle, distances: &mut [f64], heap: &mut BinaryHeap<Bundle>) {
        let &Bundle { base, source, p, q, face, .. } = bundle;
        let [v, w] = bundle.vertices;
        let Some(&u) = self.faces[face].iter().find(|&&u| u != v && u != w) else { return };
        let side = (q - p).perp_dot(source - p).signum();
        let r = third(p, q, self.length(v, u), self.length(w, u), -side);
        // Lines through the ends of the bundle against the corner, seen from the source.
        let [a, b] = [bundle.from, bundle.to].map(|t| p.lerp(q, t));
        let left_of = |end: DVec2, point: DVec2| (end - source).perp_dot(point - source) * side;
        let beyond_a = left_of(a, r);
        let beyond_b = left_of(b, r);
        let tiny = 1e-11 * (q - p).length() * (r - source).length();
        if beyond_a <= tiny && beyond_b >= -tiny || beyond_a >= -tiny && beyond_b <= tiny {
            self.reach(u, base + source.distance(r), distances, heap);
        }
        // Each line leaves between p and r, or between r and q.
        let turn = (p - source).perp_dot(q - source);
        for (vertices, p, q, ends_at_corner) in [([v, u], p, r, 1.0), ([u, w], r, q, 0.0)] {
            let cut = |end: DVec2| {
                let (direction, along) = (end - source, q - p);
                let leaves_before_corner = direction.perp_dot(r - source) * turn > 0.0;
                if leaves_before_corner != (ends_at_corner == 1.0) {
                    return ends_at_corner;
                }
                let t = direction.perp_dot(p - source) / along.perp_dot(direction);
                t.clamp(0.0, 1.0)
            };
            let (from, to) = (cut(a), cut(b));
            if to - from > 1e-13 {
                let bundle = Bundle { key: 0.0, base, source, vertices, p, q, from, to, face };
                self.add(bundle, distances, heap);
            }
        }
    }
}

/// The point at given distances from two others, on the side of p → q that `side` says.
fn third(p: DVec2, q: DVec2, from_p: f64, from_q: f64, side: f64) -> DVec2 {
    let base = p.distance(q);
    let x = (base * base + from_p * from_p - from_q * from_q) / (2.0 * base);
    let y = (from_p * from_p - x * x).max(0.0).sqrt();
    let along = (q - p) / base;
    p + along * x + along.perp() * y * side
}
