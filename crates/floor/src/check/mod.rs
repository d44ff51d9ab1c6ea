//! The checker of floor plans: F1 to F5, all defects at once.

mod ground;
mod layer;
mod shared;

use crate::{Corners, EdgeKind, FloorPlan, Layer, Region, Stride};
use wayfare_core::{Defect, Id as _, MAX_COORDINATE};

impl FloorPlan {
    /// Everything that is wrong with the plan; empty for a valid one.
    ///
    /// F1 rings are simple up to pinch points and walls without thickness, whose two sides are edges between the same two
    /// points, and do not cross, outlines run counter-clockwise, holes clockwise and inside; each vertex is one fan of ground, which may go on across shared edges. F2 a seam has one other side, in
    /// the layer that it names, with the same two vertices; a border between tags, the side of a gap and a step one in its own layer. F3 regions of a layer do not overlap. F4 each edge has a kind, drops
    /// have a depth, steps a height, each region a known tag; gaps a width. F5 the ground of a region is level or filled by triangles, so that
    /// its height is known everywhere; regions that share an edge share the points on it.
    pub fn check(&self) -> Vec<Defect> {
        let mut defects = Vec::new();
        self.check_vertices(&mut defects);
        for (number, layer) in self.layers.iter().enumerate() {
            self.check_rings(number, layer, &mut defects);
        }
        // Geometry only makes sense when the numbers do.
        if !defects.is_empty() {
            return defects;
        }
        let corners = Corners::new(self);
        shared::check(&corners, &mut defects);
        if defects.is_empty() {
            for layer in 0..self.layers.len() as u32 {
                layer::check(&corners, layer, &mut defects);
            }
            ground::check(&corners, &mut defects);
        }
        defects
    }

    /// Coordinates in range, vertices that are there.
    fn check_vertices(&self, defects: &mut Vec<Defect>) {
        let rings = self.layers.iter().flat_map(|layer| &layer.regions).flat_map(Region::rings);
        for &v in rings.flat_map(|ring| &ring.vertices) {
            if v.index() >= self.vertices.len() {
                report(defects, "F1", format!("vertex {v}"), "is not there".into());
            }
        }
        for (v, p) in self.vertices.iter() {
            // Written so that NaN fails.
            if !(p.is_finite() && p.abs().max_element() <= MAX_COORDINATE) {
                report(defects, "F1", format!("vertex {v}"), format!("lies at {p}, out of range"));
            }
        }
    }

    /// Sizes, kinds and tags.
    fn check_rings(&self, number: usize, layer: &Layer, defects: &mut Vec<Defect>) {
        for (r, region) in layer.regions.iter().enumerate() {
            for (k, ring) in region.rings().enumerate() {
                let element = || format!("layer {number}, region {r}, ring {k}");
                let count = ring.vertices.len();
                // A hole may be a wall without thickness.
                let least = if k == 0 { 3 } else { 2 };
                if count < least {
                    report(defects, "F1", element(), format!("has fewer than {least} vertices: {count}"));
                }
                if ring.kinds.len() != count {
                    let message = format!("{count} edges have {} kinds", ring.kinds.len());
                    report(defects, "F4", element(), message);
                }
                for kind in &ring.kinds {
                    if let EdgeKind::Drop { depth } = kind
                        && (depth.is_nan() || *depth <= 0.0)
                    {
                        report(defects, "F4", element(), format!("has a drop {depth} m deep"));
                    }
                    if !(kind.rise() >= 0.0 && kind.rise().is_finite()) {
                        report(defects, "F4", element(), format!("has a step {} m high", kind.rise()));
                    }
                }
            }
            if let Some(Stride { rise, width }) = region.gap
                && !(rise >= 0.0 && rise.is_finite() && width > 0.0 && width.is_finite())
            {
                let message = format!("is a gap {width} m wide and {rise} m high");
                report(defects, "F4", format!("layer {number}, region {r}"), message);
            }
            if usize::from(region.tag) >= self.tag_names.len() {
                let message = format!("tag {} of {}", region.tag, self.tag_names.len());
                report(defects, "F4", format!("layer {number}, region {r}"), message);
            }
        }
    }
}

fn report(defects: &mut Vec<Defect>, invariant: &'static str, element: String, message: String) {
    defects.push(Defect { invariant, element, message });
}
