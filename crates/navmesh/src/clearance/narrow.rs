//! All places on the widest way between two points that are too narrow for a body, not the narrowest alone.
//!
//! Idea: the link by which the parts of two nodes were joined lies on the widest way between them, whatever was joined later; it leads from
//!   a node of the one part to a node of the other, and the rest of the way is that from the first node to its one end and from its other end to
//!   the second node. Pieces as wide as the body are not looked into.
//! Steps: 1. climb from the points to nodes  2. split by the last link, again and again  3. links between which the body fits nowhere are one place.
//! Cost: O(k log n) for k links that are too narrow; for explanations, not for every query.

use super::{Bottleneck, Clearances, FREE_SLACK, NodeLink};
use crate::mesh::CellId;
use wayfare_core::DVec2;

/// A piece of the way that is still to be split, or a link on it.
enum Piece {
    Between(u32, u32),
    /// The node whose link it is.
    Link(u32),
}

impl Clearances<'_> {
    /// The narrowest place of each stretch of the widest way that is too narrow for a body of a radius, in the order of the way.
    /// Empty if the body gets through, if an end is too tight for it or if the points are not connected.
    pub fn narrow_places(&self, from: (CellId, DVec2), to: (CellId, DVec2), radius: f64) -> Vec<Bottleneck> {
        let least = radius - FREE_SLACK;
        let nodes = &self.data.parts.nodes[..];
        // Step 1.
        let wide = |end| self.climb(end).filter(|&(clearance, _)| clearance >= least);
        let (Some((_, a)), Some((_, b))) = (wide(from), wide(to)) else { return Vec::new() };
        // Step 2. A way has no more links than there are nodes; a tree that says otherwise is none of this mesh.
        let mut waiting = vec![Piece::Between(a, b)];
        let mut places: Vec<Bottleneck> = Vec::new();
        let mut links = 0;
        // Whether the body fits somewhere since the last link.
        let mut is_free = true;
        while let Some(piece) = waiting.pop() {
            match piece {
                Piece::Between(a, b) => match self.last_link(a, b) {
                    Some((link, ends)) if nodes[link as usize].width < least && links < nodes.len() => {
                        waiting.extend([
                            Piece::Between(ends[1], b),
                            Piece::Link(link),
                            Piece::Between(a, ends[0]),
                        ]);
                        links += 1;
                    }
                    _ => is_free |= nodes[a as usize].clearance >= least,
                },
                Piece::Link(link) => {
                    // Step 3.
                    let place = self.place(link);
                    match places.last_mut().filter(|_| !is_free) {
                        Some(last) if last.radius <= place.radius => {}
                        Some(last) => *last = place,
                        None => places.push(place),
                    }
                    is_free = false;
                }
            }
        }
        places
    }

    /// The link by which the parts of two nodes were joined, and its ends, that in the part of the first node first; nothing if they are one
    /// node or never joined.
    fn last_link(&self, a: u32, b: u32) -> Option<(u32, [u32; 2])> {
        let nodes = &self.data.parts.nodes[..];
        // Links are stored with nodes; on the way up to where the two meet the last one is the latest of either side.
        let [one, two] = self.below_common(a, b)?;
        let (link, is_first) = match (one, two) {
            (None, None) => return None,
            (Some(one), None) => (one, true),
            (None, Some(two)) => (two, false),
            (Some(one), Some(two)) => {
                let [w, v] = [one, two].map(|node| nodes[node as usize].width);
                // Of links of the same width, one that leads to the part of the other is the later one; if neither does, both are on the way.
                let leads_over =
                    || self.link_ends(one)?.iter().any(|&end| self.is_below(end, two)).then_some(());
                if w < v || w == v && leads_over().is_some() { (one, true) } else { (two, false) }
            }
        };
        let [inner, outer] = self.link_ends(link)?;
        Some((link, if is_first { [inner, outer] } else { [outer, inner] }))
    }

    /// The last nodes on the ways of two nodes up to where these meet; nothing for a node that lies there itself.
    fn below_common(&self, a: u32, b: u32) -> Option<[Option<u32>; 2]> {
        let chain = |mut node: u32| {
            let mut chain = vec![node];
            while self.parent(node) != node {
                node = self.parent(node);
                chain.push(node);
            }
            chain
        };
        let (mut one, mut two) = (chain(a), chain(b));
        if one.last() != two.last() {
            return None;
        }
        while let (Some(x), Some(y)) = (one.last(), two.last())
            && x == y
        {
            one.pop();
            two.pop();
        }
        Some([one.last().copied(), two.last().copied()])
    }

    fn parent(&self, node: u32) -> u32 {
        self.data.parts.nodes[node as usize].parent
    }

    /// Whether a node is in the part that hung below another when that was joined.
    fn is_below(&self, mut node: u32, top: u32) -> bool {
        while node != top && self.parent(node) != node {
            node = self.parent(node);
        }
        node == top
    }

    /// The nodes at the ends of a node's link: the one in its own part first.
    fn link_ends(&self, node: u32) -> Option<[u32; 2]> {
        let parts = &self.data.parts;
        let ends = match parts.nodes[node as usize].link {
            NodeLink::Root => return None,
            NodeLink::Arc(arc) => [parts.arcs[arc as usize].node, parts.arcs.get(arc as usize + 1)?.node],
            NodeLink::Node(shared) => [shared, self.twin_of(shared, node)?],
        };
        Some(if self.is_below(ends[0], node) { ends } else { [ends[1], ends[0]] })
    }

    /// The node that is one with another but for rounding, on the other side of a link of which only that is stored.
    fn twin_of(&self, shared: u32, top: u32) -> Option<u32> {
        let nodes = &self.data.parts.nodes;
        let here = &nodes[shared as usize];
        let side = self.is_below(shared, top);
        let others = (0..nodes.len() as u32).filter(|&other| self.is_below(other, top) != side);
        let apart = |other: u32| {
            let other = &nodes[other as usize];
            other.at.distance(here.at) + (other.clearance - here.clearance).abs()
        };
        others.min_by(|&one, &two| apart(one).total_cmp(&apart(two)))
    }
}
