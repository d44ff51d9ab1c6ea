//! Convex polygons with neighbours: the mesh of the oracles.

use crate::{Rings, free_space::FreeSpace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use wayfare_core::DVec2;
use wayfare_geom::{predicates::orient, ring_area};

/// Convex polygons, counter-clockwise, that share whole edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainMesh {
    /// Positions.
    pub vertices: Vec<DVec2>,
    /// The vertices of each polygon, counter-clockwise.
    pub polygons: Vec<Vec<usize>>,
    /// For each polygon and each of its edges (from its vertex to the next) the polygon across.
    pub neighbours: Vec<Vec<Option<usize>>>,
}

/// A mesh as flat arrays, as a navmesh is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatMesh {
    /// Positions.
    pub vertices: Vec<DVec2>,
    /// Where each polygon's corners start; one more entry than polygons.
    pub cell_starts: Vec<u32>,
    /// The vertex of each corner.
    pub corners: Vec<u32>,
    /// The polygon across the edge that starts at each corner, `u32::MAX` for none.
    pub neighbours: Vec<u32>,
}

impl PlainMesh {
    /// Polygons that are neighbours where one has the edge (a, b) and another the edge (b, a).
    pub fn of_polygons(vertices: Vec<DVec2>, polygons: Vec<Vec<usize>>) -> Self {
        let mut owner = BTreeMap::new();
        for (p, polygon) in polygons.iter().enumerate() {
            for [a, b] in edges(polygon) {
                owner.insert([a, b], p);
            }
        }
        let across =
            |polygon: &Vec<usize>| edges(polygon).map(|[a, b]| owner.get(&[b, a]).copied()).collect();
        let neighbours = polygons.iter().map(across).collect();
        Self { vertices, polygons, neighbours }
    }

    /// The positions of a polygon's vertices.
    pub fn ring(&self, polygon: usize) -> Vec<DVec2> {
        self.polygons[polygon].iter().map(|&v| self.vertices[v]).collect()
    }
    /// Area of all polygons [m²].
    pub fn area(&self) -> f64 {
        (0..self.polygons.len()).map(|p| ring_area(&self.ring(p))).sum()
    }
    /// The boundary of all polygons together.
    pub fn boundary(&self) -> Rings {
        let mut boundary = Vec::new();
        for (polygon, across) in self.polygons.iter().zip(&self.neighbours) {
            boundary.extend(edges(polygon).zip(across).filter(|(_, q)| q.is_none()).map(|(edge, _)| edge));
        }
        // Only vertices on the boundary are its points.
        let used: Vec<usize> =
            boundary.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let number = |v: usize| used.binary_search(&v).expect("used");
        let boundary: Vec<[usize; 2]> = boundary.into_iter().map(|edge| edge.map(number)).collect();
        let points: Vec<DVec2> = used.iter().map(|&v| self.vertices[v]).collect();
        FreeSpace::of_edges(&points, &boundary).rings()
    }
    /// Whether a point lies in a closed polygon.
    pub fn holds(&self, polygon: usize, point: DVec2) -> bool {
        edges(&self.polygons[polygon]).all(|[a, b]| orient(self.vertices[a], self.vertices[b], point) >= 0.0)
    }
    /// All polygons that hold a point.
    pub fn locate(&self, point: DVec2) -> Vec<usize> {
        (0..self.polygons.len()).filter(|&p| self.holds(p, point)).collect()
    }
    /// Component of each polygon: polygons that can be reached from each other have the same number.
    pub fn components(&self) -> Vec<usize> {
        let mut component = vec![usize::MAX; self.polygons.len()];
        let mut count = 0;
        for seed in 0..self.polygons.len() {
            if component[seed] != usize::MAX {
                continue;
            }
            let mut open = vec![seed];
            component[seed] = count;
            while let Some(p) = open.pop() {
                for &q in self.neighbours[p].iter().flatten() {
                    if component[q] == usize::MAX {
                        component[q] = count;
                        open.push(q);
                    }
                }
            }
            count += 1;
        }
        component
    }

