//! Triangles of all patches become one surface: joined where their edges are the same, flat or by a step.
//!
//! Idea: after noding, edges of different patches that belong together join the same two grid points. So all edges are sorted
//!   by these, and among those at one place the pairs with the least difference in height are joined first.
//! Steps: 1. edges inside of a patch without a wall on them  2. pairs at one place, by height  3. vertices: corners that
//!   meet across flat joins  4. the border and its cycles.
//! Promises W1 to W6. Cost: O(n log n).

use super::{
    faces::{FaceEdge, PatchFaces},
    patches::Patches,
    surface::{
        BorderEdge, NO_HALF_EDGE, Origin, PatchId, Riser, SurfaceTriangle, SurfaceVertexId, WalkableSurface,
        root,
    },
};
use wayfare_core::{DVec3, Id as _, IdVec};
use wayfare_geom::boolean::{Node, compare_ends};

/// Edges whose heights differ by no more are joined flat [m].
pub(super) const FLAT: f64 = 2e-3;

/// What a step may be higher than the highest, for rounding [m].
pub(super) const STEP_TOLERANCE: f64 = 1e-6;

/// A half-edge at its place.
#[derive(Clone, Copy)]
struct Side {
    /// Lesser end first.
    at: [Node; 2],
    is_forward: bool,
    half_edge: u32,
    /// The heights of its ground at the two ends.
    heights: [f64; 2],
    /// The top of the wall on it, as a height.
    top: Option<f64>,
}

/// The surface of all patches; `step` is the highest that is taken [m].
pub(super) fn join_faces(ground: Patches, faces: &[PatchFaces], step: f64) -> WalkableSurface {
    let mut triangles: Vec<([Node; 3], u32)> = Vec::new();
    for (patch, faces) in faces.iter().enumerate() {
        triangles.extend(faces.triangles.iter().map(|&corners| (corners, patch as u32)));
    }
    let mut sides = find_sides(&ground, faces, &triangles);
    sides.sort_unstable_by(|a, b| {
        compare_ends(&a.at, &b.at).then_with(|| (a.is_forward, a.half_edge).cmp(&(b.is_forward, b.half_edge)))
    });
    let mut twins = vec![NO_HALF_EDGE; 3 * triangles.len()];
    let mut risers = Vec::new();
    let mut is_done = vec![false; 3 * triangles.len()];
    let patch_at = |side: &Side| triangles[side.half_edge as usize / 3].1;
    for place in sides.chunk_by(|a, b| a.at == b.at) {
        let (back, forth) = place.split_at(place.partition_point(|side| !side.is_forward));
        // 1. and 2.
        let mut pairs: Vec<(f64, bool, &Side, &Side)> = Vec::new();
        for one in forth {
            for two in back {
                let rise = rise(one, two);
                if rise <= step + STEP_TOLERANCE {
                    pairs.push((rise, patch_at(one) != patch_at(two), one, two));
                }
            }
        }
        pairs.sort_by(|a, b| {
            let ids = |pair: &(f64, bool, &Side, &Side)| (pair.1, pair.2.half_edge, pair.3.half_edge);
            (a.0.max(FLAT)).total_cmp(&b.0.max(FLAT)).then(ids(a).cmp(&ids(b)))
        });
        for (rise, _, one, two) in pairs {
            let [h, g] = [one.half_edge, two.half_edge];
            if is_done[h as usize] || is_done[g as usize] {
                continue;
            }
            // Whoever has a wall between them has no other partner either.
            is_done[h as usize] = true;
            is_done[g as usize] = true;
            let is_upward = one.heights[0] + one.heights[1] <= two.heights[0] + two.heights[1];
            let (lower, upper) = if is_upward { (one, two) } else { (two, one) };
            let foot = lower.heights[0].min(lower.heights[1]);
            let top = one.top.into_iter().chain(two.top).fold(f64::NEG_INFINITY, f64::max);
            let over = (top - foot).max(rise);
            if rise <= FLAT && top == f64::NEG_INFINITY {
                twins[h as usize] = g;
                twins[g as usize] = h;
            } else if over <= step + STEP_TOLERANCE {
                let mut rise = [0, 1].map(|k| upper.heights[k] - lower.heights[k]);
                if !lower.is_forward {
                    rise.swap(0, 1);
                }
                risers.push(Riser { lower: lower.half_edge, upper: upper.half_edge, rise, over });
            }
        }
    }
    risers.sort_by_key(|riser| (riser.lower, riser.upper));
    // 3.
    let (vertices, corners) = number_vertices(&twins, |corner| {
        let (nodes, patch) = triangles[corner / 3];
        let place = ground.grid.place(nodes[corner % 3]);
        place.extend(ground.patches[patch as usize].plane.height_at(place))
    });
    let mut surface = WalkableSurface {
        vertices,
        triangles: triangles
            .iter()
            .zip(corners)
            .map(|(&(_, patch), corners)| SurfaceTriangle { corners, patch: PatchId(patch) })
            .collect(),
        twins,
        risers,
        grid: ground.grid.spacing(),
        finest: ground.finest,
        tag_names: ground.scene.tag_names.clone(),
        patches: IdVec::from_vec(ground.patches),
        ..WalkableSurface::default()
    };
    // 4.
    let edge_of = |h: u32| {
        let (corners, patch) = triangles[h as usize / 3];
        let ends = [corners[h as usize % 3], corners[(h as usize + 1) % 3]];
        let PatchFaces { border, walls, .. } = &faces[patch as usize];
        match border.binary_search_by(|edge| compare_ends(&edge.ends, &ends)) {
            Ok(k) => border[k],
            Err(_) => {
                let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                let wall = walls.binary_search_by(|wall| compare_ends(&wall.0, &key)).ok();
                FaceEdge { ends, origin: Origin::Slit, obstacle: wall.map(|k| walls[k].1) }
            }
        }
    };
    surface.trace_border(|half_edge| {
        let FaceEdge { origin, obstacle, .. } = edge_of(half_edge);
        BorderEdge { half_edge, origin, obstacle }
    });
    surface.drop_high_risers(step);
    surface
}

