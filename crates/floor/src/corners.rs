//! The corners of a plan, numbered over all regions, and what lies across their edges.

use crate::{EdgeKind, FloorPlan, PlanVertexId, Region};
use wayfare_core::DVec3;

/// No corner: what lies across an edge that is not shared.
pub const NO_CORNER: u32 = u32::MAX;

/// All corners of all rings, numbered in their order. The edge of a corner is the one that starts there.
#[derive(Clone, Debug)]
pub struct Corners<'a> {
    /// The plan.
    pub plan: &'a FloorPlan,
    /// Its regions, over all layers.
    pub regions: Vec<&'a Region>,
    /// The layer of each region.
    pub layers: Vec<u32>,
    /// The first corner of each region; one more entry than regions.
    pub starts: Vec<u32>,
    /// The plan's vertex at each corner.
    pub vertices: Vec<u32>,
    /// The kind of each edge.
    pub kinds: Vec<EdgeKind>,
    /// The corner at the end of each edge.
    pub next: Vec<u32>,
    /// The corner whose edge is the same one seen from the other side, or [`NO_CORNER`].
    pub across: Vec<u32>,
    /// Corners of shared edges that do not have exactly one other side (F2).
    pub unmatched: Vec<u32>,
}

impl<'a> Corners<'a> {
    /// Numbers the corners and finds the two sides of each shared edge. An edge without a kind counts as a wall.
    pub fn new(plan: &'a FloorPlan) -> Self {
        let (mut regions, mut layers) = (Vec::new(), Vec::new());
        let (mut starts, mut vertices, mut next) = (vec![0], Vec::new(), Vec::new());
        let mut kinds: Vec<EdgeKind> = Vec::new();
        for (number, layer) in plan.layers.iter().enumerate() {
            for region in &layer.regions {
                for ring in region.rings() {
                    let first = vertices.len() as u32;
                    vertices.extend(ring.vertices.iter().map(|v| v.0));
                    kinds.extend(ring.kinds.iter().take(ring.vertices.len()));
                    kinds.resize(vertices.len(), EdgeKind::Wall);
                    next.extend(first + 1..vertices.len() as u32);
                    next.extend((first < vertices.len() as u32).then_some(first));
                }
                starts.push(vertices.len() as u32);
                regions.push(region);
                layers.push(number as u32);
            }
        }
        let across = vec![NO_CORNER; vertices.len()];
        let mut corners =
            Self { plan, regions, layers, starts, vertices, kinds, next, across, unmatched: Vec::new() };
        corners.join();
        corners
    }

    /// F2: a shared edge has two sides with the same vertices in opposite directions.
    fn join(&mut self) {
        let mut sides: Vec<([u32; 2], u32)> = (0..self.vertices.len() as u32)
            .filter(|&corner| self.kinds[corner as usize].is_shared())
            .map(|corner| {
                let [a, b] = self.ends(corner);
                ([a.min(b), a.max(b)], corner)
            })
            .collect();
        sides.sort_unstable();
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            match *edge {
                [(_, one), (_, two)] if self.vertices[one as usize] != self.vertices[two as usize] => {
                    self.across[one as usize] = two;
                    self.across[two as usize] = one;
                }
                _ => self.unmatched.extend(edge.iter().map(|side| side.1)),
            }
        }
    }

    /// The region of a corner.
    pub fn region(&self, corner: u32) -> usize {
        self.starts.partition_point(|&start| start <= corner) - 1
    }

    /// The plan's vertices at the two ends of an edge.
    pub fn ends(&self, corner: u32) -> [u32; 2] {
        [corner, self.next[corner as usize]].map(|corner| self.vertices[corner as usize])
    }

    /// Whether the ground goes on across an edge with the same tag.
    pub fn is_seam(&self, corner: u32) -> bool {
        let other = self.across[corner as usize];
        other != NO_CORNER && {
            let [here, there] = [corner, other].map(|corner| self.regions[self.region(corner)].tag);
            here == there
        }
    }

    /// Whether any edge is shared.
    pub fn has_shared(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_shared())
    }

    /// A corner of the ground's triangles: a vertex of the plan or, from their number on, one of its ground points. A
    /// number that neither has is the origin.
    pub fn ground_point(&self, k: u32) -> DVec3 {
        let count = self.plan.vertices.len();
        if (k as usize) < count {
            self.plan.vertices[PlanVertexId(k)]
        } else {
            self.plan.ground_points.get(k as usize - count).copied().unwrap_or_default()
        }
    }

    /// The ground points on the edges of a region, for each of its corners from there on; empty lists on edges that the
    /// sides of no triangles follow. Level regions have none.
    pub fn ground_on_edges(&self, region: usize) -> Vec<Vec<u32>> {
        let corners = self.starts[region]..self.starts[region + 1];
        let rim = rim(&self.regions[region].ground);
        let count = self.plan.vertices.len() as u32;
        let from = |k: u32| &rim[rim.partition_point(|side| side[0] < k)..];
        let chain = |corner: u32| {
            let [first, last] = self.ends(corner);
            let mut chain = Vec::new();
            // A vertex that the region comes to twice has two ways on; only one leads to the end of the edge.
            for start in from(first).iter().take_while(|side| side[0] == first) {
                chain.clear();
                let mut at = start[1];
                while at >= count && chain.len() <= rim.len() {
                    chain.push(at);
                    at = from(at).first().filter(|side| side[0] == at).map_or(first, |side| side[1]);
                }
                if at == last {
                    return chain;
                }
            }
            Vec::new()
        };
        if rim.is_empty() { vec![Vec::new(); corners.len()] } else { corners.map(chain).collect() }
    }
}

/// The sides of all triangles, sorted.
pub(crate) fn sides(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut sides: Vec<[u32; 2]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    sides.sort_unstable();
    sides
}

/// The sides of triangles that no other triangle has the other way round, sorted.
pub(crate) fn rim(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = sides(triangles);
    let is_rim = |&[a, b]: &[u32; 2]| sides.binary_search(&[b, a]).is_err();
    sides.iter().copied().filter(is_rim).collect()
}