    /// What is wrong with the mesh: polygons that are not convex or have no area, neighbours that are not
    /// mutual. Signs are exact; angles of half a turn are allowed.
    pub fn check(&self) -> Vec<String> {
        let mut defects = Vec::new();
        for (p, polygon) in self.polygons.iter().enumerate() {
            let ring = self.ring(p);
            let n = ring.len();
            if ring_area(&ring) <= 0.0 {
                defects.push(format!("polygon {p} has area {}", ring_area(&ring)));
            }
            for k in 0..n {
                if orient(ring[k], ring[(k + 1) % n], ring[(k + 2) % n]) < 0.0 {
                    defects.push(format!("polygon {p} has a notch at {}", ring[(k + 1) % n]));
                }
            }
            for ([a, b], &across) in edges(polygon).zip(&self.neighbours[p]) {
                let Some(q) = across else { continue };
                let back = edges(&self.polygons[q]).position(|edge| edge == [b, a]);
                if back.and_then(|k| self.neighbours[q][k]) != Some(p) {
                    defects.push(format!("polygons {p} and {q} do not share the edge {a} {b}"));
                }
            }
        }
        defects
    }

    /// The same mesh with one vertex per fan: where polygons meet in a vertex but cannot be reached from
    /// each other round it, each group gets a vertex of its own with the same coordinates.
    pub fn split_fans(&self) -> Self {
        let mut mesh = self.clone();
        let mut seen = vec![false; self.vertices.len()];
        let mut done: Vec<Vec<bool>> =
            self.polygons.iter().map(|polygon| vec![false; polygon.len()]).collect();
        for p in 0..self.polygons.len() {
            for k in 0..self.polygons[p].len() {
                if done[p][k] {
                    continue;
                }
                let old = self.polygons[p][k];
                let new = if seen[old] { mesh.vertices.len() } else { old };
                if seen[old] {
                    mesh.vertices.push(self.vertices[old]);
                }
                seen[old] = true;
                // Every polygon that is reached across an edge at this vertex belongs to the fan.
                let mut open = vec![p];
                while let Some(p) = open.pop() {
                    let n = self.polygons[p].len();
                    let k = self.polygons[p].iter().position(|&v| v == old).expect("neighbours share edges");
                    if std::mem::replace(&mut done[p][k], true) {
                        continue;
                    }
                    mesh.polygons[p][k] = new;
                    open.extend(self.neighbours[p][k]);
                    open.extend(self.neighbours[p][(k + n - 1) % n]);
                }
            }
        }
        mesh
    }

    /// The mesh as flat arrays.
    pub fn flat(&self) -> FlatMesh {
        let starts = self.polygons.iter().scan(0, |sum, polygon| {
            *sum += polygon.len() as u32;
            Some(*sum)
        });
        FlatMesh {
            vertices: self.vertices.clone(),
            cell_starts: std::iter::once(0).chain(starts).collect(),
            corners: self.polygons.iter().flatten().map(|&v| v as u32).collect(),
            neighbours: self.neighbours.iter().flatten().map(|q| q.map_or(u32::MAX, |q| q as u32)).collect(),
        }
    }

    /// The mesh in the form of an exported navmesh, at height 0.
    pub fn to_json(&self) -> Value {
        let mut portals = Vec::new();
        for (p, polygon) in self.polygons.iter().enumerate() {
            for (edge, &across) in edges(polygon).zip(&self.neighbours[p]) {
                if let Some(q) = across.filter(|&q| p < q) {
                    portals.push(json!({ "vertices": edge, "cells": [p, q] }));
                }
            }
        }
        let zeros = vec![0; self.polygons.len()];
        let fan = |polygon: &Vec<usize>| -> Vec<[usize; 3]> {
            polygon[1..].windows(2).map(|pair| [polygon[0], pair[0], pair[1]]).collect()
        };
        json!({
            "kind": "navmesh", "version": 2, "units": "m", "up": "z",
            "convex_distance": 0, "imported": false,
            "vertices": self.vertices.iter().map(|p| [p.x, p.y, 0.0]).collect::<Vec<_>>(),
            "split_points": [],
            "cells": self.polygons,
            "portals": portals,
            "components": self.components(),
            "storeys": zeros, "tags": zeros, "tag_names": [""],
            "heights": self.polygons.iter().map(fan).collect::<Vec<_>>(),
            "notches": vec![Vec::<usize>::new(); self.polygons.len()],
            "ground_points": [], "ground_triangles": [], "heights_error": 0, "drops": [],
            "ground": vec![Vec::<usize>::new(); self.polygons.len()],
        })
    }

