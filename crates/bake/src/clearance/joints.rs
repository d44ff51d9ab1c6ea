//! From the reaches of all features to one graph: where arcs meet are its nodes.
//!
//! Every arc is found twice, from either side, and every node once for each feature that is nearest there. Rounding may put
//! them a hair apart, or in another order where many features are equally far. So nothing is matched by its order: a
//! node is looked up by its place on the reach of each feature that it ties with. If a node of that reach is there, the two
//! become one; if none is, a link joins it to the end of the arc below it to which the arc rises. Either way the
//! graph connects what the ground connects, at the width that the ground has, to rounding; and where the two
//! sides do not agree about the height, the diagram is wrong and refused.
//! Steps: 1. nodes of each reach  2. the ends of neighbours on the boundary  3. the nodes of partners  4. numbers
//! Cost: O(n log n).

use super::{TANGENT, reach::FoundArc};
use rayon::prelude::*;
use wayfare_core::{DVec2, Id as _};
use wayfare_navmesh::{Arc, CellId, Feature, FeatureId, Features};

/// Nodes that are seen from several sides may lie so many hairs apart.
pub(super) const NEAR: f64 = 1e3;

/// And where their place is ill determined so many at most.
const LOOSEST: f64 = 1e7;

/// A node as one feature sees it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    at: DVec2,
    height: f64,
    cell: CellId,
    /// How far it may be from where it should be [m]: much, where two arcs meet at hardly an angle.
    loose: f64,
}

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joint {
    pub at: DVec2,
    pub clearance: f64,
    pub cell: CellId,
}

/// Two nodes that lie on one reach but are not ends of one arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub nodes: [u32; 2],
    pub width: f64,
}

/// The graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub arc_starts: Vec<u32>,
    pub arcs: Vec<Arc>,
    pub nodes: Vec<Joint>,
    pub links: Vec<Link>,
}

/// Two sides that see different heights at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Disagreement {
    pub at: DVec2,
    pub heights: [f64; 2],
}

struct Sides<'a> {
    features: &'a Features,
    reaches: &'a [Vec<FoundArc>],
    /// Where the nodes of each reach start.
    starts: Vec<u32>,
    seen: Vec<Seen>,
    /// How far two nodes may lie apart to be one.
    near: f64,
    /// How much two sides may differ about a height.
    little: f64,
}

/// What is to be done about a node.
enum Finding {
    Same(u32, u32),
    Link(Link),
    Disagreement(Disagreement),
}

/// Joins the reaches of all features.
pub(super) fn join(features: &Features, reaches: &[Vec<FoundArc>], hair: f64) -> Result<Graph, Disagreement> {
    // 1.
    let seen: Vec<Vec<Seen>> = reaches
        .par_iter()
        .enumerate()
        .map(|(k, arcs)| nodes_of(features, FeatureId::new(k), arcs, hair))
        .collect();
    let mut starts = vec![0u32];
    starts.extend(seen.iter().scan(0, |sum, nodes| {
        *sum += nodes.len() as u32;
        Some(*sum)
    }));
    let sides =
        Sides { features, reaches, starts, seen: seen.concat(), near: NEAR * hair, little: TANGENT * hair };
    let mut parent: Vec<u32> = (0..sides.seen.len() as u32).collect();
    let mut links = Vec::new();
    // 2. and 3.
    let findings: Vec<Vec<Finding>> =
        (0..reaches.len()).into_par_iter().map(|k| sides.findings(FeatureId::new(k))).collect();
    for finding in findings.into_iter().flatten() {
        match finding {
            Finding::Same(a, b) => unite(&mut parent, a, b),
            Finding::Link(link) => links.push(link),
            Finding::Disagreement(place) => return Err(place),
        }
    }
    Ok(sides.number(&mut parent, links))
}

/// How an arc arrives at a node: how fast it rises, how high it is, and how much of that is rounding.
#[derive(Clone, Copy, Debug)]
struct Side {
    slope: f64,
    height: f64,
    rounding: f64,
}

/// How fast the distances to two features part along a ray, where they are equal: 1 − cos of the angle at which the features
/// are seen from there.
fn spread(feature: &Feature, partner: &Feature, parameter: f64, height: f64) -> f64 {
    let at = feature.point(parameter, height);
    let from_partner =
        if partner.is_edge() { partner.normal() } else { (at - partner.at).normalize_or_zero() };
    (feature.ray(parameter) - from_partner).length_squared() / 2.0
}

