//! The checker of floor plans: F1 to F5, all defects at once.

use crate::{FloorPlan, Layer, Region};
use wayfare_core::{Defect, Id as _, MAX_COORDINATE};
use wayfare_geom::validate::{RingSet, containers, join_touching, ring_direction, sweep_rings};

impl FloorPlan {
    /// Everything that is wrong with the plan; empty for a valid one.
    ///
    /// F1 rings are simple up to pinch points and do not cross, outlines run counter-clockwise, holes
    /// clockwise and inside, and each corner is one fan of free ground. F2 is empty as long as there are no
    /// seams. F3 regions of a layer do not overlap. F4 each edge has a kind, each region a known tag.
    /// F5 the ground of a region is level, so that its height is known everywhere.
    pub fn check(&self) -> Vec<Defect> {
        let mut defects = Vec::new();
        self.check_vertices(&mut defects);
        for (number, layer) in self.layers.iter().enumerate() {
            self.check_rings(number, layer, &mut defects);
        }
        // Geometry only makes sense when the numbers do.
        if defects.is_empty() {
            for (number, layer) in self.layers.iter().enumerate() {
                self.check_layer(number, layer, &mut defects);
            }
        }
        defects
    }

    /// Coordinates in range, every vertex the corner of one ring.
    fn check_vertices(&self, defects: &mut Vec<Defect>) {
        let mut uses = vec![0u32; self.vertices.len()];
        let rings = self.layers.iter().flat_map(|layer| &layer.regions).flat_map(Region::rings);
        for &v in rings.flat_map(|ring| &ring.vertices) {
            match uses.get_mut(v.index()) {
                Some(uses) => *uses += 1,
                None => report(defects, "F1", format!("vertex {v}"), "is not there".into()),
            }
        }
        for ((v, p), uses) in self.vertices.iter().zip(uses) {
            // Written so that NaN fails.
            if !(p.is_finite() && p.abs().max_element() <= MAX_COORDINATE) {
                report(defects, "F1", format!("vertex {v}"), format!("lies at {p}, out of range"));
            }
            if uses != 1 {
                report(defects, "F1", format!("vertex {v}"), format!("is the corner of {uses} rings"));
            }
        }
    }

    /// Sizes, kinds and tags.
    fn check_rings(&self, number: usize, layer: &Layer, defects: &mut Vec<Defect>) {
        for (r, region) in layer.regions.iter().enumerate() {
            for (k, ring) in region.rings().enumerate() {
                let element = || format!("layer {number}, region {r}, ring {k}");
                if ring.vertices.len() < 3 {
                    report(
                        defects,
                        "F1",
                        element(),
                        format!("has fewer than 3 vertices: {}", ring.vertices.len()),
                    );
                }
                if ring.kinds.len() != ring.vertices.len() {
                    let message = format!("{} edges have {} kinds", ring.vertices.len(), ring.kinds.len());
                    report(defects, "F4", element(), message);
                }
            }
            if usize::from(region.tag) >= self.tag_names.len() {
                let message = format!("tag {} of {}", region.tag, self.tag_names.len());
                report(defects, "F4", format!("layer {number}, region {r}"), message);
            }
        }
    }

    /// Shapes, nesting, heights.
    fn check_layer(&self, number: usize, layer: &Layer, defects: &mut Vec<Defect>) {
        // All rings of the layer, with the region and the ring in it.
        let mut rings = RingSet::new();
        let mut names = Vec::new();
        for (r, region) in layer.regions.iter().enumerate() {
            for (k, ring) in region.rings().enumerate() {
                rings.push(ring.vertices.iter().map(|&v| self.vertices[v].truncate()));
                names.push((r, k));
            }
            let height = |v: &_| self.vertices[*v].z;
            let level = region.outer.vertices.first().map(height).unwrap_or_default();
            if region.rings().flat_map(|ring| &ring.vertices).any(|v| height(v) != level) {
                let element = format!("layer {number}, region {r}");
                report(defects, "F5", element, "is not level, and has no heights inside".into());
            }
        }
        let element =
            |ring: usize| format!("layer {number}, region {}, ring {}", names[ring].0, names[ring].1);
        // An edge without length would upset the sweep.
        for (k, ring) in rings.iter().enumerate() {
            let next = ring.iter().cycle().skip(1);
            if let Some((p, _)) = ring.iter().zip(next).find(|(p, q)| p == q) {
                report(defects, "F1", element(k), format!("has an edge without length at {p}"));
            }
        }
        if !defects.is_empty() {
            return;
        }
        let sweep = sweep_rings(&rings);
        for conflict in &sweep.conflicts {
            let [e, f] = conflict.edges.map(|edge| rings.ring_of(edge as usize));
            let invariant = if names[e].0 == names[f].0 { "F1" } else { "F3" };
            let message = format!("meets {} at {}", element(f), conflict.at);
            report(defects, invariant, element(e), message);
        }
        if !sweep.conflicts.is_empty() {
            return;
        }
        for (ring, container) in containers(&rings, &sweep).into_iter().enumerate() {
            let is_hole = names[ring].1 > 0;
            if ring_direction(rings.ring(ring)).is_lt() != is_hole {
                report(defects, "F1", element(ring), "runs the wrong way".into());
            }
            let container = container.map(|container| names[container as usize]);
            match container {
                Some((region, 0)) if is_hole && region == names[ring].0 => {}
                _ if is_hole => report(defects, "F1", element(ring), "lies outside its outline".into()),
                Some((region, 0)) => {
                    report(defects, "F3", element(ring), format!("lies in region {region}"));
                }
                _ => {}
            }
        }
        match join_touching(&rings, &sweep) {
            Some(fans) => {
                for p in fans.changed {
                    let place = format!("layer {number}, point {p}");
                    report(defects, "F1", place, "corners here are not one fan each".into());
                }
            }
            None => {
                report(defects, "F1", format!("layer {number}"), "rings bound no area on their left".into())
            }
        }
    }
}

fn report(defects: &mut Vec<Defect>, invariant: &'static str, element: String, message: String) {
    defects.push(Defect { invariant, element, message });
}
