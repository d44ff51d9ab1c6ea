//! Shortest paths by brute force on any mesh in general position: no three points that matter on one line.

use wayfare_core::DVec2;
use wayfare_geom::predicates::{cross_properly, orient};
use wayfare_navmesh::{NavMesh, VertexId};

/// The visibility graph of all boundary vertices.
pub struct Brute<'a> {
    mesh: &'a NavMesh,
    vertices: Vec<VertexId>,
    walls: Vec<[DVec2; 2]>,
    length: Vec<Vec<f64>>,
}

impl<'a> Brute<'a> {
    pub fn new(mesh: &'a NavMesh) -> Self {
        let mut corners: Vec<_> = mesh.cells().flat_map(|cell| mesh.corners(cell)).collect();
        corners.retain(|&corner| mesh.twin(corner).is_none());
        let walls = corners.iter().map(|&corner| mesh.edge(corner).map(|v| mesh.xy(v))).collect();
        let vertices: Vec<VertexId> = corners.iter().map(|&corner| mesh.corner_vertex(corner)).collect();
        let mut brute = Self { mesh, vertices, walls, length: Vec::new() };
        let n = brute.vertices.len();
        brute.length = (0..n)
            .map(|i| {
                let from = brute.vertices[i];
                let to = brute.vertices.iter();
                to.map(|&to| brute.step(mesh.xy(from), Some(from), mesh.xy(to), Some(to))).collect()
            })
            .collect();
        brute
    }

    /// Length of the straight way, infinite if there is none.
    fn step(&self, p: DVec2, at_p: Option<VertexId>, q: DVec2, at_q: Option<VertexId>) -> f64 {
        let mesh = self.mesh;
        // Both ends must be left into their own fan.
        let leads = |from: Option<VertexId>, to: DVec2| {
            from.is_none_or(|vertex| {
                mesh.fan(vertex).any(|corner| {
                    let [at, right] = mesh.edge(corner).map(|v| mesh.xy(v));
                    let left = mesh.xy(mesh.corner_vertex(mesh.previous_corner(corner)));
                    let (is_left, is_right) = (orient(at, right, to) >= 0.0, orient(at, left, to) <= 0.0);
                    // A cell may have a notch here.
                    if orient(at, right, left) < 0.0 { is_left || is_right } else { is_left && is_right }
                })
            })
        };
        if p == q || !leads(at_p, q) || !leads(at_q, p) {
            return f64::INFINITY;
        }
        if self.walls.iter().any(|&[a, b]| cross_properly(p, q, a, b)) {
            return f64::INFINITY;
        }
        // Along a wall rounding would decide about the middle.
        let is_wall = self.walls.iter().any(|&[a, b]| [a, b] == [p, q] || [b, a] == [p, q]);
        let middle = (p + q) / 2.0;
        if is_wall || mesh.cells().any(|cell| mesh.contains(cell, middle)) {
            return (p - q).length();
        }
        f64::INFINITY
    }

    pub fn shortest(&self, p: DVec2, q: DVec2) -> Option<f64> {
        let n = self.vertices.len();
        let from: Vec<f64> =
            self.vertices.iter().map(|&v| self.step(p, None, self.mesh.xy(v), Some(v))).collect();
        let to: Vec<f64> =
            self.vertices.iter().map(|&v| self.step(self.mesh.xy(v), Some(v), q, None)).collect();
        let mut best = if p == q { 0.0 } else { self.step(p, None, q, None) };
        let mut length = from;
        let mut done = vec![false; n];
        while let Some(k) = (0..n).filter(|&k| !done[k]).min_by(|&a, &b| length[a].total_cmp(&length[b])) {
            if length[k] >= best {
                break;
            }
            done[k] = true;
            best = best.min(length[k] + to[k]);
            for j in 0..n {
                length[j] = length[j].min(length[k] + self.length[k][j]);
            }
        }
        (best < f64::INFINITY).then_some(best)
    }
}