/// The nodes of a reach: the beginning of each arc, and the end of the last.
fn nodes_of(features: &Features, id: FeatureId, arcs: &[FoundArc], hair: f64) -> Vec<Seen> {
    let feature = features.get(id);
    let step = 1e-7 * (feature.high - feature.low);
    let height = |arc: &FoundArc, parameter: f64| {
        let partner = features.get(arc.partner);
        let [below, at, above] = [-step, 0.0, step].map(|step| feature.tie(partner, parameter + step));
        let rounding = hair / spread(feature, partner, parameter, at);
        Side { slope: (above - below) / (2.0 * step), height: at, rounding }
    };
    let ends = (0..=arcs.len()).map(|k| {
        let parameter = arcs.get(k).map_or(feature.high, |arc| arc.from);
        let sides = [k.checked_sub(1).and_then(|k| arcs.get(k)), arcs.get(k)];
        let heights = sides.map(|arc| arc.map(|arc| height(arc, parameter)));
        // Where two arcs meet the flatter one tells the height: a steep one changes it much within the rounding of the
        // parameter.
        // In the corner between two neighbours it is 0.
        let is_corner = match (k, sides) {
            (0, [_, Some(arc)]) => arc.partner == features.previous(id),
            (_, [Some(arc), None]) => arc.partner == features.next(id),
            _ => false,
        };
        let flatter = heights.iter().flatten().min_by(|a, b| a.slope.abs().total_cmp(&b.slope.abs()));
        let height = if is_corner { 0.0 } else { flatter.map_or(f64::INFINITY, |side| side.height) };
        let loose = match (is_corner, heights, flatter) {
            (true, ..) | (_, _, None) => 0.0,
            (_, [Some(a), Some(b)], Some(flatter)) => {
                let aside = (a.rounding + b.rounding) / (a.slope - b.slope).abs();
                let width = if feature.is_edge() { 1.0 } else { 2.0 * height };
                (aside * (width + flatter.slope.abs()) + flatter.rounding).min(LOOSEST * hair)
            }
            (.., Some(end)) => end.rounding.min(LOOSEST * hair),
        };
        let cell = sides[1].map(|arc| arc.cell).or(sides[0].map(|arc| arc.last_cell));
        Seen { at: feature.point(parameter, height), height, cell: cell.unwrap_or(CellId(0)), loose }
    });
    ends.collect()
}

