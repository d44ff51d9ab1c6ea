//! The taut graph: which corners of the core see each other along a line that is tangent at both.
//!
//! Idea: between its first and its last turn a shortest path runs along such lines only, so most of a search on
//! a large mesh can be done beforehand. Dead ends count as walls here; a query adds what its ends see.
//! Source: tangent visibility graphs (Pocchiola and Vegter 1996 have the optimal construction); built here by
//!   walking the cones of each corner through the faces, which needs no other structure.
//! Steps: 1. number the corners  2. for each, walk from both of its walls up to the prolongation of the other, note
//!   the corners in sight that are tangent  3. put them into two groups by the side on which the walls lie
//! Promises: symmetric; every straight piece of a shortest path between two turns in the core is an edge or
//!   a chain of edges on one line.
//! Cost: one walk per corner, in parallel, the same result for any number of threads.

use super::{
    cone::{Cone, Exit, Ground, LEFT, RIGHT, Sides, View, Visit},
    faces::{CORE_CORNER, Edge, Faces, NONE, SEALED, WIDE},
    shares::in_shares,
};
use wayfare_core::DVec2;

/// The corners of the core in the order of their vertices; part of what a finder prepares on loading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corners {
    /// The vertex of each corner.
    pub vertices: Vec<u32>,
    /// The corner of each vertex, [`NONE`] if it is none.
    pub of_vertex: Vec<u32>,
}

impl Corners {
    pub fn of(faces: &Faces) -> Self {
        let is_corner = |vertex: &u32| {
            faces
                .fan(*vertex)
                .first()
                .is_some_and(|&edge| faces.edges[edge as usize].flags & CORE_CORNER != 0)
        };
        let vertices: Vec<u32> = (0..faces.vertex_count() as u32).filter(is_corner).collect();
        let mut of_vertex = vec![NONE; faces.vertex_count()];
        for (corner, &vertex) in vertices.iter().enumerate() {
            of_vertex[vertex as usize] = corner as u32;
        }
        Self { vertices, of_vertex }
    }

    pub fn len(&self) -> usize {
        self.vertices.len()
    }
}

/// In [`CornerGraph::targets`], the bits above the corner: the sides of its walls seen along the edge.
pub(crate) const SIDES_SHIFT: u32 = 30;
pub(crate) const CORNER_MASK: u32 = (1 << SIDES_SHIFT) - 1;

/// The taut graph. An edge out of a corner is in its left group if the walls at the corner lie left of it; so a
/// path that came in with the walls on its left goes on by the left group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CornerGraph {
    /// For each corner where its left group starts and where its right group starts; one more entry at the end.
    pub starts: Vec<u32>,
    /// Corner and [`SIDES_SHIFT`]ed sides at its end.
    pub targets: Vec<u32>,
}

impl CornerGraph {
    /// The edges that go on from a corner whose walls lie on these sides of the way in.
    #[inline]
    pub fn onward(&self, corner: u32, sides: Sides) -> &[u32] {
        let k = 2 * corner as usize;
        let from = if sides & LEFT != 0 { k } else { k + 1 };
        let to = if sides & RIGHT != 0 { k + 2 } else { k + 1 };
        &self.targets[self.starts[from] as usize..self.starts[to] as usize]
    }

    /// Finds the graph with so many threads, 0 for all cores.
    pub fn build(faces: &Faces, corners: &Corners, threads: usize) -> Self {
        let groups = in_shares(corners.len(), threads, |range| {
            let mut walk = TangentWalk::new(faces, corners);
            range.map(|corner| walk.edges_of(corner as u32)).collect()
        });
        let mut graph = Self { starts: vec![0], targets: Vec::new() };
        for group in groups.into_iter().flatten() {
            graph.targets.extend(group);
            graph.starts.push(graph.targets.len() as u32);
        }
        graph
    }
}

/// About how many edges the graph will have, from a sample of its corners; `None` if more than `most` or if they cannot
/// be found in a reasonable time.
pub(crate) fn estimate_edges(faces: &Faces, corners: &Corners, most: usize) -> Option<usize> {
    /// Few enough to cost next to nothing, many enough to be within some percent on a graph that is large.
    const SAMPLE: usize = 16;
    /// With that many the mean is good enough to see that it is far too large.
    const FIRST: usize = 32;
    /// Cones walked per corner at most. Fine round things on open ground have more: every corner looks along
    /// thousands of cells, and landmarks would take minutes.
    const MOST_CONES: usize = 1000;
    let mut walk = TangentWalk::new(faces, corners);
    let mut edges = 0;
    // Strides that are no multiple of small numbers of corners, over the whole ring of them.
    let sampled = corners.len().div_ceil(SAMPLE);
    for k in 0..sampled {
        let corner = (k * 7919) % sampled * SAMPLE;
        edges += walk.edges_of(corner as u32).iter().map(Vec::len).sum::<usize>();
        let is_far_too_large =
            edges / (k + 1) * corners.len() > 2 * most || walk.cones / (k + 1) > MOST_CONES;
        if k >= FIRST && is_far_too_large {
            return None;
        }
    }
    let edges = edges * corners.len() / sampled.max(1);
    (edges <= most && walk.cones / sampled.max(1) <= MOST_CONES).then_some(edges)
}

