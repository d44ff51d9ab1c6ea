//! Clearance as optional sections of a `.way` file; `docs/format.md` describes every byte for others.

use super::{
    data::{Arc, Clearance, ClearanceParts, NOTHING, Node, NodeLink},
    feature::FeatureId,
};
use crate::{
    crossing::CrossingTable,
    mesh::{CellId, NavMesh},
};
use wayfare_core::{
    DVec2,
    container::{Container, ContainerError, ContainerWriter},
};

/// In `clr.tree`: the link is a node, not an arc.
const IS_NODE: u32 = 1 << 31;

impl Clearance {
    /// Writes the sections.
    pub(crate) fn put(&self, file: &mut ContainerWriter) {
        let parts = &self.parts;
        file.put("clr.cell", parts.list_starts.iter().copied());
        file.put("clr.list", parts.lists.iter().map(|id| id.0));
        file.put("clr.part", parts.ranges.iter().flatten().copied());
        file.put("clr.from", parts.arc_starts.iter().copied());
        file.put("clr.at", parts.arcs.iter().map(|arc| arc.from));
        let partner = |arc: &Arc| arc.partner.map_or(NOTHING, |id| id.0);
        file.put("clr.arc", parts.arcs.iter().flat_map(|arc| [partner(arc), arc.node]));
        let numbers = |node: &Node| [node.at.x, node.at.y, node.clearance, node.width];
        file.put("clr.node", parts.nodes.iter().flat_map(numbers));
        let link = |node: &Node| match node.link {
            NodeLink::Root => NOTHING,
            NodeLink::Arc(arc) => arc,
            NodeLink::Node(node) => node | IS_NODE,
        };
        file.put("clr.tree", parts.nodes.iter().flat_map(|node| [node.cell.0, node.parent, link(node)]));
        file.put("clr.crit", parts.critical_radii.iter().copied());
        if let Some(crossings) = &self.crossings {
            crossings.put(file);
        }
    }

    /// Reads the sections, if they are there. Every number is checked against its range.
    pub(crate) fn get(file: &Container, mesh: &NavMesh) -> Result<Option<Self>, ContainerError> {
        if !file.has("clr.cell") {
            return Ok(None);
        }
        let damaged = |what: &str| ContainerError::Damaged(format!("clearance: {what}"));
        let (at, arcs) = (file.get::<f64>("clr.at")?, file.get::<u32>("clr.arc")?);
        let (pairs, rest) = arcs.as_chunks::<2>();
        if pairs.len() != at.len() || !rest.is_empty() {
            return Err(damaged("the arcs are not as many numbers as they should be"));
        }
        let (numbers, ids) = (file.get::<f64>("clr.node")?, file.get::<u32>("clr.tree")?);
        let ((numbers, rest), (ids, others)) = (numbers.as_chunks::<4>(), ids.as_chunks::<3>());
        if numbers.len() != ids.len() || !rest.is_empty() || !others.is_empty() {
            return Err(damaged("the nodes are not as many numbers as they should be"));
        }
        let ranges = file.get::<f32>("clr.part")?;
        let (ranges, []) = ranges.as_chunks::<2>() else {
            return Err(damaged("the ranges are not made of pairs"));
        };
        let arc = |(&from, &[partner, node]): (&f64, &[u32; 2])| Arc {
            from,
            partner: (partner != NOTHING).then_some(FeatureId(partner)),
            node,
        };
        let node = |(&[x, y, clearance, width], &[cell, parent, link]): (&[f64; 4], &[u32; 3])| Node {
            at: DVec2::new(x, y),
            clearance,
            cell: CellId(cell),
            parent,
            width,
            link: match link {
                NOTHING => NodeLink::Root,
                link if link & IS_NODE != 0 => NodeLink::Node(link & !IS_NODE),
                link => NodeLink::Arc(link),
            },
        };
        let parts = ClearanceParts {
            list_starts: file.get("clr.cell")?,
            lists: file.get::<u32>("clr.list")?.into_iter().map(FeatureId).collect(),
            ranges: ranges.to_vec(),
            arc_starts: file.get("clr.from")?,
            arcs: at.iter().zip(pairs).map(arc).collect(),
            nodes: numbers.iter().zip(ids).map(node).collect(),
            critical_radii: file.get("clr.crit")?,
        };
        let mut clearance = Self::new(mesh, parts)
            .map_err(|defects| damaged(defects.first().map_or("", |defect| &defect.message)))?;
        clearance.crossings = CrossingTable::get(file, mesh)?;
        Ok(Some(clearance))
    }
}
