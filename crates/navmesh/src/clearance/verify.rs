//! N6: what is stored about clearance is that of the mesh, as far as looking at each number once can tell.
//!
//! Every node must be as far from the boundary as it says, by the list of its cell; the ends of every arc must be as far
//! from its feature and from its partner, and links must be as wide as their arcs. The builder makes sure of the same
//! before it hands anything out.

use super::{
    Clearances,
    data::{Clearance, NodeLink},
    feature::FeatureId,
};
use crate::mesh::NavMesh;
use wayfare_core::{DVec2, Defect, Id as _, defects::Defects};

/// How far two computations of one clearance may be apart, in units of its own rounding.
const ROUNDING: f64 = 1e3;

impl Clearance {
    /// What is not as it should be on this mesh; empty if nothing is found.
    pub fn check(&self, mesh: &NavMesh) -> Vec<Defect> {
        let mut defects = Defects::default();
        self.check_into(mesh, &mut defects);
        defects.into_vec("N0")
    }
    pub(crate) fn check_into(&self, mesh: &NavMesh, defects: &mut Defects) {
        check(mesh, self, defects);
    }
    /// The feature that an arc belongs to.
    pub(super) fn feature_of_arc(&self, arc: usize) -> FeatureId {
        FeatureId::new(self.parts.arc_starts.partition_point(|&start| start as usize <= arc) - 1)
    }
    /// Clearances that are farther apart than this are different [m].
    pub fn rounding(&self) -> f64 {
        ROUNDING * self.hair
    }
}

fn check(mesh: &NavMesh, clearance: &Clearance, defects: &mut Defects) {
    let asked = Clearances { mesh, data: clearance };
    let most = clearance.rounding();
    let nodes = &clearance.parts.nodes;
    for (k, node) in nodes.iter().enumerate() {
        let real = asked.at(node.cell, node.at).map_or(f64::INFINITY, |place| place.distance);
        if (real - node.clearance).abs() > most {
            defects.add("N6", format_args!("clearance node {k}"), || {
                format!("at ({}, {}) says {}, has {real}", node.at.x, node.at.y, node.clearance)
            });
        }
        let width = match node.link {
            NodeLink::Root => node.width,
            NodeLink::Node(other) => nodes[other as usize].clearance.min(node.width),
            NodeLink::Arc(arc) => {
                let (arc, feature) = (arc as usize, clearance.feature_of_arc(arc as usize));
                let span = [clearance.parts.arcs[arc].from, clearance.parts.arcs[arc + 1].from];
                clearance.lowest(clearance.features.get(feature), arc, span).1
            }
        };
        if (width - node.width).abs() > most {
            defects.add("N6", format_args!("clearance node {k}"), || {
                format!("says that its link is {} wide, has {width}", node.width)
            });
        }
    }
    for id in clearance.features.ids() {
        let (feature, range) = (clearance.features.get(id), clearance.arc_range(id));
        for arc in range.start..range.end - 1 {
            let Some(partner) = clearance.parts.arcs[arc].partner else { continue };
            for end in [arc, arc + 1] {
                let node = &nodes[clearance.parts.arcs[end].node as usize];
                // By distances: heights of steep arcs change much within the rounding of a parameter.
                for other in [feature, clearance.features.get(partner)] {
                    let distance = other.distance(node.at);
                    if (distance - node.clearance).abs() > most {
                        defects.add("N6", format_args!("feature {id}"), || {
                            let DVec2 { x, y } = node.at;
                            format!(
                                "is {distance} from the node at ({x}, {y}), which says {}",
                                node.clearance
                            )
                        });
                    }
                }
            }
        }
    }
}
