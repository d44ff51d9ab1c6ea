//! What is in the way on each patch: the parts of all triangles that are over its ground and under head room, seen from above.
//!
//! Idea: over a plane, the part of a triangle between two heights is a convex polygon, seen from above, too. Patches lose
//!   the union of these polygons; that is left to the overlay (`faces.rs`), here they are only listed, as edges.
//! Source: seed 002, section III.B.
//! Steps for each patch: 1. its outline: sides of its triangles that do not cancel  2. triangles of other patches, by the
//!   difference of the two planes: the patch with the lower number keeps what is within 1 mm of both  3. other triangles
//!   4. those that are as good as upright: walls, which are segments.
//! Where two planes part, both patches get the same points on the line: those where it crosses the sides of either.
//! Cost: O(pairs of patches and triangles whose boxes meet); patches in parallel.

use super::{
    cracks::Filler,
    patches::{NO_PATCH, Patches},
    surface::Plane,
};
use crate::GroundConfig;
use rayon::prelude::*;
use wayfare_core::{Cancelled, Context, DVec2, DVec3};
use wayfare_geom::{
    boolean::{Node, turn},
    bvh::{Aabb3, Bvh},
    segment::nearest_on_segment,
};

/// Floors closer than this are one floor; what rises less over the ground is not in the way [m].
pub(super) const SAME_FLOOR: f64 = 1e-3;

/// A triangle that is not wider than this seen from above is a wall without thickness [m]; models in single floats have
/// upright walls whose corners are off by some micrometres.
pub(super) const WALL_WIDTH: f64 = 1e-5;

/// Patches of up to so many triangles are compared with each triangle before it is cut.
const FEW: usize = 8;

/// What an edge is to its patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// The patch's own outline: ground on the left.
    Ground,
    /// A part that cannot be stood on lies on the left.
    Cut(Cause),
    /// A wall without thickness.
    Wall(Cause),
}

/// What is in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cause {
    /// The scene's triangle.
    pub by: u32,
    /// From where to where it reaches over the ground, within head room [m].
    pub heights: [f32; 2],
    /// Whether the edge is where it gets as high as head room.
    pub is_ceiling: bool,
}

/// An edge of what makes up a patch. Edges that lie on each other are listed one by one; `times` is how often the
/// first of them winds round for all of them together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PatchEdge {
    pub ends: [Node; 2],
    pub role: Role,
    pub times: i32,
}

/// The edges of all patches.
pub(super) fn find_edges(
    ground: &Patches,
    fillers: &[Filler],
    tree: &Bvh,
    config: &GroundConfig,
    context: &Context,
) -> Result<Vec<Vec<PatchEdge>>, Cancelled> {
    let stage = context.stage("cuts", ground.patches.len() as u64);
    let edges = (0..ground.patches.len() as u32)
        .into_par_iter()
        .map(|patch| {
            context.check()?;
            let edges = Cutter::new(ground, patch, config).edges(fillers, tree);
            stage.advance(1);
            Ok(edges)
        })
        .collect();
    drop(stage);
    edges
}

/// A corner of a polygon over a patch.
#[derive(Clone, Copy, Debug)]
struct Corner {
    node: Node,
    place: DVec2,
    /// Height over the patch's plane [m].
    over: f64,
    /// What the edge that starts here is.
    edge: Edge,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Edge {
    Side,
    Low,
    High,
}

/// Cuts things over one patch.
struct Cutter<'a> {
    ground: &'a Patches<'a>,
    patch: u32,
    plane: Plane,
    height: f64,
    subjects: Vec<PatchEdge>,
    cuts: Vec<PatchEdge>,
    walls: Vec<PatchEdge>,
}

impl<'a> Cutter<'a> {
    fn new(ground: &'a Patches<'a>, patch: u32, config: &GroundConfig) -> Self {
        let plane = ground.patches[patch as usize].plane;
        let (subjects, cuts, walls) = (Vec::new(), Vec::new(), Vec::new());
        Self { ground, patch, plane, height: config.height, subjects, cuts, walls }
    }

