//! A mesh as binary glTF 2.0, for engines and viewers.
//!
//! glTF is y up, so (x, y, z) becomes (x, z, −y), and its numbers are `f32`: positions are written relative
//! to the middle of the map, which a node puts back, so that a map far from the origin keeps its millimetres.
//! Cells are triangles of their ground with one flat colour each (neighbours differ), so every cell has vertices of its own;
//! portals are a second mesh of lines.
//! Source: Khronos glTF 2.0 specification, sections 3.6 (geometry) and 4 (GLB).

use super::cell_triangles;
use crate::{COLOURS, colour_cells};
use serde_json::json;
use wayfare_core::{DVec3, Id as _};
use wayfare_navmesh::NavMesh;

/// Colours of the cells, linear RGBA.
const PALETTE: [[f32; 4]; COLOURS] = [
    [0.52, 0.70, 0.89, 1.0],
    [0.58, 0.78, 0.56, 1.0],
    [0.89, 0.73, 0.46, 1.0],
    [0.88, 0.61, 0.63, 1.0],
    [0.69, 0.63, 0.87, 1.0],
    [0.49, 0.77, 0.74, 1.0],
];

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Cells as coloured triangles and portals as lines; y up, in metres.
pub fn mesh_to_glb(mesh: &NavMesh) -> Vec<u8> {
    let middle = middle_of(&mesh.raw().vertices);
    let place = |p: DVec3| turn(p - middle);
    let colours = colour_cells(mesh);

    let mut cells = Arrays::default();
    for cell in mesh.cells() {
        let first = cells.positions.len() as u32;
        let (points, indices) = cell_triangles(mesh, cell);
        cells.positions.extend(points.into_iter().map(place));
        cells.indices.extend(indices.into_iter().map(|k| first + k));
        cells.colours.resize(cells.positions.len(), PALETTE[usize::from(colours[cell.index()])]);
    }
    let mut portals = Arrays::default();
    for corners in mesh.portals().as_slice() {
        for corner in corners {
            portals.indices.push(portals.positions.len() as u32);
            portals.positions.push(place(mesh.position(mesh.corner_vertex(*corner))));
        }
    }

    let mut file = Builder::default();
    let mut meshes = Vec::new();
    let mut nodes = Vec::new();
    for (name, mode, arrays) in [("cells", 4, cells), ("portals", 1, portals)] {
        if !arrays.indices.is_empty() {
            meshes.push(file.mesh(name, mode, &arrays));
            nodes.push(json!({"name": name, "mesh": meshes.len() - 1, "translation": turn_exact(middle)}));
        }
    }
    file.finish(&meshes, &nodes)
}

/// About the middle of some points.
pub(super) fn middle_of(points: &[DVec3]) -> DVec3 {
    let mut bounds = points.iter().copied();
    let Some(first) = bounds.next() else { return DVec3::ZERO };
    let (min, max) = bounds.fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
    // Whole metres read well, and the node's translation is the same number in `f32`.
    ((min + max) / 2.0).round()
}

/// From z up to y up.
pub(super) fn turn(p: DVec3) -> [f32; 3] {
    [p.x as f32, p.z as f32, -p.y as f32]
}

pub(super) fn turn_exact(p: DVec3) -> [f64; 3] {
    // Adding zero turns −0 into 0.
    [p.x + 0.0, p.z + 0.0, -p.y + 0.0]
}

/// What one mesh of the file is made of; without colours where they are empty.
#[derive(Default)]
pub(super) struct Arrays {
    pub positions: Vec<[f32; 3]>,
    pub colours: Vec<[f32; 4]>,
    pub indices: Vec<u32>,
}

/// Collects the binary chunk with its views and accessors.
#[derive(Default)]
pub(super) struct Builder {
    bytes: Vec<u8>,
    views: Vec<serde_json::Value>,
    accessors: Vec<serde_json::Value>,
}

impl Builder {
    pub fn mesh(&mut self, name: &str, mode: u32, arrays: &Arrays) -> serde_json::Value {
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for p in &arrays.positions {
            for k in 0..3 {
                min[k] = min[k].min(p[k]);
                max[k] = max[k].max(p[k]);
            }
        }
        let mut position = json!({"componentType": FLOAT, "type": "VEC3", "count": arrays.positions.len()});
        position["min"] = json!(min);
        position["max"] = json!(max);
        let positions = arrays.positions.iter().flatten().flat_map(|x| x.to_le_bytes());
        let mut attributes = json!({"POSITION": self.accessor(position, ARRAY_BUFFER, positions)});
        if !arrays.colours.is_empty() {
            let colour = json!({"componentType": FLOAT, "type": "VEC4", "count": arrays.colours.len()});
            let colours = arrays.colours.iter().flatten().flat_map(|x| x.to_le_bytes());
            attributes["COLOR_0"] = self.accessor(colour, ARRAY_BUFFER, colours).into();
        }
        let index = json!({"componentType": UNSIGNED_INT, "type": "SCALAR", "count": arrays.indices.len()});
        let indices = arrays.indices.iter().flat_map(|x| x.to_le_bytes());
        let indices = self.accessor(index, ELEMENT_ARRAY_BUFFER, indices);
        let material = usize::from(mode != 4);
        json!({"name": name, "primitives": [
            {"attributes": attributes, "indices": indices, "mode": mode, "material": material}
        ]})
    }

    /// Adds a view with one accessor over it; returns the accessor's number.
    fn accessor(
        &mut self,
        mut accessor: serde_json::Value,
        target: u32,
        bytes: impl Iterator<Item = u8>,
    ) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let length = self.bytes.len() - offset;
        self.views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": length, "target": target}));
        accessor["bufferView"] = (self.views.len() - 1).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    pub fn finish(mut self, meshes: &[serde_json::Value], nodes: &[serde_json::Value]) -> Vec<u8> {
        let mut document = json!({
            "asset": {"version": "2.0", "generator": concat!("wayfare ", env!("CARGO_PKG_VERSION"))},
            "scene": 0,
            "scenes": [{}],
        });
        // glTF allows no empty arrays.
        if !meshes.is_empty() {
            document["scenes"][0]["nodes"] = (0..nodes.len()).collect();
            document["nodes"] = nodes.into();
            document["meshes"] = meshes.into();
            document["materials"] = json!([
                {"name": "cells", "doubleSided": true,
                 "pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 1}},
                {"name": "portals",
                 "pbrMetallicRoughness": {"baseColorFactor": [0.05, 0.08, 0.12, 1], "metallicFactor": 0}},
            ]);
            document["accessors"] = self.accessors.into();
            document["bufferViews"] = self.views.into();
            document["buffers"] = json!([{"byteLength": self.bytes.len()}]);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);

        let binary = if self.bytes.is_empty() { 0 } else { 8 + self.bytes.len() };
        let mut out = Vec::with_capacity(20 + text.len() + binary);
        out.extend_from_slice(b"glTF");
        out.extend_from_slice(&2u32.to_le_bytes());
        out.extend_from_slice(&((20 + text.len() + binary) as u32).to_le_bytes());
        let mut chunk = |kind: &[u8; 4], bytes: &[u8]| {
            out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            out.extend_from_slice(kind);
            out.extend_from_slice(bytes);
        };
        chunk(b"JSON", &text);
        if !self.bytes.is_empty() {
            chunk(b"BIN\0", &self.bytes);
        }
        out
    }
}
