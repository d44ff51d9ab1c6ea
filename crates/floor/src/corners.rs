//! The corners of a plan, numbered over all regions, and what lies across their edges.

use crate::{EdgeKind, FloorPlan, PlanVertexId, Region};
use wayfare_core::{DVec3, Tolerance};
use wayfare_geom::{Aabb2, segment::nearest_on_segment};

/// No corner: what lies across an edge that is not shared.
pub const NO_CORNER: u32 = u32::MAX;

/// What the two sides of a shared edge have in common: its vertices, the layers on both sides, and the bits of the step's height.
type SharedEdge = ([u32; 2], [u32; 2], u64);

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

    /// F2: a shared edge has two sides with the same vertices in opposite directions. Where several sheets of ground meet at one
    /// edge, layers and the height of the step tell which two sides belong together.
    fn join(&mut self) {
        let mut sides: Vec<(SharedEdge, u32)> = Vec::new();
        for region in 0..self.regions.len() {
            for corner in self.starts[region]..self.starts[region + 1] {
                let (kind, layer) = (self.kinds[corner as usize], self.layers[region]);
                if kind.is_shared() {
                    let other = if let EdgeKind::Seam { layer, .. } = kind { layer } else { layer };
                    let [a, b] = self.ends(corner);
                    let layers = [layer.min(other), layer.max(other)];
                    sides.push((([a.min(b), a.max(b)], layers, kind.rise().to_bits()), corner));
                }
            }
        }
        sides.sort_unstable();
        for edge in sides.chunk_by(|a, b| a.0.0 == b.0.0) {
            if edge.len() == 2 {
                self.join_sides(edge);
            } else {
                edge.chunk_by(|a, b| a.0 == b.0).for_each(|pair| self.join_sides(pair));
            }
        }
    }

    fn join_sides(&mut self, edge: &[(SharedEdge, u32)]) {
        match *edge {
            [(_, one), (_, two)] if self.vertices[one as usize] != self.vertices[two as usize] => {
                self.across[one as usize] = two;
                self.across[two as usize] = one;
            }
            _ => self.unmatched.extend(edge.iter().map(|side| side.1)),
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

    /// Whether the ground just goes on across an edge: with the same tag, in the same gap or none, and without a step.
    pub fn is_seam(&self, corner: u32) -> bool {
        let other = self.across[corner as usize];
        let is_plain = !matches!(self.kinds[corner as usize], EdgeKind::Gap { .. });
        other != NO_CORNER && is_plain && self.kinds[corner as usize].rise() == 0.0 && {
            let [here, there] = [corner, other].map(|corner| self.regions[self.region(corner)]);
            here.tag == there.tag && here.gap == there.gap
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

    /// The ground points on the edge of each corner, from there on; empty lists on edges that the sides of no triangles
    /// follow, and all lists where the plan has no triangles.
    pub fn ground_on_edges(&self) -> Vec<Vec<u32>> {
        self.chains(self.rims())
    }

    /// The same by the triangles of all regions, in any order, with the region of each and what [`match_sides`] says of them.
    pub fn ground_on_edges_of(
        &self,
        triangles: &[[u32; 3]],
        owners: &[u32],
        beyond: &[[u32; 3]],
    ) -> Vec<Vec<u32>> {
        self.chains(self.rims_of(triangles, owners, beyond))
    }

    /// The ground points on the edge of each corner, by the rims of the regions.
    fn chains(&self, rims: Vec<Vec<[u32; 2]>>) -> Vec<Vec<u32>> {
        let mut chains = vec![Vec::new(); self.vertices.len()];
        let count = self.plan.vertices.len() as u32;
        for (region, rim) in rims.into_iter().enumerate() {
            let from = |k: u32| &rim[rim.partition_point(|side| side[0] < k)..];
            for corner in self.starts[region]..self.starts[region + 1] {
                let [first, last] = self.ends(corner);
                let chain = &mut chains[corner as usize];
                // A vertex that the region comes to twice has two ways on; only one leads to the end of the edge.
                for start in from(first).iter().take_while(|side| side[0] == first) {
                    chain.clear();
                    let (mut before, mut at) = (first, start[1]);
                    while at >= count && chain.len() <= rim.len() {
                        chain.push(at);
                        // A step of the region's own has its sides both ways.
                        let mut ways = from(at).iter().take_while(|side| side[0] == at);
                        let next = ways.find(|side| side[1] != before).map_or(first, |side| side[1]);
                        (before, at) = (at, next);
                    }
                    if at == last {
                        break;
                    }
                    chain.clear();
                }
            }
        }
        chains
    }

    /// Whether the points of a triangle are there.
    pub fn has_points(&self, triangle: &[u32; 3]) -> bool {
        let count = self.plan.vertices.len() + self.plan.ground_points.len();
        triangle.iter().all(|&k| (k as usize) < count)
    }

    /// Edges that a region has on both sides, sorted: steps that its ground goes round the end of.
    fn own_steps(&self) -> Vec<[u32; 2]> {
        let is_own = |&corner: &u32| {
            let other = self.across[corner as usize];
            other != NO_CORNER && self.region(corner) == self.region(other)
        };
        let mut edges: Vec<[u32; 2]> =
            (0..self.across.len() as u32).filter(is_own).map(|corner| self.ends(corner)).collect();
        edges.sort_unstable();
        edges
    }

    /// Sides of triangles that together are an edge of some list which has points of the ground on it, in both directions. Both sides
    /// of a step have the same points on it (F5).
    fn sides_on(&self, edges: &[[u32; 2]], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let count = self.plan.vertices.len() as u32;
        let bounds = Aabb2::of_points(self.plan.vertices.as_slice().iter().map(|p| p.truncate()));
        let on_line = Tolerance::of_extent(bounds.extent()).on_line;
        let sides_of = |corners: &[u32; 3]| [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
        let mut sides: Vec<[u32; 2]> =
            triangles.iter().flat_map(sides_of).filter(|side| side[0].max(side[1]) >= count).collect();
        sides.sort_unstable();
        let point = |k: u32| self.ground_point(k).truncate();
        let mut found = Vec::new();
        for &[first, last] in edges.iter().filter(|edge| edge[0] < edge[1]) {
            let (a, b) = (point(first), point(last));
            let (mut at, mut parts) = (first, Vec::new());
            // Of the sides that go on from a point that which is nearest to the edge.
            while at != last {
                let from = sides.partition_point(|side| side[0] < at);
                let ways = sides[from..].iter().take_while(|side| side[0] == at).filter_map(|&[_, to]| {
                    let (p, aside) = (point(to), point(to).distance(nearest_on_segment(point(to), a, b)));
                    let is_on = to == last || to >= count && (p - point(at)).dot(b - a) > 0.0;
                    (is_on && aside <= on_line).then_some((aside, to))
                });
                let Some((_, to)) = ways.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))) else {
                    break;
                };
                parts.extend([[at, to], [to, at]]);
                at = to;
            }
            if at == last {
                found.extend(parts);
            }
        }
        found
    }

    /// For each region the sides of its triangles that no other of them has the other way round, and its own steps, sorted.
    pub(crate) fn rims(&self) -> Vec<Vec<[u32; 2]>> {
        let (mut triangles, mut owners) = (Vec::new(), Vec::new());
        for (region, content) in self.regions.iter().enumerate() {
            triangles.extend(content.ground.iter().filter(|triangle| self.has_points(triangle)));
            owners.resize(triangles.len(), region as u32);
        }
        let beyond = match_sides(&triangles, &owners);
        self.rims_of(&triangles, &owners, &beyond)
    }

    fn rims_of(&self, triangles: &[[u32; 3]], owners: &[u32], beyond: &[[u32; 3]]) -> Vec<Vec<[u32; 2]>> {
        let mut own_steps = self.own_steps();
        if !own_steps.is_empty() {
            own_steps.extend(self.sides_on(&own_steps, triangles));
            own_steps.sort_unstable();
        }
        let mut rims = vec![Vec::new(); self.regions.len()];
        for (triangle, beyond) in beyond.iter().enumerate() {
            for side in 0..3 {
                let (owner, corners) = (owners[triangle], triangles[triangle]);
                let ends = [corners[side], corners[(side + 1) % 3]];
                if owners.get(beyond[side] as usize) != Some(&owner) || own_steps.binary_search(&ends).is_ok()
                {
                    rims[owner as usize].push(ends);
                }
            }
        }
        for rim in &mut rims {
            rim.sort_unstable();
        }
        rims
    }
}

/// The triangle beyond each side of each triangle, which has the same two points the other way round; [`NO_CORNER`]
/// where there is none or it is not clear which. Two points may be joined on several sheets of ground that winds over
/// itself: then only triangles with the same owner are matched.
///
/// Sides are put into bins by the lower of their points. Cost: linear for meshes.
pub fn match_sides(triangles: &[[u32; 3]], owners: &[u32]) -> Vec<[u32; 3]> {
    let points = triangles.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    let ends = |corners: &[u32; 3], side: usize| [corners[side], corners[(side + 1) % 3]];
    let mut starts = vec![0u32; points + 1];
    for corners in triangles {
        for side in 0..3 {
            let [a, b] = ends(corners, side);
            starts[a.min(b) as usize + 1] += 1;
        }
    }
    for k in 1..starts.len() {
        starts[k] += starts[k - 1];
    }
    // The higher point, the triangle, and its side with the direction in the highest bit.
    let mut bins = vec![(0u32, 0u32, 0u8); 3 * triangles.len()];
    let mut fill = starts.clone();
    for (number, corners) in triangles.iter().enumerate() {
        for side in 0..3 {
            let [a, b] = ends(corners, side);
            let at = &mut fill[a.min(b) as usize];
            bins[*at as usize] = (a.max(b), number as u32, side as u8 | u8::from(a < b) << 7);
            *at += 1;
        }
    }
    let mut beyond = vec![[NO_CORNER; 3]; triangles.len()];
    let mut join = |one: (u32, u32, u8), two: (u32, u32, u8)| {
        if (one.2 ^ two.2) & 0x80 != 0 {
            beyond[one.1 as usize][usize::from(one.2 & 3)] = two.1;
            beyond[two.1 as usize][usize::from(two.2 & 3)] = one.1;
        }
    };
    for bin in starts.windows(2) {
        let bin = &mut bins[bin[0] as usize..bin[1] as usize];
        bin.sort_unstable();
        for same in bin.chunk_by(|a, b| a.0 == b.0) {
            match *same {
                [one, two] => join(one, two),
                // Triangles ascend, and with them their owners.
                _ => {
                    for own in same.chunk_by(|a, b| owners[a.1 as usize] == owners[b.1 as usize]) {
                        if let [one, two] = *own {
                            join(one, two);
                        }
                    }
                }
            }
        }
    }
    beyond
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GroundConfig, plan_scene};
    use wayfare_core::Context;
    use wayfare_scene::generated::scene_by_name;

    #[test]
    fn in_which_order_the_triangles_come_does_not_matter_to_the_edges() {
        for name in ["spiral-1", "sample", "slabs-1"] {
            let scene = scene_by_name(name).unwrap();
            let plan = plan_scene(&scene, &GroundConfig::default(), &Context::default()).unwrap().plan;
            let corners = Corners::new(&plan);
            let (mut triangles, mut owners) = (Vec::new(), Vec::new());
            for (region, content) in corners.regions.iter().enumerate().rev() {
                triangles.extend(content.ground.iter().rev());
                owners.resize(triangles.len(), region as u32);
            }
            let beyond = match_sides(&triangles, &owners);
            let chains = corners.ground_on_edges();
            assert!(chains.iter().any(|chain| !chain.is_empty()), "{name}");
            assert_eq!(corners.ground_on_edges_of(&triangles, &owners, &beyond), chains, "{name}");
        }
    }
}
