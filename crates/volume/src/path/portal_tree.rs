//! The portals of every region in a tree of boxes, so that a search looks only at those that may be on a short way.
//!
//! Large regions have hundreds of portals, nearly all of them elsewhere than where the path goes.

use super::{
    corridor::{Across, Gate, best_across, is_passed},
    gates::Gates,
};
use crate::mesh::{PortalId, RegionId, VolumeMesh};
use wayfare_core::DVec3;
use wayfare_geom::bvh::Aabb3;

/// Portals of a node that is not parted: they lie side by side in memory, so that many are looked at quickly.
const LEAF: usize = 12;

/// A box with the portals in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) area: Aabb3,
    /// Of `doors`.
    pub(super) range: [u32; 2],
    /// The second part; the first comes right after the node. 0 in a leaf.
    pub(super) second: u32,
}

/// One tree per region, all in one list.
#[derive(Debug)]
pub(super) struct PortalTrees {
    pub(super) nodes: Vec<Node>,
    pub(super) doors: Vec<Door>,
    /// The root of each region; `u32::MAX` where there are no portals.
    pub(super) roots: Vec<u32>,
}

/// A portal as it is seen from one of its regions: as large as a line of the processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Door {
    /// The region beyond it.
    pub(super) into: RegionId,
    portal: PortalId,
    /// The axis that it lies across if it is a rectangle; else [`ASLANT`].
    pub(super) axis: u32,
    /// The corners of its box.
    pub(super) corners: [DVec3; 2],
}

/// The axis of a portal that lies across none.
const ASLANT: u32 = 3;

impl Door {
    #[inline]
    pub(super) fn portal(&self) -> PortalId {
        self.portal
    }

    /// Its box.
    #[inline]
    pub(super) fn area(&self) -> [DVec3; 2] {
        self.corners
    }

    /// The rectangle across an axis that it is for a point.
    #[inline]
    pub(super) fn across(&self, gates: &Gates) -> Option<Across> {
        (self.axis != ASLANT && gates.shrunk.is_none()).then_some((self.axis as usize, self.corners))
    }

    /// [`Gate::best`] of what a body may use of it.
    #[inline]
    pub(super) fn best(&self, gates: &Gates, p: DVec3, q: DVec3) -> (DVec3, f64) {
        match self.across(gates) {
            Some((axis, corners)) => best_across(axis, corners, p, q),
            None => gates.get(self.portal).best(p, q),
        }
    }

    /// Whether it is seen at once that the straight line from `p` to `q` passes it; what most queries ask.
    #[inline]
    pub(super) fn is_passed(&self, gates: &Gates, p: DVec3, q: DVec3) -> bool {
        self.across(gates).is_some_and(|across| is_passed(&across, p, q))
    }
}

/// What is below a node.
pub(super) enum Below<'a> {
    Parts([u32; 2]),
    /// With their numbers.
    Doors(std::iter::Zip<std::ops::Range<u32>, std::slice::Iter<'a, Door>>),
}

impl PortalTrees {
    pub(super) fn new(mesh: &VolumeMesh, gates: &[Gate]) -> Self {
        let boxes: Vec<Aabb3> = mesh
            .portals()
            .map(|portal| Aabb3::of_points(mesh.portal_points(portal).iter().copied()))
            .collect();
        let mut trees =
            Self { nodes: Vec::new(), doors: Vec::new(), roots: vec![u32::MAX; mesh.region_count()] };
        for region in mesh.regions() {
            let mut own: Vec<PortalId> = mesh.portals_of(region).collect();
            if !own.is_empty() {
                trees.roots[region.0 as usize] = trees.nodes.len() as u32;
                let from = trees.doors.len();
                trees.part(&mut own, &boxes);
                for door in &mut trees.doors[from..] {
                    door.into = mesh.across(door.portal, region);
                    let area = boxes[door.portal.0 as usize];
                    door.corners = [area.min, area.max];
                    if let Some((axis, corners)) = gates[door.portal.0 as usize].across() {
                        (door.axis, door.corners) = (axis as u32, corners);
                    }
                }
            }
        }
        trees
    }

    fn part(&mut self, own: &mut [PortalId], boxes: &[Aabb3]) {
        let area_of = |portal: &PortalId| boxes[portal.0 as usize];
        let area = own.iter().map(area_of).fold(Aabb3::EMPTY, Aabb3::union);
        let at = self.nodes.len();
        let first = self.doors.len() as u32;
        self.nodes.push(Node { area, range: [first, first + own.len() as u32], second: 0 });
        if own.len() <= LEAF {
            // What is beyond is filled in when all are in order.
            let door = |&portal: &PortalId| Door {
                into: RegionId(0),
                portal,
                axis: ASLANT,
                corners: [DVec3::ZERO; 2],
            };
            self.doors.extend(own.iter().map(door));
            return;
        }
        let size = area.max - area.min;
        let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
        let middle = |portal: &PortalId| area_of(portal).min[axis] + area_of(portal).max[axis];
        own.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.0.cmp(&b.0)));
        let (low, high) = own.split_at_mut(own.len() / 2);
        self.part(low, boxes);
        self.nodes[at].second = self.nodes.len() as u32;
        self.part(high, boxes);
    }

    /// The root of a region's tree.
    pub(super) fn root(&self, region: u32) -> Option<u32> {
        Some(self.roots[region as usize]).filter(|&root| root != u32::MAX)
    }

    /// A portal by its number.
    #[inline]
    pub(super) fn door(&self, number: u32) -> &Door {
        &self.doors[number as usize]
    }

    /// Visits the portals of a region whose boxes a point touches, until the visitor says that it has seen enough.
    pub(super) fn touching(&self, region: u32, at: DVec3, mut visit: impl FnMut(&Door) -> bool) {
        let holds = |low: DVec3, high: DVec3| at.cmpge(low).all() && at.cmple(high).all();
        let Some(root) = self.root(region) else { return };
        // Trees are balanced: a branch is never deeper.
        let mut waiting = [root; 33];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let number = waiting[count];
            let node = &self.nodes[number as usize];
            if !holds(node.area.min, node.area.max) {
                continue;
            }
            if node.second == 0 {
                let doors = &self.doors[node.range[0] as usize..node.range[1] as usize];
                if doors.iter().any(|door| holds(door.corners[0], door.corners[1]) && visit(door)) {
                    return;
                }
            } else {
                waiting[count] = node.second;
                waiting[count + 1] = number + 1;
                count += 2;
            }
        }
    }

    /// What a node is parted into, or its portals.
    #[inline]
    pub(super) fn below(&self, node: u32) -> Below<'_> {
        let found = &self.nodes[node as usize];
        if found.second == 0 {
            let [first, end] = found.range;
            Below::Doors((first..end).zip(&self.doors[first as usize..end as usize]))
        } else {
            Below::Parts([node + 1, found.second])
        }
    }

    /// The distances of two points from a node's box [m].
    #[inline]
    pub(super) fn way(&self, node: u32, from: DVec3, to: DVec3) -> (f64, f64) {
        let area = &self.nodes[node as usize].area;
        (from.distance(from.clamp(area.min, area.max)), to.distance(to.clamp(area.min, area.max)))
    }
}
