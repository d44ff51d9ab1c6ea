//! The corners of a plan, numbered over all regions, and what lies across their edges.

use crate::config::BakeError;
use wayfare_core::DVec2;
use wayfare_floor::{EdgeKind, FloorPlan, Region};
use wayfare_geom::triangulation::NONE;

/// All corners of all rings. The edge of a corner is the one that starts there.
pub(crate) struct Corners<'a> {
    pub plan: &'a FloorPlan,
    pub regions: Vec<&'a Region>,
    /// The first corner of each region; one more entry than regions.
    pub starts: Vec<u32>,
    /// The plan's vertex at each corner.
    pub vertices: Vec<u32>,
    /// The kind of each edge.
    pub kinds: Vec<EdgeKind>,
    /// The corner at the end of each edge.
    pub next: Vec<u32>,
    /// The corner whose edge is the same one seen from the other side, or [`NONE`].
    pub across: Vec<u32>,
    /// Whether any edge is shared.
    pub has_shared: bool,
}

impl<'a> Corners<'a> {
    /// Numbers the corners and finds the two sides of each shared edge.
    pub fn new(plan: &'a FloorPlan) -> Result<Self, BakeError> {
        let regions: Vec<&Region> = plan.layers.iter().flat_map(|layer| &layer.regions).collect();
        let (mut starts, mut vertices, mut next) = (vec![0], Vec::new(), Vec::new());
        let mut kinds: Vec<EdgeKind> = Vec::new();
        for region in &regions {
            for ring in region.rings() {
                let first = vertices.len() as u32;
                vertices.extend(ring.vertices.iter().map(|v| v.0));
                kinds.extend(&ring.kinds);
                next.extend(first + 1..vertices.len() as u32);
                next.extend((first < vertices.len() as u32).then_some(first));
                if kinds.len() != vertices.len() {
                    return Err(BakeError::Edge { vertex: vertices[first as usize] });
                }
            }
            starts.push(vertices.len() as u32);
        }
        let has_shared = kinds.iter().any(|kind| kind.is_shared());
        let across = vec![NONE; vertices.len()];
        let mut corners = Self { plan, regions, starts, vertices, kinds, next, across, has_shared };
        if has_shared {
            corners.join()?;
        }
        Ok(corners)
    }

    /// F2: a shared edge has two sides with the same vertices in opposite directions.
    fn join(&mut self) -> Result<(), BakeError> {
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
                _ => return Err(BakeError::Edge { vertex: edge[0].0[0] }),
            }
        }
        Ok(())
    }

    /// The region of a corner.
    pub fn region(&self, corner: u32) -> usize {
        self.starts.partition_point(|&start| start <= corner) - 1
    }

    /// The plan's vertices at the two ends of an edge.
    pub fn ends(&self, corner: u32) -> [u32; 2] {
        [corner, self.next[corner as usize]].map(|corner| self.vertices[corner as usize])
    }

    /// Where a vertex of the plan lies.
    pub fn point(&self, vertex: u32) -> DVec2 {
        self.plan.vertices[wayfare_floor::PlanVertexId(vertex)].truncate()
    }

    /// Whether an edge is shared by regions that are cut as one.
    pub fn is_seam(&self, corner: u32) -> bool {
        let other = self.across[corner as usize];
        other != NONE && {
            let [here, there] = [corner, other].map(|corner| self.regions[self.region(corner)].tag);
            here == there
        }
    }
}