/// Finds the tangent corners in sight of one corner.
struct TangentWalk<'a> {
    ground: Ground<'a>,
    corners: &'a Corners,
    stack: Vec<Cone>,
    root: u32,
    at: DVec2,
    /// The cone that is being walked.
    cone: Option<(Cone, View)>,
    groups: [Vec<u32>; 2],
    /// Number of cones walked so far.
    cones: usize,
}

impl<'a> TangentWalk<'a> {
    fn new(faces: &'a Faces, corners: &'a Corners) -> Self {
        let ground = Ground { faces, orient: faces.orient, start: DVec2::ZERO, limits: None };
        Self {
            ground,
            corners,
            stack: Vec::new(),
            root: 0,
            at: DVec2::ZERO,
            cone: None,
            groups: Default::default(),
            cones: 0,
        }
    }

    fn edges_of(&mut self, corner: u32) -> [Vec<u32>; 2] {
        let ground = self.ground;
        let faces = ground.faces;
        let vertex = self.corners.vertices[corner as usize];
        (self.root, self.at) = (vertex, faces.xy[vertex as usize]);
        let fan = faces.core_fan(vertex);
        let (first, last) = (fan[0], fan[fan.len() - 1]);
        let walls = [faces.next(first), faces.previous(last)].map(|edge| faces.edges[edge as usize].vertex);
        // What is tangent on one side lies between one wall and the prolongation of the other: where a path may go
        // that comes along that other wall.
        let is_wide = faces.edges[first as usize].flags & WIDE != 0;
        for parent in if is_wide { &walls[..1] } else { &walls[..] } {
            let in_core = |face: u32| faces.up[face as usize] == NONE;
            let core_walls = &faces.core_walls[vertex as usize];
            ground.turn(vertex, *parent, core_walls, in_core, self);
            while let Some(cone) = self.stack.pop() {
                self.cones += 1;
                let view = ground.view(&cone);
                self.cone = Some((cone, view));
                ground.cross(&cone, &view, self);
            }
            self.cone = None;
        }
        let mut groups = std::mem::take(&mut self.groups);
        for group in &mut groups {
            // In the order of corners, each once: a vertex on the border of two cones is seen by both.
            group.sort_unstable_by_key(|&target| target & CORNER_MASK);
            group.dedup();
        }
        groups
    }
}

impl Visit for TangentWalk<'_> {
    fn vertex(&mut self, edge: &Edge, _: bool) {
        let corner = self.corners.of_vertex[edge.vertex as usize];
        if corner == NONE {
            return;
        }
        // Behind another corner on the same line: going there first is as short.
        if let Some((cone, view)) = &self.cone {
            let is_behind = |bound: u32, ray: [DVec2; 2]| {
                let of_bound = self.corners.of_vertex.get(bound as usize);
                of_bound.is_some_and(|&of_bound| of_bound != NONE && of_bound != corner)
                    && self.ground.orient.sign(ray[0], ray[1], edge.at) == 0.0
            };
            if is_behind(cone.left, view.left) || is_behind(cone.right, view.right) {
                return;
            }
        }
        let sides_of = |from: DVec2, at: DVec2, vertex: u32, is_wide: bool| {
            if is_wide {
                return LEFT | RIGHT;
            }
            self.ground.sides(from, at, &self.ground.faces.core_walls[vertex as usize])
        };
        let there = sides_of(self.at, edge.at, edge.vertex, edge.flags & WIDE != 0);
        if there == 0 {
            return;
        }
        // Seen from the other end left and right are swapped.
        let root_edge = self.ground.faces.fan(self.root)[0];
        let is_wide = self.ground.faces.edges[root_edge as usize].flags & WIDE != 0;
        let here = sides_of(edge.at, self.at, self.root, is_wide);
        if here & RIGHT != 0 {
            self.groups[0].push(corner | there << SIDES_SHIFT);
        }
        if here & LEFT != 0 {
            self.groups[1].push(corner | there << SIDES_SHIFT);
        }
    }

    fn exit(&mut self, exit: Exit<'_>) {
        let Edge { twin, flags, .. } = *exit.edge;
        if twin != NONE && flags & SEALED == 0 {
            self.stack.push(Cone { root: self.root, left: exit.left, right: exit.right, edge: twin });
        }
    }
}