    fn own(&self) -> &'a [u32] {
        &self.ground.patches[self.patch as usize].scene_triangles
    }

    fn edges(mut self, fillers: &[Filler], tree: &Bvh) -> Vec<PatchEdge> {
        // 1.
        for &triangle in self.own() {
            let corners = self.ground.corners(triangle).map(|v| self.ground.nodes[v as usize]);
            self.add_ground(&corners);
        }
        let patch = self.patch;
        let first = fillers.partition_point(|filler| filler.patch < patch);
        for filler in fillers[first..].iter().take_while(|filler| filler.patch == patch) {
            match filler.cut_by {
                None => self.add_ground(&filler.ring),
                Some(by) => {
                    let cause = Cause { by, heights: [0.0, 0.0], is_ceiling: false };
                    for (k, &a) in filler.ring.iter().enumerate() {
                        let ends = [a, filler.ring[(k + 1) % 4]];
                        self.cuts.push(PatchEdge { ends, role: Role::Cut(cause), times: 1 });
                    }
                }
            }
        }
        // 2. to 4.
        let own = self.own().iter().flat_map(|&t| self.ground.scene.mesh.points(t as usize));
        let mut area = Aabb3::of_points(own);
        area.min.z -= SAME_FLOOR;
        area.max.z += self.height;
        let mut others = Vec::new();
        tree.visit(&area, |triangle| {
            if self.ground.patch_of[triangle as usize] != self.patch {
                others.push(triangle);
            }
            false
        });
        others.sort_unstable();
        for triangle in others {
            let points = self.ground.scene.mesh.points(triangle as usize);
            let bounds = Aabb3::of_points(points);
            if !bounds.meets(&area) || self.keeps_apart(triangle) {
                continue;
            }
            match self.ground.patch_of[triangle as usize] {
                NO_PATCH if self.is_wall(triangle) => self.cut_by_wall(triangle),
                NO_PATCH => self.cut_by_thing(triangle),
                other => self.cut_by_ground(triangle, other),
            }
        }
        let mut edges = netted(self.subjects);
        edges.extend(netted(self.cuts));
        edges.extend(without_covered(self.walls, self.ground.grid.spacing()));
        edges
    }

    fn add_ground(&mut self, ring: &[Node]) {
        for (k, &a) in ring.iter().enumerate() {
            let ends = [a, ring[(k + 1) % ring.len()]];
            self.subjects.push(PatchEdge { ends, role: Role::Ground, times: 1 });
        }
    }

    /// Whether a triangle is beside all of a small patch, seen from above, or at most touches it.
    fn keeps_apart(&self, triangle: u32) -> bool {
        let own = self.own();
        if own.len() > FEW {
            return false;
        }
        let nodes = |t: u32| self.ground.corners(t).map(|v| self.ground.nodes[v as usize]);
        let theirs = nodes(triangle);
        // A wall has no inside; it counts where it touches.
        let is_flat = turn(theirs[0], theirs[1], theirs[2]) == 0;
        if is_flat || self.ground.patch_of[triangle as usize] == NO_PATCH && self.is_wall(triangle) {
            return false;
        }
        let is_beyond_side = |a: [Node; 3], b: [Node; 3]| {
            (0..3).any(|k| b.iter().all(|&p| turn(a[k], a[(k + 1) % 3], p) <= 0))
        };
        own.iter().all(|&t| {
            let ours = nodes(t);
            is_beyond_side(ours, theirs) || is_beyond_side(theirs, ours)
        })
    }

    /// Whether a triangle is as good as upright.
    fn is_wall(&self, triangle: u32) -> bool {
        let [a, b, c] = self.ground.scene.mesh.points(triangle as usize).map(DVec3::truncate);
        let longest = [b - a, c - b, a - c].map(|side| side.length()).into_iter().fold(0.0, f64::max);
        (b - a).perp_dot(c - a).abs() <= WALL_WIDTH * longest
    }

    /// Step 2.
    fn cut_by_ground(&mut self, triangle: u32, other: u32) {
        let is_higher = other > self.patch;
        let low = if is_higher { SAME_FLOOR } else { -SAME_FLOOR };
        let over = self.over_ground(other);
        let corners = self.polygon(triangle, &over);
        let mut polygon = clip(self.ground, &corners, low, self.height);
        // Where the planes part, the line is the same for both.
        let Some(start) = polygon.iter().position(|corner| corner.edge == Edge::Low) else {
            return self.add_cut(triangle, &polygon);
        };
        let (from, to) = (polygon[start], polygon[(start + 1) % polygon.len()]);
        let way = to.place - from.place;
        let mut between: Vec<(f64, Corner)> = Vec::new();
        for &own in self.own() {
            let corners = self.polygon(own, &over);
            for k in 0..3 {
                if let Some(at) = crossing(self.ground, &corners[k], &corners[(k + 1) % 3], low) {
                    let along = (at.place - from.place).dot(way);
                    if along > 0.0
                        && along < way.length_squared()
                        && at.node != from.node
                        && at.node != to.node
                    {
                        between.push((along, Corner { edge: Edge::Low, ..at }));
                    }
                }
            }
        }
        between.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.node.cmp(&b.1.node)));
        between.dedup_by_key(|entry| entry.1.node);
        let points = between.into_iter().map(|entry| entry.1);
        polygon.splice(start + 1..start + 1, points);
        self.add_cut(triangle, &polygon);
    }

    /// How high another patch's plane is over this one's; the same to the bit, but for the sign, seen from the other.
    fn over_ground(&self, other: u32) -> impl Fn(DVec3) -> f64 + use<'a> {
        let theirs = self.ground.patches[other as usize].plane;
        let (ours, is_higher) = (self.plane, other > self.patch);
        move |p: DVec3| {
            let [ours, theirs] = [ours, theirs].map(|plane| plane.height_at(p.truncate()));
            if is_higher { theirs - ours } else { -(ours - theirs) }
        }
    }

    fn over_plane(&self) -> impl Fn(DVec3) -> f64 + use<> {
        let plane = self.plane;
        move |p: DVec3| p.z - plane.height_at(p.truncate())
    }

    fn polygon(&self, triangle: u32, over: &impl Fn(DVec3) -> f64) -> [Corner; 3] {
        self.ground.corners(triangle).map(|v| {
            let p = self.ground.scene.mesh.vertices[v as usize];
            let node = self.ground.nodes[v as usize];
            Corner { node, place: p.truncate(), over: over(p), edge: Edge::Side }
        })
    }

    /// Step 3.
    fn cut_by_thing(&mut self, triangle: u32) {
        let corners = self.polygon(triangle, &self.over_plane());
        let polygon = clip(self.ground, &corners, SAME_FLOOR, self.height);
        self.add_cut(triangle, &polygon);
    }

    fn add_cut(&mut self, triangle: u32, polygon: &[Corner]) {
        let heights = heights(polygon);
        for (k, corner) in polygon.iter().enumerate() {
            let next = &polygon[(k + 1) % polygon.len()];
            if corner.node != next.node {
                let cause = Cause { by: triangle, heights, is_ceiling: corner.edge == Edge::High };
                let ends = [corner.node, next.node];
                self.cuts.push(PatchEdge { ends, role: Role::Cut(cause), times: 1 });
            }
        }
    }

    /// Step 4. Where a wall leans by some micrometres, its foot is what counts.
    fn cut_by_wall(&mut self, triangle: u32) {
        let corners = self.polygon(triangle, &self.over_plane());
        let polygon = clip(self.ground, &corners, -SAME_FLOOR, self.height);
        let heights = heights(&polygon);
        if polygon.is_empty() || f64::from(heights[1]) <= SAME_FLOOR {
            return;
        }
        let sides = [0, 1, 2].map(|k| corners[(k + 1) % 3].place - corners[k].place);
        let along = sides.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let along = along.unwrap_or_default().normalize_or_zero();
        let place = |corner: &Corner| (corner.place - corners[0].place).dot(along);
        let end = |sign: f64| {
            let most = polygon.iter().map(|corner| sign * place(corner)).fold(f64::NEG_INFINITY, f64::max);
            let near = polygon.iter().filter(|corner| sign * place(corner) >= most - WALL_WIDTH);
            near.min_by(|a, b| a.over.total_cmp(&b.over).then(a.node.cmp(&b.node))).map(|corner| corner.node)
        };
        if let (Some(a), Some(b)) = (end(-1.0), end(1.0))
            && a != b
        {
            let cause = Cause { by: triangle, heights, is_ceiling: false };
            self.walls.push(PatchEdge { ends: [a.min(b), a.max(b)], role: Role::Wall(cause), times: 0 });
        }
    }
}

