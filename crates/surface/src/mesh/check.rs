//! Whether a surface is what it promises.

use super::{NONE, SurfaceMesh, build::next};
use wayfare_core::Defect;

impl SurfaceMesh {
    /// Everything that breaks H1, H2 or H3; nothing, if the constructors are right.
    pub fn check(&self) -> Vec<Defect> {
        let mut defects = Vec::new();
        let mut defect = |invariant, element: String, message: &str| {
            defects.push(Defect { invariant, element, message: message.into() });
        };
        let name = |h: usize| format!("half-edge {h}");
        for (h, &twin) in self.twins.iter().enumerate() {
            let ends = [self.origins[h], self.origins[next(h)]];
            let length = self.lengths[h];
            if !(length > 0.0 && length.is_finite()) {
                defect("H3", name(h), "its length is not positive");
            }
            if ends[0] == ends[1] {
                defect("H3", name(h), "it ends where it starts");
            }
            if twin == NONE {
                continue;
            }
            let twin = twin as usize;
            if twin == h || self.twins.get(twin) != Some(&(h as u32)) {
                defect("H1", name(h), "its twin has another twin");
                continue;
            }
            let [a, b] = [self.origins[twin], self.origins[next(twin)]];
            if ends != [a, b] && ends != [b, a] {
                defect("H1", name(h), "its twin has other vertices");
            }
            if self.lengths[twin] != length {
                defect("H1", name(h), "its twin has another length");
            }
        }
        for (face, area) in self.double_areas.iter().enumerate() {
            if area.is_nan() || *area <= 0.0 {
                defect("H3", format!("face {face}"), "its area is not positive");
            }
        }
        // One fan: a vertex of k faces has k + 1 half-edges' ends of edges at an open fan, else k.
        let mut sides = vec![0usize; self.vertex_count()];
        for (h, &twin) in self.twins.iter().enumerate() {
            let count = if twin == NONE { 2 } else { 1 };
            sides[self.origins[h] as usize] += count;
            sides[self.origins[next(h)] as usize] += count;
        }
        for (v, &sides) in sides.iter().enumerate() {
            let faces = (self.corner_starts[v + 1] - self.corner_starts[v]) as usize;
            let expected = 2 * (faces + usize::from(self.is_border[v]));
            if sides != expected {
                defect("H2", format!("vertex {v}"), "its faces make several fans");
            }
        }
        defects
    }
}