/// How far two sides at one place are apart in height, at most.
fn rise(one: &Side, two: &Side) -> f64 {
    (one.heights[0] - two.heights[0]).abs().max((one.heights[1] - two.heights[1]).abs())
}

fn find_sides(ground: &Patches, faces: &[PatchFaces], triangles: &[([Node; 3], u32)]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (number, &(corners, patch)) in triangles.iter().enumerate() {
        let plane = ground.patches[patch as usize].plane;
        let heights = corners.map(|node| plane.height_at(ground.grid.place(node)));
        let walls = &faces[patch as usize].walls;
        for k in 0..3 {
            let next = (k + 1) % 3;
            let is_forward = corners[k] < corners[next];
            let [low, high] = if is_forward { [k, next] } else { [next, k] };
            let at = [corners[low], corners[high]];
            let heights = [heights[low], heights[high]];
            let wall = walls.binary_search_by(|wall| compare_ends(&wall.0, &at)).ok().map(|k| walls[k].1);
            let top = wall.map(|[_, top]| heights[0].max(heights[1]) + top);
            sides.push(Side { at, is_forward, half_edge: (3 * number + k) as u32, heights, top });
        }
    }
    sides
}

/// Step 3: corners that meet across flat joins are one vertex, at the place of the first.
pub(super) fn number_vertices(
    twins: &[u32],
    point: impl Fn(usize) -> DVec3,
) -> (IdVec<SurfaceVertexId, DVec3>, Vec<[SurfaceVertexId; 3]>) {
    let mut parent: Vec<u32> = (0..twins.len() as u32).collect();
    for (h, &twin) in twins.iter().enumerate() {
        if twin != NO_HALF_EDGE {
            // The corner at which the one starts is that at which the other ends.
            let [a, b] = [h as u32, WalkableSurface::next(twin)].map(|corner| root(&mut parent, corner));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut vertices = IdVec::<SurfaceVertexId, _>::default();
    let mut number = vec![SurfaceVertexId(u32::MAX); parent.len()];
    let mut corners = vec![[SurfaceVertexId(0); 3]; twins.len() / 3];
    for corner in 0..parent.len() {
        let first = root(&mut parent, corner as u32) as usize;
        if first == corner {
            number[corner] = vertices.push(point(corner));
        }
        corners[corner / 3][corner % 3] = number[first];
    }
    debug_assert!(corners.iter().flatten().all(|vertex| vertex.index() < vertices.len()));
    (vertices, corners)
}

impl WalkableSurface {
    /// Leaves out risers that are too high between their vertices. Sides of flat joins share these though their planes differ by up to
    /// 2 mm, so that what passes in the planes may not pass there.
    pub(super) fn drop_high_risers(&mut self, step: f64) {
        let mut risers = std::mem::take(&mut self.risers);
        risers.retain(|riser| {
            let ([a, b], [c, d]) = (self.segment(riser.lower), self.segment(riser.upper));
            (d.z - a.z).abs().max((c.z - b.z).abs()) <= step + STEP_TOLERANCE
        });
        self.risers = risers;
    }

    /// Finds the border and its cycles, from the twins.
    pub(crate) fn trace_border(&mut self, edge: impl Fn(u32) -> BorderEdge) {
        self.border.clear();
        self.cycle_starts = vec![0];
        let mut is_done = vec![false; self.twins.len()];
        for start in 0..self.twins.len() as u32 {
            let mut at = start;
            while self.twins[at as usize] == NO_HALF_EDGE && !is_done[at as usize] {
                is_done[at as usize] = true;
                self.border.push(edge(at));
                at = Self::next(at);
                while self.twins[at as usize] != NO_HALF_EDGE {
                    at = Self::next(self.twins[at as usize]);
                }
            }
            if self.cycle_starts.last() != Some(&(self.border.len() as u32)) {
                self.cycle_starts.push(self.border.len() as u32);
            }
        }
    }
}
