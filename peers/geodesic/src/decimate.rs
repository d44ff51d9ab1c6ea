//! The base mesh's rival: exact distances on a coarser mesh of the same surface.
//!
//! Idea: edges are collapsed, cheapest first, to where the sum of squared distances to the planes of all faces that ever met there is
//!   least. Points of the surface are then the nearest points of the coarse mesh.
//! Source: Garland and Heckbert 1997, "Surface simplification using quadric error metrics"; planes are weighted by area, borders are
//!   held by planes across their faces.
//! Steps: 1. quadrics  2. all edges into a heap  3. collapse what leaves a manifold and turns no face over  4. number anew
//! Cost: O(n log n).

use anyhow::Result;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};
use wayfare_core::{Context, DVec3, Id as _};
use wayfare_geom::{
    TriangleMesh,
    bvh::{Aabb3, Bvh},
};
use wayfare_surface::{
    ExactSolver, FaceId, Place, Query, Reading, SurfaceMesh, SurfacePoint, VertexId, Work,
};

/// How much more a border's planes weigh than those of faces.
const BORDER_WEIGHT: f64 = 10.0;
/// A face may turn by no more than this cosine.
const LEAST_TURN: f64 = 0.2;

/// Squared distances to planes: x·Ax + 2 b·x + c.
#[derive(Clone, Copy, Default)]
struct Quadric {
    /// Columns, or rows.
    a: [DVec3; 3],
    b: DVec3,
    c: f64,
}

impl Quadric {
    fn of_plane(normal: DVec3, point: DVec3, weight: f64) -> Self {
        let d = -normal.dot(point);
        let a = normal.to_array().map(|k| normal * (k * weight));
        Self { a, b: normal * (d * weight), c: d * d * weight }
    }
    fn plus(self, other: Self) -> Self {
        let a = [0, 1, 2].map(|k| self.a[k] + other.a[k]);
        Self { a, b: self.b + other.b, c: self.c + other.c }
    }
    fn at(&self, x: DVec3) -> f64 {
        (self.a.iter().zip(x.to_array()).map(|(row, k)| row.dot(x) * k).sum::<f64>()
            + 2.0 * self.b.dot(x)
            + self.c)
            .max(0.0)
    }
    /// The best place for an edge, and its cost.
    fn best(&self, p: DVec3, q: DVec3) -> (f64, DVec3) {
        let middle = 0.5 * (p + q);
        let mut places = vec![p, q, middle];
        let [u, v, w] = self.a;
        let (size, determinant) = (u.x + v.y + w.z, u.dot(v.cross(w)));
        // Where the planes are nearly parallel the best place is anywhere along them: far away too.
        if determinant > 1e-6 * size * size * size {
            let free = (v.cross(w) * self.b.x + w.cross(u) * self.b.y + u.cross(v) * self.b.z) / -determinant;
            if free.distance(middle) <= 2.0 * p.distance(q) {
                places.push(free);
            }
        }
        places
            .into_iter()
            .map(|place| (self.at(place), place))
            .fold((f64::INFINITY, p), |best, one| if one.0 < best.0 { one } else { best })
    }
}

