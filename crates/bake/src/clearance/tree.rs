//! The bottlenecks of all pairs of nodes as a tree.
//!
//! Idea: the best way between two nodes runs in a spanning tree of the widest arcs, and while that grows by falling width,
//! the arc that first joins two parts is the bottleneck of all pairs between them. Hanging the smaller part
//! below the larger one's root, and never moving anything afterwards, keeps this as a tree of nodes with depth ≤ log₂ n:
//! the bottleneck of a pair is the narrowest link on its way in it.
//! Source: Kruskal 1956, "On the shortest spanning subtree of a graph"; union by size without path compression.
//! Cost: O(n log n).

use super::joints::Graph;
use wayfare_core::Id as _;
use wayfare_navmesh::{FeatureId, Features, Node, NodeLink};

struct Edge {
    width: f64,
    nodes: [u32; 2],
    link: NodeLink,
}

/// The nodes of a graph with their tree.
pub(super) fn hang(features: &Features, graph: &Graph) -> Vec<Node> {
    let mut nodes: Vec<Node> = graph
        .nodes
        .iter()
        .zip(0..)
        .map(|(joint, k)| Node {
            at: joint.at,
            clearance: joint.clearance,
            cell: joint.cell,
            parent: k,
            width: 0.0,
            link: NodeLink::Root,
        })
        .collect();
    let mut edges = edges(features, graph);
    // Stable: equal widths in the order of the boundary.
    edges.sort_by(|a, b| b.width.total_cmp(&a.width));
    let mut sizes = vec![1u32; nodes.len()];
    for edge in edges {
        let [a, b] = edge.nodes.map(|mut node| {
            while nodes[node as usize].parent != node {
                node = nodes[node as usize].parent;
            }
            node
        });
        if a == b {
            continue;
        }
        let (below, root) = if (sizes[a as usize], b) < (sizes[b as usize], a) { (a, b) } else { (b, a) };
        sizes[root as usize] += sizes[below as usize];
        let node = &mut nodes[below as usize];
        (node.parent, node.width, node.link) = (root, edge.width, edge.link);
    }
    nodes
}

fn edges(features: &Features, graph: &Graph) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(graph.arcs.len());
    for (k, range) in graph.arc_starts.windows(2).enumerate() {
        let feature = features.get(FeatureId::new(k));
        for arc in range[0]..range[1] - 1 {
            let [here, end] = [arc, arc + 1].map(|arc| &graph.arcs[arc as usize]);
            let Some(partner) = here.partner.map(|partner| features.get(partner)) else { continue };
            let turning = feature.lowest_tie(partner).filter(|at| (here.from..=end.from).contains(at));
            let ends = [here, end].map(|arc| graph.nodes[arc.node as usize].clearance);
            let width =
                turning.map_or(f64::INFINITY, |at| feature.tie(partner, at)).min(ends[0]).min(ends[1]);
            edges.push(Edge { width, nodes: [here.node, end.node], link: NodeLink::Arc(arc) });
        }
    }
    edges.extend(graph.links.iter().map(|link| Edge {
        width: link.width,
        nodes: link.nodes,
        link: NodeLink::Node(link.nodes[0]),
    }));
    edges
}
