//! Puts scenes together from faces and solids, and keeps the promises of [`Scene`] while doing so.

use super::truth::rotate;
use crate::{
    Scene,
    mesh::{Split, Splitter},
};
use std::{collections::HashMap, ops::Range};
use wayfare_core::{DVec2, DVec3, RepairReport, dvec3};
use wayfare_geom::{TriangleMesh, are_collinear};

/// A scene made by the program, and which of its triangles enclose something.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedScene {
    /// The triangles with their area tags.
    pub scene: Scene,
    /// Ranges of triangles, each the closed surface of a solid: every edge has one twin that runs the other way, and the
    /// fronts look outwards. Solids may touch and overlap.
    pub closed_parts: Vec<Range<usize>>,
}

impl GeneratedScene {
    /// The scene turned about the z axis by an angle [rad], then shifted.
    pub fn moved(mut self, turn: f64, shift: DVec3) -> Self {
        for p in &mut self.scene.mesh.vertices {
            *p = rotate(p.truncate(), turn).extend(p.z) + shift + 0.0;
        }
        self
    }
}

/// A scene in the making.
#[derive(Default)]
pub(super) struct Builder {
    mesh: TriangleMesh,
    /// Vertices by the bits of their coordinates; looked up, never listed.
    known: HashMap<[u64; 3], u32>,
    names: Vec<String>,
    tags: Vec<u8>,
    tag: u8,
    closed_parts: Vec<Range<usize>>,
    splitter: Splitter,
}

impl Builder {
    /// An empty scene whose first faces have this tag.
    pub fn new(tag: &str) -> Self {
        let mut builder = Self::default();
        builder.tag(tag);
        builder
    }

    /// The faces that follow have this tag.
    pub fn tag(&mut self, name: &str) {
        let position = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        self.tag = position as u8;
    }

    fn vertex(&mut self, p: DVec3) -> u32 {
        // Adding zero makes one zero of both, as the readers do.
        let p = p + 0.0;
        let next = self.mesh.vertices.len() as u32;
        *self.known.entry(p.to_array().map(f64::to_bits)).or_insert_with(|| {
            self.mesh.vertices.push(p);
            next
        })
    }

    /// A triangle, counter-clockwise seen from its front; one without area is left out.
    pub fn triangle(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners;
        if !are_collinear(a, b, c) {
            let corners = corners.map(|p| self.vertex(p));
            self.mesh.triangles.push(corners);
            self.tags.push(self.tag);
        }
    }

    /// Triangles so far.
    pub fn triangle_count(&self) -> usize {
        self.mesh.triangles.len()
    }

    /// A flat, simple polygon, counter-clockwise seen from its front.
    pub fn face(&mut self, corners: &[DVec3]) {
        let mut splitter = std::mem::take(&mut self.splitter);
        let split = splitter.split(corners);
        debug_assert_eq!(split, Split::Whole, "faces are simple: {corners:?}");
        for triangle in &splitter.triangles {
            self.triangle(triangle.map(|k| corners[k as usize]));
        }
        self.splitter = splitter;
    }

    /// What `faces` adds is one closed part.
    pub fn solid(&mut self, faces: impl FnOnce(&mut Self)) {
        let start = self.mesh.triangles.len();
        faces(self);
        self.closed_parts.push(start..self.mesh.triangles.len());
    }

    /// A solid between two rings of as many corners, both counter-clockwise seen from the upper one. Each ring is flat,
    /// and so are the quads between them, or they are split along the diagonal from the lower ring's first corner.
    pub fn loft(&mut self, lower: &[DVec3], upper: &[DVec3]) {
        debug_assert_eq!(lower.len(), upper.len());
        self.solid(|builder| {
            builder.face(upper);
            let bottom: Vec<DVec3> = lower.iter().rev().copied().collect();
            builder.face(&bottom);
            builder.band(lower, upper, true);
        });
    }

    /// Quads between two rows of points, seen from their front when `lower` runs to the right; `is_ring` joins the ends.
    pub fn band(&mut self, lower: &[DVec3], upper: &[DVec3], is_ring: bool) {
        let count = lower.len();
        for k in 0..if is_ring { count } else { count - 1 } {
            let next = (k + 1) % count;
            self.triangle([lower[k], lower[next], upper[next]]);
            self.triangle([lower[k], upper[next], upper[k]]);
        }
    }

    /// A solid over a simple outline, counter-clockwise seen from above.
    pub fn prism(&mut self, outline: &[DVec2], low: f64, high: f64) {
        let at = |z: f64| -> Vec<DVec3> { outline.iter().map(|p| p.extend(z)).collect() };
        self.loft(&at(low), &at(high));
    }

    /// A box by two opposite corners.
    pub fn block(&mut self, min: DVec3, max: DVec3) {
        let corners = [min.truncate(), [max.x, min.y].into(), max.truncate(), [min.x, max.y].into()];
        self.prism(&corners, min.z, max.z);
    }

    /// The scene, its tags in the order of their names.
    pub fn finish(self) -> GeneratedScene {
        let mut used = vec![false; self.names.len()];
        self.tags.iter().for_each(|&tag| used[usize::from(tag)] = true);
        let mut order: Vec<usize> = (0..self.names.len()).filter(|&tag| used[tag]).collect();
        order.sort_unstable_by_key(|&tag| &self.names[tag]);
        let mut place = vec![0; self.names.len()];
        for (position, &tag) in order.iter().enumerate() {
            place[tag] = position as u8;
        }
        let scene = Scene {
            mesh: self.mesh,
            tags: self.tags.iter().map(|&tag| place[usize::from(tag)]).collect(),
            tag_names: order.iter().map(|&tag| self.names[tag].clone()).collect(),
            repair: RepairReport::default(),
            notes: Vec::new(),
        };
        GeneratedScene { scene, closed_parts: self.closed_parts }
    }
}

/// The corners of a rectangle at one height, counter-clockwise seen from above.
pub(super) fn rectangle(min: DVec2, max: DVec2, z: f64) -> [DVec3; 4] {
    [dvec3(min.x, min.y, z), dvec3(max.x, min.y, z), dvec3(max.x, max.y, z), dvec3(min.x, max.y, z)]
}