/// A mesh of at most so many faces, or as many as can be taken away.
pub fn decimate(mesh: &TriangleMesh, wanted: usize) -> TriangleMesh {
    let mut mesh = mesh.clone();
    let mut live = mesh.triangles.len();
    let mut faces: Vec<Vec<u32>> = vec![Vec::new(); mesh.vertices.len()];
    // 1.
    let mut quadrics = vec![Quadric::default(); mesh.vertices.len()];
    let mut edges: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for (number, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        let normal = mesh.normal(number);
        let plane = Quadric::of_plane(normal.normalize_or_zero(), mesh.vertices[a as usize], normal.length());
        for vertex in [a, b, c] {
            quadrics[vertex as usize] = quadrics[vertex as usize].plus(plane);
            faces[vertex as usize].push(number as u32);
        }
        for (v, w) in [(a, b), (b, c), (c, a)] {
            edges.entry([v.min(w), v.max(w)]).or_default().push(number as u32);
        }
    }
    let mut is_border = vec![false; mesh.vertices.len()];
    for (&[v, w], beside) in edges.iter().filter(|(_, beside)| beside.len() != 2) {
        let along = mesh.vertices[w as usize] - mesh.vertices[v as usize];
        let across = mesh.normal(beside[0] as usize).cross(along).normalize_or_zero();
        let weight = BORDER_WEIGHT * along.length_squared();
        let plane = Quadric::of_plane(across, mesh.vertices[v as usize], weight);
        for vertex in [v, w] {
            quadrics[vertex as usize] = quadrics[vertex as usize].plus(plane);
            is_border[vertex as usize] = true;
        }
    }
    // 2.
    let mut stamps = vec![0u32; mesh.vertices.len()];
    let mut heap = BinaryHeap::new();
    let entry = |mesh: &TriangleMesh, quadrics: &[Quadric], stamps: &[u32], v: u32, w: u32| {
        let sum = quadrics[v as usize].plus(quadrics[w as usize]);
        let (cost, _) = sum.best(mesh.vertices[v as usize], mesh.vertices[w as usize]);
        // Bits of numbers that are not negative are ordered as they are.
        Reverse((cost.to_bits(), v, w, stamps[v as usize], stamps[w as usize]))
    };
    for &[v, w] in edges.keys() {
        heap.push(entry(&mesh, &quadrics, &stamps, v, w));
    }
    // 3.
    while live > wanted {
        let Some(Reverse((_, v, w, at_v, at_w))) = heap.pop() else { break };
        let [a, b] = [v as usize, w as usize];
        if stamps[a] != at_v || stamps[b] != at_w {
            continue;
        }
        let beside = faces[a].iter().filter(|&&f| mesh.triangles[f as usize].contains(&w)).count();
        let around = |vertex: usize| {
            let corners = faces[vertex].iter().flat_map(|&f| mesh.triangles[f as usize]);
            let mut all: Vec<u32> = corners.filter(|&u| u as usize != vertex).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let (near_v, near_w) = (around(a), around(b));
        let common = near_v.iter().filter(|u| near_w.binary_search(u).is_ok()).count();
        let is_bridge = is_border[a] && is_border[b] && beside != 1;
        if common != beside || is_bridge || near_v.len() + near_w.len() < 7 {
            continue;
        }
        let sum = quadrics[a].plus(quadrics[b]);
        let (_, place) = sum.best(mesh.vertices[a], mesh.vertices[b]);
        let turns = |from: usize, other: u32| {
            faces[from].iter().any(|&f| {
                let corners = mesh.triangles[f as usize];
                let moved =
                    corners.map(|u| if u as usize == from { place } else { mesh.vertices[u as usize] });
                let (old, new) = (mesh.normal(f as usize), (moved[1] - moved[0]).cross(moved[2] - moved[0]));
                !corners.contains(&other) && new.dot(old) <= LEAST_TURN * new.length() * old.length()
            })
        };
        if turns(a, w) || turns(b, v) {
            continue;
        }
        mesh.vertices[a] = place;
        quadrics[a] = sum;
        is_border[a] |= is_border[b];
        for f in std::mem::take(&mut faces[b]) {
            let corners = &mut mesh.triangles[f as usize];
            if corners.contains(&v) {
                live -= 1;
                for &u in corners.iter().filter(|&&u| u != w) {
                    faces[u as usize].retain(|&g| g != f);
                }
            } else {
                corners.iter_mut().filter(|u| **u == w).for_each(|u| *u = v);
                faces[a].push(f);
            }
        }
        stamps[b] = u32::MAX;
        stamps[a] += 1;
        let mut near = near_v;
        near.extend(near_w);
        near.sort_unstable();
        near.dedup();
        for u in near.into_iter().filter(|&u| u != v && u != w) {
            heap.push(entry(&mesh, &quadrics, &stamps, v.min(u), v.max(u)));
        }
    }
    // 4.
    let mut kept: Vec<u32> = faces.iter().flatten().copied().collect();
    kept.sort_unstable();
    kept.dedup();
    let mut numbers = vec![None; mesh.vertices.len()];
    let mut coarse = TriangleMesh::default();
    for f in kept {
        let corners = mesh.triangles[f as usize].map(|v| {
            *numbers[v as usize].get_or_insert_with(|| {
                coarse.vertices.push(mesh.vertices[v as usize]);
                coarse.vertices.len() as u32 - 1
            })
        });
        coarse.triangles.push(corners);
    }
    coarse
}

/// A coarse mesh, and where each vertex of the fine one lies on it.
pub struct Coarse {
    pub surface: SurfaceMesh,
    places: Vec<SurfacePoint>,
}

impl Coarse {
    /// Of at most so many faces.
    pub fn build(mesh: &TriangleMesh, faces: usize) -> Result<Self> {
        let coarse = decimate(mesh, faces);
        let (surface, _) = SurfaceMesh::build(&coarse)?;
        let faces: Vec<[DVec3; 3]> =
            surface.faces().map(|face| coarse.points(surface.input_face(face))).collect();
        let boxes: Vec<Aabb3> = faces.iter().map(|corners| Aabb3::of_points(*corners)).collect();
        let tree = Bvh::build(&boxes);
        let size = surface.edges().map(|h| surface.length(h)).fold(f64::INFINITY, f64::min);
        let place = |&p: &DVec3| {
            let mut radius = 0.1 * size;
            let mut best = (f64::INFINITY, 0, [1.0, 0.0, 0.0]);
            while best.0 > radius {
                radius *= 2.0;
                tree.visit(&Aabb3 { min: p - radius, max: p + radius }, |face| {
                    let (distance, weights) = nearest(p, &faces[face as usize]);
                    if (distance, face) < (best.0, best.1) {
                        best = (distance, face, weights);
                    }
                    false
                });
            }
            SurfacePoint { face: FaceId::new(best.1 as usize), barycentric: best.2 }
        };
        let places = mesh.vertices.iter().map(place).collect();
        Ok(Self { surface, places })
    }

    /// A solver and what it reads; made once.
    pub fn solver(&self) -> (ExactSolver<'_>, Reading) {
        let points: Vec<Option<SurfacePoint>> = self.places.iter().copied().map(Some).collect();
        (ExactSolver::new(&self.surface), Reading::new(&self.surface, &points))
    }

    /// Distances of all vertices of the fine mesh from one of them.
    pub fn distances(
        &self,
        (solver, reading): &mut (ExactSolver<'_>, Reading),
        source: usize,
    ) -> Result<(Vec<f64>, Work)> {
        let field =
            solver.solve_reading(&[self.places[source]], &Query::default(), reading, &Context::default())?;
        let mut distances = vec![f64::INFINITY; self.places.len()];
        reading.write(&mut distances);
        for (distance, place) in distances.iter_mut().zip(&self.places) {
            if let Place::Corner(h) = place.place(&self.surface) {
                *distance = field.distances[VertexId::index(self.surface.origin(h))];
            }
        }
        Ok((distances, field.work))
    }
}

/// The nearest point of a triangle: how far, and its weights.
fn nearest(p: DVec3, corners: &[DVec3; 3]) -> (f64, [f64; 3]) {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    let weights = [(b, c), (c, a), (a, b)].map(|(q, r)| (q - p).cross(r - p).dot(normal) / area);
    if weights.iter().all(|weight| *weight >= 0.0) {
        let foot = a * weights[0] + b * weights[1] + c * weights[2];
        return (p.distance(foot), weights);
    }
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let along = to - from;
        let t = ((p - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        let distance = p.distance(from + along * t);
        if distance < best.0 {
            let mut weights = [0.0; 3];
            (weights[k], weights[(k + 1) % 3]) = (1.0 - t, t);
            best = (distance, weights);
        }
    }
    best
}
