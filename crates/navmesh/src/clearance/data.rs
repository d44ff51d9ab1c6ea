//! What is stored: lists of features per cell, arcs per feature, nodes with their tree, critical radii of portals.
//!
//! Parts come from a builder or a file and are taken over only if every number is in its range
//! ([`Clearance::new`]); whether they are those of the mesh is looked at by [`crate::NavMesh::check`] (N6).

use super::{
    by_place::ByPlace,
    feature::{Feature, FeatureId, Features},
    half_planes::HalfPlanes,
};
use crate::{
    crossing::CrossingTable,
    mesh::{CellId, NONE, NavMesh, PortalId},
};
use wayfare_core::{DVec2, Defect, Id as _};

/// The part of an edge of the boundary that is near a cell, as parameters; all of it on meshes of one storey.
pub type ListRange = [f32; 2];

/// A piece of a feature's reach: where it ties with one partner. The last one of a feature only ends the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// Parameter at which it begins.
    pub from: f64,
    /// The feature that is as near; none for the end of a reach.
    pub partner: Option<FeatureId>,
    /// The node at which it begins.
    pub node: u32,
}

/// What joins a node to its parent in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeLink {
    /// Nothing: it has no parent.
    Root,
    /// This arc of all arcs, which is narrowest at its lowest tie or at an end.
    Arc(u32),
    /// A place that two nodes share but for rounding: this node.
    Node(u32),
}

/// A point at which arcs meet: as far from three features, or at the end of a ray between an edge and its corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Where it is.
    pub at: DVec2,
    /// Distance to the boundary [m].
    pub clearance: f64,
    /// A cell that it lies in, but for rounding.
    pub cell: CellId,
    /// The next node towards the root; itself at a root.
    pub parent: u32,
    /// The width of the best way to the parent: its smallest clearance [m].
    pub width: f64,
    /// Where that is.
    pub link: NodeLink,
}

/// The arrays of a [`Clearance`] as a builder or a file hands them over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClearanceParts {
    /// Where the list of each cell starts; one more entry than cells.
    pub list_starts: Vec<u32>,
    /// Features of all cells.
    pub lists: Vec<FeatureId>,
    /// Which part of each edge in the lists counts; empty: all of it.
    pub ranges: Vec<ListRange>,
    /// Where the arcs of each feature start; one more entry than features.
    pub arc_starts: Vec<u32>,
    /// Arcs of all features, by parameter.
    pub arcs: Vec<Arc>,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// For each portal the largest radius [m] up to which only its two ends narrow it.
    pub critical_radii: Vec<f64>,
}

/// Clearance of a mesh: what [`super::Clearances`] asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearance {
    pub(super) features: Features,
    pub(super) parts: ClearanceParts,
    pub(super) crossings: Option<CrossingTable>,
    /// Long lists by place; not stored.
    pub(super) by_place: ByPlace,
    /// What lines are compared with first; not stored.
    pub(super) half_planes: HalfPlanes,
    /// Lengths that count as zero [m].
    pub(super) hair: f64,
}

/// A list of lists: as many starts as lists and one, from 0 up to the number of items.
fn is_list_of_lists(starts: &[u32], lists: usize, items: usize) -> bool {
    starts.len() == lists + 1
        && starts.first() == Some(&0)
        && starts.last().is_some_and(|&end| end as usize == items)
        && starts.is_sorted()
}

impl Clearance {
    /// Takes parts over that were made for this mesh, if every number is in its range; the error is never empty.
    pub fn new(mesh: &NavMesh, parts: ClearanceParts) -> Result<Self, Vec<Defect>> {
        let features = Features::of(mesh);
        match fault(mesh, &features, &parts) {
            Some(message) => {
                Err(vec![Defect { invariant: "N6", element: "clearance".into(), message: message.into() }])
            }
            None => {
                let (by_place, hair) = (ByPlace::default(), Self::hair_of(mesh));
                let half_planes = HalfPlanes::default();
                let mut clearance = Self { features, parts, crossings: None, by_place, half_planes, hair };
                clearance.by_place = ByPlace::of(mesh, &clearance);
                clearance.half_planes = HalfPlanes::of(mesh, &clearance);
                Ok(clearance)
            }
        }
    }