/// Walls without those that lie along others and reach no higher: faces of a wall are cut off at head room somewhere along it.
fn without_covered(mut walls: Vec<PatchEdge>, unit: f64) -> Vec<PatchEdge> {
    let place = |node: Node| DVec2::new(node.x as f64, node.y as f64) * unit;
    let ends = |wall: &PatchEdge| wall.ends.map(place);
    let length = |wall: &PatchEdge| ends(wall)[0].distance(ends(wall)[1]);
    let top = |wall: &PatchEdge| match wall.role {
        Role::Wall(cause) => cause.heights[1],
        _ => 0.0,
    };
    walls.sort_by(|a, b| {
        length(b).total_cmp(&length(a)).then(a.ends.cmp(&b.ends)).then(top(b).total_cmp(&top(a)))
    });
    let boxes: Vec<Aabb3> =
        walls.iter().map(|wall| Aabb3::of_points(ends(wall).map(|p| p.extend(0.0)))).collect();
    let tree = Bvh::build(&boxes);
    let is_covered = |k: usize| {
        let grown = DVec3::splat(WALL_WIDTH);
        let area = Aabb3 { min: boxes[k].min - grown, max: boxes[k].max + grown };
        tree.visit(&area, |other| {
            let other = other as usize;
            let [a, b] = ends(&walls[other]);
            other < k
                && top(&walls[other]) >= top(&walls[k])
                && ends(&walls[k]).iter().all(|&p| p.distance(nearest_on_segment(p, a, b)) <= WALL_WIDTH)
        })
    };
    (0..walls.len()).filter(|&k| !is_covered(k)).map(|k| walls[k]).collect()
}

