//! The widest ways inside one cell: the Voronoi diagram of the boundary, cut to the cell, as a graph.
//!
//! Idea: a point of the cell can go away from its nearest obstacle until another one is as near or the cell ends, and the
//! distance to the boundary grows on the way. So a curve inside the cell can be moved onto the diagram's arcs and onto the
//! cell's portals without becoming narrower anywhere, and the widest way is one along arcs and portals.
//! Steps: 1. points that are asked about, and ends of portals inside the ground, climb to an arc or a portal
//!   2. on each portal the lower envelope of distances: its breaks are nodes, neighbours are linked
//!   3. nodes of the diagram in the cell  4. every node stops at the reach of each feature that is as near there
//!   5. stops that follow each other on a reach are linked if the reach between them lies in the cell
//!   6. Kruskal by falling width
//! Why it is robust: nothing is matched by order or number. A node is put on every reach that passes it but for rounding, and
//!   an arc that hardly enters or leaves the cell may count as inside: then it is no farther outside than
//!   rounding, and no clearance changes by more.
//! Cost: O(nodes × (features of the cell + corners)); most cells have about ten of each.

use super::table::Peak;
use crate::{
    cell::{closest_on_segment, ring_edges},
    clearance::{Clearances, FeatureId},
    mesh::{CellId, CornerId},
    portal::Line,
};
use wayfare_core::DVec2;
use wayfare_geom::quadratic::{Envelope, UNCOVERED};

/// A point of the graph.
#[derive(Clone, Copy, Debug)]
struct Node {
    at: DVec2,
    clearance: f64,
}

/// Two nodes and the smallest clearance between them.
#[derive(Clone, Copy, Debug)]
struct Link {
    width: f64,
    nodes: [u32; 2],
}

/// A node on the reach of a feature.
#[derive(Clone, Copy, Debug)]
struct Stop {
    feature: FeatureId,
    parameter: f64,
    node: u32,
}

/// A node on a portal.
#[derive(Clone, Copy, Debug)]
struct Mark {
    corner: CornerId,
    share: f64,
    node: u32,
}

/// The graph of one cell.
pub(super) struct CellGraph<'a> {
    clearances: Clearances<'a>,
    cell: CellId,
    /// How far apart two computations of one place may be [m].
    near: f64,
    /// The features of the cell, each once.
    features: Vec<FeatureId>,
    nodes: Vec<Node>,
    links: Vec<Link>,
    stops: Vec<Stop>,
    marks: Vec<Mark>,
}

/// The asked point is the first node.
const POINT: u32 = 0;