    /// The features of the boundary.
    pub fn features(&self) -> &Features {
        &self.features
    }
    /// The arrays.
    pub fn parts(&self) -> &ClearanceParts {
        &self.parts
    }
    /// Lengths that count as zero on a mesh where features are compared [m]: coordinates are rounded to 2⁻⁵³ of
    /// themselves, and distances lose a few digits more.
    pub fn hair_of(mesh: &NavMesh) -> f64 {
        mesh.tolerance().on_line.max(f64::MIN_POSITIVE)
    }
    /// Lengths up to this count as zero on the mesh [m].
    pub fn hair(&self) -> f64 {
        self.hair
    }
    /// The features that are nearest to some point of a cell.
    #[inline]
    pub fn list(&self, cell: CellId) -> &[FeatureId] {
        &self.parts.lists[self.list_range(cell)]
    }
    /// The same with the part of each that counts, low and high parameter.
    #[inline]
    pub fn list_with_ranges(&self, cell: CellId) -> impl Iterator<Item = (FeatureId, f64, f64)> + '_ {
        self.list_range(cell).map(|k| self.listed(k))
    }
    /// A feature by its place in the lists of all cells, with the part of it that counts.
    #[inline]
    pub(crate) fn listed(&self, k: usize) -> (FeatureId, f64, f64) {
        let id = self.parts.lists[k];
        match self.parts.ranges.get(k) {
            Some(&[low, high]) => (id, f64::from(low), f64::from(high)),
            None => (id, self.features.get(id).low, self.features.get(id).high),
        }
    }
    /// The same without the part.
    #[inline]
    pub(crate) fn list_entry(&self, k: usize) -> FeatureId {
        self.parts.lists[k]
    }
    pub(super) fn list_range(&self, cell: CellId) -> std::ops::Range<usize> {
        let [from, to] = [0, 1].map(|next| self.parts.list_starts[cell.index() + next] as usize);
        from..to
    }
    /// The arcs of a feature's reach; the last one only ends it.
    #[inline]
    pub fn arcs(&self, feature: FeatureId) -> &[Arc] {
        &self.parts.arcs[self.arc_range(feature)]
    }
    pub(crate) fn arc_range(&self, feature: FeatureId) -> std::ops::Range<usize> {
        let [from, to] = [0, 1].map(|next| self.parts.arc_starts[feature.index() + next] as usize);
        from..to
    }
    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.parts.nodes
    }
    /// The largest radius up to which only the two ends of a portal narrow it [m]: a body of a smaller one may be with
    /// its centre on every point of the portal that is at least its radius away from both ends. Infinite where
    /// nothing else does.
    pub fn critical_radius(&self, portal: PortalId) -> f64 {
        self.parts.critical_radii[portal.index()]
    }
    /// The crossings of cells, if they were made.
    pub fn crossings(&self) -> Option<&CrossingTable> {
        self.crossings.as_ref()
    }
    /// Keeps crossings, also in the file; they must have been made from this clearance.
    pub fn set_crossings(&mut self, crossings: Option<CrossingTable>) {
        self.crossings = crossings;
    }
    /// Memory of the arrays, about the same as in a file [bytes].
    pub fn bytes(&self) -> usize {
        let ClearanceParts { list_starts, lists, ranges, arc_starts, arcs, nodes, critical_radii } =
            &self.parts;
        4 * (list_starts.len() + lists.len() + arc_starts.len())
            + 8 * (ranges.len() + critical_radii.len())
            + 16 * arcs.len()
            + 44 * nodes.len()
            + self.crossings.as_ref().map_or(0, CrossingTable::bytes)
    }
    /// The height of a feature's reach on an arc (by its number among all) at a parameter.
    #[inline]
    pub(crate) fn height(&self, feature: &Feature, arc: usize, parameter: f64) -> f64 {
        let arcs = &self.parts.arcs;
        // At the ends the nodes know better: on a steep arc the height changes much within the rounding of a parameter.
        let end = if parameter <= arcs[arc].from { arc } else { arc + 1 };
        match arcs[arc].partner {
            Some(partner) if arcs[end].from != parameter => {
                feature.tie(self.features.get(partner), parameter)
            }
            _ => self.parts.nodes[arcs[end].node as usize].clearance,
        }
    }
    /// The lowest place of a feature's reach between two parameters of one arc: parameter and height.
    pub(crate) fn lowest(&self, feature: &Feature, arc: usize, [low, high]: [f64; 2]) -> (f64, f64) {
        let turning = self.parts.arcs[arc]
            .partner
            .and_then(|partner| feature.lowest_tie(self.features.get(partner)))
            .filter(|at| (low..=high).contains(at));
        let heights = [Some(low), turning, Some(high)].into_iter().flatten();
        let heights = heights.map(|at| (at, self.height(feature, arc, at)));
        heights.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((low, 0.0))
    }
}