/// From where to where corners reach over the ground.
fn heights(polygon: &[Corner]) -> [f32; 2] {
    let over = polygon.iter().map(|corner| corner.over);
    let low = over.clone().fold(f64::INFINITY, f64::min);
    [low.max(0.0) as f32, over.fold(0.0, f64::max) as f32]
}

/// The part of a triangle between two heights.
fn clip(ground: &Patches, corners: &[Corner; 3], low: f64, high: f64) -> Vec<Corner> {
    if corners.iter().all(|corner| corner.over <= low) || corners.iter().all(|corner| corner.over >= high) {
        return Vec::new();
    }
    let above = clip_by(ground, corners, low, 1.0, Edge::Low);
    clip_by(ground, &above, high, -1.0, Edge::High)
}

/// The part of a convex polygon over (`sign` 1) or under (−1) a height.
fn clip_by(ground: &Patches, polygon: &[Corner], level: f64, sign: f64, edge: Edge) -> Vec<Corner> {
    let is_in = |corner: &Corner| sign * (corner.over - level) > 0.0;
    if polygon.iter().all(is_in) {
        return polygon.to_vec();
    }
    let mut clipped = Vec::with_capacity(polygon.len() + 1);
    for (k, corner) in polygon.iter().enumerate() {
        let next = &polygon[(k + 1) % polygon.len()];
        if is_in(corner) {
            clipped.push(*corner);
        }
        if is_in(corner) != is_in(next) {
            // The edge of the clip starts where the polygon is left.
            let kind = if is_in(corner) { edge } else { corner.edge };
            clipped.push(Corner { edge: kind, ..at_level(ground, corner, next, level) });
        }
    }
    clipped
}

/// Where an edge crosses a height, if its ends are on different sides.
fn crossing(ground: &Patches, a: &Corner, b: &Corner, level: f64) -> Option<Corner> {
    ((a.over > level) != (b.over > level)).then(|| at_level(ground, a, b, level))
}

/// The point of an edge at a height; the same to the bit in either direction.
fn at_level(ground: &Patches, a: &Corner, b: &Corner, level: f64) -> Corner {
    let (a, b) = if a.node <= b.node { (a, b) } else { (b, a) };
    let share = ((level - a.over) / (b.over - a.over)).clamp(0.0, 1.0);
    let place = a.place + (b.place - a.place) * share;
    Corner { node: ground.grid.round(place), place, over: level, edge: Edge::Side }
}

/// Edges that lie on each other, each group with its sum on the first; groups that cancel are left out.
fn netted(mut edges: Vec<PatchEdge>) -> Vec<PatchEdge> {
    let key = |edge: &PatchEdge| [edge.ends[0].min(edge.ends[1]), edge.ends[0].max(edge.ends[1])];
    edges.sort_by_key(key);
    let mut kept = Vec::new();
    for group in edges.chunk_by_mut(|a, b| key(a) == key(b)) {
        let sign = |edge: &PatchEdge| if edge.ends[0] < edge.ends[1] { edge.times } else { -edge.times };
        let sum: i32 = group.iter().map(sign).sum();
        if sum == 0 {
            continue;
        }
        // The first runs the way that is left over.
        let first = group.iter().position(|edge| sign(edge).signum() == sum.signum()).unwrap_or(0);
        group.swap(0, first);
        for (k, edge) in group.iter_mut().enumerate() {
            edge.times = if k == 0 { sum.abs() } else { 0 };
        }
        kept.extend_from_slice(group);
    }
    kept
}