impl<'a> CellGraph<'a> {
    /// Steps 1 to 5; a point of the cell that is asked about becomes the first node.
    pub fn new(clearances: Clearances<'a>, cell: CellId, point: Option<DVec2>) -> Self {
        let mut features = clearances.data().list(cell).to_vec();
        features.dedup();
        let near = clearances.data().rounding();
        let (nodes, links, stops, marks) = Default::default();
        let mut graph = Self { clearances, cell, near, features, nodes, links, stops, marks };
        if graph.features.is_empty() {
            return graph;
        }
        // 1.
        if let Some(at) = point {
            let node = graph.add(at);
            graph.climb(node);
        }
        graph.add_inner_ends();
        // 2.
        let mesh = clearances.mesh;
        for corner in mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_some()) {
            graph.add_portal(corner);
        }
        graph.marks.sort_by(|a, b| {
            a.corner.cmp(&b.corner).then(a.share.total_cmp(&b.share)).then(a.node.cmp(&b.node))
        });
        graph.link_marks();
        // 3. and 4.
        let on_portals = graph.nodes.len();
        graph.add_diagram_nodes();
        let mut may_stop = vec![true; graph.nodes.len()];
        may_stop[..on_portals].fill(false);
        graph.marks.iter().for_each(|mark| may_stop[mark.node as usize] = true);
        for node in (0..graph.nodes.len()).filter(|&node| may_stop[node]) {
            graph.stop_at_reaches(node as u32);
        }
        // 5.
        graph.stops.sort_by(|a, b| {
            let by_place = a.parameter.total_cmp(&b.parameter);
            a.feature.cmp(&b.feature).then(by_place).then(a.node.cmp(&b.node))
        });
        graph.link_stops();
        graph
    }

    fn add(&mut self, at: DVec2) -> u32 {
        let clearance = self.clearances.at(self.cell, at).map_or(0.0, |place| place.distance);
        self.nodes.push(Node { at, clearance });
        self.nodes.len() as u32 - 1
    }
    fn link(&mut self, a: u32, b: u32, width: f64) {
        if a != b {
            let ends = self.nodes[a as usize].clearance.min(self.nodes[b as usize].clearance);
            self.links.push(Link { width: width.min(ends), nodes: [a.min(b), a.max(b)] });
        }
    }

    /// Links a point to where its ray away from the boundary meets the reach of its feature, or leaves the cell.
    fn climb(&mut self, node: u32) {
        let Node { at, clearance } = self.nodes[node as usize];
        let Some((id, parameter)) = self.clearances.nearest(self.cell, at) else { return };
        let (mesh, feature) = (self.clearances.mesh, self.clearances.features().get(id));
        let reach = self.clearances.reach_at(id, parameter);
        let ray = feature.ray(parameter);
        let mut exit: Option<(f64, CornerId, f64)> = None;
        for corner in mesh.corners(self.cell) {
            let line = Line::of(mesh, corner);
            let leaving = ray.perp_dot(line.e);
            if leaving <= 0.0 {
                continue;
            }
            let arm = line.a - at;
            let (ahead, share) = (arm.perp_dot(line.e) / leaving, arm.perp_dot(ray) / leaving);
            let slack = self.near / line.e.length();
            let meets = ahead >= -self.near && (-slack..=1.0 + slack).contains(&share);
            if meets && exit.is_none_or(|(other, ..)| ahead < other) {
                exit = Some((ahead.max(0.0), corner, share.clamp(0.0, 1.0)));
            }
        }
        match exit.filter(|&(ahead, corner, _)| clearance + ahead < reach && mesh.twin(corner).is_some()) {
            Some((ahead, corner, share)) => {
                let top =
                    if ahead <= self.near { node } else { self.add(Line::of(mesh, corner).point(share)) };
                self.link(node, top, clearance);
                self.marks.push(Mark { corner, share, node: top });
            }
            None => {
                let top = self.add(feature.point(parameter, reach));
                self.nodes[top as usize].clearance = reach;
                self.link(node, top, clearance);
                self.stops.push(Stop { feature: id, parameter, node: top });
            }
        }
    }

    /// Ends of portals that are no obstacles, which only imported meshes and borders of tags have.
    fn add_inner_ends(&mut self) {
        let mesh = self.clearances.mesh;
        for corner in mesh.corners(self.cell) {
            if mesh.boundary_corner(mesh.corner_vertex(corner)).is_none() {
                let node = self.add(mesh.xy(mesh.corner_vertex(corner)));
                self.marks.push(Mark { corner, share: 0.0, node });
                self.marks.push(Mark { corner: mesh.previous_corner(corner), share: 1.0, node });
                self.climb(node);
            }
        }
    }

    /// The places of a portal where another feature becomes the nearest.
    fn add_portal(&mut self, corner: CornerId) {
        let data = self.clearances.data();
        let line = Line::of(self.clearances.mesh, corner);
        let mut envelope = Envelope::default();
        envelope.reset(0.0, 1.0);
        // Nothing that is nearest there is farther than half of the portal, if its ends are at the boundary.
        let (mesh, ends) = (self.clearances.mesh, [line.point(0.0), line.point(1.0)]);
        let is_between = mesh.edge(corner).iter().all(|&vertex| mesh.boundary_corner(vertex).is_some());
        let reach = if is_between { ends[0].distance(ends[1]) / 2.0 + self.near } else { f64::INFINITY };
        let mut near: Vec<usize> = Vec::new();
        self.clearances.for_each_near(self.cell, ends, |k| {
            near.push(k);
            reach
        });
        near.sort_unstable();
        near.dedup();
        for k in near {
            let (id, low, high) = data.listed(k);
            let feature = data.features().get(id);
            if let Some([from, to]) = line.window(feature, low, high, data.hair()) {
                envelope.insert(line.distance_squared(feature), id.0, from, to);
            }
        }
        let pieces = envelope.pieces().iter().filter(|piece| piece.label != UNCOVERED);
        let breaks: Vec<f64> = pieces.map(|piece| piece.low).filter(|&share| share > 0.0).collect();
        for share in breaks {
            let node = self.add(line.point(share));
            self.marks.push(Mark { corner, share, node });
        }
    }

    /// Links the nodes of each portal that follow each other.
    fn link_marks(&mut self) {
        for k in 1..self.marks.len() {
            let [a, b] = [self.marks[k - 1], self.marks[k]];
            if a.corner == b.corner {
                let [from, to] = [a, b].map(|mark| self.nodes[mark.node as usize].at);
                let width = self.clearances.along_in_cell(self.cell, from, to);
                self.link(a.node, b.node, width);
            }
        }
    }

    /// The nodes of the diagram that lie in the cell.
    fn add_diagram_nodes(&mut self) {
        let (mesh, data) = (self.clearances.mesh, self.clearances.data());
        let mut found: Vec<u32> = Vec::new();
        // Where very many points and features meet, all nodes of the features are looked at.
        let is_long = self.features.len() > 512;
        for &id in &self.features {
            let feature = data.features().get(id);
            let mut span = [feature.low, feature.high];
            if feature.is_edge() && !is_long {
                let along = mesh.cell_points(self.cell).map(|p| feature.parameter(p));
                let (low, high) =
                    along.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
                span = [low - self.near, high + self.near];
            }
            let arcs = data.arcs(id);
            let first = arcs.partition_point(|arc| arc.from < span[0]);
            found.extend(arcs[first..].iter().take_while(|arc| arc.from <= span[1]).map(|arc| arc.node));
        }
        found.sort_unstable();
        found.dedup();
        for node in found {
            let node = &data.nodes()[node as usize];
            if self.is_inside(node.at) {
                self.nodes.push(Node { at: node.at, clearance: node.clearance });
            }
        }
    }

    /// Whether a point lies in the cell, but for rounding.
    fn is_inside(&self, p: DVec2) -> bool {
        let mesh = self.clearances.mesh;
        let bounds = &mesh.cell_boxes[self.cell];
        let beside = (bounds.min - p).max(p - bounds.max).max_element();
        beside <= self.near
            && (mesh.contains(self.cell, p)
                || ring_edges(mesh.cell_points(self.cell))
                    .any(|(a, b)| closest_on_segment(a, b, p).distance(p) <= self.near))
    }

    /// Puts a node on the reach of each feature that is as near there as its clearance.
    fn stop_at_reaches(&mut self, node: u32) {
        let Node { at, clearance } = self.nodes[node as usize];
        for &id in &self.features {
            let feature = self.clearances.features().get(id);
            if (feature.distance(at) - clearance).abs() > self.near {
                continue;
            }
            let slack = if feature.is_edge() { self.near } else { self.near / clearance.max(self.near) };
            let (parameter, low, high) = (feature.parameter(at), feature.low - slack, feature.high + slack);
            if !(low..=high).contains(&parameter) {
                continue;
            }
            // Where a corner takes over from its edge, both are as near below their reach.
            let parameter = parameter.clamp(feature.low, feature.high);
            let reach = self.clearances.reach_between(id, parameter - slack, parameter + slack);
            if reach <= clearance + self.near {
                self.stops.push(Stop { feature: id, parameter, node });
            }
        }
    }

    /// Links the nodes of each reach that follow each other inside the cell.
    fn link_stops(&mut self) {
        /// Where the reach between two stops is looked at.
        const LOOKS: [f64; 3] = [0.5, 0.25, 0.75];
        for k in 1..self.stops.len() {
            let [a, b] = [self.stops[k - 1], self.stops[k]];
            if a.feature != b.feature || a.node == b.node {
                continue;
            }
            let feature = self.clearances.features().get(a.feature);
            let is_inside = |share: f64| {
                let parameter = a.parameter + (b.parameter - a.parameter) * share;
                self.is_inside(feature.point(parameter, self.clearances.reach_at(a.feature, parameter)))
            };
            let is_point = a.parameter == b.parameter;
            if is_point || LOOKS.into_iter().all(is_inside) {
                let width = self.clearances.reach_between(a.feature, a.parameter, b.parameter);
                self.link(a.node, b.node, width);
            }
        }
    }

    /// Links by falling width.
    fn ordered_links(&self) -> Vec<Link> {
        let mut links = self.links.clone();
        links.sort_by(|a, b| b.width.total_cmp(&a.width).then(a.nodes.cmp(&b.nodes)));
        links
    }

    /// Whether one cannot go on along the portal from the k-th mark without coming nearer to the boundary.
    fn is_peak(&self, k: usize) -> bool {
        let mark = self.marks[k];
        let height = self.nodes[mark.node as usize].clearance;
        let rises_to = |other: usize| {
            let Some(next) = self.marks.get(other).filter(|next| next.corner == mark.corner) else {
                return false;
            };
            let next_height = self.nodes[next.node as usize].clearance;
            let [a, b] = [mark, *next].map(|mark| self.nodes[mark.node as usize].at);
            (next_height > height || next_height == height && other < k)
                && self.clearances.along_in_cell(self.cell, a, b) >= height - self.clearances.data().hair()
        };
        !rises_to(k + 1) && (k == 0 || !rises_to(k - 1))
    }

    /// Step 6 for the peaks of portals; parents are numbers within the cell.
    pub fn peaks(&self) -> Vec<Peak> {
        let marks: Vec<Mark> =
            (0..self.marks.len()).filter(|&k| self.is_peak(k)).map(|k| self.marks[k]).collect();
        let mut peaks: Vec<Peak> = Vec::with_capacity(marks.len());
        let mut sets = Sets::new(self.nodes.len());
        for (k, mark) in marks.iter().enumerate() {
            let clearance = self.nodes[mark.node as usize].clearance;
            let (corner, share) = (mark.corner, mark.share);
            peaks.push(Peak { corner, share, clearance, parent: k as u32, width: clearance });
            // An end that two portals share is a peak of both.
            let top = &mut sets.tops[mark.node as usize];
            match *top {
                Some((first, size)) => {
                    peaks[k].parent = first;
                    *top = Some((first, size + 1));
                }
                None => *top = Some((k as u32, 1)),
            }
        }
        for link in self.ordered_links() {
            if let Some([below, above]) = sets.unite(link.nodes) {
                peaks[below as usize].parent = above;
                peaks[below as usize].width = link.width;
            }
        }
        peaks
    }

    /// Step 6 for the asked point and a portal.
    pub fn widest_from_point(&self, portal: CornerId) -> f64 {
        if self.nodes.is_empty() {
            return f64::INFINITY;
        }
        let is_goal = |node: u32| self.marks.iter().any(|mark| mark.corner == portal && mark.node == node);
        let mut parent: Vec<u32> = (0..self.nodes.len() as u32).collect();
        let mut has_goal: Vec<bool> = (0..self.nodes.len() as u32).map(is_goal).collect();
        if has_goal[POINT as usize] {
            return self.nodes[POINT as usize].clearance;
        }
        for link in self.ordered_links() {
            let [a, b] = link.nodes.map(|node| root(&mut parent, node) as usize);
            parent[a] = b as u32;
            has_goal[b] |= has_goal[a];
            if has_goal[root(&mut parent, POINT) as usize] {
                return link.width;
            }
        }
        0.0
    }
}

