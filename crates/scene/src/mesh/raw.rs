//! What the reader of a format hands over: coordinates and faces as they stand in the file.

use std::collections::HashMap;
use wayfare_core::DVec3;

/// An index that no vertex has: what a file names that is not there.
pub(crate) const NO_VERTEX: u32 = u32::MAX;

/// A mesh in the making; nothing is promised about it.
///
/// A face of more than three corners waits as a fan of triangles, listed in `polygons`, until all positions are known
/// and it can be split properly: faces may come before their vertices.
#[derive(Default)]
pub(crate) struct RawMesh {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// First triangle and number of corners of each fan.
    pub polygons: Vec<(usize, usize)>,
    /// Names of materials; the first is that of no material.
    pub materials: Vec<String>,
    /// From which triangle on which material holds.
    pub runs: Vec<(usize, u32)>,
    pub notes: Vec<String>,
    /// The number of the first vertex and of the first face, as the file counts.
    pub first: usize,
    /// Where in `materials` a name is.
    known: HashMap<String, u32>,
}

impl RawMesh {
    pub fn new() -> Self {
        let materials = vec![String::new()];
        let known = HashMap::from([(String::new(), 0)]);
        Self { materials, known, runs: vec![(0, 0)], ..Self::default() }
    }

    /// Adds a face of any number of corners; one of less than three counts as a triangle without area.
    #[inline]
    pub fn face(&mut self, corners: &[u32]) {
        match *corners {
            [a, b, c] => self.triangles.push([a, b, c]),
            [] => self.triangles.push([0; 3]),
            [a] => self.triangles.push([a; 3]),
            [a, b] => self.triangles.push([a, b, b]),
            [first, ref rest @ ..] => {
                self.polygons.push((self.triangles.len(), corners.len()));
                self.triangles.extend(rest.windows(2).map(|pair| [first, pair[0], pair[1]]));
            }
        }
    }

    /// The faces that follow are made of this.
    pub fn material(&mut self, name: &str) {
        // Names are stored in lines.
        let name: String = name.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let next = self.materials.len() as u32;
        let material = *self.known.entry(name).or_insert_with_key(|name| {
            self.materials.push(name.clone());
            next
        });
        if self.runs.last().is_none_or(|&(_, last)| last != material) {
            self.runs.push((self.triangles.len(), material));
        }
    }
}

/// A vertex number of the file, counted from 0; `NO_VERTEX` if no mesh has that many.
#[inline]
pub(crate) fn vertex_number(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(NO_VERTEX)
}
