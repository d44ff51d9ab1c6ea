//! The widest way between two points, and whether a body of a radius can go from one to the other: without a search.
//!
//! Idea: from a point one can climb to a node without the distance to the boundary ever falling: up the ray of the
//! nearest feature to its reach, then along the arc away from its lowest place. So
//! widest(a, b) = min(clearance of a, clearance of b, widest way between the two nodes), and the last is the
//! narrowest link between them in the tree, which was built by falling width.
//! Cost: O(list of the cell + log arcs + depth of the tree); the depth is at most log₂ of the number of nodes.

use super::{Clearances, data::NodeLink, feature::FeatureId};
use crate::mesh::CellId;
use wayfare_core::DVec2;

/// A body fits where the clearance is its radius but for this [m]: rounding must not close a door of just its width.
pub const FREE_SLACK: f64 = 1e-9;

/// The narrowest place of the widest way between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bottleneck {
    /// Largest radius of a body that can go from one point to the other [m]; 0 if none can.
    pub radius: f64,
    /// Where the way is that narrow: the centre of the largest disc there.
    pub at: DVec2,
    /// A cell in which that is, but for rounding.
    pub cell: CellId,
}

impl Clearances<'_> {
    /// The widest way from a point of a cell to a point of another; nothing if they are not connected at all.
    pub fn widest(&self, from: (CellId, DVec2), to: (CellId, DVec2)) -> Option<Bottleneck> {
        if self.mesh.component(from.0) != self.mesh.component(to.0) {
            return None;
        }
        let (a, b) = (self.climb(from)?, self.climb(to)?);
        let ends = [(a.0, from), (b.0, to)].map(|(radius, (cell, at))| Bottleneck { radius, at, cell });
        let least = if ends[1].radius < ends[0].radius { ends[1] } else { ends[0] };
        match self.narrowest(a.1, b.1) {
            Narrowest::Same => Some(least),
            // Of one component, but the ways between touch the boundary.
            Narrowest::Apart => Some(Bottleneck { radius: 0.0, ..least }),
            Narrowest::Link(node) if self.data.parts.nodes[node as usize].width < least.radius => {
                Some(self.place(node))
            }
            Narrowest::Link(_) => Some(least),
        }
    }

    /// Whether a body of a radius can go from a point of a cell to a point of another. Where it is exactly as wide as
    /// the body, it can ([`FREE_SLACK`]).
    pub fn is_reachable(&self, from: (CellId, DVec2), to: (CellId, DVec2), radius: f64) -> bool {
        let least = radius - FREE_SLACK;
        if self.mesh.component(from.0) != self.mesh.component(to.0) {
            return false;
        }
        if least <= 0.0 {
            return true;
        }
        let wide = |end: (CellId, DVec2)| self.climb(end).filter(|&(clearance, _)| clearance >= least);
        let (Some((_, a)), Some((_, b))) = (wide(from), wide(to)) else { return false };
        self.is_joined(a, b, least)
    }

    /// Whether the way in the tree between two nodes is nowhere narrower than a radius.
    pub(crate) fn is_joined(&self, a: u32, b: u32, least: f64) -> bool {
        match self.narrowest(a, b) {
            Narrowest::Same => true,
            Narrowest::Apart => false,
            Narrowest::Link(node) => self.data.parts.nodes[node as usize].width >= least,
        }
    }

    /// The clearance of a point, and the node to which one can climb from there.
    pub(crate) fn climb(&self, (cell, p): (CellId, DVec2)) -> Option<(f64, u32)> {
        let (id, parameter) = self.nearest(cell, p)?;
        let feature = self.data.features.get(id);
        let clearance = p.distance(feature.foot(parameter));
        Some((clearance, self.climb_arc(id, parameter)))
    }

    /// The end to which an arc of a feature rises from a parameter.
    pub(super) fn climb_arc(&self, id: FeatureId, parameter: f64) -> u32 {
        let arcs = self.data.arcs(id);
        let after = arcs[1..arcs.len() - 1].partition_point(|arc| arc.from <= parameter);
        let [arc, end] = [&arcs[after], &arcs[after + 1]];
        let features = &self.data.features;
        let lowest = arc.partner.and_then(|partner| features.get(id).lowest_tie(features.get(partner)));
        let clearance = |node: u32| self.data.parts.nodes[node as usize].clearance;
        let to_end = match lowest {
            Some(at) if (arc.from..=end.from).contains(&at) => parameter > at,
            // Behind a corner's axis parameters jump; the arc rises or falls all along.
            _ => clearance(end.node) > clearance(arc.node),
        };
        if to_end { end.node } else { arc.node }
    }

    /// The narrowest link on the way in the tree between two nodes.
    fn narrowest(&self, mut a: u32, mut b: u32) -> Narrowest {
        let nodes = &self.data.parts.nodes[..];
        let is_root = |node: u32| nodes[node as usize].parent == node;
        let mut narrowest: Option<u32> = None;
        while a != b {
            // Widths fall towards the root: the wider link comes first on the way to the common one.
            let (wa, wb) = (nodes[a as usize].width, nodes[b as usize].width);
            let climber = if is_root(b) || !is_root(a) && wa >= wb { &mut a } else { &mut b };
            if is_root(*climber) {
                return Narrowest::Apart;
            }
            let width = nodes[*climber as usize].width;
            if narrowest.is_none_or(|other| width < nodes[other as usize].width) {
                narrowest = Some(*climber);
            }
            *climber = nodes[*climber as usize].parent;
        }
        narrowest.map_or(Narrowest::Same, Narrowest::Link)
    }

    /// Where the link of a node to its parent is narrowest.
    pub(super) fn place(&self, node: u32) -> Bottleneck {
        let nodes = &self.data.parts.nodes;
        let Some(here) = nodes.get(node as usize) else {
            return Bottleneck { radius: 0.0, at: DVec2::ZERO, cell: CellId(0) };
        };
        let radius = here.width;
        match here.link {
            NodeLink::Root => Bottleneck { radius, at: here.at, cell: here.cell },
            NodeLink::Node(other) => {
                let other = &nodes[other as usize];
                Bottleneck { radius, at: other.at, cell: other.cell }
            }
            NodeLink::Arc(arc) => {
                let arc = arc as usize;
                let id = self.data.feature_of_arc(arc);
                let feature = self.data.features.get(id);
                let arcs = &self.data.parts.arcs;
                let (at, height) = self.data.lowest(feature, arc, [arcs[arc].from, arcs[arc + 1].from]);
                let (at, node) = (feature.point(at, height), &nodes[arcs[arc].node as usize]);
                let ahead = self.cell_ahead(node.cell, node.at, at);
                // A node on a vertex may lie beside its cell by rounding, and the line to it astray.
                let is_there = |&cell: &CellId| {
                    self.at(cell, at)
                        .is_some_and(|place| (place.distance - radius).abs() <= self.data.rounding())
                };
                let mut cells = self.mesh.cells_at(at, f64::NEG_INFINITY..=f64::INFINITY);
                let cell = if is_there(&ahead) { ahead } else { cells.find(is_there).unwrap_or(ahead) };
                Bottleneck { radius, at, cell }
            }
        }
    }
}

/// The way in the tree between two nodes.
enum Narrowest {
    /// They are one node.
    Same,
    /// They are in different trees.
    Apart,
    /// It is narrowest between this node and its parent.
    Link(u32),
}