impl Sides<'_> {
    fn nodes(&self, id: FeatureId) -> &[Seen] {
        &self.seen[self.starts[id.index()] as usize..self.starts[id.index() + 1] as usize]
    }

    /// Whose nodes the nodes of a feature are, too.
    fn findings(&self, id: FeatureId) -> Vec<Finding> {
        let mut findings = Vec::new();
        let (first, nodes, arcs) = (self.starts[id.index()], self.nodes(id), &self.reaches[id.index()]);
        // 2.
        let next = self.features.next(id);
        let [here, there] = [first + nodes.len() as u32 - 1, self.starts[next.index()]];
        let [a, b] = [here, there].map(|node| self.seen[node as usize]);
        findings.push(if self.is_same(&a, &b) {
            Finding::Same(here, there)
        } else {
            Finding::Link(Link { nodes: [here, there], width: a.height.min(b.height) })
        });
        // 3.
        for (k, node) in nodes.iter().enumerate() {
            let partners = [k.checked_sub(1).and_then(|k| arcs.get(k)), arcs.get(k)]
                .map(|arc| arc.map(|arc| arc.partner));
            for (n, partner) in partners.into_iter().enumerate() {
                match partner {
                    Some(partner) if n == 0 || partners[0] != Some(partner) => {
                        findings.push(self.find(first + k as u32, node, partner));
                    }
                    _ => {}
                }
            }
        }
        findings
    }

    fn is_same(&self, a: &Seen, b: &Seen) -> bool {
        let near = self.near + a.loose + b.loose;
        a.at.distance(b.at) <= near && (a.height - b.height).abs() <= near
    }

    /// Looks a node up on the reach of a partner.
    fn find(&self, number: u32, node: &Seen, partner: FeatureId) -> Finding {
        // Of the parts of a corner that the ground winds round, the one that sees the node as high as it is.
        let parts = self.features.parts(partner).map(|part| {
            let part = FeatureId(part);
            let (parameter, arc) = self.below(part, self.features.get(part).parameter(node.at));
            let height = self.height(part, arc, parameter);
            ((height - node.height).abs(), part, arc, height)
        });
        let best = parts.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let Some((_, part, arc, height)) = best else {
            return Finding::Disagreement(Disagreement { at: node.at, heights: [node.height, 0.0] });
        };
        let (first, nodes) = (self.starts[part.index()], self.nodes(part));
        // Short arcs may lie between the node and its like.
        let around = arc.saturating_sub(3)..(arc + 5).min(nodes.len());
        let nearest = around.min_by(|&a, &b| {
            let distance = |k: usize| nodes[k].at.distance_squared(node.at);
            distance(a).total_cmp(&distance(b)).then(a.cmp(&b))
        });
        if let Some(k) = nearest.filter(|&k| self.is_same(&nodes[k], node)) {
            return Finding::Same(number, first + k as u32);
        }
        // A node without height joins nothing that any body could use; nor does it matter if two sides differ by less than what
        // tangents lose by rounding, for the link is as wide as the lower one says.
        let is_little = node.height <= self.near || (height - node.height).abs() <= self.little;
        if !is_little && !self.agrees(part, node) {
            return Finding::Disagreement(Disagreement { at: node.at, heights: [node.height, height] });
        }
        let feature = self.features.get(part);
        let parameter = feature.parameter(node.at);
        let lowest = feature.lowest_tie(self.features.get(self.reaches[part.index()][arc].partner));
        let rises = lowest.map_or(nodes[arc + 1].height > nodes[arc].height, |at| parameter > at);
        let end = first + arc as u32 + u32::from(rises);
        Finding::Link(Link { nodes: [number, end], width: node.height.min(height) })
    }

    /// Whether a feature reaches as high as a node at the rays that meet it, within the rounding of both.
    fn agrees(&self, id: FeatureId, node: &Seen) -> bool {
        let feature = self.features.get(id);
        let middle = feature.parameter(node.at);
        let near = self.near + node.loose;
        let near = if feature.is_edge() { near } else { near / node.height.max(near) };
        let [(from, first), (to, last)] = [-near, near].map(|step| self.below(id, middle + step));
        let inner = self.reaches[id.index()][first + 1..=last].iter().map(|arc| arc.from);
        // An arc may be lowest between those: what it is straight below the node counts, too.
        let (straight, arc) = self.below(id, middle);
        let below = self.height(id, arc, straight);
        let (mut low, mut high) = (below, below);
        for (k, parameter) in [from].into_iter().chain(inner).chain([to]).enumerate() {
            let height = self.height(id, (first + k.saturating_sub(1)).min(last), parameter);
            (low, high) = (low.min(height), high.max(height));
        }
        let near = self.near + node.loose;
        (low - near..=high + near).contains(&node.height)
    }

    /// A parameter within the range of a feature, and the arc that ends the ray there.
    fn below(&self, id: FeatureId, parameter: f64) -> (f64, usize) {
        let (feature, arcs) = (self.features.get(id), &self.reaches[id.index()]);
        let parameter = parameter.clamp(feature.low, feature.high);
        (parameter, arcs[1..].partition_point(|arc| arc.from <= parameter))
    }

    fn height(&self, id: FeatureId, arc: usize, parameter: f64) -> f64 {
        let partner: &Feature = self.features.get(self.reaches[id.index()][arc].partner);
        self.features.get(id).tie(partner, parameter)
    }

    /// 4. Nodes that are one get one number; arcs without length between them are left out.
    fn number(&self, parent: &mut [u32], links: Vec<Link>) -> Graph {
        let mut graph = Graph { arc_starts: vec![0], ..Graph::default() };
        let mut numbers = vec![u32::MAX; parent.len()];
        let mut number = |parent: &mut [u32], nodes: &mut Vec<Joint>, seen: u32| {
            let root = find(parent, seen);
            if numbers[root as usize] == u32::MAX {
                numbers[root as usize] = nodes.len() as u32;
                let Seen { at, height, cell, .. } = self.seen[root as usize];
                nodes.push(Joint { at, clearance: height, cell });
            }
            numbers[root as usize]
        };
        for (k, arcs) in self.reaches.iter().enumerate() {
            let first = self.starts[k];
            let ends: Vec<u32> =
                (0..=arcs.len() as u32).map(|k| number(parent, &mut graph.nodes, first + k)).collect();
            let is_long = |k: usize| ends[k] != ends[k + 1];
            let has_long = (0..arcs.len()).any(is_long);
            let kept = graph.arcs.len();
            for (k, arc) in arcs.iter().enumerate() {
                // A feature all of whose rays end in one node keeps its first arc.
                if is_long(k) || !has_long && k == 0 {
                    let from = if graph.arcs.len() == kept { arcs[0].from } else { arc.from };
                    graph.arcs.push(Arc { from, partner: Some(arc.partner), node: ends[k] });
                }
            }
            let last = self.features.get(FeatureId::new(k)).high;
            graph.arcs.push(Arc { from: last, partner: None, node: ends[arcs.len()] });
            graph.arc_starts.push(graph.arcs.len() as u32);
        }
        graph.links = links
            .into_iter()
            .map(|link| Link { nodes: link.nodes.map(|node| number(parent, &mut graph.nodes, node)), ..link })
            .filter(|link| link.nodes[0] != link.nodes[1])
            .collect();
        graph
    }
}

fn find(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        parent[node as usize] = parent[parent[node as usize] as usize];
        node = parent[node as usize];
    }
    node
}

/// The lower number stands for both.
fn unite(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}