/// The first thing that is out of range.
fn fault(mesh: &NavMesh, features: &Features, parts: &ClearanceParts) -> Option<&'static str> {
    let ClearanceParts { list_starts, lists, ranges, arc_starts, arcs, nodes, critical_radii } = parts;
    let is_feature = |id: FeatureId| id.index() < features.len();
    let is_node = |node: u32| (node as usize) < nodes.len();
    let is_length = |x: f64| (0.0..1e8).contains(&x);
    if !is_list_of_lists(list_starts, mesh.cell_count(), lists.len())
        || !lists.iter().all(|&id| is_feature(id))
    {
        return Some("the lists of the cells do not fit the mesh");
    }
    let range_is_good =
        |range: &[f32; 2]| range[0].is_finite() && range[1].is_finite() && range[0] <= range[1];
    if !ranges.is_empty() && ranges.len() != lists.len() || !ranges.iter().all(range_is_good) {
        return Some("the ranges of the lists are not good numbers");
    }
    if !is_list_of_lists(arc_starts, features.len(), arcs.len()) {
        return Some("the arcs do not fit the features of the mesh");
    }
    for id in features.ids() {
        let arcs = &arcs[arc_starts[id.index()] as usize..arc_starts[id.index() + 1] as usize];
        let partners =
            |arc: &Arc| arc.partner.is_none_or(is_feature) && is_node(arc.node) && arc.from.is_finite();
        let Some((last, rest)) = arcs.split_last() else { return Some("a feature has no arcs") };
        if last.partner.is_some() || rest.iter().any(|arc| arc.partner.is_none()) || rest.is_empty() {
            return Some("the arcs of a feature do not end where they should");
        }
        if !arcs.iter().all(partners) || !arcs.is_sorted_by(|a, b| a.from <= b.from) {
            return Some("an arc is out of range or out of order");
        }
    }
    let link_is_good = |node: &Node| match node.link {
        NodeLink::Root => true,
        NodeLink::Arc(arc) => arcs.get(arc as usize).is_some_and(|arc| arc.partner.is_some()),
        NodeLink::Node(node) => is_node(node),
    };
    for (k, node) in nodes.iter().enumerate() {
        if !node.at.is_finite()
            || !is_length(node.clearance)
            || !is_length(node.width)
            || node.cell.index() >= mesh.cell_count()
            || !link_is_good(node)
        {
            return Some("a node is out of range");
        }
        let is_root = node.parent as usize == k;
        if is_root != (node.link == NodeLink::Root) || !is_node(node.parent) {
            return Some("the tree of the nodes is none");
        }
    }
    if has_circle(nodes) {
        return Some("the tree of the nodes is none");
    }
    if critical_radii.len() != mesh.portals().len() || !critical_radii.iter().all(|&radius| radius >= 0.0) {
        return Some("the critical radii do not fit the portals");
    }
    None
}

/// Whether a way along parents never ends.
fn has_circle(nodes: &[Node]) -> bool {
    // 0: not seen; else the number of the climb in which it was seen, and all before it are good.
    let mut seen = vec![0u32; nodes.len()];
    for start in 0..nodes.len() {
        let climb = start as u32 + 1;
        let mut at = start;
        while seen[at] == 0 {
            seen[at] = climb;
            let parent = nodes[at].parent as usize;
            if parent == at {
                break;
            }
            at = parent;
            if seen[at] == climb {
                return true;
            }
        }
    }
    false
}

/// In files: no partner, no link.
pub(super) const NOTHING: u32 = NONE;