    /// Reads a Polyanya `.mesh` file of version 2.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        if words.next() != Some("mesh") || words.next() != Some("2") {
            return Err("does not begin with `mesh 2`".to_owned());
        }
        fn read<T: std::str::FromStr>(words: &mut std::str::SplitWhitespace<'_>) -> Result<T, String> {
            let word = words.next().ok_or("ends early")?;
            word.parse().map_err(|_| format!("`{word}` is not a number"))
        }
        let (vertex_count, polygon_count): (usize, usize) = (read(&mut words)?, read(&mut words)?);
        let mut mesh = Self::default();
        for _ in 0..vertex_count {
            mesh.vertices.push(DVec2::new(read(&mut words)?, read(&mut words)?));
            let around: usize = read(&mut words)?;
            for _ in 0..around {
                read::<i64>(&mut words)?;
            }
        }
        for _ in 0..polygon_count {
            let n: usize = read(&mut words)?;
            let polygon = (0..n).map(|_| read(&mut words)).collect::<Result<Vec<usize>, _>>()?;
            let mut across = Vec::new();
            for _ in 0..n {
                across.push(usize::try_from(read::<i64>(&mut words)?).ok());
            }
            // The file names the polygon across the edge that ends at each vertex.
            across.rotate_left(1.min(n));
            if polygon.iter().any(|&v| v >= vertex_count)
                || across.iter().flatten().any(|&q| q >= polygon_count)
            {
                return Err(format!("polygon {} names what is not there", mesh.polygons.len()));
            }
            mesh.polygons.push(polygon);
            mesh.neighbours.push(across);
        }
        Ok(mesh)
    }
}

/// The edges of a polygon, each from a vertex to the next.
pub(crate) fn edges(polygon: &[usize]) -> impl Iterator<Item = [usize; 2]> + '_ {
    (0..polygon.len()).map(|k| [polygon[k], polygon[(k + 1) % polygon.len()]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;
    use wayfare_core::dvec2;

    #[test]
    fn the_example_of_the_format_is_read() {
        let text = "mesh 2 4 2\n 0 0 2 0 -1\n 1.5 0 3 0 1 -1\n 1.5 1.5 2 1 -1\n 0 1.5 3 -1 1 0\n
            3 0 1 3 -1 -1 1\n 3 1 2 3 0 -1 -1";
        let mesh = PlainMesh::parse(text).unwrap();
        assert_eq!(mesh.neighbours, [[None, Some(1), None], [None, None, Some(0)]]);
        assert_eq!((mesh.area(), mesh.check()), (2.25, vec![]));
        assert_eq!(PlainMesh::of_polygons(mesh.vertices.clone(), mesh.polygons.clone()), mesh);
        assert_eq!(PlainMesh::parse("mesh 2 1 0 0").unwrap_err(), "ends early");
    }

    #[test]
    fn polygons_that_touch_in_a_vertex_get_a_vertex_each() {
        let vertices = [[0., 0.], [1., 0.], [1., 1.], [0., 1.], [2., 1.], [2., 2.], [1., 2.]];
        let vertices = vertices.map(|[x, y]| dvec2(x, y)).to_vec();
        let mesh = PlainMesh::of_polygons(vertices, vec![vec![0, 1, 2, 3], vec![2, 4, 5, 6]]);
        let split = mesh.split_fans();
        assert_eq!(split.vertices.len(), 8);
        assert_eq!(split.polygons[1], [7, 4, 5, 6]);
        assert_eq!(split.vertices[7], split.vertices[2]);
    }

    #[test]
    fn the_shared_meshes_are_sound() {
        for map in data::maps_of(data::MapKind::PolyMesh) {
            let mesh = PlainMesh::parse(&data::read_text(&map.path).unwrap()).unwrap();
            assert_eq!(mesh.check(), Vec::<String>::new(), "{}", map.name);
            assert_eq!(mesh.split_fans().check(), Vec::<String>::new(), "{}", map.name);
            assert_eq!(mesh.boundary().area(), mesh.area(), "{}", map.name);
        }
    }
}
