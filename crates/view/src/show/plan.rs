//! The edges of a floor plan by their kind.

use super::Show;
use wayfare_floor::{EdgeKind, FloorPlan, Region};

impl Show {
    /// Adds the outlines of a floor plan.
    pub fn add_plan(&mut self, plan: &FloorPlan) {
        let (mut positions, mut kinds) = (Vec::new(), Vec::new());
        let regions = plan.layers.iter().flat_map(|layer| &layer.regions);
        for ring in regions.flat_map(Region::rings) {
            for (k, &kind) in ring.kinds.iter().enumerate() {
                let ends = [ring.vertices[k], ring.vertices[(k + 1) % ring.vertices.len()]];
                positions.extend(ends.iter().flat_map(|&vertex| self.place(plan.vertices[vertex])));
                kinds.push(number(kind));
            }
        }
        self.add_floats("plan.positions", positions);
        self.add_bytes("plan.kind", kinds);
    }
}

/// The number of a kind; 3 is for gaps.
fn number(kind: EdgeKind) -> u8 {
    match kind {
        EdgeKind::Wall => 0,
        EdgeKind::Drop { .. } => 1,
        EdgeKind::Seam { .. } => 2,
        EdgeKind::TagBorder => 4,
    }
}