fn root(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        parent[node as usize] = parent[parent[node as usize] as usize];
        node = parent[node as usize];
    }
    node
}

/// Sets of nodes, each with one of its peaks, the root of their tree, and how many there are.
struct Sets {
    parent: Vec<u32>,
    tops: Vec<Option<(u32, u32)>>,
}

impl Sets {
    fn new(nodes: usize) -> Self {
        Self { parent: (0..nodes as u32).collect(), tops: vec![None; nodes] }
    }
    /// Unites the sets of two nodes; if both have peaks, says which root now hangs below which.
    fn unite(&mut self, nodes: [u32; 2]) -> Option<[u32; 2]> {
        let [a, b] = nodes.map(|node| root(&mut self.parent, node) as usize);
        if a == b {
            return None;
        }
        self.parent[a] = b as u32;
        match (self.tops[a], self.tops[b]) {
            (Some((top_a, size_a)), Some((top_b, size_b))) => {
                // The smaller tree below, so that trees stay low.
                let hung = if size_a <= size_b { [top_a, top_b] } else { [top_b, top_a] };
                self.tops[b] = Some((hung[1], size_a + size_b));
                Some(hung)
            }
            (top, None) => {
                self.tops[b] = top;
                None
            }
            (None, _) => None,
        }
    }
}
